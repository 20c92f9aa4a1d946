/* SPDX-License-Identifier: Apache-2.0 */
/* A file of documents in windows: read or unpacked, told by content, cut into records. */
#define _GNU_SOURCE /* memmem */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/parallel.h"
#include "store/bibliography.h"
#include "store/documents.h"

/* WINDOW is read at a time; no record is longer than LONGEST. */
enum { WINDOW = 1 << 22, LONGEST = 1 << 26 };

int iv_wanted_begin(iv_wanted *w, iv_err *err)
{
    w->line = calloc(w->ids.count + 1, sizeof *w->line);
    w->file = calloc(w->ids.count + 1, sizeof *w->file);
    w->left = w->ids.count;
    return w->line == NULL || w->file == NULL ? iv_no_memory(err) : IV_OK;
}

void iv_wanted_free(iv_wanted *w)
{
    free(w->line);
    free(w->file);
    iv_ids_free(&w->ids);
}

uint32_t iv_document_wanted(const iv_document_file *f, iv_str name)
{
    return f->w->ids.count == 0 ? IV_NO_ID : iv_ids_find(&f->w->ids, name);
}

int iv_document_found(iv_document_file *f, uint32_t id, uint64_t line, iv_str title, iv_str text,
                      iv_err *err)
{
    iv_wanted *w = f->w;
    char quoted[IV_QUOTE_SIZE];
    iv_arena own = { 0 };
    iv_str clean_title, clean;

    if (w->line[id] != 0)
        return iv_fail_at(err, IV_EPARSE, f->path, line, "%s %s stands twice, first in %s:%llu, "
                          "expected once", w->topics ? "topic" : "document",
                          iv_quote(quoted, w->ids.names[id]), w->file[id],
                          (unsigned long long)w->line[id]);
    int rc = iv_plain_utf8(&clean_title, &own, title, err);
    if (rc == IV_OK)
        rc = iv_plain_utf8(&clean, &own, text, err);
    if (rc == IV_OK)
        rc = w->put(w->user, id, clean_title, clean, err);
    iv_arena_free(&own);
    w->line[id] = line;
    w->file[id] = f->path;
    w->left--;
    return rc;
}

/* ----------------------------------------------------------------- tabs -- */

/* id, text; id, title, text; or id, address, title, text. */
static int take_tabs_line(iv_document_file *f, iv_str line, iv_err *err)
{
    const char *tab = memchr(line.ptr, '\t', line.len), *end = line.ptr + line.len;
    iv_str cell[3] = { { "", 0 }, { "", 0 }, { "", 0 } };
    size_t cells = 0;

    if (line.len > 0 && end[-1] == '\r')
        end--;
    if (line.len == 0 || end == line.ptr)
        return IV_OK;
    if (tab == NULL)
        return iv_fail_at(err, IV_EPARSE, f->path, f->line, "no tab, expected an id, a tab and "
                          "a text");
    const uint32_t id = iv_document_wanted(f, (iv_str){ line.ptr, (size_t)(tab - line.ptr) });
    if (id == IV_NO_ID)
        return IV_OK;
    for (const char *at = tab + 1; cells < 3; at = tab + 1) {
        tab = cells < 2 ? memchr(at, '\t', (size_t)(end - at)) : NULL;
        cell[cells++] = (iv_str){ at, (size_t)((tab == NULL ? end : tab) - at) };
        if (tab == NULL)
            break;
    }
    if (f->w->topics) /* all of it */
        cell[0].len = (size_t)(end - cell[0].ptr);
    const bool plain = cells == 1 || f->w->topics;
    return iv_document_found(f, id, f->line, plain ? (iv_str){ "", 0 } : cell[cells - 2],
                             cell[plain ? 0 : cells - 1], err);
}

int iv_take_lines(iv_document_file *f, size_t *used, iv_str text, bool last,
                  int (*take_line)(iv_document_file *f, iv_str line, iv_err *err), iv_err *err)
{
    size_t at = 0;

    while (at < text.len) {
        const char *stop = memchr(text.ptr + at, '\n', text.len - at);
        if (stop == NULL && !last)
            break;
        const size_t end = stop == NULL ? text.len : (size_t)(stop - text.ptr);
        IV_TRY(take_line(f, (iv_str){ text.ptr + at, end - at }, err));
        f->line++;
        at = end + (stop != NULL);
    }
    *used = at;
    return IV_OK;
}

/* -------------------------------------------------------------- windows -- */

/* Told by the first byte that is no blank. */
static int tell_form(iv_document_file *f, iv_str text, iv_err *err)
{
    size_t at = 0;

    while (at < text.len && memchr(" \t\r\n", text.ptr[at], 4) != NULL)
        at++;
    if (at == text.len)
        return iv_fail_at(err, IV_EPARSE, f->path, 0, "is empty, expected %s",
                          f->w->topics ? "topics" : "documents");
    f->form = text.ptr[at] == '{' ? IV_FORM_JSON : text.ptr[at] == '<' ? IV_FORM_TAGS
        : IV_FORM_TABS;
    f->begun = true;
    return IV_OK;
}

static int take(void *user, size_t *used, iv_str text, bool last, iv_err *err)
{
    iv_document_file *f = user;
    size_t mark = 0;

    IV_TRY(iv_check_work(f->work, 0.0, err));
    if (!f->begun && text.len >= 3 && memcmp(text.ptr, "\xef\xbb\xbf", 3) == 0)
        mark = 3;
    text = (iv_str){ text.ptr + mark, text.len - mark };
    if (!f->begun)
        IV_TRY(tell_form(f, text, err));
    *used = 0;
    if (f->form == IV_FORM_TAGS)
        IV_TRY(iv_take_tags(f, used, text, last, err));
    else
        IV_TRY(iv_take_lines(f, used, text, last, f->form == IV_FORM_JSON ? iv_take_json_line
                                                                          : take_tabs_line, err));
    if (*used == 0 && !last && text.len >= LONGEST)
        return iv_fail_at(err, IV_EPARSE, f->path, f->line, "a record of more than %d MB, "
                          "expected documents", LONGEST >> 20);
    *used += mark;
    return IV_OK;
}

/* More of a file into the buffer, until it is full or the file ends. */
static int fill(size_t *len, bool *last, const iv_document_file *f, int fd, size_t room,
                iv_err *err)
{
    while (*len < room && !*last) {
        size_t got = 0;
        IV_TRY(iv_read_some(&got, f->buffer + *len, room - *len, fd, f->path, f->work, err));
        *len += got;
        *last = got == 0;
    }
    return IV_OK;
}

static int read_plain(iv_document_file *f, int fd, iv_err *err)
{
    size_t room = WINDOW, len = 0, used = 0;
    bool last = false;

    f->buffer = malloc(room);
    while (f->buffer != NULL) {
        IV_TRY(fill(&len, &last, f, fd, room, err));
        IV_TRY(take(f, &used, (iv_str){ f->buffer, len }, last, err));
        if (last)
            return IV_OK;
        memmove(f->buffer, f->buffer + used, len - used);
        len -= used;
        if (used == 0) { /* a record longer than that */
            char *grown = realloc(f->buffer, 2 * room);
            if (grown == NULL)
                break;
            f->buffer = grown;
            room *= 2;
        }
    }
    return iv_no_memory(err);
}

static int read_packed(iv_document_file *f, int fd, iv_packing packing, iv_err *err)
{
    const iv_taker taker = { LONGEST, take, f };
    iv_bytes packed, whole;

    IV_TRY(iv_bytes_read(&packed, fd, f->path, f->work, err));
    int rc = iv_unpack_windows(&taker, packed.ptr, packed.len, packing,
                               f->work != NULL ? f->work->most_bytes : 0, err);
    iv_bytes_free(&packed);
    if (rc != IV_NOT_TAKEN)
        return rc;
    rc = iv_bytes_load(&whole, f->path, f->work, err); /* says what is wrong with it */
    if (rc == IV_OK) {
        iv_bytes_free(&whole);
        rc = iv_fail_at(err, IV_EPARSE, f->path, f->line, "a NUL byte, expected text");
    }
    return rc;
}

/* The wanted ones of a file of references: title; abstract, and "[authors year DOI]" at the end. */
static int read_bibliography(iv_document_file *f, iv_err *err)
{
    iv_arena own = { 0 };
    iv_bibliography b = { 0 };
    int rc = iv_bibliography_load(&b, &own, f->path, f->work, err);

    for (size_t i = 0; i < b.count && rc == IV_OK; i++) {
        const iv_bibliographic *x = &b.at[i];
        const uint32_t id = x->duplicate ? IV_NO_ID : iv_document_wanted(f, x->id);
        const size_t room = x->abstract.len + x->authors.len + x->year.len + x->doi.len + 16;
        char *text = id == IV_NO_ID ? NULL : iv_arena_alloc(&own, room);
        if (id == IV_NO_ID)
            continue;
        if (text == NULL)
            rc = iv_no_memory(err);
        const bool more = x->authors.len + x->year.len + x->doi.len > 0;
        const int n = text == NULL ? 0 : snprintf(text, room,
                                                  more ? "%.*s\n\n[%.*s %.*s %.*s]" : "%.*s",
            (int)x->abstract.len, x->abstract.ptr, (int)x->authors.len, x->authors.ptr,
            (int)x->year.len, x->year.ptr, (int)x->doi.len, x->doi.ptr);
        if (rc == IV_OK)
            rc = iv_document_found(f, id, x->line, x->title, (iv_str){ text, (size_t)n }, err);
    }
    iv_arena_free(&own);
    return rc;
}

int iv_documents_read(iv_wanted *w, const char *path, const iv_work *work, iv_err *err)
{
    iv_document_file f = { .w = w, .path = path, .work = work, .line = 1 };
    struct stat st;
    int fd, rc;

    IV_TRY(iv_open_file(&fd, path, work, err));
    if (fstat(fd, &st) != 0) {
        rc = iv_fail_at(err, IV_EIO, path, 0, "cannot read: %s", strerror(errno));
        (void)close(fd);
        return rc;
    }
    if (S_ISDIR(st.st_mode)) {
        (void)close(fd);
        return w->topics ? iv_fail_at(err, IV_EIO, path, 0, "is a folder, expected a file of "
                                      "topics") : iv_folder_read(w, path, work, err);
    }
    if (!w->topics && iv_bibliography_is(path)) {
        (void)close(fd);
        return read_bibliography(&f, err);
    }
    const iv_packing packing = iv_packing_at(fd);
    rc = packing == IV_PLAIN ? read_plain(&f, fd, err) : read_packed(&f, fd, packing, err);
    (void)close(fd);
    free(f.buffer);
    (void)sqlite3_finalize(f.valid);
    (void)sqlite3_finalize(f.parts);
    (void)sqlite3_close(f.memory);
    return rc;
}
