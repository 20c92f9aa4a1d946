/* SPDX-License-Identifier: Apache-2.0 */
/* What the reader of a comparison must know: how its numbers were made. */
#include <math.h>

#include "answer/answer_parts.h"
#include "answer/contest.h"
#include "intervale/stat/letters.h"

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
        iv_say(t, " with %zu resamples", c->how.resamples);
}

static void tell_tests(iv_result *out, const iv_contest *c)
{
    iv_wording t = { .len = 0 };
    static const char *const sides[] = { "two-sided", "one-sided: a larger than b",
                                         "one-sided: a smaller than b" };

    for (size_t k = 0; k < c->how.test_count; k++) {
        iv_say(&t, "%s", k > 0 ? "; " : "");
        describe_test(&t, c, k);
    }
    iv_result_legend(out, "difference is a - b%s%s; p: %s; %s%s",
                   c->how.interval == IV_INTERVAL_NONE ? "" : ", its interval by ",
                   c->how.interval == IV_INTERVAL_NONE ? ""
                   : iv_interval_names()[c->how.interval], t.at, sides[c->how.alternative],
                   c->how.alternative != IV_TWO_SIDED && c->how.interval != IV_INTERVAL_NONE
                   ? "; intervals are two-sided" : "");
}

/*
 * A simulated p is never below 1 / (simulations + 1).  Times the number of
 * pairs that may be too much for any pair to be called different.
 */
static void tell_floor(iv_result *out, const iv_contest *c, size_t n)
{
    for (size_t k = 0; k < c->how.test_count; k++) {
        const double floor = (double)n / (double)(c->how.resamples + 1);
        if (c->how.tests[k] != IV_TEST_BOOTSTRAP || floor < 1.0 - c->how.confidence)
            continue;
        iv_result_legend(out, "%zu resamples cannot give a p_adjusted below %.2g for the best of "
                         "%zu pairs, so that none may count as different: %.0f or more, the "
                         "randomisation or the t test can", c->how.resamples, fmin(1.0, floor), n,
                         ceil(20.0 * (double)n / (1.0 - c->how.confidence)));
    }
}

/* Was the correction ours to choose, so that p is guarded by the t test's? */
static bool guarded(const iv_contest *c)
{
    for (size_t k = 0; k < c->how.test_count; k++)
        if (c->how.tests[k] == IV_TEST_RANDOMISATION)
            return c->asked->how.correction == IV_CORRECT_AUTO;
    return false;
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
        iv_result_legend(out, "p-values of %zu pairs are not corrected: some will be small by "
                       "chance, and rank intervals and groups do not hold together", n);
    else if (c->how.correction != IV_CORRECT_TUKEY) {
        iv_result_legend(out, "p_adjusted: %s%s, over %zu pairs; intervals are of single pairs",
                         words[c->how.correction], guarded(c)
                         ? " on p, or on p of the t test where that is larger" : "", n);
        if (c->how.correction != IV_CORRECT_BH)
            tell_floor(out, c, n);
    } else
        iv_result_legend(out, "p_adjusted: randomised Tukey test%s over the %zu topics that all "
                         "runs have, %zu permutations; intervals are of single pairs",
                         c->how.baseline != IV_NO_BASELINE ? " against the baseline" : "",
                         iv_comparison_shared(c->found[0]), c->how.permutations);
    for (size_t k = 0; k < c->how.test_count && c->how.correction == IV_CORRECT_TUKEY; k++) {
        if (!iv_pair_test_of_mean(c->how.tests[k])) {
            iv_result_legend(out, "Tukey's correction is for tests of means; the sign and "
                           "signed-rank tests are adjusted by Holm's method");
            break;
        }
    }
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
    size_t by_t = 0;

    for (size_t m = 0; m < c->measure_count; m++) {
        const iv_compared_run *runs;
        const size_t n = iv_comparison_runs(&runs, c->found[m]);
        size_t here = 0;
        for (size_t r = 0; r < n; r++)
            here += runs[r].method == IV_INTERVAL_T;
        /* All of them: a measure that is not in [0, 1], unless it is estimated. */
        if (iv_comparison_shared(c->found[m]) >= 2 && (c->sampled || here < n))
            by_t += here;
    }
    if (by_t > 0)
        iv_result_note(out, "intervals of means (table runs): logit, which needs values in "
                       "[0, 1]; t is used for %zu mean%s with %s outside it", by_t,
                       by_t == 1 ? "" : "s", c->sampled ? "estimates" : "scores");
}

/* How to read ranks, groups and marks. */
static void tell_signs(iv_result *out, const iv_contest *c)
{
    const iv_compared_pair *pairs;
    const bool listed = iv_comparison_pairs(&pairs, c->found[0]) <= IV_PAIRS_READ;
    const bool against = c->how.baseline != IV_NO_BASELINE;

    if (c->run_count > 2)
        iv_result_legend(out, "ranks: those a run may have; p_best: share of resamples in which "
                         "it leads; group: runs that share a letter cannot be told apart%s",
                         any_range(c) ? " (a-c: it is in a, b and c)" : "");
    if (iv_comparison_groups(c->found[0]) == 0)
        iv_result_legend(out, "runs overlap in more than %d groups: there are no letters for "
                         "them", (int)IV_LETTERS_MOST);
    if (c->how.margin != 0.0) {
        const double margin = fmax(0.0, c->how.margin);
        iv_result_legend(out, "margin %g: p_above is the probability of a difference above it; "
                         "p_noninferior tests a difference of -%g or less, p_equivalent one of "
                         "%g or more either way; none of them is adjusted", margin, margin,
                         margin);
    }
    if (listed || iv_result_wants(out, "pairs", IV_LONG)
        || (against && iv_result_wants(out, "paper", IV_ASIDE)))
        iv_result_key(out, "* p < 0.05, ** p < 0.01, *** p < 0.001 (%s)",
                      c->run_count > 2 ? "p_adjusted" : "p");
}

void iv_contest_tell_method(const iv_contest *c, iv_result *out)
{
    tell_tests(out, c);
    tell_correction(out, c);
    if (c->measure_count > 1)
        iv_result_legend(out, "each of the %zu measures is tested by itself: there is no "
                         "correction for their number", c->measure_count);
    if (iv_comparison_rank_correction(c->found[0]) == IV_CORRECT_SHAFFER
        && (c->how.baseline != IV_NO_BASELINE || c->how.alternative != IV_TWO_SIDED)
        && c->run_count > 2)
        iv_result_legend(out, "ranks and groups of the table runs: randomisation test of all "
                         "pairs, two-sided, by Shaffer's method");
    tell_signs(out, c);
    tell_intervals(out, c);
}
