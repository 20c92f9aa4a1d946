/* SPDX-License-Identifier: Apache-2.0 */
/* A list of items with automatic labels, of which people looked at some. */
#ifndef IV_CLASSIFY_CHECKED_H
#define IV_CLASSIFY_CHECKED_H

#include "intervale/classify.h"

/*
 * Reads a table, as iv_csv_load() does: id, gold (empty where nobody looked), the machine's column
 * and one for each system; without any the machine is the system.  `probability` is the column of
 * the probability with which an item was looked at (NULL: pi, if there is one); of the labels'
 * options gold, positive ("1") and systems count; confidence 0: .95.  IV_EPARSE for a column that
 * is missing, a cell of a system that is empty, a probability outside (0, 1]; IV_ENODATA where
 * fewer than two items were looked at.  *out is the caller's: iv_checked_free().
 */
IV_MUST_CHECK int iv_checked_load(iv_checked **out, const char *path, const char *machine,
                                  const char *probability, const iv_labels_options *labels,
                                  double confidence, const iv_work *work, iv_err *err);

void iv_checked_free(iv_checked *c);

/* The answer of prf for such a list. */
IV_MUST_CHECK int iv_prf_checked(iv_result *out, const iv_prf_question *q, const iv_work *work,
                                 iv_err *err);

#endif
