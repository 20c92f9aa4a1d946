/* SPDX-License-Identifier: Apache-2.0 */
/* Where the server listens, its page, and the browser that is started. */
#ifndef IV_SERVE_SITE_H
#define IV_SERVE_SITE_H

#include <signal.h>

#include "serve/serve.h"

extern const unsigned char iv_web_html[], iv_web_css[], iv_web_js[];
extern const size_t iv_web_html_len, iv_web_css_len, iv_web_js_len;

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

/* Starts the user's browser for an address that is no secret, or a file. */
void iv_start_browser(const char *what);

#endif
