/* SPDX-License-Identifier: Apache-2.0 */
/* compare -- is A better than B, and were too many pairs tested? */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "frame/cmd.h"
#include "intervale/answer.h"
#include "command/compare_charts.h"
#include "command/compare_groups.h"
#include "command/compare_input.h"
#include "command/compare_sampled.h"
#include "command/compare_tables.h"
#include "command/compare_words.h"

typedef struct args {
    const char *matrix, *baseline, *groups;
    int by, judgments_format, run_format, compat, estimator, unjudged;
    opt_list measures, tests;
    bool complete, judged_only;
    int64_t level, depth;
    int ties, zeros, alternative, correction, interval;
    int64_t resamples, permutations;
    double margin;
    bool incomplete, union_only;
    const char *relevance;
    int moments;
} args;

static const char *const by_words[] = { "systems", "topics", NULL };
static const char *const format_words[] = { "any", "qrels", "prels", "stratified", "beir",
                                            NULL };
static const char *const run_words[] = { "any", "trec", "msmarco", NULL };
static const char *const compat_words[] = { "9", "10", NULL };
static const char *const estimator_words[] = { "corrected", "pairwise", "literal", NULL };
static const char *const unjudged_words[] = { "refuse", "nonrelevant", "drop", NULL };
static const char *const moments_words[] = { "delta", "plain", "exact", NULL };
static const char *const tie_words[] = { "discard", "split", NULL };
static const char *const zero_words[] = { "drop", "rank", NULL };
static const char *const side_words[] = { "two-sided", "greater", "less", NULL };
static const char *const correction_words[] = { "none", "bonferroni", "holm", "bh", "tukey",
                                                NULL };
static const char *const test_words[] = { "sign", "wilcoxon", "t", "randomisation", "bootstrap",
                                          NULL };
static const char *const interval_words[] = { "none", "t", "percentile", "bca", NULL };
static const iv_interval_method interval_methods[] = { IV_INTERVAL_NONE, IV_INTERVAL_T,
                                                       IV_INTERVAL_PERCENTILE,
                                                       IV_INTERVAL_BCA };

static const opt opts[] = {
    OPT_HEADING("Scores"),
    OPT_STR(args, 0, "matrix", "FILE", matrix,
            "compare the scores in this CSV file instead of judgments and runs"),
    OPT_CHOICE(args, 0, "by", "WHAT", by, by_words, "what a row of the matrix stands for"),
    OPT_LIST(args, 'm', "measure", "NAME", measures,
             "a measure, by trec_eval's name or ir_measures' (default: AP); with --matrix, what "
             "to call its scores"),
    OPT_FLAG(args, 'c', "complete", complete,
             "judged topics that a run misses count, with nothing retrieved; missing scores of "
             "a matrix are 0"),
    OPT_INT(args, 'l', "level", "GRADE", level, 0, IV_GRADE_MAX,
            "the lowest grade that counts as relevant"),
    OPT_INT(args, 'M', "depth", "N", depth, 1, INT64_MAX,
            "look at the first N documents of each topic only"),
    OPT_FLAG(args, 'J', "judged-only", judged_only,
             "take unjudged documents out of the rankings first"),
    OPT_CHOICE(args, 0, "compat", "VERSION", compat, compat_words,
               "follow trec_eval 9 or 10 where they differ"),
    OPT_CHOICE(args, 0, "judgments-format", "F", judgments_format, format_words,
               "format of JUDGMENTS; any is told by content"),
    OPT_CHOICE(args, 0, "run-format", "F", run_format, run_words,
               "format of the runs; any is told by content"),
    OPT_HEADING("Tests"),
    OPT_STR(args, 0, "baseline", "RUN", baseline,
            "compare each run with this one, not all pairs: by its tag, its path or the name "
            "of its file, which must be among the RUNs too"),
    OPT_WORDS(args, 0, "test", "TEST", tests, test_words,
              "a test of the difference; randomisation unless given"),
    OPT_CHOICE(args, 0, "alternative", "SIDE", alternative, side_words,
               "what the tests are to find: a and b differ, a is larger, a is smaller; "
               "intervals stay two-sided"),
    OPT_CHOICE(args, 0, "correct", "METHOD", correction, correction_words,
               "how p-values allow for many pairs (default: tukey; holm for one-sided tests "
               "of all pairs)"),
    OPT_CHOICE(args, 0, "ties", "WHAT", ties, tie_words,
               "what the sign test does with topics on which neither wins"),
    OPT_CHOICE(args, 0, "zeros", "WHAT", zeros, zero_words,
               "what the signed-rank test does with them: drop before or after ranking"),
    OPT_INT(args, 0, "permutations", "N", permutations, 1, 1000000000,
            "random sign flips (all are used up to 20 topics) and permutations"),
    OPT_HEADING("Differences"),
    OPT_CHOICE(args, 0, "ci", "METHOD", interval, interval_words,
               "interval of a difference, over resampled topics unless it is Student's t"),
    OPT_INT(args, 0, "resamples", "N", resamples, 1, 10000000,
            "bootstrap resamples for intervals, ranks and the bootstrap test"),
    OPT_REAL(args, 0, "margin", "D", margin, 0.0, 1e300,
             "the least difference that matters: adds the probability of more, and tests of "
             "non-inferiority and equivalence"),
    OPT_STR(args, 0, "groups", "FILE", groups,
            "columns topic and group: compare within groups of topics too, and test whether "
            "differences depend on the group"),
    OPT_HEADING("Sampled judgments"),
    OPT_CHOICE(args, 0, "estimator", "E", estimator, estimator_words,
               "of average precision, as in eval: corrected, unless given"),
    OPT_CHOICE(args, 0, "unjudged", "WHAT", unjudged, unjudged_words,
               "a document of the sample that nobody judged: refuse the file, unless given; "
               "count it as nonrelevant; drop it and lower the probabilities of its bucket"),
    OPT_HEADING("Incomplete judgments"),
    OPT_FLAG(args, 0, "incomplete", incomplete,
             "unjudged documents may be relevant: how sure is the sign of the difference in "
             "average precision? Only -l, -M, --baseline, --alternative and these apply then"),
    OPT_STR(args, 0, "relevance", "P", relevance,
            "probability that an unjudged document is relevant, or rank: estimated from the "
            "judged ones, by rank"),
    OPT_CHOICE(args, 0, "moments", "FORM", moments, moments_words,
               "how mean and variance of a difference are found"),
    OPT_FLAG(args, 0, "union-only", union_only,
             "documents judged relevant that neither run returns do not count"),
    OPT_END
};

/* ---------------------------------------------------------------- options -- */

/* The tests asked for, each once; the names are the option's words. */
static void read_tests(iv_compare_options *o, const opt_list *names)
{
    const char *const *known = iv_pair_test_names();

    for (size_t i = 0; i < names->count; i++) {
        size_t which = 0;
        bool again = false;
        while (known[which] != NULL && strcmp(known[which], names->at[i]) != 0)
            which++;
        if (known[which] == NULL)
            continue;
        if (i == 0)
            o->test_count = 0;
        for (size_t k = 0; k < o->test_count; k++)
            again = again || o->tests[k] == (iv_pair_test)which;
        if (!again)
            o->tests[o->test_count++] = (iv_pair_test)which;
    }
}

/* The correction asked for, or the one that fits what is compared. */
static int choose_correction(iv_compare_options *o, const args *a, const compare_input *in,
                             cmd_context *c, iv_err *err)
{
    const bool all = o->baseline == IV_NO_BASELINE;
    const size_t pairs = all ? iv_pair_count(in->run_count) : in->run_count - 1;
    const bool turned = all && o->alternative != IV_TWO_SIDED;
    const bool asked = a->correction >= 0;

    if (asked && a->correction == IV_CORRECT_TUKEY && turned && pairs > 1)
        return cmd_usage(err, "Tukey's test of all pairs is two-sided: the largest difference "
                         "has no sign; use --correct holm, or a --baseline");
    o->correction = asked ? (iv_correction)a->correction : turned ? IV_CORRECT_HOLM
        : IV_CORRECT_TUKEY;
    if (pairs == 1)
        o->correction = IV_CORRECT_NONE;
    const iv_correction possible = compare_possible_correction(
        in->values, in->run_count, in->topic_count, o->correction);
    if (possible != o->correction && asked)
        return iv_fail(err, IV_ENODATA, "the runs together share fewer than two topics: "
                       "Tukey's correction is impossible; -c or --correct holm is not");
    if (possible != o->correction)
        iv_result_note(c->result, "the runs together share fewer than two topics: p-values are "
                       "adjusted by Holm's method, and there is no bootstrap of ranks");
    o->correction = possible;
    return IV_OK;
}

static int read_options(iv_compare_options *o, cmd_context *c, const compare_input *in,
                        iv_err *err)
{
    const args *a = c->args;
    int rc = IV_OK;

    *o = iv_compare_defaults();
    o->ties = (iv_sign_ties)a->ties;
    o->zeros = (iv_zeros)a->zeros;
    o->alternative = (iv_alternative)a->alternative;
    o->interval = interval_methods[a->interval];
    o->margin = a->margin;
    o->confidence = c->shared->confidence;
    o->resamples = (size_t)a->resamples;
    o->permutations = (size_t)a->permutations;
    o->seed = c->shared->seed;
    o->threads = (int)c->shared->threads;
    o->progress = c->progress;
    read_tests(o, &a->tests);
    if (a->baseline != NULL)
        rc = compare_input_find(&o->baseline, in, a->baseline, err);
    if (rc == IV_OK)
        rc = compare_input_check(in, o->baseline, err);
    if (rc == IV_OK)
        rc = choose_correction(o, a, in, c, err);
    return rc;
}

/* ----------------------------------------------------------------- tables -- */

static bool is_format(const cmd_context *c, const char *name)
{
    return strcmp(c->shared->format, name) == 0;
}

static bool is_for_people(const cmd_context *c)
{
    return is_format(c, "text") || is_format(c, "markdown") || is_format(c, "latex");
}

static compare_layout layout_of(const cmd_context *c, const compared *list,
                                const iv_compare_options *o)
{
    const iv_compared_pair *p;
    const size_t pairs = iv_comparison_pairs(&p, list[0].found);
    compare_layout l = { .people = is_for_people(c), .tests = o->test_count > 1,
                         .baseline = o->baseline != IV_NO_BASELINE,
                         .adjusted = pairs > 1, .margin = !isnan(o->margin) };

    for (size_t i = 0; i < pairs; i++)
        l.uneven = l.uneven || p[i].only_a + p[i].only_b > 0;
    return l;
}

/* So many pairs nobody reads; they are there when asked for. */
enum { PAIRS_READ = 66 };

static int show(cmd_context *c, const compare_input *in, const compared *list,
                const iv_compare_options *o, iv_err *err)
{
    const args *a = c->args;
    const compare_layout l = layout_of(c, list, o);
    const iv_compared_pair *p;
    const size_t pairs = iv_comparison_pairs(&p, list[0].found), M = in->measure_count;
    const bool too_many = l.people && pairs > PAIRS_READ && c->shared->table == NULL;

    const bool paper = is_format(c, "markdown") || is_format(c, "latex")
        || (c->shared->table != NULL && strcmp(c->shared->table, "paper") == 0);

    compare_tell_answer(c->result, in, list, M, o);
    if (!too_many)
        compare_table_pairs(c->result, "pairs", in, list, M, &l);
    compare_table_runs(c->result, in, list, M, &l);
    if (paper)
        compare_table_paper(c->result, in, list, M, o->baseline);
    compare_input_tell_missing(c, in, a->complete);
    if (l.people || session_draws(c->shared))
        compare_tell_method(c->result, in, list, M, o, l.people,
                            l.people && (!too_many || (paper && l.baseline)));
    compare_tell_intervals(c->result, in, list, M);
    if (session_draws(c->shared))
        compare_charts(c->result, in, list, M, o);
    if (too_many)
        iv_result_note(c->result, "%zu pairs are not listed here: --table pairs lists them, "
                       "--format tsv too", pairs);
    return a->groups == NULL ? IV_OK
        : compare_groups(c, a->groups, in, list, o, &l, !too_many, err);
}

/* -------------------------------------------------------------------- run -- */

static int compare(cmd_context *c, const compare_input *in, iv_err *err)
{
    iv_compare_options o;
    iv_comparison **found = calloc(in->measure_count, sizeof *found);
    compared *list = calloc(in->measure_count, sizeof *list);
    int rc = found == NULL || list == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
        : read_options(&o, c, in, err);

    for (size_t m = 0; m < in->measure_count && rc == IV_OK; m++) {
        rc = iv_compare(&found[m], compare_input_values(in, m), in->run_count,
                        in->topic_count, &o, err);
        list[m] = (compared){ m, found[m], NULL };
        o.progress = (iv_progress){ NULL, NULL }; /* a second measure starts at 0 */
    }
    if (rc == IV_OK)
        rc = show(c, in, list, &o, err);
    if (rc == IV_OK && in->sampled)
        rc = compare_sampled_table(c, in, o.baseline, err);
    for (size_t m = 0; found != NULL && m < in->measure_count; m++)
        iv_comparison_free(found[m]);
    free(found);
    free(list);
    return rc;
}

/* The first option given that --incomplete has no use for; NULL: none. */
static const char *of_no_use(const args *a)
{
    return a->matrix != NULL ? "--matrix" : a->complete ? "-c" : a->judged_only ? "-J"
        : a->tests.count > 0 ? "--test" : a->correction >= 0 ? "--correct"
        : !isnan(a->margin) ? "--margin" : a->groups != NULL ? "--groups"
        : a->estimator >= 0 ? "--estimator" : a->unjudged >= 0 ? "--unjudged" : NULL;
}

static int run_incomplete(cmd_context *c, iv_err *err)
{
    const args *a = c->args;
    const iv_incomplete_question q = {
        .from = { .judgments = c->operand_count > 0 ? c->operands[0] : NULL,
                  .judgments_format = (iv_judgments_format)a->judgments_format,
                  .runs = { (const char *const *)c->operands + 1,
                            c->operand_count > 0 ? c->operand_count - 1 : 0 },
                  .run_format = (iv_run_format)a->run_format },
        .relevance = a->relevance, .depth = a->depth > 0 ? (size_t)a->depth : 0,
        .level = a->level == 0 ? IV_ZERO : (int32_t)a->level, .baseline = a->baseline,
        .form = (iv_moments_form)a->moments, .union_only = a->union_only,
        .alternative = (iv_alternative)a->alternative, .confidence = c->shared->confidence };
    const char *bad = of_no_use(a);

    if (bad != NULL)
        return cmd_usage(err, "%s has no meaning with --incomplete", bad);
    for (size_t i = 0; i < a->measures.count; i++) {
        if (strcasecmp(a->measures.at[i], "map") != 0
            && strcasecmp(a->measures.at[i], "AP") != 0)
            return cmd_usage(err, "--incomplete knows average precision only, not '%.80s'",
                             a->measures.at[i]);
    }
    const int rc = iv_answer_incomplete(c->result, &q, &c->work, err);
    return rc == IV_EARG ? CMD_USAGE : rc;
}

static int run(cmd_context *c, iv_err *err)
{
    const args *a = c->args;

    if (a->incomplete)
        return run_incomplete(c, err);
    compare_source source = {
        .matrix = a->matrix, .by = a->by, .measures = a->measures, .complete = a->complete,
        .options = iv_measure_defaults(), .judgments_format = a->judgments_format,
        .run_format = a->run_format, .estimator = a->estimator, .unjudged = a->unjudged };
    compare_input in = { 0 };

    source.options.dialect = a->compat == 1 ? IV_TREC_EVAL_10 : IV_TREC_EVAL_9;
    source.options.level = (int32_t)a->level;
    source.options.judged_only = a->judged_only;
    if (a->depth > 0)
        source.options.depth = (size_t)a->depth;
    int rc = compare_input_read(&in, c, &source, err);
    if (rc == IV_OK)
        rc = compare(c, &in, err);
    compare_input_free(&in);
    return rc;
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
        "In markdown and latex a third table, paper, has runs and measures with marks.\n\n"
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
    .defaults = &(const args){ .level = 1, .depth = -1, .correction = -1, .estimator = -1,
                               .unjudged = -1, .interval = 1,
                               .resamples = 10000, .permutations = 100000,
                               .margin = (double)NAN, .relevance = "0.5",
                               .moments = IV_MOMENTS_DELTA },
    .args_size = sizeof(args),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "pairs", "runs", "paper", "groups", "interaction", "sampling",
                                     "signs", "topics", "all_pairs", NULL },
    .run = run,
};
