/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the command eval share. */
#ifndef EVAL_H
#define EVAL_H

#include "frame/cmd.h"
#include "intervale/estimate.h"

typedef struct eval_args {
    opt_list measures;
    bool topics, complete, no_summary, judged_only, bounds, ties;
    int64_t level, depth, collection, resamples;
    int compat, ci, judgments_format, run_format;
    int estimator, unjudged; /* below 0: not given */
    const char *matrix;
} eval_args;

/* One evaluation: what was read and what came out. */
typedef struct eval {
    const eval_args *args;
    const session *shared;
    iv_result *result;
    char **paths;       /* of the runs */
    size_t count;       /* runs */
    size_t width;       /* values of a topic */
    iv_judgments *judgments;
    iv_measures *measures;
    int32_t largest;    /* grade of the judgments */
    iv_scores **runs;
    const iv_str *tags; /* of the runs; NULL: as runs have them */
    char **names;       /* of the runs, all different */
    size_t *order;      /* of the runs in tables: by the first measure */
    iv_mean *means;     /* runs x width; NULL in trec_eval's format */
} eval;

/* Names the runs: by tag, by file name where tags repeat. */
IV_MUST_CHECK int eval_name_runs(eval *e, iv_err *err);

/* Orders the runs by the first measure that has a mean, highest first. */
void eval_order_runs(eval *e);

/* The first value with a number for each topic, or IV_NONE. */
size_t eval_first_value(const eval *e);

/* Does a value show in tables, and are there bounds or ties for it? */
bool eval_shows(const eval *e, size_t value);

/* Fills the result's tables and its answer. */
void eval_tables(eval *e);

/* A kind of interval in words. */
const char *eval_method_text(iv_interval_method m);

/* Hands over what a page draws, and how the numbers were made. */
void eval_charts(const eval *e);

/*
 * Notes on what the files of runs hold that a reader should hear of, by name:
 * ranks against scores, several tags, the same file twice.  odd_of(runs, r) has
 * what was seen of run r.
 */
typedef iv_run_oddities odd_of(const void *runs, size_t r);
void eval_tell_files(iv_result *out, char *const *paths, const void *runs, odd_of *odd,
                     size_t count);

/* For runs that are an array of scores, or of estimates from a sample. */
iv_run_oddities eval_odd_scores(const void *runs, size_t r);
iv_run_oddities eval_odd_sampled(const void *runs, size_t r);

/* Says what a reader must know; tables: not only what trec_eval might say. */
void eval_notes(eval *e, bool tables);

/* Prints as trec_eval does, run after run in the order given. */
IV_MUST_CHECK int eval_print_trec(const eval *e, FILE *out, iv_err *err);

/* Writes the scores of the first measure, systems x topics. */
IV_MUST_CHECK int eval_write_matrix(const eval *e, iv_err *err);

/*
 * The whole evaluation, from judgments that are a sample.  *complete: nothing
 * happened yet, for all was judged for certain and complete scoring is due.
 */
IV_MUST_CHECK int eval_sampled(bool *complete, eval *e, cmd_context *c, iv_err *err);

#endif /* EVAL_H */
