/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/trec.h beside what programs do. */
#ifndef IV_TREC_STRATA_PRIVATE_H
#define IV_TREC_STRATA_PRIVATE_H

#include "intervale/trec.h"

/*
 * Reads such a file.  runs: the columns that are runs, separated by commas;
 * NULL: all that hold marks and nothing else, unless there is a column segment.
 * IV_EPARSE for a column that is missing, a count that is none, n > N or r > n,
 * a stratum without a name or with another's, and a cell that is no mark.
 */
IV_MUST_CHECK int iv_strata_load(iv_strata **out, const char *path,
                                        const char *runs, const iv_work *work, iv_err *err);

/* The same from a text, which is copied; name stands in messages. */
IV_MUST_CHECK int iv_strata_parse(iv_strata **out, const char *name, const void *text,
                                         size_t len, const char *runs, iv_err *err);

void iv_strata_free(iv_strata *s);

/* What it holds; borrowed. */
const iv_strata_table *iv_strata_view(const iv_strata *s);

#endif /* IV_TREC_STRATA_PRIVATE_H */
