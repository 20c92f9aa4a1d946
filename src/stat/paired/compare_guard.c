/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The p that a default correction works on: the largest of three.
 *
 * Sign flips suppose that differences are symmetric if runs are alike, Student's t that
 * their mean is near normal.  Both fail far out in the tail, where thousands of pairs
 * ask: a sample that misses the topics of a long tail has a mean on one side and a small
 * spread.  So besides these two there is t corrected for the skewness that the sample
 * shows; and of many pairs a part of each variance is that of the pairs in the middle,
 * for a spread far below it may be one that was not seen.  The share was chosen by the
 * familywise error on TREC collections: doc/methods/comparing.md.
 *
 * Ref: Hall (1992), JRSS B 54, 221-228, for the correction; Smyth (2004), Statistical
 * Applications in Genetics 3(1), for variances that borrow from each other.
 */
#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "intervale/num.h"
#include "stat/paired/compare_parts.h"
#include "stat/paired/paired_parts.h"

/* Up to FEW pairs have their own variance; from MANY on the share is whole. */
enum { FEW = 4, MANY = 435 };
#define SHARE 0.15

int iv_guard_prepare(iv_comparison *c, iv_err *err)
{
    const size_t n = c->pair_count;
    double *sd = malloc(n * sizeof *sd);

    if (sd == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < n; i++)
        sd[i] = c->pairs[i].found.sd;
    qsort(sd, n, sizeof *sd, iv_rising);
    c->middle_sd = 0.5 * (sd[(n - 1) / 2] + sd[n / 2]);
    c->share = n <= FEW ? 0.0
        : SHARE * fmin(1.0, log((double)n / FEW) / log((double)MANY / FEW));
    free(sd);
    return IV_OK;
}

static double guarded_sd(const iv_comparison *c, const iv_differences *found)
{
    const double s = found->sd, m = c->middle_sd;

    return fmax(s, sqrt((1.0 - c->share) * s * s + c->share * m * m));
}

double iv_guarded_p(const iv_comparison *c, const iv_compared_pair *of, double p)
{
    const iv_differences *found = &of->found;
    const double n = (double)found->n, df = of->df, root = sqrt(n), g = found->skewness;

    if (!(found->sd > 0.0) || isnan(p))
        return p;
    const double t = root * found->mean / guarded_sd(c, found);
    const double w = found->mean / found->sd;
    const double h = iv_skewed_t(w, n, g);
    const iv_alternative side = c->options.alternative;
    /* Two-sided, the tail on the side of the mean: skewness must not turn the finding. */
    const iv_alternative way = side != IV_TWO_SIDED ? side
        : found->mean > 0.0 ? IV_GREATER : IV_LESS;
    const double tail = iv_tail_p(iv_t_cdf(h, df), iv_t_sf(h, df), way);
    const double by_skewness = side != IV_TWO_SIDED ? tail : fmin(1.0, 2.0 * tail);
    return fmax(fmax(p, by_skewness), iv_tail_p(iv_t_cdf(t, df), iv_t_sf(t, df), side));
}

/* h = c solved for w: (1 + g w / 3)^3 = 1 + g (c / sqrt(n) - g / (6 n)). */
static double skewed_at(double c, double n, double g)
{
    const double y = c / sqrt(n) - g / (6.0 * n);

    return fabs(g) < 1e-6 ? y : 3.0 * (cbrt(1.0 + g * y) - 1.0) / g;
}

void iv_guarded_limits(double *lower, double *upper, const iv_comparison *c,
                       const iv_compared_pair *of, double tail)
{
    const iv_differences *found = &of->found;
    const double n = (double)found->n, t = iv_t_isf(tail, of->df);
    const double half = t * guarded_sd(c, found) / sqrt(n);

    *lower = found->mean - half;
    *upper = found->mean + half;
    if (!(found->sd > 0.0))
        return;
    *lower = fmin(*lower, found->mean - found->sd * skewed_at(t, n, found->skewness));
    *upper = fmax(*upper, found->mean - found->sd * skewed_at(-t, n, found->skewness));
}
