/* SPDX-License-Identifier: Apache-2.0 */
/* agree -- do judges agree, do assessors, and do two sets of scores rank systems alike? */
#include "answer/agree_parts.h"
#include "answer/answer_parts.h"
#include "intervale/answer.h"

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_agree_question *q = asked;

    if (q->assessors != NULL)
        return iv_agree_assessors(out, q, work, err);
    if (q->beside.count > 0)
        return iv_agree_judges(out, q, work, err);
    return iv_agree_rankings(out, q, work, err);
}

int iv_answer_agree(iv_result *out, const iv_agree_question *q, const iv_work *work, iv_err *err)
{
    static const iv_part parts[] = {
        IV_PART_OF(iv_agree_question, a_matrix, PATH, "the first matrix"),
        IV_PART_OF(iv_agree_question, b_matrix, PATH, "the second matrix"),
        IV_CHOICE_OF(iv_agree_question, by, iv_matrix_rows_names, "what rows are"),
        IV_SOURCE_PARTS(iv_agree_question, source.),
        IV_PART_OF(iv_agree_question, other, PATH, "the other judgments"),
        IV_PART_OF(iv_agree_question, again, PATHS, "replicated run"),
        IV_PART_OF(iv_agree_question, beside, PATHS, "file of labels"),
        IV_CHOICE_OF(iv_agree_question, weights, iv_kappa_weights_names, "the weights of kappa"),
        IV_PART_OF(iv_agree_question, assessors, PATH, "the table of assessors"),
        IV_CHOICE_OF(iv_agree_question, scale, iv_label_scale_names, "the scale"),
        IV_PART_OF(iv_agree_question, strata, PATH, "the strata"),
        IV_PART_OF(iv_agree_question, populations, INTEGERS, "the populations"),
        IV_PART_OF(iv_agree_question, persistence, REAL, "the persistence"),
        IV_PART_OF(iv_agree_question, confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked), work, err);
}
