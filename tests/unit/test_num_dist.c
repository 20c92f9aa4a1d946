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

#include "intervale/num.h"
#include "near.h"

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
    return exp(iv_betabin_log_pmf(k, n, a, b));
}

#define ROW(k, f) { .name = #f, .kind = #k, .k = iv_##f }
#define TAILS(k, f) \
    ROW(k, f##_cdf), ROW(k, f##_sf), ROW(k, f##_log_cdf), ROW(k, f##_log_sf)
#define REAL(k, f) \
    TAILS(k, f), ROW(k, f##_log_pdf), ROW(k, f##_quantile), ROW(k, f##_isf)

static const entry entries[] = {
    ROW(d1, log_gamma), ROW(d1, digamma), ROW(d2, log_beta),
    REAL(d1, norm), REAL(d2, t), REAL(d2, gamma), REAL(d2, chisq), REAL(d3, beta),
    TAILS(iid, binom), TAILS(iiii, hyper), TAILS(iidd, betabin),
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
        const double error = fabs(got - want) / scale;
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
    assert_true(check_table(TESTS_DIR "/oracle/num_dist.tsv") > 1700);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_agree_with_50_digit_arithmetic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
