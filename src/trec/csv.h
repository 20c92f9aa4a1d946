/* SPDX-License-Identifier: Apache-2.0 */
/* A table with named columns, in memory. */
#ifndef IV_TREC_CSV_H
#define IV_TREC_CSV_H

#include "base/bytes.h"
#include "base/memory.h"
#include "intervale/trec/delimited_tables.h"
#include "trec/problems.h"

/* The size of the file as it is kept; how many columns and rows (without the
 * header) it has, both at least 1; the name of a column, borrowed. */
uint64_t iv_csv_bytes(const iv_csv *t);

/* The column of that name, byte for byte, or IV_NONE; a cell, borrowed, empty if
 * the file has nothing there. */
size_t iv_csv_find(const iv_csv *t, iv_str name);

/* The line of the file on which a row begins, for messages. */
uint64_t iv_csv_line(const iv_csv *t, size_t row);

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

/* Does a cell say that there is no number: empty, or as pandas, numpy, R and JSON write it? */
bool iv_csv_is_missing(iv_str cell);

/* A cell of CSV (RFC 4180).  With marks, what a spreadsheet would take for a formula has an
 * apostrophe before it, and one more where it has some: iv_unmarked() gives the same text back. */
void iv_put_csv(FILE *out, iv_str s, bool marks);
iv_str iv_unmarked(iv_arena *a, iv_str s);

/*
 * Parses t->bytes; problems go to the list.  With `collect`, a row of the
 * wrong length is told and left out.  Asks work whether to go on.
 */
void iv_csv_read(iv_csv *t, bool collect, const iv_work *work, iv_problems *problems);

/* Reads a table as every reader does, from bytes it takes over. */
IV_MUST_CHECK int iv_csv_from(iv_csv **out, iv_bytes *bytes, const char *name,
                              const iv_work *work, iv_err *err);

#endif
