/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a command line to an exit status: finds the command, reads its options,
 * runs it, renders and writes its result, tells errors.
 */
#ifndef FRAME_H
#define FRAME_H

#include "frame/cmd.h"

/* Exit statuses. */
enum { FRAME_OK = 0, FRAME_FAILED = 1, FRAME_USAGE = 2 };

/* Runs argv[1...] with the commands, which end with NULL. */
int frame_main(const cmd *const *commands, int argc, char **argv);

#endif /* FRAME_H */
