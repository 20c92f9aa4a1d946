/* SPDX-License-Identifier: Apache-2.0 */
/* compare -- is A better than B, and were too many pairs tested? */
#include <string.h>
#include <strings.h>

#include "command/compare_incomplete.h"
#include "frame/cmd.h"
#include "intervale/answer.h"

typedef struct args {
    iv_compare_question q;
    bool incomplete, union_only;
    const char *relevance;
    int moments;
} args;

static const char *const *compat_words(void)
{
    static const char *const words[] = { "9", "10", NULL };

    return words;
}

static const opt opts[] = {
    OPT_HEADING("Scores"),
    OPT_STR(args, 0, "matrix", "FILE", q.matrix,
            "compare the scores in this CSV file instead of judgments and runs"),
    OPT_ENUM(args, 0, "by", "WHAT", q.by, iv_matrix_rows, iv_matrix_rows_names,
             "what a row of the matrix stands for"),
    OPT_LIST(args, 'm', "measure", "NAME", q.scoring.measures,
             "a measure, by trec_eval's name or ir_measures' (default: AP); with --matrix, what "
             "to call its scores"),
    OPT_FLAG(args, 'c', "complete", q.scoring.complete,
             "judged topics that a run misses count, with nothing retrieved; missing scores of "
             "a matrix are 0"),
    OPT_INT(args, 'l', "level", "GRADE", q.scoring.measure.level, 0, IV_GRADE_MAX,
            "the lowest grade that counts as relevant", .zero = true, .usual = "1"),
    OPT_INT(args, 'M', "depth", "N", q.scoring.measure.depth, 1, INT64_MAX,
            "look at the first N documents of each topic only"),
    OPT_FLAG(args, 'J', "judged-only", q.scoring.measure.judged_only,
             "take unjudged documents out of the rankings first"),
    OPT_ENUM(args, 0, "compat", "VERSION", q.scoring.measure.dialect, iv_dialect, compat_words,
             "follow trec_eval 9 or 10 where they differ"),
    OPT_ENUM(args, 0, "judgments-format", "F", q.source.judgments_format, iv_judgments_format,
             iv_judgments_format_names, "format of JUDGMENTS; any is told by content"),
    OPT_ENUM(args, 0, "run-format", "F", q.source.run_format, iv_run_format,
             iv_run_format_names, "format of the runs; any is told by content"),
    OPT_HEADING("Tests"),
    OPT_STR(args, 0, "baseline", "RUN", q.baseline,
            "compare each run with this one, not all pairs: by its tag, its path or the name "
            "of its file, which must be among the RUNs too"),
    OPT_LIST(args, 0, "test", "TEST", q.tests,
             "a test of the difference; randomisation unless given",
             .names = iv_pair_test_names),
    OPT_ENUM(args, 0, "alternative", "SIDE", q.how.alternative, iv_alternative,
             iv_alternative_names,
             "what the tests are to find: a and b differ, a is larger, a is smaller; "
             "intervals stay two-sided"),
    OPT_ENUM(args, 0, "correct", "METHOD", q.how.correction, iv_correction,
             iv_correction_names,
             "how p-values allow for many pairs (auto: tukey; holm for one-sided tests of all "
             "pairs)"),
    OPT_ENUM(args, 0, "ties", "WHAT", q.how.ties, iv_sign_ties, iv_sign_ties_names,
             "what the sign test does with topics on which neither wins"),
    OPT_ENUM(args, 0, "zeros", "WHAT", q.how.zeros, iv_zeros, iv_zeros_names,
             "what the signed-rank test does with them: drop before or after ranking"),
    OPT_INT(args, 0, "permutations", "N", q.how.permutations, 1, 1000000000,
            "random sign flips (all are used up to 20 topics) and permutations",
            .usual = "100000"),
    OPT_HEADING("Differences"),
    OPT_ENUM(args, 0, "ci", "METHOD", q.how.interval, iv_interval_method, iv_interval_names,
             "interval of a difference, over resampled topics unless it is Student's t, as it "
             "is with auto; there is no logit of a difference"),
    OPT_INT(args, 0, "resamples", "N", q.how.resamples, 1, 10000000,
            "bootstrap resamples for intervals, ranks and the bootstrap test",
            .usual = "10000"),
    OPT_REAL(args, 0, "margin", "D", q.how.margin, 0.0, 1e300,
             "the least difference that matters: adds the probability of more, and tests of "
             "non-inferiority and equivalence", .zero = true),
    OPT_STR(args, 0, "groups", "FILE", q.groups,
            "columns topic and group: compare within groups of topics too, and test whether "
            "differences depend on the group"),
    OPT_HEADING("Sampled judgments"),
    OPT_ENUM(args, 0, "estimator", "E", q.scoring.estimator, iv_estimator, iv_estimator_names,
             "of average precision, as in eval: corrected, unless given"),
    OPT_ENUM(args, 0, "unjudged", "WHAT", q.scoring.unjudged, iv_unjudged, iv_unjudged_names,
             "a document of the sample that nobody judged: refuse the file, unless given; "
             "count it as nonrelevant; drop it and lower the probabilities of its bucket"),
    OPT_HEADING("Incomplete judgments"),
    OPT_FLAG(args, 0, "incomplete", incomplete,
             "unjudged documents may be relevant: how sure is the sign of the difference in "
             "average precision? Only -l, -M, --baseline, --alternative and these apply then"),
    OPT_STR(args, 0, "relevance", "P", relevance,
            "probability that an unjudged document is relevant, or rank: estimated from the "
            "judged ones, by rank"),
    OPT_CHOICE(args, 0, "moments", "FORM", moments, inquiry_moments_words,
               "how mean and variance of a difference are found"),
    OPT_FLAG(args, 0, "union-only", union_only,
             "documents judged relevant that neither run returns do not count"),
    OPT_END
};

/* The first option given that --incomplete has no use for; NULL: none. */
static const char *of_no_use(const args *a)
{
    const iv_compare_question *q = &a->q;

    return q->matrix != NULL ? "--matrix" : q->scoring.complete ? "-c"
        : q->scoring.measure.judged_only ? "-J" : q->tests.count > 0 ? "--test"
        : q->how.correction != IV_CORRECT_AUTO ? "--correct"
        : q->how.margin != 0.0 ? "--margin" : q->groups != NULL ? "--groups"
        : q->scoring.estimator != IV_ESTIMATOR_AUTO ? "--estimator"
        : q->scoring.unjudged != IV_UNJUDGED_REFUSE ? "--unjudged" : NULL;
}

static int run_incomplete(cmd_context *c, iv_err *err)
{
    const args *a = c->args;
    const iv_compare_question *q = &a->q;
    const int32_t level = q->scoring.measure.level;
    const incomplete_source source = {
        .input = { .judgments = c->operand_count > 0 ? c->operands[0] : NULL,
                   .runs = c->operands + 1,
                   .count = c->operand_count > 0 ? c->operand_count - 1 : 0,
                   .judgments_format = (int)q->source.judgments_format,
                   .run_format = (int)q->source.run_format, .relevance = a->relevance,
                   .pool = { .depth = q->scoring.measure.depth,
                             .level = level == 0 ? 1 : level == IV_ZERO ? 0 : level,
                             .judged_topics = true } },
        .baseline = q->baseline, .form = (iv_moments_form)a->moments,
        .union_only = a->union_only, .alternative = q->how.alternative };
    const char *bad = of_no_use(a);

    if (bad != NULL)
        return cmd_usage(err, "%s has no meaning with --incomplete", bad);
    for (size_t i = 0; i < q->scoring.measures.count; i++) {
        if (strcasecmp(q->scoring.measures.at[i], "map") != 0
            && strcasecmp(q->scoring.measures.at[i], "AP") != 0)
            return cmd_usage(err, "--incomplete knows average precision only, not '%.80s'",
                             q->scoring.measures.at[i]);
    }
    return compare_incomplete(c, &source, err);
}

/* What does not go together. */
static int check_usage(const cmd_context *c, const iv_compare_question *q, iv_err *err)
{
    const bool sampled = q->scoring.estimator != IV_ESTIMATOR_AUTO
        || q->scoring.unjudged != IV_UNJUDGED_REFUSE;

    if (q->matrix != NULL && c->operand_count > 0)
        return cmd_usage(err, "--matrix takes no operands, but there is '%.80s'",
                         c->operands[0]);
    if (q->matrix != NULL && sampled)
        return cmd_usage(err, "--estimator and --unjudged are for sampled judgments, not for "
                         "--matrix");
    if (q->matrix == NULL && c->operand_count < 3)
        return cmd_usage(err, c->operand_count < 1 ? "judgments and runs are missing, or "
                         "--matrix FILE" : c->operand_count == 1
                         ? "the runs are missing: give two or more"
                         : "one run only: there is nothing to compare it with");
    return IV_OK;
}

static int run(cmd_context *c, iv_err *err)
{
    args *a = c->args;

    if (a->incomplete)
        return run_incomplete(c, err);
    int rc = check_usage(c, &a->q, err);
    if (rc != IV_OK)
        return rc;
    if (a->q.matrix == NULL) {
        a->q.source.judgments = c->operands[0];
        a->q.source.runs = (iv_texts){ (const char *const *)c->operands + 1,
                                       c->operand_count - 1 };
    }
    rc = iv_answer_compare(c->result, &a->q, &c->work, err);
    return rc == IV_EARG ? CMD_USAGE : rc; /* what cannot be had was asked wrongly */
}

const cmd cmd_compare = {
    .name = "compare",
    .group = "Evaluation",
    .summary = "tell which runs differ, and how sure that is",
    .operands = "JUDGMENTS RUN RUN...",
    .least = 0,
    .most = CMD_MANY,
    .description =
        "Compares runs topic by topic, all pairs of them or each with a --baseline. For "
        "each pair: the difference of means a - b with its interval, on how many topics a "
        "wins, ties and loses, tests, and p-values adjusted for the number of pairs. For "
        "each run (table runs): its mean, the ranks it may have, the probability that it is "
        "the best, and letters: runs that share one cannot be told apart.\n\n"
        "The sign test, Wilcoxon's to 50 topics and the randomisation test to 20 are exact; "
        "p-values of simulated tests are never 0. Tukey's correction permutes the scores of "
        "all runs within each topic; with --baseline it looks at the largest difference to "
        "the baseline, as Dunnett's test does. Ranks count significant differences, so "
        "that with the confidence asked for they hold for all runs at once.\n\n"
        "A pair is compared on the topics that both runs have, and missing ones are named. "
        "Columns: effect is the mean difference over its standard deviation; superiority "
        "the share of topics that a wins, ties half counted; boot_lower and boot_upper the "
        "range of the rank in resamples, which is too narrow where runs are alike.\n\n"
        "A third table, paper, which text does not show unasked, has runs and measures with marks.\n\n"
        "Sampled judgments (a completed file of 'intervale sample', prels, strata) are told by "
        "their format: scores are estimates, and table sampling has the standard error of each "
        "difference and its parts, se_judgments and se_topics. The two runs are estimated from "
        "one sample, so their errors are linearised together and largely cancel.\n\n"
        "With --incomplete, unjudged documents are relevant with probability --relevance, and "
        "the difference in mean average precision is a random number: expected and sd are its "
        "mean and standard deviation, p_less the probability that it is below 0. "
        "effect_adjusted is what is left of the sign test's effect (share of topics won less "
        "share lost) by that uncertainty, topics_adjusted the number of topics that would "
        "restore its power. Table signs has the sign test itself. intervale next says what to "
        "judge to know more.",
    .examples = (const cmd_example[]){
        { "intervale compare qrels runA runB", "Is one better in mean average precision?" },
        { "intervale compare -m P_10 -m ndcg --baseline bm25 --format latex qrels runs/*",
          "A table for a paper: each run against a baseline." },
        { "intervale compare --matrix scores.csv --test wilcoxon --test t",
          "All pairs of the systems of a score matrix, by two tests." },
        { "intervale compare --incomplete --relevance rank qrels runA runB",
          "How sure is the difference, with the judgments there are?" },
        { "intervale compare --margin 0.01 --groups kinds.tsv qrels runA runB",
          "Is the difference large enough, and the same for all kinds of topics?" },
        { NULL, NULL } },
    .opts = opts,
    .defaults = &(const args){ .relevance = "0.5", .moments = IV_MOMENTS_DELTA },
    .args_size = sizeof(args),
    .confidence = CMD_CONFIDENCE(args, q.how.confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "pairs", "runs", "paper", "groups", "interaction", "sampling",
                                     "signs", "topics", "all_pairs", "members", NULL },
    .run = run,
};
