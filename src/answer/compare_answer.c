/* SPDX-License-Identifier: Apache-2.0 */
/* compare: a request is checked and goes to scores, or to automatic labels. */
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

/* What a request of compare has; the words of each case, in the order of the checks. */
enum {
    SCORES = 1 << 0,
    ARRAYS = 1 << 1,
    PARTS = 1 << 2,
    PAPER = 1 << 3,
    SIGN_TEST = 1 << 4,
    WILCOXON = 1 << 5,
    TUKEY = 1 << 6,
    GATE = 1 << 7,
    COMPARE = 1 << 8, /* always */
    JUDGED = 1 << 9,
    HUMAN_LABELS = 1 << 10, /* of scores, if there are scores */
    LABELS = 1 << 11,
    DESIGNED = 1 << 12,
    OF_SCORES = SCORES | ARRAYS
};

static const iv_case cases[] = {
    { OF_SCORES | PARTS, "with --scores", NULL },
    { PAPER, NULL, "without --table paper" },
    { SIGN_TEST, NULL, "without --test sign" },
    { WILCOXON, NULL, "without --test wilcoxon" },
    { TUKEY, NULL, "without --correct tukey" },
    { GATE, NULL, "without --gate" },
    { COMPARE, "with compare", NULL },
    { JUDGED, "with human labels of scores", "without human labels of scores" },
    { SCORES, NULL, "without --scores" },
    { HUMAN_LABELS, NULL, "without --columns human=NAME or --human-labels" },
    { LABELS | DESIGNED, "with --machine", "without --machine" },
    { 0, NULL, NULL }
};

#define OPTION(member, name, needs, excluded) \
    IV_OPTION(iv_compare_question, member, name, needs, excluded)

static const iv_option options[] = {
    /* member, name, needs, excluded by */
    OPTION(machine.files.count, "machine", 0, OF_SCORES | PARTS),
    OPTION(machine.infer, "infer", LABELS, OF_SCORES | PARTS),
    OPTION(scoring.estimator, "estimator", 0, OF_SCORES | PARTS | LABELS),
    OPTION(scoring.also, "also", 0, OF_SCORES | PARTS),
    OPTION(scoring.unjudged, "unjudged", 0, OF_SCORES | PARTS),
    OPTION(source.run_format, "run-format", 0, OF_SCORES | PARTS),
    OPTION(source.judgments_format, "judgments-format", 0, OF_SCORES | PARTS),
    OPTION(scoring.measure.level, "level", 0, OF_SCORES),
    OPTION(scoring.measure.depth, "depth", 0, OF_SCORES),
    OPTION(scoring.measure.judged_only, "judged-only", 0, OF_SCORES),
    OPTION(scoring.measure.dialect, "compat", 0, OF_SCORES),
    OPTION(scoring.measure.collection, "collection", 0, OF_SCORES),
    OPTION(paper, "interval-style", PAPER, JUDGED | LABELS),
    OPTION(paper_order, "paper-order", PAPER, JUDGED | LABELS),
    OPTION(caption, "caption", PAPER, JUDGED | LABELS),
    OPTION(label, "label", PAPER, JUDGED | LABELS),
    OPTION(how.ties, "ties", SIGN_TEST, 0),
    OPTION(how.zeros, "zeros", WILCOXON, 0),
    OPTION(how.permutations, "permutations", TUKEY, 0),
    OPTION(gate_sets, "gate-sets", GATE, JUDGED),
    OPTION(guaranteed, "guaranteed", GATE, JUDGED | LABELS),
    OPTION(machine.calibration, "judge-calibration", 0, COMPARE),
    OPTION(how.interval, "ci", 0, JUDGED | LABELS),
    OPTION(tests.count, "test", 0, JUDGED | LABELS),
    OPTION(how.alternative, "alternative", 0, JUDGED | LABELS),
    OPTION(range.count, "range", 0, JUDGED | LABELS),
    OPTION(how.resamples, "resamples", 0, JUDGED | LABELS),
    OPTION(scoring.complete, "complete", 0, JUDGED),
    OPTION(groups, "groups", 0, JUDGED | LABELS),
    OPTION(scores.binary, "binary", 0, JUDGED),
    OPTION(how.margin, "margin", 0, LABELS),
    OPTION(not_worse, "gate", 0, LABELS),
    OPTION(machine.human_labels, "human-labels", SCORES, 0),
    OPTION(machine.estimator, "judge-estimator", JUDGED, 0),
    OPTION(machine.design, "human-design", HUMAN_LABELS | DESIGNED, 0),
    OPTION(machine.level, "machine-level", LABELS, JUDGED),
    OPTION(machine.format, "machine-format", LABELS, JUDGED),
    { NULL, 0, 0, 0, 0 }
};

static unsigned cases_of(iv_result *out, const iv_compare_question *q)
{
    const bool scores = q->scores.given, labels = q->machine.files.count > 0,
        judged = iv_judged_asked(&q->scores, &q->machine);

    return COMPARE | (scores ? SCORES : 0u) | (q->values != NULL ? ARRAYS : 0u)
        | (q->source.parts.count > 0 ? PARTS : 0u)
        | (iv_result_wants(out, "paper", IV_ASIDE) ? PAPER : 0u)
        | (asks_test(q, IV_TEST_SIGN) ? SIGN_TEST : 0u)
        | (asks_test(q, IV_TEST_WILCOXON) ? WILCOXON : 0u)
        | (q->how.correction == IV_CORRECT_TUKEY ? TUKEY : 0u) | (q->not_worse ? GATE : 0u)
        | (judged ? JUDGED : 0u) | (!scores || judged ? HUMAN_LABELS : 0u)
        | (labels ? LABELS : 0u) | (labels || scores ? DESIGNED : 0u);
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_compare_question *q = asked;

    IV_TRY(iv_refuse_options(q, options, cases, cases_of(out, q), err));
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
        IV_MACHINES_PARTS(iv_compare_question, machine.),
        IV_SCORES_PARTS(iv_compare_question, scores.),
        IV_PART_OF(iv_compare_question, systems, NAMES, "system"),
        IV_PART_OF(iv_compare_question, topics, NAMES, "topic"),
        IV_PART_OF(iv_compare_question, groups, PATH, "the groups"),
        IV_CHOICE_OF(iv_compare_question, paper, iv_paper_interval_names,
                     "how intervals look"),
        IV_CHOICE_OF(iv_compare_question, paper_order, iv_paper_order_names,
                     "the order of the paper's table"),
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
