/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Park's experiment.  A sample is resampled once for all methods and levels.
 * Every (size, system, sample) has a stream of its own, and sums over samples
 * are taken system by system in their order, so that threads change nothing.
 */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "study/map_study.h"
#include "stat/interval/bootstrap.h"

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

/* The study at work. */
typedef struct study {
    const iv_map_study_options *o; /* without defaults left */
    uint64_t seed;
    const iv_matrix *scores;
    size_t systems, topics, cells; /* cells of one size: methods x alphas */
    const double *truth;           /* each system's mean */
    double *t;                     /* Student's quantiles: sizes x alphas */
    tally *tallies;                /* sizes x systems x cells */
    double *bias;                  /* sizes x systems */
    iv_steps steps;                /* samples: a system has too many to be asked after it */
} study;

static void insertion_sort(double *values, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const double value = values[i];
        size_t at = i;
        for (; at > 0 && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

/*
 * Sorts the means of resamples, of which a study has hundreds of millions, ascending.  Means are dealt to as many buckets as there are values, by size,
 * and put right by insertion, which for bell-shaped values is linear in time.
 * scratch: count doubles; bucket: count + 1.
 */
static void sort_means(double *values, size_t count, double *scratch, size_t *bucket)
{
    double low = INFINITY, high = -INFINITY;

    for (size_t i = 0; i < count; i++) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    if (!(high > low))
        return;
    /* The largest must stay inside the last bucket whatever is rounded. */
    const double scale = (double)count * (1.0 - 1e-9) / (high - low);
    if (!isfinite(scale)) {
        insertion_sort(values, count);
        return;
    }
    memset(bucket, 0, (count + 1) * sizeof *bucket);
    for (size_t i = 0; i < count; i++)
        bucket[(size_t)((values[i] - low) * scale) + 1]++;
    for (size_t b = 1; b < count; b++)
        bucket[b] += bucket[b - 1];
    for (size_t i = 0; i < count; i++)
        scratch[bucket[(size_t)((values[i] - low) * scale)]++] = values[i];
    insertion_sort(scratch, count);
    memcpy(values, scratch, count * sizeof *values);
}

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
    if (!iv_interval_resamples(method)) {
        const iv_work one = { .threads = 1, .seed = 1 };
        if (iv_plain_limits(i, w->x, &(iv_resampling){ 1.0 - alpha, o->resamples }, &one, NULL)
            != IV_OK)
            i->gap = IV_GAP_RESAMPLES;
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
    const size_t n = (size_t)o->n.at[size];

    for (size_t m = 0; m < o->method_count; m++) {
        iv_mean_interval i;
        iv_interval_begin(&i, o->methods[m], w->x, n);
        if (i.gap == IV_GAP_NONE && o->methods[m] == IV_INTERVAL_LOGIT)
            iv_logit_moments(&i, w->means, o->resamples);
        if (i.gap == IV_GAP_NONE && o->methods[m] == IV_INTERVAL_BCA)
            iv_bca_moments(&i, w->means, o->resamples, w->x);
        for (size_t a = 0; a < o->alpha.count; a++) {
            tally *t = &out[m * o->alpha.count + a];
            if (i.gap != IV_GAP_NONE) {
                t->gaps++;
                continue;
            }
            limits(&i, o->methods[m], w, o, o->alpha.at[a], s->t[size * o->alpha.count + a]);
            judge(t, &i, truth);
        }
    }
}

/* The largest samples come first: they take longest. */
static int one_system(void *user, void *memory, size_t k, iv_err *err)
{
    study *s = user;
    bench *w = memory;
    const iv_map_study_options *o = s->o;
    const size_t place = o->n.count * s->systems - 1 - k;
    const size_t size = place / s->systems, system = place % s->systems;
    const size_t n = (size_t)o->n.at[size];
    double bias = 0.0;

    for (size_t i = 0; i < o->samples; i++) {
        iv_stream stream = iv_stream_start(s->seed, IV_FOR_STUDY, place * o->samples + i);
        double sum = 0.0;
        (void)iv_draw_subset(&stream, w->topics, n, s->topics);
        for (size_t t = 0; t < n; t++) {
            w->x[t] = iv_matrix_score(s->scores, system, w->topics[t]);
            sum += w->x[t];
        }
        bias += sum / (double)n - s->truth[system];
        resample(w, n, o->resamples, &stream);
        sort_means(w->means, o->resamples, w->scratch, w->bucket);
        one_sample(s->tallies + place * s->cells, s, w, size, s->truth[system]);
        IV_TRY(iv_step(&s->steps, err));
    }
    s->bias[place] = bias / (double)o->samples;
    return IV_OK;
}

static void *bench_new(iv_arena *own, void *user)
{
    const study *s = user;
    const size_t topics = s->topics + 1, resamples = s->o->resamples + 2;
    bench *w = iv_take(own, 1, sizeof *w);

    if (w == NULL)
        return NULL;
    w->x = iv_take(own, topics, sizeof *w->x);
    w->means = iv_take(own, resamples, sizeof *w->means);
    w->scratch = iv_take(own, resamples, sizeof *w->scratch);
    w->topics = iv_take(own, topics, sizeof *w->topics);
    w->bucket = iv_take(own, resamples, sizeof *w->bucket);
    w->counts = iv_take(own, topics, sizeof *w->counts);
    return w;
}

static iv_map_study_cell cell_of(const study *s, size_t method, size_t size, size_t level)
{
    const iv_map_study_options *o = s->o;
    iv_map_study_cell c = { .method = o->methods[method], .n = (size_t)o->n.at[size],
                            .alpha = o->alpha.at[level] };
    double width = 0.0, below = 0.0, above = 0.0, variance = 0.0;

    for (size_t system = 0; system < s->systems; system++) {
        const size_t place = size * s->systems + system;
        const tally *t = &s->tallies[place * s->cells + method * o->alpha.count + level];
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

static iv_map_study_options with_defaults(const iv_map_study_options *o)
{
    static const iv_interval_method methods[] = { IV_INTERVAL_PERCENTILE, IV_INTERVAL_BCA,
                                                  IV_INTERVAL_LOGIT };
    static const int64_t n[] = { 5, 10, 20 };
    static const double alpha[] = { .05, .10, .15, .20, .25, .30, .35, .40, .45, .50 };
    iv_map_study_options x = *o;

    if (x.method_count == 0) {
        x.methods = methods;
        x.method_count = sizeof methods / sizeof *methods;
    }
    if (x.n.count == 0)
        x.n = (iv_integers){ n, sizeof n / sizeof *n };
    if (x.alpha.count == 0)
        x.alpha = (iv_reals){ alpha, sizeof alpha / sizeof *alpha };
    x.samples = x.samples == 0 ? 1000 : x.samples;
    x.resamples = x.resamples == 0 ? 1000 : x.resamples;
    return x;
}

static int check_options(const iv_map_study_options *o, size_t topics, iv_err *err)
{
    for (size_t i = 0; i < o->n.count; i++)
        if (o->n.at[i] < 2 || (size_t)o->n.at[i] > topics)
            return iv_fail(err, IV_ENODATA, "samples of %lld topics, expected 2 to %zu",
                           (long long)o->n.at[i], topics);
    for (size_t i = 0; i < o->alpha.count; i++)
        if (!(o->alpha.at[i] > 0.0 && o->alpha.at[i] < 1.0))
            return iv_fail(err, IV_EARG, "alpha %g, expected 0 < alpha < 1", o->alpha.at[i]);
    for (size_t i = 0; i < o->method_count; i++)
        if (iv_interval_about(o->methods[i])->least == 0)
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
                return iv_fail(err, IV_ENODATA, "system %s has %g on topic %s; logit needs "
                               "scores in [0, 1]", system, x, topic);
            sum += x;
        }
        truth[s] = sum / (double)iv_matrix_topics(m);
    }
    return IV_OK;
}

static int run_study(iv_map_study_cell *cells, study *s, iv_arena *own, const iv_work *work,
                     iv_err *err)
{
    const iv_map_study_options *o = s->o;
    const size_t places = o->n.count * s->systems, levels = o->alpha.count;
    const size_t each = o->n.count * levels;
    double *truth = iv_take(own, s->systems, sizeof *truth);
    bool logit = false;

    s->truth = truth;
    s->t = iv_take(own, each, sizeof *s->t);
    s->tallies = iv_take(own, places * s->cells, sizeof *s->tallies);
    s->bias = iv_take(own, places, sizeof *s->bias);
    IV_TRY(iv_taken(own, err));
    for (size_t k = 0; k < each; k++)
        s->t[k] = iv_t_isf(0.5 * o->alpha.at[k % levels], (double)(o->n.at[k / levels] - 1));
    for (size_t m = 0; m < o->method_count; m++)
        logit = logit || o->methods[m] == IV_INTERVAL_LOGIT;
    IV_TRY(find_truth(truth, s->scores, logit, err));
    s->steps = (iv_steps){ .work = work, .total = (double)places * (double)o->samples };
    IV_TRY(iv_parallel(&(iv_loop){ places, one_system, s, bench_new },
                       &(iv_work){ .threads = iv_work_threads(work) }, err));
    for (size_t k = 0; k < o->method_count * each; k++)
        cells[k] = cell_of(s, k / each, k % each / levels, k % levels);
    return IV_OK;
}

int iv_map_study(iv_map_study_cell **out, size_t *count, iv_arena *own, const iv_matrix *scores,
                 const iv_map_study_options *options, const iv_work *work, iv_err *err)
{
    const iv_map_study_options o = with_defaults(options);
    study s = { .o = &o, .scores = scores, .seed = iv_work_seed(work),
                .systems = iv_matrix_systems(scores), .topics = iv_matrix_topics(scores),
                .cells = o.method_count * o.alpha.count };
    const size_t n = s.cells * o.n.count;
    iv_arena mine = { 0 };

    *out = iv_take(own, n, sizeof **out);
    *count = n;
    IV_TRY(iv_taken(own, err));
    IV_TRY(check_options(&o, s.topics, err));
    const int rc = run_study(*out, &s, &mine, work, err);
    iv_arena_free(&mine);
    return rc;
}
