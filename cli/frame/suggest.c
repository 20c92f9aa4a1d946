/* SPDX-License-Identifier: Apache-2.0 */
#include "frame/suggest.h"

#include <stdio.h>
#include <string.h>

static int folded(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/*
 * Edits that turn a into b: insert, delete, replace, swap two neighbours.
 * Three rows of the usual table suffice, since a swap looks two rows back.
 */
static size_t edit_distance(const char *a, size_t m, const char *b, size_t n)
{
    size_t rows[3][SUGGEST_LONGEST + 1];

    for (size_t j = 0; j <= n; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i - 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            const size_t differ = folded(a[i - 1]) != folded(b[j - 1]);
            row[j] = smaller(above[j] + 1, row[j - 1] + 1);
            row[j] = smaller(row[j], above[j - 1] + differ);
            if (i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2])
                && folded(a[i - 2]) == folded(b[j - 1]))
                row[j] = smaller(row[j], rows[(i - 2) % 3][j - 2] + 1);
        }
    }
    return rows[m % 3][n];
}

suggest suggest_for(const char *word)
{
    /* A third of the letters may be wrong; beyond that it is another word. */
    const size_t allowed = 1 + strlen(word) / 3;

    return (suggest){ .word = word, .distance = smaller(allowed, 4) };
}

void suggest_offer(suggest *s, const char *name)
{
    const size_t m = strlen(s->word);
    const size_t n = strlen(name);
    size_t distance;

    if (m == 0 || m > SUGGEST_LONGEST || n > SUGGEST_LONGEST)
        return;
    /* The beginning of a name is as good as a name with one slip. */
    if (m >= 2 && n > m && strncmp(s->word, name, m) == 0)
        distance = 1;
    else
        distance = edit_distance(s->word, m, name, n);
    if (distance >= n || distance > s->distance)
        return;
    if (distance < s->distance) {
        s->distance = distance;
        s->count = 0;
    }
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->names[i], name) == 0)
            return;
    if (s->count < SUGGEST_SHOWN)
        memcpy(s->names[s->count++], name, n + 1);
}

const char *suggest_text(char out[SUGGEST_SIZE], const suggest *s, const char *prefix)
{
    size_t at = 0;

    out[0] = '\0';
    for (size_t i = 0; i < s->count; i++) {
        const char *join = i == 0 ? "; did you mean " : i + 1 < s->count ? ", " : " or ";
        const int n = snprintf(out + at, SUGGEST_SIZE - at, "%s'%s%s'%s", join, prefix,
                               s->names[i], i + 1 < s->count ? "" : "?");
        if (n < 0 || (size_t)n >= SUGGEST_SIZE - at)
            break;
        at += (size_t)n;
    }
    return out;
}
