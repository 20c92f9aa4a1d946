/* SPDX-License-Identifier: Apache-2.0 */
/* What the other modules use of intervale/trec.h beside what programs do. */
#ifndef IV_TREC_TREC_PRIVATE_H
#define IV_TREC_TREC_PRIVATE_H

#include "intervale/trec.h"

/* The tag of the first line; empty in the MS MARCO format. */
iv_str iv_run_tag(const iv_run *run);

/* Size of the file as it is kept (packed, if it is packed). */
uint64_t iv_run_bytes(const iv_run *run);

/* The index of the topic with this id, or IV_NONE.  O(log topics). */
size_t iv_run_find_topic(const iv_run *run, iv_str id);

iv_str iv_run_docno(const iv_run *run, size_t topic, size_t rank);

double iv_run_score(const iv_run *run, size_t topic, size_t rank);

/*
 * Looks for them.  Where no score is above the one before it, ranks are looked
 * at in the first 16 KB only.  Takes a walk over the file at most.
 */
iv_run_oddities iv_run_odd(const iv_run *run);

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

/* The line of the file on which a judgment stands, for messages; slow. */
uint64_t iv_judgments_line(const iv_judgments *j, const iv_judgment *judgment);

/* The size of the file as it is kept; how many columns and rows (without the
 * header) it has, both at least 1; the name of a column, borrowed. */
uint64_t iv_csv_bytes(const iv_csv *t);

/* The column of that name, byte for byte, or IV_NONE; a cell, borrowed, empty if
 * the file has nothing there. */
size_t iv_csv_find(const iv_csv *t, iv_str name);

/* The line of the file on which a row begins, for messages. */
uint64_t iv_csv_line(const iv_csv *t, size_t row);

/*
 * Looks at a file as check does.  Bad content is no failure: it is what the
 * inspection reports; only IV_EIO and IV_ENOMEM are.  most: how many problems
 * are listed; the rest are counted.
 */
IV_MUST_CHECK int iv_inspect(iv_inspector **out, const char *path,
                                    iv_judgments_format format, size_t most,
                                    const iv_work *work, iv_err *err);

/* What was found; borrowed from the inspector, as are its texts and problems. */
const iv_inspection *iv_inspector_view(const iv_inspector *i);

/* The topics of a run or of judgments, in byte order; 0 otherwise. */
size_t iv_inspector_topics(const iv_str **out, const iv_inspector *i);

/* Frees the inspector and what was borrowed from it. */
void iv_inspector_free(iv_inspector *i);

#endif /* IV_TREC_TREC_PRIVATE_H */
