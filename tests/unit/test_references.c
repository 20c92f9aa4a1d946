/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about the papers that answers rest on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "intervale/answer.h"

static void a_command_cites_papers_that_are_there(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "compare", "eval", "incomplete", "measures", "next", "plan cost", "plan pilot",
        "plan power", "plan recall", "plan sample", "plan topics", "prf", "recall", "sample",
        "simulate", "study coverage", "study judging", "study map", "study power", "study prf",
        "study recall", "study sampling" };
    const iv_citation *cited;

    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        const size_t count = iv_citations(&cited, commands[i]);
        assert_true(count > 0);
        for (size_t k = 0; k < count; k++) {
            char entry[64];
            const iv_reference *paper = iv_reference_find(cited[k].key);
            assert_non_null(paper);
            (void)snprintf(entry, sizeof entry, "{%s,", paper->key);
            assert_non_null(strstr(paper->bibtex, entry));
            assert_true(strlen(paper->text) + 80 < IV_CITATION_SIZE);
            assert_string_equal(cited[k].command, commands[i]);
            /* The library does not know the tool's options. */
            assert_true(cited[k].role == NULL || strstr(cited[k].role, "--") == NULL);
        }
    }
    assert_int_equal(iv_citations(&cited, "check"), 0);
    assert_null(iv_reference_find("nobody1900nothing"));
}

static void a_result_takes_the_references_of_a_command(void **state)
{
    (void)state;
    const char *const *texts;
    char text[IV_CITATION_SIZE];
    const iv_citation *cited;
    iv_result *r = NULL;

    assert_int_equal(iv_result_new(&r, "recall", NULL), IV_OK);
    iv_result_cite(r, "recall");
    const size_t count = iv_citations(&cited, "recall");
    assert_int_equal(iv_result_references(&texts, r), count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(texts[i], iv_citation_text(text, &cited[i]));
    assert_non_null(strstr(texts[1], "513-517. (for the method koopman)"));
    iv_result_free(r);
}

static void an_answer_cites_what_was_asked_for(void **state)
{
    static const int64_t seen[] = { 1000, 100, 50 }, other[] = { 9000, 500, 3 };
    const struct {
        iv_recall_question q;
        const char *papers[2]; /* a word of each */
    } cases[] = {
        { { .retrieved = { seen, 3 }, .unretrieved = { other, 3 } }, { "Webber", NULL } },
        { { .retrieved = { seen, 3 }, .unretrieved = { other, 3 }, .method = IV_RECALL_KOOPMAN },
          { "Webber", "Koopman" } },
        { { .unretrieved = { other, 3 } }, { "Clopper", NULL } },
    };
    const char *const *texts;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        iv_result *r = NULL;
        assert_int_equal(iv_result_new(&r, "recall", NULL), IV_OK);
        assert_int_equal(iv_answer_recall(r, &cases[i].q, NULL, NULL), IV_OK);
        const size_t count = iv_result_references(&texts, r);
        assert_int_equal(count, 1 + (cases[i].papers[1] != NULL));
        for (size_t k = 0; k < count; k++)
            assert_non_null(strstr(texts[k], cases[i].papers[k]));
        iv_result_free(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_cites_papers_that_are_there),
        cmocka_unit_test(a_result_takes_the_references_of_a_command),
        cmocka_unit_test(an_answer_cites_what_was_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
