/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison at work: what its steps share. */
#ifndef IV_STAT_COMPARE_H
#define IV_STAT_COMPARE_H

#include "intervale/stat/comparison.h"
#include "intervale/stat/letters.h"

/* Unless options say otherwise. */
enum { IV_RESAMPLES = 10000, IV_PERMUTATIONS = 100000 };

/* A baseline as an index of systems: there is none. */
#define IV_NO_INDEX (IV_NO_BASELINE - (size_t)1)

struct iv_comparison {
    iv_compare_options options; /* all defaults filled in */
    iv_pair_test *kinds;        /* options.tests */
    double margin;              /* NaN: none */
    size_t baseline;            /* an index, or IV_NO_INDEX */
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
    bool guarded; /* see iv_compare_options.correction */

    /* On the topics that all systems have. */
    size_t shared;
    double *shared_values; /* a system after the other */
    double *boot_means;    /* systems x resamples; NULL: shared < 2 */

    double *tukey; /* adjusted p as of iv_tukey_pairs(); NULL: not asked for */
};

/* The slack below which a p-value just misses the level 1 - confidence. */
bool iv_compare_significant(const iv_comparison *c, double p);

/* p of the randomisation test, or of the t test if that is larger. */
double iv_guarded_p(const iv_differences *found, double p, iv_alternative alternative);

/* Steps; each fills its part. */
int iv_compare_shared(iv_comparison *c, const iv_work *work, iv_err *err);
int iv_compare_pairs(iv_comparison *c, const iv_work *work, iv_err *err);
int iv_compare_tests(iv_comparison *c, const iv_work *work, iv_err *err);
int iv_compare_runs(iv_comparison *c, const iv_work *work, iv_err *err);

/* Scores of systems on topics in groups, and the pairs to look at. */
typedef struct iv_grouped_scores {
    const double *values; /* a system after the other; NaN: missing */
    size_t systems, topics;
    const uint32_t *group; /* by topic */
    size_t groups;
    size_t baseline;       /* an index, or IV_NO_INDEX */
    size_t pairs, permutations;
} iv_grouped_scores;

/*
 * How many shuffles of the topics' groups reach each pair's limit, the squares
 * between groups; added to counts[].  Scores are all finite.
 */
IV_MUST_CHECK int iv_interaction_counts(uint64_t *counts, const iv_grouped_scores *g,
                                        const double *limit, const iv_work *work,
                                        iv_err *err);

#endif /* IV_STAT_COMPARE_H */
