/* SPDX-License-Identifier: Apache-2.0 */
/* Stopping rules of ranked reviews. */
#ifndef IV_STAT_SEQUENTIAL_STOPPING_H
#define IV_STAT_SEQUENTIAL_STOPPING_H

#include "intervale/stat/recall_intervals.h"

/* A check of data refuses below this: 1 of 1,000 data sets with nothing wrong. */
#define IV_CHECK_P 0.001

/* The p-value of `count` of n documents in order being a random part of them, from the sum of their
 * ranks (Wilcoxon's test). */
double iv_rank_sum_p(double sum, double count, double n);

/*
 * How many of `known` relevant documents, drawn at random before a ranked review, it must have
 * met for recall of `target` with the confidence (QBCB); 0: no number is enough.  Exact,
 * however often one looks, if the draw does not steer the ranking.
 */
int64_t iv_qbcb_needed(int64_t known, double target, double confidence);

/*
 * The p-value of "recall is below target" after a review found `found` relevant documents and
 * then judged a random sample of what was left (the hypergeometric rule); stop when it is below
 * the level.  Exact for one look; approximate when watched.  NaN for bad data.
 */
double iv_stop_p(int64_t found, iv_stratum left, double target);

#endif
