/* SPDX-License-Identifier: Apache-2.0 */
/* The tables and charts of precision, recall and F. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_parts.h"
#include "answer/prf_parts.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/result.h"
#include "stat/prf/prf_state.h"
#include "base/base_private.h"

enum { COLUMNS = 3, CELL = 32, MANY = 1, POINTS = 120, MOST_SYSTEMS = 8 };

const iv_field iv_prf_pair_fields[] = {
    { "a", IV_AT(iv_prf_pair, a), .about = "a system" },
    { "b", IV_AT(iv_prf_pair, b), .about = "another system" },
    { "metric", IV_AT(iv_prf_pair, metric), .about = "metric; in brackets, the class or average" },
    { "probability", IV_AT(iv_prf_pair, probability), .digits = 4,
      .about = "probability that a is better; for macro and weighted averages, 1 minus the "
               "one-sided p-value" },
    { "difference", IV_AT(iv_prf_pair, difference), .digits = 4,
      .about = "posterior mean of a - b; for macro and weighted averages, a - b" },
    IV_LIMITS(iv_prf_pair, , 4),
    { NULL } };

const iv_field iv_prf_best_fields[] = {
    { "metric", IV_AT(iv_prf_pair, metric), .about = "metric or average" },
    { "system", IV_AT(iv_prf_pair, a), .about = "a system" },
    { "probability", IV_AT(iv_prf_pair, probability), .digits = 3,
      .about = "probability of being the best" },
    { "error", IV_AT(iv_prf_pair, probability_error), .digits = 5, .audience = IV_FOR_PROGRAMS,
      .about = "Monte Carlo standard error" },
    { NULL } };

const iv_field iv_prf_alone_fields[] = {
    { "a", IV_AT(iv_prf_pair, a), .about = "a system" },
    { "b", IV_AT(iv_prf_pair, b), .about = "another system" },
    { "a_only", IV_AT(iv_prf_pair, a_only), .about = "items that only a got right" },
    { "b_only", IV_AT(iv_prf_pair, b_only), .about = "items that only b got right" },
    { "agree", IV_AT(iv_prf_pair, agree),
      .about = "items that both or neither got right" },
    { "probability", IV_AT(iv_prf_pair, probability), .digits = 4,
      .about = "probability that a is right more often" },
    { "difference", IV_AT(iv_prf_pair, difference), .digits = 4, .audience = IV_IF_ANY,
      .about = "posterior mean of the difference in accuracy" },
    IV_LIMITS_FOR(iv_prf_pair, , 4, IV_IF_ANY),
    { "log_odds", IV_AT(iv_prf_pair, log_odds), .digits = 4,
      .about = "posterior mean of log(a_only / b_only)" },
    { "mcnemar_p", IV_AT(iv_prf_pair, mcnemar_p), .digits = 4,
      .about = "two-sided p-value of McNemar's test" },
    { NULL } };

const iv_field iv_prf_metric_fields[] = {
    { "system", IV_AT(iv_prf_estimate, system), .about = "a system" },
    { "metric", IV_AT(iv_prf_estimate, metric), .about = "metric; in brackets, the class or "
                                                         "average" },
    { "value", IV_AT(iv_prf_estimate, value), .digits = 4,
      .about = "value from the counts; empty for 0/0" },
    { "mean", IV_AT(iv_prf_estimate, mean), .digits = 4,
      .about = "mean of the posterior; averages have none" },
    { "mode", IV_AT(iv_prf_estimate, mode), .digits = 4, .about = "mode of the posterior" },
    IV_LIMITS(iv_prf_estimate, , 4),
    { NULL } };

/* -------------------------------------------------------------------- classes -- */

/* A line a class, averages below; programs have the long table of metrics. */
typedef struct class_row {
    const char *system, *klass;
    char value[COLUMNS][CELL];
    int64_t support;
} class_row;

const iv_field iv_prf_class_fields[] = {
    { "system", IV_AT(class_row, system), .shown = MANY, .about = "a system" },
    { "class", IV_AT(class_row, klass), .about = "a class or category, or an average" },
    { "precision", IV_AT(class_row, value[0]), .about = "value and interval" },
    { "recall", IV_AT(class_row, value[1]), .about = "value and interval" },
    { "f1", IV_AT(class_row, value[2]),
      .about = "value and interval; the row 'accuracy' has the accuracy here" },
    { "support", IV_AT(class_row, support), .about = "items of the class" },
    { NULL } };

static void write_cell(char out[CELL], const iv_prf_estimate *x)
{
    if (x == NULL)
        out[0] = '\0';
    else if (isnan(x->value))
        (void)snprintf(out, CELL, "- [%.3f, %.3f]", x->lower, x->upper);
    else if (isnan(x->lower))
        (void)snprintf(out, CELL, "%.3f", x->value);
    else
        (void)snprintf(out, CELL, "%.3f [%.3f, %.3f]", x->value, x->lower, x->upper);
}

static class_row row_of(const iv_prf_evaluation *e, size_t system, const char *klass,
                        int64_t support)
{
    static const char *const metrics[COLUMNS] = { "precision", "recall", "f1" };
    class_row r = { .system = e->systems[system].name, .klass = klass, .support = support };
    char name[400];

    for (size_t m = 0; m < COLUMNS; m++) {
        (void)snprintf(name, sizeof name, "%s[%s]", metrics[m], klass);
        write_cell(r.value[m], iv_prf_find(e, system, name));
    }
    return r;
}

static size_t fill_system(class_row *rows, const iv_prf_evaluation *e, size_t system)
{
    const iv_prf_system *s = &e->systems[system];
    int64_t all = 0;
    size_t n = 0;

    if (e->classes[0] != NULL) { /* of two classes one is the rest */
        const iv_prf_counts *c = &s->categories[0].counts;
        rows[n++] = row_of(e, system, e->classes[0], c->fp + c->tn);
        rows[n++] = row_of(e, system, e->classes[1], c->tp + c->fn);
        all = c->tp + c->fp + c->fn + c->tn;
    }
    for (size_t c = 0; c < s->count && e->classes[0] == NULL; c++) {
        const iv_prf_counts *k = &s->categories[c].counts;
        rows[n++] = row_of(e, system, s->categories[c].category, k->tp + k->fn);
        all += k->tp + k->fn;
    }
    rows[n++] = row_of(e, system, "macro", all);
    if (e->multiclass || e->classes[0] != NULL) {
        rows[n++] = row_of(e, system, "weighted", all);
        rows[n] = (class_row){ .system = s->name, .klass = "accuracy", .support = all };
        write_cell(rows[n++].value[2], iv_prf_find(e, system, "accuracy"));
    } else {
        rows[n++] = row_of(e, system, "micro", all);
    }
    return n;
}

const iv_field iv_prf_confusion_fields[] = {
    { "system", .about = "a system" },
    { "is", .about = "class in the gold labels" },
    { "CLASS", .about = "items that the system puts into this class" },
    { NULL } };

/* A column is called as its class, with a '_' where one of the first two has that name. */
static const char *column_of(iv_result *out, const char *name)
{
    char other[16];

    if (strcmp(name, "system") != 0 && strcmp(name, "is") != 0)
        return name;
    (void)snprintf(other, sizeof other, "%s_", name);
    const char *kept = iv_result_keep(out, iv_str_of(other));
    return kept != NULL ? kept : name; /* the result knows that memory is out */
}

/* Gold's classes down, the system's across; one column a class, so it cannot be declared. */
static int add_confusion(iv_result *out, const iv_prf_evaluation *e, iv_err *err)
{
    const size_t k = e->systems[0].count, many = e->system_count > 1;
    iv_column *columns = iv_take(&out->own, k + 2, sizeof *columns);

    IV_TRY(iv_taken(&out->own, err));
    for (size_t c = 0; c < k + 2; c++) {
        const iv_field *f = &iv_prf_confusion_fields[c < 2 ? c : 2];
        columns[c] = (iv_column){ .name = c < 2 ? f->name
                                      : column_of(out, e->systems[0].categories[c - 2].category),
                                  .kind = c < 2 ? IV_TEXT : IV_INTEGER,
                                  .audience = c > 0 || many ? IV_FOR_ALL : IV_FOR_PROGRAMS,
                                  .about = f->about };
    }
    iv_table *t = iv_result_table(out, "confusion", columns, k + 2);
    for (size_t i = 0; i < e->system_count * k; i++) {
        iv_put_text(t, iv_str_of(e->systems[i / k].name));
        iv_put_text(t, iv_str_of(e->systems[0].categories[i % k].category));
        for (size_t c = 0; c < k; c++)
            iv_put_int(t, e->confusion[i * k + c]);
    }
    return IV_OK;
}

static int add_classes(iv_result *out, const iv_prf_evaluation *e, iv_err *err)
{
    size_t most = 0, n = 0;

    for (size_t s = 0; s < e->system_count; s++)
        most += e->systems[s].count + 4;
    class_row *rows = iv_take(&out->own, most, sizeof *rows);
    IV_TRY(iv_taken(&out->own, err));
    for (size_t s = 0; s < e->system_count; s++)
        n += fill_system(rows + n, e, s);
    IV_TABLE(out, "classes", iv_prf_class_fields, rows, n, .with = e->system_count > 1 ? MANY : 0);
    return e->confusion != NULL ? add_confusion(out, e, err) : IV_OK;
}

/* --------------------------------------------------------------------- curves -- */

const iv_field iv_prf_curve_fields[] = {
    { "system", IV_AT(iv_row, text[0]), .about = "a system" },
    { "metric", IV_AT(iv_row, text[1]), .about = "precision, recall or F" },
    { "x", IV_AT(iv_row, real[0]), .digits = 4, .about = "value on the horizontal axis" },
    { "density", IV_AT(iv_row, real[1]), .digits = 3, .about = "density of the posterior at x" },
    IV_LIMITS(iv_row, is., 4),
    { NULL } };

/* Precision, recall and F of a system as a whole. */
static bool is_drawn(const iv_prf_estimate *x)
{
    return x->system_at < MOST_SYSTEMS && x->kind.kind < IV_PRF_SPECIFICITY
        && x->posterior != NULL && strchr(x->metric, '[') == NULL;
}

static size_t fill_curve(iv_row *to, const iv_prf_estimate *e)
{
    const double from = iv_posterior_quantile(e->posterior, 0.0002);
    const double end = iv_posterior_quantile(e->posterior, 0.9998);
    double x[POINTS + 3];
    size_t count = 0, n = 0;

    for (int k = 0; k <= POINTS; k++)
        x[count++] = from + (end - from) * k / POINTS;
    /* The dark part is to end at the limits, so these are on the curve too. */
    x[count++] = fmin(fmax(e->lower, from), end);
    x[count++] = fmin(fmax(e->upper, from), end);
    qsort(x, count, sizeof *x, iv_rising);
    for (size_t k = 0; k < count && end > from; k++)
        if (k == 0 || x[k] > x[k - 1])
            to[n++] = (iv_row){
                .text = { e->system, e->metric },
                .real = { x[k], exp(iv_posterior_log_density(e->posterior, x[k])) },
                .is = { .lower = e->lower, .upper = e->upper } };
    return n;
}

static int add_curves(iv_result *out, const iv_prf_evaluation *e, iv_err *err)
{
    size_t curves = 0, count = 0;

    for (size_t i = 0; i < e->estimate_count; i++)
        curves += is_drawn(&e->estimates[i]);
    iv_row *at = iv_take(&out->own, curves * (POINTS + 3) + 1, sizeof *at);
    IV_TRY(iv_taken(&out->own, err));
    for (size_t i = 0; i < e->estimate_count; i++)
        if (is_drawn(&e->estimates[i]))
            count += fill_curve(at + count, &e->estimates[i]);
    if (count > 0)
        IV_TABLE(out, "curves", iv_prf_curve_fields, at, count, .showing = IV_FOLDED);
    if (count > 0 && iv_result_wants_charts(out))
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_DENSITY, .table = "curves", .title = "The posteriors",
            .caption = "The higher a curve, the more likely that value, given the counts. The "
                       "dark part is the interval.",
            .panel = "metric", .group = e->system_count > 1 ? "system" : NULL, .x = "x",
            .value = "density", .lower = "lower", .upper = "upper",
            .x_axis = { .title = "value" } });
    return IV_OK;
}

static void add_charts(iv_result *out, const iv_prf_evaluation *e, const char *headline)
{
    const bool many = e->system_count > 1, pages = e->system_count > 2;

    if (e->pair_count > 0)
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_FOREST, .table = "comparison", .title = "The differences",
            .caption = "A point is the difference of two systems, first minus second. The line "
                       "is its interval. If the line crosses 0, either may be better.",
            .label = pages ? "a" : "metric", .against = pages ? "b" : NULL,
            .page = pages ? "metric" : NULL, .opens = headline, .value = "difference",
            .lower = "lower", .upper = "upper", .lines = { { "no difference", 0.0, true } } });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "metrics", .title = many ? "The systems" : "The metrics",
        .caption = "A point is the value on these items. The line is its interval.",
        .label = many ? "system" : "metric", .page = many ? "metric" : NULL, .opens = headline,
        .value = "value", .lower = "lower", .upper = "upper" });
}

/* ------------------------------------------------------------------------ all -- */

static void add_comparison(iv_result *out, const iv_prf_evaluation *e)
{
    if (e->pair_count > 0)
        IV_TABLE(out, "comparison", iv_prf_pair_fields, e->pairs, e->pair_count,
                 .drawn = { "difference", "lower", "upper" });
    if (e->best_count > 0)
        IV_TABLE(out, "best", iv_prf_best_fields, e->best, e->best_count);
    if (e->alone_count > 0)
        IV_TABLE(out, "paired", iv_prf_alone_fields, e->alone, e->alone_count);
}

int iv_prf_tables(iv_result *out, const iv_prf_evaluation *e, const char *headline,
                  const iv_prf_options *how, iv_err *err)
{
    /* Of classes people read a table of their own, unless they name metrics. */
    const bool classes = how->metrics.count == 0 && e->system_count > 0
        && (e->systems[0].count > 1 || e->classes[0] != NULL);
    const bool asked = how->compare || how->paired;

    /* The first table is what programs get: a comparison, if they asked for one. */
    if (asked)
        add_comparison(out, e);
    if (e->estimate_count == 0)
        return IV_OK;
    IV_TABLE(out, "metrics", iv_prf_metric_fields, e->estimates, e->estimate_count,
             .showing = classes ? IV_FOLDED : IV_SHOWN, .drawn = { "value", "lower", "upper" });
    if (classes)
        IV_TRY(add_classes(out, e, err));
    if (!asked)
        add_comparison(out, e);
    if (iv_result_wants_charts(out))
        add_charts(out, e, headline);
    if (iv_result_wants(out, "curves", IV_FOLDED))
        IV_TRY(add_curves(out, e, err));
    iv_result_assumption(out, "The items are an independent random sample of those of interest, "
                              "and their gold labels are correct.");
    return IV_OK;
}
