/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of eval: a row's type, its columns, and when each is there. */
#ifndef IV_RETRIEVAL_EVAL_H
#define IV_RETRIEVAL_EVAL_H

#include "intervale/retrieval.h"

/* A value in the tables of eval: of a topic, or over topics. */
typedef struct iv_eval_line {
    const char *run, *measure, *canonical, *reason, *method;
    iv_str topic;
    size_t topics, missing, relevant;
    double value, se, lower, upper, se_judgments, se_topics, outside;
    iv_limits bounds;
    iv_interval ties;
    iv_interval_gap gap;
    iv_interval_method by;
} iv_eval_line;

/* When a column is there, or shown to people. */
enum {
    IV_EVAL_ONE_RUN = 1 << 0,
    IV_EVAL_MANY_RUNS = 1 << 1,
    IV_EVAL_TOPICS = 1 << 2,    /* each topic has a row */
    IV_EVAL_UNEVEN = 1 << 3,    /* runs differ in their number of topics */
    IV_EVAL_ERRORS = 1 << 4,    /* the standard error is worth its room */
    IV_EVAL_INTERVALS = 1 << 5,
    IV_EVAL_LACKING = 1 << 6,   /* some run misses a topic */
    IV_EVAL_BOUNDS = 1 << 7,
    IV_EVAL_TIES = 1 << 8,
    IV_EVAL_SAMPLED = 1 << 9,
    IV_EVAL_OUTSIDE = 1 << 10, /* some of a run is outside of the sampled frame */
    IV_EVAL_JUDGED = 1 << 11, IV_EVAL_SCORES = 1 << 12 /* of judgments, or scores of any kind */
};

/* The table measures, of runs or of systems and their items. */
extern const iv_field iv_eval_measure_fields[];

/* The answer of eval for judgments and runs. */
IV_MUST_CHECK int iv_eval_runs(iv_result *out, const iv_eval_question *q, const iv_work *work,
                               iv_err *err);

#endif
