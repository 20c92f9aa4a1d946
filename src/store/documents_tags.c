/* SPDX-License-Identifier: Apache-2.0 */
/* TREC's documents, <DOC> <DOCNO> X </DOCNO> ... </DOC>, trecweb among them, and topics,
 * <top> <num> Number: X <title> ... </top> or <topic number="X"> ... </topic>. */
#define _GNU_SOURCE /* memmem */

#include <string.h>
#include <strings.h>

#include "store/documents.h"

const char *iv_find_tag(iv_str text, const char *tag)
{
    const size_t len = strlen(tag);
    const char *at = text.ptr, *end = text.ptr + text.len;

    while (at < end && (at = memchr(at, '<', (size_t)(end - at))) != NULL) {
        if ((size_t)(end - at) >= len && strncasecmp(at, tag, len) == 0)
            return at;
        at++;
    }
    return NULL;
}

static const char *find(const char *from, const char *end, const char *what)
{
    return memmem(from, (size_t)(end - from), what, strlen(what));
}

static uint64_t lines_in(const char *from, const char *to)
{
    uint64_t n = 0;

    for (; from < to; from++)
        n += *from == '\n';
    return n;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static iv_str trimmed(const char *from, const char *to)
{
    while (from < to && is_blank(*from))
        from++;
    while (to > from && is_blank(to[-1]))
        to--;
    return (iv_str){ from, (size_t)(to - from) };
}

/* -------------------------------------------------------------- the form -- */

/* How records begin and end, by the first that is there. */
static int choose_tags(iv_document_file *f, iv_str text, iv_err *err)
{
    static const struct {
        bool topics;
        const char *open, *close, *id;
    } forms[] = { { false, "<DOC>", "</DOC>", "DOCNO" }, { false, "<doc>", "</doc>", "docno" },
                  { true, "<top>", "</top>", "num" }, { true, "<topic", "</topic>", "number" },
                  { true, "<TOP>", "</TOP>", "NUM" } };

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (forms[i].topics != f->w->topics
            || memmem(text.ptr, text.len, forms[i].open, strlen(forms[i].open)) == NULL)
            continue;
        memcpy(f->open, forms[i].open, strlen(forms[i].open) + 1);
        memcpy(f->close, forms[i].close, strlen(forms[i].close) + 1);
        memcpy(f->id_tag, forms[i].id, strlen(forms[i].id) + 1);
        return IV_OK;
    }
    return iv_fail_at(err, IV_EPARSE, f->path, 1, "tags, but no %s, expected %s",
                      f->w->topics ? "<top>" : "<DOC>", f->w->topics ? "topics of TREC"
                      : "documents of TREC, JSON lines or tab-separated lines");
}

/* -------------------------------------------------------------- records -- */

/* The id of a document; empty: none.  *behind is where its element ends. */
static iv_str docno_of(const char **behind, const iv_document_file *f, iv_str record)
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
    return trimmed(from + strlen(open), to);
}

/* <num> Number: 301, perhaps closed; or number="301" in the tag that opens. */
static iv_str topic_of(const char **behind, const iv_document_file *f, iv_str record)
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

static int hand_over(iv_document_file *f, uint32_t id, uint64_t line, iv_str body, iv_err *err)
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
        rc = iv_document_found(f, id, line, title, text, err);
    iv_arena_free(&own);
    return rc;
}

static int take_record(iv_document_file *f, iv_str record, iv_err *err)
{
    const char *behind = record.ptr;
    const iv_str name = f->w->topics ? topic_of(&behind, f, record)
                                     : docno_of(&behind, f, record);

    if (name.len == 0)
        return iv_fail_at(err, IV_EPARSE, f->path, f->line, "a record without an id, expected "
                          "%s in it", f->w->topics ? "its number" : "<DOCNO>");
    const uint32_t id = iv_document_wanted(f, name);
    if (id == IV_NO_ID)
        return IV_OK;
    const iv_str body = { behind, (size_t)(record.ptr + record.len - behind) };
    return hand_over(f, id, f->line, body, err);
}

int iv_take_tags(iv_document_file *f, size_t *used, iv_str text, bool last, iv_err *err)
{
    const char *at = text.ptr, *end = text.ptr + text.len;

    if (f->open[0] == '\0')
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
    } else if (find(at, end, f->open) == NULL && (size_t)(end - at) > sizeof f->open) {
        f->line += lines_in(at, end - sizeof f->open);
        at = end - sizeof f->open;
    }
    *used = (size_t)(at - text.ptr);
    return IV_OK;
}
