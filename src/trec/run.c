/* SPDX-License-Identifier: Apache-2.0 */
#include "trec/run.h"

#include <stdlib.h>

#include "base/checking.h"
#include "base/names.h"
#include "base/parallel.h"
#include "trec/docset.h"
#include "trec/duplicates.h"
#include "trec/run_lines.h"
#include "trec/text.h"
#include "trec/trec_private.h"

IV_NAMES(iv_run_format_names, "any", "trec", "msmarco")

/* ------------------------------------------------------------ ranking -- */

static void insertion_sort(iv_run_doc *docs, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const iv_run_doc moved = docs[i];
        size_t j = i;
        for (; j > 0 && iv_run_doc_before(&moved, &docs[j - 1]); j--)
            docs[j] = docs[j - 1];
        docs[j] = moved;
    }
}

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

static void merge_sort(iv_run_doc *docs, size_t n, iv_run_doc *scratch)
{
    enum { SMALL = 12 };

    if (in_rank_order(docs, n))
        return;
    if (n <= SMALL) {
        insertion_sort(docs, n);
        return;
    }
    merge_sort(docs, n / 2, scratch);
    merge_sort(docs + n / 2, n - n / 2, scratch);
    merge(docs, n / 2, n, scratch);
}

enum { DIGITS = 8, VALUES = 256 };

/* A number of 64 bits that rises as the score falls; 0 and -0 have the same. */
static uint64_t key_of(double score)
{
    uint64_t bits;

    score += 0.0;
    memcpy(&bits, &score, sizeof bits);
    return (bits >> 63) != 0 ? bits : ~(bits | (UINT64_C(1) << 63));
}

/* Where the documents with each value of a digit begin; false if all have the same. */
static bool digit_places(uint32_t *places, size_t n)
{
    uint32_t at = 0;

    for (size_t v = 0; v < VALUES; v++) {
        const uint32_t count = places[v];
        if (count == n)
            return false;
        places[v] = at;
        at += count;
    }
    return true;
}

/* By score alone, digit after digit of its key from the lowest: n < 2^32. */
static void radix_sort(iv_run_doc *docs, size_t n, iv_run_doc *scratch)
{
    uint32_t places[DIGITS][VALUES] = { 0 };
    iv_run_doc *from = docs, *to = scratch;

    for (size_t i = 0; i < n; i++) {
        uint64_t key = key_of(docs[i].score);
        for (size_t d = 0; d < DIGITS; d++, key >>= 8)
            places[d][key & 0xff]++;
    }
    for (unsigned d = 0; d < DIGITS; d++) {
        if (!digit_places(places[d], n))
            continue;
        for (size_t i = 0; i < n; i++)
            to[places[d][key_of(from[i].score) >> (8 * d) & 0xff]++] = from[i];
        iv_run_doc *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != docs)
        memcpy(docs, from, n * sizeof *docs);
}

void iv_run_docs_sort(iv_run_doc *docs, size_t n, iv_run_doc *scratch)
{
    enum { FEW = 128 }; /* counting digits takes as long as that many documents */

    if (n <= FEW || n > UINT32_MAX || in_rank_order(docs, n)) {
        merge_sort(docs, n, scratch);
        return;
    }
    radix_sort(docs, n, scratch);
    for (size_t i = 0, end; i < n; i = end) { /* ties, by name */
        for (end = i + 1; end < n && docs[end].score == docs[i].score;)
            end++;
        merge_sort(docs + i, end - i, scratch);
    }
}

/* ------------------------------------------------------------ reading -- */

static iv_str name_of(const void *record)
{
    return iv_run_doc_name(record);
}

/*
 * May a document stand twice in the topic?  Looks at hashes only: "no" is
 * sure.  Slots are many and hold a hash each, so that nearly every document
 * finds a free one at once; slots has room for iv_hash_slots(n).
 */
static size_t iv_hash_slots(size_t n)
{
    return 2 * iv_docset_slots(n);
}

static bool may_repeat(const iv_run_doc *docs, size_t n, uint32_t *slots)
{
    const size_t mask = iv_hash_slots(n) - 1;

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
    atomic_bool repeats, rises;
} ranking;

/* A thread's memory: documents to merge, and slots behind them. */
static void *new_scratch(iv_arena *own, void *user)
{
    const size_t longest = ((const ranking *)user)->longest;

    return iv_arena_alloc(own, (longest + 1) * sizeof(iv_run_doc)
                          + iv_hash_slots(longest) * sizeof(uint32_t));
}

static int rank_topic(void *user, void *memory, size_t t, iv_err *err)
{
    ranking *r = user;
    const iv_topic_records *topic = &r->grouped->topics[t];
    iv_run_doc *scratch = memory;

    (void)err;
    if (may_repeat(topic->records, topic->count, (uint32_t *)(scratch + r->longest + 1)))
        r->repeats = true;
    if (in_rank_order(topic->records, topic->count))
        return IV_OK; /* as nearly every run is written */
    if (scores_rise(topic->records, topic->count))
        r->rises = true;
    iv_run_docs_sort(topic->records, topic->count, scratch);
    return IV_OK;
}

/* Ranks every topic; tells whether a document may stand twice in one. */
static bool rank(iv_run *run, const iv_work *work, iv_problems *problems)
{
    ranking r = { .grouped = &run->grouped };
    const iv_loop loop = { run->grouped.topic_count, rank_topic, &r, new_scratch };

    for (size_t t = 0; t < run->grouped.topic_count; t++)
        if (run->grouped.topics[t].count > r.longest)
            r.longest = run->grouped.topics[t].count;
    iv_problems_ended(problems, iv_parallel(&loop, work, NULL));
    run->rises = r.rises;
    return r.repeats;
}

uint64_t iv_run_settle(iv_run *run, bool collect, const iv_work *work, iv_problems *problems)
{
    iv_work room;

    if (problems->no_memory || (!collect && problems->errors > 0))
        return 0;
    if (collect)
        return iv_find_duplicates(&run->grouped, sizeof(iv_run_doc), run->text, name_of, false,
                                  work, problems);
    /* Ranking, which is what a good run needs, only asks whether there is cause
     * to look for duplicates.  Which line repeats which is not to be seen any
     * more: they are counted, and told by whoever reads again to collect. */
    const size_t bytes = (size_t)run->grouped.records * sizeof(iv_run_doc);
    if (!rank(run, iv_work_for(&room, work, bytes), problems) || problems->no_memory)
        return 0;
    iv_problems counted = { .most = 0 };
    const uint64_t repeats = iv_find_duplicates(&run->grouped, sizeof(iv_run_doc), run->text,
                                                name_of, false, work, &counted);
    iv_problems_append(problems, &counted, 0);
    iv_problems_free(&counted);
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
    run->format = format == IV_RUN_ANY ? iv_run_format_told(fields, count) : format;
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
    iv_run_group(&run->grouped, run->text, run->format, collect,
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
    int rc;

    if (run == NULL) {
        iv_bytes_free(bytes);
        return iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    }
    run->bytes = *bytes;
    (void)iv_run_read(run, format, false, work, 0, &problems);
    if (problems.errors > 0 && !problems.no_memory) {
        /* Once more, for the first error of all and not of a thread's. */
        iv_run_forget(run);
        (void)iv_run_read(run, format, true, work, 0, &problems);
    }
    iv_problems_finish(&problems);
    rc = iv_problems_verdict(&problems, name, err);
    iv_problems_free(&problems);
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
    iv_run *run = calloc(1, sizeof *run);
    uint64_t enough = 0;
    iv_bytes bytes;

    if (run == NULL)
        return iv_fail_at(err, IV_ENOMEM, path, 0, "out of memory");
    int rc = iv_run_pass(run, &enough, path, format, work, err);
    if (rc == IV_OK) {
        *out = run;
        return rc;
    }
    iv_run_free(run);
    if (rc == IV_NOT_TAKEN)
        rc = enough > 0 ? iv_bytes_load_part(&bytes, path, enough, work, err)
                        : iv_bytes_load_sound(&bytes, path, are_sound, &format, work, err);
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

iv_run_format iv_run_format_of(const iv_run *run) { return run->format; }

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
