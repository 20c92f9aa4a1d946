/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Do estimates from sampled judgments hold?  Aslam and Pavlu's experiment
 * (2008): from complete judgments and runs, sample as many documents as pools
 * of depth 1, 2, ... have, estimate every run's mean average precision, and
 * compare with the truth; beside depth pools, infAP and bpref from uniform
 * samples of that size.  And beyond the paper: bias and coverage of the
 * estimators, topic by topic and for means.
 *
 * The truth is average precision from the judgments inside the frame: relevant
 * documents outside it are invisible to every design.
 */
#ifndef INTERVALE_STUDY_SAMPLING_H
#define INTERVALE_STUDY_SAMPLING_H

#include "intervale/design.h"
#include "intervale/estimate.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum iv_sampling_method {
    IV_SAMPLING_STEVENS, /* corrected estimates from Stevens' scheme */
    IV_SAMPLING_POOL,    /* a depth pool, the rest taken for not relevant */
    IV_SAMPLING_INFAP,   /* infAP from a uniform sample */
    IV_SAMPLING_BPREF,   /* bpref from the same */
    IV_SAMPLING_METHODS
} iv_sampling_method;

/* Their names in that order, ending with NULL. */
const char *const *iv_sampling_method_names(void);

/* Which runs a figure is about. */
typedef enum iv_sampling_group {
    IV_SAMPLING_ALL,
    IV_SAMPLING_CONTRIBUTORS, /* to the frame and its weights */
    IV_SAMPLING_OTHERS,
    IV_SAMPLING_GROUPS
} iv_sampling_group;

enum { IV_SAMPLING_BUDGETS = 16, IV_SAMPLING_BANDS = 5 };

typedef struct iv_sampling_study_options {
    size_t depth;        /* of the frame */
    const bool *excluded; /* runs that do not contribute; NULL: none */
    size_t deepest;      /* budgets of pools of depth 1 to this; may be 0 */
    size_t replicates;   /* samples of each size, at least 1 */
    size_t judgments[IV_SAMPLING_BUDGETS]; /* a topic, for bias and coverage */
    size_t judgments_count;
    size_t resamples;    /* of the bootstrap interval on a mean */
    double confidence;   /* in (0, 1) */
    uint64_t seed;
    int threads;         /* 0: all */
    iv_progress progress;
} iv_sampling_study_options;

/* Depth 100, pools to 10, 100 replicates, 60 and 100 judgments, seed 1. */
iv_sampling_study_options iv_sampling_study_defaults(void);

/* Estimated against true means of the runs, averaged over replicates. */
typedef struct iv_sampling_error {
    iv_sampling_method method;
    iv_sampling_group group;
    size_t depth;      /* of the pool that sets the budget */
    double judgments;  /* of a topic, on average */
    double rms, correlation, tau; /* NaN: fewer than two different values */
    double rms_sd, tau_sd;        /* over replicates */
} iv_sampling_error;

/* What a row of coverage is about. */
typedef enum iv_sampling_level {
    IV_LEVEL_TOPIC,      /* a topic's average precision and its interval */
    IV_LEVEL_MEAN,       /* the mean over a population of topics: topics are
                            resampled, each with a sample of its own */
    IV_LEVEL_THESE,      /* the mean over these topics, +- z se_judgments */
    IV_LEVEL_FIXED       /* the same, and the interval that eval shows, which
                            allows for other topics too */
} iv_sampling_level;

typedef struct iv_sampling_cover {
    iv_estimator estimator;
    iv_sampling_level level;
    size_t judgments;  /* of a topic */
    size_t relevant_from, relevant_to; /* of the topic, in the frame */
    size_t cells;      /* runs x topics (or 1) x replicates */
    double truth;      /* mean over them */
    double bias;       /* of the estimate, relative to the truth */
    double sd_ratio;   /* root mean estimated variance over root mean square error */
    double without;    /* share of cells without an interval */
    double coverage;   /* of the others */
    double width;
} iv_sampling_cover;

/* Pairs of runs, ordered and a run with itself too, as the paper counts them
 * (Wilcoxon, one-sided). */
typedef struct iv_sampling_agreement {
    size_t depth;
    double judgments;
    size_t neither;     /* significant by truth or by sample */
    size_t sample_only, truth_only, both;
} iv_sampling_agreement;

typedef struct iv_sampling_study iv_sampling_study;

/*
 * judged: complete judgments (iv_sampling_new() of qrels).  IV_ENODATA when no
 * topic has a relevant document in the frame, IV_EARG for options outside
 * their domain.  The result does not depend on the number of threads.
 */
IV_MUST_CHECK int iv_sampling_study_run(iv_sampling_study **out,
                                               const iv_run *const *runs, size_t count,
                                               const iv_sampling *judged,
                                               const iv_sampling_study_options *options,
                                               iv_err *err);
void iv_sampling_study_free(iv_sampling_study *s);

/* The results, borrowed; agreements at depth 1 and the deepest.  Return how many. */
size_t iv_sampling_errors(const iv_sampling_error **out, const iv_sampling_study *s);
size_t iv_sampling_covers(const iv_sampling_cover **out, const iv_sampling_study *s);
size_t iv_sampling_agreements(const iv_sampling_agreement **out,
                                     const iv_sampling_study *s);

/* The collection: topics used, topics without a relevant document in the
 * frame, documents of the frames, relevant ones inside and outside. */
typedef struct iv_sampling_collection {
    size_t topics, without, documents, relevant, outside, contributors;
} iv_sampling_collection;

iv_sampling_collection iv_sampling_collection_of(const iv_sampling_study *s);

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_STUDY_SAMPLING_H */
