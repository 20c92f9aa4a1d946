/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about methods, the papers they rest on, and messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "intervale/report.h"
#include "result/methods.h"
#include "result/result_build.h"
#include "review/recall.h"

static iv_result *new_result(void)
{
    iv_result *r = NULL;

    assert_int_equal(iv_result_new(&r, "compare", NULL), IV_OK);
    return r;
}

static char *text_of(const iv_result *r, bool verbose, bool cite)
{
    char *got = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&got, &size);

    assert_int_equal(iv_report_write(out, r, &(iv_report_options){ .verbose = verbose,
                                     .cite = cite }, NULL), IV_OK);
    assert_int_equal(fclose(out), 0);
    return got;
}

static void every_method_has_words_and_papers_that_are_there(void **state)
{
    iv_citation paper;
    iv_method_row row, other;
    const iv_method_row *const m = &row;

    (void)state;
    for (size_t k = 0; iv_method_at(&row, k); k++) {
        iv_result *r = new_result();
        const iv_citation *cited;
        iv_result_used(r, m->id);
        assert_int_equal(iv_result_status(r, NULL), IV_OK);
        assert_non_null(strstr(iv_result_method_text(r), m->text));
        const size_t count = iv_result_citations(&cited, r);
        assert_int_equal(count > 0, *m->cites != '\0');
        for (size_t i = 0; i < count; i++) {
            char entry[64];
            (void)snprintf(entry, sizeof entry, "{%s,", cited[i].key);
            assert_non_null(strstr(cited[i].bibtex, entry));
            assert_string_equal(cited[i].method, m->text);
            assert_true(iv_reference_find(&paper, cited[i].key));
            assert_ptr_equal(paper.text, cited[i].text);
        }
        for (size_t before = 0; before < k && iv_method_at(&other, before); before++)
            assert_string_not_equal(other.id, m->id);
        iv_result_free(r);
    }
    assert_false(iv_reference_find(&paper, "nobody1900nothing"));
}

static void methods_make_one_line_and_their_references_once(void **state)
{
    (void)state;
    iv_result *r = new_result();

    iv_result_used(r, "paired-t");
    iv_result_used_with(r, "holm", " for %d pairs", 3);
    iv_result_used(r, "paired-t");
    char *brief = text_of(r, false, false), *cited = text_of(r, false, true);
    assert_string_equal(brief, "Method: paired t test (Student 1908); "
                        "Holm's correction for 3 pairs (Holm 1979)\n");
    assert_non_null(strstr(cited, "@article{holm1979simple,"));
    assert_non_null(strstr(cited, "@software{intervale,"));
    free(brief);
    free(cited);
    iv_result_free(r);
}

static void a_column_is_found_by_its_name_which_is_unique(void **state)
{
    (void)state;
    static const iv_reals row = { NULL, 1 };
    static const iv_field once[] = { { "p", IV_AT(iv_reals, count) }, { NULL } };
    static const iv_field twice[] = { { "p", IV_AT(iv_reals, count) },
                                      { "p", IV_AT(iv_reals, count) }, { NULL } };
    iv_result *r = new_result();
    iv_err err = { 0 };

    const iv_table *t = iv_result_rows(r, &(iv_rows){ "pairs", once, &row, 0, sizeof row });
    assert_int_equal(iv_table_find(t, "p"), 0);
    assert_true(iv_table_find(t, "q") == SIZE_MAX);
    assert_int_equal(iv_result_status(r, NULL), IV_OK);
    (void)iv_result_rows(r, &(iv_rows){ "runs", twice, &row, 0, sizeof row });
    assert_int_equal(iv_result_status(r, &err), IV_EARG);
    assert_string_equal(err.msg, "table 'runs' has column 'p' twice");
    iv_result_free(r);
}

static void a_method_that_is_not_listed_is_an_error(void **state)
{
    (void)state;
    iv_result *r = new_result();
    iv_err err = { 0 };

    iv_result_used(r, "magic");
    assert_int_equal(iv_result_status(r, &err), IV_EARG);
    assert_string_equal(err.msg, "no method 'magic'");
    iv_result_free(r);
}

static const iv_message rows[] = {
    { "test.first", IV_NOTE, NULL, "{n} topic[, {a}, {b}|s of {s}, {a%}, {c}]." },
    { "test.second", IV_WARNING, NULL, "[One|Use --baseline {brace}]." },
    { "test.third", IV_NOTE, NULL, "Said of [0, 1], the[|se] one[|s]." },
    { "test.advice", IV_NOTE, NULL, "So it is {s} now.{do} Use --more." },
    { "test.next", IV_NOTE, NULL, "{do}Try --this next." },
    { NULL } };

static void say_two(iv_result *r, size_t count)
{
    const iv_found found = { count, { 0.125, 12000.0, 0.5 }, { "x", "y" } };

    iv_result_say(r, rows, "test.first", found);
    iv_result_say(r, rows, "test.second", found);
}

static void messages_are_rows_with_plurals_and_places(void **state)
{
    (void)state;
    const iv_note *notes;
    iv_result *r = new_result();

    say_two(r, 2);
    say_two(r, 1);
    say_two(r, 0);
    iv_result_say(r, rows, "test.third", (iv_found){ 1 });
    assert_int_equal(iv_result_notes(&notes, r), 5);
    assert_string_equal(notes[0].id, "test.first");
    assert_string_equal(notes[0].text, "2 topics of x, 12.5 %, 0.5.");
    assert_string_equal(notes[1].text, "Use --baseline {brace}.");
    assert_int_equal(notes[1].severity, IV_WARNING);
    assert_string_equal(notes[2].text, "1 topic, 0.125, 12,000.");
    assert_string_equal(notes[4].text, "Said of [0, 1], the one.");
    iv_result_say(r, rows, "test.none", (iv_found){ 1 });
    assert_int_equal(iv_result_status(r, NULL), IV_EARG);
    iv_result_free(r);
}

/* A page is handed on to others: it says what is, not what its author could do. */
static void pages_leave_out_what_to_do_next(void **state)
{
    (void)state;
    iv_result *r = new_result();
    char *page = NULL;
    size_t len = 0;
    iv_err err = { 0 };

    iv_result_say(r, rows, "test.advice", (iv_found){ 1, { 0.0 }, { "-0.000" } });
    iv_result_say(r, rows, "test.next", (iv_found){ 1 });
    char *text = text_of(r, false, false);
    assert_non_null(strstr(text, "note: So it is 0.000 now. Use --more.\nnote: Try --this next.\n"));
    free(text);
    if (iv_format_is_built(IV_FORMAT_HTML)) {
        FILE *out = open_memstream(&page, &len);
        assert_int_equal(iv_report_write(out, r, &(iv_report_options){ .format = IV_FORMAT_HTML },
                                         &err), IV_OK);
        assert_int_equal(fclose(out), 0);
        assert_non_null(strstr(page, "<li>So it is 0.000 now.</li>"));
        assert_null(strstr(page, "Use --more"));
        assert_null(strstr(page, "Try --this"));
        free(page);
    }
    iv_result_free(r);
    for (const iv_message *m = iv_recall_messages; m->id != NULL; m++) {
        const char *option = strstr(m->text, "--"), *advice = strstr(m->text, "{do}");
        if (strncmp(m->id, "recall.", 7) == 0 && option != NULL
            && (advice == NULL || option < advice))
            fail_msg("%s: a report would name an option: %s", m->id, m->text);
    }
}

static void text_has_three_notes_and_warnings_come_first(void **state)
{
    (void)state;
    iv_result *r = new_result();

    for (int i = 1; i <= 3; i++)
        iv_result_note(r, "note %d", i);
    iv_result_legend(r, "how to read");
    say_two(r, 1);
    char *brief = text_of(r, false, false), *all = text_of(r, true, false);
    assert_string_equal(brief, "warning: One.\nnote: note 1\nnote: note 2\n"
                        "(2 more notes: --verbose)\n");
    assert_string_equal(all, "warning: One.\nnote: note 1\nnote: note 2\nnote: note 3\n"
                        "note: how to read\nnote: 1 topic, 0.125, 12,000.\n");
    free(brief);
    free(all);
    iv_result_free(r);
}

static void what_to_do_about_an_error_stands_behind_it(void **state)
{
    (void)state;
    iv_err err;

    (void)iv_fail_at(&err, IV_EPARSE, "f", 3, "not sorted" IV_HINT("; --sort sorts it"));
    assert_string_equal(err.msg, "not sorted");
    assert_string_equal(err.hint, "; --sort sorts it");
    (void)iv_fail(&err, IV_EARG, "again: %s", err.msg);
    assert_string_equal(err.msg, "again: not sorted");
    assert_string_equal(err.hint, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_has_words_and_papers_that_are_there),
        cmocka_unit_test(methods_make_one_line_and_their_references_once),
        cmocka_unit_test(a_column_is_found_by_its_name_which_is_unique),
        cmocka_unit_test(a_method_that_is_not_listed_is_an_error),
        cmocka_unit_test(messages_are_rows_with_plurals_and_places),
        cmocka_unit_test(pages_leave_out_what_to_do_next),
        cmocka_unit_test(text_has_three_notes_and_warnings_come_first),
        cmocka_unit_test(what_to_do_about_an_error_stands_behind_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
