/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of scores as comparisons read them: units, sets, repeats and their variance. */
#include "base/arguments.h"
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/parallel.h"
#include "intervale/trec/runs.h"
#include "result/answering.h"
#include "result/cautions.h"
#include "result/message.h"
#include "result/methods.h"
#include "scores/score_measures.h"
#include "scores/score_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------- measures -- */

/* A measure of the table, or the column that is the score. */
static bool look_up(uint32_t *out, const iv_score_table *v, iv_str name)
{
    for (size_t pass = 0; pass < 2; pass++) {
        const bool plain = pass == 1 && iv_str_cmp(name, iv_str_of(v->score_column)) == 0;
        for (size_t m = 0; m < v->measure_count && (pass == 0 || plain); m++)
            if (iv_str_cmp(iv_str_of(v->measures[m]), plain ? iv_str_of("score") : name) == 0) {
                *out = (uint32_t)m;
                return true;
            }
    }
    return false;
}

static int find_measure(uint32_t *out, const iv_score_table *v, iv_str name, iv_err *err)
{
    iv_listing there = { .most = 8 };

    if (look_up(out, v, name))
        return IV_OK;
    for (size_t m = 0; m < v->measure_count; m++)
        iv_list_quoted(&there, iv_str_of(v->measures[m]));
    return iv_fail(err, IV_EARG, "the scores have no measure '%.*s', but %s"
                   IV_HINT("; --columns score=COLUMN takes another column, measure=@name:TEXT "
                           "names the scores"), (int)(name.len < 80 ? name.len : 80), name.ptr,
                   iv_listed(&there));
}

/* The one that is meant when none is named: average precision, or the first. */
static uint32_t usual_measure(const iv_score_table *v)
{
    static const char *const usual[] = { "AP", "map" };

    for (size_t k = 0; k < 2; k++)
        for (size_t m = 0; m < v->measure_count; m++)
            if (strcmp(v->measures[m], usual[k]) == 0)
                return (uint32_t)m;
    return 0;
}

/* What the names mean, before the files are read: the columns to look for. */
static int parse_measures(iv_scored *scored, const iv_texts *names, iv_words *columns, iv_err *err)
{
    iv_success *success = iv_take(scored->own, 1, sizeof *success);

    scored->definitions = iv_take(scored->own, names->count + 1, sizeof *scored->definitions);
    IV_TRY(iv_taken(scored->own, err));
    if (scored->input->success != NULL) {
        IV_TRY(iv_success_parse(success, scored->input->success, err));
        scored->success = success;
    }
    for (size_t i = 0; i < names->count; i++) {
        iv_score_measure *is = &scored->definitions[i];
        IV_TRY(iv_measure_parse(is, names->at[i], err));
        if (is->k > 0 && is->of.len == 0 && scored->success != NULL)
            is->of = success->of;
        const iv_str parts[] = { iv_str_of(names->at[i]),
                                 is->of.len > 0 ? is->of : iv_str_of("score"), is->per };
        for (size_t k = 0; k < 3; k++)
            if (parts[k].len > 0)
                iv_words_add(scored->own, columns, iv_arena_copy(scored->own, parts[k]));
    }
    return iv_taken(scored->own, err);
}

/* By their exact names first: a table may call a score "pass@1" or "acc/norm". */
static int find_parts_of(iv_scored *scored, size_t i, iv_err *err)
{
    const iv_score_table *v = scored->v;
    iv_score_measure *is = &scored->definitions[i];

    if (look_up(&is->number, v, iv_str_of(scored->names[i]))) {
        *is = (iv_score_measure){ .form = IV_FORM_MEAN, .number = is->number,
                                  .of = iv_str_of(scored->names[i]) };
        return IV_OK;
    }
    if (is->of.len > 0)
        IV_TRY(find_measure(&is->number, v, is->of, err));
    else
        is->number = usual_measure(v);
    if (is->form == IV_FORM_RATIO)
        IV_TRY(find_measure(&is->divisor, v, is->per, err));
    return IV_OK;
}

static int choose_measures(iv_scored *scored, const iv_texts *names, bool all, iv_result *out,
                           iv_err *err)
{
    const iv_score_table *v = scored->v;
    const size_t n = names->count > 0 ? names->count : all ? v->measure_count : 1;

    scored->measures = iv_take(scored->own, n, sizeof *scored->measures);
    scored->names = iv_take(scored->own, n, sizeof *scored->names);
    if (names->count == 0)
        scored->definitions = iv_take(scored->own, n, sizeof *scored->definitions);
    IV_TRY(iv_taken(scored->own, err));
    scored->measure_count = n;
    for (size_t i = 0; i < n; i++) {
        iv_score_measure *is = &scored->definitions[i];
        scored->names[i] = names->count > 0 ? names->at[i] : "";
        if (names->count > 0) {
            IV_TRY(find_parts_of(scored, i, err));
        } else {
            is->number = all ? (uint32_t)i : usual_measure(v);
            is->of = iv_str_of(scored->names[i] = v->measures[is->number]);
        }
        scored->measures[i] = is->number;
    }
    for (size_t i = 0; i < n; i++)
        scored->definitions[i].lower = iv_measure_lower(scored, i);
    IV_TRY(iv_check_lower(scored, err));
    if (names->count == 0 && !all && v->measure_count > 1)
        iv_result_note(out, "The scores are of %zu measures; '%s' is used.", v->measure_count,
                       v->measures[scored->measures[0]]);
    return IV_OK;
}

/* ----------------------------------------------------------------- values -- */

/* Scores that are declared to be 0 or 1 must be: the first that is not. */
static int refuse_others(const iv_scored *scored, size_t m, iv_err *err)
{
    const iv_score_table *v = scored->v;
    const iv_one_score *first = NULL;
    char quoted[IV_QUOTE_SIZE];

    const bool binary = scored->binary && scored->definitions[m].form == IV_FORM_MEAN;
    for (size_t i = 0; binary && i < v->count; i++) {
        const iv_one_score *x = &v->scores[i];
        if (x->measure == scored->measures[m] && x->score != 0.0 && x->score != 1.0
            && (first == NULL || x->file < first->file
                || (x->file == first->file && x->line < first->line)))
            first = x;
    }
    return first == NULL ? IV_OK
        : iv_fail_at(err, IV_EPARSE, v->files.count > 0 ? v->files.at[first->file] : "the arrays",
                     first->line, "'%.60s' has the score %g on item %s, expected 0 or 1 of binary "
                     "scores", v->systems[first->system], first->score,
                     iv_quote(quoted, v->items[first->item]));
}

/* --------------------------------------------------------------- repeats -- */

/* The system's scores from number `i` on, on the items of a slice x repeats; NaN: none, or not of
 * the set (IV_NONE: of any). */
static void fill_grid(double *x, const iv_score_table *v, size_t i, iv_set_slice in, size_t set)
{
    const iv_one_score *first = &v->scores[i];

    for (size_t k = 0; k < in.count * v->repeat_count; k++)
        x[k] = (double)NAN;
    for (const iv_one_score *o = first; i < v->count && o->measure == first->measure
         && o->system == first->system; i++, o++)
        if (set == IV_NONE || v->suite[o->item] == set)
            x[(o->item - in.from) * v->repeat_count + o->repeat] = o->score;
}

/* By system, over all items and behind that over those of each set. */
static int find_repeats(iv_scored *scored, size_t m, iv_err *err)
{
    const iv_score_table *v = scored->v;
    const size_t S = v->system_count, sets = v->suite_count > 1 ? v->suite_count : 0;
    double *variance = iv_take(scored->own, S * (sets + 1), sizeof *variance);
    double *df = iv_take(scored->own, S * (sets + 1), sizeof *df);
    double *x = iv_take(scored->own, v->item_count * v->repeat_count + 1, sizeof *x);
    uint32_t *room = iv_take(scored->own, v->item_count + 1, sizeof *room);
    bool any = false;

    IV_TRY(iv_taken(scored->own, err));
    for (size_t i = 0, last = IV_NONE; i < v->count; i++) { /* in order of measures and systems */
        const size_t s = v->scores[i].system;
        if (v->scores[i].measure != scored->measures[m] || s == last)
            continue;
        last = s;
        for (size_t h = 0; h <= sets; h++) {
            iv_structure of = scored->structure[m];
            iv_set_slice in = { 0, v->item_count };
            if (h > 0)
                in = iv_scored_within(&of, room, scored, m, h - 1);
            fill_grid(x, v, i, in, h > 0 ? h - 1 : IV_NONE);
            IV_TRY(iv_repeat_variance(&variance[h * S + s], &df[h * S + s], x, in.count,
                                      v->repeat_count, &of, err));
            scored->structured = scored->structured || variance[h * S + s] > 0.0;
            any = any || df[h * S + s] > 0.0;
        }
    }
    if (any) {
        scored->structure[m].repeat_variance = variance;
        scored->structure[m].repeat_df = df;
    }
    return IV_OK;
}

/* -------------------------------------------------------------- structure -- */

/* "SET=2.5" */
static int weigh_sets(double *weights, const iv_scored *scored, iv_err *err)
{
    const iv_texts *asked = &scored->input->set_weights;

    for (size_t h = 0; h < scored->v->suite_count; h++)
        weights[h] = 1.0;
    for (size_t i = 0; i < asked->count; i++) {
        const char *is = strrchr(asked->at[i], '=');
        iv_listing there = { .most = 8 };
        double w = 0.0;
        size_t h = 0;
        if (is == NULL || !iv_scan_real(&w, iv_str_of(is + 1)) || !(w > 0.0))
            return iv_fail(err, IV_EARG, "the set's weight '%.80s', expected SET=WEIGHT with a "
                           "weight above 0", asked->at[i]);
        for (; h < scored->v->suite_count; h++) {
            const char *name = scored->v->suites[h];
            if (strlen(name) == (size_t)(is - asked->at[i])
                && strncmp(name, asked->at[i], strlen(name)) == 0)
                break;
            iv_list_quoted(&there, iv_str_of(name));
        }
        if (h == scored->v->suite_count)
            return iv_fail(err, IV_EARG, "there is no set '%.*s', but %s",
                           (int)(is - asked->at[i]), asked->at[i],
                           there.count > 0 ? iv_listed(&there) : "no sets at all");
        weights[h] = w;
    }
    return IV_OK;
}

static int find_structure(iv_scored *scored, iv_err *err)
{
    const iv_score_table *v = scored->v;
    const bool suites = v->suite_count > 1;
    double *weights = iv_take(scored->own, v->suite_count + 1, sizeof *weights);

    scored->structure = iv_take(scored->own, scored->measure_count, sizeof *scored->structure);
    IV_TRY(iv_taken(scored->own, err));
    IV_TRY(weigh_sets(weights, scored, err));
    if (scored->input->sets == IV_SETS_SAMPLED && !suites)
        return iv_fail(err, IV_EARG, "sets as a sample, and the scores have no column that names "
                       "sets, or one set only");
    for (size_t m = 0; m < scored->measure_count; m++) {
        scored->structure[m] = (iv_structure){
            .cluster = v->cluster, .clusters = v->cluster_count,
            .suite = suites ? v->suite : NULL, .suites = suites ? v->suite_count : 0,
            .suite_weight = suites ? weights : NULL,
            .sampled = scored->input->sets == IV_SETS_SAMPLED, .weight = v->weight };
        /* Of pass@k attempts are independent, but for what shifts the mean, pass@1. */
        if (scored->most_repeats > 1 && (scored->definitions[m].form == IV_FORM_MEAN
                                         || scored->definitions[m].k == 1))
            IV_TRY(find_repeats(scored, m, err));
    }
    scored->structured = scored->structured || v->cluster != NULL || suites || v->weight != NULL;
    return IV_OK;
}

/* Sets mostly stand together: who looks at one looks at its slice. */
static int find_slices(iv_scored *scored, iv_err *err)
{
    const iv_score_table *v = scored->v;

    if (v->suite_count == 0)
        return IV_OK;
    scored->slices = iv_take(scored->own, v->suite_count, sizeof *scored->slices);
    IV_TRY(iv_taken(scored->own, err));
    for (size_t t = 0; t < v->item_count; t++) {
        iv_set_slice *s = &scored->slices[v->suite[t]];
        s->from = s->count == 0 ? t : s->from;
        s->count = t + 1 - s->from;
    }
    return IV_OK;
}

iv_set_slice iv_scored_within(iv_structure *out, uint32_t *room, const iv_scored *scored,
                                 size_t measure, size_t set)
{
    const iv_set_slice s = scored->slices[set];
    uint32_t least = UINT32_MAX, most = 0;

    *out = scored->structure[measure];
    out->suite = NULL;
    out->suite_weight = NULL;
    out->suites = 0;
    out->sampled = false;
    if (out->repeat_variance != NULL) {
        out->repeat_variance += (set + 1) * scored->v->system_count;
        out->repeat_df += (set + 1) * scored->v->system_count;
    }
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

int iv_scored_absent(const iv_score_input *asked, bool tables, bool parts, iv_err *err)
{
    typedef iv_score_input T;
    const char *where = tables ? "with scores in memory"
        : parts ? "with files that eval --write-scores wrote" : "without --scores";

    if (asked->given)
        return IV_OK;
    if (!tables)
        IV_TRY(IV_REFUSE(asked, where, err, IV_IDLE(binary, "binary")));
    return IV_REFUSE(asked, where, err, IV_IDLE(from.columns.count, "columns"),
        IV_IDLE(sets, "sets"), IV_IDLE(set_weights.count, "set-weight"), IV_IDLE(from.rows, "by"),
        IV_IDLE(success, "success"), IV_IDLE(lower.count, "lower-is-better"));
}

/* ----------------------------------------------------- scores that look odd -- */

static const iv_message odd_scores[] = {
    { "scores.minus-1", IV_ERROR, NULL,
      "{n} score[ is|s are] -1, and all others are from 0 to 1. If [it is|they are] missing, "
      "leave [it|them] empty." },
    { "scores.percent", IV_ERROR, NULL,
      "Scores of {s} go up to {a}, those of {t} to {b}: are these percentages beside fractions?" },
    { NULL } };

/* The range of a system's scores, and their sum. */
typedef struct extent {
    double least, largest, sum;
    size_t count, minus_1, inner; /* those of -1; those between 0 and 1 */
} extent;

static extent extent_of(const double *x, size_t items)
{
    extent e = { .least = INFINITY, .largest = -INFINITY };

    for (size_t t = 0; t < items; t++) {
        if (isnan(x[t]))
            continue;
        e.count++;
        e.sum += x[t];
        e.minus_1 += x[t] == -1.0;
        e.inner += x[t] > 0.0 && x[t] < 1.0;
        e.least = x[t] != -1.0 ? fmin(e.least, x[t]) : e.least;
        e.largest = fmax(e.largest, x[t]);
    }
    return e;
}

/* An item that has the name and the scores of a mean over the others. */
static int refuse_means(const iv_scored *scored, const extent *of, iv_err *err)
{
    const iv_score_table *v = scored->v;
    char quoted[IV_QUOTE_SIZE];

    for (size_t t = 0; t < v->item_count; t++) {
        bool mean = iv_is_summary_word(v->items[t]);
        for (size_t s = 0; s < v->system_count && mean; s++) {
            const double x = scored->values[s * v->item_count + t], n = (double)of[s].count - 1.0;
            const double others = (of[s].sum - x) / n;
            mean = n >= 3.0 && fabs(x - others) <= 0.006 * fmax(1.0, of[s].largest);
        }
        if (mean)
            return iv_fail(err, IV_ENODATA, "item %s has the mean of the other scores; expected "
                           "items alone", iv_quote(quoted, v->items[t]));
    }
    return IV_OK;
}

/* Of the first measure: -1 for what is missing, percentages beside fractions, a row of means. */
static int look_at_scores(const iv_scored *scored, iv_result *out, iv_err *err)
{
    enum { LEAST = 10 }; /* items that show it */
    const iv_score_table *v = scored->v;
    extent *of = iv_take(scored->own, v->system_count + 1, sizeof *of), all = { .least = 0.0 };
    size_t low = 0, high = 0;

    IV_TRY(iv_taken(scored->own, err));
    for (size_t s = 0; s < v->system_count; s++) {
        of[s] = extent_of(scored->values + s * v->item_count, v->item_count);
        all.least = fmin(all.least, of[s].least);
        all.largest = fmax(all.largest, of[s].largest);
        all.minus_1 += of[s].minus_1;
        all.inner += of[s].inner;
        low = of[s].largest < of[low].largest ? s : low;
        high = of[s].largest > of[high].largest ? s : high;
    }
    const bool fractions = all.least == 0.0 && all.largest <= 1.0 && all.inner > 0;
    iv_result_say(out, odd_scores, "scores.minus-1", (iv_found){ fractions ? all.minus_1 : 0 });
    /* A hundred times as much, give or take a factor of 5. */
    const double ratio = of[high].sum / of[low].sum;
    iv_result_say(out, odd_scores, "scores.percent", (iv_found){
        all.least == 0.0 && of[low].largest <= 1.0 && of[low].inner >= LEAST
            && of[high].largest > 1.0 && of[high].largest <= 100.0 && ratio > 20.0 && ratio < 500.0,
        { of[high].largest, of[low].largest }, { v->systems[high], v->systems[low] } });
    return refuse_means(scored, of, err);
}

/* The values of all measures, by item; of ratios and percentiles what they are made of. */
static int fill_values(iv_scored *scored, bool complete, iv_result *out, iv_err *err)
{
    const iv_score_table *v = scored->v;
    const size_t size = v->system_count * v->item_count;

    scored->values = iv_take(scored->own, scored->measure_count * size + 1, sizeof *scored->values);
    IV_TRY(iv_taken(scored->own, err));
    for (size_t m = 0; m < scored->measure_count; m++) {
        if (scored->definitions[m].form != IV_FORM_MEAN) {
            IV_TRY(iv_measure_fill(scored, m, complete, out, err));
            continue;
        }
        IV_TRY(refuse_others(scored, m, err));
        const size_t n = iv_score_values(scored->values + m * size, v, scored->measures[m]);
        scored->most_repeats = n > scored->most_repeats ? n : scored->most_repeats;
        for (size_t i = m * size; complete && i < (m + 1) * size; i++)
            scored->values[i] = isnan(scored->values[i]) ? 0.0 : scored->values[i];
    }
    return IV_OK;
}

int iv_scored_read(iv_scored *scored, const iv_score_input *asked, const iv_texts *measures,
                      bool all, bool complete, iv_result *out, const iv_work *work, iv_err *err)
{
    iv_score_table *t = NULL;
    iv_score_source from = asked->from;
    iv_words columns = { 0 };

    scored->input = asked;
    scored->own = iv_result_own(out);
    IV_TRY(parse_measures(scored, measures, &columns, err));
    from.scores = (iv_texts){ columns.at, columns.count };
    IV_TRY(iv_score_table_load(&t, &from, work, err));
    IV_TRY(iv_keep(scored->own, t, iv_score_table_free, err));
    const iv_score_table *v = scored->v = t;
    scored->binary = asked->binary || v->binary;
    for (size_t i = 0; i < v->files.count; i++)
        iv_result_input(out, v->files.at[i], v->file_bytes[i]);
    IV_TRY(choose_measures(scored, measures, all, out, err));
    IV_TRY(fill_values(scored, complete, out, err));
    if (v->empty > 0)
        iv_result_note(out, "%s has no score%s%.0zu%s", v->first_empty,
                       v->empty > 1 ? ", and so have " : "", v->empty - 1,
                       v->empty > 1 ? " more records" : "");
    if (v->unfinished != NULL)
        iv_result_note(out, "The run of %s did not finish: items may be missing.", v->unfinished);
    if (v->columns[0] != '\0')
        iv_result_note(out, "Columns used: %s.", v->columns);
    if (scored->definitions[0].form == IV_FORM_MEAN)
        IV_TRY(look_at_scores(scored, out, err));
    IV_TRY(find_slices(scored, err));
    IV_TRY(find_structure(scored, err));
    for (size_t m = 0; m < scored->measure_count; m++)
        if (!iv_measure_is_mean(&scored->definitions[m]))
            IV_TRY(iv_measure_linearise(scored, m, !all, err));
    return IV_OK;
}

int iv_scored_one_group(const iv_scored *scored, iv_err *err)
{
    const iv_score_table *v = scored->v;
    const iv_one_score *x = v->regrouped;
    char quoted[IV_QUOTE_SIZE];

    return x == NULL ? IV_OK
        : iv_fail_at(err, IV_EPARSE, v->files.count > 0 ? v->files.at[x->file] : "the arrays",
                     x->line, "item %s is in another group than before, expected one",
                     iv_quote(quoted, v->items[x->item]));
}

bool iv_scored_units(const iv_scored *scored)
{
    return scored->structure[0].sampled || scored->structure[0].cluster != NULL;
}

const char *iv_scored_unit(const iv_scored *scored)
{
    const iv_structure *s = &scored->structure[0];

    return s->sampled ? "set" : s->cluster != NULL ? "cluster" : scored->v->wide ? "topic" : "item";
}

/* --------------------------------------------------------------- messages -- */

/* Of the systems' means in the first measure, that with the least degrees of freedom. */
static iv_structured least_sure(const iv_scored *scored)
{
    const size_t items = scored->v->item_count;
    iv_structured least = { .df = (double)NAN }, one;

    for (size_t s = 0; scored->structured && s < scored->v->system_count; s++)
        if (iv_structured_mean(&one, iv_scored_values(scored, 0) + s * items, items,
                               &scored->structure[0], s, NULL) == IV_OK && !(one.df >= least.df))
            least = one;
    return least;
}

/* What clusters are called within their sets; items that are in none are not called. */
static void name_clusters(const char **names, const iv_score_table *v)
{
    for (size_t k = 0; k < v->cluster_count; k++)
        names[k] = "";
    for (size_t t = 0; t < v->item_count; t++) {
        const char *full = v->clusters[v->cluster[t]];
        if (strncmp(full, v->items[t].ptr, v->items[t].len) != 0
            || full[v->items[t].len] != '\0')
            names[v->cluster[t]] = full + strlen(v->suites[v->suite[t]]) + 1;
    }
}

/* Names of clusters that stand in several sets: a cluster is one of its set. */
static size_t shared_clusters(const iv_score_table *v)
{
    const bool both = v->suite_count > 0 && v->cluster != NULL;
    const char **names = both ? calloc(v->cluster_count + 1, sizeof *names) : NULL;
    size_t shared = 0;

    if (names == NULL)
        return 0;
    name_clusters(names, v);
    qsort(names, v->cluster_count, sizeof *names, iv_by_text);
    for (size_t k = 1; k < v->cluster_count; k++)
        shared += names[k][0] != '\0' && strcmp(names[k], names[k - 1]) == 0
            && (k < 2 || strcmp(names[k - 1], names[k - 2]) != 0);
    free(names);
    return shared;
}

/* Means of a set whose items all have one score, other than 0 and 1. */
static size_t equal_sets(const iv_scored *scored)
{
    const iv_score_table *v = scored->v;
    size_t count = 0;

    for (size_t k = 0; scored->structure[0].suite != NULL
         && k < v->system_count * v->suite_count; k++) {
        const double *x = iv_scored_values(scored, 0) + k / v->suite_count * v->item_count;
        const size_t h = k % v->suite_count, from = scored->slices[h].from;
        double first = (double)NAN;
        size_t n = 0, same = 0;
        for (size_t t = from; t < from + scored->slices[h].count; t++) {
            if (v->suite[t] != h || isnan(x[t]))
                continue;
            first = n++ == 0 ? x[t] : first;
            same += x[t] == first;
        }
        count += n > 1 && same == n && first != 0.0 && first != 1.0;
    }
    return count;
}

/* Of all systems, the fewest repeats that show what they share; 1: none do, or none is in two
 * sets. */
static size_t fewest_repeats(const iv_scored *scored)
{
    const iv_score_table *v = scored->v;
    const double *df = scored->structure[0].repeat_df;
    uint32_t *set = df != NULL ? calloc(v->repeat_count + 1, sizeof *set) : NULL;
    bool apart = set == NULL || v->suite_count > 1;
    double least = INFINITY;

    for (size_t i = 0; set != NULL && apart && i < v->count; i++) {
        uint32_t *of = &set[v->scores[i].repeat], is = 1 + v->suite[v->scores[i].item];
        apart = *of == 0 || *of == is;
        *of = is;
    }
    for (size_t s = 0; !apart && s < v->system_count; s++)
        least = fmin(least, df[s]);
    free(set);
    return apart ? 1 : 1 + (size_t)(least + 0.5);
}

/* Systems whose mean is over other sets than the others'. */
static iv_found lost_sets(const iv_scored *scored)
{
    const iv_score_table *v = scored->v;
    bool *has = scored->structure[0].suite != NULL ? calloc(v->suite_count, sizeof *has) : NULL;
    iv_found f = { 0 };

    for (size_t r = 0; has != NULL && r < v->system_count; r++) {
        const double *x = iv_scored_values(scored, 0) + r * v->item_count;
        size_t sets = 0;
        memset(has, 0, v->suite_count * sizeof *has);
        for (size_t t = 0; t < v->item_count; t++) {
            sets += !isnan(x[t]) && !has[v->suite[t]];
            has[v->suite[t]] = has[v->suite[t]] || !isnan(x[t]);
        }
        if (sets == 0 || sets == v->suite_count)
            continue;
        f.text[0] = f.count == 0 ? v->systems[r] : f.text[0];
        f.value[0] = f.count == 0 ? (double)sets : f.value[0];
        f.value[1] = (double)v->suite_count;
        f.count++;
    }
    free(has);
    return f;
}

static const iv_message design_messages[] = {
    { "scores.other-sets", IV_WARNING, NULL,
      "[{s} has scores in {a} of {b} sets only: its mean is over fewer sets than those of the "
      "others.|{n} systems ({s} and others) have scores in some of the {b} sets only: their "
      "means are over fewer sets than those of the others.]" },
    { "scores.few-units", IV_WARNING, NULL,
      "[All items are of one {s}, so there is no standard error.|Only {a} effective degrees of "
      "freedom ({n} {s}s): with fewer than 4, intervals and tests are unreliable "
      "(Tipton 2015).]" },
    { "scores.few-repeats", IV_WARNING, NULL,
      "[The variance between repeats (seeds) is not included, because items have no repeat in "
      "common or a system has one only: run all items with the same repeats.|{n} repeats (seeds) "
      "show little of how much scores change from one to the next: intervals may be too narrow. "
      "Run more repeats.]" },
    { "scores.shared-clusters", IV_WARNING, NULL,
      "{n} cluster name[ occurs|s occur] in more than one set, and [counts as a different "
      "cluster|count as different clusters] in each. If [it is the same cluster|they are the "
      "same clusters], standard errors are too small." },
    { "scores.equal-set", IV_WARNING, NULL,
      "In [one set|{n} cases] all items of a [system|set] have the same score[| for a system], "
      "so their variance counts as 0: intervals may be too narrow." },
    { NULL } };

void iv_scored_used(const iv_scored *scored, iv_result *out)
{
    if (scored->v->cluster != NULL)
        iv_result_used(out, "clustered");
    if (scored->structure != NULL && scored->structure[0].repeat_variance != NULL)
        iv_result_used(out, "repeats");
}

void iv_scored_tell(const iv_scored *scored, bool common, iv_result *out)
{
    const iv_structure *s = &scored->structure[0];

    iv_result_assumption(out, "Intervals are for means and differences over all %ss of "
                         "interest%s%s%s%s.",
                         iv_scored_unit(scored),
                         s->sampled ? ", each with new items"
                         : s->cluster != NULL ? " with their items" : "",
                         scored->most_repeats > 1 ? " and all repeats" : "",
                         s->suite == NULL || s->sampled ? ""
                         : "; the sets are fixed",
                         s->suite_weight == NULL || scored->input->set_weights.count == 0 ? ""
                         : " with their weights");
    const bool shifts = scored->definitions[0].form == IV_FORM_MEAN
        || scored->definitions[0].k == 1;
    const size_t repeats = scored->most_repeats > 1 && shifts ? fewest_repeats(scored) : 0;
    const iv_structured m = least_sure(scored);
    if (!common)
        iv_result_say(out, design_messages, "scores.other-sets", lost_sets(scored));
    IV_TELL(out, design_messages, "scores.few-units", iv_few_degrees(m.df) ? m.units : 0, { m.df },
            { iv_scored_unit(scored) });
    IV_TELL(out, design_messages, "scores.few-repeats",
            (double)repeats < iv_caution_at(IV_FEW_SEEDS) ? repeats : 0);
    IV_TELL(out, design_messages, "scores.shared-clusters", shared_clusters(scored->v));
    IV_TELL(out, design_messages, "scores.equal-set", equal_sets(scored));
}
