/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about series of nights; the name of a test is the claim. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "intervale/result.h"
#include "intervale/scores.h"
#include "num/dist.h"
#include "num/draw.h"
#include "stat/sequential/nights.h"

enum { NIGHTS = 40, ITEMS = 60 };

static void assert_near(double x, double want, double off)
{
    if (!(fabs(x - want) <= off))
        fail_msg("%.12g, expected %.12g", x, want);
}

static const double *levels_of(iv_night_levels *l, double alpha, size_t nights, double r)
{
    iv_night_levels_begin(l, alpha, nights, IV_PROMISE_YEAR);
    return iv_night_levels_of(l, r);
}

static void independent_nights_share_the_error_equally(void **state)
{
    (void)state;
    iv_night_levels l;
    const double *level = levels_of(&l, 0.05, 365, 0.0);

    for (size_t k = 0; k < IV_NIGHT_TESTS; k++)
        assert_near(level[k], 0.05 / 365.0 / 2.0, 1e-9);
    iv_night_levels_begin(&l, 0.05, 365, IV_PROMISE_AVERAGE);
    level = iv_night_levels_of(&l, 0.7);
    assert_near(level[0] + level[1], 1.0 / 365.0, 1e-15);
}

/* tests/oracle/nights.py: the same integral on 20,001 points, by scipy, roots by Brent. */
static void levels_beside_a_shared_baseline_are_those_of_another_program(void **state)
{
    (void)state;
    static const struct { double r, alpha; size_t nights; double level[2]; } cases[] = {
        { 0.0, 0.05, 365, { 6.8493151e-05, 6.8493151e-05 } },
        { 0.5, 0.05, 365, { 0.0002392098, 0.0028460935 } },
        { 0.9, 0.05, 365, { 0.0048632989, 0.019495985 } },
        { 0.5, 0.05, 30, { 0.001583627, 0.0061917228 } },
        { 0.2, 0.1, 100, { 0.00064486111, 0.0020078776 } } };
    iv_night_levels l;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double *level = levels_of(&l, cases[i].alpha, cases[i].nights, cases[i].r + 1e-9);
        for (size_t k = 0; k < IV_NIGHT_TESTS; k++)
            assert_near(level[k] / cases[i].level[k], 1.0, 4e-3);
    }
}

/* Normal statistics with that correlation: tonight's, and the mean of seven nights. */
static void the_levels_keep_the_error_of_simulated_series(void **state)
{
    (void)state;
    enum { SERIES = 20000, N = 30 };
    const double r = 0.5, alpha = 0.1, part = r / (r + (1.0 - r) / IV_NIGHTS_TOGETHER);
    iv_stream s = iv_stream_start(1, IV_FOR_STUDY, 7);
    iv_night_levels l;
    const double *level = levels_of(&l, alpha, N, r);
    const double c[] = { iv_norm_isf(level[0]), iv_norm_isf(level[1]) };
    size_t alarms = 0;

    for (size_t i = 0; i < SERIES; i++) {
        const double common = iv_draw_normal(&s);
        double own[N];
        bool alarm = false;
        for (size_t t = 0; t < N; t++) {
            double sum = 0.0;
            own[t] = iv_draw_normal(&s);
            for (size_t k = 0; k < IV_NIGHTS_TOGETHER && k <= t; k++)
                sum += own[t - k];
            alarm = alarm || sqrt(r) * common + sqrt(1.0 - r) * own[t] < -c[0]
                || (t + 1 >= IV_NIGHTS_TOGETHER
                    && sqrt(part) * common + sqrt((1.0 - part) / IV_NIGHTS_TOGETHER) * sum < -c[1]);
        }
        alarms += alarm;
    }
    assert_true((double)alarms < alpha * SERIES); /* by five standard errors: 0.089 */
    assert_true((double)alarms > 0.6 * alpha * SERIES);
}

/* Differences with a baseline's error, a loss from a night on, and shifts. */
static void draw(double *x, double loss, size_t from, double shift, uint64_t seed)
{
    iv_stream s = iv_stream_start(seed, IV_FOR_STUDY, 8);
    double base[ITEMS];

    for (size_t i = 0; i < ITEMS; i++)
        base[i] = 0.3 * iv_draw_normal(&s);
    for (size_t t = 0; t < NIGHTS; t++) {
        const double all = shift * iv_draw_normal(&s);
        for (size_t i = 0; i < ITEMS; i++)
            x[t * ITEMS + i] = 0.3 * iv_draw_normal(&s) - base[i] + all - (t >= from ? loss : 0.0);
    }
}

static void test_nights(iv_night *out, const double *x, size_t nights, double margin)
{
    const iv_nights q = { .x = x, .nights = nights, .items = ITEMS, .margin = margin, .low = NAN,
                          .high = NAN, .baselines = 1 };
    iv_night_levels l;

    iv_night_levels_begin(&l, 0.05, 365, IV_PROMISE_YEAR);
    assert_int_equal(iv_nights_test(out, &q, &l, NULL), IV_OK);
}

static void a_night_is_judged_by_what_was_known_by_then(void **state)
{
    (void)state;
    static double x[NIGHTS * ITEMS];
    iv_night all[NIGHTS], some[NIGHTS];

    draw(x, 0.3, 20, 0.1, 1);
    test_nights(all, x, NIGHTS, 0.0);
    test_nights(some, x, 23, 0.0);
    assert_memory_equal(all, some, 23 * sizeof *all);
}

static void an_alarm_is_an_upper_limit_below_the_margin(void **state)
{
    (void)state;
    static double x[NIGHTS * ITEMS];
    iv_night n[NIGHTS];
    size_t alarms = 0;

    for (uint64_t seed = 1; seed <= 6; seed++) {
        const double margin = seed % 2 == 0 ? 0.1 : 0.0;
        draw(x, 0.3, 20, 0.0, seed);
        test_nights(n, x, NIGHTS, margin);
        for (size_t t = 0; t < NIGHTS; t++) {
            assert_true(n[t].alarm == (n[t].of[n[t].decisive].upper < -margin));
            alarms += n[t].alarm;
        }
    }
    assert_true(alarms > 20);
}

static void a_change_is_dated_and_its_size_is_in_the_limits(void **state)
{
    (void)state;
    static double x[NIGHTS * ITEMS];
    const iv_nights q = { .x = x, .nights = NIGHTS, .items = ITEMS, .low = NAN, .high = NAN,
                          .baselines = 1 };
    iv_night n[NIGHTS];
    size_t since;

    draw(x, 1.0, 20, 0.0, 3);
    test_nights(n, x, NIGHTS, 0.0);
    assert_true(n[NIGHTS - 1].alarm);
    const iv_night_test *t = &n[NIGHTS - 1].of[n[NIGHTS - 1].decisive];
    assert_true(t->lower < -1.0 && t->upper > -1.0);
    assert_int_equal(iv_nights_since(&since, &q, NIGHTS - 1, 0.0, NULL), IV_OK);
    assert_in_range(since, 19, 21);
}

static void nights_with_one_baseline_are_half_correlated(void **state)
{
    (void)state;
    static double x[NIGHTS * ITEMS];
    iv_night n[NIGHTS];
    double sum = 0.0;

    for (uint64_t seed = 1; seed <= 10; seed++) {
        draw(x, 0.0, 0, 0.0, seed);
        test_nights(n, x, NIGHTS, 0.0);
        sum += n[NIGHTS - 1].correlation / 10.0;
        assert_near(n[0].correlation, 0.0, 0.0);
    }
    assert_near(sum, 0.5, 0.06);
}

static void shifts_of_whole_nights_are_found_and_one_change_is_none(void **state)
{
    (void)state;
    static double x[NIGHTS * ITEMS];
    iv_night n[NIGHTS];

    draw(x, 0.0, 0, 0.2, 5);
    test_nights(n, x, NIGHTS, 0.0);
    assert_true(n[NIGHTS - 1].shift_p < 1e-6);
    assert_true(n[NIGHTS - 1].shift > 0.1 && n[NIGHTS - 1].shift < 0.35);
    draw(x, 0.5, 20, 0.0, 5);
    test_nights(n, x, NIGHTS, 0.0);
    assert_true(n[NIGHTS - 1].shift_p > IV_SHIFT_P);
    assert_true(isnan(n[2].shift_p)); /* two differences */
}

/* All items lose the same; without a range nothing is known of items that were not seen. */
static void equal_losses_alarm_only_if_the_range_is_known(void **state)
{
    (void)state;
    static double x[ITEMS];
    iv_night n;
    iv_night_levels l;
    iv_nights q = { .x = x, .nights = 1, .items = ITEMS, .low = NAN, .high = NAN, .baselines = 1 };

    for (size_t i = 0; i < ITEMS; i++)
        x[i] = -0.5;
    iv_night_levels_begin(&l, 0.05, 365, IV_PROMISE_YEAR);
    assert_int_equal(iv_nights_test(&n, &q, &l, NULL), IV_OK);
    assert_true(isnan(n.of[0].p) && !n.alarm);
    q.low = -1.0;
    q.high = 1.0;
    assert_int_equal(iv_nights_test(&n, &q, &l, NULL), IV_OK);
    assert_near(n.of[0].p, pow(1.0 / 1.5, ITEMS), 1e-15);
    assert_true(n.alarm);
}

/* Series of 0/1 scores with a false alarm; nearly all scores are 1. */
static size_t easy_alarms(size_t series, double unit)
{
    enum { N = 30, EASY = 50 };
    static double x[N * EASY];
    iv_stream s = iv_stream_start(1, IV_FOR_STUDY, 9);
    iv_night found[N];
    iv_night_levels l;
    size_t alarms = 0;

    iv_night_levels_begin(&l, 0.05, N, IV_PROMISE_YEAR);
    for (size_t k = 0; k < series; k++) {
        bool alarm = false;
        for (size_t i = 0; i < EASY; i++) {
            const double u = iv_draw_uniform(&s), p = 1.0 - 0.1 * u * u;
            const double base = iv_draw_uniform(&s) < p ? 1.0 : 0.0;
            for (size_t t = 0; t < N; t++)
                x[t * EASY + i] = (iv_draw_uniform(&s) < p ? 1.0 : 0.0) - base;
        }
        const iv_nights q = { .x = x, .nights = N, .items = EASY, .low = -1.0, .high = 1.0,
                              .baselines = 1, .p_only = true, .unit = unit };
        assert_int_equal(iv_nights_test(found, &q, &l, NULL), IV_OK);
        for (size_t t = 0; t < N; t++)
            alarm = alarm || found[t].alarm;
        alarms += alarm;
    }
    return alarms;
}

static void a_baseline_that_fails_nowhere_keeps_the_promise(void **state)
{
    (void)state;
    assert_true(easy_alarms(400, 0.0) > 40);
    assert_true(easy_alarms(400, 1.0) < 20 + 13); /* 5 % and three standard errors */
}

/* Forty items, seven nights: the last three have lost half of what was right. */
static void a_program_gets_the_verdict_of_scores_in_memory(void **state)
{
    enum { OF = 40, ALL = 8 * OF };
    static const char *const nights[] = { "base", "d1", "d2", "d3", "d4", "d5", "d6", "d7" };
    static char id[OF][8];
    static const char *system[ALL], *item[ALL], *date[ALL];
    static double score[ALL];

    (void)state;
    assert_string_equal(iv_promise_names()[IV_PROMISE_YEAR], "year");
    assert_string_equal(iv_promise_names()[IV_PROMISE_AVERAGE], "average");
    assert_null(iv_promise_names()[IV_PROMISE_AVERAGE + 1]);
    for (int lost = 0; lost < 2; lost++) {
        iv_result *r = NULL;
        iv_err err = { .code = IV_OK };
        for (size_t k = 0; k < ALL; k++) {
            const size_t n = k / OF, i = k % OF;
            (void)snprintf(id[i], sizeof id[i], "q%zu", i);
            system[k] = date[k] = nights[n];
            item[k] = id[i];
            score[k] = (i + (n > 0 ? n : 3)) % 5 != 0 && (lost == 0 || n < 5 || i % 2 == 0);
        }
        assert_int_equal(iv_result_new(&r, "watch", NULL), IV_OK);
        assert_int_equal(iv_answer_watch(r, &(iv_watch_question){
            .scores = { .given = true, .from = {
                .score = { score, ALL }, .system = { system, ALL }, .item = { item, ALL },
                .date = { date, ALL } } },
            .baseline = "base", .nights = 30 }, NULL, &err), IV_OK);
        assert_int_equal(iv_result_has_verdict(NULL, NULL, r),
                         lost ? IV_VERDICT_OTHERWISE : IV_VERDICT_SHOWN);
        iv_result_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(independent_nights_share_the_error_equally),
        cmocka_unit_test(levels_beside_a_shared_baseline_are_those_of_another_program),
        cmocka_unit_test(the_levels_keep_the_error_of_simulated_series),
        cmocka_unit_test(a_night_is_judged_by_what_was_known_by_then),
        cmocka_unit_test(an_alarm_is_an_upper_limit_below_the_margin),
        cmocka_unit_test(a_change_is_dated_and_its_size_is_in_the_limits),
        cmocka_unit_test(nights_with_one_baseline_are_half_correlated),
        cmocka_unit_test(shifts_of_whole_nights_are_found_and_one_change_is_none),
        cmocka_unit_test(equal_losses_alarm_only_if_the_range_is_known),
        cmocka_unit_test(a_baseline_that_fails_nowhere_keeps_the_promise),
        cmocka_unit_test(a_program_gets_the_verdict_of_scores_in_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
