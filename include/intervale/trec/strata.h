/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of strata: stratum,N,n,r and either a column `segment` (retrieved or
 * unretrieved) or one column a run that marks what the run retrieved (1/0 or
 * R/N); in any order, other columns ignored.
 */
#ifndef INTERVALE_TREC_STRATA_H
#define INTERVALE_TREC_STRATA_H

#include "intervale/base.h"

IV_BEGIN_C

typedef struct iv_strata_row {
    iv_str name;
    int64_t size, sampled, relevant; /* N, n, r */
    uint64_t line;                   /* of the file, for messages; 0: none */
} iv_strata_row;

/* A table, read from a file or made by the caller. */
typedef struct iv_strata_table {
    const iv_strata_row *rows;
    const iv_str *runs;     /* a table by segments has one, "review" */
    const bool *retrieved;  /* run after run, one for each row */
    size_t row_count, run_count;
    const char *path;       /* NULL: no file */
    uint64_t bytes;         /* of the file as it is kept */
    const char *ignored;    /* names of other columns, quoted; "" or NULL: none */
} iv_strata_table;

typedef struct iv_strata iv_strata;

IV_END_C

#endif /* INTERVALE_TREC_STRATA_H */
