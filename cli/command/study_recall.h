/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the command study recall share. */
#ifndef STUDY_RECALL_H
#define STUDY_RECALL_H

#include "frame/cmd.h"
#include "study/study.h"

typedef struct study_recall_args {
    int scenario;
    int64_t realisations, samples;
    const char *run, *labels;
    opt_numbers at;
    int64_t sample_size, drawn_at, least_relevant, level;
} study_recall_args;

typedef struct study_recall {
    cmd_context *c;
    const study_recall_args *args;
    iv_table *coverage, *quartiles, *closest, *topics;
    size_t part, parts; /* for the progress */
} study_recall;

iv_recall_study_options study_recall_options(study_recall *s, size_t samples);

/* Rows of the table coverage. */
void study_recall_put(study_recall *s, const char *scenario, const iv_recall_coverage *rows);

/* Rankings and complete labels instead of scenarios. */
IV_MUST_CHECK int study_recall_review(study_recall *s, iv_err *err);

#endif /* STUDY_RECALL_H */
