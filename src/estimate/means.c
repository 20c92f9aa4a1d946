/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many runs over their topics.  Columns of values (one a run and measure) that
 * are equally long are resampled together, by the same draws.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/scores.h"

/* One column: where its values are, where its mean goes. */
typedef struct column {
    size_t run, value;
    bool geometric;
} column;

typedef struct batch {
    column *column;
    const double **sample;
    iv_interval_method *method;
    iv_mean_interval *interval;
    double *values;
    size_t count;
} batch;

static bool unit_range(const iv_measure_info *m)
{
    return m->lowest == 0.0 && m->highest == 1.0;
}

/* The method for a measure; IV_INTERVAL_NONE also where there can be none. */
static iv_interval_method method_for(const iv_measure_info *m, const iv_mean_options *o)
{
    const bool logit = m->summary == IV_SUMMARY_MEAN && unit_range(m);

    if (m->summary != IV_SUMMARY_MEAN && m->summary != IV_SUMMARY_GEOMETRIC)
        return IV_INTERVAL_NONE;
    if (o->by_measure)
        return logit ? IV_INTERVAL_LOGIT : IV_INTERVAL_T;
    return o->method == IV_INTERVAL_LOGIT && !logit ? IV_INTERVAL_T : o->method;
}

static void mean_bounds(iv_mean *out, const iv_scores *s, size_t i)
{
    iv_bounds b = { 0.0, 0.0 };
    iv_ties t = { 0.0, 0.0, 0.0 };

    for (size_t k = 0; k < s->topics; k++) {
        const iv_bounds bounds = iv_scores_bounds(s, k, i);
        const iv_ties ties = iv_scores_ties(s, k, i);
        b.lower += bounds.lower;
        b.upper += bounds.upper;
        t.lower += ties.lower;
        t.expected += ties.expected;
        t.upper += ties.upper;
    }
    const double n = (double)s->topics;
    out->bounds = (iv_bounds){ b.lower / n, b.upper / n };
    out->ties = (iv_ties){ t.lower / n, t.expected / n, t.upper / n };
}

/* All that needs no resampling. */
static void begin_run(iv_mean *out, const iv_scores *s, double *summary,
                      const iv_mean_options *o)
{
    const double nan = (double)NAN;

    iv_scores_summary(summary, s);
    for (size_t i = 0; i < s->width; i++) {
        const iv_measure_info *m = iv_measures_value(s->measures, i)->measure;
        const bool number = m->kind != IV_TEXT && m->summary != IV_SUMMARY_NONE;
        out[i] = (iv_mean){ .topics = s->topics, .value = number ? summary[i] : nan,
                            .se = nan, .lower = nan, .upper = nan,
                            .method = method_for(m, o), .gap = IV_GAP_NOT_ASKED };
        out[i].replaced = !o->by_measure && out[i].method != o->method
            && out[i].method != IV_INTERVAL_NONE;
        mean_bounds(&out[i], s, i);
    }
}

static void batch_free(batch *b)
{
    free(b->column);
    free(b->sample);
    free(b->method);
    free(b->interval);
    free(b->values);
}

static int batch_new(batch *b, size_t columns, size_t topics, iv_err *err)
{
    b->column = malloc((columns + 1) * sizeof *b->column);
    b->sample = malloc((columns + 1) * sizeof *b->sample);
    b->method = malloc((columns + 1) * sizeof *b->method);
    b->interval = malloc((columns + 1) * sizeof *b->interval);
    b->values = malloc((columns * topics + 1) * sizeof *b->values);
    if (b->column != NULL && b->sample != NULL && b->method != NULL && b->interval != NULL
        && b->values != NULL)
        return IV_OK;
    batch_free(b);
    return iv_fail(err, IV_ENOMEM, "out of memory for intervals");
}

static void add_column(batch *b, const iv_scores *s, size_t run, size_t value,
                       iv_interval_method method)
{
    const iv_measure_info *m = iv_measures_value(s->measures, value)->measure;
    const bool geometric = m->summary == IV_SUMMARY_GEOMETRIC;
    double *to = b->values + b->count * s->topics;

    for (size_t t = 0; t < s->topics; t++) {
        const double x = s->rows[t * s->width + value];
        to[t] = geometric ? log(x) : x;
    }
    b->column[b->count] = (column){ run, value, geometric };
    b->sample[b->count] = to;
    b->method[b->count++] = method;
}

static void take(iv_mean *out, const iv_mean_interval *i, bool geometric)
{
    out->se = geometric ? out->value * i->se : i->se;
    out->gap = i->gap;
    out->constant = i->constant;
    out->dropped = i->dropped;
    if (i->gap != IV_GAP_NONE)
        return;
    out->lower = geometric ? exp(i->lower) : i->lower;
    out->upper = geometric ? exp(i->upper) : i->upper;
}

/* The columns of all runs with as many topics as run `first`. */
static int finish_length(iv_mean *out, const iv_scores *const *runs, size_t first,
                         size_t count, const iv_mean_options *o, iv_err *err)
{
    const size_t topics = runs[first]->topics, width = runs[first]->width;
    size_t alike = 0;
    batch b = { 0 };

    for (size_t r = first; r < count; r++)
        alike += runs[r]->topics == topics;
    int rc = batch_new(&b, alike * width, topics, err);
    if (rc != IV_OK)
        return rc;
    for (size_t r = first; r < count; r++)
        for (size_t i = 0; i < width && runs[r]->topics == topics; i++) {
            const iv_measure_info *m = iv_measures_value(runs[r]->measures, i)->measure;
            if (m->summary == IV_SUMMARY_MEAN || m->summary == IV_SUMMARY_GEOMETRIC)
                add_column(&b, runs[r], r, i, out[r * width + i].method);
        }
    if (b.count > 0)
        rc = iv_mean_intervals(b.interval, b.sample, b.method, b.count, topics,
                               &o->resampling, err);
    for (size_t c = 0; c < b.count && rc == IV_OK; c++)
        take(&out[b.column[c].run * width + b.column[c].value], &b.interval[c],
             b.column[c].geometric);
    batch_free(&b);
    return rc;
}

int iv_means(iv_mean *out, const iv_scores *const *runs, size_t count,
             const iv_measures *measures, const iv_mean_options *options, iv_err *err)
{
    const size_t width = iv_measures_count(measures);
    int rc = IV_OK;

    for (size_t r = 0; r < count; r++)
        if (runs[r]->measures != measures)
            return iv_fail(err, IV_EARG, "run %zu was scored with other measures", r + 1);
    double *summary = malloc((width + 1) * sizeof *summary);
    if (summary == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for means");
    for (size_t r = 0; r < count; r++)
        begin_run(out + r * width, runs[r], summary, options);
    for (size_t r = 0; r < count && rc == IV_OK; r++) {
        bool first = true;
        for (size_t q = 0; q < r && first; q++)
            first = runs[q]->topics != runs[r]->topics;
        if (first)
            rc = finish_length(out, runs, r, count, options, err);
    }
    free(summary);
    return rc;
}
