/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a build without npm is like: src/report/report.c is compiled into this
 * program with INTERVALE_HTML=0, and nothing of html.c is linked.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "intervale/report.h"

static void without_npm_all_formats_but_html_are_built(void **state)
{
    (void)state;
    size_t built = 0, known = 0;

    for (; iv_format_names()[known] != NULL; known++)
        built += iv_format_is_built((iv_format)known);
    assert_int_equal(built, known - 1);
    assert_false(iv_format_is_built(IV_FORMAT_HTML));
    assert_true(iv_format_is_built(IV_FORMAT_VEGA));
}

static void without_npm_a_page_is_refused_in_one_line(void **state)
{
    (void)state;
    const iv_report_options page = { .format = IV_FORMAT_HTML };
    char *got = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&got, &size);
    iv_err err = { IV_OK, "" };
    iv_result *r = NULL;

    assert_non_null(out);
    assert_int_equal(iv_result_new(&r, "x", NULL), IV_OK);
    assert_int_equal(iv_report_write(out, r, &page, &err), IV_EARG);
    assert_non_null(strstr(err.msg, "format html is not in this build"));
    assert_non_null(strstr(err.msg, "-DINTERVALE_HTML=OFF"));
    assert_null(strchr(err.msg, '\n'));
    assert_int_equal(iv_report_drawing(out, &err), IV_EARG);
    assert_non_null(strstr(err.msg, "-DINTERVALE_HTML=OFF"));
    assert_int_equal(fclose(out), 0);
    assert_int_equal(size, 0);
    iv_result_free(r);
    free(got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_npm_all_formats_but_html_are_built),
        cmocka_unit_test(without_npm_a_page_is_refused_in_one_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
