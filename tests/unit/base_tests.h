/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the program that tests the base room. */
#ifndef BASE_TESTS_H
#define BASE_TESTS_H

/* Runs its group and returns the number of failures. */
int base_parallel_tests(void);

#endif /* BASE_TESTS_H */
