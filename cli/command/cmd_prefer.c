/* SPDX-License-Identifier: Apache-2.0 */
/* prefer -- which system do people, or a judge, prefer? */
#include "frame/cmd.h"

typedef iv_prefer_question ask;

static const opt opts[] = {
    OPT_LIST(ask, 0, "columns", "ROLE=NAME", columns,
             "columns of the roles a, b, winner, item, judge. a and b are the two systems. "
             "covariate=length corrects for length_a and length_b"),
    OPT_LIST(ask, 0, "judge", "NAME", judges, "use only the votes of judge NAME"),
    OPT_STR(ask, 0, "human", "NAME", human, "judge that the others are compared with",
            .usual = "human"),
    OPT_FLAG(ask, 0, "position", position,
             "correct for the order in which answers were shown"),
    OPT_ENUM(ask, 0, "human-design", "D", human_design, iv_human_design, iv_human_design_names,
             "random: people voted on a sample of the judges' pairs. It is a random one, and "
             "strengths are then people's", .usual = "stated"),
    OPT_STR(ask, 0, "baseline", "SYSTEM", baseline, "system that --gate compares others with"),
    OPT_REAL(ask, 0, "margin", "D", margin, 0.0, 0.499,
             "--gate asks for win rates of 1/2 - D or more", .zero = true),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    ask *q = c->args;

    q->file = c->operands[0];
    q->not_worse = c->shared->gate;
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
        "compares the votes of each judge with those of people, and counts circular triads.\n\n"
        "With --gate the exit status is 0 if every other system wins against the baseline at a "
        "rate of 1/2 - margin or more, 3 if one does not, 4 if this is inconclusive.",
    .examples = (const cmd_example[]){
        { "intervale prefer votes.csv", "Strengths, intervals and ranks." },
        { "intervale prefer votes.csv --format html -o leaderboard.html", "A page." },
        { "intervale prefer votes.csv --judge human --position",
          "Votes of people, and strengths without the advantage of the first position." },
        { "intervale prefer votes.csv --columns covariate=length",
          "Strengths with and without the effect of the answers' length." },
        { "intervale prefer votes.csv --human-design random",
          "Strengths by people, who voted on a random sample of what a judge compared." },
        { NULL, NULL } },
    .often = "columns judge position human-design baseline margin",
    .pages = "doc/methods/preferences.md",
    .opts = opts,
    CMD_ASKS(ask, confidence),
    .shared = SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT | SHARED_GATE,
    .run = run,
};
