/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about tables from arrays of structs; the name of a test is the claim. */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "result/result_state.h"
#include "result_tests.h"
#include "base/memory.h"

typedef enum size_word { SMALL, LARGE } size_word;

static const char *const *size_words(void)
{
    static const char *const words[] = { "small", "large", NULL };

    return words;
}

typedef struct row {
    double real;
    bool flag;
    int narrow;
    long wide;
    long long widest;
    unsigned count;
    unsigned long many;
    unsigned long long most;
    char *own;
    const char *text;
    iv_str str;
    size_word word;
} row;

enum { UNEVEN = 1, PAIRED = 2 };

static const iv_field every_type[] = {
    { "real", IV_AT(row, real), .digits = IV_DIGITS, .about = "a share" },
    { "flag", IV_AT(row, flag) },
    { "narrow", IV_AT(row, narrow) },
    { "wide", IV_AT(row, wide) },
    { "widest", IV_AT(row, widest) },
    { "count", IV_AT(row, count) },
    { "many", IV_AT(row, many) },
    { "most", IV_AT(row, most) },
    { "own", IV_AT(row, own) },
    { "text", IV_AT(row, text) },
    { "str", IV_AT(row, str) },
    { "word", IV_AT(row, word), .names = size_words },
    { NULL }
};

static iv_result *new_result(void)
{
    iv_result *r = NULL;

    assert_int_equal(iv_result_new(&r, "eval", NULL), IV_OK);
    return r;
}

static void assert_text(iv_cell cell, const char *want)
{
    assert_false(cell.missing);
    assert_int_equal(cell.text.len, strlen(want));
    assert_memory_equal(cell.text.ptr, want, cell.text.len);
}

static void a_member_of_every_type_becomes_a_cell(void **state)
{
    (void)state;
    char own[] = "mine";
    const row rows[] = { { 0.5, true, -7, -8, -9, 7, 8, 9, own, "text", { "abc", 2 }, LARGE } };
    static const int64_t whole[] = { 1, -7, -8, -9, 7, 8, 9 };
    const iv_column *columns;
    iv_result *r = new_result();
    const iv_table *t = iv_result_rows(r, &(iv_rows){ "rows", every_type, rows, 1,
                                                      sizeof *rows, .digits = 3 });

    memset(own, 'x', 4); /* text is copied */
    assert_int_equal(iv_result_status(r, NULL), IV_OK);
    assert_int_equal(iv_table_columns(&columns, t), 12);
    assert_int_equal(iv_table_rows(t), 1);
    assert_int_equal(columns[0].kind, IV_REAL);
    assert_int_equal(columns[0].digits, 3);
    assert_string_equal(columns[0].about, "a share");
    assert_true(iv_table_cell(t, 0, 0).real == 0.5);
    for (size_t i = 0; i < 7; i++) {
        assert_int_equal(columns[1 + i].kind, IV_INTEGER);
        assert_int_equal(iv_table_cell(t, 0, 1 + i).integer, whole[i]);
    }
    assert_text(iv_table_cell(t, 0, 8), "mine");
    assert_text(iv_table_cell(t, 0, 9), "text");
    assert_text(iv_table_cell(t, 0, 10), "ab");
    assert_text(iv_table_cell(t, 0, 11), "large");
    iv_result_free(r);
}

static void what_no_table_can_hold_is_missing(void **state)
{
    (void)state;
    const row rows[] = { { NAN, false, INT32_MIN, LONG_MIN, LLONG_MIN, UINT32_MAX, ULONG_MAX,
                           ULLONG_MAX, NULL, NULL, { NULL, 0 }, SMALL } };
    iv_result *r = new_result();
    const iv_table *t = iv_result_rows(r, &(iv_rows){ "rows", every_type, rows, 1,
                                                      sizeof *rows });

    for (size_t i = 0; i < 11; i++)
        assert_true(iv_table_cell(t, 0, i).missing == (i != 1)); /* a flag always is */
    assert_text(iv_table_cell(t, 0, 11), "small");
    assert_int_equal(iv_result_status(r, NULL), IV_OK);
    iv_result_free(r);
}

static void an_empty_array_gives_an_empty_table(void **state)
{
    (void)state;
    iv_result *r = new_result();
    const iv_table *t = iv_result_rows(r, &(iv_rows){ "rows", every_type, NULL, 0,
                                                      sizeof(row), .showing = IV_LONG });

    assert_int_equal(iv_table_rows(t), 0);
    assert_int_equal(t->showing, IV_LONG);
    iv_result_free(r);
}

static void a_column_is_there_with_the_flags_it_needs(void **state)
{
    (void)state;
    static const iv_field fields[] = {
        { "real", IV_AT(row, real) },
        { "narrow", IV_AT(row, narrow), .needs = PAIRED },
        { "count", IV_AT(row, count), .shown = UNEVEN },
        { NULL } };
    static const struct { unsigned with; size_t all, people; } cases[] = {
        { 0, 2, 1 }, { UNEVEN, 2, 2 }, { PAIRED, 3, 2 }, { UNEVEN | PAIRED, 3, 3 } };
    const row rows[] = { { .real = 1.0, .narrow = 2, .count = 3 } };
    const iv_column *seen;
    iv_arena a = { 0 };

    for (size_t i = 0; i < 4; i++) {
        iv_result *r = new_result();
        const iv_table *t = iv_result_rows(r, &(iv_rows){ "rows", fields, rows, 1,
                                                          sizeof *rows, cases[i].with });
        iv_table v;
        assert_int_equal(iv_table_view(&v, &a, t, IV_PEOPLE, false, NULL), IV_OK);
        assert_int_equal(iv_table_columns(&seen, t), cases[i].all);
        assert_int_equal(iv_table_columns(&seen, &v), cases[i].people);
        assert_int_equal(iv_table_cell(t, 0, cases[i].all - 1).integer, 3);
        iv_result_free(r);
    }
    iv_arena_free(&a);
}

static void a_view_has_the_columns_of_its_readers(void **state)
{
    (void)state;
    static const iv_field fields[] = {
        { "all", IV_AT(row, narrow) },
        { "programs", IV_AT(row, wide), .audience = IV_FOR_PROGRAMS },
        { "people", IV_AT(row, widest), .audience = IV_FOR_PEOPLE },
        { "some", IV_AT(row, real), .audience = IV_IF_ANY },
        { "none", IV_AT(row, text), .audience = IV_IF_ANY },
        { NULL } };
    const row rows[] = { { .narrow = 1, .wide = 2, .widest = 3, .real = NAN },
                         { .narrow = 4, .wide = 5, .widest = 6, .real = 7.0 } };
    iv_arena a = { 0 };
    iv_table v;
    iv_result *r = new_result();
    const iv_table *t = iv_result_rows(r, &(iv_rows){ "rows", fields, rows, 2,
                                                      sizeof *rows });
    const iv_column *seen;

    assert_int_equal(iv_table_view(&v, &a, t, IV_PEOPLE, false, NULL), IV_OK);
    assert_int_equal(iv_table_columns(&seen, &v), 3);
    assert_string_equal(seen[1].name, "people");
    assert_string_equal(seen[2].name, "some");
    assert_int_equal(iv_table_cell(&v, 1, 1).integer, 6);
    assert_true(iv_table_cell(&v, 1, 2).real == 7.0);
    assert_int_equal(iv_table_rows(&v), 2);
    assert_int_equal(iv_table_view(&v, &a, t, IV_PROGRAMS, false, NULL), IV_OK);
    assert_int_equal(iv_table_columns(&seen, &v), 4);
    assert_string_equal(seen[1].name, "programs");
    assert_string_equal(seen[3].name, "none");
    assert_true(iv_table_cell(&v, 1, 3).missing);
    iv_arena_free(&a);
    iv_result_free(r);
}

static void a_quiet_row_is_for_programs(void **state)
{
    (void)state;
    static const iv_field fields[] = { { "narrow", IV_AT(row, narrow) }, { NULL } };
    const row rows[] = { { .narrow = 1 }, { .narrow = 2, .flag = true }, { .narrow = 3 } };
    iv_arena a = { 0 };
    iv_table v;
    iv_result *r = new_result();
    const iv_table *t = iv_result_rows(r, &(iv_rows){ "rows", fields, rows, 3, sizeof *rows,
                                                      .quiet = IV_QUIET(row, flag) });

    assert_int_equal(iv_table_view(&v, &a, t, IV_PEOPLE, false, NULL), IV_OK);
    assert_int_equal(iv_table_rows(&v), 2);
    assert_int_equal(iv_table_cell(&v, 1, 0).integer, 3);
    assert_int_equal(iv_table_view(&v, &a, t, IV_PROGRAMS, false, NULL), IV_OK);
    assert_int_equal(iv_table_rows(&v), 3);
    assert_int_equal(iv_table_cell(&v, 1, 0).integer, 2);
    iv_arena_free(&a);
    iv_result_free(r);
}

static void rows_can_be_drawn(void **state)
{
    (void)state;
    iv_result *r = new_result();
    const iv_table *t = iv_result_rows(r, &(iv_rows){
        "rows", every_type, NULL, 0, sizeof(row), .drawn = { NULL, "real", "real", 0.0, 1.0 } });

    assert_string_equal(iv_table_drawn(t)->lower, "real");
    assert_int_equal(iv_result_status(r, NULL), IV_OK);
    iv_result_free(r);
}

static void a_new_result_wants_everything(void **state)
{
    (void)state;
    iv_result *r = new_result();

    assert_true(iv_result_wants(r, "any", IV_LONG));
    assert_true(iv_result_wants_charts(r));
    iv_result_free(r);
}

static void a_wish_says_which_tables_are_worth_the_work(void **state)
{
    (void)state;
    iv_result *r = new_result();

    iv_result_wish(r, NULL, IV_ASIDE, false);
    assert_true(iv_result_wants(r, "runs", IV_SHOWN));
    assert_true(iv_result_wants(r, "runs", IV_ASIDE));
    assert_false(iv_result_wants(r, "runs", IV_FOLDED));
    assert_false(iv_result_wants_charts(r));
    char name[] = "topics";
    iv_result_wish(r, name, IV_SHOWN, true);
    memset(name, 'x', 6);
    assert_false(iv_result_wants(r, "runs", IV_SHOWN));
    assert_true(iv_result_wants(r, "topics", IV_LONG));
    assert_true(iv_result_wants_charts(r));
    iv_result_free(r);
}

static void a_legend_is_a_note_that_is_known_as_one(void **state)
{
    (void)state;
    const iv_note *notes;
    iv_result *r = new_result();

    iv_result_note(r, "odd");
    iv_result_legend(r, "stars mean p < %g", 0.05);
    assert_int_equal(iv_result_notes(&notes, r), 2);
    assert_string_equal(notes[1].text, "stars mean p < 0.05");
    assert_false(notes[0].legend);
    assert_true(notes[1].legend);
    iv_result_free(r);
}

int result_rows_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_member_of_every_type_becomes_a_cell),
        cmocka_unit_test(what_no_table_can_hold_is_missing),
        cmocka_unit_test(an_empty_array_gives_an_empty_table),
        cmocka_unit_test(a_column_is_there_with_the_flags_it_needs),
        cmocka_unit_test(a_view_has_the_columns_of_its_readers),
        cmocka_unit_test(a_quiet_row_is_for_programs),
        cmocka_unit_test(rows_can_be_drawn),
        cmocka_unit_test(a_new_result_wants_everything),
        cmocka_unit_test(a_wish_says_which_tables_are_worth_the_work),
        cmocka_unit_test(a_legend_is_a_note_that_is_known_as_one),
    };
    return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
