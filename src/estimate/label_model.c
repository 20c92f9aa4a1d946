/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/label_model.h"

#include <math.h>
#include <string.h>

/* Ridge: an intercept that may go anywhere, other coefficients that a handful of
 * judgments cannot drive to infinity. */
static const double loose = 0.001, tight = 0.1;
static const double never = -12.0; /* the logit of a probability nobody sees */
/* A step so short that another would change nothing that is seen: what is left is near its square. */
static const double close_enough = 1e-4;
enum { STEPS = 25, BLOCK = 64 };

static double probability_of(double logit)
{
    return 1.0 / (1.0 + exp(logit < -30.0 ? 30.0 : logit > 30.0 ? -30.0 : -logit));
}

double iv_label_probability(const double *coefficient, const double *traits, size_t width)
{
    double sum = 0.0;

    for (size_t k = 0; k < width; k++)
        sum += coefficient[k] * traits[k];
    return probability_of(sum);
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

/* Sums over judged documents, from which a step of Newton's method follows: of all traits, the
 * lower half of the Hessian by rows. */
typedef struct pass_sums {
    double gradient[IV_LABEL_TRAITS], hessian[IV_LABEL_TRAITS * (IV_LABEL_TRAITS + 1) / 2];
    double weight, relevant;
    size_t used;
} pass_sums;

/* The sums of the numbers alone, which stay in registers. */
typedef struct number_sums {
    double gradient[IV_LABEL_NUMBERS], hessian[IV_LABEL_NUMBERS * (IV_LABEL_NUMBERS + 1) / 2];
} number_sums;

static double expected(const double *c, const iv_label_example *x)
{
    double sum = x->group > 0 ? c[x->group] : 0.0;

    for (size_t k = 0; k < IV_LABEL_NUMBERS; k++)
        sum += c[k] * x->traits[k];
    return probability_of(sum);
}

static inline void add_example(number_sums *to, pass_sums *rest, double p,
                               const iv_label_example *x)
{
    const double g = x->weight * ((x->relevant ? 1.0 : 0.0) - p), v = x->weight * p * (1.0 - p);
    double part[IV_LABEL_NUMBERS];

    for (size_t k = 0, at = 0; k < IV_LABEL_NUMBERS; k++) {
        to->gradient[k] += g * x->traits[k];
        part[k] = v * x->traits[k];
        for (size_t j = 0; j <= k; j++)
            to->hessian[at++] += part[k] * x->traits[j];
    }
    if (x->group > 0) {
        double *h = rest->hessian + (size_t)x->group * (x->group + 1) / 2;
        rest->gradient[x->group] += g;
        for (size_t k = 0; k < IV_LABEL_NUMBERS; k++)
            h[k] += part[k];
        h[x->group] += v;
    }
    rest->weight += x->weight;
    rest->relevant += x->relevant ? 1.0 : 0.0;
    rest->used++;
}

static void add_numbers(pass_sums *to, const number_sums *from)
{
    for (size_t k = 0; k < IV_LABEL_NUMBERS; k++)
        to->gradient[k] += from->gradient[k];
    for (size_t k = 0; k < IV_LABEL_NUMBERS * (IV_LABEL_NUMBERS + 1) / 2; k++)
        to->hessian[k] += from->hessian[k];
}

static void pass(pass_sums *out, const double *c, const iv_label_example *x, size_t count,
                 size_t fold)
{
    number_sums numbers = { { 0.0 }, { 0.0 } };
    double p[BLOCK];

    *out = (pass_sums){ .weight = 0.0 };
    for (size_t first = 0; first < count; first += BLOCK) {
        const size_t n = count - first < BLOCK ? count - first : BLOCK;
        for (size_t i = 0; i < n; i++)
            p[i] = expected(c, &x[first + i]);
        for (size_t i = 0; i < n; i++)
            if (x[first + i].fold != fold)
                add_example(&numbers, out, p[i], &x[first + i]);
    }
    add_numbers(out, &numbers);
}

/* One step of Newton's method; returns how far it went. */
static double step(double *c, const pass_sums *s, size_t width)
{
    const double scale = (double)s->used / s->weight;
    double h[IV_LABEL_TRAITS * IV_LABEL_TRAITS], g[IV_LABEL_TRAITS], far = 0.0;

    for (size_t k = 0; k < width; k++) {
        const double ridge = k == 0 ? loose : tight;
        for (size_t j = 0; j <= k; j++)
            h[k * width + j] = scale * s->hessian[k * (k + 1) / 2 + j];
        g[k] = scale * s->gradient[k] - ridge * c[k];
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

/* From c on, of which `first` has the sums. */
static void fit(double *c, const pass_sums *first, const iv_label_example *x, size_t count,
                size_t width, size_t fold)
{
    pass_sums s = *first;

    if (s.used == 0 || s.relevant == 0.0) {
        memset(c, 0, width * sizeof *c);
        c[0] = never;
        return;
    }
    for (size_t i = 0; i < STEPS && step(c, &s, width) >= close_enough; i++)
        pass(&s, c, x, count, fold);
}

static void add_sums(pass_sums *to, const pass_sums *from, size_t width, double sign)
{
    for (size_t k = 0; k < width; k++)
        to->gradient[k] += sign * from->gradient[k];
    for (size_t k = 0; k < width * (width + 1) / 2; k++)
        to->hessian[k] += sign * from->hessian[k];
    to->weight += sign * from->weight;
    to->relevant += sign * from->relevant;
}

void iv_label_fit(double *coefficient, const iv_label_example *examples, size_t count,
                  size_t width, size_t folds)
{
    double c[IV_LABEL_TRAITS] = { 0 };
    pass_sums all, part[IV_LABEL_FOLDS] = { { .weight = 0.0 } };

    pass(&all, c, examples, count, SIZE_MAX);
    fit(c, &all, examples, count, width, SIZE_MAX);
    /* Folds start where the fit of all ended, and one pass has the first step of each. */
    for (size_t i = 0; i < count; i++) {
        number_sums numbers = { { 0.0 }, { 0.0 } };
        add_example(&numbers, &part[examples[i].fold], expected(c, &examples[i]), &examples[i]);
        add_numbers(&part[examples[i].fold], &numbers);
    }
    all = (pass_sums){ .weight = 0.0 };
    for (size_t f = 0; f < folds; f++) {
        add_sums(&all, &part[f], width, 1.0);
        all.used += part[f].used;
    }
    for (size_t f = 0; f < folds; f++) {
        pass_sums rest = all;
        add_sums(&rest, &part[f], width, -1.0);
        rest.used -= part[f].used;
        memcpy(coefficient + f * width, c, width * sizeof *c);
        fit(coefficient + f * width, &rest, examples, count, width, f);
    }
}
