/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

static int read_all(iv_bytes *b, int fd, const char *name, iv_err *err)
{
    enum { STEP = 1 << 16 };
    char *ptr = NULL;
    size_t len = 0, capacity = 0;

    for (;;) {
        char *grown = iv_grow(ptr, &capacity, len + STEP, 1);
        if (grown == NULL) {
            free(ptr);
            return iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
        }
        ptr = grown;
        const ssize_t got = read(fd, ptr + len, capacity - len);
        if (got == 0)
            break;
        if (got > 0) {
            len += (size_t)got;
        } else if (errno != EINTR) {
            const int rc = iv_fail_at(err, IV_EIO, name, 0, "cannot read: %s",
                                      strerror(errno));
            free(ptr);
            return rc;
        }
    }
    *b = (iv_bytes){ ptr, len, len, 0, IV_PLAIN };
    return IV_OK;
}

static int load_descriptor(iv_bytes *b, int fd, const char *name, iv_err *err)
{
    struct stat st;

    if (fstat(fd, &st) != 0)
        return iv_fail_at(err, IV_EIO, name, 0, "cannot read: %s", strerror(errno));
    if (S_ISDIR(st.st_mode))
        return iv_fail_at(err, IV_EIO, name, 0, "cannot read: it is a directory");
    /* A file that grows under a program that writes it has size 0 at first. */
    if (!S_ISREG(st.st_mode) || st.st_size == 0)
        return read_all(b, fd, name, err);
    const size_t size = (size_t)st.st_size;
    void *ptr = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (ptr == MAP_FAILED)
        return read_all(b, fd, name, err);
    *b = (iv_bytes){ ptr, size, size, size, IV_PLAIN };
    return IV_OK;
}

/* Replaces packed bytes by what they unpack to; frees them on failure too. */
static int unpack(iv_bytes *b, const char *name, iv_err *err)
{
    const iv_packing packing = iv_packing_of(b->ptr, b->len);
    char *ptr = NULL;
    size_t len = 0;

    if (packing == IV_PLAIN)
        return IV_OK;
    const int rc = iv_unpack(&ptr, &len, name, b->ptr, b->len, packing, err);
    const uint64_t stored = b->stored;
    iv_bytes_free(b);
    if (rc == IV_OK)
        *b = (iv_bytes){ ptr, len, stored, 0, packing };
    return rc;
}

int iv_bytes_load(iv_bytes *out, const char *path, iv_err *err)
{
    iv_bytes b = { NULL, 0, 0, 0, IV_PLAIN };
    const bool standard_input = strcmp(path, "-") == 0;
    const int fd = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return iv_fail_at(err, IV_EIO, path, 0, "cannot read: %s", strerror(errno));
    int rc = load_descriptor(&b, fd, path, err);
    if (!standard_input)
        (void)close(fd);
    if (rc == IV_OK)
        rc = unpack(&b, path, err);
    if (rc == IV_OK)
        *out = b;
    return rc;
}

int iv_bytes_copy(iv_bytes *out, const char *name, const void *bytes, size_t len,
                  iv_err *err)
{
    char *ptr = malloc(len + 1);

    if (ptr == NULL)
        return iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    if (len > 0)
        memcpy(ptr, bytes, len);
    iv_bytes b = { ptr, len, len, 0, IV_PLAIN };
    const int rc = unpack(&b, name, err);
    if (rc == IV_OK)
        *out = b;
    return rc;
}

void iv_bytes_free(iv_bytes *b)
{
    if (b->mapped > 0)
        (void)munmap(b->ptr, b->mapped);
    else
        free(b->ptr);
    *b = (iv_bytes){ NULL, 0, 0, 0, IV_PLAIN };
}
