/* SPDX-License-Identifier: Apache-2.0 */
/* Where the server listens, and by which names it may be asked. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "serve/server.h"

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
