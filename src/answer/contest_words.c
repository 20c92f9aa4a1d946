/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison in a sentence a measure. */
#include <math.h>

#include "answer/answer_parts.h"
#include "answer/contest.h"
#include "stat/paired/significant.h"

enum { MOST = 6 }; /* runs that are named as no worse than the best */

static bool significant(const iv_contest *c, double p)
{
    return iv_significant(p, 1.0 - c->how.confidence);
}

/* --------------------------------------------------------------- one pair -- */

/* +1: a is the larger one by what the first test looks at. */
static int sign_of_pair(const iv_compared_pair *p, iv_pair_test kind)
{
    if (kind == IV_TEST_SIGN)
        return (p->found.wins > p->found.losses) - (p->found.wins < p->found.losses);
    return (p->found.mean > 0.0) - (p->found.mean < 0.0);
}

static void say_interval(iv_wording *t, const iv_contest *c, size_t m,
                         const iv_compared_pair *p, bool turned)
{
    const int digits = c->digits[m];

    if (!isnan(p->lower))
        iv_say(t, ", %s%.4g %% interval %.*f to %.*f",
            c->how.alternative != IV_TWO_SIDED ? "two-sided " : "", 100.0 * c->how.confidence, digits,
            turned ? -p->upper : p->lower, digits, turned ? -p->lower : p->upper);
}

static void say_margin(iv_wording *t, const iv_contest *c, const iv_compared_pair *p)
{
    const double margin = fmax(0.0, c->how.margin);

    if (c->how.margin == 0.0 || isnan(p->p_above))
        return;
    iv_say(t, " P(difference > %g) = %.3f; %s is not worse than %s by more than %g: ", margin,
        p->p_above, c->runs[p->a], c->runs[p->b], margin);
    iv_say_p(t, p->p_noninferior, NULL);
    iv_say(t, "; equivalent within %g: ", margin);
    iv_say_p(t, p->p_equivalent, NULL);
    iv_say(t, ".");
}

static void say_pair(iv_wording *t, const iv_contest *c, size_t m)
{
    const iv_compared_pair *p;
    const iv_compared_test *k;
    const char *measure = c->measures[m];
    const int digits = c->digits[m];

    (void)iv_comparison_pairs(&p, c->found[m]);
    (void)iv_comparison_tests(&k, c->found[m], 0);
    const bool turned = p->found.mean < 0.0;
    const char *ahead = c->runs[turned ? p->b : p->a], *behind = c->runs[turned ? p->a : p->b];
    const bool found = significant(c, k->test.p);
    const int shown = c->how.alternative == IV_GREATER ? 1 : c->how.alternative == IV_LESS ? -1
        : sign_of_pair(p, k->kind);
    if (p->found.wins + p->found.losses == 0) {
        iv_say(t, "%s and %s are equal in %s on all %zu topics.", c->runs[p->a], c->runs[p->b],
            measure, p->found.n);
        return;
    }
    if (found && shown == (turned ? 1 : -1))
        iv_say(t, "The test finds %s better, but the mean of %s is larger by ",
            c->runs[shown > 0 ? p->a : p->b], ahead);
    else if (found)
        iv_say(t, "%s beats %s by ", ahead, behind);
    else if (c->how.alternative != IV_TWO_SIDED)
        iv_say(t, "%s is not shown to be %s than %s: %s is ahead by ", c->runs[p->a],
            c->how.alternative == IV_GREATER ? "better" : "worse", c->runs[p->b], ahead);
    else
        iv_say(t, "%s and %s cannot be told apart: %s is ahead by ", c->runs[p->a],
            c->runs[p->b], ahead);
    iv_say(t, "%.*f %s", digits, fabs(p->found.mean), measure);
    say_interval(t, c, m, p, turned);
    iv_say(t, ", ");
    iv_say_p(t, k->test.p, k->test.why);
    iv_say(t, "; %zu topics.", p->found.n);
    say_margin(t, c, p);
}

/* ------------------------------------------------------------- many pairs -- */

typedef struct tally {
    size_t pairs, differ;
    size_t better, worse; /* than the baseline */
} tally;

static tally count_pairs(const iv_contest *c, size_t m)
{
    const iv_compared_pair *p;
    tally n = { .pairs = iv_comparison_pairs(&p, c->found[m]) };

    for (size_t i = 0; i < n.pairs; i++) {
        const iv_compared_test *k;
        (void)iv_comparison_tests(&k, c->found[m], i);
        if (!significant(c, k->p_adjusted))
            continue;
        n.differ++;
        n.better += sign_of_pair(&p[i], k->kind) > 0;
        n.worse += sign_of_pair(&p[i], k->kind) < 0;
    }
    return n;
}

/* Do two runs share a letter? */
static bool share_letter(const char *a, const char *b, bool two)
{
    while (*a != '\0') {
        size_t mine, other, len;
        a = iv_next_letter(&mine, &len, a, two);
        for (const char *at = b; *at != '\0';) {
            at = iv_next_letter(&other, &len, at, two);
            if (other == mine)
                return true;
        }
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
static void say_best(iv_wording *t, const iv_contest *c, size_t m)
{
    const iv_compared_run *runs;
    const size_t n = iv_comparison_runs(&runs, c->found[m]), groups = iv_comparison_groups(c->found[m]);
    size_t best = 0, peers = 0, named = 0;

    for (size_t r = 1; r < n; r++)
        best = runs[r].rank < runs[best].rank ? r : best;
    for (size_t r = 0; r < n; r++)
        peers += r != best && is_peer(runs, r, best, groups);
    iv_say(t, "%s has the largest mean, %.*f %s", c->runs[best], c->digits[m],
        runs[best].mean, c->measures[m]);
    if (peers == 0) {
        iv_say(t, ", and beats all others.");
        return;
    }
    iv_say(t, "; %zu other%s cannot be told apart from it: ", peers, peers == 1 ? "" : "s");
    for (size_t rank = 1; rank <= n && named < MOST; rank++) {
        for (size_t r = 0; r < n && named < MOST; r++) {
            if (r != best && runs[r].rank == rank && is_peer(runs, r, best, groups))
                iv_say(t, "%s%s", named++ > 0 ? ", " : "", c->runs[r]);
        }
    }
    iv_say_more(t, peers, MOST);
    iv_say(t, ".");
}

static void say_many(iv_wording *t, const iv_contest *c, size_t m)
{
    static const char *const corrected[] = { "", "not corrected for many tests",
                                             "Bonferroni's correction", "Holm's correction",
                                             "Benjamini and Hochberg's correction",
                                             "Tukey's correction",
                                             "Shaffer's correction" };
    const tally n = count_pairs(c, m);
    const iv_compared_test *k;

    (void)iv_comparison_tests(&k, c->found[m], 0);
    if (c->how.baseline != IV_NO_BASELINE) {
        iv_say(t, "%zu of %zu runs differ%s from %s in %s (%zu better, %zu worse; %s). ", n.differ,
            n.pairs, n.differ == 1 ? "s" : "", c->runs[c->how.baseline - 1], c->measures[m], n.better, n.worse,
            corrected[k->correction]);
    } else {
        iv_say(t, "%zu of %zu pairs of %zu runs differ%s in %s (%s). ", n.differ, n.pairs,
            c->run_count, n.differ == 1 ? "s" : "", c->measures[m], corrected[k->correction]);
    }
    say_best(t, c, m);
}

void iv_contest_tell_answer(const iv_contest *c, iv_result *out)
{
    enum { SENTENCES = 3 };
    iv_wording t = { .len = 0 };

    for (size_t m = 0; m < c->measure_count && m < SENTENCES; m++) {
        const iv_compared_pair *pairs;
        iv_say(&t, "%s", m > 0 ? " " : "");
        if (iv_comparison_pairs(&pairs, c->found[m]) == 1)
            say_pair(&t, c, m);
        else
            say_many(&t, c, m);
    }
    iv_result_answer(out, "%s", t.at);
}
