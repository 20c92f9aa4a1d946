/* SPDX-License-Identifier: Apache-2.0 */
/* What other modules use of judgments beside what programs do. */
#ifndef IV_TREC_JUDGMENTS_H
#define IV_TREC_JUDGMENTS_H

#include "intervale/trec/relevance_judgments.h"

/*
 * Reads judgments, from a file or from memory, as iv_run_load() and
 * iv_run_parse() do.  A line that begins with # is a comment.  IV_EPARSE also
 * for a file of five fields that could be in either format, when none is given.
 */
IV_MUST_CHECK int iv_judgments_load(iv_judgments **out, const char *path,
                                           iv_judgments_format format,
                                           const iv_work *work, iv_err *err);

/*
 * The format it was read in, never IV_JUDGMENTS_ANY; the size of the file as it
 * is kept; how many topics there are, in byte order, the id of one, borrowed,
 * and the index of an id, or IV_NONE.
 */
iv_judgments_format iv_judgments_format_of(const iv_judgments *j);

uint64_t iv_judgments_bytes(const iv_judgments *j);

size_t iv_judgments_topics(const iv_judgments *j);

iv_str iv_judgments_topic(const iv_judgments *j, size_t topic);

/* The judgments of a topic in the order of the file (by groups: by docno, group and
 * subgroup); borrowed.  Returns how many. */
size_t iv_judgments_of(const iv_judgment **out, const iv_judgments *j,
                              size_t topic);

/* The largest grade of all topics, or 0. */
int32_t iv_largest_grade(const iv_judgments *j);

/* The judgment of a document (by groups: its first), borrowed, or NULL.  O(1) on average. */
const iv_judgment *iv_judgments_find(const iv_judgments *j, size_t topic,
                                            iv_str docno);

/*
 * Goes on to the next comment line; false when there is none left.  A file
 * may keep in them what its columns have no room for.
 */
bool iv_judgments_next_comment(iv_comment *c, const iv_judgments *j);

/* The line of the file on which a judgment stands, for messages; 0: of another file.  Slow. */
uint64_t iv_judgments_line(const iv_judgments *j, const iv_judgment *judgment);

/*
 * Adds the judgments of a file of qrels to j, read from the file `name`: a document of both has
 * one grade, and of sampled judgments probability 1, drawn or not.  Topics that j lacks are left
 * out.  IV_EPARSE for grades that differ, or additional judgments that are no qrels; j can then
 * only be freed.
 */
IV_MUST_CHECK int iv_judgments_also(iv_judgments *j, const char *name, const char *also,
                                    const iv_work *work, iv_err *err);

#endif
