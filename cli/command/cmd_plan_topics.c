/* SPDX-License-Identifier: Apache-2.0 */
/* plan topics -- topics needed, from a pilot's scores. */
#include "frame/score_operands.h"
#include "intervale/answer.h"

typedef iv_plan_topics_question question;

static const opt opts[] = {
    OPT_LIST(question, 'm', "measure", "NAME", scoring.measures,
             "of judgments and runs: the measure, AP unless given"),
    OPT_FLAG(question, 'c', "complete", scoring.complete,
             "judged topics that a run misses count, with nothing retrieved"),
    OPT_ENUM(question, 0, "by", "WHAT", by, iv_matrix_rows, iv_matrix_rows_names,
             "what a row of the matrix stands for"),
    OPT_SCORES(question, scores),
    OPT_STR(question, 0, "baseline", "SYSTEM", baseline,
            "compare each system with this one, not all pairs"),
    OPT_LIST(question, 0, "test", "TEST", tests,
             "t unless given; normal is the sign test in its normal form",
             .names = iv_planned_test_names, .was = (const char *const[]){ "randomisation", "t", NULL }),
    OPT_REAL_OPEN(question, 0, "power", "P", power, 0.0, 1.0, "power to reach", .usual = "0.8"),
    OPT_REAL_OPEN(question, 0, "alpha", "A", alpha, 0.0, 1.0, "level of the test",
                  .usual = "0.05"),
    OPT_FLAG(question, 0, "alone", alone,
             "plan each pair as if it were the only one: alpha is not shared by all pairs"),
    OPT_REAL(question, 0, "certainty", "L", certainty, 0.5, 1.0,
             "probability that the winner of a topic is identified correctly, above 0.5",
             .usual = "1"),
    OPT_ENUM(question, 0, "sides", "HOW", sides, iv_sides, iv_sides_names,
             "one-sided or two-sided test"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    question *q = c->args;

    const int rc = cmd_take_scores(&q->scores, NULL, NULL, c, err);

    if (rc != IV_OK)
        return rc;
    if (q->scores.given)
        return iv_answer_plan_topics(c->result, q, &c->work, err);
    if (c->operand_count == 2)
        return cmd_usage(err, "one run: expected a MATRIX, or JUDGMENTS and at least two runs");
    if (c->operand_count == 1) {
        q->matrix = c->operands[0];
    } else {
        q->from.judgments = c->operands[0];
        q->from.runs = (iv_texts){ (const char *const *)c->operands + 1, c->operand_count - 1 };
    }
    return iv_answer_plan_topics(c->result, q, &c->work, err);
}

const cmd cmd_plan_topics = {
    .name = "plan topics",
    .group = "Planning",
    .summary = "say how many topics a difference seen in a pilot needs",
    .operands = "MATRIX | JUDGMENTS RUN RUN... | --scores FILE...",
    .least = 1,
    .most = CMD_MANY,
    .description =
        "Reads scores of systems on the topics of a pilot (CSV), or scores its runs, and "
        "tells, for each pair, how many topics would find the difference with the power asked "
        "for: at the effect that the pilot shows, and at both ends of its interval, which is "
        "wide for small pilots. topics_lower goes with effect_upper. finds is the least "
        "difference, in units of the measure, that as many topics as the pilot has would "
        "find.\n\n"
        "Differences and their standard deviations are those of compare, and topics are clusters or "
        "sets where these are its units. The power is that of the t test; compare's default test "
        "needs at most one topic more. With more than two systems alpha is divided by the number of "
        "pairs, as the first step of Holm's correction does. The effect is the mean difference in "
        "standard deviations (its interval is that of the noncentral t), for sign and normal the "
        "proportion of topics won less that lost, of those that do not tie (Jeffreys' interval).",
    .examples = (const cmd_example[]){
        { "intervale plan topics pilot.csv", "All pairs of systems, for compare's test." },
        { "intervale plan topics -m nDCG@10 qrels runA runB", "From the files of a pilot." },
        { "intervale plan topics --baseline bm25 --test t --power 0.9 pilot.csv",
          "Each system against a baseline." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(question),
    .confidence = CMD_CONFIDENCE(question, confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "topics", "design", NULL },
    .run = run,
};
