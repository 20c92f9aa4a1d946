/* SPDX-License-Identifier: Apache-2.0 */
/* What a report tells of the past of a session: files, dates, and who judged a document first. */
#ifndef IV_STORE_RECORD_H
#define IV_STORE_RECORD_H

#include "base/memory.h"
#include "store/session.h"

/* A document as it was judged first, by its item less 1. */
typedef struct iv_store_first {
    int32_t grade;      /* the label, as it is now, of the assessor who was first;
                           IV_COMBINED_OPEN: nobody has graded it */
    size_t graded;      /* assessors who have */
    bool twice;         /* chosen at random to be judged by two */
    const char *at;     /* when the first one did; NULL: nobody has */
} iv_store_first;

/* Of all items; of the arena. */
IV_MUST_CHECK int iv_store_firsts(const iv_store_first **out, iv_arena *a, iv_store *s,
                                  iv_err *err);

/* A file that the session was made from, in the order of reading; none of version 0.3 or before.
 * sha256 is NULL of files of texts. */
typedef struct iv_store_input {
    const char *path, *sha256;
} iv_store_input;
IV_MUST_CHECK int iv_store_inputs(const iv_store_input **out, size_t *count, iv_arena *a,
                                  iv_store *s, iv_err *err);

/* What the log and the documents say of how they were judged. */
typedef struct iv_store_logged {
    const char *first, *last; /* when the log began and ended; NULL: nothing was judged */
    int64_t imported;         /* judgments that were made elsewhere, and decisions that took no
                                 time: they have the time of import */
    int64_t changed;          /* labels that the same person replaced or undid later */
    int64_t textless;         /* documents without a text, shown by their ids */
} iv_store_logged;

IV_MUST_CHECK int iv_store_log_read(iv_store_logged *out, iv_arena *a, iv_store *s, iv_err *err);

#endif
