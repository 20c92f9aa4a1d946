/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Power by simulated experiments.
 *
 * Experiment r draws its differences from stream (seed, IV_FOR_STUDY, r), topic
 * after topic: more topics continue the same experiment, and another effect
 * shifts it, so that powers of neighbouring plans differ by what was changed.
 */
#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "intervale/num.h"
#include "plan/power_parts.h"
#include "stat/paired/significant.h"

enum { FLIPS = 999, EXACT_RANKS = 200 };

/* ------------------------------------------------------ critical values -- */

/* The least sum of ranks c with P(sum >= c) < alpha, without ties. */
static int wilcoxon_critical(double *out, size_t n, double alpha, iv_err *err)
{
    const size_t largest = n * (n + 1) / 2;

    if (n > EXACT_RANKS) { /* normal, with continuity correction, as the test */
        const double mean = 0.5 * (double)largest;
        const double sd = sqrt((double)n * ((double)n + 1.0) * (2.0 * (double)n + 1.0) / 24.0);
        *out = floor(mean + 0.5 + sd * iv_norm_isf(alpha)) + 1.0;
        return IV_OK;
    }
    double *chance = calloc(largest + 1, sizeof *chance);
    if (chance == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    chance[0] = 1.0;
    for (size_t k = 1, top = 0; k <= n; top += k, k++) {
        for (size_t s = top + k + 1; s-- > 0;)
            chance[s] = 0.5 * (chance[s] + (s >= k ? chance[s - k] : 0.0));
    }
    double tail = 0.0;
    size_t c = largest + 1;
    while (c > 0 && tail + chance[c - 1] < alpha)
        tail += chance[--c];
    *out = (double)c;
    free(chance);
    return IV_OK;
}

/* ------------------------------------------------------------ experiments -- */

typedef struct plan {
    size_t topics;
    double effect, critical;
    const iv_power_options *o;
    uint64_t seed;
    size_t at_once;  /* experiments of an item: some milliseconds */
    size_t rejected; /* by all of them */
} plan;

static void draw_differences(double *d, iv_stream *s, const plan *p)
{
    for (size_t t = 0; t < p->topics; t++) {
        const double x = p->effect + iv_draw_normal(s);
        /* Drawn in any case: the normals stay the same for any certainty. */
        d[t] = iv_draw_uniform(s) < p->o->certainty ? x : -x;
    }
}

static bool t_rejects(const double *d, const plan *p)
{
    const double n = (double)p->topics;
    double mean = 0.0, squares = 0.0;

    for (size_t t = 0; t < p->topics; t++)
        mean += d[t] / n;
    for (size_t t = 0; t < p->topics; t++)
        squares += (d[t] - mean) * (d[t] - mean);
    const double statistic = mean / sqrt(squares / ((n - 1.0) * n));
    return (p->o->sides == IV_BOTH_SIDES ? fabs(statistic) : statistic) > p->critical;
}

static int by_size(const void *x, const void *y)
{
    const double a = fabs(*(const double *)x), b = fabs(*(const double *)y);

    return (a > b) - (a < b);
}

static bool wilcoxon_rejects(double *d, const plan *p)
{
    const double all = 0.5 * (double)p->topics * ((double)p->topics + 1.0);
    double sum = 0.0;

    qsort(d, p->topics, sizeof *d, by_size);
    for (size_t t = 0; t < p->topics; t++)
        sum += d[t] > 0.0 ? (double)(t + 1) : 0.0;
    return sum >= p->critical || ((p->o->sides == IV_BOTH_SIDES) && all - sum >= p->critical);
}

/* p = (k + 1) / (FLIPS + 1), as the test itself has it. */
static bool randomisation_rejects(const double *d, iv_stream *s, const plan *p)
{
    double observed = 0.0;
    size_t as_large = 0;

    for (size_t t = 0; t < p->topics; t++)
        observed += d[t];
    const double bar = p->o->sides == IV_BOTH_SIDES ? fabs(observed) : observed;
    for (size_t k = 0; k < FLIPS; k++) {
        double sum = 0.0;
        uint64_t bits = 0;
        for (size_t t = 0; t < p->topics; t++, bits >>= 1) {
            if (t % 64 == 0)
                bits = iv_draw_bits(s);
            sum += bits & 1 ? d[t] : -d[t];
        }
        as_large += (p->o->sides == IV_BOTH_SIDES ? fabs(sum) : sum) >= bar - 1e-12;
    }
    return iv_significant((double)(as_large + 1) / (FLIPS + 1), p->o->alpha);
}

static bool experiment(double *d, const plan *p, size_t number)
{
    iv_stream s = iv_stream_start(p->seed, IV_FOR_STUDY, number);

    draw_differences(d, &s, p);
    if (p->o->test == IV_PLAN_T)
        return t_rejects(d, p);
    if (p->o->test == IV_PLAN_WILCOXON)
        return wilcoxon_rejects(d, p);
    iv_stream flips = iv_stream_start(p->seed, IV_FOR_PERMUTATION, number);
    return randomisation_rejects(d, &flips, p);
}

static int experiment_item(void *user, void *memory, size_t i, iv_err *err)
{
    plan *p = user;
    const size_t end = (i + 1) * p->at_once;
    size_t rejected = 0;

    (void)err;
    for (size_t r = i * p->at_once; r < end && r < p->o->experiments; r++)
        rejected += experiment(memory, p, r);
    #pragma omp atomic
    p->rejected += rejected;
    return IV_OK;
}

static void *differences_new(iv_arena *own, void *user)
{
    return iv_take(own, ((const plan *)user)->topics, sizeof(double));
}

int iv_simulated_power(iv_power *out, size_t topics, double effect,
                       const iv_power_options *o, const iv_work *work, iv_err *err)
{
    plan p = { .topics = topics, .effect = effect, .critical = (double)NAN, .o = o,
               .seed = iv_work_seed(work),
               .at_once = o->test == IV_PLAN_RANDOMISATION ? 1 : 16 };
    const double tail = o->sides == IV_BOTH_SIDES ? 0.5 * o->alpha : o->alpha;
    const iv_loop loop = { (o->experiments + p.at_once - 1) / p.at_once, experiment_item, &p,
                           differences_new };
    int rc = IV_OK;

    if (o->test == IV_PLAN_T)
        p.critical = iv_t_isf(tail, (double)topics - 1.0);
    if (o->test == IV_PLAN_WILCOXON)
        rc = wilcoxon_critical(&p.critical, topics, tail, err);
    if (rc == IV_OK)
        rc = iv_parallel(&loop, work, err);
    if (rc != IV_OK)
        return rc;
    const double power = (double)p.rejected / (double)o->experiments;
    *out = (iv_power){ power, sqrt(power * (1.0 - power) / (double)o->experiments),
                       p.critical };
    return IV_OK;
}
