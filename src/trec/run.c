/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a run, in either format. */

#include "base/arguments.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/parallel.h"
#include "trec/chunks.h"
#include "trec/docset.h"
#include "trec/duplicates.h"
#include "trec/fields.h"
#include "trec/problems.h"
#include "trec/run.h"
#include "trec/run_records.h"
#include "trec/text.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What the parser of a chunk has to know. */
typedef struct shape {
    iv_run_format format;
    size_t fields, docno, score; /* how many, and which is which */
    const char *expected;
} shape;

static const shape shapes[] = {
    { IV_RUN_TREC, 6, 2, 4, "6: topic Q0 docno rank score tag" },
    { IV_RUN_MSMARCO, 3, 1, 2, "3: topic docno rank" },
};

static bool score_of(double *score, iv_str field, const shape *how, iv_chunk *c)
{
    char quoted[IV_QUOTE_SIZE];
    int64_t rank;

    if (how->format == IV_RUN_TREC) {
        if (iv_scan_real(score, field))
            return true;
        iv_complain(&c->problems, c->lines, IV_ERROR,
                   "score %s, expected a finite number", iv_quote(quoted, field));
        return false;
    }
    if (iv_scan_int(&rank, field, 0, INT64_C(1) << 53)) {
        *score = -(double)rank;
        return true;
    }
    iv_complain(&c->problems, c->lines, IV_ERROR,
               "rank %s, expected a whole number from 0", iv_quote(quoted, field));
    return false;
}

/*
 * Text behind the tag is passed over, as trec_eval 10 does; not where a CR stands
 * in it, which ends a line elsewhere: the rest would be lost documents.
 */
static bool fits(const shape *how, size_t count, const iv_str *fields, const char *stop)
{
    if (count <= how->fields || how->format != IV_RUN_TREC)
        return count == how->fields;
    const char *behind = fields[5].ptr + fields[5].len;
    const char *cr = memchr(behind, '\r', (size_t)(stop - behind));
    while (cr != NULL && cr < stop && (iv_is_blank(*cr) || *cr == '\n'))
        cr++;
    return cr == NULL || cr == stop;
}

static void refuse_count(iv_chunk *c, size_t count, const shape *how)
{
    if (count == 0)
        c->empty_lines++;
    else if (count > how->fields && how->format == IV_RUN_TREC)
        iv_complain(&c->problems, c->lines, IV_ERROR, "a CR after the tag with more text after "
                    "it, expected lines that end with LF (or CR LF)");
    else
        iv_complain(&c->problems, c->lines, IV_ERROR, "%zu field%s, expected %s", count,
                    count == 1 ? "" : "s", how->expected);
}

/* A line with another tag is not like the one before it, so none is missed. */
static void watch_tag(iv_chunk *c, const iv_str *fields, const shape *how)
{
    if (how->format != IV_RUN_TREC)
        return;
    if (c->tag.ptr == NULL)
        c->tag = fields[5];
    else if (!c->other_tag)
        c->other_tag = !iv_str_eq(c->tag, fields[5]);
}

static void parse(iv_chunk *c, const void *vhow)
{
    const shape *how = vhow;
    const char *p = c->begin;
    iv_str fields[6] = { { NULL, 0 } }; /* still the last line's when a new one begins */
    iv_likeness repeated = { .blank = ' ' }; /* ... of it */
    bool added = false;                 /* ... of which there is a record */

    const bool nuls = iv_text_has_nul(c->begin, c->end);
    while (p < c->end && !c->problems.no_memory) {
        double score;
        c->lines++;
        if (nuls && iv_line_refuse_nul(&p, c->end, c->lines, &c->problems))
            continue;
        const bool is_alike = iv_split_alike(fields, 2, 4, &repeated, &p, c->end);
        const bool goes_on = is_alike && added;
        added = false;
        if (!is_alike) {
            const char *const line = p;
            repeated.behind.len = 0;
            if (iv_is_comment(p, c->end)) {
                (void)iv_split_line(fields, 0, &p, c->end);
                c->comment_lines++;
                continue;
            }
            const size_t count = iv_split_line(fields, 6, &p, c->end);
            if (!fits(how, count, fields, p)) {
                refuse_count(c, count, how);
                continue;
            }
            if (how->format == IV_RUN_TREC)
                repeated = iv_likeness_of(line, fields, 2, 4, p);
            watch_tag(c, fields, how);
        }
        if (!score_of(&score, fields[how->score], how, c))
            continue;
        const iv_str docno = fields[how->docno];
        if (iv_refuse_long_id(c, fields[0], docno))
            continue;
        iv_run_doc *d = iv_chunk_add(c, fields[0],
                                     !goes_on && !iv_chunk_goes_on(c, fields[0]));
        if (d == NULL)
            return;
        added = true;
        *d = (iv_run_doc){ score, docno.ptr, (uint32_t)docno.len, (uint32_t)iv_hash(docno) };
    }
}

iv_run_format iv_run_format_detected(const iv_str *fields, size_t count)
{
    double score;

    if (count == 6 || (count > 6 && iv_scan_real(&score, fields[4])))
        return IV_RUN_TREC;
    return count == 3 ? IV_RUN_MSMARCO : IV_RUN_ANY;
}

void iv_run_group(iv_grouped *out, iv_str text, iv_run_format format,
                  const iv_work *work, size_t chunk_bytes, iv_problems *problems)
{
    iv_group_records(out, text, sizeof(iv_run_doc), parse,
                     &shapes[format == IV_RUN_MSMARCO], work, chunk_bytes, problems);
}

/* ------------------------------------------------------------ run habits -- */

/* What a file of a run says beyond what ranking needs: ranks and tags. */

bool iv_rank_watch_line(iv_rank_watch *w, const iv_str *fields)
{
    int64_t rank;
    double score;

    w->odd = !iv_scan_int(&rank, fields[3], INT64_MIN, INT64_MAX);
    if (w->odd || !iv_scan_real(&score, fields[4]))
        return false;
    const bool differ = w->has_last && iv_str_eq(w->topic, fields[0]) && rank != w->rank
        && score != w->score;
    const bool against = differ && (rank > w->rank) == (score > w->score);
    *w = (iv_rank_watch){ rank, score, fields[0], true, false, w->compared + differ,
                          w->against + against };
    return against;
}

/* The first line on which rank and score disagree with the line before it, if any; and do the
 * first lines all do so? */
static void look_at_ranks(iv_run_oddities *found, const iv_run *run)
{
    enum { LINES = 100, LEAST = 10 }; /* that tell a ranking turned round */
    const char *p = run->text.ptr;
    const char *const all = p + run->text.len;
    /* Where no score rises only ranks that fall could disagree: rare enough
     * to look for them in the beginning of the file only. */
    const char *const end = run->rises || run->text.len < IV_RANK_BYTES_CHECKED
        ? all : p + IV_RANK_BYTES_CHECKED;
    iv_rank_watch w = { .has_last = false };

    for (uint64_t line = 1; p < end && (w.against == 0 || w.compared < LINES); line++) {
        iv_str fields[6];
        const bool comment = iv_is_comment(p, all);
        if (iv_split_line(fields, 6, &p, all) >= 6 && !comment
            && iv_rank_watch_line(&w, fields) && found->misranked_line == 0)
            found->misranked_line = line;
    }
    found->reversed = w.against >= LEAST && w.against == w.compared;
}

bool iv_run_many_tags(const iv_run *run)
{
    bool many = false;

    for (size_t i = 0; i < run->grouped.chunk_count && !many; i++) {
        const iv_chunk *c = &run->grouped.chunks[i];
        many = c->other_tag || (c->tag.ptr != NULL && !iv_str_eq(c->tag, run->tag));
    }
    return many;
}

/* Ranks are stored as negative scores. */
static bool lacks_first_rank(const iv_run *run)
{
    const size_t topics = iv_run_topics(run);

    for (size_t t = 0; t < topics; t++)
        if (iv_run_depth(run, t) > 0 && iv_run_score(run, t, 0) >= -1.0)
            return false;
    return topics > 0;
}

iv_run_oddities iv_run_odd(const iv_run *run)
{
    iv_run_oddities found = { .misranked_line = 0 };

    if (run->format == IV_RUN_MSMARCO && !run->built)
        found.no_first_rank = lacks_first_rank(run);
    if (run->format != IV_RUN_TREC || run->built)
        return found;
    found.many_tags = iv_run_many_tags(run);
    look_at_ranks(&found, run);
    return found;
}

/* ------------------------------------------------------------------- run -- */

IV_NAMES(iv_run_format_names, "any", "trec", "msmarco")

/* ------------------------------------------------------------ ranking -- */

static bool in_rank_order(const iv_run_doc *docs, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (iv_run_doc_before(&docs[i], &docs[i - 1]))
            return false;
    }
    return true;
}

/* Merges the sorted docs[0..half) and docs[half..n). */
static void merge(iv_run_doc *docs, size_t half, size_t n, iv_run_doc *scratch)
{
    size_t left = 0, right = half, out = 0;

    memcpy(scratch, docs, half * sizeof *docs);
    while (left < half && right < n) {
        if (iv_run_doc_before(&docs[right], &scratch[left]))
            docs[out++] = docs[right++];
        else
            docs[out++] = scratch[left++];
    }
    memcpy(docs + out, scratch + left, (half - left) * sizeof *docs);
}

void iv_run_docs_sort(iv_run_doc *docs, size_t n, iv_run_doc *scratch)
{
    if (in_rank_order(docs, n))
        return;
    iv_run_docs_sort(docs, n / 2, scratch);
    iv_run_docs_sort(docs + n / 2, n - n / 2, scratch);
    merge(docs, n / 2, n, scratch);
}

/* ------------------------------------------------------------ reading -- */

static iv_str name_of(const void *record)
{
    return iv_run_doc_name(record);
}

/*
 * May a document stand twice in the topic?  Looks at hashes only: "no" is
 * sure.  Slots are many and hold a hash each, so that nearly every document
 * finds a free one at once; slots has room for hash_slots(n).
 */
static size_t hash_slots(size_t n)
{
    return 2 * iv_docset_slots(n);
}

static bool may_repeat(const iv_run_doc *docs, size_t n, uint32_t *slots)
{
    const size_t mask = hash_slots(n) - 1;

    memset(slots, 0, (mask + 1) * sizeof *slots);
    for (size_t i = 0; i < n; i++) {
        const uint32_t hash = docs[i].hash | 1; /* 0 is a free slot */
        size_t s = (docs[i].hash >> 1) & mask;
        for (; slots[s] != 0; s = (s + 1) & mask) {
            if (slots[s] == hash)
                return true;
        }
        slots[s] = hash;
    }
    return false;
}

static bool scores_rise(const iv_run_doc *docs, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (docs[i].score > docs[i - 1].score)
            return true;
    }
    return false;
}

/* What ranking all topics needs, and finds. */
typedef struct ranking {
    const iv_grouped *grouped;
    size_t longest;
    bool sure; /* none repeats a document */
    atomic_bool repeats, rises;
} ranking;

/* A thread's memory: documents to merge, and slots behind them. */
static void *new_scratch(iv_arena *own, void *user)
{
    const size_t longest = ((const ranking *)user)->longest;

    return iv_arena_alloc(own, (longest + 1) * sizeof(iv_run_doc)
                          + hash_slots(longest) * sizeof(uint32_t));
}

static int rank_topic(void *user, void *memory, size_t t, iv_err *err)
{
    ranking *r = user;
    const iv_topic_records *topic = &r->grouped->topics[t];
    iv_run_doc *scratch = memory;

    (void)err;
    if (!r->sure
        && may_repeat(topic->records, topic->count, (uint32_t *)(scratch + r->longest + 1))) {
        r->repeats = true;
        return IV_OK;
    }
    if (in_rank_order(topic->records, topic->count))
        return IV_OK; /* as nearly every run is written */
    if (scores_rise(topic->records, topic->count))
        r->rises = true;
    iv_run_docs_sort(topic->records, topic->count, scratch);
    return IV_OK;
}

/* Ranks every topic, but for those in which a document may stand twice, unless one is sure that
 * none does; true: there are such. */
static bool rank(iv_run *run, bool sure, const iv_work *work, iv_problems *problems)
{
    ranking r = { .grouped = &run->grouped, .sure = sure };
    const iv_loop loop = { run->grouped.topic_count, rank_topic, &r, new_scratch };

    for (size_t t = 0; t < run->grouped.topic_count; t++)
        if (run->grouped.topics[t].count > r.longest)
            r.longest = run->grouped.topics[t].count;
    iv_problems_ended(problems, iv_parallel(&loop, work, NULL));
    run->rises = run->rises || r.rises;
    return r.repeats;
}

uint64_t iv_run_settle(iv_run *run, bool collect, const iv_work *work, iv_problems *problems)
{
    iv_work room;
    const size_t bytes = (size_t)run->grouped.records * sizeof(iv_run_doc);

    (void)iv_work_for(&room, work, bytes);
    /* Ranking, which is what a good run needs, only asks whether there is cause
     * to look for duplicates, and leaves these where they are. */
    if (problems->no_memory || (!collect && problems->errors == 0
                                && !rank(run, false, &room, problems)) || problems->no_memory)
        return 0;
    const uint64_t repeats = iv_find_duplicates(&run->grouped, sizeof(iv_run_doc), run->text,
                                                name_of, false, work, problems);
    if (!collect && problems->errors == 0) /* names with one hash */
        (void)rank(run, true, &room, problems);
    return repeats;
}

uint64_t iv_run_read(iv_run *run, iv_run_format format, bool collect, const iv_work *work,
                     size_t chunk_bytes, iv_problems *problems)
{
    iv_str fields[6];
    iv_stage parsed, settled;
    uint64_t line;

    run->text = iv_text_of(&run->bytes);
    if (!iv_text_usable(run->text, problems))
        return 0;
    const size_t count = iv_first_fields(fields, 6, run->text, true, &line);
    run->format = format == IV_RUN_ANY ? iv_run_format_detected(fields, count) : format;
    if (run->format == IV_RUN_ANY) {
        if (iv_text_refuse_nul(run->text, problems))
            return 0; /* that it is no text says more than its fields */
        iv_complain(problems, line, IV_ERROR,
                   "%zu field%s, expected a run: 6 (topic Q0 docno rank score tag) "
                   "or 3 (topic docno rank)%s", count, count == 1 ? "" : "s",
                   count > 0 ? iv_text_instead(fields[0]) : "");
        return 0;
    }
    run->tag = run->format == IV_RUN_TREC && count >= 6 ? fields[5] : iv_str_of("");
    iv_run_group(&run->grouped, run->text, run->format,
                 iv_work_part(&parsed, work, 0.0, 0.7), chunk_bytes, problems);
    return iv_run_settle(run, collect, iv_work_part(&settled, work, 0.7, 1.0), problems);
}

void iv_run_forget(iv_run *run)
{
    iv_grouped_free(&run->grouped);
    run->format = IV_RUN_ANY;
    run->tag = iv_str_of("");
}

/* Takes over the bytes, also when it fails. */
static int run_from(iv_run **out, iv_bytes *bytes, const char *name,
                    iv_run_format format, const iv_work *work, iv_err *err)
{
    iv_problems problems = { .most = 1 };
    iv_run *run = calloc(1, sizeof *run);

    if (run == NULL) {
        iv_bytes_free(bytes);
        return iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    }
    run->bytes = *bytes;
    (void)iv_run_read(run, format, false, work, 0, &problems);
    const int rc = iv_problems_verdict(&problems, name, err);
    if (rc < 0)
        iv_run_free(run);
    else
        *out = run;
    return rc;
}

/* Are these lines a run's, as far as they can be read by themselves?  Comments alone may be. */
static bool are_sound(const iv_bytes *first, const void *format)
{
    iv_problems problems = { .most = 1 };
    iv_run run = { .bytes = *first };
    iv_str field;
    uint64_t line;

    (void)iv_run_read(&run, *(const iv_run_format *)format, false, NULL, 0, &problems);
    const bool sound = problems.errors == 0
        || iv_first_fields(&field, 1, iv_text_of(first), true, &line) == 0;
    iv_run_forget(&run);
    iv_problems_free(&problems);
    return sound;
}

int iv_run_load(iv_run **out, const char *path, iv_run_format format, const iv_work *work,
                iv_err *err)
{
    IV_TRY(iv_check_choice(format, iv_run_format_names(), "the format of the run", err));
    IV_TRY(iv_check_given(path, "the path of a file", err));
    iv_bytes bytes;
    const int rc = iv_bytes_load_sound(&bytes, path, are_sound, &format, work, err);

    return rc < 0 ? rc : run_from(out, &bytes, path, format, work, err);
}

int iv_run_parse(iv_run **out, const char *name, const void *text, size_t len,
                 iv_run_format format, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_choice(format, iv_run_format_names(), "the format of the run", err));
    iv_bytes bytes;
    const int rc = iv_bytes_copy(&bytes, name, text, len, work, err);

    return rc < 0 ? rc : run_from(out, &bytes, name, format, work, err);
}

void iv_run_free(iv_run *run)
{
    if (run == NULL)
        return;
    iv_grouped_free(&run->grouped);
    iv_bytes_free(&run->bytes);
    free(run);
}

/* ------------------------------------------------------------- asking -- */

iv_str iv_run_tag(const iv_run *run) { return run->tag; }

uint64_t iv_run_bytes(const iv_run *run) { return run->bytes.stored; }

size_t iv_run_topics(const iv_run *run) { return run->grouped.topic_count; }

iv_str iv_run_topic(const iv_run *run, size_t topic)
{
    return run->grouped.topics[topic].id;
}

size_t iv_run_find_topic(const iv_run *run, iv_str id)
{
    return iv_grouped_find(&run->grouped, id);
}

size_t iv_run_depth(const iv_run *run, size_t topic)
{
    return run->grouped.topics[topic].count;
}

iv_str iv_run_docno(const iv_run *run, size_t topic, size_t rank)
{
    const iv_run_doc *docs = run->grouped.topics[topic].records;
    return iv_run_doc_name(&docs[rank]);
}

double iv_run_score(const iv_run *run, size_t topic, size_t rank)
{
    const iv_run_doc *docs = run->grouped.topics[topic].records;
    return docs[rank].score;
}
