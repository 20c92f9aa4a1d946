/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order in which a sample is to be judged.  Within a bucket it is random, so that the first
 * of a bucket's documents are a random choice of those drawn from it; buckets take turns in
 * proportion, so that soon each has a judged document.  What is certain comes first: a topic says
 * nothing before all of it is judged.
 */
#include "design/sampling_state.h"

#include <stdlib.h>

typedef struct placed {
    size_t document;
    uint32_t bucket;
    double turn;   /* -1: certain */
    uint64_t tie;
} placed;

static int by_bucket(const void *va, const void *vb)
{
    const placed *a = va, *b = vb;

    if (a->bucket != b->bucket)
        return a->bucket < b->bucket ? -1 : 1;
    return a->tie < b->tie ? -1 : a->tie > b->tie;
}

static int by_turn(const void *va, const void *vb)
{
    const placed *a = va, *b = vb;

    if (a->turn != b->turn)
        return a->turn < b->turn ? -1 : 1;
    return a->tie < b->tie ? -1 : a->tie > b->tie;
}

int iv_sample_order(iv_drawn_topic *t, iv_stream *stream, iv_err *err)
{
    placed *all = malloc((t->count + 1) * sizeof *all);
    size_t n = 0;

    t->order = malloc((t->count + 1) * sizeof *t->order);
    if (all == NULL || t->order == NULL) {
        free(all);
        return iv_no_memory(err);
    }
    for (size_t i = 0; i < t->count; i++)
        if (t->all[i].grade < 0)
            all[n++] = (placed){ i, t->all[i].bucket, -1.0, iv_draw_bits(stream) };
    qsort(all, n, sizeof *all, by_bucket);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first; end < n && all[end].bucket == all[first].bucket; end++)
            ;
        for (size_t i = first; i < end && all[first].bucket != IV_FIXED; i++)
            all[i].turn = (double)(i - first) / (double)(end - first);
    }
    for (size_t i = 0; i < n; i++)
        all[i].tie = iv_draw_bits(stream); /* the order within a bucket is settled */
    qsort(all, n, sizeof *all, by_turn);
    for (size_t i = 0; i < n; i++)
        t->order[i] = all[i].document;
    t->order_count = n;
    free(all);
    return IV_OK;
}
