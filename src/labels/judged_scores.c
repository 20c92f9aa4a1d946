/* SPDX-License-Identifier: Apache-2.0 */
/* Human labels of some of a judge's scores: read, joined, and how they were chosen. */
#include "base/err.h"
#include "base/ids.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/order.h"
#include "labels/judged_scores.h"
#include "result/answering.h"
#include "result/message.h"
#include "scores/score_measures.h"
#include "stat/interval/limits.h"
#include "stat/machine/regression_mean.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 10 }; /* of the judge's scores, in tests of how labels were chosen */

static const iv_message messages[] = {
    { "judged.outside", IV_WARNING, NULL,
      "{n} human label[ is|s are] of [an answer|answers] without a judge's score and [is|are] not "
      "used." },
    { NULL } };

bool iv_judged_asked(const iv_score_input *asked, const iv_machines *how)
{
    const iv_texts *columns = &asked->from.columns;
    bool found = how->human_labels != NULL || asked->from.human.count > 0;

    if (!asked->given)
        return false;
    for (size_t i = 0; i < columns->count && !found; i++)
        for (const char *at = columns->at[i]; at != NULL; at = strchr(at, ',')) {
            at += *at == ',';
            found = found || strncmp(at, "human=", 6) == 0;
        }
    return found;
}

/* ------------------------------------------------------------------ reading -- */

/* Sums of labels and of the judge's scores beside them, by judge, system and item. */
typedef struct label_sums {
    double *human, *beside, *count;
} label_sums;

static void add_label(label_sums *to, size_t at, double human, double beside)
{
    to->human[at] += human;
    to->beside[at] += beside;
    to->count[at] += 1.0;
}

/* Labels in the table itself. */
static void take_column(label_sums *to, const iv_judged_scores *s)
{
    const iv_score_table *v = s->scored.v;

    for (size_t j = 0; j < s->judges; j++)
        for (size_t i = 0; i < v->count; i++) {
            const iv_one_score *x = &v->scores[i];
            if (x->measure == s->scored.measures[j] && !isnan(x->human))
                add_label(to, (j * v->system_count + x->system) * v->item_count + x->item,
                          x->human, x->score);
        }
}

/* Where one judge has a label and another has only the score. */
static void share_labels(label_sums *to, const iv_judged_scores *s)
{
    const size_t each = s->scored.v->system_count * s->scored.v->item_count;

    for (size_t at = 0; at < each; at++) {
        size_t from = 0;
        while (from < s->judges && to->count[from * each + at] == 0.0)
            from++;
        for (size_t j = 0; j < s->judges && from < s->judges; j++) {
            const size_t k = j * each + at;
            if (to->count[k] == 0.0 && !isnan(s->scored.values[k]))
                add_label(to, k, to->human[from * each + at] / to->count[from * each + at],
                          s->scored.values[k]);
        }
    }
}

static int read_file(iv_score_table **out, const char *path, const iv_work *work, iv_err *err)
{
    static const char *const named[] = { "score=human" };
    iv_score_source from = { .files = { &path, 1 }, .columns = { named, 1 } };
    iv_err first = { .code = IV_OK };

    if (iv_score_table_load(out, &from, work, &first) == IV_OK)
        return IV_OK;
    from.columns.count = 0;
    return iv_score_table_load(out, &from, work, err);
}

/* The number of a name among others. */
static size_t place_of(const char *const *names, size_t count, const char *name)
{
    size_t i = 0;

    while (i < count && strcmp(names[i], name) != 0)
        i++;
    return i < count ? i : IV_NONE;
}

/* The judge's score of a system on an item in a repeat; NaN: none. */
static double score_at(const iv_judged_scores *s, size_t judge, size_t system, size_t item,
                       size_t repeat)
{
    const iv_score_table *v = s->scored.v;
    size_t low = 0, high = v->count;
    const uint32_t want[] = { s->scored.measures[judge], (uint32_t)system, (uint32_t)item,
                              (uint32_t)repeat };

    while (low < high) {
        const size_t at = (low + high) / 2;
        const iv_one_score *x = &v->scores[at];
        const uint32_t is[] = { x->measure, x->system, x->item, x->repeat };
        int order = 0;
        for (size_t k = 0; k < 4 && order == 0; k++)
            order = (is[k] > want[k]) - (is[k] < want[k]);
        if (order == 0)
            return x->score;
        *(order < 0 ? &low : &high) = order < 0 ? at + 1 : at;
    }
    return (double)NAN;
}

/* Labels in a file: by system, item and, if it names repeats, repeat. */
static int take_file(label_sums *to, iv_judged_scores *s, iv_result *out, const iv_work *work,
                     iv_err *err)
{
    const char *path = s->how.human_labels;
    const iv_score_table *v = s->scored.v;
    iv_ids items = { 0 };
    iv_score_table *l = NULL;
    int rc = IV_OK;

    IV_TRY(read_file(&l, path, work, err));
    IV_TRY(iv_keep(s->scored.own, l, iv_score_table_free, err));
    iv_result_input(out, path, l->file_bytes[0]);
    for (size_t t = 0; t < v->item_count && rc == IV_OK; t++)
        if (iv_ids_add(&items, v->items[t]) == IV_NO_ID)
            rc = iv_no_memory(err);
    const bool nameless = l->system_count == 1 && v->system_count == 1;
    for (size_t i = 0; i < l->count && rc == IV_OK; i++) {
        const iv_one_score *x = &l->scores[i];
        const size_t r = nameless ? 0 : place_of(v->systems, v->system_count,
                                                 l->systems[x->system]);
        const uint32_t t = iv_ids_find(&items, l->items[x->item]);
        const size_t repeat = l->repeat_count == 0 ? 0
            : place_of(v->repeats, v->repeat_count, l->repeats[x->repeat]);
        const bool known = r != IV_NONE && t != IV_NO_ID && repeat != IV_NONE;
        bool used = false;
        for (size_t j = 0; j < s->judges && known; j++) {
            const double beside = l->repeat_count > 0 ? score_at(s, j, r, t, repeat)
                : iv_scored_values(&s->scored, j)[r * v->item_count + t];
            used = used || !isnan(beside);
            if (!isnan(beside))
                add_label(to, (j * v->system_count + r) * v->item_count + t, x->score, beside);
        }
        s->outside += !used;
    }
    iv_ids_free(&items);
    return rc;
}

/* By system and item; an item that was chosen from two strata is refused. */
static int take_strata(uint32_t *stratum, const iv_judged_scores *s, iv_err *err)
{
    const iv_score_table *v = s->scored.v;
    char quoted[IV_QUOTE_SIZE];

    for (size_t i = 0; i < v->system_count * v->item_count; i++)
        stratum[i] = IV_NO_ID;
    for (size_t i = 0; i < v->count; i++) {
        const iv_one_score *x = &v->scores[i];
        uint32_t *at = &stratum[x->system * v->item_count + x->item];
        if (x->measure != s->scored.measures[0])
            continue;
        if (x->stratum == IV_NO_ID || (*at != IV_NO_ID && *at != x->stratum))
            return iv_fail_at(err, IV_EPARSE, v->files.count > 0 ? v->files.at[x->file]
                              : "the arrays", x->line, "item %s of '%.60s' is in %s, expected one "
                              "stratum", iv_quote(quoted, v->items[x->item]),
                              v->systems[x->system], *at == IV_NO_ID ? "no stratum" : "two strata");
        *at = x->stratum;
    }
    for (size_t i = 0; i < v->system_count * v->item_count; i++)
        stratum[i] = stratum[i] == IV_NO_ID ? 0 : stratum[i];
    return IV_OK;
}

static int fill_systems(iv_judged_scores *s, const label_sums *from, iv_err *err)
{
    const iv_score_table *v = s->scored.v;
    const size_t T = v->item_count, S = v->system_count, all = s->judges * S;
    uint32_t *stratum = iv_take(s->scored.own, S * T + 1, sizeof *stratum);

    s->systems = iv_take(s->scored.own, all + 1, sizeof *s->systems);
    s->labels = iv_take(s->scored.own, all + 1, sizeof *s->labels);
    IV_TRY(iv_taken(s->scored.own, err));
    if (s->how.design == IV_HUMAN_STRATA)
        IV_TRY(take_strata(stratum, s, err));
    for (size_t r = 0; r < all; r++) {
        const iv_structure *is = &s->scored.structure[r / S];
        const size_t at = r * T;
        for (size_t t = 0; t < T; t++) {
            const double n = from->count[at + t];
            s->items += (v->several && r >= S) || isnan(s->scored.values[at + t]) ? 0 : 1;
            s->labels[r] += n > 0.0;
            from->human[at + t] = n > 0.0 ? from->human[at + t] / n : (double)NAN;
            from->beside[at + t] = n > 0.0 ? from->beside[at + t] / n : (double)NAN;
        }
        s->labelled += v->several && r >= S ? 0 : s->labels[r];
        s->systems[r] = (iv_judged_system){
            s->scored.values + at, from->human + at, from->beside + at,
            s->how.design == IV_HUMAN_STRATA ? stratum + r % S * T : NULL,
            is->repeat_variance != NULL ? is->repeat_variance[r % S] : 0.0,
            is->repeat_df != NULL ? is->repeat_df[r % S] : 0.0,
            r + S < all ? &s->systems[r + S] : NULL };
    }
    s->design = (iv_judged_design){ .items = T, .structure = s->scored.structure,
        .estimator = s->how.estimator,
        .strata = s->how.design == IV_HUMAN_STRATA ? v->stratum_count : 0,
        .bounded = iv_scores_unit(s->scored.values, all * T)
            && iv_scores_unit(from->human, all * T) };
    return IV_OK;
}

/* ------------------------------------------------- is the design believable -- */

/* The group of a value: itself if there are few of them, else a tenth of them. */
static size_t group_of(const double *cut, size_t cuts, double x)
{
    size_t g = 0;

    while (g < cuts && x > cut[g])
        g++;
    return g;
}

/* Upper ends of groups of values, but that of the last. */
static size_t find_cuts(double *cut, double *sorted, size_t n)
{
    size_t distinct = 0, cuts = 0;

    qsort(sorted, n, sizeof *sorted, iv_ascending);
    for (size_t i = 0; i < n; i++)
        distinct += i == 0 || sorted[i] != sorted[i - 1];
    for (size_t i = 0; i + 1 < n; i++) {
        const bool ends = sorted[i] != sorted[i + 1]
            && (distinct <= BINS || (i + 1) * BINS >= (cuts + 1) * n);
        if (ends && cuts + 1 < BINS)
            cut[cuts++] = sorted[i];
    }
    return cuts;
}

/* Units of one selection: their values, strata and whether they were chosen. */
typedef struct chosen_units {
    double *value;
    uint32_t *stratum;
    bool *chosen;
    size_t count, strata;
} chosen_units;

static int check_units(const chosen_units *u, const char *what, iv_arena *own, iv_err *err)
{
    const size_t S = u->strata > 0 ? u->strata : 1;
    double *sorted = iv_take(own, u->count + 1, sizeof *sorted), cut[BINS], mean[2] = { 0.0 };
    size_t *all = iv_take(own, 2 * S * BINS + 1, sizeof *all), *some = all + S * BINS, n[2] = { 0 };
    double statistic, df;

    IV_TRY(iv_taken(own, err));
    memcpy(sorted, u->value, u->count * sizeof *sorted);
    const size_t G = find_cuts(cut, sorted, u->count) + 1;
    for (size_t i = 0; i < u->count; i++) {
        const size_t at = u->stratum[i] * G + group_of(cut, G - 1, u->value[i]);
        all[at]++;
        some[at] += u->chosen[i];
        mean[u->chosen[i]] += u->value[i];
        n[u->chosen[i]]++;
    }
    IV_TRY(iv_selection_test_of(&statistic, &df, all, some, S, G, err));
    if (!iv_selection_uneven(statistic, df))
        return IV_OK;
    return iv_fail(err, IV_ENODATA, "what people labelled depends on the judge: the mean of %s is "
                   "%.3g where they looked and %.3g elsewhere; expected answers chosen at random, "
                   "without regard to the judge's score" IV_HINT("; --human-design strata allows "
                   "for a choice by --columns stratum=COLUMN"), what, mean[1] / (double)n[1],
                   mean[0] / (double)n[0]);
}

/* The items of a system, or of both of two: their difference. */
static int check_items(const iv_judged_scores *s, chosen_units *u, size_t a, size_t b,
                       iv_arena *own, iv_err *err)
{
    const iv_judged_system *x = &s->systems[a], *y = b != IV_NONE ? &s->systems[b] : NULL;
    const size_t S = s->scored.v->system_count;
    char what[300];

    u->count = 0;
    for (size_t t = 0; t < s->design.items; t++) {
        if (isnan(x->judge[t]) || (y != NULL && isnan(y->judge[t])))
            continue;
        u->value[u->count] = x->judge[t] - (y != NULL ? y->judge[t] : 0.0);
        u->stratum[u->count] = x->stratum != NULL ? x->stratum[t] : 0;
        u->chosen[u->count++] = !isnan(x->human[t]) && (y == NULL || !isnan(y->human[t]));
    }
    if (y != NULL)
        (void)snprintf(what, sizeof what, "'%.100s' minus '%.100s'", s->scored.v->systems[a % S],
                       s->scored.v->systems[b % S]);
    else
        (void)snprintf(what, sizeof what, "'%.100s'", s->scored.v->systems[a % S]);
    return check_units(u, what, own, err);
}

/* Whole clusters, each labelled or not. */
static int check_clusters(const iv_judged_scores *s, chosen_units *u, size_t r, iv_arena *own,
                          iv_err *err)
{
    const iv_score_table *v = s->scored.v;
    const iv_judged_system *x = &s->systems[r];
    size_t *items = iv_take(own, 2 * v->cluster_count + 1, sizeof *items);
    size_t *labels = items + v->cluster_count;
    double *sum = iv_take(own, v->cluster_count + 1, sizeof *sum);

    IV_TRY(iv_taken(own, err));
    for (size_t t = 0; t < v->item_count; t++)
        if (!isnan(x->judge[t])) {
            sum[v->cluster[t]] += x->judge[t];
            items[v->cluster[t]]++;
            labels[v->cluster[t]] += isnan(x->human[t]) ? 0 : 1;
        }
    u->count = 0;
    for (size_t c = 0; c < v->cluster_count; c++) {
        if (labels[c] > 0 && labels[c] < items[c])
            return iv_fail(err, IV_ENODATA, "people labelled %zu of the %zu items of cluster "
                           "'%.80s' ('%.60s'), expected whole clusters" IV_HINT("; --human-design "
                           "random is for items chosen one by one"), labels[c], items[c],
                           v->clusters[c], v->systems[r % v->system_count]);
        if (items[c] == 0)
            continue;
        u->value[u->count] = sum[c] / (double)items[c];
        u->stratum[u->count] = 0;
        u->chosen[u->count++] = labels[c] > 0;
    }
    return check_units(u, v->systems[r % v->system_count], own, err);
}

static int check_selection(const iv_judged_scores *s, iv_err *err)
{
    const size_t T = s->design.items, S = s->scored.v->system_count;
    const bool clusters = s->how.design == IV_HUMAN_CLUSTERS;
    iv_arena own = { 0 };
    chosen_units u = { .value = iv_take(&own, T + 1, sizeof *u.value),
                       .stratum = iv_take(&own, T + 1, sizeof *u.stratum),
                       .chosen = iv_take(&own, T + 1, sizeof *u.chosen),
                       .strata = s->design.strata };
    int rc = iv_taken(&own, err);

    for (size_t r = 0; r < s->judges * S && rc == IV_OK; r++)
        rc = clusters ? check_clusters(s, &u, r, &own, err)
                      : check_items(s, &u, r, IV_NONE, &own, err);
    for (size_t r = 1; r < s->judges * S && rc == IV_OK && !clusters && s->design.strata == 0; r++)
        if (r % S > 0)
            rc = check_items(s, &u, r - r % S, r, &own, err);
    iv_arena_free(&own);
    return rc;
}

/* The design in use; labels of a part without one are refused. */
static int settle_design(iv_judged_scores *s, iv_err *err)
{
    const iv_score_table *v = s->scored.v;
    const iv_human_design d = s->how.design;

    if (s->labelled == s->items)
        return IV_OK;
    if (d == IV_HUMAN_STATED)
        return iv_fail(err, IV_EARG, "people labelled %s of the %s scores: expected "
                       "--human-design random (items chosen one by one), strata (so within "
                       "each stratum: --columns stratum=COLUMN) or clusters (whole clusters: "
                       "--columns cluster=COLUMN), always at random", IV_COUNT(s->labelled),
                       IV_COUNT(s->items));
    if (d == IV_HUMAN_BY_TOPIC || d == IV_HUMAN_TOPICS)
        return iv_fail(err, IV_EARG, "--human-design %s is for qrels; scores have random, strata "
                       "or clusters", iv_human_design_names()[d]);
    if (d == IV_HUMAN_CLUSTERS && v->cluster == NULL)
        return iv_fail(err, IV_EARG, "--human-design clusters needs a column of clusters"
                       IV_HINT("; --columns cluster=COLUMN"));
    return check_selection(s, err);
}

int iv_judges_read(iv_judged_scores *s, const iv_score_input *asked, const iv_machines *how,
                   const iv_texts *measures, iv_result *out, const iv_work *work, iv_err *err)
{
    label_sums sums;

    s->how = *how;
    IV_TRY(iv_scored_read(&s->scored, asked, measures, true, false, out, work, err));
    const iv_score_table *v = s->scored.v;
    s->judges = s->scored.measure_count;
    const size_t cells = s->judges * v->system_count * v->item_count;
    if (s->judges > IV_JUDGES_MOST)
        return iv_fail(err, IV_EARG, "%zu judges, expected at most %d", s->judges, IV_JUDGES_MOST);
    for (size_t m = 0; m < s->scored.measure_count; m++)
        if (s->scored.definitions[m].form != IV_FORM_MEAN)
            return iv_fail(err, IV_EARG, "%s has no human labels; only scores have",
                           s->scored.names[m]);
    if (how->human_labels != NULL && v->human_count > 0)
        return iv_fail(err, IV_EARG, "human labels are in a column and in a file, expected one of "
                       "them");
    if (how->design == IV_HUMAN_STRATA && v->stratum_count == 0)
        return iv_fail(err, IV_EARG, "--human-design strata needs a column of strata"
                       IV_HINT("; --columns stratum=COLUMN"));
    sums.human = iv_take(s->scored.own, 3 * cells + 1, sizeof *sums.human);
    sums.beside = sums.human + cells;
    sums.count = sums.beside + cells;
    IV_TRY(iv_taken(s->scored.own, err));
    s->outside = v->human_alone;
    if (how->human_labels != NULL)
        IV_TRY(take_file(&sums, s, out, work, err));
    else
        take_column(&sums, s);
    share_labels(&sums, s);
    IV_TRY(fill_systems(s, &sums, err));
    IV_TELL(out, messages, "judged.outside", s->outside);
    return s->labelled > 0 ? settle_design(s, err) : IV_OK;
}

int iv_judged_scores_read(iv_judged_scores *s, const iv_score_input *asked, const iv_machines *how,
                          const iv_texts *measures, iv_result *out, const iv_work *work,
                          iv_err *err)
{
    IV_TRY(iv_judges_read(s, asked, how, measures, out, work, err));
    if (s->judges > 1 && !s->scored.v->several)
        return iv_fail(err, IV_EARG, "the scores are of %zu measures, expected one that people "
                       "labelled, too" IV_HINT("; --measure NAME names it"), s->judges);
    if (s->judges > 1 && s->how.estimator != IV_JUDGE_REGRESSION
        && s->how.estimator != IV_JUDGE_HUMAN)
        return iv_fail(err, IV_EARG, "--judge-estimator %s is for one column of scores, not for "
                       "%zu", iv_judge_estimator_names()[s->how.estimator], s->judges);
    if (s->labelled == 0)
        return iv_fail(err, IV_ENODATA, "no answer has both a judge's score and a human label");
    if (s->judges > 1) /* what all of them score */
        s->scored.names[0] = "score";
    return IV_OK;
}

/* ---------------------------------------------------------------- direction -- */

int iv_judged_lower(bool *out, const iv_judged_scores *s, iv_err *err)
{
    for (size_t j = 1; j < s->judges; j++)
        if (s->scored.definitions[j].lower != s->scored.definitions[0].lower)
            return iv_fail(err, IV_EARG, "lower is better by one judge and higher by another, "
                           "expected the same" IV_HINT("; --lower-is-better names columns, or "
                           "'none'"));
    *out = s->scored.definitions[0].lower;
    return IV_OK;
}

int iv_judged_turn(iv_judged_scores *s, iv_err *err)
{
    const size_t T = s->design.items, all = s->judges * s->scored.v->system_count;
    const double at = s->design.bounded ? 1.0 : 0.0;
    double *x = iv_take(s->scored.own, 3 * all * T + 1, sizeof *x);

    IV_TRY(iv_taken(s->scored.own, err));
    for (size_t r = 0; r < all; r++, x += 3 * T) {
        iv_judged_system *is = &s->systems[r];
        for (size_t t = 0; t < T; t++) {
            x[t] = at - is->judge[t];
            x[T + t] = at - is->human[t];
            x[2 * T + t] = at - is->beside[t];
        }
        is->judge = x;
        is->human = x + T;
        is->beside = x + 2 * T;
    }
    return IV_OK;
}

/* ---------------------------------------------------------------- estimates -- */

int iv_judged_estimate_of(iv_judged_estimate *out, const iv_judged_scores *s, size_t system,
                          size_t less, iv_err *err)
{
    const iv_judged_system *a = &s->systems[system];
    const iv_judged_system *b = less != IV_NONE ? &s->systems[less] : NULL;
    double *x = iv_take(s->scored.own, s->design.items + 1, sizeof *x);
    iv_structured is;

    IV_TRY(iv_taken(s->scored.own, err));
    IV_TRY(iv_judged_means_of(&out->both, &out->human, &out->few, a, b, &s->design, err));
    for (const iv_judged_system *p = a, *q = b; p != NULL;
         p = p->next, q = q != NULL ? q->next : NULL)
        for (size_t t = 0; t < s->design.items; t++)
            x[t] += (p->judge[t] - (q != NULL ? q->judge[t] : 0.0)) / (double)s->judges;
    IV_TRY(iv_structured_mean(&is, x, s->design.items, s->design.structure, system, err));
    out->judge = is.mean;
    out->needed = out->few > 0.0 ? ceil((double)out->both.labelled * IV_JUDGED_DIFFERING
                                        / out->few) : (double)NAN;
    out->reason = isnan(out->both.se) ? "the standard error is not known"
        : out->both.se == 0.0 && !out->both.by_cells ? "all human labels are equal" : NULL;
    return IV_OK;
}
