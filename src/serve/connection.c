/* SPDX-License-Identifier: Apache-2.0 */
/* Connections of browsers: the event loop, requests, answers, and cookies. */
#define _GNU_SOURCE /* pipe2 */
#include "base/digest.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "serve/connection.h"
#include "serve/http_parser.h"
#include "serve/http_sessions.h"
#include "serve/server.h"
#include "store/assessors.h"
#include "store/upkeep.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* What a connection does. */
typedef enum iv_link_state {
    WAITS,   /* for a head or the rest of one */
    READS,   /* a body */
    BUSY,    /* its request is being answered, or the answer sent */
    DRAINS   /* was refused: what still comes is thrown away, so that the answer is read */
} iv_link_state;

typedef struct iv_link {
    iv_connections *wire;
    struct bufferevent *ends;
    struct event *timer;
    iv_exchange *x;        /* READS, BUSY */
    iv_link_state state;
    bool last, refused;
    size_t scanned;        /* bytes that came of a head */
    uint64_t since;        /* it waits: a number that only grows */
    struct iv_link *before, *after;
} iv_link;

/* Every ASK_MS the work is asked whether to go on. */
enum { LISTENERS = 4, CONNECTIONS_MOST = 64, ASK_MS = 100 };

struct iv_connections {
    struct event_base *base;
    const iv_http_rules *gate;
    const char *headers;
    iv_exchange_handler *handle, *give_back;
    void *user;
    const iv_work *work;
    struct evconnlistener *listeners[LISTENERS];
    size_t listener_count, link_count;
    iv_link *links;
    uint64_t waits;
    struct event *back;
    int pipe[2];
    pthread_mutex_t lock;
    iv_exchange *returned; /* newest first */
};

double iv_serve_ms(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static struct timeval seconds(double s)
{
    return (struct timeval){ (time_t)s, (suseconds_t)((s - (double)(time_t)s) * 1e6) };
}

static void wait_for(iv_link *l, double s)
{
    const struct timeval t = seconds(s);

    (void)event_add(l->timer, &t);
}

static double head_seconds(const iv_connections *w)
{
    return w->gate->head_seconds > 0.0 ? w->gate->head_seconds : 10.0;
}

static double silent_seconds(const iv_connections *w)
{
    return w->gate->silent_seconds > 0.0 ? w->gate->silent_seconds : 30.0;
}

static void free_exchange(iv_exchange *x)
{
    if (x == NULL)
        return;
    iv_arena_free(&x->memory);
    free(x->text);
    free(x->bytes);
    free(x);
}

static void close_link(iv_link *l)
{
    iv_connections *w = l->wire;

    if (l->x != NULL && l->state == BUSY)
        l->x->link = NULL; /* it is somewhere; its answer goes nowhere */
    else
        free_exchange(l->x);
    if (l->before != NULL)
        l->before->after = l->after;
    else
        w->links = l->after;
    if (l->after != NULL)
        l->after->before = l->before;
    event_free(l->timer);
    bufferevent_free(l->ends);
    free(l);
    w->link_count--;
}

/* ------------------------------------------------------------- answers -- */

static void send_answer(iv_link *l, int status, const iv_exchange *x)
{
    struct evbuffer *out = bufferevent_get_output(l->ends);
    static const char json[] = "application/json; charset=utf-8";
    const bool bare = status == 204 || status == 304;
    char plain[96];
    const char *text = x != NULL ? x->text : NULL;
    size_t len = x != NULL ? x->len : 0;

    if (text == NULL && !bare) {
        len = (size_t)snprintf(plain, sizeof plain, "{\"error\":\"%s\"}", iv_status_words(status));
        text = plain;
    }
    (void)evbuffer_add_printf(out, "HTTP/1.1 %d %s\r\n%s%s", status, iv_status_words(status),
                              l->wire->headers, x != NULL ? x->extra : "");
    if (!bare)
        (void)evbuffer_add_printf(out, "Content-Type: %s\r\nContent-Length: %zu\r\n",
                                  x != NULL && x->type != NULL ? x->type : json, len);
    (void)evbuffer_add_printf(out, "%s\r\n", l->last ? "Connection: close\r\n" : "");
    if (!bare && len > 0 && (x == NULL || !x->asked.bare))
        (void)evbuffer_add(out, text, len);
    (void)bufferevent_enable(l->ends, EV_WRITE);
}

/* The request is not what the gate lets through: said, and the connection ends. */
static void refuse(iv_link *l, int status)
{
    free_exchange(l->x);
    l->x = NULL;
    l->last = l->refused = true;
    l->state = BUSY;
    (void)bufferevent_disable(l->ends, EV_READ);
    send_answer(l, status, NULL);
    wait_for(l, head_seconds(l->wire));
}

void iv_connections_answer(iv_exchange *x)
{
    iv_link *l = x->link;

    if (l != NULL) {
        l->x = NULL;
        l->last = l->last || x->asked.last;
        send_answer(l, x->status, x);
        wait_for(l, silent_seconds(l->wire));
    }
    free_exchange(x);
}

/* ------------------------------------------------------------ requests -- */

static void begin_exchange(iv_link *l, size_t head)
{
    struct evbuffer *in = bufferevent_get_input(l->ends);
    iv_http_request asked;
    iv_exchange *x = calloc(1, sizeof *x);
    char *bytes = malloc(head + IV_BODY_MOST);

    if (x == NULL || bytes == NULL) {
        free(x);
        free(bytes);
        refuse(l, 503);
        return;
    }
    *x = (iv_exchange){ .status = 500, .link = l, .wire = l->wire, .bytes = bytes };
    l->x = x;
    (void)evbuffer_remove(in, bytes, head);
    const int status = iv_http_parse(&asked, l->wire->gate, (iv_str){ bytes, head });
    if (status != 0) {
        refuse(l, status);
        return;
    }
    x->asked = asked;
    x->body = (iv_str){ bytes + head, asked.body };
    l->last = asked.last;
    l->state = READS;
}

/* Takes what came of the current request; goes on when all is there. */
static void take_input(iv_link *l)
{
    struct evbuffer *in = bufferevent_get_input(l->ends);

    if (l->state == WAITS) {
        const size_t all = evbuffer_get_length(in);
        const size_t look = all < IV_HEAD_MOST ? all : IV_HEAD_MOST;
        const unsigned char *bytes = evbuffer_pullup(in, (ev_ssize_t)look);
        if (all == 0 || bytes == NULL)
            return;
        if (l->scanned == 0)
            wait_for(l, head_seconds(l->wire));
        l->scanned = all;
        const size_t head = iv_head_length((iv_str){ (const char *)bytes, look });
        if (head == 0 && all >= IV_HEAD_MOST)
            refuse(l, 431);
        else if (head > 0)
            begin_exchange(l, head);
    }
    if (l->state == READS && evbuffer_get_length(in) >= l->x->asked.body) {
        iv_exchange *x = l->x;
        (void)evbuffer_remove(in, x->bytes + (x->body.ptr - x->bytes), x->asked.body);
        if (evbuffer_get_length(in) > 0) { /* nothing may be behind it before the answer */
            refuse(l, 400);
            return;
        }
        l->state = BUSY;
        (void)event_del(l->timer);
        (void)bufferevent_disable(l->ends, EV_READ);
        l->wire->handle(l->wire->user, x);
    }
}

static void on_input(struct bufferevent *ends, void *user)
{
    iv_link *l = user;
    struct evbuffer *in = bufferevent_get_input(ends);

    if (l->state == DRAINS)
        (void)evbuffer_drain(in, evbuffer_get_length(in));
    else
        take_input(l);
}

/* All of an answer is with the system. */
static void on_output(struct bufferevent *ends, void *user)
{
    iv_link *l = user;

    if (l->state != BUSY || l->x != NULL)
        return;
    if (l->refused) { /* an end with bytes unread would throw the answer away */
        (void)shutdown(bufferevent_getfd(ends), SHUT_WR);
        l->state = DRAINS;
        wait_for(l, 1.0);
        (void)bufferevent_enable(ends, EV_READ);
        on_input(ends, l);
    } else if (l->last) {
        close_link(l);
    } else {
        l->state = WAITS;
        l->since = l->wire->waits++;
        l->scanned = 0;
        wait_for(l, silent_seconds(l->wire));
        (void)bufferevent_enable(ends, EV_READ);
    }
}

static void on_end(struct bufferevent *ends, short what, void *user)
{
    (void)ends;
    (void)what;
    close_link(user);
}

static void on_timer(evutil_socket_t fd, short what, void *user)
{
    iv_link *l = user;

    (void)fd;
    (void)what;
    if ((l->state == WAITS && l->scanned > 0) || l->state == READS)
        refuse(l, 408);
    else
        close_link(l);
}

/* ---------------------------------------------------------- connections -- */

/* All places are taken: who has waited longest without a request loses its place, so that
 * many who ask nothing do not keep out one who does.  False: all are busy. */
static bool make_room(iv_connections *w)
{
    iv_link *longest = NULL;

    if (w->link_count < CONNECTIONS_MOST)
        return true;
    for (iv_link *l = w->links; l != NULL; l = l->after)
        if (l->state != BUSY && (longest == NULL || l->since < longest->since))
            longest = l;
    if (longest != NULL)
        close_link(longest);
    return longest != NULL;
}

static void on_connection(struct evconnlistener *listener, evutil_socket_t fd,
                          struct sockaddr *from, int len, void *user)
{
    iv_connections *w = user;
    iv_link *l = calloc(1, sizeof *l);
    const int yes = 1;

    (void)listener;
    (void)len;
    if (from->sa_family == AF_INET || from->sa_family == AF_INET6)
        (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (l != NULL && make_room(w)) {
        l->timer = evtimer_new(w->base, on_timer, l);
        l->ends = bufferevent_socket_new(w->base, fd, BEV_OPT_CLOSE_ON_FREE);
    }
    if (l == NULL || l->timer == NULL || l->ends == NULL) {
        if (l != NULL && l->timer != NULL)
            event_free(l->timer);
        free(l);
        (void)close(fd);
        return;
    }
    l->wire = w;
    l->since = w->waits++;
    l->after = w->links;
    if (w->links != NULL)
        w->links->before = l;
    w->links = l;
    bufferevent_setcb(l->ends, on_input, on_output, on_end, l);
    bufferevent_setwatermark(l->ends, EV_READ, 0, IV_HEAD_MOST + IV_BODY_MOST + 1);
    const struct timeval sending = seconds(silent_seconds(w));
    (void)bufferevent_set_timeouts(l->ends, NULL, &sending);
    wait_for(l, head_seconds(w));
    (void)bufferevent_enable(l->ends, EV_READ | EV_WRITE);
    w->link_count++;
}

/* ------------------------------------------------- back from other threads -- */

void iv_connections_return(iv_exchange *x)
{
    iv_connections *w = x->wire;
    const char byte = 0;

    (void)pthread_mutex_lock(&w->lock);
    const bool first = w->returned == NULL;
    x->next = w->returned;
    w->returned = x;
    (void)pthread_mutex_unlock(&w->lock);
    if (first) /* a full pipe wakes, too */
        (void)!write(w->pipe[1], &byte, 1);
}

static void on_returned(evutil_socket_t fd, short what, void *user)
{
    iv_connections *w = user;
    iv_exchange *x, *list = NULL;
    char bytes[64];

    (void)what;
    (void)!read(fd, bytes, sizeof bytes);
    (void)pthread_mutex_lock(&w->lock);
    x = w->returned;
    w->returned = NULL;
    (void)pthread_mutex_unlock(&w->lock);
    while (x != NULL) { /* the oldest first */
        iv_exchange *next = x->next;
        x->next = list;
        list = x;
        x = next;
    }
    while (list != NULL) {
        x = list;
        list = list->next;
        w->give_back(w->user, x);
    }
}

/* ----------------------------------------------------------------- life -- */

int iv_connections_new(iv_connections **out, const iv_http_rules *gate, const char *headers,
                       iv_exchange_handler *handle, iv_exchange_handler *returned, void *user,
                       iv_err *err)
{
    iv_connections *w = calloc(1, sizeof *w);

    if (w == NULL)
        return iv_no_memory(err);
    w->gate = gate;
    w->headers = headers;
    w->handle = handle;
    w->give_back = returned;
    w->user = user;
    if (pipe2(w->pipe, O_CLOEXEC | O_NONBLOCK) != 0) {
        free(w);
        return iv_fail(err, IV_EIO, "no pipe: %s", strerror(errno));
    }
    (void)pthread_mutex_init(&w->lock, NULL);
    w->base = event_base_new();
    w->back = w->base == NULL ? NULL
        : event_new(w->base, w->pipe[0], EV_READ | EV_PERSIST, on_returned, w);
    if (w->back == NULL || event_add(w->back, NULL) != 0) {
        iv_connections_free(w);
        return iv_no_memory(err);
    }
    *out = w;
    return IV_OK;
}

int iv_connections_listen(iv_connections *w, int fd, iv_err *err)
{
    struct evconnlistener *l = w->listener_count == LISTENERS ? NULL
        : evconnlistener_new(w->base, on_connection, w,
                             LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 128, fd);

    if (l == NULL)
        return iv_fail(err, IV_EIO, "cannot listen: %s", strerror(errno));
    w->listeners[w->listener_count++] = l;
    return IV_OK;
}

static void on_ask(evutil_socket_t fd, short what, void *user)
{
    const iv_connections *w = user;

    (void)fd;
    (void)what;
    if (iv_check_work(w->work, 0.0, NULL) != IV_OK)
        (void)event_base_loopbreak(w->base);
}

int iv_connections_run(iv_connections *w, const iv_work *work, iv_err *err)
{
    const struct timeval often = { 0, ASK_MS * 1000 };
    struct event *tick = event_new(w->base, -1, EV_PERSIST, on_ask, w);
    int rc = IV_OK;

    w->work = work;
    if (tick == NULL || event_add(tick, &often) != 0)
        rc = iv_no_memory(err);
    else if (event_base_dispatch(w->base) < 0)
        rc = iv_fail(err, IV_EIO, "the event loop failed");
    if (tick != NULL)
        event_free(tick);
    return rc;
}

void iv_connections_flush(iv_connections *w)
{
    for (int i = 0; w != NULL && i < 4; i++)
        (void)event_base_loop(w->base, EVLOOP_NONBLOCK);
}

void iv_connections_free(iv_connections *w)
{
    if (w == NULL)
        return;
    for (size_t i = 0; i < w->listener_count; i++)
        evconnlistener_free(w->listeners[i]);
    w->listener_count = 0;
    while (w->links != NULL)
        close_link(w->links);
    while (w->returned != NULL) {
        iv_exchange *x = w->returned;
        w->returned = x->next;
        free_exchange(x);
    }
    if (w->back != NULL)
        event_free(w->back);
    if (w->base != NULL)
        event_base_free(w->base);
    (void)close(w->pipe[0]);
    (void)close(w->pipe[1]);
    (void)pthread_mutex_destroy(&w->lock);
    free(w);
}

/* Who is logged in.  A visit outlives the server: a page that is open goes on after a crash. */

int64_t iv_serve_now(void)
{
    return (int64_t)(iv_serve_ms() / 1e3);
}

/* Which visit; count: none. */
static size_t find(const iv_server *v, iv_str key)
{
    char digest[IV_SHA256_SIZE];
    size_t found = v->visit_count;

    (void)iv_sha256(digest, key.ptr, key.len);
    for (size_t i = 0; i < v->visit_count; i++) /* all of them: time tells nothing */
        if (iv_same_digest(digest, v->visits[i].sha256))
            found = i;
    return found;
}

static void remove_at(iv_server *v, size_t at)
{
    memmove(&v->visits[at], &v->visits[at + 1], (v->visit_count - at - 1) * sizeof *v->visits);
    v->visit_count--;
}

void iv_http_sessions_leave(iv_server *v, iv_str key)
{
    const size_t at = find(v, key);

    if (at < v->visit_count)
        remove_at(v, at);
}

int64_t iv_http_sessions_who(iv_server *v, iv_str key)
{
    const int64_t now = iv_serve_now();
    const size_t at = find(v, key);

    if (at == v->visit_count)
        return 0;
    if (now - v->visits[at].used > IV_HTTP_SESSION_SECONDS
        || time(NULL) - v->visits[at].began > IV_HTTP_LOGIN_SECONDS) {
        remove_at(v, at);
        return 0;
    }
    v->visits[at].used = now;
    return v->visits[at].assessor;
}

void iv_http_sessions_forget(iv_server *v, int64_t assessor)
{
    for (size_t i = v->visit_count; i-- > 0;)
        if (v->visits[i].assessor == assessor)
            remove_at(v, i);
}

/* Adds a visit, in place of the assessor's oldest when there are many. */
static void add(iv_server *v, int64_t assessor, int64_t began, const char *sha256)
{
    size_t count = 0, oldest = 0;

    for (size_t i = v->visit_count; i-- > 0;)
        if (v->visits[i].assessor == assessor) {
            count++;
            oldest = i;
        }
    if (count == IV_HTTP_SESSIONS_EACH)
        remove_at(v, oldest);
    if (v->visit_count == IV_ASSESSORS_MOST * IV_HTTP_SESSIONS_EACH)
        return;
    v->visits[v->visit_count].assessor = assessor;
    v->visits[v->visit_count].used = iv_serve_now();
    v->visits[v->visit_count].began = began;
    memcpy(v->visits[v->visit_count].sha256, sha256, IV_SHA256_SIZE);
    v->visit_count++;
}

static const char *key_of(iv_arena *a, int64_t assessor)
{
    char key[40];

    (void)snprintf(key, sizeof key, "set:logins:%lld", (long long)assessor);
    return iv_arena_copy(a, iv_str_of(key));
}

/* What is kept of an assessor, one behind another: the digest, and when the login was, in
 * hexadecimal digits. */
enum { KEPT_TIME = 16, KEPT = IV_SHA256_SIZE - 1 + KEPT_TIME };

static const char *kept(iv_arena *a, const iv_server *v, int64_t assessor)
{
    char *out = iv_take(a, IV_HTTP_SESSIONS_EACH + 1, KEPT);
    size_t at = 0;

    for (size_t i = 0; out != NULL && i < v->visit_count; i++)
        if (v->visits[i].assessor == assessor)
            at += (size_t)sprintf(out + at, "%.64s%016llx", v->visits[i].sha256,
                                  (unsigned long long)v->visits[i].began);
    return out;
}

/* A login that was kept, if it is one and has not ended. */
static void take_kept(iv_server *v, int64_t assessor, const char *text)
{
    char digest[IV_SHA256_SIZE] = "", when[KEPT_TIME + 1] = "";

    memcpy(digest, text, IV_SHA256_SIZE - 1);
    memcpy(when, text + IV_SHA256_SIZE - 1, KEPT_TIME);
    const int64_t began = (int64_t)strtoull(when, NULL, 16), now = (int64_t)time(NULL);
    if (began > 0 && began <= now && now - began <= IV_HTTP_LOGIN_SECONDS)
        add(v, assessor, began, digest);
}

int iv_http_sessions_erase(iv_server *v, int64_t assessor, iv_err *err)
{
    char key[40];

    (void)snprintf(key, sizeof key, "set:logins:%lld", (long long)assessor);
    return iv_store_value_put(v->store, key, "", err);
}

int iv_http_sessions_load(iv_server *v, iv_err *err)
{
    const iv_assessor *list;
    const size_t count = iv_store_assessors(&list, v->store);
    iv_arena a = { 0 };
    int rc = IV_OK;

    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        const char *key = key_of(&a, list[i].id);
        iv_str text = { "", 0 };
        rc = key == NULL ? iv_no_memory(err) : iv_store_value(&text, &a, v->store, key, err);
        for (size_t at = 0; rc == IV_OK && at + KEPT <= text.len; at += KEPT)
            take_kept(v, list[i].id, text.ptr + at);
    }
    iv_arena_free(&a);
    return rc;
}

int iv_http_sessions_keep(iv_server *v, iv_exchange *x, int64_t assessor)
{
    x->key = key_of(&x->memory, assessor);
    x->value = kept(&x->memory, v, assessor);
    return x->key == NULL || x->value == NULL ? IV_ENOMEM : IV_OK;
}

int iv_http_sessions_enter(iv_server *v, iv_exchange *x, int64_t assessor, iv_err *err)
{
    char digest[IV_SHA256_SIZE];

    IV_TRY(iv_token_random(x->token, err));
    add(v, assessor, (int64_t)time(NULL), iv_sha256(digest, x->token, strlen(x->token)));
    return iv_http_sessions_keep(v, x, assessor) == IV_OK ? IV_OK : iv_no_memory(err);
}
