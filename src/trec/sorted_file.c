/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "trec/sorted_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "trec/fields.h"
#include "trec/text.h"

/* Bytes as they are kept that are read at once: of damaged data those before them are told. */
enum { RAW = 1 << 13 };

/* ------------------------------------------------------------- opening -- */

static int read_raw(iv_sorted_file *f, char *out, size_t room, size_t *got, iv_err *err)
{
    IV_TRY(iv_read_some(got, out, room, f->fd, f->name, f->work, err));
    if (f->digest != NULL)
        iv_sha256_add(f->digest, out, *got);
    f->raw_ended = *got == 0;
    f->read += *got;
    f->stored += f->regular ? 0 : *got;
    return IV_OK;
}

/* The first bytes, which tell how the file is packed. */
static int read_first(iv_sorted_file *f, iv_err *err)
{
    enum { MAGIC = 16 };

    f->raw_at = f->raw_len = 0;
    do {
        size_t got = 0;
        IV_TRY(read_raw(f, f->raw + f->raw_len, RAW - f->raw_len, &got, err));
        f->raw_len += got;
    } while (!f->raw_ended && f->raw_len < MAGIC);
    return IV_OK;
}

static int new_unpacker(iv_sorted_file *f, iv_err *err)
{
    iv_unpacker_free(f->unpacker);
    f->unpacker = NULL;
    const iv_unpacked made = f->packing == IV_PLAIN ? IV_UNPACKED
                                                    : iv_unpacker_new(&f->unpacker, f->packing);
    return made == IV_UNPACKED ? IV_OK
        : made == IV_UNPACKED_NOT_BUILT ? iv_unpack_not_built(f->name, f->packing, err)
                                        : iv_fail_at(err, IV_ENOMEM, f->name, 0, "out of memory");
}

int iv_sorted_open(iv_sorted_file *f, const char *path, int fd, bool digested,
                   const iv_work *work, iv_err *err)
{
    struct stat st;

    f->name = path;
    f->work = work;
    f->fd = fd >= 0 ? fd : STDIN_FILENO;
    if (fd < 0 && strcmp(path, "-") != 0)
        IV_TRY(iv_open_file(&f->fd, path, work, err));
    if (fstat(f->fd, &st) != 0)
        return iv_fail_at(err, IV_EIO, path, 0, "cannot read: %s", strerror(errno));
    if (S_ISDIR(st.st_mode))
        return iv_fail_at(err, IV_EIO, path, 0, "cannot read: %s", strerror(EISDIR));
    f->regular = S_ISREG(st.st_mode) && f->fd != STDIN_FILENO;
    f->stored = f->regular ? (uint64_t)st.st_size : 0;
#ifdef POSIX_FADV_SEQUENTIAL
    if (f->regular)
        (void)posix_fadvise(f->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
    f->raw = malloc(RAW);
    f->digest = digested ? malloc(sizeof *f->digest) : NULL;
    if (f->raw == NULL || (digested && f->digest == NULL))
        return iv_fail_at(err, IV_ENOMEM, path, 0, "out of memory");
    if (digested)
        iv_sha256_begin(f->digest);
    IV_TRY(read_first(f, err));
    f->packing = iv_packing_of(f->raw, f->raw_len);
    const char *other = iv_packing_unread(f->raw, f->raw_len);
    return other != NULL ? iv_unpack_other(f->name, other, err) : new_unpacker(f, err);
}

void iv_sorted_close(iv_sorted_file *f)
{
    if (f->name != NULL && f->fd > STDIN_FILENO)
        (void)close(f->fd);
    iv_unpacker_free(f->unpacker);
    free(f->raw);
    free(f->buffer);
    free(f->digest);
    *f = (iv_sorted_file){ 0 };
}

int iv_sorted_rewind(iv_sorted_file *f, iv_err *err)
{
    f->begin = f->end = f->whole = 0;
    f->lines = 0;
    f->read = 0;
    f->begun = f->ended = false;
    if (f->digest != NULL)
        iv_sha256_begin(f->digest);
    if (lseek(f->fd, 0, SEEK_SET) != 0)
        return iv_fail_at(err, IV_EIO, f->name, 0, "cannot read: %s", strerror(errno));
    IV_TRY(read_first(f, err));
    return new_unpacker(f, err);
}

/* ------------------------------------------------------------- reading -- */

static int make_room(iv_sorted_file *f, size_t capacity, iv_err *err)
{
    if (f->begin > 0)
        memmove(f->buffer, f->buffer + f->begin, f->end - f->begin);
    f->end -= f->begin;
    f->whole -= f->begin;
    f->begin = 0;
    if (capacity <= f->capacity)
        return IV_OK;
    char *buffer = realloc(f->buffer, capacity);
    if (buffer == NULL)
        return iv_fail_at(err, IV_ENOMEM, f->name, 0, "out of memory");
    f->buffer = buffer;
    f->capacity = capacity;
    return IV_OK;
}

static int read_plain(iv_sorted_file *f, char *out, size_t room, size_t *got, iv_err *err)
{
    const size_t held = f->raw_len - f->raw_at, n = held < room ? held : room;

    if (held == 0)
        return read_raw(f, out, room, got, err);
    memcpy(out, f->raw + f->raw_at, n);
    f->raw_at += n;
    *got = n;
    return IV_OK;
}

/* Packed data that break off: at the line where they do. */
static int broken(const iv_sorted_file *f, bool damaged, iv_err *err)
{
    uint64_t line = f->lines + 1;

    for (size_t i = f->begin; i < f->end; i++)
        line += f->buffer[i] == '\n';
    return iv_unpack_flaw(f->name, line, f->packing, damaged, err);
}

/* *got is 0 at the end alone. */
static int read_packed(iv_sorted_file *f, char *out, size_t room, size_t *got, iv_err *err)
{
    *got = 0;
    while (*got == 0) {
        if (f->raw_at == f->raw_len && !f->raw_ended) {
            f->raw_at = f->raw_len = 0;
            IV_TRY(read_raw(f, f->raw, RAW, &f->raw_len, err));
        }
        iv_str data = { f->raw + f->raw_at, f->raw_len - f->raw_at };
        const size_t before = data.len;
        const iv_unpacked state = iv_unpacker_step(f->unpacker, &data, out, room, got);
        f->raw_at += before - data.len;
        if (state == IV_UNPACKED_NO_MEMORY)
            return iv_fail_at(err, IV_ENOMEM, f->name, 0, "out of memory");
        if (state == IV_UNPACKED_WINDOW)
            return iv_unpack_window(f->name, err);
        f->end += *got; /* what was made is good */
        if (state != IV_UNPACKED || (*got == 0 && before > 0 && data.len == before))
            return broken(f, true, err);
        if (*got == 0 && data.len == 0 && f->raw_ended)
            return iv_unpacker_whole(f->unpacker) ? IV_OK : broken(f, false, err);
    }
    f->end -= *got;
    return IV_OK;
}

static int read_on(iv_sorted_file *f, iv_err *err)
{
    while (!f->ended && f->end < f->capacity) {
        char *const to = f->buffer + f->end;
        const size_t room = f->capacity - f->end;
        size_t got = 0;
        IV_TRY(f->unpacker != NULL ? read_packed(f, to, room, &got, err)
                                   : read_plain(f, to, room, &got, err));
        f->ended = got == 0;
        f->end += got;
    }
    if (!f->begun) /* no buffer is smaller than the mark */
        f->begin = f->end - iv_text_of(&(iv_bytes){ f->buffer, f->end, 0, IV_PLAIN }).len;
    f->begun = true;
    f->whole = f->end;
    while (!f->ended && f->whole > f->begin && f->buffer[f->whole - 1] != '\n')
        f->whole--;
    return IV_OK;
}

int iv_sorted_fill(iv_sorted_file *f, size_t capacity, size_t most, iv_err *err)
{
    if (f->ended || (f->capacity >= capacity && f->whole > f->begin
                     && f->end - f->begin > f->capacity / 2))
        return IV_OK;
    do {
        IV_TRY(make_room(f, capacity, err));
        IV_TRY(read_on(f, err));
        capacity = 2 * f->capacity;
    } while (!f->ended && f->whole == f->begin && capacity <= most);
    if (!f->ended && f->whole == f->begin)
        return iv_fail_at(err, IV_EPARSE, f->name, f->lines + 1, "a line of more than %zu bytes, "
                          "expected one that fits into memory", f->end - f->begin);
    return IV_OK;
}

int iv_sorted_is_text(const iv_sorted_file *f, iv_err *err)
{
    iv_problems problems = { .most = 1 };
    iv_err here = { 0 };

    if (!iv_text_refuse_nul((iv_str){ f->buffer + f->begin, f->end - f->begin }, &problems))
        return IV_OK;
    iv_problems_finish(&problems);
    const int rc = iv_problems_verdict(&problems, f->name, &here);
    here.line += here.line > 0 ? f->lines : 0;
    if (err != NULL)
        *err = here;
    iv_problems_free(&problems);
    return rc;
}

/* -------------------------------------------------------------- topics -- */

/* The topic of the line at p, which moves behind it; empty: it has none. */
static iv_str topic_at(const char **p, const char *end)
{
    const char *at = *p;
    const size_t left = end > at ? (size_t)(end - at) : 0;
    const char *eol = left > 0 ? memchr(at, '\n', left) : NULL;
    const bool comment = iv_is_comment(at, end);

    *p = eol == NULL ? end : eol + 1;
    while (at < *p && iv_is_blank(*at))
        at++;
    const char *stop = comment ? at : iv_field_end(at, *p);
    return (iv_str){ at, (size_t)(stop - at) };
}

iv_str iv_first_topic(iv_str lines)
{
    const char *p = lines.ptr, *const end = lines.ptr + lines.len;
    iv_str topic = { p, 0 };

    while (p < end && topic.len == 0)
        topic = topic_at(&p, end);
    return topic;
}

/* Where the line begins that holds the byte before `at`. */
static const char *line_before(const char *begin, const char *at)
{
    at--;
    while (at > begin && at[-1] != '\n')
        at--;
    return at;
}

iv_str iv_last_topic(iv_str lines)
{
    const char *at = lines.ptr + lines.len;
    iv_str topic = { lines.ptr, 0 };

    while (at > lines.ptr && topic.len == 0) {
        const char *end = at, *p = at = line_before(lines.ptr, at);
        topic = topic_at(&p, end);
    }
    return topic;
}

size_t iv_topics_before(iv_str lines, iv_topic_order order, iv_str topic)
{
    const char *const end = lines.ptr + lines.len;
    size_t low = 0, high = lines.len; /* low: before it; high: not, or the end */

    while (low < high) {
        /* The first line with a topic that begins at the middle or behind it. */
        const char *p = lines.ptr + low + (high - low) / 2, *line = p;
        if (p > lines.ptr + low) {
            line = line_before(lines.ptr, p + 1);
            p = line;
        }
        iv_str here = { p, 0 };
        while (p < end && here.len == 0)
            here = topic_at(&p, end);
        if (here.len > 0 && iv_topic_compare(order, here, topic) < 0)
            low = (size_t)(p - lines.ptr);
        else
            high = (size_t)(line - lines.ptr);
    }
    return high;
}

void iv_sorted_take(iv_sorted_file *f, size_t bytes)
{
    f->begin += bytes;
}
