/* SPDX-License-Identifier: Apache-2.0 */
/* The runs of an evaluation: their names and their order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "eval.h"

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* What a run could be called, from the best name to one that must do. */
static char *candidate(const eval *e, size_t run, int choice, size_t number)
{
    const iv_str tag = e->tags != NULL ? e->tags[run] : iv_scores_tag(e->runs[run]);
    const char *path = e->paths[run];
    const size_t room = tag.len + strlen(path) + 32;
    char *name = malloc(room);

    if (name == NULL)
        return NULL;
    if (choice == 0)
        (void)snprintf(name, room, "%.*s", (int)tag.len, tag.len > 0 ? tag.ptr : "");
    else if (choice == 1)
        (void)snprintf(name, room, "%s", file_name(path));
    else if (choice == 2)
        (void)snprintf(name, room, "%s", path);
    else
        (void)snprintf(name, room, "%s#%zu", path, number);
    return name;
}

typedef struct entry {
    const char *name;
    size_t run;
} entry;

static int by_name(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    const int order = strcmp(x->name, y->name);

    return order != 0 ? order : (x->run > y->run) - (x->run < y->run);
}

/*
 * Marks the runs whose name is empty or another's; with `later`, only the
 * second of two and those after it.  Returns how many.
 */
static size_t find_repeated(bool *repeated, entry *sorted, char *const *names,
                            size_t count, bool later)
{
    size_t found = 0;

    for (size_t r = 0; r < count; r++) {
        sorted[r] = (entry){ names[r], r };
        repeated[r] = names[r][0] == '\0';
    }
    qsort(sorted, count, sizeof *sorted, by_name);
    for (size_t i = 1; i < count; i++)
        if (strcmp(sorted[i].name, sorted[i - 1].name) == 0) {
            repeated[sorted[i].run] = true;
            repeated[sorted[i - 1].run] = repeated[sorted[i - 1].run] || !later;
        }
    for (size_t r = 0; r < count; r++)
        found += repeated[r];
    return found;
}

int eval_name_runs(eval *e, iv_err *err)
{
    bool *repeated = calloc(e->count + 1, sizeof *repeated);
    entry *sorted = calloc(e->count + 1, sizeof *sorted);
    size_t left = e->count;
    bool failed = repeated == NULL || sorted == NULL;

    for (size_t r = 0; r < e->count && !failed; r++)
        repeated[r] = true;
    for (int choice = 0; choice < 4 && left > 0 && !failed; choice++) {
        size_t number = 1;
        for (size_t r = 0; r < e->count && !failed; r++) {
            if (!repeated[r])
                continue;
            char *name = candidate(e, r, choice, choice == 3 ? ++number : 0);
            failed = name == NULL;
            if (!failed) {
                free(e->names[r]);
                e->names[r] = name;
            }
        }
        if (!failed)
            left = find_repeated(repeated, sorted, e->names, e->count, choice >= 2);
    }
    free(repeated);
    free(sorted);
    return failed ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;
}

size_t eval_first_value(const eval *e)
{
    for (size_t i = 0; i < e->width; i++) {
        const iv_measure_info *m = iv_measures_value(e->measures, i)->measure;
        if (m->kind != IV_TEXT && m->per_topic)
            return i;
    }
    return IV_NONE;
}

/* The value that decides the order. */
static size_t deciding_value(const eval *e)
{
    for (size_t i = 0; i < e->width; i++)
        if (eval_shows(e, i) && isfinite(e->means[i].value))
            return i;
    return IV_NONE;
}

void eval_order_runs(eval *e)
{
    const size_t value = e->means != NULL ? deciding_value(e) : IV_NONE;

    for (size_t r = 0; r < e->count; r++) {
        size_t at = r;
        /* By insertion, and stable: equal runs stay in the order given. */
        while (value != IV_NONE && at > 0
               && e->means[e->order[at - 1] * e->width + value].value
                   < e->means[r * e->width + value].value) {
            e->order[at] = e->order[at - 1];
            at--;
        }
        e->order[at] = r;
    }
}

bool eval_shows(const eval *e, size_t value)
{
    return iv_measures_value(e->measures, value)->measure->kind != IV_TEXT;
}
