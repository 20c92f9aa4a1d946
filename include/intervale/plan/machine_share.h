/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many topics people should judge when a machine labels all: the variance of a mean is
 * sd^2 ((1 - rho^2) / n + rho^2 / T), rho the correlation of people's values with the
 * machine's over topics.  doc/methods/machine.md.
 */
#ifndef INTERVALE_PLAN_MACHINE_SHARE_H
#define INTERVALE_PLAN_MACHINE_SHARE_H

#include "intervale/base.h"

IV_BEGIN_C

/*
 * Topics for people so that the interval of a mean is `width` wide, with T topics labelled by
 * the machine: by the normal, and by Student's t (n - 2; the fixed point).  T infinite is as
 * many as it takes.  Never more than without the machine, which helps where it labels more
 * topics than that.  IV_EARG for sd or width that are not above 0, rho outside [-1, 1], T
 * below 1, a confidence outside (0, 1) (0: .95).
 */
typedef struct iv_machine_topics {
    double by_normal, by_t;
    double alone_normal, alone_t; /* without the machine; t with n - 1 */
    double least_width;           /* that T topics allow: people judge them all; by t, n - 1 */
} iv_machine_topics;

IV_END_C

#endif /* INTERVALE_PLAN_MACHINE_SHARE_H */
