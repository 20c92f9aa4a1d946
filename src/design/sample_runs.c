/* SPDX-License-Identifier: Apache-2.0 */
/* Many runs in memory at once, as a frame and a study want them. */
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "intervale/design/sample.h"

int iv_runs_load(iv_run **out, const char *const *paths, size_t count,
                 iv_run_format format, int threads, iv_err *err)
{
    const int many = iv_threads(threads);
    iv_run **runs = calloc(count + 1, sizeof(iv_run *));
    size_t failed = count;
    int worst = IV_OK;
    iv_err told = { IV_OK, "" };

    if (runs == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for %zu runs", count);
    #pragma omp parallel for schedule(dynamic, 1) num_threads(many) \
        if (count >= 2 * (size_t)many)
    for (size_t i = 0; i < count; i++) {
        iv_err own = { IV_OK, "" };
        const int rc = iv_run_load(&runs[i], paths[i], format,
                                   &(iv_work){ .threads = count >= 2 * (size_t)many ? 1 : many }, &own);
        if (rc != IV_OK) {
            #pragma omp critical(iv_runs_load)
            if (i < failed) {
                failed = i;
                worst = rc;
                told = own;
            }
        }
    }
    if (worst != IV_OK) {
        for (size_t i = 0; i < count; i++)
            iv_run_free(runs[i]);
        if (err != NULL)
            *err = told;
    } else {
        memcpy(out, runs, count * sizeof(iv_run *));
    }
    free(runs);
    return worst;
}
