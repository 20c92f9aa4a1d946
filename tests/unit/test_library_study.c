/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about plans and studies that others do not make. */
#include "test_library.h"

#include <math.h>
#include <string.h>

#include "near.h"
#include "study/study.h"

/* ------------------------------------------------------------------- plans -- */

static void planned_tests_have_names_and_effects(void **state)
{
    static const char *const tests[] = { "randomisation", "t", "wilcoxon", "sign", "normal",
                                         NULL };
    static const char *const goals[] = { "mean", "topic", "difference", NULL };

    (void)state;
    assert_names(iv_planned_test_names(), tests);
    assert_names(iv_sample_goal_names(), goals);
    assert_true(iv_planned_test_by_sign(IV_PLAN_SIGN)
                && iv_planned_test_by_sign(IV_PLAN_SIGN_NORMAL));
    assert_false(iv_planned_test_by_sign(IV_PLAN_T) || iv_planned_test_by_sign(IV_PLAN_WILCOXON)
                 || iv_planned_test_by_sign(IV_PLAN_RANDOMISATION));
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
    assert_string_equal(iv_sample_part_names()[IV_PART_TOTAL], "total");
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

/* ----------------------------------------------------------------- studies -- */

static void studies_have_names(void **state)
{
    static const char *const prf[] = { "posterior-equal", "posterior-hdi", "wilson",
                                       "bootstrap", "guaranteed", NULL };
    static const char *const scenarios[] = { "neutral", "legal", "small", NULL };
    static const char *const parts[] = { "eval", "compare", "recall", "prf", "sample", "plan",
                                         "overlap", "agree", "roc", "scores", NULL };
    const char *const *methods = iv_sampling_method_names();
    char name[IV_SIMULATED_RUN_SIZE];
    iv_simulation_options o = { 0 };
    iv_simulation *s = NULL;

    (void)state;
    assert_names(iv_prf_study_names(), prf);
    assert_names(iv_recall_scenario_names(), scenarios);
    assert_names(iv_coverage_part_names(), parts);
    assert_string_equal(parts[IV_COVERAGE_PLAN], "plan");
    for (int i = 0; i < IV_SAMPLING_METHODS; i++)
        assert_true(methods[i] != NULL && strlen(methods[i]) > 2);
    assert_null(methods[IV_SAMPLING_METHODS]);
    assert_true(iv_prf_study_is_drawn((iv_prf_metric){ IV_PRF_MCC, 0.0 })
                && iv_prf_study_is_drawn((iv_prf_metric){ IV_PRF_F, 2.0 }));
    assert_false(iv_prf_study_is_drawn((iv_prf_metric){ IV_PRF_F, 1.0 })
                 || iv_prf_study_is_drawn((iv_prf_metric){ IV_PRF_RECALL, 0.0 }));
    o.runs = 120;
    assert_int_equal(iv_simulation_new(&s, &o, NULL), IV_OK);
    assert_string_equal(iv_simulated_run_name(name, s, "team", 6), "team007");
    iv_simulation_free(s);
}

static void recall_coverage_is_near_nominal_on_any_number_of_threads(void **state)
{
    const iv_recall_population populations[] = {
        { .N1 = 200, .R1 = 100, .n1 = 40, .N0 = 1000, .R0 = 50, .n0 = 100 },
        { .N1 = 300, .R1 = 60, .n1 = 50, .N0 = 900, .R0 = 20, .n0 = 120 } };
    const iv_recall_population none = { .N1 = 10, .R1 = 20, .n1 = 5, .N0 = 10, .R0 = 1, .n0 = 5 };
    const iv_recall_study_options o = { .samples = 400, .confidence = 0.9 };
    iv_work work = { .threads = 1, .seed = 3 };
    iv_recall_coverage one[IV_RECALL_ALL], two[IV_RECALL_ALL];

    (void)state;
    assert_int_equal(iv_recall_study(one, populations, 2, &o, &work, NULL), IV_OK);
    work.threads = 2;
    assert_int_equal(iv_recall_study(two, populations, 2, &o, &work, NULL), IV_OK);
    for (int m = IV_RECALL_NAIVE; m < IV_RECALL_EXACT; m++) {
        assert_true(one[m].coverage == two[m].coverage && one[m].width == two[m].width);
        assert_near(one[m].coverage + one[m].below + one[m].above, 1.0, 1e-12);
    }
    assert_true(isnan(one[IV_RECALL_EXACT].coverage)); /* not simulated */
    /* 800 samples: a standard error of 0.011. */
    assert_near(one[IV_RECALL_BETABIN_HALF].coverage, 0.9, 0.045);
    assert_int_equal(iv_recall_study(one, &none, 1, &o, &work, NULL), IV_EARG);
}

static void a_sampling_study_fills_its_tables(void **state)
{
    const library *l = *state;
    const int64_t judgments[] = { 20 };
    const iv_sampling_study_options o = { .depth = 30, .deepest = 3, .replicates = 4,
                                          .judgments = { judgments, 1 }, .resamples = 50 };
    iv_sampling_found s;

    assert_int_equal(iv_sampling_study_run(&s, (const iv_run *const *)l->run, LIBRARY_RUNS,
                                           l->sampling, &o, &(iv_work){ .threads = 1 }, NULL),
                     IV_OK);
    const iv_sampling_collection c = s.collection;
    assert_int_equal(c.topics + c.without, LIBRARY_TOPICS);
    assert_int_equal(c.contributors, LIBRARY_RUNS);
    assert_in_range(c.documents, 30 * c.topics, LIBRARY_TOPICS * LIBRARY_DOCUMENTS);
    const size_t n = s.error_count;
    const iv_sampling_error *errors = s.errors;
    assert_true(n >= 3 * IV_SAMPLING_METHODS);
    for (size_t i = 0; i < n; i++) {
        assert_in_range(errors[i].depth, 1, 3);
        assert_true(errors[i].rms >= 0.0 && errors[i].judgments > 0.0);
        assert_true(isnan(errors[i].tau) || fabs(errors[i].tau) <= 1.0);
    }
    const size_t rows = s.cover_count;
    const iv_sampling_cover *covers = s.covers;
    assert_true(rows > 0);
    for (size_t i = 0; i < rows; i++)
        assert_true(isnan(covers[i].coverage)
                    || (covers[i].coverage >= 0.0 && covers[i].coverage <= 1.0));
    const size_t pairs = s.agreement_count;
    const iv_sampling_agreement *agreements = s.agreements;
    assert_int_equal(pairs, 2); /* at depth 1 and the deepest */
    for (size_t i = 0; i < pairs; i++)
        assert_int_equal(agreements[i].neither + agreements[i].sample_only
                         + agreements[i].truth_only + agreements[i].both,
                         LIBRARY_RUNS * LIBRARY_RUNS);
    iv_sampling_found_free(&s);
}

int test_library_study(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planned_tests_have_names_and_effects),
        cmocka_unit_test(the_error_of_a_cost_is_a_quadratic_form),
        cmocka_unit_test(a_recall_plan_is_refused_with_a_reason),
        cmocka_unit_test(a_split_is_best_and_a_size_is_least),
        cmocka_unit_test(a_sampling_plan_reaches_its_goal),
        cmocka_unit_test(studies_have_names),
        cmocka_unit_test(recall_coverage_is_near_nominal_on_any_number_of_threads),
        cmocka_unit_test(a_sampling_study_fills_its_tables),
    };

    return cmocka_run_group_tests_name("library: plan and study", tests, library_make,
                                       library_end);
}
