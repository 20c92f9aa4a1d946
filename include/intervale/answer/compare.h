/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of some runs differ, and how sure is that?
 *
 *     iv_result *r = NULL;
 *     const iv_compare_question q = {
 *         .source = { .judgments = "qrels", .runs = { paths, 2 } } };
 *     if (iv_result_new(&r, "compare", &err) == IV_OK
 *         && iv_answer_compare(r, &q, NULL, &err) == IV_OK)
 *         puts(iv_result_answer_text(r));
 *
 * iv_report_write() writes the whole of it, as the command does.
 */
#ifndef INTERVALE_ANSWER_COMPARE_H
#define INTERVALE_ANSWER_COMPARE_H

#include "intervale/answer/score_input.h"
#include "intervale/estimate.h"
#include "intervale/stat/comparison.h"

IV_BEGIN_C

/* {0} is the default in every field; what to compare must be there, in one of
 * four forms. */
typedef struct iv_compare_question {
    /* Judgments and runs.  Of scoring count the measures (none: AP), complete,
     * measure, estimator and unjudged. */
    iv_source source;
    iv_evaluating scoring;

    /* A file of scores.  scoring.measures says what to call them (none: score);
     * with scoring.complete those that are missing are 0. */
    const char *matrix;
    iv_matrix_rows by;

    /* Scores in memory, values[system * topics.count + topic], NaN where there is
     * none; scoring as above. */
    const double *values;
    iv_texts systems, topics;

    /* Scores of any kind, with repeats, clusters, sets; of scoring.measures those that are
     * named (none: one), and complete. */
    iv_score_input scores;

    const char *groups;   /* a file with the columns topic and group */
    iv_texts baselines;   /* compare each run with these, not all pairs: by name, path or file */
    iv_texts tests;       /* by iv_pair_test_names(); none: randomisation */
    iv_compare_options how; /* but for tests and baselines, which have names here */

    /* Labels of a machine beside people's judgments; {0}: none.  Differences are then tested
     * by Student's t alone, and corrected by Holm's method. */
    iv_machines machine;
} iv_compare_question;

/*
 * Compares the runs and puts into out, which is new: the answer in a sentence a
 * measure; the tables pairs, runs and paper; groups and interaction if there are
 * groups; sampling if the judgments are a sample; what charts are drawn from
 * (topics, all_pairs, members); charts, notes and inputs.
 *
 * IV_EARG for an unknown name or an option outside its domain, IV_ENODATA where
 * runs share too little; and as iv_evaluate(), iv_matrix_load(), iv_compare().
 */
IV_API IV_MUST_CHECK int iv_answer_compare(iv_result *out, const iv_compare_question *question,
                                           const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_ANSWER_COMPARE_H */
