/* SPDX-License-Identifier: Apache-2.0 */
/* prf -- precision, recall and F: the answer in a sentence, what is claimed, and what to know. */
#include "base/arguments.h"
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/order.h"
#include "classify/checked.h"
#include "classify/class_groups.h"
#include "classify/classify_messages.h"
#include "classify/confusion.h"
#include "classify/prf_claims.h"
#include "classify/prf_making.h"
#include "classify/prf_options.h"
#include "result/answering.h"
#include "result/cautions.h"
#include "result/claims.h"
#include "result/methods.h"
#include "result/wording.h"
#include "stat/prf/prf_posterior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The tables and charts of precision, recall and F. */

enum { ONE_PAIR = 1, MANY_PAIRS = 2 };

enum { COLUMNS = 3, CELL = 32, MANY = 1, POINTS = 120, MOST_SYSTEMS = 8 };

const iv_field iv_prf_pair_fields[] = {
    { "a", IV_AT(iv_prf_pair, a), .about = "a system" },
    { "b", IV_AT(iv_prf_pair, b), .about = "another system" },
    { "metric", IV_AT(iv_prf_pair, metric), .about = "metric; in brackets, the class or average" },
    { "probability", IV_AT(iv_prf_pair, probability), .digits = 4, .heading = "P(a better)",
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
    { "a_only", IV_AT(iv_prf_pair, a_only), .heading = "only a right",
      .about = "items that only a got right" },
    { "b_only", IV_AT(iv_prf_pair, b_only), .heading = "only b right",
      .about = "items that only b got right" },
    { "agree", IV_AT(iv_prf_pair, agree), .heading = "both or neither right",
      .about = "items that both or neither got right" },
    { "probability", IV_AT(iv_prf_pair, probability), .digits = 4, .heading = "P(a better)",
      .about = "probability that a is right more often" },
    { "difference", IV_AT(iv_prf_pair, difference), .digits = 4, .audience = IV_IF_ANY,
      .heading = "difference in accuracy",
      .about = "posterior mean of the difference in accuracy" },
    IV_LIMITS_FOR(iv_prf_pair, , 4, IV_IF_ANY),
    { "log_odds", IV_AT(iv_prf_pair, log_odds), .digits = 4, .audience = IV_IF_VERBOSE,
      .about = "posterior mean of log(only a right / only b right)" },
    { "mcnemar_p", IV_AT(iv_prf_pair, mcnemar_p), .digits = 4, .heading = "p (McNemar)",
      .shown = ONE_PAIR, .about = "two-sided p-value of McNemar's test" },
    { "mcnemar_adjusted", IV_AT(iv_prf_pair, mcnemar_adjusted), .digits = 4,
      .heading = "p (McNemar, Holm)", .needs = MANY_PAIRS,
      .about = "the same by Holm's correction for all pairs" },
    { NULL } };

const iv_field iv_prf_metric_fields[] = {
    { "system", IV_AT(iv_prf_estimate, system), .audience = IV_IF_VARIES, .about = "a system" },
    { "metric", IV_AT(iv_prf_estimate, metric), .about = "metric; in brackets, the class or "
                                                         "average" },
    { "value", IV_AT(iv_prf_estimate, value), .digits = 4,
      .about = "value from the counts; empty for 0/0" },
    { "mean", IV_AT(iv_prf_estimate, mean), .digits = 4, .audience = IV_IF_VERBOSE,
      .about = "mean of the posterior; empty for macro and weighted averages" },
    { "mode", IV_AT(iv_prf_estimate, mode), .digits = 4, .audience = IV_IF_VERBOSE,
      .about = "mode of the posterior" },
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
    { "is", .heading = "gold \\ predicted", .about = "class in the gold labels" },
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

static const char *class_of(const iv_prf_evaluation *e, size_t c)
{
    return e->multiclass ? e->systems[0].categories[c].category
        : e->classes[c] != NULL ? e->classes[c] : c == 0 ? "negative" : "positive";
}

/* Gold's classes down, the system's across; one column a class, so it cannot be declared. */
static int add_confusion(iv_result *out, const iv_prf_evaluation *e, iv_showing showing,
                         iv_err *err)
{
    const size_t k = e->multiclass ? e->systems[0].count : 2, many = e->system_count > 1;
    iv_column *columns = iv_take(iv_result_own(out), k + 2, sizeof *columns);

    IV_TRY(iv_taken(iv_result_own(out), err));
    for (size_t c = 0; c < k + 2; c++) {
        const iv_field *f = &iv_prf_confusion_fields[c < 2 ? c : 2];
        columns[c] = (iv_column){ .name = c < 2 ? f->name
                                      : column_of(out, class_of(e, c - 2)),
                                  .kind = c < 2 ? IV_TEXT : IV_INTEGER,
                                  .audience = c > 0 || many ? IV_FOR_ALL : IV_FOR_PROGRAMS,
                                  .heading = f->heading, .about = f->about };
    }
    iv_table *t = iv_result_table(out, "confusion", columns, k + 2);
    iv_table_showing(t, showing);
    for (size_t i = 0; i < e->system_count * k; i++) {
        iv_put_text(t, iv_str_of(e->systems[i / k].name));
        iv_put_text(t, iv_str_of(class_of(e, i % k)));
        for (size_t c = 0; c < k; c++)
            iv_put_int(t, e->confusion[i * k + c]);
    }
    return IV_OK;
}

/* The same as proportions of each gold class, with intervals. */
static int find_confusion(iv_confusion *c, iv_result *out, const iv_prf_evaluation *e, iv_err *err)
{
    const size_t k = e->multiclass ? e->systems[0].count : 2;
    const char **names = iv_take(iv_result_own(out), e->system_count + k, sizeof *names);

    IV_TRY(iv_taken(iv_result_own(out), err));
    for (size_t i = 0; i < e->system_count; i++)
        names[i] = e->systems[i].name;
    for (size_t i = 0; i < k; i++)
        names[e->system_count + i] = class_of(e, i);
    *c = (iv_confusion){ names, e->system_count, names + e->system_count, k, e->confusion,
                         e->confidence, e->guaranteed };
    return IV_OK;
}

static int add_classes(iv_confusion *c, iv_result *out, const iv_prf_evaluation *e, iv_err *err)
{
    size_t most = 0, n = 0;

    for (size_t s = 0; s < e->system_count; s++)
        most += e->systems[s].count + 4;
    class_row *rows = iv_take(iv_result_own(out), most, sizeof *rows);
    IV_TRY(iv_taken(iv_result_own(out), err));
    for (size_t s = 0; s < e->system_count; s++)
        n += fill_system(rows + n, e, s);
    IV_TABLE(out, "classes", iv_prf_class_fields, rows, n, .with = e->system_count > 1 ? MANY : 0);
    if (e->confusion == NULL)
        return IV_OK;
    IV_TRY(find_confusion(c, out, e, err));
    IV_TRY(add_confusion(out, e, iv_confusion_is_short(c) ? IV_ASIDE : IV_SHOWN, err));
    return iv_confusion_put(out, c, err);
}

/* --------------------------------------------------------------------- curves -- */

/* A point of the density of a metric, with the limits of its interval. */
typedef struct curve_point {
    const char *system, *metric;
    double x, density, lower, upper;
} curve_point;

const iv_field iv_prf_curve_fields[] = {
    { "system", IV_AT(curve_point, system), .about = "a system" },
    { "metric", IV_AT(curve_point, metric), .about = "precision, recall or F" },
    { "x", IV_AT(curve_point, x), .digits = 4, .about = "value on the horizontal axis" },
    { "density", IV_AT(curve_point, density), .digits = 3,
      .about = "density of the posterior at x" },
    IV_LIMITS(curve_point, , 4),
    { NULL } };

/* Precision, recall and F of a system as a whole. */
static bool is_drawn(const iv_prf_estimate *x)
{
    return x->system_at < MOST_SYSTEMS && x->kind.kind < IV_PRF_SPECIFICITY
        && x->posterior != NULL && strchr(x->metric, '[') == NULL;
}

static size_t fill_curve(curve_point *to, const iv_prf_estimate *e)
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
    qsort(x, count, sizeof *x, iv_ascending);
    for (size_t k = 0; k < count && end > from; k++)
        if (k == 0 || x[k] > x[k - 1])
            to[n++] = (curve_point){
                .system = e->system, .metric = e->metric, .x = x[k],
                .density = exp(iv_posterior_log_density(e->posterior, x[k])),
                .lower = e->lower, .upper = e->upper };
    return n;
}

static int add_curves(iv_result *out, const iv_prf_evaluation *e, iv_err *err)
{
    size_t curves = 0, count = 0;

    for (size_t i = 0; i < e->estimate_count; i++)
        curves += is_drawn(&e->estimates[i]);
    curve_point *at = iv_take(iv_result_own(out), curves * (POINTS + 3) + 1, sizeof *at);
    IV_TRY(iv_taken(iv_result_own(out), err));
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
        IV_TABLE(out, "paired", iv_prf_alone_fields, e->alone, e->alone_count,
                 .with = e->alone_count > 1 ? MANY_PAIRS : ONE_PAIR);
}

/* The tables in the order in which they are shown, and charts, which open on the metric that the
 * sentence is about. */
static int prf_tables(iv_result *out, const iv_prf_evaluation *e, const char *headline,
                      const char *best, const iv_prf_options *how, iv_err *err)
{
    /* Of classes people read a table of their own, unless they name metrics. */
    const bool classes = how->metrics.count == 0 && e->system_count > 0
        && (e->systems[0].count > 1 || e->classes[0] != NULL);
    const bool asked = how->compare || how->paired;
    iv_confusion confusion;

    /* The first table is what programs get: a comparison, if they asked for one. */
    if (asked)
        add_comparison(out, e);
    if (e->estimate_count == 0)
        return IV_OK;
    IV_TABLE(out, "metrics", iv_prf_metric_fields, e->estimates, e->estimate_count,
             .showing = classes ? IV_FOLDED : IV_SHOWN, .drawn = { "value", "lower", "upper" });
    if (classes)
        IV_TRY(add_classes(&confusion, out, e, err));
    if (!asked)
        add_comparison(out, e);
    if (iv_result_wants_charts(out))
        add_charts(out, e, headline);
    if (iv_result_wants(out, "curves", IV_FOLDED))
        IV_TRY(add_curves(out, e, err));
    if (classes && e->confusion != NULL)
        iv_confusion_chart(out, &confusion, best);
    iv_result_assumption(out, "The items are an independent random sample of those of interest, "
                              "and their gold labels are correct.");
    return IV_OK;
}

/* "F1", "macro F1", "recall of cat": a metric as people say it. */
static const char *spoken(char out[160], const char *metric)
{
    const size_t bare = strcspn(metric, "[");
    const bool f = metric[0] == 'f' && metric[1] >= '0' && metric[1] <= '9';
    const char *first = f ? "F" : "", *stem = f ? metric + 1 : metric;
    const int len = (int)(bare - (f ? 1 : 0));
    const char *what = metric[bare] == '[' ? metric + bare + 1 : "";
    const int what_len = *what != '\0' ? (int)strlen(what) - 1 : 0;

    if (strcmp(metric, "mcc") == 0)
        (void)snprintf(out, 160, "MCC");
    else if (strcmp(metric, "balanced_accuracy") == 0)
        (void)snprintf(out, 160, "balanced accuracy");
    else if (strcmp(what, "macro]") == 0 || strcmp(what, "micro]") == 0
             || strcmp(what, "weighted]") == 0)
        (void)snprintf(out, 160, "%.*s %s%.*s", what_len, what, first, len, stem);
    else
        (void)snprintf(out, 160, "%s%.*s%s%.*s", first, len, stem, what_len > 0 ? " of " : "",
                       what_len > 100 ? 100 : what_len, what);
    return out;
}

/* ----------------------------------------------------------------- the sentence -- */

/* As in the rows: a less b. */
static void answer_pair(iv_result *out, const iv_prf_pair *pair, double confidence)
{
    const bool below = pair->upper < 0.0;
    const double percent = 100.0 * confidence;
    char sure[IV_PROBABILITY_SIZE], metric[160];

    (void)iv_probability(sure, below ? 1.0 - pair->probability : pair->probability);
    (void)spoken(metric, pair->metric);
    if (isnan(pair->probability) || isnan(pair->lower))
        iv_result_answer(out, "%s and %s have the same %s on these items, so no difference can "
                              "be estimated.", pair->a, pair->b, metric);
    else if (below || pair->lower > 0.0)
        iv_result_answer(out, "%s has a %s %s than %s with probability %s: difference %.3f "
                         "(%.10g %% interval %.3f to %.3f).", pair->a, below ? "lower" : "higher",
                         metric, pair->b, sure, pair->difference, percent, pair->lower,
                         pair->upper);
    else
        iv_result_answer(out, "No clear difference in %s: %s minus %s is %.3f (%.10g %% interval "
                         "%.3f to %.3f); %s is better with probability %s.", metric, pair->a,
                         pair->b, pair->difference, percent, pair->lower, pair->upper, pair->a,
                         sure);
}

/* `best` is that of the first system. */
static void answer_best(iv_result *out, const iv_prf_pair *best, size_t systems)
{
    const iv_prf_pair *first = best;
    char sure[IV_PROBABILITY_SIZE], metric[160];

    for (size_t s = 1; s < systems; s++)
        if (best[s].probability > first->probability)
            first = &best[s];
    iv_result_answer(out, "Of %zu systems %s is the best in %s with probability %s.", systems,
                     first->a, spoken(metric, first->metric),
                     iv_probability(sure, first->probability));
}

/* The first of those with the highest value, and how many others have it. */
static const iv_prf_estimate *highest(size_t *others, const iv_prf_evaluation *e,
                                      const char *metric)
{
    const iv_prf_estimate *best = NULL;

    *others = 0;
    for (size_t s = 0; s < e->system_count; s++) {
        const iv_prf_estimate *x = iv_prf_find(e, s, metric);
        if (x == NULL)
            return NULL;
        const bool above = best == NULL || isnan(best->value) || x->value > best->value + 1e-12;
        *others = above ? 0 : *others + (x->value > best->value - 1e-12);
        best = above ? x : best;
    }
    return best;
}

/* Averages have no P(best): how many others the highest beats, each alone. */
static void answer_ahead(iv_result *out, const iv_prf_evaluation *e, const char *metric)
{
    size_t ahead = 0, others;
    const iv_prf_estimate *best = highest(&others, e, metric);
    char text[160], equals[IV_EQUALS_SIZE];

    for (size_t i = 0; best != NULL && i < e->pair_count; i++) {
        const iv_prf_pair *p = &e->pairs[i];
        if (strcmp(p->metric, metric) == 0)
            ahead += (p->a_at == best->system_at && p->lower > 0.0)
                || (p->b_at == best->system_at && p->upper < 0.0);
    }
    if (best != NULL)
        iv_result_answer(out, "%s%s %s the highest %s, %.3f; the interval of the difference "
                         "excludes 0 for %zu of %zu other systems.", best->system,
                         iv_say_equals(equals, others, NULL), others > 0 ? "have" : "has",
                         spoken(text, metric), best->value, ahead, e->system_count - 1);
}

/* Did the user name it? */
static bool is_named(const char *system)
{
    return strcmp(system, "system") != 0;
}

static void answer_value(iv_result *out, const iv_prf_evaluation *e, const char *metric)
{
    size_t others;
    const iv_prf_estimate *best = highest(&others, e, metric);
    char text[160], span[IV_SPAN_SIZE], equals[IV_EQUALS_SIZE];

    if (best == NULL)
        return;
    const char *of = is_named(best->system) ? " of " : "", *who = *of != '\0' ? best->system : "";
    (void)spoken(text, metric);
    (void)iv_span(span, e->confidence, best->lower, best->upper);
    if (isnan(best->value))
        iv_result_answer(out, "The %s%s%s has no value (0/0).", text, of, who);
    else if (e->system_count > 1)
        iv_result_answer(out, "Of %zu systems, %s%s %s the highest %s: %.3f%s.", e->system_count,
                         best->system, iv_say_equals(equals, others, NULL),
                         others > 0 ? "have" : "has", text, best->value, span);
    else
        iv_result_answer(out, "%s%s%s is %.3f%s.", text, of, who, best->value, span);
}

static void answer_alone(iv_result *out, const iv_prf_evaluation *e)
{
    const iv_prf_pair *x = &e->alone[0];
    const bool turned = x->probability < 0.5;
    char sure[IV_PROBABILITY_SIZE];

    (void)iv_probability(sure, turned ? 1.0 - x->probability : x->probability);
    iv_result_answer(out, "%s is right %s often than %s with probability %s: only %s was right on "
                     "%lld items, only %s on %lld (McNemar's p = %.3g%s).", x->a,
                     turned ? "less" : "more", x->b, sure, x->a, (long long)x->a_only, x->b,
                     (long long)x->b_only, x->mcnemar_adjusted,
                     e->alone_count > 1 ? ", by Holm's correction" : "");
}

/* What the sentence is about.  A class that one system never names and nobody else has leaves
 * its macro average without a value: systems cannot be ranked by that, but by all items. */
static const char *usual_headline(const iv_prf_evaluation *e)
{
    bool known = true;

    if (e->system_count == 0 || e->systems[0].count <= 1)
        return "f1";
    for (size_t s = 0; s < e->system_count; s++) {
        const iv_prf_estimate *x = iv_prf_find(e, s, "f1[macro]");
        known = known && x != NULL && !isnan(x->value);
    }
    /* Of classes the micro average may be no more than accuracy. */
    return known ? "f1[macro]" : e->multiclass ? "accuracy" : "f1[micro]";
}

/* Of named metrics the first, an average before its classes. */
static const char *headline_of(const iv_prf_evaluation *e, const iv_texts *metrics)
{
    const char *usual = usual_headline(e), *average = NULL;

    if (metrics->count == 0 || e->estimate_count == 0 || iv_prf_find(e, 0, usual) != NULL)
        return usual;
    for (size_t i = 0; i < e->estimate_count; i++)
        if (average == NULL && e->estimates[i].average == IV_PRF_MACRO)
            average = e->estimates[i].metric;
    return average != NULL ? average : e->estimates[0].metric;
}

static void answer(iv_result *out, const iv_prf_evaluation *e, const char *headline)
{
    if (e->estimate_count == 0 && e->alone_count > 0) {
        answer_alone(out, e);
        return;
    }
    for (size_t i = 0; i < e->best_count; i += e->system_count)
        if (strcmp(e->best[i].metric, headline) == 0) {
            answer_best(out, &e->best[i], e->system_count);
            return;
        }
    for (size_t i = 0; i < e->pair_count && e->system_count == 2; i++)
        if (strcmp(e->pairs[i].metric, headline) == 0) {
            answer_pair(out, &e->pairs[i], e->confidence);
            return;
        }
    if (e->pair_count > 0)
        answer_ahead(out, e, headline);
    else
        answer_value(out, e, headline);
}

/* ---------------------------------------------------------------------- claims -- */

/* Names what there is instead: f1 of something for f1; averages, which come last, first. */
static int fail_metric(const iv_prf_evaluation *e, size_t system, const char *metric, iv_err *err)
{
    const size_t stem = strcspn(metric, "[");
    iv_listing names = { .most = 6 };

    for (int all = 0; all < 2 && names.count == 0; all++) {
        for (size_t i = e->estimate_count; i-- > 0;) {
            const iv_prf_estimate *x = &e->estimates[i];
            const bool of = strncmp(x->metric, metric, stem) == 0 && x->metric[stem] == '[';
            if (x->system_at == system && (all || of))
                iv_list(&names, "%.40s", x->metric);
        }
    }
    return iv_fail(err, IV_EARG, "there is no metric '%.40s'; expected one of: %s", metric,
                   iv_listed(&names));
}

/* "f1=0.8" of every system, by the limits that leave all the error on one side. */
static int claim_target(iv_result *out, iv_wording *w, const iv_prf_evaluation *e,
                        const char *target, iv_err *err)
{
    const char *is = strchr(target, '=');
    char metric[80], text[160];
    double least;

    if (is == NULL || is - target >= (ptrdiff_t)sizeof metric
        || !iv_scan_real(&least, iv_str_of(is + 1)) || !(least >= 0.0 && least <= 1.0))
        return iv_fail(err, IV_EARG, "the target '%.80s', expected METRIC=NUMBER from 0 to 1",
                       target);
    (void)snprintf(metric, sizeof metric, "%.*s", (int)(is - target), target);
    for (char *at = metric; *at != '\0' && *at != '['; at++) /* categories keep their letters */
        *at = (char)(*at >= 'A' && *at <= 'Z' ? *at + 32 : *at);
    for (size_t s = 0; s < e->system_count; s++) {
        const iv_prf_estimate *x = iv_prf_find(e, s, metric);
        if (x == NULL)
            return fail_metric(e, s, metric, err);
        iv_claim c = { .kind = IV_CLAIM_AT_LEAST, .measure = metric, .system = x->system,
                       .bound = least, .estimate = x->value, .lower = x->lower, .upper = x->upper,
                       .p = NAN, .p_contrary = NAN, .level = 0.5 * (1.0 - e->confidence),
                       .method = "goutte" };
        if (isnan(x->value)) /* limits without a value are the prior's */
            c.withheld = "it has no value (0/0)";
        c.unknown = isnan(x->value);
        iv_prf_claim_one(&c, e, x);
        iv_claim_outlook(&c);
        if (strcmp(c.method, "goutte") != 0)
            iv_result_used(out, c.method);
        const iv_verdict verdict = iv_result_claim(out, &c)->verdict;
        iv_say(w, "%s: %s%s%s ", iv_verdict_name(verdict), spoken(text, metric),
               is_named(x->system) ? " of " : "", is_named(x->system) ? x->system : "");
        iv_say(w, isnan(x->value) ? "has no value (0/0; " : "is %.3f (", x->value);
        iv_say_one_sided(w, 1.0 - c.level, 1, c.lower, c.upper, least);
        iv_say(w, "); the target is %.10g. ", least);
    }
    return IV_OK;
}

/* That no system is worse than the baseline by more than the margin, on the same items. */
static int claim_not_worse(iv_result *out, iv_wording *w, const iv_prf_evaluation *e,
                           const iv_prf_question *q, const iv_labels *labels,
                           double confidence, iv_err *err)
{
    const double margin = q->margin == IV_ZERO ? 0.0 : q->margin;
    const char *metric = headline_of(e, &q->how.metrics);
    const char *baseline = q->baseline != NULL ? q->baseline : e->systems[0].name;
    static const char *const says[] = { "", "is not lower", "is lower", "may be lower" };
    char text[160];
    size_t found = 0, candidates = e->system_count - 1;

    for (size_t i = 0; i < e->pair_count; i++) {
        const iv_prf_pair *p = &e->pairs[i];
        const bool first = strcmp(p->a, baseline) == 0, second = strcmp(p->b, baseline) == 0;
        if (strcmp(p->metric, metric) != 0 || (!first && !second))
            continue;
        const double sign = first ? -1.0 : 1.0, d = sign * p->difference; /* less the baseline's */
        const double lower = first ? -p->upper : p->lower, upper = first ? -p->lower : p->upper;
        const char *other = first ? p->b : p->a;
        iv_claim c = { .kind = IV_CLAIM_NOT_WORSE, .measure = metric, .system = other,
                       .baseline = baseline, .bound = margin, .estimate = d, .lower = lower,
                       .upper = upper, .p = NAN, .p_contrary = NAN,
                       .level = (1.0 - confidence) / (double)candidates,
                       .method = "goutte-paired" };
        iv_prf_claim_pair(&c, labels, first ? p->b_at : p->a_at, first ? p->a_at : p->b_at);
        iv_claim_outlook(&c);
        const iv_verdict v = iv_result_claim(out, &c)->verdict;
        if (strcmp(c.method, "goutte-paired") != 0)
            iv_result_used(out, c.method);
        iv_say(w, "%s: %s of %s %s than that of %s by more than %.10g. The difference (%s "
               "minus %s) is %.3f (", iv_verdict_name(v), spoken(text, metric), other, says[v],
               baseline, margin, other, baseline, c.estimate);
        iv_say_one_sided(w, confidence, candidates, c.lower, c.upper, -margin);
        iv_say(w, "). ");
        found++;
    }
    if (candidates > 1)
        iv_result_used_with(out, "bonferroni", " for %zu candidates", candidates);
    return found > 0 ? IV_OK
        : iv_fail(err, IV_EARG, "no %s is compared with that of the baseline '%.80s'; expected a "
                  "system, and a metric of table 'comparison'", spoken(text, metric), baseline);
}

IV_ENDS(prf_evaluation)
IV_ENDS(labels)

/* The same systems for another confidence, from their counts: standard input is not read twice. */
static int evaluate_again(iv_prf_evaluation **out, const iv_prf_evaluation *e,
                          const iv_prf_input *from, const iv_prf_options *how,
                          const iv_work *work, iv_err *err)
{
    size_t count = 0;

    if (from->labelled != NULL)
        return iv_prf_evaluate(out, from, how, work, err);
    for (size_t s = 0; s < e->system_count; s++)
        count += e->systems[s].count;
    iv_prf_entry *entries = calloc(count + 1, sizeof *entries), *at = entries;
    for (size_t s = 0; entries != NULL && s < e->system_count; s++)
        for (size_t i = 0; i < e->systems[s].count; i++, at++) {
            *at = e->systems[s].categories[i];
            at->system = e->systems[s].name;
        }
    const int rc = entries == NULL ? iv_no_memory(err)
        : iv_prf_evaluate(out, &(iv_prf_input){ .entries = entries, .entry_count = count }, how,
                          work, err);
    free(entries);
    return rc;
}

/* Items of the rarest class. */
static double rarest_class(const iv_prf_system *s)
{
    double rarest = INFINITY;

    for (size_t k = 0; k < s->count; k++) {
        const iv_prf_counts *n = &s->categories[k].counts;
        rarest = fmin(rarest, (double)(n->tp + n->fn));
        rarest = s->count > 1 ? rarest : fmin(rarest, (double)(n->fp + n->tn));
    }
    return rarest;
}

/* A gate that passes by an average over classes, of which one has few items. */
static void note_gate(iv_result *out, const iv_prf_evaluation *e)
{
    const double rate = iv_gate_error(IV_GATE_RARE_CLASS, rarest_class(&e->systems[0]));
    const iv_claim *claims;
    size_t count, passed = 0;

    (void)iv_result_has_verdict(&claims, &count, out);
    for (size_t i = 0; i < count; i++)
        passed += claims[i].verdict == IV_VERDICT_SHOWN
            && strstr(claims[i].measure, "[macro]") != NULL;
    IV_CLASSIFY(out, "prf.gate-error", rate > 0.0 && !e->guaranteed ? passed : 0,
                { rate });
}

/* Claims have one-sided limits, those of a lower confidence; candidates divide the error. */
static int claim(iv_result *out, iv_wording *w, const iv_prf_question *q,
                 const iv_prf_input *from, const iv_prf_evaluation *first, const iv_work *work,
                 iv_err *err)
{
    const size_t systems = first->system_count;
    const double confidence = q->how.confidence == 0.0 ? 0.95 : q->how.confidence;
    iv_prf_evaluation *e = NULL;
    iv_prf_options how = q->how;

    if (q->targets.count == 0 && !q->not_worse)
        return IV_OK;
    how.confidence = 1.0 - 2.0 * (1.0 - confidence)
        / (q->targets.count == 0 && systems > 2 ? (double)(systems - 1) : 1.0);
    if (q->targets.count > 0)
        how.metrics = (iv_texts){ NULL, 0 };
    how.paired = how.paired || (q->not_worse && q->targets.count == 0);
    if (!(how.confidence > 0.0))
        return iv_fail(err, IV_EARG, "a confidence above 0.5 is expected of a target");
    IV_TRY(evaluate_again(&e, first, from, &how, work, err));
    IV_TRY(IV_KEEP(out, prf_evaluation, e, err));
    for (size_t i = 0; i < q->targets.count; i++)
        IV_TRY(claim_target(out, w, e, q->targets.at[i], err));
    if (q->targets.count == 0)
        IV_TRY(claim_not_worse(out, w, e, q, from->labelled, confidence, err));
    note_gate(out, e);
    return IV_OK;
}

/* ----------------------------------------------------------------------- notes -- */

/* Counts that leave a metric without a value. */
static void note_undefined(iv_result *out, const iv_prf_evaluation *e)
{
    iv_listing silent = { .most = 4 }, absent = silent;
    const char *limits = e->guaranteed ? "0 to 1" : "the prior's";

    for (size_t s = 0; s < e->system_count; s++) {
        for (size_t k = 0; k < e->systems[s].count; k++) {
            const iv_prf_counts *c = &e->systems[s].categories[k].counts;
            const char *name = e->systems[s].categories[k].category;
            if (c->tp + c->fp == 0)
                iv_list_quoted(&silent, iv_str_of(name != NULL ? name : e->systems[s].name));
            if (c->tp + c->fn == 0 && (s == 0 || name == NULL))
                iv_list_quoted(&absent, iv_str_of(name != NULL ? name : e->systems[s].name));
        }
    }
    IV_CLASSIFY(out, "prf.nothing-returned", silent.count, .text = { iv_listed(&silent), limits });
    IV_CLASSIFY(out, "prf.nothing-relevant", absent.count, .text = { iv_listed(&absent), limits });
}

/* Averages without errors, or of few items, and categories that are classes. */
static void note_averages(iv_result *out, const iv_prf_evaluation *e)
{
    size_t without = 0;
    int64_t items = 0;
    bool mcc = false; /* or an average */

    for (size_t c = 0; e->system_count > 0 && c < e->systems[0].count; c++)
        items += e->systems[0].categories[c].counts.tp + e->systems[0].categories[c].counts.fn;
    for (size_t i = 0; i < e->estimate_count; i++) {
        without += e->estimates[i].jackknifed && isnan(e->estimates[i].lower);
        mcc = mcc || e->estimates[i].kind.kind == IV_PRF_MCC || e->estimates[i].jackknifed;
    }
    if (e->system_count > 0 && e->systems[0].count == 1)
        items += e->systems[0].categories[0].counts.fp + e->systems[0].categories[0].counts.tn;
    IV_CLASSIFY(out, "prf.one-matrix", e->one_matrix && !e->guaranteed);
    if (!e->guaranteed && e->classes[0] == NULL)
        IV_CLASSIFY(out, "prf.no-average-interval", without);
    if ((double)items < iv_caution_at(IV_FEW_CLASSIFIED) && e->system_count > 0
        && (e->systems[0].count > 1 || mcc) && !e->guaranteed)
        IV_CLASSIFY(out, "prf.few", (size_t)items);
    else if (e->system_count > 0 && e->multiclass && !e->guaranteed)
        IV_CLASSIFY(out, "prf.rare-class", rarest_class(&e->systems[0])
                    <= iv_caution_at(IV_FEW_OF_A_CLASS));
}

/* A system with two labels that is wrong more often than chance allows. */
static void note_reversed(iv_result *out, const iv_prf_evaluation *e)
{
    for (size_t s = 0; s < e->system_count; s++) {
        const iv_prf_counts *c = &e->systems[s].categories[0].counts;
        const double tp = (double)c->tp, fp = (double)c->fp, fn = (double)c->fn, tn = (double)c->tn;
        const double n = tp + fp + fn + tn;
        const double chi = (tp * tn - fp * fn) * sqrt(n / ((tp + fp) * (tp + fn) * (tn + fp)
                                                           * (tn + fn)));
        if (e->systems[s].count <= 2 && c->tn > 0 && tp + tn < fp + fn && chi < -4.0)
            IV_CLASSIFY(out, "prf.reversed", 1, { (tp + tn) / n, (fp + fn) / n },
                        { e->systems[s].name });
    }
}

static void note_all(iv_result *out, const iv_prf_evaluation *e, const iv_prf_question *q)
{
    for (size_t i = 0; i < e->notes.count; i++)
        iv_result_note(out, "%s", e->notes.at[i]);
    if (e->highest > 1.0)
        IV_CLASSIFY(out, "prf.percentages", 1, { e->highest });
    note_reversed(out, e);
    note_averages(out, e);
    note_undefined(out, e);
    const double least = iv_prf_least(e);
    IV_CLASSIFY(out, "prf.least-coverage", least < iv_caution_at(IV_LOW_LEAST_COVERAGE),
                { e->confidence, least, 0.0 });
    for (size_t i = 0; i < e->alone_count; i++) {
        const int64_t differ = e->alone[i].a_only + e->alone[i].b_only;
        if ((double)differ < iv_caution_at(IV_FEW_DIFFER))
            IV_CLASSIFY(out, "prf.few-discordant", (size_t)differ);
    }
    IV_CLASSIFY(out, "prf.different-items", q->how.compare);
}

static void say_method(iv_result *out, const iv_prf_evaluation *e)
{
    const double right = e->prior.right, wrong = e->prior.wrong;
    bool drawn = false, jackknifed = false;

    for (size_t i = 0; i < e->estimate_count; i++) {
        drawn = drawn || (e->estimates[i].kind.kind >= IV_PRF_MCC && !e->guaranteed);
        jackknifed = jackknifed || e->estimates[i].jackknifed;
    }
    if (e->guaranteed)
        iv_result_used(out, "clopper-pearson");
    if (!e->guaranteed && e->estimate_count > 0 && right == wrong)
        iv_result_used_with(out, "goutte", right == 0.5 ? ", prior Beta(1/2, 1/2)"
                            : ", prior Beta(%g, %g)", right, right);
    else if (!e->guaranteed && e->estimate_count > 0)
        iv_result_used_with(out, "goutte", ", prior %g for TP and TN, %g for FP and FN", right,
                            wrong);
    if (jackknifed && !e->guaranteed)
        iv_result_used_with(out, "jackknife-logit", " for macro and weighted averages");
    if (e->alone_count > 0)
        iv_result_used_all(out, "goutte-paired mcnemar");
    if (e->alone_count > 1)
        iv_result_used_with(out, "holm", " for %zu pairs", e->alone_count);
    if (drawn)
        iv_result_legend(out, "Intervals of MCC and utility come from %s posterior draws.",
                         IV_COUNT(e->draws));
    if (e->multiclass)
        iv_result_legend(out, "An item has one class, so micro averages and weighted recall are "
                         "accuracy.");
}

/* ------------------------------------------------------------------------- all -- */

/* A name that no estimate has; of classes "f1" is that of f1[sports]. */
static int check_metrics(const iv_prf_evaluation *e, const iv_texts *metrics, iv_err *err)
{
    for (size_t k = 0; e->system_count > 0 && k < metrics->count; k++) {
        const char *name = metrics->at[k];
        bool found = false;
        for (size_t i = 0; i < e->estimate_count && !found; i++) {
            const char *metric = e->estimates[i].metric;
            found = strcmp(metric, name) == 0 || (strcspn(metric, "[") == strlen(name)
                                                  && strncmp(metric, name, strlen(name)) == 0);
        }
        if (!found)
            return iv_fail(err, IV_EARG, "there is no metric '%.60s'; expected one of table "
                           "'metrics', such as f1", name);
    }
    return IV_OK;
}

/* The values of groups of labels, if there are groups. */
static int find_gaps(iv_gaps *out, const iv_prf_question *q, const iv_labels *l,
                     const iv_prf_evaluation *e, iv_result *r, iv_err *err)
{
    if (l == NULL || l->grouping_count == 0)
        return IV_OK;
    *out = (iv_gaps){ .asked = &q->gaps, .confidence = e->confidence,
                      .all = q->how.metrics.count > 0,
                      .headline = q->how.metrics.count > 0 ? q->how.metrics.at[0] : "accuracy" };
    IV_TRY(iv_label_gaps(out, l, &q->how.metrics, iv_result_own(r), err));
    return iv_gaps_find(out, err);
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_prf_question *q = asked;
    iv_prf_evaluation *e = NULL;
    iv_wording verdict = { 0 };
    iv_prf_options how = q->how;
    iv_prf_input from = q->from;
    iv_labels *once = NULL; /* standard input is not read twice */
    iv_gaps gaps = { 0 };
    const iv_prf_estimate *best = NULL;
    size_t others;

    IV_TRY(iv_prf_refuse(q, err));
    if (q->machine != NULL)
        return iv_prf_checked(out, q, work, err);
    how.pair_two = true;
    how.paired = how.paired || (q->not_worse && q->targets.count == 0);
    if (from.labels != NULL) {
        IV_TRY(iv_labels_load(&once, from.labels, &from.labels_as, work, err));
        IV_TRY(IV_KEEP(out, labels, once, err));
        from.labelled = once;
    }
    IV_TRY(iv_prf_evaluate(&e, &from, &how, work, err));
    IV_TRY(IV_KEEP(out, prf_evaluation, e, err));
    IV_TRY(find_gaps(&gaps, q, from.labelled, e, out, err));
    if (gaps.count == 0)
        IV_TRY(check_metrics(e, &how.metrics, err));
    IV_TRY(claim(out, &verdict, q, &from, e, work, err));
    iv_prf_show_claims(out, e, from.labelled);
    for (size_t i = 0; i < e->input_count; i++)
        iv_result_input(out, e->inputs[i].path, e->inputs[i].bytes);
    const char *headline = headline_of(e, &how.metrics);
    answer(out, e, headline);
    if (e->system_count > 1)
        best = highest(&others, e, headline);
    gaps.best = best != NULL ? best->system : NULL;
    IV_TRY(iv_gaps_claim(out, &verdict, &gaps, err));
    if (verdict.len > 0)
        iv_answer_claims(out, &verdict);
    note_all(out, e, q);
    say_method(out, e);
    IV_TRY(prf_tables(out, e, headline, gaps.best, &how, err));
    return gaps.count > 0 ? iv_gaps_put(out, &gaps, err) : IV_OK;
}

int iv_answer_prf(iv_result *out, const iv_prf_question *question, const iv_work *work,
                  iv_err *err)
{
    static const iv_part parts[] = {
        IV_PART_OF(iv_prf_question, from.counts, TEXTS, "text of counts"),
        IV_PART_OF(iv_prf_question, from.files, PATHS, "file of counts"),
        IV_PART_OF(iv_prf_question, from.labels, PATH, "the labels"),
        IV_PART_OF(iv_prf_question, from.labels_as.predictions, PATHS, "file of predictions"),
        IV_PART_OF(iv_prf_question, from.labels_as.systems, TEXTS, "name of a system"),
        IV_PART_OF(iv_prf_question, how.metrics, TEXTS, "metric"),
        IV_PART_OF(iv_prf_question, targets, TEXTS, "target"),
        IV_PART_OF(iv_prf_question, how.prior, REALS, "number of the prior"),
        IV_PART_OF(iv_prf_question, how.beta, REALS, "beta"),
        IV_PART_OF(iv_prf_question, how.confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, question, IV_ANSWERING(parts, answer_asked), work, err);
}
