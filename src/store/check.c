/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that a session is whole, and makes backups of it. */
#define _GNU_SOURCE /* flock */

#include "base/err.h"
#include "base/hash.h"
#include "base/memory.h"
#include "store/combined.h"
#include "store/db.h"
#include "store/entries.h"
#include "store/queue.h"
#include "store/seal.h"
#include "store/session.h"
#include "store/store_open.h"
#include "store/upkeep.h"
#include "trec/judgments.h"
#include "trec/strata.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int iv_store_form_read(iv_judgments **out, iv_store_kind kind, iv_str form, const char *name,
                       iv_err *err)
{
    iv_judgments *j = NULL;

    IV_TRY(iv_judgments_parse(&j, name, form.ptr, form.len, IV_JUDGMENTS_ANY, NULL, err));
    const iv_judgments_format format = iv_judgments_format_of(j);
    const bool sample = kind == IV_STORE_SAMPLE;
    if (sample != (format == IV_JUDGMENTS_PRELS)) {
        iv_judgments_free(j);
        return iv_fail_at(err, IV_EPARSE, name, 0, "the session is damaged: kind %d, and judgments "
                          "in the format %s, expected %s", (int)kind,
                          iv_judgments_format_names()[format], sample ? "prels" : "qrels");
    }
    *out = j;
    return IV_OK;
}

int iv_store_strata(const iv_strata_table **out, iv_arena *a, iv_store *s, const char *name,
                    iv_err *err)
{
    const iv_strata_table *t = NULL;
    sqlite3_stmt *st = NULL;
    bool all = true; /* a table without any n asks for all documents */
    iv_str form;

    IV_TRY(iv_store_form_text(&form, a, s, err));
    IV_TRY(iv_strata_parse(&t, a, name, form, err));
    if (t->row_count != s->about.strata || t->run_count != 1)
        return iv_fail_at(err, IV_EPARSE, name, 0, "%zu strata of %zu run%s, and the session has "
                          "%zu of one", t->row_count, t->run_count, t->run_count == 1 ? "" : "s",
                          s->about.strata);
    for (size_t k = 0; k < t->row_count; k++)
        all = all && t->rows[k].sampled == 0;
    (void)pthread_mutex_lock(&s->read_lock);
    int rc = iv_db_prepare(&st, s->reads, s->path, "SELECT name, size, retrieved,"
                           " coalesce(items, 0) FROM stratum LEFT JOIN (SELECT stratum AS id,"
                           " count(*) AS items FROM item GROUP BY stratum) USING (id) ORDER BY id",
                           err);
    for (size_t k = 0; k < t->row_count && iv_db_next(st, &rc, s->path, err); k++) {
        const iv_strata_row *row = &t->rows[k];
        const int64_t size = sqlite3_column_int64(st, 1), items = sqlite3_column_int64(st, 3);
        const int64_t wanted = all ? row->size : row->sampled;
        const bool retrieved = sqlite3_column_int(st, 2) != 0;
        char quoted[2][IV_QUOTE_SIZE];
        if (iv_str_cmp(row->name, iv_db_str(st, 0)) != 0 || row->size != size
            || t->retrieved[k] != retrieved || items != wanted)
            rc = iv_fail_at(err, IV_EPARSE, name, row->line, "stratum %s of %lld documents, %s, "
                            "%lld to judge, and the session has %s of %lld, %s, %lld to judge",
                            iv_quote(quoted[0], row->name), (long long)row->size,
                            t->retrieved[k] ? "retrieved" : "unretrieved", (long long)wanted,
                            iv_quote(quoted[1], iv_db_str(st, 0)), (long long)size,
                            retrieved ? "retrieved" : "unretrieved", (long long)items);
    }
    rc = iv_db_end(st, rc);
    (void)pthread_mutex_unlock(&s->read_lock);
    *out = t;
    return rc;
}

/* Copies of a session, and whether it is whole. */

/* A copy must not take the place of what a session is made of, this one or another. */
static int refuse_target(const iv_store *s, const char *to, iv_err *err)
{
    static const char *const parts[] = { "", "-wal", "-shm" };
    const size_t room = strlen(s->path) + strlen(to) + 8;
    char *name = malloc(room);
    struct stat there, own;
    int rc = IV_OK;

    if (name == NULL)
        return iv_no_memory(err);
    const bool is = stat(to, &there) == 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && rc == IV_OK; i++) {
        (void)snprintf(name, room, "%s%s", s->path, parts[i]);
        if (strcmp(name, to) == 0 || (is && stat(name, &own) == 0 && own.st_ino == there.st_ino
                                      && own.st_dev == there.st_dev))
            rc = iv_fail_at(err, IV_EIO, to, 0, "belongs to the session that is to be copied");
    }
    if (rc == IV_OK && is && !S_ISREG(there.st_mode))
        rc = iv_fail_at(err, IV_EIO, to, 0, "is no file that a copy can take the place of");
    for (size_t i = 1; i < sizeof parts / sizeof *parts && rc == IV_OK; i++) {
        (void)snprintf(name, room, "%s%s", to, parts[i]);
        if (stat(name, &own) == 0)
            rc = iv_fail_at(err, IV_EIO, to, 0, "is a session that is open, or was not closed: "
                            "%s exists", name);
    }
    free(name);
    return rc;
}

static bool is_same_file(const iv_store *s, const char *path)
{
    struct stat a, b;

    return fstat(s->file, &a) == 0 && stat(path, &b) == 0 && a.st_ino == b.st_ino
        && a.st_dev == b.st_dev;
}

int iv_store_backup(iv_store *s, const char *to, iv_err *err)
{
    /* The connection that only reads cannot; it does not harm the one that writes. */
    sqlite3 *db = s->db != NULL ? s->db : s->reads;
    pthread_mutex_t *lock = s->db != NULL ? &s->write_lock : &s->read_lock;
    iv_arena own = { 0 };
    char *temporary = NULL;
    int rc = refuse_target(s, to, err);

    (void)pthread_mutex_lock(lock);
    if (rc == IV_OK) /* SQLite writes to a file that is empty */
        rc = iv_store_begin_file(&temporary, &own, to, err);
    if (rc == IV_OK)
        rc = iv_db_do(db, to, "write the copy", err, "VACUUM INTO ?", "t", temporary);
    if (rc == IV_OK)
        rc = iv_store_place_file(temporary, to, true, err);
    if (rc != IV_OK && temporary != NULL)
        (void)unlink(temporary);
    (void)pthread_mutex_unlock(lock);
    iv_arena_free(&own);
    return rc;
}

/* -------------------------------------------------------------- restore -- */

/* Nobody may have the session that is replaced; *lock keeps others away. */
static int lock_replaced(int *lock, const char *path, iv_err *err)
{
    *lock = open(path, O_RDWR | O_CLOEXEC);
    if (*lock < 0)
        return errno == ENOENT ? IV_OK
            : iv_fail_at(err, IV_EIO, path, 0, "cannot open: %s", strerror(errno));
    return flock(*lock, LOCK_EX | LOCK_NB) == 0 ? IV_OK
        : iv_fail_at(err, IV_EIO, path, 0, "is served or written by another process; end that "
                     "first");
}

/* Another session is not replaced unasked; one that cannot be read is. */
static int refuse_other(const iv_store *from, const char *to, iv_err *err)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *st = NULL;
    iv_err why;
    bool other = false;
    int rc = iv_store_connect_to_read(&db, to, true, &why);

    if (rc == IV_OK)
        rc = iv_db_prepare(&st, db, to, "SELECT value FROM meta WHERE key = 'session'", &why);
    if (iv_db_next(st, &rc, to, &why))
        other = !iv_str_eq(iv_db_str(st, 0), iv_str_of(from->identity));
    (void)!iv_db_end(st, rc);
    (void)sqlite3_close(db);
    return other ? iv_fail_at(err, IV_EARG, to, 0, "is another session than the copy") : IV_OK;
}

/* Gives the session and its log another name, together: FILE.replaced, FILE.replaced-2, ... */
static int move_aside(char kept[4096], const char *path, iv_err *err)
{
    char from[4096 + 8], to[4096 + 8];
    struct stat st;
    int n = 1;

    for (; n < 1000; n++) {
        const int len = n == 1 ? snprintf(kept, 4096, "%s.replaced", path)
            : snprintf(kept, 4096, "%s.replaced-%d", path, n);
        if (len >= 4096)
            return iv_fail_at(err, IV_EIO, path, 0, "has a name that is too long");
        if (lstat(kept, &st) != 0)
            break;
    }
    (void)snprintf(from, sizeof from, "%s-shm", path);
    (void)unlink(from); /* SQLite makes it anew */
    (void)snprintf(from, sizeof from, "%s-wal", path);
    (void)snprintf(to, sizeof to, "%s-wal", kept);
    if ((rename(from, to) != 0 && errno != ENOENT) || rename(path, kept) != 0)
        return iv_fail_at(err, IV_EIO, path, 0, "cannot be renamed: %s", strerror(errno));
    return IV_OK;
}

/* With the copy open and the session locked. */
static int replace(iv_restored *out, iv_store *from, const char *to, bool there, iv_err *err)
{
    iv_arena own = { 0 };
    char *temporary = NULL;
    int rc = iv_store_begin_file(&temporary, &own, to, err);

    if (rc == IV_OK)
        rc = iv_db_do(from->reads, to, "write the copy", err, "VACUUM INTO ?", "t", temporary);
    if (rc == IV_OK && there)
        rc = move_aside(out->kept, to, err);
    if (rc == IV_OK)
        rc = iv_store_place_file(temporary, to, false, err);
    if (rc != IV_OK && temporary != NULL)
        (void)unlink(temporary);
    iv_arena_free(&own);
    return rc;
}

int iv_store_restore(iv_restored *out, const char *backup, const char *to, bool force, iv_err *err)
{
    iv_store *from = NULL;
    int lock = -1, rc = iv_store_open(&from, backup, IV_STORE_READ, err);

    *out = (iv_restored){ .judgments = 0 };
    if (rc == IV_OK)
        rc = iv_store_check(from, err);
    if (rc == IV_OK && is_same_file(from, to))
        rc = iv_fail_at(err, IV_EARG, to, 0, "is the copy itself, expected another name");
    if (rc == IV_OK)
        rc = lock_replaced(&lock, to, err);
    if (rc == IV_OK && lock >= 0 && !force)
        rc = refuse_other(from, to, err);
    if (rc == IV_OK)
        rc = replace(out, from, to, lock >= 0, err);
    if (rc == IV_OK)
        out->judgments = iv_store_seq(from);
    if (lock >= 0)
        (void)close(lock);
    iv_store_close(from);
    return rc;
}

/* ---------------------------------------------------------------- check -- */

/* Texts can be unpacked, one after the other. */
static int check_texts(sqlite3 *db, const char *path, iv_err *err)
{
    sqlite3_stmt *st = NULL;
    char quoted[IV_QUOTE_SIZE];
    iv_err why;
    int rc = iv_db_prepare(&st, db, path, "SELECT docno, text FROM document WHERE zipped <> 0",
                           err);

    while (iv_db_next(st, &rc, path, err)) {
        iv_arena own = { 0 };
        iv_str text;
        rc = iv_store_unpack(&text, &own, iv_db_str(st, 1), true, &why);
        if (rc != IV_OK)
            (void)iv_fail_at(err, rc, path, 0, "%s (that of document %s)", why.msg,
                             iv_quote(quoted, iv_db_str(st, 0)));
        iv_arena_free(&own);
    }
    return iv_db_end(st, rc);
}

/* The file that the session was made from can be read, as eval will read it. */
static int check_form(iv_store *s, iv_err *err)
{
    iv_arena own = { 0 };
    const bool review = s->about.kind == IV_STORE_REVIEW;
    const iv_strata_table *unused;
    iv_judgments *j = NULL;
    iv_str form;
    iv_err why;
    int rc = review ? iv_store_strata(&unused, &own, s, "its design", &why)
                    : iv_store_form_text(&form, &own, s, &why);

    if (rc == IV_OK && !review)
        rc = iv_store_form_read(&j, s->about.kind, form, "its design", &why);
    if (rc == IV_OK && s->about.kind == IV_STORE_SAMPLE)
        rc = iv_store_design_read(j, "its design", &why);
    if (rc != IV_OK) {
        char line[IV_ERR_TEXT_SIZE];
        (void)iv_fail_at(err, rc, s->path, 0, "%.300s",
                         strcmp(why.file, "its design") == 0 ? iv_err_text(line, &why) : why.msg);
    }
    iv_judgments_free(j);
    iv_arena_free(&own);
    return rc;
}

int iv_store_check_as(iv_store *s, iv_check how, iv_err *err)
{
    sqlite3 *db = NULL;
    int rc = iv_store_connect_beside(&db, s, err);

    if (rc == IV_OK)
        rc = iv_store_check_rows(db, s->path, s->version, how, err);
    (void)sqlite3_close(db);
    return rc;
}

int iv_store_checksum(char out[IV_CHECKSUM_SIZE], iv_store *s, iv_err *err)
{
    iv_arena own = { 0 };
    iv_str text;
    const int rc = iv_store_value(&text, &own, s, "sum:log", err);

    if (rc == IV_OK)
        (void)snprintf(out, IV_CHECKSUM_SIZE, "%s", text.ptr == NULL ? "" : text.ptr);
    iv_arena_free(&own);
    return rc;
}

int iv_store_check(iv_store *s, iv_err *err)
{
    sqlite3 *db = NULL;
    int rc = iv_store_check_as(s, IV_CHECK_ALL, err);

    if (rc == IV_OK)
        rc = iv_store_connect_beside(&db, s, err);
    if (rc == IV_OK)
        rc = check_texts(db, s->path, err);
    (void)sqlite3_close(db);
    return rc == IV_OK ? check_form(s, err) : rc;
}
