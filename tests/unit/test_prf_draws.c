/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about draws and labels; each by a fixed seed, 4.5 standard errors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"
#include "num/draw.h"
#include "stat/prf/prf_counts.h"
#include "stat/prf/prf_draws.h"
#include "stat/prf/prf_posterior.h"
#include "base/memory.h"

enum { DRAWS = 20000 };

static double share_below(const double *draws, size_t n, double x)
{
    size_t below = 0;

    for (size_t i = 0; i < n; i++)
        below += draws[i] <= x;
    return (double)below / (double)n;
}

/* Is the distribution of the draws that of the posterior? */
static void agree(const double *draws, size_t n, const iv_posterior *p)
{
    for (double q = 0.02; q < 1.0; q += 0.08) {
        const double x = iv_posterior_quantile(p, q);
        assert_near(share_below(draws, n, x), q, 4.5 * sqrt(q * (1.0 - q) / (double)n));
    }
}

static void draws_agree_with_exact_posteriors(void **state)
{
    static const iv_prf_metric metrics[] = {
        { IV_PRF_PRECISION, 0.0 }, { IV_PRF_RECALL, 0.0 },   { IV_PRF_F, 1.0 },
        { IV_PRF_F, 0.5 },         { IV_PRF_F, 2.0 },        { IV_PRF_SPECIFICITY, 0.0 },
        { IV_PRF_ACCURACY, 0.0 } };
    static const iv_prf_cells cells[] = { { 10.5, 10.5, 5.5, 40.5 }, { 0.5, 2.5, 3.5, 7.5 } };
    const iv_work two = { .threads = 2, .seed = 3 };
    const size_t count = sizeof metrics / sizeof *metrics;
    double *draws = malloc(count * DRAWS * sizeof *draws);

    (void)state;
    assert_non_null(draws);
    for (size_t c = 0; c < 2; c++) {
        assert_int_equal(iv_prf_draw(draws, &cells[c], metrics, count, DRAWS, 0, &two, NULL),
                         IV_OK);
        for (size_t m = 0; m < count; m++) {
            iv_posterior p;
            iv_posterior_prf(&p, &cells[c], metrics[m]);
            agree(draws + m * DRAWS, DRAWS, &p);
        }
    }
    free(draws);
}

static void f_beta_agrees_with_a_million_draws(void **state)
{
    const iv_prf_metric f2 = { IV_PRF_F, 2.0 };
    const iv_prf_cells c = { 80.5, 20.5, 30.5, 0.0 };
    const iv_work two = { .threads = 2, .seed = 4 };
    double *draws = malloc(1000000 * sizeof *draws);
    iv_posterior p;

    (void)state;
    assert_non_null(draws);
    iv_posterior_prf(&p, &c, f2);
    assert_int_equal(iv_prf_draw(draws, &c, &f2, 1, 1000000, 0, &two, NULL), IV_OK);
    agree(draws, 1000000, &p);
    free(draws);
}

static void draws_do_not_depend_on_threads(void **state)
{
    const iv_prf_metric mcc = { IV_PRF_MCC, 0.0 };
    const iv_prf_cells c = { 3.5, 2.5, 1.5, 4.5 };
    static double one[20000], three[20000];

    (void)state;
    assert_int_equal(iv_prf_draw(one, &c, &mcc, 1, 20000, 7,
                     &(iv_work){ .threads = 1, .seed = 5 }, NULL),
                     IV_OK);
    assert_int_equal(iv_prf_draw(three, &c, &mcc, 1, 20000, 7,
                     &(iv_work){ .threads = 3, .seed = 5 }, NULL),
                     IV_OK);
    assert_memory_equal(one, three, sizeof one);
}

static void tiny_priors_draw_ends_not_nan(void **state)
{
    const iv_prf_metric m[2] = { { IV_PRF_PRECISION, 0.0 }, { IV_PRF_MCC, 0.0 } };
    const iv_prf_cells c = { 1e-3, 3e-3, 1e-3, 1e-3 };
    static double x[2 * 20000];
    double sum = 0.0;

    (void)state;
    assert_int_equal(iv_prf_draw(x, &c, m, 2, 20000, 0,
                     &(iv_work){ .threads = 1, .seed = 6 }, NULL),
                     IV_OK);
    for (size_t i = 0; i < 40000; i++)
        assert_true(isfinite(x[i]));
    for (size_t i = 0; i < 20000; i++)
        sum += x[i];
    assert_near(sum / 20000.0, 0.25, 4.5 * 0.0031);
}

static void summaries_of_draws_are_those_of_the_distribution(void **state)
{
    const double a = 20.5, b = 7.5, n = DRAWS;
    double *draws = malloc(DRAWS * sizeof *draws);
    iv_posterior p;

    (void)state;
    assert_non_null(draws);
    iv_posterior_beta(&p, a, b);
    const iv_limits h = iv_posterior_interval(&p, 0.95);
    for (int kind = 0; kind < 2; kind++) {
        iv_stream st = iv_stream_start(8, IV_FOR_CALLER, (uint64_t)kind);
        for (size_t i = 0; i < DRAWS; i++)
            draws[i] = iv_draw_beta(&st, a, b);
        const iv_interval s = iv_summarise_draws(draws, DRAWS, 0.95);
        const double sd = sqrt(a * b / (a + b + 1.0)) / (a + b);
        const double tail = sqrt(0.025 * 0.975 / n); /* over the density */
        assert_near(s.value, a / (a + b), 4.5 * sd / sqrt(n));
        assert_near(s.lower, h.lower, 4.5 * tail / exp(iv_posterior_log_density(&p, h.lower)));
        assert_near(s.upper, h.upper, 4.5 * tail / exp(iv_posterior_log_density(&p, h.upper)));
    }
    free(draws);
}

/* --------------------------------------------------------------- labels -- */

/* Items by cell: gold, a, b and how many. */
static int32_t *items_of(iv_prf_items *out, const int32_t (*cell)[4], size_t cells,
                         int32_t classes)
{
    size_t total = 0, at = 0;

    for (size_t c = 0; c < cells; c++)
        total += (size_t)cell[c][3];
    int32_t *labels = malloc(total * 3 * sizeof *labels);
    assert_non_null(labels);
    for (size_t c = 0; c < cells; c++) {
        for (int32_t k = 0; k < cell[c][3]; k++, at++)
            memcpy(labels + 3 * at, cell[c], 3 * sizeof *labels);
    }
    *out = (iv_prf_items){ total, 2, classes, labels };
    return labels;
}

static const int32_t binary[][4] = {
    { 1, 1, 1, 40 }, { 1, 1, 0, 12 }, { 1, 0, 1, 5 }, { 1, 0, 0, 7 },
    { 0, 1, 1, 6 },  { 0, 1, 0, 4 },  { 0, 0, 1, 9 }, { 0, 0, 0, 90 } };

static void labels_are_counted_cell_by_cell(void **state)
{
    iv_prf_items items;
    int32_t *labels = items_of(&items, binary, 8, 2);
    int64_t matrix[4];

    (void)state;
    iv_prf_confusion(matrix, &items, 0);
    const iv_prf_counts a = iv_prf_one_against_rest(matrix, 2, 1);
    assert_memory_equal(&a, &((iv_prf_counts){ 52, 10, 12, 99 }), sizeof a);
    const iv_paired_cells all = iv_prf_paired(&items, 0, 1, IV_PRF_ACCURACY, 0);
    assert_memory_equal(&all, &((iv_paired_cells){ 21, 9, 143 }), sizeof all);
    const iv_paired_cells recall = iv_prf_paired(&items, 0, 1, IV_PRF_RECALL, 1);
    assert_memory_equal(&recall, &((iv_paired_cells){ 12, 5, 47 }), sizeof recall);
    const iv_paired_cells rest = iv_prf_paired(&items, 0, 1, IV_PRF_SPECIFICITY, 1);
    assert_memory_equal(&rest, &((iv_paired_cells){ 9, 4, 96 }), sizeof rest);
    free(labels);
}

/* Draws of A, then of B, for one metric of one class. */
static double *pair_draws(const iv_prf_joint *j, iv_prf_metric m)
{
    double *draws = malloc(8 * DRAWS * sizeof *draws); /* of up to seven systems */

    assert_non_null(draws);
    assert_int_equal(iv_prf_joint_draw(draws, j, &m, 1, DRAWS, 0,
                     &(iv_work){ .threads = 2, .seed = 9 }, NULL),
                     IV_OK);
    return draws;
}

static double share_greater(const double *draws)
{
    size_t more = 0;

    for (size_t i = 0; i < DRAWS; i++)
        more += draws[i] > draws[DRAWS + i];
    return (double)more / DRAWS;
}

static void each_system_alone_has_its_own_posterior_in_the_joint_one(void **state)
{
    const iv_prf_metric f1 = { IV_PRF_F, 1.0 };
    const iv_prf_cells a = { 52.5, 10.5, 12.5, 99.5 }, b = { 45.5, 15.5, 19.5, 94.5 };
    iv_prf_items items;
    int32_t *labels = items_of(&items, binary, 8, 2);
    iv_arena own = { 0 };
    iv_prf_joint j;
    iv_posterior p;

    (void)state;
    assert_int_equal(iv_prf_joint_of(&j, &own, &items, 1, NULL, 0, (iv_prf_prior){ 0.5, 0.5 }, NULL),
                     IV_OK);
    double *draws = pair_draws(&j, f1);
    iv_posterior_prf(&p, &a, f1);
    agree(draws, DRAWS, &p);
    iv_posterior_prf(&p, &b, f1);
    agree(draws + DRAWS, DRAWS, &p);
    free(draws);
    iv_arena_free(&own);
    free(labels);
}

static void paired_recall_and_accuracy_draw_what_the_closed_forms_say(void **state)
{
    iv_prf_items items;
    int32_t *labels = items_of(&items, binary, 8, 2);
    iv_arena own = { 0 };
    iv_prf_joint j;

    (void)state;
    assert_int_equal(iv_prf_joint_of(&j, &own, &items, 1, NULL, 0, (iv_prf_prior){ 0.5, 0.5 }, NULL),
                     IV_OK);
    double *draws = pair_draws(&j, (iv_prf_metric){ IV_PRF_RECALL, 0.0 });
    double p = iv_paired_greater((iv_paired_cells){ 12.25, 5.25, 1.0 });
    assert_near(share_greater(draws), p, 4.5 * sqrt(p * (1.0 - p) / DRAWS));
    free(draws);
    draws = pair_draws(&j, (iv_prf_metric){ IV_PRF_ACCURACY, 0.0 });
    p = iv_paired_greater((iv_paired_cells){ 21.5, 9.5, 1.0 });
    assert_near(share_greater(draws), p, 4.5 * sqrt(p * (1.0 - p) / DRAWS));
    free(draws);
    iv_arena_free(&own);
    free(labels);
}

/* Seven copies of two systems: too many cells to list, so sticks are broken. */
static void sticks_give_the_same_posterior_as_listed_cells(void **state)
{
    iv_prf_items few;
    int32_t *labels = items_of(&few, binary, 8, 2);
    int32_t *wide = malloc(few.items * 8 * sizeof *wide);
    const iv_prf_metric f1 = { IV_PRF_F, 1.0 };
    const iv_prf_cells a = { 52.5, 10.5, 12.5, 99.5 };
    iv_arena own = { 0 };
    iv_prf_joint j;
    iv_posterior p;

    (void)state;
    assert_non_null(wide);
    for (size_t i = 0; i < few.items; i++) {
        for (size_t s = 0; s < 8; s++)
            wide[8 * i + s] = labels[3 * i + (s == 0 ? 0 : 1 + (s - 1) % 2)];
    }
    const iv_prf_items many = { few.items, 7, 2, wide };
    assert_int_equal(iv_prf_joint_of(&j, &own, &many, 1, NULL, 0, (iv_prf_prior){ 0.5, 0.5 }, NULL),
                     IV_OK);
    double *draws = pair_draws(&j, f1);
    iv_posterior_prf(&p, &a, f1);
    agree(draws, DRAWS, &p);
    iv_arena_free(&own);
    /* And P(A > B) as among the eight listed cells. */
    double *listed = NULL;
    assert_int_equal(iv_prf_joint_of(&j, &own, &few, 1, NULL, 0, (iv_prf_prior){ 0.5, 0.5 }, NULL),
                     IV_OK);
    listed = pair_draws(&j, f1);
    assert_near(share_greater(draws), share_greater(listed), 0.015);
    free(listed);
    free(draws);
    iv_arena_free(&own);
    free(wide);
    free(labels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_agree_with_exact_posteriors),
        cmocka_unit_test(f_beta_agrees_with_a_million_draws),
        cmocka_unit_test(draws_do_not_depend_on_threads),
        cmocka_unit_test(tiny_priors_draw_ends_not_nan),
        cmocka_unit_test(summaries_of_draws_are_those_of_the_distribution),
        cmocka_unit_test(labels_are_counted_cell_by_cell),
        cmocka_unit_test(each_system_alone_has_its_own_posterior_in_the_joint_one),
        cmocka_unit_test(paired_recall_and_accuracy_draw_what_the_closed_forms_say),
        cmocka_unit_test(sticks_give_the_same_posterior_as_listed_cells),
    };

    return cmocka_run_group_tests_name("prf_draws", tests, NULL, NULL);
}
