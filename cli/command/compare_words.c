/* SPDX-License-Identifier: Apache-2.0 */
#include "command/compare_words.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { NAMED = 6, SENTENCES = 3, ANSWER = 2400 };

/* Text that grows up to its end and is cut there. */
typedef struct text {
    char at[ANSWER];
    size_t len;
} text;

static void say(text *t, const char *fmt, ...) IV_PRINTF(2, 3);

static void say(text *t, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    const int n = vsnprintf(t->at + t->len, sizeof t->at - t->len, fmt, args);
    va_end(args);
    t->len += n > 0 ? (size_t)n : 0;
    if (t->len >= sizeof t->at)
        t->len = sizeof t->at - 1;
}

/* "p = 0.0123", "p < 0.0001", "no p (reason)". */
static void say_p(text *t, double p, const char *why)
{
    if (isnan(p))
        say(t, "no p-value (%s)", why != NULL ? why : "none");
    else if (p < 0.0001)
        say(t, "p = %.1e", p);
    else
        say(t, "p = %.*f", p < 0.001 ? 5 : p < 0.1 ? 4 : 2, p);
}

static bool significant(double p, const iv_compare_options *o)
{
    return p < 1.0 - o->confidence - 1e-12;
}

/* --------------------------------------------------------------- one pair -- */

/* +1: a is the larger one by what the first test looks at. */
static int sign_of_pair(const iv_compared_pair *p, iv_pair_test kind)
{
    if (kind == IV_TEST_SIGN)
        return (p->found.wins > p->found.losses) - (p->found.wins < p->found.losses);
    return (p->found.mean > 0.0) - (p->found.mean < 0.0);
}

static void say_interval(text *t, const iv_compared_pair *p, const compare_input *in,
                         const compared *x, const iv_compare_options *o, bool turned)
{
    const int digits = in->digits[x->measure];

    if (!isnan(p->lower))
        say(t, ", %s%.4g %% interval %.*f to %.*f",
            o->alternative != IV_TWO_SIDED ? "two-sided " : "", 100.0 * o->confidence, digits,
            turned ? -p->upper : p->lower, digits, turned ? -p->lower : p->upper);
}

static void say_margin(text *t, const iv_compared_pair *p, const iv_compare_options *o,
                       const compare_input *in)
{
    if (isnan(o->margin) || isnan(p->p_above))
        return;
    say(t, " P(difference > %g) = %.3f; %s is not worse than %s by more than %g: ", o->margin,
        p->p_above, in->runs[p->a], in->runs[p->b], o->margin);
    say_p(t, p->p_noninferior, NULL);
    say(t, "; equivalent within %g: ", o->margin);
    say_p(t, p->p_equivalent, NULL);
    say(t, ".");
}

static void say_pair(text *t, const compare_input *in, const compared *x,
                     const iv_compare_options *o)
{
    const iv_compared_pair *p;
    const iv_compared_test *k;
    const char *measure = in->measures[x->measure];
    const int digits = in->digits[x->measure];

    (void)iv_comparison_pairs(&p, x->found);
    (void)iv_comparison_tests(&k, x->found, 0);
    const bool turned = p->found.mean < 0.0;
    const char *ahead = in->runs[turned ? p->b : p->a], *behind = in->runs[turned ? p->a : p->b];
    const bool found = significant(k->test.p, o);
    const int shown = o->alternative == IV_GREATER ? 1 : o->alternative == IV_LESS ? -1
        : sign_of_pair(p, k->kind);
    if (p->found.wins + p->found.losses == 0) {
        say(t, "%s and %s are equal in %s on all %zu topics.", in->runs[p->a], in->runs[p->b],
            measure, p->found.n);
        return;
    }
    if (found && shown == (turned ? 1 : -1))
        say(t, "The test finds %s better, but the mean of %s is larger by ",
            in->runs[shown > 0 ? p->a : p->b], ahead);
    else if (found)
        say(t, "%s beats %s by ", ahead, behind);
    else if (o->alternative != IV_TWO_SIDED)
        say(t, "%s is not shown to be %s than %s: %s is ahead by ", in->runs[p->a],
            o->alternative == IV_GREATER ? "better" : "worse", in->runs[p->b], ahead);
    else
        say(t, "%s and %s cannot be told apart: %s is ahead by ", in->runs[p->a],
            in->runs[p->b], ahead);
    say(t, "%.*f %s", digits, fabs(p->found.mean), measure);
    say_interval(t, p, in, x, o, turned);
    say(t, ", ");
    say_p(t, k->test.p, k->test.why);
    say(t, "; %zu topics.", p->found.n);
    say_margin(t, p, o, in);
}

/* ------------------------------------------------------------- many pairs -- */

typedef struct tally {
    size_t pairs, differ;
    size_t better, worse; /* than the baseline */
} tally;

static tally count_pairs(const compared *x, const iv_compare_options *o)
{
    const iv_compared_pair *p;
    tally n = { .pairs = iv_comparison_pairs(&p, x->found) };

    for (size_t i = 0; i < n.pairs; i++) {
        const iv_compared_test *k;
        (void)iv_comparison_tests(&k, x->found, i);
        if (!significant(k->p_adjusted, o))
            continue;
        n.differ++;
        n.better += sign_of_pair(&p[i], k->kind) > 0;
        n.worse += sign_of_pair(&p[i], k->kind) < 0;
    }
    return n;
}

/* Do two runs share a letter?  Letters of two characters are apart by commas. */
static bool share_letter(const char *a, const char *b, bool two)
{
    while (*a != '\0') {
        const size_t len = two ? strcspn(a, ",") : 1;
        for (const char *at = b; *at != '\0';) {
            const size_t other = two ? strcspn(at, ",") : 1;
            if (other == len && memcmp(a, at, len) == 0)
                return true;
            at += other + (two && at[other] == ',');
        }
        a += len + (two && a[len] == ',');
    }
    return false;
}

/* Is run r not told apart from the best one?  Without letters: beaten by none. */
static bool is_peer(const iv_compared_run *runs, size_t r, size_t best, size_t groups)
{
    if (runs[r].letters == NULL || runs[best].letters == NULL)
        return runs[r].rank_lower == 1;
    return share_letter(runs[r].letters, runs[best].letters, groups > 26);
}

/* The best run, and those that might as well be. */
static void say_best(text *t, const compare_input *in, const compared *x)
{
    const iv_compared_run *runs;
    const size_t n = iv_comparison_runs(&runs, x->found), groups = iv_comparison_groups(x->found);
    size_t best = 0, peers = 0, named = 0;

    for (size_t r = 1; r < n; r++)
        best = runs[r].rank < runs[best].rank ? r : best;
    for (size_t r = 0; r < n; r++)
        peers += r != best && is_peer(runs, r, best, groups);
    say(t, "%s has the largest mean, %.*f %s", in->runs[best], in->digits[x->measure],
        runs[best].mean, in->measures[x->measure]);
    if (peers == 0) {
        say(t, ", and beats all others.");
        return;
    }
    say(t, "; %zu other%s cannot be told apart from it: ", peers, peers == 1 ? "" : "s");
    for (size_t rank = 1; rank <= n && named < NAMED; rank++) {
        for (size_t r = 0; r < n && named < NAMED; r++) {
            if (r != best && runs[r].rank == rank && is_peer(runs, r, best, groups))
                say(t, "%s%s", named++ > 0 ? ", " : "", in->runs[r]);
        }
    }
    if (peers > named)
        say(t, " and %zu more", peers - named);
    say(t, ".");
}

static void say_many(text *t, const compare_input *in, const compared *x,
                     const iv_compare_options *o)
{
    static const char *const corrected[] = { "not corrected for many tests",
                                             "Bonferroni's correction", "Holm's correction",
                                             "Benjamini and Hochberg's correction",
                                             "Tukey's correction" };
    const tally n = count_pairs(x, o);
    const iv_compared_test *k;

    (void)iv_comparison_tests(&k, x->found, 0);
    if (o->baseline != IV_NO_BASELINE) {
        say(t, "%zu of %zu runs differ%s from %s in %s (%zu better, %zu worse; %s). ", n.differ,
            n.pairs, n.differ == 1 ? "s" : "", in->runs[o->baseline], in->measures[x->measure], n.better, n.worse,
            corrected[k->correction]);
    } else {
        say(t, "%zu of %zu pairs of %zu runs differ%s in %s (%s). ", n.differ, n.pairs,
            in->run_count, n.differ == 1 ? "s" : "", in->measures[x->measure], corrected[k->correction]);
    }
    say_best(t, in, x);
}

void compare_tell_answer(iv_result *out, const compare_input *in, const compared *list,
                         size_t count, const iv_compare_options *options)
{
    text t = { .len = 0 };

    for (size_t i = 0; i < count && i < SENTENCES; i++) {
        const iv_compared_pair *pairs;
        say(&t, "%s", i > 0 ? " " : "");
        if (iv_comparison_pairs(&pairs, list[i].found) == 1)
            say_pair(&t, in, &list[i], options);
        else
            say_many(&t, in, &list[i], options);
    }
    iv_result_answer(out, "%s", t.at);
}

/* ----------------------------------------------------------------- method -- */

static void describe_test(text *t, iv_pair_test kind, const iv_compare_options *o,
                          bool all_exact)
{
    static const char *const words[] = { "exact sign test", "Wilcoxon's signed-rank test",
                                         "paired t test", "randomisation test",
                                         "bootstrap test" };

    say(t, "%s", words[kind]);
    if (kind == IV_TEST_SIGN)
        say(t, ", ties %s", o->ties == IV_TIES_SPLIT ? "split" : "discarded");
    else if (kind == IV_TEST_WILCOXON)
        say(t, " (%s), zeros %s", all_exact ? "exact" : "normal beyond 50 topics",
            o->zeros == IV_ZEROS_RANK ? "ranked" : "dropped");
    else if (kind == IV_TEST_RANDOMISATION && all_exact)
        say(t, " with all sign flips");
    else if (kind == IV_TEST_RANDOMISATION)
        say(t, " with %zu sign flips", o->permutations);
    else if (kind == IV_TEST_BOOTSTRAP)
        say(t, " with %zu resamples", o->resamples);
}

static bool all_exact(const compared *x, size_t which)
{
    const iv_compared_pair *pairs;
    const size_t n = iv_comparison_pairs(&pairs, x->found);
    bool exact = true;

    for (size_t p = 0; p < n; p++) {
        const iv_compared_test *k;
        (void)iv_comparison_tests(&k, x->found, p);
        exact = exact && (k[which].test.exact || k[which].test.why != NULL);
    }
    return exact;
}

static void tell_tests(iv_result *out, const compared *x, const iv_compare_options *o)
{
    text t = { .len = 0 };
    static const char *const sides[] = { "two-sided", "one-sided: a larger than b",
                                         "one-sided: a smaller than b" };

    for (size_t k = 0; k < o->test_count; k++) {
        say(&t, "%s", k > 0 ? "; " : "");
        describe_test(&t, o->tests[k], o, all_exact(x, k));
    }
    iv_result_note(out, "difference is a - b; p: %s; %s%s", t.at, sides[o->alternative],
                   o->alternative != IV_TWO_SIDED && o->interval != IV_INTERVAL_NONE
                   ? "; intervals are two-sided" : "");
}

/*
 * A simulated p is never below 1 / (simulations + 1).  Times the number of
 * pairs that may be too much for any pair to be called different.
 */
static void tell_floor(iv_result *out, const compared *x, const iv_compare_options *o, size_t n)
{
    for (size_t k = 0; k < o->test_count; k++) {
        const bool flips = o->tests[k] == IV_TEST_RANDOMISATION;
        const size_t times = flips ? o->permutations : o->resamples;
        const double floor = (double)n / (double)(times + 1);
        if ((!flips && o->tests[k] != IV_TEST_BOOTSTRAP) || all_exact(x, k)
            || floor < 1.0 - o->confidence)
            continue;
        iv_result_note(out, "%zu %s cannot give a p_adjusted below %.2g for the best of %zu "
                       "pairs, so that none may count as different: use --%s %.0f or more, "
                       "--correct tukey, or --test t", times, flips ? "sign flips" : "resamples",
                       fmin(1.0, floor), n, flips ? "permutations" : "resamples",
                       ceil(20.0 * (double)n / (1.0 - o->confidence)));
    }
}

static void tell_correction(iv_result *out, const compared *x, const iv_compare_options *o)
{
    static const char *const words[] = { "", "Bonferroni's method", "Holm's method",
                                         ("Benjamini and Hochberg's method, which holds the "
                                          "false discovery rate"), "" };
    const iv_compared_pair *pairs;
    const size_t n = iv_comparison_pairs(&pairs, x->found);

    if (n == 1)
        return;
    if (o->correction == IV_CORRECT_NONE)
        iv_result_note(out, "p-values of %zu pairs are not corrected: some will be small by "
                       "chance, and rank intervals and groups do not hold together", n);
    else if (o->correction != IV_CORRECT_TUKEY) {
        iv_result_note(out, "p_adjusted: %s, over %zu pairs; intervals are of single pairs",
                       words[o->correction], n);
        if (o->correction != IV_CORRECT_BH)
            tell_floor(out, x, o, n);
    } else
        iv_result_note(out, "p_adjusted: randomised Tukey test%s over the %zu topics that all "
                       "runs have, %zu permutations; intervals are of single pairs", o->baseline != IV_NO_BASELINE
                       ? " against the baseline" : "", iv_comparison_shared(x->found),
                       o->permutations);
    for (size_t k = 0; k < o->test_count && o->correction == IV_CORRECT_TUKEY; k++) {
        if (!iv_pair_test_of_mean(o->tests[k])) {
            iv_result_note(out, "Tukey's correction is for tests of means; the sign and "
                           "signed-rank tests are adjusted by Holm's method");
            break;
        }
    }
}

/* Is a run in three groups in a row, which a table for people shows as a-c? */
static bool any_range(const compared *list, size_t count)
{
    const iv_compared_run *runs;

    for (size_t i = 0; i < count; i++) {
        const size_t n = iv_comparison_runs(&runs, list[i].found);
        if (iv_comparison_groups(list[i].found) > 26)
            return true; /* so many overlap in long rows */
        for (size_t r = 0; r < n; r++)
            for (const char *at = runs[r].letters; at != NULL && at[0] != '\0'; at++)
                if (at[1] == at[0] + 1 && at[2] == at[0] + 2)
                    return true;
    }
    return false;
}

void compare_tell_method(iv_result *out, const compare_input *in, const compared *list,
                         size_t count, const iv_compare_options *options, bool people,
                         bool marks)
{
    tell_tests(out, &list[0], options);
    tell_correction(out, &list[0], options);
    if (count > 1)
        iv_result_note(out, "each of the %zu measures is tested by itself: there is no "
                       "correction for their number", count);
    if (iv_comparison_rank_correction(list[0].found) == IV_CORRECT_TUKEY
        && (options->baseline != IV_NO_BASELINE || options->alternative != IV_TWO_SIDED)
        && in->run_count > 2)
        iv_result_note(out, "ranks and groups of the table runs: randomised Tukey test of all "
                       "pairs, two-sided");
    if (in->run_count > 2)
        iv_result_note(out, "ranks: those a run may have; p_best: share of resamples in which "
                       "it leads; group: runs that share a letter cannot be told apart%s",
                       people && any_range(list, count)
                       ? " (a-c: it is in a, b and c)" : "");
    if (iv_comparison_groups(list[0].found) == 0)
        iv_result_note(out, "runs overlap in more than %d groups: there are no letters for them",
                       (int)IV_LETTERS_MOST);
    if (!isnan(options->margin))
        iv_result_note(out, "margin %g: p_above is the probability of a difference above it; "
                       "p_noninferior tests a difference of -%g or less, p_equivalent one of "
                       "%g or more either way; none of them is adjusted", options->margin,
                       options->margin, options->margin);
    if (marks)
        iv_result_note(out, "* p < 0.05, ** p < 0.01, *** p < 0.001 (%s)",
                       list[0].found != NULL && in->run_count > 2 ? "p_adjusted" : "p");
}

void compare_tell_intervals(iv_result *out, const compare_input *in, const compared *list,
                            size_t count)
{
    size_t by_t = 0;

    for (size_t m = 0; m < count; m++) {
        const iv_compared_run *runs;
        const size_t n = iv_comparison_runs(&runs, list[m].found);
        size_t here = 0;
        for (size_t r = 0; r < n; r++)
            here += runs[r].method == IV_INTERVAL_T;
        /* All of them: a measure that is not in [0, 1], unless it is estimated. */
        if (iv_comparison_shared(list[m].found) >= 2 && (in->sampled || here < n))
            by_t += here;
    }
    if (by_t > 0)
        iv_result_note(out, "intervals of means (table runs): logit, which needs values in "
                       "[0, 1]; t is used for %zu mean%s with %s outside it", by_t,
                       by_t == 1 ? "" : "s", in->sampled ? "estimates" : "scores");
}
