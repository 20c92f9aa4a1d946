/* SPDX-License-Identifier: Apache-2.0 */
/* study recall -- how often do recall intervals hold the truth? */
#include "frame/cmd.h"
#include "study/study.h"

typedef iv_study_recall_question ask;

#define MOST 1000000000

static const opt opts[] = {
    OPT_HEADING("Simulated reviews"),
    OPT_ENUM(ask, 0, "scenario", "NAME", scenario, iv_recall_simulated, iv_recall_simulated_names,
             "the neutral, legal or small scenario of Webber (2013), an unretrieved segment "
             "cut into 1, 8 and 32 strata, or strata sampled at unequal rates"),
    OPT_INT(ask, 0, "realisations", "N", realisations, 1, MOST, "populations of each scenario",
            .usual = "1000"),
    OPT_INT(ask, 0, "samples", "N", how.samples, 1, MOST,
            "samples drawn from each population; four times as many for each layout of strata",
            .usual = "1000"),
    OPT_HEADING("A real review, with its labels"),
    OPT_STR(ask, 0, "run", "FILE", run, "rankings of whole collections, one a topic"),
    OPT_STR(ask, 0, "labels", "FILE", labels, "judgments of all their documents"),
    OPT_INTEGERS(ask, 0, "at", "K,...", at, 1, 64, 1.0, 1e9, "cut-offs"),
    OPT_INT(ask, 0, "sample-size", "N", sample_size, 2, MOST,
            "documents in each sample, drawn from the whole collection", .usual = "500"),
    OPT_INT(ask, 0, "drawn-at", "K", drawn_at, 1, MOST,
            "draw half of the sample from the first K documents and half from the others, "
            "instead"),
    OPT_INT(ask, 0, "least-relevant", "N", least_relevant, 1, MOST,
            "topics with fewer relevant documents are left out", .usual = "20"),
    OPT_INT(ask, 'l', "level", "GRADE", level, 1, 1000000, "least grade that is relevant",
            .usual = "1"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    const ask *q = c->args;

    if ((q->run == NULL) != (q->labels == NULL))
        return cmd_usage(err, "--run and --labels go together");
    if (q->run == NULL && q->at.count > 0)
        return cmd_usage(err, "--at needs --run and --labels");
    if (q->run == NULL && q->drawn_at > 0)
        return cmd_usage(err, "--drawn-at needs --run and --labels");
    if (q->run != NULL && q->at.count == 0)
        return cmd_usage(err, "--run and --labels need --at");
    return iv_study_answer_recall(c->result, q, &c->work, err);
}

const cmd cmd_study_recall = {
    .name = "study recall",
    .group = "Studies",
    .summary = "measure how often recall intervals hold the truth",
    .operands = "",
    .description =
        "Draws populations whose recall is known, samples them again and again, computes the "
        "interval of every method for each sample, and counts how often it holds the truth. The "
        "scenarios are those of Webber (2013), tables VI to VIII; the tables coverage, quartiles "
        "and closest have his tables IX and X and figures 9 to 13. Coverage should be near the "
        "confidence, rmse small, and below and above (the share of truths under and over the "
        "interval) alike.\n\n"
        "With --run and --labels the populations are real: the rankings of a review whose "
        "documents are all judged, cut at --at; samples are drawn from the whole collection and "
        "split at the cut-off, as intervale recall --run --sample does, or with --drawn-at from "
        "each side of one cut-off. The table topics is for the default method, betabin-weighted.\n\n"
        "The full study takes minutes; --realisations 50 --samples 200 takes seconds.",
    .examples = (const cmd_example[]){
        { "intervale study recall --scenario small --realisations 20 --samples 100",
          "A quick look at small collections." },
        { "intervale study recall --scenario legal --realisations 10 --samples 50 --format tsv",
          "The legal scenario for another program; without numbers it takes a minute or two." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(ask),
    .confidence = CMD_CONFIDENCE(ask, how.confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "coverage", "quartiles", "closest", "topics", NULL },
    .numbers_are_data = true,
    .run = run,
};
