/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting the means of resamples, of which a study has hundreds of millions. */
#ifndef IV_STUDY_MAP_SORT_H
#define IV_STUDY_MAP_SORT_H

#include <stddef.h>

/*
 * Ascending.  Means are dealt to as many buckets as there are values, by size,
 * and put right by insertion, which for bell-shaped values is linear in time.
 * scratch: count doubles; bucket: count + 1.
 */
void iv_map_sort(double *values, size_t count, double *scratch, size_t *bucket);

#endif /* IV_STUDY_MAP_SORT_H */
