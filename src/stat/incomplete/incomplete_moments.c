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

#include "base/checking.h"
#include "base/names.h"
#include "intervale/num.h"
#include "stat/incomplete/incomplete_parts.h"

typedef struct pool {
    size_t m;
    const double *p;
    iv_rank_order a, b;
    double *w, *v, *la, *lb, *scratch;
    double *reals;
    uint32_t *integers;
} pool;

static void pool_free(pool *x)
{
    free(x->reals);
    free(x->integers);
}

static int pool_make(pool *x, const uint32_t *rank_a, const uint32_t *rank_b,
                     const double *p, size_t m, iv_err *err)
{
    int rc = iv_relevance_check(p, m, err);

    *x = (pool){ .m = m, .p = p };
    if (rc != IV_OK)
        return rc;
    x->reals = malloc((10 * m + 1) * sizeof *x->reals);
    x->integers = malloc((4 * m + 1) * sizeof *x->integers);
    if (x->reals == NULL || x->integers == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    x->a = (iv_rank_order){ x->reals, x->integers, x->integers + m };
    x->b = (iv_rank_order){ x->reals + m, x->integers + 2 * m, x->integers + 3 * m };
    x->w = x->reals + 2 * m;
    x->v = x->reals + 3 * m;
    x->la = x->reals + 4 * m;
    x->lb = x->reals + 5 * m;
    x->scratch = x->reals + 6 * m;
    rc = iv_rank_order_fill(&x->a, rank_a, m, err);
    if (rc == IV_OK)
        rc = iv_rank_order_fill(&x->b, rank_b, m, err);
    return rc;
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
    pool_free(&x);
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
