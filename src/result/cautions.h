/* SPDX-License-Identifier: Apache-2.0 */
/* Where caution begins: the numbers that decide when a warning appears, each with its source. */
#ifndef IV_RESULT_CAUTIONS_H
#define IV_RESULT_CAUTIONS_H

typedef enum iv_caution {
    /* means and their resamples */
    IV_FEW_MEAN_ITEMS,
    IV_SKEWNESS_ITEMS,
    IV_DROPPED_RESAMPLES,
    /* sampled judgments */
    IV_FEW_SAMPLED_RELEVANT,
    IV_OUTSIDE_FRAME,
    IV_UNSEEN_TENTH,
    IV_UNSEEN_FIFTH,
    IV_UNSEEN_THIRD,
    IV_UNSEEN_HALF,
    IV_UNEVENLY_JUDGED,
    /* comparisons and scores */
    IV_VERY_FEW_TOPICS,
    IV_FEW_TOPICS,
    IV_FEW_DIFFER,
    IV_MANY_RUNS,
    IV_FEW_FREEDOMS,
    IV_FEW_SEEDS,
    IV_FEW_VOTES,
    IV_FEW_GROUP_ITEMS,
    /* classifiers */
    IV_FEW_CLASSIFIED,
    IV_FEW_OF_A_CLASS,
    IV_LOW_LEAST_COVERAGE,
    IV_FEW_MISRANKED,
    IV_FEW_AP_POSITIVES,
    IV_FEW_LOSSES,
    IV_FEW_LARGE_LOSSES,
    /* labels and reviews */
    IV_FEW_RARE_LABELS,
    IV_FEW_DISAGREEMENTS,
    IV_FEW_RMSE_TOPICS,
    IV_FEW_LABELS_A_VARIABLE,
    IV_FEW_RANDOM_LABELS,
    IV_FEW_RANDOM_A_TOPIC,
    IV_FEW_LABELS_A_TOPIC,
    IV_FEW_RELEVANT_LABELS,
    IV_FEW_RELEVANT_FOUND,
    /* gates: false PASS or FAIL may be above 0.07, or was up to so many items */
    IV_GATE_RARE_LOSSES,
    IV_GATE_RARE_SCORES,
    IV_GATE_RATIO,
    IV_GATE_RATIO_PAIR,
    IV_GATE_NIGHTS,
    IV_GATE_CRASHES,
    IV_GATE_RARE_CLASS,
    IV_GATE_JUDGED,
    IV_CAUTIONS
} iv_caution;

typedef struct iv_caution_row {
    double at;           /* below (or above) which the warning appears */
    const char *counts;  /* what is counted */
    const char *decides; /* ids of messages, or what else depends on it */
    const char *page;    /* of doc/ */
    const char *cell;    /* the words, or the row of figures, that say why */
    double measured;     /* the figure of that row, where an answer states it */
} iv_caution_row;

extern const iv_caution_row iv_cautions[IV_CAUTIONS];

static inline double iv_caution_at(iv_caution which) { return iv_cautions[which].at; }

/* The largest rate of errors of a gate that was measured with so many items; 0: below 0.07. */
static inline double iv_gate_error(iv_caution which, double items)
{
    return items <= iv_cautions[which].at ? iv_cautions[which].measured : 0.0;
}

#endif
