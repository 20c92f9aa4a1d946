/* SPDX-License-Identifier: Apache-2.0 */
/* A folder of texts: the name of a file, with or without .txt, is the document's. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/parallel.h"
#include "store/documents.h"

enum { NAME_ROOM = 300 };

/* The file of a document, by any of its names; -1: none.  No links: they could lead out. */
static int open_text(char name[NAME_ROOM], int folder, iv_str docno)
{
    static const char *const ends[] = { "", ".txt", ".gz", ".zst", ".txt.gz", ".txt.zst",
                                        ".html", ".htm" };

    if (docno.len == 0 || docno.len > 250 || memchr(docno.ptr, '/', docno.len) != NULL
        || docno.ptr[0] == '.')
        return -1;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct stat st;
        (void)snprintf(name, NAME_ROOM, "%.*s%s", (int)docno.len, docno.ptr, ends[i]);
        const int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        if (fd < 0)
            continue;
        if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
            return fd;
        (void)close(fd);
    }
    return -1;
}

/* Pages have tags; other texts are as they are. */
static bool is_page(iv_str text)
{
    const iv_str head = { text.ptr, text.len < 1024 ? text.len : 1024 };

    return iv_find_tag(head, "<!doctype html") != NULL || iv_find_tag(head, "<html") != NULL;
}

static int take_text(iv_document_file *f, uint32_t id, iv_str text, iv_err *err)
{
    iv_arena own = { 0 };
    iv_str plain = text;
    int rc = IV_OK;

    if (text.len >= 5 && memcmp(text.ptr, "%PDF-", 5) == 0)
        return iv_fail_at(err, IV_EPARSE, f->path, 0, "is a PDF, expected a text; convert it "
                                                      "first");
    if (is_page(text))
        rc = iv_plain_text(&plain, &own, text, err);
    if (rc == IV_OK)
        rc = iv_document_found(f, id, 1, (iv_str){ "", 0 }, plain, err);
    iv_arena_free(&own);
    return rc;
}

static int read_text(iv_wanted *w, uint32_t id, int fd, const char *path, const iv_work *work,
                     iv_err *err)
{
    iv_document_file f = { .w = w, .path = path, .work = work };
    iv_bytes kept, text = { 0 };
    struct stat st;

    if (fstat(fd, &st) == 0 && st.st_size == 0)
        return iv_document_found(&f, id, 1, (iv_str){ "", 0 }, (iv_str){ "", 0 }, err);
    IV_TRY(iv_bytes_read(&kept, fd, path, work, err));
    if (iv_packing_of(kept.ptr, kept.len) == IV_PLAIN) {
        const int rc = take_text(&f, id, (iv_str){ kept.ptr, kept.len }, err);
        iv_bytes_free(&kept);
        return rc;
    }
    int rc = iv_bytes_copy(&text, path, kept.ptr, kept.len, work, err);
    iv_bytes_free(&kept);
    if (rc == IV_OK) {
        rc = take_text(&f, id, (iv_str){ text.ptr, text.len }, err);
        iv_bytes_free(&text);
    }
    return rc;
}

int iv_folder_read(iv_wanted *w, const char *path, const iv_work *work, iv_err *err)
{
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int rc = folder < 0
        ? iv_fail_at(err, IV_EIO, path, 0, "cannot open: %s", strerror(errno)) : IV_OK;

    for (uint32_t id = 0; id < w->ids.count && rc == IV_OK; id++) {
        char name[NAME_ROOM], whole[NAME_ROOM + 200];
        const int fd = open_text(name, folder, w->ids.names[id]);
        rc = iv_check_work(work, (double)id / (double)w->ids.count, err);
        if (fd < 0)
            continue;
        (void)snprintf(whole, sizeof whole, "%.190s/%s", path, name);
        if (rc == IV_OK)
            rc = read_text(w, id, fd, whole, work, err);
        w->file[id] = path; /* whole is gone */
        (void)close(fd);
    }
    if (folder >= 0)
        (void)close(folder);
    return rc;
}
