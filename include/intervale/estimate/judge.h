/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A judge (a machine, an assessor) beside a reference, on the documents that both
 * labelled: agreement, bias, what a label says, and whether it says the same in all
 * topics.  doc/methods/machine.md has the formulas.
 */
#ifndef INTERVALE_ESTIMATE_JUDGE_H
#define INTERVALE_ESTIMATE_JUDGE_H

#include "intervale/stat/agreement.h"
#include "intervale/trec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iv_judge_options {
    int level;         /* relevant is the reference's grade from here on; 0: 1, IV_ZERO: 0 */
    int judge_level;   /* the same of the judge; 0: as level, 1 if it has grades 0 and 1 only */
    iv_kappa_weights weights; /* of the graded kappa */
    double confidence; /* 0: .95 */
    bool by_topic;     /* the reference is a simple random sample of each topic's labels: pairs
                          weigh as much as they stand for */
} iv_judge_options;

/* One of the judge's labels. */
typedef struct iv_judge_label {
    int32_t label;       /* IV_GRADE_MIN: documents without one */
    size_t pairs;        /* documents that have it, of topics both have */
    size_t judged;       /* of them by the reference, too */
    iv_interval share; /* of the relevant among these */
    double grade;        /* mean of the reference's grades */
} iv_judge_label;

/* So many pairs have these two labels. */
typedef struct iv_judge_cell {
    int32_t reference, judge;
    size_t pairs;
    double share; /* by weight, of all pairs */
} iv_judge_cell;

typedef struct iv_judge_topic {
    iv_str topic;
    size_t pairs;
    iv_unit_drift drift;
} iv_judge_topic;

typedef struct iv_judged_by {
    size_t topics, pairs;
    size_t only_reference, only_judge; /* documents of these topics with one label only */
    size_t topics_reference, topics_judge; /* topics that only one has */
    bool scored;         /* the judge's labels are scores, cut so that each grade is as
                            frequent as the reference's */
    int32_t level, judge_level; /* in use */
    bool constant;       /* the judge has one label for all */
    iv_kappa kappa;      /* of relevant or not */
    iv_kappa graded;     /* of the grades */
    iv_interval sensitivity, specificity;
    iv_interval bias;  /* proportion of relevant by the judge less that by the reference */
    iv_worth worth;      /* of relevant or not; of the grades: */
    iv_worth worth_graded;
    iv_drift drift;
    const iv_judge_label *labels; /* by label */
    size_t label_count;
    const iv_judge_cell *cells;   /* that occur */
    size_t cell_count;
    const iv_judge_topic *by_topic;
    const double *log_worth;      /* without one topic each (of grades), for comparing judges */
} iv_judged_by;

typedef struct iv_judge iv_judge;

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_ESTIMATE_JUDGE_H */
