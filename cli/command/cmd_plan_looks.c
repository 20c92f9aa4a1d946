/* SPDX-License-Identifier: Apache-2.0 */
/* plan looks -- interim analyses of a review that is being judged. */
#include "frame/cmd.h"

typedef iv_plan_looks_question question;

static const opt opts[] = {
    OPT_ENUM(question, 0, "shape", "NAME", shape, iv_look_shape, iv_look_shape_names,
             "division of the error rate among the analyses. Little early, equal at every "
             "analysis, or by a spending function, which allows unplanned analyses"),
    OPT_INT(question, 0, "looks", "K", looks, 1, IV_LOOKS_MOST,
            "number of equally spaced interim analyses",
            .usual = "5"),
    OPT_NUMBERS(question, 0, "at", "F,...", fractions, 1, IV_LOOKS_MOST, 0.0, 1.0,
                "fractions of the documents after which to analyse"),
    OPT_INT(question, 0, "documents", "N", documents, 1, 1000000000000,
            "documents to judge if no analysis stops the review; shows how many are judged at "
            "each analysis"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    return iv_answer_plan_looks(c->result, c->args, &c->work, err);
}

const cmd cmd_plan_looks = {
    .name = "plan looks",
    .group = "Planning",
    .summary = "plan interim analyses of a review",
    .operands = "",
    .description =
        "Plans interim analyses of a review, and limits the risk that one of them stops it "
        "wrongly.\n\n"
        "Testing repeatedly and stopping at the first success multiplies the error rate. With "
        "planned analyses, the limit at each has the confidence that table 'looks' gives. The "
        "review ends at the first analysis whose limit reaches the target. 'recall --looks K "
        "--look k' computes that limit.\n\n"
        "obrien-fleming spends little error early, and the last analysis is almost as good as a "
        "single one. pocock uses the same level at every analysis and stops earlier when the "
        "answer is clear. The spending shapes are close to these and allow analyses at any "
        "fractions that do not depend on what was found.",
    .examples = (const cmd_example[]){
        { "intervale plan looks --looks 5 --documents 3960",
          "Five interim analyses of a review of at most 3,960 judged documents." },
        { "intervale plan looks --shape spend-pocock --at 0.3,0.5,0.55,1",
          "Analyses at the fractions at which they were made." },
        { NULL, NULL } },
    .opts = opts,
    CMD_ASKS(question, confidence),
    .shared = SHARED_CONFIDENCE | SHARED_REPORT,
    .about = (const char *const[]){
        "confidence", "confidence of the plan: its error rate is 1 - P; 95 and 95% mean 0.95",
        NULL },
    .run = run,
};
