/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about the base room; the name of a test is the claim. */
#include <float.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base_tests.h"
#include "err_text.h"
#include "base/err.h"
#include "base/listing.h"
#include "base/order.h"

static void a_failure_fills_the_callers_error_and_returns_its_code(void **state)
{
    (void)state;
    iv_err err = { IV_OK, "" };

    assert_int_equal(iv_fail(&err, IV_EARG, "x is %d", 7), IV_EARG);
    assert_int_equal(err.code, IV_EARG);
    assert_string_equal(err_text(&err), "x is 7");
    assert_int_equal(iv_fail(NULL, IV_EIO, "nobody listens"), IV_EIO);
}

static void an_error_names_its_file_and_line(void **state)
{
    (void)state;
    iv_err err = { 0 }, copy = { 0 };

    assert_int_equal(iv_fail_at(&err, IV_EPARSE, "a.run", 7, "score %s", "x"), IV_EPARSE);
    assert_string_equal(err.msg, "score x");
    assert_string_equal(err.file, "a.run");
    assert_int_equal(err.line, 7);
    assert_string_equal(err_text(&err), "a.run:7: score x");
    assert_int_equal(iv_fail_as(&copy, &err), IV_EPARSE);
    assert_int_equal(iv_fail_as(&copy, &copy), IV_EPARSE);
    assert_int_equal(iv_fail_as(NULL, &copy), IV_EPARSE);
    assert_string_equal(err_text(&copy), "a.run:7: score x");
    assert_int_equal(iv_fail_at(&err, IV_EIO, "a.run", 0, "cannot read"), IV_EIO);
    assert_string_equal(err_text(&err), "a.run: cannot read");
    assert_int_equal(iv_fail(&err, IV_EARG, "n is 0"), IV_EARG);
    assert_string_equal(err_text(&err), "n is 0"); /* the file of before is forgotten */
    assert_int_equal(iv_fail_at(NULL, IV_EIO, "a.run", 0, "nobody listens"), IV_EIO);
}

static void a_long_path_loses_its_beginning_and_the_message_nothing(void **state)
{
    (void)state;
    char path[1000], message[sizeof(((iv_err *)0)->msg)];
    iv_err err = { 0 };

    memset(message, 'm', sizeof message - 1);
    message[sizeof message - 1] = '\0';
    for (size_t len = 100; len < 400; len++) {
        memset(path, 'd', len);
        (void)snprintf(path + len, sizeof path - len, "/\xc3\xa9/a.run");
        (void)iv_fail_at(&err, IV_EPARSE, path, UINT64_MAX, "%s", message);
        assert_string_equal(err.msg, message);
        const bool cut = strlen(path) >= sizeof err.file;
        assert_int_equal(strlen(err.file), cut ? sizeof err.file - 1 : strlen(path));
        assert_string_equal(err.file + (cut ? 3 : 0),
                            path + strlen(path) - strlen(err.file) + (cut ? 3 : 0));
        assert_string_equal(err_text(&err) + strlen(err_text(&err)) - strlen(message), message);
    }
    memset(path, '\xa9', 300); /* never half a character */
    path[300] = '\0';
    (void)iv_fail_at(&err, IV_EPARSE, path, 1, "x");
    assert_string_equal(err.file, "...");
}

static void the_library_is_of_the_version_of_its_headers(void **state)
{
    (void)state;
    char version[32];

    (void)snprintf(version, sizeof version, "%d.%d.%d", IV_VERSION_MAJOR, IV_VERSION_MINOR,
                   IV_VERSION_PATCH);
    assert_string_equal(iv_version(), version);
}

static void strings_sort_by_bytes_and_a_prefix_comes_first(void **state)
{
    (void)state;
    assert_true(iv_str_cmp(iv_str_of("10"), iv_str_of("9")) < 0);
    assert_true(iv_str_cmp(iv_str_of("ab"), iv_str_of("abc")) < 0);
    assert_true(iv_str_cmp(iv_str_of("\xff"), iv_str_of("a")) > 0);
    assert_true(iv_str_cmp(iv_str_of(""), iv_str_of("")) == 0);
    assert_true(iv_str_cmp((iv_str){ NULL, 0 }, iv_str_of("a")) < 0);
}

static void quoting_disarms_what_a_terminal_would_obey(void **state)
{
    (void)state;
    char out[IV_QUOTE_SIZE];

    assert_string_equal(iv_quote(out, iv_str_of("doc-1")), "'doc-1'");
    assert_string_equal(iv_quote(out, iv_str_of("")), "''");
    assert_string_equal(iv_quote(out, iv_str_of("a\x1b[31m")), "'a\\x1b[31m'");
    assert_string_equal(iv_quote(out, iv_str_of("\xc3\xa9t\xc3\xa9")),
                        "'\xc3\xa9t\xc3\xa9'");
    assert_string_equal(iv_quote(out, iv_str_of("\xc2\x9b!")), "'\\xc2\\x9b!'");
    assert_string_equal(iv_quote(out, iv_str_of("\xe2\x80\xae")),
                        "'\\xe2\\x80\\xae'");
    assert_string_equal(iv_quote(out, iv_str_of("\xff\xc3")), "'\\xff\\xc3'");
    assert_string_equal(iv_quote(out, (iv_str){ "a\0b", 3 }), "'a\\x00b'");
}

static void a_long_value_is_cut_and_always_fits(void **state)
{
    (void)state;
    char out[IV_QUOTE_SIZE];
    char bytes[200];

    memset(bytes, 'x', sizeof bytes);
    assert_string_equal(iv_quote(out, (iv_str){ bytes, sizeof bytes }),
                        "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'");
    memset(bytes, 1, sizeof bytes);
    assert_true(strlen(iv_quote(out, (iv_str){ bytes, sizeof bytes }))
                < IV_QUOTE_SIZE);
}

static void a_list_names_a_few_and_counts_the_others(void **state)
{
    (void)state;
    iv_listing all = { 0 }, three = { .most = 3 };
    char item[200];

    assert_string_equal(iv_listed(&all), "");
    for (int i = 0; i < 5; i++)
        iv_list(&all, "%d", i);
    assert_string_equal(iv_listed(&all), "0, 1, 2, 3, 4");
    iv_list_quoted(&three, (iv_str){ "a\nb", 3 });
    assert_string_equal(iv_listed(&three), "'a\\x0ab'");
    for (int i = 0; i < 9; i++)
        iv_list(&three, "%d", i);
    assert_string_equal(iv_listed(&three), "'a\\x0ab', 0, 1 and 7 more");
    iv_listing full = { .most = 100 };
    memset(item, 'x', sizeof item - 1);
    item[sizeof item - 1] = '\0';
    for (int i = 0; i < 200; i++)
        iv_list(&full, "%s", item);
    assert_non_null(strstr(iv_listed(&full), " and 100 more"));
}

static void a_distance_counts_edits_in_halves(void **state)
{
    (void)state;
    static const struct { const char *a, *b; size_t other_case, far; } cases[] = {
        { "", "", 1, 0 }, { "abc", "abc", 1, 0 }, { "abc", "", 1, 6 }, { "abc", "abd", 1, 2 },
        { "abc", "acb", 1, 2 }, { "ABC", "abc", 1, 3 }, { "ABC", "abc", 0, 0 },
        { "abc", "aCb", 0, 2 }, { "kitten", "sitting", 1, 6 }, { "ca", "abc", 1, 6 },
    };
    char a[100], b[100];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const iv_str x = iv_str_of(cases[i].a), y = iv_str_of(cases[i].b);
        assert_int_equal(iv_edit_distance(x, y, cases[i].other_case), cases[i].far);
        assert_int_equal(iv_edit_distance(y, x, cases[i].other_case), cases[i].far);
    }
    memset(a, 'a', sizeof a);
    memset(b, 'b', sizeof b);
    assert_int_equal(iv_edit_distance((iv_str){ a, 100 }, (iv_str){ b, 100 }, 0), 128);
}

static void orders_are_those_of_their_names(void **state)
{
    (void)state;
    const double x = 1.0, y = 2.0;
    const size_t m = 1, n = 2;
    const iv_str a = iv_str_of("a"), b = iv_str_of("b");

    assert_true(iv_ascending(&x, &y) < 0 && iv_ascending(&y, &x) > 0 && iv_ascending(&x, &x) == 0);
    assert_true(iv_descending(&x, &y) > 0 && iv_descending(&y, &x) < 0);
    assert_true(iv_ascending_sizes(&m, &n) < 0 && iv_ascending_sizes(&n, &m) > 0);
    assert_true(iv_ascending_texts(&a, &b) < 0 && iv_ascending_texts(&b, &b) == 0);
}

static void reals_are_rounded_as_strtod_rounds_them(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0", "-0", "+1", "1.", ".5", "007.250", "3.5e2", "3.5E-2", "1e22",
        "1e23", "9007199254740993", "9007199254740992.5", "0.1",
        "17.283199310302734", "123456789012345678901234567890",
        "1.7976931348623157e308", "4.9e-324", "2.4703282292062327e-324",
        "2.4703282292062328e-324", "1e-400", "1e-99999999999999999999",
        "2.2250738585072011e-308", "6.62607015e-34", "0.0000000000000000000001",
        "00000000000000000000000000000000000000001", "-12.75e+1",
        "0e99999", "0.3333333333333333333333333333333333333333",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double got = -1.0;
        assert_true(iv_scan_real(&got, iv_str_of(texts[i])));
        const double want = strtod(texts[i], NULL);
        assert_memory_equal(&got, &want, sizeof got);
    }
}

static void random_decimals_are_rounded_as_strtod_rounds_them(void **state)
{
    (void)state;
    uint64_t x = 42;

    for (int i = 0; i < 200000; i++) {
        char text[64];
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint64_t mantissa = x >> (x & 63);
        const int exponent = (int)(x >> 40 & 1023) % 700 - 350;
        if (i % 2)
            (void)snprintf(text, sizeof text, "%llue%d",
                           (unsigned long long)mantissa, exponent);
        else
            (void)snprintf(text, sizeof text, "%llu.%llu",
                           (unsigned long long)(mantissa % 1000),
                           (unsigned long long)(x >> 20));
        const double want = strtod(text, NULL);
        double got = -1.0;
        if (want > DBL_MAX) {
            assert_false(iv_scan_real(&got, iv_str_of(text)));
            continue;
        }
        assert_true(iv_scan_real(&got, iv_str_of(text)));
        assert_memory_equal(&got, &want, sizeof got);
    }
}

static void what_is_no_number_is_refused_and_the_output_untouched(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "", "-", "+", ".", "-.", "e5", "1e", "1e+", "1e5.", "1.2.3", "1,5",
        "0x10", "inf", "-inf", "nan", "NaN", "infinity", "1e309", "-1e309",
        " 1", "1 ", "1f", "--1", "+-1", "1e400", "99e999999999999999999999",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        double got = 7.25;
        if (iv_scan_real(&got, iv_str_of(texts[i])))
            fail_msg("'%s' was read as %g", texts[i], got);
        assert_true(got == 7.25);
    }
}

static void integers_keep_to_their_range(void **state)
{
    (void)state;
    int64_t v = 5;

    assert_true(iv_scan_int(&v, iv_str_of("-9223372036854775808"), INT64_MIN, INT64_MAX));
    assert_true(v == INT64_MIN);
    assert_true(iv_scan_int(&v, iv_str_of("9223372036854775807"), INT64_MIN, INT64_MAX));
    assert_true(v == INT64_MAX);
    assert_true(iv_scan_int(&v, iv_str_of("+0012"), 0, 12) && v == 12);
    assert_true(iv_scan_int(&v, iv_str_of("-0"), 0, 12) && v == 0);
    static const char *const bad[] = { "", "-", "13", "-1", "1.0", "1e1", "0x1",
        "9223372036854775808", "-9223372036854775809", "99999999999999999999", "1 " };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(iv_scan_int(&v, iv_str_of(bad[i]), 0, 12));
    assert_true(v == 0);
}

static void reals_are_written_as_the_shortest_text_that_reads_back(void **state)
{
    (void)state;
    char out[IV_REAL_SIZE];

    iv_format_real(out, 0.1);
    assert_string_equal(out, "0.1");
    iv_format_real(out, 0.1 + 0.2);
    assert_string_equal(out, "0.30000000000000004");
    iv_format_real(out, -2.2250738585072014e-308);
    assert_string_equal(out, "-2.2250738585072014e-308");
    for (int i = 0; i < 100000; i++) {
        const double value = (double)i / 7919.0 * (i % 2 ? 1e-17 : 1e5);
        double back = -1.0;
        const size_t len = iv_format_real(out, value);
        assert_true(iv_scan_real(&back, (iv_str){ out, len }));
        assert_true(back == value);
    }
}

/* ------------------------------------------------------- output files -- */

static char folder[] = "/tmp/intervale-test-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder); /* fails if a test left anything behind */
}

static void read_back(char *out, size_t size, const char *path)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    out[fread(out, 1, size - 1, f)] = '\0';
    (void)fclose(f);
}

static void a_committed_file_replaces_the_old_one_whole(void **state)
{
    (void)state;
    char path[64], got[64];
    iv_outfile *f = NULL;
    struct stat st;

    (void)snprintf(path, sizeof path, "%s/out", folder);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(iv_outfile_open(&f, path, NULL), IV_OK);
        (void)fprintf(iv_outfile_stream(f), "round %d", round);
        if (round == 0)
            assert_int_equal(stat(path, &st), -1);
        assert_int_equal(iv_outfile_commit(f, NULL), IV_OK);
    }
    read_back(got, sizeof got, path);
    assert_string_equal(got, "round 1");
    assert_int_equal(unlink(path), 0);
}

static void a_file_that_is_replaced_keeps_its_permissions(void **state)
{
    (void)state;
    char path[64];
    iv_outfile *f = NULL;
    struct stat st;

    (void)snprintf(path, sizeof path, "%s/out", folder);
    (void)fclose(fopen(path, "wb"));
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(iv_outfile_open(&f, path, NULL), IV_OK);
    assert_int_equal(iv_outfile_commit(f, NULL), IV_OK);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    assert_int_equal(unlink(path), 0);
}

static void an_abandoned_file_leaves_the_old_one(void **state)
{
    (void)state;
    char path[64], got[64];
    iv_outfile *f = NULL;

    (void)snprintf(path, sizeof path, "%s/out", folder);
    assert_int_equal(iv_outfile_open(&f, path, NULL), IV_OK);
    (void)fputs("old", iv_outfile_stream(f));
    assert_int_equal(iv_outfile_commit(f, NULL), IV_OK);
    assert_int_equal(iv_outfile_open(&f, path, NULL), IV_OK);
    (void)fputs("new and unfinished", iv_outfile_stream(f));
    iv_outfile_abandon(f);
    iv_outfile_abandon(NULL);
    read_back(got, sizeof got, path);
    assert_string_equal(got, "old");
    assert_int_equal(unlink(path), 0);
}

static void a_link_stays_and_what_it_points_to_is_replaced(void **state)
{
    (void)state;
    char path[64], link[64], got[64];
    iv_outfile *f = NULL;
    struct stat st;

    (void)snprintf(path, sizeof path, "%s/target", folder);
    (void)snprintf(link, sizeof link, "%s/link", folder);
    FILE *old = fopen(path, "wb");
    (void)fclose(old);
    assert_int_equal(symlink(path, link), 0);
    assert_int_equal(iv_outfile_open(&f, link, NULL), IV_OK);
    (void)fputs("through", iv_outfile_stream(f));
    assert_int_equal(iv_outfile_commit(f, NULL), IV_OK);
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    read_back(got, sizeof got, path);
    assert_string_equal(got, "through");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(iv_outfile_open(&f, link, NULL), IV_EIO); /* it points to nothing now */
    assert_true(lstat(link, &st) == 0 && S_ISLNK(st.st_mode));
    assert_int_equal(unlink(link), 0);
}

static void a_device_is_written_and_never_renamed_over(void **state)
{
    (void)state;
    iv_outfile *f = NULL;
    struct stat st;
    iv_err err = { IV_OK, "" };

    assert_int_equal(iv_outfile_open(&f, "/dev/null", NULL), IV_OK);
    (void)fputs("gone", iv_outfile_stream(f));
    assert_int_equal(iv_outfile_commit(f, NULL), IV_OK);
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    assert_int_equal(iv_outfile_open(&f, "/dev/full", NULL), IV_OK);
    (void)fputs("does not fit", iv_outfile_stream(f));
    assert_int_equal(iv_outfile_commit(f, &err), IV_EIO);
    assert_string_equal(err_text(&err), "/dev/full: cannot write: No space left on device");
}

static void a_place_that_cannot_be_written_is_one_clear_line(void **state)
{
    (void)state;
    iv_outfile *f = NULL;
    iv_err err = { IV_OK, "" };

    assert_int_equal(iv_outfile_open(&f, "/no/such/folder/x", &err), IV_EIO);
    assert_string_equal(err_text(&err),
                        "/no/such/folder/x: cannot write: No such file or directory");
    assert_int_equal(iv_outfile_open(&f, "/tmp", &err), IV_EIO);
    assert_string_equal(err_text(&err), "/tmp: cannot write: it is a directory");
    assert_null(f);
}

static void a_stream_into_memory_gives_all_that_was_written(void **state)
{
    char *text;
    size_t len;
    FILE *stream = iv_memory_open(&text, &len);

    (void)state;
    assert_non_null(stream);
    for (int i = 0; i < 5000; i++)
        (void)fprintf(stream, "%04d", i);
    assert_int_equal(iv_memory_close(stream, &text, NULL), IV_OK);
    assert_int_equal(len, 20000);
    assert_int_equal(strlen(text), 20000);
    assert_memory_equal(text + 4 * 1234, "12341235", 8);
    iv_memory_free(text);
    iv_memory_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_fills_the_callers_error_and_returns_its_code),
        cmocka_unit_test(an_error_names_its_file_and_line),
        cmocka_unit_test(a_long_path_loses_its_beginning_and_the_message_nothing),
        cmocka_unit_test(the_library_is_of_the_version_of_its_headers),
        cmocka_unit_test(strings_sort_by_bytes_and_a_prefix_comes_first),
        cmocka_unit_test(quoting_disarms_what_a_terminal_would_obey),
        cmocka_unit_test(a_long_value_is_cut_and_always_fits),
        cmocka_unit_test(a_list_names_a_few_and_counts_the_others),
        cmocka_unit_test(a_distance_counts_edits_in_halves),
        cmocka_unit_test(orders_are_those_of_their_names),
        cmocka_unit_test(reals_are_rounded_as_strtod_rounds_them),
        cmocka_unit_test(random_decimals_are_rounded_as_strtod_rounds_them),
        cmocka_unit_test(what_is_no_number_is_refused_and_the_output_untouched),
        cmocka_unit_test(integers_keep_to_their_range),
        cmocka_unit_test(reals_are_written_as_the_shortest_text_that_reads_back),
        cmocka_unit_test(a_committed_file_replaces_the_old_one_whole),
        cmocka_unit_test(a_file_that_is_replaced_keeps_its_permissions),
        cmocka_unit_test(an_abandoned_file_leaves_the_old_one),
        cmocka_unit_test(a_link_stays_and_what_it_points_to_is_replaced),
        cmocka_unit_test(a_device_is_written_and_never_renamed_over),
        cmocka_unit_test(a_place_that_cannot_be_written_is_one_clear_line),
        cmocka_unit_test(a_stream_into_memory_gives_all_that_was_written),
    };
    const int base = cmocka_run_group_tests_name("base", tests, make_folder, remove_folder);

    return base + base_parallel_tests() != 0;
}
