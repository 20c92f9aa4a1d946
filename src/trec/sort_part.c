/* SPDX-License-Identifier: Apache-2.0 */
#include "trec/sort_part.h"

#include <stdlib.h>
#include <string.h>

#include "base/ids.h"
#include "trec/fields.h"
#include "trec/judgments_lines.h"

/* The topic of the line from p to end; empty: it has none. */
static iv_str topic_of(const char *p, const char *end, bool *headed)
{
    iv_str fields[3];

    while (p < end && iv_is_blank(*p))
        p++;
    if (p == end || *p == '\n' || *p == '#')
        return (iv_str){ p, 0 };
    const iv_str topic = { p, (size_t)(iv_field_end(p, end) - p) };
    if (*headed)
        return topic;
    *headed = true;
    const char *line = p;
    return iv_is_beir_header(fields, iv_split_line(fields, 3, &line, end)) ? (iv_str){ p, 0 } : topic;
}

bool iv_sort_part_add(iv_sort_part *p, iv_str lines)
{
    const char *at = lines.ptr, *const end = lines.ptr + lines.len;
    iv_str last = { NULL, 0 };

    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop == NULL ? end : stop + 1;
        p->lines++;
        /* As most lines, it begins like the one before it. */
        if (last.len > 0 && (size_t)(stop - at) > last.len && iv_is_blank(at[last.len])
            && iv_str_eq((iv_str){ at, last.len }, last)) {
            p->at[p->count - 1].len += (size_t)(stop - at);
            at = stop;
            continue;
        }
        const iv_str topic = topic_of(at, stop, &p->headed);
        iv_stretch *grown = iv_grow(p->at, &p->capacity, p->count + 1, sizeof *grown);
        if (grown == NULL)
            return false;
        p->at = grown;
        p->at[p->count++] = (iv_stretch){ 0, at, (uint32_t)(topic.ptr - at), (uint32_t)topic.len,
                                          (size_t)(stop - at) };
        last = topic.ptr == at ? topic : (iv_str){ NULL, 0 };
        at = stop;
    }
    return true;
}

/* How many bytes all topics begin with. */
static size_t shared_bytes(const iv_sort_part *p)
{
    iv_str first = { NULL, 0 };
    size_t shared = 0;

    for (size_t i = 0; i < p->count; i++) {
        const iv_str topic = iv_stretch_topic(&p->at[i]);
        if (topic.len == 0)
            continue;
        if (first.ptr == NULL) {
            first = topic;
            shared = topic.len;
        }
        size_t k = 0;
        while (k < shared && k < topic.len && topic.ptr[k] == first.ptr[k])
            k++;
        shared = k;
    }
    return shared;
}

/* Eight bytes behind those that all share; none is below all. */
static uint64_t key_of(iv_str topic, size_t shared)
{
    uint64_t key = 0;

    for (size_t k = shared; k < shared + 8; k++)
        key = key << 8 | (k < topic.len ? (unsigned char)topic.ptr[k] : 0);
    return key;
}

static void radix_sort(iv_sort_part *p)
{
    enum { BITS = 11, VALUES = 1 << BITS, DIGITS = (64 + BITS - 1) / BITS };
    static const uint64_t mask = VALUES - 1;

    for (unsigned d = 0; d < DIGITS; d++) {
        size_t places[VALUES] = { 0 }, at = 0;
        for (size_t i = 0; i < p->count; i++)
            places[p->at[i].key >> BITS * d & mask]++;
        if (places[p->at[0].key >> BITS * d & mask] == p->count)
            continue;
        for (size_t v = 0; v < VALUES; v++) {
            const size_t count = places[v];
            places[v] = at;
            at += count;
        }
        for (size_t i = 0; i < p->count; i++)
            p->scratch[places[p->at[i].key >> BITS * d & mask]++] = p->at[i];
        iv_stretch *swap = p->at;
        p->at = p->scratch;
        p->scratch = swap;
    }
}

/* By topic, then as they came. */
static int by_topic(const void *a, const void *b)
{
    const iv_stretch *x = a, *y = b;
    const int order = iv_str_cmp(iv_stretch_topic(x), iv_stretch_topic(y));

    return order != 0 ? order : (x->at > y->at) - (x->at < y->at);
}

bool iv_sort_part_sort(iv_sort_part *p, bool *sorted)
{
    bool rises = true;

    for (size_t i = 1; i < p->count && rises; i++)
        rises = iv_str_cmp(iv_stretch_topic(&p->at[i - 1]), iv_stretch_topic(&p->at[i])) <= 0;
    if (rises)
        return true;
    *sorted = false;
    p->scratch = malloc(p->capacity * sizeof *p->scratch); /* it takes the other's place */
    if (p->scratch == NULL)
        return false;
    const size_t shared = shared_bytes(p);
    for (size_t i = 0; i < p->count; i++)
        p->at[i].key = p->at[i].topic_len == 0 ? 0 : key_of(iv_stretch_topic(&p->at[i]), shared);
    radix_sort(p);
    for (size_t i = 0, end; i < p->count; i = end) {
        bool longer = false;
        for (end = i; end < p->count && p->at[end].key == p->at[i].key; end++)
            longer = longer || p->at[end].topic_len > shared + 8 || p->at[end].topic_len <= shared;
        if (longer && end - i > 1)
            qsort(p->at + i, end - i, sizeof *p->at, by_topic);
    }
    free(p->scratch);
    p->scratch = NULL;
    return true;
}

void iv_sort_part_free(iv_sort_part *p)
{
    free(p->at);
    free(p->scratch);
    *p = (iv_sort_part){ 0 };
}
