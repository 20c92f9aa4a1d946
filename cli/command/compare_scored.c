/* SPDX-License-Identifier: Apache-2.0 */
#include "command/compare_scored.h"

#include <stdlib.h>
#include <string.h>

#include "command/compare_notes.h"
#include "command/compare_sampled.h"

static char *copy_of(iv_str s)
{
    char *out = malloc(s.len + 1);

    if (out != NULL) {
        memcpy(out, s.ptr, s.len);
        out[s.len] = '\0';
    }
    return out;
}

static int check_measures(const iv_evaluated *v, iv_err *err)
{
    for (size_t i = 0; i < v->measure_count; i++) {
        const iv_evaluated_measure *m = &v->measures[i];
        if (m->text || !m->per_topic
            || (m->info != NULL && m->info->measure->summary == IV_SUMMARY_GEOMETRIC))
            return cmd_usage(err, "measure '%s' is no mean of numbers of topics: nothing to "
                             "compare", m->name);
    }
    return IV_OK;
}

static int fill(compare_input *in, const iv_evaluation *e, iv_err *err)
{
    const iv_evaluated *v = iv_evaluation_view(e);
    const size_t S = v->run_count, T = v->topic_count, M = v->measure_count;
    bool ok;

    in->runs = calloc(S + 1, sizeof *in->runs);
    in->topics = calloc(T + 1, sizeof *in->topics);
    in->measures = calloc(M + 1, sizeof *in->measures);
    in->digits = calloc(M + 1, sizeof *in->digits);
    in->values = malloc((M * S * T + 1) * sizeof *in->values);
    ok = in->runs != NULL && in->topics != NULL && in->measures != NULL && in->digits != NULL
        && in->values != NULL;
    for (size_t r = 0; ok && r < S; r++)
        ok = (in->runs[in->run_count++] = copy_of(iv_str_of(v->runs[r].name))) != NULL;
    for (size_t t = 0; ok && t < T; t++)
        ok = (in->topics[in->topic_count++] = copy_of(v->topics[t])) != NULL;
    for (size_t m = 0; ok && m < M; m++) {
        in->digits[m] = v->measures[m].count ? 2 : 4;
        iv_evaluation_grid(in->values + m * S * T, e, m);
        ok = (in->measures[in->measure_count++] = copy_of(iv_str_of(v->measures[m].name)))
            != NULL;
    }
    return ok ? IV_OK : iv_fail(err, IV_ENOMEM, "out of memory");
}

static void tell(cmd_context *c, const iv_evaluated *v, const compare_source *source)
{
    iv_result_input(c->result, c->operands[0], v->judgments_bytes);
    for (size_t r = 0; r < v->run_count; r++)
        iv_result_input(c->result, c->operands[r + 1], v->runs[r].bytes);
    /* Judged topics that no run has are no run's fault, but must be told. */
    if (v->judged_topics > v->topic_count && v->sampling == NULL)
        iv_result_note(c->result, "%zu of %zu judged topics are in none of the runs",
                       v->judged_topics - v->topic_count, v->judged_topics);
    tell_run_files(c->result, v);
    if (v->sampling == NULL)
        return;
    iv_result_note(c->result, "the judgments are a sample: scores are estimates, and their "
                   "differences hold the sampling's noise besides the topics'; table "
                   "'sampling' has the two apart");
    tell_irregular(c->result, v->sampling, source->unjudged, v->estimator);
}

int compare_runs_read(compare_input *in, cmd_context *c, const compare_source *source,
                      iv_err *err)
{
    static const char *const standard[] = { "AP" };
    const iv_source files = {
        .judgments = c->operand_count > 0 ? c->operands[0] : NULL,
        .judgments_format = (iv_judgments_format)source->judgments_format,
        .runs = { (const char *const *)c->operands + 1,
                  c->operand_count > 0 ? c->operand_count - 1 : 0 },
        .run_format = (iv_run_format)source->run_format };
    iv_evaluating how = {
        .measures = source->measures.count > 0 ? source->measures : (iv_texts){ standard, 1 },
        .measure = source->options, .complete = source->complete, .differences = true,
        .interval = IV_INTERVAL_NONE,
        .estimator = source->estimator < 0 ? IV_ESTIMATOR_AUTO
            : (iv_estimator)(source->estimator + 1),
        .unjudged = source->unjudged < 0 ? IV_UNJUDGED_REFUSE : (iv_unjudged)source->unjudged };
    iv_evaluation *e = NULL;

    if (how.measure.level == 0)
        how.measure.level = IV_ZERO;
    if (c->operand_count < 3)
        return cmd_usage(err, c->operand_count < 1 ? "judgments and runs are missing, or "
                         "--matrix FILE" : c->operand_count == 1
                         ? "the runs are missing: give two or more"
                         : "one run only: there is nothing to compare it with");
    int rc = iv_evaluate(&e, &files, &how, &c->work, err);
    if (rc != IV_OK)
        return rc == IV_EARG ? CMD_USAGE : rc;
    in->files = c->operands + 1;
    in->sampled = iv_evaluation_view(e)->sampling != NULL;
    in->evaluation = e; /* freed with the input, whatever happens */
    rc = check_measures(iv_evaluation_view(e), err);
    if (rc == IV_OK)
        rc = fill(in, e, err);
    if (rc == IV_OK)
        tell(c, iv_evaluation_view(e), source);
    return rc;
}
