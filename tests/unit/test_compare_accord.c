/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about what a comparison says of one pair: intervals, p, ranks and letters never
 * contradict each other; the name of a test is the claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "drawn.h"
#include "near.h"
#include "test_compare.h"
#include "num/dist.h"
#include "num/draw.h"
#include "stat/pair_tests.h"
#include "stat/paired/comparison.h"

enum { RUNS = 6, TOPICS = 22 };

static iv_comparison *compared(const double *x, size_t systems, size_t topics,
                               const iv_compare_options *o)
{
    iv_comparison *c = NULL;
    iv_err err = { IV_OK, "" };

    if (iv_compare(&c, x, systems, topics, o, NULL, &err) != IV_OK)
        fail_msg("%s", err.msg);
    return c;
}

/* Boards of several kinds: alike, families of near-copies, sparse, 0 and 1, skewed. */
static void make_board(double *x, int kind, uint64_t seed)
{
    iv_stream s = iv_stream_start(seed, IV_FOR_CALLER, (uint64_t)kind);

    for (size_t t = 0; t < TOPICS; t++) {
        const double base = iv_draw_beta(&s, 1.0, 2.0);
        for (size_t k = 0; k < RUNS; k++) {
            const double own = iv_draw_beta(&s, 1.0, 2.0), step = 0.05 * (double)(seed % 4);
            x[k * TOPICS + t] = kind == 0 ? 0.7 * base + 0.3 * own + step * (double)k
                : kind == 1 ? base + (k < 4 ? 0.01 : 0.3) * own + (k == 5 ? step : 0.0)
                : kind == 2 ? base + (own > 0.6 ? 0.2 * own : 0.0)
                : kind == 3 ? (own > 0.5 - step * (double)k ? 1.0 : 0.0)
                            : base * base * base * own + step * (double)k;
        }
    }
}

static bool share_letter(const char *a, const char *b)
{
    return strpbrk(a, b) != NULL;
}

/* What lower, upper and p say of one pair is the same. */
static void assert_accord(double lower, double upper, iv_limit limit, double p, int direction)
{
    if (p < 0.05 - 1e-12 && direction > 0)
        assert_true(limit == IV_LIMIT_CUT ? lower == 0.0 : lower > 0.0);
    else if (p < 0.05 - 1e-12)
        assert_true(direction < 0 && (limit == IV_LIMIT_CUT ? upper == 0.0 : upper < 0.0));
    else
        assert_true(lower <= 0.0 && upper >= 0.0 && limit != IV_LIMIT_CUT);
}

static void check_board(const iv_comparison *c, const iv_compare_options *o)
{
    const iv_compared_pair *p;
    const iv_compared_run *r;
    const iv_compared_test *t;
    const size_t n = iv_comparison_pairs(&p, c);
    bool above[RUNS][RUNS] = { { false } };

    r = c->runs;
    for (size_t i = 0; i < n; i++) {
        (void)iv_comparison_tests(&t, c, i);
        const bool found = t->p_adjusted < 0.05 - 1e-12;
        assert_true(isnan(t->test.p) || t->p_adjusted >= t->test.p);
        if (t->kind == IV_TEST_LARGER_P || t->kind == IV_TEST_T || t->kind == IV_TEST_MCNEMAR) {
            /* The interval is what the test does not reject: nothing has to be moved. */
            assert_true(p[i].limit == IV_LIMIT_KEPT);
            assert_true(o->correction == IV_CORRECT_TUKEY
                        || p[i].limit_adjusted != IV_LIMIT_WIDENED);
        }
        if (iv_pair_test_of_mean(t->kind)) {
            assert_accord(p[i].lower, p[i].upper, p[i].limit, t->test.p, t->direction);
            assert_accord(p[i].lower_adjusted, p[i].upper_adjusted, p[i].limit_adjusted,
                          t->p_adjusted, t->direction);
        }
        if (r[0].letters != NULL)
            assert_true(share_letter(r[p[i].a].letters, r[p[i].b].letters) == !found);
        if (found && o->alternative != IV_TWO_SIDED)
            assert_int_equal(t->direction, o->alternative == IV_GREATER ? 1 : -1);
        if (found)
            above[t->direction > 0 ? p[i].a : p[i].b][t->direction > 0 ? p[i].b : p[i].a] = true;
    }
    /* Who is above a run is above those below it: a baseline parts runs that were not compared. */
    for (size_t k = 0; k < RUNS; k++)
        for (size_t a = 0; a < RUNS; a++)
            for (size_t b = 0; b < RUNS; b++)
                above[a][b] = above[a][b] || (above[a][k] && above[k][b]);
    for (size_t s = 0; s < RUNS; s++) {
        size_t better = 0, worse = 0;
        for (size_t other = 0; other < RUNS; other++) {
            better += above[other][s];
            worse += above[s][other];
        }
        assert_int_equal(r[s].rank_lower, 1 + better);
        assert_int_equal(r[s].rank_upper, RUNS - worse);
    }
    assert_true((r[0].letters != NULL)
                == (o->baseline_count == 0 && o->alternative == IV_TWO_SIDED));
}

static void interval_p_letters_and_ranks_say_the_same(void **state)
{
    (void)state;
    static const size_t bases[] = { 4, 1 };
    double x[RUNS * TOPICS];

    for (uint64_t seed = 0; seed < 4; seed++)
        for (int kind = 0; kind < 5; kind++)
            for (int side = 0; side < 3; side++)
                for (int correction = 0; correction <= IV_CORRECT_TUKEY; correction++)
                    for (int test = 0; test < IV_TEST_BETTING; test++) {
                        const iv_pair_test tests[] = { (iv_pair_test)test };
                        const iv_compare_options o = {
                            .tests = tests, .test_count = 1, .resamples = 100, .permutations = 200,
                            .correction = (iv_correction)correction,
                            .alternative = (iv_alternative)side, .baselines = bases,
                            .baseline_count = correction == IV_CORRECT_TUKEY ? (side > 0)
                                : seed % 3 };
                        if ((test == IV_TEST_MCNEMAR && kind != 3)
                            || (correction == IV_CORRECT_BH && test != IV_TEST_T))
                            continue;
                        make_board(x, kind, seed);
                        iv_comparison *c = compared(x, RUNS, TOPICS, &o);
                        check_board(c, &o);
                        iv_comparison_free(c);
                    }
}

/* Topics 1 to 5 and their limits; scipy's t.ppf(1 - .05 / 3 / 2, 4) is 3.9607864828 */
static void adjusted_intervals_are_bonferronis(void **state)
{
    (void)state;
    static const double x[] = { 0.50, 0.61, 0.43, 0.72, 0.55,  0.40, 0.35, 0.38, 0.51, 0.39,
                                0.10, 0.22, 0.05, 0.30, 0.21 };
    iv_compare_options by_t = { .correction = IV_CORRECT_BONFERRONI, .test_count = 1,
                                .tests = (const iv_pair_test[]){ IV_TEST_T } };
    const iv_compared_pair *p;

    iv_comparison *c = compared(x, 3, 5, &by_t);
    assert_int_equal(iv_comparison_pairs(&p, c), 3);
    assert_near(p[0].lower_adjusted, 0.007483710104562669, 1e-12);
    assert_near(p[0].upper_adjusted, 0.3045162898954373, 1e-12);
    assert_near(p[2].lower_adjusted, 0.08233117088798983, 1e-12);
    assert_near(p[2].upper_adjusted, 0.37766882911201016, 1e-12);
    iv_comparison_free(c);
    /* Five topics have no randomisation p below 1/16: the interval is widened to 0. */
    by_t.tests = (const iv_pair_test[]){ IV_TEST_RANDOMISATION };
    c = compared(x, 3, 5, &by_t);
    (void)iv_comparison_pairs(&p, c);
    assert_int_equal(p[2].limit_adjusted, IV_LIMIT_WIDENED);
    assert_near(p[2].lower_adjusted, 0.0, 0.0);
    assert_near(p[2].upper_adjusted, 0.37766882911201016, 1e-12);
    iv_comparison_free(c);
}

/* Limits by Hall's t (1992), by numpy and scipy; on the other side they are Student's. */
static void default_intervals_are_corrected_for_skewness(void **state)
{
    (void)state;
    enum { T = 12 };
    double x[3 * T] = { 0 };
    const iv_compare_options o = { 0 };
    const iv_compared_pair *p;

    for (size_t t = 0; t < T; t++) {
        x[t] = 0.30 + 0.02 * (double)((5 * t) % T);
        x[T + t] = x[t] - 0.01 * (double)((7 * t) % T) - (t == 3 ? 0.5 : 0.0);
        x[2 * T + t] = x[t] + 0.02 * (double)t;
    }
    iv_comparison *c = compared(x, 3, T, &o);
    (void)iv_comparison_pairs(&p, c);
    assert_true(p[0].found.skewness > 2.0);
    assert_near(p[0].lower_adjusted, -0.032858434677215914, 1e-12);
    assert_near(p[0].upper_adjusted, 0.4601687364479155, 1e-12);
    assert_near(p[1].lower_adjusted, -0.16870368270633684, 1e-12); /* symmetric: Student's */
    assert_near(p[2].lower_adjusted, -0.7376103228560983, 1e-12);
    assert_near(p[2].upper_adjusted, -0.07230154455248239, 1e-12);
    iv_comparison_free(c);
}

/* All differences of 4 runs with true means 0, .1, .2 and .3 are held at once. */
static void simultaneous_intervals_hold_all_pairs_at_once(void **state)
{
    (void)state;
    enum { SETS = 1000, S = 4, T = 15 };
    const iv_compare_options o = { .resamples = 1 };
    double x[S * T];
    size_t held = 0, single = 0;

    for (uint64_t k = 0; k < SETS; k++) {
        iv_stream s = iv_stream_start(5, IV_FOR_CALLER, k);
        const iv_compared_pair *p;
        bool all = true, each = true;
        for (size_t i = 0; i < S * T; i++)
            x[i] = 0.1 * (double)(i / T) + 0.3 * iv_draw_normal(&s);
        iv_comparison *c = compared(x, S, T, &o);
        for (size_t i = 0; i < iv_comparison_pairs(&p, c); i++) {
            const double truth = 0.1 * ((double)p[i].a - (double)p[i].b);
            all = all && p[i].lower_adjusted <= truth && truth <= p[i].upper_adjusted;
            each = each && p[i].lower <= truth && truth <= p[i].upper;
        }
        held += all;
        single += each;
        iv_comparison_free(c);
    }
    assert_true(held >= (size_t)(0.94 * SETS));
    assert_true(single < (size_t)(0.90 * SETS)); /* those of single pairs do not */
}

/* b wins six of eight topics by little and loses two by more: ranks 1 to 6 against 7 and
 * 8, signs 6 against 2, and a's mean is larger. */
static void the_test_says_which_run_is_better(void **state)
{
    (void)state;
    static const double d[] = { -.01, -.02, -.03, -.04, -.05, -.06, .20, .30 };
    static const struct {
        iv_pair_test test;
        int direction;
    } cases[] = { { IV_TEST_SIGN, -1 }, { IV_TEST_WILCOXON, -1 }, { IV_TEST_T, 1 },
                  { IV_TEST_RANDOMISATION, 1 } };
    double x[2 * 10];

    for (int zeros = 0; zeros < 2; zeros++)
        for (size_t i = 0; i < 4; i++) {
            const iv_compare_options o = { .tests = &cases[i].test, .test_count = 1,
                                           .zeros = (iv_zeros)zeros, .resamples = 200 };
            const iv_compared_test *t;
            for (size_t k = 0; k < 10; k++) {
                x[10 + k] = 0.5;
                x[k] = 0.5 + (k < 8 ? d[k] : 0.0);
            }
            iv_comparison *c = compared(x, 2, 10, &o);
            (void)iv_comparison_tests(&t, c, 0);
            /* With two zeros ranked first the wins have 9 + 10 of 52, else 7 + 8 of 36. */
            if (cases[i].test == IV_TEST_WILCOXON)
                assert_near(t->test.statistic, zeros == 1 ? 19.0 : 15.0, 0.0);
            assert_int_equal(t->direction, cases[i].direction);
            iv_comparison_free(c);
        }
}

static void several_baselines_are_corrected_together(void **state)
{
    (void)state;
    static const size_t bases[] = { 4, 1 };
    static const size_t as[] = { 0, 1, 2, 3, 5, 0, 2, 3, 5 };
    const iv_compare_options o = { .baselines = bases, .baseline_count = 2, .resamples = 10,
                                   .correction = IV_CORRECT_BONFERRONI };
    double x[RUNS * TOPICS];
    const iv_compared_pair *p;
    const iv_compared_test *t;

    make_board(x, 0, 3);
    iv_comparison *c = compared(x, RUNS, TOPICS, &o);
    assert_int_equal(iv_comparison_pairs(&p, c), 9); /* the two baselines meet once */
    for (size_t i = 0; i < 9; i++) {
        (void)iv_comparison_tests(&t, c, i);
        assert_int_equal(p[i].a, as[i]);
        assert_int_equal(p[i].b, i < 5 ? 4 : 1);
        assert_near(t->p_adjusted, fmin(1.0, 9.0 * t->test.p), 1e-15);
    }
    iv_comparison_free(c);
}

/* A one-sided comparison has one limit, with all of the error. */
static void one_sided_comparisons_have_one_limit(void **state)
{
    (void)state;
    double x[RUNS * TOPICS];
    const iv_compared_pair *p;

    make_board(x, 0, 3);
    for (int side = 1; side <= 2; side++) {
        const iv_compare_options o = { .alternative = (iv_alternative)side, .resamples = 10 };
        iv_comparison *c = compared(x, 2, TOPICS, &o);
        (void)iv_comparison_pairs(&p, c);
        const double se = p->found.sd / sqrt(TOPICS), q = iv_t_quantile(0.95, TOPICS - 1.0);
        if (side == IV_GREATER) {
            assert_true(isinf(p->upper) && p->upper > 0.0);
            assert_near(p->lower, fmin(p->found.mean - q * se, p->lower), 1e-12);
        } else {
            assert_true(isinf(p->lower) && p->lower < 0.0);
            assert_near(p->upper, fmax(p->found.mean + q * se, p->upper), 1e-12);
        }
        iv_comparison_free(c);
    }
}

int compare_accord_tests(void)
{
    const struct CMUnitTest tests[] = {
        drawn_unit_test(interval_p_letters_and_ranks_say_the_same),
        cmocka_unit_test(adjusted_intervals_are_bonferronis),
        cmocka_unit_test(default_intervals_are_corrected_for_skewness),
        cmocka_unit_test(simultaneous_intervals_hold_all_pairs_at_once),
        cmocka_unit_test(the_test_says_which_run_is_better),
        cmocka_unit_test(several_baselines_are_corrected_together),
        cmocka_unit_test(one_sided_comparisons_have_one_limit),
    };

    return cmocka_run_group_tests_name("compare: accord", tests, NULL, NULL);
}
