/* SPDX-License-Identifier: Apache-2.0 */
/* What standard errors of a score table are made of: tables variance, sets, errors, design. */
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "intervale/trec/runs.h"
#include "result/answering.h"
#include "result/message.h"
#include "scores/score_measures.h"
#include "scores/score_tables.h"
#include "stat/interval/limits.h"

#include <math.h>
#include <stdlib.h>

/* ---------------------------------------------------------- variance parts -- */

/* The place of each score among the repeats of its item; IV_NONE: of another measure.  Repeats are
 * told by their labels, those first that most often occur beside the most frequent one; of items
 * with repeats of their own as they come. */
static int place_repeats(size_t *place, iv_arena *own, const iv_scored *scored, size_t measure,
                         iv_err *err)
{
    const iv_score_table *v = scored->v;
    const size_t R = v->repeat_count, cells = v->system_count * v->item_count;
    const bool crossed = R > 0 && scored->structure[measure].repeat_variance != NULL;
    size_t *times = iv_take(own, (crossed ? R : cells) + 1, sizeof *times), top = 0;
    size_t *beside = iv_take(own, R + 1, sizeof *beside);
    bool *has = iv_take(own, v->item_count + 1, sizeof *has);

    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < v->count; i++) {
        const iv_one_score *o = &v->scores[i];
        const size_t at = crossed ? o->repeat : o->system * v->item_count + o->item;
        place[i] = o->measure == scored->measures[measure] ? times[at]++ : IV_NONE;
    }
    for (size_t r = 1; crossed && r < R; r++)
        top = times[r] > times[top] ? r : top;
    for (size_t i = 0; crossed && i < v->count; i++)
        has[v->scores[i].item] |= place[i] != IV_NONE && v->scores[i].repeat == top;
    for (size_t i = 0; crossed && i < v->count; i++)
        beside[v->scores[i].repeat] += place[i] != IV_NONE && has[v->scores[i].item];
    for (size_t r = 0; crossed && r < R; r++) {
        times[r] = 0; /* from here on its rank */
        for (size_t b = 0; b < R; b++)
            times[r] += beside[b] > beside[r] || (beside[b] == beside[r] && b < r);
    }
    for (size_t i = 0; crossed && i < v->count; i++)
        place[i] = place[i] != IV_NONE ? times[v->scores[i].repeat] : IV_NONE;
    return IV_OK;
}

/* From scores by system, item, repeat, on items that all systems have with the same repeats. */
static int find_parts(iv_variance_parts *out, iv_arena *own, const iv_scored *scored,
                      size_t measure, double confidence, const iv_work *work, iv_err *err)
{
    const iv_score_table *v = scored->v;
    const size_t S = v->system_count, T = v->item_count;
    size_t *place = iv_take(own, v->count + 1, sizeof *place), best = 1, repeats = 1, items = 0;
    size_t *counts = iv_take(own, T + 1, sizeof *counts), *kept = iv_take(own, T + 1, sizeof *kept);

    IV_TRY(place_repeats(place, own, scored, measure, err));
    for (size_t r = 1; r <= scored->most_repeats; r++) { /* the table with the most scores in it */
        size_t n = 0;
        for (size_t i = 0; i < v->count; i++)
            counts[v->scores[i].item] += place[i] == r - 1;
        for (size_t t = 0; t < T; t++)
            n += counts[t] == S * r;
        IV_TRY(iv_check_work(work, (double)r / (double)(scored->most_repeats + 1), err));
        if (n < 2)
            break;
        if (n * r <= best)
            continue;
        best = n * r;
        repeats = r;
        items = 0;
        for (size_t t = 0; t < T; t++)
            kept[t] = counts[t] == S * r ? items++ : IV_NONE;
    }
    double *x = iv_take(own, S * best + 1, sizeof *x);
    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < v->count && items > 0; i++) {
        const iv_one_score *o = &v->scores[i];
        if (place[i] < repeats && kept[o->item] != IV_NONE)
            x[(o->system * items + kept[o->item]) * repeats + place[i]] = o->score;
    }
    IV_TRY(iv_variance_of(out, x, S, items, repeats, confidence, err));
    if (scored->structure[measure].repeat_variance == NULL) { /* each item has its own repeats */
        out->shared = (iv_variance_part){ 0 };
        out->apart = out->repeat.variance;
    }
    return IV_OK;
}

int iv_scored_parts(iv_variance_parts *out, const iv_scored *scored, size_t measure,
                    double confidence, const iv_work *work, iv_err *err)
{
    iv_arena own = { 0 };
    iv_err why = { .code = IV_OK };

    *out = (iv_variance_parts){ .repeats = 0 };
    if (scored->definitions[measure].form != IV_FORM_MEAN)
        return IV_OK; /* single scores have no such value */
    const int rc = find_parts(out, &own, scored, measure, confidence, work, &why);

    iv_arena_free(&own);
    if (rc == IV_ENODATA)
        out->repeats = 0;
    return rc == IV_OK || rc == IV_ENODATA ? IV_OK : iv_fail_as(err, &why);
}

double iv_scored_shared(const iv_scored *scored, size_t measure, const iv_compared_pair *p)
{
    const double *shared = scored->structure == NULL ? NULL
        : scored->structure[measure].repeat_variance;

    return shared == NULL ? 0.0 : shared[p->a] + shared[p->b];
}

enum { MEASURES = 1 };

typedef struct part_row {
    const char *measure, *part;
    iv_variance_part of;
} part_row;

const iv_field iv_scored_part_fields[] = {
    { "measure", IV_AT(part_row, measure), .shown = MEASURES, .about = "name of the measure" },
    { "part", IV_AT(part_row, part), .about = "source of variance" },
    { "variance", IV_AT(part_row, of.variance), .digits = 5, .about = "variance of single scores" },
    IV_LIMITS(part_row, of., 5),
    { "proportion", IV_AT(part_row, of.share), .digits = 3,
      .about = "proportion of the sum of all parts" },
    { "mean_square", IV_AT(part_row, of.mean_square), .digits = 5, .audience = IV_FOR_PROGRAMS,
      .about = "mean square of the analysis of variance" },
    { "df", IV_AT(part_row, of.df), .digits = 0, .audience = IV_FOR_PROGRAMS,
      .about = "degrees of freedom" },
    { NULL } };

static size_t fill_parts(part_row *rows, const iv_variance_parts *p, const char *measure)
{
    const iv_variance_part *parts[] = { &p->system, &p->item, &p->interaction, &p->repeat };
    static const char *const names[] = { "systems", "items", "interaction", "repeats" };
    const size_t n = p->repeats > 1 ? 4 : 3;

    for (size_t k = 0; k < n; k++)
        rows[k] = (part_row){ measure, names[k], *parts[k] };
    return n;
}

static const iv_message variance_rows[] = {
    { "variance.items", IV_NOTE, "variance",
      "Variance parts use the {n} of {a} items that all systems have with the same repeats." },
    { "variance.one-repeat", IV_NOTE, "variance",
      "Without repeats the interaction includes the variance between repeats." },
    { "variance.shared", IV_NOTE, "variance",
      "A repeat shifts all items of its system together, with variance {a} ({b} to {c}); more "
      "items do not reduce it." },
    { NULL } };

static void say_variance(iv_result *out, const iv_scored *scored, const iv_variance_parts *p)
{
    const size_t all = scored->v->item_count;
    const iv_variance_part *shared = &p->shared;

    IV_TELL(out, variance_rows, "variance.items", p->items < all ? p->items : 0, { (double)all });
    IV_TELL(out, variance_rows, "variance.one-repeat", p->repeats == 1);
    IV_TELL(out, variance_rows, "variance.shared", shared->lower > 0.0,
            { shared->variance, shared->lower, shared->upper });
}

int iv_tell_variance(iv_scored *scored, double confidence, iv_result *out,
                     const iv_work *work, iv_err *err)
{
    const size_t M = scored->measure_count;
    part_row *rows = iv_take(scored->own, 4 * M + 1, sizeof *rows);
    size_t count = 0;

    IV_TRY(iv_taken(scored->own, err));
    for (size_t m = 0; scored->v->system_count > 1 && m < M; m++) {
        iv_variance_parts p;
        IV_TRY(iv_scored_parts(&p, scored, m, confidence, work, err));
        if (p.repeats == 0) /* too few items that all have */
            continue;
        if (count == 0)
            say_variance(out, scored, &p);
        count += fill_parts(rows + count, &p, scored->names[m]);
    }
    if (count > 0) {
        IV_TABLE(out, "variance", iv_scored_part_fields, rows, count,
                 .with = M > 1 ? MEASURES : 0, .showing = IV_ASIDE,
                 .drawn = { "variance", "lower", "upper" });
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_FOREST, .table = "variance", .title = "Sources of variance",
            .caption = "A point is the variance that systems, items, their interaction or "
                       "repeats contribute to a single score. The line is its interval.",
            .label = "part", .page = M > 1 ? "measure" : NULL, .value = "variance",
            .lower = "lower", .upper = "upper" });
    }
    return IV_OK;
}

/* ------------------------------------------------------------------- sets -- */

typedef struct set_row {
    const char *set, *run, *measure;
    size_t items;
    double value, se;
    iv_limits limits;
} set_row;

const iv_field iv_scored_set_fields[] = {
    { "set", IV_AT(set_row, set), .about = "name of the set" },
    { "run", IV_AT(set_row, run), .heading = "system", .about = "name of the system" },
    { "measure", IV_AT(set_row, measure), .shown = MEASURES, .about = "name of the measure" },
    { "items", IV_AT(set_row, items), .about = "items that count" },
    { "value", IV_AT(set_row, value), .digits = 4, .about = "mean over the set's items" },
    { "se", IV_AT(set_row, se), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "standard error" },
    IV_LIMITS(set_row, limits., 4),
    { NULL } };

/* One system's scores of one set. */
static int fill_set(set_row *row, double *x, uint32_t *room, const iv_scored *scored, size_t m,
                    size_t s, size_t h, double confidence, iv_err *err)
{
    const iv_score_table *v = scored->v;
    iv_structure one;
    const iv_set_slice in = iv_scored_within(&one, room, scored, m, h);
    const double *values = iv_scored_values(scored, m) + s * v->item_count + in.from;
    bool unit = true, any = false;

    for (size_t t = 0; t < in.count; t++) {
        x[t] = v->suite[in.from + t] == h ? values[t] : (double)NAN;
        unit = unit && !(x[t] < 0.0) && !(x[t] > 1.0);
        any = any || !isnan(x[t]);
    }
    if (!any)
        return IV_ENODATA;
    iv_structured is;
    IV_TRY(iv_structured_mean(&is, x, in.count, &one, s, err));
    /* Right and wrong answers as those of a file without sets. */
    iv_mean_interval of = { .n = is.items, .method = IV_INTERVAL_WILSON, .mean = is.mean,
                            .se = is.se };
    if (scored->binary && scored->most_repeats < 2 && one.cluster == NULL && one.weight == NULL)
        IV_TRY(iv_interval_limits(&of, NULL, NULL, 0, confidence, NULL, err));
    else
        IV_TRY(iv_structured_interval(&of, &is, unit, IV_INTERVAL_AUTO, confidence, err));
    *row = (set_row){ v->suites[h], v->systems[s], scored->names[m], is.items, is.mean, is.se,
                      { of.lower, of.upper } };
    return IV_OK;
}

void iv_tell_whole(const iv_scored *scored, iv_result *out)
{
    iv_listing names = { .most = 4 };

    for (size_t m = 0; scored->definitions != NULL && m < scored->measure_count; m++)
        if (!iv_measure_is_mean(&scored->definitions[m]))
            iv_list(&names, "%.60s", scored->names[m]);
    if (names.count > 0)
        iv_result_note(out, "Table 'sets' has means: %s %s over all sets.", iv_listed(&names),
                       names.count == 1 ? "is" : "are");
}

int iv_tell_sets(iv_scored *scored, double confidence, iv_result *out, const iv_work *work,
                 iv_err *err)
{
    const iv_score_table *v = scored->v;
    const size_t M = scored->measure_count, S = v->system_count, H = v->suite_count;
    set_row *rows = iv_take(scored->own, M * S * H + 1, sizeof *rows);
    double *x = iv_take(scored->own, v->item_count + 1, sizeof *x);
    uint32_t *room = iv_take(scored->own, v->item_count + 1, sizeof *room);
    size_t count = 0;

    IV_TRY(iv_taken(scored->own, err));
    for (size_t k = 0; H > 1 && k < M * S * H; k++) {
        if (!iv_measure_is_mean(&scored->definitions[k / (S * H)]))
            continue;
        const int rc = fill_set(&rows[count], x, room, scored, k / (S * H), k % S, k / S % H,
                                confidence, err);
        if (rc != IV_OK && rc != IV_ENODATA) /* this system has nothing in this set */
            return rc;
        count += rc == IV_OK;
        IV_TRY(iv_check_work(work, (double)k / (double)(M * S * H), err));
    }
    if (H > 1) {
        iv_tell_whole(scored, out);
        IV_TABLE(out, "sets", iv_scored_set_fields, rows, count, .with = M > 1 ? MEASURES : 0,
                 .showing = count > 40 ? IV_LONG : IV_SHOWN,
                 .drawn = { "value", "lower", "upper" });
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_FOREST, .table = "sets", .title = "Means by set",
            .caption = "A point is a system's mean over the items of a set. The line is its "
                       "interval.",
            .label = "run", .against = "set", .page = M > 1 ? "measure" : NULL, .value = "value",
            .lower = "lower", .upper = "upper" });
    }
    return IV_OK;
}

/* ----------------------------------------------------------------- errors -- */

typedef struct error_row {
    const char *run, *measure;
    iv_structured is;
    double effect;
} error_row;

const iv_field iv_scored_error_fields[] = {
    { "run", IV_AT(error_row, run), .heading = "system", .about = "name of the system" },
    { "measure", IV_AT(error_row, measure), .shown = MEASURES, .about = "name of the measure" },
    { "items", IV_AT(error_row, is.items), .about = "items that count" },
    { "units", IV_AT(error_row, is.units), .about = "independent units: clusters, sets or items" },
    { "largest", IV_AT(error_row, is.largest), .digits = 3,
      .about = "proportion of items in the largest unit" },
    { "icc", IV_AT(error_row, is.icc), .digits = 3, .about = "correlation within clusters" },
    { "se_independent", IV_AT(error_row, is.se_apart), .digits = 4,
      .about = "standard error if items were independent" },
    { "se_clustered", IV_AT(error_row, is.se_clustered), .digits = 4,
      .about = "standard error over clusters, not corrected for few clusters (Miller 2024)" },
    { "se", IV_AT(error_row, is.se), .digits = 4, .about = "standard error used for the interval" },
    { "df", IV_AT(error_row, is.df), .digits = 1, .about = "degrees of freedom of se" },
    { "design_effect", IV_AT(error_row, effect), .digits = 2,
      .about = "(se / se_independent)^2: above 1, items of a cluster are alike" },
    { NULL } };

int iv_tell_errors(iv_scored *scored, iv_result *out, const iv_work *work, iv_err *err)
{
    const iv_score_table *v = scored->v;
    const size_t M = scored->measure_count, S = v->system_count;
    error_row *rows = iv_take(scored->own, M * S + 1, sizeof *rows);
    bool alone = false, lone_set = false;

    IV_TRY(iv_taken(scored->own, err));
    for (size_t k = 0; scored->structured && k < M * S; k++) {
        error_row *row = &rows[k];
        *row = (error_row){ .run = v->systems[k % S],
                            .measure = scored->names[k / S] };
        IV_TRY(iv_structured_mean(&row->is, iv_scored_values(scored, k / S) + k % S * v->item_count,
                                  v->item_count, &scored->structure[k / S], k % S, err));
        IV_TRY(iv_check_work(work, (double)k / (double)(M * S), err));
        row->effect = row->is.se * row->is.se / (row->is.se_apart * row->is.se_apart);
        alone = alone || row->is.units < 2;
        lone_set = lone_set || (row->is.units > 1 && isnan(row->is.se));
    }
    if (alone)
        iv_result_note(out, "All items of a run are of one cluster or set: how far others would "
                       "differ is unknown, so there is no standard error and no interval.");
    if (lone_set)
        iv_result_note(out, "A set has only one %s, so the mean over these fixed sets has no "
                       "standard error and no interval. The sets could be treated as a sample.",
                       scored->structure[0].cluster != NULL ? "cluster" : "item");
    if (scored->structured)
        IV_TABLE(out, "errors", iv_scored_error_fields, rows, M * S, .with = M > 1 ? MEASURES : 0,
                 .showing = IV_ASIDE);
    return IV_OK;
}

/* ------------------------------------------------------------------ design -- */

typedef struct design_row {
    double items, repeats, scores, se;
} design_row;

const iv_field iv_scored_design_fields[] = {
    { "items", IV_AT(design_row, items), .digits = 0, .about = "each scored for every system" },
    { "repeats", IV_AT(design_row, repeats), .digits = 0,
      .about = "repeats of each system on each item" },
    { "scores", IV_AT(design_row, scores), .digits = 0, .about = "to be made for each system" },
    { "se", IV_AT(design_row, se), .digits = 5,
      .about = "standard error of the difference of two systems" },
    { NULL } };

int iv_tell_design(const iv_scored *scored, double confidence, iv_result *out, iv_err *err)
{
    static const double by_items[] = { 0.5, 1.0, 2.0, 4.0 },
        by_repeats[] = { 1.0, 2.0, 3.0, 5.0, 10.0 };
    design_row rows[20];
    iv_variance_parts p;

    IV_TRY(iv_scored_parts(&p, scored, 0, confidence, NULL, err));
    if (p.repeats < 2)
        return IV_OK;
    if (iv_scored_units(scored)) {
        iv_result_note(out, "There is no table of more items and more repeats, because the items "
                       "of a %s vary together.", iv_scored_unit(scored));
        return IV_OK;
    }
    for (size_t k = 0; k < 20; k++) {
        const double items = ceil(by_items[k / 5] * (double)p.items), r = by_repeats[k % 5];
        rows[k] = (design_row){ items, r, items * r, iv_variance_se(&p, items, r) };
    }
    IV_TABLE(out, "design", iv_scored_design_fields, rows, 20, .showing = IV_SHOWN);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "design", .title = "More items or more repeats?",
        .caption = "The standard error of a difference of two systems by the number of scores "
                   "each needs; one curve for each number of repeats.",
        .x = "scores", .value = "se", .group = "repeats",
        .x_axis = { .title = "scores of each system", .log = true } });
    const double I = (double)p.items, R = (double)p.repeats;
    iv_result_note(out, "Twice as many items bring the standard error of a difference from %.5f to "
                   "%.5f, twice as many repeats to %.5f.", iv_variance_se(&p, I, R),
                   iv_variance_se(&p, 2.0 * I, R), iv_variance_se(&p, I, 2.0 * R));
    return IV_OK;
}
