/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do plans come true?  An experiment of the planned size is made many times where the truth is
 * known:
 * nominal is the probability of success that the plan promises, rate how often it succeeds.
 */
#include "base/err.h"
#include "stat/power/power.h"
#include "study/study.h"

#include <math.h>
#include <string.h>

static const double power = 0.8, assurance = 0.9;

/* ---------------------------------------------------------------- plan topics -- */

enum { PILOT = 25, MOST_TOPICS = 2000 }; /* topics of a pilot; and of what it plans, here */

typedef struct pairs {
    const iv_score_grid *x;
    size_t a, b, n; /* the pair, a the better one, and the topics planned for it */
    double effect, alpha, confidence;
} pairs;

/* Differences of topics drawn from the population. */
static const double *draw_topics(iv_study_room *room, const pairs *p, size_t n, iv_stream *stream)
{
    double *d = room->x;
    const double *a = p->x->values + p->a * p->x->topics, *b = p->x->values + p->b * p->x->topics;

    for (size_t i = 0; i < n; i++) {
        const size_t topic = (size_t)iv_draw_below(stream, p->x->topics);
        d[i] = a[topic] - b[topic];
    }
    return d;
}

/* By the t test, which is planned, and by compare's default. */
static int pair_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    const pairs *p = user;
    const double *d = draw_topics(memory, p, p->n, stream);

    (void)err;
    iv_tally_decision(&t[0], iv_t_test(iv_describe_differences(d, p->n), IV_TWO_SIDED).p < p->alpha,
                      (double)p->n);
    iv_tally_decision(&t[1], iv_larger_p_test(d, p->n, IV_TWO_SIDED).p < p->alpha, (double)p->n);
    return IV_OK;
}

static int sign_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    const pairs *p = user;
    const double *d = draw_topics(memory, p, p->n, stream);

    (void)err;
    iv_tally_decision(t, iv_sign_test(d, p->n, IV_TIES_DISCARD, IV_TWO_SIDED).p < p->alpha,
                      (double)p->n);
    return IV_OK;
}

/* Planned from a pilot: its interval of the effect, and what the planned topics find. */
static int pilot_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    const pairs *p = user;
    const iv_differences pilot
        = iv_describe_differences(draw_topics(memory, p, PILOT, stream), PILOT);
    iv_pilot_topics f;

    const int rc = iv_topics_from_pilot(&f, &pilot, 0.0, PILOT - 1.0, power, p->confidence,
                                        &(iv_power_options){ .alpha = p->alpha }, NULL, err);
    if (rc == IV_ENODATA) /* all differences are the same */
        return IV_OK;
    IV_TRY(rc);
    iv_tally_interval(&t[0], f.a_better ? f.effect : -f.effect, f.a_better ? f.lower : -f.upper,
                      f.a_better ? f.upper : -f.lower, p->effect);
    const size_t n = f.topics < MOST_TOPICS ? f.topics : MOST_TOPICS;
    const iv_differences found
        = iv_describe_differences(draw_topics(memory, p, n, stream), n);
    iv_tally_decision(&t[1], iv_t_test(found, IV_TWO_SIDED).p < p->alpha, (double)n);
    return IV_OK;
}

double iv_study_effect(const iv_score_grid *x, size_t a, size_t b)
{
    const double n = (double)x->topics;
    double sum = 0.0, squares = 0.0;

    for (size_t t = 0; t < x->topics; t++) {
        const double d = x->values[a * x->topics + t] - x->values[b * x->topics + t];
        sum += d;
        squares += d * d;
    }
    return sum / n / sqrt(fmax(1e-300, squares / n - sum / n * sum / n));
}

/* The first pair of the population whose effect is nearest to this. */
static void find_pair(pairs *p, double effect)
{
    double nearest = INFINITY;

    for (size_t i = 0; i < p->x->systems * p->x->systems; i++) {
        const size_t a = i / p->x->systems, b = i % p->x->systems;
        const double e = a != b ? iv_study_effect(p->x, a, b) : INFINITY;
        if (fabs(e - effect) < nearest) {
            nearest = fabs(e - effect);
            p->effect = e;
            p->a = a;
            p->b = b;
        }
    }
}

/* The sign test, planned by the pair's true wins, losses and ties. */
static int study_signs(iv_study *s, pairs *p, const char *data, iv_err *err)
{
    const iv_studied method = { "difference found", "plan power --test sign", true, power };
    const size_t n = p->x->topics;
    double wins = 0.0, losses = 0.0;

    for (size_t t = 0; t < n; t++) {
        const double d = p->x->values[p->a * n + t] - p->x->values[p->b * n + t];
        wins += d > 0.0;
        losses += d < 0.0;
    }
    const double effect = (wins - losses) / (wins + losses);
    const iv_power_options o = { .test = IV_PLAN_SIGN, .alpha = p->alpha,
                                 .ties = 1.0 - (wins + losses) / (double)n };
    if (!(effect > 0.0)) /* more losses than wins, with the higher mean */
        return IV_OK;
    IV_TRY(iv_power_topics(&p->n, NULL, power, effect, &o, &s->stage.work, err));
    const iv_experiment e = { data, &method, 1, 4000, sign_replicate, p,
                              .room = { p->n } };
    return iv_experiment_run(s, &e, err, "effect %.2f, %zu topics", effect, p->n);
}

/* Pairs of the population, planned by their true effect and from pilots. */
static int study_topics(iv_study *s, iv_err *err)
{
    static const double effects[] = { 0.2, 0.35, 0.5, 0.8 };
    const iv_studied planned[] = {
        { "difference found", "plan topics", true, power },
        { "difference found", "plan topics, compare's default test", true, power } };
    const iv_studied piloted[] = {
        { .quantity = "effect of a pair", .method = "plan topics, pilot of 25" },
        { "difference found", "plan topics, pilot of 25", true, power } };
    const char *data;
    pairs p = { .alpha = iv_study_alpha(s), .confidence = s->confidence };

    IV_TRY(iv_study_population(&p.x, &data, s, err));
    for (size_t k = 0; k < 4; k++) {
        find_pair(&p, effects[k]);
        IV_TRY(iv_power_topics(&p.n, NULL, power, p.effect, &(iv_power_options){ .alpha = p.alpha },
                               &s->stage.work, err));
        const iv_experiment e = { data, planned, 2, 4000, pair_replicate, &p,
                                  .room = { p.n } };
        const iv_experiment pilots = { data, piloted, 2, 4000, pilot_replicate, &p,
                                       .room = { MOST_TOPICS } };
        IV_TRY(iv_experiment_run(s, &e, err, "effect %.2f, %zu topics", p.effect, p.n));
        IV_TRY(iv_experiment_run(s, &pilots, err, "effect %.2f", p.effect));
        IV_TRY(study_signs(s, &p, data, err));
    }
    return IV_OK;
}

/* --------------------------------------------------- plan recall, plan elusion -- */

typedef struct review {
    int64_t population, retrieved, relevant1, relevant0;
    iv_recall_design design;
    double target;
    iv_stratum plan;
    double limit;
} review;

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

/* A target with the chance that is asked for, and an expected limit with the chance that the answer
 * states. */
static int study_recall_plans(iv_study *s, iv_err *err)
{
    static const double recalls[] = { 0.8, 0.9 }, targets[] = { 0.7, 0.75 };

    for (size_t k = 0; k < 4; k++) {
        const double recall = recalls[k / 2], target = targets[k / 2];
        const bool limit = k % 2 == 1;
        const iv_recall_guess guess = { recall, 0.6 };
        const iv_recall_plan plan = { .population = 50000, .retrieved = 3000, .guesses = &guess,
                                      .guess_count = 1, .wanted_lower = target };
        review r = { .population = 50000, .retrieved = 3000, .relevant1 = 1800,
                     .relevant0 = (int64_t)rint(1800.0 * (1.0 - recall) / recall),
                     .target = target };
        iv_studied method = { "target demonstrated", limit ? "plan recall --lower"
                              : "plan recall --target", true, power };
        iv_recall_expected expected;
        char setting[IV_STUDY_TEXT];
        (void)snprintf(setting, sizeof setting, "recall %g, target %g", recall, target);
        if (!iv_study_wants(s, setting) || !iv_study_wants_method(s, method.method))
            continue; /* a plan takes seconds */
        IV_TRY(iv_recall_least_size(&r.design, &plan, limit ? IV_GOAL_LOWER : IV_GOAL_ASSURANCE,
                                    limit ? target : power, &s->stage.work, err));
        IV_TRY(iv_recall_expect(&expected, &plan, r.design.n1, r.design.n0, &s->stage.work, err));
        method.nominal = expected.p_lower;
        const iv_experiment e = { "one review", &method, 1, 1000, recall_replicate, &r,
                                  iv_recall_memory };
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
                      <= r->plan.relevant, (double)r->plan.sampled);
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

/* Is one of the methods whose names begin so asked for? */
static bool wants_plan(const iv_study *s, const char *plan)
{
    for (size_t i = 0; i < s->q->methods.count; i++)
        if (strncmp(s->q->methods.at[i], plan, strlen(plan)) == 0)
            return true;
    return s->q->methods.count == 0;
}

/* Plans that need runs and judgments: those of a collection, given or simulated. */
static int study_judged_plans(iv_study *s, iv_err *err)
{
    iv_collection c;

    if (!wants_plan(s, "plan sample") && !wants_plan(s, "plan pilot")
        && !wants_plan(s, "plan cost"))
        return IV_OK;
    IV_TRY(iv_study_collection(&c, s, 50, 10, err));
    if (wants_plan(s, "plan sample"))
        IV_TRY(iv_study_sample_plans(s, &c, err));
    if (wants_plan(s, "plan cost"))
        IV_TRY(iv_study_cost_plans(s, &c, err));
    return wants_plan(s, "plan pilot") ? iv_study_pilot_plans(s, &c, err) : IV_OK;
}

/* Data that are given are for the plans that read them. */
int iv_study_plans(iv_study *s, iv_err *err)
{
    static const char *const names[] = { "plan machine", "plan recall", "plan elusion",
                                         "plan looks" };
    static int (*const rows[])(iv_study *, iv_err *) = { iv_study_machine_plans, study_recall_plans,
                                                         study_elusion, iv_study_look_plans };
    const bool own = s->q->judgments == NULL && s->q->scores == NULL;

    iv_study_steps(s, 32);
    if (s->q->judgments == NULL && (wants_plan(s, "plan topics") || wants_plan(s, "plan power")))
        IV_TRY(study_topics(s, err));
    for (size_t i = 0; own && i < sizeof names / sizeof *names; i++)
        if (wants_plan(s, names[i]))
            IV_TRY(rows[i](s, err));
    return s->q->scores == NULL ? study_judged_plans(s, err) : IV_OK;
}
