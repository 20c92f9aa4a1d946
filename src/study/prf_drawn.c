/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage by drawing: samples of n items from a population with known
 * precision, recall and prevalence; for each the posterior's interval, from
 * draws of the posterior, and the percentile bootstrap's.
 */
#include <math.h>
#include <stdlib.h>

#include "base/threads.h"
#include "intervale/num.h"
#include "study/prf_study_parts.h"

enum { BLOCK = 16 };

/* TP, FP, FN, TN of the population. */
static void population(double share[4], double rate, double prevalence)
{
    share[0] = prevalence * rate;
    share[1] = prevalence * (1.0 - rate); /* precision = recall = rate */
    share[2] = prevalence * (1.0 - rate);
    share[3] = 1.0 - prevalence * (2.0 - rate);
}

/* Intervals of one sample: {lower, upper} by method; lower > upper: none. */
typedef struct outcome {
    double end[IV_PRF_STUDY_METHODS][2];
} outcome;

static const double none[2] = { 1.0, 0.0 };

static void set(outcome *out, iv_prf_study_method m, double lower, double upper)
{
    out->end[m][0] = lower;
    out->end[m][1] = upper;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Equal tails of sorted values, by order statistics. */
static void set_tails(outcome *out, iv_prf_study_method m, const double *x, size_t n,
                      double confidence)
{
    const double tail = 0.5 * (1.0 - confidence), last = (double)(n - 1);

    set(out, m, x[(size_t)(tail * last)], x[(size_t)ceil((1.0 - tail) * last)]);
}

/* The shortest interval that holds enough of sorted values. */
static void set_shortest(outcome *out, iv_prf_study_method m, const double *x, size_t n,
                         double confidence)
{
    const size_t span = (size_t)ceil(confidence * (double)(n - 1));
    size_t best = 0;

    for (size_t i = 1; i + span < n; i++) {
        if (x[i + span] - x[i] < x[best + span] - x[best])
            best = i;
    }
    set(out, m, x[best], x[best + span]);
}

/* Both posterior intervals, from the same draws. */
static int posterior_ends(outcome *out, double *draws, const iv_prf_study_options *o,
                          const int64_t n[4], uint64_t seed)
{
    const iv_prf_counts counts = { n[0], n[1], n[2], n[3] };
    const iv_draw_plan plan = { o->draws, 0 };
    const iv_work alone = { .threads = 1, .seed = seed };
    iv_prf_cells cells;
    int rc = iv_prf_update(&cells, o->prior, &counts, NULL, NULL);

    if (rc == IV_OK)
        rc = iv_prf_draw(draws, &cells, 1, &o->metric, 1, &plan, &alone, NULL);
    if (rc < 0)
        return rc;
    qsort(draws, o->draws, sizeof *draws, ascending);
    set_tails(out, IV_PRF_STUDY_EQUAL, draws, o->draws, o->confidence);
    set_shortest(out, IV_PRF_STUDY_HDI, draws, o->draws, o->confidence);
    return IV_OK;
}

/* The percentile bootstrap; resamples without a value are left out. */
static void bootstrap_ends(outcome *out, double *values, const iv_prf_study_options *o,
                           const int64_t n[4], iv_stream *s)
{
    const double weights[4] = { (double)n[0], (double)n[1], (double)n[2], (double)n[3] };
    const int64_t items = n[0] + n[1] + n[2] + n[3];
    size_t kept = 0;

    for (size_t i = 0; i < o->draws; i++) {
        int64_t x[4];
        iv_draw_multinomial(s, x, items, weights, 4);
        const iv_prf_counts c = { x[0], x[1], x[2], x[3] };
        const double v = iv_prf_value(o->metric, &c);
        if (!isnan(v))
            values[kept++] = v;
    }
    set(out, IV_PRF_STUDY_BOOTSTRAP, none[0], none[1]);
    if (kept < o->draws / 2)
        return;
    qsort(values, kept, sizeof *values, ascending);
    set_tails(out, IV_PRF_STUDY_BOOTSTRAP, values, kept, o->confidence);
}

/* Sample number i of a cell of the grid, with streams of its own. */
static int one_sample(outcome *out, double *room, const iv_prf_study_options *o,
                      const double share[4], int64_t items, uint32_t stream, size_t i)
{
    iv_stream s = iv_stream_start(o->seed, IV_FOR_STUDY, ((uint64_t)stream << 32) | i);
    const uint64_t seed = iv_draw_bits(&s);
    int64_t n[4];

    iv_draw_multinomial(&s, n, items, share, 4);
    set(out, IV_PRF_STUDY_WILSON, none[0], none[1]);
    const int rc = posterior_ends(out, room, o, n, seed);
    if (rc == IV_OK)
        bootstrap_ends(out, room, o, n, &s);
    return rc;
}

static void add_up(iv_prf_study_cell *cells, const outcome *all, size_t count)
{
    const double n = (double)count;

    for (int m = 0; m < IV_PRF_STUDY_METHODS; m++) {
        iv_prf_study_cell *c = &cells[m];
        for (size_t i = 0; i < count; i++)
            iv_prf_study_add(c, 1.0, all[i].end[m][0], all[i].end[m][1]);
        c->coverage /= n;
        c->below /= n;
        c->above /= n;
        c->gaps /= n;
        c->width /= n;
        c->coverage_se = sqrt(c->coverage * (1.0 - c->coverage) / n);
        if (m == IV_PRF_STUDY_WILSON)
            c->coverage = c->coverage_se = NAN;
    }
}

int iv_prf_study_draw(iv_prf_study_cell *cells, const iv_prf_study_options *o,
                      uint32_t stream, iv_err *err)
{
    const size_t blocks = (o->replicates + BLOCK - 1) / BLOCK;
    outcome *all = calloc(o->replicates, sizeof *all);
    double share[4];
    int failed = all != NULL ? IV_OK : IV_ENOMEM;

    population(share, cells->rate, o->prevalence);
    for (int m = 0; m < IV_PRF_STUDY_METHODS; m++)
        cells[m].truth = iv_prf_of_cells(o->metric, share[0], share[1], share[2], share[3]);
#pragma omp parallel for schedule(dynamic) num_threads(iv_threads(o->threads)) if (all != NULL)
    for (size_t b = 0; b < blocks; b++) {
        double *room = all != NULL ? malloc(o->draws * sizeof *room) : NULL;
        int rc = room != NULL ? IV_OK : IV_ENOMEM;
        for (size_t i = b * BLOCK; rc == IV_OK && i < (b + 1) * BLOCK && i < o->replicates; i++)
            rc = one_sample(&all[i], room, o, share, cells->size, stream, i);
        free(room);
        if (rc < 0) {
#pragma omp atomic write
            failed = rc;
        }
    }
    if (failed == IV_OK)
        add_up(cells, all, o->replicates);
    free(all);
    return failed == IV_OK ? IV_OK : iv_fail(err, failed, "a sample could not be evaluated");
}
