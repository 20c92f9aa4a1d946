/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A qsort() that leaves equal elements in the opposite order of glibc's, as that of another C
 * library may: answers must not depend on it.  To be loaded before the C library.
 */
#include <stdlib.h>
#include <string.h>

typedef int order(const void *, const void *);

static void merge_sort(char *all, size_t count, size_t size, order *compare, char *room)
{
    const size_t half = count / 2;

    if (count < 2)
        return;
    merge_sort(all, half, size, compare, room);
    merge_sort(all + half * size, count - half, size, compare, room);
    for (size_t i = 0, left = 0, right = half; i < count; i++) {
        const int second = left == half
            || (right < count && compare(all + left * size, all + right * size) > 0);
        memcpy(room + i * size, all + (second ? right++ : left++) * size, size);
    }
    memcpy(all, room, count * size);
}

void qsort(void *base, size_t count, size_t size, order *compare)
{
    char *const all = base, *const room = malloc(count * size + 1);

    if (room == NULL)
        abort();
    for (size_t i = 0; i < count; i++)
        memcpy(room + i * size, all + (count - 1 - i) * size, size);
    memcpy(all, room, count * size);
    merge_sort(all, count, size, compare, room);
    free(room);
}
