/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The design of a sample as its file keeps it: lines that begin with "#:".  First they are read
 * (iv_sample_comments_read), then each topic's judgments are compared with them
 * (iv_sampling_written).
 *
 * Version 2 wraps its lists: lines of one topic, kind and bucket continue each other.
 */
#include "base/err.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/memory.h"
#include "sampling/sample_comments.h"
#include "sampling/scheme.h"
#include "trec/fields.h"
#include "trec/judgments.h"
#include "trec/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint32_t iv_sampling_rest(const iv_sampling_topic *t, iv_str docno)
{
    const uint32_t id = iv_ids_find(&t->rest.ids, docno);

    return id == IV_NO_ID ? IV_FIXED : t->rest.at[id].bucket;
}

/* -------------------------------------------------------- comment lines -- */

void iv_sample_comments_free(iv_sample_comments *l)
{
    free(l->lines);
    iv_arena_free(&l->joined);
}

static int bad(const iv_sample_comments *l, const char *what, iv_str got, const char *expected)
{
    char quoted[IV_QUOTE_SIZE];

    return iv_fail_at(l->err, IV_EPARSE, l->name, l->line, "%s %s, expected %s", what,
                      iv_quote(quoted, got), expected);
}

static int read_count(size_t *out, const iv_sample_comments *l, iv_str *rest, const char *what)
{
    iv_str word;
    int64_t v = 0;

    (void)iv_next_word(&word, rest);
    if (!iv_scan_int(&v, word, 0, INT32_MAX))
        return bad(l, what, word, "a whole number");
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

/* "intervale-sample 2 stevens 100": version, design, depth of the frame; version 1 has no depth. */
static int read_head(iv_sample_comments *l, iv_str rest)
{
    iv_str version, design;

    (void)iv_next_word(&version, &rest);
    (void)iv_next_word(&design, &rest);
    l->wrapped = iv_str_eq(version, iv_str_of("2"));
    if (!l->wrapped && !iv_str_eq(version, iv_str_of("1")))
        return bad(l, "version of the design", version, "1 or 2");
    if (!is_design(design))
        return bad(l, "design", design, "stevens, uniform, stratified or pool");
    memcpy(l->design, design.ptr, design.len);
    l->design[design.len] = '\0';
    l->found = true;
    return l->wrapped ? read_count(&l->depth, l, &rest, "depth of the frame") : IV_OK;
}

/* "topic T FRAME DRAWS" */
static int read_topic(iv_sample_comments *l, size_t topic, iv_str rest)
{
    size_t frame = 0, draws = 0;
    int rc = read_count(&frame, l, &rest, "size of the frame");

    if (rc == IV_OK)
        rc = read_count(&draws, l, &rest, "number of draws");
    if (rc == IV_OK && topic == IV_NONE)
        l->missing_topics++;
    if (rc != IV_OK || topic == IV_NONE)
        return rc;
    if (l->topic_line[topic] != 0)
        return iv_fail_at(l->err, IV_EPARSE, l->name, l->line, "the topic's design occurs twice, "
                          "first in line %llu, expected once",
                          (unsigned long long)l->topic_line[topic]);
    l->frame[topic] = frame;
    l->draws[topic] = draws;
    l->topic_line[topic] = l->line;
    return IV_OK;
}

static int read_listed(iv_sample_comments *l, iv_comment_kind kind, size_t topic,
                       iv_str rest)
{
    iv_sample_comment x = { .kind = kind, .topic = topic, .line = l->line };
    iv_str word;
    int rc = IV_OK;

    if (kind != IV_COMMENT_FIXED && kind < IV_COMMENT_RANKS)
        rc = read_count(&x.number, l, &rest, "number of the bucket");
    if (rc == IV_OK && (kind == IV_COMMENT_BUCKET || kind == IV_COMMENT_STRATUM))
        rc = read_count(&x.size, l, &rest, "size of the bucket");
    if (rc == IV_OK && kind == IV_COMMENT_STRATUM)
        rc = read_count(&x.drawn, l, &rest, "documents sampled");
    if (rc == IV_OK && kind == IV_COMMENT_BUCKET) {
        (void)iv_next_word(&word, &rest);
        if (!iv_scan_real(&x.share, word) || !(x.share > 0.0 && x.share <= 1.0))
            rc = bad(l, "proportion of the bucket", word, "0 < share <= 1");
    }
    if (rc != IV_OK || topic == IV_NONE)
        return rc;
    if (!IV_ROOM(l->lines, l->capacity, l->count + 1))
        return iv_fail_at(l->err, IV_ENOMEM, l->name, 0, "out of memory");
    l->has[kind] = true;
    x.documents = rest;
    l->lines[l->count++] = x;
    return IV_OK;
}

static int read_line(iv_sample_comments *l, iv_str rest)
{
    static const char *const keywords[] = { "fixed", "bucket", "stratum", "rest",
                                              "ranks", "open", "order", "chosen" };
    iv_str keyword, id;

    (void)iv_next_word(&keyword, &rest);
    if (iv_str_eq(keyword, iv_str_of("intervale-sample")))
        return read_head(l, rest);
    if (!iv_next_word(&id, &rest))
        return bad(l, "line of the design with", keyword, "a topic after it");
    const size_t topic = iv_judgments_find_topic(l->judgments, id);
    if (iv_str_eq(keyword, iv_str_of("topic")))
        return read_topic(l, topic, rest);
    for (size_t k = 0; k < sizeof keywords / sizeof *keywords; k++)
        if (iv_str_eq(keyword, iv_str_of(keywords[k])))
            return read_listed(l, (iv_comment_kind)k, topic, rest);
    return bad(l, "line of the design begins with", keyword,
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

static bool continues(const iv_sample_comment *a, const iv_sample_comment *b)
{
    return a->topic == b->topic && a->kind == b->kind && a->number == b->number
        && a->size == b->size && a->drawn == b->drawn && a->share == b->share;
}

/* Lines that continue each other become one. */
static int join_lines(iv_sample_comments *l, const char *name, iv_err *err)
{
    size_t kept = 0;

    for (size_t i = 0, end; i < l->count; i = end) {
        size_t length = 0, at = 0;
        for (end = i; end < l->count && continues(&l->lines[i], &l->lines[end]); end++)
            length += l->lines[end].documents.len + 1;
        l->lines[kept] = l->lines[i];
        if (end > i + 1) {
            char *text = iv_arena_alloc(&l->joined, length);
            if (text == NULL)
                return iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
            for (size_t k = i; k < end; k++) {
                const iv_str part = l->lines[k].documents;
                memcpy(text + at, part.ptr, part.len);
                text[at + part.len] = ' ';
                at += part.len + 1;
            }
            l->lines[kept].documents = (iv_str){ text, length };
        }
        kept++;
    }
    l->count = kept;
    return IV_OK;
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

int iv_sample_comments_read(iv_sample_comments *out, const iv_judgments *j, const char *name,
                            iv_err *err)
{
    iv_sample_comments l = { .judgments = j, .name = name, .err = err };
    iv_comment c = { 0 };
    uint64_t first;
    int rc = IV_OK;

    if (!announced(&first, j)) {
        if (first != 0)
            return iv_fail_at(err, IV_EPARSE, name, first, "a line of a design, and none says "
                                                           "which "
                              "design it is, expected '#: intervale-sample' as it was written");
        *out = l;
        return IV_OK;
    }
    l.frame = iv_take(&l.joined, iv_judgments_topics(j), sizeof *l.frame);
    l.draws = iv_take(&l.joined, iv_judgments_topics(j), sizeof *l.draws);
    l.topic_line = iv_take(&l.joined, iv_judgments_topics(j), sizeof *l.topic_line);
    if (l.joined.failed)
        rc = iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    while (rc == IV_OK && iv_judgments_next_comment(&c, j)) {
        iv_str rest;
        l.line = c.line;
        if (behind_mark(&rest, &c))
            rc = read_line(&l, rest);
    }
    if (rc == IV_OK && l.count > 0)
        qsort(l.lines, l.count, sizeof *l.lines, by_topic);
    if (rc == IV_OK && l.wrapped)
        rc = join_lines(&l, name, err);
    if (rc == IV_OK)
        *out = l;
    else
        iv_sample_comments_free(&l);
    return rc;
}

/* ------------------------------------------- judgments and the design -- */

/* No line of the design has named the document yet. */
#define NOT_LISTED (IV_FIXED - 1)

static const double slack = 1e-5; /* a program may have kept six digits */

/* One topic being filled. */
typedef struct filling {
    iv_sampling *s;
    size_t topic;
    iv_sampling_topic *part;
    iv_err *err;
    iv_ids open; /* documents that chance has left for later */
    iv_ids chosen; /* documents that somebody chose to judge, seeing judgments */
} filling;

static int no_memory(const filling *f)
{
    return iv_fail_at(f->err, IV_ENOMEM, f->s->name, 0, "out of memory");
}

static bool is_open(const filling *f, iv_str docno)
{
    return iv_ids_find(&f->open, docno) != IV_NO_ID;
}

/* Was the document judged for certain, whatever the design drew? */
static bool is_certain(const filling *f, const iv_judgment *j, double pi)
{
    return j->pi == 1.0 && pi < 1.0 && j->grade >= 0
        && iv_ids_find(&f->chosen, j->docno) == IV_NO_ID;
}

static int complain(const filling *f, uint64_t line, const char *what, iv_str docno,
                    const char *expected)
{
    char quoted[IV_QUOTE_SIZE];

    return iv_fail_at(f->err, IV_EPARSE, f->s->name, line, "document %s %s, expected %s",
                      iv_quote(quoted, docno), what, expected);
}

/* ----------------------------------------------------------- the scheme -- */

/* What the topic's line says of the whole is what its buckets say together. */
static int check_topic(const filling *f, const iv_sample_comments *listing,
                       const iv_sample_comment *lines, size_t buckets)
{
    const uint64_t line = listing->topic_line[f->topic];
    size_t size = 0, drawn = 0;

    for (size_t b = 0; b < buckets; b++) {
        size += lines[b].size;
        drawn += lines[b].drawn;
    }
    if (line != 0 && listing->frame[f->topic] != size)
        return iv_fail_at(f->err, IV_EPARSE, f->s->name, line, "a frame of %zu documents, expected "
                          "%zu, which the buckets of the topic have", listing->frame[f->topic],
                          size);
    if (line != 0 && lines[0].kind == IV_COMMENT_STRATUM && listing->draws[f->topic] != drawn)
        return iv_fail_at(f->err, IV_EPARSE, f->s->name, line, "%zu draws, expected %zu, which the "
                          "strata of the topic have", listing->draws[f->topic], drawn);
    return IV_OK;
}

/* A list of what could be drawn that other topics have and this one lacks was lost: estimates
 * would be made in another way. */
static int check_lists(const filling *f, const iv_sample_comments *listing,
                       const iv_sample_comment *lines, size_t fixed, size_t buckets, size_t count)
{
    static const char *const names[] = { [IV_COMMENT_REST] = "rest", [IV_COMMENT_RANKS] = "ranks" };
    const iv_str id = iv_judgments_topic(f->s->judgments, f->topic);
    char quoted[IV_QUOTE_SIZE];

    for (size_t b = fixed; b < fixed + buckets; b++)
        for (iv_comment_kind kind = IV_COMMENT_REST; kind <= IV_COMMENT_RANKS; kind++) {
            const bool rest = kind == IV_COMMENT_REST;
            bool found = !listing->has[kind]
                || (rest && lines[b].kind == IV_COMMENT_STRATUM && lines[b].drawn == lines[b].size)
                || (rest && lines[b].kind == IV_COMMENT_BUCKET);
            for (size_t i = fixed + buckets; i < count && !found; i++)
                found = lines[i].kind == kind && (!rest || lines[i].number == lines[b].number);
            if (!found)
                return iv_fail_at(f->err, IV_EPARSE, f->s->name, lines[b].line,
                                  "bucket %zu of topic "
                                  "%s has no line '#: %s', expected one, since others have it",
                                  lines[b].number, iv_quote(quoted, id), names[kind]);
        }
    return IV_OK;
}

static int make_scheme(const filling *f, const iv_sample_comments *listing,
                       const iv_sample_comment *lines,
                       size_t buckets)
{
    const bool stevens = lines[0].kind == IV_COMMENT_BUCKET;
    iv_arena *memory = &f->s->memory;
    size_t *sizes = iv_take(memory, buckets, sizeof *sizes);
    size_t *drawn = iv_take(memory, buckets, sizeof *drawn);
    double *shares = iv_take(memory, buckets, sizeof *shares);
    iv_err own = { IV_OK, "" };

    if (memory->failed)
        return no_memory(f);
    for (size_t b = 0; b < buckets; b++) {
        if (lines[b].kind != lines[0].kind || lines[b].number != b + 1)
            return iv_fail_at(f->err, IV_EPARSE, f->s->name, lines[b].line, "bucket %zu of "
                              "the topic, expected bucket %zu", lines[b].number, b + 1);
        sizes[b] = lines[b].size;
        drawn[b] = lines[b].drawn;
        shares[b] = lines[b].share;
    }
    const int rc = stevens ? iv_scheme_stevens(&f->part->scheme, sizes, shares, buckets,
                                               listing->draws[f->topic], &own)
                           : iv_scheme_strata(&f->part->scheme, sizes, drawn, buckets, &own);
    return rc == IV_OK ? IV_OK : rc == IV_ENOMEM ? no_memory(f)
        : iv_fail_at(f->err, IV_EPARSE, f->s->name, lines[0].line, "%s", own.msg);
}

/* -------------------------------------------------------- the documents -- */

bool iv_sampling_put(iv_sampling_list *list, iv_str docno, uint32_t bucket, int32_t grade)
{
    const uint32_t id = iv_ids_add(&list->ids, docno);

    if (id == IV_NO_ID || !IV_ROOM(list->at, list->capacity, (size_t)id + 1))
        return false;
    list->at[id] = (iv_framed_document){ bucket, grade };
    return true;
}

static int put_on(const filling *f, iv_sampling_list *list, iv_str docno, uint32_t bucket)
{
    return iv_sampling_put(list, docno, bucket, 0) ? IV_OK : no_memory(f);
}

/* A document of the sample without a grade; j: in its line, NULL: that of the design has it.  To
 * find a line takes long, so only a complaint does. */
static int take_unjudged(const filling *f, const iv_judgment *j, uint64_t line, iv_str docno,
                         bool fixed)
{
    const bool refused = f->s->unjudged == IV_UNJUDGED_REFUSE;

    if (is_open(f, docno) && !fixed)
        return IV_OK;
    f->s->noted.unjudged++;
    if (!refused && !(f->s->unjudged == IV_UNJUDGED_DROP && fixed))
        return IV_OK;
    return complain(f, j != NULL ? iv_judgments_line(f->s->judgments, j) : line,
                    refused ? "of the sample is not judged"
                            : "is included with certainty and cannot be dropped", docno,
                    refused ? "a grade of 0 or more" IV_HINT("; --unjudged nonrelevant or "
                                                             "--unjudged drop continues without "
                                                             "these judgments")
                            : "a grade" IV_HINT("; --unjudged nonrelevant counts it so"));
}

/*
 * A document of the sample whose line is gone: what a grade of -1 makes of it,
 * without a place among the judgments.
 */
static int take_absent(const filling *f, const iv_sample_comment *line, iv_str docno, size_t *kept)
{
    const bool fixed = line->kind == IV_COMMENT_FIXED;
    const bool drop = f->s->unjudged == IV_UNJUDGED_DROP || (is_open(f, docno) && !fixed);
    iv_sampling_list *list = drop ? &f->part->rest : &f->part->absent;
    IV_TRY(take_unjudged(f, NULL, line->line, docno, fixed));
    if (iv_ids_find(&list->ids, docno) != IV_NO_ID)
        return complain(f, line->line, "is sampled twice", docno, "once");
    *kept += !drop;
    return put_on(f, list, docno, fixed ? IV_FIXED : (uint32_t)(line->number - 1));
}

/* One document that a line of the design names; *kept counts the judged. */
static int take_document(const filling *f, const iv_sample_comment *line, iv_str docno, double pi,
                         size_t *kept)
{
    const iv_judgment *j = iv_judgments_find(f->s->judgments, f->topic, docno);
    const bool fixed = line->kind == IV_COMMENT_FIXED;
    char want[64];

    if (j == NULL)
        return take_absent(f, line, docno, kept);
    iv_sampling_topic *p = f->part;
    const size_t i = (size_t)(j - p->judgments);
    if (p->bucket[i] != NOT_LISTED)
        return complain(f, line->line, "is sampled twice", docno, "once");
    if (is_certain(f, j, pi)) {
        p->bucket[i] = IV_FIXED;
        p->pi[i] = 1.0;
        p->moved[line->number - 1]++;
        f->s->noted.certain++;
        return IV_OK;
    }
    if (fabs(j->pi - pi) > slack * pi) {
        (void)snprintf(want, sizeof want, "%.10g, which the design gives it", pi);
        return complain(f, iv_judgments_line(f->s->judgments, j),
                        "has another probability than it was sampled with", docno, want);
    }
    p->bucket[i] = fixed ? IV_FIXED : (uint32_t)(line->number - 1);
    if (j->grade < 0) {
        p->grade[i] = 0;
        IV_TRY(take_unjudged(f, j, 0, docno, fixed));
        if (f->s->unjudged == IV_UNJUDGED_DROP || (is_open(f, docno) && !fixed))
            return IV_OK;
    }
    p->pi[i] = 1.0; /* in the sample; the probability comes when all are counted */
    ++*kept;
    return IV_OK;
}

static int take_list(const filling *f, const iv_sample_comment *line)
{
    const bool fixed = line->kind == IV_COMMENT_FIXED;
    iv_str list = line->documents, docno;
    size_t listed = 0, kept = 0;
    const double pi = fixed ? 1.0 : f->part->scheme->bucket[line->number - 1].pi;
    const size_t before = fixed ? 0 : f->part->moved[line->number - 1];

    while (iv_next_word(&docno, &list)) {
        IV_TRY(take_document(f, line, docno, pi, &kept));
        listed++;
    }
    if (!fixed && (listed > line->size
                   || (line->kind == IV_COMMENT_STRATUM && listed != line->drawn)))
        return iv_fail_at(f->err, IV_EPARSE, f->s->name, line->line, "%zu documents sampled "
                          "from the bucket, expected %zu", listed,
                          line->kind == IV_COMMENT_STRATUM ? line->drawn : line->size);
    listed -= fixed ? 0 : f->part->moved[line->number - 1] - before;
    if (fixed || kept == listed)
        return IV_OK;
    if (kept == 0)
        return iv_fail_at(f->err, IV_EPARSE, f->s->name, line->line, "none of the %zu "
                          "documents of this bucket is judged; --unjudged drop needs one", listed);
    iv_scheme_thin(f->part->scheme, line->number - 1, kept, listed);
    return IV_OK;
}

/* The documents that are not judged yet, and those that somebody chose. */
static int take_named(filling *f, const iv_sample_comment *line)
{
    const bool open = line->kind == IV_COMMENT_OPEN;
    iv_str list = line->documents, docno;

    while (iv_next_word(&docno, &list)) {
        const iv_judgment *j = iv_judgments_find(f->s->judgments, f->topic, docno);
        if (open && j != NULL && j->grade >= 0)
            return complain(f, line->line, "is open and judged", docno, "one of both");
        if (iv_ids_add(open ? &f->open : &f->chosen, docno) == IV_NO_ID)
            return no_memory(f);
    }
    return IV_OK;
}

/* Is the document named as drawn, or certain? */
static bool is_drawn(const filling *f, iv_str docno)
{
    const iv_judgment *j = iv_judgments_find(f->s->judgments, f->topic, docno);

    return j != NULL ? f->part->bucket[j - f->part->judgments] != NOT_LISTED
        : iv_ids_find(&f->part->absent.ids, docno) != IV_NO_ID;
}

/* The documents that could have been drawn and were not; the bucket's line says how many. */
static int take_rest(const filling *f, const iv_sample_comment *line,
                     const iv_sample_comment *buckets)
{
    iv_str list = line->documents, docno;
    iv_sampling_topic *p = f->part;
    size_t listed = 0;

    if (line->number < 1 || line->number > p->scheme->buckets)
        return iv_fail_at(f->err, IV_EPARSE, f->s->name, line->line, "bucket %zu, expected "
                          "one of the topic's %zu", line->number,
                          p->scheme->buckets);
    const iv_sample_comment *bucket = &buckets[line->number - 1];
    p->frame_known = bucket->kind == IV_COMMENT_STRATUM;
    while (iv_next_word(&docno, &list)) {
        const iv_judgment *j = iv_judgments_find(f->s->judgments, f->topic, docno);
        if (is_drawn(f, docno) || iv_ids_find(&p->rest.ids, docno) != IV_NO_ID)
            return complain(f, line->line, "is named twice", docno, "documents that were not "
                                                                    "sampled, "
                            "each once");
        if (j != NULL && is_certain(f, j, p->scheme->bucket[line->number - 1].pi))
            p->moved[line->number - 1]++;
        else
            IV_TRY(put_on(f, &p->rest, docno, (uint32_t)(line->number - 1)));
        listed++;
    }
    if (bucket->kind == IV_COMMENT_STRATUM && listed != bucket->size - bucket->drawn)
        return iv_fail_at(f->err, IV_EPARSE, f->s->name, line->line, "%zu documents not sampled "
                          "from the bucket, expected %zu", listed, bucket->size - bucket->drawn);
    return IV_OK;
}

/* Is the document in the sample, and with which grade? */
static int32_t grade_of(const filling *f, iv_str docno)
{
    const iv_judgment *j = iv_judgments_find(f->s->judgments, f->topic, docno);
    const iv_sampling_topic *p = f->part;
    const size_t i = j == NULL ? 0 : (size_t)(j - p->judgments);

    if (j != NULL)
        return p->pi[i] > 0.0 ? p->grade[i] : -1;
    return iv_ids_find(&p->absent.ids, docno) != IV_NO_ID ? 0 : -1;
}

/* Could it be drawn, and is it certain for another reason? */
static bool is_moved(const filling *f, iv_str docno)
{
    const iv_judgment *j = iv_judgments_find(f->s->judgments, f->topic, docno);
    const uint32_t bucket = j == NULL ? NOT_LISTED : f->part->bucket[j - f->part->judgments];

    return j != NULL && is_certain(f, j, 0.0) && (bucket == IV_FIXED || bucket == NOT_LISTED);
}

/* Its best rank in the runs, and how many runs have it, which nobody asks for. */
static int take_rank(const filling *f, const iv_sample_comment *line, int64_t *best, iv_str *list,
                     iv_str docno)
{
    iv_str word;
    int64_t runs;

    (void)iv_next_word(&word, list);
    const bool found = iv_scan_int(best, word, 1, UINT32_MAX - 1);
    (void)iv_next_word(&word, list);
    if (!found || !iv_scan_int(&runs, word, 1, UINT32_MAX - 1))
        return complain(f, line->line, "lacks its best rank or number of runs", docno,
                        "two whole numbers after it");
    return IV_OK;
}

/* What was drawn from a bucket stands among its documents. */
static int check_drawn(const filling *f, const iv_sample_comment *line)
{
    const iv_sampling_topic *p = f->part;

    for (size_t i = 0; i < p->count; i++) {
        if (p->bucket[i] == NOT_LISTED || p->bucket[i] == IV_FIXED)
            continue;
        const uint32_t id = iv_ids_find(&p->frame.ids, p->judgments[i].docno);
        if (id == IV_NO_ID || p->frame.at[id].bucket != p->bucket[i])
            return complain(f, line->line, "was sampled from another bucket than it stands in",
                            p->judgments[i].docno, "the line as it was written");
    }
    return IV_OK;
}

/* What could be drawn, bucket after bucket, and where the runs have it. */
static int take_ranks(const filling *f, const iv_sample_comment *line)
{
    iv_sampling_topic *p = f->part;
    const iv_scheme *scheme = p->scheme;
    iv_str list = line->documents, docno, deepest = { "", 0 };
    uint32_t bucket = 0;
    size_t inside = 0;
    int64_t depth = 0, best = 0;

    while (iv_next_word(&docno, &list)) {
        IV_TRY(take_rank(f, line, &best, &list, docno));
        while (bucket < scheme->buckets && inside == scheme->bucket[bucket].size) {
            bucket++;
            inside = 0;
        }
        if (bucket == scheme->buckets || iv_ids_find(&p->frame.ids, docno) != IV_NO_ID)
            return complain(f, line->line, "is one too many", docno,
                            "as many documents as the buckets have, each once");
        if (p->frame_known && !is_drawn(f, docno) && !is_moved(f, docno)
            && iv_sampling_rest(p, docno) != bucket)
            return complain(f, line->line, "was neither sampled from the bucket nor left in "
                                           "it", docno,
                            "the documents of the topic's strata");
        inside++;
        if (best > depth) {
            depth = best;
            deepest = docno;
        }
        if (!is_moved(f, docno) && !iv_sampling_put(&p->frame, docno, bucket, grade_of(f, docno)))
            return no_memory(f);
    }
    f->s->noted.depth = (size_t)depth > f->s->noted.depth ? (size_t)depth : f->s->noted.depth;
    if (bucket + 1 != scheme->buckets || inside != scheme->bucket[bucket].size)
        return iv_fail_at(f->err, IV_EPARSE, f->s->name, line->line, "%zu documents with "
                          "ranks, expected as many as the buckets have", p->frame.ids.count);
    /* What a run has above it is in the frame, too. */
    if ((size_t)depth > p->frame.ids.count + p->count)
        return complain(f, line->line, "has a best rank beyond the frame", deepest,
                        "one of the ranks that the frame has");
    return check_drawn(f, line);
}

/* The frame of lists: what was drawn and what was not. */
static int make_frame(const filling *f)
{
    iv_sampling_topic *p = f->part;
    bool good = true;

    for (size_t i = 0; i < p->count && good; i++)
        if (p->bucket[i] != NOT_LISTED && p->bucket[i] != IV_FIXED)
            good = iv_sampling_put(&p->frame, p->judgments[i].docno, p->bucket[i],
                                   p->pi[i] > 0.0 ? p->grade[i] : -1);
    for (size_t i = 0; i < p->absent.ids.count && good; i++)
        if (p->absent.at[i].bucket != IV_FIXED)
            good = iv_sampling_put(&p->frame, p->absent.ids.names[i], p->absent.at[i].bucket, 0);
    for (size_t i = 0; i < p->rest.ids.count && good; i++)
        if (iv_ids_find(&p->frame.ids, p->rest.ids.names[i]) == IV_NO_ID)
            good = iv_sampling_put(&p->frame, p->rest.ids.names[i], p->rest.at[i].bucket, -1);
    return good ? IV_OK : no_memory(f);
}

/* Every document of a bucket stands in a list: a line that was lost is missed. */
static int check_sizes(const filling *f, const iv_sample_comment *lines, size_t buckets)
{
    size_t *count = iv_take(&f->s->memory, buckets + 1, sizeof *count);

    if (count == NULL)
        return no_memory(f);
    for (size_t i = 0; i < f->part->frame.ids.count; i++)
        count[f->part->frame.at[i].bucket]++;
    for (size_t b = 0; b < buckets; b++)
        if (count[b] + f->part->moved[b] != lines[b].size)
            return iv_fail_at(f->err, IV_EPARSE, f->s->name, lines[b].line, "%zu documents of "
                              "bucket %zu are listed, expected %zu", count[b] + f->part->moved[b],
                              b + 1, lines[b].size);
    return IV_OK;
}

/* In which to judge: all that was drawn, and of what is certain what was not judged before. */
static int check_order(const filling *f, const iv_sample_comment *line,
                       const iv_sample_comment *lines, size_t lists)
{
    iv_str list = line->documents, docno;
    iv_ids order = { 0 };
    int rc = IV_OK;

    for (size_t n = 1; rc == IV_OK && iv_next_word(&docno, &list); n++) {
        if (iv_ids_add(&order, docno) == IV_NO_ID)
            rc = no_memory(f);
        else if (order.count < n)
            rc = complain(f, line->line, "occurs twice in the order", docno, "once");
    }
    size_t known = 0;
    for (size_t i = 0; i < lists && rc == IV_OK; i++) {
        list = lines[i].documents;
        while (rc == IV_OK && iv_next_word(&docno, &list)) {
            const bool there = iv_ids_find(&order, docno) != IV_NO_ID;
            known += there;
            if (!there && lines[i].kind != IV_COMMENT_FIXED)
                rc = complain(f, line->line, "was sampled and is not in the order", docno,
                              "all that were sampled");
        }
    }
    if (rc == IV_OK && known != order.count)
        rc = iv_fail_at(f->err, IV_EPARSE, f->s->name, line->line, "%zu documents in the order, of "
                        "which %zu are in the sample, expected all", order.count, known);
    iv_ids_free(&order);
    return rc;
}

/*
 * Judgments that no line of the design names: welcome if they are certain.  Those chosen in
 * the light of the sample are not: of a relevant one 1/pi would count where it is drawn, and
 * 1 where it is not.
 */
static int take_others(const filling *f)
{
    iv_sampling_topic *p = f->part;

    for (size_t i = 0; i < p->count; i++) {
        const iv_judgment *j = &p->judgments[i];
        if (p->bucket[i] != NOT_LISTED) {
            if (p->bucket[i] != IV_FIXED && p->pi[i] > 0.0)
                p->pi[i] = p->scheme->bucket[p->bucket[i]].pi;
            continue;
        }
        p->bucket[i] = IV_FIXED;
        if (j->pi < 1.0)
            return complain(f, iv_judgments_line(f->s->judgments, j),
                            "was not sampled by the design", j->docno,
                            "a document of the sample, or probability 1 if it was included "
                            "with certainty");
        if (j->grade < 0)
            continue;
        const bool chosen = iv_ids_find(&f->chosen, j->docno) != IV_NO_ID;
        p->pi[i] = chosen ? 0.0 : 1.0;
        f->s->noted.added += !chosen;
        f->s->noted.chosen += chosen;
    }
    return IV_OK;
}

int iv_sampling_written(iv_sampling *s, size_t topic, const iv_sample_comments *listing,
                        const iv_sample_comment *lines, size_t count, iv_err *err)
{
    filling f = { s, topic, &s->topics[topic], err };
    size_t fixed = 0, buckets = 0;
    int rc = IV_OK;

    for (size_t i = 0; i < f.part->count; i++) {
        f.part->bucket[i] = NOT_LISTED;
        f.part->grade[i] = f.part->judgments[i].grade < 0 ? 0 : f.part->judgments[i].grade;
    }
    while (fixed < count && lines[fixed].kind == IV_COMMENT_FIXED)
        fixed++;
    while (fixed + buckets < count && lines[fixed + buckets].kind < IV_COMMENT_REST)
        buckets++;
    f.part->moved = iv_take(&s->memory, buckets + 1, sizeof *f.part->moved);
    rc = f.part->moved == NULL ? no_memory(&f) : IV_OK;
    for (size_t i = 0; i < count && rc == IV_OK; i++)
        if (lines[i].kind == IV_COMMENT_OPEN || lines[i].kind == IV_COMMENT_CHOSEN)
            rc = take_named(&f, &lines[i]);
    if (rc == IV_OK)
        rc = buckets > 0 ? make_scheme(&f, listing, lines + fixed, buckets)
                         : iv_scheme_independent(&f.part->scheme, err);
    if (rc == IV_OK && buckets > 0)
        rc = check_topic(&f, listing, lines + fixed, buckets);
    if (rc == IV_OK)
        rc = check_lists(&f, listing, lines, fixed, buckets, count);
    for (size_t i = 0; i < fixed + buckets && rc == IV_OK; i++)
        rc = take_list(&f, &lines[i]);
    for (size_t i = fixed + buckets; i < count && rc == IV_OK; i++)
        rc = lines[i].kind == IV_COMMENT_RANKS ? take_ranks(&f, &lines[i])
            : lines[i].kind == IV_COMMENT_REST ? take_rest(&f, &lines[i], lines + fixed)
            : lines[i].kind == IV_COMMENT_ORDER ? check_order(&f, &lines[i], lines, fixed + buckets)
            : IV_OK;
    if (rc == IV_OK && listing->wrapped)
        rc = make_frame(&f);
    if (rc == IV_OK && listing->wrapped)
        rc = check_sizes(&f, count > 0 ? lines + fixed : NULL, buckets);
    if (rc == IV_OK)
        rc = take_others(&f);
    iv_ids_free(&f.open);
    iv_ids_free(&f.chosen);
    return rc;
}
