/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about one-sided evidence; the name of a test is the claim. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "num/dist.h"
#include "intervale/result.h"
#include "stat/evidence.h"

static void assert_near(double x, double want, double off)
{
    if (!(fabs(x - want) <= off))
        fail_msg("%.12g, expected %.12g", x, want);
}

static void a_proportion_has_the_tails_of_the_binomial(void **state)
{
    (void)state;
    /* R: binom.test(8, 10, .5, "greater"): p 0.0546875, lower limit 0.4930987. */
    iv_evidence e = iv_proportion_evidence(8, 10, 0.5, 0.05);
    assert_near(e.p_above, 0.0546875, 1e-12);
    assert_near(e.lower, 0.4930987, 1e-7);
    assert_near(e.p_below, 1013.0 / 1024.0, 1e-12);
    /* All of 38: the limit is .05^(1/38), below .95. */
    e = iv_proportion_evidence(38, 38, 0.95, 0.05);
    assert_near(e.p_above, pow(0.95, 38.0), 1e-12);
    assert_near(e.lower, pow(0.05, 1.0 / 38.0), 1e-12);
    assert_true(e.upper == 1.0 && e.p_below == 1.0);
    assert_true(isnan(iv_proportion_evidence(2, 1, 0.5, 0.05).p_above));
}

static void f1_is_decided_as_the_proportion_of_hits_among_hits_and_errors(void **state)
{
    (void)state;
    const iv_evidence f = iv_f1_evidence(30, 4, 6, 0.8, 0.05);
    const iv_evidence j = iv_proportion_evidence(30, 40, 0.8 / 1.2, 0.05);

    assert_near(f.estimate, 60.0 / 70.0, 1e-12);
    assert_near(f.p_above, j.p_above, 0.0);
    assert_near(f.lower, 2.0 * j.lower / (1.0 + j.lower), 1e-12);
}

static void a_mean_has_the_larger_p_of_t_and_of_halls_t(void **state)
{
    (void)state;
    const iv_mean_summary plain = { 0.3, 0.5, 16.0, 15.0, NAN };
    const iv_mean_summary skewed = { 0.3, 0.5, 16.0, 15.0, 1.5 };
    const iv_evidence a = iv_mean_evidence(&plain, 0.0, 0.05);
    const iv_evidence b = iv_mean_evidence(&skewed, 0.0, 0.05);

    assert_near(a.p_above, 0.0149124647, 1e-9); /* the density integrated by Simpson's rule */
    assert_near(a.lower, 0.3 - 1.753050 * 0.125, 1e-6);
    assert_true(b.p_above >= a.p_above && b.lower <= a.lower && b.upper > a.upper);
    assert_near(iv_mean_evidence(&plain, a.lower, 0.05).p_above, 0.05, 1e-10);
    assert_near(iv_mean_evidence(&skewed, b.upper, 0.05).p_below, 0.05, 1e-10);
    assert_true(isnan(iv_mean_evidence(&(iv_mean_summary){ 1.0, 0.0, 9.0, 8.0, NAN }, 0.0,
                                       0.05).p_above));
}

/* All sequences of 0 and 1, each with its probability. */
static void betting_errs_no_more_often_than_its_level_whatever_the_data(void **state)
{
    (void)state;
    static const double rates[] = { 0.05, 0.3, 0.5, 0.9 };
    enum { N = 12 };
    double x[N];

    for (size_t k = 0; k < 4; k++) {
        double above = 0.0, below = 0.0;
        for (unsigned s = 0; s < 1u << N; s++) {
            double chance = 1.0;
            for (int i = 0; i < N; i++) {
                x[i] = s >> i & 1 ? 1.0 : 0.0;
                chance *= x[i] > 0.0 ? rates[k] : 1.0 - rates[k];
            }
            const iv_evidence e = iv_betting_evidence(x, N, 0.0, 1.0, rates[k], 0.05);
            above += e.p_above < 0.05 ? chance : 0.0;
            below += e.p_below < 0.05 ? chance : 0.0;
        }
        assert_true(above <= 0.05 && below <= 0.05);
    }
}

static void betting_does_not_depend_on_the_unit_and_its_limits_are_where_p_is_the_level(void **state)
{
    (void)state;
    double x[60], y[60];

    for (int i = 0; i < 60; i++) {
        x[i] = 0.5 + 0.2 * sin(7.0 * i);
        y[i] = 1.0 + 9.0 * x[i];
    }
    const iv_evidence a = iv_betting_evidence(x, 60, 0.0, 1.0, 0.4, 0.05);
    const iv_evidence b = iv_betting_evidence(y, 60, 1.0, 10.0, 4.6, 0.05);
    assert_near(a.p_above, b.p_above, 1e-9);
    assert_near(1.0 + 9.0 * a.lower, b.lower, 1e-9);
    assert_near(iv_betting_evidence(x, 60, 0.0, 1.0, a.lower, 0.05).p_above, 0.05, 1e-6);
    assert_near(iv_betting_evidence(x, 60, 0.0, 1.0, a.upper, 0.05).p_below, 0.05, 1e-6);
    assert_true(isnan(iv_betting_evidence(x, 60, 0.4, 0.6, 0.5, 0.05).p_above));
    /* Equal values: 59 items exclude losses of 1 that make a loss of .05. */
    assert_true(iv_equal_evidence(0.0, 59.0, -1.0, 1.0, -0.05, IV_GREATER) < 0.05);
    assert_true(iv_equal_evidence(0.0, 58.0, -1.0, 1.0, -0.05, IV_GREATER) > 0.05);
    assert_near(iv_equal_evidence(0.0, 20.0, -9.0, 9.0, -0.45, IV_GREATER), pow(0.95, 20.0), 1e-12);
    assert_true(isnan(iv_equal_evidence(0.0, 20.0, 0.0, 0.0, -0.05, IV_GREATER)));
}

static void mover_of_symmetric_limits_is_the_normal_interval_of_a_difference(void **state)
{
    (void)state;
    const iv_interval a = { 0.7, NAN, 0.6, 0.8 }, b = { 0.5, NAN, 0.45, 0.55 };
    double lower, upper;

    iv_mover_limits(&lower, &upper, &a, &b, 0.5);
    const double half = sqrt(0.01 + 0.0025 - 0.005);
    assert_near(lower, 0.2 - half, 1e-12);
    assert_near(upper, 0.2 + half, 1e-12);
}

static void limits_and_p_of_an_auc_difference_say_the_same(void **state)
{
    (void)state;
    enum { N = 60 };
    double a[N], b[N];
    bool positive[N];
    iv_evidence e;

    for (int i = 0; i < N; i++) {
        positive[i] = i % 3 == 0;
        a[i] = sin(5.0 * i) + (positive[i] ? 1.2 : 0.0);
        b[i] = cos(3.0 * i) + 0.5 * a[i];
    }
    for (int k = 0; k <= 20; k++) {
        const double from = -0.3 + 0.03 * k;
        assert_int_equal(iv_auc_evidence(&e, a, b, positive, N, from, 0.05, NULL), IV_OK);
        assert_true((e.p_above < 0.05) == (e.lower > from));
        assert_true((e.p_below < 0.05) == (e.upper < from));
    }
    assert_int_equal(iv_auc_evidence(&e, a, a, positive, N, -0.05, 0.05, NULL), IV_OK);
    assert_true(e.estimate == 0.0);
}

static void alike_predictions_pass_only_with_enough_positives(void **state)
{
    (void)state;
    iv_paired_labels x = { 0 };

    x.items[0][0][0] = 100;
    x.items[1][1][1] = 31;
    assert_near(iv_prf_pair_evidence(&x, IV_PAIRED_RECALL, -0.05, 0.05).p_above,
                pow(0.95, 31.0), 1e-6);
    x.items[1][1][1] = 59;
    const iv_evidence e = iv_prf_pair_evidence(&x, IV_PAIRED_RECALL, -0.05, 0.05);
    assert_true(e.p_above < 0.05 && e.lower > -0.05);
    x.items[1][1][1] = 20;
    for (iv_paired_metric m = IV_PAIRED_RECALL; m <= IV_PAIRED_F1; m++) {
        const iv_evidence f = iv_prf_pair_evidence(&x, m, -0.05, 0.05);
        assert_true((f.p_above < 0.05) == (f.lower > -0.05));
        assert_true(m == IV_PAIRED_SPECIFICITY || m == IV_PAIRED_ACCURACY || f.p_above > 0.05);
    }
}

static void what_would_change_a_claim_follows_from_its_limits(void **state)
{
    (void)state;
    const double z = iv_norm_isf(0.05), half = z * 0.01;
    iv_claim c = { .kind = IV_CLAIM_NOT_WORSE, .baseline = "b", .bound = 0.02, .estimate = 0.0,
                   .lower = -half, .upper = half, .level = 0.05, .items = 100.0 };

    iv_claim_outlook(&c);
    assert_near(c.detectable, 0.02 + (z + iv_norm_isf(0.2)) * 0.01, 1e-12);
    assert_near(c.needed, ceil(100.0 * pow((z + iv_norm_isf(0.2)) * 0.01 / 0.02, 2.0)), 0.0);
    c.estimate = -0.03;
    iv_claim_outlook(&c);
    assert_true(isinf(c.needed));
}

/* Independent runs of these bets on simulated items passed in 0.80 of 450 (differences -1, 0 and 1 of
 * scores 1 to 10, margin 0.12). */
static void bets_need_more_items_than_the_t_test(void **state)
{
    (void)state;
    const double items = iv_betting_items(0.0, 0.632, -9.0, 9.0, -0.12, 0.05);
    assert_true(items > 400.0 && items < 550.0);
    assert_true(iv_betting_items(0.1, 0.632, -9.0, 9.0, -0.12, 0.05) < items);
    assert_true(isinf(iv_betting_items(-0.12, 0.632, -9.0, 9.0, -0.12, 0.05)));
    /* Equal differences: as many as lose no bet, at least those that exclude unseen losses. */
    assert_true(iv_betting_items(0.0, 0.0, -1.0, 1.0, -0.05, 0.05) >= 59.0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(bets_need_more_items_than_the_t_test),
        cmocka_unit_test(a_proportion_has_the_tails_of_the_binomial),
        cmocka_unit_test(f1_is_decided_as_the_proportion_of_hits_among_hits_and_errors),
        cmocka_unit_test(a_mean_has_the_larger_p_of_t_and_of_halls_t),
        cmocka_unit_test(betting_errs_no_more_often_than_its_level_whatever_the_data),
        cmocka_unit_test(betting_does_not_depend_on_the_unit_and_its_limits_are_where_p_is_the_level),
        cmocka_unit_test(mover_of_symmetric_limits_is_the_normal_interval_of_a_difference),
        cmocka_unit_test(limits_and_p_of_an_auc_difference_say_the_same),
        cmocka_unit_test(alike_predictions_pass_only_with_enough_positives),
        cmocka_unit_test(what_would_change_a_claim_follows_from_its_limits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
