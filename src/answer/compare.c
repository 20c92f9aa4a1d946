/* SPDX-License-Identifier: Apache-2.0 */
/* The answer to compare: scores are read, compared, and reported. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_parts.h"
#include "answer/comparing.h"
#include "answer/two_phase_answer.h"
#include "answer/score_tables.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/parallel.h"
#include "estimate/evaluation_parts.h"
#include "estimate/estimate_private.h"

/* -------------------------------------------------------------- comparing -- */

/* As eval has it, where the measure is known: of estimates and matrices by their values. */
static iv_interval_method means_of(const iv_comparing *c, size_t measure)
{
    const iv_value_info *v = c->evaluation == NULL || c->sampled ? NULL
        : iv_evaluation_view(c->evaluation)->measures[measure].info;

    return v == NULL || v->measure->summary != IV_SUMMARY_MEAN ? IV_INTERVAL_AUTO
        : iv_usual_interval(v, false);
}

/* One comparison a measure, all with the same options but for their means. */
static int compare_all(iv_comparing *c, iv_result *out, const iv_work *work, iv_err *err)
{
    const size_t M = c->measure_count;

    for (size_t m = 0; m < M; m++) {
        iv_compare_options how = c->how;
        iv_stage stage;
        how.bounded = c->sampled && !c->evaluation->task.estimated->values[m].count;
        how.means = means_of(c, m);
        if (c->card.structured)
            how.structure = &c->card.structure[m];
        IV_TRY(iv_compare(&c->found[m], iv_comparing_values(c, m), c->run_count, c->topic_count,
                          &how, iv_work_nth(&stage, work, m, M), err));
        IV_TRY(IV_KEEP(out, comparison, c->found[m], err));
    }
    return IV_OK;
}

/* Are all scores of a measure in [0, 1]? */
static bool in_unit(const iv_comparing *c, size_t m)
{
    const double *values = iv_comparing_values(c, m);

    for (size_t i = 0; i < c->run_count * c->topic_count; i++)
        if (values[i] < 0.0 || values[i] > 1.0)
            return false;
    return true;
}

/* A margin that no difference of scores in [0, 1] exceeds: percent were meant, or another scale. */
static int check_margin(const iv_comparing *c, iv_err *err)
{
    for (size_t m = 0; c->how.margin >= 1.0 && m < c->measure_count; m++)
        if (c->digits[m] > 2 && in_unit(c, m)) /* counts may happen to be 0 and 1 */
            return iv_fail(err, IV_EARG, "a margin of %g, expected less than 1: the scores of %s "
                           "are in [0, 1]", c->how.margin, c->measures[m]);
    return IV_OK;
}

/* What is asked must be in the data. */
static int check_asked(const iv_comparing *c, iv_err *err)
{
    const iv_compare_question *q = c->asked;

    IV_TRY(iv_comparing_check(c, err));
    if (q->not_worse && (c->how.baseline_count != 1 || c->how.margin == 0.0))
        return iv_fail(err, IV_EARG, "a gate needs one baseline and a margin: --baseline and "
                       "--margin");
    if (q->gate_sets && (!q->scores.given || c->card.v->suite_count < 2))
        return iv_fail(err, IV_EARG, "a gate for each set needs scores of two sets or more"
                       IV_HINT("; --columns suite=NAME names the column of sets"));
    return check_margin(c, err);
}

static int tell_all(iv_comparing *c, iv_result *out, const iv_work *work, iv_err *err)
{
    c->unit = in_unit(c, 0);
    IV_TRY(iv_comparing_find_sets(c, out, work, err));
    IV_TRY(iv_comparing_gate(c, out, err));
    iv_comparing_tell_answer(c, out);
    IV_TRY(iv_comparing_pairs(c, out, err));
    IV_TRY(iv_comparing_runs(c, out, err));
    iv_comparing_sets(c, out);
    IV_TRY(iv_comparing_paper(c, out, err));
    iv_comparing_tell_method(c, out);
    IV_TRY(iv_comparing_charts(c, out, err));
    if (c->asked->groups != NULL)
        IV_TRY(iv_comparing_groups(c, out, work, err));
    if (c->sampled)
        IV_TRY(iv_comparing_sampling(c, out, err));
    if (c->named && !c->asked->not_worse) {
        IV_TRY(iv_tell_errors(&c->card, out, work, err));
        IV_TRY(iv_tell_variance(&c->card, c->how.confidence, out, work, err));
    }
    return IV_OK;
}

/* Ids that no other system has: which column they are from. */
static void name_items(const char *columns, iv_err *err)
{
    const char *at = columns != NULL ? strstr(columns, "item (column '") : NULL;
    const char *name = at != NULL ? at + strlen("item (column '") : "item";
    const size_t len = strcspn(name, "'");

    (void)snprintf(err->hint, sizeof err->hint, "; items are named by column '%.*s': --columns "
                   "item=NAME takes another", (int)(len < 40 ? len : 40), name);
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_compare_question *question = asked;
    const bool groups = question->groups != NULL;
    iv_comparing c = { .asked = question };
    iv_stage read, compare, tell;

    if (question->machine.files.count > 0)
        return iv_compare_two_phase(out, question, work, err);
    IV_TRY(iv_comparing_read(&c, out, iv_work_part(&read, work, 0.0, 0.4), err));
    int rc = check_asked(&c, err);
    if (rc == IV_OK)
        rc = compare_all(&c, out, iv_work_part(&compare, work, 0.4, groups ? 0.7 : 1.0), err);
    if (rc == IV_ENODATA && c.asked->scores.given && err != NULL
        && strstr(err->msg, "share no topic") != NULL)
        name_items(c.card.v->columns, err);
    IV_TRY(rc);
    c.how = *iv_comparison_options(c.found[0]);
    c.pair_count = iv_comparison_pairs(&(const iv_compared_pair *){ NULL }, c.found[0]);
    return tell_all(&c, out, iv_work_part(&tell, work, 0.7, 1.0), err);
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
        IV_PART_OF(iv_compare_question, how.confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, question, IV_ANSWERING(parts, answer_asked), work, err);
}
