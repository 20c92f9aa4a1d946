/* SPDX-License-Identifier: Apache-2.0 */
/* What a page of recall draws: posteriors and intervals. */
#ifndef RECALL_CHARTS_H
#define RECALL_CHARTS_H

#include "command/recall_cases.h"

/* A table for the curves of posteriors, and the curves of one of them. */
iv_table *recall_curves(iv_result *out);
void recall_put_curves(iv_table *t, const cmd_context *c, const recall_case *k,
                       const char *method, iv_recall_posterior *w);

/* The charts, once the tables are full. */
void recall_charts(iv_result *out, const cmd_context *c, const recall_cases *cases);

#endif /* RECALL_CHARTS_H */
