/* SPDX-License-Identifier: Apache-2.0 */
/* study prf -- do intervals on precision, recall and F hold? */
#include "frame/cmd.h"
#include "study/study.h"

typedef iv_study_prf_question ask;

static const opt opts[] = {
    OPT_ENUM(ask, 0, "metric", "METRIC", metric, iv_studied_metric, iv_studied_metric_names,
             "whose intervals to study"),
    OPT_REAL(ask, 0, "beta", "B", beta, 0.01, 100.0, "of f-beta", .usual = "2"),
    OPT_NUMBERS(ask, 0, "rates", "R,...", rates, 1, 64, 1e-6, 0.999999, "true rates",
                .usual = "0.05,0.2,0.5,0.7,0.8,0.9,0.95"),
    OPT_INTEGERS(ask, 0, "sizes", "N,...", sizes, 1, 64, 1, IV_PRF_STUDY_ITEMS_MAX,
                 "numbers of items: returned (precision), relevant (recall), either (f1), all",
                 .usual = "10,20,50,100,500"),
    OPT_NUMBERS(ask, 0, "prior", "L or A,B", prior, 1, 2, 1e-6, 1e6,
                "of the posterior, as in prf", .usual = "0.5"),
    OPT_HEADING("For f-beta, balanced_accuracy and mcc, whose samples are drawn"),
    OPT_REAL(ask, 0, "prevalence", "P", prevalence, 1e-6, 0.5, "share of relevant items",
             .usual = "0.2"),
    OPT_INT(ask, 0, "replicates", "N", replicates, 100, 10000000, "samples", .usual = "2000"),
    OPT_INT(ask, 0, "draws", "N", draws, IV_PRF_DRAWS_MIN, IV_PRF_DRAWS_MAX,
            "draws from each posterior, and resamples of each bootstrap", .usual = "2000"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    return iv_study_answer_prf(c->result, c->args, &c->work, err);
}

const cmd cmd_study_prf = {
    .name = "study prf",
    .group = "Studies",
    .summary = "how often intervals on precision and F hold",
    .operands = "",
    .description =
        "For true rates and sample sizes: how often does an interval hold the truth, on which "
        "side does it miss, how wide is it? The posterior's intervals of prf (equal tails and "
        "highest density) stand beside Wilson's score interval and the percentile bootstrap.\n\n"
        "For precision, recall, specificity, accuracy and f1 the answer is exact: given the "
        "number of items that count, true positives are binomial, and all outcomes are summed. "
        "For f-beta, balanced_accuracy and mcc samples are drawn, with their standard error.",
    .examples = (const cmd_example[]){
        { "intervale study prf --metric f1", "The default grid, exactly." },
        { "intervale study prf --metric precision --rates 0.9,0.99 --sizes 10,50,200 "
          "--table summary",
          "High precision, small samples: the worst coverage of each method." },
        { "intervale study prf --metric mcc --rates 0.8 --sizes 100 --replicates 500",
          "Matthews' correlation, from samples of 100 items." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(ask),
    .confidence = CMD_CONFIDENCE(ask, confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "coverage", "summary", "grid", NULL },
    .numbers_are_data = true,
    .run = run,
};
