/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Park's experiment.  A sample is resampled once for all methods and levels.
 * Every (size, system, sample) has a stream of its own, and sums over samples
 * are taken system by system in their order, so that threads change nothing.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "study/map_study.h"
#include "stat/interval/bootstrap.h"
#include "study/map_sort.h"

/* What one system adds to a cell. */
typedef struct tally {
    size_t below, above, intervals, gaps;
    double width;
} tally;

/* The memory of one thread. */
typedef struct bench {
    double *x, *means, *scratch;
    size_t *topics, *bucket;
    uint32_t *counts;
} bench;

static void bench_free(bench *w)
{
    free(w->x);
    free(w->means);
    free(w->scratch);
    free(w->topics);
    free(w->bucket);
    free(w->counts);
}

static bool bench_new(bench *w, size_t topics, size_t resamples)
{
    w->x = malloc((topics + 1) * sizeof *w->x);
    w->means = malloc((resamples + 1) * sizeof *w->means);
    w->scratch = malloc((resamples + 1) * sizeof *w->scratch);
    w->topics = malloc((topics + 1) * sizeof *w->topics);
    w->bucket = malloc((resamples + 2) * sizeof *w->bucket);
    w->counts = malloc((topics + 1) * sizeof *w->counts);
    return w->x != NULL && w->means != NULL && w->scratch != NULL && w->topics != NULL
        && w->bucket != NULL && w->counts != NULL;
}

/* The study at work. */
typedef struct study {
    const iv_map_study_options *o;
    const iv_matrix *scores;
    size_t systems, topics, cells; /* cells of one size: methods x alphas */
    const double *truth;           /* each system's mean */
    double *t;                     /* Student's quantiles: sizes x alphas */
    tally *tallies;                /* sizes x systems x cells */
    double *bias;                  /* sizes x systems */
    size_t done;
} study;

static void resample(bench *w, size_t n, size_t resamples, iv_stream *stream)
{
    for (size_t b = 0; b < resamples; b++) {
        double sum = 0.0;
        iv_draw_resample(stream, w->counts, n);
        for (size_t i = 0; i < n; i++)
            sum += (double)w->counts[i] * w->x[i];
        w->means[b] = sum / (double)n;
    }
}

static void judge(tally *t, const iv_mean_interval *i, double truth)
{
    t->intervals++;
    t->below += i->upper < truth;
    t->above += i->lower > truth;
    t->width += i->upper - i->lower;
}

/* The interval at one level, from what was prepared for its method. */
static void limits(iv_mean_interval *i, iv_interval_method method, const bench *w,
                   const iv_map_study_options *o, double alpha, double t)
{
    if (method == IV_INTERVAL_T) {
        i->lower = i->mean - t * i->se;
        i->upper = i->mean + t * i->se;
        return;
    }
    if (method == IV_INTERVAL_LOGIT) {
        iv_logit_limits(i, t);
        return;
    }
    i->lower_level = 0.5 * alpha;
    i->upper_level = 1.0 - 0.5 * alpha;
    if (method == IV_INTERVAL_BCA)
        iv_bca_levels(i, 1.0 - alpha);
    i->lower = iv_quantile_sorted(w->means, o->resamples, i->lower_level);
    i->upper = iv_quantile_sorted(w->means, o->resamples, i->upper_level);
}

static void one_sample(tally *out, const study *s, bench *w, size_t size, double truth)
{
    const iv_map_study_options *o = s->o;
    const size_t n = o->n[size];

    for (size_t m = 0; m < o->method_count; m++) {
        iv_mean_interval i;
        iv_interval_begin(&i, o->methods[m], w->x, n);
        if (i.gap == IV_GAP_NONE && o->methods[m] == IV_INTERVAL_LOGIT)
            iv_logit_moments(&i, w->means, o->resamples);
        if (i.gap == IV_GAP_NONE && o->methods[m] == IV_INTERVAL_BCA)
            iv_bca_moments(&i, w->means, o->resamples, w->x);
        for (size_t a = 0; a < o->alpha_count; a++) {
            tally *t = &out[m * o->alpha_count + a];
            if (i.gap != IV_GAP_NONE) {
                t->gaps++;
                continue;
            }
            limits(&i, o->methods[m], w, o, o->alpha[a], s->t[size * o->alpha_count + a]);
            judge(t, &i, truth);
        }
    }
}

static void one_system(study *s, bench *w, size_t size, size_t system)
{
    const iv_map_study_options *o = s->o;
    const size_t n = o->n[size], place = size * s->systems + system;
    double bias = 0.0;

    for (size_t k = 0; k < o->samples; k++) {
        iv_stream stream = iv_stream_start(o->seed, IV_FOR_STUDY, place * o->samples + k);
        double sum = 0.0;
        (void)iv_draw_subset(&stream, w->topics, n, s->topics);
        for (size_t i = 0; i < n; i++) {
            w->x[i] = iv_matrix_score(s->scores, system, w->topics[i]);
            sum += w->x[i];
        }
        bias += sum / (double)n - s->truth[system];
        resample(w, n, o->resamples, &stream);
        iv_map_sort(w->means, o->resamples, w->scratch, w->bucket);
        one_sample(s->tallies + place * s->cells, s, w, size, s->truth[system]);
    }
    s->bias[place] = bias / (double)o->samples;
}

static int run_study(study *s, iv_err *err)
{
    const size_t places = s->o->n_count * s->systems;
    bool failed = false;

    #pragma omp parallel num_threads(iv_threads(s->o->threads))
    {
        bench w = { 0 };
        const bool ready = bench_new(&w, s->topics, s->o->resamples);
        if (!ready) {
            #pragma omp atomic write
            failed = true;
        }
        #pragma omp for schedule(dynamic, 1)
        for (size_t k = 0; k < places; k++) {
            /* The largest samples first: they take longest. */
            const size_t place = places - 1 - k;
            if (!ready)
                continue;
            one_system(s, &w, place / s->systems, place % s->systems);
            #pragma omp critical(iv_map_study)
            {
                s->done++;
                if (s->o->progress.report != NULL)
                    s->o->progress.report(s->o->progress.user,
                                          (double)s->done / (double)places);
            }
        }
        bench_free(&w);
    }
    return failed ? iv_fail(err, IV_ENOMEM, "out of memory for the study") : IV_OK;
}

static iv_map_study_cell cell_of(const study *s, size_t method, size_t size, size_t level)
{
    const iv_map_study_options *o = s->o;
    iv_map_study_cell c = { .method = o->methods[method], .n = o->n[size],
                            .alpha = o->alpha[level] };
    double width = 0.0, below = 0.0, above = 0.0, variance = 0.0;

    for (size_t system = 0; system < s->systems; system++) {
        const size_t place = size * s->systems + system;
        const tally *t = &s->tallies[place * s->cells + method * o->alpha_count + level];
        const double all = (double)t->intervals;
        const double p = all > 0.0 ? (double)(t->below + t->above) / all : 0.0;
        width += t->width;
        below += (double)t->below;
        above += (double)t->above;
        variance += all * p * (1.0 - p);
        c.intervals += t->intervals;
        c.gaps += t->gaps;
        c.bias += s->bias[place] / (double)s->systems;
    }
    const double all = (double)c.intervals; /* none: all of it is NaN, a gap */
    c.below = below / all;
    c.above = above / all;
    c.error = (below + above) / all;
    c.error_se = sqrt(variance) / all;
    c.width = width / all;
    return c;
}

/* ------------------------------------------------------------- the frame -- */

static int check_options(const iv_map_study_options *o, size_t topics, iv_err *err)
{
    if (o->samples == 0 || o->resamples == 0)
        return iv_fail(err, IV_EARG, "a study of no samples, expected 1 or more");
    if (o->alpha_count > IV_MAP_STUDY_LEVELS)
        return iv_fail(err, IV_EARG, "%zu levels, expected at most %d", o->alpha_count,
                       IV_MAP_STUDY_LEVELS);
    for (size_t i = 0; i < o->n_count; i++)
        if (o->n[i] < 2 || o->n[i] > topics)
            return iv_fail(err, IV_EARG, "samples of %zu topics, expected 2 to %zu", o->n[i],
                           topics);
    for (size_t i = 0; i < o->alpha_count; i++)
        if (!(o->alpha[i] > 0.0 && o->alpha[i] < 1.0))
            return iv_fail(err, IV_EARG, "alpha %g, expected 0 < alpha < 1", o->alpha[i]);
    for (size_t i = 0; i < o->method_count; i++)
        if (o->methods[i] <= IV_INTERVAL_NONE || o->methods[i] > IV_INTERVAL_T)
            return iv_fail(err, IV_EARG, "a study of no method");
    return IV_OK;
}

static int find_truth(double *truth, const iv_matrix *m, bool logit, iv_err *err)
{
    char system[IV_QUOTE_SIZE], topic[IV_QUOTE_SIZE];

    for (size_t s = 0; s < iv_matrix_systems(m); s++) {
        double sum = 0.0;
        for (size_t t = 0; t < iv_matrix_topics(m); t++) {
            const double x = iv_matrix_score(m, s, t);
            (void)iv_quote(system, iv_matrix_system(m, s));
            (void)iv_quote(topic, iv_matrix_topic(m, t));
            if (isnan(x))
                return iv_fail(err, IV_ENODATA, "system %s has no score on topic %s; the "
                               "study needs all of them", system, topic);
            if (logit && (x < 0.0 || x > 1.0))
                return iv_fail(err, IV_EARG, "system %s has %g on topic %s; logit needs "
                               "scores in [0, 1]", system, x, topic);
            sum += x;
        }
        truth[s] = sum / (double)iv_matrix_topics(m);
    }
    return IV_OK;
}

static int allocate(study *s, double **truth, iv_err *err)
{
    const size_t places = s->o->n_count * s->systems;

    *truth = calloc(s->systems + 1, sizeof **truth);
    s->t = calloc(s->o->n_count * s->o->alpha_count + 1, sizeof *s->t);
    s->tallies = calloc(places * s->cells + 1, sizeof *s->tallies);
    s->bias = calloc(places + 1, sizeof *s->bias);
    s->truth = *truth;
    if (*truth == NULL || s->t == NULL || s->tallies == NULL || s->bias == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for the study");
    for (size_t i = 0; i < s->o->n_count; i++)
        for (size_t a = 0; a < s->o->alpha_count; a++)
            s->t[i * s->o->alpha_count + a] = iv_t_isf(0.5 * s->o->alpha[a],
                                                       (double)(s->o->n[i] - 1));
    return IV_OK;
}

int iv_map_study(iv_map_study_cell *out, const iv_matrix *scores,
                 const iv_map_study_options *options, iv_err *err)
{
    const iv_map_study_options *o = options;
    study s = { .o = o, .scores = scores, .systems = iv_matrix_systems(scores),
                .topics = iv_matrix_topics(scores),
                .cells = o->method_count * o->alpha_count };
    double *truth = NULL;
    bool logit = false;
    size_t k = 0;
    int rc = check_options(o, s.topics, err);

    if (rc != IV_OK)
        return rc;
    for (size_t m = 0; m < o->method_count; m++)
        logit = logit || o->methods[m] == IV_INTERVAL_LOGIT;
    rc = allocate(&s, &truth, err);
    if (rc == IV_OK)
        rc = find_truth(truth, scores, logit, err);
    if (rc == IV_OK)
        rc = run_study(&s, err);
    for (size_t m = 0; m < o->method_count && rc == IV_OK; m++)
        for (size_t i = 0; i < o->n_count; i++)
            for (size_t a = 0; a < o->alpha_count; a++)
                out[k++] = cell_of(&s, m, i, a);
    free(truth);
    free(s.t);
    free(s.tallies);
    free(s.bias);
    return rc;
}
