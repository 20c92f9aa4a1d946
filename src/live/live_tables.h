/* SPDX-License-Identifier: Apache-2.0 */
/* The parts that status and report of a session have in common. */
#ifndef IV_LIVE_LIVE_TABLES_H
#define IV_LIVE_LIVE_TABLES_H

#include "live/live_review.h"
#include "result/wording.h"
#include "store/overview.h"

/* What is known of a session, of the arena. */
typedef struct iv_live_facts {
    iv_live live;
    iv_store_counts counts;
    iv_combined combined;
    const iv_store_first *firsts;
    const iv_assessor_row *people;
    size_t people_count;
    iv_live_error error; /* of a review */
    iv_live_end ends[2]; /* of a review with documents that are not decided; else NaN */
    size_t relevant[2];  /* relevant documents, if all that are not decided were not, or were */
    size_t once;         /* documents with one label, of those that the stopping rule uses */
    size_t open_used;    /* documents that are not decided, of those that the estimate uses */
    iv_store_logged log;
} iv_live_facts;

IV_MUST_CHECK int iv_live_facts_of(iv_live_facts *out, iv_arena *a, iv_store *s,
                                   const iv_work *work, iv_err *err);

/* The answer: progress, the verdict, recall corrected for assessor error; and notes. */
void iv_live_say(iv_result *out, const iv_live_facts *f);

/* " By how ... are decided, recall is estimated at 61 % to 93 %."; "" where nothing is open. */
const char *iv_live_say_ends(iv_wording *w, const iv_live_facts *f);

/* "corrected for assessor error"; true: "corrected, if ann's decisions on ann's own labels are
 * right". */
bool iv_live_corrected_if(iv_wording *w, const iv_live_facts *f);

/* "the judgments are correct, as they were decided", or what is assumed while some are not. */
const char *iv_live_say_correct(iv_wording *w, const iv_live_facts *f);

/* Do the limits that are corrected for assessor error contradict the verdict? */
bool iv_live_contradicts(const iv_live_facts *f);

/* Methods with the rows that they are for, and what they assume. */
IV_MUST_CHECK int iv_live_name_methods(iv_result *out, iv_arena *a, iv_store *s,
                                       const iv_live_facts *f, iv_err *err);

/* Tables numbers, topics, prisma and duplicates, assessors, agreement and under. */
void iv_live_table_numbers(iv_result *out, iv_arena *a, const iv_live *l);
IV_MUST_CHECK int iv_live_table_topics(iv_result *out, iv_arena *a, iv_store *s, iv_err *err);
IV_MUST_CHECK int iv_live_table_flow(iv_result *out, iv_arena *a, iv_store *s, const iv_live *l,
                                     iv_err *err);
void iv_live_table_people(iv_result *out, const iv_live_facts *f, bool dated);
IV_MUST_CHECK int iv_live_table_agreement(iv_result *out, iv_arena *a, iv_store *s,
                                          const iv_work *work, iv_err *err);

#endif
