/* SPDX-License-Identifier: Apache-2.0 */
/* Cookies of browsers that logged in. */
#ifndef IV_SERVE_HTTP_SESSIONS_H
#define IV_SERVE_HTTP_SESSIONS_H

#include "serve/connection.h"

/*
 * Who is logged in, by the SHA-256 of a key.  The page keeps the key of its tab and sends it with
 * every request: a cookie would go to every server of this machine, whatever its port.
 */
enum {
    IV_HTTP_SESSIONS_EACH = 8,
    IV_HTTP_SESSION_SECONDS = 12 * 3600,    /* without a request */
    IV_HTTP_LOGIN_SECONDS = 7 * 24 * 3600   /* from the login on, across restarts */
};
typedef struct iv_http_session {
    int64_t assessor, used; /* when, in seconds */
    int64_t began;          /* of the system's clock */
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

/* Forgets the visit of that key, or all of an assessor; the last one also what is kept of them, by
 * the writer or before it starts. */
void iv_http_sessions_leave(iv_server *v, iv_str key);
void iv_http_sessions_forget(iv_server *v, int64_t assessor);
IV_MUST_CHECK int iv_http_sessions_erase(iv_server *v, int64_t assessor, iv_err *err);

#endif
