/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mean of scores whose items hang together: items of a cluster (questions of one
 * document), sets of a suite, weights, and repeats that all items share.
 *
 * What varies is a unit: a cluster, else an item; or a set, when sets are a sample.  The
 * mean is sum(w x) / sum(w) in each set, and the mean of these over sets.  Its variance is
 * that of the units' residual sums, cluster by cluster (Liang and Zeger 1986; Miller 2024),
 * each enlarged by 1 / (1 - the unit's proportion) (Bell and McCaffrey's CR2), with
 * Satterthwaite's degrees of freedom under the intra-cluster correlation seen.  Without
 * any structure these are s^2 / n and n - 1.  doc/methods/clusters.md.
 */
#ifndef INTERVALE_STAT_STRUCTURED_MEANS_H
#define INTERVALE_STAT_STRUCTURED_MEANS_H

#include "intervale/stat/mean_intervals.h"

IV_BEGIN_C

/* How items hang together; {0}: they do not. */
typedef struct iv_structure {
    const uint32_t *cluster; /* by item, below clusters; NULL: each by itself */
    size_t clusters;
    const uint32_t *suite; /* by item, below suites; NULL: one set */
    size_t suites;
    const double *suite_weight; /* by set; NULL: all alike */
    bool sampled;               /* the sets are a sample of sets, not all there are */
    const double *weight;       /* by item; NULL: all alike */
    /* By system: the variance of its mean that its repeats contribute to all items together,
     * and how many degrees of freedom that is known with; NULL: none. */
    const double *repeat_variance, *repeat_df;
} iv_structure;

typedef struct iv_structured {
    size_t items, units; /* that have a score */
    double mean;
    double se;           /* as the interval has it; NaN: a set has one unit only */
    double df;           /* of that */
    double se_clustered; /* without the correction for few: Miller's clustered error */
    double se_apart;     /* as if items of a set were independent */
    double icc;          /* correlation within clusters, not below 0; NaN: nothing to see it in */
    double largest;      /* proportion of the largest unit in its set */
    double worth;        /* units of one set and weight that vary would be as sure */
    double least;        /* the lowest score */
    double square;       /* mean of squares of scores that are all -1, 0 or 1; else NaN */
    double skewness;     /* of what units add to the mean; NaN: fewer than three, or all equal */
} iv_structured;

/* With fewer degrees of freedom t with CR2 variances is unreliable (Tipton 2015). */
enum { IV_FEW_DEGREES = 4 };

/*
 * The mean of x[0 ... items - 1], NaN where there is none, of system number `system` of the
 * structure's repeats.  A set without a score is left out.  IV_ENODATA when there is no score;
 * IV_EARG for an infinite one, for a weight that is not above 0, for a cluster in two sets.  Linear
 * time.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_structured_mean(iv_structured *out, const double *x,
                                                            size_t items,
                                            const iv_structure *s, size_t system, iv_err *err);

/*
 * The interval of that mean: Wilson's, with the effective number of items, where all scores are 0
 * or 1, logit-t where the scores of all systems lie in [0, 1] (`unit`), else t; AUTO is
 * that, and methods that do not work for clusters are IV_EARG.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_structured_interval(iv_mean_interval *out,
                                                                const iv_structured *m,
                                                bool unit, iv_interval_method method,
                                                double confidence, iv_err *err);

/*
 * For iv_structure: the variance that repeats contribute to the mean of all items together, beside
 * what differs from item to item, and its degrees of freedom, from x[item * repeats + r], NaN where
 * there is none; `s`: what else the items have, or NULL.  0 with 0 degrees of freedom where it
 * cannot be estimated, because no two items with several repeats share one.
 */
IV_API IV_EXPERIMENTAL IV_MUST_CHECK int iv_repeat_variance(double *variance, double *df,
                                                            const double *x, size_t items,
                                            size_t repeats, const iv_structure *s, iv_err *err);

IV_END_C

#endif
