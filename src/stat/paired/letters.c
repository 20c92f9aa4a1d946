/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The insert-and-absorb algorithm of Piepho (2004), Journal of Computational
 * and Graphical Statistics 13, 456-466: begin with one group of all; for every
 * pair that differs, split each group that holds both into two that hold one;
 * drop groups that lie within another.  Groups are sets of bits.
 */

#include <stdlib.h>
#include <string.h>

#include "base/checking.h"
#include "base/memory.h"
#include "stat/letters_private.h"
#include "stat/paired_private.h"

struct iv_letters {
    uint64_t *sets; /* of ranks in the given order, `words` words each */
    size_t words, count, capacity;
    size_t systems;
    char **text; /* by system */
    iv_arena room;
};

static bool has(const uint64_t *set, size_t i)
{
    return set[i / 64] >> (i % 64) & 1;
}

static bool within(const uint64_t *small, const uint64_t *large, size_t words)
{
    for (size_t w = 0; w < words; w++) {
        if ((small[w] & ~large[w]) != 0)
            return false;
    }
    return true;
}

/* Takes one member out of a set, unless the rest lies within another one. */
static void shrink(iv_letters *l, size_t which, size_t member)
{
    uint64_t *set = l->sets + which * l->words;

    set[member / 64] &= ~(UINT64_C(1) << (member % 64));
    for (size_t g = 0; g < l->count; g++) {
        if (g != which && within(set, l->sets + g * l->words, l->words)) {
            l->count--;
            memmove(set, set + l->words, (l->count - which) * l->words * sizeof *set);
            return;
        }
    }
}

/* Splits every group that holds both a and b; false: no memory. */
static bool split(iv_letters *l, size_t a, size_t b)
{
    for (size_t g = l->count; g-- > 0;) {
        if (!has(l->sets + g * l->words, a) || !has(l->sets + g * l->words, b))
            continue;
        uint64_t *sets = iv_grow(l->sets, &l->capacity, (l->count + 1) * l->words,
                                 sizeof *sets);
        if (sets == NULL)
            return false;
        l->sets = sets;
        memcpy(sets + l->count * l->words, sets + g * l->words, l->words * sizeof *sets);
        l->count++;
        /* The later one first: removing it does not move the earlier. */
        uint64_t *later = sets + (l->count - 1) * l->words;
        later[a / 64] &= ~(UINT64_C(1) << (a % 64));
        shrink(l, g, b);
        for (size_t k = 0; k + 1 < l->count; k++) {
            if (within(l->sets + (l->count - 1) * l->words, l->sets + k * l->words, l->words)) {
                l->count--;
                break;
            }
        }
    }
    return true;
}

/* The first member of a set; sets are never empty. */
static size_t first_member(const uint64_t *set, size_t systems)
{
    size_t i = 0;

    while (i < systems && !has(set, i))
        i++;
    return i;
}

/* Sorts the groups by their first members, so that the best has an a. */
static void sort_groups(iv_letters *l, uint64_t *moved)
{
    const size_t bytes = l->words * sizeof *moved;

    for (size_t g = 1; g < l->count; g++) {
        size_t to = g;
        memcpy(moved, l->sets + g * l->words, bytes);
        const size_t first = first_member(moved, l->systems);
        for (; to > 0; to--) {
            uint64_t *before = l->sets + (to - 1) * l->words;
            if (first_member(before, l->systems) <= first)
                break;
            memcpy(before + l->words, before, bytes);
        }
        memcpy(l->sets + to * l->words, moved, bytes);
    }
}

static size_t write_letter(char *out, size_t group)
{
    if (group < 26) {
        out[0] = (char)('a' + group);
        return 1;
    }
    out[0] = (char)('a' + group / 26 - 1);
    out[1] = (char)('a' + group % 26);
    return 2;
}

static bool write_text(iv_letters *l, const size_t *order)
{
    l->text = calloc(l->systems, sizeof *l->text);
    for (size_t i = 0; l->text != NULL && i < l->systems; i++) {
        char *text = iv_arena_alloc(&l->room, 3 * l->count + 1);
        size_t len = 0;
        if (text == NULL)
            return false;
        for (size_t g = 0; g < l->count; g++) {
            if (!has(l->sets + g * l->words, i))
                continue;
            if (len > 0 && l->count > 26)
                text[len++] = ',';
            len += write_letter(text + len, g);
        }
        text[len] = '\0';
        l->text[order[i]] = text;
    }
    return l->text != NULL;
}

/* Everything but the checks; false: no memory. */
static bool find_groups(iv_letters *l, const bool *differ, const size_t *order)
{
    l->sets = iv_grow(NULL, &l->capacity, l->words, sizeof *l->sets);
    if (l->sets == NULL)
        return false;
    memset(l->sets, 0, l->words * sizeof *l->sets);
    for (size_t i = 0; i < l->systems; i++)
        l->sets[i / 64] |= UINT64_C(1) << (i % 64);
    l->count = 1;
    for (size_t i = 0; i < l->systems; i++) {
        for (size_t k = i + 1; k < l->systems && l->count <= IV_LETTERS_MOST; k++) {
            const size_t a = order[i] < order[k] ? order[i] : order[k];
            const size_t b = order[i] < order[k] ? order[k] : order[i];
            if (differ[iv_pair_index(l->systems, a, b)] && !split(l, i, k))
                return false;
        }
    }
    uint64_t *moved = malloc(l->words * sizeof *moved);
    if (moved == NULL)
        return false;
    sort_groups(l, moved);
    free(moved);
    return write_text(l, order);
}

int iv_letters_new(iv_letters **out, const bool *differ, const size_t *order,
                   size_t systems, iv_err *err)
{
    IV_TRY(iv_check_list(differ, systems, "pair", err));
    IV_TRY(iv_check_list(order, systems, "system", err));
    iv_letters *l = calloc(1, sizeof *l);

    if (l == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    l->systems = systems;
    l->words = systems / 64 + 1;
    if (!find_groups(l, differ, order)) {
        iv_letters_free(l);
        return iv_fail(err, IV_ENOMEM, "out of memory");
    }
    if (l->count > IV_LETTERS_MOST) {
        iv_letters_free(l);
        return iv_fail(err, IV_ENUM, "more than %d groups of systems", IV_LETTERS_MOST);
    }
    *out = l;
    return IV_OK;
}

const char *iv_letters_of(const iv_letters *l, size_t system) { return l->text[system]; }

size_t iv_letters_groups(const iv_letters *l) { return l->count; }

void iv_letters_free(iv_letters *l)
{
    if (l == NULL)
        return;
    free(l->sets);
    free(l->text);
    iv_arena_free(&l->room);
    free(l);
}
