/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far a topic's values could be: over what its unjudged documents might
 * turn out to be (bounds), and over the orders of tied documents (ties).
 */
#ifndef IV_ESTIMATE_RANGES_H
#define IV_ESTIMATE_RANGES_H

#include "intervale/estimate.h"

/* The memory that this reuses; one a thread. */
typedef struct iv_ranges iv_ranges;

/* The measures and the scorer must outlive it; the scorer is used. */
int iv_ranges_new(iv_ranges **out, const iv_measures *m, iv_scorer *scorer,
                  int32_t largest, iv_err *err);
void iv_ranges_free(iv_ranges *r);

/* Fill one entry a value; row holds the topic's values as scored. */
int iv_ranges_bounds(iv_bounds *out, iv_ranges *r, const iv_joined *topic,
                     const double *row, iv_err *err);
int iv_ranges_ties(iv_ties *out, iv_ranges *r, const iv_joined *topic,
                   const double *row, iv_err *err);

/* Where nothing can change: the value itself, or NaN for other measures. */
void iv_ranges_fixed(iv_bounds *bounds, iv_ties *ties, const iv_ranges *r, size_t i,
                     double value);

#endif /* IV_ESTIMATE_RANGES_H */
