/* SPDX-License-Identifier: Apache-2.0 */
/* plan elusion -- how many documents show that few were missed. */
#include "frame/cmd.h"

#define Q iv_plan_elusion_question

static const opt opts[] = {
    OPT_INT(Q, 0, "population", "N", population, 1, IV_STRATUM_MAX,
            "number of unretrieved documents; retrieved ones do not count"),
    OPT_REAL_OPEN(Q, 0, "below", "X", below, 0.0, 1.0,
                  "limit of elusion: demonstrate that it is below X"),
    OPT_INTEGERS(Q, 0, "accept", "K,...", accept, 1, 64, 0.0, 1e6,
                 "relevant documents allowed in the sample; one plan for each number", .usual =
                 "0,1,2,3,5,10"),
    OPT_REAL_OPEN(Q, 0, "elusion", "X", elusion, 0.0, 1.0,
                  "expected elusion, to compute the chance of success. Default: a quarter of "
                  "--below"),
    OPT_REAL_OPEN(Q, 0, "assurance", "P", assurance, 0.0, 1.0,
                  "chance of success to reach", .usual = "0.9"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    const Q *q = c->args;

    if (q->population == 0 || q->below == 0.0)
        return cmd_usage(err, "--population and --below are needed");
    return iv_answer_plan_elusion(c->result, q, &c->work, err);
}

const cmd cmd_plan_elusion = {
    .name = "plan elusion",
    .group = "Planning",
    .summary = "how many documents to judge for an elusion test",
    .operands = "",
    .description =
        "Plans an elusion test: how many unretrieved documents must be judged to demonstrate "
        "that few relevant ones were missed.\n\n"
        "Accepting none needs the fewest judgments, but a single relevant document ends the test "
        "even if elusion is well below the limit. A plan that accepts up to K needs more "
        "judgments and fails less often. p_accept is the probability of success when elusion is "
        "as expected, p_wrong when it is at the limit. After the test: intervale recall "
        "--unretrieved N,n,r --max-elusion X.",
    .examples = (const cmd_example[]){
        { "intervale plan elusion --population 858000 --below 0.01",
          "Sample sizes that demonstrate an elusion below 1 %, by the number of relevant "
          "documents allowed." },
        { "intervale plan elusion --population 858000 --below 0.01 --accept 0,4 --elusion 0.004 "
          "--format html -o plan.html", "Two plans on a page." },
        { NULL, NULL } },
    .often = "population below accept elusion assurance",
    .pages = "doc/howto/elusion.md",
    .opts = opts,
    CMD_ASKS(Q, confidence),
    .shared = SHARED_CONFIDENCE | SHARED_REPORT,
    .about = (const char *const[]){
        "confidence", "confidence of the test: its error rate is 1 - P; 95 and 95% mean 0.95",
        NULL },
    .numbers_are_data = true,
    .run = run,
};
