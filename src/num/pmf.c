/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distributions of counts as vectors.
 *
 * The ends are found first, by a bound on the mass beyond them, so that the
 * vector is allocated once; then it is filled by the ratio of neighbours,
 * starting afresh from the log probability every so often, so that rounding
 * errors do not pile up.
 */

#include "num/atoms.h"
#include "num/plain_math.h"
#include "num/pmf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AFRESH = 256 };

void iv_pmf_free(iv_pmf *pmf)
{
    if (pmf == NULL)
        return;
    free(pmf->p);
    *pmf = (iv_pmf){ 0 };
}

int iv_pmf_reserve(iv_pmf *pmf, size_t count, iv_err *err)
{
    if (count <= pmf->capacity)
        return IV_OK;
    double *p = count <= SIZE_MAX / sizeof *p ? malloc(count * sizeof *p) : NULL;
    if (p == NULL)
        return iv_fail(err, IV_ENOMEM, "no memory for %zu probabilities", count);
    free(pmf->p);
    pmf->p = p;
    pmf->capacity = count;
    return IV_OK;
}

/*
 * A bound on the mass beyond atom k, away from the mode: a geometric series
 * with the largest ratio still to come.  That is the ratio at k, except for a
 * beta-binomial with a < 1 (or b < 1 on the other side), whose factor
 * (k+a)/(k+1) grows towards 1: there it is left out.
 */
static double beyond(const iv_atoms *d, double k, bool up)
{
    double ratio;

    if (k == (up ? d->high : d->low))
        return 0.0;
    if (up && !d->falls_down)
        ratio = (d->u0 + d->u1 * k) / ((d->z0 + d->z1 * k) + d->z2);
    else if (!up && !d->falls_up)
        ratio = k / (k - 1.0 + d->v0);
    else
        ratio = up ? iv_atoms_ratio(d, k) : 1.0 / iv_atoms_ratio(d, k - 1.0);
    if (!(ratio < 1.0))
        return 1.0;
    return iv_plain_exp(iv_atoms_log(d, k)) * (ratio / (1.0 - ratio));
}

/* The atom nearest to the mode beyond which at most trim is left. */
static double find_end(const iv_atoms *d, double trim, bool up)
{
    double near = d->mode, far = up ? d->high : d->low;

    if (trim <= 0.0 || beyond(d, near, up) <= trim)
        return trim <= 0.0 ? far : near;
    /* Double the distance until far enough, then halve the rest. */
    for (double step = fmax(1.0, 4.0 * d->sd); fabs(far - near) > step; step *= 2.0) {
        const double k = up ? near + floor(step) : near - floor(step);
        if (beyond(d, k, up) <= trim) {
            far = k;
            break;
        }
        near = k;
    }
    while (fabs(far - near) > 1.0) {
        const double middle = floor(0.5 * (near + far));
        if (beyond(d, middle, up) <= trim)
            far = middle;
        else
            near = middle;
    }
    return far;
}

static void fill(const iv_atoms *d, double *p, double first, size_t count)
{
    for (size_t from = 0; from < count; from += AFRESH) {
        const size_t to = count - from < AFRESH ? count : from + AFRESH;
        double k = first + (double)from;
        double value = iv_plain_exp(iv_atoms_log(d, k));
        for (size_t i = from; i < to; i++) {
            p[i] = value;
            value *= iv_atoms_ratio(d, k);
            k += 1.0;
        }
    }
}

static int make(iv_pmf *out, const iv_atoms *d, double trim, iv_err *err)
{
    if (!(trim >= 0.0 && trim < 1.0))
        return iv_fail(err, IV_EARG, "the mass to leave out is %g, expected [0, 1)",
                       trim);
    const double low = find_end(d, trim, false), high = find_end(d, trim, true);
    const double wanted = high - low + 1.0;
    if (wanted > (double)(SIZE_MAX / 16))
        return iv_fail(err, IV_ENOMEM, "no memory for %.0f probabilities", wanted);
    const size_t count = (size_t)wanted;
    const int rc = iv_pmf_reserve(out, count, err);
    if (rc < 0)
        return rc;
    fill(d, out->p, low, count);
    out->offset = (int64_t)low;
    out->count = count;
    out->left_out = beyond(d, low, false) + beyond(d, high, true);
    return IV_OK;
}

int iv_pmf_binom(iv_pmf *out, int64_t n, double p, double trim, iv_err *err)
{
    iv_atoms d;

    if (!iv_atoms_binom(&d, n, p))
        return iv_fail(err, IV_EARG, "binomial with n = %lld, p = %g",
                       (long long)n, p);
    return make(out, &d, trim, err);
}

int iv_pmf_hyper(iv_pmf *out, int64_t population, int64_t marked, int64_t drawn,
                 double trim, iv_err *err)
{
    iv_atoms d;

    if (!iv_atoms_hyper(&d, population, marked, drawn))
        return iv_fail(err, IV_EARG,
                       "hypergeometric with population %lld, marked %lld, "
                       "sample %lld", (long long)population, (long long)marked,
                       (long long)drawn);
    return make(out, &d, trim, err);
}

int iv_pmf_betabin(iv_pmf *out, int64_t n, double a, double b, double trim,
                   iv_err *err)
{
    iv_atoms d;

    if (!iv_atoms_betabin(&d, n, a, b))
        return iv_fail(err, IV_EARG, "beta-binomial with n = %lld, a = %g, b = %g",
                       (long long)n, a, b);
    return make(out, &d, trim, err);
}

void iv_pmf_trim(iv_pmf *pmf, double trim)
{
    size_t first = 0, last = pmf->count;
    double low = 0.0, high = 0.0;

    while (last > 0 && high + pmf->p[last - 1] <= trim)
        high += pmf->p[--last];
    while (first < last && low + pmf->p[first] <= trim)
        low += pmf->p[first++];
    if (first > 0 && first < last)
        memmove(pmf->p, pmf->p + first, (last - first) * sizeof *pmf->p);
    pmf->offset += (int64_t)first;
    pmf->count = last - first;
    pmf->left_out += low + high;
}
