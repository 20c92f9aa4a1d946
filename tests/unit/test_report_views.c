/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about what of a result a format shows; the name of a test is the claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "result/result_build.h"
#include "report_tests.h"

typedef struct row {
    int all, programs, people;
    const char *any;
} row;

static const iv_field fields[] = {
    { "all", IV_AT(row, all) },
    { "programs", IV_AT(row, programs), .audience = IV_FOR_PROGRAMS },
    { "people", IV_AT(row, people), .audience = IV_FOR_PEOPLE },
    { "any", IV_AT(row, any), .audience = IV_IF_ANY },
    { NULL }
};

/* A table of each showing, a note, a legend and a key. */
static iv_result *every_showing(void)
{
    static const char *const names[] = { "shown", "aside", "folded", "long" };
    static const row rows[] = { { 1, 2, 3, NULL } };
    iv_result *r = NULL;

    assert_int_equal(iv_result_new(&r, "eval", NULL), IV_OK);
    for (int i = 0; i < 4; i++)
        (void)iv_result_rows(r, &(iv_rows){ names[i], fields, rows, 1, sizeof *rows,
                                            .showing = (iv_showing)i });
    iv_result_note(r, "odd");
    iv_result_legend(r, "how to read");
    iv_result_key(r, "stars");
    return r;
}

static void text_shows_people_what_is_for_them(void **state)
{
    (void)state;
    assert_renders(every_showing(), (iv_report_options){ 0 },
                   "all  people\n  1       3\n\nnote: odd\n");
    assert_renders(every_showing(), (iv_report_options){ .verbose = true },
                   "all  people\n  1       3\n\nnote: odd\nnote: how to read\nnote: stars\n"
                   "note: not listed here: 1 row of table 'long'\n");
    assert_renders(every_showing(), (iv_report_options){ .table = "shown", .verbose = true,
                                                         .elsewhere = "ask for it" },
                   "all  people\n  1       3\n\nnote: odd\nnote: how to read\nnote: stars\n");
}

/* Keys are legends, but not for pages, which show programs' columns. */
static void a_key_is_for_those_who_see_the_columns(void **state)
{
    (void)state;
    iv_result *r = every_showing();
    const iv_note *n;

    assert_int_equal(iv_result_notes(&n, r), 3);
    assert_false(n[0].legend || n[0].people);
    assert_true(n[1].legend && !n[1].people);
    assert_true(n[2].legend && n[2].people);
    iv_result_free(r);
}

static size_t count_of(const char *text, const char *part)
{
    size_t n = 0;

    while ((text = strstr(text, part)) != NULL) {
        text += strlen(part);
        n++;
    }
    return n;
}

static void a_page_explains_the_columns_of_a_table_in_one_list(void **state)
{
    static const iv_field explained[] = {
        { "all", IV_AT(row, all), .about = "of all" },
        { "programs", IV_AT(row, programs), .about = "of programs" }, { NULL } };
    static const row rows[] = { { 1, 2, 3, NULL } };
    char *got = NULL;
    size_t size = 0;
    iv_result *r = NULL;

    (void)state;
    if (!iv_format_is_built(IV_FORMAT_HTML))
        skip();
    FILE *out = open_memstream(&got, &size);
    assert_int_equal(iv_result_new(&r, "eval", NULL), IV_OK);
    (void)iv_result_rows(r, &(iv_rows){ "shown", explained, rows, 1, sizeof *rows });
    assert_int_equal(iv_report_write(out, r, &(iv_report_options){ IV_FORMAT_HTML }, NULL), IV_OK);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(count_of(got, "<dd>of "), 2);
    assert_int_equal(count_of(got, "<details class=\"columns\">"), 1);
    assert_int_equal(count_of(got, "</dl></details>"), 1);
    free(got);
    iv_result_free(r);
}

static void a_table_that_is_named_is_shown_whatever_it_is(void **state)
{
    (void)state;
    assert_renders(every_showing(), (iv_report_options){ .table = "long", .no_notes = true },
                   "all  people\n  1       3\n");
    assert_renders(every_showing(),
                   (iv_report_options){ .format = IV_FORMAT_TSV, .table = "long" },
                   "all\tprograms\tany\n1\t2\t\n");
}

static void markdown_shows_what_stands_aside_too(void **state)
{
    (void)state;
    char *got = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&got, &size);
    iv_result *r = every_showing();

    assert_int_equal(iv_report_write(out, r, &(iv_report_options){ IV_FORMAT_MARKDOWN, .verbose = true },
                                     NULL), IV_OK);
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(got, "aside"));
    assert_null(strstr(got, "folded"));
    assert_null(strstr(got, "programs"));
    assert_non_null(strstr(got, "how to read"));
    free(got);
    iv_result_free(r);
}

static void json_has_all_tables_and_notes_but_keys(void **state)
{
    (void)state;
    static const char *const there[] = { "\"shown\"", "\"aside\"", "\"folded\"", "\"long\"",
                                         "\"programs\"", "\"any\"", "odd", "how to read" };
    char *got = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&got, &size);
    iv_result *r = every_showing();

    assert_int_equal(iv_report_write(out, r, &(iv_report_options){ IV_FORMAT_JSON }, NULL),
                     IV_OK);
    assert_int_equal(fclose(out), 0);
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        assert_non_null(strstr(got, there[i]));
    assert_null(strstr(got, "people"));
    assert_null(strstr(got, "stars"));
    free(got);
    iv_result_free(r);
}

/* Text shows the first table, json all of them; what is said of a table goes with it. */
static void a_note_about_a_table_is_for_who_sees_it(void **state)
{
    (void)state;
    static const struct {
        iv_format format;
        const char *table;
        bool first, other;
    } cases[] = { { IV_FORMAT_TEXT, NULL, true, false }, { IV_FORMAT_MARKDOWN, NULL, true, true },
                  { IV_FORMAT_JSON, NULL, true, true }, { IV_FORMAT_TEXT, "aside", false, true },
                  { IV_FORMAT_JSON, "aside", false, true }, { IV_FORMAT_TEXT, "long", false, false } };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *got = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&got, &size);
        iv_result *r = every_showing();
        iv_result_note(r, "of the first");
        iv_result_about(r, "shown");
        iv_result_legend(r, "of the other");
        iv_result_about(r, "nowhere aside");
        assert_int_equal(iv_report_write(out, r, &(iv_report_options){ .format = cases[i].format,
                                         .table = cases[i].table, .verbose = true }, NULL), IV_OK);
        assert_int_equal(fclose(out), 0);
        assert_int_equal(strstr(got, "of the first") != NULL, cases[i].first);
        assert_int_equal(strstr(got, "of the other") != NULL, cases[i].other);
        free(got);
        iv_result_free(r);
    }
}

static void a_wish_is_what_the_format_will_show(void **state)
{
    (void)state;
    static const struct {
        iv_format format;
        iv_showing most;
        bool charts;
    } cases[] = { { IV_FORMAT_TEXT, IV_SHOWN, false }, { IV_FORMAT_CSV, IV_SHOWN, false },
                  { IV_FORMAT_MARKDOWN, IV_ASIDE, false }, { IV_FORMAT_JSON, IV_LONG, false },
                  { IV_FORMAT_HTML, IV_LONG, true }, { IV_FORMAT_VEGA, IV_LONG, true } };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        iv_result *r = NULL;
        assert_int_equal(iv_result_new(&r, "x", NULL), IV_OK);
        iv_report_wish(r, &(iv_report_options){ .format = cases[i].format });
        for (int s = IV_SHOWN; s <= IV_LONG; s++)
            assert_true(iv_result_wants(r, "t", (iv_showing)s) == (s <= (int)cases[i].most));
        assert_true(iv_result_wants_charts(r) == cases[i].charts);
        iv_result_free(r);
    }
}

static void a_table_that_nobody_wanted_is_still_known_by_name(void **state)
{
    (void)state;
    iv_err err = { .code = IV_OK };
    iv_result *r = NULL;

    assert_int_equal(iv_result_new(&r, "x", NULL), IV_OK);
    iv_report_wish(r, &(iv_report_options){ .table = "tpoics" });
    assert_false(iv_result_wants(r, "topics", IV_LONG));
    assert_int_equal(iv_report_write(stderr, r, &(iv_report_options){ .table = "tpoics" }, &err),
                     IV_EARG);
    assert_string_equal(err.msg, "no table 'tpoics' in the result; the tables are topics");
    iv_result_free(r);
}

/* ------------------------------------------------------------- arrow -- */

static void a_table_is_a_stream_of_arrow(void **state)
{
    (void)state;
    static const row rows[] = { { 1, -2, 3, "some" }, { 4, 5, 6, NULL }, { 7, 8, 9, "text" } };
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray array, after;
    iv_result *r = NULL;

    assert_int_equal(iv_result_new(&r, "x", NULL), IV_OK);
    const iv_table *t = iv_result_rows(r, &(iv_rows){ "t", fields, rows, 3, sizeof *rows });
    assert_int_equal(iv_table_arrow(&stream, t, NULL), IV_OK);
    iv_result_free(r); /* it need not be there any more */
    assert_int_equal(stream.get_schema(&stream, &schema), 0);
    assert_string_equal(schema.format, "+s");
    assert_int_equal(schema.n_children, 3); /* without what is for people */
    assert_string_equal(schema.children[1]->name, "programs");
    assert_string_equal(schema.children[1]->format, "l");
    assert_string_equal(schema.children[2]->format, "U");
    schema.release(&schema);
    assert_int_equal(stream.get_next(&stream, &array), 0);
    assert_int_equal(stream.get_next(&stream, &after), 0);
    assert_null(after.release); /* the stream's end */
    stream.release(&stream);
    assert_int_equal(array.length, 3);
    assert_null(array.children[1]->buffers[0]);
    assert_int_equal(((const int64_t *)array.children[1]->buffers[1])[0], -2);
    assert_int_equal(array.children[2]->null_count, 1);
    assert_int_equal(*(const uint8_t *)array.children[2]->buffers[0], 5);
    const int64_t *offsets = array.children[2]->buffers[1];
    assert_int_equal(offsets[2], 4);
    assert_int_equal(offsets[3], 8);
    assert_memory_equal((const char *)array.children[2]->buffers[2] + offsets[2], "text", 4);
    array.release(&array);
    assert_null(array.release);
}

int report_view_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_shows_people_what_is_for_them),
        cmocka_unit_test(a_key_is_for_those_who_see_the_columns),
        cmocka_unit_test(a_page_explains_the_columns_of_a_table_in_one_list),
        cmocka_unit_test(a_table_that_is_named_is_shown_whatever_it_is),
        cmocka_unit_test(markdown_shows_what_stands_aside_too),
        cmocka_unit_test(json_has_all_tables_and_notes_but_keys),
        cmocka_unit_test(a_note_about_a_table_is_for_who_sees_it),
        cmocka_unit_test(a_wish_is_what_the_format_will_show),
        cmocka_unit_test(a_table_that_nobody_wanted_is_still_known_by_name),
        cmocka_unit_test(a_table_is_a_stream_of_arrow),
    };
    return cmocka_run_group_tests_name("views", tests, NULL, NULL);
}
