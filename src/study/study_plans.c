/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do plans come true?  An experiment of the planned size is made many times where the truth is
 * known:
 * nominal is the probability of success that the plan promises, rate how often it succeeds.
 */
#include <math.h>
#include <stdio.h>

#include "intervale/plan.h"
#include "intervale/stat.h"
#include "stat/recall/elusion.h"
#include "study/study.h"
#include "num/num_private.h"
#include "stat/paired/paired_parts.h"

static const double power = 0.8, assurance = 0.9;

/* ---------------------------------------------------------------- plan topics -- */

typedef struct pairs {
    const iv_score_grid *x;
    size_t a, b, n; /* the pair, and the topics planned for it */
    double alpha;
} pairs;

static void *pair_memory(iv_arena *own, void *user)
{
    return iv_take(own, ((const pairs *)user)->n, sizeof(double));
}

static int pair_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    const pairs *p = user;
    const double *a = p->x->values + p->a * p->x->topics, *b = p->x->values + p->b * p->x->topics;
    double *d = memory;

    (void)err;
    for (size_t i = 0; i < p->n; i++) {
        const size_t topic = (size_t)iv_draw_below(stream, p->x->topics);
        d[i] = a[topic] - b[topic];
    }
    iv_tally_decision(t, iv_hall_test(d, p->n, IV_TWO_SIDED).p < p->alpha, (double)p->n);
    return IV_OK;
}

/* Mean over standard deviation of the population's differences. */
static double effect_of(const iv_score_grid *x, size_t a, size_t b)
{
    const double n = (double)x->topics;
    double sum = 0.0, squares = 0.0;

    for (size_t t = 0; t < x->topics; t++) {
        const double d = x->values[a * x->topics + t] - x->values[b * x->topics + t];
        sum += d;
        squares += d * d;
    }
    return fabs(sum / n) / sqrt(fmax(1e-300, squares / n - sum / n * sum / n));
}

/* The first pair of the population for each size of effect, planned by its true effect. */
static int study_topics(iv_study *s, iv_err *err)
{
    static const double effects[] = { 0.2, 0.35, 0.5, 0.8 };
    const iv_studied method = { "difference found", "plan topics", true, power };
    const char *data;
    pairs p = { .alpha = iv_study_alpha(s) };

    IV_TRY(iv_study_population(&p.x, &data, s, err));
    for (size_t k = 0; k < 4; k++) {
        double nearest = INFINITY, effect = 0.0;
        for (size_t i = 0; i < p.x->systems * p.x->systems; i++) {
            const size_t a = i / p.x->systems, b = i % p.x->systems;
            const double e = a < b ? effect_of(p.x, a, b) : INFINITY;
            if (fabs(e - effects[k]) < nearest) {
                nearest = fabs(e - effects[k]);
                effect = e;
                p.a = a;
                p.b = b;
            }
        }
        IV_TRY(iv_power_topics(&p.n, NULL, power, effect, &(iv_power_options){ .alpha = p.alpha },
                               &s->stage.work, err));
        const iv_experiment e = { data, &method, 1, 4000, pair_replicate, &p, pair_memory };
        IV_TRY(iv_experiment_run(s, &e, err, "effect %.2f, %zu topics", effect, p.n));
    }
    return IV_OK;
}

/* --------------------------------------------------- plan recall, plan elusion -- */

typedef struct review {
    int64_t population, retrieved, relevant1, relevant0;
    iv_recall_design design;
    double target;
    iv_elusion_plan plan;
    double limit;
} review;

static void end_posterior(void *p) { iv_recall_posterior_free(p); }

static void *posterior_new(iv_arena *own, void *user)
{
    iv_recall_posterior *p = NULL;

    (void)user;
    return iv_recall_posterior_new(&p, NULL) == IV_OK ? iv_own(own, p, end_posterior) : NULL;
}

static int recall_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    const review *r = user;
    const int64_t others = r->population - r->retrieved;
    const iv_stratum found = { r->retrieved, r->design.n1,
                               iv_draw_hyper(stream, r->retrieved, r->relevant1, r->design.n1) };
    const iv_stratum rest = { others, r->design.n0,
                              iv_draw_hyper(stream, others, r->relevant0, r->design.n0) };
    iv_limits i;

    IV_TRY(iv_recall_interval_of(&i, &(iv_segments){ &found, &rest, 1, 1 }, NULL, memory, err));
    iv_tally_decision(t, i.lower >= r->target, (double)(r->design.n1 + r->design.n0));
    return IV_OK;
}

static int study_recall_plans(iv_study *s, iv_err *err)
{
    static const double recalls[] = { 0.8, 0.9 }, targets[] = { 0.7, 0.75 };
    const iv_studied method = { "target demonstrated", "plan recall --target", true, power };

    for (size_t k = 0; k < 2; k++) {
        const iv_recall_guess guess = { recalls[k], 0.6 };
        const iv_recall_plan plan = { .population = 50000, .retrieved = 3000, .guesses = &guess,
                                      .guess_count = 1, .wanted_lower = targets[k] };
        review r = { .population = 50000, .retrieved = 3000, .relevant1 = 1800,
                     .target = targets[k] };
        char setting[IV_STUDY_TEXT];
        (void)snprintf(setting, sizeof setting, "recall %g, target %g", recalls[k], targets[k]);
        if (!iv_study_wants(s, setting))
            continue; /* a plan takes seconds */
        r.relevant0 = (int64_t)rint((double)r.relevant1 * (1.0 - recalls[k]) / recalls[k]);
        IV_TRY(iv_recall_least_size(&r.design, &plan, IV_GOAL_ASSURANCE, power, &s->stage.work,
                                    err));
        const iv_experiment e = { "one review", &method, 1, 1000, recall_replicate, &r,
                                  posterior_new };
        IV_TRY(iv_experiment_run(s, &e, err, "%s", setting));
    }
    return IV_OK;
}

static int elusion_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    const review *r = user;

    (void)memory;
    (void)err;
    iv_tally_decision(t, iv_draw_hyper(stream, r->population, r->relevant0, r->plan.sampled)
                      <= r->plan.accept, (double)r->plan.sampled);
    return IV_OK;
}

/* The plan with the promised chance, and the same where elusion is at the limit. */
static int study_elusion(iv_study *s, iv_err *err)
{
    review r = { .population = 100000, .limit = 0.01, .relevant0 = 250 };

    for (int64_t accept = 0; accept == 0
         || iv_elusion_accepts(&r.plan, r.relevant0) < assurance; accept++)
        IV_TRY(iv_elusion_size(&r.plan, r.population, accept, r.limit, s->confidence, err));
    for (int wrong = 0; wrong < 2; wrong++) {
        r.relevant0 = wrong ? 1000 : 250;
        const iv_studied method = { wrong ? "accepted at the limit" : "accepted", "plan elusion",
                                    true,
                                    iv_elusion_accepts(&r.plan, r.relevant0) };
        const iv_experiment e = { "one review", &method, 1, 20000, elusion_replicate, &r, NULL };
        IV_TRY(iv_experiment_run(s, &e, err, "elusion %g", (double)r.relevant0 / 1e5));
    }
    return IV_OK;
}

int iv_study_plans(iv_study *s, iv_err *err)
{
    iv_study_steps(s, 8);
    IV_TRY(study_topics(s, err));
    IV_TRY(study_recall_plans(s, err));
    return study_elusion(s, err);
}
