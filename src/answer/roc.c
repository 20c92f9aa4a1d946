/* SPDX-License-Identifier: Apache-2.0 */
/* roc -- how good are the scores of classifiers? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_columns.h"
#include "answer/answer_parts.h"
#include "answer/roc_parts.h"
#include "answer/run_notes.h"
#include "base/parallel.h"
#include "trec/class_columns.h"
#include "trec/csv.h"
#include "trec/gold.h"

enum { MEASURES = 5, CURVES = 2, FEW = 20, NOT_MANY = 50 };

typedef iv_roc_measure measure_row;

const iv_field iv_roc_measure_fields[] = {
    { "system", IV_AT(measure_row, system), .about = "its name" },
    { "measure", IV_AT(measure_row, measure), .about = "what is measured" },
    { "value", IV_AT(measure_row, x.value), .digits = 4, .about = "on these items" },
    { "se", IV_AT(measure_row, x.se), .digits = 4, .about = "its standard error" },
    { "lower", IV_AT(measure_row, x.lower), .digits = 4, .about = "of the interval" },
    { "upper", IV_AT(measure_row, x.upper), .digits = 4, .about = "of the interval" },
    { NULL } };

typedef iv_roc_pair pair_row;

const iv_field iv_roc_pair_fields[] = {
    { "a", IV_AT(pair_row, a), .about = "a system" },
    { "b", IV_AT(pair_row, b), .about = "another" },
    { "difference", IV_AT(pair_row, x.value), .digits = 4, .about = "AUC of a less that of b, of classes the macro averages" },
    { "se", IV_AT(pair_row, x.se), .digits = 4, .about = "DeLong's standard error" },
    { "lower", IV_AT(pair_row, x.lower), .digits = 4, .about = "of the interval" },
    { "upper", IV_AT(pair_row, x.upper), .digits = 4, .about = "of the interval" },
    { "p", IV_AT(pair_row, x.p), .digits = 4,
      .about = "of no difference: the level at which the interval ends at 0" },
    { "z", IV_AT(pair_row, x.z), .digits = 3, .about = "difference / se, DeLong's test" },
    { "p_delong", IV_AT(pair_row, x.p_delong), .digits = 4,
      .about = "of no difference, DeLong's test" },
    { NULL } };

typedef struct threshold_row {
    const char *system, *goal;
    iv_threshold x;
} threshold_row;

const iv_field iv_roc_threshold_fields[] = {
    { "system", IV_AT(threshold_row, system), .about = "its name" },
    { "goal", IV_AT(threshold_row, goal), .about = "what the threshold is best for" },
    { "threshold", IV_AT(threshold_row, x.at), .digits = 4,
      .about = "items that score so much or more are positive" },
    { "apparent", IV_AT(threshold_row, x.apparent), .digits = 4,
      .about = "the goal on these items" },
    { "optimism", IV_AT(threshold_row, x.optimism), .digits = 4,
      .about = "how much that is too high" },
    { "value", IV_AT(threshold_row, x.value), .digits = 4, .about = "the goal on new items" },
    { "lower", IV_AT(threshold_row, x.lower), .digits = 4, .about = "of its interval" },
    { "upper", IV_AT(threshold_row, x.upper), .digits = 4, .about = "of its interval" },
    { NULL } };

typedef struct curve_row {
    const char *system, *curve;
    iv_curve_point at;
} curve_row;

const iv_field iv_roc_curve_fields[] = {
    { "system", IV_AT(curve_row, system), .about = "its name" },
    { "curve", IV_AT(curve_row, curve), .about = "ROC or precision" },
    { "x", IV_AT(curve_row, at.x), .digits = 2,
      .about = "share of negatives called positive, or recall" },
    { "y", IV_AT(curve_row, at.y), .digits = 4, .about = "recall, or precision" },
    { "lower", IV_AT(curve_row, at.lower), .digits = 4, .about = "of the band" },
    { "upper", IV_AT(curve_row, at.upper), .digits = 4, .about = "of the band" },
    { NULL } };

typedef struct scoring {
    const iv_roc_question *q;
    iv_arena memory;
    iv_scored_system *systems;
    size_t count, items, positives, bins, clipped;
    iv_str ids; /* a column that was taken for them, by what it holds */
    bool *positive;
    measure_row *measures;
    size_t measure_count;
    pair_row *pairs;
    threshold_row *thresholds;
    curve_row *curves;
} scoring;

/* ----------------------------------------------------------------- reading -- */

int iv_roc_scores(iv_scored_system *systems, const size_t *columns, size_t count, const iv_csv *t,
                  const char *path, iv_arena *memory, iv_err *err)
{
    const size_t items = iv_csv_rows(t);
    char quoted[IV_QUOTE_SIZE];

    for (size_t k = 0; k < count; k++) {
        double *scores = iv_take(memory, items, sizeof *scores);
        systems[k].name = iv_arena_copy(memory, iv_csv_column(t, columns[k]));
        systems[k].scores = scores;
        IV_TRY(iv_taken(memory, err));
        for (size_t i = 0; i < items; i++) {
            const iv_str cell = iv_csv_cell(t, i, columns[k]);
            if (iv_csv_is_missing(cell))
                return iv_fail_at(err, IV_EPARSE, path, iv_csv_line(t, i), "the score of %s is "
                                  "missing, expected one of each item", systems[k].name);
            if (!iv_scan_real(&scores[i], cell))
                return iv_fail_at(err, IV_EPARSE, path, iv_csv_line(t, i), "the score %s of %s, "
                                  "expected a number", iv_quote(quoted, cell), systems[k].name);
        }
    }
    return IV_OK;
}

/* Each pair of them is compared. */
static int check_count(const scoring *s, const char *path, iv_err *err)
{
    return s->count <= IV_ROC_MOST_SYSTEMS ? IV_OK
        : iv_fail_at(err, IV_EPARSE, path, path != NULL ? 1 : 0, "%zu systems, each pair of which "
                     "is compared, expected %d at most: name those that matter",
                     s->count, IV_ROC_MOST_SYSTEMS);
}

static int read_table(scoring *s, const iv_csv *t, const char *path, iv_err *err)
{
    const iv_roc_question *q = s->q;
    char quoted[IV_QUOTE_SIZE];
    size_t taken[2] = { IV_NONE, iv_id_column(t) }, *column;

    IV_TRY(iv_gold_column(&taken[0], t, q->gold, path, err));
    IV_TRY(iv_ids_once(NULL, t, taken[1], path, err));
    s->items = iv_csv_rows(t);
    s->positive = iv_take(&s->memory, s->items, sizeof *s->positive);
    s->systems = iv_take(&s->memory, iv_csv_columns(t), sizeof *s->systems);
    column = iv_take(&s->memory, iv_csv_columns(t), sizeof *column);
    IV_TRY(iv_taken(&s->memory, err));
    IV_TRY(iv_system_columns(column, &s->count, t, &q->named, taken, 2, path, err));
    if (q->named.count == 0 && taken[1] == IV_NONE)
        s->ids = iv_drop_text_ids(column, &s->count, t);
    if (s->count == 0)
        return iv_fail_at(err, IV_EPARSE, path, 1, "no column of scores beside what the items are, "
                          "expected one or more");
    IV_TRY(check_count(s, path, err));
    const iv_str wanted = iv_str_of(q->positive != NULL ? q->positive : "1");
    for (size_t i = 0; i < s->items; i++) {
        const iv_str cell = iv_csv_cell(t, i, taken[0]);
        const iv_str label = q->positive == NULL ? iv_bit_of(cell) : cell;
        s->positive[i] = iv_str_cmp(label, wanted) == 0;
        if (iv_csv_is_missing(label) && !(s->positive[i] && label.len > 0))
            return iv_fail_at(err, IV_EPARSE, path, iv_csv_line(t, i), "the gold label is "
                              "missing%s%s", label.len > 0 ? ": " : "",
                              label.len > 0 ? iv_quote(quoted, label) : "");
        if (q->positive == NULL && !s->positive[i] && iv_str_cmp(label, iv_str_of("0")) != 0)
            return iv_fail_at(err, IV_EPARSE, path, iv_csv_line(t, i), "label %s, expected 0 "
                              "or 1, unless the positive label is given",
                              iv_quote(quoted, label));
    }
    return iv_roc_scores(s->systems, column, s->count, t, path, &s->memory, err);
}

static int read_input(scoring *s, const iv_csv *t, const char *path, iv_err *err)
{
    const iv_roc_question *q = s->q;
    int rc = IV_OK;

    if (t != NULL) {
        rc = read_table(s, t, path, err);
    } else {
        s->count = q->system_count;
        s->items = q->items;
        s->systems = iv_take(&s->memory, s->count, sizeof *s->systems);
        s->positive = iv_take(&s->memory, s->items, sizeof *s->positive);
        IV_TRY(iv_taken(&s->memory, err));
        if (s->count == 0 || s->items == 0)
            return iv_fail(err, IV_ENODATA, "no scores, expected a file or items");
        IV_TRY(check_count(s, NULL, err));
        if (q->systems == NULL || q->is_positive == NULL)
            return iv_fail(err, IV_EARG, "a list of the %s is NULL",
                           q->systems == NULL ? "systems" : "items");
        memcpy(s->systems, q->systems, s->count * sizeof *s->systems);
        memcpy(s->positive, q->is_positive, s->items * sizeof *s->positive);
    }
    for (size_t i = 0; i < s->items && rc == IV_OK; i++)
        s->positives += s->positive[i];
    if (rc == IV_OK && (s->positives == 0 || s->positives == s->items))
        return iv_fail_at(err, IV_ENODATA, q->file, 0, "%s %zu item%s %s positive, expected "
                          "positive and negative ones", s->positives > 0 ? "all" : "none of", s->items,
                          iv_plural(s->items), s->positives > 0 ? "are" : "is");
    return rc;
}

/* --------------------------------------------------------------- computing -- */

static bool are_probabilities(const scoring *s)
{
    for (size_t k = 0; k < s->count; k++)
        for (size_t i = 0; i < s->items; i++)
            if (!(s->systems[k].scores[i] >= 0.0 && s->systems[k].scores[i] <= 1.0))
                return false;
    return true;
}

static void add_measure(scoring *s, size_t system, const char *name, iv_scored_value x)
{
    s->measures[s->measure_count++] = (measure_row){ s->systems[system].name, name, x };
}

/* A logarithmic loss of sure scores lies on the few items that are wrong: as many as these would alone make up
 * its mean and spread. */
static void tell_few_losses(iv_result *out, const iv_scored_value *loss, size_t items, const char *system)
{
    const double n = (double)items, squares = loss->value * loss->value + loss->se * loss->se * n;
    const double few = squares > 0.0 ? n * loss->value * loss->value / squares : n;

    if (isfinite(loss->lower) && items >= 20 && few < 10.0)
        iv_result_note(out, "log_loss of %s lies on few of its %zu items (%.1f of one size would spread as much): "
                       "95 %% intervals held .81 to .85 in trials with three such, and may reach far too high",
                       system, items, few);
}

static int measure_system(scoring *s, size_t k, bool probabilities, iv_result *out,
                          const iv_work *work, iv_err *err)
{
    const iv_roc_question *q = s->q;
    const iv_scored_items items = { s->systems[k].scores, s->positive, s->items };
    iv_curve_point points[CURVES][IV_CURVE_POINTS];
    iv_scored_value x;
    iv_calibration c;
    iv_stage stage;

    IV_TRY(iv_auc(&x, &items, q->confidence, err));
    add_measure(s, k, "AUC", x);
    IV_TRY(iv_scored_ap(&x, &items, q->confidence, err));
    add_measure(s, k, "AP", x);
    if (probabilities) {
        IV_TRY(iv_calibrate(&c, &items, q->bins, q->confidence, q->resamples,
                            iv_work_part(&stage, work, 0.0, 0.5), err));
        add_measure(s, k, "Brier", c.brier);
        add_measure(s, k, "log_loss", c.log_loss);
        tell_few_losses(out, &c.log_loss, s->items, s->systems[k].name);
        add_measure(s, k, "calibration_error", c.error);
        s->clipped += c.clipped;
        s->bins = c.bins;
        if (s->items > 2 && isnan(c.log_loss.lower))
            iv_result_note(out, "%s: all items have the same loss, which says nothing of how those "
                           "of others vary: no interval of Brier and log_loss",
                           s->systems[k].name);
        iv_result_note(out, "%s: the binned calibration error as others compute it (ECE, mean "
                       "absolute, %zu bin%s of equal numbers but for ties) is %.4f, which chance "
                       "makes too large", s->systems[k].name, c.bins, c.bins == 1 ? "" : "s", c.binned);
    }
    s->thresholds[k] = (threshold_row){ s->systems[k].name, iv_threshold_goal_names()[q->goal],
                                        { 0 } };
    IV_TRY(iv_threshold_choose(&s->thresholds[k].x, &items, q->goal, q->confidence, q->resamples,
                               iv_work_part(&stage, work, 0.5, 0.75), err));
    if (isnan(s->thresholds[k].x.lower))
        iv_result_note(out, "%s: %s at the threshold is the same in all resamples: no interval",
                       s->systems[k].name, s->thresholds[k].goal);
    if (s->curves == NULL)
        return IV_OK;
    IV_TRY(iv_scored_curves(points[0], points[1], &items, q->confidence, q->resamples,
                            iv_work_part(&stage, work, 0.75, 1.0), err));
    for (size_t i = 0; i < CURVES * IV_CURVE_POINTS; i++)
        s->curves[k * CURVES * IV_CURVE_POINTS + i] = (curve_row){
            s->systems[k].name, i < IV_CURVE_POINTS ? "ROC" : "precision",
            points[i / IV_CURVE_POINTS][i % IV_CURVE_POINTS] };
    return IV_OK;
}

static int compute(scoring *s, iv_result *out, const iv_work *work, iv_err *err)
{
    const size_t pairs = s->count * (s->count - 1) / 2;
    const bool probabilities = are_probabilities(s);
    size_t at = 0;

    s->measures = iv_take(&s->memory, MEASURES * s->count, sizeof *s->measures);
    s->thresholds = iv_take(&s->memory, s->count, sizeof *s->thresholds);
    s->pairs = iv_take(&s->memory, pairs, sizeof *s->pairs);
    if (iv_result_wants(out, "curves", IV_FOLDED) || iv_result_wants_charts(out))
        s->curves = iv_take(&s->memory, s->count * CURVES * IV_CURVE_POINTS, sizeof *s->curves);
    IV_TRY(iv_taken(&s->memory, err));
    for (size_t k = 0; k < s->count; k++) {
        iv_stage stage;
        const double n = (double)s->count;
        IV_TRY(measure_system(s, k, probabilities, out,
                              iv_work_part(&stage, work, (double)k / n, (double)(k + 1) / n),
                              err));
    }
    if (!probabilities)
        iv_result_note(out, "scores are not all in [0, 1]: nothing is said of probabilities "
                       "(Brier, log loss, calibration)");
    for (size_t a = 0; a < s->count; a++)
        for (size_t b = a + 1; b < s->count; b++, at++) {
            s->pairs[at].a = s->systems[a].name;
            s->pairs[at].b = s->systems[b].name;
            IV_TRY(iv_auc_compare(&s->pairs[at].x, s->systems[a].scores, s->systems[b].scores,
                                  s->positive, s->items, s->q->confidence, err));
        }
    return IV_OK;
}

/* ----------------------------------------------------------------- telling -- */

/* Where intervals near an area of 1 hold less or more often than they say. */
static void tell_near_one(iv_result *out, const scoring *s, const measure_row *best, size_t few)
{
    const double c = s->q->confidence == 0.0 ? 0.95 : s->q->confidence;
    const double unseen = 1.0 - pow(1.0 - c, 1.0 / (double)few);

    if (best->x.value * (1.0 - unseen) < best->x.lower)
        iv_result_note(out, "of a kind that has up to %.1f %% of a class there may be none among %zu item%s "
                       "(%g %% confidence): if such are scored beyond all others, an AUC may be as "
                       "low as %.3f, which no interval from these items knows of", 100.0 * unseen, few,
                       iv_plural(few), 100.0 * c, best->x.value * (1.0 - unseen));
    if (s->count > 1 && (1.0 - best->x.value) * (double)few < 3.0)
        iv_result_note(out, "fewer than 3 items of a class are misplaced: intervals of differences are wide, "
                       "in trials 95 %% ones held .94 to 1.00");
}

/* A system whose scores have two values, or NULL. */
static const char *that_says_yes_or_no(const scoring *s)
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
static bool are_complements(const scoring *s)
{
    bool so = s->count == 2;

    for (size_t i = 0; so && i < s->items; i++)
        so = fabs(s->systems[0].scores[i] + s->systems[1].scores[i] - 1.0) < 1e-6;
    return so;
}

static void tell(iv_result *out, const scoring *s, double percent)
{
    const bool one = are_complements(s);
    const measure_row *best = s->measures;
    const size_t few = s->positives < s->items - s->positives ? s->positives
                                                              : s->items - s->positives;

    for (size_t i = 0; i < s->measure_count; i++)
        if (strcmp(s->measures[i].measure, "AUC") == 0 && s->measures[i].x.value > best->x.value)
            best = &s->measures[i];
    if (one)
        iv_result_note(out, "warning: %s and %s add up to 1 on every item, as one classifier's two classes "
                       "do: their difference compares it with its own opposite",
                       s->systems[0].name, s->systems[1].name);
    if (s->count == 2 && !one) {
        const iv_auc_difference *d = &s->pairs->x;
        iv_result_answer(out, "The AUC of %s is %.4f and that of %s %.4f: a difference of %.4f, "
                         "%.10g %% interval %.4f to %.4f, p = %.4g.", s->systems[0].name,
                         s->measures[0].x.value, s->systems[1].name,
                         s->measures[0].x.value - d->value, d->value, percent, d->lower,
                         d->upper, d->p);
    } else {
        iv_result_answer(out, "%s has %s AUC %.4f, %.10g %% interval %.4f to %.4f, over %zu "
                         "positive and %zu negative items.", best->system,
                         s->count > 1 ? "the highest" : "an", best->x.value, percent,
                         best->x.lower, best->x.upper, s->positives, s->items - s->positives);
    }
    if (few < FEW)
        iv_result_note(out, "only %zu item%s of one class: 95 %% intervals of an AUC held .91 to .99 in "
                       "trials of up to 10, see the method's page", few, iv_plural(few));
    else if (few < NOT_MANY && s->items - few >= 3 * few)
        iv_result_note(out, "%zu items of one class beside %zu of the other: where scores have long "
                       "tails, or those of this class spread more, 95 %% intervals of an AUC of .9 "
                       "held .90 to .93", few, s->items - few);
    if (few >= FEW && few < NOT_MANY && that_says_yes_or_no(s) != NULL)
        iv_result_note(out, "the scores of %s have two values: from 20 items of one class 95 %% intervals of "
                       "an AUC held .88 to 1.00 in trials", that_says_yes_or_no(s));
    tell_near_one(out, s, best, few);
    if (s->clipped > 0)
        iv_result_note(out, "%zu probabilit%s of 0 or 1 for what was not so: the logarithmic "
                       "loss takes 1e-15 for 0", s->clipped, s->clipped == 1 ? "y" : "ies");
    iv_result_legend(out, "AUC: score interval with Hanley and McNeil's variance scaled to "
                     "DeLong's, which is se, and Student's t; AP: t on the scale of logits; Brier: as "
                     "any mean in [0, 1] (logit), log_loss: Studentised bootstrap; calibration_error: root mean "
                     "square over bins, chance taken off, noncentral chi-square (where classes are "
                     "nearly apart .98 to .99 of 95 %% intervals hold it: shares that were not "
                     "seen have room)");
    iv_result_legend(out, "threshold: apparent is on the items it was chosen on, value what to "
                     "expect on others (bootstrap optimism)");
    if (s->count > 1)
        iv_result_legend(out, "pairs: score intervals joined with DeLong's, and p that ends them at 0%s; z and "
                         "p_delong are DeLong's test", s->count > 2 ? ", of single pairs" : "");
}

static void put(iv_result *out, const scoring *s)
{
    const size_t points = s->count * CURVES * IV_CURVE_POINTS;

    iv_cite_if(out, s->count > 1, "delong1988comparing");
    (void)iv_result_rows(out, &(iv_rows){ "measures", iv_roc_measure_fields, s->measures,
                                          s->measure_count, sizeof *s->measures,
                                          .drawn = { "value", "lower", "upper", 0.0, 0.0 } });
    if (s->count > 1)
        (void)iv_result_rows(out, &(iv_rows){ "pairs", iv_roc_pair_fields, s->pairs,
                                              s->count * (s->count - 1) / 2, sizeof *s->pairs });
    (void)iv_result_rows(out, &(iv_rows){ "threshold", iv_roc_threshold_fields, s->thresholds, s->count,
                                          sizeof *s->thresholds });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "measures", .title = "The measures",
        .caption = "A point is the value on these items, the line its interval.",
        .label = "system", .page = "measure", .value = "value", .lower = "lower",
        .upper = "upper" });
    if (s->curves == NULL)
        return;
    (void)iv_result_rows(out, &(iv_rows){ "curves", iv_roc_curve_fields, s->curves, points,
                                          sizeof *s->curves, .showing = IV_FOLDED });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "curves", .title = "ROC curves",
        .caption = "Share of positive items found over the share of negative ones called "
                   "positive, threshold by threshold. The band holds each point of the curve "
                   "with the confidence, near the left end of few items less often; the diagonal "
                   "is chance.", .where = "curve",
        .is = "ROC", .x = "x", .value = "y", .lower = "lower", .upper = "upper",
        .group = "system", .diagonal = true, .x_axis = { "false positive rate", 0.0, 1.0, false },
        .value_axis = { "true positive rate", 0.0, 1.0, false } });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "curves", .title = "Precision and recall",
        .caption = "Precision at the threshold that finds a share of the positive items. The "
                   "band holds each point of the curve with the confidence, at the right end of few "
                   "items less often.", .where = "curve",
        .is = "precision", .x = "x", .value = "y", .lower = "lower", .upper = "upper",
        .group = "system", .x_axis = { "recall", 0.0, 1.0, false },
        .value_axis = { "precision", 0.0, 1.0, false } });
}

static int answer_two(iv_result *out, const iv_roc_question *q, const iv_csv *t, const char *path,
                      const iv_work *work, iv_err *err)
{
    scoring s = { .q = q };
    char quoted[IV_QUOTE_SIZE];
    int rc = read_input(&s, t, path, err);

    if (rc == IV_OK)
        rc = compute(&s, out, work, err);
    if (rc == IV_OK) {
        put(out, &s);
        tell(out, &s, 100.0 * (q->confidence == 0.0 ? 0.95 : q->confidence));
        if (s.ids.len > 0)
            iv_result_note(out, "column %s is taken for the ids: no number, every text once", iv_quote(quoted, s.ids));
        iv_result_assumption(out, "Items are a random sample of those that matter.");
    }
    iv_arena_free(&s.memory);
    return rc;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_roc_question *q = asked;
    const char *path = q->file != NULL ? q->file : "table";
    iv_csv *loaded = NULL;
    bool many = false;
    int rc = IV_OK;

    if (q->file != NULL) {
        IV_TRY(iv_csv_load(&loaded, q->file, work, err));
        iv_result_input(out, q->file, iv_csv_bytes(loaded));
    }
    const iv_csv *t = loaded != NULL ? loaded : q->table;
    if (t != NULL && q->positive == NULL)
        rc = iv_class_many(&many, t, q->gold, path, err);
    if (rc == IV_OK)
        rc = many ? iv_roc_classes(out, q, t, path, work, err)
                  : answer_two(out, q, t, path, work, err);
    iv_csv_free(loaded);
    return rc;
}

int iv_answer_roc(iv_result *out, const iv_roc_question *q, const iv_work *work, iv_err *err)
{
    static const iv_part parts[] = {
        IV_PART_OF(iv_roc_question, file, PATH, "the scores"),
        IV_PART_OF(iv_roc_question, named, TEXTS, "name of a system"),
        IV_CHOICE_OF(iv_roc_question, goal, iv_threshold_goal_names, "what a threshold is for"),
        IV_PART_OF(iv_roc_question, confidence, REAL, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked, "roc"), work, err);
}
