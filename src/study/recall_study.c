/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage of every method over populations; threads share nothing but results. */
#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/parallel.h"
#include "stat/interval/bootstrap.h"
#include "study/recall_study.h"
#include "stat/recall/recall_outcomes.h"

/* Of one method on one population. */
typedef struct tally {
    double covered, below, above, width;
} tally;

typedef struct job {
    const iv_recall_population *populations;
    size_t count, samples;
    double confidence;
    uint64_t seed;
    tally *tallies; /* populations x methods */
} job;

/* What one thread works with. */
typedef struct bench {
    iv_outcome_work w;
    iv_outcome *outcomes;
    iv_recall_interval *intervals;
} bench;

static void bench_end(void *memory) { iv_outcome_work_free(&((bench *)memory)->w); }

static void *bench_new(iv_arena *own, void *user)
{
    const job *j = user;
    bench *b = iv_own(own, iv_take(own, 1, sizeof *b), bench_end);

    if (b == NULL || iv_outcome_work_init(&b->w, NULL) != IV_OK)
        return NULL;
    b->outcomes = iv_take(own, j->samples, sizeof *b->outcomes);
    b->intervals = iv_take(own, j->samples, sizeof *b->intervals);
    return b;
}

static bool sensible(const iv_recall_population *p)
{
    const bool counts = p->N1 >= 1 && p->N0 >= 1 && p->R1 >= 0 && p->R0 >= 0
                        && p->R1 <= p->N1 && p->R0 <= p->N0 && p->R1 + p->R0 >= 1
                        && p->n1 >= 0 && p->n0 >= 0;

    return counts && (p->together ? p->n1 + p->n0 >= 2 && p->n1 + p->n0 <= p->N1 + p->N0
                                  : p->n1 >= 1 && p->n0 >= 1 && p->n1 <= p->N1
                                        && p->n0 <= p->N0);
}

static iv_outcome draw(iv_stream *s, const iv_recall_population *p)
{
    iv_outcome x = { p->n1, 0, p->n0, 0, 1 };

    if (p->together) {
        const int64_t n = p->n1 + p->n0;
        do
            x.n1 = iv_draw_hyper(s, p->N1 + p->N0, p->N1, n);
        while (x.n1 == 0 || x.n1 == n);
        x.n0 = n - x.n1;
    }
    x.r1 = iv_draw_hyper(s, p->N1, p->R1, x.n1);
    x.r0 = iv_draw_hyper(s, p->N0, p->R0, x.n0);
    return x;
}

static tally count_up(const iv_recall_interval *intervals, const iv_outcome *outcomes,
                      size_t count, double truth, double samples)
{
    tally t = { 0.0, 0.0, 0.0, 0.0 };

    for (size_t i = 0; i < count; i++) {
        const double times = (double)outcomes[i].times;
        t.below += truth < intervals[i].lower ? times : 0.0;
        t.above += truth > intervals[i].upper ? times : 0.0;
        t.width += times * (intervals[i].upper - intervals[i].lower);
    }
    t.covered = (samples - t.below - t.above) / samples;
    t.below /= samples;
    t.above /= samples;
    t.width /= samples;
    return t;
}

/* All methods on population number i. */
static int one_population(void *user, void *memory, size_t i, iv_err *err)
{
    const job *j = user;
    bench *b = memory;
    const iv_recall_population *p = &j->populations[i];
    const double truth = (double)p->R1 / (double)(p->R1 + p->R0);
    iv_stream s = iv_stream_start(j->seed, IV_FOR_STUDY, (uint64_t)1 << 60 | i);
    tally *out = &j->tallies[i * IV_RECALL_ALL];
    int rc = IV_OK;

    for (size_t k = 0; k < j->samples; k++)
        b->outcomes[k] = draw(&s, p);
    const size_t count = iv_outcomes_merge(b->outcomes, j->samples);
    for (int m = IV_RECALL_NAIVE; m < IV_RECALL_ALL && rc == IV_OK; m++) {
        /* One stratum a segment: weighted is half. */
        if (m == IV_RECALL_BETABIN_WEIGHTED) {
            out[m] = out[IV_RECALL_BETABIN_HALF];
            continue;
        }
        if (m == IV_RECALL_EXACT) { /* too long; iv_recall_unequal_study() has it */
            out[m] = (tally){ NAN, NAN, NAN, NAN };
            continue;
        }
        const iv_recall_options o = { .method = (iv_recall_method)m,
                                      .confidence = j->confidence };
        rc = iv_outcome_intervals(b->intervals, b->outcomes, count, p->N1, p->N0, &o, &b->w,
                                  NULL, err);
        if (rc == IV_OK)
            out[m] = count_up(b->intervals, b->outcomes, count, truth, (double)j->samples);
    }
    return rc;
}

/* ------------------------------------------------------------ summing up -- */

static iv_five_numbers spread_of(double *values, size_t n)
{
    qsort(values, n, sizeof *values, iv_rising);
    return (iv_five_numbers){ values[0], iv_quantile_sorted(values, n, 0.25),
                              iv_quantile_sorted(values, n, 0.5),
                              iv_quantile_sorted(values, n, 0.75), values[n - 1] };
}

static void share_closest(iv_recall_coverage *out, const job *j)
{
    const double unit = 0.5 / (double)j->samples; /* finer is not told apart */

    for (size_t i = 0; i < j->count; i++) {
        const tally *t = &j->tallies[i * IV_RECALL_ALL];
        double least = INFINITY, ties = 0.0;
        /* The paper's nine: weighted repeats half, uncorrected is not among them. */
        for (int pass = 0; pass < 3; pass++) {
            for (int m = IV_RECALL_NAIVE; m < IV_RECALL_BETABIN_WEIGHTED; m++) {
                const double off = fabs(t[m].covered - j->confidence);
                if (m == IV_RECALL_NORMAL_UNCORRECTED)
                    continue;
                if (pass == 0)
                    least = fmin(least, off);
                else if (pass == 1)
                    ties += off < least + unit;
                else if (off < least + unit)
                    out[m].closest += 1.0 / (ties * (double)j->count);
            }
        }
    }
}

static void sum_up(iv_recall_coverage *out, const job *j, double *scratch)
{
    const double n = (double)j->count;

    for (int m = IV_RECALL_NAIVE; m < IV_RECALL_ALL; m++) {
        iv_recall_coverage c = { 0 };
        for (size_t i = 0; i < j->count; i++) {
            const tally *t = &j->tallies[i * IV_RECALL_ALL + (size_t)m];
            const double off = t->covered - j->confidence;
            c.coverage += t->covered / n;
            c.width += t->width / n;
            c.below += t->below / n;
            c.above += t->above / n;
            c.rmse += off * off / n;
        }
        c.rmse = sqrt(c.rmse);
        for (int which = 0; which < 3; which++) {
            for (size_t i = 0; i < j->count; i++) {
                const tally *t = &j->tallies[i * IV_RECALL_ALL + (size_t)m];
                scratch[i] = which == 0 ? t->covered : which == 1 ? t->below : t->above;
            }
            *(which == 0 ? &c.coverages : which == 1 ? &c.belows : &c.aboves) =
                spread_of(scratch, j->count);
        }
        out[m] = c;
    }
    share_closest(out, j);
    out[IV_RECALL_NORMAL_UNCORRECTED].closest
        = out[IV_RECALL_BETABIN_WEIGHTED].closest = NAN;
}

int iv_recall_study(iv_recall_coverage *out, const iv_recall_population *populations,
                    size_t count, const iv_recall_study_options *o, const iv_work *work,
                    iv_err *err)
{
    job j = { populations, count, o->samples == 0 ? 1000 : o->samples,
              o->confidence == 0.0 ? 0.95 : o->confidence, iv_work_seed(work), NULL };
    int rc = IV_OK;

    if (count == 0 || !(j.confidence > 0.0 && j.confidence < 1.0))
        return iv_fail(err, IV_EARG, "a study needs populations and a confidence in (0, 1)");
    for (size_t i = 0; i < count; i++) {
        if (!sensible(&populations[i]))
            return iv_fail(err, IV_EARG, "population %zu makes no sense", i);
    }
    j.tallies = calloc(count * IV_RECALL_ALL, sizeof *j.tallies);
    double *scratch = malloc(count * sizeof *scratch);
    rc = j.tallies == NULL || scratch == NULL
        ? iv_fail(err, IV_ENOMEM, "no memory for %zu populations", count)
        : iv_parallel(&(iv_loop){ count, one_population, &j, bench_new }, work, err);
    if (rc == IV_OK)
        sum_up(out, &j, scratch);
    free(j.tallies);
    free(scratch);
    return rc;
}
