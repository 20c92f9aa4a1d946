/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of assessors, from the documents that two have judged by plan. */
#include "base/err.h"
#include "base/parallel.h"
#include "live/live_review.h"

#include <string.h>

/* A side of the review: first labels by stratum, and what became of those that were judged
 * twice. */
typedef struct side {
    const char *name;
    iv_stratum *strata;
    size_t count;
    int64_t rechecked[4]; /* k, c, m, d of iv_rechecked_of() */
} side;

/* Adds document i of the items, if its first label is known; false: its last one is not. */
static bool add(side *x, iv_stratum *cell, const iv_store_first *first, bool decided,
                bool relevant, int32_t level)
{
    const bool said = first->grade == IV_COMBINED_OPEN ? relevant : first->grade >= level;

    cell->sampled++;
    cell->relevant += said;
    if (!first->twice || first->graded < 2)
        return true;
    x->rechecked[said ? 0 : 2]++;
    x->rechecked[said ? 1 : 3] += relevant;
    return decided;
}

/* False: a disagreement is open. */
static bool count_all(side sides[2], const iv_live_review *r, size_t items, const iv_combined *c,
                      const iv_store_first *firsts, int32_t level)
{
    bool decided = true;

    for (size_t i = 0; i < items; i++) {
        const size_t k = c->stratum[i];
        decided &= add(&sides[r->strata->retrieved[k]], &r->cells[r->place[k]], &firsts[i],
                       c->state[i] != IV_IN_CONFLICT, c->grade[i] >= level, level);
    }
    return decided;
}

static int read_side(iv_rechecked *out, const side *x, iv_err *err)
{
    int64_t sum[3] = { 0, 0, 0 };

    for (size_t i = 0; i < x->count; i++) {
        sum[0] += x->strata[i].size;
        sum[1] += x->strata[i].sampled;
        sum[2] += x->strata[i].relevant;
    }
    IV_TRY(iv_rechecked_of(out, sum, x->rechecked, x->name, err));
    out->strata = x->strata;
    out->count = x->count;
    return IV_OK;
}

int iv_live_correct(iv_live_error *out, iv_arena *a, iv_store *s, const iv_live *l,
                    const iv_combined *c, const iv_store_first *firsts, const iv_work *work,
                    iv_err *err)
{
    iv_correcting how = { .confidence = l->confidence, .target = l->target,
                          .seed = iv_work_seed(work) };
    iv_rechecked of[2];
    iv_live_review r;
    iv_err why = { .code = IV_OK };

    *out = (iv_live_error){ .twice = 0 };
    IV_TRY(iv_live_read_review(&r, a, s, err));
    iv_live_count_review(&r, c, 0, 1); /* sizes alone */
    side sides[2] = { { "unretrieved", r.cells + r.segments.retrieved_count,
                        r.segments.unretrieved_count, { 0 } },
                      { "retrieved", r.cells, r.segments.retrieved_count, { 0 } } };
    const bool decided = count_all(sides, &r, l->prefix, c, firsts, iv_store_about_of(s)->level);
    for (size_t i = 0; i < 2; i++) {
        memcpy(out->rechecked[i], sides[i].rechecked, sizeof out->rechecked[i]);
        out->twice += (size_t)(sides[i].rechecked[0] + sides[i].rechecked[2]);
    }
    if (out->twice == 0 || !decided || !iv_live_all_seen(&r)) {
        (void)snprintf(out->why, sizeof out->why, "%s", out->twice == 0
                       ? "no document in the estimate was judged by two as planned" : !decided
                       ? "disagreements are open" : "a stratum has no judged document");
        return IV_OK;
    }
    if (read_side(&of[0], &sides[0], &why) != IV_OK
        || read_side(&of[1], &sides[1], &why) != IV_OK) {
        (void)snprintf(out->why, sizeof out->why, "%.199s", why.msg);
        return IV_OK;
    }
    IV_TRY(iv_recall_corrected(&out->now, a, &of[1], &of[0], &how, err));
    out->all = out->twice == l->prefix;
    if (out->all) {
        (void)snprintf(out->why, sizeof out->why, "two judged each document of the estimate, which "
                       "uses the decided labels");
        return IV_OK;
    }
    how.guaranteed = true;
    IV_TRY(iv_recall_corrected(&out->guaranteed, a, &of[1], &of[0], &how, err));
    out->has = true;
    return IV_OK;
}
