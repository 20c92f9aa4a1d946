/* SPDX-License-Identifier: Apache-2.0 */
/* What a caller can get wrong that no type prevents. */
#include "base/arguments.h"
#include "base/err.h"
#include "base/ids.h"

#include <math.h>
#include <string.h>

int iv_check_given(const void *at, const char *what, iv_err *err)
{
    return at != NULL ? IV_OK : iv_fail(err, IV_EARG, "%s: NULL, expected one", what);
}

int iv_check_list(const void *at, size_t count, const char *what, iv_err *err)
{
    return at != NULL || count == 0 ? IV_OK
        : iv_fail(err, IV_EARG, "a list of %zu is NULL, expected each %s", count, what);
}

int iv_check_each(const void *pointers, size_t count, const char *what, iv_err *err)
{
    IV_TRY(iv_check_list(pointers, count, what, err));
    for (size_t i = 0; i < count; i++) {
        const void *one; /* whatever they point to */
        memcpy(&one, (const char *)pointers + i * sizeof one, sizeof one);
        if (one == NULL)
            return iv_fail(err, IV_EARG, "%s %zu of %zu is NULL", what, i + 1, count);
    }
    return IV_OK;
}

int iv_check_reals(const double *at, size_t count, const char *what, iv_err *err)
{
    IV_TRY(iv_check_list(at, count, what, err));
    for (size_t i = 0; i < count; i++)
        if (isnan(at[i]))
            return iv_fail(err, IV_EARG, "%s is NaN, expected a number", what);
    return IV_OK;
}

int iv_check_choice(unsigned value, const char *const *names, const char *what, iv_err *err)
{
    unsigned count = 0;

    while (names[count] != NULL)
        count++;
    return value < count ? IV_OK : iv_fail(err, IV_EARG, "%s is number %d, expected 0 to %u (%s "
                                           "to %s)", what, (int)value, count - 1, names[0],
                                           names[count - 1]);
}

static int check_texts(const iv_texts *t, const char *what, bool filled, iv_err *err)
{
    IV_TRY(iv_check_each(t->at, t->count, what, err));
    for (size_t i = 0; i < t->count && filled; i++)
        if (t->at[i][0] == '\0')
            return iv_fail(err, IV_EARG, "%s %zu of %zu is '', the empty text", what, i + 1,
                           t->count);
    return IV_OK;
}

static int check_names(const iv_texts *t, const char *what, iv_err *err)
{
    iv_ids ids = { 0 };
    int rc = check_texts(t, what, true, err);

    for (size_t i = 0; i < t->count && rc == IV_OK; i++) {
        const uint32_t id = iv_ids_add(&ids, iv_str_of(t->at[i]));
        if (id == IV_NO_ID)
            rc = iv_no_memory(err);
        else if (id != i)
            rc = iv_fail(err, IV_EARG, "%s %zu of %zu has the name of %s %u, '%.80s'", what,
                         i + 1, t->count, what, id + 1, t->at[i]);
    }
    iv_ids_free(&ids);
    return rc;
}

static int check_path(const char *path, const char *what, iv_err *err)
{
    return path == NULL || path[0] != '\0' ? IV_OK
        : iv_fail(err, IV_EARG, "the path of %s is '', the empty text", what);
}

static int check_part(const iv_part *p, const void *of, iv_err *err)
{
    const void *at = (const char *)of + p->at, *list;
    const size_t *count = (const size_t *)(const void *)((const char *)of + p->count);

    switch (p->kind) {
    case IV_IS_LIST:
    case IV_IS_EACH:
        memcpy(&list, at, sizeof list);
        return (p->kind == IV_IS_LIST ? iv_check_list : iv_check_each)(list, *count, p->what, err);
    case IV_IS_TEXTS:
    case IV_IS_PATHS:
        return check_texts(at, p->what, p->kind == IV_IS_PATHS, err);
    case IV_IS_NAMES:
        return check_names(at, p->what, err);
    case IV_IS_PATH:
        return check_path(*(const char *const *)at, p->what, err);
    case IV_IS_INTEGERS:
        return iv_check_list(((const iv_integers *)at)->at, ((const iv_integers *)at)->count,
                             p->what, err);
    case IV_IS_REALS:
        return iv_check_reals(((const iv_reals *)at)->at, ((const iv_reals *)at)->count, p->what,
                              err);
    case IV_IS_REAL:
    case IV_IS_CONFIDENCE:
        return iv_check_reals(at, 1, p->what, err);
    case IV_IS_CHOICE:
        break;
    }
    return iv_check_choice(*(const unsigned *)at, p->names(), p->what, err);
}

int iv_check_parts(const void *of, const iv_part *parts, size_t count, iv_err *err)
{
    for (size_t i = 0; i < count && of != NULL; i++)
        IV_TRY(check_part(&parts[i], of, err));
    return IV_OK;
}

static bool is_given(const iv_option *o, const void *request)
{
    const char *at = (const char *)request + o->at;

    for (size_t i = 0; i < o->size; i++)
        if (at[i] != 0)
            return true;
    return false;
}

int iv_refuse_options(const void *request, const iv_option *options, const iv_case *cases,
                      unsigned in, iv_err *err)
{
    for (const iv_case *c = cases; c->bit != 0; c++)
        for (const iv_option *o = options; o->name != NULL; o++) {
            const char *words = (o->excluded & in & c->bit) != 0 ? c->with
                : (o->needs & ~in & c->bit) != 0 ? c->without : NULL;
            if (words != NULL && is_given(o, request))
                return iv_fail(err, IV_EARG, "--%s cannot be used %s", o->name, words);
        }
    return IV_OK;
}
