/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of a table that say which items there are, and what they are in truth. */
#ifndef IV_TREC_GOLD_H
#define IV_TREC_GOLD_H

#include "intervale/trec.h"

/* The column of that name; NULL: the first of gold, label, truth, y_true and target that
 * is there.  IV_NONE: there is none. */
size_t iv_gold_column(const iv_csv *t, const char *name);

/* The id of a row. */
typedef struct iv_id_line {
    iv_str id;
    size_t row;
} iv_id_line;

/* Refuses a table that has an id twice, by the first such line; *out (unless NULL) is the ids in
 * their order, to be given to free(). */
IV_MUST_CHECK int iv_ids_once(iv_id_line **out, const iv_csv *t, size_t column, const char *path,
                              iv_err *err);

#endif /* IV_TREC_GOLD_H */
