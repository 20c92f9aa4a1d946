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

#endif /* IV_TREC_CLASS_LIST_H */
