/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about tests on pairs; the name of a test is the claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "drawn.h"
#include "near.h"
#include "randomised.h"
#include "num/draw.h"
#include "stat/pair_tests.h"
#include "base/memory.h"

/* How to work: with this seed, on so many threads. */
#define SEEDED(s, n) (&(iv_work){ .threads = (n), .seed = (s) })

enum { MOST = 100 };

static iv_alternative side_of(const char *word)
{
    return strcmp(word, "greater") == 0 ? IV_GREATER
        : strcmp(word, "less") == 0 ? IV_LESS : IV_TWO_SIDED;
}

static size_t read_numbers(double *out, char *text)
{
    size_t n = 0;

    for (char *p = text; *p != '\0' && n < MOST;) {
        char *end;
        out[n] = strtod(p, &end);
        if (end == p)
            break;
        n++;
        p = end;
    }
    return n;
}

static iv_test test_by_name(const char *name, const double *d, size_t n, iv_alternative side)
{
    iv_test t = { 0 };

    if (strcmp(name, "sign") == 0)
        return iv_sign_test(d, n, IV_TIES_DISCARD, side);
    if (strcmp(name, "t") == 0)
        return iv_t_test(iv_describe_differences(d, n), side);
    assert_int_equal(iv_wilcoxon_test(&t, d, n, strcmp(name, "pratt") == 0 ? IV_ZEROS_RANK
                                      : IV_ZEROS_DROP, side, NULL), IV_OK);
    return t;
}

static void sign_t_and_signed_rank_tests_equal_those_of_R_and_coin(void **state)
{
    (void)state;
    FILE *f = fopen(TESTS_DIR "/oracle/paired.tsv", "r");
    char line[4096];
    size_t rows = 0;

    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    while (fgets(line, sizeof line, f) != NULL) {
        double d[MOST];
        char vector[32], test[32], side[32], numbers[4000];
        double statistic, p;
        if (strncmp(line, "adjust", 6) == 0)
            break;
        assert_int_equal(sscanf(line, "%31s %31s %31s %lf %lf %3999[^\n]", vector, test, side,
                                &statistic, &p, numbers), 6);
        const size_t n = read_numbers(d, numbers);
        const iv_test got = test_by_name(test, d, n, side_of(side));
        assert_null(got.why);
        assert_near(got.statistic, statistic, 1e-13);
        assert_close(got.p, p, 1e-11);
        rows++;
    }
    (void)fclose(f);
    assert_int_equal(rows, 102);
}

static void corrections_equal_those_of_R(void **state)
{
    (void)state;
    static const iv_correction kinds[] = { IV_CORRECT_BONFERRONI, IV_CORRECT_HOLM, IV_CORRECT_BH };
    const double p[] = { 0.001, 0.04, 0.03, 0.2, 0.5, 0.0005, 0.04, 1 };
    FILE *f = fopen(TESTS_DIR "/oracle/paired.tsv", "r");
    char line[4096];
    size_t rows = 0;

    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        double want[MOST], got[8];
        char *numbers;
        if (strncmp(line, "adjust", 6) != 0)
            continue;
        numbers = strstr(line, "0\t0\t") + 4;
        assert_int_equal(read_numbers(want, numbers), 8);
        assert_int_equal(iv_adjust(got, p, 8, kinds[rows++], NULL), IV_OK);
        for (size_t i = 0; i < 8; i++)
            assert_near(got[i], want[i], 1e-15);
    }
    (void)fclose(f);
    assert_int_equal(rows, 3);
}

static void a_missing_p_is_not_counted_among_the_tests(void **state)
{
    (void)state;
    double p[] = { 0.01, (double)NAN, 0.04 };

    assert_int_equal(iv_adjust(p, p, 3, IV_CORRECT_BONFERRONI, NULL), IV_OK);
    assert_near(p[0], 0.02, 1e-15);
    assert_true(isnan(p[1]));
    assert_near(p[2], 0.08, 1e-15);
}

static void ties_are_split_evenly_and_an_odd_one_is_dropped(void **state)
{
    (void)state;
    const double d[] = { 1, 1, 1, -1, 0, 0, 0 };
    const iv_test t = iv_sign_test(d, 7, IV_TIES_SPLIT, IV_GREATER);

    assert_int_equal(t.used, 6);
    assert_near(t.statistic, 4.0, 0.0);
    assert_near(t.p, (15.0 + 6.0 + 1.0) / 64.0, 1e-15);
}

/* The critical values of METHODS C: reject at the 5 % level from c wins on. */
static void the_sign_test_rejects_from_18_of_25_32_of_50_and_59_of_100(void **state)
{
    (void)state;
    static const size_t topics[] = { 25, 50, 100 }, critical[] = { 18, 32, 59 };

    for (size_t k = 0; k < 3; k++) {
        double d[100];
        for (size_t c = critical[k] - 1; c <= critical[k]; c++) {
            for (size_t i = 0; i < topics[k]; i++)
                d[i] = i < c ? 1.0 : -1.0;
            const iv_test t = iv_sign_test(d, topics[k], IV_TIES_DISCARD, IV_GREATER);
            assert_int_equal(t.p < 0.05, c == critical[k]);
        }
    }
}

/* Of all flips of n more differences, how many sums are as extreme as the one that was seen. */
static size_t extreme_flips(const double *d, size_t n, double flipped, double sum,
                            iv_alternative side)
{
    if (n > 0)
        return extreme_flips(d + 1, n - 1, flipped + *d, sum, side)
            + extreme_flips(d + 1, n - 1, flipped - *d, sum, side);
    return side == IV_GREATER ? flipped >= sum - 1e-12
        : side == IV_LESS ? flipped <= sum + 1e-12 : fabs(flipped) >= fabs(sum) - 1e-12;
}

/* All 2^n flips. */
static double enumerate_flips(const double *d, size_t n, iv_alternative side)
{
    double sum = 0.0;

    for (size_t i = 0; i < n; i++)
        sum += d[i];
    return (double)extreme_flips(d, n, 0.0, sum, side) / (double)((size_t)1 << n);
}

static void few_topics_give_the_exact_randomisation_p(void **state)
{
    (void)state;
    iv_stream s = iv_stream_start(3, IV_FOR_CALLER, 0);

    for (size_t n = 1; n <= 13; n++) {
        for (int kind = 0; kind < 3; kind++) {
            double d[13];
            for (size_t i = 0; i < n; i++) /* ties and zeros in kind 1 and 2 */
                d[i] = kind == 0 ? iv_draw_normal(&s) + 0.3
                    : (double)iv_draw_below(&s, 5) * 0.1 - 0.1 * kind;
            for (int side = IV_TWO_SIDED; side <= IV_LESS; side++) {
                iv_test t;
                assert_int_equal(randomised(&t, d, n, (iv_alternative)side), IV_OK);
                assert_true(t.exact);
                assert_near(t.p, enumerate_flips(d, n, (iv_alternative)side), 1e-15);
            }
        }
    }
}

/* 22 topics: 4 million flips. */
static void more_topics_give_nearly_the_p_of_all_flips(void **state)
{
    (void)state;
    iv_stream s = iv_stream_start(5, IV_FOR_CALLER, 0);
    double d[22];

    for (int kind = 0; kind < 3; kind++) {
        for (size_t i = 0; i < 22; i++) /* skewed; or an outlier; or multiples of 0.1 */
            d[i] = kind == 2 ? (double)iv_draw_below(&s, 7) * 0.1 - 0.2
                : pow(iv_draw_uniform(&s), 3.0) - 0.15 + (kind == 1 && i == 3 ? 2.0 : 0.0);
        for (int side = IV_TWO_SIDED; side <= IV_LESS; side++) {
            const double p = enumerate_flips(d, 22, (iv_alternative)side);
            iv_test t;
            assert_int_equal(randomised(&t, d, 22, (iv_alternative)side), IV_OK);
            assert_int_equal(t.exact, kind == 2);
            assert_near(t.p, p, kind == 2 ? 1e-14 : 0.003 * p + 1e-6);
        }
    }
}

/* Topics on which two runs do not differ change nothing, however many. */
static void topics_without_a_difference_do_not_change_p(void **state)
{
    (void)state;
    const double few[] = { -0.08576, 0.159501, 0.322188, 0.152796, 0.020954, 0.035773, 0.062031,
                           0.187135 };
    double d[40] = { 0.0 };

    memcpy(d, few, sizeof few);
    for (int side = IV_TWO_SIDED; side <= IV_LESS; side++) {
        const double p = enumerate_flips(few, 8, (iv_alternative)side);
        for (size_t n = 8; n <= 40; n += 4) {
            iv_test t;
            assert_int_equal(randomised(&t, d, n, (iv_alternative)side), IV_OK);
            assert_near(t.p, p, 1e-15);
            assert_true(t.exact);
        }
    }
    for (size_t i = 0; i < 30; i++)
        d[i] = -0.1 - 0.013 * (double)(i * i % 17);
    iv_test t;
    assert_int_equal(randomised(&t, d, 30, IV_GREATER), IV_OK);
    assert_near(t.p, 1.0, 0.0);
    assert_int_equal(randomised(&t, d, 30, IV_LESS), IV_OK);
    assert_near(t.p, ldexp(1.0, -30), 0.0);
}

/* 150 topics: beside drawn flips; five standard errors and what the page says. */
static void many_topics_give_the_p_of_drawn_flips(void **state)
{
    (void)state;
    enum { TOPICS = 150, FLIPS = 100000 };
    iv_stream s = iv_stream_start(6, IV_FOR_CALLER, 0);
    double d[TOPICS], sum = 0.0;
    size_t extreme = 0;
    iv_test t;

    for (size_t i = 0; i < TOPICS; i++) {
        d[i] = pow(iv_draw_uniform(&s), 4.0) - 0.17;
        sum += d[i];
    }
    for (size_t r = 0; r < FLIPS; r++) {
        double flipped = 0.0;
        for (size_t i = 0; i < TOPICS; i++)
            flipped += iv_draw_below(&s, 2) == 0 ? d[i] : -d[i];
        extreme += fabs(flipped) >= fabs(sum);
    }
    const double p = (double)extreme / FLIPS;
    assert_int_equal(randomised(&t, d, TOPICS, IV_TWO_SIDED), IV_OK);
    assert_false(t.exact);
    assert_true(p > 0.001 && p < 0.5);
    assert_near(t.p, p, 5.0 * sqrt(p * (1.0 - p) / FLIPS) + 0.02 * p);
}

static void fill_scores(double *x, size_t systems, size_t topics)
{
    iv_stream s = iv_stream_start(11, IV_FOR_CALLER, 0);

    for (size_t i = 0; i < systems * topics; i++)
        x[i] = iv_draw_beta(&s, 1.0 + (double)(i / topics) * 0.4, 3.0);
}

/* With two systems a permutation within a topic is a flip of its difference. */
static void tukey_of_two_systems_is_the_randomisation_test(void **state)
{
    (void)state;
    enum { TOPICS = 18, TIMES = 200000 };
    double x[2 * TOPICS], d[TOPICS], p;
    const iv_score_grid scores = { x, 2, TOPICS };
    iv_test exact;

    fill_scores(x, 2, TOPICS);
    for (size_t i = 0; i < TOPICS; i++)
        d[i] = x[i] - x[TOPICS + i];
    assert_int_equal(randomised(&exact, d, TOPICS, IV_TWO_SIDED), IV_OK);
    assert_int_equal(iv_tukey_pairs(&p, &scores, IV_NO_BASELINE, TIMES, IV_TWO_SIDED,
                                    SEEDED(4, 0), NULL), IV_OK);
    assert_near(p, exact.p, 5.0 * sqrt(exact.p * (1.0 - exact.p) / TIMES));
}

/* Three systems, three topics: all 6^3 permutations. */
static void tukey_and_dunnett_agree_with_all_permutations(void **state)
{
    (void)state;
    enum { TIMES = 200000 };
    static const int orders[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
                                      { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
    const double x[9] = { 0.61, 0.52, 0.87, 0.35, 0.44, 0.31, 0.12, 0.49, 0.38 };
    const iv_score_grid scores = { x, 3, 3 };
    const double seen[3] = { x[0] + x[1] + x[2], x[3] + x[4] + x[5], x[6] + x[7] + x[8] };
    double pairs[3], against[3], want_pair = 0.0, want_against = 0.0;

    for (int f = 0; f < 216; f++) {
        const int of[3] = { f % 6, f / 6 % 6, f / 36 };
        double sum[3] = { 0, 0, 0 };
        for (int t = 0; t < 3; t++) {
            for (int s = 0; s < 3; s++)
                sum[s] += x[orders[of[t]][s] * 3 + t];
        }
        const double range = fmax(fmax(sum[0], sum[1]), sum[2])
            - fmin(fmin(sum[0], sum[1]), sum[2]);
        want_pair += range >= fabs(seen[0] - seen[1]) - 1e-12;
        want_against += fmax(fabs(sum[0] - sum[2]), fabs(sum[1] - sum[2]))
            >= fabs(seen[1] - seen[2]) - 1e-12;
    }
    want_pair /= 216.0;
    want_against /= 216.0;
    assert_int_equal(iv_tukey_pairs(pairs, &scores, IV_NO_BASELINE, TIMES, IV_TWO_SIDED,
                                    SEEDED(4, 0), NULL), IV_OK);
    assert_int_equal(iv_tukey_pairs(against, &scores, 3, TIMES, IV_TWO_SIDED, SEEDED(4, 0),
                                    NULL), IV_OK);
    assert_near(pairs[0], want_pair, 5.0 * sqrt(0.25 / TIMES));
    assert_near(against[1], want_against, 5.0 * sqrt(0.25 / TIMES));
    assert_true(isnan(against[2]));
}

static void tukey_gives_the_same_p_on_any_threads(void **state)
{
    (void)state;
    enum { SYSTEMS = 7, TOPICS = 12 };
    double x[SYSTEMS * TOPICS], p[21], q[21];
    const iv_score_grid scores = { x, SYSTEMS, TOPICS };

    fill_scores(x, SYSTEMS, TOPICS);
    assert_int_equal(iv_tukey_pairs(p, &scores, IV_NO_BASELINE, 2000, IV_TWO_SIDED, SEEDED(1, 1),
                                    NULL), IV_OK);
    assert_int_equal(iv_tukey_pairs(q, &scores, IV_NO_BASELINE, 2000, IV_TWO_SIDED, SEEDED(1, 4),
                                    NULL), IV_OK);
    assert_memory_equal(p, q, sizeof p);
}

static void a_test_with_nothing_to_say_says_why(void **state)
{
    (void)state;
    const double zeros[4] = { 0, 0, 0, 0 }, equal[3] = { 0.5, 0.5, 0.5 };
    iv_test t;

    assert_non_null(iv_sign_test(zeros, 4, IV_TIES_DISCARD, IV_TWO_SIDED).why);
    assert_non_null(iv_t_test(iv_describe_differences(equal, 3), IV_TWO_SIDED).why);
    assert_non_null(iv_t_test(iv_describe_differences(equal, 1), IV_TWO_SIDED).why);
    assert_int_equal(iv_wilcoxon_test(&t, zeros, 4, IV_ZEROS_RANK, IV_TWO_SIDED, NULL), IV_OK);
    assert_non_null(t.why);
    assert_int_equal(randomised(&t, zeros, 4, IV_TWO_SIDED), IV_OK);
    assert_near(t.p, 1.0, 0.0); /* every flip is as extreme as none */
}

static void differences_are_described_as_wins_ties_losses_and_effect(void **state)
{
    (void)state;
    const double d[] = { 0.1, -0.2, 0.0, 0.4, 0.3 };
    const iv_differences k = iv_describe_differences(d, 5);

    assert_int_equal(k.wins, 3);
    assert_int_equal(k.ties, 1);
    assert_int_equal(k.losses, 1);
    assert_near(k.mean, 0.12, 1e-15);
    assert_near(k.sd, 0.23874672772626646, 1e-14);
    assert_near(k.effect, 0.12 / 0.23874672772626646, 1e-14);
}

static bool share_a_letter(const char *x, const char *y)
{
    for (; *x != '\0'; x++) {
        if (strchr(y, *x) != NULL)
            return true;
    }
    return false;
}

static void systems_share_a_letter_exactly_when_they_do_not_differ(void **state)
{
    (void)state;
    iv_stream s = iv_stream_start(31, IV_FOR_CALLER, 0);

    for (int round = 0; round < 300; round++) {
        enum { MOST_SYSTEMS = 9 };
        const size_t n = 1 + (size_t)iv_draw_below(&s, MOST_SYSTEMS);
        bool differ[MOST_SYSTEMS * MOST_SYSTEMS];
        size_t order[MOST_SYSTEMS];
        const char *of[MOST_SYSTEMS];
        iv_arena own = { 0 };
        size_t groups = 0;
        for (size_t i = 0; i < n; i++)
            order[i] = i;
        iv_draw_shuffle(&s, order, n, sizeof *order);
        for (size_t p = 0; p < iv_pair_count(n); p++)
            differ[p] = iv_draw_below(&s, 3) == 0;
        assert_int_equal(iv_letters_of(of, &groups, differ, order, n, &own, NULL), IV_OK);
        assert_true(groups > 0 && groups <= 26); /* so that a letter is a character */
        assert_true(of[order[0]][0] == 'a');
        for (size_t a = 0; a < n; a++) {
            assert_string_not_equal(of[a], "");
            for (size_t b = a + 1; b < n; b++)
                assert_int_equal(share_a_letter(of[a], of[b]),
                                 !differ[iv_pair_index(n, a, b)]);
        }
        iv_arena_free(&own);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sign_t_and_signed_rank_tests_equal_those_of_R_and_coin),
        cmocka_unit_test(corrections_equal_those_of_R),
        cmocka_unit_test(a_missing_p_is_not_counted_among_the_tests),
        cmocka_unit_test(ties_are_split_evenly_and_an_odd_one_is_dropped),
        cmocka_unit_test(the_sign_test_rejects_from_18_of_25_32_of_50_and_59_of_100),
        cmocka_unit_test(few_topics_give_the_exact_randomisation_p),
        drawn_unit_test(more_topics_give_nearly_the_p_of_all_flips),
        cmocka_unit_test(topics_without_a_difference_do_not_change_p),
        cmocka_unit_test(many_topics_give_the_p_of_drawn_flips),
        cmocka_unit_test(tukey_of_two_systems_is_the_randomisation_test),
        cmocka_unit_test(tukey_and_dunnett_agree_with_all_permutations),
        cmocka_unit_test(tukey_gives_the_same_p_on_any_threads),
        cmocka_unit_test(a_test_with_nothing_to_say_says_why),
        cmocka_unit_test(systems_share_a_letter_exactly_when_they_do_not_differ),
        cmocka_unit_test(differences_are_described_as_wins_ties_losses_and_effect),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
