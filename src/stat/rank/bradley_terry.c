/* SPDX-License-Identifier: Apache-2.0 */
/* Fits the Bradley-Terry model with ties to pairwise preferences. */
#include "base/err.h"
#include "base/memory.h"
#include "num/dist.h"
#include "num/linear.h"
#include "stat/evidence.h"
#include "stat/pair_tests.h"
#include "stat/preference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Votes that the model predicts alike, by winner. */
typedef struct cell {
    size_t a, b;
    double won[3];
    const double *x; /* covariates */
} cell;

/* The model: strengths, then log nu, covariates, the position. */
typedef struct model {
    const iv_preference_model *of;
    size_t systems, n;
    size_t tie, covariate, position; /* places of these parameters; SIZE_MAX: not in the model */
    cell *cells;
    size_t cell_count;
    uint32_t (*counts)[3]; /* [a * systems + b] by winner */
    double *at;            /* parameters */
    double *gradient, *step, *matrix;
    const iv_vote *votes;
    size_t count, clusters; /* the fewest of the ways to group votes */
    struct grouping {
        unsigned by;   /* BY_ITEM, BY_JUDGE, both, or 0: each vote alone */
        double sign;   /* of its variance in the sum */
        size_t *order; /* votes of a cluster one after the other */
        size_t clusters;
    } ways[3];
    size_t way_count;
    double *meat, *sum;  /* the sandwich; a cluster's scores, NaN where it has none */
    double *sums;        /* of two ways: without the third, which is subtracted; else NULL */
    double *mean, *cross; /* of a labelled comparison; clusters' scores by their units */
    double units;         /* sum of squares */
    size_t *seen;
} model;

enum { BY_ITEM = 1, BY_JUDGE = 2 };

static const double tolerance = 1e-10; /* of parameters: what is closer is equal */

/* Of a winner: what of it is a's strength, the tie's, the position's. */
static const double features[3][3] = { { 1, 0, 0 }, { 0, 0, -1 }, { 0.5, 1, 0 } };

/* Probabilities of the winners. */
static void predict(double p[3], const model *m, const double *at, size_t a, size_t b,
                    const double *x)
{
    double gain = 0.0, sum = 0.0;

    for (size_t k = 0; k < m->of->covariate_count; k++)
        gain += at[m->covariate + k] * x[k] / 2.0;
    const double u[3] = { at[a] + gain,
                          at[b] - gain - (m->position < m->n ? at[m->position] : 0.0),
                          m->tie < m->n ? (at[a] + at[b]) / 2.0 + at[m->tie] : -INFINITY };
    const double most = fmax(u[0], fmax(u[1], u[2]));

    for (size_t y = 0; y < 3; y++)
        sum += p[y] = exp(u[y] - most);
    for (size_t y = 0; y < 3; y++)
        p[y] /= sum;
}

static double likelihood(const model *m, const double *at)
{
    double sum = 0.0, p[3];

    for (size_t k = 0; k < m->cell_count; k++) {
        const cell *c = &m->cells[k];
        predict(p, m, at, c->a, c->b, c->x);
        for (size_t y = 0; y < 3; y++)
            if (c->won[y] != 0.0)
                sum += c->won[y] * log(p[y]);
    }
    return sum;
}

/* The score of one vote by its parameters: at most so many are not 0. */
enum { PARTS = 4 + IV_PREFERENCE_COVARIATES };
typedef struct parts {
    size_t count, at[PARTS];
    double of[PARTS];
} parts;

static parts score(const model *m, const cell *c, const double p[3], size_t winner)
{
    const size_t at[4] = { c->a, c->b, m->tie, m->position };
    double f[3]; /* a's, and -f[0] b's; the tie's; the position's */
    parts s = { .count = 0 };

    for (size_t j = 0; j < 3; j++) {
        f[j] = features[winner][j];
        for (size_t y = 0; y < 3; y++)
            f[j] -= p[y] * features[y][j];
    }
    for (size_t i = 0; i < 4; i++)
        if (at[i] < m->n) {
            s.at[s.count] = at[i];
            s.of[s.count++] = i == 0 ? f[0] : i == 1 ? -f[0] : f[i - 1];
        }
    for (size_t k = 0; k < m->of->covariate_count; k++) {
        s.at[s.count] = m->covariate + k;
        s.of[s.count++] = f[0] * c->x[k];
    }
    return s;
}

/* Gradient, and information with 1 / systems added to strengths, whose mean is then 0. */
static void derive(model *m)
{
    const size_t K = m->systems, n = m->n;
    double p[3];

    memset(m->gradient, 0, n * sizeof *m->gradient);
    memset(m->matrix, 0, n * n * sizeof *m->matrix);
    for (size_t k = 0; k < m->cell_count; k++) {
        const cell *c = &m->cells[k];
        const double votes = c->won[0] + c->won[1] + c->won[2];
        predict(p, m, m->at, c->a, c->b, c->x);
        for (size_t y = 0; y < 3; y++) {
            const parts s = score(m, c, p, y);
            for (size_t i = 0; i < s.count; i++) {
                m->gradient[s.at[i]] += c->won[y] * s.of[i];
                for (size_t j = 0; j < s.count; j++)
                    if (s.at[j] <= s.at[i])
                        m->matrix[s.at[i] * n + s.at[j]] += votes * p[y] * s.of[i] * s.of[j];
            }
        }
    }
    for (size_t i = 0; i < K; i++)
        for (size_t j = 0; j <= i; j++)
            m->matrix[i * n + j] += 1.0 / (double)K;
}

/* Newton's method on a concave function, with halved steps.  False: it does not converge. */
static bool climb(model *m)
{
    double *trial = m->step + m->n;
    double now = likelihood(m, m->at);

    for (int round = 0; round < 100; round++) {
        double length = 0.0, share = 1.0;
        derive(m);
        if (!iv_cholesky(m->matrix, m->n))
            return false;
        memcpy(m->step, m->gradient, m->n * sizeof *m->step);
        iv_solve_lower(m->matrix, m->step, m->n);
        iv_solve_upper(m->matrix, m->step, m->n);
        for (; share > 1e-6; share /= 2.0) {
            for (size_t i = 0; i < m->n; i++)
                trial[i] = m->at[i] + share * m->step[i];
            if (likelihood(m, trial) >= now - 1e-9 * fabs(now))
                break;
        }
        for (size_t i = 0; i < m->n; i++)
            length = fmax(length, fabs(trial[i] - m->at[i]));
        memcpy(m->at, trial, m->n * sizeof *m->at);
        now = likelihood(m, m->at);
        if (length < tolerance)
            return true;
    }
    return false;
}

/* ---------------------------------------------------------------- variances -- */

static bool together(const struct grouping *g, const iv_vote *x, const iv_vote *y)
{
    return g->by != 0 && (!(g->by & BY_ITEM) || x->item == y->item)
        && (!(g->by & BY_JUDGE) || x->judge == y->judge);
}

/* The weighted score of vote number i. */
static parts score_of(const model *m, size_t i)
{
    const iv_vote *v = &m->votes[i];
    const cell c = { .a = v->a, .b = v->b, .x = m->of->covariate_count > 0
                     ? m->of->covariates + i * m->of->covariate_count : NULL };
    double p[3];

    predict(p, m, m->at, c.a, c.b, c.x);
    parts s = score(m, &c, p, v->winner);
    for (size_t k = 0; k < s.count && m->of->weight != NULL; k++)
        s.of[k] *= m->of->weight[i];
    return s;
}

/* The mean score of a comparison that people judged: what is drawn at random. */
static void mean_labelled(model *m)
{
    double labelled = 0.0;

    memset(m->mean, 0, m->n * sizeof *m->mean);
    memset(m->cross, 0, m->n * sizeof *m->cross);
    m->units = 0.0;
    for (size_t i = 0; i < m->count; i++) {
        if (m->of->unit[i] < 0.0)
            continue; /* of all comparisons */
        const parts s = score_of(m, i);
        labelled += m->of->unit[i];
        for (size_t k = 0; k < s.count; k++)
            m->mean[s.at[k]] += s.of[k];
    }
    for (size_t i = 0; i < m->n; i++)
        m->mean[i] /= labelled;
}

/* Less the mean of what was drawn: of z - u mean the squares. */
static void centre_scores(model *m)
{
    for (size_t i = 0; i < m->n; i++)
        for (size_t j = 0; j <= i; j++)
            m->meat[i * m->n + j] += m->units * m->mean[i] * m->mean[j]
                - m->cross[i] * m->mean[j] - m->mean[i] * m->cross[j];
}

/* Adds the lower half of the sum of squared scores of clusters, times clusters / (clusters - 1). */
static void square_scores(model *m, const struct grouping *g)
{
    const size_t n = m->n, *order = g->order;
    const iv_vote *votes = m->votes;
    double *meat = m->meat, *sum = m->sum;
    const double by = g->sign * (double)g->clusters / ((double)g->clusters - 1.0);
    size_t *seen = m->seen;

    for (size_t from = 0, to = 0; from < m->count; from = to) {
        size_t touched = 0;
        double units = 0.0;
        for (; to < m->count && (to == from || together(g, &votes[order[to]],
                                                        &votes[order[from]])); to++) {
            const parts s = score_of(m, order[to]);
            units += m->of->unit != NULL ? m->of->unit[order[to]] : 0.0;
            for (size_t i = 0; i < s.count; i++) {
                if (isnan(sum[s.at[i]])) {
                    seen[touched++] = s.at[i];
                    sum[s.at[i]] = 0.0;
                }
                sum[s.at[i]] += s.of[i];
            }
        }
        for (size_t i = 0; i < touched; i++)
            for (size_t j = 0; j < touched; j++)
                if (seen[j] <= seen[i])
                    meat[seen[i] * n + seen[j]] += by * sum[seen[i]] * sum[seen[j]];
        for (size_t i = 0; i < touched; i++) {
            m->cross[seen[i]] += by * units * sum[seen[i]];
            sum[seen[i]] = (double)NAN;
        }
        m->units += by * units * units;
    }
}

/* B of the squared scores becomes information^-1 B information^-1. */
static void sandwich(const model *m, double *b)
{
    const size_t n = m->n;

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            b[j * n + i] = b[i * n + j];
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < n; i++) { /* a row of a symmetric matrix is its column */
            iv_solve_lower(m->matrix, b + i * n, n);
            iv_solve_upper(m->matrix, b + i * n, n);
        }
        for (size_t i = 0; i < n && side == 0; i++)
            for (size_t j = 0; j < i; j++) {
                const double x = b[i * n + j];
                b[i * n + j] = b[j * n + i];
                b[j * n + i] = x;
            }
    }
}

/* NaN: the scores do not vary, which says nothing about the error. */
static double spread(double variance)
{
    return sqrt(variance) > tolerance ? sqrt(variance) : (double)NAN;
}

/* The variance of parameter i, or of its difference from j.  That of two ways of clustering is
 * their sum less that of both together (Cameron, Gelbach & Miller 2011); where this is not above
 * 0, the sum (MacKinnon, Nielsen & Webb 2021). */
static double variance(const model *m, size_t i, size_t j)
{
    const double *of[] = { m->meat, m->sums };
    double x = 0.0;

    for (size_t k = 0; k < 2 && of[k] != NULL && !(x > tolerance * tolerance); k++)
        x = i == j ? of[k][i * m->n + i]
            : of[k][i * m->n + i] + of[k][j * m->n + j] - 2.0 * of[k][i * m->n + j];
    return x;
}

/* Of votes shown in either order. */
static iv_preference_pair pair_of(const iv_preferences *out, const model *m, size_t i, size_t j,
                                  double confidence)
{
    const bool first = out->systems[i].value >= out->systems[j].value;
    const size_t a = first ? i : j, b = first ? j : i, K = m->systems;
    const uint32_t *const there = m->counts[a * K + b], *const back = m->counts[b * K + a];
    const double d = out->systems[a].value - out->systems[b].value, se = spread(variance(m, i, j));
    const double df = (double)m->clusters - 1.0, t = iv_t_isf(0.5 * (1.0 - confidence), df);

    return (iv_preference_pair){
        .a = a, .b = b, .wins = there[IV_PREFERS_A] + back[IV_PREFERS_B],
        .losses = there[IV_PREFERS_B] + back[IV_PREFERS_A],
        .ties = there[IV_PREFERS_NONE] + back[IV_PREFERS_NONE], .difference = d, .se = se,
        .lower = d - t * se, .upper = d + t * se,
        .p = isnan(se) ? (double)NAN : fmin(1.0, 2.0 * iv_t_sf(d / se, df)), .p_holm = NAN };
}

static int list_pairs(iv_preferences *out, const model *m, const double *p_holm,
                      double confidence, iv_arena *own, iv_err *err)
{
    const size_t K = m->systems;

    if (K > IV_PREFERENCE_PAIRED)
        return IV_OK;
    out->pairs = iv_take(own, K * (K - 1) / 2, sizeof *out->pairs);
    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < K; i++)
        for (size_t j = 0; j < i; j++) {
            iv_preference_pair *pair = &out->pairs[out->pair_count];
            *pair = pair_of(out, m, i, j, confidence);
            pair->p_holm = isnan(pair->p) ? (double)NAN : p_holm[out->pair_count];
            out->pair_count++;
        }
    return IV_OK;
}

/* Simultaneous ranks: a rank is excluded by systems significantly better or worse. */
static int rank(iv_preferences *out, const model *m, double confidence, iv_arena *own, iv_err *err)
{
    const size_t K = m->systems, pairs = K * (K - 1) / 2;
    const double df = (double)m->clusters - 1.0;
    double *p = iv_take(own, pairs + 1, sizeof *p);
    size_t k = 0;

    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < K; i++)
        for (size_t j = 0; j < i; j++) {
            const double se = spread(variance(m, i, j));
            const double d = fabs(out->systems[i].value - out->systems[j].value);
            p[k++] = isnan(se) ? 1.0 : fmin(1.0, 2.0 * iv_t_sf(d / se, df));
        }
    IV_TRY(iv_adjust(p, p, pairs, IV_CORRECT_HOLM, err));
    for (size_t i = 0; i < K; i++) {
        out->systems[i].rank_lower = 1;
        out->systems[i].rank_upper = K;
    }
    k = 0;
    for (size_t i = 0; i < K; i++)
        for (size_t j = 0; j < i; j++)
            if (p[k++] < 1.0 - confidence) {
                const bool first = out->systems[i].value > out->systems[j].value;
                out->systems[first ? i : j].rank_upper--;
                out->systems[first ? j : i].rank_lower++;
            }
    return list_pairs(out, m, p, confidence, own, err);
}

/* ----------------------------------------------------------------- existence -- */

/*
 * Could a parameter grow without end (Albert & Anderson 1984)?  A direction has strengths d, ties
 * `tie` and the position `place`.  With a shown first and x = d_a - d_b + place, the votes allow it
 * if x >= tie where a won, x <= -tie where b won and |x| <= tie where they tied.  So d_j - d_i is
 * at most forms[k][0] tie + forms[k][1] place, by the votes that bind most.
 */
static const double forms[4][2] = { { -1, 1 }, { 1, 1 }, { -1, -1 }, { 1, -1 } };

static size_t binding(double *most, const model *m, size_t i, size_t j, const double by[2])
{
    const uint32_t *x = m->counts[i * m->systems + j], *y = m->counts[j * m->systems + i];
    const uint32_t votes[4] = { x[0], x[2], y[1], y[2] };
    size_t form = 0;

    *most = INFINITY;
    for (size_t k = 0; k < 4; k++) {
        const double bound = forms[k][0] * by[0] + forms[k][1] * by[1];
        if (votes[k] > 0 && bound < *most) {
            *most = bound;
            form = k;
        }
    }
    return form;
}

/* Which systems are reached from the first over wins and ties (or over losses and ties, or all). */
static size_t reach(bool *seen, size_t *stack, const model *m, bool wins, bool losses)
{
    const size_t K = m->systems;
    size_t depth = 0, found = 1;
    double won, lost;

    memset(seen, 0, K * sizeof *seen);
    seen[0] = true;
    stack[depth++] = 0;
    while (depth > 0) {
        const size_t i = stack[--depth];
        for (size_t j = 0; j < K; j++) {
            (void)binding(&won, m, i, j, (double[2]){ 0.0, 0.0 });
            (void)binding(&lost, m, j, i, (double[2]){ 0.0, 0.0 });
            if (seen[j] || !((wins && isfinite(won)) || (losses && isfinite(lost))))
                continue;
            seen[j] = true;
            stack[depth++] = j;
            found++;
        }
    }
    return found;
}

/* Bellman and Ford: strengths within all bounds (SIZE_MAX), or a system on a cycle below 0. */
static size_t contradiction(double *d, size_t *from, const model *m, const double by[2])
{
    const size_t K = m->systems;

    memset(d, 0, K * sizeof *d);
    memset(from, 0xff, K * sizeof *from); /* SIZE_MAX: from none */
    for (;;) {
        size_t at = SIZE_MAX;
        double bound;
        for (size_t i = 0; i < K; i++)
            for (size_t j = 0; j < K; j++) {
                (void)binding(&bound, m, i, j, by);
                if (d[i] + bound < d[j]) {
                    d[j] = d[i] + bound;
                    from[j] = i;
                    at = j;
                }
            }
        if (at == SIZE_MAX)
            return at;
        for (size_t k = 0; k < K && at != SIZE_MAX; k++)
            at = from[at];
        if (at != SIZE_MAX)
            return at;
    }
}

/* Do the votes allow that direction, or, if the place is free, one with any place? */
static bool separated(double *d, size_t *from, const model *m, double tie, double place, bool free)
{
    double by[2] = { tie, place }, side = 0.0;

    for (;;) {
        size_t at = contradiction(d, from, m, by);
        const size_t start = at;
        double sum[2] = { 0.0, 0.0 }, bound;
        if (start == SIZE_MAX)
            return true;
        do {
            const double *form = forms[binding(&bound, m, from[at], at, by)];
            sum[0] += form[0];
            sum[1] += form[1];
            at = from[at];
        } while (at != start);
        /* The place moves until the cycle is not below 0, always the same way. */
        if (!free || sum[1] == 0.0 || side * sum[1] < 0.0)
            return false;
        side = sum[1];
        by[0] = fabs(sum[1]);
        by[1] = sum[1] > 0.0 ? -sum[0] : sum[0];
    }
}

static int check_existence(iv_preferences *out, const model *m, iv_arena *own, iv_err *err)
{
    const size_t K = m->systems;
    bool *seen = iv_take(own, K, sizeof *seen);
    size_t *stack = iv_take(own, K, sizeof *stack);
    double *d = iv_take(own, K, sizeof *d);

    IV_TRY(iv_taken(own, err));
    if (reach(seen, stack, m, true, true) < K)
        out->gap = IV_PREFERENCE_APART;
    else if (reach(seen, stack, m, true, false) < K || reach(seen, stack, m, false, true) < K)
        out->gap = IV_PREFERENCE_ENDS;
    else if (m->tie < m->n && separated(d, stack, m, 1.0, 0.0, false))
        out->gap = IV_PREFERENCE_TIES;
    else if (separated(d, stack, m, 0.0, 1.0, false) || separated(d, stack, m, 0.0, -1.0, false)
             || (m->tie < m->n && separated(d, stack, m, 1.0, 0.0, true)))
        out->gap = IV_PREFERENCE_POSITION;
    out->example = SIZE_MAX;
    for (size_t i = 0; i < K; i++) {
        const iv_strength *s = &out->systems[i];
        if (s->ties == 0 && (s->wins == 0 || s->losses == 0) && out->example == SIZE_MAX)
            out->example = i;
    }
    return IV_OK;
}

/* ----------------------------------------------------------------- the whole -- */

static int set_up(model *m, iv_preferences *out, size_t systems, iv_arena *own, iv_err *err)
{
    const iv_vote *votes = m->votes;
    bool ties = false;

    const double *weight = m->of->weight;

    m->systems = systems;
    m->counts = iv_take(own, systems * systems, sizeof *m->counts);
    out->systems = iv_take(own, systems, sizeof *out->systems);
    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < m->count; i++) {
        const iv_vote *v = &votes[i];
        if (weight != NULL && m->of->unit[i] == 0.0)
            continue; /* the same again, as a correction */
        m->counts[v->a * systems + v->b][v->winner]++;
        out->systems[v->a].wins += v->winner == IV_PREFERS_A;
        out->systems[v->a].losses += v->winner == IV_PREFERS_B;
        out->systems[v->b].wins += v->winner == IV_PREFERS_B;
        out->systems[v->b].losses += v->winner == IV_PREFERS_A;
        out->systems[v->a].ties += v->winner == IV_PREFERS_NONE;
        out->systems[v->b].ties += v->winner == IV_PREFERS_NONE;
        ties = ties || v->winner == IV_PREFERS_NONE;
    }
    m->tie = ties ? systems : SIZE_MAX;
    m->covariate = systems + ties;
    m->position = m->covariate + m->of->covariate_count;
    m->n = m->position + 1;
    const size_t n = m->n;
    m->at = iv_take(own, n, sizeof(double));
    m->gradient = iv_take(own, n, sizeof(double));
    m->step = iv_take(own, 2 * n, sizeof(double));
    m->matrix = iv_take(own, n * n, sizeof(double));
    m->meat = iv_take(own, n * n, sizeof(double));
    m->sums = m->way_count > 1 ? iv_take(own, n * n, sizeof(double)) : NULL;
    m->sum = iv_take(own, n, sizeof(double));
    m->mean = iv_take(own, n, sizeof(double));
    m->cross = iv_take(own, n, sizeof(double));
    m->seen = iv_take(own, n, sizeof(size_t));
    for (size_t i = 0; m->sum != NULL && i < n; i++)
        m->sum[i] = (double)NAN;
    for (size_t i = 0; i < systems; i++) {
        iv_strength *s = &out->systems[i];
        s->value = s->se = s->lower = s->upper = (double)NAN;
        s->rank_lower = 1;
        s->rank_upper = systems;
    }
    return iv_taken(own, err);
}

/* Votes of an ordered pair together, unless each has covariates or a weight of its own. */
static int fill_cells(model *m, iv_arena *own, iv_err *err)
{
    const size_t K = m->systems, C = m->of->covariate_count;
    const bool alone = C > 0 || m->of->weight != NULL;
    const size_t most = alone || m->count < K * K ? m->count : K * K;

    m->cells = iv_take(own, most + 1, sizeof *m->cells);
    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; alone && i < m->count; i++) {
        cell *c = &m->cells[m->cell_count++];
        *c = (cell){ .a = m->votes[i].a, .b = m->votes[i].b,
                     .x = C > 0 ? m->of->covariates + i * C : NULL };
        c->won[m->votes[i].winner] = m->of->weight != NULL ? m->of->weight[i] : 1.0;
    }
    for (size_t k = 0; !alone && k < K * K; k++) {
        const uint32_t *won = m->counts[k];
        if (won[0] + won[1] + won[2] > 0)
            m->cells[m->cell_count++] = (cell){ .a = k / K, .b = k % K,
                                                .won = { won[0], won[1], won[2] } };
    }
    return IV_OK;
}

static size_t key_of(const iv_vote *v, unsigned by) { return by == BY_ITEM ? v->item : v->judge; }

/* Sorts an order of the votes by item or judge; votes of one stay in their order. */
static int sort_by(size_t **order, const model *m, unsigned by, size_t keys, iv_arena *own,
                   iv_err *err)
{
    size_t *start = iv_take(own, keys + 1, sizeof *start);
    size_t *sorted = iv_take(own, m->count, sizeof *sorted);

    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < m->count; i++)
        start[key_of(&m->votes[i], by) + 1]++;
    for (size_t t = 0; t < keys; t++)
        start[t + 1] += start[t];
    for (size_t i = 0; i < m->count; i++)
        sorted[start[key_of(&m->votes[(*order)[i]], by)]++] = (*order)[i];
    *order = sorted;
    return IV_OK;
}

/* One way to group the votes: their order, and how many clusters have any. */
static int group(model *m, unsigned by, double sign, const size_t keys[2], iv_arena *own,
                 iv_err *err)
{
    struct grouping *g = &m->ways[m->way_count++];

    *g = (struct grouping){ by, sign, iv_take(own, m->count, sizeof *g->order), m->count > 0 };
    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < m->count; i++)
        g->order[i] = i;
    if (by & BY_JUDGE)
        IV_TRY(sort_by(&g->order, m, BY_JUDGE, keys[1], own, err));
    if (by & BY_ITEM)
        IV_TRY(sort_by(&g->order, m, BY_ITEM, keys[0], own, err));
    for (size_t i = 1; i < m->count; i++)
        g->clusters += !together(g, &m->votes[g->order[i]], &m->votes[g->order[i - 1]]);
    m->clusters = m->way_count == 1 || g->clusters < m->clusters ? g->clusters : m->clusters;
    return IV_OK;
}

/* The ways: items, judges, or both less the clusters of both at once; each vote if neither. */
static int group_votes(model *m, size_t items, size_t judges, iv_arena *own, iv_err *err)
{
    const size_t keys[2] = { items, judges };

    if (items > 0 || judges == 0)
        IV_TRY(group(m, items > 0 ? BY_ITEM : 0, 1.0, keys, own, err));
    if (judges > 0)
        IV_TRY(group(m, BY_JUDGE, 1.0, keys, own, err));
    return items > 0 && judges > 0 ? group(m, BY_ITEM | BY_JUDGE, -1.0, keys, own, err) : IV_OK;
}

/* Estimates and their covariance.  False: there are none. */
static bool fit(model *m)
{
    memset(m->at, 0, m->n * sizeof *m->at);
    if (!climb(m))
        return false;
    derive(m);
    if (!iv_cholesky(m->matrix, m->n))
        return false;
    memset(m->meat, 0, m->n * m->n * sizeof *m->meat);
    if (m->of->unit != NULL)
        mean_labelled(m);
    for (size_t k = 0; k < m->way_count; k++) {
        if (m->sums != NULL && m->ways[k].sign < 0.0)
            memcpy(m->sums, m->meat, m->n * m->n * sizeof *m->sums);
        square_scores(m, &m->ways[k]);
    }
    if (m->of->unit != NULL)
        centre_scores(m);
    sandwich(m, m->meat);
    if (m->sums != NULL)
        sandwich(m, m->sums);
    return true;
}

static void take_position(iv_preferences *out, const model *m, double t)
{
    const double se = spread(variance(m, m->position, m->position)), at = m->at[m->position];

    out->position = at;
    out->position_se = se;
    out->position_lower = at - t * se;
    out->position_upper = at + t * se;
    out->position_p = 2.0 * iv_t_sf(fabs(at) / se, (double)m->clusters - 1.0);
}

/* Strengths and effects of covariates. */
static void take_values(iv_preferences *out, const model *m, double t)
{
    for (size_t i = 0; i < m->systems; i++) {
        iv_strength *s = &out->systems[i];
        s->value = round(m->at[i] / tolerance) * tolerance;
        s->se = spread(variance(m, i, i));
        s->lower = s->value - t * s->se;
        s->upper = s->value + t * s->se;
    }
    for (size_t k = 0; k < m->of->covariate_count; k++) {
        const size_t i = m->covariate + k;
        const double at = m->at[i], se = spread(variance(m, i, i));
        out->covariates[k].value = at;
        out->covariates[k].se = se;
        out->covariates[k].lower = at - t * se;
        out->covariates[k].upper = at + t * se;
        out->covariates[k].p = 2.0 * iv_t_sf(fabs(at) / se, (double)m->clusters - 1.0);
    }
}

int iv_preference_fit(iv_preferences *out, const iv_vote *votes, size_t count,
                      const iv_preference_model *of, iv_arena *own, iv_err *err)
{
    model m = { .of = of, .votes = votes, .count = count };
    const bool positioned = of->positioned;

    if (of->systems < 2 || of->systems > IV_PREFERENCE_MOST)
        return iv_fail(err, IV_EARG, "%zu systems, expected 2 to %d", of->systems,
                       IV_PREFERENCE_MOST);
    *out = (iv_preferences){ .tie = NAN, .position = NAN, .position_se = NAN, .position_p = NAN,
                             .position_lower = NAN, .position_upper = NAN };
    IV_TRY(group_votes(&m, of->items, of->judges, own, err));
    IV_TRY(set_up(&m, out, of->systems, own, err));
    IV_TRY(fill_cells(&m, own, err));
    IV_TRY(check_existence(out, &m, own, err));
    out->clusters = m.clusters;
    const bool placeless = out->gap == IV_PREFERENCE_POSITION;
    if (placeless && !positioned)
        out->gap = IV_PREFERENCE_EXISTS;
    if (out->gap == IV_PREFERENCE_EXISTS && m.clusters < 2)
        out->gap = IV_PREFERENCE_ONE_ITEM;
    if (out->gap != IV_PREFERENCE_EXISTS)
        return IV_OK;
    const double t = iv_t_isf((1.0 - of->confidence) / 2.0, (double)m.clusters - 1.0);
    const bool placed = !placeless && fit(&m);
    if (placed)
        take_position(out, &m, t);
    m.n -= !positioned; /* without the position, which is the last parameter */
    if (positioned ? !placed : !fit(&m)) {
        out->gap = IV_PREFERENCE_ENDLESS;
        return of->covariate_count > 0 || of->weight != NULL ? IV_OK
            : iv_fail(err, IV_ENUM, "the strengths%s do not converge",
                      positioned ? " with an effect of the position" : "");
    }
    out->tie = m.tie < m.n ? m.at[m.tie] : (double)NAN;
    take_values(out, &m, t);
    return rank(out, &m, of->confidence, own, err);
}

static double rate_of(double difference) { return 1.0 / (1.0 + exp(-difference)); }

iv_evidence iv_preference_evidence(const iv_preferences *f, size_t system, size_t other,
                                   double rate, double level)
{
    const double df = (double)f->clusters - 1.0;

    for (size_t i = 0; f->pairs != NULL && i < f->pair_count; i++) {
        const iv_preference_pair *p = &f->pairs[i];
        const bool ahead = p->a == system && p->b == other;
        if (!ahead && (p->a != other || p->b != system))
            continue;
        const double d = ahead ? p->difference : -p->difference;
        const double t = (d - log(rate / (1.0 - rate))) / p->se;
        const double reach = iv_t_isf(level, df) * p->se;
        return (iv_evidence){ rate_of(d), iv_t_sf(t, df), iv_t_sf(-t, df), rate_of(d - reach),
                              rate_of(d + reach) };
    }
    return (iv_evidence){ NAN, NAN, NAN, NAN, NAN };
}
