/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of all studies: one table of rates, its summary, and what misses. */
#include "base/err.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/parallel.h"
#include "result/methods.h"
#include "study/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

IV_NAMES(iv_study_names, "coverage", "recall", "map", "prf", "power", "sampling", "judging",
         "stopping", "machine", "others", "plans", "gates", "judged", "watch")

enum { SEVERAL = 1 }; /* studies in one table */

const iv_field iv_study_rate_fields[] = {
    { "study", IV_AT(iv_rate, study), .shown = SEVERAL, .about = "name of the study" },
    { "quantity", IV_AT(iv_rate, quantity), .about = "quantity of the interval or test" },
    { "method", IV_AT(iv_rate, method), .about = "method of the interval or test" },
    { "data", IV_AT(iv_rate, data), .about = "kind of data" },
    { "setting", IV_AT(iv_rate, setting), .about = "size of the data" },
    { "nominal", IV_AT(iv_rate, nominal), .digits = 3, .about = "nominal rate" },
    { "rate", IV_AT(iv_rate, rate), .digits = 4,
      .about = "proportion of intervals that contain the truth, or of tests that reject" },
    { "se", IV_AT(iv_rate, se), .digits = 4, .audience = IV_IF_ANY, .about = "standard error" },
    { "below", IV_AT(iv_rate, below), .digits = 4, .audience = IV_IF_ANY,
      .about = "proportion of truths below the interval" },
    { "above", IV_AT(iv_rate, above), .digits = 4, .audience = IV_IF_ANY,
      .about = "proportion of truths above the interval" },
    { "least", IV_AT(iv_rate, least), .digits = 4, .audience = IV_IF_ANY,
      .about = "least rate among the cases averaged" },
    { "width", IV_AT(iv_rate, width), .digits = 4, .audience = IV_IF_ANY,
      .about = "mean width of the intervals" },
    { "bias", IV_AT(iv_rate, bias), .digits = 4, .audience = IV_IF_ANY,
      .about = "mean of estimate minus truth" },
    { "without", IV_AT(iv_rate, without), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "proportion of replicates without an interval" },
    { "documents", IV_AT(iv_rate, documents), .digits = 0, .audience = IV_IF_ANY,
      .about = "mean number of judged documents" },
    { "replicates", IV_AT(iv_rate, replicates), .audience = IV_FOR_PROGRAMS,
      .about = "number of replicates; empty if all outcomes are enumerated" },
    { NULL } };

/* Rates of a method on a kind of data, over settings. */
typedef struct summary_row {
    const char *study, *quantity, *method, *data;
    double nominal, least, mean, largest;
    size_t settings;
} summary_row;

const iv_field iv_study_summary_fields[] = {
    { "study", IV_AT(summary_row, study), .shown = SEVERAL, .about = "name of the study" },
    { "quantity", IV_AT(summary_row, quantity), .about = "quantity of the interval or test" },
    { "method", IV_AT(summary_row, method), .about = "method of the interval or test" },
    { "data", IV_AT(summary_row, data), .about = "kind of data" },
    { "nominal", IV_AT(summary_row, nominal), .digits = 3,
      .about = "nominal rate; empty if it differs between settings" },
    { "least", IV_AT(summary_row, least), .digits = 3,
      .about = "lowest rate over the settings and their cases" },
    { "mean", IV_AT(summary_row, mean), .digits = 3, .about = "rate over the settings" },
    { "largest", IV_AT(summary_row, largest), .digits = 3,
      .about = "rate over the settings" },
    { "settings", IV_AT(summary_row, settings), .about = "number of settings" },
    { NULL } };

static bool belongs(const summary_row *s, const iv_rate *r)
{
    return strcmp(s->study, r->study) == 0 && strcmp(s->quantity, r->quantity) == 0
        && strcmp(s->method, r->method) == 0 && strcmp(s->data, r->data) == 0;
}

static size_t summarise(summary_row *out, const iv_study *s)
{
    size_t count = 0;

    for (size_t i = 0; i < s->rows; i++) {
        const iv_rate *r = &s->row[i];
        size_t k = 0;
        while (k < count && !belongs(&out[k], r))
            k++;
        if (isnan(r->rate))
            continue;
        if (k == count)
            out[count++] = (summary_row){ .study = r->study, .quantity = r->quantity,
                                          .method = r->method, .data = r->data,
                                          .nominal = r->nominal, .least = INFINITY,
                                          .largest = -INFINITY };
        summary_row *x = &out[k];
        x->settings++;
        x->nominal = r->nominal == x->nominal ? x->nominal : NAN;
        x->least = fmin(x->least, isnan(r->least) ? r->rate : r->least);
        x->largest = fmax(x->largest, r->rate);
        x->mean += (r->rate - x->mean) / (double)x->settings;
    }
    return count;
}

static void tell(const iv_study *s)
{
    const iv_rate *worst = NULL;
    size_t intervals = 0, low = 0;

    for (size_t i = 0; i < s->rows; i++) {
        const iv_rate *r = &s->row[i];
        /* Only of an interval with the study's confidence. */
        if (r->nominal != s->confidence || !isfinite(r->width) || !isfinite(r->rate))
            continue;
        intervals++;
        low += r->rate < s->confidence - 0.05;
        if (worst == NULL || r->rate < worst->rate)
            worst = r;
    }
    if (worst == NULL)
        iv_result_answer(s->out, "%zu rates of decisions; see the column nominal for what they "
                         "should be.", s->rows);
    else
        iv_result_answer(s->out, "%zu of %zu intervals have coverage below %.2f at confidence "
                         "%.2f; the lowest is %.3f (%s, %s, %s).", low, intervals,
                         s->confidence - 0.05, s->confidence, worst->rate, worst->method,
                         worst->data, worst->setting);
    if (s->q->quick)
        iv_result_note(s->out, "This quick study used a twentieth of the simulations; column 'se' "
                       "of table 'rates' has the standard errors.");
}

static int show(iv_study *s, iv_err *err)
{
    summary_row *all = iv_take(&s->own, s->rows, sizeof *all);

    IV_TRY(iv_taken(&s->own, err));
    if (s->rows == 0)
        return iv_fail(err, IV_EARG, "there is no such setting or method");
    tell(s);
    const size_t count = summarise(all, s);
    const unsigned with = s->q->study == IV_STUDY_COVERAGE ? SEVERAL : 0;
    IV_TABLE(s->out, "rates", iv_study_rate_fields, s->row, s->rows, .with = with,
             .showing = IV_LONG);
    IV_TABLE(s->out, "summary", iv_study_summary_fields, all, count, .with = with);
    iv_result_chart(s->out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "summary", .title = "Least, mean and largest rate",
        .caption = "A point is the mean rate over settings. The line goes from the smallest to "
                   "the largest. The dashed line is the nominal coverage.",
        .label = "data", .against = "method", .panel = "quantity", .page = "study",
        .value = "mean", .lower = "least", .upper = "largest",
        .lines = { { "nominal", s->confidence, true } } });
    return iv_result_status(s->out, err);
}

static const struct {
    int (*run)(iv_study *s, iv_err *err);
    const char *used[5]; /* methods, by their ids */
} studies[IV_STUDIES] = {
    { NULL, { NULL } },
    { iv_study_recall, { "betabin", "koopman" } },
    { iv_study_map, { "logit-bootstrap", "bca", "t" } },
    { iv_study_prf, { "goutte", "clopper-pearson", "wilson" } },
    { iv_study_power, { "incomplete", "larger-p", "randomisation", "holm" } },
    { iv_study_sampling, { "stevens", "aslam-pavlu" } },
    { iv_study_judging, { "incomplete" } },
    { iv_study_stopping, { "betabin", "lan-demets" } },
    { iv_study_machine, { "regression-estimator" } },
    { iv_study_others, { "delong", "kappa", "alpha", "clustered", "two-way-sandwich" } },
    { iv_study_plans, { "larger-p", "betabin", "hypergeometric" } },
    { iv_study_gates, { "margin", "betting", "clopper-pearson", "mover" } },
    { iv_study_judged, { "judge-regression", "wilson", "mover" } },
    { iv_study_watch, { "watch" } } };

static bool wanted(const iv_study_question *q, int kind)
{
    if (q->study != IV_STUDY_COVERAGE)
        return (int)q->study == kind;
    for (size_t i = 0; i < q->only.count; i++)
        if (strcmp(q->only.at[i], iv_study_names()[kind]) == 0)
            return true;
    return q->only.count == 0 && kind < IV_STUDY_GATES;
}

static int run(iv_study *s, const iv_work *work, iv_err *err)
{
    iv_stage stage;
    size_t count = 0, done = 0;

    for (int k = 1; k < IV_STUDIES; k++)
        count += wanted(s->q, k);
    for (int k = 1; k < IV_STUDIES; k++) {
        if (!wanted(s->q, k))
            continue;
        s->name = iv_study_names()[k];
        s->work = iv_work_nth(&stage, work, done++, count);
        iv_study_steps(s, 1);
        IV_TRY(studies[k].run(s, err));
        for (size_t i = 0; i < 5 && studies[k].used[i] != NULL; i++)
            iv_result_used(s->out, studies[k].used[i]);
    }
    return show(s, err);
}

static int check(const iv_study_question *q, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];

    if (q->confidence != 0.0 && !(q->confidence > 0.0 && q->confidence < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g; expected between 0 and 1", q->confidence);
    for (size_t i = 0; i < q->only.count; i++) {
        int k = 1;
        while (k < IV_STUDIES && strcmp(q->only.at[i], iv_study_names()[k]) != 0)
            k++;
        if (k == IV_STUDIES)
            return iv_fail(err, IV_EARG, "unknown study %s; expected recall, map, prf, power, "
                           "sampling, judging, stopping, machine, plans or others",
                           iv_quote(quoted, iv_str_of(q->only.at[i])));
    }
    return IV_OK;
}

int iv_study_answer(iv_result *out, const iv_study_question *q, const iv_work *work, iv_err *err)
{
    iv_study s = { .q = q, .out = out,
                   .confidence = q->confidence == 0.0 ? 0.95 : q->confidence };
    int rc = check(q, err);
    iv_stage stage;

    if (rc == IV_OK && q->rankings.count > 0) {
        s.name = "rankings";
        s.work = iv_work_nth(&stage, work, 0, 1);
        rc = iv_study_rankings(&s, err);
    } else if (rc == IV_OK) {
        rc = run(&s, work, err);
    }
    free(s.row);
    iv_arena_free(&s.own);
    return rc;
}

/* Which tables the studies have. */

#define STUDY(name)                                                           \
    { "study " name, "rates", iv_study_rate_fields },                         \
    { "study " name, "summary", iv_study_summary_fields }

static const iv_known_table listed[] = {
    { "papers", "papers", iv_paper_list_fields },
    { "papers", "values", iv_paper_value_fields },
    { "papers", "totals", iv_paper_total_fields },
    { "papers", "differs", iv_paper_failure_fields },
    { "papers", "claims", iv_paper_claim_fields },
    { "papers", "verdicts", iv_paper_verdict_fields },
    { "papers", "commands", iv_paper_command_fields },
    { "papers", "figures", iv_paper_point_fields },
    STUDY("coverage"), STUDY("recall"), STUDY("map"), STUDY("prf"), STUDY("power"),
    STUDY("sampling"), { "study sampling", "errors", iv_study_sampling_fields },
    STUDY("judging"), { "study judging", "judgments", iv_study_judging_fields },
    STUDY("stopping"), { "study stopping", "rules", iv_study_rule_fields },
    { "study stopping", "reviews", iv_study_review_fields }, STUDY("machine"), STUDY("plans"),
    STUDY("gates"),
    STUDY("judged"),
    STUDY("watch"),
};

size_t iv_study_tables(const iv_known_table **out)
{
    *out = listed;
    return sizeof listed / sizeof *listed;
}
