/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims about several assessors: Krippendorff's alpha and its interval, the table of labels,
 * and the command.  Figures of alpha are tests/oracle/alpha.py's, in fractions, and those of
 * the package krippendorff.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli_tests.h"
#include "near.h"
#include "run_tool.h"
#include "scratch.h"
#include "num/draw.h"
#include "stat/agreement.h"
#include "trec/assessments.h"
#include "base/err.h"
#include "base/memory.h"

/* ------------------------------------------------------------------ alpha -- */

enum { ITEMS = 12, ASSESSORS = 4 };
static const int table[ITEMS][ASSESSORS] = { /* 0: not labelled */
    { 1, 1, 0, 1 }, { 2, 2, 3, 2 }, { 3, 3, 3, 3 }, { 3, 3, 3, 3 }, { 2, 2, 2, 2 }, { 1, 2, 3, 4 },
    { 4, 4, 4, 4 }, { 1, 1, 2, 1 }, { 2, 2, 2, 2 }, { 0, 5, 5, 5 }, { 0, 0, 1, 1 }, { 0, 0, 3, 0 } };
static const double grades[] = { 1, 2, 3, 4, 5 };

static size_t fill(uint32_t *label, size_t *starts, size_t but)
{
    size_t used = 0;

    for (size_t i = 0; i < ITEMS; i++) {
        starts[i] = used;
        for (size_t k = 0; k < ASSESSORS && i != but; k++)
            if (table[i][k] > 0)
                label[used++] = (uint32_t)table[i][k] - 1;
    }
    starts[ITEMS] = used;
    return used;
}

static iv_agreement alpha_of(size_t but, const double *values, iv_label_scale scale)
{
    uint32_t label[ITEMS * ASSESSORS];
    size_t starts[ITEMS + 1];
    iv_agreement a;

    (void)fill(label, starts, but);
    const iv_ratings r = { label, starts, ITEMS, NULL, 0, 5, values };
    assert_int_equal(iv_alpha_of(&a, &r, scale, 0.0, NULL), IV_OK);
    return a;
}

static void alpha_is_that_of_the_definition(void **state)
{
    (void)state;
    assert_near(alpha_of(ITEMS, grades, IV_SCALE_NOMINAL).is.value, 113.0 / 152.0, 1e-15);
    assert_near(alpha_of(ITEMS, grades, IV_SCALE_ORDINAL).is.value, 108577.0 / 133160.0, 1e-15);
    assert_near(alpha_of(ITEMS, grades, IV_SCALE_INTERVAL).is.value, 951.0 / 1120.0, 1e-15);
    /* Whole numbers are grades, words are not in an order. */
    assert_int_equal(alpha_of(ITEMS, grades, IV_SCALE_BY_LABELS).scale, IV_SCALE_ORDINAL);
    assert_int_equal(alpha_of(ITEMS, NULL, IV_SCALE_BY_LABELS).scale, IV_SCALE_NOMINAL);
    const double halves[] = { 1.0, 1.5, 2.0, 2.5, 3.0 };
    const iv_agreement a = alpha_of(ITEMS, halves, IV_SCALE_BY_LABELS);
    assert_int_equal(a.scale, IV_SCALE_INTERVAL);
    assert_near(a.is.value, 951.0 / 1120.0, 1e-14);
    assert_int_equal(a.items, 11);
    assert_int_equal(a.labels, 40);
    assert_int_equal(a.apart, 3);
    assert_true(a.few);
    assert_string_equal(iv_label_scale_names()[3], "interval");
}

/* The standard error is that of leaving out, each value computed anew. */
static void alphas_error_is_the_jackknifes(void **state)
{
    (void)state;
    for (int scale = IV_SCALE_NOMINAL; scale <= IV_SCALE_INTERVAL; scale++) {
        double left[ITEMS], mean = 0.0, squares = 0.0;
        for (size_t i = 0; i < 11; i++) {
            left[i] = alpha_of(i, grades, (iv_label_scale)scale).is.value;
            mean += left[i] / 11.0;
        }
        for (size_t i = 0; i < 11; i++)
            squares += (left[i] - mean) * (left[i] - mean);
        const iv_agreement a = alpha_of(ITEMS, grades, (iv_label_scale)scale);
        assert_near(a.is.se, sqrt(squares * 10.0 / 11.0), 1e-13);
        assert_true(a.is.lower < a.is.value && a.is.value < a.is.upper && a.is.upper <= 1.0);
    }
}

static void what_alpha_cannot_do_is_refused(void **state)
{
    const uint32_t one[] = { 0, 1, 9 };
    const size_t single[] = { 0, 1, 2 }, both[] = { 0, 2 }, beyond[] = { 0, 3 };
    const double falling[] = { 2.0, 1.0 };
    iv_agreement a;

    (void)state;
    assert_int_equal(iv_alpha_of(&a, &(iv_ratings){ one, single, 2, NULL, 0, 2, NULL }, 0, 0.0, NULL),
                     IV_ENODATA);
    assert_int_equal(iv_alpha_of(&a, &(iv_ratings){ one, beyond, 1, NULL, 0, 2, NULL }, 0, 0.0, NULL),
                     IV_EARG);
    assert_int_equal(iv_alpha_of(&a, &(iv_ratings){ one, both, 1, NULL, 0, 2, falling }, 0, 0.0, NULL),
                     IV_EARG);
    assert_int_equal(iv_alpha_of(&a, &(iv_ratings){ one, both, 1, NULL, 0, 2, NULL },
                                 IV_SCALE_ORDINAL, 0.0, NULL), IV_EARG);
    assert_int_equal(iv_alpha_of(&a, &(iv_ratings){ one, both, 1, NULL, 0, 2, NULL }, 0, 1.5, NULL),
                     IV_EARG);
}

/* A made panel: an item's grade by `share`, each of m assessors keeps it with `keeps` and else
 * takes any, by its share. */
typedef struct panel {
    size_t items, m;
    double share, keeps, alpha;
} panel;

static void alphas_interval_holds_from_a_hundred_items_on(void **state)
{
    static const panel cells[] = { /* of two labels alpha is keeps^2 */
        { 100, 2, 0.5, 0.9, 0.81 }, { 100, 3, 0.3, 0.7, 0.49 }, { 200, 2, 0.15, 0.3, 0.09 },
        { 200, 2, 0.15, 0.0, 0.0 }, { 400, 4, 0.05, 0.8, 0.64 } };
    enum { DRAWS = 1500, MOST = 1600 };
    static uint32_t label[MOST];
    static size_t starts[MOST];

    (void)state;
    for (size_t c = 0; c < sizeof cells / sizeof *cells; c++) {
        const panel *x = &cells[c];
        size_t held = 0, counted = 0;
        for (uint64_t d = 0; d < DRAWS; d++) {
            iv_stream s = iv_stream_start(11, (uint32_t)c, d);
            iv_agreement a;
            size_t used = 0;
            for (size_t i = 0; i < x->items; i++) {
                const uint32_t truth = iv_draw_uniform(&s) < x->share;
                starts[i] = used;
                for (size_t k = 0; k < x->m; k++) {
                    const bool keeps = iv_draw_uniform(&s) < x->keeps;
                    label[used++] = keeps ? truth : iv_draw_uniform(&s) < x->share;
                }
            }
            starts[x->items] = used;
            const iv_ratings r = { label, starts, x->items, NULL, 0, 2, NULL };
            assert_int_equal(iv_alpha_of(&a, &r, IV_SCALE_BY_LABELS, 0.0, NULL), IV_OK);
            if (a.few)
                continue;
            counted++;
            held += a.is.lower <= x->alpha && x->alpha <= a.is.upper;
        }
        /* .93 to .97, and three and a half standard errors: by chance once in 500. */
        const double cover = (double)held / (double)counted;
        if (cover < 0.91 || cover > 0.99)
            print_error("cell %zu covers %.4f of %zu\n", c, cover, counted);
        assert_true(counted > DRAWS / 2 && cover > 0.91 && cover < 0.99);
    }
}

/* ------------------------------------------------------------------ table -- */

static int parse(const iv_assessments **out, iv_arena *own, const char *text, iv_err *err)
{
    iv_csv *read = NULL;

    IV_TRY(iv_csv_parse(&read, "t.csv", text, strlen(text), err));
    return iv_assessments_of(out, own, read, err);
}

static const iv_assessments *parsed(iv_arena *own, const char *text)
{
    const iv_assessments *a = NULL;
    iv_err err;

    if (parse(&a, own, text, &err) != IV_OK) {
        char line[IV_ERR_TEXT_SIZE];
        print_error("%s\n", iv_err_text(line, &err));
        fail();
    }
    return a;
}

static void columns_stand_in_any_order_under_usual_names(void **state)
{
    (void)state;
    iv_arena own = { 0 };
    const iv_assessments *v = parsed(&own,
                               "Rating\tqid\tannotator\tcolour\tdocno\n"
                               "2\tq1\tben\tred\td1\n"
                               "0\tq2\tben\tred\td1\n"
                               "1.0\tq1\tanna\tred\td1\n"
                               "-1\tq2\tanna\tred\td1\n"
                               "\tq1\tanna\tred\td2\n"
                               "1\tq1\tben\tred\td2\n");
    assert_int_equal(v->item_count, 3);
    assert_int_equal(v->topic_count, 2);
    assert_int_equal(v->assessor_count, 2);
    assert_string_equal(v->assessors[1], "anna");
    assert_int_equal(v->label_count, 3);
    assert_near(v->values[2], 2.0, 0.0);
    assert_true(v->whole && v->has_topics);
    assert_int_equal(v->missing, 2); /* empty, and -1: could not be judged */
    assert_int_equal(v->cannot, 1);
    /* Topic by topic; 1.0 is the grade 1. */
    assert_int_equal(v->topic_starts[1], 2);
    assert_int_equal(v->starts[1] - v->starts[0], 2);
    assert_int_equal(v->label[1], 1);
    assert_int_equal(v->label[2], 1);
    v = parsed(&own, "id,judge,judgement,retrieved\nx,a,yes,1\ny,a,no,0\nx,b,no,1\n");
    assert_null(v->values);
    assert_string_equal(v->labels[0], "no");
    iv_arena_free(&own);
}

/* A line for each item, as data frames have it, is the same as one for each label. */
static void assessors_may_have_a_column_each(void **state)
{
    static const char *const texts[] = { "item,anna,ben\na,yes,no\nb,,no\n",
                                         ",item,anna,ben\n0,a,yes,no\n1,b,,no\n",
                                         "anna;ben;item\nyes;no;a\nNaN;no;b\n" };

    iv_arena own = { 0 };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const iv_assessments *v = parsed(&own, texts[i]);
        assert_true(v->wide);
        assert_int_equal(v->item_count, 2);
        assert_true(iv_str_cmp(v->items[1], iv_str_of("b")) == 0);
        assert_int_equal(v->assessor_count, 2);
        assert_string_equal(v->assessors[1], "ben");
        assert_int_equal(v->missing, 1);
        assert_int_equal(v->starts[1], 2);
        assert_int_equal(v->starts[2], 3);
        assert_int_equal(v->assessor[2], 1);
        assert_string_equal(v->labels[v->label[2]], "no");
    }
    const iv_assessments *a = parsed(&own, ",anna,ben\n7,1,0\n8,1,1\n");
    assert_true(iv_str_cmp(a->items[0], iv_str_of("7")) == 0);
    iv_arena_free(&own);
}

static void bad_tables_are_refused_with_their_line(void **state)
{
    static const struct { const char *text, *said; } cases[] = {
        { "item,assessor\na,b\n", "t.csv:1: no column 'label', nor grade, rating, relevance, "
                                  "judgment" },
        { "item,assessor,label\na,b,1\na,b,2\n", "t.csv:3: a second label of 'a' by 'b', the first "
                                                 "is in line 2" },
        { "item,assessor,label\n,b,1\n", "t.csv:2: the item is missing" },
        { "item,assessor,label\na,,1\n", "t.csv:2: the assessor is missing" },
        { "topic,item,assessor,label\n,a,b,1\n", "t.csv:2: the topic is missing" },
        { "item,x,y\na,1,1\na,1,2\n", "t.csv:3: a second label of 'a' by 'x', the first is in line 2" },
        { "item,x,,y\na,1,1,2\n", "t.csv:1: column 3 has no name" },
        { "item,assessor,label,relevance\na,b,1,0\n", "t.csv:1: 'label', 'relevance' could each be" },
        { "item;assessor;label\na;b;1.234\na;c;950,5\n", "t.csv:2: '1.234' among numbers with a" },
        { "item,assessor,label\na,b,NA\n", "t.csv: no label in 1 lines" } };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const iv_assessments *a = NULL;
        iv_arena own = { 0 };
        char line[IV_ERR_TEXT_SIZE];
        iv_err err;
        assert_true(parse(&a, &own, cases[i].text, &err) < 0);
        assert_null(a);
        iv_arena_free(&own);
        const char *said = iv_err_text(line, &err);
        if (strncmp(said, cases[i].said, strlen(cases[i].said)) != 0)
            print_error("said: %s\n", said);
        assert_int_equal(strncmp(said, cases[i].said, strlen(cases[i].said)), 0);
    }
}

/* ---------------------------------------------------------------- command -- */

static const cmd *const commands[] = { &cmd_agree, &cmd_eval, &cmd_recall, NULL };

enum { TOPICS = 3, DOCUMENTS = 6 };

/* What each says of document d of topic t: the first of three have two grades more. */
static int says(size_t by, size_t t, size_t d)
{
    const int truth = (d * (t + 2)) % 3 == 0;

    return by == 2 && d % 2 == 0 ? !truth : by == 1 && d == 3 ? 2 * truth + 1 : 2 * truth;
}

static int majority(size_t t, size_t d)
{
    const int a = says(0, t, d), b = says(1, t, d), c = says(2, t, d);

    if (a == b || a == c)
        return a;
    if (b == c)
        return b;
    return a < b ? (a < c ? a : c) : b < c ? b : c;
}

static FILE *opened(const scratch *dir, const char *name)
{
    char path[SCRATCH_PATH];
    FILE *f = fopen(scratch_at(path, dir, name), "w");

    assert_non_null(f);
    return f;
}

/* The table, two runs, and judgments by the first assessor (who skipped a document) and by
 * the majority. */
static void write_all(const scratch *dir)
{
    FILE *table_file = opened(dir, "a.csv"), *one = opened(dir, "one"), *most = opened(dir, "most");
    FILE *x = opened(dir, "x"), *y = opened(dir, "y");

    fputs("topic,item,assessor,label,retrieved\n", table_file);
    for (size_t t = 0; t < TOPICS; t++)
        for (size_t d = 0; d < DOCUMENTS; d++) {
            for (size_t k = 0; k < 3; k++)
                if (k != 0 || d != 4)
                    fprintf(table_file, "t%zu,d%zu,%c,%d,%d\n", t, d, (char)('a' + k), says(k, t, d),
                            d < 4);
            /* Without the first the two that are left agree, or the lower counts. */
            const int b = says(1, t, d), c = says(2, t, d), both = b < c ? b : c;
            fprintf(one, "t%zu 0 d%zu %d\n", t, d, d == 4 ? both : says(0, t, d));
            fprintf(most, "t%zu 0 d%zu %d\n", t, d, d == 4 ? both : majority(t, d));
            fprintf(x, "t%zu Q0 d%zu 1 %zu X\n", t, d, 9 - d);
            fprintf(y, "t%zu Q0 d%zu 1 %zu Y\n", t, d, (d * 5 + t) % 7);
        }
    fclose(table_file);
    fclose(one);
    fclose(most);
    fclose(x);
    fclose(y);
}

/* Runs the tool on the files of write_all(): its status, and what stands in `file` then. */
static void tells(const char *words, int status, const char *file, const char *first,
                  const char *second)
{
    scratch dir;
    size_t len;

    assert_true(scratch_make(&dir));
    write_all(&dir);
    assert_int_equal(run_tool_in(commands, dir.path, words), status);
    char *said = scratch_bytes(&dir, file, &len);
    assert_non_null(strstr(said, first));
    assert_non_null(strstr(said, second));
    free(said);
    scratch_remove(dir.path);
}

static void a_table_of_assessors_scores_no_runs(void **state)
{
    (void)state;
    tells("agree @/a.csv @/x @/y", 2, "err", "REFERENCE LABELS... RUN...", "");
}

/* Each pair has a line of its own. */
static void the_chart_of_kappas_names_both_assessors(void **state)
{
    (void)state;
    tells("agree @/a.csv --format vega", 0, "out", "\"a\":", "\"b\":");
}

static void a_table_is_told_by_its_header(void **state)
{
    scratch dir;
    char path[SCRATCH_PATH];
    const iv_assessments *a = NULL;
    iv_arena own = { 0 };
    iv_csv *read = NULL;
    bool is;

    (void)state;
    assert_true(scratch_make(&dir));
    write_all(&dir);
    assert_int_equal(iv_file_is_assessments(&is, scratch_at(path, &dir, "one"), NULL, NULL), IV_OK);
    assert_false(is);
    assert_int_equal(iv_file_is_assessments(&is, scratch_at(path, &dir, "a.csv"), NULL, NULL), IV_OK);
    assert_true(is);
    assert_int_equal(iv_csv_load(&read, path, NULL, NULL), IV_OK);
    assert_int_equal(iv_assessments_of(&a, &own, read, NULL), IV_OK);
    assert_int_equal(a->item_count, TOPICS * DOCUMENTS);
    iv_arena_free(&own);
    FILE *f = fopen(scratch_at(path, &dir, "sep"), "w");
    assert_non_null(f);
    (void)fputs("sep=;\n\nitem;anna;ben\n1;0;1\n", f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(iv_file_is_assessments(&is, path, NULL, NULL), IV_OK);
    assert_true(is);
    assert_int_equal(iv_file_is_assessments(&is, scratch_at(path, &dir, "none"), NULL, NULL), IV_EIO);
    scratch_remove(dir.path);
}

static void a_scale_needs_a_table_of_assessors(void **state)
{
    scratch dir;

    (void)state;
    assert_true(scratch_make(&dir));
    write_all(&dir);
    assert_int_equal(run_tool_in(commands, dir.path, "agree @/one --scale nominal @/most"), 2);
    scratch_remove(dir.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alpha_is_that_of_the_definition),
        cmocka_unit_test(alphas_error_is_the_jackknifes),
        cmocka_unit_test(what_alpha_cannot_do_is_refused),
        cmocka_unit_test(alphas_interval_holds_from_a_hundred_items_on),
        cmocka_unit_test(columns_stand_in_any_order_under_usual_names),
        cmocka_unit_test(assessors_may_have_a_column_each),
        cmocka_unit_test(bad_tables_are_refused_with_their_line),
        cmocka_unit_test(a_table_of_assessors_scores_no_runs),
        cmocka_unit_test(the_chart_of_kappas_names_both_assessors),
        cmocka_unit_test(a_table_is_told_by_its_header),
        cmocka_unit_test(a_scale_needs_a_table_of_assessors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
