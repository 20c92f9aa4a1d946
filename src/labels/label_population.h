/* SPDX-License-Identifier: Apache-2.0 */
/* The documents with automatic labels, and which of them have human ones. */
#ifndef IV_LABELS_LABEL_POPULATION_H
#define IV_LABELS_LABEL_POPULATION_H

#include "base/memory.h"
#include "labels/label_measures.h"

/* The documents with automatic labels, topic by topic. */
typedef struct iv_label_population {
    struct iv_population_topic *topics;
    size_t topic_count, most; /* documents of the largest topic */
    uint32_t groups;          /* of automatic labels */
    int32_t level[IV_LABEL_LEVELS]; /* grades above 0 of the sample, rising */
    size_t levels;
    size_t *labelled_topic; /* of each topic, its place among those of the labels */
    size_t *starts;         /* of each topic's sampled documents; the last: all */
    size_t labelled, labels; /* documents; of them with human labels */
    size_t judged;          /* topics with human labels */
    size_t no_human;        /* topics that are excluded, without human labels */
    size_t outside;         /* human labels of documents without an automatic one */
    size_t below_half;      /* topics of which fewer than half have a human label */
    int32_t largest;        /* human grade */
} iv_label_population;

/* Automatic labels are told apart up to so many; a document without one has its own. */
enum { IV_LABEL_GROUPS = 20 };

/* A topic's documents; those of the human sample have a grade. */
typedef struct iv_population_topic {
    size_t count, sampled;
    uint32_t *label;   /* of each document: its group */
    int32_t *grade;    /* below 0: not sampled */
    double *pi;        /* inclusion probability */
    uint32_t *sample;  /* the documents sampled, rising */
    iv_str *docno;     /* of each document */
} iv_population_topic;

/* The documents with automatic labels, and which of them have human ones: by which design. */

/*
 * Lists documents and checks that the sample can be what the design says, or sampling (NULL:
 * another design than STATED).  In memory that own frees.  IV_ENODATA for fewer topics than
 * IV_TWO_PHASE_LEAST and where human labels follow automatic ones, or topics, as chance would not.
 */
IV_MUST_CHECK int iv_label_population_list(iv_label_population *out, iv_arena *own,
                                           const iv_judgments *human, const iv_judgments *labels,
                                           bool scored, iv_human_design design,
                                           const iv_sampling *sampling, iv_err *err);

/* Counts, and nothing else: labelled documents of the topics that have human labels, and of them
 * those with human ones; labels of others; topics of which fewer than half have one. */
iv_label_population iv_label_coverage_of(const iv_judgments *human, const iv_judgments *labels);

#endif
