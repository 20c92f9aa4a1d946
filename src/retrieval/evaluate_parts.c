/* SPDX-License-Identifier: Apache-2.0 */
/* An evaluation from parts. */
#include "base/bytes.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/packing.h"
#include "base/parallel.h"
#include "measure/measures.h"
#include "retrieval/evaluation_state.h"
#include "stat/interval_methods.h"
#include "trec/judgments_records.h"
#include "trec/run_source.h"
#include "trec/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct row_state {
    uint8_t state;
    uint32_t retrieved;
} row_state;

typedef struct merged_run {
    const char *name, *tag, *path;
    uint64_t bytes;
    iv_run_notes noted;
    double *rows; /* as they came, of the measures that were chosen */
    row_state *states;
    size_t row_count, row_room, state_room;
    uint32_t *place; /* by topic: its row; IV_ABSENT: none */
    size_t place_count, place_room;
    size_t here;   /* topics scored in the part at hand */
    size_t topics; /* of its file, judged or not, in the last part; ... */
    bool split;    /* ... which parts do not agree on: each has a file of its own */
} merged_run;

/* What says whether two parts mean the same judgments of a topic. */
typedef struct judged_topic {
    uint32_t judged, above, blank; /* documents; of grades above 0; below, for not judged */
    uint64_t digest;               /* of all of them */
    size_t part;                   /* the last one that has it, from 1 */
} judged_topic;

typedef struct merging {
    iv_arena own;
    iv_str options;      /* how topics were scored */
    iv_measure_options measure;
    bool complete;
    iv_judgments_format format;
    const char **names;  /* of the measures in parts */
    size_t stored;
    size_t *chosen;      /* of these, the ones to take */
    size_t width;
    merged_run *runs;
    size_t run_count, run_room;
    size_t *here;        /* the runs of the part at hand */
    size_t here_count;
    iv_ids topics;
    iv_arena bytes;      /* of their names */
    judged_topic *judged;
    size_t judged_room;
    uint64_t part_topics, repeated;
    int32_t largest;
    size_t tails;        /* parts that were read to their ends */
    bool uneven;         /* they have different largest grades */
} merging;

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
    p->failed = p->failed || !IV_ROOM(p->block, p->room, p->len + len);
    if (p->failed)
        return;
    if (len > 0)
        memcpy(p->block + p->len, bytes, len);
    p->len += len;
}

static void store(unsigned char *out, uint64_t n, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        out[i] = (unsigned char)(n >> 8 * i);
}

static void put_number(iv_part_writer *p, uint64_t n, size_t bytes)
{
    unsigned char out[8];

    store(out, n, bytes);
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
    unsigned char head[20];
    FILE *out = iv_outfile_stream(p->file);

    store(head, kind, 4);
    store(head + 4, p->len, 8);
    store(head + 12, iv_part_checksum(p->block, p->len), 8);
    const bool good = !p->failed && fwrite(head, sizeof head, 1, out) == 1
        && (p->len == 0 || fwrite(p->block, p->len, 1, out) == 1);
    p->found.bytes += sizeof head + p->len;
    p->len = 0;
    return good ? IV_OK : p->failed ? iv_no_memory(err)
        : iv_fail_at(err, IV_EIO, p->path, 0, "cannot be written: %s", strerror(errno));
}

int iv_part_begin(iv_part_writer *p, iv_err *err)
{
    *p = (iv_part_writer){ .path = p->path };
    IV_TRY(iv_outfile_open(&p->file, p->path, err));
    put(p, IV_PART_MAGIC, 8);
    put_number(p, IV_PART_VERSION, 4);
    const bool good = !p->failed && fwrite(p->block, p->len, 1, iv_outfile_stream(p->file)) == 1;
    p->found.bytes = p->len;
    p->len = 0;
    return good ? IV_OK : iv_fail_at(err, IV_EIO, p->path, 0, "cannot be written: %s",
                                     strerror(errno));
}

/* How topics are scored, as one text: parts of one evaluation have the same. */
static void put_options(iv_part_writer *p, const iv_evaluating *o)
{
    char text[256];
    const iv_measure_options *m = &o->measure;

    (void)snprintf(text, sizeof text, "level=%ld depth=%ld judged_only=%d collection=%lld "
                   "dialect=%s "
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

int iv_part_head(iv_part_writer *p, const iv_evaluation *e, iv_err *err)
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
        put_text(p, iv_str_of(e->scores[r]->tag));
        put_text(p, iv_str_of(e->source->ranked == NULL ? e->source->runs.at[r] : ""));
    }
    p->found.runs = runs;
    p->found.measures = width;
    return flush(p, IV_PART_HEAD, err);
}

/* A run's states, retrieved documents and scores of the topics. */
static void put_run(iv_part_writer *p, const iv_run_scores *s, size_t topics, size_t width)
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

int iv_part_rows(iv_part_writer *p, const iv_judgments *j, iv_run_scores *const *scores,
                 size_t runs, size_t width, iv_err *err)
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
        const iv_run_scores *s = e->scores[r];
        const iv_run_notes *n = &s->noted;
        const uint64_t numbers[] = { s->bytes, n->not_judged, n->float_ties, n->ties,
                                     n->top_retrieved, n->top_unjudged, n->retrieved, n->unjudged,
                                     n->odd.misranked_line,
                                     (uint64_t)n->odd.many_tags | (uint64_t)n->odd.reversed << 1 };
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

static const char *part_bytes(iv_part_block *b, uint64_t len)
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
    const char *at = part_bytes(b, bytes);

    return at == NULL ? 0 : little((const unsigned char *)at, bytes);
}

static uint32_t part_u32(iv_part_block *b) { return (uint32_t)take_number(b, 4); }

uint64_t iv_part_u64(iv_part_block *b) { return take_number(b, 8); }

static iv_str part_text(iv_part_block *b)
{
    const uint32_t len = part_u32(b);
    const char *at = part_bytes(b, len);

    return at == NULL ? (iv_str){ "", 0 } : (iv_str){ at, len };
}

static int part_open(const char *name, const char **at, const char *end, iv_err *err)
{
    iv_part_block all = { 0, *at, end, false };
    const char *magic = part_bytes(&all, 8);
    const uint32_t version = part_u32(&all);

    if (magic == NULL || memcmp(magic, IV_PART_MAGIC, 8) != 0)
        return iv_fail_at(err, IV_EPARSE, name, 0, "no file of scores, expected one that eval "
                          "wrote");
    if (all.bad || version != IV_PART_VERSION)
        return iv_fail_at(err, IV_EPARSE, name, 0, all.bad ? "the file is truncated"
                          : "scores of version %lu, expected %d", (unsigned long)version,
                          (int)IV_PART_VERSION);
    *at = all.at;
    return IV_OK;
}

static int part_next(iv_part_block *out, const char *name, const char **at, const char *end,
                     iv_err *err)
{
    iv_part_block all = { 0, *at, end, false };
    const uint32_t kind = part_u32(&all);
    const uint64_t len = iv_part_u64(&all), sum = iv_part_u64(&all);
    const char *bytes = part_bytes(&all, len);

    if (bytes == NULL)
        return iv_fail_at(err, IV_EPARSE, name, 0, "the file is truncated: it ends before the end "
                          "of its last block");
    if (iv_part_checksum(bytes, (size_t)len) != sum || kind < IV_PART_HEAD || kind > IV_PART_TAIL)
        return iv_fail_at(err, IV_EPARSE, name, 0, "the file is damaged: a block does not have its "
                          "checksum");
    *out = (iv_part_block){ kind, bytes, bytes + len, false };
    *at = all.at;
    return IV_OK;
}

/* A block has its checksum and yet cannot be what was written: `what` says why. */
static int damaged(const char *what, iv_err *err)
{
    return iv_fail(err, IV_EPARSE, "the file is damaged: %s", what);
}

static const char short_block[] = "a block ends before its stated length";

/* A name that a C string can be. */
static bool is_name(iv_str s) { return s.len > 0 && memchr(s.ptr, '\0', s.len) == NULL; }

/* --------------------------------------------------------------- heads -- */

/* The measures to take of a part's, by their places there. */
static int choose_measures(merging *m, const iv_texts *asked, iv_err *err)
{
    iv_listing there = { .most = 8 };

    for (size_t k = 0; k < m->stored; k++)
        iv_list_quoted(&there, iv_str_of(m->names[k]));
    m->width = asked->count > 0 ? asked->count : m->stored;
    m->chosen = iv_take(&m->own, m->width, sizeof *m->chosen);
    IV_TRY(iv_taken(&m->own, err));
    for (size_t i = 0; i < m->width; i++) {
        size_t at = asked->count > 0 ? m->stored : i;
        for (size_t k = 0; at == m->stored && k < m->stored; k++)
            if (strcmp(m->names[k], asked->at[i]) == 0)
                at = k;
        if (at == m->stored)
            return iv_fail(err, IV_EARG, "the scores have no measure '%.80s', but %s",
                           asked->at[i], iv_listed(&there));
        m->chosen[i] = at;
    }
    return IV_OK;
}

/* How topics were scored, as far as it is numbers. */
static int take_options(merging *m, iv_part_block *b, iv_err *err)
{
    iv_measure_options *o = &m->measure;
    const iv_str text = part_text(b);
    const int64_t level = (int64_t)iv_part_u64(b);

    m->options = (iv_str){ iv_arena_copy(&m->own, text), text.len };
    o->level = (int32_t)level;
    o->depth = (size_t)iv_part_u64(b);
    o->collection = (int64_t)iv_part_u64(b);
    const uint32_t dialect = part_u32(b), flags = part_u32(b), format = part_u32(b);
    o->dialect = (iv_dialect)dialect;
    o->judged_only = flags & 1;
    m->complete = flags & 2;
    m->format = (iv_judgments_format)format;
    IV_TRY(iv_taken(&m->own, err));
    return !b->bad && is_name(text) && level == o->level && o->collection >= 0
            && dialect <= IV_TREC_EVAL_10 && flags <= 3 && format <= IV_JUDGMENTS_QRELS_PREFS
        ? IV_OK : damaged("nothing is scored with such options", err);
}

/* Every measure of a part is one number of a topic, and known by that name here. */
static int known_measures(const merging *m, iv_err *err)
{
    iv_measures *parsed = NULL;
    const int rc = iv_measures_parse(&parsed, m->names, m->stored, &m->measure, err);

    if (rc != IV_OK && rc != IV_EARG)
        return rc;
    bool known = rc == IV_OK && iv_measures_count(parsed) == m->stored;
    for (size_t i = 0; known && i < m->stored; i++)
        known = iv_measures_value(parsed, i)->measure->kind != IV_TEXT;
    iv_measures_free(parsed);
    return known ? IV_OK : iv_fail(err, IV_EPARSE,
                                   "the scores are of measures that are not known here");
}

/* Of the first part: measures and how they were computed. */
static int begin_measures(merging *m, iv_part_block *b, const iv_texts *asked, iv_err *err)
{
    IV_TRY(take_options(m, b, err));
    m->stored = part_u32(b);
    if (b->bad || m->stored == 0 || m->stored > (size_t)(b->end - b->at))
        return damaged(short_block, err);
    m->names = iv_take(&m->own, m->stored, sizeof *m->names);
    IV_TRY(iv_taken(&m->own, err));
    for (size_t i = 0; i < m->stored; i++) {
        const iv_str name = part_text(b);
        if (!is_name(name))
            return damaged(b->bad ? short_block : "a measure has no name", err);
        m->names[i] = iv_arena_copy(&m->own, name);
    }
    IV_TRY(iv_taken(&m->own, err));
    IV_TRY(known_measures(m, err));
    return choose_measures(m, asked, err);
}

/* Of later parts: the same. */
static int check_measures(const merging *m, iv_part_block *b, iv_err *err)
{
    char ours[IV_QUOTE_SIZE], theirs[IV_QUOTE_SIZE];
    const iv_str options = part_text(b);

    (void)part_bytes(b, 3 * 8 + 2 * 4);
    if (!b->bad && !iv_str_eq(options, m->options))
        return iv_fail(err, IV_EPARSE, "scored with %s, expected %s as the first part",
                       iv_quote(ours, options), iv_quote(theirs, m->options));
    const uint32_t format = part_u32(b), stored = part_u32(b);
    bool same = format == (uint32_t)m->format && stored == m->stored;
    for (size_t i = 0; same && i < m->stored; i++)
        same = iv_str_eq(part_text(b), iv_str_of(m->names[i]));
    return b->bad || !same ? iv_fail(err, IV_EPARSE, "other measures or another kind of judgments, "
                                     "expected those of the first part") : IV_OK;
}

/* The run of that name, a new one if need be; IV_NONE: memory is out.  Parts list runs in one
 * order as a rule, so it is looked for from `next` on. */
static size_t find_run(merging *m, size_t next, const char *name, iv_str tag, iv_str path)
{
    for (size_t r = 0; r < m->run_count; r++)
        if (strcmp(m->runs[(next + r) % m->run_count].name, name) == 0)
            return (next + r) % m->run_count;
    if (!IV_ROOM(m->runs, m->run_room, m->run_count + 1))
        return IV_NONE;
    m->runs[m->run_count] = (merged_run){
        .name = iv_arena_copy(&m->own, iv_str_of(name)), .tag = iv_arena_copy(&m->own, tag),
        .path = path.len > 0 ? iv_arena_copy(&m->own, path) : NULL };
    return m->own.failed ? IV_NONE : m->run_count++;
}

/* The runs of a part, each with its number among all. */
static int take_runs(merging *m, iv_part_block *b, iv_err *err)
{
    const size_t count = part_u32(b);
    iv_arena own = { 0 };

    if (b->bad || count > (size_t)(b->end - b->at))
        return damaged(short_block, err);
    iv_str *tags = iv_take(&own, count, sizeof *tags), *paths = iv_take(&own, count, sizeof *paths);
    const char **files = iv_take(&own, count, sizeof *files);
    const char **names = iv_take(&own, count, sizeof *names);
    free(m->here);
    m->here = malloc((count + 1) * sizeof *m->here);
    m->here_count = count;
    int rc = m->here == NULL ? iv_no_memory(err) : iv_taken(&own, err);
    for (size_t r = 0; rc == IV_OK && r < count; r++) {
        tags[r] = part_text(b);
        paths[r] = part_text(b);
        files[r] = paths[r].len > 0 ? iv_arena_copy(&own, paths[r]) : NULL;
    }
    if (rc == IV_OK)
        rc = b->bad ? damaged(short_block, err)
            : iv_name_runs(names, &own, tags, files, count, err);
    for (size_t r = 0; rc == IV_OK && r < count; r++) {
        m->here[r] = find_run(m, r > 0 ? m->here[r - 1] + 1 : 0, names[r], tags[r], paths[r]);
        if (m->here[r] == IV_NONE)
            rc = iv_no_memory(err);
    }
    iv_arena_free(&own);
    return rc;
}

/* ---------------------------------------------------------------- rows -- */

/* The topic's number; *known: a part before this one, or this one, has it. */
static uint32_t number_topic(merging *m, iv_str name, const judged_topic *judged, bool *known)
{
    uint32_t t = iv_ids_find(&m->topics, name);

    *known = t != IV_NO_ID;
    if (*known)
        return t;
    char *copy = iv_arena_alloc(&m->bytes, name.len + 1);
    if (copy == NULL || !IV_ROOM(m->judged, m->judged_room, m->topics.count + 1))
        return IV_NO_ID;
    memcpy(copy, name.ptr, name.len);
    t = iv_ids_add(&m->topics, (iv_str){ copy, name.len });
    if (t != IV_NO_ID)
        m->judged[t] = *judged;
    return t;
}

/* Where the run's scores of a topic go: a new row, or the one it has; false: no memory. */
static bool make_row(merged_run *run, uint32_t topic, size_t width)
{
    if (topic >= run->place_count) {
        if (!IV_ROOM(run->place, run->place_room, (size_t)topic + 1))
            return false;
        for (; run->place_count <= topic; run->place_count++)
            run->place[run->place_count] = IV_ABSENT;
    }
    if (run->place[topic] != IV_ABSENT)
        return true;
    if (!IV_ROOM(run->rows, run->row_room, (run->row_count + 1) * width)
        || !IV_ROOM(run->states, run->state_room, run->row_count + 1))
        return false;
    run->states[run->row_count] = (row_state){ IV_STATE_ABSENT, 0 };
    run->place[topic] = (uint32_t)run->row_count++;
    return true;
}

/* One run on one topic.  What a part counted as empty another may have. */
static int take_row(merging *m, merged_run *run, uint32_t topic, iv_part_block *b, iv_err *err)
{
    const char *state = part_bytes(b, 1);
    const uint32_t retrieved = part_u32(b);
    const char *row = state != NULL && *state != IV_STATE_ABSENT
        ? part_bytes(b, 8 * (uint64_t)m->stored) : NULL;
    char quoted[IV_QUOTE_SIZE];
    double value;

    if (b->bad || (unsigned char)*state > IV_STATE_EMPTY)
        return damaged(b->bad ? short_block : "a topic of a run is neither scored nor missing",
                       err);
    if (*state == IV_STATE_ABSENT)
        return IV_OK;
    run->here += *state == IV_STATE_SCORED;
    if (!make_row(run, topic, m->width))
        return iv_no_memory(err);
    const size_t at = run->place[topic];
    row_state *has = &run->states[at];
    bool same = has->state == *state && has->retrieved == retrieved;
    if (has->state == IV_STATE_SCORED && *state == IV_STATE_EMPTY)
        return IV_OK;
    for (size_t i = 0; i < m->width; i++) {
        iv_part_block cell = { 0, row + 8 * m->chosen[i], row + 8 * m->stored, false };
        const uint64_t bits = iv_part_u64(&cell);
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            return iv_fail(err, IV_EPARSE, "topic %s of run '%.80s' has no finite score",
                           iv_quote(quoted, m->topics.names[topic]), run->name);
        double *to = &run->rows[at * m->width + i];
        same = same && memcmp(to, &value, sizeof value) == 0;
        if (has->state != *state)
            *to = value;
    }
    if (has->state == *state && !same)
        return iv_fail(err, IV_EPARSE, "topic %s of run '%.80s' has other scores here than in a "
                       "part before this one, expected all lines of a topic in one part",
                       iv_quote(quoted, m->topics.names[topic]), run->name);
    m->repeated += has->state == *state && *state == IV_STATE_SCORED;
    *has = (row_state){ (uint8_t)*state, retrieved };
    return IV_OK;
}

/* One topic's name and judgments, the same as in parts before this one, and here once. */
static int take_topic(uint32_t *out, merging *m, iv_part_block *b, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];
    const iv_str name = part_text(b);
    judged_topic here = { .judged = part_u32(b) };
    bool known;

    here.above = part_u32(b);
    here.blank = part_u32(b);
    here.digest = iv_part_u64(b);
    if (b->bad || !is_name(name) || (uint64_t)here.above + here.blank > here.judged)
        return damaged(b->bad ? short_block : "a topic has no name, or more judgments of a kind "
                       "than in all", err);
    *out = number_topic(m, name, &here, &known);
    if (*out == IV_NO_ID)
        return iv_no_memory(err);
    judged_topic *has = &m->judged[*out];
    if (has->part > m->tails)
        return iv_fail(err, IV_EPARSE, "topic %s occurs twice in this part",
                       iv_quote(quoted, name));
    has->part = m->tails + 1;
    if (has->judged == here.judged && has->above == here.above && has->blank == here.blank)
        return has->digest == here.digest ? IV_OK
            : iv_fail(err, IV_EPARSE, "topic %s has other judgments here than in a part before "
                      "this one, expected the same", iv_quote(quoted, name));
    return iv_fail(err, IV_EPARSE, "topic %s has %lu judgments here and %lu in a part before this "
                   "one, expected all lines of a topic in one part", iv_quote(quoted, name),
                   (unsigned long)here.judged, (unsigned long)has->judged);
}

static int take_rows(merging *m, iv_part_block *b, const iv_work *work, iv_err *err)
{
    const size_t count = part_u32(b);

    if (b->bad || count > (size_t)(b->end - b->at))
        return damaged(short_block, err);
    uint32_t *topic = malloc((count + 1) * sizeof *topic);
    int rc = topic == NULL ? iv_no_memory(err) : IV_OK;
    for (size_t t = 0; rc == IV_OK && t < count; t++)
        rc = take_topic(&topic[t], m, b, err);
    for (size_t r = 0; rc == IV_OK && r < m->here_count; r++)
        for (size_t t = 0; rc == IV_OK && t < count; t++) {
            rc = take_row(m, &m->runs[m->here[r]], topic[t], b, err);
            if (rc == IV_OK && t % 4096 == 0)
                rc = iv_check_work(work, 0.5, err);
        }
    m->part_topics += count;
    free(topic);
    return rc;
}

static int take_tail(merging *m, iv_part_block *b, iv_err *err)
{
    const uint64_t topics = iv_part_u64(b);
    const int32_t largest = (int32_t)part_u32(b);
    bool many = false; /* more lines than a file can have */

    m->uneven = m->uneven || (m->tails > 0 && largest != m->largest);
    m->tails++;
    m->largest = largest > m->largest ? largest : m->largest;
    for (size_t r = 0; r < m->here_count; r++) {
        merged_run *run = &m->runs[m->here[r]];
        const uint64_t bytes = iv_part_u64(b);
        size_t n[10] = { 0 };
        for (size_t i = 1; i < 10; i++) {
            const uint64_t lines = iv_part_u64(b);
            n[i] = (size_t)lines;
            many = many || lines >> 53 != 0 || n[i] != lines;
        }
        many = many || bytes >> 53 != 0;
        many = many || n[5] > n[4] || n[7] > n[6];
        const size_t file = run->here + n[1];
        run->split = run->split || (run->topics != 0 && run->topics != file);
        run->topics = file;
        run->here = 0;
        run->bytes += bytes;
        const iv_run_notes here = {
            .not_judged = n[1], .float_ties = n[2], .ties = n[3], .top_retrieved = n[4],
            .top_unjudged = n[5], .retrieved = n[6], .unjudged = n[7],
            .odd = { .misranked_line = n[8], .many_tags = (n[9] & 1) != 0,
                     .reversed = (n[9] & 2) != 0 } };
        iv_notes_add(&run->noted, &here);
    }
    return b->bad || many || topics != m->part_topics ? damaged("its blocks do not add up", err)
        : IV_OK;
}

/* --------------------------------------------------------------- parts -- */

static int take_blocks(merging *m, const iv_bytes *bytes, const char *name, const iv_texts *asked,
                       const iv_work *work, iv_err *err)
{
    const char *at = bytes->ptr, *const end = at + bytes->len;
    uint32_t last = 0;

    IV_TRY(part_open(name, &at, end, err));
    m->part_topics = 0;
    while (last != IV_PART_TAIL) {
        iv_part_block b = { 0 };
        int rc;
        IV_TRY(part_next(&b, name, &at, end, err));
        if ((b.kind == IV_PART_HEAD) != (last == 0)) {
            rc = damaged("its blocks are not in order", err);
        } else if (b.kind == IV_PART_HEAD) {
            rc = m->stored == 0 ? begin_measures(m, &b, asked, err) : check_measures(m, &b, err);
            rc = rc == IV_OK ? take_runs(m, &b, err) : rc;
        } else {
            rc = b.kind == IV_PART_ROWS ? take_rows(m, &b, work, err) : take_tail(m, &b, err);
        }
        if (rc == IV_OK && b.at != b.end)
            rc = damaged("a block continues after its stated length", err);
        if (rc == IV_EPARSE && err != NULL && err->file[0] == '\0') {
            const iv_err told = *err;
            (void)iv_fail_at(err, rc, name, 0, "%s", told.msg);
        }
        IV_TRY(rc);
        last = b.kind;
    }
    return at == end ? IV_OK : iv_fail_at(err, IV_EPARSE, name, 0,
                                          "%llu bytes after the last block, expected none",
                                          (unsigned long long)(end - at));
}

static int merging_add(merging *m, const char *path, const iv_texts *asked, const iv_work *work,
                   iv_err *err)
{
    iv_bytes bytes;

    IV_TRY(iv_bytes_load_raw(&bytes, path, work, err));
    const int rc = iv_packing_of(bytes.ptr, bytes.len) != IV_PLAIN
        ? iv_fail_at(err, IV_EPARSE, path, 0, "is compressed, expected scores as they were written")
        : take_blocks(m, &bytes, path, asked, work, err);
    iv_bytes_free(&bytes);
    return rc;
}

static void merging_free(merging *m)
{
    for (size_t r = 0; r < m->run_count; r++) {
        free(m->runs[r].rows);
        free(m->runs[r].states);
        free(m->runs[r].place);
    }
    free(m->runs);
    free(m->here);
    free(m->judged);
    iv_ids_free(&m->topics);
    iv_arena_free(&m->bytes);
    iv_arena_free(&m->own);
}

bool iv_is_scores_part(const char *path)
{
    char head[8];
    struct stat st;
    /* What is read of a pipe is gone. */
    FILE *f = path == NULL || stat(path, &st) != 0
        || !S_ISREG(st.st_mode) ? NULL : fopen(path, "rb");
    const bool is = f != NULL && fread(head, sizeof head, 1, f) == 1
        && memcmp(head, IV_PART_MAGIC, sizeof head) == 0;

    if (f != NULL)
        (void)fclose(f);
    return is;
}

/* The names of single values that measures as asked for stand for. */
static int spell_out(iv_texts *out, iv_arena *own, const iv_evaluating *o, iv_err *err)
{
    iv_measures *m = NULL;

    *out = (iv_texts){ NULL, 0 };
    if (o->measures.count == 0)
        return IV_OK;
    IV_TRY(iv_measures_parse(&m, o->measures.at, o->measures.count, &o->measure, err));
    const size_t count = iv_measures_count(m);
    const char **names = iv_take(own, count, sizeof *names);
    for (size_t i = 0; i < count && names != NULL; i++)
        names[i] = iv_arena_copy(own, iv_str_of(iv_measures_value(m, i)->name));
    iv_measures_free(m);
    *out = (iv_texts){ names, count };
    return iv_taken(own, err);
}

/* What parts say of how topics were scored. */
static int take_task(iv_evaluation *e, merging *m, const iv_evaluating *o, iv_err *err)
{
    const char **names = iv_take(&m->own, m->width, sizeof *names);

    IV_TRY(iv_taken(&m->own, err));
    for (size_t i = 0; i < m->width; i++)
        names[i] = m->names[m->chosen[i]];
    IV_TRY(iv_measures_parse(&e->measures, names, m->width, &m->measure, err));
    e->judgments = calloc(1, sizeof *e->judgments); /* tells its format alone */
    if (e->judgments == NULL)
        return iv_no_memory(err);
    if (m->uneven && iv_measures_scale(e->measures))
        return iv_fail(err, IV_EPARSE, "parts have different largest grades, by which a measure is "
                       "scaled, expected one: all judgments in every part, or the measure with its "
                       "max");
    e->judgments->format = m->format;
    e->task = (iv_scoring){ .judgments = e->judgments, .measures = e->measures, .width = m->width,
                         .largest = m->largest, .how = *o,
                         .precision = iv_precision_of(m->measure.dialect) };
    e->task.how.measure = m->measure;
    e->task.how.complete = m->complete;
    e->task.how.resampling = e->view.resampling = iv_resampling_of(&o->resampling);
    e->view.run_count = m->run_count;
    e->view.judged_topics = m->topics.count;
    return IV_OK;
}

/* A run's rows by topic; its own are let go. */
static int take_run(iv_run_scores **out, merged_run *run, size_t judged, size_t width, iv_err *err)
{
    iv_run_scores *s = *out = calloc(1, sizeof *s);

    if (s == NULL)
        return iv_no_memory(err);
    s->tag = iv_arena_copy(&s->memory, iv_str_of(run->tag));
    s->topic = iv_take(&s->memory, run->row_count + 1, sizeof *s->topic);
    s->rows = iv_take(&s->memory, run->row_count * width + 1, sizeof *s->rows);
    s->bytes = run->bytes;
    s->noted = run->noted;
    size_t missing = judged;
    for (size_t i = 0; i < run->row_count; i++)
        missing -= run->states[i].state == IV_STATE_SCORED;
    /* The same run in every part: what one has no judgments of another may have. */
    if (!run->split && judged - missing <= run->topics)
        s->noted.not_judged = run->topics - (judged - missing);
    s->missing = iv_take(&s->memory, missing + 1, sizeof *s->missing);
    IV_TRY(iv_taken(&s->memory, err));
    for (size_t t = 0; t < judged; t++) {
        const uint32_t row = t < run->place_count ? run->place[t] : IV_ABSENT;
        const bool scored = row != IV_ABSENT && run->states[row].state == IV_STATE_SCORED;
        if (!scored)
            s->missing[s->missing_count++] = t;
        if (row == IV_ABSENT)
            continue;
        memcpy(s->rows + s->topics * width, run->rows + row * width, width * sizeof *s->rows);
        s->topic[s->topics++] = (iv_scored_topic){ (uint32_t)t, scored ? 0 : IV_ABSENT };
    }
    free(run->rows);
    free(run->states);
    free(run->place);
    run->rows = NULL;
    run->states = NULL;
    run->place = NULL;
    return IV_OK;
}

static int take_topics(iv_evaluation *e, merging *m, iv_err *err)
{
    const size_t n = m->topics.count;

    e->judged_names = malloc((n + 1) * sizeof *e->judged_names);
    if (e->judged_names == NULL)
        return iv_no_memory(err);
    for (size_t t = 0; t < n; t++) {
        e->judged_names[t] = m->topics.names[t];
        e->task.above_0 += m->judged[t].above;
        e->view.blank += m->judged[t].blank;
        e->view.blank_topics += m->judged[t].judged > 0
            && m->judged[t].blank == m->judged[t].judged;
    }
    e->name_bytes = m->bytes;
    m->bytes = (iv_arena){ NULL };
    return IV_OK;
}

static int build(iv_evaluation *e, merging *m, const iv_evaluating *o, const iv_work *work,
                 iv_err *err)
{
    bool sorted = true;

    if (m->run_count == 0)
        return iv_fail(err, IV_ENODATA, "the parts have no runs");
    IV_TRY(take_task(e, m, o, err));
    IV_TRY(iv_evaluation_room(e, err));
    IV_TRY(take_topics(e, m, err));
    const char **paths = iv_take(&m->own, m->run_count, sizeof *paths);
    IV_TRY(iv_taken(&m->own, err));
    for (size_t r = 0; r < m->run_count; r++) {
        paths[r] = m->runs[r].path;
        IV_TRY(take_run(&e->scores[r], &m->runs[r], m->topics.count, m->width, err));
        if (e->scores[r]->missing_count == m->topics.count)
            return iv_fail(err, IV_ENODATA, "run '%.80s' shares no topic with the judgments",
                           m->runs[r].name);
    }
    for (size_t t = 1; t < m->topics.count && sorted; t++)
        sorted = iv_str_cmp(e->judged_names[t - 1], e->judged_names[t]) < 0;
    if (!sorted)
        IV_TRY(iv_sort_topics(e, err));
    return iv_evaluation_finish(e, paths, work, err);
}

/* What is asked of topics was decided when they were scored. */
static int check_asked(const merging *m, const iv_evaluating *o, iv_err *err)
{
    const iv_measure_options *a = &o->measure, *b = &m->measure;
    char quoted[IV_QUOTE_SIZE];

    if (o->bounds || o->ties || o->texts || o->standards != NULL || a->as_trec_eval)
        return iv_fail(err, IV_EARG, "files of scores have no bounds, values over ties, standard "
                       "scores and texts");
    if ((a->level != 0 && a->level != b->level) || (a->depth != 0 && a->depth != b->depth)
        || (a->judged_only && !b->judged_only) || (a->collection != 0
                                                   && a->collection != b->collection)
        || (a->dialect != 0 && a->dialect != b->dialect) || (o->complete && !m->complete))
        return iv_fail(err, IV_EARG, "the scores were computed with %s, and something else is "
                       "asked for", iv_quote(quoted, m->options));
    return IV_OK;
}

int iv_evaluate_parts(iv_evaluation **out, const iv_texts *parts, const iv_evaluating *o,
                      const iv_work *work, iv_err *err)
{
    merging m = { 0 };
    iv_stage stage;
    iv_texts asked = { 0 };
    iv_evaluation *e = calloc(1, sizeof *e);
    int rc = e == NULL ? iv_no_memory(err) : spell_out(&asked, &m.own, o, err);

    if (rc == IV_OK && parts->count == 0)
        rc = iv_fail(err, IV_EARG, "there are no parts");
    for (size_t i = 0; rc == IV_OK && i < parts->count; i++)
        rc = merging_add(&m, parts->at[i], &asked,
                            iv_work_part(&stage, work, 0.5 * (double)i / (double)parts->count,
                                         0.5 * (double)(i + 1) / (double)parts->count), err);
    if (rc == IV_OK)
        rc = check_asked(&m, o, err);
    if (rc == IV_OK)
        rc = build(e, &m, o, iv_work_part(&stage, work, 0.5, 1.0), err);
    if (rc == IV_OK)
        e->view.repeated = m.repeated;
    merging_free(&m);
    if (rc == IV_OK)
        *out = e;
    else
        iv_evaluation_free(e);
    return rc;
}
