/* SPDX-License-Identifier: Apache-2.0 */
#include "study/sampling_agreement.h"

#include <math.h>
#include <stdlib.h>

#include "base/threads.h"
#include "intervale/stat/paired.h"

static const double alpha = 0.05;

/* 1: a is better, -1: b is, 0: neither is significant; below -1: an error. */
static int verdict(const double *a, const double *b, double *d, size_t n)
{
    iv_test t;

    for (size_t i = 0; i < n; i++)
        d[i] = a[i] - b[i];
    if (iv_wilcoxon_test(&t, d, n, IV_ZEROS_DROP, IV_GREATER, NULL) != IV_OK)
        return -2;
    if (t.p < alpha)
        return 1;
    if (iv_wilcoxon_test(&t, d, n, IV_ZEROS_DROP, IV_LESS, NULL) != IV_OK)
        return -2;
    return t.p < alpha ? -1 : 0;
}

/* One unordered pair is two ordered ones. */
static void count_pair(iv_sampling_agreement *a, int truth, int sampled)
{
    for (int side = -1; side <= 1; side += 2) {
        const int in_truth = truth == side, in_sample = sampled == side;
        a->both += in_truth && in_sample;
        a->truth_only += in_truth && !in_sample;
        a->sample_only += !in_truth && in_sample;
        a->neither += !in_truth && !in_sample;
    }
}

int iv_study_agreement(iv_sampling_agreement *out, const double *truth,
                       const double *sampled, size_t runs, size_t topics, int threads,
                       iv_err *err)
{
    size_t neither = runs, both = 0, truth_only = 0, sample_only = 0;
    bool failed = false;

    #pragma omp parallel num_threads(iv_threads(threads)) \
        reduction(+ : neither, both, truth_only, sample_only) reduction(|| : failed)
    {
        double *d = malloc((topics + 1) * sizeof *d);
        failed = d == NULL;
        neither = 0;
        #pragma omp for schedule(dynamic, 1)
        for (size_t i = 0; i < runs; i++)
            for (size_t k = i + 1; k < runs && !failed; k++) {
                iv_sampling_agreement one = { .depth = 0 };
                const int x = verdict(truth + i * topics, truth + k * topics, d, topics);
                const int y = verdict(sampled + i * topics, sampled + k * topics, d, topics);
                failed = x < -1 || y < -1;
                count_pair(&one, x, y);
                neither += one.neither;
                both += one.both;
                truth_only += one.truth_only;
                sample_only += one.sample_only;
            }
        free(d);
    }
    if (failed)
        return iv_fail(err, IV_ENOMEM, "out of memory for a study");
    out->neither = neither;
    out->both = both;
    out->truth_only = truth_only;
    out->sample_only = sample_only;
    return IV_OK;
}
