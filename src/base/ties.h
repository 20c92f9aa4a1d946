/* SPDX-License-Identifier: Apache-2.0 */
/* Which means are equal but for rounding. */
#ifndef IV_BASE_TIES_H
#define IV_BASE_TIES_H

#include "intervale/base.h"

/* Statistics of numbers up to 1 that are this close are equal: the order of
 * adding makes less of a difference. */
#define IV_SLACK 1e-12

/* The same for means of numbers like these, in whatever unit they are.  Passes over NaN. */
double iv_slack_of(const double *x, size_t count);

/* Gives means that are no further than slack below another the value of that one: systems
 * that tie are tied.  IV_ENOMEM only. */
IV_MUST_CHECK int iv_tie_means(double *means, size_t count, double slack, iv_err *err);

/* A difference of means, 0 where it is rounding's. */
static inline double iv_true_difference(double difference, double slack)
{
    return difference > slack || difference < -slack ? difference : 0.0;
}

#endif
