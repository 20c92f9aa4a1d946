/* SPDX-License-Identifier: Apache-2.0 */
/* What comes over a socket before anybody has said who they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "serve/bodies.h"
#include "serve/connection.h"
#include "serve/http_parser.h"
#include "base/memory.h"

#define HOST "Host: 127.0.0.1:8123\r\n"
#define OURS "Origin: http://127.0.0.1:8123\r\n"
#define JSON "Content-Type: application/json\r\n"

static const char *const authorities[] = { "127.0.0.1:8123", "localhost:8123" };
static const char *const origins[] = { "http://127.0.0.1:8123", "http://localhost:8123" };
static const iv_address addresses[] = { { "/", IV_GET, IV_BY_ANYBODY },
    { "/api/login", IV_POST, IV_BY_ANYBODY }, { "/api/next", IV_GET, IV_BY_ASSESSOR },
    { "/api/judgments", IV_POST, IV_BY_ASSESSOR }, { NULL } };
static const iv_http_rules gate = { { authorities, 2 }, { origins, 2 }, addresses };

typedef struct raw {
    const char *what;
    const char *bytes;
    size_t len; /* 0: as far as the end of the text */
    int status; /* 200: it is let through */
} raw;

#define BYTES(text) text, sizeof text - 1

static const raw requests[] = {
    /* Good ones, so that a gate that refuses everything fails, too. */
    { "the page", BYTES("GET / HTTP/1.1\r\n" HOST "\r\n"), 200 },
    { "by its other name", BYTES("GET / HTTP/1.1\r\nhost: localhost:8123\r\n\r\n"), 200 },
    { "a question behind the path", BYTES("GET /api/next?topic=1 HTTP/1.1\r\n" HOST "\r\n"), 200 },
    { "a post from our page", BYTES("POST /api/login HTTP/1.1\r\n" HOST OURS JSON
                                    "Content-Length: 2\r\n\r\n{}"), 200 },
    { "fetch metadata in place of an origin", BYTES("POST /api/login HTTP/1.1\r\n" HOST JSON
        "Sec-Fetch-Site: same-origin\r\nContent-Length: 2\r\n\r\n{}"), 200 },
    { "JSON in UTF-8", BYTES("POST /api/login HTTP/1.1\r\n" HOST OURS
        "Content-Type: application/json; charset=utf-8\r\nContent-Length: 0\r\n\r\n"), 200 },
    { "an old proxy", BYTES("GET / HTTP/1.0\r\n" HOST "\r\n"), 200 },
    { "a link in a letter", BYTES("GET / HTTP/1.1\r\n" HOST "Sec-Fetch-Site: cross-site\r\n\r\n"),
      200 },
    /* Whose server? */
    { "no Host", BYTES("GET / HTTP/1.1\r\n\r\n"), 400 },
    { "two Hosts", BYTES("GET / HTTP/1.1\r\n" HOST HOST "\r\n"), 400 },
    { "two Hosts, one foreign", BYTES("GET / HTTP/1.1\r\n" HOST "Host: evil\r\n\r\n"), 400 },
    { "a foreign Host", BYTES("GET / HTTP/1.1\r\nHost: evil.example:8123\r\n\r\n"), 421 },
    { "a name rebound to us", BYTES("GET /api/next HTTP/1.1\r\nHost: rebind.example:8123\r\n"
        "Origin: http://rebind.example:8123\r\n\r\n"), 421 },
    { "another port", BYTES("GET / HTTP/1.1\r\nHost: 127.0.0.1:8124\r\n\r\n"), 421 },
    { "no port", BYTES("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"), 421 },
    { "an empty Host", BYTES("GET / HTTP/1.1\r\nHost: \r\n\r\n"), 421 },
    { "a Host that begins with ours", BYTES("GET / HTTP/1.1\r\nHost: 127.0.0.1:8123.evil\r\n\r\n"),
      421 },
    { "a Host with a name before ours", BYTES("GET / HTTP/1.1\r\nHost: x@127.0.0.1:8123\r\n\r\n"),
      421 },
    { "a Host list", BYTES("GET / HTTP/1.1\r\nHost: 127.0.0.1:8123, evil\r\n\r\n"), 421 },
    { "a Host in capitals", BYTES("GET / HTTP/1.1\r\nHost: LOCALHOST:8123\r\n\r\n"), 421 },
    /* Whose page? */
    { "a foreign Origin", BYTES("POST /api/login HTTP/1.1\r\n" HOST JSON
        "Origin: http://evil.example\r\nContent-Length: 2\r\n\r\n{}"), 403 },
    { "Origin null", BYTES("POST /api/login HTTP/1.1\r\n" HOST JSON
        "Origin: null\r\nContent-Length: 2\r\n\r\n{}"), 403 },
    { "our address over TLS", BYTES("POST /api/login HTTP/1.1\r\n" HOST JSON
        "Origin: https://127.0.0.1:8123\r\nContent-Length: 2\r\n\r\n{}"), 403 },
    { "another port's page", BYTES("POST /api/login HTTP/1.1\r\n" HOST JSON
        "Origin: http://127.0.0.1:9000\r\nContent-Length: 2\r\n\r\n{}"), 403 },
    { "neither origin nor fetch metadata", BYTES("POST /api/login HTTP/1.1\r\n" HOST JSON
        "Content-Length: 2\r\n\r\n{}"), 403 },
    { "a cross-site fetch", BYTES("POST /api/login HTTP/1.1\r\n" HOST JSON OURS
        "Sec-Fetch-Site: cross-site\r\nContent-Length: 2\r\n\r\n{}"), 403 },
    { "a same-site fetch of another port", BYTES("POST /api/login HTTP/1.1\r\n" HOST JSON
        "Sec-Fetch-Site: same-site\r\nContent-Length: 2\r\n\r\n{}"), 403 },
    { "a cross-site read", BYTES("GET /api/next HTTP/1.1\r\n" HOST
        "Sec-Fetch-Site: cross-site\r\n\r\n"), 403 },
    { "a read typed by hand", BYTES("GET /api/next HTTP/1.1\r\n" HOST
        "Sec-Fetch-Site: none\r\n\r\n"), 403 },
    { "a foreign Origin on a read", BYTES("GET /api/next HTTP/1.1\r\n" HOST
        "Origin: http://evil.example\r\n\r\n"), 403 },
    { "two Origins", BYTES("POST /api/login HTTP/1.1\r\n" HOST JSON OURS OURS
        "Content-Length: 2\r\n\r\n{}"), 400 },
    /* Of which kind? */
    { "a form", BYTES("POST /api/login HTTP/1.1\r\n" HOST OURS
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 2\r\n\r\n{}"), 415 },
    { "plain text, which needs no preflight", BYTES("POST /api/login HTTP/1.1\r\n" HOST OURS
        "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}"), 415 },
    { "no type", BYTES("POST /api/login HTTP/1.1\r\n" HOST OURS "Content-Length: 2\r\n\r\n{}"), 415 },
    { "a type that begins with ours", BYTES("POST /api/login HTTP/1.1\r\n" HOST OURS
        "Content-Type: application/jsonx\r\nContent-Length: 2\r\n\r\n{}"), 415 },
    /* How long? */
    { "no length", BYTES("POST /api/login HTTP/1.1\r\n" HOST OURS JSON "\r\n"), 411 },
    { "two lengths", BYTES("POST /api/login HTTP/1.1\r\n" HOST OURS JSON
        "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}"), 400 },
    { "two lengths that differ", BYTES("POST /api/login HTTP/1.1\r\n" HOST OURS JSON
        "Content-Length: 2\r\nContent-Length: 20\r\n\r\n{}"), 400 },
    { "a length list", BYTES("POST /api/login HTTP/1.1\r\n" HOST OURS JSON
        "Content-Length: 2, 2\r\n\r\n{}"), 400 },
    { "a length below nothing", BYTES("POST /api/login HTTP/1.1\r\n" HOST OURS JSON
        "Content-Length: -2\r\n\r\n{}"), 400 },
    { "a length with a sign", BYTES("POST /api/login HTTP/1.1\r\n" HOST OURS JSON
        "Content-Length: +2\r\n\r\n{}"), 400 },
    { "a length in hexadecimal", BYTES("POST /api/login HTTP/1.1\r\n" HOST OURS JSON
        "Content-Length: 0x2\r\n\r\n{}"), 400 },
    { "a length beyond numbers", BYTES("POST /api/login HTTP/1.1\r\n" HOST OURS JSON
        "Content-Length: 99999999999999999999\r\n\r\n{}"), 400 },
    { "an empty length", BYTES("POST /api/login HTTP/1.1\r\n" HOST OURS JSON
        "Content-Length:\r\n\r\n{}"), 400 },
    { "a body too long", BYTES("POST /api/login HTTP/1.1\r\n" HOST OURS JSON
        "Content-Length: 65537\r\n\r\n{}"), 413 },
    { "a body in chunks", BYTES("POST /api/login HTTP/1.1\r\n" HOST OURS JSON
        "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 400 },
    { "chunks and a length", BYTES("POST /api/login HTTP/1.1\r\n" HOST OURS JSON
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 400 },
    { "an identity encoding", BYTES("POST /api/login HTTP/1.1\r\n" HOST OURS JSON
        "Content-Length: 2\r\nTransfer-Encoding: identity\r\n\r\n{}"), 400 },
    { "a read with a body", BYTES("GET / HTTP/1.1\r\n" HOST "Content-Length: 2\r\n\r\n{}"), 400 },
    { "wants to be asked first", BYTES("POST /api/login HTTP/1.1\r\n" HOST OURS JSON
        "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n"), 417 },
    { "another request behind the body", BYTES("POST /api/login HTTP/1.1\r\n" HOST OURS JSON
        "Content-Length: 2\r\n\r\n{}GET / HTTP/1.1\r\n" HOST "\r\n"), 400 },
    /* Which address? */
    { "nothing there", BYTES("GET /nothing HTTP/1.1\r\n" HOST "\r\n"), 404 },
    { "a file of the machine", BYTES("GET /../../etc/passwd HTTP/1.1\r\n" HOST "\r\n"), 404 },
    { "the page, written otherwise", BYTES("GET /%2e HTTP/1.1\r\n" HOST "\r\n"), 404 },
    { "an address, written otherwise", BYTES("GET /api/%6eext HTTP/1.1\r\n" HOST "\r\n"), 404 },
    { "an address and a zero byte", BYTES("GET /api/next%00 HTTP/1.1\r\n" HOST "\r\n"), 404 },
    { "two slashes", BYTES("GET //api/next HTTP/1.1\r\n" HOST "\r\n"), 404 },
    { "a slash at its end", BYTES("GET /api/next/ HTTP/1.1\r\n" HOST "\r\n"), 404 },
    { "in capitals", BYTES("GET /API/next HTTP/1.1\r\n" HOST "\r\n"), 404 },
    { "a whole address", BYTES("GET http://127.0.0.1:8123/ HTTP/1.1\r\n" HOST "\r\n"), 400 },
    { "no path", BYTES("GET ?a HTTP/1.1\r\n" HOST "\r\n"), 400 },
    { "every path", BYTES("OPTIONS * HTTP/1.1\r\n" HOST "\r\n"), 400 },
    { "a blank in the path", BYTES("GET / x HTTP/1.1\r\n" HOST "\r\n"), 400 },
    { "a byte that is no text in the path", BYTES("GET /\xff HTTP/1.1\r\n" HOST "\r\n"), 400 },
    { "a read of what is written to", BYTES("GET /api/login HTTP/1.1\r\n" HOST "\r\n"), 405 },
    { "a write of what is read", BYTES("POST /api/next HTTP/1.1\r\n" HOST OURS JSON
        "Content-Length: 0\r\n\r\n"), 405 },
    { "a preflight", BYTES("OPTIONS /api/login HTTP/1.1\r\n" HOST
        "Origin: http://evil.example\r\n\r\n"), 405 },
    { "HEAD", BYTES("HEAD / HTTP/1.1\r\n" HOST "\r\n"), 405 },
    { "PUT", BYTES("PUT / HTTP/1.1\r\n" HOST "\r\n"), 405 },
    { "TRACE", BYTES("TRACE / HTTP/1.1\r\n" HOST "\r\n"), 405 },
    { "CONNECT", BYTES("CONNECT 127.0.0.1:22 HTTP/1.1\r\n" HOST "\r\n"), 400 },
    { "get in small letters", BYTES("get / HTTP/1.1\r\n" HOST "\r\n"), 405 },
    /* Is it HTTP? */
    { "version 2", BYTES("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 400 },
    { "version 3", BYTES("GET / HTTP/3.0\r\n" HOST "\r\n"), 505 },
    { "no version", BYTES("GET /\r\n" HOST "\r\n"), 400 },
    { "no request at all", BYTES("\r\n\r\n"), 400 },
    { "TLS", BYTES("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n\n"), 400 },
    { "lines without CR", BYTES("GET / HTTP/1.1\nHost: 127.0.0.1:8123\n\n"), 400 },
    { "one line without CR", BYTES("GET / HTTP/1.1\r\n" HOST "X: a\nY: b\r\n\r\n"), 400 },
    { "a CR alone", BYTES("GET / HTTP/1.1\r\n" HOST "X: a\rY: b\r\n\r\n"), 400 },
    { "a zero byte in a value", BYTES("GET / HTTP/1.1\r\n" HOST "X: a\0b\r\n\r\n"), 400 },
    { "a zero byte in Host", BYTES("GET / HTTP/1.1\r\nHost: 127.0.0.1:8123\0\r\n\r\n"), 400 },
    { "a bell in a value", BYTES("GET / HTTP/1.1\r\n" HOST "X: \a\r\n\r\n"), 400 },
    { "an empty name", BYTES("GET / HTTP/1.1\r\n" HOST ": a\r\n\r\n"), 400 },
    { "a blank before the colon", BYTES("GET / HTTP/1.1\r\nHost : 127.0.0.1:8123\r\n\r\n"), 400 },
    { "a folded line", BYTES("GET / HTTP/1.1\r\n" HOST "X: a\r\n b\r\n\r\n"), 400 },
    { "a line without a colon", BYTES("GET / HTTP/1.1\r\n" HOST "nothing\r\n\r\n"), 400 },
    { "a name with a byte that is none", BYTES("GET / HTTP/1.1\r\n" HOST "X\x80: a\r\n\r\n"), 400 },
    { "two keys", BYTES("GET /api/next HTTP/1.1\r\n" HOST "Authorization: Bearer a\r\n"
        "Authorization: Bearer b\r\n"
        "\r\n"), 400 },
};

static void test_heads_pass_where_they_may(void **state)
{
    static const char head[] = "HEAD / HTTP/1.1\r\n" HOST "\r\n";
    static const char get[] = "GET / HTTP/1.1\r\n" HOST "\r\n";
    static const char written[] = "HEAD /api/login HTTP/1.1\r\n" HOST "\r\n";
    iv_http_rules files = gate;
    iv_http_request asked;

    (void)state;
    files.heads = true;
    assert_int_equal(iv_http_parse(&asked, &files, iv_str_of(head)), 0);
    assert_true(asked.bare && asked.address == 0);
    assert_int_equal(iv_http_parse(&asked, &files, iv_str_of(get)), 0);
    assert_false(asked.bare);
    assert_int_equal(iv_http_parse(&asked, &files, iv_str_of(written)), 405);
}

/* --------------------------------------------------------------- a server -- */

typedef struct running {
    iv_http_rules rules;
    iv_connections *wire;
    pthread_t thread;
    int port;
    atomic_bool stop;
} running;

static void handle(void *user, iv_exchange *x)
{
    (void)user;
    x->status = 200;
    x->text = malloc(3);
    memcpy(x->text, "ok\n", 3);
    x->len = 3;
    iv_connections_answer(x);
}

static int ask(void *user, double done)
{
    (void)done;
    return ((running *)user)->stop;
}

static void *run_loop(void *user)
{
    iv_err err;

    (void)!iv_connections_run(((running *)user)->wire, &(iv_work){ .progress = { ask, user } }, &err);
    return NULL;
}

/* A place without any network may lack this machine's own. */
static bool has_loopback(void)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof at;
    const int there = socket(AF_INET, SOCK_STREAM, 0), here = socket(AF_INET, SOCK_STREAM, 0);

    const bool met = bind(there, (struct sockaddr *)&at, sizeof at) == 0 && listen(there, 1) == 0
                     && getsockname(there, (struct sockaddr *)&at, &len) == 0
                     && connect(here, (struct sockaddr *)&at, sizeof at) == 0;
    (void)close(here);
    (void)close(there);
    return met;
}

static void start(running *r, double seconds)
{
    if (!has_loopback())
        skip();
    struct sockaddr_in at = { .sin_family = AF_INET };
    socklen_t len = sizeof at;
    iv_err err;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &len), 0);
    r->port = ntohs(at.sin_port);
    r->stop = false;
    r->rules = gate;
    r->rules.head_seconds = r->rules.silent_seconds = seconds;
    assert_int_equal(iv_connections_new(&r->wire, &r->rules, "Cache-Control: no-store\r\n", handle,
                                        handle, r, &err), IV_OK);
    assert_int_equal(iv_connections_listen(r->wire, fd, &err), IV_OK);
    assert_int_equal(pthread_create(&r->thread, NULL, run_loop, r), 0);
}

static void stop(running *r)
{
    r->stop = true;
    (void)pthread_join(r->thread, NULL);
    iv_connections_free(r->wire);
}

static int meet(const running *r)
{
    const struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons((uint16_t)r->port),
                                    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    const struct timeval patience = { 60, 0 };
    const int fd = socket(AF_INET, SOCK_STREAM, 0);

    assert_true(fd >= 0);
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    assert_int_equal(connect(fd, (const struct sockaddr *)&at, sizeof at), 0);
    return fd;
}

/* The status of the first answer; 0: the connection ended without one; -1: neither. */
static int status_of(int fd, char *all, size_t size)
{
    size_t len = 0;
    ssize_t n;

    while (len + 1 < size && (n = recv(fd, all + len, size - 1 - len, 0)) != 0) {
        if (n < 0)
            return len == 0 ? -1 : atoi(all + 9);
        len += (size_t)n;
        all[len] = '\0';
        if (strstr(all, "\r\n\r\n") != NULL)
            break;
    }
    all[len] = '\0';
    return len == 0 ? 0 : atoi(all + 9);
}

static void test_malformed_requests_are_refused(void **state)
{
    running r;
    char all[4096];

    (void)state;
    start(&r, 0.0);
    assert_true(sizeof requests / sizeof *requests > 68); /* 60 of them malformed, and more */
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        const int fd = meet(&r);
        assert_int_equal(send(fd, requests[i].bytes, requests[i].len, MSG_NOSIGNAL),
                         requests[i].len);
        const int status = status_of(fd, all, sizeof all);
        if (status != requests[i].status)
            fail_msg("%s: %d, expected %d", requests[i].what, status, requests[i].status);
        assert_non_null(strstr(all, "Cache-Control: no-store\r\n"));
        assert_null(strstr(all, "Server:"));
        assert_null(strstr(all, "Access-Control"));
        (void)close(fd);
    }
    stop(&r);
}

/* Byte by byte, and cut anywhere: the answer is the same. */
static void test_pieces_do_not_matter(void **state)
{
    static const char request[] = "POST /api/login HTTP/1.1\r\n" HOST OURS JSON
                                  "Content-Length: 7\r\n\r\n{\"a\":1}";
    running r;
    char all[4096];

    (void)state;
    start(&r, 0.0);
    for (size_t cut = 1; cut < sizeof request - 1; cut += 13) {
        const int fd = meet(&r);
        assert_int_equal(send(fd, request, cut, MSG_NOSIGNAL), cut);
        (void)nanosleep(&(struct timespec){ 0, 2000000 }, NULL);
        assert_int_equal(send(fd, request + cut, sizeof request - 1 - cut, MSG_NOSIGNAL),
                         sizeof request - 1 - cut);
        assert_int_equal(status_of(fd, all, sizeof all), 200);
        /* The connection stays for another request. */
        assert_int_equal(send(fd, request, sizeof request - 1, MSG_NOSIGNAL), sizeof request - 1);
        assert_int_equal(status_of(fd, all, sizeof all), 200);
        (void)close(fd);
    }
    stop(&r);
}

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void test_slow_heads_and_bodies_are_ended(void **state)
{
    static const char *const begun[] = { "GET / HT", "GET / HTTP/1.1\r\n" HOST,
        "POST /api/login HTTP/1.1\r\n" HOST OURS JSON "Content-Length: 9\r\n\r\n{" };
    running r;
    char all[4096];

    (void)state;
    start(&r, 0.2);
    for (size_t i = 0; i < 3; i++) {
        const double began = now();
        const int fd = meet(&r);
        assert_true(send(fd, begun[i], strlen(begun[i]), MSG_NOSIGNAL) > 0);
        const bool late = now() - began > 0.1; /* the machine is busy: half the time has passed */
        /* More of it does not buy more time. */
        for (int k = 0; k < 20 && send(fd, "X", i == 1, MSG_NOSIGNAL) >= 0; k++)
            (void)nanosleep(&(struct timespec){ 0, 30000000 }, NULL);
        const int status = status_of(fd, all, sizeof all);
        (void)close(fd);
        if (late)
            i--; /* again */
        else
            assert_true(status == 408 || (i == 1 && status <= 0));
    }
    const int silent = meet(&r);
    assert_int_equal(status_of(silent, all, sizeof all), 0);
    (void)close(silent);
    stop(&r);
}

static void test_a_head_without_end_is_refused(void **state)
{
    running r;
    char all[4096], *much = malloc(40000);

    (void)state;
    assert_non_null(much);
    memset(much, 'a', 40000);
    memcpy(much, "GET / HTTP/1.1\r\nX: ", 19);
    start(&r, 0.0);
    const int fd = meet(&r);
    (void)send(fd, much, 40000, MSG_NOSIGNAL);
    assert_int_equal(status_of(fd, all, sizeof all), 431);
    (void)close(fd);
    free(much);
    stop(&r);
}

/* A thousand connections that ask nothing do not keep out one that does. */
static void test_a_thousand_connections_are_harmless(void **state)
{
    enum { MANY = 1000 };
    static int fds[MANY];
    struct rlimit most;
    running r;
    char all[4096];

    (void)state;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &most), 0);
    most.rlim_cur = most.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &most);
    start(&r, 0.0);
    const struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons((uint16_t)r.port),
                                    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    for (size_t i = 0; i < MANY; i++) {
        fds[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        assert_true(fds[i] >= 0);
        (void)connect(fds[i], (const struct sockaddr *)&at, sizeof at);
    }
    int status = -1;
    for (int tries = 0; tries < 5 && status != 200; tries++) {
        const int fd = meet(&r);
        static const char request[] = "GET / HTTP/1.1\r\n" HOST "Connection: close\r\n\r\n";
        assert_true(send(fd, request, sizeof request - 1, MSG_NOSIGNAL) > 0);
        status = status_of(fd, all, sizeof all);
        (void)close(fd);
    }
    assert_int_equal(status, 200);
    for (size_t i = 0; i < MANY; i++)
        (void)close(fds[i]);
    stop(&r);
}

/* ----------------------------------------------------- keys and queries -- */

static void test_the_key_of_a_page_is_a_bearer_token(void **state)
{
    static const struct { const char *line, *key; } cases[] = {
        { "Authorization: Bearer xyz\r\n", "xyz" }, { "authorization: Bearer xyz\r\n", "xyz" },
        { "Authorization: Basic xyz\r\n", "" }, { "Authorization: Bearer\r\n", "" },
        { "Cookie: Bearer xyz\r\n", "" }, { "", "" } };
    char head[200];
    iv_http_request asked;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)snprintf(head, sizeof head, "GET /api/next HTTP/1.1\r\n" HOST "%s\r\n", cases[i].line);
        assert_int_equal(iv_http_parse(&asked, &gate, iv_str_of(head)), 0);
        assert_int_equal(iv_str_cmp(asked.key, iv_str_of(cases[i].key)), 0);
    }
}

static void test_queries_hold_numbers_and_words(void **state)
{
    int64_t n;
    iv_str word;

    (void)state;
    assert_true(iv_query_number(&n, iv_str_of("a=1&topic=12"), "topic", 7) && n == 12);
    assert_true(iv_query_number(&n, iv_str_of("a=1"), "topic", 7) && n == 7);
    assert_false(iv_query_number(&n, iv_str_of("topic=-1"), "topic", 7));
    assert_false(iv_query_number(&n, iv_str_of("topic=1&topic=2"), "topic", 7));
    assert_false(iv_query_number(&n, iv_str_of("topic="), "topic", 7));
    assert_false(iv_query_number(&n, iv_str_of("topic=99999999999999999999"), "topic", 7));
    assert_true(iv_query_word(&word, iv_str_of("as=qrels"), "as") && word.len == 5);
    assert_true(iv_query_word(&word, iv_str_of("x=1"), "as") && word.len == 0);
    assert_false(iv_query_word(&word, iv_str_of("as=%2e%2e"), "as"));
    assert_false(iv_query_word(&word, iv_str_of("as=../x"), "as"));
}

/* ----------------------------------------------------------------- bodies -- */

#define UUID "\"uuid\":\"00000000-0000-4000-8000-000000000001\""
#define OF "\"docno\":\"d\","
#define SESSION "\"session\":\"0123456789abcdef0123456789abcdef\","

static int sent(iv_sent *out, iv_arena *a, const char *body)
{
    iv_err err = { 0 };
    const int rc = iv_body_judgments(out, a, iv_str_of(body), &err);

    assert_true(rc == IV_OK || (rc == IV_EPARSE && err.msg[0] != '\0'));
    return rc;
}

static void test_bodies_are_read_strictly(void **state)
{
    static const char *const wrong[] = { "", "{", "[]", "1", "{}",
        "{\"judgments\":[{" OF UUID ",\"item\":1,\"reason\":\"later\"}]}",
        "{" SESSION "\"judgments\":[{" UUID ",\"item\":1,\"reason\":\"later\"}]}",
        "{" SESSION "\"judgments\":[]}",
        "{" SESSION "\"judgments\":{}}", "{" SESSION "\"judgments\":[1]}",
        "{" SESSION "\"judgments\":[{}]}",
        "{" SESSION "\"judgments\":[{" OF UUID ",\"item\":1,\"reason\":\"judged\"}]}",
        "{" SESSION "\"judgments\":[{" OF UUID ",\"item\":1,\"reason\":\"later\",\"grade\":1}]}",
        "{" SESSION "\"judgments\":[{" OF UUID ",\"item\":0,\"reason\":\"later\"}]}",
        "{" SESSION "\"judgments\":[{" OF UUID ",\"item\":1.5,\"reason\":\"later\"}]}",
        "{" SESSION "\"judgments\":[{" OF UUID ",\"item\":\"1\",\"reason\":\"later\"}]}",
        "{" SESSION "\"judgments\":[{" OF UUID ",\"item\":1,\"reason\":\"imported\",\"grade\":1}]}",
        "{" SESSION "\"judgments\":[{" OF UUID ",\"item\":1,\"reason\":\"judged\","
        "\"grade\":99999999999}]}",
        "{" SESSION "\"judgments\":[{" OF UUID ",\"item\":1,\"reason\":\"judged\",\"grade\":-1}]}",
        "{" SESSION "\"judgments\":[{" OF UUID ",\"item\":1,\"reason\":\"later\",\"assessor\":2}]}",
        "{" SESSION "\"judgments\":[{" OF UUID ",\"item\":1,\"reason\":\"later\","
        "\"note\":\"a\\u0000b\"}]}",
        "{" SESSION "\"judgments\":[{" OF "\"uuid\":\"x\",\"item\":1,\"reason\":\"later\"}]}",
        "{" SESSION "\"judgments\":[{" OF "\"uuid\":\"00000000-0000-4000-8000-00000000000G\","
        "\"item\":1,"
        "\"reason\":\"later\"}]}",
        "{" SESSION "\"judgments\":[{" OF UUID ",\"item\":1,\"item\":2,\"reason\":\"later\"}]}",
        "{" SESSION "\"judgments\":[{" OF UUID ",\"item\":1,\"reason\":\"later\"}],\"more\":1}",
        "{" SESSION "\"judgments\":[{" OF UUID ",\"item\":1,\"reason\":\"later\"}]} x" };
    iv_arena a = { 0 };
    iv_sent out = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (sent(&out, &a, wrong[i]) == IV_OK)
            fail_msg("taken: %s", wrong[i]);
    assert_int_equal(sent(&out, &a, "{" SESSION "\"judgments\":[{" OF UUID ",\"item\":7,"
                          "\"reason\":\"judged\","
                          "\"grade\":0,\"active_ms\":1200,\"away_ms\":5,\"note\":\"caf\\u00e9\"}],"
                          "\"more\":true,\"topic\":3,\"not\":9,\"adjudicate\":false}"), IV_OK);
    assert_true(out.count == 1 && out.more && out.topic == 3 && out.not_this == 9);
    assert_true(out.entries[0].item == 7 && out.entries[0].grade == 0
                && out.entries[0].active_ms == 1200 && out.entries[0].assessor == 0);
    assert_string_equal(out.entries[0].note, "caf\xc3\xa9");
    assert_string_equal(out.entries[0].docno, "d");
    assert_string_equal(out.session, "0123456789abcdef0123456789abcdef");
    iv_arena_free(&a);
}

static void test_small_bodies(void **state)
{
    iv_arena a = { 0 };
    iv_assessor_act act;
    const char *text;
    iv_str token;
    iv_err err;

    (void)state;
    assert_int_equal(iv_body_login(&token, &a, iv_str_of("{\"token\":\"abc\"}"), &err), IV_OK);
    assert_int_equal(iv_str_cmp(token, iv_str_of("abc")), 0);
    assert_int_equal(iv_body_login(&token, &a, iv_str_of("{\"token\":1}"), &err), IV_EPARSE);
    assert_int_equal(iv_body_login(&token, &a, iv_str_of("{}"), &err), IV_EPARSE);
    assert_int_equal(iv_body_assessor(&act, &text, &a,
        iv_str_of("{\"do\":\"revoke\",\"name\":\"ben\"}"), &err), IV_OK);
    assert_true(act == IV_ACT_REVOKE && strcmp(text, "ben") == 0);
    assert_int_equal(iv_body_assessor(&act, &text, &a,
        iv_str_of("{\"do\":\"remove\",\"name\":\"ben\"}"), &err), IV_EPARSE);
    assert_int_equal(iv_body_keys(&text, &a, iv_str_of("{\"undo\":\"z\"}"), &err), IV_OK);
    assert_string_equal(text, "{\"undo\":\"z\"}");
    assert_int_equal(iv_body_keys(&text, &a, iv_str_of("{\"undo\":{}}"), &err), IV_EPARSE);
    iv_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_malformed_requests_are_refused),
        cmocka_unit_test(test_heads_pass_where_they_may),
        cmocka_unit_test(test_pieces_do_not_matter),
        cmocka_unit_test(test_slow_heads_and_bodies_are_ended),
        cmocka_unit_test(test_a_head_without_end_is_refused),
        cmocka_unit_test(test_a_thousand_connections_are_harmless),
        cmocka_unit_test(test_the_key_of_a_page_is_a_bearer_token),
        cmocka_unit_test(test_queries_hold_numbers_and_words),
        cmocka_unit_test(test_bodies_are_read_strictly),
        cmocka_unit_test(test_small_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
