/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of strata: columns stratum, N, n, r, and either `segment` (retrieved or
 * unretrieved) or a column for each run, which says whether the run retrieved the stratum
 * (1/0 or R/N).  The order of columns does not matter; other columns are ignored.
 */
#ifndef INTERVALE_TREC_STRATA_TABLES_H
#define INTERVALE_TREC_STRATA_TABLES_H

#include "intervale/base.h"

IV_BEGIN_C

typedef struct iv_strata_row {
    iv_str name;
    int64_t size, sampled, relevant; /* N, n, r */
    uint64_t line;                   /* line of the file, for messages; 0: none */
} iv_strata_row;

/* A table, read from a file or made by the caller. */
typedef struct iv_strata_table {
    const iv_strata_row *rows;
    const iv_str *runs;     /* a table with a column `segment` has one, "review" */
    const bool *retrieved;  /* for each run, one value for each row */
    size_t row_count, run_count;
    const char *path;       /* NULL: no file */
    uint64_t bytes;         /* size of the file on disk */
    const char *ignored;    /* names of other columns, quoted; "" or NULL: none */
    iv_str verdict;         /* of the judging session that it was exported from; empty: none */
} iv_strata_table;

IV_END_C

#endif
