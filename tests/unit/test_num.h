/* SPDX-License-Identifier: Apache-2.0 */
/* The groups of test_num; each returns the number of failures. */
#ifndef TEST_NUM_H
#define TEST_NUM_H

int test_num_random(void);
int test_num_draws(void);
int test_num_dist(void);
int test_num_tools(void);

#endif /* TEST_NUM_H */
