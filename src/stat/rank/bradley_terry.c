/* SPDX-License-Identifier: Apache-2.0 */
#include "stat/stat_private.h"

/* Votes by ordered pair, and the model: strengths, then log nu, then the position. */
typedef struct model {
    size_t systems, n;
    size_t tie, position; /* places of these parameters; SIZE_MAX: not in the model */
    uint32_t (*counts)[3]; /* [a * systems + b] by winner */
    double *at;            /* parameters */
    double *gradient, *step, *matrix;
    const iv_vote *votes;
    size_t count, clusters;
    const size_t *order; /* votes by item */
    double *meat, *sum;  /* the sandwich; a cluster's scores, NaN where it has none */
    size_t *seen;
} model;

static const double tolerance = 1e-10; /* of parameters: what is closer is equal */

/* Of a winner: what of it is a's strength, the tie's, the position's. */
static const double features[3][3] = { { 1, 0, 0 }, { 0, 0, -1 }, { 0.5, 1, 0 } };

/* Probabilities of the winners. */
static void predict(double p[3], const model *m, const double *at, size_t a, size_t b)
{
    const double u[3] = { at[a], at[b] - (m->position < m->n ? at[m->position] : 0.0),
                          m->tie < m->n ? (at[a] + at[b]) / 2.0 + at[m->tie] : -INFINITY };
    const double most = fmax(u[0], fmax(u[1], u[2]));
    double sum = 0.0;

    for (size_t y = 0; y < 3; y++)
        sum += p[y] = exp(u[y] - most);
    for (size_t y = 0; y < 3; y++)
        p[y] /= sum;
}

static double likelihood(const model *m, const double *at)
{
    const size_t K = m->systems;
    double sum = 0.0, p[3];

    for (size_t k = 0; k < K * K; k++) {
        const uint32_t *c = m->counts[k];
        if (c[0] + c[1] + c[2] == 0)
            continue;
        predict(p, m, at, k / K, k % K);
        for (size_t y = 0; y < 3; y++)
            if (c[y] > 0)
                sum += c[y] * log(p[y]);
    }
    return sum;
}

/* The score of one vote: f[0] is a's, -f[0] b's; f[1] the tie's, f[2] the position's. */
static void score(double f[3], const double p[3], size_t winner)
{
    for (size_t j = 0; j < 3; j++) {
        f[j] = features[winner][j];
        for (size_t y = 0; y < 3; y++)
            f[j] -= p[y] * features[y][j];
    }
}

/* Adds w s s' for s = (f[0] at a, -f[0] at b, f[1], f[2]) to the lower half of a matrix. */
static void add_square(double *to, const model *m, size_t a, size_t b, const double f[3], double w)
{
    const size_t at[4] = { a, b, m->tie, m->position };
    const double s[4] = { f[0], -f[0], f[1], f[2] };

    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++)
            if (at[i] < m->n && at[j] <= at[i])
                to[at[i] * m->n + at[j]] += w * s[i] * s[j];
}

/* Gradient, and information with 1 / systems added to strengths, whose mean is then 0. */
static void derive(model *m)
{
    const size_t K = m->systems, n = m->n;
    double p[3], f[3];

    memset(m->gradient, 0, n * sizeof *m->gradient);
    memset(m->matrix, 0, n * n * sizeof *m->matrix);
    for (size_t k = 0; k < K * K; k++) {
        const uint32_t *c = m->counts[k];
        const double votes = (double)c[0] + c[1] + c[2];
        if (votes == 0.0)
            continue;
        predict(p, m, m->at, k / K, k % K);
        for (size_t y = 0; y < 3; y++) {
            score(f, p, y);
            m->gradient[k / K] += c[y] * f[0];
            m->gradient[k % K] -= c[y] * f[0];
            for (size_t j = 1; j < 3; j++)
                if ((j == 1 ? m->tie : m->position) < n)
                    m->gradient[j == 1 ? m->tie : m->position] += c[y] * f[j];
            add_square(m->matrix, m, k / K, k % K, f, votes * p[y]);
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

/* The lower half of the sum of squared scores of clusters, times clusters / (clusters - 1). */
static void square_scores(model *m)
{
    const size_t n = m->n, *order = m->order;
    const bool grouped = m->clusters < m->count;
    const iv_vote *votes = m->votes;
    double p[3], f[3], *meat = m->meat, *sum = m->sum;
    size_t *seen = m->seen;

    memset(meat, 0, n * n * sizeof *meat);
    for (size_t from = 0, to = 0; from < m->count; from = to) {
        size_t touched = 0;
        for (; to < m->count && (to == from || (grouped && votes[order[to]].item
                                                == votes[order[from]].item)); to++) {
            const iv_vote *v = &votes[order[to]];
            predict(p, m, m->at, v->a, v->b);
            score(f, p, v->winner);
            const size_t at[4] = { v->a, v->b, m->tie, m->position };
            const double s[4] = { f[0], -f[0], f[1], f[2] };
            for (size_t i = 0; i < 4; i++) {
                if (at[i] < n && isnan(sum[at[i]])) {
                    seen[touched++] = at[i];
                    sum[at[i]] = 0.0;
                }
                if (at[i] < n)
                    sum[at[i]] += s[i];
            }
        }
        for (size_t i = 0; i < touched; i++)
            for (size_t j = 0; j < touched; j++)
                if (seen[j] <= seen[i])
                    meat[seen[i] * n + seen[j]] += sum[seen[i]] * sum[seen[j]];
        for (size_t i = 0; i < touched; i++)
            sum[seen[i]] = (double)NAN;
    }
    for (size_t i = 0; i < n * n; i++)
        meat[i] *= (double)m->clusters / ((double)m->clusters - 1.0);
}

/* B of the squared scores becomes information^-1 B information^-1. */
static void sandwich(model *m)
{
    const size_t n = m->n;
    double *b = m->meat;

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

/* Simultaneous ranks: a rank is excluded by systems significantly better or worse. */
static int rank(iv_preferences *out, const model *m, double confidence, iv_arena *own, iv_err *err)
{
    const size_t n = m->n, K = m->systems, pairs = K * (K - 1) / 2;
    const double *cov = m->meat, df = (double)m->clusters - 1.0;
    double *p = iv_take(own, pairs + 1, sizeof *p);
    size_t k = 0;

    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < K; i++)
        for (size_t j = 0; j < i; j++) {
            const double se = spread(cov[i * n + i] + cov[j * n + j] - 2.0 * cov[i * n + j]);
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
    return IV_OK;
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

    m->systems = systems;
    m->counts = iv_take(own, systems * systems, sizeof *m->counts);
    out->systems = iv_take(own, systems, sizeof *out->systems);
    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < m->count; i++) {
        const iv_vote *v = &votes[i];
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
    m->position = systems + ties;
    m->n = systems + ties + 1;
    const size_t n = m->n;
    m->at = iv_take(own, n, sizeof(double));
    m->gradient = iv_take(own, n, sizeof(double));
    m->step = iv_take(own, 2 * n, sizeof(double));
    m->matrix = iv_take(own, n * n, sizeof(double));
    m->meat = iv_take(own, n * n, sizeof(double));
    m->sum = iv_take(own, n, sizeof(double));
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

/* Votes in the order of their items, and how many items have any. */
static int by_item(model *m, size_t items, iv_arena *own, iv_err *err)
{
    size_t *start = iv_take(own, items + 1, sizeof *start);
    size_t *order = iv_take(own, m->count, sizeof *order);

    m->clusters = items > 0 ? 0 : m->count;
    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; items > 0 && i < m->count; i++)
        start[m->votes[i].item + 1]++;
    for (size_t t = 0; t < items; t++) {
        m->clusters += start[t + 1] > 0;
        start[t + 1] += start[t];
    }
    for (size_t i = 0; i < m->count; i++)
        order[items > 0 ? start[m->votes[i].item]++ : i] = i;
    m->order = order;
    return IV_OK;
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
    square_scores(m);
    sandwich(m);
    return true;
}

static void take_position(iv_preferences *out, const model *m, double t)
{
    const double se = spread(m->meat[m->position * m->n + m->position]), at = m->at[m->position];

    out->position = at;
    out->position_se = se;
    out->position_lower = at - t * se;
    out->position_upper = at + t * se;
    out->position_p = 2.0 * iv_t_sf(fabs(at) / se, (double)m->clusters - 1.0);
}

int iv_preference_fit(iv_preferences *out, const iv_vote *votes, size_t count, size_t systems,
                      size_t items, bool positioned, double confidence, iv_arena *own, iv_err *err)
{
    model m = { .votes = votes, .count = count };

    if (systems < 2 || systems > IV_PREFERENCE_MOST)
        return iv_fail(err, IV_EARG, "%zu systems, expected 2 to %d", systems, IV_PREFERENCE_MOST);
    *out = (iv_preferences){ .tie = NAN, .position = NAN, .position_se = NAN, .position_p = NAN,
                             .position_lower = NAN, .position_upper = NAN };
    IV_TRY(set_up(&m, out, systems, own, err));
    IV_TRY(by_item(&m, items, own, err));
    IV_TRY(check_existence(out, &m, own, err));
    out->clusters = m.clusters;
    const bool placeless = out->gap == IV_PREFERENCE_POSITION;
    if (placeless && !positioned)
        out->gap = IV_PREFERENCE_EXISTS;
    if (out->gap == IV_PREFERENCE_EXISTS && m.clusters < 2)
        out->gap = IV_PREFERENCE_ONE_ITEM;
    if (out->gap != IV_PREFERENCE_EXISTS)
        return IV_OK;
    const double t = iv_t_isf((1.0 - confidence) / 2.0, (double)m.clusters - 1.0);
    const bool placed = !placeless && fit(&m);
    if (placed)
        take_position(out, &m, t);
    m.n -= !positioned; /* without the position, which is the last parameter */
    if (positioned ? !placed : !fit(&m))
        return iv_fail(err, IV_ENUM, "the strengths%s do not converge",
                       positioned ? " with an effect of the position" : "");
    out->tie = m.tie < m.n ? m.at[m.tie] : (double)NAN;
    for (size_t i = 0; i < systems; i++) {
        iv_strength *s = &out->systems[i];
        s->value = round(m.at[i] / tolerance) * tolerance;
        s->se = spread(m.meat[i * m.n + i]);
        s->lower = s->value - t * s->se;
        s->upper = s->value + t * s->se;
    }
    return rank(out, &m, confidence, own, err);
}
