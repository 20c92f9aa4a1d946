/* SPDX-License-Identifier: Apache-2.0 */
/* study sampling: what is told of it. */
#include <math.h>
#include <string.h>

#include "study/sampling_study.h"
#include "study/study_columns.h"

static const char *const *group_names(void)
{
    static const char *const names[] = { "all", "contributors", "others" };

    return names;
}

static const char *const *level_names(void)
{
    static const char *const names[] = { "topic", "mean", "these topics, judgments",
                                         "these topics, total" };

    return names;
}

/* The first table has all runs; groups and their spread follow. */
enum { GROUPS = 1 };

const iv_field iv_sampling_study_error_fields[] = {
    { "runs", IV_AT(iv_sampling_error, group), .names = group_names, .needs = GROUPS,
      .about = "that are estimated" },
    { "method", IV_AT(iv_sampling_error, method), .names = iv_sampling_method_names,
      .about = "of sampling and estimating" },
    { "judgments", IV_AT(iv_sampling_error, judgments), .digits = 1, .about = "of a topic" },
    { "rms", IV_AT(iv_sampling_error, rms), .digits = 4,
      .about = "root mean square error of the runs' means" },
    { "correlation", IV_AT(iv_sampling_error, correlation), .digits = 4,
      .about = "of estimates with the truth" },
    { "tau", IV_AT(iv_sampling_error, tau), .digits = 4, .about = "Kendall's, of the order" },
    { "rms_sd", IV_AT(iv_sampling_error, rms_sd), .digits = 4, .needs = GROUPS,
      .about = "over samples" },
    { "tau_sd", IV_AT(iv_sampling_error, tau_sd), .digits = 4, .needs = GROUPS,
      .about = "over samples" },
    { NULL } };

typedef struct cover_row {
    iv_sampling_cover x;
    char relevant[48];
} cover_row;

const iv_field iv_sampling_study_cover_fields[] = {
    { "estimator", IV_AT(cover_row, x.estimator), .names = iv_estimator_names,
      .about = "of average precision" },
    { "of", IV_AT(cover_row, x.level), .names = level_names, .about = "what is estimated" },
    { "judgments", IV_AT(cover_row, x.judgments), .about = "of a topic" },
    { "relevant", IV_AT(cover_row, relevant), .about = "documents of the topic in the frame" },
    { "cells", IV_AT(cover_row, x.cells), .about = "runs x topics x samples" },
    { "truth", IV_AT(cover_row, x.truth), .digits = 4, .about = "mean" },
    { "bias", IV_AT(cover_row, x.bias), .digits = 4, .about = "relative to the truth" },
    { "sd_ratio", IV_AT(cover_row, x.sd_ratio), .digits = 3,
      .about = "estimated over observed standard deviation" },
    { "without", IV_AT(cover_row, x.without), .digits = 4, .about = "share without interval" },
    { "coverage", IV_AT(cover_row, x.coverage), .digits = 4,
      .about = "share of intervals that hold the truth" },
    { "width", IV_AT(cover_row, x.width), .digits = 4, .about = "mean width" },
    { NULL } };

typedef struct agreement_row {
    double judgments;
    const char *truth;
    size_t insignificant, significant;
} agreement_row;

const iv_field iv_sampling_study_agreement_fields[] = {
    { "judgments", IV_AT(agreement_row, judgments), .digits = 1, .about = "of a topic" },
    { "truth", IV_AT(agreement_row, truth), .about = "of a pair of runs" },
    { "insignificant", IV_AT(agreement_row, insignificant), .about = "pairs, by the sample" },
    { "significant", IV_AT(agreement_row, significant), .about = "pairs, by the sample" },
    { NULL } };

/* Method by method; of all runs, or of all groups. */
static void add_errors(iv_result *out, const iv_sampling_found *s, iv_sampling_error *room,
                       bool groups)
{
    size_t count = 0;

    for (size_t m = 0; m < IV_SAMPLING_METHODS; m++)
        for (size_t i = 0; i < s->error_count; i++)
            if (s->errors[i].method == m && (groups || s->errors[i].group == IV_SAMPLING_ALL))
                room[count++] = s->errors[i];
    (void)iv_result_rows(out, &(iv_rows){ groups ? "groups" : "errors", iv_sampling_study_error_fields, room, count,
                                          sizeof *room, .with = groups ? GROUPS : 0 });
}

static void add_covers(iv_result *out, const iv_sampling_found *s, cover_row *room)
{
    for (size_t i = 0; i < s->cover_count; i++) {
        const iv_sampling_cover *x = &s->covers[i];
        cover_row *r = &room[i];
        r->x = *x;
        if (x->relevant_from == 1 && x->relevant_to == SIZE_MAX)
            (void)snprintf(r->relevant, sizeof r->relevant, "all");
        else if (x->relevant_to == SIZE_MAX)
            (void)snprintf(r->relevant, sizeof r->relevant, "%zu or more", x->relevant_from);
        else
            (void)snprintf(r->relevant, sizeof r->relevant, "%zu to %zu", x->relevant_from,
                           x->relevant_to);
    }
    (void)iv_result_rows(out, &(iv_rows){ "coverage", iv_sampling_study_cover_fields, room, s->cover_count,
                                          sizeof *room });
}

static void add_agreements(iv_result *out, const iv_sampling_found *s)
{
    agreement_row rows[4];
    size_t count = 0;

    for (size_t i = 0; i < s->agreement_count; i++) {
        const iv_sampling_agreement *a = &s->agreements[i];
        rows[count++] = (agreement_row){ a->judgments, "insignificant", a->neither,
                                         a->sample_only };
        rows[count++] = (agreement_row){ a->judgments, "significant", a->truth_only, a->both };
    }
    (void)iv_result_rows(out, &(iv_rows){ "wilcoxon", iv_sampling_study_agreement_fields, rows, count,
                                          sizeof *rows });
}

static void draw(iv_result *out, double confidence)
{
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "errors", .title = "Error",
        .caption = "The root mean square of the errors of mean average precision, over the "
                   "documents judged of each topic: lower is better.",
        .x = "judgments", .value = "rms", .group = "method" });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "errors", .title = "Order",
        .caption = "Kendall's tau between the order of the runs by estimates and the true one: "
                   "1 is the same order.",
        .x = "judgments", .value = "tau", .group = "method" });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "coverage", .title = "Coverage",
        .caption = "How often an interval holds the truth, over the documents judged; the "
                   "dashed line is what it promises.",
        .x = "judgments", .value = "coverage", .group = "of", .page = "estimator",
        .where = "relevant", .is = "all", .lines = { { "promised", confidence, false } } });
}

static void tell(iv_result *out, const iv_study_sampling_question *q, const iv_sampling_found *s)
{
    const iv_sampling_collection *k = &s->collection;
    double rms[IV_SAMPLING_METHODS] = { 0 }, tau[IV_SAMPLING_METHODS] = { 0 };
    double judgments = 0.0;

    for (size_t i = 0; i < s->error_count; i++) /* the last depth stays */
        if (s->errors[i].group == IV_SAMPLING_ALL) {
            rms[s->errors[i].method] = s->errors[i].rms;
            tau[s->errors[i].method] = s->errors[i].tau;
            judgments = s->errors[i].judgments;
        }
    if (s->error_count > 0)
        iv_result_answer(out, "With %.0f judgments a topic, error of MAP and tau: "
                         "stevens %.4f and %.3f, depth pool %.4f and %.3f, infAP %.4f and "
                         "%.3f, bpref %.4f and %.3f.", judgments, rms[0], tau[0], rms[1],
                         tau[1], rms[2], tau[2], rms[3], tau[3]);
    iv_result_note(out, "%zu topics, frames of %.0f documents on average with %.1f "
                   "relevant ones; %zu of %zu runs contribute; %zu samples of each size",
                   k->topics, (double)k->documents / (double)k->topics,
                   (double)k->relevant / (double)k->topics, k->contributors, q->runs.count,
                   q->how.replicates == 0 ? 100 : q->how.replicates);
    if (k->outside > 0)
        iv_result_note(out, "%.3g %% of the relevant documents are outside the frame "
                       "and count for nothing, in estimates and in the truth",
                       100.0 * (double)k->outside / (double)(k->outside + k->relevant));
    if (k->without > 0)
        iv_result_note(out, "%zu topics without a relevant document in the frame are left out",
                       k->without);
    iv_result_note(out, "coverage 'mean': topics drawn anew from these, each with a "
                   "sample of its own, against the mean of all; 'these topics, total': the "
                   "interval that eval shows, against the mean of these topics; 'these topics, "
                   "judgments': value +- normal quantile x se_judgments; literal: +- 2 "
                   "standard deviations, as printed");
}

static int mark_excluded(bool *excluded, const iv_study_sampling_question *q,
                         const iv_run_input *in, iv_err *err)
{
    size_t left = in->count;

    for (size_t k = 0; k < q->exclude.count; k++) {
        bool found = false;
        for (size_t r = 0; r < in->count; r++)
            if (iv_run_input_is(in, r, q->exclude.at[k])) {
                left -= excluded[r] ? 0 : 1;
                found = excluded[r] = true;
            }
        if (!found)
            return iv_fail(err, IV_EARG, "'%.200s', which is to be excluded, is none of the runs",
                           q->exclude.at[k]);
    }
    return left > 0 ? IV_OK : iv_fail(err, IV_EARG, "all runs are excluded");
}

static int answer(iv_result *out, iv_judged_runs *in, iv_sampling_found *s,
                  const iv_study_sampling_question *q, iv_arena *own, const iv_work *work,
                  iv_err *err)
{
    iv_sampling_study_options how = q->how;
    bool *excluded = iv_take(own, q->runs.count, sizeof *excluded);

    IV_TRY(iv_taken(own, err));
    IV_TRY(iv_judged_runs_load(in, out, q->qrels, q->runs, work, err));
    if (q->exclude.count > 0) {
        IV_TRY(mark_excluded(excluded, q, &in->in, err));
        how.excluded = excluded;
    }
    IV_TRY(iv_sampling_study_run(s, in->in.runs, in->in.count, in->judged, &how, work, err));
    iv_sampling_error *errors = iv_take(own, s->error_count, sizeof *errors);
    cover_row *covers = iv_take(own, s->cover_count, sizeof *covers);
    IV_TRY(iv_taken(own, err));
    add_errors(out, s, errors, false);
    add_covers(out, s, covers);
    add_agreements(out, s);
    add_errors(out, s, errors, true);
    tell(out, q, s);
    draw(out, how.confidence == 0.0 ? 0.95 : how.confidence);
    return IV_OK;
}

int iv_study_answer_sampling(iv_result *out, const iv_study_sampling_question *q,
                             const iv_work *work, iv_err *err)
{
    iv_judged_runs in = { 0 };
    iv_sampling_found s = { 0 };
    iv_arena own = { 0 };
    const int rc = answer(out, &in, &s, q, &own, work, err);

    iv_sampling_found_free(&s);
    iv_judged_runs_free(&in);
    iv_arena_free(&own);
    return rc;
}
