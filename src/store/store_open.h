/* SPDX-License-Identifier: Apache-2.0 */
/* Files of sessions: schema, connection, packing. */
#ifndef IV_STORE_STORE_OPEN_H
#define IV_STORE_STORE_OPEN_H

#include <sqlite3.h>

#include "base/memory.h"
#include "intervale/trec/relevance_judgments.h"
#include "store/session.h"

/* "iv" and the format: other programs' files are told by it. */
enum { IV_STORE_APPLICATION = 0x69766a64, IV_STORE_VERSION = 2 };

/* Tables, triggers, and what the header of the file says. */
extern const char iv_store_schema[];

/* A connection of its own that reads what the store reads, for a check beside other work. */
IV_MUST_CHECK int iv_store_connect_beside(sqlite3 **out, iv_store *s, iv_err *err);

/* A text as it is kept: packed when it is long.  *zipped says so. */
IV_MUST_CHECK int iv_store_pack(iv_str *out, bool *zipped, iv_arena *a, iv_str text, iv_err *err);
IV_MUST_CHECK int iv_store_unpack(iv_str *out, iv_arena *a, iv_str kept, bool zipped, iv_err *err);

/* "0:not,1:partly,2": rising grades, each with its word, or its number where that is left out.
 * IV_EARG for others. */
IV_MUST_CHECK int iv_grades_read(iv_store_about *out, iv_arena *a, iv_str text, iv_err *err);

/* Would eval take the design when all of it is judged?  IV_EPARSE, with the line, if not. */
IV_MUST_CHECK int iv_store_design_read(const iv_judgments *j, const char *name, iv_err *err);

/* The judgments of a sample or a queue, in a format that is of that kind. */
IV_MUST_CHECK int iv_store_form_read(iv_judgments **out, iv_store_kind kind, iv_str form,
                                     const char *name, iv_err *err);

/* The name of a file system that other machines share, by its number; NULL: none. */
const char *iv_network_file_system(long kind);

/* IV_EIO for a path on a network file system. */
IV_MUST_CHECK int iv_store_refuse_network(const char *path, iv_err *err);

/* An empty file beside `path`, to be written and then put into its place, durably: over what is
 * there, or never so.  The arena has its name. */
IV_MUST_CHECK int iv_store_begin_file(char **out, iv_arena *a, const char *path, iv_err *err);
IV_MUST_CHECK int iv_store_place_file(const char *temporary, const char *path, bool replace,
                                      iv_err *err);

/* Opens SQLite's connection. */
IV_MUST_CHECK int iv_store_connect(sqlite3 **out, const char *path, iv_err *err);

/* Is it one of the grades of the session? */
bool iv_store_has_grade(const iv_store *s, int32_t grade);

#endif
