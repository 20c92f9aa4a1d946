/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a session: whose file it is, who else has it, and on which disk it lies. */
#define _GNU_SOURCE /* flock */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "store/store_parts.h"

const char *iv_network_file_system(long kind)
{
    static const struct {
        unsigned long kind;
        const char *name;
    } known[] = { { 0x6969, "NFS" }, { 0xff534d42, "CIFS" }, { 0xfe534d42, "SMB" },
                  { 0x517b, "SMB" }, { 0x65735546, "FUSE" }, { 0x01021997, "9P" },
                  { 0x00c36400, "Ceph" }, { 0x5346414f, "AFS" }, { 0x73757245, "Coda" },
                  { 0x47504653, "GPFS" }, { 0x0bd00bd0, "Lustre" } };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (((unsigned long)kind & 0xffffffffUL) == known[i].kind)
            return known[i].name;
    return NULL;
}

int iv_store_refuse_network(const char *path, iv_err *err)
{
    struct statfs fs;
    const char *name = NULL;

    if (statfs(path, &fs) == 0)
        name = iv_network_file_system((long)fs.f_type);
    if (name != NULL)
        return iv_fail_at(err, IV_EIO, path, 0, "lies on a network file system (%s), where "
                          "judgments could be lost; expected a disk of this machine", name);
    return IV_OK;
}

/*
 * Takes the lock, which is of the database itself, whatever name it is opened by.  *held: another
 * process has it.  The file stays open as long as SQLite has it: to close it would end SQLite's
 * own locks.
 */
static int take_lock(iv_store *s, bool *held, iv_err *err)
{
    struct stat st;

    s->file = open(s->path, O_RDWR | O_CLOEXEC);
    if (s->file < 0 && (errno == EACCES || errno == EROFS || errno == EPERM))
        s->file = open(s->path, O_RDONLY | O_CLOEXEC);
    if (s->file < 0 || fstat(s->file, &st) != 0)
        return iv_fail_at(err, IV_EIO, s->path, 0, "cannot open: %s", strerror(errno));
    /* SQLite's log is named after the database: by two names there are two logs. */
    if (st.st_nlink > 1)
        return iv_fail_at(err, IV_EIO, s->path, 0, "has %lu names (hard links), by which "
                          "judgments could be lost; expected one", (unsigned long)st.st_nlink);
    s->locked = flock(s->file, LOCK_EX | LOCK_NB) == 0;
    *held = !s->locked && errno == EWOULDBLOCK;
    return IV_OK;
}

static bool is_file(const char *path, const struct stat *file)
{
    struct stat named;

    return stat(path, &named) == 0 && named.st_ino == file->st_ino
        && named.st_dev == file->st_dev;
}

int iv_store_still_there(iv_store *s, iv_err *err)
{
    struct stat file;
    const char *log = sqlite3_filename_wal(sqlite3_db_filename(s->db, "main"));

    if (fstat(s->file, &file) == 0 && is_file(s->path, &file) && is_file(log, &s->log))
        return IV_OK;
    s->broken = true;
    return iv_fail_at(err, IV_EIO, s->path, 0, "was removed or replaced while it was open: "
                      "the judgment is not stored; stop the server and put the file back");
}

/* A database by its path, which errors name, or by a URI. */
static int connect_as(sqlite3 **out, const char *uri, const char *path, int flags, iv_err *err)
{
    sqlite3 *db = NULL;

    if (sqlite3_open_v2(uri != NULL ? uri : path, &db,
                        flags | SQLITE_OPEN_FULLMUTEX | (uri != NULL ? SQLITE_OPEN_URI : 0), NULL)
        != SQLITE_OK) {
        const int rc = db == NULL ? iv_no_memory(err) : iv_db_fail(err, db, path, "open");
        (void)sqlite3_close(db);
        return rc;
    }
    (void)sqlite3_busy_timeout(db, 5000);
    (void)sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    (void)sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    *out = db;
    return IV_OK;
}

int iv_store_connect(sqlite3 **out, const char *path, int flags, iv_err *err)
{
    return connect_as(out, NULL, path, flags, err);
}

static int read_pragma(int64_t *out, sqlite3 *db, const char *path, const char *sql, iv_err *err)
{
    sqlite3_stmt *st = NULL;
    int rc = iv_db_prepare(&st, db, path, sql, err);

    if (rc == IV_OK)
        rc = iv_db_step(st, path, err);
    if (rc == IV_OK)
        *out = sqlite3_column_int64(st, 0);
    (void)sqlite3_finalize(st);
    return rc;
}

int iv_store_recognise(sqlite3 *db, const char *path, iv_err *err)
{
    int64_t application = 0, version = 0;

    IV_TRY(read_pragma(&application, db, path, "PRAGMA application_id", err));
    IV_TRY(read_pragma(&version, db, path, "PRAGMA user_version", err));
    if (application != IV_STORE_APPLICATION)
        return iv_fail_at(err, IV_EPARSE, path, 0, "is another program's database, expected a "
                          "file of judge new");
    if (version > IV_STORE_VERSION)
        return iv_fail_at(err, IV_EPARSE, path, 0, "was made by a newer version (its format is "
                          "%lld, this program knows %d); use that", (long long)version,
                          (int)IV_STORE_VERSION);
    if (version < 1)
        return iv_fail_at(err, IV_EPARSE, path, 0, "is a session that was never finished, "
                          "expected a file of judge new");
    return IV_OK;
}

/* What is true of a file before SQLite touches it: an empty one would become a database. */
static int look_at_file(const char *path, iv_err *err)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return iv_fail_at(err, IV_EIO, path, 0, "cannot open: %s", strerror(errno));
    if (!S_ISREG(st.st_mode) || st.st_size == 0)
        return iv_fail_at(err, IV_EPARSE, path, 0, "is %s, expected a file of judge new",
                          S_ISREG(st.st_mode) ? "empty" : "no file");
    return iv_store_refuse_network(path, err);
}

/* The connection that writes. */
static int open_for_writing(iv_store *s, iv_err *err)
{
    IV_TRY(iv_store_connect(&s->db, s->path, SQLITE_OPEN_READWRITE, err));
    IV_TRY(iv_store_recognise(s->db, s->path, err));
    IV_TRY(iv_db_exec(s->db, s->path, "PRAGMA journal_mode = WAL;"
                      "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON", err));
    /* Creates the log of SQLite, so that readers need not. */
    IV_TRY(iv_db_exec(s->db, s->path, "BEGIN IMMEDIATE; COMMIT", err));
    if (stat(sqlite3_filename_wal(sqlite3_db_filename(s->db, "main")), &s->log) != 0)
        return iv_fail_at(err, IV_EIO, s->path, 0, "has no log: %s", strerror(errno));
    return IV_OK;
}

/* A path in an address of SQLite's, to be given to sqlite3_free(). */
static char *address_of(const char *path)
{
    sqlite3_str *text = sqlite3_str_new(NULL);

    sqlite3_str_appendall(text, "file:");
    for (; *path != '\0'; path++)
        sqlite3_str_appendf(text, strchr("?#%", *path) != NULL ? "%%%02x" : "%c",
                            (unsigned char)*path);
    sqlite3_str_appendall(text, "?immutable=1");
    return sqlite3_str_finish(text);
}

/* The connection that reads beside it.  Where nobody writes and the folder cannot be written
 * either, the file is taken as it stands. */
static int open_for_reading(iv_store *s, bool as_it_stands, iv_err *err)
{
    char *uri = NULL;
    int rc;

    if (as_it_stands) {
        uri = address_of(s->path);
        if (uri == NULL)
            return iv_no_memory(err);
    }
    rc = connect_as(&s->reads, uri, s->path, SQLITE_OPEN_READONLY, err);
    sqlite3_free(uri);
    return rc == IV_OK ? iv_store_recognise(s->reads, s->path, err) : rc;
}

/* SQLite's log is made beside the file. */
static bool folder_can_be_written(const char *path)
{
    char *whole = realpath(path, NULL), *slash = whole != NULL ? strrchr(whole, '/') : NULL;

    if (slash != NULL)
        slash[slash == whole] = '\0';
    const bool can = slash != NULL && access(whole, W_OK) == 0;
    free(whole);
    return can;
}

static int open_both(iv_store *s, iv_store_mode mode, iv_err *err)
{
    bool held = false;

    IV_TRY(look_at_file(s->path, err));
    IV_TRY(take_lock(s, &held, err));
    if (held && mode == IV_STORE_WRITE)
        return iv_fail_at(err, IV_EIO, s->path, 0, "is served or written by another process; "
                          "end that first");
    const bool writable = s->locked && (fcntl(s->file, F_GETFL) & O_ACCMODE) == O_RDWR
        && folder_can_be_written(s->path);
    if (!writable && mode == IV_STORE_WRITE)
        return iv_fail_at(err, IV_EIO, s->path, 0, "cannot be written here, expected a file and "
                          "a folder of yours");
    if (writable)
        IV_TRY(open_for_writing(s, err));
    return open_for_reading(s, !writable && !held, err);
}

int iv_store_open(iv_store **out, const char *path, iv_store_mode mode, iv_err *err)
{
    iv_store *s = calloc(1, sizeof *s);

    if (s == NULL)
        return iv_no_memory(err);
    s->file = -1;
    (void)pthread_mutex_init(&s->write_lock, NULL);
    (void)pthread_mutex_init(&s->read_lock, NULL);
    (void)pthread_mutex_init(&s->lock_queue, NULL);
    s->hold = IV_HOLD_SECONDS;
    s->path = iv_arena_copy(&s->memory, iv_str_of(path));
    int rc = s->path == NULL ? iv_no_memory(err) : open_both(s, mode, err);
    if (rc == IV_OK)
        rc = iv_store_load(s, err);
    if (rc != IV_OK) {
        iv_store_close(s);
        return rc;
    }
    *out = s;
    return IV_OK;
}

void iv_store_close(iv_store *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < sizeof s->append_st / sizeof *s->append_st; i++)
        (void)sqlite3_finalize(s->append_st[i]);
    (void)sqlite3_finalize(s->read_document);
    (void)sqlite3_finalize(s->read_words);
    (void)sqlite3_close(s->reads); /* first: the last one to close folds the log in */
    (void)sqlite3_close(s->db);
    if (s->file >= 0)
        (void)close(s->file); /* after SQLite's: the lock ends last */
    free(s->items);
    iv_ids_free(&s->topic_ids);
    (void)pthread_mutex_destroy(&s->write_lock);
    (void)pthread_mutex_destroy(&s->read_lock);
    (void)pthread_mutex_destroy(&s->lock_queue);
    iv_arena_free(&s->memory);
    free(s);
}

int iv_store_checkpoint(iv_store *s, iv_err *err)
{
    int rc = IV_OK;

    if (s->db == NULL || s->broken)
        return IV_OK;
    (void)pthread_mutex_lock(&s->write_lock);
    if (sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL) != SQLITE_OK)
        rc = iv_db_fail(err, s->db, s->path, "write");
    (void)pthread_mutex_unlock(&s->write_lock);
    return rc;
}
