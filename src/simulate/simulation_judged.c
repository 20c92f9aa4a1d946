/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/simulation.h"
#include "num/num_private.h"

#include <string.h>

void iv_judged_take(iv_arena *own, iv_simulated_topic *t)
{
    const size_t n = t->simulation->options.documents;

    t->marks = iv_take(own, n, sizeof *t->marks);
    t->best = iv_take(own, n, sizeof *t->best);
    t->at_rank = iv_take(own, n + 2, sizeof *t->at_rank);
}

/* The best rank of each document over all runs, 0 where none returns it. */
static void find_best(iv_simulated_topic *t)
{
    const iv_simulation_options *o = &t->simulation->options;

    memset(t->best, 0, o->documents * sizeof *t->best);
    for (uint32_t r = 0; r < o->runs; r++) {
        iv_simulated_rank_units(t, r);
        for (uint32_t i = 0; i < o->depth; i++) {
            uint32_t *best = &t->best[t->documents[i]];
            if (*best == 0 || i + 1 < *best)
                *best = i + 1;
        }
    }
}

static void mark_pool(iv_simulated_topic *t, uint32_t count)
{
    const iv_simulation_options *o = &t->simulation->options;
    uint32_t whole = 0, left = count;

    find_best(t);
    memset(t->at_rank, 0, (o->depth + 2) * sizeof *t->at_rank);
    for (uint32_t d = 0; d < o->documents; d++)
        t->at_rank[t->best[d]]++;
    while (whole < o->depth && t->at_rank[whole + 1] <= left)
        left -= t->at_rank[++whole];
    /* Ranks to `whole` are judged altogether, of the next `left` documents. */
    for (uint32_t d = 0; d < o->documents; d++) {
        t->marks[d] = t->best[d] > 0 && t->best[d] <= whole;
        if (t->best[d] == whole + 1 && left > 0) {
            t->marks[d] = true;
            left--;
        }
    }
}

void iv_judged_mark(iv_simulated_topic *t, iv_judging judging, uint32_t count)
{
    const uint32_t n = t->simulation->options.documents;

    if (judging == IV_JUDGE_POOL) {
        mark_pool(t, count);
        return;
    }
    iv_stream s = iv_simulation_stream(t->simulation, IV_DRAW_JUDGED, t->topic, 0);
    memset(t->marks, 0, n * sizeof *t->marks);
    (void)iv_draw_subset(&s, t->picks, count, n);
    for (uint32_t i = 0; i < count; i++)
        t->marks[t->picks[i]] = true;
}
