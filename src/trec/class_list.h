/* SPDX-License-Identifier: Apache-2.0 */
/* The names of classes. */
#ifndef IV_TREC_CLASS_LIST_H
#define IV_TREC_CLASS_LIST_H

#include "base/memory.h"
#include "intervale/base.h"

/* Start from {0}; names are to be given to free(), their texts lie elsewhere. */
typedef struct iv_class_list {
    const char **names;
    size_t count, capacity;
} iv_class_list;

/* Its number; IV_NONE: it is not there. */
size_t iv_class_find(const iv_class_list *all, iv_str name);

IV_MUST_CHECK int iv_class_add(iv_class_list *all, iv_str name, iv_arena *texts, iv_err *err);

/* Names between commas, of which none is empty or there already. */
IV_MUST_CHECK int iv_class_read(iv_class_list *all, const char *names, iv_arena *texts, iv_err *err);

/* In byte order. */
void iv_class_sort(iv_class_list *all);

#endif /* IV_TREC_CLASS_LIST_H */
