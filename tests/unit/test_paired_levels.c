/* SPDX-License-Identifier: Apache-2.0 */
/* Which population a bootstrap test resamples: how often it rejects where nothing differs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "intervale/stat.h"
#include "drawn.h"
#include "near.h"
#include "num/num_private.h"
#include "stat/stat_private.h"

/* Differences with a mean of 0: normal; one in ten four times as wide; exponential. */
static double draw_null(iv_stream *s, int kind)
{
    const double x = kind == 2 ? -log(iv_draw_uniform(s)) - 1.0 : iv_draw_normal(s);

    return kind == 1 && iv_draw_below(s, 10) == 0 ? 4.0 * x : x;
}

/* The usual way: the differences less their mean are resampled (Efron and Tibshirani
 * 1993, 16.4). */
static double centred_p(const double *d, size_t n, size_t resamples, uint64_t seed)
{
    const iv_differences k = iv_describe_differences(d, n);
    const double t = fabs(k.mean / k.sd);
    size_t extreme = 0;

    for (size_t r = 0; r < resamples; r++) {
        iv_stream s = iv_stream_start(seed, IV_FOR_CALLER, r);
        double sum = 0.0, squares = 0.0;
        for (size_t i = 0; i < n; i++) {
            const double x = d[iv_draw_below(&s, n)] - k.mean;
            sum += x;
            squares += x * x;
        }
        const double mean = sum / (double)n;
        const double sd = sqrt((squares - mean * sum) / (double)(n - 1));
        extreme += fabs(mean / sd) >= t;
    }
    return (double)(extreme + 1) / (double)(resamples + 1);
}

/* The table of doc/methods/comparing.md, within three of its standard errors. */
static void resampling_either_sign_holds_its_level_where_centring_does_not(void **state)
{
    (void)state;
    enum { NULLS = 4000, RESAMPLES = 299, N = 25 };
    static const double table[3][3] = { { 0.049, 0.051, 0.052 }, { 0.030, 0.045, 0.040 },
                                        { 0.057, 0.074, 0.074 } };

    for (int kind = 0; kind < 3; kind++) {
        size_t rejected[3] = { 0, 0, 0 };
        for (uint64_t trial = 0; trial < NULLS; trial++) {
            iv_stream s = iv_stream_start(17, IV_FOR_CALLER, trial);
            double d[N];
            iv_test t;
            for (size_t i = 0; i < N; i++)
                d[i] = draw_null(&s, kind);
            rejected[0] += centred_p(d, N, RESAMPLES, trial + 1) < 0.05 + 1e-9;
            const iv_work work = { .threads = 1, .seed = trial + 1 };
            assert_int_equal(iv_bootstrap_test(&t, d, N, RESAMPLES, IV_TWO_SIDED, &work, NULL),
                             IV_OK);
            rejected[1] += t.p < 0.05 + 1e-9;
            rejected[2] += iv_t_test(iv_describe_differences(d, N), IV_TWO_SIDED).p < 0.05;
        }
        for (int k = 0; k < 3; k++) {
            const double rate = (double)rejected[k] / NULLS;
            assert_near(rate, table[kind][k], 3.0 * sqrt(table[kind][k] / NULLS));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        drawn_unit_test(resampling_either_sign_holds_its_level_where_centring_does_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
