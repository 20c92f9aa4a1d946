/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs scored with automatic labels (of a language model) of all documents and human labels of a
 * random sample: both together, human labels alone, automatic labels alone.
 *
 * Of a sample of documents both are joined by the difference estimator, of whole topics by the
 * regression estimator (stat/two_phase.h).  doc/methods/machine.md has formulas and coverage.
 */
#ifndef IV_ESTIMATE_TWO_PHASE_RUNS_H
#define IV_ESTIMATE_TWO_PHASE_RUNS_H

#include "intervale/estimate.h"
#include "stat/machine/two_phase.h"

/* One measure of one run, or of a difference of two; NaN stands for what there is not. */
typedef struct iv_two_phase_mean {
    size_t topics;        /* that the mean is over */
    double value, se, lower, upper; /* human and automatic labels */
    double p;             /* of a difference: that it is 0 */
    double human, human_se, human_lower, human_upper; /* human labels alone */
    double automatic;     /* automatic labels alone: they have no interval */
    double bias;          /* automatic - value */
    double width;         /* of the interval, over that of human labels alone */
    double rho;           /* of whole topics: correlation of human and automatic values */
    bool first_order;     /* of a sample of documents and a measure of all relevant ones */
    const char *reason;   /* why there is no interval; NULL: there is one */
    double needed;        /* human labels for an interval of this measure; NaN: there are enough */
} iv_two_phase_mean;

typedef struct iv_two_phase iv_two_phase;

/*
 * Scores the runs.  Errors as iv_evaluate() and iv_judge_new().  IV_EARG where human labels cover a
 * part of the labelled documents and no design is given; IV_ENODATA where the sample contradicts
 * the design (iv_selection_test_of()), for fewer than four topics, and where no document of the
 * runs has a label.  *out is the caller's: iv_two_phase_free().
 */
IV_MUST_CHECK int iv_two_phase_new(iv_two_phase **out, const iv_source *source,
                                          const iv_machines *machines,
                                          const iv_evaluating *options, const iv_work *work,
                                          iv_err *err);
void iv_two_phase_free(iv_two_phase *a);

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
    /* human labels of documents without an automatic one: not used */
    size_t human_only;
    size_t no_human;               /* by-topic: topics without human labels, which do not count */
} iv_two_phase_view;
const iv_two_phase_view *iv_two_phase_viewed(const iv_two_phase *a);

/* The mean of a measure of a run, or the difference of two on the topics of both, run - less;
 * IV_NONE: none is less. */
IV_MUST_CHECK int iv_two_phase_mean_of(iv_two_phase_mean *out, const iv_two_phase *a,
                                       size_t measure, size_t run, size_t less, iv_err *err);

/* Parts of the variance of a mean of documents sampled at random or by topic: of topics, which more
 * labels do not remove and which is at least that by automatic labels alone; of documents, which
 * falls with 1 / labels - 1 / labelled; and that of human labels alone.  Human labels, and those a
 * topic, below which there is no interval.  IV_EARG for another design. */
IV_MUST_CHECK int iv_two_phase_parts_of(double parts[3], double *least, double *least_each,
                                        const iv_two_phase *s, size_t run, size_t measure,
                                        iv_err *err);

#endif /* IV_ESTIMATE_TWO_PHASE_RUNS_H */
