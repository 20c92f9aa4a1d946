/* SPDX-License-Identifier: Apache-2.0 */
#include "command/compare_scored.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/compare_sampled.h"
#include "command/eval.h"

/* What is read, until it is copied into the input. */
typedef struct scored {
    iv_measures *measures;
    iv_judgments *judgments;
    iv_scores **runs;
    size_t count;
} scored;

static char *copy_of(iv_str s)
{
    char *out = malloc(s.len + 1);

    if (out != NULL) {
        memcpy(out, s.ptr, s.len);
        out[s.len] = '\0';
    }
    return out;
}

/* Names as eval gives them: by tag, by file where tags repeat. */
static int name_runs(compare_input *in, const scored *x, char **paths, iv_err *err)
{
    eval e = { .paths = paths, .count = x->count, .runs = x->runs, .names = in->runs };

    in->run_count = x->count;
    return eval_name_runs(&e, err);
}

/* ----------------------------------------------------------- the values -- */

static int check_measures(const iv_measures *m, iv_err *err)
{
    for (size_t i = 0; i < iv_measures_count(m); i++) {
        const iv_value_info *v = iv_measures_value(m, i);
        if (v->measure->kind == IV_TEXT || !v->measure->per_topic
            || v->measure->summary == IV_SUMMARY_GEOMETRIC)
            return cmd_usage(err, "measure '%s' is no mean of numbers of topics: nothing to "
                             "compare", v->name);
    }
    return IV_OK;
}

/* The topics with a score of some run, in the order of the judgments. */
static bool list_topics(compare_input *in, const scored *x, size_t *place)
{
    const size_t judged = iv_judgments_topics(x->judgments);

    for (size_t t = 0; t < judged; t++)
        place[t] = IV_NONE;
    for (size_t r = 0; r < x->count; r++) {
        for (size_t t = 0; t < iv_scores_topics(x->runs[r]); t++)
            place[iv_judgments_find_topic(x->judgments, iv_scores_topic(x->runs[r], t))] = 0;
    }
    for (size_t t = 0; t < judged; t++) {
        if (place[t] == IV_NONE)
            continue;
        in->topics[in->topic_count] = copy_of(iv_judgments_topic(x->judgments, t));
        if (in->topics[in->topic_count] == NULL)
            return false;
        place[t] = in->topic_count++;
    }
    return true;
}

static void fill_values(compare_input *in, const scored *x, const size_t *place)
{
    const size_t S = x->count, T = in->topic_count, M = in->measure_count;

    for (size_t i = 0; i < M * S * T; i++)
        in->values[i] = (double)NAN;
    for (size_t r = 0; r < S; r++) {
        for (size_t t = 0; t < iv_scores_topics(x->runs[r]); t++) {
            const double *row = iv_scores_row(x->runs[r], t);
            const size_t at = place[iv_judgments_find_topic(x->judgments,
                                                            iv_scores_topic(x->runs[r], t))];
            for (size_t m = 0; m < M; m++)
                in->values[(m * S + r) * T + at] = row[m];
        }
    }
}

static int fill(compare_input *in, const scored *x, char **paths, iv_err *err)
{
    const size_t judged = iv_judgments_topics(x->judgments), M = iv_measures_count(x->measures);
    size_t *place = malloc((judged + 1) * sizeof *place);
    bool ok;

    in->runs = calloc(x->count + 1, sizeof *in->runs);
    in->topics = calloc(judged + 1, sizeof *in->topics);
    in->measures = calloc(M + 1, sizeof *in->measures);
    in->digits = calloc(M + 1, sizeof *in->digits);
    ok = place != NULL && in->runs != NULL && in->topics != NULL && in->measures != NULL
        && in->digits != NULL && name_runs(in, x, paths, NULL) == IV_OK
        && list_topics(in, x, place);
    for (size_t m = 0; ok && m < M; m++) {
        const iv_value_info *v = iv_measures_value(x->measures, m);
        in->digits[m] = v->measure->kind == IV_INTEGER ? 2 : 4;
        ok = (in->measures[in->measure_count++] = copy_of(iv_str_of(v->name))) != NULL;
    }
    if (ok) {
        in->values = malloc((M * x->count * in->topic_count + 1) * sizeof *in->values);
        ok = in->values != NULL;
    }
    if (ok)
        fill_values(in, x, place);
    free(place);
    return ok ? IV_OK : iv_fail(err, IV_ENOMEM, "out of memory");
}

/* ------------------------------------------------------------- the notes -- */

/* Judged topics that no run has are no run's fault, but must be told. */
static void tell_absent(cmd_context *c, const compare_input *in, const scored *x)
{
    const size_t judged = iv_judgments_topics(x->judgments);

    if (judged > in->topic_count)
        iv_result_note(c->result, "%zu of %zu judged topics are in none of the runs",
                       judged - in->topic_count, judged);
}

/* ----------------------------------------------------------------- read -- */

static int score(scored *x, cmd_context *c, const compare_source *source, iv_err *err)
{
    static const char *const standard[] = { "AP" };
    const bool given = source->measures.count > 0;
    const iv_scoring scoring = {
        .precision = source->options.dialect == IV_TREC_EVAL_9 ? IV_SCORES_FLOAT
            : IV_SCORES_DOUBLE,
        .complete = source->complete, .threads = (int)c->shared->threads,
        .progress = c->progress };
    int rc = iv_measures_parse(&x->measures, given ? source->measures.at : standard,
                               given ? source->measures.count : 1, &source->options, err);

    if (rc < 0)
        return rc == IV_EARG ? CMD_USAGE : rc;
    rc = check_measures(x->measures, err);
    x->runs = calloc(c->operand_count, sizeof(iv_scores *));
    if (rc == IV_OK && x->runs == NULL)
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    if (rc == IV_OK)
        rc = iv_score_files(x->runs, (const char *const *)c->operands + 1,
                            c->operand_count - 1, (iv_run_format)source->run_format,
                            x->judgments, x->measures,
                            &scoring, err);
    if (rc == IV_EARG && err->code == IV_EARG) {
        const iv_err told = *err;
        return iv_fail_at(err, IV_EARG, c->operands[0], 0, "%s", told.msg);
    }
    x->count = rc == IV_OK ? c->operand_count - 1 : 0;
    return rc;
}

int compare_runs_read(compare_input *in, cmd_context *c, const compare_source *source,
                      iv_err *err)
{
    scored x = { 0 };
    size_t inputs = 0;
    int rc;

    for (size_t i = 0; i < c->operand_count; i++)
        inputs += strcmp(c->operands[i], "-") == 0;
    if (inputs > 1)
        return cmd_usage(err, "standard input can be read once, and '-' was given %zu times",
                         inputs);
    if (c->operand_count < 3)
        return cmd_usage(err, c->operand_count < 1 ? "judgments and runs are missing, or "
                         "--matrix FILE" : c->operand_count == 1
                         ? "the runs are missing: give two or more"
                         : "one run only: there is nothing to compare it with");
    rc = iv_judgments_load(&x.judgments, c->operands[0],
                           (iv_judgments_format)source->judgments_format,
                           (int)c->shared->threads, err);
    if (rc == IV_OK && compare_is_sampled(x.judgments)) {
        in->files = c->operands + 1;
        return compare_sampled_read(in, c, source, x.judgments, err);
    }
    if (rc == IV_OK && (source->estimator >= 0 || source->unjudged >= 0))
        rc = cmd_usage(err, "--estimator and --unjudged are for sampled judgments, and %s is "
                       "none", c->operands[0]);
    if (rc == IV_OK)
        rc = score(&x, c, source, err);
    if (rc == IV_OK)
        rc = fill(in, &x, c->operands + 1, err);
    if (rc == IV_OK) {
        in->files = c->operands + 1;
        iv_result_input(c->result, c->operands[0], iv_judgments_bytes(x.judgments));
        for (size_t r = 0; r < x.count; r++)
            iv_result_input(c->result, c->operands[r + 1], iv_scores_bytes(x.runs[r]));
        tell_absent(c, in, &x);
        eval_tell_files(c->result, c->operands + 1, x.runs, eval_odd_scores, x.count);
    }
    for (size_t r = 0; r < x.count; r++)
        iv_scores_free(x.runs[r]);
    free(x.runs);
    iv_judgments_free(x.judgments);
    iv_measures_free(x.measures);
    return rc;
}
