/* SPDX-License-Identifier: Apache-2.0 */
/* Runs as a request names them: many files read at once, and names that are all different. */
#include "base/arguments.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/parallel.h"
#include "trec/run_source.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------- many runs -- */

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

/* Names of runs: by tag, by file where tags repeat, all different. */

/* From the best name to one that must do. */
enum { BY_TAG, BY_FILE, BY_PATH, BY_NUMBER };

/* What follows the last slash, if something does. */
static iv_str file_of(iv_str path)
{
    for (size_t i = path.len; i-- > 0 && path.len > 0;)
        if (path.ptr[i] == '/')
            return i + 1 < path.len ? (iv_str){ path.ptr + i + 1, path.len - i - 1 } : path;
    return path;
}

static const char *candidate(iv_arena *own, iv_str tag, iv_str path, int choice, size_t number)
{
    const iv_str s = choice == BY_TAG ? tag : choice == BY_FILE ? file_of(path) : path;
    char *name = iv_take(own, s.len + 32, 1);

    if (name != NULL && s.len > 0)
        memcpy(name, s.ptr, s.len);
    if (name != NULL && choice == BY_NUMBER)
        (void)snprintf(name + s.len, 32, "#%zu", number);
    return name;
}

/*
 * Marks the runs whose name is empty or another's; with `later`, only the
 * second of two and those after it.  Returns how many.
 */
static size_t find_unfit(bool *unfit, iv_named *sorted, const char *const *names, size_t count,
                         bool later)
{
    size_t found = 0;

    for (size_t r = 0; r < count; r++) {
        sorted[r] = (iv_named){ iv_str_of(names[r]), r };
        unfit[r] = names[r][0] == '\0';
    }
    qsort(sorted, count, sizeof *sorted, iv_by_name);
    for (size_t i = 1; i < count; i++)
        if (iv_str_cmp(sorted[i].name, sorted[i - 1].name) == 0) {
            unfit[sorted[i].at] = true;
            unfit[sorted[i - 1].at] = unfit[sorted[i - 1].at] || !later;
        }
    for (size_t r = 0; r < count; r++)
        found += unfit[r];
    return found;
}

int iv_name_runs(const char **names, iv_arena *own, const iv_str *tags, const char *const *paths,
                 size_t count, iv_err *err)
{
    bool *unfit = iv_take(own, count + 1, sizeof *unfit);
    iv_named *sorted = iv_take(own, count + 1, sizeof *sorted);
    size_t left = count;

    IV_TRY(iv_taken(own, err));
    for (size_t r = 0; r < count; r++)
        unfit[r] = true;
    for (int choice = BY_TAG; choice <= BY_NUMBER && left > 0; choice++) {
        size_t number = 1;
        for (size_t r = 0; r < count; r++) {
            if (!unfit[r])
                continue;
            const iv_str path = paths[r] != NULL ? iv_str_of(paths[r])
                                : tags[r].len > 0 ? tags[r] : iv_str_of("run");
            names[r] = candidate(own, tags[r], path, choice, choice == BY_NUMBER ? ++number : 0);
        }
        IV_TRY(iv_taken(own, err));
        left = find_unfit(unfit, sorted, names, count, choice >= BY_PATH);
    }
    return IV_OK;
}
