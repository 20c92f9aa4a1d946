/* SPDX-License-Identifier: Apache-2.0 */
/* simulate -- write a test collection whose truth is known. */
#include "frame/cmd.h"

typedef iv_simulate_question ask;

static const opt opts[] = {
    OPT_HEADING("Size"),
    OPT_INT(ask, 0, "topics", "T", files.topics, 1, IV_SIMULATED_TOPICS_MAX,
            "number of topics",
            .usual = "50"),
    OPT_INT(ask, 0, "documents", "D", collection.documents, 1, IV_SIMULATED_DOCUMENTS_MAX,
            "number of documents of each topic. All are judged unless --judged is given",
            .usual = "4000"),
    OPT_INT(ask, 0, "runs", "S", collection.runs, 1, IV_SIMULATED_RUNS_MAX,
            "number of runs",
            .usual = "10"),
    OPT_INT(ask, 0, "depth", "N", collection.depth, 1, IV_SIMULATED_DOCUMENTS_MAX,
            "number of documents that a run returns for a topic. Default: all, up to 1000"),
    OPT_HEADING("Judgments"),
    OPT_INT(ask, 0, "grades", "G", collection.grades, 2, IV_SIMULATED_GRADES_MAX,
            "number of grades, including 0. Each is half as common as the one below",
            .usual = "2"),
    OPT_REAL_OPEN(ask, 0, "prevalence", "P", collection.prevalence, 0.0, 1.0,
                  "mean proportion of relevant documents", .usual = "0.015"),
    OPT_REAL(ask, 0, "prevalence-sd", "X", collection.prevalence_spread, 0.0, 10.0,
             "standard deviation over topics of logit prevalence",
             .zero = true, .usual = "0.9",
            .names_were = (const char *const[]){ "prevalence-spread", NULL }),
    OPT_INT(ask, 0, "least-relevant", "N", collection.least_relevant, 1,
            IV_SIMULATED_DOCUMENTS_MAX,
            "least number of relevant documents of a topic", .usual = "1"),
    OPT_INT(ask, 0, "judged", "N", files.judged, 1, IV_SIMULATED_DOCUMENTS_MAX,
            "judge only N documents of each topic"),
    OPT_ENUM(ask, 0, "judging", "HOW", files.judging, iv_judging, iv_judging_names,
             "choice of the documents of --judged: the top of the pool, or at random"),
    OPT_STR(ask, 0, "judge", "HOW", files.judge,
            "simulate automatic labels, in machine.qrels. kappa=K is the agreement with the "
            "truth, drift=D how far the number of documents called relevant differs between "
            "topics, relatively; kappa=0.4,drift=0.45 resembles language models of 2024"),
    OPT_HEADING("Runs"),
    OPT_NUMBERS(ask, 0, "quality", "Q,...", collection.quality, 1, IV_SIMULATED_RUNS_MAX,
                -10.0, 10.0,
                "quality of each run, where 0 is a random ranking. How far relevant documents "
                "score above others, in standard deviations: one number for all runs, two for even "
                "steps from the first run to the last, or one for each run", .usual = "2.1,1.3"),
    OPT_REAL(ask, 0, "similarity", "R", collection.similarity, 0.0, 1.0,
             "correlation of the errors of two runs",
             .zero = true, .usual = "0.7"),
    OPT_REAL(ask, 0, "difficulty", "X", collection.difficulty, 0.0, 5.0,
             "standard deviation of quality over topics",
             .zero = true, .usual = "0.8"),
    OPT_REAL(ask, 0, "breadth", "R", collection.breadth, -0.999, 1.0,
             "correlation of a topic's difficulty and prevalence",
             .zero = true, .usual = "0.6"),
    OPT_REAL(ask, 0, "interaction", "X", collection.interaction, 0.0, 5.0,
             "standard deviation of quality over runs and topics",
             .zero = true, .usual = "0.33"),
    OPT_REAL(ask, 0, "ties", "STEP", collection.ties, 0.0, 100.0,
             "round scores to multiples of STEP, which makes ties; 0 makes none",
             .usual = "0"),
    OPT_HEADING("Output"),
    { .kind = OPT_STR_, .letter = 'o', .name = "output", .value = "DIR",
      .offset = OPT_AT_(ask, const char *, directory),
      .help = "directory to create; it appears only when it is complete",
      .unrecorded = true },
    OPT_INT(ask, 0, "first-topic", "N", files.first_topic, 0, IV_SIMULATED_TOPICS_MAX,
            "number of the first topic", .zero = true, .usual = "301"),
    OPT_STR(ask, 0, "prefix", "TEXT", files.prefix, "prefix of the names of runs",
            .usual = "sim"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    const ask *q = c->args;

    if (q->directory == NULL || strcmp(q->directory, "") == 0 || strcmp(q->directory, "-") == 0)
        return cmd_usage(err, "-o DIR is missing: the directory to make");
    return iv_answer_simulate(c->result, q, &c->work, err);
}

const cmd cmd_simulate = {
    .name = "simulate",
    .group = "Data",
    .summary = "make a test collection whose true scores are known",
    .operands = "",
    .description =
        "Writes a test collection whose true scores are known.\n\n"
        "DIR/qrels has the judgments, DIR/runs one run a file, DIR/truth.tsv the true quality "
        "of each run, and DIR/README how it was made. The defaults resemble an ad hoc track of "
        "TREC: few relevant documents, topics that differ more than runs do, skewed average "
        "precision.\n\n"
        "A relevant document's score is the quality of the run, plus the difficulty of the "
        "topic, plus an interaction of the two, plus noise that is partly common to all runs. "
        "Any other document's score is noise alone. Runs of equal quality are equal in truth: "
        "a null for tests.\n\n"
        "The same options and seed give the same bytes on any machine. Without --judged, the "
        "same command gives the complete judgments.",
    .examples = (const cmd_example[]){
        { "intervale simulate -o collection",
          "Fifty topics and ten runs, the first one the best." },
        { "intervale simulate --runs 20 --quality 1.7 --seed 7 -o null",
          "Twenty runs of the same quality." },
        { "intervale simulate --documents 1000 --prevalence 0.1 --least-relevant 50 "
          "--grades 3 -o graded",
          "Topics with at least fifty relevant documents, of grades 1 and 2." },
        { "intervale simulate --topics 1000 --runs 1 --documents 1000 --judged 300 "
          "-o bench", "A million lines to read, and 300,000 judgments." },
        { NULL, NULL } },
    .often = "topics documents runs grades prevalence least-relevant judged quality similarity "
             "output seed",
    .pages = "doc/methods/simulation.md",
    .opts = opts,
    .args_size = sizeof(ask),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_FORMAT | SHARED_QUIET,
    .run = run,
};
