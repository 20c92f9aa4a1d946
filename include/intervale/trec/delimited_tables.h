/* SPDX-License-Identifier: Apache-2.0 */
/* Tables with a header: cells are separated by commas, tabs or blanks. */
#ifndef INTERVALE_TREC_DELIMITED_TABLES_H
#define INTERVALE_TREC_DELIMITED_TABLES_H

#include "intervale/base.h"

IV_BEGIN_C

/* A table with a header; cells are separated by commas, tabs or blanks. */
typedef struct iv_csv iv_csv;

/*
 * Reads such a file, with quotes as in RFC 4180.  The separator is the comma; the tab, if
 * the header has tabs but no comma; or blanks, if it has neither.  Every cell is text.
 * Blanks around a cell are removed; empty lines are skipped.  IV_EPARSE if a row is longer
 * or shorter than the header, if a column name occurs twice, if a quote is not closed, or
 * if there are no rows.
 */
IV_API IV_MUST_CHECK int iv_csv_load(iv_csv **out, const char *path,
                                     const iv_work *work, iv_err *err);
IV_API IV_MUST_CHECK int iv_csv_parse(iv_csv **out, const char *name,
                                      const void *text, size_t len, iv_err *err);
IV_API void iv_csv_free(iv_csv *t);

/* The size of the table, the name of a column, a cell; texts are borrowed from the table. */
IV_API size_t iv_csv_columns(const iv_csv *t);
IV_API size_t iv_csv_rows(const iv_csv *t);
IV_API iv_str iv_csv_column(const iv_csv *t, size_t column);
IV_API iv_str iv_csv_cell(const iv_csv *t, size_t row, size_t column);

/* Is a file a table of labels by several assessors, by its header?  IV_EIO if it cannot be
 * read, IV_EPARSE if it is damaged. */
IV_API IV_MUST_CHECK int iv_file_is_assessments(bool *out, const char *path,
                                                const iv_work *work, iv_err *err);

IV_END_C

#endif
