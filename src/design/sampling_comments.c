/* SPDX-License-Identifier: Apache-2.0 */
/* The comment lines in which a file of judgments keeps its design. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "design/sampling_state.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

bool iv_next_word(iv_str *word, iv_str *list)
{
    while (list->len > 0 && is_blank(*list->ptr)) {
        list->ptr++;
        list->len--;
    }
    size_t n = 0;
    while (n < list->len && !is_blank(list->ptr[n]))
        n++;
    *word = (iv_str){ list->ptr, n };
    list->ptr += n;
    list->len -= n;
    return n > 0;
}

void iv_listing_free(iv_sample_comments *l)
{
    free(l->lines);
    free(l->frame);
    free(l->draws);
    free(l->topic_line);
}

/* One line being read. */
typedef struct reader {
    const iv_judgments *j;
    const char *name;
    uint64_t line;
    iv_err *err;
} reader;

static int bad(const reader *r, const char *what, iv_str got, const char *expected)
{
    char quoted[IV_QUOTE_SIZE];

    return iv_fail_at(r->err, IV_EPARSE, r->name, r->line, "%s %s, expected %s", what,
                      iv_quote(quoted, got), expected);
}

static int read_count(size_t *out, const reader *r, iv_str *rest, const char *what)
{
    iv_str word;
    int64_t v = 0;

    (void)iv_next_word(&word, rest);
    if (!iv_scan_int(&v, word, 0, INT32_MAX))
        return bad(r, what, word, "a whole number");
    *out = (size_t)v;
    return IV_OK;
}

static bool is_design(iv_str word)
{
    for (const char *const *name = iv_design_names(); *name != NULL; name++)
        if (iv_str_eq(word, iv_str_of(*name)))
            return true;
    return false;
}

/* "intervale-sample 1 stevens" */
static int read_head(iv_sample_comments *l, const reader *r, iv_str rest)
{
    iv_str version, design;

    (void)iv_next_word(&version, &rest);
    (void)iv_next_word(&design, &rest);
    if (!iv_str_eq(version, iv_str_of("1")))
        return bad(r, "version of the design", version, "1");
    if (!is_design(design))
        return bad(r, "design", design, "stevens, uniform, stratified or pool");
    memcpy(l->design, design.ptr, design.len);
    l->design[design.len] = '\0';
    l->found = true;
    return IV_OK;
}

/* "topic T FRAME DRAWS" */
static int read_topic(iv_sample_comments *l, const reader *r, size_t topic, iv_str rest)
{
    size_t frame = 0, draws = 0;
    int rc = read_count(&frame, r, &rest, "size of the frame");

    if (rc == IV_OK)
        rc = read_count(&draws, r, &rest, "number of draws");
    if (rc == IV_OK && topic == IV_NONE)
        l->missing_topics++;
    if (rc != IV_OK || topic == IV_NONE)
        return rc;
    if (l->topic_line[topic] != 0)
        return iv_fail_at(r->err, IV_EPARSE, r->name, r->line, "the topic's design stands "
                          "twice, first in line %llu, expected once",
                          (unsigned long long)l->topic_line[topic]);
    l->frame[topic] = frame;
    l->draws[topic] = draws;
    l->topic_line[topic] = r->line;
    return IV_OK;
}

static int read_listed(iv_sample_comments *l, const reader *r, iv_listed_kind kind, size_t topic,
                       iv_str rest)
{
    iv_sample_comment x = { .kind = kind, .topic = topic, .line = r->line };
    iv_str word;
    int rc = IV_OK;

    if (kind != IV_LISTED_FIXED && kind < IV_LISTED_RANKS)
        rc = read_count(&x.number, r, &rest, "number of the bucket");
    if (rc == IV_OK && (kind == IV_LISTED_BUCKET || kind == IV_LISTED_STRATUM))
        rc = read_count(&x.size, r, &rest, "size of the bucket");
    if (rc == IV_OK && kind == IV_LISTED_STRATUM)
        rc = read_count(&x.drawn, r, &rest, "documents drawn");
    if (rc == IV_OK && kind == IV_LISTED_BUCKET) {
        (void)iv_next_word(&word, &rest);
        if (!iv_scan_real(&x.share, word) || !(x.share > 0.0 && x.share <= 1.0))
            rc = bad(r, "share of the bucket", word, "0 < share <= 1");
    }
    if (rc != IV_OK || topic == IV_NONE)
        return rc;
    iv_sample_comment *lines = iv_grow(l->lines, &l->capacity, l->count + 1, sizeof *lines);
    if (lines == NULL)
        return iv_fail_at(r->err, IV_ENOMEM, r->name, 0, "out of memory");
    l->lines = lines;
    l->has[kind] = true;
    x.documents = rest;
    lines[l->count++] = x;
    return IV_OK;
}

static int read_line(iv_sample_comments *l, const reader *r, iv_str rest)
{
    static const char *const keywords[] = { "fixed", "bucket", "stratum", "rest",
                                              "ranks", "open", "order", "chosen" };
    iv_str keyword, id;

    (void)iv_next_word(&keyword, &rest);
    if (iv_str_eq(keyword, iv_str_of("intervale-sample")))
        return read_head(l, r, rest);
    if (!iv_next_word(&id, &rest))
        return bad(r, "line of the design with", keyword, "a topic behind it");
    const size_t topic = iv_judgments_find_topic(r->j, id);
    if (iv_str_eq(keyword, iv_str_of("topic")))
        return read_topic(l, r, topic, rest);
    for (size_t k = 0; k < sizeof keywords / sizeof *keywords; k++)
        if (iv_str_eq(keyword, iv_str_of(keywords[k])))
            return read_listed(l, r, (iv_listed_kind)k, topic, rest);
    return bad(r, "line of the design begins with", keyword,
               "topic, fixed, bucket, stratum, rest, ranks, open, order or chosen");
}

static int by_topic(const void *va, const void *vb)
{
    const iv_sample_comment *a = va, *b = vb;

    if (a->topic != b->topic)
        return a->topic < b->topic ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

/* The line of a design behind its "#:"; false for other comments. */
static bool behind_mark(iv_str *rest, const iv_comment *c)
{
    if (c->text.len < 2 || c->text.ptr[1] != ':')
        return false;
    *rest = (iv_str){ c->text.ptr + 2, c->text.len - 2 };
    return true;
}

/* Does any comment line announce a design?  *first: the first line of one, 0 for none; that
 * documents were chosen is also written where probabilities are all that is known. */
static bool announced(uint64_t *first, const iv_judgments *j)
{
    iv_comment c = { 0 };
    iv_str rest, word;

    *first = 0;
    while (iv_judgments_next_comment(&c, j)) {
        if (!behind_mark(&rest, &c))
            continue;
        (void)iv_next_word(&word, &rest);
        if (iv_str_eq(word, iv_str_of("intervale-sample")))
            return true;
        if (*first == 0 && !iv_str_eq(word, iv_str_of("chosen")))
            *first = c.line;
    }
    return false;
}

int iv_listing_read(iv_sample_comments *out, const iv_judgments *j, const char *name, iv_err *err)
{
    iv_sample_comments l = { .found = false };
    iv_comment c = { 0 };
    uint64_t first;
    int rc = IV_OK;

    if (!announced(&first, j)) {
        if (first != 0)
            return iv_fail_at(err, IV_EPARSE, name, first, "a line of a design, and none says which "
                              "design it is, expected '#: intervale-sample 1 NAME' as it was written");
        *out = l;
        return IV_OK;
    }
    l.frame = calloc(iv_judgments_topics(j) + 1, sizeof *l.frame);
    l.draws = calloc(iv_judgments_topics(j) + 1, sizeof *l.draws);
    l.topic_line = calloc(iv_judgments_topics(j) + 1, sizeof *l.topic_line);
    if (l.frame == NULL || l.draws == NULL || l.topic_line == NULL)
        rc = iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    while (rc == IV_OK && iv_judgments_next_comment(&c, j)) {
        const reader r = { j, name, c.line, err };
        iv_str rest;
        if (behind_mark(&rest, &c))
            rc = read_line(&l, &r, rest);
    }
    if (rc != IV_OK) {
        iv_listing_free(&l);
        return rc;
    }
    if (l.count > 0)
        qsort(l.lines, l.count, sizeof *l.lines, by_topic);
    *out = l;
    return IV_OK;
}
