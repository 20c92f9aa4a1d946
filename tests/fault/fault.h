/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of faults share. */
#ifndef FAULT_H
#define FAULT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "intervale/base.h"

int memory_tests(void);
int writing_tests(void);
int estimate_memory_tests(void);
int command_tests(bool all); /* each of the first hundreds of allocations, or some */
int system_tests(void);      /* the same command lines, and a system that fails */

/* A folder of the tests' own; empty when they end. */
extern char fault_folder[];

/* The path of a name in it; one at a time. */
const char *fault_path(const char *name);

/* Writes a file there. */
const char *fault_file(const char *name, const char *bytes, size_t len);

/* How many files it holds. */
size_t fault_files(void);

#endif /* FAULT_H */
