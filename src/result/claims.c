/* SPDX-License-Identifier: Apache-2.0 */
/* Claims in words: the sentences of gates, and claims that a mean is at least a number. */
#include "base/err.h"
#include "base/memory.h"
#include "num/dist.h"
#include "result/cautions.h"
#include "result/claims.h"
#include "result/message.h"
#include "result/methods.h"
#include "result/result_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A number that depends on nothing but the id: FNV-1a, its bits mixed as by splitmix64. */
static uint64_t hash_of(iv_str id)
{
    uint64_t h = UINT64_C(14695981039346656037);

    for (size_t i = 0; i < id.len; i++)
        h = (h ^ (unsigned char)id.ptr[i]) * UINT64_C(1099511628211);
    h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
    return h ^ h >> 31;
}

typedef struct hashed_id {
    uint64_t hash;
    iv_str id;
    uint32_t at;
} hashed_id;

static int by_hash(const void *x, const void *y)
{
    const hashed_id *a = x, *b = y;

    return a->hash != b->hash ? (a->hash > b->hash) - (a->hash < b->hash)
                              : iv_str_cmp(a->id, b->id);
}

int iv_order_by_id(const uint32_t **out, const iv_str *names, size_t count, iv_arena *own,
                   iv_err *err)
{
    hashed_id *ids = iv_take(own, count + 1, sizeof *ids);
    uint32_t *order = iv_take(own, count + 1, sizeof *order);

    IV_TRY(iv_taken(own, err));
    for (size_t t = 0; t < count; t++)
        ids[t] = (hashed_id){ hash_of(names[t]), names[t], (uint32_t)t };
    qsort(ids, count, sizeof *ids, by_hash);
    for (size_t t = 0; t < count; t++)
        order[t] = ids[t].at;
    *out = order;
    return IV_OK;
}

/* ----------------------------------------------------------------- wording -- */

void iv_say_one_sided(iv_wording *w, double confidence, size_t candidates, double lower,
                      double upper, double other)
{
    char low[IV_FIGURE_SIZE], high[IV_FIGURE_SIZE];

    if (isnan(lower)) {
        iv_say(w, "no limits, as its variance cannot be estimated");
        return;
    }
    iv_say(w, "one-sided %.10g %% limits %s and %s", 100.0 * confidence,
           iv_figure(low, 4, lower, other), iv_figure(high, 4, upper, other));
    if (candidates > 1)
        iv_say(w, ", corrected for %zu candidates", candidates);
}

void iv_say_detectable(iv_wording *w, const iv_claim *c)
{
    char size[IV_FIGURE_SIZE];

    if (!isfinite(c->detectable) || iv_claim_decide(c) == IV_VERDICT_OTHERWISE)
        return;
    if (c->detectable > 1.0 && c->method != NULL
        && (strcmp(c->method, "exact-margin") == 0 || strcmp(c->method, "score-margin") == 0
            || strcmp(c->method, "mover") == 0))
        return; /* no proportion can be so far away */
    (void)iv_figure(size, 2, c->detectable, NAN);
    if (c->baseline != NULL)
        iv_say(w, " A loss of %s would have failed with probability 0.8.", size);
    else
        iv_say(w, " A value %s %s the bound would have failed with probability 0.8.", size,
               c->kind == IV_CLAIM_BELOW ? "above" : "below");
}

void iv_answer_claims(iv_result *out, iv_wording *w)
{
    const iv_claim *claims;
    size_t count;
    const iv_verdict all = iv_result_has_verdict(&claims, &count, out);

    while (w->len > 0 && w->at[w->len - 1] == ' ')
        w->at[--w->len] = '\0';
    if (count == 1)
        iv_say_detectable(w, claims);
    if (count > 1)
        iv_result_decision(out, " (%zu of %zu claims). %s", out->decisive, count, w->at);
    else /* each claim begins with the word of its verdict */
        iv_result_decision(out, "%s", w->at + strlen(iv_verdict_name(all)));
}

void iv_claim_bet(iv_claim *c, double sd, double low, double high)
{
    const bool below = c->kind == IV_CLAIM_BELOW;
    const double from = c->kind == IV_CLAIM_NOT_WORSE ? -c->bound : c->bound;

    c->needed = below
        ? iv_betting_items(-c->estimate, sd, -high, -low, -from, c->level)
        : iv_betting_items(c->estimate, sd, low, high, from, c->level);
    c->detectable = fmax(c->upper - c->estimate, c->estimate - c->lower)
        + iv_norm_isf(0.2) * sd / sqrt(c->items)
        + (c->kind == IV_CLAIM_NOT_WORSE ? c->bound : 0.0);
}

void iv_usual_range(double *low, double *high)
{
    static const double usual[][2] = { { 0.0, 1.0 }, { 1.0, 5.0 }, { 1.0, 10.0 }, { 0.0, 100.0 } };

    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (*low >= usual[i][0] && *high <= usual[i][1]) {
            *low = usual[i][0];
            *high = usual[i][1];
            return;
        }
}

/* ----------------------------------------------------------------- at least -- */

static const iv_message rows[] = {
    { "eval.gate-error", IV_WARNING, NULL,
      "Rare scores of {b} could be missing from these {a} items by chance. With such scores, up to "
      "{c%} of gates would pass falsely; --guaranteed excludes them." },
    { "eval.gate-ratio", IV_WARNING, NULL,
      "If a few items cost far more than the others, up to {a%} of gates on ratios of at most 200 "
      "items passed falsely in simulations. Use more items." },
    { NULL } };

/* A claim on graded scores that is shown, with too few items to exclude rare ones at the far end of
 * the range. */
static void say_rare(iv_result *out, const iv_claimed_mean *m, const iv_claim *c)
{
    const bool below = c->kind == IV_CLAIM_BELOW;
    double low = INFINITY, high = -INFINITY;

    for (size_t i = 0; i < m->n; i++) {
        low = fmin(low, m->x[i]);
        high = fmax(high, m->x[i]);
    }
    if (m->high > m->low) {
        low = m->low;
        high = m->high;
    } else {
        iv_usual_range(&low, &high);
    }
    const double rate = iv_equal_evidence(m->is.mean, m->is.n, low, high, c->bound,
                                          below ? IV_LESS : IV_GREATER);
    IV_TELL(out, rows, "eval.gate-error", rate > iv_caution_at(IV_GATE_RARE_SCORES),
            { m->is.n, below ? high : low, rate });
}

/* Are there exactly two values, *low and *high? */
static bool two_values(double *low, double *high, const double *x, size_t n)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        *low = fmin(*low, x[i]);
        *high = fmax(*high, x[i]);
    }
    for (size_t i = 0; i < n; i++)
        if (x[i] != *low && x[i] != *high)
            return false;
    return *low < *high;
}

/* A proportion of values that are `high`, the others being `low`, as a mean. */
static iv_evidence exact_evidence(const iv_claimed_mean *m, double least, double level)
{
    const double width = m->two[1] - m->two[0];
    int64_t k = 0;

    for (size_t i = 0; i < m->n; i++)
        k += m->x[i] == m->two[1];
    iv_evidence e = iv_proportion_evidence(k, (int64_t)m->n, (least - m->two[0]) / width, level);
    e.estimate = m->two[0] + width * e.estimate;
    e.lower = m->two[0] + width * e.lower;
    e.upper = m->two[0] + width * e.upper;
    return e;
}

/* A claim on a mean: its bound, the levels, and how many candidates share them. */
typedef struct bounding {
    bool at_most, guaranteed;
    double bound, level, contrary, confidence;
    size_t candidates;
} bounding;

/* By which method, and what it finds; NULL: no evidence. */
static const char *find_evidence(iv_evidence *e, const iv_claimed_mean *m, double least,
                                 double level, bool guaranteed)
{
    const iv_mean_summary *is = &m->is;

    if (m->x != NULL && m->binary) {
        *e = exact_evidence(m, least, level);
        return "clopper-pearson";
    }
    if (guaranteed) {
        *e = iv_betting_evidence(m->x, m->n, m->low, m->high, least, level);
        return "betting";
    }
    *e = iv_mean_evidence(is, least, level);
    if (!isnan(e->p_above))
        return m->x != NULL ? "one-sided-t" : "t";
    if (m->x != NULL && m->n > 0 && is->sd == 0.0 && m->high > m->low) {
        const double root = pow(level, 1.0 / is->n), at = is->mean;
        *e = (iv_evidence){ at, iv_equal_evidence(at, is->n, m->low, m->high, least, IV_GREATER),
                            iv_equal_evidence(at, is->n, m->low, m->high, least, IV_LESS),
                            m->low + (at - m->low) * root, m->high - (m->high - at) * root };
        return "unseen";
    }
    e->lower = m->lower; /* the interval that is printed, if there is one */
    e->upper = m->upper;
    return isnan(m->lower) ? NULL : "interval";
}

static int claim_mean(iv_result *out, iv_wording *w, const iv_claimed_mean *m, const bounding *b,
                      iv_err *err)
{
    iv_claim c = { .kind = b->at_most ? IV_CLAIM_BELOW : IV_CLAIM_AT_LEAST, .measure = m->measure,
                   .system = m->system, .bound = b->bound, .level = b->level,
                   .level_contrary = b->contrary, .items = m->is.n,
                   .strength = b->guaranteed ? IV_STRENGTH_GUARANTEED : IV_STRENGTH_DEFAULT };
    iv_evidence e;

    if (b->guaranteed && (m->x == NULL || (!m->binary && !(m->high > m->low))))
        return iv_fail(err, IV_EARG, m->x == NULL ? "--guaranteed: no guarantee is published for "
                       "estimates, clusters, sets, weights or repeats (%s)" : "--guaranteed needs "
                       "the range of %s" IV_HINT("; --range LOW,HIGH"), m->measure);
    if (m->evidence != NULL)
        IV_TRY(m->evidence(&e, m->of, b->bound, b->level, err));
    c.method = m->evidence != NULL ? m->method
        : find_evidence(&e, m, b->bound, b->level, b->guaranteed);
    c.estimate = isnan(e.estimate) ? m->is.mean : e.estimate;
    c.lower = e.lower;
    c.upper = e.upper;
    c.p = b->at_most ? e.p_below : e.p_above;
    c.p_contrary = b->at_most ? e.p_above : e.p_below;
    c.withheld = c.method != NULL ? NULL
        : m->why != NULL ? m->why : "there is no evidence but equal values";
    iv_claim_outlook(&c);
    if (c.method != NULL && strcmp(c.method, "betting") == 0)
        iv_claim_bet(&c, m->is.sd, m->low, m->high);
    const iv_claim *x = iv_result_claim(out, &c);
    const bool passes = x->verdict == IV_VERDICT_SHOWN && c.method != NULL;
    if (passes && strcmp(c.method, "one-sided-t") == 0)
        say_rare(out, m, &c);
    if (passes && b->at_most && strcmp(c.method, "ratio-test") == 0)
        IV_TELL(out, rows, "eval.gate-ratio", iv_gate_error(IV_GATE_RATIO, m->is.n) > 0.0,
                { iv_gate_error(IV_GATE_RATIO, m->is.n) });
    iv_say(w, "%s: %s of %s ", iv_verdict_name(x->verdict), m->measure, m->system);
    if (isnan(c.estimate))
        iv_say(w, "has no value");
    else
        iv_say(w, "is %.4g", c.estimate);
    iv_say(w, " (");
    const bool printed = c.method != NULL && strcmp(c.method, "interval") == 0;
    iv_say_one_sided(w, printed ? 0.5 + 0.5 * b->confidence : b->confidence,
                     printed ? 1 : b->candidates, c.lower, c.upper, b->bound);
    iv_say(w, b->at_most ? "); at most %.10g is allowed. " : "); at least %.10g is required. ",
           b->bound);
    if (c.method != NULL && !printed)
        iv_result_used(out, c.method);
    return IV_OK;
}

/* All values of a measure, of all systems: are they two? */
static void find_binary(iv_claimed_mean *means, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        iv_claimed_mean *m = &means[i];
        bool two = m->x != NULL && m->n > 0;
        double low = INFINITY, high = -INFINITY, a, b;
        for (size_t k = 0; k < count && two; k++) {
            const iv_claimed_mean *o = &means[k];
            if (strcmp(o->measure, m->measure) != 0 || o->x == NULL)
                continue;
            const bool varied = two_values(&a, &b, o->x, o->n);
            two = varied || a == b;
            low = fmin(low, a);
            high = fmax(high, b);
        }
        for (size_t k = 0; k < count && two; k++) {
            const iv_claimed_mean *o = &means[k];
            for (size_t j = 0; j < o->n && o->x != NULL && strcmp(o->measure, m->measure) == 0; j++)
                two = two && (o->x[j] == low || o->x[j] == high);
        }
        if (low == high && (low == 0.0 || low == 1.0)) { /* all right, or all wrong */
            low = 0.0;
            high = 1.0;
        }
        m->binary = two && low < high
            && (!(m->high > m->low) || (low == m->low && high == m->high));
        m->two[0] = low;
        m->two[1] = high;
    }
}

/* Number k of the claims that means are at least so much, and then at most. */
static const char *target_text(const iv_texts *at_least, const iv_texts *at_most, size_t k)
{
    return k < at_least->count ? at_least->at[k] : at_most->at[k - at_least->count];
}

/* Its measure and bound, and of how many means it is. */
static int read_claim(iv_str *name, double *bound, size_t *found, const char *text,
                      const iv_claimed_mean *means, size_t count, iv_err *err)
{
    const char *is = strrchr(text, '=');

    *name = (iv_str){ text, is != NULL ? (size_t)(is - text) : 0 };
    *found = 0;
    if (is == NULL || !iv_scan_real(bound, iv_str_of(is + 1)))
        return iv_fail(err, IV_EARG, "'%.80s', expected MEASURE=NUMBER", text);
    for (size_t k = 0; k < count; k++)
        *found += strlen(means[k].measure) == name->len
            && strncasecmp(means[k].measure, name->ptr, name->len) == 0;
    return *found > 0 ? IV_OK
        : iv_fail(err, IV_EARG, "no measure '%.*s' among those computed"
                  IV_HINT("; --measure adds it"), (int)name->len, name->ptr);
}

int iv_claim_bounds(iv_result *out, iv_claimed_mean *means, size_t count, const iv_texts *at_least,
                    const iv_texts *at_most, double confidence, bool guaranteed, iv_err *err)
{
    const size_t claims = at_least->count + at_most->count;
    iv_wording w = { .len = 0 };
    size_t all = 0, found;
    iv_str name;
    double bound;

    find_binary(means, count);
    for (size_t i = 0; i < claims; i++) {
        IV_TRY(read_claim(&name, &bound, &found, target_text(at_least, at_most, i), means, count,
                          err));
        all += found;
    }
    for (size_t i = 0; i < claims; i++) {
        IV_TRY(read_claim(&name, &bound, &found, target_text(at_least, at_most, i), means, count,
                          err));
        const bounding b = { i >= at_least->count, guaranteed, bound,
                             (1.0 - confidence) / (double)found, (1.0 - confidence) / (double)all,
                             confidence, found };
        for (size_t k = 0; k < count; k++)
            if (strlen(means[k].measure) == name.len
                && strncasecmp(means[k].measure, name.ptr, name.len) == 0)
                IV_TRY(claim_mean(out, &w, &means[k], &b, err));
        if (found > 1)
            iv_result_used_with(out, "bonferroni", " for %zu candidates", found);
    }
    if (claims > 0)
        iv_answer_claims(out, &w);
    return IV_OK;
}

void iv_claim_gain(iv_result *out, iv_wording *w, iv_claim *k, double confidence,
                   size_t candidates)
{
    const double gain = k->estimate;
    const double ends[] = { gain < 0.0 ? -k->upper : k->lower, gain < 0.0 ? -k->lower : k->upper };

    iv_claim_outlook(k);
    if (strcmp(k->method, "mover") == 0)
        iv_result_used(out, k->method);
    iv_say(w, "%s: %s of %s is %.4f %s than that of %s (",
           iv_verdict_name(iv_result_claim(out, k)->verdict), k->measure, k->system, fabs(gain),
           gain < 0.0 ? "worse" : "better", k->baseline);
    iv_say_one_sided(w, confidence, candidates, ends[0], ends[1],
                     gain < 0.0 ? k->bound : -k->bound);
    iv_say(w, "); the allowed loss is %.10g. ", k->bound);
}
