/* SPDX-License-Identifier: Apache-2.0 */
/* How many topics need human labels, with and without automatic ones. */
#include "labels/plan_machine.h"
#include "num/dist.h"

#include <math.h>

enum { ROUNDS = 200 };

static int check(double sd, double rho, double width, double *confidence, iv_err *err)
{
    if (*confidence == 0.0)
        *confidence = 0.95;
    if (!(sd > 0.0) || !(width > 0.0) || !(fabs(rho) <= 1.0))
        return iv_fail(err, IV_EARG, "sd %g, width %g and correlation %g, expected sd and width "
                       "above 0 and a correlation from -1 to 1", sd, width, rho);
    if (!(*confidence > 0.0 && *confidence < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected between 0 and 1", *confidence);
    return IV_OK;
}

/* n with (1 - r2) / n + r2 / T = (width / (2 q sd))^2; NaN: T is too small. */
static double topics_for(double sd, double r2, double T, double width, double q)
{
    const double half = width / (2.0 * q * sd), left = half * half - r2 / T;

    return left > 0.0 ? (1.0 - r2) / left : (double)NAN;
}

/*
 * The same with Student's t, whose degrees depend on n; never fewer than leave two.  What n asks
 * for falls as n rises, so that halving finds the one number; going from one to the other may
 * swing for ever where topics are few.
 */
static double by_student(double sd, double r2, double T, double width, double tail, double less)
{
    double low = less + 2.0, high = low;

    for (int i = 0; i < ROUNDS; i++, low = high, high *= 2.0)
        if (topics_for(sd, r2, T, width, iv_t_isf(tail, high - less)) <= high)
            break;
    if (!(topics_for(sd, r2, T, width, iv_t_isf(tail, high - less)) <= high))
        return (double)NAN;
    for (int i = 0; i < ROUNDS && high - low > 1e-14 * high; i++) {
        const double n = 0.5 * (low + high);
        if (topics_for(sd, r2, T, width, iv_t_isf(tail, n - less)) <= n)
            high = n;
        else
            low = n;
    }
    return high;
}

int iv_plan_machine_topics(iv_machine_topics *out, double sd, double rho, double T, double width,
                           double confidence, iv_err *err)
{
    const int rc = check(sd, rho, width, &confidence, err);
    const double r2 = rho * rho, tail = 0.5 * (1.0 - confidence);

    if (rc != IV_OK)
        return rc;
    if (!(T >= 1.0))
        return iv_fail(err, IV_EARG, "%g topics for the machine, expected 1 or more", T);
    const double alone_t = by_student(sd, 0.0, INFINITY, width, tail, 1.0);
    /* The formula is that of n <= T; beyond, it has more than people alone need, or NaN. */
    *out = (iv_machine_topics){ fmin(by_student(sd, r2, T, width, tail, 2.0), alone_t), alone_t,
                                isinf(T) ? 0.0 : 2.0 * iv_t_isf(tail, fmax(1.0, T - 1.0)) * sd
                                / sqrt(T) };
    return IV_OK;
}
