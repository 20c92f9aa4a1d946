/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about charts and pages; tests/html opens them in a browser. */
#include <math.h>
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

static const iv_column columns[] = {
    { "run", IV_TEXT, 0 },   { "topic", IV_TEXT, 0 },  { "n", IV_INTEGER, 0 },
    { "value", IV_REAL, 4 }, { "lower", IV_REAL, 4 },  { "upper", IV_REAL, 4 } };

static const char evil[] = "</script><script>alert(1)</script>";

static void put_row(iv_table *t, const char *run, const char *topic, int n, double value,
                    double half)
{
    iv_put_text(t, iv_str_of(run));
    iv_put_text(t, iv_str_of(topic));
    iv_put_int(t, n);
    iv_put_real(t, value);
    iv_put_real(t, value - half);
    iv_put_real(t, value + half);
}

static iv_result *sample(void)
{
    iv_result *r = NULL;

    assert_int_equal(iv_result_new(&r, "eval", NULL), IV_OK);
    iv_table *t = iv_result_table(r, "t", columns, 6);
    put_row(t, "A", "all", 10, 0.5, 0.1);
    put_row(t, "B", "all", 20, -0.25, 0.1);
    put_row(t, "A", "301", 10, 0.75, 0.1);
    put_row(t, evil, "all", 20, 0.125, (double)NAN);
    return r;
}

/* Renders and returns the text, which the caller frees. */
static char *render_as(const iv_result *r, iv_report_options o)
{
    char *got = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&got, &size);

    assert_non_null(out);
    assert_int_equal(iv_report_write(out, r, &o, NULL), IV_OK);
    assert_int_equal(fclose(out), 0);
    return got;
}

static char *render(const iv_result *r, iv_format format, const char *table)
{
    return render_as(r, (iv_report_options){ .format = format, .table = table });
}

/* Brackets match outside strings: as much of JSON as needs no parser. */
static void assert_balanced(const char *text)
{
    char open[64];
    size_t depth = 0;

    for (const char *at = text; *at != '\0'; at++) {
        if (*at == '"') {
            for (at++; *at != '"'; at++) {
                assert_true((unsigned char)*at >= 0x20);
                at += *at == '\\';
            }
        } else if (*at == '{' || *at == '[') {
            assert_true(depth < sizeof open);
            open[depth++] = *at;
        } else if (*at == '}' || *at == ']') {
            assert_true(depth > 0 && open[--depth] == (*at == '}' ? '{' : '['));
        }
    }
    assert_int_equal(depth, 0);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;

    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        count++;
    return count;
}

static void assert_status(iv_chart chart, int want, const char *part)
{
    iv_result *r = sample();
    iv_err err = { IV_OK, "" };

    iv_result_chart(r, &chart);
    assert_int_equal(iv_result_status(r, &err), want);
    assert_non_null(strstr(err.msg, part));
    iv_result_free(r);
}

static void a_chart_of_what_is_not_there_is_refused(void **state)
{
    (void)state;
    const iv_chart sound = { .kind = IV_CHART_BARS, .title = "c", .table = "t",
                             .label = "run", .value = "value" };
    iv_chart c = sound;

    assert_status(c, IV_OK, "");
    c.table = "u";
    assert_status(c, IV_EARG, "there is no table 'u'");
    c = sound;
    c.value = "worth";
    assert_status(c, IV_EARG, "no column of numbers 'worth'");
    c = sound;
    c.value = "run";
    assert_status(c, IV_EARG, "no column of numbers 'run'");
    c = sound;
    c.label = NULL;
    assert_status(c, IV_EARG, "lacks a column");
    c = sound;
    c.kind = IV_CHART_MATRIX;
    assert_status(c, IV_EARG, "lacks a column");
    c.kind = IV_CHART_FOREST; /* points without lines through them */
    assert_status(c, IV_OK, "");
    c.value = NULL;
    assert_status(c, IV_EARG, "lacks a column");
    c.lower = "lower";
    assert_status(c, IV_EARG, "lacks a column");
    c.upper = "upper";
    assert_status(c, IV_OK, "");
    c = sound;
    c.where = "n";
    assert_status(c, IV_EARG, "no column of text 'n'");
}

static void every_kind_is_a_specification(void **state)
{
    (void)state;
    static const struct { iv_chart_kind kind; const char *mark; } kinds[] = {
        { IV_CHART_FOREST, "\"type\": \"rule\"" }, { IV_CHART_BARS, "\"type\": \"bar\"" },
        { IV_CHART_CURVES, "\"type\": \"line\"" }, { IV_CHART_POINTS, "\"type\": \"point\"" },
        { IV_CHART_DENSITY, "\"type\": \"area\"" }, { IV_CHART_MATRIX, "\"type\": \"rect\"" } };

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        iv_result *r = sample();
        iv_result_chart(r, &(iv_chart){
            .kind = kinds[i].kind, .title = "title \"x\"", .caption = "c", .table = "t",
            .label = "run", .against = "topic", .x = "n", .value = "value", .lower = "lower",
            .upper = "upper", .panel = "topic", .page = "n", .group = "value",
            .diagonal = true, .x_axis = { .from = 0.0, .to = 30.0 },
            .value_axis = { .title = "v", .from = 0.0, .to = 2.0 },
            .lines = { { "here", 0.5, false } } });
        char *got = render(r, IV_FORMAT_VEGA, NULL);
        assert_balanced(got);
        assert_non_null(strstr(got, kinds[i].mark));
        assert_non_null(strstr(got, "title \\\"x\\\""));
        assert_int_equal(count_of(got, "\"subtitle\""), 2); /* a panel each */
        assert_non_null(strstr(got, "\"options\": [10, 20]"));
        assert_non_null(strstr(got, "\"datum\": 0.5"));
        free(got);
        iv_result_free(r);
    }
}

static void a_specification_has_the_rows_that_are_meant(void **state)
{
    (void)state;
    iv_chart c = { .kind = IV_CHART_BARS, .title = "c", .table = "t", .label = "run",
                   .value = "value", .where = "topic", .is = "301" };
    iv_result *r = sample();

    iv_result_chart(r, &c);
    char *got = render(r, IV_FORMAT_VEGA, NULL);
    assert_non_null(strstr(got, "{\"run\": \"A\", \"value\": 0.75}"));
    assert_int_equal(count_of(got, "{\"run\":"), 1);
    free(got);
    iv_result_free(r);
    r = sample();
    c.is = NULL;
    c.is_not = "301";
    iv_result_chart(r, &c);
    got = render(r, IV_FORMAT_VEGA, NULL);
    assert_int_equal(count_of(got, "{\"run\":"), 3);
    free(got);
    iv_result_free(r);
}

/* Where nobody chooses, a chart's pages are pictures with their names, at most twelve. */
static void a_still_picture_has_all_pages(void **state)
{
    (void)state;
    iv_result *r = NULL;
    char name[16];

    assert_int_equal(iv_result_new(&r, "eval", NULL), IV_OK);
    iv_table *t = iv_result_table(r, "t", columns, 6);
    for (int k = 0; k < 2 * 14; k++) {
        (void)snprintf(name, sizeof name, "P@%d", k / 2);
        put_row(t, "A", name, k, 0.5, 0.1);
    }
    iv_result_chart(r, &(iv_chart){ .kind = IV_CHART_FOREST, .title = "c", .table = "t",
                                    .label = "run", .page = "topic", .value = "value" });
    char *got = render(r, IV_FORMAT_VEGA, NULL);
    assert_non_null(strstr(got, "\"input\": \"select\""));
    free(got);
    got = render_as(r, (iv_report_options){ .format = IV_FORMAT_VEGA, .still = true });
    assert_balanced(got);
    assert_null(strstr(got, "\"input\": \"select\""));
    assert_int_equal(count_of(got, "\"subtitle\": [\"P@"), 12);
    assert_non_null(strstr(got, "\"subtitle\": [\"P@11\", \"(12 of 14)\"]"));
    assert_int_equal(count_of(got, "{\"run\":"), 24);
    free(got);
    iv_result_free(r);
}

/* Bars too many for all names: those of the three at each end. */
static void of_many_bars_the_extremes_are_named(void **state)
{
    (void)state;
    iv_result *r = NULL;
    char name[16];

    assert_int_equal(iv_result_new(&r, "eval", NULL), IV_OK);
    iv_table *t = iv_result_table(r, "t", columns, 6);
    for (int k = 0; k < 41; k++) {
        (void)snprintf(name, sizeof name, "%d", 301 + k);
        put_row(t, "A", name, k, k - 20.0, 0.1);
        if (k != 39 && k != 40)
            continue;
        iv_result_chart(r, &(iv_chart){ .kind = IV_CHART_BARS, .title = "c", .table = "t",
                                        .label = "topic", .value = "value" });
        char *got = render(r, IV_FORMAT_VEGA, NULL);
        assert_int_equal(count_of(got, "datum._place <= 3"), k == 40 ? 4 : 0);
        free(got);
    }
    iv_result_free(r);
}

static void a_table_that_draws_is_a_forest_unless_there_are_charts(void **state)
{
    (void)state;
    iv_result *r = sample();
    iv_table *t = iv_result_table(r, "u", columns, 6);

    put_row(t, "A", "all", 1, 0.5, 0.25);
    put_row(t, "B", "all", 1, 0.5, 0.25);
    iv_table_draw(t, (iv_drawn){ "value", "lower", "upper", 0.0, 1.0 });
    char *got = render(r, IV_FORMAT_VEGA, NULL);
    assert_balanced(got);
    assert_non_null(strstr(got, "\"title\": \"u\""));
    assert_non_null(strstr(got, "{\"run\": \"B\", \"value\": 0.5, \"lower\": 0.25, "
                           "\"upper\": 0.75}"));
    free(got);
    iv_result_chart(r, &(iv_chart){ .kind = IV_CHART_BARS, .title = "own", .table = "t",
                                    .label = "run", .value = "value" });
    got = render(r, IV_FORMAT_VEGA, NULL);
    assert_null(strstr(got, "\"title\": \"u\""));
    free(got);
    iv_result_free(r);
}

static void without_a_chart_there_is_no_specification(void **state)
{
    (void)state;
    iv_result *r = sample();
    iv_err err = { IV_OK, "" };
    const iv_report_options o = { .format = IV_FORMAT_VEGA };
    char *got = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&got, &size);

    assert_int_equal(iv_report_write(out, r, &o, &err), IV_ENODATA);
    assert_non_null(strstr(err.msg, "no chart"));
    assert_int_equal(fclose(out), 0);
    assert_int_equal(size, 0);
    free(got);
    iv_result_free(r);
}

static void charts_change_no_other_format(void **state)
{
    (void)state;
    for (int f = IV_FORMAT_TEXT; f <= IV_FORMAT_LATEX; f++) {
        iv_result *r = sample();
        char *before = render(r, (iv_format)f, NULL);
        iv_result_chart(r, &(iv_chart){ .kind = IV_CHART_BARS, .title = "own", .table = "t",
                                        .label = "run", .value = "value" });
        iv_result_method(r, "how");
        iv_result_assumption(r, "what");
        char *after = render(r, (iv_format)f, NULL);
        assert_string_equal(before, after);
        free(before);
        free(after);
        iv_result_free(r);
    }
}

static iv_result *page_sample(void)
{
    iv_result *r = sample();

    iv_result_answer(r, "The answer is %s.", evil);
    iv_result_note(r, "a note on %s", evil);
    iv_result_method(r, "the method of %s", evil);
    iv_result_assumption(r, "an assumption");
    iv_result_add_citation(r, &(iv_citation){ "m", "ab2000", "A & B 2000", "A & B (2000)", "" });
    iv_result_argument(r, "it's");
    iv_result_argument(r, evil);
    iv_result_input(r, evil, 12);
    iv_result_seed(r, 77);
    iv_result_chart(r, &(iv_chart){ .kind = IV_CHART_FOREST, .title = evil, .caption = evil,
                                    .table = "t", .label = "run", .value = "value",
                                    .lower = "lower", .upper = "upper", .panel = "topic",
                                    .lines = { { evil, 0.0, true } } });
    return r;
}

static void a_page_holds_everything_and_runs_nothing(void **state)
{
    (void)state;
    iv_result *r = page_sample();

    if (!iv_format_is_built(IV_FORMAT_HTML)) {
        iv_err err = { IV_OK, "" };
        const iv_report_options o = { .format = IV_FORMAT_HTML };
        assert_int_equal(iv_report_write(stderr, r, &o, &err), IV_EARG);
        assert_non_null(strstr(err.msg, "INTERVALE_HTML=OFF"));
        iv_result_free(r);
        return;
    }
    char *got = render(r, IV_FORMAT_HTML, NULL);
    static const char *const parts[] = {
        "<h1 class=\"answer\">The answer is &lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;.</h1>",
        "<li>a note on &lt;/script&gt;", "<p>the method of &lt;/script&gt;",
        "<li>an assumption</li>", "<li>A &amp; B (2000)</li>", "<dt>Seed</dt><dd>77, for methods",
        "intervale eval &#39;it&#39;\\&#39;&#39;s&#39; &#39;&lt;/script&gt;",
        "</code> (12 bytes)", "<td>&lt;/script&gt;", "<td class=\"n\">-0.2500</td>",
        "<td class=\"n\">–</td>", "\"data\":\"0.5 -0.25 0.75 0.125\"",
        "\\u003c/script\\u003e\\u003cscript\\u003ealert(1)", "script-src 'sha256-" };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(got, parts[i]) == NULL)
            fail_msg("not in the page: %s", parts[i]);
    assert_null(strstr(got, evil));
    assert_true(strlen(got) < 5000000);
    free(got);
    iv_result_free(r);
}

static void names_of_columns_may_hold_anything(void **state)
{
    (void)state;
    static const iv_column odd[] = { { "a.b['c']", IV_TEXT, 0 }, { "x[\"y\"]\\", IV_REAL, 2 } };
    iv_result *r = NULL;

    assert_int_equal(iv_result_new(&r, "x", NULL), IV_OK);
    iv_table *t = iv_result_table(r, "t", odd, 2);
    iv_put_text(t, (iv_str){ "\x1b\xff", 2 });
    iv_put_real(t, 1.0);
    iv_result_chart(r, &(iv_chart){ .kind = IV_CHART_BARS, .title = "c", .table = "t",
                                    .label = odd[0].name, .value = odd[1].name });
    char *got = render(r, IV_FORMAT_VEGA, NULL);
    assert_balanced(got);
    assert_non_null(strstr(got, "\"field\": \"a\\\\.b\\\\[\\\\'c\\\\'\\\\]\""));
    assert_non_null(strstr(got, "\"a.b['c']\": \"\\\\x1b\\\\xff\""));
    free(got);
    iv_result_free(r);
}

int report_chart_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chart_of_what_is_not_there_is_refused),
        cmocka_unit_test(every_kind_is_a_specification),
        cmocka_unit_test(a_specification_has_the_rows_that_are_meant),
        cmocka_unit_test(a_still_picture_has_all_pages),
        cmocka_unit_test(of_many_bars_the_extremes_are_named),
        cmocka_unit_test(a_table_that_draws_is_a_forest_unless_there_are_charts),
        cmocka_unit_test(without_a_chart_there_is_no_specification),
        cmocka_unit_test(charts_change_no_other_format),
        cmocka_unit_test(a_page_holds_everything_and_runs_nothing),
        cmocka_unit_test(names_of_columns_may_hold_anything),
    };
    return cmocka_run_group_tests_name("report, charts", tests, NULL, NULL);
}
