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
 * The same of the array that a pointer holds, which `array` points to: false, and it is as it
 * was, when memory is out.
 */
bool iv_room(void *array, size_t *capacity, size_t need, size_t size);
#define IV_ROOM(array, capacity, need) iv_room(&(array), &(capacity), need, sizeof *(array))

/*
 * Memory for an array that will be filled from end to end, not zeroed; freed
 * with free().  Large ones ask for huge pages where the system has them: the
 * fault for a small page can cost as much as parsing twenty lines.
 */
void *iv_alloc_filled(size_t count, size_t size);

/* Many pieces, freed together, in any case and in one place.  {0} is a valid empty arena. */
typedef struct iv_arena {
    struct iv_arena_block *blocks;
    struct iv_owned *owned;
    bool failed; /* memory was out once: iv_taken() tells it */
} iv_arena;

/* `size` bytes aligned for any type, not zeroed; NULL when memory is out. */
void *iv_arena_alloc(iv_arena *a, size_t size);

/* Fails with IV_ENOMEM. */
int iv_no_memory(iv_err *err);

/* A terminated copy of s; NULL when memory is out. */
char *iv_arena_copy(iv_arena *a, iv_str s);

/*
 * Zeroed room for count elements of size.  NULL when memory is out, which the arena
 * remembers: who takes many pieces asks iv_taken() once, behind the last of them.
 */
void *iv_take(iv_arena *a, size_t count, size_t size);

/*
 * Room for one more element behind the `count` of an array of the arena, which has *capacity of
 * them.  Returns the array, perhaps moved; NULL when memory is out, and then it stays as it was.
 */
void *iv_arena_grow(iv_arena *a, void *at, size_t *capacity, size_t count, size_t size);

/* IV_OK, or IV_ENOMEM when something could not be had. */
IV_MUST_CHECK int iv_taken(const iv_arena *a, iv_err *err);

/* Lets the arena free an object, which may be NULL, by its own function.  Returns it; NULL
 * when memory is out, and then it is freed already. */
void *iv_own(iv_arena *a, void *object, void (*end)(void *object));

/* The same, of an object that is there, as a status: IV_OK or IV_ENOMEM. */
IV_MUST_CHECK int iv_keep(iv_arena *a, void *object, void (*end)(void *object), iv_err *err);

/* Frees every piece, what it owns last come first; the arena is empty again. */
void iv_arena_free(iv_arena *a);

/* Leaves a function at the first error: one that has nothing to free, since what it took
 * is an arena's. */
#define IV_TRY(call)               \
    do {                           \
        const int rc_ = (call);    \
        if (rc_ != IV_OK)          \
            return rc_;            \
    } while (0)

#endif /* IV_BASE_MEMORY_H */
