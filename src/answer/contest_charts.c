/* SPDX-License-Identifier: Apache-2.0 */
/* What a page of compare shows beside its tables, and the tables it is drawn from. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_columns.h"
#include "answer/contest.h"
#include "base/result.h"
#include "stat/paired/significant.h"

enum {
    MOST_LINES = 60,    /* pairs that can be read one below another */
    FEW_PAIRS = 6,      /* pairs that need no matrix to be seen at once */
    FEW_GROUPS = 6,     /* groups whose letters fit beside a name */
    MOST_CELLS = 60000  /* that a page can carry beside its tables */
};

/* ------------------------------------------------------------- all pairs -- */

typedef struct cell_row {
    const char *measure, *a, *b;
    double difference, p_adjusted;
} cell_row;

const iv_field iv_contest_cell_fields[] = {
    { "measure", IV_AT(cell_row, measure), .about = "as it was asked for" },
    { "a", IV_AT(cell_row, a), .about = "the run with the larger mean" },
    { "b", IV_AT(cell_row, b), .about = "another" },
    { "difference", IV_AT(cell_row, difference), .digits = 4, .about = "of the means, a - b" },
    { "p_adjusted", IV_AT(cell_row, p_adjusted), .digits = 4,
      .about = "of the first test, for the number of pairs" },
    { NULL } };

/* The difference and p of the first test for each pair, the run of larger mean first. */
static void put_cells(cell_row *rows, const iv_contest *c, size_t m, size_t *rank)
{
    const iv_compared_pair *pairs;
    const iv_compared_test *tests;
    const size_t R = c->run_count, n = iv_comparison_pairs(&pairs, c->found[m]);
    size_t *order = rank + R;

    iv_contest_order(order, c, m);
    for (size_t k = 0; k < R; k++)
        rank[order[k]] = k;
    for (size_t p = 0; p < n; p++) {
        const bool turned = rank[pairs[p].a] > rank[pairs[p].b];
        const size_t a = turned ? pairs[p].b : pairs[p].a, b = turned ? pairs[p].a : pairs[p].b;
        (void)iv_comparison_tests(&tests, c->found[m], p);
        rows[iv_pair_index(R, rank[a], rank[b])] = (cell_row){
            c->measures[m], c->runs[a], c->runs[b],
            turned ? -pairs[p].found.mean : pairs[p].found.mean, tests[0].p_adjusted };
    }
}

static int add_matrix(const iv_contest *c, iv_result *out, iv_err *err)
{
    const size_t R = c->run_count, n = iv_pair_count(R);
    size_t *rank = malloc(2 * R * sizeof *rank), measures = 1;

    while (measures < c->measure_count && (measures + 1) * R * R / 2 <= MOST_CELLS)
        measures++;
    cell_row *rows = malloc(measures * n * sizeof *rows);
    if (rank != NULL && rows != NULL) {
        for (size_t m = 0; m < measures; m++)
            put_cells(rows + m * n, c, m, rank);
        (void)iv_result_rows(out, &(iv_rows){ "all_pairs", iv_contest_cell_fields, rows, measures * n,
                                              sizeof *rows, .showing = IV_FOLDED });
    }
    const bool ok = rank != NULL && rows != NULL;
    free(rank);
    free(rows);
    if (!ok)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_MATRIX, .table = "all_pairs", .title = "All pairs: the difference",
        .caption = "A field is a pair of runs: how much higher the mean of its row, a, is "
                   "than that of its column, b. Runs are in the order of their means.",
        .label = "a", .against = "b", .page = "measure", .value = "difference" });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_MATRIX, .table = "all_pairs", .title = "All pairs: p",
        .caption = "The darker a field, the surer it is that its pair differs; the lightest "
                   "cannot be told apart on these topics. p is adjusted for the number of "
                   "pairs.",
        .label = "a", .against = "b", .page = "measure", .value = "p_adjusted",
        .levels = { 0.001, 0.01, 0.05 } });
    return IV_OK;
}

/* ----------------------------------------------------------- pairs, runs -- */

static void draw_pairs(const iv_contest *c, iv_result *out)
{
    const iv_compared_test *tests;
    char caption[400];

    (void)iv_comparison_tests(&tests, c->found[0], 0);
    (void)snprintf(caption, sizeof caption,
        "A point is the mean difference of a pair, first run less second; the line its %g %% "
        "interval%s. A line that crosses 0 leaves open which run is better; one that ends at 0 "
        "does so only if p is large.", 100.0 * c->how.confidence,
        iv_familywise(tests->correction) ? ", simultaneous: all of the lines hold at once" : "");
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "pairs", .title = "The differences",
        .caption = caption, .label = "a", .against = "b", .page = "measure",
        .value = "difference", .lower = "lower_adjusted", .upper = "upper_adjusted",
        .where = "test", .is = iv_pair_test_names()[c->how.tests[0]],
        .lines = { { "no difference", 0.0, true } } });
}

typedef struct member_row {
    const char *measure, *run;
    iv_str group;
    double mean;
} member_row;

const iv_field iv_contest_member_fields[] = {
    { "measure", IV_AT(member_row, measure), .about = "as it was asked for" },
    { "run", IV_AT(member_row, run), .about = "its tag, or its file" },
    { "group", IV_AT(member_row, group), .about = "a letter of the run" },
    { "mean", IV_AT(member_row, mean), .digits = 4, .about = "of the run" },
    { NULL } };

/* The groups of the runs of one measure, the best run first.  False: no memory. */
static bool put_members(member_row **rows, size_t *count, size_t *capacity, const iv_contest *c,
                        size_t m, size_t *order)
{
    const bool two = iv_comparison_groups(c->found[m]) > 26;
    const iv_compared_run *runs;

    (void)iv_comparison_runs(&runs, c->found[m]);
    iv_contest_order(order, c, m);
    for (size_t k = 0; k < c->run_count; k++) {
        const iv_compared_run *r = &runs[order[k]];
        for (const char *at = r->letters; at != NULL && *at != '\0';) {
            size_t number, len;
            const char *next = iv_next_letter(&number, &len, at, two);
            member_row *grown = iv_grow(*rows, capacity, *count + 1, sizeof *grown);
            if (grown == NULL)
                return false;
            *rows = grown;
            grown[(*count)++] = (member_row){ c->measures[m], c->runs[order[k]], { at, len },
                                              r->mean };
            at = next;
        }
    }
    return true;
}

/* Which run is in which group: a row for each, the best run first. */
static int add_members(const iv_contest *c, iv_result *out, iv_err *err)
{
    size_t *order = malloc(c->run_count * sizeof *order);
    member_row *rows = NULL;
    size_t count = 0, capacity = 0;
    bool ok = order != NULL;

    for (size_t m = 0; ok && m < c->measure_count; m++)
        ok = put_members(&rows, &count, &capacity, c, m, order);
    if (ok) {
        (void)iv_result_rows(out, &(iv_rows){ "members", iv_contest_member_fields, rows, count,
                                              sizeof *rows, .showing = IV_FOLDED });
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_MATRIX, .table = "members", .title = "The groups",
            .caption = "A column is a group of runs that cannot be told apart, its fields are "
                       "the runs in it, the best first. Two runs differ if no column has both.",
            .label = "run", .against = "group", .page = "measure", .value = "mean" });
    }
    free(order);
    free(rows);
    return ok ? IV_OK : iv_fail(err, IV_ENOMEM, "out of memory");
}

/* Are there so few groups that their letters fit beside the names? */
static bool letters_fit(const iv_contest *c)
{
    for (size_t m = 0; m < c->measure_count; m++)
        if (iv_comparison_groups(c->found[m]) > FEW_GROUPS)
            return false;
    return true;
}

/* The ranks, and what they promise. */
static void draw_ranks(const iv_contest *c, iv_result *out)
{
    const iv_compared_test *tests;
    char caption[400];

    (void)iv_comparison_tests(&tests, c->found[0], 0);
    (void)snprintf(caption, sizeof caption,
        "A point is the rank of a run by its mean, the line the ranks that the differences found "
        "leave it");
    const size_t used = strlen(caption);
    if (iv_familywise(tests->correction))
        (void)snprintf(caption + used, sizeof caption - used,
                       ": with confidence %g all of these lines hold at once.", c->how.confidence);
    else
        (void)snprintf(caption + used, sizeof caption - used,
                       ". They do not hold all at once: p is not adjusted for that.");
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "runs", .title = "The ranks", .caption = caption,
        .label = "run", .page = "measure", .value = "rank", .lower = "rank_lower",
        .upper = "rank_upper",
        .value_axis = { .from = 0.5, .to = (double)c->run_count + 0.5 } });
}

static int draw_runs(const iv_contest *c, iv_result *out, iv_err *err)
{
    const bool grouped = iv_comparison_groups(c->found[0]) > 0;
    const bool beside = grouped && letters_fit(c), drawn = iv_result_wants_charts(out);
    char caption[400];
    int rc = IV_OK;

    (void)snprintf(caption, sizeof caption,
        "A point is a run's mean, the line its %.10g %% interval%s", 100.0 * c->how.confidence,
        beside ? "; beside its name are the letters of its groups. Runs that share a letter "
                 "cannot be told apart." : ".");
    if (drawn)
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_FOREST, .table = "runs",
            .title = beside ? "The runs and their groups" : "The runs", .caption = caption,
            .label = "run", .against = beside ? "group" : NULL, .page = "measure",
            .value = "mean", .lower = "lower", .upper = "upper" });
    if (grouped && (beside ? iv_result_wants_only(out, "members")
                           : iv_result_wants(out, "members", IV_FOLDED)))
        rc = add_members(c, out, err);
    if (drawn)
        draw_ranks(c, out);
    return rc;
}

int iv_contest_charts(const iv_contest *c, iv_result *out, const iv_work *work, iv_err *err)
{
    const iv_compared_pair *pairs;
    const size_t n = iv_comparison_pairs(&pairs, c->found[0]);
    const bool matrix = n > FEW_PAIRS && c->how.baseline_count == 0;
    int rc = IV_OK;

    iv_result_assumption(out, "The topics are a random sample of those one wants to know about, "
                         "and each pair of runs was scored on the same ones.");
    iv_result_assumption(out, "The judgments are complete enough for both runs of a pair: one "
                         "whose documents were judged less often looks worse than it is.");
    if (iv_result_wants_charts(out) && n <= MOST_LINES)
        draw_pairs(c, out);
    if (c->run_count > 2)
        rc = draw_runs(c, out, err);
    if (rc == IV_OK && matrix && iv_result_wants(out, "all_pairs", IV_FOLDED))
        rc = add_matrix(c, out, err);
    /* Turned as in the matrix, if there is one. */
    if (rc == IV_OK && iv_result_wants(out, "topics", IV_FOLDED))
        rc = iv_contest_topics(c, out, matrix, work, err);
    return rc;
}
