/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about comparing many systems; the name of a test is the claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"
#include "test_compare.h"
#include "num/draw.h"
#include "stat/pair_tests.h"
#include "stat/paired/comparison.h"

enum { SYSTEMS = 5, TOPICS = 18 };

static iv_comparison *compared(const double *values, size_t systems, size_t topics,
                               const iv_compare_options *o)
{
    iv_comparison *c = NULL;
    iv_err err = { IV_OK, "" };

    if (iv_compare(&c, values, systems, topics, o, NULL, &err) != IV_OK)
        fail_msg("%s", err.msg);
    return c;
}

static int refusal(const double *values, size_t systems, size_t topics,
                   const iv_compare_options *o, const char *word)
{
    iv_comparison *c = NULL;
    iv_err err = { IV_OK, "" };
    const int rc = iv_compare(&c, values, systems, topics, o, NULL, &err);

    assert_null(c);
    assert_non_null(strstr(err.msg, word));
    return rc;
}

/* Scores that look like AP: skewed, tied now and then. */
static void make_scores(double *x, size_t systems, size_t topics, double step, uint64_t seed)
{
    for (size_t t = 0; t < topics; t++) {
        iv_stream s = iv_stream_start(seed, IV_FOR_CALLER, t);
        const double topic = iv_draw_beta(&s, 1.0, 2.0);
        for (size_t k = 0; k < systems; k++)
            x[k * topics + t] = fmin(1.0, 0.8 * topic + 0.2 * iv_draw_beta(&s, 1.0, 2.0)
                                     + step * (double)k);
    }
}

/* ------------------------------------------------------------ against R -- */

static size_t read_scores(double *x, FILE *f, char *line, size_t size)
{
    size_t rows = 0;

    while (fgets(line, (int)size, f) != NULL && strncmp(line, "score", 5) == 0) {
        char *at = line + 8;
        for (size_t t = 0; t < TOPICS; t++)
            x[rows * TOPICS + t] = strtod(at, &at);
        rows++;
    }
    return rows;
}

static void check_pair(const iv_compared_pair *p, const char *line)
{
    char a, b;
    double m, lower, upper, sd, effect, superiority, above, noninferior, equivalent;
    size_t wins, ties, losses;

    assert_int_equal(sscanf(line, "pair %c %c %lf %lf %lf %zu %zu %zu %lf %lf %lf %lf %lf %lf",
                            &a, &b, &m, &lower, &upper, &wins, &ties, &losses, &sd, &effect,
                            &superiority, &above, &noninferior, &equivalent), 14);
    assert_int_equal(p->a, a - 'A');
    assert_int_equal(p->b, b - 'A');
    assert_int_equal(p->found.wins, wins);
    assert_int_equal(p->found.ties, ties);
    assert_int_equal(p->found.losses, losses);
    assert_near(p->found.mean, m, 1e-12);
    assert_near(p->lower, lower, 1e-12);
    assert_near(p->upper, upper, 1e-12);
    assert_near(p->found.sd, sd, 1e-12);
    assert_near(p->found.effect, effect, 1e-11);
    assert_near(p->superiority, superiority, 1e-15);
    assert_close(p->p_above, above, 1e-10);
    assert_close(p->p_noninferior, noninferior, 1e-10);
    assert_close(p->p_equivalent, equivalent, 1e-10);
}

/* column: of the correction in the line, behind the test's own p. */
static void check_test(const iv_compared_test *t, const char *line, size_t column)
{
    char a, b, name[32];
    double p[4];

    assert_int_equal(sscanf(line, "test %c %c %31s %lf %lf %lf %lf", &a, &b, name, &p[0],
                            &p[1], &p[2], &p[3]), 7);
    assert_string_equal(name, iv_pair_test_names()[t->kind]);
    assert_close(t->test.p, p[0], 1e-10);
    assert_close(t->p_adjusted, p[column], 1e-10);
    assert_true(t->test.exact);
}

static void pairs_tests_corrections_and_margins_equal_those_of_R(void **state)
{
    (void)state;
    static const iv_correction kinds[] = { IV_CORRECT_NONE, IV_CORRECT_BONFERRONI,
                                           IV_CORRECT_HOLM, IV_CORRECT_BH };

    for (size_t k = 0; k < 4; k++) {
        FILE *f = fopen(TESTS_DIR "/oracle/compare.tsv", "r");
        double x[SYSTEMS * TOPICS];
        char line[4096];
        const iv_compared_pair *pairs;
        assert_non_null(f);
        assert_int_equal(read_scores(x, f, line, sizeof line), SYSTEMS);
        iv_compare_options o = { .correction = IV_CORRECT_NONE };
        o.tests = (const iv_pair_test[]){ IV_TEST_SIGN, IV_TEST_WILCOXON, IV_TEST_T,
                                           IV_TEST_RANDOMISATION };
        o.test_count = 4;
        o.margin = 0.05;
        o.correction = kinds[k];
        iv_comparison *c = compared(x, SYSTEMS, TOPICS, &o);
        assert_int_equal(iv_comparison_pairs(&pairs, c), 10);
        for (size_t p = 0; p < 10; p++) {
            const iv_compared_test *tests;
            check_pair(&pairs[p], line);
            assert_int_equal(iv_comparison_tests(&tests, c, p), 4);
            for (size_t i = 0; i < 4; i++) {
                assert_non_null(fgets(line, sizeof line, f));
                check_test(&tests[i], line, k);
            }
            assert_true(p == 9 || fgets(line, sizeof line, f) != NULL);
        }
        iv_comparison_free(c);
        (void)fclose(f);
    }
}

/* -------------------------------------------------------------- the pairs -- */

static void differences_equal_but_for_rounding_tie(void **state)
{
    (void)state;
    const double a[] = { 0.3, 0.2, 0.7, 0.1 }, b[] = { 0.2, 0.1, 0.6, 0.2 };
    double d[4];

    assert_int_equal(iv_pair_differences(d, a, b, 4), 4);
    assert_true(0.3 - 0.2 != 0.2 - 0.1); /* or the claim is empty */
    assert_true(d[0] == d[1] && d[1] == d[2] && d[3] == -d[0]);
    assert_near(d[0], 0.1, 1e-13);
}

static void all_is_compared_on_the_topics_that_every_system_has(void **state)
{
    (void)state;
    const double nan = (double)NAN;
    const double x[] = { 0.5, 0.6, 0.7, nan, 0.1,  0.4, 0.6, nan, 0.2, 0.3,
                         0.1, 0.2, 0.3, 0.4, 0.5 };
    const iv_compared_pair *p;
    const iv_compared_run *r;
    iv_comparison *c = compared(x, 3, 5, NULL);

    assert_int_equal(iv_comparison_pairs(&p, c), 3);
    assert_int_equal(p[0].found.n, 3);
    assert_int_equal(p[0].only_a, 1);
    assert_int_equal(p[0].only_b, 1);
    assert_near(p[0].found.mean, (0.1 + 0.0 - 0.2) / 3.0, 1e-12);
    assert_int_equal(p[1].found.n, 3);
    assert_int_equal(p[2].found.n, 3);
    assert_near(p[1].found.mean, (0.4 + 0.4 - 0.4) / 3.0, 1e-12);
    assert_int_equal(c->shared_items, 3);
    r = c->runs;
    assert_int_equal(c->systems, 3);
    assert_int_equal(r[0].topics, 3);
    assert_near(r[2].mean, (0.1 + 0.2 + 0.5) / 3.0, 1e-12);
    assert_near(r[0].mean - r[2].mean, p[1].found.mean, 1e-12); /* one set of topics */
    iv_comparison_free(c);
}

static void bootstrap_intervals_of_pairs_are_those_of_their_differences(void **state)
{
    (void)state;
    enum { S = 4, T = 30 };
    static const iv_interval_method kinds[] = { IV_INTERVAL_PERCENTILE, IV_INTERVAL_BCA };
    double x[S * T], d[T];
    const double *sample = d;

    make_scores(x, S, T, 0.01, 5);
    for (size_t k = 0; k < 2; k++) {
        iv_compare_options o = { .correction = IV_CORRECT_NONE };
        const iv_resampling r = { .resamples = 500 };
        const iv_compared_pair *p;
        o.interval = kinds[k];
        o.resamples = 500;
        o.permutations = 100;
        iv_comparison *c = compared(x, S, T, &o);
        const size_t pairs = iv_comparison_pairs(&p, c);
        for (size_t i = 0; i < pairs; i++) {
            iv_mean_interval m;
            (void)iv_pair_differences(d, x + p[i].a * T, x + p[i].b * T, T);
            assert_int_equal(iv_mean_intervals(&m, &sample, &kinds[k], 1, T, &r, NULL,
                                               NULL), IV_OK);
            assert_near(p[i].lower, m.lower, 1e-12);
            assert_near(p[i].upper, m.upper, 1e-12);
        }
        iv_comparison_free(c);
    }
}

/* Whatever tests are beside it, and of 0 and 1, too. */
static void the_limits_of_a_test_are_those_it_has_alone(void **state)
{
    (void)state;
    static const iv_pair_test tests[] = { IV_TEST_LARGER_P, IV_TEST_T, IV_TEST_SIGN,
                                          IV_TEST_RANDOMISATION, IV_TEST_MCNEMAR };
    static const iv_correction corrections[] = { IV_CORRECT_HOLM, IV_CORRECT_BH };
    double x[SYSTEMS * TOPICS];
    const iv_compared_pair *p, *q;
    size_t apart = 0;

    for (size_t run = 0; run < 8; run++) {
        const bool binary = run % 2 == 1;
        iv_compare_options o = { .tests = tests, .test_count = binary ? 5 : 4, .resamples = 500,
                                 .correction = corrections[run / 2 % 2],
                                 .interval = run < 4 ? IV_INTERVAL_AUTO
                                                     : IV_INTERVAL_PERCENTILE };
        make_scores(x, SYSTEMS, TOPICS, 0.03, run);
        for (size_t i = 0; binary && i < SYSTEMS * TOPICS; i++)
            x[i] = x[i] > 0.4;
        iv_comparison *c = compared(x, SYSTEMS, TOPICS, &o);
        const size_t n = iv_comparison_pairs(&p, c);
        for (size_t k = 0, count = o.test_count; k < count; k++) {
            o.tests = &tests[k];
            o.test_count = 1;
            iv_comparison *alone = compared(x, SYSTEMS, TOPICS, &o);
            (void)iv_comparison_pairs(&q, alone);
            for (size_t i = 0; i < n; i++) {
                const iv_compared_pair *is = &p[k * n + i];
                assert_int_equal(is->gap, q[i].gap);
                if (is->gap == IV_GAP_CONSTANT)
                    continue;
                assert_int_equal(is->limit, q[i].limit);
                assert_int_equal(is->limit_adjusted, q[i].limit_adjusted);
                assert_near(is->lower, q[i].lower, 0.0);
                assert_near(is->upper, q[i].upper, 0.0);
                assert_near(is->lower_adjusted, q[i].lower_adjusted, 0.0);
                assert_near(is->upper_adjusted, q[i].upper_adjusted, 0.0);
                apart += is->upper_adjusted != p[i].upper_adjusted;
            }
            iv_comparison_free(alone);
        }
        iv_comparison_free(c);
    }
    assert_true(apart > 0);
}

/* Three systems that answer 0 or 1: t would reach beyond what two means can differ by. */
static void limits_stay_within_what_scores_in_0_to_1_can_differ_by(void **state)
{
    (void)state;
    double x[] = { 1, 1, 1, 1, 0,  0, 0, 1, 0, 0,  1, 0, 0, 0, 1 };
    const iv_compared_pair *p;

    for (int unbounded = 0; unbounded < 2; unbounded++) {
        bool beyond = false;
        x[0] = unbounded ? 1.01 : 1.0;
        iv_comparison *c = compared(x, 3, 5, NULL);
        const size_t n = iv_comparison_pairs(&p, c);
        for (size_t i = 0; i < n; i++) {
            assert_true(p[i].lower <= p[i].found.mean && p[i].upper >= p[i].found.mean);
            beyond = beyond || p[i].lower_adjusted < -1.0 || p[i].upper_adjusted > 1.0
                || p[i].upper > 1.0;
        }
        assert_true(beyond == (unbounded == 1));
        iv_comparison_free(c);
    }
}

static void equal_systems_have_a_difference_of_0_no_interval_and_no_t_test(void **state)
{
    (void)state;
    const double x[] = { 0.1, 0.7, 0.3, 0.1, 0.7, 0.3 };
    iv_compare_options o = { .correction = IV_CORRECT_NONE };
    const iv_compared_pair *p;
    const iv_compared_test *t;
    const iv_compared_run *r;

    o.tests = (const iv_pair_test[]){ IV_TEST_RANDOMISATION, IV_TEST_T };
    o.test_count = 2;
    o.margin = 0.1;
    iv_comparison *c = compared(x, 2, 3, &o);
    (void)iv_comparison_pairs(&p, c);
    assert_true(isnan(p->p_noninferior) && isnan(p->p_equivalent)); /* the range is not known */
    iv_comparison_free(c);
    o.high = 1.0;
    c = compared(x, 2, 3, &o);
    (void)iv_comparison_pairs(&p, c);
    (void)iv_comparison_tests(&t, c, 0);
    r = c->runs;
    assert_true(isnan(p->lower) && isnan(p->upper) && p->gap == IV_GAP_CONSTANT);
    assert_true(isnan(p->p_above));
    assert_near(p->p_noninferior, 0.729, 1e-15); /* .9^3 */
    assert_near(p->p_equivalent, 0.729, 1e-15);
    assert_near(p->p_inferior, 1.0, 0.0);
    assert_near(t[0].test.p, 1.0, 0.0);
    assert_non_null(t[1].test.why);
    assert_true(isnan(t[1].p_adjusted));
    assert_int_equal(r[0].rank, 1);
    assert_int_equal(r[1].rank, 1);
    assert_near(r[0].p_best, 0.5, 0.0);
    assert_int_equal(r[0].boot_lower, 1);
    assert_int_equal(r[0].boot_upper, 2);
    assert_string_equal(r[1].letters, "a");
    iv_comparison_free(c);
    /* One difference of .3 - .2, which is not .1, is not above a margin of .1, nor below it. */
    const double apart[] = { 0.3, 0.3, 0.3, 0.2, 0.2, 0.2 };
    c = compared(apart, 2, 3, &o);
    (void)iv_comparison_pairs(&p, c);
    assert_near(p->p_noninferior, pow(0.9 / 1.1, 3.0), 1e-12);
    assert_near(p->p_equivalent, 1.0, 1e-12);
    iv_comparison_free(c);
}

/* ---------------------------------------------------------- many systems -- */

static void the_baseline_is_no_test(void **state)
{
    (void)state;
    double x[SYSTEMS * TOPICS];
    iv_compare_options o = { .correction = IV_CORRECT_NONE };
    const iv_compared_pair *p;

    make_scores(x, SYSTEMS, TOPICS, 0.02, 9);
    o.baselines = (const size_t[]){ 2 };
    o.baseline_count = 1;
    o.correction = IV_CORRECT_BONFERRONI;
    iv_comparison *c = compared(x, SYSTEMS, TOPICS, &o);
    assert_int_equal(iv_comparison_pairs(&p, c), SYSTEMS - 1);
    for (size_t i = 0; i < SYSTEMS - 1; i++) {
        const iv_compared_test *t;
        (void)iv_comparison_tests(&t, c, i);
        assert_int_equal(p[i].a, i < 2 ? i : i + 1);
        assert_int_equal(p[i].b, 2);
        assert_near(t->p_adjusted, fmin(1.0, (SYSTEMS - 1) * t->test.p), 1e-15);
    }
    iv_comparison_free(c);
}

static void tukey_adjusts_means_and_holm_the_rest(void **state)
{
    (void)state;
    double x[SYSTEMS * TOPICS], p[10];
    const iv_score_grid grid = { x, SYSTEMS, TOPICS };
    iv_compare_options o = { .correction = IV_CORRECT_NONE };
    const iv_compared_pair *pairs;

    make_scores(x, SYSTEMS, TOPICS, 0.02, 3);
    o.tests = (const iv_pair_test[]){ IV_TEST_RANDOMISATION, IV_TEST_WILCOXON };
    o.test_count = 2;
    o.correction = IV_CORRECT_TUKEY;
    o.permutations = 2000;
    iv_comparison *c = compared(x, SYSTEMS, TOPICS, &o);
    assert_int_equal(iv_tukey_pairs(p, &grid, IV_NO_BASELINE, 2000, IV_TWO_SIDED, NULL,
                                    NULL), IV_OK);
    for (size_t i = 0; i < iv_comparison_pairs(&pairs, c); i++) {
        const iv_compared_test *t;
        (void)iv_comparison_tests(&t, c, i);
        assert_near(t[0].p_adjusted, p[i], 0.0);
        assert_int_equal(t[0].correction, IV_CORRECT_TUKEY);
        assert_int_equal(t[1].correction, IV_CORRECT_HOLM);
        assert_true(t[1].p_adjusted >= t[1].test.p);
    }
    iv_comparison_free(c);
}

static void rank_intervals_count_significant_pairs(void **state)
{
    (void)state;
    enum { S = 8, T = 40 };
    double x[S * T];
    iv_compare_options o = { .correction = IV_CORRECT_NONE };
    const iv_compared_pair *p;
    const iv_compared_run *r;
    size_t significant = 0;

    make_scores(x, S, T, 0.012, 11);
    o.correction = IV_CORRECT_TUKEY;
    o.permutations = 2000;
    iv_comparison *c = compared(x, S, T, &o);
    r = c->runs;
    const size_t pairs = iv_comparison_pairs(&p, c);
    for (size_t s = 0; s < S; s++) {
        size_t better = 0, worse = 0;
        for (size_t i = 0; i < pairs; i++) {
            const iv_compared_test *t;
            (void)iv_comparison_tests(&t, c, i);
            if (t->p_adjusted >= 0.05 || (p[i].a != s && p[i].b != s))
                continue;
            const bool wins = (p[i].found.mean > 0.0) == (p[i].a == s);
            better += !wins;
            worse += wins;
        }
        assert_int_equal(r[s].rank_lower, 1 + better);
        assert_int_equal(r[s].rank_upper, S - worse);
        assert_in_range(r[s].rank, r[s].rank_lower, r[s].rank_upper);
        significant += better;
    }
    assert_in_range(significant, 5, pairs - 5); /* or the claim is empty */
    /* Letters say the same: those who share none differ. */
    for (size_t i = 0; i < pairs; i++) {
        const iv_compared_test *t;
        (void)iv_comparison_tests(&t, c, i);
        assert_int_equal(strpbrk(r[p[i].a].letters, r[p[i].b].letters) == NULL,
                         t->p_adjusted < 0.05);
    }
    iv_comparison_free(c);
}

/* Three topics have 27 resamples; 40,000 draws come within five standard
 * errors of their exact shares, but for one run of the seed in a million. */
static void p_best_and_ranks_are_those_of_all_resamples(void **state)
{
    (void)state;
    const double x[] = { 0.2, 0.5, 0.9, 0.4, 0.4, 0.7, 0.5, 0.5, 0.4 };
    double best[3] = { 0.0 };
    iv_compare_options o = { .correction = IV_CORRECT_NONE };
    const iv_compared_run *r;

    for (size_t i = 0; i < 27; i++) {
        const size_t t[] = { i % 3, i / 3 % 3, i / 9 };
        double sum[3], top = 0.0, ties = 0.0;
        for (size_t s = 0; s < 3; s++) {
            sum[s] = x[s * 3 + t[0]] + x[s * 3 + t[1]] + x[s * 3 + t[2]];
            top = fmax(top, sum[s]);
        }
        for (size_t s = 0; s < 3; s++)
            ties += sum[s] > top - 1e-9;
        for (size_t s = 0; s < 3; s++)
            best[s] += sum[s] > top - 1e-9 ? 1.0 / ties / 27.0 : 0.0;
    }
    o.resamples = 40000;
    o.permutations = 100;
    iv_comparison *c = compared(x, 3, 3, &o);
    r = c->runs;
    double all = 0.0;
    for (size_t s = 0; s < 3; s++) {
        all += r[s].p_best;
        assert_near(r[s].p_best, best[s], 5.0 * sqrt(0.25 / 40000.0));
    }
    assert_near(all, 1.0, 1e-12);
    iv_comparison_free(c);
}

static void compare_same(const iv_comparison *x, const iv_comparison *y)
{
    const iv_compared_pair *p, *q;
    const iv_compared_run *r, *s;
    const size_t pairs = iv_comparison_pairs(&p, x);

    assert_int_equal(iv_comparison_pairs(&q, y), pairs);
    for (size_t i = 0; i < pairs; i++) {
        const iv_compared_test *t, *u;
        (void)iv_comparison_tests(&t, x, i);
        (void)iv_comparison_tests(&u, y, i);
        assert_memory_equal(&p[i].found, &q[i].found, sizeof p->found);
        assert_true(p[i].lower == q[i].lower && p[i].upper == q[i].upper);
        for (size_t k = 0; k < 3; k++)
            assert_true(t[k].test.p == u[k].test.p && t[k].p_adjusted == u[k].p_adjusted);
    }
    r = x->runs;
    for (size_t i = 0; i < x->systems; i++) {
        s = y->runs;
        assert_true(r[i].mean == s[i].mean && r[i].lower == s[i].lower
                    && r[i].p_best == s[i].p_best && r[i].rank_upper == s[i].rank_upper);
        assert_string_equal(r[i].letters, s[i].letters);
    }
}

static void the_answer_does_not_depend_on_threads(void **state)
{
    (void)state;
    enum { S = 6, T = 25 };
    double x[S * T];

    make_scores(x, S, T, 0.01, 2);
    x[3] = (double)NAN;
    iv_compare_options o = { .correction = IV_CORRECT_NONE };
    o.tests = (const iv_pair_test[]){ IV_TEST_RANDOMISATION, IV_TEST_T,
                                       IV_TEST_WILCOXON };
    o.test_count = 3;
    o.interval = IV_INTERVAL_BCA;
    o.correction = IV_CORRECT_TUKEY;
    o.permutations = o.resamples = 700;
    for (int round = 0; round < 2; round++) {
        iv_comparison *c[3];
        for (int threads = 1; threads <= 3; threads++) {
            const iv_work work = { .threads = threads };
            assert_int_equal(iv_compare(&c[threads - 1], x, S, T, &o, &work, NULL), IV_OK);
        }
        compare_same(c[0], c[1]);
        compare_same(c[0], c[2]);
        for (int i = 0; i < 3; i++)
            iv_comparison_free(c[i]);
        x[3] = 0.5; /* complete now: all pairs are flipped at once */
    }
}

static void pairs_at_once_have_the_p_of_pairs_one_by_one(void **state)
{
    (void)state;
    enum { S = 6, T = 26 };
    double x[S * T], two[2 * T];
    const iv_compared_pair *p;
    iv_compare_options o = { .correction = IV_CORRECT_NONE, .resamples = 10 };

    make_scores(x, S, T, 0.01, 8);
    iv_comparison *c = compared(x, S, T, &o);
    for (size_t i = 0; i < iv_comparison_pairs(&p, c); i++) {
        const iv_compared_test *t, *u;
        memcpy(two, x + p[i].a * T, sizeof two / 2);
        memcpy(two + T, x + p[i].b * T, sizeof two / 2);
        iv_comparison *single = compared(two, 2, T, &o);
        (void)iv_comparison_tests(&t, c, i);
        (void)iv_comparison_tests(&u, single, 0);
        assert_near(t->test.p, u->test.p, 0.0);
        assert_int_equal(t->test.used, u->test.used);
        assert_near(t->test.statistic, u->test.statistic, 1e-13);
        iv_comparison_free(single);
    }
    iv_comparison_free(c);
}

/* --------------------------------------------------------------- refusals -- */

static void what_cannot_be_compared_is_refused(void **state)
{
    (void)state;
    const double nan = (double)NAN, inf = (double)INFINITY;
    const double apart[] = { 0.1, 0.2, nan, nan, nan, nan, 0.3, 0.4 };
    const double once[] = { 0.1, 0.2, nan, nan, 0.3, 0.4 };
    const double infinite[] = { 0.1, 0.2, inf, 0.4 };
    double x[SYSTEMS * TOPICS];
    iv_compare_options o = { .correction = IV_CORRECT_NONE };

    make_scores(x, SYSTEMS, TOPICS, 0.0, 1);
    assert_int_equal(refusal(x, 1, TOPICS, NULL, "fewer than two"), IV_EARG);
    assert_int_equal(refusal(apart, 2, 4, NULL, "share no topic"), IV_ENODATA);
    assert_int_equal(refusal(once, 2, 3, NULL, "only one topic"), IV_ENODATA);
    assert_int_equal(refusal(infinite, 2, 2, NULL, "infinite"), IV_EARG);
    o.baselines = (const size_t[]){ SYSTEMS, 1, 1 };
    o.baseline_count = 1;
    assert_int_equal(refusal(x, SYSTEMS, TOPICS, &o, "baseline"), IV_EARG);
    o.baselines++;
    o.baseline_count = 2;
    assert_int_equal(refusal(x, SYSTEMS, TOPICS, &o, "system 2 is a baseline twice"), IV_EARG);
    o.baselines = (const size_t[]){ 0, 1 };
    o.correction = IV_CORRECT_TUKEY;
    assert_int_equal(refusal(x, SYSTEMS, TOPICS, &o, "one baseline, and there are 2"), IV_EARG);
    o = (iv_compare_options){ .alternative = IV_GREATER, .confidence = 0.5 };
    assert_int_equal(refusal(x, SYSTEMS, TOPICS, &o, "one-sided"), IV_EARG);
    o = (iv_compare_options){ .correction = IV_CORRECT_NONE };
    o.correction = IV_CORRECT_TUKEY;
    o.alternative = IV_LESS;
    assert_int_equal(refusal(x, SYSTEMS, TOPICS, &o, "two-sided"), IV_EARG);
    o = (iv_compare_options){ .correction = IV_CORRECT_NONE };
    o.margin = -0.1;
    assert_int_equal(refusal(x, SYSTEMS, TOPICS, &o, "margin"), IV_EARG);
    o = (iv_compare_options){ .correction = IV_CORRECT_NONE };
    o.confidence = 1.0;
    assert_int_equal(refusal(x, SYSTEMS, TOPICS, &o, "confidence"), IV_EARG);
}

/* ------------------------------------------------- defaults, cancellation -- */

/* {0} is what the command does: Holm's correction of the larger p of t and Hall's t. */
static void the_correction_that_fits_is_chosen(void **state)
{
    (void)state;
    const double nan = (double)NAN;
    const double few[] = { 0.1, 0.2, 0.3, nan, 0.3,  0.3, 0.1, 0.2, 0.4, 0.2,
                           nan, 0.2, 0.6, 0.5, 0.4 };
    static const size_t first[] = { 0 };
    double x[SYSTEMS * TOPICS];
    const struct {
        iv_compare_options o;
        const double *x;
        size_t systems, topics;
        iv_correction found;
    } cases[] = {
        { { 0 }, x, SYSTEMS, TOPICS, IV_CORRECT_HOLM },
        { { .alternative = IV_LESS }, x, SYSTEMS, TOPICS, IV_CORRECT_HOLM },
        { { .alternative = IV_LESS, .baselines = first, .baseline_count = 1 }, x, SYSTEMS, TOPICS, IV_CORRECT_HOLM },
        { { .correction = IV_CORRECT_BH }, x, SYSTEMS, TOPICS, IV_CORRECT_BH },
        { { .correction = IV_CORRECT_BH }, x, 2, TOPICS, IV_CORRECT_NONE },
        { { 0 }, few, 3, 5, IV_CORRECT_HOLM },
    };

    make_scores(x, SYSTEMS, TOPICS, 0.02, 9);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        iv_comparison *c = compared(cases[i].x, cases[i].systems, cases[i].topics, &cases[i].o);
        const iv_compare_options *o = &c->options;
        const iv_compared_test *t;
        (void)iv_comparison_tests(&t, c, 0);
        assert_int_equal(o->correction, cases[i].found);
        assert_int_equal(t->correction, cases[i].found);
        assert_int_equal(t->kind, IV_TEST_LARGER_P);
        assert_near(o->confidence, 0.95, 0.0);
        assert_int_equal(o->resamples, 10000);
        assert_int_equal(o->permutations, 100000);
        iv_comparison_free(c);
    }
}

/* Near-copies of a run beside another must not make their difference more certain:
 * Tukey's test is for runs that are alike, and does. */
static void copies_of_a_run_do_not_make_a_difference_more_certain(void **state)
{
    (void)state;
    enum { COPIES = 8, ALL = COPIES + 1 };
    double x[ALL * TOPICS];
    iv_stream s = iv_stream_start(21, IV_FOR_CALLER, 0);
    iv_comparison *c = NULL;
    const iv_compared_pair *pairs;

    for (size_t t = 0; t < TOPICS; t++) {
        const double base = iv_draw_beta(&s, 1.0, 3.0);
        x[COPIES * TOPICS + t] = base + 0.12 * iv_draw_normal(&s) - 0.04;
        for (size_t k = 0; k < COPIES; k++)
            x[k * TOPICS + t] = base + 0.0005 * iv_draw_normal(&s);
    }
    const iv_score_grid grid = { x, ALL, TOPICS };
    double p[ALL * (ALL - 1) / 2];
    size_t below = 0;
    assert_int_equal(iv_tukey_pairs(p, &grid, IV_NO_BASELINE, 2000, IV_TWO_SIDED, NULL, NULL),
                     IV_OK);
    for (int k = 0; k < 4; k++) { /* by default and by Tukey's, all pairs and a baseline */
        static const size_t other[] = { COPIES };
        const iv_compare_options o = { .correction = k % 2 ? IV_CORRECT_TUKEY : IV_CORRECT_AUTO,
                                       .permutations = 2000, .baselines = other,
                                       .baseline_count = (size_t)(k / 2) };
        c = compared(x, ALL, TOPICS, &o);
        const size_t n = iv_comparison_pairs(&pairs, c);
        for (size_t i = 0; i < n; i++) {
            const iv_compared_test *test;
            (void)iv_comparison_tests(&test, c, i);
            below += k < 2 && p[i] < test->test.p;
            assert_true(test->p_adjusted >= test->test.p);
        }
        iv_comparison_free(c);
    }
    assert_true(below > 0); /* so Tukey's p alone is not shown */
}

static void runs_that_differ_on_few_topics_are_counted(void **state)
{
    (void)state;
    double x[2 * TOPICS];
    const iv_compared_pair *pairs;

    for (size_t t = 0; t < TOPICS; t++) {
        x[t] = 0.25 + 0.01 * (double)t;
        x[TOPICS + t] = x[t] - (t % 10 == 3 ? 0.125 : 0.0);
    }
    iv_comparison *c = compared(x, 2, TOPICS, NULL);
    assert_int_equal(iv_comparison_pairs(&pairs, c), 1);
    assert_int_equal(pairs[0].varied, pairs[0].found.wins);
    iv_comparison_free(c);
}

static void a_margin_of_0_is_a_margin(void **state)
{
    (void)state;
    double x[2 * TOPICS];
    const iv_compared_pair *p;

    make_scores(x, 2, TOPICS, 0.1, 4);
    for (int given = 0; given < 2; given++) {
        iv_comparison *c = compared(x, 2, TOPICS,
                                    &(iv_compare_options){ .margin = given ? IV_ZERO : 0.0 });
        (void)iv_comparison_pairs(&p, c);
        assert_int_equal(!isnan(p->p_above), given);
        iv_comparison_free(c);
    }
}

/* Says stop when it is asked for the nth time. */
typedef struct patience {
    int left;
    double last;
} patience;

static int lose_patience(void *user, double fraction)
{
    patience *p = user;

    assert_true(fraction >= p->last && fraction <= 1.0);
    p->last = fraction;
    return --p->left <= 0;
}

static void a_comparison_can_be_stopped_anywhere(void **state)
{
    (void)state;
    static const iv_pair_test tests[] = { IV_TEST_RANDOMISATION, IV_TEST_T,
                                          IV_TEST_WILCOXON };
    enum { S = 6, T = 30 };
    double x[S * T];
    const iv_compare_options o = { .tests = tests, .test_count = 3, .permutations = 4000,
                                   .resamples = 4000 };
    int rc = IV_ECANCELLED;

    make_scores(x, S, T, 0.01, 2);
    x[3] = (double)NAN;
    for (int asks = 1; rc != IV_OK; asks++) {
        patience p = { asks, 0.0 };
        const iv_work work = { .threads = 2, .progress = { lose_patience, &p } };
        iv_comparison *c = NULL;
        rc = iv_compare(&c, x, S, T, &o, &work, NULL);
        assert_true(rc == IV_OK ? p.left > 0 : rc == IV_ECANCELLED && c == NULL);
        assert_true(asks > 5 || rc == IV_ECANCELLED); /* or the claim is empty */
        asks += asks / 4;
        iv_comparison_free(c);
    }
}

/* Whole numbers in any unit: equal sums stay equal, as 1.1 + 2.2 and 3.3 do not. */
static void the_unit_of_the_scores_changes_no_p_and_no_rank(void **state)
{
    (void)state;
    enum { RUNS = 4, MANY = 30, ALL = RUNS * MANY };
    static const double units[] = { 1.1, 1000.1, 1e-9, 1e6 / 7.0 };
    double whole[ALL], x[ALL];
    iv_compare_options o = { .correction = IV_CORRECT_NONE };

    o.correction = IV_CORRECT_TUKEY;
    o.permutations = o.resamples = 2000;
    for (size_t i = 0; i < ALL; i++)
        whole[i] = (double)((i * i * 7 + i / MANY * 3) % 11);
    for (size_t t = 0; t < MANY; t++) /* two runs of equal means */
        whole[3 * MANY + t] = whole[2 * MANY + (t + 7) % MANY];
    iv_comparison *one = compared(whole, RUNS, MANY, &o);
    for (size_t u = 0; u < 4; u++) {
        for (size_t i = 0; i < ALL; i++)
            x[i] = whole[i] * units[u];
        iv_comparison *other = compared(x, RUNS, MANY, &o);
        for (size_t p = 0; p < 6; p++) {
            const iv_compared_test *a, *b;
            assert_int_equal(iv_comparison_tests(&a, one, p), 1);
            assert_int_equal(iv_comparison_tests(&b, other, p), 1);
            assert_close(b->test.p, a->test.p, 1e-9);
            assert_close(b->p_adjusted, a->p_adjusted, 1e-9);
        }
        const iv_compared_run *a, *b;
        a = one->runs;
        assert_int_equal(one->systems, RUNS);
        b = other->runs;
        assert_int_equal(other->systems, RUNS);
        for (size_t s = 0; s < RUNS; s++) {
            assert_int_equal(b[s].rank, a[s].rank);
            assert_near(b[s].p_best, a[s].p_best, 0.0);
        }
        assert_int_equal(a[2].rank, a[3].rank);
        iv_comparison_free(other);
    }
    iv_comparison_free(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_tests_corrections_and_margins_equal_those_of_R),
        cmocka_unit_test(differences_equal_but_for_rounding_tie),
        cmocka_unit_test(all_is_compared_on_the_topics_that_every_system_has),
        cmocka_unit_test(bootstrap_intervals_of_pairs_are_those_of_their_differences),
        cmocka_unit_test(the_limits_of_a_test_are_those_it_has_alone),
        cmocka_unit_test(limits_stay_within_what_scores_in_0_to_1_can_differ_by),
        cmocka_unit_test(equal_systems_have_a_difference_of_0_no_interval_and_no_t_test),
        cmocka_unit_test(the_baseline_is_no_test),
        cmocka_unit_test(tukey_adjusts_means_and_holm_the_rest),
        cmocka_unit_test(rank_intervals_count_significant_pairs),
        cmocka_unit_test(p_best_and_ranks_are_those_of_all_resamples),
        cmocka_unit_test(the_answer_does_not_depend_on_threads),
        cmocka_unit_test(pairs_at_once_have_the_p_of_pairs_one_by_one),
        cmocka_unit_test(what_cannot_be_compared_is_refused),
        cmocka_unit_test(the_correction_that_fits_is_chosen),
        cmocka_unit_test(copies_of_a_run_do_not_make_a_difference_more_certain),
        cmocka_unit_test(runs_that_differ_on_few_topics_are_counted),
        cmocka_unit_test(a_margin_of_0_is_a_margin),
        cmocka_unit_test(a_comparison_can_be_stopped_anywhere),
        cmocka_unit_test(the_unit_of_the_scores_changes_no_p_and_no_rank),
    };
    int failures = cmocka_run_group_tests_name("compare", tests, NULL, NULL);

    failures += power_tests();
    failures += compare_accord_tests();
    failures += compare_command_tests();
    return failures;
}
