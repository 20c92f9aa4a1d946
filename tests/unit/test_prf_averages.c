/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about averages over classes and categories; the name of a test is the claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"
#include "num/dist.h"
#include "num/draw.h"
#include "stat/prf/prf_counts.h"
#include "stat/prf/prf_draws.h"

enum { ITEMS = 60, K = 4 };

/* Gold, a and b of each item; b errs where a does, and elsewhere. */
static void two_systems(int32_t labels[3 * ITEMS])
{
    for (int32_t i = 0; i < ITEMS; i++) {
        const int32_t gold = i < 30 ? 0 : i < 45 ? 1 : i < 57 ? 2 : 3;
        labels[3 * i] = gold;
        labels[3 * i + 1] = i % 7 == 3 ? (gold + 1) % K : gold;
        labels[3 * i + 2] = i % 7 == 3 || i % 11 == 2 ? (gold + 2) % K : gold;
    }
}

/* The average without one item (ITEMS: none), from its definition. */
static double by_hand(const int32_t *labels, size_t system, size_t but, iv_prf_average average)
{
    double tp[K] = { 0 }, gold[K] = { 0 }, said[K] = { 0 }, n = 0.0, sum = 0.0, classes = 0.0;

    for (size_t i = 0; i < ITEMS; i++) {
        const int32_t g = labels[3 * i], s = labels[3 * i + 1 + system];
        if (i == but)
            continue;
        gold[g] += 1.0;
        said[s] += 1.0;
        tp[g] += g == s;
        n += 1.0;
    }
    for (int k = 0; k < K; k++) {
        if (gold[k] + said[k] == 0.0)
            continue;
        sum += 2.0 * tp[k] / (gold[k] + said[k]) * (average == IV_PRF_WEIGHTED ? gold[k] / n : 1.0);
        classes += 1.0;
    }
    return average == IV_PRF_WEIGHTED ? sum : sum / classes;
}

/* (n - 1) / n times the squares of values without one item; Student's t on the logit scale. */
static void averages_have_jackknifed_limits_on_the_logit_scale(void **state)
{
    const iv_prf_average averages[] = { IV_PRF_MACRO, IV_PRF_WEIGHTED };
    int32_t labels[3 * ITEMS];

    (void)state;
    two_systems(labels);
    const iv_prf_items items = { ITEMS, 2, K, labels };
    for (int w = 0; w < 2; w++) {
        const iv_prf_metric m = { IV_PRF_F, 1.0 };
        double mean = 0.0, squares = 0.0, gap_mean = 0.0, gap_squares = 0.0;
        iv_interval a, d;
        assert_int_equal(iv_prf_average_labels(&a, &items, 0, averages[w], m, 0.95, NULL), IV_OK);
        assert_int_equal(iv_prf_average_gap(&d, &items, 0, 1, averages[w], m, 0.95, NULL), IV_OK);
        for (int pass = 0; pass < 2; pass++)
            for (size_t i = 0; i < ITEMS; i++) {
                const double x = by_hand(labels, 0, i, averages[w]);
                const double gap = x - by_hand(labels, 1, i, averages[w]);
                mean += pass == 0 ? x / ITEMS : 0.0;
                gap_mean += pass == 0 ? gap / ITEMS : 0.0;
                squares += pass == 1 ? (x - mean) * (x - mean) : 0.0;
                gap_squares += pass == 1 ? (gap - gap_mean) * (gap - gap_mean) : 0.0;
            }
        const double v = by_hand(labels, 0, ITEMS, averages[w]);
        const double se = sqrt(squares * (ITEMS - 1) / ITEMS), t975 = iv_t_isf(0.025, ITEMS - 1);
        assert_near(a.value, v, 1e-14);
        assert_near(a.se, se, 1e-12);
        assert_near(log(a.upper / (1.0 - a.upper)), log(v / (1.0 - v)) + t975 * se / (v * (1.0 - v)),
                    1e-10);
        assert_near(d.se, sqrt(gap_squares * (ITEMS - 1) / ITEMS), 1e-12);
        assert_near(d.upper - d.value, t975 * d.se, 1e-12);
    }
}

/* As scikit-learn: a class that only one side has counts 0, one that neither has does not count. */
static void classes_of_one_side_count_0(void **state)
{
    const int32_t labels[] = { 0, 0, 0, 0, 1, 0, 1, 1, 0, 2 }; /* nobody is of 2, which is said once */
    const iv_prf_metric m = { IV_PRF_RECALL, 0.0 };
    iv_interval a;

    (void)state;
    assert_int_equal(iv_prf_average_labels(&a, &(iv_prf_items){ 5, 1, 4, labels }, 0, IV_PRF_MACRO, m, 0.95,
                                           NULL), IV_OK);
    assert_near(a.value, (2.0 / 3.0 + 0.5 + 0.0) / 3.0, 1e-15);
}

/* Coverage of 400 samples of ten classes: 0.95 leaves out more than 36 in one of a thousand. */
static void intervals_of_many_classes_cover_the_truth(void **state)
{
    enum { N = 200, CLASSES = 10, TIMES = 400 };
    const iv_prf_metric m = { IV_PRF_F, 1.0 };
    int32_t *labels = malloc(2 * N * sizeof *labels);
    size_t held = 0;

    (void)state;
    assert_non_null(labels);
    for (size_t r = 0; r < TIMES; r++) {
        iv_stream s = iv_stream_start(3, 1, r);
        iv_interval a;
        for (size_t i = 0; i < N; i++) {
            const int32_t gold = (int32_t)iv_draw_below(&s, CLASSES);
            const int32_t other = (int32_t)iv_draw_below(&s, CLASSES - 1);
            labels[2 * i] = gold;
            labels[2 * i + 1] = iv_draw_uniform(&s) < 0.85 ? gold : other + (other >= gold);
        }
        assert_int_equal(iv_prf_average_labels(&a, &(iv_prf_items){ N, 1, CLASSES, labels }, 0, IV_PRF_MACRO, m,
                                               0.95, NULL), IV_OK);
        held += a.lower <= 0.85 && 0.85 <= a.upper; /* F1 of each class is the share of right ones */
    }
    print_message("%zu of %d\n", held, TIMES);
    assert_in_range(held, TIMES - 36, TIMES);
    free(labels);
}

static void no_errors_have_no_interval(void **state)
{
    const iv_prf_counts a = { 8, 0, 0, -1 }, b = { 3, 0, 0, -1 };
    const iv_prf_counts *const both[] = { &a, &b };
    const iv_interval x = iv_prf_average_categories(both, 2, (iv_prf_metric){ IV_PRF_F, 1.0 },
                                                    0.95);

    (void)state;
    assert_true(x.value == 1.0 && x.se == 0.0 && isnan(x.lower) && isnan(x.upper));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(averages_have_jackknifed_limits_on_the_logit_scale),
        cmocka_unit_test(classes_of_one_side_count_0),
        cmocka_unit_test(intervals_of_many_classes_cover_the_truth),
        cmocka_unit_test(no_errors_have_no_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
