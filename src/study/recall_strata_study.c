/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage when segments have strata.  Layouts: the unretrieved segment is cut, and
 * there a prior in every stratum adds up: the half prior, safe in one, is not in 32.
 * Rankings whose sample was drawn apart from each side of a border: three strata, two
 * of which share a sample.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "stat/recall/recall_outcomes.h"
#include "study/recall_study.h"

enum { LAYOUT_N1 = 2560, LAYOUT_R1 = 1280, LAYOUT_SAMPLED1 = 400,
       LAYOUT_N0 = 320000, LAYOUT_R0 = 640, LAYOUT_SAMPLED0 = 3200, LAYOUT_MOST = 64 };

/* What one thread works with. */
typedef struct bench {
    iv_outcome_work w;
    iv_yield side[2], floor;
} bench;

static void bench_end(void *memory)
{
    bench *b = memory;

    iv_outcome_work_free(&b->w);
    iv_yield_free(&b->side[0]);
    iv_yield_free(&b->side[1]);
    iv_yield_free(&b->floor);
}

static void *bench_new(iv_arena *own, void *user)
{
    bench *b = iv_own(own, iv_take(own, 1, sizeof *b), bench_end);

    (void)user;
    return b != NULL && iv_outcome_work_init(&b->w, NULL) == IV_OK ? b : NULL;
}

/* Draws samples and counts; their intervals have `methods` in a row. */
typedef struct sampled {
    size_t samples, methods;
    double confidence;
    uint64_t seed;
    iv_recall_interval *intervals;
} sampled;

static int prepare(sampled *s, const iv_recall_study_options *o, size_t methods,
                   const iv_work *work, iv_err *err)
{
    *s = (sampled){ o->samples == 0 ? 1000 : o->samples, methods,
                    o->confidence == 0.0 ? 0.95 : o->confidence, iv_work_seed(work), NULL };
    if (!(s->confidence > 0.0 && s->confidence < 1.0))
        return iv_fail(err, IV_EARG, "a study needs a confidence in (0, 1)");
    s->intervals = malloc(s->samples * methods * sizeof *s->intervals);
    return s->intervals == NULL
        ? iv_fail(err, IV_ENOMEM, "no memory for %zu samples", s->samples) : IV_OK;
}

static iv_recall_coverage count(const sampled *s, size_t method, double truth)
{
    const iv_five_numbers unknown = { NAN, NAN, NAN, NAN, NAN };
    const double n = (double)s->samples;
    iv_recall_coverage c = { .coverages = unknown, .belows = unknown, .aboves = unknown,
                             .closest = NAN };

    for (size_t i = 0; i < s->samples; i++) {
        const iv_recall_interval x = s->intervals[i * s->methods + method];
        c.width += (x.upper - x.lower) / n;
        c.below += truth < x.lower;
        c.above += truth > x.upper;
    }
    c.coverage = isnan(c.width) ? NAN : (n - c.below - c.above) / n;
    c.below = isnan(c.width) ? NAN : c.below / n;
    c.above = isnan(c.width) ? NAN : c.above / n;
    c.rmse = fabs(c.coverage - s->confidence);
    return c;
}

/* ------------------------------------------------------------------ layouts -- */

typedef struct layout {
    sampled of;
    iv_stratum sampled[LAYOUT_MOST]; /* relevant to be drawn */
    int64_t R0[LAYOUT_MOST];
    double conservative[2]; /* priors of a stratum: they depend on N and n alone */
    size_t strata;
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
static int stratified(iv_recall_interval *out, const layout *l, bench *b,
                      const iv_segments *s, const iv_recall_options *o, iv_err *err)
{
    double alpha[LAYOUT_MOST], beta[LAYOUT_MOST];
    iv_stratum floor[LAYOUT_MOST];
    bool floored = false;
    int rc = IV_OK;

    for (int i = 0; i < 2 && rc == IV_OK; i++) {
        const iv_stratum *strata = i == 1 ? s->retrieved : s->unretrieved;
        const size_t count = i == 1 ? s->retrieved_count : s->unretrieved_count;
        if (o->method != IV_RECALL_BETABIN_MCP)
            rc = iv_recall_priors(alpha, beta, strata, count, o, err);
        for (size_t k = 0; o->method == IV_RECALL_BETABIN_MCP && k < count; k++)
            alpha[k] = beta[k] = l->conservative[i];
        if (rc == IV_OK)
            rc = iv_yield_curves(&b->side[i], strata, count, alpha, beta,
                                 o->method != IV_RECALL_JEFFREYS, err);
        if (rc == IV_OK)
            rc = iv_yield_by_cells(&b->side[i], b->w.posterior->convolver, &iv_coarse, err);
        if (i == 1 || o->method != IV_RECALL_BETABIN_WEIGHTED)
            continue; /* one stratum was retrieved */
        memcpy(floor, strata, count * sizeof *strata);
        floored = iv_recall_floor(floor, beta, count, 0.5);
        if (rc == IV_OK && floored)
            rc = iv_yield_curves(&b->floor, floor, count, alpha, beta, true, err);
        if (rc == IV_OK && floored)
            rc = iv_yield_by_cells(&b->floor, b->w.posterior->convolver, &iv_coarse, err);
    }
    if (rc < 0)
        return rc;
    iv_recall_posterior_lend(b->w.posterior, &b->side[1], &b->side[0], floored ? &b->floor : NULL,
                             iv_coarse.tolerance);
    *out = iv_recall_limits(b->w.posterior, IV_RECALL_RECALL, 1.0, o->confidence, false);
    return isnan(out->lower) || isnan(out->upper)
               ? iv_fail(err, IV_ENUM, "an interval was not reached to its accuracy") : IV_OK;
}

static int layout_sample(void *user, void *memory, size_t i, iv_err *err)
{
    const layout *l = user;
    bench *b = memory;
    iv_stream s = iv_stream_start(l->of.seed, IV_FOR_STUDY, (uint64_t)2 << 60 | i);
    iv_stratum one = { LAYOUT_N1, LAYOUT_SAMPLED1, 0 }, zero[LAYOUT_MOST];
    const iv_segments data = { &one, zero, 1, l->strata };
    int rc = IV_OK;

    one.relevant = iv_draw_hyper(&s, LAYOUT_N1, LAYOUT_R1, LAYOUT_SAMPLED1);
    for (size_t k = 0; k < l->strata; k++) {
        zero[k] = l->sampled[k];
        zero[k].relevant = iv_draw_hyper(&s, zero[k].size, l->R0[k], zero[k].sampled);
    }
    for (int m = IV_RECALL_NAIVE; m < IV_RECALL_ALL && rc == IV_OK; m++) {
        iv_recall_interval *out = &l->of.intervals[i * IV_RECALL_ALL + (size_t)m];
        const iv_recall_options o = { .method = (iv_recall_method)m,
                                      .confidence = l->of.confidence };
        if (m == IV_RECALL_EXACT || (m == IV_RECALL_KOOPMAN && l->strata > 1))
            *out = (iv_recall_interval){ NAN, NAN };
        else if (iv_recall_has_posterior(o.method))
            rc = stratified(out, l, b, &data, &o, err);
        else
            rc = iv_recall_interval_of(out, &data, &o, b->w.posterior, err);
    }
    return rc;
}

int iv_recall_layout_study(iv_recall_coverage *out, size_t strata, bool graded,
                           const iv_recall_study_options *o, const iv_work *work, iv_err *err)
{
    const double truth = (double)LAYOUT_R1 / (double)(LAYOUT_R1 + LAYOUT_R0);
    layout l = { .strata = strata };

    if (strata < 1 || strata > LAYOUT_MOST || LAYOUT_R0 % strata != 0
        || LAYOUT_SAMPLED0 % strata != 0)
        return iv_fail(err, IV_EARG, "%zu strata, expected a divisor of 640 up to 64", strata);
    for (size_t i = 0; i < strata; i++)
        l.sampled[i] = (iv_stratum){ LAYOUT_N0 / (int64_t)strata,
                                     LAYOUT_SAMPLED0 / (int64_t)strata, 0 };
    place_relevant(&l, graded);
    int rc = iv_conservative_prior(&l.conservative[1], LAYOUT_N1, LAYOUT_SAMPLED1, true, err);
    if (rc == IV_OK)
        rc = iv_conservative_prior(&l.conservative[0], l.sampled[0].size, l.sampled[0].sampled,
                                   true, err);
    if (rc == IV_OK)
        rc = prepare(&l.of, o, IV_RECALL_ALL, work, err);
    if (rc == IV_OK)
        rc = iv_parallel(&(iv_loop){ l.of.samples, layout_sample, &l, bench_new }, work, err);
    for (int m = IV_RECALL_NAIVE; m < IV_RECALL_ALL && rc == IV_OK; m++)
        out[m] = count(&l.of, (size_t)m, truth);
    free(l.of.intervals);
    return rc;
}

/* ----------------------------------------------------------------- rankings -- */

enum { PARTS = 3 };

typedef struct cut {
    sampled of;
    int64_t size[PARTS], relevant[PARTS]; /* down the ranking */
    size_t retrieved; /* parts above the cut-off: 1 or 2 */
    size_t above;     /* parts above the border of the sample */
    int64_t drawn[2]; /* above and below it */
    iv_recall_options options;
} cut;

/* Draws `drawn` documents from two parts together, some from each. */
static void share(iv_stream *s, const cut *j, int64_t into[PARTS], size_t first,
                  int64_t drawn)
{
    const int64_t size = j->size[first], other = j->size[first + 1];

    if (size == 0 || other == 0) {
        into[first] = size == 0 ? 0 : drawn;
        into[first + 1] = drawn - into[first];
        return;
    }
    do
        into[first] = iv_draw_hyper(s, size + other, size, drawn);
    while (into[first] == 0 || into[first] == drawn);
    into[first + 1] = drawn - into[first];
}

static int cut_sample(void *user, void *memory, size_t i, iv_err *err)
{
    const cut *j = user;
    bench *b = memory;
    iv_stream s = iv_stream_start(j->of.seed, IV_FOR_STUDY, (uint64_t)3 << 60 | i);
    int64_t drawn[PARTS] = { j->drawn[0], 0, j->drawn[1] };
    iv_stratum strata[PARTS];
    size_t used = 0, retrieved = 0;

    share(&s, j, drawn, j->above == 2 ? 0 : 1, j->drawn[j->above == 2 ? 0 : 1]);
    for (size_t k = 0; k < PARTS; k++) {
        if (j->size[k] == 0)
            continue;
        strata[used++] = (iv_stratum){ j->size[k], drawn[k],
                                       iv_draw_hyper(&s, j->size[k], j->relevant[k],
                                                     drawn[k]) };
        retrieved += k < j->retrieved;
    }
    const iv_segments data = { strata, strata + retrieved, retrieved, used - retrieved };
    return iv_recall_interval_of(&j->of.intervals[i], &data, &j->options, b->w.posterior, err);
}

static bool sensible(const cut *j, const iv_recall_ranking *r)
{
    for (size_t k = 0; k < PARTS; k++) {
        if (j->size[k] < 0 || j->relevant[k] < 0 || j->relevant[k] > j->size[k])
            return false;
    }
    /* What two parts share must be able to leave one to each. */
    const int64_t shared = r->cutoff == r->drawn_at ? 1 : 2;
    return r->cutoff >= 1 && r->drawn_at >= 1 && j->size[2] >= 1
        && r->above <= r->drawn_at && r->below <= r->documents - r->drawn_at
        && r->above >= (r->cutoff < r->drawn_at ? shared : 1)
        && r->below >= (r->cutoff > r->drawn_at ? shared : 1)
        && j->relevant[0] + j->relevant[1] + j->relevant[2] >= 1;
}

int iv_recall_apart_study(iv_recall_coverage *out, const iv_recall_ranking *r,
                          iv_recall_method method, const iv_recall_study_options *o,
                          const iv_work *work, iv_err *err)
{
    const int64_t first = r->cutoff < r->drawn_at ? r->cutoff : r->drawn_at;
    const int64_t second = r->cutoff < r->drawn_at ? r->drawn_at : r->cutoff;
    cut j = { .size = { first, second - first, r->documents - second },
              .relevant = { r->relevant[0], r->relevant[1], r->relevant[2] },
              .retrieved = r->cutoff > r->drawn_at ? 2 : 1,
              .above = r->cutoff < r->drawn_at ? 2 : 1, .drawn = { r->above, r->below },
              .options = { .method = method, .confidence = o->confidence } };
    double yield = 0.0, all = 0.0;

    if (!sensible(&j, r))
        return iv_fail(err, IV_EARG, "a study needs two sides to draw samples from");
    for (size_t k = 0; k < PARTS; k++) {
        all += (double)j.relevant[k];
        yield += k < j.retrieved ? (double)j.relevant[k] : 0.0;
    }
    int rc = prepare(&j.of, o, 1, work, err);
    if (rc == IV_OK)
        rc = iv_parallel(&(iv_loop){ j.of.samples, cut_sample, &j, bench_new }, work, err);
    if (rc == IV_OK)
        *out = count(&j.of, 0, yield / all);
    free(j.of.intervals);
    return rc;
}
