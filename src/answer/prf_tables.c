/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of metrics and comparisons. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_columns.h"
#include "answer/prf_parts.h"
#include "base/memory.h"
#include "base/result.h"

const iv_field iv_prf_pair_fields[] = {
    { "a", IV_AT(iv_prf_pair, a), .about = "a system" },
    { "b", IV_AT(iv_prf_pair, b), .about = "another" },
    { "metric", IV_AT(iv_prf_pair, metric), .about = "metric, perhaps of a category" },
    { "probability", IV_AT(iv_prf_pair, probability), .digits = 4, .about = "P(a > b)" },
    { "difference", IV_AT(iv_prf_pair, difference), .digits = 4,
      .about = "posterior mean of a - b" },
    { "lower", IV_AT(iv_prf_pair, lower), .digits = 4, .about = "of a - b" },
    { "upper", IV_AT(iv_prf_pair, upper), .digits = 4, .about = "of a - b" },
    { NULL } };

const iv_field iv_prf_pair_error_fields[] = {
    { "a", IV_AT(iv_prf_pair, a), .about = "a system" },
    { "b", IV_AT(iv_prf_pair, b), .about = "another" },
    { "metric", IV_AT(iv_prf_pair, metric), .about = "metric, perhaps of a category" },
    { "draws", IV_AT(iv_prf_pair, drawn), .about = "draws of the posterior" },
    { "probability_error", IV_AT(iv_prf_pair, probability_error), .digits = 6,
      .about = "Monte Carlo standard error" },
    { "difference_error", IV_AT(iv_prf_pair, difference_error), .digits = 6,
      .about = "Monte Carlo standard error" },
    { "lower_error", IV_AT(iv_prf_pair, lower_error), .digits = 6,
      .about = "Monte Carlo standard error" },
    { "upper_error", IV_AT(iv_prf_pair, upper_error), .digits = 6,
      .about = "Monte Carlo standard error" },
    { NULL } };

const iv_field iv_prf_best_fields[] = {
    { "metric", IV_AT(iv_prf_best, metric), .about = "metric, perhaps an average" },
    { "system", IV_AT(iv_prf_best, system), .about = "a system" },
    { "probability", IV_AT(iv_prf_best, probability), .digits = 4,
      .about = "P(it is the best of all)" },
    { "error", IV_AT(iv_prf_best, error), .digits = 5,
      .about = "Monte Carlo standard error; missing where exact" },
    { NULL } };

const iv_field iv_prf_alone_fields[] = {
    { "a", IV_AT(iv_prf_alone, a), .about = "a system" },
    { "b", IV_AT(iv_prf_alone, b), .about = "another" },
    { "a_only", IV_AT(iv_prf_alone, a_only), .about = "items only a got right" },
    { "b_only", IV_AT(iv_prf_alone, b_only), .about = "items only b got right" },
    { "agree", IV_AT(iv_prf_alone, agree), .about = "items both or neither got right" },
    { "probability", IV_AT(iv_prf_alone, probability), .digits = 4,
      .about = "P(a is right more often)" },
    { "difference", IV_AT(iv_prf_alone, difference), .digits = 4,
      .about = "posterior mean of the difference in accuracy" },
    { "log_odds", IV_AT(iv_prf_alone, log_odds), .digits = 4,
      .about = "posterior mean of the log of a alone over b alone" },
    { "mcnemar_p", IV_AT(iv_prf_alone, mcnemar_p), .digits = 4,
      .about = "McNemar's exact two-sided p" },
    { NULL } };

const iv_field iv_prf_metric_fields[] = {
    { "system", IV_AT(iv_prf_estimate, system), .about = "a system" },
    { "metric", IV_AT(iv_prf_estimate, metric), .about = "metric, perhaps of a category" },
    { "value", IV_AT(iv_prf_estimate, value), .digits = 4,
      .about = "of the counts; missing where 0/0" },
    { "mean", IV_AT(iv_prf_estimate, mean), .digits = 4, .about = "of the posterior" },
    { "mode", IV_AT(iv_prf_estimate, mode), .digits = 4, .about = "of the posterior" },
    { "lower", IV_AT(iv_prf_estimate, lower), .digits = 4, .about = "end of the interval" },
    { "upper", IV_AT(iv_prf_estimate, upper), .digits = 4, .about = "end of the interval" },
    { NULL } };

const iv_field iv_prf_metric_error_fields[] = {
    { "system", IV_AT(iv_prf_estimate, system), .about = "a system" },
    { "metric", IV_AT(iv_prf_estimate, metric), .about = "metric, perhaps of a category" },
    { "draws", IV_AT(iv_prf_estimate, drawn), .about = "draws of the posterior" },
    { "mean_error", IV_AT(iv_prf_estimate, mean_error), .digits = 6,
      .about = "Monte Carlo standard error; 0 where the mean is known" },
    { "mode_error", IV_AT(iv_prf_estimate, mode_error), .digits = 6,
      .about = "Monte Carlo standard error" },
    { "lower_error", IV_AT(iv_prf_estimate, lower_error), .digits = 6,
      .about = "Monte Carlo standard error" },
    { "upper_error", IV_AT(iv_prf_estimate, upper_error), .digits = 6,
      .about = "Monte Carlo standard error" },
    { NULL } };

/* P(row > column), metrics x systems x systems; NaN where there is no such pair. */
static double *fill_matrix(const iv_prf_evaluation *e)
{
    const size_t n = e->system_count, metrics = e->best_count / n;
    double *p = malloc(metrics * n * n * sizeof *p);

    for (size_t i = 0; p != NULL && i < metrics * n * n; i++)
        p[i] = NAN;
    for (size_t i = 0; p != NULL && i < e->pair_count; i++) {
        const iv_prf_pair *pair = &e->pairs[i];
        for (size_t m = 0; m < metrics; m++) {
            if (strcmp(e->best[m * n].metric, pair->metric) != 0)
                continue;
            p[(m * n + pair->a_at) * n + pair->b_at] = pair->probability;
            p[(m * n + pair->b_at) * n + pair->a_at] = 1.0 - pair->probability;
        }
    }
    return p;
}

const iv_field iv_prf_matrix_fields[] = {
    { "metric", .about = "precision, recall, F or another" },
    { "system", .about = "a system" },
    { "SYSTEM", .about = "probability that the row's system is better than this one" },
    { NULL } };

const char *iv_prf_column(iv_result *out, const iv_field *fields, const char *name)
{
    char other[16];

    if (strcmp(name, fields[0].name) != 0 && strcmp(name, fields[1].name) != 0)
        return name;
    (void)snprintf(other, sizeof other, "%s_", name);
    const char *kept = iv_result_keep(out, iv_str_of(other));
    return kept != NULL ? kept : name; /* the result knows that memory is out */
}

/* One column a system, so it cannot be declared. */
static int add_matrix(iv_result *out, const iv_prf_evaluation *e, iv_err *err)
{
    const size_t n = e->system_count;
    iv_column *columns = calloc(n + 2, sizeof *columns);
    double *p = fill_matrix(e);

    if (columns == NULL || p == NULL) {
        free(columns);
        free(p);
        return iv_no_memory(err);
    }
    for (size_t s = 0; s < n + 2; s++) {
        const iv_field *f = &iv_prf_matrix_fields[s < 2 ? s : 2];
        columns[s] = (iv_column){ s < 2 ? f->name
                                        : iv_prf_column(out, iv_prf_matrix_fields,
                                                        e->systems[s - 2].name),
                                  s < 2 ? IV_TEXT : IV_REAL, s < 2 ? 0 : 4, IV_FOR_ALL, f->about };
    }
    iv_table *t = iv_result_table(out, "matrix", columns, n + 2);
    for (size_t i = 0; i < e->best_count; i++) {
        iv_put_text(t, iv_str_of(e->best[i].metric));
        iv_put_text(t, iv_str_of(e->best[i].system));
        for (size_t s = 0; s < n; s++)
            iv_put_real(t, p[i * n + s]);
    }
    free(columns);
    free(p);
    return IV_OK;
}

static int add_comparison(iv_result *out, const iv_prf_evaluation *e, iv_err *err)
{
    int rc = IV_OK;

    (void)iv_result_rows(out, &(iv_rows){
        .name = "comparison", .fields = iv_prf_pair_fields, .at = e->pairs, .count = e->pair_count,
        .size = sizeof *e->pairs, .drawn = { "difference", "lower", "upper", 0.0, 0.0 } });
    if (e->best_count > 0) {
        rc = add_matrix(out, e, err);
        (void)iv_result_rows(out, &(iv_rows){ "best", iv_prf_best_fields, e->best, e->best_count,
                                              sizeof *e->best });
    }
    if (e->alone_count > 0)
        (void)iv_result_rows(out, &(iv_rows){ "paired", iv_prf_alone_fields, e->alone, e->alone_count,
                                              sizeof *e->alone });
    return rc;
}

/* Of what is drawn, the errors. */
static int add_errors(iv_result *out, const iv_prf_evaluation *e, iv_showing showing, iv_err *err)
{
    iv_prf_estimate *drawn = malloc((e->estimate_count + 1) * sizeof *drawn);
    iv_prf_pair *pairs = malloc((e->pair_count + 1) * sizeof *pairs);
    size_t count = 0, pair_count = 0;

    for (size_t i = 0; drawn != NULL && i < e->estimate_count; i++)
        if (e->estimates[i].drawn > 0)
            drawn[count++] = e->estimates[i];
    for (size_t i = 0; pairs != NULL && i < e->pair_count; i++)
        if (e->pairs[i].drawn > 0)
            pairs[pair_count++] = e->pairs[i];
    if (count > 0)
        (void)iv_result_rows(out, &(iv_rows){ "monte_carlo", iv_prf_metric_error_fields, drawn, count,
                                              sizeof *drawn, .showing = showing });
    if (pair_count > 0)
        (void)iv_result_rows(out, &(iv_rows){ "comparison_monte_carlo", iv_prf_pair_error_fields, pairs,
                                              pair_count, sizeof *pairs });
    const bool failed = drawn == NULL || pairs == NULL;
    free(drawn);
    free(pairs);
    return failed ? iv_no_memory(err) : IV_OK;
}

/* Is it one of those named, as itself or of some category? */
bool iv_prf_named(const iv_texts *metrics, const char *metric)
{
    const size_t bare = strcspn(metric, "[");

    for (size_t i = 0; i < metrics->count; i++)
        if (strcmp(metrics->at[i], metric) == 0
            || (strlen(metrics->at[i]) == bare && strncmp(metrics->at[i], metric, bare) == 0))
            return true;
    return metrics->count == 0;
}

/* What is left of an evaluation with the named metrics only; its arrays are memory's. */
static int choose(iv_prf_evaluation *to, iv_arena *memory, const iv_texts *metrics, iv_err *err)
{
    iv_prf_estimate *x = iv_take(memory, to->estimate_count, sizeof *x);
    iv_prf_pair *y = iv_take(memory, to->pair_count, sizeof *y);
    size_t n = 0, pairs = 0;

    IV_TRY(iv_taken(memory, err));
    for (size_t k = 0; k < metrics->count; k++) {
        bool there = false;
        for (size_t i = 0; i < to->estimate_count && !there; i++)
            there = iv_prf_named(&(iv_texts){ &metrics->at[k], 1 }, to->estimates[i].metric);
        if (!there)
            return iv_fail(err, IV_EARG, "there is no metric '%.60s'; expected one of table "
                           "metrics, such as %s", metrics->at[k], to->estimates[0].metric);
    }
    for (size_t i = 0; i < to->estimate_count; i++)
        if (iv_prf_named(metrics, to->estimates[i].metric))
            x[n++] = to->estimates[i];
    for (size_t i = 0; i < to->pair_count; i++)
        if (iv_prf_named(metrics, to->pairs[i].metric))
            y[pairs++] = to->pairs[i];
    to->estimates = x;
    to->estimate_count = n;
    to->pairs = y;
    to->pair_count = pairs;
    return IV_OK;
}

int iv_prf_tables(iv_result *out, const iv_prf_evaluation *e, const iv_texts *metrics,
                  iv_err *err)
{
    /* Of classes people read a table of their own, unless they name metrics. */
    const bool classes = e->systems[0].count > 1 && !e->compared && metrics->count == 0;
    iv_prf_evaluation chosen = *e;
    iv_arena memory = { 0 };
    int rc = choose(&chosen, &memory, metrics, err);

    if (rc == IV_OK && e->compared)
        rc = add_comparison(out, &chosen, err);
    if (rc == IV_OK)
        (void)iv_result_rows(out, &(iv_rows){
            .name = "metrics", .fields = iv_prf_metric_fields, .at = chosen.estimates,
            .count = chosen.estimate_count, .size = sizeof *e->estimates,
            .showing = classes ? IV_FOLDED : IV_SHOWN,
            .drawn = { "value", "lower", "upper", 0.0, 0.0 } });
    /* The first table is what programs get unasked. */
    if (rc == IV_OK && classes)
        rc = iv_prf_class_tables(out, e, err);
    if (rc == IV_OK)
        rc = add_errors(out, &chosen, classes ? IV_FOLDED : IV_SHOWN, err);
    iv_arena_free(&memory);
    return rc;
}
