/* SPDX-License-Identifier: Apache-2.0 */
/* simulate -- write a test collection whose truth is known. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frame/cmd.h"
#include "intervale/simulate.h"

typedef struct args {
    const char *directory;
    int64_t topics, documents, runs, depth, grades;
    double prevalence, prevalence_spread;
    int64_t least_relevant;
    opt_numbers quality;
    double similarity, difficulty, breadth, interaction, ties;
    int64_t judged;
    int judging;
    int64_t truth_topics, first_topic;
    const char *prefix;
} args;

static const char *const judging_words[] = { "pool", "uniform", NULL };

static const opt opts[] = {
    OPT_HEADING("Size"),
    OPT_INT(args, 0, "topics", "T", topics, 1, IV_SIMULATED_TOPICS_MAX, "topics"),
    OPT_INT(args, 0, "documents", "D", documents, 1, IV_SIMULATED_DOCUMENTS_MAX,
            "documents of each topic; all of them are judged, unless --judged is given"),
    OPT_INT(args, 0, "runs", "S", runs, 1, IV_SIMULATED_RUNS_MAX, "runs"),
    OPT_INT(args, 0, "depth", "N", depth, 1, IV_SIMULATED_DOCUMENTS_MAX,
            "documents that a run returns for a topic, all up to 1000 unless given"),
    OPT_HEADING("Judgments"),
    OPT_INT(args, 0, "grades", "G", grades, 2, IV_SIMULATED_GRADES_MAX,
            "levels of relevance, 0 included; each is half as common as the one below"),
    OPT_REAL_OPEN(args, 0, "prevalence", "P", prevalence, 0.0, 1.0,
                  "share of relevant documents, mean over topics"),
    OPT_REAL(args, 0, "prevalence-spread", "X", prevalence_spread, 0.0, 10.0,
             "standard deviation over topics of the logit of that share"),
    OPT_INT(args, 0, "least-relevant", "N", least_relevant, 1, IV_SIMULATED_DOCUMENTS_MAX,
            "relevant documents that a topic has at least"),
    OPT_INT(args, 0, "judged", "N", judged, 1, IV_SIMULATED_DOCUMENTS_MAX,
            "judge only N documents of each topic"),
    OPT_CHOICE(args, 0, "judging", "HOW", judging, judging_words,
               "which N: those that some run ranks highest, unless given, or any by lot"),
    OPT_HEADING("Runs"),
    OPT_NUMBERS(args, 0, "quality", "Q,...", quality, 1, OPT_NUMBERS_MAX, -10.0, 10.0,
                "how far relevant documents stand above others in a run's scores, in "
                "standard deviations: one number for all runs, two for even steps from "
                "the first run to the last, or one a run"),
    OPT_REAL(args, 0, "similarity", "R", similarity, 0.0, 1.0,
             "correlation of the errors that two runs make on a topic's documents"),
    OPT_REAL(args, 0, "difficulty", "X", difficulty, 0.0, 5.0,
             "standard deviation over topics of what is added to the quality"),
    OPT_REAL(args, 0, "breadth", "R", breadth, -1.0, 1.0,
             "correlation of a topic's difficulty with its share of relevant documents"),
    OPT_REAL(args, 0, "interaction", "X", interaction, 0.0, 5.0,
             "standard deviation over runs and topics of what is added to both"),
    OPT_REAL(args, 0, "ties", "STEP", ties, 0.0, 100.0,
             "round scores to multiples of STEP, so that some are equal; 0: none are"),
    OPT_HEADING("Output"),
    { .kind = OPT_STR_, .letter = 'o', .name = "output", .value = "DIR",
      .offset = OPT_AT_(args, const char *, directory),
      .help = "the directory to make, which appears only when it is complete",
      .unrecorded = true },
    OPT_INT(args, 0, "truth-topics", "N", truth_topics, 0, IV_SIMULATED_TOPICS_MAX,
            "estimate the expected average precision of each run from N other topics"),
    OPT_INT(args, 0, "first-topic", "N", first_topic, 0, IV_SIMULATED_TOPICS_MAX,
            "number of the first topic"),
    OPT_STR(args, 0, "prefix", "TEXT", prefix, "what the names of runs begin with"),
    OPT_END
};

static void describe(cmd_context *c, const iv_simulation *s, const char *prefix,
                     const iv_simulation_truth *truth)
{
    static const iv_column columns[] = {
        { "run", IV_TEXT, 0 },          { "quality", IV_REAL, 3 },
        { "map", IV_REAL, 4 },          { "expected_map", IV_REAL, 4 },
        { "expected_map_se", IV_REAL, 4 },
    };
    const bool asked = !isnan(truth[0].expected);
    const size_t count = sizeof columns / sizeof *columns - (asked ? 0 : 2);
    iv_table *t = iv_result_table(c->result, "runs", columns, count);
    char name[IV_SIMULATED_RUN_SIZE];

    for (uint32_t r = 0; r < iv_simulation_options_of(s)->runs; r++) {
        iv_put_text(t, iv_str_of(iv_simulated_run_name(name, s, prefix, r)));
        iv_put_real(t, truth[r].quality);
        iv_put_real(t, truth[r].map);
        if (asked) {
            iv_put_real(t, truth[r].expected);
            iv_put_real(t, truth[r].expected_se);
        }
    }
    iv_result_chart(c->result, &(iv_chart){
        .kind = IV_CHART_POINTS, .table = "runs", .title = "The truth of the runs",
        .caption = "A point is a run: the quality it was made with, and the mean average "
                   "precision it got on these topics. Runs of equal quality differ by chance.",
        .label = "run", .x = "quality", .value = "map",
        .value_axis = { .title = "mean average precision" } });
}

static int simulate(cmd_context *c, const iv_simulation *s, iv_err *err)
{
    const args *a = c->args;
    const iv_simulation_options *o = iv_simulation_options_of(s);
    const iv_simulation_files files = {
        .topics = (uint32_t)a->topics, .first_topic = (uint32_t)a->first_topic,
        .prefix = a->prefix, .judged = a->judged > 0 ? (uint32_t)a->judged : 0,
        .judging = a->judging < 0 ? IV_JUDGE_POOL : (iv_judging)a->judging, .truth_topics = (uint32_t)a->truth_topics,
        .threads = (int)c->shared->threads, .progress = c->progress,
    };
    iv_simulation_truth *truth = malloc(o->runs * sizeof *truth);
    iv_simulation_summary sum;

    if (truth == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    const int rc = iv_simulation_write(truth, &sum, s, a->directory, &files, err);
    if (rc == IV_OK) {
        iv_result_answer(c->result, "%lld topics with %u to %u relevant documents, mean "
                         "%.1f; %llu judgments; %u run%s with %llu documents in all.",
                         (long long)a->topics, sum.least_relevant, sum.most_relevant,
                         sum.mean_relevant, (unsigned long long)sum.judgments, o->runs,
                         o->runs == 1 ? "" : "s", (unsigned long long)sum.run_lines);
        describe(c, s, a->prefix, truth);
    }
    free(truth);
    return rc;
}

static int run(cmd_context *c, iv_err *err)
{
    const args *a = c->args;
    const iv_simulation_options o = {
        .seed = c->shared->seed, .documents = (uint32_t)a->documents,
        .runs = (uint32_t)a->runs, .depth = a->depth > 0 ? (uint32_t)a->depth : 0,
        .grades = (uint32_t)a->grades, .prevalence = a->prevalence,
        .prevalence_spread = a->prevalence_spread,
        .least_relevant = (uint32_t)a->least_relevant, .quality = a->quality.at,
        .quality_count = a->quality.count, .similarity = a->similarity,
        .difficulty = a->difficulty, .breadth = a->breadth,
        .interaction = a->interaction, .ties = a->ties,
    };
    iv_simulation *s = NULL;

    if (a->directory == NULL || strcmp(a->directory, "") == 0
        || strcmp(a->directory, "-") == 0)
        return cmd_usage(err, "-o DIR is missing: the directory to make");
    if (a->judging >= 0 && a->judged <= 0)
        return cmd_usage(err, "--judging says which of the documents --judged N are; without "
                         "--judged all are judged");
    int rc = iv_simulation_new(&s, &o, err);
    if (rc == IV_OK)
        rc = simulate(c, s, err);
    iv_simulation_free(s);
    return rc == IV_EARG ? CMD_USAGE : rc;
}

const cmd cmd_simulate = {
    .name = "simulate",
    .group = "Data",
    .summary = "make a test collection whose truth is known",
    .operands = "",
    .description =
        "Writes a made-up test collection: DIR/qrels with the judgments, DIR/runs with one "
        "run a file in TREC's six columns, DIR/truth.tsv with the true quality of each "
        "run, and DIR/README, which says how it was made. The unchanged defaults resemble "
        "an ad hoc track of TREC: few relevant documents, topics that differ more than "
        "runs do, average precision that is skewed over topics.\n\n"
        "A relevant document's score is the quality of the run, plus the difficulty of the "
        "topic, plus an interaction of the two, plus noise that is partly common to all "
        "runs; any other document's is noise alone. Runs of equal quality are equal in "
        "truth, whatever their scores on these topics: a null for tests.\n\n"
        "The same options and seed give the same bytes, on any machine and any number of "
        "threads. Without --judged, the same command gives the complete judgments of a "
        "collection made with it.",
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
    .opts = opts,
    .defaults = &(const args){
        .topics = 50, .documents = 4000, .runs = 10, .depth = -1, .grades = 2,
        .prevalence = 0.015, .prevalence_spread = 0.9, .least_relevant = 1,
        .quality = { 2, { 2.1, 1.3 } }, .similarity = 0.7, .difficulty = 0.8,
        .breadth = 0.6, .interaction = 0.33, .judged = -1, .judging = -1, .first_topic = 301,
        .prefix = "sim" },
    .args_size = sizeof(args),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_FORMAT | SHARED_QUIET,
    .run = run,
};
