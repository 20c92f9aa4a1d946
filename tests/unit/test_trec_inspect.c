/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about the inspection. */
#include "err_text.h"
#include "trec_fixture.h"
#include "trec/inspection.h"
#include "base/bytes.h"

static iv_inspector *inspect(const char *text, iv_judgments_format format, size_t most)
{
    iv_inspector *i = NULL;
    iv_bytes bytes = exact_bytes(text, strlen(text));

    assert_int_equal(iv_inspect_bytes(&i, &bytes, format, most, NULL, "file", NULL), IV_OK);
    return i;
}

/* All problems, one a line, errors marked. */
static char *problems_of(const char *text)
{
    iv_inspector *i = inspect(text, IV_JUDGMENTS_ANY, SIZE_MAX);
    const iv_inspector *v = i;
    char *written = NULL;
    size_t size;
    FILE *out = open_memstream(&written, &size);

    assert_non_null(out);
    for (size_t k = 0; k < v->problems.count; k++)
        (void)fprintf(out, "%s%llu%s %s", k > 0 ? "\n" : "",
                      (unsigned long long)v->problems.items[k].line,
                      v->problems.items[k].error ? "!" : "?", v->problems.items[k].message);
    (void)fclose(out);
    assert_int_equal(v->problems.errors + v->problems.warnings, v->problems.count);
    iv_inspector_free(i);
    return written;
}

static void a_run_is_described(void **state)
{
    (void)state;
    iv_inspector *i = inspect("2 Q0 a 1 3 x\n2 Q0 b 2 3 x\n2 Q0 c 3 1 x\n1 Q0 a 1 9 x\n"
                              "1 Q0 d 2 9 x\n\n", IV_JUDGMENTS_ANY, 10);
    const iv_inspector *v = i;

    assert_int_equal(v->kind, IV_FILE_RUN);
    assert_string_equal(v->format, "TREC run");
    assert_string_equal(v->packing, "plain");
    assert_string_equal(v->tag, "x");
    assert_int_equal(v->tags, 1);
    assert_int_equal(v->bytes, 66);
    assert_int_equal(v->lines, 5);
    assert_int_equal(v->records, 5);
    assert_int_equal(v->topics, 2);
    assert_int_equal(v->documents, 4);
    assert_int_equal(v->ties, 4);
    assert_int_equal(v->duplicates, 0);
    assert_true(v->score_order);
    assert_int_equal(v->problems.errors, 0);
    assert_int_equal(iv_str_cmp(v->topic_ids[0], iv_str_of("1")), 0);
    assert_int_equal(iv_str_cmp(v->topic_ids[1], iv_str_of("2")), 0);
    iv_inspector_free(i);
    iv_inspector_free(NULL);
}

static void judgments_are_described(void **state)
{
    (void)state;
    iv_inspector *i = inspect("# c\n1 0 a 2\n1 0 b -1\n2 0 a 0\n2 0 c 1\n", IV_JUDGMENTS_ANY, 10);
    const iv_inspector *v = i;

    assert_int_equal(v->kind, IV_FILE_JUDGMENTS);
    assert_string_equal(v->format, "qrels");
    assert_int_equal(v->lines, 5);
    assert_int_equal(v->records, 4);
    assert_int_equal(v->topics, 2);
    assert_int_equal(v->documents, 3);
    assert_int_equal(v->grade_min, -1);
    assert_int_equal(v->grade_max, 2);
    assert_int_equal(v->relevant, 2);
    assert_int_equal(v->unjudged, 1);
    assert_int_equal(v->problems.errors + v->problems.warnings, 0);
    iv_inspector_free(i);
}

static void the_kind_is_told_by_content(void **state)
{
    (void)state;
    static const struct { const char *text; iv_file_kind kind; const char *format; } cases[] = {
        { "1 Q0 a 1 1 t\n", IV_FILE_RUN, "TREC run" },
        { "1\ta\t1\n", IV_FILE_RUN, "MS MARCO run" },
        { "1 0 a 1\n", IV_FILE_JUDGMENTS, "qrels" },
        { "1 0 a 1\n1 0 b 1\n1 1 a 1\n", IV_FILE_JUDGMENTS, "qrels by groups" },
        { "1 0 a 1\n1 1 b 1\n1 0 a 1\n", IV_FILE_JUDGMENTS, "qrels" },
        { "1 a 1 1 0.5\n", IV_FILE_JUDGMENTS, "prels" },
        { "1 0 a 1 -1\n", IV_FILE_JUDGMENTS, "stratified qrels" },
        { "1 1 1 1 1\n", IV_FILE_JUDGMENTS, "judgments" },
        { "query-id\tcorpus-id\tscore\nq\td\t1\n", IV_FILE_JUDGMENTS, "BEIR qrels" },
        { "run,301,302\nA,0.5,0.25\n", IV_FILE_MATRIX, "matrix of numbers" },
        { "A,B\n0.5,0.25\n", IV_FILE_MATRIX, "matrix of numbers" },
        { "topic\tA\tB\n301\t0.5\t0.25\n", IV_FILE_MATRIX, "matrix of numbers" },
        { "id,gold,a\n1,yes,no\n", IV_FILE_TABLE, "table" },
        { "id;gold;a\n1;yes;no\n", IV_FILE_TABLE, "table" },
        { "sep=;\nid;gold;a\n1;yes;no\n", IV_FILE_TABLE, "table" },
        { "id;score\na;0,5\nb;0,25\n", IV_FILE_MATRIX, "matrix of numbers" },
        { "id gold a b c d e\n1 x x x x x x\n", IV_FILE_TABLE, "table" },
        { "score\nyes\n", IV_FILE_TABLE, "table" },
        { "TY  - JOUR\nTI  - A title\nER  - \n", IV_FILE_REFERENCES, "references (RIS)" },
        { "\nPMID- 1\nTI  - A title\n", IV_FILE_REFERENCES, "references (NBIB)" },
        { "SQLite format 3", IV_FILE_UNKNOWN, "unknown" },
        { "hello\n", IV_FILE_UNKNOWN, "unknown" },
        { "", IV_FILE_UNKNOWN, "unknown" },
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        iv_inspector *i = inspect(cases[k].text, IV_JUDGMENTS_ANY, 10);
        assert_int_equal(i->kind, cases[k].kind);
        assert_string_equal(i->format, cases[k].format);
        iv_inspector_free(i);
    }
    iv_inspector *i = inspect("1 1 1 1 1\n", IV_JUDGMENTS_PRELS, 10);
    assert_string_equal(i->format, "prels");
    assert_int_equal(i->problems.errors, 0);
    iv_inspector_free(i);
}

static void every_error_is_listed_at_its_line(void **state)
{
    (void)state;
    assert_reads(problems_of("1 Q0 a 1 x t\n1 Q0 b 1 1\n1 Q0 c 1 1 t\n1 Q0 c 1 2 t\n"
                             "1 Q0 d 1 nan t\n"),
                 "1! score 'x', expected a finite number\n"
                 "2! 5 fields, expected 6: topic Q0 docno rank score tag\n"
                 "4! document 'c' of topic '1' is a duplicate of line 3; expected one line per document\n"
                 "5! score 'nan', expected a finite number");
    /* of subtopics: what repeats within one, and else a warning; as qrels an error says so */
    assert_reads(problems_of("1 x a 1\n1 y a 0\n1 z a 1\n1 x b 1\n1 y b 1\n1 x b 0\n"),
                 "2? a document of its topic is repeated with another second column on this line and 3 "
                 "more lines; such lines are read as judgments by groups (subtopics, judges)\n"
                 "6! document 'b' is repeated in group 'x' of topic '1'; expected one line per document");
    assert_reads(problems_of("1 x a 1\n1 y a 0\n1 x b 1\n1 x b 0\n"),
                 "2! document 'a' of topic '1' is a duplicate of line 1 with another second column; "
                 "expected one line per document unless they are in groups (subtopics, judges)\n"
                 "4! document 'b' of topic '1' is a duplicate of line 3; expected one line per document");
    assert_reads(problems_of("1 0 a 1\n1 0 a 1.5\n1 0 b\n2 0 a 1\n1 0 a 2\n"),
                 "2! grade '1.5', expected a whole number between -1000000 and 1000000\n"
                 "3! 3 fields, expected 4: topic iter docno grade\n"
                 "5! document 'a' of topic '1' is a duplicate of line 1; expected one line per document");
}

static void what_is_odd_is_a_warning(void **state)
{
    (void)state;
    assert_reads(problems_of("1 Q0 a 1 2 t\r\n1 Q0 b 2 1 t\r\n"),
                 "1? CR before the line end is skipped on this line and 1 more line");
    assert_reads(problems_of("\xef\xbb\xbf" "1 Q0 a 1 2 t\n"),
                 "1? the byte-order mark is skipped");
    assert_reads(problems_of("1 Q0 a 1 2 t\n\n\n1 Q0 b 2 1 t\n"),
                 "2? empty lines are skipped: this line and 1 more line");
    assert_reads(problems_of("1 Q0 a 1 2 t\n1 Q0 b 2 1 u\n1 Q0 c 3 0 v\n"),
                 "2? tag 'u' after 't'; the file has 3 tags, and the first names the run");
    assert_reads(problems_of("1 Q0 a 1 2 t\n1 Q0 b 2 3 t\n1 Q0 c 3 1 t\n"),
                 "2? ranks and scores disagree on this line; scores decide");
    assert_reads(problems_of("1 Q0 a first 2 t\n"),
                 "1? the rank on this line is not a whole number; ranks are not used");
    assert_reads(problems_of("# c\n1 Q0 a 1 2 t\n1 Q0 b 2 1 t u\n1 Q0 c 3 0 t u v\n"),
                 "3? text after the tag (the sixth field) is not used on this line and 1 more line");
    assert_reads(problems_of("1 0 a 0\n2 0 a 1\n3 0 b -1\n"),
                 "1? topic '1' and 1 more topic have no relevant document");
    assert_reads(problems_of("A,B\n0.5,1\n0.25,1\n"),
                 "2? the rows have no names; they are numbered from 1");
}

static void a_matrix_that_names_a_row_twice_is_warned_of(void **state)
{
    (void)state;
    /* The matrix reader refuses it; another reader of numbers may not. */
    assert_reads(problems_of("run,1\nA,1\nB,2\nA,3\n"),
                 "4? row 'A' again; a matrix of scores names each once");
}

static void scores_out_of_order_are_seen(void **state)
{
    (void)state;
    iv_inspector *i = inspect("1 Q0 a 2 1 t\n1 Q0 b 1 2 t\n", IV_JUDGMENTS_ANY, 10);

    assert_false(i->score_order);
    assert_int_equal(i->problems.warnings, 0); /* the ranks agree */
    iv_inspector_free(i);
}

static void the_first_error_is_listed_however_few_are_asked_for(void **state)
{
    (void)state;
    static const char text[] = "1 Q0 a 1 1 t\r\n\n1 Q0 b 1 x t\n1 Q0 c 1 y t\n";

    for (size_t most = 0; most < 6; most++) {
        iv_inspector *i = inspect(text, IV_JUDGMENTS_ANY, most);
        const iv_inspector *v = i;
        assert_int_equal(v->problems.errors, 2);
        assert_int_equal(v->problems.warnings, 2);
        assert_int_equal(v->problems.count, most < 4 ? most : 4);
        bool listed = most == 0;
        for (size_t k = 0; k < v->problems.count; k++)
            listed = listed || (v->problems.items[k].error && v->problems.items[k].line == 3);
        assert_true(listed);
        iv_inspector_free(i);
    }
}

static void damage_is_the_one_problem_of_a_file_that_does_not_unpack(void **state)
{
    (void)state;
    static const char text[] = "1 Q0 a 1 1 t\n1 Q0 b 1 x t\n";
    size_t len = strlen(text);
    char *packed = gzipped(text, &len);
    const char *path = temporary("cut.gz", packed, len - 4);
    iv_inspector *i = NULL;
    iv_run *run = NULL;
    iv_err err = { IV_OK, "" };
    char line[700];

    assert_int_equal(iv_inspect(&i, path, IV_JUDGMENTS_ANY, 10, NULL, NULL), IV_OK);
    const iv_inspector *v = i;
    assert_int_equal(v->kind, IV_FILE_UNKNOWN);
    assert_int_equal(v->problems.errors, 1);
    assert_int_equal(v->problems.count, 1);
    (void)snprintf(line, sizeof line, "%s:%llu: %s", path,
                   (unsigned long long)v->problems.items[0].line, v->problems.items[0].message);
    assert_int_equal(iv_run_load(&run, path, IV_RUN_ANY, NULL, &err), IV_EPARSE);
    assert_string_equal(err_text(&err), line);
    iv_inspector_free(i);
    free(packed);
}

static void a_name_longer_than_a_message_does_no_harm(void **state)
{
    (void)state;
    char name[1200];
    size_t at = 0;
    size_t len = 13;
    char *packed = gzipped("1 Q0 a 1 1 t\n", &len);
    const char *path = temporary("long.gz", packed, len - 4);
    iv_inspector *i = NULL;
    iv_err err = { IV_OK, "" };

    while (at < 900) /* the same file by a long way */
        at += (size_t)snprintf(name + at, sizeof name - at, "/tmp/..");
    (void)snprintf(name + at, sizeof name - at, "%s", path);
    assert_int_equal(iv_inspect(&i, name, IV_JUDGMENTS_ANY, 10, NULL, &err), IV_OK);
    const iv_inspector *v = i;
    assert_int_equal(v->problems.count, 1);
    assert_int_equal(v->problems.items[0].line, 2);
    assert_string_equal(v->problems.items[0].message,
                        "the gzip data end here, cut short; expected a complete file");
    iv_inspector_free(i);
    free(packed);
}

static void packed_files_are_called_so(void **state)
{
    (void)state;
    static const char *const names[] = { "gzip", "zstd" };
    char *(*const packers[])(const char *, size_t *) = { gzipped, zstandard };

    for (size_t k = 0; k < 2; k++) {
        size_t len = 13;
        char *packed = packers[k]("1 Q0 a 1 1 t\n", &len);
        const char *path = temporary(k == 0 ? "i.gz" : "i.zst", packed, len);
        iv_inspector *i = NULL;
        assert_int_equal(iv_inspect(&i, path, IV_JUDGMENTS_ANY, 10, NULL, NULL), IV_OK);
        assert_string_equal(i->packing, names[k]);
        assert_string_equal(i->format, "TREC run");
        assert_int_equal(i->bytes, len);
        iv_inspector_free(i);
        free(packed);
    }
}

static void a_file_that_is_not_there_is_a_failure(void **state)
{
    (void)state;
    iv_inspector *i = NULL;
    iv_err err = { IV_OK, "" };

    assert_int_equal(iv_inspect(&i, "/no/such/file", IV_JUDGMENTS_ANY, 1, NULL, &err), IV_EIO);
    assert_string_equal(err_text(&err), "/no/such/file: cannot read: No such file or directory");
    assert_null(i);
}

int inspect_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_described),
        cmocka_unit_test(judgments_are_described),
        cmocka_unit_test(the_kind_is_told_by_content),
        cmocka_unit_test(every_error_is_listed_at_its_line),
        cmocka_unit_test(what_is_odd_is_a_warning),
        cmocka_unit_test(a_matrix_that_names_a_row_twice_is_warned_of),
        cmocka_unit_test(scores_out_of_order_are_seen),
        cmocka_unit_test(the_first_error_is_listed_however_few_are_asked_for),
        cmocka_unit_test(damage_is_the_one_problem_of_a_file_that_does_not_unpack),
        cmocka_unit_test(a_name_longer_than_a_message_does_no_harm),
        cmocka_unit_test(packed_files_are_called_so),
        cmocka_unit_test(a_file_that_is_not_there_is_a_failure),
    };
    return cmocka_run_group_tests_name("inspection", tests, NULL, NULL);
}
