/* SPDX-License-Identifier: Apache-2.0 */
#include "frame/frame.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

static const double patience = 0.7; /* seconds before the first line */
static const double interval = 0.2; /* and between two of them */

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void format_time(char *out, size_t size, double seconds)
{
    if (seconds < 99.5)
        (void)snprintf(out, size, "%.0f s", seconds);
    else if (seconds < 99.5 * 60.0)
        (void)snprintf(out, size, "%.0f min", seconds / 60.0);
    else
        (void)snprintf(out, size, "%.0f h", seconds / 3600.0);
}

static volatile sig_atomic_t stopped; /* the signal */

void progress_stop(int number) { stopped = number; }

int progress_stopped(void) { return stopped; }

static int report(void *user, double fraction)
{
    progress *p = user;
    const double time = now();
    char left[32], line[96];

    if (stopped != 0 || !p->watched)
        return stopped;
    if (fraction < p->fraction) /* another stage of the command's work */
        p->started = time;
    p->fraction = fraction;
    if (time - p->started < patience || time - p->drawn < interval || !(fraction > 0.0))
        return 0;
    p->drawn = time;
    format_time(left, sizeof left, (time - p->started) * (1.0 - fraction) / fraction);
    const int columns = snprintf(line, sizeof line, "%.40s: %3.0f %%, about %s left",
                                 p->name, 100.0 * fraction, left);
    /* Blanks wipe what a longer line left; no escape sequences needed. */
    (void)fprintf(stderr, "\r%-*s", p->columns, line);
    (void)fflush(stderr);
    p->columns = columns > p->columns ? columns : p->columns;
    return 0;
}

iv_progress progress_start(progress *p, const char *name, bool quiet)
{
    *p = (progress){ .name = name, .started = now(),
                     .watched = !quiet && isatty(STDERR_FILENO) };
    return (iv_progress){ report, p };
}

void progress_end(progress *p)
{
    if (p->columns > 0)
        (void)fprintf(stderr, "\r%*s\r", p->columns, "");
    p->columns = 0;
}
