/* SPDX-License-Identifier: Apache-2.0 */
/* study sampling -- do estimates from sampled judgments hold? */
#include "frame/cmd.h"
#include "study/study.h"

typedef iv_study_sampling_question ask;

static const opt opts[] = {
    OPT_STR(ask, 0, "qrels", "FILE", qrels, "complete judgments of the runs' documents"),
    OPT_FRAME_DEPTH(ask, how.depth),
    OPT_LIST(ask, 0, "exclude-runs", "RUN", exclude,
             "this run, by tag or file name, does not contribute to frame and weights; its "
             "estimates are shown apart"),
    OPT_INT(ask, 0, "deepest", "K", how.deepest, 0, 1000,
            "samples of the size of pools of depth 1 to K; 0 leaves that part out",
            .usual = "10", .zero = true),
    OPT_INTEGERS(ask, 0, "judgments", "N,...", how.judgments, 0, 16, 2.0, 1e6,
                 "judgments a topic for bias and coverage", .usual = "60,100"),
    OPT_INT(ask, 0, "replicates", "N", how.replicates, 1, 1000000, "samples of each size",
            .usual = "100"),
    OPT_INT(ask, 0, "resamples", "B", how.resamples, 1, 1000000,
            "resamples of the interval on a mean", .usual = "1000"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    ask *q = c->args;

    if (q->qrels == NULL)
        return cmd_usage(err, "--qrels FILE is needed: complete judgments are the truth");
    q->runs = (iv_texts){ (const char *const *)c->operands, c->operand_count };
    return iv_study_answer_sampling(c->result, q, &c->work, err);
}

const cmd cmd_study_sampling = {
    .name = "study sampling",
    .group = "Studies",
    .summary = "how well sampled judgments estimate what full judging gives",
    .operands = "RUN...",
    .least = 2,
    .most = CMD_MANY,
    .description =
        "Repeats Aslam and Pavlu's experiment on any collection with complete judgments: "
        "samples as many documents of a topic as pools of depth 1 to --deepest have, "
        "estimates every run's mean average precision, and compares with the truth: root "
        "mean square error, linear correlation, Kendall's tau, averaged over --replicates "
        "samples. Beside Stevens' scheme with corrected estimates stand depth pools, infAP "
        "and bpref from uniform samples of the same size.\n\n"
        "Table 'coverage' has bias and coverage of the estimators at --judgments documents "
        "a topic: of a topic's average precision, by the number of relevant documents in "
        "the frame; of the mean over a population of topics; of the mean over these topics. "
        "Table 'wilcoxon' counts ordered pairs of runs that truth and sample call "
        "significant, as the paper does; 'groups' has contributors and excluded runs "
        "apart.\n\n"
        "The truth is what the judgments inside the frame give.",
    .examples = (const cmd_example[]){
        { "intervale study sampling --qrels qrels runs/*",
          "The experiment, with a hundred samples of each size." },
        { "intervale study sampling --qrels qrels --deepest 0 --judgments 60,100 "
          "--table coverage --format tsv runs/*", "Only bias and coverage." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(ask),
    .confidence = CMD_CONFIDENCE(ask, how.confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "errors", "coverage", "wilcoxon", "groups", NULL },
    .run = run,
};
