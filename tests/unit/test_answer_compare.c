/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about compare as a question of the library; the name of a test is the claim. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "intervale/answer.h"
#include "intervale/report.h"
#include "num/draw.h"
#include "result/result_build.h"
#include "scratch.h"

enum { RUNS = 4, TOPICS = 12, MANY = 13 };

static const char *const runs[] = { "r0", "r1", "r2", "r3", "r4", "r5", "r6",
                                    "r7", "r8", "r9", "r10", "r11", "r12" };
static const char *const topics[] = { "1", "2", "3", "4", "5", "6",
                                      "7", "8", "9", "10", "11", "12" };

static void make_scores(double *values, size_t count)
{
    iv_stream s = iv_stream_start(5, IV_FOR_CALLER, 0);

    for (size_t i = 0; i < count * TOPICS; i++)
        values[i] = 0.03 * (double)(i / TOPICS) + 0.1 * iv_draw_uniform(&s);
}

/* Few resamples, for speed. */
static iv_compare_question asked(const double *values, size_t count)
{
    return (iv_compare_question){ .values = values, .systems = { runs, count },
                                  .topics = { topics, TOPICS },
                                  .how = { .resamples = 200 } };
}

static char *written(const iv_compare_question *q, iv_format format)
{
    iv_result *r = NULL;
    iv_err err = { 0 };
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_int_equal(iv_result_new(&r, "compare", NULL), IV_OK);
    if (iv_answer_compare(r, q, NULL, &err) != IV_OK)
        fail_msg("%s", err.msg);
    assert_int_equal(iv_report_write(out, r, &(iv_report_options){ .format = format, .verbose = true },
                                     NULL), IV_OK);
    assert_int_equal(fclose(out), 0);
    iv_result_free(r);
    return text;
}

/* A file of the same scores, by name. */
static void write_matrix(const scratch *dir, char path[SCRATCH_PATH], const double *values)
{
    (void)snprintf(path, SCRATCH_PATH, "%s/scores.csv", dir->path);
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs("run", f);
    for (size_t t = 0; t < TOPICS; t++)
        fprintf(f, ",%s", topics[t]);
    for (size_t r = 0; r < RUNS; r++) {
        fprintf(f, "\n%s", runs[r]);
        for (size_t t = 0; t < TOPICS; t++)
            fprintf(f, ",%.17g", values[r * TOPICS + t]);
    }
    fputs("\n", f);
    assert_int_equal(fclose(f), 0);
}

static void scores_in_memory_give_the_report_of_a_file(void **state)
{
    (void)state;
    double values[RUNS * TOPICS];
    scratch dir;
    char path[SCRATCH_PATH];

    assert_true(scratch_make(&dir));
    make_scores(values, RUNS);
    write_matrix(&dir, path, values);
    const iv_compare_question memory = asked(values, RUNS);
    const char *const files[] = { path };
    const iv_compare_question file = { .scores = { .given = true, .from.files = { files, 1 } },
                                       .how = memory.how };
    for (int f = IV_FORMAT_TEXT; f <= IV_FORMAT_LATEX; f++) {
        char *a = written(&memory, (iv_format)f), *b = written(&file, (iv_format)f);
        if (!iv_format_has_inputs((iv_format)f)) /* which names the file */
            assert_string_equal(a, b);
        free(a);
        free(b);
    }
    scratch_remove(dir.path);
}

static void names_stand_for_baseline_and_tests(void **state)
{
    (void)state;
    static const char *const tests[] = { "t", "sign", "t" };
    double values[RUNS * TOPICS];

    make_scores(values, RUNS);
    iv_compare_question q = asked(values, RUNS);
    q.baselines = (iv_texts){ (const char *const[]){ "r2" }, 1 };
    q.tests = (iv_texts){ tests, 3 };
    char *text = written(&q, IV_FORMAT_TSV);
    size_t lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    assert_int_equal(lines, 1 + 3 * 2); /* a test that is named twice is made once */
    assert_non_null(strstr(text, "r3\tr2\tscore\t12\t"));
    free(text);
}

static void the_table_of_a_paper_has_intervals_and_marks(void **state)
{
    (void)state;
    double values[RUNS * TOPICS];

    make_scores(values, RUNS);
    iv_compare_question q = asked(values, RUNS);
    q.baselines = (iv_texts){ (const char *const[]){ "r1" }, 1 };
    q.paper = IV_PAPER_PM;
    char *text = written(&q, IV_FORMAT_LATEX);
    const char *best = strstr(text, "\nr3 & \\textbf{0."), *base = strstr(text, "\nr1 (baseline) & ");
    assert_true(best != NULL && base != NULL && base < best); /* as given */
    assert_non_null(strstr(text, "\\begin{table}"));
    assert_non_null(strstr(text, "\\textsuperscript{$\\bigtriangleup$} {\\scriptsize $\\pm$0."));
    assert_non_null(strstr(strstr(text, "\nr1 (baseline) & "), " & ~{\\scriptsize $\\pm$0."));
    assert_non_null(strstr(text, "\\caption{Means over 12 topics"));
    free(text);
    q.baselines = (iv_texts){ 0 };
    q.paper = IV_PAPER_BRACKETS;
    text = written(&q, IV_FORMAT_MARKDOWN);
    assert_non_null(strstr(text, "(a) | 0.0"));
    assert_non_null(strstr(text, "A letter after a value means: significantly better than the run of that letter (by the larger p-value"));
    free(text);
    assert_string_equal(iv_paper_interval_names()[IV_PAPER_NO_INTERVAL], "none");
    assert_string_equal(iv_paper_order_names()[IV_PAPER_BEST], "best");
}

/* The other topics' mean, the ranks and the order, against plain arithmetic. */
static void topics_are_told_one_by_one_in_the_order_of_numbers(void **state)
{
    (void)state;
    double values[RUNS * TOPICS], sum = 0.0;
    iv_result *r = NULL;
    const iv_table *t = NULL;

    make_scores(values, 2);
    const iv_compare_question q = asked(values, 2);
    assert_int_equal(iv_result_new(&r, "compare", NULL), IV_OK);
    assert_int_equal(iv_answer_compare(r, &q, NULL, NULL), IV_OK);
    for (size_t i = 0; i < iv_result_tables(r); i++)
        if (strcmp(iv_table_name(iv_result_table_at(r, i)), "topics") == 0)
            t = iv_result_table_at(r, i);
    assert_non_null(t);
    assert_int_equal(iv_table_rows(t), TOPICS);
    for (size_t i = 0; i < TOPICS; i++)
        sum += values[i] - values[TOPICS + i];
    for (size_t i = 0; i < TOPICS; i++) {
        int64_t topic;
        size_t rank = 1;
        const double d = values[i] - values[TOPICS + i];
        assert_true(iv_scan_int(&topic, iv_table_cell(t, i, 4).text, 0, 100));
        assert_int_equal(topic, i + 1); /* 2 before 10 */
        assert_true(iv_str_cmp(iv_table_cell(t, i, 1).text, iv_str_of(q.systems.at[0])) == 0);
        assert_true(iv_str_cmp(iv_table_cell(t, i, 3).text, iv_str_of("score")) == 0);
        assert_true(iv_table_cell(t, i, 5).real == values[i]);
        assert_true(iv_table_cell(t, i, 7).real == d);
        for (size_t k = 0; k < TOPICS; k++)
            rank += values[k] - values[TOPICS + k] > d;
        assert_int_equal(iv_table_cell(t, i, 8).integer, rank);
        assert_true(fabs(iv_table_cell(t, i, 9).real - (sum - d) / (TOPICS - 1)) < 1e-12);
    }
    iv_result_free(r);
}

static int refusal(const iv_compare_question *q, const char *words)
{
    iv_result *r = NULL;
    iv_err err = { 0 };

    assert_int_equal(iv_result_new(&r, "compare", NULL), IV_OK);
    const int rc = iv_answer_compare(r, q, NULL, &err);
    if (strstr(err.msg, words) == NULL)
        fail_msg("'%s' is not in '%s'", words, err.msg);
    iv_result_free(r);
    return rc;
}

static void what_cannot_be_asked_is_refused_without_words_of_the_tool(void **state)
{
    (void)state;
    static const char *const bad[] = { "guess" };
    double values[RUNS * TOPICS];

    make_scores(values, RUNS);
    iv_compare_question q = asked(values, RUNS);
    q.baselines = (iv_texts){ (const char *const[]){ "nobody" }, 1 };
    assert_int_equal(refusal(&q, "the baseline; the runs are r0, r1"), IV_EARG);
    q = asked(values, RUNS);
    q.tests = (iv_texts){ bad, 1 };
    assert_int_equal(refusal(&q, "no test 'guess'"), IV_EARG);
    q = asked(values, RUNS);
    q.scoring.measures = (iv_texts){ runs, 2 };
    assert_int_equal(refusal(&q, "one measure"), IV_EARG);
    q = asked(values, 1);
    assert_int_equal(refusal(&q, "fewer than two"), IV_EARG);
}

static void people_are_told_of_pairs_that_are_too_many(void **state)
{
    (void)state;
    double values[MANY * TOPICS];

    make_scores(values, MANY);
    const iv_compare_question q = asked(values, MANY);
    char *text = written(&q, IV_FORMAT_TEXT);
    assert_non_null(strstr(text, "78 rows of table 'pairs'"));
    assert_null(strstr(text, "w/t/l"));
    free(text);
    text = written(&q, IV_FORMAT_JSON);
    assert_non_null(strstr(text, "\"pairs\""));
    assert_null(strstr(text, "not listed"));
    free(text);
}

static int stop(void *user, double fraction)
{
    (void)fraction;
    return --*(int *)user <= 0;
}

static void an_answer_can_be_stopped(void **state)
{
    (void)state;
    double values[RUNS * TOPICS];
    int left = 3;
    const iv_work work = { .progress = { stop, &left } };
    iv_result *r = NULL;

    make_scores(values, RUNS);
    const iv_compare_question q = asked(values, RUNS);
    assert_int_equal(iv_result_new(&r, "compare", NULL), IV_OK);
    assert_int_equal(iv_answer_compare(r, &q, &work, NULL), IV_ECANCELLED);
    iv_result_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_in_memory_give_the_report_of_a_file),
        cmocka_unit_test(names_stand_for_baseline_and_tests),
        cmocka_unit_test(the_table_of_a_paper_has_intervals_and_marks),
        cmocka_unit_test(topics_are_told_one_by_one_in_the_order_of_numbers),
        cmocka_unit_test(what_cannot_be_asked_is_refused_without_words_of_the_tool),
        cmocka_unit_test(people_are_told_of_pairs_that_are_too_many),
        cmocka_unit_test(an_answer_can_be_stopped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
