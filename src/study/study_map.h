/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Error of intervals on a mean over topics (Park 2011): all topics of a system are its
 * population; n of them are drawn without replacement, the interval is made, and it is
 * counted how often it misses the population's mean.
 */
#ifndef IV_STUDY_STUDY_MAP_H
#define IV_STUDY_STUDY_MAP_H

#include "base/memory.h"
#include "intervale/stat.h"

typedef struct iv_map_options {
    const iv_interval_method *methods;
    size_t method_count;
    iv_integers n;    /* sizes of samples, each from 2 to the topics */
    iv_reals alpha;   /* 1 - confidence, each in (0, 1) */
    size_t samples;   /* of each size from each system */
    size_t resamples; /* of each sample */
} iv_map_options;

/* One method at one size and one level, over all systems and samples. */
typedef struct iv_map_cell {
    iv_interval_method method;
    size_t n;
    double alpha;
    double error, error_se; /* proportion of intervals that miss the mean */
    double below, above;    /* of those, truths below and above the interval */
    double width, bias;
    size_t intervals, without; /* without: all values of the sample are 0, or all are 1 */
} iv_map_cell;

/*
 * Methods x n x alpha cells, in that order, in the arena.  IV_ENODATA for scores outside
 * [0, 1] with logit, and for too few topics.  Time samples x resamples x systems x n.
 */
IV_MUST_CHECK int iv_map_cells(iv_map_cell **out, iv_arena *own, const iv_score_grid *scores,
                               const iv_map_options *o, const iv_work *work, iv_err *err);

#endif /* IV_STUDY_STUDY_MAP_H */
