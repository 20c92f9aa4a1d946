/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about reviews that are being judged: logs, looks, and where a ranking may end. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "intervale.h"
#include "result/result_build.h"
#include "review/review_log.h"
#include "near.h"
#include "scratch.h"

static scratch folder;

static int make_folder(void **state)
{
    (void)state;
    return scratch_make(&folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    scratch_remove(folder.path);
    return 0;
}

static const char *write_file(char out[SCRATCH_PATH], const char *name, const char *text)
{
    FILE *f = fopen(scratch_at(out, &folder, name), "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
    return out;
}

static const int64_t ten[] = { 10 }, twenty[] = { 20 };

/* The answer to a log of segments of 10 and 20 documents. */
static int ask(iv_result *r, const char *text, const iv_recall_question *more, iv_err *err)
{
    char path[SCRATCH_PATH];
    iv_recall_question q = *more;

    q.stopping.log = write_file(path, "log.csv", text);
    q.retrieved = (iv_integers){ ten, 1 };
    q.unretrieved = (iv_integers){ twenty, 1 };
    return iv_answer_recall(r, &q, NULL, err);
}

/* The first row's number in a column of a table. */
static double cell(const iv_result *r, const char *table, const char *column)
{
    for (size_t i = 0; i < iv_result_tables(r); i++) {
        const iv_table *t = iv_result_table_at(r, i);
        const iv_column *columns;
        const size_t count = iv_table_columns(&columns, t);
        for (size_t k = 0; strcmp(iv_table_name(t), table) == 0 && k < count; k++) {
            const iv_cell c = iv_table_cell(t, 0, k);
            if (strcmp(columns[k].name, column) == 0)
                return columns[k].kind == IV_INTEGER ? (double)c.integer : c.real;
        }
    }
    fail_msg("no column %s of a table %s", column, table);
    return 0.0;
}

static void blocks_end_when_every_open_stratum_has_a_document(void **state)
{
    const iv_strata_row rows[] = { { iv_str_of("a"), 2, 0, 0, 0 }, { iv_str_of("b"), 9, 0, 0, 0 } };
    const iv_str run = iv_str_of("review");
    const bool sides[] = { true, false };
    const iv_strata_table t = { rows, &run, sides, 2, 1, NULL, 0, NULL };
    char path[SCRATCH_PATH];
    iv_review_log *l = NULL;

    (void)state;
    /* Two blocks; then a is finished and each b is a block; the last is whole, too. */
    write_file(path, "l.csv", "relevant,stratum\n1,a\n0,b\n0,b\n2,a\n1,b\n0,b\n");
    assert_int_equal(iv_review_log_load(&l, path, &t, 0, NULL, NULL), IV_OK);
    const iv_review_blocks *b = &l->blocks;
    const int64_t drawn[] = { 1, 1, 1, 1, 0, 1, 0, 1 }, found[] = { 1, 0, 1, 0, 0, 1, 0, 0 };
    assert_int_equal(b->count, 4);
    assert_memory_equal(b->drawn, drawn, sizeof drawn);
    assert_memory_equal(b->found, found, sizeof found);
    assert_int_equal(l->pending, 0);
    assert_int_equal(l->table.rows[1].sampled, 4);
    assert_int_equal(l->table.rows[0].relevant, 2);
    iv_review_log_free(l);
}

static void a_log_that_cannot_be_is_told_with_its_line(void **state)
{
    static const struct { const char *text, *said; } cases[] = {
        { "stratum,found\nretrieved,1\n", ":1: no column 'relevant'; the columns are " },
        { "stratum,relevant\nretrieved,1\nelse,0\n", ":3: stratum 'else' is not one of" },
        { "stratum,relevant\nretrieved,yes\n", ":2: relevant is 'yes', expected a whole" },
        { "stratum,relevant,block\nretrieved,1,1\nunretrieved,0,1\nretrieved,1,2\n"
          "retrieved,0,3\n", ":4: block 2 has no document of stratum 'unretrieved'" },
        { "stratum,relevant\nretrieved,1\nretrieved,1\nretrieved,1\nretrieved,1\nretrieved,1\n"
          "retrieved,1\nretrieved,1\nretrieved,1\nretrieved,1\nretrieved,1\nretrieved,1\n",
          ":12: one document more than the 10 of stratum 'retrieved'" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        iv_result *r = NULL;
        iv_err err = { 0 };
        char said[IV_ERR_TEXT_SIZE];
        assert_int_equal(iv_result_new(&r, "recall", NULL), IV_OK);
        assert_int_equal(ask(r, cases[i].text, &(iv_recall_question){ .stopping.anytime = true }, &err),
                         IV_EPARSE);
        if (strstr(iv_err_text(said, &err), cases[i].said) == NULL)
            fail_msg("%s", said);
        iv_result_free(r);
    }
}

/* All 10 and 20 judged: 6 and 2 relevant, recall is .75. */
static void a_review_judged_to_its_end_is_known(void **state)
{
    char text[2000] = "stratum,relevant\n";
    iv_result *r = NULL;

    (void)state;
    for (int i = 0; i < 10; i++) {
        (void)strcat(text, i < 6 ? "retrieved,1\n" : "retrieved,0\n");
        (void)strcat(text, i == 3 || i == 8 ? "unretrieved,1\n" : "unretrieved,0\n");
        (void)strcat(text, "unretrieved,0\n");
    }
    assert_int_equal(iv_result_new(&r, "recall", NULL), IV_OK);
    assert_int_equal(ask(r, text, &(iv_recall_question){ .stopping.anytime = true, .target = 0.7 }, NULL),
                     IV_OK);
    assert_near(cell(r, "anytime", "lower"), 0.749, 1e-12);
    assert_near(cell(r, "anytime", "upper"), 0.751, 1e-12);
    assert_near(cell(r, "anytime", "evidence"), 1e9, 0.0);
    assert_near(cell(r, "recall", "recall"), 0.75, 1e-15);
    assert_int_equal(iv_result_has_verdict(NULL, NULL, r), IV_VERDICT_SHOWN);
    iv_result_free(r);
}

static void counts_alone_do_when_one_stratum_is_left(void **state)
{
    const int64_t all[] = { 1000, 1000, 500 }, some[] = { 100000, 2000, 0 };
    iv_recall_question q = { .retrieved = { all, 3 }, .unretrieved = { some, 3 },
                             .stopping.anytime = true };
    const int64_t part[] = { 1000, 100, 50 };
    int64_t least, most;
    iv_result *r = NULL;
    iv_err err = { 0 };

    (void)state;
    assert_int_equal(iv_result_new(&r, "recall", NULL), IV_OK);
    assert_int_equal(iv_answer_recall(r, &q, NULL, NULL), IV_OK);
    assert_int_equal(iv_anytime_count(&least, &most, (iv_stratum){ 100000, 2000, 0 }, 0.0, 0.0,
                                      0.95, NULL), IV_OK);
    assert_near(cell(r, "anytime", "lower"), 500.0 / (500.0 + (double)most), 1e-12);
    assert_near(cell(r, "anytime", "upper"), 1.0, 1e-12);
    q.retrieved.at = part;
    assert_int_equal(iv_answer_recall(r, &q, NULL, &err), IV_EARG);
    assert_non_null(strstr(err.msg, "in their order"));
    iv_result_free(r);
}

static void a_look_asks_more_than_the_whole(void **state)
{
    const int64_t one[] = { 5000, 500, 260 }, zero[] = { 95000, 1084, 4 };
    iv_recall_question q = { .retrieved = { one, 3 }, .unretrieved = { zero, 3 }, .stopping.looks = 5,
                             .stopping.look = 2, .stopping.shape = IV_LOOKS_POCOCK };
    const iv_recall_question plain = { .retrieved = q.retrieved, .unretrieved = q.unretrieved,
                                       .confidence = 1.0 - 0.016932, .one_sided = true };
    iv_result *r = NULL, *same = NULL;

    (void)state;
    assert_int_equal(iv_result_new(&r, "recall", NULL), IV_OK);
    assert_int_equal(iv_result_new(&same, "recall", NULL), IV_OK);
    assert_int_equal(iv_answer_recall(r, &q, NULL, NULL), IV_OK);
    assert_int_equal(iv_answer_recall(same, &plain, NULL, NULL), IV_OK);
    assert_near(cell(r, "recall", "lower"), cell(same, "recall", "lower"), 1e-5);
    q.stopping.look = 6;
    assert_int_equal(iv_answer_recall(r, &q, NULL, NULL), IV_EARG);
    iv_result_free(r);
    iv_result_free(same);
}

/* 14 of 14 known ones are needed for .8; the last stands at rank 17. */
static void a_ranked_review_may_end_when_enough_of_the_known_are_met(void **state)
{
    char run[SCRATCH_PATH], known[SCRATCH_PATH], text[2000] = "", judged[2000] = "", line[64];
    iv_result *r = NULL;
    iv_recall_question q = { .target = 0.8, .stopping.rule = IV_REVIEW_STOP_QBCB };

    (void)state;
    assert_string_equal(iv_review_stop_names()[IV_REVIEW_STOP_QBCB], "qbcb");
    for (int i = 1; i <= 20; i++) {
        (void)snprintf(line, sizeof line, "t1 Q0 d%d %d %d x\n", i, i, 100 - i);
        (void)strcat(text, line);
        (void)snprintf(line, sizeof line, "t1 0 d%d %d\n", i, i > 3 && i <= 17);
        (void)strcat(judged, line);
    }
    q.ranked.run = write_file(run, "run", text);
    q.ranked.sample = write_file(known, "known", judged);
    assert_int_equal(iv_result_new(&r, "recall", NULL), IV_OK);
    assert_int_equal(iv_answer_recall(r, &q, NULL, NULL), IV_OK);
    assert_near(cell(r, "stop", "rank"), 17.0, 0.0);
    assert_non_null(strstr(iv_result_answer_text(r), "You may stop at rank 17"));
    iv_result_free(r);
    q.target = 0.5; /* 11 are enough, at rank 14; the table's column met goes on */
    assert_int_equal(iv_result_new(&r, "recall", NULL), IV_OK);
    assert_int_equal(iv_answer_recall(r, &q, NULL, NULL), IV_OK);
    assert_non_null(strstr(iv_result_answer_text(r), "at rank 14: 11 of 14 relevant control documents "
                           "were found by then"));
    iv_result_free(r);
    q.target = 0.9; /* 29 known ones are the fewest */
    assert_int_equal(iv_result_new(&r, "recall", NULL), IV_OK);
    assert_int_equal(iv_answer_recall(r, &q, NULL, NULL), IV_OK);
    assert_non_null(strstr(iv_result_answer_text(r), "cannot be demonstrated"));
    q.target = 0.0;
    assert_int_equal(iv_answer_recall(r, &q, NULL, NULL), IV_EARG);
    iv_result_free(r);
}

static void looks_are_planned(void **state)
{
    const iv_plan_looks_question q = { .shape = IV_LOOKS_POCOCK, .documents = 3960 };
    iv_result *r = NULL;

    (void)state;
    assert_int_equal(iv_result_new(&r, "plan looks", NULL), IV_OK);
    assert_int_equal(iv_answer_plan_looks(r, &q, NULL, NULL), IV_OK);
    assert_near(cell(r, "looks", "z"), 2.121715, 1e-5);
    assert_near(cell(r, "looks", "documents"), 792.0, 0.0);
    assert_int_equal(iv_answer_plan_looks(r, &(iv_plan_looks_question){ .documents = -1 }, NULL,
                                          NULL), IV_EARG);
    iv_result_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_end_when_every_open_stratum_has_a_document),
        cmocka_unit_test(a_log_that_cannot_be_is_told_with_its_line),
        cmocka_unit_test(a_review_judged_to_its_end_is_known),
        cmocka_unit_test(counts_alone_do_when_one_stratum_is_left),
        cmocka_unit_test(a_look_asks_more_than_the_whole),
        cmocka_unit_test(a_ranked_review_may_end_when_enough_of_the_known_are_met),
        cmocka_unit_test(looks_are_planned),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
