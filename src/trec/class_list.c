/* SPDX-License-Identifier: Apache-2.0 */
#include "trec/class_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/ids.h"
#include "intervale/trec.h"

size_t iv_class_find(const iv_class_list *all, iv_str name)
{
    for (size_t i = 0; i < all->count; i++) {
        if (iv_str_eq(name, iv_str_of(all->names[i])))
            return i;
    }
    return IV_NONE;
}

int iv_class_add(iv_class_list *all, iv_str name, iv_arena *texts, iv_err *err)
{
    const char **grown = iv_grow(all->names, &all->capacity, all->count + 1, sizeof *grown);

    if (grown == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    all->names = grown;
    grown[all->count] = iv_arena_copy(texts, name);
    return grown[all->count] != NULL ? (all->count++, IV_OK)
                                     : iv_fail(err, IV_ENOMEM, "out of memory");
}

int iv_class_read(iv_class_list *all, const char *names, iv_arena *texts, iv_err *err)
{
    for (const char *p = names;; p++) {
        const iv_str name = { p, strcspn(p, ",") };
        if (name.len == 0 || iv_class_find(all, name) != IV_NONE)
            return iv_fail(err, IV_EARG, "classes: a name is empty or there twice");
        const int rc = iv_class_add(all, name, texts, err);
        p += name.len;
        if (rc < 0 || *p == '\0')
            return rc;
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void iv_class_sort(iv_class_list *all)
{
    if (all->count > 1)
        qsort(all->names, all->count, sizeof *all->names, by_name);
}
