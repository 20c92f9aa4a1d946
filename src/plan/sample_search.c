/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest sample that is precise enough. */
#include "plan/budget_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checking.h"

const char *const *iv_sample_goal_names(void)
{
    static const char *const names[] = { "mean", "topic", "difference", NULL };

    return names;
}

const char *const *iv_sample_part_names(void)
{
    static const char *const names[] = { "auto", "judgments", "total", NULL };

    return names;
}

static int no_memory(iv_err *err)
{
    return iv_fail(err, IV_ENOMEM, "out of memory for a plan");
}

/* ------------------------------------------------------------- the search -- */

/* The standard error that the goal comes to, given what estimates rest on. */
static double wanted(const iv_sample_planner *p, double relevant)
{
    const iv_sample_plan_options *o = &p->options;
    const double tail = 0.5 * (1.0 - o->confidence);

    if (o->se > 0.0)
        return o->se;
    if (o->goal != IV_GOAL_TOPIC)
        return o->halfwidth / (o->part == IV_PART_TOTAL && p->planned > 1
                               ? iv_t_isf(tail, (double)p->planned - 1.0)
                               : iv_norm_isf(tail));
    return o->halfwidth / iv_t_isf(tail, fmax(1.0, relevant - 1.0));
}

static double chosen(iv_spread s, iv_sample_scope scope)
{
    return scope == IV_SCOPE_TYPICAL ? s.typical : s.worst;
}

static bool counts_topics(const iv_sample_planner *p)
{
    return p->options.part == IV_PART_TOTAL;
}

/* Relevant documents of a topic, or of all on average. */
static double known_relevant(const iv_sample_planner *p, size_t topic)
{
    double sum = 0.0;

    for (size_t t = 0; t < p->topics; t++)
        sum += topic == IV_NONE || t == topic ? p->known->topics[t].total : 0.0;
    return topic == IV_NONE ? sum / (double)p->topics : sum;
}

/* Is a budget enough by formula, when errors are `factor` times as large? */
static int enough(bool *out, iv_sample_budget *b, const iv_sample_planner *p, size_t topic,
                  size_t budget, double factor, iv_err *err)
{
    iv_spread s = { .typical = 0.0 };
    double relevant = 0.0;
    const int rc = iv_planner_predict(&s, &relevant, p, p->options.goal, counts_topics(p),
                                      topic, budget, err);

    if (rc != IV_OK)
        return rc;
    b->predicted = chosen(s, b->scope);
    b->wanted = wanted(p, relevant);
    b->budget = budget;
    /* A topic's estimate that rests on less is 0 most of the time, not precise. */
    *out = b->predicted * factor <= b->wanted
        && (p->options.goal != IV_GOAL_TOPIC
            || relevant >= fmin(2.0, 0.999 * known_relevant(p, topic)));
    return IV_OK;
}

/* The smallest budget that is enough by formula. */
static int search(iv_sample_budget *b, const iv_sample_planner *p, size_t topic,
                  double factor, iv_err *err)
{
    size_t low = 1, high = topic == IV_NONE ? p->largest : p->known->topics[topic].count;
    bool good = false;
    int rc = enough(&good, b, p, topic, high, factor, err);

    b->reached = good;
    if (rc != IV_OK || !good)
        return rc;
    while (rc == IV_OK && high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        rc = enough(&good, b, p, topic, middle, factor, err);
        if (good)
            high = middle;
        else
            low = middle;
    }
    if (rc == IV_OK)
        rc = enough(&good, b, p, topic, high, factor, err);
    return rc;
}

/* What samples of a budget achieve, and what the formula missed. */
static int compare_with(iv_sample_budget *b, iv_spread s, const iv_sample_planner *p, size_t topic,
                        iv_err *err)
{
    double noise = b->predicted, unused;
    int rc = IV_OK;

    if (counts_topics(p) && p->options.goal != IV_GOAL_TOPIC) {
        iv_spread judging = { .typical = 0.0 };
        rc = iv_planner_predict(&judging, &unused, p, p->options.goal, false, topic,
                                b->budget, err);
        noise = chosen(judging, b->scope);
    }
    if (rc != IV_OK)
        return rc;
    const double got = chosen(s, b->scope);
    const double topics = fmax(0.0, b->predicted * b->predicted - noise * noise);
    b->achieved = topics > 0.0 ? sqrt(topics + got * got) : got;
    b->noise = b->achieved > 0.0 ? got * got / b->achieved
        * (b->scope == IV_SCOPE_TYPICAL ? s.typical_noise : s.worst_noise) : 0.0;
    b->factor = noise > 0.0 ? got / noise : (double)NAN;
    return IV_OK;
}

/* A budget on its way: samples were too bad up to `low`, and good enough with `best`. */
typedef struct pursuit {
    iv_sample_budget *at;
    size_t topic; /* IV_NONE: all */
    size_t low;
    bool settled, found;
    iv_sample_budget best;
} pursuit;

static void settle(pursuit *x)
{
    if (x->found)
        *x->at = x->best;
    x->settled = true;
}

/* By what samples of the budget gave: the next one, or the end. */
static int correct(pursuit *x, const iv_sample_planner *p, iv_err *err)
{
    iv_sample_budget *b = x->at;
    /* Two per cent: less than samples can tell, and 'noise' says it. */
    const bool good = b->achieved <= 1.02 * b->wanted;
    const double factor = b->achieved / b->predicted;
    bool unused;

    if (good && (!x->found || b->budget < x->best.budget)) {
        x->best = *b;
        x->found = true;
    }
    x->low = good ? x->low : b->budget;
    if ((good && b->achieved >= 0.95 * b->wanted) || !(b->predicted > 0.0)
        || (x->found && x->best.budget - x->low <= 1)) {
        settle(x);
        return IV_OK;
    }
    IV_TRY(search(b, p, x->topic, factor, err));
    /* Where the formula leads out of what is known, the middle of that. */
    if (good && b->budget >= x->best.budget)
        settle(x);
    else if (x->found && (b->budget >= x->best.budget || b->budget <= x->low))
        return enough(&unused, b, p, x->topic, x->low + (x->best.budget - x->low) / 2, 1.0, err);
    else if (b->budget <= x->low)
        return enough(&unused, b, p, x->topic, x->low + 1 + x->low / 8, 1.0, err);
    return IV_OK;
}

/* One round: samples of all budgets at once, and what follows for those not settled. */
static int pursue(pursuit *x, size_t count, iv_spread *got, size_t *budgets,
                  const iv_sample_planner *p, iv_err *err)
{
    for (size_t i = 0; i < count; i++)
        budgets[i] = x[i].at->budget;
    IV_TRY(iv_planner_check(got, p, budgets, x[0].topic != IV_NONE, err));
    for (size_t i = 0; i < count; i++) {
        if (x[i].settled)
            continue;
        IV_TRY(compare_with(x[i].at, got[i], p, x[i].topic, err));
        IV_TRY(correct(&x[i], p, err));
    }
    return IV_OK;
}

static bool all_settled(const pursuit *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!x[i].settled)
            return false;
    return true;
}

/*
 * Budgets by formula, corrected by what samples of them give: the formula is exact for large
 * samples only, and that of weights 1/pi.  One budget, or one of each topic.  factor: what samples
 * are thought to give over the formula.
 */
static int find_budgets(pursuit *x, size_t count, double factor, const iv_sample_planner *p,
                        iv_err *err)
{
    enum { ROUNDS = 8 };
    iv_arena own = { 0 };
    iv_spread *got = iv_take(&own, count, sizeof *got);
    size_t *budgets = iv_take(&own, count, sizeof *budgets);
    int rc = iv_taken(&own, err);

    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        rc = search(x[i].at, p, x[i].topic, factor, err);
        if (rc == IV_OK && !x[i].at->reached) /* a guess refuses nothing */
            rc = search(x[i].at, p, x[i].topic, 1.0, err);
        x[i].at->achieved = x[i].at->noise = x[i].at->factor = (double)NAN;
        x[i].settled = !x[i].at->reached || !p->complete || p->options.check <= 0;
    }
    for (int round = 0; round < ROUNDS && rc == IV_OK && !all_settled(x, count); round++)
        rc = pursue(x, count, got, budgets, p, err);
    for (size_t i = 0; i < count && rc == IV_OK; i++)
        if (!x[i].settled)
            settle(&x[i]);
    iv_arena_free(&own);
    return rc;
}

/* -------------------------------------------------------------- the whole -- */

/* Of as many topics as are planned. */
static size_t count_documents(const iv_sample_planner *p, size_t budget)
{
    size_t sum = 0;

    for (size_t t = 0; t < p->topics; t++) {
        const size_t n = p->known->topics[t].count;
        sum += budget < n ? budget : n;
    }
    return (size_t)llround((double)sum * (double)p->planned / (double)p->topics);
}

/* Where the work is: its parts take as long as they take, but may be stopped. */
static void move_on(iv_sample_planner *p, double done)
{
    (void)iv_work_part(&p->stage, p->work, done, done);
}

static int plan_topics(iv_sample_plan *out, iv_sample_planner *p, iv_err *err)
{
    pursuit *all = calloc(p->topics + 1, sizeof *all);

    out->topics = calloc(p->topics + 1, sizeof *out->topics);
    if (out->topics == NULL || all == NULL) {
        free(all);
        return no_memory(err);
    }
    out->topic_count = p->topics;
    for (size_t t = 0; t < p->topics; t++) {
        const iv_known_topic *k = &p->known->topics[t];
        out->topics[t] = (iv_sample_topic_budget){ .topic = k->id, .frame = k->count,
                                                   .relevant = k->total };
        all[t] = (pursuit){ .at = &out->topics[t].at, .topic = t };
    }
    move_on(p, 0.6);
    const int rc = find_budgets(all, p->topics, 1.0, p, err);
    for (size_t t = 0; t < p->topics && rc == IV_OK; t++)
        out->topics[t].at.documents = out->topics[t].at.budget;
    free(all);
    return rc;
}

static int predict_typical(double *out, const iv_sample_planner *p, iv_sample_goal goal,
                           size_t budget, iv_err *err)
{
    iv_spread s = { .typical = 0.0 };
    double unused;
    const int rc = iv_planner_predict(&s, &unused, p, goal, false, IV_NONE, budget, err);

    *out = s.typical;
    return rc;
}

static int draw_curve(iv_sample_plan *out, const iv_sample_planner *p, iv_err *err)
{
    static const size_t budgets[] = { 10, 20, 30, 50, 75, 100, 150, 200, 300, 500, 1000, 2000 };
    const size_t count = sizeof budgets / sizeof *budgets;
    int rc = IV_OK;

    out->curve = calloc(count, sizeof *out->curve);
    if (out->curve == NULL)
        return no_memory(err);
    for (size_t i = 0; i < count && rc == IV_OK && budgets[i] < p->largest; i++) {
        iv_sample_curve *c = &out->curve[out->curve_count++];
        *c = (iv_sample_curve){ .budget = budgets[i], .difference = (double)NAN };
        rc = predict_typical(&c->topic, p, IV_GOAL_TOPIC, c->budget, err);
        if (rc == IV_OK)
            rc = predict_typical(&c->mean, p, IV_GOAL_MEAN, c->budget, err);
        if (rc == IV_OK && p->runs > 1)
            rc = predict_typical(&c->difference, p, IV_GOAL_DIFFERENCE, c->budget, err);
    }
    return rc;
}

static int make(iv_sample_plan *out, iv_sample_planner *p, iv_err *err)
{
    const iv_sample_goal goal = p->options.goal;
    iv_sample_budget *const budgets[] = { &out->typical, &out->every };
    double factor = 1.0;
    int rc = IV_OK;

    out->complete = p->complete;
    out->without = p->known->without;
    out->planned = p->planned;
    out->frame = count_documents(p, SIZE_MAX);
    out->inside = p->known->inside;
    out->outside = p->known->outside;
    out->topics_se = (double)NAN;
    for (int scope = 0; scope < 2 && rc == IV_OK; scope++) {
        move_on(p, scope == 0 ? 0.1 : 0.35);
        budgets[scope]->scope = (iv_sample_scope)scope;
        rc = find_budgets(&(pursuit){ .at = budgets[scope], .topic = IV_NONE }, 1, factor, p, err);
        factor = out->typical.achieved > 0.0 ? out->typical.achieved / out->typical.predicted : 1.0;
        budgets[scope]->documents = count_documents(p, budgets[scope]->budget);
    }
    if (rc == IV_OK && goal != IV_GOAL_TOPIC) {
        iv_spread s;
        double unused;
        rc = iv_planner_predict(&s, &unused, p, goal, true, IV_NONE, p->largest, err);
        out->topics_se = s.typical;
    }
    if (rc == IV_OK && goal == IV_GOAL_TOPIC)
        rc = plan_topics(out, p, err);
    move_on(p, 0.9);
    return rc == IV_OK ? draw_curve(out, p, err) : rc;
}

int iv_sample_plan_make(iv_sample_plan *out, const iv_run *const *runs, size_t count,
                        const iv_sampling *judged, const iv_sample_plan_options *options,
                        const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_each(runs, count, "run", err));
    IV_TRY(iv_check_given(judged, "the judgments", err));
    IV_TRY(iv_check_given(options, "what is planned", err));
    IV_TRY(IV_CHECK(options, err,
                    IV_CHOICE_OF(iv_sample_plan_options, goal, iv_sample_goal_names, "the goal"),
                    IV_CHOICE_OF(iv_sample_plan_options, part, iv_sample_part_names,
                                 "the part of the error")));
    iv_sample_plan plan = { .complete = false };
    iv_sample_plan_options o = *options;
    iv_sample_planner p;

    o.confidence = o.confidence == 0.0 ? 0.95 : o.confidence;
    if (o.part == IV_PART_AUTO) /* a half width is that of eval's interval */
        o.part = o.halfwidth > 0.0 && o.goal != IV_GOAL_TOPIC ? IV_PART_TOTAL : IV_PART_JUDGMENTS;
    o.check = o.check == 0 ? IV_PLAN_CHECKS : o.check;
    if ((o.se > 0.0) == (o.halfwidth > 0.0) || !(o.confidence > 0.0 && o.confidence < 1.0))
        return iv_fail(err, IV_EARG, "a plan needs a standard error or half a width, and "
                       "not both");
    if (o.goal == IV_GOAL_TOPIC && o.topics > 0)
        return iv_fail(err, IV_EARG, "a topic's standard error does not depend on how many topics "
                       "there are");
    if (o.goal == IV_GOAL_DIFFERENCE && count < 2)
        return iv_fail(err, IV_ENODATA, "a difference needs two runs");
    int rc = iv_planner_new(&p, runs, count, judged, &o, work, err);
    if (rc == IV_OK)
        rc = make(&plan, &p, err);
    iv_planner_free(&p);
    if (rc == IV_OK)
        *out = plan;
    else
        iv_sample_plan_clear(&plan);
    return rc;
}

void iv_sample_plan_clear(iv_sample_plan *plan)
{
    free(plan->topics);
    free(plan->curve);
    *plan = (iv_sample_plan){ 0 };
}
