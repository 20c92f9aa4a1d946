/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a comparison of systems, and the steps that fill it. */
#ifndef IV_STAT_PAIRED_COMPARISON_H
#define IV_STAT_PAIRED_COMPARISON_H

#include "base/memory.h"
#include "intervale/stat/comparisons.h"
#include "stat/interval/units.h"
#include "stat/paired/flips.h"

/* Unless options say otherwise. */
enum { IV_RESAMPLES = 10000, IV_PERMUTATIONS = 100000 };

struct iv_comparison {
    iv_arena own; /* all that it points to */
    iv_compare_options options; /* all defaults filled in */
    iv_pair_test *kinds;        /* options.tests */
    double margin;              /* NaN: none */
    size_t *baselines;          /* options.baselines */
    size_t systems, topics;
    /* The caller's scores, only while comparing; and the same with NaN for topics that a system
     * lacks, a copy where there are such topics, else read only while the caller has them. */
    const double *given, *values;
    double slack;         /* means this close are equal */
    bool unit_scores; /* all lie in [0, 1] */
    bool unit;            /* they are in [0, 1], and differences of means within -1 and 1 */

    size_t pair_count;
    iv_compared_pair *pairs;
    iv_compared_test *tests; /* pair by pair */
    size_t test;             /* the one that is made of every pair */

    iv_compared_run *runs;
    size_t groups; /* of systems, that have a letter; 0: there are no letters */

    /* On the topics that all systems have; of units, if topics hang together, distances
     * from the mean. */
    size_t shared, shared_items;
    const double *shared_values; /* a system after the other; a copy where topics are missing, as
                                    resamples take them at random, and of units */
    double *boot_means;    /* systems x resamples; NULL: shared < 2 */
    double *tukey; /* adjusted p as of iv_tukey_pairs(); NULL: not asked for */
};

/* The differences of a pair, or of units what each adds to their mean; d has room for all
 * topics, and place too where topics hang together.  Returns how many there are. */
typedef struct iv_pair_room {
    double *d, *place, unit; /* differences are whole numbers of units */
    iv_units *units;
    double *means;   /* of resamples; NULL: none are wanted */
    iv_flips *flips; /* of tests */
} iv_pair_room;

/* The slack below which a p-value just misses the level 1 - confidence. */
bool iv_compare_significant(const iv_comparison *c, double p);

/* Steps; each fills its part. */
int iv_compare_pairs(iv_comparison *c, const iv_work *work, iv_err *err);
int iv_compare_tests(iv_comparison *c, const iv_work *work, iv_err *err);
int iv_compare_limits(iv_comparison *c, iv_err *err);

/* The ranks still possible and the letters, from the significant pairs but those set aside (NULL:
 * none). */
IV_MUST_CHECK int iv_compare_separate(iv_comparison *c, const bool *aside, iv_err *err);

/* Limits end at what the mean of a measure within [0, 1] can be (least 0), or a difference of two
 * such means (least -1); false: the estimate cannot, and has none.  One not wanted is infinite. */
bool iv_possible_limits(double *lower, double *upper, double value, double least);

#endif
