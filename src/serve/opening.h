/* SPDX-License-Identifier: Apache-2.0 */
/* Starting a browser without showing a token to other users of the machine. */
#ifndef IV_SERVE_OPENING_H
#define IV_SERVE_OPENING_H

#include "intervale/base.h"

/* The file that leads the browser to the link; removed at the end. */
typedef struct iv_opening {
    char path[1024]; /* in $TMPDIR, or /tmp */
} iv_opening;

/* Starts the user's browser.  A command line can be read by everybody on the machine: it
 * gets the name of a file of the user's own, and in that is the link. */
IV_MUST_CHECK int iv_open_browser(iv_opening *out, const char *link, iv_err *err);
void iv_opening_end(iv_opening *o);

/* The same for an address that is no secret, or a file. */
void iv_start_browser(const char *what);

#endif /* IV_SERVE_OPENING_H */
