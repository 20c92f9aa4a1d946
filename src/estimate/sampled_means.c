/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Estimates over topics.  Their spread over topics has both parts in it, the
 * topics' and the sampling's; the second is known from the topics themselves,
 * the first is what is left.
 */
#include <math.h>
#include <stdlib.h>

#include "estimate/sampled_run.h"

/*
 * The part that comes from sampling; false where it is not known.  A topic in
 * which the sample shows no spread does not have none: it adds nothing and is
 * counted in *without, and if no topic shows any, the part is not 0 but open.
 */
static bool judgment_variance(double *out, size_t *without, const iv_sampled *s, size_t i)
{
    double sum = 0.0;

    *without = 0;
    for (size_t t = 0; t < s->topics; t++) {
        const iv_estimate *e = &s->estimates[t * s->width + i];
        if (isnan(e->variance))
            return false;
        sum += e->variance;
        *without += !e->exact && !(e->variance > 0.0);
    }
    *out = sum;
    return sum > 0.0 || *without == 0;
}

/* A number of documents: the sum, and nothing said of other topics. */
static void sum_up(iv_sampled_mean *m, const iv_sampled *s, size_t i, double confidence)
{
    iv_estimate total = { .value = 0.0 };
    double least = 0.0;
    bool exact = true;
    const bool known = judgment_variance(&total.variance, &m->without, s, i);

    for (size_t t = 0; t < s->topics; t++) {
        const iv_estimate *e = &s->estimates[t * s->width + i];
        total.value += e->value;
        total.relevant += e->relevant;
        total.effective += e->effective;
        exact = exact && e->exact;
        least += e->exact ? e->value : 0.0;
    }
    m->value = total.value;
    m->gap = IV_GAP_NOT_ASKED;
    if (!known)
        return;
    total.exact = exact;
    m->se = m->se_judgments = sqrt(total.variance);
    iv_estimate_interval(&total, true, least, confidence);
    m->lower = total.lower;
    m->upper = total.upper;
    m->gap = isfinite(m->lower) ? IV_GAP_NONE : IV_GAP_NOT_ASKED;
}

/* The means of all runs with as many topics, resampled together. */
typedef struct batch {
    const double **sample;
    iv_interval_method *method;
    iv_mean_interval *interval;
    iv_sampled_mean **mean;
    double *values;
    size_t count;
} batch;

static void batch_free(batch *b)
{
    free(b->sample);
    free(b->method);
    free(b->interval);
    free(b->mean);
    free(b->values);
}

static bool batch_new(batch *b, size_t columns, size_t topics)
{
    b->sample = malloc((columns + 1) * sizeof *b->sample);
    b->method = malloc((columns + 1) * sizeof *b->method);
    b->interval = malloc((columns + 1) * sizeof *b->interval);
    b->mean = malloc((columns + 1) * sizeof *b->mean);
    b->values = malloc((columns * topics + 1) * sizeof *b->values);
    return b->sample != NULL && b->method != NULL && b->interval != NULL && b->mean != NULL
        && b->values != NULL;
}

static void add_column(batch *b, iv_sampled_mean *m, const iv_sampled *s, size_t i,
                       iv_interval_method method)
{
    double *values = b->values + b->count * s->topics;
    bool inside = true;

    for (size_t t = 0; t < s->topics; t++) {
        values[t] = s->estimates[t * s->width + i].value;
        inside = inside && values[t] >= 0.0 && values[t] <= 1.0;
    }
    m->method = method == IV_INTERVAL_LOGIT && !inside ? IV_INTERVAL_T : method;
    b->sample[b->count] = values;
    b->method[b->count] = m->method;
    b->mean[b->count++] = m;
}

/* The parts of a mean's variance, once its whole is known. */
static void divide(iv_sampled_mean *m, const iv_mean_interval *x, const iv_sampled *s,
                   size_t i)
{
    const double n = (double)s->topics;
    double noise = 0.0;

    m->value = x->mean;
    m->se = x->se;
    m->lower = x->lower;
    m->upper = x->upper;
    m->gap = x->gap;
    if (!judgment_variance(&noise, &m->without, s, i))
        return;
    m->se_judgments = sqrt(noise) / n;
    if (isfinite(m->se))
        m->se_topics = sqrt(fmax(0.0, m->se * m->se - noise / (n * n)));
}

/* All runs from `first` on with as many topics as that one. */
static int average_length(iv_sampled_mean *out, const iv_sampled *const *runs, size_t first,
                          size_t count, iv_interval_method method, const iv_resampling *o,
                          iv_err *err)
{
    const iv_sampled_measures *m = runs[first]->measures;
    const size_t topics = runs[first]->topics, width = m->count;
    batch b = { .count = 0 };
    size_t alike = 0, k = 0;
    int rc = IV_OK;

    for (size_t r = first; r < count; r++)
        alike += runs[r]->topics == topics;
    if (!batch_new(&b, alike * width, topics)) {
        batch_free(&b);
        return iv_fail(err, IV_ENOMEM, "out of memory for means");
    }
    for (size_t r = first; r < count; r++)
        for (size_t i = 0; i < width && runs[r]->topics == topics; i++)
            if (!m->values[i].count)
                add_column(&b, &out[r * width + i], runs[r], i, method);
    if (b.count > 0)
        rc = iv_mean_intervals(b.interval, b.sample, b.method, b.count, topics, o, err);
    for (size_t r = first; r < count && rc == IV_OK; r++)
        for (size_t i = 0; i < width && runs[r]->topics == topics; i++)
            if (!m->values[i].count) {
                divide(b.mean[k], &b.interval[k], runs[r], i);
                k++;
            }
    batch_free(&b);
    return rc;
}

int iv_sampled_means(iv_sampled_mean *out, const iv_sampled *const *runs, size_t count,
                     const iv_sampled_measures *measures, iv_interval_method method,
                     const iv_resampling *resampling, iv_err *err)
{
    const double nan = (double)NAN;
    int rc = IV_OK;

    for (size_t r = 0; r < count; r++) {
        if (runs[r]->measures != measures)
            return iv_fail(err, IV_EARG, "run %zu was estimated with other measures", r + 1);
        for (size_t i = 0; i < measures->count; i++) {
            iv_sampled_mean *m = &out[r * measures->count + i];
            *m = (iv_sampled_mean){ .topics = runs[r]->topics, .value = nan, .se = nan,
                                    .se_judgments = nan, .se_topics = nan, .lower = nan,
                                    .upper = nan };
            if (measures->values[i].count)
                sum_up(m, runs[r], i, resampling->confidence);
        }
    }
    for (size_t r = 0; r < count && rc == IV_OK; r++) {
        bool first = true;
        for (size_t q = 0; q < r && first; q++)
            first = runs[q]->topics != runs[r]->topics;
        if (first)
            rc = average_length(out, runs, r, count, method, resampling, err);
    }
    return rc;
}
