/* SPDX-License-Identifier: Apache-2.0 */
/* What an evaluation with a machine holds. */
#ifndef IV_ESTIMATE_ASSISTED_STATE_H
#define IV_ESTIMATE_ASSISTED_STATE_H

#include "base/memory.h"
#include "intervale/estimate/assisted.h"

struct iv_assisted {
    iv_assisted_view view;
    iv_arena memory;
    iv_machines how;
    double confidence;
    iv_judgments **labels;
    iv_judge **judges;
    uint64_t *bytes;
    size_t runs, measures, topics; /* topics: that every machine has, the judged ones first */
    double *human;   /* [(measure * runs + run) * judged + topic] */
    double **values; /* one a machine, [(measure * runs + run) * topics + topic] */
};

/* Whose values a measure has over the judged topics: people's, or rectified ones. */
const iv_evaluation *iv_assisted_values(const iv_assisted *a, size_t measure);

/* Is a measure a sum over documents, which rectified labels estimate without bias? */
bool iv_assisted_is_sum(const iv_assisted *a, size_t measure);

#endif /* IV_ESTIMATE_ASSISTED_STATE_H */
