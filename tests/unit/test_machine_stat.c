/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims about a mean that people and machines measured, and about agreement.  Figures named
 * ppi-* were made by the packages and formulas that doc/methods/machine.md names.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "near.h"
#include "num/draw.h"
#include "stat/agreement.h"
#include "stat/machine/regression_mean.h"

static const double human[] = { .31, .52, .08, .77, .44, .19, .63, .36 };
static const double machine[] = { .42, .61, .21, .80, .38, .33, .79, .50, .55, .12,
                                  .90, .47, .66, .28, .71, .35, .59, .84, .40, .18 };

static iv_regression_mean estimate(const double *x, size_t n, const double *z, size_t T, bool fixed)
{
    iv_regression_mean out;
    iv_err err;

    assert_int_equal(iv_regression_mean_of(&out, x, n, z, T, fixed, &err),
                     IV_OK);
    return out;
}

static void regression_has_the_reference_values(void **state)
{
    const iv_regression_mean x = estimate(human, 8, machine, 20, false);
    const iv_regression_mean fixed = estimate(human, 8, machine, 20, true);

    (void)state;
    /* ppi-005; the variances are Cochran's (7.29) and (12.58), worked out by hand. */
    assert_near(x.slope, 1.0046904315196998, 1e-12);
    assert_near(x.rho, 0.945950314570621, 1e-12);
    assert_near(x.value, 0.4119976547842401, 1e-12);
    assert_near(x.df, 6.0, 0.0);
    assert_near(x.se * x.se - fixed.se * fixed.se, 0.002983392337795457, 1e-12);
    assert_near(fixed.se * fixed.se,
                0.006323827392120063 * (1.0 / 8 - 1.0 / 20 + 0.0005 * 0.0005 / 0.31), 1e-9);
    assert_near(x.human, 0.4125, 1e-12);
}

/* Topics of which human values are logits of a normal, and automatic ones follow them or not:
 * the interval covers, good labels narrow it, useless ones widen it little. */
static void intervals_cover_and_useless_labels_cost_little(void **state)
{
    static const struct { size_t n; double most; } cells[] = {
        { 8, 1.16 }, { 15, 1.10 }, { 25, 1.05 }, { 50, 1.02 } };
    enum { DRAWS = 3000, T = 200 };
    double x[T], z[T];

    (void)state;
    for (int good = 0; good < 2; good++)
        for (size_t c = 0; c < 4; c++) {
            const size_t n = cells[c].n;
            double held = 0.0, width = 0.0, alone = 0.0;
            for (uint64_t draw = 0; draw < DRAWS; draw++) {
                iv_stream s = iv_stream_start(3, 1950 + (uint32_t)c, draw);
                double lower, upper;
                for (size_t t = 0; t < T; t++) {
                    const double u = iv_draw_normal(&s), v = iv_draw_normal(&s);
                    x[t] = 1.0 / (1.0 + exp(-u)); /* symmetric: its mean is 1/2 */
                    z[t] = 1.0 / (1.0 + exp(-(good ? 0.8 * u + 0.6 * v : v)));
                }
                const iv_regression_mean m = estimate(x, n, z, T, false);
                iv_student_limits(&lower, &upper, m.value, m.se, m.df, true, 0.95);
                held += lower <= 0.5 && 0.5 <= upper;
                width += upper - lower;
                iv_student_limits(&lower, &upper, m.human, m.human_se, m.human_df, true, 0.95);
                alone += upper - lower;
            }
            if (held / DRAWS < 0.935 || held / DRAWS > 0.97 || width / alone > cells[c].most)
                print_error("%s labels, %zu topics: coverage %.4f, width %.3f\n",
                            good ? "good" : "useless", n, held / DRAWS, width / alone);
            assert_true(held / DRAWS >= 0.935 && held / DRAWS <= 0.97);
            assert_true(width / alone < (good ? 1.0 : cells[c].most));
        }
}

static void what_cannot_be_estimated_is_refused(void **state)
{
    const double bad[] = { 1.0, 2.0, NAN, 3.0 };
    iv_regression_mean out;
    iv_err err;

    (void)state;
    assert_int_equal(iv_regression_mean_of(&out, human, 3, machine, 20, false,
                                           &err), IV_ENODATA);
    assert_int_equal(iv_regression_mean_of(&out, bad, 4, machine, 20, false,
                                           &err), IV_EARG);
    assert_int_equal(iv_regression_mean_of(&out, human, 8, machine, 7, false,
                                           &err), IV_EARG);
}

/* The statistic by hand; samples at random are refused in fewer than one of a hundred cases. */
static void selection_is_tested(void **state)
{
    static const size_t all[] = { 50, 50 }, some[] = { 10, 20 };
    double statistic, df;
    size_t refused = 0;

    (void)state;
    assert_int_equal(iv_selection_test_of(&statistic, &df, all, some, 1, 2, NULL), IV_OK);
    assert_near(statistic, 25.0 / (30.0 * 0.25 * 70.0 / 99.0), 1e-12);
    assert_near(df, 1.0, 0.0);
    for (uint64_t draw = 0; draw < 2000; draw++) {
        size_t population[40][4] = { { 0 } }, sampled[40][4] = { { 0 } };
        iv_stream s = iv_stream_start(5, 77, draw);
        for (size_t k = 0; k < 40; k++) {
            size_t left = 60, need = 10;
            for (size_t d = 0; d < 60; d++, left--) {
                const size_t g = d < 40 ? 0 : d < 52 ? 1 : d < 58 ? 2 : 3;
                population[k][g]++;
                if (iv_draw_uniform(&s) * (double)left < (double)need) {
                    sampled[k][g]++;
                    need--;
                }
            }
        }
        assert_int_equal(iv_selection_test_of(&statistic, &df, population[0], sampled[0], 40, 4, NULL), IV_OK);
        refused += iv_selection_uneven(statistic, df);
    }
    assert_true(refused < 10);
}

/* ------------------------------------------------------------- agreement -- */

static const iv_label_pair kappa_items[] = { /* ppi-028 */
    { 1, 1, 2 }, { 0, 0, 5 }, { 0, 1, 2 }, { 1, 1, 1.25 }, { 1, 0, 5 }, { 0, 0, 5 }, { 1, 1, 2 },
    { 0, 0, 4 }, { 1, 1, 1.25 }, { 0, 1, 2 }, { 0, 0, 4 }, { 1, 1, 2 }, { 0, 0, 5 }, { 1, 1, 2 },
    { 1, 0, 4 }, { 0, 0, 2 } };

static void kappa_has_the_reference_values(void **state)
{
    static const size_t starts[] = { 0, 4, 8, 12, 16 };
    static const double want[] = { 0.3764357169321972, 0.48, 0.3834344876829703,
                                   0.4543125533731854 };
    const iv_label_pairs p = { kappa_items, starts, 4, 2 };
    double left[4];
    iv_agreement k;

    (void)state;
    assert_int_equal(iv_kappa_of(&k, left, &p, IV_KAPPA_PLAIN, 0.0, NULL), IV_OK);
    assert_near(k.is.value, 0.4180895246885093, 1e-12);
    assert_near(k.is.se, 0.07727522458637928, 1e-12);
    for (size_t i = 0; i < 4; i++)
        assert_near(left[i], want[i], 1e-12);
    assert_true(k.few && k.is.lower < k.is.value && k.is.upper > k.is.value);
}

/* Cohen's (1968) weights: kappa by hand of a 3 x 3 table, exact in fractions. */
static void weighted_kappas_are_those_of_the_table(void **state)
{
    static const int table[3][3] = { { 20, 5, 1 }, { 4, 15, 6 }, { 2, 3, 24 } };
    iv_label_pair items[80];
    size_t n = 0;
    iv_agreement k;

    (void)state;
    for (uint32_t a = 0; a < 3; a++)
        for (uint32_t b = 0; b < 3; b++)
            for (int i = 0; i < table[a][b]; i++)
                items[n++] = (iv_label_pair){ a, b, 1.0 };
    const size_t starts[] = { 0, n };
    const iv_label_pairs p = { items, starts, 1, 3 };
    const double costs[3] = { 1 - 21.0 / 80, (18 + 2 * 3) / 80.0, (18 + 4 * 3) / 80.0 };
    /* rows 26 25 29, columns 26 23 31 */
    const double near = 26 * 23 + 25 * 26 + 25 * 31 + 29 * 23, far = 26 * 31 + 29 * 26;
    const double chance[3] = { (near + far) / 6400, (near + 2 * far) / 6400,
                               (near + 4 * far) / 6400 };
    for (int w = 0; w < 3; w++) {
        assert_int_equal(iv_kappa_of(&k, NULL, &p, (iv_kappa_weights)w, 0.0, NULL), IV_OK);
        assert_near(k.is.value, 1 - (w == 0 ? 21.0 / 80 : costs[w]) / chance[w], 1e-12);
        assert_near(k.agreement, 59.0 / 80, 1e-12);
    }
    assert_string_equal(iv_kappa_weights_names()[2], "quadratic");
}

/* From 100 items with 15 in the rarer label on the interval holds; see doc/methods. */
static void kappas_interval_covers_from_a_hundred_items_on(void **state)
{
    static const struct { size_t units, each; double share, sensitivity, specificity; } cells[] = {
        { 1, 100, 0.30, 0.80, 0.85 }, { 1, 125, 0.20, 0.90, 0.88 }, { 1, 200, 0.15, 0.60, 0.90 },
        { 25, 10, 0.30, 0.80, 0.85 }, { 100, 4, 0.50, 0.95, 0.98 } };
    enum { DRAWS = 1500 };
    static iv_label_pair items[400];

    (void)state;
    for (size_t c = 0; c < sizeof cells / sizeof *cells; c++) {
        const double y = cells[c].share, tp = y * cells[c].sensitivity;
        const double tn = (1 - y) * cells[c].specificity, of_b = tp + 1 - y - tn;
        const double chance = y * of_b + (1 - y) * (1 - of_b);
        const double truth = (tp + tn - chance) / (1 - chance);
        size_t starts[128], shown = 0, held = 0, n = cells[c].units * cells[c].each;
        for (size_t u = 0; u <= cells[c].units; u++)
            starts[u] = u * cells[c].each;
        for (uint64_t draw = 0; draw < DRAWS; draw++) {
            iv_stream s = iv_stream_start(1, 1901 + (uint32_t)c, draw);
            for (size_t i = 0; i < n; i++) {
                const bool a = iv_draw_uniform(&s) < y;
                const bool same = iv_draw_uniform(&s)
                    < (a ? cells[c].sensitivity : cells[c].specificity);
                items[i] = (iv_label_pair){ a, same ? a : !a, 1.0 };
            }
            iv_agreement k;
            const iv_label_pairs p = { items, starts, cells[c].units, 2 };
            assert_int_equal(iv_kappa_of(&k, NULL, &p, IV_KAPPA_PLAIN, 0.0, NULL), IV_OK);
            shown += !k.few;
            held += !k.few && k.is.lower <= truth && truth <= k.is.upper;
        }
        assert_true(shown > DRAWS * 9 / 10);
        const double cover = (double)held / (double)shown;
        if (cover < 0.93 || cover > 0.97)
            print_error("cell %zu covers %.3f\n", c, cover);
        assert_in_range((int)(1000 * cover), 925, 970);
    }
}

/* Items that agree but for a few: of so few the interval covers too seldom or too often. */
static void kappa_of_few_disagreements_is_warned_of(void **state)
{
    static iv_label_pair items[200];
    const size_t starts[] = { 0, 200 };
    const iv_label_pairs p = { items, starts, 1, 2 };

    (void)state;
    for (uint32_t apart = 3; apart < 7; apart++) {
        iv_agreement k;
        for (uint32_t i = 0; i < 200; i++)
            items[i] = (iv_label_pair){ i % 2, i < apart ? 1 - i % 2 : i % 2, 1.0 };
        assert_int_equal(iv_kappa_of(&k, NULL, &p, IV_KAPPA_PLAIN, 0.0, NULL), IV_OK);
        assert_int_equal(k.apart, apart);
        assert_int_equal(k.few, apart < 5);
    }
}

/* agree and judging call the same: fewer than five topics are one, so both leave out items. */
static void few_topics_are_one(void **state)
{
    size_t few[] = { 0, 4, 8, 12, 16 }, five[] = { 0, 1, 2, 3, 4, 5 };

    (void)state;
    assert_int_equal(iv_agreement_units(few, 4), 1);
    assert_true(few[0] == 0 && few[1] == 16);
    assert_int_equal(iv_agreement_units(five, 5), 5);
    assert_int_equal(five[1], 1);
}

/* One side uses one label only: kappa would be 0 whatever the other says. */
static void kappa_of_one_label_is_undefined(void **state)
{
    const iv_label_pair items[] = { { 1, 0, 1.0 }, { 1, 1, 1.0 }, { 1, 0, 1.0 }, { 1, 1, 1.0 } };
    const size_t starts[] = { 0, 4 };
    iv_agreement k;

    (void)state;
    assert_int_equal(iv_kappa_of(&k, NULL, &(iv_label_pairs){ items, starts, 1, 2 },
                                 IV_KAPPA_PLAIN, 0.0, NULL), IV_OK);
    assert_true(k.constant && isnan(k.is.value) && isnan(k.is.lower));
    assert_near(k.agreement, 0.5, 1e-15);
}

static void a_share_near_its_end_has_an_interval(void **state)
{
    const double hits[] = { 4, 5, 3, 6 }, all[] = { 4, 5, 3, 6 }, some[] = { 2, 3, 1, 3 };
    const iv_interval one = iv_share_over_units(all, all, 4, 18, 0.0);
    const iv_interval half = iv_share_over_units(some, hits, 4, 18, 0.0);

    (void)state;
    assert_near(one.value, 1.0, 0.0);
    assert_near(one.upper, 1.0, 0.0);
    assert_true(one.lower > 0.5 && one.lower < 0.95);
    assert_near(half.value, 0.5, 1e-15);
    assert_true(half.lower < 0.5 && half.upper > 0.5);
    assert_true(isnan(iv_share_over_units(some, hits, 1, 4, 0.0).lower));
    /* Units with the same proportion: as many items as there are, 40 of 56 by binomial tails. */
    const double even[] = { 20, 20 }, sizes[] = { 28, 28 };
    const iv_interval same = iv_share_over_units(even, sizes, 2, 56, 0.0);
    assert_near(same.lower, 0.577901281040923, 1e-9);
    assert_near(same.upper, 0.8270482439658049, 1e-9);
    double ones[584]; /* the limits of Clopper and Pearson, whatever rounding leaves of a variance */
    for (size_t i = 0; i < 584; i++)
        ones[i] = 1.0;
    assert_near(iv_share_over_units(ones, ones, 584, 584, 0.0).lower, pow(0.025, 1.0 / 584.0), 1e-12);
    const iv_interval j = iv_jackknifed(2.0, all, 4, 0.0);
    /* sqrt(3/4 x 5) and t(3) */
    assert_near(j.se, sqrt(0.75 * 5.0), 1e-12);
    assert_near(j.upper - 2.0, 3.182446305284263 * j.se, 1e-10);
}

static void drift_has_the_reference_values(void **state)
{
    /* ppi-019: items that people judged. */
    static const iv_label_pair items[] = {
        { 1, 1, 1 }, { 1, 1, 1 }, { 1, 0, 1 }, { 1, 1, 1 }, { 0, 1, 1 }, { 0, 0, 1 }, { 0, 0, 1 },
        { 0, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 }, { 0, 1, 1 }, { 0, 0, 1 } };
    static const size_t starts[] = { 0, 4, 8, 12 };
    static const double mu[] = { 1.2, 2.666666666666667, 2.1333333333333333 };
    static const double found[] = { 4.0, 0.0, 2.0 };
    iv_test d;
    double sd;

    (void)state;
    assert_int_equal(iv_drift_of(&sd, &d, &(iv_label_pairs){ items, starts, 3, 2 }, 1, NULL),
                     IV_OK);
    assert_near(sd, 0.9778760246955415, 1e-10);
    const double v[] = { 0.72, 2 * 5.0 / 36 + 0.5, 0.72 + 2.0 / 9 };
    double chisq = 0.0;
    for (size_t u = 0; u < 3; u++)
        chisq += (found[u] - mu[u]) * (found[u] - mu[u]) / v[u];
    assert_near(d.statistic, chisq, 1e-10);
    assert_near(d.p, exp(-0.5 * chisq), 1e-10); /* two degrees of freedom */
}

static void a_label_is_worth_what_it_explains(void **state)
{
    /* ppi-020: 60 positive of the machine with 30 of people's, 140 with 2. */
    static iv_label_pair items[200];
    static size_t starts[201];
    iv_interval w;

    (void)state;
    for (size_t i = 0; i < 200; i++) {
        items[i] = (iv_label_pair){ i < 60 ? i < 30 : i < 62, i < 60, 1.0 };
        starts[i + 1] = i + 1;
    }
    assert_int_equal(iv_worth_of(&w, NULL, &(iv_label_pairs){ items, starts, 200, 2 }, NULL, 0.0,
                                 NULL), IV_OK);
    const double p = 32.0 / 200, total = p * (1 - p);
    const double within = (60 * 0.25 + 140 * (2.0 / 140) * (138.0 / 140)) / 200;
    assert_near(w.value, total / within, 1e-12);
    assert_true(w.lower > 1.0 && w.upper > w.value);
    /* In a sample of 1 there is nothing to explain, and no label is refused. */
    const iv_label_pair bad = { 2, 0, 1.0 };
    iv_err err;
    assert_int_equal(iv_worth_of(&w, NULL, &(iv_label_pairs){ &bad, starts, 1, 2 }, NULL, 0.0,
                                 &err), IV_EARG);
    assert_int_equal(iv_worth_of(&w, NULL, &(iv_label_pairs){ &bad, starts, 0, 2 }, NULL, 0.0,
                                 &err), IV_ENODATA);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regression_has_the_reference_values),
        cmocka_unit_test(intervals_cover_and_useless_labels_cost_little),
        cmocka_unit_test(what_cannot_be_estimated_is_refused),
        cmocka_unit_test(selection_is_tested),
        cmocka_unit_test(kappa_has_the_reference_values),
        cmocka_unit_test(weighted_kappas_are_those_of_the_table),
        cmocka_unit_test(kappas_interval_covers_from_a_hundred_items_on),
        cmocka_unit_test(kappa_of_few_disagreements_is_warned_of),
        cmocka_unit_test(few_topics_are_one),
        cmocka_unit_test(kappa_of_one_label_is_undefined),
        cmocka_unit_test(a_share_near_its_end_has_an_interval),
        cmocka_unit_test(drift_has_the_reference_values),
        cmocka_unit_test(a_label_is_worth_what_it_explains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
