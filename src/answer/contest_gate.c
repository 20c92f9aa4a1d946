/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The claim that no run is worse than the baseline by more than the margin: shown, shown
 * otherwise, or open; one-sided, adjusted for the number of runs.
 *
 * That all pass needs no correction over measures, for each must pass by itself; that one
 * of them fails does.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/contest.h"
#include "answer/answer_parts.h"
#include "intervale/num.h"
#include "stat/paired/paired_parts.h"
#include "stat/paired/significant.h"

/* p of the two one-sided hypotheses of a pair: at most -margin; at least -margin. */
typedef struct sides {
    double worse, not_worse;
} sides;

static sides test_pair(const iv_compared_pair *p, double margin)
{
    if (p->same)
        return (sides){ 0.0, 1.0 }; /* nothing is worse */
    return (sides){ iv_pair_beyond(p, -margin, IV_GREATER), iv_pair_beyond(p, -margin, IV_LESS) };
}

/* Items of the baseline that the run has not. */
static size_t lost(const iv_compared_pair *p) { return p->only_b; }

/* A claim says what was found: "is not worse: shown otherwise" is read as a pass. */
#define WHETHER "Whether "
#define WORSE " is worse than "

static void say_claim(const iv_contest *c, size_t m, const iv_compared_pair *p, iv_verdict v,
                      double decides, iv_result *out)
{
    const double margin = fmax(0.0, c->how.margin);
    char missing[80] = "", by[160];

    if (lost(p) > 0)
        (void)snprintf(missing, sizeof missing, "; it lacks %zu of the baseline's %s", lost(p),
                       iv_contest_topic(c, 2));
    if (iv_contest_too_few(c, m))
        (void)snprintf(by, sizeof by, "%s", iv_interval_gap_text(IV_GAP_FEW));
    else if (p->same)
        (void)snprintf(by, sizeof by, "no score differs");
    else
        (void)snprintf(by, sizeof by, "p = %.2g", decides);
    iv_result_verdict(out, v, "%s%s%s%s in %s by more than %g%s (%s%s)",
                      v == IV_VERDICT_OPEN ? WHETHER : "", c->runs[p->a],
                      v == IV_VERDICT_SHOWN ? " is not worse than " : WORSE, c->runs[p->b],
                      c->measures[m], margin, v == IV_VERDICT_OPEN ? " cannot be told" : "", by,
                      missing);
}

static iv_verdict decide(const iv_contest *c, size_t m, const iv_compared_pair *p,
                         double not_worse, double worse)
{
    const double alpha = 1.0 - c->how.confidence;

    if (iv_contest_too_few(c, m))
        return IV_VERDICT_OPEN;
    if (iv_significant(worse, alpha))
        return IV_VERDICT_OTHERWISE;
    return iv_significant(not_worse, alpha) && lost(p) == 0 ? IV_VERDICT_SHOWN : IV_VERDICT_OPEN;
}

/* What was not seen has no part in any p: few losses, large ones, may be on other items only. */
static void tell_unseen(iv_result *out, const iv_contest *c, size_t fewest)
{
    const double unseen = 1.0 - pow(1.0 - c->how.confidence, 1.0 / (double)fewest);

    if (fewest < SIZE_MAX && unseen >= 0.01)
        iv_result_note(out, "losses that only up to %.1f %% of all %s have may be on none of these %zu "
                       "(%g %% confidence), and no p knows of them", 100.0 * unseen,
                       iv_contest_topic(c, 2), fewest,
                       100.0 * c->how.confidence);
}

int iv_contest_gate(const iv_contest *c, iv_result *out, iv_err *err)
{
    const iv_compared_pair *pairs;
    const size_t n = iv_comparison_pairs(&pairs, c->found[0]), M = c->measure_count;
    size_t fewest = SIZE_MAX;

    if (!c->asked->not_worse)
        return IV_OK;
    double *worse = malloc((2 * M * n + 1) * sizeof *worse), *not_worse = worse + M * n;
    int rc = worse == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    for (size_t m = 0; rc == IV_OK && m < M; m++) {
        (void)iv_comparison_pairs(&pairs, c->found[m]);
        for (size_t i = 0; i < n; i++) {
            const sides p = test_pair(&pairs[i], fmax(0.0, c->how.margin));
            not_worse[m * n + i] = p.worse;
            worse[m * n + i] = p.not_worse;
        }
        rc = iv_adjust(not_worse + m * n, not_worse + m * n, n, IV_CORRECT_HOLM, err);
    }
    if (rc == IV_OK)
        rc = iv_adjust(worse, worse, M * n, IV_CORRECT_HOLM, err);
    for (size_t k = 0; rc == IV_OK && k < M * n; k++) {
        (void)iv_comparison_pairs(&pairs, c->found[k / n]);
        const iv_compared_pair *p = &pairs[k % n];
        const iv_verdict v = decide(c, k / n, p, not_worse[k], worse[k]);
        say_claim(c, k / n, p, v, v == IV_VERDICT_OTHERWISE ? worse[k] : not_worse[k], out);
        if (v == IV_VERDICT_SHOWN && !p->same && !(p->shares.items > 0.0) && p->items < fewest)
            fewest = p->items;
    }
    tell_unseen(out, c, fewest);
    free(worse);
    return rc;
}

static bool claims_that(const char *claim, iv_verdict v)
{
    const bool open = strncmp(claim, WHETHER, sizeof WHETHER - 1) == 0;

    return v == IV_VERDICT_OPEN ? open : !open && strstr(claim, WORSE) != NULL;
}

/* Of several claims: the first that decides, and how many more do. */
static void say_deciding(iv_wording *t, const char *const *claims, size_t count, iv_verdict v)
{
    size_t more = 0;
    const char *first = NULL;

    for (size_t i = 0; i < count; i++) {
        if (!claims_that(claims[i], v))
            continue;
        more += first != NULL;
        first = first != NULL ? first : claims[i];
    }
    if (first != NULL)
        iv_say(t, "%.300s", first);
    if (more > 0)
        iv_say(t, ", and %zu more", more);
    if (first != NULL)
        iv_say(t, ". ");
}

/* Has every run the baseline's scores? */
static bool all_same(const iv_contest *c)
{
    for (size_t m = 0; m < c->measure_count; m++) {
        const iv_compared_pair *pairs;
        const size_t n = iv_comparison_pairs(&pairs, c->found[m]);
        for (size_t i = 0; i < n; i++)
            if (!pairs[i].same)
                return false;
    }
    return true;
}

/* The verdict as the first sentence. */
void iv_contest_say_gate(iv_wording *t, const iv_contest *c, const iv_result *out)
{
    const char *const *claims;
    size_t count;
    const iv_verdict v = iv_result_has_verdict(&claims, &count, out);
    const char *what = v == IV_VERDICT_SHOWN ? "PASS" : v == IV_VERDICT_OTHERWISE ? "FAIL" : "OPEN";
    const char *begins = v == IV_VERDICT_SHOWN ? "no" : v == IV_VERDICT_OTHERWISE ? "a"
        : "it cannot be told whether a";

    iv_say(t, "%s: %s %s is %sworse than the baseline by more than %g ", what, begins,
           iv_contest_run(c, 1), v == IV_VERDICT_OTHERWISE ? "shown to be " : "",
           fmax(0.0, c->how.margin));
    if (v == IV_VERDICT_SHOWN && all_same(c)) /* no sample speaks for others by that */
        iv_say(t, "on these %s, where all scores are the same; that says nothing with confidence "
               "about others. ", iv_contest_topic(c, 2));
    else
        iv_say(t, "(%.10g %% confidence, one-sided%s%s). ", 100.0 * c->how.confidence,
               c->run_count > 2 ? ", adjusted for the number of " : "",
               c->run_count > 2 ? iv_contest_run(c, 2) : "");
    if (v != IV_VERDICT_SHOWN)
        say_deciding(t, claims, count, v);
}
