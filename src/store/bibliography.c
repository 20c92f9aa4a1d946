/* SPDX-License-Identifier: Apache-2.0 */
/* Reads references of a review: RIS, NBIB, BibTeX, XML of EndNote, CSV, and databases of other
 * tools. */
#define _GNU_SOURCE /* memmem */

#include "base/bytes.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/lines.h"
#include "base/memory.h"
#include "base/reader.h"
#include "intervale/trec/runs.h"
#include "store/bibliography.h"
#include "store/bibliography_forms.h"
#include "store/db.h"
#include "store/document_text.h"
#include "trec/csv.h"
#include "trec/text.h"
#include "trec/zip.h"

#include <ctype.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#if INTERVALE_ZLIB
#include <zlib.h>
#endif


/* ---------------------------------------------------------------- texts -- */

static bool contains(iv_str s, const char *word)
{
    return s.len > 0 && memmem(s.ptr, s.len, word, strlen(word)) != NULL;
}

/* The next of the parts that these bytes separate, without blanks around it. */
static bool next_part(iv_str *part, iv_str *rest, const char *separators)
{
    size_t n = 0;

    if (rest->len == 0)
        return false;
    while (n < rest->len && strchr(separators, rest->ptr[n]) == NULL)
        n++;
    *part = iv_trimmed((iv_str){ rest->ptr, n });
    n += n < rest->len;
    *rest = (iv_str){ rest->ptr + n, rest->len - n };
    return true;
}

static bool ends_in(const char *path, size_t len, const char *end)
{
    return len > strlen(end) && strncasecmp(path + len - strlen(end), end, strlen(end)) == 0;
}

/* Does the line name a column of references? */
static bool heads_references(iv_str line, const char *separators)
{
    iv_str name;

    while (next_part(&name, &line, separators))
        if (iv_is_one_of(name, "title abstract doi record_id")
            || (name.len < 24 && ends_in(name.ptr, name.len, "title")))
            return true;
    return false;
}

/* Do its first lines say so?  A pipe would lose what is read here. */
static bool begins_as_references(const char *path, bool table)
{
    enum { SOME = 1 << 16 };
    iv_reader in = { 0 };
    struct stat st;
    bool is = false;

    if (stat(path, &st) == 0 && S_ISREG(st.st_mode)
        && iv_reader_open(&in, path, -1, 0, NULL, NULL) == IV_OK
        && iv_reader_fill(&in, SOME, SOME, NULL) == IV_OK) {
        iv_str text = iv_trimmed(iv_reader_text(&in)), line = text;
        is = table ? iv_next_line(&line, &text) && heads_references(line, "\t")
            : iv_references_begin(text) != NULL;
    }
    iv_reader_close(&in);
    return is;
}

/* A .tsv file may as well be a run or texts of documents: its first line decides. */
bool iv_bibliography_is(const char *path)
{
    static const char *const ends[] = { ".ris", ".nbib", ".csv", ".asreview", ".bib", ".enw" };
    size_t len = strlen(path);

    if (len > 3 && strcmp(path + len - 3, ".gz") == 0)
        len -= 3;
    else if (len > 4 && strcmp(path + len - 4, ".zst") == 0)
        len -= 4;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends_in(path, len, ends[i]))
            return true;
    return begins_as_references(path, ends_in(path, len, ".tsv"));
}

/* -------------------------------------------------------------- records -- */

typedef struct reading {
    iv_bibliography *out;
    iv_arena *memory;
    const char *path;
    const iv_work *work;
    iv_bibliographic now; /* the record at hand */
    bool open, full_names;
    iv_str last;          /* the tag before */
    char *text;           /* its lines of RIS; to be freed */
    size_t len, room;
} reading;

static int add_text(reading *r, const char *text, size_t len, iv_err *err)
{
    if (!IV_ROOM(r->text, r->room, r->len + len))
        return iv_no_memory(err);
    for (size_t i = 0; i < len; i++)
        r->text[r->len++] = text[i] == '\n' || text[i] == '\r' ? ' ' : text[i];
    return IV_OK;
}

static int put(reading *r, const char *tag, iv_str value, iv_err *err)
{
    if (value.len == 0)
        return IV_OK;
    IV_TRY(add_text(r, tag, strlen(tag), err));
    IV_TRY(add_text(r, "  - ", 4, err));
    IV_TRY(add_text(r, value.ptr, value.len, err));
    IV_TRY(add_text(r, "\n", 1, err));
    r->text[r->len - 1] = '\n';
    return IV_OK;
}

/* A line that goes on with the field before. */
static int go_on(reading *r, iv_str text, iv_err *err)
{
    if (r->len == 0 || text.len == 0)
        return IV_OK;
    r->text[r->len - 1] = ' ';
    IV_TRY(add_text(r, text.ptr, text.len, err));
    IV_TRY(add_text(r, "\n", 1, err));
    r->text[r->len - 1] = '\n';
    return IV_OK;
}

static void skip(reading *r, uint64_t line)
{
    char *at = r->out->skipped_at;
    const size_t len = strlen(at);
    const char *slash = strrchr(r->path, '/');

    if (r->out->skipped++ < 5)
        (void)snprintf(at + len, sizeof r->out->skipped_at - len, "%s%.64s:%llu",
                       len > 0 ? ", " : "", slash == NULL ? r->path : slash + 1,
                       (unsigned long long)line);
}

static void begin_record(reading *r, uint64_t line)
{
    r->now = (iv_bibliographic){ .line = line, .label = -1 };
    r->open = true;
    r->full_names = false;
    r->last = (iv_str){ "", 0 };
    r->len = 0;
}

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

/* What the reviewers of Rayyan decided ("RAYYAN-INCLUSION: {"Jo"=>"Included"} | ..."); -1: nothing;
 * -2: not the same, or "Maybe". */
static int32_t rayyan_label(iv_str *votes, iv_str notes)
{
    iv_str part;

    while (next_part(&part, &notes, "|}"))
        if (contains(part, "RAYYAN-INCLUSION:")) {
            const bool in = contains(part, "\"Included\""), out = contains(part, "\"Excluded\"");
            const bool maybe = contains(part, "\"Maybe\"");
            *votes = part;
            return in != out && !maybe ? in : in || maybe ? -2 : -1;
        }
    return -1;
}

iv_bibliographic iv_bibliographic_of(iv_arena *a, iv_str source)
{
    iv_bibliographic x = { .source = source, .label = -1 };

    x.title = iv_reference_field(a, source, "TI T1", true);
    if (x.title.len == 0)
        x.title = iv_reference_field(a, source, "BT CT", true);
    x.title = iv_reference_text(a, x.title);
    x.abstract = iv_reference_text(a, iv_reference_field(a, source, "AB N2", true));
    x.id = iv_reference_field(a, source, "ID AN", true);
    x.doi = iv_reference_field(a, source, "DO", true);
    if (iv_reference_key(a, x.doi, true).len == 0)
        x.doi = (iv_str){ "", 0 }; /* "NA" */
    x.authors = iv_reference_field(a, source, "AU A1", false);
    x.year = first_year(iv_reference_field(a, source, "PY Y1", true));
    return x;
}

static int end_record(reading *r, iv_err *err)
{
    iv_bibliography *out = r->out;
    iv_bibliographic *x = &r->now;
    iv_arena own = { 0 };
    iv_str clean = { "", 0 };

    if (!r->open)
        return IV_OK;
    r->open = false;
    IV_TRY(iv_plain_utf8(&clean, &own, (iv_str){ r->text, r->len }, err));
    const char *source = iv_arena_copy(r->memory, clean);
    const iv_bibliographic read = { .line = x->line, .label = x->label };
    iv_arena_free(&own);
    if (source == NULL)
        return iv_no_memory(err);
    *x = iv_bibliographic_of(r->memory, (iv_str){ source, clean.len });
    x->line = read.line;
    x->label = read.label;
    if (x->label < 0 && contains(x->source, "RAYYAN-INCLUSION"))
        x->label = rayyan_label(&x->votes, iv_reference_field(r->memory, x->source, "N1", false));
    if (x->title.len == 0 && x->abstract.len == 0
        && !(out->labels && x->id.len + x->doi.len > 0 && x->label >= 0)) {
        skip(r, x->line);
        return IV_OK;
    }
    if (!IV_ARENA_ROOM(r->memory, out->at, out->capacity, out->count))
        return iv_no_memory(err);
    out->at[out->count++] = *x;
    return IV_OK;
}

/* ---------------------------------------------------------- RIS and NBIB -- */

/* A label of ASReview is a note, or a sentence of one; other notes may mention it.  IV_EPARSE when
 * a record whose label counts has two. */
static int take_label(bool *is, reading *r, iv_str note, iv_err *err)
{
    static const char *const labels[] = { "ASReview_irrelevant", "ASReview_relevant",
                                          "ASReview_not_seen" };
    iv_str part;

    for (*is = false; next_part(&part, &note, ".;|<>");)
        for (int32_t k = 0; k < 3; k++) {
            if (!iv_is_one_of(part, labels[k]))
                continue;
            if (r->out->labels && k < 2 && r->now.label == 1 - k)
                return iv_fail_at(err, IV_EPARSE, r->path, r->now.line, "a record with the labels "
                                  "%s and %s, expected one of them", labels[1 - k], labels[k]);
            r->now.label = k < 2 ? k : r->now.label;
            *is = true;
        }
    return IV_OK;
}

/* The field of a record of PubMed, as RIS; those that RIS lacks become notes. */
static int take_nbib(reading *r, iv_str tag, iv_str value, iv_err *err)
{
    static const char *const tags[][2] = {
        { "TI", "TI" }, { "AB", "AB" }, { "DP", "DA" }, { "JT", "JO" }, { "TA", "J2" },
        { "VI", "VL" }, { "IP", "IS" }, { "PG", "SP" }, { "IS", "SN" }, { "LA", "LA" },
        { "MH", "KW" }, { "OT", "KW" }, { "PT", "M3" }, { "AD", "AD" }, { "PL", "CY" },
        { "FAU", "AU" }, { "AU", "AU" }, { "PMID", "ID" } };
    char note[8];

    if (iv_is_one_of(tag, "AU") && r->full_names)
        return IV_OK; /* the short form of the name before it */
    r->full_names = r->full_names || iv_is_one_of(tag, "FAU");
    if (iv_is_one_of(tag, "DP"))
        IV_TRY(put(r, "PY", first_year(value), err));
    if (iv_is_one_of(tag, "LID AID") && contains(value, "[doi]"))
        return put(r, "DO", iv_trimmed((iv_str){ value.ptr, value.len - strlen("[doi]") }), err);
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (iv_is_one_of(tag, tags[i][0]))
            return put(r, tags[i][1], value, err);
    (void)snprintf(note, sizeof note, "%.*s:", (int)tag.len, tag.ptr);
    IV_TRY(put(r, "N1", iv_str_of(note), err));
    return go_on(r, value, err);
}

static int take_field(reading *r, iv_str tag, iv_str value, bool nbib, iv_err *err)
{
    char name[8];
    bool label = false;

    if (nbib)
        return take_nbib(r, tag, value, err);
    if (iv_is_one_of(tag, "N1"))
        IV_TRY(take_label(&label, r, value, err));
    if (label)
        return IV_OK;
    /* A paragraph a line. */
    const bool more = iv_is_one_of(tag, "AB N2") && iv_str_eq(tag, r->last);
    r->last = tag;
    (void)snprintf(name, sizeof name, "%.*s", (int)tag.len, tag.ptr);
    return more ? go_on(r, value, err) : put(r, name, value, err);
}

static int read_tagged(reading *r, iv_str text, iv_err *err)
{
    uint64_t number = 1;
    bool nbib = false, blank = true;
    bool early = false; /* PMC's number came first, as in its own files; that of PubMed follows */
    iv_str line, tag, value;

    for (; iv_next_line(&line, &text); number++) {
        const bool begins = iv_reference_line(&tag, &value, line);
        const bool pmc = begins && blank && iv_is_one_of(tag, "PMC");
        const bool headless = begins && !r->open && iv_is_one_of(tag, "TI T1"); /* TY was lost */
        if (pmc || headless || (begins && iv_is_one_of(tag, "TY PMID") && !early)) {
            IV_TRY(end_record(r, err));
            begin_record(r, number);
            nbib = iv_is_one_of(tag, "PMID PMC");
            if (!iv_is_one_of(tag, "TY"))
                IV_TRY(put(r, "TY", iv_str_of("JOUR"), err));
        }
        early = pmc || (early && !(begins && iv_is_one_of(tag, "PMID")));
        blank = iv_trimmed(line).len == 0;
        if (begins && iv_is_one_of(tag, "ER")) {
            IV_TRY(end_record(r, err));
        } else if (r->open) { /* databases write what they like between records */
            IV_TRY(begins ? take_field(r, tag, value, nbib, err) : go_on(r, iv_trimmed(line), err));
        }
    }
    return end_record(r, err);
}

/* ------------------------------------------------------------------ CSV -- */

/* The tag of a column by its letters and digits ("Author(s)", "Publication Year"); NULL: it
 * becomes a note. */
static const char *tag_of(iv_arena *a, iv_str name)
{
    static const char *const tags[][2] = {
        { "recordid id key pmid openalexid covidence lensid centralid referenceid", "ID" },
        { "title primarytitle articletitle titleprimary", "TI" },
        { "abstract notesabstract abstractnote text", "AB" },
        { "authors author firstauthors authorsprimary authornames", "AU" },
        { "year publicationyear publishedyear pubyear py", "PY" }, { "doi", "DO" },
        { "url urls", "UR" },
        { "journal secondarytitle publicationtitle sourcetitle journaltitle journalbook "
          "periodicalfull", "JO" },
        { "keywords", "KW" }, { "volume", "VL" }, { "issue number", "IS" }, { "pages", "SP" } };
    const iv_str key = iv_reference_key(a, name, false);

    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (iv_is_one_of(key, tags[i][0]))
            return tags[i][1];
    return NULL;
}

static int take_cell(reading *r, const char *tag, iv_str name, iv_str cell, iv_err *err)
{
    iv_str part;
    bool label;

    if (tag != NULL && iv_is_one_of(iv_str_of(tag), "AU KW")) {
        while (next_part(&part, &cell, ";")) /* a line each */
            IV_TRY(put(r, tag, part, err));
        return IV_OK;
    }
    if (tag != NULL)
        return put(r, tag, cell, err);
    IV_TRY(take_label(&label, r, cell, err));
    if (label || cell.len == 0)
        return IV_OK;
    IV_TRY(put(r, "N1", name, err));
    r->text[r->len - 1] = ':';
    IV_TRY(add_text(r, " ", 1, err));
    return go_on(r, cell, err);
}

/* A column of labels, from 0, the best name first; IV_NONE: there are no more. */
static size_t label_column(const iv_csv *t, size_t which)
{
    static const char *const labels[] = { "asreview_label", "included", "label_included", "label" };

    for (size_t k = 0; k < sizeof labels / sizeof *labels; k++) {
        const size_t c = iv_csv_find(t, iv_str_of(labels[k]));
        if (c != IV_NONE && which-- == 0)
            return c;
    }
    return IV_NONE;
}

/* The label of a row; none is empty, or ASReview's -1. */
static int read_label(reading *r, iv_str said, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];

    r->now.label = -1; /* whatever its notes mention */
    if (iv_is_one_of(said, "0 1 0.0 1.0"))
        r->now.label = said.ptr[0] - '0';
    else if (r->out->labels && said.len > 0 && !iv_is_one_of(said, "-1 -1.0"))
        return iv_fail_at(err, IV_EPARSE, r->path, r->now.line, "label %s, expected 1, 0 or "
                          "nothing", iv_quote(quoted, said));
    return IV_OK;
}

/* Where ASReview adds its labels to those of a file, both must say the same. */
static int compare_labels(const reading *r, const iv_csv *t, size_t row, iv_err *err)
{
    char quoted[2][IV_QUOTE_SIZE];

    for (size_t k = 1, c; r->out->labels && (c = label_column(t, k)) != IV_NONE; k++) {
        const iv_str said = iv_trimmed(iv_csv_cell(t, row, c));
        if (r->now.label >= 0 && iv_is_one_of(said, r->now.label == 0 ? "1 1.0" : "0 0.0"))
            return iv_fail_at(err, IV_EPARSE, r->path, r->now.line, "label %s in column %s, "
                              "and %d in another; expected one column of labels",
                              iv_quote(quoted[0], said), iv_quote(quoted[1], iv_csv_column(t, c)),
                              (int)r->now.label);
    }
    return IV_OK;
}

static int read_table(reading *r, const iv_csv *t, iv_err *err)
{
    const size_t columns = iv_csv_columns(t), label = label_column(t, 0);
    const char **tags = iv_take(r->memory, columns + 1, sizeof *tags);
    bool known = false;

    if (tags == NULL)
        return iv_no_memory(err);
    for (size_t c = 0; c < columns; c++) {
        tags[c] = tag_of(r->memory, iv_csv_column(t, c));
        known = known || (tags[c] != NULL && iv_is_one_of(iv_str_of(tags[c]), r->out->labels
                          && label != IV_NONE ? "TI ID DO" : "TI"));
    }
    if (!known)
        return iv_fail_at(err, IV_EPARSE, r->path, 1, r->out->labels
                          ? "no column that names a record; expected record_id, doi or title, and "
                            "included"
                          : "no column title; expected title and abstract");
    for (size_t i = 0; i < iv_csv_rows(t); i++) {
        begin_record(r, iv_csv_line(t, i));
        IV_TRY(put(r, "TY", iv_str_of("JOUR"), err));
        for (size_t c = 0; c < columns; c++)
            if (c != label)
                IV_TRY(take_cell(r, tags[c], iv_csv_column(t, c),
                                 iv_trimmed(iv_unmarked(r->memory, iv_csv_cell(t, i, c))), err));
        if (label != IV_NONE)
            IV_TRY(read_label(r, iv_trimmed(iv_csv_cell(t, i, label)), err));
        IV_TRY(compare_labels(r, t, i, err));
        IV_TRY(end_record(r, err));
    }
    return IV_OK;
}

/* ------------------------------------------------- a project of ASReview -- */

static int damaged(const reading *r, iv_err *err)
{
    return iv_fail_at(err, IV_EPARSE, r->path, 0, "is damaged; expected a project of ASReview "
                      "(a zip file with results.db)");
}

/* More than the limit of texts, or than --max-input. */
static int check_size(const reading *r, const iv_zip_entry *e, iv_err *err)
{
    enum { TIMES = 100, SMALL = 1 << 26 };
    const uint64_t most = r->work != NULL ? r->work->most_bytes : 0;

    if (most > 0 && e->size > most)
        return iv_fail_at(err, IV_EIO, r->path, 0, "cannot read: it decompresses to more than "
                          "the %llu bytes allowed", (unsigned long long)most);
    return e->size <= SMALL || e->size / TIMES <= e->packed.len ? IV_OK
        : iv_fail_at(err, IV_EIO, r->path, 0, "decompresses to more than %d times its size, "
                     "expected a project of ASReview", TIMES);
}

/* Unpacks a database, which unlike a text has bytes of 0; memory is SQLite's.  NULL: damaged. */
static unsigned char *unpack(const iv_zip_entry *e)
{
    unsigned char *out = e->size < 1u << 31 ? sqlite3_malloc64(e->size + 1) : NULL;
    bool whole = false;

    if (out != NULL && e->method == 0 && e->size == e->packed.len) {
        memcpy(out, e->packed.ptr, e->packed.len);
        whole = true;
    }
#if INTERVALE_ZLIB
    z_stream z = { .next_in = (unsigned char *)(uintptr_t)e->packed.ptr,
                   .avail_in = (uInt)e->packed.len, .next_out = out, .avail_out = (uInt)e->size };
    if (out != NULL && e->method == 8 && inflateInit2(&z, -MAX_WBITS) == Z_OK) {
        whole = inflate(&z, Z_FINISH) == Z_STREAM_END && z.total_out == e->size;
        (void)inflateEnd(&z);
    }
    whole = whole && crc32(0, out, (uInt)e->size) == e->crc;
#endif
    if (!whole)
        sqlite3_free(out);
    return whole ? out : NULL;
}

/* Is it a file of the project itself, not of the version that it was made from, nor of macOS? */
static bool is_file(iv_str name, const char *file)
{
    const size_t len = strlen(file);

    return name.len >= len && memcmp(name.ptr + name.len - len, file, len) == 0
           && (name.len == len || name.ptr[name.len - len - 1] == '/')
           && !contains(name, "__MACOSX/") && !contains(name, "legacy_v");
}

/* Puts a database of the archive into db. */
static int add_database(sqlite3 *db, const reading *r, const iv_zip_entry *e, bool data,
                        iv_err *err)
{
    const sqlite3_int64 size = (sqlite3_int64)e->size;

    IV_TRY(check_size(r, e, err));
    unsigned char *bytes = unpack(e);
    if (bytes == NULL)
        return damaged(r, err);
    if (data && sqlite3_exec(db, "ATTACH ':memory:' AS data", NULL, NULL, NULL) != SQLITE_OK) {
        sqlite3_free(bytes);
        return damaged(r, err);
    }
    return sqlite3_deserialize(db, data ? "data" : "main", bytes, size, size,
                               SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY)
        == SQLITE_OK ? IV_OK : damaged(r, err); /* it has freed them */
}

/* Puts the databases of the archive into db: results.db is main, data_store.db is data. */
static int open_archive(bool *apart, sqlite3 *db, reading *r, iv_str zip, iv_err *err)
{
    static const char tables[] = "[\"record\", \"results\", \"last_ranking\"]";
    static const char columns[] = "[\"record_id\", \"title\", \"abstract\", \"authors\", "
        "\"year\", \"doi\", \"label\", \"time\", \"ranking\"]";
    iv_zip_entry *entries = NULL;
    size_t count = 0, found[2] = { 0 };
    int rc = iv_zip_entries(&entries, &count, r->path, zip, err);

    if (rc != IV_OK)
        return rc == IV_ENOMEM ? rc : damaged(r, err);
    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        const bool data = is_file(entries[i].name, "data_store.db");
        if (!data && !is_file(entries[i].name, "results.db"))
            continue;
        rc = found[data]++ > 0 ? damaged(r, err) : add_database(db, r, &entries[i], data, err);
    }
    free(entries);
    *apart = found[1] > 0;
    if (rc == IV_OK && found[0] == 0)
        return iv_fail_at(err, IV_EPARSE, r->path, 0, "has no results.db, expected a project of "
                          "ASReview 2; older ones can be exported there as RIS or CSV");
    if (rc == IV_OK)
        rc = iv_db_check_foreign(db, r->path, "main", tables, columns, err);
    return rc == IV_OK && *apart
        ? iv_db_check_foreign(db, r->path, "data", tables, columns, err) : rc;
}

/* Records in the order of the review: those judged by time, then those ranked, then the rest. */
static int read_project(reading *r, sqlite3 *db, bool apart, iv_err *err)
{
    static const char sql[] = "SELECT r.record_id, title, abstract, (SELECT group_concat(value, "
        "';') FROM json_each(authors)), year, doi, l.label FROM %s.record r LEFT JOIN (SELECT "
        "record_id, label, min(time) AS time FROM main.results GROUP BY record_id) l "
        "USING (record_id) LEFT JOIN (SELECT record_id, min(ranking) AS ranking FROM "
        "main.last_ranking GROUP BY record_id) k USING (record_id) ORDER BY l.time IS NULL, "
        "l.time, k.ranking IS NULL, k.ranking, r.record_id";
    static const char *const tags[] = { "ID", "TI", "AB", "AU", "PY", "DO" };
    char text[sizeof sql + 8];
    sqlite3_stmt *st = NULL;
    uint64_t number = 1;

    (void)snprintf(text, sizeof text, sql, apart ? "data" : "main");
    int rc = iv_db_prepare(&st, db, r->path, text, err);
    for (; iv_db_next(st, &rc, r->path, err); number++) {
        begin_record(r, number);
        rc = put(r, "TY", iv_str_of("JOUR"), err);
        for (int c = 0; c < 6 && rc == IV_OK; c++)
            rc = take_cell(r, tags[c], iv_str_of(""), iv_trimmed(iv_db_str(st, c)), err);
        if (rc == IV_OK)
            rc = read_label(r, iv_db_str(st, 6), err);
        if (rc == IV_OK)
            rc = end_record(r, err);
    }
    return iv_db_end(st, rc);
}

/* SQLite also says that there is no memory where a damaged database asks for more than it ever
 * gives: for once and a half of the archive and the longest value there is. */
static bool has_memory(iv_str zip)
{
    void *bytes = sqlite3_malloc64(zip.len + zip.len / 2 + (1 << 25));

    sqlite3_free(bytes);
    return bytes != NULL;
}

static int read_archive(reading *r, iv_str zip, iv_err *err)
{
    sqlite3 *db = NULL;
    bool apart = false;
    int rc = iv_db_open_foreign(&db, r->work, err);

    if (rc == IV_OK)
        rc = open_archive(&apart, db, r, zip, err);
    if (rc == IV_OK)
        rc = read_project(r, db, apart, err);
    (void)sqlite3_close(db);
    return rc == IV_ENOMEM && has_memory(zip) ? damaged(r, err) : rc;
}

/* ------------------------------------------------- ids and duplicates -- */

static int name_records(iv_bibliography *out, iv_arena *a, iv_err *err)
{
    iv_ids names = { 0 };
    int rc = out->labels ? IV_OK : iv_bibliography_compare(out, a, err);

    for (size_t i = 0; i < out->count && rc == IV_OK; i++) {
        iv_bibliographic *x = &out->at[i];
        out->labelled += x->label >= 0;
        char name[200];
        int n = x->id.len > 0 && x->id.len < 150
            ? snprintf(name, sizeof name, "%.*s", (int)x->id.len, x->id.ptr)
            : snprintf(name, sizeof name, "record-%zu", i + 1);
        for (int k = 0; k < n; k++)
            name[k] = (unsigned char)name[k] <= ' ' ? '_' : name[k];
        if (!out->labels && names.count > 0
            && iv_ids_find(&names, (iv_str){ name, (size_t)n }) != IV_NO_ID) {
            n += snprintf(name + n, sizeof name - (size_t)n, "-%zu", i + 1);
            out->renamed += !x->duplicate;
        }
        const char *kept = iv_arena_copy(a, (iv_str){ name, (size_t)n });
        x->id = iv_str_of(kept == NULL ? "" : kept);
        if (kept == NULL || iv_ids_add(&names, x->id) == IV_NO_ID)
            rc = iv_no_memory(err);
    }
    iv_ids_free(&names);
    return rc;
}

static int begin_form(void *to, uint64_t line, iv_err *err)
{
    IV_TRY(end_record(to, err));
    begin_record(to, line);
    return IV_OK;
}

static int take_form(void *to, const char *tag, iv_str value, iv_err *err)
{
    return take_field(to, iv_str_of(tag), iv_trimmed(value), false, err);
}

/* Text of any form. */
static int read_text(reading *r, iv_str text, iv_err *err)
{
    const char *form = iv_references_begin(text);
    const iv_record_sink sink = { r, begin_form, take_form };
    iv_csv *table = NULL;
    iv_str tag, value;

    if (form != NULL && (strcmp(form, IV_BIBTEX) == 0 || strcmp(form, IV_ENDNOTE) == 0)) {
        IV_TRY((strcmp(form, IV_BIBTEX) == 0 ? iv_bibtex_read : iv_endnote_read)
               (&sink, r->memory, r->path, text, err));
        return end_record(r, err);
    }
    const iv_str head = { text.ptr, text.len < 65536 ? text.len : 65536 };
    iv_str rest = iv_trimmed(head), first = rest;
    (void)iv_next_line(&first, &rest);
    if (iv_reference_line(&tag, &value, first) || (!heads_references(first, ",;\t\"")
        && (contains(head, "\nTY  - ") || contains(head, "\nPMID- "))))
        return read_tagged(r, text, err);
    int rc = iv_csv_parse(&table, r->path, text.ptr, text.len, err);
    if (rc == IV_OK)
        rc = read_table(r, table, err);
    iv_csv_free(table);
    return rc;
}

static int load_file(reading *r, const iv_work *work, iv_err *err)
{
    const size_t before = r->out->count;
    const size_t len = strlen(r->path);
    iv_bytes b;
    const bool archive = len > 9 && strcasecmp(r->path + len - 9, ".asreview") == 0;

    if (ends_in(r->path, len, ".enw"))
        return iv_fail_at(err, IV_EPARSE, r->path, 0, "cannot be read; expected RIS, NBIB, BibTeX, "
                          "XML of EndNote, CSV or a project of ASReview");
    IV_TRY((archive ? iv_bytes_load_raw : iv_bytes_load)(&b, r->path, work, err));
    int rc = (archive ? read_archive : read_text)(r, iv_text_of(&b), err);
    iv_bytes_free(&b);
    free(r->text);
    r->text = NULL;
    r->len = r->room = 0;
    if (rc == IV_OK && r->out->count == before && !(r->out->labels && r->out->skipped > 0))
        rc = iv_fail_at(err, IV_EPARSE, r->path, 1, "no record with a title or an abstract; "
                        "expected RIS (TY  - ), NBIB (PMID- ), BibTeX, XML of EndNote, CSV with a "
                        "column title or a project of ASReview");
    return rc;
}

int iv_bibliography_load(iv_bibliography *out, iv_arena *a, const iv_texts *files,
                         const iv_work *work, iv_err *err)
{
    for (size_t i = 0; i < files->count; i++) {
        reading r = { .out = out, .memory = a, .path = files->at[i],
                      .work = work };
        IV_TRY(load_file(&r, work, err));
    }
    return name_records(out, a, err);
}
