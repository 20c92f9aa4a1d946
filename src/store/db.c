/* SPDX-License-Identifier: Apache-2.0 */
/* Short calls of SQLite that fail with one line. */
#include "base/err.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "store/db.h"

#include <sqlite3.h>
#include <stdarg.h>

enum { FOREIGN_SQL = 1 << 16 }; /* the longest statement of a database of another program */

/* What SQLite says, on one line: it may quote the file. */
static const char *said_by(char out[256], sqlite3 *db)
{
    (void)snprintf(out, 256, "%s", sqlite3_errmsg(db));
    for (char *at = out; *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = '?';
    return out;
}

int iv_db_fail(iv_err *err, sqlite3 *db, const char *path, const char *doing)
{
    const int code = sqlite3_errcode(db);
    char said[256];

    switch (code & 0xff) {
    case SQLITE_NOMEM:
        return iv_fail_at(err, IV_ENOMEM, path, 0, "out of memory");
    case SQLITE_FULL:
        return iv_fail_at(err, IV_EIO, path, 0, "cannot %s: the disk is full", doing);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return iv_fail_at(err, IV_EIO, path, 0, "cannot %s: another process holds the database",
                          doing);
    case SQLITE_NOTADB:
        if (sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, -1) == FOREIGN_SQL)
            return iv_fail_at(err, IV_EPARSE, path, 0, "its database is damaged");
        return iv_fail_at(err, IV_EPARSE, path, 0, "is no database, expected a file of judge new");
    case SQLITE_INTERRUPT:
        return iv_fail_at(err, IV_ECANCELLED, path, 0, "cancelled");
    case SQLITE_CORRUPT:
        return iv_fail_at(err, IV_EPARSE, path, 0, "cannot %s: the database is damaged (%s)",
                          doing, said_by(said, db));
    default:
        return iv_fail_at(err, IV_EIO, path, 0, "cannot %s: %s", doing, said_by(said, db));
    }
}

int iv_db_exec(sqlite3 *db, const char *path, const char *sql, iv_err *err)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return iv_db_fail(err, db, path, "use the database");
    return IV_OK;
}

int iv_db_prepare(sqlite3_stmt **out, sqlite3 *db, const char *path, const char *sql, iv_err *err)
{
    if (sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL) != SQLITE_OK)
        return iv_db_fail(err, db, path, "read the database");
    return IV_OK;
}

static void bind_str(sqlite3_stmt *st, int at, iv_str s, bool blob)
{
    const char *ptr = s.len == 0 ? "" : s.ptr;

    if (blob)
        (void)sqlite3_bind_blob64(st, at, ptr, s.len, SQLITE_STATIC);
    else
        (void)sqlite3_bind_text64(st, at, ptr, s.len, SQLITE_STATIC, SQLITE_UTF8);
}

static void bind_all(sqlite3_stmt *st, const char *kinds, va_list list)
{
    int at = 0;

    for (const char *k = kinds; *k != '\0'; k++) {
        at++;
        if (*k == 'i') {
            const int64_t value = va_arg(list, int64_t);
            if (value == INT64_MIN)
                (void)sqlite3_bind_null(st, at);
            else
                (void)sqlite3_bind_int64(st, at, value);
        } else if (*k == 't') {
            const char *text = va_arg(list, const char *);
            if (text == NULL)
                (void)sqlite3_bind_null(st, at);
            else
                bind_str(st, at, iv_str_of(text), false);
        } else if (*k == 'n') {
            (void)sqlite3_bind_null(st, at);
        } else {
            bind_str(st, at, va_arg(list, iv_str), *k == 'b');
        }
    }
}

void iv_db_bind(sqlite3_stmt *st, const char *kinds, ...)
{
    va_list list;

    va_start(list, kinds);
    bind_all(st, kinds, list);
    va_end(list);
}

int iv_db_do(sqlite3 *db, const char *path, const char *doing, iv_err *err, const char *sql,
             const char *kinds, ...)
{
    sqlite3_stmt *st = NULL;
    va_list list;

    IV_TRY(iv_db_prepare(&st, db, path, sql, err));
    va_start(list, kinds);
    bind_all(st, kinds, list);
    va_end(list);
    const int rc = iv_db_run(st, path, doing, err);
    (void)sqlite3_finalize(st);
    return rc;
}

int iv_db_query(sqlite3_stmt **out, sqlite3 *db, const char *path, iv_err *err, const char *sql,
                const char *kinds, ...)
{
    va_list list;

    IV_TRY(iv_db_prepare(out, db, path, sql, err));
    va_start(list, kinds);
    bind_all(*out, kinds, list);
    va_end(list);
    return IV_OK;
}

bool iv_db_next(sqlite3_stmt *st, int *rc, const char *path, iv_err *err)
{
    if (*rc == IV_OK)
        *rc = iv_db_step(st, path, err);
    return *rc == IV_OK;
}

int iv_db_end(sqlite3_stmt *st, int rc)
{
    (void)sqlite3_finalize(st);
    return rc == IV_NO_ROW ? IV_OK : rc;
}

int iv_db_number(int64_t *out, sqlite3 *db, const char *path, const char *sql, iv_err *err)
{
    sqlite3_stmt *st = NULL;
    int rc = iv_db_prepare(&st, db, path, sql, err);

    if (iv_db_next(st, &rc, path, err))
        *out = sqlite3_column_int64(st, 0);
    return iv_db_end(st, rc);
}

iv_str iv_db_str(sqlite3_stmt *st, int column)
{
    const char *text = sqlite3_column_blob(st, column);

    return (iv_str){ text == NULL ? "" : text, (size_t)sqlite3_column_bytes(st, column) };
}

int iv_db_run(sqlite3_stmt *st, const char *path, const char *doing, iv_err *err)
{
    const int rc = sqlite3_step(st);

    if (rc != SQLITE_DONE && rc != SQLITE_ROW) {
        const int failed = iv_db_fail(err, sqlite3_db_handle(st), path, doing);
        (void)sqlite3_reset(st);
        return failed;
    }
    (void)sqlite3_reset(st);
    return IV_OK;
}

int iv_db_step(sqlite3_stmt *st, const char *path, iv_err *err)
{
    const int rc = sqlite3_step(st);

    if (rc == SQLITE_ROW)
        return IV_OK;
    const int said = rc == SQLITE_DONE ? IV_NO_ROW
        : iv_db_fail(err, sqlite3_db_handle(st), path, "read the database");
    (void)sqlite3_reset(st);
    return said;
}

const char *iv_db_text(iv_arena *a, sqlite3_stmt *st, int column)
{
    const void *text = sqlite3_column_text(st, column);

    if (text == NULL)
        return NULL;
    return iv_arena_copy(a, (iv_str){ text, (size_t)sqlite3_column_bytes(st, column) });
}

/* ------------------------------------------- databases of other programs -- */

static int ask_progress(void *work)
{
    iv_err unused;

    return iv_check_work(work, 0.0, &unused) != IV_OK;
}

static void refuse_call(sqlite3_context *call, int count, sqlite3_value **values)
{
    (void)count;
    (void)values;
    sqlite3_result_error(call, "a function that no project of ASReview calls", -1);
}

/* What the file computes (a generated column) may call nothing but what ASReview's own calls, and
 * what is asked here: one call of another function may take minutes, and is not interrupted. */
static int refuse_functions(sqlite3 *db)
{
    enum { MOST = 1000, NAME = 40 };
    struct { char name[NAME]; int count; } found[MOST];
    size_t n = 0;
    sqlite3_stmt *st = NULL;
    int rc = sqlite3_prepare_v2(db, "SELECT DISTINCT name, narg FROM pragma_function_list WHERE"
                                " name NOT IN ('coalesce', 'group_concat', 'min')", -1, &st, NULL);

    while (rc == SQLITE_OK && sqlite3_step(st) == SQLITE_ROW && n < MOST) {
        (void)snprintf(found[n].name, NAME, "%s", (const char *)sqlite3_column_text(st, 0));
        found[n++].count = sqlite3_column_int(st, 1);
    }
    const int ended = sqlite3_finalize(st);
    for (size_t i = 0; i < n && rc == SQLITE_OK; i++)
        rc = sqlite3_create_function(db, found[i].name, found[i].count,
                                     SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
                                     refuse_call, NULL, NULL);
    return rc != SQLITE_OK ? rc : n == MOST ? SQLITE_ERROR : ended;
}

int iv_db_open_foreign(sqlite3 **out, const iv_work *work, iv_err *err)
{
    enum { STEPS = 1000, LONGEST = 1 << 24 };
    static const int off[] = { SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_VIEW,
                               SQLITE_DBCONFIG_ENABLE_TRIGGER,
                               SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION };
    sqlite3 *db = NULL;

    if (sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK
        || refuse_functions(db) != SQLITE_OK) {
        (void)sqlite3_close(db);
        return iv_no_memory(err);
    }
    (void)sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    for (size_t i = 0; i < sizeof off / sizeof *off; i++)
        (void)sqlite3_db_config(db, off[i], 0, NULL);
    (void)sqlite3_limit(db, SQLITE_LIMIT_LENGTH, LONGEST);
    (void)sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, FOREIGN_SQL);
    (void)sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 1);
    (void)sqlite3_limit(db, SQLITE_LIMIT_WORKER_THREADS, 0);
    sqlite3_progress_handler(db, STEPS, ask_progress, (void *)(uintptr_t)work);
    *out = db;
    return IV_OK;
}

int iv_db_check_foreign(sqlite3 *db, const char *path, const char *schema, const char *tables,
                        const char *columns, iv_err *err)
{
    sqlite3_stmt *st = NULL;
    char sql[600], quoted[IV_QUOTE_SIZE];
    int rc;

    /* A page that two places refer to makes few bytes into many rows; quick_check finds it.  The
     * file's own constraints are not asked: they may take as long as they like. */
    IV_TRY(iv_db_exec(db, path, "PRAGMA ignore_check_constraints = ON;"
                      "PRAGMA temp_store = MEMORY", err));
    (void)snprintf(sql, sizeof sql, "SELECT s.name FROM %s.sqlite_schema s WHERE"
                   " s.name COLLATE NOCASE IN (SELECT value FROM json_each(?1)) AND"
                   " (s.type <> 'table' OR s.rootpage < 2 OR EXISTS (SELECT 1 FROM"
                   " pragma_table_xinfo(s.name, '%s') x WHERE x.hidden <> 0 AND x.name"
                   " COLLATE NOCASE IN (SELECT value FROM json_each(?2))))", schema, schema);
    rc = iv_db_query(&st, db, path, err, sql, "tt", tables, columns);
    if (iv_db_next(st, &rc, path, err))
        rc = iv_fail_at(err, IV_EPARSE, path, 0, "%s is computed by the file (a view, a virtual "
                        "table or a generated column), expected a table",
                        iv_quote(quoted, iv_db_str(st, 0)));
    IV_TRY(iv_db_end(st, rc));
    st = NULL;
    (void)snprintf(sql, sizeof sql, "PRAGMA %s.quick_check(1)", schema);
    rc = iv_db_prepare(&st, db, path, sql, err);
    if (iv_db_next(st, &rc, path, err) && !iv_str_eq(iv_db_str(st, 0), iv_str_of("ok")))
        rc = iv_fail_at(err, IV_EPARSE, path, 0, "its database is damaged: %s",
                        iv_quote(quoted, iv_db_str(st, 0)));
    return iv_db_end(st, rc);
}
