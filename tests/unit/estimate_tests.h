/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the program that tests the estimate room. */
#ifndef ESTIMATE_TESTS_H
#define ESTIMATE_TESTS_H

/* Each runs its group and returns the number of failures. */
int ranges_tests(void);

#endif /* ESTIMATE_TESTS_H */
