/* SPDX-License-Identifier: Apache-2.0 */
/* References in BibTeX and in the XML of EndNote, as fields of RIS. */
#define _GNU_SOURCE /* memmem */

#include "base/err.h"
#include "base/lines.h"
#include "base/memory.h"
#include "store/bibliography.h"
#include "store/bibliography_forms.h"
#include "store/document_text.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* A text that is read from its beginning; line: of what comes next, from 1. */
typedef struct scan {
    const iv_record_sink *sink;
    iv_arena *memory;
    const char *path;
    iv_str rest;
    uint64_t line;
} scan;

static void go_on(scan *s, size_t bytes)
{
    s->line += iv_lines_in((iv_str){ s->rest.ptr, bytes });
    s->rest = (iv_str){ s->rest.ptr + bytes, s->rest.len - bytes };
}

static void skip_blanks(scan *s)
{
    size_t n = 0;

    while (n < s->rest.len && isspace((unsigned char)s->rest.ptr[n]))
        n++;
    go_on(s, n);
}

/* "Name: value" as a note, without a name the value alone. */
static int put_note(const scan *s, iv_str name, iv_str value, iv_err *err)
{
    char *note = iv_arena_alloc(s->memory, name.len + value.len + 3);

    if (note == NULL)
        return iv_no_memory(err);
    const int n = sprintf(note, "%.*s: ", (int)name.len, name.ptr);
    memcpy(note + n, value.ptr, value.len);
    return s->sink->field(s->sink->to, "N1", (iv_str){ note, (size_t)n + value.len }, err);
}

static const char *tag_among(const char *const (*tags)[2], size_t count, iv_str name)
{
    for (size_t i = 0; i < count; i++)
        if (iv_is_one_of(name, tags[i][0]))
            return tags[i][1];
    return NULL;
}

/* Each of the parts between separators; with word: this word separates. */
static int put_parts(const scan *s, const char *tag, iv_str value, const char *separators,
                     const char *word, iv_err *err)
{
    while (value.len > 0) {
        const char *at = word == NULL ? NULL
            : memmem(value.ptr, value.len, word, strlen(word));
        size_t n = at == NULL ? value.len : (size_t)(at - value.ptr);
        size_t behind = at == NULL ? 0 : strlen(word);
        for (size_t i = 0; word == NULL && i < value.len; i++)
            if (strchr(separators, value.ptr[i]) != NULL) {
                n = i;
                behind = 1;
                break;
            }
        const iv_str part = iv_trimmed((iv_str){ value.ptr, n });
        if (part.len > 0)
            IV_TRY(s->sink->field(s->sink->to, tag, part, err));
        value = (iv_str){ value.ptr + n + behind, value.len - n - behind };
    }
    return IV_OK;
}

/* --------------------------------------------------------------- LaTeX -- */

/* Letters that an accent stands on, and what they become. */
static const struct {
    char accent;
    const char *on;
    uint16_t become[24];
} accents[] = {
    { '`', "aeiouAEIOU", { 0xe0, 0xe8, 0xec, 0xf2, 0xf9, 0xc0, 0xc8, 0xcc, 0xd2, 0xd9 } },
    { '\'', "aeiouyAEIOUYcnszCNSZ", { 0xe1, 0xe9, 0xed, 0xf3, 0xfa, 0xfd, 0xc1, 0xc9, 0xcd, 0xd3,
                                      0xda, 0xdd, 0x107, 0x144, 0x15b, 0x17a, 0x106, 0x143, 0x15a,
                                      0x179 } },
    { '^', "aeiouAEIOU", { 0xe2, 0xea, 0xee, 0xf4, 0xfb, 0xc2, 0xca, 0xce, 0xd4, 0xdb } },
    { '"', "aeiouyAEIOU", { 0xe4, 0xeb, 0xef, 0xf6, 0xfc, 0xff, 0xc4, 0xcb, 0xcf, 0xd6, 0xdc } },
    { '~', "anoANO", { 0xe3, 0xf1, 0xf5, 0xc3, 0xd1, 0xd5 } },
    { '=', "aeiouAEIOU", { 0x101, 0x113, 0x12b, 0x14d, 0x16b, 0x100, 0x112, 0x12a, 0x14c, 0x16a } },
    { '.', "zZeEI", { 0x17c, 0x17b, 0x117, 0x116, 0x130 } },
    { 'c', "cCsStT", { 0xe7, 0xc7, 0x15f, 0x15e, 0x163, 0x162 } },
    { 'v', "cCsSzZrReEnNdDtT", { 0x10d, 0x10c, 0x161, 0x160, 0x17e, 0x17d, 0x159, 0x158, 0x11b,
                                 0x11a, 0x148, 0x147, 0x10f, 0x10e, 0x165, 0x164 } },
    { 'u', "aAgG", { 0x103, 0x102, 0x11f, 0x11e } },
    { 'r', "aAuU", { 0xe5, 0xc5, 0x16f, 0x16e } },
    { 'H', "oOuU", { 0x151, 0x150, 0x171, 0x170 } },
    { 'k', "aAeE", { 0x105, 0x104, 0x119, 0x118 } } };

static const struct {
    const char *name;
    uint32_t code;
} words[] = {
    { "ss", 0xdf }, { "o", 0xf8 }, { "O", 0xd8 }, { "l", 0x142 }, { "L", 0x141 }, { "ae", 0xe6 },
    { "AE", 0xc6 }, { "oe", 0x153 }, { "OE", 0x152 }, { "aa", 0xe5 }, { "AA", 0xc5 },
    { "i", 'i' }, { "j", 'j' }, { "textendash", 0x2013 }, { "textemdash", 0x2014 },
    { "textquoteright", 0x2019 }, { "textquoteleft", 0x2018 }, { "textquotedblleft", 0x201c },
    { "textquotedblright", 0x201d }, { "ldots", 0x2026 }, { "dots", 0x2026 }, { "times", 0xd7 },
    { "alpha", 0x3b1 }, { "beta", 0x3b2 }, { "gamma", 0x3b3 }, { "delta", 0x3b4 }, { "mu", 0x3bc },
    { "leq", 0x2264 }, { "geq", 0x2265 }, { "pm", 0xb1 } };

/* The letter that an accent stands on, behind blanks and braces; 0: none.  *len: up to it. */
static char letter_under(size_t *len, iv_str s, size_t from)
{
    size_t at = from;

    while (at < s.len && (s.ptr[at] == '{' || s.ptr[at] == ' '))
        at++;
    at += at + 1 < s.len && s.ptr[at] == '\\' && (s.ptr[at + 1] == 'i' || s.ptr[at + 1] == 'j');
    *len = at + 1;
    return at < s.len && isalpha((unsigned char)s.ptr[at]) ? s.ptr[at] : '\0';
}

/* Writes what the command at the backslash stands for; returns its length. */
static size_t command(char *out, size_t *written, iv_str s)
{
    size_t n = 1, len = 0;

    *written = 0;
    while (n < s.len && isalpha((unsigned char)s.ptr[n]))
        n++;
    for (size_t i = 0; s.len > 2 && n <= 2 && i < sizeof accents / sizeof *accents; i++) {
        const char letter = accents[i].accent == s.ptr[1] ? letter_under(&len, s, 2) : '\0';
        const char *on = letter == '\0' ? NULL : strchr(accents[i].on, letter);
        if (on != NULL) {
            *written = iv_put_code(out, accents[i].become[on - accents[i].on]);
            return len;
        }
    }
    if (n == 1) { /* a sign: "\&"; "\\" ends a line */
        if (s.len > 1)
            out[(*written)++] = s.ptr[1] == '\\' ? ' ' : s.ptr[1];
        return s.len > 1 ? 2 : 1;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].name) == n - 1 && memcmp(words[i].name, s.ptr + 1, n - 1) == 0) {
            *written = iv_put_code(out, words[i].code);
            break;
        }
    while (n < s.len && s.ptr[n] == ' ') /* ends the name of a command */
        n++;
    return n;
}

/* Signs of several characters: dashes and quotation marks. */
static size_t sign(char *out, size_t *written, iv_str s)
{
    static const struct {
        const char *text;
        uint32_t code;
    } signs[] = { { "---", 0x2014 }, { "--", 0x2013 }, { "``", 0x201c }, { "''", 0x201d },
                  { "~", ' ' } };

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const size_t len = strlen(signs[i].text);
        if (s.len >= len && memcmp(s.ptr, signs[i].text, len) == 0) {
            *written = iv_put_code(out, signs[i].code);
            return len;
        }
    }
    return 0;
}

/* As people read it; of an address only what is escaped changes. */
static iv_str plain_latex(iv_arena *a, iv_str text, bool address)
{
    char *to = iv_arena_alloc(a, 4 * text.len + 1);
    size_t n = 0;

    for (size_t at = 0, len; to != NULL && at < text.len; at += len) {
        const iv_str rest = { text.ptr + at, text.len - at };
        size_t written = 0;
        if (*rest.ptr == '{' || *rest.ptr == '}') {
            len = 1;
        } else if (*rest.ptr == '\\') {
            len = command(to + n, &written, rest);
        } else if (address || (len = sign(to + n, &written, rest)) == 0) {
            to[n] = *rest.ptr;
            written = len = 1;
        }
        n += written;
    }
    return to == NULL ? (iv_str){ "", 0 } : iv_one_line(to, n);
}

/* -------------------------------------------------------------- BibTeX -- */

/* "@string{jan = "January"}". */
typedef struct abbreviation {
    iv_str name, value;
} abbreviation;

typedef struct bibtex {
    scan in;
    abbreviation *known;
    size_t count, capacity;
    uint64_t entry; /* the line where it begins */
    char close;     /* of the entry */
} bibtex;

static int unfinished(const bibtex *b, iv_err *err)
{
    return iv_fail_at(err, IV_EPARSE, b->in.path, b->entry, "an entry of BibTeX that does not end; "
                      "expected '%c'", b->close);
}

/* A word: a type, a key or the name of a field. */
static iv_str take_name(scan *s)
{
    size_t n = 0;

    skip_blanks(s);
    while (n < s->rest.len && !isspace((unsigned char)s->rest.ptr[n])
           && strchr("{}(),=\"#", s->rest.ptr[n]) == NULL)
        n++;
    const iv_str name = { s->rest.ptr, n };
    go_on(s, n);
    return name;
}

/* {text}, "text", a number or an abbreviation. */
static int take_piece(iv_str *out, bibtex *b, iv_err *err)
{
    scan *s = &b->in;
    size_t depth = 0;

    skip_blanks(s);
    const char open = s->rest.len > 0 ? *s->rest.ptr : '\0';
    if (open != '{' && open != '"') {
        *out = take_name(s);
        for (size_t i = 0; i < b->count; i++)
            if (out->len == b->known[i].name.len
                && strncasecmp(out->ptr, b->known[i].name.ptr, out->len) == 0)
                *out = b->known[i].value;
        return IV_OK;
    }
    for (size_t i = 1; i < s->rest.len; i++) {
        const char c = s->rest.ptr[i];
        if (depth == 0 && c == (open == '{' ? '}' : '"')) {
            *out = (iv_str){ s->rest.ptr + 1, i - 1 };
            go_on(s, i + 1);
            return IV_OK;
        }
        depth += c == '{';
        depth -= c == '}' && depth > 0;
    }
    return unfinished(b, err);
}

/* Pieces joined by #. */
static int take_value(iv_str *out, bibtex *b, iv_err *err)
{
    iv_str piece;

    IV_TRY(take_piece(out, b, err));
    for (skip_blanks(&b->in); b->in.rest.len > 0 && *b->in.rest.ptr == '#';
         skip_blanks(&b->in)) {
        go_on(&b->in, 1);
        IV_TRY(take_piece(&piece, b, err));
        char *joined = iv_arena_alloc(b->in.memory, out->len + piece.len + 1);
        if (joined == NULL)
            return iv_no_memory(err);
        memcpy(joined, out->ptr, out->len);
        memcpy(joined + out->len, piece.ptr, piece.len);
        *out = (iv_str){ joined, out->len + piece.len };
    }
    return IV_OK;
}

/* "101--9" as "101-9". */
static iv_str one_dash(iv_arena *a, iv_str pages)
{
    char *to = iv_arena_alloc(a, pages.len + 1);
    size_t n = 0;

    for (size_t i = 0; to != NULL && i < pages.len; i++)
        if (pages.ptr[i] != '-' || n == 0 || to[n - 1] != '-')
            to[n++] = pages.ptr[i];
    return to == NULL ? pages : (iv_str){ to, n };
}

static int put_bibtex(const bibtex *b, iv_str name, iv_str value, iv_err *err)
{
    static const char *const tags[][2] = {
        { "title", "TI" }, { "abstract", "AB" }, { "year date", "PY" }, { "doi", "DO" },
        { "url", "UR" }, { "journal journaltitle", "JO" }, { "booktitle", "T2" },
        { "volume", "VL" }, { "number issue", "IS" }, { "pages", "SP" }, { "issn isbn", "SN" },
        { "publisher", "PB" }, { "language langid", "LA" }, { "note annote annotation", "N1" },
        { "pmid", "AN" } };
    const scan *s = &b->in;
    const char *tag = tag_among(tags, sizeof tags / sizeof *tags, name);
    iv_str plain = plain_latex(s->memory, value, iv_is_one_of(name, "doi url file pages"));

    if (iv_is_one_of(name, "pages"))
        plain = one_dash(s->memory, plain);
    if (iv_is_one_of(name, "author editor")) {
        const char *person = iv_is_one_of(name, "author") ? "AU" : "A2";
        return put_parts(s, person, plain, "", " and ", err);
    }
    if (iv_is_one_of(name, "keywords keyword"))
        return put_parts(s, "KW", plain, ",;", NULL, err);
    return tag != NULL ? s->sink->field(s->sink->to, tag, plain, err)
        : plain.len > 0 ? put_note(s, name, plain, err) : IV_OK;
}

static int remember(bibtex *b, iv_str name, iv_str value, iv_err *err)
{
    if (!IV_ARENA_ROOM(b->in.memory, b->known, b->capacity, b->count))
        return iv_no_memory(err);
    b->known[b->count++] = (abbreviation){ name, value };
    return IV_OK;
}

/* Fields up to the end of the entry; string: each is an abbreviation. */
static int take_fields(bibtex *b, bool string, iv_err *err)
{
    scan *s = &b->in;
    char quoted[IV_QUOTE_SIZE];
    iv_str value;

    for (;;) {
        skip_blanks(s);
        if (s->rest.len == 0 || *s->rest.ptr == '@') /* the next entry */
            return unfinished(b, err);
        if (*s->rest.ptr == ',' || *s->rest.ptr == b->close) {
            const bool ends = *s->rest.ptr == b->close;
            go_on(s, 1);
            if (ends)
                return IV_OK;
            continue;
        }
        const uint64_t line = s->line;
        const iv_str name = take_name(s);
        skip_blanks(s);
        if (name.len == 0 || s->rest.len == 0 || *s->rest.ptr != '=')
            return iv_fail_at(err, IV_EPARSE, s->path, line, "%s in an entry of BibTeX; expected "
                              "NAME = {VALUE}", iv_quote(quoted, name.len > 0 ? name
                              : (iv_str){ s->rest.ptr, s->rest.len > 0 }));
        go_on(s, 1);
        IV_TRY(take_value(&value, b, err));
        IV_TRY(string ? remember(b, name, value, err) : put_bibtex(b, name, value, err));
    }
}

static const char *type_of_entry(iv_str type)
{
    static const char *const types[][2] = {
        { "article", "JOUR" }, { "book", "BOOK" }, { "inbook incollection", "CHAP" },
        { "inproceedings conference proceedings", "CONF" }, { "techreport report", "RPRT" },
        { "phdthesis mastersthesis thesis", "THES" } };
    const char *found = tag_among(types, sizeof types / sizeof *types, type);

    return found == NULL ? "GEN" : found;
}

static int take_entry(bibtex *b, iv_err *err)
{
    scan *s = &b->in;

    b->entry = s->line;
    go_on(s, 1);
    const iv_str type = take_name(s);
    skip_blanks(s);
    if (s->rest.len == 0 || (*s->rest.ptr != '{' && *s->rest.ptr != '('))
        return IV_OK; /* an address between entries */
    b->close = *s->rest.ptr == '{' ? '}' : ')';
    if (iv_is_one_of(type, "comment preamble")) {
        iv_str unused;
        return b->close == '}' ? take_piece(&unused, b, err) : IV_OK;
    }
    go_on(s, 1);
    if (iv_is_one_of(type, "string"))
        return take_fields(b, true, err);
    IV_TRY(s->sink->begin(s->sink->to, b->entry, err));
    IV_TRY(s->sink->field(s->sink->to, "TY", iv_str_of(type_of_entry(type)), err));
    IV_TRY(s->sink->field(s->sink->to, "ID", take_name(s), err));
    return take_fields(b, false, err);
}

int iv_bibtex_read(const iv_record_sink *sink, iv_arena *a, const char *path, iv_str text,
                   iv_err *err)
{
    bibtex b = { .in = { sink, a, path, text, 1 } };

    while (b.in.rest.len > 0) {
        const char *at = memchr(b.in.rest.ptr, '@', b.in.rest.len);
        if (at == NULL)
            break;
        go_on(&b.in, (size_t)(at - b.in.rest.ptr));
        IV_TRY(take_entry(&b, err));
    }
    return IV_OK;
}

/* ------------------------------------------------------- XML of EndNote -- */

/* Without tags, which hold styles, and with entities decoded. */
static iv_str xml_text(iv_arena *a, iv_str s)
{
    char *to = iv_arena_alloc(a, s.len + 1);
    size_t n = 0;

    for (size_t at = 0, len; to != NULL && at < s.len; at += len) {
        const iv_str rest = { s.ptr + at, s.len - at };
        const char *end = *rest.ptr == '<' ? memchr(rest.ptr, '>', rest.len) : NULL;
        size_t written = 0;
        len = end != NULL ? (size_t)(end - rest.ptr) + 1
            : iv_decode_entity(to + n, &written, rest);
        if (len == 0) {
            to[n] = *rest.ptr;
            written = len = 1;
        }
        n += written;
    }
    return to == NULL ? (iv_str){ "", 0 } : iv_one_line(to, n);
}

/* The name of the tag at '<', without what it has besides. */
static iv_str tag_name(iv_str s)
{
    size_t n = 1;

    while (n < s.len && (isalnum((unsigned char)s.ptr[n]) || s.ptr[n] == '-'))
        n++;
    return (iv_str){ s.ptr + 1, n - 1 };
}

static const char *type_of_record(iv_str name)
{
    static const char *const types[][2] = {
        { "Journal", "JOUR" }, { "Section", "CHAP" }, { "Book", "BOOK" }, { "Conference", "CONF" },
        { "Thesis", "THES" }, { "Report", "RPRT" } };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (memmem(name.ptr, name.len, types[i][0], strlen(types[i][0])) != NULL)
            return types[i][1];
    return "GEN";
}

/* An element with its content. */
typedef struct element {
    iv_str name, tag, content;
    size_t len; /* of all */
} element;

/* The element at '<'; false: the tag closes, stands alone, or is not closed. */
static bool element_at(element *out, iv_str s)
{
    char close[40];
    const char *end = memchr(s.ptr, '>', s.len);

    out->name = tag_name(s);
    if (end == NULL || out->name.len == 0 || out->name.len > 30 || end[-1] == '/')
        return false;
    (void)snprintf(close, sizeof close, "</%.*s>", (int)out->name.len, out->name.ptr);
    out->tag = (iv_str){ s.ptr, (size_t)(end - s.ptr) + 1 };
    const iv_str rest = { end + 1, s.len - out->tag.len };
    const char *stop = memmem(rest.ptr, rest.len, close, strlen(close));
    if (stop == NULL)
        return false;
    out->content = (iv_str){ rest.ptr, (size_t)(stop - rest.ptr) };
    out->len = out->tag.len + out->content.len + strlen(close);
    return true;
}

static int put_element(const scan *s, const element *e, const char *person, iv_err *err)
{
    static const char *const tags[][2] = {
        { "rec-number", "ID" }, { "title", "TI" }, { "full-title", "JO" },
        { "abbr-1", "J2" }, { "secondary-title", "T2" }, { "pages", "SP" }, { "volume", "VL" },
        { "number", "IS" }, { "keyword", "KW" }, { "year", "PY" }, { "abstract", "AB" },
        { "electronic-resource-num", "DO" }, { "url", "UR" }, { "isbn", "SN" },
        { "accession-num", "AN" }, { "notes research-notes", "N1" }, { "language", "LA" },
        { "publisher", "PB" }, { "date", "DA" } };
    const char *tag = iv_is_one_of(e->name, "author") ? person
        : tag_among(tags, sizeof tags / sizeof *tags, e->name);
    const iv_str value = xml_text(s->memory, e->content);

    return value.len == 0 ? IV_OK : tag != NULL ? s->sink->field(s->sink->to, tag, value, err)
        : put_note(s, e->name, value, err);
}

/* Elements of a record; those that hold others are entered, and of EndNote's own nothing is
 * kept.  person: the tag of its authors. */
static int take_elements(const scan *s, iv_str in, const char *person, iv_err *err)
{
    static const char held[] = "contributors authors titles periodical alt-periodical keywords "
                               "dates pub-dates urls related-urls web-urls custom";
    static const char others[] = "secondary-authors tertiary-authors subsidiary-authors";
    static const char own[] = "database source-app foreign-keys key ref-type";
    const char *at;
    element e;

    while ((at = memchr(in.ptr, '<', in.len)) != NULL) {
        in = (iv_str){ at, in.len - (size_t)(at - in.ptr) };
        size_t len = 1;
        if (element_at(&e, in)) {
            const bool editors = iv_is_one_of(e.name, others);
            len = e.len;
            if (editors || iv_is_one_of(e.name, held))
                IV_TRY(take_elements(s, e.content, editors ? "A2" : person, err));
            else if (!iv_is_one_of(e.name, own))
                IV_TRY(put_element(s, &e, person, err));
        }
        in = (iv_str){ in.ptr + len, in.len - len };
    }
    return IV_OK;
}

int iv_endnote_read(const iv_record_sink *sink, iv_arena *a, const char *path, iv_str text,
                    iv_err *err)
{
    scan s = { sink, a, path, text, 1 };
    const char *at;

    while ((at = memmem(s.rest.ptr, s.rest.len, "<record>", 8)) != NULL) {
        go_on(&s, (size_t)(at - s.rest.ptr));
        const char *end = memmem(s.rest.ptr, s.rest.len, "</record>", 9);
        if (end == NULL)
            return iv_fail_at(err, IV_EPARSE, path, s.line, "a record that does not end; expected "
                              "</record>");
        const iv_str in = { s.rest.ptr + 8, (size_t)(end - s.rest.ptr) - 8 };
        const char *type = memmem(in.ptr, in.len, "<ref-type", 9);
        element e = { .tag = { "", 0 } };
        if (type != NULL)
            (void)element_at(&e, (iv_str){ type, in.len - (size_t)(type - in.ptr) });
        IV_TRY(sink->begin(sink->to, s.line, err));
        IV_TRY(sink->field(sink->to, "TY", iv_str_of(type_of_record(e.tag)), err));
        IV_TRY(take_elements(&s, in, "AU", err));
        go_on(&s, in.len + 17);
    }
    return IV_OK;
}
