/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intervals on a mean without resamples: against scipy 1.17 and sums with 30 digits
 * (mpmath), and their coverage summed over all samples there are.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "intervale/num.h"
#include "intervale/stat/interval.h"
#include "near.h"

static iv_mean_interval interval_of(const double *x, size_t n, iv_interval_method method,
                                    double confidence)
{
    const iv_resampling o = { confidence, 200 };
    iv_mean_interval i;

    assert_int_equal(iv_mean_intervals(&i, &x, &method, 1, n, &o, NULL, NULL), IV_OK);
    return i;
}

/* k ones among n. */
static iv_mean_interval share_of(size_t k, size_t n, iv_interval_method method)
{
    double x[64] = { 0 };

    for (size_t i = 0; i < k; i++)
        x[i] = 1.0;
    return interval_of(x, n, method, 0.95);
}

static void shares_have_the_limits_of_the_binomial(void **state)
{
    static const struct {
        size_t k, n;
        double mid_lower, mid_upper, lower, upper, bound_lower, bound_upper;
    } known[] = {
        { 1, 20, 0.00250087283156029, 0.222806055717628, 0.0012650894979498, 0.248732762772028,
          0.000475978161971596, 0.286296124633426 },
        { 0, 20, 0.0, 0.139108340668265, 0.0, 0.168433470983085, 0.0, 0.168433470983085 },
        { 20, 20, 0.860891659331735, 1.0, 0.831566529016915, 1.0, 0.831566529016915, 1.0 },
        { 5, 10, 0.212008506778868, 0.787991493221132, 0.187086028447399, 0.812913971552601,
          0.147545653210407, 0.852454346789593 },
        { 1, 2, 0.025, 0.975, 0.012579117093425, 0.987420882906575, 0.00628955854671252,
          0.993710441453287 },
        { 0, 1, 0.0, 0.95, 0.0, 0.975, 0.0, 0.975 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const iv_mean_interval m = share_of(known[i].k, known[i].n, IV_INTERVAL_BINOMIAL);
        const iv_mean_interval e = share_of(known[i].k, known[i].n, IV_INTERVAL_EXACT);
        const iv_mean_interval b = share_of(known[i].k, known[i].n, IV_INTERVAL_BOUNDED);
        assert_near(m.lower, known[i].mid_lower, 1e-13);
        assert_near(m.upper, known[i].mid_upper, 1e-13);
        assert_near(e.lower, known[i].lower, 1e-13);
        assert_near(e.upper, known[i].upper, 1e-13);
        assert_near(b.lower, known[i].bound_lower, 1e-13);
        assert_near(b.upper, known[i].bound_upper, 1e-13);
        assert_int_equal(m.gap, IV_GAP_NONE);
    }
    const double some[] = { 0.0, 0.25, 0.5, 1.0, 1.0 };
    const iv_mean_interval b = interval_of(some, 5, IV_INTERVAL_BOUNDED, 0.95);
    assert_near(b.lower, 0.0801187595553746, 1e-13);
    assert_near(b.upper, 0.95553759349995, 1e-13);
}

/* At Clopper and Pearson's limits the tails are what is left out. */
static void exact_limits_leave_the_tails_out(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 60; n++)
        for (int64_t k = 0; k <= n; k++) {
            const iv_mean_interval e = share_of((size_t)k, (size_t)n, IV_INTERVAL_EXACT);
            if (k > 0)
                assert_near(iv_binom_sf(k - 1, n, e.lower), 0.025, 1e-10);
            if (k < n)
                assert_near(iv_binom_cdf(k, n, e.upper), 0.025, 1e-10);
        }
}

/* Coverage over a fine grid of shares: its mean and its least value. */
static void coverage_of(double *mean, double *least, size_t n, iv_interval_method method)
{
    enum { GRID = 999 };
    iv_mean_interval found[64];

    *mean = 0.0;
    *least = 1.0;
    for (size_t k = 0; k <= n; k++)
        found[k] = share_of(k, n, method);
    for (int s = 1; s <= GRID; s++) {
        const double p = s / (GRID + 1.0);
        double held = 0.0;
        for (size_t k = 0; k <= n; k++)
            if (p >= found[k].lower - 1e-12 && p <= found[k].upper + 1e-12)
                held += exp(iv_binom_log_pmf((int64_t)k, (int64_t)n, p));
        *mean += held / GRID;
        *least = fmin(*least, held);
    }
}

static void shares_are_covered_as_often_as_is_said(void **state)
{
    double mean, least;

    (void)state;
    for (size_t n = 1; n <= 60; n += n < 10 ? 1 : 5) {
        coverage_of(&mean, &least, n, IV_INTERVAL_BINOMIAL);
        assert_true(mean > 0.95 && mean < (n < 5 ? 1.0 : 0.98) && least > 0.91);
        assert_int_equal(least < 0.92, n == 6); /* scipy: .9121 */
        coverage_of(&mean, &least, n, IV_INTERVAL_EXACT);
        assert_true(least >= 0.95);
        coverage_of(&mean, &least, n, IV_INTERVAL_BOUNDED);
        assert_true(least >= 0.95);
    }
}

/* All samples of 0, 1/2 and 1 with many probabilities: never less than is guaranteed. */
static void bounded_limits_hold_for_values_between_0_and_1(void **state)
{
    enum { N = 9 };
    iv_mean_interval found[N + 1][N + 1]; /* by the numbers of halves and ones */
    double least = 1.0;

    (void)state;
    for (size_t h = 0; h <= N; h++)
        for (size_t o = 0; h + o <= N; o++) {
            double x[N] = { 0 };
            for (size_t i = 0; i < h + o; i++)
                x[i] = i < h ? 0.5 : 1.0;
            found[h][o] = interval_of(x, N, IV_INTERVAL_BOUNDED, 0.95);
        }
    for (double half = 0.0; half <= 1.0; half += 0.05)
        for (double one = 0.0; half + one <= 1.0; one += 0.05) {
            const double truth = one + 0.5 * half, rest = fmax(0.0, 1.0 - one - half);
            double held = 0.0;
            for (size_t h = 0; h <= N; h++)
                for (size_t o = 0; h + o <= N; o++)
                    if (truth >= found[h][o].lower - 1e-12 && truth <= found[h][o].upper + 1e-12)
                        held += exp(lgamma(N + 1.0) - lgamma((double)h + 1.0)
                                    - lgamma((double)o + 1.0) - lgamma((double)(N - h - o) + 1.0))
                            * pow(half, (double)h) * pow(one, (double)o)
                            * pow(rest, (double)(N - h - o));
            least = fmin(least, held);
        }
    assert_true(least >= 0.95);
}

static void scaled_t_is_t_by_the_slope_of_the_scale(void **state)
{
    const double unit[] = { 0.2, 0.4, 0.0, 0.9, 1.0 };
    const double wide[] = { 0, 3, 1, 7.5, 20, 4, 2, 2, 9, 11 };
    iv_mean_interval i = interval_of(unit, 5, IV_INTERVAL_LOGIT_T, 0.95);

    (void)state;
    assert_near(i.lower, 0.10294566071424746, 1e-13);
    assert_near(i.upper, 0.8970543392857525, 1e-13);
    i = interval_of(wide, 10, IV_INTERVAL_LOG_T, 0.95); /* 4.5 degrees of freedom */
    assert_near(i.lower, 2.5020003302929243, 1e-12);
    assert_near(i.upper, 14.14967838787424, 1e-12);
    i = interval_of(wide, 5, IV_INTERVAL_LOG_T, 0.95); /* 3 of 4 */
    assert_near(i.lower, 0.992117599537837, 1e-12);
    assert_near(i.upper, 40.005338095492895, 1e-11);
}

static void equal_values_in_the_unit_interval_allow_for_others(void **state)
{
    const double ones[10] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    const double halves[10] = { .5, .5, .5, .5, .5, .5, .5, .5, .5, .5 };
    iv_mean_interval i = interval_of(ones, 10, IV_INTERVAL_AUTO, 0.95);

    (void)state;
    assert_int_equal(i.method, IV_INTERVAL_LOGIT_T);
    assert_near(i.lower, pow(0.05, 0.1), 1e-14); /* as for 10 of 10, by mid-P */
    assert_near(i.upper, 1.0, 0.0);
    i = interval_of(halves, 10, IV_INTERVAL_AUTO, 0.95);
    assert_near(i.lower, 0.5 * pow(0.05, 0.1), 1e-14);
    assert_near(i.upper, 1.0 - 0.5 * pow(0.05, 0.1), 1e-14);
}

/* Two topics, found and not: once "0.5000 to 0.5000". */
static void lost_resamples_are_not_borne(void **state)
{
    const double two[] = { 1.0, 0.0 };
    double many[40] = { 0 };
    const iv_mean_interval i = interval_of(two, 2, IV_INTERVAL_AUTO, 0.95);

    (void)state;
    assert_int_equal(i.method, IV_INTERVAL_LOGIT_T);
    assert_true(i.lower < 1e-9 && i.upper > 1.0 - 1e-9);
    for (size_t k = 0; k < 40; k++)
        many[k] = k % 2 == 0 ? 0.0 : 0.3; /* half of them: 2^-40 */
    assert_int_equal(interval_of(many, 40, IV_INTERVAL_AUTO, 0.95).method, IV_INTERVAL_LOGIT);
    for (size_t k = 0; k < 36; k++)
        many[k] = 0.0; /* .9^40 */
    assert_int_equal(interval_of(many, 40, IV_INTERVAL_AUTO, 0.95).method, IV_INTERVAL_LOGIT_T);
}

/* Values near an end are not at it, but nearly all resamples without the others lie far away: limits by these
 * were .0000 to .758.  Figures of logit-t by scipy. */
static void values_near_an_end_are_as_those_at_it(void **state)
{
    double x[50], other[50], spread[20];

    (void)state;
    for (size_t k = 0; k < 50; k++) {
        x[k] = k == 49 ? 0.9 : 1e-5;
        other[k] = 1.0 - x[k];
    }
    const iv_mean_interval i = interval_of(x, 50, IV_INTERVAL_AUTO, 0.95);
    const iv_mean_interval j = interval_of(other, 50, IV_INTERVAL_AUTO, 0.95);
    assert_true(i.method == IV_INTERVAL_LOGIT_T && j.method == IV_INTERVAL_LOGIT_T);
    assert_near(i.lower, 0.0023665327363799043, 1e-12);
    assert_near(i.upper, 0.1241863031237802, 1e-12);
    assert_near(j.lower, 1.0 - i.upper, 1e-12);
    for (size_t k = 0; k < 50; k++)
        x[k] = k % 2 == 0 ? 1e-5 : 0.9; /* half of them */
    assert_int_equal(interval_of(x, 50, IV_INTERVAL_AUTO, 0.95).method, IV_INTERVAL_LOGIT);
    for (size_t k = 0; k < 20; k++)
        spread[k] = 0.02 + 0.045 * (double)k;
    assert_int_equal(interval_of(spread, 20, IV_INTERVAL_AUTO, 0.95).method, IV_INTERVAL_LOGIT);
}

static void what_a_method_cannot_do_has_its_reason(void **state)
{
    const double half[] = { 0, 1, 0.5 }, wide[] = { 0, 1, 1.5 }, below[] = { 0, 1, -1 };
    const double same[] = { 3, 3, 3 };

    (void)state;
    assert_int_equal(interval_of(half, 3, IV_INTERVAL_BINOMIAL, 0.95).gap, IV_GAP_NOT_BINARY);
    assert_int_equal(interval_of(half, 3, IV_INTERVAL_EXACT, 0.95).gap, IV_GAP_NOT_BINARY);
    assert_int_equal(interval_of(wide, 3, IV_INTERVAL_BOUNDED, 0.95).gap, IV_GAP_RANGE);
    assert_int_equal(interval_of(wide, 3, IV_INTERVAL_LOGIT_T, 0.95).gap, IV_GAP_RANGE);
    assert_int_equal(interval_of(below, 3, IV_INTERVAL_LOG_T, 0.95).gap, IV_GAP_NEGATIVE);
    assert_int_equal(interval_of(same, 3, IV_INTERVAL_LOG_T, 0.95).gap, IV_GAP_CONSTANT);
    assert_int_equal(interval_of(wide, 1, IV_INTERVAL_LOG_T, 0.95).gap, IV_GAP_ONE_VALUE);
    assert_true(isnan(interval_of(same, 3, IV_INTERVAL_LOG_T, 0.95).lower));
    for (iv_interval_gap g = IV_GAP_NOT_ASKED; g <= IV_GAP_RESAMPLES; g++)
        assert_true(strlen(iv_interval_gap_text(g)) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_have_the_limits_of_the_binomial),
        cmocka_unit_test(exact_limits_leave_the_tails_out),
        cmocka_unit_test(shares_are_covered_as_often_as_is_said),
        cmocka_unit_test(bounded_limits_hold_for_values_between_0_and_1),
        cmocka_unit_test(scaled_t_is_t_by_the_slope_of_the_scale),
        cmocka_unit_test(equal_values_in_the_unit_interval_allow_for_others),
        cmocka_unit_test(lost_resamples_are_not_borne),
        cmocka_unit_test(values_near_an_end_are_as_those_at_it),
        cmocka_unit_test(what_a_method_cannot_do_has_its_reason),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
