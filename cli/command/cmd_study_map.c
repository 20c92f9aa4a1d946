/* SPDX-License-Identifier: Apache-2.0 */
/* study map -- do intervals on a mean over topics hold? */
#include "frame/score_operands.h"
#include "study/study.h"

typedef iv_study_map_question ask;

static const opt opts[] = {
    OPT_STR(ask, 0, "matrix", "FILE", matrix,
            "scores, systems x topics, as eval --write-matrix writes them"),
    OPT_ENUM(ask, 0, "by", "WHAT", by, iv_matrix_rows, iv_matrix_rows_names,
             "what a line of FILE stands for"),
    OPT_SCORES(ask, scores),
    OPT_INTEGERS(ask, 0, "n", "N,...", how.n, 1, 64, 2.0, 1e9, "topics in a sample",
                 .usual = "5,10,20"),
    OPT_NUMBERS(ask, 0, "alpha", "A,...", how.alpha, 1, 64, 0.0, 1.0,
                "nominal errors: 1 - confidence",
                .usual = "0.05,0.1,0.15,0.2,0.25,0.3,0.35,0.4,0.45,0.5"),
    OPT_STR(ask, 0, "methods", "NAME,...", methods,
            "which intervals: percentile, bca, logit, t, logit-t, bootstrap-t, wilson, exact, "
            "bounded", .usual = "percentile,bca,logit"),
    OPT_INT(ask, 0, "samples", "N", how.samples, 1, 100000000,
            "samples of each size from each system", .usual = "1000"),
    OPT_INT(ask, 0, "resamples", "B", how.resamples, 1, 100000000, "resamples of each sample",
            .usual = "1000"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    ask *q = c->args;
    const int rc = cmd_take_scores(&q->scores, NULL, NULL, c, err);

    if (rc != IV_OK)
        return rc;
    if (q->matrix == NULL && !q->scores.given)
        return cmd_usage(err, "--matrix FILE or --scores FILE... is needed");
    if (c->operand_count > 0 && !q->scores.given)
        return cmd_usage(err, "--matrix takes no operands, but there is '%.80s'", c->operands[0]);
    return iv_study_answer_map(c->result, q, &c->work, err);
}

const cmd cmd_study_map = {
    .name = "study map",
    .group = "Studies",
    .summary = "how often intervals on a mean over topics miss it",
    .operands = "[--scores FILE...]",
    .most = CMD_MANY,
    .description =
        "Takes each system's scores on all topics for its population, draws samples of n "
        "topics without replacement, makes intervals and counts how often they miss the "
        "population's mean: the error that alpha promises. Repeats Park's experiment on any "
        "matrix of scores in [0, 1].\n\n"
        "The finite population is sampled without replacement while the intervals reckon "
        "with an infinite one, so that large n look better than they are.",
    .examples = (const cmd_example[]){
        { "intervale study map --matrix ap.csv",
          "Park's tables: percentile, bca and logit for 5, 10 and 20 topics." },
        { "intervale study map --matrix ap.csv --n 50 --alpha 0.05 --methods logit,t --format "
          "tsv",
          "Two methods for 50 topics at 95 % confidence, for a program." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(ask),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_REPORT,
    .tables = (const char *const[]){ "errors", NULL },
    .run = run,
};
