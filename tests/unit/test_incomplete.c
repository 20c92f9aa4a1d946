/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims about average precision under incomplete judgments; the name of a test
 * is the claim.  Everything is compared with all 2^m relevance assignments.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "near.h"
#include "num/draw.h"
#include "stat/incomplete/ap_belief.h"
#include "stat/incomplete/ap_moments.h"
#include "stat/incomplete/rank_relevance.h"
#include "stat/pair_tests.h"

enum { MOST = 64 };

typedef struct example {
    size_t m;
    uint32_t a[MOST], b[MOST];
    double p[MOST];
} example;

/* 1 / max(rank(i), rank(j)); 0 if one is not returned. */
static double shared_inverse(const uint32_t *r, size_t i, size_t j)
{
    return r[i] == 0 || r[j] == 0 ? 0.0 : 1.0 / (r[i] > r[j] ? r[i] : r[j]);
}

static double coefficient(const example *x, size_t i, size_t j)
{
    return shared_inverse(x->a, i, j) - shared_inverse(x->b, i, j);
}

/* All moments over relevance assignments, and the extremes of dAP. */
typedef struct truth {
    double mean, square, q, qq, s, ss, qs, lowest, highest;
} truth;

static truth enumerate(const example *x)
{
    truth t = { 0, 0, 0, 0, 0, 0, 0, 1.0, -1.0 };

    for (uint32_t set = 0; set < 1u << x->m; set++) {
        double chance = 1.0, q = 0.0, s = 0.0;
        for (size_t i = 0; i < x->m; i++)
            chance *= set >> i & 1 ? x->p[i] : 1.0 - x->p[i];
        if (chance == 0.0)
            continue;
        for (size_t i = 0; i < x->m; i++) {
            for (size_t j = i; j < x->m && (set >> i & 1); j++)
                q += set >> j & 1 ? coefficient(x, i, j) : 0.0;
            s += set >> i & 1;
        }
        const double d = s > 0.0 ? q / s : 0.0;
        t.mean += chance * d;
        t.square += chance * d * d;
        t.q += chance * q;
        t.qq += chance * q * q;
        t.s += chance * s;
        t.ss += chance * s * s;
        t.qs += chance * q * s;
        t.lowest = fmin(t.lowest, d);
        t.highest = fmax(t.highest, d);
    }
    return t;
}

/* Two random rankings of m documents, some not returned; kind tells of p. */
static example draw_example(uint64_t number, size_t m, int kind)
{
    static const double values[] = { 0.0, 0.1, 0.3, 0.5, 0.8, 1.0, 0.02 };
    iv_stream s = iv_stream_start(7, IV_FOR_CALLER, number);
    size_t order[MOST];
    example x = { .m = m };

    for (int side = 0; side < 2; side++) {
        uint32_t *rank = side == 0 ? x.a : x.b;
        const size_t cut = side == 0 || kind == 0 ? m : 1 + (size_t)iv_draw_below(&s, m);
        assert_true(iv_draw_sequence(&s, order, m, m));
        for (size_t k = 0; k < cut; k++)
            rank[order[k]] = (uint32_t)k + 1;
    }
    for (size_t i = 0; i < m; i++)
        x.p[i] = kind == 0 ? 0.5 : kind == 1 ? values[iv_draw_below(&s, 7)]
                 : iv_draw_uniform_open(&s);
    return x;
}

/* Of a less b, before anything more is judged. */
static int difference(iv_moments *out, const uint32_t *a, const uint32_t *b, const double *p,
                      size_t m, iv_moments_form form, iv_err *err)
{
    const uint32_t *const ranks[] = { a, b };
    iv_ap_belief *belief = NULL;
    const int rc = iv_ap_belief_new(&belief, ranks, 2, p, m, false, err);

    if (rc == IV_OK)
        *out = iv_ap_belief_moments(belief, 0, form);
    iv_ap_belief_free(belief);
    return rc;
}

static iv_moments moments(const example *x, iv_moments_form form)
{
    iv_moments out;
    iv_err err = { 0 };

    if (difference(&out, x->a, x->b, x->p, x->m, form, &err) != IV_OK)
        fail_msg("%s", err.msg);
    return out;
}

static void moments_are_those_of_all_assignments(void **state)
{
    (void)state;
    for (size_t m = 1; m <= 14; m++) {
        for (uint64_t k = 0; k < (m < 11 ? 12 : 3); k++) {
            const example x = draw_example(100 * m + k, m, (int)(k % 3));
            const truth t = enumerate(&x);
            const iv_moments plain = moments(&x, IV_MOMENTS_PLAIN);
            const iv_moments delta = moments(&x, IV_MOMENTS_DELTA);
            if (t.s == 0.0) {
                assert_near(plain.mean, 0.0, 0.0);
                assert_near(delta.variance, 0.0, 0.0);
                continue;
            }
            const double rho = t.q / t.s, var_s = t.ss - t.s * t.s, mu2 = t.s * t.s;
            const double var_q = t.qq - t.q * t.q, cov = t.qs - t.q * t.s;
            assert_near(plain.mean, rho, 1e-12);
            assert_near(plain.variance, var_q / mu2, 1e-12);
            assert_near(delta.mean, rho - cov / mu2 + rho * var_s / mu2, 1e-12);
            assert_near(delta.variance, (var_q - 2 * rho * cov + rho * rho * var_s) / mu2,
                        1e-12);
        }
    }
}

static size_t read_numbers(double *out, const char *text)
{
    size_t n = 0;

    while (*text != '\0' && *text != '\t' && *text != '\n') {
        char *end;
        assert_true(n < MOST);
        out[n++] = strtod(text, &end);
        text = end + (*end == ',');
    }
    return n;
}

static void reference_values_are_met(void **state)
{
    FILE *f = fopen(TESTS_DIR "/oracle/incomplete.tsv", "r");
    char line[4096];
    size_t seen = 0;

    (void)state;
    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        char *cell[7] = { line };
        double a[MOST], b[MOST], want[2], tolerance;
        example x = { 0 };
        if (line[0] == '#')
            continue;
        for (int k = 1; k < 7; k++) {
            cell[k] = strchr(cell[k - 1], '\t');
            assert_non_null(cell[k]);
            *cell[k]++ = '\0';
        }
        x.m = read_numbers(a, cell[1]);
        assert_int_equal(read_numbers(b, cell[2]), x.m);
        assert_int_equal(read_numbers(x.p, cell[3]), x.m);
        for (size_t i = 0; i < x.m; i++) {
            x.a[i] = (uint32_t)a[i];
            x.b[i] = (uint32_t)b[i];
        }
        (void)read_numbers(&want[0], cell[4]);
        (void)read_numbers(&want[1], cell[5]);
        (void)read_numbers(&tolerance, cell[6]);
        const iv_moments got = moments(&x, cell[0][0] == 'p' ? IV_MOMENTS_PLAIN
                                                           : IV_MOMENTS_DELTA);
        assert_near(got.mean, want[0], tolerance);
        assert_near(got.variance, want[1], tolerance);
        seen++;
    }
    (void)fclose(f);
    assert_int_equal(seen, 13);
}

/* Beyond enumeration: sums over all pairs, written down as they are defined. */
static void large_pools_agree_with_sums_over_all_pairs(void **state)
{
    enum { M = 400 };
    static uint32_t a[M], b[M];
    static double p[M];
    size_t order[M];
    iv_stream s = iv_stream_start(3, IV_FOR_CALLER, 1);
    double mu = 0.0, q = 0.0, var = 0.0;
    iv_moments got;

    (void)state;
    for (int side = 0; side < 2; side++) {
        assert_true(iv_draw_sequence(&s, order, M, M));
        for (size_t k = 0; k < 300; k++)
            (side == 0 ? a : b)[order[k]] = (uint32_t)k + 1;
    }
    for (size_t i = 0; i < M; i++)
        mu += p[i] = iv_draw_uniform(&s) < 0.2 ? (double)(i % 2) : iv_draw_uniform(&s);
    for (size_t i = 0; i < M; i++) {
        double l = 0.0;
        for (size_t j = 0; j < M; j++) {
            const double c = shared_inverse(a, i, j) - shared_inverse(b, i, j);
            l += j == i ? c : c * p[j];
            if (j > i)
                var += c * c * p[i] * (1 - p[i]) * p[j] * (1 - p[j]);
            if (j >= i)
                q += j == i ? c * p[i] : c * p[i] * p[j];
        }
        var += p[i] * (1 - p[i]) * l * l;
    }
    assert_int_equal(difference(&got, a, b, p, M, IV_MOMENTS_PLAIN, NULL), IV_OK);
    assert_near(got.mean, q / mu, 1e-13);
    assert_near(got.variance, var / (mu * mu), 1e-13);
}

static void limits_hold_whatever_documents_turn_out_to_be(void **state)
{
    size_t decided = 0, attained = 0, cases = 0;

    (void)state;
    for (size_t m = 1; m <= 11; m++) {
        for (uint64_t k = 0; k < 30; k++) {
            example x = draw_example(5000 + 100 * m + k, m, (int)(k % 3));
            double lower, upper;
            for (size_t i = 0; i < m && k % 2 == 0; i++) /* most are judged */
                x.p[i] = i % 4 == 3 ? 0.5 : x.p[i] < 0.5 ? 0.0 : 1.0;
            const truth t = enumerate(&x);
            assert_int_equal(iv_ap_difference_limits(&lower, &upper, x.a, x.b, x.p, m, NULL),
                             IV_OK);
            assert_true(lower <= t.lowest + 1e-12);
            assert_true(upper >= t.highest - 1e-12);
            cases++;
            attained += upper <= t.highest + 1e-12 && lower >= t.lowest - 1e-12;
            decided += lower > 1e-12 || upper < -1e-12;
        }
    }
    /* They are of use: often attained, and often enough to know the sign. */
    assert_true(attained * 4 > cases);
    assert_true(decided * 10 > cases);
}

/* M_i of incomplete_limits.c from its definition, on pools too large to list. */
static double limit_by_definition(const example *x)
{
    double gain[MOST], base = 0.0, best, sum;
    size_t open = 0, known = 0;

    for (size_t i = 0; i < x->m; i++) {
        double g = coefficient(x, i, i), positive = 0.0, inside = 0.0;
        for (size_t j = 0; j < x->m; j++) {
            const double c = j == i ? 0.0 : coefficient(x, i, j);
            inside += x->p[j] == 1.0 ? c : 0.0;
            positive += x->p[j] > 0.0 && x->p[j] < 1.0 ? fmax(0.0, c) : 0.0;
        }
        if (x->p[i] == 1.0) {
            base += g + 0.5 * inside;
            known++;
        } else if (x->p[i] > 0.0) {
            gain[open++] = g + inside + 0.5 * positive;
        }
    }
    best = known > 0 ? base / (double)known : 0.0;
    sum = base;
    for (size_t k = 0; k < open; k++) {
        for (size_t j = k + 1; j < open; j++) { /* the largest left comes next */
            const double swap = gain[k];
            if (gain[j] > gain[k]) {
                gain[k] = gain[j];
                gain[j] = swap;
            }
        }
        sum += gain[k];
        best = fmax(best, sum / (double)(known + k + 1));
    }
    return fmin(best, 1.0);
}

static void limits_are_those_of_their_definition(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 60; k++) {
        const example x = draw_example(9000 + k, 20 + (size_t)(k % 40), (int)(k % 3));
        example mirrored = x;
        double lower, upper;
        memcpy(mirrored.a, x.b, sizeof x.b);
        memcpy(mirrored.b, x.a, sizeof x.a);
        assert_int_equal(iv_ap_difference_limits(&lower, &upper, x.a, x.b, x.p, x.m, NULL),
                         IV_OK);
        assert_near(upper, limit_by_definition(&x), 1e-12);
        assert_near(lower, -limit_by_definition(&mirrored), 1e-12);
    }
}

/* The pair's own documents of three systems, and relevant ones elsewhere: what a belief of the two
 * alone says. */
static iv_moments alone(const uint32_t *a, const uint32_t *b, const double *p, size_t m,
                        bool union_only)
{
    uint32_t ranks[2][12];
    double kept[12];
    size_t n = 0;
    iv_ap_belief *two = NULL;

    for (size_t i = 0; i < m; i++) {
        if (a[i] == 0 && b[i] == 0 && (p[i] < 1.0 || union_only))
            continue;
        ranks[0][n] = a[i];
        ranks[1][n] = b[i];
        kept[n++] = p[i];
    }
    assert_int_equal(iv_ap_belief_new(&two, (const uint32_t *const[]){ ranks[0], ranks[1] }, 2,
                                      kept, n, false, NULL), IV_OK);
    const iv_moments x = iv_ap_belief_moments(two, 0, IV_MOMENTS_PLAIN);
    iv_ap_belief_free(two);
    return x;
}

/* How far document i, if one of the two ranks it, moves them among all documents. */
static double moved_alone(const uint32_t *a, const uint32_t *b, const double *p, size_t m, size_t i)
{
    iv_ap_belief *two = NULL;

    assert_int_equal(iv_ap_belief_new(&two, (const uint32_t *const[]){ a, b }, 2, p, m, false,
                                      NULL), IV_OK);
    const double moves = a[i] == 0 && b[i] == 0 ? 0.0 : iv_ap_belief_movement(two, NULL, i);
    iv_ap_belief_free(two);
    return moves;
}

static void a_restricted_pair_is_that_of_its_systems_alone(void **state)
{
    enum { M = 12 };
    static const uint32_t ranks[3][M] = { { 1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 0 },
                                          { 0, 3, 1, 0, 2, 4, 5, 0, 0, 0, 0, 0 },
                                          { 5, 0, 0, 4, 0, 3, 0, 2, 1, 6, 0, 0 } };
    static const uint32_t *const all[] = { ranks[0], ranks[1], ranks[2] };
    static const size_t order[] = { 7, 1, 5, 9, 0, 8, 6, 3, 2, 4 };
    const bool one[3][3] = { { true, false, false }, { false, true, false },
                             { false, false, true } };

    (void)state;
    for (int union_only = 0; union_only < 2; union_only++) {
        double p[M] = { 0.5, 0.4, 0.3, 0.5, 0.2, 0.6, 0.5, 0.3, 0.5, 0.4, 1.0, 1.0 };
        const size_t m = M - (size_t)union_only * 2;
        iv_ap_belief *b = NULL, *quick = NULL; /* the other one has no pairs */
        assert_int_equal(iv_ap_belief_new(&b, all, 3, p, m, false, NULL), IV_OK);
        assert_int_equal(iv_ap_belief_new(&quick, all, 3, p, m, true, NULL), IV_OK);
        iv_ap_belief_restrict(b, union_only == 1);
        iv_ap_belief_restrict(quick, union_only == 1);
        for (size_t k = 0; k <= 10; k++) {
            const size_t at = order[k < 10 ? k : 9];
            double sum = 0.0, most;
            for (size_t x = 0; x < 3; x++) {
                const uint32_t *of[] = { ranks[x == 2], ranks[x == 0 ? 1 : 2] };
                const iv_moments want = alone(of[0], of[1], p, m, union_only == 1);
                const iv_moments got = iv_ap_belief_moments(b, x, IV_MOMENTS_PLAIN);
                const double moves = moved_alone(of[0], of[1], p, m, at);
                assert_near(got.mean, want.mean, 1e-13);
                assert_near(got.variance, want.variance, 1e-13);
                assert_near(iv_ap_belief_movement(b, one[x], at), moves, 1e-13);
                sum += moves;
                if (iv_ap_belief_next(&most, b, one[x], NULL) != SIZE_MAX)
                    assert_true(most >= moves * (1.0 - 1e-9));
            }
            assert_near(iv_ap_belief_movement(b, NULL, at), sum, 1e-13);
            assert_near(iv_ap_belief_movement(quick, NULL, at), sum, 1e-13);
            if (k < 10) {
                p[order[k]] = k % 3 == 0;
                iv_ap_belief_judge(b, order[k], k % 3 == 0);
                iv_ap_belief_judge(quick, order[k], k % 3 == 0);
            }
        }
        iv_ap_belief_free(b);
        iv_ap_belief_free(quick);
    }
}

static iv_ap_belief *belief_of(const example *x)
{
    const uint32_t *ranks[] = { x->a, x->b };
    iv_ap_belief *b = NULL;

    assert_int_equal(iv_ap_belief_new(&b, ranks, 2, x->p, x->m, false, NULL), IV_OK);
    return b;
}

static void a_belief_updated_is_a_belief_made_anew(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 20; k++) {
        example x = draw_example(300 + k, 3 * (size_t)k + 3, (int)(k % 3));
        iv_ap_belief *b = belief_of(&x);
        iv_stream s = iv_stream_start(11, IV_FOR_CALLER, k);
        for (size_t step = 0; step <= x.m; step++) {
            for (int form = IV_MOMENTS_DELTA; form <= IV_MOMENTS_PLAIN; form++) {
                const iv_moments want = moments(&x, (iv_moments_form)form);
                const iv_moments got = iv_ap_belief_moments(b, 0, (iv_moments_form)form);
                assert_near(got.mean, want.mean, 1e-12);
                assert_near(got.variance, want.variance, 1e-12);
            }
            const size_t i = (size_t)iv_draw_below(&s, x.m);
            x.p[i] = (double)iv_draw_below(&s, 2);
            iv_ap_belief_judge(b, i, x.p[i] == 1.0);
            assert_true(iv_ap_belief_relevance(b, i) == x.p[i]);
        }
        iv_ap_belief_free(b);
    }
}

static void the_next_document_moves_the_expectation_most(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 30; k++) {
        example x = draw_example(700 + k, 2 + (size_t)(k % 20), (int)(k % 3));
        iv_ap_belief *b = belief_of(&x);
        double most = 0.0, told;
        for (size_t i = 0; i < x.m; i++) {
            const double p = x.p[i];
            x.p[i] = 1.0;
            const double with = moments(&x, IV_MOMENTS_PLAIN).mean;
            x.p[i] = 0.0;
            const double without = moments(&x, IV_MOMENTS_PLAIN).mean;
            x.p[i] = p;
            const double moves = 2.0 * p * (1.0 - p) * fabs(with - without);
            assert_near(iv_ap_belief_movement(b, NULL, i), moves, 1e-12);
            most = fmax(most, moves);
        }
        const size_t next = iv_ap_belief_next(&told, b, NULL, NULL);
        assert_near(told, most, 1e-12);
        if (next == SIZE_MAX)
            assert_true(most < 1e-12);
        else
            assert_near(iv_ap_belief_movement(b, NULL, next), most, 1e-12);
        iv_ap_belief_free(b);
    }
}

static void of_equal_documents_the_better_ranked_is_next(void **state)
{
    /* b is a upside down: the first and the last document move it equally. */
    const uint32_t a[] = { 4, 3, 2, 1 }, b[] = { 1, 2, 3, 4 };
    const uint32_t *ranks[] = { a, b }, *same[] = { a, a };
    const double p[] = { 0.5, 0.5, 0.5, 0.5 };
    const bool wanted[] = { false }, open[] = { false, true, true, false };
    iv_ap_belief *x = NULL;

    (void)state;
    assert_int_equal(iv_ap_belief_new(&x, ranks, 2, p, 4, false, NULL), IV_OK);
    assert_int_equal(iv_ap_belief_next(NULL, x, NULL, NULL), 0);
    assert_int_equal(iv_ap_belief_next(NULL, x, NULL, open), 1);
    assert_true(iv_ap_belief_next(NULL, x, wanted, NULL) == SIZE_MAX);
    iv_ap_belief_free(x);
    assert_int_equal(iv_ap_belief_new(&x, same, 2, p, 4, false, NULL), IV_OK);
    assert_true(iv_ap_belief_next(NULL, x, NULL, NULL) == SIZE_MAX);
    assert_near(iv_sign_confidence(iv_ap_belief_moments(x, 0, IV_MOMENTS_DELTA)), 0.5, 0.0);
    iv_ap_belief_free(x);
}

static void a_pair_among_many_systems_is_a_pair_alone(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 6; k++) {
        const example x = draw_example(40 + k, 15, 1), y = draw_example(60 + k, 15, 1);
        const uint32_t *four[] = { x.a, x.b, y.a, y.b };
        iv_ap_belief *all = NULL;
        assert_int_equal(iv_ap_belief_new(&all, four, 4, x.p, 15, false, NULL), IV_OK);
        for (int step = 0; step < 5; step++) {
            for (size_t a = 0; a < 4; a++) {
                for (size_t b = a + 1; b < 4; b++) {
                    example pair = { .m = 15 };
                    memcpy(pair.a, four[a], sizeof pair.a);
                    memcpy(pair.b, four[b], sizeof pair.b);
                    for (size_t i = 0; i < 15; i++)
                        pair.p[i] = iv_ap_belief_relevance(all, i);
                    const iv_moments want = moments(&pair, IV_MOMENTS_DELTA);
                    const iv_moments got = iv_ap_belief_moments(
                        all, iv_pair_index(4, a, b), IV_MOMENTS_DELTA);
                    assert_near(got.mean, want.mean, 1e-12);
                    assert_near(got.variance, want.variance, 1e-12);
                }
            }
            const size_t next = iv_ap_belief_next(NULL, all, NULL, NULL);
            if (next != SIZE_MAX)
                iv_ap_belief_judge(all, next, step % 2 == 0);
        }
        iv_ap_belief_free(all);
    }
}

static void confidence_is_normal_and_sure_only_when_all_is_known(void **state)
{
    (void)state;
    assert_near(iv_probability_less((iv_moments){ 0.1, 0.01 }), 0.15865525393145707, 1e-15);
    assert_near(iv_probability_less((iv_moments){ -0.1, 0.01 }), 0.84134474606854293, 1e-15);
    assert_near(iv_sign_confidence((iv_moments){ -0.1, 0.01 }), 0.84134474606854293, 1e-15);
    assert_near(iv_probability_less((iv_moments){ 0.1, 0.0 }), 0.0, 0.0);
    assert_near(iv_probability_less((iv_moments){ -0.1, 0.0 }), 1.0, 0.0);
    assert_near(iv_probability_less((iv_moments){ 0.0, 0.0 }), 0.5, 0.0);
    assert_near(iv_probability_less((iv_moments){ 1e-17, 0.0 }), 0.5, 0.0);
    assert_near(iv_sign_confidence((iv_moments){ 1e-6, 0.0 }), 1.0, 0.0);
}

static void when_all_is_known_it_is_average_precision(void **state)
{
    /* a: relevant at 1 and 3, b: relevant at 2 and 4, a third at neither. */
    const uint32_t a[] = { 1, 2, 3, 0, 0, 0 }, b[] = { 2, 1, 0, 3, 4, 0 };
    const double p[] = { 1, 0, 1, 0, 1, 1 };
    iv_moments got;

    (void)state;
    for (int form = IV_MOMENTS_DELTA; form <= IV_MOMENTS_PLAIN; form++) {
        assert_int_equal(difference(&got, a, b, p, 6, (iv_moments_form)form, NULL),
                         IV_OK);
        assert_near(got.mean, (1.0 + 2.0 / 3) / 4 - (1.0 / 2 + 2.0 / 4) / 4, 1e-15);
        assert_near(got.variance, 0.0, 0.0);
    }
}

static void bad_pools_are_refused(void **state)
{
    const uint32_t a[] = { 1, 2 }, twice[] = { 1, 1 };
    const double good[] = { 0.5, 0.5 }, bad[] = { 0.5, 1.5 }, worse[] = { NAN, 0.5 };
    const uint32_t *one[] = { a }, *two[] = { a, twice };
    iv_moments out;
    iv_ap_belief *b = NULL;
    double lower, upper;
    iv_err err = { 0 };

    (void)state;
    assert_int_equal(difference(&out, a, twice, good, 2, IV_MOMENTS_DELTA, &err),
                     IV_EARG);
    assert_string_equal(err.msg, "two documents at rank 1");
    assert_int_equal(difference(&out, a, a, bad, 2, IV_MOMENTS_DELTA, NULL), IV_EARG);
    assert_int_equal(difference(&out, a, a, worse, 2, IV_MOMENTS_DELTA, NULL), IV_EARG);
    assert_int_equal(iv_ap_difference_limits(&lower, &upper, a, twice, good, 2, NULL),
                     IV_EARG);
    assert_int_equal(iv_ap_belief_new(&b, one, 1, good, 2, false, NULL), IV_EARG);
    assert_int_equal(iv_ap_belief_new(&b, two, 2, good, 2, false, NULL), IV_EARG);
    assert_null(b);
    assert_int_equal(difference(&out, a, a, good, 0, IV_MOMENTS_DELTA, NULL), IV_OK);
    assert_near(out.mean, 0.0, 0.0);
}

static void relevance_by_rank_finds_a_planted_curve(void **state)
{
    enum { N = 40000 };
    static double rank[N];
    static bool relevant[N];
    iv_stream s = iv_stream_start(5, IV_FOR_CALLER, 2);
    iv_rank_relevance f;

    (void)state;
    for (size_t i = 0; i < N; i++) {
        rank[i] = 1.0 + (double)iv_draw_below(&s, 200);
        relevant[i] = iv_draw_uniform(&s) < 1.0 / (1.0 + exp(-0.4 + 0.7 * log(rank[i])));
    }
    assert_int_equal(iv_rank_relevance_fit(&f, rank, relevant, N, NULL), IV_OK);
    assert_near(f.slope, -0.7, 0.05);
    assert_near(f.intercept, 0.4, 0.2);
    assert_near(iv_rank_relevance_at(&f, 50.0), 1.0 / (1.0 + exp(-0.4 + 0.7 * log(50.0))),
                0.01);
    /* It exists also where likelihood alone has no maximum. */
    relevant[0] = relevant[1] = true;
    assert_int_equal(iv_rank_relevance_fit(&f, rank, relevant, 2, NULL), IV_OK);
    assert_true(iv_rank_relevance_at(&f, 1.0) > 0.5 && iv_rank_relevance_at(&f, 1.0) < 1.0);
    assert_int_equal(iv_rank_relevance_fit(&f, rank, relevant, 0, NULL), IV_ENODATA);
    rank[0] = 0.5;
    assert_int_equal(iv_rank_relevance_fit(&f, rank, relevant, 1, NULL), IV_EARG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_restricted_pair_is_that_of_its_systems_alone),
        cmocka_unit_test(moments_are_those_of_all_assignments),
        cmocka_unit_test(reference_values_are_met),
        cmocka_unit_test(large_pools_agree_with_sums_over_all_pairs),
        cmocka_unit_test(limits_hold_whatever_documents_turn_out_to_be),
        cmocka_unit_test(limits_are_those_of_their_definition),
        cmocka_unit_test(a_belief_updated_is_a_belief_made_anew),
        cmocka_unit_test(the_next_document_moves_the_expectation_most),
        cmocka_unit_test(of_equal_documents_the_better_ranked_is_next),
        cmocka_unit_test(a_pair_among_many_systems_is_a_pair_alone),
        cmocka_unit_test(confidence_is_normal_and_sure_only_when_all_is_known),
        cmocka_unit_test(when_all_is_known_it_is_average_precision),
        cmocka_unit_test(bad_pools_are_refused),
        cmocka_unit_test(relevance_by_rank_finds_a_planted_curve),
    };

    return cmocka_run_group_tests_name("incomplete", tests, NULL, NULL);
}
