/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims about the random streams; the name of a test is the claim.
 *
 * Pinned values were printed by this library on aarch64 and must never change,
 * on any machine: published results depend on them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near.h"
#include "test_num.h"
#include "num/dist.h"
#include "num/draw.h"
#include "num/plain_math.h"
#include "base/parallel.h"

static iv_stream stream(uint64_t replicate)
{
    return iv_stream_start(20240607, IV_FOR_CALLER + 3, replicate);
}

/* Random123's own known answer for philox4x32 with ten rounds: counter and key
 * all zero, from its kat_vectors file. */
static void the_generator_is_philox4x32_10(void **state)
{
    (void)state;
    static const uint64_t known[2] = { 0xe169c58d6627e8d5, 0x9b00dbd8bc57ac4c };
    iv_stream s = iv_stream_start(0, 0, 0);

    for (size_t i = 0; i < 2; i++)
        assert_true(iv_draw_bits(&s) == known[i]);
}

/* The first four draws of each kind, every kind from a fresh stream. */
static void the_first_integers_are_pinned(void **state)
{
    (void)state;
    static const uint64_t bits[] = { 0x6477a6413e1a395a, 0x4539c8ccb97efb78,
                                     0x7ad4280d512a03aa, 0x719de96e92cbcdc1 };
    static const uint64_t thousand[] = { 392, 270, 479, 443 };
    static const uint64_t huge[] = { 280214780250, 879285435256, 57196282794,
                                     329793277313 };
    static const int64_t binom_small[] = { 1, 1, 2, 2 };
    static const int64_t binom_large[] = { 36500962, 36500177, 36492715,
                                           36502307 };
    static const int64_t hyper_small[] = { 5, 4, 6, 5 };
    static const int64_t hyper_large[] = { 24598664, 24599733, 24600041,
                                           24602376 };
    iv_stream a = stream(1), b = a, c = a, d = a, e = a, f = a, g = a;

    for (size_t i = 0; i < 4; i++) {
        assert_true(iv_draw_bits(&a) == bits[i]);
        assert_true(iv_draw_below(&b, 1000) == thousand[i]);
        assert_true(iv_draw_below(&c, (1ull << 40) + 7) == huge[i]);
        assert_true(iv_draw_binom(&d, 50000000, 4e-8) == binom_small[i]);
        assert_true(iv_draw_binom(&e, 50000000, 0.73) == binom_large[i]);
        assert_true(iv_draw_hyper(&f, 50000000, 300, 1000000)
                    == hyper_small[i]);
        assert_true(iv_draw_hyper(&g, 50000000, 41000000, 30000000)
                    == hyper_large[i]);
    }
}

static void the_first_reals_are_pinned(void **state)
{
    (void)state;
    static const double want[4][8] = {
        { 0x1.91de9904f868ep-2, 0x1.91de9904f868ep-2, -0x1.6b15818c5a03ep-1,
          0x1.dee57414be011p-1, 0x1.062eafcd65c89p-3, 0x1.76710b5d9a5e6p+4,
          0x1.a1c213032580cp-5, 0x1.0d9f906405a9ep-5 },
        { 0x1.14e72332e5fbep-2, 0x1.14e72332e5fbep-2, -0x1.b8451f25323afp-2,
          0x1.4ecc4e7e71e47p+0, 0x1.89666570d387ap-3, 0x1.7ead5fd2b302dp+4,
          0x1.4378f3f507e18p-3, 0x1.82485ae7d0476p-5 },
        { 0x1.eb50a03544a8p-2, 0x1.eb50a03544a82p-2, -0x1.33b9b020c376bp-1,
          0x1.780180256299ep-1, 0x1.6d0503e6edc3p+0, 0x1.f3275e9523903p+4,
          0x1.1258cf184baadp-3, 0x1.e2ba9fc741bb7p-6 },
        { 0x1.c677a5ba4b2f2p-2, 0x1.c677a5ba4b2f2p-2, -0x1.eebf58bd07aa9p-2,
          0x1.9febc5f37d88fp-1, 0x1.b8789b305b3c6p-4, 0x1.c971647391465p+4,
          0x1.0a51d16af7f66p-8, 0x1.6cae597eff559p-5 },
    };
    iv_stream s[8];

    for (size_t j = 0; j < 8; j++)
        s[j] = stream(1);
    for (size_t i = 0; i < 4; i++) {
        assert_true(iv_draw_uniform(&s[0]) == want[i][0]);
        assert_true(iv_draw_uniform_open(&s[1]) == want[i][1]);
        assert_true(iv_draw_normal(&s[2]) == want[i][2]);
        assert_true(iv_draw_exponential(&s[3]) == want[i][3]);
        assert_true(iv_draw_gamma(&s[4], 0.5) == want[i][4]);
        assert_true(iv_draw_gamma(&s[5], 27.25) == want[i][5]);
        assert_true(iv_draw_beta(&s[6], 0.5, 3.5) == want[i][6]);
        assert_true(iv_draw_beta(&s[7], 12.5, 300.25) == want[i][7]);
    }
}

static void the_first_vectors_are_pinned(void **state)
{
    (void)state;
    static const size_t subset[] = { 270412, 392450, 443815,
                                     479799, 516968, 951845 };
    static const size_t sequence[] = { 3, 18, 13, 8, 0, 11 };
    static const uint32_t resample[] = { 1, 0, 3, 2, 0, 0, 1, 2, 0, 1 };
    static const int64_t cells[] = { 139, 0, 575, 286 };
    static const double weights[] = { 0.5, 0.0, 2.0, 1.0 };
    static const int order[] = { 0, 5, 3, 4, 1, 2 };
    iv_stream a = stream(1), b = a, c = a, e = a;
    size_t picks[6];
    uint32_t hits[10];
    int64_t counts[4];
    int cards[] = { 0, 1, 2, 3, 4, 5 };

    assert_true(iv_draw_subset(&a, picks, 6, 1000000));
    assert_memory_equal(picks, subset, sizeof subset);
    assert_true(iv_draw_sequence(&a, picks, 6, 20));
    assert_memory_equal(picks, sequence, sizeof sequence);
    iv_draw_resample(&b, hits, 10);
    assert_memory_equal(hits, resample, sizeof resample);
    iv_draw_multinomial(&c, counts, 1000, weights, 4);
    assert_memory_equal(counts, cells, sizeof cells);
    iv_draw_shuffle(&e, cards, 6, sizeof *cards);
    assert_memory_equal(cards, order, sizeof order);
}

static void a_stream_depends_on_each_part_of_its_name(void **state)
{
    (void)state;
    iv_stream s[] = { iv_stream_start(1, 1, 1), iv_stream_start(2, 1, 1),
                      iv_stream_start(1, 2, 1), iv_stream_start(1, 1, 2) };
    uint64_t first[4];

    for (size_t i = 0; i < 4; i++)
        first[i] = iv_draw_bits(&s[i]);
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < i; j++)
            assert_true(first[i] != first[j]);
    }
}

static void draws_outside_the_domain_are_refused(void **state)
{
    (void)state;
    iv_stream s = stream(2);
    const double bad[] = { 1.0, -0.5 };
    int64_t counts[2];
    size_t picks[1] = { 77 };

    assert_true(iv_draw_below(&s, 0) == 0);
    assert_true(isnan(iv_draw_gamma(&s, -1.0)));
    assert_true(isnan(iv_draw_gamma(&s, NAN)));
    assert_true(isnan(iv_draw_beta(&s, 0.0, 0.0)));
    assert_true(isnan(iv_draw_beta(&s, -1.0, 2.0)));
    assert_int_equal(iv_draw_binom(&s, 10, 1.5), -1);
    assert_int_equal(iv_draw_binom(&s, -1, 0.5), -1);
    assert_int_equal(iv_draw_binom(&s, 10, NAN), -1);
    assert_int_equal(iv_draw_hyper(&s, 10, 11, 3), -1);
    assert_int_equal(iv_draw_hyper(&s, 10, 3, 11), -1);
    iv_draw_multinomial(&s, counts, 5, bad, 2);
    assert_true(counts[0] == -1 && counts[1] == -1);
    assert_false(iv_draw_subset(&s, picks, 2, 1));
    assert_true(picks[0] == 77);
}

static void draws_at_the_ends_of_the_domain_are_exact(void **state)
{
    (void)state;
    iv_stream s = stream(3);
    const double one_cell[] = { 0.0, 3.5, 0.0 };
    int64_t counts[3];
    size_t picks[20];

    assert_near(iv_draw_gamma(&s, 0.0), 0.0, 0.0);
    assert_near(iv_draw_beta(&s, 0.0, 2.0), 0.0, 0.0);
    assert_near(iv_draw_beta(&s, 2.0, 0.0), 1.0, 0.0);
    assert_int_equal(iv_draw_binom(&s, 50000000, 0.0), 0);
    assert_int_equal(iv_draw_binom(&s, 50000000, 1.0), 50000000);
    assert_int_equal(iv_draw_hyper(&s, 7, 7, 3), 3);
    assert_int_equal(iv_draw_hyper(&s, 7, 0, 3), 0);
    assert_int_equal(iv_draw_hyper(&s, 7, 4, 7), 4);
    assert_int_equal(iv_draw_hyper(&s, 0, 0, 0), 0);
    iv_draw_multinomial(&s, counts, 12, one_cell, 3);
    assert_true(counts[0] == 0 && counts[1] == 12 && counts[2] == 0);
    assert_true(iv_draw_subset(&s, picks, 20, 20));
    for (size_t i = 0; i < 20; i++)
        assert_int_equal(picks[i], i);
    assert_true(iv_draw_subset(&s, picks, 0, 0));
    for (int i = 0; i < 1000; i++) {
        const double tiny = iv_draw_beta(&s, 1e-4, 1e-4);
        assert_true(tiny >= 0.0 && tiny <= 1.0); /* never 0/0 */
    }
}

static void the_plain_logarithm_and_exponential_agree_with_libm(void **state)
{
    (void)state;
    iv_stream s = stream(4);

    for (int i = 0; i < 20000; i++) {
        const int e = (int)iv_draw_below(&s, 2040) - 1020;
        const double x = ldexp(iv_draw_uniform_open(&s), e);
        const double y = (iv_draw_uniform(&s) - 0.5) * 1400.0;
        const double z = iv_draw_uniform(&s) * 4.0 - 1.0;
        assert_close(iv_plain_log(x), log(x), 3e-16);
        assert_close(iv_plain_exp(y), exp(y), 5e-16);
        assert_close(iv_plain_log1p(z), log1p(z), 5e-16);
        assert_close(iv_plain_log1p(z * 1e-9), log1p(z * 1e-9), 5e-16);
    }
    assert_true(isinf(iv_plain_log(0.0)) && isnan(iv_plain_log(-1.0)));
    for (int i = 0; i <= 70000; i++) {
        double each = -0.01 * (double)i;
        const double want = exp(each);
        iv_plain_exp_each(&each, 1);
        assert_close(each, want, 1e-15);
    }
    assert_true(iv_plain_exp(-1e9) == 0.0 && isinf(iv_plain_exp(710.0)));
    assert_true(isnan(iv_plain_exp(NAN)) && isnan(iv_plain_log(NAN)));
}

/* False alarm once in a million seeds. */
static void every_bit_is_fair(void **state)
{
    (void)state;
    enum { WORDS = 30000 };
    double ones[64] = { 0.0 };
    const double limit = iv_norm_isf(0.5e-6 / 64.0);
    iv_stream s = stream(5);

    for (size_t i = 0; i < WORDS; i++) {
        const uint64_t bits = iv_draw_bits(&s);
        for (unsigned b = 0; b < 64; b++)
            ones[b] += (double)(bits >> b & 1u);
    }
    for (unsigned b = 0; b < 64; b++)
        assert_true(fabs(ones[b] - 0.5 * WORDS) < limit * 0.5 * sqrt(WORDS));
}

static int draw_replicate(void *user, void *memory, size_t i, iv_err *err)
{
    iv_stream s = stream((uint64_t)i);

    (void)memory, (void)err;
    ((double *)user)[i] = iv_draw_beta(&s, 0.5, 2.5) + (double)iv_draw_binom(&s, 900, 0.3);
    return IV_OK;
}

static void threads_do_not_change_the_numbers(void **state)
{
    (void)state;
    enum { REPLICATES = 500 };
    static double serial[REPLICATES], parallel[REPLICATES];

    for (int i = 0; i < REPLICATES; i++) {
        iv_stream s = stream((uint64_t)i);
        serial[i] = iv_draw_beta(&s, 0.5, 2.5) + (double)iv_draw_binom(&s, 900, 0.3);
    }
    const iv_loop loop = { .count = REPLICATES, .item = draw_replicate, .user = parallel };
    assert_int_equal(iv_parallel(&loop, &(iv_work){ .threads = 4 }, NULL), IV_OK);
    assert_memory_equal(serial, parallel, sizeof serial);
}

int test_num_random(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_generator_is_philox4x32_10),
        cmocka_unit_test(the_first_integers_are_pinned),
        cmocka_unit_test(the_first_reals_are_pinned),
        cmocka_unit_test(the_first_vectors_are_pinned),
        cmocka_unit_test(a_stream_depends_on_each_part_of_its_name),
        cmocka_unit_test(every_bit_is_fair),
        cmocka_unit_test(threads_do_not_change_the_numbers),
        cmocka_unit_test(draws_outside_the_domain_are_refused),
        cmocka_unit_test(draws_at_the_ends_of_the_domain_are_exact),
        cmocka_unit_test(the_plain_logarithm_and_exponential_agree_with_libm),
    };
    return cmocka_run_group_tests_name("num random", tests, NULL, NULL);
}
