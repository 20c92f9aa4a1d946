/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about the power of the sign test; the name of a test is the claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near.h"
#include "test_compare.h"
#include "num/dist.h"
#include "stat/sign_power.h"

/* The smallest c with P(wins >= c) < 0.05, from sums of binomial coefficients. */
static void critical_values_are_the_smallest_that_reject(void **state)
{
    (void)state;
    static const struct {
        int64_t n, c;
    } known[] = { { 5, 5 }, { 25, 18 }, { 50, 32 }, { 100, 59 }, { 192, 108 }, { 4, 5 },
                  { 1, 2 } };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_int_equal(iv_sign_critical(known[i].n, 0.05), known[i].c);
    for (int64_t n = 1; n < 60; n++) {
        double tail = 0.0, term = ldexp(1.0, (int)-n); /* P(wins = n) */
        int64_t c = n + 1;
        while (tail + term < 0.03) {
            tail += term;
            c--;
            term *= (double)c / (double)(n - c + 1);
        }
        assert_int_equal(iv_sign_critical(n, 0.03), c);
    }
    assert_int_equal(iv_sign_critical(0, 0.05), -1);
    assert_int_equal(iv_sign_critical(10, 1.0), -1);
    /* P(wins >= 1) = 1/2 of one topic is not below 1/2. */
    assert_int_equal(iv_sign_critical(1, 0.5), 2);
}

/* Carterette and Smucker's table 2, with the figures exact arithmetic gives. */
static void powers_are_exact(void **state)
{
    (void)state;
    static const struct {
        int64_t n;
        double h, power;
    } known[] = {
        { 25, 0.25, 0.22175613623295626 }, { 25, 0.35, 0.4043216669034216 },
        { 25, 0.5, 0.7265062115292302 },   { 50, 0.25, 0.47581071211962694 },
        { 50, 0.35, 0.7544013606566671 },  { 50, 0.5, 0.9712668401644692 },
        { 100, 0.25, 0.7963956448744729 }, { 100, 0.35, 0.9708879979608106 },
        { 100, 0.5, 0.999852925702 },      { 50, 0.4, 0.8594401236111054 },
    };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        assert_near(iv_sign_power(known[i].n, known[i].h, 0.05, IV_GREATER), known[i].power,
                    1e-12);
        assert_near(iv_sign_power(known[i].n, -known[i].h, 0.05, IV_LESS), known[i].power,
                    1e-12);
    }
    assert_true(isnan(iv_sign_power(0, 0.1, 0.05, IV_GREATER)));
    assert_true(isnan(iv_sign_power(10, 1.1, 0.05, IV_GREATER)));
}

static void two_sided_power_counts_both_tails(void **state)
{
    (void)state;
    /* n = 25: 18 of 25 and P(wins >= 18) = 0.0216 < 0.025. */
    const double upper = iv_binom_sf(17, 25, 0.6), lower = iv_binom_cdf(7, 25, 0.6);

    assert_near(iv_sign_power(25, 0.2, 0.05, IV_TWO_SIDED), upper + lower, 1e-14);
    assert_near(iv_sign_power(25, 0.0, 0.05, IV_TWO_SIDED), 2.0 * iv_binom_sf(17, 25, 0.5),
                1e-14);
}

static void the_normal_form_and_certainty_are_the_papers(void **state)
{
    (void)state;
    assert_near(iv_sign_power_normal(50, 0.4, 0.05), 0.8817090317783467, 1e-12);
    assert_near(iv_sign_effect_normal(50, 0.6, 0.05), 0.26844612165959314, 1e-12);
    assert_near(iv_sign_effect_normal(50, 0.8, 0.05), 0.3516406470, 1e-10);
    assert_near(iv_sign_effect_normal(50, 0.95, 0.05), 0.4652348615, 1e-10);
    assert_near(iv_uncertain_effect(0.4, 0.8), 0.24, 1e-14);
    assert_near(iv_uncertain_topics(50.0, 0.8), 138.88888888888889, 1e-12);
    assert_near(iv_uncertain_topics(25.0, 0.68), 192.90123456790124, 1e-12);
    assert_true(isinf(iv_uncertain_topics(25.0, 0.5)));
    assert_true(isnan(iv_uncertain_effect(0.4, 0.4)));
}

/* Counts the samples of n topics that reject, of all there are. */
static double enumerate(size_t n, const int *sign, size_t topics)
{
    size_t samples = 0, rejected = 0;

    for (uint32_t set = 0; set < 1u << topics; set++) {
        size_t size = 0, wins = 0, used = 0;
        for (size_t t = 0; t < topics; t++) {
            if ((set >> t & 1) == 0)
                continue;
            size++;
            wins += sign[t] > 0;
            used += sign[t] != 0;
        }
        if (size != n)
            continue;
        samples++;
        rejected += used > 0 && iv_binom_sf((int64_t)wins - 1, (int64_t)used, 0.5) < 0.05;
    }
    return (double)rejected / (double)samples;
}

static void power_in_a_finite_population_is_the_share_of_its_samples(void **state)
{
    (void)state;
    const int sign[] = { 1, 1, 1, -1, 1, 0, 1, 1, -1, 1, 1, 0, 1, 1, 1, -1 };

    for (size_t n = 5; n <= 16; n++)
        assert_near(iv_sign_power_finite((int64_t)n, 11, 2, 3, 0.05), enumerate(n, sign, 16),
                    1e-12);
    assert_true(isnan(iv_sign_power_finite(17, 11, 2, 3, 0.05)));
}

int power_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(critical_values_are_the_smallest_that_reject),
        cmocka_unit_test(powers_are_exact),
        cmocka_unit_test(two_sided_power_counts_both_tails),
        cmocka_unit_test(the_normal_form_and_certainty_are_the_papers),
        cmocka_unit_test(power_in_a_finite_population_is_the_share_of_its_samples),
    };
    return cmocka_run_group_tests_name("power", tests, NULL, NULL);
}
