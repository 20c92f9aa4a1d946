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

#include "base/memory.h"
#include "intervale/stat/interval.h"
#include "intervale/answer/score_input.h"
#include "intervale/trec.h"

enum { IV_MAP_STUDY_LEVELS = 64 }; /* values of alpha at most */

/* {0}: Park's tables. */
typedef struct iv_map_study_options {
    const iv_interval_method *methods; /* NULL: percentile, bca and logit */
    size_t method_count;
    iv_integers n;    /* sizes of samples, each from 2 to the topics; none: 5, 10, 20 */
    iv_reals alpha;   /* 1 - confidence, each in (0, 1); none: .05, .10, ... .50 */
    size_t samples;   /* of each size from each system; 0: 1,000 */
    size_t resamples; /* of each sample; 0: 1,000 */
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
 * Methods x n x alpha cells, in that order, in the arena.  IV_ENODATA
 * when a score is missing, or outside [0, 1] for logit, or topics are too few; IV_EARG
 * for options outside their domain.  Time samples x resamples x systems x n.
 */
IV_MUST_CHECK int iv_map_study(iv_map_study_cell **out, size_t *count, iv_arena *own,
                               const iv_matrix *scores, const iv_map_study_options *options,
                               const iv_work *work, iv_err *err);

typedef struct iv_study_map_question {
    const char *matrix;  /* a file of scores ... */
    iv_score_input scores; /* ... or scores of any kind: one must be given */
    iv_matrix_rows by;
    const char *methods; /* names, separated by commas; instead of how.methods */
    iv_map_study_options how;
} iv_study_map_question;

/* The answer: table errors. */
IV_MUST_CHECK int iv_study_answer_map(iv_result *out, const iv_study_map_question *q,
                                      const iv_work *work, iv_err *err);

#endif /* INTERVALE_STUDY_MAP_H */
