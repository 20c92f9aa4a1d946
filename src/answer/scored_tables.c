/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/scored_tables.h"
#include "answer/answer_columns.h"
#include "base/message.h"
#include "base/parallel.h"
#include "stat/interval/bootstrap.h"
#include "base/base_private.h"
#include "stat/variance_parts_private.h"

#include <math.h>
#include <stdlib.h>

/* ---------------------------------------------------------- variance parts -- */

/* Scores by system, item, repeat, on items that all systems have so often. */
static size_t complete_table(double *x, size_t *counts, const iv_scorecard *card, size_t measure,
                             size_t repeats)
{
    const iv_score_view *v = card->v;
    const size_t S = v->system_count, T = v->item_count;
    size_t items = 0;

    for (size_t k = 0; k < S * T; k++)
        counts[k] = 0;
    for (size_t i = 0; i < v->count; i++)
        if (v->scores[i].measure == card->measures[measure])
            counts[v->scores[i].system * T + v->scores[i].item]++;
    /* From here on the place of an item among those kept, by its first system's count. */
    for (size_t t = 0; t < T; t++) {
        bool all = true;
        for (size_t s = 0; s < S; s++)
            all = all && counts[s * T + t] >= repeats;
        for (size_t s = 0; s < S; s++)
            counts[s * T + t] = all ? (items * repeats) + 1 : 0;
        items += all;
    }
    for (size_t i = 0; x != NULL && i < v->count; i++) {
        const iv_one_score *o = &v->scores[i];
        size_t *at = &counts[o->system * T + o->item];
        if (o->measure != card->measures[measure] || *at == 0)
            continue;
        x[o->system * items * repeats + *at - 1] = o->score;
        *at = *at % repeats == 0 ? 0 : *at + 1; /* after the last one, no more */
    }
    return items;
}

int iv_scorecard_parts(iv_variance_parts *out, const iv_scorecard *card, size_t measure,
                       double confidence, const iv_work *work, iv_err *err)
{
    const size_t S = card->v->system_count, T = card->v->item_count;
    iv_arena own = { 0 };
    size_t *counts = iv_take(&own, S * T + 1, sizeof *counts), best = 0, repeats = 1;
    int rc = iv_taken(&own, err);

    /* The table with the most scores in it. */
    for (size_t r = 1; rc == IV_OK && r <= card->most_repeats; r++) {
        const size_t items = complete_table(NULL, counts, card, measure, r);
        rc = iv_check_work(work, (double)r / (double)(card->most_repeats + 1), err);
        if (items >= 2 && items * r > best) {
            best = items * r;
            repeats = r;
        }
    }
    if (rc == IV_OK) {
        double *x = iv_take(&own, S * best + 1, sizeof *x);
        rc = iv_taken(&own, err);
        const size_t items = rc != IV_OK ? 0 : complete_table(x, counts, card, measure, repeats);
        if (rc == IV_OK)
            rc = iv_variance_of(out, x, S, items, repeats, confidence, err);
        if (rc == IV_OK && iv_scorecard_units(card))
            out->g = out->g_lower = out->g_upper = out->dependability = (double)NAN;
    }
    iv_arena_free(&own);
    return rc;
}

int iv_scorecard_shared(const double **out, const iv_scorecard *card, iv_err *err)
{
    iv_variance_parts p;
    iv_err why;

    *out = NULL;
    if (card->structure == NULL || card->structure[0].repeat_variance == NULL
        || card->v->system_count < 2)
        return IV_OK;
    const int rc = iv_scorecard_parts(&p, card, 0, 0.95, NULL, &why);
    if (rc == IV_OK && p.shared.lower > 0.0)
        *out = card->structure[0].repeat_variance;
    return rc == IV_OK || rc == IV_ENODATA ? IV_OK : iv_fail_as(err, &why);
}

typedef struct part_row {
    const char *measure, *part;
    iv_variance_part is;
} part_row;

enum { MEASURES = 1 };

const iv_field iv_scored_part_fields[] = {
    { "measure", IV_AT(part_row, measure), .shown = MEASURES, .about = "as it was asked for" },
    { "part", IV_AT(part_row, part), .about = "what scores vary by" },
    { "variance", IV_AT(part_row, is.variance), .digits = 5, .about = "of single scores" },
    { "lower", IV_AT(part_row, is.lower), .digits = 5, .about = "end of its interval" },
    { "upper", IV_AT(part_row, is.upper), .digits = 5, .about = "the other end" },
    { "share", IV_AT(part_row, is.share), .digits = 3, .about = "of the sum of all parts" },
    { "mean_square", IV_AT(part_row, is.mean_square), .digits = 5, .audience = IV_FOR_PROGRAMS,
      .about = "of the analysis of variance" },
    { "df", IV_AT(part_row, is.df), .digits = 0, .audience = IV_FOR_PROGRAMS,
      .about = "degrees of freedom" },
    { NULL } };

typedef struct reliability_row {
    const char *measure;
    iv_variance_parts is;
} reliability_row;

const iv_field iv_scored_reliability_fields[] = {
    { "measure", IV_AT(reliability_row, measure), .shown = MEASURES,
      .about = "as it was asked for" },
    { "systems", IV_AT(reliability_row, is.systems), .about = "compared" },
    { "items", IV_AT(reliability_row, is.items), .about = "that all systems have" },
    { "repeats", IV_AT(reliability_row, is.repeats), .about = "of each system on each item" },
    { "generalisability", IV_AT(reliability_row, is.g), .digits = 3,
      .about = "proportion of the variance of means due to systems" },
    { "lower", IV_AT(reliability_row, is.g_lower), .digits = 3, .about = "end of its interval" },
    { "upper", IV_AT(reliability_row, is.g_upper), .digits = 3, .about = "the other end" },
    { "dependability", IV_AT(reliability_row, is.dependability), .digits = 3,
      .about = "the same of the means as they stand" },
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

/* What the messages on variance parts are about. */
typedef struct parted {
    const iv_scorecard *card;
    const iv_variance_parts *is;
} parted;

static iv_found some_items(const void *about)
{
    const parted *p = about;
    const size_t all = p->card->v->item_count;

    return (iv_found){ p->is->items < all ? p->is->items : 0, { (double)all }, { NULL } };
}

static iv_found one_repeat(const void *about)
{
    return (iv_found){ ((const parted *)about)->is->repeats == 1, { 0.0 }, { NULL } };
}

static iv_found shared_repeats(const void *about)
{
    const iv_variance_part *p = &((const parted *)about)->is->shared;

    return (iv_found){ p->lower > 0.0, { p->variance, p->lower, p->upper }, { NULL } };
}

static iv_found not_general(const void *about)
{
    const parted *p = about;

    return (iv_found){ isnan(p->is->g) ? 1u : 0u, { 0.0 },
                       { iv_scorecard_units(p->card) ? "items are of clusters or sets"
                                                     : "scores do not vary" } };
}

static iv_found general(const void *about)
{
    const iv_variance_parts *p = ((const parted *)about)->is;

    return (iv_found){ isnan(p->g) ? 0 : p->items, { p->g, p->g_lower, p->g_upper },
                       { p->repeats > 1 ? " and repeats" : "" } };
}

static const iv_message variance_rows[] = {
    { "variance.items", IV_NOTE, "variance reliability", some_items,
      "Variance parts are of the {n} item of {a} that all systems have.",
      "Variance parts are of the {n} items of {a} that all systems have." },
    { "variance.one-repeat", IV_NOTE, "variance", one_repeat,
      "Without repeats the interaction includes the variance between repeats.", NULL },
    { "variance.shared", IV_NOTE, "variance reliability", shared_repeats,
      "A repeat shifts all items of its system together, with variance {a} ({b} to {c}); more "
      "items "
      "do not reduce it.", NULL },
    { "variance.no-coefficient", IV_NOTE, "reliability", not_general,
      "No generalisability coefficient: {s}.", NULL },
    { "variance.coefficient", IV_NOTE, "reliability", general,
      "Generalisability {a} ({b} to {c}): the proportion of the variance of means that is due to "
      "systems, for {n} new items{s}.", NULL },
    { NULL } };

int iv_tell_variance(const iv_scorecard *card, double confidence, iv_result *out,
                     const iv_work *work, iv_err *err)
{
    const size_t M = card->measure_count;
    part_row *rows = malloc((4 * M + 1) * sizeof *rows);
    reliability_row *all = malloc((M + 1) * sizeof *all);
    size_t count = 0, made = 0;
    int rc = rows == NULL || all == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    for (size_t m = 0; rc == IV_OK && card->v->system_count > 1 && m < M; m++) {
        iv_err why = { .code = IV_OK };
        reliability_row *r = &all[made];
        rc = iv_scorecard_parts(&r->is, card, m, confidence, work, &why);
        if (rc == IV_ENODATA) {
            rc = IV_OK; /* too few items that all have */
            continue;
        }
        if (rc != IV_OK) {
            rc = iv_fail_as(err, &why);
            break;
        }
        r->measure = card->v->measures[card->measures[m]];
        count += fill_parts(rows + count, &r->is, r->measure);
        if (made++ == 0)
            iv_result_tell(out, variance_rows, &(parted){ card, &r->is }, NULL);
    }
    if (rc == IV_OK && made > 0) {
        const unsigned with = M > 1 ? MEASURES : 0;
        (void)iv_result_rows(out, &(iv_rows){ "variance", iv_scored_part_fields, rows, count, sizeof *rows,
                                              with, .showing = IV_ASIDE,
                                              .drawn = { "variance", "lower", "upper", 0.0, 0.0 } });
        (void)iv_result_rows(out, &(iv_rows){ "reliability", iv_scored_reliability_fields, all, made,
                                              sizeof *all, with, .showing = IV_ASIDE });
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_FOREST, .table = "variance", .title = "What scores vary by",
            .caption = "A point is the variance that systems, items, their interaction or repeats "
                       "bring to a single score, the line its interval.",
            .label = "part", .page = M > 1 ? "measure" : NULL, .value = "variance",
            .lower = "lower", .upper = "upper" });
    }
    free(rows);
    free(all);
    return rc;
}

/* ------------------------------------------------------------------- sets -- */

typedef struct set_row {
    const char *set, *run, *measure;
    iv_structured is;
    iv_mean_interval of;
} set_row;

const iv_field iv_scored_set_fields[] = {
    { "set", IV_AT(set_row, set), .about = "of the suite" },
    { "run", IV_AT(set_row, run), .about = "its tag, or its file" },
    { "measure", IV_AT(set_row, measure), .shown = MEASURES, .about = "as it was asked for" },
    { "items", IV_AT(set_row, is.items), .about = "that count" },
    { "value", IV_AT(set_row, is.mean), .digits = 4, .about = "mean over the set's items" },
    { "se", IV_AT(set_row, is.se), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "standard error" },
    { "lower", IV_AT(set_row, of.lower), .digits = 4, .about = "end of the interval" },
    { "upper", IV_AT(set_row, of.upper), .digits = 4, .about = "the other end" },
    { NULL } };

/* One system's scores of one set. */
static int fill_set(set_row *row, double *x, uint32_t *room, const iv_scorecard *card, size_t m,
                    size_t s, size_t h, double confidence, iv_err *err)
{
    const iv_score_view *v = card->v;
    iv_structure one;
    const iv_set_slice in = iv_scorecard_within(&one, room, card, m, h);
    const double *values = iv_scorecard_values(card, m) + s * v->item_count + in.from;
    bool unit = true, any = false;

    for (size_t t = 0; t < in.count; t++) {
        x[t] = v->suite[in.from + t] == h ? values[t] : (double)NAN;
        unit = unit && !(x[t] < 0.0) && !(x[t] > 1.0);
        any = any || !isnan(x[t]);
    }
    if (!any)
        return IV_ENODATA;
    *row = (set_row){ .set = v->suites[h], .run = v->systems[s],
                      .measure = v->measures[card->measures[m]] };
    IV_TRY(iv_structured_mean(&row->is, x, in.count, &one, s, err));
    /* Right and wrong answers as those of a file without sets. */
    if (card->binary && card->most_repeats < 2 && one.cluster == NULL && one.weight == NULL) {
        row->of = (iv_mean_interval){ .n = row->is.items, .method = IV_INTERVAL_WILSON,
                                      .mean = row->is.mean, .se = row->is.se };
        return iv_plain_limits(&row->of, NULL, &(iv_resampling){ confidence, 0 }, NULL, err);
    }
    return iv_structured_interval(&row->of, &row->is, unit, IV_INTERVAL_AUTO, confidence, err);
}

int iv_tell_sets(const iv_scorecard *card, double confidence, iv_result *out, const iv_work *work,
                 iv_err *err)
{
    const iv_score_view *v = card->v;
    const size_t M = card->measure_count, S = v->system_count, H = v->suite_count;
    set_row *rows = malloc((M * S * H + 1) * sizeof *rows);
    double *x = malloc((v->item_count + 1) * sizeof *x);
    uint32_t *room = malloc((v->item_count + 1) * sizeof *room);
    size_t count = 0;
    int rc = rows == NULL || x == NULL || room == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    for (size_t k = 0; rc == IV_OK && H > 1 && k < M * S * H; k++) {
        rc = fill_set(&rows[count], x, room, card, k / (S * H), k % S, k / S % H, confidence, err);
        count += rc == IV_OK;
        rc = rc == IV_ENODATA ? IV_OK : rc; /* this system has nothing in this set */
        if (rc == IV_OK)
            rc = iv_check_work(work, (double)k / (double)(M * S * H), err);
    }
    if (rc == IV_OK && H > 1) {
        (void)iv_result_rows(out, &(iv_rows){ "sets", iv_scored_set_fields, rows, count, sizeof *rows,
                                              M > 1 ? MEASURES : 0,
                                              .showing = count > 40 ? IV_LONG : IV_SHOWN,
                                              .drawn = { "value", "lower", "upper", 0.0, 0.0 } });
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_FOREST, .table = "sets", .title = "Means by set",
            .caption = "A point is a system's mean over the items of a set, the line its interval.",
            .label = "run", .against = "set", .page = M > 1 ? "measure" : NULL, .value = "value",
            .lower = "lower", .upper = "upper" });
    }
    free(rows);
    free(x);
    free(room);
    return rc;
}

/* ----------------------------------------------------------------- errors -- */

typedef struct error_row {
    const char *run, *measure;
    iv_structured is;
    double effect;
} error_row;

const iv_field iv_scored_error_fields[] = {
    { "run", IV_AT(error_row, run), .about = "its tag, or its file" },
    { "measure", IV_AT(error_row, measure), .shown = MEASURES, .about = "as it was asked for" },
    { "items", IV_AT(error_row, is.items), .about = "that count" },
    { "units", IV_AT(error_row, is.units), .about = "clusters, sets or items that vary" },
    { "largest", IV_AT(error_row, is.largest), .digits = 3, .about = "proportion in the largest "
      "unit" },
    { "icc", IV_AT(error_row, is.icc), .digits = 3, .about = "correlation within clusters" },
    { "se_apart", IV_AT(error_row, is.se_apart), .digits = 4,
      .about = "standard error as if items were independent" },
    { "se_clustered", IV_AT(error_row, is.se_clustered), .digits = 4,
      .about = "clustered, not corrected for few (Miller 2024)" },
    { "se", IV_AT(error_row, is.se), .digits = 4, .about = "as intervals have it" },
    { "df", IV_AT(error_row, is.df), .digits = 1, .about = "its degrees of freedom" },
    { "design_effect", IV_AT(error_row, effect), .digits = 2,
      .about = "how often as many items this is worth: (se / se_apart)^2" },
    { NULL } };

int iv_tell_errors(const iv_scorecard *card, iv_result *out, const iv_work *work, iv_err *err)
{
    const iv_score_view *v = card->v;
    const size_t M = card->measure_count, S = v->system_count;
    error_row *rows = malloc((M * S + 1) * sizeof *rows);
    bool alone = false, lone_set = false;
    int rc = rows == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    for (size_t k = 0; rc == IV_OK && card->structured && k < M * S; k++) {
        error_row *row = &rows[k];
        *row = (error_row){ .run = v->systems[k % S],
                            .measure = v->measures[card->measures[k / S]] };
        rc = iv_structured_mean(&row->is, iv_scorecard_values(card, k / S) + k % S * v->item_count,
                                v->item_count, &card->structure[k / S], k % S, err);
        if (rc == IV_OK)
            rc = iv_check_work(work, (double)k / (double)(M * S), err);
        row->effect = row->is.se * row->is.se / (row->is.se_apart * row->is.se_apart);
        alone = alone || row->is.units < 2;
        lone_set = lone_set || (row->is.units > 1 && isnan(row->is.se));
    }
    if (rc == IV_OK && alone)
        iv_result_note(out, "all items of a run are of one cluster or set: how far others would "
                       "differ is unknown, so there is no standard error and no interval");
    if (rc == IV_OK && lone_set)
        iv_result_note(out, "a set has one %s only, which tells nothing of others: there is no "
                       "standard error and no interval of the mean over sets as they are; sets "
                       "could be taken for a sample", card->structure[0].cluster != NULL ? "cluster"
                       : "item");
    if (rc == IV_OK && card->structured)
        (void)iv_result_rows(out, &(iv_rows){ "errors", iv_scored_error_fields, rows, M * S, sizeof *rows,
                                              M > 1 ? MEASURES : 0,
                                              .showing = IV_ASIDE });
    free(rows);
    return rc;
}

/* ------------------------------------------------------------------ design -- */

typedef struct design_row {
    double items, repeats, scores, se, g;
} design_row;

const iv_field iv_scored_design_fields[] = {
    { "items", IV_AT(design_row, items), .digits = 0, .about = "each scored for every system" },
    { "repeats", IV_AT(design_row, repeats), .digits = 0, .about = "of each system on each item" },
    { "scores", IV_AT(design_row, scores), .digits = 0, .about = "to be made for each system" },
    { "se", IV_AT(design_row, se), .digits = 5,
      .about = "standard error of the difference of two systems" },
    { "generalisability", IV_AT(design_row, g), .digits = 3,
      .about = "how far the order of the systems would hold" },
    { NULL } };

int iv_tell_design(const iv_scorecard *card, double confidence, iv_result *out, iv_err *err)
{
    static const double by_items[] = { 0.5, 1.0, 2.0, 4.0 }, by_repeats[] = { 1.0, 2.0, 3.0, 5.0, 10.0 };
    design_row rows[20];
    iv_variance_parts p;
    iv_err why;
    const int rc = iv_scorecard_parts(&p, card, 0, confidence, NULL, &why);

    if (rc == IV_ENODATA)
        return IV_OK; /* nothing that all systems have */
    if (rc != IV_OK)
        return iv_fail_as(err, &why);
    if (p.repeats < 2)
        return IV_OK;
    if (iv_scorecard_units(card)) {
        iv_result_note(out, "no table of more items and more repeats: these are of %ss that vary "
                            "as "
                       "wholes", iv_scorecard_unit(card));
        return IV_OK;
    }
    for (size_t k = 0; k < 20; k++) {
        const double items = ceil(by_items[k / 5] * (double)p.items), r = by_repeats[k % 5];
        rows[k] = (design_row){ items, r, items * r, iv_variance_se(&p, items, r),
                                iv_variance_g(&p, items, r) };
    }
    (void)iv_result_rows(out, &(iv_rows){ "design", iv_scored_design_fields, rows, 20, sizeof *rows,
                                          .showing = IV_SHOWN });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "design", .title = "More items or more repeats?",
        .caption = "The standard error of a difference of two systems over how many scores each "
                   "needs; a curve a number of repeats.",
        .x = "scores", .value = "se", .group = "repeats",
        .x_axis = { .title = "scores of each system", .log = true } });
    const double I = (double)p.items, R = (double)p.repeats;
    const double now = iv_variance_se(&p, I, R), wide = iv_variance_se(&p, 2.0 * I, R);
    const double deep = iv_variance_se(&p, I, 2.0 * R);
    iv_result_note(out, "twice the items bring the standard error of a difference from %.5f to "
                   "%.5f, twice the repeats to %.5f: %s", now, wide, deep,
                   deep - wide > 0.02 * now ? "more items buy more"
                   : wide - deep > 0.02 * now ? "more repeats buy more" : "either buys the same");
    return IV_OK;
}
