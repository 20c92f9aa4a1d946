/* SPDX-License-Identifier: Apache-2.0 */
/* Ref: Bonett and Price (2012), Journal of Educational and Behavioral Statistics 37, 479-488. */
#include <math.h>

#include "stat/paired/paired_parts.h"

typedef struct shares {
    double difference, se;
} shares;

static shares shares_of(size_t wins, size_t losses, size_t n)
{
    const double all = (double)n + 2.0;
    const double won = ((double)wins + 1.0) / all, lost = ((double)losses + 1.0) / all;
    const double d = won - lost;

    return (shares){ d, sqrt((won + lost - d * d) / all) };
}

double iv_paired_shares_z(size_t wins, size_t losses, size_t n, double from)
{
    const shares s = shares_of(wins, losses, n);

    return (s.difference - from) / s.se;
}

int iv_paired_shares(double *lower, double *upper, size_t wins, size_t losses, size_t n,
                     double confidence, iv_err *err)
{
    if (n == 0 || wins > n || losses > n - wins)
        return iv_fail(err, IV_EARG, "%zu wins and %zu losses of %zu topics, expected no more than "
                       "these", wins, losses, n);
    if (!(confidence > 0.0 && confidence < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected between 0 and 1", confidence);
    const shares s = shares_of(wins, losses, n);
    const double half = iv_norm_isf(0.5 * (1.0 - confidence)) * s.se;
    *lower = fmax(-1.0, s.difference - half);
    *upper = fmin(1.0, s.difference + half);
    return IV_OK;
}
