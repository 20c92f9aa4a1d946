/* SPDX-License-Identifier: Apache-2.0 */
/* What a budget really gives: samples of it, and their errors. */
#include <math.h>

#include "plan/budget_parts.h"
#include "plan/known_labels.h"

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
} error_loop;

static void *draw_new(iv_arena *own, void *user)
{
    iv_known_labels *l = iv_take(own, 1, sizeof *l);

    return l != NULL && iv_known_labels_take(l, own, ((const error_loop *)user)->p->known) ? l
                                                                                           : NULL;
}

static iv_stream stream_of(const iv_sample_planner *p, size_t sample, size_t topic)
{
    return iv_stream_start(iv_work_seed(p->work), IV_FOR_PILOT,
                           UINT64_C(1) << 40 | (sample * p->topics + topic));
}

/* A run's average precision on a topic, by weights. */
static double ap_of_weights(iv_known_sample *d, const iv_sample_planner *p, size_t run,
                            size_t topic, const iv_scheme *scheme)
{
    const iv_sampled_view v = iv_known_sample_view(d, iv_known_ranking(p->known, run, topic),
                                                   scheme);
    const double total = iv_sampled_total(NULL, &v);

    return total > 0.0 ? iv_sampled_ap(d->u, &v, total, 0, p->options.estimator) : 0.0;
}

static double ap_of_labels(iv_known_labels *l, const iv_sample_planner *p, size_t run,
                           size_t topic)
{
    const iv_frame_ranking *from = iv_known_ranking(p->known, run, topic);
    const iv_rectified_topic *t = &l->labels.topics[topic];
    const iv_even_labels x = iv_even_labels_of(t, 0, t->total);

    return iv_rectified_ap(l->change, &x, &(iv_labelled_ranking){ from->document, from->rank,
                                                                  from->count }, 0);
}

static int error_item(void *user, void *memory, size_t sample, iv_err *err)
{
    const error_loop *x = user;
    const iv_sample_planner *p = x->p;
    double *errors = x->errors + sample * p->runs * p->topics;
    const bool labels = p->options.estimator == IV_ESTIMATOR_RECTIFIED;
    iv_known_labels *l = memory;

    for (size_t t = 0; t < p->topics; t++) {
        iv_stream stream = stream_of(p, sample, t);
        if (labels)
            iv_known_labels_draw(l, t, t, x->schemes[t], &stream);
        else
            iv_known_sample_draw(&l->sample, &p->known->topics[t], x->schemes[t], true, &stream);
        for (size_t r = 0; r < p->runs && !labels; r++)
            errors[r * p->topics + t] = ap_of_weights(&l->sample, p, r, t, x->schemes[t])
                - p->ap[r * p->topics + t];
    }
    if (!labels)
        return IV_OK;
    IV_TRY(iv_known_labels_make(l, err));
    for (size_t r = 0; r < p->runs; r++)
        for (size_t t = 0; t < p->topics; t++)
            errors[r * p->topics + t] = ap_of_labels(l, p, r, t) - p->ap[r * p->topics + t];
    return IV_OK;
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

static int check_errors(iv_spread *out, iv_arena *own, const iv_sample_planner *p,
                        const size_t *budgets, bool each, iv_err *err)
{
    const size_t cells = p->runs * p->topics, pairs = p->runs * (p->runs + 1) / 2;
    double *errors = iv_take(own, (size_t)p->options.check * cells, sizeof *errors);
    double *squares = iv_take(own, cells + pairs, sizeof *squares);
    iv_scheme **schemes = iv_take(own, p->topics, sizeof(iv_scheme *));
    error_loop l = { errors, p, schemes };

    IV_TRY(iv_taken(own, err));
    for (size_t t = 0; t < p->topics; t++)
        IV_TRY(iv_known_scheme(&schemes[t], own, &p->known->topics[t], budgets[each ? t : 0],
                               err));
    IV_TRY(iv_parallel(&(iv_loop){ (size_t)p->options.check, error_item, &l, draw_new },
                       &p->stage.work, err));
    for (size_t t = 0; t < p->topics && each; t++)
        out[t] = topic_spread(squares, errors, p, t);
    if (each)
        return IV_OK;
    if (p->options.goal == IV_GOAL_TOPIC) {
        *out = topic_spread(squares, errors, p, IV_NONE);
    } else {
        average_topics(errors, p);
        *out = mean_spread(squares, errors, p);
    }
    return IV_OK;
}

int iv_planner_check(iv_spread *out, const iv_sample_planner *p, const size_t *budgets, bool each,
                     iv_err *err)
{
    iv_arena own = { 0 };
    const int rc = check_errors(out, &own, p, budgets, each, err);

    iv_arena_free(&own);
    return rc;
}
