/* SPDX-License-Identifier: Apache-2.0 */
/* Columns that put items into groups, such as a language or a region. */
#ifndef IV_TREC_ITEM_GROUPS_H
#define IV_TREC_ITEM_GROUPS_H

#include "base/memory.h"
#include "intervale/trec/delimited_tables.h"
#include "intervale/trec/gold_labels.h"

/* Reads the columns that "group=NAME" names, each text perhaps several between commas.  Refuses
 * another role, a column that is not there, and one with a single group. */
IV_MUST_CHECK int iv_item_groups_read(iv_item_groups **out, size_t *count, const iv_csv *t,
                                      const iv_texts *columns, iv_arena *own, iv_err *err);

/* Takes the columns of groups out of a list of columns of the table. */
void iv_drop_groups(size_t *columns, size_t *count, const iv_csv *t, const iv_item_groups *groups,
                    size_t groupings);

#endif
