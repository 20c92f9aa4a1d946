/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/label_model.h"

#include <math.h>
#include <string.h>

/* Ridge: an intercept that may go anywhere, other coefficients that a handful of
 * judgments cannot drive to infinity. */
static const double loose = 0.001, tight = 0.1;
static const double never = -12.0; /* the logit of a probability nobody sees */
enum { STEPS = 25 };

double iv_label_probability(const double *coefficient, const double *traits, size_t width)
{
    double sum = 0.0;

    for (size_t k = 0; k < width; k++)
        sum += coefficient[k] * traits[k];
    sum = fmin(fmax(sum, -30.0), 30.0);
    return 1.0 / (1.0 + exp(-sum));
}

/* Solves a x = b for a positive definite a, which is overwritten; x replaces b. */
static bool solve(double *a, double *b, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        for (size_t i = j; i < n; i++) {
            double sum = a[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            if (i == j && !(sum > 0.0))
                return false;
            a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            b[i] -= a[i * n + k] * b[k];
        b[i] /= a[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            b[i] -= a[k * n + i] * b[k];
        b[i] /= a[i * n + i];
    }
    return true;
}

/* One step of Newton's method; returns how far it went. */
static double step(double *c, const iv_label_example *x, size_t count, size_t width, size_t fold,
                   double scale)
{
    double h[IV_LABEL_TRAITS * IV_LABEL_TRAITS] = { 0 }, g[IV_LABEL_TRAITS] = { 0 };
    double far = 0.0;

    for (size_t i = 0; i < count; i++) {
        if (x[i].fold == fold)
            continue;
        const double p = iv_label_probability(c, x[i].traits, width);
        const double w = x[i].weight * scale, v = w * p * (1.0 - p);
        for (size_t k = 0; k < width; k++) {
            g[k] += w * ((x[i].relevant ? 1.0 : 0.0) - p) * x[i].traits[k];
            for (size_t j = 0; j <= k; j++)
                h[k * width + j] += v * x[i].traits[k] * x[i].traits[j];
        }
    }
    for (size_t k = 0; k < width; k++) {
        const double ridge = k == 0 ? loose : tight;
        g[k] -= ridge * c[k];
        h[k * width + k] += ridge;
    }
    if (!solve(h, g, width))
        return 0.0;
    for (size_t k = 0; k < width; k++) {
        const double move = fmin(fmax(g[k], -3.0), 3.0);
        c[k] += move;
        far = fmax(far, fabs(move));
    }
    return far;
}

static void fit(double *c, const iv_label_example *x, size_t count, size_t width, size_t fold)
{
    double weight = 0.0, relevant = 0.0;
    size_t used = 0;

    for (size_t i = 0; i < count; i++)
        if (x[i].fold != fold) {
            weight += x[i].weight;
            relevant += x[i].relevant ? 1.0 : 0.0;
            used++;
        }
    if (used == 0 || relevant == 0.0) {
        memset(c, 0, width * sizeof *c);
        c[0] = never;
        return;
    }
    for (size_t i = 0; i < STEPS; i++)
        if (step(c, x, count, width, fold, (double)used / weight) < 1e-7)
            break;
}

void iv_label_fit(double *coefficient, const iv_label_example *examples, size_t count,
                  size_t width, size_t folds)
{
    double all[IV_LABEL_TRAITS] = { 0 };

    fit(all, examples, count, width, SIZE_MAX);
    for (size_t f = 0; f < folds; f++) {
        memcpy(coefficient + f * width, all, width * sizeof *all);
        fit(coefficient + f * width, examples, count, width, f);
    }
}
