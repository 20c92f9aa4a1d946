/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims about the papers: how many printed values agree, that verdicts follow from the
 * values, that an error of 1 % in a formula is reported, that wrong inputs are recognised.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "err_text.h"
#include "intervale/report.h"
#include "scratch.h"
#include "study/study.h"
#include "base/base_private.h"

enum { AGREES, DIFFERS, QUICK, OTHER_DATA, NOT_REPEATED, VERDICTS };

/* The table values of a paper, and its verdicts. */
typedef struct values {
    iv_result *result;
    const iv_table *table;
    size_t rows, count[VERDICTS];
} values;

static iv_cell cell(const values *v, size_t row, const char *column)
{
    const iv_column *columns;
    const size_t count = iv_table_columns(&columns, v->table);

    for (size_t c = 0; c < count; c++)
        if (strcmp(columns[c].name, column) == 0)
            return iv_table_cell(v->table, row, c);
    fail_msg("no column %s", column);
    return (iv_cell){ 0 };
}

static bool says(iv_cell c, const char *text)
{
    return !c.missing && iv_str_cmp(c.text, iv_str_of(text)) == 0;
}

static values compute(const iv_papers_question *q)
{
    values v = { 0 };
    iv_err err = { 0 };

    assert_int_equal(iv_result_new(&v.result, "papers", NULL), IV_OK);
    if (iv_papers_answer(v.result, q, NULL, &err) != IV_OK)
        fail_msg("%s: %s", q->paper, err_text(&err));
    v.table = iv_result_table_at(v.result, 0);
    v.rows = iv_table_rows(v.table);
    for (size_t i = 0; i < v.rows; i++)
        for (int k = 0; k < VERDICTS; k++)
            v.count[k] += says(cell(&v, i, "verdict"), iv_paper_verdict_names()[k]);
    return v;
}

/* Recorded counts at --quick: a value that stops to agree, or is lost, is seen here. */
static void as_many_values_agree_as_recorded(void **state)
{
    static const struct { const char *paper; size_t agree, differ, values; } recorded[] = {
        { "webber", 173, 4, 292 }, { "aslam", 10, 2, 30 }, { "carterette", 19, 14, 60 },
        { "park", 7, 0, 100 }, { "goutte", 151, 1, 153 } };
    size_t not_repeated = 0;

    (void)state;
    for (size_t i = 0; i < IV_PAPERS; i++) {
        values v = compute(&(iv_papers_question){ .paper = recorded[i].paper, .quick = true });
        if (v.count[AGREES] != recorded[i].agree || v.count[DIFFERS] != recorded[i].differ)
            fail_msg("%s: %zu agree and %zu differ, not %zu and %zu", recorded[i].paper,
                     v.count[AGREES], v.count[DIFFERS], recorded[i].agree, recorded[i].differ);
        assert_int_equal(v.rows, recorded[i].values);
        not_repeated += v.count[NOT_REPEATED];
        for (size_t r = 0; r < v.rows; r++)
            if (says(cell(&v, r, "verdict"), "differs")
                || says(cell(&v, r, "verdict"), "not repeated"))
                assert_true(cell(&v, r, "reason").text.len > 20); /* and not "not explained" */
        iv_result_free(v.result);
    }
    assert_true(not_repeated <= 10);
}

/* A verdict is |computed - printed| against the tolerance, and nothing else. */
static void verdicts_follow_from_the_values(void **state)
{
    values v = compute(&(iv_papers_question){ .paper = "goutte", .quick = true });

    (void)state;
    for (size_t r = 0; r < v.rows; r++) {
        double printed;
        if (cell(&v, r, "computed").missing)
            continue;
        assert_true(iv_scan_real(&printed, cell(&v, r, "printed").text));
        const double off = fabs(cell(&v, r, "computed").real - printed);
        const bool within = off <= cell(&v, r, "tolerance").real + 1e-7;
        assert_true(within == says(cell(&v, r, "verdict"), "agrees"));
        assert_true(cell(&v, r, "tolerance").real > 0.0);
    }
    iv_result_free(v.result);
}

/* Three formulas of each paper.  Park prints simulated values only: its formulas are checked on five
 * values with all their resamples. */
static void an_error_of_one_per_cent_is_reported(void **state)
{
    static const struct { const char *paper, *table, *row; } formulas[] = {
        { "webber", "Coverage of a proportion", "wilson" },
        { "webber", "Table XII", "205 CS" },
        { "webber", "Coverage of a proportion", "jeffreys" },
        { "aslam", "Section 2", "uniform" },
        { "aslam", "Section 2", "top half 1.5 times" },
        { "aslam", "Appendix", "pair in two buckets, m = 14" },
        { "carterette", "Section 3", "h = 0.4" },
        { "carterette", "Section 4", "list B, A, C" },
        { "carterette", "Table 2", "n = 25, h = 0.50" },
        { "park", "Formulas", "bca" },
        { "park", "Formulas", "logit" },
        { "park", "Formulas", "skewness" },
        { "goutte", "Table 1", "money-fx" },
        { "goutte", "Table 2", "earn (17:4, 48:12, 1:4)" },
        { "goutte", "Section 2.2", "system 2 better" } };

    (void)state;
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        iv_papers_question q = { .paper = formulas[i].paper, .exact = true };
        size_t noticed = 0;
        values before = compute(&q);
        q.seeded_table = formulas[i].table;
        q.seeded_row = formulas[i].row;
        q.seeded_factor = 1.01;
        values after = compute(&q);
        for (size_t r = 0; r < after.rows; r++)
            noticed += says(cell(&before, r, "verdict"), "agrees")
                       && says(cell(&after, r, "verdict"), "differs");
        if (noticed == 0)
            fail_msg("%s, %s, %s: 1 %% goes unnoticed", q.paper, q.seeded_table, q.seeded_row);
        iv_result_free(before.result);
        iv_result_free(after.result);
    }
}

/* A matrix that is not the one of the Robust track gets no verdict. */
static void other_matrices_are_compared_in_kind(void **state)
{
    scratch dir;
    char path[SCRATCH_PATH];

    (void)state;
    assert_true(scratch_make(&dir));
    FILE *f = fopen(scratch_at(path, &dir, "ap.csv"), "w");
    assert_non_null(f);
    (void)fputs("AP", f);
    for (int t = 0; t < 249; t++)
        (void)fprintf(f, ",%d", 301 + t);
    for (int s = 0; s < 110; s++) {
        (void)fprintf(f, "\ns%d", s);
        for (int t = 0; t < 249; t++)
            (void)fprintf(f, ",0.%02d", (17 * s + 29 * t) % 90 + 5);
    }
    (void)fputc('\n', f);
    assert_int_equal(fclose(f), 0);
    const iv_papers_question q = { .paper = "park", .quick = true, .robust2004 = path };
    values v = compute(&q);
    assert_int_equal(v.count[AGREES] + v.count[DIFFERS], 7); /* the formulas, which need no matrix */
    assert_int_equal(v.count[OTHER_DATA], v.rows - 7);
    iv_result_free(v.result);
    scratch_remove(dir.path);
}

static void an_unknown_paper_is_refused(void **state)
{
    iv_result *result = NULL;
    iv_err err = { 0 };

    (void)state;
    assert_int_equal(iv_result_new(&result, "papers", NULL), IV_OK);
    assert_int_equal(iv_papers_answer(result, &(iv_papers_question){ .paper = "weber" }, NULL, &err),
                     IV_EARG);
    assert_non_null(strstr(err_text(&err), "expected webber"));
    assert_int_equal(iv_papers_answer(result, &(iv_papers_question){ 0 }, NULL, &err), IV_OK);
    assert_int_equal(iv_table_rows(iv_result_table_at(result, 0)), IV_PAPERS);
    iv_result_free(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_values_agree_as_recorded),
        cmocka_unit_test(verdicts_follow_from_the_values),
        cmocka_unit_test(an_error_of_one_per_cent_is_reported),
        cmocka_unit_test(other_matrices_are_compared_in_kind),
        cmocka_unit_test(an_unknown_paper_is_refused),
    };

    return cmocka_run_group_tests_name("papers", tests, NULL, NULL);
}
