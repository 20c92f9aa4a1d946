/* SPDX-License-Identifier: Apache-2.0 */
/* Memory: growable arrays, and an arena for what lives and dies together. */
#ifndef IV_BASE_MEMORY_H
#define IV_BASE_MEMORY_H

#include "intervale/base.h"

/*
 * Makes room for `need` elements of `size` bytes in the array at ptr, which
 * holds *capacity of them.  Returns the array, perhaps moved, or NULL with
 * ptr still valid.  Grows by half, so that appending one by one is linear.
 */
void *iv_grow(void *ptr, size_t *capacity, size_t need, size_t size);

/*
 * Memory for an array that will be filled from end to end, not zeroed; freed
 * with free().  Large ones ask for huge pages where the system has them: the
 * fault for a small page can cost as much as parsing twenty lines.
 */
void *iv_alloc_filled(size_t count, size_t size);

/* Many small pieces, freed together.  {0} is a valid empty arena. */
typedef struct iv_arena {
    struct iv_arena_block *blocks;
    bool failed; /* a piece was refused */
} iv_arena;

/* `size` bytes aligned for any type, not zeroed; NULL when memory is out. */
void *iv_arena_alloc(iv_arena *a, size_t size);

/* `count` elements of `size` bytes, all 0; NULL when memory is out. */
void *iv_arena_zeros(iv_arena *a, size_t count, size_t size);

/* Fails with IV_ENOMEM. */
int iv_no_memory(iv_err *err);

/* IV_ENOMEM when a piece was refused, else IV_OK: asked once for many pieces. */
int iv_arena_status(const iv_arena *a, iv_err *err);

/* A terminated copy of s; NULL when memory is out. */
char *iv_arena_copy(iv_arena *a, iv_str s);

/* Frees every piece; the arena is empty again. */
void iv_arena_free(iv_arena *a);

#endif /* IV_BASE_MEMORY_H */
