/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far long work is, on standard error: only on a terminal, only after two
 * seconds, with an estimate of what is left, erased at the end.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "intervale/base.h"

typedef struct progress {
    const char *name;   /* of the command */
    double started;     /* seconds; of the present stage */
    double drawn;       /* when a line was last drawn */
    double fraction;    /* the last one told */
    int columns;        /* of that line; 0: nothing to erase */
} progress;

/*
 * Starts the clock and returns what to hand to the library, which reports to
 * p until progress_end(p).  Quiet, or no terminal: nobody is told anything.
 */
iv_progress progress_start(progress *p, const char *name, bool quiet);

/* Erases the line. */
void progress_end(progress *p);

#endif /* PROGRESS_H */
