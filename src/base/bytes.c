/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>

#include "base/checking.h"
#include "base/parallel.h"

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
    int rc = iv_reader_memory(&in, name, packed, packing, packing == IV_PLAIN ? NULL
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
