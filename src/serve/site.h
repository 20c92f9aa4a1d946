/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tool as a web page (make web), served to browsers of this machine: three files, read
 * once, over the same wire and through the same gate as judging.
 */
#ifndef IV_SERVE_SITE_H
#define IV_SERVE_SITE_H

#include "serve/serve.h"

IV_BEGIN_C

enum { IV_SITE_PORT = 8474 }; /* a link and what a browser keeps belong to a port */

/*
 * Serves o->file, the folder of the site (index.html, intervale.js, intervale.wasm), at o->port of
 * loopback (0: IV_SITE_PORT if it is free, else any) until the progress function of `work` asks to
 * stop, which is no failure; the address goes to `said`.  IV_EIO: a file is not there, or the port
 * is taken.  IV_EPARSE: the page is no page of intervale.
 */
IV_MUST_CHECK int iv_serve_site(const iv_serve_options *o, FILE *said, const iv_work *work,
                                iv_err *err);

IV_END_C

#endif /* IV_SERVE_SITE_H */
