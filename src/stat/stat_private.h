/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of stat beside what programs do. */
#ifndef IV_STAT_STAT_PRIVATE_H
#define IV_STAT_STAT_PRIVATE_H

#include "intervale/stat.h"
#include "num/num_private.h"

/* 0 becomes .95; IV_EARG unless it is then between 0 and 1. */
IV_MUST_CHECK int iv_check_confidence(double *confidence, iv_err *err);

/* Makes one unit of too few; returns how many there are. */
size_t iv_agreement_units(size_t *starts, size_t units);

/*
 * Cohen's kappa.  Confidence 0 is .95.  left_out has room for the values without one
 * unit (one item, if there is one unit), or is NULL.  IV_ENODATA without items, IV_EARG for
 * a label beyond pairs->labels, a weight that is not above 0, a confidence outside (0, 1).
 * O(items + units x labels^2).
 */
IV_MUST_CHECK int iv_kappa_of(iv_agreement *out, double *left_out,
                                     const iv_label_pairs *pairs, iv_kappa_weights weights,
                                     double confidence, iv_err *err);

/*
 * Krippendorff's alpha.  Items with fewer than two labels tell nothing and do not count.
 * Confidence 0 is .95.  IV_ENODATA where no item has two labels; IV_EARG for a label beyond
 * r->labels, for an order or distances of words, values that do not rise, an order of more
 * than 100 labels, a confidence outside (0, 1).  O(labels given + units x labels^2) for
 * ordinal, else linear.
 */
IV_MUST_CHECK int iv_alpha_of(iv_agreement *out, const iv_ratings *r, iv_label_scale scale,
                                     double confidence, iv_err *err);

/*
 * The share sum of hits / sum of all over units, with its interval.  `items` is how many
 * there are behind `all`, for where none or all of them are hits.  Limits are NaN with fewer
 * than two units; the value is NaN where there is nothing.
 */
iv_interval iv_share_over_units(const double *hits, const double *all, size_t units,
                                size_t items, double confidence);

/* value -+ reach standard errors on the logit scale; no limits where there is no variance, or no
 * logit. */
iv_interval iv_logit_interval(double value, double se, double df, double reach);

/* A value and its values without one unit each: the jackknife, with Student's t. */
iv_interval iv_jackknifed(double value, const double *left_out, size_t units,
                          double confidence);

/*
 * The reference's label as a number (value[label]; NULL: the number itself) given the
 * other's: 1 / (1 - the proportion of its variance that labels explain), the factor by which
 * fewer reference labels are needed if the other's are known for all items.  left_out
 * (of log worth) as in iv_kappa_of(), whose errors it has.
 */
IV_MUST_CHECK int iv_worth_of(iv_interval *out, double *left_out,
                                     const iv_label_pairs *pairs, const double *value,
                                     double confidence, iv_err *err);

/*
 * Positive are the reference's labels of `level` and more.  The share of positives of each
 * of the other's labels is learnt on the other units (by weight).  Errors as iv_kappa_of().
 */
IV_MUST_CHECK int iv_drift_of(double *sd, iv_test *out, const iv_label_pairs *pairs,
                              uint32_t level, iv_err *err);

/* Is it a test of the mean difference?  The others are of signs and ranks. */
bool iv_pair_test_of_mean(iv_pair_test test);

/*
 * The differences of two systems on the topics that both have, as iv_compare()
 * takes them; d has room for `topics`.  Returns how many there are.
 */
size_t iv_pair_differences(double *d, const double *a, const double *b,
                                  size_t topics);

/* The values a method can use. */
typedef enum iv_interval_values {
    IV_VALUES_ANY,
    IV_VALUES_UNIT,
    IV_VALUES_BINARY
} iv_interval_values;

/* All there is to say of a method; its row is in interval/interval.c. */
typedef struct iv_interval_info {
    const char *name, *text;
    const char *id;   /* among all methods of answers: "interval NAME" */
    const char *cite; /* keys of its references; "": none */
    iv_interval_values values;
    bool resamples, differences, clusters; /* needs the first, works for the others */
    size_t least; /* number of values; 0: it is no interval */
} iv_interval_info;

/* The row of a method; NULL for a number after the last. */
const iv_interval_info *iv_interval_about(iv_interval_method method);

/* The same as words: "there is only one value". */
const char *iv_interval_gap_text(iv_interval_gap gap);

/* The same with the numbers that 0 stands for; options may be NULL. */
iv_resampling iv_resampling_of(const iv_resampling *options);

/*
 * The means of B resamples of each of `count` samples of n values: means[i * B +
 * b] of sample i in replicate b.
 */
IV_MUST_CHECK int iv_resample_means(double *means, const double *const *samples, size_t count,
                                    size_t n, size_t resamples, const iv_work *work, iv_err *err);

/*
 * The interval of one sample when the means of its resamples are given, as
 * when all resamples are enumerated.  Reorders means.
 */
IV_MUST_CHECK int iv_interval_from_means(iv_mean_interval *out,
                                                iv_interval_method method,
                                                double *means, size_t resamples,
                                                const double *sample, size_t n,
                                                double confidence, iv_err *err);

/*
 * The quantile of count values, interpolated between order statistics at
 * (count - 1) p (Hyndman and Fan's type 7).  Reorders values; linear time.
 * NaN when count is 0 or p outside [0, 1].
 */
double iv_quantile(double *values, size_t count, double p);

/*
 * differ[iv_pair_index(systems, a, b)] says whether a < b differ; order lists the systems, the best
 * first, so that its letters come first in the alphabet (a to z, then aa, ab, ...).  Gives the
 * letters of each system, in the arena, separated by commas where one has two characters, and the
 * number of groups: 0, and no letters, of more than IV_LETTERS_MOST.
 */
IV_MUST_CHECK int iv_letters_of(const char **text, size_t *groups, const bool *differ,
                                const size_t *order, size_t systems, iv_arena *own, iv_err *err);

/* Of n finite differences; O(n). */
iv_differences iv_describe_differences(const double *d, size_t n);

/* The exact sign test; the statistic is the number of wins. */
iv_test iv_sign_test(const double *d, size_t n, iv_sign_ties ties,
                            iv_alternative alternative);

/*
 * Wilcoxon's signed-rank test on midranks; the statistic is the sum of the
 * ranks of the wins.  Exact to IV_WILCOXON_EXACT differences that are not 0,
 * ties or not; beyond that normal, with corrections for ties and continuity.
 * IV_ENOMEM is the only failure.
 */
IV_MUST_CHECK int iv_wilcoxon_test(iv_test *out, const double *d, size_t n,
                                          iv_zeros zeros, iv_alternative alternative,
                                          iv_err *err);

/* Student's paired t test on n - 1 degrees of freedom. */
iv_test iv_t_test(iv_differences k, iv_alternative alternative);

/* How many unordered pairs there are, and the place of a < b among them. */
size_t iv_pair_count(size_t systems);

size_t iv_pair_index(size_t systems, size_t a, size_t b);

/* The pair of a place below iv_pair_count(). */
void iv_pair_at(size_t *a, size_t *b, size_t systems, size_t place);

/*
 * The randomised form of Tukey's test: under the hypothesis that all systems
 * are alike, their scores on a topic may be permuted; how often is the largest
 * difference of two means at least that of the pair?  Adjusted p of every pair
 * (Carterette 2012).
 *
 * With a baseline, Dunnett's question: p[s] for each system, from the largest
 * difference to the baseline; its own p is NaN, for it is no test.  Without
 * one only IV_TWO_SIDED makes sense; anything else is IV_EARG.
 */
IV_MUST_CHECK int iv_tukey_pairs(double *p, const iv_score_grid *x, size_t baseline,
                                        size_t permutations, iv_alternative alternative,
                                        const iv_work *work, iv_err *err);

/*
 * Adjusts m p-values; adjusted may be p.  NaN stays NaN and is not counted
 * among the tests.  IV_EARG for IV_CORRECT_TUKEY.
 */
IV_MUST_CHECK int iv_adjust(double *adjusted, const double *p, size_t m,
                                   iv_correction correction, iv_err *err);

/*
 * Rank-biased overlap of two lists of items below `items`; p in (0, 1) is the
 * persistence, 0: .9.  IV_EARG for another p or an empty list.  Linear.
 */
IV_MUST_CHECK int iv_rbo_of(iv_interval *out, const iv_ranked_items *a,
                                   const iv_ranked_items *b, size_t items, double p,
                                   iv_rbo_ties ties, iv_err *err);

/*
 * tau_AP of scores of n items, the largest first: down the order of x, the share of
 * the items above that truth has above as well; 2 share - 1.  Ties, in either, are
 * averaged over their orders.  NaN when n < 2.  O(n log n); IV_ENOMEM only.
 */
IV_MUST_CHECK int iv_tau_ap(double *out, const double *truth, const double *x, size_t n,
                                   iv_err *err);

/*
 * The symmetric one for two orders of which neither is the truth: the mean of both
 * directions, a tie in either is no agreement, and items tied with the first are no
 * pivots.  NaN where one side is constant.
 */
IV_MUST_CHECK int iv_tau_ap_b(double *out, const double *x, const double *y, size_t n,
                                     iv_err *err);

/*
 * a and b are scores of the same systems on the same topics, [system * topics + topic], all
 * finite.  How similar are the rankings of the systems by their means?  a is the truth of
 * tau_AP; tau-b and tau_AP are NaN where all systems of a ranking are tied.  persistence is
 * that of RBO, 0: 0.9.  There are no intervals: resampling topics shuffles close systems twice.
 * IV_EARG for a value that is not finite, fewer than two systems, no topics.
 */
IV_MUST_CHECK int iv_orders_agree(iv_orders *out, const double *a, const double *b,
                                         size_t systems, size_t topics, double persistence,
                                         iv_err *err);

/* Two runs of an experiment beside each other: how far the second reproduces the first. */

/*
 * The root of the mean squared difference on n topics; limits are roots of those of the mean
 * square by Student's t.  No limits where all differences are as large as each other.
 * Confidence 0: 0.95.
 */
IV_MUST_CHECK int iv_reproduced_rmse(iv_interval *out, const double *original,
                                            const double *again, size_t n, double confidence,
                                            iv_err *err);

/*
 * The effect of an advanced run over a baseline, made again.  ratio is mean(advanced -
 * baseline) made again over the original one, limits by Fieller's method: NaN where the
 * original effect cannot be told from 0.  change is the relative improvement of the
 * original less that of the runs made again, limits by t.  NaN where a mean is 0.
 * Allocates nothing.
 */
void iv_reproduced_effect(iv_interval *ratio, iv_interval *change,
                                 const double *baseline, const double *advanced,
                                 const double *baseline_again, const double *advanced_again,
                                 size_t n, double confidence);

/*
 * How likely is the sign test to find a difference that is there?
 *
 * A wins over B on a proportion theta of all topics; the effect size is
 * h = (theta - 1/2) / (1/2), in [-1, 1].  Powers are exact, from the binomial
 * distribution, unless the name says normal (Carterette and Smucker 2007).
 *
 * Functions answer NaN (-1 where they answer a count) outside their domain:
 * n >= 1 (to 2^53), alpha in (0, 1), h in [-1, 1], certainty in [1/2, 1].
 */

/*
 * The smallest number of wins c with P(wins >= c) < alpha when A and B are
 * alike: the one-sided test of level alpha rejects from c wins on.  n + 1 when
 * no number of wins would do.
 */
int64_t iv_sign_critical(int64_t n, double alpha);

/*
 * The chance that the test rejects.  IV_GREATER expects A to be better,
 * IV_LESS worse; IV_TWO_SIDED splits alpha evenly and counts both tails.
 */
double iv_sign_power(int64_t n, double h, double alpha,
                            iv_alternative alternative);

/*
 * The one-sided power in its normal form, Phi(Phi^-1(alpha) + h sqrt(n)), and
 * the effect for which that reaches `power`, in (0, 1); the latter may exceed 1.
 */
double iv_sign_power_normal(int64_t n, double h, double alpha);

double iv_sign_effect_normal(int64_t n, double power, double alpha);

/*
 * Who wins a topic is told rightly only with probability `certainty`: the
 * effect that is left, h (2 certainty - 1), and the number of topics that
 * keeps the power of n certain ones, n / (2 certainty - 1)^2, to be rounded
 * up; infinite at 1/2.
 */
double iv_uncertain_effect(double h, double certainty);

double iv_uncertain_topics(double n, double certainty);

/*
 * The chance that the test rejects when n topics are drawn without replacement
 * from a population of `wins` + `ties` + `losses`, and ties are discarded.
 * Exact, from the hypergeometric distribution; O(n^2) where there are ties.
 */
double iv_sign_power_finite(int64_t n, int64_t wins, int64_t ties,
                                   int64_t losses, double alpha);

/*
 * Strengths of systems from pairwise preferences: the model of Bradley and Terry with ties
 * (Davidson 1970) and, if asked for, an effect of the position (Davidson and Beaver 1977):
 *
 *     P(a wins) : P(b wins) : P(tie) = pi_a : pi_b exp(-position) : nu sqrt(pi_a pi_b)
 *
 * By maximum likelihood; variances are the sandwich over clusters (Liang and Zeger 1986), such as
 * all votes on one prompt.  Ranks are simultaneous: Holm's correction over all pairs (Mogstad et
 * al. 2024).  doc/methods/preferences.md has the formulas.
 */

enum { IV_PREFERENCE_MOST = 2000 }; /* systems */

typedef enum iv_preferred { IV_PREFERS_A, IV_PREFERS_B, IV_PREFERS_NONE } iv_preferred;

typedef struct iv_vote {
    uint32_t a, b; /* a was shown first */
    uint32_t item, judge;
    iv_preferred winner;
} iv_vote;

/* Why there is no estimate. */
typedef enum iv_preference_gap {
    IV_PREFERENCE_EXISTS,
    IV_PREFERENCE_APART, /* the comparisons do not connect all systems */
    IV_PREFERENCE_ENDS,  /* some systems never lost to the others, or never won (Ford 1957) */
    IV_PREFERENCE_TIES,  /* ties and wins are separated: the parameter of ties is infinite */
    IV_PREFERENCE_POSITION, /* votes are separated with the effect of the position only */
    IV_PREFERENCE_ONE_ITEM /* all votes are on one item */
} iv_preference_gap;

typedef struct iv_strength {
    size_t wins, losses, ties;
    double value, se, lower, upper; /* log scale, mean 0; NaN: see the gap */
    size_t rank_lower, rank_upper;
} iv_strength;

typedef struct iv_preferences {
    iv_preference_gap gap;
    size_t example;  /* of IV_PREFERENCE_ENDS: a system that never won or never lost */
    size_t clusters;
    double tie;      /* log nu; NaN: no ties */
    double position, position_se, position_lower, position_upper, position_p; /* NaN: none */
    iv_strength *systems;
} iv_preferences;

/*
 * Fits `count` votes about `systems` systems; with `positioned`, strengths are those of the model
 * with the position.  `items` above 0: votes of one item are a cluster; else each vote is one.
 * What is returned is taken from own.  IV_EARG for more than IV_PREFERENCE_MOST systems.
 * Cost: votes + systems^3.
 */
IV_MUST_CHECK int iv_preference_fit(iv_preferences *out, const iv_vote *votes, size_t count,
                                    size_t systems, size_t items, bool positioned,
                                    double confidence, iv_arena *own, iv_err *err);

#endif
