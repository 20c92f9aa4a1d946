/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Poisson regression by iteratively reweighted least squares.
 *
 * Each step solves a weighted least squares problem by Givens rotations, row
 * by row into a small triangle: as stable as QR, and no workspace that grows
 * with the rows.
 *
 * Ref: McCullagh and Nelder (1989), Generalized linear models, sections 2.5, 6.
 */
#include "base/memory.h"

#include <math.h>

#include "num/num_parts.h"
#include "num/num_private.h"

/* R b = z, upper triangular. */
typedef struct triangle {
    size_t columns;
    double r[IV_GLM_COLUMNS][IV_GLM_COLUMNS];
    double z[IV_GLM_COLUMNS];
} triangle;

/* Rotates one more equation row . b = target into t; row is used up. */
static void add_row(triangle *t, double *row, double target)
{
    for (size_t i = 0; i < t->columns; i++) {
        if (row[i] == 0.0)
            continue;
        const double length = hypot(t->r[i][i], row[i]);
        const double c = t->r[i][i] / length, s = row[i] / length;
        for (size_t j = i; j < t->columns; j++) {
            const double above = t->r[i][j];
            t->r[i][j] = c * above + s * row[j];
            row[j] = c * row[j] - s * above;
        }
        const double above = t->z[i];
        t->z[i] = c * above + s * target;
        target = c * target - s * above;
    }
}

/* Solves R b = z; false when a column depends on those before it. */
static bool solve(const triangle *t, const double *column_size, double *b)
{
    for (size_t i = t->columns; i-- > 0;) {
        double sum = t->z[i];
        if (!(fabs(t->r[i][i]) > 1e-11 * column_size[i]))
            return false;
        for (size_t j = i + 1; j < t->columns; j++)
            sum -= t->r[i][j] * b[j];
        b[i] = sum / t->r[i][i];
    }
    return true;
}

/* (R'R)^-1, by solving for the columns of R^-1. */
static void invert(const triangle *t, double out[][IV_GLM_COLUMNS])
{
    double inv[IV_GLM_COLUMNS][IV_GLM_COLUMNS] = { { 0.0 } };

    for (size_t c = 0; c < t->columns; c++) {
        for (size_t i = c + 1; i-- > 0;) {
            double sum = i == c ? 1.0 : 0.0;
            for (size_t j = i + 1; j <= c; j++)
                sum -= t->r[i][j] * inv[j][c];
            inv[i][c] = sum / t->r[i][i];
        }
    }
    for (size_t i = 0; i < t->columns; i++) {
        for (size_t j = 0; j < t->columns; j++) {
            out[i][j] = 0.0;
            for (size_t c = i > j ? i : j; c < t->columns; c++)
                out[i][j] += inv[i][c] * inv[j][c];
        }
    }
}

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

/* One step: the weighted equations at b, or at mu = y + 0.1 when b is NULL. */
static bool step(const problem *p, const double *b, triangle *t, double *next)
{
    double size[IV_GLM_COLUMNS] = { 0.0 };

    *t = (triangle){ .columns = p->columns };
    for (size_t i = 0; i < p->rows; i++) {
        double row[IV_GLM_COLUMNS];
        const double start = p->y[i] + 0.1;
        const double eta = b != NULL ? linear(p, i, b) : log(start);
        const double mu = b != NULL ? exp(eta) : start;
        const double w = sqrt(mu);
        for (size_t j = 0; j < p->columns; j++) {
            row[j] = w * p->x[i * p->columns + j];
            size[j] += row[j] * row[j];
        }
        add_row(t, row, w * (eta + (p->y[i] - mu) / mu));
    }
    for (size_t j = 0; j < p->columns; j++)
        size[j] = sqrt(size[j]);
    return solve(t, size, next);
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
    iv_glm fit = { .columns = columns };
    triangle t;
    IV_TRY(check(&p, err));
    for (bool done = false; !done;) {
        double next[IV_GLM_COLUMNS] = { 0.0 };
        const double *b = fit.iterations > 0 ? fit.coefficient : NULL;
        if (!step(&p, b, &t, next))
            return iv_fail(err, IV_ENODATA, "the columns are linearly dependent");
        done = b != NULL;
        for (size_t j = 0; j < columns; j++) {
            const double moved = fabs(next[j] - fit.coefficient[j]);
            done = done && moved <= 1e-13 * (1.0 + fabs(next[j]));
            fit.coefficient[j] = next[j];
        }
        if (++fit.iterations == 60 || !isfinite(fit.coefficient[0]))
            return iv_fail(err, IV_ENUM, "the Poisson fit did not converge");
    }
    invert(&t, fit.covariance);
    set_deviances(&fit, &p);
    *out = fit;
    return IV_OK;
}
