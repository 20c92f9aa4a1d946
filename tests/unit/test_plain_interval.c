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

#include "near.h"
#include "num/dist.h"
#include "result/methods.h"
#include "stat/interval_methods.h"

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
        double wilson_lower, wilson_upper, lower, upper, bound_lower, bound_upper;
    } known[] = {
        { 1, 20, 0.008881448800795392, 0.23613119344674208, 0.0012650894979498, 0.248732762772028,
          0.000475978161971596, 0.286296124633426 },
        { 0, 20, 0.0, 0.1611251580528194, 0.0, 0.168433470983085, 0.0, 0.168433470983085 },
        { 20, 20, 0.8388748419471806, 1.0, 0.831566529016915, 1.0, 0.831566529016915, 1.0 },
        { 5, 10, 0.236593090512564, 0.763406909487436, 0.187086028447399, 0.812913971552601,
          0.147545653210407, 0.852454346789593 },
        { 1, 2, 0.09453120573423077, 0.9054687942657692, 0.012579117093425, 0.987420882906575, 0.00628955854671252,
          0.993710441453287 },
        { 0, 1, 0.0, 0.7934506856227627, 0.0, 0.975, 0.0, 0.975 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const iv_mean_interval m = share_of(known[i].k, known[i].n, IV_INTERVAL_WILSON);
        const iv_mean_interval e = share_of(known[i].k, known[i].n, IV_INTERVAL_EXACT);
        const iv_mean_interval b = share_of(known[i].k, known[i].n, IV_INTERVAL_BOUNDED);
        assert_near(m.lower, known[i].wilson_lower, 1e-13);
        assert_near(m.upper, known[i].wilson_upper, 1e-13);
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
        coverage_of(&mean, &least, n, IV_INTERVAL_WILSON);
        assert_true(n < 5 || (mean > 0.948 && mean < 0.97)); /* Brown, Cai and DasGupta 2001 */
        assert_true(n < 5 || least > 0.83);
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
    const iv_mean_interval i = interval_of(unit, 5, IV_INTERVAL_LOGIT_T, 0.95);

    (void)state;
    assert_near(i.lower, 0.10294566071424746, 1e-13);
    assert_near(i.upper, 0.8970543392857525, 1e-13);
}

/* The default: Wilson for 0 and 1, Park's method within [0, 1], the Studentised bootstrap elsewhere; no switch
 * depends on how many values are near an end. */
static void the_default_depends_on_the_range_of_values_alone(void **state)
{
    double x[50];
    const double ones[3] = { 1, 1, 1 }, halves[3] = { .5, .5, .5 }, wide[] = { 0, 3, 1, 7.5, 20 };

    (void)state;
    assert_int_equal(interval_of(ones, 3, IV_INTERVAL_AUTO, 0.95).method, IV_INTERVAL_WILSON);
    assert_int_equal(interval_of(halves, 3, IV_INTERVAL_AUTO, 0.95).gap, IV_GAP_CONSTANT);
    assert_int_equal(interval_of(wide, 5, IV_INTERVAL_AUTO, 0.95).method, IV_INTERVAL_BOOTSTRAP_T);
    for (size_t k = 0; k < 50; k++)
        x[k] = k == 49 ? 0.9 : 0.0;
    assert_int_equal(interval_of(x, 50, IV_INTERVAL_AUTO, 0.95).method, IV_INTERVAL_LOGIT);
    for (size_t k = 0; k < 49; k++)
        x[k] = 1e-5;
    assert_int_equal(interval_of(x, 50, IV_INTERVAL_AUTO, 0.95).method, IV_INTERVAL_LOGIT);
}

/* Every method has a name, a text, a reference and a function: one that lacks its text once
 * printed "(null)". */
static void every_method_has_its_row(void **state)
{
    const double unit[] = { 0.1, 0.4, 0.3, 0.9 }, binary[] = { 0, 1, 1, 0 };

    (void)state;
    for (size_t m = 0; iv_interval_names()[m] != NULL; m++) {
        const iv_interval_info *row = iv_interval_about((iv_interval_method)m);
        assert_string_equal(row->name, iv_interval_names()[m]);
        if (row->least == 0)
            continue;
        char key[64]; /* the first of its papers */
        (void)snprintf(key, sizeof key, "%.*s", (int)strcspn(row->cite, " "), row->cite);
        assert_true(strlen(row->text) > 0 && iv_reference_find(&(iv_citation){ NULL }, key));
        const iv_mean_interval i = interval_of(row->values == IV_VALUES_BINARY ? binary : unit, 4,
                                               (iv_interval_method)m, 0.95);
        assert_true(i.gap == IV_GAP_NONE && i.lower < i.mean && i.mean < i.upper);
        assert_int_equal(interval_of(unit, row->least - 1 + (row->least == 1), (iv_interval_method)m,
                                     0.95).gap == IV_GAP_ONE_VALUE, row->least > 1);
    }
}

static void what_a_method_cannot_do_has_its_reason(void **state)
{
    const double half[] = { 0, 1, 0.5 }, wide[] = { 0, 1, 1.5 };
    const double same[] = { 3, 3, 3 };

    (void)state;
    assert_int_equal(interval_of(half, 3, IV_INTERVAL_WILSON, 0.95).gap, IV_GAP_NOT_BINARY);
    assert_int_equal(interval_of(half, 3, IV_INTERVAL_EXACT, 0.95).gap, IV_GAP_NOT_BINARY);
    assert_int_equal(interval_of(wide, 3, IV_INTERVAL_BOUNDED, 0.95).gap, IV_GAP_RANGE);
    assert_int_equal(interval_of(wide, 3, IV_INTERVAL_LOGIT_T, 0.95).gap, IV_GAP_RANGE);
    assert_int_equal(interval_of(same, 3, IV_INTERVAL_T, 0.95).gap, IV_GAP_CONSTANT);
    assert_int_equal(interval_of(wide, 1, IV_INTERVAL_BOOTSTRAP_T, 0.95).gap, IV_GAP_ONE_VALUE);
    assert_true(isnan(interval_of(same, 3, IV_INTERVAL_T, 0.95).lower));
    for (iv_interval_gap g = IV_GAP_NOT_ASKED; g <= IV_GAP_RESAMPLES; g++)
        assert_true(strlen(iv_interval_gap_text(g)) > 0);
}

static void the_interval_of_a_gate_has_the_farther_limits_and_is_exact_for_0_and_1(void **state)
{
    (void)state;
    const double x[] = { 0.1, 0.2, 0.2, 0.3, 0.3, 0.4, 0.4, 0.5, 0.6, 2.9 };
    const double shares[] = { 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0 };
    const iv_mean_interval t = interval_of(x, 10, IV_INTERVAL_T, 0.95);
    const iv_mean_interval far = interval_of(x, 10, IV_INTERVAL_LARGER_T, 0.95);
    const iv_mean_interval k = interval_of(shares, 10, IV_INTERVAL_LARGER_T, 0.95);

    /* Of values skewed to the right the upper limit of t is too low (Hall 1992): Hall's t there is
     * that of t(9) at 0.025. */
    assert_true(far.lower == t.lower && far.upper > t.upper);
    const double n = 10.0, sd = t.se * sqrt(n), w = (t.mean - far.upper) / sd, g = t.skewness;
    const double hall = sqrt(n) * (w + g * w * w / 3.0 + g * g * w * w * w / 27.0 + g / (6.0 * n));
    assert_true(fabs(hall + 2.262157162740992) < 1e-9);
    /* R: binom.test(8, 10): 0.4439045, 0.9747893 */
    assert_true(k.method == IV_INTERVAL_EXACT && fabs(k.lower - 0.4439045) < 1e-7
                && fabs(k.upper - 0.9747893) < 1e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_have_the_limits_of_the_binomial),
        cmocka_unit_test(exact_limits_leave_the_tails_out),
        cmocka_unit_test(shares_are_covered_as_often_as_is_said),
        cmocka_unit_test(bounded_limits_hold_for_values_between_0_and_1),
        cmocka_unit_test(scaled_t_is_t_by_the_slope_of_the_scale),
        cmocka_unit_test(the_default_depends_on_the_range_of_values_alone),
        cmocka_unit_test(every_method_has_its_row),
        cmocka_unit_test(what_a_method_cannot_do_has_its_reason),
        cmocka_unit_test(the_interval_of_a_gate_has_the_farther_limits_and_is_exact_for_0_and_1),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
