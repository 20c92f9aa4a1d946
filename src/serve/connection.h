/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Connections of browsers, and the exchange of a request for its answer.
 *
 * The wire: connections, and what goes over them.
 *
 * One thread runs the loop.  A request that passes the gate becomes an exchange, which is
 * handed to the server; that answers at once, or gives it to another thread, which hands it
 * back.  An exchange outlives its connection: an answer that nobody waits for any more goes
 * nowhere.  Limits: connections, seconds for a head and for a body, seconds of silence.
 */
#ifndef IV_SERVE_CONNECTION_H
#define IV_SERVE_CONNECTION_H

#include "base/memory.h"
#include "serve/bodies.h"
#include "serve/http_parser.h"
#include "store/assessors.h"
#include "store/items.h"
#include "store/session_export.h"

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
    /* What it is about once it is known who asks; of the arena: */
    iv_arena memory;
    int64_t assessor;
    bool owner, script, adjudicates;
    void (*work)(struct iv_server *v, struct iv_exchange *x);   /* by the desk's thread */
    void (*finish)(struct iv_server *v, struct iv_exchange *x); /* by the loop; NULL: the answer is
                                                                   there */
    iv_filling *fill;         /* of iv_say_filled() */
    iv_sent sent;             /* judgments */
    const char *key, *value;  /* a setting */
    iv_assessor_act act;      /* of an assessor */
    const char *name;
    char token[IV_TOKEN_SIZE];
    int64_t from;             /* of a list */
    struct iv_store_filter *filter; /* of a list; of memory, as its texts */
    iv_export_options exports;
    iv_str *names;            /* a ranking */
    size_t name_count;
    int rc;
    iv_err err;
    /* The wire's own: */
    struct iv_link *link;
    iv_connections *wire;
    struct iv_exchange *next;
    char *bytes;
} iv_exchange;

/* Who handles requests: owns x until it is answered. */
typedef void iv_exchange_handler(void *user, iv_exchange *x);

/* A wire without listeners.  `headers` are lines of every answer, each with its end; `returned`
 * gets what came back from another thread.  What is pointed to outlives it. */
IV_MUST_CHECK int iv_connections_new(iv_connections **out, const iv_http_rules *gate,
                                     const char *headers, iv_exchange_handler *handle,
                                     iv_exchange_handler *returned, void *user, iv_err *err);

/* Takes a socket that is bound, and listens. */
IV_MUST_CHECK int iv_connections_listen(iv_connections *w, int fd, iv_err *err);

/* Runs the loop until the progress function of `work` asks to stop. */
IV_MUST_CHECK int iv_connections_run(iv_connections *w, const iv_work *work, iv_err *err);

/* Sends what is there to be sent. */
void iv_connections_flush(iv_connections *w);

/* Sends the answer and frees x.  By the loop's thread. */
void iv_connections_answer(iv_exchange *x);

/* Hands x back to the loop, which calls `returned`.  By any thread. */
void iv_connections_return(iv_exchange *x);

/* Closes every connection and listener.  No exchange may be out any more. */
void iv_connections_free(iv_connections *w);

typedef struct iv_server iv_server;

#endif
