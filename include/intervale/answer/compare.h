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

/* How the table paper shows intervals. */
typedef enum iv_paper_interval {
    IV_PAPER_BRACKETS,    /* 0.40 [0.32, 0.48] */
    IV_PAPER_PM,          /* 0.40 +-0.08, half its width */
    IV_PAPER_NO_INTERVAL
} iv_paper_interval;

/* Their names, in the order of the enum, ending with NULL. */
IV_API const char *const *iv_paper_interval_names(void);

/* {0} is the default in every field; what to compare must be there, in one of
 * three forms. */
typedef struct iv_compare_question {
    /* Judgments and runs.  Of scoring count the measures (none: AP), complete,
     * measure, estimator and unjudged. */
    iv_source source;
    iv_evaluating scoring;

    /* Scores in memory, values[system * topics.count + topic], NaN where there is
     * none.  scoring.measures says what to call them (none: score); with scoring.complete
     * those that are missing are 0. */
    const double *values;
    iv_texts systems, topics;

    /* Scores of any kind, with repeats, clusters, sets; of scoring.measures those that are
     * named (none: one), and complete.  Of the form above scores.binary counts too. */
    iv_score_input scores;

    /* The claim that no run is worse than the baseline by more than how.margin, which both
     * must be given: the result has a verdict then.  One-sided, at 1 - confidence. */
    bool not_worse;
    bool gate_sets; /* ... and significantly worse in no set of the suite (Holm's correction) */
    bool gate_on_worse; /* what is inconclusive passes: only a loss beyond the margin fails */

    const char *groups;   /* a file with the columns topic and group */
    iv_texts baselines;   /* compare each run with these, not all pairs: by name, path or file */
    iv_texts tests;       /* by iv_pair_test_names(); none: hall, or mcnemar of 0 and 1 */
    iv_paper_interval paper;
    iv_compare_options how; /* but for tests and baselines, which have names here */

    /* Automatic labels beside human ones; {0}: none.  Differences are then tested
     * by Student's t alone, and corrected by Holm's method. */
    iv_machines machine;
} iv_compare_question;

/*
 * Compares the runs and puts into out, which is new: the answer in a sentence a
 * measure; the tables pairs, runs and paper; groups and interaction if there are
 * groups; sets of a suite; sampling if the judgments are a sample; topics; charts, notes and
 * inputs.
 *
 * IV_EARG for an unknown name or an option outside its domain, IV_ENODATA where
 * runs share too little; and as iv_evaluate(), iv_compare().
 */
IV_API IV_MUST_CHECK int iv_answer_compare(iv_result *out, const iv_compare_question *question,
                                           const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_ANSWER_COMPARE_H */
