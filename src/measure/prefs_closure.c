/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What follows from the preferences of several subgroups.  A subgroup is a chain of classes of
 * equal level; between two that follow each other stands a gate: each document of the upper
 * leads to it, and it to each document of the lower.  So there are as many steps as claims.
 * From the documents that nothing stands below upwards, each has what those below it have.
 */
#include "measure/measure_private.h"

typedef struct closing {
    iv_preferrer *g;
    const iv_opinion *claim; /* by subgroup, the highest level first */
    size_t count;
    uint32_t *class;       /* of claims, from 0 */
    size_t *first;         /* of classes: their first claim; behind the last, how many */
    uint32_t *of_doc;      /* claims by document: those of d stand from ... */
    size_t *doc_first;     /* ... doc_first[d] to before doc_first[d + 1] */
    uint32_t *open;        /* of documents: gates below them that are not done */
    uint32_t *shut;        /* of classes: documents in them that are not done, for the gate above */
    uint64_t **gate;       /* of classes: what the gate above them leads to; NULL: nothing yet */
    uint64_t **spare;      /* rows that gates no longer use */
    size_t spares;
    uint32_t *ready;       /* documents that can be done */
    size_t ready_count;
} closing;

static int by_subgroup(const void *a, const void *b)
{
    const iv_opinion *x = a, *y = b;

    if (x->subgroup != y->subgroup)
        return x->subgroup < y->subgroup ? -1 : 1;
    return (x->level < y->level) - (x->level > y->level);
}

/* Is there a class above it in its subgroup? */
static bool has_above(const closing *c, size_t class)
{
    return class > 0
        && c->claim[c->first[class]].subgroup == c->claim[c->first[class - 1]].subgroup;
}

static void find_classes(closing *c)
{
    size_t classes = 0;

    for (size_t i = 0; i < c->count; i++) {
        if (i == 0 || by_subgroup(&c->claim[i - 1], &c->claim[i]) != 0)
            c->first[classes++] = i;
        c->class[i] = (uint32_t)(classes - 1);
        c->shut[classes - 1]++;
        c->doc_first[c->claim[i].doc + 2]++;
    }
    c->first[classes] = c->count;
    for (size_t k = 1; k < classes; k++)
        for (size_t i = c->first[k - 1]; has_above(c, k) && i < c->first[k]; i++)
            c->open[c->claim[i].doc]++;
    for (size_t d = 0; d < c->g->n; d++)
        c->doc_first[d + 2] += c->doc_first[d + 1];
    for (size_t i = 0; i < c->count; i++)
        c->of_doc[c->doc_first[c->claim[i].doc + 1]++] = (uint32_t)i;
}

static bool make_room(closing *c, iv_arena *arena)
{
    iv_preferrer *g = c->g;

    g->words = (g->n + 63) / 64;
    g->over = iv_take(arena, g->n * g->words + 1, sizeof *g->over);
    c->class = iv_take(arena, c->count + 1, sizeof *c->class);
    c->first = iv_take(arena, c->count + 1, sizeof *c->first);
    c->of_doc = iv_take(arena, c->count + 1, sizeof *c->of_doc);
    c->doc_first = iv_take(arena, g->n + 2, sizeof *c->doc_first);
    c->open = iv_take(arena, g->n + 1, sizeof *c->open);
    c->shut = iv_take(arena, c->count + 1, sizeof *c->shut);
    c->gate = iv_take(arena, c->count + 1, sizeof *c->gate);
    c->spare = iv_take(arena, c->count + 1, sizeof *c->spare);
    c->ready = iv_take(arena, g->n + 1, sizeof *c->ready);
    return !arena->failed;
}

static void add(uint64_t *to, const uint64_t *row, size_t words)
{
    for (size_t w = 0; w < words; w++)
        to[w] |= row[w];
}

/* All of the class is done: those above it are over what its gate leads to. */
static void pass_gate(closing *c, size_t class)
{
    iv_preferrer *g = c->g;

    for (size_t i = c->first[class - 1]; i < c->first[class]; i++) {
        const uint32_t d = c->claim[i].doc;
        add(g->over + d * g->words, c->gate[class], g->words);
        if (--c->open[d] == 0)
            c->ready[c->ready_count++] = d;
    }
    c->spare[c->spares++] = c->gate[class];
}

/* The document is done: gates above its classes lead to it and to what it is over. */
static bool finish(closing *c, size_t d, iv_arena *arena)
{
    const size_t words = c->g->words;

    for (size_t k = c->doc_first[d]; k < c->doc_first[d + 1]; k++) {
        const size_t class = c->class[c->of_doc[k]];
        if (!has_above(c, class))
            continue;
        if (c->gate[class] == NULL) {
            uint64_t *row = c->spares > 0 ? c->spare[--c->spares]
                                          : iv_arena_alloc(arena, words * sizeof *row);
            if (row == NULL)
                return false;
            for (size_t w = 0; w < words; w++)
                row[w] = 0;
            c->gate[class] = row;
        }
        add(c->gate[class], c->g->over + d * words, words);
        c->gate[class][d / 64] |= (uint64_t)1 << d % 64;
        if (--c->shut[class] == 0)
            pass_gate(c, class);
    }
    return true;
}

int iv_prefs_close(iv_preferrer *g, size_t *circle, iv_opinion *claim, size_t count,
                   iv_arena *arena, const iv_work *work, iv_err *err)
{
    closing c = { .g = g, .claim = claim, .count = count };
    size_t done = 0;

    qsort(claim, count, sizeof *claim, by_subgroup);
    if (!make_room(&c, arena))
        return iv_no_memory(err);
    find_classes(&c);
    for (size_t d = 0; d < g->n; d++)
        if (c.open[d] == 0)
            c.ready[c.ready_count++] = (uint32_t)d;
    for (; done < c.ready_count; done++) {
        IV_TRY(iv_check_work(work, 0.0, err));
        if (!finish(&c, c.ready[done], arena))
            return iv_no_memory(err);
    }
    *circle = SIZE_MAX;
    for (size_t d = 0; d < g->n && done < g->n && *circle == SIZE_MAX; d++)
        if (c.open[d] > 0) /* those left stand above each other in a ring, or above one */
            *circle = d;
    return IV_OK;
}
