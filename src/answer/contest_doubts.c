/* SPDX-License-Identifier: Apache-2.0 */
/* Where a comparison says less than it seems to. */
#include <math.h>

#include "answer/contest.h"
#include "answer/run_notes.h"
#include "base/listing.h"
#include "base/result.h"

/* Fewer topics than this that tell two runs apart are too few for a test of means. */
enum { VARIED_LEAST = 10 };

/* Pairs that almost always have the same difference. */
static void tell_sparse(const iv_contest *c, iv_result *out)
{
    const iv_compared_pair *pairs;
    const size_t n = iv_comparison_pairs(&pairs, c->found[0]);
    size_t few = 0;

    for (size_t i = 0; i < n; i++)
        few += pairs[i].varied > 0 && pairs[i].varied < VARIED_LEAST
            && pairs[i].found.n >= VARIED_LEAST;
    if (few > 0)
        iv_result_note(out, "%zu pair%s (of %s) one and the same difference, mostly none, on all "
                       "but fewer than %d %s: tests of means may err there more often than "
                       "they say", few, few == 1 ? " has" : "s have", c->measures[0],
                       (int)VARIED_LEAST, iv_contest_topic(c, 2));
}

/*
 * Near-copies beside others: no difference on a third of the topics or more, and a
 * spread that is small beside that of the pair that differs most.  Their differences are
 * those of a few topics, skewed as no sample shows it.
 */
static void tell_copies(const iv_contest *c, iv_result *out)
{
    const iv_compared_pair *pairs;
    const size_t n = iv_comparison_pairs(&pairs, c->found[0]);
    double widest = 0.0;
    size_t copies = 0;

    for (size_t i = 0; i < n; i++)
        widest = fmax(widest, pairs[i].found.sd);
    for (size_t i = 0; i < n; i++)
        copies += 3 * pairs[i].found.ties >= pairs[i].found.n && pairs[i].varied >= VARIED_LEAST
            && pairs[i].found.sd > 0.0 && pairs[i].found.sd <= 0.25 * widest;
    if (copies > 0)
        iv_result_note(out, "%zu pair%s near-copies, equal on a third of the %s or more and "
                       "little apart on the others; where scores are skewed such pairs are found "
                       "different too often (in 0.1 of sets at 0.05 on the worst collection tried)", copies,
                       copies == 1 ? " is of" : "s are of", iv_contest_topic(c, 2));
}

/* Pairs that have the same difference on all topics, or clusters of them: no interval but that
 * of shares. */
static void tell_constant(const iv_contest *c, iv_result *out)
{
    iv_listing where = { .most = 1 };

    for (size_t m = 0; m < c->measure_count; m++) {
        const iv_compared_pair *pairs;
        const size_t n = iv_comparison_pairs(&pairs, c->found[m]);
        for (size_t i = 0; i < n; i++)
            if (pairs[i].gap == IV_GAP_CONSTANT)
                iv_list(&where, "%.60s of %.100s and %.100s", c->measures[m],
                        c->runs[pairs[i].a], c->runs[pairs[i].b]);
    }
    if (where.count == 0)
        return;
    iv_result_note(out, "no interval for %s: all %s have the same difference, which says nothing "
                   "of other %s", iv_listed(&where), iv_contest_topic(c, 2), iv_contest_topic(c, 2));
    iv_result_about(out, "pairs");
}

/* Few answers that do not differ, or all alike, have no interval by t. */
static void tell_alike(const iv_contest *c, iv_result *out)
{
    size_t alike = 0;

    for (size_t m = 0; m < c->measure_count && !c->how.binary; m++) {
        const iv_compared_pair *pairs;
        const size_t n = iv_comparison_pairs(&pairs, c->found[m]);
        for (size_t i = 0; i < n; i++)
            alike += pairs[i].shares.items > 0.0;
    }
    if (alike == 0)
        return;
    iv_result_note(out, "%zu difference%s the same on all %s, of scores that are 0 or 1: %s "
                   "interval is that of shares, by Tango's method", alike,
                   alike == 1 ? " is" : "s are", iv_contest_topic(c, 2), alike == 1 ? "its" : "their");
    iv_result_about(out, "pairs");
}

/*
 * Tests that count arrangements of k topics have no p below 2^-k, twice that two-sided.
 * Times the number of pairs that may be too much for any pair to be called different.
 */
static void tell_few_topics(const iv_contest *c, iv_result *out)
{
    const iv_compared_pair *pairs;
    const size_t n = iv_comparison_pairs(&pairs, c->found[0]);
    const bool counted = c->how.tests[0] == IV_TEST_SIGN || c->how.tests[0] == IV_TEST_WILCOXON
        || c->how.tests[0] == IV_TEST_RANDOMISATION;
    const bool single = c->how.correction == IV_CORRECT_NONE || c->how.correction == IV_CORRECT_BH;
    size_t most = 0;

    for (size_t i = 0; i < n; i++) {
        const size_t moved = pairs[i].found.wins + pairs[i].found.losses;
        most = moved > most ? moved : most;
    }
    const double least = fmin(1.0, ldexp(c->how.alternative == IV_TWO_SIDED ? 2.0 : 1.0,
                                         -(int)fmin(1000.0, (double)most)));
    const double adjusted = fmin(1.0, least * (double)(single ? 1 : n));
    if (!counted || most == 0 || adjusted < 1.0 - c->how.confidence)
        return;
    if (n == 1 || single)
        iv_result_note(out, "%zu %s on which the %s differ cannot give a p below %.3g, so "
                       "that no difference can be shown, however large", most,
                       iv_contest_topic(c, most), iv_contest_run(c, 2), least);
    else
        iv_result_note(out, "at most %zu %s on which two %s differ cannot give a p below "
                       "%.3g, nor a p_adjusted below %.3g over %zu pairs: none can count as "
                       "different, however large the difference", most, iv_contest_topic(c, most),
                       iv_contest_run(c, 2), least, adjusted, n);
}

/* Limits that were moved to 0, of the intervals that are shown. */
static void tell_limits(const iv_contest *c, iv_result *out)
{
    size_t cut = 0, widened = 0, pairs_of_all = 0;

    for (size_t m = 0; m < c->measure_count; m++) {
        const iv_compared_pair *pairs;
        const size_t n = iv_comparison_pairs(&pairs, c->found[m]);
        for (size_t i = 0; i < n; i++) {
            cut += pairs[i].limit_adjusted == IV_LIMIT_CUT;
            widened += pairs[i].limit_adjusted == IV_LIMIT_WIDENED;
        }
        pairs_of_all = n;
    }
    if (cut > 0) {
        iv_result_note(out, "%zu interval%s held 0 where the test finds a difference%s: the limit "
                       "is shown as 0, which is excluded", cut, iv_plural(cut), pairs_of_all > 1
                       ? " (going step by step it finds more than intervals for all at once show)"
                       : "");
        iv_result_about(out, "pairs");
    }
    if (widened > 0) {
        iv_result_note(out, "%zu interval%s did not hold 0 where the test finds no difference: "
                       "widened to end there", widened, iv_plural(widened));
        iv_result_about(out, "pairs");
    }
}

/* Pairs whose error rests on few units. */
static void tell_few(const iv_contest *c, iv_result *out)
{
    const iv_compared_pair *pairs;
    const size_t n = iv_comparison_pairs(&pairs, c->found[0]);
    double least = INFINITY;

    for (size_t i = 0; i < n; i++)
        least = fmin(least, pairs[i].found.sd > 0.0 ? pairs[i].df : INFINITY);
    if (c->card.structured && least < IV_FEW_DEGREES)
        iv_result_note(out, "warning: differences have only %.3g effective degrees of freedom or "
                       "more: intervals and tests of so few may hold less often than they say",
                       least);
}

void iv_contest_tell_doubts(const iv_contest *c, iv_result *out)
{
    const iv_compared_pair *pairs;

    tell_few_topics(c, out);
    tell_sparse(c, out);
    tell_copies(c, out);
    tell_constant(c, out);
    tell_alike(c, out);
    tell_limits(c, out);
    if (iv_comparison_pairs(&pairs, c->found[0]) > 1 && iv_comparison_shared(c->found[0]) < 2)
        iv_result_note(out, "the %s together share fewer than two %s: there is no bootstrap "
                       "of ranks", iv_contest_run(c, 2), iv_contest_topic(c, 2));
    tell_few(c, out);
}
