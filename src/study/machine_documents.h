/* SPDX-License-Identifier: Apache-2.0 */
/* study machine, documents sampled: the collection, and what is drawn of it. */
#ifndef IV_STUDY_MACHINE_DOCUMENTS_H
#define IV_STUDY_MACHINE_DOCUMENTS_H

#include "answer/answer_parts.h"
#include "estimate/rectified.h"
#include "study/machine_study.h"

/* P@10, nDCG@10, AP, R@100. */
enum { IV_DOCUMENT_MEASURES = 4 };
extern const char *const iv_document_measures[IV_DOCUMENT_MEASURES];

/* A topic of the frame: documents that runs return to its depth and that people judged. */
typedef struct iv_framed_topic {
    size_t count;
    double *weight;  /* the prior of average precision */
    int32_t *grade;
    double *traits;  /* by ranks: document x IV_RANK_TRAITS */
    double **machine; /* one a judge: the same with its labels, document x width */
    double **share;  /* one a judge: its weight with the machine's label */
} iv_framed_topic;

typedef struct iv_framed_collection {
    iv_study_judges by;
    iv_run_input in;
    iv_frame *frame;
    size_t *width;   /* traits of each judge */
    double *top;     /* its largest label */
    iv_framed_topic *topics;
    size_t topic_count, most; /* documents of the largest */
    iv_labelled_ranking *rankings; /* [run * topic_count + topic] */
    int32_t grade[IV_LEVELS_MAX];  /* that occur, rising */
    size_t grades;
    int32_t level;   /* the lowest relevant one */
    double *truth;   /* [(measure * runs + run) * topic_count + topic] */
} iv_framed_collection;

/* Reads it; what it takes is the arena's, but for runs and frame, which are to be freed in any
 * case. */
IV_MUST_CHECK int iv_framed_collection_read(iv_framed_collection *out, iv_arena *own,
                                            iv_result *result, const iv_study_machine_question *q,
                                            const iv_work *work, iv_err *err);
void iv_framed_collection_free(iv_framed_collection *c);

/*
 * A measure of a ranking from rectified labels, and its change with each (levels x count; `first`
 * and `levels` tell which levels).  False: memory is out.
 */
typedef struct iv_document_value {
    double value, too_low, too_high; /* and how far it may be off, as eval has it */
    size_t first, levels;
} iv_document_value;
IV_MUST_CHECK bool iv_document_value_of(iv_document_value *out, double *change, size_t measure,
                                        const iv_rectified *l, size_t place, int32_t level,
                                        const iv_labelled_ranking *r, iv_discounts *d);

#endif /* IV_STUDY_MACHINE_DOCUMENTS_H */
