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
    iv_roc_items in;
    size_t bins, clipped;
    measure_row *measures;
    size_t measure_count;
    pair_row *pairs;
    threshold_row *thresholds;
    curve_row *curves;
} scoring;

/* --------------------------------------------------------------- computing -- */

static bool are_probabilities(const scoring *s)
{
    for (size_t k = 0; k < s->in.count; k++)
        for (size_t i = 0; i < s->in.items; i++)
            if (!(s->in.systems[k].scores[i] >= 0.0 && s->in.systems[k].scores[i] <= 1.0))
                return false;
    return true;
}

static void add_measure(scoring *s, size_t system, const char *name, iv_scored_value x)
{
    s->measures[s->measure_count++] = (measure_row){ s->in.systems[system].name, name, x };
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
    const iv_scored_items items = { s->in.systems[k].scores, s->in.positive, s->in.items };
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
        tell_few_losses(out, &c.log_loss, s->in.items, s->in.systems[k].name);
        add_measure(s, k, "calibration_error", c.error);
        s->clipped += c.clipped;
        s->bins = c.bins;
        if (s->in.items > 2 && isnan(c.log_loss.lower))
            iv_result_note(out, "%s: all items have the same loss, which says nothing of how those "
                           "of others vary: no interval of Brier and log_loss",
                           s->in.systems[k].name);
        iv_result_note(out, "%s: the binned calibration error as others compute it (ECE, mean "
                       "absolute, %zu bin%s of equal numbers but for ties) is %.4f, which chance "
                       "makes too large", s->in.systems[k].name, c.bins, c.bins == 1 ? "" : "s", c.binned);
    }
    s->thresholds[k] = (threshold_row){ s->in.systems[k].name, iv_threshold_goal_names()[q->goal],
                                        { 0 } };
    IV_TRY(iv_threshold_choose(&s->thresholds[k].x, &items, q->goal, q->confidence, q->resamples,
                               iv_work_part(&stage, work, 0.5, 0.75), err));
    if (isnan(s->thresholds[k].x.lower))
        iv_result_note(out, "%s: %s at the threshold is the same in all resamples: no interval",
                       s->in.systems[k].name, s->thresholds[k].goal);
    if (s->curves == NULL)
        return IV_OK;
    IV_TRY(iv_scored_curves(points[0], points[1], &items, q->confidence, q->resamples,
                            iv_work_part(&stage, work, 0.75, 1.0), err));
    for (size_t i = 0; i < CURVES * IV_CURVE_POINTS; i++)
        s->curves[k * CURVES * IV_CURVE_POINTS + i] = (curve_row){
            s->in.systems[k].name, i < IV_CURVE_POINTS ? "ROC" : "precision",
            points[i / IV_CURVE_POINTS][i % IV_CURVE_POINTS] };
    return IV_OK;
}

static int compute(scoring *s, iv_result *out, const iv_work *work, iv_err *err)
{
    const size_t pairs = s->in.count * (s->in.count - 1) / 2;
    const bool probabilities = are_probabilities(s);
    size_t at = 0;

    s->measures = iv_take(&s->memory, MEASURES * s->in.count, sizeof *s->measures);
    s->thresholds = iv_take(&s->memory, s->in.count, sizeof *s->thresholds);
    s->pairs = iv_take(&s->memory, pairs, sizeof *s->pairs);
    if (iv_result_wants(out, "curves", IV_FOLDED) || iv_result_wants_charts(out))
        s->curves = iv_take(&s->memory, s->in.count * CURVES * IV_CURVE_POINTS, sizeof *s->curves);
    IV_TRY(iv_taken(&s->memory, err));
    for (size_t k = 0; k < s->in.count; k++) {
        iv_stage stage;
        const double n = (double)s->in.count;
        IV_TRY(measure_system(s, k, probabilities, out,
                              iv_work_part(&stage, work, (double)k / n, (double)(k + 1) / n),
                              err));
    }
    if (!probabilities)
        iv_result_note(out, "scores are not all in [0, 1]: nothing is said of probabilities "
                       "(Brier, log loss, calibration)");
    for (size_t a = 0; a < s->in.count; a++)
        for (size_t b = a + 1; b < s->in.count; b++, at++) {
            s->pairs[at].a = s->in.systems[a].name;
            s->pairs[at].b = s->in.systems[b].name;
            IV_TRY(iv_auc_compare(&s->pairs[at].x, s->in.systems[a].scores, s->in.systems[b].scores,
                                  s->in.positive, s->in.items, s->q->confidence, err));
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
    if (s->in.count > 1 && (1.0 - best->x.value) * (double)few < 3.0)
        iv_result_note(out, "fewer than 3 items of a class are misplaced: intervals of differences are wide, "
                       "in trials 95 %% ones held .94 to 1.00");
}

/* A system whose scores have two values, or NULL. */
static const char *that_says_yes_or_no(const scoring *s)
{
    for (size_t k = 0; k < s->in.count; k++) {
        const double *x = s->in.systems[k].scores;
        double low = x[0], high = x[0];
        size_t between = 0;
        for (size_t i = 0; i < s->in.items; i++) {
            low = fmin(low, x[i]);
            high = fmax(high, x[i]);
        }
        for (size_t i = 0; i < s->in.items; i++)
            between += x[i] > low && x[i] < high;
        if (between == 0 && high > low)
            return s->in.systems[k].name;
    }
    return NULL;
}

/* Are there two systems whose scores add up to 1 on every item? */
static bool are_complements(const scoring *s)
{
    bool so = s->in.count == 2;

    for (size_t i = 0; so && i < s->in.items; i++)
        so = fabs(s->in.systems[0].scores[i] + s->in.systems[1].scores[i] - 1.0) < 1e-6;
    return so;
}

static void tell(iv_result *out, const scoring *s, double percent)
{
    const bool one = are_complements(s);
    const measure_row *best = s->measures;
    const size_t few = s->in.positives < s->in.items - s->in.positives ? s->in.positives
                                                              : s->in.items - s->in.positives;

    for (size_t i = 0; i < s->measure_count; i++)
        if (strcmp(s->measures[i].measure, "AUC") == 0 && s->measures[i].x.value > best->x.value)
            best = &s->measures[i];
    if (one)
        iv_result_note(out, "warning: %s and %s add up to 1 on every item, as one classifier's two classes "
                       "do: their difference compares it with its own opposite; --system NAME takes one of "
                       "them",
                       s->in.systems[0].name, s->in.systems[1].name);
    if (s->in.count == 2 && !one) {
        const iv_auc_difference *d = &s->pairs->x;
        iv_result_answer(out, "The AUC of %s is %.4f and that of %s %.4f: a difference of %.4f, "
                         "%.10g %% interval %.4f to %.4f, p = %.4g.", s->in.systems[0].name,
                         s->measures[0].x.value, s->in.systems[1].name,
                         s->measures[0].x.value - d->value, d->value, percent, d->lower,
                         d->upper, d->p);
    } else {
        iv_result_answer(out, "%s has %s%.4f, %.10g %% interval %.4f to %.4f, over %zu "
                         "positive and %zu negative items.", best->system,
                         s->in.count > 1 ? "the highest AUC, " : "an AUC of ", best->x.value, percent,
                         best->x.lower, best->x.upper, s->in.positives, s->in.items - s->in.positives);
    }
    if (few < FEW)
        iv_result_note(out, "only %zu item%s of one class: 95 %% intervals of an AUC held .91 to .99 in "
                       "trials of up to 10, see the method's page", few, iv_plural(few));
    else if (few < NOT_MANY && s->in.items - few >= 3 * few)
        iv_result_note(out, "%zu items of one class beside %zu of the other: where scores have long "
                       "tails, or those of this class spread more, 95 %% intervals of an AUC of .9 "
                       "held .90 to .93", few, s->in.items - few);
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
    iv_result_used(out, "optimism");
    iv_result_legend(out, "threshold: apparent is on the items it was chosen on, value what to "
                     "expect on others (bootstrap optimism)");
    if (s->in.count > 1)
        iv_result_legend(out, "pairs: score intervals joined with DeLong's, and p that ends them at 0%s; z and "
                         "p_delong are DeLong's test", s->in.count > 2 ? ", of single pairs" : "");
}

static void put(iv_result *out, const scoring *s)
{
    const size_t points = s->in.count * CURVES * IV_CURVE_POINTS;

    iv_result_used(out, "newcombe");
    if (s->in.count > 1)
        iv_result_used(out, "delong");
    (void)iv_result_rows(out, &(iv_rows){ "measures", iv_roc_measure_fields, s->measures,
                                          s->measure_count, sizeof *s->measures,
                                          .drawn = { "value", "lower", "upper", 0.0, 0.0 } });
    if (s->in.count > 1)
        (void)iv_result_rows(out, &(iv_rows){ "pairs", iv_roc_pair_fields, s->pairs,
                                              s->in.count * (s->in.count - 1) / 2, sizeof *s->pairs });
    (void)iv_result_rows(out, &(iv_rows){ "threshold", iv_roc_threshold_fields, s->thresholds, s->in.count,
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
    int rc = iv_roc_read(&s.in, q, t, path, &s.memory, err);

    if (rc == IV_OK)
        rc = compute(&s, out, work, err);
    if (rc == IV_OK) {
        put(out, &s);
        tell(out, &s, 100.0 * (q->confidence == 0.0 ? 0.95 : q->confidence));
        iv_roc_tell_columns(out, &s.in, q, path);
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
        rc = iv_class_many(&many, t, q->gold, &q->named, path, err);
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
        IV_PART_OF(iv_roc_question, confidence, CONFIDENCE, "the confidence"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked, "newcombe"), work, err);
}
