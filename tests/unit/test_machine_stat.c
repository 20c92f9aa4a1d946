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

#include "intervale/num.h"
#include "intervale/stat.h"
#include "near.h"

static const double human[] = { .31, .52, .08, .77, .44, .19, .63, .36 };
static const double other[] = { .25, .55, .02, .70, .47, .05, .60, .30 };
static const double machine[] = { .42, .61, .21, .80, .38, .33, .79, .50, .55, .12,
                                  .90, .47, .66, .28, .71, .35, .59, .84, .40, .18 };
static const double machine_b[] = { .30, .66, .10, .75, .45, .20, .70, .41, .50, .05,
                                    .82, .40, .60, .30, .66, .22, .61, .70, .35, .10 };
static const double second[] = { .40, .45, .15, .90, .50, .10, .70, .30, .60, .20,
                                 .80, .50, .60, .20, .80, .30, .50, .90, .45, .25 };

static iv_two_phase estimate(const double *x, size_t n, const double *z, size_t T,
                             iv_two_phase_options o)
{
    const double *const machines[] = { z };
    iv_two_phase out;
    iv_err err;

    assert_int_equal(iv_two_phase_mean(&out, NULL, &(iv_two_phase_data){ x, n, machines, 1, T },
                                       &o, &err), IV_OK);
    return out;
}

static void regression_has_the_reference_values(void **state)
{
    static const double left_out[] = { 0.4145081162876008, 0.411699497767857,
        0.4195136151452281, 0.3993726011410787, 0.3887985900832701, 0.4195020064205457,
        0.42580400302114796, 0.41878104896354534 };
    const double *const machines[] = { machine };
    double left[8];
    iv_two_phase x;

    (void)state;
    assert_int_equal(iv_two_phase_mean(&x, left,
                                       &(iv_two_phase_data){ human, 8, machines, 1, 20 },
                                       &(iv_two_phase_options){ .bounded = true }, NULL), IV_OK);
    /* ppi-005, ppi-007 */
    assert_near(x.slope[0], 1.0046904315196998, 1e-12);
    assert_near(x.rho, 0.945950314570621, 1e-12);
    assert_near(x.value, 0.4119976547842401, 1e-12);
    assert_near(x.residual, 0.006323827392120063, 1e-12);
    assert_near(x.v_units, 0.002983392337795457, 1e-12);
    assert_near(x.v_judged, 0.0005527805945830897, 1e-12);
    assert_near(x.se, 0.05946572905782411, 1e-12);
    /* The reference took t(6) at 2.446911848; it is 2.446911851. */
    assert_near(x.lower, 0.2776097497663918, 2e-10);
    assert_near(x.upper, 0.5609263870906501, 2e-10);
    for (size_t i = 0; i < 8; i++)
        assert_near(left[i], left_out[i], 1e-12);
    double cubes = 0.0, squares = 0.0, mean = 0.0;
    for (size_t i = 0; i < 8; i++)
        mean += left_out[i] / 8.0;
    for (size_t i = 0; i < 8; i++) {
        squares += (mean - left_out[i]) * (mean - left_out[i]) / 8.0;
        cubes += pow(mean - left_out[i], 3.0) / 8.0;
    }
    assert_near(x.skewness, cubes / pow(squares, 1.5), 1e-9);
    /* ppi-001 */
    assert_near(x.human, 0.4125, 1e-14);
    assert_near(x.human_se * sqrt(8.0), 0.22701478869385203, 1e-12);
    assert_near(x.effective, 8.0 * x.human_se * x.human_se / (x.se * x.se), 1e-12);
    /* ppi-008: of these topics only */
    x = estimate(human, 8, machine, 20, (iv_two_phase_options){ .these = true, .bounded = true });
    assert_near(x.se, 0.023511286536110475, 1e-12);
    assert_near(x.lower, 0.35590327130466437, 1e-10);
    assert_near(x.upper, 0.4704752310905632, 1e-10);
}

static void a_difference_has_a_slope_of_its_own(void **state)
{
    double x[8], z[20];

    (void)state;
    for (size_t i = 0; i < 20; i++) {
        z[i] = machine[i] - machine_b[i];
        if (i < 8)
            x[i] = human[i] - other[i];
    }
    const iv_two_phase d = estimate(x, 8, z, 20, (iv_two_phase_options){ 0 }); /* ppi-010 */
    assert_near(d.slope[0], 0.6219039092808115, 1e-12);
    assert_near(d.value, 0.046088331841241434, 1e-12);
    assert_near(d.se, 0.013816953870341446, 1e-12);
    assert_near(d.lower, 0.01227946370169488, 1e-10);
    assert_near(d.upper, 0.07989719998078798, 1e-10);
    assert_near(d.p, 2.0 * iv_t_sf(d.value / d.se, 6.0), 1e-14);
}

static void two_machines_are_a_multiple_regression(void **state)
{
    const double *const both[] = { machine, second };
    double x[16], a[40], b[40];
    const double *const doubled[] = { a, b };
    iv_two_phase out, twice;
    iv_err err;

    (void)state;
    /* Each judged topic twice: the slopes and the estimate are those of ppi-011. */
    for (size_t i = 0; i < 40; i++) {
        const size_t k = i < 16 ? i % 8 : 8 + (i - 16) % 12;
        a[i] = machine[k];
        b[i] = second[k];
        if (i < 16)
            x[i] = human[k];
    }
    assert_int_equal(iv_two_phase_mean(&out, NULL, &(iv_two_phase_data){ human, 8, both, 2, 20 },
                                       NULL, &err), IV_EARG);
    assert_int_equal(iv_machines_allowed(8), 1);
    assert_int_equal(iv_machines_allowed(12), 2);
    assert_int_equal(iv_machines_allowed(53), 8);
    assert_int_equal(iv_two_phase_mean(&twice, NULL, &(iv_two_phase_data){ x, 16, doubled, 2, 40 },
                                       NULL, &err), IV_OK);
    assert_near(twice.slope[0], 0.496681866297533, 1e-10);
    assert_near(twice.slope[1], 0.460882664278153, 1e-10);
    assert_near(twice.value, 0.43183917229867275, 1e-10);
    assert_near(twice.df, 13.0, 0.0);
    /* The same machine twice is that machine. */
    const double *const same[] = { a, a };
    const double *const once[] = { a };
    assert_int_equal(iv_two_phase_mean(&twice, NULL, &(iv_two_phase_data){ x, 16, same, 2, 40 },
                                       NULL, &err), IV_OK);
    assert_int_equal(iv_two_phase_mean(&out, NULL, &(iv_two_phase_data){ x, 16, once, 1, 40 },
                                       NULL, &err), IV_OK);
    assert_near(twice.value, out.value, 1e-12);
    assert_near(twice.lower, out.lower, 1e-12);
    assert_int_equal(twice.used, 1);
}

static void a_constant_machine_is_people_alone(void **state)
{
    double z[20];

    (void)state;
    for (size_t i = 0; i < 20; i++)
        z[i] = 0.3;
    const iv_two_phase x = estimate(human, 8, z, 20, (iv_two_phase_options){ 0 });
    assert_int_equal(x.used, 0);
    assert_near(x.lower, 0.22271088717934304, 1e-10); /* ppi-001 */
    assert_near(x.upper, 0.602289112820657, 1e-10);
    assert_near(x.effective, 8.0, 1e-12);
    /* Constant but for one judged topic: leaving that out leaves people alone. */
    double left[8];
    const double *const machines[] = { z };
    iv_two_phase y;
    z[0] = 0.9;
    assert_int_equal(iv_two_phase_mean(&y, left, &(iv_two_phase_data){ human, 8, machines, 1, 20 },
                                       NULL, NULL), IV_OK);
    assert_near(left[0], (8 * 0.4125 - human[0]) / 7.0, 1e-12);
}

/* Topics of which people's values are logits of a normal, and the machine's follow them or not:
 * the interval holds, a good machine narrows it, a useless one widens it little. */
static void intervals_hold_and_a_useless_machine_costs_little(void **state)
{
    static const struct { size_t n; double most; } cells[] = {
        { 8, 1.20 }, { 15, 1.10 }, { 25, 1.05 }, { 50, 1.02 } };
    enum { DRAWS = 3000, T = 200 };
    double x[T], z[T];

    (void)state;
    for (int good = 0; good < 2; good++)
        for (size_t c = 0; c < 4; c++) {
            const size_t n = cells[c].n;
            double held = 0.0, width = 0.0, alone = 0.0;
            for (uint64_t draw = 0; draw < DRAWS; draw++) {
                iv_stream s = iv_stream_start(3, 1950 + (uint32_t)c, draw);
                for (size_t t = 0; t < T; t++) {
                    const double u = iv_draw_normal(&s), v = iv_draw_normal(&s);
                    x[t] = 1.0 / (1.0 + exp(-u)); /* symmetric: its mean is 1/2 */
                    z[t] = 1.0 / (1.0 + exp(-(good ? 0.8 * u + 0.6 * v : v)));
                }
                const double *const machines[] = { z };
                const iv_two_phase_options o = { .bounded = true };
                iv_two_phase both, people;
                assert_int_equal(iv_two_phase_mean(&both, NULL, &(iv_two_phase_data){ x, n, machines,
                                                   1, T }, &o, NULL), IV_OK);
                assert_int_equal(iv_two_phase_mean(&people, NULL, &(iv_two_phase_data){ x, n, NULL, 0,
                                                   T }, &o, NULL), IV_OK);
                held += both.lower <= 0.5 && 0.5 <= both.upper;
                width += both.upper - both.lower;
                alone += people.upper - people.lower;
            }
            if (held / DRAWS < 0.935 || held / DRAWS > 0.97)
                print_error("%s machine, %zu topics: covers %.4f\n", good ? "good" : "useless", n,
                            held / DRAWS);
            assert_true(held / DRAWS >= 0.935 && held / DRAWS <= 0.97);
            assert_true(width / alone < (good ? 1.0 : cells[c].most));
        }
}

/* A machine that explains little counts in part, and leaving out knows it: each estimate is
 * that of the other judged units, computed anew. */
static void a_weak_machine_counts_in_part(void **state)
{
    const double weak[] = { .30, .66, .45, .40, .10, .75, .41, .62, .50, .05, .82, .40 };
    const double *const machines[] = { weak };
    double left[8], x[7], z[12];
    const double *const turned[] = { z };
    iv_two_phase all, without;

    (void)state;
    assert_int_equal(iv_two_phase_mean(&all, left, &(iv_two_phase_data){ human, 8, machines, 1, 12 },
                                       NULL, NULL), IV_OK);
    const double r2 = all.rho * all.rho;
    assert_true(r2 < 2.0 / 6.0);
    assert_near(all.share, r2 * 6.0 / 2.0, 1e-12);
    assert_near(all.df, 7.0 - all.share, 1e-12);
    assert_true(fabs(all.value - all.human) < 0.5 * fabs(weak[0]));
    for (size_t i = 0; i < 8; i++) {
        for (size_t k = 0, at = 0; k < 12; k++) /* the one left out is the last of the others */
            if (k != i) {
                z[at] = weak[k];
                if (k < 8)
                    x[at] = human[k];
                at++;
            }
        z[11] = weak[i];
        assert_int_equal(iv_two_phase_mean(&without, NULL, &(iv_two_phase_data){ x, 7, turned, 1, 12 },
                                           NULL, NULL), IV_OK);
        assert_near(left[i], without.value, 1e-12);
    }
    assert_near(estimate(human, 8, machine, 20, (iv_two_phase_options){ 0 }).share, 1.0, 0.0);
}

static void what_cannot_be_estimated_is_refused(void **state)
{
    const double *const machines[] = { machine };
    const double bad[] = { 1.0, 2.0, NAN, 3.0 };
    iv_two_phase out;
    iv_err err;

    (void)state;
    assert_int_equal(iv_two_phase_mean(&out, NULL, &(iv_two_phase_data){ human, 3, machines, 1, 20 },
                                       NULL, &err), IV_ENODATA);
    assert_string_equal(err.msg, "3 judged units, expected 4 or more");
    assert_int_equal(iv_two_phase_mean(&out, NULL, &(iv_two_phase_data){ bad, 4, machines, 1, 20 },
                                       NULL, &err), IV_EARG);
    assert_int_equal(iv_two_phase_mean(&out, NULL, &(iv_two_phase_data){ human, 8, machines, 1, 7 },
                                       NULL, &err), IV_EARG);
}

static void judged_topics_unlike_the_others_are_found(void **state)
{
    const double z[] = { .9, .8, .95, .85, .1, .2, .15, .12, .18, .22 };

    (void)state;
    /* scipy.stats.ttest_ind(equal_var=False) */
    assert_near(iv_two_phase_unlike(z, 4, 10), 6.378971822332883e-06, 1e-9);
    assert_true(isnan(iv_two_phase_unlike(z, 10, 10)));
    assert_true(iv_two_phase_unlike(machine, 8, 20) > 0.5);
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
    iv_kappa k;

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
    iv_kappa k;

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
            iv_kappa k;
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
        iv_kappa k;
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
    iv_kappa k;

    (void)state;
    assert_int_equal(iv_kappa_of(&k, NULL, &(iv_label_pairs){ items, starts, 1, 2 },
                                 IV_KAPPA_PLAIN, 0.0, NULL), IV_OK);
    assert_true(k.constant && isnan(k.is.value) && isnan(k.is.lower));
    assert_near(k.agreement, 0.5, 1e-15);
}

static void a_share_near_its_end_has_an_interval(void **state)
{
    const double hits[] = { 4, 5, 3, 6 }, all[] = { 4, 5, 3, 6 }, some[] = { 2, 3, 1, 3 };
    const iv_over_units one = iv_share_over_units(all, all, 4, 18, 0.0);
    const iv_over_units half = iv_share_over_units(some, hits, 4, 18, 0.0);

    (void)state;
    assert_near(one.value, 1.0, 0.0);
    assert_near(one.upper, 1.0, 0.0);
    assert_true(one.lower > 0.5 && one.lower < 0.95);
    assert_near(half.value, 0.5, 1e-15);
    assert_true(half.lower < 0.5 && half.upper > 0.5);
    assert_true(isnan(iv_share_over_units(some, hits, 1, 4, 0.0).lower));
    const iv_over_units j = iv_jackknifed(2.0, all, 4, 0.0);
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
    static const double a[] = { 2.2467934542237944, 0.28169193527837944, 0.958059332877079 };
    iv_unit_drift each[3];
    iv_drift d;

    (void)state;
    assert_int_equal(iv_drift_of(&d, each, &(iv_label_pairs){ items, starts, 3, 2 }, 1, NULL),
                     IV_OK);
    assert_near(d.sd, 0.9778760246955415, 1e-10);
    for (size_t u = 0; u < 3; u++) {
        assert_near(each[u].expected, mu[u], 1e-12);
        assert_near(each[u].factor, a[u], 1e-10);
    }
    const double v[] = { 0.72, 2 * 5.0 / 36 + 0.5, 0.72 + 2.0 / 9 };
    double chisq = 0.0;
    for (size_t u = 0; u < 3; u++)
        chisq += (each[u].found - mu[u]) * (each[u].found - mu[u]) / v[u];
    assert_near(d.chisq, chisq, 1e-10);
    assert_near(d.p, exp(-0.5 * chisq), 1e-10); /* two degrees of freedom */
}

static void a_label_is_worth_what_it_explains(void **state)
{
    /* ppi-020: 60 positive of the machine with 30 of people's, 140 with 2. */
    static iv_label_pair items[200];
    static size_t starts[201];
    iv_worth w;

    (void)state;
    for (size_t i = 0; i < 200; i++) {
        items[i] = (iv_label_pair){ i < 60 ? i < 30 : i < 62, i < 60, 1.0 };
        starts[i + 1] = i + 1;
    }
    assert_int_equal(iv_worth_of(&w, NULL, &(iv_label_pairs){ items, starts, 200, 2 }, NULL, 0.0,
                                 NULL), IV_OK);
    const double p = 32.0 / 200, total = p * (1 - p);
    const double within = (60 * 0.25 + 140 * (2.0 / 140) * (138.0 / 140)) / 200;
    assert_near(w.explained, 1 - within / total, 1e-12);
    assert_near(w.worth.value, total / within, 1e-12);
    assert_true(w.worth.lower > 1.0 && w.worth.upper > w.worth.value);
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
        cmocka_unit_test(a_difference_has_a_slope_of_its_own),
        cmocka_unit_test(two_machines_are_a_multiple_regression),
        cmocka_unit_test(a_constant_machine_is_people_alone),
        cmocka_unit_test(intervals_hold_and_a_useless_machine_costs_little),
        cmocka_unit_test(a_weak_machine_counts_in_part),
        cmocka_unit_test(what_cannot_be_estimated_is_refused),
        cmocka_unit_test(judged_topics_unlike_the_others_are_found),
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
