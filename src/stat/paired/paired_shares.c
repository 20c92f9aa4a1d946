/* SPDX-License-Identifier: Apache-2.0 */
/* Ref: Bonett and Price (2012), Journal of Educational and Behavioral Statistics 37, 479-488. */
#include <math.h>

#include "stat/paired/paired_parts.h"

typedef struct found {
    double difference, se;
} found;

static found found_of(const iv_share_counts *s)
{
    const double all = s->items + 2.0;
    const double won = (s->wins + 1.0) / all, lost = (s->losses + 1.0) / all;
    const double d = won - lost;

    return (found){ d, sqrt((won + lost - d * d) / all) };
}

double iv_shares_p(const iv_share_counts *s, double from, iv_alternative side)
{
    const found f = found_of(s);
    const double z = (side == IV_LESS ? from - f.difference : f.difference - from) / f.se;

    return isinf(s->df) ? iv_norm_sf(z) : iv_t_sf(z, s->df);
}

void iv_shares_limits(double *lower, double *upper, const iv_share_counts *s, double tail)
{
    const found f = found_of(s);
    const double half = (isinf(s->df) ? iv_norm_isf(tail) : iv_t_isf(tail, s->df)) * f.se;

    *lower = fmax(-1.0, f.difference - half);
    *upper = fmin(1.0, f.difference + half);
}

int iv_paired_shares(double *lower, double *upper, size_t wins, size_t losses, size_t n,
                     double confidence, iv_err *err)
{
    if (n == 0 || wins > n || losses > n - wins)
        return iv_fail(err, IV_EARG, "%zu wins and %zu losses of %zu topics, expected no more than "
                       "these", wins, losses, n);
    if (!(confidence > 0.0 && confidence < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected between 0 and 1", confidence);
    iv_shares_limits(lower, upper,
                     &(iv_share_counts){ (double)wins, (double)losses, (double)n, INFINITY },
                     0.5 * (1.0 - confidence));
    return IV_OK;
}
