/* SPDX-License-Identifier: Apache-2.0 */
/* study sampling -- do estimates from sampled judgments hold? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frame/cmd.h"
#include "study/sampling_study.h"
#include "command/run_operands.h"

typedef struct args {
    const char *qrels;
    opt_list exclude;
    int64_t depth, deepest, replicates, resamples;
    opt_numbers judgments;
} args;

static const opt opts[] = {
    OPT_STR(args, 0, "qrels", "FILE", qrels, "complete judgments of the runs' documents"),
    OPT_INT(args, 0, "depth", "N", depth, 1, 100000000,
            "documents of each run and topic that may be drawn: the frame"),
    OPT_LIST(args, 0, "exclude-runs", "RUN", exclude,
             "this run, by tag or file name, does not contribute to frame and weights; its "
             "estimates are shown apart"),
    OPT_INT(args, 0, "deepest", "K", deepest, 0, 1000,
            "samples of the size of pools of depth 1 to K; 0 leaves that part out"),
    OPT_NUMBERS(args, 0, "judgments", "N,...", judgments, 0, IV_SAMPLING_BUDGETS, 2.0, 1e6,
                "judgments a topic for bias and coverage"),
    OPT_INT(args, 0, "replicates", "N", replicates, 1, 1000000, "samples of each size"),
    OPT_INT(args, 0, "resamples", "B", resamples, 1, 1000000,
            "resamples of the interval on a mean"),
    OPT_END
};

/* ----------------------------------------------------------------- tables -- */

static void put_errors(cmd_context *c, const iv_sampling_study *s, bool groups)
{
    static const iv_column columns[] = {
        { "runs", IV_TEXT, 0 },       { "method", IV_TEXT, 0 }, { "judgments", IV_REAL, 1 },
        { "rms", IV_REAL, 4 },        { "correlation", IV_REAL, 4 }, { "tau", IV_REAL, 4 },
        { "rms_sd", IV_REAL, 4 },     { "tau_sd", IV_REAL, 4 } };
    static const char *const names[] = { "all", "contributors", "others" };
    const iv_sampling_error *e;
    const size_t count = iv_sampling_errors(&e, s);
    /* The first table has five columns and all runs; sd and groups follow. */
    iv_table *t = groups ? iv_result_table(c->result, "groups", columns, 8)
                         : iv_result_table(c->result, "errors", columns + 1, 5);

    for (size_t m = 0; m < IV_SAMPLING_METHODS; m++)
        for (size_t i = 0; i < count; i++) {
            if (e[i].method != m || (!groups && e[i].group != IV_SAMPLING_ALL))
                continue;
            if (groups)
                iv_put_text(t, iv_str_of(names[e[i].group]));
            iv_put_text(t, iv_str_of(iv_sampling_method_names()[m]));
            iv_put_real(t, e[i].judgments);
            iv_put_real(t, e[i].rms);
            iv_put_real(t, e[i].correlation);
            iv_put_real(t, e[i].tau);
            if (groups) {
                iv_put_real(t, e[i].rms_sd);
                iv_put_real(t, e[i].tau_sd);
            }
        }
    if (groups)
        return;
    iv_result_chart(c->result, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "errors", .title = "Error",
        .caption = "The root mean square of the errors of mean average precision, over the "
                   "documents judged of each topic: lower is better.",
        .x = "judgments", .value = "rms", .group = "method" });
    iv_result_chart(c->result, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "errors", .title = "Order",
        .caption = "Kendall's tau between the order of the runs by estimates and the true one: "
                   "1 is the same order.",
        .x = "judgments", .value = "tau", .group = "method" });
}

static void put_covers(cmd_context *c, const iv_sampling_study *s)
{
    static const iv_column columns[] = {
        { "estimator", IV_TEXT, 0 }, { "of", IV_TEXT, 0 },      { "judgments", IV_INTEGER, 0 },
        { "relevant", IV_TEXT, 0 },  { "cells", IV_INTEGER, 0 }, { "truth", IV_REAL, 4 },
        { "bias", IV_REAL, 4 },      { "sd_ratio", IV_REAL, 3 }, { "without", IV_REAL, 4 },
        { "coverage", IV_REAL, 4 },  { "width", IV_REAL, 4 } };
    static const char *const levels[] = { "topic", "mean", "these topics, judgments",
                                          "these topics, total" };
    const iv_sampling_cover *x;
    const size_t count = iv_sampling_covers(&x, s);
    iv_table *t = iv_result_table(c->result, "coverage", columns,
                                  sizeof columns / sizeof *columns);

    for (size_t i = 0; i < count; i++) {
        char band[64];
        if (x[i].relevant_from == 1 && x[i].relevant_to == SIZE_MAX)
            (void)snprintf(band, sizeof band, "all");
        else if (x[i].relevant_to == SIZE_MAX)
            (void)snprintf(band, sizeof band, "%zu or more", x[i].relevant_from);
        else
            (void)snprintf(band, sizeof band, "%zu to %zu", x[i].relevant_from,
                           x[i].relevant_to);
        iv_put_text(t, iv_str_of(iv_estimator_names()[x[i].estimator]));
        iv_put_text(t, iv_str_of(levels[x[i].level]));
        iv_put_int(t, (int64_t)x[i].judgments);
        iv_put_text(t, iv_str_of(band));
        iv_put_int(t, (int64_t)x[i].cells);
        iv_put_real(t, x[i].truth);
        iv_put_real(t, x[i].bias);
        iv_put_real(t, x[i].sd_ratio);
        iv_put_real(t, x[i].without);
        iv_put_real(t, x[i].coverage);
        iv_put_real(t, x[i].width);
    }
    iv_result_chart(c->result, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "coverage", .title = "Coverage",
        .caption = "How often an interval holds the truth, over the documents judged; the "
                   "dashed line is what it promises.",
        .x = "judgments", .value = "coverage", .group = "of", .page = "estimator",
        .where = "relevant", .is = "all",
        .lines = { { "promised", c->shared->confidence, false } } });
}

static void put_agreements(cmd_context *c, const iv_sampling_study *s)
{
    static const iv_column columns[] = {
        { "judgments", IV_REAL, 1 },      { "truth", IV_TEXT, 0 },
        { "insignificant", IV_INTEGER, 0 }, { "significant", IV_INTEGER, 0 } };
    const iv_sampling_agreement *a;
    const size_t count = iv_sampling_agreements(&a, s);
    iv_table *t = iv_result_table(c->result, "wilcoxon", columns, 4);

    for (size_t i = 0; i < count; i++)
        for (int significant = 0; significant < 2; significant++) {
            iv_put_real(t, a[i].judgments);
            iv_put_text(t, iv_str_of(significant ? "significant" : "insignificant"));
            iv_put_int(t, (int64_t)(significant ? a[i].truth_only : a[i].neither));
            iv_put_int(t, (int64_t)(significant ? a[i].both : a[i].sample_only));
        }
}

static void answer(cmd_context *c, const iv_sampling_study *s)
{
    const iv_sampling_error *e;
    const size_t count = iv_sampling_errors(&e, s);
    double rms[IV_SAMPLING_METHODS] = { 0 }, tau[IV_SAMPLING_METHODS] = { 0 };
    double judgments = 0.0;

    for (size_t i = 0; i < count; i++) /* the last depth stays */
        if (e[i].group == IV_SAMPLING_ALL) {
            rms[e[i].method] = e[i].rms;
            tau[e[i].method] = e[i].tau;
            judgments = e[i].judgments;
        }
    if (count > 0)
        iv_result_answer(c->result, "With %.0f judgments a topic, error of MAP and tau: "
                         "stevens %.4f and %.3f, depth pool %.4f and %.3f, infAP %.4f and "
                         "%.3f, bpref %.4f and %.3f.", judgments, rms[0], tau[0], rms[1],
                         tau[1], rms[2], tau[2], rms[3], tau[3]);
}

static void tell(cmd_context *c, const iv_sampling_study *s)
{
    const iv_sampling_collection k = iv_sampling_collection_of(s);
    const args *a = c->args;

    iv_result_note(c->result, "%zu topics, frames of %.0f documents on average with %.1f "
                   "relevant ones; %zu of %zu runs contribute; %lld samples of each size",
                   k.topics, (double)k.documents / (double)k.topics,
                   (double)k.relevant / (double)k.topics, k.contributors, c->operand_count,
                   (long long)a->replicates);
    if (k.outside > 0)
        iv_result_note(c->result, "%.3g %% of the relevant documents are outside the frame "
                       "and count for nothing, in estimates and in the truth",
                       100.0 * (double)k.outside / (double)(k.outside + k.relevant));
    if (k.without > 0)
        iv_result_note(c->result, "%zu topics without a relevant document in the frame are "
                       "left out", k.without);
    iv_result_note(c->result, "coverage 'mean': topics drawn anew from these, each with a "
                   "sample of its own, against the mean of all; 'these topics, total': the "
                   "interval that eval shows, against the mean of these topics; 'these topics, "
                   "judgments': value +- normal quantile x se_judgments; literal: +- 2 "
                   "standard deviations, as printed");
}

/* -------------------------------------------------------------------- run -- */

static bool is_named(const iv_run *run, const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    const iv_str tag = iv_run_tag(run);

    return strcmp(path, name) == 0 || (slash != NULL && strcmp(slash + 1, name) == 0)
        || (tag.len > 0 && iv_str_cmp(tag, iv_str_of(name)) == 0);
}

static int mark_excluded(bool *excluded, const cmd_context *c, iv_run *const *runs,
                         iv_err *err)
{
    const args *a = c->args;
    size_t left = c->operand_count;

    for (size_t k = 0; k < a->exclude.count; k++) {
        bool found = false;
        for (size_t r = 0; r < c->operand_count; r++)
            if (is_named(runs[r], c->operands[r], a->exclude.at[k])) {
                left -= !excluded[r];
                found = excluded[r] = true;
            }
        if (!found)
            return cmd_usage(err, "--exclude-runs '%.200s' is none of the runs",
                             a->exclude.at[k]);
    }
    return left > 0 ? IV_OK : cmd_usage(err, "all runs are excluded");
}

static iv_sampling_study_options study_options(const cmd_context *c, const bool *excluded)
{
    const args *a = c->args;
    iv_sampling_study_options o = {
        .depth = (size_t)a->depth, .excluded = excluded, .deepest = (size_t)a->deepest,
        .replicates = (size_t)a->replicates, .resamples = (size_t)a->resamples,
        .judgments_count = a->judgments.count, .confidence = c->shared->confidence,
        .seed = c->shared->seed, .threads = (int)c->shared->threads,
        .progress = c->progress };

    for (size_t i = 0; i < a->judgments.count; i++)
        o.judgments[i] = (size_t)a->judgments.at[i];
    return o;
}

static int study(cmd_context *c, iv_run *const *runs, iv_err *err)
{
    const args *a = c->args;
    iv_judgments *j = NULL;
    iv_sampling *judged = NULL;
    iv_sampling_study *s = NULL;
    bool *excluded = calloc(c->operand_count + 1, sizeof *excluded);
    int rc = excluded == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
                              : mark_excluded(excluded, c, runs, err);

    if (rc == IV_OK)
        rc = iv_judgments_load(&j, a->qrels, IV_JUDGMENTS_ANY, &c->work, err);
    if (rc == IV_OK && iv_judgments_format_of(j) != IV_JUDGMENTS_QRELS
        && iv_judgments_format_of(j) != IV_JUDGMENTS_BEIR)
        rc = iv_fail_at(err, IV_EARG, a->qrels, 0, "the judgments are a sample; the truth "
                        "of a study must be complete");
    if (rc == IV_OK)
        rc = iv_sampling_new(&judged, j, a->qrels, IV_UNJUDGED_NONRELEVANT, err);
    if (rc == IV_OK) {
        const iv_sampling_study_options o = study_options(c, excluded);
        iv_result_input(c->result, a->qrels, iv_judgments_bytes(j));
        rc = iv_sampling_study_run(&s, (const iv_run *const *)runs, c->operand_count, judged,
                                   &o, err);
    }
    if (rc == IV_OK) {
        answer(c, s);
        put_errors(c, s, false);
        put_covers(c, s);
        put_agreements(c, s);
        put_errors(c, s, true);
        tell(c, s);
    }
    iv_sampling_study_free(s);
    iv_sampling_free(judged);
    iv_judgments_free(j);
    free(excluded);
    return rc;
}

static int run(cmd_context *c, iv_err *err)
{
    const args *a = c->args;
    iv_run **runs = NULL;
    int rc;

    if (a->qrels == NULL)
        return cmd_usage(err, "--qrels FILE is needed: complete judgments are the truth");
    if (a->deepest == 0 && a->judgments.count == 0)
        return cmd_usage(err, "--deepest 0 and no --judgments leave nothing to study");
    for (size_t i = 0; i < a->judgments.count; i++)
        if (a->judgments.at[i] != floor(a->judgments.at[i]))
            return cmd_usage(err, "--judgments %g, expected whole numbers",
                             a->judgments.at[i]);
    rc = run_operands_load(&runs, c, err);
    if (rc == IV_OK)
        rc = study(c, runs, err);
    run_operands_free(runs, c);
    return rc;
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
    .defaults = &(const args){ .depth = 100, .deepest = 10, .replicates = 100,
                               .resamples = 1000, .judgments = { 2, { 60, 100 } } },
    .args_size = sizeof(args),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .tables = (const char *const[]){ "errors", "coverage", "wilcoxon", "groups", NULL },
    .run = run,
};
