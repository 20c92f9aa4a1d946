/* SPDX-License-Identifier: Apache-2.0 */
/* What a budget gives by formula, from what each document contributes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/budget_parts.h"

/* What a budget gives for one topic. */
typedef struct prospect {
    iv_scheme *scheme;
    uint32_t *bucket; /* of the known documents */
    double *sums, *difference;
} prospect;

static int prospect_take(prospect *x, iv_arena *own, const iv_known_topic *t, size_t budget,
                         iv_err *err)
{
    IV_TRY(iv_known_scheme(&x->scheme, own, t, budget, err));
    x->bucket = iv_take(own, t->known_count, sizeof *x->bucket);
    x->difference = iv_take(own, t->known_count, sizeof *x->difference);
    x->sums = iv_take(own, iv_scheme_buckets(x->scheme) + 1, sizeof *x->sums);
    IV_TRY(iv_taken(own, err));
    for (size_t k = 0; k < t->known_count; k++)
        x->bucket[k] = (uint32_t)(t->known[k] / iv_scheme_draws(x->scheme));
    return IV_OK;
}

/* Variance of run a on a topic, or of a - b. */
static double variance_of(const prospect *x, const iv_sample_planner *p, size_t topic,
                          size_t a, size_t b)
{
    const size_t n = p->known->topics[topic].known_count;
    const double *u = p->u[topic] + a * n;

    for (size_t k = 0; k < n && b != IV_NONE; k++)
        x->difference[k] = u[k] - p->u[topic][b * n + k];
    return fmax(0.0, iv_scheme_true_variance(x->scheme, b != IV_NONE ? x->difference : u,
                                             p->weight[topic], x->bucket, n, x->sums));
}

static size_t cases(const iv_sample_planner *p, iv_sample_goal goal)
{
    return goal == IV_GOAL_DIFFERENCE ? p->runs * (p->runs - 1) / 2 : p->runs;
}

/*
 * Adds the variances of a topic to those of the runs or pairs; *relevant: the
 * documents on which a topic's estimate rests, on average.
 */
static int add_variances(double *sum, double *relevant, const iv_sample_planner *p,
                         iv_sample_goal goal, size_t topic, size_t budget, iv_err *err)
{
    iv_arena own = { 0 };
    prospect x;
    size_t at = 0;
    const int rc = prospect_take(&x, &own, &p->known->topics[topic], budget, err);

    *relevant = 0.0;
    for (size_t k = 0; rc == IV_OK && k < p->known->topics[topic].known_count; k++)
        *relevant += p->weight[topic][k] * iv_scheme_bucket(x.scheme, x.bucket[k])->pi;
    for (size_t a = 0; a < p->runs && rc == IV_OK; a++) {
        if (goal != IV_GOAL_DIFFERENCE)
            sum[at++] += variance_of(&x, p, topic, a, IV_NONE);
        for (size_t b = a + 1; b < p->runs && goal == IV_GOAL_DIFFERENCE; b++)
            sum[at++] += variance_of(&x, p, topic, a, b);
    }
    iv_arena_free(&own);
    return rc;
}

/* What is left of a mean's variance when everything is judged. */
static void add_topic_part(double *squares, const iv_sample_planner *p, iv_sample_goal goal)
{
    const double n = (double)p->topics;
    size_t at = 0;

    for (size_t a = 0; a < p->runs; a++) {
        const bool pairs = goal == IV_GOAL_DIFFERENCE;
        for (size_t b = pairs ? a + 1 : a; b < (pairs ? p->runs : a + 1); b++) {
            double sum = 0.0, square = 0.0;
            for (size_t t = 0; t < p->topics; t++) {
                const double d = p->ap[a * p->topics + t]
                    - (pairs ? p->ap[b * p->topics + t] : 0.0);
                sum += d;
                square += d * d;
            }
            if (p->topics > 1)
                squares[at] += fmax(0.0, square - sum * sum / n) / (n - 1.0)
                    / (double)p->planned;
            at++;
        }
    }
}

int iv_planner_predict(iv_spread *out, double *relevant, const iv_sample_planner *p,
                       iv_sample_goal goal, bool total, size_t topic, size_t budget,
                       iv_err *err)
{
    const size_t count = cases(p, goal);
    const double n = topic == IV_NONE ? (double)p->topics : 1.0;
    double *sum = calloc(count + 1, sizeof *sum), rest = 0.0;
    iv_spread worst = { .worst = 0.0 };
    int rc = sum == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    *relevant = 0.0;
    for (size_t t = 0; t < p->topics && rc == IV_OK; t++) {
        if (topic != IV_NONE && t != topic)
            continue;
        rc = iv_check_work(&p->stage.work, 0.0, err);
        if (rc == IV_OK)
            rc = add_variances(sum, &rest, p, goal, t, budget, err);
        *relevant += rest / n;
        if (goal == IV_GOAL_TOPIC && rc == IV_OK) { /* the worst topic of a run */
            const iv_spread here = iv_spread_of(sum, count);
            worst.typical += here.typical * here.typical / n;
            worst.worst = fmax(worst.worst, here.worst);
            memset(sum, 0, count * sizeof *sum);
        }
    }
    if (rc == IV_OK && goal != IV_GOAL_TOPIC) {
        for (size_t i = 0; i < count; i++)
            sum[i] *= p->anchor * p->anchor / (n * (double)p->planned);
        if (total)
            add_topic_part(sum, p, goal);
        *out = iv_spread_of(sum, count);
    } else if (rc == IV_OK) {
        *out = (iv_spread){ .typical = p->anchor * sqrt(worst.typical),
                            .worst = p->anchor * worst.worst };
    }
    free(sum);
    return rc;
}
