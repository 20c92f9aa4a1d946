/* SPDX-License-Identifier: Apache-2.0 */
/* The same comparison within groups of topics and sets of a suite, and between groups. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/comparing.h"
#include "answer/run_notes.h"
#include "base/ids.h"
#include "base/listing.h"
#include "base/parallel.h"
#include "stat/paired/compare_parts.h"
#include "stat/stat_private.h"
#include "trec/roles.h"
#include "base/base_private.h"
#include "trec/trec_private.h"

enum { MEASURES = 1 };

#define NO_GROUP UINT32_MAX

/* The groups, in the order in which the file names them. */
typedef struct grouping {
    iv_arena *own;
    iv_csv *file;
    const char **names;
    size_t count;
    iv_ids known, topics; /* the names, and the topics of the runs */
    bool *told;     /* by group: it was named */
    uint32_t *of;   /* by topic; NO_GROUP: in none */
    double *values; /* room for the scores of one group ... */
    uint32_t *taken; /* ... and the groups of its topics */
} grouping;

/* ---------------------------------------------------------------- reading -- */

/* The number of a group, which may be new; NO_GROUP: memory is out. */
static uint32_t find_group(grouping *g, iv_str name)
{
    const uint32_t which = iv_ids_add(&g->known, name);

    if (which == IV_NO_ID || which < g->count)
        return which == IV_NO_ID ? NO_GROUP : which;
    g->names[g->count] = iv_arena_copy(g->own, name);
    return g->names[g->count] != NULL ? (uint32_t)g->count++ : NO_GROUP;
}

/* A topic has one number however often it is asked for: there may be millions. */
static int know_topics(grouping *g, const iv_comparing *c, iv_err *err)
{
    for (size_t t = 0; t < c->topic_count; t++) {
        if (iv_ids_add(&g->topics, c->topics[t]) == IV_NO_ID)
            return iv_fail(err, IV_ENOMEM, "out of memory");
    }
    return IV_OK;
}

static int read_rows(grouping *g, const iv_comparing *c, size_t *unknown, iv_err *err)
{
    const char *path = c->asked->groups;
    size_t column[2] = { 0, 0 };
    const iv_column_role roles[] = { iv_topic_role, { "group" } };
    int rc = iv_role_columns(column, g->file, roles, 2, "; expected the columns topic and group",
                             err);

    for (size_t row = 0; rc == IV_OK && row < iv_csv_rows(g->file); row++) {
        const iv_str id = iv_csv_cell(g->file, row, column[0]);
        const iv_str name = iv_csv_cell(g->file, row, column[1]);
        const uint32_t t = iv_ids_find(&g->topics, id);
        const uint64_t line = iv_csv_line(g->file, row);
        char quoted[IV_QUOTE_SIZE];
        if (name.len == 0)
            return iv_fail_at(err, IV_EPARSE, path, line, "topic %s has an empty group",
                              iv_quote(quoted, id));
        if (t == IV_NO_ID) {
            ++*unknown;
            continue;
        }
        const uint32_t which = find_group(g, name);
        if (which == NO_GROUP)
            return iv_fail(err, IV_ENOMEM, "out of memory");
        if (g->of[t] != NO_GROUP && g->of[t] != which)
            return iv_fail_at(err, IV_EPARSE, path, line, "topic %s is in a second group",
                              iv_quote(quoted, id));
        g->of[t] = which;
    }
    return rc;
}

/* Is there a group of two topics? */
static bool any_two(const grouping *g, size_t topics)
{
    bool two = false;

    for (size_t t = 0; t < topics; t++) {
        if (g->of[t] == NO_GROUP)
            continue;
        two = two || g->told[g->of[t]];
        g->told[g->of[t]] = true;
    }
    memset(g->told, 0, g->count * sizeof *g->told);
    return two;
}

static int read_groups(grouping *g, const iv_comparing *c, iv_result *out, const iv_work *work,
                       iv_err *err)
{
    const char *path = c->asked->groups;
    const size_t T = c->topic_count;
    size_t unknown = 0, without = 0;

    IV_TRY(iv_csv_load(&g->file, path, work, err));
    IV_TRY(IV_KEEP(out, csv, g->file, err));
    g->names = iv_take(g->own, iv_csv_rows(g->file) + 1, sizeof *g->names);
    g->told = iv_take(g->own, iv_csv_rows(g->file) + 1, sizeof *g->told);
    g->of = iv_take(g->own, T + 1, sizeof *g->of);
    g->taken = iv_take(g->own, T + 1, sizeof *g->taken);
    g->values = iv_take(g->own, c->run_count * T + 1, sizeof *g->values);
    IV_TRY(iv_taken(g->own, err));
    for (size_t t = 0; t < T; t++)
        g->of[t] = NO_GROUP;
    IV_TRY(know_topics(g, c, err));
    IV_TRY(read_rows(g, c, &unknown, err));
    for (size_t t = 0; t < T; t++)
        without += g->of[t] == NO_GROUP;
    if (without == T)
        return iv_fail(err, IV_ENODATA, "%.100s has none of the topics of the runs", path);
    if (!any_two(g, T))
        return iv_fail(err, IV_ENODATA, "%.100s has only one topic in each group; two or more "
                                        "are needed", path);
    iv_result_input(out, path, iv_csv_bytes(g->file));
    if (without > 0)
        iv_result_note(out, "%zu of %zu topics are in no group of %s and are excluded from "
                            "tables groups and interaction.", without, T, path);
    if (unknown > 0)
        iv_result_note(out, "%zu lines of %s are of topics that no run has.", unknown, path);
    return IV_OK;
}

/* --------------------------------------------------------------- comparing -- */

/* The scores of a measure on the topics of one group, or of any (NO_GROUP). */
static size_t take_topics(grouping *g, const iv_comparing *c, size_t measure, uint32_t which)
{
    const double *values = iv_comparing_values(c, measure);
    size_t n = 0, k = 0;

    for (size_t t = 0; t < c->topic_count; t++)
        n += which == NO_GROUP ? g->of[t] != NO_GROUP : g->of[t] == which;
    for (size_t t = 0; t < c->topic_count; t++) {
        if (which == NO_GROUP ? g->of[t] == NO_GROUP : g->of[t] != which)
            continue;
        for (size_t r = 0; r < c->run_count; r++)
            g->values[r * n + k] = values[r * c->topic_count + t];
        g->taken[k++] = g->of[t];
    }
    return n;
}

static void tell_left_out(iv_listing *small, iv_result *out)
{
    if (small->count > 0)
        iv_result_note(out, "Group%s %s %s excluded: some pair has fewer than two of %s topics in "
                       "common.", iv_plural(small->count), iv_listed(small),
                       small->count == 1 ? "is" : "are", small->count == 1 ? "its" : "their");
}

/* Compares within each group; those too small are named. */
static int compare_within(iv_comparing_part *parts, size_t *count, grouping *g,
                          const iv_comparing *c, iv_result *out, const iv_work *work, iv_err *err)
{
    const size_t all = g->count * c->measure_count;
    iv_compare_options o = c->how;
    iv_listing small = { .most = 0 };

    o.correction = IV_CORRECT_AUTO;
    o.family = g->count * c->pair_count;
    for (size_t k = 0; k < all; k++) {
        const size_t m = k / g->count, i = k % g->count;
        const size_t n = take_topics(g, c, m, (uint32_t)i);
        iv_err why = { .code = IV_OK };
        iv_stage stage;
        iv_comparison *made = NULL;
        const int rc = iv_compare(&made, g->values, c->run_count, n, &o,
                                  iv_work_nth(&stage, work, k, all), &why);
        if (rc == IV_ENODATA && !g->told[i]) {
            iv_list_quoted(&small, iv_str_of(g->names[i]));
            g->told[i] = true;
        }
        if (rc != IV_OK && rc != IV_ENODATA)
            return iv_fail_as(err, &why);
        if (rc == IV_OK) {
            parts[(*count)++] = (iv_comparing_part){ m, made, g->names[i] };
            IV_TRY(IV_KEEP(out, comparison, made, err));
        }
    }
    tell_left_out(&small, out);
    return IV_OK;
}

static int add_groups(grouping *g, iv_comparing *c, iv_result *out, iv_showing showing,
                      const iv_work *work, iv_err *err)
{
    const size_t most = g->count * c->measure_count;
    iv_comparing_part *parts = iv_take(g->own, most + 1, sizeof *parts);
    size_t count = 0;

    IV_TRY(iv_taken(g->own, err));
    IV_TRY(compare_within(parts, &count, g, c, out, work, err));
    return count > 0 ? iv_comparing_pairs(c, out, "groups", parts, count, showing, err) : IV_OK;
}

/* ------------------------------------------------------------ interaction -- */

const iv_field iv_comparing_interaction_fields[] = {
    { "a", IV_AT(iv_set_pair, a), .about = "a run" },
    { "b", IV_AT(iv_set_pair, b), .about = "another" },
    { "measure", IV_AT(iv_set_pair, measure), .shown = MEASURES,
      .about = "name of the measure" },
    { "groups", IV_AT(iv_set_pair, test.test.used), .about = "groups with a topic" },
    { "statistic", IV_AT(iv_set_pair, test.test.statistic), .digits = 3,
      .about = "F of the differences by group" },
    { "p", IV_AT(iv_set_pair, test.test.p), .digits = 4,
      .about = "p-value of the interaction of run and group" },
    { "p_adjusted", IV_AT(iv_set_pair, test.p_adjusted), .digits = 4,
      .about = "p-value, corrected for the number of pairs" },
    { "mark", IV_AT(iv_set_pair, mark), .about = "* p < 0.05, ** p < 0.01, *** p < 0.001" },
    { NULL } };

/* p is adjusted by Holm's method where Tukey's has no meaning. */
static int add_interaction(grouping *g, const iv_comparing *c, iv_result *out,
                           iv_showing showing, iv_err *err)
{
    const iv_correction correction = c->how.correction == IV_CORRECT_TUKEY ? IV_CORRECT_HOLM
        : c->how.correction;
    const size_t n = c->pair_count, M = c->measure_count;
    iv_set_pair *rows = iv_take(g->own, M * n + 1, sizeof *rows);
    iv_test *tests = iv_take(g->own, n + 1, sizeof *tests);
    double *p = iv_take(g->own, n + 1, sizeof *p);

    IV_TRY(iv_taken(g->own, err));
    for (size_t m = 0; m < M; m++) {
        const iv_compared_pair *of = iv_pairs_of(c, m);
        const size_t topics = take_topics(g, c, m, NO_GROUP);
        IV_TRY(iv_compare_interaction(tests, g->values, c->run_count, topics, g->taken, g->count,
                                      &c->how, err));
        for (size_t i = 0; i < n; i++)
            p[i] = tests[i].p;
        IV_TRY(iv_adjust(p, p, n, correction, err));
        for (size_t i = 0; i < n; i++)
            rows[m * n + i] = (iv_set_pair){
                .a = c->runs[of[i].a], .b = c->runs[of[i].b], .measure = c->measures[m],
                .mark = iv_comparing_mark(p[i]),
                .test = { .test = tests[i], .p_adjusted = p[i] } };
    }
    IV_TABLE(out, "interaction", iv_comparing_interaction_fields, rows, M * n,
             .with = M > 1 ? MEASURES : 0, .showing = showing);
    return IV_OK;
}

int iv_comparing_groups(iv_comparing *c, iv_result *out, const iv_work *work, iv_err *err)
{
    const iv_showing showing = c->pair_count > IV_PAIRS_READ ? IV_LONG : IV_SHOWN;
    const bool within = iv_result_wants(out, "groups", showing);
    const bool between = iv_result_wants(out, "interaction", showing);
    grouping g = { .own = &out->own };
    iv_stage stage;
    int rc = read_groups(&g, c, out, work, err);

    iv_ids_free(&g.known);
    iv_ids_free(&g.topics);
    IV_TRY(rc);
    if (!within && !between && showing == IV_LONG)
        iv_result_key(out, "Table groups lists the pairs within groups, table interaction the "
                           "tests.");
    if (within)
        IV_TRY(add_groups(&g, c, out, showing, iv_work_part(&stage, work, 0.0, 1.0), err));
    if (between)
        rc = add_interaction(&g, c, out, showing, err);
    return rc;
}

/* ----------------------------------------------------------------- sets -- */

const iv_field iv_comparing_sets_fields[] = {
    { "set", IV_AT(iv_set_pair, set), .about = "name of the set; sets with the largest losses "
                                               "come first" },
    { "a", IV_AT(iv_set_pair, a), .about = "a system" },
    { "b", IV_AT(iv_set_pair, b), .about = "another, or the baseline" },
    { "measure", IV_AT(iv_set_pair, measure), .shown = MEASURES, .about = "name of the measure" },
    { "items", IV_AT(iv_set_pair, is.items), .about = "items that all systems have" },
    { "difference", IV_AT(iv_set_pair, is.found.mean), .digits = 4,
      .about = "difference of the means, a - b" },
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

/* The scores of a set alone, others missing, with what else hangs together. */
static int compare_set(iv_comparing *c, double *values, uint32_t *room, size_t m, size_t set,
                       size_t family, iv_result *out, const iv_work *work, iv_err *err)
{
    const iv_score_table *v = c->card.v;
    iv_structure s;
    const iv_set_slice in = iv_scored_within(&s, room, &c->card, m, set);
    iv_compare_options how = c->asked->how;
    const iv_compared_pair *pairs;
    iv_comparison *found = NULL;
    iv_err why = { .code = IV_OK };

    for (size_t r = 0; r < c->run_count; r++) {
        const double *of = iv_comparing_values(c, m) + r * c->topic_count + in.from;
        for (size_t t = 0; t < in.count; t++)
            values[r * in.count + t] = v->suite[in.from + t] == set ? of[t] : (double)NAN;
    }
    how.tests = c->how.tests;
    how.test_count = 1;
    how.baselines = c->how.baselines;
    how.baseline_count = c->how.baseline_count;
    how.family = family;
    how.resamples = 1; /* ranks in resamples are not asked for */
    how.structure = &s;
    const int rc = iv_compare(&found, values, c->run_count, in.count, &how, work, &why);
    if (rc == IV_ENODATA) {
        iv_result_note(out, "Set %s is excluded from table sets: the systems share fewer than two "
                       "of its %ss.", v->suites[set], s.cluster != NULL ? "cluster" : "item");
        return IV_OK;
    }
    if (rc != IV_OK)
        return iv_fail_as(err, &why);
    const size_t n = iv_comparison_pairs(&pairs, found);
    for (size_t i = 0; i < n; i++) {
        const iv_compared_test *t;
        (void)iv_comparison_tests(&t, found, i);
        c->sets[c->set_count++] = (iv_set_pair){
            .set = v->suites[set], .a = c->runs[pairs[i].a], .b = c->runs[pairs[i].b],
            .measure = c->measures[m], .is = pairs[i], .test = *t };
    }
    iv_comparison_free(found);
    return IV_OK;
}

static int worst_first(const void *x, const void *y)
{
    const iv_set_pair *a = x, *b = y;
    const int order = strcmp(a->measure, b->measure);

    return order != 0 ? order : (a->is.found.mean > b->is.found.mean)
                                    - (a->is.found.mean < b->is.found.mean);
}

int iv_comparing_find_sets(iv_comparing *c, iv_result *out, const iv_work *work, iv_err *err)
{
    const size_t H = iv_comparing_set_names(c), M = c->measure_count, n = c->pair_count;

    if (H < 2 || (!c->asked->not_worse
                  && !iv_result_wants(out, "sets", n * H > IV_PAIRS_READ ? IV_LONG : IV_SHOWN)))
        return IV_OK;
    c->sets = iv_take(c->own, M * H * n + 1, sizeof *c->sets);
    double *values = iv_take(c->own, c->run_count * c->topic_count + 1, sizeof *values);
    uint32_t *room = iv_take(c->own, c->topic_count + 1, sizeof *room);
    IV_TRY(iv_taken(c->own, err));
    for (size_t k = 0; k < M * H; k++) {
        iv_stage stage;
        IV_TRY(compare_set(c, values, room, k / H, k % H, M * H * n, out,
                           iv_work_nth(&stage, work, k, M * H), err));
    }
    double *p = iv_take(c->own, c->set_count + 1, sizeof *p);
    IV_TRY(iv_taken(c->own, err));
    for (size_t i = 0; i < c->set_count; i++)
        p[i] = c->sets[i].test.test.p;
    IV_TRY(iv_adjust(p, p, c->set_count, IV_CORRECT_HOLM, err));
    for (size_t i = 0; i < c->set_count; i++)
        iv_comparing_settle(&c->sets[i].is, &c->sets[i].test, p[i], c);
    for (size_t i = 0; i < c->set_count; i++)
        c->sets[i].mark = iv_comparing_mark(p[i]);
    qsort(c->sets, c->set_count, sizeof *c->sets, worst_first);
    return IV_OK;
}

void iv_comparing_sets(const iv_comparing *c, iv_result *out)
{
    if (c->set_count == 0)
        return;
    IV_TABLE(out, "sets", iv_comparing_sets_fields, c->sets, c->set_count,
             .with = c->measure_count > 1 ? MEASURES : 0,
             .showing = c->set_count > IV_PAIRS_READ || c->asked->not_worse ? IV_LONG : IV_SHOWN,
             .drawn = { "difference", "lower", "upper" });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "sets", .title = "Differences by set",
        .caption = "A point is the difference of two systems in a set. The line is its interval, "
                   "simultaneous for all sets.",
        .label = "set", .page = "a", .against = "b", .value = "difference", .lower = "lower",
        .upper = "upper", .lines = { { "no difference", 0.0, true } } });
}
