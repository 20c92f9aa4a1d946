/* SPDX-License-Identifier: Apache-2.0 */
/* Every measure of every run, with its interval. */
#ifndef INTERVALE_ANSWER_EVAL_H
#define INTERVALE_ANSWER_EVAL_H

#include "intervale/answer/score_input.h"
#include "intervale/estimate.h"

IV_BEGIN_C

/* {0} but for the source: the usual measures, means over topics, 95 % intervals. */
typedef struct iv_eval_question {
    iv_source source;
    iv_evaluating how;
    bool topics;        /* each topic, too */
    bool no_summary;    /* nothing over all topics */
    const char *matrix; /* a file to write: the first measure, systems x topics */
    /* Scores of any kind instead of the source; of how count measures (none: all), complete,
     * interval, guaranteed and resampling. */
    iv_score_input scores;
    /* A file to write, by iv_write_scores(): the scores of every topic, which can be put
     * together with others (source.parts).  They are not kept, so that there is only a sentence. */
    const char *write_scores;
    iv_texts at_least;  /* claims MEASURE=X: the interval is above X (PASS), below it (FAIL) */
    FILE *trec;         /* trec_eval's own lines go there, and no tables are made */
    iv_machines machine; /* labels of a machine beside people's judgments; {0}: none */
} iv_eval_question;

/*
 * Fills the sentence, the table `measures` (a row a mean and, if topics are asked for, a
 * row each; else they are in `topics`, on request), notes and charts; of scores also
 * `errors`, `sets`, `variance` and `reliability`.  With a machine the
 * rows have people alone, both combined and the machine alone side by side, and the tables
 * judges, calibration, confusion and drift say how far the machine agrees.  IV_EARG for what cannot
 * be asked, or not of these judgments; else as iv_evaluate().
 */
IV_API IV_MUST_CHECK int iv_answer_eval(iv_result *out, const iv_eval_question *question,
                                        const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_ANSWER_EVAL_H */
