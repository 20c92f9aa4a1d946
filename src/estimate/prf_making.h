/* SPDX-License-Identifier: Apache-2.0 */
/* An evaluation of counts or labels while it is made. */
#ifndef IV_ESTIMATE_PRF_MAKING_H
#define IV_ESTIMATE_PRF_MAKING_H

#include "base/ids.h"
#include "base/memory.h"
#include "intervale/estimate/prf_evaluation.h"

typedef struct iv_prf_making {
    iv_prf_evaluation out; /* first: the caller holds its address */
    iv_arena texts;
    /* What `out` shows, as it grows. */
    iv_prf_system *systems;
    iv_ids names; /* of the systems */
    iv_prf_estimate *estimates;
    iv_prf_pair *pairs;
    iv_prf_best *best;
    iv_prf_alone *alone;
    iv_input *inputs;
    const char **notes;
    size_t system_room, estimate_room, pair_room, best_room, alone_room, input_room, note_room;
    iv_posterior **posteriors; /* of the estimates; NULL where drawn */
    size_t posterior_count;
    double **blocks; /* of draws */
    size_t block_count, block_room;
    /* How to make it. */
    iv_prf_counts *earlier; /* a system each, tp < 0: none; or NULL */
    iv_prf_metric *metrics;
    size_t metric_count, averaged; /* the first of them, which do without TN, have averages */
    bool briefly;                  /* no others of categories */
    int64_t *confusion; /* of out */
    iv_labels *owned;   /* read from a file */
    iv_prf_items items; /* of labels; items.items 0: counts */
} iv_prf_making;

/* Copies that live as long as the evaluation, "f1" or "f1[what]", and room for
 * draws; NULL when memory is out. */
const char *iv_prf_keep(iv_prf_making *k, iv_str s);
const char *iv_prf_keep_name(iv_prf_making *k, iv_prf_metric m, const char *what);
double *iv_prf_block(iv_prf_making *k, size_t count);

/* Reads all input; prf_read.c. */
IV_MUST_CHECK int iv_prf_read(iv_prf_making *k, const iv_prf_input *in,
                              const iv_work *work, iv_err *err);

/* Adds the counts of a category (NULL: none) to a system, new or not; a note; a
 * file that was read. */
IV_MUST_CHECK int iv_prf_add(iv_prf_making *k, const char *system, const char *category,
                             const iv_prf_counts *counts, iv_err *err);
IV_MUST_CHECK int iv_prf_add_note(iv_prf_making *k, const char *text, iv_err *err);
IV_MUST_CHECK int iv_prf_add_input(iv_prf_making *k, const char *path, uint64_t bytes,
                                   iv_err *err);

/* The counts of a file, prf_counts_file.c; count number `which` of TP, FP, FN, TN,
 * or the reason why it is none. */
IV_MUST_CHECK int iv_prf_read_file(iv_prf_making *k, const char *path,
                                   const iv_work *work, iv_err *err);
bool iv_prf_scan_count(int64_t *out, iv_str s, size_t which, char *why, size_t size);

/* Every metric of every system; prf_estimates.c. */
IV_MUST_CHECK int iv_prf_make_estimates(iv_prf_making *k, const iv_work *work, iv_err *err);

/* Pairs and P(best): on different items, prf_different.c, and on the same,
 * prf_same.c. */
IV_MUST_CHECK int iv_prf_make_different(iv_prf_making *k, const iv_work *work, iv_err *err);
IV_MUST_CHECK int iv_prf_make_same(iv_prf_making *k, const iv_work *work, iv_err *err);

/* A new pair of two systems, with its names. */
IV_MUST_CHECK int iv_prf_add_pair(iv_prf_making *k, size_t a, size_t b, const char *metric,
                                  iv_err *err);

/* A posterior probability, which is not 0 or 1 though rounding (draws 0) or all draws say so. */
double iv_prf_unsure(double p, size_t draws);

/* Fills a pair from draws of a and of b. */
IV_MUST_CHECK int iv_prf_pair_from_draws(iv_prf_pair *out, const iv_prf_making *k,
                                         const double *a, const double *b, iv_err *err);

/* Where the means of both are known, so is that of the difference, without draws. */
void iv_prf_know_mean(iv_prf_pair *p, const iv_prf_estimate *a, const iv_prf_estimate *b);

/* Fills P(best) of each system from its draws; adds it for a metric. */
void iv_prf_best_from_draws(double *out, const double *const *draws, size_t systems,
                            size_t count);
IV_MUST_CHECK int iv_prf_add_best(iv_prf_making *k, const char *metric,
                                  const double *probability, bool drawn, iv_err *err);

#endif /* IV_ESTIMATE_PRF_MAKING_H */
