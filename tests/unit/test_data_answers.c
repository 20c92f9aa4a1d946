/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about the answers of check, measures and simulate; the name of a test is the
 * claim. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "err_text.h"
#include "intervale/answer.h"
#include "intervale/report.h"
#include "measure/measures.h"
#include "result/result_build.h"

static iv_result *new_result(const char *command)
{
    iv_result *r = NULL;

    assert_int_equal(iv_result_new(&r, command, NULL), IV_OK);
    return r;
}

static const iv_table *table_of(const iv_result *r, const char *name)
{
    for (size_t i = 0; i < iv_result_tables(r); i++)
        if (strcmp(iv_table_name(iv_result_table_at(r, i)), name) == 0)
            return iv_result_table_at(r, i);
    fail_msg("no table %s", name);
    return NULL;
}

static char *text_of(const iv_result *r, iv_report_options o)
{
    static char *got; /* static: gcc takes a local one for dangling */
    static size_t size;
    FILE *out = open_memstream(&got, &size);

    assert_int_equal(iv_report_write(out, r, &o, NULL), IV_OK);
    assert_int_equal(fclose(out), 0);
    return got;
}

/* -------------------------------------------------------------- check -- */

static void check_tells_of_all_files_and_of_the_first_error(void **state)
{
    (void)state;
    static const char *const files[] = { TESTS_DIR "/data/qrels", TESTS_DIR "/data/broken",
                                         TESTS_DIR "/data/run" };
    iv_err err = { 0 };
    iv_result *r = new_result("check");

    assert_int_equal(iv_answer_check(r, &(iv_check_question){ .files = { files, 3 } }, NULL, &err),
                     IV_EPARSE);
    assert_string_equal(err.file, files[1]);
    assert_int_equal(err.line, 1);
    assert_int_equal(iv_table_rows(table_of(r, "files")), 3);
    assert_int_equal(iv_table_rows(table_of(r, "problems")), 3);
    assert_non_null(strstr(iv_result_answer_text(r), "3 files, 3 errors"));
    iv_result_free(r);
}

static void check_goes_on_where_a_file_cannot_be_read(void **state)
{
    (void)state;
    static const char *const files[] = { "/no/such/file", TESTS_DIR "/data/qrels", "/none" };
    iv_err err = { 0 };
    const iv_note *notes;
    iv_result *r = new_result("check");

    assert_int_equal(iv_answer_check(r, &(iv_check_question){ .files = { files, 3 } }, NULL, &err),
                     IV_EIO);
    assert_string_equal(err.file, "/no/such/file");
    assert_int_equal(iv_table_rows(table_of(r, "files")), 1);
    assert_int_equal(iv_result_notes(&notes, r), 1);
    assert_non_null(strstr(notes[0].text, "/none: cannot read"));
    iv_result_free(r);
    r = new_result("check");
    assert_int_equal(iv_answer_check(r, &(iv_check_question){ .files = { files, 1 } }, NULL, &err),
                     IV_EIO);
    assert_int_equal(iv_result_tables(r), 0);
    assert_int_equal(iv_answer_check(r, &(iv_check_question){ 0 }, NULL, &err), IV_EARG);
    iv_result_free(r);
}

static void check_lists_as_many_problems_as_asked(void **state)
{
    (void)state;
    static const char *const files[] = { TESTS_DIR "/data/broken" };
    static const int64_t most[] = { 0, 1, 2, IV_ZERO }, listed[] = { 3, 1, 2, 3 };

    for (size_t i = 0; i < 4; i++) {
        iv_result *r = new_result("check");
        assert_int_equal(iv_answer_check(r, &(iv_check_question){ { files, 1 }, .most = most[i] },
                                         NULL, NULL), IV_EPARSE);
        assert_int_equal(iv_table_rows(table_of(r, "problems")), listed[i]);
        iv_result_free(r);
    }
}

static void details_that_say_nothing_are_for_programs(void **state)
{
    (void)state;
    static const char *const files[] = { TESTS_DIR "/data/qrels", TESTS_DIR "/data/run" };
    iv_result *r = new_result("check");

    assert_int_equal(iv_answer_check(r, &(iv_check_question){ { files, 2 } }, NULL, NULL), IV_OK);
    char *text = text_of(r, (iv_report_options){ .table = "details", .no_notes = true });
    char *tsv = text_of(r, (iv_report_options){ .format = IV_FORMAT_TSV, .table = "details" });
    assert_null(strstr(text, "duplicates"));
    assert_non_null(strstr(tsv, "duplicates\t0"));
    assert_non_null(strstr(text, "topics shared with "));
    free(text);
    free(tsv);
    iv_result_free(r);
}

/* ----------------------------------------------------------- measures -- */

static void measures_are_listed_explained_and_found_by_any_name(void **state)
{
    (void)state;
    static const char *const names[] = { "nDCG@10", "official", "P_5" };
    static const char *const unknown[] = { "ndgc" };
    iv_err err = { 0 };
    char *prose = NULL;
    size_t size = 0;
    iv_result *r = new_result("measures");

    assert_int_equal(iv_answer_measures(r, &(iv_measures_question){ 0 }, NULL, NULL), IV_OK);
    const size_t rows = iv_table_rows(table_of(r, "measures"));
    assert_true(iv_measure_at(rows - 1) != NULL && iv_measure_at(rows) == NULL);
    iv_result_free(r);
    r = new_result("measures");
    assert_int_equal(iv_answer_measures(r, &(iv_measures_question){ { names, 3 }, NULL }, NULL,
                                        NULL), IV_OK);
    assert_true(iv_table_rows(table_of(r, "measures")) > 10); /* each of the set, once */
    iv_result_free(r);
    r = new_result("measures");
    FILE *out = open_memstream(&prose, &size);
    assert_int_equal(iv_answer_measures(r, &(iv_measures_question){ { names, 3 }, out }, NULL,
                                        NULL), IV_OK);
    assert_int_equal(fclose(out), 0);
    assert_memory_equal(prose, "ndcg_cut (nDCG): ", 17);
    assert_non_null(strstr(prose, "\n\nofficial: "));
    assert_int_equal(iv_result_tables(r), 0);
    free(prose);
    assert_int_equal(iv_answer_measures(r, &(iv_measures_question){ { unknown, 1 }, NULL }, NULL,
                                        &err), IV_EARG);
    assert_memory_equal(err.msg, "unknown measure 'ndgc'; similar names: ", 37);
    iv_result_free(r);
}

static void scores_are_as_exact_as_the_dialect(void **state)
{
    (void)state;
    assert_int_equal(iv_precision_of(IV_TREC_EVAL_9), IV_SCORES_FLOAT);
    assert_int_equal(iv_precision_of(IV_TREC_EVAL_10), IV_SCORES_DOUBLE);
}

/* ----------------------------------------------------------- simulate -- */

static void a_collection_of_zeros_is_the_usual_one(void **state)
{
    (void)state;
    char folder[] = "/tmp/intervale-answer-XXXXXX", path[64], command[96];
    iv_err err = { 0 };
    iv_result *r = new_result("simulate");

    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/made", folder);
    const iv_simulate_question q = { .directory = path, .files = { .topics = 2 } };
    assert_int_equal(iv_answer_simulate(r, &q, &(iv_work){ .seed = 3 }, &err), IV_OK);
    const iv_table *t = table_of(r, "runs");
    assert_int_equal(iv_table_rows(t), 10);
    assert_true(iv_table_cell(t, 0, 1).real == 2.1);
    assert_memory_equal(iv_result_answer_text(r), "2 topics with ", 14);
    assert_string_equal(iv_judging_names()[IV_JUDGE_UNIFORM], "uniform");
    assert_int_equal(iv_answer_simulate(r, &q, NULL, &err), IV_EIO); /* it is there */
    assert_int_equal(iv_answer_simulate(r, &(iv_simulate_question){ 0 }, NULL, &err), IV_EARG);
    iv_result_free(r);
    (void)snprintf(command, sizeof command, "rm -r '%s'", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_tells_of_all_files_and_of_the_first_error),
        cmocka_unit_test(check_goes_on_where_a_file_cannot_be_read),
        cmocka_unit_test(check_lists_as_many_problems_as_asked),
        cmocka_unit_test(details_that_say_nothing_are_for_programs),
        cmocka_unit_test(measures_are_listed_explained_and_found_by_any_name),
        cmocka_unit_test(scores_are_as_exact_as_the_dialect),
        cmocka_unit_test(a_collection_of_zeros_is_the_usual_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
