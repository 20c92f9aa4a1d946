/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a list of documents, perhaps in families. */
#include "base/bytes.h"
#include "base/err.h"
#include "base/ids.h"
#include "base/lines.h"
#include "trec/families.h"
#include "trec/csv.h"
#include "trec/fields.h"
#include "trec/text.h"

#include <string.h>
#include <strings.h>

/* A list being read. */
typedef struct reading {
    const char *path;
    iv_arena *memory;
    iv_ids documents, families;
    iv_str *document;
    size_t *family, room, count;
    bool *retrieved, clustered, segmented;
} reading;

static int add(reading *r, uint64_t line, iv_str document, iv_str family, iv_str segment,
               iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];
    const size_t before = r->documents.count;

    if (document.len == 0)
        return iv_fail_at(err, IV_EPARSE, r->path, line, "no document; expected an id");
    if (r->clustered && family.len == 0)
        return iv_fail_at(err, IV_EPARSE, r->path, line, "document %s has no family; expected one "
                          "for each", iv_quote(quoted, document));
    const char *name = iv_arena_copy(r->memory, document);
    const char *of = iv_arena_copy(r->memory, r->clustered ? family : document);
    if (name == NULL || of == NULL
        || iv_ids_add(&r->documents, (iv_str){ name, document.len }) == IV_NO_ID)
        return iv_no_memory(err);
    if (r->documents.count == before)
        return iv_fail_at(err, IV_EPARSE, r->path, line, "document %s occurs twice; expected once",
                          iv_quote(quoted, document));
    const uint32_t at = iv_ids_add(&r->families, iv_str_of(of));
    if (at == IV_NO_ID)
        return iv_no_memory(err);
    const bool in = segment.len == 9 && strncasecmp(segment.ptr, "retrieved", 9) == 0;
    if (r->segmented && !in && !(segment.len == 11
                                 && strncasecmp(segment.ptr, "unretrieved", 11) == 0))
        return iv_fail_at(err, IV_EPARSE, r->path, line, "segment %s; expected retrieved or "
                          "unretrieved", iv_quote(quoted, segment));
    r->document[r->count] = (iv_str){ name, document.len };
    r->family[r->count] = at;
    r->retrieved[r->count++] = in;
    return IV_OK;
}

static int make_room(reading *r, size_t count, iv_err *err)
{
    r->document = iv_take(r->memory, count + 1, sizeof *r->document);
    r->family = iv_take(r->memory, count + 1, sizeof *r->family);
    r->retrieved = iv_take(r->memory, count + 1, sizeof *r->retrieved);
    return iv_taken(r->memory, err);
}

static int read_table(reading *r, const iv_csv *t, size_t column, iv_err *err)
{
    const size_t family = iv_csv_find(t, iv_str_of("family"));
    const size_t segment = iv_csv_find(t, iv_str_of("segment"));
    const iv_str none = { "", 0 };

    r->clustered = family != IV_NONE;
    r->segmented = segment != IV_NONE;
    IV_TRY(make_room(r, iv_csv_rows(t), err));
    for (size_t i = 0; i < iv_csv_rows(t); i++)
        IV_TRY(add(r, iv_csv_line(t, i), iv_csv_cell(t, i, column),
                   family == IV_NONE ? none : iv_csv_cell(t, i, family),
                   segment == IV_NONE ? none : iv_csv_cell(t, i, segment), err));
    return IV_OK;
}

static int read_lines(reading *r, iv_str text, iv_err *err)
{
    iv_str rest, word[3];

    IV_TRY(make_room(r, (size_t)iv_lines_in(text) + 1, err));
    for (uint64_t line = 1; iv_next_line(&rest, &text); line++) {
        size_t n = 0;
        while (n < 3 && iv_next_word(&word[n], &rest))
            n++;
        if (n == 0)
            continue;
        if (n == 3)
            return iv_fail_at(err, IV_EPARSE, r->path, line, "three words; expected a document and "
                              "perhaps its family");
        r->clustered = r->count == 0 ? n == 2 : r->clustered;
        IV_TRY(add(r, line, word[0], n == 2 ? word[1] : (iv_str){ "", 0 }, (iv_str){ "", 0 }, err));
    }
    return IV_OK;
}

/* The column that names documents, where the first line is a header. */
static size_t document_column(const iv_csv *t)
{
    static const char *const names[] = { "document", "docno", "id" };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (iv_csv_find(t, iv_str_of(names[i])) != IV_NONE)
            return iv_csv_find(t, iv_str_of(names[i]));
    return IV_NONE;
}

static int read_list(reading *r, iv_str text, iv_err *err)
{
    const char *end = memchr(text.ptr, '\n', text.len);
    const iv_str head = { text.ptr, end == NULL ? text.len : (size_t)(end - text.ptr) };
    iv_csv *t = NULL;

    if (memchr(head.ptr, ',', head.len) == NULL && memchr(head.ptr, '\t', head.len) == NULL)
        return read_lines(r, text, err);
    IV_TRY(iv_csv_parse(&t, r->path, text.ptr, text.len, err));
    const size_t column = document_column(t);
    const int rc = column != IV_NONE ? read_table(r, t, column, err)
        : memchr(head.ptr, ',', head.len) == NULL ? read_lines(r, text, err)
        : iv_fail_at(err, IV_EPARSE, r->path, 1, "no column document; expected document, and "
                     "perhaps family and segment");
    iv_csv_free(t);
    return rc;
}

int iv_family_list_load(iv_family_list *out, iv_arena *a, const char *path, const iv_work *work,
                        iv_err *err)
{
    reading r = { .path = path, .memory = a };
    iv_bytes b;

    IV_TRY(iv_bytes_load(&b, path, work, err));
    int rc = read_list(&r, iv_text_of(&b), err);
    if (rc == IV_OK && r.count == 0)
        rc = iv_fail_at(err, IV_ENODATA, path, 1, "no document; expected one per line");
    *out = (iv_family_list){ r.count, r.families.count, r.document, r.family,
                             r.segmented ? r.retrieved : NULL, r.clustered };
    iv_ids_free(&r.documents);
    iv_ids_free(&r.families);
    iv_bytes_free(&b);
    return rc;
}
