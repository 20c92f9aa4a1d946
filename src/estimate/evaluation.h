/* SPDX-License-Identifier: Apache-2.0 */
/* What an evaluation keeps. */
#ifndef IV_ESTIMATE_EVALUATION_H
#define IV_ESTIMATE_EVALUATION_H

#include "estimate/scores.h"

struct iv_evaluation {
    iv_evaluated view;
    iv_task task;
    iv_judgments *judgments; /* read here; NULL: the caller's */
    iv_rectified *rectified;
    iv_sampling *sampling;
    iv_measures *measures;   /* of complete judgments */
    iv_sampled_measures *estimated;
    iv_standards *standards; /* NULL: values as they are */
    iv_scores **scores;
    iv_evaluated_run *runs;
    char **names, **paths;
    iv_str **missing;
    iv_evaluated_measure *values;
    iv_mean *means;
    iv_str *topics;
    size_t *judged;          /* topics' places in the judgments, rising */
};

/* The row of a topic in a run; IV_NONE: it has none. */
size_t iv_evaluation_row(const iv_evaluation *e, size_t run, size_t topic);

#endif /* IV_ESTIMATE_EVALUATION_H */
