/* SPDX-License-Identifier: Apache-2.0 */
/* The log: judgments of several assessors in one durable transaction. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/base_private.h"
#include "store/store_parts.h"

enum { FIND, INSERT, KEEP, DROP, LAST, WORDS };

static const char *const statements[] = {
    [FIND] = "SELECT seq, item, assessor, grade, reason, note FROM judgment WHERE uuid = ?",
    [INSERT] = "INSERT INTO judgment(uuid, item, assessor, grade, reason, replaces, active_ms,"
        " away_ms, at, note) VALUES (?, ?, ?, ?, ?, ?, ?, ?,"
        " strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), ?)",
    [KEEP] = "INSERT INTO current(item, assessor, final, seq, grade, reason)"
        " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
        " seq = excluded.seq, grade = excluded.grade, reason = excluded.reason",
    [DROP] = "DELETE FROM current WHERE item = ? AND assessor = ? AND final = ?",
    [LAST] = "SELECT seq, final FROM current WHERE item = ? AND assessor = ?"
        " ORDER BY seq DESC LIMIT 1",
    [WORDS] = "SELECT coalesce(min(iif(final, NULL, grade)) <> max(iif(final, NULL, grade)), 0),"
        " coalesce(max(final), 0) FROM current WHERE item = ?"
};

/* What an entry did, to be told to the queue behind the commit; 0: nothing. */
enum { TOLD = 1, OF_FINAL = 2, CONFLICT = 4, ADJUDICATED = 8 };

static bool is_file(const char *path, const struct stat *file)
{
    struct stat named;

    return stat(path, &named) == 0 && named.st_ino == file->st_ino
        && named.st_dev == file->st_dev;
}

/* Fails, and lets the store refuse from then on, unless the file that is written will be found
 * by its name again. */
static int still_there(iv_store *s, iv_err *err)
{
    struct stat file;
    const char *log = sqlite3_filename_wal(sqlite3_db_filename(s->db, "main"));

    if (fstat(s->file, &file) == 0 && is_file(s->path, &file) && is_file(log, &s->log))
        return IV_OK;
    s->broken = true;
    return iv_fail_at(err, IV_EIO, s->path, 0, "was removed or replaced while it was open: "
                      "the judgment is not stored; stop the server and put the file back");
}

static int refuse(iv_store_entry *e, iv_store_fate how, const char *why)
{
    e->stored = how;
    (void)snprintf(e->why, sizeof e->why, "%s", why);
    return IV_OK;
}

/* ------------------------------------------------------------- checking -- */

bool iv_is_uuid(const char *uuid)
{
    for (size_t i = 0; i < IV_UUID_SIZE - 1; i++) {
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? uuid[i] != '-' : strchr("0123456789abcdef", uuid[i]) == NULL || uuid[i] == '\0')
            return false;
    }
    return uuid[IV_UUID_SIZE - 1] == '\0';
}

static bool is_text(const char *note)
{
    const iv_str s = iv_str_of(note);
    uint32_t code;

    for (size_t at = 0, width; at < s.len; at += width)
        if ((width = iv_utf8_next(&code, s, at)) == 0)
            return false;
    return true;
}

static bool has_grade(iv_store_reason reason)
{
    return reason == IV_REASON_JUDGED || reason == IV_REASON_IMPORTED
        || reason == IV_REASON_ADJUDICATED;
}

static bool is_grade(const iv_store *s, int32_t grade)
{
    for (size_t i = 0; i < s->about.grade_count; i++)
        if (s->about.grades[i] == grade)
            return true;
    return false;
}

/* Why it cannot be stored; NULL: it can. */
static const char *wrong_with(iv_store *s, const iv_store_entry *e)
{
    (void)pthread_mutex_lock(&s->lock_queue);
    const iv_queued_assessor *who = iv_queue_assessor(s, e->assessor);
    const bool known = who != NULL, owner = known && who->is.owner;
    (void)pthread_mutex_unlock(&s->lock_queue);

    if (!iv_is_uuid(e->uuid))
        return "uuid, expected 36 characters, lower case";
    if (e->item < 1 || (size_t)e->item > s->about.items)
        return "item, expected one of the session";
    if (!known)
        return "assessor, expected one who may judge";
    if (e->reason > IV_REASON_ADJUDICATED)
        return "unknown reason";
    if (e->reason == IV_REASON_ADJUDICATED && !owner)
        return "only the owner adjudicates";
    if (has_grade(e->reason) && !is_grade(s, e->grade))
        return "grade, expected one of the session's";
    if (e->note != NULL && strlen(e->note) > IV_NOTE_BYTES)
        return "note, expected at most 8192 bytes";
    if (e->note != NULL && !is_text(e->note))
        return "note, expected UTF-8";
    return NULL;
}

/* ------------------------------------------------------------- storing -- */

static bool same_text(const char *note, sqlite3_stmt *st, int column)
{
    const char *kept = (const char *)sqlite3_column_text(st, column);

    return strcmp(note == NULL ? "" : note, kept == NULL ? "" : kept) == 0;
}

/* Was it stored before?  Says so in the entry. */
static int find_before(bool *found, iv_store *s, iv_store_entry *e, iv_err *err)
{
    sqlite3_stmt *st = s->append_st[FIND];

    iv_db_bind(st, "t", e->uuid);
    const int rc = iv_db_step(st, s->path, err);
    *found = rc == IV_OK;
    if (rc != IV_OK)
        return rc == IV_NO_ROW ? IV_OK : rc;
    const bool graded = sqlite3_column_type(st, 3) != SQLITE_NULL;
    e->seq = sqlite3_column_int64(st, 0);
    e->stored = IV_STORED_BEFORE;
    if (sqlite3_column_int64(st, 1) != e->item || sqlite3_column_int64(st, 2) != e->assessor
        || sqlite3_column_int64(st, 4) != (int64_t)e->reason || graded != has_grade(e->reason)
        || (graded && sqlite3_column_int64(st, 3) != e->grade) || !same_text(e->note, st, 5))
        (void)refuse(e, IV_STORED_OTHER, "that uuid exists with other content");
    (void)sqlite3_reset(st);
    return IV_OK;
}

/* The word that an undo takes back. */
static int find_last(int64_t *seq, bool *final, iv_store *s, const iv_store_entry *e, iv_err *err)
{
    sqlite3_stmt *st = s->append_st[LAST];

    iv_db_bind(st, "ii", e->item, e->assessor);
    const int rc = iv_db_step(st, s->path, err);
    *seq = 0;
    if (rc == IV_OK) {
        *seq = sqlite3_column_int64(st, 0);
        *final = sqlite3_column_int(st, 1) != 0;
        (void)sqlite3_reset(st);
    }
    return rc == IV_NO_ROW ? IV_OK : rc;
}

static int64_t within_a_day(int64_t ms)
{
    const int64_t day = 86400000;

    return ms < 0 ? 0 : ms > day ? day : ms;
}

/* INT64_MIN: it has none. */
static int64_t grade_of(const iv_store_entry *e)
{
    return has_grade(e->reason) ? e->grade : INT64_MIN;
}

static int insert(iv_store *s, iv_store_entry *e, int64_t replaces, iv_err *err)
{
    sqlite3_stmt *st = s->append_st[INSERT];
    iv_db_bind(st, "tiiiiiiit", e->uuid, e->item, e->assessor, grade_of(e), (int64_t)e->reason,
               replaces == 0 ? INT64_MIN : replaces, within_a_day(e->active_ms),
               within_a_day(e->away_ms), e->note != NULL && *e->note == '\0' ? NULL : e->note);
    IV_TRY(iv_db_run(st, s->path, "store a judgment", err));
    e->seq = sqlite3_last_insert_rowid(s->db);
    e->stored = IV_STORED_NEW;
    return IV_OK;
}

/* The last words follow the log. */
static int follow(iv_store *s, const iv_store_entry *e, bool final, uint8_t *effect, iv_err *err)
{
    sqlite3_stmt *st = s->append_st[e->reason == IV_REASON_UNDO ? DROP : KEEP];

    if (e->reason == IV_REASON_UNDO) {
        iv_db_bind(st, "iii", e->item, e->assessor, (int64_t)final);
    } else {
        iv_db_bind(st, "iiiiii", e->item, e->assessor, (int64_t)final, e->seq, grade_of(e),
                   (int64_t)e->reason);
    }
    IV_TRY(iv_db_run(st, s->path, "store a judgment", err));
    st = s->append_st[WORDS];
    iv_db_bind(st, "i", e->item);
    IV_TRY(iv_db_step(st, s->path, err));
    *effect = (uint8_t)(TOLD | (final ? OF_FINAL : 0)
                        | (sqlite3_column_int(st, 0) != 0 ? CONFLICT : 0)
                        | (sqlite3_column_int(st, 1) != 0 ? ADJUDICATED : 0));
    (void)sqlite3_reset(st);
    return IV_OK;
}

static int store_one(iv_store *s, iv_store_entry *e, uint8_t *effect, iv_err *err)
{
    const char *wrong = wrong_with(s, e);
    bool before = false, final = e->reason == IV_REASON_ADJUDICATED;
    int64_t replaces = 0;

    e->seq = 0;
    e->why[0] = '\0';
    if (wrong != NULL)
        return refuse(e, IV_STORED_REFUSED, wrong);
    IV_TRY(find_before(&before, s, e, err));
    if (before)
        return IV_OK;
    if (e->reason == IV_REASON_UNDO) {
        IV_TRY(find_last(&replaces, &final, s, e, err));
        if (replaces == 0 || (e->replaces != 0 && e->replaces != replaces))
            return refuse(e, IV_STORED_REFUSED, "that is not the latest judgment of the item");
    }
    IV_TRY(insert(s, e, replaces, err));
    return follow(s, e, final, effect, err);
}

/* ------------------------------------------------------- the transaction -- */

static int prepare(iv_store *s, iv_err *err)
{
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (s->append_st[i] == NULL)
            IV_TRY(iv_db_prepare(&s->append_st[i], s->db, s->path, statements[i], err));
    return IV_OK;
}

/* A disk that could not synchronise may have anything: nothing more is promised. */
static int commit(iv_store *s, iv_err *err)
{
    if (sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK)
        return still_there(s, err);
    if ((sqlite3_errcode(s->db) & 0xff) == SQLITE_IOERR)
        s->broken = true;
    return iv_db_fail(err, s->db, s->path, "store a judgment");
}

static void tell_queue(iv_store *s, const iv_store_entry *entries, const uint8_t *effects,
                       size_t count)
{
    (void)pthread_mutex_lock(&s->lock_queue);
    for (size_t i = 0; i < count; i++) {
        const iv_store_entry *e = &entries[i];
        if (effects[i] == 0)
            continue;
        if (!(effects[i] & OF_FINAL))
            iv_queue_word(s, e->item, e->assessor, e->reason);
        iv_queue_conflict(s, e->item, effects[i] & CONFLICT, effects[i] & ADJUDICATED);
        if (e->seq > s->seq)
            __atomic_store_n(&s->seq, e->seq, __ATOMIC_RELEASE);
    }
    (void)pthread_mutex_unlock(&s->lock_queue);
}

static int append_all(iv_store *s, iv_store_entry *entries, uint8_t *effects, size_t count,
                      iv_err *err)
{
    IV_TRY(prepare(s, err));
    IV_TRY(iv_db_exec(s->db, s->path, "BEGIN IMMEDIATE", err));
    int rc = IV_OK;
    for (size_t i = 0; i < count && rc == IV_OK; i++)
        rc = store_one(s, &entries[i], &effects[i], err);
    if (rc == IV_OK)
        rc = commit(s, err);
    else if ((sqlite3_errcode(s->db) & 0xff) == SQLITE_IOERR)
        s->broken = true;
    if (rc != IV_OK && sqlite3_get_autocommit(s->db) == 0)
        (void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

int iv_store_append(iv_store *s, iv_store_entry *entries, size_t count, iv_err *err)
{
    if (s->db == NULL)
        return iv_fail_at(err, IV_EIO, s->path, 0, "is open for reading only");
    uint8_t *effects = calloc(count + 1, 1);
    if (effects == NULL)
        return iv_no_memory(err);
    (void)pthread_mutex_lock(&s->write_lock);
    int rc = s->broken
        ? iv_fail_at(err, IV_EIO, s->path, 0, "a judgment could not be stored before; restart, "
                     "and what was not acknowledged can be sent again")
        : append_all(s, entries, effects, count, err);
    if (rc == IV_OK)
        tell_queue(s, entries, effects, count);
    (void)pthread_mutex_unlock(&s->write_lock);
    free(effects);
    return rc;
}
