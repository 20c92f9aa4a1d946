/* SPDX-License-Identifier: Apache-2.0 */
/* The documents with automatic labels, and which of them have human ones: by which design. */
#ifndef IV_ESTIMATE_LABEL_POPULATION_H
#define IV_ESTIMATE_LABEL_POPULATION_H

#include "base/memory.h"
#include "estimate/difference_estimator.h"
#include "intervale/estimate.h"

/* What is listed from; borrowed. */
typedef struct iv_label_files {
    const iv_judgments *human, *labels;
    bool scored;
    iv_human_design design;      /* STATED: as sampling says */
    const iv_sampling *sampling; /* NULL: another design */
} iv_label_files;

typedef struct iv_label_population {
    iv_population documents;
    iv_str **docno;         /* of topics' documents */
    size_t *labelled_topic; /* of each topic, its place among those of the labels */
    size_t *starts;         /* of each topic's sampled documents; the last: all */
    size_t labelled, labels; /* documents; of them with human labels */
    size_t judged;          /* topics with human labels */
    size_t no_human;        /* topics that are excluded, without human labels */
    int32_t largest;        /* human grade */
} iv_label_population;

/*
 * Lists documents and checks that the sample can be what the design says.  In memory that own
 * frees.  IV_ENODATA for fewer topics than IV_TWO_PHASE_LEAST and where human labels follow
 * automatic ones, or topics, as chance would not.
 */
IV_MUST_CHECK int iv_label_population_list(iv_label_population *out, iv_arena *own,
                                           const iv_label_files *from, iv_err *err);

/* Labelled documents of the topics that have human labels, and of them those with human ones; human
 * labels of others; topics of which fewer than half have one. */
typedef struct iv_label_coverage {
    size_t labelled, judged, outside, below_half, topics;
} iv_label_coverage;
iv_label_coverage iv_label_coverage_of(const iv_judgments *human, const iv_judgments *labels);

#endif /* IV_ESTIMATE_LABEL_POPULATION_H */
