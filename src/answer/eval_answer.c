/* SPDX-License-Identifier: Apache-2.0 */
/* eval: a request is checked and goes to runs, to scores, or to automatic labels. */
#include "answer/refused.h"
#include "base/arguments.h"
#include "base/err.h"
#include "base/listing.h"
#include "labels/judged_answer.h"
#include "labels/judged_scores.h"
#include "labels/two_phase_answer.h"
#include "result/answering.h"
#include "result/wording.h"
#include "retrieval/eval.h"
#include "retrieval/evaluation.h"
#include "scores/eval_scores.h"
#include "scores/score_tables.h"
#include "stat/interval_methods.h"
#include "trec/run_source.h"

static int write_scores(iv_result *out, const iv_eval_question *q, const iv_work *work, iv_err *err)
{
    iv_written_scores w;

    IV_TRY(iv_write_scores(q->write_scores, &q->source, &q->how, &w, work, err));
    iv_result_answer(out, "Scores of %zu run%s on %s topic%s for %zu measure%s are in %s.",
                     w.runs, iv_plural(w.runs), IV_COUNT(w.topics), iv_plural(w.topics),
                     w.measures, iv_plural(w.measures), q->write_scores);
    return iv_result_status(out, err);
}

static int refuse_idle(const iv_eval_question *q, iv_err *err)
{
    typedef iv_eval_question T;
    const bool labels = q->machine.files.count > 0, writes = q->write_scores != NULL;
    const char *where = labels ? "with --machine" : writes ? "with --write-scores"
        : "with --format trec";

    const bool bounded = q->at_least.count + q->at_most.count > 0;
    if (!q->scores.given || bounded)
        IV_TRY(IV_REFUSE(q, q->scores.given ? "with --at-least or --at-most"
                         : "without --scores", err,
            IV_IDLE(gaps.most, "max-gap")));
    if (!q->scores.given)
        IV_TRY(IV_REFUSE(q, "without --scores", err, IV_IDLE(gaps.reference, "reference")));
    if (q->scores.given || q->source.parts.count > 0)
        IV_TRY(IV_REFUSE(q, "with --scores", err, IV_OF_RUNS(how.), IV_IDLE(trec, "format trec"),
            IV_IDLE(matrix, "write-matrix"), IV_IDLE(write_scores, "write-scores"),
            IV_IDLE(how.bounds, "bounds"), IV_IDLE(how.ties, "ties")));
    if (q->scores.given)
        IV_TRY(IV_REFUSE(q, "with --scores", err, IV_OF_MEASURES(how.)));
    if (labels || writes)
        IV_TRY(IV_REFUSE(q, where, err, IV_IDLE(trec, "format trec"),
            IV_IDLE(matrix, "write-matrix"), IV_IDLE(topics, "per-topic"),
            IV_IDLE(no_summary, "no-summary")));
    if (labels || ((writes || q->trec != NULL) && q->how.interval != IV_INTERVAL_NONE))
        IV_TRY(IV_REFUSE(q, where, err, IV_IDLE(how.interval, "ci")));
    if (labels || writes || q->trec != NULL)
        IV_TRY(IV_REFUSE(q, where, err, IV_IDLE(how.guaranteed, "guaranteed"),
            IV_IDLE(how.bounds, "bounds"), IV_IDLE(how.ties, "ties"),
            IV_IDLE(at_least.count, "at-least"), IV_IDLE(at_most.count, "at-most"),
            IV_IDLE(how.resampling.resamples, "resamples")));
    if (q->trec == NULL && !q->topics)
        IV_TRY(IV_REFUSE(q, "without --per-topic", err, IV_IDLE(no_summary, "no-summary")));
    if (q->at_least.count + q->at_most.count == 0)
        IV_TRY(IV_REFUSE(q, "without --at-least or --at-most", err, IV_IDLE(range.count, "range")));
    if (q->how.guaranteed)
        IV_TRY(IV_REFUSE(q, "with --guaranteed", err, IV_IDLE(how.interval, "ci")));
    if (q->how.guaranteed || (q->how.interval != IV_INTERVAL_AUTO
                              && !iv_interval_about(q->how.interval)->resamples))
        IV_TRY(IV_REFUSE(q, q->how.guaranteed ? "with --guaranteed" : "with this --ci", err,
            IV_IDLE(how.resampling.resamples, "resamples")));
    if (writes)
        IV_TRY(IV_REFUSE(q, where, err, IV_IDLE(machine.infer, "infer")));
    return IV_OK;
}

/* Options of a judge's scores, and those that they exclude. */
static int refuse_idle_of_judges(const iv_eval_question *q, iv_err *err)
{
    typedef iv_eval_question T;

    if (q->machine.calibration != NULL) {
        if (!q->scores.given || iv_judged_asked(&q->scores, &q->machine))
            return iv_fail(err, IV_EARG, "--judge-calibration needs --scores without human labels, "
                           "which are in its file");
        return IV_REFUSE(q, "with --judge-calibration", err, IV_IDLE(how.interval, "ci"),
            IV_IDLE(how.guaranteed, "guaranteed"), IV_IDLE(topics, "per-topic"),
            IV_IDLE(how.complete, "complete"), IV_IDLE(how.resampling.resamples, "resamples"),
            IV_IDLE(at_least.count, "at-least"), IV_IDLE(gaps.most, "max-gap"),
            IV_IDLE(gaps.reference, "reference"), IV_IDLE(scores.binary, "binary"),
            IV_IDLE(machine.estimator, "judge-estimator"), IV_IDLE(machine.design, "human-design"),
            IV_IDLE(machine.level, "machine-level"), IV_IDLE(machine.format, "machine-format"));
    }
    if (iv_judged_asked(&q->scores, &q->machine))
        return IV_REFUSE(q, "with human labels of scores", err, IV_IDLE(how.interval, "ci"),
            IV_IDLE(how.guaranteed, "guaranteed"), IV_IDLE(topics, "per-topic"),
            IV_IDLE(how.complete, "complete"), IV_IDLE(how.resampling.resamples, "resamples"),
            IV_IDLE(range.count, "range"), IV_IDLE(scores.binary, "binary"),
            IV_IDLE(machine.level, "machine-level"), IV_IDLE(machine.format, "machine-format"));
    if (!q->scores.given)
        IV_TRY(IV_REFUSE(q, "without --scores", err, IV_IDLE(machine.human_labels,
                                                             "human-labels")));
    IV_TRY(IV_REFUSE(q, "without human labels of scores", err,
        IV_IDLE(machine.estimator, "judge-estimator")));
    if (q->scores.given)
        IV_TRY(IV_REFUSE(q, "without --columns human=NAME or --human-labels", err,
            IV_IDLE(machine.design, "human-design")));
    return q->machine.files.count > 0
        ? IV_REFUSE(q, "with --machine", err, IV_IDLE(how.estimator, "estimator"),
                    IV_IDLE(write_scores, "write-scores"))
        : IV_REFUSE(q, "without --machine", err, IV_OF_MACHINE);
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_eval_question *q = asked;

    IV_TRY(refuse_idle(q, err));
    IV_TRY(refuse_idle_of_judges(q, err));
    IV_TRY(iv_scored_absent(&q->scores, false, q->source.parts.count > 0, err));
    if (q->write_scores != NULL)
        return write_scores(out, q, work, err);
    if (q->machine.calibration != NULL)
        return iv_eval_calibrated(out, q, work, err);
    if (iv_judged_asked(&q->scores, &q->machine))
        return iv_eval_judged(out, q, work, err);
    if (q->scores.given)
        return iv_eval_scores(out, q, work, err);
    if (q->machine.files.count > 0)
        return iv_eval_two_phase(out, q, work, err);
    return iv_eval_runs(out, q, work, err);
}

int iv_answer_eval(iv_result *out, const iv_eval_question *question, const iv_work *work,
                   iv_err *err)
{
    static const iv_part parts[] = {
        IV_SOURCE_PARTS(iv_eval_question, source.),
        IV_EVALUATING_PARTS(iv_eval_question, how.),
        IV_PART_OF(iv_eval_question, machine.files, PATHS, "file of automatic labels"),
        IV_CHOICE_OF(iv_eval_question, machine.format, iv_judgments_format_names,
                     "the format of automatic labels"),
        IV_CHOICE_OF(iv_eval_question, machine.design, iv_human_design_names, "the human design"),
        IV_PART_OF(iv_eval_question, machine.human_labels, PATH, "the file of human labels"),
        IV_PART_OF(iv_eval_question, machine.calibration, PATH, "the file of the calibration"),
        IV_CHOICE_OF(iv_eval_question, machine.estimator, iv_judge_estimator_names,
                     "the estimator of a judge's scores"),
        IV_CHOICE_OF(iv_eval_question, machine.infer, iv_infer_names, "whose mean is meant"),
        IV_SCORES_PARTS(iv_eval_question, scores.),
        IV_PART_OF(iv_eval_question, at_least, TEXTS, "claim"),
        IV_PART_OF(iv_eval_question, at_most, TEXTS, "claim"),
        IV_PART_OF(iv_eval_question, range, REALS, "the range"),
        IV_PART_OF(iv_eval_question, matrix, PATH, "the matrix to write"),
        IV_PART_OF(iv_eval_question, write_scores, PATH, "the scores to write"),
    };

    return iv_answer_with(out, question, IV_ANSWERING(parts, answer_asked), work, err);
}
