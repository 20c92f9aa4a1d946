/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/site.h"

#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve/opening.h"
#include "serve/server.h"

enum { PAGE, SCRIPT, MODULE, FILES };
enum { ASK_MS = 100, FILE_MOST = 64 << 20, HEADERS_SIZE = 2048 };

static const struct {
    const char *name, *type;
} files[FILES] = {
    [PAGE] = { "index.html", "text/html; charset=utf-8" },
    [SCRIPT] = { "intervale.js", "text/javascript; charset=utf-8" },
    [MODULE] = { "intervale.wasm", "application/wasm" } };

/* What is asked for, in the order of the files; the page has two names. */
static const iv_address addresses[] = {
    [PAGE] = { "/", IV_GET, IV_BY_ANYBODY },
    [SCRIPT] = { "/intervale.js", IV_GET, IV_BY_ANYBODY },
    [MODULE] = { "/intervale.wasm", IV_GET, IV_BY_ANYBODY },
    [FILES] = { "/index.html", IV_GET, IV_BY_ANYBODY },
    { NULL } };

typedef struct site {
    const iv_work *work;
    struct { char *bytes; size_t len; } files[FILES];
    char headers[HEADERS_SIZE];
    iv_places places;
    iv_http_rules gate;
    struct event_base *base;
    iv_connections *wire;
    struct event *tick;
} site;

/* ----------------------------------------------------------------- files -- */

static int read_file(char **out, size_t *len, const char *path, iv_err *err)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat is;

    if (fd < 0)
        return iv_fail_at(err, IV_EIO, path, 0, "%s", strerror(errno));
    if (fstat(fd, &is) != 0 || !S_ISREG(is.st_mode) || is.st_size > FILE_MOST) {
        (void)close(fd);
        return iv_fail_at(err, IV_EIO, path, 0, "is no file of a site");
    }
    const size_t size = (size_t)is.st_size;
    char *bytes = malloc(size + 1);
    size_t at = 0;
    ssize_t came = 1;
    while (bytes != NULL && at < size && came > 0) {
        came = read(fd, bytes + at, size - at);
        at += came > 0 ? (size_t)came : 0;
    }
    (void)close(fd);
    if (bytes == NULL)
        return iv_no_memory(err);
    *out = bytes;
    *len = at;
    bytes[at] = '\0';
    return at == size ? IV_OK : iv_fail_at(err, IV_EIO, path, 0, "cannot be read to its end");
}

static int read_site(site *s, const char *folder, iv_err *err)
{
    char path[4096];

    for (size_t i = 0; i < FILES; i++) {
        if (snprintf(path, sizeof path, "%s/%s", folder, files[i].name) >= (int)sizeof path)
            return iv_fail_at(err, IV_EARG, folder, 0, "the path is too long");
        IV_TRY(read_file(&s->files[i].bytes, &s->files[i].len, path, err));
    }
    return IV_OK;
}

/* The page says what it may do; a header says it of the worker, too, and of frames around it. */
static int make_headers(site *s, const char *folder, iv_err *err)
{
    static const char mark[] = "http-equiv=\"Content-Security-Policy\" content=\"";
    const char *at = strstr(s->files[PAGE].bytes, mark);
    const char *policy = at == NULL ? "" : at + strlen(mark);
    const size_t len = strcspn(policy, "\"\r\n");

    if (len == 0 || policy[len] != '"' || len > HEADERS_SIZE / 2)
        return iv_fail_at(err, IV_EPARSE, folder, 0, "index.html is not the page of intervale");
    (void)snprintf(s->headers, sizeof s->headers,
        "Content-Security-Policy: %.*s; frame-ancestors 'none'\r\n"
        IV_SAFE_HEADERS
        "Cache-Control: no-cache\r\n", (int)len, policy);
    return IV_OK;
}

/* --------------------------------------------------------------- serving -- */

static void on_request(void *user, iv_exchange *x)
{
    const site *s = user;
    const size_t which = x->asked.address < FILES ? x->asked.address : PAGE;

    x->text = malloc(s->files[which].len + 1);
    if (x->text != NULL) {
        memcpy(x->text, s->files[which].bytes, s->files[which].len);
        x->len = s->files[which].len;
        x->type = files[which].type;
        x->status = 200;
    }
    iv_connections_answer(x);
}

static void on_ask(evutil_socket_t fd, short what, void *user)
{
    const site *s = user;
    const iv_progress *p = &s->work->progress;

    (void)fd;
    (void)what;
    if (p->report != NULL && p->report(p->user, 0.0) != 0)
        (void)event_base_loopbreak(s->base);
}

static int prepare(site *s, const iv_site_options *o, iv_err *err)
{
    const struct timeval often = { 0, ASK_MS * 1000 };

    IV_TRY(read_site(s, o->folder, err));
    IV_TRY(make_headers(s, o->folder, err));
    IV_TRY(iv_places_open(&s->places, &(iv_serve_options){ .port = o->port }, IV_SITE_PORT, err));
    s->gate = (iv_http_rules){ { s->places.authorities, s->places.count },
                         { s->places.origins, s->places.count }, addresses, .heads = true };
    s->base = event_base_new();
    if (s->base == NULL)
        return iv_no_memory(err);
    IV_TRY(iv_connections_new(&s->wire, s->base, &(iv_connections_uses){ &s->gate, s->headers,
                                                                         on_request,
                                                           NULL, s }, err));
    while (s->places.fd_count > 0)
        IV_TRY(iv_connections_listen(s->wire, s->places.fds[--s->places.fd_count], err));
    s->tick = event_new(s->base, -1, EV_PERSIST, on_ask, s);
    if (s->tick == NULL || event_add(s->tick, &often) != 0)
        return iv_no_memory(err);
    return IV_OK;
}

static int serve(site *s, const iv_site_options *o, FILE *said, iv_err *err)
{
    IV_TRY(prepare(s, o, err));
    fprintf(said, "%s\n", s->places.url);
    if (fflush(said) != 0)
        return iv_fail(err, IV_EIO, "cannot write the address");
    if (o->open)
        iv_start_browser(s->places.url);
    if (event_base_dispatch(s->base) < 0)
        return iv_fail(err, IV_EIO, "the event loop failed");
    return IV_OK;
}

int iv_serve_site(const iv_site_options *o, FILE *said, const iv_work *work, iv_err *err)
{
    static const iv_work usual;
    site *s = calloc(1, sizeof *s);
    sigset_t before;

    if (s == NULL)
        return iv_no_memory(err);
    s->work = work != NULL ? work : &usual;
    iv_hold_pipe(&before);
    const int rc = serve(s, o, said, err);
    iv_connections_free(s->wire);
    if (s->tick != NULL)
        event_free(s->tick);
    if (s->base != NULL)
        event_base_free(s->base);
    iv_places_close(&s->places);
    iv_let_pipe_go(&before);
    for (size_t i = 0; i < FILES; i++)
        free(s->files[i].bytes);
    free(s);
    return rc;
}
