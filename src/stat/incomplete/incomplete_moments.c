/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mean and variance of a difference in average precision.
 *
 * Write X_i = p_i + Z_i.  Then Q = E Q + sum L_i Z_i + sum_{i<j} c_ij Z_i Z_j
 * with uncorrelated terms, so that with v_i = p_i (1 - p_i)
 *
 *     Var Q = sum v_i L_i^2 + sum_{i<j} c_ij^2 v_i v_j,   Cov(Q, S) = sum v_i L_i,
 *     L_i = c_ii + sum_{j != i} c_ij p_j,   E Q = sum p_i (c_ii + L_i) / 2.
 *
 * The exact form uses 1/S = int_0^1 t^(S-1) dt and 1/S^2 = int -log t t^(S-1)
 * dt: E[Q t^S] = G(t) E_w[Q], where G(t) = prod (1 - p_i + p_i t) and E_w takes
 * the documents to be relevant with w_i = p_i t / (1 - p_i + p_i t).  With
 * t = exp(-u), E[Q/S] = int_0^inf G E_w[Q] du and E[Q^2/S^2] = int u G E_w[Q^2].
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checking.h"
#include "base/memory.h"
#include "base/names.h"
#include "intervale/stat/incomplete.h"
#include "stat/incomplete/incomplete_parts.h"
#include "num/num_private.h"

/* --------------------------------------------------------------- moments -- */

typedef struct pool {
    size_t m;
    const double *p;
    iv_rank_order a, b;
    double *w, *v, *la, *lb, *scratch;
    iv_arena own;
} pool;

static int pool_make(pool *x, const uint32_t *rank_a, const uint32_t *rank_b,
                     const double *p, size_t m, iv_err *err)
{
    *x = (pool){ .m = m, .p = p };
    IV_TRY(iv_relevance_check(p, m, err));
    IV_TRY(iv_rank_order_make(&x->a, &x->own, rank_a, m, err));
    IV_TRY(iv_rank_order_make(&x->b, &x->own, rank_b, m, err));
    x->w = iv_take(&x->own, m, sizeof *x->w);
    x->v = iv_take(&x->own, m, sizeof *x->v);
    x->la = iv_take(&x->own, m, sizeof *x->la);
    x->lb = iv_take(&x->own, m, sizeof *x->lb);
    x->scratch = iv_take(&x->own, 4 * m, sizeof *x->scratch);
    return iv_taken(&x->own, err);
}

/* E Q and the sums of first order, with relevance w. */
static iv_ratio_sums first_sums(pool *x, const double *w)
{
    iv_ratio_sums r = { 0.0, 0.0, 0.0, 0.0, 0.0 };

    iv_linear_sums(x->la, &x->a, w, x->m);
    iv_linear_sums(x->lb, &x->b, w, x->m);
    for (size_t i = 0; i < x->m; i++) {
        const double own = x->a.inverse[i] - x->b.inverse[i], l = x->la[i] - x->lb[i];
        const double v = w[i] * (1.0 - w[i]);
        x->v[i] = v;
        r.q += 0.5 * w[i] * (own + l);
        r.var_q += v * l * l;
        r.covariance += v * l;
        r.s += w[i];
        r.var_s += v;
    }
    return r;
}

static iv_ratio_sums all_sums(pool *x, const double *w)
{
    iv_ratio_sums r = first_sums(x, w);

    r.var_q += iv_pair_squares(&x->a, &x->b, x->v, x->m, x->scratch);
    return r;
}

/* log G(exp(-u)), and w in x->w. */
static double tilt(pool *x, double u)
{
    const double less = expm1(-u); /* t - 1 */
    double log_g = 0.0;

    for (size_t i = 0; i < x->m; i++) {
        const double p = x->p[i];
        x->w[i] = p == 1.0 ? 1.0 : p * (1.0 + less) / (1.0 + p * less);
        log_g += p == 1.0 ? -u : log1p(p * less);
    }
    return log_g;
}

/*
 * From here on nothing is left to integrate: |dAP| <= 1, so that the rest of
 * either integral is below (u + 1) P(t^S, S > 0) = (u + 1)(G(t) - G(0)).
 */
static double far_enough(pool *x, double scale)
{
    double none = 0.0, u;

    for (size_t i = 0; i < x->m; i++)
        none += log1p(-x->p[i]); /* -inf if a document is surely relevant */
    for (u = 8.0 * scale; u < 1e4; u *= 1.25) {
        const double log_g = tilt(x, u);
        const double rest = isinf(none) ? exp(log_g) : exp(none) * expm1(log_g - none);
        if ((u + 1.0) * rest < 1e-19)
            break;
    }
    return u;
}

/*
 * Both integrals, without du = u' dy, at u = scale exp(y - exp(-y)): in y the
 * integrands fall off double exponentially at both ends, and plain sums over
 * equal steps converge faster than any power of the step (Takahasi and Mori
 * 1974).
 */
static void add_point(double sums[2], pool *x, double scale, double y)
{
    const double u = scale * exp(y - exp(-y));
    const double weight = exp(tilt(x, u)) * u * (1.0 + exp(-y));

    if (weight > 0.0) {
        const iv_ratio_sums r = all_sums(x, x->w);
        sums[0] += weight * r.q;
        sums[1] += weight * u * (r.var_q + r.q * r.q);
    }
}

static int integrate(double out[2], pool *x, double scale, double end, iv_err *err)
{
    const double from = -3.75, to = ceil(log(end / scale)) + 1.0;
    double step = 0.5, sums[2] = { 0.0, 0.0 };

    for (double y = from; y <= to; y += step)
        add_point(sums, x, scale, y);
    for (int round = 0; round < 10; round++) {
        const double before[2] = { sums[0] * step, sums[1] * step };
        for (double y = from + 0.5 * step; y <= to; y += step)
            add_point(sums, x, scale, y);
        step *= 0.5;
        if (fabs(sums[0] * step - before[0]) < 1e-13
            && fabs(sums[1] * step - before[1]) < 1e-13) {
            out[0] = sums[0] * step;
            out[1] = sums[1] * step;
            return IV_OK;
        }
    }
    return iv_fail(err, IV_ENUM, "the moments of a difference did not converge");
}

static int exact_moments(iv_moments *out, pool *x, iv_err *err)
{
    double sums[2] = { 0.0, 0.0 }, expected = 0.0;
    bool open = false;

    for (size_t i = 0; i < x->m; i++) {
        open = open || (x->p[i] > 0.0 && x->p[i] < 1.0);
        expected += x->p[i];
    }
    if (!open) { /* everything is known */
        const iv_ratio_sums r = first_sums(x, x->p);
        *out = iv_ratio_moments(&r, IV_MOMENTS_PLAIN);
        return IV_OK;
    }
    const double scale = 1.0 / fmax(expected, 1.0);
    const int rc = integrate(sums, x, scale, far_enough(x, scale), err);
    if (rc == IV_OK)
        *out = (iv_moments){ sums[0], fmax(sums[1] - sums[0] * sums[0], 0.0) };
    return rc;
}

int iv_ap_difference(iv_moments *out, const uint32_t *rank_a, const uint32_t *rank_b,
                     const double *relevance, size_t m, iv_moments_form form, iv_err *err)
{
    IV_TRY(iv_check_list(rank_a, m, "rank", err));
    IV_TRY(iv_check_list(rank_b, m, "rank", err));
    IV_TRY(iv_check_list(relevance, m, "relevance", err));
    IV_TRY(iv_check_choice(form, iv_moments_form_names(), "the form of moments", err));
    pool x;
    int rc = pool_make(&x, rank_a, rank_b, relevance, m, err);

    if (rc == IV_OK && form == IV_MOMENTS_EXACT) {
        rc = exact_moments(out, &x, err);
    } else if (rc == IV_OK) {
        const iv_ratio_sums r = all_sums(&x, relevance);
        *out = iv_ratio_moments(&r, form);
    }
    iv_arena_free(&x.own);
    return rc;
}

IV_NAMES(iv_moments_form_names, "delta", "plain", "exact")

/* Two values that are equal in truth differ by rounding. */
static const double same_mean = 1e-13, no_variance = 1e-28;

/* Mean over standard deviation; infinite when there is no doubt. */
static double signal(iv_moments d)
{
    if (d.variance > no_variance)
        return d.mean / sqrt(d.variance);
    return fabs(d.mean) <= same_mean ? 0.0 : copysign((double)INFINITY, d.mean);
}

double iv_probability_less(iv_moments d)
{
    return iv_norm_cdf(-signal(d));
}

double iv_sign_confidence(iv_moments d)
{
    return iv_norm_cdf(fabs(signal(d)));
}

/* ------------------------------------------------------- sums over pairs -- */

/* Twice a rank, of which there is none in a run. */
static int same_rank(uint32_t rank, iv_err *err)
{
    return iv_fail(err, IV_EARG, "two documents at rank %u", rank);
}

static int by_rank(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

    return (a > b) - (a < b);
}

/* Ranks with gaps: sorted with their documents in one word. */
static int order_sparse(size_t *placed, iv_rank_order *r, const uint32_t *rank, size_t m,
                        iv_err *err)
{
    uint64_t *list = malloc((m + 1) * sizeof *list);
    size_t n = 0;
    int rc = list == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    for (size_t i = 0; i < m && rc == IV_OK; i++)
        if (rank[i] != 0)
            list[n++] = (uint64_t)rank[i] << 32 | i;
    if (rc == IV_OK)
        qsort(list, n, sizeof *list, by_rank);
    for (size_t k = 0; k < n && rc == IV_OK; k++) {
        r->order[k] = (uint32_t)list[k];
        if (k > 0 && list[k] >> 32 == list[k - 1] >> 32)
            rc = same_rank((uint32_t)(list[k] >> 32), err);
    }
    free(list);
    *placed = n;
    return rc;
}

/* Ranks 1 to `deepest`, at most as many as documents: each document has its place. */
static int order_dense(size_t *placed, iv_rank_order *r, const uint32_t *rank, size_t m,
                       uint32_t deepest, iv_err *err)
{
    size_t n = 0;

    memset(r->order, 0xff, deepest * sizeof *r->order);
    for (size_t i = 0; i < m; i++) {
        if (rank[i] == 0)
            continue;
        if (r->order[rank[i] - 1] != UINT32_MAX)
            return same_rank(rank[i], err);
        r->order[rank[i] - 1] = (uint32_t)i;
    }
    for (uint32_t k = 0; k < deepest; k++)
        if (r->order[k] != UINT32_MAX)
            r->order[n++] = r->order[k];
    *placed = n;
    return IV_OK;
}

/* Documents that are not returned come last, in the order of their numbers. */
int iv_rank_order_make(iv_rank_order *r, iv_arena *own, const uint32_t *rank, size_t m,
                       iv_err *err)
{
    uint32_t deepest = 0;
    size_t n = 0;

    if (r->inverse == NULL)
        r->inverse = iv_take(own, m, sizeof *r->inverse);
    r->order = iv_take(own, m, sizeof *r->order);
    r->place = iv_take(own, m, sizeof *r->place);
    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < m; i++) {
        r->inverse[i] = rank[i] == 0 ? 0.0 : 1.0 / rank[i];
        deepest = rank[i] > deepest ? rank[i] : deepest;
    }
    IV_TRY(deepest <= m ? order_dense(&n, r, rank, m, deepest, err)
                        : order_sparse(&n, r, rank, m, err));
    for (size_t i = 0; i < m; i++)
        if (rank[i] == 0)
            r->order[n++] = (uint32_t)i;
    for (size_t k = 0; k < m; k++)
        r->place[r->order[k]] = (uint32_t)k;
    return IV_OK;
}

int iv_relevance_check(const double *relevance, size_t m, iv_err *err)
{
    if (m >= UINT32_MAX)
        return iv_fail(err, IV_EARG, "%zu documents are too many", m);
    for (size_t i = 0; i < m; i++) {
        if (!(relevance[i] >= 0.0 && relevance[i] <= 1.0))
            return iv_fail(err, IV_EARG, "relevance of document %zu is %g, expected a "
                           "probability", i, relevance[i]);
    }
    return IV_OK;
}

void iv_linear_sums(double *sums, const iv_rank_order *r, const double *p, size_t m)
{
    double above = 0.0, below = 0.0;

    for (size_t k = 0; k < m; k++) {
        const size_t i = r->order[k];
        sums[i] = r->inverse[i] * (1.0 + above);
        above += p[i];
    }
    for (size_t k = m; k-- > 0;) {
        const size_t i = r->order[k];
        sums[i] += below;
        below += p[i] * r->inverse[i];
    }
}

void iv_fenwick_clear(iv_fenwick *f)
{
    for (size_t i = 0; i < f->m * f->width; i++)
        f->tree[i] = 0.0;
}

void iv_fenwick_add(iv_fenwick *f, size_t place, const double *value)
{
    for (size_t i = place + 1; i <= f->m; i += i & (~i + 1)) {
        for (size_t k = 0; k < f->width; k++)
            f->tree[(i - 1) * f->width + k] += value[k];
    }
}

void iv_fenwick_sum(double *sum, const iv_fenwick *f, size_t places)
{
    for (size_t k = 0; k < f->width; k++)
        sum[k] = 0.0;
    for (size_t i = places; i > 0; i &= i - 1) {
        for (size_t k = 0; k < f->width; k++)
            sum[k] += f->tree[(i - 1) * f->width + k];
    }
}

double iv_pair_squares(const iv_rank_order *a, const iv_rank_order *b, const double *v, size_t m,
                       double *scratch)
{
    iv_fenwick before = { scratch, m, 1 };     /* v by place in b */
    iv_fenwick behind = { scratch + m, m, 3 }; /* v / rank_b^k, from the end */
    double sum = 0.0;

    iv_fenwick_clear(&before);
    iv_fenwick_clear(&behind);
    for (size_t k = 0; k < m; k++) {
        const size_t j = a->order[k], place = b->place[j];
        const double ia = a->inverse[j], ib = b->inverse[j];
        double same[1], other[3];
        if (v[j] == 0.0 || (ia == 0.0 && ib == 0.0)) /* in neither: c_ij is 0 */
            continue;
        iv_fenwick_sum(same, &before, place);
        iv_fenwick_sum(other, &behind, m - 1 - place);
        sum += v[j] * ((ia - ib) * (ia - ib) * same[0]
                       + (ia * ia * other[0] - 2.0 * ia * other[1] + other[2]));
        iv_fenwick_add(&before, place, &v[j]);
        iv_fenwick_add(&behind, m - 1 - place,
                       (const double[]){ v[j], v[j] * ib, v[j] * ib * ib });
    }
    return fmax(sum, 0.0);
}

iv_moments iv_ratio_moments(const iv_ratio_sums *x, iv_moments_form form)
{
    iv_moments out = { 0.0, 0.0 };

    if (!(x->s > 0.0))
        return out; /* nothing can be relevant */
    const double rho = x->q / x->s, square = x->s * x->s;
    out.mean = rho;
    out.variance = x->var_q / square;
    if (form != IV_MOMENTS_PLAIN) {
        out.mean += (rho * x->var_s - x->covariance) / square;
        out.variance = (x->var_q - 2.0 * rho * x->covariance + rho * rho * x->var_s) / square;
    }
    out.variance = fmax(out.variance, 0.0);
    return out;
}

/* ----------------------------------------------------- relevance by rank -- */

static const double slope_sd = 2.0;

typedef struct curve {
    const double *rank;
    const bool *relevant;
    size_t n;
    double centre; /* mean log rank */
} curve;

static double log1p_exp(double x)
{
    return x > 0.0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

/* Objective at (a, b), with b the slope in the centred log rank. */
static double objective(const curve *c, double a, double b)
{
    double sum = 0.5 * a - log1p_exp(a) - 0.5 * b * b / (slope_sd * slope_sd);

    for (size_t i = 0; i < c->n; i++) {
        const double eta = a + b * (log(c->rank[i]) - c->centre);
        sum += (c->relevant[i] ? eta : 0.0) - log1p_exp(eta);
    }
    return sum;
}

/* Newton's step from (a, b). */
static void newton_step(double step[2], const curve *c, double a, double b)
{
    const double p0 = 1.0 / (1.0 + exp(-a));
    double ga = 0.5 - p0, gb = -b / (slope_sd * slope_sd);
    double haa = p0 * (1.0 - p0), hab = 0.0, hbb = 1.0 / (slope_sd * slope_sd);

    for (size_t i = 0; i < c->n; i++) {
        const double x = log(c->rank[i]) - c->centre, p = 1.0 / (1.0 + exp(-a - b * x));
        const double residual = (c->relevant[i] ? 1.0 : 0.0) - p, w = p * (1.0 - p);
        ga += residual;
        gb += residual * x;
        haa += w;
        hab += w * x;
        hbb += w * x * x;
    }
    const double determinant = haa * hbb - hab * hab;
    step[0] = (hbb * ga - hab * gb) / determinant;
    step[1] = (haa * gb - hab * ga) / determinant;
}

int iv_rank_relevance_fit(iv_rank_relevance *out, const double *rank, const bool *relevant,
                          size_t n, iv_err *err)
{
    IV_TRY(iv_check_list(rank, n, "rank", err));
    IV_TRY(iv_check_list(relevant, n, "judgment", err));
    curve c = { rank, relevant, n, 0.0 };
    double a = 0.0, b = 0.0;
    size_t found = 0;

    if (n == 0)
        return iv_fail(err, IV_ENODATA, "no judged document to estimate relevance from");
    for (size_t i = 0; i < n; i++) {
        if (!(rank[i] >= 1.0 && isfinite(rank[i])))
            return iv_fail(err, IV_EARG, "rank %g, expected at least 1", rank[i]);
        c.centre += log(rank[i]) / (double)n;
        found += relevant[i];
    }
    double now = objective(&c, a, b);
    for (int round = 0; round < 100; round++) {
        double step[2], next = 0.0, share = 1.0;
        newton_step(step, &c, a, b);
        for (int k = 0; k < 40; k++, share *= 0.5) { /* never downhill */
            next = objective(&c, a + share * step[0], b + share * step[1]);
            if (next >= now)
                break;
        }
        if (next < now)
            break; /* as good as rounding allows */
        a += share * step[0];
        b += share * step[1];
        now = next;
        if (fabs(step[0]) + fabs(step[1]) < 1e-12)
            break;
    }
    *out = (iv_rank_relevance){ a - b * c.centre, b, n, found };
    return IV_OK;
}

double iv_rank_relevance_at(const iv_rank_relevance *f, double rank)
{
    const double p = 1.0 / (1.0 + exp(-f->intercept - f->slope * log(rank)));

    return fmin(fmax(p, 1e-12), 1.0 - 1e-12);
}
