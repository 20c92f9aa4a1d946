/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bytes.h"

#include <errno.h>
#include <fcntl.h>
#ifndef __wasi__ /* which has no signals, and whose files never wait */
#include <poll.h>
#endif
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checking.h"
#include "base/memory.h"
#include "base/parallel.h"

static int too_large(const char *name, uint64_t most, iv_err *err)
{
    return iv_fail_at(err, IV_EIO, name, 0, "cannot read: it has more than the %llu bytes "
                      "allowed", (unsigned long long)most);
}

/*
 * A pipe may keep its reader waiting for ever, and a signal may reach another thread or come
 * just before the wait: so it is not waited for long.  IV_OK also when there is an error, which
 * reading tells.
 */
static int wait_for(int fd, const iv_work *work, iv_err *err)
{
#ifndef __wasi__
    enum { PATIENCE = 40 }; /* milliseconds */
    struct pollfd one = { .fd = fd, .events = POLLIN };

    for (;;) {
        const int ready = poll(&one, 1, PATIENCE);
        if (ready > 0 || (ready < 0 && errno != EINTR))
            break;
        IV_TRY(iv_check_work(work, 0.0, err));
    }
#else
    (void)fd;
    (void)work;
    (void)err;
#endif
    return IV_OK;
}

/*
 * To open a pipe waits for somebody who writes, and a signal may reach another thread: on Linux,
 * where poll() tells a pipe that nobody has opened yet from one that is closed, reading waits.
 */
static int open_flags(const char *path)
{
#ifdef __linux__
    struct stat st;

    if (stat(path, &st) == 0 && S_ISFIFO(st.st_mode))
        return O_RDONLY | O_CLOEXEC | O_NONBLOCK;
#else
    (void)path;
#endif
    return O_RDONLY | O_CLOEXEC;
}

int iv_open_file(int *fd, const char *path, const iv_work *work, iv_err *err)
{
    const int flags = open_flags(path);
    int made;

    while ((made = open(path, flags)) < 0) {
        if (errno != EINTR)
            return iv_fail_at(err, IV_EIO, path, 0, "cannot read: %s%s", strerror(errno),
                              errno == EMFILE ? "; fewer threads have fewer open at once" : "");
        IV_TRY(iv_check_work(work, 0.0, err)); /* a pipe that nobody writes to yet */
    }
    *fd = made;
    return IV_OK;
}

int iv_read_some(size_t *got, char *out, size_t room, int fd, const char *name,
                 const iv_work *work, iv_err *err)
{
    ssize_t n;

    do {
        IV_TRY(wait_for(fd, work, err));
        n = read(fd, out, room);
    } while (n < 0 && (errno == EINTR || errno == EAGAIN));
    if (n < 0)
        return iv_fail_at(err, IV_EIO, name, 0, "cannot read: %s", strerror(errno));
    *got = (size_t)n;
    return IV_OK;
}

/* What to load, and who may find that the beginning suffices; NULL: nobody. */
typedef struct wanted {
    bool raw; /* as it is kept, which may be no text */
    uint64_t enough;
    bool (*sound)(const iv_bytes *first, const void *how);
    const void *how;
} wanted;

enum { LOOK = 1 << 22, LOOKS_APART = 16 };

/* Are the whole lines of these bytes what they should be?  A first of them is. */
static bool are_sound(size_t *whole, const wanted *w, char *ptr, size_t len, uint64_t stored,
                      iv_packing packing)
{
    *whole = len;
    while (*whole > 0 && ptr[*whole - 1] != '\n')
        --*whole;
    const iv_bytes first = { ptr, *whole, stored, packing };
    return *whole == 0 || w->sound(&first, w->how);
}

/* What has come of a pipe. */
typedef struct stream {
    char *ptr;
    size_t len, capacity;
    size_t line; /* where the last line begins */
    size_t look; /* how much there is at the next look */
    iv_packing packing;
} stream;

/* After a part that began at `from`: a NUL byte ends a text, and a line too long is none. */
static int look_at_part(bool *ends, stream *s, size_t from, const char *name, iv_err *err)
{
    enum { MAGIC = 9 }; /* bytes that tell what nothing here unpacks */

    if (s->len < MAGIC || iv_packing_of(s->ptr, s->len) != IV_PLAIN)
        return IV_OK;
    from = from < MAGIC ? 0 : from;
    const char *nul = memchr(s->ptr + from, '\0', s->len - from);
    if (nul != NULL) {
        const size_t end = (size_t)(nul - s->ptr) + 1;
        s->len = end < MAGIC ? MAGIC : end;
        *ends = true;
        return IV_OK;
    }
    for (size_t i = s->len; i > from && s->line <= from; i--)
        s->line = s->ptr[i - 1] == '\n' ? i : s->line;
    return s->len - s->line <= IV_LONGEST_LINE
        ? IV_OK : iv_unpack_long_line(name, (iv_str){ s->ptr, s->len }, err);
}

/*
 * Is something wrong in what there is?  Then it is the end; of packed bytes, which break off here,
 * the beginning of what they unpack to takes their place unless unpacking tells what is wrong.
 */
static bool look_at_all(stream *s, const wanted *w)
{
    const iv_packing packing = iv_packing_of(s->ptr, s->len);
    char *head = NULL;
    size_t whole;

    if (packing == IV_PLAIN) {
        const bool ends = w->sound != NULL
            && !are_sound(&whole, w, s->ptr, s->len, s->len, IV_PLAIN);
        s->len = ends ? whole : s->len; /* what is wrong is in it */
        return ends;
    }
    bool ends = !iv_unpack_head(&head, &whole, (iv_str){ s->ptr, s->len }, packing, s->look);
    if (!ends && w->sound != NULL && !are_sound(&whole, w, head, whole, s->len, packing)) {
        free(s->ptr);
        *s = (stream){ .ptr = head, .len = whole, .packing = packing };
        return true;
    }
    free(head);
    return ends;
}

/* A pipe, whose writer may take its time: asks after each part, too. */
static int read_all(iv_bytes *b, int fd, const char *name, const wanted *w, const iv_work *work,
                    iv_err *err)
{
    enum { STEP = 1 << 16 };
    const uint64_t most = work != NULL ? work->most_bytes : 0;
    stream s = { .look = LOOK };
    size_t got = 1;
    bool ends = false;
    int rc = IV_OK;

    while (rc == IV_OK && got != 0 && !ends) {
        char *grown = iv_grow(s.ptr, &s.capacity, s.len + STEP, 1);
        if (grown == NULL) {
            rc = iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
            break;
        }
        s.ptr = grown;
        const size_t from = s.len;
        rc = iv_read_some(&got, s.ptr + from, s.capacity - from, fd, name, work, err);
        if (rc == IV_OK) {
            s.len += got;
            rc = most > 0 && s.len > most ? too_large(name, most, err)
                                          : iv_check_work(work, 0.0, err);
        }
        if (rc == IV_OK && !w->raw)
            rc = look_at_part(&ends, &s, from, name, err);
        if (rc == IV_OK && !w->raw && !ends && s.len >= s.look) {
            ends = look_at_all(&s, w);
            s.look = s.look > SIZE_MAX / LOOKS_APART ? SIZE_MAX : s.look * LOOKS_APART;
        }
    }
    if (rc == IV_OK)
        *b = (iv_bytes){ s.ptr, s.len, s.len, s.packing };
    else
        free(s.ptr);
    return rc;
}

int iv_read_at(char *out, int fd, uint64_t from, size_t len, uint64_t all, const char *name,
               iv_err *err)
{
    for (size_t at = 0; at < len;) {
        const ssize_t got = pread(fd, out + at, len - at, (off_t)(from + at));
        if (got > 0)
            at += (size_t)got;
        else if (got == 0)
            return iv_fail_at(err, IV_EIO, name, 0, "cannot read: it became shorter than "
                              "its %llu bytes meanwhile", (unsigned long long)all);
        else if (errno != EINTR)
            return iv_fail_at(err, IV_EIO, name, 0, "cannot read: %s", strerror(errno));
    }
    return IV_OK;
}

/* A file of a known size being read by several threads. */
typedef struct reading {
    int fd;
    const char *name;
    char *ptr;
    size_t size;
    uint64_t all; /* what the file has, perhaps more */
} reading;

enum { BLOCK = 1 << 22 };

static int read_block(void *user, void *memory, size_t i, iv_err *err)
{
    const reading *r = user;
    const size_t end = r->size - i * BLOCK > BLOCK ? (i + 1) * BLOCK : r->size;

    (void)memory;
    return iv_read_at(r->ptr + i * BLOCK, r->fd, i * BLOCK, end - i * BLOCK, r->all, r->name,
                      err);
}

iv_packing iv_packing_at(int fd)
{
    char magic[4];
    const ssize_t got = pread(fd, magic, sizeof magic, 0);

    return iv_packing_of(magic, got > 0 ? (size_t)got : 0);
}

/*
 * Not mapped: a mapped file that shrinks under the reader ends the program by a
 * signal, which is not the library's to catch.  On all cores copying is as fast.
 */
static int read_file(iv_bytes *b, int fd, size_t size, uint64_t all, const char *name,
                     const iv_work *work, iv_err *err)
{
    iv_work room;
    iv_stage stage;
    reading r = { fd, name, iv_alloc_filled(size, 1), size, all };

    if (r.ptr == NULL)
        return iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    const iv_loop loop = { .count = (size - 1) / BLOCK + 1, .item = read_block, .user = &r };
    work = iv_work_part(&stage, iv_work_for(&room, work, size), 0.0, 0.0);
    const int rc = iv_parallel(&loop, work, err);
    if (rc < 0)
        free(r.ptr);
    else
        *b = (iv_bytes){ r.ptr, size, all, IV_PLAIN };
    return rc;
}

/* Is a large file wrong in its first lines?  Then these are what is loaded of it. */
static int look_at_file(bool *ends, iv_bytes *b, int fd, size_t all, const char *name,
                        const wanted *w, const iv_work *work, iv_err *err)
{
    enum { FIRST = 1 << 16 };
    size_t whole;

    if (w->sound == NULL || all <= LOOK || iv_packing_at(fd) != IV_PLAIN)
        return IV_OK;
    IV_TRY(read_file(b, fd, FIRST, all, name, work, err));
    *ends = !are_sound(&whole, w, b->ptr, b->len, all, IV_PLAIN);
    if (*ends)
        b->len = whole;
    else
        iv_bytes_free(b);
    return IV_OK;
}

static int load_descriptor(iv_bytes *b, int fd, const char *name, const wanted *w,
                           const iv_work *work, iv_err *err)
{
    const uint64_t most = work != NULL ? work->most_bytes : 0;
    struct stat st;

    if (fstat(fd, &st) != 0)
        return iv_fail_at(err, IV_EIO, name, 0, "cannot read: %s", strerror(errno));
    if (S_ISDIR(st.st_mode))
        return iv_fail_at(err, IV_EIO, name, 0, "cannot read: it is a directory");
    /* A file that grows under a program that writes it has size 0 at first. */
    if (!S_ISREG(st.st_mode) || st.st_size == 0)
        return read_all(b, fd, name, w, work, err);
    if (most > 0 && (uint64_t)st.st_size > most)
        return too_large(name, most, err);
    if ((uint64_t)st.st_size > SIZE_MAX / 2)
        return iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    const size_t all = (size_t)st.st_size;
    bool ends = false;
    const int rc = look_at_file(&ends, b, fd, all, name, w, work, err);
    if (rc < 0 || ends)
        return rc;
    const bool part = w->enough > 0 && w->enough < all && iv_packing_at(fd) == IV_PLAIN;
    return read_file(b, fd, part ? (size_t)w->enough : all, all, name, work, err);
}

int iv_bytes_read(iv_bytes *out, int fd, const char *name, const iv_work *work, iv_err *err)
{
    return load_descriptor(out, fd, name, &(wanted){ .raw = true }, work, err);
}

/*
 * Text is packed to a tenth of its size, or a thirtieth: what is packed more tightly is
 * looked at when so much is unpacked.
 */
static uint64_t first_look(const iv_bytes *b)
{
    enum { TIMES = 32 };

    return b->len > LOOK / TIMES ? (uint64_t)b->len * TIMES : LOOK;
}

/* Replaces packed bytes by what they unpack to; frees them on failure too. */
static int unpack(iv_bytes *b, const char *name, const wanted *w, const iv_work *work,
                  iv_err *err)
{
    const iv_packing packing = iv_packing_of(b->ptr, b->len);
    const uint64_t stored = b->stored;
    const uint64_t enough = w->sound != NULL ? first_look(b) : w->enough;
    const char *other = iv_packing_unread(b->ptr, b->len);
    char *ptr = NULL;
    size_t len = 0;

    if (other != NULL) {
        iv_bytes_free(b);
        return iv_unpack_other(name, other, err);
    }
    if (packing == IV_PLAIN)
        return IV_OK;
    int rc = iv_unpack(&ptr, &len, name, b->ptr, b->len, packing, enough, work, err);
    if (rc == IV_OK && w->sound != NULL && len == enough
        && are_sound(&len, w, ptr, len, stored, packing)) {
        free(ptr);
        rc = iv_unpack(&ptr, &len, name, b->ptr, b->len, packing, 0, work, err);
    }
    iv_bytes_free(b);
    if (rc == IV_OK)
        *b = (iv_bytes){ ptr, len, stored, packing };
    return rc;
}

static int load(iv_bytes *out, const char *path, const wanted *w, const iv_work *work,
                iv_err *err)
{
    IV_TRY(iv_check_given(path, "the path of a file", err));
    iv_bytes b = { NULL, 0, 0, IV_PLAIN };
    const bool standard_input = strcmp(path, "-") == 0;
    int fd = STDIN_FILENO;

    if (!standard_input)
        IV_TRY(iv_open_file(&fd, path, work, err));
    int rc = load_descriptor(&b, fd, path, w, work, err);
    if (!standard_input)
        (void)close(fd);
    if (rc == IV_OK && work != NULL)
        rc = iv_digests_add(work->digests, path, b.ptr, b.len, err);
    if (rc < 0)
        iv_bytes_free(&b);
    else if (!w->raw && b.packing == IV_PLAIN)
        rc = unpack(&b, path, w, work, err);
    if (rc == IV_OK)
        *out = b;
    return rc;
}

int iv_bytes_load(iv_bytes *out, const char *path, const iv_work *work, iv_err *err)
{
    return load(out, path, &(wanted){ 0 }, work, err);
}

int iv_bytes_load_raw(iv_bytes *out, const char *path, const iv_work *work, iv_err *err)
{
    return load(out, path, &(wanted){ .raw = true }, work, err);
}

int iv_bytes_load_part(iv_bytes *out, const char *path, uint64_t enough, const iv_work *work,
                       iv_err *err)
{
    return load(out, path, &(wanted){ .enough = enough }, work, err);
}

int iv_bytes_load_sound(iv_bytes *out, const char *path,
                        bool (*sound)(const iv_bytes *first, const void *how),
                        const void *how, const iv_work *work, iv_err *err)
{
    return load(out, path, &(wanted){ .sound = sound, .how = how }, work, err);
}
int iv_bytes_copy(iv_bytes *out, const char *name, const void *bytes, size_t len,
                  const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_list(bytes, len, "byte", err));
    char *ptr = malloc(len + 1);

    if (ptr == NULL)
        return iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    if (len > 0)
        memcpy(ptr, bytes, len);
    iv_bytes b = { ptr, len, len, IV_PLAIN };
    const int rc = unpack(&b, name, &(wanted){ 0 }, work, err);
    if (rc == IV_OK)
        *out = b;
    return rc;
}

void iv_bytes_free(iv_bytes *b)
{
    free(b->ptr);
    *b = (iv_bytes){ NULL, 0, 0, IV_PLAIN };
}
