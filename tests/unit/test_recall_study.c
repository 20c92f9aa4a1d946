/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about plans and studies of recall, against enumeration. */
#include "study/study.h"
#include "test_recall.h"

/* Every outcome of sampling, beside the grouped ones. */
static void expected_limits_agree_with_enumeration(void **state)
{
    (void)state;
    const iv_recall_guess guess = { 0.6, 0.5 };
    const iv_recall_plan plan = { 1200, 120, { .method = IV_RECALL_BETABIN_HALF }, &guess, 1,
                                  0.4 };
    iv_recall_posterior *w = NULL;
    iv_recall_expected got;
    double lower = 0.0, upper = 0.0, reached = 0.0;

    assert_int_equal(iv_recall_posterior_new(&w, NULL), IV_OK);
    assert_int_equal(iv_recall_expect(&got, &plan, 40, 200, NULL, NULL), IV_OK);
    for (int64_t r1 = 5; r1 <= 36; r1++) {
        for (int64_t r0 = 0; r0 <= 25; r0++) {
            const double mass = exp(iv_hyper_log_pmf(r1, 120, 60, 40)
                                    + iv_hyper_log_pmf(r0, 1080, 40, 200));
            const iv_stratum one = { 120, 40, r1 }, zero = { 1080, 200, r0 };
            const iv_segments s = { &one, &zero, 1, 1 };
            const iv_recall_options o = { .method = IV_RECALL_BETABIN_HALF, .confidence = 0.95 };
            iv_limits i;
            if (mass < 1e-9)
                continue;
            assert_int_equal(iv_recall_interval_of(&i, &s, &o, w, NULL), IV_OK);
            lower += mass * i.lower;
            upper += mass * i.upper;
            reached += i.lower >= 0.4 ? mass : 0.0;
        }
    }
    assert_near(got.lower, lower, 0.001);
    assert_near(got.upper, upper, 0.001);
    assert_near(got.p_lower, reached, 1e-4);
    iv_recall_posterior_free(w);
}

/* .7930990854503 by scipy's hypergeometric and betaln; interpolation had .8015. */
static void the_probability_of_a_lower_limit_is_summed_over_all_samples(void **state)
{
    (void)state;
    const iv_recall_guess guess = { 0.8, 0.5 };
    const iv_recall_plan plan = { 20480, 480, { 0 }, &guess, 1, 0.6 };
    iv_recall_expected got;

    assert_int_equal(iv_recall_expect(&got, &plan, 148, 1677, NULL, NULL), IV_OK);
    assert_near(got.p_lower, 0.7930990854503, 1e-4);
}

/*
 * Tables VI to VIII print these means; 4,000 realisations of ours.  But for the
 * legal n0, where 3,170 is printed and 100 x 2^Unif(0, 7) has mean 2,617.
 */
static void scenarios_have_the_printed_means(void **state)
{
    (void)state;
    static const struct {
        double N, n1, n0; /* means */
    } printed[] = { { 495000, 890, 1150 }, { 10750000, 820, 2617 }, { 3900, 160, 600 } };

    for (int i = 0; i < 3; i++) {
        double N = 0.0, n1 = 0.0, n0 = 0.0;
        for (uint64_t k = 0; k < 4000; k++) {
            const iv_recall_population p =
                iv_recall_realisation((iv_recall_scenario)i, 1, k);
            assert_true(p.R1 >= 1 && p.R1 <= p.N1 && p.R0 <= p.N0 && p.n1 <= p.N1
                        && p.n0 <= p.N0 && p.n1 >= 1 && p.n0 >= 1);
            N += (double)(p.N1 + p.N0) / 4000.0;
            n1 += (double)p.n1 / 4000.0;
            n0 += (double)p.n0 / 4000.0;
        }
        assert_true(fabs(N / printed[i].N - 1.0) < 0.08);
        assert_true(fabs(n1 / printed[i].n1 - 1.0) < 0.12);
        assert_true(fabs(n0 / printed[i].n0 - 1.0) < 0.12);
    }
}

int test_recall_study(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expected_limits_agree_with_enumeration),
        cmocka_unit_test(the_probability_of_a_lower_limit_is_summed_over_all_samples),
        cmocka_unit_test(scenarios_have_the_printed_means),
    };

    return cmocka_run_group_tests_name("recall: plans and studies", tests, NULL, NULL);
}
