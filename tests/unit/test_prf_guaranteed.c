/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about limits of precision, recall and F that hold whatever the truth. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "intervale/classify.h"
#include "num/dist.h"
#include "stat/prf/prf_posterior.h"
#include "near.h"

static iv_limits limits(iv_prf_counts c, iv_prf_kind kind, double beta, double confidence)
{
    return iv_prf_guaranteed(&c, (iv_prf_metric){ kind, beta }, confidence);
}

/* scipy.stats.beta: ppf and isf. */
static void shares_have_the_limits_of_clopper_and_pearson(void **state)
{
    (void)state;
    iv_limits i = limits((iv_prf_counts){ 15, 5, 3, -1 }, IV_PRF_PRECISION, 0.0, 0.95);
    assert_near(i.lower, 0.5089541282920426, 1e-12);
    assert_near(i.upper, 0.9134285308985653, 1e-12);
    i = limits((iv_prf_counts){ 10, 3, 15, -1 }, IV_PRF_RECALL, 0.0, 0.9);
    assert_near(i.lower, 0.23558613040124288, 1e-12);
    assert_near(i.upper, 0.5831619630153533, 1e-12);
    i = limits((iv_prf_counts){ 10, 5, 10, 40 }, IV_PRF_F, 1.0, 0.95);
    assert_near(i.lower, 0.3488197616844241, 1e-12);
    assert_near(i.upper, 0.7603406984427977, 1e-12);
    i = limits((iv_prf_counts){ 7, 9, 9, 8 }, IV_PRF_ACCURACY, 0.0, 0.95);
    assert_true(i.lower < 15.0 / 33.0 && i.upper > 15.0 / 33.0);
    assert_near(limits((iv_prf_counts){ 0, 5, 0, 15 }, IV_PRF_SPECIFICITY, 0.0, 0.95).lower,
                0.5089541282920426, 1e-12);
}

static void a_value_of_exactly_0_or_1_is_held(void **state)
{
    (void)state;
    iv_limits i = limits((iv_prf_counts){ 20, 0, 0, 20 }, IV_PRF_F, 1.0, 0.95);
    assert_true(i.upper == 1.0);
    assert_near(i.lower, 2.0 * 0.8315665290169147 / 1.8315665290169147, 1e-12);
    assert_true(limits((iv_prf_counts){ 20, 0, 0, 20 }, IV_PRF_F, 2.0, 0.95).upper == 1.0);
    assert_true(limits((iv_prf_counts){ 0, 3, 4, 20 }, IV_PRF_F, 2.0, 0.95).lower == 0.0);
    i = limits((iv_prf_counts){ 0, 0, 0, 0 }, IV_PRF_RECALL, 0.0, 0.95); /* 0/0 */
    assert_true(i.lower == 0.0 && i.upper == 1.0);
    const iv_prf_metric mcc = { IV_PRF_MCC, 0.0 }, recall = { IV_PRF_RECALL, 0.0 };
    i = (iv_limits){ .lower = 0.2, .upper = 0.9 };
    assert_true(iv_prf_hold_end(i, recall, 1.0).upper == 1.0);
    assert_true(iv_prf_hold_end(i, recall, 0.0).lower == 0.0);
    assert_true(iv_prf_hold_end(i, recall, 0.5).upper == 0.9);
    assert_true(iv_prf_hold_end(i, mcc, 0.0).lower == 0.2);
    assert_true(iv_prf_hold_end(i, mcc, -1.0).lower == -1.0);
}

/* How often limits hold a share, at the truth of a fine grid where that is least. */
static double least_of_share(int64_t n, iv_prf_kind kind)
{
    double least = 1.0;

    for (int k = 0; k <= 1000; k++) {
        const double share = k / 1000.0;
        const double truth = kind == IV_PRF_F ? 2.0 * share / (1.0 + share) : share;
        double held = 0.0;
        for (int64_t x = 0; x <= n; x++) {
            const iv_limits i = limits((iv_prf_counts){ x, n - x, 0, 0 }, kind, 1.0, 0.95);
            if (i.lower <= truth + 1e-12 && truth <= i.upper + 1e-12)
                held += exp(iv_binom_log_pmf(x, n, share));
        }
        least = fmin(least, held);
    }
    return least;
}

static void shares_and_f1_hold_at_every_truth(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 20; n += 19) {
        assert_true(least_of_share(n, IV_PRF_PRECISION) >= 0.95 - 1e-9);
        assert_true(least_of_share(n, IV_PRF_F) >= 0.95 - 1e-9);
    }
}

/* F2 of 12 items returned or relevant, of which tp, fp and fn are trinomial. */
/* Least of 999 rates and of those beside every limit, by scipy. */
static void a_posteriors_least_coverage_is_that_of_enumeration(void **state)
{
    static const iv_prf_metric precision = { IV_PRF_PRECISION, 0.0 }, f1 = { IV_PRF_F, 1.0 };
    static const iv_prf_prior half = { 0.5, 0.5 }, flat = { 1.0, 1.0 };

    (void)state;
    const iv_prf_counts c = { 8, 12, 0, -1 }, fifty = { 30, 11, 9, -1 }, odd = { 30, 7, 9, -1 };
    assert_near(iv_prf_least_coverage(&c, precision, half, 0.95, 0, 1), 0.893383636043457, 1e-9);
    assert_near(iv_prf_least_coverage(&c, f1, half, 0.95, 0, 1), 0.7848276650114218, 1e-9);
    assert_near(iv_prf_least_coverage(&fifty, f1, half, 0.9, 0, 1), 0.7009060771432649, 1e-9);
    assert_near(iv_prf_least_coverage(&odd, precision, flat, 0.95, 0, 1), 0.7874126914791283, 1e-9);
    assert_true(isnan(iv_prf_least_coverage(&c, (iv_prf_metric){ IV_PRF_F, 2.0 }, half, 0.95, 0, 1)));
    assert_true(isnan(iv_prf_least_coverage(&c, (iv_prf_metric){ IV_PRF_ACCURACY, 0.0 }, half,
                                            0.95, 0, 1)));
    /* Of the values near one half alone it is near what it says. */
    const iv_prf_counts many = { 100, 100, 0, -1 };
    assert_true(iv_prf_least_coverage(&many, precision, half, 0.95, 0.43, 0.57) > 0.93);
}

static void f_beta_holds_at_every_truth(void **state)
{
    (void)state;
    enum { N = 12, STEPS = 20 };

    for (int a = 0; a <= STEPS; a++) {
        for (int w = 0; w <= STEPS; w++) {
            const double share = a / (double)STEPS, missed = w / (double)STEPS;
            const double truth = iv_prf_of_cells((iv_prf_metric){ IV_PRF_F, 2.0 }, share,
                                                 (1.0 - share) * (1.0 - missed),
                                                 (1.0 - share) * missed, 0.0);
            double held = 0.0;
            for (int64_t tp = 0; tp <= N; tp++) {
                for (int64_t fn = 0; fn <= N - tp; fn++) {
                    const iv_limits i = limits((iv_prf_counts){ tp, N - tp - fn, fn, -1 },
                                                 IV_PRF_F, 2.0, 0.95);
                    if (i.lower <= truth + 1e-12 && truth <= i.upper + 1e-12)
                        held += exp(iv_binom_log_pmf(tp, N, share)
                                    + iv_binom_log_pmf(fn, N - tp, missed));
                }
            }
            assert_true(held >= 0.95);
        }
    }
}

static void balanced_accuracy_holds_at_every_truth(void **state)
{
    (void)state;
    enum { RELEVANT = 7, OTHERS = 9, STEPS = 20 };

    for (int k = 0; k < (STEPS + 1) * (STEPS + 1); k++) {
        const double r = k / (STEPS + 1) / (double)STEPS, s = k % (STEPS + 1) / (double)STEPS;
        double held = 0.0;
        for (int64_t tp = 0; tp <= RELEVANT; tp++) {
            for (int64_t tn = 0; tn <= OTHERS; tn++) {
                const iv_limits i = limits((iv_prf_counts){ tp, OTHERS - tn, RELEVANT - tp, tn },
                                             IV_PRF_BALANCED_ACCURACY, 0.0, 0.9);
                if (i.lower <= 0.5 * (r + s) + 1e-12 && 0.5 * (r + s) <= i.upper + 1e-12)
                    held += exp(iv_binom_log_pmf(tp, RELEVANT, r)
                                + iv_binom_log_pmf(tn, OTHERS, s));
            }
        }
        assert_true(held >= 0.9);
    }
}

static iv_prf_evaluation *evaluate(const iv_prf_entry *entries, size_t count, bool guaranteed)
{
    iv_prf_evaluation *e = NULL;

    assert_int_equal(iv_prf_evaluate(&e, &(iv_prf_input){ .entries = entries,
                                                          .entry_count = count },
                                     &(iv_prf_options){ .guaranteed = guaranteed,
                                                        .draws = 1000 }, NULL, NULL), IV_OK);
    return e;
}

static void no_value_lies_outside_its_interval(void **state)
{
    (void)state;
    const iv_prf_entry all[] = { { "right", NULL, { 20, 0, 0, 30 } },
                                 { "wrong", NULL, { 0, 20, 30, 0 } },
                                 { "nearly", NULL, { 19, 1, 0, 1 } },
                                 { "hardly", NULL, { 1, 30, 1, 0 } } };

    for (int g = 0; g < 2; g++) {
        iv_prf_evaluation *e = evaluate(all, 4, g == 1);
        for (size_t i = 0; i < e->estimate_count; i++) {
            const iv_prf_estimate *x = &e->estimates[i];
            const bool none = g == 1 && x->kind.kind == IV_PRF_MCC;
            if (isnan(x->value))
                continue;
            assert_true(none ? isnan(x->lower) : x->lower <= x->value + 1e-12);
            assert_true(none ? isnan(x->upper) : x->upper >= x->value - 1e-12);
        }
        iv_prf_evaluation_free(e);
    }
}

/* Bonferroni's limits: each category at 1 - .05/2. */
static void a_macro_average_has_limits_that_hold_for_all_categories(void **state)
{
    (void)state;
    const iv_prf_entry two[] = { { "s", "a", { 15, 5, 3, -1 } }, { "s", "b", { 9, 1, 6, -1 } } };
    iv_prf_evaluation *e = evaluate(two, 2, true);
    const iv_prf_estimate *macro = iv_prf_find(e, 0, "precision[macro]");
    const iv_prf_estimate *micro = iv_prf_find(e, 0, "precision[micro]");
    const iv_limits a = limits(two[0].counts, IV_PRF_PRECISION, 0.0, 0.975);
    const iv_limits b = limits(two[1].counts, IV_PRF_PRECISION, 0.0, 0.975);

    assert_non_null(macro);
    assert_near(macro->lower, 0.5 * (a.lower + b.lower), 1e-12);
    assert_near(macro->upper, 0.5 * (a.upper + b.upper), 1e-12);
    assert_true(isnan(micro->lower) && isnan(micro->upper));
    iv_prf_evaluation_free(e);
}

/* Goutte and Gaussier's equation 20 with the prior 1/2 for all three: 1 / (3 + 1.5); 5 / 112.5. */
static void a_paired_difference_has_the_prior_of_the_paper(void **state)
{
    (void)state;
    static const char *const systems[] = { "a", "b" };
    static const int32_t labels[] = { 1, 1, 0, 0, 0, 0, 1, 1, 1 };
    const iv_labels l = { .items = 3, .systems = 2, .classes = 2, .binary = true, .at = labels,
                          .system_names = systems };
    iv_prf_evaluation *e = NULL;

    assert_int_equal(iv_prf_evaluate(&e, &(iv_prf_input){ .labelled = &l },
                                     &(iv_prf_options){ .paired = true, .draws = 40000 }, NULL,
                                     NULL), IV_OK);
    assert_near(e->alone[0].difference, 1.0 / 4.5, 1e-12);
    iv_prf_evaluation_free(e);
    static const char *const pair[] = { "A:B=58:53:111" };
    iv_prf_input counts = { .counts = { pair, 1 } };
    assert_int_equal(iv_prf_evaluate(&e, &counts, &(iv_prf_options){ .paired = true }, NULL, NULL),
                     IV_OK);
    assert_near(e->alone[0].difference, 0.04444444444444444, 1e-12);
    assert_near(e->alone[0].log_odds, iv_digamma(58.5) - iv_digamma(53.5), 1e-12);
    assert_near(e->alone[0].probability, iv_beta_cdf(0.5, 53.5, 58.5), 1e-12);
    iv_prf_evaluation_free(e);
}

static void what_cannot_be_guaranteed_is_refused(void **state)
{
    (void)state;
    const char *counts[] = { "A=8,2,4", "B=7,1,4" };
    iv_prf_evaluation *e = NULL;

    assert_int_equal(iv_prf_evaluate(&e, &(iv_prf_input){ .counts = { counts, 2 } },
                                     &(iv_prf_options){ .compare = true, .guaranteed = true },
                                     NULL, NULL), IV_EARG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_have_the_limits_of_clopper_and_pearson),
        cmocka_unit_test(a_value_of_exactly_0_or_1_is_held),
        cmocka_unit_test(shares_and_f1_hold_at_every_truth),
        cmocka_unit_test(a_posteriors_least_coverage_is_that_of_enumeration),
        cmocka_unit_test(f_beta_holds_at_every_truth),
        cmocka_unit_test(balanced_accuracy_holds_at_every_truth),
        cmocka_unit_test(no_value_lies_outside_its_interval),
        cmocka_unit_test(a_macro_average_has_limits_that_hold_for_all_categories),
        cmocka_unit_test(a_paired_difference_has_the_prior_of_the_paper),
        cmocka_unit_test(what_cannot_be_guaranteed_is_refused),
    };

    return cmocka_run_group_tests_name("prf guaranteed", tests, NULL, NULL);
}
