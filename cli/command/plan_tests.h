/* SPDX-License-Identifier: Apache-2.0 */
/* Names of planned tests from the command line. */
#ifndef PLAN_TESTS_H
#define PLAN_TESTS_H

#include "frame/cmd.h"
#include "intervale/plan/topics.h"

enum { PLAN_TESTS = 8 };

/* The words of --test, in the order of iv_planned_test_names(). */
extern const char *const plan_tests_words[];

/* The tests named, each once; *count and tests stay as they are when there is none. */
void plan_tests_read(iv_planned_test tests[PLAN_TESTS], size_t *count, const opt_list *names);

#endif /* PLAN_TESTS_H */
