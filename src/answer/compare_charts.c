/* SPDX-License-Identifier: Apache-2.0 */
/* What a page of compare shows beside its tables, and the tables it is drawn from. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_parts.h"
#include "answer/comparing.h"
#include "base/bytes.h"
#include "base/ids.h"
#include "base/order.h"
#include "base/result.h"
#include "stat/paired/significant.h"
#include "base/base_private.h"
#include "stat/stat_private.h"

/* ------------------------------------------------------- topic by topic -- */

enum {
    MOST_PAGES = 60,    /* pairs whose topics a reader may leaf through */
    MOST_TOPICS = 5000, /* of each, on a page */
    MOST_CELLS = 60000  /* that a page can carry beside its tables */
};

/* Of the rows of topics. */
enum { DIFFERENCE = 2, WITHOUT = 3 };

const iv_field iv_comparing_topic_fields[] = {
    { "pair", IV_AT(iv_row, text[0]), .about = "a - b, and the measure if there are several" },
    { "a", IV_AT(iv_row, text[1]), .audience = IV_FOR_PROGRAMS, .about = "a run" },
    { "b", IV_AT(iv_row, text[2]), .audience = IV_FOR_PROGRAMS, .about = "another run" },
    { "measure", IV_AT(iv_row, text[3]), .audience = IV_FOR_PROGRAMS,
      .about = "name of the measure" },
    { "topic", IV_AT(iv_row, id[0]), .about = "id of the topic" },
    { "score_a", IV_AT(iv_row, real[0]), .digits = 4, .heading = "a", .about = "score of a" },
    { "score_b", IV_AT(iv_row, real[1]), .digits = 4, .heading = "b", .about = "score of b" },
    { "difference", IV_AT(iv_row, real[DIFFERENCE]), .digits = 4, .about = "score_a - score_b" },
    { "rank", IV_AT(iv_row, count[0]), .about = "rank of the difference; 1: largest win of a" },
    { "without", IV_AT(iv_row, real[WITHOUT]), .digits = 4,
      .about = "mean difference without this topic" },
    { NULL } };

/* The rows while they are written. */
typedef struct leaves {
    iv_row *rows;
    size_t count, capacity, pages;
    size_t most;   /* topics of a page, evenly chosen; 0: all */
    size_t step;   /* ... every so many of them, if not all */
    iv_row **order; /* room for those of a page */
    iv_arena *own;
} leaves;

/* Numbers as numbers, before all else; the rest by their bytes. */
static int topic_order(const iv_str *x, const iv_str *y)
{
    int64_t i, k;
    const bool first = iv_scan_int(&i, *x, INT64_MIN, INT64_MAX);
    const bool second = iv_scan_int(&k, *y, INT64_MIN, INT64_MAX);

    if (first && second && i != k)
        return i < k ? -1 : 1;
    return first != second ? (first ? -1 : 1) : iv_str_cmp(*x, *y);
}

static int by_topic(const void *x, const void *y)
{
    return topic_order(((const iv_row *)x)->id, ((const iv_row *)y)->id);
}

static int by_difference(const void *x, const void *y)
{
    const iv_row *const a = *(const iv_row *const *)x, *const b = *(const iv_row *const *)y;
    const double d = a->real[DIFFERENCE], e = b->real[DIFFERENCE];

    return d != e ? (d < e ? 1 : -1) : (a > b) - (a < b);
}

/* Ranks of the differences, and the means without each: the sum is taken in the order of
 * the topics.  order: room for all. */
static void finish_page(iv_row *rows, size_t count, iv_row **order)
{
    double sum = 0.0;

    qsort(rows, count, sizeof *rows, by_topic);
    for (size_t i = 0; i < count; i++)
        sum += rows[i].real[DIFFERENCE];
    for (size_t i = 0; i < count; i++) {
        rows[i].real[WITHOUT] = count > 1
            ? (sum - rows[i].real[DIFFERENCE]) / (double)(count - 1) : (double)NAN;
        order[i] = &rows[i];
    }
    qsort(order, count, sizeof *order, by_difference);
    for (size_t i = 0; i < count; i++)
        order[i]->count[0] = i + 1;
}

/* Keeps some of very many topics, evenly. */
static void thin_out(leaves *l, size_t begin)
{
    const size_t count = l->count - begin;

    if (l->most == 0 || count <= l->most)
        return;
    l->step = (count + l->most - 1) / l->most;
    l->count = begin;
    for (size_t i = 0; i < count; i += l->step)
        l->rows[l->count++] = l->rows[begin + i];
}

/* One page: the difference of two runs on each topic that both have. */
static int put_page(leaves *l, const iv_comparing *c, size_t m, size_t first, size_t second,
                    iv_err *err)
{
    const double *a = iv_comparing_values(c, m) + first * c->topic_count;
    const double *b = iv_comparing_values(c, m) + second * c->topic_count;
    const bool many = c->measure_count > 1;
    char name[512];
    iv_row *rows = iv_grow(l->rows, &l->capacity, l->count + c->topic_count, sizeof *rows);

    (void)snprintf(name, sizeof name, "%.200s - %.200s%s%.60s", c->runs[first], c->runs[second],
                   many ? ", " : "", many ? c->measures[m] : "");
    const char *kept = iv_arena_copy(l->own, iv_str_of(name));
    if (rows != NULL)
        l->rows = rows;
    if (rows == NULL || kept == NULL)
        return iv_no_memory(err);
    const size_t begin = l->count;
    l->pages++;
    for (size_t t = 0; t < c->topic_count; t++)
        if (!isnan(a[t]) && !isnan(b[t]))
            rows[l->count++] = (iv_row){
                .text = { kept, c->runs[first], c->runs[second], c->measures[m] },
                .id = { c->topics[t] }, .real = { a[t], b[t], a[t] - b[t] } };
    finish_page(rows + begin, l->count - begin, l->order);
    thin_out(l, begin);
    return IV_OK;
}

/* The pages of one measure, the pairs of the best runs first, up to `room`. */
static int put_pages(leaves *l, const iv_comparing *c, size_t m, size_t room, iv_err *err)
{
    const iv_compared_pair *pairs = iv_pairs_of(c, m);
    const iv_compared_run *runs = iv_runs_of(c, m);
    iv_placed *order = iv_take(l->own, c->pair_count + 1, sizeof *order);

    IV_TRY(iv_taken(l->own, err));
    for (size_t p = 0; p < c->pair_count; p++) {
        const double a = (double)runs[pairs[p].a].rank, b = (double)runs[pairs[p].b].rank;
        order[p] = (iv_placed){ -(fmin(a, b) * 100000.0 + fmax(a, b)), p };
    }
    qsort(order, c->pair_count, sizeof *order, iv_falling_placed);
    for (size_t i = 0; i < c->pair_count && i < room && l->count < MOST_CELLS; i++)
        IV_TRY(put_page(l, c, m, pairs[order[i].at].a, pairs[order[i].at].b, err));
    return IV_OK;
}

static void end_leaves(void *leaves_) { free(((leaves *)leaves_)->rows); }

static void draw_topics(const iv_comparing *c, iv_result *out)
{
    char title[60], caption[300];

    (void)snprintf(title, sizeof title, "The difference on each %s", iv_comparing_topic(c, 1));
    (void)snprintf(caption, sizeof caption, "Each bar is one %s. It points up where the first %s "
                   "of the pair is better, and down where the second is. A difference of means "
                   "can come from many %s or from a few.", iv_comparing_topic(c, 1),
                   iv_comparing_run(c, 1), iv_comparing_topic(c, 2));
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_BARS, .table = "topics", .title = title, .caption = caption,
        .label = "topic", .page = "pair", .value = "difference" });
}

/* The differences of each topic, one page a pair; of the best runs if many. */
static int add_topics(const iv_comparing *c, iv_result *out, iv_err *err)
{
    const size_t M = c->measure_count;
    leaves *l = iv_own(&out->own, iv_take(&out->own, 1, sizeof *l), end_leaves);
    iv_row **order = iv_take(&out->own, c->topic_count + 1, sizeof *order);

    IV_TRY(iv_taken(&out->own, err));
    *l = (leaves){ .own = &out->own, .order = order,
                   .most = iv_result_wants_charts(out) ? MOST_TOPICS : 0 };
    for (size_t m = 0; m < M; m++)
        IV_TRY(put_pages(l, c, m, (MOST_PAGES - l->pages) / (M - m), err));
    IV_TABLE(out, "topics", iv_comparing_topic_fields, l->rows, l->count, .showing = IV_FOLDED);
    draw_topics(c, out);
    if (l->step > 1)
        iv_result_note(out, "The page shows one %s of every %zu; other formats have all.",
                       iv_comparing_topic(c, 1), l->step);
    if (l->pages < c->pair_count * M && iv_result_wants_charts(out))
        iv_result_note(out, "The page shows the %s of %zu of %zu pairs, those of the best %s.",
                       iv_comparing_topic(c, 2), l->pages, c->pair_count * M,
                       iv_comparing_run(c, 2));
    return IV_OK;
}

enum {
    MOST_LINES = 60,    /* pairs that can be read one below another */
    FEW_PAIRS = 6,      /* pairs that need no matrix to be seen at once */
    FEW_GROUPS = 6      /* groups whose letters fit beside a name */
};

/* All pairs at once: of more than can be read one by one. */
static void draw_matrix(const iv_comparing *c, iv_result *out)
{
    iv_chart chart = {
        .kind = IV_CHART_MATRIX, .table = "pairs", .title = "All pairs: the difference",
        .caption = "A cell is a pair: the mean of its row (a) minus the mean of its column (b).",
        .label = "a", .against = "b", .page = "measure", .value = "difference", .where = "test",
        .is = iv_pair_test_names()[c->how.tests[0]] };

    iv_result_chart(out, &chart);
    chart.title = "All pairs: p";
    chart.caption = "Darker cells have smaller p-values; the lightest show no significant "
                    "difference. p is corrected for the number of pairs.";
    chart.value = "p_adjusted";
    memcpy(chart.levels, (const double[]){ 0.001, 0.01, 0.05 }, 3 * sizeof *chart.levels);
    iv_result_chart(out, &chart);
}

/* ----------------------------------------------------------- pairs, runs -- */

static void draw_pairs(const iv_comparing *c, iv_result *out)
{
    char caption[400];

    (void)snprintf(caption, sizeof caption,
        "A point is the mean difference of a pair, first %s minus second. The line is its %g %% "
        "interval%s. If the line crosses 0, there is no significant difference.",
        iv_comparing_run(c, 1), 100.0 * c->how.confidence,
        iv_familywise(iv_first_test(c, 0, 0)->correction) ? ", simultaneous for all pairs" : "");
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "pairs", .title = "The differences",
        .caption = caption, .label = "a", .against = "b", .page = "measure",
        .value = "difference", .lower = "lower_adjusted", .upper = "upper_adjusted",
        .where = "test", .is = iv_pair_test_names()[c->how.tests[0]],
        .lines = { { "no difference", 0.0, true } } });
}

/* Are there so few groups that their letters fit beside the names? */
static bool letters_fit(const iv_comparing *c)
{
    for (size_t m = 0; m < c->measure_count; m++)
        if (iv_comparison_groups(c->found[m]) > FEW_GROUPS)
            return false;
    return true;
}

/* The ranks, and what they promise. */
static void draw_ranks(const iv_comparing *c, iv_result *out)
{
    char caption[400];

    char confidence[60];
    (void)snprintf(confidence, sizeof confidence, " (simultaneous, confidence %g).",
                   c->how.confidence);
    (void)snprintf(caption, sizeof caption, "A point is the rank of a %s by its mean. The line "
                   "shows the ranks that remain possible given the significant differences%s",
                   iv_comparing_run(c, 1),
                   iv_familywise(iv_first_test(c, 0, 0)->correction) ? confidence
                   : ". The lines are not simultaneous: p is not corrected.");
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "runs", .title = "The ranks", .caption = caption,
        .label = "run", .page = "measure", .value = "rank", .lower = "rank_lower",
        .upper = "rank_upper",
        .value_axis = { .from = 0.5, .to = (double)c->run_count + 0.5 } });
}

static void draw_runs(const iv_comparing *c, iv_result *out)
{
    const bool beside = iv_comparison_groups(c->found[0]) > 0 && letters_fit(c);
    char caption[400];

    (void)snprintf(caption, sizeof caption,
        "A point is the mean of a %s. The line is its %.10g %% interval.%s",
        iv_comparing_run(c, 1), 100.0 * c->how.confidence,
        beside ? " Rows with a common letter after the dot do not differ significantly." : "");
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "runs",
        .title = c->named ? "The systems" : "The runs", .caption = caption,
        .label = "run", .against = beside ? "group" : NULL, .page = "measure",
        .value = "mean", .lower = "lower", .upper = "upper" });
    draw_ranks(c, out);
}

int iv_comparing_charts(const iv_comparing *c, iv_result *out, iv_err *err)
{
    const bool drawn = iv_result_wants_charts(out);

    iv_result_assumption(out, "The %s are a random sample of those of interest, and both %s of a "
                         "pair were scored on the same %s.", iv_comparing_topic(c, 2),
                         iv_comparing_run(c, 2), iv_comparing_topic(c, 2));
    if (!c->named)
        iv_result_assumption(out, "The judgments are complete enough for both runs of a pair: a "
                             "run with more unjudged documents looks worse than it is.");
    if (drawn && c->pair_count <= MOST_LINES)
        draw_pairs(c, out);
    if (drawn && c->run_count > 2)
        draw_runs(c, out);
    if (drawn && c->pair_count > FEW_PAIRS && c->how.baseline_count == 0)
        draw_matrix(c, out);
    return iv_result_wants(out, "topics", IV_FOLDED) ? add_topics(c, out, err) : IV_OK;
}
