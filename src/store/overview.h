/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of a session, in all and by assessor. */
#ifndef IV_STORE_OVERVIEW_H
#define IV_STORE_OVERVIEW_H

#include "store/session.h"

typedef struct iv_store_counts {
    size_t items, judged, open, later, cannot, conflicts, settled, twice;
    /* conflicts: documents whose labels differ; settled: those by the owner's last word; later:
     * documents put off that need a judgment; open: judgments that are to come, two of a document
     * that two shall judge; twice: documents judged by two */
    int64_t judgments; /* in the log */
} iv_store_counts;

IV_MUST_CHECK int iv_store_count(iv_store_counts *out, iv_store *s, iv_err *err);

/* What memory knows of them: all but later and cannot. */
iv_store_counts iv_store_count_queue(iv_store *s);

/* Documents that the assessor has judged, also as "cannot judge". */
size_t iv_store_judged_by(iv_store *s, int64_t assessor);

/* How an assessor is doing. */
typedef struct iv_assessor_row {
    int64_t id;
    const char *name;
    bool revoked;
    int64_t judged, relevant, cannot, later, undone; /* cannot: of those judged;
                                                      * later: that still need a judgment */
    double median_ms;   /* of the active time of a judgment; NaN: none */
    int64_t timed;      /* judgments that it is of */
    int64_t imported;   /* of all their judgments, those made elsewhere */
    int64_t decided, own, kept; /* disagreements with their last word; of these, those in which
                                   one of the labels is theirs, and those in which it is kept */
    int64_t replaced;     /* documents on whose labels nobody disagreed, with another last word */
    const char *first, *last; /* when one was made here, or NULL */
    double seconds;     /* the median, to a tenth */
    const char *may;    /* "judge", "judge, adjudicate", "adjudicate" or "revoked" */
} iv_assessor_row;
IV_MUST_CHECK int iv_store_assessor_rows(const iv_assessor_row **out, size_t *count,
                                         iv_arena *a, iv_store *s, iv_err *err);

#endif
