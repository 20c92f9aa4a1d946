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

#include "intervale/num.h"
#include "near.h"
#include "num/plain_math.h"

static iv_stream stream(uint64_t replicate)
{
    return iv_stream_start(20240607, IV_FOR_CALLER + 3, replicate);
}

/* Random123's own known answer for philox4x64 with ten rounds: counter and key
 * all zero, from its kat_vectors file. */
static void the_generator_is_philox4x64_10(void **state)
{
    (void)state;
    static const uint64_t known[4] = {
        0x16554d9eca36314c, 0xdb20fe9d672d0fdc,
        0xd7e772cee186176b, 0x7e68b68aec7ba23b
    };
    iv_stream s = iv_stream_start(0, 0, 0);

    for (size_t i = 0; i < 4; i++)
        assert_true(iv_draw_bits(&s) == known[i]);
}

/* The first four draws of each kind, every kind from a fresh stream. */
static void the_first_integers_are_pinned(void **state)
{
    (void)state;
    static const uint64_t bits[] = { 0xd304131f517492ab, 0xefb312e8b987e5ea,
                                     0xdf2c1599fd53249d, 0xc8ab5024655284cb };
    static const uint64_t thousand[] = { 824, 936, 871, 783 };
    static const uint64_t huge[] = { 999545103850, 156318729419,
                                     1001331064419, 270279021278 };
    static const int64_t binom_small[] = { 3, 4, 4, 3 };
    static const int64_t binom_large[] = { 36498246, 36502991, 36498485,
                                           36502212 };
    static const int64_t hyper_small[] = { 8, 10, 9, 8 };
    static const int64_t hyper_large[] = { 24600744, 24598732, 24600642,
                                           24599062 };
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
        { 0x1.a608263ea2e92p-1, 0x1.a608263ea2e93p-1, 0x1.06e18897c25a2p+0,
          0x1.8bc3725eaa76dp-3, 0x1.033077926a7dap+1, 0x1.04d3e759962c5p+5,
          0x1.2ff13e8872a5ap-2, 0x1.87f648f512dfep-5 },
        { 0x1.df6625d1730fcp-1, 0x1.df6625d1730fdp-1, -0x1.55e9cbd88f70ap-1,
          0x1.0d7b3d5993b01p-4, 0x1.b7ed393161f0ap-5, 0x1.0b951b319becap+5,
          0x1.626afd7130d4p-8, 0x1.bd7a3a6c6a97bp-6 },
        { 0x1.be582b33faa64p-1, 0x1.be582b33faa65p-1, 0x1.2b3bdcbea64a8p+0,
          0x1.190e0289637c4p-3, 0x1.836beb1c1aba8p-2, 0x1.5f0b92f773a2cp+4,
          0x1.e0ff717b7c725p-8, 0x1.614b3b0882594p-5 },
        { 0x1.9156a048caa5p-1, 0x1.9156a048caa51p-1, 0x1.95ded6b73f5c1p-1,
          0x1.f2ba758a0f768p-3, 0x1.850c3acabe7ecp-4, 0x1.089646b562366p+5,
          0x1.aa7706781b4d5p-6, 0x1.22b022561128bp-5 },
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
    static const size_t subset[] = { 154510, 783864, 824280,
                                     871766, 936326, 941758 };
    static const size_t sequence[] = { 7, 19, 6, 5, 1, 12 };
    static const uint32_t resample[] = { 2, 1, 0, 1, 0, 1, 0, 1, 2, 2 };
    static const int64_t cells[] = { 149, 0, 581, 270 };
    static const double weights[] = { 0.5, 0.0, 2.0, 1.0 };
    static const double alpha[] = { 0.5, 2.0, 11.0 };
    static const double shares[] = { 0x1.10a6a4e9eed55p-3, 0x1.8856e2ce245ebp-3,
                                     0x1.59c09e11fb33p-1 };
    static const int order[] = { 0, 1, 2, 3, 5, 4 };
    iv_stream a = stream(1), b = a, c = a, d = a, e = a;
    size_t picks[6];
    uint32_t hits[10];
    int64_t counts[4];
    double drawn[3];
    int cards[] = { 0, 1, 2, 3, 4, 5 };

    assert_true(iv_draw_subset(&a, picks, 6, 1000000));
    assert_memory_equal(picks, subset, sizeof subset);
    assert_true(iv_draw_sequence(&a, picks, 6, 20));
    assert_memory_equal(picks, sequence, sizeof sequence);
    iv_draw_resample(&b, hits, 10);
    assert_memory_equal(hits, resample, sizeof resample);
    iv_draw_multinomial(&c, counts, 1000, weights, 4);
    assert_memory_equal(counts, cells, sizeof cells);
    iv_draw_dirichlet(&d, drawn, alpha, 3);
    assert_memory_equal(drawn, shares, sizeof shares);
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
    const double none[] = { 0.0, 0.0 };
    double shares[2];
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
    iv_draw_dirichlet(&s, shares, bad, 2);
    assert_true(isnan(shares[0]) && isnan(shares[1]));
    iv_draw_dirichlet(&s, shares, none, 2);
    assert_true(isnan(shares[0]));
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
    double shares[3];
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
    iv_draw_dirichlet(&s, shares, one_cell, 3);
    assert_true(shares[0] == 0.0 && shares[1] == 1.0 && shares[2] == 0.0);
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
        const int e = (int)iv_draw_below(&s, 2090) - 1070;
        const double x = ldexp(iv_draw_uniform_open(&s), e);
        const double y = (iv_draw_uniform(&s) - 0.5) * 1400.0;
        const double z = iv_draw_uniform(&s) * 4.0 - 1.0;
        assert_close(iv_plain_log(x), log(x), 3e-16);
        assert_close(iv_plain_exp(y), exp(y), 5e-16);
        assert_close(iv_plain_log1p(z), log1p(z), 5e-16);
        assert_close(iv_plain_log1p(z * 1e-9), log1p(z * 1e-9), 5e-16);
    }
    assert_true(isinf(iv_plain_log(0.0)) && isnan(iv_plain_log(-1.0)));
    assert_true(iv_plain_exp(-1e9) == 0.0 && isinf(iv_plain_exp(710.0)));
    assert_true(isnan(iv_plain_exp(NAN)) && isnan(iv_plain_log(NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_generator_is_philox4x64_10),
        cmocka_unit_test(the_first_integers_are_pinned),
        cmocka_unit_test(the_first_reals_are_pinned),
        cmocka_unit_test(the_first_vectors_are_pinned),
        cmocka_unit_test(a_stream_depends_on_each_part_of_its_name),
        cmocka_unit_test(draws_outside_the_domain_are_refused),
        cmocka_unit_test(draws_at_the_ends_of_the_domain_are_exact),
        cmocka_unit_test(the_plain_logarithm_and_exponential_agree_with_libm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
