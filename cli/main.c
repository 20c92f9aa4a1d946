/* SPDX-License-Identifier: Apache-2.0 */
/* The tool: its list of commands. */
#include <signal.h>

#include "frame/frame.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif


#define ROW(name) &cmd_##name,

static const cmd *const commands[] = {
    MAIN_COMMANDS(ROW)
#if INTERVALE_JUDGE
    JUDGE_COMMANDS(ROW)
#endif
    PLAN_COMMANDS(ROW)
#if INTERVALE_JUDGE
    WEB_COMMANDS(ROW)
#endif
    ABOUT_COMMANDS(ROW)
    NULL
};

/* The first of these lets the work end and tidy up; a second one ends it at once. */
static void tidy_up(void)
{
    static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGXCPU,
                                SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2 };
    struct sigaction old, stop = { .sa_handler = progress_stop, .sa_flags = (int)SA_RESETHAND };

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (sigaction(ends[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            (void)sigaction(ends[i], &stop, NULL);
}

int main(int argc, char **argv)
{
    static char room[1 << 16]; /* help is written at once, so that a full disk is told as one */

#ifdef _WIN32
    if (!iv_win32_start(&argc, &argv))
        return 1;
#endif
    /* A reader that has seen enough, such as head, ends the tool in silence,
     * also where whoever started it had the signal ignored. */
    (void)signal(SIGPIPE, SIG_DFL);
    (void)signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of writing */
#ifdef M_TRIM_THRESHOLD
    /* Buffers of one file serve the next: getting fresh pages would cost a fifth of eval. */
    (void)mallopt(M_MMAP_THRESHOLD, 32 << 20);
    (void)mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
    (void)setvbuf(stdout, room, _IOFBF, sizeof room);
    tidy_up();
    const int status = frame_main(commands, argc, argv);
    if (progress_stopped() != 0)
        (void)raise(progress_stopped()); /* for a parent that asks how it ended */
    return status;
}
