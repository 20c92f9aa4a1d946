/* SPDX-License-Identifier: Apache-2.0 */
/* Recall from a sample of families, whose documents are alike: the variance is of families. */
#include "review/recall_families.h"
#include "base/err.h"
#include "base/order.h"
#include "num/dist.h"
#include "num/draw.h"
#include "result/answering.h"
#include "result/methods.h"
#include "result/wording.h"
#include "review/recall.h"
#include "result/run_input.h"
#include "trec/families.h"
#include "trec/judgments.h"
#include "trec/trec_ends.h"

#include <math.h>
#include <stdlib.h>

enum { FEW = 50, POINTS = 4000, STREAM = 0x66616d };

double iv_family_effect(const iv_family_cell *c)
{
    const double n = (double)c->judged, r = (double)c->relevant, m = (double)c->sampled;

    if (c->judged < 2 || c->sampled < 2)
        return 1.0;
    const double alike = fmax(1.0, c->nn / n); /* if families were all alike inside (Kish) */
    if (c->relevant == 0 || c->relevant == c->judged)
        return alike;
    const double p = r / n;
    const double sum = c->rr - 2.0 * p * c->nr + p * p * c->nn;
    const double seen = fmax(1.0, m / (m - 1.0) * sum / (n * p * (1.0 - p)));
    /* A few relevant documents do not show how alike families are. */
    return c->relevant < FEW ? fmax(seen, alike) : seen;
}

/* Points of the posterior of a cell's number of relevant documents, in random order. */
static int draw_points(double *out, const iv_family_cell *c, double confidence, bool clusters,
                       iv_stream *s, iv_err *err)
{
    const double n = (double)c->judged, left = 1.0 - n / (double)c->size;
    const double tail = 0.5 * (1.0 - confidence), m = (double)c->sampled;
    double effective = n;

    if (c->judged == 0)
        return iv_fail(err, IV_ENODATA, "no family of the sample has judged documents in a segment "
                       "of %lld documents; expected some", (long long)c->size);
    if (clusters) {
        const double ratio = m < 2.0 ? 0.0 : iv_norm_isf(tail) / iv_t_isf(tail, m - 1.0);
        effective = fmax(n * ratio * ratio / iv_family_effect(c), 1.0);
    }
    const double p = (double)c->relevant / n;
    for (size_t i = 0; i < POINTS; i++)
        out[i] = left <= 0.0 ? (double)c->relevant : (double)c->size
            * iv_beta_quantile(((double)i + 0.5) / POINTS, p * effective / left + 0.5,
                               (1.0 - p) * effective / left + 0.5);
    iv_draw_shuffle(s, out, POINTS, sizeof *out);
    return IV_OK;
}

static int limits_of(iv_limits *out, const iv_family_cell *cells, double confidence,
                     bool one_sided, bool clusters, iv_err *err)
{
    iv_stream s = iv_stream_start(1, IV_FOR_STUDY, STREAM);
    iv_arena own = { 0 };
    double *x = iv_take(&own, POINTS, sizeof *x), *all = iv_take(&own, POINTS, sizeof *all);
    double *in = iv_take(&own, POINTS, sizeof *in);
    int rc = iv_taken(&own, err);

    for (size_t k = 0; k < IV_FAMILY_CELLS && rc == IV_OK; k++) {
        if (cells[k].size == 0)
            continue;
        rc = draw_points(x, &cells[k], confidence, clusters, &s, err);
        for (size_t i = 0; i < POINTS && rc == IV_OK; i++) {
            in[i] += k == IV_FAMILY_RETRIEVED ? x[i] : 0.0;
            all[i] += x[i];
        }
    }
    if (rc == IV_OK) {
        const double tail = one_sided ? 1.0 - confidence : 0.5 * (1.0 - confidence);
        const size_t at = (size_t)(tail * POINTS);
        for (size_t i = 0; i < POINTS; i++)
            in[i] /= all[i];
        qsort(in, POINTS, sizeof *in, iv_ascending);
        *out = (iv_limits){ .lower = in[at], .upper = in[POINTS - 1 - at] };
    }
    iv_arena_free(&own);
    return rc;
}

int iv_family_recall(iv_limits *out, double *estimate,
                     const iv_family_cell cells[IV_FAMILY_CELLS], double confidence, bool one_sided,
                     iv_err *err)
{
    double in = 0.0, all = 0.0;

    IV_TRY(limits_of(out, cells, confidence, one_sided, true, err));
    for (size_t k = 0; k < IV_FAMILY_CELLS; k++) {
        const double total = cells[k].size == 0 ? 0.0
            : (double)cells[k].size * (double)cells[k].relevant / (double)cells[k].judged;
        in += k == IV_FAMILY_RETRIEVED ? total : 0.0;
        all += total;
    }
    *estimate = all > 0.0 ? in / all : (double)NAN;
    return IV_OK;
}

/* ------------------------------------------------------------------ answer -- */

typedef struct family_row {
    const char *documents;
    size_t families, sampled, size, judged, relevant;
    double effect;
} family_row;

const iv_field iv_recall_family_fields[] = {
    { "documents", IV_AT(family_row, documents),
      .about = "retrieved documents; unretrieved ones in the same families; or in others" },
    { "families", IV_AT(family_row, families), .about = "families that have such documents" },
    { "sampled", IV_AT(family_row, sampled), .about = "families of the sample among them" },
    { "N", IV_AT(family_row, size), .about = "number of such documents" },
    { "n", IV_AT(family_row, judged), .heading = "judged", .about = "judged documents" },
    { "r", IV_AT(family_row, relevant), .heading = "relevant", .about = "relevant ones" },
    { "effect", IV_AT(family_row, effect), .digits = 2, .heading = "design effect",
      .about = "variance by families over that of a sample of single documents, at least 1" },
    { NULL } };

typedef struct limits_row {
    const char *run, *method;
    double confidence, recall, lower, upper;
} limits_row;

static const iv_field limits_fields[] = {
    { "method", IV_AT(limits_row, method), .about = "how the interval is computed" },
    { "recall", IV_AT(limits_row, recall), .digits = 3, .about = "estimate of recall" },
    { "lower", IV_AT(limits_row, lower), .digits = 3, .about = "lower limit of recall" },
    { "upper", IV_AT(limits_row, upper), .digits = 3, .about = "upper limit of recall" },
    { NULL } };

/* A family in the sample: its documents of each segment. */
typedef struct family {
    int64_t size[2], judged[2], relevant[2]; /* retrieved, and not */
} family;

static int count_families(iv_family_cell cells[IV_FAMILY_CELLS], size_t *unjudged,
                          const iv_family_list *l, const iv_judgments *j, int64_t level,
                          iv_arena *own, iv_err *err)
{
    family *all = iv_take(own, l->families + 1, sizeof *all);

    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < l->count; i++) {
        const iv_judgment *x = iv_judgments_find(j, 0, l->document[i]);
        const int out = !l->retrieved[i];
        family *f = &all[l->family[i]];
        f->size[out]++;
        f->judged[out] += x != NULL && x->grade >= 0;
        f->relevant[out] += x != NULL && x->grade >= level;
    }
    for (size_t k = 0; k < l->families; k++)
        for (int out = 0; out < 2; out++) {
            const family *f = &all[k];
            iv_family_cell *c = &cells[out == 0 ? IV_FAMILY_RETRIEVED
                                       : f->size[0] > 0 ? IV_FAMILY_BESIDE : IV_FAMILY_OUTSIDE];
            const double n = (double)f->judged[out], r = (double)f->relevant[out];
            c->size += f->size[out];
            c->families += f->size[out] > 0;
            c->sampled += f->judged[out] > 0;
            c->judged += f->judged[out];
            c->relevant += f->relevant[out];
            c->nn += n * n;
            c->nr += n * r;
            c->rr += r * r;
            *unjudged += f->judged[0] + f->judged[1] > 0 ? (size_t)(f->size[out] - f->judged[out])
                                                         : 0;
        }
    return IV_OK;
}

/* The claim, and what the same sample says if documents are taken for independent. */
static int tell(iv_result *out, const iv_recall_question *q, const iv_family_cell *cells,
                double confidence, iv_err *err)
{
    limits_row rows[2] = { { .method = "families" }, { .method = "single documents" } };
    char at[IV_FIGURE_SIZE], low[IV_FIGURE_SIZE], high[IV_FIGURE_SIZE], goal[IV_FIGURE_SIZE];
    iv_limits is, single, one;

    IV_TRY(iv_family_recall(&is, &rows[0].recall, cells, confidence, q->one_sided, err));
    IV_TRY(limits_of(&single, cells, confidence, q->one_sided, false, err));
    IV_TRY(limits_of(&one, cells, confidence, true, true, err));
    rows[0] = (limits_row){ "review", "families", confidence, rows[0].recall, is.lower, is.upper };
    rows[1] = (limits_row){ "review", "single documents", confidence, rows[0].recall, single.lower,
                            single.upper };
    IV_TABLE(out, "recall", limits_fields, rows, 2);
    if (isnan(rows[0].recall))
        return iv_fail(err, IV_ENODATA, "no judged document is relevant; recall is undefined");
    (void)iv_percent(at, rows[0].recall, q->target);
    (void)iv_percent_limit(low, is.lower, q->target, false);
    (void)iv_percent_limit(high, is.upper, q->target, true);
    if (q->target == 0.0) {
        iv_result_answer(out, "Recall is estimated at %s (%.10g %% interval %s to %s, by "
                         "families).", at, 100.0 * confidence, low, high);
        return IV_OK;
    }
    const iv_verdict verdict = iv_recall_verdict(one, q->target);
    iv_claim claim = iv_recall_claim_of("recall", rows[0].recall, one, q->target, confidence);
    (void)iv_result_claim(out, &claim);
    (void)iv_percent(goal, q->target, q->target);
    (void)iv_percent_limit(low, verdict == IV_VERDICT_OPEN || one.lower >= q->target ? one.lower
                           : one.upper, q->target, one.lower < q->target
                           && verdict != IV_VERDICT_OPEN);
    iv_result_answer(out, "%s: recall is %s %s (%.10g %% confidence, one-sided %s limit %s, by "
                     "families). It is estimated at %s.",
                     verdict == IV_VERDICT_OPEN ? "Inconclusive" : one.lower >= q->target
                     ? "Probably yes" : "Probably no",
                     verdict == IV_VERDICT_OPEN ? "not demonstrated to be at least, or below,"
                     : one.lower >= q->target ? "at least" : "below", goal, 100.0 * confidence,
                     verdict == IV_VERDICT_OPEN || one.lower >= q->target ? "lower" : "upper", low,
                     at);
    return IV_OK;
}

int iv_recall_answer_families(iv_result *out, const iv_recall_question *q, const iv_work *work,
                              iv_err *err)
{
    static const char *const names[] = { "retrieved", "unretrieved, beside retrieved ones",
                                         "unretrieved, other families" };
    const double confidence = q->confidence == 0.0 ? 0.95 : q->confidence;
    iv_family_cell cells[IV_FAMILY_CELLS] = { { 0 } };
    family_row rows[IV_FAMILY_CELLS];
    iv_arena *own = iv_result_own(out);
    iv_judgments *j = NULL;
    iv_family_list l;
    size_t unjudged = 0, n = 0;

    if (q->ranked.sample == NULL)
        return iv_fail(err, IV_EARG, "--families needs --sample: the judgments of sampled "
                       "families");
    IV_TRY(iv_family_list_load(&l, own, q->families, work, err));
    if (l.retrieved == NULL || !l.clustered)
        return iv_fail_at(err, IV_EPARSE, q->families, 1, "no column %s; expected document, family "
                          "and segment", l.clustered ? "segment" : "family");
    IV_TRY(iv_judgments_input(&j, out, q->ranked.sample, IV_JUDGMENTS_ANY, work, err));
    if (iv_judgments_topics(j) != 1)
        return iv_fail_at(err, IV_EARG, q->ranked.sample, 0, "%zu topics, expected one",
                          iv_judgments_topics(j));
    IV_TRY(count_families(cells, &unjudged, &l, j, q->level == 0 ? 1 : q->level, own, err));
    for (size_t k = 0; k < IV_FAMILY_CELLS; k++)
        if (cells[k].size > 0)
            rows[n++] = (family_row){ names[k], (size_t)cells[k].families, (size_t)cells[k].sampled,
                                      (size_t)cells[k].size, (size_t)cells[k].judged,
                                      (size_t)cells[k].relevant, iv_family_effect(&cells[k]) };
    IV_TRY(tell(out, q, cells, confidence, err));
    IV_TABLE(out, "families", iv_recall_family_fields, rows, n);
    iv_recall_say(out, "recall.family-part", unjudged, NULL, NULL);
    iv_result_used(out, "family-recall");
    return iv_result_status(out, err);
}
