/* SPDX-License-Identifier: Apache-2.0 */
/* What is compared: scores of runs on topics, from files of either kind. */
#ifndef COMPARE_INPUT_H
#define COMPARE_INPUT_H

#include "frame/cmd.h"
#include "intervale/estimate.h"

/* Where the scores come from. */
typedef struct compare_source {
    const char *matrix;   /* NULL: judgments and runs are the operands */
    int by;               /* rows of the matrix: iv_matrix_rows */
    opt_list measures;    /* names; empty: AP */
    bool complete;        /* a missing score is 0, or an empty ranking's */
    iv_measure_options options;
    int judgments_format; /* iv_judgments_format */
    int run_format;       /* iv_run_format */
    int estimator, unjudged; /* of sampled judgments; below 0: not given */
} compare_source;

/* Names are owned; values[(m * runs + r) * topics + t], NaN where missing. */
typedef struct compare_input {
    char **runs, **topics, **measures;
    size_t run_count, topic_count, measure_count;
    double *values;
    int *digits;  /* by measure: behind the point, for people */
    char **files; /* of the runs, borrowed; NULL: a matrix */
    iv_evaluation *evaluation; /* NULL: a matrix */
    bool sampled; /* the scores are estimates */
} compare_input;

/*
 * Reads the scores and adds the files to the result.  Fills in what it is
 * given, which starts as {0} and is freed by compare_input_free() in any case.
 */
IV_MUST_CHECK int compare_input_read(compare_input *in, cmd_context *c,
                                     const compare_source *source, iv_err *err);
void compare_input_free(compare_input *in);

/* The scores of one measure. */
const double *compare_input_values(const compare_input *in, size_t measure);

/* The run of that name or file, in *index; CMD_USAGE suggests the nearest. */
IV_MUST_CHECK int compare_input_find(size_t *index, const compare_input *in,
                                     const char *name, iv_err *err);

/*
 * Every pair (or every run with the baseline) must share two topics: one line
 * names the first that does not.
 */
IV_MUST_CHECK int compare_input_check(const compare_input *in, size_t baseline,
                                      iv_err *err);

/* Notes: which run lacks which topics. */
void compare_input_tell_missing(cmd_context *c, const compare_input *in, bool complete);

#endif /* COMPARE_INPUT_H */
