/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do intervals on mean average precision hold?  Park's experiment (2011): from
 * a matrix of scores, systems x topics, take all topics for the population of
 * a system; draw n of them without replacement, make the interval, look
 * whether it holds the population's mean; repeat.  Each system has samples and
 * resamples of its own.
 */
#ifndef INTERVALE_STUDY_MAP_H
#define INTERVALE_STUDY_MAP_H

#include "intervale/stat/interval.h"
#include "intervale/trec.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IV_MAP_STUDY_LEVELS = 64 }; /* values of alpha at most */

typedef struct iv_map_study_options {
    const iv_interval_method *methods;
    size_t method_count;
    const size_t *n;     /* sizes of samples, each from 2 to the topics */
    size_t n_count;
    const double *alpha; /* 1 - confidence, each in (0, 1) */
    size_t alpha_count;
    size_t samples;      /* of each size from each system */
    size_t resamples;    /* of each sample */
    uint64_t seed;
    int threads;         /* 0: all */
    iv_progress progress;
} iv_map_study_options;

/* One method at one size and one level, over all systems and samples. */
typedef struct iv_map_study_cell {
    iv_interval_method method;
    size_t n;
    double alpha;
    double error;    /* share of intervals that do not hold the mean */
    double error_se; /* of that share, from the number of samples */
    double below, above; /* of those the intervals below, above the mean */
    double width;    /* mean of upper - lower */
    double bias;     /* mean of sample mean - mean, over systems and samples */
    size_t intervals;
    size_t gaps;     /* samples that gave none: all values 0, or all 1 */
} iv_map_study_cell;

/*
 * Fills method_count x n_count x alpha_count cells, in that order.  IV_ENODATA
 * when a score is missing, IV_EARG for options outside their domain, or for
 * logit and a score outside [0, 1].  Time samples x resamples x systems x n.
 */
IV_MUST_CHECK int iv_map_study(iv_map_study_cell *out, const iv_matrix *scores,
                                      const iv_map_study_options *options, iv_err *err);

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_STUDY_MAP_H */
