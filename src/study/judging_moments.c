/* SPDX-License-Identifier: Apache-2.0 */
/* Plain and delta moments beside exact ones on random rankings. */
#include <math.h>
#include <stdlib.h>

#include "intervale/num.h"
#include "study/judging_study.h"

/* The first `returned` of a random order. */
static void draw_ranks(uint32_t *rank, size_t *order, size_t m, size_t returned,
                       iv_stream *s)
{
    for (size_t i = 0; i < m; i++)
        rank[i] = 0;
    (void)iv_draw_sequence(s, order, m, m);
    for (size_t k = 0; k < returned; k++)
        rank[order[k]] = (uint32_t)k + 1;
}

int iv_moments_study(iv_moments_error *out, size_t m, double prevalence, size_t rankings,
                     uint64_t seed, iv_err *err)
{
    static const iv_moments_form forms[] = { IV_MOMENTS_PLAIN, IV_MOMENTS_DELTA,
                                             IV_MOMENTS_EXACT };
    iv_moments_error sum = { .documents = m, .prevalence = prevalence };
    uint32_t *rank = malloc((2 * m + 1) * sizeof *rank);
    size_t *order = malloc((m + 1) * sizeof *order);
    double *p = malloc((m + 1) * sizeof *p);
    int rc = rank == NULL || order == NULL || p == NULL
        ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    if (rc == IV_OK && (!(prevalence > 0.0 && prevalence < 1.0) || m < 2 || rankings < 1))
        rc = iv_fail(err, IV_EARG, "%zu documents at prevalence %g", m, prevalence);
    for (size_t k = 0; k < rankings && rc == IV_OK; k++) {
        iv_stream s = iv_stream_start(seed, IV_FOR_STUDY, k);
        iv_moments form[3];
        draw_ranks(rank + m, order, m, m - m / 2, &s);
        draw_ranks(rank, order, m, m, &s);
        /* Relevance falls along a, which is therefore the better one. */
        for (size_t i = 0; i < m; i++)
            p[i] = fmin(0.98, 2.0 * prevalence * ((double)(m - rank[i]) + 0.5) / (double)m);
        for (int f = 0; f < 3 && rc == IV_OK; f++)
            rc = iv_ap_difference(&form[f], rank, rank + m, p, m, forms[f], err);
        if (rc != IV_OK)
            break;
        const double sd = sqrt(form[2].variance), n = (double)rankings;
        sum.plain_mean += pow((form[0].mean - form[2].mean) / sd, 2.0) / n;
        sum.delta_mean += pow((form[1].mean - form[2].mean) / sd, 2.0) / n;
        sum.plain_sd += sqrt(form[0].variance) / sd / n;
        sum.delta_sd += sqrt(form[1].variance) / sd / n;
    }
    sum.plain_mean = sqrt(sum.plain_mean);
    sum.delta_mean = sqrt(sum.delta_mean);
    free(rank);
    free(order);
    free(p);
    if (rc == IV_OK)
        *out = sum;
    return rc;
}
