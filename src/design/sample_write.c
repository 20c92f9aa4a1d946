/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sample as a file to fill in: a short header, the judgments, then the design in lines of at
 * most 100 characters that begin with "#:".  sampling_design.c reads them back, doc/formats.md
 * describes them.  Each says all it needs by itself, so the file may be sorted or cut by topic.
 */
#include <errno.h>
#include <string.h>

#include "design/sampling_state.h"

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
static void write_order(FILE *out, const iv_drawn_topic *t)
{
    list order = { .out = out, .head = "order", .topic = t->id };

    begin_line(&order);
    for (size_t i = 0; i < t->order_count; i++)
        put_document(&order, t->all[t->order[i]].docno);
    (void)fputc('\n', out);
}

static void write_design(FILE *out, const iv_sample *s, const iv_sample_topic *t,
                         const iv_drawn_topic *from)
{
    list fixed = { .out = out, .head = "fixed", .topic = t->topic };

    (void)fputs("#: topic ", out);
    put_str(out, t->topic);
    (void)fprintf(out, " %zu %zu\n", t->frame,
                  t->scheme != NULL ? t->scheme->draws : 0);
    if (t->fixed > 0)
        put_bucket(&fixed, t->documents, t->count, -1);
    write_buckets(out, s, t);
    if (from->order_count > 0)
        write_order(out, from);
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
        "# method 0: included with certainty. The lines at the end that begin with #: are\n"
        "# the design; leave them.\n");
    for (size_t i = 0; i < word_count; i++) {
        put_words(out, words[i]);
    }
    (void)fprintf(out, "#: intervale-sample 2 %s %zu\n", iv_design_names()[s->design], s->depth);
    for (size_t t = 0; t < s->topic_count; t++) {
        const iv_sample_topic topic = iv_sample_topic_at(s, t);
        write_judgments(out, &topic);
    }
    for (size_t t = 0; t < s->topic_count; t++) {
        const iv_sample_topic topic = iv_sample_topic_at(s, t);
        write_design(out, s, &topic, &s->topics[t]);
    }
    if (ferror(out))
        return iv_fail(err, IV_EIO, "cannot write the sample: %s", strerror(errno));
    return IV_OK;
}
