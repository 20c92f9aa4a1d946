/* SPDX-License-Identifier: Apache-2.0 */
/* The regression estimator of two-phase sampling over several machines. */
#include "intervale/stat/two_phase.h"

#include <math.h>
#include <stdlib.h>

#include "intervale/num.h"

enum { K = IV_MACHINES_MOST };

/* A regression over the judged units, but for one of them. */
typedef struct fit {
    double mean, machine[K]; /* of the judged units */
    double root[K][K];       /* lower triangle, Cholesky's, of the machines' cross products */
    bool kept[K];
    size_t used;
    double slope[K], value;  /* by least squares */
    double squares, around;  /* sums of squares around the mean, and around the regression */
} fit;

size_t iv_machines_allowed(size_t n)
{
    return n < 12 ? 1 : (n - 4) / 4 < K ? (n - 4) / 4 : K;
}

static double over_all(const iv_two_phase_data *d, size_t j)
{
    double sum = 0.0;

    for (size_t i = 0; i < d->units; i++)
        sum += d->machine[j][i];
    return sum / (double)d->units;
}

/* Cholesky's root, in the order of the machines: who adds nothing to those before is left out. */
static void take_root(fit *f, double products[K][K], size_t k)
{
    for (size_t j = 0; j < k; j++) {
        double left = products[j][j];
        for (size_t m = 0; m < j; m++) {
            double sum = products[j][m];
            for (size_t l = 0; l < m; l++)
                sum -= f->root[j][l] * f->root[m][l];
            f->root[j][m] = f->kept[m] ? sum / f->root[m][m] : 0.0;
            left -= f->root[j][m] * f->root[j][m];
        }
        f->kept[j] = left > 1e-11 * products[j][j];
        f->used += f->kept[j];
        f->root[j][j] = f->kept[j] ? sqrt(left) : 1.0;
    }
}

/* x = (cross products)^-1 y; 0 for machines that are left out. */
static void solve(double x[K], const fit *f, const double y[K], size_t k)
{
    for (size_t j = 0; j < k; j++) {
        double sum = y[j];
        for (size_t m = 0; m < j; m++)
            sum -= f->root[j][m] * x[m];
        x[j] = f->kept[j] ? sum / f->root[j][j] : 0.0;
    }
    for (size_t j = k; j-- > 0;) {
        double sum = x[j];
        for (size_t m = j + 1; m < k; m++)
            sum -= f->root[m][j] * x[m];
        x[j] = f->kept[j] ? sum / f->root[j][j] : 0.0;
    }
}

/* Least squares without unit `skip`; `all` are the machines' means over all units. */
static void fit_without(fit *f, const iv_two_phase_data *d, size_t skip, const double all[K])
{
    const size_t k = d->machines, n = d->judged;
    const double count = (double)(n - (skip < n));
    double products[K][K] = { { 0 } }, with[K] = { 0 };

    *f = (fit){ 0 };
    for (size_t i = 0; i < n; i++) {
        f->mean += i == skip ? 0.0 : d->human[i] / count;
        for (size_t j = 0; j < k; j++)
            f->machine[j] += i == skip ? 0.0 : d->machine[j][i] / count;
    }
    for (size_t i = 0; i < n; i++)
        f->squares += i == skip ? 0.0 : (d->human[i] - f->mean) * (d->human[i] - f->mean);
    f->around = f->squares;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k && i != skip; j++) {
            const double z = d->machine[j][i] - f->machine[j];
            with[j] += z * (d->human[i] - f->mean);
            for (size_t m = 0; m <= j; m++)
                products[j][m] += z * (d->machine[m][i] - f->machine[m]);
        }
    /* A constant is constant, whatever rounding leaves of its spread. */
    for (size_t j = 0; j < k; j++)
        if (products[j][j] <= 1e-22 * count * f->machine[j] * f->machine[j])
            products[j][j] = 0.0;
    take_root(f, products, k);
    solve(f->slope, f, with, k);
    f->value = f->mean;
    for (size_t j = 0; j < k; j++) {
        f->value += f->slope[j] * (all[j] - f->machine[j]);
        f->around -= f->slope[j] * with[j];
    }
    f->around = fmax(0.0, f->around);
}

/*
 * How much of the regression counts: all of it from twice the share of the variance on that
 * chance explains with n units, below that in proportion.  A machine that tells nothing
 * costs less width so, and the jackknife, which does the same without each unit, knows.
 */
static double counted(double squares, double around, double n, size_t used)
{
    const double by_chance = (double)used / (n - 1.0 - (double)used);

    return used == 0 || !(squares > 0.0)
        ? 1.0 : fmin(1.0, fmax(0.0, 1.0 - around / squares) / (2.0 * by_chance));
}

/* ------------------------------------------------------------ the jackknife -- */

static double residual_of(const fit *f, const iv_two_phase_data *d, size_t i)
{
    double r = d->human[i] - f->mean;

    for (size_t j = 0; j < d->machines; j++)
        r -= f->slope[j] * (d->machine[j][i] - f->machine[j]);
    return r;
}

/*
 * The estimate is the regression's value at the means of all units, so that leaving one
 * out has a closed form; but not where the machine would be constant without it.
 */
static double without(const fit *f, const iv_two_phase_data *d, size_t i, const double all[K])
{
    const double n = (double)d->judged;
    double z[K] = { 0 }, x[K] = { 0 }, leverage = 1.0 / n, weight = 1.0 / n;
    fit again;

    for (size_t j = 0; j < d->machines; j++)
        z[j] = d->machine[j][i] - f->machine[j];
    solve(x, f, z, d->machines);
    for (size_t j = 0; j < d->machines; j++) {
        leverage += z[j] * x[j];
        weight += (all[j] - f->machine[j]) * x[j];
    }
    const double x_i = d->human[i] - f->mean, mean = f->mean - x_i / (n - 1.0);
    if (leverage < 1.0 - 1e-9) {
        const double r = residual_of(f, d, i), value = f->value - weight * r / (1.0 - leverage);
        const double share = counted(f->squares - x_i * x_i * n / (n - 1.0),
                                     f->around - r * r / (1.0 - leverage), n - 1.0, f->used);
        return share == 1.0 ? value : mean + share * (value - mean);
    }
    fit_without(&again, d, i, all);
    return mean + counted(again.squares, again.around, n - 1.0, again.used) * (again.value - mean);
}

/* What the machines predict, over all units: its variance. */
static double spread_of_prediction(const fit *f, const iv_two_phase_data *d, const double all[K])
{
    double squares = 0.0;

    for (size_t i = 0; i < d->units; i++) {
        double x = 0.0;
        for (size_t j = 0; j < d->machines; j++)
            x += f->slope[j] * (d->machine[j][i] - all[j]);
        squares += x * x;
    }
    return squares / ((double)d->units - 1.0);
}

static void limits(iv_two_phase *out, const iv_two_phase_options *o)
{
    const double tail = 0.5 * (1.0 - (o->confidence == 0.0 ? 0.95 : o->confidence));
    const double reach = iv_t_isf(tail, out->df) * out->se, m = out->value;

    out->p = out->se > 0.0 ? 2.0 * iv_t_sf(fabs(m) / out->se, out->df) : m == 0.0 ? 1.0 : 0.0;
    out->lower = m - reach;
    out->upper = m + reach;
    if (o->bounded && m > 0.0 && m < 1.0) {
        const double at = log(m / (1.0 - m)), wide = reach / (m * (1.0 - m));
        out->lower = 1.0 / (1.0 + exp(wide - at));
        out->upper = 1.0 / (1.0 + exp(-wide - at));
    } else if (o->bounded) {
        out->lower = fmax(0.0, fmin(1.0, out->lower));
        out->upper = fmin(1.0, fmax(0.0, out->upper));
    }
}

static int check(const iv_two_phase_data *d, const iv_two_phase_options *o, iv_err *err)
{
    bool finite = true;

    if (d->judged < IV_TWO_PHASE_LEAST)
        return iv_fail(err, IV_ENODATA, "%zu judged units, expected %d or more", d->judged,
                       IV_TWO_PHASE_LEAST);
    if (d->units < d->judged || d->machines > iv_machines_allowed(d->judged))
        return iv_fail(err, IV_EARG, "%zu units and %zu machines for %zu judged units, expected "
                       "as many units or more and at most %zu machines", d->units, d->machines,
                       d->judged, iv_machines_allowed(d->judged));
    if (!(o->confidence >= 0.0 && o->confidence < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected between 0 and 1", o->confidence);
    for (size_t i = 0; i < d->judged; i++)
        finite = finite && isfinite(d->human[i]);
    for (size_t j = 0; j < d->machines; j++)
        for (size_t i = 0; i < d->units; i++)
            finite = finite && isfinite(d->machine[j][i]);
    return finite ? IV_OK : iv_fail(err, IV_EARG, "a value is not finite");
}

static void fill(iv_two_phase *out, double *left, const iv_two_phase_data *d,
                 const iv_two_phase_options *o)
{
    const double n = (double)d->judged, T = (double)d->units, open = 1.0 - n / T;
    double all[K] = { 0 }, around = 0.0, squares = 0.0, shrunk = 0.0;
    double jack = 0.0, cubes = 0.0, mean = 0.0;
    fit f;

    for (size_t j = 0; j < d->machines; j++)
        all[j] = over_all(d, j);
    fit_without(&f, d, d->judged, all);
    const double share = counted(f.squares, f.around, n, f.used);
    for (size_t i = 0; i < d->judged; i++) {
        const double r = residual_of(&f, d, i), x = d->human[i] - f.mean;
        around += r * r;
        squares += x * x;
        shrunk += (share * r + (1.0 - share) * x) * (share * r + (1.0 - share) * x);
        left[i] = without(&f, d, i, all);
        mean += left[i] / n;
    }
    for (size_t i = 0; i < d->judged; i++) {
        const double u = mean - left[i]; /* a unit that lifts the value lowers it when it is gone */
        jack += u * u;
        cubes += u * u * u;
    }
    *out = (iv_two_phase){ .value = share == 1.0 ? f.value : f.mean + share * (f.value - f.mean),
                           .human = f.mean, .used = f.used, .share = share,
                           .df = n - 1.0 - share * (double)f.used };
    for (size_t j = 0; j < d->machines; j++)
        out->slope[j] = f.slope[j] *= share;
    out->residual = shrunk / out->df;
    out->skewness = jack > 0.0 ? cubes / n / pow(jack / n, 1.5) : 0.0;
    out->v_judged = open * (n - 1.0) / n * jack;
    out->v_units = o->these ? o->noise / T : (spread_of_prediction(&f, d, all) + out->residual) / T;
    out->se = sqrt(out->v_judged + out->v_units);
    out->rho = squares > 0.0 ? copysign(sqrt(fmax(0.0, 1.0 - around / squares)),
                                        d->machines == 1 ? f.slope[0] : 1.0) : 0.0;
    const double human = squares / (n - 1.0) / n * (o->these ? open : 1.0)
        + (o->these ? o->noise / T : 0.0);
    out->human_se = sqrt(human);
    if (f.used == 0) /* the jackknife of a mean is its standard error, but for this part */
        out->se = out->human_se;
    out->effective = out->se > 0.0 ? n * human / (out->se * out->se) : n;
    limits(out, o);
}

int iv_two_phase_mean(iv_two_phase *out, double *left_out, const iv_two_phase_data *data,
                      const iv_two_phase_options *options, iv_err *err)
{
    const iv_two_phase_options o = options != NULL ? *options : (iv_two_phase_options){ 0 };
    const int rc = check(data, &o, err);

    if (rc != IV_OK)
        return rc;
    double *left = left_out != NULL ? left_out : malloc(data->judged * sizeof *left);
    if (left == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    fill(out, left, data, &o);
    if (left_out == NULL)
        free(left);
    return IV_OK;
}

double iv_two_phase_unlike(const double *machine, size_t judged, size_t units)
{
    const size_t from[] = { 0, judged, units };
    double mean[2] = { 0 }, v[2] = { 0 };

    if (judged < 2 || units < judged + 2)
        return (double)NAN;
    for (int s = 0; s < 2; s++) {
        const double n = (double)(from[s + 1] - from[s]);
        for (size_t i = from[s]; i < from[s + 1]; i++)
            mean[s] += machine[i] / n;
        for (size_t i = from[s]; i < from[s + 1]; i++)
            v[s] += (machine[i] - mean[s]) * (machine[i] - mean[s]) / (n - 1.0) / n;
    }
    const double a = v[0], b = v[1], sum = a + b;
    if (!(sum > 0.0))
        return (double)NAN;
    const double df = sum * sum / (a * a / (double)(judged - 1)
                                   + b * b / (double)(units - judged - 1));
    return 2.0 * iv_t_sf(fabs(mean[0] - mean[1]) / sqrt(sum), df);
}
