/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a session.  Texts stand apart from items, so that the queue is narrow. */
#include "store/store_parts.h"

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
    "CREATE TRIGGER judgment_stays BEFORE UPDATE ON judgment BEGIN"
    " SELECT RAISE(ABORT, 'judgments are never changed'); END;"
    "CREATE TRIGGER judgment_is_kept BEFORE DELETE ON judgment BEGIN"
    " SELECT RAISE(ABORT, 'judgments are never deleted'); END;"
    "PRAGMA application_id = 1769368164;" /* IV_STORE_APPLICATION */
    "PRAGMA user_version = 1;";           /* IV_STORE_VERSION */
