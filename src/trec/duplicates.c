/* SPDX-License-Identifier: Apache-2.0 */
/* Finds documents that stand twice in a topic. */
#include "base/hash.h"
#include "base/ids.h"
#include "base/lines.h"
#include "base/memory.h"
#include "trec/chunks.h"
#include "trec/duplicates.h"
#include "trec/fields.h"
#include "trec/problems.h"

#include <stdlib.h>

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
    bool qrels;
} repeats;

/* Adds those of a topic; false: memory is out. */
static bool search_topic(repeats *found, const iv_topic_records *t, size_t topic,
                         size_t record_size, iv_docno_of *docno_of)
{
    iv_ids seen = { 0 };
    bool ok = true;

    for (size_t i = 0; i < t->count && ok; i++) {
        const iv_str docno = docno_of((const char *)t->records + i * record_size);
        const size_t before = seen.count;
        const uint32_t id = iv_ids_add(&seen, docno);
        const bool repeated = id != IV_NO_ID && seen.count == before;
        ok = id != IV_NO_ID
            && (!repeated || IV_ROOM(found->items, found->capacity, found->count + 1));
        if (repeated && ok)
            found->items[found->count++] = (repeat){ docno, seen.names[id].ptr, 0, topic };
    }
    iv_ids_free(&seen);
    return ok;
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
    *line += iv_lines_in((iv_str){ *at, (size_t)(to - *at) });
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
static bool groups_differ(const repeats *found, const repeat *r)
{
    return found->qrels && !iv_str_eq(iv_field_before(r->docno.ptr), iv_field_before(r->first));
}

static void tell(iv_problems *problems, const iv_grouped *g, const repeats *found, iv_str text)
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
                   "document %s of topic %s is a duplicate of line %llu%s; expected one line per "
                   "document%s",
                   iv_quote(docno, r->docno), iv_quote(topic, g->topics[r->topic].id),
                   (unsigned long long)r->first_line,
                   groups_differ(found, r) ? " with another second column" : "",
                   groups_differ(found, r) ? " unless they are in groups (subtopics, judges)"
                       IV_HINT("; --judgments-format groups reads them so, as do measures of "
                               "subtopics, such as -m alpha_nDCG@20") : "");
    }
}

uint64_t iv_find_duplicates(const iv_grouped *g, size_t record_size, iv_str text,
                            iv_docno_of *docno_of, bool qrels, const iv_work *work,
                            iv_problems *problems)
{
    repeats found = { .qrels = qrels };

    for (size_t t = 0; t < g->topic_count && iv_problems_go_on(problems, work); t++)
        if (!search_topic(&found, &g->topics[t], t, record_size, docno_of))
            problems->no_memory = true;
    if (found.count > 0) {
        iv_problems own = { .most = problems->most };
        if (own.most > 0) /* else they are counted, and there may be no text */
            number_first(&found, text);
        qsort(found.items, found.count, sizeof *found.items, by_place);
        tell(&own, g, &found, text);
        iv_problems_append(problems, &own, 0);
        iv_problems_free(&own);
    }
    const uint64_t count = found.count;
    free(found.items);
    return count;
}
