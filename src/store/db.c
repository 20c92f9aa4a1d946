/* SPDX-License-Identifier: Apache-2.0 */
#include "store/store_private.h"

int iv_db_fail(iv_err *err, sqlite3 *db, const char *path, const char *doing)
{
    const int code = sqlite3_errcode(db);

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
        return iv_fail_at(err, IV_EPARSE, path, 0, "is no database, expected a file of judge new");
    case SQLITE_CORRUPT:
        return iv_fail_at(err, IV_EPARSE, path, 0, "cannot %s: the database is damaged (%s)",
                          doing, sqlite3_errmsg(db));
    default:
        return iv_fail_at(err, IV_EIO, path, 0, "cannot %s: %s", doing, sqlite3_errmsg(db));
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
