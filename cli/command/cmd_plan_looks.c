/* SPDX-License-Identifier: Apache-2.0 */
/* plan looks -- interim analyses of a review that is being judged. */
#include "frame/cmd.h"
#include "intervale/answer.h"

typedef iv_plan_looks_question question;

static const opt opts[] = {
    OPT_ENUM(question, 0, "shape", "NAME", shape, iv_look_shape, iv_look_shape_names,
             "how the error is shared: little early, the same at every analysis, or by a spending "
             "function, which allows analyses that were not planned"),
    OPT_INT(question, 0, "looks", "K", looks, 1, IV_LOOKS_MOST, "equally spaced interim analyses",
            .usual = "5"),
    OPT_NUMBERS(question, 0, "at", "F,...", fractions, 1, IV_LOOKS_MOST, 0.0, 1.0,
                "analyses at these fractions of the largest sample, instead"),
    OPT_INT(question, 0, "documents", "N", documents, 1, 1000000000000,
            "the largest sample: after how many documents each analysis is"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    const question *q = c->args;

    if (q->looks > 0 && q->fractions.count > 0)
        return cmd_usage(err, "give --looks or --at, one of the two");
    return iv_answer_plan_looks(c->result, q, &c->work, err);
}

const cmd cmd_plan_looks = {
    .name = "plan looks",
    .group = "Planning",
    .summary = "plan interim analyses of a review that may stop early",
    .operands = "",
    .description =
        "Testing repeatedly while documents are being judged, and stopping at the first success, "
        "multiplies the error rate. With interim analyses planned beforehand the error rate of the "
        "whole stays about what was asked for: each analysis computes its limit with the "
        "confidence of its row, and the first one that reaches the target ends the review. recall "
        "--looks K --look k computes that limit.\n\n"
        "obrien-fleming spends little error early, and the last analysis is almost as good as a "
        "single one; pocock asks the same of every analysis and stops earlier when the answer is "
        "clear. The spending shapes are close to these and allow analyses at any fractions that do "
        "not depend on what was found.",
    .examples = (const cmd_example[]){
        { "intervale plan looks --looks 5 --documents 3960",
          "Five interim analyses of a review of at most 3,960 judged documents." },
        { "intervale plan looks --shape spend-pocock --at 0.3,0.5,0.55,1",
          "Analyses where they happened." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(question),
    .confidence = CMD_CONFIDENCE(question, confidence),
    .shared = SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "looks", NULL },
    .run = run,
};
