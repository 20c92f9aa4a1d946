/* SPDX-License-Identifier: Apache-2.0 */
/* Serves a folder of files, for `web`. */
#define _GNU_SOURCE /* memmem */
#include "base/bytes.h"
#include "base/err.h"
#include "serve/connection.h"
#include "serve/http_parser.h"
#include "serve/serve.h"
#include "serve/site.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PAGE, SCRIPT, MODULE, FILES };
enum { HEADERS_SIZE = 2048 };

/* Names and types. */
static const char *const files[FILES][2] = {
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
    iv_bytes files[FILES];
    char headers[HEADERS_SIZE];
    iv_places places;
    iv_http_rules gate;
    iv_connections *wire;
} site;

/* ----------------------------------------------------------------- files -- */

static int read_site(site *s, const char *folder, iv_err *err)
{
    char path[4096];
    struct stat is;

    for (size_t i = 0; i < FILES; i++) {
        if (snprintf(path, sizeof path, "%s/%s", folder, files[i][0]) >= (int)sizeof path)
            return iv_fail_at(err, IV_EARG, folder, 0, "the path is too long");
        if (stat(path, &is) == 0 && !S_ISREG(is.st_mode))
            return iv_fail_at(err, IV_EIO, path, 0, "is no file of a site");
        IV_TRY(iv_bytes_load_raw(&s->files[i], path, s->work, err));
    }
    return IV_OK;
}

/* The page says what it may do; a header says it of the worker, too, and of frames around it. */
static int make_headers(site *s, const char *folder, iv_err *err)
{
    static const char mark[] = "http-equiv=\"Content-Security-Policy\" content=\"";
    const iv_bytes *page = &s->files[PAGE];
    const char *at = page->len == 0 ? NULL
        : memmem(page->ptr, page->len, mark, sizeof mark - 1);
    const char *policy = at == NULL ? page->ptr : at + sizeof mark - 1;
    const char *end = at == NULL ? NULL
        : memchr(policy, '"', page->len - (size_t)(policy - page->ptr));
    const size_t len = end == NULL ? 0 : (size_t)(end - policy);

    if (len == 0 || len > HEADERS_SIZE / 2 || memchr(policy, '\n', len) != NULL)
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
        memcpy(x->text, s->files[which].ptr, s->files[which].len);
        x->len = s->files[which].len;
        x->type = files[which][1];
        x->status = 200;
    }
    iv_connections_answer(x);
}

static int serve(site *s, const iv_serve_options *o, FILE *said, iv_err *err)
{
    IV_TRY(read_site(s, o->file, err));
    IV_TRY(make_headers(s, o->file, err));
    IV_TRY(iv_places_open(&s->places, &(iv_serve_options){ .port = o->port }, IV_SITE_PORT, err));
    s->gate = (iv_http_rules){ { s->places.authorities, s->places.count },
                         { s->places.origins, s->places.count }, addresses, .heads = true };
    IV_TRY(iv_connections_new(&s->wire, &s->gate, s->headers, on_request, NULL, s, err));
    while (s->places.fd_count > 0)
        IV_TRY(iv_connections_listen(s->wire, s->places.fds[--s->places.fd_count], err));
    fprintf(said, "%s\n", s->places.url);
    if (fflush(said) != 0)
        return iv_fail(err, IV_EIO, "cannot write the address");
    if (o->open)
        iv_start_browser(s->places.url);
    return iv_connections_run(s->wire, s->work, err);
}

int iv_serve_site(const iv_serve_options *o, FILE *said, const iv_work *work, iv_err *err)
{
    site *s = calloc(1, sizeof *s);
    sigset_t before;

    if (s == NULL)
        return iv_no_memory(err);
    s->work = work;
    iv_hold_pipe(&before);
    const int rc = serve(s, o, said, err);
    iv_connections_free(s->wire);
    iv_places_close(&s->places);
    iv_let_pipe_go(&before);
    for (size_t i = 0; i < FILES; i++)
        iv_bytes_free(&s->files[i]);
    free(s);
    return rc;
}
