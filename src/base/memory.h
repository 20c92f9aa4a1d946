/* SPDX-License-Identifier: Apache-2.0 */
/* Growing arrays, and arenas of memory that is freed together. */
#ifndef IV_BASE_MEMORY_H
#define IV_BASE_MEMORY_H

#include <stdlib.h>

#include "intervale/base.h"

/*
 * Makes room for `need` elements of `size` bytes in the array that a pointer holds, which `array`
 * points to; it has *capacity of them, and may move.  False, and it is as it was, when memory is
 * out.  Grows by half, so that appending one by one is linear.
 */
bool iv_room(void *array, size_t *capacity, size_t need, size_t size);
#define IV_ROOM(array, capacity, need) iv_room(&(array), &(capacity), need, sizeof *(array))

/*
 * Memory for an array that will be filled from end to end, not zeroed; freed
 * with free().  Large ones ask for huge pages where the system has them: the
 * fault for a small page can cost as much as parsing twenty lines.
 */
void *iv_alloc_filled(size_t count, size_t size);

/* Keeps a copy of s in memory that has *room bytes and grows; false when memory is out.  Start from
 * zeros; the bytes are freed with free(). */
bool iv_str_keep(iv_str *kept, size_t *room, iv_str s);

/* Many pieces, freed together, in any case and in one place.  {0} is a valid empty arena. */
typedef struct iv_arena {
    struct iv_arena_block *blocks;
    struct iv_owned *owned;
    bool failed; /* memory was out once: iv_taken() tells it */
} iv_arena;

/* `size` bytes aligned for any type, not zeroed; NULL when memory is out. */
void *iv_arena_alloc(iv_arena *a, size_t size);

/* A terminated copy of s; NULL when memory is out. */
char *iv_arena_copy(iv_arena *a, iv_str s);

/*
 * Zeroed room for count elements of size.  NULL when memory is out, which the arena
 * remembers: who takes many pieces asks iv_taken() once, behind the last of them.
 */
void *iv_take(iv_arena *a, size_t count, size_t size);

/* The same of an array of the arena, for one more element behind its `count`. */
bool iv_arena_room(iv_arena *a, void *array, size_t *capacity, size_t count, size_t size);
#define IV_ARENA_ROOM(a, array, capacity, count) \
    iv_arena_room(a, &(array), &(capacity), count, sizeof *(array))

/* Texts in an arena; {0} is a valid empty list.  When memory is out the list stays as it was. */
typedef struct iv_words {
    const char **at;
    size_t count, capacity;
} iv_words;
void iv_words_add(iv_arena *a, iv_words *list, const char *text);

/* IV_OK, or IV_ENOMEM when something could not be had. */
IV_MUST_CHECK int iv_taken(const iv_arena *a, iv_err *err);

/* Lets the arena free an object, which may be NULL, by its own function.  Returns it; NULL
 * when memory is out, and then it is freed already. */
void *iv_own(iv_arena *a, void *object, void (*end)(void *object));

/* Defines iv_end_<T>(), such a function. */
#define IV_ENDS(T) static inline void iv_end_##T(void *object) { iv_##T##_free(object); }

/* The same, of an object that is there, as a status: IV_OK or IV_ENOMEM. */
IV_MUST_CHECK int iv_keep(iv_arena *a, void *object, void (*end)(void *object), iv_err *err);

/* Gives every piece back and keeps the memory, as one block: what is as large the next time need
 * not be had anew. */
void iv_arena_reuse(iv_arena *a);

/* Frees every piece, what it owns last come first; the arena is empty again. */
void iv_arena_free(iv_arena *a);

/* Defines iv_<T>_free(), which frees an object with all that its arena has; NULL is fine. */
#define IV_FREES(T, arena)            \
    void iv_##T##_free(iv_##T *object) \
    {                                 \
        if (object != NULL)           \
            iv_arena_free(&object->arena); \
        free(object);                 \
    }

#endif
