/* SPDX-License-Identifier: Apache-2.0 */
/* Short calls of SQLite that fail with one line. */
#ifndef IV_STORE_DB_H
#define IV_STORE_DB_H

#include <sqlite3.h>

#include "base/memory.h"

/* What SQLite says of its last call, as an error about the file; a full disk, a locked and a
 * damaged file have words of their own. */
int iv_db_fail(iv_err *err, sqlite3 *db, const char *path, const char *doing);

/* Statements without results, several separated by ";". */
IV_MUST_CHECK int iv_db_exec(sqlite3 *db, const char *path, const char *sql, iv_err *err);

IV_MUST_CHECK int iv_db_prepare(sqlite3_stmt **out, sqlite3 *db, const char *path,
                                const char *sql, iv_err *err);

/*
 * Binds from the first parameter on: i int64_t (INT64_MIN: NULL), t terminated text (NULL: NULL),
 * s iv_str text, b iv_str blob, n nothing: NULL.  Texts must live until the statement is reset.
 */
void iv_db_bind(sqlite3_stmt *st, const char *kinds, ...);

/* Runs a statement that has no rows, and resets it. */
IV_MUST_CHECK int iv_db_run(sqlite3_stmt *st, const char *path, const char *doing, iv_err *err);

/* The next row: IV_OK, IV_NO_ROW when there is none left, or an error; then it is reset. */
enum { IV_NO_ROW = 1 };
IV_MUST_CHECK int iv_db_step(sqlite3_stmt *st, const char *path, iv_err *err);

/* The three in one: a statement without rows, and without use for another time. */
IV_MUST_CHECK int iv_db_do(sqlite3 *db, const char *path, const char *doing, iv_err *err,
                           const char *sql, const char *kinds, ...);

/* Begins a query; iv_db_next() goes through its rows, and iv_db_end() ends it whatever happened. */
IV_MUST_CHECK int iv_db_query(sqlite3_stmt **out, sqlite3 *db, const char *path, iv_err *err,
                              const char *sql, const char *kinds, ...);

/* Is there another row?  Not behind a failure, which *rc is. */
bool iv_db_next(sqlite3_stmt *st, int *rc, const char *path, iv_err *err);

/* IV_OK when all rows were seen, or as many as were wanted. */
IV_MUST_CHECK int iv_db_end(sqlite3_stmt *st, int rc);

/* The one number that a query gives. */
IV_MUST_CHECK int iv_db_number(int64_t *out, sqlite3 *db, const char *path, const char *sql,
                               iv_err *err);

/* A text or a blob of a row, while it is the row; NULL is empty. */
iv_str iv_db_str(sqlite3_stmt *st, int column);

/* A text of a row, copied; NULL stays NULL. */
const char *iv_db_text(iv_arena *a, sqlite3_stmt *st, int column);

/* An empty database in memory for bytes of another program: nothing that its schema computes is
 * run, values are short, and the progress function of `work` can end a query (IV_ECANCELLED). */
IV_MUST_CHECK int iv_db_open_foreign(sqlite3 **out, const iv_work *work, iv_err *err);

/* Is a schema ("main") whole, and what it has of these tables and columns (["record", "results"])
 * nothing but tables, and columns that are stored?  IV_EPARSE if not. */
IV_MUST_CHECK int iv_db_check_foreign(sqlite3 *db, const char *path, const char *schema,
                                      const char *tables, const char *columns, iv_err *err);

#endif
