/* SPDX-License-Identifier: Apache-2.0 */
/* run_tool -- a command line, run inside the test; its output is in files. */
#ifndef RUN_TOOL_H
#define RUN_TOOL_H

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "frame/frame.h"

/* Sends a stream's bytes to a file; returns where they went before. */
static inline int divert(int fd, const char *name)
{
    const int before = dup(fd), file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);

    assert_true(before >= 0 && file >= 0 && dup2(file, fd) >= 0);
    (void)close(file);
    return before;
}

static inline void restore(int fd, int before)
{
    assert_true(dup2(before, fd) >= 0);
    (void)close(before);
}

/* Runs "intervale WORDS"; output goes to the files out and err of this folder. */
static inline int run_tool(const cmd *const *commands, const char *words)
{
    enum { MOST = 64 };
    char line[2048], intervale[] = "intervale";
    char *argv[MOST] = { intervale }, *rest = NULL;
    int argc = 1;

    assert_true((size_t)snprintf(line, sizeof line, "%s", words) < sizeof line);
    for (char *w = strtok_r(line, " ", &rest); w != NULL; w = strtok_r(NULL, " ", &rest)) {
        assert_true(argc + 1 < MOST);
        argv[argc++] = w;
    }
    (void)fflush(stdout);
    (void)fflush(stderr);
    const int out = divert(STDOUT_FILENO, "out"), err = divert(STDERR_FILENO, "err");
    const int status = frame_main(commands, argc, argv);
    (void)fflush(stdout);
    (void)fflush(stderr);
    restore(STDOUT_FILENO, out);
    restore(STDERR_FILENO, err);
    return status;
}

#endif /* RUN_TOOL_H */
