/* SPDX-License-Identifier: Apache-2.0 */
/* A discrete distribution by its recurrence from atom to atom. */
#ifndef IV_NUM_ATOMS_H
#define IV_NUM_ATOMS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * What binomial, hypergeometric and beta-binomial have in common: whole-number
 * support, a log probability that is a smooth curve, and a rational ratio of
 * neighbours.  Tails, quantiles and vectors are written once, on this.
 */
typedef struct iv_atoms {
    double low, high; /* the support */
    double mode, mean, sd;
    double parameter[3];
    double (*log_curve)(const double parameter[3], double k);
    /* p(k+1)/p(k) = (u0 + u1 k)(v0 + v1 k) / ((k + 1)((z0 + z1 k) + z2)), with
     * whole z0 and z1, so that a small z2 survives where the rest is 0. */
    double u0, u1, v0, v1, z0, z1, z2;
    /* Beyond the mode p falls to the very end of that side (no U shape). */
    bool falls_down, falls_up;
} iv_atoms;

static inline double iv_atoms_ratio(const iv_atoms *d, double k)
{
    return (d->u0 + d->u1 * k) * (d->v0 + d->v1 * k)
           / ((k + 1.0) * ((d->z0 + d->z1 * k) + d->z2));
}

static inline double iv_atoms_log(const iv_atoms *d, double k)
{
    return d->log_curve(d->parameter, k);
}

/* Fill *d; false when a parameter is outside its domain. */
bool iv_atoms_binom(iv_atoms *d, int64_t n, double p);
bool iv_atoms_hyper(iv_atoms *d, int64_t population, int64_t marked,
                    int64_t drawn);
bool iv_atoms_betabin(iv_atoms *d, int64_t n, double a, double b);

/* log P(X = k) at any k. */
double iv_atoms_log_pmf(const iv_atoms *d, int64_t k);

/* P(X <= k) and P(X > k) at any k, of a distribution that falls on both sides of its mean: some
 * ten standard deviations of steps. */
double iv_atoms_cdf(const iv_atoms *d, int64_t k);
double iv_atoms_sf(const iv_atoms *d, int64_t k);

#endif
