/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What to judge, and what can be said before all is judged: the questions of the
 * commands sample, next and incomplete.
 */
#ifndef INTERVALE_ANSWER_JUDGING_H
#define INTERVALE_ANSWER_JUDGING_H

#include "intervale/design.h"
#include "intervale/estimate.h"
#include "intervale/stat/paired.h"

IV_BEGIN_C

/* ------------------------------------------------------------- sample -- */

/* Which documents shall be judged, and with which probability? */
typedef struct iv_sample_question {
    iv_source from;        /* the runs; its judgments exist and are filled in */
    iv_texts exclude;      /* runs, by tag or file, that neither frame nor weights see */
    size_t depth;          /* of the frame; 0: IV_FRAME_DEPTH */
    const char *weights;   /* "ap", "uniform", or the file of a table with columns topic,
                              docno and weight; NULL: "ap" */
    /* A file of automatic labels: documents are sampled from it by this design, without runs, and
     * written as qrels with grade -1; NULL: none. */
    const char *machine;
    iv_human_design human_design;
    iv_sample_options how; /* but for its judgments */
    FILE *form;            /* where to write the file to fill in; NULL: nowhere */
} iv_sample_question;

/*
 * Table design has a row for each topic, table probabilities one for each bucket.
 * IV_EARG for options that contradict each other or a run that is not there;
 * otherwise as iv_frame_new(), iv_sample_draw() and iv_sample_write().
 */
IV_API IV_MUST_CHECK int iv_answer_sample(iv_result *out, const iv_sample_question *q,
                                          const iv_work *work, iv_err *err);

/* --------------------------------------------------------------- next -- */

/* Which judgments would show which run is better? */
typedef struct iv_next_question {
    iv_source from;        /* a file of judgments may be empty */
    size_t count;          /* documents to list; 0: 10 */
    const char *write;     /* a file to write: the judgments, and these documents with grade -1,
                              to be filled in; NULL: none */
    const char *relevance; /* of unjudged documents: a probability in (0, 1), or "rank", which is
                              learnt from the judged ones; NULL: "rank" */
    bool paper;            /* as Carterette and Smucker (2007): relevance 0.5, the plain moments,
                              only documents that the runs return */
    size_t depth;          /* of the runs to look at; 0: all */
    int32_t level;         /* the lowest relevant grade; 0: 1, IV_ZERO: 0 */
    const char *machine;   /* a file of a machine's labels, see iv_inquiry_options; NULL: none */
    /* Judging is simulated, with the answers of these judgments ... */
    const char *oracle;    /* a file; NULL: it is not simulated */
    double until;          /* ... until the signs have this confidence; 0: .95 */
    iv_no_answer no_answer;
    size_t most;           /* judgments; 0: no limit */
} iv_next_question;

/*
 * Tables documents and pairs; judging too, if it is simulated.  IV_EARG for a
 * relevance that is none or fewer than two runs; otherwise as iv_inquiry_new() and
 * iv_judge_until().
 */
IV_API IV_MUST_CHECK int iv_answer_next(iv_result *out, const iv_next_question *q,
                                        const iv_work *work, iv_err *err);

/* --------------------------------------------------------- incomplete -- */

/* Which run is better, as far as the judgments go? */
typedef struct iv_incomplete_question {
    iv_source from;             /* a file of judgments may be empty */
    const char *baseline;       /* each run against this one, by name or file; NULL: all
                                   pairs */
    const char *relevance;      /* as in iv_next_question, as is this: */
    bool paper;
    size_t depth;               /* of the runs to look at; 0: all */
    int32_t level;              /* the lowest relevant grade; 0: 1, IV_ZERO: 0 */
    iv_alternative alternative; /* of the sign test */
    double confidence;          /* in a sign; 0: .95 */
} iv_incomplete_question;

/* Tables pairs and signs, and expected for charts.  IV_EARG as for next, and for a
 * baseline that is not among the runs. */
IV_API IV_MUST_CHECK int iv_answer_incomplete(iv_result *out, const iv_incomplete_question *q,
                                              const iv_work *work, iv_err *err);

IV_END_C

#endif /* INTERVALE_ANSWER_JUDGING_H */
