/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about plans and studies that others do not make. */
#include "active/cost_model.h"
#include "retrieval/sample_plan.h"
#include "review/recall_plan.h"
#include "simulate/simulation.h"
#include "stat/power/power.h"
#include "test_library.h"

#include <math.h>
#include <string.h>

#include "near.h"

/* ------------------------------------------------------------------- plans -- */

static void planned_tests_have_names_and_effects(void **state)
{
    static const char *const tests[] = { "t", "wilcoxon", "sign", "normal",
                                         NULL };
    static const char *const goals[] = { "mean", "difference", NULL };

    (void)state;
    assert_names(iv_planned_test_names(), tests);
    assert_names(iv_sample_goal_names(), goals);
    assert_true(iv_planned_test_by_sign(IV_PLAN_SIGN)
                && iv_planned_test_by_sign(IV_PLAN_SIGN_NORMAL));
    assert_false(iv_planned_test_by_sign(IV_PLAN_T) || iv_planned_test_by_sign(IV_PLAN_WILCOXON));
}

static void the_error_of_a_cost_is_a_quadratic_form(void **state)
{
    const iv_cost_model m = { .g = { 1.0, 2.0, 0.5 },
                              .covariance = { { 0.04, 0.01, 0.0 }, { 0.01, 0.09, -0.02 },
                                              { 0.0, -0.02, 0.01 } },
                              .rows = 9, .dispersion = 1.0 };
    const double x = log(0.8), y = log(10.0);

    (void)state;
    assert_near(iv_cost_judgments(&m, 0.8, 10.0), exp(1.0 + 2.0 * x + 0.5 * y), 1e-12);
    assert_near(iv_cost_log_se(&m, 0.8, 10.0),
                sqrt(0.04 + 0.09 * x * x + 0.01 * y * y + 2.0 * (0.01 * x - 0.02 * x * y)),
                1e-12);
}

static void a_recall_plan_is_refused_with_a_reason(void **state)
{
    static const iv_recall_guess guess = { 0.7, 0.5 }, beyond = { 1.2, 0.5 };
    const iv_recall_plan sound = { .population = 1000, .retrieved = 100,
                                   .guesses = &guess, .guess_count = 1 };
    iv_recall_expected e;
    iv_recall_plan bad[4] = { sound, sound, sound, sound };

    (void)state;
    bad[0].retrieved = 1000;
    bad[1].guesses = &beyond;
    bad[2].guess_count = 0;
    bad[3].how.confidence = 1.0;
    assert_int_equal(iv_recall_expect(&e, &sound, 20, 20, NULL, NULL), IV_OK);
    for (int i = 0; i < 4; i++) {
        iv_err err = { IV_OK, "" };
        assert_int_equal(iv_recall_expect(&e, &bad[i], 20, 20, NULL, &err), IV_EARG);
        assert_true(strlen(err.msg) > 10);
    }
}

static void a_split_is_best_and_a_size_is_least(void **state)
{
    static const iv_recall_guess guess = { 0.8, 0.5 };
    const iv_recall_plan p = { .population = 400, .retrieved = 100,
                               .how = { .method = IV_RECALL_AGRESTI_COULL, .confidence = 0.9 },
                               .guesses = &guess, .guess_count = 1 };
    iv_recall_expected expected, other;
    iv_recall_design best, least, fewer;

    (void)state;
    assert_int_equal(iv_recall_best_split(&best, &p, 60, IV_GOAL_WIDTH, NULL, NULL), IV_OK);
    assert_int_equal(best.n1 + best.n0, 60);
    assert_int_equal(iv_recall_expect(&expected, &p, best.n1, best.n0, NULL, NULL), IV_OK);
    assert_near(expected.width, best.value, 1e-12);
    for (int64_t n1 = 5; n1 <= 55; n1 += 10) {
        assert_int_equal(iv_recall_expect(&other, &p, n1, 60 - n1, NULL, NULL), IV_OK);
        assert_true(other.width > best.value - 1e-3);
    }
    assert_int_equal(iv_recall_least_size(&least, &p, IV_GOAL_WIDTH, best.value, NULL, NULL),
                     IV_OK);
    assert_true(least.value <= best.value);
    assert_true(least.n1 + least.n0 <= 61);
    assert_int_equal(iv_recall_best_split(&fewer, &p, 50, IV_GOAL_WIDTH, NULL, NULL), IV_OK);
    assert_true(fewer.value > best.value);
}

static void a_sampling_plan_reaches_its_goal(void **state)
{
    const library *l = *state;
    iv_sample_plan_options o = { .check = IV_ZERO, .depth = LIBRARY_DOCUMENTS, .se = 0.05 };
    iv_sample_plan loose, tight;

    assert_string_equal(iv_sample_goal_names()[o.goal], "mean");
    assert_string_equal(iv_sides_names()[IV_BOTH_SIDES], "two");
    assert_int_equal(iv_sample_plan_make(&loose, (const iv_run *const *)l->run, LIBRARY_RUNS,
                                         l->sampling, &o, NULL, NULL), IV_OK);
    o.se = 0.02;
    assert_int_equal(iv_sample_plan_make(&tight, (const iv_run *const *)l->run, LIBRARY_RUNS,
                                         l->sampling, &o, NULL, NULL), IV_OK);
    assert_true(loose.complete && loose.frame == LIBRARY_TOPICS * LIBRARY_DOCUMENTS);
    for (int scope = 0; scope < 2; scope++) {
        const iv_sample_budget *x = scope == 0 ? &loose.typical : &loose.every;
        const iv_sample_budget *y = scope == 0 ? &tight.typical : &tight.every;
        assert_true(x->reached && y->reached && x->predicted <= 0.05 && y->predicted <= 0.02);
        assert_true(x->budget < y->budget && y->budget <= LIBRARY_DOCUMENTS);
    }
    assert_true(loose.typical.budget <= loose.every.budget);
    iv_sample_plan_clear(&loose);
    iv_sample_plan_clear(&tight);
}

static void a_simulated_run_is_named_by_its_number(void **state)
{
    char name[IV_SIMULATED_RUN_SIZE];
    iv_simulation *s = NULL;

    (void)state;
    assert_int_equal(iv_simulation_new(&s, &(iv_simulation_options){ .runs = 120 }, NULL), IV_OK);
    assert_string_equal(iv_simulated_run_name(name, s, "team", 6), "team007");
    iv_simulation_free(s);
}

int test_library_study(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_simulated_run_is_named_by_its_number),
        cmocka_unit_test(planned_tests_have_names_and_effects),
        cmocka_unit_test(the_error_of_a_cost_is_a_quadratic_form),
        cmocka_unit_test(a_recall_plan_is_refused_with_a_reason),
        cmocka_unit_test(a_split_is_best_and_a_size_is_least),
        cmocka_unit_test(a_sampling_plan_reaches_its_goal),
    };

    return cmocka_run_group_tests_name("library: plan and study", tests, library_make,
                                       library_end);
}
