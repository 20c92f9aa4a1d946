/* SPDX-License-Identifier: Apache-2.0 */
/* The seals of a session: its identity, and checksums that show a change of what it holds. */
#include "base/digest.h"
#include "base/err.h"
#include "base/hash.h"
#include "store/assessors.h"
#include "store/db.h"
#include "store/seal.h"
#include "store/upkeep.h"

#include <sqlite3.h>
#include <string.h>

/*
 * A row enters a checksum as its values: of each the type (1 integer, 2 real, 3 text, 4 blob,
 * 5 NULL), 8 bytes from the lowest (the number; of texts and blobs the length), then the bytes.
 */
static void add_row(iv_sha256_state *h, sqlite3_stmt *st, int columns)
{
    for (int c = 0; c < columns; c++) {
        const int type = sqlite3_column_type(st, c);
        const iv_str bytes = type == SQLITE_TEXT || type == SQLITE_BLOB ? iv_db_str(st, c)
            : (iv_str){ "", 0 };
        const double real = type == SQLITE_FLOAT ? sqlite3_column_double(st, c) : 0.0;
        uint64_t number = type == SQLITE_INTEGER ? (uint64_t)sqlite3_column_int64(st, c)
            : bytes.len;
        unsigned char head[9] = { (unsigned char)type };
        if (type == SQLITE_FLOAT)
            memcpy(&number, &real, sizeof number);
        for (int i = 0; i < 8; i++)
            head[i + 1] = (unsigned char)(number >> 8 * i);
        iv_sha256_add(h, head, sizeof head);
        iv_sha256_add(h, bytes.ptr, bytes.len);
    }
}

/* ----------------------------------------------------- what stays as it is -- */

/* What each seal is of: the queries whose rows enter it, each behind a byte of 0. */
static const char *const sealed[][5] = {
    [IV_SEAL_SETTINGS] = { "SELECT key, value FROM meta WHERE key NOT GLOB 'set:*'"
                           " AND key NOT GLOB 'sum:*' AND key NOT GLOB 'ref:*' AND key <> 'form'"
                           " ORDER BY key",
                           "SELECT id, name, revoked IS NOT NULL FROM assessor ORDER BY id" },
    [IV_SEAL_ITEMS] = { "SELECT id, name, text FROM topic ORDER BY id",
                        "SELECT id, docno, title FROM document ORDER BY id",
                        "SELECT id, name, size, retrieved FROM stratum ORDER BY id",
                        "SELECT id, topic, document, stratum, block, ord, twice FROM item"
                        " ORDER BY id" },
    [IV_SEAL_TEXTS] = { "SELECT id, text, zipped FROM document ORDER BY id",
                        "SELECT key, value FROM meta WHERE key GLOB 'ref:*' OR key = 'form'"
                        " ORDER BY key" }
};

static const char *const keys[] = { [IV_SEAL_SETTINGS] = "sum:settings",
                                    [IV_SEAL_ITEMS] = "sum:items", [IV_SEAL_TEXTS] = "sum:texts" };
static const char *const named[] = { [IV_SEAL_SETTINGS] = "settings or names of assessors",
                                     [IV_SEAL_ITEMS] = "topics, documents or items",
                                     [IV_SEAL_TEXTS] = "texts" };

static int sum_of(char out[IV_SHA256_SIZE], sqlite3 *db, const char *path, iv_seal which,
                  iv_err *err)
{
    iv_sha256_state h;

    iv_sha256_begin(&h);
    for (size_t q = 0; q < 5 && sealed[which][q] != NULL; q++) {
        sqlite3_stmt *st = NULL;
        int rc = iv_db_prepare(&st, db, path, sealed[which][q], err);
        iv_sha256_add(&h, "", 1);
        while (iv_db_next(st, &rc, path, err))
            add_row(&h, st, sqlite3_column_count(st));
        IV_TRY(iv_db_end(st, rc));
    }
    (void)iv_sha256_end(out, &h);
    return IV_OK;
}

static int put_meta(sqlite3 *db, const char *path, const char *key, const char *text, iv_err *err)
{
    return iv_db_do(db, path, "seal the session", err, "INSERT INTO meta(key, value)"
                    " VALUES (?1, ?2) ON CONFLICT(key) DO UPDATE SET value = ?2", "tt", key, text);
}

int iv_seal_put(sqlite3 *db, const char *path, iv_seal which, iv_err *err)
{
    char sum[IV_SHA256_SIZE];

    IV_TRY(sum_of(sum, db, path, which, err));
    return put_meta(db, path, keys[which], sum, err);
}

/* A text of meta in a buffer; "": there is none. */
static int read_meta(char *out, size_t room, sqlite3 *db, const char *path, const char *key,
                     iv_err *err)
{
    sqlite3_stmt *st = NULL;
    int rc = iv_db_query(&st, db, path, err, "SELECT value FROM meta WHERE key = ?", "t", key);

    out[0] = '\0';
    if (iv_db_next(st, &rc, path, err)) {
        const char *text = (const char *)sqlite3_column_text(st, 0);
        (void)snprintf(out, room, "%s", text == NULL ? "" : text);
    }
    return iv_db_end(st, rc);
}

int iv_seal_check(sqlite3 *db, const char *path, iv_seal which, iv_err *err)
{
    char sum[IV_SHA256_SIZE], kept[IV_SHA256_SIZE];

    IV_TRY(read_meta(kept, sizeof kept, db, path, keys[which], err));
    IV_TRY(sum_of(sum, db, path, which, err));
    return strcmp(sum, kept) == 0 ? IV_OK
        : iv_fail_at(err, IV_EPARSE, path, 0, "the session is damaged: its %s differ from their "
                     "checksum", named[which]);
}

/* ------------------------------------------------------------------ the log -- */

/* A judgment with the names of what it is about; the last column is its seal. */
#define JUDGMENT                                                                             \
    "SELECT j.seq, j.uuid, j.item, t.name, d.docno, j.assessor, a.name, j.grade, j.reason,"  \
    " j.replaces, j.active_ms, j.away_ms, j.at, j.note,"                                     \
    " (SELECT sum FROM seal z WHERE z.seq = j.seq)"                                          \
    " FROM judgment j LEFT JOIN item i ON i.id = j.item LEFT JOIN topic t ON t.id = i.topic" \
    " LEFT JOIN document d ON d.id = i.document LEFT JOIN assessor a ON a.id = j.assessor"
enum { COLUMNS = 14 };

/* The checksum before the first judgment: that of the identity. */
static int first_sum(char out[IV_SHA256_SIZE], sqlite3 *db, const char *path, iv_err *err)
{
    char id[IV_TOKEN_SIZE];

    IV_TRY(iv_seal_identity(id, db, path, err));
    if (strlen(id) != IV_TOKEN_SIZE - 1)
        return iv_fail_at(err, IV_EPARSE, path, 0, "the session is damaged: it has no identity");
    (void)iv_sha256(out, id, strlen(id));
    return IV_OK;
}

/* The checksum of a row and the one before it. */
static void next_sum(char sum[IV_SHA256_SIZE], sqlite3_stmt *st)
{
    iv_sha256_state h;

    iv_sha256_begin(&h);
    iv_sha256_add(&h, sum, IV_SHA256_SIZE - 1);
    add_row(&h, st, COLUMNS);
    (void)iv_sha256_end(sum, &h);
}

/* The last checksum of the log, which `sum:log` repeats. */
static int last_sum(char out[IV_SHA256_SIZE], sqlite3 *db, const char *path, iv_err *err)
{
    IV_TRY(read_meta(out, IV_SHA256_SIZE, db, path, "sum:log", err));
    return strlen(out) == IV_SHA256_SIZE - 1 ? IV_OK
        : iv_fail_at(err, IV_EPARSE, path, 0, "the session is damaged: its log has no checksum");
}

static int seal_rows(char sum[IV_SHA256_SIZE], sqlite3 *db, const char *path, int64_t after,
                     iv_err *err)
{
    sqlite3_stmt *st = NULL, *put = NULL;
    int rc = iv_db_query(&st, db, path, err, JUDGMENT " WHERE j.seq > ? ORDER BY j.seq", "i",
                         after);

    if (rc == IV_OK)
        rc = iv_db_prepare(&put, db, path, "INSERT INTO seal(seq, sum) VALUES (?, ?)", err);
    while (iv_db_next(st, &rc, path, err)) {
        next_sum(sum, st);
        iv_db_bind(put, "it", sqlite3_column_int64(st, 0), sum);
        rc = iv_db_run(put, path, "seal a judgment", err);
    }
    (void)sqlite3_finalize(put);
    return iv_db_end(st, rc);
}

int iv_seal_log(sqlite3 *db, const char *path, int64_t after, iv_err *err)
{
    char sum[IV_SHA256_SIZE];

    IV_TRY(last_sum(sum, db, path, err));
    IV_TRY(seal_rows(sum, db, path, after, err));
    return put_meta(db, path, "sum:log", sum, err);
}

static int changed(const char *path, iv_err *err, int64_t seq)
{
    return iv_fail_at(err, IV_EPARSE, path, 0, "the session is damaged: judgment %lld, or one "
                      "before it, was changed or removed: it differs from its checksum",
                      (long long)seq);
}

int iv_seal_check_log(char last[IV_SHA256_SIZE], sqlite3 *db, const char *path, iv_err *err)
{
    sqlite3_stmt *st = NULL;
    char sum[IV_SHA256_SIZE], kept[IV_SHA256_SIZE];
    int64_t count = 0, seals = 0;

    IV_TRY(first_sum(sum, db, path, err));
    int rc = iv_db_prepare(&st, db, path, JUDGMENT " ORDER BY j.seq", err);
    for (; iv_db_next(st, &rc, path, err); count++) {
        next_sum(sum, st);
        if (!iv_str_eq(iv_db_str(st, COLUMNS), iv_str_of(sum)))
            rc = changed(path, err, sqlite3_column_int64(st, 0));
    }
    IV_TRY(iv_db_end(st, rc));
    IV_TRY(last_sum(kept, db, path, err));
    IV_TRY(iv_db_number(&seals, db, path, "SELECT count(*) FROM seal", err));
    if (strcmp(sum, kept) != 0 || seals != count)
        return iv_fail_at(err, IV_EPARSE, path, 0, "the session is damaged: %lld judgments, which "
                          "do not end with the last checksum of the log", (long long)count);
    if (last != NULL)
        memcpy(last, sum, sizeof sum);
    return IV_OK;
}

/* ---------------------------------------------------------------- identity -- */

int iv_seal_identity(char out[IV_TOKEN_SIZE], sqlite3 *db, const char *path, iv_err *err)
{
    return read_meta(out, IV_TOKEN_SIZE, db, path, "session", err);
}

int iv_seal_begin(sqlite3 *db, const char *path, iv_err *err)
{
    char id[IV_TOKEN_SIZE], sum[IV_SHA256_SIZE];

    IV_TRY(iv_token_random(id, err));
    IV_TRY(put_meta(db, path, "session", id, err));
    (void)iv_sha256(sum, id, sizeof id - 1);
    IV_TRY(put_meta(db, path, "sum:log", sum, err));
    IV_TRY(iv_seal_log(db, path, 0, err));
    for (int k = 0; k < IV_SEALS; k++)
        IV_TRY(iv_seal_put(db, path, (iv_seal)k, err));
    return IV_OK;
}

/* A session of version 1 gets its seals.  Logins of those versions end. */
int iv_seal_upgrade(sqlite3 *db, const char *path, iv_err *err)
{
    int rc = iv_db_exec(db, path, "BEGIN IMMEDIATE", err);

    if (rc == IV_OK)
        rc = iv_db_exec(db, path, iv_store_schema_seals, err);
    if (rc == IV_OK)
        rc = iv_db_exec(db, path, "DELETE FROM meta WHERE key GLOB 'set:visits:*'", err);
    if (rc == IV_OK)
        rc = iv_seal_begin(db, path, err);
    if (rc == IV_OK)
        rc = iv_db_exec(db, path, "COMMIT", err);
    if (rc != IV_OK && sqlite3_get_autocommit(db) == 0)
        (void)sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

/* ------------------------------------------------------------------- check -- */

/* A query without rows, or the first row says what is wrong. */
static int expect_none(sqlite3 *db, const char *path, const char *sql, const char *what,
                       iv_err *err)
{
    sqlite3_stmt *st = NULL;
    char quoted[IV_QUOTE_SIZE];
    int rc = iv_db_prepare(&st, db, path, sql, err);

    if (iv_db_next(st, &rc, path, err))
        rc = iv_fail_at(err, IV_EPARSE, path, 0, "%s: %s", what,
                        iv_quote(quoted, iv_db_str(st, 0)));
    return iv_db_end(st, rc);
}

/* Are the last words of assessors those of the log? */
static int check_words(sqlite3 *db, const char *path, iv_err *err)
{
    static const char what[] = "the current judgments differ from the log";
    /* What the log says is the last word of each, undone ones left out. */
    static const char words[] =
        "WITH last AS (SELECT j.item, j.assessor, j.reason = 5 AS final, max(j.seq) AS seq"
        " FROM judgment j WHERE j.reason <> 3 GROUP BY 1, 2, 3),"
        " kept AS (SELECT l.* FROM last l WHERE l.seq NOT IN (SELECT u.replaces"
        " FROM judgment u WHERE u.reason = 3 AND u.replaces IS NOT NULL)),"
        " differs AS (SELECT item, assessor, final, seq FROM kept EXCEPT"
        " SELECT item, assessor, final, seq FROM current UNION ALL SELECT * FROM"
        " (SELECT item, assessor, final, seq FROM current EXCEPT"
        " SELECT item, assessor, final, seq FROM kept))"
        " SELECT 'item ' || item || ', assessor ' || assessor FROM differs LIMIT 1";

    IV_TRY(expect_none(db, path, words, what, err));
    return expect_none(db, path, "SELECT 'seq ' || c.seq FROM current c LEFT JOIN judgment j"
                       " ON j.seq = c.seq WHERE j.grade IS NOT c.grade OR j.reason IS NOT c.reason"
                       " OR j.item IS NOT c.item OR j.assessor IS NOT c.assessor LIMIT 1", what,
                       err);
}

static int check_seals(sqlite3 *db, const char *path, iv_check how, iv_err *err)
{
    IV_TRY(iv_seal_check_log(NULL, db, path, err));
    IV_TRY(iv_seal_check(db, path, IV_SEAL_ITEMS, err));
    if (how >= IV_CHECK_FAST)
        IV_TRY(iv_seal_check(db, path, IV_SEAL_SETTINGS, err));
    return how >= IV_CHECK_ALL ? iv_seal_check(db, path, IV_SEAL_TEXTS, err) : IV_OK;
}

static int check_all(sqlite3 *db, const char *path, int64_t version, iv_check how, iv_err *err)
{
    if (how >= IV_CHECK_ALL) {
        IV_TRY(expect_none(db, path, "SELECT * FROM pragma_integrity_check(1)"
                           " WHERE integrity_check <> 'ok'", "the database is damaged", err));
        IV_TRY(expect_none(db, path, "SELECT \"table\" || ', row ' || rowid"
                           " FROM pragma_foreign_key_check LIMIT 1", "a row refers to nothing",
                           err));
    }
    if (how >= IV_CHECK_FAST)
        IV_TRY(check_words(db, path, err));
    return version > 1 ? check_seals(db, path, how, err) : IV_OK;
}

int iv_store_check_rows(sqlite3 *db, const char *path, int64_t version, iv_check how, iv_err *err)
{
    IV_TRY(iv_db_exec(db, path, "BEGIN", err));
    const int rc = check_all(db, path, version, how, err);
    (void)sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}
