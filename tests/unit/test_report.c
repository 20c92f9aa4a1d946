/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about the report room; the name of a test is the claim. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/cells.h"
#include "result/result_build.h"
#include "report_tests.h"

/* Two runs with intervals, a missing one, a note. */
static iv_result *usual(void)
{
    static const iv_column columns[] = {
        { "run", IV_TEXT, 0 }, { "topics", IV_INTEGER, 0 }, { "value", IV_REAL, 3 },
        { "lower", IV_REAL, 3 }, { "upper", IV_REAL, 3 },
    };
    iv_result *r = NULL;

    assert_int_equal(iv_result_new(&r, "eval", NULL), IV_OK);
    iv_result_argument(r, "--seed=7");
    iv_result_argument(r, "q.txt");
    iv_result_seed(r, 7);
    iv_result_input(r, "q.txt", 1234);
    iv_table *t = iv_result_table(r, "scores", columns, 5);
    iv_table_draw(t, (iv_drawn){ "value", "lower", "upper", 0.0, 0.0 });
    iv_put_text(t, iv_str_of("bm25"));
    iv_put_int(t, 50);
    iv_put_real(t, 0.1 + 0.2);
    iv_put_real(t, 0.25);
    iv_put_real(t, 0.4);
    iv_put_text(t, iv_str_of("a longer tag"));
    iv_put_int(t, 7);
    iv_put_real(t, 0.125);
    iv_put_missing(t);
    iv_put_missing(t);
    iv_result_note(r, "1 topic left out: 301");
    return r;
}

/* The same with a second table and an answer. */
static iv_result *with_two_tables(void)
{
    static const iv_column columns[] = { { "n", IV_INTEGER, 0 }, { "p", IV_REAL, 4 } };
    iv_result *r = usual();
    iv_table *t = iv_result_table(r, "pairs", columns, 2);

    iv_put_int(t, 3);
    iv_put_real(t, 3.21e-9);
    iv_result_answer(r, "bm25 is best");
    return r;
}

static void text_is_aligned_and_draws_intervals_in_ascii(void **state)
{
    (void)state;
    assert_renders(usual(), (iv_report_options){ .width = 60 },
        "run           topics  value  lower  upper\n"
        "bm25              50  0.300  0.250  0.400          |--o----|\n"
        "a longer tag       7  0.125      -      -   o\n"
        "                                           0.10 ------- 0.40\n"
        "\n"
        "note: 1 topic left out: 301\n");
}

static void text_draws_with_box_characters_where_it_may(void **state)
{
    (void)state;
    assert_renders(usual(), (iv_report_options){ .width = 60, .utf8 = true },
        "run           topics  value  lower  upper\n"
        "bm25              50  0.300  0.250  0.400          ├──●────┤\n"
        "a longer tag       7  0.125      -      -   ●\n"
        "                                           0.10 ─────── 0.40\n"
        "\n"
        "note: 1 topic left out: 301\n");
}

static void a_narrow_window_gets_no_drawing(void **state)
{
    (void)state;
    assert_renders(usual(), (iv_report_options){ .width = 50 },
        "run           topics  value  lower  upper\n"
        "bm25              50  0.300  0.250  0.400\n"
        "a longer tag       7  0.125      -      -\n"
        "\n"
        "note: 1 topic left out: 301\n");
}

static void text_names_its_tables_when_there_are_several(void **state)
{
    (void)state;
    assert_renders(with_two_tables(), (iv_report_options){ .width = 40 },
        "bm25 is best\n"
        "\n"
        "scores:\n"
        "run           topics  value  lower  upper\n"
        "bm25              50  0.300  0.250  0.400\n"
        "a longer tag       7  0.125      -      -\n"
        "\n"
        "pairs:\n"
        "n        p\n"
        "3  3.2e-09\n"
        "\n"
        "note: 1 topic left out: 301\n");
}

static void on_a_terminal_no_line_is_longer_than_the_window(void **state)
{
    (void)state;
    assert_renders(with_two_tables(), (iv_report_options){ .width = 28, .wrap = true },
                   "bm25 is best\n"
                   "\n"
                   "scores:\n"
                   "run           topics  value\n"
                   "bm25              50  0.300\n"
                   "a longer tag       7  0.125\n"
                   "\n"
                   "run           lower  upper\n"
                   "bm25          0.250  0.400\n"
                   "a longer tag      -      -\n"
                   "\n"
                   "pairs:\n"
                   "n        p\n"
                   "3  3.2e-09\n"
                   "\n"
                   "note: 1 topic left out: 301\n");
    assert_renders(with_two_tables(), (iv_report_options){ .width = 20, .table = "pairs", .wrap = true },
                   "bm25 is best\n"
                   "\n"
                   "n        p\n"
                   "3  3.2e-09\n"
                   "\n"
                   "note: 1 topic left\n"
                   "  out: 301\n");
}

static void one_table_can_be_chosen(void **state)
{
    (void)state;
    assert_renders(with_two_tables(), (iv_report_options){ .table = "pairs" },
        "bm25 is best\n"
        "\n"
        "n        p\n"
        "3  3.2e-09\n"
        "\n"
        "note: 1 topic left out: 301\n");
    assert_renders(with_two_tables(),
                   (iv_report_options){ .format = IV_FORMAT_TSV, .table = "pairs" },
                   "n\tp\n3\t3.21e-09\n");
}

static void a_table_that_is_not_there_is_refused_with_those_that_are(void **state)
{
    (void)state;
    iv_err err = { IV_OK, "" };
    char *got = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&got, &size);
    iv_result *r = with_two_tables();

    assert_int_equal(iv_report_write(out, r, &(iv_report_options){ .table = "pears" }, &err),
                     IV_EARG);
    assert_string_equal(err.msg,
                        "no table 'pears' in the result; the tables are scores, pairs");
    (void)fclose(out);
    assert_int_equal(size, 0);
    free(got);
    iv_result_free(r);
}

static void tsv_and_csv_are_one_table_in_full_precision(void **state)
{
    (void)state;
    assert_renders(with_two_tables(), (iv_report_options){ .format = IV_FORMAT_TSV },
        "run\ttopics\tvalue\tlower\tupper\n"
        "bm25\t50\t0.30000000000000004\t0.25\t0.4\n"
        "a longer tag\t7\t0.125\t\t\n");
    assert_renders(with_two_tables(), (iv_report_options){ .format = IV_FORMAT_CSV },
        "run,topics,value,lower,upper\n"
        "bm25,50,0.30000000000000004,0.25,0.4\n"
        "a longer tag,7,0.125,,\n");
}

static void json_holds_everything(void **state)
{
    (void)state;
    char want[2048];

    (void)snprintf(want, sizeof want,
        "{\n"
        "  \"schema\": 4,\n"
        "  \"intervale\": \"%s\",\n"
        "  \"command\": \"eval\",\n"
        "  \"arguments\": [\"--seed=7\", \"q.txt\"],\n"
        "  \"seed\": 7,\n"
        "  \"inputs\": [\n"
        "    {\"path\": \"q.txt\", \"bytes\": 1234, \"sha256\": null}\n"
        "  ],\n"
        "  \"details\": {},\n"
        "  \"verdict\": null,\n"
        "  \"claims\": [],\n"
        "  \"answer\": \"bm25 is best\",\n"
        "  \"notes\": [\n    {\"id\": null, \"severity\": \"note\", \"text\": "
        "\"1 topic left out: 301\"}\n  ],\n  \"method\": null,\n  \"citations\": [],\n"
        "  \"tables\": [\n"
        "    {\n"
        "      \"name\": \"scores\",\n"
        "      \"columns\": [\n"
        "        {\"name\": \"run\", \"type\": \"text\", \"about\": null},\n"
        "        {\"name\": \"topics\", \"type\": \"integer\", \"about\": null},\n"
        "        {\"name\": \"value\", \"type\": \"real\", \"about\": null},\n"
        "        {\"name\": \"lower\", \"type\": \"real\", \"about\": null},\n"
        "        {\"name\": \"upper\", \"type\": \"real\", \"about\": null}\n"
        "      ],\n"
        "      \"rows\": [\n"
        "        {\"run\": \"bm25\", \"topics\": 50, \"value\": 0.30000000000000004, "
        "\"lower\": 0.25, \"upper\": 0.4},\n"
        "        {\"run\": \"a longer tag\", \"topics\": 7, \"value\": 0.125, \"lower\": null, "
        "\"upper\": null}\n"
        "      ]\n"
        "    },\n"
        "    {\n"
        "      \"name\": \"pairs\",\n"
        "      \"columns\": [\n"
        "        {\"name\": \"n\", \"type\": \"integer\", \"about\": null},\n"
        "        {\"name\": \"p\", \"type\": \"real\", \"about\": null}\n"
        "      ],\n"
        "      \"rows\": [\n"
        "        {\"n\": 3, \"p\": 3.21e-09}\n"
        "      ]\n"
        "    }\n"
        "  ]\n"
        "}\n", iv_version());
    assert_true(iv_format_has_inputs(IV_FORMAT_JSON) && !iv_format_has_inputs(IV_FORMAT_TSV));
    assert_renders(with_two_tables(), (iv_report_options){ .format = IV_FORMAT_JSON }, want);
}

/* A claim in JSON. */
#define CLAIM(bound, verdict, p, contrary)                                                        \
    "{\"text\": \"AP of bm25 is at least " bound "\", \"verdict\": \"" verdict "\", "                 \
    "\"kind\": \"at least\", \"measure\": \"AP\", \"system\": \"bm25\", \"baseline\": null, "           \
    "\"set\": null, \"bound\": " bound ", \"estimate\": 0, \"lower\": 0, \"upper\": 0, \"p\": " p ", " \
    "\"p_contrary\": " contrary ", \"level\": 0.05, \"level_contrary\": 0.05, \"method\": null, "     \
    "\"strength\": \"default\", \"withheld\": null, \"open_passes\": false, "                    \
    "\"items\": null, \"needed\": 0, "                                                                \
    "\"detectable\": 0}"

static void jsonl_is_the_result_and_then_its_rows_a_line_each(void **state)
{
    (void)state;
    char want[4096];
    iv_result *r = with_two_tables();

    iv_result_detail(r, "Matter", "A v. B");
    iv_result_claim(r, &(iv_claim){ .measure = "AP", .system = "bm25", .bound = 0.5, .p = 0.01,
                                    .p_contrary = 1.0, .level = 0.05 });
    iv_result_claim(r, &(iv_claim){ .measure = "AP", .system = "bm25", .bound = 0.6, .p = 0.1,
                                    .p_contrary = 0.5, .level = 0.05 });
    (void)snprintf(want, sizeof want,
        "{\"record\": \"result\", \"schema\": 4, \"intervale\": \"%s\", \"command\": \"eval\", "
        "\"arguments\": [\"--seed=7\", \"q.txt\"], \"seed\": 7, \"inputs\": [ "
        "{\"path\": \"q.txt\", \"bytes\": 1234, \"sha256\": null}], "
        "\"details\": {\"Matter\": \"A v. B\"}, \"verdict\": \"INCONCLUSIVE\", \"claims\": [ "
        CLAIM("0.5", "PASS", "0.01", "1") ", " CLAIM("0.6", "INCONCLUSIVE", "0.1", "0.5") "], "
        "\"answer\": \"bm25 is best\", \"notes\": [ {\"id\": null, "
        "\"severity\": \"note\", \"text\": \"1 topic left out: 301\"}], \"method\": null, \"citations\": [], "
        "\"tables\": [{\"name\": \"pairs\", \"rows\": 1, \"columns\": [ "
        "{\"name\": \"n\", \"type\": \"integer\", \"about\": null}, "
        "{\"name\": \"p\", \"type\": \"real\", \"about\": null}]}]}\n"
        "{\"record\": \"row\", \"table\": \"pairs\", \"row\": {\"n\": 3, \"p\": 3.21e-09}}\n",
        iv_version());
    assert_renders(r, (iv_report_options){ .format = IV_FORMAT_JSONL, .table = "pairs" }, want);
}

static void an_empty_result_is_valid_in_every_format(void **state)
{
    (void)state;
    static const iv_column column = { "run", IV_TEXT, 0 };
    const struct { iv_format format; const char *none, *empty; } want[] = {
        { IV_FORMAT_TEXT, "", "run\n(no rows)\n" },
        { IV_FORMAT_TSV, "", "run\n" },
        { IV_FORMAT_CSV, "", "run\n" },
        { IV_FORMAT_MARKDOWN, "", "| run |\n|:----|\n" },
        { IV_FORMAT_LATEX, "% needs \\usepackage{booktabs}\n",
          "% needs \\usepackage{booktabs}\n% table: t\n\\begin{tabular}{l}\n\\toprule\n"
          "run \\\\\n\\midrule\n\\bottomrule\n\\end{tabular}\n" },
    };

    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        iv_result *r = NULL;
        assert_int_equal(iv_result_new(&r, "x", NULL), IV_OK);
        assert_renders(r, (iv_report_options){ .format = want[i].format }, want[i].none);
        assert_int_equal(iv_result_new(&r, "x", NULL), IV_OK);
        (void)iv_result_table(r, "t", &column, 1);
        assert_renders(r, (iv_report_options){ .format = want[i].format }, want[i].empty);
    }
}

static void markdown_is_a_table_of_github(void **state)
{
    (void)state;
    assert_renders(with_two_tables(), (iv_report_options){ .format = IV_FORMAT_MARKDOWN },
        "bm25 is best\n"
        "\n"
        "**scores**\n"
        "\n"
        "| run          | topics | value | lower | upper |\n"
        "|:-------------|-------:|------:|------:|------:|\n"
        "| bm25         |     50 | 0.300 | 0.250 | 0.400 |\n"
        "| a longer tag |      7 | 0.125 |       |       |\n"
        "\n"
        "**pairs**\n"
        "\n"
        "| n |       p |\n"
        "|--:|--------:|\n"
        "| 3 | 3.2e-09 |\n"
        "\n"
        "- note: 1 topic left out: 301\n");
}

static void latex_is_a_booktabs_tabular(void **state)
{
    (void)state;
    assert_renders(usual(), (iv_report_options){ .format = IV_FORMAT_LATEX },
        "% needs \\usepackage{booktabs}\n"
        "% table: scores\n"
        "\\begin{tabular}{lrrrr}\n"
        "\\toprule\n"
        "run & topics & value & lower & upper \\\\\n"
        "\\midrule\n"
        "bm25 & 50 & 0.300 & 0.250 & 0.400 \\\\\n"
        "a longer tag & 7 & 0.125 & -- & -- \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "% note: 1 topic left out: 301\n");
}

/* One row a triple; NAN is missing. */
static iv_result *intervals(const double (*rows)[3], size_t count, double from, double to)
{
    static const iv_column columns[] = {
        { "v", IV_REAL, 1 }, { "l", IV_REAL, 1 }, { "u", IV_REAL, 1 } };
    iv_result *r = NULL;

    assert_int_equal(iv_result_new(&r, "x", NULL), IV_OK);
    iv_table *t = iv_result_table(r, "t", columns, 3);
    iv_table_draw(t, (iv_drawn){ "v", "l", "u", from, to });
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < 3; c++)
            iv_put_real(t, rows[i][c]);
    return r;
}

static void intervals_beyond_the_axis_get_an_arrow(void **state)
{
    (void)state;
    const double rows[][3] = {
        { 0.5, 0.2, 0.8 }, { 0.5, -1.0, 2.0 }, { 2.0, 1.5, 2.5 }, { -2.0, -3.0, -1.0 },
        { 0.5, NAN, 0.8 }, { 0.5, 0.2, NAN }, { NAN, 0.2, 0.8 }, { 3.0, NAN, NAN },
        { 0.0, 0.0, 1.0 }, { NAN, NAN, NAN }, { 0.5, 0.5, 0.5 },
    };

    assert_renders(intervals(rows, 11, 0.0, 1.0), (iv_report_options){ .width = 39 },
        "   v     l     u\n"
        " 0.5   0.2   0.8      |-----o-----|\n"
        " 0.5  -1.0   2.0  <---------o--------->\n"
        " 2.0   1.5   2.5                      >\n"
        "-2.0  -3.0  -1.0  <\n"
        " 0.5     -   0.8  <---------o-----|\n"
        " 0.5   0.2     -      |-----o--------->\n"
        "   -   0.2   0.8      |-----------|\n"
        " 3.0     -     -                      >\n"
        " 0.0   0.0   1.0  o-------------------|\n"
        "   -     -     -\n"
        " 0.5   0.5   0.5            o\n"
        "                  0 ----------------- 1\n");
}

static void zero_is_marked_when_the_axis_crosses_it(void **state)
{
    (void)state;
    const double rows[][3] = { { 0.5, -2.0, 3.0 }, { 4.0, 3.0, 5.0 }, { -3.0, -4.0, -2.0 } };

    /* From -4 to 5 in 19 columns: two columns a unit. */
    assert_renders(intervals(rows, 3, 0.0, 0.0), (iv_report_options){ .width = 37 },
        "   v     l     u\n"
        " 0.5  -2.0   3.0      |----o----|\n"
        " 4.0   3.0   5.0          :     |-o-|\n"
        "-3.0  -4.0  -2.0  |-o-|   :\n"
        "                  -4 -----+-------- 5\n");
    assert_renders(intervals(rows, 3, 0.0, 0.0),
                   (iv_report_options){ .width = 37, .utf8 = true },
        "   v     l     u\n"
        " 0.5  -2.0   3.0      ├────●────┤\n"
        " 4.0   3.0   5.0          ┊     ├─●─┤\n"
        "-3.0  -4.0  -2.0  ├─●─┤   ┊\n"
        "                  -4 ─────┴──────── 5\n");
}

static void rounded_numbers_never_hide_what_is_not_zero(void **state)
{
    (void)state;
    static const iv_column columns[] = {
        { "a", IV_REAL, 2 }, { "b", IV_REAL, 0 }, { "c", IV_REAL, -1 } };
    const double rows[][3] = {
        { 0.0, 0.0, 0.1 }, { -0.0, -0.0, -0.0 }, { 0.004, 0.4, 1e300 },
        { -0.004, 2.5, 1e22 }, { 1e300, -1e15, 12345.678 }, { 0.005, 99.5, -1.0 },
    };
    iv_result *r = NULL;

    assert_int_equal(iv_result_new(&r, "x", NULL), IV_OK);
    iv_table *t = iv_result_table(r, "t", columns, 3);
    for (size_t i = 0; i < 6; i++)
        for (size_t c = 0; c < 3; c++)
            iv_put_real(t, rows[i][c]);
    assert_renders(r, (iv_report_options){ 0 },
        "        a        b          c\n"
        "     0.00        0        0.1\n"
        "     0.00        0          0\n"
        "  4.0e-03  4.0e-01     1e+300\n"
        " -4.0e-03        2      1e+22\n"
        "1.00e+300   -1e+15  12345.678\n"
        "     0.01      100         -1\n");
}

/* Near and at the middle of two roundings, and anywhere. */
static void numbers_are_rounded_as_printf_rounds_them(void **state)
{
    (void)state;
    uint64_t next = 1;

    for (int i = 0; i < 200000; i++) {
        char seen[IV_CELL_SIZE], expected[IV_CELL_SIZE];
        next = next * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const int digits = i % 11;
        const double unit = (double)(next >> 11) * 0x1p-53, size = pow(10.0, i % 13 - 4);
        double value = size * (i % 2 == 0 ? unit : unit - 0.5);
        if (i % 3 == 0) /* what ends with a 5 behind the last digit, or nearly */
            value = (floor(value * pow(10.0, digits)) + 0.5) / pow(10.0, digits);
        (void)snprintf(expected, sizeof expected, "%.*f", digits, value);
        if (strpbrk(expected, "123456789") == NULL)
            continue;
        const iv_column column = { "x", IV_REAL, digits };
        assert_string_equal(iv_cell_rounded(seen, &column, (iv_cell){ .real = value }), expected);
    }
}

static void numbers_have_a_point_in_any_locale(void **state)
{
    (void)state;
    static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8",
                                         "ps_AF.UTF-8", NULL };

    for (size_t i = 0; names[i] != NULL; i++)
        if (setlocale(LC_ALL, names[i]) != NULL)
            break;
    a_narrow_window_gets_no_drawing(state);
    markdown_is_a_table_of_github(state);
    (void)setlocale(LC_ALL, "C");
}

static void colour_comes_only_when_asked_for(void **state)
{
    (void)state;
    assert_renders(usual(), (iv_report_options){ .width = 50, .colour = true },
        "\x1b[1mrun\x1b[0m           \x1b[1mtopics\x1b[0m  \x1b[1mvalue\x1b[0m  "
        "\x1b[1mlower\x1b[0m  \x1b[1mupper\x1b[0m\n"
        "bm25              50  0.300  0.250  0.400\n"
        "a longer tag       7  0.125      -      -\n"
        "\n"
        "\x1b[33mnote:\x1b[0m 1 topic left out: 301\n");
}

static void formats_go_by_name(void **state)
{
    (void)state;
    iv_format format = IV_FORMAT_TEXT;
    const char *const *names = iv_format_names();

    for (int i = 0; names[i] != NULL; i++) {
        assert_true(iv_format_find(&format, names[i]));
        assert_int_equal(format, i);
    }
    assert_int_equal(format, IV_FORMAT_VEGA);
    assert_false(iv_format_find(&format, "xml"));
    assert_int_equal(format, IV_FORMAT_VEGA);
    assert_true(iv_format_has_notes(IV_FORMAT_JSON));
    assert_false(iv_format_has_notes(IV_FORMAT_TSV));
}

static void an_unfinished_result_and_a_full_disk_are_errors(void **state)
{
    (void)state;
    static const iv_column columns[] = { { "a", IV_TEXT, 0 }, { "b", IV_TEXT, 0 } };
    iv_err err = { IV_OK, "" };
    iv_result *r = usual();
    FILE *full = fopen("/dev/full", "w");

    if (full != NULL) {
        (void)setvbuf(full, NULL, _IONBF, 0);
        assert_int_equal(iv_report_write(full, r, &(iv_report_options){ 0 }, &err), IV_EIO);
        (void)fclose(full);
    }
    iv_put_text(iv_result_table(r, "t", columns, 2), iv_str_of("x"));
    assert_int_equal(iv_report_write(stderr, r, &(iv_report_options){ 0 }, &err), IV_EARG);
    iv_result_free(r);
}

static int report_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_a_terminal_no_line_is_longer_than_the_window),
        cmocka_unit_test(text_is_aligned_and_draws_intervals_in_ascii),
        cmocka_unit_test(text_draws_with_box_characters_where_it_may),
        cmocka_unit_test(a_narrow_window_gets_no_drawing),
        cmocka_unit_test(text_names_its_tables_when_there_are_several),
        cmocka_unit_test(one_table_can_be_chosen),
        cmocka_unit_test(a_table_that_is_not_there_is_refused_with_those_that_are),
        cmocka_unit_test(tsv_and_csv_are_one_table_in_full_precision),
        cmocka_unit_test(json_holds_everything),
        cmocka_unit_test(jsonl_is_the_result_and_then_its_rows_a_line_each),
        cmocka_unit_test(an_empty_result_is_valid_in_every_format),
        cmocka_unit_test(markdown_is_a_table_of_github),
        cmocka_unit_test(latex_is_a_booktabs_tabular),
        cmocka_unit_test(intervals_beyond_the_axis_get_an_arrow),
        cmocka_unit_test(zero_is_marked_when_the_axis_crosses_it),
        cmocka_unit_test(rounded_numbers_never_hide_what_is_not_zero),
        cmocka_unit_test(numbers_are_rounded_as_printf_rounds_them),
        cmocka_unit_test(numbers_have_a_point_in_any_locale),
        cmocka_unit_test(colour_comes_only_when_asked_for),
        cmocka_unit_test(formats_go_by_name),
        cmocka_unit_test(an_unfinished_result_and_a_full_disk_are_errors),
    };
    return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}

int main(void)
{
    const int report = report_tests();
    const int hostile = report_hostile_tests();
    const int charts = report_chart_tests();
    const int views = report_view_tests();

    return report + hostile + charts + views != 0;
}
