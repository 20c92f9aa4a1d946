/* SPDX-License-Identifier: Apache-2.0 */
#include "base/stretches.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/parallel.h"

/*
 * STRETCH stays in a core's cache from reading to parsing; no line is longer than LONGEST,
 * or the file is read whole.  Of a packed file EACH stretches a thread, and MOST at most, are
 * unpacked before they are handed out.
 */
enum { STRETCH = 1 << 19, LONGEST = 1 << 16, EACH = 2, MOST = 16 };

/* What threads share. */
typedef struct handing {
    iv_stretches *s;
    const iv_work *work;
    const char *name;
    int fd;
    uint64_t from; /* where the window begins, unpacked */
    iv_str window;
    size_t first;  /* the number of its first stretch */
    size_t bad;    /* the lowest that was not taken; SIZE_MAX: none */
} handing;

/* The first that is not taken decides how much is read again. */
static int taken(handing *h, size_t i, uint64_t end, int rc)
{
    if (rc == IV_OK)
        return rc;
    iv_lock();
    if (i < h->bad) {
        h->bad = i;
        h->s->enough = end;
    }
    iv_unlock();
    return rc;
}

/* -------------------------------------------------------------- plain -- */

static void *new_buffer(iv_arena *own, void *user)
{
    (void)user;
    return iv_arena_alloc(own, STRETCH + LONGEST + 1);
}

static int plain_item(void *user, void *memory, size_t i, iv_err *err)
{
    handing *h = user;
    const uint64_t all = h->s->stored, begin = (uint64_t)i * STRETCH;
    const uint64_t from = i > 0 ? begin - 1 : 0; /* a line end there: a line begins here */
    char *const ptr = memory;
    size_t len = (size_t)(all - from < STRETCH + (begin - from) ? all - from
                                                                : STRETCH + (begin - from));

    IV_TRY(iv_read_at(ptr, h->fd, from, len, all, h->name, err));
    const char *at = i > 0 ? memchr(ptr, '\n', len) : ptr;
    if (at == NULL) /* inside a line of an earlier stretch */
        return taken(h, i, 0, h->s->take(h->s->user, i, (iv_str){ ptr, 0 }, err));
    at += i > 0;
    /* The last line goes on behind the stretch. */
    while (from + len < all && ptr[len - 1] != '\n') {
        enum { STEP = 1 << 10 };
        const size_t more = all - from - len < STEP ? (size_t)(all - from - len) : STEP;
        if (len + more > STRETCH + LONGEST + 1)
            return taken(h, i, 0, IV_NOT_TAKEN);
        IV_TRY(iv_read_at(ptr + len, h->fd, from + len, more, all, h->name, err));
        const char *stop = memchr(ptr + len, '\n', more);
        len = stop == NULL ? len + more : (size_t)(stop - ptr) + 1;
    }
    const iv_str lines = { at, (size_t)(ptr + len - at) };
    return taken(h, i, from + len, h->s->take(h->s->user, i, lines, err));
}

static int hand_plain(handing *h, iv_err *err)
{
    const size_t count = (size_t)((h->s->stored - 1) / STRETCH) + 1;
    const iv_loop loop = { count, plain_item, h, new_buffer };
    iv_work room;
    const size_t bytes = h->s->stored > SIZE_MAX ? SIZE_MAX : (size_t)h->s->stored;
    const size_t head = bytes < IV_HEAD ? bytes : IV_HEAD;
    char text[IV_HEAD];

    IV_TRY(iv_read_at(text, h->fd, 0, head, h->s->stored, h->name, err));
    IV_TRY(h->s->begin(h->s->user, (iv_str){ text, head }, err));
    IV_TRY(h->s->room(h->s->user, count, err));
    return iv_parallel(&loop, iv_work_for(&room, h->work, bytes), err);
}

/* -------------------------------------------------------------- packed -- */

/* Where stretch k of the window begins: behind the line end at or behind its place. */
static size_t beginning(iv_str window, size_t k)
{
    if (k == 0 || k * STRETCH > window.len)
        return k == 0 ? 0 : window.len;
    const char *from = window.ptr + k * STRETCH - 1;
    const char *stop = memchr(from, '\n', window.len - (k * STRETCH - 1));
    return stop == NULL ? window.len : (size_t)(stop - window.ptr) + 1;
}

static int packed_item(void *user, void *memory, size_t k, iv_err *err)
{
    handing *h = user;
    const size_t begin = beginning(h->window, k), end = beginning(h->window, k + 1);
    const iv_str lines = { h->window.ptr + begin, end - begin };

    (void)memory;
    return taken(h, h->first + k, h->from + end,
                 h->s->take(h->s->user, h->first + k, lines, err));
}

static int hand_window(void *user, size_t *used, iv_str text, bool last, iv_err *err)
{
    handing *h = user;
    iv_stage stage;
    size_t len = text.len;

    while (!last && len > 0 && text.ptr[len - 1] != '\n')
        len--;
    if (len == 0 && !last)
        return taken(h, h->first, h->from + text.len, IV_NOT_TAKEN);
    if (h->first == 0) {
        const iv_str head = { text.ptr, len < IV_HEAD ? len : IV_HEAD };
        const int rc = h->s->begin(h->s->user, head, err);
        if (rc != IV_OK)
            return taken(h, 0, len, rc);
    }
    const size_t count = len / STRETCH + 1;
    const iv_loop loop = { .count = count, .item = packed_item, .user = h };
    IV_TRY(h->s->room(h->s->user, h->first + count, err));
    h->window = (iv_str){ text.ptr, len };
    IV_TRY(iv_parallel(&loop, iv_work_part(&stage, h->work, 0.0, 0.0), err));
    h->first += count;
    h->from += len;
    *used = len;
    return IV_OK;
}

static int hand_packed(handing *h, iv_err *err)
{
    const uint64_t most = h->work != NULL ? h->work->most_bytes : 0;
    const size_t wanted = EACH * (size_t)iv_work_threads(h->work);
    const iv_taker taker = { STRETCH * (wanted < MOST ? wanted : MOST), hand_window, h };
    iv_bytes b;

    IV_TRY(iv_bytes_read(&b, h->fd, h->name, h->work, err));
    const int rc = iv_unpack_windows(&taker, b.ptr, b.len, h->s->packing, most, err);
    iv_bytes_free(&b);
    return rc;
}

int iv_stretches_of(iv_stretches *s, const char *path, const iv_work *work, iv_err *err)
{
    const uint64_t most = work != NULL ? work->most_bytes : 0;
    struct stat st;
    /* A pipe is opened once: who opens it for a look loses what is in it then. */
    const bool regular = strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
    const int fd = regular ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    int rc = IV_NOT_TAKEN;

    if (fd < 0)
        return rc;
    /* A digest is of the whole file. */
    if ((work == NULL || work->digests == NULL) && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)
        && st.st_size > 0
        && (most == 0 || (uint64_t)st.st_size <= most)) {
        handing h = { .s = s, .work = work, .name = path, .fd = fd, .bad = SIZE_MAX };
        s->stored = (uint64_t)st.st_size;
        s->packing = iv_packing_at(fd);
        rc = s->packing == IV_PLAIN ? hand_plain(&h, err) : hand_packed(&h, err);
    }
    (void)close(fd);
    return rc;
}
