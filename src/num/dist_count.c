/* SPDX-License-Identifier: Apache-2.0 */
/* Binomial (through the beta), hypergeometric and beta-binomial. */

#include <math.h>

#include "num/num_parts.h"
#include "num/num_private.h"

/* P(X <= k) = P(Beta(k+1, n-k) > p) for 0 <= k < n. */
static double binom_cdf(const iv_atoms *d, int64_t k)
{
    if ((double)k < d->low || (double)k >= d->high)
        return (double)k < d->low ? 0.0 : 1.0;
    return iv_beta_sf(d->parameter[1], (double)k + 1.0, d->parameter[0] - (double)k);
}

static double binom_sf(const iv_atoms *d, int64_t k)
{
    if ((double)k < d->low || (double)k >= d->high)
        return (double)k < d->low ? 1.0 : 0.0;
    return iv_beta_cdf(d->parameter[1], (double)k + 1.0, d->parameter[0] - (double)k);
}

double iv_binom_log_pmf(int64_t k, int64_t n, double p)
{
    iv_atoms d;

    return iv_atoms_binom(&d, n, p) ? iv_atoms_log_pmf(&d, k) : NAN;
}

double iv_binom_cdf(int64_t k, int64_t n, double p)
{
    iv_atoms d;

    return iv_atoms_binom(&d, n, p) ? binom_cdf(&d, k) : NAN;
}

double iv_binom_sf(int64_t k, int64_t n, double p)
{
    iv_atoms d;

    return iv_atoms_binom(&d, n, p) ? binom_sf(&d, k) : NAN;
}

int64_t iv_binom_quantile(double q, int64_t n, double p)
{
    iv_atoms d;

    return iv_atoms_binom(&d, n, p) ? iv_atoms_quantile(&d, q, binom_cdf) : -1;
}

int64_t iv_binom_isf(double q, int64_t n, double p)
{
    iv_atoms d;

    return iv_atoms_binom(&d, n, p) ? iv_atoms_isf(&d, q, binom_sf) : -1;
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

int64_t iv_hyper_quantile(double q, int64_t population, int64_t marked,
                          int64_t drawn)
{
    iv_atoms d;

    return iv_atoms_hyper(&d, population, marked, drawn)
               ? iv_atoms_quantile(&d, q, iv_atoms_cdf)
               : -1;
}

double iv_betabin_log_curve(double k, int64_t n, double a, double b)
{
    iv_atoms d;

    if (!iv_atoms_betabin(&d, n, a, b) || !(k >= 0.0 && k <= d.high))
        return NAN;
    return iv_atoms_log(&d, k);
}
