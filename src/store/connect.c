/* SPDX-License-Identifier: Apache-2.0 */
/* Connections to the file of a session: its tables, its disk, and whether it is one. */
#include "base/err.h"
#include "store/db.h"
#include "store/seal.h"
#include "store/store_open.h"

#include <sqlite3.h>
#include <string.h>
#include <sys/vfs.h>

#define JUDGMENT_STAYS "CREATE TRIGGER judgment_stays BEFORE UPDATE ON judgment BEGIN" \
    " SELECT RAISE(ABORT, 'judgments are never changed'); END"
#define JUDGMENT_IS_KEPT "CREATE TRIGGER judgment_is_kept BEFORE DELETE ON judgment BEGIN" \
    " SELECT RAISE(ABORT, 'judgments are never deleted'); END"

/* What version 2 added; its last statement says so. */
#define IV_SEALS_SCHEMA                                                       \
    "CREATE TABLE seal(seq INTEGER PRIMARY KEY, sum TEXT NOT NULL) STRICT;"   \
    "PRAGMA user_version = 2;" /* IV_STORE_VERSION */

/* The tables of a session.  Texts stand apart from items, so that the queue is narrow. */

const char iv_store_schema[] =
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value ANY) STRICT;"
    "CREATE TABLE topic(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, text TEXT NOT NULL)"
    " STRICT;"
    "CREATE TABLE document(id INTEGER PRIMARY KEY, docno TEXT NOT NULL UNIQUE, title TEXT,"
    " text BLOB, zipped INTEGER NOT NULL) STRICT;" /* text NULL: the collection lacked it */
    "CREATE TABLE stratum(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, size INTEGER,"
    " retrieved INTEGER) STRICT;"
    /* ord: its place in the order of its topic, from 0; twice: two assessors. */
    "CREATE TABLE item(id INTEGER PRIMARY KEY, topic INTEGER NOT NULL REFERENCES topic,"
    " document INTEGER NOT NULL REFERENCES document, stratum INTEGER, block INTEGER,"
    " ord INTEGER NOT NULL, twice INTEGER NOT NULL, UNIQUE(topic, document)) STRICT;"
    "CREATE TABLE assessor(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,"
    " token_sha256 TEXT, revoked TEXT) STRICT;"
    "CREATE TABLE judgment(seq INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE,"
    " item INTEGER NOT NULL REFERENCES item, assessor INTEGER NOT NULL REFERENCES assessor,"
    " grade INTEGER, reason INTEGER NOT NULL, replaces INTEGER, active_ms INTEGER,"
    " away_ms INTEGER, at TEXT NOT NULL, note TEXT) STRICT;"
    /* The last word of each assessor (final: of the owner, on a conflict). */
    "CREATE TABLE current(item INTEGER NOT NULL, assessor INTEGER NOT NULL,"
    " final INTEGER NOT NULL, seq INTEGER NOT NULL, grade INTEGER, reason INTEGER NOT NULL,"
    " PRIMARY KEY(item, assessor, final)) STRICT, WITHOUT ROWID;"
    /* References that are the same as one that stays, or (removed 0) resemble it; 2: restored. */
    "CREATE TABLE duplicate(record TEXT PRIMARY KEY, stays TEXT NOT NULL, reason TEXT NOT NULL,"
    " removed INTEGER NOT NULL, source TEXT NOT NULL) STRICT;"
    JUDGMENT_STAYS ";" JUDGMENT_IS_KEPT ";"
    "PRAGMA application_id = 1769368164;" /* IV_STORE_APPLICATION */
    IV_SEALS_SCHEMA;

const char iv_store_schema_seals[] = IV_SEALS_SCHEMA;

/* ------------------------------------------------------------- the disk -- */

const char *iv_network_file_system(long kind)
{
    static const unsigned long kinds[] = { 0x6969, 0xff534d42, 0xfe534d42, 0x517b, 0x65735546,
                                           0x01021997, 0x00c36400, 0x5346414f, 0x73757245,
                                           0x47504653, 0x0bd00bd0 };
    static const char *const names[] = { "NFS", "CIFS", "SMB", "SMB", "FUSE", "9P", "Ceph", "AFS",
                                         "Coda", "GPFS", "Lustre" };

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (((unsigned long)kind & 0xffffffffUL) == kinds[i])
            return names[i];
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

/* --------------------------------------------------------- connections -- */

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

int iv_store_connect(sqlite3 **out, const char *path, iv_err *err)
{
    return connect_as(out, NULL, path, SQLITE_OPEN_READWRITE, err);
}

/* Nothing in its schema is run but what judge new has written: a file may come from anybody. */
static int check_schema(sqlite3 *db, const char *path, iv_err *err)
{
    sqlite3_stmt *st = NULL;
    char quoted[IV_QUOTE_SIZE];
    int rc = iv_db_query(&st, db, path, err, "SELECT s.name FROM sqlite_schema s WHERE"
                         " CASE s.type WHEN 'table' THEN s.rootpage < 2 OR EXISTS (SELECT 1 FROM"
                         " pragma_table_xinfo(s.name) x WHERE x.hidden <> 0)"
                         " WHEN 'index' THEN s.sql IS NOT NULL"
                         " WHEN 'trigger' THEN s.sql NOT IN (?, ?) ELSE 1 END", "tt",
                         JUDGMENT_STAYS, JUDGMENT_IS_KEPT);

    if (iv_db_next(st, &rc, path, err))
        rc = iv_fail_at(err, IV_EPARSE, path, 0, "has %s, which is no part of a session; expected "
                        "a file of judge new", iv_quote(quoted, iv_db_str(st, 0)));
    return iv_db_end(st, rc);
}

int iv_store_recognise(int64_t *out, sqlite3 *db, const char *path, iv_err *err)
{
    int64_t application = 0, version = 0;

    IV_TRY(iv_db_number(&application, db, path, "PRAGMA application_id", err));
    IV_TRY(iv_db_number(&version, db, path, "PRAGMA user_version", err));
    *out = version;
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
    return check_schema(db, path, err);
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

int iv_store_connect_to_read(sqlite3 **out, const char *path, bool as_it_stands, iv_err *err)
{
    char *uri = as_it_stands ? address_of(path) : NULL;

    if (as_it_stands && uri == NULL)
        return iv_no_memory(err);
    const int rc = connect_as(out, uri, path, SQLITE_OPEN_READONLY, err);
    sqlite3_free(uri);
    if (rc == IV_OK)
        (void)sqlite3_db_config(*out, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    return rc;
}
