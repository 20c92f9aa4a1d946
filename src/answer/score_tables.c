/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/answer_private.h"

IV_NAMES(iv_sets_names, "fixed", "sampled")

/* --------------------------------------------------------------- measures -- */

static int find_measure(uint32_t *out, const iv_score_table *v, const char *name, bool several,
                        iv_err *err)
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
    return v->measure_count == 1 && !several && strcmp(v->measures[0], "score") == 0 ? IV_OK
        : iv_fail(err, IV_EARG, "the scores have no measure '%.80s', but %s", name,
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

static int choose_measures(iv_scored *card, const iv_texts *names, bool all, iv_result *out,
                           iv_err *err)
{
    const iv_score_table *v = card->v;
    const size_t n = names->count > 0 ? names->count : all ? v->measure_count : 1;

    card->measures = iv_take(card->own, n, sizeof *card->measures);
    card->names = iv_take(card->own, n, sizeof *card->names);
    IV_TRY(iv_taken(card->own, err));
    card->measure_count = n;
    for (size_t i = 0; i < n; i++) {
        if (names->count > 0)
            IV_TRY(find_measure(&card->measures[i], v, names->at[i], names->count > 1, err));
        else
            card->measures[i] = all ? (uint32_t)i : usual_measure(v);
        card->names[i] = names->count > 0 ? names->at[i] : v->measures[card->measures[i]];
    }
    if (names->count == 0 && !all && v->measure_count > 1)
        iv_result_note(out, "The scores are of %zu measures; '%s' is used.", v->measure_count,
                       v->measures[card->measures[0]]);
    return IV_OK;
}

/* ----------------------------------------------------------------- values -- */

/* Scores that are declared to be 0 or 1 must be: the first that is not. */
static int refuse_others(const iv_scored *card, size_t m, iv_err *err)
{
    const iv_score_table *v = card->v;
    const iv_one_score *first = NULL;
    char quoted[IV_QUOTE_SIZE];

    for (size_t i = 0; card->binary && i < v->count; i++) {
        const iv_one_score *x = &v->scores[i];
        if (x->measure == card->measures[m] && x->score != 0.0 && x->score != 1.0
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
static int find_repeats(iv_scored *card, size_t m, iv_err *err)
{
    const iv_score_table *v = card->v;
    const size_t S = v->system_count, sets = v->suite_count > 1 ? v->suite_count : 0;
    double *variance = iv_take(card->own, S * (sets + 1), sizeof *variance);
    double *df = iv_take(card->own, S * (sets + 1), sizeof *df);
    double *x = iv_take(card->own, v->item_count * v->repeat_count + 1, sizeof *x);
    uint32_t *room = iv_take(card->own, v->item_count + 1, sizeof *room);
    bool any = false;

    IV_TRY(iv_taken(card->own, err));
    for (size_t i = 0, last = IV_NONE; i < v->count; i++) { /* in order of measures and systems */
        const size_t s = v->scores[i].system;
        if (v->scores[i].measure != card->measures[m] || s == last)
            continue;
        last = s;
        for (size_t h = 0; h <= sets; h++) {
            iv_structure of = card->structure[m];
            iv_set_slice in = { 0, v->item_count };
            if (h > 0)
                in = iv_scored_within(&of, room, card, m, h - 1);
            fill_grid(x, v, i, in, h > 0 ? h - 1 : IV_NONE);
            IV_TRY(iv_repeat_variance(&variance[h * S + s], &df[h * S + s], x, in.count,
                                      v->repeat_count, &of, err));
            card->structured = card->structured || variance[h * S + s] > 0.0;
            any = any || df[h * S + s] > 0.0;
        }
    }
    if (any) {
        card->structure[m].repeat_variance = variance;
        card->structure[m].repeat_df = df;
    }
    return IV_OK;
}

/* -------------------------------------------------------------- structure -- */

/* "SET=2.5" */
static int weigh_sets(double *weights, const iv_scored *card, iv_err *err)
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

static int find_structure(iv_scored *card, iv_err *err)
{
    const iv_score_table *v = card->v;
    const bool suites = v->suite_count > 1;
    double *weights = iv_take(card->own, v->suite_count + 1, sizeof *weights);

    card->structure = iv_take(card->own, card->measure_count, sizeof *card->structure);
    IV_TRY(iv_taken(card->own, err));
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
static int find_slices(iv_scored *card, iv_err *err)
{
    const iv_score_table *v = card->v;

    if (v->suite_count == 0)
        return IV_OK;
    card->slices = iv_take(card->own, v->suite_count, sizeof *card->slices);
    IV_TRY(iv_taken(card->own, err));
    for (size_t t = 0; t < v->item_count; t++) {
        iv_set_slice *s = &card->slices[v->suite[t]];
        s->from = s->count == 0 ? t : s->from;
        s->count = t + 1 - s->from;
    }
    return IV_OK;
}

iv_set_slice iv_scored_within(iv_structure *out, uint32_t *room, const iv_scored *card,
                                 size_t measure, size_t set)
{
    const iv_set_slice s = card->slices[set];
    uint32_t least = UINT32_MAX, most = 0;

    *out = card->structure[measure];
    out->suite = NULL;
    out->suite_weight = NULL;
    out->suites = 0;
    out->sampled = false;
    if (out->repeat_variance != NULL) {
        out->repeat_variance += (set + 1) * card->v->system_count;
        out->repeat_df += (set + 1) * card->v->system_count;
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
        IV_IDLE(sets, "sets"), IV_IDLE(set_weights.count, "set-weight"), IV_IDLE(from.rows, "by"));
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
static int refuse_means(const iv_scored *card, const extent *of, iv_err *err)
{
    const iv_score_table *v = card->v;
    char quoted[IV_QUOTE_SIZE];

    for (size_t t = 0; t < v->item_count; t++) {
        bool mean = iv_is_summary_word(v->items[t]);
        for (size_t s = 0; s < v->system_count && mean; s++) {
            const double x = card->values[s * v->item_count + t], n = (double)of[s].count - 1.0;
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
static int look_at_scores(const iv_scored *card, iv_result *out, iv_err *err)
{
    enum { LEAST = 10 }; /* items that show it */
    const iv_score_table *v = card->v;
    extent *of = iv_take(card->own, v->system_count + 1, sizeof *of), all = { .least = 0.0 };
    size_t low = 0, high = 0;

    IV_TRY(iv_taken(card->own, err));
    for (size_t s = 0; s < v->system_count; s++) {
        of[s] = extent_of(card->values + s * v->item_count, v->item_count);
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
    return refuse_means(card, of, err);
}

int iv_scored_read(iv_scored *card, const iv_score_input *asked, const iv_texts *measures,
                      bool all, bool complete, iv_result *out, const iv_work *work, iv_err *err)
{
    iv_score_table *t = NULL;

    card->asked = asked;
    card->own = &out->own;
    IV_TRY(iv_score_table_load(&t, &asked->from, work, err));
    IV_TRY(iv_keep(card->own, t, iv_score_table_free, err));
    const iv_score_table *v = card->v = t;
    card->binary = asked->binary || v->binary;
    for (size_t i = 0; i < v->files.count; i++)
        iv_result_input(out, v->files.at[i], v->file_bytes[i]);
    IV_TRY(choose_measures(card, measures, all, out, err));
    card->values = iv_take(card->own, card->measure_count * v->system_count * v->item_count + 1,
                           sizeof *card->values);
    IV_TRY(iv_taken(card->own, err));
    for (size_t m = 0, size = v->system_count * v->item_count; m < card->measure_count; m++) {
        IV_TRY(refuse_others(card, m, err));
        const size_t n = iv_score_values(card->values + m * size, v, card->measures[m]);
        card->most_repeats = n > card->most_repeats ? n : card->most_repeats;
        for (size_t i = m * size; complete && i < (m + 1) * size; i++)
            card->values[i] = isnan(card->values[i]) ? 0.0 : card->values[i];
    }
    if (v->empty > 0)
        iv_result_note(out, "%s has no score%s%.0zu%s", v->first_empty,
                       v->empty > 1 ? ", and so have " : "", v->empty - 1,
                       v->empty > 1 ? " more records" : "");
    if (v->unfinished != NULL)
        iv_result_note(out, "The run of %s did not finish: items may be missing.", v->unfinished);
    if (v->columns[0] != '\0')
        iv_result_note(out, "Columns used: %s.", v->columns);
    IV_TRY(look_at_scores(card, out, err));
    IV_TRY(find_slices(card, err));
    return find_structure(card, err);
}

const double *iv_scored_values(const iv_scored *card, size_t measure)
{
    return card->values + measure * card->v->system_count * card->v->item_count;
}

bool iv_scored_units(const iv_scored *card)
{
    return card->structure[0].sampled || card->structure[0].cluster != NULL;
}

const char *iv_scored_unit(const iv_scored *card)
{
    const iv_structure *s = &card->structure[0];

    return s->sampled ? "set" : s->cluster != NULL ? "cluster" : card->v->wide ? "topic" : "item";
}

/* --------------------------------------------------------------- messages -- */

/* Of the systems' means in the first measure, that with the least degrees of freedom. */
static iv_structured least_sure(const iv_scored *card)
{
    const size_t items = card->v->item_count;
    iv_structured least = { .df = (double)NAN }, one;

    for (size_t s = 0; card->structured && s < card->v->system_count; s++)
        if (iv_structured_mean(&one, iv_scored_values(card, 0) + s * items, items,
                               &card->structure[0], s, NULL) == IV_OK && !(one.df >= least.df))
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
static size_t equal_sets(const iv_scored *card)
{
    const iv_score_table *v = card->v;
    size_t count = 0;

    for (size_t k = 0; card->structure[0].suite != NULL
         && k < v->system_count * v->suite_count; k++) {
        const double *x = iv_scored_values(card, 0) + k / v->suite_count * v->item_count;
        const size_t h = k % v->suite_count, from = card->slices[h].from;
        double first = (double)NAN;
        size_t n = 0, same = 0;
        for (size_t t = from; t < from + card->slices[h].count; t++) {
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
static size_t fewest_repeats(const iv_scored *card)
{
    const iv_score_table *v = card->v;
    const double *df = card->structure[0].repeat_df;
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
static iv_found lost_sets(const iv_scored *card)
{
    const iv_score_table *v = card->v;
    bool *has = card->structure[0].suite != NULL ? calloc(v->suite_count, sizeof *has) : NULL;
    iv_found f = { 0 };

    for (size_t r = 0; has != NULL && r < v->system_count; r++) {
        const double *x = iv_scored_values(card, 0) + r * v->item_count;
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
      "freedom ({n} units, each a {s}): with fewer than 4, intervals and tests are unreliable "
      "(Tipton 2015).]" },
    { "scores.few-repeats", IV_WARNING, NULL,
      "[A repeat (seed) may shift all items at once. This is not included where items or sets "
      "have no repeat in common, or a system has only one: use the same two or more repeats for "
      "all items.|Repeats (seeds) may shift all items at once, and so few repeats estimate this "
      "poorly: it is included, but may be underestimated.]" },
    { "scores.shared-clusters", IV_WARNING, NULL,
      "{n} cluster name[ occurs|s occur] in more than one set, and [counts as a different "
      "cluster|count as different clusters] in each. If [it is the same cluster|they are the "
      "same clusters], standard errors are too small." },
    { "scores.equal-set", IV_WARNING, NULL,
      "In [one set|{n} cases] all items of a [system|set] have the same score[| for a system], "
      "so their variance counts as 0: intervals may be too narrow." },
    { NULL } };

void iv_scored_used(const iv_scored *card, iv_result *out)
{
    if (card->v->cluster != NULL)
        iv_result_used(out, "clustered");
    if (card->structure != NULL && card->structure[0].repeat_variance != NULL)
        iv_result_used(out, "repeats");
}

void iv_scored_tell(const iv_scored *card, bool common, iv_result *out)
{
    const iv_structure *s = &card->structure[0];

    iv_result_assumption(out, "Intervals are for means and differences over all %ss of "
                         "interest%s%s%s%s.",
                         iv_scored_unit(card),
                         s->sampled ? ", each with new items"
                         : s->cluster != NULL ? " with their items" : "",
                         card->most_repeats > 1 ? " and all repeats" : "",
                         s->suite == NULL || s->sampled ? ""
                         : "; the sets are fixed",
                         s->suite_weight == NULL || card->asked->set_weights.count == 0 ? ""
                         : " with their weights");
    const size_t repeats = card->most_repeats > 1 ? fewest_repeats(card) : 0;
    const iv_structured m = least_sure(card);
    if (!common)
        iv_result_say(out, design_messages, "scores.other-sets", lost_sets(card));
    IV_TELL(out, design_messages, "scores.few-units", m.df < IV_FEW_DEGREES ? m.units : 0, { m.df },
            { iv_scored_unit(card) });
    IV_TELL(out, design_messages, "scores.few-repeats", repeats <= IV_FEW_DEGREES ? repeats : 0);
    IV_TELL(out, design_messages, "scores.shared-clusters", shared_clusters(card->v));
    IV_TELL(out, design_messages, "scores.equal-set", equal_sets(card));
}

/* ---------------------------------------------------------- variance parts -- */

/* The place of each score among the repeats of its item; IV_NONE: of another measure.  Repeats are
 * told by their labels, those first that most often occur beside the most frequent one; of items
 * with repeats of their own as they come. */
static int place_repeats(size_t *place, iv_arena *own, const iv_scored *card, size_t measure,
                         iv_err *err)
{
    const iv_score_table *v = card->v;
    const size_t R = v->repeat_count, cells = v->system_count * v->item_count;
    const bool crossed = R > 0 && card->structure[measure].repeat_variance != NULL;
    size_t *times = iv_take(own, (crossed ? R : cells) + 1, sizeof *times), top = 0;
    size_t *beside = iv_take(own, R + 1, sizeof *beside);
    bool *has = iv_take(own, v->item_count + 1, sizeof *has);

    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < v->count; i++) {
        const iv_one_score *o = &v->scores[i];
        const size_t at = crossed ? o->repeat : o->system * v->item_count + o->item;
        place[i] = o->measure == card->measures[measure] ? times[at]++ : IV_NONE;
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
static int find_parts(iv_variance_parts *out, iv_arena *own, const iv_scored *card, size_t measure,
                      double confidence, const iv_work *work, iv_err *err)
{
    const iv_score_table *v = card->v;
    const size_t S = v->system_count, T = v->item_count;
    size_t *place = iv_take(own, v->count + 1, sizeof *place), best = 1, repeats = 1, items = 0;
    size_t *counts = iv_take(own, T + 1, sizeof *counts), *kept = iv_take(own, T + 1, sizeof *kept);

    IV_TRY(place_repeats(place, own, card, measure, err));
    for (size_t r = 1; r <= card->most_repeats; r++) { /* the table with the most scores in it */
        size_t n = 0;
        for (size_t i = 0; i < v->count; i++)
            counts[v->scores[i].item] += place[i] == r - 1;
        for (size_t t = 0; t < T; t++)
            n += counts[t] == S * r;
        IV_TRY(iv_check_work(work, (double)r / (double)(card->most_repeats + 1), err));
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
    if (card->structure[measure].repeat_variance == NULL) { /* each item has its own repeats */
        out->shared = (iv_variance_part){ 0 };
        out->apart = out->repeat.variance;
    }
    return IV_OK;
}

/* The variance parts of a measure; of 0 repeats where too few items have the same. */
static int scored_parts(iv_variance_parts *out, const iv_scored *card, size_t measure,
                        double confidence, const iv_work *work, iv_err *err)
{
    iv_arena own = { 0 };
    iv_err why = { .code = IV_OK };
    const int rc = find_parts(out, &own, card, measure, confidence, work, &why);

    iv_arena_free(&own);
    if (rc == IV_ENODATA)
        *out = (iv_variance_parts){ .repeats = 0 };
    return rc == IV_OK || rc == IV_ENODATA ? IV_OK : iv_fail_as(err, &why);
}

double iv_scored_shared(const iv_scored *card, size_t measure, const iv_compared_pair *p)
{
    const double *shared = card->structure == NULL ? NULL
        : card->structure[measure].repeat_variance;

    return shared == NULL ? 0.0 : shared[p->a] + shared[p->b];
}

enum { MEASURES = 1 };

const iv_field iv_scored_part_fields[] = {
    { "measure", IV_AT(iv_row, text[0]), .shown = MEASURES, .about = "name of the measure" },
    { "part", IV_AT(iv_row, text[1]), .about = "source of variance" },
    { "variance", IV_AT(iv_row, is.value), .digits = 5, .about = "variance of single scores" },
    IV_LIMITS(iv_row, is., 5),
    { "proportion", IV_AT(iv_row, real[0]), .digits = 3,
      .about = "proportion of the sum of all parts" },
    { "mean_square", IV_AT(iv_row, real[1]), .digits = 5, .audience = IV_FOR_PROGRAMS,
      .about = "mean square of the analysis of variance" },
    { "df", IV_AT(iv_row, is.df), .digits = 0, .audience = IV_FOR_PROGRAMS,
      .about = "degrees of freedom" },
    { NULL } };

static size_t fill_parts(iv_row *rows, const iv_variance_parts *p, const char *measure)
{
    const iv_variance_part *parts[] = { &p->system, &p->item, &p->interaction, &p->repeat };
    static const char *const names[] = { "systems", "items", "interaction", "repeats" };
    const size_t n = p->repeats > 1 ? 4 : 3;

    for (size_t k = 0; k < n; k++)
        rows[k] = (iv_row){ .text = { measure, names[k] },
                            .is = { parts[k]->variance, NAN, parts[k]->lower, parts[k]->upper,
                                    parts[k]->df },
                            .real = { parts[k]->share, parts[k]->mean_square } };
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

static void say_variance(iv_result *out, const iv_scored *card, const iv_variance_parts *p)
{
    const size_t all = card->v->item_count;
    const iv_variance_part *shared = &p->shared;

    IV_TELL(out, variance_rows, "variance.items", p->items < all ? p->items : 0, { (double)all });
    IV_TELL(out, variance_rows, "variance.one-repeat", p->repeats == 1);
    IV_TELL(out, variance_rows, "variance.shared", shared->lower > 0.0,
            { shared->variance, shared->lower, shared->upper });
}

int iv_tell_variance(iv_scored *card, double confidence, iv_result *out,
                     const iv_work *work, iv_err *err)
{
    const size_t M = card->measure_count;
    iv_row *rows = iv_take(card->own, 4 * M + 1, sizeof *rows);
    size_t count = 0;

    IV_TRY(iv_taken(card->own, err));
    for (size_t m = 0; card->v->system_count > 1 && m < M; m++) {
        iv_variance_parts p;
        IV_TRY(scored_parts(&p, card, m, confidence, work, err));
        if (p.repeats == 0) /* too few items that all have */
            continue;
        if (count == 0)
            say_variance(out, card, &p);
        count += fill_parts(rows + count, &p, card->v->measures[card->measures[m]]);
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

const iv_field iv_scored_set_fields[] = {
    { "set", IV_AT(iv_row, text[0]), .about = "name of the set" },
    { "run", IV_AT(iv_row, text[1]), .heading = "system", .about = "name of the system" },
    { "measure", IV_AT(iv_row, text[2]), .shown = MEASURES, .about = "name of the measure" },
    { "items", IV_AT(iv_row, count[0]), .about = "items that count" },
    { "value", IV_AT(iv_row, is.value), .digits = 4, .about = "mean over the set's items" },
    { "se", IV_AT(iv_row, is.se), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "standard error" },
    IV_LIMITS(iv_row, is., 4),
    { NULL } };

/* One system's scores of one set. */
static int fill_set(iv_row *row, double *x, uint32_t *room, const iv_scored *card, size_t m,
                    size_t s, size_t h, double confidence, iv_err *err)
{
    const iv_score_table *v = card->v;
    iv_structure one;
    const iv_set_slice in = iv_scored_within(&one, room, card, m, h);
    const double *values = iv_scored_values(card, m) + s * v->item_count + in.from;
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
    if (card->binary && card->most_repeats < 2 && one.cluster == NULL && one.weight == NULL)
        IV_TRY(iv_interval_limits(&of, NULL, NULL, 0, confidence, NULL, err));
    else
        IV_TRY(iv_structured_interval(&of, &is, unit, IV_INTERVAL_AUTO, confidence, err));
    *row = (iv_row){ .text = { v->suites[h], v->systems[s], v->measures[card->measures[m]] },
                     .count = { is.items }, .is = { is.mean, is.se, of.lower, of.upper } };
    return IV_OK;
}

int iv_tell_sets(iv_scored *card, double confidence, iv_result *out, const iv_work *work,
                 iv_err *err)
{
    const iv_score_table *v = card->v;
    const size_t M = card->measure_count, S = v->system_count, H = v->suite_count;
    iv_row *rows = iv_take(card->own, M * S * H + 1, sizeof *rows);
    double *x = iv_take(card->own, v->item_count + 1, sizeof *x);
    uint32_t *room = iv_take(card->own, v->item_count + 1, sizeof *room);
    size_t count = 0;

    IV_TRY(iv_taken(card->own, err));
    for (size_t k = 0; H > 1 && k < M * S * H; k++) {
        const int rc = fill_set(&rows[count], x, room, card, k / (S * H), k % S, k / S % H,
                                confidence, err);
        if (rc != IV_OK && rc != IV_ENODATA) /* this system has nothing in this set */
            return rc;
        count += rc == IV_OK;
        IV_TRY(iv_check_work(work, (double)k / (double)(M * S * H), err));
    }
    if (H > 1) {
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

int iv_tell_errors(iv_scored *card, iv_result *out, const iv_work *work, iv_err *err)
{
    const iv_score_table *v = card->v;
    const size_t M = card->measure_count, S = v->system_count;
    error_row *rows = iv_take(card->own, M * S + 1, sizeof *rows);
    bool alone = false, lone_set = false;

    IV_TRY(iv_taken(card->own, err));
    for (size_t k = 0; card->structured && k < M * S; k++) {
        error_row *row = &rows[k];
        *row = (error_row){ .run = v->systems[k % S],
                            .measure = v->measures[card->measures[k / S]] };
        IV_TRY(iv_structured_mean(&row->is, iv_scored_values(card, k / S) + k % S * v->item_count,
                                  v->item_count, &card->structure[k / S], k % S, err));
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
                       card->structure[0].cluster != NULL ? "cluster" : "item");
    if (card->structured)
        IV_TABLE(out, "errors", iv_scored_error_fields, rows, M * S, .with = M > 1 ? MEASURES : 0,
                 .showing = IV_ASIDE);
    return IV_OK;
}

/* ------------------------------------------------------------------ design -- */

const iv_field iv_scored_design_fields[] = {
    { "items", IV_AT(iv_row, real[0]), .digits = 0, .about = "each scored for every system" },
    { "repeats", IV_AT(iv_row, real[1]), .digits = 0,
      .about = "repeats of each system on each item" },
    { "scores", IV_AT(iv_row, real[2]), .digits = 0, .about = "to be made for each system" },
    { "se", IV_AT(iv_row, is.se), .digits = 5,
      .about = "standard error of the difference of two systems" },
    { NULL } };

int iv_tell_design(const iv_scored *card, double confidence, iv_result *out, iv_err *err)
{
    static const double by_items[] = { 0.5, 1.0, 2.0, 4.0 },
        by_repeats[] = { 1.0, 2.0, 3.0, 5.0, 10.0 };
    iv_row rows[20];
    iv_variance_parts p;

    IV_TRY(scored_parts(&p, card, 0, confidence, NULL, err));
    if (p.repeats < 2)
        return IV_OK;
    if (iv_scored_units(card)) {
        iv_result_note(out, "There is no table of more items and more repeats, because the items "
                       "of a %s vary together.", iv_scored_unit(card));
        return IV_OK;
    }
    for (size_t k = 0; k < 20; k++) {
        const double items = ceil(by_items[k / 5] * (double)p.items), r = by_repeats[k % 5];
        rows[k] = (iv_row){ .real = { items, r, items * r },
                            .is.se = iv_variance_se(&p, items, r) };
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
