/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/simulation_judged.h"

#include <stdlib.h>
#include <string.h>

bool iv_judged_start(iv_judged *j, const iv_simulation *s)
{
    const size_t n = s->options.documents;

    j->marks = calloc(n, sizeof *j->marks);
    j->best = calloc(n, sizeof *j->best);
    j->at_rank = calloc(n + 2, sizeof *j->at_rank);
    j->picks = malloc(n * sizeof *j->picks);
    return j->marks != NULL && j->best != NULL && j->at_rank != NULL && j->picks != NULL;
}

void iv_judged_free(iv_judged *j)
{
    free(j->marks);
    free(j->best);
    free(j->at_rank);
    free(j->picks);
    *j = (iv_judged){ NULL, NULL, NULL, NULL };
}

/* The best rank of each document over all runs, 0 where none returns it. */
static void find_best(iv_judged *j, iv_simulated_topic *t)
{
    const iv_simulation_options *o = &t->simulation->options;

    memset(j->best, 0, o->documents * sizeof *j->best);
    for (uint32_t r = 0; r < o->runs; r++) {
        iv_simulated_rank_units(t, r);
        for (uint32_t i = 0; i < o->depth; i++) {
            uint32_t *best = &j->best[t->documents[i]];
            if (*best == 0 || i + 1 < *best)
                *best = i + 1;
        }
    }
}

static void mark_pool(iv_judged *j, iv_simulated_topic *t, uint32_t count)
{
    const iv_simulation_options *o = &t->simulation->options;
    uint32_t whole = 0, left = count;

    find_best(j, t);
    memset(j->at_rank, 0, (o->depth + 2) * sizeof *j->at_rank);
    for (uint32_t d = 0; d < o->documents; d++)
        j->at_rank[j->best[d]]++;
    while (whole < o->depth && j->at_rank[whole + 1] <= left)
        left -= j->at_rank[++whole];
    /* Ranks to `whole` are judged altogether, of the next `left` documents. */
    for (uint32_t d = 0; d < o->documents; d++) {
        j->marks[d] = j->best[d] > 0 && j->best[d] <= whole;
        if (j->best[d] == whole + 1 && left > 0) {
            j->marks[d] = true;
            left--;
        }
    }
}

void iv_judged_mark(iv_judged *j, iv_simulated_topic *t, iv_judging judging,
                    uint32_t count)
{
    const uint32_t n = t->simulation->options.documents;

    if (judging == IV_JUDGE_POOL) {
        mark_pool(j, t, count);
        return;
    }
    iv_stream s = iv_simulation_stream(t->simulation, IV_DRAW_JUDGED, t->topic, 0);
    memset(j->marks, 0, n * sizeof *j->marks);
    (void)iv_draw_subset(&s, j->picks, count, n);
    for (uint32_t i = 0; i < count; i++)
        j->marks[j->picks[i]] = true;
}
