/* SPDX-License-Identifier: Apache-2.0 */
/* roc of scores for each of three or more classes. */
#include "base/err.h"
#include "base/names.h"
#include "classify/classify_messages.h"
#include "intervale/classify.h"
#include "classify/roc_scoring.h"
#include "intervale/trec/runs.h"
#include "result/answering.h"
#include "result/claims.h"
#include "result/methods.h"
#include "result/wording.h"
#include "stat/scored/scored.h"
#include "trec/class_columns.h"
#include "trec/csv.h"
#include "trec/gold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOSSES = 2 };

const iv_field iv_roc_class_fields[] = {
    { "system", IV_AT(iv_roc_value, system), .shown = IV_ROC_MANY,
      .about = "name of the system" },
    { "class", IV_AT(iv_roc_value, name),
      .about = "a class against the rest, or an average" },
    { "support", IV_AT(iv_roc_value, items), .about = "items of the class" },
    { "auc", IV_AT(iv_roc_value, is.value), .digits = 4, .about = "area under the ROC curve" },
    { "se", IV_AT(iv_roc_value, is.se), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "standard error" },
    IV_LIMITS(iv_roc_value, is., 4),
    { NULL } };

/* Are they probabilities of all there is?  *off is the first item whose do not add up. */
static bool add_to_one(const iv_system_scores *s, size_t items, size_t *off)
{
    /* A row may be off by as much as rounding to two digits brings. */
    const double slack = fmin(0.005 * (double)s->count, 0.05) + 1e-9;

    for (size_t i = 0; i < items; i++) {
        double sum = 0.0;
        for (size_t k = 0; k < s->count; k++) {
            sum += s->scores[k][i];
            if (!(s->scores[k][i] >= 0.0 && s->scores[k][i] <= 1.0))
                return false;
        }
        if (!(fabs(sum - 1.0) <= slack)) {
            *off = i;
            return false;
        }
    }
    return true;
}

/*
 * Probabilities that add up to 1 only with those of other columns that are called alike: these are
 * of classes that no item is of.
 */
static int add_others(iv_roc_scoring *c, size_t at, const iv_csv *t, iv_err *err)
{
    const iv_class_table *x = &c->t;
    iv_system_scores *s = &c->said[at];
    const size_t before = s->count;
    bool *mine = iv_take(c->own, x->other_count, sizeof *mine);
    size_t off = IV_NONE;

    IV_TRY(iv_taken(c->own, err));
    if (add_to_one(s, x->items, &off) || off == IV_NONE)
        return IV_OK;
    for (size_t i = 0; i < x->other_count; i++) {
        const iv_str name = iv_class_of_column(iv_csv_column(t, x->others[i]), &x->systems[at]);
        iv_scored_system one;
        iv_err why;
        if (name.len == 0
            || iv_roc_read_scores(&one, &x->others[i], 1, t, c, &why) != IV_OK)
            continue;
        s->classes[s->count] = iv_arena_copy(c->own, name);
        s->scores[s->count++] = one.scores;
        mine[i] = true;
    }
    if (!add_to_one(s, x->items, &off))
        s->count = before;
    for (size_t i = 0; i < x->other_count && s->count > before; i++)
        c->is_used[i] = c->is_used[i] || mine[i];
    return iv_taken(c->own, err);
}

static int read_system(iv_roc_scoring *c, size_t at, const iv_csv *t, iv_err *err)
{
    const iv_class_table *x = &c->t;
    const size_t K = x->classes, most = K + x->other_count;
    iv_system_scores *s = &c->said[at];
    iv_scored_system *columns = iv_take(c->own, K, sizeof *columns);

    *s = (iv_system_scores){ .name = x->systems[at].name, .count = K };
    s->classes = iv_take(c->own, most, sizeof *s->classes);
    s->scores = iv_take(c->own, most, sizeof *s->scores);
    IV_TRY(iv_taken(c->own, err));
    IV_TRY(iv_roc_read_scores(columns, x->systems[at].columns, K, t, c, err));
    for (size_t k = 0; k < K; k++) {
        s->classes[k] = x->names[k];
        s->scores[k] = columns[k].scores;
    }
    return add_others(c, at, t, err);
}

static int read_systems(iv_roc_scoring *c, const iv_csv *t, iv_err *err)
{
    IV_TRY(iv_class_columns(&c->t, t, c->q->gold, &c->q->named, c->own, err));
    if (c->q->goal != IV_BEST_NONE)
        return iv_fail(err, IV_EARG, "a threshold for %s needs two classes, and there are %zu: "
                       "name the positive one" IV_HINT(" with --positive LABEL"),
                       iv_threshold_goal_names()[c->q->goal], c->t.classes);
    c->count = c->t.system_count;
    IV_TRY(iv_roc_check_count(c, t, err));
    c->sizes = iv_take(c->own, c->t.classes, sizeof *c->sizes);
    c->said = iv_take(c->own, c->t.system_count, sizeof *c->said);
    c->is_used = iv_take(c->own, c->t.other_count, sizeof *c->is_used);
    IV_TRY(iv_taken(c->own, err));
    for (size_t i = 0; i < c->t.items; i++)
        c->sizes[c->t.is[i]]++;
    for (size_t s = 0; s < c->t.system_count; s++)
        IV_TRY(read_system(c, s, t, err));
    return IV_OK;
}

/* What of the table was not taken for what it may be. */
static void note_class_columns(iv_result *out, const iv_roc_scoring *c, const iv_csv *t)
{
    iv_listing left = { .most = 5 }, empty = { .most = 5 };
    size_t off = IV_NONE;
    char note[IV_GOLD_NOTE];

    if (*iv_gold_note(note, iv_csv_column(t, c->t.gold), c->q->gold) != '\0')
        iv_result_note(out, "%s", note);
    for (size_t i = 0; i < c->t.other_count; i++)
        if (!c->is_used[i])
            iv_list_quoted(&left, iv_csv_column(t, c->t.others[i]));
    for (size_t s = 0; s < c->t.system_count; s++)
        for (size_t k = c->t.classes; k < c->said[s].count && (s == 0 || empty.count == 0); k++)
            iv_list(&empty, "%s", c->said[s].classes[k]);
    if (left.count > 0)
        iv_result_note(out, "Columns excluded, since they name no class: %s.", iv_listed(&left));
    if (empty.count > 0)
        iv_result_note(out, "No item has the class %s: it has no AUC, and averages exclude it.",
                       iv_listed(&empty));
    for (size_t s = 0; s < c->t.system_count && !c->probabilities; s++) {
        const iv_system_scores *x = &c->said[s];
        double sum = 0.0;
        if (add_to_one(x, c->t.items, &off))
            continue;
        for (size_t k = 0; k < x->count && off != IV_NONE; k++)
            sum += x->scores[k][off];
        if (off == IV_NONE)
            iv_result_note(out, "%s: scores are not all in [0, 1], so Brier score and log loss "
                           "are omitted.", x->name);
        else
            iv_result_note(out, "%s: the scores of line %llu add up to %.4g, not to 1, so Brier "
                           "score and log loss are omitted.", x->name,
                           (unsigned long long)iv_csv_line(t, off), sum);
        return;
    }
}

static int measure_classes(iv_roc_scoring *c, iv_system_scores *s, iv_err *err)
{
    static const char *const averages[2] = { "macro", "weighted" };
    const iv_class_items items = (iv_class_items){ s->scores, c->t.is, s->count, c->t.items };
    iv_interval *each = iv_take(c->own, s->count, sizeof *each), average[2];
    bool *positive = iv_take(c->own, c->t.items, sizeof *positive);
    iv_calibration l;

    IV_TRY(iv_taken(c->own, err));
    for (size_t k = 0; k < c->t.classes; k++) {
        for (size_t i = 0; i < c->t.items; i++)
            positive[i] = c->t.is[i] == k;
        IV_TRY(iv_roc_add_misranked(c, &(iv_scored_items){ s->scores[k], positive, c->t.items },
                                    err));
    }
    IV_TRY(iv_auc_classes(each, &average[0], &average[1], &items, c->q->confidence, err));
    s->rows = c->rows + c->row_count;
    for (size_t k = 0; k < s->count; k++)
        s->rows[k] = (iv_roc_value){ s->name, s->classes[k], k < c->t.classes ? c->sizes[k] : 0,
                                     each[k] };
    for (size_t k = 0; k < 2; k++)
        s->rows[s->count + k] = (iv_roc_value){ s->name, averages[k], c->t.items, average[k] };
    c->row_count += s->count + 2;
    if (!c->probabilities)
        return IV_OK;
    IV_TRY(iv_class_calibrate(&l, &items, c->q->confidence, err));
    c->measures[c->measure_count++] = (iv_roc_value){ s->name, "Brier", .is = l.brier };
    c->measures[c->measure_count++] = (iv_roc_value){ s->name, "log_loss", .is = l.log_loss };
    c->clipped += l.clipped;
    return IV_OK;
}

static int compute_classes(iv_roc_scoring *c, iv_err *err)
{
    const size_t S = c->t.system_count;
    size_t most = 0, at = 0, off = IV_NONE;

    c->probabilities = true;
    for (size_t s = 0; s < S; s++) {
        most += c->said[s].count + 2;
        c->probabilities = c->probabilities && add_to_one(&c->said[s], c->t.items, &off);
    }
    c->rows = iv_take(c->own, most, sizeof *c->rows);
    c->measures = iv_take(c->own, LOSSES * S, sizeof *c->measures);
    c->pair_count = S * (S - 1) / 2;
    c->compared = 1;
    c->pairs = iv_take(c->own, c->pair_count, sizeof *c->pairs);
    IV_TRY(iv_taken(c->own, err));
    for (size_t s = 0; s < S; s++)
        IV_TRY(measure_classes(c, &c->said[s], err));
    for (size_t a = 0; a < S; a++)
        for (size_t b = a + 1; b < S; b++, at++) {
            const iv_class_items items = { c->said[a].scores, c->t.is, c->t.classes,
                                           c->t.items };
            iv_interval d;
            IV_TRY(iv_auc_classes_compare(&d, &items, c->said[b].scores, c->q->confidence,
                                          err));
            c->pairs[at] = iv_roc_pair(c->said[a].name, c->said[b].name, "AUC", &d);
        }
    return iv_roc_correct(c->pairs, at, c->own, err);
}

static void answer_classes(iv_result *out, const iv_roc_scoring *c)
{
    const double percent = iv_roc_percent(c->q);
    const iv_interval *first = &iv_roc_auc(c, 0)->is;
    char span[IV_SPAN_SIZE];

    if (c->count == 2)
        iv_roc_say_difference(out, c->pairs, "Macro AUC", first->value, iv_roc_auc(c, 1)->is.value,
                              percent);
    else if (c->count > 2)
        iv_roc_say_highest(out, c, "macro AUC");
    else
        iv_result_answer(out, "The macro AUC over %zu classes is %.3f%s, over %zu items.",
                         c->t.classes, first->value, isnan(first->lower)
                         ? " (no interval, as its variance cannot be estimated)"
                         : iv_span(span, percent / 100.0, first->lower, first->upper),
                         c->t.items);
}

static void put_classes(iv_result *out, const iv_roc_scoring *c)
{
    const size_t S = c->t.system_count;

    iv_roc_say_areas(out, c);
    if (S > 1)
        iv_result_used(out, "delong");
    if (c->probabilities)
        iv_result_used_with(out, "t", " of Brier score and log loss");
    if (S > 2)
        iv_result_used_with(out, "holm", " for %zu pairs", c->pair_count);
    IV_TABLE(out, "classes", iv_roc_class_fields, c->rows, c->row_count,
             .with = S > 1 ? IV_ROC_MANY : 0,
             .drawn = { "auc", "lower", "upper", 0.0, 1.0 });
    if (c->probabilities)
        IV_TABLE(out, "measures", iv_roc_measure_fields, c->measures, c->measure_count);
    if (S > 1)
        IV_TABLE(out, "pairs", iv_roc_pair_fields, c->pairs, c->pair_count,
                 .with = S > 2 ? IV_ROC_MANY : 0);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "classes", .title = "The classes",
        .caption = "A point is the AUC of a class against the rest, or an average. The line is "
                   "its interval.", .label = "class",
                   .page = S > 1 ? "system" : NULL, .value = "auc",
                   .lower = "lower", .upper = "upper" });
}

int iv_roc_classes(iv_result *out, const iv_roc_question *q, const iv_csv *t, const char *path,
                   iv_err *err)
{
    typedef iv_roc_question T;
    iv_roc_scoring c = { .q = q, .path = path, .own = iv_result_own(out), .misranked = INFINITY };
    iv_wording verdict = { .len = 0 };

    IV_TRY(IV_REFUSE(q, "with three or more classes", err, IV_IDLE(bins, "bins"),
        IV_IDLE(columns.count, "columns"), IV_IDLE(cost, "cost"),
        IV_IDLE(least.count, "least"), IV_IDLE(capacity, "capacity"),
        IV_IDLE(fixed.count, "threshold"), IV_IDLE(resamples, "resamples")));
    IV_TRY(read_systems(&c, t, err));
    IV_TRY(compute_classes(&c, err));
    put_classes(out, &c);
    answer_classes(out, &c);
    IV_TRY(iv_roc_gate(out, &verdict, &c, c.said[0].name, err));
    if (verdict.len > 0)
        iv_answer_claims(out, &verdict);
    note_class_columns(out, &c, t);
    iv_roc_warn_misranked(out, &c);
    IV_CLASSIFY(out, "roc.clipped", c.clipped);
    return IV_OK;
}

