/* SPDX-License-Identifier: Apache-2.0 */
#include "trec/duplicates.h"

#include <stdlib.h>

#include "base/parallel.h"
#include "trec/docset.h"
#include "trec/fields.h"

/* A repetition: where the docno stands again, where first, in which topic. */
typedef struct repeat {
    iv_str docno;
    const char *first;
    uint64_t first_line;
    size_t topic;
} repeat;

typedef struct repeats {
    repeat *items;
    size_t count, capacity;
    bool no_memory;
} repeats;

/* How to look at the records, and what was found. */
typedef struct view {
    const iv_grouped *g;
    size_t record_size;
    iv_docno_of *docno_of;
    size_t longest;
    repeats *found;
    bool qrels;
} view;

static iv_str docno_at(const view *v, size_t topic, size_t i)
{
    const char *records = v->g->topics[topic].records;
    return v->docno_of(records + i * v->record_size);
}

static void note_repeat(repeats *found, repeat r)
{
    iv_lock();
    repeat *items = iv_grow(found->items, &found->capacity, found->count + 1, sizeof *items);
    if (items == NULL) {
        found->no_memory = true;
    } else {
        found->items = items;
        found->items[found->count++] = r;
    }
    iv_unlock();
}

/* slots has room for the topic. */
static void search_topic(repeats *found, const view *v, size_t topic, iv_slot *slots)
{
    const size_t count = v->g->topics[topic].count;
    const size_t slot_count = iv_docset_slots(count);
    const size_t mask = slot_count - 1;

    memset(slots, 0, slot_count * sizeof *slots);
    for (size_t i = 0; i < count; i++) {
        const iv_str docno = docno_at(v, topic, i);
        const uint32_t hash = (uint32_t)iv_hash(docno);
        size_t s = hash & mask;
        for (; slots[s].index != 0; s = (s + 1) & mask) {
            if (slots[s].hash != hash)
                continue;
            const iv_str other = docno_at(v, topic, slots[s].index - 1);
            if (iv_str_eq(other, docno)) {
                note_repeat(found, (repeat){ docno, other.ptr, 0, topic });
                break;
            }
        }
        if (slots[s].index == 0)
            slots[s] = (iv_slot){ hash, (uint32_t)i + 1 };
    }
}

static int by_place(const void *a, const void *b)
{
    const char *x = ((const repeat *)a)->docno.ptr;
    const char *y = ((const repeat *)b)->docno.ptr;
    return (x > y) - (x < y);
}

static int by_first(const void *a, const void *b)
{
    const char *x = ((const repeat *)a)->first;
    const char *y = ((const repeat *)b)->first;
    return (x > y) - (x < y);
}

/* Counts lines onwards: *line is the line of *at, and becomes that of `to`. */
static uint64_t count_on(uint64_t *line, const char **at, const char *to)
{
    *line += iv_line_of((iv_str){ *at, (size_t)(to - *at) }, to) - 1;
    *at = to;
    return *line;
}

/* Finds the lines of the first places, in one walk however many there are. */
static void number_first(repeats *found, iv_str text)
{
    const char *at = text.ptr;
    uint64_t line = 1;

    qsort(found->items, found->count, sizeof *found->items, by_first);
    for (size_t i = 0; i < found->count; i++)
        found->items[i].first_line = count_on(&line, &at, found->items[i].first);
}

/* Do the two lines name groups, and others? */
static bool groups_differ(const view *v, const repeat *r)
{
    return v->qrels && !iv_str_eq(iv_field_before(r->docno.ptr), iv_field_before(r->first));
}

static void tell(iv_problems *problems, const view *v, const repeats *found, iv_str text)
{
    const char *at = text.ptr;
    uint64_t line = 1;

    for (size_t i = 0; i < found->count; i++) {
        const repeat *r = &found->items[i];
        char docno[IV_QUOTE_SIZE], topic[IV_QUOTE_SIZE];
        if (problems->count == problems->most) {
            problems->errors += found->count - i; /* counted, not listed */
            return;
        }
        (void)count_on(&line, &at, r->docno.ptr);
        iv_complain(problems, line, IV_ERROR,
                   "document %s again in topic %s, first on line %llu%s, expected each once%s",
                   iv_quote(docno, r->docno), iv_quote(topic, v->g->topics[r->topic].id),
                   (unsigned long long)r->first_line,
                   groups_differ(v, r) ? " with another second column" : "",
                   groups_differ(v, r) ? " unless they are by groups (subtopics, judges)"
                       IV_HINT("; --judgments-format groups reads them so, and measures of "
                               "subtopics, such as -m alpha_nDCG@20") : "");
    }
}

static void *new_slots(iv_arena *own, void *user)
{
    return iv_arena_alloc(own, iv_docset_slots(((const view *)user)->longest) * sizeof(iv_slot));
}

static int search_item(void *user, void *memory, size_t topic, iv_err *err)
{
    const view *v = user;

    (void)err;
    search_topic(v->found, v, topic, memory);
    return IV_OK;
}

uint64_t iv_find_duplicates(const iv_grouped *g, size_t record_size, iv_str text,
                            iv_docno_of *docno_of, bool qrels, const iv_work *work,
                            iv_problems *problems)
{
    repeats found = { NULL, 0, 0, false };
    view v = { g, record_size, docno_of, 0, &found, qrels };
    const iv_loop loop = { g->topic_count, search_item, &v, new_slots };
    iv_work room;

    for (size_t t = 0; t < g->topic_count; t++)
        v.longest = g->topics[t].count > v.longest ? g->topics[t].count : v.longest;
    iv_problems_ended(problems, iv_parallel(&loop, iv_work_for(&room, work, text.len), NULL));
    problems->no_memory = problems->no_memory || found.no_memory;
    if (found.count > 0) {
        iv_problems own = { .most = problems->most };
        if (own.most > 0) /* else they are counted, and there may be no text */
            number_first(&found, text);
        qsort(found.items, found.count, sizeof *found.items, by_place);
        tell(&own, &v, &found, text);
        iv_problems_append(problems, &own, 0);
        iv_problems_free(&own);
    }
    const uint64_t count = found.count;
    free(found.items);
    return count;
}
