/* SPDX-License-Identifier: Apache-2.0 */
/* Files and pipes read through a buffer, and unpacked on the way. */
#include "base/arguments.h"
#include "base/bytes.h"
#include "base/digest.h"
#include "base/err.h"
#include "base/lines.h"
#include "base/memory.h"
#include "base/packing.h"
#include "base/parallel.h"
#include "base/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef __wasi__ /* which has no signals, and whose files never wait */
#include <poll.h>
#endif


/* Either library may be left out of a build; the build says which are there. */
#if INTERVALE_ZLIB
#define ZLIB_CONST
#include <zlib.h>
#endif
#if INTERVALE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

/* Bytes as they are kept that are held before they are unpacked; bytes that come at once, until
 * the caller can ask whether to go on. */
enum { RAW = 1 << 16, MADE = 1 << 20 };

/* Bytes that tell what a frame of zstd is. */
enum { FRAME_BEGINS = 5 };

uint64_t iv_lines_in(iv_str text)
{
    enum { BLOCK = 128 }; /* whose lines a byte can count, which is many times as fast */
    uint64_t lines = 0;

    for (size_t from = 0; from < text.len; from += BLOCK) {
        const size_t many = text.len - from < BLOCK ? text.len - from : BLOCK;
        unsigned char here = 0;
        for (size_t i = 0; i < many; i++)
            here = (unsigned char)(here + (text.ptr[from + i] == '\n'));
        lines += here;
    }
    return lines;
}

bool iv_next_line(iv_str *line, iv_str *text)
{
    const char *stop = text->len == 0 ? NULL : memchr(text->ptr, '\n', text->len);
    const size_t len = stop == NULL ? text->len : (size_t)(stop - text->ptr);

    if (text->len == 0)
        return false;
    *line = (iv_str){ text->ptr, len };
    *text = (iv_str){ text->ptr + len + (stop != NULL), text->len - len - (stop != NULL) };
    return true;
}

static int no_memory(const iv_reader *in, iv_err *err)
{
    return iv_fail_at(err, IV_ENOMEM, in->name, 0, "out of memory");
}

/* ------------------------------------------------------------- packings -- */

iv_packing iv_packing_of(const char *ptr, size_t len)
{
    if (len >= 2 && memcmp(ptr, "\x1f\x8b", 2) == 0)
        return IV_GZIP;
    if (len >= 4 && memcmp(ptr, "\x28\xb5\x2f\xfd", 4) == 0)
        return IV_ZSTD;
    /* A frame to be skipped, of 16 kinds, which some packers begin with. */
    if (len >= 4 && (*ptr & 0xf0) == 0x50 && memcmp(ptr + 1, "\x2a\x4d\x18", 3) == 0)
        return IV_ZSTD;
    return IV_PLAIN;
}

iv_packing iv_packing_at(int fd)
{
    char magic[4];
    const ssize_t got = pread(fd, magic, sizeof magic, 0);

    return iv_packing_of(magic, got > 0 ? (size_t)got : 0);
}

/* Refuses a packing that nothing here reads. */
static int refuse_others(const char *name, iv_str first, iv_err *err)
{
    static const char *const others[][2] = { /* the first bytes, the name */
        { "\xfd" "7zXZ", "xz" }, { "BZh", "bzip2" }, { "PK\x03\x04", "zip" },
        { "7z\xbc\xaf\x27\x1c", "7z" }, { "\x04\x22\x4d\x18", "lz4" } };

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (first.len > 8 && memcmp(first.ptr, others[i][0], strlen(others[i][0])) == 0)
            return iv_fail_at(err, IV_EPARSE, name, 0, "is compressed with %s, which is not read; "
                              "expected plain text, gzip or zstd: decompress it first",
                              others[i][1]);
    return IV_OK;
}

static const char *packing_name(iv_packing packing)
{
    return packing == IV_GZIP ? "gzip" : "zstd";
}

static void end_unpacker(iv_reader *in)
{
#if INTERVALE_ZLIB
    if (in->packing == IV_GZIP && in->unpacker != NULL) {
        (void)inflateEnd(in->unpacker);
        free(in->unpacker);
    }
#endif
#if INTERVALE_ZSTD
    if (in->packing == IV_ZSTD)
        (void)ZSTD_freeDCtx(in->unpacker);
#endif
    in->unpacker = NULL;
}

static int new_unpacker(iv_reader *in, iv_err *err)
{
    bool built = in->packing == IV_PLAIN;

    end_unpacker(in);
    in->between = false;
#if INTERVALE_ZLIB
    if (in->packing == IV_GZIP) {
        built = true;
        in->unpacker = calloc(1, sizeof(z_stream));
        if (in->unpacker != NULL && inflateInit2((z_stream *)in->unpacker, 15 + 16) != Z_OK) {
            free(in->unpacker);
            in->unpacker = NULL;
        }
    }
#endif
#if INTERVALE_ZSTD
    if (in->packing == IV_ZSTD) {
        built = true;
        in->unpacker = ZSTD_createDCtx();
        in->wanted = FRAME_BEGINS;
    }
#endif
    if (!built)
        return iv_fail_at(err, IV_EIO, in->name, 0, "cannot read: it is compressed with %s, which "
                          "this build was made without; decompress it first",
                          packing_name(in->packing));
    return in->packing == IV_PLAIN || in->unpacker != NULL ? IV_OK : no_memory(in, err);
}

/* Packed data that break off, at the line where they do. */
static int broken(const iv_reader *in, bool damaged, iv_err *err)
{
    const iv_str left = { in->buffer + in->begin, in->end - in->begin };

    return iv_fail_at(err, IV_EPARSE, in->name, in->lines + iv_lines_in(left) + 1,
                      "the %s %s; expected a complete file", packing_name(in->packing),
                      damaged ? "data are damaged here" : "data end here, cut short");
}

/* Unpacks into at most `room` bytes, all members one after another; in->raw moves behind what was
 * used.  What is made before a failure is good. */
#if INTERVALE_ZLIB
static int step_gzip(iv_reader *in, char *out, size_t room, size_t *made, iv_err *err)
{
    z_stream *z = in->unpacker;

    /* gzip files may be glued together, and tapes pad with zeros. */
    while (in->between && in->raw.len > 0 && *in->raw.ptr == 0)
        in->raw = (iv_str){ in->raw.ptr + 1, in->raw.len - 1 };
    if (in->between && in->raw.len == 0)
        return IV_OK;
    if (in->between && inflateReset(z) != Z_OK)
        return no_memory(in, err);
    const uInt used = in->raw.len > UINT_MAX ? UINT_MAX : (uInt)in->raw.len;
    const uInt space = room > UINT_MAX ? UINT_MAX : (uInt)room;
    z->next_in = (const Bytef *)in->raw.ptr;
    z->avail_in = used;
    z->next_out = (Bytef *)out;
    z->avail_out = space;
    const int state = inflate(z, Z_NO_FLUSH);
    in->raw = (iv_str){ in->raw.ptr + (used - z->avail_in),
                        in->raw.len - (used - z->avail_in) };
    *made = space - z->avail_out;
    in->end += *made;
    in->between = state == Z_STREAM_END;
    return state == Z_MEM_ERROR ? no_memory(in, err)
        : state == Z_OK || state == Z_STREAM_END || state == Z_BUF_ERROR ? IV_OK
                                                                         : broken(in, true, err);
}
#endif

/* zstd does not tell what a call made before it met damage: it gets the block that it asks for. */
#if INTERVALE_ZSTD
static int step_zstd(iv_reader *in, char *out, size_t room, size_t *made, iv_err *err)
{
    ZSTD_inBuffer from = { in->raw.ptr, in->raw.len < in->wanted ? in->raw.len : in->wanted, 0 };
    ZSTD_outBuffer to = { out, room, 0 };
    const size_t more = ZSTD_decompressStream(in->unpacker, &to, &from);

    *made = to.pos;
    in->end += *made;
    in->raw = (iv_str){ in->raw.ptr + from.pos, in->raw.len - from.pos };
    if (ZSTD_isError(more))
        switch (ZSTD_getErrorCode(more)) {
        case ZSTD_error_memory_allocation:
            return no_memory(in, err);
        case ZSTD_error_frameParameter_windowTooLarge:
            return iv_fail_at(err, IV_EPARSE, in->name, 1, "it was compressed with zstd --long and "
                              "needs a window of more than 128 MB; decompress it first");
        default:
            return broken(in, true, err);
        }
    if (from.pos > 0 || to.pos > 0) /* else it asks for a frame that need not come */
        in->between = more == 0;
    in->wanted = more > 0 ? more : FRAME_BEGINS;
    return IV_OK;
}
#endif

static int step(iv_reader *in, char *out, size_t room, size_t *made, iv_err *err)
{
#if INTERVALE_ZLIB
    if (in->packing == IV_GZIP)
        return step_gzip(in, out, room, made, err);
#endif
#if INTERVALE_ZSTD
    if (in->packing == IV_ZSTD)
        return step_zstd(in, out, room, made, err);
#endif
    (void)out, (void)room, (void)made;
    return broken(in, true, err);
}

/* -------------------------------------------------------------- opening -- */

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

/* Of a regular file as many bytes as it had when it was opened. */
static int read_raw(iv_reader *in, char *out, size_t room, size_t *got, iv_err *err)
{
    ssize_t n;

    if (in->regular && in->stored - in->read < room)
        room = (size_t)(in->stored - in->read);
    do {
        if (!in->regular)
            IV_TRY(wait_for(in->fd, in->work, err));
        n = room == 0 ? 0 : read(in->fd, out, room);
    } while (n < 0 && (errno == EINTR || errno == EAGAIN));
    if (n < 0)
        return iv_fail_at(err, IV_EIO, in->name, 0, "cannot read: %s", strerror(errno));
    if (n == 0 && room > 0 && in->regular)
        return iv_fail_at(err, IV_EIO, in->name, 0, "cannot read: it became shorter than its %llu "
                          "bytes meanwhile", (unsigned long long)in->stored);
    *got = (size_t)n;
    if (in->digest != NULL)
        iv_sha256_add(in->digest, out, *got);
    in->raw_ended = n == 0;
    in->read += *got;
    in->stored += in->regular ? 0 : *got;
    return IV_OK;
}

/* The first bytes, which tell how the file is packed. */
static int read_first(iv_reader *in, iv_err *err)
{
    enum { MAGIC = 9 };
    size_t len = 0;

    in->raw_ended = false;
    do {
        size_t got = 0;
        IV_TRY(read_raw(in, in->room + len, RAW - len, &got, err));
        len += got;
    } while (!in->raw_ended && len < MAGIC);
    in->raw = (iv_str){ in->room, len };
    return IV_OK;
}

static int too_large(const iv_reader *in, iv_err *err)
{
    return iv_fail_at(err, IV_EIO, in->name, 0, "cannot read: it %s more than the %llu bytes "
                      "allowed", in->packing == IV_PLAIN ? "has" : "decompresses to",
                      (unsigned long long)in->work->most_bytes);
}

static uint64_t most_bytes(const iv_reader *in)
{
    return in->work == NULL || in->work->most_bytes == 0 ? UINT64_MAX : in->work->most_bytes;
}

int iv_reader_open(iv_reader *in, const char *path, int fd, unsigned how, const iv_work *work,
                  iv_err *err)
{
    const bool digested = (how & IV_READ_DIGEST) && work != NULL && work->digests != NULL;
    struct stat st;

    *in = (iv_reader){ .name = path, .work = work, .fd = fd >= 0 ? fd : STDIN_FILENO };
    if (fd < 0 && strcmp(path, "-") != 0)
        IV_TRY(iv_open_file(&in->fd, path, work, err));
    if (fstat(in->fd, &st) != 0)
        return iv_fail_at(err, IV_EIO, path, 0, "cannot read: %s", strerror(errno));
    if (S_ISDIR(st.st_mode))
        return iv_fail_at(err, IV_EIO, path, 0, "cannot read: it is a directory");
    /* A file that grows under a program that writes it has size 0 at first. */
    in->regular = S_ISREG(st.st_mode) && in->fd != STDIN_FILENO && st.st_size > 0;
    in->stored = in->regular ? (uint64_t)st.st_size : 0;
    if (in->stored > most_bytes(in))
        return too_large(in, err);
    in->room = malloc(RAW);
    in->digest = digested ? malloc(sizeof *in->digest) : NULL;
    if (in->room == NULL || (digested && in->digest == NULL))
        return no_memory(in, err);
    if (digested)
        iv_sha256_begin(in->digest);
    IV_TRY(read_first(in, err));
    if (how & IV_READ_RAW)
        return IV_OK;
    in->packing = iv_packing_of(in->raw.ptr, in->raw.len);
    IV_TRY(refuse_others(path, in->raw, err));
    return new_unpacker(in, err);
}

static int reader_memory(iv_reader *in, const char *name, iv_str packed, iv_packing packing,
                         const iv_work *work, iv_err *err)
{
    *in = (iv_reader){ .name = name, .work = work, .fd = -1, .stored = packed.len,
                      .packing = packing, .raw = packed, .raw_ended = true };
    IV_TRY(refuse_others(name, packed, err));
    return new_unpacker(in, err);
}

void iv_reader_close(iv_reader *in)
{
    if (in->name != NULL && in->fd > STDIN_FILENO)
        (void)close(in->fd);
    end_unpacker(in);
    free(in->room);
    free(in->buffer);
    free(in->digest);
    *in = (iv_reader){ 0 };
}

int iv_reader_rewind(iv_reader *in, iv_err *err)
{
    in->begin = in->end = in->whole = 0;
    in->lines = in->read = in->made = 0;
    in->begun = in->ended = false;
    if (in->digest != NULL)
        iv_sha256_begin(in->digest);
    if (lseek(in->fd, 0, SEEK_SET) != 0)
        return iv_fail_at(err, IV_EIO, in->name, 0, "cannot read: %s", strerror(errno));
    IV_TRY(read_first(in, err));
    return new_unpacker(in, err);
}

int iv_reader_digested(const iv_reader *in, iv_err *err)
{
    char sha256[IV_SHA256_SIZE];

    return in->digest == NULL ? IV_OK
        : iv_digests_put(in->work->digests, in->name, iv_sha256_end(sha256, in->digest), err);
}

/* -------------------------------------------------------------- reading -- */

static int make_room(iv_reader *in, size_t capacity, iv_err *err)
{
    char *buffer = capacity <= in->capacity ? in->buffer : iv_alloc_filled(capacity, 1);

    if (buffer == NULL)
        return no_memory(in, err);
    in->end -= in->begin;
    if (in->end > 0 && buffer != in->buffer + in->begin)
        memmove(buffer, in->buffer + in->begin, in->end);
    in->whole -= in->whole > in->begin ? in->begin : in->whole;
    in->begin = 0;
    if (buffer == in->buffer)
        return IV_OK;
    free(in->buffer);
    in->buffer = buffer;
    in->capacity = capacity;
    return IV_OK;
}

static int read_plain(iv_reader *in, char *out, size_t room, size_t *got, iv_err *err)
{
    *got = in->raw.len < room ? in->raw.len : room;
    if (in->raw.len == 0 && !in->raw_ended) {
        IV_TRY(read_raw(in, out, room, got, err));
    } else if (*got > 0) {
        memcpy(out, in->raw.ptr, *got);
        in->raw = (iv_str){ in->raw.ptr + *got, in->raw.len - *got };
    }
    in->end += *got;
    return IV_OK;
}

/* *got is 0 at the end alone. */
static int read_packed(iv_reader *in, char *out, size_t room, size_t *got, iv_err *err)
{
    while (*got == 0) {
        if (in->raw.len == 0 && !in->raw_ended) {
            IV_TRY(read_raw(in, in->room, RAW, &in->raw.len, err));
            in->raw.ptr = in->room;
        }
        const size_t before = in->raw.len;
        IV_TRY(step(in, out, room, got, err));
        if (*got == 0 && before > 0 && in->raw.len == before)
            return broken(in, true, err);
        if (*got == 0 && in->raw.len == 0 && in->raw_ended)
            return in->between ? IV_OK : broken(in, false, err);
    }
    return IV_OK;
}

int iv_reader_some(iv_reader *in, size_t capacity, iv_err *err)
{
    size_t got = 0;

    IV_TRY(make_room(in, capacity, err));
    char *const to = in->buffer + in->end;
    const size_t left = in->capacity - in->end, room = left < MADE ? left : MADE;
    if (in->ended || room == 0)
        return IV_OK;
    IV_TRY((in->unpacker != NULL ? read_packed : read_plain)(in, to, room, &got, err));
    in->made += got;
    in->ended = got == 0;
    return in->made > most_bytes(in) ? too_large(in, err) : IV_OK;
}

static int read_on(iv_reader *in, size_t capacity, iv_err *err)
{
    do {
        IV_TRY(iv_reader_some(in, capacity, err));
    } while (!in->ended && in->end < in->capacity);
    /* No buffer is smaller than the mark. */
    while (!in->begun && in->end - in->begin >= 3
           && memcmp(in->buffer + in->begin, "\xef\xbb\xbf", 3) == 0)
        in->begin += 3;
    in->begun = true;
    in->whole = in->end;
    while (!in->ended && in->whole > in->begin && in->buffer[in->whole - 1] != '\n')
        in->whole--;
    return IV_OK;
}

int iv_reader_fill(iv_reader *in, size_t capacity, size_t most, iv_err *err)
{
    if (in->ended || (in->capacity >= capacity && in->whole > in->begin
                      && in->end - in->begin > in->capacity / 2))
        return IV_OK;
    do {
        IV_TRY(read_on(in, capacity, err));
        capacity = 2 * in->capacity;
    } while (!in->ended && in->whole == in->begin && capacity <= most);
    if (!in->ended && in->whole == in->begin)
        return iv_fail_at(err, IV_EPARSE, in->name, in->lines + 1, "a line of more than %zu bytes, "
                          "expected one that fits into memory", in->end - in->begin);
    return IV_OK;
}

/* Who may find that the beginning of a text suffices; NULL: nobody. */
typedef bool sound_text(const iv_bytes *first, const void *how);

/* After a part that began at `from`: a NUL byte ends a text, and a line too long is none.  *line is
 * where the last line begins. */
static int look_at_part(bool *ends, iv_reader *in, size_t from, size_t *line, iv_err *err)
{
    /* No text is packed this well: gigabytes of empty lines would be kept. */
    enum { TIMES = 100, SMALL = 1 << 26, LONGEST_LINE = 1 << 24 };
    const char *nul = memchr(in->buffer + from, '\0', in->end - from);

    *ends = nul != NULL;
    if (*ends)
        in->end = (size_t)(nul - in->buffer) + 1;
    if (in->packing != IV_PLAIN && in->end > SMALL && in->end / TIMES > in->stored)
        return iv_fail_at(err, IV_EIO, in->name, 0, "decompresses to more than %d times its size, "
                          "expected a text; decompress it first if this is intended", TIMES);
    for (size_t i = in->end; i > from && *line <= from; i--)
        *line = in->buffer[i - 1] == '\n' ? i : *line;
    return in->end - *line <= LONGEST_LINE || *ends ? IV_OK
        : iv_fail_at(err, IV_EPARSE, in->name, iv_lines_in((iv_str){ in->buffer, in->end }) + 1,
                     "a line of more than %d bytes, expected lines of text", LONGEST_LINE);
}

/* Are the whole lines in the buffer what they should be?  If not, they suffice. */
static bool are_sound(iv_reader *in, sound_text *sound, const void *how)
{
    size_t whole = in->end;

    while (whole > 0 && in->buffer[whole - 1] != '\n')
        whole--;
    const iv_bytes first = { in->buffer, whole, in->stored, in->packing };
    if (whole == 0 || sound(&first, how))
        return true;
    in->end = whole;
    return false;
}

/* All of a file, of which pieces are looked at as they come. */
static int read_all(iv_reader *in, unsigned how_read, sound_text *sound, const void *how,
                    iv_err *err)
{
    enum { FIRST = 1 << 16 };
    /* What is in memory as it is on the disk cannot grow beyond it. */
    const bool known = in->regular && in->packing == IV_PLAIN;
    size_t line = 0;
    bool ends = false;

    while (!in->ended && !ends) {
        const size_t from = in->end;
        const size_t room = known && sound == NULL ? (size_t)in->stored + 1
            : in->capacity - from >= FIRST ? in->capacity : 2 * in->capacity + FIRST;
        if (known && in->stored >= SIZE_MAX / 2)
            return iv_fail_at(err, IV_ENOMEM, in->name, 0, "out of memory");
        IV_TRY(iv_reader_some(in, room, err));
        IV_TRY(iv_check_work(in->work, 0.0, err));
        if (!known && !(how_read & IV_READ_RAW))
            IV_TRY(look_at_part(&ends, in, from, &line, err));
        if (sound != NULL && !ends && !in->ended && in->end >= FIRST) {
            ends = !are_sound(in, sound, how);
            sound = NULL; /* once */
        }
    }
    return ends ? IV_OK : iv_reader_digested(in, err);
}

/* Hands over what was read, and closes in any case. */
static int hand_over(iv_bytes *out, iv_reader *in, int rc)
{
    if (rc == IV_OK) {
        char *trimmed = in->packing == IV_PLAIN ? NULL
            : realloc(in->buffer, in->end > 0 ? in->end : 1);
        *out = (iv_bytes){ trimmed != NULL ? trimmed : in->buffer, in->end, in->stored,
                           in->packing };
        in->buffer = NULL;
    }
    iv_reader_close(in);
    return rc;
}

static int load(iv_bytes *out, const char *path, int fd, unsigned how_read, sound_text *sound,
                const void *how, const iv_work *work, iv_err *err)
{
    iv_reader in = { 0 };
    iv_stage quiet;
    int rc = iv_reader_open(&in, path, fd, how_read, iv_work_part(&quiet, work, 0.0, 0.0), err);

    if (rc == IV_OK)
        rc = read_all(&in, how_read, sound, how, err);
    return hand_over(out, &in, rc);
}

int iv_bytes_load(iv_bytes *out, const char *path, const iv_work *work, iv_err *err)
{
    return iv_bytes_load_sound(out, path, NULL, NULL, work, err);
}

int iv_bytes_load_raw(iv_bytes *out, const char *path, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_given(path, "the path of a file", err));
    return load(out, path, -1, IV_READ_RAW | IV_READ_DIGEST, NULL, NULL, work, err);
}

int iv_bytes_load_sound(iv_bytes *out, const char *path, sound_text *sound, const void *how,
                        const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_given(path, "the path of a file", err));
    return load(out, path, -1, IV_READ_DIGEST, sound, how, work, err);
}

int iv_bytes_read(iv_bytes *out, int fd, const char *name, const iv_work *work, iv_err *err)
{
    return load(out, name, fd, 0, NULL, NULL, work, err);
}

int iv_bytes_unpack(iv_bytes *out, const char *name, iv_str packed, iv_packing packing,
                    const iv_work *work, iv_err *err)
{
    iv_reader in = { 0 };
    iv_stage quiet;
    int rc = reader_memory(&in, name, packed, packing, packing == IV_PLAIN ? NULL
                           : iv_work_part(&quiet, work, 0.0, 0.0), err);

    if (rc == IV_OK)
        rc = read_all(&in, packing == IV_PLAIN ? IV_READ_RAW : 0, NULL, NULL, err);
    return hand_over(out, &in, rc);
}

int iv_bytes_copy(iv_bytes *out, const char *name, const void *bytes, size_t len,
                  const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_list(bytes, len, "byte", err));
    return iv_bytes_unpack(out, name, (iv_str){ bytes, len }, iv_packing_of(bytes, len), work,
                           err);
}

void iv_bytes_free(iv_bytes *b)
{
    free(b->ptr);
    *b = (iv_bytes){ NULL, 0, 0, IV_PLAIN };
}
