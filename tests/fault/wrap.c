/* SPDX-License-Identifier: Apache-2.0 */
#include "wrap.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static atomic_long count; /* allocations since wrap_fail() */
static atomic_long first; /* the one that fails; 0: none */
static atomic_bool onwards, failed;
static _Atomic wrap_fault system_fault;

void wrap_fail(long k, bool on)
{
    atomic_store(&count, 0);
    atomic_store(&failed, false);
    atomic_store(&onwards, on);
    atomic_store(&first, k);
}

void wrap_system(wrap_fault fault)
{
    atomic_store(&count, 0);
    atomic_store(&failed, false);
    atomic_store(&system_fault, fault);
}

bool wrap_stop(void)
{
    atomic_store(&first, 0);
    atomic_store(&system_fault, WRAP_ALL_WELL);
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

/* ----------------------------------------------------------- the system -- */

enum { SHORT = 3 };
ssize_t __real_read(int fd, void *out, size_t len);
ssize_t __real_pread(int fd, void *out, size_t len, off_t from);
int __real_fsync(int fd);
int __real_rename(const char *from, const char *to);
ssize_t __wrap_read(int fd, void *out, size_t len);
ssize_t __wrap_pread(int fd, void *out, size_t len, off_t from);
int __wrap_fsync(int fd);
int __wrap_rename(const char *from, const char *to);

static bool fails_by(wrap_fault fault, int why)
{
    if (atomic_load(&system_fault) != fault)
        return false;
    atomic_store(&failed, true);
    errno = why;
    return true;
}

/* How many bytes a read may have; 0: it fails. */
static size_t readable(size_t len)
{
    if (fails_by(WRAP_FAILED_READS, EIO))
        return 0;
    if (atomic_load(&system_fault) != WRAP_SHORT_READS)
        return len;
    if (atomic_fetch_add(&count, 1) % 2 == 0)
        return !fails_by(WRAP_SHORT_READS, EINTR);
    return len < SHORT ? len : SHORT;
}

ssize_t __wrap_read(int fd, void *out, size_t len)
{
    const size_t most = readable(len);

    return most == 0 && len > 0 ? -1 : __real_read(fd, out, most);
}

ssize_t __wrap_pread(int fd, void *out, size_t len, off_t from)
{
    const size_t most = readable(len);

    return most == 0 && len > 0 ? -1 : __real_pread(fd, out, most, from);
}

int __wrap_fsync(int fd)
{
    return fails_by(WRAP_FAILED_SYNCS, EIO) ? -1 : __real_fsync(fd);
}

int __wrap_rename(const char *from, const char *to)
{
    return fails_by(WRAP_FAILED_NAMES, EIO) ? -1 : __real_rename(from, to);
}
