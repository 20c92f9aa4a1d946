/* SPDX-License-Identifier: Apache-2.0 */
/* measures -- which measures there are, and what each one is. */
#include "frame/cmd.h"

static int run(cmd_context *c, iv_err *err)
{
    iv_measures_question *q = c->args;

    q->names = (iv_texts){ (const char *const *)c->operands, c->operand_count };
    c->written = c->operand_count > 0 && strcmp(c->shared->format, "text") == 0;
    q->prose = c->written ? c->out : NULL;
    return iv_answer_measures(c->result, q, &c->work, err);
}

const cmd cmd_measures = {
    .name = "measures",
    .group = "Evaluation",
    .summary = "list the measures, or explain some",
    .operands = "[NAME...]",
    .most = CMD_MANY,
    .description =
        "Lists all measures, or explains those that you name.\n\n"
        "An explanation has the formula, range, parameters, and the treatment of unjudged "
        "documents. A name may have parameters, as in nDCG@10, or be a set, such as all_trec.",
    .examples = (const cmd_example[]){
        { "intervale measures", "Lists all measures." },
        { "intervale measures nDCG@10 bpref", "Explains two of them." },
        { "intervale measures official", "Lists what trec_eval prints unless asked." },
        { NULL, NULL } },
    .args_size = sizeof(iv_measures_question),
    .shared = SHARED_REPORT,
    .own_text = true,
    .often = "",
    .pages = "doc/measures.md",
    .run = run,
};
