/* SPDX-License-Identifier: Apache-2.0 */
/* Lines in memory, by topic: stretches of lines of one topic are sorted, not lines. */
#ifndef IV_TREC_SORT_PART_H
#define IV_TREC_SORT_PART_H

#include <stdio.h>

#include "base/memory.h"

/* Lines of one topic that follow each other. */
typedef struct iv_stretch {
    uint64_t key; /* the first eight bytes of the topic: most are told apart without a look at it */
    const char *at;
    uint32_t topic_at, topic_len; /* in the first line */
    size_t len;
} iv_stretch;

typedef struct iv_sort_part {
    iv_stretch *at;
    size_t count, capacity;
    uint64_t lines;
    bool headed; /* a BEIR header was seen, or cannot come any more */
} iv_sort_part;

static inline iv_str iv_stretch_topic(const iv_stretch *s)
{
    return (iv_str){ s->at + s->topic_at, s->topic_len };
}

/* A file for reading and writing that is gone when it is closed; NULL: errno. */
FILE *iv_nameless_file(const char *folder);

#endif /* IV_TREC_SORT_PART_H */
