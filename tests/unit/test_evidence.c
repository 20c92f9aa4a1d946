/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims about the evidence: the papers' figures beside ours, and coverage.
 * Verdicts are recomputed here from the rows themselves.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "drawn.h"
#include "err_text.h"
#include "intervale/num.h"
#include "study/study.h"
#include "near.h"

/* Published figures that do not hold, and nothing else, where no simulation is
 * needed to say so. */
static const char *const wrong[] = {
    "n = 20: coverage of Wald",
    "earn, ltc: linear > quadratic, %",
    "3.2: h for power .60",
    "3.2: share of topics for power .60",
    "3.2: share of topics for power .95",
    "3.4: topics instead of 50 at certainty .8",
    "5.1: judgments at certainty .8",
    "5.1: topics at certainty .68",
    "5.2.1: certainty of least cost",
    "5.2.1: topics",
    "5.2.1: judgments",
    "5.2.1: judgments at that certainty",
    "n = 25, h = 0.35: predicted",
    "n = 50, h = 0.25: predicted",
    "n = 50, h = 0.35: predicted",
    "n = 100, h = 0.25: predicted",
    "2.1: interval so made narrower by",
    "eq 5: the same of its approximation",
};
enum { WRONG = sizeof wrong / sizeof *wrong };

static iv_papers *papers(const iv_papers_options *o)
{
    iv_err err = { 0 };
    iv_papers *p = NULL;

    if (iv_papers_run(&p, o, NULL, &err) != IV_OK)
        fail_msg("%s", err_text(&err));
    return p;
}

static bool is_wrong(const char *cell)
{
    for (size_t i = 0; i < WRONG; i++)
        if (strcmp(cell, wrong[i]) == 0)
            return true;
    return false;
}

static void figures_without_simulation_agree_but_for_known_errors(void **state)
{
    (void)state;
    iv_papers_options o = { .quick = true };
    static const iv_paper_table exact[] = {
        IV_WEBBER_NUMBERS, IV_WEBBER_XII, IV_GOUTTE_NUMBERS, IV_GOUTTE_1, IV_GOUTTE_2,
        IV_CARTERETTE_NUMBERS, IV_CARTERETTE_2, IV_ASLAM_NUMBERS };
    size_t differ = 0;

    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        o.wanted[exact[i]] = true;
    iv_papers *p = papers(&o);
    const iv_published *x;
    const size_t count = iv_papers_rows(&x, p);
    for (size_t i = 0; i < count; i++) {
        if (is_wrong(x[i].cell) != (x[i].verdict == IV_DIFFERS))
            print_error("%s: printed %g, ours %g\n", x[i].cell, x[i].published, x[i].ours);
        assert_int_equal(is_wrong(x[i].cell), x[i].verdict == IV_DIFFERS);
        assert_int_equal(x[i].reason != NULL, x[i].verdict == IV_DIFFERS);
        differ += x[i].verdict == IV_DIFFERS;
    }
    assert_int_equal(differ, WRONG);
    assert_int_equal(count, 5 + 168 + 6 + 33 + 39 + 23 + 9 + 10);
    iv_papers_free(p);
}

/* A made-up matrix: what it gives is not what Park found. */
static iv_matrix *made_up_matrix(void)
{
    char *text = malloc(1 << 16);
    size_t len = 0;
    iv_matrix *m = NULL;

    assert_non_null(text);
    len += (size_t)sprintf(text + len, "run");
    for (int t = 0; t < 110; t++)
        len += (size_t)sprintf(text + len, ",%d", 301 + t);
    for (uint64_t s = 0; s < 8; s++) {
        iv_stream stream = iv_stream_start(5, IV_FOR_CALLER, s);
        len += (size_t)sprintf(text + len, "\nsystem%d", (int)s);
        for (int t = 0; t < 110; t++)
            len += (size_t)sprintf(text + len, ",%.4f", 0.4 + 0.2 * iv_draw_uniform(&stream));
    }
    len += (size_t)sprintf(text + len, "\n");
    assert_int_equal(iv_matrix_parse(&m, "made up", text, len, IV_ROWS_SYSTEMS, NULL), IV_OK);
    free(text);
    return m;
}

static void verdicts_are_computed_from_the_rows(void **state)
{
    (void)state;
    iv_matrix *m = made_up_matrix();
    const iv_papers_options o = { .wanted = { [IV_PARK_1] = true, [IV_PARK_3] = true,
                                              [IV_CARTERETTE_2] = true },
                                  .quick = true, .robust2004 = m };
    iv_papers *p = papers(&o);
    const iv_published *x;
    const size_t count = iv_papers_rows(&x, p);
    size_t differ = 0;

    /* Powers observed for effects that no pair has are left out. */
    assert_in_range(count, 60 + 9, 60 + 18);
    for (size_t i = 0; i < 60; i++) {
        assert_int_not_equal(x[i].table, IV_CARTERETTE_2);
        assert_near(x[i].difference, x[i].ours - x[i].published, 1e-12);
        assert_near(x[i].tolerance, x[i].rounding
                    + 3.0 * sqrt(x[i].our_se * x[i].our_se
                                 + x[i].published_se * x[i].published_se), 1e-12);
        assert_int_equal(x[i].verdict,
                         fabs(x[i].difference) <= x[i].tolerance ? IV_AGREES : IV_DIFFERS);
        assert_true(x[i].our_se > 0.0 && x[i].published_se > 0.0);
        differ += x[i].verdict == IV_DIFFERS;
    }
    /* Nearly normal values: the percentile interval errs less than on AP. */
    assert_in_range(differ, 1, 59);
    iv_papers_free(p);
    iv_matrix_free(m);
}

static void tables_without_their_data_say_so(void **state)
{
    (void)state;
    iv_papers_options o = { .quick = true };
    const iv_published *x;

    for (int t = IV_PARK_1; t <= IV_PARK_3; t++)
        o.wanted[t] = true;
    o.wanted[IV_ASLAM_COMPARISON] = o.wanted[IV_ASLAM_1] = true;
    iv_papers *p = papers(&o);
    assert_int_equal(iv_papers_rows(&x, p), 0);
    for (int t = 0; t < IV_PAPER_TABLES; t++)
        assert_int_equal(iv_papers_missing(p, (iv_paper_table)t) != NULL, o.wanted[t]);
    iv_papers_free(p);
    for (int t = 0; t < IV_PAPER_TABLES; t++)
        assert_non_null(iv_paper_table_about((iv_paper_table)t));
    assert_null(iv_paper_table_names()[IV_PAPER_TABLES]);
    assert_null(iv_verdict_names()[IV_OTHER_DATA + 1]);
}

/* ---------------------------------------------------------------- coverage -- */

static iv_coverage *coverage(iv_coverage_part part, int threads, const iv_score_grid *scores)
{
    iv_coverage_options o = { .quick = true, .scores = scores };
    const iv_work work = { .threads = threads, .seed = 3 };
    iv_err err = { 0 };
    iv_coverage *c = NULL;

    o.wanted[part] = true;
    if (iv_coverage_run(&c, &o, &work, &err) != IV_OK)
        fail_msg("%s", err_text(&err));
    return c;
}

static void coverage_does_not_depend_on_threads(void **state)
{
    (void)state;
    static const iv_coverage_part parts[] = { IV_COVERAGE_EVAL, IV_COVERAGE_SAMPLE };

    for (size_t k = 0; k < 2; k++) {
        iv_coverage *one = coverage(parts[k], 1, NULL), *two = coverage(parts[k], 2, NULL);
        const iv_covered *a, *b;
        const size_t count = iv_coverage_rows(&a, one);
        assert_true(count > 0 && count % IV_COVERAGE_LEVELS == 0);
        assert_int_equal(iv_coverage_rows(&b, two), count);
        assert_null(iv_coverage_part_names()[IV_COVERAGE_PARTS]);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(a[i].part, parts[k]);
            assert_string_equal(a[i].interval, b[i].interval);
            assert_true(a[i].coverage == b[i].coverage
                        && (a[i].width == b[i].width || (isnan(a[i].width) && isnan(b[i].width))));
        }
        iv_coverage_free(one);
        iv_coverage_free(two);
    }
}

/* Two systems: one all the same, one of two values.  A t interval of n equal
 * values has no width and holds the mean; the rows must add up. */
static void coverage_counts_what_it_should(void **state)
{
    (void)state;
    enum { TOPICS = 40 };
    double values[2 * TOPICS];
    const iv_score_grid grid = { values, 2, TOPICS };
    const iv_covered *x;
    size_t matrix = 0;

    for (size_t t = 0; t < TOPICS; t++) {
        values[t] = 0.5;
        values[TOPICS + t] = t % 2 == 0 ? 0.3 : 0.7;
    }
    iv_coverage *c = coverage(IV_COVERAGE_EVAL, 0, &grid);
    const size_t count = iv_coverage_rows(&x, c);
    for (size_t i = 0; i < count; i++) {
        assert_near(x[i].coverage + x[i].below + x[i].above, 1.0, 1e-12);
        assert_near(x[i].nominal, iv_coverage_levels()[i % IV_COVERAGE_LEVELS], 0.0);
        assert_true(i % IV_COVERAGE_LEVELS == 0 || x[i].coverage >= x[i - 1].coverage);
        assert_true(x[i].coverage > x[i].nominal - 0.12 - 5.0 * x[i].se);
        if (strcmp(x[i].data, "matrix") != 0)
            continue;
        matrix++;
        /* Half of the replicates are of the system that never errs. */
        assert_true(x[i].coverage > 0.5 && x[i].coverage <= 1.0);
    }
    assert_int_equal(matrix, 2 * 3 * IV_COVERAGE_LEVELS);
    iv_coverage_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_without_simulation_agree_but_for_known_errors),
        cmocka_unit_test(verdicts_are_computed_from_the_rows),
        cmocka_unit_test(tables_without_their_data_say_so),
        drawn_unit_test(coverage_does_not_depend_on_threads),
        cmocka_unit_test(coverage_counts_what_it_should),
    };

    return cmocka_run_group_tests_name("evidence", tests, NULL, NULL);
}
