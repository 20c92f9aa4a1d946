/* SPDX-License-Identifier: Apache-2.0 */
#include "trec/chunks.h"

#include <stdlib.h>

#include "base/parallel.h"
#include "trec/topic_order.h"

/* Lines are much alike: the first tells about how many there are. */
static size_t guess_lines(const iv_chunk *c)
{
    const size_t bytes = (size_t)(c->end - c->begin);
    const char *stop = memchr(c->begin, '\n', bytes);

    return stop == NULL ? 1 : bytes / (size_t)(stop - c->begin + 1) + bytes / 512 + 1;
}

static bool grow_records(iv_chunk *c)
{
    const size_t capacity = c->capacity == 0 ? guess_lines(c)
                                             : c->capacity + c->capacity / 2 + 1;
    char *records = c->kept == NULL ? iv_alloc_filled(capacity, c->record_size)
        : capacity > SIZE_MAX / c->record_size ? NULL
        : iv_slabs_take(c->kept, capacity * c->record_size);

    if (records == NULL)
        return false;
    if (c->count > 0)
        memcpy(records, c->records, c->count * c->record_size);
    if (c->kept == NULL)
        free(c->records);
    c->records = records;
    c->capacity = capacity;
    return true;
}

iv_str iv_chunk_more_names(iv_chunk *c, iv_str name)
{
    enum { STEP = 1 << 16 };
    const size_t room = name.len > STEP ? name.len : STEP;

    c->name_room = iv_slabs_take(c->kept, room);
    c->name_left = c->name_room == NULL ? 0 : room;
    if (c->name_room != NULL)
        return iv_chunk_name(c, name);
    c->problems.no_memory = true;
    return (iv_str){ "", 0 };
}

bool iv_chunk_grow(iv_chunk *c, iv_str topic, bool new_segment)
{
    if (c->count == c->capacity && !grow_records(c))
        return false;
    if (!new_segment)
        return true;
    iv_segment *segments = iv_grow(c->segments, &c->segment_capacity,
                                   c->segment_count + 1, sizeof *segments);
    if (segments == NULL)
        return false;
    c->segments = segments;
    c->segments[c->segment_count++] = (iv_segment){ iv_chunk_name(c, topic), c->count, 0 };
    return !c->problems.no_memory;
}

/* Cuts text behind line ends into pieces of about chunk_bytes. */
static size_t cut(const char **begins, size_t most, iv_str text, size_t chunk_bytes)
{
    const char *at = text.ptr;
    const char *const end = text.ptr + text.len;
    size_t count = 0;

    while (at < end && count < most) {
        const char *stop = end;
        if (count + 1 < most && (size_t)(end - at) > chunk_bytes) {
            stop = memchr(at + chunk_bytes - 1, '\n', (size_t)(end - at) - chunk_bytes + 1);
            stop = stop == NULL ? end : stop + 1;
        }
        begins[count++] = at;
        at = stop;
    }
    begins[count] = end;
    return count;
}

/* How a topic's segments are spread; used while grouping only. */
typedef struct spread {
    size_t segments, records;
    const iv_segment *only; /* meaningful when it is one segment */
    const iv_chunk *chunk;  /* where that one is */
    char *place;            /* where the next gathered record goes */
} spread;

/* Topics by number, as they come. */
typedef struct numbering {
    iv_ids ids;
    bool follow;      /* topics follow each other, so that none comes again: only names are kept */
    bool by_bytes;    /* ... and in this order */
    size_t at;        /* of the last one found, while they are walked again */
} numbering;

static bool in_order(const iv_grouped *g, iv_topic_order order)
{
    iv_str last = { NULL, 0 };

    for (size_t i = 0; i < g->chunk_count; i++) {
        const iv_chunk *c = &g->chunks[i];
        for (size_t k = 0; k < c->segment_count; k++) {
            const int rises = last.ptr == NULL ? 1
                : iv_topic_compare(order, c->segments[k].topic, last);
            if (rises < 0 || (rises == 0 && k > 0)) /* a chunk may begin inside a topic */
                return false;
            last = c->segments[k].topic;
        }
    }
    return true;
}

static uint32_t add_next(iv_ids *ids, iv_str topic)
{
    if (ids->count > 0 && iv_str_eq(ids->names[ids->count - 1], topic))
        return (uint32_t)ids->count - 1;
    iv_str *names = ids->count >= IV_NO_ID - 1 ? NULL
        : iv_grow(ids->names, &ids->names_capacity, ids->count + 1, sizeof *names);
    if (names == NULL)
        return IV_NO_ID;
    ids->names = names;
    names[ids->count] = topic;
    return (uint32_t)ids->count++;
}

/* The number of a topic that was counted; of topics that follow each other in their order. */
static size_t find_again(numbering *n, iv_str topic)
{
    if (!n->follow)
        return iv_ids_find(&n->ids, topic);
    while (!iv_str_eq(n->ids.names[n->at], topic))
        n->at++;
    return n->at;
}

static uint32_t number_of(numbering *n, spread **spreads, size_t *capacity, iv_str topic)
{
    const uint32_t number = n->follow ? add_next(&n->ids, topic) : iv_ids_add(&n->ids, topic);

    if (number == IV_NO_ID)
        return number;
    if (number + 1 > *capacity) {
        const size_t old = *capacity;
        spread *grown = iv_grow(*spreads, capacity, number + 1, sizeof *grown);
        if (grown == NULL)
            return IV_NO_ID;
        memset(grown + old, 0, (*capacity - old) * sizeof *grown);
        *spreads = grown;
    }
    return number;
}

static bool count_segments(numbering *n, spread **spreads, const iv_grouped *g)
{
    size_t capacity = 0;

    for (size_t i = 0; i < g->chunk_count; i++) {
        const iv_chunk *c = &g->chunks[i];
        for (size_t k = 0; k < c->segment_count; k++) {
            const uint32_t t = number_of(n, spreads, &capacity, c->segments[k].topic);
            if (t == IV_NO_ID)
                return false;
            spread *s = &(*spreads)[t];
            *s = (spread){ s->segments + 1, s->records + c->segments[k].count,
                           &c->segments[k], c, NULL };
        }
    }
    return true;
}

static bool gather(iv_grouped *g, numbering *n, spread *spreads, size_t size)
{
    const iv_ids *ids = &n->ids;
    size_t scattered = 0;

    for (size_t t = 0; t < ids->count; t++)
        scattered += spreads[t].segments > 1 ? spreads[t].records : 0;
    if (scattered == 0)
        return true;
    g->gathered = iv_alloc_filled(scattered, size);
    if (g->gathered == NULL)
        return false;
    char *place = g->gathered;
    for (size_t t = 0; t < ids->count; t++) {
        if (spreads[t].segments > 1) {
            spreads[t].place = place;
            place += spreads[t].records * size;
        }
    }
    for (size_t i = 0; i < g->chunk_count; i++) {
        const iv_chunk *c = &g->chunks[i];
        for (size_t k = 0; k < c->segment_count; k++) {
            spread *s = &spreads[find_again(n, c->segments[k].topic)];
            if (s->segments == 1)
                continue;
            memcpy(s->place, c->records + c->segments[k].first * size,
                   c->segments[k].count * size);
            s->place += c->segments[k].count * size;
        }
    }
    return true;
}

static int by_id(const void *a, const void *b)
{
    return iv_str_cmp(((const iv_topic_records *)a)->id,
                      ((const iv_topic_records *)b)->id);
}

static bool group(iv_grouped *g, size_t size)
{
    numbering n = { .by_bytes = in_order(g, IV_ORDER_BYTES) };
    const iv_ids *ids = &n.ids;
    spread *spreads = NULL;

    n.follow = n.by_bytes || in_order(g, IV_ORDER_NUMBERS);
    bool ok = count_segments(&n, &spreads, g) && gather(g, &n, spreads, size);
    if (ok && ids->count > 0) {
        g->topics = malloc(ids->count * sizeof *g->topics);
        ok = g->topics != NULL;
    }
    if (ok) {
        g->topic_count = ids->count;
        for (size_t t = 0; t < ids->count; t++) {
            const spread *s = &spreads[t];
            char *records = s->segments == 1 ? s->chunk->records + s->only->first * size
                                             : s->place - s->records * size;
            g->topics[t] = (iv_topic_records){ ids->names[t], records, s->records };
        }
        if (ids->count > 0 && !n.by_bytes)
            qsort(g->topics, ids->count, sizeof *g->topics, by_id);
    }
    free(spreads);
    iv_ids_free(&n.ids);
    return ok;
}

/* Small enough that somebody who waits can stop it, large enough to be few. */
static size_t choose_chunk(size_t len, const iv_work *work)
{
    enum { SMALLEST = 1 << 16, LARGEST = 1 << 22, PER_THREAD = 2 };
    const size_t share = len / ((size_t)iv_work_threads(work) * PER_THREAD) + SMALLEST;

    return share < LARGEST ? share : LARGEST;
}

/* A whole text, and where its chunks begin: one more than there are. */
typedef struct parsing {
    iv_grouping all;
    const char **begins;
} parsing;

static int parse_chunk(void *user, void *memory, size_t i, iv_err *err)
{
    parsing *p = user;

    (void)memory, (void)err; /* what is wrong is told in the chunk's list */
    iv_group_chunk(&p->all, i, (iv_str){ p->begins[i], (size_t)(p->begins[i + 1] - p->begins[i]) });
    return IV_OK;
}

static void add_up(iv_grouped *g, iv_problems *problems)
{
    for (size_t i = 0; i < g->chunk_count; i++) {
        iv_chunk *c = &g->chunks[i];
        iv_problems_append(problems, &c->problems, g->lines);
        g->lines += c->lines;
        g->empty_lines += c->empty_lines;
        g->comment_lines += c->comment_lines;
        g->records += c->count;
        iv_problems_free(&c->problems);
    }
}

bool iv_group_room(iv_grouping *all, size_t count)
{
    iv_grouped *g = &all->g;
    iv_chunk *chunks = iv_grow(g->chunks, &all->chunk_room, count, sizeof *chunks);

    if (chunks == NULL)
        return false;
    g->chunks = chunks;
    for (; g->chunk_count < count; g->chunk_count++)
        chunks[g->chunk_count] = (iv_chunk){ .record_size = all->record_size,
                                             .kept = all->keep ? &g->kept : NULL,
                                             .problems = { .most = all->most } };
    return true;
}

void iv_group_chunk(iv_grouping *all, size_t i, iv_str lines)
{
    iv_chunk *c = &all->g.chunks[i];

    c->begin = lines.ptr;
    c->end = lines.ptr + lines.len;
    all->parse(c, all->how);
}

void iv_group_finish(iv_grouped *out, iv_grouping *all, iv_problems *problems)
{
    add_up(&all->g, problems);
    if (!problems->no_memory)
        problems->no_memory = !group(&all->g, all->record_size);
    for (size_t i = 0; i < all->g.chunk_count; i++)
        all->g.chunks[i].kept = NULL; /* which is elsewhere from now on */
    *out = all->g;
    all->g = (iv_grouped){ 0 };
}

void iv_group_records(iv_grouped *out, iv_str text, size_t record_size,
                      iv_chunk_parser *parse, const void *how, const iv_work *work,
                      size_t chunk_bytes, iv_problems *problems)
{
    iv_work room;
    parsing p = { .all = { .record_size = record_size, .parse = parse, .how = how,
                           .most = problems->most } };

    if (chunk_bytes == 0) {
        work = iv_work_for(&room, work, text.len);
        chunk_bytes = choose_chunk(text.len, work);
    }
    const size_t slots = text.len / chunk_bytes + 2;
    p.begins = malloc((slots + 1) * sizeof *p.begins);
    const size_t count = p.begins == NULL ? 0 : cut(p.begins, slots, text, chunk_bytes);
    if (p.begins == NULL || !iv_group_room(&p.all, count)) {
        problems->no_memory = true;
    } else {
        const iv_loop loop = { .count = count, .item = parse_chunk, .user = &p };
        iv_problems_ended(problems, iv_parallel(&loop, work, NULL));
    }
    free(p.begins);
    iv_group_finish(out, &p.all, problems);
}

void iv_grouped_free(iv_grouped *g)
{
    for (size_t i = 0; i < g->chunk_count; i++) {
        if (g->kept.last == NULL)
            free(g->chunks[i].records);
        free(g->chunks[i].segments);
        iv_problems_free(&g->chunks[i].problems);
    }
    iv_slabs_free(&g->kept);
    free(g->chunks);
    free(g->gathered);
    free(g->topics);
    *g = (iv_grouped){ 0 };
}

size_t iv_grouped_find(const iv_grouped *g, iv_str id)
{
    size_t low = 0, high = g->topic_count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = iv_str_cmp(id, g->topics[middle].id);
        if (order == 0)
            return middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return IV_NONE;
}

uint64_t iv_line_of(iv_str text, const char *at)
{
    uint64_t line = 1;
    const char *p = text.ptr;

    while (p < at && (p = memchr(p, '\n', (size_t)(at - p))) != NULL) {
        line++;
        p++;
    }
    return line;
}
