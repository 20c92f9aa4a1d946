/* SPDX-License-Identifier: Apache-2.0 */
/* What is done for each address.  By the loop's thread, which hands on whatever takes time. */
#include "base/err.h"
#include "base/memory.h"
#include "report/json_write.h"
#include "serve/answers.h"
#include "serve/server.h"
#include "store/lists.h"
#include "store/upkeep.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static int refuse(iv_err *err, const char *what)
{
    return iv_fail(err, IV_EPARSE, "%s", what);
}

static void answer(iv_exchange *x, int status, const char *text)
{
    iv_say_error(x, status, text);
    iv_connections_answer(x);
}

/* Lets a desk work for the exchange, and the loop finish it (NULL: the answer is there). */
static int hand_on(iv_worker_queue *desk, iv_exchange *x, void (*work)(iv_server *, iv_exchange *),
                   void (*finish)(iv_server *, iv_exchange *), iv_filling *fill)
{
    x->work = work;
    x->finish = finish;
    x->fill = fill;
    iv_worker_add(desk, x);
    return IV_OK;
}

/* ---------------------------------------------------------------- visits -- */

static void keep_setting(iv_server *v, iv_exchange *x)
{
    x->rc = iv_store_value_put(v->store, x->key, x->value, &x->err);
}

/* The answer without a body, when it is kept. */
static void say_kept(iv_server *v, iv_exchange *x)
{
    x->status = 204;
    if (x->rc != IV_OK)
        iv_say_failure(v, x, &x->err);
}

/* A wrong link ends the connection; links have 128 random bits, so that no count of wrong ones
 * is needed, which could lock out the owner. */
static int log_in(iv_server *v, iv_exchange *x, iv_err *err)
{
    iv_assessor who;
    iv_str token;

    IV_TRY(iv_body_login(&token, &x->memory, x->body, err));
    const int64_t id = iv_store_token_owner(v->store, token);
    if (id == 0 || !iv_store_assessor(&who, v->store, id) || who.revoked) {
        x->asked.last = true;
        answer(x, 401, "this link is not valid any more");
        return IV_OK;
    }
    if (iv_http_sessions_enter(v, x, id, err) != IV_OK) {
        answer(x, 503, err->msg);
        return IV_OK;
    }
    return hand_on(&v->writer, x, keep_setting, iv_say_filled, iv_fill_key);
}

static int log_out(iv_server *v, iv_exchange *x, iv_err *err)
{
    bool everywhere = false;

    IV_TRY(iv_body_logout(&everywhere, &x->memory, x->body, err));
    if (everywhere)
        iv_http_sessions_forget(v, x->assessor);
    else
        iv_http_sessions_leave(v, x->asked.key);
    (void)iv_store_release(v->store, x->assessor);
    if (iv_http_sessions_keep(v, x, x->assessor) != IV_OK)
        return iv_no_memory(err);
    return hand_on(&v->writer, x, keep_setting, say_kept, NULL);
}

/* ----------------------------------------------------------------- items -- */

static int show_next(iv_server *v, iv_exchange *x, iv_err *err)
{
    int64_t topic, not_this, adjudicate;

    if (!iv_query_number(&topic, x->asked.query, "topic", 0)
        || !iv_query_number(&not_this, x->asked.query, "not", 0)
        || !iv_query_number(&adjudicate, x->asked.query, "adjudicate", 0))
        return refuse(err, "topic, not and adjudicate are numbers");
    x->sent = (iv_sent){ .more = true, .topic = topic, .not_this = not_this,
                           .adjudicate = adjudicate != 0 };
    x->fill = iv_fill_stored;
    iv_say_filled(v, x);
    iv_connections_answer(x);
    return IV_OK;
}

static int show_item(iv_server *v, iv_exchange *x, iv_err *err)
{
    iv_store_item item;
    int64_t id, whole;

    if (!iv_query_number(&id, x->asked.query, "id", 0)
        || !iv_query_number(&whole, x->asked.query, "whole", 0))
        return refuse(err, "id and whole are numbers");
    const int rc = iv_store_item_at(&item, &x->memory, v->store, id, x->assessor, err);
    if (rc == IV_OK)
        iv_say_item(v, x, &item, whole != 0);
    else if (rc == IV_ENODATA)
        iv_say_error(x, 404, "no such item");
    else
        iv_say_failure(v, x, err);
    iv_connections_answer(x);
    return IV_OK;
}

static int take_judgments(iv_server *v, iv_exchange *x, iv_err *err)
{
    IV_TRY(iv_body_judgments(&x->sent, &x->memory, x->body, err));
    if (strcmp(x->sent.session, iv_store_identity(v->store)) != 0) {
        answer(x, 421, "these judgments are of another session");
        return IV_OK;
    }
    for (size_t i = 0; i < x->sent.count; i++) {
        x->sent.entries[i].assessor = x->assessor;
        if (x->sent.entries[i].reason == IV_REASON_ADJUDICATED && !x->adjudicates) {
            answer(x, 403, "only the adjudicator decides disagreements");
            return IV_OK;
        }
    }
    return hand_on(&v->writer, x, NULL, iv_say_filled, iv_fill_stored);
}

/* --------------------------------------------------------------- numbers -- */

static int show_live(iv_server *v, iv_exchange *x, iv_err *err)
{
    char tag[40];

    (void)err;
    (void)snprintf(tag, sizeof tag, "\"%lld\"", (long long)iv_store_seq(v->store));
    if (iv_str_cmp(x->asked.unchanged, iv_str_of(tag)) != 0)
        return hand_on(&v->worker, x, iv_say_filled, NULL, iv_fill_live);
    x->status = 304;
    iv_connections_answer(x);
    return IV_OK;
}

static bool find_word(int *out, iv_str word, const char *const *names)
{
    for (int i = 0; names[i] != NULL; i++)
        if (iv_str_cmp(word, iv_str_of(names[i])) == 0) {
            *out = i;
            return true;
        }
    return false;
}

static int list_filtered(iv_server *v, iv_exchange *x, const iv_store_filter *f, iv_err *err)
{
    x->filter = iv_arena_alloc(&x->memory, sizeof *f);
    if (x->filter == NULL)
        return iv_no_memory(err);
    *x->filter = *f;
    if (f->state != IV_ITEM_CONFLICT || iv_may_know(v, x, IV_SECRET_GRADES))
        return hand_on(&v->worker, x, iv_say_filled, NULL, iv_fill_items);
    answer(x, 403, "this is the adjudicator's");
    return IV_OK;
}

static int list_items(iv_server *v, iv_exchange *x, iv_err *err)
{
    iv_store_filter f = { 0 };
    iv_str word;
    int state = IV_ITEM_ANY;

    if (!iv_query_number(&f.from, x->asked.query, "from", 0)
        || !iv_query_word(&word, x->asked.query, "state")
        || (word.len > 0 && !find_word(&state, word, iv_store_state_names())))
        return refuse(err, "from is a number, state one of those of the store");
    f.state = (iv_store_state)state;
    return list_filtered(v, x, &f, err);
}

static int list_history(iv_server *v, iv_exchange *x, iv_err *err)
{
    if (!iv_query_number(&x->from, x->asked.query, "before", 0))
        return refuse(err, "before is a number");
    return hand_on(&v->worker, x, iv_say_filled, NULL, iv_fill_history);
}

static int export_all(iv_server *v, iv_exchange *x, iv_err *err)
{
    int64_t partial;
    iv_str as, combine;
    int form = IV_EXPORT_USUAL;

    if (!iv_query_word(&as, x->asked.query, "as")
        || (as.len > 0 && !find_word(&form, as, iv_store_form_names()))
        || !iv_query_word(&combine, x->asked.query, "combine")
        || !iv_query_number(&partial, x->asked.query, "partial", 0))
        return refuse(err, "as is one of the forms of export, combine a word, partial 0 or 1");
    const char *how = combine.len == 0 ? NULL : iv_arena_copy(&x->memory, combine);
    if (combine.len > 0 && how == NULL)
        return iv_no_memory(err);
    x->exports = (iv_export_options){ .form = (iv_store_form)form, .combine = how,
                                        .partial = partial != 0 };
    return hand_on(&v->worker, x, iv_work_export, NULL, NULL);
}

/* -------------------------------------------------------------- settings -- */

static int take_keys(iv_server *v, iv_exchange *x, iv_err *err)
{
    char key[40];

    if (x->body.len > 12000)
        return refuse(err, "too many keys");
    IV_TRY(iv_body_keys(&x->value, &x->memory, x->body, err));
    (void)snprintf(key, sizeof key, "set:keys:%lld", (long long)x->assessor);
    x->key = iv_arena_copy(&x->memory, iv_str_of(key));
    return x->key == NULL ? iv_no_memory(err)
        : hand_on(&v->writer, x, keep_setting, say_kept, NULL);
}

static int take_ranking(iv_server *v, iv_exchange *x, iv_err *err)
{
    IV_TRY(iv_body_ranking(&x->names, &x->name_count, &x->memory, x->body, err));
    return hand_on(&v->writer, x, iv_work_rank, iv_say_filled, iv_fill_ranked);
}

static int search(iv_server *v, iv_exchange *x, iv_err *err)
{
    iv_store_filter f = { 0 };

    IV_TRY(iv_body_search(&f, &x->memory, x->body, err));
    return list_filtered(v, x, &f, err);
}

static int take_assessor(iv_server *v, iv_exchange *x, iv_err *err)
{
    IV_TRY(iv_body_assessor(&x->act, &x->name, &x->memory, x->body, err));
    return hand_on(&v->writer, x, iv_work_assessor, iv_say_filled, iv_fill_link);
}

/* ------------------------------------------------------------------ doors -- */

static int show_page(iv_server *v, iv_exchange *x, iv_err *err)
{
    x->text = malloc(v->page_len);
    if (x->text == NULL)
        return iv_no_memory(err);
    memcpy(x->text, v->page, v->page_len);
    x->len = v->page_len;
    x->status = 200;
    x->type = "text/html; charset=utf-8";
    iv_connections_answer(x);
    return IV_OK;
}

/* There is none; every browser asks. */
static int show_icon(iv_server *v, iv_exchange *x, iv_err *err)
{
    (void)v, (void)err;
    x->status = 204;
    iv_connections_answer(x);
    return IV_OK;
}

const iv_address iv_addresses[] = {
    { "/", IV_GET, IV_BY_ANYBODY, show_page },
    { "/favicon.ico", IV_GET, IV_BY_ANYBODY, show_icon },
    { "/api/login", IV_POST, IV_BY_ANYBODY, log_in },
    { "/api/logout", IV_POST, IV_BY_ASSESSOR, log_out },
    { "/api/session", IV_GET, IV_BY_ASSESSOR, NULL, iv_fill_session },
    { "/api/next", IV_GET, IV_BY_ASSESSOR, show_next },
    { "/api/item", IV_GET, IV_BY_ASSESSOR, show_item },
    { "/api/judgments", IV_POST, IV_BY_ASSESSOR, take_judgments },
    { "/api/live", IV_GET, IV_BY_ASSESSOR, show_live },
    { "/api/history", IV_GET, IV_BY_ASSESSOR, list_history },
    { "/api/items", IV_GET, IV_BY_ASSESSOR, list_items },
    { "/api/keys", IV_POST, IV_BY_ASSESSOR, take_keys },
    { "/api/overview", IV_GET, IV_BY_OWNER_OR_SCRIPT, NULL, iv_fill_overview },
    { "/api/agreement", IV_GET, IV_BY_OWNER_OR_SCRIPT, NULL, iv_fill_agreement },
    { "/api/export", IV_GET, IV_BY_OWNER_OR_SCRIPT, export_all },
    { "/api/rank", IV_POST, IV_BY_OWNER_OR_SCRIPT, take_ranking },
    { "/api/search", IV_POST, IV_BY_ASSESSOR, search },
    { "/api/assessor", IV_POST, IV_BY_OWNER, take_assessor },
    { NULL }
};

/* Who asks: a page by the key of its session, a script by its token. */
static bool find_asker(iv_assessor *who, iv_server *v, iv_str key)
{
    int64_t id = iv_http_sessions_who(v, key);
    const bool page = id != 0;

    if (!page)
        id = iv_store_token_owner(v->store, key);
    return iv_store_assessor(who, v->store, id) && !who->revoked && (page || who->script);
}

void iv_handle(void *server, iv_exchange *x)
{
    iv_server *v = server;
    const iv_address *at = &iv_addresses[x->asked.address];
    const iv_right right = at->right;
    iv_assessor who = { .id = 0 };
    iv_err err;
    int rc = IV_OK;

    if (at->answer == show_page || at->answer == show_icon)
        rc = at->answer(v, x, &err);
    else if (v->ending)
        answer(x, 503, "the server is ending");
    else if (right != IV_BY_ANYBODY && !find_asker(&who, v, x->asked.key))
        answer(x, 401, "open the link that you were given");
    else if (right >= IV_BY_OWNER_OR_SCRIPT && !who.owner
             && !(who.script && right == IV_BY_OWNER_OR_SCRIPT))
        answer(x, 403, "this is the owner's");
    else {
        x->assessor = who.id;
        x->owner = who.owner;
        x->script = who.script;
        x->adjudicates = who.adjudicates;
        iv_store_seen(v->store, who.id, iv_serve_now());
        rc = at->answer != NULL ? at->answer(v, x, &err)
            : hand_on(&v->worker, x, iv_say_filled, NULL, at->fill);
    }
    if (rc != IV_OK)
        answer(x, rc == IV_ENOMEM ? 503 : 400, err.msg);
}

void iv_returned(void *server, iv_exchange *x)
{
    if (x->finish != NULL)
        x->finish(server, x);
    iv_connections_answer(x);
}

/* Where the server listens, and by which names it may be asked. */

static int add_name(iv_places *p, const char *scheme, const char *authority, iv_err *err)
{
    if (p->count == sizeof p->authorities / sizeof *p->authorities
        || snprintf(p->texts[p->count][0], sizeof p->texts[0][0], "%s", authority)
            >= (int)sizeof p->texts[0][0]
        || snprintf(p->texts[p->count][1], sizeof p->texts[0][1], "%s://%s", scheme, authority)
            >= (int)sizeof p->texts[0][1])
        return iv_fail(err, IV_EARG, "the address is too long");
    p->authorities[p->count] = p->texts[p->count][0];
    p->origins[p->count] = p->texts[p->count][1];
    p->count++;
    return IV_OK;
}

/* ------------------------------------------------------------ public url -- */

static bool is_loopback_name(iv_str host)
{
    static const char *const names[] = { "localhost", "127.0.0.1", "[::1]" };

    for (size_t i = 0; i < 3; i++)
        if (iv_str_cmp(host, iv_str_of(names[i])) == 0)
            return true;
    return false;
}

/* "https://judge.example.org/": the one authority that may be asked for. */
static int take_public_url(iv_places *p, const iv_serve_options *o, iv_err *err)
{
    const char *url = o->public_url, *rest = strstr(url, "://");
    char quoted[IV_QUOTE_SIZE], authority[256];
    const bool secure = strncmp(url, "https://", 8) == 0;

    (void)iv_quote(quoted, iv_str_of(url));
    if (rest == NULL || (!secure && strncmp(url, "http://", 7) != 0))
        return iv_fail(err, IV_EARG, "public URL %s, expected https://HOST/", quoted);
    rest += 3;
    const size_t len = strcspn(rest, "/?#");
    if (len == 0 || len >= sizeof authority || (rest[len] != '\0' && strcmp(rest + len, "/") != 0))
        return iv_fail(err, IV_EARG, "public URL %s, expected a host and no path after it: the "
                       "page is served at the root of a name", quoted);
    if (strspn(rest, "abcdefghijklmnopqrstuvwxyz0123456789.-:[]") < len)
        return iv_fail(err, IV_EARG, "public URL %s, expected a host in lower case", quoted);
    memcpy(authority, rest, len);
    authority[len] = '\0';
    const size_t host = authority[0] == '[' ? strcspn(authority, "]") + 1 : strcspn(authority, ":");
    if (!secure && !o->insecure_lan && !is_loopback_name((iv_str){ authority, host }))
        return iv_fail(err, IV_EARG, "public URL %s, expected https: tokens and judgments would "
                       "be readable on the way", quoted);
    (void)snprintf(p->url, sizeof p->url, "%s://%s/", secure ? "https" : "http", authority);
    return add_name(p, secure ? "https" : "http", authority, err);
}

/* --------------------------------------------------------------- sockets -- */

static int bind_tcp(int *out, int64_t *port, const char *address, int64_t wanted, iv_err *err)
{
    struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons((uint16_t)wanted) };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)wanted) };
    const bool four = inet_pton(AF_INET, address, &v4.sin_addr) == 1;
    char quoted[IV_QUOTE_SIZE];
    const int yes = 1;

    if (!four && inet_pton(AF_INET6, address, &v6.sin6_addr) != 1)
        return iv_fail(err, IV_EARG, "address %s, expected numbers such as 192.168.1.5 or ::1",
                       iv_quote(quoted, iv_str_of(address)));
    const int fd = socket(four ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return iv_fail(err, IV_EIO, "no socket: %s", strerror(errno));
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (!four)
        (void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
    struct sockaddr *at = four ? (struct sockaddr *)&v4 : (struct sockaddr *)&v6;
    socklen_t len = four ? sizeof v4 : sizeof v6;
    if (bind(fd, at, len) != 0 || getsockname(fd, at, &len) != 0) {
        const int why = errno;
        (void)close(fd);
        return iv_fail(err, IV_EIO, "cannot listen at %s port %lld: %s", address,
                       (long long)wanted, strerror(why));
    }
    *port = ntohs(four ? v4.sin_port : v6.sin6_port);
    *out = fd;
    return IV_OK;
}

/* A socket that a server left behind is replaced; anything else is somebody's file. */
static int bind_unix(int *out, const char *path, iv_err *err)
{
    struct sockaddr_un at = { .sun_family = AF_UNIX };
    struct stat is;

    if (strlen(path) >= sizeof at.sun_path)
        return iv_fail_at(err, IV_EARG, path, 0, "a path of a socket has at most %zu bytes",
                          sizeof at.sun_path - 1);
    memcpy(at.sun_path, path, strlen(path) + 1);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return iv_fail(err, IV_EIO, "no socket: %s", strerror(errno));
    if (lstat(path, &is) == 0 && S_ISSOCK(is.st_mode)) {
        if (connect(fd, (struct sockaddr *)&at, sizeof at) == 0) {
            (void)close(fd);
            return iv_fail_at(err, IV_EIO, path, 0, "another process listens there");
        }
        if (errno == ECONNREFUSED)
            (void)unlink(path);
    }
    const mode_t old = umask(0177);
    const int rc = bind(fd, (struct sockaddr *)&at, sizeof at);
    const int why = errno;
    (void)umask(old);
    if (rc != 0) {
        (void)close(fd);
        return iv_fail_at(err, IV_EIO, path, 0, "cannot listen: %s", strerror(why));
    }
    *out = fd;
    return IV_OK;
}

/* Both loopbacks on one port: 127.0.0.1 and, where there is one, ::1. */
static int bind_loopback(iv_places *p, int64_t wanted, iv_err *err)
{
    iv_err why;
    int64_t same;

    IV_TRY(bind_tcp(&p->fds[0], &p->port, "127.0.0.1", wanted, err));
    p->fd_count = 1;
    if (bind_tcp(&p->fds[1], &same, "::1", p->port, &why) == IV_OK)
        p->fd_count = 2;
    return IV_OK;
}

static bool is_loopback(const char *address)
{
    return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0;
}

static int name_ports(iv_places *p, const char *address, iv_err *err)
{
    static const char *const names[] = { "127.0.0.1", "localhost", "[::1]" };
    char authority[160];
    const bool six = strchr(address, ':') != NULL;

    (void)snprintf(authority, sizeof authority, six ? "[%s]:%lld" : "%s:%lld", address,
                   (long long)p->port);
    (void)snprintf(p->url, sizeof p->url, "http://%s/", authority);
    IV_TRY(add_name(p, "http", authority, err));
    for (size_t i = 0; i < 3 && is_loopback(address); i++) {
        (void)snprintf(authority, sizeof authority, "%s:%lld", names[i], (long long)p->port);
        if (strncmp(p->texts[0][0], authority, sizeof authority) != 0)
            IV_TRY(add_name(p, "http", authority, err));
    }
    return IV_OK;
}

static int check_options(const iv_serve_options *o, iv_err *err)
{
    if (o->socket != NULL && (o->port != 0 || o->listen != NULL))
        return iv_fail(err, IV_EARG, "a socket in place of a port and an address, not beside them");
    if (o->socket != NULL && o->public_url == NULL)
        return iv_fail(err, IV_EARG, "a socket has no name: the URL that browsers will use is "
                       "needed");
    if (o->listen != NULL && !is_loopback(o->listen) && o->public_url == NULL
        && !o->insecure_lan)
        return iv_fail(err, IV_EARG, "%s can be reached from other machines and there is no TLS: "
                       "whoever listens on the way could read tokens and judge. A proxy with TLS "
                       "and its public URL are needed", o->listen);
    return IV_OK;
}

int iv_places_open(iv_places *out, const iv_serve_options *o, int64_t remembered, iv_err *err)
{
    const char *address = o->listen != NULL ? o->listen : "127.0.0.1";
    iv_err why;
    int rc;

    *out = (iv_places){ .fd_count = 0 };
    IV_TRY(check_options(o, err));
    if (o->socket != NULL) {
        IV_TRY(bind_unix(&out->fds[0], o->socket, err));
        out->fd_count = 1;
        out->socket = o->socket;
    } else if (o->listen != NULL) {
        IV_TRY(bind_tcp(&out->fds[0], &out->port, address, o->port, err));
        out->fd_count = 1;
    } else if (o->port != 0) {
        IV_TRY(bind_loopback(out, o->port, err));
    } else if (remembered == 0 || bind_loopback(out, remembered, &why) != IV_OK) {
        IV_TRY(bind_loopback(out, 0, err));
    }
    rc = o->public_url != NULL ? take_public_url(out, o, err) : name_ports(out, address, err);
    if (rc != IV_OK)
        iv_places_close(out);
    return rc;
}

void iv_places_close(iv_places *p)
{
    for (size_t i = 0; i < p->fd_count; i++)
        (void)close(p->fds[i]);
    p->fd_count = 0;
    if (p->socket != NULL)
        (void)unlink(p->socket);
    p->socket = NULL;
}
