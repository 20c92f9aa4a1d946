/* SPDX-License-Identifier: Apache-2.0 */
/* The answer to compare: scores, then comparisons, then what is told of them. */
#include <math.h>
#include <stdlib.h>

#include "answer/answer_columns.h"
#include "answer/answer_parts.h"
#include "answer/two_phase_answer.h"
#include "answer/contest.h"
#include "answer/run_notes.h"
#include "answer/scored_tables.h"
#include "base/parallel.h"
#include "estimate/evaluation_parts.h"
#include "intervale/answer.h"

/* ------------------------------------------------- errors from a sample -- */

typedef struct sampling_row {
    const char *measure, *a, *b;
    iv_evaluated_difference is;
} sampling_row;

const iv_field iv_compare_sampling_fields[] = {
    { "measure", IV_AT(sampling_row, measure), .about = "as it was asked for" },
    { "a", IV_AT(sampling_row, a), .about = "a run" },
    { "b", IV_AT(sampling_row, b), .about = "another" },
    { "topics", IV_AT(sampling_row, is.topics), .about = "that both have" },
    { "difference", IV_AT(sampling_row, is.value), .digits = 4, .about = "of the means, a - b" },
    { "se", IV_AT(sampling_row, is.se), .digits = 4, .about = "its standard error" },
    { "se_judgments", IV_AT(sampling_row, is.se_judgments), .digits = 4,
      .about = "part of it that judging everything would remove" },
    { "se_topics", IV_AT(sampling_row, is.se_topics), .digits = 4,
      .about = "part of it that other topics bring" },
    { NULL } };

/* A sample answers two questions, and the answers differ. */
static void tell_question(iv_result *out)
{
    iv_result_note(out, "this estimates what judging the whole frame would give, by what was drawn, "
                   "for other topics of the kind; how likely the order of the runs is on these "
                   "topics, by what was judged and a model of the rest, is another question (what "
                   "to judge next), and its number another number");
}

/* Of each pair the standard error of the difference and its two parts. */
static int add_sampling(const iv_contest *c, iv_result *out, iv_err *err)
{
    const iv_compared_pair *pairs;
    const size_t n = iv_comparison_pairs(&pairs, c->found[0]), M = c->measure_count;
    sampling_row *rows = malloc((M * n + 1) * sizeof *rows);
    size_t excess = 0;
    int rc = rows == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    for (size_t k = 0; rc == IV_OK && k < M * n; k++) {
        const iv_compared_pair *p = &pairs[k % n];
        sampling_row *row = &rows[k];
        *row = (sampling_row){ c->measures[k / n], c->runs[p->a], c->runs[p->b], { 0 } };
        rc = iv_evaluation_difference(&row->is, NULL, NULL, c->evaluation, k / n, p->a, p->b,
                                      err);
        excess += row->is.se_judgments > row->is.se && row->is.se_topics == 0.0;
    }
    if (rc == IV_OK) {
        (void)iv_result_rows(out, &(iv_rows){ "sampling", iv_compare_sampling_fields, rows, M * n,
                                              sizeof *rows });
        iv_tell_excess(out, excess, "difference");
        tell_question(out);
    }
    free(rows);
    return rc;
}

/* -------------------------------------------------------------- comparing -- */

/* As eval has it, where the measure is known: of estimates and matrices by their values. */
static iv_interval_method means_of(const iv_contest *c, size_t measure)
{
    const iv_value_info *v = c->evaluation == NULL || c->sampled ? NULL
        : iv_evaluation_view(c->evaluation)->measures[measure].info;

    return v == NULL || v->measure->summary != IV_SUMMARY_MEAN ? IV_INTERVAL_AUTO
        : iv_usual_interval(v, false);
}

/* Of a sample: how far each run's values may be off. */
static void find_doubts(iv_doubt *out, const iv_contest *c, size_t measure)
{
    for (size_t r = 0; r < c->run_count; r++)
        out[r] = iv_evaluation_doubt(c->evaluation, r, measure);
}

/* One comparison a measure, all with the same options but for their means. */
static int compare_all(iv_contest *c, const iv_work *work, iv_err *err)
{
    const size_t M = c->measure_count;
    iv_doubt *doubts = malloc((c->run_count + 1) * sizeof *doubts);
    int rc = doubts != NULL ? IV_OK : iv_no_memory(err);

    for (size_t m = 0; m < M && rc == IV_OK; m++) {
        iv_compare_options how = c->how;
        iv_stage stage;
        if (c->sampled) {
            find_doubts(doubts, c, m);
            how.doubts = doubts;
            how.bounded = !c->evaluation->task.estimated->values[m].count;
        }
        how.means = means_of(c, m);
        how.binary = c->card.binary && c->card.most_repeats < 2;
        if (c->card.structured)
            how.structure = &c->card.structure[m];
        else if (how.binary)
            how.means = IV_INTERVAL_WILSON;
        rc = iv_compare(&c->found[m], iv_contest_values(c, m), c->run_count, c->topic_count,
                        &how, iv_work_part(&stage, work, (double)m / (double)M,
                                              (double)(m + 1) / (double)M), err);
    }
    free(doubts);
    return rc;
}

static int tell_all(const iv_contest *c, iv_result *out, const iv_work *work, iv_err *err)
{
    const iv_compared_pair *p;
    const bool many = iv_comparison_pairs(&p, c->found[0]) > IV_PAIRS_READ;
    iv_contest_part *parts = malloc(c->measure_count * sizeof *parts);
    int rc = parts == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    for (size_t m = 0; rc == IV_OK && m < c->measure_count; m++)
        parts[m] = (iv_contest_part){ m, c->found[m], NULL };
    iv_cite_if(out, iv_comparison_pairs(&p, c->found[0]) > 1, "carterette2012multiple");
    iv_cite_if(out, c->sampled, "aslam2008practical");
    iv_cite_if(out, c->asked->scores.given && c->card.v->cluster != NULL, "miller2024adding");
    iv_cite_if(out, c->asked->scores.given && c->card.v->cluster != NULL, "bell2002bias");
    if (rc == IV_OK)
        rc = iv_contest_gate(c, out, err);
    iv_contest_tell_doubts(c, out);
    iv_contest_tell_answer(c, out);
    if (rc == IV_OK)
        rc = iv_contest_pairs(c, out, "pairs", parts, c->measure_count,
                              many ? IV_LONG : IV_SHOWN, err);
    free(parts);
    if (rc == IV_OK)
        rc = iv_contest_runs(c, out, err);
    if (rc == IV_OK)
        rc = iv_contest_paper(c, out, err);
    iv_contest_tell_missing(c, out);
    iv_contest_tell_method(c, out);
    if (rc == IV_OK)
        rc = iv_contest_charts(c, out, work, err);
    if (rc == IV_OK && c->asked->groups != NULL)
        rc = iv_contest_groups(c, out, work, err);
    if (rc == IV_OK && c->sampled)
        rc = add_sampling(c, out, err);
    if (rc == IV_OK && c->asked->scores.given) {
        rc = iv_contest_sets(c, out, work, err);
        if (rc == IV_OK)
            rc = iv_tell_errors(&c->card, out, work, err);
        if (rc == IV_OK)
            rc = iv_tell_variance(&c->card, c->how.confidence, out, work, err);
        iv_result_cite(out, "scores");
    }
    return rc;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_compare_question *question = asked;
    const bool groups = question->groups != NULL;
    iv_contest c = { .asked = question };
    iv_stage read, compare, tell;

    if (question->machine.files.count > 0)
        return iv_compare_two_phase(out, question, work, err);
    int rc = iv_contest_read(&c, out, iv_work_part(&read, work, 0.0, 0.4), err);

    if (rc == IV_OK)
        rc = iv_contest_check(&c, err);
    if (rc == IV_OK && question->not_worse
        && (c.how.baseline_count != 1 || c.how.margin == 0.0))
        rc = iv_fail(err, IV_EARG, "the claim that runs are not worse needs one baseline and a "
                     "margin");
    if (rc == IV_OK)
        rc = compare_all(&c, iv_work_part(&compare, work, 0.4, groups ? 0.7 : 1.0), err);
    if (rc == IV_OK) {
        c.how = *iv_comparison_options(c.found[0]);
        rc = tell_all(&c, out, iv_work_part(&tell, work, 0.7, 1.0), err);
    }
    iv_contest_free(&c);
    return rc;
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
        IV_PART_OF(iv_compare_question, matrix, PATH, "the matrix"),
        IV_CHOICE_OF(iv_compare_question, by, iv_matrix_rows_names, "what rows are"),
        IV_PART_OF(iv_compare_question, systems, NAMES, "system"),
        IV_PART_OF(iv_compare_question, topics, NAMES, "topic"),
        IV_PART_OF(iv_compare_question, groups, PATH, "the groups"),
        IV_PART_OF(iv_compare_question, topic_texts, PATH, "the topics' texts"),
        IV_CHOICE_OF(iv_compare_question, paper.interval, iv_paper_interval_names, "how intervals look"),
        IV_CHOICE_OF(iv_compare_question, paper.marks, iv_paper_marks_names, "the marks"),
        IV_CHOICE_OF(iv_compare_question, paper.order, iv_paper_order_names, "the order of runs"),
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

    return iv_answer_with(out, question, IV_ANSWERING(parts, answer_asked, "compare"), work, err);
}
