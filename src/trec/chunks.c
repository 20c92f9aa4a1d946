/* SPDX-License-Identifier: Apache-2.0 */
#include "trec/chunks.h"

#include <stdlib.h>

#include "base/parallel.h"

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
    char *records = iv_alloc_filled(capacity, c->record_size);

    if (records == NULL)
        return false;
    if (c->count > 0)
        memcpy(records, c->records, c->count * c->record_size);
    free(c->records);
    c->records = records;
    c->capacity = capacity;
    return true;
}

bool iv_chunk_grow(iv_chunk *c, iv_str topic, bool new_segment)
{
    if (c->count == c->capacity && !grow_records(c))
        return false;
    if (!new_segment)
        return true;
    if (!IV_ROOM(c->segments, c->segment_capacity, c->segment_count + 1))
        return false;
    c->segments[c->segment_count++] = (iv_segment){ topic, c->count, 0, 0 };
    return true;
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
    char *place; /* the records of the only segment, or where the next gathered one goes */
} spread;

/* Numbers topics as they come, and counts their segments. */
static bool count_segments(iv_ids *ids, spread **spreads, const iv_grouped *g)
{
    size_t capacity = 0;

    for (size_t i = 0; i < g->chunk_count; i++) {
        const iv_chunk *c = &g->chunks[i];
        for (size_t k = 0; k < c->segment_count; k++) {
            iv_segment *s = &c->segments[k];
            const size_t known = ids->count;
            s->number = iv_ids_add(ids, s->topic);
            if (s->number == IV_NO_ID || !IV_ROOM(*spreads, capacity, ids->count))
                return false;
            spread *t = &(*spreads)[s->number];
            if (ids->count > known)
                *t = (spread){ 0 };
            *t = (spread){ t->segments + 1, t->records + s->count,
                           c->records + s->first * c->record_size };
        }
    }
    return true;
}

static bool gather(iv_grouped *g, spread *spreads, size_t topics, size_t size)
{
    size_t scattered = 0;

    for (size_t t = 0; t < topics; t++)
        scattered += spreads[t].segments > 1 ? spreads[t].records : 0;
    if (scattered == 0)
        return true;
    g->gathered = iv_alloc_filled(scattered, size);
    if (g->gathered == NULL)
        return false;
    char *place = g->gathered;
    for (size_t t = 0; t < topics; t++) {
        if (spreads[t].segments > 1) {
            spreads[t].place = place;
            place += spreads[t].records * size;
        }
    }
    for (size_t i = 0; i < g->chunk_count; i++) {
        const iv_chunk *c = &g->chunks[i];
        for (size_t k = 0; k < c->segment_count; k++) {
            const iv_segment *s = &c->segments[k];
            spread *t = &spreads[s->number];
            if (t->segments == 1)
                continue;
            memcpy(t->place, c->records + s->first * size, s->count * size);
            t->place += s->count * size;
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
    iv_ids ids = { 0 };
    spread *spreads = NULL;
    bool ok = count_segments(&ids, &spreads, g) && gather(g, spreads, ids.count, size);

    if (ok && ids.count > 0) {
        g->topics = malloc(ids.count * sizeof *g->topics);
        ok = g->topics != NULL;
    }
    bool sorted = true;
    for (size_t t = 0; ok && t < ids.count; t++) {
        const spread *s = &spreads[t];
        sorted = sorted && (t == 0 || iv_str_cmp(ids.names[t - 1], ids.names[t]) < 0);
        g->topics[t] = (iv_topic_records){
            ids.names[t], s->segments == 1 ? s->place : s->place - s->records * size, s->records };
    }
    g->topic_count = ok ? ids.count : 0;
    if (!sorted)
        qsort(g->topics, ids.count, sizeof *g->topics, by_id);
    free(spreads);
    iv_ids_free(&ids);
    return ok;
}

/* Small enough that somebody who waits can stop it, large enough to be few. */
static size_t choose_chunk(size_t len, const iv_work *work)
{
    enum { SMALLEST = 1 << 16, LARGEST = 1 << 22, PER_THREAD = 2 };
    const size_t share = len / ((size_t)iv_work_threads(work) * PER_THREAD) + SMALLEST;

    return share < LARGEST ? share : LARGEST;
}

static int parse_chunk(void *user, void *memory, size_t i, iv_err *err)
{
    iv_chunk *c = (iv_chunk *)user + i;

    (void)memory, (void)err; /* what is wrong is told in the chunk's list */
    c->parse(c, c->how);
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

void iv_group_records(iv_grouped *out, iv_str text, size_t record_size,
                      iv_chunk_parser *parse, const void *how, const iv_work *work,
                      size_t chunk_bytes, iv_problems *problems)
{
    iv_grouped g = { 0 };
    iv_work room;

    if (chunk_bytes == 0) {
        work = iv_work_for(&room, work, text.len);
        chunk_bytes = choose_chunk(text.len, work);
    }
    const size_t slots = text.len / chunk_bytes + 2;
    const char **begins = malloc((slots + 1) * sizeof *begins); /* one more than there are */
    g.chunks = calloc(slots, sizeof *g.chunks);
    if (begins == NULL || g.chunks == NULL) {
        problems->no_memory = true;
    } else {
        g.chunk_count = cut(begins, slots, text, chunk_bytes);
        for (size_t i = 0; i < g.chunk_count; i++)
            g.chunks[i] = (iv_chunk){ .parse = parse, .how = how, .begin = begins[i],
                                      .end = begins[i + 1], .record_size = record_size,
                                      .problems = { .most = problems->most } };
        const iv_loop loop = { .count = g.chunk_count, .item = parse_chunk, .user = g.chunks };
        iv_problems_ended(problems, iv_parallel(&loop, work, NULL));
    }
    free(begins);
    add_up(&g, problems);
    if (!problems->no_memory)
        problems->no_memory = !group(&g, record_size);
    *out = g;
}

void iv_grouped_free(iv_grouped *g)
{
    for (size_t i = 0; i < g->chunk_count; i++) {
        free(g->chunks[i].records);
        free(g->chunks[i].segments);
        iv_problems_free(&g->chunks[i].problems);
    }
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
