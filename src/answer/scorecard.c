/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/scorecard.h"

#include <math.h>
#include <string.h>

#include "base/listing.h"
#include "trec/score_records.h"
#include "base/base_private.h"
#include "trec/score_table_private.h"

const char *const *iv_sets_names(void)
{
    static const char *const names[] = { "fixed", "sampled", NULL };

    return names;
}

static void table_end(void *t) { iv_score_table_free(t); }

/* --------------------------------------------------------------- measures -- */

static int find_measure(uint32_t *out, const iv_score_view *v, const char *name, iv_err *err)
{
    iv_listing there = { .most = 8 };

    for (size_t m = 0; m < v->measure_count; m++) {
        if (strcmp(v->measures[m], name) == 0) {
            *out = (uint32_t)m;
            return IV_OK;
        }
        iv_list_quoted(&there, iv_str_of(v->measures[m]));
    }
    /* Scores without a measure of their own have the name that is given. */
    *out = 0;
    return v->measure_count == 1 && strcmp(v->measures[0], "score") == 0 ? IV_OK
        : iv_fail(err, IV_EARG, "the scores have no measure '%.80s', but %s", name,
                  iv_listed(&there));
}

/* The one that is meant when none is named: average precision, or the first. */
static uint32_t usual_measure(const iv_score_view *v)
{
    static const char *const usual[] = { "AP", "map" };

    for (size_t k = 0; k < 2; k++)
        for (size_t m = 0; m < v->measure_count; m++)
            if (strcmp(v->measures[m], usual[k]) == 0)
                return (uint32_t)m;
    return 0;
}

static int choose_measures(iv_scorecard *card, const iv_texts *names, bool all, iv_result *out,
                           iv_err *err)
{
    const iv_score_view *v = card->v;
    const size_t n = names->count > 0 ? names->count : all ? v->measure_count : 1;

    card->measures = iv_take(&card->own, n, sizeof *card->measures);
    IV_TRY(iv_taken(&card->own, err));
    card->measure_count = n;
    for (size_t i = 0; i < n; i++) {
        if (names->count > 0)
            IV_TRY(find_measure(&card->measures[i], v, names->at[i], err));
        else
            card->measures[i] = all ? (uint32_t)i : usual_measure(v);
    }
    if (names->count == 0 && !all && v->measure_count > 1)
        iv_result_note(out, "the scores are of %zu measures; '%s' is taken", v->measure_count,
                       v->measures[card->measures[0]]);
    return IV_OK;
}

/* ----------------------------------------------------------------- values -- */

static int refuse_others(const iv_scorecard *card, const iv_score_place *at, iv_err *err)
{
    const iv_one_score *x = &card->v->scores[at->score];
    char quoted[IV_QUOTE_SIZE];

    if (!card->binary || at->file == NULL)
        return IV_OK;
    return iv_fail_at(err, IV_EPARSE, at->file, at->line, "'%.60s' has the score %g on item %s, "
                      "expected 0 or 1 of binary scores", card->v->systems[x->system], x->score,
                      iv_quote(quoted, card->v->items[x->item]));
}

/* Means over repeats: the scores are in order, those of one item next to each other. */
static void lay_out(iv_scorecard *card, size_t m, bool complete)
{
    const iv_score_view *v = card->v;
    const size_t S = v->system_count, T = v->item_count;
    double *values = card->values + m * S * T;

    for (size_t i = 0; i < S * T; i++)
        values[i] = complete ? 0.0 : (double)NAN;
    for (size_t i = 0; i < v->count;) {
        const iv_one_score *x = &v->scores[i];
        double sum = 0.0;
        size_t n = 0;
        for (; i < v->count && v->scores[i].measure == x->measure
             && v->scores[i].system == x->system && v->scores[i].item == x->item; i++, n++)
            sum += v->scores[i].score;
        if (x->measure != card->measures[m])
            continue;
        values[x->system * T + x->item] = sum / (double)n;
        card->most_repeats = n > card->most_repeats ? n : card->most_repeats;
    }
}

/* --------------------------------------------------------------- repeats -- */

/* Scores of one system and measure on items x repeats; NaN: none. */
typedef struct grid {
    double *x;
    size_t items, repeats;
} grid;

/* Where the scores of a measure and system begin: they are in order. */
static size_t first_of(const iv_score_view *v, uint32_t measure, size_t system)
{
    size_t low = 0, high = v->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const iv_one_score *x = &v->scores[middle];
        if (x->measure < measure || (x->measure == measure && x->system < system))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void fill_grid(grid *g, const iv_score_view *v, uint32_t measure, size_t system)
{
    for (size_t i = 0; i < g->items * g->repeats; i++)
        g->x[i] = (double)NAN;
    for (size_t i = first_of(v, measure, system); i < v->count && v->scores[i].measure == measure
         && v->scores[i].system == system; i++)
        g->x[v->scores[i].item * g->repeats + v->scores[i].repeat] = v->scores[i].score;
}

static int find_repeats(iv_scorecard *card, size_t m, iv_err *err)
{
    const iv_score_view *v = card->v;
    const size_t S = v->system_count, R = v->repeat_count;
    iv_arena room = { 0 };
    grid g = { NULL, v->item_count, R };
    double *variance = iv_take(&card->own, S, sizeof *variance);
    double *df = iv_take(&card->own, S, sizeof *df);

    g.x = iv_take(&room, v->item_count * R + 1, sizeof *g.x);
    int rc = iv_taken(&card->own, err);
    if (rc == IV_OK)
        rc = iv_taken(&room, err);
    bool any = false;
    for (size_t s = 0; rc == IV_OK && s < S; s++) {
        fill_grid(&g, v, card->measures[m], s);
        rc = iv_repeat_variance(&variance[s], &df[s], g.x, g.items, g.repeats, err);
        any = any || (rc == IV_OK && variance[s] > 0.0);
    }
    iv_arena_free(&room);
    if (rc == IV_OK && any) {
        card->structure[m].repeat_variance = variance;
        card->structure[m].repeat_df = df;
        card->structured = true;
    }
    return rc;
}

/* -------------------------------------------------------------- structure -- */

/* "SET=2.5" */
static int weigh_sets(double *weights, const iv_scorecard *card, iv_err *err)
{
    const iv_texts *asked = &card->asked->set_weights;

    for (size_t h = 0; h < card->v->suite_count; h++)
        weights[h] = 1.0;
    for (size_t i = 0; i < asked->count; i++) {
        const char *is = strrchr(asked->at[i], '=');
        iv_listing there = { .most = 8 };
        double w = 0.0;
        size_t h = 0;
        if (is == NULL || !iv_scan_real(&w, iv_str_of(is + 1)) || !(w > 0.0))
            return iv_fail(err, IV_EARG, "the set's weight '%.80s', expected SET=WEIGHT with a "
                           "weight above 0", asked->at[i]);
        for (; h < card->v->suite_count; h++) {
            const char *name = card->v->suites[h];
            if (strlen(name) == (size_t)(is - asked->at[i])
                && strncmp(name, asked->at[i], strlen(name)) == 0)
                break;
            iv_list_quoted(&there, iv_str_of(name));
        }
        if (h == card->v->suite_count)
            return iv_fail(err, IV_EARG, "there is no set '%.*s', but %s",
                           (int)(is - asked->at[i]), asked->at[i],
                           there.count > 0 ? iv_listed(&there) : "no sets at all");
        weights[h] = w;
    }
    return IV_OK;
}

static int find_structure(iv_scorecard *card, iv_err *err)
{
    const iv_score_view *v = card->v;
    const bool suites = v->suite_count > 1;
    double *weights = iv_take(&card->own, v->suite_count + 1, sizeof *weights);

    card->structure = iv_take(&card->own, card->measure_count, sizeof *card->structure);
    IV_TRY(iv_taken(&card->own, err));
    IV_TRY(weigh_sets(weights, card, err));
    if (card->asked->sets == IV_SETS_SAMPLED && !suites)
        return iv_fail(err, IV_EARG, "sets as a sample, and the scores have no column that names "
                       "sets, or one set only");
    for (size_t m = 0; m < card->measure_count; m++) {
        card->structure[m] = (iv_structure){
            .cluster = v->cluster, .clusters = v->cluster_count,
            .suite = suites ? v->suite : NULL, .suites = suites ? v->suite_count : 0,
            .suite_weight = suites ? weights : NULL,
            .sampled = card->asked->sets == IV_SETS_SAMPLED, .weight = v->weight };
        if (card->most_repeats > 1)
            IV_TRY(find_repeats(card, m, err));
    }
    card->structured = card->structured || v->cluster != NULL || suites || v->weight != NULL;
    return IV_OK;
}

/* Sets mostly stand together: who looks at one looks at its slice. */
static int find_slices(iv_scorecard *card, iv_err *err)
{
    const iv_score_view *v = card->v;

    if (v->suite_count == 0)
        return IV_OK;
    card->slices = iv_take(&card->own, v->suite_count, sizeof *card->slices);
    IV_TRY(iv_taken(&card->own, err));
    for (size_t t = 0; t < v->item_count; t++) {
        iv_set_slice *s = &card->slices[v->suite[t]];
        s->from = s->count == 0 ? t : s->from;
        s->count = t + 1 - s->from;
    }
    return IV_OK;
}

iv_set_slice iv_scorecard_within(iv_structure *out, uint32_t *room, const iv_scorecard *card,
                                 size_t measure, size_t set)
{
    const iv_set_slice s = card->slices[set];
    uint32_t least = UINT32_MAX, most = 0;

    *out = card->structure[measure];
    out->suite = NULL;
    out->suite_weight = NULL;
    out->suites = 0;
    out->sampled = false;
    out->repeat_variance = NULL;
    if (out->weight != NULL)
        out->weight += s.from;
    for (size_t t = s.from; out->cluster != NULL && t < s.from + s.count; t++) {
        least = out->cluster[t] < least ? out->cluster[t] : least;
        most = out->cluster[t] > most ? out->cluster[t] : most;
    }
    for (size_t t = 0; out->cluster != NULL && t < s.count; t++)
        room[t] = out->cluster[s.from + t] - least;
    if (out->cluster != NULL) {
        out->cluster = room;
        out->clusters = most - least + 1;
    }
    return s;
}

int iv_scorecard_absent(const iv_score_input *asked, bool tables, iv_err *err)
{
    if (asked->given)
        return IV_OK;
    if (asked->from.columns.count > 0 || asked->set_weights.count > 0
        || asked->sets != IV_SETS_FIXED)
        return iv_fail(err, IV_EARG, "names of columns, and what sets are, go with records of "
                       "scores only");
    if (asked->binary && !tables)
        return iv_fail(err, IV_EARG, "only scores that are given can be declared to be binary");
    return IV_OK;
}

int iv_scorecard_read(iv_scorecard *card, const iv_score_input *asked, const iv_texts *measures,
                      bool all, bool complete, iv_result *out, const iv_work *work, iv_err *err)
{
    iv_score_table *t = NULL;

    card->asked = asked;
    IV_TRY(iv_score_table_load(&t, &asked->from, work, err));
    if (iv_own(&card->own, t, table_end) == NULL)
        return iv_taken(&card->own, err);
    const iv_score_view *v = card->v = iv_score_table_view(t);
    card->binary = asked->binary || v->binary;
    for (size_t i = 0; i < v->files.count; i++)
        iv_result_input(out, v->files.at[i], v->file_bytes[i]);
    IV_TRY(choose_measures(card, measures, all, out, err));
    card->values = iv_take(&card->own, card->measure_count * v->system_count * v->item_count + 1,
                           sizeof *card->values);
    IV_TRY(iv_taken(&card->own, err));
    for (size_t m = 0; m < card->measure_count; m++) {
        IV_TRY(refuse_others(card, &t->others[card->measures[m]], err));
        lay_out(card, m, complete);
    }
    if (v->empty > 0)
        iv_result_note(out, "%s has no score%s%.0zu%s", v->first_empty,
                       v->empty > 1 ? ", and so have " : "", v->empty - 1,
                       v->empty > 1 ? " more records" : "");
    if (v->columns[0] != '\0')
        iv_result_note(out, "columns: %s", v->columns);
    IV_TRY(find_slices(card, err));
    return find_structure(card, err);
}

void iv_scorecard_free(iv_scorecard *card) { iv_arena_free(&card->own); }

const double *iv_scorecard_values(const iv_scorecard *card, size_t measure)
{
    return card->values + measure * card->v->system_count * card->v->item_count;
}

bool iv_scorecard_units(const iv_scorecard *card)
{
    return card->structure[0].sampled || card->structure[0].cluster != NULL;
}

const char *iv_scorecard_unit(const iv_scorecard *card)
{
    const iv_structure *s = &card->structure[0];

    return s->sampled ? "set" : s->cluster != NULL ? "cluster" : "item";
}
