/* SPDX-License-Identifier: Apache-2.0 */
/* A review while it is judged.  The order was settled by chance beforehand, so that the first
 * documents of it are a sample, and a look at so many of them can be told at any time later. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "live/live_parts.h"

int iv_live_review_read(iv_live_review *out, iv_arena *a, iv_store *s, iv_err *err)
{
    iv_live_review r = { 0 };

    IV_TRY(iv_store_strata_check(s, err));
    IV_TRY(iv_store_strata(&r.strata, &r.count, a, s, err));
    size_t *place = iv_take(a, r.count + 1, sizeof *place), at = 0;
    r.cells = iv_take(a, r.count + 1, sizeof *r.cells);
    if (place == NULL || r.cells == NULL)
        return iv_no_memory(err);
    for (int side = 1; side >= 0; side--) {
        const size_t first = at;
        for (size_t k = 0; k < r.count; k++)
            if (r.strata[k].retrieved == (side == 1))
                place[k] = at++;
        *(side == 1 ? &r.segments.retrieved : &r.segments.unretrieved) = r.cells + first;
        *(side == 1 ? &r.segments.retrieved_count : &r.segments.unretrieved_count) = at - first;
    }
    r.place = place;
    *out = r;
    return IV_OK;
}

void iv_live_review_count(iv_live_review *r, const iv_combined *c, size_t items, int32_t level)
{
    for (size_t k = 0; k < r->count; k++)
        r->cells[r->place[k]] = (iv_stratum){ r->strata[k].size, 0, 0 };
    for (size_t i = 0; i < items; i++) {
        if (c->stratum[i] >= r->count)
            continue;
        iv_stratum *cell = &r->cells[r->place[c->stratum[i]]];
        cell->sampled++;
        cell->relevant += c->grade[i] >= level;
    }
}

/* Has every stratum a judged document? */
static bool all_seen(const iv_live_review *r)
{
    for (size_t k = 0; k < r->count; k++)
        if (r->cells[k].sampled == 0)
            return false;
    return r->count > 0;
}

static int interval(iv_recall_interval *out, const iv_live_review *r, const iv_recall_options *o,
                    iv_err *err)
{
    iv_recall_posterior *p = NULL;
    int rc = iv_recall_posterior_new(&p, err);

    if (rc == IV_OK)
        rc = iv_recall_interval_of(out, &r->segments, o, p, err);
    iv_recall_posterior_free(p);
    return rc;
}

int iv_live_recall(iv_live_value *out, const iv_live_review *r, iv_err *err)
{
    const iv_recall_options o = { .confidence = IV_LIVE_CONFIDENCE };
    iv_recall_interval i = { NAN, NAN };

    (void)snprintf(out->of, sizeof out->of, "recall");
    out->value = NAN;
    if (all_seen(r)) {
        IV_TRY(interval(&i, r, &o, err));
        out->value = iv_recall_estimate(&r->segments);
    }
    out->lower = i.lower;
    out->upper = i.upper;
    return IV_OK;
}

/* --------------------------------------------------------- guaranteed -- */

/* The blocks that are whole: every stratum that is not finished has one in each. */
static int whole_blocks(iv_review_blocks *out, iv_arena *a, const iv_live_review *r,
                        const iv_combined *c, size_t prefix, int32_t level, iv_err *err)
{
    const size_t blocks = c->count > 0 ? (size_t)c->block[c->count - 1] + 1 : 0;
    iv_review_stratum *strata = iv_take(a, r->count + 1, sizeof *strata);
    int64_t *drawn = iv_take(a, (blocks + 1) * r->count, sizeof *drawn);
    int64_t *found = iv_take(a, (blocks + 1) * r->count, sizeof *found);

    if (strata == NULL || drawn == NULL || found == NULL)
        return iv_no_memory(err);
    for (size_t k = 0; k < r->count; k++)
        strata[k] = (iv_review_stratum){ r->strata[k].size, r->strata[k].retrieved, 0.0, 0.0 };
    for (size_t i = 0; i < prefix; i++) {
        const size_t at = c->block[i] * r->count + c->stratum[i];
        drawn[at]++;
        found[at] += c->grade[i] >= level;
    }
    /* The block in which the next document stands is not whole. */
    const size_t whole = prefix == c->count ? blocks : c->block[prefix];
    *out = (iv_review_blocks){ strata, drawn, found, r->count, whole };
    return IV_OK;
}

static int guarantee(iv_live *out, iv_arena *a, const iv_live_review *r, const iv_combined *c,
                     int32_t level, iv_err *err)
{
    iv_review_blocks b;
    iv_recall_interval limits = { 0.0, 1.0 };
    double log_e = 0.0;

    IV_TRY(whole_blocks(&b, a, r, c, out->prefix, level, err));
    if (b.count > 0)
        IV_TRY(iv_recall_anytime(&limits, &b, IV_LIVE_CONFIDENCE, true, err));
    out->has_guaranteed = true;
    out->guaranteed = limits.lower;
    if (out->target > 0.0) {
        if (b.count > 0)
            IV_TRY(iv_recall_evidence(&log_e, &b, out->target, false, err));
        out->evidence = exp(fmin(log_e, 700.0));
    }
    return IV_OK;
}

/* --------------------------------------------------------------- plan -- */

/* Documents judged at look k of a plan, from 1. */
static size_t look_at(const iv_live *l, size_t k)
{
    return (l->items * k + l->looks - 1) / l->looks;
}

static int follow_plan(iv_live *out, iv_live_review *r, const iv_combined *c, int32_t level,
                       iv_err *err)
{
    iv_look looks[IV_LOOKS_MOST];
    iv_recall_interval limits = { NAN, NAN };
    size_t taken = 0;

    while (taken < out->looks && out->prefix >= look_at(out, taken + 1))
        taken++;
    out->look = taken < out->looks ? taken + 1 : taken;
    out->look_at = look_at(out, out->look);
    IV_TRY(iv_looks_of(looks, NULL, out->looks, IV_LOOKS_OBRIEN_FLEMING,
                       1.0 - IV_LIVE_CONFIDENCE, err));
    for (size_t k = 1; k <= taken; k++) { /* the best of them may have been reached before */
        const iv_recall_options o = { .method = IV_RECALL_EXACT, .one_sided = true,
                                      .confidence = 1.0 - looks[k - 1].error };
        iv_live_review_count(r, c, look_at(out, k), level);
        if (!all_seen(r) || looks[k - 1].error < 1e-9)
            continue;
        IV_TRY(interval(&limits, r, &o, err));
        out->judged_at_last = look_at(out, k);
        out->look_lower = limits.lower;
        if (limits.lower >= out->target && out->target > 0.0) {
            out->may_stop = true;
            break;
        }
    }
    iv_live_review_count(r, c, out->prefix, level);
    return IV_OK;
}

/* ------------------------------------------------------------- together -- */

static void advise(iv_live *l, iv_store_stop stop)
{
    if (stop == IV_STORE_STOP_ANYTIME)
        l->may_stop = l->has_guaranteed && l->evidence >= l->evidence_needed;
    if (stop == IV_STORE_STOP_NONE || l->target == 0.0)
        return;
    if (l->may_stop)
        (void)snprintf(l->advice, sizeof l->advice, "Recall is at least %g %% (%g %% confidence). "
                       "You may stop.", 100.0 * l->target, 100.0 * l->confidence);
    else if (stop == IV_STORE_STOP_PLAN && l->prefix == l->items)
        (void)snprintf(l->advice, sizeof l->advice, "Inconclusive: all interim analyses are made, "
                       "and a recall of %g %% is not demonstrated.", 100.0 * l->target);
    else if (stop == IV_STORE_STOP_PLAN)
        (void)snprintf(l->advice, sizeof l->advice, "Go on: interim analysis %zu of %zu is after "
                       "%zu judged documents, %zu from here.", l->look, l->looks, l->look_at,
                       l->look_at - l->prefix);
    else
        (void)snprintf(l->advice, sizeof l->advice, "Go on: a recall of %g %% is demonstrated when "
                       "the e-value reaches %g; it is %.3g.", 100.0 * l->target,
                       l->evidence_needed, l->evidence);
}

int iv_live_of_review(iv_live *out, iv_arena *a, iv_store *s, const iv_combined *c, iv_err *err)
{
    const iv_store_about *about = iv_store_about_of(s);
    iv_live_review r;

    IV_TRY(iv_live_review_read(&r, a, s, err));
    out->prefix = iv_combined_prefix(c, 0, c->count, false);
    iv_live_review_count(&r, c, out->prefix, about->level);
    IV_TRY(iv_live_recall(&out->now, &r, err));
    IV_TRY(guarantee(out, a, &r, c, about->level, err));
    if (about->stop == IV_STORE_STOP_PLAN) {
        out->looks = (size_t)about->stop_number;
        IV_TRY(follow_plan(out, &r, c, about->level, err));
    }
    advise(out, about->stop);
    return IV_OK;
}
