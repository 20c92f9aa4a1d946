/* SPDX-License-Identifier: Apache-2.0 */
/* The server: its session, rules and workers. */
#ifndef IV_SERVE_SERVER_H
#define IV_SERVE_SERVER_H

#include <pthread.h>

#include "live/live.h"
#include "serve/connection.h"
#include "serve/http_parser.h"
#include "serve/http_sessions.h"
#include "serve/serve.h"
#include "serve/site.h"
#include "serve/workers.h"
#include "store/assessors.h"
#include "store/session.h"

struct iv_server {
    const iv_serve_options *options;
    const iv_work *work;
    iv_store *store;
    iv_connections *wire;
    iv_http_rules gate;
    iv_places places;
    iv_http_session visits[IV_ASSESSORS_MOST * IV_HTTP_SESSIONS_EACH];
    size_t visit_count;
    iv_worker_queue writer, worker;
    pthread_t checker;      /* looks at the whole session while it is served ... */
    bool checking;          /* ... and was started */
    bool damaged;           /* it is not: damage says why; atomic */
    iv_err damage;
    char headers[1024];
    char *page;
    size_t page_len;
    bool hide;              /* numbers from assessors, since that is asked for or two judge a
                               document without knowing of each other */
    bool ending;
    int64_t backed_up;      /* seq of the last backup; the writer's own */
    bool live_known;        /* these three are the worker's own */
    iv_live live;
    bool ranked;            /* the order has changed; atomic */
    double live_again;      /* milliseconds; not computed anew before */
};

/* What not everybody may know. */
typedef enum iv_secret {
    IV_SECRET_GRADES, /* that others have given, or whether they differ from one's own */
    IV_SECRET_NUMBERS /* that grades of all go into */
} iv_secret;

/* May who asks know it?  The one place that decides. */
bool iv_may_know(const iv_server *v, const iv_exchange *x, iv_secret what);

/* The addresses that are served. */
extern const iv_address iv_addresses[];

/* What the wire calls: decides what to do, and ends what a desk did. */
void iv_handle(void *server, iv_exchange *x);
void iv_returned(void *server, iv_exchange *x);

/* Seconds, and milliseconds, of a clock that does not go back. */
int64_t iv_serve_now(void);
double iv_serve_ms(void);

#endif
