/* SPDX-License-Identifier: Apache-2.0 */
/* Judgments of a session as a file of one of several formats. */
#ifndef IV_STORE_SESSION_EXPORT_H
#define IV_STORE_SESSION_EXPORT_H

#include "store/session.h"

typedef enum iv_store_form {
    IV_EXPORT_USUAL,  /* the form it was made from */
    IV_EXPORT_PRELS,  /* the design, filled in */
    IV_EXPORT_QRELS,
    IV_EXPORT_STRATA, /* stratum, N, n, r */
    IV_EXPORT_LOG,    /* review: stratum, relevant, block in their order; else every word */
    IV_EXPORT_LABELS, /* item, assessor, label: what `agree` reads */
    IV_EXPORT_RIS,    /* id, title, abstract and label of each document, as ASReview reads it */
    IV_EXPORT_CSV,    /* the same as a table */
    IV_EXPORT_DUPLICATES /* references that were removed, with the reason and what stays */
} iv_store_form;
const char *const *iv_store_form_names(void); /* "usual", "prels", "qrels", "strata", "log",
                                                 "labels", "ris", "csv", "duplicates", NULL */

typedef struct iv_export_options {
    iv_store_form form;
    const char *combine; /* "last", "majority", "median", "adjudicated" or an assessor's name;
                            NULL: "adjudicated", where there is no word of the owner the last */
    bool or_others;      /* where that assessor has said nothing, as adjudicated */
    bool partial;        /* not all is judged: what the judged prefix of the order tells */
    bool unchecked;      /* for numbers beside judging: the session is not checked before */
    const char *verdict; /* of a review, written into its table of strata; NULL: none */
} iv_export_options;

/* Relevant control documents without which the rule qbcb demonstrates no such recall (95 %). */
size_t iv_store_control_least(double target);

/* What the reader of an export must know. */
typedef struct iv_exported {
    size_t written, unjudged, cannot, undecided; /* undecided: no majority */
    size_t topics_left_out; /* partial: nothing can be told of them yet */
    size_t control; /* references: judged before, and not among those written */
    size_t conflicts, one_of_two; /* documents that are not decided: grades differ, or a second
                                     assessor has not judged */
} iv_exported;

/* Writes what is judged.  IV_ENODATA when something is not judged and partial is not asked;
 * IV_EPARSE when the last words are not those of the log, which itself is
 * written nevertheless, or an item's document is not of the form. */
IV_MUST_CHECK int iv_store_export(iv_exported *done, FILE *out, iv_store *s,
                                  const iv_export_options *o, iv_err *err);

#endif
