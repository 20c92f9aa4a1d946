/* SPDX-License-Identifier: Apache-2.0 */
/* Cholesky factors, correlations, a regression of counts, and roots. */
#include "base/err.h"
#include "base/memory.h"
#include "num/boost_math.h"
#include "num/linear.h"
#include "num/saddle.h"
#include "num/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool iv_cholesky(double *a, size_t n)
{
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++) {
            const double sum = a[i * n + j] - iv_dot(a + i * n, a + j * n, j);
            if (i == j && !(sum > 0.0))
                return false;
            a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
        }
    return true;
}

void iv_solve_lower(const double *l, double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        b[i] = (b[i] - iv_dot(l + i * n, b, i)) / l[i * n + i];
}

void iv_solve_upper(const double *l, double *b, size_t n)
{
    for (size_t i = n; i-- > 0;) {
        b[i] /= l[i * n + i];
        for (size_t k = 0; k < i; k++)
            b[k] -= l[i * n + k] * b[i];
    }
}

/*
 * Correlation coefficients.
 *
 * Kendall's tau-b = (concordant - discordant) / sqrt((P - Tx)(P - Ty)), P all
 * pairs, Tx and Ty those tied in x and in y.  With the points ordered by x,
 * then y, the discordant pairs are the swaps that a merge sort by y makes.
 *
 * Ref: W. R. Knight (1966), A computer method for calculating Kendall's tau
 * with ungrouped data.
 */

typedef double point[2]; /* x, y */

static int by_x_then_y(const void *va, const void *vb)
{
    const double *a = va, *b = vb;

    if (a[0] != b[0])
        return a[0] < b[0] ? -1 : 1;
    return (a[1] > b[1]) - (a[1] < b[1]);
}

/* Sorts y by merging and returns the number of pairs that changed places. */
static double sort_and_count(double *y, double *spare, size_t n)
{
    double swaps = 0.0;

    for (size_t width = 1; width < n; width *= 2) {
        for (size_t from = 0; from < n; from += 2 * width) {
            const size_t middle = from + width < n ? from + width : n;
            const size_t to = middle + width < n ? middle + width : n;
            size_t i = from, j = middle;
            for (size_t k = from; k < to; k++) {
                if (j < to && (i == middle || y[j] < y[i])) {
                    swaps += (double)(middle - i);
                    spare[k] = y[j++];
                } else {
                    spare[k] = y[i++];
                }
            }
        }
        memcpy(y, spare, n * sizeof *y);
    }
    return swaps;
}

static double pairs(double n)
{
    return 0.5 * n * (n - 1.0);
}

/* Pairs tied in x, and in both, of points ordered by x, then y. */
static void count_ties(point *p, size_t n, double *in_x, double *in_both)
{
    size_t run_x = 1, run_both = 1;

    *in_x = *in_both = 0.0;
    for (size_t i = 1; i <= n; i++) {
        const bool same_x = i < n && p[i][0] == p[i - 1][0];
        const bool same = same_x && p[i][1] == p[i - 1][1];
        if (!same) {
            *in_both += pairs((double)run_both);
            run_both = 0;
        }
        if (!same_x) {
            *in_x += pairs((double)run_x);
            run_x = 0;
        }
        run_x++;
        run_both++;
    }
}

static double count_runs(const double *sorted, size_t n)
{
    double tied = 0.0;
    size_t run = 1;

    for (size_t i = 1; i <= n; i++) {
        if (i < n && sorted[i] == sorted[i - 1]) {
            run++;
        } else {
            tied += pairs((double)run);
            run = 1;
        }
    }
    return tied;
}

static double tau_b(point *p, double *y, size_t n)
{
    double in_x, in_both;

    qsort(p, n, sizeof *p, by_x_then_y);
    count_ties(p, n, &in_x, &in_both);
    for (size_t i = 0; i < n; i++)
        y[i] = p[i][1];
    const double discordant = sort_and_count(y, y + n, n);
    const double in_y = count_runs(y, n);
    const double all = pairs((double)n);
    const double concordant = all - in_x - in_y + in_both - discordant;
    return (concordant - discordant) / sqrt((all - in_x) * (all - in_y));
}

int iv_kendall(double *tau, const double *x, const double *y, size_t n,
               iv_err *err)
{
    iv_arena own = { 0 };

    for (size_t i = 0; i < n; i++) {
        if (isnan(x[i]) || isnan(y[i]))
            return iv_fail(err, IV_EARG, "value %zu is not a number", i);
    }
    if (n < 2)
        return iv_fail(err, IV_ENODATA, "Kendall's tau of %zu values", n);
    point *p = iv_take(&own, n, sizeof *p);
    double *work = iv_take(&own, 2 * n, sizeof *work), found = NAN;
    int rc = iv_taken(&own, err);
    for (size_t i = 0; rc == IV_OK && i < n; i++) {
        p[i][0] = x[i];
        p[i][1] = y[i];
    }
    if (rc == IV_OK)
        found = tau_b(p, work, n);
    if (rc == IV_OK && isfinite(found))
        *tau = fmax(-1.0, fmin(1.0, found));
    else if (rc == IV_OK)
        rc = iv_fail(err, IV_ENODATA, "Kendall's tau with all values equal");
    iv_arena_free(&own);
    return rc;
}

/* The rounding of the mean may leave a constant a variance. */
static bool is_constant(const double *x, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (x[i] != x[0])
            return false;
    }
    return true;
}

double iv_pearson(const double *x, const double *y, size_t n)
{
    double mean_x = 0.0, mean_y = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;

    for (size_t i = 0; i < n; i++) {
        mean_x += x[i];
        mean_y += y[i];
    }
    mean_x /= (double)n;
    mean_y /= (double)n;
    for (size_t i = 0; i < n; i++) {
        const double dx = x[i] - mean_x, dy = y[i] - mean_y;
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    if (!(xx > 0.0 && yy > 0.0) || is_constant(x, n) || is_constant(y, n))
        return NAN;
    return fmax(-1.0, fmin(1.0, xy / sqrt(xx) / sqrt(yy)));
}

/*
 * Poisson regression by iteratively reweighted least squares: Newton's steps, whose end does not
 * depend on how well the equations of a step are solved.
 *
 * Ref: McCullagh and Nelder (1989), Generalized linear models, sections 2.5, 6.
 */

/* Without cancellation where both are nearly equal. */
static double deviance_of(double y, double mu)
{
    return 2.0 * (y > 0.0 ? iv_deviance(y, mu, y - mu) : mu);
}

/* One step from b, or from mu = y + 0.1 to b when b is NULL: X'WX becomes its root.  False when a
 * column depends on those before it. */
static bool step(double *root, double *move, const double *x, const double *y, size_t rows,
                 size_t n, const double *b)
{
    double size[IV_GLM_COLUMNS];

    memset(root, 0, n * n * sizeof *root);
    memset(move, 0, n * sizeof *move);
    for (size_t i = 0; i < rows; i++, x += n) {
        const double start = y[i] + 0.1, mu = b != NULL ? exp(iv_dot(x, b, n)) : start;
        const double off = y[i] - mu + (b != NULL ? 0.0 : mu * log(start));
        for (size_t j = 0; j < n; j++) {
            move[j] += x[j] * off;
            for (size_t k = 0; k <= j; k++)
                root[j * n + k] += mu * x[j] * x[k];
        }
    }
    for (size_t j = 0; j < n; j++)
        size[j] = sqrt(root[j * n + j]);
    if (!iv_cholesky(root, n))
        return false;
    for (size_t j = 0; j < n; j++)
        if (!(root[j * n + j] > 1e-7 * size[j]))
            return false;
    iv_solve_lower(root, move, n);
    iv_solve_upper(root, move, n);
    return true;
}

static int check(const double *x, const double *y, size_t rows, size_t columns, iv_err *err)
{
    double sum = 0.0;

    if (columns == 0 || columns > IV_GLM_COLUMNS)
        return iv_fail(err, IV_EARG, "%zu columns, expected 1 to %d", columns, IV_GLM_COLUMNS);
    if (rows < columns)
        return iv_fail(err, IV_ENODATA, "%zu rows for %zu coefficients", rows, columns);
    for (size_t i = 0; i < rows; i++) {
        if (!(y[i] >= 0.0) || isinf(y[i]))
            return iv_fail(err, IV_EARG, "response %zu is %g, expected >= 0", i, y[i]);
        for (size_t j = 0; j < columns; j++) {
            if (!isfinite(x[i * columns + j]))
                return iv_fail(err, IV_EARG, "row %zu has a value that is not finite", i);
        }
        sum += y[i];
    }
    if (sum == 0.0)
        return iv_fail(err, IV_ENODATA, "all responses are 0");
    return IV_OK;
}

static void set_deviances(iv_glm *fit, const double *x, const double *y, size_t rows)
{
    const double mean = iv_average(y, rows);

    for (size_t i = 0; i < rows; i++) {
        const double mu = exp(iv_dot(x + i * fit->columns, fit->coefficient, fit->columns));
        fit->deviance += deviance_of(y[i], mu);
        fit->null_deviance += deviance_of(y[i], mean);
    }
}

int iv_poisson_glm(iv_glm *out, const double *x, const double *y, size_t rows,
                   size_t columns, iv_err *err)
{
    double root[IV_GLM_COLUMNS * IV_GLM_COLUMNS], move[IV_GLM_COLUMNS];
    iv_glm fit = { .columns = columns };

    IV_TRY(check(x, y, rows, columns, err));
    for (bool done = false; !done;) {
        done = fit.iterations > 0;
        if (!step(root, move, x, y, rows, columns, done ? fit.coefficient : NULL))
            return iv_fail(err, IV_ENODATA, "the columns are linearly dependent");
        for (size_t j = 0; j < columns; j++) {
            fit.coefficient[j] += move[j];
            done = done && fabs(move[j]) <= 1e-13 * (1.0 + fabs(fit.coefficient[j]));
        }
        if (++fit.iterations == 60 || !isfinite(fit.coefficient[0]))
            return iv_fail(err, IV_ENUM, "the Poisson fit did not converge");
    }
    for (size_t j = 0; j < columns; j++) {
        double *column = fit.covariance[j];
        column[j] = 1.0;
        iv_solve_lower(root, column, columns);
        iv_solve_upper(root, column, columns);
    }
    set_deviances(&fit, x, y, rows);
    *out = fit;
    return IV_OK;
}

/* Roots and minima of a caller's function. */

int iv_find_root(double *root, iv_function f, void *user, double from, double to,
                 iv_err *err)
{
    if (!(from < to) || isinf(from) || isinf(to))
        return iv_fail(err, IV_EARG, "root between %g and %g", from, to);
    const double f_from = f(from, user), f_to = f(to, user);
    if (isnan(f_from) || isnan(f_to))
        return iv_fail(err, IV_ENUM, "not a number at an end of the bracket");
    if (f_from == 0.0 || f_to == 0.0) {
        *root = f_from == 0.0 ? from : to;
        return IV_OK;
    }
    if ((f_from < 0.0) == (f_to < 0.0))
        return iv_fail(err, IV_EARG, "no change of sign between %g and %g", from,
                       to);
    double found;
    if (!iv_boost_root(&found, f, user, from, to, f_from, f_to))
        return iv_fail(err, IV_ENUM, "no root found between %g and %g", from, to);
    *root = found;
    return IV_OK;
}

int iv_find_minimum(double *at, double *value, iv_function f, void *user,
                    double from, double to, iv_err *err)
{
    double x = 0.0, y = 0.0;

    if (!(from <= to) || isinf(from) || isinf(to))
        return iv_fail(err, IV_EARG, "minimum between %g and %g", from, to);
    if (!iv_boost_minimum(&x, &y, f, user, from, to))
        return iv_fail(err, IV_ENUM, "not a number between %g and %g", from, to);
    if (at != NULL)
        *at = x;
    if (value != NULL)
        *value = y;
    return IV_OK;
}
