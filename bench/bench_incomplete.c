/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moments of a difference in average precision and the next document to judge,
 * by size of the pool.  ns / (m log2 m) should stay level for the moments and
 * limits, ns / m for a judgment.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "num/draw.h"
#include "stat/incomplete/ap_belief.h"
#include "stat/incomplete/ap_moments.h"

/* Seconds of this process: other work on the machine does not count. */
static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct pool {
    size_t m;
    uint32_t *a, *b;
    double *p;
} pool;

/* Two rankings of the same m documents. */
static pool make_pool(size_t m)
{
    pool x = { m, calloc(m, sizeof(uint32_t)), calloc(m, sizeof(uint32_t)),
               malloc(m * sizeof(double)) };
    size_t *order = malloc(m * sizeof *order);
    iv_stream s = iv_stream_start(1, IV_FOR_CALLER, m);

    if (x.a == NULL || x.b == NULL || x.p == NULL || order == NULL
        || !iv_draw_sequence(&s, order, m, m))
        exit(1);
    for (size_t k = 0; k < m; k++) {
        x.a[k] = (uint32_t)k + 1;
        x.b[order[k]] = (uint32_t)k + 1;
        x.p[k] = 0.5;
    }
    free(order);
    return x;
}

/* Of the moments before anything is judged; best of some repetitions, in seconds. */
static double time_moments(const pool *x)
{
    const uint32_t *ranks[] = { x->a, x->b };
    double best = INFINITY;

    for (int k = 0; k < 7; k++) {
        iv_ap_belief *b;
        const double start = now();
        if (iv_ap_belief_new(&b, ranks, 2, x->p, x->m, false, NULL) != IV_OK)
            exit(1);
        best = fmin(best, now() - start);
        iv_ap_belief_free(b);
    }
    return best;
}

static double time_limits(const pool *x)
{
    double lower, upper;
    const double start = now();

    if (iv_ap_difference_limits(&lower, &upper, x->a, x->b, x->p, x->m, NULL) != IV_OK)
        exit(1);
    return now() - start;
}

/* Choosing and judging, mean over some judgments. */
static double time_judgment(const pool *x)
{
    const uint32_t *ranks[] = { x->a, x->b };
    const int judgments = 200;
    iv_ap_belief *b;

    if (iv_ap_belief_new(&b, ranks, 2, x->p, x->m, false, NULL) != IV_OK)
        exit(1);
    const double start = now();
    for (int k = 0; k < judgments; k++) {
        const size_t next = iv_ap_belief_next(NULL, b, NULL, NULL);
        if (next != SIZE_MAX)
            iv_ap_belief_judge(b, next, k % 3 == 0);
    }
    const double took = (now() - start) / judgments;
    iv_ap_belief_free(b);
    return took;
}

int main(void)
{
    static const size_t sizes[] = { 1000, 3000, 10000, 30000, 100000 };

    printf("documents  moments ms  ns/(m log m)  limits ms  judgment ms  ns/m\n");
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        pool x = make_pool(sizes[k]);
        const double m = (double)sizes[k], moments = time_moments(&x);
        const double limits = time_limits(&x), judgment = time_judgment(&x);
        printf("%9zu  %10.3f  %12.2f  %9.3f  %11.4f  %4.2f\n", sizes[k], 1e3 * moments,
               1e9 * moments / (m * log2(m)), 1e3 * limits, 1e3 * judgment, 1e9 * judgment / m);
        free(x.a);
        free(x.b);
        free(x.p);
    }
    return 0;
}
