/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sample as a file to fill in.  Lines that begin with "#:" hold the design;
 * sampling_comments.c reads them back, doc/formats.md describes them.  Each
 * says all it needs by itself, so that the file may be sorted or cut by topic.
 */
#include <errno.h>
#include <string.h>

#include "design/sampling_state.h"

static void put_str(FILE *out, iv_str s)
{
    (void)fwrite(s.ptr, 1, s.len, out);
}

/* Behind the keyword: the topic, and for a bucket its number. */
static void begin_line(FILE *out, const char *keyword, iv_str topic)
{
    (void)fprintf(out, "#: %s ", keyword);
    put_str(out, topic);
}

/* The documents of a bucket (from `from` on, in one topic's array) follow. */
static void put_documents(FILE *out, const iv_sample_document *docs, size_t count,
                          uint32_t bucket)
{
    for (size_t i = 0; i < count; i++)
        if (docs[i].bucket == bucket) {
            (void)fputc(' ', out);
            put_str(out, docs[i].docno);
        }
    (void)fputc('\n', out);
}

static void write_buckets(FILE *out, const iv_sample *s, const iv_sample_topic *t)
{
    const bool stevens = s->design == IV_DESIGN_STEVENS;
    char share[IV_REAL_SIZE];

    for (size_t b = 0; t->scheme != NULL && b < iv_scheme_buckets(t->scheme); b++) {
        const iv_bucket *bucket = iv_scheme_bucket(t->scheme, b);
        begin_line(out, stevens ? "bucket" : "stratum", t->topic);
        if (stevens) {
            (void)iv_format_real(share, bucket->share);
            (void)fprintf(out, " %zu %zu %s", b + 1, bucket->size, share);
        } else {
            (void)fprintf(out, " %zu %zu %zu", b + 1, bucket->size, bucket->drawn);
        }
        put_documents(out, t->documents, t->count, (uint32_t)b);
        if (!stevens) { /* infAP and its kin ask which documents could be drawn */
            begin_line(out, "rest", t->topic);
            (void)fprintf(out, " %zu", b + 1);
            put_documents(out, t->rest, t->rest_count, (uint32_t)b);
        }
    }
}

/* Where the runs have what could be drawn, bucket after bucket: what is likely
 * of a document that was not drawn is learnt from it. */
static void write_ranks(FILE *out, const iv_drawn_topic *t)
{
    begin_line(out, "ranks", t->id);
    for (size_t i = 0; i < t->open_count; i++) {
        (void)fputc(' ', out);
        put_str(out, t->open[i].docno);
        (void)fprintf(out, " %u %u", (unsigned)t->open[i].best, (unsigned)t->open[i].runs);
    }
    (void)fputc('\n', out);
}

/* Judged in this order, the documents judged so far are a sample by themselves. */
static void write_order(FILE *out, const iv_drawn_topic *t)
{
    begin_line(out, "order", t->id);
    for (size_t i = 0; i < t->order_count; i++) {
        (void)fputc(' ', out);
        put_str(out, t->all[t->order[i]].docno);
    }
    (void)fputc('\n', out);
}

static void write_topic(FILE *out, const iv_sample *s, const iv_sample_topic *t,
                        const iv_drawn_topic *from)
{
    char pi[IV_REAL_SIZE];
    const size_t draws = t->scheme != NULL ? iv_scheme_draws(t->scheme) : 0;

    begin_line(out, "topic", t->topic);
    (void)fprintf(out, " %zu %zu\n", t->frame, draws);
    if (t->fixed > 0) {
        begin_line(out, "fixed", t->topic);
        put_documents(out, t->documents, t->count, IV_FIXED);
    }
    write_buckets(out, s, t);
    if (draws > 0)
        write_ranks(out, from);
    if (from->order_count > 0)
        write_order(out, from);
    for (size_t i = 0; i < t->count; i++) {
        const iv_sample_document *d = &t->documents[i];
        /* "1.0", for "1" could be a grade of the stratified format. */
        if (d->pi == 1.0)
            (void)strcpy(pi, "1.0");
        else
            (void)iv_format_real(pi, d->pi);
        put_str(out, t->topic);
        (void)fputc(' ', out);
        put_str(out, d->docno);
        (void)fprintf(out, " %d %d %s\n", (int)d->grade, d->bucket != IV_FIXED, pi);
    }
}

int iv_sample_write(FILE *out, const iv_sample *s, const char *const *words,
                    size_t word_count, iv_err *err)
{
    (void)fprintf(out,
        "# Judgments to fill in: replace every -1 by a grade, 0 for not relevant.\n"
        "# Columns: topic docno grade method pi; method 1 was drawn with probability pi,\n"
        "# method 0 is judged for certain. Leave the lines that begin with # as they are.\n");
    for (size_t i = 0; i < word_count; i++) {
        (void)fputs("# ", out);
        for (const char *p = words[i]; *p != '\0'; p++)
            (void)fputc(*p == '\n' || *p == '\r' ? ' ' : *p, out);
        (void)fputc('\n', out);
    }
    (void)fprintf(out, "#: intervale-sample 1 %s\n", iv_design_names()[s->design]);
    for (size_t t = 0; t < s->topic_count; t++) {
        const iv_sample_topic topic = iv_sample_topic_at(s, t);
        write_topic(out, s, &topic, &s->topics[t]);
    }
    if (ferror(out))
        return iv_fail(err, IV_EIO, "cannot write the sample: %s", strerror(errno));
    return IV_OK;
}
