/* SPDX-License-Identifier: Apache-2.0 */
/* roc -- how good are the scores of classifiers? */
#ifndef INTERVALE_ANSWER_SCORED_QUESTION_H
#define INTERVALE_ANSWER_SCORED_QUESTION_H

#include "intervale/stat/scored.h"
#include "intervale/trec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct iv_scored_system {
    const char *name;
    const double *scores;
} iv_scored_system;

/* {0} but for a file, or items in memory, is what the tool does without options. */
typedef struct iv_roc_question {
    /* a table: a column of what items are, and one a system (or of each a class) */
    const char *file;
    const char *gold;     /* that column; NULL: gold, label, truth, y_true or target */
    /* its label of positive items; NULL: 1 of 0 and 1, or three classes or more */
    const char *positive;
    iv_texts named;       /* only these columns are systems; none: all others, but for id; of
                             classes what stands beside them */
    const iv_csv *table;  /* instead of the file */
    const iv_scored_system *systems; /* instead of both, ... */
    size_t system_count;
    const bool *is_positive;         /* ... of so many items */
    size_t items;
    iv_threshold_goal goal;
    size_t bins;       /* of the calibration error; 0: 10 */
    double confidence; /* 0: .95 */
    size_t resamples;  /* of thresholds and curves; 0: 2,000 */
    /* The claim that no system is worse than the baseline (NULL: the first) by more than the margin
     * (IV_ZERO: 0) in a measure: AUC (NULL), Brier or log_loss. */
    bool not_worse;
    const char *baseline, *measure;
    double margin;
} iv_roc_question;

/*
 * Tables: measures (AUC and average precision; Brier, log loss and ECE where all scores are
 * probabilities), pairs (of these but AP and ECE), threshold, curves; of three gold labels or more
 * classes (areas of each against the rest, and averages), pairs (macro averages) and measures.
 * IV_EPARSE for a bad file, IV_ENODATA unless there are items of both kinds, IV_EARG for
 * an option outside its domain.
 */
IV_API IV_MUST_CHECK int iv_answer_roc(iv_result *out, const iv_roc_question *question,
                                       const iv_work *work, iv_err *err);

#ifdef __cplusplus
}
#endif

#endif /* INTERVALE_ANSWER_SCORED_QUESTION_H */
