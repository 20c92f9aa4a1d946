/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses the head of an HTTP request, strictly.
 *
 * The gate: what a request must be before anything looks at it.
 *
 * A pure function of the bytes of a request's head.  It is the only parser of HTTP in
 * the server, so that no two parsers can disagree about where a request ends; what it
 * does not know it refuses.  Addresses are literals, compared byte for byte before any
 * decoding: there is none.
 */
#ifndef IV_SERVE_HTTP_PARSER_H
#define IV_SERVE_HTTP_PARSER_H

#include "intervale/base.h"

/* Limits of one request. */
enum {
    IV_HEAD_MOST = 16 * 1024, /* bytes of the head, its empty line included */
    IV_BODY_MOST = 64 * 1024,
    IV_HEADERS_MOST = 64
};

typedef enum iv_method { IV_GET, IV_POST } iv_method;

/* Who may ask for an address; a script has a token of its own. */
typedef enum iv_right {
    IV_BY_ANYBODY, IV_BY_ASSESSOR, IV_BY_OWNER_OR_SCRIPT, IV_BY_OWNER
} iv_right;

struct iv_server;
struct iv_exchange;
struct iv_json; /* the report module's, which writes */

/* What puts an answer into an object of JSON. */
typedef int iv_filling(struct iv_json *j, struct iv_server *v, struct iv_exchange *x, iv_err *err);

/* An address that is served; a table of them ends with path NULL. */
typedef struct iv_address {
    const char *path;
    iv_method method;
    iv_right right;
    /* What the server does: at once, or, where that is NULL, what the worker fills in.  A failure
     * is the answer 400, or 503 without memory. */
    int (*answer)(struct iv_server *v, struct iv_exchange *x, iv_err *err);
    iv_filling *fill;
} iv_address;

/* By which names the server may be asked. */
typedef struct iv_http_rules {
    iv_texts authorities;      /* "127.0.0.1:8123": what Host may say */
    iv_texts origins;          /* "http://127.0.0.1:8123": what Origin may say */
    const iv_address *addresses;
    bool heads;                /* HEAD is let through, too, where GET is */
    double head_seconds;       /* from the first byte of a request to its last; 0: 10 */
    double silent_seconds;     /* between requests; 0: 30 */
} iv_http_rules;

/* What is left of a head that passed; texts are borrowed from it. */
typedef struct iv_http_request {
    size_t address;   /* index into the table */
    iv_str query;     /* behind the question mark, as it came */
    iv_str key;       /* of Authorization: Bearer; empty: none */
    iv_str unchanged; /* the value of If-None-Match; empty: none */
    size_t body;      /* bytes that follow the head */
    bool last;        /* the connection ends with the answer */
    bool bare;        /* HEAD: the answer goes without its body */
} iv_http_request;

/* Bytes of a head that is complete, its empty line included; 0: not yet. */
size_t iv_head_length(iv_str bytes);

/*
 * Reads a complete head.  0, or the status to refuse it with: 400, 403, 404, 405, 411,
 * 413, 415, 417, 421, 431, 505.  *out is filled only with 0.
 */
int iv_http_parse(iv_http_request *out, const iv_http_rules *gate, iv_str head);

/* The whole number of a query such as "topic=12&before=7"; `usual` when it is not there.
 * False when it is there twice, or is no number from 0 to 2^53. */
bool iv_query_number(int64_t *out, iv_str query, const char *name, int64_t usual);

/* The word of a query, of letters, digits, - and _; empty when it is not there.  False when
 * it is there twice or has other bytes. */
bool iv_query_word(iv_str *out, iv_str query, const char *name);

/* What HTTP calls a status. */
const char *iv_status_words(int status);

#endif
