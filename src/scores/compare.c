/* SPDX-License-Identifier: Apache-2.0 */
/* The answer to compare: scores are read, compared, and reported. */
#include "base/err.h"
#include "base/ids.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/parallel.h"
#include "result/claims.h"
#include "result/answering.h"
#include "result/methods.h"
#include "retrieval/evaluation.h"
#include "retrieval/evaluation_state.h"
#include "scores/comparing.h"
#include "scores/score_measures.h"
#include "stat/interval_methods.h"
#include "stat/pair_tests.h"
#include "trec/column_roles.h"
#include "trec/csv.h"
#include "trec/trec_ends.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The same comparison within sets of a suite, or within groups of topics. */

enum { MEASURES = 1, SUITE = 2, GROUPS = 4 };

#define NO_GROUP UINT32_MAX

/* ---------------------------------------------------------------- reading -- */

IV_ENDS(ids)

/* The groups of topics, in the order in which the file names them; counts lines of others. */
static int read_rows(uint32_t *of, iv_ids *groups, size_t *unknown, const iv_comparing *c,
                     const iv_csv *file, const iv_ids *topics, iv_err *err)
{
    const char *path = c->asked->groups;
    size_t column[2] = { 0, 0 };
    const iv_column_role roles[] = { iv_topic_role, { "group" } };

    IV_TRY(iv_role_columns(column, file, roles, 2, "; expected the columns topic and group", err));
    for (size_t row = 0; row < iv_csv_rows(file); row++) {
        const iv_str id = iv_csv_cell(file, row, column[0]);
        const iv_str name = iv_csv_cell(file, row, column[1]);
        const uint32_t t = iv_ids_find(topics, id);
        const uint64_t line = iv_csv_line(file, row);
        char quoted[IV_QUOTE_SIZE];
        if (name.len == 0)
            return iv_fail_at(err, IV_EPARSE, path, line, "topic %s has an empty group",
                              iv_quote(quoted, id));
        if (t == IV_NO_ID) {
            ++*unknown;
            continue;
        }
        const uint32_t which = iv_ids_add(groups, name);
        if (which == IV_NO_ID)
            return iv_no_memory(err);
        if (of[t] != NO_GROUP && of[t] != which)
            return iv_fail_at(err, IV_EPARSE, path, line, "topic %s is in a second group",
                              iv_quote(quoted, id));
        of[t] = which;
    }
    return IV_OK;
}

/* Reads the groups, which are the sets from then on. */
static int read_groups(iv_comparing *c, size_t *count, iv_result *out, const iv_work *work,
                       iv_err *err)
{
    const char *path = c->asked->groups;
    const size_t T = c->topic_count;
    iv_ids *topics = iv_own(c->own, iv_take(c->own, 1, sizeof *topics), iv_end_ids);
    iv_ids *groups = iv_own(c->own, iv_take(c->own, 1, sizeof *groups), iv_end_ids);
    uint32_t *of = iv_take(c->own, T + 1, sizeof *of);
    size_t unknown = 0, without = 0, largest = 0;
    iv_csv *file = NULL;

    IV_TRY(iv_taken(c->own, err));
    IV_TRY(iv_csv_load(&file, path, work, err));
    IV_TRY(IV_KEEP(out, csv, file, err));
    for (size_t t = 0; t < T; t++) {
        of[t] = NO_GROUP;
        if (iv_ids_add(topics, c->topics[t]) == IV_NO_ID)
            return iv_no_memory(err);
    }
    IV_TRY(read_rows(of, groups, &unknown, c, file, topics, err));
    const char **names = iv_take(c->own, groups->count + 1, sizeof *names);
    size_t *sizes = iv_take(c->own, groups->count + 1, sizeof *sizes);
    for (size_t k = 0; names != NULL && k < groups->count; k++)
        names[k] = iv_arena_copy(c->own, groups->names[k]);
    IV_TRY(iv_taken(c->own, err));
    for (size_t t = 0; t < T; t++) {
        without += of[t] == NO_GROUP;
        if (of[t] != NO_GROUP && ++sizes[of[t]] > largest)
            largest = sizes[of[t]];
    }
    if (largest < 2)
        return iv_fail(err, IV_ENODATA, largest == 0 ? "%.100s has none of the topics of the runs"
                       : "%.100s has only one topic in each group; two or more are needed", path);
    iv_result_input(out, path, iv_csv_bytes(file));
    if (without > 0)
        iv_result_note(out, "%zu of %zu topics are in no group of %s and are excluded from table "
                            "'groups'.", without, T, path);
    if (unknown > 0)
        iv_result_note(out, "%zu lines of %s are of topics that no run has.", unknown, path);
    c->set_names = names;
    c->set_of = of;
    *count = groups->count;
    return IV_OK;
}

/* ----------------------------------------------------------------- sets -- */

const iv_field iv_comparing_sets_fields[] = {
    { "set", IV_AT(iv_set_pair, set), .needs = SUITE,
      .about = "name of the set; sets with the largest losses come first" },
    { "group", IV_AT(iv_set_pair, set), .needs = GROUPS,
      .about = "group of topics; groups with the largest losses come first" },
    { "a", IV_AT(iv_set_pair, a), .about = "a system" },
    { "b", IV_AT(iv_set_pair, b), .about = "another system, or the baseline" },
    { "measure", IV_AT(iv_set_pair, measure), .shown = MEASURES, .about = "name of the measure" },
    { "items", IV_AT(iv_set_pair, is.items), .needs = SUITE,
      .about = "items that all systems have" },
    { "topics", IV_AT(iv_set_pair, is.items), .needs = GROUPS,
      .about = "topics that all runs have" },
    { "difference", IV_AT(iv_set_pair, is.found.mean), .digits = 4,
      .about = "difference of the means, a - b; b - a where lower is better" },
    { "lower", IV_AT(iv_set_pair, is.lower_adjusted), .digits = 4,
      .about = "lower limit, simultaneous for all sets and pairs" },
    { "upper", IV_AT(iv_set_pair, is.upper_adjusted), .digits = 4,
      .about = "upper limit of the interval" },
    { "p", IV_AT(iv_set_pair, test.test.p), .digits = 4, .audience = IV_FOR_PROGRAMS,
      .about = "p-value of the first test" },
    { "p_adjusted", IV_AT(iv_set_pair, test.p_adjusted), .digits = 4,
      .about = "p-value, corrected for all sets and pairs (Holm)" },
    { "mark", IV_AT(iv_set_pair, mark), .about = "* p < 0.05, ** p < 0.01, *** p < 0.001" },
    { NULL } };

/* The scores of a set alone, others missing, with what else hangs together.  False: the runs
 * share too little of it. */
static int compare_set(bool *enough, iv_comparing *c, double *values, uint32_t *room, size_t m,
                       size_t set, size_t family, const iv_work *work, iv_err *err)
{
    const bool suite = c->set_of == NULL;
    const uint32_t *of = suite ? c->scored.v->suite : c->set_of;
    iv_structure s;
    const iv_set_slice in = suite ? iv_scored_within(&s, room, &c->scored, m, set)
                                  : (iv_set_slice){ 0, c->topic_count };
    iv_compare_options how = c->asked->how;
    iv_comparison *found = NULL;
    iv_err why = { .code = IV_OK };

    for (size_t r = 0; r < c->run_count; r++) {
        const double *x = iv_comparing_values(c, m) + r * c->topic_count + in.from;
        for (size_t t = 0; t < in.count; t++)
            values[r * in.count + t] = of[in.from + t] == set ? x[t] : (double)NAN;
    }
    how.tests = c->how.tests; /* the first asked for; else by the scores */
    how.test_count = c->asked->tests.count > 0;
    how.correction = IV_CORRECT_HOLM;
    how.baselines = c->how.baselines;
    how.baseline_count = c->how.baseline_count;
    how.family = family;
    if (!iv_interval_about(how.interval)->resamples)
        how.resamples = 1; /* ranks in resamples are not asked for */
    how.structure = suite ? &s : NULL;
    const int rc = iv_compare(&found, values, c->run_count, in.count, &how, work, &why);
    *enough = rc == IV_OK;
    if (rc != IV_OK)
        return rc == IV_ENODATA ? IV_OK : iv_fail_as(err, &why);
    for (size_t i = 0; i < found->pair_count; i++)
        c->sets[c->set_count++] = (iv_set_pair){
            .set = c->set_names[set], .a = c->runs[found->pairs[i].a],
            .b = c->runs[found->pairs[i].b], .measure = c->measures[m], .is = found->pairs[i],
            .test = found->tests[i] };
    iv_comparison_free(found);
    return IV_OK;
}

static int worst_first(const void *x, const void *y)
{
    const iv_set_pair *a = x, *b = y;
    const int measures = strcmp(a->measure, b->measure), sets = strcmp(a->set, b->set);
    const int first = strcmp(a->a, b->a), second = strcmp(a->b, b->b);

    if (measures != 0 || a->is.found.mean != b->is.found.mean)
        return measures != 0 ? measures : a->is.found.mean < b->is.found.mean ? -1 : 1;
    return sets != 0 ? sets : first != 0 ? first : second;
}

/* Sets that are left out are named. */
static void tell_small(iv_listing *small, const iv_comparing *c, iv_result *out)
{
    const bool suite = c->set_of == NULL;
    const char *s = iv_plural(small->count);

    if (small->count > 0)
        iv_result_note(out, "%s%s %s %s excluded from table %s: the %s share fewer than two of %s "
                       "%ss.", suite ? "Set" : "Group", s, iv_listed(small),
                       small->count == 1 ? "is" : "are", suite ? "sets" : "groups",
                       iv_comparing_run(c, 2), small->count == 1 ? "its" : "their",
                       suite && c->scored.structure->cluster != NULL ? "cluster"
                       : iv_comparing_topic(c, 1));
}

/* Compares within each of the sets, and corrects p for all of them. */
static int compare_sets(iv_comparing *c, size_t H, iv_result *out, const iv_work *work, iv_err *err)
{
    const size_t M = c->measure_count, n = c->pair_count;
    double *values = iv_take(c->own, c->run_count * c->topic_count + 1, sizeof *values);
    uint32_t *room = iv_take(c->own, c->topic_count + 1, sizeof *room);
    double *p = iv_take(c->own, M * H * n + 1, sizeof *p);
    size_t family = 0;
    iv_listing small;

    c->sets = iv_take(c->own, M * H * n + 1, sizeof *c->sets);
    IV_TRY(iv_taken(c->own, err));
    for (c->set_count = M * H * n; c->set_count != family;) { /* again without what is left out */
        family = c->set_count;
        c->set_count = 0;
        small = (iv_listing){ .most = 0 };
        for (size_t k = 0; k < M * H; k++) {
            iv_stage stage;
            bool enough;
            if (!iv_comparing_items(c, k / H))
                continue;
            IV_TRY(compare_set(&enough, c, values, room, k / H, k % H, family,
                               iv_work_nth(&stage, work, k, M * H), err));
            if (!enough && k < H) /* in one measure as in the others */
                iv_list_quoted(&small, iv_str_of(c->set_names[k]));
        }
    }
    tell_small(&small, c, out);
    iv_tell_whole(&c->scored, out);
    for (size_t i = 0; i < c->set_count; i++)
        p[i] = c->sets[i].test.test.p;
    IV_TRY(iv_adjust(p, p, c->set_count, IV_CORRECT_HOLM, err));
    for (size_t i = 0; i < c->set_count; i++) {
        iv_comparing_settle(&c->sets[i].is, &c->sets[i].test, p[i], c);
        c->sets[i].mark = iv_comparing_mark(p[i]);
    }
    qsort(c->sets, c->set_count, sizeof *c->sets, worst_first);
    return IV_OK;
}

static iv_showing shown(const iv_comparing *c, size_t rows)
{
    return rows > IV_PAIRS_READ || (c->asked->not_worse && c->set_of == NULL) ? IV_LONG : IV_SHOWN;
}

static void comparing_sets(const iv_comparing *c, iv_result *out)
{
    const bool suite = c->set_of == NULL;
    const char *name = suite ? "sets" : "groups", *column = suite ? "set" : "group";
    char title[60], caption[160];

    if (c->set_count == 0)
        return;
    IV_TABLE(out, name, iv_comparing_sets_fields, c->sets, c->set_count,
             .with = (c->measure_count > 1 ? MEASURES : 0) | (suite ? SUITE : GROUPS),
             .showing = shown(c, c->set_count), .drawn = { "difference", "lower", "upper" });
    (void)snprintf(title, sizeof title, "Differences by %s", column);
    (void)snprintf(caption, sizeof caption, "A point is the difference of two %s in a %s. The "
                   "line is its interval, simultaneous for all %s.", iv_comparing_run(c, 2),
                   column, name);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = name, .title = title, .caption = caption,
        .label = column, .page = "a", .against = "b", .value = "difference", .lower = "lower",
        .upper = "upper", .lines = { { "no difference", 0.0, true } } });
}

/* Compares within the sets of a suite, if the scores are of one; and the table sets. */
static int comparing_find_sets(iv_comparing *c, iv_result *out, const iv_work *work, iv_err *err)
{
    const size_t H = c->asked->scores.given ? c->scored.v->suite_count : 0;

    if (H < 2 || (!c->asked->not_worse
                  && !iv_result_wants(out, "sets", shown(c, c->pair_count * H))))
        return IV_OK;
    c->set_names = c->scored.v->suites;
    return compare_sets(c, H, out, work, err);
}

/* The table groups. */
static int comparing_groups(iv_comparing *c, iv_result *out, const iv_work *work, iv_err *err)
{
    size_t count = 0;

    if (c->asked->groups != NULL) {
        IV_TRY(read_groups(c, &count, out, work, err));
    } else { /* the scores have them, by item */
        c->set_names = c->scored.v->groups;
        c->set_of = c->scored.v->group;
        count = c->scored.v->group_count;
    }
    c->set_count = 0;
    if (!iv_result_wants(out, "groups", shown(c, c->pair_count * count)))
        return IV_OK;
    IV_TRY(compare_sets(c, count, out, work, err));
    for (size_t i = 0; i < c->set_count; i++)
        if (c->sets[i].is.limit_adjusted == IV_LIMIT_CUT)
            iv_result_used(out, "holm-limits");
    comparing_sets(c, out);
    return IV_OK;
}

/* -------------------------------------------------------------- comparing -- */

/* As eval has it, where the measure is known: of estimates and matrices by their values. */
static iv_interval_method means_of(const iv_comparing *c, size_t measure)
{
    const iv_value_info *v = c->evaluation == NULL || c->sampled ? NULL
        : c->v->measures[measure].info;

    return v == NULL || v->measure->summary != IV_SUMMARY_MEAN ? IV_INTERVAL_AUTO
        : iv_usual_interval(v, false);
}

/* The range of a measure's scores, and how strong a decision is to be. */
static int set_strength(iv_compare_options *how, const iv_comparing *c, size_t m, iv_err *err)
{
    const iv_value_info *v = c->evaluation == NULL || c->sampled ? NULL : c->v->measures[m].info;
    const iv_reals *range = &c->asked->range;

    if (range->count > 0 && (range->count != 2 || !(range->at[1] > range->at[0])))
        return iv_fail(err, IV_EARG, "--range: expected LOW,HIGH with LOW below HIGH");
    if (range->count == 2) {
        how->low = range->at[0];
        how->high = range->at[1];
    } else if (v != NULL && v->measure->summary == IV_SUMMARY_MEAN && isfinite(v->highest)
               && !v->measure->above) {
        how->low = v->lowest;
        how->high = v->highest;
    }
    if (!c->asked->guaranteed)
        return IV_OK;
    if (c->sampled)
        return iv_fail(err, IV_EARG, "--guaranteed: no guarantee is published for estimates from "
                       "sampled judgments");
    how->guaranteed = true;
    return iv_order_by_id(&how->order, c->topics, c->topic_count, c->own, err);
}

/* One comparison a measure, all with the same options but for their means. */
static int compare_all(iv_comparing *c, iv_result *out, const iv_work *work, iv_err *err)
{
    const size_t M = c->measure_count;

    for (size_t m = 0; m < M; m++) {
        iv_compare_options how = c->how;
        iv_stage stage;
        how.bounded = c->sampled && !c->evaluation->task.estimated->values[m].count;
        how.means = means_of(c, m);
        IV_TRY(set_strength(&how, c, m, err));
        if (c->scored.structured)
            how.structure = &c->scored.structure[m];
        IV_TRY(iv_compare(&c->found[m], iv_comparing_values(c, m), c->run_count, c->topic_count,
                          &how, iv_work_nth(&stage, work, m, M), err));
        IV_TRY(IV_KEEP(out, comparison, c->found[m], err));
    }
    return IV_OK;
}

/* Pairs that unjudged documents could change separate nothing. */
static int set_aside_undecided(iv_comparing *c, size_t m, iv_err *err)
{
    bool any = false, *aside = iv_take(c->own, c->pair_count, sizeof *aside);

    IV_TRY(iv_taken(c->own, err));
    for (size_t i = 0; i < c->pair_count; i++) {
        aside[i] = iv_comparing_undecided(c, m, i);
        any = any || aside[i];
    }
    return any ? iv_compare_separate(c->found[m], aside, err) : IV_OK;
}

/* Are all scores of a measure in [0, 1]? */
static bool in_unit(const iv_comparing *c, size_t m)
{
    const double *values = iv_comparing_values(c, m);

    for (size_t i = 0; i < c->run_count * c->topic_count; i++)
        if (values[i] < 0.0 || values[i] > 1.0)
            return false;
    return true;
}

/* A margin that no difference of scores in [0, 1] exceeds: percent were meant, or another scale. */
static int check_margin(const iv_comparing *c, iv_err *err)
{
    for (size_t m = 0; c->how.margin >= 1.0 && m < c->measure_count; m++)
        if (c->digits[m] > 2 && in_unit(c, m)) /* counts may happen to be 0 and 1 */
            return iv_fail(err, IV_EARG, "a margin of %g, expected less than 1: the scores of %s "
                           "are in [0, 1]", c->how.margin, c->measures[m]);
    return IV_OK;
}

int iv_refuse_error(const iv_score_table *v, const char *measure, const double *x, size_t count,
                    iv_err *err)
{
    static const char before[] = "score (column '"; /* what scores without a measure are */
    const char *column = v != NULL ? strstr(v->columns, before) : NULL;
    iv_str name = iv_str_of(measure);
    bool above = false;

    if (column != NULL && strcmp(measure, "score") == 0)
        name = (iv_str){ column + sizeof before - 1, strcspn(column + sizeof before - 1, "'") };
    for (size_t i = 0; i < count; i++)
        above = above || x[i] > 0.0;
    return !above || !iv_names_a_loss(name) ? IV_OK
        : iv_fail(err, IV_ENODATA, "'%.*s' looks like an error or a loss, and "
                  "compare takes higher scores as better: negate them, or compare "
                  "another measure", (int)name.len, name.ptr);
}

/* Ratios and percentiles are compared by tests of means alone, over all items. */
static int check_derived(const iv_comparing *c, iv_err *err)
{
    for (size_t m = 0; m < c->measure_count; m++) {
        if (iv_comparing_items(c, m))
            continue;
        for (size_t i = 0; i < c->how.test_count; i++)
            if (!iv_pair_test_of_mean(c->how.tests[i]))
                return iv_fail(err, IV_EARG, "the %s test needs a score of each item, which %s "
                               "is not" IV_HINT("; --test t"),
                               iv_pair_test_names()[c->how.tests[i]], c->measures[m]);
        if (c->asked->gate_sets || iv_comparing_groups(c) || c->asked->guaranteed)
            return iv_fail(err, IV_EARG, "%s is not compared %s", c->measures[m],
                           c->asked->guaranteed ? "with a guarantee" : "by sets or groups");
    }
    return IV_OK;
}

/* What is asked must be in the data. */
static int check_asked(const iv_comparing *c, iv_err *err)
{
    const iv_compare_question *q = c->asked;

    IV_TRY(iv_comparing_check(c, err));
    for (size_t m = 0; c->v == NULL && c->scored.definitions == NULL && m < c->measure_count; m++)
        IV_TRY(iv_refuse_error(NULL, c->measures[m], iv_comparing_values(c, m),
                               c->run_count * c->topic_count, err)); /* scores in memory */
    IV_TRY(check_derived(c, err));
    if (q->not_worse && (c->how.baseline_count != 1 || c->how.margin == 0.0))
        return iv_fail(err, IV_EARG, "a gate needs one baseline and a margin: --baseline and "
                       "--margin");
    if (q->gate_sets && (!q->scores.given || c->scored.v->suite_count < 2))
        return iv_fail(err, IV_EARG, "a gate for each set needs scores of two sets or more"
                       IV_HINT("; --columns set=NAME names the column of sets"));
    return check_margin(c, err);
}

static int tell_all(iv_comparing *c, iv_result *out, const iv_work *work, iv_err *err)
{
    c->unit = in_unit(c, 0);
    IV_TRY(comparing_find_sets(c, out, work, err));
    IV_TRY(iv_comparing_gate(c, out, err));
    iv_comparing_tell_answer(c, out);
    IV_TRY(iv_comparing_pairs(c, out, err));
    IV_TRY(iv_comparing_runs(c, out, err));
    comparing_sets(c, out);
    IV_TRY(iv_comparing_paper(c, out, err));
    iv_comparing_tell_method(c, out);
    IV_TRY(iv_comparing_charts(c, out, err));
    if (iv_comparing_groups(c))
        IV_TRY(comparing_groups(c, out, work, err));
    if (c->sampled)
        IV_TRY(iv_comparing_sampling(c, out, err));
    if (c->named && !c->asked->not_worse) {
        IV_TRY(iv_tell_errors(&c->scored, out, work, err));
        IV_TRY(iv_tell_variance(&c->scored, c->how.confidence, out, work, err));
    }
    return IV_OK;
}

int iv_compare_scores(iv_result *out, const iv_compare_question *question, const iv_work *work,
                      iv_err *err)
{
    const bool groups = question->groups != NULL;
    iv_comparing c = { .asked = question };
    iv_stage read, compare, tell;

    IV_TRY(iv_comparing_read(&c, out, iv_work_part(&read, work, 0.0, 0.4), err));
    IV_TRY(check_asked(&c, err));
    IV_TRY(compare_all(&c, out, iv_work_part(&compare, work, 0.4, groups ? 0.7 : 1.0), err));
    for (size_t m = 0; m < c.measure_count; m++)
        IV_TRY(iv_comparing_settle_means(&c, m, err));
    c.how = c.found[0]->options;
    c.pair_count = c.found[0]->pair_count;
    for (size_t m = 0; m < c.measure_count; m++)
        IV_TRY(set_aside_undecided(&c, m, err));
    return tell_all(&c, out, iv_work_part(&tell, work, 0.7, 1.0), err);
}
