/* SPDX-License-Identifier: Apache-2.0 */
/* How answers fill a result: inputs, notes, methods, and tables whose columns depend on data. */
#ifndef IV_RESULT_RESULT_BUILD_H
#define IV_RESULT_RESULT_BUILD_H

#include "base/memory.h"
#include "intervale/result/reading_back.h"
#include "intervale/result/result_tables.h"

/* The words of the command line; borrowed. */
iv_texts iv_result_arguments(const iv_result *r);

/* Was one table asked for by its name, any? */
bool iv_result_wants_one(const iv_result *r);

/* Memory that is freed when the answer is made: what an answer needs, and no longer. */
iv_arena *iv_result_own(iv_result *r);

void iv_result_input(iv_result *r, const char *path, uint64_t bytes);

/* A note on how to read what is shown, or how it was made: pages have it beside the tables. */
void iv_result_legend(iv_result *r, const char *fmt, ...) IV_PRINTF(2, 3);

/* A legend of what only people's columns have, such as stars: for text, markdown and latex. */
void iv_result_key(iv_result *r, const char *fmt, ...) IV_PRINTF(2, 3);

bool iv_result_wants_charts(const iv_result *r);

/* Wants the tables of `showing` and those before it in iv_showing, or only the one
 * that is named ("": only the first); and charts or not.  See iv_report_wish(). */
void iv_result_wish(iv_result *r, const char *table, iv_showing showing, bool charts);

/* SIZE_MAX: none */
iv_cell iv_table_cell(const iv_table *t, size_t row, size_t column);

/* The answer behind the word of the verdict, ": new is not worse ..."; warnings follow it. */
void iv_result_decision(iv_result *r, const char *fmt, ...) IV_PRINTF(2, 3);

/* A copy that lives as long as the result; "" when memory is out, which the status tells. */
const char *iv_result_keep(iv_result *r, iv_str s);

/* Tables whose columns depend on the data; others are declared (iv_result_rows). */

/*
 * Adds an empty table; columns are copied.  Never NULL: after an allocation
 * failure the rows go nowhere and iv_result_status() tells.
 */
iv_table *iv_result_table(iv_result *r, const char *name, const iv_column *columns,
                          size_t count);

/* Which formats show it; a new table is IV_SHOWN. */
void iv_table_showing(iv_table *t, iv_showing showing);

/* Text output shall draw this interval at the end of each row. */
void iv_table_draw(iv_table *t, iv_drawn drawn);

/* Text leaves it out and says that it is there; the others show it. */
void iv_table_named(iv_table *t);

/* What stands behind the largest value of a column, and what the caption says of it; latex
 * sets such values in bold instead. */
#define IV_PAPER_MAX " (max)"
#define IV_PAPER_MARKED "is marked (max)"
#define IV_PAPER_BOLD "is in bold"

/* The note added last is about these tables ("pairs groups"): who sees none of them is not
 * told.  Notes of the result are all of them; formats leave out what they do not show. */
void iv_result_about(iv_result *r, const char *tables);

/* Adds a note; its texts are copied but for the id, which is static. */
void iv_result_add_note(iv_result *r, const iv_note *note);

/* A sentence before the answer, set before or after it. */
void iv_result_lead(iv_result *r, const char *text);

/* A method was used: its id, static, and what the line on methods says of it, once. */
void iv_result_add_method(iv_result *r, const char *id, const char *text);

/* ... and it rests on a paper; all static.  One that is there already is not added. */
void iv_result_add_citation(iv_result *r, const iv_citation *c);

/* It is one that a paper prints: a text a run, then cells of value, interval and marks. */
void iv_table_paper(iv_table *t, const char *caption, const char *label);

/*
 * Fills the next cell of the table, row by row, left to right; the kind must
 * be the column's.  A real that is not finite is a missing value.
 */
void iv_put_text(iv_table *t, iv_str s);
void iv_put_int(iv_table *t, int64_t v);
void iv_put_real(iv_table *t, double v);
void iv_put_missing(iv_table *t);

/* Appends rows to a table that iv_result_rows() made with the same fields and flags:
 * a large one need not be in memory twice. */
void iv_table_append(iv_table *t, const iv_rows *rows);

/* The last so many rows have counts in that column of reals, among others that have shares. */
void iv_table_counts(iv_table *t, size_t rows, const char *column);

/* What people read above a column. */
void iv_table_head(iv_table *t, const char *column, const char *heading);

/* Has the column a value in any row, and do its cells differ? */
bool iv_table_has_any(const iv_table *t, size_t column);
bool iv_table_varies(const iv_table *t, size_t column);

/* Do people see the column, or all of them if verbose? */
bool iv_table_seen(const iv_table *t, size_t column, bool verbose);

/* Will only the number of such a table's rows be shown?  They are not kept then. */
bool iv_result_counts_only(const iv_result *r, iv_showing showing);

/* Was this table asked for by its name? */
bool iv_result_wants_only(const iv_result *r, const char *table);

#endif
