/* SPDX-License-Identifier: Apache-2.0 */
/* overlap -- how alike are runs, without judgments? */
#include "frame/cmd.h"
#include "intervale/answer.h"

typedef iv_overlap_question question;

static const opt opts[] = {
    OPT_REAL_OPEN(question, 'p', "persistence", "P", how.persistence, 0.0, 1.0,
                  "of rank-biased overlap: the chance to go on to the next rank", .usual = "0.9"),
    OPT_ENUM(question, 0, "ties", "WAY", how.ties, iv_rbo_ties, iv_rbo_ties_names,
             "documents of one score: the average over their orders (a in the paper), that over "
             "what a list shares with itself (b), or equal ranks (w)"),
    OPT_INT(question, 'k', "top", "K", how.top, 1, INT64_MAX,
            "how many are the first documents, of overlap@k and Jaccard@k", .usual = "10"),
    OPT_DEPTH(question, how.depth),
    OPT_INT(question, 0, "resamples", "N", resampling.resamples, 1, 100000000,
            "resamples of the bootstrap", .usual = "10000"),
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
    .summary = "how alike are runs, without judgments?",
    .operands = "RUN RUN...",
    .least = 2,
    .most = CMD_MANY,
    .description =
        "Every pair of runs, topic by topic: rank-biased overlap (extrapolated, and its bounds "
        "whatever follows the ends of the lists, which may differ in length), the proportion of "
        "the first K documents that both have, Jaccard's coefficient of these, Kendall's tau-b and "
        "AP correlation on the union; their means over topics with intervals; and the topics "
        "that differ most.\n\n"
        "Table judging counts the documents that can tell two runs apart: only_a and only_b "
        "decide precision at K, those that moved every measure that weighs ranks. Nothing else "
        "needs to be judged for these, and before the fewest are judged no sign is certain. "
        "intervale next names them in a good order.",
    .examples = (const cmd_example[]){
        { "intervale overlap runA runB", "How alike are two runs, and where do they differ?" },
        { "intervale overlap -p 0.98 --ties equal runA runB runC",
          "Deeper, with tied documents at one rank; every pair of three." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(question),
    .confidence = CMD_CONFIDENCE(question, resampling.confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "pairs", "judging", "topics", NULL },
    .run = run,
};
