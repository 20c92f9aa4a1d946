/* SPDX-License-Identifier: Apache-2.0 */
/* Starts and stops the judging server: its page, its addresses, its threads. */
#define _GNU_SOURCE /* mkostemps, realpath */

#include "base/digest.h"
#include "base/err.h"
#include "base/memory.h"
#include "report/escape.h"
#include "serve/connection.h"
#include "serve/http_parser.h"
#include "serve/http_sessions.h"
#include "serve/serve.h"
#include "serve/server.h"
#include "serve/site.h"
#include "serve/workers.h"
#include "store/assessors.h"
#include "store/entries.h"
#include "store/items.h"
#include "store/session.h"
#include "store/upkeep.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Twice away, so that nobody has to wait for the browser's end. */
void iv_start_browser(const char *what)
{
    static const char *const openers[] = { "xdg-open", "open", "sensible-browser" };
    const pid_t child = fork();

    if (child == 0) {
        if (fork() == 0) {
            const int quiet = open("/dev/null", O_RDWR);
            for (int i = 0; i < 3 && quiet >= 0; i++)
                (void)dup2(quiet, i);
            for (size_t i = 0; i < 3; i++)
                (void)execlp(openers[i], openers[i], what, (char *)NULL);
        }
        _exit(0);
    }
    if (child > 0)
        (void)waitpid(child, NULL, 0);
}

enum { PATH_SIZE = 1024 };

/* Starts the browser at a link.  A command line can be read by everybody on the machine: it
 * gets the name of a file of the user's own, in $TMPDIR or /tmp, and in that is the link.  The
 * file is removed at the end. */
static int open_link(char path[PATH_SIZE], const char *link, iv_err *err)
{
    const char *own = getenv("TMPDIR");
    const bool fits = own != NULL && own[0] == '/'
        && strlen(own) + sizeof "/intervale-XXXXXX.html" <= PATH_SIZE;

    (void)snprintf(path, PATH_SIZE, "%s/intervale-XXXXXX.html", fits ? own : "/tmp");
    const int fd = mkostemps(path, 5, O_CLOEXEC); /* of mode 0600 */
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

    if (file == NULL) {
        const int why = errno;
        path[0] = '\0';
        return iv_fail(err, IV_EIO, "cannot write a file for the browser: %s", strerror(why));
    }
    fprintf(file, "<!DOCTYPE html><meta charset=\"utf-8\"><title>Judging</title>"
            "<meta http-equiv=\"refresh\" content=\"0;url=%s\"><a href=\"%s\">Judge</a>\n", link,
            link);
    if (fclose(file) != 0)
        return iv_fail(err, IV_EIO, "cannot write a file for the browser: %s", strerror(errno));
    iv_start_browser(path);
    return IV_OK;
}

/*
 * The page is one answer: its style and script stand in it, known to the browser by their
 * hashes.  Nothing else is run or loaded, whatever a document says.
 */

enum { HASH_SIZE = 45 }; /* 32 bytes in base 64, and an end */

static unsigned nibble(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* What stands for bytes in a Content-Security-Policy. */
static const char *hash_of(char out[HASH_SIZE], const void *bytes, size_t len)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char hex[IV_SHA256_SIZE];
    unsigned char raw[33] = { 0 };
    size_t at = 0;

    (void)iv_sha256(hex, bytes, len);
    for (size_t i = 0; i < 32; i++)
        raw[i] = (unsigned char)(nibble(hex[2 * i]) << 4 | nibble(hex[2 * i + 1]));
    for (size_t i = 0; i < 33; i += 3) {
        const unsigned three = (unsigned)raw[i] << 16 | (unsigned)raw[i + 1] << 8 | raw[i + 2];
        for (int shift = 18; shift >= 0; shift -= 6)
            out[at++] = digits[three >> shift & 63];
    }
    out[at - 1] = '=';
    out[at] = '\0';
    return out;
}

/* Appends; the buffer is as large as all parts together. */
static void put(iv_server *v, const void *bytes, size_t len)
{
    memcpy(v->page + v->page_len, bytes, len);
    v->page_len += len;
}

static void put_text(iv_server *v, const char *text)
{
    put(v, text, strlen(text));
}

/* The name of a file without its folder, as HTML; NULL: there is no memory. */
static char *session_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);

    if (out == NULL)
        return NULL;
    (void)iv_escape(out, iv_str_of(slash == NULL ? file : slash + 1), &iv_escapes_html);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static int make_page(iv_server *v, iv_err *err)
{
    static const char mark[] = "<!--parts-->", name_mark[] = "<!--session-->";
    char style[HASH_SIZE], script[HASH_SIZE];
    char *html = malloc(iv_web_html_len + 1);

    char *name = session_name(v->options->file);

    if (html != NULL && name != NULL)
        v->page = malloc(iv_web_html_len + iv_web_css_len + iv_web_js_len + strlen(name) + 64);
    if (v->page == NULL) {
        free(html);
        free(name);
        return iv_no_memory(err);
    }
    memcpy(html, iv_web_html, iv_web_html_len);
    html[iv_web_html_len] = '\0';
    const char *at = strstr(html, mark), *place = strstr(html, name_mark);
    if (at == NULL || place == NULL) {
        free(html);
        free(name);
        return iv_fail(err, IV_EPARSE, "the page has no place for its parts");
    }
    put(v, html, (size_t)(at - html));
    put_text(v, "<style>");
    put(v, iv_web_css, iv_web_css_len);
    put_text(v, "</style><script type=\"module\">");
    put(v, iv_web_js, iv_web_js_len);
    put_text(v, "</script>");
    at += strlen(mark);
    put(v, at, (size_t)(place - at));
    put_text(v, name);
    put_text(v, place + strlen(name_mark));
    free(html);
    free(name);
    (void)snprintf(v->headers, sizeof v->headers,
        "Content-Security-Policy: default-src 'none'; script-src 'sha256-%s'; "
        "style-src 'sha256-%s'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'\r\n"
        IV_SAFE_HEADERS
        "Cache-Control: no-store\r\n",
        hash_of(script, iv_web_js, iv_web_js_len), hash_of(style, iv_web_css, iv_web_css_len));
    return IV_OK;
}

/* ---------------------------------------------------------------- links -- */

/* The link of an assessor in the file of an earlier start, if it is valid. */
static bool link_before(char token[IV_TOKEN_SIZE], iv_server *v, const iv_assessor *a,
                        const char *before)
{
    const size_t len = IV_TOKEN_SIZE - 1;

    if (a->owner || v->options->new_links)
        return false;
    for (const char *at = before; (at = strstr(at, "/#t=")) != NULL;) {
        at += strlen("/#t=");
        if (strlen(at) < len
            || iv_store_token_owner(v->store, (iv_str){ at, len }) != a->id)
            continue;
        memcpy(token, at, len);
        token[len] = '\0';
        return true;
    }
    return false;
}

/* A link of the owner at every start, and of those who were never given one: an older link
 * that somebody has not opened yet stays valid. */
static int write_links(iv_server *v, FILE *out, const char *before, char link[400], iv_err *err)
{
    char token[IV_TOKEN_SIZE];
    const iv_assessor *a;

    for (size_t count = iv_store_assessors(&a, v->store); count-- > 0; a++) {
        if (a->revoked)
            continue;
        if (link_before(token, v, a, before)) {
            fprintf(out, "%s: %s#t=%s\n", a->name, v->places.url, token);
            continue;
        }
        if (!a->owner && a->token_sha256[0] != '\0' && (a->script || !v->options->new_links)) {
            if (!a->script)
                fprintf(out, "%s: has a link; the overview makes a new one\n", a->name);
            continue;
        }
        IV_TRY(iv_store_token_new(token, v->store, a->id, err));
        fprintf(out, "%s: %s#t=%s\n", a->name, v->places.url, token);
        if (a->owner)
            (void)snprintf(link, 400, "%s#t=%s", v->places.url, token);
    }
    return fflush(out) == 0 ? IV_OK : iv_fail(err, IV_EIO, "cannot write the links");
}

enum { LINKS_SIZE = IV_ASSESSORS_MOST * 512 };

/* Links of an earlier start are replaced; anything else is somebody's file. */
static bool holds_links(char text[LINKS_SIZE], int fd)
{
    const ssize_t len = read(fd, text, LINKS_SIZE - 1);

    text[len > 0 ? len : 0] = '\0';
    return len == 0 || (len > 0 && strstr(text, "/#t=") != NULL);
}

static int tell_links(iv_server *v, FILE *said, char link[400], iv_err *err)
{
    const char *path = v->options->url_file;
    char before[LINKS_SIZE] = "";

    if (path == NULL)
        return write_links(v, said, before, link, err);
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0 && !holds_links(before, fd)) {
        (void)close(fd);
        return iv_fail_at(err, IV_EIO, path, 0, "exists and holds no links; expected another name");
    }
    FILE *out = fd < 0 || fchmod(fd, 0600) != 0 || lseek(fd, 0, SEEK_SET) != 0
        || ftruncate(fd, 0) != 0 ? NULL : fdopen(fd, "w");
    if (out == NULL) {
        const int why = errno;
        if (fd >= 0)
            (void)close(fd);
        return iv_fail_at(err, IV_EIO, path, 0, "cannot write: %s", strerror(why));
    }
    const int rc = write_links(v, out, before, link, err);
    if (fclose(out) != 0 && rc == IV_OK)
        return iv_fail_at(err, IV_EIO, path, 0, "cannot write: %s", strerror(errno));
    return rc;
}

/* ------------------------------------------------------------- the start -- */

/* The origin of a page is its port, too, and what waits in a browser belongs to an origin:
 * the next start takes the same port if it can. */
static int64_t remembered_port(iv_server *v)
{
    iv_arena a = { 0 };
    iv_str text;
    int64_t port = 0;
    iv_err err;

    if (iv_store_value(&text, &a, v->store, "set:port", &err) == IV_OK && text.ptr != NULL)
        (void)iv_scan_int(&port, text, 1024, 65535);
    iv_arena_free(&a);
    return port;
}

static int remember_port(iv_server *v, iv_err *err)
{
    char port[24];

    (void)snprintf(port, sizeof port, "%lld", (long long)v->places.port);
    return v->places.port == 0 || v->options->listen != NULL ? IV_OK
        : iv_store_value_put(v->store, "set:port", port, err);
}

/* Whoever is logged in must open a new link. */
static int end_logins(iv_server *v, iv_err *err)
{
    const iv_assessor *a;

    for (size_t count = iv_store_assessors(&a, v->store); count-- > 0; a++)
        IV_TRY(iv_http_sessions_erase(v, a->id, err));
    return IV_OK;
}

static int prepare(iv_server *v, iv_err *err)
{
    const iv_store_about *about = iv_store_about_of(v->store);

    v->hide = v->options->hide_interval || about->hide_interval || about->overlap > 0.0;
    if (v->options->hold > 0)
        iv_store_hold_for(v->store, v->options->hold);
    if (v->options->new_links)
        IV_TRY(end_logins(v, err));
    IV_TRY(iv_http_sessions_load(v, err));
    IV_TRY(iv_places_open(&v->places, v->options, remembered_port(v), err));
    IV_TRY(remember_port(v, err));
    IV_TRY(make_page(v, err));
    v->gate = (iv_http_rules){ { v->places.authorities, v->places.count },
                         { v->places.origins, v->places.count }, iv_addresses };
    IV_TRY(iv_connections_new(&v->wire, &v->gate, v->headers, iv_handle, iv_returned, v, err));
    while (v->places.fd_count > 0)
        IV_TRY(iv_connections_listen(v->wire, v->places.fds[--v->places.fd_count], err));
    return IV_OK;
}

/* The loop ends when it is asked to, or when the session proves to be damaged. */
static int ask_whether_to_end(void *user, double done)
{
    const iv_server *v = user;

    if (__atomic_load_n(&v->damaged, __ATOMIC_ACQUIRE))
        return 1;
    return v->work != NULL && v->work->progress.report != NULL
        && v->work->progress.report(v->work->progress.user, done) != 0;
}

static int serve(iv_server *v, FILE *said, iv_err *err)
{
    char link[400] = "", opened[PATH_SIZE] = "";
    iv_work work = v->work != NULL ? *v->work : (iv_work){ 0 };

    work.progress.report = ask_whether_to_end;
    work.progress.user = v;
    IV_TRY(iv_store_check_as(v->store, IV_CHECK_FAST, err));

    IV_TRY(prepare(v, err));
    IV_TRY(tell_links(v, said, link, err));
    if (v->options->open)
        IV_TRY(open_link(opened, link, err));
#ifdef __linux__
    (void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#endif
    int rc = iv_workers_start(v, err);
    if (rc == IV_OK)
        rc = iv_connections_run(v->wire, &work, err);
    if (rc == IV_OK && __atomic_load_n(&v->damaged, __ATOMIC_ACQUIRE))
        rc = iv_fail_as(err, &v->damage);
    if (opened[0] != '\0')
        (void)unlink(opened);
    return rc;
}

/* ---------------------------------------------------------------- the end -- */

/* What waits is committed; then the log is folded in and a copy made. */
static int finish(iv_server *v, iv_err *err)
{
    int rc = IV_OK;

    v->ending = true;
    iv_workers_stop(v);
    iv_connections_flush(v->wire); /* what was committed is acknowledged */
    if (v->store != NULL && iv_store_refuses(v->store))
        rc = iv_fail_at(err, IV_EIO, v->options->file, 0, "a judgment could not be stored; "
                        "those acknowledged before it were");
    else if (v->store != NULL && iv_store_seq(v->store) > v->backed_up && v->backed_up >= 0)
        rc = iv_back_up(v, err);
    iv_connections_free(v->wire);
    iv_places_close(&v->places);
    iv_store_close(v->store);
    free(v->page);
    free(v);
    return rc;
}

void iv_hold_pipe(sigset_t *before)
{
    sigset_t pipe;

    (void)sigemptyset(&pipe);
    (void)sigaddset(&pipe, SIGPIPE);
    (void)pthread_sigmask(SIG_BLOCK, &pipe, before);
}

void iv_let_pipe_go(const sigset_t *before)
{
    sigset_t pipe;

    (void)sigemptyset(&pipe);
    (void)sigaddset(&pipe, SIGPIPE);
    if (!sigismember(before, SIGPIPE))
        while (sigtimedwait(&pipe, NULL, &(struct timespec){ 0, 0 }) == SIGPIPE)
            continue;
    (void)pthread_sigmask(SIG_SETMASK, before, NULL);
}

int iv_serve(const iv_serve_options *o, FILE *said, const iv_work *work, iv_err *err)
{
    iv_server *v = calloc(1, sizeof *v);
    sigset_t before;
    iv_err why = { 0 };

    if (v == NULL)
        return iv_no_memory(err);
    v->options = o;
    v->work = work;
    v->backed_up = -1;
    iv_hold_pipe(&before);
    const mode_t mask = umask(077);
    int rc = iv_store_open(&v->store, o->file, IV_STORE_WRITE, err);
    if (rc == IV_OK)
        rc = serve(v, said, err);
    const int ended = finish(v, &why);
    (void)umask(mask);
    iv_let_pipe_go(&before);
    return rc != IV_OK || ended == IV_OK ? rc : iv_fail_as(err, &why);
}
