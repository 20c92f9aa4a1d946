/* SPDX-License-Identifier: Apache-2.0 */
#include "trec/judgments.h"

#include <stdlib.h>
#include <string.h>

#include "base/checking.h"
#include "base/names.h"
#include "base/parallel.h"
#include "trec/duplicates.h"
#include "trec/judgments_lines.h"
#include "trec/text.h"
#include "trec/trec_private.h"

IV_NAMES(iv_judgments_format_names, "any", "qrels", "prels", "stratified", "beir", "groups", "prefs",
         "nuggets", "qrels_jg", "qrels_prefs")

/* ----------------------------------------------------------- looking up -- */

static iv_str name_of(const void *record)
{
    return ((const iv_judgment *)record)->docno;
}

/* Puts a topic's documents into its slots; false if one stands there twice. */
static bool index_topic(iv_judgments *j, size_t topic)
{
    const iv_topic_records *t = &j->grouped.topics[topic];
    const iv_judgment *items = t->records;
    iv_slot *slots = j->slots + j->first_slot[topic];
    const size_t mask = iv_docset_slots(t->count) - 1;
    bool unique = true;

    memset(slots, 0, (mask + 1) * sizeof *slots);
    for (size_t i = 0; i < t->count; i++) {
        const uint32_t hash = (uint32_t)iv_hash(items[i].docno);
        size_t s = hash & mask;
        for (; slots[s].index != 0; s = (s + 1) & mask) {
            if (slots[s].hash == hash
                && iv_str_eq(items[slots[s].index - 1].docno, items[i].docno)) {
                unique = false;
                break;
            }
        }
        if (slots[s].index == 0)
            slots[s] = (iv_slot){ hash, (uint32_t)i + 1 };
    }
    return unique;
}

typedef struct indexing {
    iv_judgments *judgments;
    atomic_bool repeats;
} indexing;

static int index_item(void *user, void *memory, size_t topic, iv_err *err)
{
    indexing *all = user;

    (void)memory, (void)err;
    if (!index_topic(all->judgments, topic))
        all->repeats = true;
    return IV_OK;
}

/* True if every document stands once in its topic. */
static bool index_all(iv_judgments *j, const iv_work *work, iv_problems *problems)
{
    const size_t topics = j->grouped.topic_count;
    size_t total = 0;

    j->first_slot = malloc((topics + 1) * sizeof *j->first_slot);
    if (j->first_slot == NULL) {
        problems->no_memory = true;
        return true;
    }
    for (size_t t = 0; t < topics; t++) {
        j->first_slot[t] = total;
        total += iv_docset_slots(j->grouped.topics[t].count);
    }
    j->slots = iv_alloc_filled(total, sizeof *j->slots);
    if (j->slots == NULL) {
        problems->no_memory = true;
        return true;
    }
    indexing all = { j, false };
    const iv_loop loop = { .count = topics, .item = index_item, .user = &all };
    iv_problems_ended(problems, iv_parallel(&loop, work, NULL));
    return !all.repeats;
}

iv_docset iv_judgments_docset(const iv_judgments *j, size_t topic)
{
    const iv_topic_records *t = &j->grouped.topics[topic];

    return (iv_docset){ t->records, j->slots + j->first_slot[topic],
                        iv_docset_slots(t->count) - 1 };
}

const iv_judgment *iv_judgments_find(const iv_judgments *j, size_t topic, iv_str docno)
{
    const iv_docset set = iv_judgments_docset(j, topic);

    return iv_docset_find(&set, docno, (uint32_t)iv_hash(docno));
}

/* ------------------------------------------------------------ reading -- */

uint64_t iv_judgments_settle(iv_judgments *j, bool collect, const iv_work *work,
                             iv_problems *problems)
{
    iv_work room;

    if (problems->no_memory || (!collect && problems->errors > 0))
        return 0;
    if (iv_judgments_by_groups(j->format)) {
        const uint64_t repeats = iv_judgments_number(j, problems);
        if (!collect && !problems->no_memory)
            (void)index_all(j, work, problems);
        return repeats;
    }
    if (collect || !index_all(j, iv_work_for(&room, work, j->text.len), problems))
        return iv_find_duplicates(&j->grouped, sizeof(iv_judgment), j->text, name_of,
                                  j->format == IV_JUDGMENTS_QRELS && j->rows == 0, work, problems);
    return 0;
}

uint64_t iv_judgments_read(iv_judgments *j, iv_judgments_format format, bool collect,
                           const iv_work *work, size_t chunk_bytes, iv_problems *problems)
{
    iv_stage parsed, settled;

    j->text = iv_text_of(&j->bytes);
    if (!iv_text_usable(j->text, problems))
        return 0;
    j->format = format != IV_JUDGMENTS_ANY
        ? format : iv_judgments_format_told(j->text, problems);
    if (j->format == IV_JUDGMENTS_ANY)
        return 0;
    if (j->format == IV_JUDGMENTS_QRELS_JG || j->format == IV_JUDGMENTS_QRELS_PREFS)
        j->format = IV_JUDGMENTS_GROUPS;
    iv_judgments_group(&j->grouped, j->text, j->format, collect,
                       iv_work_part(&parsed, work, 0.0, 0.7), chunk_bytes, problems);
    if (!problems->no_memory && j->grouped.records == 0 && problems->errors == 0)
        iv_complain(problems, j->grouped.lines + (j->grouped.lines == 0), IV_ERROR,
                   "the file ends without a judgment, expected at least one");
    return iv_judgments_settle(j, collect, iv_work_part(&settled, work, 0.7, 1.0), problems);
}

void iv_judgments_forget(iv_judgments *j)
{
    iv_grouped_free(&j->grouped);
    free(j->slots);
    free(j->first_slot);
    j->slots = NULL;
    j->first_slot = NULL;
    j->format = IV_JUDGMENTS_ANY;
}

/* Takes over the bytes, also when it fails. */
static int judgments_from(iv_judgments **out, iv_bytes *bytes, const char *name,
                          iv_judgments_format format, const iv_work *work, iv_err *err)
{
    iv_problems problems = { .most = 1 };
    iv_judgments *j = calloc(1, sizeof *j);
    int rc;

    if (j == NULL) {
        iv_bytes_free(bytes);
        return iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    }
    j->bytes = *bytes;
    (void)iv_judgments_read(j, format, false, work, 0, &problems);
    if (problems.errors > 0 && !problems.no_memory) {
        /* Once more, for the first error of all and not of a thread's. */
        iv_judgments_forget(j);
        (void)iv_judgments_read(j, format, true, work, 0, &problems);
    }
    iv_problems_finish(&problems);
    rc = iv_problems_verdict(&problems, name, err);
    iv_problems_free(&problems);
    if (rc < 0)
        iv_judgments_free(j);
    else
        *out = j;
    return rc;
}

/* Are these lines judgments, as far as they can be read by themselves?  Of comments alone, and of
 * five fields that could be either, what follows says it. */
static bool are_sound(const iv_bytes *first, const void *format)
{
    iv_problems problems = { .most = 1 };
    iv_judgments j = { .bytes = *first };
    iv_str field;
    uint64_t line;
    const size_t fields = iv_first_fields(&field, 1, iv_text_of(first), true, &line);

    (void)iv_judgments_read(&j, *(const iv_judgments_format *)format, false, NULL, 0,
                            &problems);
    const bool sound = problems.errors == 0 || fields == 0
        || (fields == 5 && j.format == IV_JUDGMENTS_ANY);
    iv_judgments_forget(&j);
    iv_problems_free(&problems);
    return sound;
}

int iv_judgments_load(iv_judgments **out, const char *path, iv_judgments_format format,
                      const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_choice(format, iv_judgments_format_names(), "the format of the judgments", err));
    iv_bytes bytes;
    const int rc = iv_bytes_load_sound(&bytes, path, are_sound, &format, work, err);

    return rc < 0 ? rc : judgments_from(out, &bytes, path, format, work, err);
}

int iv_judgments_parse(iv_judgments **out, const char *name, const void *text, size_t len,
                       iv_judgments_format format, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_choice(format, iv_judgments_format_names(), "the format of the judgments", err));
    iv_bytes bytes;
    const int rc = iv_bytes_copy(&bytes, name, text, len, work, err);

    return rc < 0 ? rc : judgments_from(out, &bytes, name, format, work, err);
}

void iv_judgments_free(iv_judgments *j)
{
    if (j == NULL)
        return;
    iv_judgments_forget(j);
    iv_bytes_free(&j->bytes);
    free(j);
}

/* ------------------------------------------------------------- asking -- */

iv_judgments_format iv_judgments_format_of(const iv_judgments *j) { return j->format; }

uint64_t iv_judgments_bytes(const iv_judgments *j) { return j->bytes.stored; }

size_t iv_judgments_topics(const iv_judgments *j) { return j->grouped.topic_count; }

iv_str iv_judgments_topic(const iv_judgments *j, size_t topic)
{
    return j->grouped.topics[topic].id;
}

size_t iv_judgments_find_topic(const iv_judgments *j, iv_str id)
{
    return iv_grouped_find(&j->grouped, id);
}

size_t iv_judgments_of(const iv_judgment **out, const iv_judgments *j, size_t topic)
{
    *out = j->grouped.topics[topic].records;
    return j->grouped.topics[topic].count;
}

/* ------------------------------------------------------ lines of the file -- */

bool iv_judgments_next_comment(iv_comment *c, const iv_judgments *j)
{
    const char *const end = j->text.ptr + j->text.len;
    const char *p = j->text.ptr + c->at;

    while (p < end) {
        const char *lf = memchr(p, '\n', (size_t)(end - p));
        const char *stop = lf != NULL ? lf : end;
        c->line++;
        c->at = (size_t)((lf != NULL ? lf + 1 : end) - j->text.ptr);
        if (*p == '#' && c->line > j->rows) {
            while (stop > p && stop[-1] == '\r')
                stop--;
            c->text = (iv_str){ p, (size_t)(stop - p) };
            return true;
        }
        p = j->text.ptr + c->at;
    }
    return false;
}

uint64_t iv_judgments_line(const iv_judgments *j, const iv_judgment *judgment)
{
    uint64_t line = 1;

    for (const char *p = j->text.ptr; p < judgment->docno.ptr; p++)
        line += *p == '\n';
    return line;
}

int32_t iv_largest_grade(const iv_judgments *j)
{
    int32_t largest = 0;

    for (size_t t = 0; t < iv_judgments_topics(j); t++) {
        const iv_judgment *judged;
        const size_t count = iv_judgments_of(&judged, j, t);
        for (size_t i = 0; i < count; i++)
            largest = judged[i].grade > largest ? judged[i].grade : largest;
    }
    return largest;
}
