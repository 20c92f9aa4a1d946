/* SPDX-License-Identifier: Apache-2.0 */
/* Documents and topics as lines of JSON.  The name of the id, in its quotes, can only be a whole
 * string; where it stands once in a line, the id is behind it, and the line is parsed (by
 * SQLite) only if that is wanted. */
#define _GNU_SOURCE /* memmem */

#include <string.h>

#include "store/db.h"
#include "store/documents.h"

static const char *const id_names[] = { "\"_id\"", "\"id\"", "\"docno\"", "\"doc_id\"",
                                        "\"docid\"", "\"query_id\"", "\"qid\"" };

static int no_object(const iv_document_file *f, iv_str line, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];

    return iv_fail_at(err, IV_EPARSE, f->path, f->line, "%s is not a JSON object",
                      iv_quote(quoted, line));
}

static const char *behind_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* The name that the first line has for the id. */
static int choose_key(iv_document_file *f, iv_str line, iv_err *err)
{
    const char *end = line.ptr + line.len;

    for (size_t i = 0; i < sizeof id_names / sizeof *id_names; i++) {
        const size_t len = strlen(id_names[i]);
        const char *at = memmem(line.ptr, line.len, id_names[i], len);
        if (at != NULL && (at = behind_blanks(at + len, end)) < end && *at == ':') {
            memcpy(f->key, id_names[i], len + 1);
            return IV_OK;
        }
    }
    return iv_fail_at(err, IV_EPARSE, f->path, f->line, "no id in the record, expected _id, "
                      "title and text");
}

/* The id as it stands in the line: false when only a parser can tell. */
static bool quick_id(iv_str *out, const iv_document_file *f, iv_str line)
{
    const size_t len = strlen(f->key);
    const char *end = line.ptr + line.len, *at = memmem(line.ptr, line.len, f->key, len);

    if (at == NULL || memmem(at + len, (size_t)(end - at) - len, f->key, len) != NULL)
        return false;
    at = behind_blanks(at + len, end);
    if (at == end || *at != ':')
        return false;
    at = behind_blanks(at + 1, end);
    if (at == end || *at != '"')
        return false;
    const char *stop = memchr(at + 1, '"', (size_t)(end - at) - 1);
    if (stop == NULL || memchr(at, '\\', (size_t)(stop - at)) != NULL)
        return false;
    *out = (iv_str){ at + 1, (size_t)(stop - at) - 1 };
    return true;
}

static int open_parser(iv_document_file *f, iv_err *err)
{
    static const char format[] =
        "SELECT json_extract(?1, '$.%.*s'),"
        " coalesce(json_extract(?1, '$.title'), ''),"
        " coalesce(json_extract(?1, '$.text'), json_extract(?1, '$.contents'),"
        " json_extract(?1, '$.body'), json_extract(?1, '$.abstract'),"
        " json_extract(?1, '$.query'), '')";
    char sql[512];

    if (f->memory != NULL)
        return IV_OK;
    if (sqlite3_open(":memory:", &f->memory) != SQLITE_OK)
        return iv_no_memory(err);
    (void)snprintf(sql, sizeof sql, format, (int)strlen(f->key) - 2, f->key + 1);
    IV_TRY(iv_db_prepare(&f->valid, f->memory, f->path,
                         "SELECT iif(json_valid(?1), json_type(?1) = 'object', 0)", err));
    return iv_db_prepare(&f->parts, f->memory, f->path, sql, err);
}

static iv_str column(sqlite3_stmt *st, int i)
{
    const char *text = (const char *)sqlite3_column_text(st, i);

    return (iv_str){ text == NULL ? "" : text, (size_t)sqlite3_column_bytes(st, i) };
}

/* Parses a line that is wanted, or that only a parser can tell of. */
static int parse_line(iv_document_file *f, iv_str line, iv_err *err)
{
    IV_TRY(open_parser(f, err));
    iv_db_bind(f->valid, "s", line);
    int rc = iv_db_step(f->valid, f->path, err);
    const bool valid = rc == IV_OK && sqlite3_column_int(f->valid, 0) != 0;
    (void)sqlite3_reset(f->valid);
    if (rc != IV_OK || !valid)
        return rc != IV_OK && rc != IV_NO_ROW ? rc : no_object(f, line, err);
    iv_db_bind(f->parts, "s", line);
    rc = iv_db_step(f->parts, f->path, err);
    if (rc != IV_OK)
        return rc;
    if (sqlite3_column_type(f->parts, 0) == SQLITE_NULL) {
        rc = iv_fail_at(err, IV_EPARSE, f->path, f->line, "no id in the record, expected %s",
                        f->key);
    } else {
        const uint32_t id = iv_document_wanted(f, column(f->parts, 0));
        const iv_str title = column(f->parts, 1), text = column(f->parts, 2);
        if (id != IV_NO_ID)
            rc = iv_document_found(f, id, f->line, title, text, err);
    }
    (void)sqlite3_reset(f->parts);
    return rc;
}

int iv_take_json_line(iv_document_file *f, iv_str line, iv_err *err)
{
    iv_str id;

    while (line.len > 0 && memchr(" \t\r", line.ptr[line.len - 1], 3) != NULL)
        line.len--;
    while (line.len > 0 && memchr(" \t\r", line.ptr[0], 3) != NULL) {
        line.ptr++;
        line.len--;
    }
    if (line.len == 0)
        return IV_OK;
    if (line.ptr[0] != '{' || line.ptr[line.len - 1] != '}')
        return no_object(f, line, err);
    if (f->key[0] == '\0')
        IV_TRY(choose_key(f, line, err));
    if (quick_id(&id, f, line) && iv_document_wanted(f, id) == IV_NO_ID)
        return IV_OK;
    return parse_line(f, line, err);
}
