/* SPDX-License-Identifier: Apache-2.0 */
/* roc -- how good are the scores of classifiers, of two classes or of more? */
#include "base/err.h"
#include "base/names.h"
#include "classify/classify_messages.h"
#include "intervale/classify.h"
#include "classify/class_groups.h"
#include "classify/roc_scoring.h"
#include "intervale/trec/runs.h"
#include "result/answering.h"
#include "result/cautions.h"
#include "result/claims.h"
#include "result/methods.h"
#include "result/result_state.h"
#include "result/wording.h"
#include "stat/scored/scored.h"
#include "trec/class_columns.h"
#include "trec/column_roles.h"
#include "trec/csv.h"
#include "trec/gold.h"
#include "trec/item_groups.h"
#include "trec/trec_ends.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MEASURES = 5, CURVES = 2 };

const iv_field iv_roc_curve_fields[] = {
    { "system", IV_AT(iv_roc_point, system), .about = "name of the system" },
    { "curve", IV_AT(iv_roc_point, curve), .about = "ROC or precision" },
    { "x", IV_AT(iv_roc_point, x), .digits = 2, .about = "false positive rate, or recall" },
    { "y", IV_AT(iv_roc_point, y), .digits = 4, .about = "true positive rate, or precision" },
    { "lower", IV_AT(iv_roc_point, lower), .digits = 4, .about = "lower limit of the band" },
    { "upper", IV_AT(iv_roc_point, upper), .digits = 4, .about = "upper limit of the band" },
    { NULL } };

/* The columns of the positive class, where each of three or more classes has its own, or none. */
static int take_class(iv_roc_scoring *s, size_t *column, const iv_csv *t, iv_err *err)
{
    const iv_roc_question *q = s->q;
    iv_class_table c = { 0 };
    iv_err why;
    bool many;

    IV_TRY(iv_gold_multiclass(&many, t, q->gold, &q->named, err));
    if (!many || iv_class_columns(&c, t, q->gold, &q->named, s->own, &why) != IV_OK)
        return iv_taken(s->own, err);
    for (size_t k = 0; k < c.classes; k++)
        for (size_t i = 0; i < c.system_count && strcmp(c.names[k], q->positive) == 0; i++)
            column[s->count++] = c.systems[i].columns[k];
    for (size_t k = 0; k < c.classes * c.system_count && s->count > 0; k++)
        if (strcmp(c.names[k % c.classes], q->positive) != 0)
            iv_list_quoted(&s->rest, iv_csv_column(
                               t, c.systems[k / c.classes].columns[k % c.classes]));
    iv_drop_groups(c.others, &c.other_count, t, s->groups, s->groupings);
    for (size_t k = 0; k < c.other_count && s->count > 0; k++)
        iv_list_quoted(&s->rest, iv_csv_column(t, c.others[k]));
    return IV_OK;
}

/* All columns that are a system's. */
static int take_systems(iv_roc_scoring *s, size_t *column, const iv_csv *t, const size_t taken[2],
                        iv_err *err)
{
    const iv_roc_question *q = s->q;

    IV_TRY(iv_system_columns(column, &s->count, t, &q->named, taken, 2, err));
    iv_drop_groups(column, &s->count, t, s->groups, s->groupings);
    if (q->named.count == 0 && taken[1] == IV_NONE)
        s->ids = iv_drop_text_ids(column, &s->count, t);
    if (q->named.count == 0)
        IV_TRY(iv_drop_gold_names(&s->left, column, &s->count, t, s->gold, err));
    return s->count > 0 ? IV_OK
        : iv_fail_at(err, IV_EPARSE, s->path, 1, "no column of scores beside what the items are, "
                     "expected one or more");
}

static int read_table(iv_roc_scoring *s, const iv_csv *t, iv_err *err)
{
    const iv_roc_question *q = s->q;
    char quoted[IV_QUOTE_SIZE];
    size_t taken[2] = { IV_NONE, iv_id_column(t) }, *column;

    IV_TRY(iv_item_groups_read(&s->groups, &s->groupings, t, &q->columns, s->own, err));
    IV_TRY(iv_gold_column(&taken[0], t, q->gold, &q->named, err));
    IV_TRY(iv_ids_once(NULL, t, taken[1], err));
    s->items = iv_csv_rows(t);
    s->positive = iv_take(s->own, s->items, sizeof *s->positive);
    s->systems = iv_take(s->own, iv_csv_columns(t), sizeof *s->systems);
    column = iv_take(s->own, iv_csv_columns(t), sizeof *column);
    IV_TRY(iv_taken(s->own, err));
    s->gold = iv_csv_column(t, taken[0]);
    if (q->positive != NULL && q->named.count == 0)
        IV_TRY(take_class(s, column, t, err));
    if (s->count == 0)
        IV_TRY(take_systems(s, column, t, taken, err));
    IV_TRY(iv_roc_check_count(s, t, err));
    const iv_str wanted = iv_str_of(q->positive != NULL ? q->positive : "1");
    for (size_t i = 0; i < s->items; i++) {
        const iv_str cell = iv_csv_cell(t, i, taken[0]);
        const iv_str label = q->positive == NULL ? iv_bit_of(cell) : cell;
        s->positive[i] = iv_str_cmp(label, wanted) == 0;
        if (!s->positive[i] && iv_same_name(label, wanted))
            return iv_csv_refuse(t, i, err, "the gold label %s, expected one spelling of the "
                                 "positive label, '%s'", iv_quote(quoted, label), wanted.ptr);
        if (iv_csv_is_missing(label) && !(s->positive[i] && label.len > 0))
            return iv_fail_at(err, IV_EPARSE, s->path, iv_csv_line(t, i), "the gold label is "
                              "missing%s%s", label.len > 0 ? ": " : "",
                              label.len > 0 ? iv_quote(quoted, label) : "");
        if (q->positive == NULL && !s->positive[i] && iv_str_cmp(label, iv_str_of("0")) != 0)
            return iv_fail_at(err, IV_EPARSE, s->path, iv_csv_line(t, i), "label %s, expected 0 "
                              "or 1, or the name of the positive label"
                              IV_HINT(" (--positive LABEL; if each class has a column, also "
                                      "--system NAME)"), iv_quote(quoted, label));
    }
    return iv_roc_read_scores(s->systems, column, s->count, t, s, err);
}

static int read_items(iv_roc_scoring *s, const iv_csv *t, iv_err *err)
{
    const iv_roc_question *q = s->q;

    if (t != NULL) {
        IV_TRY(read_table(s, t, err));
    } else {
        s->count = q->system_count;
        s->items = q->items;
        s->systems = iv_take(s->own, s->count, sizeof *s->systems);
        s->positive = iv_take(s->own, s->items, sizeof *s->positive);
        IV_TRY(iv_taken(s->own, err));
        if (s->count == 0 || s->items == 0)
            return iv_fail(err, IV_ENODATA, "no scores, expected a file or items");
        IV_TRY(iv_roc_check_count(s, t, err));
        if (q->systems == NULL || q->is_positive == NULL)
            return iv_fail(err, IV_EARG, "a list of the %s is NULL",
                           q->systems == NULL ? "systems" : "items");
        memcpy(s->systems, q->systems, s->count * sizeof *s->systems);
        memcpy(s->positive, q->is_positive, s->items * sizeof *s->positive);
    }
    for (size_t i = 0; i < s->items; i++)
        s->positives += s->positive[i];
    if (s->positives == 0 || s->positives == s->items)
        return iv_fail_at(err, IV_ENODATA, q->file, 0, "%s %zu item%s %s positive, expected "
                          "positive and negative ones", s->positives > 0 ? "all" : "none of",
                          s->items, iv_plural(s->items), s->positives > 0 ? "are" : "is");
    return IV_OK;
}

static void note_columns(iv_result *out, iv_roc_scoring *s)
{
    const iv_roc_question *q = s->q;
    char quoted[IV_QUOTE_SIZE], note[IV_GOLD_NOTE];

    if (s->gold.len > 0 && *iv_gold_note(note, s->gold, q->gold) != '\0')
        iv_result_note(out, "%s", note);
    if (*iv_left_note(note, &s->left, s->path) != '\0')
        iv_result_note(out, "%s", note);
    if (s->rest.count > 0)
        iv_result_note(out, "Columns used as scores: %s; excluded: %s.", q->positive,
                       iv_listed(&s->rest));
    if (s->ids.len > 0)
        iv_result_note(out, "Column %s is used as ids: it has no numbers, and each text occurs "
                            "once.",
                       iv_quote(quoted, s->ids));
}

static bool are_probabilities(const iv_roc_scoring *s)
{
    for (size_t k = 0; k < s->count; k++)
        for (size_t i = 0; i < s->items; i++)
            if (!(s->systems[k].scores[i] >= 0.0 && s->systems[k].scores[i] <= 1.0))
                return false;
    return true;
}

static void add_measure(iv_roc_scoring *s, size_t system, const char *name, iv_interval x)
{
    s->measures[s->measure_count++] = (iv_roc_value){ s->systems[system].name, name, .is = x };
}

static int measure_system(iv_roc_scoring *s, size_t k, const iv_work *work, iv_err *err)
{
    const iv_roc_question *q = s->q;
    const iv_scored_items items = { s->systems[k].scores, s->positive, s->items };
    iv_interval points[CURVES][IV_CURVE_POINTS];
    iv_interval x;
    iv_calibration c;

    IV_TRY(iv_roc_add_misranked(s, &items, err));
    IV_TRY(iv_auc(&x, &items, q->confidence, err));
    add_measure(s, k, "AUC", x);
    IV_TRY(iv_scored_ap(&x, &items, q->confidence, err));
    add_measure(s, k, "AP", x);
    if (s->probabilities) {
        IV_TRY(iv_calibrate(&c, &items, q->bins, q->confidence, err));
        add_measure(s, k, "Brier", c.brier);
        add_measure(s, k, "log_loss", c.log_loss);
        IV_TRY(iv_reliability_of(&s->reliability[k], &items, q->bins, q->confidence, s->own, err));
        add_measure(s, k, "ECE", s->reliability[k].ece);
        s->clipped += c.clipped;
        s->bins = c.bins;
    }
    if (s->curves == NULL)
        return IV_OK;
    IV_TRY(iv_scored_curves(points[0], points[1], &items, q->confidence, q->resamples,
                            work, err));
    for (size_t i = 0; i < CURVES * IV_CURVE_POINTS; i++) {
        const iv_interval *at = &points[i / IV_CURVE_POINTS][i % IV_CURVE_POINTS];
        s->curves[k * CURVES * IV_CURVE_POINTS + i] = (iv_roc_point){
            .system = s->systems[k].name, .curve = i < IV_CURVE_POINTS ? "ROC" : "precision",
            .x = 0.01 * (double)(i % IV_CURVE_POINTS), .y = at->value, .lower = at->lower,
            .upper = at->upper };
    }
    return IV_OK;
}

static int compare_systems(iv_roc_scoring *s, iv_err *err)
{
    static const char *const measures[] = { "AUC", "Brier", "log_loss" };
    const size_t n = s->pair_count;
    size_t at = 0;

    for (size_t a = 0; a < s->count; a++)
        for (size_t b = a + 1; b < s->count; b++, at++) {
            const double *x = s->systems[a].scores, *y = s->systems[b].scores;
            iv_interval d[3];
            IV_TRY(iv_auc_compare(&d[0], x, y, s->positive, s->items, s->q->confidence, err));
            if (s->probabilities)
                IV_TRY(iv_losses_compare(d + 1, x, y, s->positive, s->items,
                                         s->q->confidence, err));
            for (size_t m = 0; m < s->compared; m++)
                s->pairs[m * n + at] = iv_roc_pair(s->systems[a].name, s->systems[b].name,
                                               measures[m], &d[m]);
        }
    for (size_t m = 0; m < s->compared; m++)
        IV_TRY(iv_roc_correct(s->pairs + m * n, n, s->own, err));
    return IV_OK;
}

static int compute(iv_roc_scoring *s, iv_result *out, const iv_work *work, iv_err *err)
{
    const size_t systems = s->count;

    s->pair_count = systems * (systems - 1) / 2;
    s->compared = s->probabilities ? 3 : 1;
    s->measures = iv_take(s->own, MEASURES * systems, sizeof *s->measures);
    s->pairs = iv_take(s->own, 3 * s->pair_count, sizeof *s->pairs);
    s->reliability = iv_take(s->own, systems, sizeof *s->reliability);
    if (iv_result_wants(out, "curves", IV_FOLDED) || iv_result_wants_charts(out))
        s->curves = iv_take(s->own, systems * CURVES * IV_CURVE_POINTS, sizeof *s->curves);
    IV_TRY(iv_taken(s->own, err));
    if (iv_roc_has_rules(s->q) || iv_result_wants(out, "threshold", IV_FOLDED)) {
        iv_stage part;
        IV_TRY(iv_roc_choose(s, iv_work_part(&part, work, 0.0, 0.5), err));
    }
    for (size_t k = 0; k < systems; k++) {
        iv_stage stage, part;
        const iv_work *half = iv_work_part(&part, work, 0.5, 1.0);
        IV_TRY(measure_system(s, k, iv_work_nth(&stage, half, k, systems), err));
    }
    return compare_systems(s, err);
}

/* A system whose scores have two values only, as labels do; or NULL. */
static const char *that_has_labels(const iv_roc_scoring *s)
{
    for (size_t k = 0; k < s->count; k++) {
        const double *x = s->systems[k].scores;
        double low = x[0], high = x[0];
        size_t between = 0;
        for (size_t i = 0; i < s->items; i++) {
            low = fmin(low, x[i]);
            high = fmax(high, x[i]);
        }
        for (size_t i = 0; i < s->items; i++)
            between += x[i] > low && x[i] < high;
        if (between == 0 && high > low)
            return s->systems[k].name;
    }
    return NULL;
}

/* Are there two systems whose scores add up to 1 on every item? */
static bool are_complements(const iv_roc_scoring *s)
{
    bool so = s->count == 2;

    for (size_t i = 0; so && i < s->items; i++)
        so = fabs(s->systems[0].scores[i] + s->systems[1].scores[i] - 1.0) < 1e-6;
    return so;
}

/* Before the answer so far: all systems whose AUC is significantly below 0.5. */
static void say_reversed(iv_result *out, const iv_roc_scoring *s)
{
    iv_listing names = { .most = 10 };
    char span[IV_SPAN_SIZE];

    for (size_t k = 0; k < s->count; k++) {
        const iv_interval *x = &iv_roc_auc(s, k)->is;
        if (x->upper < 0.5)
            iv_list(&names, "%.80s with AUC %.3f%s", s->systems[k].name, x->value,
                    iv_span(span, 0.01 * iv_roc_percent(s->q), x->lower, x->upper));
    }
    if (names.count > 0)
        iv_result_answer(out, "These scores look reversed: %s. Higher scores must mean the "
                         "label '%s'.%s%s", iv_listed(&names),
                         s->q->positive != NULL ? s->q->positive : "1",
                         out->plain != NULL ? " " : "", out->plain != NULL ? out->plain : "");
}

static void answer(iv_result *out, const iv_roc_scoring *s)
{
    const double percent = iv_roc_percent(s->q);
    const bool complements = are_complements(s);
    size_t others;
    const iv_roc_value *best = iv_roc_highest(s, &others);

    /* If all are reversed, nothing else is worth saying. */
    if (best->is.upper >= 0.5 && s->count == 2 && !complements)
        iv_roc_say_difference(out, s->pairs, "AUC", iv_roc_auc(s, 0)->is.value,
                              iv_roc_auc(s, 1)->is.value, percent);
    else if (best->is.upper >= 0.5 && (s->count == 1 || complements))
        iv_result_answer(out, "The AUC of %s is %.3f (%.10g %% interval %.3f to %.3f), over %zu "
                         "positive and %zu negative items.", best->system,
                         best->is.value,
                         percent, best->is.lower, best->is.upper, s->positives,
                         s->items - s->positives);
    else if (best->is.upper >= 0.5)
        iv_roc_say_highest(out, s, "AUC");
    if (!complements)
        say_reversed(out, s);
}

static void note_all(iv_result *out, iv_roc_scoring *s)
{
    const char *other = s->count > 1 ? s->systems[1].name : "";
    size_t skewed = 0;

    IV_CLASSIFY(out, "roc.complements", are_complements(s),
                .text = { s->systems[0].name, other });
    IV_CLASSIFY(out, "roc.labels", that_has_labels(s) != NULL, .text = { that_has_labels(s) });
    iv_roc_warn_misranked(out, s);
    IV_CLASSIFY(out, "roc.few-positives",
                (double)s->positives < iv_caution_at(IV_FEW_AP_POSITIVES) ? s->positives : 0);
    IV_CLASSIFY(out, "roc.selected", s->count > 2);
    for (size_t i = 0; i < s->measure_count; i++) {
        const iv_interval *x = &s->measures[i].is;
        const char *measure = s->measures[i].name;
        const double n = (double)s->items, squares = x->value * x->value + x->se * x->se * n;
        skewed += strcmp(measure, "log_loss") == 0
            && (n < iv_caution_at(IV_FEW_LOSSES)
                || n * x->value * x->value < iv_caution_at(IV_FEW_LARGE_LOSSES) * squares);
    }
    IV_CLASSIFY(out, "roc.few-losses", skewed);
    IV_CLASSIFY(out, "roc.threshold", s->threshold_count > 0);
    IV_CLASSIFY(out, "roc.clipped", s->clipped);
    if (s->groupings > 0 && s->q->fixed.count > 0)
        iv_result_legend(out, "In groups, selection_rate is the proportion of items at or above "
                         "the threshold (demographic parity), recall the true positive rate and "
                         "specificity 1 minus the false positive rate (equalized odds).");
    if (!s->probabilities)
        iv_result_legend(out, "Scores are not all in [0, 1]: no Brier score, log loss or ECE.");
    else
        iv_result_legend(out, "ECE uses %zu equal-width bins. Sampling noise makes it too large "
                         "on average: table 'calibration' has what a calibrated system would have.",
                         s->bins);
    note_columns(out, s);
}

static void chart_curves(iv_result *out)
{
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "curves", .title = "ROC curves",
        .caption = "True positive rate against false positive rate for every threshold, with "
                   "pointwise bands. The diagonal is chance.", .where = "curve",
        .is = "ROC", .x = "x", .value = "y", .lower = "lower", .upper = "upper",
        .group = "system", .diagonal = true, .x_axis = { "false positive rate", 0.0, 1.0, false },
        .value_axis = { "true positive rate", 0.0, 1.0, false } });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "curves", .title = "Precision and recall",
        .caption = "Precision at each recall, with pointwise bands.", .where = "curve",
        .is = "precision", .x = "x", .value = "y", .lower = "lower", .upper = "upper",
        .group = "system", .x_axis = { "recall", 0.0, 1.0, false },
        .value_axis = { "precision", 0.0, 1.0, false } });
}

static void put(iv_result *out, const iv_roc_scoring *s)
{
    const size_t points = s->count * CURVES * IV_CURVE_POINTS;

    iv_roc_say_areas(out, s);
    iv_result_used(out, "boyd");
    if (s->probabilities) {
        iv_result_used_with(out, "t", " of Brier score and log loss");
    }
    if (s->count > 1)
        iv_result_used(out, "delong");
    if (s->count > 2)
        iv_result_used_with(out, "holm", " for %zu pairs", s->pair_count);
    if (s->threshold_count > 0)
        iv_result_used(out, "optimism");
    if (s->curves != NULL)
        iv_result_used(out, "curve-bands");
    IV_TABLE(out, "measures", iv_roc_measure_fields, s->measures, s->measure_count,
             .drawn = { "value", "lower", "upper" });
    if (s->count > 1)
        IV_TABLE(out, "pairs", iv_roc_pair_fields, s->pairs, s->compared * s->pair_count,
                 .with = s->count > 2 ? IV_ROC_MANY : 0);
    iv_roc_put_thresholds(out, s);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "measures", .title = "The measures",
        .caption = "A point is the value on these items. The line is its interval.",
        .label = "system",
        .page = "measure", .value = "value", .lower = "lower", .upper = "upper" });
    if (s->curves == NULL)
        return;
    IV_TABLE(out, "curves", iv_roc_curve_fields, s->curves, points, .showing = IV_FOLDED);
    chart_curves(out);
}

static int answer_two(iv_result *out, const iv_roc_question *q, const iv_csv *t, const char *path,
                      const iv_work *work, iv_err *err)
{
    iv_roc_scoring s = { .q = q, .path = path, .own = iv_result_own(out), .misranked = INFINITY };
    iv_gaps gaps = { .headline = q->measure != NULL ? q->measure : "AUC", .asked = &q->gaps,
                     .confidence = q->confidence == 0.0 ? 0.95 : q->confidence };
    iv_wording verdict = { .len = 0 };
    iv_roc_question room;
    size_t others;

    IV_TRY(read_items(&s, t, err));
    s.probabilities = are_probabilities(&s);
    if (q->summary)
        iv_roc_summary_asks(&room, &s);
    IV_TRY(compute(&s, out, work, err));
    gaps.best = s.count > 1 ? iv_roc_highest(&s, &others)->system : NULL;
    if (s.groupings > 0) {
        IV_TRY(iv_score_gaps(&gaps, s.systems, s.count, s.positive, s.items, s.probabilities,
                             s.groups, s.groupings, s.own, err));
        for (size_t i = 0; i < s.q->fixed.count; i++)
            IV_TRY(iv_rate_gaps(&gaps, s.systems, s.count, s.q->fixed.at[i], s.groups,
                                s.groupings, s.own, err));
        IV_TRY(iv_gaps_find(&gaps, err));
    }
    IV_TRY(iv_roc_gate(out, &verdict, &s, s.systems[0].name, err)); /* limits may change */
    put(out, &s);
    if (s.probabilities)
        IV_TRY(iv_roc_put_calibration(out, &s, err));
    answer(out, &s);
    if (q->summary)
        IV_TRY(iv_roc_summarise(out, &s, err));
    if (s.groupings > 0)
        IV_TRY(iv_gaps_claim(out, &verdict, &gaps, err));
    if (verdict.len > 0)
        iv_answer_claims(out, &verdict);
    if (s.groupings > 0)
        IV_TRY(iv_gaps_put(out, &gaps, err));
    note_all(out, &s);
    return IV_OK;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    typedef iv_roc_question T;
    const iv_roc_question *q = asked;
    const char *path = q->file != NULL ? q->file : q->table != NULL ? q->table->path : "table";
    iv_csv *loaded = NULL;
    bool many = false;

    if (!q->not_worse)
        IV_TRY(IV_REFUSE(q, "without --gate", err, IV_IDLE(baseline, "baseline"),
            IV_IDLE(margin, "margin")));
    if (!q->not_worse && q->gaps.most == 0.0)
        IV_TRY(IV_REFUSE(q, "without --gate", err, IV_IDLE(measure, "measure")));
    if (q->columns.count == 0)
        IV_TRY(IV_REFUSE(q, "without --columns group=NAME", err, IV_IDLE(gaps.most, "max-gap"),
            IV_IDLE(gaps.reference, "reference")));
    if (q->file != NULL) {
        IV_TRY(iv_csv_load(&loaded, q->file, work, err));
        IV_TRY(IV_KEEP(out, csv, loaded, err));
        iv_result_input(out, q->file, iv_csv_bytes(loaded));
    }
    const iv_csv *t = loaded != NULL ? loaded : q->table;
    if (t != NULL && q->positive == NULL)
        IV_TRY(iv_gold_multiclass(&many, t, q->gold, &q->named, err));
    IV_TRY(many ? iv_roc_classes(out, q, t, path, err) : answer_two(out, q, t, path, work, err));
    iv_result_assumption(out, "The items are a random sample of the items of interest.");
    return IV_OK;
}

int iv_answer_roc(iv_result *out, const iv_roc_question *q, const iv_work *work, iv_err *err)
{
    static const iv_part parts[] = {
        IV_PART_OF(iv_roc_question, file, PATH, "the scores"),
        IV_PART_OF(iv_roc_question, named, TEXTS, "name of a system"),
        IV_PART_OF(iv_roc_question, columns, TEXTS, "name of a column"),
        IV_CHOICE_OF(iv_roc_question, goal, iv_threshold_goal_names, "what a threshold is for"),
        IV_PART_OF(iv_roc_question, confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked), work, err);
}
