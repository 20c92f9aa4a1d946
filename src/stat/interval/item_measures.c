/* SPDX-License-Identifier: Apache-2.0 */
/* pass@k, pass^k, Fieller's limits of a ratio, and order statistics of a percentile. */
#include "num/dist.h"
#include "stat/interval/item_measures.h"

#include <math.h>
#include <stdint.h>

double iv_pass_all(size_t n, size_t passed, size_t k)
{
    double p = 1.0;

    if (k == 0 || k > n)
        return (double)NAN;
    for (size_t i = 0; i < k; i++) /* C(passed, k) / C(n, k) */
        p *= passed > i ? (double)(passed - i) / (double)(n - i) : 0.0;
    return p;
}

double iv_pass_any(size_t n, size_t passed, size_t k)
{
    return 1.0 - iv_pass_all(n, n - passed, k); /* not all fail */
}

void iv_ratio_limits(double *lower, double *upper, const iv_two_means *m, double t)
{
    const double a = m->under * m->under - t * t * m->vu;
    const double b = m->over * m->under - t * t * m->covariance;
    const double c = m->over * m->over - t * t * m->vo;
    const double root = sqrt(fmax(0.0, b * b - a * c));

    *lower = *upper = (double)NAN;
    if (!(a > 0.0) || !isfinite(root))
        return;
    *lower = (b - root) / a;
    *upper = (b + root) / a;
}

/* The largest rank l that fewer than l of m values reach with a probability of at most tail; 0:
 * none. */
static int64_t lower_rank(int64_t m, double p, double tail)
{
    int64_t low = 0, high = m;

    while (low < high) {
        const int64_t at = low + (high - low) / 2;
        if (iv_binom_cdf(at, m, p) <= tail)
            low = at + 1;
        else
            high = at;
    }
    return low;
}

iv_interval iv_percentile_limits(const iv_weighted *x, size_t count, double trials, double p,
                                 double tail)
{
    const double slack = 1e-9;
    const int64_t m = trials >= 1.0 ? (int64_t)(trials + slack) : 1;
    const double low = (double)lower_rank(m, p, tail), n = (double)m;
    /* The mirror image: ranks from above, for 1 - p. */
    const double high = (double)(m - lower_rank(m, 1.0 - p, tail) + 1);
    iv_interval out = { .value = x[count - 1].value, .se = (double)NAN, .lower = -INFINITY,
                        .upper = INFINITY, .df = INFINITY };
    double all = 0.0, sum = 0.0;
    bool found = false, any = false, beyond = false;

    for (size_t i = 0; i < count; i++)
        all += x[i].weight;
    for (size_t i = 0; i < count; i++) {
        sum += x[i].weight / all;
        if (!found && sum >= p - slack) {
            out.value = x[i].value;
            found = true;
        }
        if (!any && low > 0.0 && sum > (low - 1.0) / n + slack) {
            out.lower = x[i].value;
            any = true;
        }
        if (!beyond && high <= n && sum >= high / n - slack) {
            out.upper = x[i].value;
            beyond = true;
        }
    }
    return out;
}

size_t iv_percentile_trials(double p, double tail)
{
    return (size_t)ceil(log(tail) / log(p) - 1e-9);
}
