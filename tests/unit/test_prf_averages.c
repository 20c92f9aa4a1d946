/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about averages over many classes; each by a fixed seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "intervale/num.h"
#include "intervale/stat/prf.h"
#include "drawn.h"
#include "near.h"
#include "stat/prf/prf_state.h"

enum { DRAWS = 20000, K = 4, ITEMS = 90 };

static const iv_prf_prior jeffreys = { 0.5, 0.5 };
static const iv_prf_metric f2 = { IV_PRF_F, 2.0 };

/* --------------------------------------------- the same, by another route -- */

/* [gold][said] of two systems that err differently. */
static void two_systems(int32_t labels[3 * ITEMS])
{
    for (int32_t i = 0; i < ITEMS; i++) {
        const int32_t gold = i < 45 ? 0 : i < 70 ? 1 : i < 84 ? 2 : 3;
        labels[3 * i] = gold;
        labels[3 * i + 1] = i % 7 == 3 ? (gold + 1) % K : gold;
        labels[3 * i + 2] = i % 5 == 2 ? (gold + 2) % K : gold;
    }
}

/* The average of real counts, from the definition. */
static double average_of(double m[K][K], const iv_prf_target *t)
{
    double sum = 0.0, all = 0.0, right = 0.0;

    for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
            all += m[i][j];
    for (int k = 0; k < K; k++) {
        double gold = 0.0, said = 0.0;
        for (int j = 0; j < K; j++) {
            gold += m[k][j];
            said += m[j][k];
        }
        right += m[k][k];
        sum += iv_prf_of_cells(t->metric, m[k][k], said - m[k][k], gold - m[k][k],
                               all - said - gold + m[k][k])
               * (t->average == IV_PRF_WEIGHTED ? gold / all : 1.0 / K);
    }
    return t->average == IV_PRF_MICRO ? right / all : sum;
}

static void matrix_of(double m[K][K], const int32_t *labels, int system, double each)
{
    double right = 0.5;

    for (int i = 0; i < ITEMS; i++)
        right += labels[3 * i] == labels[3 * i + system];
    right /= ITEMS + 1.0;
    for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
            m[i][j] = each * (i == j ? right : (1.0 - right) / (K - 1));
    for (int i = 0; i < ITEMS; i++)
        m[labels[3 * i]][labels[3 * i + system]] += 1.0;
}

/* Items are taken out one by one; derivatives are differences of quotients. */
static void by_hand(double *a, double *b, const int32_t *labels, int system,
                    const iv_prf_target *t)
{
    const bool accuracy = t->average == IV_PRF_MICRO
                          || (t->average == IV_PRF_WEIGHTED && t->metric.kind == IV_PRF_RECALL);
    double m[K][K], mean = 0.0, squares = 0.0, all = ITEMS + K, linear = 0.0, linear2 = 0.0;
    double even = 0.0, sum = 0.0, cubes = 0.0;

    matrix_of(m, labels, system, accuracy ? 0.0 : 0.5);
    const double whole = average_of(m, t);
    for (int i = 0; i < ITEMS; i++) {
        double *cell = &m[labels[3 * i]][labels[3 * i + system]];
        *cell -= 1.0;
        const double left = average_of(m, t);
        *cell += 1.0;
        mean += left / ITEMS;
        squares += left * left / ITEMS;
    }
    const double estimate = whole + 0.5 * (ITEMS - 1) * (whole - mean);
    double seen = (squares - mean * mean) * (ITEMS - 1) / (whole * (1.0 - whole));
    matrix_of(m, labels, system, 1.0);
    const double with = average_of(m, t);
    for (int i = 0; i < K; i++) {
        for (int j = 0; j < K; j++) {
            const double was = m[i][j], h = 1e-5 * all;
            m[i][j] = was + h;
            const double up = average_of(m, t);
            m[i][j] = was - h;
            const double slope = (up - average_of(m, t)) / 2e-5;
            m[i][j] = was;
            linear += was / all * slope;
            linear2 += was / all * slope * slope;
        }
    }
    seen = fmax(seen, (linear2 - linear * linear) / ITEMS / (with * (1.0 - with)));
    for (int k = 0; k < K; k++) {
        const double square = t->metric.beta * t->metric.beta;
        double gold = 0.0, said = 0.0;
        for (int j = 0; j < K; j++) {
            gold += m[k][j];
            said += m[j][k];
        }
        const double w = t->metric.kind == IV_PRF_RECALL      ? 1.0 / gold
                         : t->metric.kind == IV_PRF_PRECISION ? 1.0 / said
                                                              : (1.0 + square) / (square * gold + said);
        even += w;
        sum += w / K;
        cubes += w * w * w / (K * K * K);
    }
    even = t->average == IV_PRF_MACRO ? even * all / ITEMS / (K * K) : 1.0 / ITEMS;
    seen = accuracy ? even : fmax(seen, even) * (ITEMS + 2.0) / ITEMS;
    *a = estimate / seen + 0.5;
    *b = (1.0 - estimate) / seen + 0.5;
    /* Half of an error that may be in any class, in place of half of an average item. */
    const double heavy = sqrt(cubes / sum), share = *b / (*a + *b);
    if (t->average != IV_PRF_MACRO || heavy < seen)
        return;
    assert_true(estimate > 0.5);
    const double at = share + 0.5 * (heavy - seen);
    const double spread = share * (1.0 - share) / (*a + *b + 1.0)
                          + 0.5 * (heavy * heavy - seen * seen);
    *a = (1.0 - at) * (at * (1.0 - at) / spread - 1.0);
    *b = at * (at * (1.0 - at) / spread - 1.0);
}

static void averages_are_shares_of_as_many_items_as_leaving_out_says(void **state)
{
    const double q[] = { 0.025, 0.25, 0.5, 0.75, 0.975 };
    int32_t labels[3 * ITEMS];
    const iv_prf_items items = { ITEMS, 2, K, labels };
    double *draws = malloc(2 * DRAWS * sizeof *draws);

    (void)state;
    assert_non_null(draws);
    two_systems(labels);
    for (int average = IV_PRF_MICRO; average <= IV_PRF_WEIGHTED; average++) {
        for (int metric = 0; metric < 3; metric++) {
            const iv_prf_target t = { 0, (iv_prf_average)average, 0,
                                      metric == 0   ? (iv_prf_metric){ IV_PRF_PRECISION, 0.0 }
                                      : metric == 1 ? (iv_prf_metric){ IV_PRF_RECALL, 0.0 } : f2 };
            assert_int_equal(iv_prf_average_draw(draws, &items, NULL, 0, &t, jeffreys,
                                                 &(iv_draw_plan){ DRAWS, 1 },
                                                 &(iv_work){ .threads = 2, .seed = 5 }, NULL),
                             IV_OK);
            for (int system = 1; system <= 2; system++) {
                double a, b, *own = draws + (system - 1) * DRAWS;
                iv_prf_cells cells;
                by_hand(&a, &b, labels, system, &t);
                assert_int_equal(iv_prf_average_cells(&cells, &items, (size_t)system - 1, &t,
                                                      jeffreys, NULL), IV_OK);
                assert_near(cells.tp, a, 1e-6 * a);
                assert_near(cells.fp, b, 1e-6 * b);
                for (int i = 0; i < 5; i++) {
                    const double x = iv_beta_quantile(q[i], a, b);
                    size_t below = 0;
                    for (size_t d = 0; d < DRAWS; d++)
                        below += own[d] <= x;
                    assert_near((double)below / DRAWS, q[i],
                                4.5 * sqrt(q[i] * (1.0 - q[i]) / DRAWS));
                }
            }
        }
    }
    free(draws);
}

/* F2 of TP, FP, FN, from its definition. */
static double f2_of(const double *cell)
{
    return 5.0 * cell[0] / (5.0 * cell[0] + cell[1] + 4.0 * cell[2]);
}

/* Its variance with slopes that are quotients of differences. */
static double variance_of(double *cell)
{
    double sum = 0.0;

    for (int i = 0; i < 3; i++) {
        const double was = cell[i], h = 1e-5 * was;
        cell[i] = was + h;
        const double up = f2_of(cell);
        cell[i] = was - h;
        const double slope = (up - f2_of(cell)) / (2.0 * h);
        cell[i] = was;
        sum += was * slope * slope;
    }
    return sum;
}

static void macro_averages_of_categories_are_shares_too(void **state)
{
    static const iv_prf_counts n[3] = { { 30, 5, 2, -1 }, { 7, 0, 4, -1 }, { 12, 3, 3, -1 } };
    const iv_prf_counts *const each[3] = { &n[0], &n[1], &n[2] };
    const double all[3] = { 49.5, 8.5, 9.5 }, sum = 67.5;
    double estimate = 0.0, whole = 0.0, seen = 0.0, even = 0.0;
    double one[3] = { all[0] / sum, all[1] / sum, all[2] / sum };

    (void)state;
    const double rate = f2_of(one);
    const double alike = variance_of(one) * (5.0 * one[0] + one[1] + 4.0 * one[2]);
    for (int k = 0; k < 3; k++) {
        const double counts[3] = { (double)n[k].tp, (double)n[k].fp, (double)n[k].fn };
        double half[3], cell[3];
        for (int i = 0; i < 3; i++) {
            half[i] = counts[i] + 0.5 * one[i];
            cell[i] = counts[i] + one[i];
        }
        estimate += f2_of(half) / 3.0;
        whole += f2_of(cell) / 3.0;
        seen += variance_of(cell) / 9.0;
        even += alike / (5.0 * cell[0] + cell[1] + 4.0 * cell[2]) / 9.0;
    }
    seen = fmax(seen / (whole * (1.0 - whole)), even / (rate * (1.0 - rate))) * 68.0 / 66.0;
    const iv_prf_cells got = iv_prf_macro_cells(each, 3, f2, jeffreys);
    assert_near(got.tp, estimate / seen + 0.5, 1e-5);
    assert_near(got.fp, (1.0 - estimate) / seen + 0.5, 1e-5);
}

/* -------------------------------------------------------------- made-up data -- */

enum { MANY = 10, SIZE = 300, TRIALS = 300, FEW = 1000 };

static void made_up(int32_t *labels, iv_stream *s, size_t systems, double right)
{
    for (size_t i = 0; i < SIZE; i++) {
        int32_t *l = labels + i * (systems + 1);
        l[0] = (int32_t)iv_draw_below(s, MANY);
        for (size_t k = 1; k <= systems; k++) {
            const int32_t other = (int32_t)iv_draw_below(s, MANY - 1);
            l[k] = iv_draw_uniform(s) < right ? l[0] : other + (other >= l[0]);
        }
    }
}

/* Two systems that are equally good: the share of draws in which the first leads is even. */
static void probabilities_are_as_sure_as_they_say(void **state)
{
    static const iv_prf_target targets[] = { { 0, IV_PRF_MICRO, 0, { IV_PRF_ACCURACY, 0.0 } },
                                             { 0, IV_PRF_MACRO, 0, { IV_PRF_F, 1.0 } } };
    int32_t *labels = malloc(3 * SIZE * sizeof *labels);
    double *draws = malloc(2 * FEW * sizeof *draws);
    const iv_prf_items items = { SIZE, 2, MANY, labels };

    (void)state;
    assert_true(labels != NULL && draws != NULL);
    for (size_t m = 0; m < 2; m++) {
        size_t sure = 0;
        for (uint64_t trial = 0; trial < TRIALS; trial++) {
            iv_stream s = iv_stream_start(9, IV_FOR_STUDY, trial);
            size_t leads = 0;
            made_up(labels, &s, 2, 0.9);
            assert_int_equal(iv_prf_average_draw(draws, &items, NULL, 0, &targets[m], jeffreys,
                                                 &(iv_draw_plan){ FEW, 0 },
                                                 &(iv_work){ .threads = 1, .seed = trial }, NULL),
                             IV_OK);
            for (size_t d = 0; d < FEW; d++)
                leads += draws[d] > draws[FEW + d];
            sure += leads < FEW / 20 || leads > FEW - FEW / 20;
        }
        assert_near((double)sure / TRIALS, 0.1, 3.5 * sqrt(0.1 * 0.9 / TRIALS));
    }
    free(draws);
    free(labels);
}

/* Of ten classes; the posterior of the confusion matrix held .88 of such. */
static void intervals_of_many_classes_hold_the_truth(void **state)
{
    const iv_prf_target f1 = { 0, IV_PRF_MACRO, 0, { IV_PRF_F, 1.0 } };
    int32_t *labels = malloc(2 * SIZE * sizeof *labels);
    double *draws = malloc(FEW * sizeof *draws);
    const iv_prf_items items = { SIZE, 1, MANY, labels };
    size_t held = 0;

    (void)state;
    assert_true(labels != NULL && draws != NULL);
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        iv_stream s = iv_stream_start(10, IV_FOR_STUDY, trial);
        iv_drawn_summary x;
        made_up(labels, &s, 1, 0.8);
        assert_int_equal(iv_prf_average_draw(draws, &items, NULL, 0, &f1, jeffreys,
                                             &(iv_draw_plan){ FEW, 0 },
                                             &(iv_work){ .threads = 1, .seed = trial }, NULL),
                         IV_OK);
        assert_int_equal(iv_summarise_draws(&x, draws, FEW, 0.95, IV_INTERVAL_EQUAL, NULL), IV_OK);
        held += x.lower <= 0.8 && 0.8 <= x.upper;
    }
    assert_near((double)held / TRIALS, 0.95, 3.5 * sqrt(0.95 * 0.05 / TRIALS));
    free(draws);
    free(labels);
}

/* ------------------------------------------------------------- next to no errors -- */

/* The lower limit of an average of classes of these sizes, where the first `wrong` items of
 * class `at` are said to be of the next. */
static double lower_of(const int sizes[], int classes, int at, int wrong, const iv_prf_target *t)
{
    int32_t labels[2 * 500];
    size_t n = 0;
    iv_drawn_summary x;
    double *draws = malloc(DRAWS * sizeof *draws);

    assert_non_null(draws);
    for (int k = 0; k < classes; k++) {
        for (int i = 0; i < sizes[k]; i++, n++) {
            labels[2 * n] = k;
            labels[2 * n + 1] = k == at && i < wrong ? (k + 1) % classes : k;
        }
    }
    const iv_prf_items items = { n, 1, classes, labels };
    assert_int_equal(iv_prf_average_draw(draws, &items, NULL, 0, t, jeffreys,
                                         &(iv_draw_plan){ DRAWS, 0 },
                                         &(iv_work){ .threads = 1, .seed = 3 }, NULL), IV_OK);
    assert_int_equal(iv_summarise_draws(&x, draws, DRAWS, 0.95, IV_INTERVAL_EQUAL, NULL), IV_OK);
    free(draws);
    return x.lower;
}

/* Averages of equal classes without errors are as sure as accuracy is, and each error costs. */
static void no_errors_are_no_certainty(void **state)
{
    static const int tens[] = { 10, 10, 10, 10, 10 }, twenties[] = { 20, 20, 20, 20, 20 };

    (void)state;
    for (int average = IV_PRF_MACRO; average <= IV_PRF_WEIGHTED; average++) {
        for (int kind = 0; kind < 3; kind++) {
            const iv_prf_target t = { 0, (iv_prf_average)average, 0,
                                      kind == 0   ? (iv_prf_metric){ IV_PRF_PRECISION, 0.0 }
                                      : kind == 1 ? (iv_prf_metric){ IV_PRF_RECALL, 0.0 }
                                                  : (iv_prf_metric){ IV_PRF_F, 1.0 } };
            double before = 1.0;
            assert_near(lower_of(tens, 5, 0, 0, &t), iv_beta_quantile(0.025, 50.5, 0.5), 0.003);
            for (int wrong = 0; wrong < 6; wrong++) {
                const double now = lower_of(twenties, 5, 0, wrong, &t);
                assert_true(now < before);
                before = now;
            }
        }
    }
}

/* A class of three items, all of them right, beside errors of another: the limit was .17, and by
 * that class alone, if the others had no error, it is 1 - (1 - .464) / 3. */
static void one_error_beside_a_small_class_does_not_say_nothing(void **state)
{
    static const int sizes[] = { 300, 100, 3 };
    const iv_prf_target recall = { 0, IV_PRF_MACRO, 0, { IV_PRF_RECALL, 0.0 } };
    const iv_prf_target precision = { 0, IV_PRF_MACRO, 0, { IV_PRF_PRECISION, 0.0 } };

    (void)state;
    for (int wrong = 0; wrong < 3; wrong++)
        assert_near(lower_of(sizes, 3, 0, wrong, &recall),
                    1.0 - iv_beta_isf(0.025, 0.5, 3.5) / 3.0, 0.03);
    assert_true(lower_of(sizes, 3, 2, 1, &precision) > 0.7); /* two were said to be of it, both right */
    assert_true(lower_of(sizes, 3, 2, 1, &recall) < 0.7); /* one of the three is wrong */
}

/* ------------------------------------------------------------------ and odd -- */

static void systems_that_say_the_same_differ_by_next_to_nothing(void **state)
{
    const iv_prf_target f1 = { 0, IV_PRF_MACRO, 0, { IV_PRF_F, 1.0 } };
    const iv_draw_plan plan = { DRAWS, 0 };
    int32_t labels[3 * ITEMS];
    const iv_prf_items items = { ITEMS, 2, K, labels };
    const size_t second[] = { 1 };
    double *one = malloc(2 * DRAWS * sizeof *one), *two = malloc(2 * DRAWS * sizeof *two);
    double apart = 0.0;

    (void)state;
    assert_true(one != NULL && two != NULL);
    two_systems(labels);
    for (int i = 0; i < ITEMS; i++)
        labels[3 * i + 1] = labels[3 * i + 2];
    assert_int_equal(iv_prf_average_draw(one, &items, NULL, 0, &f1, jeffreys, &plan,
                                         &(iv_work){ .threads = 1, .seed = 2 }, NULL), IV_OK);
    assert_int_equal(iv_prf_average_draw(two, &items, NULL, 0, &f1, jeffreys, &plan,
                                         &(iv_work){ .threads = 2, .seed = 2 }, NULL), IV_OK);
    assert_memory_equal(one, two, 2 * DRAWS * sizeof *one); /* on any number of threads */
    for (size_t d = 0; d < DRAWS; d++)
        apart = fmax(apart, fabs(one[d] - one[DRAWS + d]));
    assert_true(apart > 0.0 && apart < 0.15); /* the prior has seen one item a class differ */
    assert_int_equal(iv_prf_average_draw(two, &items, second, 1, &f1, jeffreys, &plan,
                                         &(iv_work){ .threads = 1, .seed = 2 }, NULL), IV_OK);
    free(one);
    free(two);
}

/* Three classes of 100 items, all right; of a fourth nothing is known, so that the macro average
 * may be anything from .75 to 1. */
static void classes_that_were_not_seen_may_have_any_value(void **state)
{
    (void)state;
    static const iv_prf_metric kinds[] = { { IV_PRF_PRECISION, 0.0 }, { IV_PRF_RECALL, 0.0 },
                                           { IV_PRF_F, 1.0 } };
    int32_t labels[2 * 300];
    const iv_prf_items items = { .labels = labels, .items = 300, .systems = 1, .classes = 4 };
    const iv_prf_counts seen = { 100, 0, 0, -1 }, none = { 0, 0, 0, -1 };
    const iv_prf_counts *const each[] = { &seen, &seen, &seen, &none };

    for (int32_t i = 0; i < 300; i++)
        labels[2 * i] = labels[2 * i + 1] = i / 100;
    for (size_t m = 0; m < 3; m++) {
        const iv_prf_target t = { 0, IV_PRF_MACRO, 0, kinds[m] };
        iv_prf_cells c;
        assert_int_equal(iv_prf_average_cells(&c, &items, 0, &t, jeffreys, NULL), IV_OK);
        assert_true(iv_beta_quantile(0.025, c.tp, c.fp) < 0.75);
        assert_true(iv_beta_quantile(0.975, c.tp, c.fp) > 0.99);
        c = iv_prf_macro_cells(each, 4, kinds[m], jeffreys);
        assert_true(iv_beta_quantile(0.025, c.tp, c.fp) < 0.75);
        assert_true(iv_beta_quantile(0.975, c.tp, c.fp) > 0.99);
    }
    /* Mean and variance: a quarter of it is 0 or 1. */
    const iv_prf_cells half = { .tp = 30.0, .fp = 10.0, .fn = 1.0, .tn = 1.0 };
    const iv_prf_cells with = iv_prf_with_unseen(half, 0.25), same = iv_prf_with_unseen(half, 0.0);
    const double all = with.tp + with.fp, mean = with.tp / all;
    assert_near(mean, 0.75 * 0.75 + 0.125, 1e-12);
    assert_near(mean * (1.0 - mean) / (all + 1.0),
                0.75 * 0.75 * (0.75 * 0.25 / 41.0) + 0.25 * 0.25 * 0.25, 1e-12);
    assert_near(same.tp, 30.0, 0.0);
}

/* Two classes of 5 items beside one of 990, of which large classes say nothing.  All are right in
 * .22 of samples when they are in truth .86 of the time, and their macro recall .907. */
static void small_classes_without_errors_are_not_as_sure_as_large_ones(void **state)
{
    (void)state;
    static const iv_prf_metric kinds[] = { { IV_PRF_PRECISION, 0.0 }, { IV_PRF_RECALL, 0.0 },
                                           { IV_PRF_F, 1.0 } };
    int32_t labels[2 * 1000];
    const iv_prf_items items = { .labels = labels, .items = 1000, .systems = 1, .classes = 3 };
    const iv_prf_counts large = { 990, 0, 0, -1 }, small = { 5, 0, 0, -1 };
    const iv_prf_counts *const each[] = { &large, &small, &small };

    for (int32_t i = 0; i < 1000; i++)
        labels[2 * i] = labels[2 * i + 1] = i < 990 ? 0 : 1 + i % 2;
    for (size_t m = 0; m < 3; m++) {
        const iv_prf_target t = { 0, IV_PRF_MACRO, 0, kinds[m] };
        iv_prf_cells c;
        assert_int_equal(iv_prf_average_cells(&c, &items, 0, &t, jeffreys, NULL), IV_OK);
        /* No surer than if one of the small classes alone were at its limit. */
        assert_in_range((int)(1000.0 * iv_beta_quantile(0.025, c.tp, c.fp)), 840, 873);
        c = iv_prf_macro_cells(each, 3, kinds[m], jeffreys);
        assert_near(iv_beta_quantile(0.025, c.tp, c.fp),
                    iv_beta_quantile(0.025, (m == 2 ? 30.0 : 15.0) + 0.5, 0.5), 0.003);
    }
}

static void what_cannot_be_meant_is_refused(void **state)
{
    const int32_t bad[] = { 0, 3 };
    const iv_prf_items items = { 1, 1, 3, bad }, none = { 0, 1, 3, bad };
    const iv_prf_target one = { 0, IV_PRF_ONE, 0, { IV_PRF_F, 1.0 } };
    const iv_prf_target mcc = { 0, IV_PRF_MACRO, 0, { IV_PRF_MCC, 0.0 } };
    const iv_prf_target f1 = { 0, IV_PRF_MACRO, 0, { IV_PRF_F, 1.0 } };
    const iv_draw_plan plan = { 1000, 0 };
    double out[1000];

    (void)state;
    assert_int_equal(iv_prf_average_draw(out, &items, NULL, 0, &f1, jeffreys, &plan, NULL, NULL),
                     IV_EARG);
    assert_int_equal(iv_prf_average_draw(out, &none, NULL, 0, &f1, jeffreys, &plan, NULL, NULL),
                     IV_ENODATA);
    const int32_t good[] = { 0, 2 };
    const iv_prf_items fine = { 1, 1, 3, good };
    assert_int_equal(iv_prf_average_draw(out, &fine, NULL, 0, &one, jeffreys, &plan, NULL, NULL),
                     IV_EARG);
    assert_int_equal(iv_prf_average_draw(out, &fine, NULL, 0, &mcc, jeffreys, &plan, NULL, NULL),
                     IV_EARG);
    assert_int_equal(iv_prf_average_draw(out, &fine, NULL, 0, &f1, jeffreys, &plan, NULL, NULL),
                     IV_OK); /* one item, and a value in (0, 1) */
    for (size_t i = 0; i < 1000; i++)
        assert_true(out[i] >= 0.0 && out[i] <= 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(averages_are_shares_of_as_many_items_as_leaving_out_says),
        cmocka_unit_test(macro_averages_of_categories_are_shares_too),
        cmocka_unit_test(probabilities_are_as_sure_as_they_say),
        drawn_unit_test(intervals_of_many_classes_hold_the_truth),
        cmocka_unit_test(no_errors_are_no_certainty),
        cmocka_unit_test(one_error_beside_a_small_class_does_not_say_nothing),
        cmocka_unit_test(systems_that_say_the_same_differ_by_next_to_nothing),
        cmocka_unit_test(classes_that_were_not_seen_may_have_any_value),
        cmocka_unit_test(small_classes_without_errors_are_not_as_sure_as_large_ones),
        cmocka_unit_test(what_cannot_be_meant_is_refused),
    };

    return cmocka_run_group_tests_name("prf_averages", tests, NULL, NULL);
}
