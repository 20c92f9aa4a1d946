/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs scored with automatic labels (of a language model) of all documents and human labels of a
 * random sample: both together, human labels alone, automatic labels alone.
 *
 * Of a sample of documents both are joined by the difference estimator, of whole topics by the
 * regression estimator (stat/two_phase.h).  doc/methods/machine.md has formulas and coverage.
 */
#ifndef INTERVALE_ESTIMATE_TWO_PHASE_RUNS_H
#define INTERVALE_ESTIMATE_TWO_PHASE_RUNS_H

#include "intervale/estimate.h"
#include "intervale/stat/two_phase.h"

IV_BEGIN_C

/* How the documents with human labels were chosen. */
typedef enum iv_human_design {
    IV_HUMAN_STATED,   /* the file says it, or every labelled document of its topics has one */
    IV_HUMAN_RANDOM,   /* a simple random sample of all labelled documents */
    IV_HUMAN_BY_TOPIC, /* a simple random sample of each topic's */
    IV_HUMAN_TOPICS    /* whole topics */
} iv_human_design;

/* "stated", "random", "by-topic", "topics", NULL. */
IV_API const char *const *iv_human_design_names(void);

/* Automatic labels; {0}: none. */
typedef struct iv_machines {
    iv_texts files;             /* see iv_machine_labels_load(); the first one is used, of others
                                   only the agreement is told */
    iv_judgments_format format; /* of all of them */
    int32_t level;  /* their lowest relevant grade; 0: as human ones, 1 for labels 0 and 1 */
    iv_infer infer;
    iv_human_design design;
    bool parts; /* iv_two_phase_parts_of() will be asked for */
} iv_machines;

/* One measure of one run, or of a difference of two; NaN stands for what there is not. */
typedef struct iv_two_phase_mean {
    size_t topics;        /* that the mean is over */
    double value, se, lower, upper; /* human and automatic labels */
    double p;             /* of a difference: that it is 0 */
    double human, human_se, human_lower, human_upper, human_p; /* human labels alone */
    double automatic;     /* automatic labels alone: they have no interval */
    double bias;          /* automatic - value */
    double width;         /* of the interval, over that of human labels alone */
    double rho;           /* of whole topics: correlation of human and automatic values */
    const char *reason;   /* why there is no interval; NULL: there is one */
    double needed;        /* human labels for an interval of this measure; NaN: there are enough */
} iv_two_phase_mean;

typedef struct iv_two_phase iv_two_phase;

/*
 * Scores the runs.  Errors as iv_evaluate() and iv_judge_new().  IV_EARG where human labels cover a
 * part of the labelled documents and no design is given; IV_ENODATA where the sample contradicts the
 * design (iv_selection_test_of()), for fewer than four topics, and where no document of the runs has
 * a label.  *out is the caller's: iv_two_phase_free().
 */
IV_API IV_MUST_CHECK int iv_two_phase_new(iv_two_phase **out, const iv_source *source,
                                          const iv_machines *machines,
                                          const iv_evaluating *options, const iv_work *work,
                                          iv_err *err);
IV_API void iv_two_phase_free(iv_two_phase *a);

/* What there is to know beside the numbers; borrowed. */
typedef struct iv_two_phase_view {
    const iv_evaluation *runs;     /* names, measures and what is unusual of the runs: by human
                                      labels of whole topics, else by automatic ones */
    const iv_evaluation *automatic;
    const iv_judge *const *judges; /* agreement, one a file */
    size_t judge_count;
    const uint64_t *bytes;         /* of the files */
    uint64_t human_bytes;
    iv_human_design design;        /* in use; STATED: that of a file of sampled judgments */
    size_t labelled, labels;       /* documents with automatic and with human labels, in use */
    size_t topics, judged;         /* with automatic labels; of them with human ones */
    size_t human_only;             /* human labels of documents without an automatic one: not used */
    size_t no_human;               /* by-topic: topics without human labels, which do not count */
} iv_two_phase_view;
IV_API const iv_two_phase_view *iv_two_phase_viewed(const iv_two_phase *a);

/* The mean of a measure of a run, and the difference of two runs a - b on the topics of both. */
IV_API IV_MUST_CHECK int iv_two_phase_mean_of(iv_two_phase_mean *out, const iv_two_phase *s,
                                              size_t run, size_t measure, iv_err *err);
IV_API IV_MUST_CHECK int iv_two_phase_difference(iv_two_phase_mean *out, const iv_two_phase *s,
                                                 size_t measure, size_t a, size_t b, iv_err *err);

/* Parts of the variance of a mean of documents sampled at random or by topic: of topics, which more
 * labels do not remove, and of documents, which falls with 1 / labels - 1 / labelled.  IV_EARG for
 * another design. */
typedef struct iv_two_phase_parts {
    double topics, documents, human_documents; /* human: human labels alone */
} iv_two_phase_parts;
IV_API IV_MUST_CHECK int iv_two_phase_parts_of(iv_two_phase_parts *out, const iv_two_phase *s,
                                               size_t run, size_t measure, iv_err *err);

IV_END_C

#endif /* INTERVALE_ESTIMATE_TWO_PHASE_RUNS_H */
