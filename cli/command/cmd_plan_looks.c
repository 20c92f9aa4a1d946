/* SPDX-License-Identifier: Apache-2.0 */
/* plan looks -- looks at what is still being judged. */
#include "frame/cmd.h"
#include "intervale/answer.h"

typedef iv_plan_looks_question question;

static const opt opts[] = {
    OPT_ENUM(question, 0, "shape", "NAME", shape, iv_look_shape, iv_look_shape_names,
             "how the error is shared: little early, the same at every look, or by a spending "
             "function, which allows looks that were not planned"),
    OPT_INT(question, 0, "looks", "K", looks, 1, IV_LOOKS_MOST, "equally spaced looks",
            .usual = "5"),
    OPT_NUMBERS(question, 0, "at", "F,...", fractions, 1, IV_LOOKS_MOST, 0.0, 1.0,
                "looks at these fractions of the largest sample, instead"),
    OPT_INT(question, 0, "documents", "N", documents, 1, 1000000000000,
            "the largest sample: at how many documents each look is"),
    OPT_FLAG(question, 0, "two-sided", two_sided, "both limits are looked at"),
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
    .summary = "share the error between looks at a review that may stop early",
    .operands = "",
    .description =
        "Who watches an interval and stops when it reaches a target is wrong several times as "
        "often as it says. With looks planned beforehand the error of the whole is what was asked "
        "for: at each look the limit is computed with the confidence of its row, and the first "
        "one that reaches the target ends the review. recall --looks K --look k computes that "
        "limit.\n\n"
        "obrien-fleming spends little early, and the last look is almost as good as a sample that "
        "nobody watched; pocock asks the same of every look and stops earlier when the answer is "
        "clear. The spending shapes are close to these and hold for looks at any fractions that "
        "do not depend on what was found.",
    .examples = (const cmd_example[]){
        { "intervale plan looks --looks 5 --documents 3960",
          "Five looks at a review of at most 3,960 judged documents." },
        { "intervale plan looks --shape spend-pocock --at 0.3,0.5,0.55,1",
          "Looks where they happened." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(question),
    .confidence = CMD_CONFIDENCE(question, confidence),
    .shared = SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "looks", NULL },
    .run = run,
};
