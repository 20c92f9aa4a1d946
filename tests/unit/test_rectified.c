/* SPDX-License-Identifier: Apache-2.0 */
/* Rectified labels: reference values, expectations over all samples, derivatives. */
#include "sample_tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/label_model.h"
#include "estimate/rectified.h"
#include "near.h"
#include "stat/paired/compare_parts.h"

enum { DOCS = 5, GRADED = 6, LEVELS = 3 };

static const double p[DOCS] = { .8, .3, .6, .1, .2 }, pi[DOCS] = { .9, .5, .4, .3, .2 };
static const int truth[DOCS] = { 1, 0, 1, 1, 1 };
static const uint32_t retrieved[4] = { 0, 1, 2, 3 };
static const double ranks[5] = { 1, 2, 3, 4, 5 };
static const iv_labelled_ranking ranking = { retrieved, ranks, 4 };
static const double whole = 1.0;

/* AP and recall of labels that nothing is taken apart of. */
static double ap_of(double *u, const double *x, double total)
{
    return iv_rectified_ap(u, &(iv_even_labels){ x, p, NULL, DOCS, &total, &whole }, &ranking, 0);
}

static double recall_of(double *u, const double *x, const double *likely, size_t count,
                        double total, const iv_labelled_ranking *r, size_t cutoff)
{
    return iv_rectified_recall(u, &(iv_even_labels){ x, likely, NULL, count, &total, &whole }, r,
                               cutoff);
}

/* The sum over all samples, each with its probability, of R and of Q = AP R. */
static void labels_are_unbiased_over_all_samples(void **state)
{
    double q = 0.0, r = 0.0, squares = 0.0, formula = 0.0;

    (void)state;
    for (unsigned s = 0; s < 1u << DOCS; s++) {
        double chance = 1.0, x[DOCS], u[DOCS], sum = 0.0;
        int label[DOCS];
        for (size_t d = 0; d < DOCS; d++) {
            label[d] = s >> d & 1 ? truth[d] : -1;
            chance *= s >> d & 1 ? pi[d] : 1.0 - pi[d];
        }
        iv_rectify(x, p, pi, label, DOCS);
        for (size_t d = 0; d < DOCS; d++)
            sum += x[d];
        q += chance * ap_of(u, x, 1.0);
        r += chance * sum;
        squares += chance * sum * sum;
    }
    for (size_t d = 0; d < DOCS; d++)
        formula += (1.0 - pi[d]) / pi[d] * (truth[d] - p[d]) * (truth[d] - p[d]);
    assert_near(q, 2.4166666666666665, 1e-12);
    assert_near(r, 4.0, 1e-12);
    assert_near(squares - r * r, 4.784444444444445, 1e-12);
    assert_near(formula, 4.784444444444445, 1e-12);
}

/* What divides a relevant document's label is the same whether it was drawn or not, so that the two
 * do not go up together; where all is judged it is the total itself. */
static void a_total_apart_does_not_know_what_was_drawn(void **state)
{
    static const double certain[DOCS] = { 1, 1, 1, 1, 1 };
    double x[DOCS], apart[DOCS], share, by[2];
    int label[DOCS];

    (void)state;
    for (unsigned s = 0; s < 1u << DOCS; s++)
        for (size_t d = 0; d < DOCS; d++) {
            for (unsigned drawn = 0; drawn < 2; drawn++) {
                for (size_t i = 0; i < DOCS; i++)
                    label[i] = (i == d ? drawn : s >> i & 1) ? truth[i] : -1;
                iv_rectify(x, p, pi, label, DOCS);
                by[drawn] = iv_rectified_total(&share, apart, x, p, pi, label, DOCS, INFINITY)
                    / apart[d];
            }
            if (truth[d])
                assert_near(by[0], by[1], 1e-12);
        }
    iv_rectify(x, p, certain, truth, DOCS);
    assert_true(iv_rectified_total(&share, apart, x, p, certain, truth, DOCS, 10.0) == 4.0);
    for (size_t d = 0; d < DOCS; d++)
        assert_true(apart[d] == 1.0);
}

/* The doubt about a total goes when all is found, and the mean of what is found decides. */
static void a_total_in_doubt_has_room_on_either_side(void **state)
{
    double total[1] = { 8.0 }, found[1] = { 3.0 }, doubt[1] = { 0.15625 };
    iv_rectified_topic t[2] = { { .framed = 9, .total = total, .found = found, .doubt = doubt },
                                { .framed = 9, .total = total, .found = found, .doubt = doubt } };
    iv_rectified l = { .levels = 1, .topics = t, .topic_count = 2 };

    (void)state;
    assert_near(iv_rectified_least(t, 0, false), 8.0 / 1.15625, 1e-12);
    assert_near(iv_rectified_most(t, 0, false), 8.0 * 1.078125, 1e-12);
    assert_near(iv_rectified_least(t, 0, true), 8.0 / 1.078125, 1e-12);
    assert_near(iv_rectified_most(t, 0, true), 8.0 * 1.0390625, 1e-12);
    assert_false(iv_rectified_few(&l, 0));
    found[0] = 1.0;
    assert_true(iv_rectified_few(&l, 0));
    t[0].framed = t[1].framed = 0; /* nothing was left to chance */
    assert_false(iv_rectified_few(&l, 0));
}

static void reference_values_of_one_sample_hold(void **state)
{
    static const int label[DOCS] = { 1, -1, 1, -1, 1 };
    static const double want_x[DOCS] = { 1.0222222222222221, .3, 1.6, .1, 4.2 };
    static const double want_u[DOCS] = { 0.1855011834319526, 0.16627041420118338,
        0.05960374753451676, 0.08473195266272189, -0.05103727810650886 };
    double x[DOCS], u[DOCS], total = 0.0, variance = 0.0;

    (void)state;
    iv_rectify(x, p, pi, label, DOCS);
    for (size_t d = 0; d < DOCS; d++) {
        assert_near(x[d], want_x[d], 1e-12);
        total += x[d];
    }
    assert_near(ap_of(u, x, total), 0.36860256410256403, 1e-12);
    for (size_t d = 0; d < DOCS; d++) {
        assert_near(u[d], want_u[d], 1e-12);
        const double z = label[d] < 0 ? 0.0 : u[d] * (label[d] - p[d]) / pi[d];
        variance += (1.0 - pi[d]) * z * z;
    }
    assert_near(variance, 0.03564298144423045, 1e-12);
}

static void reference_values_of_graded_labels_hold(void **state)
{
    static const int32_t grade[GRADED] = { 2, 0, -1, 3, -1, 0 };
    static const double levels[GRADED][LEVELS] = { { .9, .6, .2 }, { .3, .1, .05 },
        { .8, .3, .1 }, { .7, .5, .3 }, { .6, .4, .2 }, { .2, .05, .01 } };
    static const double chance[GRADED] = { .9, .6, .6, .4, .3, .25 }, gain[LEVELS] = { 1, 1, 1 };
    static const uint32_t documents[5] = { 0, 1, 2, 3, 5 };
    double x[LEVELS * GRADED], u[LEVELS * GRADED], total[LEVELS], value, variance = 0.0;
    iv_discounts d = { 0 };

    (void)state;
    for (size_t h = 0; h < LEVELS; h++) {
        double own[GRADED];
        int label[GRADED];
        total[h] = 0.0;
        for (size_t i = 0; i < GRADED; i++) {
            own[i] = levels[i][h];
            label[i] = grade[i] < 0 ? -1 : grade[i] > (int32_t)h;
        }
        iv_rectify(x + h * GRADED, own, chance, label, GRADED);
        for (size_t i = 0; i < GRADED; i++)
            total[h] += x[h * GRADED + i];
    }
    assert_near(total[0], 3.0611111111111113, 1e-12);
    assert_near(total[2], 2.2644444444444445, 1e-12);
    assert_true(iv_rectified_ndcg(&value, u,
                                  &(iv_even_labels){ x, NULL, NULL, GRADED, total, gain },
                                  LEVELS, gain, &(iv_labelled_ranking){ documents, ranks, 5 }, 3, &d));
    assert_near(value, 0.40565141065435145, 1e-12);
    for (size_t i = 0; i < GRADED; i++) {
        double z = 0.0;
        for (size_t h = 0; h < LEVELS && grade[i] >= 0; h++)
            z += u[h * GRADED + i] * ((grade[i] > (int32_t)h ? 1.0 : 0.0) - levels[i][h]);
        variance += (1.0 - chance[i]) * z * z / (chance[i] * chance[i]);
    }
    assert_near(sqrt(variance), 0.06908263312492416, 1e-12);
    /* P@3 of grades 2 and more (ppi-017). */
    variance = 0.0;
    assert_near(iv_rectified_found(u, x + GRADED, GRADED, 3.0,
                                   &(iv_labelled_ranking){ documents, ranks, 5 }, 3.0),
                0.425925925925926, 1e-12);
    for (size_t i = 0; i < GRADED; i++) {
        const double z = grade[i] < 0 ? 0.0 : u[i] * ((grade[i] > 1 ? 1.0 : 0.0) - levels[i][1]);
        variance += (1.0 - chance[i]) * z * z / (chance[i] * chance[i]);
    }
    assert_near(sqrt(variance), 0.05856069741052554, 1e-12);
    /* DCG@3 is nDCG@3 whose ideal is 1: one document of gain 1, known (ppi-017). */
    static const double single[LEVELS] = { 1, 0, 0 }, fixed[LEVELS] = { 0, 0, 0 };
    assert_true(iv_rectified_ndcg(&value, u,
                                  &(iv_even_labels){ x, NULL, NULL, GRADED, single, fixed },
                                  LEVELS, gain, &(iv_labelled_ranking){ documents, ranks, 5 }, 3, &d));
    assert_near(value, 2.4440544072618957, 1e-12);
    variance = 0.0;
    for (size_t i = 0; i < GRADED; i++) {
        double z = 0.0;
        for (size_t h = 0; h < LEVELS && grade[i] >= 0; h++)
            z += u[h * GRADED + i] * ((grade[i] > (int32_t)h ? 1.0 : 0.0) - levels[i][h]);
        variance += (1.0 - chance[i]) * z * z / (chance[i] * chance[i]);
    }
    assert_near(sqrt(variance), 0.3172970071526087, 1e-12);
    free(d.sum);
}

/* u of a ratio is the derivative when the total moves along. */
static void changes_are_derivatives(void **state)
{
    static const double at[DOCS] = { 1.1, .2, .9, .4, 1.7 };
    const double step = 1e-6;
    double u[DOCS], unused[DOCS], total = 0.0;

    (void)state;
    for (size_t d = 0; d < DOCS; d++)
        total += at[d];
    for (int which = 0; which < 2; which++)
        for (size_t d = 0; d < DOCS; d++) {
            double more[DOCS], less[DOCS], value[2];
            memcpy(more, at, sizeof at);
            memcpy(less, at, sizeof at);
            more[d] += step;
            less[d] -= step;
            (void)(which == 0 ? ap_of(u, at, total)
                              : recall_of(u, at, p, DOCS, total, &ranking, 3));
            for (int k = 0; k < 2; k++) {
                const double *x = k == 0 ? more : less, n = total + (k == 0 ? step : -step);
                value[k] = which == 0 ? ap_of(unused, x, n)
                                      : recall_of(unused, x, p, DOCS, n, &ranking, 3);
            }
            assert_near(u[d], (value[0] - value[1]) / (2.0 * step), 1e-8);
        }
}

/* Where next to nothing is expected, nothing was missed and nothing found: no recall of 1. */
static void an_empty_topic_has_no_recall(void **state)
{
    static const uint32_t document[] = { 0, 1 };
    static const double rank[] = { 1, 2 };
    static const double x[] = { .01, .01, .001 }, many[] = { 1.0, 1.0, .1 };
    const iv_labelled_ranking r = { document, rank, 2 };
    double u[3];

    (void)state;
    assert_near(recall_of(u, x, x, 3, .5, &r, 2), .02 / .5, 1e-12);
    assert_near(recall_of(u, many, many, 3, 2.1, &r, 2), 1.0 - .1 / 2.1, 1e-12);
}

/* Limits with room for a bias are shares, unless the value itself is none. */
static void room_for_a_bias_ends_at_0_and_1(void **state)
{
    double lower = .01, upper = 1.08, above = 1.3, under = -.1;

    (void)state;
    iv_doubt_mean(&lower, &upper, .8, .05, .02);
    assert_near(lower, 0.0, 0.0);
    assert_near(upper, 1.0, 0.0);
    iv_doubt_mean(&under, &above, 1.1, .05, 0.0);
    assert_near(under, 0.0, 0.0); /* nothing may be too high, and no mean is below 0 */
    assert_near(above, 1.1, 0.0);
}

/* A fold's curve starts from that of all, and ends where the others alone lead. */
static void a_fold_is_fitted_as_if_it_were_not_there(void **state)
{
    enum { MANY = 90, WIDTH = 6, FOLDS = 3 };
    double traits[MANY][WIDTH] = { { 0 } }, c[FOLDS * WIDTH], alone[FOLDS * WIDTH];
    iv_label_example x[MANY], rest[MANY];

    (void)state;
    for (uint32_t i = 0; i < MANY; i++) {
        const uint32_t group = i % 4 == 0 ? 0 : 2 + i % 4;
        traits[i][0] = 1.0;
        traits[i][1] = log(1.0 + i % 17);
        traits[i][2] = log(1.0 + i % 5);
        if (group > 0)
            traits[i][group] = 1.0;
        x[i] = (iv_label_example){ traits[i], 1.0 + i % 3, i * i % 11 < 2 + group, i % FOLDS, group };
    }
    assert_int_equal(iv_label_fit(c, x, MANY, WIDTH, FOLDS, NULL), IV_OK);
    for (uint32_t f = 0; f < FOLDS; f++) {
        size_t n = 0;
        for (size_t i = 0; i < MANY; i++)
            if (x[i].fold != f) {
                rest[n] = x[i];
                rest[n++].fold = 1;
            }
        /* nothing is in fold 0 */
        assert_int_equal(iv_label_fit(alone, rest, n, WIDTH, 2, NULL), IV_OK);
        for (size_t k = 0; k < WIDTH; k++)
            assert_near(c[f * WIDTH + k], alone[k], 1e-7);
    }
    assert_true(fabs(c[1] - c[WIDTH + 1]) > 1e-3);
}

/* Without a relevant example nothing is likely; with many, the share is found. */
static void probabilities_are_learnt_on_the_other_folds(void **state)
{
    enum { MANY = 400 };
    static const double traits[2][4] = { { 1, 0, 0, 0 }, { 1, 0, 0, 1 } }; /* in a group or none */
    iv_label_example x[MANY];
    double c[2 * 4];

    (void)state;
    for (size_t i = 0; i < MANY; i++) /* fold 0: never; fold 1: a quarter, three quarters */
        x[i] = (iv_label_example){ traits[i % 2], 1.0, i >= MANY / 2
            && (i / 2 % 4 == 0) != (i % 2 == 1), i < MANY / 2 ? 0 : 1, i % 2 == 1 ? 3 : 0 };
    assert_int_equal(iv_label_fit(c, x, MANY, 4, 2, NULL), IV_OK);
    assert_near(iv_label_probability(c, traits[0], 4), .25, .01);
    assert_near(iv_label_probability(c, traits[1], 4), .75, .01);
    assert_true(iv_label_probability(c + 4, traits[1], 4) < 1e-4);
}

int rectified_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_are_unbiased_over_all_samples),
        cmocka_unit_test(a_total_apart_does_not_know_what_was_drawn),
        cmocka_unit_test(a_total_in_doubt_has_room_on_either_side),
        cmocka_unit_test(reference_values_of_one_sample_hold),
        cmocka_unit_test(reference_values_of_graded_labels_hold),
        cmocka_unit_test(changes_are_derivatives),
        cmocka_unit_test(an_empty_topic_has_no_recall),
        cmocka_unit_test(room_for_a_bias_ends_at_0_and_1),
        cmocka_unit_test(a_fold_is_fitted_as_if_it_were_not_there),
        cmocka_unit_test(probabilities_are_learnt_on_the_other_folds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
