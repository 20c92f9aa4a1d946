/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of serve share, and what other modules use of it. */
#ifndef IV_SERVE_SERVE_PRIVATE_H
#define IV_SERVE_SERVE_PRIVATE_H

#include <pthread.h>
#include <signal.h>

#include "live/live.h"
#include "report/report_private.h"
#include "serve/serve.h"

/* -------------------------------------------------------------- bodies -- */
/*
 * What may be in the body of a request.  Members that are not known, are there twice or are
 * of another kind are refused (IV_EPARSE, one line); texts go to the arena.
 */

enum { IV_SENT_MOST = 50 };

/* Judgments, and what the page wants to see next. */
typedef struct iv_sent {
    iv_store_entry *entries; /* assessor is not filled in */
    size_t count;
    bool more;               /* an item is wanted with the answer */
    int64_t topic;           /* of these, + 1; 0: any */
    int64_t not_this;        /* the item that is on the screen */
    bool adjudicate;
} iv_sent;

IV_MUST_CHECK int iv_body_judgments(iv_sent *out, iv_arena *a, iv_str body, iv_err *err);

/* {"token": "..."} */
IV_MUST_CHECK int iv_body_login(iv_str *token, iv_arena *a, iv_str body, iv_err *err);

/* {"undo": "u", ...}: which key does what; *out is the text as it came. */
IV_MUST_CHECK int iv_body_keys(const char **out, iv_arena *a, iv_str body, iv_err *err);

/* {"do": "add", "name": "ben"} */
typedef enum iv_assessor_act {
    IV_ACT_ADD, IV_ACT_LINK, IV_ACT_REVOKE, IV_ACT_RELEASE
} iv_assessor_act;
IV_MUST_CHECK int iv_body_assessor(iv_assessor_act *act, const char **name, iv_arena *a,
                                   iv_str body, iv_err *err);

/* --------------------------------------------------------- http parser -- */
/*
 * The gate: what a request must be before anything looks at it.
 *
 * A pure function of the bytes of a request's head.  It is the only parser of HTTP in
 * the server, so that no two parsers can disagree about where a request ends; what it
 * does not know it refuses.  Addresses are literals, compared byte for byte before any
 * decoding: there is none.
 */

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

/* ---------------------------------------------------------- connection -- */
/*
 * The wire: connections, and what goes over them.
 *
 * One thread runs the loop.  A request that passes the gate becomes an exchange, which is
 * handed to the server; that answers at once, or gives it to another thread, which hands it
 * back.  An exchange outlives its connection: an answer that nobody waits for any more goes
 * nowhere.  Limits: connections, seconds for a head and for a body, seconds of silence.
 */

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
    bool owner;
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
    iv_store_state state;
    iv_export_options exports;
    const char *wanted;       /* to search for */
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

/* ---------------------------------------------------------------- page -- */
/* The files of src/serve/web, as bytes; made by cmake/bytes.cmake when the library is built. */

extern const unsigned char iv_web_html[], iv_web_css[], iv_web_js[];
extern const size_t iv_web_html_len, iv_web_css_len, iv_web_js_len;

/* -------------------------------------------------------------- server -- */
/* Inside the server: what its files share. */

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

/* Starts the two threads; iv_workers_stop() ends them when what waits is done. */
IV_MUST_CHECK int iv_workers_start(iv_server *v, iv_err *err);
void iv_workers_stop(iv_server *v);
void iv_worker_add(iv_worker_queue *desk, iv_exchange *x);

/* Copies the session to FILE.backup. */
IV_MUST_CHECK int iv_back_up(iv_server *v, iv_err *err);

/* --------------------------------------------------------------- visits -- */

/*
 * Who is logged in, by the SHA-256 of a key.  The page keeps the key of its tab and sends it with
 * every request: a cookie would go to every server of this machine, whatever its port.
 */
enum { IV_HTTP_SESSIONS_EACH = 8, IV_HTTP_SESSION_SECONDS = 12 * 3600 };
typedef struct iv_http_session {
    int64_t assessor, used; /* when, in seconds */
    char sha256[65];
} iv_http_session;

/* Reads who was logged in when the server ended. */
IV_MUST_CHECK int iv_http_sessions_load(iv_server *v, iv_err *err);

/* Whose key is it?  0: nobody's, or unused for IV_HTTP_SESSION_SECONDS.  Compared with all, in
 * constant time. */
int64_t iv_http_sessions_who(iv_server *v, iv_str key);

/* A new visit: puts its key (token) and the setting to keep into the exchange. */
IV_MUST_CHECK int iv_http_sessions_enter(iv_server *v, iv_exchange *x, int64_t assessor,
                                         iv_err *err);

/* Puts what is to be kept of an assessor's visits into the exchange. */
IV_MUST_CHECK int iv_http_sessions_keep(iv_server *v, iv_exchange *x, int64_t assessor);

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

/* -------------------------------------------------------------- answers -- */

/* These fill the answer of x.  A failure of memory is status 503. */
void iv_say_error(iv_exchange *x, int status, const char *text);
void iv_say_failure(iv_server *v, iv_exchange *x, const iv_err *err);
void iv_say_item(iv_server *v, iv_exchange *x, const iv_store_item *item, bool whole);

/* An answer by x->fill, unless what was done before failed; by either thread. */
void iv_say_filled(iv_server *v, iv_exchange *x);
iv_filling iv_fill_session, iv_fill_overview, iv_fill_agreement, iv_fill_history, iv_fill_items;
iv_filling iv_fill_key; /* of a visit, which the page keeps */
iv_filling iv_fill_link, iv_fill_ranked, iv_fill_stored, iv_fill_live;

/* By the writer: adds, links or revokes an assessor; takes a ranking. */
void iv_work_assessor(iv_server *v, iv_exchange *x);
void iv_work_rank(iv_server *v, iv_exchange *x);

/* By the worker. */
void iv_work_export(iv_server *v, iv_exchange *x);

/* Starts the user's browser for an address that is no secret, or a file. */
void iv_start_browser(const char *what);

#endif
