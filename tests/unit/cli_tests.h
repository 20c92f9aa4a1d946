/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the program that tests the tool's frame. */
#ifndef CLI_TESTS_H
#define CLI_TESTS_H

#include <stdio.h>
#include <string.h>

/* Each runs its group and returns the number of failures. */
int options_tests(void);
int frame_tests(void);

/* Splits a line at blanks into argv, which ends with NULL; returns how many. */
static inline int split_words(char *text, size_t size, char **argv, int most,
                              const char *line)
{
    int argc = 0;
    char *rest = text;

    (void)snprintf(text, size, "%s", line);
    for (char *word; argc + 1 < most && (word = strtok_r(rest, " ", &rest)) != NULL;)
        argv[argc++] = word;
    argv[argc] = NULL;
    return argc;
}

#endif /* CLI_TESTS_H */
