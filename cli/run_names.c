/* SPDX-License-Identifier: Apache-2.0 */
#include "run_names.h"

#include <stdlib.h>
#include <string.h>

/* From the best name to one that must do. */
enum { BY_TAG, BY_FILE, BY_PATH, BY_NUMBER };

static char *candidate(iv_str tag, const char *path, int choice, size_t number)
{
    const char *slash = strrchr(path, '/');
    const size_t room = tag.len + strlen(path) + 32;
    char *name = malloc(room);

    if (name == NULL)
        return NULL;
    if (choice == BY_TAG)
        (void)snprintf(name, room, "%.*s", (int)tag.len, tag.len > 0 ? tag.ptr : "");
    else if (choice == BY_FILE)
        (void)snprintf(name, room, "%s", slash != NULL && slash[1] != '\0' ? slash + 1 : path);
    else if (choice == BY_PATH)
        (void)snprintf(name, room, "%s", path);
    else
        (void)snprintf(name, room, "%s#%zu", path, number + 1);
    return name;
}

/* Is the name empty, or another run's?  Of equal paths the first may stay. */
static bool is_unfit(char *const *names, size_t count, size_t run, int choice)
{
    if (names[run][0] == '\0')
        return true;
    for (size_t r = 0; r < (choice >= BY_PATH ? run : count); r++) {
        if (r != run && strcmp(names[r], names[run]) == 0)
            return true;
    }
    return false;
}

int run_names_give(char **names, const iv_str *tags, char *const *paths, size_t count,
                   iv_err *err)
{
    bool *unfit = malloc((count + 1) * sizeof *unfit);
    bool more = true, failed = unfit == NULL;

    for (size_t r = 0; r < count && !failed; r++)
        unfit[r] = true;
    for (int choice = BY_TAG; choice <= BY_NUMBER && more && !failed; choice++) {
        for (size_t r = 0; r < count && !failed; r++) {
            if (!unfit[r])
                continue;
            free(names[r]);
            names[r] = candidate(tags[r], paths[r], choice, r);
            failed = names[r] == NULL;
        }
        more = false;
        for (size_t r = 0; r < count && !failed; r++) {
            unfit[r] = is_unfit(names, count, r, choice);
            more = more || unfit[r];
        }
    }
    free(unfit);
    return failed ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;
}
