/* SPDX-License-Identifier: Apache-2.0 */
/* plan looks: interim analyses of a review that may stop early. */
#include "base/arguments.h"
#include "base/err.h"
#include "base/listing.h"
#include "result/answering.h"
#include "result/methods.h"
#include "result/wording.h"
#include "review/recall.h"
#include "stat/sequential/interim.h"

#include <math.h>

enum { DOCUMENTS = 1 };

/* One analysis. */
typedef struct looks_row {
    size_t analysis, documents;
    double fraction, confidence, z, spent;
} looks_row;

const iv_field iv_plan_looks_fields[] = {
    { "analysis", IV_AT(looks_row, analysis), .about = "number of the analysis" },
    { "fraction", IV_AT(looks_row, fraction), .digits = 3,
      .about = "fraction of the largest sample" },
    { "documents", IV_AT(looks_row, documents), .needs = DOCUMENTS,
      .about = "documents judged by then" },
    { "confidence", IV_AT(looks_row, confidence), .digits = 5,
      .about = "confidence of the one-sided limit at this analysis" },
    { "z", IV_AT(looks_row, z), .digits = 3, .about = "the same as a bound for z" },
    { "error_spent", IV_AT(looks_row, spent), .digits = 5, .heading = "error so far",
      .about = "probability of a wrong stop up to this analysis, if recall equals the target" },
    { NULL } };

void iv_looks_method(iv_result *out, iv_look_shape shape)
{
    if (shape <= IV_LOOKS_POCOCK)
        iv_result_used(out, iv_look_shape_names()[shape]);
    else
        iv_result_used_with(out, "lan-demets", ", shape %s", iv_look_shape_names()[shape]);
}

static void report(iv_result *out, const iv_plan_looks_question *q, const looks_row *rows,
                   size_t count)
{
    const double confidence = q->confidence == 0.0 ? 0.95 : q->confidence;
    char first[IV_FIGURE_SIZE], all[IV_FIGURE_SIZE], error[IV_FIGURE_SIZE];
    iv_wording w = { { 0 }, 0 };

    iv_say(&w, "Make at most %zu analys%s", count, count == 1 ? "is" : "es");
    if (q->documents > 0)
        iv_say(&w, ", the first after %s of %s documents",
               iv_thousands(first, (double)rows[0].documents),
               iv_thousands(all, (double)q->documents));
    iv_say(&w, ". At each, compute the one-sided limit of recall with the table's confidence; "
           "stop when it reaches the target.");
    iv_result_answer(out, "%s", w.at);
    (void)snprintf(error, sizeof error, "%.10g", 1.0 - confidence);
    iv_recall_say(out, "plan.looks-error", 1, error, NULL);
    iv_recall_say(out, "plan.looks-fixed", q->shape <= IV_LOOKS_POCOCK, NULL, NULL);
    iv_looks_method(out, q->shape);
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    typedef iv_plan_looks_question T;
    const iv_plan_looks_question *q = asked;
    const double confidence = q->confidence == 0.0 ? 0.95 : q->confidence;
    const size_t count = q->fractions.count > 0 ? q->fractions.count
        : q->looks > 0 ? q->looks : 5;
    iv_look looks[IV_LOOKS_MOST];
    looks_row rows[IV_LOOKS_MOST];

    (void)work;
    if (q->fractions.count > 0)
        IV_TRY(IV_REFUSE(q, "with --at", err, IV_IDLE(looks, "looks")));
    if (q->documents < 0)
        return iv_fail(err, IV_EARG, "%lld documents, expected none or more",
                       (long long)q->documents);
    IV_TRY(iv_looks_of(looks, q->fractions.count > 0 ? q->fractions.at : NULL, count, q->shape,
                       1.0 - confidence, err));
    for (size_t k = 0; k < count; k++)
        rows[k] = (looks_row){
            .analysis = k + 1,
            .documents = (size_t)fmax(0.0, ceil(looks[k].fraction * (double)q->documents - 1e-9)),
            .fraction = looks[k].fraction, .confidence = 1.0 - looks[k].error,
            .z = looks[k].z, .spent = looks[k].spent };
    IV_TABLE(out, "looks", iv_plan_looks_fields, rows, count,
             .with = q->documents > 0 ? DOCUMENTS : 0);
    report(out, q, rows, count);
    return IV_OK;
}

int iv_answer_plan_looks(iv_result *out, const iv_plan_looks_question *q, const iv_work *work,
                         iv_err *err)
{
    static const iv_part parts[] = {
        IV_CHOICE_OF(iv_plan_looks_question, shape, iv_look_shape_names,
                     "the shape of interim analyses"),
        IV_PART_OF(iv_plan_looks_question, fractions, REALS, "fraction"),
        IV_PART_OF(iv_plan_looks_question, confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked), work, err);
}
