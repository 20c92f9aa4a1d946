/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about vectors of probabilities, quadrature, roots, minima, fits and
 * correlations; the name of a test is the claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near.h"
#include "test_num.h"
#include "num/dist.h"
#include "num/draw.h"
#include "num/linear.h"
#include "num/pmf.h"
#include "num/solve.h"

/* ------------------------------------------------------------- vectors -- */

static double mass(const iv_pmf *v)
{
    double sum = 0.0;

    for (size_t i = 0; i < v->count; i++)
        sum += v->p[i];
    return sum;
}

static const struct mix {
    int64_t n;
    double a, b;
} mixes[] = {
    { 0, 0.5, 0.5 },         { 5, 0.5, 0.5 },        { 1000, 2.385, 7.5 },
    { 20000, 1e-3, 0.7 },    { 20000, 0.7, 1e-3 },   { 20000, 1.0, 1.0 },
    { 300000, 0.5, 40.5 },   { 300000, 40.5, 0.5 },  { 5000000, 0.5, 3970.5 },
    { 50000000, 3e4, 2e6 },
};

static void every_atom_of_a_beta_binomial_is_its_probability(void **state)
{
    (void)state;
    iv_pmf v = { 0 };

    for (size_t i = 0; i < sizeof mixes / sizeof *mixes; i++) {
        const struct mix m = mixes[i];
        assert_int_equal(iv_pmf_betabin(&v, m.n, m.a, m.b, 1e-17, NULL), IV_OK);
        assert_near(mass(&v), 1.0, 1e-12);
        assert_true(v.left_out <= 2e-17 && v.left_out >= 0.0);
        for (size_t j = 0; j < v.count; j += 1 + v.count / 997) {
            const int64_t k = v.offset + (int64_t)j;
            assert_close(v.p[j], exp(iv_betabin_log_curve((double)k, m.n, m.a, m.b)),
                         1e-12);
        }
    }
    iv_pmf_free(&v);
}

static void hypergeometric_and_binomial_vectors_hold_all_but_the_trim(void **state)
{
    (void)state;
    iv_pmf v = { 0 };

    assert_int_equal(iv_pmf_hyper(&v, 50000000, 400000, 4000000, 1e-12, NULL),
                     IV_OK);
    for (size_t j = 0; j < v.count; j += 97)
        assert_close(v.p[j],
                     exp(iv_hyper_log_pmf(v.offset + (int64_t)j, 50000000, 400000,
                                          4000000)), 1e-12);
    const double below = iv_hyper_cdf(v.offset - 1, 50000000, 400000, 4000000);
    assert_true(below <= 1e-12 && below > 1e-14);
    assert_true(v.count < 5000);
    assert_int_equal(iv_pmf_binom(&v, 50000000, 1e-7, 1e-17, NULL), IV_OK);
    assert_true(v.offset == 0 && v.count < 60);
    assert_near(mass(&v), 1.0, 1e-14);
    assert_int_equal(iv_pmf_binom(&v, 12, 0.385, 0.0, NULL), IV_OK);
    assert_int_equal(v.count, 13); /* no trim: the whole support */
    assert_int_equal(iv_pmf_binom(&v, 12, 1.0, 0.0, NULL), IV_OK);
    assert_true(v.count == 1 && v.offset == 12 && v.p[0] == 1.0);
    iv_pmf_free(&v);
}

static void a_vector_keeps_its_memory_and_refuses_bad_parameters(void **state)
{
    (void)state;
    iv_pmf v = { 0 };
    iv_err err = { IV_OK, "" };

    assert_int_equal(iv_pmf_binom(&v, 1000, 0.5, 0.0, &err), IV_OK);
    const double *memory = v.p;
    assert_int_equal(iv_pmf_binom(&v, 900, 0.5, 0.0, &err), IV_OK);
    assert_ptr_equal(v.p, memory);
    assert_int_equal(iv_pmf_binom(&v, 900, 1.5, 0.0, &err), IV_EARG);
    assert_string_equal(err.msg, "binomial with n = 900, p = 1.5");
    assert_int_equal(iv_pmf_hyper(&v, 5, 6, 2, 0.0, &err), IV_EARG);
    assert_int_equal(iv_pmf_betabin(&v, 5, 0.0, 2.0, 0.0, &err), IV_EARG);
    assert_int_equal(iv_pmf_betabin(&v, 5, 1.0, 2.0, NAN, &err), IV_EARG);
    assert_int_equal(v.count, 901); /* untouched by the failures */
    iv_pmf_trim(&v, 0.025);
    const int64_t last = v.offset + (int64_t)v.count - 1;
    assert_true(v.offset == iv_binom_isf(0.975, 900, 0.5)
                || iv_binom_cdf(v.offset, 900, 0.5) > 0.025);
    assert_true(iv_binom_sf(last, 900, 0.5) <= 0.025);
    assert_near(mass(&v) + v.left_out, 1.0, 1e-13);
    iv_pmf_free(&v);
    iv_pmf_free(NULL);
}

/* Bin(m, p) + Bin(n, p) = Bin(m+n, p), by the direct sum and by FFT. */
static void convolution_adds_binomials(void **state)
{
    (void)state;
    static const int64_t sizes[][2] = { { 7, 12 }, { 40, 60000 },
                                        { 30000, 60000 }, { 0, 5 } };
    iv_pmf a = { 0 }, b = { 0 }, sum = { 0 }, want = { 0 };
    iv_convolver *c = NULL;

    assert_int_equal(iv_convolver_new(&c, NULL), IV_OK);
    for (size_t i = 0; i < 4; i++) {
        const int64_t m = sizes[i][0], n = sizes[i][1];
        assert_int_equal(iv_pmf_binom(&a, m, 0.385, 0.0, NULL), IV_OK);
        assert_int_equal(iv_pmf_binom(&b, n, 0.385, 0.0, NULL), IV_OK);
        assert_int_equal(iv_pmf_binom(&want, m + n, 0.385, 0.0, NULL), IV_OK);
        assert_int_equal(iv_pmf_convolve(&sum, &a, &b, c, NULL), IV_OK);
        assert_int_equal(sum.count, want.count);
        assert_true(sum.offset == want.offset);
        for (size_t j = 0; j < sum.count; j++) {
            assert_true(sum.p[j] >= 0.0);
            assert_near(sum.p[j], want.p[j], 2e-17 + 1e-15 * (m < 1000));
        }
    }
    iv_convolver_free(c);
    iv_pmf_free(&a);
    iv_pmf_free(&b);
    iv_pmf_free(&sum);
    iv_pmf_free(&want);
}

static void a_convolution_of_no_probabilities_is_refused(void **state)
{
    (void)state;
    iv_pmf a = { 0 }, b = { 0 }, sum = { 0 };
    iv_convolver *c = NULL;
    iv_err err = { IV_OK, "" };

    assert_int_equal(iv_convolver_new(&c, NULL), IV_OK);
    assert_int_equal(iv_pmf_binom(&a, 7, 0.5, 0.0, NULL), IV_OK);
    assert_int_equal(iv_pmf_convolve(&sum, &a, &b, c, &err), IV_EARG);
    assert_int_equal(iv_pmf_binom(&b, 9, 0.5, 0.0, NULL), IV_OK);
    assert_int_equal(iv_pmf_convolve(&a, &a, &b, c, &err), IV_EARG);
    b.p[3] = NAN;
    assert_int_equal(iv_pmf_convolve(&sum, &a, &b, c, &err), IV_ENUM);
    assert_int_equal(sum.count, 0);
    iv_convolver_free(c);
    iv_convolver_free(NULL);
    iv_pmf_free(&a);
    iv_pmf_free(&b);
    iv_pmf_free(&sum);
}

/* ------------------------------------------------------- roots, minima -- */

static double bell(double x, void *user)
{
    (void)user;
    return exp(-0.5 * x * x);
}

static double no_number(double x, void *user)
{
    (void)user;
    return x > 0.731 ? NAN : x;
}

static double shifted_cube(double x, void *user)
{
    const double at = *(double *)user;

    return (x - at) * (x - at) * (x - at);
}

static double beta_excess(double x, void *user)
{
    (void)user;
    return iv_beta_cdf(x, 17.25, 40.5) - 0.025;
}

static void roots_are_found_to_the_last_digits(void **state)
{
    (void)state;
    double at = 2.385, root = 0.0;
    iv_err err = { IV_OK, "" };

    assert_int_equal(iv_find_root(&root, beta_excess, NULL, 0.0, 1.0, NULL), IV_OK);
    assert_close(root, iv_beta_quantile(0.025, 17.25, 40.5), 1e-14);
    assert_int_equal(iv_find_root(&root, shifted_cube, &at, -1e3, 1e3, NULL), IV_OK);
    assert_near(root, at, 1e-5); /* a triple root is flat */
    assert_int_equal(iv_find_root(&root, shifted_cube, &at, at, 5.0, NULL), IV_OK);
    assert_true(root == at);
    root = -7.0;
    assert_int_equal(iv_find_root(&root, bell, NULL, 0.0, 1.0, &err), IV_EARG);
    assert_int_equal(iv_find_root(&root, no_number, NULL, -1.0, 1.0, &err), IV_ENUM);
    assert_int_equal(iv_find_root(&root, bell, NULL, 1.0, 0.0, &err), IV_EARG);
    assert_true(root == -7.0);
}

static double parabola(double x, void *user)
{
    const double *v = user; /* place, scale */

    return (x - v[0]) * (x - v[0]) / v[1] + 3.5;
}

static void minima_are_found_on_any_scale(void **state)
{
    (void)state;
    double unit[] = { 0.385, 1.0 }, tiny[] = { 2.5e-9, 1e-18 };
    double at = 0.0, value = 0.0;

    assert_int_equal(iv_find_minimum(&at, &value, parabola, unit, 0.0, 1.0, NULL),
                     IV_OK);
    assert_near(at, 0.385, 3e-8);
    assert_near(value, 3.5, 1e-14);
    assert_int_equal(iv_find_minimum(&at, NULL, parabola, tiny, 1e-9, 1e-8, NULL),
                     IV_OK);
    assert_close(at, 2.5e-9, 3e-7);
    assert_int_equal(iv_find_minimum(&at, NULL, parabola, unit, 1.0, 2.0, NULL),
                     IV_OK);
    assert_near(at, 1.0, 1e-7); /* the end nearest to it */
    assert_int_equal(iv_find_minimum(&at, NULL, no_number, NULL, 0.0, 1.0, NULL),
                     IV_ENUM);
}

/* -------------------------------------------------- fits, correlations -- */

/* Judgments needed for certainty lambda over n topics, made up; the values of
 * R's glm are printed by tests/oracle/num_fit.R. */
static void the_poisson_fit_equals_r(void **state)
{
    (void)state;
    static const double topics[] = { 1, 5, 10, 25, 50, 100 };
    static const double judged[66] = {
        4, 11, 13, 25, 52, 79, 6, 14, 33, 39, 65, 103, 6, 30, 37, 70, 137, 196,
        16, 42, 62, 114, 194, 259, 13, 38, 92, 165, 275, 448, 23, 79, 130, 248,
        356, 662, 36, 120, 186, 358, 579, 923, 44, 172, 264, 447, 815, 1314, 62,
        238, 361, 642, 1039, 1769, 82, 290, 498, 905, 1407, 2380, 114, 377, 637,
        1181, 2031, 3241
    };
    static const double covariance[3][3] = {
        { 5.9890013073548133e-04, 2.4182757318014141e-04, -1.4061438113522820e-04 },
        { 2.4182757318014141e-04, 1.9368257495233974e-03, 0.0 },
        { -1.4061438113522820e-04, 0.0, 3.7223559677818589e-05 },
    };
    double x[66][3];
    iv_glm fit;

    for (size_t i = 0; i < 66; i++) {
        x[i][0] = 1.0;
        x[i][1] = log(0.5 + 0.05 * (double)(i / 6));
        x[i][2] = log(topics[i % 6]);
    }
    assert_int_equal(iv_poisson_glm(&fit, x[0], judged, 66, 3, NULL), IV_OK);
    assert_close(fit.coefficient[0], 4.8178749036479847, 1e-12);
    assert_close(fit.coefficient[1], 5.5156830096570433, 1e-12);
    assert_close(fit.coefficient[2], 0.7051609111959205, 1e-12);
    assert_close(fit.deviance, 64.247670349848605, 1e-11);
    assert_close(fit.null_deviance, 42284.026963253207214, 1e-12);
    for (size_t i = 0; i < 9; i++)
        assert_true(fabs(fit.covariance[i / 3][i % 3] - covariance[i / 3][i % 3])
                    < 1e-15);
    assert_close(sqrt(fit.covariance[1][1]), 0.04400938251695196, 1e-10);
}

static void a_poisson_fit_that_cannot_be_is_refused(void **state)
{
    (void)state;
    const double twice[] = { 1, 2, 1, 2, 1, 2, 1, 2 };
    const double split[] = { 1, 0, 1, 0, 1, 1, 1, 1 };
    const double y[] = { 3, 1, 4, 1 }, none[] = { 0, 0, 0, 0 };
    const double apart[] = { 3, 1, 0, 0 }, bad[] = { 3, -1, 4, 1 };
    iv_glm fit = { .iterations = 99 };
    iv_err err = { IV_OK, "" };

    assert_int_equal(iv_poisson_glm(&fit, twice, y, 4, 2, &err), IV_ENODATA);
    assert_int_equal(iv_poisson_glm(&fit, split, none, 4, 2, &err), IV_ENODATA);
    assert_int_equal(iv_poisson_glm(&fit, split, apart, 4, 2, &err), IV_ENUM);
    assert_int_equal(iv_poisson_glm(&fit, split, bad, 4, 2, &err), IV_EARG);
    assert_string_equal(err.msg, "response 1 is -1, expected >= 0");
    assert_int_equal(iv_poisson_glm(&fit, split, y, 1, 2, &err), IV_ENODATA);
    assert_int_equal(iv_poisson_glm(&fit, split, y, 4, 9, &err), IV_EARG);
    assert_int_equal(fit.iterations, 99);
    assert_int_equal(iv_poisson_glm(&fit, split, y, 4, 2, &err), IV_OK);
    assert_near(fit.coefficient[0], log(2.0), 1e-14);  /* mean of 3 and 1 */
    assert_near(fit.coefficient[1], log(1.25), 1e-14); /* 2.5 over 2 */
}

/* All pairs, with no cleverness. */
static double slow_tau(const double *x, const double *y, size_t n)
{
    double s = 0.0, px = 0.0, py = 0.0;

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            const double dx = (x[i] > x[j]) - (x[i] < x[j]);
            const double dy = (y[i] > y[j]) - (y[i] < y[j]);
            s += dx * dy;
            px += dx * dx;
            py += dy * dy;
        }
    }
    return s / sqrt(px) / sqrt(py);
}

static void correlations_agree_with_r_and_with_all_pairs(void **state)
{
    (void)state;
    const double x[] = { 1, 2, 2, 3, 3, 3, 5, 8, 8, 9, 10, 10 };
    const double y[] = { 2, 1, 4, 4, 4, 6, 5, 5, 9, 9, 7, 12 };
    double u[200], v[200], tau = 0.0;

    assert_int_equal(iv_kendall(&tau, x, y, 12, NULL), IV_OK);
    assert_close(tau, 0.76035654564337918, 1e-14);
    assert_close(iv_pearson(x, y, 12), 0.84006678117136446, 1e-14);
    for (size_t i = 0; i < 200; i++) {
        u[i] = (double)(i * 37 % 23);
        v[i] = (double)(i * i * 11 % 31) + 0.5 * u[i];
    }
    assert_int_equal(iv_kendall(&tau, u, v, 200, NULL), IV_OK);
    assert_close(tau, 0.28144077547520657, 1e-14); /* R */
    assert_close(iv_pearson(u, v, 200), 0.39587675794216598, 1e-14);
    iv_stream s = iv_stream_start(1, IV_FOR_CALLER, 0);
    for (size_t n = 2; n < 120; n++) {
        for (size_t i = 0; i < n; i++) {
            u[i] = (double)iv_draw_below(&s, 1 + n / 2);
            v[i] = (double)iv_draw_below(&s, n);
        }
        u[0] = -1.0; /* never all equal */
        v[1] = -1.0;
        assert_int_equal(iv_kendall(&tau, u, v, n, NULL), IV_OK);
        assert_near(tau, slow_tau(u, v, n), 1e-14);
    }
}

static void correlations_of_constants_are_refused(void **state)
{
    (void)state;
    const double x[] = { 0.1, 0.1, 0.1 }, y[] = { 1, 2, 3 }, z[] = { 1, NAN, 3 };
    double tau = -7.0;

    assert_int_equal(iv_kendall(&tau, x, y, 3, NULL), IV_ENODATA);
    assert_int_equal(iv_kendall(&tau, y, x, 3, NULL), IV_ENODATA);
    assert_int_equal(iv_kendall(&tau, y, y, 1, NULL), IV_ENODATA);
    assert_int_equal(iv_kendall(&tau, z, y, 3, NULL), IV_EARG);
    assert_true(tau == -7.0);
    assert_true(isnan(iv_pearson(x, y, 3)) && isnan(iv_pearson(y, x, 3)));
    assert_true(isnan(iv_pearson(y, y, 1)) && isnan(iv_pearson(y, y, 0)));
    assert_true(isnan(iv_pearson(z, y, 3)));
    assert_near(iv_pearson(y, y, 3), 1.0, 1e-15);
}

int test_num_tools(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_atom_of_a_beta_binomial_is_its_probability),
        cmocka_unit_test(
            hypergeometric_and_binomial_vectors_hold_all_but_the_trim),
        cmocka_unit_test(a_vector_keeps_its_memory_and_refuses_bad_parameters),
        cmocka_unit_test(convolution_adds_binomials),
        cmocka_unit_test(a_convolution_of_no_probabilities_is_refused),
        cmocka_unit_test(roots_are_found_to_the_last_digits),
        cmocka_unit_test(minima_are_found_on_any_scale),
        cmocka_unit_test(the_poisson_fit_equals_r),
        cmocka_unit_test(a_poisson_fit_that_cannot_be_is_refused),
        cmocka_unit_test(correlations_agree_with_r_and_with_all_pairs),
        cmocka_unit_test(correlations_of_constants_are_refused),
    };
    return cmocka_run_group_tests_name("num tools", tests, NULL, NULL);
}
