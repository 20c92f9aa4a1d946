/* SPDX-License-Identifier: Apache-2.0 */
#include "wrap.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static atomic_long count; /* allocations since wrap_fail() */
static atomic_long first; /* the one that fails; 0: none */
static atomic_bool onwards, failed;

void wrap_fail(long k, bool on)
{
    atomic_store(&count, 0);
    atomic_store(&failed, false);
    atomic_store(&onwards, on);
    atomic_store(&first, k);
}

bool wrap_stop(void)
{
    atomic_store(&first, 0);
    return atomic_load(&failed);
}

/* Shall this one fail?  Many threads may ask. */
static bool fails(void)
{
    const long k = atomic_load(&first);

    if (k == 0)
        return false;
    const long mine = atomic_fetch_add(&count, 1) + 1;
    if (mine != k && !(mine > k && atomic_load(&onwards)))
        return false;
    atomic_store(&failed, true);
    errno = ENOMEM;
    return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *ptr, size_t size);
int __real_posix_memalign(void **out, size_t alignment, size_t size);
char *__real_strdup(const char *s);
char *__real_strndup(const char *s, size_t n);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *ptr, size_t size);
int __wrap_posix_memalign(void **out, size_t alignment, size_t size);
char *__wrap_strdup(const char *s);
char *__wrap_strndup(const char *s, size_t n);

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *ptr, size_t size)
{
    return fails() ? NULL : __real_realloc(ptr, size);
}

int __wrap_posix_memalign(void **out, size_t alignment, size_t size)
{
    return fails() ? ENOMEM : __real_posix_memalign(out, alignment, size);
}

char *__wrap_strdup(const char *s)
{
    return fails() ? NULL : __real_strdup(s);
}

char *__wrap_strndup(const char *s, size_t n)
{
    return fails() ? NULL : __real_strndup(s, n);
}
