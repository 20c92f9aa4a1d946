/* SPDX-License-Identifier: Apache-2.0 */
/* Growing arrays, and arenas of memory that is freed together. */
#define _DEFAULT_SOURCE /* madvise */
#include "base/err.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#ifndef _WIN32
#include <sys/mman.h>
#endif

bool iv_room(void *array, size_t *capacity, size_t need, size_t size)
{
    size_t wanted = *capacity + *capacity / 2;
    void *at;

    memcpy(&at, array, sizeof at);
    if (need <= *capacity && at != NULL)
        return true;
    if (wanted < need)
        wanted = need;
    if (wanted < 8)
        wanted = 8;
    at = wanted > SIZE_MAX / size ? NULL : realloc(at, wanted * size);
    if (at == NULL)
        return false;
    memcpy(array, &at, sizeof at);
    *capacity = wanted;
    return true;
}

bool iv_str_keep(iv_str *kept, size_t *room, iv_str s)
{
    char *at = (char *)(uintptr_t)kept->ptr;

    if (!IV_ROOM(at, *room, s.len + 1))
        return false;
    if (s.len > 0)
        memcpy(at, s.ptr, s.len);
    *kept = (iv_str){ at, s.len };
    return true;
}

void *iv_alloc_filled(size_t count, size_t size)
{
    enum { HUGE_PAGE = 1 << 21 };
    void *ptr = NULL;

    if (count > (SIZE_MAX - HUGE_PAGE) / size)
        return NULL;
    const size_t bytes = count * size;
    if (bytes < HUGE_PAGE)
        return malloc(bytes > 0 ? bytes : 1);
    if (posix_memalign(&ptr, HUGE_PAGE, bytes) != 0)
        return NULL;
#ifdef MADV_HUGEPAGE
    /* Whole pages only: the rest would be paid for and not used. */
    (void)madvise(ptr, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
#endif
    return ptr;
}

struct iv_arena_block {
    struct iv_arena_block *next;
    size_t used, size;
    max_align_t bytes[];
};

void *iv_arena_alloc(iv_arena *a, size_t size)
{
    enum { BLOCK = 16384 };
    struct iv_arena_block *b = a->blocks;

    if (size > SIZE_MAX / 2) {
        a->failed = true;
        return NULL;
    }
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (b == NULL || b->size - b->used < size) {
        const size_t room = size > BLOCK ? size : BLOCK;
        b = malloc(sizeof *b + room);
        a->failed = a->failed || b == NULL;
        if (b == NULL)
            return NULL;
        *b = (struct iv_arena_block){ a->blocks, 0, room };
        a->blocks = b;
    }
    void *piece = (char *)b->bytes + b->used;
    b->used += size;
    return piece;
}

int iv_no_memory(iv_err *err)
{
    return iv_fail(err, IV_ENOMEM, "out of memory");
}

char *iv_arena_copy(iv_arena *a, iv_str s)
{
    char *copy = s.len == SIZE_MAX ? NULL : iv_arena_alloc(a, s.len + 1);

    if (copy == NULL)
        return NULL;
    if (s.len > 0)
        memcpy(copy, s.ptr, s.len);
    copy[s.len] = '\0';
    return copy;
}

void *iv_take(iv_arena *a, size_t count, size_t size)
{
    void *piece = count > SIZE_MAX / size ? NULL : iv_arena_alloc(a, count * size);

    a->failed = a->failed || piece == NULL;
    return piece == NULL ? NULL : memset(piece, 0, count * size);
}

bool iv_arena_room(iv_arena *a, void *array, size_t *capacity, size_t count, size_t size)
{
    const size_t room = *capacity < 8 ? 8 : 2 * *capacity;
    void *at, *grown = count < *capacity ? NULL : iv_take(a, room, size);

    if (grown == NULL)
        return count < *capacity;
    memcpy(&at, array, sizeof at);
    if (count > 0)
        memcpy(grown, at, count * size);
    memcpy(array, &grown, sizeof grown);
    *capacity = room;
    return true;
}

void iv_words_add(iv_arena *a, iv_words *list, const char *text)
{
    if (IV_ARENA_ROOM(a, list->at, list->capacity, list->count))
        list->at[list->count++] = text;
}

int iv_taken(const iv_arena *a, iv_err *err)
{
    return a->failed ? iv_no_memory(err) : IV_OK;
}

struct iv_owned {
    struct iv_owned *next;
    void *object;
    void (*end)(void *object);
};

void *iv_own(iv_arena *a, void *object, void (*end)(void *object))
{
    struct iv_owned *o = object == NULL ? NULL : iv_take(a, 1, sizeof *o);

    if (o == NULL) {
        a->failed = true;
        if (object != NULL)
            end(object);
        return NULL;
    }
    *o = (struct iv_owned){ a->owned, object, end };
    a->owned = o;
    return object;
}

int iv_keep(iv_arena *a, void *object, void (*end)(void *object), iv_err *err)
{
    return iv_own(a, object, end) != NULL ? IV_OK : iv_no_memory(err);
}

void iv_arena_reuse(iv_arena *a)
{
    size_t size = 0;

    for (const struct iv_arena_block *b = a->blocks; b != NULL; b = b->next)
        size += b->size;
    if (a->blocks == NULL || a->blocks->next != NULL || a->owned != NULL) {
        iv_arena_free(a);
        (void)iv_arena_alloc(a, size);
    }
    if (a->blocks != NULL)
        a->blocks->used = 0;
    a->failed = false;
}

void iv_arena_free(iv_arena *a)
{
    for (; a->owned != NULL; a->owned = a->owned->next)
        a->owned->end(a->owned->object);
    a->failed = false;
    while (a->blocks != NULL) {
        struct iv_arena_block *next = a->blocks->next;
        free(a->blocks);
        a->blocks = next;
    }
}
