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

/* Runs argv; what it writes goes to two files. */
static inline int run_argv(const cmd *const *commands, int argc, char **argv,
                           const char *out_name, const char *err_name)
{
    (void)fflush(stdout);
    (void)fflush(stderr);
    const int out = divert(STDOUT_FILENO, out_name), err = divert(STDERR_FILENO, err_name);
    const int status = frame_main(commands, argc, argv);
    (void)fflush(stdout);
    (void)fflush(stderr);
    restore(STDOUT_FILENO, out);
    restore(STDERR_FILENO, err);
    return status;
}

/* Does the command of that line have notes?  The longest name that fits is its. */
static inline bool has_verbose(const cmd *const *commands, const char *words)
{
    size_t best = 0;
    bool has = false;

    words += strspn(words, " ");
    for (; *commands != NULL; commands++) {
        const size_t len = strlen((*commands)->name);
        if (len > best && strncmp(words, (*commands)->name, len) == 0
            && (words[len] == ' ' || words[len] == '\0')) {
            best = len;
            has = ((*commands)->shared & SHARED_FORMAT) != 0;
        }
    }
    return has && strstr(words, "--brief") == NULL;
}

/* Runs "intervale WORDS", with all notes (--brief, for tests alone: without), in which @ stands for a folder; what it writes goes to the
 * files out and err there. */
static inline int run_tool_in(const cmd *const *commands, const char *folder, const char *words)
{
    enum { MOST = 64 };
    char line[2048], out[1024], err[1024], intervale[] = "intervale";
    char *argv[MOST] = { intervale }, *rest = NULL;
    size_t used = 0;
    int argc = 1;
    char verbose[] = "--verbose";
    const bool all = has_verbose(commands, words);

    for (; *words != '\0'; words++) {
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%.*s",
                                 *words == '@' ? folder : "", *words != '@', words);
        assert_true(used < sizeof line);
    }
    line[used] = '\0';
    for (char *w = strtok_r(line, " ", &rest); w != NULL; w = strtok_r(NULL, " ", &rest)) {
        assert_true(argc + 2 < MOST);
        if (strcmp(w, "--brief") != 0)
            argv[argc++] = w;
    }
    if (all)
        argv[argc++] = verbose;
    (void)snprintf(out, sizeof out, "%s/out", folder);
    (void)snprintf(err, sizeof err, "%s/err", folder);
    return run_argv(commands, argc, argv, out, err);
}

/* The same in this folder. */
static inline int run_tool(const cmd *const *commands, const char *words)
{
    return run_tool_in(commands, ".", words);
}

#endif /* RUN_TOOL_H */
