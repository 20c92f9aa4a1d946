/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Poisson regression by iteratively reweighted least squares: Newton's steps, whose end does not
 * depend on how well the equations of a step are solved.
 *
 * Ref: McCullagh and Nelder (1989), Generalized linear models, sections 2.5, 6.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "num/cholesky.h"
#include "num/num_parts.h"
#include "num/num_private.h"

/* Without cancellation where both are nearly equal. */
static double deviance_of(double y, double mu)
{
    return 2.0 * (y > 0.0 ? iv_deviance(y, mu, y - mu) : mu);
}

static double linear(const double *row, const double *b, size_t columns)
{
    double eta = 0.0;

    for (size_t j = 0; j < columns; j++)
        eta += row[j] * b[j];
    return eta;
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
        const double start = y[i] + 0.1, mu = b != NULL ? exp(linear(x, b, n)) : start;
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
    double mean = 0.0;

    for (size_t i = 0; i < rows; i++)
        mean += y[i];
    mean /= (double)rows;
    for (size_t i = 0; i < rows; i++) {
        const double mu = exp(linear(x + i * fit->columns, fit->coefficient, fit->columns));
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
