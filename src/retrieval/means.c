/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many runs over their topics.  Columns of values (one a run and measure) that
 * are equally long are resampled together, by the same draws.
 *
 * The spread of estimates over topics has both parts in it, the topics' and the
 * sampling's; the second is known from the topics themselves, the first is what is
 * left.  Complete judgments are the case in which the second is 0.
 */
#include "base/err.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "measure/measures.h"
#include "num/dist.h"
#include "result/cautions.h"
#include "retrieval/evaluation.h"
#include "retrieval/sampled_topic.h"
#include "retrieval/scored_runs.h"
#include "sampling/sampled_judgments.h"
#include "stat/paired/comparison.h"

#include <math.h>

/* One column: where its values are, where its mean goes. */
typedef struct column {
    const iv_run_scores *run;
    size_t value;
    iv_mean *mean;
    bool geometric;
    double from, range; /* of a geometric mean: log x = from - range y, y in [0, 1] */
} column;

/* How the topics' values become one. */
static iv_summary summary_of(const iv_scoring *task, size_t i)
{
    if (task->sampling == NULL)
        return iv_measures_value(task->measures, i)->measure->summary;
    return task->estimated->values[i].count ? IV_SUMMARY_SUM : IV_SUMMARY_MEAN;
}

iv_interval_method iv_usual_interval(const iv_value_info *v, bool guaranteed)
{
    const bool geometric = v->measure->summary == IV_SUMMARY_GEOMETRIC;

    if (v->binary)
        return guaranteed ? IV_INTERVAL_EXACT : IV_INTERVAL_WILSON;
    if (geometric || (v->lowest == 0.0 && v->highest == 1.0))
        return guaranteed ? IV_INTERVAL_BOUNDED : geometric ? IV_INTERVAL_T : IV_INTERVAL_AUTO;
    return guaranteed ? IV_INTERVAL_NONE : IV_INTERVAL_BOOTSTRAP_T;
}

/* The method for a measure; IV_INTERVAL_NONE also where there can be none. */
static iv_interval_method method_for(const iv_scoring *task, size_t i)
{
    const iv_summary summary = summary_of(task, i);
    const iv_interval_method asked = task->how.interval;

    if (summary != IV_SUMMARY_MEAN && summary != IV_SUMMARY_GEOMETRIC)
        return IV_INTERVAL_NONE;
    if (task->sampling != NULL) /* estimates may leave [0, 1] */
        return asked == IV_INTERVAL_LOGIT || asked == IV_INTERVAL_LARGER_T ? IV_INTERVAL_AUTO
                                                                           : asked;
    if (task->standards != NULL && (asked == IV_INTERVAL_AUTO || asked == IV_INTERVAL_LOGIT))
        return IV_INTERVAL_T; /* they lie on either side of 0 */
    const iv_value_info *v = iv_measures_value(task->measures, i);
    if (asked == IV_INTERVAL_AUTO)
        return iv_usual_interval(v, task->how.guaranteed);
    if (asked == IV_INTERVAL_LARGER_T && summary == IV_SUMMARY_GEOMETRIC)
        return IV_INTERVAL_T;
    const bool unit = summary == IV_SUMMARY_GEOMETRIC || (v->lowest == 0.0 && v->highest == 1.0);
    return asked == IV_INTERVAL_LOGIT && !unit ? IV_INTERVAL_T : asked;
}

/* ------------------------------------------------- what sampling adds -- */

/*
 * The part that comes from sampling; false where it is not known.  A topic in
 * which the sample shows no spread does not have none: it adds nothing and is
 * counted in *without, and if no topic shows any, the part is not 0 but open.
 */
static bool judgment_variance(double *out, size_t *without, const iv_run_scores *s, size_t width,
                              size_t i)
{
    double sum = 0.0;

    *without = 0;
    for (size_t t = 0; s->estimates != NULL && t < s->topics; t++) {
        const iv_estimate *e = &s->estimates[t * width + i];
        if (isnan(e->variance))
            return false;
        sum += e->variance;
        *without += !e->exact && !(e->variance > 0.0);
    }
    *out = sum;
    return sum > 0.0 || *without == 0;
}

/* How much of a run could not be drawn; too much leaves no interval. */
static void find_outside(iv_mean *m, const iv_run_scores *s, size_t width, size_t i)
{
    double looked = 0.0, outside = 0.0;

    for (size_t t = 0; s->estimates != NULL && t < s->topics; t++) {
        looked += s->estimates[t * width + i].looked;
        outside += s->estimates[t * width + i].outside;
    }
    m->outside = looked > 0.0 ? outside / looked : (double)NAN;
    if (!(m->outside > iv_caution_at(IV_OUTSIDE_FRAME)))
        return;
    m->gap = IV_GAP_OUTSIDE;
    m->se = m->se_judgments = m->se_topics = m->lower = m->upper = (double)NAN;
}

/* A topic without relevant documents in its sample counts as 0: where most do, a mean of ratios
 * to their number is far too low, and there is none. */
static void find_unseen(iv_mean *m, const iv_run_scores *s, const iv_scoring *task, size_t i)
{
    if (s->estimates == NULL || task->estimated->values[i].kind == IV_SAMPLED_P
        || task->estimated->values[i].count)
        return;
    for (size_t t = 0; t < s->topics; t++)
        m->unseen += s->estimates[t * task->width + i].gap == IV_SAMPLED_NO_RELEVANT
            && !task->sampling->topics[s->topic[t].judged].certain;
    if (2 * m->unseen <= s->topics)
        return;
    m->gap = IV_GAP_UNSEEN;
    m->value = m->se = m->se_judgments = m->se_topics = m->lower = m->upper = (double)NAN;
}

/* Documents of the frames of all topics; infinite where a file does not say. */
static double frame_size(const iv_sampling *sampling, const iv_run_scores *s)
{
    double all = 0.0;

    for (size_t t = 0; t < s->topics; t++) {
        const iv_sampling_topic *x = &sampling->topics[s->topic[t].judged];
        const size_t frame = x->frame.ids.count, judged = x->count;
        all += frame == 0 ? (double)INFINITY : (double)(frame > judged ? frame : judged);
    }
    return all;
}

/* A number of documents, estimated: the sum, and nothing said of other topics. */
static void sum_up(iv_mean *m, const iv_run_scores *s, const iv_scoring *task, size_t i)
{
    iv_estimate total = { .value = 0.0, .exact = true };
    double least = 0.0;
    const bool known = judgment_variance(&total.variance, &m->without, s, task->width, i);

    for (size_t t = 0; t < s->topics; t++) {
        const iv_estimate *e = &s->estimates[t * task->width + i];
        total.value += e->value;
        total.relevant += e->relevant;
        total.effective += e->effective;
        total.exact = total.exact && e->exact;
        least += e->exact ? e->value : 0.0;
    }
    const size_t found = total.relevant;
    m->value = total.value;
    if (!known)
        return;
    m->se = m->se_judgments = sqrt(total.variance);
    iv_estimate_interval(&total, true, least, task->how.resampling.confidence);
    m->lower = isnan(total.lower) ? total.lower : fmax(total.lower, (double)found);
    m->upper = isnan(total.upper) ? total.upper
                                  : fmin(total.upper, frame_size(task->sampling, s));
    m->gap = isfinite(m->lower) ? IV_GAP_NONE : IV_GAP_NOT_ASKED;
    find_outside(m, s, task->width, i);
}

/* The parts of a mean's variance, once its whole is known. */
static void divide(iv_mean *m, const iv_run_scores *s, size_t width, size_t i)
{
    const double n = (double)s->topics;
    double noise = 0.0;

    if (!judgment_variance(&noise, &m->without, s, width, i))
        return;
    m->se_judgments = sqrt(noise) / n;
    if (isfinite(m->se))
        m->se_topics = sqrt(fmax(0.0, m->se * m->se - noise / (n * n)));
}

/*
 * From the interval of new topics to that of these.  The bias of a ratio estimate does not
 * become less with more topics while its standard error does (Cochran 1977, section 6.11):
 * coverage was as low as 0.19, so there is none, but for the paper's own where it is asked for.
 */
static void infer_these(iv_mean *m, const iv_scoring *task, size_t i)
{
    const iv_sampled_value *v = &task->estimated->values[i];
    const bool published = task->how.estimator == IV_ESTIMATOR_PUBLISHED;
    const bool sum = v->kind == IV_SAMPLED_P || v->count; /* not over an estimated number */
    const double tail = 0.5 * (1.0 - task->how.resampling.confidence);
    const double half = m->se_judgments * (published ? 2.0 : iv_norm_isf(tail));

    m->se = m->se_judgments;
    m->se_topics = 0.0;
    m->method = IV_INTERVAL_T;
    m->replaced = false;
    m->gap = !(m->se > 0.0) ? IV_GAP_NOT_ASKED : published || sum ? IV_GAP_NONE : IV_GAP_RATIO;
    m->lower = m->gap == IV_GAP_NONE ? m->value - half : (double)NAN;
    m->upper = m->gap == IV_GAP_NONE ? m->value + half : (double)NAN;
}

/* ------------------------------------------------ without resampling -- */

static void mean_ranges(iv_mean *out, const iv_run_scores *s, size_t width, size_t i)
{
    const double nan = (double)NAN, n = (double)s->topics;
    iv_limits b = { 0.0, 0.0 };
    iv_interval t = { .value = 0.0 };

    for (size_t k = 0; k < s->topics && s->bounds != NULL; k++) {
        b.lower += s->bounds[k * width + i].lower;
        b.upper += s->bounds[k * width + i].upper;
    }
    for (size_t k = 0; k < s->topics && s->ties != NULL; k++) {
        t.lower += s->ties[k * width + i].lower;
        t.value += s->ties[k * width + i].value;
        t.upper += s->ties[k * width + i].upper;
    }
    out->bounds = s->bounds != NULL ? (iv_limits){ b.lower / n, b.upper / n }
                                    : (iv_limits){ nan, nan };
    out->ties = (iv_interval){ .value = nan, .lower = nan, .upper = nan };
    if (s->ties != NULL)
        out->ties = (iv_interval){ .value = t.value / n, .lower = t.lower / n,
                                   .upper = t.upper / n };
}

/* All that needs no resampling; summary has room for a row. */
static void begin_run(iv_mean *out, const iv_run_scores *s, const iv_scoring *task, double *summary)
{
    const double nan = (double)NAN;

    /* Fails only without topics, and every run has one. */
    if (task->sampling == NULL
        && iv_measures_summary(summary, task->measures, s->rows, s->topics,
                              task->how.complete ? task->above_0 : -1.0, NULL) != IV_OK)
        return;
    for (size_t i = 0; i < task->width; i++) {
        out[i] = (iv_mean){ .topics = s->topics, .value = nan, .se = nan, .lower = nan,
                            .upper = nan, .method = method_for(task, i),
                            .gap = IV_GAP_NOT_ASKED, .se_judgments = nan, .se_topics = nan,
                            .outside = nan };
        mean_ranges(&out[i], s, task->width, i);
        if (task->sampling != NULL) {
            if (summary_of(task, i) == IV_SUMMARY_SUM)
                sum_up(&out[i], s, task, i);
            continue;
        }
        const iv_measure_info *m = iv_measures_value(task->measures, i)->measure;
        if (m->kind != IV_TEXT && m->summary != IV_SUMMARY_NONE)
            out[i].value = summary[i];
        out[i].replaced = task->how.interval == IV_INTERVAL_LOGIT
            && out[i].method == IV_INTERVAL_T;
    }
}

/* ------------------------------------------------------- with resampling -- */

/*
 * A geometric mean is a mean of logarithms.  What is taken of them is how far they are
 * below that of the measure's highest value, 0, on the way to its lowest, 1.
 */
static column column_of(double *to, const iv_run_scores *s, const iv_scoring *task, size_t i,
                        iv_mean *mean)
{
    column c = { .run = s, .value = i, .mean = mean,
                 .geometric = summary_of(task, i) == IV_SUMMARY_GEOMETRIC };

    if (c.geometric) {
        const iv_value_info *v = iv_measures_value(task->measures, i);
        c.from = log(v->highest);
        c.range = c.from - log(v->lowest);
    }
    for (size_t t = 0; t < s->topics; t++) {
        const double x = iv_run_scores_at(s, task, t, i);
        to[t] = c.geometric ? (c.from - log(x)) / c.range : x;
    }
    return c;
}

static void take(const column *c, const iv_mean_interval *i, const iv_scoring *task)
{
    iv_mean *m = c->mean;

    if (task->sampling != NULL) {
        m->value = i->mean;
        m->replaced = m->method == IV_INTERVAL_AUTO && i->method == IV_INTERVAL_T;
    }
    m->method = i->method;
    m->se = c->geometric ? m->value * c->range * i->se : i->se;
    m->gap = i->gap != IV_GAP_NOT_ASKED || !task->how.guaranteed ? i->gap : IV_GAP_UNBOUNDED;
    m->skewness = i->skewness;
    m->dropped = i->dropped;
    divide(m, c->run, task->width, c->value);
    /* Estimates that are all alike show nothing of their noise, which is not 0. */
    if (i->gap == IV_GAP_NONE && i->constant && task->sampling != NULL)
        m->gap = IV_GAP_CONSTANT;
    if (m->gap == IV_GAP_NONE) {
        m->lower = c->geometric ? exp(c->from - c->range * fmin(i->upper, 1.0)) : i->lower;
        m->upper = c->geometric ? exp(c->from - c->range * fmax(i->lower, 0.0)) : i->upper;
    }
    if (task->how.infer == IV_INFER_THESE)
        infer_these(m, task, c->value);
    if (m->gap == IV_GAP_NONE && task->sampling != NULL
        && !iv_possible_limits(&m->lower, &m->upper, m->value, 0.0))
        m->gap = IV_GAP_IMPOSSIBLE;
    find_outside(m, c->run, task->width, c->value);
    find_unseen(m, c->run, task, c->value);
}

/* The columns of all runs with as many topics as run `first`. */
static int finish_length(iv_mean *out, const iv_run_scores *const *runs, size_t first, size_t count,
                         const iv_scoring *task, iv_arena *own, const iv_work *work, iv_err *err)
{
    const size_t topics = runs[first]->topics, width = task->width;
    size_t most = 0, n = 0;

    for (size_t r = first; r < count; r++)
        most += runs[r]->topics == topics ? width : 0;
    column *columns = iv_take(own, most + 1, sizeof *columns);
    const double **sample = iv_take(own, most + 1, sizeof *sample);
    iv_interval_method *method = iv_take(own, most + 1, sizeof *method);
    iv_mean_interval *interval = iv_take(own, most + 1, sizeof *interval);
    double *values = iv_take(own, most * topics + 1, sizeof *values);
    IV_TRY(iv_taken(own, err));
    for (size_t r = first; r < count; r++)
        for (size_t i = 0; i < width && runs[r]->topics == topics; i++) {
            const iv_summary summary = summary_of(task, i);
            if (summary != IV_SUMMARY_MEAN && summary != IV_SUMMARY_GEOMETRIC)
                continue;
            columns[n] = column_of(values + n * topics, runs[r], task, i, &out[r * width + i]);
            sample[n] = values + n * topics;
            method[n++] = out[r * width + i].method;
        }
    if (n > 0)
        IV_TRY(iv_mean_intervals(interval, sample, method, n, topics, &task->how.resampling, work,
                                 err));
    for (size_t c = 0; c < n; c++)
        take(&columns[c], &interval[c], task);
    return IV_OK;
}

int iv_means(iv_mean *out, const iv_run_scores *const *runs, size_t count, const iv_scoring *task,
             const iv_work *work, iv_err *err)
{
    iv_arena own = { 0 };
    double *summary = iv_take(&own, task->width + 1, sizeof *summary);
    int rc = iv_taken(&own, err);

    for (size_t r = 0; r < count && rc == IV_OK; r++)
        begin_run(out + r * task->width, runs[r], task, summary);
    for (size_t r = 0; r < count && rc == IV_OK; r++) {
        bool first = true;
        iv_stage stage;
        for (size_t q = 0; q < r && first; q++)
            first = runs[q]->topics != runs[r]->topics;
        iv_arena_free(&own);
        if (first)
            rc = finish_length(out, runs, r, count, task, &own,
                               iv_work_part(&stage, work, (double)r / (double)count,
                                            (double)(r + 1) / (double)count), err);
    }
    iv_arena_free(&own);
    return rc;
}
