/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about text from files that means ill, or is not ASCII. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "result/result_build.h"
#include "report_tests.h"

/* A table of one text column with one row. */
static iv_result *with_text(const char *bytes, size_t len)
{
    static const iv_column column = { "run", IV_TEXT, 0 };
    iv_result *r = NULL;

    assert_int_equal(iv_result_new(&r, "x", NULL), IV_OK);
    iv_put_text(iv_result_table(r, "t", &column, 1), (iv_str){ bytes, len });
    return r;
}

/* What stands in the row, in all formats; NULL: as in plain text. */
typedef struct hostile {
    const char *bytes;
    size_t len;
    const char *text, *tsv, *csv, *json, *markdown, *latex;
} hostile;

#define BYTES(s) s, sizeof(s) - 1

static const hostile hostiles[] = {
    { BYTES("a\tb\nc\rd"), "a\\x09b\\x0ac\\x0dd", "a\\tb\\nc\\rd", "\"a\tb\nc\rd\"",
      "a\\tb\\nc\\u000dd", "a\\\\x09b\\\\x0ac\\\\x0dd",
      "a\\textbackslash{}x09b\\textbackslash{}x0ac\\textbackslash{}x0dd" },
    { BYTES("say \"hi\", you"), NULL, NULL, "\"say \"\"hi\"\", you\"",
      "say \\\"hi\\\", you", NULL, "say {\\char34}hi{\\char34}, you" },
    { BYTES("<script>alert(1)</script>"), NULL, NULL, NULL, NULL,
      "&lt;script&gt;alert(1)&lt;/script&gt;",
      "\\textless{}script\\textgreater{}alert(1)\\textless{}/script\\textgreater{}" },
    { BYTES("\x1b[31mred\x07"), "\\x1b[31mred\\x07", "\\x1b[31mred\\x07",
      "\\x1b[31mred\\x07", "\\u001b[31mred\\u0007", "\\\\x1b\\[31mred\\\\x07",
      "\\textbackslash{}x1b{[}31mred\\textbackslash{}x07" },
    { BYTES("\xc2\x9b" "31m"), "\\xc2\\x9b31m", "\\xc2\\x9b31m", "\\xc2\\x9b31m",
      "\\u009b31m", "\\\\xc2\\\\x9b31m",
      "\\textbackslash{}xc2\\textbackslash{}x9b31m" },
    { BYTES("a\xe2\x80\xae" "b"), "a\\xe2\\x80\\xaeb", "a\\xe2\\x80\\xaeb",
      "a\\xe2\\x80\\xaeb", "a\\u202eb", "a\\\\xe2\\\\x80\\\\xaeb",
      "a\\textbackslash{}xe2\\textbackslash{}x80\\textbackslash{}xaeb" },
    { BYTES("caf\xe9 \xed\xa0\x80\xc3"), "caf\\xe9 \\xed\\xa0\\x80\\xc3",
      "caf\\xe9 \\xed\\xa0\\x80\\xc3", "caf\\xe9 \\xed\\xa0\\x80\\xc3",
      "caf\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd",
      "caf\\\\xe9 \\\\xed\\\\xa0\\\\x80\\\\xc3",
      "caf\\textbackslash{}xe9 \\textbackslash{}xed\\textbackslash{}xa0"
      "\\textbackslash{}x80\\textbackslash{}xc3" },
    { BYTES("a\0b"), "a\\x00b", "a\\x00b", "a\\x00b", "a\\u0000b", "a\\\\x00b",
      "a\\textbackslash{}x00b" },
    { BYTES("=1+cmd|'/c calc'!A0"), NULL, "\\x3d1+cmd|'/c calc'!A0", "'=1+cmd|'/c calc'!A0", NULL,
      "=1+cmd\\|'/c calc'!A0", "=1+cmd\\textbar{}'/c calc'!A0" },
    { BYTES("@x"), NULL, "\\x40x", "'@x", NULL, NULL, NULL },
    { BYTES("-x"), NULL, "\\x2dx", "'-x", NULL, NULL, NULL },
    { BYTES("a;=1+1;b"), NULL, "a;\\x3d1+1;b", "\"a;'=1+1;b\"", NULL, NULL, NULL },
    { BYTES("-1.5e3"), NULL, NULL, NULL, NULL, NULL, NULL },
    { BYTES("C:\\x{y}_z$%#&^~"), NULL, "C:\\\\x{y}_z$%#&^~", NULL, "C:\\\\x{y}_z$%#&^~",
      "C:\\\\x{y}\\_z\\$%\\#&amp;^\\~",
      "C:\\textbackslash{}x\\{y\\}\\_z\\$\\%\\#\\&\\textasciicircum{}\\textasciitilde{}" },
    { BYTES("*a* `b` a--b"), NULL, NULL, NULL, NULL, "\\*a\\* \\`b\\` a--b",
      "{*}a* {\\char96}b{\\char96} a-{}-b" },
    { BYTES("日本語"), NULL, NULL, NULL, NULL, NULL, NULL },
};

static void hostile_text_does_no_harm_in_any_format(void **state)
{
    (void)state;
    char want[768];

    for (size_t i = 0; i < sizeof hostiles / sizeof *hostiles; i++) {
        const hostile *h = &hostiles[i];
        const char *text = h->text ? h->text : h->bytes;
        (void)snprintf(want, sizeof want, "run\n%s\n", text);
        assert_renders(with_text(h->bytes, h->len), (iv_report_options){ 0 }, want);
        (void)snprintf(want, sizeof want, "run\n%s\n", h->tsv ? h->tsv : text);
        assert_renders(with_text(h->bytes, h->len),
                       (iv_report_options){ .format = IV_FORMAT_TSV }, want);
        (void)snprintf(want, sizeof want, "run\n%s\n", h->csv ? h->csv : text);
        assert_renders(with_text(h->bytes, h->len),
                       (iv_report_options){ .format = IV_FORMAT_CSV }, want);
        (void)snprintf(want, sizeof want,
            "{\n  \"schema\": 4,\n  \"intervale\": \"%s\",\n  \"command\": \"x\",\n  \"arguments\": [],\n"
            "  \"seed\": null,\n  \"inputs\": [],\n  \"details\": {},\n  \"verdict\": null,\n  \"claims\": [],\n"
            "  \"answer\": null,\n  \"notes\": [],\n  \"method\": null,\n  \"citations\": [],\n  \"tables\": [\n"
            "    {\n      \"name\": \"t\",\n      \"columns\": [\n"
            "        {\"name\": \"run\", \"type\": \"text\", \"about\": null}\n      ],\n"
            "      \"rows\": [\n        {\"run\": \"%s\"}\n      ]\n    }\n  ]\n}\n",
            iv_version(), h->json ? h->json : text);
        assert_renders(with_text(h->bytes, h->len),
                       (iv_report_options){ .format = IV_FORMAT_JSON }, want);
        (void)snprintf(want, sizeof want,
            "%% needs \\usepackage{booktabs}\n%% table: t\n\\begin{tabular}{l}\n\\toprule\n"
            "run \\\\\n\\midrule\n%s \\\\\n\\bottomrule\n\\end{tabular}\n",
            h->latex ? h->latex : text);
        assert_renders(with_text(h->bytes, h->len),
                       (iv_report_options){ .format = IV_FORMAT_LATEX }, want);
    }
}

static void hostile_text_is_escaped_in_markdown(void **state)
{
    (void)state;

    for (size_t i = 0; i < sizeof hostiles / sizeof *hostiles; i++) {
        const hostile *h = &hostiles[i];
        const char *cell = h->markdown ? h->markdown : h->text ? h->text : h->bytes;
        char *got = NULL, want[256];
        size_t size = 0;
        FILE *out = open_memstream(&got, &size);
        iv_result *r = with_text(h->bytes, h->len);
        assert_int_equal(iv_report_write(out, r,
            &(iv_report_options){ .format = IV_FORMAT_MARKDOWN }, NULL), IV_OK);
        (void)fclose(out);
        (void)snprintf(want, sizeof want, "|\n| %s ", cell);
        if (strstr(got, want) == NULL)
            fail_msg("no %s in %s", want, got);
        free(got);
        iv_result_free(r);
    }
}

static void notes_answers_and_names_are_escaped_too(void **state)
{
    (void)state;
    static const iv_column column = { "a\x1b|b", IV_INTEGER, 0 };
    iv_result *r = NULL;

    for (int format = IV_FORMAT_TEXT; format <= IV_FORMAT_LATEX; format++) {
        char *got = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&got, &size);
        assert_int_equal(iv_result_new(&r, "\x1b", NULL), IV_OK);
        iv_result_answer(r, "an\nswer\x1b[0m");
        iv_result_note(r, "no\nte\x1b[0m");
        iv_result_argument(r, "\x1b");
        iv_result_input(r, "\x1b", 0);
        (void)iv_result_table(r, "na\nme\x1b", &column, 1);
        (void)iv_result_table(r, "other\r", &column, 1);
        assert_int_equal(iv_report_write(out, r,
            &(iv_report_options){ .format = (iv_format)format }, NULL), IV_OK);
        (void)fclose(out);
        assert_null(strchr(got, '\x1b'));
        assert_null(strchr(got, '\r'));
        assert_null(strstr(got, "\nte"));
        assert_null(strstr(got, "\nme"));
        free(got);
        iv_result_free(r);
    }
}

static void wide_and_combining_characters_keep_columns_straight(void **state)
{
    (void)state;
    static const iv_column columns[] = { { "run", IV_TEXT, 0 }, { "n", IV_INTEGER, 0 } };
    iv_result *r = NULL;

    assert_int_equal(iv_result_new(&r, "x", NULL), IV_OK);
    iv_table *t = iv_result_table(r, "t", columns, 2);
    iv_put_text(t, iv_str_of("日本語"));
    iv_put_int(t, 1);
    iv_put_text(t, iv_str_of("cafe\xcc\x81"));
    iv_put_int(t, 22);
    iv_put_text(t, iv_str_of("na\xc3\xafve!"));
    iv_put_int(t, 3);
    assert_renders(r, (iv_report_options){ 0 },
        "run      n\n"
        "日本語   1\n"
        "cafe\xcc\x81    22\n"
        "na\xc3\xafve!   3\n");
}

int report_hostile_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hostile_text_does_no_harm_in_any_format),
        cmocka_unit_test(hostile_text_is_escaped_in_markdown),
        cmocka_unit_test(notes_answers_and_names_are_escaped_too),
        cmocka_unit_test(wide_and_combining_characters_keep_columns_straight),
    };
    return cmocka_run_group_tests_name("report, hostile", tests, NULL, NULL);
}
