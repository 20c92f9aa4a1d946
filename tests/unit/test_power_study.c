/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about studies of power and error; the name of a test is the claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "intervale/num.h"
#include "intervale/stat.h"
#include "study/study.h"
#include "drawn.h"
#include "near.h"
#include "test_compare.h"

enum { S = 12, T = 60 };

static double values[S * T];
static const iv_score_grid population = { values, S, T };
static const int64_t sizes[] = { 12, 22 };
static const iv_work work = { .seed = 5 };
static const double effects[] = { 0.3, 0.5 };

static void make_population(void)
{
    for (size_t t = 0; t < T; t++) {
        iv_stream s = iv_stream_start(12, IV_FOR_CALLER, t);
        const double topic = iv_draw_beta(&s, 1.0, 2.0);
        for (size_t k = 0; k < S; k++)
            values[k * T + t] = 0.7 * topic + 0.3 * iv_draw_beta(&s, 1.0, 2.0)
                + 0.01 * (double)k;
    }
}

static iv_power_study_options options(void)
{
    make_population();
    return (iv_power_study_options){ .topics = { sizes, 2 }, .effects = { effects, 2 },
        .width = 0.05, .alpha = 0.05, .trials = 60, .runs = 6, .permutations = 99 };
}

/* Six standard errors: a false alarm in 10^8, for each of eight rows. */
static void observed_power_is_the_exact_one_of_its_pairs(void **state)
{
    (void)state;
    iv_power_study_options o = options();
    iv_sign_power_row rows[4];

    o.trials = 500;
    for (int replace = 0; replace < 2; replace++) {
        o.replace = replace;
        assert_int_equal(iv_study_sign_power(rows, &population, &o, &work, NULL), IV_OK);
        for (size_t i = 0; i < 4; i++) {
            assert_int_equal(rows[i].topics, sizes[i / 2]);
            assert_near(rows[i].effect, effects[i % 2], 0.0);
            assert_true(rows[i].pairs > 0);
            assert_near(rows[i].predicted, iv_sign_power(sizes[i / 2], effects[i % 2],
                                                         0.05, IV_GREATER), 1e-14);
            assert_near(rows[i].observed, rows[i].expected, 6.0 * rows[i].se);
        }
    }
}

/* 180 tests of level 0.05 or less: 32 or more once in 10^8. */
static void tests_rarely_reject_what_is_alike(void **state)
{
    (void)state;
    const iv_power_study_options o = options();
    iv_error_row rows[2 * IV_NULLS * IV_PAIR_TESTS];

    assert_int_equal(iv_study_test_error(rows, &population, &o, &work, NULL), IV_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(rows[i].test, i % IV_PAIR_TESTS);
        assert_int_equal(rows[i].tests, 180);
        assert_true(rows[i].error < 32.0 / 180.0);
        assert_true(rows[i].attainable <= 0.05);
        if (rows[i].test == IV_TEST_RANDOMISATION)
            assert_true(rows[i].error > 0.0); /* it does reject */
    }
}

/* 19 resamples: the least p is 0.05, and a test at 0.05 rejects below it. */
static void a_p_equal_to_the_level_does_not_reject(void **state)
{
    (void)state;
    iv_power_study_options o = options();
    iv_error_row rows[2 * IV_NULLS * IV_PAIR_TESTS];

    o.permutations = 19;
    o.alpha = 0.05;
    for (int k = 0; k < 2; k++) {
        double rejected = 0.0;
        assert_int_equal(iv_study_test_error(rows, &population, &o, &work, NULL), IV_OK);
        for (size_t i = IV_TEST_BOOTSTRAP; i < sizeof rows / sizeof *rows; i += IV_PAIR_TESTS)
            rejected += rows[i].error;
        assert_true(k == 0 ? rejected == 0.0 : rejected > 0.0);
        o.alpha = 0.051;
    }
}

static void power_grows_with_topics_and_effect(void **state)
{
    (void)state;
    const iv_power_study_options o = options();
    iv_test_power_row rows[4 * IV_PAIR_TESTS];

    assert_int_equal(iv_study_test_power(rows, &population, &o, &work, NULL), IV_OK);
    for (size_t k = 0; k < IV_PAIR_TESTS; k++) {
        const iv_test_power_row *r = rows + k; /* (topics x effects) x tests */
        if (k == IV_TEST_MCNEMAR)
            continue; /* not of these scores */
        assert_true(r[0].pairs > 0 && r[IV_PAIR_TESTS].pairs > 0);
        assert_true(r[0].power < r[3 * IV_PAIR_TESTS].power);
        assert_true(r[IV_PAIR_TESTS].power < r[3 * IV_PAIR_TESTS].power);
    }
}

static void corrections_hold_the_familywise_error(void **state)
{
    (void)state;
    const iv_power_study_options o = options();
    const iv_family *families;
    const size_t count = iv_study_families(&families);
    iv_family_row rows[64];

    assert_true(2 * IV_NULLS * count <= 64);
    assert_int_equal(iv_study_family_error(rows, &population, &o, &work, NULL), IV_OK);
    for (size_t i = 0; i < 2 * IV_NULLS * count; i++) {
        assert_int_equal(rows[i].family.correction, families[i % count].correction);
        if (rows[i].family.correction == IV_CORRECT_NONE)
            assert_true(rows[i].error > 0.2);
        else
            assert_true(rows[i].error < 0.25); /* 0.05 and seven standard errors */
    }
}

/* Real runs, near-copies and 0/1 scores, less their means: nobody is exchangeable. */
static void equal_means_are_rarely_told_apart(void **state)
{
    (void)state;
    const iv_power_study_options o = options();
    iv_equal_row rows[2 * IV_EQUAL_SETTINGS];
    size_t kinds[IV_EQUAL_SETTINGS] = { 0 }; /* more than there are kinds */

    assert_int_equal(iv_study_equal_means(rows, &population, &o, &work, NULL), IV_OK);
    for (size_t i = 0; i < 2 * IV_EQUAL_SETTINGS; i++) {
        const iv_equal_row *r = &rows[i];
        assert_int_equal(r->dense, i % 2 == 0);
        if (r->runs > S)
            assert_int_equal(r->sets, 0); /* the population is too small */
        else if (r->dense)
            assert_int_equal(r->sets + r[1].sets, o.trials);
        if (r->sets == 0)
            continue;
        kinds[r->kind] += r->sets;
        assert_true(r->error <= r->by_t); /* its p is never smaller */
        assert_true(r->missed <= r->by_t);
        if (r->dense && r->sets > 50)
            assert_true(r->error < 0.25);
    }
    assert_true(kinds[IV_EQUAL_RUNS] > 0 && (S < 10 || kinds[IV_EQUAL_COPIES] > 0));
}

static void rank_intervals_hold_true_ranks(void **state)
{
    (void)state;
    const iv_power_study_options o = options();
    iv_rank_row rows[4];

    assert_int_equal(iv_study_rank_intervals(rows, &population, &o, &work, NULL), IV_OK);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(rows[i].alike, i % 2);
        assert_true(rows[i].each >= 0.95);
        assert_true(rows[i].all > 0.8);
        assert_true(rows[i].width > 1.0 && rows[i].width <= 6.0);
        assert_true(rows[i].alike ? rows[i].boot < 0.9 : rows[i].boot > 0.8);
    }
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    iv_power_study_options o = options();
    iv_sign_power_row sign[4];
    iv_rank_row ranks[4];
    const int64_t large[] = { T + 1 };

    o.runs = 3;
    assert_int_equal(iv_study_rank_intervals(ranks, &population, &o, &work, NULL), IV_EARG);
    o.runs = S + 2;
    assert_int_equal(iv_study_rank_intervals(ranks, &population, &o, &work, NULL), IV_ENODATA);
    o = options();
    o.topics = (iv_integers){ large, 1 };
    assert_int_equal(iv_study_sign_power(sign, &population, &o, &work, NULL), IV_ENODATA);
    o.alpha = 1.0;
    assert_int_equal(iv_study_sign_power(sign, &population, &o, &work, NULL), IV_EARG);
}

int power_study_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(observed_power_is_the_exact_one_of_its_pairs),
        cmocka_unit_test(tests_rarely_reject_what_is_alike),
        cmocka_unit_test(a_p_equal_to_the_level_does_not_reject),
        cmocka_unit_test(power_grows_with_topics_and_effect),
        drawn_unit_test(corrections_hold_the_familywise_error),
        drawn_unit_test(equal_means_are_rarely_told_apart),
        cmocka_unit_test(rank_intervals_hold_true_ranks),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests_name("power_study", tests, NULL, NULL);
}
