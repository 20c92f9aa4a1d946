/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of study all share. */
#ifndef IV_STUDY_ALL_PARTS_H
#define IV_STUDY_ALL_PARTS_H

#include "base/parallel.h"
#include "study/all_study.h"
#include "study/coverage_study.h"
#include "study/papers_study.h"
#include "study/sampling_study.h"

/* The data that were given; NULL or 0 where none were. */
typedef struct iv_study_data {
    iv_matrix *robust2004;
    iv_judged_runs collection;
    iv_run *review;
    iv_judgments *labels;
} iv_study_data;

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

#endif /* IV_STUDY_ALL_PARTS_H */
