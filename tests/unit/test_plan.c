/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about planning: power, topics, effects, cost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "active/cost_model.h"
#include "num/draw.h"
#include "stat/pair_tests.h"
#include "stat/paired/pair_p.h"
#include "stat/power/power.h"
#include "stat/sign_power.h"
#include "near.h"
#include "test_judging.h"

static iv_power power_at(size_t n, double effect, const iv_power_options *o)
{
    iv_power p = { 0 };

    assert_int_equal(iv_power_at(&p, n, effect, o, NULL, NULL), IV_OK);
    return p;
}

static int from_pilot(iv_pilot_topics *out, const double *d, size_t n, double power, double level,
                      const iv_power_options *o, iv_err *err)
{
    const iv_differences x = iv_describe_differences(d, n);

    return iv_topics_from_pilot(out, &x, 0.0, (double)n - 1.0, power, level, o, NULL, err);
}

static void sign_power_is_the_papers_table_but_for_its_misprints(void **state)
{
    /* n, h, exact power. */
    static const double want[][3] = {
        { 25, .25, .221756136233 }, { 25, .35, .404321666903 }, { 25, .5, .726506211529 },
        { 50, .25, .475810712120 }, { 50, .35, .754401360657 }, { 50, .5, .971266840164 },
        { 100, .25, .796395644874 }, { 100, .35, .970887997961 }, { 100, .5, .999852925702 },
        { 50, .4, .8594401236111054 } };
    iv_power_options o = { .test = IV_PLAN_SIGN, .sides = IV_ONE_SIDE };

    (void)state;
    for (size_t k = 0; k < sizeof want / sizeof *want; k++)
        assert_near(power_at((size_t)want[k][0], want[k][1], &o).power, want[k][2], 1e-12);
    assert_near(power_at(50, 0.4, &o).critical, 32.0, 0.0);
    o.test = IV_PLAN_SIGN_NORMAL;
    assert_near(power_at(50, 0.4, &o).power, 0.8817090317783467, 1e-12);
    o.certainty = 0.8; /* an effect of .24 is left */
    const double adjusted = power_at(50, 0.4, &o).power;
    o.certainty = 1.0;
    assert_near(adjusted, power_at(50, 0.24, &o).power, 1e-14);
}

static void t_powers_and_intervals_are_those_of_r(void **state)
{
    FILE *f = fopen(TESTS_DIR "/oracle/plan_power.tsv", "r");
    char line[256], what[16];
    size_t seen = 0;

    (void)state;
    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        double n, d, level, sides, first, second = 0.0;
        if (line[0] == '#')
            continue;
        assert_true(sscanf(line, "%15s %lf %lf %lf %lf %lf %lf", what, &n, &d, &level, &sides,
                           &first, &second) >= 6);
        iv_power_options o = { 0 };
        o.test = IV_PLAN_T;
        o.sides = sides > 1.5 ? IV_BOTH_SIDES : IV_ONE_SIDE;
        if (strcmp(what, "power") == 0) {
            assert_near(power_at((size_t)n, d, &o).power, first, 1e-9);
        } else { /* differences with mean d and standard deviation 1 */
            double *x = malloc((size_t)n * sizeof *x);
            iv_pilot_topics p;
            assert_non_null(x);
            const double spread = sqrt((n - 1.0) / n);
            for (size_t i = 0; i < (size_t)n; i++)
                x[i] = d + (i % 2 == 0 ? spread : -spread);
            assert_int_equal(from_pilot(&p, x, (size_t)n, 0.8, level, &o, NULL),
                             IV_OK);
            assert_near(p.effect, d, 1e-12);
            assert_near(p.lower, first, 1e-7);
            assert_near(p.upper, second, 1e-7);
            assert_true(p.fewest <= p.topics && p.topics <= p.most);
            assert_true((p.lower <= 0.0) == (p.most == SIZE_MAX));
            free(x);
        }
        seen++;
    }
    (void)fclose(f);
    assert_int_equal(seen, 44);
}

static void what_repeats_share_widens_the_interval_of_the_effect(void **state)
{
    /* 20 topics, 100 / 20 and 15 shared: the limits of the mean are those of an sd of 20. */
    const iv_differences plain = { .n = 20, .mean = 9.0, .sd = 20.0 },
        beside = { .n = 20, .mean = 9.0, .sd = 10.0 };
    iv_pilot_topics p, q;

    (void)state;
    assert_int_equal(iv_topics_from_pilot(&p, &plain, 0.0, 19.0, 0.8, 0.95, NULL, NULL, NULL),
                     IV_OK);
    assert_int_equal(iv_topics_from_pilot(&q, &beside, 15.0, 19.0, 0.8, 0.95, NULL, NULL, NULL),
                     IV_OK);
    assert_near(q.effect, 0.9, 1e-15);
    assert_near(q.lower, 2.0 * p.lower, 1e-9);
    assert_near(q.upper, 2.0 * p.upper, 1e-9);
}

static void ties_take_topics(void **state)
{
    iv_power_options o = { .test = IV_PLAN_SIGN, .sides = IV_ONE_SIDE, .ties = 0.6 };
    double d[25] = { 0 };
    iv_pilot_topics p;

    (void)state;
    for (size_t i = 0; i < 10; i++)
        d[i] = i < 8 ? 0.5 : -0.25;
    assert_near(power_at(18, 0.6, &o).power, 0.328285930897345, 1e-12);
    assert_near(power_at(46, 0.6, &o).power, 0.8062604074859276, 1e-12);
    assert_int_equal(from_pilot(&p, d, 25, 0.8, 0.95, &o, NULL), IV_OK);
    assert_int_equal(p.topics, 46);
    assert_int_equal(p.pilot, 25);
    assert_near(p.ties, 0.6, 1e-15);
    o.sides = IV_BOTH_SIDES;
    assert_near(power_at(58, 0.6, &o).power, 0.8075931597132513, 1e-12);
    assert_int_equal(from_pilot(&p, d, 25, 0.8, 0.95, &o, NULL), IV_OK);
    assert_int_equal(p.topics, 58);
    /* By simulation: the sign test of topics that are drawn so. */
    size_t rejected = 0;
    enum { TRIALS = 20000 };
    for (size_t r = 0; r < TRIALS; r++) {
        iv_stream s = iv_stream_start(1, IV_FOR_STUDY, r);
        int64_t wins = 0, losses = 0;
        for (size_t t = 0; t < 58; t++) {
            const double u = iv_draw_uniform(&s);
            wins += u < 0.32;
            losses += u >= 0.32 && u < 0.4;
        }
        const int64_t m = wins + losses, c = m > 0 ? iv_sign_critical(m, 0.025) : 1;
        rejected += wins >= c || losses >= c;
    }
    assert_near((double)rejected / TRIALS, 0.8075931597132513,
                4.0 * sqrt(0.8076 * 0.1924 / TRIALS));
}

/* compare's default test, the larger p of t and of Hall's t, has the power of the t test with one
 * topic more. */
static void compares_test_needs_at_most_one_topic_more(void **state)
{
    enum { TRIALS = 8000 };
    static const struct { double effect; size_t topics; } plans[] = { { 1.2, 8 }, { 0.5, 34 } };
    const iv_power_options o = { .test = IV_PLAN_T };

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        size_t n, found = 0;
        double d[64];
        assert_int_equal(iv_power_topics(&n, NULL, 0.8, plans[k].effect, &o, NULL, NULL), IV_OK);
        assert_int_equal(n, plans[k].topics);
        for (size_t r = 0; r < TRIALS; r++) {
            iv_stream s = iv_stream_start(3, IV_FOR_STUDY, r);
            for (size_t t = 0; t <= n; t++)
                d[t] = plans[k].effect + iv_draw_normal(&s);
            found += iv_larger_p_test(d, n + 1, IV_TWO_SIDED).p < 0.05;
        }
        assert_true((double)found / TRIALS > 0.79);
    }
}

/* A certainty of .8 leaves .6 of the mean: by simulation, 0.802. */
static void uncertain_winners_take_topics(void **state)
{
    enum { TRIALS = 8000, TOPICS = 153 };
    iv_power_options o = { .test = IV_PLAN_T, .certainty = 0.8 };
    size_t n, found = 0;
    double d[TOPICS];

    (void)state;
    assert_int_equal(iv_power_topics(&n, NULL, 0.8, 0.4, &o, NULL, NULL), IV_OK);
    assert_int_equal(n, TOPICS);
    for (size_t r = 0; r < TRIALS; r++) {
        iv_stream s = iv_stream_start(4, IV_FOR_STUDY, r);
        for (size_t t = 0; t < TOPICS; t++) {
            const double x = 0.4 + iv_draw_normal(&s);
            d[t] = iv_draw_uniform(&s) < 0.8 ? x : -x;
        }
        found += iv_t_test(iv_describe_differences(d, TOPICS), IV_TWO_SIDED).p < 0.05;
    }
    assert_near((double)found / TRIALS, 0.8, 0.02);
}

static void topics_are_the_fewest_that_reach_the_power(void **state)
{
    static const double effects[] = { 0.9, 0.5, 0.35, 0.2, 0.1 };
    iv_power_options o = { .test = IV_PLAN_SIGN };

    (void)state;
    for (size_t k = 0; k < 5; k++) {
        for (int two = 0; two < 2; two++) {
            size_t got, steady, fewest = 0, last_below = 0;
            o.sides = (iv_sides)two;
            assert_int_equal(iv_power_topics(&got, &steady, 0.8, effects[k], &o, NULL, NULL), IV_OK);
            for (size_t n = 1; n < 3 * got + 200; n++) {
                const bool enough = power_at(n, effects[k], &o).power >= 0.8;
                fewest = fewest == 0 && enough ? n : fewest;
                last_below = enough ? last_below : n;
            }
            assert_int_equal(got, fewest);
            assert_int_equal(steady, last_below + 1);
        }
    }
    o = (iv_power_options){ 0 };
    o.test = IV_PLAN_T;
    o.sides = IV_BOTH_SIDES;
    size_t n;
    assert_int_equal(iv_power_topics(&n, NULL, 0.8, 0.4, &o, NULL, NULL), IV_OK);
    assert_int_equal(n, 52); /* R: power.t.test gives 51.009 */
    assert_int_equal(iv_power_topics(&n, NULL, 0.8, 0.0, &o, NULL, NULL), IV_ENODATA);
    assert_int_equal(iv_power_topics(&n, NULL, 0.8, 1e-6, &o, NULL, NULL), IV_ENODATA);
}

static void effects_are_what_reaches_the_power(void **state)
{
    iv_power_options o = { .test = IV_PLAN_SIGN_NORMAL, .sides = IV_ONE_SIDE };
    double h;

    (void)state;
    assert_int_equal(iv_power_effect(&h, 0.8, 50, &o, NULL, NULL), IV_OK);
    assert_near(h, 0.3516406470, 1e-9);
    assert_int_equal(iv_power_effect(&h, 0.6, 50, &o, NULL, NULL), IV_OK);
    assert_near(h, 0.26844612165959314, 1e-10);
    static const iv_planned_test computed[] = { IV_PLAN_SIGN, IV_PLAN_SIGN_NORMAL, IV_PLAN_T };
    for (size_t k = 0; k < 3; k++) {
        o.test = computed[k];
        assert_int_equal(iv_power_effect(&h, 0.9, 40, &o, NULL, NULL), IV_OK);
        assert_near(power_at(40, h, &o).power, 0.9, 1e-9);
    }
    o.test = IV_PLAN_SIGN; /* three wins of three are no evidence at .05 */
    assert_int_equal(iv_power_effect(&h, 0.8, 3, &o, NULL, NULL), IV_ENODATA);
}

static void a_pilot_of_signs_has_jeffreys_interval(void **state)
{
    double d[20];
    iv_pilot_topics p;
    iv_power_options o = { .test = IV_PLAN_SIGN };

    (void)state;
    for (size_t i = 0; i < 20; i++)
        d[i] = i < 2 ? 0.0 : i < 5 ? 0.3 : -0.1; /* two ties, three wins, fifteen losses */
    assert_int_equal(from_pilot(&p, d, 20, 0.8, 0.95, &o, NULL), IV_OK);
    assert_false(p.a_better);
    assert_int_equal(p.pilot, 20);
    assert_near(p.ties, 0.1, 1e-15);
    assert_near(p.effect, 12.0 / 18, 1e-15);
    assert_near(p.lower, 2.0 * iv_beta_quantile(0.025, 15.5, 3.5) - 1.0, 1e-14);
    assert_near(p.upper, 2.0 * iv_beta_quantile(0.975, 15.5, 3.5) - 1.0, 1e-13);
    assert_int_equal(from_pilot(&p, d, 1, 0.8, 0.95, &o, NULL), IV_ENODATA);
    assert_int_equal(from_pilot(&p, d, 2, 0.8, 0.95, &o, NULL), IV_ENODATA);
    o.test = IV_PLAN_T;
    assert_int_equal(from_pilot(&p, d + 5, 3, 0.8, 0.95, &o, NULL), IV_ENODATA);
    /* The same but for rounding, and nearly so: no effect to plan with, and no error in it. */
    for (size_t k = 0; k < 2; k++) {
        const double alike[] = { 0.1, k == 0 ? 0.3 - 0.2 : 0.101, 0.1 };
        iv_err err = { IV_OK, "" };
        assert_int_equal(from_pilot(&p, alike, 3, 0.8, 0.95, &o, &err), IV_ENODATA);
        assert_string_equal(err.msg, "all differences of the pilot are nearly the same");
    }
}

/* The training data and fit of the reference values (R's glm agrees). */
static void the_cost_model_is_the_poisson_regression(void **state)
{
    static const double j[] = {
        4, 11, 13, 25, 52, 79, 6, 14, 33, 39, 65, 103, 6, 30, 37, 70, 137, 196, 16, 42, 62,
        114, 194, 259, 13, 38, 92, 165, 275, 448, 23, 79, 130, 248, 356, 662, 36, 120, 186,
        358, 579, 923, 44, 172, 264, 447, 815, 1314, 62, 238, 361, 642, 1039, 1769, 82, 290,
        498, 905, 1407, 2380, 114, 377, 637, 1181, 2031, 3241 };
    static const double sizes[] = { 1, 5, 10, 25, 50, 100 };
    static const double g[] = { 4.817874903647934, 5.515683009657034, 0.7051609111959326 };
    static const double se[] = { 0.024472436142229353, 0.04400938251695196,
                                 0.006101111347764371 };
    double certainty[66], topics[66];
    iv_cost_model m;

    (void)state;
    for (size_t i = 0; i < 66; i++) {
        certainty[i] = 0.5 + 0.05 * (double)(i / 6);
        topics[i] = sizes[i % 6];
    }
    certainty[60] = certainty[61] = certainty[62] = 1.0; /* not a little above */
    certainty[63] = certainty[64] = certainty[65] = 1.0;
    assert_int_equal(iv_cost_fit(&m, certainty, topics, j, 66, NULL), IV_OK);
    for (size_t k = 0; k < 3; k++) {
        assert_near(m.g[k], g[k], 1e-9);
        assert_near(sqrt(m.covariance[k][k]), se[k], 1e-9);
    }
    assert_near(m.deviance, 64.24767034984824, 1e-8);
    assert_true(m.r2 > 0.99 && m.r2 < 1.0);
    assert_near(iv_cost_judgments(&m, 1.0, 25.0), exp(g[0] + g[2] * log(25.0)), 1e-9);
    assert_int_equal(iv_cost_fit(&m, certainty, topics, j, 3, NULL), IV_ENODATA);
    for (size_t i = 0; i < 66; i++)
        topics[i] = 5.0;
    assert_int_equal(iv_cost_fit(&m, certainty, topics, j, 66, NULL), IV_ENODATA);
}

static void costs_are_the_papers_but_for_its_misprint(void **state)
{
    const iv_cost_model m = { .g = { 4.79, 5.43, 0.71 } };
    iv_prices prices = { 0.0, 1.0, 0.0 };
    iv_cost_choice c;

    (void)state;
    assert_near(iv_cost_at(&m, 25, 1.0, &prices).cost, 1182.5185834768424, 1e-11);
    assert_near(iv_cost_at(&m, 25, 0.8, &prices).cost, 727.1296067419668, 1e-11);
    assert_near(iv_cost_at(&m, 25, 0.68, &prices).cost, 621.4151246771628, 1e-11);
    assert_near(iv_cost_at(&m, 25, 0.68, &prices).topics, 192.90123456790124, 1e-12);
    assert_int_equal(iv_cost_least(&c, &m, 25, &prices, IV_COST_LEAST_CERTAINTY, NULL), IV_OK);
    assert_near(c.certainty, 0.6770573566, 1e-10);
    prices.topic = 20.0;
    assert_near(iv_cost_at(&m, 25, 0.8, &prices).cost, 2116.0184956308553, 1e-11);
    assert_int_equal(iv_cost_least(&c, &m, 25, &prices, IV_COST_LEAST_CERTAINTY, NULL), IV_OK);
    for (int k = 0; k < 990; k++)
        assert_true(c.cost <= iv_cost_at(&m, 25, 0.505 + k * 0.0005, &prices).cost + 1e-9);
    assert_true(c.cost <= iv_cost_at(&m, 25, 1.0, &prices).cost);
    prices.free_topics = 249.0; /* free up to there: cheaper, never beyond by much */
    iv_cost_choice free;
    assert_int_equal(iv_cost_least(&free, &m, 25, &prices, IV_COST_LEAST_CERTAINTY, NULL),
                     IV_OK);
    assert_true(free.cost <= c.cost && free.topics < 250.0);
    assert_near(free.certainty, 0.6770573566, 1e-6); /* 193 topics are free */
    prices.free_topics = 100.0; /* the kink is best */
    assert_int_equal(iv_cost_least(&free, &m, 25, &prices, IV_COST_LEAST_CERTAINTY, NULL),
                     IV_OK);
    assert_near(free.topics, 100.0, 1e-6);
    /* More certainty costs so little that all of it is bought. */
    const iv_cost_model steep = { .g = { 3.0, 1.0, 0.9 } };
    prices = (iv_prices){ 0.0, 1.0, 0.0 };
    assert_int_equal(iv_cost_least(&c, &steep, 25, &prices, 0.55, NULL), IV_OK);
    assert_near(c.certainty, 1.0, 0.0);
    prices.judgment = IV_ZERO;
    assert_int_equal(iv_cost_least(&c, &m, 25, &prices, 0.55, NULL), IV_EARG);
}

static void bad_plans_are_refused(void **state)
{
    iv_power_options o = { .test = IV_PLAN_SIGN };
    iv_power p;
    size_t n;

    (void)state;
    assert_int_equal(iv_power_at(&p, 0, 0.5, &o, NULL, NULL), IV_EARG);
    assert_int_equal(iv_power_at(&p, 10, 1.5, &o, NULL, NULL), IV_EARG);
    o.ties = 1.0;
    assert_int_equal(iv_power_at(&p, 10, 0.5, &o, NULL, NULL), IV_EARG);
    o.ties = 0.0;
    o.certainty = 0.5;
    assert_int_equal(iv_power_at(&p, 10, 0.5, &o, NULL, NULL), IV_EARG);
    o = (iv_power_options){ .test = IV_PLAN_SIGN };
    o.alpha = -0.1;
    assert_int_equal(iv_power_at(&p, 10, 0.5, &o, NULL, NULL), IV_EARG);
    o = (iv_power_options){ .test = IV_PLAN_SIGN };
    assert_int_equal(iv_power_topics(&n, NULL, 0.04, 0.5, &o, NULL, NULL), IV_EARG);
    assert_int_equal(iv_power_topics(&n, NULL, 1.0, 0.5, &o, NULL, NULL), IV_EARG);
    o.test = IV_PLAN_T;
    assert_int_equal(iv_power_at(&p, 1, 0.5, &o, NULL, NULL), IV_EARG);
}

int test_plan(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sign_power_is_the_papers_table_but_for_its_misprints),
        cmocka_unit_test(t_powers_and_intervals_are_those_of_r),
        cmocka_unit_test(what_repeats_share_widens_the_interval_of_the_effect),
        cmocka_unit_test(ties_take_topics),
        cmocka_unit_test(compares_test_needs_at_most_one_topic_more),
        cmocka_unit_test(uncertain_winners_take_topics),
        cmocka_unit_test(topics_are_the_fewest_that_reach_the_power),
        cmocka_unit_test(effects_are_what_reaches_the_power),
        cmocka_unit_test(a_pilot_of_signs_has_jeffreys_interval),
        cmocka_unit_test(the_cost_model_is_the_poisson_regression),
        cmocka_unit_test(costs_are_the_papers_but_for_its_misprint),
        cmocka_unit_test(bad_plans_are_refused),
    };

    return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
