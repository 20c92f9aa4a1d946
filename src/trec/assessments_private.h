/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/trec.h beside what programs do. */
#ifndef IV_TREC_ASSESSMENTS_PRIVATE_H
#define IV_TREC_ASSESSMENTS_PRIVATE_H

#include "intervale/trec.h"

/*
 * Reads such a table, as iv_csv_load() does.  IV_EPARSE with the line for a column that is
 * missing, a name that is, an item labelled twice by one assessor; IV_ENODATA without a label.  *out is the caller's.
 */
IV_MUST_CHECK int iv_assessments_load(iv_assessments **out, const char *path,
                                             const iv_work *work, iv_err *err);

IV_MUST_CHECK int iv_assessments_parse(iv_assessments **out, const char *name,
                                              const void *text, size_t len, iv_err *err);

void iv_assessments_free(iv_assessments *a);

const iv_assessments_view *iv_assessments_of(const iv_assessments *a);

#endif /* IV_TREC_ASSESSMENTS_PRIVATE_H */
