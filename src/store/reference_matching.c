/* SPDX-License-Identifier: Apache-2.0 */
/* Which references are the same record twice, and which only resemble each other. */
#define _GNU_SOURCE /* memmem */

#include "base/err.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/memory.h"
#include "store/bibliography.h"
#include "store/document_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/*
 * A record is removed when two parts agree and none contradicts: the title, and one of DOI, first
 * author, first page and abstract (Bramer et al. 2016 compare such fields); another volume
 * contradicts, too.  Everything else that is alike is proposed to a person.
 */
enum {
    SHORT_TITLE = 20,    /* letters; shorter ones, as "Editorial", say little */
    LONG_ABSTRACT = 200, /* letters by which an abstract is a record's own */
    NEAR = 10,           /* nearly the same title: at most 1 letter in so many differs */
    NEIGHBOURS = 200,    /* records of one author, or one abstract, that are compared so */
    SHARING = 500        /* records of one DOI, or one title, that are compared so */
};

/* What two records say of one field. */
typedef enum field { DIFFER = -1, MISSING, AGREE } field;

typedef enum match { OTHER, ALIKE, SAME } match;

/* A record as it is compared; keys have letters and digits only. */
typedef struct compared {
    iv_str title, doi, family, given, names, page, volume, abstract;
    int year; /* 0: none */
} compared;

typedef struct search {
    iv_bibliography *all;
    iv_arena *memory;
    compared *of;
    iv_ids keys;            /* "d10.1/x", "ttitle", "afamily", "babstract" */
    size_t *last, room;     /* by key: the last record that has it, + 1 */
    size_t (*before)[4];    /* by record and key: the record before it that has it, + 1 */
} search;

/* ----------------------------------------------------------------- keys -- */

/* The text without tags and with entities decoded, as a key. */
static int clean_key(iv_str *out, iv_arena *a, iv_str text, iv_err *err)
{
    iv_arena own = { 0 };
    int rc = IV_OK;

    if (memchr(text.ptr, '<', text.len) != NULL || memchr(text.ptr, '&', text.len) != NULL)
        rc = iv_plain_text(&text, &own, text, err);
    if (rc == IV_OK)
        *out = iv_reference_key(a, text, false);
    iv_arena_free(&own);
    return rc == IV_OK && out->ptr == NULL ? iv_no_memory(err) : rc;
}

static bool is_initials(iv_str word)
{
    for (size_t i = 0; i < word.len; i++)
        if (!isupper((unsigned char)word.ptr[i]) && word.ptr[i] != '.' && word.ptr[i] != '-')
            return false;
    return word.len <= 4;
}

/* "Smith, John", "Smith J" and "John Smith": the family name, and the other names. */
static void read_author(compared *c, iv_arena *a, iv_str author)
{
    const char *comma = author.len == 0 ? NULL : memchr(author.ptr, ',', author.len);
    size_t at = author.len;
    iv_str family = author, given = { "", 0 };

    if (comma != NULL) {
        family.len = (size_t)(comma - author.ptr);
        given = (iv_str){ comma + 1, author.len - family.len - 1 };
    } else {
        while (at > 0 && author.ptr[at - 1] != ' ')
            at--;
        const iv_str last = { author.ptr + at, author.len - at }, rest = { author.ptr, at };
        if (at > 0) {
            family = is_initials(last) ? rest : last;
            given = is_initials(last) ? last : rest;
        }
    }
    c->family = iv_reference_key(a, family, false);
    c->given = iv_reference_key(a, given, false);
    c->names = iv_reference_key(a, author, false);
}

/* The first number of "123-9" or "S12". */
static iv_str first_page(iv_str pages)
{
    size_t n = 0;

    while (n < pages.len && isalnum((unsigned char)pages.ptr[n]))
        n++;
    return (iv_str){ pages.ptr, n };
}

/* The first digits of "12", "Vol. 12" or "12 Suppl 1"; empty: there are none. */
static iv_str first_number(iv_str text)
{
    while (text.len > 0 && !isdigit((unsigned char)text.ptr[0]))
        text = (iv_str){ text.ptr + 1, text.len - 1 };
    size_t n = 0;
    while (n < text.len && isdigit((unsigned char)text.ptr[n]))
        n++;
    return (iv_str){ text.ptr, n };
}

static int read_record(compared *out, iv_arena *a, const iv_bibliographic *x, iv_err *err)
{
    const char *end = x->authors.len == 0 ? NULL : memchr(x->authors.ptr, ';', x->authors.len);
    compared c = { .doi = iv_reference_key(a, x->doi, true) };
    int64_t year = 0;

    IV_TRY(clean_key(&c.title, a, x->title, err));
    IV_TRY(clean_key(&c.abstract, a, x->abstract, err));
    read_author(&c, a, iv_trimmed((iv_str){ x->authors.ptr, end == NULL ? x->authors.len
                                            : (size_t)(end - x->authors.ptr) }));
    c.page = iv_reference_key(a, first_page(iv_reference_field(a, x->source, "SP", true)), false);
    c.volume = first_number(iv_reference_field(a, x->source, "VL", true));
    c.year = iv_scan_int(&year, x->year, 1, 9999) ? (int)year : 0;
    *out = c;
    return iv_taken(a, err);
}

/* --------------------------------------------------------------- fields -- */

static field same_text(iv_str a, iv_str b)
{
    return a.len == 0 || b.len == 0 ? MISSING : iv_str_eq(a, b) ? AGREE : DIFFER;
}

static field same_author(const compared *a, const compared *b)
{
    if (a->family.len == 0 || b->family.len == 0)
        return MISSING;
    if (iv_str_eq(a->names, b->names))
        return AGREE;
    if (!iv_str_eq(a->family, b->family))
        return DIFFER;
    return a->given.len == 0 || b->given.len == 0 || a->given.ptr[0] == b->given.ptr[0] ? AGREE
                                                                                      : DIFFER;
}

/* One abstract is, or is within, the other. */
static field same_abstract(iv_str a, iv_str b)
{
    const iv_str less = a.len < b.len ? a : b, more = a.len < b.len ? b : a;

    return less.len == 0 ? MISSING
        : memmem(more.ptr, more.len, less.ptr, less.len) != NULL ? AGREE : DIFFER;
}

/* Is the edit distance of two texts (Levenshtein 1966) at most `most`? */
static bool within(iv_str a, iv_str b, size_t most)
{
    enum { LONGEST = 400 };
    size_t row[LONGEST + 1];

    if (a.len > LONGEST || b.len > LONGEST || a.len > b.len + most || b.len > a.len + most)
        return false;
    for (size_t k = 0; k <= b.len; k++)
        row[k] = k;
    for (size_t i = 1; i <= a.len; i++) {
        size_t corner = row[0], least = row[0] = i;
        for (size_t k = 1; k <= b.len; k++) {
            const size_t change = corner + (a.ptr[i - 1] != b.ptr[k - 1]);
            const size_t insert = (row[k] < row[k - 1] ? row[k] : row[k - 1]) + 1;
            corner = row[k];
            row[k] = change < insert ? change : insert;
            least = row[k] < least ? row[k] : least;
        }
        if (least > most)
            return false;
    }
    return row[b.len] <= most;
}

/* The next digit from *at on; '\0': there is none. */
static char next_digit(iv_str s, size_t *at)
{
    while (*at < s.len && !isdigit((unsigned char)s.ptr[*at]))
        (*at)++;
    return *at < s.len ? s.ptr[(*at)++] : '\0';
}

/* A few letters differ, or one of them lacks the subtitle; part 1 and part 2 are two. */
static bool near_titles(iv_str a, iv_str b)
{
    const iv_str less = a.len < b.len ? a : b, more = a.len < b.len ? b : a;
    size_t i = 0, k = 0;

    if (less.len < SHORT_TITLE)
        return false;
    for (char digit = 'x'; digit != '\0';)
        if ((digit = next_digit(a, &i)) != next_digit(b, &k))
            return false;
    return memcmp(less.ptr, more.ptr, less.len) == 0 || within(less, more, more.len / NEAR);
}

/* -------------------------------------------------------------- matching -- */

/* Has the record nothing but a title, and perhaps a year? */
static bool title_alone(const compared *c)
{
    return c->doi.len + c->family.len + c->page.len + c->abstract.len == 0;
}

/* Records with equal titles.  A DOI outweighs another year (online first, then in print), and
 * with the author another wording of the abstract. */
static match equal_titles(const char **why, const compared *a, const compared *b, field doi,
                          field author, field year, field page, field abstract)
{
    const bool volume = same_text(a->volume, b->volume) == DIFFER && doi != AGREE;
    const bool alone = title_alone(a) || title_alone(b);
    const bool some = author == AGREE || page == AGREE || abstract == AGREE;

    *why = doi == DIFFER ? "same title, another DOI" : author == DIFFER
        ? "same title, another first author" : page == DIFFER ? "same title, another page"
        : volume ? "same title, another volume"
        : abstract == DIFFER ? "same title, another abstract" : year == DIFFER
        ? "same title, another year" : "same title";
    if (doi == DIFFER || author == DIFFER || page == DIFFER)
        return a->title.len >= SHORT_TITLE && (doi == AGREE || author != DIFFER
                                               || abstract == AGREE) ? ALIKE : OTHER;
    if (doi == AGREE && (author == AGREE || abstract == AGREE
                         || (abstract == MISSING && year != DIFFER))) {
        *why = "same title and DOI";
        return SAME;
    }
    if (a->title.len < SHORT_TITLE)
        return doi == AGREE || (author == AGREE && year == AGREE) ? ALIKE : OTHER;
    if (year == DIFFER || volume || abstract == DIFFER || (!some && !alone))
        return ALIKE;
    *why = author == AGREE ? "same title and first author" : abstract == AGREE
        ? "same title and abstract" : page == AGREE ? "same title and page"
        : "same title, no other field";
    return SAME;
}

static match compare(const char **why, const compared *a, const compared *b)
{
    const field doi = same_text(a->doi, b->doi), author = same_author(a, b);
    const field page = same_text(a->page, b->page), title = same_text(a->title, b->title);
    const field year = a->year == 0 || b->year == 0 ? MISSING : a->year == b->year ? AGREE
                                                                                   : DIFFER;
    const bool close = abs(a->year - b->year) <= 1 || year == MISSING;
    const bool near = title != AGREE && near_titles(a->title, b->title);

    if (title != AGREE && doi != AGREE && !(near && close && doi != DIFFER && author != DIFFER))
        return OTHER;
    const field abstract = same_abstract(a->abstract, b->abstract);
    const size_t letters = a->abstract.len < b->abstract.len ? a->abstract.len : b->abstract.len;
    if (title == AGREE)
        return equal_titles(why, a, b, doi, author, year, page, abstract);
    if (abstract == AGREE && letters >= LONG_ABSTRACT && author != DIFFER && page != DIFFER
        && year != DIFFER && (doi == AGREE || near)) {
        *why = doi == AGREE ? "same DOI and abstract" : "same abstract, nearly the same title";
        return SAME;
    }
    *why = !near ? "same DOI, another title" : doi == AGREE ? "same DOI, nearly the same title"
        : "nearly the same title";
    return near || (doi == AGREE && (abstract != DIFFER || author != DIFFER)) ? ALIKE : OTHER;
}

/* ---------------------------------------------------------------- search -- */

/* The keys by which a record finds others: DOI, title, first author, and how a long abstract
 * begins; an empty one is none. */
static int keys_of(iv_str out[4], const search *s, size_t i, iv_err *err)
{
    const compared *c = &s->of[i];
    const iv_str abstract = { c->abstract.ptr, c->abstract.len < LONG_ABSTRACT ? 0
                                                                               : LONG_ABSTRACT };
    const iv_str parts[] = { c->doi, c->title, c->family, abstract };

    for (size_t k = 0; k < 4; k++) {
        char *key = iv_arena_alloc(s->memory, parts[k].len + 1);
        if (key == NULL)
            return iv_no_memory(err);
        key[0] = "dtab"[k];
        memcpy(key + 1, parts[k].ptr, parts[k].len);
        out[k] = (iv_str){ key, parts[k].len == 0 ? 0 : parts[k].len + 1 };
    }
    return IV_OK;
}

static int remember(search *s, size_t i, const iv_str keys[4], iv_err *err)
{
    for (size_t k = 0; k < 4; k++) {
        const size_t known = s->keys.count;
        if (keys[k].len == 0)
            continue;
        const uint32_t id = iv_ids_add(&s->keys, keys[k]);
        if (id == IV_NO_ID || !IV_ARENA_ROOM(s->memory, s->last, s->room, known))
            return iv_no_memory(err);
        s->before[i][k] = id < known ? s->last[id] : 0;
        s->last[id] = i + 1;
    }
    return IV_OK;
}

/* The record that is the same, or else the first that is alike, of the last ones that share a
 * key: what thousands share, as the title Editorial, says little, and other keys find the rest. */
static match find(size_t *with, const char **why, const search *s, size_t i,
                  const iv_str keys[4])
{
    match best = OTHER;

    for (size_t k = 0; k < 4; k++) {
        const uint32_t id = keys[k].len == 0 || s->keys.count == 0 ? IV_NO_ID
            : iv_ids_find(&s->keys, keys[k]);
        size_t left = k < 2 ? SHARING : NEIGHBOURS;
        for (size_t at = id == IV_NO_ID ? 0 : s->last[id]; at > 0 && left > 0;
             at = s->before[at - 1][k], left--) {
            const char *reason = "";
            if (s->all->at[at - 1].duplicate)
                continue;
            const match m = compare(&reason, &s->of[i], &s->of[at - 1]);
            if (m > best || (m == best && m != OTHER && at - 1 < *with)) {
                best = m;
                *with = at - 1;
                *why = reason;
            }
        }
        if (best == SAME)
            break;
    }
    return best;
}

static int place(search *s, size_t i, iv_err *err)
{
    iv_bibliographic *x = &s->all->at[i];
    const char *why = "";
    size_t with = 0;
    iv_str keys[4];

    IV_TRY(read_record(&s->of[i], s->memory, x, err));
    IV_TRY(keys_of(keys, s, i, err));
    const match best = find(&with, &why, s, i, keys);
    iv_bibliographic *y = &s->all->at[with];
    const bool richer = best == SAME && y->abstract.len == 0 && x->abstract.len > 0;
    if (best != OTHER && !richer) {
        x->of = with + 1;
        x->why = why;
        x->duplicate = best == SAME;
    } else if (richer) { /* the record with an abstract stays */
        x->of = y->of;
        x->why = y->why;
        y->of = i + 1;
        y->why = why;
        y->duplicate = true;
    }
    return x->duplicate ? IV_OK : remember(s, i, keys, err);
}

int iv_bibliography_compare(iv_bibliography *b, iv_arena *a, iv_err *err)
{
    search s = { .all = b, .memory = a, .of = iv_take(a, b->count + 1, sizeof *s.of),
                 .before = iv_take(a, b->count + 1, sizeof *s.before) };
    int rc = iv_taken(a, err);

    for (size_t i = 0; i < b->count && rc == IV_OK; i++)
        rc = place(&s, i, err);
    for (size_t i = 0; i < b->count; i++) { /* what stays may have changed since */
        iv_bibliographic *x = &b->at[i];
        while (x->of > 0 && b->at[x->of - 1].duplicate)
            x->of = b->at[x->of - 1].of;
        b->duplicates += x->duplicate;
        b->alike += x->of > 0 && !x->duplicate;
    }
    iv_ids_free(&s.keys);
    return rc;
}
