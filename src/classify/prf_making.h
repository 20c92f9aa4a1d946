/* SPDX-License-Identifier: Apache-2.0 */
/* An evaluation of counts or labels while it is made. */
#ifndef IV_CLASSIFY_PRF_MAKING_H
#define IV_CLASSIFY_PRF_MAKING_H

#include "base/ids.h"
#include "base/memory.h"
#include "intervale/classify.h"
#include "stat/prf/prf_counts.h"

/* The least coverage among what is shown, over truths, where it is known; 1 if guaranteed. */
double iv_prf_least(const iv_prf_evaluation *e);

/* An evaluation of counts or labels while it is made. */

/* What an estimate's posterior is made of. */
typedef struct iv_prf_exact {
    iv_prf_cells cells;
    iv_prf_metric metric;
    iv_prf_counts counts; /* that the metric is binomial in; tp < 0: none */
} iv_prf_exact;

typedef struct iv_prf_making {
    iv_prf_evaluation out; /* first: the caller holds its address */
    iv_arena texts; /* and draws */
    iv_ids names; /* of the systems */
    iv_prf_exact *exact; /* of each estimate */
    iv_words notes;
    size_t system_room, estimate_room, exact_room, pair_room, best_room, alone_room, input_room;
    iv_posterior *posteriors; /* of the estimates that are not drawn or jackknifed */
    /* How to make it. */
    iv_work one;            /* thread, with the seed that was given */
    iv_texts wanted;        /* metrics; none: all */
    iv_prf_metric *metrics;
    size_t metric_count, averaged; /* the first of them, which do without TN, have averages */
    iv_labels *owned;   /* read from a file */
    iv_prf_items items; /* of labels; items.items 0: counts */
} iv_prf_making;

const char *iv_prf_keep_name(iv_prf_making *k, iv_prf_metric m, const char *what);

/* Is the metric among those that are named, if any are?  f1 names f1[...] too, except of
 * binary labels, where it is that of the positive class. */
bool iv_prf_wanted(const iv_prf_making *k, const char *metric);

/* Reads all input. */
IV_MUST_CHECK int iv_prf_read(iv_prf_making *k, const iv_prf_input *in, bool paired,
                              const iv_work *work, iv_err *err);

/* Pairs and P(best): on different items, on the same, and of counts of the same. */
IV_MUST_CHECK int iv_prf_make_different(iv_prf_making *k, const iv_work *work, iv_err *err);
IV_MUST_CHECK int iv_prf_make_same(iv_prf_making *k, const iv_work *work, iv_err *err);
IV_MUST_CHECK int iv_prf_make_alone(iv_prf_making *k, iv_err *err);

#endif
