/* SPDX-License-Identifier: Apache-2.0 */
/* Names of runs: by tag, by file where tags repeat, all different. */
#include <stdlib.h>
#include <string.h>

#include "base/checking.h"
#include "base/order.h"
#include "estimate/evaluation_parts.h"
#include "estimate/estimate_private.h"

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

static char *candidate(iv_str tag, iv_str path, int choice, size_t number)
{
    const iv_str s = choice == BY_TAG ? tag : choice == BY_FILE ? file_of(path) : path;
    char *name = malloc(s.len + 32);

    if (name == NULL)
        return NULL;
    if (s.len > 0)
        memcpy(name, s.ptr, s.len);
    name[s.len] = '\0';
    if (choice == BY_NUMBER)
        (void)snprintf(name + s.len, 32, "#%zu", number);
    return name;
}

/*
 * Marks the runs whose name is empty or another's; with `later`, only the
 * second of two and those after it.  Returns how many.
 */
static size_t find_unfit(bool *unfit, iv_named *sorted, char *const *names, size_t count,
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

int iv_name_runs(char **names, const iv_str *tags, const char *const *paths, size_t count,
                 iv_err *err)
{
    IV_TRY(iv_check_list(tags, count, "tag", err));
    bool *unfit = calloc(count + 1, sizeof *unfit);
    iv_named *sorted = calloc(count + 1, sizeof *sorted);
    size_t left = count;
    bool failed = unfit == NULL || sorted == NULL;

    for (size_t r = 0; r < count && !failed; r++)
        unfit[r] = true;
    for (int choice = BY_TAG; choice <= BY_NUMBER && left > 0 && !failed; choice++) {
        size_t number = 1;
        for (size_t r = 0; r < count && !failed; r++) {
            if (!unfit[r])
                continue;
            free(names[r]);
            const iv_str path = paths[r] != NULL ? iv_str_of(paths[r])
                                : tags[r].len > 0 ? tags[r] : iv_str_of("run");
            names[r] = candidate(tags[r], path, choice, choice == BY_NUMBER ? ++number : 0);
            failed = names[r] == NULL;
        }
        if (!failed)
            left = find_unfit(unfit, sorted, names, count, choice >= BY_PATH);
    }
    free(unfit);
    free(sorted);
    return failed ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;
}
