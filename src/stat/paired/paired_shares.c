/* SPDX-License-Identifier: Apache-2.0 */
/* Ref: Tango (1998), Statistics in Medicine 17, 891-908. */
#include <math.h>

#include "stat/paired/paired_parts.h"

/*
 * How far the difference seen is above d, by the standard error that it would have then: with the
 * share of losses that is most likely if the difference is d.  Falls as d grows.
 */
static double score(const iv_share_counts *s, double d)
{
    const double n = s->items, b = s->wins, c = s->losses;
    const double y = (2.0 * n - b + c) * d - b - c, w = c * d * (1.0 - d);
    const double lost = (sqrt(fmax(0.0, y * y + 8.0 * n * w)) - y) / (4.0 * n);
    const double variance = n * (2.0 * lost + d * (1.0 - d)), above = b - c - n * d;

    if (fabs(d) < 1.0 && variance > 1e-14)
        return above / sqrt(variance);
    return fabs(above) > 1e-12 * n ? copysign(INFINITY, above) : 0.0;
}

double iv_shares_p(const iv_share_counts *s, double from, iv_alternative side)
{
    const double at = fmin(1.0, fmax(-1.0, from));
    const double z = side == IV_LESS ? -score(s, at) : score(s, at);

    return isinf(s->df) ? iv_norm_sf(z) : iv_t_sf(z, s->df);
}

/* Where the score passes z, between two differences. */
static double passes(const iv_share_counts *s, double z, double low, double high)
{
    enum { HALVINGS = 52 };

    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        if (score(s, middle) > z)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

void iv_shares_limits(double *lower, double *upper, const iv_share_counts *s, double tail)
{
    const double z = isinf(s->df) ? iv_norm_isf(tail) : iv_t_isf(tail, s->df);
    const double seen = (s->wins - s->losses) / s->items;

    *lower = seen > -1.0 ? passes(s, z, -1.0, seen) : -1.0;
    *upper = seen < 1.0 ? passes(s, -z, seen, 1.0) : 1.0;
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
