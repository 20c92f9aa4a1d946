/* SPDX-License-Identifier: Apache-2.0 */
/* What classifiers are worth in each group of items. */
#ifndef IV_CLASSIFY_CLASS_GROUPS_H
#define IV_CLASSIFY_CLASS_GROUPS_H

#include "intervale/classify.h"
#include "result/gaps.h"

/* Of labels: accuracy, precision, recall, specificity, F1 and the selection rate of two classes;
 * accuracy and macro F1 of more; or the metrics named.  Refuses others. */
IV_MUST_CHECK int iv_label_gaps(iv_gaps *out, const iv_labels *l, const iv_texts *metrics,
                                iv_arena *own, iv_err *err);

/* Of scores: AUC and, of probabilities, Brier score and log loss. */
IV_MUST_CHECK int iv_score_gaps(iv_gaps *out, const iv_scored_system *systems, size_t count,
                                const bool *positive, size_t items, bool probabilities,
                                const iv_item_groups *groups, size_t groupings, iv_arena *own,
                                iv_err *err);

/* Adds, of these scores at a threshold, the selection rate, recall and specificity. */
IV_MUST_CHECK int iv_rate_gaps(iv_gaps *out, const iv_scored_system *systems, size_t count,
                               double threshold, const iv_item_groups *groups, size_t groupings,
                               iv_arena *own, iv_err *err);

#endif
