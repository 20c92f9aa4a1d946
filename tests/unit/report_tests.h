/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the program that tests the report room; after cmocka.h. */
#ifndef REPORT_TESTS_H
#define REPORT_TESTS_H

#include <stdio.h>
#include <stdlib.h>

#include "intervale/report.h"

/* Each runs its group and returns the number of failures. */
int report_hostile_tests(void);
int report_chart_tests(void);
int report_view_tests(void);

/* Renders with the options, frees the result, and compares. */
static inline void assert_renders(iv_result *r, iv_report_options o, const char *want)
{
    char *got = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&got, &size);

    assert_non_null(out);
    assert_int_equal(iv_report_write(out, r, &o, NULL), IV_OK);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(got, want);
    free(got);
    iv_result_free(r);
}

#endif /* REPORT_TESTS_H */
