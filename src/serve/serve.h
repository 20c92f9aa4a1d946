/* SPDX-License-Identifier: Apache-2.0 */
/*
 * serve -- a judging session over HTTP: the page, and the requests it makes.
 *
 * Threads: the loop reads requests and writes answers and never waits for the disk's
 * acknowledgement; a writer commits judgments, all that wait in one transaction, and only
 * then are they acknowledged; a worker computes numbers.
 */
#ifndef IV_SERVE_SERVE_H
#define IV_SERVE_SERVE_H

#include "intervale/base.h"

typedef struct iv_serve_options {
    const char *file;       /* of the session */
    int64_t port;           /* 0: the one of last time if it is free, else any */
    const char *listen;     /* an address of this machine; NULL: loopback */
    const char *socket;     /* a path: a Unix socket in place of a port */
    const char *public_url; /* what assessors' browsers call it, behind a proxy */
    const char *url_file;   /* gets the links, readable by the owner only */
    bool insecure_lan;      /* listen beyond loopback without TLS */
    bool open;              /* start a browser */
    int64_t hold;           /* seconds without a request that end holds; 0: IV_HOLD_SECONDS */
    bool hide_interval;     /* assessors other than the owner do not see the numbers */
    bool new_links;         /* end all logins and links, and make new links for everybody */
} iv_serve_options;

/*
 * Serves until the progress function of `work` asks to stop, which is no failure, or the
 * disk refuses.  Links of assessors go to `said`, or to url_file.  IV_EARG: the options
 * contradict each other or are not safe.  IV_EIO: the address is taken, the file is held by
 * another process, or a disk refused; what was acknowledged is stored in any case.
 */
IV_MUST_CHECK int iv_serve(const iv_serve_options *o, FILE *said, const iv_work *work,
                           iv_err *err);

/*
 * The tool as a web page (make web), served to browsers of this machine: three files, read
 * once, over the same wire and through the same gate as judging.
 */

enum { IV_SITE_PORT = 8474 }; /* a link and what a browser keeps belong to a port */

/*
 * Serves o->file, the folder of the site (index.html, intervale.js, intervale.wasm), at o->port of
 * loopback (0: IV_SITE_PORT if it is free, else any) until the progress function of `work` asks to
 * stop, which is no failure; the address goes to `said`.  IV_EIO: a file is not there, or the port
 * is taken.  IV_EPARSE: the page is no page of intervale.
 */
IV_MUST_CHECK int iv_serve_site(const iv_serve_options *o, FILE *said, const iv_work *work,
                                iv_err *err);

#endif /* IV_SERVE_SERVE_H */
