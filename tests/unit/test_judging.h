/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the program test_judging; each returns how many claims failed. */
#ifndef TEST_JUDGING_H
#define TEST_JUDGING_H

int test_plan(void);
int test_active_judging(void);
int test_judging_commands(void);

#endif /* TEST_JUDGING_H */
