/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of judgments, and how their records are read. */
#ifndef IV_TREC_JUDGMENTS_RECORDS_H
#define IV_TREC_JUDGMENTS_RECORDS_H

#include <stdatomic.h>

#include "base/bytes.h"
#include "trec/chunks.h"
#include "trec/docset.h"
#include "trec/problems.h"

struct iv_judgments {
    iv_bytes bytes;
    iv_str text; /* the bytes less a byte-order mark */
    size_t rows; /* of columns: as many lines hold names, and comments follow; 0: a file */
    iv_judgments_format format;
    iv_grouped grouped;  /* records are iv_judgment */
    iv_slot *slots;      /* the documents of all topics, by hash */
    size_t *first_slot;  /* where a topic's begin */
    atomic_bool repeats; /* a document stands twice in its topic */
    iv_judgments *also;  /* whose text has the additional documents; NULL: there are none */
};

/* Is this the first line of a BEIR file? */
bool iv_is_beir_header(const iv_str *fields, size_t count);

/* Parses the lines into iv_judgment records, grouped by topic. */
void iv_judgments_group(iv_grouped *out, iv_str text, iv_judgments_format format,
                        const iv_work *work, size_t chunk_bytes, iv_problems *problems);

/*
 * Parses j->bytes.  With `collect`, and if there are errors, documents cannot
 * be looked up.  The caller reads the verdict from the list.
 * Returns how many lines repeat a document.
 */
uint64_t iv_judgments_read(iv_judgments *j, iv_judgments_format format, bool collect,
                           const iv_work *work, size_t chunk_bytes, iv_problems *problems);

/* The second half of that: makes grouped records ready to be asked. */
uint64_t iv_judgments_settle(iv_judgments *j, bool collect, const iv_work *work,
                             iv_problems *problems);

/* The documents of a topic, for many look-ups. */
iv_docset iv_judgments_docset(const iv_judgments *j, size_t topic);

/* Releases all but the bytes. */
void iv_judgments_forget(iv_judgments *j);

#endif
