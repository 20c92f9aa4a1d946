/* SPDX-License-Identifier: Apache-2.0 */
/* overlap -- how alike are runs, without judgments? */
#include "frame/cmd.h"

typedef iv_overlap_question question;

static const opt opts[] = {
    OPT_REAL_OPEN(question, 'p', "persistence", "P", how.persistence, 0.0, 1.0,
                  "persistence p of rank-biased overlap. The probability that a reader goes on "
                  "to the next rank", .usual = "0.9"),
    OPT_ENUM(question, 0, "ties", "WAY", how.ties, iv_rbo_ties, iv_rbo_ties_names,
             "ranks of tied documents. average: over all orders of the ties (RBO-a of Corsi and "
             "Urbano); shared: this, divided by a list's overlap with itself (RBO-b); equal: all "
             "at one rank (RBO-w)"),
    OPT_INT(question, 'k', "top", "K", how.top, 1, INT64_MAX,
            "cut-off k of overlap@k and Jaccard@k", .usual = "10"),
    OPT_DEPTH(question, how.depth),
    OPT_INT(question, 0, "resamples", "N", resampling.resamples, 1, 100000000,
            "number of bootstrap resamples", .usual = "10000"),
    OPT_RUN_FORMAT(question, from.run_format),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    question *q = c->args;

    q->from.runs = (iv_texts){ (const char *const *)c->operands, c->operand_count };
    return iv_answer_overlap(c->result, q, &c->work, err);
}

const cmd cmd_overlap = {
    .name = "overlap",
    .group = "Evaluation",
    .summary = "how similar are runs, without judgments?",
    .operands = "RUN RUN...",
    .least = 2,
    .most = CMD_MANY,
    .description =
        "Compares the rankings of runs without judgments: rank-biased overlap, overlap@k, "
        "Jaccard@k, Kendall's tau-b and AP correlation.\n\n"
        "Each pair of runs is compared topic by topic; means over topics have intervals. "
        "Rank-biased overlap is extrapolated, with bounds for what may follow the ends of the "
        "lists. Table 'topics' has the topics that differ most, and counts the documents that "
        "only one run has: 'intervale next' lists which of them to judge.",
    .examples = (const cmd_example[]){
        { "intervale overlap runA runB", "How alike are two runs, and where do they differ?" },
        { "intervale overlap -p 0.98 --ties equal runA runB runC",
          "Deeper, with tied documents at one rank; every pair of three." },
        { NULL, NULL } },
    .often = "persistence ties top depth",
    .pages = "doc/methods/rankings.md",
    .opts = opts,
    CMD_ASKS(question, resampling.confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .run = run,
};
