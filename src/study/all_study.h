/* SPDX-License-Identifier: Apache-2.0 */
/* study all: the published figures beside ours, and what the intervals cover. */
#ifndef INTERVALE_STUDY_ALL_H
#define INTERVALE_STUDY_ALL_H

#include "intervale/trec.h"
#include "base/parallel.h"
#include "study/coverage_study.h"
#include "study/papers_study.h"
#include "study/sampling_study.h"

typedef struct iv_study_all_question {
    bool papers, coverage;  /* neither: both */
    bool quick;             /* smaller simulations */
    iv_texts only;          /* papers, their tables, parts of the coverage; none: all */
    /* Data that cannot be part of this program; NULL: left out. */
    const char *robust2004; /* average precision of systems on topics ... */
    iv_matrix_rows by;      /* ... and what a line of it is */
    const char *qrels;      /* complete judgments of the documents of the runs */
    iv_texts runs;
    const char *review;     /* rankings of whole collections ... */
    const char *labels;     /* ... and judgments of all their documents */
} iv_study_all_question;

/* What a name of `only` is of: one of these, or 0 when it is unknown. */
enum { IV_STUDY_PAPERS = 1, IV_STUDY_COVERAGE = 2 };
unsigned iv_study_all_named(const char *name);

/* The answer: tables papers, paper_tables, coverage.  IV_EARG for an unknown name and
 * when nothing is left to do. */
IV_MUST_CHECK int iv_study_answer_all(iv_result *out, const iv_study_all_question *q,
                                      const iv_work *work, iv_err *err);

/* What the parts of study all share. */

/* The data that were given; NULL or 0 where none were. */
typedef struct iv_study_data {
    iv_matrix *robust2004;
    iv_judged_runs collection;
    iv_run *review;
    iv_judgments *labels;
} iv_study_data;

/* The scores of a matrix, gaps as NaN, in the arena. */
IV_MUST_CHECK int iv_grid_of(iv_score_grid *out, iv_arena *own, const iv_matrix *m, iv_err *err);

/* The papers' tables beside ours. */
IV_MUST_CHECK int iv_study_tell_papers(iv_result *out, const iv_study_all_question *q,
                                       const iv_study_data *d,
                                       const bool wanted[IV_PAPER_TABLES], const iv_work *work,
                                       iv_err *err);

/* What the default intervals cover. */
IV_MUST_CHECK int iv_study_tell_coverage(iv_result *out, const iv_study_all_question *q,
                                         const iv_study_data *d,
                                         const bool wanted[IV_COVERAGE_PARTS],
                                         const iv_work *work, iv_err *err);

#endif /* INTERVALE_STUDY_ALL_H */
