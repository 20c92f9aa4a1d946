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

#include "answer/answer_parts.h"
#include "base/parallel.h"
#include "plan/known_sample.h"

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

enum { IV_SAMPLING_BANDS = 5 };

typedef struct iv_sampling_study_options {
    size_t depth;         /* of the frame; 0: 100 */
    const bool *excluded; /* runs that do not contribute; NULL: none */
    int64_t deepest;      /* budgets of pools of depth 1 to this; 0: 10, IV_ZERO: none */
    size_t replicates;    /* samples of each size; 0: 100 */
    iv_integers judgments; /* a topic, for bias and coverage; none: 60 and 100 */
    bool no_coverage;     /* ... which are left out */
    size_t resamples;     /* of the bootstrap interval on a mean; 0: 1,000 */
    double confidence;    /* 0: .95 */
} iv_sampling_study_options;

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

/* The collection: topics used, topics without a relevant document in the
 * frame, documents of the frames, relevant ones inside and outside. */
typedef struct iv_sampling_collection {
    size_t topics, without, documents, relevant, outside, contributors;
} iv_sampling_collection;

/* The results; agreements at depth 1 and the deepest. */
typedef struct iv_sampling_found {
    iv_arena own;
    iv_sampling_collection collection;
    iv_sampling_error *errors;
    size_t error_count;
    iv_sampling_cover *covers;
    size_t cover_count;
    iv_sampling_agreement *agreements;
    size_t agreement_count;
} iv_sampling_found;

/*
 * judged: complete judgments (iv_sampling_new() of qrels).  IV_ENODATA when no
 * topic has a relevant document in the frame, IV_EARG for options outside
 * their domain.  The result does not depend on the number of threads.
 */
IV_MUST_CHECK int iv_sampling_study_run(iv_sampling_found *out, const iv_run *const *runs,
                                        size_t count, const iv_sampling *judged,
                                        const iv_sampling_study_options *options,
                                        const iv_work *work, iv_err *err);
void iv_sampling_found_free(iv_sampling_found *f);

/* A collection whose judgments are complete, as studies read one. */
typedef struct iv_judged_runs {
    iv_run_input in;
    iv_judgments *judgments;
    iv_sampling *judged;
} iv_judged_runs;

/* IV_EARG when the judgments are a sample.  *out must be {0}, and is to be freed in
 * any case. */
IV_MUST_CHECK int iv_judged_runs_load(iv_judged_runs *out, iv_result *result, const char *qrels,
                                      iv_texts runs, const iv_work *work, iv_err *err);
void iv_judged_runs_free(iv_judged_runs *c);

typedef struct iv_study_sampling_question {
    const char *qrels; /* complete judgments */
    iv_texts runs;
    iv_texts exclude;  /* runs by tag or file name, instead of how.excluded */
    iv_sampling_study_options how;
} iv_study_sampling_question;

/* The answer: tables errors, coverage, wilcoxon, groups. */
IV_MUST_CHECK int iv_study_answer_sampling(iv_result *out, const iv_study_sampling_question *q,
                                           const iv_work *work, iv_err *err);

/* Inside the study of sampling. */

typedef struct iv_sampling_study {
    iv_sampling_study_options options; /* without defaults left */
    size_t deepest;      /* of the options */
    uint64_t seed;
    iv_frame *frame;
    iv_known_frame *known;
    const iv_run *const *all; /* the caller's runs */
    size_t runs, topics;
    iv_arena own;        /* for what it needs while it works */
    bool *excluded;      /* of the runs */
    double *truth;       /* AP, runs x topics */
    double *mean;        /* of the runs */
    iv_sampling_found found;
} iv_sampling_study;

/* Fill errors and agreements; covers. */
int iv_study_errors(iv_sampling_study *s, const iv_work *work, iv_err *err);
int iv_study_covers(iv_sampling_study *s, const iv_work *work, iv_err *err);

#endif /* INTERVALE_STUDY_SAMPLING_H */
