/* SPDX-License-Identifier: Apache-2.0 */
/* Large files sorted by topic: sorting them, and finding topics in them without reading all. */
#ifndef IV_TREC_SORTED_FILE_H
#define IV_TREC_SORTED_FILE_H

#include "base/reader.h"
#include "intervale/trec/sorted_lines.h"
#include "trec/topic_order.h"

/*
 * Writes the lines of a file ("-": standard input), unpacked if it is gzip or zstd, in the order
 * of their first field by bytes; lines of a topic stay as they were.  Lines without a topic
 * (comments, empty ones, the header of BEIR files) come first.  A last line gets its line end; a
 * byte-order mark is left out.
 * IV_EIO, also when a disk is full; IV_EPARSE for damaged packed data and for a line that does
 * not fit into memory.  Time is linear in the bytes, but for topics that share their first bytes.
 * found and how may be NULL.
 */
IV_MUST_CHECK int iv_sort_lines(FILE *out, const char *path, const iv_sorting *how,
                                       iv_sorted_lines *found, const iv_work *work, iv_err *err);

/* Files sorted by topic, read through a buffer. */

/* IV_EPARSE at the line of the first NUL byte in the buffer, as the readers tell it. */
IV_MUST_CHECK int iv_sorted_is_text(const iv_reader *f, iv_err *err);

/* A file for reading and writing that is gone when it is closed; NULL: errno. */
FILE *iv_nameless_file(const char *folder);

/* The topic of the first, or the last, line that has one; empty: there is none. */
iv_str iv_first_topic(iv_str lines);
iv_str iv_last_topic(iv_str lines);

/* The end of the lines whose topic comes before this one: lines are whole, and sorted. */
size_t iv_topics_before(iv_str lines, iv_topic_order order, iv_str topic);

#endif
