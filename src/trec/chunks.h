/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text cut into chunks of whole lines, which threads parse, and their records by topic.
 *
 * A text file of records that belong to topics, read by all cores.
 *
 * The file is cut into chunks of whole lines.  Each chunk is parsed by itself
 * into an array of records and a list of segments, maximal stretches of one
 * topic; then the segments of a topic are put together in the order of the
 * file.  A topic that is one segment, as nearly all are, stays where it was
 * parsed.  How the file was cut leaves no trace in the result.
 */
#ifndef IV_TREC_CHUNKS_H
#define IV_TREC_CHUNKS_H

#include "base/hash.h"
#include "base/lines.h"
#include "trec/problems.h"

typedef struct iv_segment {
    iv_str topic;
    size_t first, count; /* in the chunk's records */
    uint32_t number;     /* of the topic; while grouping */
} iv_segment;

typedef struct iv_chunk iv_chunk;

/* Parses a chunk, to its end whatever is wrong with lines. */
typedef void iv_chunk_parser(iv_chunk *c, const void *how);

struct iv_chunk {
    iv_chunk_parser *parse;
    const void *how;
    const char *begin, *end; /* whole lines */
    uint64_t lines;          /* read so far, the empty ones too */
    uint64_t empty_lines, comment_lines;
    iv_str tag;              /* of a run: the first line's ... */
    bool other_tag;          /* ... and whether another line has another */
    char *records;
    size_t record_size, count, capacity;
    iv_segment *segments;
    size_t segment_count, segment_capacity;
    iv_problems problems;    /* lines counted from the chunk's first */
};

/* True after an error: a topic or document of more than IV_LONGEST_ID bytes is none. */
enum { IV_LONGEST_ID = 4096 };
static inline bool iv_refuse_long_id(iv_chunk *c, iv_str topic, iv_str docno)
{
    if (topic.len <= IV_LONGEST_ID && docno.len <= IV_LONGEST_ID)
        return false;
    iv_complain(&c->problems, c->lines, IV_ERROR, "a %s of %zu bytes, expected at most %d",
                topic.len > IV_LONGEST_ID ? "topic" : "docno",
                topic.len > IV_LONGEST_ID ? topic.len : docno.len, IV_LONGEST_ID);
    return true;
}

bool iv_chunk_grow(iv_chunk *c, iv_str topic, bool new_segment);

/* Is the topic that of the chunk's last record? */
static inline bool iv_chunk_goes_on(const iv_chunk *c, iv_str topic)
{
    return c->segment_count > 0 && iv_str_eq(c->segments[c->segment_count - 1].topic, topic);
}

/*
 * A new record of a topic, to be filled in; NULL when memory is out.  new_segment: the
 * topic is not that of the last record.
 */
static inline void *iv_chunk_add(iv_chunk *c, iv_str topic, bool new_segment)
{
    if ((new_segment || c->count == c->capacity)
        && !iv_chunk_grow(c, topic, new_segment)) {
        c->problems.no_memory = true;
        return NULL;
    }
    c->segments[c->segment_count - 1].count++;
    return c->records + c->record_size * c->count++;
}

/* All records of a topic, in the order of the file. */
typedef struct iv_topic_records {
    iv_str id; /* first: it is what is searched for */
    void *records;
    size_t count;
    size_t segments; /* in which the file has them */
} iv_topic_records;

/* A file put together; topics in byte order. */
typedef struct iv_grouped {
    iv_topic_records *topics;
    size_t topic_count;
    uint64_t lines, empty_lines, comment_lines, records;
    iv_chunk *chunks; /* own the records of topics that are one segment */
    size_t chunk_count;
    char *gathered;   /* owns the others */
} iv_grouped;

/*
 * Parses text in chunks of about chunk_bytes (0 = choose) and groups the records by
 * topic.  Problems go to the list, unsorted; the result is whole only if the list has no error.
 */
void iv_group_records(iv_grouped *out, iv_str text, size_t record_size,
                      iv_chunk_parser *parse, const void *how, const iv_work *work,
                      size_t chunk_bytes, iv_problems *problems);

void iv_grouped_free(iv_grouped *g);

/* The index of the topic with this id, or IV_NONE. */
size_t iv_grouped_find(const iv_grouped *g, iv_str id);

/* The line, from 1, of the byte at `at`. */
static inline uint64_t iv_line_of(iv_str text, const char *at)
{
    return 1 + iv_lines_in((iv_str){ text.ptr, (size_t)(at - text.ptr) });
}

#endif
