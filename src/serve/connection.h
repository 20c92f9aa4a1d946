/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The wire: connections, and what goes over them.
 *
 * One thread runs the loop.  A request that passes the gate becomes an exchange, which is
 * handed to the server; that answers at once, or gives it to another thread, which hands it
 * back.  An exchange outlives its connection: an answer that nobody waits for any more goes
 * nowhere.  Limits: connections, seconds for a head and for a body, seconds of silence.
 */
#ifndef IV_SERVE_CONNECTION_H
#define IV_SERVE_CONNECTION_H

#include "serve/http_parser.h"

struct event_base;
typedef struct iv_connections iv_connections;

typedef struct iv_exchange {
    iv_http_request asked;   /* texts are the exchange's own */
    iv_str body;
    /* The answer: */
    int status;
    const char *type;   /* static; NULL: JSON */
    char *text;         /* malloc'ed; freed with the exchange; NULL: none */
    size_t len;
    char extra[768];    /* further header lines, each with its end */
    /* Of the one who has it: */
    void *job;
    /* The wire's own: */
    struct iv_link *link;
    iv_connections *wire;
    struct iv_exchange *next;
    char *bytes;
} iv_exchange;

/* Limits; 0 is the usual. */
typedef struct iv_connections_limits {
    size_t connections;    /* 64 */
    double head_seconds;   /* from the first byte of a request to its last: 10 */
    double silent_seconds; /* between requests: 30 */
} iv_connections_limits;

typedef struct iv_connections_uses {
    const iv_http_rules *gate;
    const char *headers; /* lines of every answer, each with its end */
    void (*handle)(void *user, iv_exchange *x);   /* owns x until it is answered */
    void (*returned)(void *user, iv_exchange *x); /* x came back from another thread */
    void *user;
    iv_connections_limits limits;
} iv_connections_uses;

/* A wire without listeners; what `uses` points to outlives it. */
IV_MUST_CHECK int iv_connections_new(iv_connections **out, struct event_base *base,
                                     const iv_connections_uses *uses,
                              iv_err *err);

/* Takes a socket that is bound, and listens. */
IV_MUST_CHECK int iv_connections_listen(iv_connections *w, int fd, iv_err *err);

/* Sends the answer and frees x.  By the loop's thread. */
void iv_connections_answer(iv_exchange *x);

/* Hands x back to the loop, which calls `returned`.  By any thread. */
void iv_connections_return(iv_exchange *x);

/* Closes every connection and listener.  No exchange may be out any more. */
void iv_connections_free(iv_connections *w);

#endif /* IV_SERVE_CONNECTION_H */
