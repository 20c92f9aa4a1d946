/* SPDX-License-Identifier: Apache-2.0 */
/* plan elusion -- how many documents show that few were missed. */
#include "frame/cmd.h"
#include "intervale/answer.h"

#define Q iv_plan_elusion_question

static const opt opts[] = {
    OPT_INT(Q, 0, "population", "N", population, 1, IV_STRATUM_MAX,
            "documents that were not retrieved"),
    OPT_REAL_OPEN(Q, 0, "below", "X", below, 0.0, 1.0,
                  "the share of relevant ones among them that is to be shown not to be reached"),
    OPT_INTEGERS(Q, 0, "accept", "K,...", accept, 1, 64, 0.0, 1e6,
                 "relevant documents that the sample may hold: plans for each", .usual =
                 "0,1,2,3,5,10"),
    OPT_REAL_OPEN(Q, 0, "elusion", "X", elusion, 0.0, 1.0,
                  "what it may really be: how likely is acceptance then? A quarter of --below "
                  "unless given"),
    OPT_REAL_OPEN(Q, 0, "assurance", "P", assurance, 0.0, 1.0,
                  "the probability of acceptance to look for", .usual = "0.9"),
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
    .summary = "say how many documents show that few were missed",
    .operands = "",
    .description =
        "Before an elusion test: how many of the documents that were not retrieved must be drawn "
        "at random and judged, so that few finds show elusion, the share of relevant ones among "
        "them, to be below a limit?\n\n"
        "To accept on zero needs the fewest judgments, but one find ends it in refusal, though "
        "elusion may be well below the limit; a plan that accepts on up to K finds needs more, "
        "and refuses less often when all is well. p_accept says how likely acceptance is when "
        "elusion is as guessed; the table curve, drawn in a page, is the operating curve of each "
        "plan. After the test, intervale recall --unretrieved N,n,r says what it showed.",
    .examples = (const cmd_example[]){
        { "intervale plan elusion --population 858000 --below 0.01",
          "The sample that shows elusion below one in a hundred, for some numbers of finds." },
        { "intervale plan elusion --population 858000 --below 0.01 --accept 0,4 --elusion 0.004 "
          "--format html -o plan.html",
          "Two plans and their operating curves on a page." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(Q),
    .confidence = CMD_CONFIDENCE(Q, confidence),
    .shared = SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "plan", "curve", NULL },
    .numbers_are_data = true,
    .run = run,
};
