/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/stat.h beside what programs do. */
#ifndef IV_STAT_COMPARISON_PRIVATE_H
#define IV_STAT_COMPARISON_PRIVATE_H

#include "intervale/stat.h"

/* Is it a test of the mean difference?  The others are of signs and ranks. */
bool iv_pair_test_of_mean(iv_pair_test test);

/* The systems, in the order given. */
size_t iv_comparison_runs(const iv_compared_run **out, const iv_comparison *c);

/* The options with every default filled in: what was done. */
const iv_compare_options *iv_comparison_options(const iv_comparison *c);

/* Topics that all systems have. */
size_t iv_comparison_shared(const iv_comparison *c);

/* How many groups of systems have a letter; 0: there are no letters. */
size_t iv_comparison_groups(const iv_comparison *c);

/*
 * The differences of two systems on the topics that both have, as iv_compare()
 * takes them; d has room for `topics`.  Returns how many there are.
 */
size_t iv_pair_differences(double *d, const double *a, const double *b,
                                  size_t topics);

/*
 * Does the difference of a pair depend on the group, group[t] < groups, of topic t?  Of every
 * pair, out[as iv_comparison_pairs() has them], on the topics that both systems have.  The F
 * statistic of a one-way analysis of variance of their differences, and its p by random
 * assignments of topics to groups, from 20,000 topics on by the limit of infinitely many where
 * groups are large enough; *error, unless it is NULL, rises to the error of that limit.  `used`
 * is the number of groups that hold a topic; fewer than two, or no more topics than groups, give
 * no p.  Of the options it heeds baselines and permutations.  IV_EARG as iv_compare().
 */
IV_MUST_CHECK int iv_compare_interaction(iv_test *out, double *error, const double *values,
                                                size_t systems, size_t topics,
                                                const uint32_t *group, size_t groups,
                                                const iv_compare_options *options,
                                                const iv_work *work, iv_err *err);

#endif /* IV_STAT_COMPARISON_PRIVATE_H */
