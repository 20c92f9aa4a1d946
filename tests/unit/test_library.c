/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the public headers promise and no other test looks at: names, what is
 * read back, functions that do many at once.
 */
#include "measure/measures.h"
#include "num/draw.h"
#include "result/result_state.h"
#include "retrieval/evaluation.h"
#include "sampling/sampled_judgments.h"
#include "trec/judgments.h"
#include "trec/run.h"
#include "trec/run_source.h"
#include "trec/score_table.h"
#include "test_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "near.h"
#include "base/memory.h"

/* ------------------------------------------------------------- fixture -- */

/* Relevant documents, a fifth, are scored higher, in run 0 most. */
static void put_topic(FILE *runs[LIBRARY_RUNS], FILE *qrels, int topic)
{
    iv_stream s = iv_stream_start(5, IV_FOR_CALLER, (uint64_t)topic);

    for (int d = 0; d < LIBRARY_DOCUMENTS; d++) {
        const int relevant = iv_draw_uniform(&s) < 0.2 || d == 0;
        (void)fprintf(qrels, "%d 0 D%02d %d\n", topic, d, relevant);
        for (int r = 0; r < LIBRARY_RUNS; r++)
            (void)fprintf(runs[r], "%d Q0 D%02d 1 %.6f run%d\n", topic, d,
                          relevant * (1.8 - 0.6 * r) + iv_draw_normal(&s), r);
    }
}

int library_make(void **state)
{
    library *l = calloc(1, sizeof *l);
    FILE *runs[LIBRARY_RUNS], *qrels;
    const char *paths[LIBRARY_RUNS];

    assert_true(l != NULL && scratch_make(&l->dir));
    qrels = fopen(scratch_at(l->qrels_path, &l->dir, "qrels"), "wb");
    for (int r = 0; r < LIBRARY_RUNS; r++) {
        char name[16];
        (void)snprintf(name, sizeof name, "run%d", r);
        paths[r] = scratch_at(l->path[r], &l->dir, name);
        runs[r] = fopen(paths[r], "wb");
        assert_non_null(runs[r]);
    }
    assert_non_null(qrels);
    for (int t = 1; t <= LIBRARY_TOPICS; t++)
        put_topic(runs, qrels, t);
    for (int r = 0; r < LIBRARY_RUNS; r++)
        assert_int_equal(fclose(runs[r]), 0);
    assert_int_equal(fclose(qrels), 0);
    assert_int_equal(iv_runs_load(l->run, paths, LIBRARY_RUNS, IV_RUN_ANY, NULL, NULL), IV_OK);
    assert_int_equal(iv_judgments_load(&l->qrels, l->qrels_path, IV_JUDGMENTS_ANY, NULL, NULL),
                     IV_OK);
    assert_int_equal(iv_sampling_new(&l->sampling, l->qrels, "qrels", IV_UNJUDGED_REFUSE, NULL),
                     IV_OK);
    *state = l;
    return 0;
}

int library_end(void **state)
{
    library *l = *state;

    iv_sampling_free(l->sampling);
    iv_judgments_free(l->qrels);
    for (int r = 0; r < LIBRARY_RUNS; r++)
        iv_run_free(l->run[r]);
    scratch_remove(l->dir.path);
    free(l);
    return 0;
}

void assert_names(const char *const *names, const char *const *wanted)
{
    size_t i = 0;

    for (; wanted[i] != NULL; i++) {
        assert_non_null(names[i]);
        assert_string_equal(names[i], wanted[i]);
    }
    assert_null(names[i]);
}

/* ---------------------------------------------------------------- base -- */

static void what_a_result_was_told_is_read_back_in_order(void **state)
{
    static const iv_column columns[] = { { "name", IV_TEXT, 0 }, { "x", IV_REAL, 2 },
                                         { "y", IV_REAL, 2 } };
    const iv_chart chart = { .kind = IV_CHART_CURVES, .title = "a curve", .table = "points",
                             .x = "x", .value = "y", .group = "name" };
    const char *const *texts;
    const iv_chart *charts;
    iv_result *r = NULL;

    (void)state;
    assert_int_equal(iv_result_new(&r, "test", NULL), IV_OK);
    iv_table *shown = iv_result_table(r, "shown", columns, 3);
    iv_table *points = iv_result_table(r, "points", columns, 3);
    iv_put_text(points, iv_str_of("a"));
    iv_put_real(points, 0.25);
    iv_put_real(points, 0.5);
    points->showing = IV_FOLDED;
    iv_result_chart(r, &chart);
    iv_result_method(r, "by %s", "hand");
    iv_result_method(r, "and %d", 2);
    iv_result_assumption(r, "nothing");
    assert_int_equal(iv_result_status(r, NULL), IV_OK);
    assert_int_equal(shown->showing, IV_SHOWN);
    assert_int_equal(points->showing, IV_FOLDED);
    assert_int_equal(iv_result_charts(&charts, r), 1);
    assert_string_equal(charts[0].title, "a curve");
    assert_string_equal(charts[0].group, "name");
    assert_true(charts[0].title != chart.title); /* it is copied */
    assert_int_equal(iv_result_methods(&texts, r), 2);
    assert_string_equal(texts[0], "by hand");
    assert_string_equal(texts[1], "and 2");
    assert_int_equal(iv_result_assumptions(&texts, r), 1);
    assert_string_equal(texts[0], "nothing");
    iv_result_free(r);
}

static void a_chart_of_a_column_that_is_not_there_is_told(void **state)
{
    static const iv_column columns[] = { { "x", IV_REAL, 2 } };
    const iv_chart chart = { .kind = IV_CHART_CURVES, .title = "none", .table = "points",
                             .x = "x", .value = "missing" };
    iv_result *r = NULL;

    (void)state;
    assert_int_equal(iv_result_new(&r, "test", NULL), IV_OK);
    (void)iv_result_table(r, "points", columns, 1);
    iv_result_chart(r, &chart);
    assert_int_equal(iv_result_status(r, NULL), IV_EARG);
    iv_result_free(r);
}

/* ----------------------------------------------- trec, measure, estimate -- */

static void sizes_are_those_of_the_files(void **state)
{
    const library *l = *state;
    FILE *f = fopen(l->path[1], "rb");

    assert_true(f != NULL && fseek(f, 0, SEEK_END) == 0);
    assert_int_equal(iv_run_bytes(l->run[1]), ftell(f));
    (void)fclose(f);
}

static void formats_go_by_the_names_of_their_numbers(void **state)
{
    (void)state;
    assert_string_equal(iv_run_format_names()[IV_RUN_MSMARCO], "msmarco");
    assert_string_equal(iv_judgments_format_names()[IV_JUDGMENTS_BEIR], "beir");
    assert_string_equal(iv_score_rows_names()[IV_ROWS_TOPICS], "topics");
    assert_null(iv_run_format_names()[IV_RUN_MSMARCO + 1]);
    assert_null(iv_judgments_format_names()[IV_JUDGMENTS_QRELS_PREFS + 1]);
    assert_null(iv_score_rows_names()[IV_ROWS_TOPICS + 1]);
}

static void oddities_of_a_run_are_found(void **state)
{
    static const char odd[] = "1 Q0 a 1 3 x\n1 Q0 b 2 4 x\n2 Q0 a 1 3 y\n";
    const library *l = *state;
    iv_run *run = NULL;

    assert_int_equal(iv_run_parse(&run, "odd", odd, sizeof odd - 1, IV_RUN_ANY, NULL, NULL), IV_OK);
    assert_true(iv_run_odd(run).many_tags);
    assert_int_equal(iv_run_odd(run).misranked_line, 2);
    assert_false(iv_run_odd(l->run[0]).many_tags);
    iv_run_free(run);
}

static void the_nearest_names_come_best_first(void **state)
{
    const char *near[3];

    (void)state;
    assert_true(iv_measure_nearest(near, 3, "ndgc") >= 1);
    assert_string_equal(near[0], "ndcg");
    assert_int_equal(iv_measure_nearest(near, 1, "mpa"), 1);
    assert_string_equal(near[0], "map");
    assert_int_equal(iv_measure_nearest(near, 3, "qqqqqqqqqqqq"), 0);
}

static void scores_know_their_run_and_their_topics(void **state)
{
    const library *l = *state;
    const char *const paths[] = { l->path[2], l->path[0] };
    const iv_source source = { .judged = l->qrels, .runs = { paths, 2 } };
    iv_evaluation *e = NULL;
    const char *names[2];

    assert_int_equal(iv_evaluate(&e, &source, NULL, NULL, NULL), IV_OK);
    const iv_evaluated *v = iv_evaluation_view(e);
    assert_string_equal(v->runs[0].tag, "run2");
    assert_string_equal(v->runs[1].tag, "run0");
    assert_string_equal(v->runs[1].path, paths[1]);
    assert_int_equal(v->runs[1].bytes, iv_run_bytes(l->run[0]));
    assert_int_equal(v->runs[0].topics, LIBRARY_TOPICS);
    assert_int_equal(iv_evaluation_find(e, paths[1]), 1);
    for (size_t t = 0; t < LIBRARY_TOPICS; t++)
        assert_int_equal(iv_str_cmp(v->topics[t], iv_judgments_topic(l->qrels, t)), 0);
    iv_evaluation_free(e);

    const iv_str tags[] = { iv_str_of("same"), iv_str_of("same") };
    const char *const files[] = { "a/x", "b/x" };
    iv_arena own = { 0 };
    assert_int_equal(iv_name_runs(names, &own, tags, files, 2, NULL), IV_OK);
    assert_string_equal(names[0], "a/x");
    assert_string_equal(names[1], "b/x");
    iv_arena_free(&own);
}

/* What an evaluation writes can be read again, and is what it holds. */
static void an_evaluation_writes_matrices_and_lines(void **state)
{
    const library *l = *state;
    const char *const paths[] = { l->path[2], l->path[0] };
    const char *const ap[] = { "AP" };
    const iv_source source = { .judged = l->qrels, .runs = { paths, 2 } };
    const iv_evaluating how = { .measures = { ap, 1 } };
    const size_t order[] = { 1, 0 };
    double grid[2 * LIBRARY_TOPICS];
    char path[SCRATCH_PATH], text[256];
    iv_evaluation *e = NULL;
    iv_score_table *m = NULL;
    double read[2 * LIBRARY_TOPICS];

    assert_int_equal(iv_evaluate(&e, &source, &how, NULL, NULL), IV_OK);
    iv_evaluation_grid(grid, e, 0);
    (void)scratch_at(path, &l->dir, "matrix.csv");
    assert_int_equal(iv_evaluation_write_matrix(path, e, 0, order, NULL), IV_OK);
    const char *const files[] = { path };
    assert_int_equal(iv_score_table_load(&m, &(iv_score_source){ .files = { files, 1 } }, NULL, NULL),
                     IV_OK);
    assert_string_equal(m->systems[0], "run0");
    (void)iv_score_values(read, m, 0);
    for (size_t t = 0; t < LIBRARY_TOPICS; t++)
        assert_true(read[LIBRARY_TOPICS + t] == grid[t]);
    iv_score_table_free(m);
    FILE *f = fopen(path, "w+b");
    assert_non_null(f);
    assert_int_equal(iv_evaluation_write_trec(f, e, true, true, NULL), IV_OK);
    rewind(f);
    assert_non_null(fgets(text, sizeof text, f));
    assert_int_equal(strncmp(text, "AP", 2), 0);
    (void)fclose(f);
    (void)remove(path);
    iv_evaluation_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_result_was_told_is_read_back_in_order),
        cmocka_unit_test(a_chart_of_a_column_that_is_not_there_is_told),
        cmocka_unit_test(sizes_are_those_of_the_files),
        cmocka_unit_test(formats_go_by_the_names_of_their_numbers),
        cmocka_unit_test(oddities_of_a_run_are_found),
        cmocka_unit_test(the_nearest_names_come_best_first),
        cmocka_unit_test(scores_know_their_run_and_their_topics),
        cmocka_unit_test(an_evaluation_writes_matrices_and_lines),
    };

    return cmocka_run_group_tests_name("library", tests, library_make, library_end)
        + test_answer_judging() + test_library_design() + test_library_stat() + test_library_study();
}
