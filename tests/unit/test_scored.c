/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about scores of classifiers; the name of a test is the claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "intervale/num.h"
#include "intervale/stat/interval.h"
#include "intervale/stat/scored.h"
#include "near.h"

static int studentised(iv_mean_interval *out, const double *x, size_t n, const iv_resampling *how)
{
    return iv_mean_intervals(out, &x, &(iv_interval_method){ IV_INTERVAL_BOOTSTRAP_T }, 1, n, how,
                             NULL, NULL);
}

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
    iv_bytes file, limits;
    size_t seen = 0;
    char labels[64], ta[256], tb[256];
    double w[9], a[MOST], b[MOST];
    bool y[MOST];
    iv_err err = { 0 };

    (void)state;
    if (iv_bytes_load(&file, TESTS_DIR "/oracle/scored.tsv", NULL, &err) != IV_OK)
        fail_msg("%s", err.msg);
    if (iv_bytes_load(&limits, TESTS_DIR "/oracle/auc_difference.tsv", NULL, &err) != IV_OK)
        fail_msg("%s", err.msg);
    const char *line = strchr(limits.ptr, '\n') + 1; /* a line for each */
    for (const char *at = file.ptr; at < file.ptr + file.len; at = strchr(at, '\n') + 1) {
        if (sscanf(at, "%63s %255s %255s %lf %lf %lf %lf %lf %lf %lf %lf %lf", labels, ta, tb, w,
                   w + 1, w + 2, w + 3, w + 4, w + 5, w + 6, w + 7, w + 8) != 12)
            continue;
        const size_t n = read_list(a, ta);
        assert_int_equal(read_list(b, tb), n);
        for (size_t i = 0; i < n; i++)
            y[i] = labels[i] == '1';
        const iv_scored_items items = { a, y, n };
        iv_scored_value auc, ap;
        iv_auc_difference d;
        assert_int_equal(iv_auc(&auc, &items, 0.0, NULL), IV_OK);
        assert_int_equal(iv_auc_compare(&d, a, b, y, n, 0.0, NULL), IV_OK);
        assert_int_equal(iv_scored_ap(&ap, &items, 0.0, NULL), IV_OK);
        assert_near(auc.value, w[0], 1e-13);
        assert_near(auc.se * auc.se, w[2], 1e-13);
        assert_near(d.value, w[0] - w[1], 1e-13);
        assert_near(d.se * d.se, w[2] + w[3] - 2.0 * w[4], 1e-13);
        assert_near(d.z, w[5], 1e-10);
        assert_near(d.p_delong, w[6], 1e-10);
        assert_near(ap.value, w[7], 1e-13);
        assert_near(ap.se, w[8], 1e-7); /* the oracle's are differences */
        assert_true(auc.lower < auc.value && auc.value <= auc.upper && auc.upper <= 1.0);
        assert_true(d.lower < d.value && d.value < d.upper);
        assert_int_equal(sscanf(line, "%lf %lf %lf", w, w + 1, w + 2), 3);
        assert_near(d.lower, w[0], 1e-9);
        assert_near(d.upper, w[1], 1e-9);
        assert_near(d.p, w[2], 1e-9);
        line = strchr(line, '\n') + 1;
        seen++;
    }
    assert_int_equal(seen, 16);
    iv_bytes_free(&file);
    iv_bytes_free(&limits);
}

/* p is 1 less the confidence at which the interval ends at 0, so that the two never disagree. */
static void an_interval_holds_no_difference_where_p_says_so(void **state)
{
    iv_stream s = iv_stream_start(1, 0, 0);

    (void)state;
    for (size_t trial = 0; trial < 200; trial++) {
        const size_t m = 1 + iv_draw_below(&s, 12), n = 1 + iv_draw_below(&s, 12);
        double a[24], b[24];
        bool y[24];
        iv_auc_difference d, back;
        for (size_t i = 0; i < m + n; i++) {
            y[i] = i < m;
            a[i] = floor(4.0 * (iv_draw_normal(&s) + (y[i] ? 1.5 : 0.0)));
            b[i] = trial % 10 == 0 ? a[i] : floor(4.0 * iv_draw_normal(&s) + (y[i] ? 1.0 : 0.0));
        }
        assert_int_equal(iv_auc_compare(&d, a, b, y, m + n, 0.0, NULL), IV_OK);
        assert_int_equal(iv_auc_compare(&back, b, a, y, m + n, 0.0, NULL), IV_OK);
        assert_true(d.lower >= -1.0 && d.lower <= d.value && d.value <= d.upper && d.upper <= 1.0);
        assert_true(d.lower < d.upper);
        assert_near(back.lower, -d.upper, 1e-12);
        assert_near(back.p, d.p, 1e-12);
        assert_true((d.p > 0.05) == (d.lower <= 0.0 && d.upper >= 0.0));
        assert_true(isnan(d.se) == (m == 1 || n == 1)); /* one item shows no spread */
        if (d.value == 0.0) {
            assert_true(d.p == 1.0);
            continue;
        }
        assert_int_equal(iv_auc_compare(&back, a, b, y, m + n, 1.0 - d.p, NULL), IV_OK);
        assert_near(d.value > 0.0 ? back.lower : back.upper, 0.0, 1e-8);
    }
}

/* Answers of yes and no, both systems right of .9 of the positives and .99 of the negatives: where one
 * lost no positive the score interval alone is too sure (.13 of 4,000 samples). */
static void systems_that_are_equally_good_are_told_apart_by_few_samples(void **state)
{
    enum { TRIALS = 2000, POSITIVES = 20, ITEMS = 220 };
    const double z = iv_norm_isf(0.025);
    iv_stream s = iv_stream_start(3, 0, 0);
    size_t apart = 0, by_delong = 0;

    (void)state;
    for (size_t trial = 0; trial < TRIALS; trial++) {
        double a[ITEMS], b[ITEMS];
        bool y[ITEMS];
        iv_auc_difference d;
        for (size_t i = 0; i < ITEMS; i++) {
            y[i] = i < POSITIVES;
            a[i] = iv_draw_uniform(&s) < (y[i] ? 0.9 : 0.01);
            b[i] = iv_draw_uniform(&s) < (y[i] ? 0.9 : 0.01);
        }
        assert_int_equal(iv_auc_compare(&d, a, b, y, ITEMS, 0.0, NULL), IV_OK);
        apart += d.p <= 0.05;
        assert_true((d.p > 0.05) == (d.lower <= 0.0 && d.upper >= 0.0));
        assert_false(d.p < d.p_delong); /* NaN where they say the same */
        assert_true(d.lower < d.value - z * d.se + 1e-12 && d.upper > d.value + z * d.se - 1e-12);
        by_delong += d.value != 0.0 && d.p == d.p_delong;
    }
    assert_true((double)apart > 0.025 * TRIALS && (double)apart < 0.065 * TRIALS);
    assert_true(by_delong > 0 && by_delong < TRIALS);
}

/* All 20 positives tie, above 180 of 200 negatives: they show nothing of what such may lose. By
 * bisection in Python, from the formula on the method's page with k = 0. */
static void a_class_that_ties_shows_no_spread(void **state)
{
    double a[220];
    bool y[220];
    iv_scored_value got;

    (void)state;
    for (size_t i = 0; i < 220; i++) {
        y[i] = i < 20;
        a[i] = i < 40;
    }
    assert_int_equal(iv_auc(&got, &(iv_scored_items){ a, y, 220 }, 0.0, NULL), IV_OK);
    assert_near(got.value, 0.95, 1e-14);
    assert_near(got.lower, 0.8641642097856799, 1e-9);
    assert_near(got.upper, 0.9785977749769657, 1e-9);
}

/* Two positive and three negative items, which by DeLong's test tell the systems apart. */
static void five_items_convince_nobody(void **state)
{
    static const double a[2][5] = { { 2, 3, 1, 2, 3 }, { 2, 3, 1, 2, 2 } };
    static const double b[2][5] = { { 1, 2, 3, 4, 5 }, { 1, 3, 2, 4, 5 } };
    static const bool y[5] = { true, true, false, false, false };

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        iv_auc_difference d;
        assert_int_equal(iv_auc_compare(&d, a[i], b[i], y, 5, 0.0, NULL), IV_OK);
        assert_near(d.value, 2.0 / 3.0, 1e-12);
        assert_true(d.p_delong < 0.016);
        assert_true(d.p > 0.05 && d.lower < 0.0 && d.upper > 0.0);
    }
}

/* Both have every item in its place: the limits are those of one perfect area. */
static void two_perfect_systems_may_differ_as_far_as_one_may_be_off(void **state)
{
    double a[40];
    bool y[40];
    iv_scored_value one;
    iv_auc_difference d;

    (void)state;
    for (size_t i = 0; i < 40; i++) {
        a[i] = (double)i;
        y[i] = i >= 20;
    }
    assert_int_equal(iv_auc(&one, &(iv_scored_items){ a, y, 40 }, 0.0, NULL), IV_OK);
    assert_int_equal(iv_auc_compare(&d, a, a, y, 40, 0.0, NULL), IV_OK);
    assert_near(d.lower, one.lower - 1.0, 1e-9);
    assert_near(d.upper, 1.0 - one.lower, 1e-9);
    assert_true(d.p == 1.0 && d.se == 0.0 && isnan(d.p_delong));
}

/* Newcombe's method 5 at an area of 1: 1 - t solves a quadratic in all but V's bracket. */
static void a_perfect_area_has_a_lower_limit(void **state)
{
    double scores[40];
    bool y[40];
    iv_scored_value got;

    (void)state;
    for (size_t i = 0; i < 40; i++) {
        scores[i] = (double)i;
        y[i] = i >= 20;
    }
    assert_int_equal(iv_auc(&got, &(iv_scored_items){ scores, y, 40 }, 0.0, NULL), IV_OK);
    assert_true(got.value == 1.0 && got.upper == 1.0 && got.se == 0.0);
    const double t = got.lower, z = 2.0243941639; /* Student's with 38 degrees of freedom */
    const double v = t * (1.0 - t) * (1.0 + 19.0 * ((1.0 - t) / (2.0 - t) + t / (1.0 + t)))
        / 400.0;
    assert_near((1.0 - t) * (1.0 - t), z * z * v, 1e-9);
    assert_true(t > 0.85 && t < 0.95);
}

/* Hanley and McNeil's variance, its bracket as in Newcombe's method 5. */
static double formula(double theta, double m, double n)
{
    return theta * (1.0 - theta)
        * (1.0 + ((m + n) / 2.0 - 1.0) * ((1.0 - theta) / (2.0 - theta) + theta / (1.0 + theta)))
        / (m * n);
}

static void where_one_side_cannot_err_the_other_has_more(void **state)
{
    (void)state;
    double surest = 1.0; /* the lower limit without a misplaced item: none is nearer to 1 */
    /* One positive item among the negatives, the lower, the longer the tail. */
    for (size_t low = 0; low < 20; low++) {
        double scores[40];
        bool y[40];
        iv_scored_value got, near;
        for (size_t i = 0; i < 40; i++) {
            scores[i] = (double)i;
            y[i] = i >= 20;
        }
        scores[39] = 19.5 - (double)low;
        assert_int_equal(iv_auc(&got, &(iv_scored_items){ scores, y, 40 }, 0.0, NULL), IV_OK);
        for (size_t i = 0; i < 40; i++) /* the other way round, near 0 */
            y[i] = !y[i];
        assert_int_equal(iv_auc(&near, &(iv_scored_items){ scores, y, 40 }, 0.0, NULL), IV_OK);
        const double a = got.value;
        assert_near(a, 1.0 - (double)low / 400.0, 1e-12);
        assert_near(near.value, 1.0 - a, 1e-12);
        assert_near(near.lower, 1.0 - got.upper, 1e-9);
        assert_near(near.upper, 1.0 - got.lower, 1e-9);
        assert_true(got.lower <= surest);
        if (low == 0) {
            surest = got.lower;
            continue;
        }
        const double of[2] = { pow((double)low / 400.0, 2.0), /* DeLong's, by class */
                               (double)low * (20.0 - (double)low) / 400.0 / 400.0 / 19.0 };
        const double delong = of[0] + of[1], wider = delong / formula(a, 20, 20);
        const double df = delong * delong / ((of[0] * of[0] + of[1] * of[1]) / 19.0);
        const double r = fmax(wider, (wider + 10.0) / 11.0);
        const double one = iv_t_isf(0.025 * (1.0 + fmin(fmax(5.0 - 4.0 * wider, 0.0), 1.0)), df);
        const double two = iv_t_isf(0.025, df), most = fabs(got.upper - a)
            / sqrt(r * formula(got.upper, 20, 20));
        assert_near(got.se * got.se, delong, 1e-12);
        if (got.lower < surest)
            assert_near(fabs(a - got.lower), two * sqrt(r * formula(got.lower, 20, 20)), 1e-9);
        else
            assert_int_equal(low, 1);
        if (got.upper > 0.5 * (1.0 + a) + 1e-9)
            assert_near(most, one, 1e-6);
        else
            assert_true(most >= one - 1e-6 && most <= two + 1e-6);
    }
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
    iv_calibration c, wrong;
    const size_t n = draw(p, y, MOST, 1.0, 1);

    (void)state;
    for (size_t i = 0; i < n; i++) {
        brier += (p[i] - y[i]) * (p[i] - y[i]) / (double)n;
        loss -= log(y[i] ? p[i] : 1.0 - p[i]) / (double)n;
    }
    assert_int_equal(iv_calibrate(&c, &(iv_scored_items){ p, y, n }, 0, 0.0, 500, NULL, NULL),
                     IV_OK);
    assert_near(c.brier.value, brier, 1e-13);
    assert_near(c.log_loss.value, loss, 1e-13);
    assert_true(c.brier.lower < brier && brier < c.brier.upper);
    assert_true(c.log_loss.lower < loss && loss < c.log_loss.upper);
    assert_true(c.bins == 10 && c.error.lower == 0.0 && c.error.upper < 0.12);
    assert_true(c.binned > c.error.value);
    (void)draw(p, y, MOST, -1.0, 2); /* probabilities of the opposite */
    assert_int_equal(iv_calibrate(&wrong, &(iv_scored_items){ p, y, n }, 0, 0.0, 500, NULL,
                                  NULL), IV_OK);
    assert_true(wrong.error.lower > 0.2 && wrong.error.lower < wrong.error.value
                && wrong.error.value < wrong.error.upper);
    p[0] = 1.5;
    assert_int_equal(iv_calibrate(&c, &(iv_scored_items){ p, y, n }, 0, 0.0, 500, NULL, NULL),
                     IV_EARG);
}

/* Equal probabilities share a bin, so that the order of items is nothing. */
static void ties_share_a_bin(void **state)
{
    enum { N = 100 };
    double p[N], q[N], by_hand = 0.0;
    bool y[N], z[N];
    iv_calibration a, b;

    (void)state;
    for (size_t i = 0; i < N; i++) {
        p[i] = 0.5;
        y[i] = i < N / 2;
    }
    assert_int_equal(iv_calibrate(&a, &(iv_scored_items){ p, y, N }, 0, 0.0, 100, NULL, NULL),
                     IV_OK);
    assert_true(a.bins == 1 && a.error.value == 0.0 && a.binned == 0.0);
    /* as the normal interval of the share has it */
    assert_near(a.error.upper, 1.959963984540054 * sqrt(0.25 / (N - 1)), 1e-12);
    /* 19 at .9, then one at .8 that is no bin of its own but in that of 40 at .3, 40 at .1 */
    for (size_t i = 0; i < N; i++) {
        p[i] = i < 19 ? 0.9 : i < 20 ? 0.8 : i < 60 ? 0.3 : 0.1;
        y[i] = i < 15 || (i >= 20 && i < 40) || i == 99;
    }
    by_hand = (19.0 * 0.9 - 15.0 + 20.0 - 12.8 + 4.0 - 1.0) / N;
    assert_int_equal(iv_calibrate(&a, &(iv_scored_items){ p, y, N }, 0, 0.0, 100, NULL, NULL),
                     IV_OK);
    assert_int_equal(a.bins, 3);
    assert_near(a.binned, by_hand, 1e-14);
    for (size_t step = 3; step < 30; step += 4) { /* no factor in common with 100 */
        if (step % 5 == 0)
            continue;
        for (size_t i = 0; i < N; i++) {
            q[i] = p[i * step % N];
            z[i] = y[i * step % N];
        }
        assert_int_equal(iv_calibrate(&b, &(iv_scored_items){ q, z, N }, 0, 0.0, 100, NULL,
                                      NULL), IV_OK);
        assert_true(b.bins == a.bins && b.binned == a.binned);
        assert_true(b.error.value == a.error.value && b.error.lower == a.error.lower
                    && b.error.upper == a.error.upper);
    }
}

/*
 * Bins of one class whose items are all as far off show no variance, but their shares may be
 * others: as scipy's noncentral chi-square has it, and where that is far out, the normal.
 */
static void bins_of_one_class_are_not_sure_of_their_share(void **state)
{
    enum { N = 20, LARGE = 2000 };
    double *p = malloc(LARGE * sizeof *p);
    bool *y = malloc(LARGE * sizeof *y);
    iv_calibration c;

    (void)state;
    assert_true(p != NULL && y != NULL);
    for (size_t i = 0; i < N; i++) {
        y[i] = i < N / 2;
        p[i] = y[i] ? 0.9 : 0.1;
    }
    const iv_scored_items items = { p, y, N };
    assert_int_equal(iv_calibrate(&c, &items, 0, 0.0, 100, NULL, NULL), IV_OK);
    assert_near(c.error.value, 0.1, 1e-12);
    assert_true(c.error.lower == 0.0);
    assert_near(c.error.upper, 0.243240489824845, 1e-9);
    assert_near(c.log_loss.value, -log(0.9), 1e-12); /* all have that: no intervals */
    assert_true(isnan(c.log_loss.lower) && isnan(c.log_loss.upper));
    assert_true(isnan(c.brier.lower) && isnan(c.brier.upper));
    for (size_t i = 0; i < LARGE; i++) {
        y[i] = i < LARGE / 2;
        p[i] = y[i] ? 0.1 : 0.9;
    }
    const double share = 1.0 / (LARGE / 2 + 2), z = 1.959963984540054;
    const double se = sqrt(share * (1.0 - share) / LARGE);
    const iv_scored_items large = { p, y, LARGE };
    assert_int_equal(iv_calibrate(&c, &large, 0, 0.0, 100, NULL, NULL), IV_OK);
    assert_int_equal(c.bins, 2);
    assert_near(c.error.lower, 0.9 - z * se, 1e-5);
    assert_near(c.error.upper, 0.9 + z * se, 1e-5);
    free(y);
    free(p);
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
        assert_int_equal(iv_threshold_choose(&got, &(iv_scored_items){ p, y, n }, goal, 0.0, 500,
                                             NULL, NULL), IV_OK);
        assert_near(got.apparent, best, 1e-12);
        assert_near(got.at, at, 0.0);
        assert_near(got.value, got.apparent - got.optimism, 1e-12);
        assert_true(got.lower <= got.value && got.value <= got.upper);
    }
    assert_true(got.optimism > 0.05); /* of Youden's index, in noise */
    assert_string_equal(iv_threshold_goal_names()[IV_BEST_YOUDEN], "youden");
    for (size_t i = 0; i < n; i++) /* told apart without an error: not for sure */
        p[i] = y[i];
    assert_int_equal(iv_threshold_choose(&got, &(iv_scored_items){ p, y, n }, IV_BEST_F1, 0.0, 500,
                                         NULL, NULL), IV_OK);
    assert_near(got.value, 1.0, 1e-12);
    assert_true(got.lower > 0.8 && got.lower < 0.99 && got.upper == 1.0);
    for (size_t i = 0; i < 20; i++) { /* the same with scores that differ */
        y[i] = i < 10;
        p[i] = 1.0 - (double)i / 20.0;
    }
    assert_int_equal(iv_threshold_choose(&got, &(iv_scored_items){ p, y, 20 }, IV_BEST_F1, 0.0,
                                         500, NULL, NULL), IV_OK);
    assert_true(got.apparent == 1.0 && got.value < 0.97);
    assert_true(got.lower < got.value - 0.1 && got.upper == 1.0);
    for (size_t i = 0; i < 20; i++) /* one score: Youden's index is 0 whatever is drawn */
        p[i] = 0.5;
    assert_int_equal(iv_threshold_choose(&got, &(iv_scored_items){ p, y, 20 }, IV_BEST_YOUDEN,
                                         0.0, 500, NULL, NULL), IV_OK);
    assert_true(fabs(got.value) < 0.01 && isnan(got.lower) && isnan(got.upper));
}

static void curves_run_from_end_to_end_in_their_bands(void **state)
{
    iv_curve_point roc[IV_CURVE_POINTS], pr[IV_CURVE_POINTS], same[IV_CURVE_POINTS];
    double p[MOST], area = 0.0;
    bool y[MOST];
    iv_scored_value auc;
    const iv_scored_items items = { p, y, draw(p, y, MOST, 2.0, 4) };

    (void)state;
    assert_int_equal(iv_scored_curves(roc, pr, &items, 0.0, 300, &(iv_work){ .threads = 1 },
                                      NULL), IV_OK);
    assert_int_equal(iv_scored_curves(same, pr, &items, 0.0, 300, &(iv_work){ .threads = 3 },
                                      NULL), IV_OK);
    assert_memory_equal(roc, same, sizeof roc);
    assert_int_equal(iv_auc(&auc, &items, 0.0, NULL), IV_OK);
    for (size_t i = 0; i < IV_CURVE_POINTS; i++) {
        assert_true(roc[i].lower <= roc[i].y + 1e-12 && roc[i].y <= roc[i].upper + 1e-12);
        assert_true(pr[i].lower <= pr[i].upper && pr[i].y > 0.0 && pr[i].y <= 1.0);
        if (i > 0) {
            assert_true(roc[i].y >= roc[i - 1].y - 1e-12);
            area += 0.005 * (roc[i].y + roc[i - 1].y);
        }
    }
    assert_true(roc[IV_CURVE_POINTS - 1].y == 1.0);
    assert_near(area, auc.value, 0.01);
}

/* The band at some points of normal scores, m positive ones d above n others: how many of the
 * trials' held the truth. */
static void count_held(int *roc_held, int *held, size_t m, size_t n, double d, int trials)
{
    static const int at[] = { 2, 5, 10, 20, 50, 90, 99 };
    iv_curve_point roc[IV_CURVE_POINTS], pr[IV_CURVE_POINTS];
    double p[400];
    bool y[400];

    for (int k = 0; k < trials; k++) {
        iv_stream s = iv_stream_start(7, 1, (uint64_t)k);
        for (size_t i = 0; i < m + n; i++) {
            y[i] = i < m;
            p[i] = iv_draw_normal(&s) + (y[i] ? d : 0.0);
        }
        assert_int_equal(iv_scored_curves(roc, pr, &(iv_scored_items){ p, y, m + n }, 0.0, 300, NULL,
                                          NULL), IV_OK);
        for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
            const double x = 0.01 * at[i], tpr = iv_norm_sf(iv_norm_isf(x) - d);
            const double fp = (double)n * iv_norm_sf(iv_norm_isf(x) + d), tp = (double)m * x;
            const iv_curve_point *r = &roc[at[i]], *q = &pr[at[i]];
            roc_held[i] += r->lower <= tpr && tpr <= r->upper;
            held[i] += q->lower <= tp / (tp + fp) && tp / (tp + fp) <= q->upper;
        }
    }
}

static void bands_have_room_where_items_are_few(void **state)
{
    static const struct {
        size_t m, n;
        double d;
    } of[] = { { 50, 50, 1.5 }, { 60, 300, 1.5 }, { 20, 20, 1.5 }, { 50, 50, 3.0 } };
    enum { TRIALS = 100 };

    (void)state;
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        int roc[7] = { 0 }, held[7] = { 0 };
        count_held(roc, held, of[k].m, of[k].n, of[k].d, TRIALS);
        for (size_t i = 0; i < 7; i++) {
            const int least = i == 0 || i == 6 ? 80 : 88; /* at the ends less, as the page says */
            print_message("%zu and %zu items, point %zu: ROC %d, precision %d of %d held\n", of[k].m,
                          of[k].n, i, roc[i], held[i], TRIALS);
            assert_true(roc[i] >= least && held[i] >= least);
        }
    }
}

static void bad_items_are_refused(void **state)
{
    const double s[] = { 0.1, 0.2, NAN }, x[] = { 0.1, 0.2, 0.3 };
    const bool y[] = { true, false, true }, all[] = { true, true, true };
    iv_scored_value v;
    iv_mean_interval m;

    (void)state;
    assert_int_equal(iv_auc(&v, &(iv_scored_items){ s, y, 3 }, 0.0, NULL), IV_EARG);
    assert_int_equal(iv_auc(&v, &(iv_scored_items){ x, all, 3 }, 0.0, NULL), IV_ENODATA);
    assert_int_equal(iv_scored_ap(&v, &(iv_scored_items){ x, y, 3 }, 1.0, NULL), IV_EARG);
    assert_int_equal(studentised(&m, x, 0, NULL), IV_ENODATA);
    assert_int_equal(studentised(&m, x, 3, NULL), IV_OK);
    assert_true(m.lower < m.mean && m.mean < m.upper);
    assert_near(m.mean, 0.2, 1e-15);
    /* Of 200 losses all but one are equal but for rounding: most resamples have no spread, and
     * the limits are Student's (scipy's t.interval). */
    double losses[200];
    for (size_t i = 0; i < 200; i++)
        losses[i] = i == 7 ? -log(0.1) : i % 2 == 0 ? -log(0.9) : -log(1.0 - 0.1);
    losses[1] += 1e-17;
    losses[2] = nextafter(losses[2], 1.0);
    assert_int_equal(studentised(&m, losses, 200, NULL), IV_OK);
    assert_near(m.lower, 0.0946830, 1e-6);
    assert_near(m.upper, 0.1380102, 1e-6);
}

/* By numpy and scipy, from the formula on the method's page. */
static void classes_of_unequal_size_have_the_spread_they_show(void **state)
{
    static const struct {
        size_t m, n;
        double scores[24], area, lower, upper;
    } cases[] = {
        { 5, 10, { 3, 5.5, 9, 10, 11, 1, 2, 2.5, 4, 5, 6, 0, -1, -2, 3 },
          0.91, 0.5270243452275598, 0.9825961201143067 },
        { 8, 3, { 1, 2, 3, 4, 7, 9, 9, 9, 0, .5, 6 },
          0.8333333333333334, 0.20851402034794367, 0.9881666213981052 },
    };

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        bool y[24];
        iv_scored_value got;
        for (size_t j = 0; j < 24; j++)
            y[j] = j < cases[i].m;
        assert_int_equal(iv_auc(&got, &(iv_scored_items){ cases[i].scores, y,
                                                          cases[i].m + cases[i].n }, 0.0, NULL),
                         IV_OK);
        assert_near(got.value, cases[i].area, 1e-14);
        assert_near(got.lower, cases[i].lower, 1e-9);
        assert_near(got.upper, cases[i].upper, 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(areas_and_tests_equal_the_definitions_and_pROC),
        cmocka_unit_test(an_interval_holds_no_difference_where_p_says_so),
        cmocka_unit_test(systems_that_are_equally_good_are_told_apart_by_few_samples),
        cmocka_unit_test(a_class_that_ties_shows_no_spread),
        cmocka_unit_test(five_items_convince_nobody),
        cmocka_unit_test(two_perfect_systems_may_differ_as_far_as_one_may_be_off),
        cmocka_unit_test(a_perfect_area_has_a_lower_limit),
        cmocka_unit_test(where_one_side_cannot_err_the_other_has_more),
        cmocka_unit_test(classes_of_unequal_size_have_the_spread_they_show),
        cmocka_unit_test(probabilities_are_measured),
        cmocka_unit_test(ties_share_a_bin),
        cmocka_unit_test(bins_of_one_class_are_not_sure_of_their_share),
        cmocka_unit_test(a_threshold_is_the_best_and_its_optimism_is_taken_off),
        cmocka_unit_test(curves_run_from_end_to_end_in_their_bands),
        cmocka_unit_test(bands_have_room_where_items_are_few),
        cmocka_unit_test(bad_items_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
