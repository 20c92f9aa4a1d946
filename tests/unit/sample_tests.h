/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the program that tests sampled judgments. */
#ifndef SAMPLE_TESTS_H
#define SAMPLE_TESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Each runs its group and returns the number of failures. */
int sample_scheme_tests(void);
int sample_command_tests(void);
int sampled_tests(void);

#endif /* SAMPLE_TESTS_H */
