/* SPDX-License-Identifier: Apache-2.0 */
/* plan looks -- when to look at what is still being judged, and what to ask then. */
#include <math.h>

#include "answer/answer_columns.h"
#include "answer/answer_parts.h"
#include "base/memory.h"
#include "intervale/answer.h"

enum { DOCUMENTS = 1 };

typedef struct row {
    int64_t look, documents;
    iv_look x;
    double confidence;
} row;

const iv_field iv_plan_looks_fields[] = {
    { "look", IV_AT(row, look), .about = "its number" },
    { "fraction", IV_AT(row, x.fraction), .digits = 3, .about = "of the largest sample" },
    { "documents", IV_AT(row, documents), .needs = DOCUMENTS, .about = "judged by then" },
    { "confidence", IV_AT(row, confidence), .digits = 5,
      .about = "of the one-sided limit to be computed at this look" },
    { "z", IV_AT(row, x.z), .digits = 3, .about = "the same as a bound of a normal statistic" },
    { "spent", IV_AT(row, x.spent), .digits = 5,
      .about = "chance of a wrong stop by the end of this look, if the truth is at the target" },
    { NULL } };

static void tell(iv_result *out, const iv_plan_looks_question *q, const row *rows, size_t count,
                 double confidence)
{
    iv_wording w = { { 0 }, 0 };

    iv_say(&w, "Look %zu time%s, ", count, count == 1 ? "" : "s");
    if (q->documents > 0)
        iv_say(&w, "first at %lld of %lld documents, ", (long long)rows[0].documents,
               (long long)q->documents);
    iv_say(&w, "and stop at the first look whose one-sided limit, at the confidence of its row "
           "(%.5f at first, %.5f at last), reaches the target: a wrong stop%s has a chance of "
           "at most %g.", rows[0].confidence, rows[count - 1].confidence,
           q->two_sided ? " on either side" : "", q->two_sided ? 0.5 * (1.0 - confidence) : 1.0 - confidence);
    iv_result_answer(out, "%s", w.at);
    iv_result_note(out, "The bounds are those of a normal statistic whose increments are "
                   "independent; on counts they are approximate, and exact limits at these "
                   "confidences err less.");
    if (q->shape <= IV_LOOKS_POCOCK)
        iv_result_note(out, "All looks are fixed beforehand. To look at other fractions, which "
                       "must not depend on what was found, choose a shape that spends.");
    if (q->two_sided)
        iv_result_note(out, "Two-sided: each limit is allowed half of the error.");
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_plan_looks_question *q = asked;
    const double confidence = q->confidence == 0.0 ? 0.95 : q->confidence;
    const double level = (1.0 - confidence) * (q->two_sided ? 0.5 : 1.0);
    const size_t count = q->fractions.count > 0 ? q->fractions.count
        : q->looks > 0 ? q->looks : 5;
    iv_look looks[IV_LOOKS_MOST];
    row rows[IV_LOOKS_MOST];

    (void)work;
    if (q->documents < 0)
        return iv_fail(err, IV_EARG, "%lld documents, expected none or more",
                       (long long)q->documents);
    IV_TRY(iv_looks_of(looks, q->fractions.count > 0 ? q->fractions.at : NULL, count, q->shape,
                       level, err));
    for (size_t k = 0; k < count; k++)
        rows[k] = (row){ (int64_t)k + 1,
                         (int64_t)ceil(looks[k].fraction * (double)q->documents - 1e-9),
                         looks[k], 1.0 - looks[k].error };
    (void)iv_result_rows(out, &(iv_rows){ "looks", iv_plan_looks_fields, rows, count, sizeof *rows,
                                          .with = q->documents > 0 ? DOCUMENTS : 0 });
    tell(out, q, rows, count, confidence);
    return IV_OK;
}

int iv_answer_plan_looks(iv_result *out, const iv_plan_looks_question *q, const iv_work *work,
                         iv_err *err)
{
    static const iv_part parts[] = {
        IV_CHOICE_OF(iv_plan_looks_question, shape, iv_look_shape_names, "the shape of looks"),
        IV_PART_OF(iv_plan_looks_question, fractions, REALS, "fraction"),
        IV_PART_OF(iv_plan_looks_question, confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked, "plan looks"), work, err);
}
