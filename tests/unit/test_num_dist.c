/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims about the distributions; the name of a test is the claim.
 *
 * tests/oracle/num_dist.tsv holds values of 50-digit arithmetic and
 * num_dist_r.tsv values of R, each with the scripts that made them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"
#include "test_num.h"
#include "intervale/num.h"
#include "num/dist.h"

/* A function of the table: one of these by the letters of its arguments. */
typedef struct entry {
    const char *name, *kind;
    double (*d1)(double);
    double (*d2)(double, double);
    double (*d3)(double, double, double);
    double (*iid)(int64_t, int64_t, double);
    double (*iiii)(int64_t, int64_t, int64_t, int64_t);
    double (*iidd)(int64_t, int64_t, double, double);
} entry;

static double binom_pmf(int64_t k, int64_t n, double p)
{
    return exp(iv_binom_log_pmf(k, n, p));
}

static double hyper_pmf(int64_t k, int64_t N, int64_t K, int64_t n)
{
    return exp(iv_hyper_log_pmf(k, N, K, n));
}

static double betabin_pmf(int64_t k, int64_t n, double a, double b)
{
    return exp(iv_betabin_log_curve((double)k, n, a, b));
}

#define ROW(k, f) { .name = #f, .kind = #k, .k = iv_##f }
#define TAILS(k, f) ROW(k, f##_cdf), ROW(k, f##_sf)
#define REAL(k, f) \
    TAILS(k, f), ROW(k, f##_log_pdf), ROW(k, f##_quantile), ROW(k, f##_isf)

static const entry entries[] = {
    ROW(d1, digamma), ROW(d2, log_beta),
    REAL(d1, norm), REAL(d2, t), REAL(d3, beta),
    TAILS(d2, gamma), ROW(d2, gamma_log_pdf), ROW(d2, chisq_isf),
    TAILS(iid, binom), TAILS(iiii, hyper),
    { .name = "binom_pmf", .kind = "iid", .iid = binom_pmf },
    { .name = "hyper_pmf", .kind = "iiii", .iiii = hyper_pmf },
    { .name = "betabin_pmf", .kind = "iidd", .iidd = betabin_pmf },
};

static double evaluate(const entry *e, const char *const *arg)
{
    double x[4];
    int64_t i[4];

    for (size_t j = 0; j < 4; j++) {
        x[j] = strtod(arg[j], NULL);
        i[j] = (int64_t)x[j];
    }
    if (strcmp(e->kind, "d1") == 0)
        return e->d1(x[0]);
    if (strcmp(e->kind, "d2") == 0)
        return e->d2(x[0], x[1]);
    if (strcmp(e->kind, "d3") == 0)
        return e->d3(x[0], x[1], x[2]);
    if (strcmp(e->kind, "iid") == 0)
        return e->iid(i[0], i[1], x[2]);
    if (strcmp(e->kind, "iiii") == 0)
        return e->iiii(i[0], i[1], i[2], i[3]);
    return e->iidd(i[0], i[1], x[2], x[3]);
}

static const entry *find(const char *name)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (strcmp(entries[i].name, name) == 0)
            return &entries[i];
    }
    fail_msg("no function %s", name);
    return NULL;
}

/* Checks every line of a table; returns how many there were. */
static size_t check_table(const char *path)
{
    char line[512];
    size_t lines = 0, wrong = 0;
    FILE *f = fopen(path, "r");

    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        const char *cell[8] = { NULL }, *args[4] = { "", "", "", "" };
        size_t cells = 0;
        if (line[0] == '#')
            continue;
        for (char *p = strtok(line, "\t\n"); p != NULL && cells < 8;
             p = strtok(NULL, "\t\n"))
            cell[cells++] = p;
        for (size_t i = 2; i + 1 < cells; i++)
            args[i - 2] = cell[i];
        const double got = evaluate(find(cell[0]), args);
        const double want = strtod(cell[cells - 1], NULL);
        /* Logarithms near 0 are held to the probability's accuracy. */
        const double scale =
            strstr(cell[0], "log_") != NULL ? fmax(1.0, fabs(want)) : fabs(want);
        const double error = got == want ? 0.0 : fabs(got - want) / scale;
        lines++;
        if (error <= strtod(cell[1], NULL))
            continue;
        wrong++;
        print_error("%s(%s, %s, %s, %s) is %.17g, expected %.17g: error %.2g, "
                    "allowed %s\n", cell[0], args[0], args[1], args[2], args[3],
                    got, want, error, cell[1]);
    }
    (void)fclose(f);
    assert_int_equal(wrong, 0);
    return lines;
}

static void values_agree_with_50_digit_arithmetic(void **state)
{
    (void)state;
    assert_true(check_table(TESTS_DIR "/oracle/num_dist.tsv") > 950);
}

static void values_agree_with_r(void **state)
{
    (void)state;
    assert_true(check_table(TESTS_DIR "/oracle/num_dist_r.tsv") > 1000);
}

static const double levels[] = { 1e-250, 1e-30, 1e-7, 0.001, 0.025, 0.385, 0.5,
                                 0.731, 0.975, 1.0 - 1e-9 };
enum { LEVELS = sizeof levels / sizeof *levels };

/*
 * The tail at the quantile is p to 1e-10, or the two doubles next to the
 * quantile have p between their tails: no double can do better.
 */
static void inverts(double x, double tail, double below, double above, double p,
                    const char *what)
{
    if (fabs(tail - p) <= 1e-10 * p)
        return;
    if ((below <= p && p <= above) || (above <= p && p <= below))
        return;
    fail_msg("%s: tail at %.17g is %.17g, expected %.17g", what, x, tail, p);
}

static void beta_quantiles_invert_their_tails(void **state)
{
    (void)state;
    static const double shapes[] = { 1e-3, 0.5, 1.0, 3.25, 47.5, 1e3, 1e5, 5e7 };
    enum { SHAPES = sizeof shapes / sizeof *shapes };

    for (size_t i = 0; i < SHAPES * SHAPES * LEVELS; i++) {
        const double a = shapes[i % SHAPES], b = shapes[i / SHAPES % SHAPES];
        const double p = levels[i / (SHAPES * SHAPES)];
        const double x = iv_beta_quantile(p, a, b), y = iv_beta_isf(p, a, b);
        inverts(x, iv_beta_cdf(x, a, b), iv_beta_cdf(nextafter(x, 0.0), a, b),
                iv_beta_cdf(nextafter(x, 1.0), a, b), p, "beta_quantile");
        inverts(y, iv_beta_sf(y, a, b), iv_beta_sf(nextafter(y, 0.0), a, b),
                iv_beta_sf(nextafter(y, 1.0), a, b), p, "beta_isf");
    }
}

static void gamma_t_and_normal_quantiles_invert_their_tails(void **state)
{
    (void)state;
    static const double shapes[] = { 1e-3, 0.5, 1.0, 3.25, 47.5, 1e3, 1e5, 5e7 };
    enum { SHAPES = sizeof shapes / sizeof *shapes };

    for (size_t i = 0; i < SHAPES * LEVELS; i++) {
        const double s = shapes[i % SHAPES], p = levels[i / SHAPES];
        const double y = iv_gamma_isf(p, s);
        inverts(y, iv_gamma_sf(y, s), iv_gamma_sf(nextafter(y, 0.0), s),
                iv_gamma_sf(nextafter(y, INFINITY), s), p, "gamma_isf");
        if (s < 0.5)
            continue; /* quantiles of such a t are beyond the largest double */
        const double t = iv_t_quantile(p, s);
        inverts(t, iv_t_cdf(t, s), iv_t_cdf(nextafter(t, -INFINITY), s),
                iv_t_cdf(nextafter(t, INFINITY), s), p, "t_quantile");
        assert_true(iv_t_isf(p, s) == -t);
        const double z = iv_norm_quantile(p);
        inverts(z, iv_norm_cdf(z), iv_norm_cdf(nextafter(z, -INFINITY)),
                iv_norm_cdf(nextafter(z, INFINITY)), p, "norm_quantile");
    }
}

static void counts_quantiles_are_the_least_that_reach(void **state)
{
    (void)state;
    static const struct { int64_t N, K, n; } urns[] = {
        { 20, 8, 11 }, { 1000, 385, 70 }, { 50000000, 250, 1000000 },
        { 50000000, 25000000, 20000000 }, { 50000000, 30000000, 49990000 },
    };

    for (size_t l = 0; l < LEVELS; l++) {
        const double q = levels[l];
        for (size_t i = 0; i < sizeof urns / sizeof *urns; i++) {
            const int64_t n = urns[i].n;
            const double p = (double)urns[i].K / (double)urns[i].N;
            const int64_t c = iv_binom_isf(q, n, p);
            assert_true(iv_binom_sf(c, n, p) <= q);
            assert_true(iv_binom_sf(c - 1, n, p) > q);
        }
    }
}

/* qhyper and qbinom of R 4.2.2 at 0.025, 0.5, 0.975. */
static void counts_quantiles_agree_with_r(void **state)
{
    (void)state;
    static const double q[] = { 0.025, 0.5, 0.975 };
    static const int64_t hyper[] = { 31665, 32000, 32335 };
    static const int64_t binom[] = { 6245417, 6250000, 6254584 };

    for (size_t i = 0; i < 3; i++) {
        assert_true(iv_hyper_cdf(hyper[i], 50000000, 400000, 4000000) >= q[i]);
        assert_true(iv_hyper_cdf(hyper[i] - 1, 50000000, 400000, 4000000) < q[i]);
        assert_int_equal(iv_binom_isf(1.0 - q[i], 50000000, 0.125), binom[i]);
    }
}

/* Rational arithmetic: 8 marked of 20, 11 drawn; and 5 trials, a = 1/2, b = 2. */
static void small_cases_agree_with_rational_arithmetic(void **state)
{
    (void)state;
    static const double hyper[] = { 3.0 / 41990.0,    66.0 / 20995.0,
                                    154.0 / 4199.0,   693.0 / 4199.0,
                                    1386.0 / 4199.0,  6468.0 / 20995.0,
                                    2772.0 / 20995.0, 99.0 / 4199.0,
                                    11.0 / 8398.0 };
    static const double mix[] = { 512.0 / 1001.0, 640.0 / 3003.0,
                                  128.0 / 1001.0, 80.0 / 1001.0,
                                  20.0 / 429.0,   3.0 / 143.0 };

    for (int64_t k = 0; k <= 8; k++)
        assert_close(exp(iv_hyper_log_pmf(k, 20, 8, 11)), hyper[k], 1e-14);
    for (int64_t k = 0; k <= 5; k++)
        assert_close(betabin_pmf(k, 5, 0.5, 2.0), mix[k], 1e-14);
}

static void outside_the_domain_is_nan(void **state)
{
    (void)state;
    static const double bad[] = { 0.0, -1.0, NAN, INFINITY };

    for (size_t i = 0; i < 4; i++) {
        assert_true(isnan(iv_beta_cdf(0.5, bad[i], 2.0)));
        assert_true(isnan(iv_beta_log_pdf(0.5, 2.0, bad[i])));
        assert_true(isnan(iv_gamma_sf(0.5, bad[i])));
        assert_true(isnan(iv_chisq_isf(0.5, bad[i])));
        assert_true(isnan(iv_betabin_log_curve(1.0, 5, bad[i], 1.0)));
        assert_true(isnan(iv_log_beta(bad[i], 1.0)));
        if (i < 3) {
            assert_true(isnan(iv_t_cdf(0.5, bad[i])));
            assert_true(isnan(iv_t_quantile(0.5, bad[i])));
            assert_true(isnan(iv_digamma(bad[i])));
        }
    }
    assert_true(isnan(iv_norm_quantile(-0.1)) && isnan(iv_norm_quantile(1.1)));
    assert_true(isnan(iv_beta_quantile(NAN, 1.0, 1.0)));
    assert_true(isnan(iv_norm_cdf(NAN)) && isnan(iv_t_sf(NAN, 3.0)));
    assert_true(isnan(iv_beta_cdf(NAN, 1.0, 1.0)));
    assert_true(isnan(iv_binom_cdf(1, 5, 1.5)) && isnan(iv_binom_cdf(1, -5, 0.5)));
    assert_true(isnan(iv_hyper_log_pmf(1, 5, 6, 2)));
    assert_true(isnan(iv_hyper_sf(1, 5, 2, 6)));
    assert_true(isnan(iv_betabin_log_curve(5.5, 5, 1.0, 1.0)));
    assert_int_equal(iv_binom_isf(NAN, 5, 0.5), -1);
}

static void limits_are_exact(void **state)
{
    (void)state;
    assert_true(iv_norm_cdf(-INFINITY) == 0.0 && iv_norm_sf(-INFINITY) == 1.0);
    assert_true(iv_norm_quantile(0.0) == -INFINITY && iv_norm_isf(0.0) == INFINITY);
    assert_true(iv_t_cdf(INFINITY, 3.0) == 1.0 && iv_t_quantile(0.5, 3.0) == 0.0);
    assert_true(iv_t_cdf(1.5, INFINITY) == iv_norm_cdf(1.5));
    assert_true(iv_beta_cdf(-1.0, 2.0, 3.0) == 0.0);
    assert_true(iv_beta_cdf(1.0, 500.0, 3e3) == 1.0);
    assert_true(iv_beta_sf(2.0, 2.0, 3.0) == 0.0);
    assert_true(iv_beta_log_pdf(0.0, 0.5, 2.0) == INFINITY);
    assert_true(iv_beta_log_pdf(0.0, 2.0, 2.0) == -INFINITY);
    assert_near(iv_beta_log_pdf(0.0, 1.0, 3.0), log(3.0), 1e-15);
    assert_true(iv_beta_quantile(0.0, 2.0, 3.0) == 0.0);
    assert_true(iv_beta_isf(0.0, 2.0, 3.0) == 1.0);
    assert_true(iv_gamma_cdf(0.0, 2.0) == 0.0 && iv_gamma_sf(INFINITY, 2.0) == 0.0);
    assert_true(iv_gamma_isf(0.0, 2.0) == INFINITY);
    assert_true(iv_binom_cdf(-1, 5, 0.3) == 0.0 && iv_binom_cdf(5, 5, 0.3) == 1.0);
    assert_true(iv_binom_log_pmf(0, 5, 0.0) == 0.0);
    assert_true(iv_binom_log_pmf(5, 5, 1.0) == 0.0);
    assert_true(iv_binom_log_pmf(4, 5, 1.0) == -INFINITY);
    assert_true(iv_binom_cdf(4, 5, 1.0) == 0.0 && iv_binom_sf(4, 5, 1.0) == 1.0);
    assert_true(iv_hyper_log_pmf(3, 7, 7, 3) == 0.0);
    assert_true(iv_hyper_log_pmf(0, 0, 0, 0) == 0.0);
    assert_true(iv_hyper_cdf(2, 7, 7, 3) == 0.0 && iv_hyper_sf(3, 7, 7, 3) == 0.0);
    assert_true(iv_hyper_log_pmf(-1, 9, 4, 3) == -INFINITY);
    assert_true(iv_betabin_log_curve(0.0, 0, 0.5, 0.5) == 0.0);
    assert_int_equal(iv_binom_isf(1.0, 9, 0.3), 0);
    assert_int_equal(iv_binom_isf(0.0, 9, 0.3), 9);
}

static void the_two_tails_add_to_1(void **state)
{
    (void)state;
    for (int64_t k = 0; k < 50000000; k += 1234567) {
        const double x = ((double)k + 0.5) / 5e7;
        assert_near(iv_beta_cdf(x, 0.5, 0.5) + iv_beta_sf(x, 0.5, 0.5), 1.0, 1e-15);
        assert_near(iv_hyper_cdf(k / 100, 50000000, 500000, 25000000)
                        + iv_hyper_sf(k / 100, 50000000, 500000, 25000000), 1.0, 1e-13);
        assert_near(iv_binom_cdf(k, 50000000, 0.5) + iv_binom_sf(k, 50000000, 0.5),
                    1.0, 1e-14);
    }
}

int test_num_dist(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_agree_with_50_digit_arithmetic),
        cmocka_unit_test(values_agree_with_r),
        cmocka_unit_test(beta_quantiles_invert_their_tails),
        cmocka_unit_test(gamma_t_and_normal_quantiles_invert_their_tails),
        cmocka_unit_test(counts_quantiles_are_the_least_that_reach),
        cmocka_unit_test(counts_quantiles_agree_with_r),
        cmocka_unit_test(small_cases_agree_with_rational_arithmetic),
        cmocka_unit_test(outside_the_domain_is_nan),
        cmocka_unit_test(limits_are_exact),
        cmocka_unit_test(the_two_tails_add_to_1),
    };
    return cmocka_run_group_tests_name("num dist", tests, NULL, NULL);
}
