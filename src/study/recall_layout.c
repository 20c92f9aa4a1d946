/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage when the unretrieved segment is cut into strata: there a prior in
 * every stratum adds up, and the half prior, safe in one, is not in 32.
 */
#include <math.h>
#include <stdlib.h>

#include "base/threads.h"
#include "study/recall_study.h"
#include "stat/recall/recall_outcomes.h"

enum { LAYOUT_N1 = 2560, LAYOUT_R1 = 1280, LAYOUT_SAMPLED1 = 400,
       LAYOUT_N0 = 320000, LAYOUT_R0 = 640, LAYOUT_SAMPLED0 = 3200, LAYOUT_MOST = 64 };

typedef struct layout {
    iv_stratum sampled[LAYOUT_MOST]; /* relevant to be drawn */
    int64_t R0[LAYOUT_MOST];
    double conservative[2]; /* priors of a stratum: they depend on N and n alone */
    size_t strata;
    const iv_recall_study_options *o;
    iv_recall_interval *intervals; /* samples x methods */
    size_t done;
    int rc;
    iv_err err;
} layout;

/* Relevant documents by stratum: evenly, or each stratum 3/4 of the one before. */
static void place_relevant(layout *l, bool graded)
{
    double weight = 1.0, sum = 0.0;
    int64_t left = LAYOUT_R0;

    for (size_t i = 0; i < l->strata; i++, weight *= graded ? 0.75 : 1.0)
        sum += weight;
    weight = 1.0;
    for (size_t i = 0; i < l->strata; i++, weight *= graded ? 0.75 : 1.0) {
        l->R0[i] = (int64_t)floor(LAYOUT_R0 * weight / sum);
        left -= l->R0[i];
    }
    for (size_t i = 0; left > 0; i = (i + 1) % l->strata, left--)
        l->R0[i]++;
}

/* The interval of a posterior method on strata, over a coarse lattice. */
static int stratified(iv_recall_interval *out, const layout *l, iv_outcome_work *w,
                      iv_yield side[2], const iv_segments *s, const iv_recall_options *o,
                      iv_err *err)
{
    double a[LAYOUT_MOST], b[LAYOUT_MOST];
    int rc = IV_OK;

    for (int i = 0; i < 2 && rc == IV_OK; i++) {
        const iv_stratum *strata = i == 1 ? s->retrieved : s->unretrieved;
        const size_t count = i == 1 ? s->retrieved_count : s->unretrieved_count;
        if (o->method != IV_RECALL_BETABIN_MCP)
            rc = iv_recall_priors(a, b, strata, count, o, err);
        for (size_t k = 0; o->method == IV_RECALL_BETABIN_MCP && k < count; k++)
            a[k] = b[k] = l->conservative[i];
        if (rc == IV_OK)
            rc = iv_yield_curves(&side[i], strata, count, a, b,
                                 o->method != IV_RECALL_JEFFREYS, err);
        if (rc == IV_OK)
            rc = iv_yield_by_cells(&side[i], w->posterior->convolver, &iv_coarse, err);
    }
    if (rc < 0)
        return rc;
    iv_recall_posterior_lend(w->posterior, &side[1], &side[0], iv_coarse.tolerance);
    *out = iv_recall_limits(w->posterior, IV_RECALL_RECALL, 1.0, o->confidence, false);
    return isnan(out->lower) || isnan(out->upper)
               ? iv_fail(err, IV_ENUM, "an interval was not reached to its accuracy") : IV_OK;
}

static int one_sample(layout *l, size_t i, iv_outcome_work *w, iv_yield side[2], iv_err *err)
{
    iv_stream s = iv_stream_start(l->o->seed, IV_FOR_STUDY, (uint64_t)2 << 60 | i);
    iv_stratum one = { LAYOUT_N1, LAYOUT_SAMPLED1, 0 }, zero[LAYOUT_MOST];
    const iv_segments data = { &one, zero, 1, l->strata };
    int rc = IV_OK;

    one.relevant = iv_draw_hyper(&s, LAYOUT_N1, LAYOUT_R1, LAYOUT_SAMPLED1);
    for (size_t k = 0; k < l->strata; k++) {
        zero[k] = l->sampled[k];
        zero[k].relevant = iv_draw_hyper(&s, zero[k].size, l->R0[k], zero[k].sampled);
    }
    for (int m = IV_RECALL_NAIVE; m < IV_RECALL_ALL && rc == IV_OK; m++) {
        iv_recall_interval *out = &l->intervals[i * IV_RECALL_ALL + (size_t)m];
        const iv_recall_options o = { .method = (iv_recall_method)m,
                                      .confidence = l->o->confidence };
        if (m == IV_RECALL_KOOPMAN && l->strata > 1)
            *out = (iv_recall_interval){ NAN, NAN };
        else if (iv_recall_has_posterior(o.method))
            rc = stratified(out, l, w, side, &data, &o, err);
        else
            rc = iv_recall_interval_of(out, &data, &o, w->posterior, err);
    }
    return rc;
}

static void work(layout *l)
{
#pragma omp parallel num_threads(iv_threads(l->o->threads))
    {
        iv_err err = { IV_OK, "" };
        iv_outcome_work w;
        iv_yield side[2] = { { 0 } };
        int rc = iv_outcome_work_init(&w, &err);
#pragma omp for schedule(dynamic, 16)
        for (size_t i = 0; i < l->o->samples; i++) {
            if (rc == IV_OK)
                rc = one_sample(l, i, &w, side, &err);
#pragma omp critical(iv_recall_layout_tell)
            {
                l->done++;
                if (rc < 0 && l->rc == IV_OK) {
                    l->rc = rc;
                    l->err = err;
                }
                if (l->o->progress.report != NULL)
                    l->o->progress.report(l->o->progress.user,
                                          (double)l->done / (double)l->o->samples);
            }
        }
        iv_outcome_work_free(&w);
        iv_yield_free(&side[0]);
        iv_yield_free(&side[1]);
    }
}

static void sum_up(iv_recall_coverage *out, const layout *l)
{
    const double truth = (double)LAYOUT_R1 / (double)(LAYOUT_R1 + LAYOUT_R0);
    const double n = (double)l->o->samples;
    const iv_five_numbers unknown = { NAN, NAN, NAN, NAN, NAN };

    for (int m = IV_RECALL_NAIVE; m < IV_RECALL_ALL; m++) {
        iv_recall_coverage c = { .coverages = unknown, .belows = unknown, .aboves = unknown,
                                 .closest = NAN };
        for (size_t i = 0; i < l->o->samples; i++) {
            const iv_recall_interval x = l->intervals[i * IV_RECALL_ALL + (size_t)m];
            c.width += (x.upper - x.lower) / n;
            c.below += truth < x.lower;
            c.above += truth > x.upper;
        }
        c.coverage = isnan(c.width) ? NAN : (n - c.below - c.above) / n;
        c.below /= n;
        c.above /= n;
        c.rmse = fabs(c.coverage - l->o->confidence);
        if (isnan(c.width))
            c.below = c.above = NAN;
        out[m] = c;
    }
}

int iv_recall_layout_study(iv_recall_coverage *out, size_t strata, bool graded,
                           const iv_recall_study_options *o, iv_err *err)
{
    layout l = { .strata = strata, .o = o };

    if (strata < 1 || strata > LAYOUT_MOST || LAYOUT_R0 % strata != 0
        || LAYOUT_SAMPLED0 % strata != 0)
        return iv_fail(err, IV_EARG, "%zu strata, expected a divisor of 640 up to 64", strata);
    if (o->samples == 0 || !(o->confidence > 0.0 && o->confidence < 1.0))
        return iv_fail(err, IV_EARG, "a study needs samples, and a confidence in (0, 1)");
    for (size_t i = 0; i < strata; i++)
        l.sampled[i] = (iv_stratum){ LAYOUT_N0 / (int64_t)strata,
                                     LAYOUT_SAMPLED0 / (int64_t)strata, 0 };
    place_relevant(&l, graded);
    int rc = iv_conservative_prior(&l.conservative[1], LAYOUT_N1, LAYOUT_SAMPLED1, true, err);
    if (rc == IV_OK)
        rc = iv_conservative_prior(&l.conservative[0], l.sampled[0].size, l.sampled[0].sampled,
                                   true, err);
    if (rc < 0)
        return rc;
    l.intervals = malloc(o->samples * IV_RECALL_ALL * sizeof *l.intervals);
    if (l.intervals == NULL)
        return iv_fail(err, IV_ENOMEM, "no memory for %zu samples", o->samples);
    work(&l);
    if (l.rc < 0 && err != NULL)
        *err = l.err;
    if (l.rc == IV_OK)
        sum_up(out, &l);
    free(l.intervals);
    return l.rc;
}
