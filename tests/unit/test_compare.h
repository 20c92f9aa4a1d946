/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the program that tests comparisons. */
#ifndef TEST_COMPARE_H
#define TEST_COMPARE_H

/* Each runs its group and returns the number of failures. */
int power_tests(void);
int compare_accord_tests(void);
int compare_command_tests(void);

#endif /* TEST_COMPARE_H */
