/* SPDX-License-Identifier: Apache-2.0 */
/* What a budget really gives: samples of it, and their errors. */
#include <math.h>
#include <stdlib.h>

#include "plan/budget_parts.h"

static int no_memory(iv_err *err)
{
    return iv_fail(err, IV_ENOMEM, "out of memory for the check of a plan");
}

iv_spread iv_spread_of(const double *squares, size_t count)
{
    iv_spread s = { 0.0, 0.0 };

    for (size_t i = 0; i < count; i++) {
        s.typical += squares[i];
        s.worst = fmax(s.worst, squares[i]);
    }
    s.typical = sqrt(s.typical / (double)count);
    s.worst = sqrt(s.worst);
    return s;
}

/* Memory of one thread for one topic: documents by place in the known ones. */
typedef struct draw {
    size_t *taken;
    uint32_t *place; /* of a document of the frame among those drawn */
    double *pi, *rank, *u;
    int32_t *grade;
    uint32_t *bucket, *found;
} draw;

/* Errors of all samples: errors[(sample * runs + run) * topics + topic]. */
typedef struct error_loop {
    double *errors;
    const iv_sample_planner *p;
    iv_scheme *const *schemes;
    size_t from, count; /* topics */
} error_loop;

static void *draw_new(iv_arena *own, void *user)
{
    const size_t n = ((const error_loop *)user)->p->largest + 1;
    draw *d = iv_take(own, 1, sizeof *d);

    if (d == NULL)
        return NULL;
    d->taken = iv_take(own, 2 * n, sizeof *d->taken);
    d->place = iv_take(own, n, sizeof *d->place);
    d->pi = iv_take(own, n, sizeof *d->pi);
    d->rank = iv_take(own, n, sizeof *d->rank);
    d->u = iv_take(own, n, sizeof *d->u);
    d->grade = iv_take(own, n, sizeof *d->grade);
    d->bucket = iv_take(own, n, sizeof *d->bucket);
    d->found = iv_take(own, n, sizeof *d->found);
    return d;
}

/* Draws a topic; keeps the relevant documents, which alone matter for AP. */
static size_t draw_topic(draw *d, const iv_known_topic *t, const iv_scheme *scheme,
                         iv_stream *stream)
{
    const size_t buckets = iv_scheme_buckets(scheme);
    size_t first = 0, count = 0;

    for (size_t i = 0; i < t->count; i++)
        d->place[i] = UINT32_MAX;
    iv_scheme_draw(d->taken, scheme, stream);
    for (size_t b = 0; b < buckets; b++) {
        const iv_bucket *x = iv_scheme_bucket(scheme, b);
        size_t *which = d->taken + buckets;
        (void)iv_draw_subset(stream, which, d->taken[b], x->size);
        for (size_t k = 0; k < d->taken[b]; k++) {
            if (!t->relevant[first + which[k]])
                continue;
            d->place[first + which[k]] = (uint32_t)count;
            d->pi[count] = x->pi;
            d->grade[count] = 1;
            d->bucket[count++] = (uint32_t)b;
        }
        first += x->size;
    }
    return count;
}

/* The error of every run on a topic in one sample: out[run * step]. */
static void sample_errors(double *out, size_t step, draw *d, const iv_sample_planner *p,
                          size_t topic, const iv_scheme *scheme, size_t replicate)
{
    iv_stream stream = iv_stream_start(iv_work_seed(p->work), IV_FOR_PILOT,
                                       UINT64_C(1) << 40 | (replicate * p->topics + topic));
    const size_t drawn = draw_topic(d, &p->known->topics[topic], scheme, &stream);

    for (size_t r = 0; r < p->runs; r++) {
        const iv_frame_ranking *ranking = iv_known_ranking(p->known, r, topic);
        size_t found = 0;
        for (size_t k = 0; k < ranking->relevant_count; k++) {
            const uint32_t at = d->place[ranking->document[ranking->relevant[k]]];
            if (at == UINT32_MAX)
                continue;
            d->found[found] = at;
            d->rank[found++] = ranking->rank[ranking->relevant[k]];
        }
        const iv_sampled_view v = { d->pi, d->grade, d->bucket, drawn, scheme, d->found,
                                    d->rank, found, 1 };
        const double total = iv_sampled_total(NULL, &v);
        const double ap = total > 0.0
            ? iv_sampled_ap(d->u, &v, total, 0, IV_ESTIMATOR_CORRECTED) : 0.0;
        out[r * step] = ap - p->ap[r * p->topics + topic];
    }
}

static int error_item(void *user, void *memory, size_t i, iv_err *err)
{
    const error_loop *l = user;
    const iv_sample_planner *p = l->p;
    const size_t s = i / l->count, t = l->from + i % l->count;

    (void)err;
    sample_errors(l->errors + s * p->runs * p->topics + t, p->topics, memory, p, t,
                  l->schemes[t], s);
    return IV_OK;
}

static int draw_errors(double *errors, const iv_sample_planner *p, iv_scheme *const *schemes,
                       size_t only, iv_err *err)
{
    error_loop l = { errors, p, schemes, only == IV_NONE ? 0 : only,
                     only == IV_NONE ? p->topics : 1 };
    const iv_loop loop = { (size_t)p->options.check * l.count, error_item, &l, draw_new };

    return iv_parallel(&loop, &p->stage.work, err);
}

/* ----------------------------------------------------------- the goals -- */

static iv_spread topic_spread(double *squares, const double *errors,
                              const iv_sample_planner *p, size_t only)
{
    const size_t cells = p->runs * p->topics;
    size_t count = 0;

    for (size_t c = 0; c < cells; c++) {
        double sum = 0.0;
        if (only != IV_NONE && c % p->topics != only)
            continue;
        for (size_t s = 0; s < (size_t)p->options.check; s++)
            sum += errors[s * cells + c] * errors[s * cells + c];
        squares[count++] = sum / (double)p->options.check;
    }
    return iv_spread_of(squares, count);
}

/* Mean errors of the runs go to the front of each sample. */
static void average_topics(double *errors, const iv_sample_planner *p)
{
    const size_t cells = p->runs * p->topics;

    for (size_t s = 0; s < (size_t)p->options.check; s++)
        for (size_t r = 0; r < p->runs; r++) {
            double sum = 0.0;
            for (size_t t = 0; t < p->topics; t++)
                sum += errors[s * cells + r * p->topics + t];
            errors[s * cells + r] = sum / (double)p->topics;
        }
}

static iv_spread mean_spread(double *squares, const double *errors,
                             const iv_sample_planner *p)
{
    const size_t cells = p->runs * p->topics;
    size_t count = 0;

    for (size_t a = 0; a < p->runs; a++) {
        const bool pairs = p->options.goal == IV_GOAL_DIFFERENCE;
        for (size_t b = pairs ? a + 1 : a; b < (pairs ? p->runs : a + 1); b++) {
            double sum = 0.0;
            for (size_t s = 0; s < (size_t)p->options.check; s++) {
                const double e = errors[s * cells + a] - (pairs ? errors[s * cells + b] : 0.0);
                sum += e * e;
            }
            squares[count++] = sum / (double)p->options.check;
        }
    }
    return iv_spread_of(squares, count);
}

int iv_planner_check(iv_spread *out, const iv_sample_planner *p, size_t budget, size_t topic,
                     iv_err *err)
{
    const size_t cells = p->runs * p->topics, pairs = p->runs * (p->runs + 1) / 2;
    double *errors = calloc((size_t)p->options.check * cells + 1, sizeof *errors);
    double *squares = malloc((cells + pairs + 1) * sizeof *squares);
    iv_scheme **schemes = calloc(p->topics + 1, sizeof(iv_scheme *));
    int rc = errors == NULL || squares == NULL || schemes == NULL ? no_memory(err) : IV_OK;

    for (size_t t = 0; t < p->topics && rc == IV_OK; t++)
        if (topic == IV_NONE || t == topic)
            rc = iv_planner_scheme(&schemes[t], p, t, budget, err);
    if (rc == IV_OK)
        rc = draw_errors(errors, p, schemes, topic, err);
    if (rc == IV_OK && p->options.goal == IV_GOAL_TOPIC) {
        *out = topic_spread(squares, errors, p, topic);
    } else if (rc == IV_OK) {
        average_topics(errors, p);
        *out = mean_spread(squares, errors, p);
    }
    for (size_t t = 0; schemes != NULL && t < p->topics; t++)
        iv_scheme_free(schemes[t]);
    free(schemes);
    free(errors);
    free(squares);
    return rc;
}
