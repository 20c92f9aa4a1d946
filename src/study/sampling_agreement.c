/* SPDX-License-Identifier: Apache-2.0 */
#include "study/sampling_study_parts.h"

#include <math.h>
#include <stdlib.h>

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

typedef struct comparison {
    const double *truth, *sampled;
    size_t runs, topics;
    iv_sampling_agreement *rows; /* of the runs */
} comparison;

static void *differences_new(iv_arena *own, void *user)
{
    return iv_take(own, ((comparison *)user)->topics + 1, sizeof(double));
}

/* A run beside those that follow. */
static int one_run(void *user, void *d, size_t i, iv_err *err)
{
    const comparison *c = user;
    const size_t n = c->topics;

    for (size_t k = i + 1; k < c->runs; k++) {
        const int x = verdict(c->truth + i * n, c->truth + k * n, d, n);
        const int y = verdict(c->sampled + i * n, c->sampled + k * n, d, n);
        if (x < -1 || y < -1)
            return iv_fail(err, IV_ENOMEM, "out of memory for a study");
        count_pair(&c->rows[i], x, y);
    }
    return IV_OK;
}

int iv_study_agreement(iv_sampling_agreement *out, const double *truth, const double *sampled,
                       size_t runs, size_t topics, const iv_work *work, iv_err *err)
{
    comparison c = { truth, sampled, runs, topics, calloc(runs + 1, sizeof *c.rows) };
    const int rc = c.rows == NULL ? iv_fail(err, IV_ENOMEM, "out of memory for a study")
        : iv_parallel(&(iv_loop){ runs, one_run, &c, differences_new }, work, err);

    out->neither = runs;
    for (size_t i = 0; i < runs && rc == IV_OK; i++) {
        out->neither += c.rows[i].neither;
        out->both += c.rows[i].both;
        out->truth_only += c.rows[i].truth_only;
        out->sample_only += c.rows[i].sample_only;
    }
    free(c.rows);
    return rc;
}
