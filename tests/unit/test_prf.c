/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims about the posteriors of precision, recall and F; the name of a test
 * is the claim.  tests/oracle/prf*.tsv hold the reference values, beside the
 * scripts that made them.
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
#include "num/dist.h"
#include "num/draw.h"
#include "stat/paired/pair_p.h"
#include "stat/prf/prf_counts.h"
#include "stat/prf/prf_posterior.h"

static const iv_prf_metric precision = { IV_PRF_PRECISION, 0.0 };
static const iv_prf_metric f1 = { IV_PRF_F, 1.0 };
static const iv_prf_metric balanced = { IV_PRF_BALANCED_ACCURACY, 0.0 };

static iv_posterior posterior(double tp, double fp, double fn, double tn, iv_prf_metric m)
{
    const iv_prf_cells c = { tp, fp, fn, tn };
    iv_posterior p;

    iv_posterior_prf(&p, &c, m);
    return p;
}

static iv_posterior beta(double a, double b)
{
    iv_posterior p;

    iv_posterior_beta(&p, a, b);
    return p;
}

static double below(const iv_posterior *p, double x)
{
    return iv_posterior_tail(p, x, 1.0 - x, false);
}

static double paired_below(iv_paired_cells c, double x)
{
    const iv_posterior s = beta(c.a + c.b, c.rest);

    return iv_paired_gap_below(c, &s, x);
}

/* P(A > B) and P(B > A). */
static double both_ways(double *back, iv_posterior a, iv_posterior b)
{
    *back = iv_posterior_greater(&b, &a);
    return iv_posterior_greater(&a, &b);
}

/* Lines of a table that are no comments, field by field. */
typedef void (*line_check)(char **field, int count);

static int each_line(const char *file, line_check check)
{
    char path[512], line[1024];
    int lines = 0;

    (void)snprintf(path, sizeof path, "%s/oracle/%s", TESTS_DIR, file);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        char *field[16];
        int count = 0;
        if (line[0] == '#' || strncmp(line, "category", 8) == 0)
            continue;
        for (char *w = strtok(line, "\t\n"); w != NULL && count < 16; w = strtok(NULL, "\t\n"))
            field[count++] = w;
        check(field, count);
        lines++;
    }
    (void)fclose(f);
    return lines;
}

/* ----------------------------------------------------- reference values -- */

/* The number called name in "a=1 b=2,3", the k-th of a list. */
static double input(const char *text, const char *name, int k)
{
    const size_t len = strlen(name);

    for (const char *p = text; p != NULL; p = strchr(p, ' ')) {
        p += *p == ' ';
        if (strncmp(p, name, len) != 0 || p[len] != '=')
            continue;
        p += len;
        for (; k > 0; k--)
            p = strchr(p + 1, ',');
        return strtod(p + 1, NULL);
    }
    fail_msg("no %s in %s", name, text);
    return 0.0;
}

static iv_posterior golden_posterior(const char *in, iv_prf_metric m)
{
    const double l = input(in, "lam", 0);

    return posterior(input(in, "TP", 0) + l, input(in, "FP", 0) + l,
                     m.kind == IV_PRF_F ? input(in, "FN", 0) + l : 1.0, 0.0, m);
}

static double golden_pair(const char *in, const char *a, const char *b, iv_prf_metric m)
{
    const double l = input(in, "lam", 0);
    double back;

    return both_ways(&back,
                     posterior(input(in, a, 0) + l, input(in, a, 1) + l, input(in, a, 2) + l,
                               0.0, m),
                     posterior(input(in, b, 0) + l, input(in, b, 1) + l, input(in, b, 2) + l,
                               0.0, m));
}

static double golden_comparison(const char *what, const char *in)
{
    double back;

    if (strcmp(what, "P(pi1>pi2)") == 0)
        return iv_paired_greater((iv_paired_cells){ input(in, "N1", 0) + input(in, "alpha1", 0),
                                                    input(in, "N2", 0) + input(in, "alpha2", 0),
                                                    1.0 });
    if (strcmp(what, "E[Delta]") == 0 || strcmp(what, "E[rho]") == 0) {
        const double l = input(in, "alpha", 0);
        const bool delta = what[2] == 'D';
        const iv_paired_cells c = { input(in, "N1", 0) + l, input(in, "N2", 0) + l,
                                    delta ? input(in, "N3", 0) + l : 1.0 };
        return delta ? iv_paired_difference(c) : iv_paired_log_odds(c);
    }
    if (strcmp(what, "P(p2>p1)") == 0) {
        const double l = input(in, "lam", 0);
        return both_ways(&back, beta(input(in, "TP2", 0) + l, input(in, "FP2", 0) + l),
                         beta(input(in, "TP1", 0) + l, input(in, "FP1", 0) + l));
    }
    if (strcmp(what, "P(Fba>Fbb)") == 0)
        return golden_pair(in, "a", "b", (iv_prf_metric){ IV_PRF_F, input(in, "beta", 0) });
    if (strstr(in, "TPa") == NULL)
        return golden_pair(in, "a", "b", f1);
    const double l = input(in, "lam", 0);
    return both_ways(&back,
                     posterior(input(in, "TPa", 0) + l, input(in, "FPplusFNa", 0) + l, l, 0.0,
                               f1),
                     posterior(input(in, "TPb", 0) + l, input(in, "FPplusFNb", 0) + l, l, 0.0,
                               f1));
}

static void golden_line(char **field, int count)
{
    const char *what = field[1], *in = field[2];
    const double tolerance = strtod(field[4], NULL);
    char *more = NULL;
    const double want = strtod(field[3], &more);

    assert_int_equal(count, 5);
    if (what[0] == 'P' || what[0] == 'E') {
        assert_near(golden_comparison(what, in), want, tolerance);
        return;
    }
    const iv_posterior p
        = golden_posterior(in, what[0] == 'p' ? precision
                               : strncmp(what, "Fbeta", 5) != 0
                                   ? f1 : (iv_prf_metric){ IV_PRF_F, input(in, "beta", 0) });
    if (strstr(what, "interval") != NULL) {
        const iv_limits i = iv_posterior_interval(&p, 0.95);
        assert_near(i.lower, want, tolerance);
        assert_near(i.upper, strtod(more + 1, NULL), tolerance);
    } else if (strstr(what, "cdf") != NULL) {
        assert_near(below(&p, input(in, "x", 0)), want, tolerance);
    } else {
        assert_non_null(strstr(what, "mean"));
        assert_near(p.mean, want, tolerance);
    }
}

static void every_reference_value_holds(void **state)
{
    (void)state;
    assert_int_equal(each_line("prf_golden.tsv", golden_line), 53);
}

static void oracle_line(char **field, int count)
{
    double x[8], got = -1.0, back = 0.0;

    for (int i = 0; i < 8; i++)
        x[i] = i + 1 < count ? strtod(field[i + 1], NULL) : 0.0;
    const double want = x[count - 2];
    if (strcmp(field[0], "greater") == 0) {
        got = both_ways(&back, beta(x[0], x[1]), beta(x[2], x[3]));
        assert_near(back, 1.0 - want, 2e-9);
    } else if (strcmp(field[0], "fgreater") == 0) {
        const iv_prf_metric m = { IV_PRF_F, x[6] };
        got = both_ways(&back, posterior(x[0], x[1], x[2], 0.0, m),
                        posterior(x[3], x[4], x[5], 0.0, m));
        assert_near(back, 1.0 - want, 2e-9);
    } else if (strcmp(field[0], "balanced") == 0) {
        return; /* drawn */
    } else if (strcmp(field[0], "fcdf") == 0) {
        const iv_posterior p = posterior(x[0], x[1], x[2], 0.0, (iv_prf_metric){ IV_PRF_F, x[3] });
        got = below(&p, x[4]);
    } else if (strcmp(field[0], "gap") == 0) {
        const iv_posterior a = beta(x[0], x[1]), b = beta(x[2], x[3]);
        got = iv_posterior_gap_below(&a, &b, x[4]);
    } else {
        assert_string_equal(field[0], "paired");
        got = paired_below((iv_paired_cells){ x[0], x[1], x[2] }, x[3]);
    }
    assert_near(got, want, 2e-9);
}

static void probabilities_agree_with_30_digit_integrals(void **state)
{
    (void)state;
    assert_int_equal(each_line("prf.tsv", oracle_line), 48);
}

/* The paper drew 10,000 times: 3 standard errors and the rounding. */
static double paper_error(double p)
{
    return 3.0 * sqrt(p * (1.0 - p) / 1e4) + 0.000051 + 4e-4 * (p < 1e-4 || p > 0.9999);
}

static int beyond;

static void table1_line(char **field, int count)
{
    const double tp_a = strtod(field[2], NULL), errors_a = strtod(field[3], NULL);
    const double tp_b = strtod(field[4], NULL), errors_b = strtod(field[5], NULL);
    const double printed = strtod(field[6], NULL) / 100.0;
    double back;

    assert_int_equal(count, 7);
    const double p = both_ways(&back, posterior(tp_a + 0.5, errors_a + 0.5, 0.5, 0.0, f1),
                               posterior(tp_b + 0.5, errors_b + 0.5, 0.5, 0.0, f1));
    assert_near(p, printed, paper_error(p));
    assert_near(p + back, 1.0, 1e-10);
}

static void table1_of_the_paper_holds_where_its_counts_are_known(void **state)
{
    (void)state;
    assert_int_equal(each_line("prf_table1.tsv", table1_line), 33);
}

static void table2_line(char **field, int count)
{
    const double a = strtod(field[2], NULL), b = strtod(field[3], NULL);
    const double printed = strtod(field[4], NULL) / 100.0;
    const double p = iv_paired_greater((iv_paired_cells){ a + 0.5, b + 0.5, 1.0 });

    assert_int_equal(count, 5);
    if (strcmp(field[0], "earn") == 0 && strcmp(field[1], "ltc_lin_p2") == 0) {
        assert_near(p, 0.08771290932385208, 1e-12); /* the paper has .0976 */
        beyond += fabs(p - printed) > paper_error(p);
        return;
    }
    assert_near(p, printed, paper_error(p));
}

static void table2_of_the_paper_holds_but_for_one_misprint(void **state)
{
    (void)state;
    beyond = 0;
    assert_int_equal(each_line("prf_table2.tsv", table2_line), 39);
    assert_int_equal(beyond, 1);
}

static void example_of_section_2_2_holds(void **state)
{
    const iv_posterior one = beta(10.5, 10.5), two = beta(3.5, 2.5);

    (void)state;
    assert_near(one.mean, 0.5, 1e-14);
    assert_near(iv_posterior_mode(&one), 0.5, 1e-14);
    assert_near(two.mean, 3.5 / 6.0, 1e-14);
    assert_near(iv_posterior_mode(&two), 0.625, 1e-14);
    assert_near(iv_posterior_greater(&two, &one), 0.652222372208884, 1e-12);
}

/* ------------------------------------------------------------ properties -- */

static void probabilities_of_both_orders_add_to_1_for_counts_to_1e8(void **state)
{
    static const double counts[] = { 0.0, 1.0, 7.0, 1e3, 1e5, 1e8 };
    static const iv_prf_metric metrics[] = { { IV_PRF_PRECISION, 0.0 }, { IV_PRF_F, 1.0 },
                                             { IV_PRF_F, 2.0 } };
    const size_t n = sizeof counts / sizeof *counts;
    iv_stream s = iv_stream_start(11, IV_FOR_CALLER, 0);

    (void)state;
    for (int round = 0; round < 24; round++) {
        iv_posterior p[2];
        const iv_prf_metric m = metrics[round % 3];
        for (int i = 0; i < 2; i++) {
            const double tp = counts[iv_draw_below(&s, n)], fp = counts[iv_draw_below(&s, n)];
            const double fn = counts[iv_draw_below(&s, n)];
            p[i] = posterior(tp + 0.5, fp + 0.5, fn + 0.5, 0.0, m);
        }
        double back;
        const double forth = both_ways(&back, p[0], p[1]);
        assert_near(forth + back, 1.0, 1e-10);
        assert_near(iv_posterior_gap_below(&p[0], &p[1], 0.0), back, 1e-8);
    }
}

static void a_density_without_one_hump_has_no_mode(void **state)
{
    iv_posterior p = beta(0.5, 0.5);

    (void)state;
    assert_near(iv_posterior_interval(&p, 0.95).lower, 0.0015413331334360, 1e-12);
    assert_true(isnan(iv_posterior_mode(&p)));
    p = beta(1.0, 1.0);
    assert_near(iv_posterior_interval(&p, 0.9).lower, 0.05, 1e-12);
    assert_true(isnan(iv_posterior_mode(&p)));
}

static void mode_check(double want, iv_posterior p)
{
    assert_near(iv_posterior_mode(&p), want, 1e-9);
}

static void modes_are_where_the_density_is_largest(void **state)
{
    /* F_1: the larger root of k(b-1) z^2 + (b+1-2k-(a-1)k) z - (a-1), k = 2,
     * where z are odds of B: worked out by hand from the density. */
    const double a = 10.5, b = 16.0, k = 2.0;
    const double p = k * (b - 1.0), q = b + 1.0 - 2.0 * k - (a - 1.0) * k, r = a - 1.0;
    const double z = (-q + sqrt(q * q + 4.0 * p * r)) / (2.0 * p);

    (void)state;
    mode_check(2.0 * z / (1.0 + 2.0 * z), posterior(10.5, 10.5, 5.5, 0.0, f1));
    mode_check(0.0, beta(0.5, 3.5));
    mode_check(1.0, beta(3.5, 0.5));
    mode_check(0.0, beta(1.0, 3.0));
    mode_check(2.0 / 3.0, beta(3.0, 2.0));
    mode_check(0.0, posterior(0.5, 10.5, 5.5, 0.0, (iv_prf_metric){ IV_PRF_F, 2.0 }));
}

static void f_beta_near_1_is_f_1(void **state)
{
    const iv_posterior one = posterior(10.5, 10.5, 5.5, 0.0, f1);
    const iv_posterior near = posterior(10.5, 10.5, 5.5, 0.0,
                                        (iv_prf_metric){ IV_PRF_F, 1.0 + 1e-9 });

    (void)state;
    for (double x = 0.1; x < 1.0; x += 0.1)
        assert_near(below(&near, x), below(&one, x), 2e-8);
    assert_near(near.mean, one.mean, 2e-8);
    assert_near(iv_posterior_mode(&near), iv_posterior_mode(&one), 2e-8);
}

static void extreme_betas_of_f_are_precision_and_recall(void **state)
{
    const iv_posterior low = posterior(30.5, 10.5, 5.5, 0.0, (iv_prf_metric){ IV_PRF_F, 0.01 });
    const iv_posterior high = posterior(30.5, 10.5, 5.5, 0.0, (iv_prf_metric){ IV_PRF_F, 100.0 });

    (void)state;
    for (double x = 0.6; x < 0.95; x += 0.05) {
        assert_near(below(&low, x), iv_beta_cdf(x, 30.5, 10.5), 1e-3);
        assert_near(below(&high, x), iv_beta_cdf(x, 30.5, 5.5), 1e-3);
    }
}

static void intervals_of_differences_leave_out_equal_tails(void **state)
{
    const iv_posterior a = posterior(80.5, 20.5, 30.5, 0.0, f1);
    const iv_posterior b = posterior(70.5, 15.5, 40.5, 0.0, f1);
    iv_interval g;
    double more = 0.0;

    (void)state;
    assert_int_equal(iv_posterior_compare(&more, &g, &a, &b, 0.9, NULL), IV_OK);
    assert_near(iv_posterior_gap_below(&a, &b, g.lower), 0.05, 1e-10);
    assert_near(iv_posterior_gap_below(&a, &b, g.upper), 0.95, 1e-10);
    assert_near(g.value, a.mean - b.mean, 1e-14);
    const iv_paired_cells c = { 17.5, 4.5, 30.5 };
    assert_int_equal(iv_paired_compare(&more, &g, c, 0.9, NULL), IV_OK);
    assert_near(paired_below(c, g.lower), 0.05, 1e-10);
    assert_near(paired_below(c, 0.0), 1.0 - more, 1e-10);
}

static void mcnemar_is_that_of_compare(void **state)
{
    (void)state;
    /* R: mcnemar.test(matrix(c(9, 4, 17, 9), 2), correct = FALSE) */
    assert_near(iv_mcnemar(17, 4), 0.004556349803, 1e-10);
    assert_near(iv_mcnemar(3, 3), 1.0, 0.0);
    assert_near(iv_mcnemar(0, 0), 1.0, 0.0);
    for (size_t wins = 0; wins <= 12; wins++)
        for (size_t losses = 0; losses <= 12; losses++) {
            const iv_share_counts s = { (double)wins, (double)losses, 60.0, INFINITY };
            const double p = 2.0 * iv_shares_p(&s, 0.0, wins > losses ? IV_GREATER : IV_LESS);
            assert_near(iv_mcnemar((double)wins, (double)losses), fmin(1.0, p), 1e-12);
        }
}

static void values_outside_their_domain_are_refused(void **state)
{
    const iv_prf_counts negative = { 1, -1, 0, 0 }, huge = { IV_PRF_COUNT_MAX + 1, 0, 0, 0 };
    const iv_prf_counts fine = { 1, 1, 1, -1 };
    iv_prf_cells c;

    (void)state;
    assert_int_equal(iv_prf_update(&c, (iv_prf_prior){ 0.5, 0.5 }, &negative, NULL),
                     IV_EARG);
    assert_int_equal(iv_prf_update(&c, (iv_prf_prior){ 0.5, 0.5 }, &huge, NULL), IV_EARG);
    assert_int_equal(iv_prf_update(&c, (iv_prf_prior){ -1.0, 0.5 }, &fine, NULL), IV_EARG);
    assert_true(isnan(iv_prf_value(balanced, &fine)));
    assert_true(isnan(iv_prf_value(precision, &(iv_prf_counts){ 0, 0, 4, 4 })));
    assert_near(iv_prf_value(f1, &(iv_prf_counts){ 0, 0, 4, 4 }), 0.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reference_value_holds),
        cmocka_unit_test(probabilities_agree_with_30_digit_integrals),
        cmocka_unit_test(table1_of_the_paper_holds_where_its_counts_are_known),
        cmocka_unit_test(table2_of_the_paper_holds_but_for_one_misprint),
        cmocka_unit_test(example_of_section_2_2_holds),
        cmocka_unit_test(probabilities_of_both_orders_add_to_1_for_counts_to_1e8),
        cmocka_unit_test(a_density_without_one_hump_has_no_mode),
        cmocka_unit_test(modes_are_where_the_density_is_largest),
        cmocka_unit_test(f_beta_near_1_is_f_1),
        cmocka_unit_test(extreme_betas_of_f_are_precision_and_recall),
        cmocka_unit_test(intervals_of_differences_leave_out_equal_tails),
        cmocka_unit_test(mcnemar_is_that_of_compare),
        cmocka_unit_test(values_outside_their_domain_are_refused),
    };

    return cmocka_run_group_tests_name("prf", tests, NULL, NULL);
}
