/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about means of items that hang together, and about variance parts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "intervale/stat/variance_parts.h"
#include "near.h"
#include "randomised.h"
#include "num/dist.h"
#include "stat/interval_methods.h"
#include "stat/paired/pair_p.h"

static iv_structured mean_of(const double *x, size_t n, const iv_structure *s)
{
    iv_structured m;
    iv_err err = { IV_OK, "" };

    if (iv_structured_mean(&m, x, n, s, 0, &err) != IV_OK)
        fail_msg("%s", err.msg);
    return m;
}

static void without_structure_it_is_the_usual_standard_error(void **state)
{
    const double x[] = { 0.1, 0.4, 0.35, 0.8, 0.2 };
    const iv_structured m = mean_of(x, 5, &(iv_structure){ 0 });

    (void)state;
    assert_near(m.mean, 0.37, 1e-15);
    assert_near(m.se, 0.26832815729997476 / sqrt(5.0), 1e-14);
    assert_near(m.df, 4.0, 1e-12);
    assert_near(m.se_apart, m.se, 1e-14);
}

/* Numbers of a line, as many as there are. */
static size_t numbers(double *out, size_t most, char *text)
{
    size_t n = 0;

    for (char *at = text, *end; n < most; at = end) {
        const double v = strtod(at, &end);
        if (end == at)
            break;
        out[n++] = v;
    }
    return n;
}

static void clustered_errors_are_miller_s_and_statsmodels_and_bell_and_mccaffrey_s(void **state)
{
    FILE *f = fopen(TESTS_DIR "/oracle/clusters.tsv", "r");
    char line[4096];
    size_t cases = 0;

    (void)state;
    assert_non_null(f);
    for (; fgets(line, sizeof line, f) != NULL; cases++) {
        double want[5], x[64], c[64];
        uint32_t cluster[64];
        char *values = line;
        for (size_t k = 0; k < 5; k++)
            values = strchr(values, '\t') + 1;
        char *clusters = strchr(values, '\t') + 1;
        clusters[-1] = '\0';
        assert_int_equal(numbers(want, 5, line), 5);
        const size_t n = numbers(x, 64, values);
        assert_int_equal(numbers(c, 64, clusters), n);
        for (size_t t = 0; t < n; t++)
            cluster[t] = (uint32_t)c[t];
        const iv_structure s = { .cluster = cluster, .clusters = cluster[n - 1] + 1 };
        const iv_structured m = mean_of(x, n, &s);
        const double g = (double)s.clusters;
        assert_near(m.se_clustered, want[0], 1e-12);
        assert_near(m.se_clustered * sqrt(g / (g - 1.0)), want[1], 1e-12); /* K is 1 */
        assert_near(m.se, want[2], 1e-12);
        assert_near(m.df, want[3], 1e-9);
        assert_near(m.icc, want[4], 1e-12);
        /* Miller (2024), equation 4: within-cluster products of residuals. */
        double sum = 0.0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                sum += cluster[i] == cluster[j] ? (x[i] - m.mean) * (x[j] - m.mean) : 0.0;
        assert_near(m.se_clustered, sqrt(sum) / (double)n, 1e-12);
    }
    (void)fclose(f);
    assert_int_equal(cases, 3);
}

static void fixed_sets_add_their_variances_and_sampled_ones_are_units(void **state)
{
    const double x[] = { 0.1, 0.3, 0.2, 0.6, 0.8, 0.9, 0.5, 0.4 };
    const uint32_t set[] = { 0, 0, 0, 1, 1, 2, 2, 2 };
    const double means[] = { 0.2, 0.7, 0.6 };
    const double v[] = { 0.01 / 3.0, 0.02 / 2.0, 0.07 / 3.0 }, df[] = { 2.0, 1.0, 2.0 };
    iv_structure s = { .suite = set, .suites = 3 };
    double all = 0.0, squares = 0.0;
    iv_structured m = mean_of(x, 8, &s);

    (void)state;
    for (size_t k = 0; k < 3; k++) {
        all += v[k] / 9.0;
        squares += v[k] * v[k] / 81.0 / df[k];
    }
    assert_near(m.mean, 0.5, 1e-15);
    assert_near(m.se, sqrt(all), 1e-14);
    assert_near(m.df, all * all / squares, 1e-10);
    s.sampled = true;
    m = mean_of(x, 8, &s);
    const iv_structured plain = mean_of(means, 3, &(iv_structure){ 0 });
    assert_int_equal(m.units, 3);
    assert_near(m.se, plain.se, 1e-14);
    assert_near(m.df, 2.0, 1e-10);
    s.sampled = false;
    /* Weights of sets. */
    s.suite_weight = (const double[]){ 2.0, 1.0, 1.0 };
    assert_near(mean_of(x, 8, &s).mean, (2.0 * 0.2 + 0.7 + 0.6) / 4.0, 1e-14);
}

static void sets_of_right_and_wrong_answers_have_their_own_variances(void **state)
{
    const double x[] = { 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0 };
    const uint32_t set[] = { 0, 0, 0, 1, 1, 1, 1, 1 };
    const iv_structured m = mean_of(x, 8, &(iv_structure){ .suite = set, .suites = 2 });

    (void)state;
    assert_near(m.mean, 0.8, 1e-15);
    assert_near(m.square, 0.8, 1e-15);
    assert_near(m.se, sqrt(0.06) / 2.0, 1e-14); /* 0.6 x 0.4 / 4, and nothing borrowed */
    assert_near(m.df, 4.0, 1e-12);
    assert_near(m.worth, 1.0 / (1.0 / 12.0 + 1.0 / 20.0), 1e-12);
}

/* The interval of paired shares with the items that sets and clusters are worth. */
static void shares_that_hang_together_have_the_interval_of_as_many_as_they_are_worth(void **state)
{
    const double x[] = { 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 0, 0 };
    const uint32_t cluster[] = { 0, 0, 1, 1, 2, 2 };
    const iv_structure s = { .cluster = cluster, .clusters = 3 };
    const double d[] = { 0.0, 0.0, 0.0, 0.0, 1.0, 0.0 };
    const iv_structured m = mean_of(d, 6, &s);
    const iv_compared_pair *p;
    iv_comparison *c = NULL;
    iv_err err;

    (void)state;
    assert_int_equal(iv_compare(&c, x, 2, 6, &(iv_compare_options){ .structure = &s, .binary = true,
                     .resamples = 1 }, NULL, &err), IV_OK);
    (void)iv_comparison_pairs(&p, c);
    const double n = (1.0 / 6.0 - 1.0 / 36.0) / (m.se * m.se);
    assert_near(p->shares.items, n, 1e-9);
    assert_near(p->shares.wins, n / 6.0, 1e-9);
    assert_near(p->shares.losses, 0.0, 1e-12);
    /* By hand: of wins alone, losses are most likely 0 if the difference is above what was seen. */
    const double t = iv_t_isf(0.025, m.df), b = n / 6.0, u = p->upper;
    assert_near((n * u - b) * (n * u - b), t * t * n * u * (1.0 - u), 1e-9);
    iv_comparison_free(c);
}

static void a_weight_of_two_is_an_item_that_counts_twice_in_the_mean(void **state)
{
    const double x[] = { 0.1, 0.4, 0.7 }, w[] = { 1.0, 2.0, 1.0 };

    (void)state;
    assert_near(mean_of(x, 3, &(iv_structure){ .weight = w }).mean, 0.4, 1e-15);
}

static void repeats_add_their_variance_with_their_degrees_of_freedom(void **state)
{
    const double x[] = { 0.1, 0.4, 0.35, 0.8, 0.2 }, v[] = { 0.01 }, df[] = { 2.0 };
    const iv_structured a = mean_of(x, 5, &(iv_structure){ 0 });
    const iv_structured b = mean_of(x, 5, &(iv_structure){ .repeat_variance = v, .repeat_df = df });
    const double u = a.se * a.se;

    (void)state;
    assert_near(b.se * b.se, u + 0.01, 1e-14);
    assert_near(b.df, (u + 0.01) * (u + 0.01) / (u * u / 4.0 + 1e-4 / 2.0), 1e-9);
}

static void repeats_that_move_all_items_are_told_from_those_that_do_not(void **state)
{
    /* Two repeats on four items: mean squares by hand. */
    const double moved[] = { 0.1, 0.3, 0.2, 0.41, 0.5, 0.7, 0.6, 0.79 };
    const double apart[] = { 0.1, 0.3, 0.4, 0.2, 0.5, 0.7, 0.9, 0.7 };
    const double gone[] = { 0.1, 0.3, 0.2, 0.41, 0.5, 0.7, 0.6, 0.79, 0.9, NAN };
    double v, df, w;

    (void)state;
    assert_int_equal(iv_repeat_variance(&v, &df, moved, 4, 2, NULL, NULL), IV_OK);
    /* Differences .2 .21 .2 .19: between = 4 * .2^2 / 2, left = sum (d - .2)^2 / 2 / 3. */
    assert_near(v, (4.0 * 0.04 / 2.0 - 0.0002 / 2.0 / 3.0) / 8.0, 1e-14);
    assert_near(df, 1.0, 1e-15);
    assert_int_equal(iv_repeat_variance(&w, &df, apart, 4, 2, NULL, NULL), IV_OK);
    assert_near(w, 0.0, 0.0);
    assert_int_equal(iv_repeat_variance(&w, &df, gone, 5, 2, NULL, NULL), IV_OK);
    assert_near(w, v, 1e-15); /* an item without all repeats does not count */
}

static void repeats_need_not_be_complete_but_some_items_must_share_them(void **state)
{
    static const double x[] = { 0.1, 0.3, 0.2, 0.2, 0.45, NAN, 0.5, NAN, 0.61, NAN, 0.8, 0.7,
                                0.9, NAN, NAN };
    static const double own[] = { 0.1, 0.3, NAN, NAN, NAN, NAN, 0.2, 0.45 };
    static const uint32_t set[] = { 0, 0, 0, 1, 1 };
    double v, df, products = 0.0, expected = 0.0;

    (void)state;
    /* Products of two items' residuals of a repeat: the variance times what is expected of it. */
    for (size_t k = 0; k < 25; k++) {
        const double *a = x + k / 5 * 3, *b = x + k % 5 * 3;
        double n[3] = { 0.0 }, sum[2] = { 0.0 };
        for (size_t r = 0; r < 3; r++) {
            n[0] += !isnan(a[r]);
            n[1] += !isnan(b[r]);
            n[2] += !isnan(a[r]) && !isnan(b[r]);
            sum[0] += isnan(a[r]) ? 0.0 : a[r];
            sum[1] += isnan(b[r]) ? 0.0 : b[r];
        }
        for (size_t r = 0; a != b && r < 3; r++) {
            if (isnan(a[r]) || isnan(b[r]))
                continue;
            products += (a[r] - sum[0] / n[0]) * (b[r] - sum[1] / n[1]);
            expected += 1.0 - 1.0 / n[0] - 1.0 / n[1] + n[2] / (n[0] * n[1]);
        }
    }
    assert_int_equal(iv_repeat_variance(&v, &df, x, 5, 3, NULL, NULL), IV_OK);
    assert_near(v, products / expected * 37.0 / 120.0, 1e-15); /* by numpy: 0.00377194 */
    assert_near(df, 2.0, 1e-12);
    /* Shares of the mean over sets: 1/2 of their means; less the variance seen between items. */
    assert_int_equal(iv_repeat_variance(&v, &df, x, 5, 3,
                                        &(iv_structure){ .suite = set, .suites = 2 }, NULL), IV_OK);
    assert_near(v, products / expected * 37.0 / 144.0, 1e-15);
    assert_int_equal(iv_repeat_variance(&v, &df, own, 2, 4, NULL, NULL), IV_OK);
    assert_true(v == 0.0 && df == 0.0);
}

static void a_set_with_one_item_has_no_standard_error_and_bad_structure_is_refused(void **state)
{
    const double x[] = { 0.1, 0.3, 0.2 }, bad[] = { 1.0, 0.0, 1.0 };
    const uint32_t set[] = { 0, 0, 1 }, cluster[] = { 0, 1, 1 };
    iv_structured m = mean_of(x, 3, &(iv_structure){ .suite = set, .suites = 2 });
    iv_mean_interval i;
    iv_err err;

    (void)state;
    assert_true(isnan(m.se));
    assert_int_equal(iv_structured_interval(&i, &m, true, IV_INTERVAL_AUTO, 0.0, &err), IV_OK);
    assert_int_equal(i.gap, IV_GAP_ONE_VALUE);
    assert_int_equal(iv_structured_mean(&m, x, 3, &(iv_structure){ .weight = bad }, 0, &err),
                     IV_EARG);
    assert_int_equal(iv_structured_mean(&m, x, 3, &(iv_structure){
        .suite = set, .suites = 2, .cluster = cluster, .clusters = 2 }, 0, &err), IV_EARG);
    assert_non_null(strstr(err.msg, "in two sets"));
    assert_int_equal(iv_structured_mean(&m, (const double[]){ NAN }, 1, NULL, 0, &err), IV_ENODATA);
    assert_int_equal(iv_structured_interval(&i, &m, true, IV_INTERVAL_BCA, 0.0, &err), IV_EARG);
}

static void variance_parts_are_those_of_lme4(void **state)
{
    FILE *f = fopen(TESTS_DIR "/oracle/scores.tsv", "r");
    static char line[16384];
    double x[200], one[60];
    size_t cases = 0;
    iv_variance_parts p, q;

    (void)state;
    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        double want[4], bc[3];
        char *at = strchr(line, '\t');
        if (strncmp(line, "scores", 6) == 0) {
            for (size_t k = 0; k < 3; k++)
                at = strchr(at + 1, '\t');
            assert_int_equal(numbers(x, 200, at), 5 * 9 * 3);
            for (size_t k = 0; k < 45; k++)
                one[k] = x[3 * k];
            assert_int_equal(iv_variance_of(&p, x, 5, 9, 3, 0.0, NULL), IV_OK);
            assert_int_equal(iv_variance_of(&q, one, 5, 9, 1, 0.0, NULL), IV_OK);
        } else if (strncmp(line, "parts", 5) == 0) {
            const iv_variance_parts *is = line[5] == '_' ? &q : &p;
            assert_int_equal(numbers(want, 4, at), 4);
            assert_close(is->system.variance, want[0], 1e-5); /* as far as its search goes */
            assert_close(is->item.variance, want[1], 1e-5);
            assert_close(is->interaction.variance, want[2], 1e-5);
            if (is == &p)
                assert_close(is->repeat.variance, want[3], 1e-5);
            cases++;
        } else {
            double d[64];
            iv_test t;
            assert_int_equal(numbers(bc, 3, at), 3);
            const size_t b = (size_t)bc[0], n = b + (size_t)bc[1];
            for (size_t k = 0; k < n; k++)
                d[k] = k < b ? 1.0 : -1.0;
            for (size_t k = n; k < 60; k++)
                d[k] = 0.0; /* both right or both wrong */
            assert_int_equal(randomised(&t, d, 60, IV_TWO_SIDED), IV_OK);
            assert_true(t.exact);
            assert_near(t.p, bc[2], 1e-12); /* exact McNemar */
            cases++;
        }
    }
    (void)fclose(f);
    assert_int_equal(cases, 7);
}

static void the_error_of_a_difference_falls_with_items(void **state)
{
    double x[5 * 6 * 2];
    iv_variance_parts p;

    (void)state;
    for (size_t k = 0; k < 60; k++)
        x[k] = 0.1 * (double)(k / 12) + 0.03 * sin((double)(k * k)) + 0.02 * cos(7.0 * (double)k);
    assert_int_equal(iv_variance_of(&p, x, 5, 6, 2, 0.9, NULL), IV_OK);
    assert_near(iv_variance_se(&p, 24.0, 2.0), 0.5 * iv_variance_se(&p, 6.0, 2.0), 1e-12);
    assert_int_equal(iv_variance_of(&p, x, 1, 6, 2, 0.9, NULL), IV_ENODATA);
}

static void systems_that_are_the_same_have_no_variance_of_rounding_dust(void **state)
{
    double x[90];
    iv_variance_parts p;

    (void)state;
    for (size_t k = 0; k < 90; k++)
        x[k] = (double)(k % 30 % 2) / 3.0;
    assert_int_equal(iv_variance_of(&p, x, 3, 30, 1, 0.95, NULL), IV_OK);
    assert_near(p.system.upper, 0.0, 0.0);
    assert_true(p.item.variance > 0.02);
}

static void ten_sets_that_are_all_right_have_the_mean_1_and_no_error(void **state)
{
    double x[200];
    uint32_t set[200];

    (void)state;
    for (uint32_t t = 0; t < 200; t++) {
        x[t] = 1.0;
        set[t] = t / 20;
    }
    const iv_structured m = mean_of(x, 200, &(iv_structure){ .suite = set, .suites = 10 });
    assert_near(m.mean, 1.0, 0.0);
    assert_near(m.se, 0.0, 0.0);
}

static void repeats_that_move_all_items_are_no_difference_of_systems(void **state)
{
    /* By hand: MS systems 40.5, interaction .5; repeats over all items 6.5 (2 degrees of
     * freedom), what is left of them .5 (2). */
    const double x[] = { 0.0, 2.0, 1.0, 3.0, 4.0, 6.0, 5.0, 9.0 };
    iv_variance_parts p;

    (void)state;
    assert_int_equal(iv_variance_of(&p, x, 2, 2, 2, 0.95, NULL), IV_OK);
    assert_near(p.shared.variance, 3.0, 1e-12);
    assert_near(p.apart, 0.5, 1e-12);
    assert_near(iv_variance_se(&p, 2.0, 2.0), sqrt(2.0 * (0.25 / 2.0 + 1.5)), 1e-12);
    assert_near(iv_variance_se(&p, 1e12, 2.0), sqrt(3.0), 1e-9); /* no items lessen it */
}

static void paired_shares_are_tango_s(void **state)
{
    const double z = 1.959963984540054;
    double lower, upper;

    (void)state;
    /* Published: Fagerland, Lydersen and Laake (2014), Statistics in Medicine 33, 2850-2875,
     * airways of 21 children: -0.517 to -0.026; more digits by tests/oracle/paired_shares.py. */
    iv_shares_limits(&lower, &upper, &(iv_share_counts){ 1.0, 7.0, 21.0, INFINITY }, 0.025);
    assert_near(lower, -0.5172322764213775, 1e-12);
    assert_near(upper, -0.026003032480868604, 1e-12);
    iv_shares_limits(&lower, &upper, &(iv_share_counts){ 9.0, 2.0, 20.0, INFINITY }, 0.025);
    assert_near(lower, 0.0274143276719992, 1e-12);
    assert_near(upper, 0.6016314746386802, 1e-12);
    /* By hand: without any difference n d / (1 - d) = z^2; all won, (1 - d) / (1 + d) = z^2 / n. */
    iv_shares_limits(&lower, &upper, &(iv_share_counts){ 0.0, 0.0, 12.0, INFINITY }, 0.025);
    assert_near(upper, z * z / (12.0 + z * z), 1e-12);
    assert_near(lower, -upper, 1e-12);
    iv_shares_limits(&lower, &upper, &(iv_share_counts){ 12.0, 0.0, 12.0, INFINITY }, 0.025);
    assert_near(lower, (12.0 - z * z) / (12.0 + z * z), 1e-12);
    assert_near(upper, 1.0, 0.0);
}

/* The share of outcomes that a test at `alpha` finds above -margin, where that is the difference. */
static double found_wrongly(const double *p, int n, double margin, double won, double alpha)
{
    double sum = 0.0;

    for (int c = 0; c <= n; c++)
        for (int b = 0; b <= n - c; b++)
            if (p[c * (n + 1) + b] <= alpha)
                sum += exp(iv_binom_log_pmf(c, n, won + margin)
                           + iv_binom_log_pmf(b, n - c, fmin(1.0, won / (1.0 - won - margin))));
    return sum;
}

static void tests_of_shares_beside_a_margin_keep_their_level_with_few_items(void **state)
{
    static const int sizes[] = { 2, 4, 7, 10, 30 };
    static const double margins[] = { 0.02, 0.1, 0.3, 0.45 }, levels[] = { 0.1, 0.05, 0.01 };
    static double p[31 * 31];
    double most = 0.0;

    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes * 4; k++) {
        const int n = sizes[k / 4];
        const double margin = margins[k % 4];
        for (int c = 0; c <= n; c++)
            for (int b = 0; b <= n - c; b++) {
                const iv_share_counts s = { b, c, n, INFINITY }, turned = { c, b, n, INFINITY };
                p[c * (n + 1) + b] = iv_shares_beyond(&s, -margin, IV_GREATER);
                assert_true(p[c * (n + 1) + b] >= iv_shares_p(&s, -margin, IV_GREATER));
                assert_near(iv_shares_beyond(&turned, margin, IV_LESS), p[c * (n + 1) + b], 1e-12);
            }
        for (int i = 0; i <= 60; i++)
            for (size_t a = 0; a < 3; a++)
                assert_true(found_wrongly(p, n, margin, 0.5 * (1.0 - margin) * i / 60.0, levels[a])
                            <= levels[a] + 1e-6);
    }
    /* By hand: nothing won nor lost of 4 is likeliest where nothing is ever won, .55^4. */
    const iv_share_counts none = { 0.0, 0.0, 4.0, INFINITY };
    assert_near(iv_shares_beyond(&none, -0.45, IV_GREATER), 0.09150625, 1e-9);
    assert_near(iv_shares_p(&none, -0.45, IV_GREATER), 0.0352, 1e-4); /* the score's alone */
    /* Two peaks of almost the same height, by a sum over all outcomes at 401 shares. */
    const iv_share_counts two_peaks = { 7.0, 17.0, 60.0, INFINITY };
    assert_near(iv_shares_beyond(&two_peaks, -0.02, IV_LESS), 0.0368127387, 1e-7);
    /* What the score's alone would pass of 4 items. */
    for (int c = 0; c <= 4; c++)
        for (int b = 0; b <= 4 - c; b++)
            p[c * 5 + b] = iv_shares_p(&(iv_share_counts){ b, c, 4.0, INFINITY }, -0.3, IV_GREATER);
    for (int i = 0; i <= 60; i++)
        most = fmax(most, found_wrongly(p, 4, 0.3, 0.35 * i / 60.0, 0.05));
    assert_near(most, 0.1265, 1e-4);
}

/* Scores of 0 and 1 that nobody declared to be binary: an interval of no width would say that
 * others are like these. */
static void equal_differences_of_answers_have_the_interval_of_shares(void **state)
{
    double x[24], lower, upper;
    const uint32_t suite[] = { 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2 };
    const iv_structure sets = { .suite = suite, .suites = 3, .sampled = true };
    const iv_compared_pair *p;
    iv_comparison *c = NULL;
    iv_err err;

    (void)state;
    for (size_t t = 0; t < 24; t++)
        x[t] = (double)(t % 2);
    iv_shares_limits(&lower, &upper, &(iv_share_counts){ 0.0, 0.0, 12.0, INFINITY },
                     0.5 * (1.0 - 0.95));
    assert_int_equal(iv_compare(&c, x, 2, 12, NULL, NULL, &err), IV_OK);
    (void)iv_comparison_pairs(&p, c);
    assert_near(p->lower, lower, 0.0);
    assert_near(p->upper, upper, 0.0);
    iv_comparison_free(c);
    /* Of three sampled sets. */
    assert_int_equal(iv_compare(&c, x, 2, 12, &(iv_compare_options){ .structure = &sets }, NULL, &err),
                     IV_OK);
    (void)iv_comparison_pairs(&p, c);
    const double t = iv_t_isf(0.025, 2.0);
    assert_near(p->upper, t * t / (3.0 + t * t), 1e-12);
    iv_comparison_free(c);
    /* Not where t is asked for by name, nor of other scores. */
    assert_int_equal(iv_compare(&c, x, 2, 12, &(iv_compare_options){ .interval = IV_INTERVAL_T },
                                NULL, &err), IV_OK);
    (void)iv_comparison_pairs(&p, c);
    assert_true(isnan(p->upper) && p->gap == IV_GAP_CONSTANT);
    iv_comparison_free(c);
    x[0] = x[12] = 0.5;
    assert_int_equal(iv_compare(&c, x, 2, 12, NULL, NULL, &err), IV_OK);
    (void)iv_comparison_pairs(&p, c);
    assert_true(isnan(p->upper) && p->gap == IV_GAP_CONSTANT);
    iv_comparison_free(c);
}

static iv_mean_interval shares_of(const size_t *right, const size_t *items, const double *weight)
{
    double x[320];
    uint32_t set[320];
    const iv_structure s = { .suite = set, .suites = 3, .suite_weight = weight };
    iv_mean_interval i;
    size_t n = 0;

    for (uint32_t h = 0; h < 3; h++)
        for (size_t t = 0; t < items[h]; t++, n++) {
            set[n] = h;
            x[n] = t < right[h];
        }
    const iv_structured m = mean_of(x, n, &s);
    assert_int_equal(iv_structured_interval(&i, &m, true, IV_INTERVAL_AUTO, 0.95, NULL), IV_OK);
    assert_int_equal(i.method, IV_INTERVAL_WILSON);
    return i;
}

/* Wilson's limits with the effective number of items and Satterthwaite's degrees of freedom; the
 * figures are roots found by scipy. */
static void shares_of_sets_have_the_limits_of_wilson(void **state)
{
    static const struct {
        size_t right[3], items[3];
        double weight[3], lower, upper;
    } known[] = {
        { { 3, 4, 9 }, { 5, 4, 10 }, { 1, 1, 1 }, 0.5362828427755806, 0.9557858455442015 },
        { { 3, 4, 9 }, { 5, 4, 10 }, { 1, 2, 5 }, 0.6495552371211294, 0.9710786059873417 },
        { { 40, 90, 77 }, { 50, 100, 80 }, { 1, 1, 1 }, 0.8345293548983225, 0.9250368204108337 },
        { { 5, 4, 10 }, { 5, 4, 10 }, { 1, 1, 1 }, 0.7845394019092113, 1.0 } };

    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const iv_mean_interval i = shares_of(known[k].right, known[k].items, known[k].weight);
        assert_near(i.lower, known[k].lower, 1e-9);
        assert_near(i.upper, known[k].upper, 1e-9);
    }
}

static void means_of_clusters_without_bounds_have_limits_by_t(void **state)
{
    const double x[] = { 0.0, 3.0, 1.0, 7.0, 2.0, 4.0, 12.0, 1.0 };
    const uint32_t cluster[] = { 0, 0, 1, 1, 2, 2, 3, 3 };
    const iv_structure s = { .cluster = cluster, .clusters = 4 };
    const iv_structured m = mean_of(x, 8, &s);
    iv_mean_interval i;

    (void)state;
    assert_int_equal(iv_structured_interval(&i, &m, false, IV_INTERVAL_AUTO, 0.95, NULL), IV_OK);
    assert_int_equal(i.method, IV_INTERVAL_T);
    assert_near(i.upper, m.mean + iv_t_isf(0.025, m.df) * m.se, 1e-12);
}

/* Ten clusters of ten items, 8 right in each, or once 9.  Wilson's limits of 80 and 81 of 100 with
 * t of 9 degrees of freedom: no more items than there are (Korn and Graubard 1998). */
static void clusters_that_vary_less_than_chance_count_as_their_items(void **state)
{
    double x[100];
    uint32_t cluster[100];
    const iv_structure s = { .cluster = cluster, .clusters = 10 };

    (void)state;
    for (size_t more = 0; more < 2; more++) {
        for (size_t k = 0; k < 100; k++) {
            cluster[k] = (uint32_t)(k / 10);
            x[k] = k % 10 < 8 || (more == 1 && k == 9);
        }
        const iv_structured m = mean_of(x, 100, &s);
        const double p = 0.8 + 0.01 * (double)more, t = iv_t_isf(0.025, m.df), zz = t * t / 100.0;
        const double half = t * sqrt(p * (1.0 - p) / 100.0 + zz / 400.0);
        iv_mean_interval i;
        assert_int_equal(iv_structured_interval(&i, &m, true, IV_INTERVAL_AUTO, 0.95, NULL),
                         IV_OK);
        assert_near(m.df, 9.0, 1e-9);
        assert_near(i.lower, (p + 0.5 * zz - half) / (1.0 + zz), 1e-12);
        assert_near(i.upper, (p + 0.5 * zz + half) / (1.0 + zz), 1e-12);
    }
}

/* Resamples of clusters that weigh differently, with CR2 errors, drawn by other numbers: the limits
 * are their quantiles, but for chance. */
static void the_bootstrap_t_of_clusters_has_the_quantiles_of_its_definition(void **state)
{
    enum { C = 8, RESAMPLES = 400000 };
    const double sums[C] = { 3.0, 8.0, 6.0, 13.0, 2.0, 40.0, 5.0, 9.0 };
    double x[2 * C + 1];
    static double t[RESAMPLES];
    uint32_t cluster[2 * C + 1];
    const iv_structure s = { .cluster = cluster, .clusters = C };
    const double tail = iv_norm_cdf(-sqrt(C / (C - 1.0)) * iv_t_isf(0.025, C - 1.0));
    uint64_t state_of = 12345;
    size_t kept = 0;
    iv_mean_interval i;

    (void)state;
    for (size_t k = 0; k < 2 * C + 1; k++) { /* the last cluster has three items */
        cluster[k] = (uint32_t)(k / 2 < C ? k / 2 : C - 1);
        x[k] = k / 2 < C ? ((double)(k % 2) + 0.5) * 0.5 * sums[cluster[k]] : 4.0;
    }
    const iv_structured m = mean_of(x, 2 * C + 1, &s);
    assert_int_equal(iv_structured_bootstrap_t(&i, x, 2 * C + 1, &s, &(iv_resampling){
        0.95, 100000 }, &(iv_work){ .seed = 3 }, NULL), IV_OK);
    assert_int_equal(i.method, IV_INTERVAL_BOOTSTRAP_T);
    for (size_t b = 0; b < RESAMPLES; b++) { /* with other draws, from the definition */
        double sum = 0.0, items = 0.0, variance = 0.0, of[C], has[C];
        for (size_t k = 0; k < C; k++) {
            state_of = state_of * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const size_t c = (size_t)(state_of >> 61);
            of[k] = 0.0;
            has[k] = c == C - 1 ? 3.0 : 2.0;
            for (size_t q = 0; q < 2 * C + 1; q++)
                of[k] += cluster[q] == c ? x[q] : 0.0;
            sum += of[k];
            items += has[k];
        }
        for (size_t k = 0; k < C; k++)
            variance += pow((of[k] - has[k] * sum / items) / items, 2.0) / (1.0 - has[k] / items);
        if (variance > 1e-18)
            t[kept++] = (sum / items - m.mean) / sqrt(variance);
    }
    assert_near(i.lower, m.mean - iv_quantile(t, kept, 1.0 - tail) * m.se, 0.05 * m.se);
    assert_near(i.upper / (m.mean - iv_quantile(t, kept, tail) * m.se), 1.0, 0.08);
    assert_true(i.upper - m.mean > 2.0 * (m.mean - i.lower)); /* t is symmetric */
}

static void the_bootstrap_t_of_too_few_clusters_is_called_Students_t(void **state)
{
    const double x[] = { 0.0, 3.0, 1.0, 7.0, 2.0, 4.0, 12.0, 1.0 };
    const uint32_t cluster[] = { 0, 0, 1, 1, 2, 2, 3, 3 };
    const iv_structure s = { .cluster = cluster, .clusters = 4 };
    const iv_structured m = mean_of(x, 8, &s);
    iv_mean_interval i;

    (void)state;
    assert_int_equal(iv_structured_bootstrap_t(&i, x, 8, &s, NULL, NULL, NULL), IV_OK);
    assert_int_equal(i.method, IV_INTERVAL_T);
    assert_near(i.upper, m.mean + iv_t_isf(0.025, m.df) * m.se, 1e-12);
}

/* ------------------------------------------------------------- comparisons -- */

static void many_right_or_wrong_answers_have_the_exact_p_of_a_binomial(void **state)
{
    /* 160 to 120 of 280 that differ: P(X >= 160) twice, summed here term by term. */
    double d[400] = { 0.0 }, tail = 0.0, term = 0.0;
    iv_test t;

    (void)state;
    for (size_t k = 0; k < 280; k++)
        d[k] = k < 160 ? 1.0 : -1.0;
    for (int k = 0; k < 280; k++) /* log of 280 over k, from 0 on */
        term += k < 160 ? log((280.0 - k) / (k + 1.0)) : 0.0;
    for (int k = 160; k <= 280; k++) {
        tail += exp(term - 280.0 * log(2.0));
        term += log((280.0 - k) / (k + 1.0));
    }
    assert_int_equal(randomised(&t, d, 400, IV_TWO_SIDED), IV_OK);
    assert_true(t.exact);
    assert_near(t.p, 2.0 * tail, 1e-12);
}

static void clusters_flip_as_wholes(void **state)
{
    /* Six clusters of two equal items are six differences: the p of these. */
    const double d[] = { 0.3, 0.1, 0.25, -0.05, 0.2, 0.15 };
    double values[24];
    uint32_t cluster[12];
    iv_comparison *c = NULL;
    const iv_compared_pair *p;
    const iv_compared_test *t;
    iv_test want;

    (void)state;
    for (size_t k = 0; k < 12; k++) {
        values[k] = 0.5 + d[k / 2];
        values[12 + k] = 0.5;
        cluster[k] = (uint32_t)(k / 2);
    }
    const iv_structure s = { .cluster = cluster, .clusters = 6 };
    const iv_compare_options o = { .structure = &s, .test_count = 1,
                                   .tests = (const iv_pair_test[]){ IV_TEST_RANDOMISATION } };
    assert_int_equal(iv_compare(&c, values, 2, 12, &o, NULL, NULL), IV_OK);
    (void)iv_comparison_pairs(&p, c);
    (void)iv_comparison_tests(&t, c, 0);
    assert_int_equal(randomised(&want, d, 6, IV_TWO_SIDED), IV_OK);
    assert_near(t->test.p, want.p, 1e-12);
    assert_int_equal(p->found.n, 6);
    assert_int_equal(p->items, 12);
    assert_int_equal(p->found.wins, 5);
    assert_near(p->df, 5.0, 1e-9);
    iv_comparison_free(c);
}

static void without_structure_a_trivial_one_changes_nothing(void **state)
{
    double values[3 * 15];
    uint32_t cluster[15];
    iv_comparison *a = NULL, *b = NULL;
    const iv_compared_pair *p, *q;
    const iv_compared_test *t, *u;

    (void)state;
    for (size_t k = 0; k < 45; k++)
        values[k] = 0.5 + 0.3 * sin(1.7 * (double)(k * k)) + 0.1 * (double)(k / 15);
    for (size_t k = 0; k < 15; k++)
        cluster[k] = (uint32_t)k;
    const iv_structure s = { .cluster = cluster, .clusters = 15 };
    iv_compare_options o = { .tests = (const iv_pair_test[]){ IV_TEST_T }, .test_count = 1 };
    assert_int_equal(iv_compare(&a, values, 3, 15, &o, NULL, NULL), IV_OK);
    o.structure = &s;
    assert_int_equal(iv_compare(&b, values, 3, 15, &o, NULL, NULL), IV_OK);
    const size_t n = iv_comparison_pairs(&p, a);
    (void)iv_comparison_pairs(&q, b);
    for (size_t i = 0; i < n; i++) {
        (void)iv_comparison_tests(&t, a, i);
        (void)iv_comparison_tests(&u, b, i);
        assert_near(q[i].found.mean, p[i].found.mean, 1e-12);
        assert_near(q[i].lower, p[i].lower, 1e-10);
        assert_near(u->test.p, t->test.p, 1e-10);
        assert_near(u->p_adjusted, t->p_adjusted, 1e-8);
    }
    iv_comparison_free(a);
    iv_comparison_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_structure_it_is_the_usual_standard_error),
        cmocka_unit_test(clustered_errors_are_miller_s_and_statsmodels_and_bell_and_mccaffrey_s),
        cmocka_unit_test(fixed_sets_add_their_variances_and_sampled_ones_are_units),
        cmocka_unit_test(sets_of_right_and_wrong_answers_have_their_own_variances),
        cmocka_unit_test(
            shares_that_hang_together_have_the_interval_of_as_many_as_they_are_worth),
        cmocka_unit_test(a_weight_of_two_is_an_item_that_counts_twice_in_the_mean),
        cmocka_unit_test(repeats_add_their_variance_with_their_degrees_of_freedom),
        cmocka_unit_test(repeats_that_move_all_items_are_told_from_those_that_do_not),
        cmocka_unit_test(repeats_need_not_be_complete_but_some_items_must_share_them),
        cmocka_unit_test(a_set_with_one_item_has_no_standard_error_and_bad_structure_is_refused),
        cmocka_unit_test(variance_parts_are_those_of_lme4),
        cmocka_unit_test(the_error_of_a_difference_falls_with_items),
        cmocka_unit_test(repeats_that_move_all_items_are_no_difference_of_systems),
        cmocka_unit_test(systems_that_are_the_same_have_no_variance_of_rounding_dust),
        cmocka_unit_test(ten_sets_that_are_all_right_have_the_mean_1_and_no_error),
        cmocka_unit_test(paired_shares_are_tango_s),
        cmocka_unit_test(tests_of_shares_beside_a_margin_keep_their_level_with_few_items),
        cmocka_unit_test(equal_differences_of_answers_have_the_interval_of_shares),
        cmocka_unit_test(means_of_clusters_without_bounds_have_limits_by_t),
        cmocka_unit_test(shares_of_sets_have_the_limits_of_wilson),
        cmocka_unit_test(clusters_that_vary_less_than_chance_count_as_their_items),
        cmocka_unit_test(the_bootstrap_t_of_clusters_has_the_quantiles_of_its_definition),
        cmocka_unit_test(the_bootstrap_t_of_too_few_clusters_is_called_Students_t),
        cmocka_unit_test(many_right_or_wrong_answers_have_the_exact_p_of_a_binomial),
        cmocka_unit_test(clusters_flip_as_wholes),
        cmocka_unit_test(without_structure_a_trivial_one_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
