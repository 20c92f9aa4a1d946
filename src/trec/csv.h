/* SPDX-License-Identifier: Apache-2.0 */
/* Inside a table: for the matrix and the inspection. */
#ifndef IV_TREC_CSV_H
#define IV_TREC_CSV_H

#include "base/bytes.h"
#include "trec/problems.h"

struct iv_csv {
    iv_bytes bytes;
    iv_arena unquoted; /* cells whose quotes had to be resolved */
    iv_str *cells;     /* the header's first, then row by row */
    size_t cell_count, cell_capacity;
    uint64_t *lines;   /* of each row */
    size_t row_count, row_capacity;
    size_t columns;
    const char *path;  /* for messages */
    iv_str *said; /* cells as they were, where commas became points; NULL: nowhere */
};

/* A cell as the file has it: iv_csv_cell() may have a point for a comma. */
iv_str iv_csv_said(const iv_csv *t, size_t row, size_t column);

/* In any case, and with a blank or a hyphen for _: Doc ID is doc_id. */
bool iv_csv_same_name(iv_str a, iv_str b);

/* Does a cell say that there is no number: empty, or as pandas, numpy, R and JSON write it? */
bool iv_csv_is_missing(iv_str cell);

/*
 * Parses t->bytes; problems go to the list.  With `collect`, a row of the
 * wrong length is told and left out.  Asks work whether to go on.
 */
void iv_csv_read(iv_csv *t, bool collect, const iv_work *work, iv_problems *problems);

/* Reads a table as every reader does, from bytes it takes over. */
IV_MUST_CHECK int iv_csv_from(iv_csv **out, iv_bytes *bytes, const char *name,
                              const iv_work *work, iv_err *err);

#endif /* IV_TREC_CSV_H */
