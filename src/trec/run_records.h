/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a run, and how its records are read and ranked. */
#ifndef IV_TREC_RUN_RECORDS_H
#define IV_TREC_RUN_RECORDS_H

#include "base/bytes.h"
#include "intervale/trec/runs.h"
#include "trec/chunks.h"
#include "trec/problems.h"

/* A retrieved document; its name is hashed while it is at hand. */
typedef struct iv_run_doc {
    double score;
    const char *docno; /* in the run's text */
    uint32_t len;
    uint32_t hash;
} iv_run_doc;

struct iv_run {
    iv_bytes bytes;
    iv_str text; /* the bytes less a byte-order mark */
    iv_run_format format; /* never IV_RUN_ANY, once it is read */
    iv_str tag;
    iv_grouped grouped; /* records are iv_run_doc, ranked */
    bool built;         /* of columns: its text is names, a line a row */
    bool rises;         /* in the file, a score of some topic follows a lower one */
};

static inline iv_str iv_run_doc_name(const iv_run_doc *d)
{
    return (iv_str){ d->docno, d->len };
}

/* Highest score first, then last docno first, as trec_eval ranks. */
static inline bool iv_run_doc_before(const iv_run_doc *a, const iv_run_doc *b)
{
    if (a->score != b->score)
        return a->score > b->score;
    return iv_str_cmp(iv_run_doc_name(a), iv_run_doc_name(b)) > 0;
}

/* The format of a line with these fields, of which six are kept, or IV_RUN_ANY. */
iv_run_format iv_run_format_detected(const iv_str *fields, size_t count);

/* Parses the lines of a run into iv_run_doc records, grouped by topic. */
void iv_run_group(iv_grouped *out, iv_str text, iv_run_format format,
                  const iv_work *work, size_t chunk_bytes, iv_problems *problems);

/* Sorts n documents into rank order; scratch has room for n. */
void iv_run_docs_sort(iv_run_doc *docs, size_t n, iv_run_doc *scratch);

/*
 * Parses run->bytes.  With `collect`, and if there are errors, the run is not ranked, so that
 * its records are in the order of the file.  The caller reads
 * the verdict from the list.  Returns how many lines repeat a document.  chunk_bytes: 0 = choose.
 */
uint64_t iv_run_read(iv_run *run, iv_run_format format, bool collect, const iv_work *work,
                     size_t chunk_bytes, iv_problems *problems);

/* The second half of that: ranks grouped records. */
uint64_t iv_run_settle(iv_run *run, bool collect, const iv_work *work, iv_problems *problems);

/* Where no score rises, this much of a text is searched for ranks that disagree. */
enum { IV_RANK_BYTES_CHECKED = 1 << 14 };

/* The ranks of a file beside its scores, line after line.  Start from {0}. */
typedef struct iv_rank_watch {
    int64_t rank;
    double score;
    iv_str topic;
    bool has_last;
    bool odd; /* the last line's rank was no whole number */
    size_t compared, against; /* lines with the one before them; those that contradict it */
} iv_rank_watch;

/* The next line's six fields: do they contradict the line before them? */
bool iv_rank_watch_line(iv_rank_watch *w, const iv_str *fields);

/* Releases all but the bytes. */
void iv_run_forget(iv_run *run);

#endif
