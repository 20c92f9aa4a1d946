/* SPDX-License-Identifier: Apache-2.0 */
#include "store/bibliography.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ids.h"
#include "trec/trec_private.h"

bool iv_bibliography_is(const char *path)
{
    static const char *const ends[] = { ".ris", ".nbib", ".csv" };
    size_t len = strlen(path);

    if (len > 3 && strcmp(path + len - 3, ".gz") == 0)
        len -= 3;
    else if (len > 4 && strcmp(path + len - 4, ".zst") == 0)
        len -= 4;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t end = strlen(ends[i]);
        size_t k = 0;
        while (len > end && k < end && tolower((unsigned char)path[len - end + k]) == ends[i][k])
            k++;
        if (k == end)
            return true;
    }
    return false;
}

/* ------------------------------------------------------------- records -- */

typedef struct reading {
    iv_bibliography *out;
    iv_arena *memory;
    const char *path;
    iv_bibliographic now; /* the record at hand */
    bool open;
    iv_str *last;         /* the field that a line goes on with; NULL: none ... */
    char *text;           /* ... and what it has so far; to be freed */
    size_t len, room;
} reading;

/* Appends to a field, with something between. */
static int append(reading *r, iv_str *field, const char *between, iv_str text, iv_err *err)
{
    const size_t gap = field->len > 0 ? strlen(between) : 0;
    char *grown = iv_arena_alloc(r->memory, field->len + gap + text.len + 1);

    if (grown == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    if (field->len > 0)
        memcpy(grown, field->ptr, field->len);
    memcpy(grown + field->len, between, gap);
    if (text.len > 0)
        memcpy(grown + field->len + gap, text.ptr, text.len);
    *field = (iv_str){ grown, field->len + gap + text.len };
    return IV_OK;
}

/* Adds to the field at hand. */
static int go_on(reading *r, iv_str text, iv_err *err)
{
    const size_t gap = r->len > 0;
    char *grown = iv_grow(r->text, &r->room, r->len + gap + text.len + 1, 1);

    if (grown == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    r->text = grown;
    if (gap > 0)
        r->text[r->len++] = ' ';
    if (text.len > 0)
        memcpy(r->text + r->len, text.ptr, text.len);
    r->len += text.len;
    return IV_OK;
}

/* Ends the field at hand. */
static int end_field(reading *r, iv_err *err)
{
    iv_str *field = r->last;

    r->last = NULL;
    return field == NULL ? IV_OK : append(r, field, "", (iv_str){ r->text, r->len }, err);
}

static iv_str trimmed(iv_str s)
{
    while (s.len > 0 && isspace((unsigned char)s.ptr[0])) {
        s.ptr++;
        s.len--;
    }
    while (s.len > 0 && isspace((unsigned char)s.ptr[s.len - 1]))
        s.len--;
    return s;
}

static bool contains(iv_str s, const char *word)
{
    const size_t len = strlen(word);

    for (size_t i = 0; i + len <= s.len; i++)
        if (memcmp(s.ptr + i, word, len) == 0)
            return true;
    return false;
}

/* Letters and digits in lower case, of a DOI also what is between them. */
static iv_str key_of(reading *r, iv_str text, bool doi)
{
    static const char *const before[] = { "https://doi.org/", "http://doi.org/",
                                          "https://dx.doi.org/", "http://dx.doi.org/", "doi:" };
    char *key = iv_arena_alloc(r->memory, text.len + 1);
    size_t n = 0;

    text = trimmed(text);
    for (size_t i = 0; doi && i < sizeof before / sizeof *before; i++)
        if (text.len > strlen(before[i]) && memcmp(text.ptr, before[i], strlen(before[i])) == 0)
            text = trimmed((iv_str){ text.ptr + strlen(before[i]), text.len - strlen(before[i]) });
    for (size_t i = 0; key != NULL && i < text.len; i++) {
        const unsigned char ch = (unsigned char)text.ptr[i];
        if (doi ? ch > ' ' : isalnum(ch) || ch >= 0x80)
            key[n++] = (char)tolower(ch);
    }
    return (iv_str){ key, n };
}

static int end_record(reading *r, iv_err *err)
{
    iv_bibliography *out = r->out;

    if (!r->open)
        return IV_OK;
    r->open = false;
    IV_TRY(end_field(r, err));
    if (trimmed(r->now.title).len == 0 && trimmed(r->now.abstract).len == 0) {
        if (out->skipped++ == 0)
            out->skipped_line = r->now.line;
        return IV_OK;
    }
    if (out->count == out->capacity) {
        const size_t room = out->capacity == 0 ? 256 : 2 * out->capacity;
        iv_bibliographic *grown = iv_arena_alloc(r->memory, room * sizeof *grown);
        if (grown == NULL)
            return iv_fail(err, IV_ENOMEM, "out of memory");
        if (out->count > 0)
            memcpy(grown, out->at, out->count * sizeof *grown);
        out->at = grown;
        out->capacity = room;
    }
    out->at[out->count++] = r->now;
    return IV_OK;
}

static void begin_record(reading *r, uint64_t line)
{
    const iv_str none = { "", 0 };

    r->now = (iv_bibliographic){ none, none, none, none, none, none, line, -1, false };
    r->open = true;
    r->last = NULL;
}

/* ---------------------------------------------------------- RIS and NBIB -- */

static iv_str first_year(iv_str value)
{
    for (size_t i = 0; i + 4 <= value.len; i++) {
        size_t k = 0;
        while (k < 4 && isdigit((unsigned char)value.ptr[i + k]))
            k++;
        if (k == 4)
            return (iv_str){ value.ptr + i, 4 };
    }
    return (iv_str){ "", 0 };
}

static bool is_one_of(iv_str tag, const char *tags)
{
    for (const char *at = tags; *at != '\0'; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == tag.len && memcmp(at, tag.ptr, tag.len) == 0)
            return true;
    return false;
}

/* A field of a record in either format: their tags do not contradict each other. */
static int take_field(reading *r, iv_str tag, iv_str value, iv_err *err)
{
    iv_bibliographic *x = &r->now;

    IV_TRY(end_field(r, err));
    r->len = 0;
    if (is_one_of(tag, "TI T1") && x->title.len == 0)
        r->last = &x->title;
    else if (is_one_of(tag, "AB N2") && x->abstract.len == 0)
        r->last = &x->abstract;
    else if (is_one_of(tag, "AU A1 FAU"))
        return append(r, &x->authors, "; ", value, err);
    else if (is_one_of(tag, "PY Y1 DP") && x->year.len == 0)
        x->year = first_year(value);
    else if (is_one_of(tag, "ID AN PMID") && x->id.len == 0)
        x->id = value;
    else if (is_one_of(tag, "DO") && x->doi.len == 0)
        x->doi = value;
    else if (is_one_of(tag, "LID AID") && contains(value, "[doi]") && x->doi.len == 0)
        x->doi = trimmed((iv_str){ value.ptr, value.len - strlen("[doi]") });
    else if (is_one_of(tag, "N1") && contains(value, "ASReview_relevant"))
        x->label = 1;
    else if (is_one_of(tag, "N1") && contains(value, "ASReview_irrelevant"))
        x->label = 0;
    return r->last == NULL ? IV_OK : go_on(r, value, err);
}

/* "TI  - A title", "PMID- 1"; false: the line goes on with the field before. */
static bool split_line(iv_str *tag, iv_str *value, iv_str line)
{
    size_t n = 0;

    while (n < line.len && n < 4 && (isupper((unsigned char)line.ptr[n])
                                     || isdigit((unsigned char)line.ptr[n])))
        n++;
    size_t dash = n;
    while (dash < line.len && dash < 6 && line.ptr[dash] == ' ')
        dash++;
    if (n < 2 || dash >= line.len || line.ptr[dash] != '-')
        return false;
    *tag = (iv_str){ line.ptr, n };
    *value = trimmed((iv_str){ line.ptr + dash + 1, line.len - dash - 1 });
    return true;
}

static int read_tagged(reading *r, iv_str text, iv_err *err)
{
    uint64_t number = 1;

    for (size_t at = 0; at < text.len; number++) {
        const char *stop = memchr(text.ptr + at, '\n', text.len - at);
        const size_t end = stop == NULL ? text.len : (size_t)(stop - text.ptr);
        const iv_str line = { text.ptr + at, end - at };
        iv_str tag, value;
        at = end + 1;
        if (split_line(&tag, &value, line)) {
            if (is_one_of(tag, "TY PMID")) {
                IV_TRY(end_record(r, err));
                begin_record(r, number);
            }
            if (is_one_of(tag, "ER"))
                IV_TRY(end_record(r, err));
            else if (r->open)
                IV_TRY(take_field(r, tag, value, err));
        } else if (r->open && r->last != NULL && trimmed(line).len > 0) {
            IV_TRY(go_on(r, trimmed(line), err));
        }
    }
    return end_record(r, err);
}

/* ------------------------------------------------------------------ CSV -- */

static size_t find_any(const iv_csv *t, const char *names)
{
    for (size_t c = 0; c < iv_csv_columns(t); c++) {
        const iv_str name = iv_csv_column(t, c);
        char low[64];
        size_t n = 0;
        for (; n < name.len && n < sizeof low; n++)
            low[n] = (char)tolower((unsigned char)name.ptr[n]);
        if (n > 0 && is_one_of((iv_str){ low, n }, names))
            return c;
    }
    return IV_NONE;
}

static int read_table(reading *r, const iv_csv *t, iv_err *err)
{
    static const char *const names[] = {
        "record_id id key pmid openalex_id", "title primary_title", "abstract notes_abstract",
        "authors author first_authors", "year publication_year", "doi" };
    const size_t label = find_any(t, "included label_included asreview_label label");
    size_t column[6];

    for (size_t k = 0; k < 6; k++)
        column[k] = find_any(t, names[k]);
    if (column[1] == IV_NONE)
        return iv_fail_at(err, IV_EPARSE, r->path, 1, "no column title; expected title and "
                                                      "abstract");
    for (size_t i = 0; i < iv_csv_rows(t); i++) {
        begin_record(r, iv_csv_line(t, i));
        iv_str *const fields[] = { &r->now.id, &r->now.title, &r->now.abstract, &r->now.authors,
                                   &r->now.year, &r->now.doi };
        for (size_t k = 0; k < 6; k++)
            if (column[k] != IV_NONE)
                IV_TRY(append(r, fields[k], "", trimmed(iv_csv_cell(t, i, column[k])), err));
        const iv_str said = label == IV_NONE ? (iv_str){ "", 0 } : iv_csv_cell(t, i, label);
        if (said.len == 1 && (said.ptr[0] == '0' || said.ptr[0] == '1'))
            r->now.label = said.ptr[0] - '0';
        IV_TRY(end_record(r, err));
    }
    return IV_OK;
}

/* ------------------------------------------------- ids and duplicates -- */

enum { SHORT_TITLE = 20 };

/* The record that has the key, or this one from now on. */
static size_t first_with(iv_ids *keys, size_t *record, iv_str key, size_t i)
{
    const uint32_t before = keys->count == 0 ? IV_NO_ID : iv_ids_find(keys, key);

    if (before != IV_NO_ID)
        return record[before];
    const uint32_t id = iv_ids_add(keys, key);
    if (id != IV_NO_ID)
        record[id] = i;
    return i;
}

/* Equal titles of some length, with no year or DOI that says otherwise. */
static bool is_same(const iv_bibliographic *a, const iv_bibliographic *b)
{
    return (a->year.len == 0 || b->year.len == 0 || iv_str_eq(a->year, b->year))
           && (a->doi.len == 0 || b->doi.len == 0);
}

static int name_records(reading *r, iv_err *err)
{
    iv_bibliography *out = r->out;
    iv_ids dois = { 0 }, titles = { 0 }, names = { 0 };
    size_t *of = iv_arena_alloc(r->memory, 2 * (out->count + 1) * sizeof *of);
    int rc = of == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    for (size_t i = 0; i < out->count && rc == IV_OK; i++) {
        iv_bibliographic *x = &out->at[i];
        const iv_str doi = key_of(r, x->doi, true), title = key_of(r, x->title, false);
        if (doi.len > 0 && first_with(&dois, of, doi, i) != i)
            x->duplicate = true;
        if (title.len >= SHORT_TITLE) {
            const size_t first = first_with(&titles, of + out->count + 1, title, i);
            x->duplicate = x->duplicate || (first != i && is_same(x, &out->at[first]));
        }
        out->duplicates += x->duplicate;
        char name[200];
        const iv_str id = trimmed(x->id);
        int n = id.len > 0 && id.len < 150 ? snprintf(name, sizeof name, "%.*s", (int)id.len,
                                                      id.ptr)
                                           : snprintf(name, sizeof name, "record-%zu", i + 1);
        for (int k = 0; k < n; k++)
            name[k] = (unsigned char)name[k] <= ' ' ? '_' : name[k];
        if (!x->duplicate && names.count > 0
            && iv_ids_find(&names, (iv_str){ name, (size_t)n }) != IV_NO_ID)
            n += snprintf(name + n, sizeof name - (size_t)n, "-%zu", i + 1);
        const char *kept = iv_arena_copy(r->memory, (iv_str){ name, (size_t)n });
        x->id = iv_str_of(kept == NULL ? "" : kept);
        if (kept == NULL || (!x->duplicate && iv_ids_add(&names, x->id) == IV_NO_ID))
            rc = iv_fail(err, IV_ENOMEM, "out of memory");
    }
    iv_ids_free(&dois);
    iv_ids_free(&titles);
    iv_ids_free(&names);
    return rc;
}

int iv_bibliography_load(iv_bibliography *out, iv_arena *a, const char *path, const iv_work *work,
                         iv_err *err)
{
    reading r = { .out = out, .memory = a, .path = path };
    iv_csv *table = NULL;
    iv_bytes b;

    IV_TRY(iv_bytes_load(&b, path, work, err));
    const char *copy = iv_arena_copy(a, (iv_str){ b.len == 0 ? "" : b.ptr, b.len });
    iv_str text = { copy == NULL ? "" : copy, copy == NULL ? 0 : b.len };
    iv_bytes_free(&b);
    if (text.len >= 3 && memcmp(text.ptr, "\xef\xbb\xbf", 3) == 0)
        text = (iv_str){ text.ptr + 3, text.len - 3 };
    iv_str tag, value;
    size_t blank = 0;
    while (blank < text.len && isspace((unsigned char)text.ptr[blank]))
        blank++;
    int rc = copy == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;
    if (rc == IV_OK && split_line(&tag, &value, (iv_str){ text.ptr + blank, text.len - blank })) {
        rc = read_tagged(&r, text, err);
    } else if (rc == IV_OK) {
        rc = iv_csv_parse(&table, path, text.ptr, text.len, err);
        if (rc == IV_OK)
            rc = read_table(&r, table, err);
        iv_csv_free(table);
    }
    free(r.text);
    if (rc == IV_OK && out->count == 0)
        rc = iv_fail_at(err, IV_EPARSE, path, 1, "no record with a title or an abstract; "
                                                 "expected RIS "
                        "(TY  - ), NBIB (PMID- ) or CSV with a column title");
    return rc == IV_OK ? name_records(&r, err) : rc;
}
