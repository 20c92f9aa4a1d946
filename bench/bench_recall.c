/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long does a recall interval take, exact to the atom, over cells, on
 * strata?
 *
 * usage: bench_recall [ROUNDS]
 */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "intervale/stat.h"

/* Of this thread alone: the machine may be busy with other things. */
static double now_ms(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static void give_up(const char *why)
{
    (void)fprintf(stderr, "bench_recall: %s\n", why);
    exit(EXIT_FAILURE);
}

typedef struct timed {
    iv_limits interval;
    double ms;
} timed;

/* The shortest of many rounds: what it takes when nobody else works. */
static timed time_interval(iv_recall_posterior *w, const iv_segments *s, iv_recall_method method,
                           int rounds)
{
    const iv_recall_options o = { .method = method, .confidence = 0.95 };
    timed t = { .ms = INFINITY };
    iv_err err;

    for (int i = 0; i < rounds; i++) {
        const double start = now_ms();
        if (iv_recall_interval_of(&t.interval, s, &o, w, &err) < 0)
            give_up(err.msg);
        t.ms = fmin(t.ms, now_ms() - start);
    }
    return t;
}

static void row(iv_recall_posterior *w, const char *name, const iv_segments *s,
                iv_recall_method method, int rounds)
{
    const timed t = time_interval(w, s, method, rounds);

    (void)printf("%-34s %8.3f ms  [%.6f, %.6f]\n", name, t.ms, t.interval.lower,
                 t.interval.upper);
}

static void two_segments(iv_recall_posterior *w, int rounds)
{
    static const iv_stratum cases[][2] = {
        { { 500000, 1500, 750 }, { 4500000, 4000, 40 } },
        { { 200000, 1500, 900 }, { 4800000, 4000, 12 } },
        { { 500000, 1500, 750 }, { 4500000, 4000, 0 } },
        { { 400000, 1500, 500 }, { 4600000, 4000, 80 } },
    };
    char name[64];

    (void)printf("two segments, N = 5e6, n = 1500 + 4000 (bar: 5 ms, exact to the atom)\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const iv_segments s = { &cases[i][0], &cases[i][1], 1, 1 };
        (void)snprintf(name, sizeof name, "r = %lld of %lld, %lld of %lld",
                       (long long)cases[i][0].relevant, (long long)cases[i][0].size,
                       (long long)cases[i][1].relevant, (long long)cases[i][1].size);
        row(w, name, &s, IV_RECALL_BETABIN_HALF, rounds);
    }
}

static void growth(iv_recall_posterior *w, int rounds)
{
    char name[64];

    (void)printf("how it grows with N: a tenth retrieved, n = 1500 + 4000, r = 900 and 120 "
                 "(bar: cells 1 ms)\n");
    for (double N = 1e5; N < 2e10; N *= 10.0) {
        const iv_stratum one = { (int64_t)(0.1 * N), 1500, 900 };
        const iv_stratum zero = { (int64_t)(0.9 * N), 4000, 120 };
        const iv_segments s = { &one, &zero, 1, 1 };
        (void)snprintf(name, sizeof name, "N = %.0e", N);
        row(w, name, &s, IV_RECALL_BETABIN_HALF, rounds);
    }
    const iv_stratum one = { 5000000, 100, 0 }, zero = { 45000000, 400, 2 };
    const iv_segments s = { &one, &zero, 1, 1 };
    row(w, "N = 5e7, r = 0 of 100, 2 of 400", &s, IV_RECALL_BETABIN_HALF, rounds);
}

/* Six teams make 64 strata; sizes and samples as in the TREC Legal tracks. */
static void strata(iv_recall_posterior *w, int rounds)
{
    iv_stratum one[32], zero[32];
    const iv_segments s = { one, zero, 32, 32 };

    for (int i = 0; i < 32; i++) {
        const int64_t size = 20 + 37 * (int64_t)i * i;
        one[i] = (iv_stratum){ size, 2 + size / 12, (2 + size / 12) * (20 + i) / 64 };
        zero[i] = (iv_stratum){ size, 2 + size / 16, (2 + size / 16) * (32 - i) / 400 };
    }
    zero[31] = (iv_stratum){ 500000, 2500, 6 };
    (void)printf("64 strata of TREC Legal size (bar: 100 ms)\n");
    row(w, "betabin-weighted", &s, IV_RECALL_BETABIN_WEIGHTED, rounds);
    row(w, "betabin-half", &s, IV_RECALL_BETABIN_HALF, rounds);
    row(w, "jeffreys", &s, IV_RECALL_JEFFREYS, rounds);
    for (int i = 0; i < 32; i++) {
        one[i].size *= 20;
        zero[i].size *= 20;
    }
    (void)printf("the same strata, 20 times as large\n");
    row(w, "betabin-weighted", &s, IV_RECALL_BETABIN_WEIGHTED, rounds);
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 20;
    iv_recall_posterior *w = NULL;
    iv_err err;

    if (iv_recall_posterior_new(&w, &err) < 0)
        give_up(err.msg);
    two_segments(w, rounds);
    growth(w, rounds);
    strata(w, rounds);
    iv_recall_posterior_free(w);
    return EXIT_SUCCESS;
}
