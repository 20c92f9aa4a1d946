/* SPDX-License-Identifier: Apache-2.0 */
/* Draws from joint posteriors, and averages over categories. */
#ifndef IV_STAT_PRF_PRF_DRAWS_H
#define IV_STAT_PRF_PRF_DRAWS_H

#include <stdlib.h>

#include "base/memory.h"
#include "stat/prf/prf_counts.h"

/* Sorts draws.  The mean, and limits with equal tails. */
iv_interval iv_summarise_draws(double *x, size_t n, double confidence);

/* Draws of some metrics, metric by metric, all from the same draws of the cells: how many,
 * and of which stream within the seed of the work. */
IV_MUST_CHECK int iv_prf_draw(double *out, const iv_prf_cells *c, const iv_prf_metric *metrics,
                              size_t count, size_t draws, uint32_t stream, const iv_work *work,
                              iv_err *err);

/* The posterior of all systems on the same items: of one class against the rest. */
typedef struct iv_prf_joint {
    size_t systems, cells;
    int32_t *label; /* cells x (systems + 1), 0 or 1 */
    double *alpha;  /* of each cell */
    double rest;    /* of the stick, 0: the cells are all there are */
    double right;   /* prior share of being right */
} iv_prf_joint;

/* Of the systems listed (by their index in items; NULL: all of them), in the arena.  O(items). */
IV_MUST_CHECK int iv_prf_joint_of(iv_prf_joint *j, iv_arena *own, const iv_prf_items *items,
                                  int32_t klass, const size_t *systems, size_t count,
                                  iv_prf_prior prior, iv_err *err);

/* Draws of metrics, and of each all systems; draw i of every system comes from the same draw of the
 * joint posterior, so that differences are paired. */
IV_MUST_CHECK int iv_prf_joint_draw(double *out, const iv_prf_joint *j,
                                    const iv_prf_metric *metrics, size_t count,
                                    size_t draws, uint32_t stream, const iv_work *work,
                                    iv_err *err);

/* Macro or weighted averages of precision, recall or F over classes: a value with its jackknifed
 * standard error; no limits where that is 0. */

iv_interval iv_prf_gap_limits(double value, double se, double df, double confidence);

/* Of a system's labels; of two systems' on the same items, a - b; of independent categories. */
IV_MUST_CHECK int iv_prf_average_labels(iv_interval *out, const iv_prf_items *items,
                                        size_t system, iv_prf_average average,
                                        iv_prf_metric metric, double confidence, iv_err *err);
IV_MUST_CHECK int iv_prf_average_gap(iv_interval *out, const iv_prf_items *items, size_t a,
                                     size_t b, iv_prf_average average, iv_prf_metric metric,
                                     double confidence, iv_err *err);
iv_interval iv_prf_average_categories(const iv_prf_counts *const *categories, size_t count,
                                      iv_prf_metric metric, double confidence);

#endif
