/* SPDX-License-Identifier: Apache-2.0 */
/* Duplicates of a session: the list of them, and records that come back. */
#include "base/err.h"
#include "base/ids.h"
#include "base/memory.h"
#include "num/draw.h"
#include "store/bibliography.h"
#include "store/combined.h"
#include "store/db.h"
#include "store/document_text.h"
#include "store/documents.h"
#include "store/queue.h"
#include "store/restore.h"
#include "store/seal.h"
#include "store/session.h"
#include "store/store_open.h"
#include "store/upkeep.h"

#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

/* Sessions of version 0.3 have no such table. */
static int has_list(bool *out, iv_store *s, iv_err *err)
{
    int64_t n = 0;

    IV_TRY(iv_db_number(&n, s->reads, s->path,
                        "SELECT count(*) FROM sqlite_master WHERE name = 'duplicate'", err));
    *out = n > 0;
    return IV_OK;
}

int iv_store_duplicates(const iv_store_duplicate **out, size_t *count, iv_arena *a, iv_store *s,
                        iv_err *err)
{
    static const char *const states[] = { "kept", "removed", "restored" };
    iv_store_duplicate *rows = NULL;
    size_t n = 0, room = 0;
    sqlite3_stmt *st = NULL;
    bool listed = false;

    (void)pthread_mutex_lock(&s->read_lock);
    int rc = has_list(&listed, s, err);
    if (rc == IV_OK && listed)
        rc = iv_db_prepare(&st, s->reads, s->path, "SELECT record, source, stays, coalesce((SELECT"
                           " title FROM document WHERE docno = stays), ''), reason, removed"
                           " FROM duplicate ORDER BY removed = 0, rowid", err);
    while (listed && iv_db_next(st, &rc, s->path, err)) {
        const int64_t state = sqlite3_column_int64(st, 5);
        if (!IV_ARENA_ROOM(a, rows, room, n)) {
            rc = iv_no_memory(err);
            break;
        }
        const iv_bibliographic x = iv_bibliographic_of(a, iv_db_str(st, 1));
        rows[n++] = (iv_store_duplicate){ iv_db_text(a, st, 0), iv_arena_copy(a, x.title),
                                          iv_db_text(a, st, 2), iv_db_text(a, st, 3),
                                          iv_db_text(a, st, 4),
                                          states[state < 0 || state > 2 ? 1 : state] };
    }
    if (st != NULL)
        rc = iv_db_end(st, rc);
    (void)pthread_mutex_unlock(&s->read_lock);
    *out = rows;
    *count = n;
    return rc == IV_OK ? iv_taken(a, err) : rc;
}

int iv_store_restored_open(size_t *out, iv_store *s, iv_err *err)
{
    bool listed = false;
    int64_t n = 0;

    (void)pthread_mutex_lock(&s->read_lock);
    int rc = has_list(&listed, s, err);
    if (rc == IV_OK && listed)
        rc = iv_db_number(&n, s->reads, s->path, "SELECT count(*) FROM duplicate JOIN document d"
                          " ON d.docno = record JOIN item i ON i.document = d.id"
                          " WHERE removed = 2 AND NOT EXISTS (SELECT 1 FROM current c"
                          " WHERE c.item = i.id AND c.reason <> 2)", err);
    (void)pthread_mutex_unlock(&s->read_lock);
    *out = (size_t)n;
    return rc;
}

/* -------------------------------------------------------------- restoring -- */

/* Records that come back. */
typedef struct restoring {
    iv_store *s;
    iv_arena memory;
    iv_str *names; /* their ids */
    size_t count, room;
    double overlap; /* proportion of documents that two assessors judge */
} restoring;

/* The next item is of this document. */
static int put_record(void *user, uint32_t id, iv_str title, iv_str text, iv_str source,
                      iv_err *err)
{
    static const uint64_t restored_key = UINT64_C(0x726573746f726564);
    restoring *r = user;
    iv_store *s = r->s;
    int64_t document = 0, item = 0;
    bool zipped = false;
    iv_str kept;

    IV_TRY(iv_store_pack(&kept, &zipped, &r->memory, text, err));
    IV_TRY(iv_db_number(&document, s->db, s->path, "SELECT max(id) + 1 FROM document", err));
    IV_TRY(iv_db_number(&item, s->db, s->path, "SELECT max(id) + 1 FROM item", err));
    iv_stream stream = iv_stream_start((uint64_t)item, IV_FOR_SAMPLING, restored_key);
    const bool twice = iv_draw_uniform(&stream) < r->overlap;
    IV_TRY(iv_db_do(s->db, s->path, "store a document", err,
                    "INSERT INTO document VALUES (?, ?, ?, ?, ?)", "issbi", document,
                    r->names[id], title, kept, (int64_t)zipped));
    IV_TRY(iv_db_do(s->db, s->path, "store a reference", err,
                    "INSERT INTO meta VALUES ('ref:' || ?, ?)", "is", document, source));
    IV_TRY(iv_db_do(s->db, s->path, "store the queue", err,
                    "INSERT INTO item SELECT ?, 1, ?, NULL, NULL, max(ord) + 1, ? FROM item",
                    "iii", item, document, (int64_t)twice));
    IV_TRY(iv_db_do(s->db, s->path, "store the order", err, "UPDATE meta SET value = value || ?"
                    " || ' ' WHERE key = 'rank'", "i", item));
    return iv_db_do(s->db, s->path, "store a duplicate", err,
                    "UPDATE duplicate SET removed = 2 WHERE record = ?", "s", r->names[id]);
}

/* The form of a session gets a line for each. */
static int extend_form(restoring *r, iv_err *err)
{
    iv_store *s = r->s;
    iv_str form, kept;
    bool zipped = false;
    size_t room = 1;

    IV_TRY(iv_store_form_text(&form, &r->memory, s, err));
    for (size_t i = 0; i < r->count; i++)
        room += r->names[i].len + 32;
    char *text = iv_take(&r->memory, form.len + room, 1);
    IV_TRY(iv_taken(&r->memory, err));
    memcpy(text, form.ptr, form.len);
    size_t len = form.len;
    for (size_t i = 0; i < r->count; i++)
        len += (size_t)sprintf(text + len, "%s 0 %.*s -1\n", IV_BIBLIOGRAPHY_TOPIC,
                               (int)r->names[i].len, r->names[i].ptr);
    IV_TRY(iv_store_pack(&kept, &zipped, &r->memory, (iv_str){ text, len }, err));
    IV_TRY(iv_db_do(s->db, s->path, "store the form", err,
                    "UPDATE meta SET value = ? WHERE key = 'form'", "b", kept));
    return iv_store_meta_put(s, "form_zipped", zipped ? "1" : "0", err);
}

/* The records that are named, from their lines of RIS. */
static int find_records(iv_bibliography *out, restoring *r, const char *records, iv_err *err)
{
    iv_store *s = r->s;
    char quoted[IV_QUOTE_SIZE];
    int rc = IV_OK;

    for (const char *at = records; rc == IV_OK && *at != '\0';) {
        const iv_str name = iv_trimmed((iv_str){ at, strcspn(at, ",") });
        sqlite3_stmt *st = NULL;
        at += strcspn(at, ",");
        at += *at == ',';
        IV_TRY(iv_db_query(&st, s->db, s->path, err,
                           "SELECT source FROM duplicate WHERE record = ? AND removed = 1", "s",
                           name));
        if (iv_db_next(st, &rc, s->path, err)) {
            const char *source = iv_db_text(&r->memory, st, 0);
            if (source == NULL || !IV_ARENA_ROOM(&r->memory, out->at, out->capacity, out->count)
                || !IV_ARENA_ROOM(&r->memory, r->names, r->room, r->count))
                rc = iv_no_memory(err);
            else {
                iv_bibliographic *x = &out->at[out->count++];
                *x = iv_bibliographic_of(&r->memory, iv_str_of(source));
                x->id = r->names[r->count++] = name;
            }
        } else if (rc == IV_OK || rc == IV_NO_ROW) {
            rc = iv_fail_at(err, IV_ENODATA, s->path, 0, "no removed record %s; 'intervale judge "
                            "duplicates' lists them", iv_quote(quoted, name));
        }
        rc = iv_db_end(st, rc);
    }
    return rc;
}

static int put_records(restoring *r, iv_bibliography *b, iv_err *err)
{
    iv_wanted wanted = { .put = put_record, .user = r };
    int rc = IV_OK;

    for (size_t i = 0; i < r->count && rc == IV_OK; i++)
        if (iv_ids_add(&wanted.ids, r->names[i]) != i)
            rc = iv_fail(err, IV_EARG, "a record is named twice, expected each once");
    if (rc == IV_OK)
        rc = iv_wanted_begin(&wanted, err);
    if (rc == IV_OK)
        rc = iv_references_read(&wanted, b, r->s->path, err);
    iv_wanted_free(&wanted);
    return rc == IV_OK ? extend_form(r, err) : rc;
}

static int restore(restoring *r, const char *records, iv_err *err)
{
    iv_store *s = r->s;
    iv_bibliography b = { 0 };
    bool listed = false;
    iv_str text;

    IV_TRY(has_list(&listed, s, err));
    if (!listed)
        return iv_fail_at(err, IV_ENODATA, s->path, 0, "is of a version that did not keep removed "
                          "records; expected a session made by this one");
    IV_TRY(iv_store_value(&text, &r->memory, s, "overlap", err));
    if (text.ptr != NULL)
        (void)iv_scan_real(&r->overlap, text);
    IV_TRY(iv_db_exec(s->db, s->path, "BEGIN IMMEDIATE", err));
    int rc = find_records(&b, r, records, err);
    if (rc == IV_OK)
        rc = put_records(r, &b, err);
    for (iv_seal which = IV_SEAL_SETTINGS; which < IV_SEALS && rc == IV_OK; which++)
        rc = iv_seal_put(s->db, s->path, which, err);
    if (rc == IV_OK)
        rc = iv_db_exec(s->db, s->path, "COMMIT", err);
    if (rc != IV_OK && sqlite3_get_autocommit(s->db) == 0)
        (void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

int iv_store_restore_records(size_t *out, const char *path, const char *records, iv_err *err)
{
    restoring r = { .s = NULL };
    iv_ranked ranked;

    int rc = iv_store_open(&r.s, path, IV_STORE_WRITE, err);
    if (rc == IV_OK)
        rc = restore(&r, records, err);
    iv_store_close(r.s);
    r.s = NULL;
    if (rc == IV_OK) /* with the new items in memory */
        rc = iv_store_open(&r.s, path, IV_STORE_WRITE, err);
    if (rc == IV_OK)
        rc = iv_store_rank(&ranked, r.s, r.names, r.count, NULL, err);
    iv_store_close(r.s);
    if (rc == IV_OK)
        *out = r.count;
    iv_arena_free(&r.memory);
    return rc;
}
