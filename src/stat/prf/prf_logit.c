/* SPDX-License-Identifier: Apache-2.0 */
/*
 * With n = a + b and p = a/n the density of T at log(a/b) + d is
 *
 *     a b/n exp(c(n) - c(a) - c(b)) exp(-n (log(1 + p (e^d - 1)) - p d)),
 *
 * c() the remainder of Stirling's formula.  The last exponent is about
 * n p (1-p) d^2/2, a difference of terms of size n p d; written with
 * log(1+m) - m and e^d - 1 - d, and p <= 1/2, it keeps all its digits, so that
 * counts of 10^8 are as good as counts of 10.
 */
#include "stat/prf/prf_state.h"

#include <math.h>

#include "num/num_parts.h"

/* log(1 + x) - x for |x| <= 1/2: with r = x/(2+x), log(1+x) = 2 atanh(r). */
static double log1p_rest(double x)
{
    const double r = x / (2.0 + x), square = r * r;
    double power = square, sum = 1.0 / 3.0;

    for (double k = 5.0; k < 60.0; k += 2.0) {
        const double term = power / k;
        sum += term;
        if (term < 1e-17 * sum)
            break;
        power *= square;
    }
    return 2.0 * r * square * sum - x * r;
}

/* e^d - 1 - d for |d| <= 1/2. */
static double expm1_rest(double d)
{
    double term = 0.5 * d * d, sum = term;

    for (double k = 3.0; fabs(term) > 1e-17 * sum; k += 1.0) {
        term *= d / k;
        sum += term;
    }
    return sum;
}

/* log(1 + p (e^d - 1)) - p d, p <= 1/2. */
static double deviance(double p, double d)
{
    if (fabs(d) <= 0.5) {
        const double rest = expm1_rest(d);
        const double m = p * (d + rest);
        return log1p_rest(m) + p * rest;
    }
    if (d > 30.0)
        return (1.0 - p) * d + log(p + (1.0 - p) * exp(-d));
    return log1p(p * expm1(d)) - p * d;
}

iv_logit_beta iv_logit_beta_of(double a, double b)
{
    const double n = a + b;
    const double rest = iv_factorial_rest(n) - iv_factorial_rest(a) - iv_factorial_rest(b);

    return (iv_logit_beta){ .a = a, .b = b, .centre = log(a / b),
                            .spread = sqrt(1.0 / a + 1.0 / b),
                            .peak = a * (b / n) * exp(rest) };
}

double iv_logit_beta_fall(const iv_logit_beta *t, double offset)
{
    const double n = t->a + t->b;

    return t->a <= t->b ? -n * deviance(t->a / n, offset) : -n * deviance(t->b / n, -offset);
}

double iv_logit_beta_density(const iv_logit_beta *t, double offset)
{
    return t->peak * exp(iv_logit_beta_fall(t, offset));
}

double iv_logit_beta_reach(const iv_logit_beta *t, double depth, bool above)
{
    const double sign = above ? 1.0 : -1.0;
    double near = 0.0, far = t->spread;

    while (-iv_logit_beta_fall(t, sign * far) < depth) {
        near = far;
        far *= 2.0;
    }
    for (int i = 0; i < 40; i++) {
        const double middle = 0.5 * (near + far);
        if (-iv_logit_beta_fall(t, sign * middle) < depth)
            near = middle;
        else
            far = middle;
    }
    return far;
}

double iv_logistic(double t)
{
    return t >= 0.0 ? 1.0 / (1.0 + exp(-t)) : exp(t) / (1.0 + exp(t));
}

double iv_logit_of(double x, double y)
{
    return x <= 0.0 ? -INFINITY : y <= 0.0 ? INFINITY : log(x / y);
}
