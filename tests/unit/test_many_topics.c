/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about very many topics: batches and limits beside what they stand for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "drawn.h"
#include "near.h"
#include "randomised.h"
#include "num/dist.h"
#include "num/draw.h"
#include "stat/pair_tests.h"
#include "stat/paired/comparison.h"

static int studentised(iv_mean_interval *out, const double *x, size_t n, const iv_resampling *how)
{
    return iv_mean_intervals(out, &x, &(iv_interval_method){ IV_INTERVAL_BOOTSTRAP_T }, 1, n, how,
                             NULL, NULL);
}

enum { N = 20000, B = 2000 };

/* Skewed scores in [0, 1], a fifth of them 0. */
static double *skewed_scores(size_t n, uint64_t number)
{
    iv_stream s = iv_stream_start(11, IV_FOR_CALLER, number);
    double *x = malloc(n * sizeof *x);

    assert_non_null(x);
    for (size_t i = 0; i < n; i++)
        x[i] = iv_draw_uniform(&s) < 0.2 ? 0.0 : iv_draw_beta(&s, 0.6, 2.4);
    return x;
}

static iv_mean_interval interval_of(const double *x, size_t n, iv_interval_method m)
{
    iv_mean_interval i;

    assert_int_equal(iv_mean_intervals(&i, &x, &m, 1, n, &(iv_resampling){ 0.95, B }, NULL, NULL),
                     IV_OK);
    return i;
}

/* One value less is resampled as it is. */
static void batches_have_the_interval_of_the_values(void **state)
{
    static const iv_interval_method methods[] = { IV_INTERVAL_LOGIT, IV_INTERVAL_PERCENTILE,
                                                  IV_INTERVAL_BCA };
    double *x = skewed_scores(N, 1);

    (void)state;
    for (size_t k = 0; k < 3; k++) {
        const iv_mean_interval some = interval_of(x, N, methods[k]);
        const iv_mean_interval all = interval_of(x, N - 1, methods[k]);
        /* Of 2,000 draws a quantile of .025 is off by .06 standard errors. */
        assert_near(some.lower - some.mean, all.lower - all.mean, 0.25 * some.se);
        assert_near(some.upper - some.mean, all.upper - all.mean, 0.25 * some.se);
    }
    free(x);
}

static void batches_of_uneven_values_are_uneven(void **state)
{
    double *x = skewed_scores(N, 2);

    (void)state;
    for (size_t i = 0; i < N; i++)
        x[i] = i < 50 ? 1.0 : 0.0; /* fifty topics have all the spread */
    const iv_mean_interval i = interval_of(x, N, IV_INTERVAL_PERCENTILE);
    /* Poisson's quantiles of 50: 37 and 64. */
    assert_near(i.lower * N, 37.0, 2.0);
    assert_near(i.upper * N, 64.0, 2.0);
    free(x);
}

/* P(a random subset of the sizes adds up to at most last), counted. */
static double counted(const size_t *size, size_t k, size_t last)
{
    double *p = calloc(last + 1, sizeof *p), sum = 0.0;

    assert_non_null(p);
    p[0] = 1.0;
    for (size_t i = 0; i < k; i++)
        for (size_t j = last + 1; j-- > 0;)
            p[j] = 0.5 * (p[j] + (j >= size[i] ? p[j - size[i]] : 0.0));
    for (size_t j = 0; j <= last; j++)
        sum += p[j];
    free(p);
    return sum;
}

static void flips_of_many_lattice_scores_are_those_that_are_counted(void **state)
{
    enum { K = 3000 };
    static const double wins[] = { 0.5, 0.51, 0.53 };
    double *d = malloc(K * sizeof *d);
    size_t *size = malloc(K * sizeof *size);

    (void)state;
    for (size_t w = 0; w < 3; w++) {
        iv_stream s = iv_stream_start(5, IV_FOR_CALLER, w);
        size_t all = 0;
        int64_t sum = 0;
        iv_test t;
        for (size_t i = 0; i < K; i++) {
            const bool up = iv_draw_uniform(&s) < wins[w];
            size[i] = 1 + (size_t)iv_draw_below(&s, 50);
            d[i] = (up ? 1.0 : -1.0) * (double)size[i] / 64.0;
            all += size[i];
            sum += up ? (int64_t)size[i] : -(int64_t)size[i];
        }
        assert_int_equal(randomised(&t, d, K, IV_TWO_SIDED), IV_OK);
        const double tail = counted(size, K, (all - (size_t)llabs((long long)sum)) / 2);
        assert_false(t.exact);
        assert_near(t.p / fmin(1.0, 2.0 * tail), 1.0, 1e-4);
    }
    free(d);
    free(size);
}

static iv_comparison *compared(const double *x, size_t systems, size_t topics,
                               const iv_compare_options *o)
{
    iv_comparison *c = NULL;
    iv_err err = { IV_OK, "" };

    if (iv_compare(&c, x, systems, topics, o, NULL, &err) != IV_OK)
        fail_msg("%s", err.msg);
    return c;
}

/* Two runs that hang together, the second better by that much, and a copy of it. */
static double *three_runs(double better)
{
    double *x = skewed_scores(3 * (size_t)N, 3), ahead = 0.0;

    for (size_t t = 0; t < N; t++)
        ahead += 0.2 * (x[N + t] - x[t]) / (double)N;
    for (size_t t = 0; t < N; t++) {
        x[N + t] = 0.8 * x[t] + 0.2 * x[N + t] - ahead + better;
        x[2 * N + t] = x[N + t];
    }
    for (size_t t = 0; t < 3 * (size_t)N; t++)
        x[t] = 0.05 + 0.9 * x[t]; /* all in [0, 1] */
    return x;
}

static void ranks_come_from_the_same_batches_and_copies_tie(void **state)
{
    double *x = three_runs(0.0003); /* somewhat more than half a standard error */
    iv_comparison *two = compared(x, 2, N, NULL), *three = compared(x, 3, N, NULL);
    const iv_compared_run *r;
    const iv_compared_pair *p;

    (void)state;
    (void)iv_comparison_pairs(&p, two);
    r = two->runs;
    const double ahead = iv_norm_cdf(-p->found.mean / (p->found.sd / sqrt((double)N)));
    assert_true(ahead > 0.02 && ahead < 0.98); /* the case is no easy one */
    assert_near(r[1].p_best, ahead, 0.02);     /* 4 standard errors of 10,000 draws */
    r = three->runs;
    assert_near(r[1].p_best, 0.5 * ahead, 0.02);
    assert_true(r[1].p_best == r[2].p_best);
    iv_comparison_free(two);
    iv_comparison_free(three);
    free(x);
}

static void tests_of_batches_are_those_of_flips(void **state)
{
    static const iv_pair_test tests[] = { IV_TEST_RANDOMISATION };
    double *x = three_runs(0.0009); /* two standard errors: small p-values vary less */
    const iv_compare_options o = { .tests = tests, .test_count = 1,
                                   .correction = IV_CORRECT_TUKEY, .permutations = 100 };
    iv_comparison *c = compared(x, 2, N, &o);
    const iv_compared_test *t;
    double p[1];

    (void)state;
    (void)iv_comparison_tests(&t, c, 0);
    /* Of two systems permuting is flipping. */
    assert_int_equal(iv_tukey_pairs(p, &(iv_score_grid){ x, 2, N }, IV_NO_BASELINE, 1500,
                                    IV_TWO_SIDED, NULL, NULL), IV_OK);
    assert_near(p[0], t[0].test.p, 0.015); /* 4 standard errors of 1,500 draws */
    iv_comparison_free(c);
    free(x);
}

static void studentised_batches_have_the_limits_of_values(void **state)
{
    double *x = skewed_scores(N, 6);
    const iv_resampling few = { 0.95, B };
    iv_mean_interval limit, drawn;

    (void)state;
    for (size_t i = 0; i < N; i++)
        x[i] = exp(1.5 * x[i]); /* skewed, and without a bound */
    assert_int_equal(studentised(&limit, x, N, &few), IV_OK);
    assert_int_equal(studentised(&drawn, x, N - 1, &few), IV_OK);
    assert_near(limit.lower - limit.mean, drawn.lower - drawn.mean, 0.25 * limit.se);
    assert_near(limit.upper - limit.mean, drawn.upper - drawn.mean, 0.25 * limit.se);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_have_the_interval_of_the_values),
        drawn_unit_test(batches_of_uneven_values_are_uneven),
        cmocka_unit_test(flips_of_many_lattice_scores_are_those_that_are_counted),
        cmocka_unit_test(ranks_come_from_the_same_batches_and_copies_tie),
        cmocka_unit_test(tests_of_batches_are_those_of_flips),
        cmocka_unit_test(studentised_batches_have_the_limits_of_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
