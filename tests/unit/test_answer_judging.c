/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers of sample, next, incomplete, plan, overlap, agree and roc as a program gets them: from runs in
 * memory, with sentence, tables and charts, the same on any number of threads; and
 * work that is stopped ends.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_library.h"
#include "result/result_build.h"

static iv_source from_memory(const library *l, size_t runs)
{
    return (iv_source){ .judged = l->qrels, .ranked = (const iv_run *const *)l->run,
                        .ranked_count = runs };
}

static iv_result *result_of(const char *command)
{
    iv_result *r = NULL;

    assert_int_equal(iv_result_new(&r, command, NULL), IV_OK);
    return r;
}

/* All that JSON tells of a result, without its head. */
static char *told(const iv_result *r)
{
    FILE *f = tmpfile();
    char *text;
    long size;

    assert_non_null(f);
    assert_int_equal(iv_report_write(f, r, &(iv_report_options){ .format = IV_FORMAT_JSON },
                                     NULL), IV_OK);
    size = ftell(f);
    text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    rewind(f);
    assert_int_equal(fread(text, 1, (size_t)size, f), size);
    (void)fclose(f);
    return text;
}

static const iv_table *table_of(const iv_result *r, const char *name)
{
    for (size_t i = 0; i < iv_result_tables(r); i++)
        if (strcmp(iv_table_name(iv_result_table_at(r, i)), name) == 0)
            return iv_result_table_at(r, i);
    fail_msg("no table %s", name);
    return NULL;
}

/* An answer by its number; what its result says. */
enum { SAMPLE, NEXT, INCOMPLETE, POWER, COST, PILOT, PLAN_SAMPLE, OVERLAP, AGREE, ROC,
       SIMULATED, POOL, ANSWERS };

static int ask(iv_result *r, int which, const library *l, const iv_work *work, iv_err *err)
{
    static const double effect[] = { 0.4 }, wanted[] = { 0.8 };
    static const double g[] = { 4.79, 5.43, 0.71 };
    static const char *const tests[] = { "wilcoxon" };
    double scores[60];
    bool positive[60];

    switch (which) {
    case SAMPLE:
        return iv_answer_sample(r, &(iv_sample_question){
            .from = { .ranked = (const iv_run *const *)l->run, .ranked_count = LIBRARY_RUNS },
            .how = { .budget = 7 } }, work, err);
    case NEXT:
        return iv_answer_next(r, &(iv_next_question){
            .from = from_memory(l, LIBRARY_RUNS), .oracle = l->qrels_path, .depth = 20 }, work,
            err);
    case INCOMPLETE:
        return iv_answer_incomplete(r, &(iv_incomplete_question){
            .from = { .ranked = (const iv_run *const *)l->run, .ranked_count = LIBRARY_RUNS,
                      .judged = l->qrels },
            .depth = 20 }, work, err);
    case SIMULATED:
        return iv_answer_incomplete(r, &(iv_incomplete_question){
            .from = from_memory(l, LIBRARY_RUNS), .measure = "nDCG@5" }, work, err);
    case POOL:
        return iv_answer_pool(r, &(iv_pool_question){
            .from = from_memory(l, LIBRARY_RUNS), .depth = 5 }, work, err);
    case POWER:
        return iv_answer_plan_power(r, &(iv_plan_power_question){
            .tests = { tests, 1 }, .effect = { effect, 1 }, .power = { wanted, 1 } },
            work, err);
    case COST:
        return iv_answer_plan_cost(r, &(iv_plan_cost_question){ .coefficients = { g, 3 } },
                                   work, err);
    case PILOT:
        return iv_answer_plan_pilot(r, &(iv_plan_pilot_question){
            .from = from_memory(l, 2), .how = { .replicates = 3, .forecasts = 20 } }, work, err);
    case OVERLAP:
        return iv_answer_overlap(r, &(iv_overlap_question){ .from = from_memory(l, LIBRARY_RUNS) },
                                 work, err);
    case ROC:
        for (size_t i = 0; i < 60; i++) {
            scores[i] = (double)(i * 37 % 60) / 60.0;
            positive[i] = (i * 37 % 60) + (i * 11 % 40) > 50;
        }
        return iv_answer_roc(r, &(iv_roc_question){
            .systems = &(iv_scored_system){ "system", scores }, .system_count = 1,
            .is_positive = positive, .items = 60, .resamples = 3000 }, work, err);
    case AGREE:
        return iv_answer_agree(r, &(iv_agree_question){
            .source = from_memory(l, LIBRARY_RUNS), .other_measure = "P@5", .baseline = "run1" },
            work, err);
    default:
        return iv_answer_plan_sample(r, &(iv_plan_sample_question){
            .from = from_memory(l, LIBRARY_RUNS), .how = { .se = 0.03, .check = 20 } }, work,
            err);
    }
}

/* An area of 0 looks reversed, and the sentence says so first. */
static void an_area_below_one_half_looks_reversed(void **state)
{
    double scores[20];
    bool positive[20];

    (void)state;
    for (size_t i = 0; i < 20; i++) {
        positive[i] = i < 10;
        scores[i] = positive[i] ? 0.2 + 0.001 * (double)i : 0.7 + 0.001 * (double)i;
    }
    const iv_scored_system system = { "b", scores };
    iv_result *r = result_of("roc");
    assert_int_equal(iv_answer_roc(r, &(iv_roc_question){ .systems = &system, .system_count = 1,
        .is_positive = positive, .items = 20 }, NULL, NULL), IV_OK);
    assert_non_null(strstr(iv_result_answer_text(r), "look reversed: b with AUC 0.000"));
    iv_result_free(r);
}

static void an_answer_is_the_same_on_any_number_of_threads(void **state)
{
    static const char *const commands[ANSWERS] = { "sample", "next", "incomplete", "plan power",
                                                   "plan cost", "plan pilot", "plan sample",
                                                   "overlap", "agree", "roc", "incomplete",
                                                   "pool" };
    static const char *const tables[ANSWERS] = { "design", "judging", "pairs", "power", "plan",
                                                 "plan", "budget", "pairs", "effects", "curves",
                                                 "pairs", "pool" };

    for (int k = 0; k < ANSWERS; k++) {
        char *text[2];
        for (int t = 0; t < 2; t++) {
            const iv_work work = { .threads = t == 0 ? 1 : 4 };
            iv_result *r = result_of(commands[k]);
            const iv_citation *cited;
            iv_err err = { 0 };
            if (ask(r, k, *state, &work, &err) != IV_OK)
                fail_msg("%s: %s", commands[k], err.msg);
            assert_int_equal(iv_result_status(r, NULL), IV_OK);
            assert_true(iv_table_rows(table_of(r, tables[k])) > 0);
            assert_non_null(iv_result_answer_text(r));
            assert_true(iv_result_citations(&cited, r) > 0);
            text[t] = told(r);
            iv_result_free(r);
        }
        assert_string_equal(text[0], text[1]);
        free(text[0]);
        free(text[1]);
    }
}

static int say_stop(void *user, double fraction)
{
    int *asked = user;

    (void)fraction;
    return ++*asked > 2;
}

static void work_that_is_stopped_ends(void **state)
{
    for (int k = 0; k < ANSWERS; k++) {
        int asked = 0;
        const iv_work work = { .threads = 2, .progress = { say_stop, &asked } };
        iv_result *r = result_of("x");
        iv_err err = { 0 };
        if (k != COST) /* is at once */
            assert_int_equal(ask(r, k, *state, &work, &err), IV_ECANCELLED);
        iv_result_free(r);
    }
}

typedef struct watched {
    double last;
    bool fell;
} watched;

static int watch(void *user, double fraction)
{
    watched *w = user;

    w->fell = w->fell || !(fraction >= w->last && fraction <= 1.0);
    w->last = fraction;
    return 0;
}

static void progress_never_falls(void **state)
{
    for (int k = 0; k < ANSWERS; k++) {
        watched w = { 0.0, false };
        const iv_work work = { .threads = 1, .progress = { watch, &w } };
        iv_result *r = result_of("x");
        assert_int_equal(ask(r, k, *state, &work, NULL), IV_OK);
        if (w.fell)
            fail_msg("answer %d falls", k);
        iv_result_free(r);
    }
}

static void a_form_says_how_it_was_made(void **state)
{
    const library *l = *state;
    FILE *f = tmpfile();
    iv_result *r = result_of("sample");
    char line[256] = "";

    assert_non_null(f);
    iv_result_argument(r, "--budget");
    iv_result_argument(r, "5");
    assert_int_equal(iv_answer_sample(r, &(iv_sample_question){
        .from = { .ranked = (const iv_run *const *)l->run, .ranked_count = LIBRARY_RUNS },
        .how = { .budget = 5 }, .form = f },
        &(iv_work){ .seed = 9 }, NULL), IV_OK);
    rewind(f);
    while (fgets(line, sizeof line, f) != NULL && strncmp(line, "# Made by", 9) != 0)
        ;
    assert_non_null(strstr(line, ": sample --budget 5 (seed 9, 3 contributing runs)\n"));
    (void)fclose(f);
    iv_result_free(r);
}

/* Whom nobody drew from: the first topic of all is told, not whoever was first. */
static void a_budget_that_is_too_small_is_told_of_the_first_topic(void **state)
{
    const library *l = *state;

    for (int threads = 1; threads <= 8; threads += 7) {
        iv_result *r = result_of("sample");
        iv_err err = { 0 };
        assert_int_equal(iv_answer_sample(r, &(iv_sample_question){
            .from = { .ranked = (const iv_run *const *)l->run, .ranked_count = LIBRARY_RUNS },
            .how = { .design = IV_DESIGN_STRATIFIED, .budget = 1 } },
            &(iv_work){ .threads = threads }, &err), IV_EARG);
        assert_non_null(strstr(err.msg, "1 documents cannot be sampled from"));
        iv_result_free(r);
    }
}

static void topics_are_planned_from_a_file_of_scores(void **state)
{
    const library *l = *state;
    char path[SCRATCH_PATH];
    FILE *f = fopen(scratch_at(path, &l->dir, "scores.csv"), "wb");
    iv_result *r = result_of("plan topics");
    iv_err err = { 0 };

    assert_non_null(f);
    (void)fputs("system,1,2,3,4,5\na,0.5,0.6,0.7,0.8,0.4\nb,0.4,0.5,0.8,0.6,0.3\n", f);
    assert_int_equal(fclose(f), 0);
    const char *const files[] = { path };
    iv_plan_topics_question q = { .scores = { .given = true, .from = { .files = { files, 1 } } } };
    assert_int_equal(iv_answer_plan_topics(r, &q, NULL, NULL), IV_OK);
    const iv_cell a = iv_table_cell(table_of(r, "topics"), 0, 0);
    assert_true(a.text.len == 1 && a.text.ptr[0] == 'a');
    q.baseline = "c";
    assert_int_equal(iv_answer_plan_topics(r, &q, NULL, &err), IV_EARG);
    assert_non_null(strstr(err.msg, "no run 'c' for the baseline"));
    assert_int_equal(iv_answer_plan_topics(r, &(iv_plan_topics_question){ 0 }, NULL, &err),
                     IV_EARG);
    const double no_number[] = { 4.79, (double)NAN, 0.71 };
    assert_int_equal(iv_answer_plan_cost(r, &(iv_plan_cost_question){
        .coefficients = { no_number, 3 } }, NULL, &err), IV_EARG);
    assert_int_equal(iv_answer_prf(r, &(iv_prf_question){
        .from = { .entries = &(iv_prf_entry){ 0 }, .entry_count = 1 } }, NULL, &err), IV_EARG);
    iv_result_free(r);
}

static void questions_that_make_no_sense_are_refused(void **state)
{
    const library *l = *state;
    iv_result *r = result_of("x");

    assert_int_equal(iv_answer_next(r, &(iv_next_question){ .from = from_memory(l, 1) }, NULL,
                                    NULL), IV_EARG);
    assert_int_equal(iv_answer_next(r, &(iv_next_question){
        .from = from_memory(l, 2), .relevance = "often" }, NULL, NULL), IV_EARG);
    assert_int_equal(iv_answer_incomplete(r, &(iv_incomplete_question){
        .from = from_memory(l, 2), .baseline = "run9" }, NULL, NULL), IV_EARG);
    assert_int_equal(iv_answer_incomplete(r, &(iv_incomplete_question){
        .from = from_memory(l, 2), .measure = "num_q" }, NULL, NULL), IV_EARG);
    assert_int_equal(iv_answer_pool(r, &(iv_pool_question){ .from = from_memory(l, 1) }, NULL,
                                    NULL), IV_EARG);
    assert_int_equal(iv_answer_plan_power(r, &(iv_plan_power_question){ 0 }, NULL, NULL),
                     IV_EARG);
    assert_int_equal(iv_answer_plan_cost(r, &(iv_plan_cost_question){ 0 }, NULL, NULL), IV_EARG);
    assert_int_equal(iv_answer_plan_sample(r, &(iv_plan_sample_question){ 0 }, NULL, NULL),
                     IV_EARG);
    iv_result_free(r);
}

int test_answer_judging(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_area_below_one_half_looks_reversed),
        cmocka_unit_test(an_answer_is_the_same_on_any_number_of_threads),
        cmocka_unit_test(work_that_is_stopped_ends),
        cmocka_unit_test(progress_never_falls),
        cmocka_unit_test(a_form_says_how_it_was_made),
        cmocka_unit_test(a_budget_that_is_too_small_is_told_of_the_first_topic),
        cmocka_unit_test(topics_are_planned_from_a_file_of_scores),
        cmocka_unit_test(questions_that_make_no_sense_are_refused),
    };

    return cmocka_run_group_tests_name("answers: judging and planning", tests, library_make,
                                       library_end);
}
