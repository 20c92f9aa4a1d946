/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a build without zlib and libzstd is like: src/base/reader.c is compiled into
 * this program without either.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"

static void without_its_library_a_packed_file_is_refused_in_one_line(void **state)
{
    (void)state;
    static const struct { const char *bytes, *kind; } files[] = {
        { "\x1f\x8b\x08\x01\x02\x03", "gzip" }, { "\x28\xb5\x2f\xfd\x01\x02", "zstd" } };

    for (size_t i = 0; i < 2; i++) {
        iv_bytes b;
        iv_err err = { IV_OK, "" };
        assert_int_equal(iv_bytes_copy(&b, "f", files[i].bytes, 6, NULL, &err), IV_EIO);
        assert_non_null(strstr(err.msg, files[i].kind));
        assert_non_null(strstr(err.msg, "which this build was made without; decompress it first"));
        assert_null(strchr(err.msg, '\n'));
    }
}

static void without_them_plain_files_are_read(void **state)
{
    (void)state;
    iv_bytes b;

    assert_int_equal(iv_bytes_copy(&b, "f", "one\n", 4, NULL, NULL), IV_OK);
    assert_int_equal(b.len, 4);
    iv_bytes_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_its_library_a_packed_file_is_refused_in_one_line),
        cmocka_unit_test(without_them_plain_files_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
