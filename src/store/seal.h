/* SPDX-License-Identifier: Apache-2.0 */
/* The seals of a session, and connections that look at them. */
#ifndef IV_STORE_SEAL_H
#define IV_STORE_SEAL_H

#include <sqlite3.h>

#include "store/assessors.h"
#include "store/upkeep.h"

/* What version 2 has in addition to version 1, of intervale 0.2 and 0.3. */
extern const char iv_store_schema_seals[];

/*
 * A session has an identity (meta "session"), a chain of SHA-256 over its judgments (table seal:
 * each is of the one before and of the row, with the names of topic, document and assessor), and
 * checksums of what does not change while it is judged (meta "sum:...").  Who changes such rows
 * calls iv_seal_put() in the same transaction.
 */
typedef enum iv_seal {
    IV_SEAL_SETTINGS, /* meta but for settings of the server and texts; assessors */
    IV_SEAL_ITEMS,    /* topics, documents, strata, items */
    IV_SEAL_TEXTS,    /* of documents and references; the form */
    IV_SEALS
} iv_seal;

/* Gives a session its identity and its first seals. */
IV_MUST_CHECK int iv_seal_begin(sqlite3 *db, const char *path, iv_err *err);

/* The identity; "": there is none. */
IV_MUST_CHECK int iv_seal_identity(char out[IV_TOKEN_SIZE], sqlite3 *db, const char *path,
                                   iv_err *err);

/* Makes version 1 into version 2. */
IV_MUST_CHECK int iv_seal_upgrade(sqlite3 *db, const char *path, iv_err *err);

/* Seals what is there now. */
IV_MUST_CHECK int iv_seal_put(sqlite3 *db, const char *path, iv_seal which, iv_err *err);

/* Seals the judgments behind seq `after`, the last one that is sealed. */
IV_MUST_CHECK int iv_seal_log(sqlite3 *db, const char *path, int64_t after, iv_err *err);

/* Is it what was sealed?  IV_EPARSE if not.  *last (or NULL): the last checksum of the log. */
IV_MUST_CHECK int iv_seal_check(sqlite3 *db, const char *path, iv_seal which, iv_err *err);
IV_MUST_CHECK int iv_seal_check_log(char last[IV_SHA256_SIZE], sqlite3 *db, const char *path,
                                    iv_err *err);

/* Is what a connection sees whole, as far as rows of a session of that version can tell?  One
 * snapshot of it.  IV_EPARSE if not. */
IV_MUST_CHECK int iv_store_check_rows(sqlite3 *db, const char *path, int64_t version, iv_check how,
                                      iv_err *err);

/* A connection that only reads: with SQLite's log, or the file as it stands. */
IV_MUST_CHECK int iv_store_connect_to_read(sqlite3 **out, const char *path, bool as_it_stands,
                                           iv_err *err);

/* Is it a session that this program can read, and of which version?  IV_EPARSE if not. */
IV_MUST_CHECK int iv_store_recognise(int64_t *version, sqlite3 *db, const char *path, iv_err *err);

#endif
