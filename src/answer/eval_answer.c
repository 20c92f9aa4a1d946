/* SPDX-License-Identifier: Apache-2.0 */
/* eval: a request is checked and goes to runs, to scores, or to automatic labels. */
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

/* ------------------------------------------------- options that do nothing -- */

/* What a request of eval has; the words of each case, in the order of the checks. */
enum {
    SCORES = 1 << 0,
    PARTS = 1 << 1,
    BOUNDED = 1 << 2,
    LABELS = 1 << 3,
    WRITES = 1 << 4,
    TREC = 1 << 5,
    WRITES_LIMITS = 1 << 6,
    TREC_LIMITS = 1 << 7,
    TOPICS = 1 << 8,
    GUARANTEED = 1 << 9,
    NOT_RESAMPLED = 1 << 10,
    CALIBRATED = 1 << 11,
    JUDGED = 1 << 12,
    HUMAN_LABELS = 1 << 13, /* of scores, if there are scores */
    LABELLED = 1 << 14,
    DESIGNED = 1 << 15,
    OF_SCORES = SCORES | PARTS,
    WITHOUT_LIMITS = LABELS | WRITES | TREC
};

static const iv_case cases[] = {
    { OF_SCORES, "with --scores", NULL },
    { SCORES, NULL, "without --scores" },
    { LABELS, "with --machine", NULL },
    { WRITES | WRITES_LIMITS, "with --write-scores", NULL },
    { TREC | TREC_LIMITS, "with --format trec", NULL },
    { TOPICS, NULL, "without --per-topic" },
    { GUARANTEED, "with --guaranteed", NULL },
    { NOT_RESAMPLED, "with this --ci", NULL },
    { CALIBRATED, "with --judge-calibration", NULL },
    { JUDGED, "with human labels of scores", "without human labels of scores" },
    { BOUNDED, "with --at-least or --at-most", "without --at-least or --at-most" },
    { HUMAN_LABELS, NULL, "without --columns human=NAME or --human-labels" },
    { LABELLED | DESIGNED, NULL, "without --machine" },
    { 0, NULL, NULL }
};

#define OPTION(member, name, needs, excluded) \
    IV_OPTION(iv_eval_question, member, name, needs, excluded)

static const iv_option options[] = {
    /* member, name, needs, excluded by */
    OPTION(gaps.most, "max-gap", SCORES, BOUNDED | CALIBRATED),
    OPTION(gaps.reference, "reference", SCORES, CALIBRATED),
    OPTION(machine.files.count, "machine", 0, OF_SCORES),
    OPTION(machine.infer, "infer", 0, OF_SCORES | WRITES),
    OPTION(how.estimator, "estimator", 0, OF_SCORES | LABELS),
    OPTION(how.also, "also", 0, OF_SCORES),
    OPTION(how.unjudged, "unjudged", 0, OF_SCORES),
    OPTION(source.run_format, "run-format", 0, OF_SCORES),
    OPTION(source.judgments_format, "judgments-format", 0, OF_SCORES),
    OPTION(trec, "format trec", 0, OF_SCORES | LABELS | WRITES),
    OPTION(matrix, "write-matrix", 0, OF_SCORES | LABELS | WRITES),
    OPTION(write_scores, "write-scores", 0, OF_SCORES | LABELS),
    OPTION(how.measure.level, "level", 0, SCORES),
    OPTION(how.measure.depth, "depth", 0, SCORES),
    OPTION(how.measure.judged_only, "judged-only", 0, SCORES),
    OPTION(how.measure.dialect, "compat", 0, SCORES),
    OPTION(how.measure.collection, "collection", 0, SCORES),
    OPTION(topics, "per-topic", 0, LABELS | WRITES | CALIBRATED | JUDGED),
    OPTION(no_summary, "no-summary", TOPICS, LABELS | WRITES),
    OPTION(how.interval, "ci", 0, LABELS | WRITES_LIMITS | TREC_LIMITS | GUARANTEED | CALIBRATED
                                  | JUDGED),
    OPTION(how.guaranteed, "guaranteed", 0, WITHOUT_LIMITS | CALIBRATED | JUDGED),
    OPTION(how.bounds, "bounds", 0, OF_SCORES | WITHOUT_LIMITS),
    OPTION(how.ties, "ties", 0, OF_SCORES | WITHOUT_LIMITS),
    OPTION(at_least.count, "at-least", 0, WITHOUT_LIMITS | CALIBRATED),
    OPTION(at_most.count, "at-most", 0, WITHOUT_LIMITS | CALIBRATED),
    OPTION(how.resampling.resamples, "resamples", 0, WITHOUT_LIMITS | GUARANTEED | NOT_RESAMPLED
                                                     | CALIBRATED | JUDGED),
    OPTION(range.count, "range", BOUNDED, JUDGED),
    OPTION(how.complete, "complete", 0, CALIBRATED | JUDGED),
    OPTION(scores.binary, "binary", 0, CALIBRATED | JUDGED),
    OPTION(machine.human_labels, "human-labels", SCORES, 0),
    OPTION(machine.estimator, "judge-estimator", JUDGED, CALIBRATED),
    OPTION(machine.design, "human-design", HUMAN_LABELS | DESIGNED, CALIBRATED),
    OPTION(machine.level, "machine-level", LABELLED, CALIBRATED | JUDGED),
    OPTION(machine.format, "machine-format", LABELLED, CALIBRATED | JUDGED),
    { NULL, 0, 0, 0, 0 }
};

static unsigned cases_of(const iv_eval_question *q)
{
    const bool scores = q->scores.given, labels = q->machine.files.count > 0,
        judged = iv_judged_asked(&q->scores, &q->machine), writes = q->write_scores != NULL,
        trec = q->trec != NULL, limits = q->how.interval != IV_INTERVAL_NONE;
    const bool fixed = q->how.interval != IV_INTERVAL_AUTO
        && !iv_interval_about(q->how.interval)->resamples;

    return (scores ? SCORES : 0u) | (q->source.parts.count > 0 ? PARTS : 0u)
        | (q->at_least.count + q->at_most.count > 0 ? BOUNDED : 0u)
        | (labels ? LABELS : 0u) | (writes ? WRITES : 0u) | (trec ? TREC : 0u)
        | (writes && limits ? WRITES_LIMITS : 0u) | (trec && limits ? TREC_LIMITS : 0u)
        | (trec || q->topics ? TOPICS : 0u) | (q->how.guaranteed ? GUARANTEED : 0u)
        | (fixed ? NOT_RESAMPLED : 0u) | (q->machine.calibration != NULL ? CALIBRATED : 0u)
        | (judged ? JUDGED : 0u) | (!scores || judged ? HUMAN_LABELS : 0u)
        | (labels ? LABELLED : 0u) | (labels || scores ? DESIGNED : 0u);
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_eval_question *q = asked;

    if (q->machine.calibration != NULL
        && (!q->scores.given || iv_judged_asked(&q->scores, &q->machine)))
        return iv_fail(err, IV_EARG, "--judge-calibration needs --scores without human labels, "
                       "which are in its file");
    IV_TRY(iv_refuse_options(q, options, cases, cases_of(q), err));
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
        IV_MACHINES_PARTS(iv_eval_question, machine.),
        IV_SCORES_PARTS(iv_eval_question, scores.),
        IV_PART_OF(iv_eval_question, at_least, TEXTS, "claim"),
        IV_PART_OF(iv_eval_question, at_most, TEXTS, "claim"),
        IV_PART_OF(iv_eval_question, range, REALS, "the range"),
        IV_PART_OF(iv_eval_question, matrix, PATH, "the matrix to write"),
        IV_PART_OF(iv_eval_question, write_scores, PATH, "the scores to write"),
    };

    return iv_answer_with(out, question, IV_ANSWERING(parts, answer_asked), work, err);
}
