/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws follow their distributions.
 *
 * Kolmogorov-Smirnov and chi-square tests under a fixed seed, each with a
 * false-alarm rate of 1e-6: were the seed changed, one in about 20,000 runs of
 * this program (some 50 tests) would fail though all is well.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"
#include "test_num.h"
#include "num/dist.h"
#include "num/draw.h"
#include "num/linear.h"

enum { DRAWS = 30000, CELLS = 800 };

static const double alarm = 1e-6;

static iv_stream stream(uint64_t replicate)
{
    return iv_stream_start(7351, IV_FOR_CALLER + 1, replicate);
}

/* --------------------------------------------------------------- tests -- */

static int compare(const void *va, const void *vb)
{
    const double a = *(const double *)va, b = *(const double *)vb;

    return (a > b) - (a < b);
}

/* u are the cdf at the draws, and should be uniform. */
static void assert_uniform(double *u, size_t n, const char *what)
{
    double worst = 0.0;

    qsort(u, n, sizeof *u, compare);
    for (size_t i = 0; i < n; i++) {
        worst = fmax(worst, (double)(i + 1) / (double)n - u[i]);
        worst = fmax(worst, u[i] - (double)i / (double)n);
    }
    /* Kolmogorov's limit: P(sqrt(n) D > x) is about 2 exp(-2 x^2). */
    const double x = sqrt((double)n) * worst;
    if (2.0 * exp(-2.0 * x * x) < alarm)
        fail_msg("%s: Kolmogorov-Smirnov %g", what, x);
}

static void assert_chi_square(const double *seen, const double *expected,
                              size_t cells, const char *what)
{
    double sum = 0.0, used = 0.0;

    for (size_t i = 0; i < cells; i++) {
        if (expected[i] <= 0.0) {
            assert_true(seen[i] == 0.0);
            continue;
        }
        const double d = seen[i] - expected[i];
        sum += d * d / expected[i];
        used += 1.0;
    }
    if (used > 1.0 && iv_gamma_sf(0.5 * sum, 0.5 * (used - 1.0)) < alarm)
        fail_msg("%s: chi-square %g on %g degrees of freedom", what, sum,
                 used - 1.0);
}

/* ---------------------------------------------------------------- reals -- */

typedef struct real {
    const char *name;
    double a, b;
    double (*draw)(iv_stream *, double a, double b);
    double (*cdf)(double x, double a, double b);
} real;

static double draw_uniform(iv_stream *s, double a, double b)
{
    (void)a;
    (void)b;
    return iv_draw_uniform(s);
}

static double draw_open(iv_stream *s, double a, double b)
{
    (void)a;
    (void)b;
    return iv_draw_uniform_open(s);
}

static double draw_below(iv_stream *s, double n, double b)
{
    (void)b;
    return ((double)iv_draw_below(s, (uint64_t)n) + iv_draw_uniform(s)) / n;
}

static double uniform_cdf(double x, double a, double b)
{
    (void)a;
    (void)b;
    return x;
}

static double draw_normal(iv_stream *s, double a, double b)
{
    (void)a;
    (void)b;
    return iv_draw_normal(s);
}

static double normal_cdf(double x, double a, double b)
{
    (void)a;
    (void)b;
    return iv_norm_cdf(x);
}

static double draw_exponential(iv_stream *s, double a, double b)
{
    (void)a;
    (void)b;
    return iv_draw_exponential(s);
}

static double draw_gamma(iv_stream *s, double a, double b)
{
    (void)b;
    return iv_draw_gamma(s, a);
}

static double gamma_cdf(double x, double a, double b)
{
    (void)b;
    return iv_gamma_cdf(x, a);
}

static const real reals[] = {
    { "uniform", 0, 0, draw_uniform, uniform_cdf },
    { "open uniform", 0, 0, draw_open, uniform_cdf },
    { "below 3", 3, 0, draw_below, uniform_cdf },
    { "below 1000", 1000, 0, draw_below, uniform_cdf },
    { "below 3e9", 3e9, 0, draw_below, uniform_cdf },
    { "below 1e13", 1e13, 0, draw_below, uniform_cdf },
    { "normal", 0, 0, draw_normal, normal_cdf },
    { "exponential", 1, 0, draw_exponential, gamma_cdf },
    { "gamma 0.05", 0.05, 0, draw_gamma, gamma_cdf },
    { "gamma 0.5", 0.5, 0, draw_gamma, gamma_cdf },
    { "gamma 1", 1, 0, draw_gamma, gamma_cdf },
    { "gamma 3.25", 3.25, 0, draw_gamma, gamma_cdf },
    { "gamma 1e6", 1e6, 0, draw_gamma, gamma_cdf },
    { "beta 0.5 0.5", 0.5, 0.5, iv_draw_beta, iv_beta_cdf },
    { "beta 2 3.5", 2, 3.5, iv_draw_beta, iv_beta_cdf },
    { "beta 0.5 4000", 0.5, 4000, iv_draw_beta, iv_beta_cdf },
    { "beta 0.1 300", 0.1, 300, iv_draw_beta, iv_beta_cdf },
    { "beta 1e4 3e6", 1e4, 3e6, iv_draw_beta, iv_beta_cdf },
};

static void reals_follow_their_distribution(void **state)
{
    (void)state;
    double *u = malloc(DRAWS * sizeof *u);

    assert_non_null(u);
    for (size_t r = 0; r < sizeof reals / sizeof *reals; r++) {
        const real *t = &reals[r];
        iv_stream s = stream(r);
        for (size_t i = 0; i < DRAWS; i++)
            u[i] = t->cdf(t->draw(&s, t->a, t->b), t->a, t->b);
        assert_uniform(u, DRAWS, t->name);
    }
    free(u);
}

/* Cells beyond 2.5 on both sides: the wedges and the tail of the ziggurat. */
static void the_tails_of_the_normal_are_right(void **state)
{
    (void)state;
    static const double edge[] = { 2.5, 2.75, 3.0, 3.25, 3.5, 3.654, 3.8, 4.0 };
    enum { EDGES = sizeof edge / sizeof *edge };
    double seen[2 * EDGES + 1] = { 0.0 }, expected[2 * EDGES + 1] = { 0.0 };
    const double n = 5e5;
    iv_stream s = stream(90);

    for (int i = 0; i < 500000; i++) {
        const double x = iv_draw_normal(&s);
        size_t cell = 0;
        while (cell < EDGES && fabs(x) > edge[cell])
            cell++;
        seen[cell == 0 ? 0 : x < 0.0 ? 2 * cell : 2 * cell - 1] += 1.0;
    }
    expected[0] = n * (1.0 - 2.0 * iv_norm_sf(edge[0]));
    for (size_t i = 1; i <= EDGES; i++) {
        const double beyond = i < EDGES ? iv_norm_sf(edge[i]) : 0.0;
        expected[2 * i] = n * (iv_norm_sf(edge[i - 1]) - beyond);
        expected[2 * i - 1] = expected[2 * i];
    }
    assert_chi_square(seen, expected, 2 * EDGES + 1, "normal tails");
}

/* --------------------------------------------------------------- counts -- */

static const double levels[] = { 0.002, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5,
                                 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.998 };
enum { LEVELS = sizeof levels / sizeof *levels };

typedef struct counts {
    int64_t population, marked, n; /* binomial when population is 0 */
    double p;
} counts;

static double cdf(const counts *c, int64_t k)
{
    return c->population > 0 ? iv_hyper_cdf(k, c->population, c->marked, c->n)
                             : iv_binom_cdf(k, c->n, c->p);
}

/* The least k with P(X <= k) >= q. */
static int64_t quantile(const counts *c, double q)
{
    int64_t below = -1, good = c->n;

    while (good - below > 1) {
        const int64_t k = below + (good - below) / 2;
        *(cdf(c, k) >= q ? &good : &below) = k;
    }
    return good;
}

static int64_t draw(iv_stream *s, const counts *c)
{
    return c->population > 0 ? iv_draw_hyper(s, c->population, c->marked, c->n)
                             : iv_draw_binom(s, c->n, c->p);
}

static const counts cases[] = {
    { 0, 0, 1, 0.385 }, { 0, 0, 37, 0.4 }, { 0, 0, 50, 0.5 }, { 0, 0, 20, 0.95 },
    { 0, 0, 1000, 0.02 }, { 0, 0, 1000, 0.731 }, { 0, 0, 50000000, 2e-8 },
    { 0, 0, 50000000, 1e-6 }, { 0, 0, 50000000, 0.3 }, { 0, 0, 50000000, 0.9999 },
    { 20, 8, 11, 0 }, { 1000, 385, 70, 0 }, { 200, 190, 100, 0 },
    { 2000000, 40, 30000, 0 }, { 50000000, 250, 1000000, 0 },
    { 50000000, 400000, 4000000, 0 }, { 50000000, 25000000, 20000000, 0 },
    { 50000000, 30000000, 49990000, 0 }, { 50000000, 49999000, 30000, 0 },
};

static void counts_follow_their_distribution(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int64_t edge[LEVELS];
        double seen[LEVELS + 1] = { 0.0 }, expected[LEVELS + 1], before = 0.0;
        iv_stream s = stream(100 + c);
        for (size_t i = 0; i < LEVELS; i++) {
            edge[i] = quantile(&cases[c], levels[i]);
            const double now = cdf(&cases[c], edge[i]);
            expected[i] = DRAWS * (now - before);
            before = now;
        }
        expected[LEVELS] = DRAWS * (1.0 - before);
        if (expected[LEVELS] < 1.0) { /* too few for a cell of their own */
            expected[LEVELS - 1] += expected[LEVELS];
            expected[LEVELS] = 0.0;
            edge[LEVELS - 1] = INT64_MAX;
        }
        for (size_t i = 0; i < DRAWS; i++) {
            const int64_t k = draw(&s, &cases[c]);
            size_t cell = 0;
            while (cell < LEVELS && k > edge[cell])
                cell++;
            seen[cell] += 1.0;
        }
        for (size_t i = 1; i < LEVELS; i++) {
            if (edge[i] == edge[i - 1])
                expected[i] = 0.0;
        }
        assert_chi_square(seen, expected, LEVELS + 1, "counts");
    }
}

/* -------------------------------------------------------------- vectors -- */

/* All outcomes of 2 throws over 3 cells, so dependence shows as well. */
static void multinomials_have_the_right_joint_distribution(void **state)
{
    (void)state;
    static const double w[] = { 1.0, 2.5, 0.5 };
    double seen[9] = { 0.0 }, expected[9] = { 0.0 };
    iv_stream s = stream(200);

    for (size_t i = 0; i < DRAWS; i++) {
        int64_t k[3];
        iv_draw_multinomial(&s, k, 2, w, 3);
        assert_true(k[0] + k[1] + k[2] == 2);
        seen[3 * k[0] + k[1]] += 1.0;
    }
    for (size_t i = 0; i < 9; i++) {
        const size_t first = i / 3, second = i % 3;
        size_t cell[3] = { 0, 0, 0 };
        cell[first]++;
        cell[second]++;
        expected[3 * cell[0] + cell[1]] += DRAWS * w[first] * w[second] / 16.0;
    }
    assert_chi_square(seen, expected, 9, "multinomial");
}

/* Rank of a sorted pair or triple among all subsets of [0, n). */
static size_t subset_rank(const size_t *x, size_t k)
{
    size_t rank = x[0];

    if (k > 1)
        rank += x[1] * (x[1] - 1) / 2;
    if (k > 2)
        rank += x[2] * (x[2] - 1) * (x[2] - 2) / 6;
    return rank;
}

static void every_subset_is_equally_likely(void **state)
{
    (void)state;
    static const struct { size_t k, n, subsets; } shapes[] = {
        { 3, 7, 35 },   /* taken in passing */
        { 2, 40, 780 }, /* redrawn */
    };

    for (size_t c = 0; c < 2; c++) {
        double seen[CELLS] = { 0.0 }, expected[CELLS];
        iv_stream s = stream(210 + c);
        for (size_t i = 0; i < DRAWS; i++) {
            size_t x[3];
            assert_true(iv_draw_subset(&s, x, shapes[c].k, shapes[c].n));
            for (size_t j = 1; j < shapes[c].k; j++)
                assert_true(x[j] > x[j - 1] && x[j] < shapes[c].n);
            seen[subset_rank(x, shapes[c].k)] += 1.0;
        }
        for (size_t i = 0; i < shapes[c].subsets; i++)
            expected[i] = DRAWS / (double)shapes[c].subsets;
        assert_chi_square(seen, expected, shapes[c].subsets, "subset");
    }
}

static size_t order_rank(const size_t *x)
{
    size_t rank = 0;

    for (size_t i = 0; i < 4; i++) {
        size_t smaller = 0;
        for (size_t j = i + 1; j < 4; j++)
            smaller += x[j] < x[i];
        rank = rank * (4 - i) + smaller;
    }
    return rank;
}

static void every_order_is_equally_likely(void **state)
{
    (void)state;
    double shuffled[24] = { 0.0 }, drawn[24] = { 0.0 }, expected[24];
    iv_stream s = stream(220);

    for (size_t i = 0; i < DRAWS; i++) {
        size_t x[4] = { 0, 1, 2, 3 }, y[4];
        iv_draw_shuffle(&s, x, 4, sizeof *x);
        shuffled[order_rank(x)] += 1.0;
        assert_true(iv_draw_sequence(&s, y, 4, 4));
        drawn[order_rank(y)] += 1.0;
    }
    for (size_t i = 0; i < 24; i++)
        expected[i] = DRAWS / 24.0;
    assert_chi_square(shuffled, expected, 24, "shuffle");
    assert_chi_square(drawn, expected, 24, "sequence");
}

/* Narrow and wide lanes: how often one cell is hit is binomial. */
static void resamples_hit_each_cell_binomially(void **state)
{
    (void)state;
    static const size_t sizes[] = { 3, 50, 4096, 4097 };
    enum { MOST = 6 };

    for (size_t c = 0; c < 4; c++) {
        const size_t n = sizes[c], rounds = n < 1000 ? 20000 : 400;
        double seen[MOST + 1] = { 0.0 }, expected[MOST + 1];
        uint32_t counts_of[4097];
        iv_stream s = stream(230 + c);
        const size_t step = n < 1000 ? n : 16; /* cells far apart: nearly independent */
        double looked = 0.0;
        for (size_t r = 0; r < rounds; r++) {
            size_t total = 0;
            iv_draw_resample(&s, counts_of, n);
            for (size_t i = 0; i < n; i++)
                total += counts_of[i];
            assert_int_equal(total, n);
            for (size_t i = r % step; i < n; i += step) {
                seen[counts_of[i] < MOST ? counts_of[i] : MOST] += 1.0;
                looked += 1.0;
            }
        }
        for (int64_t k = 0; k <= MOST; k++)
            expected[k] = looked
                          * (k < MOST ? exp(iv_binom_log_pmf(k, (int64_t)n,
                                                             1.0 / (double)n))
                                      : iv_binom_sf(k - 1, (int64_t)n,
                                                    1.0 / (double)n));
        assert_chi_square(seen, expected, MOST + 1, "resample");
    }
}

/* -------------------------------------------------------------- streams -- */

static void neighbouring_streams_are_independent(void **state)
{
    (void)state;
    double *u = malloc(DRAWS * sizeof *u);
    double *v = malloc(DRAWS * sizeof *v);

    assert_non_null(u);
    assert_non_null(v);
    for (int name = 0; name < 3; name++) {
        for (uint64_t i = 0; i < DRAWS; i++) {
            iv_stream s = iv_stream_start(name == 0 ? i : 5,
                                          name == 1 ? (uint32_t)i : 6,
                                          name == 2 ? i : 7);
            u[i] = iv_draw_uniform(&s);
            v[i] = iv_draw_uniform(&s);
        }
        /* z = r sqrt(n) is normal; the same for neighbours one apart. */
        const double limit = iv_norm_isf(0.5 * alarm) / sqrt(DRAWS - 1.0);
        assert_true(fabs(iv_pearson(u, v, DRAWS)) < limit);
        assert_true(fabs(iv_pearson(u, u + 1, DRAWS - 1)) < limit);
        assert_uniform(u, DRAWS, "first of each stream");
        assert_uniform(v, DRAWS, "second of each stream");
    }
    free(u);
    free(v);
}

int test_num_draws(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reals_follow_their_distribution),
        cmocka_unit_test(the_tails_of_the_normal_are_right),
        cmocka_unit_test(counts_follow_their_distribution),
        cmocka_unit_test(multinomials_have_the_right_joint_distribution),
        cmocka_unit_test(every_subset_is_equally_likely),
        cmocka_unit_test(every_order_is_equally_likely),
        cmocka_unit_test(resamples_hit_each_cell_binomially),
        cmocka_unit_test(neighbouring_streams_are_independent),
    };
    return cmocka_run_group_tests_name("num draws", tests, NULL, NULL);
}
