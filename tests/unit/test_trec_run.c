/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about runs. */
#include "err_text.h"
#include "trec_fixture.h"
#include "trec/run.h"
#include "trec/run_records.h"

#include <fcntl.h>
#include <unistd.h>

static void a_trec_run_is_read_field_by_field(void **state)
{
    (void)state;
    iv_run *run = run_of("301 Q0 FT911-3 1 12.5 mytag\n301 Q0 FT911-4 2 -3e-2 mytag\n");

    assert_int_equal(run->format, IV_RUN_TREC);
    assert_int_equal(iv_run_topics(run), 1);
    assert_int_equal(iv_run_depth(run, 0), 2);
    assert_int_equal(iv_run_bytes(run), 57);
    assert_true(iv_run_score(run, 0, 0) == 12.5);
    assert_true(iv_run_score(run, 0, 1) == -3e-2);
    iv_run_free(run);
    assert_reads(run_read("301 Q0 FT911-3 1 12.5 mytag\n301 Q0 FT911-4 2 -3e-2 mytag\n"),
                 "mytag\n301: FT911-3=12.5 FT911-4=-0.029999999999999999");
}

static void an_ms_marco_run_scores_minus_the_rank_and_has_no_tag(void **state)
{
    (void)state;
    iv_run *run = run_of("1048585\t7187158\t3\n1048585\t7187157\t1\n2\t9\t0\n");

    assert_int_equal(run->format, IV_RUN_MSMARCO);
    assert_int_equal(iv_run_tag(run).len, 0);
    iv_run_free(run);
    assert_reads(run_read("1048585\t7187158\t3\n1048585\t7187157\t1\n2\t9\t0\n"),
                 "\n1048585: 7187157=-1 7187158=-3\n2: 9=-0");
}

static void documents_rank_by_score_then_by_docno_last_first(void **state)
{
    (void)state;
    assert_reads(run_read("1 Q0 a 1 1 t\n1 Q0 b 2 1 t\n1 Q0 c 3 2 t\n1 Q0 ab 4 1 t\n"
                          "1 Q0 B 5 1 t\n1 Q0 \xc3\xa9 6 1 t\n1 Q0 10 7 1 t\n1 Q0 9 8 1 t\n"),
                 "t\n1: c=2 \xc3\xa9=1 b=1 ab=1 a=1 B=1 9=1 10=1");
    assert_reads(run_read("1 Q0 a 1 0 t\n1 Q0 b 2 -0 t\n1 Q0 c 3 0.0 t\n"),
                 "t\n1: c=0 b=-0 a=0");
}

static void the_rank_column_does_not_matter(void **state)
{
    (void)state;
    assert_reads(run_read("1 Q0 a 9 3 t\n1 Q0 b x 2 t\n1 Q0 c 9 1 t\n1 Q0 d -1 0 t\n"),
                 "t\n1: a=3 b=2 c=1 d=0");
}

static void topics_come_in_byte_order_whatever_the_file_has(void **state)
{
    (void)state;
    assert_reads(run_read("9 Q0 a 1 1 t\n10 Q0 a 1 1 t\nB Q0 a 1 1 t\n\xff Q0 a 1 1 t\n"
                          "a Q0 a 1 1 t\n1 Q0 a 1 1 t\n"),
                 "t\n1: a=1\n10: a=1\n9: a=1\nB: a=1\na: a=1\n\xff: a=1");
}

static void interleaved_topics_are_put_together(void **state)
{
    (void)state;
    assert_reads(run_read("2 Q0 a 1 5 t\n1 Q0 a 1 1 t\n2 Q0 b 1 6 t\n1 Q0 b 1 2 t\n"
                          "2 Q0 c 1 4 t\n3 Q0 c 1 4 t\n"),
                 "t\n1: b=2 a=1\n2: b=6 a=5 c=4\n3: c=4");
}

static void blanks_tabs_line_ends_and_a_byte_order_mark_change_nothing(void **state)
{
    (void)state;
    static const char *const variants[] = {
        "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n",
        "1 Q0 a 1 2 t\n1 Q0 b 2 1 t",
        "1 Q0 a 1 2 t\r\n1 Q0 b 2 1 t\r\n",
        "1 Q0 a 1 2 t\r\n1 Q0 b 2 1 t",
        ("\xef\xbb\xbf" "1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n"),
        "1\tQ0\ta\t1\t2\tt\n1\tQ0\tb\t2\t1\tt\n",
        "  1  Q0 \t a 1 2 t  \n\t1 Q0 b 2 1 t\t\n",
        "\n\n1 Q0 a 1 2 t\n\n \t\r\n1 Q0 b 2 1 t\n\n\n",
        "1 Q0 a 1 2 t\v\n1\fQ0 b 2 1 t\n",
        "1 Q0 b 2 1 t\n1 Q0 a 1 2 t\n",
        "1 Q0 a 1 2 t\n1 Q0 b 2 1 other\n",
        "1 Q0 a 1 +2.0 t\n1 0 b 2 10e-1 t\n",
    };

    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        assert_reads(run_read(variants[i]), "t\n1: a=2 b=1");
}

static void a_control_byte_or_any_other_byte_is_part_of_a_field(void **state)
{
    (void)state;
    assert_reads(run_read("1 Q0 a\x01z 1 2 t\n1 Q0 \xff\xfe\x7f 2 1 t\n"),
                 "t\n1: a\x01z=2 \xff\xfe\x7f=1");
}

static void a_line_like_the_last_but_for_its_end_is_still_read_right(void **state)
{
    (void)state;
    /* Same topic, iteration and tag as before, or nearly so: the reader has a
     * short cut for such lines. */
    assert_reads(run_read("1 Q0 a 1 9 tag\n1 Q0 b 1 8 tag\n1 Q0 c 1 7 tagg\n"
                          "1 Q0 d 1 6 ta\n1 Q0 e 1 5 tag \n1 Q0 f 1 4 tag\r\n"
                          "1 Q00 g 1 3 tag\n11 Q0 h 1 2 tag\n1 Q0  i 1 1 tag\n"
                          "1 Q0 j 1 0 tag"),
                 "tag\n1: a=9 b=8 c=7 d=6 e=5 f=4 g=3 i=1 j=0\n11: h=2");
}

static void comments_and_text_behind_the_tag_are_passed_over_as_trec_eval_10_does(void **state)
{
    (void)state;
    assert_reads(run_read("# a header: with six or more words\n1 Q0 a 1 9 tag\n"
                          "1 Q0 b 1 8 tag and more\n1 Q0 c 1 7 tag\n # 1 Q0 d 1 6 tag\n"
                          "1 Q0 #e 1 5 tag more \r\n"),
                 "tag\n1: a=9 b=8 c=7 #e=5");
}

static void a_long_shuffled_topic_is_ranked_as_a_plain_sort_ranks_it(void **state)
{
    (void)state;
    enum { N = 5000 };
    char *text = malloc(N * 40);
    size_t len = 0;
    uint64_t seed = 7;
    bool drawn[N] = { false };

    assert_non_null(text);
    for (int i = 0; i < N; i++) {
        uint32_t id = random_below(&seed, N);
        while (drawn[id])
            id = (id + 1) % N;
        drawn[id] = true;
        len += (size_t)sprintf(text + len, "t Q0 d%u 0 %u r\n", id, random_below(&seed, 50));
    }
    iv_run *run = run_of(text);
    assert_int_equal(iv_run_depth(run, 0), N);
    for (size_t r = 1; r < N; r++) {
        const double above = iv_run_score(run, 0, r - 1), below = iv_run_score(run, 0, r);
        assert_true(above > below
                    || (above == below
                        && iv_str_cmp(iv_run_docno(run, 0, r - 1),
                                      iv_run_docno(run, 0, r)) > 0));
    }
    iv_run_free(run);
    free(text);
}

static void a_topic_is_found_by_its_id_and_only_by_it(void **state)
{
    (void)state;
    iv_run *run = run_of("b Q0 a 1 1 t\na Q0 a 1 1 t\nc Q0 a 1 1 t\n");

    assert_int_equal(iv_run_find_topic(run, iv_str_of("a")), 0);
    assert_int_equal(iv_run_find_topic(run, iv_str_of("b")), 1);
    assert_int_equal(iv_run_find_topic(run, iv_str_of("c")), 2);
    assert_true(iv_run_find_topic(run, iv_str_of("")) == IV_NONE);
    assert_true(iv_run_find_topic(run, iv_str_of("aa")) == IV_NONE);
    assert_true(iv_run_find_topic(run, iv_str_of("d")) == IV_NONE);
    iv_run_free(run);
    iv_run_free(NULL);
}

static void a_format_that_was_asked_for_is_not_guessed(void **state)
{
    (void)state;
    static const char six[] = "1 Q0 a 1 1 t\n", three[] = "1 a 1\n";
    iv_run *run = NULL;

    assert_int_equal(iv_run_parse(&run, "r", six, 13, IV_RUN_TREC, NULL, NULL), IV_OK);
    iv_run_free(run);
    assert_int_equal(iv_run_parse(&run, "r", three, 6, IV_RUN_MSMARCO, NULL, NULL), IV_OK);
    iv_run_free(run);
    run = NULL;
    assert_int_equal(iv_run_parse(&run, "r", six, 13, IV_RUN_MSMARCO, NULL, NULL), IV_EPARSE);
    assert_int_equal(iv_run_parse(&run, "r", three, 6, IV_RUN_TREC, NULL, NULL), IV_EPARSE);
    assert_null(run);
}

/* Feeds the bytes to standard input, from a file or through a pipe. */
static char *read_from_stdin(const char *path, const char *bytes, size_t len)
{
    const int saved = dup(STDIN_FILENO);
    int ends[2] = { -1, -1 };
    iv_run *run = NULL;

    if (path != NULL) {
        ends[0] = open(path, O_RDONLY);
    } else {
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], bytes, len), len); /* fits the pipe */
        (void)close(ends[1]);
    }
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    (void)close(ends[0]);
    const int rc = iv_run_load(&run, "-", IV_RUN_ANY, NULL, NULL);
    if (saved >= 0) {
        (void)dup2(saved, STDIN_FILENO);
        (void)close(saved);
    }
    assert_int_equal(rc, IV_OK);
    assert_int_equal(iv_run_bytes(run), len);
    char *text = run_text(run);
    iv_run_free(run);
    return text;
}

static void a_run_is_the_same_plain_gzip_zstd_and_from_standard_input(void **state)
{
    (void)state;
    static const char text[] = "2 Q0 a 1 1 t\n1 Q0 b 1 2 t\n1 Q0 c 1 3 t\n";
    static const char expected[] = "t\n1: c=3 b=2\n2: a=1";
    const struct { const char *name; char *(*pack)(const char *, size_t *); } kinds[] = {
        { "plain.gz", NULL }, { "gzip", gzipped }, { "zstd.txt", zstandard },
    };

    for (size_t i = 0; i < 3; i++) {
        size_t len = strlen(text);
        char *packed = kinds[i].pack == NULL ? strdup(text) : kinds[i].pack(text, &len);
        const char *path = temporary(kinds[i].name, packed, len);
        iv_run *run = NULL;
        assert_int_equal(iv_run_load(&run, path, IV_RUN_ANY, NULL, NULL), IV_OK);
        assert_int_equal(iv_run_bytes(run), len); /* as kept */
        assert_reads(run_text(run), expected);
        iv_run_free(run);
        assert_int_equal(iv_run_parse(&run, "r", packed, len, IV_RUN_ANY, NULL, NULL), IV_OK);
        assert_reads(run_text(run), expected);
        iv_run_free(run);
        assert_reads(read_from_stdin(path, packed, len), expected);
        assert_reads(read_from_stdin(NULL, packed, len), expected);
        free(packed);
    }
}

static void what_the_system_refuses_is_told_with_the_name(void **state)
{
    (void)state;
    iv_run *run = NULL;
    iv_err err = { IV_OK, "" };

    assert_int_equal(iv_run_load(&run, "/no/such/run", IV_RUN_ANY, NULL, &err), IV_EIO);
    assert_string_equal(err_text(&err), "/no/such/run: cannot read: No such file or directory");
    assert_int_equal(iv_run_load(&run, "/tmp", IV_RUN_ANY, NULL, &err), IV_EIO);
    assert_string_equal(err_text(&err), "/tmp: cannot read: it is a directory");
    assert_null(run);
}

int runs_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trec_run_is_read_field_by_field),
        cmocka_unit_test(an_ms_marco_run_scores_minus_the_rank_and_has_no_tag),
        cmocka_unit_test(documents_rank_by_score_then_by_docno_last_first),
        cmocka_unit_test(the_rank_column_does_not_matter),
        cmocka_unit_test(topics_come_in_byte_order_whatever_the_file_has),
        cmocka_unit_test(interleaved_topics_are_put_together),
        cmocka_unit_test(blanks_tabs_line_ends_and_a_byte_order_mark_change_nothing),
        cmocka_unit_test(a_control_byte_or_any_other_byte_is_part_of_a_field),
        cmocka_unit_test(a_line_like_the_last_but_for_its_end_is_still_read_right),
        cmocka_unit_test(comments_and_text_behind_the_tag_are_passed_over_as_trec_eval_10_does),
        cmocka_unit_test(a_long_shuffled_topic_is_ranked_as_a_plain_sort_ranks_it),
        cmocka_unit_test(a_topic_is_found_by_its_id_and_only_by_it),
        cmocka_unit_test(a_format_that_was_asked_for_is_not_guessed),
        cmocka_unit_test(a_run_is_the_same_plain_gzip_zstd_and_from_standard_input),
        cmocka_unit_test(what_the_system_refuses_is_told_with_the_name),
    };
    return cmocka_run_group_tests_name("runs", tests, NULL, NULL);
}
