/* SPDX-License-Identifier: Apache-2.0 */
/*
 * X + Y of two independent variables on (0, 1), each known by the panels of
 * its logit.  A difference X - Z is X + (1 - Z) - 1: a side may be mirrored.
 */
#ifndef IV_STAT_PRF_SUM_H
#define IV_STAT_PRF_SUM_H

#include "stat/prf/prf_logit.h"
#include "stat/prf/prf_panels.h"

typedef struct iv_side {
    const iv_panels *panels; /* of the logit, measured from centre */
    double centre;
    double deviation;        /* of X itself */
    bool mirrored;           /* the variable is 1 - X */
    /* The density itself, or NULL: panels tell tails only absolutely, and a
     * density of the sum needs them relatively. */
    const iv_logit_beta *exact;
} iv_side;

/* A place on the sum's line: the mean u = (x+y)/2 and 1 - u, both exact. */
typedef struct iv_halfway {
    double u, rest;
} iv_halfway;

/* Room for the cuts of an integral; {0} is empty, free() the pointer. */
typedef struct iv_cuts {
    double *at;
    size_t count, capacity;
} iv_cuts;

/* False when memory is out. */
bool iv_add_cut(iv_cuts *c, double at);

/* P(X + Y <= 2u).  IV_ENOMEM is the only failure. */
IV_MUST_CHECK int iv_sum_below(double *out, const iv_side *x, const iv_side *y,
                               iv_halfway at, iv_cuts *cuts, iv_err *err);

/* The density of (X + Y)/2 at u. */
IV_MUST_CHECK int iv_sum_density(double *out, const iv_side *x, const iv_side *y,
                                 iv_halfway at, iv_cuts *cuts, iv_err *err);

#endif /* IV_STAT_PRF_SUM_H */
