/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is confidence accuracy?  Pairs of runs are judged from nothing or from a pool, document by document,
 * and again and again the confidence in the sign is held against the truth.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "design/inquiry_parts.h"
#include "intervale/stat/paired.h"
#include "study/judging_study.h"

enum { BINS = IV_CERTAINTY_BINS, MOST_LOOKS = 101, RESAMPLES = 400 };

/* A bin of one pair. */
typedef struct bin_sum {
    double points, right, confidence, squares, surprise;
} bin_sum;

typedef struct calibrated_pair {
    size_t a, b;
    bin_sum bin[BINS];
    double highest_start; /* confidence with nothing judged */
} calibrated_pair;

typedef struct job {
    const iv_pooled *p;
    const iv_judging_study_options *o;
    calibrated_pair *pair;
    const iv_work *inner;
} job;

static bool is_relevant(const iv_pooled *p, const iv_inquiry *q, size_t t, size_t d)
{
    return iv_pooled_judged(p, t)[iv_inquiry_pooled(q, t, d)] == 1;
}

/* The sign of the difference when all is judged, what nobody judged being nonrelevant. */
static int find_truth(double *out, const job *j, const size_t *runs, iv_err *err)
{
    const iv_inquiry_options known = { .prior = { .model = IV_MODEL_INDEPENDENT } };
    iv_inquiry *q = NULL;
    const int rc = iv_inquiry_new(&q, j->p, runs, 2, &known, j->inner, err);

    for (size_t t = 0; rc == IV_OK && t < iv_inquiry_topics(q); t++)
        for (size_t d = 0; d < iv_inquiry_documents(q, t); d++) {
            const double r = iv_inquiry_relevance(q, t, d);
            if (r > 0.0 && r < 1.0)
                iv_inquiry_judge(q, t, d, false);
        }
    if (rc == IV_OK)
        *out = iv_inquiry_moments(q, 0).mean;
    iv_inquiry_free(q);
    return rc;
}

static void look(calibrated_pair *x, const iv_inquiry *q, double truth)
{
    const iv_moments d = iv_inquiry_moments(q, 0);
    const double c = iv_sign_confidence(d), at = (c - 0.5) * 2.0 * BINS;
    bin_sum *s = &x->bin[at < BINS ? (size_t)at : BINS - 1];
    const double right = d.mean * truth > 0.0 ? 1.0 : 0.0, sure = fmin(c, 1.0 - 1e-6);

    s->points += 1.0;
    s->right += right;
    s->confidence += c;
    s->squares += (c - right) * (c - right);
    s->surprise -= log(right > 0.0 ? sure : 1.0 - sure);
}

/* As many as there are topics, in the order of next. */
static size_t judge_next(iv_inquiry *q, const job *j)
{
    size_t made = 0;
    iv_candidate c;

    for (; made < iv_inquiry_topics(q) && iv_inquiry_next(&c, q); made++)
        iv_inquiry_judge(q, c.topic, c.document, is_relevant(j->p, q, c.topic, c.document));
    return made;
}

/* All documents of a best rank. */
static size_t judge_rank(iv_inquiry *q, const job *j, size_t round)
{
    size_t made = 0;

    for (size_t t = 0; t < iv_inquiry_topics(q); t++)
        for (size_t d = 0; d < iv_inquiry_documents(q, t); d++)
            if (iv_inquiry_best_rank(q, t, d) == round) {
                iv_inquiry_judge(q, t, d, is_relevant(j->p, q, t, d));
                made++;
            }
    return made;
}

static int one_pair(void *user, void *memory, size_t k, iv_err *err)
{
    const job *j = user;
    calibrated_pair *x = &j->pair[k];
    const iv_inquiry_options how = { .prior = j->o->prior, .form = j->o->form, .forget = true };
    const size_t runs[] = { x->a, x->b }, start = j->o->start;
    iv_inquiry *q = NULL;
    double truth = 0.0;

    (void)memory;
    IV_TRY(find_truth(&truth, j, runs, err));
    if (fabs(truth) < 1e-13)
        return IV_OK;
    int rc = iv_inquiry_new(&q, j->p, runs, 2, &how, j->inner, err);
    if (rc == IV_OK)
        x->highest_start = iv_sign_confidence(iv_inquiry_moments(q, 0));
    for (size_t rank = 1; rc == IV_OK && rank <= start; rank++)
        (void)judge_rank(q, j, rank);
    for (size_t round = 1; rc == IV_OK && round < MOST_LOOKS; round++) {
        rc = iv_check_work(j->inner, 0.0, err);
        if (rc != IV_OK || (j->o->order == IV_ORDER_NEXT ? judge_next(q, j)
                                                         : judge_rank(q, j, start + round)) == 0)
            break;
        look(x, q, truth);
    }
    iv_inquiry_free(q);
    return rc;
}

/* --------------------------------------------------------------- sums -- */

static void add(bin_sum *s, const bin_sum *x, double times)
{
    s->points += times * x->points;
    s->right += times * x->right;
    s->confidence += times * x->confidence;
    s->squares += times * x->squares;
    s->surprise += times * x->surprise;
}

/* Accuracy less confidence over bins from `from` to `to`; weight of runs, or NULL. */
static double gap_of(bin_sum *sum, const job *j, size_t pairs, size_t from, size_t to,
                     const double *weight)
{
    *sum = (bin_sum){ 0 };
    for (size_t k = 0; k < pairs; k++) {
        const double times = weight == NULL ? 1.0 : weight[j->pair[k].a] * weight[j->pair[k].b];
        for (size_t b = from; b < to; b++)
            add(sum, &j->pair[k].bin[b], times);
    }
    return sum->points > 0.0 ? (sum->right - sum->confidence) / sum->points : (double)NAN;
}

static int by_size(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;

    return a < b ? -1 : a > b;
}

/* A row: bins from `from` to `to`, with an interval by resampling runs. */
static void put_row(iv_calibration_row *row, const job *j, size_t pairs, size_t from, size_t to,
                    double *weight, double *gaps, uint64_t seed)
{
    const size_t runs = iv_pooled_runs(j->p);
    bin_sum s, unused;
    size_t n = 0;
    const double gap = gap_of(&s, j, pairs, from, to, NULL);

    *row = (iv_calibration_row){ 0.5 + 0.05 * (double)from, 0.5 + 0.05 * (double)to,
                                 (size_t)s.points, s.confidence / s.points, s.right / s.points,
                                 gap, (double)NAN, (double)NAN, s.squares / s.points,
                                 s.surprise / s.points };
    for (size_t i = 0; i < RESAMPLES && s.points > 0.0; i++) {
        iv_stream stream = iv_stream_start(seed, IV_FOR_STUDY, UINT64_C(3) << 50 | i);
        memset(weight, 0, runs * sizeof *weight);
        for (size_t r = 0; r < runs; r++)
            weight[iv_draw_below(&stream, runs)] += 1.0;
        gaps[n] = gap_of(&unused, j, pairs, from, to, weight);
        n += isfinite(gaps[n]) ? 1 : 0;
    }
    if (n < RESAMPLES / 2)
        return;
    qsort(gaps, n, sizeof *gaps, by_size);
    row->lower = gaps[n / 40];
    row->upper = gaps[n - 1 - n / 40];
}

static int run(iv_judging_calibration *out, iv_arena *own, const iv_pooled *p,
               const iv_judging_study_options *o, const iv_work *work, iv_err *err)
{
    const size_t runs = iv_pooled_runs(p), all = iv_pair_count(runs);
    const size_t n = o->pairs == 0 || o->pairs > all ? all : o->pairs;
    iv_stream stream = iv_stream_start(iv_work_seed(work), IV_FOR_STUDY, UINT64_MAX - 1);
    job j = { p, o, iv_take(own, n, sizeof *j.pair), NULL };
    size_t *chosen = iv_take(own, n, sizeof *chosen), k = 0;
    double *weight = iv_take(own, runs, sizeof *weight);
    double *gaps = iv_take(own, RESAMPLES, sizeof *gaps);
    iv_asking asking;

    IV_TRY(iv_taken(own, err));
    (void)iv_draw_subset(&stream, chosen, n, all);
    for (size_t a = 0; a < runs; a++)
        for (size_t b = a + 1; b < runs && k < n; b++)
            if (iv_pair_index(runs, a, b) == chosen[k])
                j.pair[k++] = (calibrated_pair){ .a = a, .b = b };
    iv_asking_start(&asking, work);
    j.inner = &asking.inner;
    IV_TRY(iv_parallel(&(iv_loop){ n, one_pair, &j, NULL }, &asking.outer, err));
    for (size_t b = 0; b < BINS; b++)
        put_row(&out->row[b], &j, n, b, b + 1, weight, gaps, iv_work_seed(work));
    put_row(&out->high, &j, n, BINS - 2, BINS, weight, gaps, iv_work_seed(work));
    put_row(&out->all, &j, n, 0, BINS, weight, gaps, iv_work_seed(work));
    out->pairs = n;
    for (size_t i = 0; i < n; i++)
        out->start = fmax(out->start, j.pair[i].highest_start);
    return IV_OK;
}

int iv_calibrate_judging(iv_judging_calibration *out, const iv_pooled *p,
                         const iv_judging_study_options *o, const iv_work *work, iv_err *err)
{
    iv_arena own = { 0 };
    iv_judging_calibration found = { 0 };
    const int rc = run(&found, &own, p, o, work, err);

    iv_arena_free(&own);
    if (rc == IV_OK)
        *out = found;
    return rc;
}
