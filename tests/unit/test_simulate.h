/* SPDX-License-Identifier: Apache-2.0 */
/* One program for all tests of simulated collections; each returns failures. */
#ifndef TEST_SIMULATE_H
#define TEST_SIMULATE_H

int simulate_files_tests(void);
int simulate_command_tests(void);

#endif /* TEST_SIMULATE_H */
