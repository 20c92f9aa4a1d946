/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about the neutral result; the name of a test is the claim. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "result/result_state.h"
#include "result_tests.h"
#include "base/digest.h"

static const iv_column columns[] = {
    { "run", IV_TEXT, 0 }, { "topics", IV_INTEGER, 0 }, { "value", IV_REAL, 4 },
    { "lower", IV_REAL, 4 }, { "upper", IV_REAL, 4 },
};

static iv_result *new_result(void)
{
    iv_result *r = NULL;

    assert_int_equal(iv_result_new(&r, "eval", NULL), IV_OK);
    return r;
}

static void what_is_put_is_read_back(void **state)
{
    (void)state;
    iv_result *r = new_result();
    iv_table *t = iv_result_table(r, "scores", columns, 5);
    const iv_column *back;

    iv_put_text(t, (iv_str){ "a\0b", 3 });
    iv_put_int(t, INT64_MIN);
    iv_put_real(t, 2.385);
    iv_put_missing(t);
    iv_put_real(t, NAN);
    assert_int_equal(iv_result_status(r, NULL), IV_OK);
    assert_int_equal(iv_result_tables(r), 1);
    assert_ptr_equal(iv_result_table_at(r, 0), t);
    assert_string_equal(iv_table_name(t), "scores");
    assert_int_equal(iv_table_columns(&back, t), 5);
    assert_string_equal(back[2].name, "value");
    assert_int_equal(back[2].digits, 4);
    assert_int_equal(iv_table_rows(t), 1);
    assert_int_equal(iv_table_cell(t, 0, 0).text.len, 3);
    assert_memory_equal(iv_table_cell(t, 0, 0).text.ptr, "a\0b", 3);
    assert_true(iv_table_cell(t, 0, 1).integer == INT64_MIN);
    assert_true(iv_table_cell(t, 0, 2).real == 2.385);
    assert_false(iv_table_cell(t, 0, 2).missing);
    assert_true(iv_table_cell(t, 0, 3).missing);
    assert_true(iv_table_cell(t, 0, 4).missing); /* not finite */
    iv_result_free(r);
}

static void all_text_is_copied(void **state)
{
    (void)state;
    char word[] = "map", path[] = "q.txt", name[] = "scores", column[] = "run";
    const iv_column own = { column, IV_TEXT, 0 };
    const iv_input *inputs;
    const iv_column *back;
    iv_result *r = new_result();

    iv_result_argument(r, word);
    iv_result_input(r, path, 12);
    iv_table *t = iv_result_table(r, name, &own, 1);
    iv_put_text(t, iv_str_of(word));
    iv_put_text(t, iv_str_of(word));
    memset(word, 'x', 3);
    memset(path, 'x', 5);
    memset(name, 'x', 6);
    memset(column, 'x', 3);
    assert_int_equal(r->arguments.count, 1);
    assert_string_equal(r->arguments.at[0], "map");
    assert_int_equal(iv_result_inputs(&inputs, r), 1);
    assert_string_equal(inputs[0].path, "q.txt");
    assert_int_equal(inputs[0].bytes, 12);
    assert_string_equal(iv_table_name(t), "scores");
    (void)iv_table_columns(&back, t);
    assert_string_equal(back[0].name, "run");
    for (size_t row = 0; row < 2; row++)
        assert_memory_equal(iv_table_cell(t, row, 0).text.ptr, "map", 3);
    iv_result_free(r);
}

static void numbers_that_round_to_0_have_no_sign_in_sentences(void **state)
{
    (void)state;
    const iv_note *list;
    iv_result *r = new_result();

    iv_result_answer(r, "%.4f to %.4f", -1e-6, -0.0001);
    assert_string_equal(iv_result_answer_text(r), "0.0000 to -0.0001");
    iv_result_note(r, "run-0.00 [%.2f, %.1e] (%.3f), -0.05 -0.0", -0.001, -0.0, -0.0);
    assert_int_equal(iv_result_notes(&list, r), 1);
    assert_string_equal(list[0].text, "run-0.00 [0.00, -0.0e+00] (0.000), -0.05 0.0");
    iv_result_free(r);
}

static void a_result_has_no_seed_answer_or_note_until_told(void **state)
{
    (void)state;
    const iv_note *list;
    iv_result *r = new_result();

    assert_string_equal(r->command, "eval");
    assert_false(r->has_seed);
    assert_null(iv_result_answer_text(r));
    assert_int_equal(iv_result_notes(&list, r), 0);
    iv_result_seed(r, UINT64_MAX);
    assert_true(r->has_seed);
    assert_true(r->seed == UINT64_MAX);
    iv_result_answer(r, "first");
    iv_result_answer(r, "B beats A by %.3f", 0.031);
    assert_string_equal(iv_result_answer_text(r), "B beats A by 0.031");
    iv_result_note(r, "%d topics left out", 3);
    iv_result_note(r, "ties");
    assert_int_equal(iv_result_notes(&list, r), 2);
    assert_string_equal(list[0].text, "3 topics left out");
    iv_result_free(r);
}

static void a_cell_of_the_wrong_kind_is_told_at_the_end(void **state)
{
    (void)state;
    iv_err err = { IV_OK, "" };
    iv_result *r = new_result();
    iv_table *t = iv_result_table(r, "scores", columns, 2);

    iv_put_text(t, iv_str_of("a"));
    iv_put_real(t, 1.5);
    iv_put_text(t, iv_str_of("b"));
    iv_put_int(t, 4);
    assert_int_equal(iv_result_status(r, &err), IV_EARG);
    assert_string_equal(err.msg, "table 'scores': column 'topics' holds an integer and "
                                 "was given a real number");
    assert_int_equal(iv_table_rows(t), 2); /* the rows keep their shape */
    assert_true(iv_table_cell(t, 0, 1).missing);
    assert_int_equal(iv_table_cell(t, 1, 1).integer, 4);
    iv_result_free(r);
}

static void a_row_that_is_not_full_is_told_at_the_end(void **state)
{
    (void)state;
    iv_err err = { IV_OK, "" };
    iv_result *r = new_result();
    iv_table *t = iv_result_table(r, "scores", columns, 3);

    iv_put_text(t, iv_str_of("a"));
    assert_int_equal(iv_result_status(r, &err), IV_EARG);
    assert_string_equal(err.msg, "table 'scores': the last row has 1 cells of 3");
    assert_int_equal(iv_table_rows(t), 0);
    iv_put_int(t, 1);
    iv_put_real(t, 0.5);
    assert_int_equal(iv_result_status(r, &err), IV_OK);
    iv_result_free(r);
}

static void only_columns_of_reals_can_be_drawn(void **state)
{
    (void)state;
    iv_err err = { IV_OK, "" };
    iv_result *r = new_result();
    iv_table *t = iv_result_table(r, "scores", columns, 5);
    char lower[] = "lower";

    assert_null(iv_table_drawn(t));
    iv_table_draw(t, (iv_drawn){ NULL, lower, "upper", 0.0, 1.0 });
    memset(lower, 'x', 5);
    assert_string_equal(iv_table_drawn(t)->lower, "lower");
    assert_null(iv_table_drawn(t)->value);
    assert_int_equal(iv_result_status(r, &err), IV_OK);
    iv_table_draw(t, (iv_drawn){ "topics", "lower", "upper", 0.0, 1.0 });
    assert_int_equal(iv_result_status(r, &err), IV_EARG);
    assert_string_equal(err.msg,
                        "table 'scores' has no column 'topics' of real numbers to draw");
    iv_result_free(r);
}

static void many_rows_are_kept(void **state)
{
    (void)state;
    char name[32];
    iv_result *r = new_result();
    iv_table *t = iv_result_table(r, "scores", columns, 2);

    for (int i = 0; i < 20000; i++) {
        (void)snprintf(name, sizeof name, "run%d", i / 7);
        iv_put_text(t, iv_str_of(name));
        iv_put_int(t, i);
    }
    assert_int_equal(iv_result_status(r, NULL), IV_OK);
    assert_int_equal(iv_table_rows(t), 20000);
    const iv_cell cell = iv_table_cell(t, 19999, 0);
    assert_int_equal(cell.text.len, 7);
    assert_memory_equal(cell.text.ptr, "run2857", 7);
    iv_result_free(r);
    iv_result_free(NULL);
}

/* A claim that recall is at least 0.5, with these limits. */
static iv_claim at_least(double lower, double upper)
{
    return (iv_claim){ .measure = "recall", .bound = 0.5, .estimate = NAN, .lower = lower,
                       .upper = upper, .p = NAN, .p_contrary = NAN, .level = 0.05 };
}

static void a_verdict_is_that_of_all_claims(void **state)
{
    (void)state;
    iv_result *r = new_result();
    const iv_claim shown = at_least(0.6, 0.9), open = at_least(0.4, 0.9);
    const iv_claim otherwise = at_least(0.1, 0.3);
    const iv_claim *claims = NULL;
    size_t count = 9;

    assert_int_equal(iv_result_has_verdict(&claims, &count, r), IV_VERDICT_NONE);
    assert_int_equal(count, 0);
    iv_result_claim(r, &shown);
    assert_int_equal(iv_result_has_verdict(NULL, NULL, r), IV_VERDICT_SHOWN);
    iv_result_claim(r, &open);
    iv_result_claim(r, &shown);
    assert_int_equal(iv_result_has_verdict(NULL, NULL, r), IV_VERDICT_OPEN);
    iv_result_answer(r, "PASSAGE is best.");
    iv_result_gate(r, false);
    assert_string_equal(iv_result_answer_text(r), "INCONCLUSIVE: PASSAGE is best.");
    iv_result_gate(r, true);
    assert_int_equal(iv_result_has_verdict(NULL, NULL, r), IV_VERDICT_SHOWN);
    assert_string_equal(iv_result_answer_text(r), "PASS (--gate-on worse): PASSAGE is best.");
    iv_result_claim(r, &otherwise);
    iv_result_gate(r, true);
    assert_int_equal(iv_result_has_verdict(&claims, &count, r), IV_VERDICT_OTHERWISE);
    assert_int_equal(count, 4);
    assert_string_equal(claims[0].text, "recall is at least 0.5");
    assert_int_equal(claims[1].verdict, IV_VERDICT_SHOWN);
    assert_null(iv_verdict_name(IV_VERDICT_NONE));
    assert_string_equal(iv_verdict_name(IV_VERDICT_OTHERWISE), "FAIL");
    iv_result_failed(r);
    assert_int_equal(iv_result_has_verdict(NULL, NULL, r), IV_VERDICT_ERROR);
    assert_string_equal(iv_claim_kind_names()[IV_CLAIM_NOT_WORSE], "not worse");
    assert_string_equal(iv_claim_strength_names()[IV_STRENGTH_GUARANTEED], "guaranteed");
    iv_result_free(r);
}

static void a_claim_is_decided_by_p_and_otherwise_by_limits(void **state)
{
    (void)state;
    iv_claim c = { .kind = IV_CLAIM_NOT_WORSE, .baseline = "b", .bound = 0.05, .lower = -0.04,
                   .upper = 0.02, .p = NAN, .p_contrary = NAN, .level = 0.05 };

    assert_int_equal(iv_claim_decide(&c), IV_VERDICT_SHOWN);
    c.lower = -0.06;
    assert_int_equal(iv_claim_decide(&c), IV_VERDICT_OPEN);
    c.upper = -0.051;
    assert_int_equal(iv_claim_decide(&c), IV_VERDICT_OTHERWISE);
    c.p = 0.04;
    c.p_contrary = 0.9;
    assert_int_equal(iv_claim_decide(&c), IV_VERDICT_SHOWN);
    c.level = 0.025; /* two candidates */
    assert_int_equal(iv_claim_decide(&c), IV_VERDICT_OPEN);
    c.p_contrary = 0.01;
    assert_int_equal(iv_claim_decide(&c), IV_VERDICT_OTHERWISE);
    c.withheld = "unjudged documents";
    assert_int_equal(iv_claim_decide(&c), IV_VERDICT_OTHERWISE);
    c.unknown = true;
    assert_int_equal(iv_claim_decide(&c), IV_VERDICT_OPEN);
    c = (iv_claim){ .kind = IV_CLAIM_BELOW, .bound = 0.02, .lower = 0.001, .upper = 0.019,
                    .p = NAN, .p_contrary = NAN, .level = 0.05 };
    assert_int_equal(iv_claim_decide(&c), IV_VERDICT_SHOWN);
    c.lower = c.upper = 0.02;
    assert_int_equal(iv_claim_decide(&c), IV_VERDICT_OTHERWISE);
    c = (iv_claim){ .p = NAN, .p_contrary = NAN, .lower = NAN, .upper = NAN, .level = 0.05 };
    assert_int_equal(iv_claim_decide(&c), IV_VERDICT_OPEN);
}

static void details_are_kept_in_the_order_they_came(void **state)
{
    (void)state;
    iv_result *r = new_result();

    assert_int_equal(r->details.count, 0);
    iv_result_detail(r, "matter", "A v. B");
    iv_result_detail(r, "date", "2026-11-15");
    assert_int_equal(r->details.count, 2);
    assert_string_equal(r->detail_names.at[0], "matter");
    assert_string_equal(r->details.at[1], "2026-11-15");
    iv_result_free(r);
}

/* The vectors of FIPS 180-4's examples, and lengths around the ends of blocks by
 * sha256sum. */
static void sha256_is_that_of_the_standard(void **state)
{
    (void)state;
    static const char million[] =
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";
    char out[IV_SHA256_SIZE], *many = malloc(1000000);

    assert_string_equal(iv_sha256(out, "", 0),
                        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_string_equal(iv_sha256(out, "abc", 3),
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_string_equal(
        iv_sha256(out, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56),
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    assert_non_null(many);
    memset(many, 'a', 1000000);
    assert_string_equal(iv_sha256(out, many, 1000000), million);
    assert_string_equal(iv_sha256(out, many, 55), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    assert_string_equal(iv_sha256(out, many, 64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
    free(many);
}

static void inputs_get_the_digests_of_files_that_were_read(void **state)
{
    (void)state;
    iv_result *r = new_result();
    iv_digests *d = NULL;
    const iv_input *inputs;
    char sha256[IV_SHA256_SIZE];

    assert_int_equal(iv_digests_new(&d, NULL), IV_OK);
    assert_int_equal(iv_digests_put(d, "a", iv_sha256(sha256, "abc", 3), NULL), IV_OK);
    assert_int_equal(iv_digests_put(d, "a", "other", NULL), IV_OK); /* the first counts */
    assert_null(iv_digests_find(d, "b"));
    iv_result_input(r, "a", 3);
    iv_result_input(r, "b", 3);
    iv_result_digests(r, d);
    assert_int_equal(iv_result_inputs(&inputs, r), 2);
    assert_string_equal(inputs[0].sha256, iv_digests_find(d, "a"));
    assert_memory_equal(inputs[0].sha256, "ba7816bf", 8);
    assert_null(inputs[1].sha256);
    iv_digests_free(d);
    iv_digests_free(NULL);
    iv_result_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_put_is_read_back),
        cmocka_unit_test(all_text_is_copied),
        cmocka_unit_test(numbers_that_round_to_0_have_no_sign_in_sentences),
        cmocka_unit_test(a_result_has_no_seed_answer_or_note_until_told),
        cmocka_unit_test(a_cell_of_the_wrong_kind_is_told_at_the_end),
        cmocka_unit_test(a_row_that_is_not_full_is_told_at_the_end),
        cmocka_unit_test(only_columns_of_reals_can_be_drawn),
        cmocka_unit_test(many_rows_are_kept),
        cmocka_unit_test(a_verdict_is_that_of_all_claims),
        cmocka_unit_test(a_claim_is_decided_by_p_and_otherwise_by_limits),
        cmocka_unit_test(details_are_kept_in_the_order_they_came),
        cmocka_unit_test(sha256_is_that_of_the_standard),
        cmocka_unit_test(inputs_get_the_digests_of_files_that_were_read),
    };
    const int result = cmocka_run_group_tests_name("result", tests, NULL, NULL);

    return result + result_rows_tests() != 0;
}
