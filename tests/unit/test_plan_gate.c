/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about plans of gates; the name of a test is the claim. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "intervale/result.h"
#include "intervale/scores.h"
#include "num/draw.h"
#include "result/result_build.h"
#include "stat/paired/pair_p.h"

/* The probability of one outcome of n pairs. */
static double chance(int n, int won, int lost, double wins, double losses)
{
    return exp(lgamma(n + 1.0) - lgamma(won + 1.0) - lgamma(lost + 1.0) - lgamma(n - won - lost + 1.0)
               + won * log(wins) + lost * log(losses) + (n - won - lost) * log(1.0 - wins - losses));
}

/* The test of the gate itself on all outcomes, one by one. */
static void the_power_of_the_exact_test_is_the_sum_over_outcomes_that_it_rejects(void **state)
{
    (void)state;
    static const struct { int n; double margin, wins, losses; } cases[] = {
        { 20, 0.2, 0.1, 0.1 }, { 35, 0.15, 0.1, 0.1 }, { 35, 0.1, 0.05, 0.12 } };

    for (size_t i = 0; i < 3; i++) {
        const int n = cases[i].n;
        double sum = 0.0, got = 0.0;
        for (int b = 0; b <= n; b++)
            for (int c = 0; b + c <= n; c++) {
                const iv_share_counts s = { b, c, n, INFINITY, 1.0 };
                if (iv_shares_beyond(&s, -cases[i].margin, IV_GREATER) < 0.05)
                    sum += chance(n, b, c, cases[i].wins, cases[i].losses);
            }
        assert_int_equal(iv_shares_power(&got, n, -cases[i].margin,
                                         iv_shares_critical(n, -cases[i].margin, 0.05),
                                         cases[i].wins - cases[i].losses,
                                         cases[i].wins + cases[i].losses, NULL), IV_OK);
        if (!(fabs(sum - got) < 1e-9))
            fail_msg("%d items: %.9f, expected %.9f", n, got, sum);
    }
    /* One item, won, is too few to reject: it may be won with probability (1 - 0.05) / 2. */
    double one = 1.0;
    assert_int_equal(iv_shares_power(&one, 1, -0.05, iv_shares_critical(1, -0.05, 0.05), 0.0, 1.0,
                                     NULL), IV_OK);
    assert_true(one == 0.0);
}

static const iv_table *items_of(const iv_result *r)
{
    for (size_t i = 0; i < iv_result_tables(r); i++)
        if (strcmp(iv_table_name(iv_result_table_at(r, i)), "items") == 0)
            return iv_result_table_at(r, i);
    fail_msg("no table items");
    return NULL;
}

typedef struct planned {
    size_t items;
    double passes, finds;
} planned;

/* The first row of the table items that passes with probability 0.8 or more. */
static planned plan_of(const iv_plan_gate_question *q)
{
    iv_result *r = NULL;
    iv_err err = { .code = IV_OK };
    planned out = { 0, 0.0, 0.0 };

    assert_int_equal(iv_result_new(&r, "plan gate", NULL), IV_OK);
    if (iv_answer_plan_gate(r, q, NULL, &err) != IV_OK)
        fail_msg("%s", err.msg);
    const iv_table *t = items_of(r);
    for (size_t k = 0; k < iv_table_rows(t) && out.items == 0; k++) {
        out.passes = iv_table_cell(t, k, iv_table_find(t, "passes")).real;
        out.finds = iv_table_cell(t, k, iv_table_find(t, "finds")).real;
        if (out.passes >= 0.8)
            out.items = (size_t)iv_table_cell(t, k, iv_table_find(t, "items")).integer;
    }
    iv_result_free(r);
    assert_true(out.items > 0);
    return out;
}

typedef struct data {
    double rate, sd, correlation, loss; /* rate 0: normal scores */
} data;

/* How often the gate itself passes, and fails, with n items. */
static void play(double *passes, double *fails, const data *d, size_t n, double margin)
{
    enum { ROUNDS = 400, MOST = 2000 };
    static double x[2 * MOST];
    const size_t baseline = 1;
    const iv_compare_options o = {
        .baselines = &baseline, .baseline_count = 1, .margin = margin, .resamples = 1,
        .interval = IV_INTERVAL_NONE, .means = IV_INTERVAL_NONE };
    const iv_work work = { .threads = 1 };

    assert_true(n <= MOST);
    *passes = *fails = 0.0;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        iv_stream s = iv_stream_start(7, IV_FOR_STUDY, round);
        iv_comparison *c = NULL;
        const iv_compared_pair *p;
        for (size_t i = 0; i < n; i++) {
            const double u = iv_draw_normal(&s), v = iv_draw_normal(&s), r = d->correlation;
            x[n + i] = d->rate > 0.0 ? iv_draw_uniform(&s) < d->rate : d->sd * u;
            /* 0/1: kept with probability r, else drawn anew; then some are lost. */
            x[i] = d->rate == 0.0 ? d->sd * (r * u + sqrt(1.0 - r * r) * v) - d->loss
                : iv_draw_uniform(&s) < r ? x[n + i] : iv_draw_uniform(&s) < d->rate;
            if (d->rate > 0.0 && x[i] == 1.0 && iv_draw_uniform(&s) < d->loss / d->rate)
                x[i] = 0.0;
        }
        assert_int_equal(iv_compare(&c, x, 2, n, &o, &work, NULL), IV_OK);
        (void)iv_comparison_pairs(&p, c);
        *passes += (p->p_noninferior < 0.05) / (double)ROUNDS;
        *fails += (p->p_inferior < 0.05) / (double)ROUNDS;
        iv_comparison_free(c);
    }
}

/* The second source: the gate on simulated scores. */
static void a_gate_passes_and_finds_the_loss_as_often_as_was_planned(void **state)
{
    (void)state;
    enum { CASES = 3 };
    static const iv_plan_gate_question q[CASES] = {
        { .sd = 0.25, .correlation = 0.6, .margin = 0.04 },
        { .sd = 2.0, .correlation = 0.9, .margin = 0.5 },
        { .rate = 0.8, .correlation = 0.8, .margin = 0.1 } };

    for (size_t i = 0; i < CASES; i++) {
        const planned p = plan_of(&q[i]);
        data d = { q[i].rate, q[i].sd, q[i].correlation, 0.0 };
        double passes, fails, unused;
        play(&passes, &unused, &d, p.items, q[i].margin);
        d.loss = p.finds;
        play(&unused, &fails, &d, p.items, q[i].margin);
        /* 0.8 with a standard error of 0.02; beside a loss of 0/1 scores fewer items differ. */
        if (!(fabs(passes - p.passes) < 0.07) || !(fabs(fails - 0.8) < 0.08))
            fail_msg("plan %zu: %zu items pass in %.3f, expected %.3f; fail in %.3f", i, p.items,
                     passes, p.passes, fails);
    }
}

static void refused(const iv_plan_gate_question *q, int code, const char *why)
{
    iv_result *r = NULL;
    iv_err err = { .code = IV_OK };

    assert_int_equal(iv_result_new(&r, "plan gate", NULL), IV_OK);
    assert_int_equal(iv_answer_plan_gate(r, q, NULL, &err), code);
    assert_non_null(strstr(err.msg, why));
    iv_result_free(r);
}

static void more_candidates_clusters_and_repeats_need_more_items(void **state)
{
    (void)state;
    iv_plan_gate_question q = { .sd = 0.2, .correlation = 0.5, .margin = 0.05 };
    const size_t alone = plan_of(&q).items;

    q.candidates = 3;
    assert_true(plan_of(&q).items > alone);
    q.candidates = 0;
    q.cluster_size = 5.0;
    q.icc = 0.25; /* a design effect of 2 */
    assert_true(llabs((long long)plan_of(&q).items - 2 * (long long)alone) <= 4);
    q.cluster_size = q.icc = 0.0;
    q.repeats = 2;
    q.repeat_sd = 0.01;
    assert_true(plan_of(&q).items > alone);
    q.margin = 0.0;
    refused(&q, IV_EARG, "--margin is needed");
    q.margin = 0.05;
    q.loss = 0.04;
    refused(&q, IV_EARG, "expected more than the margin");
    refused(&(iv_plan_gate_question){ .margin = 0.1 }, IV_EARG, "--rate or --sd");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_power_of_the_exact_test_is_the_sum_over_outcomes_that_it_rejects),
        cmocka_unit_test(a_gate_passes_and_finds_the_loss_as_often_as_was_planned),
        cmocka_unit_test(more_candidates_clusters_and_repeats_need_more_items),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
