/* SPDX-License-Identifier: Apache-2.0 */
/* Runs scored with automatic labels of all documents and human labels of some. */
#ifndef IV_LABELS_TWO_PHASE_H
#define IV_LABELS_TWO_PHASE_H

#include "base/memory.h"
#include "intervale/retrieval.h"
#include "labels/judge.h"
#include "labels/label_population.h"

/*
 * Runs scored with automatic labels (of a language model) of all documents and human labels of a
 * random sample: both together, human labels alone, automatic labels alone.
 *
 * Of a sample of documents both are joined by the difference estimator, of whole topics by the
 * regression estimator (stat/two_phase.h).  doc/methods/machine.md has formulas and coverage.
 */

/* One measure of one run, or of a difference of two; NaN stands for what there is not. */
typedef struct iv_two_phase_mean {
    size_t topics;        /* that the mean is over */
    double value, se, df, lower, upper; /* human and automatic labels */
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

typedef struct iv_two_phase {
    const iv_evaluation *runs;      /* names, measures and what is unusual of the runs: by human
                                       labels of whole topics, else by automatic ones */
    const iv_evaluation *automatic;
    iv_judge **judges;              /* agreement, one a file */
    uint64_t *bytes;                /* of the files */
    uint64_t human_bytes;
    iv_machines how;                /* its design is that in use; STATED: that of a file of sampled
                                       judgments */
    iv_label_population population; /* of whole topics counts alone */
    /* While it is built and asked: */
    iv_arena memory;
    iv_evaluating o;
    double confidence;
    iv_judgments *labels;           /* automatic ones */
    bool scored;
    size_t run_count, measures;
    /* Of whole topics: the topics with human values first. */
    double *by_human;               /* [(run x measures + measure) x judged + topic] */
    double *by_machine;             /* the same x topics */
    /* Of documents, with automatic labels and of human labels alone. */
    double *value[2], *influence[2]; /* [(run x measures + measure) x topics + topic] */
    double *document[2];            /* the same by sampled document */
    const iv_label_measure *kinds;
    const iv_source *source;        /* while runs are read ... */
    const double *discounts;
    size_t depth;                   /* ... and how far */
} iv_two_phase;

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

#endif
