/* SPDX-License-Identifier: Apache-2.0 */
/* What a page of compare shows beside its tables. */
#include "compare_charts.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_LINES = 120,   /* pairs that can be read one below another */
    MOST_PAGES = 60,    /* pairs whose topics a reader may leaf through */
    MOST_CELLS = 60000  /* that a page can carry beside its tables */
};

/* The differences of each topic, one page a pair; the first pairs if many. */
static void draw_topics(iv_result *out, const compare_input *in, const compared *list,
                        size_t count)
{
    static const iv_column columns[] = { { "pair", IV_TEXT, 0 }, { "topic", IV_TEXT, 0 },
                                         { "difference", IV_REAL, 4 } };
    const iv_compared_pair *pairs;
    size_t pages = 0, rows = 0, n = iv_comparison_pairs(&pairs, list[0].found);
    iv_table *t = iv_result_table(out, "topics", columns, 3);
    char name[512];

    iv_table_fold(t);
    for (size_t i = 0; i < count; i++) {
        const double *values = compare_input_values(in, list[i].measure);
        n = iv_comparison_pairs(&pairs, list[i].found);
        for (size_t p = 0; p < n && pages < MOST_PAGES && rows < MOST_CELLS; p++, pages++) {
            const double *a = values + pairs[p].a * in->topic_count;
            const double *b = values + pairs[p].b * in->topic_count;
            (void)snprintf(name, sizeof name, "%.200s - %.200s%s%.60s", in->runs[pairs[p].a],
                           in->runs[pairs[p].b], count > 1 ? ", " : "",
                           count > 1 ? in->measures[list[i].measure] : "");
            for (size_t k = 0; k < in->topic_count; k++) {
                if (isnan(a[k]) || isnan(b[k]))
                    continue;
                iv_put_text(t, iv_str_of(name));
                iv_put_text(t, iv_str_of(in->topics[k]));
                iv_put_real(t, a[k] - b[k]);
                rows++;
            }
        }
    }
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_BARS, .table = "topics", .title = "The difference on each topic",
        .caption = "A bar is a topic: upwards where the first run of the pair wins, downwards "
                   "where the second does. A difference of means can come from many topics or "
                   "from a few.",
        .label = "topic", .page = "pair", .value = "difference" });
    if (pages < n * count)
        iv_result_note(out, "topic by topic, the page has the first %zu of %zu pairs", pages,
                       n * count);
}

/* The difference and p of the first test for each ordered pair, runs by rank. */
static void put_cells(iv_table *t, const compare_input *in, const compared *x,
                      const size_t *order, double *cells)
{
    const iv_compared_pair *pairs;
    const iv_compared_test *tests;
    const size_t runs = in->run_count, n = iv_comparison_pairs(&pairs, x->found);

    for (size_t k = 0; k < runs * runs; k++) {
        const bool itself = k / runs == k % runs;
        cells[2 * k] = itself ? 0.0 : (double)NAN;
        cells[2 * k + 1] = itself ? 1.0 : (double)NAN;
    }
    for (size_t p = 0; p < n; p++) {
        const size_t there = pairs[p].a * runs + pairs[p].b;
        const size_t back = pairs[p].b * runs + pairs[p].a;
        (void)iv_comparison_tests(&tests, x->found, p);
        cells[2 * there] = pairs[p].found.mean;
        cells[2 * back] = -pairs[p].found.mean;
        cells[2 * there + 1] = cells[2 * back + 1] = tests[0].p_adjusted;
    }
    for (size_t i = 0; i < runs; i++) {
        for (size_t k = 0; k < runs; k++) {
            const double *cell = &cells[2 * (order[i] * runs + order[k])];
            iv_put_text(t, iv_str_of(in->measures[x->measure]));
            iv_put_text(t, iv_str_of(in->runs[order[i]]));
            iv_put_text(t, iv_str_of(in->runs[order[k]]));
            iv_put_real(t, cell[0]);
            iv_put_real(t, cell[1]);
        }
    }
}

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
        iv_table_fold(t);
        for (size_t i = 0; i < count && (i == 0 || (i + 1) * runs * runs <= MOST_CELLS); i++) {
            put_order(order, &list[i]);
            put_cells(t, in, &list[i], order, cells);
        }
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_MATRIX, .table = "all_pairs", .title = "All pairs: the difference",
            .caption = "A field is the mean of the run of its row less that of its column; runs "
                       "are in the order of their means.",
            .label = "a", .against = "b", .page = "measure", .value = "difference" });
        iv_result_chart(out, &(iv_chart){
            .kind = IV_CHART_MATRIX, .table = "all_pairs", .title = "All pairs: p",
            .caption = "Dark fields are pairs that differ; light ones cannot be told apart on "
                       "these topics. p is adjusted for the number of pairs.",
            .label = "a", .against = "b", .page = "measure", .value = "p_adjusted",
            .value_axis = { .from = 0.0, .to = 1.0 } });
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

static void draw_runs(iv_result *out, const iv_compare_options *o)
{
    char caption[400];

    (void)snprintf(caption, sizeof caption,
        "A point is a run's mean, the line its %g %% interval; beside its name are the letters "
        "of its groups. Runs that share a letter cannot be told apart.", 100.0 * o->confidence);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "runs", .title = "The runs and their groups",
        .caption = caption, .label = "run", .against = "group", .page = "measure",
        .value = "mean", .lower = "lower", .upper = "upper" });
    (void)snprintf(caption, sizeof caption,
        "A point is the rank of a run by its mean, the line the ranks it may have in truth: "
        "with confidence %g all of these lines hold at once.", o->confidence);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "runs", .title = "The ranks", .caption = caption,
        .label = "run", .page = "measure", .value = "rank", .lower = "rank_lower",
        .upper = "rank_upper" });
}

void compare_charts(iv_result *out, const compare_input *in, const compared *list,
                    size_t count, const iv_compare_options *o)
{
    const iv_compared_pair *pairs;
    const size_t n = iv_comparison_pairs(&pairs, list[0].found);

    if (n <= MOST_LINES)
        draw_pairs(out, o);
    draw_topics(out, in, list, count);
    if (in->run_count > 2)
        draw_runs(out, o);
    if (in->run_count > 2 && o->baseline == IV_NO_BASELINE)
        draw_matrix(out, in, list, count);
    iv_result_assumption(out, "The topics are a random sample of those one wants to know about, "
                         "and each pair of runs was scored on the same ones.");
    iv_result_assumption(out, "The judgments are complete enough for both runs of a pair: one "
                         "whose documents were judged less often looks worse than it is.");
}
