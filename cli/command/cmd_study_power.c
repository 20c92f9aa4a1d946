/* SPDX-License-Identifier: Apache-2.0 */
/* study power -- how often do tests reject, rightly and wrongly? */
#include "frame/cmd.h"
#include "study/study.h"

typedef iv_study_power_question ask;

static const opt opts[] = {
    OPT_STR(ask, 0, "matrix", "FILE", matrix,
            "scores of systems on topics that stand for a population, as eval --write-matrix "
            "writes them; unless given, 40 simulated runs on 250 topics"),
    OPT_ENUM(ask, 0, "by", "WHAT", by, iv_matrix_rows, iv_matrix_rows_names,
             "what a line of FILE stands for"),
    OPT_REAL_OPEN(ask, 0, "alpha", "A", how.alpha, 0.0, 1.0, "level of the tests",
                  .usual = "0.05"),
    OPT_HEADING("Table sign"),
    OPT_INTEGERS(ask, 0, "n", "N,...", sign.topics, 1, 64, 2.0, 1e6, "topics in a sample",
                 .usual = "25,50,100"),
    OPT_NUMBERS(ask, 0, "effects", "H,...", sign.effects, 1, 64, 0.0, 1.0,
                "effect sizes h of pairs to look at", .usual = "0.25,0.35,0.5"),
    OPT_REAL(ask, 0, "width", "W", how.width, 0.0, 1.0,
             "how far from an effect size a pair may be", .usual = "0.025", .zero = true),
    OPT_FLAG(ask, 0, "above", sign.above,
             "count pairs from an effect size upwards, not around it"),
    OPT_INT(ask, 0, "samples", "N", sign.trials, 1, 100000000, "samples of each size",
            .usual = "1000"),
    OPT_FLAG(ask, 0, "replace", sign.replace, "draw topics with replacement"),
    OPT_HEADING("Tables error, power, familywise, families, ranks"),
    OPT_INTEGERS(ask, 0, "null-n", "N,...", how.topics, 1, 64, 2.0, 1e6, "topics in a sample",
                 .usual = "25,50"),
    OPT_NUMBERS(ask, 0, "differences", "D,...", how.effects, 1, 64, 0.0, 10.0,
                "mean differences over their standard deviation, of pairs to find",
                .usual = "0.2,0.35,0.5"),
    OPT_INT(ask, 0, "trials", "N", how.trials, 1, 10000000,
            "sets of runs; in the table error each gives half as many pairs as it has runs",
            .usual = "500"),
    OPT_INT(ask, 0, "runs", "N", how.runs, 2, 10000, "runs of a set, an even number",
            .usual = "20"),
    OPT_INT(ask, 0, "permutations", "N", how.permutations, 20, 100000000,
            "permutations, sign flips and resamples of each test", .usual = "1999"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    const ask *q = c->args;

    if (q->how.runs % 2 != 0)
        return cmd_usage(err, "--runs %zu, expected an even number", q->how.runs);
    return iv_study_answer_power(c->result, q, &c->work, err);
}

const cmd cmd_study_power = {
    .name = "study power",
    .group = "Studies",
    .summary = "how often tests reject, rightly and wrongly",
    .operands = "",
    .description =
        "Takes the scores of many systems on many topics for a population, draws samples of "
        "its topics, tests pairs, and compares the answers with what is true.\n\n"
        "Table sign: observed against predicted power of the one-sided sign test (Carterette "
        "and Smucker's table 2). predicted is exact for the effect; expected is exact for "
        "the pairs and the way of sampling; sd is from sample to sample, se that of the mean "
        "over samples. Without replacement samples share much of a small population and "
        "spread less than predicted.\n\n"
        "Table error: how often two-sided tests reject when nothing is to be found: pairs of "
        "the population whose two scores are exchanged by chance on each topic, and "
        "simulated runs of equal quality. attainable is the largest level up to alpha that "
        "the sign test can have. Table power: how often they reject for pairs of a given "
        "mean difference over its standard deviation. Table familywise: how often any pair "
        "of equal runs is told apart. Table families: the same of compare's default where runs are "
        "not exchangeable, real runs less their means, near-copies, copies that hardly differ, "
        "scores of 0 and 1, and a run with the seven that are nearest to it, in settings of fixed size, and how often a simultaneous interval "
        "misses. Table ranks: how often rank intervals hold the true "
        "rank of each run, and of all runs together; bootstrap is the same for the "
        "bootstrap range.\n\n"
        "In tsv and csv only the table that is shown is computed.",
    .examples = (const cmd_example[]){
        { "intervale study power --matrix ap.csv --format tsv",
          "Observed and predicted power of the sign test." },
        { "intervale study power --table error --trials 20 --permutations 99",
          "A quick look at the errors of all tests on simulated runs." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(ask),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_REPORT,
    .tables = (const char *const[]){ "sign", "error", "power", "familywise", "families", "ranks",
                                     NULL },
    .run = run,
};
