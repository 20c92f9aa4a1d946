/* SPDX-License-Identifier: Apache-2.0 */
/* Writes that fail: the old file stays, no temporary one does, one line says why. */
#include "intervale/report.h"
#include "result/result_build.h"
#include "err_text.h"
#include "fault.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>


static void put_much(FILE *out)
{
    for (int i = 0; i < 20000; i++)
        (void)fputs("0123456789", out);
}

static void holds(const char *name, const char *text)
{
    char got[100];
    FILE *f = fopen(fault_path(name), "rb");

    assert_non_null(f);
    got[fread(got, 1, sizeof got - 1, f)] = '\0';
    (void)fclose(f);
    assert_string_equal(got, text);
}

static void a_disk_that_fills_up_leaves_the_old_file(void **state)
{
    (void)state;
    struct rlimit before, small;
    iv_outfile *f = NULL;
    iv_err err = { IV_OK, "" };
    char expected[300];

    (void)fault_file("kept", "old", 3);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){ 5000, before.rlim_max };
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const int opened = iv_outfile_open(&f, fault_path("kept"), NULL);
    if (opened == IV_OK)
        put_much(iv_outfile_stream(f));
    const int rc = opened == IV_OK ? iv_outfile_commit(f, &err) : opened;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    (void)signal(SIGXFSZ, handler);
    assert_int_equal(opened, IV_OK);
    assert_int_equal(rc, IV_EIO);
    (void)snprintf(expected, sizeof expected, "%s: cannot write: ", fault_path("kept"));
    assert_memory_equal(err_text(&err), expected, strlen(expected));
    holds("kept", "old");
    assert_int_equal(fault_files(), 1);
    assert_int_equal(unlink(fault_path("kept")), 0);
}

static void a_full_device_is_told_by_the_report_and_by_the_file(void **state)
{
    (void)state;
    static const iv_column columns[] = { { "n", IV_INTEGER, 0 } };
    iv_result *r = NULL;
    iv_outfile *f = NULL;
    iv_err err = { IV_OK, "" };

    assert_int_equal(iv_result_new(&r, "test", NULL), IV_OK);
    iv_table *t = iv_result_table(r, "t", columns, 1);
    for (int i = 0; i < 5000; i++)
        iv_put_int(t, i);
    for (int format = IV_FORMAT_TEXT; format <= IV_FORMAT_LATEX; format++) {
        const iv_report_options options = { .format = (iv_format)format };
        assert_int_equal(iv_outfile_open(&f, "/dev/full", NULL), IV_OK);
        assert_int_equal(iv_report_write(iv_outfile_stream(f), r, &options, &err), IV_EIO);
        assert_int_equal(iv_outfile_commit(f, &err), IV_EIO);
        assert_memory_equal(err_text(&err), "/dev/full: cannot write: ", 25);
    }
    iv_result_free(r);
}

static void a_place_below_a_file_or_nowhere_is_refused_at_once(void **state)
{
    (void)state;
    static const char *const places[] = { "file/x", "missing/x", "file/" };
    iv_outfile *f = NULL;

    (void)fault_file("file", "old", 3);
    for (size_t i = 0; i < 3; i++) {
        iv_err err = { IV_OK, "" };
        assert_int_equal(iv_outfile_open(&f, fault_path(places[i]), &err), IV_EIO);
        assert_null(f);
        assert_non_null(strstr(err_text(&err), ": cannot write: "));
        assert_null(strchr(err_text(&err), '\n'));
        assert_int_equal(fault_files(), 1);
    }
    holds("file", "old");
    assert_int_equal(unlink(fault_path("file")), 0);
}

static void a_closed_standard_output_is_told(void **state)
{
    (void)state;
    (void)fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        iv_outfile *f = NULL;
        iv_err err = { IV_OK, "" };
        (void)close(STDOUT_FILENO);
        if (iv_outfile_open(&f, "-", &err) != IV_OK)
            _exit(2);
        (void)fputs("nobody reads this", iv_outfile_stream(f));
        if (iv_outfile_commit(f, &err) != IV_EIO)
            _exit(3);
        _exit(strcmp(err_text(&err), "standard output: cannot write: Bad file descriptor") == 0 ? 0 : 4);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int writing_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disk_that_fills_up_leaves_the_old_file),
        cmocka_unit_test(a_full_device_is_told_by_the_report_and_by_the_file),
        cmocka_unit_test(a_place_below_a_file_or_nowhere_is_refused_at_once),
        cmocka_unit_test(a_closed_standard_output_is_told),
    };
    return cmocka_run_group_tests_name("writing", tests, NULL, NULL);
}
