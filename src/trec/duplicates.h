/* SPDX-License-Identifier: Apache-2.0 */
/* Finds documents that stand twice in a topic. */
#ifndef IV_TREC_DUPLICATES_H
#define IV_TREC_DUPLICATES_H

#include "trec/chunks.h"
#include "trec/problems.h"

/* The docno of a record. */
typedef iv_str iv_docno_of(const void *record);

/*
 * Looks through every topic, its records in the order of the file, and tells
 * of each repetition at its line.  Returns how many lines repeat a document.
 * qrels: the field before a docno could be a group, and where it differs that is told.
 */
uint64_t iv_find_duplicates(const iv_grouped *g, size_t record_size, iv_str text,
                            iv_docno_of *docno_of, bool qrels, const iv_work *work,
                            iv_problems *problems);

#endif
