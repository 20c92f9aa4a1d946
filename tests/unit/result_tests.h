/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the program that tests results. */
#ifndef RESULT_TESTS_H
#define RESULT_TESTS_H

/* Runs its group and returns the number of failures. */
int result_rows_tests(void);

#endif /* RESULT_TESTS_H */
