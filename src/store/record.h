/* SPDX-License-Identifier: Apache-2.0 */
/* What a report tells of the past of a session: files, dates, and who judged a document first. */
#ifndef IV_STORE_RECORD_H
#define IV_STORE_RECORD_H

#include "base/memory.h"
#include "store/session.h"

/* A document as it was judged first, by its item less 1. */
typedef struct iv_store_first {
    int32_t grade;      /* the label (IV_SQL_FIRSTS) of the assessor who was first;
                           IV_COMBINED_OPEN: nobody has graded it */
    size_t graded;      /* assessors who have */
    bool imported;      /* that label was made elsewhere: at is the time of import */
    bool twice;         /* chosen at random to be judged by two */
    const char *at;     /* when the first one did; NULL: nobody has */
} iv_store_first;

/* Of all items; of the arena. */
IV_MUST_CHECK int iv_store_firsts(const iv_store_first **out, iv_arena *a, iv_store *s,
                                  iv_err *err);

/* A file that the session was made from (none of version 0.3 or before) or whose labels it took
 * (none of an import before 0.4), in the order of reading.  sha256 is NULL of files of texts. */
typedef struct iv_store_input {
    const char *path, *use, *sha256; /* use: "session", "labels of ben" */
} iv_store_input;
IV_MUST_CHECK int iv_store_inputs(const iv_store_input **out, size_t *count, iv_arena *a,
                                  iv_store *s, iv_err *err);

/* Adds a file, unless it is there with the same use; by the thread that appends. */
IV_MUST_CHECK int iv_store_input_add(iv_store *s, const iv_store_input *in, iv_err *err);

/* What the log and the documents say of how they were judged. */
typedef struct iv_store_logged {
    const char *first, *last; /* when the first and last judgment was made here; NULL: none was */
    int64_t imported;         /* judgments that were made elsewhere */
    int64_t changed;          /* labels that the same person replaced or undid later */
    int64_t turned[3];        /* of these, not relevant before and relevant then; the reverse;
                                 "cannot judge" before and a label then */
    int64_t early;            /* judgments made here, with a date before the session's */
    int64_t future;           /* judgments with a date after now */
    int64_t back;             /* judgments with a date before that of the one stored before */
} iv_store_logged;

/* Of all items: has the document no text, or no abstract?  Of the arena. */
IV_MUST_CHECK int iv_store_textless(const bool **out, iv_arena *a, iv_store *s, iv_err *err);

IV_MUST_CHECK int iv_store_log_read(iv_store_logged *out, iv_arena *a, iv_store *s, iv_err *err);

#endif
