/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of a review while it is being judged: interim analyses, limits that are valid at any
 * time, and rules that say when one may stop.  What is exact and what is approximate is said at
 * each function; doc/methods/stopping.md has the formulas and measured error rates.
 *
 * Refs: Lan and DeMets (1983); Waudby-Smith and Ramdas (2020); Turner, Ly and
 * Gruenwald (2024); Lewis, Yang and Frieder (2021); Callaghan and Mueller-Hansen (2020).
 */
#ifndef IV_STAT_SEQUENTIAL_INTERIM_H
#define IV_STAT_SEQUENTIAL_INTERIM_H

#include "intervale/stat/interim_analyses.h"

typedef struct iv_look {
    double fraction; /* of the largest sample */
    double z;        /* the bound: stop when the test's z is at least that */
    double error;    /* of a one-sided limit to be shown at this look: P(Z >= z) */
    double spent;    /* of the level, by the end of this look */
} iv_look;

/*
 * The looks of a plan, one-sided, of which at least one reports more than the truth with
 * probability `level` (0 < level < 1/2); for two sides halve it.  fractions are increasing,
 * in (0, 1]; NULL: equal ones.  The first two shapes fix all looks beforehand, the last of
 * which must be at 1; the other two hold for looks at any fractions that do not depend on the
 * results.  Exact for a normal statistic with independent increments, to 1e-6 in error.
 * IV_EARG for other numbers, IV_ENOMEM.
 */
IV_MUST_CHECK int iv_looks_of(iv_look *out, const double *fractions, size_t count,
                                     iv_look_shape shape, double level, iv_err *err);

#endif
