/* SPDX-License-Identifier: Apache-2.0 */
/* The column of a table that says what items are in truth. */
#ifndef IV_TREC_GOLD_H
#define IV_TREC_GOLD_H

#include "intervale/trec.h"

/* The column of that name; NULL: the first of gold, label, truth, y_true and target that
 * is there.  IV_EPARSE when it is not, with what is. */
IV_MUST_CHECK int iv_gold_column(size_t *out, const iv_csv *t, const char *path,
                                 const char *name, iv_err *err);

#endif /* IV_TREC_GOLD_H */
