/* SPDX-License-Identifier: Apache-2.0 */
/* Names of planned tests from the command line. */
#ifndef PLAN_TESTS_H
#define PLAN_TESTS_H

#include "cmd.h"
#include "intervale/plan/power.h"

enum { PLAN_TESTS = 8 };

/*
 * The tests named, each once; *count and tests stay as they are when there is
 * none.  CMD_USAGE, with the nearest name, for one that there is not.
 */
IV_MUST_CHECK int plan_tests_read(iv_planned_test tests[PLAN_TESTS], size_t *count,
                                  const opt_list *names, iv_err *err);

#endif /* PLAN_TESTS_H */
