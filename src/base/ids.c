/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* getentropy */
#include "base/ids.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

uint64_t iv_hash_key = UINT64_C(0x1e3779b97f4a7c15) >> 5;

/* Where the system has no random numbers the time and the place of the program must do. */
__attribute__((constructor)) static void draw_key(void)
{
    uint64_t key = 0;
    struct timespec now = { 0 };

    if (getentropy(&key, sizeof key) != 0) {
        (void)clock_gettime(CLOCK_REALTIME, &now);
        key = ((uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec ^ (uintptr_t)&iv_hash_key)
              * UINT64_C(0x9e3779b97f4a7c15);
    }
    iv_hash_key = (key >> 5) + 1;
}

/* The slot that holds id, or the free one where it belongs. */
static size_t slot_of(const iv_ids *t, iv_str id)
{
    const size_t mask = t->slot_count - 1;
    size_t i = (size_t)iv_hash(id) & mask;

    while (t->slots[i] != 0 && !iv_str_eq(t->names[t->slots[i] - 1], id))
        i = (i + 1) & mask;
    return i;
}

static bool rehash(iv_ids *t, size_t slot_count)
{
    uint32_t *slots = calloc(slot_count, sizeof *slots);

    if (slots == NULL)
        return false;
    free(t->slots);
    t->slots = slots;
    t->slot_count = slot_count;
    for (size_t i = 0; i < t->count; i++)
        t->slots[slot_of(t, t->names[i])] = (uint32_t)i + 1;
    return true;
}

uint32_t iv_ids_add(iv_ids *t, iv_str id)
{
    /* At most half full: a search ends after a step or two. */
    if (2 * (t->count + 1) > t->slot_count
        && !rehash(t, t->slot_count ? 2 * t->slot_count : 16))
        return IV_NO_ID;
    const size_t slot = slot_of(t, id);
    if (t->slots[slot] != 0)
        return t->slots[slot] - 1;
    iv_str *names = t->count >= IV_NO_ID - 1
        ? NULL
        : iv_grow(t->names, &t->names_capacity, t->count + 1, sizeof *names);
    if (names == NULL)
        return IV_NO_ID;
    t->names = names;
    t->names[t->count++] = id;
    t->slots[slot] = (uint32_t)t->count;
    return (uint32_t)t->count - 1;
}

uint32_t iv_ids_find(const iv_ids *t, iv_str id)
{
    if (t->slot_count == 0)
        return IV_NO_ID;
    const uint32_t held = t->slots[slot_of(t, id)];
    return held == 0 ? IV_NO_ID : held - 1;
}

void iv_ids_free(iv_ids *t)
{
    free(t->names);
    free(t->slots);
    *t = (iv_ids){ 0 };
}
