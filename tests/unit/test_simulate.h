/* SPDX-License-Identifier: Apache-2.0 */
/* One program for all tests of simulated collections; each returns failures. */
#ifndef TEST_SIMULATE_H
#define TEST_SIMULATE_H

#include "simulate/simulation.h"

/* The score at a place of the last ranking. */
static inline double score_of(const iv_simulated_topic *t, size_t i)
{
    return t->units[i] / (double)IV_SCORE_UNIT;
}

int simulate_files_tests(void);
int simulate_command_tests(void);

#endif /* TEST_SIMULATE_H */
