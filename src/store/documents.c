/* SPDX-License-Identifier: Apache-2.0 */
/* Files of documents and topics, read in windows and cut into records: JSON lines, tags, tabs,
 * folders. */
#define _GNU_SOURCE /* memmem, strcasestr */
#include "base/bytes.h"
#include "base/err.h"
#include "base/ids.h"
#include "base/lines.h"
#include "base/memory.h"
#include "base/packing.h"
#include "base/parallel.h"
#include "base/reader.h"
#include "store/assessors.h"
#include "store/bibliography.h"
#include "store/combined.h"
#include "store/db.h"
#include "store/document_text.h"
#include "store/documents.h"
#include "store/entries.h"
#include "store/lists.h"
#include "store/overview.h"
#include "store/queue.h"
#include "store/session.h"
#include "store/store_open.h"
#include "trec/json_read.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

typedef enum document_form { IV_FORM_JSON, IV_FORM_TAGS, IV_FORM_TABS } document_form;

/* A file being read, window after window. */
typedef struct document_file {
    iv_wanted *w;
    const char *path;
    const iv_work *work;
    uint64_t line;       /* of the byte that comes next */
    document_form form;
    bool begun;
    char key[16];        /* JSON: the name of the id, in quotes */
    const char *open, *close, *id_tag; /* of records in tags */
} document_file;

static uint32_t wanted_id(const document_file *f, iv_str name)
{
    return iv_ids_find(&f->w->ids, name);
}

static int found(document_file *f, uint32_t id, uint64_t line, iv_str title, iv_str text,
                      iv_err *err)
{
    iv_wanted *w = f->w;
    char quoted[IV_QUOTE_SIZE];
    iv_arena own = { 0 };
    iv_str clean_title, clean;

    if (w->line[id] != 0)
        return iv_fail_at(err, IV_EPARSE, f->path, line, "%s %s occurs twice, first in %s:%llu, "
                          "expected once", w->topics ? "topic" : "document",
                          iv_quote(quoted, w->ids.names[id]), w->file[id],
                          (unsigned long long)w->line[id]);
    int rc = iv_plain_utf8(&clean_title, &own, title, err);
    if (rc == IV_OK)
        rc = iv_plain_utf8(&clean, &own, text, err);
    if (rc == IV_OK && clean_title.len + clean.len > 0) { /* else as if the file lacked it */
        rc = w->put(w->user, id, clean_title, clean, w->source, err);
        w->line[id] = line;
        w->file[id] = f->path;
        w->left--;
    }
    iv_arena_free(&own);
    return rc;
}

/* Documents and topics as lines of JSON.  The name of the id, in its quotes, can only be a whole
 * string; where it stands once in a line, the id is behind it, and the line is parsed only if that
 * is wanted. */

static const char *const id_names[] = { "\"_id\"", "\"id\"", "\"docno\"", "\"doc_id\"",
                                        "\"docid\"", "\"query_id\"", "\"qid\"" };

static int no_object(const document_file *f, iv_str line, iv_err *err)
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
static int choose_key(document_file *f, iv_str line, iv_err *err)
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
static bool quick_id(iv_str *out, const document_file *f, iv_str line)
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

/* The first of the members that is a text or a whole number, which is put into `digits`; empty:
 * there is none. */
static iv_str member_of(char digits[24], const iv_json *v, const char *const *names, size_t count)
{
    int64_t n = 0;

    for (size_t i = 0; i < count; i++) {
        const iv_json *x = iv_json_find(v, iv_str_of(names[i]));
        if (x != NULL && iv_json_kind_of(x) == IV_JSON_TEXT)
            return iv_json_string(x);
        if (x != NULL && iv_json_integer(&n, x))
            return (iv_str){ digits, (size_t)snprintf(digits, 24, "%lld", (long long)n) };
    }
    return (iv_str){ "", 0 };
}

/* What a record that was parsed says. */
static int take_object(document_file *f, const iv_json *v, iv_err *err)
{
    static const char *const titles[] = { "title" };
    static const char *const texts[] = { "text", "contents", "content", "body", "passage",
                                         "abstract", "query" };
    char key[sizeof f->key], digits[3][24];

    (void)snprintf(key, sizeof key, "%.*s", (int)strlen(f->key) - 2, f->key + 1);
    const iv_str name = member_of(digits[0], v, (const char *const[]){ key }, 1);
    if (name.len == 0)
        return iv_fail_at(err, IV_EPARSE, f->path, f->line, "no id in the record, expected %s",
                          f->key);
    const uint32_t id = wanted_id(f, name);
    return id == IV_NO_ID ? IV_OK
        : found(f, id, f->line, member_of(digits[1], v, titles, 1),
                member_of(digits[2], v, texts, sizeof texts / sizeof *texts), err);
}

/* Parses a line that is wanted, or that only a parser can tell of. */
static int parse_line(document_file *f, iv_str line, iv_err *err)
{
    iv_arena own = { 0 };
    iv_str text = line;
    iv_json *v = NULL;
    int rc = iv_plain_utf8(&text, &own, line, err);
    iv_json_place p = { f->path, text.ptr, text.ptr + text.len, f->line };

    if (rc == IV_OK)
        rc = iv_json_read_python(&v, &p, NULL) != IV_OK || iv_json_peek(&p) != '\0'
            ? no_object(f, line, err) : take_object(f, v, err);
    iv_json_free(v);
    iv_arena_free(&own);
    return rc;
}

static int take_json_line(document_file *f, iv_str line, iv_err *err)
{
    iv_str id;

    line = iv_trimmed(line);
    if (line.len == 0)
        return IV_OK;
    if (line.ptr[0] != '{' || line.ptr[line.len - 1] != '}')
        return no_object(f, line, err);
    if (f->key[0] == '\0')
        IV_TRY(choose_key(f, line, err));
    if (quick_id(&id, f, line) && wanted_id(f, id) == IV_NO_ID)
        return IV_OK;
    return parse_line(f, line, err);
}

/* TREC's documents, <DOC> <DOCNO> X </DOCNO> ... </DOC>, trecweb among them, and topics,
 * <top> <num> Number: X <title> ... </top> or <topic number="X"> ... </topic>. */

static const char *find(const char *from, const char *end, const char *what)
{
    return memmem(from, (size_t)(end - from), what, strlen(what));
}

static uint64_t lines_in(const char *from, const char *to)
{
    return iv_lines_in((iv_str){ from, (size_t)(to - from) });
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* -------------------------------------------------------------- the form -- */

/* How records begin and end, by the first that is there. */
static int choose_tags(document_file *f, iv_str text, iv_err *err)
{
    enum { OF_DOCUMENTS = 2 };
    static const char *const forms[][3] = {
        { "<DOC>", "</DOC>", "DOCNO" }, { "<doc>", "</doc>", "docno" },
        { "<top>", "</top>", "num" }, { "<topic", "</topic>", "number" },
        { "<TOP>", "</TOP>", "NUM" } };

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if ((i >= OF_DOCUMENTS) != f->w->topics
            || memmem(text.ptr, text.len, forms[i][0], strlen(forms[i][0])) == NULL)
            continue;
        f->open = forms[i][0];
        f->close = forms[i][1];
        f->id_tag = forms[i][2];
        return IV_OK;
    }
    return iv_fail_at(err, IV_EPARSE, f->path, 1, "tags, but no %s, expected %s",
                      f->w->topics ? "<top>" : "<DOC>", f->w->topics ? "topics of TREC"
                      : "documents of TREC, JSON lines or tab-separated lines");
}

/* -------------------------------------------------------------- records -- */

/* The id of a document; empty: none.  *behind is where its element ends. */
static iv_str docno_of(const char **behind, const document_file *f, iv_str record)
{
    char open[20], close[20];
    const char *end = record.ptr + record.len;

    (void)snprintf(open, sizeof open, "<%s>", f->id_tag);
    (void)snprintf(close, sizeof close, "</%s>", f->id_tag);
    const char *from = find(record.ptr, end, open);
    const char *to = from == NULL ? NULL : find(from, end, close);
    if (to == NULL)
        return (iv_str){ "", 0 };
    *behind = to + strlen(close);
    from += strlen(open);
    return iv_trimmed((iv_str){ from, (size_t)(to - from) });
}

/* <num> Number: 301, perhaps closed; or number="301" in the tag that opens. */
static iv_str topic_of(const char **behind, const document_file *f, iv_str record)
{
    const char *end = record.ptr + record.len;
    const bool attribute = strcmp(f->id_tag, "number") == 0;
    const char *at = find(record.ptr, end, attribute ? "number=\""
                          : f->id_tag[0] == 'n' ? "<num>" : "<NUM>");

    if (at == NULL)
        return (iv_str){ "", 0 };
    at += attribute ? 8 : 5;
    while (at < end && is_blank(*at))
        at++;
    if (!attribute && end - at > 7 && strncasecmp(at, "Number:", 7) == 0)
        at += 7;
    while (at < end && is_blank(*at))
        at++;
    const char *to = at;
    while (to < end && !is_blank(*to) && *to != '<' && *to != '"')
        to++;
    *behind = to;
    if (attribute && (*behind = memchr(to, '>', (size_t)(end - to))) == NULL)
        return (iv_str){ "", 0 };
    *behind += attribute;
    return (iv_str){ at, (size_t)(to - at) };
}

/* The title's element, its content and its end; false: there is none. */
static bool title_of(iv_str *element, iv_str *content, iv_str body)
{
    static const char *const tags[] = { "title", "headline", "ti", "hl" };

    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        char open[16], close[16];
        (void)snprintf(open, sizeof open, "<%s>", tags[i]);
        (void)snprintf(close, sizeof close, "</%s>", tags[i]);
        const char *from = iv_find_tag(body, open);
        if (from == NULL)
            continue;
        const iv_str rest = { from, (size_t)(body.ptr + body.len - from) };
        const char *to = iv_find_tag(rest, close);
        if (to == NULL)
            continue;
        *content = (iv_str){ from + strlen(open), (size_t)(to - from) - strlen(open) };
        *element = (iv_str){ from, (size_t)(to - from) + strlen(close) };
        return true;
    }
    return false;
}

static int plain_body(iv_str *out, iv_arena *a, iv_str body, const iv_str *without, iv_err *err)
{
    char *joined;

    if (without == NULL)
        return iv_plain_text(out, a, body, err);
    const size_t before = (size_t)(without->ptr - body.ptr);
    joined = iv_arena_alloc(a, body.len + 1);
    if (joined == NULL)
        return iv_no_memory(err);
    memcpy(joined, body.ptr, before);
    joined[before] = '\n';
    memcpy(joined + before + 1, without->ptr + without->len,
           body.len - before - without->len);
    return iv_plain_text(out, a, (iv_str){ joined, body.len - without->len + 1 }, err);
}

static int hand_over(document_file *f, uint32_t id, uint64_t line, iv_str body, iv_err *err)
{
    iv_arena own = { 0 };
    iv_str element, content, title = { "", 0 }, text = { "", 0 };
    const bool titled = !f->w->topics && title_of(&element, &content, body);
    int rc = plain_body(&text, &own, body, titled ? &element : NULL, err);

    if (rc == IV_OK && titled)
        rc = iv_plain_text(&title, &own, content, err);
    if (rc == IV_OK && titled) {
        char *line_of = iv_arena_copy(&own, title);
        rc = line_of == NULL ? iv_no_memory(err) : IV_OK;
        if (rc == IV_OK)
            title = iv_one_line(line_of, title.len);
    }
    if (rc == IV_OK)
        rc = found(f, id, line, title, text, err);
    iv_arena_free(&own);
    return rc;
}

static int take_record(document_file *f, iv_str record, iv_err *err)
{
    const char *behind = record.ptr;
    const iv_str name = f->w->topics ? topic_of(&behind, f, record)
                                     : docno_of(&behind, f, record);

    if (name.len == 0)
        return iv_fail_at(err, IV_EPARSE, f->path, f->line, "a record without an id, expected "
                          "%s in it", f->w->topics ? "its number" : "<DOCNO>");
    const uint32_t id = wanted_id(f, name);
    if (id == IV_NO_ID)
        return IV_OK;
    const iv_str body = { behind, (size_t)(record.ptr + record.len - behind) };
    return hand_over(f, id, f->line, body, err);
}

enum { LONGEST_TAG = 16 };

static int take_tags(document_file *f, size_t *used, iv_str text, bool last, iv_err *err)
{
    const char *at = text.ptr, *end = text.ptr + text.len;

    if (f->open == NULL)
        IV_TRY(choose_tags(f, text, err));
    for (;;) {
        const char *from = find(at, end, f->open);
        if (from == NULL)
            break;
        const char *to = find(from, end, f->close);
        if (to == NULL) {
            if (last)
                return iv_fail_at(err, IV_EPARSE, f->path, f->line + lines_in(at, from),
                                  "%s without %s, expected whole records", f->open, f->close);
            break;
        }
        f->line += lines_in(at, from);
        IV_TRY(take_record(f, (iv_str){ from, (size_t)(to - from) }, err));
        f->line += lines_in(from, to);
        at = to + strlen(f->close);
    }
    /* A tag may be cut by the end of the window: its beginning stays. */
    if (last) {
        at = end;
    } else if (find(at, end, f->open) == NULL && end - at > LONGEST_TAG) {
        f->line += lines_in(at, end - LONGEST_TAG);
        at = end - LONGEST_TAG;
    }
    *used = (size_t)(at - text.ptr);
    return IV_OK;
}

/* A folder of texts: the name of a file, with or without .txt, is the document's. */

enum { NAME_ROOM = 300 };

/* The file of a document, by any of its names; -1: none.  No links: they could lead out. */
static int open_text(char name[NAME_ROOM], int folder, iv_str docno)
{
    static const char *const ends[] = { "", ".txt", ".gz", ".zst", ".txt.gz", ".txt.zst",
                                        ".html", ".htm" };

    if (docno.len == 0 || docno.len > 250 || memchr(docno.ptr, '/', docno.len) != NULL
        || docno.ptr[0] == '.')
        return -1;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct stat st;
        (void)snprintf(name, NAME_ROOM, "%.*s%s", (int)docno.len, docno.ptr, ends[i]);
        const int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        if (fd < 0)
            continue;
        if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
            return fd;
        (void)close(fd);
    }
    return -1;
}

static int take_text(document_file *f, uint32_t id, iv_str text, iv_err *err)
{
    iv_arena own = { 0 };
    const iv_str head = { text.ptr, text.len < 1024 ? text.len : 1024 };
    iv_str plain = text;
    int rc = IV_OK;

    if (text.len >= 5 && memcmp(text.ptr, "%PDF-", 5) == 0)
        return iv_fail_at(err, IV_EPARSE, f->path, 0, "is a PDF, expected a text; convert it "
                                                      "first");
    /* Pages have tags; other texts are as they are. */
    if (iv_find_tag(head, "<!doctype html") != NULL || iv_find_tag(head, "<html") != NULL)
        rc = iv_plain_text(&plain, &own, text, err);
    if (rc == IV_OK)
        rc = found(f, id, 1, (iv_str){ "", 0 }, plain, err);
    iv_arena_free(&own);
    return rc;
}

static int read_text(iv_wanted *w, uint32_t id, int fd, const char *path, const iv_work *work,
                     iv_err *err)
{
    document_file f = { .w = w, .path = path, .work = work };
    iv_bytes text;

    IV_TRY(iv_bytes_read(&text, fd, path, work, err));
    const int rc = take_text(&f, id, (iv_str){ text.ptr, text.len }, err);
    iv_bytes_free(&text);
    return rc;
}

static int read_folder(iv_wanted *w, const char *path, const iv_work *work, iv_err *err)
{
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int rc = folder < 0
        ? iv_fail_at(err, IV_EIO, path, 0, "cannot open: %s", strerror(errno)) : IV_OK;

    for (uint32_t id = 0; id < w->ids.count && rc == IV_OK; id++) {
        char name[NAME_ROOM], whole[NAME_ROOM + 200];
        const int fd = open_text(name, folder, w->ids.names[id]);
        rc = iv_check_work(work, (double)id / (double)w->ids.count, err);
        if (fd < 0)
            continue;
        (void)snprintf(whole, sizeof whole, "%.190s/%s", path, name);
        if (rc == IV_OK)
            rc = read_text(w, id, fd, whole, work, err);
        else
            (void)close(fd);
        w->file[id] = path; /* whole is gone */
    }
    if (folder >= 0)
        (void)close(folder);
    return rc;
}

/* A file of documents in windows: read or unpacked, told by content, cut into records. */

/* WINDOW is read at a time; no record is longer than LONGEST. */
enum { WINDOW = 1 << 22, LONGEST = 1 << 26 };

int iv_wanted_begin(iv_wanted *w, iv_err *err)
{
    w->line = calloc(w->ids.count + 1, sizeof *w->line);
    w->file = calloc(w->ids.count + 1, sizeof *w->file);
    w->left = w->ids.count;
    return w->line == NULL || w->file == NULL ? iv_no_memory(err) : IV_OK;
}

void iv_wanted_free(iv_wanted *w)
{
    free(w->line);
    free(w->file);
    iv_ids_free(&w->ids);
}

/* ----------------------------------------------------------------- tabs -- */

/* id, text; id, title, text; or id, address, title, text. */
static int take_tabs_line(document_file *f, iv_str line, iv_err *err)
{
    const char *tab = memchr(line.ptr, '\t', line.len), *end = line.ptr + line.len;
    iv_str cell[3] = { { "", 0 }, { "", 0 }, { "", 0 } };
    size_t cells = 0;

    if (line.len > 0 && end[-1] == '\r')
        end--;
    if (line.len == 0 || end == line.ptr)
        return IV_OK;
    if (tab == NULL)
        return iv_fail_at(err, IV_EPARSE, f->path, f->line, "no tab, expected an id, a tab and "
                          "a text");
    const uint32_t id = wanted_id(f, (iv_str){ line.ptr, (size_t)(tab - line.ptr) });
    if (id == IV_NO_ID)
        return IV_OK;
    for (const char *at = tab + 1; cells < 3; at = tab + 1) {
        tab = cells < 2 ? memchr(at, '\t', (size_t)(end - at)) : NULL;
        cell[cells++] = (iv_str){ at, (size_t)((tab == NULL ? end : tab) - at) };
        if (tab == NULL)
            break;
    }
    if (f->w->topics) /* all of it */
        cell[0].len = (size_t)(end - cell[0].ptr);
    const bool plain = cells == 1 || f->w->topics;
    return found(f, id, f->line, plain ? (iv_str){ "", 0 } : cell[cells - 2],
                             cell[plain ? 0 : cells - 1], err);
}

static int take_lines(document_file *f, size_t *used, iv_str text, bool last,
                  int (*take_line)(document_file *f, iv_str line, iv_err *err), iv_err *err)
{
    size_t at = 0;

    while (at < text.len) {
        const char *stop = memchr(text.ptr + at, '\n', text.len - at);
        if (stop == NULL && !last)
            break;
        const size_t end = stop == NULL ? text.len : (size_t)(stop - text.ptr);
        IV_TRY(take_line(f, (iv_str){ text.ptr + at, end - at }, err));
        f->line++;
        at = end + (stop != NULL);
    }
    *used = at;
    return IV_OK;
}

/* -------------------------------------------------------------- windows -- */

/* Told by the first byte that is no blank. */
static int tell_form(document_file *f, iv_str text, iv_err *err)
{
    size_t at = 0;

    while (at < text.len && memchr(" \t\r\n", text.ptr[at], 4) != NULL)
        at++;
    if (at == text.len)
        return iv_fail_at(err, IV_EPARSE, f->path, 0, "is empty, expected %s",
                          f->w->topics ? "topics" : "documents");
    f->form = text.ptr[at] == '{' ? IV_FORM_JSON : text.ptr[at] == '<' ? IV_FORM_TAGS
        : IV_FORM_TABS;
    f->begun = true;
    return IV_OK;
}

static int take(document_file *f, size_t *used, iv_str text, bool last, iv_err *err)
{
    size_t mark = 0;

    IV_TRY(iv_check_work(f->work, 0.0, err));
    if (!f->begun && text.len >= 3 && memcmp(text.ptr, "\xef\xbb\xbf", 3) == 0)
        mark = 3;
    text = (iv_str){ text.ptr + mark, text.len - mark };
    if (!f->begun)
        IV_TRY(tell_form(f, text, err));
    *used = 0;
    if (f->form == IV_FORM_TAGS)
        IV_TRY(take_tags(f, used, text, last, err));
    else
        IV_TRY(take_lines(f, used, text, last, f->form == IV_FORM_JSON ? take_json_line
                                                                          : take_tabs_line, err));
    if (*used == 0 && !last && text.len >= LONGEST)
        return iv_fail_at(err, IV_EPARSE, f->path, f->line, "a record of more than %d MB, "
                          "expected documents", LONGEST >> 20);
    *used += mark;
    return IV_OK;
}

/* In windows, twice as large for a record that does not fit. */
static int read_windows(document_file *f, iv_reader *in, iv_err *err)
{
    for (size_t room = WINDOW, used = 0;; room *= used == 0 ? 2 : 1) {
        do {
            IV_TRY(iv_reader_some(in, room, err));
        } while (!in->ended && in->end < in->capacity);
        const iv_str text = { in->buffer, in->end };
        if (in->packing != IV_PLAIN && memchr(text.ptr, '\0', text.len) != NULL)
            return iv_fail_at(err, IV_EPARSE, f->path, f->line, "a NUL byte, expected text");
        IV_TRY(take(f, &used, text, in->ended, err));
        if (in->ended)
            return IV_OK;
        iv_reader_take(in, used);
        in->lines = f->line - 1;
    }
}

/* Shown are title, abstract and, at the end, "[authors year DOI]". */
int iv_references_read(iv_wanted *w, const iv_bibliography *b, const char *path, iv_err *err)
{
    document_file f = { .w = w, .path = path };
    int rc = IV_OK;

    for (size_t i = 0; i < b->count && rc == IV_OK; i++) {
        const iv_bibliographic *x = &b->at[i];
        const uint32_t id = x->duplicate ? IV_NO_ID : wanted_id(&f, x->id);
        const size_t room = x->abstract.len + x->authors.len + x->year.len + x->doi.len + 16;
        char *text = id == IV_NO_ID ? NULL : malloc(room);
        if (id == IV_NO_ID)
            continue;
        if (text == NULL)
            return iv_no_memory(err);
        const size_t before = x->authors.len + x->year.len;
        const int n = snprintf(text, room, "%.*s%s%.*s%s%.*s%s%.*s", (int)x->abstract.len,
            x->abstract.ptr, before + x->doi.len > 0 ? "\n\n" : "",
            (int)x->authors.len, x->authors.ptr,
            x->authors.len > 0 && x->year.len > 0 ? ", " : "", (int)x->year.len, x->year.ptr,
            before > 0 && x->doi.len > 0 ? ", " : "", (int)x->doi.len, x->doi.ptr);
        w->source = x->source;
        rc = found(&f, id, x->line, x->title, (iv_str){ text, (size_t)n }, err);
        free(text);
    }
    w->source = (iv_str){ "", 0 };
    return rc;
}

static int read_bibliography(iv_wanted *w, const char *path, const iv_work *work, iv_err *err)
{
    iv_arena own = { 0 };
    iv_bibliography b = { 0 };
    int rc = iv_bibliography_load(&b, &own, &(iv_texts){ &path, 1 }, work, err);

    if (rc == IV_OK)
        rc = iv_references_read(w, &b, path, err);
    iv_arena_free(&own);
    return rc;
}

int iv_documents_read(iv_wanted *w, const char *path, const iv_work *work, iv_err *err)
{
    document_file f = { .w = w, .path = path, .work = work, .line = 1 };
    iv_reader in = { 0 };
    struct stat st;
    int fd, rc;

    IV_TRY(iv_open_file(&fd, path, work, err));
    if (fstat(fd, &st) != 0) {
        rc = iv_fail_at(err, IV_EIO, path, 0, "cannot read: %s", strerror(errno));
        (void)close(fd);
        return rc;
    }
    if (S_ISDIR(st.st_mode)) {
        (void)close(fd);
        return w->topics ? iv_fail_at(err, IV_EIO, path, 0, "is a folder, expected a file of "
                                      "topics") : read_folder(w, path, work, err);
    }
    if (!w->topics && iv_bibliography_is(path)) {
        (void)close(fd);
        return read_bibliography(w, path, work, err);
    }
    rc = iv_reader_open(&in, path, fd, 0, work, err);
    if (rc == IV_OK)
        rc = read_windows(&f, &in, err);
    iv_reader_close(&in);
    return rc;
}

/* Lists for people: what was said, items in a state, how assessors are doing. */

static const char *text_or_empty(iv_arena *a, sqlite3_stmt *st, int column)
{
    const char *text = iv_db_text(a, st, column);

    return text == NULL ? "" : text;
}

/* item, docno, title, seq, assessor, reason, grade, at, note, active_ms */
static iv_store_item row_of(const iv_store *s, iv_arena *a, sqlite3_stmt *st)
{
    return (iv_store_item){
        .item = sqlite3_column_int64(st, 0),
        .topic = iv_queue_topic_of(s, sqlite3_column_int64(st, 0)),
        .docno = text_or_empty(a, st, 1), .title = text_or_empty(a, st, 2),
        .mine = { sqlite3_column_int64(st, 3), sqlite3_column_int64(st, 4),
                  (iv_store_reason)sqlite3_column_int(st, 5),
                  sqlite3_column_type(st, 6) == SQLITE_NULL ? -1 : sqlite3_column_int(st, 6),
                  text_or_empty(a, st, 7), text_or_empty(a, st, 8), sqlite3_column_int64(st, 9) } };
}

/* Is the tag in a note? */
static bool has_tag(const char *note, const char *wanted)
{
    iv_str left = iv_str_of(note == NULL ? "" : note), tag;

    while (iv_next_tag(&tag, &left))
        if (iv_str_cmp(tag, iv_str_of(wanted)) == 0)
            return true;
    return false;
}

/* Is the text in the document of the row, in its name or its note? */
static int holds_text(bool *out, iv_store *s, sqlite3_stmt *row, const char *text, iv_err *err)
{
    static const int columns[] = { 1, 2, 8 };
    iv_arena own = { 0 };
    sqlite3_stmt *st = s->read_document;
    iv_str plain = { "", 0 };

    *out = false;
    for (size_t i = 0; i < 3 && !*out; i++) {
        const char *cell = (const char *)sqlite3_column_text(row, columns[i]);
        *out = cell != NULL && strcasestr(cell, text) != NULL;
    }
    if (*out)
        return IV_OK;
    iv_db_bind(st, "i", sqlite3_column_int64(row, 0));
    int rc = iv_db_step(st, s->path, err);
    if (rc == IV_OK && sqlite3_column_type(st, 2) != SQLITE_NULL)
        rc = iv_store_unpack(&plain, &own, iv_db_str(st, 2), sqlite3_column_int(st, 3) != 0, err);
    (void)sqlite3_reset(st);
    *out = rc == IV_OK && strcasestr(plain.ptr, text) != NULL;
    iv_arena_free(&own);
    return rc;
}

/* Is the row what the filter wants? */
static int wants(bool *out, iv_store *s, sqlite3_stmt *row, const iv_store_filter *f, iv_err *err)
{
    *out = (f->grade == 0 || (sqlite3_column_type(row, 6) != SQLITE_NULL
                              && sqlite3_column_int64(row, 6) == f->grade - 1))
        && (f->tag == NULL || has_tag((const char *)sqlite3_column_text(row, 8), f->tag));
    return *out && f->text != NULL ? holds_text(out, s, row, f->text, err) : IV_OK;
}

static int list(const iv_store_item **out, size_t *count, iv_arena *a, iv_store *s,
                const char *sql, const iv_store_filter *f, size_t most, iv_err *err)
{
    const bool all = f->text == NULL && f->tag == NULL && f->grade == 0;
    const size_t room = most > 10000 ? 10000 : most;
    iv_store_item *rows = iv_take(a, room + 1, sizeof *rows);
    sqlite3_stmt *st = NULL;
    bool taken = true;
    size_t n = 0;

    if (rows == NULL)
        return iv_no_memory(err);
    (void)pthread_mutex_lock(&s->read_lock);
    int rc = iv_db_query(&st, s->reads, s->path, err, sql, "iii", f->assessor, f->from,
                         all ? (int64_t)room : (int64_t)-1);
    while (n < room && iv_db_next(st, &rc, s->path, err)) {
        if (!iv_store_knows(s, sqlite3_column_int64(st, 0), sqlite3_column_int64(st, 5)))
            rc = iv_fail_at(err, IV_EPARSE, s->path, 0, "the database is damaged: a judgment is "
                            "of no item or of no known kind");
        else
            rc = wants(&taken, s, st, f, err);
        if (rc == IV_OK && taken)
            rows[n++] = row_of(s, a, st);
    }
    rc = iv_db_end(st, rc);
    (void)pthread_mutex_unlock(&s->read_lock);
    *count = n;
    *out = rows;
    return rc;
}

#define COLUMNS "i.id, d.docno, d.title, "
#define WORD "j.seq, j.assessor, j.reason, j.grade, j.at, j.note, j.active_ms "
#define NO_WORD "0, 0, 0, NULL, NULL, NULL, 0 "
/* Fewer have judged the item i than shall. */
#define NEEDS_MORE "(SELECT count(*) FROM current k WHERE k.item = i.id AND k.final = 0" \
    " AND k.reason <> 2) < 1 + i.twice"
#define OF_ITEM "JOIN item i ON i.id = j.item JOIN document d ON d.id = i.document "

int iv_store_history(const iv_store_item **out, size_t *count, iv_arena *a, iv_store *s,
                     int64_t assessor, int64_t before, size_t most, iv_err *err)
{
    return list(out, count, a, s, "SELECT " COLUMNS WORD "FROM judgment j " OF_ITEM
                "WHERE (?1 = 0 OR j.assessor = ?1) AND j.seq < ?2 ORDER BY j.seq DESC LIMIT ?3",
                &(iv_store_filter){ .assessor = assessor, .from = before == 0 ? INT64_MAX
                                                                              : before },
                most, err);
}

/* The last words in a state, or items that lack one. */
#define WORDS_THAT(condition)                                                       \
    "SELECT " COLUMNS WORD "FROM current c JOIN judgment j ON j.seq = c.seq "       \
    OF_ITEM "WHERE (?1 = 0 OR c.assessor = ?1) AND i.id >= ?2 AND (" condition ")"  \
    " ORDER BY i.id, j.seq LIMIT ?3"

static const char *const state_queries[] = {
    [IV_ITEM_ANY] = "SELECT " COLUMNS "coalesce(j.seq, 0), coalesce(j.assessor, 0),"
        " coalesce(j.reason, 0), j.grade, j.at, j.note, coalesce(j.active_ms, 0)"
        " FROM item i JOIN document d ON d.id = i.document"
        " LEFT JOIN judgment j ON j.seq = (SELECT max(seq) FROM current c WHERE c.item = i.id"
        " AND (?1 = 0 OR c.assessor = ?1)) WHERE i.id >= ?2 ORDER BY i.id LIMIT ?3",
    [IV_ITEM_OPEN] = "SELECT " COLUMNS NO_WORD "FROM item i JOIN document d ON d.id = i.document"
        " WHERE i.id >= ?2 AND " NEEDS_MORE
        " AND (?1 = 0 OR NOT EXISTS (SELECT 1 FROM current c WHERE c.item = i.id"
        " AND c.assessor = ?1 AND c.reason <> 2)) ORDER BY i.id LIMIT ?3",
    [IV_ITEM_DONE] = WORDS_THAT("c.reason <> 2"),
    [IV_ITEM_LATER] = WORDS_THAT("c.reason = 2 AND " NEEDS_MORE),
    [IV_ITEM_CANNOT] = WORDS_THAT("c.reason = 1"),
    [IV_ITEM_CONFLICT] = WORDS_THAT("(SELECT " IV_SQL_DIFFER " FROM current k WHERE k.item = i.id)"
        " AND NOT EXISTS (SELECT 1 FROM current k WHERE k.item = i.id AND k.final = 1)"),
    [IV_ITEM_NOTED] = WORDS_THAT("j.note IS NOT NULL")
};

int iv_store_items(const iv_store_item **out, size_t *count, iv_arena *a, iv_store *s,
                   const iv_store_filter *f, size_t most, iv_err *err)
{
    if (f->state > IV_ITEM_NOTED)
        return iv_fail(err, IV_EARG, "state %d, expected one of the known", (int)f->state);
    return list(out, count, a, s, state_queries[f->state], f, most, err);
}

/* --------------------------------------------------------------- counts -- */

iv_store_counts iv_store_count_queue(iv_store *s)
{
    const int both = IV_QUEUED_CONFLICT | IV_QUEUED_ADJUDICATED;
    iv_store_counts c = { .judgments = iv_store_seq(s) };

    (void)pthread_mutex_lock(&s->lock_queue);
    for (size_t i = 0; i < s->about.items; i++) {
        const iv_queued *q = &s->items[i];
        c.items++;
        c.judged += q->judged != 0;
        c.open += iv_queued_open(q);
        c.twice += iv_queued_judged(q) > 1;
        c.conflicts += (q->flags & both) == IV_QUEUED_CONFLICT;
        c.settled += (q->flags & both) == both;
    }
    (void)pthread_mutex_unlock(&s->lock_queue);
    return c;
}

int iv_store_count(iv_store_counts *out, iv_store *s, iv_err *err)
{
    static const char sql[] =
        "SELECT count(DISTINCT c.item) FILTER (WHERE c.reason = 1),"
        " count(DISTINCT c.item) FILTER (WHERE c.reason = 2 AND c.final = 0 AND " NEEDS_MORE ")"
        " FROM current c JOIN item i ON i.id = c.item";
    sqlite3_stmt *st = NULL;
    iv_store_counts c = iv_store_count_queue(s);

    (void)pthread_mutex_lock(&s->read_lock);
    int rc = iv_db_prepare(&st, s->reads, s->path, sql, err);
    if (iv_db_next(st, &rc, s->path, err)) {
        c.cannot = (size_t)sqlite3_column_int64(st, 0);
        c.later = (size_t)sqlite3_column_int64(st, 1);
        *out = c;
    }
    rc = iv_db_end(st, rc);
    (void)pthread_mutex_unlock(&s->read_lock);
    return rc;
}

/* ------------------------------------------------------------ assessors -- */

/* The row of an assessor; one behind all for what is none. */
static iv_assessor_row *row_for(iv_assessor_row *rows, int64_t id)
{
    return &rows[id >= 1 && id <= IV_ASSESSORS_MOST ? id - 1 : IV_ASSESSORS_MOST];
}

static int read_assessors(iv_assessor_row *rows, iv_arena *a, iv_store *s, iv_err *err)
{
    static const char sql[] =
        "SELECT assessor, count(*) FILTER (WHERE reason <> 2),"
        " count(*) FILTER (WHERE grade >= ?), count(*) FILTER (WHERE reason = 1),"
        " count(*) FILTER (WHERE reason = 2 AND " NEEDS_MORE ")"
        " FROM current c JOIN item i ON i.id = c.item WHERE final = 0 GROUP BY assessor";
    sqlite3_stmt *st = NULL;
    int rc = iv_db_query(&st, s->reads, s->path, err, sql, "i", (int64_t)s->about.level);

    while (iv_db_next(st, &rc, s->path, err)) {
        iv_assessor_row *r = row_for(rows, sqlite3_column_int64(st, 0));
        r->judged = sqlite3_column_int64(st, 1);
        r->relevant = sqlite3_column_int64(st, 2);
        r->cannot = sqlite3_column_int64(st, 3);
        r->later = sqlite3_column_int64(st, 4);
    }
    IV_TRY(iv_db_end(st, rc));
    st = NULL;
    rc = iv_db_prepare(&st, s->reads, s->path, "SELECT assessor, max(at) FILTER (WHERE NOT "
                       IV_SQL_ELSEWHERE "), count(*) FILTER (WHERE reason = 3), min(at) FILTER"
                       " (WHERE NOT " IV_SQL_ELSEWHERE "), count(*) FILTER (WHERE "
                       IV_SQL_ELSEWHERE ") FROM judgment GROUP BY assessor", err);
    while (iv_db_next(st, &rc, s->path, err)) {
        iv_assessor_row *r = row_for(rows, sqlite3_column_int64(st, 0));
        r->last = iv_db_text(a, st, 1);
        r->undone = sqlite3_column_int64(st, 2);
        r->first = iv_db_text(a, st, 3);
        r->imported = sqlite3_column_int64(st, 4);
    }
    return iv_db_end(st, rc);
}

/* Disagreements that somebody has decided, those with a label of the same person, and labels that
 * were replaced without one. */
static int read_decided(iv_assessor_row *rows, iv_store *s, iv_err *err)
{
    sqlite3_stmt *st = NULL;
    int rc = iv_db_prepare(&st, s->reads, s->path, "WITH " IV_SQL_FIRSTS ", apart AS (SELECT item,"
                           " " IV_SQL_DIFFER " AS differ FROM first GROUP BY item), last AS"
                           " (SELECT c.assessor, coalesce(a.differ, 0) AS differ,"
                           " max(f.assessor = c.assessor AND f.grade IS NOT NULL) AS own,"
                           " max(f.assessor = c.assessor AND f.grade = c.grade) AS kept,"
                           " max(f.grade <> c.grade) AS other FROM current c"
                           " LEFT JOIN apart a USING (item) LEFT JOIN first f USING (item)"
                           " WHERE c.final = 1 GROUP BY item, c.assessor)"
                           " SELECT assessor, sum(differ), sum(differ AND own),"
                           " sum(NOT differ AND other), sum(differ AND kept)"
                          " FROM last GROUP BY assessor", err);

    while (iv_db_next(st, &rc, s->path, err)) {
        iv_assessor_row *r = row_for(rows, sqlite3_column_int64(st, 0));
        r->decided = sqlite3_column_int64(st, 1);
        r->own = sqlite3_column_int64(st, 2);
        r->replaced = sqlite3_column_int64(st, 3);
        r->kept = sqlite3_column_int64(st, 4);
    }
    return iv_db_end(st, rc);
}

/* The middle of the times that a page has measured, and how many these are. */
static int read_median(iv_assessor_row *out, iv_store *s, iv_err *err)
{
    static const char sql[] =
        "WITH t AS (SELECT active_ms AS ms FROM judgment WHERE assessor = ? AND reason IN (0, 1)"
        " AND active_ms > 0 ORDER BY 1), n AS (SELECT count(*) AS k FROM t)"
        " SELECT avg(ms), (SELECT k FROM n) FROM (SELECT ms FROM t LIMIT 2 - (SELECT k % 2 FROM n)"
        " OFFSET (SELECT max(k - 1, 0) / 2 FROM n))";
    sqlite3_stmt *st = NULL;
    int rc = iv_db_query(&st, s->reads, s->path, err, sql, "i", out->id);

    if (iv_db_next(st, &rc, s->path, err)) {
        out->median_ms = sqlite3_column_type(st, 0) == SQLITE_NULL ? NAN
            : sqlite3_column_double(st, 0);
        out->timed = sqlite3_column_int64(st, 1);
    }
    return iv_db_end(st, rc);
}

int iv_store_assessor_rows(const iv_assessor_row **out, size_t *count, iv_arena *a, iv_store *s,
                           iv_err *err)
{
    iv_assessor_row *rows = iv_take(a, IV_ASSESSORS_MOST + 1, sizeof *rows);
    size_t n = 0;
    int rc = rows == NULL ? iv_no_memory(err) : IV_OK;

    (void)pthread_mutex_lock(&s->lock_queue);
    for (; rc == IV_OK && n < s->assessor_count; n++) {
        const iv_assessor *is = &s->assessor[n];
        const char *may = is->script ? "judge, rank, export (a program)" : !is->adjudicates
            ? "judge" : is->judges ? "judge, adjudicate" : "adjudicate";
        rows[n] = (iv_assessor_row){ .id = is->id, .name = is->name, .revoked = is->revoked,
                                     .may = is->revoked ? "revoked" : may };
    }
    (void)pthread_mutex_unlock(&s->lock_queue);
    (void)pthread_mutex_lock(&s->read_lock);
    if (rc == IV_OK)
        rc = read_assessors(rows, a, s, err);
    if (rc == IV_OK)
        rc = read_decided(rows, s, err);
    for (size_t i = 0; i < n && rc == IV_OK; i++) {
        rc = read_median(&rows[i], s, err);
        rows[i].seconds = round(rows[i].median_ms / 100.0) / 10.0;
    }
    (void)pthread_mutex_unlock(&s->read_lock);
    if (rc == IV_OK) {
        *out = rows;
        *count = n;
    }
    return rc;
}
