/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the program test_library, and the small collection they share. */
#ifndef TEST_LIBRARY_H
#define TEST_LIBRARY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "intervale.h"
#include "scratch.h"

enum { LIBRARY_RUNS = 3, LIBRARY_TOPICS = 5, LIBRARY_DOCUMENTS = 60 };

/*
 * Runs run0 (the best) to run2 over topics 1 to 5, all documents of the five
 * judged, as files in a folder and as objects.
 */
typedef struct library {
    scratch dir;
    char path[LIBRARY_RUNS][SCRATCH_PATH]; /* of the runs */
    char qrels_path[SCRATCH_PATH];
    iv_run *run[LIBRARY_RUNS];
    iv_judgments *qrels;
    iv_sampling *sampling; /* of the qrels: everything is certain */
} library;

int library_make(void **state); /* fills *state with one of these */
int library_end(void **state);

/* A list of names ends with NULL; are these its first ones, and all? */
void assert_names(const char *const *names, const char *const *wanted);

int test_answer_judging(void);
int test_library_design(void);
int test_library_stat(void);
int test_library_study(void);

#endif /* TEST_LIBRARY_H */
