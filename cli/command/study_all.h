/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the command study all share. */
#ifndef STUDY_ALL_H
#define STUDY_ALL_H

#include "frame/cmd.h"
#include "study/study.h"

typedef struct study_all_args {
    bool papers, coverage, quick;
    opt_list only;
    const char *robust2004, *qrels, *review, *labels;
    int by;
} study_all_args;

/* The data that were given; NULL or 0 where none were. */
typedef struct study_all_data {
    iv_matrix *robust2004;
    iv_run **runs;
    size_t run_count;
    iv_judgments *judgments;
    iv_sampling *judged;
    iv_run *review;
    iv_judgments *labels;
} study_all_data;

/* The papers' tables beside ours. */
IV_MUST_CHECK int study_all_papers(cmd_context *c, const study_all_data *d,
                                   const bool wanted[IV_PAPER_TABLES], iv_progress progress,
                                   iv_err *err);

/* What the default intervals cover. */
IV_MUST_CHECK int study_all_coverage(cmd_context *c, const study_all_data *d,
                                     const bool wanted[IV_COVERAGE_PARTS], iv_progress progress,
                                     iv_err *err);

#endif /* STUDY_ALL_H */
