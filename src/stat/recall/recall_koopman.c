/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Koopman's chi-square interval on the ratio of two binomial proportions.
 *
 * For a ratio theta the restricted maximum likelihood estimates of px and
 * py = px / theta are roots of a quadratic; written without the subtraction
 * that makes the printed form 0/0 at x = m.  The limits are where the
 * chi-square statistic at those estimates equals its quantile.
 *
 * Ref: Koopman (1984), Biometrics 40, 513-517, section 2.2.
 */
#include <float.h>
#include <math.h>

#include "stat/recall/recall_yield.h"

typedef struct restricted {
    double p, q; /* estimate and 1 - estimate, each to full precision */
} restricted;

/* The estimate of px when px = theta py, from x of m and y of n. */
static restricted estimate(double x, double m, double y, double n, double theta)
{
    const double a = m + n, b = theta * (m + y) + x + n, c = theta * (x + y);
    const double d = theta * (m + y) - (x + n);
    const double s = sqrt(d * d + 4.0 * theta * (m - x) * (n - y));
    const double t = 2.0 * a - b;
    restricted e;

    e.p = 2.0 * c / (b + s);
    /* 1 - p, by whichever of the two forms adds numbers of one sign. */
    e.q = t > 0.0 ? (t + s) / (2.0 * a) : 2.0 * (m - x) * (1.0 - theta) / (t - s);
    return e;
}

double iv_koopman_statistic(int64_t x, int64_t m, int64_t y, int64_t n, double theta)
{
    if (x < 0 || y < 0 || m < 1 || n < 1 || x > m || y > n
        || !(theta > 0.0 && theta <= DBL_MAX))
        return NAN;
    const double dx = (double)x, dm = (double)m, dy = (double)y, dn = (double)n;
    if (x == 0 && y == 0)
        return 0.0;
    const restricted ex = estimate(dx, dm, dy, dn, theta);
    const restricted ey = estimate(dy, dn, dx, dm, 1.0 / theta);
    if (x == m && y == n && theta == 1.0)
        return 0.0; /* both shares are 1: the estimates are exact */
    const double D = ex.q > ey.q ? (dx - dm * ex.p) / ex.q : -(dy - dn * ey.p) / ey.q;
    return D * D * (ex.q / (dm * ex.p) + ey.q / (dn * ey.p));
}

typedef struct search {
    int64_t x, m, y, n;
    double wanted;
} search;

static double excess(double log_theta, void *user)
{
    const search *s = user;

    return iv_koopman_statistic(s->x, s->m, s->y, s->n, exp(log_theta)) - s->wanted;
}

/* The limit on one side of the estimate, where the statistic is 0 or least. */
static int find_limit(double *theta, search *s, double from, double direction, iv_err *err)
{
    double near = from, step = 0.5;

    for (int i = 0; i < 60; i++) {
        const double far = near + direction * step;
        if (fabs(far) > 700.0)
            break;
        if (excess(far, s) >= 0.0) {
            double root;
            const int rc = iv_find_root(&root, excess, s, direction > 0 ? near : far,
                                        direction > 0 ? far : near, err);
            if (rc == IV_OK)
                *theta = exp(root);
            return rc;
        }
        near = far;
        step *= 1.5;
    }
    *theta = direction > 0.0 ? INFINITY : 0.0;
    return IV_OK;
}

int iv_koopman_ratio(iv_recall_interval *out, int64_t x, int64_t m, int64_t y, int64_t n,
                     double confidence, iv_err *err)
{
    double lower = 0.0, upper = INFINITY;
    int rc = IV_OK;

    if (x < 0 || y < 0 || m < 1 || n < 1 || x > m || y > n)
        return iv_fail(err, IV_EARG, "counts %lld of %lld and %lld of %lld", (long long)x,
                       (long long)m, (long long)y, (long long)n);
    if (!(confidence > 0.0 && confidence < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected 0 < confidence < 1",
                       confidence);
    search s = { x, m, y, n, iv_chisq_isf(1.0 - confidence, 1.0) };
    /* Without an x the statistic falls to 0 as theta falls to 0. */
    const double px = x > 0 ? (double)x / (double)m : 0.5 / (double)m;
    const double py = y > 0 ? (double)y / (double)n : 0.5 / (double)n;
    double from = log(px) - log(py);
    for (int i = 0; i < 200 && excess(from, &s) >= 0.0 && (x == 0) != (y == 0); i++)
        from += x == 0 ? -1.0 : 1.0;
    if (x > 0)
        rc = find_limit(&lower, &s, from, -1.0, err);
    if (rc == IV_OK && y > 0)
        rc = find_limit(&upper, &s, from, 1.0, err);
    if (rc < 0)
        return rc;
    *out = (iv_recall_interval){ lower, upper };
    return IV_OK;
}

int iv_recall_by_koopman(iv_recall_interval *out, const iv_segments *s,
                         const iv_recall_options *o, iv_err *err)
{
    if (s->retrieved_count != 1 || s->unretrieved_count != 1)
        return iv_fail(err, IV_EARG, "koopman has no stratified form: it needs one simple "
                       "sample of each segment, and there are %zu and %zu strata",
                       s->retrieved_count, s->unretrieved_count);
    const iv_stratum *one = s->retrieved, *zero = s->unretrieved;
    const double odds = (double)zero->size / (double)one->size;
    const double level = o->one_sided ? 2.0 * o->confidence - 1.0 : o->confidence;
    iv_recall_interval theta;

    if (one->sampled == 0 || zero->sampled == 0)
        return iv_fail(err, IV_ENODATA, "koopman needs a sample of each segment");
    if (!(level > 0.0))
        return iv_fail(err, IV_EARG, "a one-sided koopman limit needs a confidence above 0.5");
    const int rc = iv_koopman_ratio(&theta, zero->relevant, zero->sampled, one->relevant,
                                    one->sampled, level, err);
    if (rc < 0)
        return rc;
    /* Recall falls as the ratio rises: the ends change places. */
    out->lower = one->relevant == 0 ? 0.0 : 1.0 / (1.0 + theta.upper * odds);
    out->upper = zero->relevant == 0 ? 1.0 : 1.0 / (1.0 + theta.lower * odds);
    return IV_OK;
}
