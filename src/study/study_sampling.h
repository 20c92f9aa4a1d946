/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Estimates from sampled judgments beside the truth (Aslam and Pavlu 2008): as many documents
 * of each topic as its pool of depth 1, 2, ... has are sampled, every run's mean is estimated,
 * and compared with complete judgments; beside it depth pools, infAP and bpref.
 *
 * The truth is what the judgments inside the frame (100 documents of each run) give.
 */
#ifndef IV_STUDY_STUDY_SAMPLING_H
#define IV_STUDY_STUDY_SAMPLING_H

#include "design/samples.h"
#include "study/study.h"

typedef enum iv_sampling_method {
    IV_SAMPLING_STATAP, /* Stevens' scheme with the corrected estimates */
    IV_SAMPLING_POOL,   /* a depth pool, other documents taken for not relevant */
    IV_SAMPLING_INFAP,  /* infAP from a uniform sample; of AP only */
    IV_SAMPLING_BPREF,  /* bpref from the same; of AP only */
    IV_SAMPLING_BOTH,   /* statAP with the pool's judgments added; of AP only */
    IV_SAMPLING_METHODS
} iv_sampling_method;

typedef enum iv_sampling_measure {
    IV_SAMPLING_AP,
    IV_SAMPLING_RPREC,
    IV_SAMPLING_P30,
    IV_SAMPLING_MEASURES
} iv_sampling_measure;

const char *const *iv_sampling_method_names(void);
const char *const *iv_sampling_measure_names(void);

/* Estimated against true means of the runs, averaged over replicates. */
typedef struct iv_sampling_error {
    iv_sampling_method method;
    iv_sampling_measure measure;
    size_t depth;     /* of the pool that sets the number of judgments */
    double judgments; /* of a topic, on average */
    double rms, correlation, tau; /* NaN: fewer than two different values */
    double rms_se, tau_se;        /* of the averages */
} iv_sampling_error;

/* Ordered pairs of runs, a run with itself too: significant by Wilcoxon's one-sided test at
 * 0.05 by the truth and by the estimates (table 1 of the paper). */
enum { IV_NEITHER, IV_SAMPLE_ONLY, IV_TRUTH_ONLY, IV_AGREED, IV_AGREEMENTS };

/* A true and an estimated value, of the first replicate: a run's mean at depth 1 and the deepest;
 * at the deepest AP of the runs on the first topic, and of the first run on the topics. */
typedef struct iv_sampling_point {
    enum { IV_POINT_MEAN, IV_POINT_TOPIC, IV_POINT_RUN } of;
    size_t depth;
    iv_sampling_measure measure;
    double truth, estimate;
} iv_sampling_point;

typedef struct iv_sampling_found {
    iv_sampling_error *error;
    size_t errors;
    size_t agreement[2][IV_AGREEMENTS]; /* at depth 1 and the deepest */
    iv_sampling_point *point;
    size_t points;
} iv_sampling_found;

/* In the arena.  IV_ENODATA when no topic has a relevant document in the frame. */
IV_MUST_CHECK int iv_sampling_errors(iv_sampling_found *out, iv_arena *own,
                                     const iv_collection *c, size_t deepest, size_t replicates,
                                     const iv_work *work, iv_err *err);

/* Rows of plan sample: how often what was planned around the estimate contains the truth. */
IV_MUST_CHECK int iv_study_sample_plans(iv_study *s, const iv_collection *c, iv_err *err);

#endif /* IV_STUDY_STUDY_SAMPLING_H */
