/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long comparing takes: sign flips of all pairs and the randomised Tukey
 * test, 143 runs x 30 topics, 100,000 permutations, and the whole comparison.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "num/draw.h"
#include "stat/pair_tests.h"

enum { SYSTEMS = 143, TOPICS = 30, PERMUTATIONS = 100000 };

typedef struct watch {
    double wall, cpu;
} watch;

static double seconds(clockid_t id)
{
    struct timespec t;

    (void)clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static watch now(void)
{
    return (watch){ seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID) };
}

static watch since(watch from)
{
    const watch t = now();

    return (watch){ t.wall - from.wall, t.cpu - from.cpu };
}

static void make_scores(double *x)
{
    for (size_t t = 0; t < TOPICS; t++) {
        iv_stream s = iv_stream_start(1, IV_FOR_CALLER, t);
        const double topic = iv_draw_beta(&s, 1.0, 2.0);
        for (size_t k = 0; k < SYSTEMS; k++)
            x[k * TOPICS + t] = 0.7 * topic + 0.2 * iv_draw_beta(&s, 1.0, 2.0)
                + 0.1 * (double)k / SYSTEMS;
    }
}

int main(void)
{
    static double x[SYSTEMS * TOPICS];
    const iv_score_grid grid = { x, SYSTEMS, TOPICS };
    const double pairs = (double)iv_pair_count(SYSTEMS);
    double *p = malloc(iv_pair_count(SYSTEMS) * sizeof *p);
    const iv_compare_options o = { .correction = IV_CORRECT_TUKEY };
    int rc = p == NULL ? IV_ENOMEM : IV_OK;

    make_scores(x);
    for (int threads = 1; threads <= 2 && rc == IV_OK; threads++) {
        const iv_work work = { .threads = threads };
        iv_comparison *c = NULL;
        watch from = now();
        rc = iv_tukey_pairs(p, &grid, IV_NO_BASELINE, PERMUTATIONS, IV_TWO_SIDED, &work, NULL);
        const watch tukey = since(from);
        from = now();
        if (rc == IV_OK)
            rc = iv_compare(&c, x, SYSTEMS, TOPICS, &o, &work, NULL);
        const watch all = since(from);
        iv_comparison_free(c);
        printf("threads %d: tukey %.2f s (cpu %.2f, %.2f ns a score and permutation); compare "
               "with it %.2f s (cpu %.2f), of which randomisation tests %.0f ns a pair\n",
               threads, tukey.wall, tukey.cpu,
               1e9 * tukey.cpu / (SYSTEMS * TOPICS) / PERMUTATIONS, all.wall, all.cpu,
               1e9 * (all.cpu - tukey.cpu) / pairs);
    }
    free(p);
    return rc == IV_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
