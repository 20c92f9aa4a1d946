/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about judgments. */
#include "err_text.h"
#include "trec_fixture.h"
#include "trec/judgments.h"

static iv_judgments_format format_told(const char *text)
{
    iv_judgments *j = judgments_of(text, IV_JUDGMENTS_ANY);
    const iv_judgments_format format = iv_judgments_format_of(j);

    iv_judgments_free(j);
    return format;
}

static void qrels_are_read_field_by_field(void **state)
{
    (void)state;
    static const char text[] = "302 0 b 2\n301 Q0 a -1\n301 7 c +3\n301 0 d 0\n";

    assert_int_equal(format_told(text), IV_JUDGMENTS_QRELS);
    assert_reads(judgments_read(text, IV_JUDGMENTS_ANY), "301: a=-1 c=3 d=0\n302: b=2");
}

static void prels_are_read_field_by_field(void **state)
{
    (void)state;
    static const char text[] = "1 GX01 2 1 0.25\n1 GX02 0 0 1\n1 GX03 1 2 1e-3\n";
    const iv_judgment *judged;

    assert_int_equal(format_told(text), IV_JUDGMENTS_PRELS);
    assert_reads(judgments_read(text, IV_JUDGMENTS_ANY),
                 "1: GX01=2/0.25 GX02=0 GX03=1/0.001");
    iv_judgments *j = judgments_of(text, IV_JUDGMENTS_ANY);
    assert_int_equal(iv_judgments_of(&judged, j, 0), 3);
    assert_int_equal(judged[0].stratum, -1);
    assert_true(judged[1].pi == 1.0);
    iv_judgments_free(j);
}

static void stratified_judgments_are_read_field_by_field(void **state)
{
    (void)state;
    static const char text[] = "1 0 doc-1 1 2\n1 0 doc-2 0 -1\n1 0 doc-3 12 0\n";
    const iv_judgment *judged;

    assert_int_equal(format_told(text), IV_JUDGMENTS_STRATIFIED);
    assert_reads(judgments_read(text, IV_JUDGMENTS_ANY),
                 "1: doc-1=2#1 doc-2=-1#0 doc-3=0#12");
    iv_judgments *j = judgments_of(text, IV_JUDGMENTS_ANY);
    assert_int_equal(iv_judgments_of(&judged, j, 0), 3);
    assert_true(judged[0].pi == 1.0);
    iv_judgments_free(j);
}

static void beir_judgments_are_read_behind_their_header(void **state)
{
    (void)state;
    static const char text[] = "query-id\tcorpus-id\tscore\nq2\tc1\t1\nq1\tc9\t2\nq1\tc8\t0\n";

    assert_int_equal(format_told(text), IV_JUDGMENTS_BEIR);
    assert_reads(judgments_read(text, IV_JUDGMENTS_ANY), "q1: c9=2 c8=0\nq2: c1=1");
    assert_reads(judgments_read(text, IV_JUDGMENTS_BEIR), "q1: c9=2 c8=0\nq2: c1=1");
    /* Asked for, the header may be missing. */
    assert_reads(judgments_read("q2\tc1\t1\n", IV_JUDGMENTS_BEIR), "q2: c1=1");
}

static void comments_blanks_line_ends_and_a_byte_order_mark_change_nothing(void **state)
{
    (void)state;
    static const char *const variants[] = {
        "1 0 a 1\n1 0 b 0\n",
        "1 0 a 1\n1 0 b 0",
        "1 0 a 1\r\n1 0 b 0\r\n",
        ("\xef\xbb\xbf" "1 0 a 1\n1 0 b 0\n"),
        "\xef\xbb\xbf# made by hand\n1 0 a 1\n1 0 b 0\n",
        "# a comment\n1 0 a 1\n# 1 0 x 1\n1 0 b 0\n#\n",
        "#1 0 x 1\n1\t0\ta\t1\n\n \t \n1 \t0 b  0  \n\n",
    };

    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        assert_reads(judgments_read(variants[i], IV_JUDGMENTS_ANY), "1: a=1 b=0");
}

static void comment_lines_can_be_asked_for_one_by_one(void **state)
{
    (void)state;
    static const char *const want[] = { "# first", "#second # word", "#" };
    static const uint64_t lines[] = { 1, 4, 7 };
    iv_judgments *j = judgments_of("# first\r\n1 0 a 1\n\n#second # word\n1 0 b#c 0\n \n#",
                                   IV_JUDGMENTS_ANY);
    const iv_judgment *judged;
    iv_comment c = { 0 };

    for (size_t i = 0; i < 3; i++) {
        assert_true(iv_judgments_next_comment(&c, j));
        assert_int_equal(c.text.len, strlen(want[i]));
        assert_memory_equal(c.text.ptr, want[i], c.text.len);
        assert_int_equal(c.line, lines[i]);
    }
    assert_false(iv_judgments_next_comment(&c, j));
    assert_false(iv_judgments_next_comment(&c, j));
    assert_int_equal(iv_judgments_of(&judged, j, 0), 2);
    assert_int_equal(iv_judgments_line(j, &judged[0]), 2);
    assert_int_equal(iv_judgments_line(j, &judged[1]), 5);
    iv_judgments_free(j);
}

static void a_hash_is_a_comment_only_where_a_line_begins(void **state)
{
    (void)state;
    assert_reads(judgments_read("1 0 #a 1\n #2 0 b 1\n", IV_JUDGMENTS_ANY),
                 "#2: b=1\n1: #a=1");
}

static void judgments_keep_the_order_of_the_file_within_a_topic(void **state)
{
    (void)state;
    assert_reads(judgments_read("2 0 z 1\n1 0 c 1\n2 0 a 1\n1 0 a 1\n1 0 b 1\n",
                                IV_JUDGMENTS_ANY),
                 "1: c=1 a=1 b=1\n2: z=1 a=1");
}

static void grades_reach_from_a_million_below_to_a_million_above(void **state)
{
    (void)state;
    assert_reads(judgments_read("1 0 a 1000000\n1 0 b -1000000\n", IV_JUDGMENTS_ANY),
                 "1: a=1000000 b=-1000000");
}

static void a_document_is_found_in_its_topic_and_no_other(void **state)
{
    (void)state;
    enum { N = 3000 };
    char *text = malloc(N * 40);
    size_t len = 0;

    assert_non_null(text);
    for (int i = 0; i < N; i++)
        len += (size_t)sprintf(text + len, "%d 0 document-%d %d\n", i % 3, i, i % 5);
    iv_judgments *j = judgments_of(text, IV_JUDGMENTS_QRELS);
    for (int i = 0; i < N; i++) {
        char docno[40];
        (void)snprintf(docno, sizeof docno, "document-%d", i);
        for (size_t t = 0; t < 3; t++) {
            const iv_judgment *found = iv_judgments_find(j, t, iv_str_of(docno));
            if (t == (size_t)i % 3)
                assert_int_equal(found->grade, i % 5);
            else
                assert_null(found);
        }
    }
    assert_null(iv_judgments_find(j, 0, iv_str_of("")));
    assert_true(iv_judgments_find_topic(j, iv_str_of("3")) == IV_NONE);
    assert_int_equal(iv_judgments_find_topic(j, iv_str_of("2")), 2);
    assert_int_equal(iv_judgments_bytes(j), len);
    iv_judgments_free(j);
    iv_judgments_free(NULL);
    free(text);
}

static void five_fields_are_told_apart_by_all_lines(void **state)
{
    (void)state;
    /* Lines that fit both, and one that fits one. */
    assert_int_equal(format_told("1 10 0 1 1\n1 11 0 1 0.5\n"), IV_JUDGMENTS_PRELS);
    assert_int_equal(format_told("1 0 10 1 1\n1 0 11 1 0\n"), IV_JUDGMENTS_STRATIFIED);
    assert_int_equal(format_told("1 0 10 1 1\n1 0 d-11 1 1\n"), IV_JUDGMENTS_STRATIFIED);
    assert_int_equal(format_told("1 10 0 -1 1\n1 11 0 1 1\n"), IV_JUDGMENTS_PRELS);
    /* A document stands once in a topic: a column that repeats holds none. */
    assert_int_equal(format_told("1 a 0 1 1\n1 b 1 1 1\n1 c 0 1 1\n"), IV_JUDGMENTS_PRELS);
    assert_int_equal(format_told("1 0 10 1 1\n1 0 11 1 1\n"), IV_JUDGMENTS_STRATIFIED);
    /* Comments have no say. */
    assert_int_equal(format_told("#1 0 x 1 1\n#1 0 y 1 1\n1 10 0 1 0.5\n"),
                     IV_JUDGMENTS_PRELS);
}

static void what_could_be_both_is_refused_and_what_is_asked_for_is_read(void **state)
{
    (void)state;
    static const char both[] = "# five\n1 10 0 1 1\n1 11 3 1 1\n";
    iv_judgments *j = NULL;
    iv_err err = { IV_OK, "" };

    assert_int_equal(iv_judgments_parse(&j, "f", both, strlen(both), IV_JUDGMENTS_ANY, NULL,
                                        &err), IV_EPARSE);
    assert_null(j);
    assert_string_equal(err_text(&err), "f:2: these lines could be prels (topic docno grade method "
                        "pi) or stratified (topic iter docno stratum grade), expected one");
    assert_reads(judgments_read(both, IV_JUDGMENTS_PRELS), "1: 10=0 11=3");
    assert_reads(judgments_read(both, IV_JUDGMENTS_STRATIFIED), "1: 0=1#1 3=1#1");
}

static void a_probability_of_0_is_what_is_wrong_with_prels(void **state)
{
    (void)state;
    /* Whole numbers as the last field might be grades of strata. */
    static const char prels[] = "1 a 0 1 1\n1 b 0 1 0\n1 c 1 1 0\n1 d 0 1 0\n1 e 0 1 0\n";
    iv_judgments *j = NULL;
    iv_err err = { IV_OK, "" };

    assert_int_equal(iv_judgments_parse(&j, "f", prels, strlen(prels), IV_JUDGMENTS_ANY, NULL,
                                        &err), IV_EPARSE);
    assert_string_equal(err_text(&err), "f:2: inclusion probability '0', expected 0 < pi <= 1");
}

static void a_format_asked_for_overrides_what_the_file_looks_like(void **state)
{
    (void)state;
    static const char prels[] = "1 a 0 1 0.5\n";
    iv_judgments *j = NULL;
    iv_err err = { IV_OK, "" };

    assert_int_equal(iv_judgments_parse(&j, "f", prels, strlen(prels),
                                        IV_JUDGMENTS_STRATIFIED, NULL, &err), IV_EPARSE);
    assert_string_equal(err_text(&err),
                        "f:1: grade '0.5', expected a whole number between -1000000 and "
                        "1000000");
    assert_int_equal(iv_judgments_parse(&j, "f", prels, strlen(prels), IV_JUDGMENTS_QRELS,
                                        NULL, &err), IV_EPARSE);
    assert_string_equal(err_text(&err), "f:1: 5 fields, expected 4: topic iter docno grade");
}

static void judgments_are_the_same_plain_gzip_and_zstd(void **state)
{
    (void)state;
    static const char text[] = "1 0 a 1\n2 0 b 0\n";
    char *(*const packers[])(const char *, size_t *) = { gzipped, zstandard };

    for (size_t i = 0; i < 2; i++) {
        size_t len = strlen(text);
        char *packed = packers[i](text, &len);
        const char *path = temporary(i == 0 ? "qrels.gz" : "qrels.zst", packed, len);
        iv_judgments *j = NULL;
        assert_int_equal(iv_judgments_load(&j, path, IV_JUDGMENTS_ANY, NULL, NULL), IV_OK);
        assert_int_equal(iv_judgments_bytes(j), len);
        assert_reads(judgments_text(j), "1: a=1\n2: b=0");
        iv_judgments_free(j);
        free(packed);
    }
}

int judgments_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(qrels_are_read_field_by_field),
        cmocka_unit_test(prels_are_read_field_by_field),
        cmocka_unit_test(stratified_judgments_are_read_field_by_field),
        cmocka_unit_test(beir_judgments_are_read_behind_their_header),
        cmocka_unit_test(comments_blanks_line_ends_and_a_byte_order_mark_change_nothing),
        cmocka_unit_test(comment_lines_can_be_asked_for_one_by_one),
        cmocka_unit_test(a_hash_is_a_comment_only_where_a_line_begins),
        cmocka_unit_test(judgments_keep_the_order_of_the_file_within_a_topic),
        cmocka_unit_test(grades_reach_from_a_million_below_to_a_million_above),
        cmocka_unit_test(a_document_is_found_in_its_topic_and_no_other),
        cmocka_unit_test(five_fields_are_told_apart_by_all_lines),
        cmocka_unit_test(what_could_be_both_is_refused_and_what_is_asked_for_is_read),
        cmocka_unit_test(a_probability_of_0_is_what_is_wrong_with_prels),
        cmocka_unit_test(a_format_asked_for_overrides_what_the_file_looks_like),
        cmocka_unit_test(judgments_are_the_same_plain_gzip_and_zstd),
    };
    return cmocka_run_group_tests_name("judgments", tests, NULL, NULL);
}
