/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest sample that is precise enough. */
#include "plan/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const *iv_sample_goal_names(void)
{
    static const char *const names[] = { "topic", "mean", "difference", NULL };

    return names;
}

iv_sample_plan_options iv_sample_plan_defaults(void)
{
    return (iv_sample_plan_options){ .goal = IV_GOAL_MEAN, .depth = 100, .se = 0.01,
                                     .confidence = 0.95, .check = 200, .seed = 1 };
}

static int no_memory(iv_err *err)
{
    return iv_fail(err, IV_ENOMEM, "out of memory for a plan");
}

/* -------------------------------------------------------- the prediction -- */

/* What a budget gives for one topic. */
typedef struct prospect {
    iv_scheme *scheme;
    uint32_t *bucket; /* of the known documents */
    double *sums, *difference;
} prospect;

static void prospect_free(prospect *x)
{
    iv_scheme_free(x->scheme);
    free(x->bucket);
    free(x->sums);
    free(x->difference);
}

static int prospect_new(prospect *x, const iv_sample_planner *p, size_t topic, size_t budget,
                        iv_err *err)
{
    const iv_known_topic *t = &p->known->topics[topic];
    int rc = iv_planner_scheme(&x->scheme, p, topic, budget, err);

    if (rc != IV_OK)
        return rc;
    x->bucket = malloc((t->known_count + 1) * sizeof *x->bucket);
    x->difference = malloc((t->known_count + 1) * sizeof *x->difference);
    x->sums = malloc((iv_scheme_buckets(x->scheme) + 1) * sizeof *x->sums);
    if (x->bucket == NULL || x->sums == NULL || x->difference == NULL)
        return no_memory(err);
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
    prospect x = { 0 };
    size_t at = 0;
    const int rc = prospect_new(&x, p, topic, budget, err);

    *relevant = 0.0;
    for (size_t k = 0; rc == IV_OK && k < p->known->topics[topic].known_count; k++)
        *relevant += p->weight[topic][k] * iv_scheme_bucket(x.scheme, x.bucket[k])->pi;
    for (size_t a = 0; a < p->runs && rc == IV_OK; a++) {
        if (goal != IV_GOAL_DIFFERENCE)
            sum[at++] += variance_of(&x, p, topic, a, IV_NONE);
        for (size_t b = a + 1; b < p->runs && goal == IV_GOAL_DIFFERENCE; b++)
            sum[at++] += variance_of(&x, p, topic, a, b);
    }
    prospect_free(&x);
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
                squares[at] += fmax(0.0, square - sum * sum / n) / (n - 1.0) / n;
            at++;
        }
    }
}

/* Predicted standard errors at a budget; one topic, or all. */
static int predict(iv_spread *out, double *relevant, const iv_sample_planner *p,
                   iv_sample_goal goal, bool total, size_t topic, size_t budget, iv_err *err)
{
    const size_t count = cases(p, goal);
    const double n = topic == IV_NONE ? (double)p->topics : 1.0;
    double *sum = calloc(count + 1, sizeof *sum), rest = 0.0;
    iv_spread worst = { 0.0, 0.0 };
    int rc = sum == NULL ? no_memory(err) : IV_OK;

    *relevant = 0.0;
    for (size_t t = 0; t < p->topics && rc == IV_OK; t++) {
        if (topic != IV_NONE && t != topic)
            continue;
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
            sum[i] /= n * n;
        if (total)
            add_topic_part(sum, p, goal);
        *out = iv_spread_of(sum, count);
    } else if (rc == IV_OK) {
        *out = (iv_spread){ sqrt(worst.typical), worst.worst };
    }
    free(sum);
    return rc;
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
        return o->halfwidth / (o->total && p->topics > 1
                               ? iv_t_isf(tail, (double)p->topics - 1.0)
                               : iv_norm_isf(tail));
    return o->halfwidth / iv_t_isf(tail, fmax(1.0, relevant - 1.0));
}

static double chosen(iv_spread s, iv_sample_scope scope)
{
    return scope == IV_SCOPE_TYPICAL ? s.typical : s.worst;
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
    iv_spread s = { 0.0, 0.0 };
    double relevant = 0.0;
    const int rc = predict(&s, &relevant, p, p->options.goal, p->options.total, topic, budget,
                           err);

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

/*
 * The budget, corrected by what samples of it give: the formula is exact for
 * large samples only.
 */
static int find_budget(iv_sample_budget *b, const iv_sample_planner *p, size_t topic,
                       iv_err *err)
{
    double factor = 1.0;
    int rc = search(b, p, topic, factor, err);

    b->achieved = (double)NAN;
    for (int round = 0; round < 6 && rc == IV_OK && b->reached; round++) {
        iv_spread s;
        if (!p->complete || p->options.check == 0)
            return IV_OK;
        rc = iv_planner_check(&s, p, b->budget, topic, err);
        if (rc != IV_OK)
            return rc;
        double got = chosen(s, b->scope);
        if (p->options.total && p->options.goal != IV_GOAL_TOPIC) {
            iv_spread whole;
            double unused;
            rc = predict(&whole, &unused, p, p->options.goal, false, topic, b->budget, err);
            const double noise = chosen(whole, b->scope);
            got = sqrt(fmax(0.0, b->predicted * b->predicted - noise * noise) + got * got);
        }
        b->achieved = got;
        /* Two per cent: the error of a standard error from a few hundred samples. */
        if (got <= 1.02 * b->wanted && got >= 0.95 * b->wanted)
            break;
        if (b->predicted > 0.0 && round < 5) {
            const double next = got / b->predicted;
            if (got <= 1.02 * b->wanted && round > 0)
                break;
            factor = next;
            rc = search(b, p, topic, factor, err);
        }
    }
    return rc;
}

/* -------------------------------------------------------------- the whole -- */

static size_t count_documents(const iv_sample_planner *p, size_t budget)
{
    size_t sum = 0;

    for (size_t t = 0; t < p->topics; t++) {
        const size_t n = p->known->topics[t].count;
        sum += budget < n ? budget : n;
    }
    return sum;
}

static int plan_topics(iv_sample_plan *out, const iv_sample_planner *p, iv_err *err)
{
    int rc = IV_OK;

    out->topics = calloc(p->topics + 1, sizeof *out->topics);
    if (out->topics == NULL)
        return no_memory(err);
    out->topic_count = p->topics;
    for (size_t t = 0; t < p->topics && rc == IV_OK; t++) {
        const iv_known_topic *k = &p->known->topics[t];
        out->topics[t] = (iv_sample_topic_budget){ .topic = k->id, .frame = k->count,
                                                   .relevant = k->total };
        rc = find_budget(&out->topics[t].at, p, t, err);
        out->topics[t].at.documents = out->topics[t].at.budget;
    }
    return rc;
}

static int draw_curve(iv_sample_plan *out, const iv_sample_planner *p, iv_err *err)
{
    static const size_t budgets[IV_SAMPLE_CURVE] = { 10, 20, 30, 50, 75, 100, 150, 200, 300,
                                                     500, 1000, 2000 };
    int rc = IV_OK;

    for (size_t i = 0; i < IV_SAMPLE_CURVE && rc == IV_OK && budgets[i] < p->largest; i++) {
        iv_sample_curve *c = &out->curve[out->curve_count++];
        iv_spread s = { 0.0, 0.0 };
        double unused;
        c->budget = budgets[i];
        c->difference = (double)NAN;
        rc = predict(&s, &unused, p, IV_GOAL_TOPIC, false, IV_NONE, budgets[i], err);
        c->topic = s.typical;
        if (rc == IV_OK)
            rc = predict(&s, &unused, p, IV_GOAL_MEAN, false, IV_NONE, budgets[i], err);
        c->mean = s.typical;
        if (rc == IV_OK && p->runs > 1) {
            rc = predict(&s, &unused, p, IV_GOAL_DIFFERENCE, false, IV_NONE, budgets[i], err);
            c->difference = s.typical;
        }
    }
    return rc;
}

static int make(iv_sample_plan *out, const iv_sample_planner *p, iv_err *err)
{
    const iv_sample_goal goal = p->options.goal;
    int rc = IV_OK;

    out->complete = p->complete;
    out->without = p->known->without;
    out->frame = count_documents(p, SIZE_MAX);
    out->topics_se = (double)NAN;
    for (int scope = 0; scope < 2 && rc == IV_OK; scope++) {
        out->budget[scope].scope = (iv_sample_scope)scope;
        rc = find_budget(&out->budget[scope], p, IV_NONE, err);
        out->budget[scope].documents = count_documents(p, out->budget[scope].budget);
    }
    if (rc == IV_OK && goal != IV_GOAL_TOPIC) {
        iv_spread s;
        double unused;
        rc = predict(&s, &unused, p, goal, true, IV_NONE, p->largest, err);
        out->topics_se = s.typical;
    }
    if (rc == IV_OK && goal == IV_GOAL_TOPIC)
        rc = plan_topics(out, p, err);
    return rc == IV_OK ? draw_curve(out, p, err) : rc;
}

int iv_sample_plan_make(iv_sample_plan *out, const iv_run *const *runs, size_t count,
                        const iv_sampling *judged, const iv_sample_plan_options *o,
                        iv_err *err)
{
    iv_sample_plan plan = { .complete = false };
    iv_sample_planner p;

    if ((o->se > 0.0) == (o->halfwidth > 0.0) || !(o->confidence > 0.0 && o->confidence < 1.0))
        return iv_fail(err, IV_EARG, "a plan needs a standard error or half a width, and "
                       "not both");
    if (o->goal == IV_GOAL_DIFFERENCE && count < 2)
        return iv_fail(err, IV_ENODATA, "a difference needs two runs");
    int rc = iv_planner_new(&p, runs, count, judged, o, err);
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
    plan->topics = NULL;
    plan->topic_count = 0;
}
