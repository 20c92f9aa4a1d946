/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verdict on a target, the answer in a sentence, the notes and the method of recall.
 *
 * A claim is one-sided: it is shown when the one-sided lower limit reaches the target, refuted
 * when the upper one stays below it.  "Yes" and "No" are reserved for guaranteed limits.
 */
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/ties.h"
#include "result/answering.h"
#include "result/cautions.h"
#include "result/methods.h"
#include "result/wording.h"
#include "review/recall.h"
#include "stat/recall/recall_methods.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------- claims -- */

static bool is_whole(const iv_stratum *strata, size_t count)
{
    return iv_strata_sampled(strata, count) == iv_strata_size(strata, count);
}

/* One case, of which every document is judged. */
static bool all_judged(const iv_recall_state *t)
{
    const iv_segments *s = &t->cases[0].segments;

    return t->case_count == 1 && is_whole(s->retrieved, s->retrieved_count)
           && is_whole(s->unretrieved, s->unretrieved_count);
}

bool iv_recall_is_guaranteed(const iv_recall_state *t)
{
    return t->method == IV_RECALL_EXACT || all_judged(t) || t->q->stopping.anytime;
}

const char *iv_recall_verdict_word(iv_verdict verdict, bool guaranteed)
{
    return verdict == IV_VERDICT_SHOWN       ? (guaranteed ? "yes" : "probably yes")
           : verdict == IV_VERDICT_OTHERWISE ? (guaranteed ? "no" : "probably no")
                                             : "inconclusive";
}

/* The one-sided limits of a case; NaN where there is no recall, or may be none. */
static int limits_of(iv_limits *out, const iv_recall_state *t, const iv_segments *s,
                     iv_recall_method method, iv_recall_posterior *w, iv_err *err)
{
    iv_recall_options how = t->how;

    how.method = method == IV_RECALL_ALL ? IV_RECALL_AUTO : method;
    how.one_sided = true;
    if (how.method == IV_RECALL_EXACT)
        how.a = how.b = 0.0;
    const int rc = iv_recall_unfound(out, s) ? IV_ENODATA
        : iv_recall_interval_of(out, s, &how, w, err);
    if (rc != IV_ENODATA)
        return rc;
    *out = (iv_limits){ NAN, NAN };
    return IV_OK;
}

/* Samples enlarged by a factor, at the rates that were seen: strata, the retrieved first.  Returns
 * how many documents more these are. */
static int64_t enlarge(iv_stratum *strata, const iv_segments *now, double factor, bool retrieved)
{
    const size_t ones = now->retrieved_count, count = ones + now->unretrieved_count;
    int64_t more = 0;

    for (size_t i = 0; i < count; i++) {
        const iv_stratum s = i < ones ? now->retrieved[i] : now->unretrieved[i - ones];
        const double by = i < ones && !retrieved ? 1.0 : factor;
        const double sampled = fmin((double)s.size, ceil(by * (double)s.sampled));
        const double share = s.sampled > 0 ? (double)s.relevant / (double)s.sampled : 0.0;
        strata[i] = (iv_stratum){ s.size, (int64_t)sampled, (int64_t)rint(share * sampled) };
        more += strata[i].sampled - s.sampled;
    }
    return more;
}

/* How many more documents decide it, in both segments or in the unretrieved one alone; -1: no
 * number that was tried. */
static int decide(int64_t *out, iv_stratum *strata, const iv_recall_state *t, bool retrieved,
                  iv_recall_posterior *w, iv_err *err)
{
    const iv_segments *now = &t->cases[0].segments;
    const iv_segments larger = { strata, strata + now->retrieved_count, now->retrieved_count,
                                 now->unretrieved_count };
    double low = 1.0, high = NAN;
    int64_t more = 0;
    iv_limits x;

    *out = -1;
    for (int step = 0; step < 40; step++) {
        const double factor = isnan(high) ? 2.0 * low : sqrt(low * high);
        const int64_t before = more;
        more = enlarge(strata, now, factor, retrieved);
        if (isnan(high) && step > 0 && more == before)
            return IV_OK; /* all are judged */
        IV_TRY(limits_of(&x, t, &larger, t->method, w, err));
        if (iv_recall_verdict(x, t->q->target) == IV_VERDICT_OPEN) {
            low = factor;
        } else {
            high = factor;
            *out = more;
        }
        if (high / low < 1.02)
            break;
    }
    return IV_OK;
}

static int find_more(iv_recall_claim *claim, const iv_recall_state *t, iv_recall_posterior *w,
                     iv_result *result, iv_err *err)
{
    const iv_segments *s = &t->cases[0].segments;
    iv_stratum *room = iv_take(iv_result_own(result), s->retrieved_count + s->unretrieved_count,
                               sizeof *room);
    int64_t both = -1, out = -1;

    IV_TRY(iv_taken(iv_result_own(result), err));
    IV_TRY(decide(&both, room, t, true, w, err));
    IV_TRY(decide(&out, room, t, false, w, err));
    claim->unretrieved_only = out >= 0 && (both < 0 || out <= both);
    claim->more = claim->unretrieved_only ? out : both;
    return IV_OK;
}

/* What the guaranteed limits say where the default says yes or no. */
static int compare_guaranteed(iv_recall_claim *c, const iv_recall_state *t, iv_recall_posterior *w,
                              iv_err *err)
{
    iv_limits x;

    if (c->verdict == IV_VERDICT_OPEN || iv_recall_is_guaranteed(t))
        return IV_OK;
    IV_TRY(limits_of(&x, t, &t->cases[0].segments, IV_RECALL_EXACT, w, err));
    c->guaranteed = iv_recall_verdict(x, t->q->target);
    c->guaranteed_lower = x.lower;
    return IV_OK;
}

IV_ENDS(recall_posterior)

int iv_recall_claims(iv_recall_state *t, iv_result *out, iv_err *err)
{
    iv_recall_claim *claims = iv_take(iv_result_own(out), t->case_count + 1, sizeof *claims);
    iv_recall_posterior *w = NULL;

    IV_TRY(iv_taken(iv_result_own(out), err));
    IV_TRY(iv_recall_posterior_new(&w, err));
    IV_TRY(IV_KEEP(out, recall_posterior, w, err));
    for (size_t i = 0; i < t->case_count; i++) {
        if (t->cases[i].weighted)
            claims[i].limits = iv_review_weighted(&t->cases[i], t->confidence, true);
        else
            IV_TRY(limits_of(&claims[i].limits, t, &t->cases[i].segments, t->method, w, err));
        claims[i].verdict = iv_recall_verdict(claims[i].limits, t->q->target);
        claims[i].more = -1;
    }
    if (t->q->stopping.anytime) {
        claims[0].limits = t->limits;
        claims[0].verdict = t->e >= t->needed
            ? IV_VERDICT_SHOWN : iv_recall_verdict(claims[0].limits, t->q->target);
    }
    for (size_t i = 0; i < t->case_count; i++) {
        claims[i].claim = iv_recall_claim_of("recall", NAN, claims[i].limits, t->q->target,
                                             t->confidence);
        if (t->q->stopping.anytime && claims[i].verdict == IV_VERDICT_SHOWN) /* by the e-value */
            claims[i].claim.p = t->e >= t->needed ? 0.0 : (double)NAN;
        if (!t->cases[i].weighted)
            claims[i].claim.estimate = iv_recall_estimate(&t->cases[i].segments);
        claims[i].claim.strength = iv_recall_is_guaranteed(t) ? IV_STRENGTH_GUARANTEED
                                                              : IV_STRENGTH_DEFAULT;
    }
    t->claims = claims;
    if (t->case_count > 1 || t->cases[0].weighted)
        return IV_OK;
    IV_TRY(compare_guaranteed(&claims[0], t, w, err));
    const iv_recall_stopping *how = &t->q->stopping;
    return claims[0].verdict == IV_VERDICT_OPEN && !how->anytime && how->looks == 0
        ? find_more(&claims[0], t, w, out, err) : IV_OK;
}

/* ---------------------------------------------------------------- answer -- */

static bool stratified(const iv_recall_state *t)
{
    for (size_t i = 0; i < t->case_count; i++) {
        const iv_segments *s = &t->cases[i].segments;
        if (s->retrieved_count > 1 || s->unretrieved_count > 1)
            return true;
    }
    return false;
}

bool iv_recall_speaks(const iv_recall_state *t, const iv_review_quantity *x)
{
    return t->method != IV_RECALL_ALL
           || x->number == iv_recall_usual(&t->cases[x->item].segments);
}

/* The row with the highest estimate; of rankings the last. */
static const iv_review_quantity *main_row(const iv_recall_state *t)
{
    const iv_review_quantity *best = NULL;

    for (size_t i = 0; i < t->found->interval_count; i++) {
        const iv_review_quantity *x = &t->found->intervals[i];
        if (iv_recall_speaks(t, x) && (best == NULL || t->ranked || isnan(best->estimate)
                             || x->estimate > best->estimate))
            best = x;
    }
    return best;
}

/* "estimated at 82 % (95 % interval 64 % to 94 %)" */
static void say_estimate(iv_wording *w, const iv_recall_state *t, const iv_review_quantity *x)
{
    const double target = t->q->target > 0.0 ? t->q->target : (double)NAN;
    char e[IV_FIGURE_SIZE], low[IV_FIGURE_SIZE], high[IV_FIGURE_SIZE];

    if (all_judged(t)) {
        iv_say(w, "%s: every document is judged", iv_percent(e, x->estimate, target));
        return;
    }
    iv_say(w, "estimated at %s", iv_percent(e, x->estimate, NAN));
    if (t->q->stopping.anytime || (iv_recall_is_guaranteed(t) && t->claims != NULL
                          && t->claims[0].verdict != IV_VERDICT_OPEN))
        return; /* the interval of a fixed sample, or one beside the limit that decides */
    if (t->q->stopping.looks > 0)
        iv_say(w, "; it is at least %s at interim analysis %zu of %zu (%.10g %% confidence over "
               "all of them)", iv_percent_limit(low, x->lower, target, false), t->q->stopping.look,
               t->q->stopping.looks, 100.0 * t->confidence);
    else if (t->q->one_sided)
        iv_say(w, "; it is at least %s (%.10g %% %sconfidence)",
               iv_percent_limit(low, x->lower, target, false), 100.0 * t->confidence,
               iv_recall_is_guaranteed(t) ? "guaranteed " : "");
    else if (iv_recall_is_guaranteed(t))
        iv_say(w, " (%.10g %% guaranteed interval %s to %s, rounded outwards)",
               100.0 * t->confidence,
               iv_percent_limit(low, x->lower, target, false),
               iv_percent_limit(high, x->upper, target, true));
    else
        iv_say(w, " (%.10g %% interval %s to %s)", 100.0 * t->confidence,
               iv_percent(low, x->lower, target), iv_percent(high, x->upper, target));
}

/* Where no relevant document was found, or everything is judged. */
static bool say_special(iv_wording *w, const iv_recall_state *t)
{
    const iv_segments *s = &t->cases[0].segments;
    const bool one = is_whole(s->retrieved, s->retrieved_count);
    const bool zero = is_whole(s->unretrieved, s->unretrieved_count);
    const bool sampled = iv_strata_sampled(s->retrieved, s->retrieved_count) > 0
                         && iv_strata_sampled(s->unretrieved, s->unretrieved_count) > 0;

    if (t->case_count > 1 || !isnan(iv_recall_estimate(s)))
        return false;
    if (one && zero)
        iv_say(w, "Everything is judged and nothing is relevant: there is no recall.");
    else if (!sampled)
        iv_say(w, "%sNothing of one segment was sampled: recall has no estimate.",
               t->claims != NULL ? "Inconclusive. " : "");
    else if (one || zero)
        iv_say(w, "%sNo relevant document was found and every %s one is judged: recall is %s "
               "unless nothing is relevant at all.", t->claims != NULL ? "Inconclusive. " : "",
               one ? "retrieved" : "unretrieved", one ? "0 %" : "100 %");
    else
        iv_say(w, "%sNo relevant document was found in the samples: recall may be anything.",
               t->claims != NULL ? "Inconclusive. " : "");
    return true;
}

/* "Probably yes (97 %): recall is at least 75 %. It is " */
static void say_verdict(iv_wording *w, const iv_recall_state *t, double p)
{
    const iv_recall_claim *c = &t->claims[0];
    const bool held = iv_recall_is_guaranteed(t), shown = c->verdict == IV_VERDICT_SHOWN;
    const double target = t->q->target, limit = shown ? c->limits.lower : c->limits.upper;
    const double sure = shown ? p : 1.0 - p;
    char goal[IV_FIGURE_SIZE], is[IV_FIGURE_SIZE];

    (void)iv_percent(goal, target, target);
    if (c->verdict == IV_VERDICT_OPEN) {
        iv_say(w, "Inconclusive. Recall is ");
        return;
    }
    if (held)
        iv_say(w, "%s: recall is %s %s (%.10g %% confidence, one-sided %s limit %s, rounded "
                  "outwards%s). It is ",
               shown ? "Yes, certified" : "No", shown ? "at least" : "below", goal,
               100.0 * t->confidence, shown ? "lower" : "upper",
               iv_percent_limit(is, limit, target, !shown),
               t->q->stopping.anytime ? ", valid whenever you stop judging" : "");
    else
        iv_say(w, "Probably %s (%s): recall is %s %s. It is ", shown ? "yes" : "no",
               sure > 0.9999 ? "> 99.99 %" : iv_percent(is, sure, NAN),
               shown ? "at least" : "below", goal);
}

static void answer_one(iv_result *out, const iv_recall_state *t, const iv_review_quantity *x)
{
    const double target = t->q->target, p = x->p_target;
    const int64_t excluded = t->cases[0].excluded;
    char goal[IV_FIGURE_SIZE], is[IV_FIGURE_SIZE], n[IV_FIGURE_SIZE], of[IV_FIGURE_SIZE];
    iv_wording w = { 0 };

    if (say_special(&w, t)) {
        iv_result_answer(out, "%s", w.at);
        return;
    }
    if (t->session.verdict != IV_VERDICT_NONE) {
        iv_review_verdict_say(&w, &t->session);
        iv_say(&w, " ");
    }
    if (t->claims != NULL)
        say_verdict(&w, t, p);
    else
        iv_say(&w, "Recall is ");
    say_estimate(&w, t, x);
    if (t->claims != NULL && t->claims[0].verdict == IV_VERDICT_OPEN) {
        (void)iv_percent(goal, target, target);
        if (isnan(p) || iv_recall_is_guaranteed(t))
            iv_say(&w, "; %s is neither demonstrated nor excluded", goal);
        else
            iv_say(&w, "; a recall of at least %s has probability %s and is not %s", goal,
                   iv_percent(is, p, p >= 0.5 ? t->confidence : 1.0 - t->confidence),
                   p >= 0.5 ? "demonstrated" : "excluded");
    }
    if (t->q->stopping.anytime && t->claims == NULL)
        iv_say(&w, " and is at least %s (%.10g %% confidence, valid whenever you stop judging)",
               iv_percent_limit(is, t->limits.lower, NAN, false), 100.0 * t->confidence);
    iv_say(&w, ".");
    if (t->q->stopping.anytime && t->pending > 0)
        iv_say(&w, " %s of %s judgments do not count: their blocks are incomplete.",
               iv_thousands(n, (double)t->pending),
               iv_thousands(of, (double)(t->pending + t->documents)));
    if (excluded > 0)
        iv_say(&w, " %s document%s of strata without a sample %s excluded.",
               iv_thousands(n, (double)excluded), excluded == 1 ? "" : "s",
               excluded == 1 ? "is" : "are");
    iv_result_answer(out, "%s", w.at);
}

/* Of several cases: how many reach the target, and the best or the mean of them. */
static void answer_many(iv_result *out, const iv_recall_state *t, const iv_review_quantity *best)
{
    const int64_t cutoff = t->cases[t->case_count - 1].cutoff;
    const char *things = t->ranked ? "rows" : "runs";
    char goal[IV_FIGURE_SIZE], e[IV_FIGURE_SIZE], low[IV_FIGURE_SIZE], high[IV_FIGURE_SIZE];
    char equals[IV_EQUALS_SIZE];
    size_t of[IV_VERDICT_OPEN + 1] = { 0 }, topics = 0, others = 0;
    double sum = 0.0, least = 1.0, most = 0.0;
    bool several = false;
    iv_wording w = { 0 };

    for (size_t i = 0; t->claims != NULL && i < t->case_count; i++)
        of[t->claims[i].verdict]++;
    if (t->claims != NULL)
        iv_say(&w, "Recall is %sat least %s in %zu of %zu %s, below it in %zu, inconclusive in "
               "%zu. ", iv_recall_is_guaranteed(t) ? "" : "probably ",
               iv_percent(goal, t->q->target, t->q->target), of[IV_VERDICT_SHOWN], t->case_count,
               things, of[IV_VERDICT_OTHERWISE], of[IV_VERDICT_OPEN]);
    for (size_t i = 0; i < t->found->interval_count; i++) {
        const iv_review_quantity *x = &t->found->intervals[i];
        several |= t->ranked && strcmp(x->topic, t->cases[0].topic) != 0;
        if (!iv_recall_speaks(t, x) || x->cutoff != cutoff || isnan(x->estimate))
            continue;
        least = fmin(least, x->estimate);
        most = fmax(most, x->estimate);
        sum += x->estimate;
        others += x != best && x->estimate >= best->estimate - iv_slack_of(&best->estimate, 1);
        topics++;
    }
    if (topics == 0)
        iv_say(&w, "No relevant document was found in the samples: recall has no estimate.");
    else if (several)
        iv_say(&w, "Mean recall at %" PRId64 " over %zu topics is estimated at %s, from %s to %s.",
               cutoff, topics, iv_percent(e, sum / (double)topics, NAN),
               iv_percent(low, least, NAN), iv_percent(high, most, NAN));
    else if (t->ranked)
        iv_say(&w, "Recall at %" PRId64 " is estimated at %s (%.10g %% interval %s to %s).",
               best->cutoff, iv_percent(e, best->estimate, NAN), 100.0 * t->confidence,
               iv_percent(low, best->lower, NAN), iv_percent(high, best->upper, NAN));
    else if (others > 0)
        iv_say(&w, "Of %zu runs, %.60s%s have the highest recall, estimated at %s.", t->case_count,
               best->run, iv_say_equals(equals, others, NULL), iv_percent(e, best->estimate, NAN));
    else
        iv_say(&w, "Of %zu runs, %.60s has the highest recall, estimated at %s (%.10g %% interval "
               "%s to %s).", t->case_count, best->run, iv_percent(e, best->estimate, NAN),
               100.0 * t->confidence, iv_percent(low, best->lower, NAN),
               iv_percent(high, best->upper, NAN));
    iv_result_answer(out, "%s", w.at);
}

static void put_verdicts(iv_result *out, const iv_recall_state *t)
{
    if (t->session.verdict != IV_VERDICT_NONE) {
        const iv_claim claim = iv_review_verdict_claim(&t->session);
        (void)iv_result_claim(out, &claim);
    }
    for (size_t i = 0; t->claims != NULL && i < t->case_count; i++) {
        const iv_review_case *c = &t->cases[i];
        char whose[200] = "recall";
        iv_claim claim = t->claims[i].claim;
        if (t->ranked)
            (void)snprintf(whose, sizeof whose, "recall at %" PRId64 " of topic %.100s", c->cutoff,
                           c->topic);
        claim.measure = whose;
        claim.system = !t->ranked && t->case_count > 1 ? c->run : NULL;
        (void)iv_result_claim(out, &claim);
    }
}

/* ----------------------------------------------------------------- notes -- */

/* How much too high the plain estimate is on average, were it the truth; NaN: not computed. */
static double bias_of(const iv_review_case *c)
{
    const iv_segments *s = &c->segments;
    const iv_stratum *one = s->retrieved, *zero = s->unretrieved;

    if (c->weighted || s->retrieved_count > 1 || s->unretrieved_count > 1)
        return NAN;
    const double R1 = rint((double)one->size * (double)one->relevant / (double)one->sampled);
    const double R0 = rint((double)zero->size * (double)zero->relevant / (double)zero->sampled);
    return fmax(0.0, iv_recall_estimate_mean(one->size, (int64_t)R1, one->sampled, zero->size,
                                             (int64_t)R0, zero->sampled) - R1 / (R1 + R0));
}

void iv_recall_note_few(iv_result *out, const iv_review_case *cases, size_t count, bool missed)
{
    size_t few = 0, none = 0;
    int64_t found = 0;
    char by[IV_FIGURE_SIZE + 40] = "";

    for (size_t i = 0; i < count; i++) {
        const iv_segments *s = &cases[i].segments;
        const int64_t r = iv_strata_relevant(s->unretrieved, s->unretrieved_count);
        if (is_whole(s->unretrieved, s->unretrieved_count) || isnan(iv_recall_estimate(s)))
            continue;
        none += r == 0;
        few += r > 0 && (double)r < iv_caution_at(IV_FEW_RELEVANT_FOUND)
            && !(bias_of(&cases[i]) < 0.005);
        found = r;
    }
    if (count > 1) {
        iv_result_say(out, iv_recall_messages, "recall.few-rows",
                      (iv_found){ few + none, { (double)count }, { NULL } });
    } else if (none > 0) {
        iv_recall_say(out, "recall.none-found", 1, NULL, NULL);
    } else if (few > 0) {
        const double bias = bias_of(&cases[0]);
        if (!isnan(bias))
            (void)snprintf(by, sizeof by, ", by about %.1f percentage points", 100.0 * bias);
        iv_recall_say(out, "recall.few-found", (size_t)found, by,
                      missed ? "True recall is probably lower than the estimate."
                      : "Rely on the lower limit.");
    }
}

static void note_prior(iv_result *out, const iv_recall_state *t)
{
    double most = 0.0;

    for (size_t i = 0; i < t->found->interval_count; i++) {
        const double share = t->found->intervals[i].prior_share;
        if (iv_recall_speaks(t, &t->found->intervals[i]) && share > most)
            most = share;
    }
    char is[IV_FIGURE_SIZE + 8];
    (void)snprintf(is, sizeof is, "%s%.0f %%", t->case_count > 1 ? "up to " : "", 100.0 * most);
    iv_recall_say(out, "recall.prior", most > 0.1, is, NULL);
}

/* Two digits: more would be pretence. */
static double rounded(int64_t n)
{
    int64_t unit = 1;

    while (n / unit >= 100)
        unit *= 10;
    return (double)((n + unit - 1) / unit * unit);
}

static void note_verdict(iv_result *out, const iv_recall_state *t)
{
    const iv_recall_claim *c = t->claims;
    char n[IV_FIGURE_SIZE], is[IV_FIGURE_SIZE];

    if (c == NULL || t->case_count > 1)
        return;
    const iv_review_quantity *x = t->found->intervals;
    const bool inside = x->lower < t->q->target && x->upper >= t->q->target;
    iv_recall_say(out, "recall.one-sided",
                  iv_recall_is_guaranteed(t) && !t->q->stopping.anytime && inside
                  && c->verdict != IV_VERDICT_OPEN, NULL, NULL);
    (void)iv_percent_limit(is, c->guaranteed_lower, t->q->target, false);
    iv_recall_say(out, "recall.not-guaranteed", c->guaranteed == IV_VERDICT_OPEN, is, NULL);
    iv_recall_say(out, "recall.certificate",
                  c->guaranteed == IV_VERDICT_SHOWN || c->guaranteed == IV_VERDICT_OTHERWISE,
                  c->guaranteed == IV_VERDICT_SHOWN ? "yes" : "no", NULL);
    (void)iv_thousands(n, rounded(c->more));
    iv_recall_say(out, "recall.more", c->more > 0, n,
                  c->unretrieved_only ? "unretrieved documents" : "documents");
}

/* ---------------------------------------------------------------- method -- */

/* The methods without a beta-binomial posterior. */
static const char *const described[] = {
    "", ": binomial proportion of the relevant documents sampled",
    ": normal approximation with propagated error",
    ": normal approximation as printed by TREC 2008, twice the variance of the retrieved yield",
    ": normal approximation, 1 added to each count",
    ": normal approximation, 2 added to each count",
    ": score interval of a ratio of two binomials", ": beta posteriors, Jeffreys' prior",
};

/* The prior that betabin-mcp chose, of the first stratum of each segment. */
static void name_conservative(iv_result *out, const iv_segments *s)
{
    double a[2] = { NAN, NAN };
    iv_err err;

    for (int side = 0; side < 2; side++) {
        const iv_stratum *x = side == 0 ? s->retrieved : s->unretrieved;
        if (x->sampled < 1 || iv_conservative_prior(&a[side], x->size, x->sampled, true, &err) < 0)
            a[side] = NAN;
    }
    iv_result_used_with(out, "betabin-mcp", ", alpha %.3f (retrieved) and %.3f (unretrieved%s)",
                        a[0], a[1], s->retrieved_count + s->unretrieved_count > 2
                        ? ", first strata" : "");
}

/* Strata of a case that are not known, at most. */
static size_t unknown_strata(const iv_recall_state *t)
{
    size_t most = 0;

    for (size_t i = 0; i < t->case_count; i++) {
        const size_t n = iv_segments_unknown(&t->cases[i].segments);
        most = n > most ? n : most;
    }
    return most;
}

static void name_method(iv_result *out, const iv_recall_state *t)
{
    const bool strata = stratified(t), all = t->method == IV_RECALL_ALL;
    const bool usual = t->method == IV_RECALL_AUTO || t->method == IV_RECALL_BETABIN_WEIGHTED
                       || all;
    const iv_recall_method is = usual && !strata ? IV_RECALL_BETABIN_HALF
        : usual ? IV_RECALL_BETABIN_WEIGHTED : t->method;
    char level[IV_FIGURE_SIZE];

    if (all_judged(t))
        return;
    if (t->q->stopping.anytime) {
        iv_recall_say(out, "recall.fixed-size", 1, NULL, NULL);
        iv_result_used(out, "confidence-sequence");
        return;
    }
    if (t->cases[0].weighted) {
        iv_result_used(out, "weighted-recall");
        return;
    }
    if (is == IV_RECALL_EXACT) {
        const size_t unknown = unknown_strata(t);
        iv_result_used(out, unknown > 2 ? "chernoff" : unknown == 2 ? "buehler" : "hypergeometric");
        return;
    }
    if (is < IV_RECALL_BETABIN_UNIFORM)
        iv_result_used_with(out, "recall-interval", "%s", described[is]);
    else if (t->q->prior.count > 0)
        iv_result_used_with(out, "betabin", ", prior Beta(%g, %g)", t->q->prior.at[0],
                            t->q->prior.at[1]);
    else if (is == IV_RECALL_BETABIN_UNIFORM)
        iv_result_used_with(out, "betabin", ", uniform prior");
    else if (is == IV_RECALL_BETABIN_MCP)
        name_conservative(out, &t->cases[0].segments);
    else
        iv_result_used(out, is == IV_RECALL_BETABIN_HALF ? "betabin-half" : "betabin-weighted");
    if (is == IV_RECALL_KOOPMAN || all)
        iv_result_used(out, "koopman");
    if (all && t->q->prior.count == 0)
        name_conservative(out, &t->cases[0].segments);
    (void)snprintf(level, sizeof level, "%.10g %%", 100.0 * t->confidence);
    iv_recall_say(out, "recall.coverage", t->claims == NULL
                  || t->claims[0].guaranteed == IV_VERDICT_NONE, level, NULL);
}

/* Was every retrieved document judged, in all cases? */
static bool all_read(const iv_recall_state *t)
{
    for (size_t i = 0; i < t->case_count; i++) {
        const iv_segments *s = &t->cases[i].segments;
        if (t->cases[i].weighted || s->retrieved_count == 0
            || !is_whole(s->retrieved, s->retrieved_count))
            return false;
    }
    return true;
}

void iv_recall_words(iv_result *out, const iv_recall_state *t)
{
    const iv_review_quantity *x = main_row(t);
    const bool strata = stratified(t);

    put_verdicts(out, t);
    if (x != NULL && t->case_count == 1)
        answer_one(out, t, x);
    else if (x != NULL)
        answer_many(out, t, x);
    iv_recall_note_few(out, t->cases, t->case_count, t->claims != NULL
                       && t->claims[0].verdict == IV_VERDICT_OTHERWISE);
    note_prior(out, t);
    note_verdict(out, t);
    name_method(out, t);
    const bool read = all_read(t), anytime = t->q->stopping.anytime;
    const bool session = t->session.verdict != IV_VERDICT_NONE;
    iv_result_assumption(out, "%sA simple random sample of %s was taken without replacement%s.",
                         read ? "Every retrieved document was judged. " : "",
                         read ? strata ? "each unretrieved stratum" : "the unretrieved documents"
                         : strata ? "each stratum" : "each segment",
                         anytime ? ", in random order" : "");
    iv_result_assumption(out, "%s taken when the set of retrieved documents was final%s.%s",
                         read && !strata ? "The sample was" : "The samples were",
                         read ? "" : ", and judged without knowing which documents were retrieved",
                         session ? " The intervals assume that sizes were fixed before judging "
                                   "began; the verdict assumes its rule only."
                         : t->q->stopping.looks > 0
                         ? " The interim analyses were planned before judging began."
                         : anytime ? "" : read && !strata
                         ? " Its size was fixed before judging began."
                         : " Their sizes were fixed before judging began.");
    iv_result_assumption(out, "The judgments are correct%s.%s", session ? ", also for the verdict; "
                         "'intervale judge report' of the session says what double judgments show "
                         "of errors" : "",
                         strata ? " Relevant documents outside the strata are not counted." : "");
}
