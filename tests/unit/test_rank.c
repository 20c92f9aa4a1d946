/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about likeness of rankings; the name of a test is the claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "num/draw.h"
#include "retrieval/run_overlap.h"
#include "stat/rank_agreement.h"
#include "near.h"
#include "base/bytes.h"

enum { LETTERS = 26 };

/* "a(bc)d": letters as items, the tied in parentheses. */
typedef struct written {
    uint32_t items[LETTERS];
    double scores[LETTERS];
    iv_ranked_items ranking;
} written;

static void parse(written *w, const char *text)
{
    size_t n = 0;
    double score = 0.0;
    bool inside = false;

    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '(' || *c == ')') {
            inside = *c == '(';
            score -= 1.0;
            continue;
        }
        w->items[n] = (uint32_t)(*c - 'a');
        w->scores[n++] = score;
        score -= inside ? 0.0 : 1.0;
    }
    w->ranking = (iv_ranked_items){ w->items, w->scores, n };
}

static iv_interval rbo(const char *a, const char *b, double p, iv_rbo_ties ties)
{
    written x, y;
    iv_interval out = { 0 };

    parse(&x, a);
    parse(&y, b);
    assert_int_equal(iv_rbo_of(&out, &x.ranking, &y.ranking, LETTERS, p, ties, NULL), IV_OK);
    return out;
}

/* Scores by item, which both lists have. */
static size_t scores_of(double *out, const char *text)
{
    written w;

    parse(&w, text);
    for (size_t i = 0; i < w.ranking.count; i++)
        out[w.items[i]] = w.scores[i];
    return w.ranking.count;
}

static void equal_to_definitions_and_the_authors_program(void **state)
{
    iv_bytes file;
    size_t seen = 0;
    char kind[16], ties[16], a[40], b[40];
    double p, want[3], x[LETTERS], y[LETTERS], tau = 0.0;
    iv_err err = { 0 };

    (void)state;
    if (iv_bytes_load(&file, TESTS_DIR "/oracle/rankings.tsv", NULL, &err) != IV_OK)
        fail_msg("%s", err.msg);
    for (const char *at = file.ptr; at < file.ptr + file.len; at = strchr(at, '\n') + 1) {
        if (sscanf(at, "%15s %15s %39s %39s %lf %lf %lf %lf", kind, ties, a, b, &p, &want[0],
                   &want[1], &want[2]) != 8)
            continue;
        seen++;
        if (strcmp(kind, "rbo") == 0) {
            iv_rbo_ties t = IV_RBO_AVERAGE;
            while (strcmp(iv_rbo_ties_names()[t], ties) != 0)
                t++;
            const iv_interval got = rbo(a, b, p, t), turned = rbo(b, a, p, t);
            assert_near(got.value, want[0], 1e-12);
            assert_near(got.lower, want[1], 1e-12);
            assert_near(got.upper, want[2], 1e-12);
            assert_near(turned.value, got.value, 1e-15);
            continue;
        }
        const size_t n = scores_of(x, a);
        assert_int_equal(scores_of(y, b), n);
        assert_int_equal((strcmp(kind, "tau_ap") == 0 ? iv_tau_ap : iv_tau_ap_b)(&tau, x, y, n,
                                                                                 NULL), IV_OK);
        assert_near(tau, want[0], 1e-14);
    }
    assert_true(seen > 120);
    iv_bytes_free(&file);
}

/* The worked example that comes with the program of Corsi and Urbano. */
static void the_published_example_of_ties_is_met(void **state)
{
    const char *a = "r(bg)yp", *b = "(br)w(ykq)g";
    const double want[3][3] = { { 0.6922853, 0.3310519, 0.8930692 },
                                { 0.7207131, 0.3509163, 0.9129336 },
                                { 0.7068257, 0.3429684, 0.9049857 } };

    (void)state;
    for (iv_rbo_ties t = IV_RBO_AVERAGE; t <= IV_RBO_EQUAL; t++) {
        const iv_interval got = rbo(a, b, 0.95, t);
        assert_near(got.value, want[t][0], 5e-8);
        assert_near(got.lower, want[t][1], 5e-8);
        assert_near(got.upper, want[t][2], 5e-8);
    }
}

/* Webber et al. (2010): of p = .9 the first ten ranks have 86 % of the weight. */
static void equal_lists_reach_the_weight_of_what_is_seen(void **state)
{
    const iv_interval got = rbo("abcdefghij", "abcdefghij", 0.9, IV_RBO_AVERAGE);

    (void)state;
    assert_near(got.lower, 0.8556, 5e-5);
    assert_near(got.value, 1.0, 1e-15);
    assert_near(got.upper, 1.0, 1e-15);
}

static void bad_questions_are_refused(void **state)
{
    written w;
    iv_interval out;
    double tau = 0.0;

    (void)state;
    parse(&w, "abc");
    const iv_ranked_items none = { w.items, NULL, 0 };
    assert_int_equal(iv_rbo_of(&out, &w.ranking, &w.ranking, LETTERS, 1.0, IV_RBO_AVERAGE, NULL),
                     IV_EARG);
    assert_int_equal(iv_rbo_of(&out, &w.ranking, &none, LETTERS, 0.9, IV_RBO_AVERAGE, NULL),
                     IV_EARG);
    assert_int_equal(iv_tau_ap(&tau, w.scores, w.scores, 1, NULL), IV_OK);
    assert_true(isnan(tau));
    const double flat[] = { 1.0, 1.0, 1.0 };
    assert_int_equal(iv_tau_ap_b(&tau, w.scores, flat, 3, NULL), IV_OK);
    assert_true(isnan(tau));
}

static iv_run *run_of(const char *text)
{
    iv_run *run = NULL;

    assert_int_equal(iv_run_parse(&run, "run", text, strlen(text), IV_RUN_TREC, NULL, NULL),
                     IV_OK);
    return run;
}

/* Of the first three a and c are in both, b and e in one; c keeps its rank.  The union is
 * a b c d e: (5 4 3 2 0) and (4 0 3 1.5 5), say. */
static void runs_are_compared_on_a_topic(void **state)
{
    iv_run *a = run_of("7 Q0 a 1 9 x\n7 Q0 b 2 8 x\n7 Q0 c 3 7 x\n7 Q0 d 4 6 x\n");
    iv_run *b = run_of("7 Q0 e 1 9 y\n7 Q0 a 2 8 y\n7 Q0 c 3 7 y\n7 Q0 d 4 6 y\n");
    const double x[] = { 5.0, 4.0, 3.0, 2.0, 0.0 }, y[] = { 4.0, 0.0, 3.0, 1.5, 5.0 };
    iv_overlapping got;
    double tau = 0.0;

    (void)state;
    assert_int_equal(iv_run_overlap(&got, a, 0, b, 0, &(iv_overlap_options){ .top = 3 }, NULL, NULL),
                     IV_OK);
    assert_near(got.overlap, 2.0 / 3.0, 1e-15);
    assert_near(got.jaccard, 0.5, 1e-15);
    assert_int_equal(got.both, 2);
    assert_int_equal(got.only_a, 1);
    assert_int_equal(got.only_b, 1);
    assert_int_equal(got.moved, 3);
    assert_near(got.tau, -0.2, 1e-15); /* 4 pairs agree, 6 do not */
    assert_int_equal(iv_tau_ap_b(&tau, x, y, 5, NULL), IV_OK);
    assert_near(got.tau_ap, tau, 1e-15);
    assert_near(got.rbo.value, rbo("abcd", "eacd", 0.9, IV_RBO_AVERAGE).value, 1e-15);
    iv_run_free(a);
    iv_run_free(b);
}

/* Scores of systems that are `apart`, on topics with errors of sd 0.2 that a and b share in
 * part; b's systems err by `bias` for good. */
enum { SYSTEMS = 12, TOPICS = 30 };
static void make_scores(double *a, double *b, double apart, double bias, uint32_t number)
{
    iv_stream s = iv_stream_start(3, 1, number);

    for (size_t i = 0; i < SYSTEMS; i++) {
        const double mean = apart * (double)i, wrong = bias * iv_draw_normal(&s);
        for (size_t t = 0; t < TOPICS; t++) {
            const double shared = 0.2 * iv_draw_normal(&s);
            a[i * TOPICS + t] = mean + shared;
            b[i * TOPICS + t] = mean + wrong + shared + 0.1 * iv_draw_normal(&s);
        }
    }
}

/* Whatever the units; rankings that are the same have a tau of 1. */
static void rankings_have_no_unit(void **state)
{
    double a[SYSTEMS * TOPICS], b[SYSTEMS * TOPICS];
    iv_orders one, other;

    (void)state;
    make_scores(a, b, 0.02, 0.0, 7);
    assert_int_equal(iv_orders_agree(&one, a, b, SYSTEMS, TOPICS, 0.0, NULL), IV_OK);
    for (size_t i = 0; i < SYSTEMS * TOPICS; i++)
        b[i] *= 1048576.0;
    assert_int_equal(iv_orders_agree(&other, a, b, SYSTEMS, TOPICS, 0.0, NULL), IV_OK);
    assert_true(one.tau == other.tau && one.rbo == other.rbo && one.tau < 1.0);
    assert_int_equal(iv_orders_agree(&one, a, a, SYSTEMS, TOPICS, 0.0, NULL), IV_OK);
    assert_true(one.tau == 1.0 && one.tau_ap == 1.0);
    a[0] = NAN;
    assert_int_equal(iv_orders_agree(&one, a, b, SYSTEMS, TOPICS, 0.0, NULL), IV_EARG);
    assert_int_equal(iv_orders_agree(&one, b, b, 1, TOPICS, 0.0, NULL), IV_EARG);
}

/* The ratios that scipy's t test of y - r x does not reject, and the t interval of the
 * linearised difference of ratios, by numpy; its derivatives also by differences. */
static void a_reproduction_is_measured(void **state)
{
    const double b[] = { .2, .4, .1, .5, .3, .6 }, a[] = { .5, .6, .3, .6, .7, .9 };
    const double b2[] = { .3, .3, .1, .6, .3, .5 }, a2[] = { .4, .5, .2, .8, .4, .7 };
    iv_interval rmse, ratio, change;

    (void)state;
    iv_reproduced_effect(&ratio, &change, b, a, b2, a2, 6, 0.0);
    assert_near(ratio.value, 0.6000000000000001, 1e-12);
    assert_near(ratio.lower, 0.28557455519658514, 1e-10);
    assert_near(ratio.upper, 1.3340945396142898, 1e-10);
    assert_near(change.value, 0.2857142857142858, 1e-12);
    assert_near(change.lower, -0.2560990824208289, 1e-10);
    assert_near(change.upper, 0.8275276538494005, 1e-10);
    iv_reproduced_effect(&ratio, &change, b, b, b2, a2, 6, 0.0);
    assert_true(isnan(ratio.lower) && isnan(ratio.value));
    assert_int_equal(iv_reproduced_rmse(&rmse, a, a2, 6, 0.0, NULL), IV_OK);
    assert_near(rmse.value, 0.18257418583505536, 1e-15);
    assert_true(rmse.lower < rmse.value && rmse.value < rmse.upper);
    assert_int_equal(iv_reproduced_rmse(&rmse, a, a, 6, 0.0, NULL), IV_OK);
    assert_true(rmse.value == 0.0 && isnan(rmse.lower)); /* nothing is known of how others differ */
}

/* Six tenths added up in two orders: the sums differ in the last digit. */
static void systems_of_one_mean_are_tied_whatever_the_order_of_adding(void **state)
{
    enum { S = 3, T = 6 };
    const double a[S * T] = { .1, .2, .3, 0, 0, 0,  .3, .2, .1, 0, 0, 0,  0, 0, 0, 0, 0, .1 };
    const double b[S * T] = { .1, .1, .1, .1, .1, .1,  .1, .1, .1, .1, .1, .0,  .9, 0, 0, 0, 0, 0 };
    double sum[2] = { 0.0 };
    iv_orders got;
    iv_interval ratio, change;

    (void)state;
    for (size_t t = 0; t < T; t++) {
        sum[0] += a[t];
        sum[1] += a[T + t];
    }
    assert_true(sum[0] != sum[1]); /* else nothing is tried */
    assert_int_equal(iv_orders_agree(&got, a, b, S, T, 0.0, NULL), IV_OK);
    /* Of three pairs two are turned, one is tied in a: -2 / sqrt(2 * 3). */
    assert_near(got.tau, -2.0 / sqrt(6.0), 1e-15);
    iv_reproduced_effect(&ratio, &change, a, a + T, b, b + T, T, 0.0);
    assert_true(isnan(ratio.value) && isnan(ratio.lower));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_to_definitions_and_the_authors_program),
        cmocka_unit_test(the_published_example_of_ties_is_met),
        cmocka_unit_test(equal_lists_reach_the_weight_of_what_is_seen),
        cmocka_unit_test(bad_questions_are_refused),
        cmocka_unit_test(runs_are_compared_on_a_topic),
        cmocka_unit_test(rankings_have_no_unit),
        cmocka_unit_test(a_reproduction_is_measured),
        cmocka_unit_test(systems_of_one_mean_are_tied_whatever_the_order_of_adding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
