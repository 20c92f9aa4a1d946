/* SPDX-License-Identifier: Apache-2.0 */
/* The strata of a recall estimate, read from a table. */
#ifndef IV_TREC_STRATA_H
#define IV_TREC_STRATA_H

#include "base/memory.h"
#include "intervale/trec/strata_tables.h"

/*
 * Reads such a file.  runs: the columns that are runs, separated by commas;
 * NULL: all that hold marks and nothing else, unless there is a column segment.
 * IV_EPARSE for a column that is missing, a count that is none, n > N or r > n,
 * a stratum without a name or with another's, and a cell that is no mark.  *out is the arena's.
 */
IV_MUST_CHECK int iv_strata_load(const iv_strata_table **out, iv_arena *own, const char *path,
                                 const char *runs, const iv_work *work, iv_err *err);

/* The same from a text, which is copied; name stands in messages. */
IV_MUST_CHECK int iv_strata_parse(const iv_strata_table **out, iv_arena *own, const char *name,
                                  iv_str text, iv_err *err);

#endif
