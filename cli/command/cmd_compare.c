/* SPDX-License-Identifier: Apache-2.0 */
/* compare -- is A better than B, and were too many pairs tested? */
#include <sys/stat.h>

#include "frame/score_operands.h"

typedef iv_compare_question question;

static const opt opts[] = {
    OPT_HEADING("Measures"),
    OPT_LIST(question, 'm', "measure", "NAME", scoring.measures,
             "measure to compare (see 'intervale measures'). Default: AP. Of a table of "
             "scores: a column, or pass@K, A/B, p95:COLUMN"),
    OPT_FLAG(question, 'c', "complete", scoring.complete,
             "count missing topics as 0. By default a topic that a run misses is excluded"),
    OPT_LEVEL(question, scoring.measure.level),
    OPT_DEPTH(question, scoring.measure.depth),
    OPT_FLAG(question, 'J', "judged-only", scoring.measure.judged_only,
             "remove unjudged documents from the rankings first"),
    OPT_ENUM(question, 0, "compat", "VERSION", scoring.measure.dialect, iv_dialect,
             iv_dialect_names,
             "follow trec_eval 9 or 10 where they differ"),
    OPT_FORMATS(question, source, "JUDGMENTS"),
    OPT_BOUNDED(question, source),
    OPT_HEADING("Files of scores"),
    OPT_SCORES(question, scores),
    OPT_LOWER(question, scores),
    OPT_HEADING("Tests"),
    OPT_LIST(question, 0, "baseline", "RUN", baselines,
             "run to compare the others with, instead of all pairs. Give its tag, path or file "
             "name; it must be among the runs. Several baselines: p-values are corrected for all "
             "pairs"),
    OPT_LIST(question, 0, "test", "TEST", tests,
             "test of the difference. Default: larger-p, of the t test and Hall's t test; "
             "mcnemar for scores of 0 and 1; betting with --guaranteed",
             .names = iv_pair_test_names),
    OPT_ENUM(question, 0, "alternative", "SIDE", how.alternative, iv_alternative,
             iv_alternative_names,
             "side of the test; a one-sided test has one-sided intervals"),
    OPT_ENUM(question, 0, "correct", "METHOD", how.correction, iv_correction,
             iv_correction_names,
             "correction for many pairs; auto is holm",
             .was = (const char *const[]){ "shaffer", "holm", NULL }),
    OPT_ENUM(question, 0, "ties", "WHAT", how.ties, iv_sign_ties, iv_sign_ties_names,
             "what the sign test does with tied topics"),
    OPT_ENUM(question, 0, "zeros", "WHAT", how.zeros, iv_zeros, iv_zeros_names,
             "what the signed-rank test does with tied topics. drop: removed before ranking; "
             "rank: ranked, then removed"),
    OPT_INT(question, 0, "permutations", "N", how.permutations, 1, 1000000000,
            "number of random permutations, for --correct tukey",
            .usual = "100000"),
    OPT_HEADING("Differences"),
    OPT_ENUM(question, 0, "ci", "METHOD", how.interval, iv_interval_method, iv_interval_names,
             "interval of a difference; auto is that of the test",
             .words = (const char *const[]){ "auto", "none", "percentile", "bca", "t", NULL },
             CI_WORDS_WERE),
    OPT_INT(question, 0, "resamples", "N", how.resamples, 1, 10000000,
            "number of bootstrap resamples",
            .usual = "10000"),
    OPT_REAL(question, 0, "margin", "D", how.margin, 0.0, 1e300,
             "smallest difference of interest. Adds tests of non-inferiority and equivalence",
             .zero = true),
    OPT_FLAG(question, 0, "guaranteed", guaranteed,
             "decide about the margin by a method that is valid for all scores in their range: "
             "exact for 0/1, otherwise by betting"),
    OPT_NUMBERS(question, 0, "range", "LOW,HIGH", range, 2, 2, -1e300, 1e300,
             "lowest and highest possible score of a table, for --guaranteed and equal "
             "differences"),
    OPT_FLAG(question, 0, "gate-sets", gate_sets,
             "make --gate fail if any set is significantly worse, by Holm's correction"),
    OPT_STR(question, 0, "groups", "FILE", groups,
            "compare within groups of topics, too. A table with the columns topic and group"),
    OPT_ENUM(question, 0, "interval-style", "STYLE", paper, iv_paper_interval,
             iv_paper_interval_names,
             "style of intervals in table 'paper': in brackets, as +- half the width, or none",
             .was = (const char *const[]){ "below", "brackets", NULL }),
    OPT_ENUM(question, 0, "paper-order", "ORDER", paper_order, iv_paper_order,
             iv_paper_order_names,
             "rows of table 'paper': as given, or the best by the first measure first"),
    OPT_STR(question, 0, "caption", "TEXT", caption,
            "first words of the caption of table 'paper'"),
    OPT_STR(question, 0, "label", "LABEL", label,
            "label of table 'paper' in LaTeX. Default: tab:paper"),
    OPT_HEADING("Automatic labels"),
    OPT_MACHINE(question, machine),
    OPT_HEADING("Sampled judgments"),
    OPT_ENUM(question, 0, "estimator", "E", scoring.estimator, iv_estimator, iv_estimator_names,
             "estimator for sampled judgments, as in 'intervale eval'"),
    OPT_STR(question, 0, "also", "QRELS", scoring.also,
            "use the judgments in QRELS, too. See 'intervale eval'. Never add documents that "
            "were chosen because of earlier judgments"),
    OPT_ENUM(question, 0, "unjudged", "WHAT", scoring.unjudged, iv_unjudged, iv_unjudged_names,
             "what to do with sampled documents without a judgment, as in 'intervale eval'"),
    OPT_END
};

/* A table with commas, or JSON: no judgments.  Of a pipe nothing may be read. */
static bool looks_like_scores(const char *path)
{
    char line[512];
    struct stat is;
    FILE *f = stat(path, &is) == 0 && S_ISREG(is.st_mode) ? fopen(path, "r") : NULL;
    const bool any = f != NULL && fgets(line, sizeof line, f) != NULL;

    if (f != NULL)
        (void)fclose(f);
    return any && (line[0] == '{' || line[0] == '['
                   || (strchr(line, ',') != NULL && strpbrk(line, " \t") == NULL));
}

/* What does not go together. */
static int check_usage(const cmd_context *c, const question *q, iv_err *err)
{
    const bool runs = !q->scores.given && q->source.parts.count == 0;

    if (runs && c->operand_count > 0 && looks_like_scores(c->operands[0]))
        return cmd_usage(err, "'%.80s' looks like a table of scores, not like judgments: use "
                         "--scores",
                         c->operands[0]);
    if (runs && c->operand_count < 3)
        return cmd_usage(err, c->operand_count < 1 ? "judgments and runs are missing, or "
                         "--scores FILE" : c->operand_count == 1
                         ? "the runs are missing: give two or more"
                         : "compare needs at least two runs");
    return IV_OK;
}

static int run(cmd_context *c, iv_err *err)
{
    question *q = c->args;
    int rc = cmd_take_scores(&q->scores, &q->source, c, err);

    if (rc == IV_OK)
        rc = check_usage(c, q, err);
    if (rc != IV_OK)
        return rc;
    q->not_worse = c->shared->gate;
    q->gate_on_worse = c->shared->gate_on == GATE_ON_WORSE;
    if (q->not_worse && (q->how.margin == 0.0 || q->baselines.count != 1))
        return cmd_usage(err, q->how.margin == 0.0 ? "--gate needs --margin D, the loss that is "
                         "allowed" : "--gate needs one --baseline");
    if (!q->scores.given && q->source.parts.count == 0)
        cmd_take_runs(&q->source, c);
    return iv_answer_compare(c->result, q, &c->work, err);
}

const cmd cmd_compare = {
    .name = "compare",
    .group = "Evaluation",
    .summary = "which systems differ, by how much, and how sure is that?",
    .operands = "JUDGMENTS RUN RUN... | --scores FILE...",
    .most = CMD_MANY,
    .description =
        "Reports which systems differ, by how much, and how sure that is. P-values and intervals "
        "are corrected for the number of pairs.\n\n"
        "Runs are compared on the topics that all of them have (but see -c). p "
        "is the larger p-value of the paired t test and Hall's t test, which corrects for "
        "skewness. Scores of 0 and 1 have McNemar's test and Tango's interval. For several "
        "pairs, p-values are corrected by Holm's method and intervals by Bonferroni's.\n\n"
        "Table 'runs' has means, the ranks that are possible given the significant differences, "
        "and the runs that do not differ significantly. Table 'paper' has runs and measures with "
        "significance marks. Table 'topics' has each topic's difference.\n\n"
        "For sampled judgments, scores are estimates; table 'sampling' has the standard error of "
        "each difference.\n\n"
        "Scores (--scores) may have clusters, sets (data sets, tasks) and repeats. Standard errors "
        "are computed by cluster and include the variance between repeats; table 'sets' has a "
        "row for each set.\n\n"
        "Scores by a judge (--scores with --columns human=NAME or --human-labels) are corrected by "
        "human labels of some, also for a gate; --human-design says how these were chosen.\n\n"
        "With --machine and --human-design, automatic labels are corrected by human labels of a "
        "sample, as in 'intervale eval'.\n\n"
        "With --gate, --baseline and --margin D the verdict is PASS (exit 0) when it is "
        "demonstrated that no run is worse than the baseline by more than D, FAIL (3) when one "
        "is significantly worse by more than D, and INCONCLUSIVE (4) otherwise. With "
        "--gate-sets, a set in which a run is significantly worse makes the verdict FAIL, too. See "
        "doc/gate.md about --gate.",
    .examples = (const cmd_example[]){
        { "intervale compare qrels runA runB", "Is one better in mean average precision?" },
        { "intervale compare -m P_10 -m ndcg --baseline bm25 --format latex qrels runs/*",
          "A table for a paper: each run against a baseline." },
        { "intervale compare --scores scores.csv --test wilcoxon --test t",
          "All pairs of the systems of a table of scores, by two tests." },
        { "intervale compare --scores --columns cluster=document answers.jsonl",
          "Models that answered the same questions, several about each document." },
        { "intervale compare --margin 0.01 --groups kinds.tsv qrels runA runB",
          "Is the difference large enough, and the same for all kinds of topics?" },
        { "intervale compare --gate --baseline bm25 --margin 0.05 qrels runs/bm25 runs/sim06",
          "In a build: fails unless the candidate is not worse by more than 0.05 AP." },
        { "intervale compare --scores answers.csv --columns score=judge,human=human "
          "--human-design random --gate --baseline old --margin 0.05",
          "An LLM judge scored all answers, people labelled a random sample." },
        { "intervale compare --machine llm.qrels --human-design random sample.qrels runA runB",
          "LLM labels of all documents, human labels of a random sample." },
        { NULL, NULL } },
    .often = "measure baseline margin gate complete scores test correct groups",
    .pages = "doc/howto/paper.md, doc/gate.md, doc/methods/comparing.md",
    .opts = opts,
    CMD_ASKS(question, how.confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT | SHARED_GATE,
    .about = (const char *const[]){
        "gate", "exit 3 if a run is worse by --margin, 4 if unclear. Worse than --baseline; "
        "else exit 0", NULL },
    .run = run,
};
