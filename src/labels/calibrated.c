/* SPDX-License-Identifier: Apache-2.0 */
/* eval of a judge's scores of 0 and 1, corrected by its errors on other answers. */
#include "base/err.h"
#include "base/memory.h"
#include "labels/judged_answer.h"
#include "num/dist.h"
#include "result/answering.h"
#include "result/methods.h"
#include "result/wording.h"
#include "scores/score_tables.h"
#include "stat/interval_methods.h"
#include "stat/machine/judged_mean.h"

#include <math.h>
#include <string.h>

typedef struct calibrated_row {
    const char *run;
    size_t items;
    double value, lower, upper, judge, bias;
} calibrated_row;

const iv_field iv_eval_calibrated_fields[] = {
    { "run", IV_AT(calibrated_row, run), .heading = "system", .about = "name of the system" },
    { "items", IV_AT(calibrated_row, items), .audience = IV_FOR_PROGRAMS,
      .about = "items that the judge scored" },
    { "value", IV_AT(calibrated_row, value), .digits = 4,
      .about = "proportion of 1, corrected by the judge's errors on other answers" },
    IV_LIMITS(calibrated_row, , 4),
    { "judge", IV_AT(calibrated_row, judge), .digits = 4, .heading = "judge only",
      .about = "proportion of 1 by the judge" },
    { "bias", IV_AT(calibrated_row, bias), .digits = 4, .heading = "bias of judge",
      .about = "estimated bias of the judge: judge - value" },
    { NULL } };

/* The columns of the scores, and that of people. */
static int read_calibration(iv_judge_calibration *out, const iv_scored *scored, const char *path,
                            iv_result *result, const iv_work *work, iv_err *err)
{
    const iv_texts *asked = &scored->input->from.columns;
    const char **columns = iv_take(scored->own, asked->count + 1, sizeof *columns);
    iv_score_source from = { .files = { &path, 1 }, .columns = { columns, asked->count + 1 } };
    iv_score_table *t = NULL;

    IV_TRY(iv_taken(scored->own, err));
    for (size_t i = 0; i < asked->count; i++)
        columns[i] = asked->at[i];
    columns[asked->count] = "human=human";
    IV_TRY(iv_score_table_load(&t, &from, work, err));
    IV_TRY(iv_keep(scored->own, t, iv_score_table_free, err));
    iv_result_input(result, path, t->file_bytes[0]);
    for (size_t i = 0; i < t->count; i++) {
        const iv_one_score *x = &t->scores[i];
        if (isnan(x->human))
            continue;
        if ((x->human != 0.0 && x->human != 1.0) || (x->score != 0.0 && x->score != 1.0))
            return iv_fail_at(err, IV_EPARSE, path, x->line, "score %g and human label %g, "
                              "expected 0 or 1", x->score, x->human);
        out->positive += x->human;
        out->negative += 1.0 - x->human;
        out->found += x->human * x->score;
        out->rejected += (1.0 - x->human) * (1.0 - x->score);
    }
    if (out->positive == 0.0 || out->negative == 0.0)
        return iv_fail_at(err, IV_ENODATA, path, 0, "%.0f human labels are 1 and %.0f are 0, "
                          "expected some of each", out->positive, out->negative);
    if (!(out->found / out->positive + out->rejected / out->negative > 1.0))
        return iv_fail_at(err, IV_ENODATA, path, 0, "sensitivity %.3f and specificity %.3f of the "
                          "judge are no better than chance, expected a sum above 1",
                          out->found / out->positive, out->rejected / out->negative);
    return IV_OK;
}

static int fill_row(calibrated_row *r, const iv_scored *scored, size_t system,
                    const iv_judge_calibration *c, double confidence, iv_err *err)
{
    const iv_score_table *v = scored->v;
    const double *x = iv_scored_values(scored, 0) + system * v->item_count;
    iv_structured is;

    IV_TRY(iv_structured_mean(&is, x, v->item_count, &scored->structure[0], system, err));
    const double p = is.mean, n = (double)is.items, spread = p * (1.0 - p);
    const double worth = scored->structured && is.se > 0.0 ? fmin(n, spread / (is.se * is.se)) : n;
    const iv_interval found = iv_calibrated_proportion(
        c, p, worth, iv_norm_isf(0.5 * (1.0 - confidence)));
    *r = (calibrated_row){ .run = v->systems[system], .items = is.items, .judge = p,
                           .value = found.value, .lower = found.lower, .upper = found.upper,
                           .bias = p - found.value };
    return IV_OK;
}

int iv_eval_calibrated(iv_result *out, const iv_eval_question *q, const iv_work *work, iv_err *err)
{
    const double confidence = iv_resampling_of(&q->how.resampling).confidence;
    iv_scored scored = { 0 };
    iv_judge_calibration c = { 0 };
    char span[IV_SPAN_SIZE];

    IV_TRY(iv_scored_read(&scored, &q->scores, &q->how.measures, false, false, out, work, err));
    iv_scored_tell(&scored, false, out);
    const iv_score_table *v = scored.v;
    for (size_t i = 0; i < v->count; i++)
        if (v->scores[i].measure == scored.measures[0] && v->scores[i].score != 0.0
            && v->scores[i].score != 1.0)
            return iv_fail_at(err, IV_EPARSE, v->files.at[v->scores[i].file], v->scores[i].line,
                              "score %g, expected 0 or 1 of a judge that was calibrated elsewhere",
                              v->scores[i].score);
    IV_TRY(read_calibration(&c, &scored, q->machine.calibration, out, work, err));
    calibrated_row *rows = iv_take(scored.own, v->system_count + 1, sizeof *rows);
    IV_TRY(iv_taken(scored.own, err));
    for (size_t r = 0; r < v->system_count; r++) {
        calibrated_row x, *at = rows + r;
        IV_TRY(fill_row(&x, &scored, r, &c, confidence, err));
        for (; at > rows && x.value > at[-1].value; at--)
            *at = at[-1];
        *at = x;
    }
    (void)iv_span(span, confidence, rows[0].lower, rows[0].upper);
    iv_result_answer(out, "%s%.100s: %.60s %.3f%s; the judge alone: %.3f. Sensitivity %.3f and "
                     "specificity %.3f are from %.0f other answers.",
                     v->system_count > 1 ? "Highest is " : "", rows[0].run, scored.names[0],
                     rows[0].value, span, rows[0].judge, c.found / c.positive,
                     c.rejected / c.negative, c.positive + c.negative);
    IV_TABLE(out, "measures", iv_eval_calibrated_fields, rows, v->system_count,
             .drawn = { "value", "lower", "upper" });
    iv_result_used(out, "rogan-gladen");
    iv_result_assumption(out, "The judge has the same sensitivity and specificity here as on the "
                         "answers of '%.100s', for all systems. This cannot be checked here.",
                         q->machine.calibration);
    return IV_OK;
}
