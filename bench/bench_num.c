/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ns a draw, a cdf, a quantile: the num room beside Boost's own call and R.
 *
 * usage: bench_num        (R's column is empty where Rscript is missing)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "num/boost_math.h"
#include "num/dist.h"
#include "num/draw.h"
#include "num/pmf.h"

typedef double (*work)(iv_stream *s, double u);

/* The processor's time, so that other programs disturb less. */
static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static volatile double sink; /* keeps the compiler from skipping the work */

/* The best of five passes over u = (i + 1/2)/count, in ns a call. */
static double measure(work f, size_t count)
{
    double best = INFINITY;

    for (int pass = 0; pass < 5; pass++) {
        iv_stream s = iv_stream_start(1, IV_FOR_CALLER, 0);
        double sum = 0.0;
        const double start = now();
        for (size_t i = 0; i < count; i++)
            sum += f(&s, ((double)i + 0.5) / (double)count);
        best = fmin(best, (now() - start) / (double)count);
        sink = sum;
    }
    return best;
}

/* ------------------------------------------------------------ R's times -- */

typedef struct timing {
    char name[48];
    double ns;
} timing;

static timing r_times[64];
static size_t r_count;

static void ask_r(void)
{
    char line[128];
    FILE *p = popen("command -v Rscript >/dev/null 2>&1 && Rscript " BENCH_DIR
                    "/bench_num.R", "r");

    if (p == NULL)
        return;
    while (fgets(line, sizeof line, p) != NULL && r_count < 64) {
        char *tab = strchr(line, '\t');
        if (tab == NULL)
            continue;
        *tab = '\0';
        (void)snprintf(r_times[r_count].name, sizeof r_times->name, "%.40s", line);
        r_times[r_count++].ns = strtod(tab + 1, NULL);
    }
    (void)pclose(p);
    if (r_count == 0)
        puts("Rscript is missing: R's column stays empty\n");
}

static void put(double ns)
{
    if (ns > 0.0)
        printf(" %10.1f |", ns);
    else
        printf(" %10s |", "");
}

/* A call gives `each` values. */
static void row_of(const char *name, work ours, work boost, size_t count,
                   double each)
{
    double r = 0.0;

    for (size_t i = 0; i < r_count; i++) {
        if (strcmp(r_times[i].name, name) == 0)
            r = r_times[i].ns;
    }
    printf("| %-30s |", name);
    put(measure(ours, count) / each);
    put(boost != NULL ? measure(boost, count) : 0.0);
    put(r);
    putchar('\n');
}

static void row(const char *name, work ours, work boost, size_t count)
{
    row_of(name, ours, boost, count, 1.0);
}

/* ---------------------------------------------------------------- draws -- */

#define DRAW(name, expression)                    \
    static double name(iv_stream *s, double u)    \
    {                                             \
        (void)u;                                  \
        return (double)(expression);              \
    }

DRAW(d_uniform, iv_draw_uniform(s))
DRAW(d_below, iv_draw_below(s, 50))
DRAW(d_normal, iv_draw_normal(s))
DRAW(d_gamma_half, iv_draw_gamma(s, 0.5))
DRAW(d_gamma_20, iv_draw_gamma(s, 20.0))
DRAW(d_beta_half, iv_draw_beta(s, 0.5, 3.0))
DRAW(d_beta_20, iv_draw_beta(s, 20.0, 30.0))
DRAW(d_binom_50, iv_draw_binom(s, 50, 0.5))
DRAW(d_binom_wide, iv_draw_binom(s, 50000000, 0.3))
DRAW(d_binom_rare, iv_draw_binom(s, 50000000, 1e-7))
DRAW(d_hyper_wide, iv_draw_hyper(s, 50000000, 400000, 4000000))
DRAW(d_hyper_rare, iv_draw_hyper(s, 50000000, 4000, 40000))

/* Whole resamples and subsets, counted for each draw in them. */
static double d_resample(iv_stream *s, double u)
{
    uint32_t counts[50];

    (void)u;
    iv_draw_resample(s, counts, 50);
    return counts[0];
}

static double d_subset(iv_stream *s, double u)
{
    static size_t picks[4000];

    (void)u;
    (void)iv_draw_subset(s, picks, 4000, 5000000);
    return (double)picks[0];
}

static double d_start(iv_stream *s, double u)
{
    iv_stream fresh = iv_stream_start(s->seed, 1, (uint64_t)(u * 1e9));

    return iv_draw_uniform(&fresh);
}

static void draws(void)
{
    const size_t n = 1000000;

    row("uniform", d_uniform, NULL, 5 * n);
    row("uniform, fresh stream", d_start, NULL, n);
    row("below 50", d_below, NULL, 5 * n);
    row("normal", d_normal, NULL, 5 * n);
    row("gamma 0.5", d_gamma_half, NULL, n);
    row("gamma 20", d_gamma_20, NULL, n);
    row("beta 0.5 3", d_beta_half, NULL, n);
    row("beta 20 30", d_beta_20, NULL, n);
    row("binom 50 0.5", d_binom_50, NULL, n);
    row("binom 5e7 0.3", d_binom_wide, NULL, n);
    row("binom 5e7 1e-7", d_binom_rare, NULL, n);
    row("hyper 5e7 4e5 4e6", d_hyper_wide, NULL, n / 2);
    row("hyper 5e7 4e3 4e4", d_hyper_rare, NULL, n / 2);
    row_of("resample 50, a draw", d_resample, NULL, n / 10, 50.0);
    row_of("subset 4000 of 5e6, each", d_subset, NULL, 200, 4000.0);
}

/* ------------------------------------------------------- distributions -- */

#define AT(name, expression)                      \
    static double name(iv_stream *s, double u)    \
    {                                             \
        (void)s;                                  \
        return (double)(expression);              \
    }

AT(f_norm, iv_norm_cdf(8.0 * u - 4.0))
AT(b_norm, 0.5 * iv_boost_erfc((4.0 - 8.0 * u) * 0.7071067811865476))
AT(f_t, iv_t_cdf(8.0 * u - 4.0, 29.0))
AT(b_t, iv_boost_t_cdf(8.0 * u - 4.0, 29.0))
AT(f_beta_3, iv_beta_cdf(u, 3.5, 20.0))
AT(b_beta_3, iv_boost_ibeta(3.5, 20.0, u))
AT(f_beta_400, iv_beta_cdf(0.2 + 0.07 * u, 400.0, 1300.0))
AT(b_beta_400, iv_boost_ibeta(400.0, 1300.0, 0.2 + 0.07 * u))
AT(f_beta_1e6, iv_beta_cdf(0.249 + 0.002 * u, 1e6, 3e6))
AT(b_beta_1e6, iv_boost_ibeta(1e6, 3e6, 0.249 + 0.002 * u))
AT(f_beta_5e7, iv_beta_cdf(0.2855 + 0.0004 * u, 2e7, 5e7))
AT(b_beta_5e7, iv_boost_ibeta(2e7, 5e7, 0.2855 + 0.0004 * u))
AT(f_binom, iv_binom_cdf((int64_t)(50.0 * u), 50, 0.3))
AT(f_hyper, iv_hyper_cdf((int64_t)(70.0 * u), 1000, 385, 70))
AT(f_hyper_wide, iv_hyper_cdf(7990000 + (int64_t)(20000.0 * u), 50000000, 20000000,
                              20000000))
AT(f_hyper_pmf, iv_hyper_log_pmf(7990000 + (int64_t)(20000.0 * u), 50000000,
                                 20000000, 20000000))
AT(f_betabin_pmf, iv_betabin_log_curve(trunc(5e6 * u), 5000000, 30.5, 1470.5))
AT(q_norm, iv_norm_quantile(u))
AT(q_t, iv_t_quantile(u, 29.0))
AT(q_beta, iv_beta_quantile(u, 20.0, 30.0))
AT(bq_beta, iv_boost_ibeta_inv(20.0, 30.0, u))
AT(q_beta_1e6, iv_beta_quantile(u, 1e6, 3e6))
AT(bq_beta_1e6, iv_boost_ibeta_inv(1e6, 3e6, u))

static void distributions(void)
{
    row("norm cdf", f_norm, b_norm, 1000000);
    row("t(29) cdf", f_t, b_t, 300000);
    row("beta(3.5, 20) cdf", f_beta_3, b_beta_3, 300000);
    row("beta(400, 1300) cdf", f_beta_400, b_beta_400, 200000);
    row("beta(1e6, 3e6) cdf", f_beta_1e6, b_beta_1e6, 20000);
    row("beta(2e7, 5e7) cdf", f_beta_5e7, b_beta_5e7, 5000);
    row("binom(50, 0.3) cdf", f_binom, NULL, 300000);
    row("hyper(1000) cdf", f_hyper, NULL, 200000);
    row("hyper(5e7, 2e7, 2e7) cdf", f_hyper_wide, NULL, 3000);
    row("hyper(5e7, 2e7, 2e7) log pmf", f_hyper_pmf, NULL, 500000);
    row("betabin(5e6, 30, 1470) log pmf", f_betabin_pmf, NULL, 500000);
    row("norm quantile", q_norm, NULL, 1000000);
    row("t(29) quantile", q_t, NULL, 50000);
    row("beta(20, 30) quantile", q_beta, bq_beta, 50000);
    row("beta(1e6, 3e6) quantile", q_beta_1e6, bq_beta_1e6, 1000);
}

/* -------------------------------------------------------------- vectors -- */

static void one_convolution(iv_convolver *c, int64_t m, int64_t n)
{
    iv_pmf a = { 0 }, b = { 0 }, sum = { 0 };
    double best = INFINITY;

    if (iv_pmf_betabin(&a, m, 30.5, 1470.5, 1e-17, NULL) < 0
        || iv_pmf_betabin(&b, n, 2.5, 900.5, 1e-17, NULL) < 0)
        exit(EXIT_FAILURE);
    for (int pass = 0; pass < 3; pass++) {
        const double start = now();
        if (iv_pmf_convolve(&sum, &a, &b, c, NULL) < 0)
            exit(EXIT_FAILURE);
        best = fmin(best, now() - start);
    }
    printf("convolve %zu with %zu atoms: %.2f ms\n", a.count, b.count, best * 1e-6);
    iv_pmf_free(&a);
    iv_pmf_free(&b);
    iv_pmf_free(&sum);
}

static void vectors(void)
{
    static const int64_t sizes[][2] = { { 2000, 2000 }, { 20000, 500 },
                                        { 50000, 20000 }, { 500000, 500000 },
                                        { 5000000, 1000000 } };
    iv_pmf v = { 0 };
    iv_convolver *c = NULL;
    double best = INFINITY;

    for (int pass = 0; pass < 5; pass++) {
        const double start = now();
        if (iv_pmf_betabin(&v, 5000000, 30.5, 1470.5, 1e-17, NULL) < 0)
            exit(EXIT_FAILURE);
        best = fmin(best, now() - start);
    }
    printf("\nbeta-binomial vector, N = 5e6: %zu atoms, %.2f ns an atom\n", v.count,
           best / (double)v.count);
    iv_pmf_free(&v);
    if (iv_convolver_new(&c, NULL) < 0)
        exit(EXIT_FAILURE);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        one_convolution(c, sizes[i][0], sizes[i][1]);
    iv_convolver_free(c);
}

int main(void)
{
    ask_r();
    puts("ns a call:\n");
    puts("|                                |       ours |      Boost |          R |");
    puts("|--------------------------------|-----------:|-----------:|-----------:|");
    draws();
    distributions();
    vectors();
    return EXIT_SUCCESS;
}
