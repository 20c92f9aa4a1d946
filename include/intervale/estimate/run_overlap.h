/* SPDX-License-Identifier: Apache-2.0 */
/* How alike are two runs on a topic, without judgments? */
#ifndef INTERVALE_ESTIMATE_RUN_OVERLAP_H
#define INTERVALE_ESTIMATE_RUN_OVERLAP_H

#include "intervale/stat/rank.h"
#include "intervale/trec.h"

IV_BEGIN_C

typedef struct iv_overlap_options {
    double persistence; /* of rank-biased overlap, in (0, 1); 0: .9 */
    iv_rbo_ties ties;   /* documents of one score */
    size_t top;         /* how many documents are "the first"; 0: 10 */
    size_t depth;       /* documents of a topic to look at; 0: all */
} iv_overlap_options;

typedef struct iv_overlapping {
    iv_interval rbo;
    double overlap, jaccard; /* of the first documents: those of both, over how many the
                                longer list has, and over how many there are in all */
    double tau, tau_ap;      /* tau-b and iv_tau_ap_b() on the union; documents that a run
                                lacks are tied behind all it has; NaN: none */
    size_t both, only_a, only_b; /* among the first documents */
    size_t moved;                /* of all of these, at another rank or in one run only */
} iv_overlapping;

IV_END_C

#endif /* INTERVALE_ESTIMATE_RUN_OVERLAP_H */
