/* SPDX-License-Identifier: Apache-2.0 */
/* How judgments were sampled, from whatever the file says of it. */
#include "base/ids.h"
#include "base/memory.h"
#include "base/order.h"
#include "sampling/sample_state.h"
#include "sampling/sample_comments.h"
#include "sampling/scheme.h"
#include "trec/judgments.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(const iv_sampling *s, iv_err *err)
{
    return iv_fail_at(err, IV_ENOMEM, s->name, 0, "out of memory");
}

static void list_free(iv_sampling_list *list)
{
    iv_ids_free(&list->ids);
    free(list->at);
}

void iv_sampling_free(iv_sampling *s)
{
    if (s == NULL)
        return;
    for (size_t t = 0; s->topics != NULL && t < iv_judgments_topics(s->judgments); t++) {
        iv_scheme_free(s->topics[t].scheme);
        list_free(&s->topics[t].rest);
        list_free(&s->topics[t].absent);
        list_free(&s->topics[t].frame);
    }
    iv_arena_free(&s->lists);
    iv_arena_free(&s->memory);
    free(s);
}

static int make_room(iv_sampling *s, iv_err *err)
{
    const size_t topics = iv_judgments_topics(s->judgments);

    s->topics = iv_take(&s->memory, topics + 1, sizeof *s->topics);
    for (size_t k = 0; k < topics && s->topics != NULL; k++) {
        iv_sampling_topic *t = &s->topics[k];
        t->count = iv_judgments_of(&t->judgments, s->judgments, k);
        t->pi = iv_take(&s->memory, t->count + 1, sizeof *t->pi);
        t->grade = iv_take(&s->memory, t->count + 1, sizeof *t->grade);
        t->bucket = iv_take(&s->memory, t->count + 1, sizeof *t->bucket);
    }
    return s->memory.failed ? no_memory(s, err) : IV_OK;
}

/* -------------------------------------------- probabilities, and no more -- */

static int take_probabilities(iv_sampling *s, iv_sampling_topic *t, iv_err *err)
{
    const iv_judgment *j = t->judgments;
    char quoted[IV_QUOTE_SIZE];

    for (size_t i = 0; i < t->count; i++) {
        t->bucket[i] = IV_FIXED;
        t->grade[i] = j[i].grade < 0 ? 0 : j[i].grade;
        t->pi[i] = j[i].pi;
        if (j[i].grade >= 0)
            continue;
        if (s->source == IV_SAMPLING_NONE) { /* qrels: listed, not judged */
            t->pi[i] = 0.0;
            continue;
        }
        s->noted.unjudged++;
        if (s->unjudged == IV_UNJUDGED_REFUSE)
            return iv_fail_at(err, IV_EPARSE, s->name,
                              iv_judgments_line(s->judgments, &j[i]), "document %s and "
                              "perhaps more of the sample are not judged, expected grades of 0 or "
                              "more"
                              IV_HINT("; --unjudged nonrelevant or --unjudged drop continues "
                                      "without these judgments"),
                              iv_quote(quoted, j[i].docno));
        if (s->unjudged == IV_UNJUDGED_DROP)
            return iv_fail_at(err, IV_EPARSE, s->name,
                              iv_judgments_line(s->judgments, &j[i]), "document %s cannot "
                              "be dropped from a sample whose buckets are not known, "
                              "expected a grade",
                              iv_quote(quoted, j[i].docno));
    }
    return iv_scheme_independent(&t->scheme, err);
}

/* --------------------------------------------------------------- strata -- */

/* The strata's numbers, each once, in order; returns how many. */
static size_t list_strata(int32_t *out, const iv_judgment *j, size_t count)
{
    size_t n = 0;

    for (size_t i = 0; i < count; i++)
        out[i] = j[i].stratum;
    qsort(out, count, sizeof *out, iv_ascending_grades);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || out[i] != out[n - 1])
            out[n++] = out[i];
    return n;
}

static size_t stratum_place(const int32_t *numbers, size_t count, int32_t number)
{
    const int32_t *at = bsearch(&number, numbers, count, sizeof *numbers, iv_ascending_grades);

    return (size_t)(at - numbers);
}

/* Counts sizes and judged documents, and leaves out strata without any; place has room
 * for 3 x strata, of which the first third is the result. */
static int count_strata(iv_sampling *s, iv_sampling_topic *t, const int32_t *numbers,
                        size_t strata, size_t *place, iv_err *err)
{
    size_t *size = place + strata, *drawn = size + strata, kept = 0;

    memset(size, 0, 2 * strata * sizeof *size);
    for (size_t i = 0; i < t->count; i++) {
        const size_t h = stratum_place(numbers, strata, t->judgments[i].stratum);
        size[h]++;
        drawn[h] += t->judgments[i].grade >= 0;
    }
    for (size_t h = 0; h < strata; h++) {
        place[h] = drawn[h] > 0 ? kept : SIZE_MAX;
        s->noted.empty_strata += drawn[h] == 0;
        if (drawn[h] > 0) {
            size[kept] = size[h];
            drawn[kept++] = drawn[h];
        }
    }
    return kept > 0 ? iv_scheme_strata(&t->scheme, size, drawn, kept, err)
                    : iv_scheme_independent(&t->scheme, err);
}

static int take_strata(iv_sampling *s, iv_sampling_topic *t, iv_err *err)
{
    const iv_judgment *j = t->judgments;
    iv_arena scratch = { 0 };
    int32_t *numbers = iv_take(&scratch, t->count, sizeof *numbers);
    size_t *place = iv_take(&scratch, 3 * t->count, sizeof *place);

    if (scratch.failed) {
        iv_arena_free(&scratch);
        return no_memory(s, err);
    }
    const size_t strata = list_strata(numbers, j, t->count);
    int rc = count_strata(s, t, numbers, strata, place, err);
    for (size_t i = 0; i < t->count && rc == IV_OK; i++) {
        const size_t b = place[stratum_place(numbers, strata, j[i].stratum)];
        const bool drawn = b != SIZE_MAX && j[i].grade >= 0;
        t->bucket[i] = b == SIZE_MAX ? IV_FIXED : (uint32_t)b;
        t->grade[i] = j[i].grade < 0 ? 0 : j[i].grade;
        t->pi[i] = drawn ? t->scheme->bucket[b].pi : 0.0;
        if (b != SIZE_MAX && !iv_sampling_put(&t->frame, j[i].docno, t->bucket[i],
                                              drawn ? t->grade[i] : -1))
            rc = no_memory(s, err);
    }
    t->frame_known = true;
    iv_arena_free(&scratch);
    return rc;
}

/* ----------------------------------------------------------- the whole -- */

static int take_written(iv_sampling *s, const iv_sample_comments *l, iv_err *err)
{
    int rc = IV_OK;
    size_t at = 0;

    s->noted.missing_topics = l->missing_topics;
    s->noted.depth = l->depth;
    memcpy(s->noted.design, l->design, sizeof l->design);
    for (size_t t = 0; t < iv_judgments_topics(s->judgments) && rc == IV_OK; t++) {
        const size_t from = at;
        while (at < l->count && l->lines[at].topic == t)
            at++;
        /* There may be no lists at all, and then no array to point into. */
        rc = iv_sampling_written(s, t, l, at > from ? l->lines + from : NULL, at - from, err);
    }
    return rc;
}

static int take_all(iv_sampling *s, const iv_sample_comments *l, iv_err *err)
{
    int rc = IV_OK;

    if (s->source == IV_SAMPLING_WRITTEN)
        return take_written(s, l, err);
    for (size_t t = 0; t < iv_judgments_topics(s->judgments) && rc == IV_OK; t++)
        rc = s->source == IV_SAMPLING_STRATA ? take_strata(s, &s->topics[t], err)
                                             : take_probabilities(s, &s->topics[t], err);
    return rc;
}

static void count_drawn(iv_sampling *s)
{
    for (size_t t = 0; t < iv_judgments_topics(s->judgments); t++) {
        iv_sampling_topic *p = &s->topics[t];
        for (size_t i = 0; i < p->count; i++)
            p->drawn += p->pi[i] > 0.0 && p->pi[i] < 1.0;
        for (size_t i = 0; i < p->absent.ids.count; i++) {
            const uint32_t b = p->absent.at[i].bucket;
            p->drawn += b != IV_FIXED && p->scheme->bucket[b].pi < 1.0;
        }
        p->certain = p->drawn == 0;
    }
}

int iv_sampling_new(iv_sampling **out, const iv_judgments *j, const char *name,
                    iv_unjudged unjudged, iv_err *err)
{
    const iv_judgments_format format = iv_judgments_format_of(j);
    iv_sample_comments listing = { .found = false };
    iv_sampling *s = calloc(1, sizeof *s);

    if (s == NULL)
        return iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    s->judgments = j;
    s->name = name;
    s->unjudged = unjudged;
    int rc = make_room(s, err);
    if (rc == IV_OK && format == IV_JUDGMENTS_PRELS)
        rc = iv_sample_comments_read(&listing, j, name, err);
    s->source = listing.found ? IV_SAMPLING_WRITTEN
        : format == IV_JUDGMENTS_PRELS ? IV_SAMPLING_INCLUSION
        : format == IV_JUDGMENTS_STRATIFIED ? IV_SAMPLING_STRATA : IV_SAMPLING_NONE;
    if (rc == IV_OK)
        rc = take_all(s, &listing, err);
    s->lists = listing.joined; /* docnos point there */
    listing.joined = (iv_arena){ 0 };
    iv_sample_comments_free(&listing);
    if (rc != IV_OK) {
        iv_sampling_free(s);
        return rc;
    }
    count_drawn(s);
    s->name = NULL; /* it was for messages */
    *out = s;
    return IV_OK;
}

/* --------------------------------------------------------------- asking -- */

bool iv_sampling_covers(const iv_sampling_topic *t, const iv_hit *hit)
{
    const iv_judgment *j = hit->judgment;

    return (j != NULL && t->pi[j - t->judgments] > 0.0)
        || iv_ids_find(&t->frame.ids, hit->docno) != IV_NO_ID
        || iv_ids_find(&t->absent.ids, hit->docno) != IV_NO_ID;
}

/*
 * A sample as a file to fill in: a short header, the judgments, then the design in lines of at
 * most 100 characters that begin with "#:".  sampling_design.c reads them back, doc/formats.md
 * describes them.  Each says all it needs by itself, so the file may be sorted or cut by topic.
 */

enum { LONGEST = 100 };

/* A list of documents that goes on in further lines, each with the same beginning. */
typedef struct list {
    FILE *out;
    char head[256];
    iv_str topic;
    char tail[64];
    size_t used; /* characters of the line; 0: none yet */
} list;

static void put_str(FILE *out, iv_str s)
{
    (void)fwrite(s.ptr, 1, s.len, out);
}

static void begin_line(list *l)
{
    (void)fprintf(l->out, "%s#: %s ", l->used > 0 ? "\n" : "", l->head);
    put_str(l->out, l->topic);
    (void)fputs(l->tail, l->out);
    l->used = 4 + strlen(l->head) + l->topic.len + strlen(l->tail);
}

static void put_document(list *l, iv_str docno)
{
    if (l->used + 1 + docno.len > LONGEST)
        begin_line(l);
    (void)fputc(' ', l->out);
    put_str(l->out, docno);
    l->used += 1 + docno.len;
}

static void put_bucket(list *l, const iv_judgment *docs, size_t count, int32_t bucket)
{
    begin_line(l);
    for (size_t i = 0; i < count; i++)
        if (docs[i].stratum == bucket)
            put_document(l, docs[i].docno);
    (void)fputc('\n', l->out);
}

static size_t drawn_of(const iv_sample_topic *t, size_t bucket)
{
    size_t count = 0;

    for (size_t i = 0; i < t->count; i++)
        count += t->documents[i].stratum == (int32_t)bucket;
    return count;
}

static void write_buckets(FILE *out, const iv_sample *s, const iv_sample_topic *t)
{
    const bool stevens = s->design == IV_DESIGN_STEVENS;
    char share[IV_REAL_SIZE];

    for (size_t b = 0; t->scheme != NULL && b < t->scheme->buckets; b++) {
        const iv_bucket *bucket = &t->scheme->bucket[b];
        list drawn = { .out = out, .head = "bucket", .topic = t->topic };
        list rest = { .out = out, .head = "rest", .topic = t->topic };
        if (stevens) {
            (void)iv_format_real(share, bucket->share);
            (void)snprintf(drawn.tail, sizeof drawn.tail, " %zu %zu %s", b + 1, bucket->size,
                           share);
        } else {
            (void)strcpy(drawn.head, "stratum");
            (void)snprintf(drawn.tail, sizeof drawn.tail, " %zu %zu %zu", b + 1, bucket->size,
                           bucket->drawn);
        }
        (void)snprintf(rest.tail, sizeof rest.tail, " %zu", b + 1);
        put_bucket(&drawn, t->documents, t->count, (int32_t)b);
        if (drawn_of(t, b) < bucket->size)
            put_bucket(&rest, t->rest, t->rest_count, (int32_t)b);
    }
}

/* Judged in this order, the documents judged so far are a sample by themselves. */
static void write_order(FILE *out, const iv_sample_topic *t)
{
    list order = { .out = out, .head = "order", .topic = t->topic };

    begin_line(&order);
    for (size_t i = 0; i < t->order_count; i++)
        put_document(&order, t->documents[t->order[i]].docno);
    (void)fputc('\n', out);
}

static void write_design(FILE *out, const iv_sample *s, const iv_sample_topic *t)
{
    list fixed = { .out = out, .head = "fixed", .topic = t->topic };

    (void)fputs("#: topic ", out);
    put_str(out, t->topic);
    (void)fprintf(out, " %zu %zu\n", t->frame,
                  t->scheme != NULL ? t->scheme->draws : 0);
    if (t->fixed > 0)
        put_bucket(&fixed, t->documents, t->count, -1);
    write_buckets(out, s, t);
    if (t->order_count > 0)
        write_order(out, t);
}

static void write_judgments(FILE *out, const iv_sample_topic *t)
{
    char pi[IV_REAL_SIZE];

    for (size_t i = 0; i < t->count; i++) {
        const iv_judgment *d = &t->documents[i];
        /* "1.0", for "1" could be a grade of the stratified format. */
        if (d->pi == 1.0)
            (void)strcpy(pi, "1.0");
        else
            (void)iv_format_real(pi, d->pi);
        put_str(out, t->topic);
        (void)fputc(' ', out);
        put_str(out, d->docno);
        (void)fprintf(out, " %d %d %s\n", (int)d->grade, d->stratum >= 0, pi);
    }
}

/* Words as comment lines. */
static void put_words(FILE *out, const char *text)
{
    size_t used = 0;

    while (*text != '\0') {
        const size_t n = strcspn(text, " \n\r");
        if (used == 0 || used + 1 + n > LONGEST) {
            (void)fputs(used > 0 ? "\n#" : "#", out);
            used = 1;
        }
        (void)fprintf(out, " %.*s", (int)n, text);
        used += 1 + n;
        text += n + strspn(text + n, " \n\r");
    }
    (void)fputc('\n', out);
}

int iv_sample_write(FILE *out, const iv_sample *s, const char *const *words,
                    size_t word_count, iv_err *err)
{
    (void)fprintf(out,
        "# Judgments to fill in: replace every -1 by a grade, 0 for not relevant.\n"
        "# Columns: topic docno grade method pi; method 1: sampled with probability pi,\n"
        "# method 0: included with certainty. Leave the lines that begin with '#:' as they\n"
        "# are: they are the design.\n");
    for (size_t i = 0; i < word_count; i++) {
        put_words(out, words[i]);
    }
    (void)fprintf(out, "#: intervale-sample 2 %s %zu\n", iv_design_names()[s->design], s->depth);
    for (size_t t = 0; t < s->topic_count; t++)
        write_judgments(out, &s->topics[t]);
    for (size_t t = 0; t < s->topic_count; t++)
        write_design(out, s, &s->topics[t]);
    if (ferror(out))
        return iv_fail(err, IV_EIO, "cannot write the sample: %s", strerror(errno));
    return IV_OK;
}
