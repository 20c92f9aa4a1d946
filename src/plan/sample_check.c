/* SPDX-License-Identifier: Apache-2.0 */
/* What a budget really gives: samples of it, and their errors. */
#include <math.h>

#include "plan/budget_parts.h"

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

/* Errors of all samples: errors[(sample * runs + run) * topics + topic]. */
typedef struct error_loop {
    double *errors;
    const iv_sample_planner *p;
    iv_scheme *const *schemes;
    size_t from, count; /* topics */
} error_loop;

static void *draw_new(iv_arena *own, void *user)
{
    iv_known_sample *s = iv_take(own, 1, sizeof *s);

    if (s != NULL)
        *s = iv_known_sample_take(own, ((const error_loop *)user)->p->known);
    return s;
}

/* The error of every run on a topic in one sample: out[run * step]. */
static void sample_errors(double *out, size_t step, iv_known_sample *d,
                          const iv_sample_planner *p, size_t topic, const iv_scheme *scheme,
                          size_t replicate)
{
    iv_stream stream = iv_stream_start(iv_work_seed(p->work), IV_FOR_PILOT,
                                       UINT64_C(1) << 40 | (replicate * p->topics + topic));

    iv_known_sample_draw(d, &p->known->topics[topic], scheme, true, &stream);
    for (size_t r = 0; r < p->runs; r++) {
        const iv_sampled_view v = iv_known_sample_view(d, iv_known_ranking(p->known, r, topic),
                                                       scheme);
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

static int check_errors(iv_spread *out, iv_arena *own, const iv_sample_planner *p, size_t budget,
                        size_t topic, iv_err *err)
{
    const size_t cells = p->runs * p->topics, pairs = p->runs * (p->runs + 1) / 2;
    double *errors = iv_take(own, (size_t)p->options.check * cells, sizeof *errors);
    double *squares = iv_take(own, cells + pairs, sizeof *squares);
    iv_scheme **schemes = iv_take(own, p->topics, sizeof(iv_scheme *));

    IV_TRY(iv_taken(own, err));
    for (size_t t = 0; t < p->topics; t++)
        if (topic == IV_NONE || t == topic)
            IV_TRY(iv_known_scheme(&schemes[t], own, &p->known->topics[t], budget, err));
    IV_TRY(draw_errors(errors, p, schemes, topic, err));
    if (p->options.goal == IV_GOAL_TOPIC) {
        *out = topic_spread(squares, errors, p, topic);
    } else {
        average_topics(errors, p);
        *out = mean_spread(squares, errors, p);
    }
    return IV_OK;
}

int iv_planner_check(iv_spread *out, const iv_sample_planner *p, size_t budget, size_t topic,
                     iv_err *err)
{
    iv_arena own = { 0 };
    const int rc = check_errors(out, &own, p, budget, topic, err);

    iv_arena_free(&own);
    return rc;
}
