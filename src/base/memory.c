/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void *iv_grow(void *ptr, size_t *capacity, size_t need, size_t size)
{
    size_t wanted = *capacity + *capacity / 2;

    if (need <= *capacity && ptr != NULL)
        return ptr;
    if (wanted < need)
        wanted = need;
    if (wanted < 8)
        wanted = 8;
    if (wanted > SIZE_MAX / size)
        return NULL;
    void *grown = realloc(ptr, wanted * size);
    if (grown != NULL)
        *capacity = wanted;
    return grown;
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

    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (b == NULL || b->size - b->used < size) {
        const size_t room = size > BLOCK ? size : BLOCK;
        b = malloc(sizeof *b + room);
        if (b == NULL)
            return NULL;
        *b = (struct iv_arena_block){ a->blocks, 0, room };
        a->blocks = b;
    }
    void *piece = (char *)b->bytes + b->used;
    b->used += size;
    return piece;
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

void iv_arena_free(iv_arena *a)
{
    while (a->blocks != NULL) {
        struct iv_arena_block *next = a->blocks->next;
        free(a->blocks);
        a->blocks = next;
    }
}
