/* SPDX-License-Identifier: Apache-2.0 */
/* A strict parser of HTTP request heads. */
#include "serve/http_parser.h"

#include <stdlib.h>
#include <string.h>

/* The headers that decide; each may come once. */
enum { HOST, LENGTH, ORIGIN, SITE, TYPE, AUTHORIZATION, UNCHANGED, CONNECTION, KNOWN,
       TRANSFER = KNOWN, EXPECT, OTHER };

static const char *const names[] = { "host", "content-length", "origin", "sec-fetch-site",
    "content-type", "authorization", "if-none-match", "connection", "transfer-encoding", "expect" };

typedef struct head {
    iv_str method, path, query;
    bool old; /* HTTP/1.0 */
    bool seen[KNOWN];
    iv_str value[KNOWN];
} head;

static bool same(iv_str a, const char *b)
{
    return a.len == strlen(b) && memcmp(a.ptr, b, a.len) == 0;
}

static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* Equal but for the case of ASCII letters; b is in lower case. */
static bool alike(iv_str a, const char *b)
{
    if (a.len != strlen(b))
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (lower(a.ptr[i]) != (unsigned char)b[i])
            return false;
    return true;
}

static bool is_token(iv_str s)
{
    static const char marks[] = "!#$%&'*+-.^_`|~";

    for (size_t i = 0; i < s.len; i++) {
        const unsigned char c = lower(s.ptr[i]);
        if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9')
            && (c == '\0' || strchr(marks, c) == NULL))
            return false;
    }
    return s.len > 0;
}

/* Printable ASCII from `from` to ~, which leaves out what proxies read differently. */
static bool is_plain(iv_str s, char from)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] < from || s.ptr[i] > '~')
            return false;
    return true;
}

static iv_str part(iv_str s, size_t from, size_t to)
{
    return (iv_str){ s.ptr + from, to - from };
}

/* Takes a line that ends with CR LF from *rest; false when a CR or LF stands alone. */
static bool take_line(iv_str *line, iv_str *rest)
{
    for (size_t i = 0; i < rest->len; i++) {
        if (rest->ptr[i] == '\n')
            return false;
        if (rest->ptr[i] != '\r')
            continue;
        if (i + 1 == rest->len || rest->ptr[i + 1] != '\n')
            return false;
        *line = part(*rest, 0, i);
        *rest = part(*rest, i + 2, rest->len);
        return true;
    }
    return false;
}

static int read_first_line(head *h, iv_str line)
{
    const char *first = line.len > 0 ? memchr(line.ptr, ' ', line.len) : NULL;

    if (first == NULL)
        return 400;
    const size_t at = (size_t)(first - line.ptr);
    const iv_str rest = part(line, at + 1, line.len);
    const char *second = rest.len > 0 ? memchr(rest.ptr, ' ', rest.len) : NULL;
    if (second == NULL)
        return 400;
    const size_t end = (size_t)(second - rest.ptr);
    const iv_str target = part(rest, 0, end), version = part(rest, end + 1, rest.len);

    h->method = part(line, 0, at);
    if (!is_token(h->method) || target.len == 0 || target.ptr[0] != '/'
        || !is_plain(target, '!'))
        return 400;
    h->old = same(version, "HTTP/1.0");
    if (!h->old && !same(version, "HTTP/1.1"))
        return version.len == 8 && memcmp(version.ptr, "HTTP/", 5) == 0 ? 505 : 400;
    const char *mark = memchr(target.ptr, '?', target.len);
    const size_t path = mark == NULL ? target.len : (size_t)(mark - target.ptr);
    h->path = part(target, 0, path);
    h->query = mark == NULL ? part(target, path, path) : part(target, path + 1, target.len);
    return 0;
}

/* "Name: value"; no blank before the colon, no folded lines, no bytes that are no text. */
static int read_header(head *h, iv_str line)
{
    const char *colon = memchr(line.ptr, ':', line.len);

    if (colon == NULL)
        return 400;
    const iv_str name = part(line, 0, (size_t)(colon - line.ptr));
    size_t from = name.len + 1, to = line.len;
    while (from < to && (line.ptr[from] == ' ' || line.ptr[from] == '\t'))
        from++;
    while (to > from && (line.ptr[to - 1] == ' ' || line.ptr[to - 1] == '\t'))
        to--;
    const iv_str value = part(line, from, to);
    if (!is_token(name))
        return 400;
    for (size_t i = 0; i < value.len; i++)
        if (((unsigned char)value.ptr[i] < ' ' && value.ptr[i] != '\t') || value.ptr[i] == 0x7f)
            return 400;
    int which = 0;
    while (which < OTHER && !alike(name, names[which]))
        which++;
    if (which == TRANSFER)
        return 400; /* the length of a body is told in one way */
    if (which == EXPECT)
        return 417;
    if (which == OTHER)
        return 0;
    if (h->seen[which])
        return 400;
    h->seen[which] = true;
    h->value[which] = value;
    return 0;
}

static int read_head(head *h, iv_str rest)
{
    iv_str line;
    size_t count = 0;

    *h = (head){ .old = false };
    if (rest.len > IV_HEAD_MOST)
        return 431;
    if (!take_line(&line, &rest))
        return 400;
    int status = read_first_line(h, line);
    while (status == 0) {
        if (!take_line(&line, &rest))
            return 400;
        if (line.len == 0)
            return rest.len == 0 ? 0 : 400;
        if (count++ == IV_HEADERS_MOST)
            return 431;
        status = read_header(h, line);
    }
    return status;
}

static bool listed(const iv_texts *list, iv_str s)
{
    for (size_t i = 0; i < list->count; i++)
        if (same(s, list->at[i]))
            return true;
    return false;
}

/* Which address; 405 when the path is served, but not so. */
static int find_address(size_t *out, const iv_http_rules *gate, const head *h)
{
    const bool post = same(h->method, "POST");
    const bool get = same(h->method, "GET") || (gate->heads && same(h->method, "HEAD"));
    bool known = false;

    if (!get && !post)
        return 405;
    for (size_t i = 0; gate->addresses[i].path != NULL; i++) {
        if (!same(h->path, gate->addresses[i].path))
            continue;
        known = true;
        if (gate->addresses[i].method == (post ? IV_POST : IV_GET)) {
            *out = i;
            return 0;
        }
    }
    return known ? 405 : 404;
}

static int read_length(size_t *out, const head *h, bool post)
{
    int64_t n = 0;

    *out = 0;
    if (!h->seen[LENGTH])
        return post ? 411 : 0;
    const iv_str s = h->value[LENGTH];
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] < '0' || s.ptr[i] > '9') /* "+5" is a number, and no length */
            return 400;
    if (s.len == 0 || s.len > 15 || !iv_scan_int(&n, s, 0, INT64_MAX))
        return 400;
    if (!post && n != 0)
        return 400;
    if (n > IV_BODY_MOST)
        return 413;
    *out = (size_t)n;
    return 0;
}

/*
 * A page of another origin can make the browser ask, but cannot choose these headers.
 * The page itself is nobody's secret, and a link in a letter may lead to it.
 */
static int check_source(const iv_http_rules *gate, const head *h, bool post, iv_right right)
{
    if (h->seen[ORIGIN] && !listed(&gate->origins, h->value[ORIGIN]))
        return 403;
    if (h->seen[SITE] && (post || right != IV_BY_ANYBODY) && !same(h->value[SITE], "same-origin"))
        return 403;
    if (!post)
        return 0;
    if (!h->seen[ORIGIN] && !h->seen[SITE])
        return 403;
    return h->seen[TYPE] && (alike(h->value[TYPE], "application/json")
                             || alike(h->value[TYPE], "application/json; charset=utf-8")
                             || alike(h->value[TYPE], "application/json;charset=utf-8"))
        ? 0 : 415;
}

size_t iv_head_length(iv_str bytes)
{
    for (size_t i = 0; i + 1 < bytes.len; i++) {
        if (bytes.ptr[i] != '\n')
            continue;
        /* A line of LF alone ends it too, so that it is refused and not waited for. */
        if (bytes.ptr[i + 1] == '\n')
            return i + 2;
        if (i + 2 < bytes.len && bytes.ptr[i + 1] == '\r' && bytes.ptr[i + 2] == '\n')
            return i + 3;
    }
    return 0;
}

/* What follows "Bearer "; empty: nothing does. */
static iv_str key_of(const head *h)
{
    static const char bearer[] = "Bearer ";
    const iv_str value = h->value[AUTHORIZATION];
    const size_t len = sizeof bearer - 1;

    if (!h->seen[AUTHORIZATION] || value.len <= len || memcmp(value.ptr, bearer, len) != 0)
        return (iv_str){ "", 0 };
    return (iv_str){ value.ptr + len, value.len - len };
}

int iv_http_parse(iv_http_request *out, const iv_http_rules *gate, iv_str bytes)
{
    head h;
    size_t address = 0, body;
    int status = read_head(&h, bytes);

    if (status != 0)
        return status;
    if (!h.seen[HOST])
        return 400;
    if (!listed(&gate->authorities, h.value[HOST]))
        return 421;
    const bool post = same(h.method, "POST");
    if ((status = find_address(&address, gate, &h)) != 0
        || (status = check_source(gate, &h, post, gate->addresses[address].right)) != 0
        || (status = read_length(&body, &h, post)) != 0)
        return status;
    *out = (iv_http_request){ address, h.query, key_of(&h),
        h.seen[UNCHANGED] ? h.value[UNCHANGED] : (iv_str){ "", 0 }, body,
        h.old || (h.seen[CONNECTION] && alike(h.value[CONNECTION], "close")),
        same(h.method, "HEAD") };
    return 0;
}

/* ------------------------------------------------------ names and values -- */

/* The value of name among pairs; how often it is there. */
static int find_pair(iv_str *out, iv_str pairs, const char *name)
{
    const size_t len = strlen(name);
    int found = 0;

    for (size_t at = 0; at < pairs.len;) {
        const char *stop = memchr(pairs.ptr + at, '&', pairs.len - at);
        const size_t end = stop == NULL ? pairs.len : (size_t)(stop - pairs.ptr);
        if (end - at > len && memcmp(pairs.ptr + at, name, len) == 0
            && pairs.ptr[at + len] == '=') {
            *out = part(pairs, at + len + 1, end);
            found++;
        }
        at = end + 1;
    }
    return found;
}

bool iv_query_number(int64_t *out, iv_str query, const char *name, int64_t usual)
{
    iv_str value;
    int64_t n = usual;
    const int found = find_pair(&value, query, name);

    if (found > 1 || (found == 1 && (value.len == 0 || value.ptr[0] < '0' || value.ptr[0] > '9'
                                     || !iv_scan_int(&n, value, 0, INT64_C(1) << 53))))
        return false;
    *out = n;
    return true;
}

bool iv_query_word(iv_str *out, iv_str query, const char *name)
{
    iv_str value = { "", 0 };

    if (find_pair(&value, query, name) > 1)
        return false;
    for (size_t i = 0; i < value.len; i++) {
        const unsigned char c = lower(value.ptr[i]);
        if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '-' && c != '_')
            return false;
    }
    *out = value;
    return true;
}

const char *iv_status_words(int status)
{
    static const char *const known[] = {
        "200 OK", "201 Created", "204 No Content", "304 Not Modified",
        "400 Bad Request", "401 Unauthorized", "403 Forbidden",
        "404 Not Found", "405 Method Not Allowed", "408 Request Timeout",
        "409 Conflict", "411 Length Required", "413 Content Too Large",
        "415 Unsupported Media Type", "417 Expectation Failed",
        "421 Misdirected Request", "422 Unprocessable Content",
        "429 Too Many Requests", "431 Request Header Fields Too Large",
        "500 Internal Server Error", "503 Service Unavailable",
        "505 HTTP Version Not Supported", "507 Insufficient Storage" };

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (atoi(known[i]) == status)
            return known[i] + 4;
    return "Error";
}
