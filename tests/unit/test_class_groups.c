/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about values of groups of items and the gaps between them; the name of a test is the
 * claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "classify/class_groups.h"
#include "frame/frame.h"
#include "near.h"
#include "num/draw.h"
#include "run_tool.h"
#include "scratch.h"

static scratch home;
static char old[SCRATCH_PATH];

static int enter_home(void **state)
{
    (void)state;
    return getcwd(old, sizeof old) == NULL || !scratch_make(&home) || chdir(home.path) != 0;
}

static int leave_home(void **state)
{
    (void)state;
    scratch_remove(home.path);
    return chdir(old);
}

static int run(const char *words)
{
    static const cmd *const commands[] = { &cmd_prf, &cmd_roc, &cmd_eval, &cmd_compare, NULL };

    return run_tool(commands, words);
}

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void says(const char *file, const char *want)
{
    size_t len;
    char *text = scratch_bytes(&home, file, &len);

    if (strstr(text, want) == NULL)
        fail_msg("'%s' is not in:\n%s", want, text);
    free(text);
}

/* Items of a line of the oracle, as a table of labels. */
static void write_items(char *to, const char *gold, const char *said, const char *group)
{
    to += sprintf(to, "gold,a,kind\n");
    for (size_t i = 0; gold[i] != '\0'; i++)
        to += sprintf(to, "%c,%c,%c\n", gold[i], said[i], group[i]);
}

static const double *check_groups(const iv_gaps *g, const double *want)
{
    const iv_gap_family *f = g->families;

    for (size_t k = 0; k < 3; k++, want += 7) {
        const iv_limits l = f->of[k].limits(&f->of[k], 0.025);
        const iv_interval gap = iv_group_gap(&f->of[k], &f->rest[k], 0.025);
        assert_near(f->of[k].value, want[0], 1e-9);
        assert_near(l.lower, want[1], 1e-9);
        assert_near(l.upper, want[2], 1e-9);
        assert_near(gap.value, want[3], 1e-9);
        assert_near(gap.lower, want[4], 1e-9);
        assert_near(gap.upper, want[5], 1e-9);
        assert_near(iv_group_gap_p(&f->of[k], &f->rest[k]), want[6], 1e-8);
    }
    return want;
}

static void values_and_gaps_equal_fairlearn_and_scipy(void **state)
{
    char gold[400], said[400], group[400], metric[40], table[4000];
    double want[24];
    iv_bytes file;
    size_t seen = 0;
    int end;

    (void)state;
    assert_int_equal(iv_bytes_load(&file, TESTS_DIR "/oracle/groups.tsv", NULL, NULL), IV_OK);
    for (const char *at = file.ptr; at < file.ptr + file.len; at = strchr(at, '\n') + 1, seen++) {
        const char *column = "group=kind", *name = metric;
        const iv_labels_options as = { .columns = { &column, 1 } };
        const iv_gaps_asked asked = { 0 };
        iv_gaps gaps = { .asked = &asked, .confidence = 0.95, .headline = metric };
        iv_labels *l = NULL;
        iv_arena own = { 0 };
        assert_int_equal(sscanf(at, "%399s %399s %399s %39s%n", gold, said, group, metric, &end), 4);
        at += end;
        for (size_t i = 0; i < 24; i++) {
            char *behind;
            want[i] = strtod(at, &behind);
            at = behind;
        }
        write_items(table, gold, said, group);
        assert_int_equal(iv_labels_parse(&l, "t", table, strlen(table), &as, NULL), IV_OK);
        assert_int_equal(iv_label_gaps(&gaps, l, &(iv_texts){ &name, 1 }, &own, NULL), IV_OK);
        assert_int_equal(iv_gaps_find(&gaps, NULL), IV_OK);
        const double *rest = check_groups(&gaps, want);
        assert_near(gaps.families->largest.value, rest[0], 1e-9);
        assert_near(gaps.families->largest.lower, rest[1], 1e-9);
        assert_near(gaps.families->largest.upper, rest[2], 1e-9);
        iv_arena_free(&own);
        iv_labels_free(l);
    }
    assert_int_equal(seen, 20);
    iv_bytes_free(&file);
}

/* Four groups of 60, of which the last is right less often; two systems. */
static void write_labels(const char *name, double last)
{
    FILE *f = fopen(name, "w");
    iv_stream s;

    assert_non_null(f);
    s = iv_stream_start(7, 1, 0);
    (void)fprintf(f, "id,gold,a,b,region,age\n");
    for (int i = 0; i < 240; i++) {
        const int gold = iv_draw_uniform(&s) < 0.5;
        const double right = i % 4 == 3 ? last : 0.9;
        const int a = iv_draw_uniform(&s) < right ? gold : !gold;
        const int b = iv_draw_uniform(&s) < 0.8 ? gold : !gold;
        (void)fprintf(f, "%d,%d,%d,%d,%s,%s\n", i, gold, a, b,
                      (const char *const[]){ "east", "north", "south", "west" }[i % 4],
                      i % 7 == 0 ? "" : i % 2 == 0 ? "old" : "young");
    }
    (void)fclose(f);
}

static void a_gate_fails_where_groups_differ_and_passes_where_they_do_not(void **state)
{
    (void)state;
    write_labels("far.csv", 0.4);
    write_labels("near.csv", 0.9);
    assert_int_equal(run("prf --labels far.csv --system a --columns group=region --max-gap 0.1 "
                         "--gate"), 3);
    says("out", "FAIL: the largest gap in accuracy between groups of region of a is ");
    assert_int_equal(run("prf --labels near.csv --system a --columns group=region --max-gap 0.1 "
                         "--gate"), 4);
    assert_int_equal(run("prf --labels near.csv --system a --columns group=region --max-gap 0.4 "
                         "--gate"), 0);
    assert_int_equal(run("prf --labels far.csv --system a --columns group=region --max-gap 0.1 "
                         "--metric recall --gate"), 3);
    says("out", "the largest gap in recall");
}

/* Of both b is better, where a is far worse in the west, and otherwise a. */
static void the_sentence_is_about_the_best_system_and_has_a_verdict(void **state)
{
    (void)state;
    write_labels("far.csv", 0.4);
    assert_int_equal(run("prf --labels far.csv --columns group=region,group=age"), 0);
    says("out", " No difference in accuracy of b between groups of region or age is demonstrated. "
         "The largest gap (region) is 0.133, between south (0.900) and east (0.767) (95 % interval "
         "0.000 to 0.264, allowing for the choice).\n");
    assert_int_equal(run("prf --labels far.csv --system a --columns group=region,group=age"), 0);
    says("out", " accuracy differs between groups of region. The largest gap (region) is 0.");
    says("out", ", allowing for the choice).\n");
    write_labels("near.csv", 0.9);
    assert_int_equal(run("prf --labels near.csv --columns group=region,group=age"), 0);
    says("out", " No difference in accuracy of a between groups of region or age is "
         "demonstrated.");
}

/* 45 items of y, of which 5 are positive, and 100 of x. */
static void few_positive_items_of_a_group_are_a_warning(void **state)
{
    FILE *f = fopen("five.csv", "w");

    (void)state;
    assert_non_null(f);
    (void)fprintf(f, "gold,a,kind\n");
    for (int i = 0; i < 145; i++)
        (void)fprintf(f, "%d,%g,%c\n", i < 45 ? i < 5 : i % 2, 0.001 * (i * 37 % 145), "xy"[i < 45]);
    (void)fclose(f);
    assert_int_equal(run("roc five.csv --columns group=kind"), 0);
    says("out", "1 value of groups rests on fewer than 20 items, or items of a class: AUC of y "
         "(5).");
    assert_int_equal(run("roc five.csv --columns group=kind --table groups --format tsv"), 0);
    says("out", "\nkind\ty\ta\tAUC\t45\t5\t");
    assert_int_equal(run("roc five.csv --columns group=kind --threshold 0.05 --table groups "
                         "--format tsv"), 0);
    says("out", "\nkind\ty\ta\trecall at 0.05\t5\t5\t");
    says("out", "\nkind\ty\ta\tselection_rate at 0.05\t45\t5\t");
}

static void items_without_a_group_are_told_and_other_columns_stay_systems(void **state)
{
    (void)state;
    assert_int_equal(run("prf --labels near.csv --columns group=region,group=age --table groups "
                         "--format tsv"), 0);
    says("out", "\nage\told\tb\taccuracy\t");
    says("out", "\nregion\tnorth\ta\tselection_rate\t60\t");
    assert_int_equal(run("prf --labels near.csv --columns group=region,group=age"), 0);
    says("out", "35 items without a group are excluded from tables groups and gaps.");
}

static void the_gap_to_a_reference_is_that_of_its_value(void **state)
{
    (void)state;
    assert_int_equal(run("prf --labels far.csv --system a --columns group=region --reference west "
                         "--table groups --metric accuracy --format tsv"), 0);
    says("out", "\nregion\twest\ta\taccuracy\t60\t");
    says("out", "\t\t\t\t\t\n"); /* it has none to itself */
    assert_int_equal(run("prf --labels far.csv --system a --columns group=region --reference moon"), 2);
    says("err", "no column has the group 'moon'");
}

static void scores_have_gaps_of_auc_and_of_losses(void **state)
{
    (void)state;
    write_file("scores.csv", "gold,a,kind\n1,0.9,x\n0,0.1,x\n1,0.8,x\n0,0.2,x\n1,0.3,y\n0,0.7,y\n"
               "1,0.6,y\n0,0.4,y\n1,0.5,y\n");
    assert_int_equal(run("roc scores.csv --columns group=kind --table gaps --format tsv"), 0);
    says("out", "kind\ta\tAUC\tx\ty\t0.66666666666666"); /* 1 less 2 of 6 pairs */
    says("out", "kind\ta\tBrier\ty\tx\t0.28"); /* 0.31 less 0.025 */
    assert_int_equal(run("roc scores.csv --columns group=none"), 1);
    says("err", "no column 'none'");
    assert_int_equal(run("roc scores.csv --columns groups=kind"), 2);
    says("err", "expected group=NAME");
}

static void means_of_scores_have_gaps_between_groups(void **state)
{
    FILE *f = fopen("means.csv", "w");

    (void)state;
    assert_non_null(f);
    (void)fprintf(f, "system,item,score,lang\n");
    for (int i = 0; i < 60; i++)
        for (int s = 0; s < 2; s++)
            (void)fprintf(f, "%c,%d,%g,%s\n", 'A' + s, i, 0.01 * (i * 37 % 41) + 0.3 * (i % 2 == 0),
                          i % 2 == 0 ? "de" : "fr");
    (void)fclose(f);
    assert_int_equal(run("eval --scores --columns group=lang means.csv --table gaps --format tsv"),
                     0);
    says("out", "lang\tA\tscore\tde\tfr\t");
    assert_int_equal(run("eval --scores --columns group=lang --max-gap 0.1 --gate means.csv"), 3);
    assert_int_equal(run("eval --scores --columns group=lang --max-gap 0.6 --gate means.csv"), 0);
    assert_int_equal(run("eval --scores --max-gap 0.6 means.csv --columns item=item"), 2);
    says("err", "need groups");
    assert_int_equal(run("compare --scores --columns group=lang means.csv --table groups "
                         "--format tsv"), 0);
    says("out", "\nde\tA\tB\tscore\t30\t");
}

static void a_gate_seldom_fails_where_groups_are_equal(void **state)
{
    enum { REPLICATES = 2000 };
    iv_group_value g[3];
    iv_largest_gap x;
    iv_stream s;
    size_t holds = 0;

    (void)state;
    s = iv_stream_start(3, 1, 0);
    for (size_t r = 0; r < REPLICATES; r++) {
        for (size_t k = 0; k < 3; k++) {
            int64_t right = 0;
            for (size_t i = 0; i < 30; i++)
                right += iv_draw_uniform(&s) < 0.8;
            g[k] = iv_group_proportion(right, 30);
            g[k].careful = true;
        }
        assert_int_equal(iv_group_largest(&x, g, 3, 0.95, 1, NULL), IV_OK);
        holds += x.lower == 0.0;
    }
    assert_true((double)holds >= 0.96 * REPLICATES);
}

/* 3 of 5 negatives and 2 of 4 positives are right; Jeffreys' limits by scipy: beta(3.5, 2.5). */
static void rows_of_the_confusion_matrix_have_proportions_with_intervals(void **state)
{
    (void)state;
    write_file("nine.csv", "gold,a\n0,0\n0,0\n0,0\n0,1\n0,1\n1,1\n1,1\n1,0\n1,0\n");
    assert_int_equal(run("prf --labels nine.csv --table cells --format tsv"), 0);
    says("out", "system\tgold\tpredicted\titems\trate\tlower\tupper\n");
    says("out", "a\t0\t0\t3\t0.6\t0.20941666407");
    says("out", "a\t0\t1\t2\t0.4\t0.094");
    says("out", "a\t1\t1\t2\t0.5\t0.12");
}

static bool has_table(const iv_result *r, const char *name)
{
    for (size_t i = 0; i < iv_result_tables(r); i++)
        if (strcmp(iv_table_name(iv_result_table_at(r, i)), name) == 0)
            return true;
    return false;
}

/* A program's table, read by what its columns hold. */
static void a_program_gets_a_page_on_classifiers_from_a_table(void **state)
{
    (void)state;
    static const char scores[] = "label,a,b,site\n1,0.9,0.2,x\n0,0.1,0.4,y\n1,0.8,0.7,x\n"
                                 "0,0.6,0.3,y\n1,0.4,0.9,y\n0,0.2,0.1,x\n";
    static const char labels[] = "label,a,site\nyes,yes,x\nno,yes,x\nyes,yes,y\nno,no,y\n";
    const char *const texts[] = { scores, labels };
    const char *const has[] = { "operating", "classes" };

    for (int k = 0; k < 2; k++) {
        iv_csv *t = NULL;
        iv_result *r = NULL;
        iv_err err = { .code = IV_OK };
        assert_int_equal(iv_csv_parse(&t, "t", texts[k], strlen(texts[k]), &err), IV_OK);
        assert_int_equal(iv_result_new(&r, "classify", NULL), IV_OK);
        assert_int_equal(iv_answer_classify(r, &(iv_classify_question){ .table = t }, NULL, &err),
                         IV_OK);
        assert_true(has_table(r, has[k]));
        assert_true(has_table(r, "cells"));
        assert_true(has_table(r, "groups"));
        iv_result_free(r);
        iv_csv_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_gets_a_page_on_classifiers_from_a_table),
        cmocka_unit_test(values_and_gaps_equal_fairlearn_and_scipy),
        cmocka_unit_test(a_gate_fails_where_groups_differ_and_passes_where_they_do_not),
        cmocka_unit_test(the_sentence_is_about_the_best_system_and_has_a_verdict),
        cmocka_unit_test(few_positive_items_of_a_group_are_a_warning),
        cmocka_unit_test(items_without_a_group_are_told_and_other_columns_stay_systems),
        cmocka_unit_test(the_gap_to_a_reference_is_that_of_its_value),
        cmocka_unit_test(scores_have_gaps_of_auc_and_of_losses),
        cmocka_unit_test(means_of_scores_have_gaps_between_groups),
        cmocka_unit_test(rows_of_the_confusion_matrix_have_proportions_with_intervals),
        cmocka_unit_test(a_gate_seldom_fails_where_groups_are_equal),
    };

    return cmocka_run_group_tests_name("class_groups", tests, enter_home, leave_home);
}
