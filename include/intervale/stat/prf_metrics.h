/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Precision, recall, F and related metrics: what they are made of.  classify.h
 * evaluates systems; doc/methods/prf.md has the formulas.
 */
#ifndef INTERVALE_STAT_PRF_METRICS_H
#define INTERVALE_STAT_PRF_METRICS_H

#include "intervale/base.h"

IV_BEGIN_C

#define IV_PRF_COUNT_MAX INT64_C(1000000000000)

/* True and false positives, false and true negatives; tn < 0: not known. */
typedef struct iv_prf_counts {
    int64_t tp, fp, fn, tn;
} iv_prf_counts;

/*
 * Added to TP and TN (right), to FP and FN (wrong); in (0, 1e6].  right 0: 1/2,
 * Jeffreys' prior; wrong 0: as right.
 */
typedef struct iv_prf_prior {
    double right, wrong;
} iv_prf_prior;

typedef enum iv_prf_kind {
    IV_PRF_PRECISION,
    IV_PRF_RECALL,
    IV_PRF_F, /* with beta, from 0.01 to 100 */
    IV_PRF_SPECIFICITY,       /* this one and those that follow need TN */
    IV_PRF_ACCURACY,
    IV_PRF_BALANCED_ACCURACY, /* the mean of recall and specificity */
    IV_PRF_MCC,               /* Matthews' correlation, from -1 to 1 */
    IV_PRF_UTILITY            /* mean worth of an item */
} iv_prf_kind;

typedef struct iv_prf_metric {
    iv_prf_kind kind;
    double beta; /* of IV_PRF_F */
    double worth[4]; /* of IV_PRF_UTILITY: of a TP, FP, FN and TN */
} iv_prf_metric;

/* An average over categories of a metric that each of them has. */
typedef enum iv_prf_average {
    IV_PRF_ONE,     /* no average: one category */
    IV_PRF_MICRO,   /* of the pooled counts */
    IV_PRF_MACRO,   /* the plain mean of the categories */
    IV_PRF_WEIGHTED /* their mean by how many items gold has of each; of labels */
} iv_prf_average;

/* Draws of what has no closed form: as many as in the paper, at least, at most. */
enum { IV_PRF_DRAWS = 10000, IV_PRF_DRAWS_MIN = 1000, IV_PRF_DRAWS_MAX = 100000000 };

/* A posterior distribution on (0, 1). */
typedef struct iv_posterior iv_posterior;

IV_END_C

#endif
