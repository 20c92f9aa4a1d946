/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about the base room; the name of a test is the claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "intervale/base.h"

static void a_failure_fills_the_callers_error_and_returns_its_code(void **state)
{
    (void)state;
    iv_err err = { IV_OK, "" };

    assert_int_equal(iv_fail(&err, IV_EARG, "x is %d", 7), IV_EARG);
    assert_int_equal(err.code, IV_EARG);
    assert_string_equal(err.msg, "x is 7");
    assert_int_equal(iv_fail(NULL, IV_EIO, "nobody listens"), IV_EIO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_fills_the_callers_error_and_returns_its_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
