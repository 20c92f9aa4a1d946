/* SPDX-License-Identifier: Apache-2.0 */
/* Are probabilities calibrated?  Bins with their limits, ECE's interval, slope and intercept. */
#ifndef IV_STAT_SCORED_CALIBRATION_H
#define IV_STAT_SCORED_CALIBRATION_H

#include "base/memory.h"
#include "stat/scored/scored.h"

/* Items whose probabilities are in a bin; limits of the proportion of positives are Jeffreys'. */
typedef struct iv_reliability_bin {
    double from, to, mean; /* mean: of the probabilities */
    double share, lower, upper;
    size_t items, positives;
} iv_reliability_bin;

typedef struct iv_reliability {
    iv_reliability_bin *bins; /* those with items */
    size_t bin_count;
    /* ECE.  Lower: Scheffe's, for all differences of bins at once; upper: the signs that these
     * truly have are one choice, so it needs no correction. */
    iv_interval ece;
    double calibrated;        /* what ECE would be on average with these probabilities, if true */
    /* Cox's logistic regression of the label on logit(p), without `certain` items, whose p is 0 or
     * 1; no value: it has no solution. */
    iv_interval intercept, slope;
    size_t certain;
    /* Brier score = reliability - resolution + uncertainty + within (Murphy 1973; Stephenson et al.
     * 2008). */
    double reliability, resolution, uncertainty, within;
} iv_reliability;

/* Probabilities in [0, 1]; bins of equal width, closed on the right; 0: 10. */
IV_MUST_CHECK int iv_reliability_of(iv_reliability *out, const iv_scored_items *items, size_t bins,
                                    double confidence, iv_arena *own, iv_err *err);

#endif
