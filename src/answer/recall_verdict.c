/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is recall at least the target?  A claim has one side: it is shown when the lower limit
 * that holds by itself with the confidence reaches the target, refuted when the upper one
 * stays below it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/recall_parts.h"
#include "stat/recall/recall_yield.h"

/* The limits of a case, each by itself; where there is no recall, or may be none, anything. */
static int limits_of(iv_recall_interval *out, const iv_recall_told *t, const iv_segments *s,
                     iv_recall_posterior *w, iv_err *err)
{
    iv_recall_options how = t->how;

    if (how.method == IV_RECALL_ALL)
        how.method = IV_RECALL_BETABIN_WEIGHTED;
    how.one_sided = true;
    if (iv_recall_unfound(&(iv_recall_interval){ 0 }, s)) {
        *out = (iv_recall_interval){ 0.0, 1.0 };
        return IV_OK;
    }
    const int rc = iv_recall_interval_of(out, s, &how, w, err);
    if (rc != IV_ENODATA)
        return rc;
    *out = (iv_recall_interval){ 0.0, 1.0 };
    return IV_OK;
}

static iv_verdict verdict_of(iv_recall_interval x, double target)
{
    return x.lower >= target  ? IV_VERDICT_SHOWN
           : x.upper < target ? IV_VERDICT_OTHERWISE
                              : IV_VERDICT_OPEN;
}

/* ------------------------------------------------- what it would take -- */

/* Samples that are larger by a factor, at the rates that were seen. */
typedef struct larger {
    iv_stratum *strata; /* the retrieved, then the others */
    iv_segments segments;
    int64_t more;       /* documents than now */
} larger;

static void enlarge(larger *l, const iv_segments *now, double factor, bool retrieved)
{
    const size_t ones = now->retrieved_count, count = ones + now->unretrieved_count;

    l->more = 0;
    for (size_t i = 0; i < count; i++) {
        const iv_stratum s = i < ones ? now->retrieved[i] : now->unretrieved[i - ones];
        const double by = i < ones && !retrieved ? 1.0 : factor;
        const double sampled = fmin((double)s.size, ceil(by * (double)s.sampled));
        const double share = s.sampled > 0 ? (double)s.relevant / (double)s.sampled : 0.0;
        l->strata[i] = (iv_stratum){ s.size, (int64_t)sampled, (int64_t)rint(share * sampled) };
        l->more += l->strata[i].sampled - s.sampled;
    }
    l->segments = (iv_segments){ l->strata, l->strata + ones, ones, count - ones };
}

/* How many more documents decide it, in both segments or in the unretrieved alone; -1:
 * none that were tried. */
static int decide(int64_t *out, larger *l, const iv_recall_told *t, bool retrieved,
                  iv_recall_posterior *w, iv_err *err)
{
    const iv_segments *now = &t->cases[0].segments;
    double low = 1.0, high = NAN;
    iv_recall_interval x;

    *out = -1;
    for (int step = 0; step < 40; step++) {
        const double factor = isnan(high) ? 2.0 * low : sqrt(low * high);
        const int64_t before = l->more;
        enlarge(l, now, factor, retrieved);
        if (isnan(high) && step > 0 && l->more == before)
            return IV_OK; /* all are judged */
        const int rc = limits_of(&x, t, &l->segments, w, err);
        if (rc < 0)
            return rc;
        if (verdict_of(x, t->q->target) == IV_VERDICT_OPEN) {
            low = factor;
        } else {
            high = factor;
            *out = l->more;
        }
        if (high / low < 1.005)
            break;
    }
    return IV_OK;
}

static bool grows(const iv_stratum *s) { return s->sampled > 0 && s->sampled < s->size; }

static int take(iv_recall_claim *claim, const iv_recall_told *t, iv_recall_posterior *w, iv_err *err)
{
    const iv_segments *s = &t->cases[0].segments;
    larger l = { calloc(s->retrieved_count + s->unretrieved_count, sizeof *l.strata), { 0 }, 0 };
    int64_t both = -1, out = -1;

    if (l.strata == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    int rc = decide(&both, &l, t, true, w, err);
    if (rc == IV_OK)
        rc = decide(&out, &l, t, false, w, err);
    free(l.strata);
    claim->unretrieved_only = out >= 0 && (both < 0 || out <= both);
    claim->more = claim->unretrieved_only ? out : both;
    for (size_t i = 0; i < s->retrieved_count && !claim->unretrieved_only; i++)
        claim->grown += grows(&s->retrieved[i]);
    for (size_t i = 0; i < s->unretrieved_count; i++)
        claim->grown += grows(&s->unretrieved[i]);
    return rc;
}

int iv_recall_claims(iv_recall_claim **out, const iv_recall_told *t, iv_err *err)
{
    iv_recall_claim *claims = calloc(t->case_count + 1, sizeof *claims);
    iv_recall_posterior *w = NULL;
    int rc = claims == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
                            : iv_recall_posterior_new(&w, err);

    for (size_t i = 0; rc == IV_OK && i < t->case_count; i++) {
        rc = limits_of(&claims[i].limits, t, &t->cases[i].segments, w, err);
        claims[i].verdict = verdict_of(claims[i].limits, t->q->target);
        claims[i].more = -1;
    }
    /* What is watched is judged by what may be watched. */
    const bool watched = t->watched != NULL && t->watched->anytime;
    if (rc == IV_OK && watched) {
        claims[0].limits = t->watched->limits;
        claims[0].verdict = t->watched->e >= t->watched->needed
            ? IV_VERDICT_SHOWN : verdict_of(claims[0].limits, t->q->target);
    }
    if (rc == IV_OK && t->case_count == 1 && claims[0].verdict == IV_VERDICT_OPEN && !watched
        && t->q->looks == 0)
        rc = take(&claims[0], t, w, err);
    iv_recall_posterior_free(w);
    if (rc == IV_OK)
        *out = claims;
    else
        free(claims);
    return rc;
}

/* --------------------------------------------------- in the table -- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool is_of(const iv_review_interval *x, const iv_review_case *c)
{
    return same_text(x->of.run, c->run) && same_text(x->of.topic, c->topic)
        && x->of.cutoff == c->cutoff;
}

int iv_recall_rows(iv_recall_line **out, const iv_recall_told *t, iv_err *err)
{
    static const char *const words[] = { NULL, "certified", "refuted", "not shown" };
    const size_t count = t->found->interval_count;
    iv_recall_line *rows = calloc(count + 1, sizeof *rows);
    size_t at = 0; /* intervals are in the order of the cases, some of which have none */

    if (rows == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < count; i++) {
        const iv_review_interval *x = &t->found->intervals[i];
        rows[i] = (iv_recall_line){ *x, NULL, NAN };
        while (at < t->case_count && !is_of(x, &t->cases[at]))
            at++;
        if (t->claims == NULL || at == t->case_count
            || (t->method == IV_RECALL_ALL && x->of.number != IV_RECALL_BETABIN_WEIGHTED))
            continue;
        const iv_recall_claim *c = &t->claims[at];
        rows[i].verdict = words[c->verdict];
        rows[i].limit = c->verdict == IV_VERDICT_SHOWN       ? c->limits.lower
                        : c->verdict == IV_VERDICT_OTHERWISE ? c->limits.upper : (double)NAN;
    }
    *out = rows;
    return IV_OK;
}

/* --------------------------------------------------------- in words -- */

/* Up to two digits: more would be pretence. */
static int64_t rounded(int64_t n)
{
    int64_t unit = 1;

    while (n / unit >= 100)
        unit *= 10;
    return (n + unit - 1) / unit * unit;
}

/* The verdict is of one side; the interval that is told next is of two, and may hold the target. */
static void say_limit(iv_wording *w, const char *which, double limit, double percent)
{
    iv_say(w, "Its %s limit, at %g %% by itself, is %.3f. ", which, percent, limit);
}

static void say_one(iv_wording *w, const iv_recall_told *t)
{
    const iv_recall_claim *c = &t->claims[0];
    const double percent = 100.0 * t->confidence, target = t->q->target;
    const bool held = t->method == IV_RECALL_EXACT || (t->watched != NULL && t->watched->anytime);
    const char *average = held ? "" : ", an average over truths,";
    const double recall = iv_recall_estimate(&t->cases[0].segments);

    if (c->verdict == IV_VERDICT_SHOWN) {
        iv_say(w, "Yes, certified: with %.10g %% confidence%s recall is at least %g. ", percent,
               average, target);
        say_limit(w, "lower", c->limits.lower, percent);
    } else if (c->verdict == IV_VERDICT_OTHERWISE) {
        iv_say(w, "No, refuted: with %.10g %% confidence%s recall is below %g. ", percent, average,
               target);
        say_limit(w, "upper", c->limits.upper, percent);
    } else if (iv_recall_unfound(&(iv_recall_interval){ 0 }, &t->cases[0].segments)) {
        iv_say(w, "Not shown either way: no relevant document was found, and there may be no "
               "recall. ");
    } else {
        iv_say(w, "Not shown either way: with %.10g %% confidence recall may be %g or more, and may "
               "be less", percent, target);
        if (c->more > 0)
            iv_say(w, "; about %lld more %sdocuments, %swith relevant ones as frequent as so far, "
                   "would show that it is %s", (long long)rounded(c->more),
                   c->unretrieved_only ? "unretrieved " : "",
                   c->grown > 1 ? "added to every sample in proportion to its size and " : "",
                   recall >= target ? "so" : "less");
        iv_say(w, ". ");
    }
}

static void say_many(iv_wording *w, const iv_recall_told *t)
{
    size_t of[IV_VERDICT_OPEN + 1] = { 0 };

    for (size_t i = 0; i < t->case_count; i++)
        of[t->claims[i].verdict]++;
    iv_say(w, "That recall is at least %g, with %.10g %% confidence each, is certified for %zu of "
           "%zu, refuted for %zu, and not shown either way for %zu. ", t->q->target,
           100.0 * t->confidence, of[IV_VERDICT_SHOWN], t->case_count, of[IV_VERDICT_OTHERWISE],
           of[IV_VERDICT_OPEN]);
}

void iv_tell_second_look(iv_result *out, bool middling)
{
    iv_result_note(out, "Who judges more because of this answer looks twice, and errs more often than "
                   "one look does; limits that hold at any time, or planned looks, keep the "
                   "confidence.%s", middling ? " The number is a middling one: such a sample decides it "
                   "in about half of the reviews." : "");
}

void iv_recall_say_verdict(iv_result *out, iv_wording *w, const iv_recall_told *t)
{
    if (t->claims == NULL)
        return;
    if (t->case_count == 1 && t->claims[0].verdict == IV_VERDICT_OPEN && t->claims[0].more > 0)
        iv_tell_second_look(out, true);
    for (size_t i = 0; i < t->case_count; i++) {
        const iv_review_case *c = &t->cases[i];
        char whose[200] = "recall";
        if (t->ranked)
            (void)snprintf(whose, sizeof whose, "recall at %lld of topic %.100s",
                           (long long)c->cutoff, c->topic);
        else if (t->case_count > 1)
            (void)snprintf(whose, sizeof whose, "recall of %.100s", c->run);
        iv_result_verdict(out, t->claims[i].verdict, "%s is at least %g", whose, t->q->target);
    }
    if (t->case_count == 1)
        say_one(w, t);
    else
        say_many(w, t);
}
