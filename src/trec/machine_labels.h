/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of a machine (an LLM or a classifier), read from a file. */
#ifndef IV_TREC_MACHINE_LABELS_H
#define IV_TREC_MACHINE_LABELS_H

#include "intervale/base.h"
#include "intervale/trec/relevance_judgments.h"

/*
 * Reads a machine's labels: qrels or BEIR as iv_judgments_load() does (format 0: told by
 * content), and lines of topic, document and score (or qrels whose grades are real numbers).
 * *scored tells that they are scores: their grades are then 0 to IV_SCORE_PARTS - 1 by rank,
 * equal scores alike.  Whole numbers of at most 16 different values are grades.  *out is the
 * caller's: iv_judgments_free().  Errors as iv_judgments_load(); IV_EPARSE too for a sample
 * or a stratified file, since a machine labels everything.
 */
IV_MUST_CHECK int iv_machine_labels_load(struct iv_judgments **out, bool *scored,
                                                const char *path, int format,
                                                const iv_work *work, iv_err *err);

/*
 * The same labels with new grades: as many as `count` rising cuts are at most the old one.
 * *out is the caller's.  IV_ENOMEM, IV_EARG for cuts that do not rise.
 */
IV_MUST_CHECK int iv_machine_labels_cut(struct iv_judgments **out,
                                               const struct iv_judgments *labels,
                                               const int32_t *cuts, size_t count, iv_err *err);

#endif
