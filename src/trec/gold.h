/* SPDX-License-Identifier: Apache-2.0 */
/* The column of a table that says what items are in truth. */
#ifndef IV_TREC_GOLD_H
#define IV_TREC_GOLD_H

#include "intervale/trec.h"

/* The column of that name; NULL: the first of gold, label, truth, y_true and target that
 * is there.  IV_NONE: there is none. */
size_t iv_gold_column(const iv_csv *t, const char *name);

#endif /* IV_TREC_GOLD_H */
