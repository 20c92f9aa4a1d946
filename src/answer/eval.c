/* SPDX-License-Identifier: Apache-2.0 */
/* eval: the runs in their order, the sentence, and what is written to files. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_parts.h"
#include "answer/assisted_parts.h"
#include "answer/eval_parts.h"
#include "answer/scorecard.h"
#include "intervale/answer/references.h"

const char *iv_eval_method_text(iv_interval_method m)
{
    return iv_interval_about(m == IV_INTERVAL_AUTO ? IV_INTERVAL_LOGIT : m)->text;
}

size_t iv_eval_deciding(const iv_eval *e, size_t run)
{
    size_t first = IV_NONE;

    for (size_t i = 0; i < e->v->measure_count; i++) {
        if (e->v->measures[i].text || !isfinite(iv_eval_mean(e, run, i)->value))
            continue;
        if (!e->v->measures[i].count && e->v->measures[i].overall)
            return i;
        first = first == IV_NONE ? i : first;
    }
    return first;
}

/* Highest first; by insertion, and stable: equal runs stay in the order given. */
static void order_runs(const iv_eval *e)
{
    const size_t by = e->v->run_count > 0 ? iv_eval_deciding(e, 0) : IV_NONE;

    for (size_t r = 0; r < e->v->run_count; r++) {
        size_t at = r;
        while (by != IV_NONE && at > 0 && iv_eval_mean(e, e->order[at - 1], by)->value
                                              < iv_eval_mean(e, r, by)->value) {
            e->order[at] = e->order[at - 1];
            at--;
        }
        e->order[at] = r;
    }
}

/* The interval, and what there is to know before it is believed. */
static void say_span(char *out, size_t size, const iv_eval *e, size_t measure, const iv_mean *m)
{
    const double percent = 100.0 * e->v->resampling.confidence;

    if (iv_none_relevant(e->v, measure)) {
        (void)snprintf(out, size, ", since no judgment has grade %ld or more",
                       (long)e->v->measures[measure].info->level);
        return;
    }
    if (!isfinite(m->lower))
        return;
    (void)snprintf(out, size, ", %.10g %% interval %.4f to %.4f (%s)", percent, m->lower, m->upper,
                   iv_eval_method_text(m->method));
}

/* Runs with the value of the best one, which follow it in the order. */
static const char *say_equals(char *out, size_t size, const iv_eval *e, size_t measure)
{
    const double best = iv_eval_mean(e, e->order[0], measure)->value;
    size_t equal = 0;

    out[0] = '\0';
    while (equal + 1 < e->v->run_count
           && iv_eval_mean(e, e->order[equal + 1], measure)->value == best)
        equal++;
    if (equal == 1)
        (void)snprintf(out, size, " and %.200s", e->v->runs[e->order[1]].name);
    else if (equal > 1)
        (void)snprintf(out, size, " and %zu others", equal);
    return out;
}

/* The best run by the first measure. */
void iv_eval_sentence(const iv_eval *e)
{
    const size_t best = e->order[0], runs = e->v->run_count;
    char span[400] = "", topics[64], others[240];
    const size_t i = iv_eval_deciding(e, best);

    if (e->v->sampling != NULL) {
        iv_eval_sampled_sentence(e);
        return;
    }
    if (i == IV_NONE || !e->v->measures[i].overall)
        return;
    const iv_mean *m = iv_eval_mean(e, best, i);
    const char *name = e->v->runs[best].name, *measure = e->v->measures[i].name;
    (void)snprintf(topics, sizeof topics, "%zu topic%s", m->topics, iv_plural(m->topics));
    say_span(span, sizeof span, e, i, m);
    if (runs > 1)
        iv_result_answer(e->out, "%zu runs; highest %s: %s%s with %.*f over %s%s.", runs,
                         measure, name, say_equals(others, sizeof others, e, i),
                         iv_eval_counts(e, i) ? 0 : 4, m->value, topics, span);
    else
        iv_result_answer(e->out, "%s over %s: %s %.*f%s.", name, topics, measure,
                         iv_eval_counts(e, i) ? 0 : 4, m->value, span);
}

/* Scores of the first measure that has a number for each topic. */
static int write_matrix(const iv_eval *e, iv_err *err)
{
    size_t i = 0;

    while (i < e->v->measure_count && !iv_eval_by_topic(e, i))
        i++;
    if (i == e->v->measure_count)
        return iv_fail(err, IV_EARG, "a matrix needs a measure that has a number for each "
                       "topic");
    return iv_evaluation_write_matrix(e->asked->matrix, e->evaluation, i,
                                      e->asked->trec != NULL ? NULL : e->order, err);
}

/* The methods of what was asked for, and met. */
static void name_methods(const iv_eval *e)
{
    for (size_t m = 0; iv_interval_names()[m] != NULL; m++) {
        const iv_interval_info *about = iv_interval_about((iv_interval_method)m);
        bool used = false;
        for (size_t k = 0; k < e->v->run_count * e->v->measure_count; k++)
            used = used || (e->v->means[k].method == m && isfinite(e->v->means[k].lower));
        if (used)
            iv_result_used_as(e->out, about->name, about->text, about->cite);
    }
    if (e->asked->how.ties)
        iv_result_used(e->out, "ties");
    if (e->v->sampling != NULL)
        iv_result_used(e->out, "aslam-pavlu");
}

static int answer(iv_eval *e, const iv_work *work, iv_err *err)
{
    const iv_eval_question *q = e->asked;
    const iv_trec_lines lines = { q->topics, q->no_summary };
    int rc = IV_OK;

    if (q->matrix != NULL && e->v->sampling != NULL)
        return iv_fail(err, IV_EARG, "a matrix of estimates would lose what sampling adds to "
                       "their errors; a comparison takes sampled judgments as they are");
    order_runs(e);
    name_methods(e);
    iv_tell_inputs(e->out, &q->source, e->v);
    if (q->anytime && e->v->sampling != NULL)
        return iv_fail(err, IV_EARG, "sampled judgments have no limits that hold at any time, "
                       "expected complete ones");
    if (q->anytime)
        rc = iv_eval_anytime(e, q->source.judged, work, err);
    else if (q->trec != NULL)
        rc = iv_evaluation_write_trec(q->trec, e->evaluation, &lines, err);
    else
        rc = iv_eval_tables(e, err);
    if (rc == IV_OK && q->matrix != NULL)
        rc = write_matrix(e, err);
    if (rc == IV_OK)
        iv_eval_notes(e);
    return rc;
}

static int write_scores(iv_result *out, const iv_eval_question *q, const iv_work *work, iv_err *err)
{
    iv_written_scores w;

    if (q->scores.given || q->machine.files.count > 0 || q->matrix != NULL || q->trec != NULL
        || q->anytime)
        return iv_fail(err, IV_EARG, "scores are written of judgments and runs, and of nothing else "
                       "at once");
    IV_TRY(iv_write_scores(q->write_scores, &q->source, &q->how, &w, work, err));
    iv_result_answer(out, "Scores of %zu run%s on %llu topic%s by %zu measure%s are in %s.", w.runs,
                     iv_plural(w.runs), (unsigned long long)w.topics, iv_plural(w.topics), w.measures,
                     iv_plural(w.measures), q->write_scores);
    return iv_result_status(out, err);
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err);

/* The order of topics is the judgments', which are kept. */
static int watch(iv_result *out, const iv_eval_question *question, const iv_work *work,
                 iv_err *err)
{
    iv_eval_question q = *question;
    iv_judgments *own = NULL;

    if (q.scores.given || q.machine.files.count > 0 || q.trec != NULL || q.how.bounds
        || q.how.ties || q.how.standards != NULL || q.topics || q.source.parts.count > 0)
        return iv_fail(err, IV_EARG, "limits that hold at any time are of runs and people's "
                       "judgments, without bounds, ties, standards or rows of topics");
    IV_TRY(iv_judgments_load(&own, q.source.judgments, q.source.judgments_format, work, err));
    iv_result_input(out, q.source.judgments, iv_judgments_bytes(own));
    q.source.judged = own;
    const int rc = answer_asked(out, &q, work, err);
    iv_judgments_free(own);
    return rc;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_eval_question *question = asked;
    iv_evaluating how = question->how;
    iv_evaluation *evaluation = NULL;

    IV_TRY(iv_scorecard_absent(&question->scores, false, err));
    if (question->write_scores != NULL)
        return write_scores(out, question, work, err);
    if (question->anytime && question->source.judged == NULL)
        return watch(out, question, work, err);
    if (question->scores.given)
        return iv_eval_scores(out, question, work, err);
    if (question->machine.files.count > 0)
        return iv_eval_assisted(out, question, work, err);
    how.infer = question->machine.infer;
    if (question->trec != NULL) {
        how.measure.as_trec_eval = true;
        how.texts = question->topics;
        how.interval = IV_INTERVAL_NONE;
    }
    int rc = iv_evaluate(&evaluation, &question->source, &how, work, err);
    if (rc != IV_OK)
        return rc;
    iv_eval e = { question, evaluation, iv_evaluation_view(evaluation), NULL, out };
    e.order = calloc(e.v->run_count + 1, sizeof *e.order);
    rc = e.order == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : answer(&e, work, err);
    free(e.order);
    iv_evaluation_free(evaluation);
    return rc;
}

int iv_answer_eval(iv_result *out, const iv_eval_question *question, const iv_work *work,
                   iv_err *err)
{
    static const iv_part parts[] = {
        IV_SOURCE_PARTS(iv_eval_question, source.),
        IV_EVALUATING_PARTS(iv_eval_question, how.),
        IV_PART_OF(iv_eval_question, machine.files, PATHS, "file of a machine's labels"),
        IV_CHOICE_OF(iv_eval_question, machine.format, iv_judgments_format_names, "the format of a machine's labels"),
        IV_CHOICE_OF(iv_eval_question, machine.infer, iv_infer_names, "whose mean is meant"),
        IV_SCORES_PARTS(iv_eval_question, scores.),
        IV_PART_OF(iv_eval_question, matrix, PATH, "the matrix to write"),
        IV_PART_OF(iv_eval_question, write_scores, PATH, "the scores to write"),
    };

    return iv_answer_with(out, question, IV_ANSWERING(parts, answer_asked), work, err);
}
