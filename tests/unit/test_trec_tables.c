/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about tables and score matrices. */
#include "err_text.h"
#include "trec_fixture.h"
#include "trec/csv.h"
#include "trec/score_table.h"

#include <math.h>

/* A table written out: cells in brackets, the line of each row before it. */
static char *table_read(const char *text)
{
    iv_csv *t = NULL;
    iv_err err = { IV_OK, "" };
    char *written = NULL;
    size_t size;

    if (iv_csv_parse(&t, "table", text, strlen(text), &err) != IV_OK)
        return strdup(err_text(&err));
    FILE *out = open_memstream(&written, &size);
    assert_non_null(out);
    for (size_t c = 0; c < iv_csv_columns(t); c++)
        (void)fprintf(out, "[%.*s]", (int)iv_csv_column(t, c).len, iv_csv_column(t, c).ptr);
    for (size_t r = 0; r < iv_csv_rows(t); r++) {
        (void)fprintf(out, " %llu:", (unsigned long long)iv_csv_line(t, r));
        for (size_t c = 0; c < iv_csv_columns(t); c++)
            (void)fprintf(out, "[%.*s]", (int)iv_csv_cell(t, r, c).len,
                          iv_csv_cell(t, r, c).ptr);
    }
    (void)fclose(out);
    iv_csv_free(t);
    return written;
}

static void a_table_is_read_cell_by_cell(void **state)
{
    (void)state;
    assert_reads(table_read("a,b,c\n1,2,3\nx,,z\n"), "[a][b][c] 2:[1][2][3] 3:[x][][z]");
    assert_reads(table_read("a,b\n1,2"), "[a][b] 2:[1][2]");
    assert_reads(table_read("a,b\r\n1,2\r\n"), "[a][b] 2:[1][2]");
    assert_reads(table_read("\xef\xbb\xbf" "a,b\n1,2\n"), "[a][b] 2:[1][2]");
    assert_reads(table_read("a\n1\n2\n"), "[a] 2:[1] 3:[2]");
}

static void blanks_around_a_cell_are_dropped_and_empty_lines_skipped(void **state)
{
    (void)state;
    assert_reads(table_read(" a , b\n\n 1\t,2  \n \n\n3,4\n\n"),
                 "[a][b] 3:[1][2] 6:[3][4]");
}

static void tabs_separate_if_the_header_has_one_and_no_comma(void **state)
{
    (void)state;
    assert_reads(table_read("a\tb\n1\t2,5\n"), "[a][b] 2:[1][2,5]");
    assert_reads(table_read("a\tb,c\n1\t2,5\n"), "[a\tb][c] 2:[1\t2][5]");
    assert_reads(table_read("a\tb\n\t2\n"), "[a][b] 2:[][2]");
    assert_reads(table_read("\tb\nx\t2\n"), "[][b] 2:[x][2]");
    assert_reads(table_read("\n\r\na\tb\n1\t2,5\n"), "[a][b] 4:[1][2,5]");
}

static void blanks_separate_if_the_header_has_neither_tab_nor_comma(void **state)
{
    (void)state;
    assert_reads(table_read("a b  c\n1 2 3\n"), "[a][b][c] 2:[1][2][3]");
    assert_reads(table_read(" a b \r\n\n  1\t2,5 \r\n"), "[a][b] 3:[1][2,5]");
    assert_reads(table_read("a b\n\"x y\" 2"), "[a][b] 2:[x y][2]");
    assert_reads(table_read("a b\n1 2 3\n"), "table:2: 3 cells, expected 2 as in the header");
    assert_reads(table_read("\"a b\"\n1\n"), "[a b] 2:[1]");
}

static void quotes_hold_separators_line_ends_and_quotes(void **state)
{
    (void)state;
    assert_reads(table_read("\"a,1\",b\n\"x\"\"y\", \"two\nlines\" \n3,4\n"),
                 "[a,1][b] 2:[x\"y][two\nlines] 4:[3][4]");
    assert_reads(table_read("a,b\n\"\",\" padded \"\n"), "[a][b] 2:[][ padded ]");
    assert_reads(table_read("a,b\n5\"6,x\"\n"), "[a][b] 2:[5\"6][x\"]");
    assert_reads(table_read("a\tb\n\"1\t2\"\t\"3\"\r\n"), "[a][b] 2:[1\t2][3]");
    assert_reads(table_read("a,b\n\"1\",\"2\""), "[a][b] 2:[1][2]");
}

static void a_column_is_found_by_its_name(void **state)
{
    (void)state;
    iv_csv *t = NULL;
    static const char text[] = "stratum,N,n,r\n1,100,10,3\n";

    assert_int_equal(iv_csv_parse(&t, "t", text, strlen(text), NULL), IV_OK);
    assert_int_equal(iv_csv_find(t, iv_str_of("stratum")), 0);
    assert_int_equal(iv_csv_find(t, iv_str_of("n")), 2);
    assert_true(iv_csv_find(t, iv_str_of("m")) == IV_NONE);
    assert_int_equal(iv_csv_bytes(t), strlen(text));
    iv_csv_free(t);
    iv_csv_free(NULL);
}

static void a_table_is_the_same_plain_gzip_and_zstd(void **state)
{
    (void)state;
    static const char text[] = "a,b\n1,2\n";
    char *(*const packers[])(const char *, size_t *) = { gzipped, zstandard };

    for (size_t i = 0; i < 2; i++) {
        size_t len = strlen(text);
        char *packed = packers[i](text, &len);
        iv_csv *t = NULL;
        const char *path = temporary(i == 0 ? "t.csv.gz" : "t.csv.zst", packed, len);
        assert_int_equal(iv_csv_load(&t, path, NULL, NULL), IV_OK);
        assert_int_equal(iv_csv_bytes(t), len);
        assert_int_equal(iv_csv_rows(t), 1);
        iv_csv_free(t);
        free(packed);
    }
}

/* -------------------------------------------------------------- matrices -- */

/* "system: topic=score ..." */
static char *matrix_read(const char *text, iv_score_rows rows)
{
    iv_score_table *m = NULL;
    iv_err err = { IV_OK, "" };
    char *written = NULL;
    double x[16];
    size_t size;

    if (iv_score_table_parse(&m, "matrix", text, strlen(text), NULL, rows, &err) != IV_OK)
        return strdup(err_text(&err));
    FILE *out = open_memstream(&written, &size);
    assert_non_null(out);
    (void)iv_score_values(x, m, 0);
    for (size_t s = 0; s < m->system_count; s++) {
        (void)fprintf(out, "%s%s:", s > 0 ? " " : "", m->systems[s]);
        for (size_t t = 0; t < m->item_count; t++) {
            const double value = x[s * m->item_count + t];
            (void)fprintf(out, " %.*s=", (int)m->items[t].len, m->items[t].ptr);
            (void)(isnan(value) ? fprintf(out, "?") : fprintf(out, "%g", value));
        }
    }
    (void)fclose(out);
    iv_score_table_free(m);
    return written;
}

static void a_matrix_with_names_is_read_score_by_score(void **state)
{
    (void)state;
    assert_reads(matrix_read("run,301,302\nA,0.5,0.25\nB,1,0\n", IV_ROWS_SYSTEMS),
                 "A: 301=0.5 302=0.25 B: 301=1 302=0");
    assert_reads(matrix_read("run,301,302\nA,0.5,0.25\nB,1,0\n", IV_ROWS_TOPICS),
                 "301: A=0.5 B=1 302: A=0.25 B=0");
}

static void a_file_and_its_transpose_are_one_matrix(void **state)
{
    (void)state;
    assert_reads(matrix_read("topic,A,B\n301,0.5,1\n302,0.25,0\n", IV_ROWS_TOPICS),
                 "A: 301=0.5 302=0.25 B: 301=1 302=0");
}

static void what_rows_are_is_detected_from_the_first_column(void **state)
{
    (void)state;
    assert_reads(matrix_read("run,301,302\nA,0.5,0.25\nB,1,0\n", IV_ROWS_AUTO),
                 "A: 301=0.5 302=0.25 B: 301=1 302=0");
    assert_reads(matrix_read("topic,A,B\n301,0.5,1\n302,0.25,0\n", IV_ROWS_AUTO),
                 "A: 301=0.5 302=0.25 B: 301=1 302=0");
    assert_reads(matrix_read("run,topic,score\nA,301,0.5\n", IV_ROWS_AUTO), "A: 301=0.5");
}

static void a_missing_score_is_nan(void **state)
{
    (void)state;
    assert_reads(matrix_read("run,1,2\nA,,0.25\nB,1, \n", IV_ROWS_SYSTEMS),
                 "A: 1=? 2=0.25 B: 1=1 2=?");
}

static void rows_without_names_are_numbered_from_one(void **state)
{
    (void)state;
    assert_reads(matrix_read("A,B\n0.5,0.25\n1,0\n", IV_ROWS_TOPICS),
                 "A: 1=0.5 2=1 B: 1=0.25 2=0");
    /* A whole number twice is no name either. */
    assert_reads(matrix_read("A,B\n1,0.25\n1,0\n", IV_ROWS_TOPICS),
                 "A: 1=1 2=1 B: 1=0.25 2=0");
    /* Whole numbers once each are names: topics are called that. */
    assert_reads(matrix_read("topic,B\n1,0.25\n2,0\n", IV_ROWS_TOPICS),
                 "B: 1=0.25 2=0");
    /* One row is a number with a fraction: still no names. */
    assert_reads(matrix_read("A\n0.5\n0.25\n", IV_ROWS_TOPICS), "A: 1=0.5 2=0.25");
}

int table_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_is_read_cell_by_cell),
        cmocka_unit_test(blanks_around_a_cell_are_dropped_and_empty_lines_skipped),
        cmocka_unit_test(tabs_separate_if_the_header_has_one_and_no_comma),
        cmocka_unit_test(blanks_separate_if_the_header_has_neither_tab_nor_comma),
        cmocka_unit_test(quotes_hold_separators_line_ends_and_quotes),
        cmocka_unit_test(a_column_is_found_by_its_name),
        cmocka_unit_test(a_table_is_the_same_plain_gzip_and_zstd),
        cmocka_unit_test(a_matrix_with_names_is_read_score_by_score),
        cmocka_unit_test(a_file_and_its_transpose_are_one_matrix),
        cmocka_unit_test(what_rows_are_is_detected_from_the_first_column),
        cmocka_unit_test(a_missing_score_is_nan),
        cmocka_unit_test(rows_without_names_are_numbered_from_one),
    };
    return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
