/* SPDX-License-Identifier: Apache-2.0 */
/* eval -- every measure of every run, with its interval. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/eval.h"

static const char *const compat_words[] = { "9", "10", NULL };
static const char *const ci_words[] = { "none", "logit", "percentile", "bca", "t", NULL };
static const char *const judgments_words[] = { "any", "qrels", "prels", "stratified", "beir",
                                               NULL };
static const char *const estimator_words[] = { "corrected", "pairwise", "literal", NULL };
static const char *const unjudged_words[] = { "refuse", "nonrelevant", "drop", NULL };
static const char *const run_words[] = { "any", "trec", "msmarco", NULL };

/* Precision at the top, over all, with grades, how much is found, and when. */
static const char *const usual_measures[] = { "AP", "nDCG@10", "P@10", "R@1000", "RR" };
static const char *const trec_measures[] = { "official" };

static const opt opts[] = {
    OPT_HEADING("Measures"),
    OPT_LIST(eval_args, 'm', "measure", "NAME", measures,
             "a measure, by trec_eval's name (P.5,10) or ir_measures' (nDCG@10); unless "
             "given, AP, nDCG@10, P@10, R@1000 and RR, or trec_eval's official ones in its "
             "format"),
    OPT_INT(eval_args, 'l', "level", "GRADE", level, 0, IV_GRADE_MAX,
            "the lowest grade that counts as relevant"),
    OPT_INT(eval_args, 'M', "depth", "N", depth, 1, INT64_MAX,
            "look at the first N documents of each topic only"),
    OPT_FLAG(eval_args, 'J', "judged-only", judged_only,
             "take unjudged documents out of the rankings first"),
    OPT_INT(eval_args, 'N', "collection", "N", collection, 0, INT64_MAX,
            "documents in the collection, for utility"),
    OPT_CHOICE(eval_args, 0, "compat", "VERSION", compat, compat_words,
               "follow trec_eval 9 or 10 where they differ: scores as float or double, "
               "which measures are all_trec, interpolated cut-offs, printing of missing "
               "topics"),
    OPT_HEADING("Topics"),
    OPT_FLAG(eval_args, 'q', "per-topic", topics, "show each topic, too"),
    OPT_FLAG(eval_args, 'n', "no-summary", no_summary, "no values over all topics"),
    OPT_FLAG(eval_args, 'c', "complete", complete,
             "judged topics that a run misses count, with nothing retrieved"),
    OPT_HEADING("How sure"),
    OPT_CHOICE(eval_args, 0, "ci", "METHOD", ci, ci_words,
               "interval on each mean over topics; unless given, logit for measures in [0, 1] "
               "(the Studentised logit bootstrap: topics are resampled, and Student's t is taken "
               "on the logit scale, so that it stays inside [0, 1]; see "
               "doc/methods/mean-intervals.md) and t for others"),
    OPT_INT(eval_args, 0, "resamples", "B", resamples, 1, 100000000,
            "resamples of the bootstrap"),
    OPT_FLAG(eval_args, 0, "bounds", bounds,
             "lowest and highest value over all that the unjudged retrieved documents could "
             "turn out to be"),
    OPT_FLAG(eval_args, 0, "ties", ties,
             "lowest, expected and highest value over the orders of documents of equal "
             "score"),
    OPT_HEADING("Sampled judgments"),
    OPT_CHOICE(eval_args, 0, "estimator", "E", estimator, estimator_words,
               "of average precision: corrected, unless given; pairwise, with joint "
               "probabilities; literal, as printed in 2008 and biased upwards"),
    OPT_CHOICE(eval_args, 0, "unjudged", "WHAT", unjudged, unjudged_words,
               "a document of the sample that nobody judged: refuse the file, unless given; "
               "count it as nonrelevant; drop it and lower the probabilities of its bucket"),
    OPT_HEADING("Files"),
    OPT_STR(eval_args, 0, "write-matrix", "FILE", matrix,
            "also write the first measure, systems x topics, for compare and study"),
    OPT_CHOICE(eval_args, 0, "judgments-format", "F", judgments_format, judgments_words,
               "format of JUDGMENTS; any is told by content"),
    OPT_CHOICE(eval_args, 0, "run-format", "F", run_format, run_words,
               "format of the runs; any is told by content"),
    OPT_END
};

static bool in_trec_format(const eval *e)
{
    return strcmp(e->shared->format, "trec") == 0;
}

/* What does not go together. */
static int check_usage(const eval *e, const cmd_context *c, iv_err *err)
{
    const eval_args *a = e->args;
    size_t inputs = 0;

    for (size_t i = 0; i < c->operand_count; i++)
        inputs += strcmp(c->operands[i], "-") == 0;
    if (inputs > 1)
        return cmd_usage(err, "standard input can be read once, and '-' was given %zu times",
                         inputs);
    if (in_trec_format(e) && (a->bounds || a->ties || a->ci > IV_INTERVAL_NONE))
        return cmd_usage(err, "--format trec has no place for %s",
                         a->bounds ? "--bounds" : a->ties ? "--ties" : "an interval (--ci)");
    if (!in_trec_format(e) && a->no_summary && !a->topics)
        return cmd_usage(err, "-n without -q leaves nothing to show");
    if (a->ties && a->judged_only && a->depth > 0)
        return cmd_usage(err, "--ties is not known for -J and -M together");
    return IV_OK;
}

static int parse_measures(eval *e, iv_err *err)
{
    const eval_args *a = e->args;
    iv_measure_options o = iv_measure_defaults();
    const char *const *names = a->measures.at;
    size_t count = a->measures.count;

    if (count == 0) {
        names = in_trec_format(e) ? trec_measures : usual_measures;
        count = in_trec_format(e) ? 1 : sizeof usual_measures / sizeof *usual_measures;
    }
    o.dialect = (iv_dialect)a->compat;
    o.level = (int32_t)a->level;
    o.judged_only = a->judged_only;
    o.as_trec_eval = in_trec_format(e);
    if (a->depth > 0)
        o.depth = (size_t)a->depth;
    if (a->collection >= 0)
        o.collection = a->collection;
    const int rc = iv_measures_parse(&e->measures, names, count, &o, err);
    /* What cannot be computed was asked wrongly. */
    return rc == IV_EARG ? CMD_USAGE : rc;
}

static int score(eval *e, const cmd_context *c, iv_err *err)
{
    const eval_args *a = e->args;
    const iv_scoring how = {
        .precision = a->compat == IV_TREC_EVAL_9 ? IV_SCORES_FLOAT : IV_SCORES_DOUBLE,
        .complete = a->complete, .texts = in_trec_format(e) && a->topics,
        .bounds = a->bounds, .ties = a->ties, .threads = (int)e->shared->threads,
        .progress = c->progress };
    const char *path = c->operands[0];

    e->largest = iv_largest_grade(e->judgments);
    int rc = iv_score_files(e->runs, (const char *const *)e->paths, e->count,
                        (iv_run_format)a->run_format, e->judgments, e->measures, &how, err);
    if (rc == IV_EARG && err->code == IV_EARG) {
        const iv_err told = *err;
        return iv_fail_at(err, IV_EARG, path, 0, "%s", told.msg);
    }
    if (rc != IV_OK)
        return rc;
    iv_result_input(e->result, path, iv_judgments_bytes(e->judgments));
    for (size_t r = 0; r < e->count; r++)
        iv_result_input(e->result, e->paths[r], iv_scores_bytes(e->runs[r]));
    return eval_name_runs(e, err);
}

static int summarise(eval *e, iv_err *err)
{
    const eval_args *a = e->args;
    const iv_mean_options o = {
        .by_measure = a->ci < 0,
        .method = a->ci < 0 ? IV_INTERVAL_NONE : (iv_interval_method)a->ci,
        .resampling = { .resamples = (size_t)a->resamples, .seed = e->shared->seed,
                        .confidence = e->shared->confidence,
                        .threads = (int)e->shared->threads } };

    e->means = malloc((e->count * e->width + 1) * sizeof *e->means);
    if (e->means == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    return iv_means(e->means, (const iv_scores *const *)e->runs, e->count, e->measures, &o,
                    err);
}

static int evaluate(eval *e, cmd_context *c, iv_err *err)
{
    const eval_args *a = e->args;
    int rc = iv_judgments_load(&e->judgments, c->operands[0],
                               (iv_judgments_format)a->judgments_format,
                               (int)e->shared->threads, err);

    if (rc != IV_OK)
        return rc;
    const iv_judgments_format format = iv_judgments_format_of(e->judgments);
    const bool sampled = format == IV_JUDGMENTS_PRELS || format == IV_JUDGMENTS_STRATIFIED;
    if (sampled) {
        bool complete = false;
        rc = eval_sampled(&complete, e, c, err);
        if (rc != IV_OK || !complete)
            return rc;
    } else if (a->estimator >= 0 || a->unjudged >= 0)
        return cmd_usage(err, "--estimator and --unjudged are for sampled judgments, and %s "
                         "is none", c->operands[0]);
    rc = parse_measures(e, err);
    if (rc != IV_OK)
        return rc;
    e->width = iv_measures_count(e->measures);
    rc = score(e, c, err);
    if (rc == IV_OK && !in_trec_format(e))
        rc = summarise(e, err);
    if (rc != IV_OK)
        return rc;
    eval_order_runs(e);
    if (in_trec_format(e)) {
        c->written = true;
        rc = eval_print_trec(e, c->out, err);
    } else {
        eval_tables(e);
    }
    if (rc == IV_OK && e->args->matrix != NULL)
        rc = eval_write_matrix(e, err);
    if (rc == IV_OK)
        eval_notes(e, !in_trec_format(e));
    return rc;
}

static int run(cmd_context *c, iv_err *err)
{
    eval e = { .args = c->args, .shared = c->shared, .result = c->result,
               .paths = c->operands + 1, .count = c->operand_count - 1 };
    int rc = check_usage(&e, c, err);

    if (rc != IV_OK)
        return rc;
    e.runs = calloc(e.count + 1, sizeof *e.runs);
    e.names = calloc(e.count + 1, sizeof *e.names);
    e.order = calloc(e.count + 1, sizeof *e.order);
    rc = e.runs == NULL || e.names == NULL || e.order == NULL
        ? iv_fail(err, IV_ENOMEM, "out of memory")
        : evaluate(&e, c, err);
    for (size_t r = 0; r < e.count; r++) {
        if (e.runs != NULL)
            iv_scores_free(e.runs[r]);
        if (e.names != NULL)
            free(e.names[r]);
    }
    free(e.runs);
    free(e.names);
    free(e.order);
    free(e.means);
    iv_measures_free(e.measures);
    iv_judgments_free(e.judgments);
    return rc;
}

const cmd cmd_eval = {
    .name = "eval",
    .group = "Evaluation",
    .summary = "score runs by any measure, with intervals",
    .operands = "JUDGMENTS RUN...",
    .least = 2,
    .most = CMD_MANY,
    .description =
        "Scores each run against the judgments and gives every mean over topics with its "
        "standard error and its interval: how far the mean over other topics of the same "
        "kind may be from the one seen. 'intervale measures' lists the measures.\n\n"
        "Runs are shown by the first measure, highest first, and named by their tag, or by "
        "their file where tags repeat. A topic that a run misses is left out, as trec_eval "
        "does, but named in a note and counted in the column 'missing'; -c counts it with "
        "nothing retrieved.\n\n"
        "--format trec prints byte for byte what trec_eval prints; the letters -q -c -n -l "
        "-m -M -J -N are trec_eval's.\n\n"
        "An interval speaks of topics only. What unjudged documents could change is shown "
        "by --bounds, what ties could change by --ties.\n\n"
        "Sampled judgments (a completed file of 'intervale sample', prels with inclusion "
        "probabilities, strata) are told by their format, and what full judging of the "
        "frame would give is estimated: AP, P, recall, R-precision, nDCG and the number of "
        "relevant documents from the probabilities, with the standard error and interval "
        "of every topic (-q) or the reason why there is none; infAP, xinfAP, infNDCG and "
        "iP_10 as TREC's tools define them. For a mean, se is the whole standard error, "
        "se_judgments the part that judging everything would remove and se_topics the "
        "rest.",
    .exit_note = "an input cannot be read, a run shares no topic with the judgments, or a "
                 "measure needs what the judgments do not have",
    .examples = (const cmd_example[]){
        { "intervale eval qrels run.txt",
          "A run by the usual measures, each with its 95 % interval." },
        { "intervale eval -m AP -m nDCG@10 qrels runs/*",
          "Many runs by two measures, best first." },
        { "intervale eval --format trec -q -m all_trec qrels run.txt",
          "Exactly trec_eval -q -m all_trec qrels run.txt." },
        { "intervale eval -m AP --ci bca --confidence 0.9 --format tsv qrels run.txt",
          "Mean average precision with a 90 % BCa interval, for a program." },
        { "intervale eval -m AP --bounds --ties qrels run.txt",
          "What unjudged documents and ties could change." },
        { "intervale eval -q -m AP -m P@10 -m num_rel judge.txt runs/*",
          "Estimates from the completed file of 'intervale sample', topic by topic." },
        { "intervale eval -c -m AP --write-matrix ap.csv qrels runs/*",
          "Also writes the average precisions, systems x topics." },
        { NULL, NULL } },
    .opts = opts,
    .defaults = &(const eval_args){ .level = 1, .depth = -1, .collection = -1, .ci = -1,
                                    .resamples = 10000, .estimator = -1, .unjudged = -1 },
    .args_size = sizeof(eval_args),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .formats = (const char *const[]){ "trec", NULL },
    .run = run,
};
