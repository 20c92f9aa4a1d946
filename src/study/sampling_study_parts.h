/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the study of sampling. */
#ifndef IV_STUDY_SAMPLING_INSIDE_H
#define IV_STUDY_SAMPLING_INSIDE_H

#include "base/parallel.h"
#include "estimate/sampled_frame.h"
#include "study/sampling_study.h"

typedef struct iv_sampling_study {
    iv_sampling_study_options options; /* without defaults left */
    size_t deepest;      /* of the options */
    uint64_t seed;
    iv_frame *frame;
    iv_known_frame *known;
    size_t runs, topics;
    bool *excluded;      /* of the runs */
    double *truth;       /* AP, runs x topics */
    double *mean;        /* of the runs */
    iv_sampling_found found;
} iv_sampling_study;

/* A topic's sample, and memory for it; one a thread. */
typedef struct iv_study_sample {
    uint32_t *place; /* of a document of the frame in the sample, or IV_NO_PLACE */
    uint32_t *document;
    double *pi;
    int32_t *grade;
    uint32_t *bucket;
    size_t count;
    uint32_t *found; /* of the view */
    double *rank, *u, *sums;
    size_t *taken;
} iv_study_sample;

#define IV_NO_PLACE UINT32_MAX

iv_study_sample iv_study_sample_new(iv_arena *own, const iv_known_frame *f);

/* Draws a topic's sample by its scheme. */
void iv_study_sample_draw(iv_study_sample *s, const iv_known_topic *t,
                          const iv_scheme *scheme, iv_stream *stream);

/* The sample beside a ranking, relevant documents only. */
iv_sampled_view iv_study_view(const iv_study_sample *s, const iv_frame_ranking *r,
                              const iv_scheme *scheme);

/* Stevens' scheme on a topic, at most as many draws as documents. */
int iv_study_scheme(iv_scheme **out, const iv_known_topic *t, size_t draws, iv_err *err);

/* Fill errors and agreements; covers. */
int iv_study_errors(iv_sampling_study *s, const iv_work *work, iv_err *err);
int iv_study_covers(iv_sampling_study *s, const iv_work *work, iv_err *err);

/*
 * Do estimates call the same differences significant as the truth does?  Counts all
 * ordered pairs of runs, a run with itself included, by one-sided Wilcoxon tests at
 * 0.05 on two matrices, runs x topics.
 */
int iv_study_agreement(iv_sampling_agreement *out, const double *truth, const double *sampled,
                       size_t runs, size_t topics, const iv_work *work, iv_err *err);

#endif /* IV_STUDY_SAMPLING_INSIDE_H */
