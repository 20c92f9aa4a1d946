/* SPDX-License-Identifier: Apache-2.0 */
/* Ids as numbers in the order they are first seen. */
#ifndef IV_BASE_IDS_H
#define IV_BASE_IDS_H

#include "base/memory.h"

#define IV_NO_ID UINT32_MAX

/* {0} is a valid empty table. */
typedef struct iv_ids {
    iv_str *names;   /* by number */
    uint32_t *slots; /* number + 1; 0 is free */
    size_t count, names_capacity;
    size_t slot_count; /* a power of two, or 0 */
} iv_ids;

/* The number of id, a new one if need be; IV_NO_ID when memory is out. */
uint32_t iv_ids_add(iv_ids *t, iv_str id);

/* The number of id, or IV_NO_ID. */
uint32_t iv_ids_find(const iv_ids *t, iv_str id);

/* The number of a name, which is copied into the arena if it is new. */
IV_MUST_CHECK int iv_ids_number(uint32_t *out, iv_ids *t, iv_str name, iv_arena *own, iv_err *err);

void iv_ids_free(iv_ids *t);

#endif
