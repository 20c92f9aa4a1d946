/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of tables as text, exact or rounded, and aligned. */
#ifndef IV_REPORT_CELLS_H
#define IV_REPORT_CELLS_H

#include "base/memory.h"
#include "intervale/result/result_tables.h"
#include "report/escape.h"

/* One cell of a table, for people and for programs. */
enum { IV_CELL_SIZE = 64 };

/*
 * A number of that column as text: rounded to its digits for people, exact
 * for programs.  The column must not be one of text, the cell not missing.
 */
const char *iv_cell_rounded(char out[IV_CELL_SIZE], const iv_column *column, iv_cell cell);
const char *iv_cell_exact(char out[IV_CELL_SIZE], const iv_column *column, iv_cell cell);

/*
 * Writes a cell for people (out NULL: only measures) and returns its columns
 * on the screen; a missing one is written as the given text.
 */
size_t iv_cell_show(FILE *out, const iv_column *column, iv_cell cell,
                    const iv_escapes *e, const char *missing);

/*
 * Writes a cell of a column that is `width` columns wide: numbers to the right of it, text to
 * the left.  Returns how many columns are left behind it.
 */
size_t iv_cell_aligned(FILE *out, const iv_column *column, iv_cell cell, const iv_escapes *e,
                       const char *missing, size_t width);

/* How many screen columns each column of t takes, heading included; NULL when memory is out. */
size_t *iv_cell_widths(iv_arena *own, const iv_table *t, const iv_escapes *e,
                       const char *missing);

/* Writes that many spaces. */
void iv_cell_pad(FILE *out, size_t columns);

#endif
