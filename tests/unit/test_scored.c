/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about scores of classifiers; the name of a test is the claim. */
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
#include "stat/scored/scored.h"
#include "base/bytes.h"

enum { MOST = 400 };

static size_t read_list(double *out, const char *text)
{
    size_t n = 0;

    for (const char *at = text; *at != '\0'; n++) {
        char *end;
        out[n] = strtod(at, &end) / 100.0;
        at = *end == ',' ? end + 1 : end;
    }
    return n;
}

static void areas_and_tests_equal_the_definitions_and_pROC(void **state)
{
    iv_bytes file;
    size_t seen = 0;
    char labels[64], ta[256], tb[256];
    double w[9], a[MOST], b[MOST];
    bool y[MOST];
    iv_err err = { 0 };

    (void)state;
    if (iv_bytes_load(&file, TESTS_DIR "/oracle/scored.tsv", NULL, &err) != IV_OK)
        fail_msg("%s", err.msg);
    for (const char *at = file.ptr; at < file.ptr + file.len; at = strchr(at, '\n') + 1) {
        if (sscanf(at, "%63s %255s %255s %lf %lf %lf %lf %lf %lf %lf %lf %lf", labels, ta, tb, w,
                   w + 1, w + 2, w + 3, w + 4, w + 5, w + 6, w + 7, w + 8) != 12)
            continue;
        const size_t n = read_list(a, ta);
        assert_int_equal(read_list(b, tb), n);
        for (size_t i = 0; i < n; i++)
            y[i] = labels[i] == '1';
        const iv_scored_items items = { a, y, n };
        iv_interval auc, ap;
        iv_interval d;
        assert_int_equal(iv_auc(&auc, &items, 0.0, NULL), IV_OK);
        assert_int_equal(iv_auc_compare(&d, a, b, y, n, 0.0, NULL), IV_OK);
        assert_int_equal(iv_scored_ap(&ap, &items, 0.0, NULL), IV_OK);
        assert_near(auc.value, w[0], 1e-13);
        assert_near(auc.se * auc.se, w[2], 1e-13);
        assert_near(d.value, w[0] - w[1], 1e-13);
        assert_near(d.se * d.se, w[2] + w[3] - 2.0 * w[4], 1e-13);
        assert_near(iv_scored_p(&d), w[6], 1e-10); /* DeLong's test */
        assert_near(d.upper - d.value, 1.959963984540054 * d.se, 1e-12);
        assert_near(ap.value, w[7], 1e-13);
        assert_true(auc.lower < auc.value && auc.value <= auc.upper && auc.upper <= 1.0);
        seen++;
    }
    assert_int_equal(seen, 16);
    iv_bytes_free(&file);
}

/* Hanley and McNeil's variance with the mean of both class sizes in its bracket. */
static double formula(double theta, double m, double n)
{
    return theta * (1.0 - theta)
        * (1.0 + ((m + n) / 2.0 - 1.0) * ((1.0 - theta) / (2.0 - theta) + theta / (1.0 + theta)))
        / (m * n);
}

static void an_area_has_the_logit_interval_of_DeLongs_variance_and_at_1_Newcombes(void **state)
{
    (void)state;
    for (size_t low = 0; low < 20; low++) { /* one positive item among the negatives */
        double scores[40], squares[2] = { 0.0, 0.0 };
        bool y[40];
        iv_interval got, near;
        for (size_t i = 0; i < 40; i++) {
            scores[i] = (double)i;
            y[i] = i >= 20;
        }
        scores[39] = 19.5 - (double)low;
        assert_int_equal(iv_auc(&got, &(iv_scored_items){ scores, y, 40 }, 0.0, NULL), IV_OK);
        for (size_t i = 0; i < 40; i++) /* the other way round, near 0 */
            y[i] = !y[i];
        assert_int_equal(iv_auc(&near, &(iv_scored_items){ scores, y, 40 }, 0.0, NULL), IV_OK);
        assert_near(near.lower, 1.0 - got.upper, 1e-9);
        const double a = got.value, z = 1.959963984540054;
        assert_near(a, 1.0 - (double)low / 400.0, 1e-12);
        if (low == 0) {
            assert_true(a == 1.0 && got.upper == 1.0 && got.se == 0.0 && got.lower < 0.95);
            assert_near(a - got.lower, z * sqrt(formula(got.lower, 20, 20)), 1e-9);
            continue;
        }
        /* Of 20 positives one has placement 1 - low/20, of 20 negatives `low` have 0.95. */
        squares[1] = pow((double)low / 20.0 - (1.0 - a), 2.0) + 19.0 * pow(1.0 - a, 2.0);
        squares[0] = (double)low * pow(0.05 - (1.0 - a), 2.0)
            + (20.0 - (double)low) * pow(1.0 - a, 2.0);
        const double se = sqrt((squares[0] + squares[1]) / 380.0), middle = log(a / (1.0 - a));
        assert_near(got.se, se, 1e-12);
        assert_near(log(got.lower / (1.0 - got.lower)), middle - z * se / (a * (1.0 - a)), 1e-9);
        assert_near(log(got.upper / (1.0 - got.upper)), middle + z * se / (a * (1.0 - a)), 1e-9);
    }
}

/* Newcombe's method 5 has the same limits for both: with few positives that are missed altogether
 * 71 % of its 95 % intervals contained the area. */
static void the_interval_of_an_area_follows_the_observed_variance(void **state)
{
    double scores[200];
    bool y[200];
    iv_interval even, uneven;

    (void)state;
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < 200; i++) {
            y[i] = i < 100;
            /* Even: a power curve, the true positive rate is the 0.15/0.85th power of the false. */
            const double rate = pow(((double)i + 0.5) / 100.0, 0.85 / 0.15);
            scores[i] = !y[i] ? (double)i : k == 0 ? 199.5 - 100.0 * rate : i < 15 ? 0.0 : 999.0;
        }
        assert_int_equal(iv_auc(k == 0 ? &even : &uneven, &(iv_scored_items){ scores, y, 200 },
                                0.0, NULL), IV_OK);
    }
    assert_near(even.value, 0.85, 1e-3);
    assert_near(uneven.value, 0.85, 1e-12);
    assert_true(uneven.upper - uneven.lower > 1.2 * (even.upper - even.lower));
}

static void misranked_items_are_counted_by_Kishs_effective_number(void **state)
{
    const double scores[] = { 5.0, 5.0, 5.0, 0.5, -1.0, 0.0, 1.0, 2.0, 3.0 };
    const bool y[] = { true, true, true, true, true, false, false, false, false };
    bool turned[9];
    double n, again;

    (void)state;
    /* Of the positives two lie below 3 and 4 of 4 negatives: (7/4)^2 / ((3/4)^2 + 1). */
    assert_int_equal(iv_auc_misranked(&n, &(iv_scored_items){ scores, y, 9 }, NULL), IV_OK);
    assert_near(n, 49.0 / 25.0, 1e-12);
    for (size_t i = 0; i < 9; i++)
        turned[i] = !y[i];
    assert_int_equal(iv_auc_misranked(&again, &(iv_scored_items){ scores, turned, 9 }, NULL),
                     IV_OK);
    assert_near(again, n, 1e-12);
}

static void systems_that_place_alike_have_no_interval_of_their_difference(void **state)
{
    double a[40];
    bool y[40];
    iv_interval d;

    (void)state;
    for (size_t i = 0; i < 40; i++) {
        a[i] = (double)(i * 7 % 40);
        y[i] = i >= 20;
    }
    assert_int_equal(iv_auc_compare(&d, a, a, y, 40, 0.0, NULL), IV_OK);
    assert_true(d.value == 0.0 && d.se == 0.0 && iv_scored_p(&d) == 1.0 && isnan(d.lower) && isnan(d.upper));
}

/* Boyd, Eng and Page: logit(0.6) -+ 1.96 / sqrt(10 * 0.6 * 0.4). */
static void average_precision_has_the_logit_interval_of_its_positives(void **state)
{
    double s[20];
    bool y[20];
    iv_interval got;

    (void)state;
    for (size_t i = 0; i < 20; i++) {
        s[i] = 1.0 - (double)i / 20.0;
        y[i] = i % 2 == 1;
    }
    assert_int_equal(iv_scored_ap(&got, &(iv_scored_items){ s, y, 20 }, 0.0, NULL), IV_OK);
    const double l = log(got.value / (1.0 - got.value));
    const double h = 1.959963984540054 / sqrt(10.0 * got.value * (1.0 - got.value));
    assert_near(got.lower, 1.0 / (1.0 + exp(h - l)), 1e-12);
    assert_near(got.upper, 1.0 / (1.0 + exp(-h - l)), 1e-12);
}

static size_t draw(double *p, bool *y, size_t n, double slope, uint32_t number)
{
    iv_stream s = iv_stream_start(5, 2, number);

    for (size_t i = 0; i < n; i++) {
        const double x = iv_draw_normal(&s);
        p[i] = 1.0 / (1.0 + exp(-x));
        y[i] = iv_draw_uniform(&s) < 1.0 / (1.0 + exp(-slope * x));
    }
    return n;
}

static void probabilities_are_measured(void **state)
{
    double p[MOST], brier = 0.0, loss = 0.0;
    bool y[MOST];
    iv_calibration c;
    const size_t n = draw(p, y, MOST, 1.0, 1);

    (void)state;
    for (size_t i = 0; i < n; i++) {
        brier += (p[i] - y[i]) * (p[i] - y[i]) / (double)n;
        loss -= log(y[i] ? p[i] : 1.0 - p[i]) / (double)n;
    }
    assert_int_equal(iv_calibrate(&c, &(iv_scored_items){ p, y, n }, 0, 0.0, NULL), IV_OK);
    assert_near(c.brier.value, brier, 1e-13);
    assert_near(c.log_loss.value, loss, 1e-13);
    assert_true(c.brier.lower < brier && brier < c.brier.upper);
    assert_near(c.log_loss.upper - loss, iv_t_isf(0.025, (double)n - 1.0) * c.log_loss.se, 1e-12);
    p[0] = 1.5;
    assert_int_equal(iv_calibrate(&c, &(iv_scored_items){ p, y, n }, 0, 0.0, NULL), IV_EARG);
}

/* Bins (0, 0.1], ..., (0.9, 1]: by hand 0.2 |0.05 - 0.5| + 0.4 |0.3 - 0.25| + 0.4 |0.95 - 0.75|.
 * Bins of equal numbers, which version 0.2 had, give another value. */
static void the_calibration_error_has_bins_of_equal_width(void **state)
{
    static const double p[] = { 0.05, 0.05, 0.3, 0.3, 0.3, 0.3, 0.95, 0.95, 0.95, 0.95 };
    static const bool y[] = { true, false, true, false, false, false, true, true, true, false };
    iv_calibration c;

    (void)state;
    assert_int_equal(iv_calibrate(&c, &(iv_scored_items){ p, y, 10 }, 0, 0.0, NULL), IV_OK);
    assert_int_equal(c.bins, 10);
    assert_near(c.ece, 0.2 * 0.45 + 0.4 * 0.05 + 0.4 * 0.2, 1e-14);
}

/* Paired t tests of the items' losses: R's t.test(x, y, paired = TRUE) by its formula. */
static void losses_are_compared_item_by_item(void **state)
{
    static const double a[] = { 0.9, 0.8, 0.4, 0.2, 0.1 }, b[] = { 0.7, 0.9, 0.3, 0.4, 0.3 };
    static const bool y[] = { true, true, true, false, false };
    iv_interval d[2], same[2];
    double mean = 0.0, squares = 0.0;

    (void)state;
    assert_int_equal(iv_losses_compare(d, a, b, y, 5, 0.0, NULL), IV_OK);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < 5; i++) {
            const double x = (a[i] - y[i]) * (a[i] - y[i]) - (b[i] - y[i]) * (b[i] - y[i]);
            if (pass == 0)
                mean += x / 5.0;
            else
                squares += (x - mean) * (x - mean);
        }
    const double se = sqrt(squares / 4.0 / 5.0);
    assert_near(d[0].value, mean, 1e-15);
    assert_near(iv_scored_p(&d[0]), 2.0 * iv_t_sf(fabs(mean) / se, 4.0), 1e-12);
    assert_int_equal(iv_losses_compare(same, a, a, y, 5, 0.0, NULL), IV_OK);
    assert_true(same[1].value == 0.0 && iv_scored_p(&same[1]) == 1.0);
}

static int choose(iv_threshold *out, const iv_scored_items *items, iv_threshold_goal goal,
                  size_t resamples)
{
    return iv_threshold_by_rule(out, items, &(iv_threshold_rule){ .goal = goal }, 0.0, resamples,
                                NULL, NULL);
}

/* The best threshold by trying all; noise looks better than it is. */
static void a_threshold_is_the_best_and_its_optimism_is_taken_off(void **state)
{
    double p[MOST], best = -1.0, at = 0.0;
    bool y[MOST];
    iv_threshold got;
    const size_t n = draw(p, y, 60, 0.0, 3);

    (void)state;
    for (iv_threshold_goal goal = IV_BEST_F1; goal <= IV_BEST_YOUDEN; goal++) {
        best = -1.0;
        for (size_t k = 0; k < n; k++) {
            double count[2][2] = { { 0.0 } };
            for (size_t i = 0; i < n; i++)
                count[y[i]][p[i] >= p[k]] += 1.0;
            const double P = count[1][0] + count[1][1], N = count[0][0] + count[0][1];
            const double x = goal == IV_BEST_F1
                ? 2.0 * count[1][1] / (P + count[1][1] + count[0][1])
                : goal == IV_BEST_ACCURACY ? (count[1][1] + count[0][0]) / (P + N)
                                           : count[1][1] / P - count[0][1] / N;
            if (x > best + 1e-12 || (fabs(x - best) <= 1e-12 && p[k] > at)) {
                best = x;
                at = p[k];
            }
        }
        assert_int_equal(choose(&got, &(iv_scored_items){ p, y, n }, goal, 500), IV_OK);
        assert_near(got.apparent, best, 1e-12);
        assert_near(got.at, at, 0.0);
        assert_near(got.value, got.apparent - got.optimism, 1e-12);
        assert_true(got.lower <= got.value && got.value <= got.upper);
    }
    assert_true(got.optimism > 0.05); /* of Youden's index, in noise */
    assert_string_equal(iv_threshold_goal_names()[IV_BEST_YOUDEN], "youden");
    for (size_t i = 0; i < 20; i++) { /* one score: Youden's index is 0 whatever is drawn */
        y[i] = i < 10;
        p[i] = 0.5;
    }
    assert_int_equal(choose(&got, &(iv_scored_items){ p, y, 20 }, IV_BEST_YOUDEN, 500), IV_OK);
    assert_true(fabs(got.value) < 0.01 && isnan(got.lower) && isnan(got.upper));
    for (size_t i = 0; i < 20; i++) { /* a few low ones are positive: to call none so is best */
        y[i] = i < 3;
        p[i] = (double)i;
    }
    assert_int_equal(choose(&got, &(iv_scored_items){ p, y, 20 }, IV_BEST_ACCURACY, 500), IV_OK);
    assert_true(isnan(got.at) && fabs(got.apparent - 0.85) < 1e-12);
}

/* Few positive items: resamples without any are worse than all items, by more than 1 - F1. */
static void an_expected_goal_is_a_possible_value(void **state)
{
    double scores[60];
    bool positive[60] = { [3] = true, [40] = true };
    iv_threshold t;

    (void)state;
    for (size_t i = 0; i < 60; i++)
        scores[i] = positive[i] ? 0.9 : 0.01 * (double)i;
    assert_int_equal(choose(&t, &(iv_scored_items){ scores, positive, 60 }, IV_BEST_F1, 0), IV_OK);
    assert_true(t.optimism < 0.0);
    assert_true(t.value == 1.0 && t.value <= t.upper);
}

static void curves_run_from_end_to_end_in_their_bands(void **state)
{
    iv_interval roc[IV_CURVE_POINTS], pr[IV_CURVE_POINTS], same[IV_CURVE_POINTS];
    double p[MOST], area = 0.0;
    bool y[MOST];
    iv_interval auc;
    const iv_scored_items items = { p, y, draw(p, y, MOST, 2.0, 4) };

    (void)state;
    assert_int_equal(iv_scored_curves(roc, pr, &items, 0.0, 300, &(iv_work){ .threads = 1 },
                                      NULL), IV_OK);
    assert_int_equal(iv_scored_curves(same, pr, &items, 0.0, 300, &(iv_work){ .threads = 3 },
                                      NULL), IV_OK);
    assert_memory_equal(roc, same, sizeof roc);
    assert_int_equal(iv_auc(&auc, &items, 0.0, NULL), IV_OK);
    for (size_t i = 0; i < IV_CURVE_POINTS; i++) {
        assert_true(roc[i].lower <= roc[i].value + 1e-12 && roc[i].value <= roc[i].upper + 1e-12);
        assert_true(pr[i].lower <= pr[i].upper && pr[i].value > 0.0 && pr[i].value <= 1.0);
        if (i > 0) {
            assert_true(roc[i].value >= roc[i - 1].value - 1e-12);
            area += 0.005 * (roc[i].value + roc[i - 1].value);
        }
    }
    assert_true(roc[IV_CURVE_POINTS - 1].value == 1.0);
    assert_near(area, auc.value, 0.01);
}

static void bad_items_are_refused(void **state)
{
    const double s[] = { 0.1, 0.2, NAN }, x[] = { 0.1, 0.2, 0.3 };
    const bool y[] = { true, false, true }, all[] = { true, true, true };
    iv_interval v;

    (void)state;
    assert_int_equal(iv_auc(&v, &(iv_scored_items){ s, y, 3 }, 0.0, NULL), IV_EARG);
    assert_int_equal(iv_auc(&v, &(iv_scored_items){ x, all, 3 }, 0.0, NULL), IV_ENODATA);
    assert_int_equal(iv_scored_ap(&v, &(iv_scored_items){ x, y, 3 }, 1.0, NULL), IV_EARG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(areas_and_tests_equal_the_definitions_and_pROC),
        cmocka_unit_test(an_area_has_the_logit_interval_of_DeLongs_variance_and_at_1_Newcombes),
        cmocka_unit_test(the_interval_of_an_area_follows_the_observed_variance),
        cmocka_unit_test(misranked_items_are_counted_by_Kishs_effective_number),
        cmocka_unit_test(systems_that_place_alike_have_no_interval_of_their_difference),
        cmocka_unit_test(average_precision_has_the_logit_interval_of_its_positives),
        cmocka_unit_test(probabilities_are_measured),
        cmocka_unit_test(the_calibration_error_has_bins_of_equal_width),
        cmocka_unit_test(losses_are_compared_item_by_item),
        cmocka_unit_test(a_threshold_is_the_best_and_its_optimism_is_taken_off),
        cmocka_unit_test(an_expected_goal_is_a_possible_value),
        cmocka_unit_test(curves_run_from_end_to_end_in_their_bands),
        cmocka_unit_test(bad_items_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
