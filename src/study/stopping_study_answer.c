/* SPDX-License-Identifier: Apache-2.0 */
/* study stopping: what is told of it. */
#include <math.h>

#include "study/stopping_study.h"
#include "study/study_columns.h"

typedef struct row {
    iv_stopping_cell x;
    const char *holds;
} row;

static const char *const *rule_names(void)
{
    return iv_stopping_rule_names();
}

const iv_field iv_stopping_study_error_fields[] = {
    { "setting", IV_AT(row, x.setting), .about = "the review" },
    { "rule", IV_AT(row, x.rule), .names = rule_names, .about = "when it is ended" },
    { "holds", IV_AT(row, holds), .about = "by proof, or about" },
    { "target", IV_AT(row, x.target), .digits = 3, .about = "recall to be reached" },
    { "recall", IV_AT(row, x.truth), .digits = 4,
      .about = "the truth, just below the target; where it grows, at the start" },
    { "errors", IV_AT(row, x.stopped), .digits = 4,
      .about = "share of reviews ended with the target missed" },
    { "se", IV_AT(row, x.se), .digits = 4, .about = "its standard error" },
    { "documents", IV_AT(row, x.documents), .digits = 0,
      .about = "judged, on average; of ranked reviews relevant ones met" },
    { NULL } };

const iv_field iv_stopping_study_power_fields[] = {
    { "setting", IV_AT(row, x.setting), .about = "the review" },
    { "rule", IV_AT(row, x.rule), .names = rule_names, .about = "when it is ended" },
    { "target", IV_AT(row, x.target), .digits = 3, .about = "recall to be reached" },
    { "recall", IV_AT(row, x.truth), .digits = 4, .about = "the truth, above the target" },
    { "power", IV_AT(row, x.stopped), .digits = 4, .about = "share of reviews ended" },
    { "se", IV_AT(row, x.se), .digits = 4, .about = "its standard error" },
    { "documents", IV_AT(row, x.documents), .digits = 0, .about = "judged, on average" },
    { NULL } };

int iv_study_answer_stopping(iv_result *out, const iv_study_stopping_question *q,
                             const iv_work *work, iv_err *err)
{
    const double level = q->confidence == 0.0 ? 0.05 : 1.0 - q->confidence;
    iv_arena own = { 0 };
    iv_stopping_cell *cells = NULL;
    size_t count = 0, errors = 0, powers = 0;
    double worst[2] = { 0.0, 0.0 }, watched = 0.0; /* about, by proof */
    int rc = level > 0.0 && level < 0.5 ? IV_OK
        : iv_fail(err, IV_EARG, "the confidence %g is not between 0.5 and 1", 1.0 - level);

    if (rc == IV_OK)
        rc = iv_stopping_study(&cells, &count, &own, q, work, err);
    row *rows = iv_take(&own, 2 * count + 1, sizeof *rows);
    row *above = rows != NULL ? rows + count : NULL;
    if (rc == IV_OK)
        rc = iv_taken(&own, err);
    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        const iv_stopping_cell *c = &cells[i];
        const bool exact = iv_stopping_rule_exact(c->rule);
        const row one = { *c, exact ? "exactly" : "about" };
        if (c->truth > c->target) {
            above[powers++] = one;
            continue;
        }
        rows[errors++] = one;
        if (c->rule == IV_STOP_WATCHED)
            watched = fmax(watched, c->stopped);
        else
            worst[exact] = fmax(worst[exact], c->stopped);
    }
    if (rc == IV_OK) {
        (void)iv_result_rows(out, &(iv_rows){ "errors", iv_stopping_study_error_fields, rows, errors,
                                              sizeof *rows });
        (void)iv_result_rows(out, &(iv_rows){ "power", iv_stopping_study_power_fields, above, powers,
                                              sizeof *rows });
        iv_result_answer(out, "At level %g exact rules end at most %.4f of the reviews of a "
                         "setting wrongly, approximate ones %.4f; watching the posterior's "
                         "limit %.4f.", level, worst[1], worst[0], watched);
        iv_result_note(out, "Judged in random order within each part, without error.");
    }
    iv_arena_free(&own);
    return rc;
}
