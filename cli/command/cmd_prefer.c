/* SPDX-License-Identifier: Apache-2.0 */
/* prefer -- which system do people, or a judge, prefer? */
#include "frame/cmd.h"

typedef iv_prefer_question ask;

static const opt opts[] = {
    OPT_LIST(ask, 0, "columns", "ROLE=NAME", columns,
             "columns of the roles a, b, winner, item, judge. a and b are the two systems"),
    OPT_LIST(ask, 0, "judge", "NAME", judges, "use only the votes of judge NAME"),
    OPT_STR(ask, 0, "human", "NAME", human, "judge that the others are compared with",
            .usual = "human"),
    OPT_FLAG(ask, 0, "position", position,
             "correct for the order in which answers were shown"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    ask *q = c->args;

    q->file = c->operands[0];
    return iv_answer_prefer(c->result, q, &c->work, err);
}

const cmd cmd_prefer = {
    .name = "prefer",
    .group = "Evaluation",
    .summary = "rank systems by pairwise preferences, with intervals",
    .operands = "FILE",
    .least = 1,
    .most = 1,
    .description =
        "Ranks systems by pairwise preferences of people or of an LLM judge.\n\n"
        "FILE is a CSV or TSV with a header, or JSON lines: the columns a and b (or model_a and "
        "model_b) name two systems, a shown first; winner is a, b, tie or the name of a system. "
        "A column item (or prompt, question_id) groups the votes on one prompt, and judge names "
        "who voted.\n\n"
        "Strengths are those of the Bradley-Terry model with ties, on a log scale with mean 0. "
        "Intervals allow for votes on one item being alike. Ranks are simultaneous: all are "
        "right at once with the given confidence. Where a system never lost or never won, or the "
        "comparisons do not connect all systems, there is no estimate, and the answer says "
        "why.\n\n"
        "Table 'position' tests whether the system shown first has an advantage; table 'judges' "
        "compares the votes of each judge with those of people.",
    .examples = (const cmd_example[]){
        { "intervale prefer votes.csv", "Strengths, intervals and ranks." },
        { "intervale prefer votes.csv --format html -o leaderboard.html", "A page." },
        { "intervale prefer votes.csv --judge human --position",
          "Votes of people, and strengths without the advantage of the first position." },
        { NULL, NULL } },
    .often = "columns judge position",
    .pages = "doc/methods/preferences.md",
    .opts = opts,
    CMD_ASKS(ask, confidence),
    .shared = SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .run = run,
};
