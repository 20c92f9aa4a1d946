/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/trec/score_table.h beside what programs do. */
#ifndef IV_TREC_SCORE_TABLE_PRIVATE_H
#define IV_TREC_SCORE_TABLE_PRIVATE_H

#include "intervale/trec/score_table.h"

/* Their names in that order, ending with NULL. */
const char *const *iv_score_role_names(void);

/*
 * Reads the files, or takes the arrays.  IV_EPARSE with file and line for what cannot be
 * read, a score that is no finite number, the same score twice, an item that is in two
 * clusters or sets or has two weights; IV_EARG for columns that are no role=name or for arrays
 * of unequal length; IV_ENODATA when there is no score.  *out is the caller's:
 * iv_score_table_free().
 */
IV_MUST_CHECK int iv_score_table_load(iv_score_table **out, const iv_score_source *source,
                                        const iv_work *work, iv_err *err);

/* One file's bytes, plain or packed; name stands in messages and gives the system. */
IV_MUST_CHECK int iv_score_table_parse(iv_score_table **out, const char *name, const void *text,
                                         size_t len, const iv_texts *columns, iv_err *err);

void iv_score_table_free(iv_score_table *s);

/* What there is; borrowed from s. */
const iv_score_view *iv_score_table_view(const iv_score_table *s);

#endif /* IV_TREC_SCORE_TABLE_PRIVATE_H */
