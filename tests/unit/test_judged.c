/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about a judge's scores that human labels of some correct. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli_tests.h"
#include "near.h"
#include "num/dist.h"
#include "num/draw.h"
#include "run_tool.h"
#include "scratch.h"
#include "stat/interval_methods.h"
#include "stat/machine/judged_mean.h"
#include "stat/machine/regression_mean.h"

enum { MOST = 400 };

/* Items of which the first are labelled. */
typedef struct items {
    double judge[MOST], human[MOST];
    size_t count;
} items;

static iv_judged_mean mean_of(const items *x, const items *less, const iv_structure *s,
                              iv_judge_estimator estimator, bool bounded)
{
    static const iv_structure none;
    const iv_judged_design d = { .items = x->count, .structure = s != NULL ? s : &none,
                                 .estimator = estimator, .bounded = bounded };
    const iv_judged_system a = { x->judge, x->human, x->judge, NULL, 0.0, 0.0 };
    const iv_judged_system b = { less != NULL ? less->judge : NULL,
                                 less != NULL ? less->human : NULL,
                                 less != NULL ? less->judge : NULL, NULL, 0.0, 0.0 };
    iv_judged_mean out;
    iv_err err;

    if (iv_judged_mean_of(&out, &a, less != NULL ? &b : NULL, &d, &err) != IV_OK)
        fail_msg("%s", err.msg);
    return out;
}

static size_t numbers(double *out, char *text)
{
    size_t n = 0;

    for (char *at = text, *end; *at != '\0'; at = end) {
        out[n++] = strtod(at, &end);
        while (*end == ' ' || *end == '\n')
            end++;
    }
    return n;
}

static void estimates_are_those_of_ppi_py(void **state)
{
    static const iv_judge_estimator kinds[] = { IV_JUDGE_PPI, IV_JUDGE_DIFFERENCE,
                                                IV_JUDGE_HUMAN, IV_JUDGE_REGRESSION };
    FILE *f = fopen(TESTS_DIR "/oracle/judged.tsv", "r");
    char line[16384];
    size_t lines = 0;

    (void)state;
    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        char *part[7], *at = line;
        items x;
        for (size_t k = 0; k < 7; k++) {
            part[k] = at;
            at += strcspn(at, "\t");
            if (*at != '\0')
                *at++ = '\0';
        }
        const size_t n = numbers(x.human, part[4]);
        assert_int_equal(numbers(x.judge, part[5]), n);
        x.count = n + numbers(x.judge + n, part[6]);
        for (size_t t = n; t < x.count; t++)
            x.human[t] = (double)NAN;
        for (size_t k = 0; k < 4; k++)
            assert_near(mean_of(&x, NULL, NULL, kinds[k], false).value, strtod(part[k], NULL),
                        1e-9);
        lines++;
    }
    (void)fclose(f);
    assert_int_equal(lines, 5);
}

/* Graded items: y in [0, 1] around z, the judge's score with an error of its own. */
static void draw(items *x, size_t labels, size_t count, double noise, uint64_t which)
{
    iv_stream s = iv_stream_start(11, 67, which);

    x->count = count;
    for (size_t t = 0; t < count; t++) {
        const double z = iv_draw_normal(&s), e = iv_draw_normal(&s);
        x->judge[t] = 1.0 / (1.0 + exp(-z - noise * e));
        x->human[t] = t < labels ? 1.0 / (1.0 + exp(-z)) : (double)NAN;
    }
}

static void without_structure_the_error_is_that_of_two_phase_regression(void **state)
{
    iv_regression_mean by;
    iv_err err;
    items x;

    (void)state;
    for (uint64_t k = 0; k < 5; k++) {
        draw(&x, 30 + 20 * (size_t)k, 300, 0.7, k);
        const iv_judged_mean m = mean_of(&x, NULL, NULL, IV_JUDGE_REGRESSION, false);
        assert_int_equal(iv_regression_mean_of(&by, x.human, 30 + 20 * (size_t)k, x.judge, 300,
                                               false, &err), IV_OK);
        assert_near(m.value, by.value, 1e-12);
        assert_near(m.slope[0], by.slope, 1e-12);
        assert_near(m.df, by.df, 1e-9);
        assert_near(m.se / by.se, 1.0, 0.02); /* there, errors have one variance */
    }
}

static void if_people_labelled_everything_the_judge_does_not_count(void **state)
{
    uint32_t cluster[120];
    iv_structured plain;
    iv_err err;
    items x;

    (void)state;
    draw(&x, 120, 120, 0.7, 9);
    for (size_t t = 0; t < 120; t++)
        cluster[t] = (uint32_t)(t / 7);
    const iv_structure s = { .cluster = cluster, .clusters = 18 };
    const iv_judged_mean m = mean_of(&x, NULL, &s, IV_JUDGE_REGRESSION, false);
    assert_int_equal(iv_structured_mean(&plain, x.human, 120, &s, 0, &err), IV_OK);
    assert_near(m.value, plain.mean, 1e-12);
    assert_near(m.se, plain.se, 1e-12);
    assert_near(m.df, plain.df, 1e-9);
}

static void a_difference_is_that_of_the_two_means_and_less_sure_than_neither_knows(void **state)
{
    items x, y;

    (void)state;
    draw(&x, 60, 300, 0.7, 20);
    draw(&y, 60, 300, 0.4, 21);
    const iv_judged_mean a = mean_of(&x, NULL, NULL, IV_JUDGE_REGRESSION, false);
    const iv_judged_mean b = mean_of(&y, NULL, NULL, IV_JUDGE_REGRESSION, false);
    const iv_judged_mean d = mean_of(&x, &y, NULL, IV_JUDGE_REGRESSION, false);
    assert_near(d.value, a.value - b.value, 1e-12);
    assert_true(d.se > fabs(a.se - b.se) && d.se < a.se + b.se);
    /* The same system twice has no difference, and nothing varies. */
    const iv_judged_mean same = mean_of(&x, &x, NULL, IV_JUDGE_REGRESSION, false);
    assert_near(same.value, 0.0, 1e-15);
    assert_near(same.se, 0.0, 1e-12);
}

static void where_people_and_judge_never_differ_proportions_still_have_limits(void **state)
{
    double lower, upper;
    items x = { .count = 200 };

    (void)state;
    for (size_t t = 0; t < 200; t++) {
        x.judge[t] = t % 4 != 0;
        x.human[t] = t < 40 ? x.judge[t] : (double)NAN;
    }
    const iv_judged_mean m = mean_of(&x, NULL, NULL, IV_JUDGE_REGRESSION, true);
    assert_true(m.by_cells);
    assert_near(m.value, 0.75, 1e-12);
    iv_judged_limits(&lower, &upper, &m, 0.025);
    assert_true(lower < 0.70 && upper > 0.78); /* 40 labels exclude no error of a few percent */
    /* p is the tail at which the limit is there. */
    assert_near(iv_judged_p(&m, lower, true), 0.025, 1e-6);
    assert_near(iv_judged_p(&m, upper, false), 0.025, 1e-6);
}

static void estimators_have_names_in_their_order(void **state)
{
    (void)state;
    assert_string_equal(iv_judge_estimator_names()[IV_JUDGE_PPI], "ppi");
    assert_string_equal(iv_judge_estimator_names()[IV_JUDGE_HUMAN], "human");
    assert_null(iv_judge_estimator_names()[IV_JUDGE_HUMAN + 1]);
}

static void limits_without_a_judge_are_wilsons(void **state)
{
    const double z = 1.959963984540054, n = 40.0, p = 0.7, c = z * z / n;
    const double centre = (p + 0.5 * c) / (1.0 + c);
    const double half = z * sqrt(p * (1.0 - p) / n + 0.25 * c / n) / (1.0 + c);
    double lower, upper;
    items x = { .count = 100 };

    (void)state;
    for (size_t t = 0; t < 100; t++) {
        x.judge[t] = t % 2 == 0;
        x.human[t] = t < 40 ? t < 28 : (double)NAN;
    }
    const iv_judged_mean m = mean_of(&x, NULL, NULL, IV_JUDGE_HUMAN, true);
    iv_judged_limits(&lower, &upper, &m, 0.025);
    assert_near(lower, centre - half, 1e-9);
    assert_near(upper, centre + half, 1e-9);
}

static void scores_without_bounds_have_students_limits_on_both_sides(void **state)
{
    double lower, upper;
    items x = { .count = 100 };

    (void)state;
    for (size_t t = 0; t < 100; t++) {
        x.judge[t] = (double)(t % 7) + 5.0;
        x.human[t] = t < 40 ? x.judge[t] + (double)(t % 3) : (double)NAN;
    }
    const iv_judged_mean m = mean_of(&x, NULL, NULL, IV_JUDGE_REGRESSION, false);
    iv_judged_limits(&lower, &upper, &m, 0.025);
    const double reach = iv_t_isf(0.025, m.df) * m.se;
    assert_true(m.se > 0.0 && m.df > 2.0);
    assert_near(lower, m.value - reach, 1e-12);
    assert_near(upper, m.value + reach, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_are_those_of_ppi_py),
        cmocka_unit_test(without_structure_the_error_is_that_of_two_phase_regression),
        cmocka_unit_test(if_people_labelled_everything_the_judge_does_not_count),
        cmocka_unit_test(a_difference_is_that_of_the_two_means_and_less_sure_than_neither_knows),
        cmocka_unit_test(where_people_and_judge_never_differ_proportions_still_have_limits),
        cmocka_unit_test(limits_without_a_judge_are_wilsons),
        cmocka_unit_test(scores_without_bounds_have_students_limits_on_both_sides),
        cmocka_unit_test(estimators_have_names_in_their_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
