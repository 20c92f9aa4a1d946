/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of stat/paired share, and what other modules use of it. */
#ifndef IV_STAT_PAIRED_PAIRED_PRIVATE_H
#define IV_STAT_PAIRED_PAIRED_PRIVATE_H

#include "stat/interval/interval_private.h"

/* --------------------------------------------------------------- flips -- */
/*
 * The distribution of a sum under flips of signs, without drawing any.
 *
 * S = sum of +-|d[t]|, every sign as likely as the other.  S >= s when the
 * differences that turn negative add up to at most c = (sum of |d| - s) / 2: a
 * count of subsets.
 *
 *   multiples of one number (P@10, a rank, 0 and 1) with few multiples: counted
 *   cell by cell, exact, or by the saddle point of such sums where there would be more than
 *   IV_FLIPS_COUNTED steps (relative error below 1e-4);
 *   up to IV_FLIPS_CELLED that are not 0: counted on IV_FLIPS_CELLS cells from 0 to c
 *   (error of p 0.3 % at most on scores of real runs, in the tail less);
 *   more: Lugannani and Rice's saddle point (2 %, less with more topics).
 *
 * The same for every caller: no seed, no Monte Carlo error.
 */

/* Up to this many differences that are not 0 all flips are listed. */
enum { IV_FLIPS_LISTED = 20 };

#define IV_FLIPS_COUNTED 67108864.0

enum { IV_FLIPS_CELLED = 100, IV_FLIPS_CELLS = 8192, IV_FLIPS_LATTICE = 65536 };

/* Memory for differences of up to `most` topics; one a thread. */
typedef struct iv_flips iv_flips;
iv_flips *iv_flips_new(iv_arena *own, size_t most); /* NULL: out of memory */

/*
 * Fisher's randomisation test: how many of the ways to flip the signs of the
 * differences make their sum as extreme as it is?  The statistic is the mean.
 * Counted, not drawn: exact with up to 20 that are not 0 and for scores that are few
 * multiples of one number, else to 0.3 % of p (up to 100 differences that are not
 * 0) or 2 % (more).
 */
IV_MUST_CHECK int iv_randomise(iv_test *out, const double *d, size_t n,
                               iv_alternative alternative, iv_flips *f, iv_err *err);

/* ------------------------------------------------------------- compare -- */
/* A comparison at work: what its steps share. */

/* Unless options say otherwise. */
enum { IV_RESAMPLES = 10000, IV_PERMUTATIONS = 100000 };

struct iv_comparison {
    iv_arena own; /* all that it points to */
    iv_compare_options options; /* all defaults filled in */
    iv_pair_test *kinds;        /* options.tests */
    double margin;              /* NaN: none */
    size_t *baselines;          /* options.baselines */
    size_t systems, topics;
    const double *given;  /* the caller's; only while comparing */
    double *values;       /* the same on the topics that all systems have, NaN elsewhere */
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
    double *shared_values; /* a system after the other */
    double *boot_means;    /* systems x resamples; NULL: shared < 2 */
    double *tukey; /* adjusted p as of iv_tukey_pairs(); NULL: not asked for */
};

/* The differences of a pair, or of units what each adds to their mean; d has room for all
 * topics, and place too where topics hang together.  Returns how many there are. */
typedef struct iv_pair_room {
    double *d, *place;
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

/* Limits end at what the mean of a measure within [0, 1] can be (least 0), or a difference of two
 * such means (least -1); false: the estimate cannot, and has none.  One not wanted is infinite. */
bool iv_possible_limits(double *lower, double *upper, double value, double least);

/* -------------------------------------------------------------- paired -- */
/* What the tests on pairs share. */

/* Of paired shares: the score test's p of a difference that is not above `from` (IV_GREATER) or
 * not below (IV_LESS), and the limits that go with it; and a p that of up to 1,000 independent
 * items is no less than the exact one. */
enum { IV_SHARES_EXACT = 1000 };
double iv_shares_p(const iv_share_counts *s, double from, iv_alternative side);
double iv_shares_beyond(const iv_share_counts *s, double from, iv_alternative side);
void iv_shares_limits(double *lower, double *upper, const iv_share_counts *s, double tail);

/* The larger p of the paired t test and of Hall's t test, of n differences. */
iv_test iv_hall_test(const double *d, size_t n, iv_alternative alternative);

/* That of a pair: of shares the score test's; by sign flips around `from` if all differences are
 * equal. */
double iv_pair_beyond(const iv_compared_pair *p, double from, iv_alternative side);

iv_test iv_no_test(size_t used, const char *why);

/* From the two tails, each with the observed value in it. */
double iv_tail_p(double lower, double upper, iv_alternative alternative);

/* Of Student's t. */
double iv_t_p(double t, double df, iv_alternative alternative);

/* Moves limits to 0 where they say other than the test. */
iv_limit iv_settle_limits(double *lower, double *upper, bool found, int direction);

/* --------------------------------------------------------- significant -- */
/* When a test rejects: one rule for tests, plans and studies. */

/* p below alpha, not equal to it; 1 - 0.95 is a little more than 0.05. */
static inline bool iv_significant(double p, double alpha)
{
    return p < alpha - 1e-12;
}

/* Does it hold the error of all pairs together, so that what is found holds at once? */
static inline bool iv_familywise(iv_correction correction)
{
    return correction != IV_CORRECT_NONE && correction != IV_CORRECT_BH;
}

/* The smallest one-sided p that signs of n differences can have: one arrangement of 2^n. */
static inline double iv_least_of_signs(size_t n)
{
    return ldexp(1.0, -(int)(n < 1022 ? n : 1022));
}

#endif
