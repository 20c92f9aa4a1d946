/* SPDX-License-Identifier: Apache-2.0 */
/* Many runs in memory at once, as a frame and a study want them. */
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "intervale/design/sample.h"

typedef struct load_loop {
    iv_run **runs;
    const char *const *paths;
    iv_run_format format;
    int threads;
} load_loop;

static int load_item(void *user, void *memory, size_t i, iv_err *err)
{
    const load_loop *l = user;

    (void)memory;
    return iv_run_load(&l->runs[i], l->paths[i], l->format, l->threads, err);
}

int iv_runs_load(iv_run **out, const char *const *paths, size_t count,
                 iv_run_format format, const iv_work *work, iv_err *err)
{
    /* Few files: one after the other, each by all threads. */
    iv_work each = work == NULL ? (iv_work){ 0 } : *work;
    const int threads = iv_work_threads(work);
    const bool many = count >= 2 * (size_t)threads;
    load_loop l = { calloc(count + 1, sizeof(iv_run *)), paths, format, many ? 1 : threads };

    if (l.runs == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for %zu runs", count);
    each.threads = many ? threads : 1;
    const int rc = iv_parallel(&(iv_loop){ count, load_item, &l, NULL, NULL }, &each, err);
    if (rc == IV_OK)
        memcpy(out, l.runs, count * sizeof(iv_run *));
    for (size_t i = 0; i < count && rc != IV_OK; i++)
        iv_run_free(l.runs[i]);
    free(l.runs);
    return rc;
}
