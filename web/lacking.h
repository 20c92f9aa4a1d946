/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What WASI's C library lacks of POSIX, included before every C file of the build for
 * browsers (cmake/wasi.cmake): no links, so that a path is its own real path; one process,
 * which nobody sends signals to.
 */
#ifndef INTERVALE_LACKING_H
#define INTERVALE_LACKING_H

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct sigaction {
    void (*sa_handler)(int);
    int sa_flags;
};
#define SA_RESETHAND 0

static inline int sigaction(int number, const struct sigaction *now, struct sigaction *old)
{
    (void)number, (void)now, (void)old;
    errno = ENOSYS;
    return -1;
}

static inline char *realpath(const char *path, char *room)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return NULL;
    return room != NULL ? strcpy(room, path) : strdup(path);
}

/* Files in a browser have neither owner nor mode. */
static inline int chmod(const char *path, mode_t mode) { return (void)path, (void)mode, 0; }

static inline int chown(const char *path, uid_t owner, gid_t group)
{
    return (void)path, (void)owner, (void)group, 0;
}

static inline int mkstemp(char *name)
{
    static unsigned made;
    char *end = name + strlen(name) - 6;

    for (unsigned left = ++made, i = 6; i-- > 0; left /= 10)
        end[i] = (char)('0' + left % 10);
    return open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
}

/* Not among WASI's calls; web/wasi.mjs has it beside them. */
__attribute__((import_module("intervale"), import_name("dup"))) int intervale_dup(int fd);

static inline int dup(int fd)
{
    const int other = intervale_dup(fd);

    if (other < 0)
        errno = EBADF;
    return other;
}

#endif /* INTERVALE_LACKING_H */
