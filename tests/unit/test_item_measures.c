/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about pass@k, pass^k, ratios and percentiles of attempts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"
#include "num/dist.h"
#include "stat/interval/item_measures.h"

static void pass_at_k_and_pass_hat_k_are_means_over_all_choices_of_attempts(void **state)
{
    FILE *f = fopen(TESTS_DIR "/oracle/item_measures.tsv", "r");
    char line[300];
    size_t cases = 0;

    (void)state;
    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        size_t n, c, k;
        double any, all;
        if (sscanf(line, "pass %zu %zu %zu\t%lf\t%lf", &n, &c, &k, &any, &all) != 5)
            continue;
        assert_near(iv_pass_any(n, c, k), any, 1e-14);
        assert_near(iv_pass_all(n, c, k), all, 1e-14);
        cases++;
    }
    (void)fclose(f);
    assert_int_equal(cases, 6);
    assert_true(isnan(iv_pass_any(3, 1, 4)) && isnan(iv_pass_all(3, 3, 0)));
}

static void limits_of_a_ratio_are_where_its_t_statistic_is_the_quantile(void **state)
{
    const iv_two_means m = { 0.8, 0.5, 0.01, 0.004, -0.002 };
    double lower, upper;

    (void)state;
    iv_ratio_limits(&lower, &upper, &m, 2.0);
    for (int k = 0; k < 2; k++) {
        const double r = k == 0 ? lower : upper;
        const double se = sqrt(m.vo - 2.0 * r * m.covariance + r * r * m.vu);
        assert_near((m.over - r * m.under) / se, k == 0 ? 2.0 : -2.0, 1e-12);
    }
    iv_ratio_limits(&lower, &upper, &(iv_two_means){ 0.8, 0.1, 0.01, 0.004, 0.0 }, 2.0);
    assert_true(isnan(lower) && isnan(upper)); /* the denominator may be 0 */
}

static void limits_of_a_percentile_are_order_statistics(void **state)
{
    iv_weighted x[100];

    (void)state;
    for (size_t n = 1; n <= 100; n++) {
        for (size_t i = 0; i < n; i++)
            x[i] = (iv_weighted){ (double)(i + 1), 1.0 };
        const iv_interval q = iv_percentile_limits(x, n, (double)n, 0.95, 0.025);
        assert_near(q.value, ceil(0.95 * (double)n - 1e-9), 0.0);
        assert_int_equal(isfinite(q.upper) != 0, n >= 72);
        if (isfinite(q.lower)) /* fewer are below it with probability 0.025 at most, but not more */
            assert_true(iv_binom_cdf((int64_t)q.lower - 1, (int64_t)n, 0.95) <= 0.025
                        && iv_binom_cdf((int64_t)q.lower, (int64_t)n, 0.95) > 0.025);
        if (isfinite(q.upper))
            assert_true(iv_binom_sf((int64_t)q.upper - 1, (int64_t)n, 0.95) <= 0.025
                        && iv_binom_sf((int64_t)q.upper - 2, (int64_t)n, 0.95) > 0.025);
    }
    assert_int_equal(iv_percentile_trials(0.95, 0.05), 59);
    assert_int_equal(iv_percentile_trials(0.95, 0.025), 72);
}

static void percentiles_of_weighted_and_dependent_values_follow_the_weights(void **state)
{
    const iv_weighted x[] = { { 1.0, 1.0 }, { 2.0, 7.0 }, { 3.0, 2.0 } };
    iv_weighted y[80];

    (void)state;
    assert_near(iv_percentile_limits(x, 3, 3.0, 0.5, 0.025).value, 2.0, 0.0);
    assert_near(iv_percentile_limits(x, 3, 3.0, 0.85, 0.025).value, 3.0, 0.0);
    for (size_t i = 0; i < 80; i++)
        y[i] = (iv_weighted){ (double)(i + 1), 1.0 };
    const iv_interval few = iv_percentile_limits(y, 80, 20.0, 0.5, 0.025);
    const iv_interval many = iv_percentile_limits(y, 80, 80.0, 0.5, 0.025);
    assert_true(few.lower < many.lower && few.upper > many.upper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pass_at_k_and_pass_hat_k_are_means_over_all_choices_of_attempts),
        cmocka_unit_test(limits_of_a_ratio_are_where_its_t_statistic_is_the_quantile),
        cmocka_unit_test(limits_of_a_percentile_are_order_statistics),
        cmocka_unit_test(percentiles_of_weighted_and_dependent_values_follow_the_weights),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
