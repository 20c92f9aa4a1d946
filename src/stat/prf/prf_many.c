/* SPDX-License-Identifier: Apache-2.0 */
/* Many posteriors and comparisons, on all processors. */
#include "base/threads.h"
#include "intervale/stat/prf.h"

/* The failure of the lowest index, whichever thread met it. */
typedef struct first_failure {
    size_t at;
    int rc;
    iv_err err;
} first_failure;

static void keep_first(first_failure *f, size_t at, int rc, const iv_err *err)
{
#pragma omp critical(iv_prf_first_failure)
    if (f->rc == IV_OK || at < f->at) {
        f->at = at;
        f->rc = rc;
        f->err = *err;
    }
}

static int conclude(const first_failure *f, iv_err *err)
{
    return f->rc == IV_OK ? IV_OK : iv_fail_as(err, &f->err);
}

int iv_posterior_prf_all(iv_posterior **out, const iv_prf_cells *c, const iv_prf_metric *m,
                         size_t count, int threads, iv_err *err)
{
    first_failure f = { .rc = IV_OK };

    for (size_t i = 0; i < count; i++)
        out[i] = NULL;
#pragma omp parallel for schedule(dynamic) num_threads(iv_threads(threads))
    for (size_t i = 0; i < count; i++) {
        iv_err here = { IV_OK, "" };
        const int rc = iv_posterior_prf(&out[i], &c[i], m[i], &here);
        if (rc < 0)
            keep_first(&f, i, rc, &here);
    }
    if (f.rc != IV_OK) {
        for (size_t i = 0; i < count; i++) {
            iv_posterior_free(out[i]);
            out[i] = NULL;
        }
    }
    return conclude(&f, err);
}

int iv_posterior_compare_all(iv_posterior_gap *out, const iv_posterior *const *a,
                             const iv_posterior *const *b, size_t count, double confidence,
                             int threads, iv_err *err)
{
    first_failure f = { .rc = IV_OK };

#pragma omp parallel for schedule(dynamic) num_threads(iv_threads(threads))
    for (size_t i = 0; i < count; i++) {
        iv_err here = { IV_OK, "" };
        const int rc = iv_posterior_compare(&out[i], a[i], b[i], confidence, &here);
        if (rc < 0)
            keep_first(&f, i, rc, &here);
    }
    return conclude(&f, err);
}
