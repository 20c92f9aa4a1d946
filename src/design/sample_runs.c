/* SPDX-License-Identifier: Apache-2.0 */
/* Many runs in memory at once, as a frame and a study want them. */
#include <stdlib.h>
#include <string.h>

#include "base/checking.h"
#include "base/parallel.h"
#include "intervale/design/sample.h"

typedef struct load_loop {
    iv_run **runs;
    const char *const *paths;
    size_t count;
    iv_run_format format;
    const iv_work *work;
    bool many; /* files, which are read side by side, one thread a file */
} load_loop;

static int load_item(void *user, void *memory, size_t i, iv_err *err)
{
    const load_loop *l = user;
    const double n = (double)l->count;
    iv_stage stage = { .work = iv_work_quiet(l->work) };

    (void)memory;
    if (l->many)
        stage.work.threads = 1;
    else
        (void)iv_work_part(&stage, l->work, (double)i / n, (double)(i + 1) / n);
    return iv_run_load(&l->runs[i], l->paths[i], l->format, &stage.work, err);
}

int iv_runs_load(iv_run **out, const char *const *paths, size_t count,
                 iv_run_format format, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_each(paths, count, "run", err));
    IV_TRY(iv_check_choice(format, iv_run_format_names(), "the format of the runs", err));
    const iv_work all = work == NULL ? (iv_work){ 0 } : *work;
    const bool many = count >= 2 * (size_t)iv_work_threads(work);
    load_loop l = { calloc(count + 1, sizeof(iv_run *)), paths, count, format, &all,
                    many };
    iv_work files = all;

    if (l.runs == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for %zu runs", count);
    if (!many) /* few files: one after the other, each by all threads */
        files.threads = 1;
    const int rc = iv_parallel(&(iv_loop){ count, load_item, &l, NULL }, &files, err);
    if (rc == IV_OK)
        memcpy(out, l.runs, count * sizeof(iv_run *));
    for (size_t i = 0; i < count && rc != IV_OK; i++)
        iv_run_free(l.runs[i]);
    free(l.runs);
    return rc;
}
