/* SPDX-License-Identifier: Apache-2.0 */
/* What a page of compare shows beside its tables. */
#include "command/compare_charts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_LINES = 60,    /* pairs that can be read one below another */
    FEW_PAIRS = 6,      /* pairs that need no matrix to be seen at once */
    FEW_GROUPS = 6,     /* groups whose letters fit beside a name */
    MOST_PAGES = 60,    /* pairs whose topics a reader may leaf through */
    MOST_CELLS = 60000  /* that a page can carry beside its tables */
};

/* The runs by rank, equal ones as given. */
static void put_order(size_t *order, const compared *x)
{
    const iv_compared_run *runs;
    const size_t n = iv_comparison_runs(&runs, x->found);
    size_t at = 0;

    for (size_t rank = 1; rank <= n; rank++)
        for (size_t r = 0; r < n; r++)
            if (runs[r].rank == rank)
                order[at++] = r;
}

/* One page: the difference of two runs on each topic that both have. */
static size_t put_pair(iv_table *t, const compare_input *in, const compared *x, size_t first,
                       size_t second)
{
    const double *values = compare_input_values(in, x->measure);
    const double *a = values + first * in->topic_count;
    const double *b = values + second * in->topic_count;
    const bool many = in->measure_count > 1;
    char name[512];
    size_t rows = 0;

    (void)snprintf(name, sizeof name, "%.200s - %.200s%s%.60s", in->runs[first],
                   in->runs[second], many ? ", " : "", many ? in->measures[x->measure] : "");
    for (size_t k = 0; k < in->topic_count; k++) {
        if (isnan(a[k]) || isnan(b[k]))
            continue;
        iv_put_text(t, iv_str_of(name));
        iv_put_text(t, iv_str_of(in->topics[k]));
        iv_put_real(t, a[k] - b[k]);
        rows++;
    }
    return rows;
}

/* How early a pair comes: those of better runs first. */
static size_t lateness(const iv_compared_run *runs, const iv_compared_pair *pair)
{
    const size_t a = runs[pair->a].rank, b = runs[pair->b].rank;

    return a < b ? a * 100000 + b : b * 100000 + a;
}

/*
 * The pages of one measure, the pairs of the best runs first; how many.
 * Ranked: the better run of a pair is its first.
 */
static size_t put_pages(iv_table *t, const compare_input *in, const compared *x, bool ranked,
                        size_t room, size_t *rows)
{
    const iv_compared_pair *pairs;
    const iv_compared_run *runs;
    const size_t n = iv_comparison_pairs(&pairs, x->found);
    size_t pages = 0, last = 0;

    (void)iv_comparison_runs(&runs, x->found);
    while (pages < room && pages < n && *rows < MOST_CELLS) {
        size_t next = SIZE_MAX;
        for (size_t p = 0; p < n; p++) {
            const size_t when = lateness(runs, &pairs[p]);
            if (when > last && when < next)
                next = when;
        }
        for (size_t p = 0; p < n && pages < room; p++) {
            if (lateness(runs, &pairs[p]) != next)
                continue;
            const size_t a = pairs[p].a, b = pairs[p].b;
            const bool turned = ranked && runs[a].rank > runs[b].rank;
            *rows += put_pair(t, in, x, turned ? b : a, turned ? a : b);
            pages++;
        }
        last = next;
    }
    return pages;
}

/* The differences of each topic, one page a pair; of the best runs if many. */
static void draw_topics(iv_result *out, const compare_input *in, const compared *list,
                        size_t count, bool ranked)
{
    static const iv_column columns[] = { { "pair", IV_TEXT, 0 }, { "topic", IV_TEXT, 0 },
                                         { "difference", IV_REAL, 4 } };
    const iv_compared_pair *pairs;
    const size_t n = iv_comparison_pairs(&pairs, list[0].found);
    size_t pages = 0, rows = 0;
    iv_table *t = iv_result_table(out, "topics", columns, 3);

    iv_table_show(t, IV_FOLDED);
    for (size_t i = 0; i < count; i++)
        pages += put_pages(t, in, &list[i], ranked, (MOST_PAGES - pages) / (count - i),
                           &rows);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_BARS, .table = "topics", .title = "The difference on each topic",
        .caption = "A bar is a topic: upwards where the first run of the pair wins, downwards "
                   "where the second does. A difference of means can come from many topics or "
                   "from a few.",
        .label = "topic", .page = "pair", .value = "difference" });
    if (pages < n * count)
        iv_result_note(out, "topic by topic, the page has %zu of %zu pairs, those of the best "
                       "runs", pages, n * count);
}

/* The difference and p of the first test for each pair, the better run first. */
static void put_cells(iv_table *t, const compare_input *in, const compared *x,
                      const size_t *order, double *cells)
{
    const iv_compared_pair *pairs;
    const iv_compared_test *tests;
    const size_t runs = in->run_count, n = iv_comparison_pairs(&pairs, x->found);

    for (size_t p = 0; p < n; p++) {
        const size_t there = pairs[p].a * runs + pairs[p].b;
        const size_t back = pairs[p].b * runs + pairs[p].a;
        (void)iv_comparison_tests(&tests, x->found, p);
        cells[2 * there] = pairs[p].found.mean;
        cells[2 * back] = -pairs[p].found.mean;
        cells[2 * there + 1] = cells[2 * back + 1] = tests[0].p_adjusted;
    }
    for (size_t i = 0; i < runs; i++) {
        for (size_t k = i + 1; k < runs; k++) {
            const double *cell = &cells[2 * (order[i] * runs + order[k])];
            iv_put_text(t, iv_str_of(in->measures[x->measure]));
            iv_put_text(t, iv_str_of(in->runs[order[i]]));
            iv_put_text(t, iv_str_of(in->runs[order[k]]));
            iv_put_real(t, cell[0]);
            iv_put_real(t, cell[1]);
        }
    }
}

static void draw_matrix(iv_result *out, const compare_input *in, const compared *list,
                        size_t count)
{
    static const iv_column columns[] = { { "measure", IV_TEXT, 0 }, { "a", IV_TEXT, 0 },
                                         { "b", IV_TEXT, 0 }, { "difference", IV_REAL, 4 },
                                         { "p_adjusted", IV_REAL, 4 } };
    const size_t runs = in->run_count;
    size_t *order = malloc(runs * sizeof *order);
    double *cells = malloc(2 * runs * runs * sizeof *cells);

    if (order != NULL && cells != NULL) { /* without memory, without these charts */
        iv_table *t = iv_result_table(out, "all_pairs", columns, 5);
        iv_table_show(t, IV_FOLDED);
        for (size_t i = 0; i < count && (i == 0 || (i + 1) * runs * runs / 2 <= MOST_CELLS); i++) {
            put_order(order, &list[i]);
            put_cells(t, in, &list[i], order, cells);
        }
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
    }
    free(order);
    free(cells);
}

static void draw_pairs(iv_result *out, const iv_compare_options *o)
{
    char caption[400];

    (void)snprintf(caption, sizeof caption,
        "A point is the mean difference of a pair, first run less second; the line its %g %% "
        "interval, by itself, not adjusted for the number of pairs. A line that crosses 0 "
        "leaves open which run is better.", 100.0 * o->confidence);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "pairs", .title = "The differences",
        .caption = caption, .label = "a", .against = "b", .page = "measure",
        .value = "difference", .lower = "lower", .upper = "upper", .where = "test",
        .is = iv_pair_test_names()[o->tests[0]], .lines = { { "no difference", 0.0, true } } });
}

/* Which run is in which group: a row for each, the best run first. */
static void draw_groups(iv_result *out, const compare_input *in, const compared *list,
                        size_t count)
{
    static const iv_column columns[] = { { "measure", IV_TEXT, 0 }, { "run", IV_TEXT, 0 },
                                         { "group", IV_TEXT, 0 }, { "mean", IV_REAL, 4 } };
    size_t *order = malloc(in->run_count * sizeof *order);
    const iv_compared_run *runs;

    if (order == NULL) /* without memory, without this chart */
        return;
    iv_table *t = iv_result_table(out, "members", columns, 4);
    iv_table_show(t, IV_FOLDED);
    for (size_t i = 0; i < count; i++) {
        const bool commas = iv_comparison_groups(list[i].found) > 26;
        (void)iv_comparison_runs(&runs, list[i].found);
        put_order(order, &list[i]);
        for (size_t k = 0; k < in->run_count; k++) {
            const char *at = runs[order[k]].letters;
            while (at != NULL && *at != '\0') { /* a comma between them, if many */
                const size_t len = commas ? strcspn(at, ",") : 1;
                iv_put_text(t, iv_str_of(in->measures[list[i].measure]));
                iv_put_text(t, iv_str_of(in->runs[order[k]]));
                iv_put_text(t, (iv_str){ at, len });
                iv_put_real(t, runs[order[k]].mean);
                at += len + (at[len] == ',');
            }
        }
    }
    free(order);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_MATRIX, .table = "members", .title = "The groups",
        .caption = "A column is a group of runs that cannot be told apart, its fields are the "
                   "runs in it, the best first. Two runs differ if no column has both.",
        .label = "run", .against = "group", .page = "measure", .value = "mean" });
}

/* Are there so few groups that their letters fit beside the names? */
static bool letters_fit(const compared *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (iv_comparison_groups(list[i].found) > FEW_GROUPS)
            return false;
    return true;
}

static void draw_runs(iv_result *out, const compare_input *in, const compared *list,
                      size_t count, const iv_compare_options *o)
{
    const bool beside = letters_fit(list, count);
    char caption[400];

    (void)snprintf(caption, sizeof caption,
        "A point is a run's mean, the line its %g %% interval%s", 100.0 * o->confidence,
        beside ? "; beside its name are the letters of its groups. Runs that share a letter "
                 "cannot be told apart." : ".");
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "runs",
        .title = beside ? "The runs and their groups" : "The runs", .caption = caption,
        .label = "run", .against = beside ? "group" : NULL, .page = "measure",
        .value = "mean", .lower = "lower", .upper = "upper" });
    if (!beside)
        draw_groups(out, in, list, count);
    (void)snprintf(caption, sizeof caption,
        "A point is the rank of a run by its mean, the line the ranks it may have in truth: "
        "with confidence %g all of these lines hold at once.", o->confidence);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "runs", .title = "The ranks", .caption = caption,
        .label = "run", .page = "measure", .value = "rank", .lower = "rank_lower",
        .upper = "rank_upper",
        .value_axis = { .from = 0.5, .to = (double)in->run_count + 0.5 } });
}

void compare_charts(iv_result *out, const compare_input *in, const compared *list,
                    size_t count, const iv_compare_options *o)
{
    const iv_compared_pair *pairs;
    const size_t n = iv_comparison_pairs(&pairs, list[0].found);

    if (n <= MOST_LINES)
        draw_pairs(out, o);
    if (in->run_count > 2)
        draw_runs(out, in, list, count, o);
    const bool matrix = n > FEW_PAIRS && o->baseline == IV_NO_BASELINE;
    if (matrix)
        draw_matrix(out, in, list, count);
    draw_topics(out, in, list, count, matrix); /* turned as in the matrix, if there is one */
    iv_result_assumption(out, "The topics are a random sample of those one wants to know about, "
                         "and each pair of runs was scored on the same ones.");
    iv_result_assumption(out, "The judgments are complete enough for both runs of a pair: one "
                         "whose documents were judged less often looks worse than it is.");
}
