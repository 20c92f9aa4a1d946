/* SPDX-License-Identifier: Apache-2.0 */
/* What scoring keeps of a run, and the workspace of one thread. */
#ifndef IV_ESTIMATE_SCORES_H
#define IV_ESTIMATE_SCORES_H

#include "base/memory.h"
#include "intervale/estimate.h"

/* A row of values: which topic of the judgments, and of the run. */
typedef struct iv_scored_topic {
    size_t judged;
    size_t in_run; /* IV_NONE: missing */
} iv_scored_topic;

struct iv_scores {
    const iv_judgments *judgments;
    const iv_measures *measures;
    bool complete;
    char *tag;
    uint64_t bytes;
    iv_scored_topic *topic;
    size_t topics;
    size_t *missing; /* topics of the judgments */
    size_t missing_count;
    size_t width;    /* values of a row */
    double *rows;
    iv_bounds *bounds; /* as rows; NULL: not asked for */
    iv_ties *ties;
    char **texts;      /* topics x text_count; NULL: not kept */
    size_t *text_of;   /* a value's place among the texts; IV_NONE: none */
    size_t text_count;
    iv_scores_notes noted;
};

/* Judgments that stand for themselves only, and measures that fit them. */
int iv_scores_check(const iv_judgments *j, const iv_measures *m, iv_err *err);

/*
 * iv_score_run() without that check; name stands in messages.  largest:
 * iv_largest_grade() of the judgments.
 */
int iv_score_named(iv_scores **out, const char *name, const iv_run *run,
                   const iv_judgments *j, const iv_measures *m, int32_t largest,
                   const iv_scoring *o, int threads, iv_err *err);

#endif /* IV_ESTIMATE_SCORES_H */
