/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison in a sentence a measure. */
#include <math.h>
#include <string.h>

#include "answer/answer_parts.h"
#include "answer/contest.h"
#include "answer/run_notes.h"
#include "stat/paired/significant.h"

enum { MOST = 6 }; /* runs that are named as no worse than the best */

static bool significant(const iv_contest *c, double p)
{
    return iv_significant(p, 1.0 - c->how.confidence);
}

/* --------------------------------------------------------------- one pair -- */

static void say_interval(iv_wording *t, const iv_contest *c, size_t m,
                         const iv_compared_pair *p, bool turned)
{
    const int digits = c->digits[m];
    const double level = 100.0 * c->how.confidence;

    if (isnan(p->lower))
        return;
    if (c->how.alternative == IV_TWO_SIDED)
        iv_say(t, ", %.10g %% interval %.*f to %.*f", level, digits,
               turned ? -p->upper : p->lower, digits, turned ? -p->lower : p->upper);
    else
        iv_say(t, ", with %.10g %% confidence %s - %s is at %s %.*f", level, c->runs[p->a],
               c->runs[p->b], c->how.alternative == IV_GREATER ? "least" : "most", digits,
               c->how.alternative == IV_GREATER ? p->lower : p->upper);
}

static void say_margin(iv_wording *t, const iv_contest *c, const iv_compared_pair *p)
{
    const double margin = fmax(0.0, c->how.margin);

    if (c->how.margin == 0.0)
        return;
    if (isnan(p->p_noninferior)) {
        iv_say(t, " There is no p beside the margin: one difference does not tell how others vary.");
        return;
    }
    iv_say(t, " P(%s - %s > %g) = %.3f; ", c->runs[p->a], c->runs[p->b], margin, p->p_above);
    if (!c->asked->not_worse) { /* else the verdict says it */
        iv_say(t, "%s is not worse than %s by more than %g: ", c->runs[p->a], c->runs[p->b], margin);
        iv_say_p(t, p->p_noninferior, NULL);
        iv_say(t, "; ");
    }
    iv_say(t, "equivalent within %g: ", margin);
    iv_say_p(t, p->p_equivalent, NULL);
    iv_say(t, p->found.sd == 0.0 && !(p->shares.items > 0.0)
           ? " (by sign flips around the margin: all differences are equal)." : ".");
}

/* "50 topics", and who lacks some that the other has. */
static void say_topics(iv_wording *t, const iv_contest *c, const iv_compared_pair *p)
{
    const size_t missing = p->only_a + p->only_b, all = p->items + missing;
    const bool items = c->asked->scores.given;

    iv_say(t, "%zu %s%s%s", p->items, items ? "item" : "topic", iv_plural(p->items), missing > 0 ? " that both have" : "");
    if (items && strcmp(iv_scorecard_unit(&c->card), "item") != 0)
        iv_say(t, " in %zu %ss", p->found.n, iv_scorecard_unit(&c->card));
    if (p->only_a > 0)
        iv_say(t, "; %s lacks %zu of %zu", c->runs[p->b], p->only_a, all);
    if (p->only_b > 0)
        iv_say(t, "; %s lacks %zu of %zu", c->runs[p->a], p->only_b, all);
    iv_say(t, ".");
}

/* By how much one mean is larger: what rounds to 0 and is not 0 is told so. */
static void say_amount(iv_wording *t, const iv_contest *c, size_t m, double amount)
{
    const double least = pow(10.0, -(double)c->digits[m]);
    const bool tiny = amount < 0.5 * least;

    iv_say(t, "%s%.*f %s", tiny ? "less than " : "", c->digits[m], tiny ? least : amount,
           c->measures[m]);
}

/* Which of the two is better, or that it is not known, and by how much. */
static void say_finding(iv_wording *t, const iv_contest *c, size_t m, const iv_compared_pair *p,
                        const iv_compared_test *k)
{
    const bool turned = p->found.mean < 0.0, equal = p->found.mean == 0.0;
    const char *a = c->runs[p->a], *b = c->runs[p->b], *ahead = turned ? b : a;
    const char *sides[] = { "", "better", "worse" };
    const bool found = significant(c, k->test.p);

    if (found && equal)
        iv_say(t, "The test finds %s better", k->direction > 0 ? a : b);
    else if (found && k->direction == (turned ? 1 : -1))
        iv_say(t, "The test finds %s better, but the mean of %s is larger by ",
               k->direction > 0 ? a : b, ahead);
    else if (found)
        iv_say(t, "%s beats %s by ", k->direction > 0 ? a : b, k->direction > 0 ? b : a);
    else if (c->how.alternative != IV_TWO_SIDED)
        iv_say(t, "%s is not shown to be %s than %s", a, sides[c->how.alternative], b);
    else
        iv_say(t, "%s and %s cannot be told apart", a, b);
    if (equal)
        iv_say(t, "%s their means are equal in %s", found ? ", but" : ":", c->measures[m]);
    else if (!found)
        iv_say(t, ": %s is ahead by ", ahead);
    if (!equal)
        say_amount(t, c, m, fabs(p->found.mean));
}

static void say_pair(iv_wording *t, const iv_contest *c, size_t m)
{
    const iv_compared_pair *p;
    const iv_compared_test *k;

    (void)iv_comparison_pairs(&p, c->found[m]);
    (void)iv_comparison_tests(&k, c->found[m], 0);
    if (p->same) {
        iv_say(t, "%s and %s are equal in %s on all ", c->runs[p->a], c->runs[p->b],
               c->measures[m]);
    } else {
        say_finding(t, c, m, p, k);
        say_interval(t, c, m, p, p->found.mean < 0.0);
        iv_say(t, ", ");
        iv_say_p(t, k->test.p, k->test.why);
        iv_say(t, "; ");
    }
    say_topics(t, c, p);
    say_margin(t, c, p);
}

/* ------------------------------------------------------------- many pairs -- */

/* Of the pairs with one baseline, or of all: how many differ, and which way. */
typedef struct tally {
    size_t pairs, differ;
    size_t better, worse; /* a than b */
} tally;

static tally count_pairs(const iv_contest *c, size_t m, size_t baseline)
{
    const iv_compared_pair *p;
    const size_t pairs = iv_comparison_pairs(&p, c->found[m]);
    tally n = { 0 };

    for (size_t i = 0; i < pairs; i++) {
        const iv_compared_test *k;
        (void)iv_comparison_tests(&k, c->found[m], i);
        if (baseline != IV_NONE && p[i].a != baseline && p[i].b != baseline)
            continue;
        n.pairs++;
        if (!significant(c, k->p_adjusted))
            continue;
        const int way = p[i].a == baseline ? -k->direction : k->direction;
        n.differ++;
        n.better += way > 0;
        n.worse += way < 0;
    }
    return n;
}

/* How the run of largest mean stands to another by the first test: 1 better, -1 worse,
 * 0 cannot be told. */
static int stands(const iv_contest *c, size_t m, size_t best, size_t other)
{
    const iv_compared_test *k;
    const size_t a = best < other ? best : other, b = best < other ? other : best;

    (void)iv_comparison_tests(&k, c->found[m], iv_pair_index(c->run_count, a, b));
    return !significant(c, k->p_adjusted) ? 0 : a == best ? k->direction : -k->direction;
}

/* Names the runs that stand so to the best one, in the order of their means. */
static void name_runs(iv_wording *t, const iv_contest *c, size_t m, size_t best, int how,
                      size_t count)
{
    const iv_compared_run *runs;
    const size_t n = iv_comparison_runs(&runs, c->found[m]);
    size_t named = 0;

    for (size_t rank = 1; rank <= n && named < MOST; rank++) {
        for (size_t r = 0; r < n && named < MOST; r++) {
            if (r != best && runs[r].rank == rank && stands(c, m, best, r) == how)
                iv_say(t, "%s%s", named++ > 0 ? ", " : "", c->runs[r]);
        }
    }
    iv_say_more(t, count, MOST);
}

/* The best run; of all pairs, two-sided, also those that might as well be. */
static void say_best(iv_wording *t, const iv_contest *c, size_t m)
{
    const iv_compared_run *runs;
    const size_t n = iv_comparison_runs(&runs, c->found[m]);
    const bool all = c->how.baseline_count == 0 && c->how.alternative == IV_TWO_SIDED;
    size_t best = 0, first = 0, peers = 0, better = 0;

    for (size_t r = 1; r < n; r++)
        best = runs[r].rank < runs[best].rank ? r : best;
    for (size_t r = 0; all && r < n; r++) {
        peers += r != best && stands(c, m, best, r) == 0;
        better += r != best && stands(c, m, best, r) < 0;
    }
    for (size_t r = 0; r < n; r++)
        first += runs[r].rank == 1;
    if (first == n)
        iv_say(t, "All %zu have the same mean, %.*f %s", n, c->digits[m], runs[best].mean,
               c->measures[m]);
    else if (first > 1)
        iv_say(t, "%s and %zu other%s have the largest mean, %.*f %s", c->runs[best], first - 1,
               first == 2 ? "" : "s", c->digits[m], runs[best].mean, c->measures[m]);
    else
        iv_say(t, "%s has the largest mean, %.*f %s", c->runs[best], c->digits[m],
               runs[best].mean, c->measures[m]);
    if (all && peers + better == 0)
        iv_say(t, ", and beats all others");
    if (peers > 0 && first < n) {
        iv_say(t, "; %zu other%s cannot be told apart from %s: ", peers, peers == 1 ? "" : "s",
               first > 1 ? c->runs[best] : "it");
        name_runs(t, c, m, best, 0, peers);
    }
    if (better > 0) {
        iv_say(t, "; the test finds %zu better: ", better);
        name_runs(t, c, m, best, -1, better);
    }
    iv_say(t, ".");
}

static const char *corrected(const iv_contest *c, size_t m)
{
    static const char *const words[] = { "", "not corrected for many tests",
                                         "Bonferroni's correction", "Holm's correction",
                                         "Benjamini and Hochberg's correction",
                                         "Tukey's correction", "Shaffer's correction" };
    const iv_compared_test *k;

    (void)iv_comparison_tests(&k, c->found[m], 0);
    return words[k->correction];
}

/* Each run against the baselines, one after the other. */
static void say_baselines(iv_wording *t, const iv_contest *c, size_t m)
{
    static const char *const sides[] = { "differ", "better", "worse" };
    const iv_alternative side = c->how.alternative;
    const iv_compared_pair *pairs;

    for (size_t k = 0; k < c->how.baseline_count; k++) {
        const size_t base = c->how.baselines[k];
        const tally n = count_pairs(c, m, base);
        iv_say(t, "%s%zu of %zu %s ", k > 0 ? ", " : "", n.differ, n.pairs,
               iv_contest_run(c, n.pairs));
        if (side == IV_TWO_SIDED)
            iv_say(t, "differ%s from %s in %s (%zu better, %zu worse", n.differ == 1 ? "s" : "",
                   c->runs[base], c->measures[m], n.better, n.worse);
        else
            iv_say(t, "%s shown to be %s than %s in %s", n.differ == 1 ? "is" : "are", sides[side],
                   c->runs[base], c->measures[m]);
        if (c->how.baseline_count == 1)
            iv_say(t, "%s%s). ", side == IV_TWO_SIDED ? "; " : " (", corrected(c, m));
        else if (side == IV_TWO_SIDED)
            iv_say(t, ")");
    }
    if (c->how.baseline_count > 1)
        iv_say(t, "; %s over %zu pairs. ", corrected(c, m),
               iv_comparison_pairs(&pairs, c->found[m]));
}

/* Runs that lack topics which others have. */
static void say_missing(iv_wording *t, const iv_contest *c)
{
    size_t lacking = 0, most = 0, which = 0;

    for (size_t r = 0; r < c->run_count; r++) {
        const size_t n = iv_contest_lacks(c, r);
        lacking += n > 0;
        if (n > most) {
            most = n;
            which = r;
        }
    }
    if (lacking == 1)
        iv_say(t, " %s lacks %zu of %zu %s.", c->runs[which], most, c->topic_count,
               iv_contest_topic(c, c->topic_count));
    else if (lacking > 1)
        iv_say(t, " %zu %s lack %s, most of all %s: %zu of %zu.", lacking,
               iv_contest_run(c, lacking), iv_contest_topic(c, 2), c->runs[which], most,
               c->topic_count);
}

static void say_many(iv_wording *t, const iv_contest *c, size_t m)
{
    static const char *const sides[] = { "", "larger", "smaller" };
    const tally n = count_pairs(c, m, IV_NONE);

    if (c->how.baseline_count > 0)
        say_baselines(t, c, m);
    else if (c->how.alternative == IV_TWO_SIDED)
        iv_say(t, "%zu of %zu pairs of %zu %s differ%s in %s (%s). ", n.differ, n.pairs,
               c->run_count, iv_contest_run(c, c->run_count), n.differ == 1 ? "s" : "", c->measures[m], corrected(c, m));
    else
        iv_say(t, "In %zu of %zu pairs of %zu %s the first is shown to be %s in %s (%s). ",
               n.differ, n.pairs, c->run_count, iv_contest_run(c, c->run_count), sides[c->how.alternative], c->measures[m],
               corrected(c, m));
    say_best(t, c, m);
    say_missing(t, c);
}

void iv_contest_tell_answer(const iv_contest *c, iv_result *out)
{
    enum { SENTENCES = 3 };
    iv_wording t = { .len = 0 };

    if (c->asked->not_worse)
        iv_contest_say_gate(&t, c, out);
    for (size_t m = 0; m < c->measure_count && m < SENTENCES; m++) {
        const iv_compared_pair *pairs;
        iv_say(&t, "%s", m > 0 ? " " : "");
        if (iv_comparison_pairs(&pairs, c->found[m]) == 1)
            say_pair(&t, c, m);
        else
            say_many(&t, c, m);
        if (c->evaluation != NULL && iv_none_relevant(iv_evaluation_view(c->evaluation), m))
            iv_say(&t, " No judgment reaches the grade that counts as relevant: this says nothing of the "
                   "%s.", iv_contest_run(c, 2));
        if (iv_contest_too_few(c, m))
            iv_say(&t, " No test is trusted in %s, since %s.", c->measures[m],
                   iv_interval_gap_text(IV_GAP_FEW));
    }
    iv_result_answer(out, "%s", t.at);
}
