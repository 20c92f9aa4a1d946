/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/trec.h beside what programs do. */
#ifndef IV_TREC_SORTING_PRIVATE_H
#define IV_TREC_SORTING_PRIVATE_H

#include "intervale/trec.h"

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

#endif /* IV_TREC_SORTING_PRIVATE_H */
