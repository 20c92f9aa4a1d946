/* SPDX-License-Identifier: Apache-2.0 */
/* What a budget really gives: samples of it, and their errors. */
#include <math.h>

#include "intervale/stat/paired.h"
#include "plan/budget_parts.h"

iv_spread iv_spread_of(const double *squares, size_t count)
{
    iv_spread s = { .typical = 0.0 };

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
    iv_known_sample *s = iv_take(own, 1, sizeof *s);

    if (s != NULL)
        *s = iv_known_sample_take(own, ((const error_loop *)user)->p->known);
    return own->failed ? NULL : s;
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

    return total > 0.0 ? iv_sampled_ap(d->u, &v, total, 0, IV_ESTIMATOR_CORRECTED) : 0.0;
}

static int error_item(void *user, void *memory, size_t sample, iv_err *err)
{
    const error_loop *x = user;
    const iv_sample_planner *p = x->p;
    double *errors = x->errors + sample * p->runs * p->topics;
    iv_known_sample *drawn = memory;

    (void)err;
    for (size_t t = 0; t < p->topics; t++) {
        iv_stream stream = stream_of(p, sample, t);
        iv_known_sample_draw(drawn, &p->known->topics[t], x->schemes[t], true, &stream);
        for (size_t r = 0; r < p->runs; r++)
            errors[r * p->topics + t] = ap_of_weights(drawn, p, r, t, x->schemes[t])
                - p->ap[r * p->topics + t];
    }
    return IV_OK;
}

/* ----------------------------------------------------------- the goals -- */

/* Errors whose spread is asked for, of each sample: of some cells, or of all pairs of runs. */
typedef struct cases {
    const double *errors;
    size_t count, samples, stride;
    size_t first, step; /* cells of a sample */
    size_t pairs_of;    /* runs; 0: no pairs */
} cases;

static double error_of(const cases *x, size_t sample, size_t k)
{
    const double *e = x->errors + sample * x->stride;
    size_t a, b;

    if (x->pairs_of == 0)
        return e[x->first + k * x->step];
    iv_pair_at(&a, &b, x->pairs_of, k);
    return e[a] - e[b];
}

/* The standard error of the root of the mean of squares, as a share of it; of one case, or of the
 * mean of all (IV_NONE). */
static double noise_of(const cases *x, size_t only)
{
    const double n = (double)x->samples;
    double sum = 0.0, square = 0.0;

    for (size_t s = 0; s < x->samples; s++) {
        double q = 0.0;
        for (size_t k = only == IV_NONE ? 0 : only; k < (only == IV_NONE ? x->count : only + 1); k++)
            q += error_of(x, s, k) * error_of(x, s, k);
        sum += q;
        square += q * q;
    }
    return sum > 0.0 && n > 1.0 ? 0.5 * sqrt(fmax(0.0, square * n / (sum * sum) - 1.0) / (n - 1.0))
                                : 0.0;
}

/* Root mean square errors.  Over more topics than the samples have, or fewer, the noise is less or
 * more: `more` times its variance; what all samples are off by stays. */
static iv_spread spread_of(const cases *x, double more)
{
    const double n = (double)x->samples;
    iv_spread s = { .worst = -1.0 };
    size_t worst = 0;

    for (size_t k = 0; k < x->count; k++) {
        double sum = 0.0, square = 0.0;
        for (size_t i = 0; i < x->samples; i++) {
            const double e = error_of(x, i, k);
            sum += e / n;
            square += e * e / n;
        }
        const double is = sum * sum + fmax(0.0, square - sum * sum) * more;
        s.typical += is / (double)x->count;
        worst = is > s.worst ? k : worst;
        s.worst = fmax(s.worst, is);
    }
    s.typical = sqrt(s.typical);
    s.worst = sqrt(s.worst);
    s.typical_noise = noise_of(x, IV_NONE);
    s.worst_noise = noise_of(x, worst);
    return s;
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

static int check_errors(iv_spread *out, iv_arena *own, const iv_sample_planner *p,
                        const size_t *budgets, bool each, iv_err *err)
{
    const size_t cells = p->runs * p->topics;
    double *errors = iv_take(own, (size_t)p->options.check * cells, sizeof *errors);
    iv_scheme **schemes = iv_take(own, p->topics, sizeof(iv_scheme *));
    error_loop l = { errors, p, schemes };
    cases x = { .errors = errors, .count = cells, .samples = (size_t)p->options.check,
                .stride = cells, .step = 1 };

    IV_TRY(iv_taken(own, err));
    for (size_t t = 0; t < p->topics; t++)
        IV_TRY(iv_known_scheme(&schemes[t], own, &p->known->topics[t], budgets[each ? t : 0],
                               err));
    IV_TRY(iv_parallel(&(iv_loop){ (size_t)p->options.check, error_item, &l, draw_new },
                       &p->stage.work, err));
    for (size_t t = 0; t < p->topics && each; t++) {
        x.count = p->runs;
        x.first = t;
        x.step = p->topics;
        out[t] = spread_of(&x, 1.0);
    }
    if (each)
        return IV_OK;
    if (p->options.goal != IV_GOAL_TOPIC) {
        average_topics(errors, p);
        x.count = p->runs;
    }
    if (p->options.goal == IV_GOAL_DIFFERENCE) {
        x.count = iv_pair_count(p->runs);
        x.pairs_of = p->runs;
    }
    *out = spread_of(&x, p->options.goal == IV_GOAL_TOPIC
                             ? 1.0 : (double)p->topics / (double)p->planned);
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
