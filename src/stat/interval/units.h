/* SPDX-License-Identifier: Apache-2.0 */
/* Means of scores that are nested in clusters or repeated. */
#ifndef IV_STAT_INTERVAL_UNITS_H
#define IV_STAT_INTERVAL_UNITS_H

#include <stdlib.h>

#include "base/memory.h"
#include "intervale/stat/structured_means.h"

/* A thread's memory: one number a unit or a set. */
typedef struct iv_units iv_units;
iv_units *iv_units_new(iv_arena *own, size_t items, const iv_structure *s); /* NULL: none left */

/*
 * iv_structured_mean() with memory at hand, without repeats.  `parts`, of room for as many
 * as there are units, NULL: not wanted: what each unit adds, times their number, so that
 * their mean is the mean; `around`: the same as distances from the mean, which resamples
 * are made of.
 */
void iv_units_mean(iv_structured *out, double *parts, double *around, const double *x,
                   size_t items, const iv_structure *s, iv_units *u);

/* Two systems' repeats. */
void iv_structured_repeats(iv_structured *m, const iv_structure *s, size_t system);

/* What cannot be: IV_EARG. */
IV_MUST_CHECK int iv_structure_check(const iv_structure *s, size_t items, iv_err *err);

#endif
