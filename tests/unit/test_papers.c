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

#include "drawn.h"
#include "err_text.h"
#include "intervale/report.h"
#include "scratch.h"
#include "study/study.h"

enum { VERDICTS = IV_PAPER_VERDICTS };

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

/* All papers at --quick, which several claims look at. */
static values quick[IV_PAPERS];
static const char *const papers[IV_PAPERS] = { "webber", "aslam", "carterette", "park", "goutte" };

static int compute_quick(void **state)
{
    (void)state;
    for (size_t i = 0; i < IV_PAPERS; i++)
        quick[i] = compute(&(iv_papers_question){ .paper = papers[i], .quick = true });
    return 0;
}

static int forget_quick(void **state)
{
    (void)state;
    for (size_t i = 0; i < IV_PAPERS; i++)
        iv_result_free(quick[i].result);
    return 0;
}

static bool judged(const values *v, size_t row)
{
    return !cell(v, row, "computed").missing;
}

/* Equal, or both missing. */
static bool same(iv_cell a, iv_cell b)
{
    return a.missing || b.missing ? a.missing && b.missing
        : fabs(a.real - b.real) <= 1e-12 * fmax(1.0, fabs(a.real));
}

/* Recorded counts at --quick: a value that stops to agree, or is lost, is seen here. */
static void as_many_values_agree_as_recorded(void **state)
{
    static const struct { size_t agree, differ, unchecked, values; } recorded[IV_PAPERS] = {
        { 174, 1, 71, 371 },
        { 10, 2, 14, 55 },
        { 20, 13, 1, 90 },
        { 7, 0, 0, 107 },
        { 87, 1, 0, 155 } };

    (void)state;
    for (size_t i = 0; i < IV_PAPERS; i++) {
        const values v = quick[i];
        if (v.count[IV_PAPER_AGREES] != recorded[i].agree
            || v.count[IV_PAPER_DIFFERS] != recorded[i].differ
            || v.count[IV_PAPER_UNCHECKED] != recorded[i].unchecked || v.rows != recorded[i].values)
            fail_msg("%s: %zu agree, %zu differ, %zu cannot be checked, of %zu", papers[i],
                     v.count[IV_PAPER_AGREES], v.count[IV_PAPER_DIFFERS],
                     v.count[IV_PAPER_UNCHECKED], v.rows);
        for (size_t r = 0; r < v.rows; r++)
            if (says(cell(&v, r, "verdict"), "differs")
                || says(cell(&v, r, "verdict"), "fails here")
                || says(cell(&v, r, "verdict"), "cannot be checked"))
                assert_true(cell(&v, r, "reason").text.len > 20); /* and not "not explained" */
    }
}

/* No row is both an input and a verdict, and no cell of a paper has two rows. */
static void each_cell_of_a_paper_is_one_row_of_one_kind(void **state)
{
    (void)state;
    for (size_t i = 0; i < IV_PAPERS; i++) {
        values v = compute(&(iv_papers_question){ .paper = papers[i], .exact = true });
        for (size_t r = 0; r < v.rows; r++) {
            assert_true(says(cell(&v, r, "kind"), "input")
                        == says(cell(&v, r, "verdict"), "input"));
            for (size_t k = 0; k < r; k++)
                assert_int_not_equal(iv_str_cmp(cell(&v, r, "item").text, cell(&v, k, "item").text),
                                     0);
        }
        iv_result_free(v.result);
    }
}

/* Printed values of which another row is a part, or that are the same by chance: system 1's mean
 * is its mode, and 0.5 without results. */
static const char *const alike[] = { "Section 2.2, system 1, mode",
                                     "Section 2.1, nothing returned, mean of precision" };

static bool may_be_alike(iv_cell item)
{
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++)
        if (says(item, alike[i]))
            return true;
    return false;
}

/*
 * Two rows of printed values outside tables with the same print and the same computed value would
 * be one agreement that counts twice, as the least cost by search and by equation 8.
 */
static void no_agreement_is_counted_twice(void **state)
{
    size_t pairs = 0;

    (void)state;
    for (size_t i = 0; i < IV_PAPERS; i++)
        for (size_t r = 0; r < quick[i].rows; r++)
            for (size_t k = 0; k < r; k++) {
                const values *v = &quick[i];
                const iv_cell a = cell(v, r, "item"), b = cell(v, k, "item");
                if (!judged(v, r) || !judged(v, k) || strncmp(a.text.ptr, "Table", 5) == 0
                    || strncmp(b.text.ptr, "Table", 5) == 0 || may_be_alike(a)
                    || iv_str_cmp(cell(v, r, "printed").text, cell(v, k, "printed").text) != 0
                    || says(cell(v, r, "kind"), "claim"))
                    continue;
                const double x = cell(v, r, "computed").real, y = cell(v, k, "computed").real;
                const bool both = says(cell(v, r, "kind"), "printed value")
                                  && says(cell(v, k, "kind"), "printed value");
                if (both && fabs(x - y) <= 1e-6 * fmax(1.0, fabs(x)))
                    fail_msg("%s: %.*s and %.*s are one", papers[i], (int)a.text.len, a.text.ptr,
                             (int)b.text.len, b.text.ptr);
                pairs += fabs(x - y) <= 1e-6 * fmax(1.0, fabs(x));
            }
    assert_true(pairs >= 1); /* equation 8 is seen, and is an identity */
}

/* The rows that are computed from their own print, once all prints are taken from the inputs.
 * Only rows that change without any of them are tried one by one; how many those are. */
static size_t circular(iv_papers_question q, size_t *changed)
{
    values before = compute(&q);
    size_t found = 0;

    q.without = "*";
    values bare = compute(&q);
    *changed = 0;
    for (size_t r = 0; r < before.rows; r++) {
        if (!judged(&before, r) || same(cell(&before, r, "computed"), cell(&bare, r, "computed")))
            continue;
        char item[256];
        const iv_str name = cell(&before, r, "item").text;
        (void)snprintf(item, sizeof item, "%.*s", (int)name.len, name.ptr);
        q.without = item;
        values one = compute(&q);
        found += !same(cell(&before, r, "computed"), cell(&one, r, "computed"));
        iv_result_free(one.result);
        (*changed)++;
    }
    iv_result_free(before.result);
    iv_result_free(bare.result);
    return found;
}

/* Every printed value is taken away from the inputs: what is computed for it stays.  Of Aslam and
 * Pavlu and of Carterette and Smucker, what is simulated, too. */
static void no_value_is_computed_from_its_own_print(void **state)
{
    size_t changed;

    (void)state;
    for (size_t i = 0; i < IV_PAPERS; i++) {
        const bool exact = i != 1 && i != 2;
        const iv_papers_question q = { .paper = papers[i], .exact = exact, .quick = true };
        if (circular(q, &changed) > 0)
            fail_msg("%s: a value is computed from itself", papers[i]);
        /* The hook works: Goutte's table 1 and Carterette's costs are computed from inputs. */
        assert_true((changed > 0) == (i == 2 || i == 4));
    }
}

/* Two planted ones: a formula that copies what is printed. */
static void a_value_that_copies_its_print_is_found(void **state)
{
    static const struct { const char *paper, *table, *row; } planted[] = {
        { "aslam", "Section 2", "uniform" }, { "goutte", "Section 2.2", "system 2 better" } };
    size_t changed;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const iv_papers_question q = { .paper = planted[i].paper, .exact = true,
                                       .seeded_table = planted[i].table,
                                       .seeded_row = planted[i].row };
        assert_int_equal(circular(q, &changed), 1);
    }
}

/* A table of the answer. */
static values table_named(const values *of, const char *name)
{
    values v = { .result = of->result };

    for (size_t i = 0; i < iv_result_tables(of->result); i++)
        if (strcmp(iv_table_name(iv_result_table_at(of->result, i)), name) == 0)
            v.table = iv_result_table_at(of->result, i);
    assert_non_null(v.table);
    v.rows = iv_table_rows(v.table);
    return v;
}

/* Percentages of table 1 of Aslam and Pavlu, which prints counts. */
static void percentages_follow_from_the_printed_counts(void **state)
{
    static const char *const columns[] = { "neither significant", "only the sample",
                                           "only the truth", "both" };
    static const char *const rows[] = { "29 judgments a topic", "200 judgments a topic" };
    const values *v = &quick[1];

    (void)state;
    for (int k = 0; k < 2; k++) {
        double count[4] = { 0.0 }, wrong = NAN, right = NAN;
        char item[128];
        for (size_t r = 0; r < v->rows; r++) {
            double x;
            for (int c = 0; c < 4; c++) {
                (void)snprintf(item, sizeof item, "Table 1, %s, pairs: %s", rows[k], columns[c]);
                if (says(cell(v, r, "item"), item))
                    assert_true(iv_scan_real(&count[c], cell(v, r, "printed").text));
            }
            (void)snprintf(item, sizeof item, "Table 1, %s, %% of ", rows[k]);
            if (strncmp(cell(v, r, "item").text.ptr, item, strlen(item)) != 0)
                continue;
            assert_true(says(cell(v, r, "kind"), "identity"));
            assert_true(iv_scan_real(&x, cell(v, r, "printed").text));
            *(x < 50.0 ? &wrong : &right) = x;
        }
        assert_true(fabs(100.0 * count[1] / (count[0] + count[1]) - wrong) <= 0.05);
        assert_true(fabs(100.0 * count[3] / (count[2] + count[3]) - right) <= 0.05);
    }
}

/* Verdicts on claims: failures first; two real collections for each paper with experiments on
 * collections; printed values of this run only beside recorded ones. */
static void claims_have_verdicts_on_real_collections(void **state)
{
    static const size_t with[] = { 1, 2, 3 };

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const values v = table_named(&quick[with[i]], "claims");
        bool passed = false;
        size_t collections = 0;
        for (size_t r = 0; r < v.rows; r++) {
            const bool fails = says(cell(&v, r, "verdict"), "fails here");
            assert_false(fails && passed);
            passed = passed || !fails;
            collections += says(cell(&v, r, "from"), "recorded");
            for (size_t k = 0; k < r; k++) /* one claim has one verdict on one collection */
                assert_false(
                    iv_str_cmp(cell(&v, r, "claim").text, cell(&v, k, "claim").text) == 0
                    && iv_str_cmp(cell(&v, r, "data").text, cell(&v, k, "data").text) == 0);
        }
        assert_true(collections >= 10);
        assert_true(with[i] != 3 || v.rows < 60); /* Park's 90 printed values are no claims */
    }
}

/* Every section with a number has a command, and each paper's commands are its own. */
static void every_paper_names_its_commands(void **state)
{
    (void)state;
    for (size_t i = 0; i < IV_PAPERS; i++) {
        const values v = table_named(&quick[i], "commands");
        assert_true(v.rows >= 4);
        for (size_t r = 0; r < v.rows; r++)
            assert_int_equal(strncmp(cell(&v, r, "command").text.ptr, "intervale ", 10), 0);
    }
}

/* Our own simulated values at --quick, which depend on nothing but the code. */
static const struct { size_t paper; const char *item; double value; } own[] = {
    { 0, "Table IX, normal, neutral width", 0.17273 },
    { 0, "Table IX, normal, neutral coverage", 0.81333 },
    { 0, "Table IX, normal, legal width", 0.18514 },
    { 0, "Table IX, normal, legal coverage", 0.83133 },
    { 0, "Table IX, normal, small width", 0.21777 },
    { 0, "Table IX, normal, small coverage", 0.92067 },
    { 0, "Table IX, koopman, neutral width", 0.25626 },
    { 0, "Table IX, koopman, neutral coverage", 0.96333 },
    { 0, "Table IX, koopman, legal width", 0.25078 },
    { 0, "Table IX, koopman, legal coverage", 0.95267 },
    { 0, "Table IX, koopman, small width", 0.23787 },
    { 0, "Table IX, koopman, small coverage", 0.97067 },
    { 0, "Table IX, jeffreys, neutral width", 0.24827 },
    { 0, "Table IX, jeffreys, neutral coverage", 0.94133 },
    { 0, "Table IX, jeffreys, legal width", 0.25069 },
    { 0, "Table IX, jeffreys, legal coverage", 0.952 },
    { 0, "Table IX, jeffreys, small width", 0.18903 },
    { 0, "Table IX, jeffreys, small coverage", 0.91733 },
    { 0, "Table IX, betabin-uniform, neutral width", 0.24779 },
    { 0, "Table IX, betabin-uniform, neutral coverage", 0.95667 },
    { 0, "Table IX, betabin-uniform, legal width", 0.24682 },
    { 0, "Table IX, betabin-uniform, legal coverage", 0.94933 },
    { 0, "Table IX, betabin-uniform, small width", 0.21203 },
    { 0, "Table IX, betabin-uniform, small coverage", 0.95267 },
    { 0, "Table IX, betabin-mcp, neutral width", 0.25038 },
    { 0, "Table IX, betabin-mcp, neutral coverage", 0.94933 },
    { 0, "Table IX, betabin-mcp, legal width", 0.24982 },
    { 0, "Table IX, betabin-mcp, legal coverage", 0.95333 },
    { 0, "Table IX, betabin-mcp, small width", 0.21374 },
    { 0, "Table IX, betabin-mcp, small coverage", 0.95133 },
    { 0, "Table IX, betabin-half, neutral width", 0.25176 },
    { 0, "Table IX, betabin-half, neutral coverage", 0.956 },
    { 0, "Table IX, betabin-half, legal width", 0.25075 },
    { 0, "Table IX, betabin-half, legal coverage", 0.95333 },
    { 0, "Table IX, betabin-half, small width", 0.21386 },
    { 0, "Table IX, betabin-half, small coverage", 0.95067 },
    { 0, "Table X, normal, neutral", 0.25098 },
    { 0, "Table X, normal, legal", 0.27508 },
    { 0, "Table X, normal, small", 0.063008 },
    { 0, "Table X, normal, mean", 0.19636 },
    { 0, "Table X, koopman, neutral", 0.018383 },
    { 0, "Table X, koopman, legal", 0.011163 },
    { 0, "Table X, koopman, small", 0.023397 },
    { 0, "Table X, koopman, mean", 0.017648 },
    { 0, "Table X, jeffreys, neutral", 0.042456 },
    { 0, "Table X, jeffreys, legal", 0.012936 },
    { 0, "Table X, jeffreys, small", 0.038279 },
    { 0, "Table X, jeffreys, mean", 0.031224 },
    { 0, "Table X, betabin-uniform, neutral", 0.014886 },
    { 0, "Table X, betabin-uniform, mean", 0.004962 },
    { 0, "Table X, betabin-mcp, neutral", 0.024144 },
    { 0, "Table X, betabin-mcp, legal", 0.014758 },
    { 0, "Table X, betabin-mcp, small", 0.010067 },
    { 0, "Table X, betabin-mcp, mean", 0.016323 },
    { 0, "Table X, betabin-half, neutral", 0.018598 },
    { 0, "Table X, betabin-half, legal", 0.012784 },
    { 0, "Table X, betabin-half, small", 0.0059453 },
    { 0, "Table X, betabin-half, mean", 0.012442 },
    { 0, "Table IX, naive, neutral width", 0.13203 },
    { 0, "Table IX, naive, neutral coverage", 0.724 },
    { 0, "Table IX, naive, legal width", 0.1195 },
    { 0, "Table IX, naive, legal coverage", 0.69667 },
    { 0, "Table IX, naive, small width", 0.27556 },
    { 0, "Table IX, naive, small coverage", 0.94533 },
    { 0, "Table IX, laplace, neutral width", 0.26159 },
    { 0, "Table IX, laplace, neutral coverage", 0.91733 },
    { 0, "Table IX, laplace, legal width", 0.25872 },
    { 0, "Table IX, laplace, legal coverage", 0.89867 },
    { 0, "Table IX, laplace, small width", 0.21004 },
    { 0, "Table IX, laplace, small coverage", 0.936 },
    { 0, "Table IX, agresti-coull, neutral width", 0.24269 },
    { 0, "Table IX, agresti-coull, neutral coverage", 0.86267 },
    { 0, "Table IX, agresti-coull, legal width", 0.23855 },
    { 0, "Table IX, agresti-coull, legal coverage", 0.84867 },
    { 0, "Table IX, agresti-coull, small width", 0.19879 },
    { 0, "Table IX, agresti-coull, small coverage", 0.90533 },
    { 0, "Table X, naive, neutral", 0.4057 },
    { 0, "Table X, naive, legal", 0.42033 },
    { 0, "Table X, naive, small", 0.073896 },
    { 0, "Table X, naive, mean", 0.29997 },
    { 0, "Table X, laplace, neutral", 0.090291 },
    { 0, "Table X, laplace, legal", 0.088315 },
    { 0, "Table X, laplace, small", 0.024942 },
    { 0, "Table X, laplace, mean", 0.06785 },
    { 0, "Table X, agresti-coull, neutral", 0.16228 },
    { 0, "Table X, agresti-coull, legal", 0.16362 },
    { 0, "Table X, agresti-coull, small", 0.091532 },
    { 0, "Table X, agresti-coull, mean", 0.13914 },
    { 2, "Table 2, n = 25, h = 0.25, observed", 0.22753 },
    { 2, "Table 2, n = 25, h = 0.35, observed", 0.41711 },
    { 2, "Table 2, n = 25, h = 0.50, observed", 0.74678 },
    { 2, "Table 2, n = 50, h = 0.25, observed", 0.4837 },
    { 2, "Table 2, n = 50, h = 0.35, observed", 0.78191 },
    { 2, "Table 2, n = 50, h = 0.50, observed", 0.98304 },
    { 2, "Table 2, n = 100, h = 0.25, observed", 0.82462 },
    { 2, "Table 2, n = 100, h = 0.35, observed", 0.98867 },
    { 2, "Table 2, n = 100, h = 0.50, observed", 1 } };

static bool is_recorded(size_t i, double factor)
{
    const values *v = &quick[own[i].paper];

    for (size_t r = 0; r < v->rows; r++)
        if (says(cell(v, r, "item"), own[i].item))
            return fabs(factor * cell(v, r, "computed").real - own[i].value)
                   <= 0.002 * fabs(own[i].value) + 2e-5;
    fail_msg("no row %s", own[i].item);
    return false;
}

/* Those of tables IX and X of Webber and the observed powers of Carterette and Smucker. */
static void an_error_of_five_per_cent_in_a_simulated_value_is_noticed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (!is_recorded(i, 1.0))
            fail_msg("%s is no longer %g", own[i].item, own[i].value);
        assert_false(is_recorded(i, 1.05));
        assert_false(is_recorded(i, 0.95));
    }
}

/* On other data a printed value holds within a tenth; a tolerance above a tenth is weak. */
static void verdicts_in_kind_and_weak_ones_are_marked(void **state)
{
    static const struct { double computed, printed, rounding; bool other; const char *verdict;
                          bool weak; } cases[] = {
        { 1.09, 1.0, 0.05, true, "holds here", false },
        { 1.11, 1.0, 0.05, true, "fails here", false },
        { 1.04, 1.0, 0.05, false, "agrees", false },
        { 1.19, 1.0, 0.2, false, "agrees", true },
        { 1.21, 1.0, 0.2, false, "differs", true } };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        iv_paper_value v = { .printed = cases[i].printed, .computed = cases[i].computed,
                             .rounding = cases[i].rounding, .data = cases[i].other ? "x" : NULL };
        iv_paper_judge(&v, false);
        assert_string_equal(iv_paper_verdict_names()[v.verdict], cases[i].verdict);
        assert_int_equal(v.weak, cases[i].weak);
    }
    iv_paper_value claim = { .kind = IV_PAPER_CLAIM, .bound = '>', .computed = 2.0 };
    iv_paper_judge(&claim, false);
    assert_int_equal(claim.verdict, IV_PAPER_HOLDS);
    claim.computed = -0.1;
    iv_paper_judge(&claim, false);
    assert_int_equal(claim.verdict, IV_PAPER_FAILS);
    claim.se = 0.05; /* within the error of the simulation */
    iv_paper_judge(&claim, false);
    assert_int_equal(claim.verdict, IV_PAPER_HOLDS);
}

/* A verdict is |computed - printed| against the tolerance, and nothing else. */
static void verdicts_follow_from_the_values(void **state)
{
    const values v = quick[IV_PAPERS - 1]; /* Goutte and Gaussier: exact */

    (void)state;
    for (size_t r = 0; r < v.rows; r++) {
        double printed;
        if (!judged(&v, r) || says(cell(&v, r, "kind"), "claim"))
            continue;
        assert_true(iv_scan_real(&printed, cell(&v, r, "printed").text));
        const double off = fabs(cell(&v, r, "computed").real - printed);
        const bool within = off <= cell(&v, r, "tolerance").real + 1e-7;
        assert_true(within == says(cell(&v, r, "verdict"), "agrees"));
        assert_true(cell(&v, r, "tolerance").real > 0.0);
    }
}

/* Three formulas of each paper.  Park prints simulated values only: its formulas are checked on
 * five values with all their resamples. */
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
        { "park", "Formulas, not in the paper", "bca" },
        { "park", "Formulas, not in the paper", "logit" },
        { "park", "Formulas, not in the paper", "skewness" },
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

/* A matrix that is not the one of the Robust track is named in its verdicts. */
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
    assert_int_equal(v.count[IV_PAPER_AGREES] + v.count[IV_PAPER_DIFFERS], 7); /* the formulas */
    assert_int_equal(v.count[IV_PAPER_HOLDS] + v.count[IV_PAPER_FAILS] + v.count[IV_PAPER_QUICK],
                     v.rows - 7);
    for (size_t r = 0; r < v.rows; r++)
        if (!says(cell(&v, r, "verdict"), "agrees"))
            assert_true(says(cell(&v, r, "data"), path));
    iv_result_free(v.result);
    scratch_remove(dir.path);
}

static void an_unknown_paper_is_refused(void **state)
{
    iv_result *result = NULL;
    iv_err err = { 0 };

    (void)state;
    assert_int_equal(iv_result_new(&result, "papers", NULL), IV_OK);
    const iv_papers_question q = { .paper = "weber" };
    assert_int_equal(iv_papers_answer(result, &q, NULL, &err), IV_EARG);
    assert_non_null(strstr(err_text(&err), "expected webber"));
    assert_int_equal(iv_papers_answer(result, &(iv_papers_question){ 0 }, NULL, &err), IV_OK);
    assert_int_equal(iv_table_rows(iv_result_table_at(result, 0)), IV_PAPERS);
    iv_result_free(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_values_agree_as_recorded),
        cmocka_unit_test(each_cell_of_a_paper_is_one_row_of_one_kind),
        cmocka_unit_test(no_agreement_is_counted_twice),
        drawn_unit_test(no_value_is_computed_from_its_own_print),
        drawn_unit_test(a_value_that_copies_its_print_is_found),
        cmocka_unit_test(percentages_follow_from_the_printed_counts),
        cmocka_unit_test(claims_have_verdicts_on_real_collections),
        cmocka_unit_test(every_paper_names_its_commands),
        cmocka_unit_test(an_error_of_five_per_cent_in_a_simulated_value_is_noticed),
        cmocka_unit_test(verdicts_in_kind_and_weak_ones_are_marked),
        cmocka_unit_test(verdicts_follow_from_the_values),
        cmocka_unit_test(an_error_of_one_per_cent_is_reported),
        cmocka_unit_test(other_matrices_are_compared_in_kind),
        cmocka_unit_test(an_unknown_paper_is_refused),
    };

    return cmocka_run_group_tests_name("papers", tests, compute_quick, forget_quick);
}
