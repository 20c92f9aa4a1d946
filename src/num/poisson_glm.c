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

typedef struct problem {
    const double *x, *y;
    size_t rows, columns;
} problem;

static double linear(const problem *p, size_t row, const double *b)
{
    double eta = 0.0;

    for (size_t j = 0; j < p->columns; j++)
        eta += p->x[row * p->columns + j] * b[j];
    return eta;
}

/* One step from b, or from mu = y + 0.1 to b when b is NULL: X'WX becomes its root.  False when a
 * column depends on those before it. */
static bool step(double *root, double *move, const problem *p, const double *b)
{
    const size_t n = p->columns;
    double size[IV_GLM_COLUMNS];

    memset(root, 0, n * n * sizeof *root);
    memset(move, 0, n * sizeof *move);
    for (size_t i = 0; i < p->rows; i++) {
        const double *x = p->x + i * n, start = p->y[i] + 0.1;
        const double mu = b != NULL ? exp(linear(p, i, b)) : start;
        const double off = p->y[i] - mu + (b != NULL ? 0.0 : mu * log(start));
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

static int check(const problem *p, iv_err *err)
{
    double sum = 0.0;

    if (p->columns == 0 || p->columns > IV_GLM_COLUMNS)
        return iv_fail(err, IV_EARG, "%zu columns, expected 1 to %d", p->columns,
                       IV_GLM_COLUMNS);
    if (p->rows < p->columns)
        return iv_fail(err, IV_ENODATA, "%zu rows for %zu coefficients", p->rows,
                       p->columns);
    for (size_t i = 0; i < p->rows; i++) {
        if (!(p->y[i] >= 0.0) || isinf(p->y[i]))
            return iv_fail(err, IV_EARG, "response %zu is %g, expected >= 0", i,
                           p->y[i]);
        for (size_t j = 0; j < p->columns; j++) {
            if (!isfinite(p->x[i * p->columns + j]))
                return iv_fail(err, IV_EARG, "row %zu has a value that is not finite", i);
        }
        sum += p->y[i];
    }
    if (sum == 0.0)
        return iv_fail(err, IV_ENODATA, "all responses are 0");
    return IV_OK;
}

static void set_deviances(iv_glm *fit, const problem *p)
{
    double mean = 0.0;

    for (size_t i = 0; i < p->rows; i++)
        mean += p->y[i];
    mean /= (double)p->rows;
    for (size_t i = 0; i < p->rows; i++) {
        const double mu = exp(linear(p, i, fit->coefficient));
        fit->deviance += deviance_of(p->y[i], mu);
        fit->null_deviance += deviance_of(p->y[i], mean);
    }
}

int iv_poisson_glm(iv_glm *out, const double *x, const double *y, size_t rows,
                   size_t columns, iv_err *err)
{
    const problem p = { x, y, rows, columns };
    double root[IV_GLM_COLUMNS * IV_GLM_COLUMNS], move[IV_GLM_COLUMNS];
    iv_glm fit = { .columns = columns };

    IV_TRY(check(&p, err));
    for (bool done = false; !done;) {
        done = fit.iterations > 0;
        if (!step(root, move, &p, done ? fit.coefficient : NULL))
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
    set_deviances(&fit, &p);
    *out = fit;
    return IV_OK;
}
