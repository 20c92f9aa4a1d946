/* SPDX-License-Identifier: Apache-2.0 */
/* The difference estimator: a mean of automatic labels corrected by human ones. */
#include "base/err.h"
#include "base/memory.h"
#include "labels/difference_estimator.h"
#include "num/linear.h"

#include <math.h>
#include <string.h>

/*
 * Coefficients: intercept, log rank, not retrieved, then one for each label.  Rounds of Newton's
 * method with the variances renewed in each; a step is at most 2 on the logit scale.  Scale of
 * the prior of the coefficients of rank: Gelman et al. (2008), Annals of Applied Statistics 2.
 * A variance at 0 would end the rounds: it stays at least a millionth, a logit of 0.001.
 */
enum { FIXED = 3, WIDTH = FIXED + IV_LABEL_GROUPS + 1, ROUNDS = 100, PARTS = 3 };
static const double prior_scale = 2.5, least_variance = 1e-6, longest_step = 2.0;

/* The model of one level. */
typedef struct model {
    size_t width;
    double theta[WIDTH];
    double *effect;           /* of topics */
    double *cross, *weight;   /* topic x width, topic: second derivatives that involve the effect */
    double information[WIDTH * WIDTH], inverse[WIDTH * WIDTH]; /* effects eliminated */
    double label_variance, topic_variance;
    bool constant;            /* no sampled document, or every one, reaches the level */
    double share;             /* of the sample that does */
} model;

typedef struct work {
    const iv_difference_task *task;
    iv_arena memory;
    double **log_rank;        /* of topics' documents; below 0: not retrieved */
    size_t *topics;           /* that the run has */
    size_t topic_count;
    model *models;
    double *p, *shifted, *known, *u; /* of a topic: level x count */
    double *slope;            /* measure x level x width: derivative of the mean */
} work;

/* --------------------------------------------------------------- the model -- */

/* A document's coefficients: those that are not 0; how many. */
static size_t trait_of(size_t at[PARTS], double x[PARTS], const work *w, size_t t, size_t d)
{
    const double rank = w->log_rank[t][d];
    const bool found = rank >= 0.0;

    at[0] = 0;
    at[1] = found ? 1 : 2;
    at[2] = w->task->automatic ? FIXED + w->task->population->topics[t].label[d] : 0;
    x[0] = x[2] = 1.0;
    x[1] = found ? rank : 1.0;
    return w->task->automatic ? PARTS : PARTS - 1;
}

static double probability(double logit)
{
    return 1.0 / (1.0 + exp(-logit));
}

static double logit_of(const model *m, const work *w, size_t t, size_t d)
{
    size_t at[PARTS];
    double x[PARTS], sum = m->effect[t];
    const size_t count = trait_of(at, x, w, t, d);

    for (size_t k = 0; k < count; k++)
        sum += m->theta[at[k]] * x[k];
    return sum;
}

static double reaches(const work *w, size_t level, size_t t, size_t d)
{
    const iv_label_population *p = w->task->population;

    return p->topics[t].grade[d] >= p->level[level] ? 1.0 : 0.0;
}

/* One topic's part of the first and second derivatives. */
typedef struct part {
    double score[WIDTH], cross[WIDTH], square[WIDTH * WIDTH]; /* without the effect's */
    double effect_score, weight;
} part;

static void topic_part(part *out, const model *m, const work *w, size_t level, size_t t)
{
    const iv_population_topic *q = &w->task->population->topics[t];
    const size_t width = m->width;

    memset(out->score, 0, sizeof out->score);
    memset(out->cross, 0, sizeof out->cross);
    memset(out->square, 0, width * width * sizeof *out->square);
    out->weight = 1.0 / m->topic_variance;
    out->effect_score = -m->effect[t] / m->topic_variance;
    for (size_t i = 0; i < q->sampled; i++) {
        const size_t d = q->sample[i];
        size_t at[PARTS];
        double x[PARTS];
        const size_t count = trait_of(at, x, w, t, d);
        const double p = probability(logit_of(m, w, t, d)), v = p * (1.0 - p);
        const double residual = reaches(w, level, t, d) - p;
        out->weight += v;
        out->effect_score += residual;
        for (size_t a = 0; a < count; a++) {
            out->score[at[a]] += residual * x[a];
            out->cross[at[a]] += v * x[a];
            for (size_t b = 0; b < count; b++)
                out->square[at[a] * width + at[b]] += v * x[a] * x[b];
        }
    }
    for (size_t a = 0; a < width; a++)
        for (size_t b = 0; b < width; b++)
            out->square[a * width + b] -= out->cross[a] * out->cross[b] / out->weight;
}

/* The penalty of a coefficient: the inverse of its prior variance. */
static double penalty(const model *m, size_t k)
{
    return k == 0 ? 0.0 : k < FIXED ? 1.0 / (prior_scale * prior_scale) : 1.0 / m->label_variance;
}

/* Sums of all topics' parts, effects eliminated; score may be NULL. */
static void derivatives(model *m, double *score, double *effect_score, const work *w,
                        size_t level)
{
    const size_t width = m->width;
    part one;

    memset(m->information, 0, sizeof m->information);
    for (size_t k = 0; k < width; k++) {
        m->information[k * width + k] = penalty(m, k);
        if (score != NULL)
            score[k] = -penalty(m, k) * m->theta[k];
    }
    for (size_t i = 0; i < w->topic_count; i++) {
        const size_t t = w->topics[i];
        topic_part(&one, m, w, level, t);
        m->weight[t] = one.weight;
        memcpy(m->cross + t * width, one.cross, width * sizeof *one.cross);
        for (size_t k = 0; k < width * width; k++)
            m->information[k] += one.square[k];
        for (size_t k = 0; score != NULL && k < width; k++)
            score[k] += one.score[k] - one.cross[k] * one.effect_score / one.weight;
        if (effect_score != NULL)
            effect_score[t] = one.effect_score;
    }
}

/* out = a^-1 of a positive definite a; false: it is not. */
static bool invert(double *out, const double *a, size_t n)
{
    double l[WIDTH * WIDTH];

    memcpy(l, a, n * n * sizeof *l);
    if (!iv_cholesky(l, n))
        return false;
    for (size_t k = 0; k < n; k++) {
        double column[WIDTH] = { 0.0 };
        column[k] = 1.0;
        iv_solve_lower(l, column, n);
        iv_solve_upper(l, column, n);
        for (size_t i = 0; i < n; i++)
            out[i * n + k] = column[i];
    }
    return true;
}

static double quadratic(const double *a, const double *x, size_t n)
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            sum += x[i] * a[i * n + k] * x[k];
    return sum;
}

/* One step, and new variances: the mean of squared effects and of their own variances.  Returns
 * how far coefficients and variances moved. */
static double step(model *m, const double *score, const double *effect_score, const work *w)
{
    const size_t width = m->width, labels = width - FIXED;
    double move[WIDTH] = { 0.0 }, far = 0.0, squares = 0.0, label = 0.0;

    for (size_t i = 0; i < width; i++) {
        for (size_t k = 0; k < width; k++)
            move[i] += m->inverse[i * width + k] * score[k];
        far = fmax(far, fabs(move[i]));
    }
    const double scale = far > longest_step ? longest_step / far : 1.0;
    for (size_t i = 0; i < w->topic_count; i++) {
        const size_t t = w->topics[i];
        const double *c = m->cross + t * width, weight = m->weight[t];
        double up = effect_score[t];
        for (size_t k = 0; k < width; k++)
            up -= c[k] * move[k];
        up = fmin(fmax(up / weight, -longest_step), longest_step);
        m->effect[t] += scale * up;
        squares += m->effect[t] * m->effect[t] + 1.0 / weight
            + quadratic(m->inverse, c, width) / (weight * weight);
    }
    for (size_t k = 0; k < width; k++)
        m->theta[k] += scale * move[k];
    for (size_t k = FIXED; k < width; k++)
        label += m->theta[k] * m->theta[k] + m->inverse[k * width + k];
    const double of_topics = fmax(squares / (double)w->topic_count, least_variance);
    const double of_labels = labels > 0 ? fmax(label / (double)labels, least_variance) : 1.0;
    far = fmax(far, 0.1 * fabs(log(of_topics / m->topic_variance)));
    far = fmax(far, 0.1 * fabs(log(of_labels / m->label_variance)));
    m->topic_variance = of_topics;
    m->label_variance = of_labels;
    return far;
}

static int fit(model *m, work *w, size_t level, double *effect_score, iv_err *err)
{
    double score[WIDTH], sampled = 0.0, reached = 0.0;

    for (size_t i = 0; i < w->topic_count; i++) {
        const iv_population_topic *q = &w->task->population->topics[w->topics[i]];
        sampled += (double)q->sampled;
        for (size_t k = 0; k < q->sampled; k++)
            reached += reaches(w, level, w->topics[i], q->sample[k]);
    }
    m->share = sampled > 0.0 ? reached / sampled : 0.0;
    m->constant = reached == 0.0 || reached == sampled;
    if (m->constant)
        return IV_OK;
    m->topic_variance = m->label_variance = 1.0;
    m->theta[0] = log((reached + 0.5) / (sampled - reached + 0.5));
    for (int round = 0; round < ROUNDS; round++) {
        derivatives(m, score, effect_score, w, level);
        if (!invert(m->inverse, m->information, m->width))
            return iv_fail(err, IV_EARG, "the model of the labels has no solution");
        if (step(m, score, effect_score, w) < 1e-4)
            break;
    }
    derivatives(m, NULL, NULL, w, level);
    return invert(m->inverse, m->information, m->width)
        ? IV_OK : iv_fail(err, IV_EARG, "the model of the labels has no solution");
}

/* ------------------------------------------------------- values of topics -- */

/* Probabilities of a topic, after a coefficient and, with it, the topic's effect have moved. */
static void predict(double *out, const model *m, const work *w, size_t t, size_t k, double move)
{
    const size_t count = w->task->population->topics[t].count;
    const double back = m->constant ? 0.0 : m->cross[t * m->width + k] / m->weight[t];

    for (size_t d = 0; d < count; d++) {
        size_t at[PARTS];
        double x[PARTS], by = -back;
        const size_t parts = trait_of(at, x, w, t, d);
        for (size_t i = 0; i < parts; i++)
            by += at[i] == k ? x[i] : 0.0;
        out[d] = m->constant ? m->share : probability(logit_of(m, w, t, d) + move * by);
    }
}

/*
 * The measure at p, with human labels in their places, and what these say of the documents that
 * were not sampled; w->u becomes the gradient.  Of a linear measure it is the difference estimator.
 */
static double topic_value(const work *w, const iv_label_measure *m, const double *p, size_t t)
{
    const iv_population_topic *q = &w->task->population->topics[t];
    const size_t first = m->level * q->count;

    memcpy(w->known + first, p + first, m->levels * q->count * sizeof *p);
    for (size_t h = m->level; h < m->level + m->levels; h++)
        for (size_t i = 0; i < q->sampled; i++)
            w->known[h * q->count + q->sample[i]] = reaches(w, h, t, q->sample[i]);
    double value = iv_label_measure_value(w->u, m, w->known, q->count, &w->task->rankings[t],
                                          w->task->discounts);
    for (size_t h = 0; h < m->levels; h++)
        for (size_t i = 0; i < q->sampled; i++) {
            const size_t d = q->sample[i];
            value += w->u[h * q->count + d] * (1.0 / q->pi[d] - 1.0)
                * (reaches(w, m->level + h, t, d) - p[(m->level + h) * q->count + d]);
        }
    return value;
}

static bool uses(const iv_label_measure *m, size_t level)
{
    return m->kind != IV_LABEL_OTHER && m->levels > 0 && level >= m->level
        && level < m->level + m->levels;
}

/* Derivatives of the means by the coefficients, from a move of one standard error up and down. */
static void add_slopes(work *w, size_t t)
{
    const iv_difference_task *task = w->task;
    const size_t levels = task->population->levels, count = task->population->topics[t].count;

    for (size_t h = 0; h < levels; h++) {
        const model *m = &w->models[h];
        for (size_t k = 0; k < m->width && !m->constant; k++) {
            const double move = sqrt(m->inverse[k * m->width + k]);
            for (int side = 1; side >= -1; side -= 2) {
                memcpy(w->shifted, w->p, levels * count * sizeof *w->p);
                predict(w->shifted + h * count, m, w, t, k, side * move);
                for (size_t i = 0; i < task->measure_count; i++)
                    if (uses(&task->measures[i], h))
                        w->slope[(i * levels + h) * WIDTH + k] += side
                            * topic_value(w, &task->measures[i], w->shifted, t)
                            / (2.0 * move * (double)w->topic_count);
            }
        }
    }
}

static void values(double *value, work *w)
{
    const iv_difference_task *task = w->task;
    const size_t T = task->population->topic_count, levels = task->population->levels;

    for (size_t i = 0; i < task->measure_count * T; i++)
        value[i] = (double)NAN;
    for (size_t n = 0; n < w->topic_count; n++) {
        const size_t t = w->topics[n], count = task->population->topics[t].count;
        for (size_t h = 0; h < levels; h++)
            predict(w->p + h * count, &w->models[h], w, t, 0, 0.0);
        for (size_t i = 0; i < task->measure_count; i++)
            if (task->measures[i].kind != IV_LABEL_OTHER)
                value[i * T + t] = task->measures[i].levels == 0
                    ? 0.0 : topic_value(w, &task->measures[i], w->p, t);
        add_slopes(w, t);
    }
}

/* ------------------------------------------------------------- influences -- */

/* How far the coefficients move when a topic is left out, with the opposite sign. */
static bool left_out(double *out, const model *m, const work *w, size_t level, size_t t)
{
    double rest[WIDTH * WIDTH];
    const size_t width = m->width;
    part one;

    topic_part(&one, m, w, level, t);
    for (size_t k = 0; k < width * width; k++)
        rest[k] = m->information[k] - one.square[k];
    if (!iv_cholesky(rest, width))
        return false;
    memcpy(out, one.score, width * sizeof *out);
    iv_solve_lower(rest, out, width);
    iv_solve_upper(rest, out, width);
    return true;
}

static int influences(double *influence, const double *value, work *w, iv_err *err)
{
    const iv_difference_task *task = w->task;
    const size_t T = task->population->topic_count, levels = task->population->levels;
    const double n = (double)w->topic_count;
    double moved[WIDTH];

    for (size_t i = 0; i < task->measure_count; i++) {
        double mean = 0.0;
        for (size_t k = 0; k < w->topic_count; k++)
            mean += value[i * T + w->topics[k]] / n;
        for (size_t t = 0; t < T; t++)
            influence[i * T + t] = value[i * T + t] - mean;
    }
    for (size_t h = 0; h < levels; h++) {
        const model *m = &w->models[h];
        for (size_t j = 0; j < w->topic_count && !m->constant; j++) {
            const size_t t = w->topics[j];
            if (!left_out(moved, m, w, h, t))
                return iv_fail(err, IV_ENODATA, "one topic alone has nearly all relevant documents "
                               "among the human labels");
            for (size_t i = 0; i < task->measure_count; i++)
                for (size_t k = 0; k < m->width && uses(&task->measures[i], h); k++)
                    influence[i * T + t] += (n - 1.0) * w->slope[(i * levels + h) * WIDTH + k]
                        * moved[k];
        }
    }
    return IV_OK;
}

/*
 * What one sampled document does to the mean of a measure, by a level: its own residual, and what
 * it does to the topic's effect and to the coefficients.  The residual is that of a model fitted
 * without it, by its leverage.
 */
static double of_document(const work *w, const model *m, const double *slope, size_t level,
                          size_t t, size_t d, double own, double by_effect)
{
    const double p = probability(logit_of(m, w, t, d)), *c = m->cross + t * m->width;
    size_t at[PARTS];
    double x[WIDTH], own_x[PARTS], sum = 0.0;
    const size_t count = trait_of(at, own_x, w, t, d);

    for (size_t k = 0; k < m->width; k++)
        x[k] = -c[k] / m->weight[t];
    for (size_t k = 0; k < count; k++)
        x[at[k]] += own_x[k];
    const double leverage = p * (1.0 - p)
        * (1.0 / m->weight[t] + quadratic(m->inverse, x, m->width));
    for (size_t i = 0; i < m->width; i++)
        for (size_t k = 0; k < m->width; k++)
            sum += slope[i] * m->inverse[i * m->width + k] * x[k];
    return (own + by_effect / m->weight[t] + sum) * (reaches(w, level, t, d) - p)
        / fmax(1.0 - leverage, 0.1);
}

static void of_documents(double *out, const work *w, size_t measure, size_t t)
{
    const iv_difference_task *task = w->task;
    const iv_population_topic *q = &task->population->topics[t];
    const iv_label_measure *m = &task->measures[measure];
    const size_t levels = task->population->levels;
    const double n = (double)w->topic_count;

    for (size_t h = 0; h < levels; h++)
        predict(w->p + h * q->count, &w->models[h], w, t, 0, 0.0);
    (void)topic_value(w, m, w->p, t);
    for (size_t h = m->level; h < m->level + m->levels; h++) {
        const model *at = &w->models[h];
        const double *u = w->u + (h - m->level) * q->count, *p = w->p + h * q->count;
        double by_effect = 0.0;
        for (size_t d = 0; d < q->count; d++)
            by_effect += u[d] * p[d] * (1.0 - p[d]) * (q->grade[d] >= 0 ? 1.0 - 1.0 / q->pi[d]
                                                       : 1.0)
                / n;
        for (size_t i = 0; i < q->sampled && !at->constant; i++)
            out[i] += of_document(w, at, w->slope + (measure * levels + h) * WIDTH, h, t,
                                  q->sample[i], u[q->sample[i]] / q->pi[q->sample[i]] / n,
                                  by_effect);
    }
}

static void document_influences(double *document, const work *w)
{
    const iv_difference_task *task = w->task;
    size_t all = 0;

    for (size_t t = 0; t < task->population->topic_count; t++)
        all += task->population->topics[t].sampled;
    memset(document, 0, task->measure_count * all * sizeof *document);
    for (size_t i = 0; i < task->measure_count; i++) {
        double *at = document + i * all;
        for (size_t t = 0; t < task->population->topic_count; t++) {
            if (task->rankings[t].document != NULL && task->measures[i].levels > 0
                && task->measures[i].kind != IV_LABEL_OTHER)
                of_documents(at, w, i, t);
            at += task->population->topics[t].sampled;
        }
    }
}

/* -------------------------------------------------------------------- all -- */

static int prepare(work *w, iv_err *err)
{
    const iv_difference_task *task = w->task;
    const iv_label_population *p = task->population;
    const size_t width = FIXED + (task->automatic ? p->groups : 0);

    w->topics = iv_take(&w->memory, p->topic_count, sizeof *w->topics);
    w->log_rank = iv_take(&w->memory, p->topic_count, sizeof *w->log_rank);
    w->models = iv_take(&w->memory, p->levels + 1, sizeof *w->models);
    w->p = iv_take(&w->memory, 4 * (p->levels + 1) * p->most + 1, sizeof *w->p);
    w->slope = iv_take(&w->memory, task->measure_count * p->levels * WIDTH + 1, sizeof *w->slope);
    IV_TRY(iv_taken(&w->memory, err));
    w->shifted = w->p + (p->levels + 1) * p->most;
    w->known = w->shifted + (p->levels + 1) * p->most;
    w->u = w->known + (p->levels + 1) * p->most;
    for (size_t h = 0; h < p->levels; h++) {
        w->models[h].width = width;
        w->models[h].effect = iv_take(&w->memory, p->topic_count, sizeof(double));
        w->models[h].weight = iv_take(&w->memory, p->topic_count, sizeof(double));
        w->models[h].cross = iv_take(&w->memory, p->topic_count * width, sizeof(double));
    }
    for (size_t t = 0; t < p->topic_count; t++) {
        const iv_label_ranking *r = &task->rankings[t];
        if (r->document == NULL)
            continue;
        w->topics[w->topic_count++] = t;
        w->log_rank[t] = iv_take(&w->memory, p->topics[t].count + 1, sizeof(double));
        IV_TRY(iv_taken(&w->memory, err));
        for (size_t d = 0; d < p->topics[t].count; d++)
            w->log_rank[t][d] = -1.0;
        for (size_t k = 0; k < r->count; k++)
            w->log_rank[t][r->document[k]] = log(r->rank[k]);
    }
    return iv_taken(&w->memory, err);
}

static int estimate(double *value, double *influence, double *document, work *w, iv_err *err)
{
    const size_t topics = w->task->population->topic_count;
    double *effect_score = iv_take(&w->memory, topics + 1, sizeof *effect_score);

    IV_TRY(prepare(w, err));
    for (size_t h = 0; h < w->task->population->levels; h++)
        IV_TRY(fit(&w->models[h], w, h, effect_score, err));
    values(value, w);
    IV_TRY(influences(influence, value, w, err));
    document_influences(document, w);
    return IV_OK;
}

int iv_difference_estimate(double *value, double *influence, double *document,
                           const iv_difference_task *task, iv_err *err)
{
    work w = { .task = task };
    const int rc = estimate(value, influence, document, &w, err);

    iv_arena_free(&w.memory);
    return rc;
}
