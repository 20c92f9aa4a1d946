/* SPDX-License-Identifier: Apache-2.0 */
/* Claims of a result: how each is decided, and the verdict of all of them. */
#include "base/names.h"
#include "intervale/num.h"
#include "num/dist.h"
#include "result/result_build.h"
#include "result/result_state.h"

#include <math.h>
#include <stdio.h>

IV_NAMES(iv_claim_kind_names, "at least", "below", "not worse", "better")

IV_NAMES(iv_claim_strength_names, "default", "guaranteed")

/* p below its level, not equal to it; 1 - 0.95 is a little more than 0.05. */
static bool below_level(double p, double level)
{
    return p < level - 1e-12;
}

/* What the value must exceed, or for IV_CLAIM_BELOW stay below. */
static double threshold_of(const iv_claim *c)
{
    return c->kind == IV_CLAIM_NOT_WORSE ? -c->bound : c->bound;
}

static bool is_demonstrated(const iv_claim *c)
{
    const double t = threshold_of(c);

    if (!isnan(c->p))
        return below_level(c->p, c->level);
    return c->kind == IV_CLAIM_BELOW ? c->upper < t
        : c->kind == IV_CLAIM_AT_LEAST ? c->lower >= t : c->lower > t;
}

static bool is_refuted(const iv_claim *c)
{
    const double t = threshold_of(c);

    if (!isnan(c->p_contrary))
        return below_level(c->p_contrary, c->level_contrary > 0.0 ? c->level_contrary : c->level);
    return c->kind == IV_CLAIM_BELOW ? c->lower >= t : c->upper < t;
}

iv_verdict iv_claim_decide(const iv_claim *c)
{
    const iv_verdict open = c->open_passes ? IV_VERDICT_SHOWN : IV_VERDICT_OPEN;

    if (c->withheld != NULL && c->unknown)
        return open;
    if (is_refuted(c))
        return IV_VERDICT_OTHERWISE;
    return c->withheld == NULL && is_demonstrated(c) ? IV_VERDICT_SHOWN : open;
}

/* "recall of bm25 is at least 0.75", "AP of new is not worse than that of old by more than 0.02
 * in set code". */
static const char *claim_text(iv_result *r, const iv_claim *c)
{
    char text[1024];
    const char *measure = c->measure != NULL ? c->measure : "the value";
    const bool compares = c->kind == IV_CLAIM_NOT_WORSE || c->kind == IV_CLAIM_BETTER;
    size_t n = (size_t)snprintf(text, sizeof text, "%.200s", measure);

    if (c->system != NULL)
        n += (size_t)snprintf(text + n, sizeof text - n, " of %.200s", c->system);
    if (compares)
        n += (size_t)snprintf(text + n, sizeof text - n, " is %s than that of %.200s by more than "
                              "%.10g", c->kind == IV_CLAIM_BETTER ? "better" : "not worse",
                              c->baseline != NULL ? c->baseline : "the baseline", c->bound);
    else
        n += (size_t)snprintf(text + n, sizeof text - n, " is %s %.10g",
                              c->kind == IV_CLAIM_BELOW ? "below" : "at least", c->bound);
    if (c->set != NULL)
        (void)snprintf(text + n, sizeof text - n, " in set %.200s", c->set);
    return iv_result_keep(r, iv_str_of(text));
}

static const char *keep_any(iv_result *r, const char *text)
{
    return text == NULL ? NULL : iv_result_keep(r, iv_str_of(text));
}

/* The verdict of all claims: FAIL if that of one is, otherwise INCONCLUSIVE if that of one is. */
static void add_verdict(iv_result *r, iv_verdict verdict)
{
    const iv_verdict before = r->verdict;

    if (verdict == IV_VERDICT_OTHERWISE || verdict == IV_VERDICT_ERROR
        || r->verdict == IV_VERDICT_NONE || r->verdict == IV_VERDICT_SHOWN)
        r->verdict = verdict;
    r->decisive = r->verdict != before ? 1 : r->decisive + (verdict == before);
}

const iv_claim *iv_result_claim(iv_result *r, const iv_claim *claim)
{
    const iv_verdict verdict = iv_claim_decide(claim);

    add_verdict(r, verdict);
    if (!IV_ARENA_ROOM(&r->arena, r->claims, r->claim_capacity, r->claim_count))
        return claim;
    iv_claim *c = &r->claims[r->claim_count++];
    *c = *claim;
    c->verdict = verdict;
    c->level_contrary = c->level_contrary > 0.0 ? c->level_contrary : c->level;
    const char **texts[] = { &c->measure, &c->system, &c->baseline, &c->set, &c->method,
                             &c->withheld };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = keep_any(r, *texts[i]);
    c->text = claim_text(r, c);
    return c;
}

void iv_result_failed(iv_result *r)
{
    add_verdict(r, IV_VERDICT_ERROR);
}

void iv_result_gate(iv_result *r, bool open_passes)
{
    for (size_t i = 0; i < r->claim_count && open_passes; i++) {
        r->claims[i].open_passes = true;
        r->claims[i].verdict = iv_claim_decide(&r->claims[i]);
    }
    r->opened = open_passes && r->verdict == IV_VERDICT_OPEN;
    r->verdict = r->opened ? IV_VERDICT_SHOWN : r->verdict;
    r->gated = true;
    iv_result_lead(r, NULL);
}

iv_verdict iv_result_has_verdict(const iv_claim **claims, size_t *count, const iv_result *r)
{
    if (claims != NULL)
        *claims = r->claims;
    if (count != NULL)
        *count = r->claim_count;
    return r->verdict;
}

/* ---------------------------------------------------------------- outlook -- */

void iv_claim_outlook(iv_claim *c)
{
    const bool below = c->kind == IV_CLAIM_BELOW, compares = c->baseline != NULL;
    const double z = iv_norm_isf(c->level), power = iv_norm_isf(0.2);
    const double contrary = iv_norm_isf(c->level_contrary > 0.0 ? c->level_contrary : c->level);
    const double threshold = c->kind == IV_CLAIM_NOT_WORSE ? -c->bound : c->bound;
    const double above = below ? threshold - c->estimate : c->estimate - threshold;
    const double near = below ? c->upper - c->estimate : c->estimate - c->lower;
    const double far = below ? c->estimate - c->lower : c->upper - c->estimate;
    const double ratio = (1.0 + power / z) * near / above;

    c->needed = isnan(near) || !(c->items > 0.0) ? (double)NAN
        : above > 0.0 ? ceil(c->items * ratio * ratio - 1e-9) : (double)INFINITY;
    /* At an end of the range the side that is left says how much is known. */
    c->detectable = (1.0 + power / contrary) * fmax(near, far)
        + (compares && c->kind == IV_CLAIM_NOT_WORSE ? c->bound : 0.0);
}
