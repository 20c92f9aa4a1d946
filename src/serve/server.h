/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the server: what its files share. */
#ifndef IV_SERVE_SERVER_H
#define IV_SERVE_SERVER_H

#include <pthread.h>
#include <signal.h>

#include "base/memory.h"
#include "live/live.h"
#include "serve/bodies.h"
#include "serve/serve.h"
#include "serve/connection.h"
#include "store/store.h"

typedef struct iv_server iv_server;

/* ---------------------------------------------------------------- desks -- */

/* Exchanges that wait for one thread. */
typedef struct iv_worker_queue {
    iv_server *server;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t come;
    iv_exchange *first, **last;
    size_t waiting;
    bool running, stop;
} iv_worker_queue;

/* What an exchange is about once it is known who asks; of the arena in it. */
typedef struct iv_job {
    iv_arena memory;
    int64_t assessor;
    bool owner;
    void (*work)(iv_server *v, iv_exchange *x);   /* by the desk's thread */
    void (*finish)(iv_server *v, iv_exchange *x); /* by the loop; NULL: the answer is there */
    iv_filling *fill;                             /* of iv_say_filled() */
    iv_sent sent;             /* judgments */
    const char *key, *value;  /* a setting */
    iv_assessor_act act;      /* of an assessor */
    const char *name;
    char token[IV_TOKEN_SIZE];
    int64_t from;             /* of a list */
    iv_store_state state;
    iv_export_options exports;
    const char *text;         /* to search for */
    iv_str *names;            /* a ranking */
    size_t name_count;
    int rc;
    iv_err err;
} iv_job;

/* Starts the two threads; iv_workers_stop() ends them when what waits is done. */
IV_MUST_CHECK int iv_workers_start(iv_server *v, iv_err *err);
void iv_workers_stop(iv_server *v);
void iv_worker_add(iv_worker_queue *desk, iv_exchange *x);

/* A job for x; NULL after an answer when memory is out. */
iv_job *iv_job_new(iv_exchange *x, int64_t assessor, bool owner);
void iv_job_free(iv_exchange *x);

/* --------------------------------------------------------------- visits -- */

/*
 * Who is logged in, by the SHA-256 of a key.  The page keeps the key of its tab and sends it with
 * every request: a cookie would go to every server of this machine, whatever its port.
 */
enum { IV_HTTP_SESSIONS_EACH = 8, IV_SECRET_SIZE = 33, IV_HTTP_SESSION_SECONDS = 12 * 3600 };
typedef struct iv_http_session {
    int64_t assessor, used; /* when, in seconds */
    char sha256[65];
} iv_http_session;

/* Reads who was logged in when the server ended. */
IV_MUST_CHECK int iv_http_sessions_load(iv_server *v, iv_err *err);

/* Whose key is it?  0: nobody's, or unused for IV_HTTP_SESSION_SECONDS.  Compared with all, in
 * constant time. */
int64_t iv_http_sessions_who(iv_server *v, iv_str key);

/* A new visit: puts its key (token) and the setting to keep into the job. */
IV_MUST_CHECK int iv_http_sessions_enter(iv_server *v, iv_job *job, int64_t assessor, iv_err *err);

/* Puts what is to be kept of an assessor's visits into the job. */
IV_MUST_CHECK int iv_http_sessions_keep(iv_server *v, iv_job *job, int64_t assessor);

/* Forgets the visit of that key, or all of an assessor. */
void iv_http_sessions_leave(iv_server *v, iv_str key);
void iv_http_sessions_forget(iv_server *v, int64_t assessor);

/* ------------------------------------------------------------ addresses -- */

/* Where the server listens and what it is called. */
typedef struct iv_places {
    int fds[2];
    size_t fd_count;
    int64_t port;              /* 0: a Unix socket */
    char url[300];             /* of the page, with a final slash */
    const char *authorities[6], *origins[6];
    size_t count;
    char texts[6][2][300];
    const char *socket;
} iv_places;

/* Binds what the options say.  `remembered` is the port of last time, or 0. */
IV_MUST_CHECK int iv_places_open(iv_places *out, const iv_serve_options *o, int64_t remembered,
                                 iv_err *err);
void iv_places_close(iv_places *p);

/* ---------------------------------------------------------------- server -- */

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
    char headers[1024];
    char *page;
    size_t page_len;
    bool hide;              /* numbers from assessors */
    bool ending;
    int64_t backed_up;      /* seq of the last backup; the writer's own */
    bool live_known;        /* these three are the worker's own */
    iv_live live;
    bool ranked;            /* the order has changed; atomic */
    double live_again;      /* milliseconds; not computed anew before */
    pthread_mutex_t lock;   /* of what follows */
    iv_assessor assessors[IV_ASSESSORS_MOST];
    size_t assessor_count;
};

/* The addresses that are served. */
extern const iv_address iv_addresses[];

/* What the wire calls: decides what to do, and ends what a desk did. */
void iv_handle(void *server, iv_exchange *x);
void iv_returned(void *server, iv_exchange *x);

/* What every answer says beside its Content-Security-Policy. */
#define IV_SAFE_HEADERS                                                 \
    "X-Content-Type-Options: nosniff\r\n"                               \
    "Referrer-Policy: no-referrer\r\n"                                  \
    "Cross-Origin-Opener-Policy: same-origin\r\n"                       \
    "Cross-Origin-Resource-Policy: same-origin\r\n"                     \
    "Permissions-Policy: camera=(), microphone=(), geolocation=()\r\n"  \
    "X-Frame-Options: DENY\r\n"

/* A browser that went away must not end the program: the signal is held back from this
 * thread and those it starts; what came until it is let go is forgotten. */
void iv_hold_pipe(sigset_t *before);
void iv_let_pipe_go(const sigset_t *before);

/* Seconds, and milliseconds, of a clock that does not go back. */
int64_t iv_serve_now(void);
double iv_serve_ms(void);

/* The assessor of that id, copied (its name is the store's); false: no such.  By any thread. */
bool iv_serve_assessor(iv_assessor *out, iv_server *v, int64_t id);

/* Reads the list of assessors anew: at the start, and by the writer when it changed. */
void iv_serve_list_assessors(iv_server *v);

/* -------------------------------------------------------------- answers -- */

/* These fill the answer of x.  A failure of memory is status 503. */
void iv_say_error(iv_exchange *x, int status, const char *text);
void iv_say_failure(iv_server *v, iv_exchange *x, const iv_err *err);
void iv_say_item(iv_server *v, iv_exchange *x, const iv_store_item *item, bool whole);
void iv_say_stored(iv_server *v, iv_exchange *x);

/* An answer by job->fill, unless what was done before failed; by either thread. */
void iv_say_filled(iv_server *v, iv_exchange *x);
iv_filling iv_fill_session, iv_fill_overview, iv_fill_agreement, iv_fill_history, iv_fill_items;
iv_filling iv_fill_key; /* of a visit, which the page keeps */
iv_filling iv_fill_link, iv_fill_ranked;

/* By the writer: adds, links or revokes an assessor; takes a ranking. */
void iv_work_assessor(iv_server *v, iv_exchange *x);
void iv_work_rank(iv_server *v, iv_exchange *x);

/* By the worker. */
void iv_work_live(iv_server *v, iv_exchange *x);
void iv_work_export(iv_server *v, iv_exchange *x);

/* Starts the user's browser for an address that is no secret, or a file. */
void iv_start_browser(const char *what);

#endif /* IV_SERVE_SERVER_H */
