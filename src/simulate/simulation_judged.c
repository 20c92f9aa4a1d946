/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/simulation.h"
#include "num/num_private.h"

#include <string.h>

iv_judged iv_judged_take(iv_arena *own, const iv_simulation *s)
{
    const size_t n = s->options.documents;

    return (iv_judged){ iv_take(own, n, sizeof(bool)), iv_take(own, n, sizeof(uint32_t)),
                        iv_take(own, n + 2, sizeof(uint32_t)), iv_take(own, n, sizeof(size_t)) };
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
