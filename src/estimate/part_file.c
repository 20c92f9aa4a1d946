/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/part_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trec/judgments.h"
#include "measure/measure_private.h"
#include "trec/trec_private.h"

/* ------------------------------------------------------------ checksum -- */

static uint64_t little(const unsigned char *at, size_t bytes)
{
    uint64_t n = 0;

    for (size_t i = bytes; i-- > 0;)
        n = n << 8 | at[i];
    return n;
}

/* Of the format, and not to be changed, like the two behind it. */
static uint64_t add_word(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

/* Words of eight bytes, the last filled up with zeros. */
uint64_t iv_part_checksum(const char *bytes, size_t len)
{
    uint64_t h = (uint64_t)len * UINT64_C(0x9e3779b97f4a7c15);

    for (size_t at = 0; at < len; at += 8) {
        unsigned char word[8] = { 0 };
        memcpy(word, bytes + at, len - at < 8 ? len - at : 8);
        h = add_word(h, little(word, 8));
    }
    return h;
}

/* A sum, so that it is the same in whatever order judgments stand. */
static uint64_t digest_of(const iv_judgment *judged, size_t count)
{
    uint64_t sum = 0, pi;

    for (size_t i = 0; i < count; i++) {
        const uint64_t docno = iv_part_checksum(judged[i].docno.ptr, judged[i].docno.len);
        memcpy(&pi, &judged[i].pi, sizeof pi);
        sum += add_word(add_word(add_word(docno, (uint64_t)(int64_t)judged[i].grade),
                                 (uint64_t)(int64_t)judged[i].stratum), pi);
    }
    return sum;
}

/* ------------------------------------------------------------- writing -- */

static void put(iv_part_writer *p, const void *bytes, size_t len)
{
    char *block = p->failed ? NULL : iv_grow(p->block, &p->room, p->len + len, 1);

    p->failed = block == NULL;
    if (block == NULL)
        return;
    p->block = block;
    if (len > 0)
        memcpy(block + p->len, bytes, len);
    p->len += len;
}

static void put_number(iv_part_writer *p, uint64_t n, size_t bytes)
{
    unsigned char out[8];

    for (size_t i = 0; i < bytes; i++)
        out[i] = (unsigned char)(n >> 8 * i);
    put(p, out, bytes);
}

static void put_real(iv_part_writer *p, double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    put_number(p, bits, 8);
}

static void put_text(iv_part_writer *p, iv_str s)
{
    put_number(p, s.len, 4);
    put(p, s.ptr, s.len);
}

/* Writes the block and empties it. */
static int flush(iv_part_writer *p, uint32_t kind, iv_err *err)
{
    iv_part_writer head = { 0 };
    FILE *out = iv_outfile_stream(p->file);

    put_number(&head, kind, 4);
    put_number(&head, p->len, 8);
    put_number(&head, iv_part_checksum(p->block, p->len), 8);
    const bool memory = !p->failed && !head.failed;
    const bool good = memory && fwrite(head.block, head.len, 1, out) == 1
        && (p->len == 0 || fwrite(p->block, p->len, 1, out) == 1);
    p->found.bytes += head.len + p->len;
    p->len = 0;
    free(head.block);
    return good ? IV_OK : !memory ? iv_no_memory(err)
        : iv_fail_at(err, IV_EIO, p->path, 0, "cannot be written: %s", strerror(errno));
}

int iv_part_begin(iv_part_writer *p, const char *path, iv_err *err)
{
    p->path = path;
    IV_TRY(iv_outfile_open(&p->file, path, err));
    put(p, IV_PART_MAGIC, 8);
    put_number(p, IV_PART_VERSION, 4);
    const bool good = !p->failed && fwrite(p->block, p->len, 1, iv_outfile_stream(p->file)) == 1;
    p->found.bytes = p->len;
    p->len = 0;
    return good ? IV_OK : iv_fail_at(err, IV_EIO, path, 0, "cannot be written: %s", strerror(errno));
}

/* How topics are scored, as one text: parts of one evaluation have the same. */
static void put_options(iv_part_writer *p, const iv_evaluating *o)
{
    char text[256];
    const iv_measure_options *m = &o->measure;

    (void)snprintf(text, sizeof text, "level=%ld depth=%ld judged_only=%d collection=%lld dialect=%s "
                   "trec_eval=%d complete=%d standards=%d", (long)m->level, (long)m->depth,
                   m->judged_only, (long long)m->collection, iv_dialect_names()[m->dialect],
                   m->as_trec_eval, o->complete, o->standards != NULL);
    put_text(p, iv_str_of(text));
    put_number(p, (uint64_t)(int64_t)m->level, 8);
    put_number(p, m->depth, 8);
    put_number(p, (uint64_t)m->collection, 8);
    put_number(p, (uint64_t)m->dialect, 4);
    put_number(p, (m->judged_only ? 1u : 0u) | (o->complete ? 2u : 0u), 4);
}

int iv_part_head(iv_part_writer *p, const iv_evaluation *e, const char *const *tags,
                 const char *const *paths, iv_err *err)
{
    const size_t width = e->task.width, runs = e->view.run_count;

    put_options(p, &e->task.how);
    put_number(p, (uint64_t)iv_judgments_format_of(e->task.judgments), 4);
    put_number(p, width, 4);
    for (size_t i = 0; i < width; i++) {
        const iv_value_info *v = iv_measures_value(e->task.measures, i);
        if (v->measure->kind == IV_TEXT)
            return iv_fail(err, IV_EARG, "measure %s is a text, and scores are numbers", v->name);
        put_text(p, iv_str_of(v->name));
    }
    put_number(p, runs, 4);
    for (size_t r = 0; r < runs; r++) {
        put_text(p, iv_str_of(tags[r]));
        put_text(p, iv_str_of(paths[r] != NULL ? paths[r] : ""));
    }
    p->found.runs = runs;
    p->found.measures = width;
    return flush(p, IV_PART_HEAD, err);
}

/* A run's states, retrieved documents and scores of the topics. */
static void put_run(iv_part_writer *p, const iv_scores *s, size_t topics, size_t width)
{
    size_t row = 0;

    for (size_t t = 0; t < topics; t++) {
        const bool here = row < s->topics && s->topic[row].judged == t;
        put_number(p, !here ? IV_STATE_ABSENT : s->topic[row].in_run == IV_ABSENT ? IV_STATE_EMPTY
                   : IV_STATE_SCORED, 1);
        put_number(p, here ? s->retrieved[row] : 0, 4);
        for (size_t i = 0; here && i < width; i++)
            put_real(p, s->rows[row * width + i]);
        row += here;
    }
}

int iv_part_rows(iv_part_writer *p, const iv_judgments *j, iv_scores *const *scores, size_t runs,
                 size_t width, iv_err *err)
{
    const size_t topics = iv_judgments_topics(j);
    const bool blanks = iv_blanks_count(iv_judgments_format_of(j));

    put_number(p, topics, 4);
    for (size_t t = 0; t < topics; t++) {
        const iv_judgment *judged;
        const size_t count = iv_judgments_of(&judged, j, t);
        uint32_t above = 0, blank = 0;
        for (size_t i = 0; i < count; i++) {
            above += judged[i].grade > 0;
            blank += blanks && judged[i].grade < 0;
        }
        put_text(p, iv_judgments_topic(j, t));
        put_number(p, count, 4);
        put_number(p, above, 4);
        put_number(p, blank, 4);
        put_number(p, digest_of(judged, count), 8);
    }
    for (size_t r = 0; r < runs; r++)
        put_run(p, scores[r], topics, width);
    p->found.topics += topics;
    return flush(p, IV_PART_ROWS, err);
}

int iv_part_end(iv_part_writer *p, const iv_evaluation *e, iv_err *err)
{
    put_number(p, p->found.topics, 8);
    put_number(p, (uint32_t)e->task.largest, 4);
    for (size_t r = 0; r < e->view.run_count; r++) {
        const iv_scores *s = e->scores[r];
        const iv_run_notes *n = &s->noted;
        const uint64_t numbers[] = { s->bytes, n->not_judged, n->float_ties, n->ties,
                                     n->top_retrieved, n->top_unjudged, n->retrieved, n->unjudged,
                                     n->odd.misranked_line, n->odd.many_tags };
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            put_number(p, numbers[i], 8);
    }
    IV_TRY(flush(p, IV_PART_TAIL, err));
    iv_outfile *file = p->file;
    p->file = NULL;
    return iv_outfile_commit(file, err);
}

void iv_part_abandon(iv_part_writer *p)
{
    iv_outfile_abandon(p->file);
    free(p->block);
    p->file = NULL;
    p->block = NULL;
}

/* ------------------------------------------------------------- reading -- */

const char *iv_part_bytes(iv_part_block *b, uint64_t len)
{
    const char *at = b->at;

    b->bad = b->bad || len > (uint64_t)(b->end - b->at);
    if (b->bad)
        return NULL;
    b->at += len;
    return at;
}

static uint64_t take_number(iv_part_block *b, size_t bytes)
{
    const char *at = iv_part_bytes(b, bytes);

    return at == NULL ? 0 : little((const unsigned char *)at, bytes);
}

uint32_t iv_part_u32(iv_part_block *b) { return (uint32_t)take_number(b, 4); }

uint64_t iv_part_u64(iv_part_block *b) { return take_number(b, 8); }

iv_str iv_part_text(iv_part_block *b)
{
    const uint32_t len = iv_part_u32(b);
    const char *at = iv_part_bytes(b, len);

    return at == NULL ? (iv_str){ "", 0 } : (iv_str){ at, len };
}

int iv_part_open(const char *name, const char **at, const char *end, iv_err *err)
{
    iv_part_block all = { 0, *at, end, false };
    const char *magic = iv_part_bytes(&all, 8);
    const uint32_t version = iv_part_u32(&all);

    if (magic == NULL || memcmp(magic, IV_PART_MAGIC, 8) != 0)
        return iv_fail_at(err, IV_EPARSE, name, 0, "no file of scores, expected one that eval wrote");
    if (all.bad || version != IV_PART_VERSION)
        return iv_fail_at(err, IV_EPARSE, name, 0, all.bad ? "the file is truncated"
                          : "scores of version %lu, expected %d", (unsigned long)version,
                          (int)IV_PART_VERSION);
    *at = all.at;
    return IV_OK;
}

int iv_part_next(iv_part_block *out, const char *name, const char **at, const char *end, iv_err *err)
{
    iv_part_block all = { 0, *at, end, false };
    const uint32_t kind = iv_part_u32(&all);
    const uint64_t len = iv_part_u64(&all), sum = iv_part_u64(&all);
    const char *bytes = iv_part_bytes(&all, len);

    if (bytes == NULL)
        return iv_fail_at(err, IV_EPARSE, name, 0, "the file is truncated: it ends before the end of "
                          "its last block");
    if (iv_part_checksum(bytes, (size_t)len) != sum || kind < IV_PART_HEAD || kind > IV_PART_TAIL)
        return iv_fail_at(err, IV_EPARSE, name, 0, "the file is damaged: a block does not have its "
                          "checksum");
    *out = (iv_part_block){ kind, bytes, bytes + len, false };
    *at = all.at;
    return IV_OK;
}
