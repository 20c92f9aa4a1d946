/* SPDX-License-Identifier: Apache-2.0 */
/* compare: a request is checked and goes to scores, or to automatic labels. */
#include "answer/refused.h"
#include "base/arguments.h"
#include "base/err.h"
#include "labels/judged_answer.h"
#include "labels/judged_scores.h"
#include "labels/two_phase_answer.h"
#include "result/answering.h"
#include "retrieval/evaluation.h"
#include "scores/comparing.h"
#include "trec/run_source.h"

#include <string.h>

static bool asks_test(const iv_compare_question *q, iv_pair_test test)
{
    bool found = false;

    for (size_t i = 0; i < q->tests.count; i++)
        found = found || strcmp(q->tests.at[i], iv_pair_test_names()[test]) == 0;
    return found;
}

static int refuse_idle(iv_result *out, const iv_compare_question *q, iv_err *err)
{
    typedef iv_compare_question T;

    if (q->scores.given || q->values != NULL || q->source.parts.count > 0)
        IV_TRY(IV_REFUSE(q, "with --scores", err, IV_OF_RUNS(scoring.)));
    if (q->scores.given || q->values != NULL)
        IV_TRY(IV_REFUSE(q, "with --scores", err, IV_OF_MEASURES(scoring.)));
    if (!iv_result_wants(out, "paper", IV_ASIDE))
        IV_TRY(IV_REFUSE(q, "without --table paper", err, IV_IDLE(paper, "interval-style")));
    if (!asks_test(q, IV_TEST_SIGN))
        IV_TRY(IV_REFUSE(q, "without --test sign", err, IV_IDLE(how.ties, "ties")));
    if (!asks_test(q, IV_TEST_WILCOXON))
        IV_TRY(IV_REFUSE(q, "without --test wilcoxon", err, IV_IDLE(how.zeros, "zeros")));
    if (q->how.correction != IV_CORRECT_TUKEY)
        IV_TRY(IV_REFUSE(q, "without --correct tukey", err,
            IV_IDLE(how.permutations, "permutations")));
    if (!q->not_worse)
        IV_TRY(IV_REFUSE(q, "without --gate", err, IV_IDLE(gate_sets, "gate-sets"),
            IV_IDLE(guaranteed, "guaranteed")));
    IV_TRY(IV_REFUSE(q, "with compare", err, IV_IDLE(machine.calibration, "judge-calibration")));
    if (iv_judged_asked(&q->scores, &q->machine))
        return IV_REFUSE(q, "with human labels of scores", err, IV_IDLE(how.interval, "ci"),
            IV_IDLE(tests.count, "test"), IV_IDLE(how.alternative, "alternative"),
            IV_IDLE(guaranteed, "guaranteed"), IV_IDLE(gate_sets, "gate-sets"),
            IV_IDLE(range.count, "range"), IV_IDLE(how.resamples, "resamples"),
            IV_IDLE(scoring.complete, "complete"), IV_IDLE(groups, "groups"),
            IV_IDLE(paper, "interval-style"), IV_IDLE(scores.binary, "binary"),
            IV_IDLE(machine.level, "machine-level"), IV_IDLE(machine.format, "machine-format"));
    if (!q->scores.given)
        IV_TRY(IV_REFUSE(q, "without --scores", err, IV_IDLE(machine.human_labels,
                                                             "human-labels")));
    IV_TRY(IV_REFUSE(q, "without human labels of scores", err,
        IV_IDLE(machine.estimator, "judge-estimator")));
    if (q->scores.given)
        IV_TRY(IV_REFUSE(q, "without --columns human=NAME or --human-labels", err,
            IV_IDLE(machine.design, "human-design")));
    if (q->machine.files.count == 0)
        return IV_REFUSE(q, "without --machine", err, IV_OF_MACHINE,
            IV_IDLE(machine.infer, "infer"));
    return IV_REFUSE(q, "with --machine", err, IV_IDLE(scoring.estimator, "estimator"),
        IV_IDLE(groups, "groups"), IV_IDLE(tests.count, "test"), IV_IDLE(how.margin, "margin"),
        IV_IDLE(not_worse, "gate"), IV_IDLE(guaranteed, "guaranteed"),
        IV_IDLE(range.count, "range"), IV_IDLE(how.alternative, "alternative"),
        IV_IDLE(how.interval, "ci"), IV_IDLE(how.resamples, "resamples"),
        IV_IDLE(paper, "interval-style"));
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_compare_question *q = asked;

    IV_TRY(refuse_idle(out, q, err));
    if (q->machine.files.count > 0)
        return iv_compare_two_phase(out, q, work, err);
    if (iv_judged_asked(&q->scores, &q->machine))
        return iv_compare_judged(out, q, work, err);
    return iv_compare_scores(out, q, work, err);
}

int iv_answer_compare(iv_result *out, const iv_compare_question *question, const iv_work *work,
                      iv_err *err)
{
    static const iv_part parts[] = {
        IV_SOURCE_PARTS(iv_compare_question, source.),
        IV_EVALUATING_PARTS(iv_compare_question, scoring.),
        IV_PART_OF(iv_compare_question, machine.files, PATHS, "file of automatic labels"),
        IV_CHOICE_OF(iv_compare_question, machine.format, iv_judgments_format_names,
                     "the format of automatic labels"),
        IV_CHOICE_OF(iv_compare_question, machine.design, iv_human_design_names,
                     "the human design"),
        IV_PART_OF(iv_compare_question, machine.human_labels, PATH, "the file of human labels"),
        IV_CHOICE_OF(iv_compare_question, machine.estimator, iv_judge_estimator_names,
                     "the estimator of a judge's scores"),
        IV_CHOICE_OF(iv_compare_question, machine.infer, iv_infer_names, "whose mean is meant"),
        IV_SCORES_PARTS(iv_compare_question, scores.),
        IV_PART_OF(iv_compare_question, systems, NAMES, "system"),
        IV_PART_OF(iv_compare_question, topics, NAMES, "topic"),
        IV_PART_OF(iv_compare_question, groups, PATH, "the groups"),
        IV_CHOICE_OF(iv_compare_question, paper, iv_paper_interval_names,
                     "how intervals look"),
        IV_PART_OF(iv_compare_question, baselines, TEXTS, "baseline"),
        IV_PART_OF(iv_compare_question, tests, TEXTS, "test"),
        IV_CHOICE_OF(iv_compare_question, how.ties, iv_sign_ties_names, "what to do with ties"),
        IV_CHOICE_OF(iv_compare_question, how.zeros, iv_zeros_names, "what to do with zeros"),
        IV_CHOICE_OF(iv_compare_question, how.alternative, iv_alternative_names,
                     "the alternative"),
        IV_CHOICE_OF(iv_compare_question, how.correction, iv_correction_names, "the correction"),
        IV_CHOICE_OF(iv_compare_question, how.interval, iv_interval_names, "the interval"),
        IV_PART_OF(iv_compare_question, how.margin, REAL, "the margin"),
        IV_PART_OF(iv_compare_question, range, REALS, "the range"),
        IV_PART_OF(iv_compare_question, how.confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, question, IV_ANSWERING(parts, answer_asked), work, err);
}
