/* SPDX-License-Identifier: Apache-2.0 */
/* What the reader of a comparison must know: how its numbers were made. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_parts.h"
#include "answer/contest.h"
#include "answer/scored_tables.h"
#include "base/result.h"
#include "intervale/num.h"
#include "intervale/stat/letters.h"
#include "stat/paired/significant.h"

/* Is that test of every pair exact, where it says anything? */
static bool all_exact(const iv_contest *c, size_t which)
{
    const iv_compared_pair *pairs;
    const size_t n = iv_comparison_pairs(&pairs, c->found[0]);
    bool exact = true;

    for (size_t p = 0; p < n; p++) {
        const iv_compared_test *k;
        (void)iv_comparison_tests(&k, c->found[0], p);
        exact = exact && (k[which].test.exact || k[which].test.why != NULL);
    }
    return exact;
}

static void describe_test(iv_wording *t, const iv_contest *c, size_t k)
{
    static const char *const words[] = { "exact sign test", "Wilcoxon's signed-rank test",
                                         "paired t test", "randomisation test",
                                         "bootstrap test" };
    const iv_pair_test kind = c->how.tests[k];
    const bool exact = all_exact(c, k);

    iv_say(t, "%s", words[kind]);
    if (kind == IV_TEST_SIGN)
        iv_say(t, ", ties %s", c->how.ties == IV_TIES_SPLIT ? "split" : "discarded");
    else if (kind == IV_TEST_WILCOXON)
        iv_say(t, " (%s), zeros %s", exact ? "exact" : "normal beyond 50 topics",
            c->how.zeros == IV_ZEROS_RANK ? "ranked" : "dropped");
    else if (kind == IV_TEST_RANDOMISATION)
        iv_say(t, " over all sign flips");
    else if (kind == IV_TEST_BOOTSTRAP)
        iv_say(t, iv_comparison_limit_error(c->found[0]) > 0.0
               ? ", the limit of infinitely many resamples" : " with %zu resamples",
               c->how.resamples);
}

static void tell_tests(iv_result *out, const iv_contest *c)
{
    iv_wording t = { .len = 0 };
    static const char *const sides[] = { "two-sided", "one-sided, intervals too: a larger than b",
                                         "one-sided, intervals too: a smaller than b" };

    for (size_t k = 0; k < c->how.test_count; k++) {
        iv_say(&t, "%s", k > 0 ? "; " : "");
        describe_test(&t, c, k);
    }
    iv_result_legend(out, "difference is a - b%s%s%s",
                   c->how.interval == IV_INTERVAL_NONE ? "" : ", its interval by ",
                   c->how.interval == IV_INTERVAL_NONE ? ""
                   : c->how.interval == IV_INTERVAL_AUTO ? "Tango's method"
                   : iv_familywise(c->how.correction) ? "t"
                   : iv_interval_names()[c->how.interval],
                   c->how.interval != IV_INTERVAL_NONE && !iv_pair_test_of_mean(c->how.tests[0])
                   ? " and of the mean, which the first test is not about" : "");
    iv_result_about(out, IV_CONTEST_PAIRS);
    iv_result_legend(out, "p: %s; %s", t.at, sides[c->how.alternative]);
}

/*
 * A simulated p is never below 1 / (simulations + 1).  Times the number of
 * pairs that may be too much for any pair to be called different.
 */
static void tell_floor(iv_result *out, const iv_contest *c, size_t n)
{
    for (size_t k = 0; k < c->how.test_count; k++) {
        if (iv_comparison_limit_error(c->found[0]) > 0.0)
            continue; /* no resamples were counted */
        const double floor = (double)n / (double)(c->how.resamples + 1);
        if (c->how.tests[k] != IV_TEST_BOOTSTRAP || floor < 1.0 - c->how.confidence)
            continue;
        iv_result_legend(out, "%zu resamples cannot give a p_adjusted below %.2g for the best of "
                         "%zu pairs, so that none may count as different: %.0f or more, the "
                         "randomisation or the t test can", c->how.resamples, fmin(1.0, floor), n,
                         ceil(20.0 * (double)n / (1.0 - c->how.confidence)));
    }
}

bool iv_contest_guarded(const iv_contest *c)
{
    for (size_t k = 0; k < c->how.test_count; k++)
        if (c->how.tests[k] == IV_TEST_RANDOMISATION)
            return c->asked->how.correction == IV_CORRECT_AUTO;
    return false;
}

/* The first test's correction: that of ranks, letters and intervals. */
static iv_correction first_correction(const iv_contest *c)
{
    const iv_compared_test *tests;

    (void)iv_comparison_tests(&tests, c->found[0], 0);
    return tests[0].correction;
}

/* Which tests are adjusted so; Tukey's correction is for tests of means alone. */
static bool any_of_mean(const iv_contest *c, bool of_mean)
{
    for (size_t k = 0; k < c->how.test_count; k++)
        if (iv_pair_test_of_mean(c->how.tests[k]) == of_mean)
            return true;
    return false;
}

static void tell_tukey(iv_result *out, const iv_contest *c, size_t n)
{
    if (any_of_mean(c, true))
        iv_result_legend(out, "p_adjusted: randomised Tukey test%s over the %zu %s that all "
                         "%s have, %zu permutations, or p where that is larger",
                         c->how.baseline_count > 0 ? " against the baseline" : "",
                         iv_comparison_shared(c->found[0]),
                         iv_contest_topic(c, iv_comparison_shared(c->found[0])),
                         iv_contest_run(c, 2), c->how.permutations);
    if (any_of_mean(c, false))
        iv_result_legend(out, "p_adjusted: Holm's method over %zu pairs%s; Tukey's is for tests of "
                         "means", n, any_of_mean(c, true) ? " for signs and ranks" : "");
}

static void tell_correction(iv_result *out, const iv_contest *c)
{
    static const char *const words[] = { "", "", "Bonferroni's method", "Holm's method",
                                         ("Benjamini and Hochberg's method, which holds the "
                                          "false discovery rate"), "", "Shaffer's method" };
    const iv_compared_pair *pairs;
    const size_t n = iv_comparison_pairs(&pairs, c->found[0]);

    if (n == 1)
        return;
    if (c->how.correction == IV_CORRECT_NONE)
        iv_result_legend(out, "p-values and intervals of %zu pairs are not corrected: some will be "
                         "small by chance", n);
    else if (c->how.correction == IV_CORRECT_TUKEY)
        tell_tukey(out, c, n);
    else
        iv_result_legend(out, "p_adjusted: %s%s, over %zu pairs", words[c->how.correction],
                         iv_contest_guarded(c) ? " on the largest of p and of two t tests'" : "", n);
    if (iv_familywise(first_correction(c)) && c->how.correction != IV_CORRECT_TUKEY)
        tell_floor(out, c, n);
    if (c->how.interval == IV_INTERVAL_NONE || c->how.correction == IV_CORRECT_NONE)
        return;
    iv_result_legend(out, !iv_familywise(first_correction(c))
                     ? "intervals of differences: those of the pairs found hold on average "
                       "(false coverage rate of %zu pairs)"
                     : c->how.interval == IV_INTERVAL_AUTO
                     ? "intervals of differences: simultaneous, single-step (Bonferroni's, by "
                       "Tango's method): all %zu hold at once"
                     : iv_contest_guarded(c) && c->how.tests[0] == IV_TEST_RANDOMISATION
                     ? "intervals of differences: simultaneous, single-step (Bonferroni's t, "
                       "with room for skewness): all %zu hold at once"
                     : "intervals of differences: simultaneous, single-step (Bonferroni's t): "
                       "all %zu hold at once", n);
    iv_result_about(out, IV_CONTEST_PAIRS);
}

/* Is a run in three groups in a row, which a table for people shows as a-c? */
static bool any_range(const iv_contest *c)
{
    const iv_compared_run *runs;

    for (size_t m = 0; m < c->measure_count; m++) {
        const size_t n = iv_comparison_runs(&runs, c->found[m]);
        if (iv_comparison_groups(c->found[m]) > 26)
            return true; /* so many overlap in long rows */
        for (size_t r = 0; r < n; r++)
            for (const char *at = runs[r].letters; at != NULL && at[0] != '\0'; at++)
                if (at[1] == at[0] + 1 && at[2] == at[0] + 2)
                    return true;
    }
    return false;
}

/* Which means of the table runs have no logit interval, where others could. */
static void tell_intervals(iv_result *out, const iv_contest *c)
{
    size_t others = 0;

    for (size_t m = 0; m < c->measure_count; m++) {
        const iv_compared_run *runs;
        const size_t n = iv_comparison_runs(&runs, c->found[m]);
        size_t here = 0;
        for (size_t r = 0; r < n; r++)
            here += runs[r].method == IV_INTERVAL_T;
        /* All of them: a measure that is not in [0, 1], unless it is estimated. */
        if (iv_comparison_shared(c->found[m]) >= 2 && (c->sampled || here < n))
            others += here;
    }
    if (others > 0)
        iv_result_note(out, "intervals of means (table runs): logit, which needs values in "
                       "[0, 1]; t is used for %zu mean%s with %s outside it%s", others,
                       others == 1 ? "" : "s", c->sampled ? "estimates" : "scores",
                       c->sampled ? "" : ", on the log scale where none is below 0");
    if (others > 0)
        iv_result_about(out, "runs paper");
}

/* How to read ranks, groups and marks. */
static void tell_signs(iv_result *out, const iv_contest *c)
{
    const iv_compared_pair *pairs;
    const bool listed = iv_comparison_pairs(&pairs, c->found[0]) <= IV_PAIRS_READ;
    const bool against = c->how.baseline_count > 0;
    const bool all = !against && c->how.alternative == IV_TWO_SIDED;

    if (iv_result_wants_only(out, "paper")) /* whose caption says it */
        return;
    if (c->run_count > 2) {
        iv_result_legend(out, "ranks: those that the differences found leave a %s, %sfor all %s at "
                         "once; p_best: share of bootstrap resamples in which it leads%s%s%s%s",
                         iv_contest_run(c, 1), iv_familywise(first_correction(c)) ? "" : "not ",
                         iv_contest_run(c, 2), all ? "; group: " : "", all ? iv_contest_run(c, 2) : "",
                         all ? " that share a letter cannot be told apart" : "",
                         any_range(c) ? " (a-c: it is in a, b and c)" : "");
        iv_result_about(out, "runs");
    }
    if (all && iv_comparison_groups(c->found[0]) == 0) {
        iv_result_legend(out, "%s overlap in more than %d groups: there are no letters for "
                         "them", iv_contest_run(c, 2), (int)IV_LETTERS_MOST);
        iv_result_about(out, "runs");
    }
    if (c->how.margin != 0.0) {
        const double margin = fmax(0.0, c->how.margin);
        iv_result_legend(out, "margin %g: p_above is the probability of a difference above it; "
                         "p_noninferior tests a difference of -%g or less, p_equivalent one of "
                         "%g or more either way%s; none of them is adjusted", margin, margin,
                         margin, c->how.interval == IV_INTERVAL_AUTO ? ""
                         : " (the larger p of t and of t corrected for skewness)");
        iv_result_about(out, IV_CONTEST_PAIRS);
    }
    if (iv_result_wants(out, "pairs", listed ? IV_SHOWN : IV_LONG)
        || (against && iv_result_wants(out, "paper", IV_ASIDE))) {
        iv_result_key(out, "* p < 0.05, ** p < 0.01, *** p < 0.001 (%s)",
                      c->run_count > 2 ? "p_adjusted" : "p");
        iv_result_about(out, against ? IV_CONTEST_PAIRS " paper" : IV_CONTEST_PAIRS);
    }
}

/* The variance of a difference that more items do not lessen. */
static double shared_of(const iv_contest *c, const iv_compared_pair *p)
{
    const double *shared = NULL;

    if (!c->asked->scores.given || iv_scorecard_shared(&shared, &c->card, NULL) != IV_OK
        || shared == NULL)
        return 0.0;
    return shared[p->a] + shared[p->b];
}

/* How many topics would tell the first two of a board apart, if they differ as they seem
 * to: with power .8, at the level that the smallest of all p-values must reach. */
static void tell_first_two(iv_result *out, const iv_contest *c)
{
    const iv_compared_pair *pairs;
    const size_t n = iv_comparison_pairs(&pairs, c->found[0]);
    const bool all = c->how.baseline_count == 0 && c->how.alternative == IV_TWO_SIDED;
    size_t *order = malloc(c->run_count * sizeof *order);

    if (order != NULL && all && c->run_count > 2) {
        const iv_compared_test *t;
        iv_contest_order(order, c, 0);
        const size_t a = order[0] < order[1] ? order[0] : order[1], b = order[0] + order[1] - a;
        const size_t i = iv_pair_index(c->run_count, a, b);
        const iv_compared_pair *p = &pairs[i];
        (void)iv_comparison_tests(&t, c->found[0], i);
        const double alpha = (1.0 - c->how.confidence)
            / (iv_familywise(first_correction(c)) ? (double)n : 1.0);
        const char *corrected = iv_familywise(first_correction(c))
            ? "at Bonferroni's level for all pairs" : "at the level of one pair by itself";
        const double z = iv_norm_isf(0.5 * alpha) + iv_norm_isf(0.2);
        /* se^2 must come down to this; what repeats share does not come down with items. */
        const double most = p->found.mean * p->found.mean / (z * z), shared = shared_of(c, p);
        const double se = p->found.sd / sqrt((double)p->found.n);
        const double need = ceil((double)p->items * fmax(0.0, se * se - shared) / (most - shared));
        const bool open = !isnan(t->p_adjusted)
            && !iv_significant(t->p_adjusted, 1.0 - c->how.confidence);
        if (open && shared > 0.0 && shared >= most)
            iv_result_note(out, "%s and %s, the first two, cannot be told apart, and no number of "
                           "items would do if they differ by the %.*f that was seen: what a repeat "
                           "brings to all items is more; only more repeats help",
                           c->runs[order[0]], c->runs[order[1]], c->digits[0],
                           fabs(p->found.mean));
        else if (open && need > (double)p->items && need < 1e9)
            iv_result_note(out, "%s and %s, the first two, cannot be told apart: about %.0f more %s%s "
                           "would, with power 0.8 %s, if they differ by the %.*f that was seen",
                           c->runs[order[0]], c->runs[order[1]], need - (double)p->items,
                           iv_contest_topic(c, 2), c->asked->scores.given
                           && strcmp(iv_scorecard_unit(&c->card), "item") != 0
                           ? " of other clusters or sets" : "", corrected, c->digits[0],
                           fabs(p->found.mean));
    }
    free(order);
}

/* What is a limit for very many topics, and how far it may be off. */
static void tell_limits(iv_result *out, const iv_contest *c)
{
    double means = 0.0, ranks = 0.0;

    for (size_t m = 0; m < c->measure_count; m++) {
        const iv_compared_run *runs;
        const size_t n = iv_comparison_runs(&runs, c->found[m]);
        for (size_t r = 0; r < n; r++)
            means = fmax(means, runs[r].limit_error);
        ranks = fmax(ranks, iv_comparison_limit_error(c->found[m]));
    }
    iv_tell_limit(out, means);
    if (ranks > 0.0 && c->run_count > 2) {
        iv_result_note(out, "p_best: resamples of so many %s are drawn from the normal limit "
                       "of their means: how often one of a pair leads is off by %.2g at most%s%s",
                       iv_contest_topic(c, 2), fmin(ranks, 1.0),
                       ranks > 0.05 ? ", for a pair that differs on few " : "",
                       ranks > 0.05 ? iv_contest_topic(c, 2) : "");
        iv_result_about(out, "runs");
    }
}

void iv_contest_tell_method(const iv_contest *c, iv_result *out)
{
    tell_first_two(out, c);
    tell_tests(out, c);
    tell_correction(out, c);
    if (c->measure_count > 1)
        iv_result_note(out, "each of the %zu measures is tested by itself: there is no "
                         "correction for their number", c->measure_count);
    tell_signs(out, c);
    tell_intervals(out, c);
    tell_limits(out, c);
}
