/* SPDX-License-Identifier: Apache-2.0 */
/* Binomial (through the beta), hypergeometric and beta-binomial. */

#include <math.h>

#include "num/num_parts.h"
#include "num/num_private.h"

double iv_binom_log_pmf(int64_t k, int64_t n, double p)
{
    iv_atoms d;

    return iv_atoms_binom(&d, n, p) ? iv_atoms_log_pmf(&d, k) : NAN;
}

static bool bad(int64_t n, double p)
{
    return n < 0 || n > INT64_C(1) << 53 || !(p >= 0.0 && p <= 1.0);
}

/* P(X <= k) = P(Beta(k+1, n-k) > p) for 0 <= k < n. */
double iv_binom_cdf(int64_t k, int64_t n, double p)
{
    if (bad(n, p))
        return NAN;
    return k < 0 ? 0.0 : k >= n ? 1.0 : iv_beta_sf(p, (double)k + 1.0, (double)(n - k));
}

double iv_binom_sf(int64_t k, int64_t n, double p)
{
    if (bad(n, p))
        return NAN;
    return k < 0 ? 1.0 : k >= n ? 0.0 : iv_beta_cdf(p, (double)k + 1.0, (double)(n - k));
}

int64_t iv_binom_isf(double q, int64_t n, double p)
{
    int64_t below = -1, good = n;

    if (bad(n, p) || !(q >= 0.0 && q <= 1.0))
        return -1;
    while (good - below > 1) {
        const int64_t k = below + (good - below) / 2;
        *(iv_binom_sf(k, n, p) <= q ? &good : &below) = k;
    }
    return good;
}

double iv_hyper_log_pmf(int64_t k, int64_t population, int64_t marked,
                        int64_t drawn)
{
    iv_atoms d;

    return iv_atoms_hyper(&d, population, marked, drawn)
               ? iv_atoms_log_pmf(&d, k)
               : NAN;
}

double iv_hyper_cdf(int64_t k, int64_t population, int64_t marked,
                    int64_t drawn)
{
    iv_atoms d;

    return iv_atoms_hyper(&d, population, marked, drawn)
               ? iv_atoms_cdf(&d, k)
               : NAN;
}

double iv_hyper_sf(int64_t k, int64_t population, int64_t marked, int64_t drawn)
{
    iv_atoms d;

    return iv_atoms_hyper(&d, population, marked, drawn)
               ? iv_atoms_sf(&d, k)
               : NAN;
}

double iv_betabin_log_curve(double k, int64_t n, double a, double b)
{
    iv_atoms d;

    if (!iv_atoms_betabin(&d, n, a, b) || !(k >= 0.0 && k <= d.high))
        return NAN;
    return iv_atoms_log(&d, k);
}
