/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All measures that eval estimates from a sample by default, by rectified labels and by
 * weights 1/pi: bias, error and coverage, of topics, of the mean of these topics, of a
 * population of topics and of differences.  Relevance is binary here, nDCG's too.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/sampling_bench.h"

static double of_labels(iv_measure_bench *b, size_t measure, size_t place, const iv_frame_ranking *from,
                        double total)
{
    const iv_rectified_topic *t = &b->drawn.labels.topics[place];
    const iv_labelled_ranking r = { from->document, from->rank, from->count };
    const iv_even_labels x = iv_even_labels_of(t, 0, &total);
    const double one = 1.0;
    double value = 0.0;

    switch (measure) {
    case 0:
        return iv_rectified_ap(b->drawn.change, &x, &r, 0);
    case 1:
        (void)iv_rectified_ndcg(&value, b->drawn.change, &x, 1, &one, &r, 10, &b->discounts);
        return value;
    case 2:
        return iv_rectified_found(b->drawn.change, t->x, t->count, 10.0, &r, 10.0);
    case 3:
        return iv_rectified_recall(b->drawn.change, &x, &r, 1000);
    default:
        for (size_t d = 0; d < t->count; d++)
            b->drawn.change[d] = 1.0;
        return fmax(t->sum[0], t->found[0]);
    }
}

/* From weights; u by document of the sample. */
static double of_weights(iv_measure_bench *b, size_t measure, const iv_sampled_view *v)
{
    const double total = iv_sampled_total(b->u, v);
    double value = 0.0;

    if (!(total > 0.0))
        return 0.0;
    switch (measure) {
    case 0:
        return iv_sampled_ap(b->u, v, total, 0, IV_ESTIMATOR_CORRECTED);
    case 1:
        for (size_t i = 0; i < v->count; i++)
            b->drawn.change[i] = v->grade[i];
        (void)iv_sampled_ndcg(&value, b->u, v, b->drawn.change, 10, &b->discounts, b->order);
        return value;
    case 2:
        return iv_sampled_found(b->u, v, 10.0, 10.0);
    case 3:
        return iv_sampled_recall(b->u, v, total, 1000);
    default:
        return total;
    }
}

/* The truth is what labels give when all is known. */
static double true_value(iv_measure_bench *b, size_t measure, const iv_known_topic *t,
                         const iv_frame_ranking *r)
{
    iv_rectified_topic *l = &b->drawn.labels.topics[0];

    l->count = t->count;
    for (size_t d = 0; d < t->count; d++) {
        l->x[d] = l->p[d] = t->relevant[d] ? 1.0 : 0.0;
        l->apart[d] = 1.0;
    }
    l->sum[0] = l->found[0] = (double)t->known_count;
    return of_labels(b, measure, 0, r, (double)t->known_count);
}

/* ---------------------------------------------------------- a replicate -- */

/* The sample of a place again, as documents of the view. */
static size_t gather(iv_measure_bench *b, size_t place)
{
    const iv_rectified_topic *l = &b->drawn.labels.topics[place];
    iv_known_sample *s = &b->drawn.sample;

    s->count = 0;
    for (size_t d = 0; d < l->count; d++) {
        s->place[d] = IV_NO_PLACE;
        if (b->drawn.grade[place][d] < 0)
            continue;
        s->place[d] = (uint32_t)s->count;
        s->pi[s->count] = l->pi[d];
        s->grade[s->count] = b->drawn.grade[place][d];
        s->bucket[s->count++] = l->judgment[d];
    }
    return s->count;
}

/* One run on the sample of a place; b->u becomes what each judgment adds. */
static iv_estimate estimate(iv_measure_bench *b, size_t way, size_t measure, size_t run, size_t place)
{
    const iv_sampling_study *s = b->j->s;
    const iv_scheme *scheme = b->j->schemes[b->drawn.which[place]];
    const iv_frame_ranking *r = iv_known_ranking(s->known, run, b->drawn.which[place]);
    const iv_rectified_topic *l = &b->drawn.labels.topics[place];
    const iv_sampled_view v = iv_known_sample_view(&b->drawn.sample, r, scheme);
    iv_estimate e = { .value = 0.0 };

    memset(b->u, 0, (v.count + 1) * sizeof *b->u);
    if (way == 1) {
        e.value = of_weights(b, measure, &v);
    } else {
        const double high = of_labels(b, measure, place, r, iv_rectified_least(l, 0, measure == 1));
        const double low = of_labels(b, measure, place, r, iv_rectified_most(l, 0, measure == 1));
        e.value = of_labels(b, measure, place, r, l->total[0]);
        e.too_low = fmax(0.0, fmax(high, low) - e.value);
        e.too_high = fmax(0.0, e.value - fmin(high, low));
        for (size_t d = 0; d < l->count; d++)
            if (b->drawn.sample.place[d] != IV_NO_PLACE)
                b->u[b->drawn.sample.place[d]] = b->drawn.change[d]
                    * ((double)b->drawn.grade[place][d] - l->p[d]);
    }
    const double variance = iv_scheme_variance(scheme, b->u,
                                               &(iv_drawn_set){ v.pi, v.bucket, v.count },
                                               b->sums);
    e.variance = fmax(0.0, variance);
    for (size_t i = 0; i < v.count; i++) /* relevant documents it varies with, as in eval */
        e.relevant += v.grade[i] > 0 && v.pi[i] < 1.0 && (measure != 2 || b->u[i] != 0.0);
    e.effective = iv_sampled_effective(b->u, &v);
    e.exact = iv_scheme_buckets(scheme) == 1;
    if (way == 0)
        iv_rectified_interval(&e, l, b->drawn.change, 0, 1, variance, measure == 4 ? IV_RECTIFIED_COUNT
                              : measure == 0 ? IV_RECTIFIED_SHARE : IV_RECTIFIED_TOP, l->found[0], s->options.confidence);
    else
        iv_estimate_interval(&e, measure == 4, l->found[0], s->options.confidence);
    return e;
}

/* All runs on all places, one way and measure. */
static void one_measure(iv_measure_bench *b, size_t rep, size_t way, size_t measure, bool again)
{
    const iv_sampling_study *s = b->j->s;
    const size_t cell = (rep * IV_MEASURE_WAYS + way) * IV_STUDIED_MEASURES + measure;
    iv_measure_tally *t = &b->j->tallies[cell];
    const double n = (double)s->topics;
    double *noise = b->pair_noise;

    memset(noise, 0, s->runs * sizeof *noise);
    memset(b->too_low, 0, s->runs * sizeof *b->too_low);
    memset(b->too_high, 0, s->runs * sizeof *b->too_high);
    memset(b->effective, 0, s->runs * sizeof *b->effective);
    memset(b->relevant, 0, s->runs * sizeof *b->relevant);
    for (size_t k = 0; k < s->topics; k++) {
        const size_t count = gather(b, k);
        for (size_t r = 0; r < s->runs; r++) {
            const iv_estimate e = estimate(b, way, measure, r, k);
            b->value[r * s->topics + k] = e.value;
            b->noise[r * s->topics + k] = e.variance;
            b->too_low[r] += e.too_low / n;
            b->too_high[r] += e.too_high / n;
            b->effective[r] += e.effective;
            b->relevant[r] += e.relevant;
            if (again)
                continue;
            iv_measure_count_topic(t, &e, b->j->truth[(measure * s->runs + r) * s->topics + b->drawn.which[k]]);
            /* The one before is still there: a difference with it. */
            for (size_t i = 0; i < count && r > 0; i++)
                b->surprise[i] = b->surprise[i] - b->u[i];
            if (r > 0)
                noise[r - 1] += fmax(0.0, iv_scheme_variance(
                    b->j->schemes[b->drawn.which[k]], b->surprise,
                    &(iv_drawn_set){ b->drawn.sample.pi, b->drawn.sample.bucket, count }, b->sums)) / (n * n);
            memcpy(b->surprise, b->u, count * sizeof *b->surprise);
        }
    }
    if (again) {
        iv_measure_count_again(t, b, measure, way);
        return;
    }
    iv_measure_count_means(t, b->j->estimate + cell * s->runs, b, measure, way);
}

static int one_replicate(void *user, void *memory, size_t rep, iv_err *err)
{
    iv_measure_job *j = user;
    iv_measure_bench *b = memory;
    const size_t topics = j->s->topics;

    for (int again = 0; again < 2; again++) {
        for (size_t k = 0; k < topics; k++) {
            iv_stream stream = iv_stream_start(j->s->seed, IV_FOR_STUDY, UINT64_C(1) << 42
                | (((j->budget * 2 + (size_t)again) * j->s->options.replicates + rep) * topics + k));
            const size_t topic = again ? (size_t)iv_draw_below(&stream, topics) : k;
            iv_known_labels_draw(&b->drawn, k, topic, j->schemes[topic], &stream);
        }
        IV_TRY(iv_known_labels_make(&b->drawn, err));
        for (size_t way = 0; way < IV_MEASURE_WAYS; way++)
            for (size_t m = 0; m < IV_STUDIED_MEASURES; m++) {
                one_measure(b, rep, way, m, again);
                IV_TRY(iv_step(&j->steps, err));
            }
    }
    return IV_OK;
}

/* --------------------------------------------------------------- memory -- */

static void bench_end(void *memory)
{
    iv_measure_bench *b = memory;

    free(b->discounts.sum);
}

static void *bench_new(iv_arena *own, void *user)
{
    const iv_measure_job *j = user;
    const iv_known_frame *known = j->s->known;
    size_t most = 0;
    iv_measure_bench *b = iv_own(own, iv_take(own, 1, sizeof *b), bench_end);

    if (b == NULL || !iv_known_labels_take(&b->drawn, own, known))
        return NULL;
    for (size_t t = 0; t < known->topic_count; t++)
        most = known->topics[t].count > most ? known->topics[t].count : most;
    b->j = j;
    b->u = iv_take(own, most + 1, sizeof *b->u);
    b->surprise = iv_take(own, most + 1, sizeof *b->surprise);
    b->pair_noise = iv_take(own, j->s->runs + 1, sizeof *b->pair_noise);
    b->sums = iv_take(own, most + 1, sizeof *b->sums);
    b->order = iv_take(own, most + 1, sizeof *b->order);
    b->value = iv_take(own, j->s->runs * j->s->topics, sizeof *b->value);
    b->noise = iv_take(own, j->s->runs * j->s->topics, sizeof *b->noise);
    b->too_low = iv_take(own, j->s->runs, sizeof *b->too_low);
    b->too_high = iv_take(own, j->s->runs, sizeof *b->too_high);
    b->effective = iv_take(own, j->s->runs, sizeof *b->effective);
    b->relevant = iv_take(own, j->s->runs, sizeof *b->relevant);
    return own->failed ? NULL : b;
}

/* The truth of all runs and topics. */
static int know(iv_measure_job *j, iv_err *err)
{
    iv_arena own = { 0 };
    const iv_sampling_study *s = j->s;
    iv_measure_bench *b = bench_new(&own, j);

    for (size_t m = 0; b != NULL && m < IV_STUDIED_MEASURES; m++)
        for (size_t r = 0; r < s->runs; r++)
            for (size_t t = 0; t < s->topics; t++) {
                const double v = true_value(b, m, &s->known->topics[t],
                                            iv_known_ranking(s->known, r, t));
                j->truth[(m * s->runs + r) * s->topics + t] = v;
                j->mean[m * s->runs + r] += v / (double)s->topics;
            }
    iv_arena_free(&own);
    return b != NULL ? IV_OK : iv_no_memory(err);
}

static int study_budget(iv_sampling_study *s, iv_arena *own, size_t b, const iv_work *work,
                        iv_err *err)
{
    const size_t judgments = (size_t)s->options.judgments.at[b], reps = s->options.replicates;
    iv_measure_job j = { s, b, iv_take(own, s->topics, sizeof(iv_scheme *)),
              iv_take(own, IV_STUDIED_MEASURES * s->runs * s->topics, sizeof(double)),
              iv_take(own, IV_STUDIED_MEASURES * s->runs, sizeof(double)),
              iv_take(own, reps * IV_MEASURE_WAYS * IV_STUDIED_MEASURES * s->runs, sizeof(double)),
              iv_take(own, reps * IV_MEASURE_WAYS * IV_STUDIED_MEASURES, sizeof(iv_measure_tally)) };

    IV_TRY(iv_taken(own, err));
    for (size_t t = 0; t < s->topics; t++)
        IV_TRY(iv_known_scheme(&j.schemes[t], own, &s->known->topics[t], judgments, err));
    IV_TRY(know(&j, err));
    j.steps = (iv_steps){ .work = work, .total = 2.0 * IV_MEASURE_WAYS * IV_STUDIED_MEASURES * (double)reps };
    IV_TRY(iv_parallel(&(iv_loop){ reps, one_replicate, &j, bench_new },
                       &(iv_work){ .threads = iv_work_threads(work) }, err));
    iv_measure_summarise(s, &j, judgments);
    return IV_OK;
}

int iv_study_measures(iv_sampling_study *s, const iv_work *work, iv_err *err)
{
    const size_t budgets = s->options.judgments.count;

    s->found.measures = iv_take(&s->found.own, budgets * IV_MEASURE_WAYS * IV_STUDIED_MEASURES,
                                sizeof *s->found.measures);
    IV_TRY(iv_taken(&s->found.own, err));
    for (size_t b = 0; b < budgets; b++) {
        iv_arena own = { 0 };
        iv_stage stage;
        const int rc = study_budget(s, &own, b, iv_work_nth(&stage, work, b, budgets), err);
        iv_arena_free(&own);
        IV_TRY(rc);
    }
    return IV_OK;
}
