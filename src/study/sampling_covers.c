/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bias and coverage of estimates from samples.  A replicate keeps counts and
 * sums of its own; they are added in the order of the replicates, so that the
 * number of threads does not matter.
 */
#include <math.h>
#include <string.h>

#include "study/sampling_study.h"

/* The estimators, from IV_ESTIMATOR_CORRECTED on. */
enum { CORRECTED = 0, ESTIMATORS = 2, LEVELS = 4 };

/* Relevant documents of a topic: all, then by number. */
static const size_t bands[IV_SAMPLING_BANDS][2] = {
    { 1, SIZE_MAX }, { 1, 9 }, { 10, 49 }, { 50, 99 }, { 100, SIZE_MAX } };

typedef struct tally {
    size_t cells, without, covered;
    double truth, error, squares, variance, width;
} tally;

/* One replicate at one budget. */
typedef struct replicate {
    tally topic[ESTIMATORS][IV_SAMPLING_BANDS];
    tally these[ESTIMATORS];
    tally fixed, mean;
} replicate;

/* What one thread works with. */
typedef struct bench {
    const iv_sampling_study *s;
    iv_scheme *const *schemes; /* of the topics, at the budget */
    iv_known_sample sample;
    double *estimate, *noise;  /* ESTIMATORS x runs: sums over topics */
    double *column;            /* runs x topics: estimates to average */
    const double **samples;
    iv_interval_method *methods;
    iv_mean_interval *intervals;
} bench;

static void count_cell(tally *t, double truth, double value, double variance, double lower,
                       double upper)
{
    t->cells++;
    t->truth += truth;
    t->error += value - truth;
    t->squares += (value - truth) * (value - truth);
    t->variance += variance;
    if (!isfinite(lower)) {
        t->without++;
        return;
    }
    t->covered += lower <= truth && truth <= upper;
    t->width += upper - lower;
}

/* One run on the sample that was drawn. */
static iv_estimate estimate_run(const bench *b, size_t run, size_t topic,
                                iv_estimator estimator)
{
    const iv_scheme *scheme = b->schemes[topic];
    const iv_sampled_view v = iv_known_sample_view(&b->sample, iv_known_ranking(b->s->known, run,
                                                                         topic), scheme);
    const double total = iv_sampled_total(NULL, &v);
    iv_estimate e = { .value = 0.0 };

    if (!(total > 0.0)) {
        e.gap = IV_SAMPLED_NO_RELEVANT;
    } else {
        e.value = iv_sampled_ap(b->sample.u, &v, total, 0, estimator);
        const double variance = estimator == IV_ESTIMATOR_PUBLISHED
            ? iv_sampled_printed_variance(b->sample.u, &v, 0)
            : iv_scheme_variance(scheme, b->sample.u, &(iv_drawn_set){ v.pi, v.bucket,
                                                                       v.count },
                                 b->sample.sums);
        e.variance = fmax(0.0, variance);
        e.relevant = iv_sampled_drawn(&v);
        e.effective = iv_sampled_effective(b->sample.u, &v);
        e.exact = iv_scheme_buckets(scheme) == 1;
    }
    iv_estimate_interval(&e, false, 0.0, b->s->options.confidence);
    if (estimator == IV_ESTIMATOR_PUBLISHED && e.gap == IV_SAMPLED_INTERVAL) {
        /* As printed: two standard deviations to each side. */
        e.lower = e.value - 2.0 * sqrt(e.variance);
        e.upper = e.value + 2.0 * sqrt(e.variance);
    }
    return e;
}

/* One budget at work. */
typedef struct job {
    const iv_sampling_study *s;
    size_t budget;
    iv_scheme **schemes;
    replicate *out;
    iv_steps steps; /* topics of replicates, twice */
} job;

/* Every topic once: topics by themselves, and the mean over these topics. */
static int study_topics(replicate *out, bench *b, job *j, size_t rep, iv_err *err)
{
    const iv_sampling_study *s = b->s;
    const double n = (double)s->topics;
    const double t = iv_norm_isf(0.5 * (1.0 - s->options.confidence));

    memset(b->estimate, 0, ESTIMATORS * s->runs * sizeof *b->estimate);
    memset(b->noise, 0, ESTIMATORS * s->runs * sizeof *b->noise);
    for (size_t k = 0; k < s->topics; k++) {
        iv_stream stream = iv_stream_start(s->seed, IV_FOR_STUDY,
            UINT64_C(1) << 40 | ((j->budget * s->options.replicates + rep) * s->topics + k));
        const size_t relevant = s->known->topics[k].known_count;
        iv_known_sample_draw(&b->sample, &s->known->topics[k], b->schemes[k], false, &stream);
        for (size_t r = 0; r < s->runs; r++)
            for (size_t e = 0; e < ESTIMATORS; e++) {
                const iv_estimate x = estimate_run(b, r, k,
                                                   (iv_estimator)(IV_ESTIMATOR_CORRECTED + e));
                b->estimate[e * s->runs + r] += x.value / n;
                if (e == CORRECTED)
                    b->column[r * s->topics + k] = x.value;
                b->noise[e * s->runs + r] += x.variance / (n * n);
                for (size_t i = 0; i < IV_SAMPLING_BANDS; i++)
                    if (relevant >= bands[i][0] && relevant <= bands[i][1])
                        count_cell(&out->topic[e][i], s->truth[r * s->topics + k], x.value,
                                   x.variance, x.lower, x.upper);
            }
        IV_TRY(iv_step(&j->steps, err));
    }
    for (size_t r = 0; r < s->runs; r++)
        for (size_t e = 0; e < ESTIMATORS; e++) {
            const double value = b->estimate[e * s->runs + r];
            const double noise = b->noise[e * s->runs + r], half = t * sqrt(noise);
            count_cell(&out->these[e], s->mean[r], value, noise, value - half, value + half);
        }
    return IV_OK;
}

/* The intervals that eval would show for the means of b->column. */
static int count_means(tally *out, bench *b, size_t rep, iv_err *err)
{
    const iv_sampling_study *s = b->s;
    const iv_resampling o = { s->options.confidence, s->options.resamples };
    const iv_work own = { .threads = 1, .seed = s->seed + rep };

    for (size_t r = 0; r < s->runs; r++) {
        b->samples[r] = b->column + r * s->topics;
        b->methods[r] = IV_INTERVAL_AUTO;
    }
    const int rc = iv_mean_intervals(b->intervals, b->samples, b->methods, s->runs,
                                     s->topics, &o, &own, err);
    for (size_t r = 0; r < s->runs && rc == IV_OK; r++)
        count_cell(out, s->mean[r], b->intervals[r].mean,
                   b->intervals[r].se * b->intervals[r].se, b->intervals[r].lower,
                   b->intervals[r].upper);
    return rc;
}

/*
 * The topics of the collection as a population: as many are drawn from it,
 * with replacement, each sampled by itself, and the interval on the mean is
 * held against the mean of all.
 */
static int study_mean(replicate *out, bench *b, job *j, size_t rep, iv_err *err)
{
    const iv_sampling_study *s = b->s;

    for (size_t k = 0; k < s->topics; k++) {
        iv_stream stream = iv_stream_start(s->seed, IV_FOR_STUDY,
            UINT64_C(1) << 41 | ((j->budget * s->options.replicates + rep) * s->topics + k));
        const size_t topic = (size_t)iv_draw_below(&stream, s->topics);
        iv_known_sample_draw(&b->sample, &s->known->topics[topic], b->schemes[topic], false, &stream);
        for (size_t r = 0; r < s->runs; r++)
            b->column[r * s->topics + k]
                = estimate_run(b, r, topic, IV_ESTIMATOR_CORRECTED).value;
        IV_TRY(iv_step(&j->steps, err));
    }
    return count_means(&out->mean, b, rep, err);
}

static void *bench_new(iv_arena *own, void *user)
{
    const job *j = user;
    const size_t n = j->s->runs;
    bench *b = iv_take(own, 1, sizeof *b);

    if (b == NULL)
        return NULL;
    *b = (bench){ .s = j->s, .schemes = j->schemes,
                  .sample = iv_known_sample_take(own, j->s->known) };
    b->estimate = iv_take(own, ESTIMATORS * n, sizeof *b->estimate);
    b->noise = iv_take(own, ESTIMATORS * n, sizeof *b->noise);
    b->column = iv_take(own, n * j->s->topics, sizeof *b->column);
    b->samples = iv_take(own, n, sizeof *b->samples);
    b->methods = iv_take(own, n, sizeof *b->methods);
    b->intervals = iv_take(own, n, sizeof *b->intervals);
    return b;
}

static int one_replicate(void *user, void *memory, size_t r, iv_err *err)
{
    job *j = user;
    replicate *out = &j->out[r];

    IV_TRY(study_topics(out, memory, j, r, err));
    IV_TRY(count_means(&out->fixed, memory, r, err));
    return study_mean(out, memory, j, r, err);
}

/* --------------------------------------------------------------- results -- */

static void add(tally *sum, const tally *t)
{
    sum->cells += t->cells;
    sum->without += t->without;
    sum->covered += t->covered;
    sum->truth += t->truth;
    sum->error += t->error;
    sum->squares += t->squares;
    sum->variance += t->variance;
    sum->width += t->width;
}

static void put_cover(iv_sampling_study *s, iv_sampling_cover c, const tally *t)
{
    const double n = (double)t->cells, given = (double)(t->cells - t->without);
    const double nan = (double)NAN;

    if (t->cells == 0)
        return;
    c.cells = t->cells;
    c.truth = t->truth / n;
    c.bias = t->truth > 0.0 ? t->error / t->truth : nan;
    c.sd_ratio = t->squares > 0.0 ? sqrt(t->variance / t->squares) : nan;
    c.without = (double)t->without / n;
    c.coverage = given > 0.0 ? (double)t->covered / given : nan;
    c.width = given > 0.0 ? t->width / given : nan;
    s->found.covers[s->found.cover_count++] = c;
}

static void summarise(iv_sampling_study *s, const replicate *reps, size_t judgments)
{
    for (size_t e = 0; e < ESTIMATORS; e++) {
        iv_sampling_cover c = { .estimator = IV_ESTIMATOR_CORRECTED + (iv_estimator)e,
                                .judgments = judgments };
        tally these = { 0 }, mean = { 0 }, fixed = { 0 };
        for (size_t i = 0; i < IV_SAMPLING_BANDS; i++) {
            tally topic = { 0 };
            for (size_t r = 0; r < s->options.replicates; r++)
                add(&topic, &reps[r].topic[e][i]);
            c.level = IV_LEVEL_TOPIC;
            c.relevant_from = bands[i][0];
            c.relevant_to = bands[i][1];
            put_cover(s, c, &topic);
        }
        c.relevant_from = bands[0][0];
        c.relevant_to = bands[0][1];
        for (size_t r = 0; r < s->options.replicates; r++) {
            add(&these, &reps[r].these[e]);
            add(&fixed, &reps[r].fixed);
            add(&mean, &reps[r].mean);
        }
        c.level = IV_LEVEL_THESE;
        put_cover(s, c, &these);
        if (e != CORRECTED)
            continue;
        c.level = IV_LEVEL_FIXED;
        put_cover(s, c, &fixed);
        c.level = IV_LEVEL_MEAN;
        put_cover(s, c, &mean);
    }
}

/* One budget; own is its memory. */
static int study_budget(iv_sampling_study *s, iv_arena *own, size_t b, const iv_work *work,
                        iv_err *err)
{
    const size_t judgments = (size_t)s->options.judgments.at[b], reps = s->options.replicates;
    job j = { s, b, iv_take(own, s->topics, sizeof(iv_scheme *)),
              iv_take(own, reps, sizeof *j.out) };

    IV_TRY(iv_taken(own, err));
    for (size_t t = 0; t < s->topics; t++)
        IV_TRY(iv_known_scheme(&j.schemes[t], own, &s->known->topics[t], judgments, err));
    j.steps = (iv_steps){ .work = work, .total = 2.0 * (double)reps * (double)s->topics };
    IV_TRY(iv_parallel(&(iv_loop){ reps, one_replicate, &j, bench_new },
                       &(iv_work){ .threads = iv_work_threads(work) }, err));
    summarise(s, j.out, judgments);
    return IV_OK;
}

int iv_study_covers(iv_sampling_study *s, const iv_work *work, iv_err *err)
{
    const size_t budgets = s->options.judgments.count;

    s->found.covers = iv_take(&s->found.own, budgets * ESTIMATORS * (IV_SAMPLING_BANDS + LEVELS),
                              sizeof *s->found.covers);
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
