/* SPDX-License-Identifier: Apache-2.0 */
#include "base/stretches.h"

#include <string.h>
#include <sys/stat.h>

#include "base/parallel.h"

/*
 * STRETCH stays in a core's cache from reading to parsing; a window has EACH of them for each
 * thread, and MOST at most.  No line is longer than a window.
 */
enum { STRETCH = 1 << 19, EACH = 2, MOST = 16 };

/* Where stretch k of the window begins: behind the line end at or behind its place. */
static size_t beginning(iv_str window, size_t k)
{
    if (k == 0 || k * STRETCH > window.len)
        return k == 0 ? 0 : window.len;
    const char *from = window.ptr + k * STRETCH - 1;
    const char *stop = memchr(from, '\n', window.len - (k * STRETCH - 1));
    return stop == NULL ? window.len : (size_t)(stop - window.ptr) + 1;
}

static int hand_stretch(void *user, void *memory, size_t k, iv_err *err)
{
    const iv_stretches *s = user;
    const size_t begin = beginning(s->window, k), end = beginning(s->window, k + 1);

    (void)memory;
    return s->take(s->user, s->first + k, (iv_str){ s->window.ptr + begin, end - begin }, err);
}

static int hand_window(iv_stretches *s, const iv_work *work, iv_err *err)
{
    const size_t count = s->window.len / STRETCH + 1;
    iv_work how;

    if (s->first == 0)
        IV_TRY(s->begin(s->user, s->window, err));
    IV_TRY(s->room(s->user, s->first + count, err));
    IV_TRY(iv_parallel(&(iv_loop){ .count = count, .item = hand_stretch, .user = s },
                       iv_work_for(&how, work, s->window.len), err));
    s->first += count;
    return IV_OK;
}

static int hand_all(iv_stretches *s, iv_reader *in, const iv_work *work, iv_err *err)
{
    const size_t wanted = EACH * (size_t)iv_work_threads(work);
    const size_t window = STRETCH * (wanted < MOST ? wanted : MOST);

    for (;;) {
        iv_stage stage;
        const int rc = iv_reader_fill(in, window, window, err);
        if (rc != IV_OK)
            return rc == IV_EPARSE ? IV_NOT_TAKEN : rc;
        s->window = iv_reader_text(in);
        if (s->window.len == 0)
            return s->first > 0 ? iv_reader_digested(in, err) : IV_NOT_TAKEN;
        const double done = (double)in->read / (double)in->stored;
        IV_TRY(hand_window(s, iv_work_part(&stage, work, done, done), err));
        iv_reader_take(in, s->window.len);
    }
}

int iv_stretches_of(iv_stretches *s, const char *path, const iv_work *work, iv_err *err)
{
    iv_reader in = { 0 };
    struct stat st;

    /* A pipe is opened once: who opens it for a look loses what is in it then. */
    if (strcmp(path, "-") == 0 || stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return IV_NOT_TAKEN;
    int rc = iv_reader_open(&in, path, -1, IV_READ_DIGEST, work, err);
    s->stored = in.stored;
    s->packing = in.packing;
    rc = rc == IV_OK && in.regular ? hand_all(s, &in, work, err) : IV_NOT_TAKEN;
    iv_reader_close(&in);
    return rc;
}
