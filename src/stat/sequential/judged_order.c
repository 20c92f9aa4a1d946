/* SPDX-License-Identifier: Apache-2.0 */
/* A test of random order within strata, by ranks and by runs. */
#include "num/dist.h"
#include "stat/sequential/judged_order.h"

#include <math.h>

void iv_judged_order_add(iv_judged_order *o, bool relevant)
{
    o->judged++;
    o->relevant += relevant;
    o->ranks += relevant ? o->judged : 0;
    o->runs += relevant && !o->last;
    o->last = relevant;
}

static double log_choose(double n, double k)
{
    return lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0);
}

/* P(at most so many runs of r relevant among n documents in random order). */
static double few_runs(int64_t runs, int64_t r, int64_t n)
{
    double p = 0.0;

    if (r < 2)
        return 1.0;
    for (int64_t g = 1; g <= runs; g++)
        p += exp(log_choose((double)(r - 1), (double)(g - 1))
                 + log_choose((double)(n - r + 1), (double)g) - log_choose((double)n, (double)r));
    return fmin(p, 1.0);
}

double iv_judged_order_p(const iv_judged_order *of, size_t count)
{
    double sum = 0.0, variance = 0.0, least = 1.0;

    for (size_t s = 0; s < count; s++) {
        const double n = (double)of[s].judged, x = (double)of[s].relevant;
        sum += (double)of[s].ranks - 0.5 * x * (n + 1.0);
        variance += x * (n - x) * (n + 1.0) / 12.0;
        least = fmin(least, few_runs(of[s].runs, of[s].relevant, of[s].judged));
    }
    const double ranks = variance > 0.0 ? 2.0 * iv_norm_sf(fabs(sum) / sqrt(variance)) : 1.0;
    return fmin(1.0, 2.0 * fmin(ranks, (double)count * least));
}
