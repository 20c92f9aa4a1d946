/* SPDX-License-Identifier: Apache-2.0 */
/* Which documents of a topic are judged, where not all of them are. */
#ifndef IV_SIMULATE_SIMULATION_JUDGED_H
#define IV_SIMULATE_SIMULATION_JUDGED_H

#include "simulate/simulation.h"

/* The marks, and memory to find them; {0} is an empty one. */
typedef struct iv_judged {
    bool *marks;        /* by document */
    uint32_t *best;     /* rank that some run gives a document, from 1 */
    uint32_t *at_rank;  /* how many documents have this best rank */
    size_t *picks;
} iv_judged;

/* Memory for topics of s. */
iv_judged iv_judged_take(iv_arena *own, const iv_simulation *s);

/*
 * Marks `count` documents of t: by lot, or those that some run ranks highest
 * (of the last rank that counts only the first ones in order of docno; fewer
 * where the runs return fewer).  Leaves another ranking in t.
 */
void iv_judged_mark(iv_judged *j, iv_simulated_topic *t, iv_judging judging,
                    uint32_t count);

#endif /* IV_SIMULATE_SIMULATION_JUDGED_H */
