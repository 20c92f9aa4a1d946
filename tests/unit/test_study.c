/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about studies: what they count, and that threads change nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawn.h"
#include "err_text.h"
#include "intervale/report.h"
#include "near.h"
#include "study/study.h"
#include "num/draw.h"
#include "base/memory.h"

/* ------------------------------------------------------------- experiments -- */

/* The interval [0, 1] contains the truth in seven of ten replicates, it is below in one. */
static int known_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    const double u = iv_draw_uniform(stream);

    (void)user;
    (void)memory;
    (void)err;
    iv_tally_interval(t, 0.5, u < 0.05 ? NAN : 0.0, 1.0, u < 0.05 ? 0.5 : u < 0.15 ? -1.0
                      : u < 0.35 ? 2.0 : 0.5);
    iv_tally_decision(t + 1, u < 0.25, 10.0);
    return IV_OK;
}

static void an_experiment_counts_what_it_should(void **state)
{
    static const iv_studied methods[] = { { .quantity = "q", .method = "m" },
                                          { "decided", "d", true, 0.25 } };
    const iv_study_question q = { .replicates = 20000 };
    iv_study s = { .q = &q, .name = "s", .confidence = 0.9 };
    const iv_experiment e = { "data", methods, 2, 1, known_replicate, NULL, NULL };

    (void)state;
    iv_study_steps(&s, 1);
    assert_int_equal(iv_experiment_run(&s, &e, NULL, "setting %d", 1), IV_OK);
    assert_int_equal(s.rows, 2);
    const iv_rate *r = s.row;
    /* Four standard errors of 20,000 replicates. */
    assert_near(r->rate, 0.65 / 0.95, 0.014);
    assert_near(r->below, 0.10 / 0.95, 0.009);
    assert_near(r->above, 0.20 / 0.95, 0.012);
    assert_near(r->without, 0.05, 0.007);
    assert_near(r->rate + r->below + r->above, 1.0, 1e-12);
    assert_near(r->se, sqrt(r->rate * (1.0 - r->rate) / 19000.0), 2e-4);
    assert_true(r->width == 1.0 && r->replicates == 20000 && r->nominal == 0.9);
    assert_string_equal(r->setting, "setting 1");
    assert_near(r[1].rate, 0.25, 0.013);
    assert_true(r[1].documents == 10.0 && r[1].nominal == 0.25 && isnan(r[1].width));
    free(s.row);
    iv_arena_free(&s.own);
}

/* --------------------------------------------------------------- commands -- */

static char *answer(const iv_study_question *q, unsigned threads)
{
    iv_result *result = NULL;
    iv_err err = { 0 };
    char *text = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&text, &len);

    assert_non_null(f);
    assert_int_equal(iv_result_new(&result, "study", NULL), IV_OK);
    if (iv_study_answer(result, q, &(iv_work){ .threads = (int)threads, .seed = 4 }, &err) != IV_OK)
        fail_msg("%s: %s", iv_study_names()[q->study], err_text(&err));
    assert_int_equal(iv_report_write(f, result, &(iv_report_options){ .format = IV_FORMAT_JSON }, NULL),
                     IV_OK);
    assert_int_equal(fclose(f), 0);
    iv_result_free(result);
    return text;
}

static void a_study_is_the_same_on_any_number_of_threads(void **state)
{
    static const int64_t n[] = { 10 };
    static const char *const small[] = { "small", "balanced", "10 " };
    const iv_study_question questions[] = {
        { .study = IV_STUDY_RECALL, .settings = { small, 1 }, .replicates = 20 },
        { .study = IV_STUDY_MAP, .n = { n, 1 }, .replicates = 5 },
        { .study = IV_STUDY_PRF, .n = { n, 1 }, .replicates = 20 },
        { .study = IV_STUDY_POWER, .n = { n, 1 }, .replicates = 4 },
        { .study = IV_STUDY_SAMPLING, .n = { n, 1 }, .replicates = 2 },
        { .study = IV_STUDY_JUDGING, .replicates = 2 },
        { .study = IV_STUDY_STOPPING, .settings = { small, 1 }, .replicates = 4 },
        { .study = IV_STUDY_MACHINE, .n = { n, 1 }, .replicates = 20 } };

    (void)state;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        char *one = answer(&questions[i], 1), *three = answer(&questions[i], 3);
        assert_string_equal(one, three);
        assert_non_null(strstr(one, "\"rates\""));
        free(one);
        free(three);
    }
}

static void what_is_not_there_is_refused(void **state)
{
    static const char *const nothing[] = { "nothing" };
    const iv_study_question questions[] = {
        { .study = IV_STUDY_COVERAGE, .only = { nothing, 1 } },
        { .study = IV_STUDY_STOPPING, .settings = { nothing, 1 } },
        { .study = IV_STUDY_MAP, .methods = { nothing, 1 } },
        { .study = IV_STUDY_PRF, .confidence = 1.5 } };

    (void)state;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        iv_result *result = NULL;
        assert_int_equal(iv_result_new(&result, "study", NULL), IV_OK);
        assert_int_equal(iv_study_answer(result, &questions[i], NULL, NULL), IV_EARG);
        iv_result_free(result);
    }
}

/* ------------------------------------------------------------ known numbers -- */

/* The intervals of 2 to 8 successes of 10 by Wilson contain 1/2: 1 - 22/1024. */
static void binomial_coverage_is_the_sum_over_outcomes(void **state)
{
    (void)state;
    assert_near(iv_binomial_coverage(IV_BINOMIAL_WILSON, 10, 0.5, 0.95), 1.0 - 22.0 / 1024.0,
                1e-13);
    for (int m = 0; m < IV_BINOMIAL_INTERVALS; m++) {
        double lower, upper;
        iv_binomial_limits(&lower, &upper, (iv_binomial_interval)m, 5.0, 10.0, 0.95);
        assert_near(lower + upper, 1.0, 1e-12);
    }
    /* Guaranteed, whatever the proportion. */
    for (double p = 0.01; p < 1.0; p += 0.01)
        assert_true(iv_binomial_coverage(IV_BINOMIAL_CLOPPER_PEARSON, 20, p, 0.95) >= 0.95);
}

/* All topics are the population: no interval misses its mean. */
static void a_sample_of_all_topics_has_no_error(void **state)
{
    static const double scores[] = { .1, .2, .3, .4, .5, .6, .9, .1, .2, .1, .4, .3 };
    static const iv_interval_method methods[] = { IV_INTERVAL_PERCENTILE, IV_INTERVAL_T };
    static const int64_t n[] = { 3, 6 };
    static const double alpha[] = { 0.1 };
    const iv_score_grid grid = { scores, 2, 6 };
    const iv_map_options o = { methods, 2, { n, 2 }, { alpha, 1 }, 50, 99 };
    iv_map_cell *cells = NULL;
    iv_arena own = { 0 };

    (void)state;
    assert_int_equal(iv_map_cells(&cells, &own, &grid, &o, NULL, NULL), IV_OK);
    assert_true(cells[1].error == 0.0 && cells[3].error == 0.0 && cells[1].bias < 1e-12);
    assert_int_equal(cells[0].intervals, 100);
    iv_arena_free(&own);
}

static void recall_coverage_is_near_nominal(void **state)
{
    const iv_recall_population populations[] = {
        { .N1 = 200, .R1 = 100, .n1 = 40, .N0 = 1000, .R0 = 50, .n0 = 100 },
        { .N1 = 300, .R1 = 60, .n1 = 50, .N0 = 900, .R0 = 20, .n0 = 120 } };
    iv_recall_tally t[2 * IV_RECALL_ALL];

    (void)state;
    assert_int_equal(iv_recall_tallies(t, populations, 2, 400, 0.9, false, NULL, NULL), IV_OK);
    const iv_recall_coverage c = iv_recall_coverage_of(t, 2, IV_RECALL_BETABIN_HALF, 0.9);
    /* 800 samples: a standard error of 0.011. */
    assert_near(c.coverage, 0.9, 0.045);
    assert_near(c.coverage + c.below + c.above, 1.0, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_experiment_counts_what_it_should),
        drawn_unit_test(a_study_is_the_same_on_any_number_of_threads),
        cmocka_unit_test(what_is_not_there_is_refused),
        cmocka_unit_test(binomial_coverage_is_the_sum_over_outcomes),
        cmocka_unit_test(a_sample_of_all_topics_has_no_error),
        cmocka_unit_test(recall_coverage_is_near_nominal),
    };

    return cmocka_run_group_tests_name("studies", tests, NULL, NULL);
}
