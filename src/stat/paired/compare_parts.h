/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison at work: what its steps share. */
#ifndef IV_STAT_COMPARE_H
#define IV_STAT_COMPARE_H

#include "intervale/stat/compare.h"
#include "intervale/stat/letters.h"

struct iv_comparison {
    iv_compare_options options;
    size_t systems, topics;
    const double *values; /* the caller's; only while comparing */
    bool complete;        /* no value is missing */
    double slack;         /* means this close are equal */

    size_t pair_count;
    iv_compared_pair *pairs;
    iv_compared_test *tests; /* pair by pair */

    iv_compared_run *runs;
    iv_letters *letters;
    iv_correction rank_correction;

    /* On the topics that all systems have. */
    size_t shared;
    double *shared_values; /* a system after the other */
    double *boot_means;    /* systems x resamples; NULL: shared < 2 */

    double *tukey; /* adjusted p as of iv_tukey_pairs(); NULL: not asked for */
    double done, share; /* progress: before this step, and of this step */
};

/* The slack below which a p-value just misses the level 1 - confidence. */
bool iv_compare_significant(const iv_comparison *c, double p);

/* Progress of a step that a progress of its own can report to. */
iv_progress iv_compare_step(iv_comparison *c, double share);

/* Steps; each fills its part. */
int iv_compare_shared(iv_comparison *c, iv_err *err);
int iv_compare_pairs(iv_comparison *c, iv_err *err);
int iv_compare_tests(iv_comparison *c, iv_err *err);
int iv_compare_runs(iv_comparison *c, iv_err *err);

/*
 * The randomisation test, number k, of all pairs it can do at once: done[pair]
 * says which.
 */
int iv_compare_flips(iv_comparison *c, size_t k, bool *done, const iv_progress *progress,
                     iv_err *err);

/* One test of one vector of differences, as the options want it. */
int iv_compare_test(iv_test *out, iv_pair_test kind, const double *d, size_t n,
                    const iv_compare_options *o, iv_err *err);

/*
 * How many of options.permutations shuffles of the topics' groups reach each
 * pair's limit, the squares between groups; added to counts[].  Scores are all
 * finite.  False: memory is out.
 */
bool iv_interaction_counts(uint64_t *counts, const double *values, size_t systems,
                           size_t topics, const uint32_t *group, size_t groups,
                           const double *limit, size_t pairs, const iv_compare_options *o);

#endif /* IV_STAT_COMPARE_H */
