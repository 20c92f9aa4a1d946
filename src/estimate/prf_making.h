/* SPDX-License-Identifier: Apache-2.0 */
/* An evaluation of counts or labels while it is made. */
#ifndef IV_ESTIMATE_PRF_MAKING_H
#define IV_ESTIMATE_PRF_MAKING_H

#include "base/ids.h"
#include "base/memory.h"
#include "intervale/estimate.h"
#include "stat/prf/prf_state.h"

/* What an estimate's posterior is made of. */
typedef struct iv_prf_exact {
    iv_prf_cells cells;
    iv_prf_metric metric;
    iv_prf_counts counts; /* that the metric is binomial in; tp < 0: none */
} iv_prf_exact;

typedef struct iv_prf_making {
    iv_prf_evaluation out; /* first: the caller holds its address */
    iv_arena texts; /* and draws */
    /* What `out` shows, as it grows. */
    iv_prf_system *systems;
    iv_ids names; /* of the systems */
    iv_prf_estimate *estimates;
    iv_prf_exact *exact; /* of each estimate */
    iv_prf_pair *pairs;
    iv_prf_pair *best;
    iv_prf_pair *alone;
    iv_input *inputs;
    const char **notes;
    size_t system_room, estimate_room, exact_room, pair_room, best_room, alone_room, input_room,
        note_room;
    iv_posterior **posteriors; /* of the estimates; NULL where drawn or jackknifed */
    size_t posterior_count;
    /* How to make it. */
    iv_texts wanted;        /* metrics; none: all */
    iv_prf_metric *metrics;
    size_t metric_count, averaged; /* the first of them, which do without TN, have averages */
    int64_t *confusion; /* of out */
    iv_labels *owned;   /* read from a file */
    iv_prf_items items; /* of labels; items.items 0: counts */
} iv_prf_making;

const char *iv_prf_keep_name(iv_prf_making *k, iv_prf_metric m, const char *what);

/* Is the metric among those that are named, if any are?  f1 names f1[...] too. */
bool iv_prf_wanted(const iv_texts *metrics, const char *metric);

/* Reads all input. */
IV_MUST_CHECK int iv_prf_read(iv_prf_making *k, const iv_prf_input *in, bool paired,
                              const iv_work *work, iv_err *err);

/* Pairs and P(best): on different items, on the same, and of counts of the same. */
IV_MUST_CHECK int iv_prf_make_different(iv_prf_making *k, const iv_work *work, iv_err *err);
IV_MUST_CHECK int iv_prf_make_same(iv_prf_making *k, const iv_work *work, iv_err *err);
IV_MUST_CHECK int iv_prf_make_alone(iv_prf_making *k, iv_err *err);

#endif /* IV_ESTIMATE_PRF_MAKING_H */
