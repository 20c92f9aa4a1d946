/* SPDX-License-Identifier: Apache-2.0 */
/* plan topics -- topics needed, from a pilot's scores. */
#include "frame/score_operands.h"

typedef iv_plan_topics_question question;

static const opt opts[] = {
    OPT_LIST(question, 'm', "measure", "NAME", scoring.measures,
             "measure to score the runs by (default: AP)"),
    OPT_FLAG(question, 'c', "complete", scoring.complete,
             "count missing topics as 0"),
    OPT_SCORES(question, scores),
    OPT_STR(question, 0, "baseline", "SYSTEM", baseline,
            "compare the others with SYSTEM, instead of all pairs"),
    OPT_LIST(question, 0, "test", "TEST", tests,
             "test to plan (default t); normal is the sign test by the normal approximation",
             .names = iv_planned_test_names, .was = (const char *const[]){ "randomisation", "t",
                                                                           NULL }),
    OPT_REAL_OPEN(question, 0, "power", "P", power, 0.0, 1.0, "power to reach", .usual = "0.8"),
    OPT_REAL_OPEN(question, 0, "alpha", "A", alpha, 0.0, 1.0, "significance level of the test",
                  .usual = "0.05"),
    OPT_FLAG(question, 0, "alone", alone,
             "do not divide alpha by the number of pairs"),
    OPT_REAL(question, 0, "certainty", "L", certainty, 0.5, 1.0,
             "probability that a topic's winner is identified; above 0.5",
             .usual = "1"),
    OPT_ENUM(question, 0, "sides", "HOW", sides, iv_sides, iv_sides_names,
             "sides of the test: one or two"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    question *q = c->args;

    q->scores.given = q->scores.given || c->operand_count == 1;
    const int rc = cmd_take_scores(&q->scores, NULL, c, err);

    if (rc != IV_OK)
        return rc;
    if (q->scores.given)
        return iv_answer_plan_topics(c->result, q, &c->work, err);
    if (c->operand_count == 2)
        return cmd_usage(err, "one run: expected SCORES, or JUDGMENTS and at least two runs");
    cmd_take_runs(&q->from, c);
    return iv_answer_plan_topics(c->result, q, &c->work, err);
}

const cmd cmd_plan_topics = {
    .name = "plan topics",
    .group = "Planning",
    .summary = "how many topics a comparison needs, from a pilot",
    .operands = "SCORES | JUDGMENTS RUN RUN... | --scores FILE...",
    .least = 1,
    .most = CMD_MANY,
    .description =
        "Plans how many topics a comparison needs, from the differences in a pilot. SCORES is "
        "one file of scores; several need --scores.\n\n"
        "For each pair: the number of topics that would find the difference with the given "
        "power, at the effect of the pilot and at both ends of its interval, which is wide for "
        "small pilots. topics_lower belongs to effect_upper. Column 'finds' is the smallest "
        "difference that the pilot's number of topics would find.\n\n"
        "Differences and standard deviations are those of 'intervale compare'; where it "
        "computes by cluster or set, these count as topics. The power is that of the t test; "
        "compare's default test needs at most one topic more. With more than two systems alpha is "
        "divided by the number of pairs. The effect is the mean difference in standard "
        "deviations; for sign and normal it is the proportion of topics won minus the proportion "
        "lost, among topics that do not tie.",
    .examples = (const cmd_example[]){
        { "intervale plan topics pilot.csv", "All pairs of systems, for compare's test." },
        { "intervale plan topics -m nDCG@10 qrels runA runB", "From the files of a pilot." },
        { "intervale plan topics --baseline bm25 --test t --power 0.9 pilot.csv",
          "Each system against a baseline." },
        { NULL, NULL } },
    .often = "measure baseline test power alpha scores",
    .pages = "doc/methods/comparing.md",
    .opts = opts,
    CMD_ASKS(question, confidence),
    .shared = SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .run = run,
};
