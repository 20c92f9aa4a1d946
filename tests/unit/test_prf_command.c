/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims about the commands prf, run inside this program in a
 * directory of its own; the name of a test is the claim.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "frame/frame.h"
#include "near.h"
#include "run_tool.h"
#include "scratch.h"
#include "num/dist.h"
#include "stat/prf/prf_counts.h"
#include "stat/prf/prf_posterior.h"

static scratch home;
static char old[SCRATCH_PATH];

static int enter_home(void **state)
{
    (void)state;
    return getcwd(old, sizeof old) == NULL || !scratch_make(&home)
        || chdir(home.path) != 0;
}

static int leave_home(void **state)
{
    (void)state;
    scratch_remove(home.path);
    return chdir(old);
}

/* Runs "intervale WORDS"; output goes to the files out and err. */
static int run(const char *words)
{
    static const cmd *const commands[] = { &cmd_prf, &cmd_roc, NULL };

    return run_tool(commands, words);
}

/* The output of the last command; NULL-terminated, to be freed. */
static char *text_of(const char *name)
{
    size_t len;

    return scratch_bytes(&home, name, &len);
}

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* Field `column` of the line of out that begins with `start`; NaN: empty. */
static double number(const char *start, int column)
{
    char *text = text_of("out"), line_start[256];
    double value = NAN;

    (void)snprintf(line_start, sizeof line_start, "\n%s", start);
    char *p = strstr(text, line_start);
    if (p == NULL)
        fail_msg("no line begins with %s in:\n%s", start, text);
    for (p++; column > 0; column--)
        p = strchr(p, '\t') + 1;
    if (*p != '\t' && *p != '\n')
        value = strtod(p, NULL);
    free(text);
    return value;
}

static void first_line(const char *want)
{
    char *text = text_of("out");

    text[strcspn(text, "\n")] = '\0';
    assert_string_equal(text, want);
    free(text);
}

static void says(const char *file, const char *want)
{
    char *text = text_of(file);

    if (strstr(text, want) == NULL)
        fail_msg("'%s' is not in:\n%s", want, text);
    free(text);
}

static void says_not(const char *file, const char *unwanted)
{
    char *text = text_of(file);

    assert_null(strstr(text, unwanted));
    free(text);
}

/* ------------------------------------------------------------------ prf -- */

static void counts_give_the_columns_of_the_contract(void **state)
{
    (void)state;
    assert_int_equal(run("prf --counts 10,10,5 --beta 2 --format tsv"), 0);
    first_line("system\tmetric\tvalue\tmean\tmode\tlower\tupper");
    assert_near(number("system\tprecision", 2), 0.5, 0.0);
    assert_near(number("system\tf1\t", 3), 0.5611623868402924, 1e-9);
    assert_near(number("system\tf1\t", 5), 0.3640256081359671, 1e-10);
    assert_near(number("system\tf2\t", 6), 0.7907125886365095, 1e-9);
    assert_int_equal(run("prf --counts my=50,5,5,100 --format tsv --draws 5000"), 0);
    assert_near(number("my\tspecificity", 2), 100.0 / 105.0, 1e-15);
    assert_near(number("my\tbalanced_accuracy", 3), 0.924949460916, 1e-9);
    assert_near(number("my\tmcc", 2), (5000.0 - 25.0) / (55.0 * 105.0), 1e-12);
}

static void priors_are_as_given(void **state)
{
    (void)state;
    assert_int_equal(run("prf --counts 3,2,7 --prior 1 --format tsv"), 0);
    assert_near(number("system\tprecision", 3), 4.0 / 7.0, 1e-14);
    assert_int_equal(run("prf --counts 3,2,7 --prior 2,0.5 --format tsv"), 0);
    assert_near(number("system\tprecision", 3), 5.0 / 7.5, 1e-14);
}

static void a_posterior_says_how_seldom_it_may_hold(void **state)
{
    (void)state;
    assert_int_equal(run("prf --counts 9,0,0"), 0);
    says("out", "For some true values, coverage of these 95 % intervals can be as low as 78.5 %.");
    assert_int_equal(run("prf --counts 8,2,10"), 0);
    says_not("out", "For some true values");
}

static void degenerate_counts_have_a_posterior_but_no_value(void **state)
{
    (void)state;
    assert_int_equal(run("prf --counts 0,0,4 --format tsv"), 0);
    assert_true(isnan(number("system\tprecision", 2)));
    assert_near(number("system\tprecision", 3), 0.5, 1e-15);
    says("err", "Precision is 0/0 for 'system', because nothing is labelled positive.");
    assert_int_equal(run("prf --counts 0,0,0 --format tsv"), 0);
    assert_true(isnan(number("system\tf1", 2)));
    assert_int_equal(run("prf --counts 0,3,0 --format tsv"), 0);
    says("err", "Recall is 0/0 for 'system', because no gold label is positive.");
    assert_int_equal(run("prf --counts 0,0,0,9 --guaranteed --verbose"), 0);
    says("out", "Its interval is 0 to 1;");
    says_not("out", "posterior draws"); /* MCC has no guaranteed limits */
    char *text = text_of("out");
    assert_null(strstr(text, "nan"));
    free(text);
}

static void comparisons_have_one_row_a_pair_in_the_order_given(void **state)
{
    (void)state;
    assert_int_equal(run("prf --compare --counts B=70,15,40 --counts A=80,20,30 --counts "
                         "C=1,1,1 --format tsv"), 0);
    first_line("a\tb\tmetric\tprobability\tdifference\tlower\tupper");
    assert_near(number("B\tA\tf1", 3), 1.0 - 0.8152114885408256, 1e-10);
    assert_true(number("B\tC\tf1", 3) > 0.5 && number("A\tC\tf1", 3) > 0.5);
    assert_int_equal(run("prf --compare --counts B=70,15,40 --counts A=80,20,30 --counts "
                         "C=1,1,1 --format tsv --table best"), 0);
    assert_near(number("f1\tA", 2) + number("f1\tB", 2) + number("f1\tC", 2), 1.0, 1e-10);
}

static void the_answer_has_the_direction_of_the_rows(void **state)
{
    (void)state;
    assert_int_equal(run("prf --counts 10,10,5"), 0);
    says("out", "F1 is 0.571 (95 % interval 0.364 to 0.738).");
    assert_int_equal(run("prf --counts 0,0,0"), 0);
    says("out", "F1 has no value (0/0).\n");
    assert_int_equal(run("prf --paired --counts A:B=30:20"), 0);
    says("out", "A  B            30            20                      - ");
    assert_int_equal(run("prf --compare --counts A=80,20,40 --counts B=75,10,45"), 0);
    says("out", "No clear difference in F1: A minus B is -0.004 (95 % interval "
                        "-0.099 to 0.091); A is better with probability 0.465.");
    assert_int_equal(run("prf --compare --counts A=10,50,50 --counts B=75,10,15"), 0);
    says("out", "A has a lower F1 than B with probability more than 0.999: difference -0.");
    assert_int_equal(run("prf --compare --counts A=10,50,50 --counts B=75,10,15 --counts "
                         "C=9,9,9"), 0);
    says("out", "Of 3 systems B is the best in F1 with probability more than 0.999.");
    assert_int_equal(run("prf --counts A=10,50,50 --counts B=75,10,15"), 0);
    says("out", "Of 2 systems, B has the highest F1: 0.857");
}

/* Two systems that say the same, and a third; of three and of two classes. */
static void systems_that_say_the_same_are_equal(void **state)
{
    static const char *const same[] = { "accuracy", "f1[macro]" };
    static const char said[] = "xyzxxyzyxzzyxxyzzyxyxzyx";
    char text[1024] = "id,gold,A,B,C\n", row[40];

    (void)state;
    for (int classes = 2; classes <= 3; classes++) {
        size_t n = strlen("id,gold,A,B,C\n");
        for (int i = 0; i < 24; i++) {
            char gold = said[i], a = said[(i * 5) % 24], c = said[23 - i];
            if (i % 3 > 0)
                a = gold;
            if (classes == 2) {
                gold = gold == 'z' ? 'y' : gold;
                a = a == 'z' ? 'y' : a;
                c = c == 'z' ? 'y' : c;
            }
            n += (size_t)snprintf(text + n, sizeof text - n, "%d,%c,%c,%c,%c\n", i, gold, a, a, c);
        }
        write_file("same.csv", text);
        assert_int_equal(run("prf --labels same.csv --format tsv --draws 5000"), 0);
        static const char *const mine[] = { "f1[macro]", "f1[x]", "precision[weighted]" };
        for (size_t m = 0; m < 3; m++) {
            for (int column = 2; column <= 6; column += column == 2 ? 3 : 1) {
                char other[40];
                (void)snprintf(row, sizeof row, "A\t%s", mine[m]);
                (void)snprintf(other, sizeof other, "B\t%s", mine[m]);
                assert_true(number(row, column) == number(other, column));
            }
        }
        assert_int_equal(run("prf --labels same.csv --paired --format tsv --draws 5000"), 0);
        for (size_t m = 0; m < 2; m++) {
            (void)snprintf(row, sizeof row, "A\tB\t%s", same[m]);
            assert_near(number(row, 3), 0.5, 1e-12);
            assert_near(number(row, 4), 0.0, 1e-15);
        }
    }
}

/* Means of ones are one, and nothing is drawn that is not shown. */
static void averages_without_errors_are_exactly_1(void **state)
{
    char text[1024] = "id,gold,A\n";
    size_t n = strlen(text);

    (void)state;
    for (int i = 0; i < 49; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%d,c%d,c%d\n", i, i % 7, i % 7);
    write_file("ones.csv", text);
    assert_int_equal(run("prf --labels ones.csv --format tsv --draws 5000"), 0);
    assert_true(number("A\tf1[macro]", 2) == 1.0 && number("A\tf1[weighted]", 2) == 1.0);
    assert_int_equal(run("prf --labels ones.csv"), 0);
    char *said = text_of("out");
    assert_null(strstr(said, "draws"));
    free(said);
}

static void files_hold_systems_or_categories(void **state)
{
    (void)state;
    write_file("s.csv", "system,tp,fp,fn\nA,80,20,30\nB,70,15,40\n");
    assert_int_equal(run("prf s.csv --format tsv"), 0);
    assert_near(number("B\trecall", 2), 70.0 / 110.0, 1e-15);
    write_file("c.tsv", "category\tTP\tFP\tFN\ncorn\t42\t9\t8\nship\t57\t20\t17\n");
    assert_int_equal(run("prf c.tsv --format tsv"), 0);
    assert_near(number("c\tprecision[corn]", 2), 42.0 / 51.0, 1e-15);
    assert_near(number("c\trecall[micro]", 3), 99.5 / 125.0, 1e-14);
    const double mean = 0.5 * (42.0 / 51.0 + 57.0 / 77.0);
    assert_near(number("c\tprecision[macro]", 2), mean, 1e-14);
    assert_true(number("c\tprecision[macro]", 5) < mean
                && number("c\tprecision[macro]", 6) > mean);
    write_file("b.csv", "system,category,tp,fp,fn\nltc,wheat,53,28,0\nnnn,wheat,61,29,0\n");
    assert_int_equal(run("prf b.csv --compare --format tsv"), 0);
    assert_near(number("ltc\tnnn\tf1[wheat]", 3), 0.3681, 0.015); /* table 1 */
}

static const char *const labels =
    "id\tgold\tA\tB\n1\t1\t1\t1\n2\t1\t1\t0\n3\t1\t0\t1\n4\t0\t1\t0\n5\t0\t0\t0\n6\t0\t0\t1\n"
    "7\t1\t1\t0\n8\t0\t0\t0\n";

static void labels_are_paired(void **state)
{
    (void)state;
    write_file("l.tsv", labels);
    assert_int_equal(run("prf --labels l.tsv --paired --format tsv --draws 5000"), 0);
    first_line("a\tb\tmetric\tprobability\tdifference\tlower\tupper");
    /* A alone right: 2, 7, 6; B alone: 3, 4. */
    const double p = iv_paired_greater((iv_paired_cells){ 3.5, 2.5, 1.0 });
    assert_near(number("A\tB\taccuracy", 3), p, 1e-12);
    assert_near(number("A\tB\taccuracy", 4), 1.0 / 9.5, 1e-14); /* the paper's: 8 + 3/2 */
    assert_int_equal(run("prf --labels l.tsv --paired --format tsv --draws 5000 --table "
                         "paired"), 0);
    assert_near(number("A\tB", 2), 3.0, 0.0);
    assert_near(number("A\tB", 3), 2.0, 0.0);
    assert_near(number("A\tB", 10), 2.0 * iv_norm_sf(1.0 / sqrt(5.0)), 1e-12);
    assert_near(number("A\tB", 9), iv_digamma(3.5) - iv_digamma(2.5), 1e-12);
    write_file("l.txt", "id gold  A B\n1 1 1 1\n2 1 1 0\n3 1 0 1\n4 0 1 0\n");
    assert_int_equal(run("prf --labels l.txt --format tsv"), 0);
    assert_near(number("B\tprecision", 2), 1.0, 0.0);
    assert_int_equal(run("prf --labels l.tsv --format tsv"), 0);
    assert_near(number("A\trecall", 2), 0.75, 0.0);
    assert_near(number("B\tprecision", 2), 2.0 / 3.0, 1e-15);
}

static void classes_are_each_and_averaged(void **state)
{
    (void)state;
    write_file("m.csv", "id,gold,A\n1,x,x\n2,x,y\n3,y,y\n4,z,z\n5,z,x\n6,y,y\n");
    assert_int_equal(run("prf --labels m.csv --format tsv --draws 5000"), 0);
    assert_near(number("A\tprecision[y]", 2), 2.0 / 3.0, 1e-15);
    assert_near(number("A\taccuracy\t", 2), 4.0 / 6.0, 1e-15);
    assert_near(number("A\tf1[micro]", 3), 4.5 / 7.0, 1e-14);
    assert_near(number("A\trecall[macro]", 2), 2.0 / 3.0, 1e-15);
    assert_int_equal(run("prf --labels m.csv --positive x --format tsv --draws 5000"), 0);
    assert_near(number("A\tprecision\t", 2), 0.5, 0.0);
    write_file("m.csv", "id,gold,A\n1,x,x\n2,x,w\n");
    assert_int_equal(run("prf --labels m.csv --classes x,w --format tsv --draws 5000"), 0);
    assert_true(isnan(number("A\trecall[w]", 2)));
}

/* An error is the FP of one class and the FN of another: micro averages are accuracy. */
static void counts_of_one_confusion_matrix_are_warned_of(void **state)
{
    (void)state;
    write_file("cats.csv", "system,category,tp,fp,fn,tn\nA,x,8,1,2,19\nA,y,9,2,1,18\nA,z,8,2,2,18\n");
    assert_int_equal(run("prf cats.csv"), 0);
    says("out", "FP and FN have the same sum, as in one confusion matrix");
    assert_int_equal(run("prf cats.csv --format tsv"), 0);
    assert_near(number("A\tf1[micro]", 3), 25.5 / 31.0, 1e-12);
    write_file("cats.csv", "system,category,tp,fp,fn,tn\nA,x,8,1,2,29\nA,y,9,2,1,28\nA,z,8,2,2,28\n");
    assert_int_equal(run("prf cats.csv"), 0); /* 40 items, 30 of which are of a class */
    says_not("out", "as in one confusion matrix");
}

/* 97 of 100 right in ten classes: one share, and averages that hold their values. */
static void many_classes_do_not_outweigh_their_items(void **state)
{
    char text[4096] = "id,gold,A\n";
    size_t n = strlen(text);

    (void)state;
    for (int i = 0; i < 100; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%d,c%d,c%d\n", i, i % 10,
                              (i % 10 + (i < 3)) % 10);
    write_file("ten.csv", text);
    assert_int_equal(run("prf --labels ten.csv --format tsv --draws 5000"), 0);
    assert_near(number("A\taccuracy\t", 3), 97.5 / 101.0, 1e-14);
    assert_near(number("A\taccuracy\t", 5), 0.9221124305735975, 1e-9);
    assert_near(number("A\taccuracy\t", 6), 0.9914797168925964, 1e-9);
    assert_true(number("A\tf1[macro]", 5) < 0.95 && number("A\tf1[macro]", 6) > 0.98);
}

/* A line each, averages, who was taken for whom: a screen for four classes. */
static void classes_are_shown_as_people_read_them(void **state)
{
    size_t lines = 0;

    (void)state;
    write_file("four.csv", "id,y_true,A\n1,a,a\n2,a,b\n3,b,b\n4,c,c\n5,c,a\n6,d,d\n7,d,d\n");
    assert_int_equal(run("prf --labels four.csv --draws 5000 --quiet"), 0);
    says("out", "class     precision ");
    says("out", "\nd         1.000 [");
    says("out", "\nweighted  0.786 ["); /* (2 1/2 + 1/2 + 2 + 2) / 7 */
    says("out", "\naccuracy  ");
    says("out", "\na                 1  1  0  0\n");
    says("out", "\nc                 1  0  1  0\n");
    char *text = text_of("out");
    for (const char *c = text; *c != '\0'; c++)
        lines += *c == '\n';
    assert_true(lines <= 20 && strstr(text, "specificity") == NULL);
    free(text);
    assert_int_equal(run("prf --labels four.csv --draws 5000 --format tsv"), 0);
    assert_near(number("A\tprecision[weighted]", 2), 5.5 / 7.0, 1e-15);
    assert_near(number("A\trecall[weighted]", 2), 5.0 / 7.0, 1e-15);
    assert_int_equal(run("prf --labels four.csv --draws 5000 --metric f1[macro] --metric recall "
                         "--format tsv"), 0);
    text = text_of("out");
    assert_non_null(strstr(text, "f1[macro]"));
    assert_non_null(strstr(text, "recall[a]"));
    assert_null(strstr(text, "precision"));
    free(text);
    assert_int_equal(run("prf --labels four.csv --metric f9"), 2);
    says("err", "there is no metric 'f9'");
}

static void scores_become_labels_at_a_threshold(void **state)
{
    (void)state;
    write_file("s.csv", "id,what,A\n1,yes,0.9\n2,yes,0.5\n3,no,0.5\n4,no,0.1\n");
    assert_int_equal(run("prf --labels s.csv --gold what --positive yes --threshold 0.5 "
                         "--format tsv"), 0);
    assert_near(number("A\trecall", 2), 1.0, 0.0);
    assert_near(number("A\tprecision", 2), 2.0 / 3.0, 1e-15);
    says_not("err", "percentages");
    write_file("s100.csv", "gold,A\n1,90\n1,50\n0,50\n0,10\n");
    assert_int_equal(run("prf --labels s100.csv --threshold 0.5"), 0);
    says("out", "Scores go up to 90, but the threshold is at most 1");
    assert_int_equal(run("prf --labels s100.csv --threshold 50"), 0);
    says_not("out", "percentages");
    assert_int_equal(run("prf --labels s.csv --gold what --threshold 0.5"), 1);
    says("err", "a threshold of scores, and gold has classes");
    assert_int_equal(run("prf --labels s.csv --gold other --threshold 0.5"), 1);
    says("err", "s.csv:1: no column 'other'");
    assert_int_equal(run("prf --labels s.csv --gold what --positive yes --threshold half"), 2);
    says("err", "threshold 'half', expected a number");
}

/* Two values are labels, not scores. */
static void roc_warns_of_labels(void **state)
{
    static const size_t each[] = { 20, 50 };
    FILE *f;

    (void)state;
    for (size_t k = 0; k < 3; k++) { /* the last has a third value */
        const size_t n = each[k % 2];
        f = fopen("yes.csv", "w");
        assert_non_null(f);
        fputs("gold,a\n", f);
        for (size_t i = 0; i < 2 * n; i++)
            fprintf(f, "%d,%s\n", i < n, k == 2 && i == n ? "0.5" : (i + 1) % n == 0 ? "1" : i < n ? "1" : "0");
        assert_int_equal(fclose(f), 0);
        assert_int_equal(run("roc yes.csv --resamples 100"), 0);
        char *text = text_of("out");
        assert_true((strstr(text, "'a' has only two values. They look like predicted labels") != NULL)
                    == (k < 2));
        free(text);
    }
}

static void items_of_one_file_need_no_ids(void **state)
{
    (void)state;
    write_file("n.csv", "y_true,y_pred\n1,1\n1,1\n1,0\n0,1\n0,0\n");
    assert_int_equal(run("prf --labels n.csv --format tsv"), 0);
    assert_near(number("y_pred\trecall", 2), 2.0 / 3.0, 1e-15);
    /* As data frames write it: the index has no name, and truth is a word or a real number. */
    write_file("n.csv", ",y_true,y_pred\n0,True,1.0\n1,True,True\n2,True,0\n3,False,1\n4,False,0.0\n");
    assert_int_equal(run("prf --labels n.csv --format tsv"), 0);
    assert_near(number("y_pred\trecall", 2), 2.0 / 3.0, 1e-15);
    /* ... and as they call it when they read it, with an id beside it or without. */
    write_file("i.csv", "Unnamed: 0,y_true,p\n0,1,.9\n1,1,.3\n2,0,.4\n3,0,.1\n");
    assert_int_equal(run("roc i.csv --resamples 100 --format tsv --table measures"), 0);
    assert_near(number("p\tAUC", 2), 0.75, 1e-15);
    char *text = text_of("out");
    assert_null(strstr(text, "Unnamed"));
    free(text);
    write_file("i.csv", "y_true,no,yes\n1,.1,.9\n1,.7,.3\n0,.6,.4\n0,.9,.1\n");
    assert_int_equal(run("roc i.csv --resamples 100"), 0);
    says("out", "The AUC of yes is 0.750 (95 %");
    says("out", "no and yes add up to 1 on every item");
    write_file("i.csv", "index,id,y_true,p\n0,a,1,1\n1,b,1,0\n2,c,0,0\n3,d,0,1\n");
    assert_int_equal(run("prf --labels i.csv --format tsv"), 0);
    text = text_of("out");
    assert_null(strstr(text, "index"));
    free(text);
    assert_int_equal(run("prf --labels i.csv --metric accuracy"), 0);
    says("out", "accuracy of p is 0.500");
    text = text_of("out");
    assert_null(strstr(text, "f1"));
    assert_null(strstr(text, "draws"));
    free(text);
    assert_int_equal(run("prf i.csv"), 1);
    says("err", "labels of items are read by --labels");
    assert_int_equal(run("prf --labels i.csv --labels n.csv"), 2);
    says("err", "--labels takes one value, but two were given: 'i.csv' and 'n.csv'");
    assert_int_equal(run("roc n.csv --format tsv --table measures"), 1);
    says("err", "n.csv:3: the score 'True' of y_pred, expected a number; --system names");
    assert_int_equal(run("prf --labels n.csv --predictions n.csv"), 1);
    says("err", "n.csv:1: columns beside id and gold");
    write_file("g.csv", "gold\n1\n0\n");
    assert_int_equal(run("prf --labels g.csv g.csv"), 1);
    says("err", "g.csv:1: no column 'id'; the columns are 'gold'; expected the ids, which say what items are "
         "the same in two files");
    write_file("n.csv", "gold,A,\n1,1,2\n");
    assert_int_equal(run("prf --labels n.csv"), 1);
    says("err", "n.csv:1: column 3 has no name");
}

/* Of three labels or more each class has a column, and what is beside it is the system. */
static void areas_of_classes_are_those_against_the_rest(void **state)
{
    char *text;

    (void)state;
    write_file("n.csv", "label,text,p_a,p_b,p_c\na,so,.8,.1,.1\nb,and,.2,.7,.1\nc,on,.1,.4,.5\n"
               "a,or,.3,.6,.1\nb,not,.5,.3,.2\nc,\"as, I\",.2,.2,.6\n");
    assert_int_equal(run("roc n.csv --format tsv --table classes"), 0);
    assert_near(number("p\ta", 2), 2.0, 0.0);
    assert_near(number("p\ta", 3), 0.875, 1e-15);
    assert_near(number("p\tb", 3), 0.75, 1e-15);
    assert_near(number("p\tc", 3), 1.0, 1e-15);
    assert_near(number("p\tmacro", 3), 0.875, 1e-15);
    assert_near(number("p\tweighted", 3), 0.875, 1e-15);
    says("err", "Columns excluded, since they name no class: 'text'");
    says("err", "few wrongly ranked items (effective number 0.0)");
    assert_int_equal(run("roc n.csv"), 0);
    says("out", "The macro AUC over 3 classes is 0.875 (95 % interval ");
    says("out", "Brier");
    /* Two systems; one knows a class that no item is of, and the classes are called as numbers. */
    write_file("n.csv", "y_true,0,1,2,3,b0,b1,b2\n0,.5,.2,.1,.2,.6,.3,.1\n1,.1,.8,.1,0,.3,.5,.2\n"
               "2,.2,.2,.5,.1,.4,.1,.5\n0,.7,.1,.1,.1,.2,.2,.6\n");
    assert_int_equal(run("roc n.csv"), 0);
    says("out", "Macro AUC: 1.0000 for scores and 0.7222 for b. The difference has no interval.");
    says("out", "No item has the class 3: it has no AUC, and averages exclude it.");
    assert_int_equal(run("roc n.csv --system b"), 0);
    text = text_of("out");
    assert_null(strstr(text, "no item is of"));
    assert_non_null(strstr(text, "log_loss"));
    free(text);
    /* What is no probability, and what is not there. */
    write_file("n.csv", "gold,x,y,z\nx,.5,.2,.1\ny,.1,.8,.1\nz,0,0,1\n");
    assert_int_equal(run("roc n.csv"), 0);
    says("out", "scores: the scores of line 2 add up to 0.8, not to 1, so Brier");
    write_file("n.csv", "gold,x,y,z\nx,5,2,1\ny,-1,8,1\nz,0,0,1\n");
    assert_int_equal(run("roc n.csv"), 0);
    says("out", "scores: scores are not all in [0, 1], so Brier");
    write_file("n.csv", "gold,p_x,p_y,q_z\nx,.5,.2,.1\ny,.1,.8,.1\nz,0,0,1\n");
    assert_int_equal(run("roc n.csv"), 1);
    says("err", "n.csv:1: 3 classes, expected a column of scores for each, such as 'x' or 'p_x'; there is "
         "no 'p_z'; --positive LABEL takes one class against the rest");
    write_file("n.csv", "gold,A,B\nx,.5,.2\ny,.1,.8\nz,0,0\n");
    assert_int_equal(run("roc n.csv"), 1);
    says("err", "there is no 'x', 'y', 'z'; --positive");
    write_file("n.csv", "gold,x,y,z\nx,.5,.2,.1\ny,,.8,.1\nz,0,0,1\n");
    assert_int_equal(run("roc n.csv"), 1);
    says("err", "n.csv:3: the score of x is missing");
    write_file("n.csv", "gold,x,y,z\nx,.5,.2,.1\nNA,.1,.8,.1\ny,.1,.8,.1\nz,0,0,1\n");
    assert_int_equal(run("roc n.csv"), 1);
    says("err", "n.csv:3: the gold label is missing: NA");
}

static void systems_are_the_columns_that_are_named(void **state)
{
    (void)state;
    write_file("n.csv", "label,text,p_a,p_b,p_c\na,so,.8,.1,.1\nb,and,.2,.7,.1\nc,on,.1,.4,.5\n"
               "a,or,.3,.6,.1\nb,not,.5,.3,.2\nc,\"as, I\",.2,.2,.6\n");
    assert_int_equal(run("roc n.csv --positive a --system p_a --resamples 100 --format tsv "
                         "--table measures"), 0);
    assert_near(number("p_a\tAUC", 2), 0.875, 1e-15);
    assert_int_equal(run("prf --labels n.csv --positive a --threshold 0.3 --system p_a --format tsv"),
                     0);
    assert_near(number("p_a\trecall", 2), 1.0, 0.0);
    assert_int_equal(run("roc n.csv --system p_a"), 1);
    says("err", "n.csv:1: no system 'p_a' with a column of scores for each class; there is 'p'; "
         "--positive LABEL takes one class against the rest, and --system NAME its column");
    write_file("two.csv", "label,p_a,p_b\na,.8,.2\nb,.2,.8\n");
    assert_int_equal(run("roc two.csv"), 1);
    says("err", "two.csv:2: label 'a', expected 0 or 1, or the name of the positive label "
         "(--positive LABEL; if each class has a column, also --system NAME)");
    assert_int_equal(run("roc n.csv --positive a --system p_d"), 1);
    says("err", "n.csv:1: no column 'p_d'; the columns are 'label', 'text'");
    assert_int_equal(run("roc n.csv --positive a --system p_a --system p_a"), 1);
    says("err", "n.csv:1: column 'p_a' shall be a system's, and is named twice");
    assert_int_equal(run("prf --labels n.csv --system label"), 1);
    says("err", "n.csv:1: column 'label' shall be a system's, and is taken for something else");
    assert_int_equal(run("roc n.csv --positive d --system p_a"), 1);
    says("err", "n.csv: none of 6 items is positive, expected positive and negative ones");
}

static void labels_and_predictions_are_joined_by_id(void **state)
{
    (void)state;
    write_file("gold.csv", "id,label\n1,yes\n2,no\n3,yes\n");
    write_file("said.csv", "id,A,B\n3,yes,no\n1,no,yes\n2,no,no\n");
    assert_int_equal(run("prf --labels gold.csv --predictions said.csv --positive yes --format "
                         "tsv"), 0);
    assert_near(number("A\trecall", 2), 0.5, 0.0);
    assert_near(number("B\tprecision", 2), 1.0, 0.0);
    write_file("said.csv", "id,A\n3,yes\n1,no\n");
    assert_int_equal(run("prf --labels gold.csv --predictions said.csv"), 1);
    says("err", "gold.csv:3: no prediction of said.csv has the id '2'");
    write_file("said.csv", "id,A\n3,yes\n1,no\n2,maybe\n");
    assert_int_equal(run("prf --labels gold.csv --predictions said.csv --positive yes"), 1);
    says("err", "said.csv:4: unknown label 'maybe'");
    write_file("said.csv", "id,A\n3,yes\n1,no\n2,no\n4,no\n");
    assert_int_equal(run("prf --labels gold.csv --predictions said.csv"), 1);
    says("err", "said.csv: 4 predictions, and gold has 3 items");
    write_file("said.csv", "doc_id,A\n3,yes\n1,no\n2,no\n"); /* ids of other commands are ids */
    assert_int_equal(run("prf --labels gold.csv --predictions said.csv --positive yes"), 0);
    write_file("said.csv", "key,A\n3,yes\n1,no\n2,no\n");
    assert_int_equal(run("prf --labels gold.csv --predictions said.csv"), 1);
    says("err", "said.csv:1: no column 'id'; the columns are 'key', 'A'; expected the ids, which say what "
         "items are the same in two files\n");
}

/* Files are as columns of one file; a name that two have is told by the file. */
static void predictions_of_several_files_are_systems(void **state)
{
    (void)state;
    write_file("gold.csv", "id,label\n1,yes\n2,no\n3,yes\n");
    write_file("said.csv", "id,A,B\n3,yes,no\n1,no,yes\n2,no,no\n");
    write_file("a.csv", "id,A\n1,no\n2,no\n3,yes\n");
    write_file("b.csv", "id,B\n3,no\n1,yes\n2,no\n");
    assert_int_equal(run("prf --paired --labels gold.csv said.csv --positive yes --format tsv"), 0);
    char *want = text_of("out");
    assert_int_equal(run("prf --paired --labels gold.csv a.csv b.csv --positive yes --format tsv"), 0);
    char *got = text_of("out");
    assert_string_equal(got, want);
    free(want);
    free(got);
    write_file("b.csv", "id,A\n3,no\n1,yes\n2,no\n");
    assert_int_equal(run("prf --labels gold.csv --predictions a.csv --predictions b.csv --positive yes "
                         "--format tsv"), 0);
    assert_near(number("a.csv\trecall", 2), 0.5, 0.0);
    assert_near(number("b.csv\tprecision", 2), 1.0, 0.0);
    assert_int_equal(run("prf --labels gold.csv a.csv said.csv --positive yes --format tsv"), 0);
    assert_near(number("said.csv:A\trecall", 2), 0.5, 0.0);
    assert_near(number("B\tprecision", 2), 1.0, 0.0);
    assert_int_equal(run("prf --labels gold.csv a.csv a.csv --positive yes"), 2);
    says("err", "predictions 'a.csv' are given twice");
}

static void two_columns_called_as_gold_are_refused_unless_one_is_named(void **state)
{
    (void)state;
    write_file("m.csv", "id,y_true,y_pred,label\n1,1,1,0\n2,0,0,0\n3,1,0,1\n4,0,0,1\n5,1,1,1\n");
    assert_int_equal(run("prf --labels m.csv"), 1);
    says("err", "m.csv:1: 'y_true', 'label' could each be the column of gold: say which with --gold "
         "NAME\n");
    assert_int_equal(run("roc m.csv"), 1);
    says("err", "m.csv:1: 'y_true', 'label' could each be the column of gold: say which with --gold");
    assert_int_equal(run("prf --labels m.csv --machine-column y_pred"), 1);
    says("err", "'y_true', 'label' could each be the column of gold");
    assert_int_equal(run("prf --labels m.csv --machine-column y_pred --system label"), 0);
    says("out", "Column 'y_true' was taken as the gold labels because of its name (--gold).");
    assert_int_equal(run("prf --labels m.csv --system label --format tsv"), 0);
    assert_near(number("label\taccuracy", 2), 0.6, 0.0);
    assert_int_equal(run("prf --labels m.csv --gold y_true"), 0);
    says("out", "F1 of y_pred is 0.800");
    says("out", "note: Columns of m.csv named like gold or ids are excluded: 'label'. Use --system");
    says_not("out", "is taken for gold");
    assert_int_equal(run("roc m.csv --gold label"), 0);
    says("out", "note: Columns of m.csv named like gold or ids are excluded: 'y_true'. Use --system");
    assert_int_equal(run("roc m.csv --system y_pred --system label"), 0);
    says("out", "note: Column 'y_true' was taken as the gold labels because of its name (--gold).\n");
    write_file("m.csv", "Gold,A\n1,1\n0,1\n1,0\n");
    assert_int_equal(run("prf --labels m.csv"), 0);
    says_not("out", "is taken for gold");
    write_file("m.csv", "x,label,truth\n1,1,1\n0,1,0\n1,0,1\n");
    assert_int_equal(run("prf --labels m.csv --gold x"), 1);
    says("err", "m.csv:1: 'label', 'truth' have names of gold or ids, expected columns of systems, unless "
         "these are named (--system NAME)\n");
}

static void gold_beside_predictions_is_no_system(void **state)
{
    (void)state;
    write_file("g.csv", "id,y_true\n1,1\n2,0\n3,1\n4,0\n5,1\n");
    write_file("p.csv", "id,Label,y_true,y_pred\n1,1,1,1\n2,0,0,0\n3,1,1,0\n4,0,0,0\n5,1,1,1\n");
    assert_int_equal(run("prf --labels g.csv p.csv"), 0);
    says("out", "F1 of y_pred is 0.800");
    says("out", "note: Column 'y_true' was taken as the gold labels because of its name (--gold).\nnote: Columns of p.csv "
         "named like gold or ids are excluded: 'Label', 'y_true'. Use --system");
    write_file("g.csv", "id,is\n1,1\n2,0\n3,1\n4,0\n5,1\n");
    write_file("p.csv", "id,is,A\n1,1,1\n2,0,0\n3,1,0\n4,0,0\n5,1,1\n");
    assert_int_equal(run("prf --labels g.csv --gold is p.csv"), 0);
    says("out", "F1 of A is 0.800");
    says("out", "note: Columns of p.csv named like gold or ids are excluded: 'is'. Use --system");
    assert_int_equal(run("prf --labels g.csv --gold is p.csv --system is"), 0);
    says("out", "F1 of is is 1.000");
    write_file("p.csv", "id,label\n1,1\n2,0\n3,1\n4,0\n5,0\n");
    assert_int_equal(run("prf --labels g.csv --gold is p.csv"), 0);
    says("out", "F1 of label is 0.800");
    says_not("out", "excluded");
}

static void metrics_of_binary_labels_are_named_as_in_the_table(void **state)
{
    (void)state;
    write_file("b.csv", "id,gold,A,B\n1,1,1,0\n2,0,0,0\n3,1,0,1\n4,0,0,1\n5,1,1,1\n6,0,1,0\n");
    assert_int_equal(run("prf --labels b.csv --system A --metric recall[0] --format tsv"), 0);
    assert_near(number("A\trecall[0]", 2), 2.0 / 3.0, 1e-12);
    assert_int_equal(run("prf --labels b.csv --system A --metric f1[macro]"), 0);
    says("out", "macro F1 of A is 0.667 (95 %");
    says("out", "warning: With only 6 items");
    assert_int_equal(run("prf --labels b.csv --system A --metric f1"), 0);
    says_not("out", "f1[");
    assert_int_equal(run("prf --labels b.csv --gate --margin .1 --metric f1[macro]"), 2);
    says("err", "no macro F1 is compared with that of the baseline 'A'");
}

static void guaranteed_limits_of_one_matrix_are_not_too_narrow(void **state)
{
    (void)state;
    write_file("c.csv", "category,tp,fp,fn\na,30,5,6\nb,20,6,3\nc,10,4,6\n");
    assert_int_equal(run("prf c.csv"), 0);
    says("out", "intervals of macro averages are too narrow");
    assert_int_equal(run("prf c.csv --guaranteed"), 0);
    says_not("out", "too narrow");
    /* Two classes are each other's rest. */
    write_file("c.csv", "category,tp,fp,fn,tn\nno,76,4,11,29\nyes,29,11,4,76\n");
    assert_int_equal(run("prf c.csv"), 0);
    says("out", "intervals of macro averages are too narrow");
    says("out", "0.875 [0.804, 0.922]      120"); /* accuracy of labels */
    write_file("c.csv", "category,tp,fp,fn,tn\nno,76,4,11,29\nyes,30,11,4,75\n");
    assert_int_equal(run("prf c.csv"), 0);
    says_not("out", "too narrow");
}

static void an_average_of_1_has_no_interval_though_there_are_errors(void **state)
{
    (void)state;
    write_file("o.csv", "id,gold,A\n1,yes,yes\n2,yes,yes\n3,yes,no\n4,yes,yes\n");
    assert_int_equal(run("prf --labels o.csv --classes no,yes"), 0);
    says("out", "note: 1 average has no interval, as its variance cannot be estimated: see ");
}

static void the_least_coverage_is_of_all_classes_whatever_their_names(void **state)
{
    static const char *const label[2][2] = { { "0", "1" }, { "no", "yes" } };

    (void)state;
    for (int k = 0; k < 2; k++) {
        FILE *f = fopen("w.csv", "w");
        assert_non_null(f);
        fputs("gold,A\n", f);
        for (int i = 0; i < 120; i++) /* all are right */
            fprintf(f, "%s,%s\n", label[k][i >= 30], label[k][i >= 30]);
        assert_int_equal(fclose(f), 0);
        assert_int_equal(run("prf --labels w.csv"), 0);
        says("out", "intervals can be as low as 78.5 %");
    }
}

static void probabilities_of_the_best_are_counts_of_draws(void **state)
{
    (void)state;
    write_file("b.csv", "gold,A,B,C\n1,1,0,1\n0,0,0,1\n1,1,1,0\n0,1,0,0\n1,0,1,1\n0,0,1,1\n");
    assert_int_equal(run("prf --labels b.csv --paired --table best --metric f1 --format tsv"), 0);
    const double p = number("f1\tA", 2);
    assert_near(p, round(1e4 * p) / 1e4, 0.0);
}

static void of_a_positive_class_only_its_own_scores_are_taken(void **state)
{
    (void)state;
    write_file("p.csv", "id,y_true,p_cat,p_dog,p_cow,text\n1,cat,.8,.1,.1,a\n2,dog,.1,.8,.1,b\n"
               "3,cow,.3,.1,.6,c\n4,cat,.2,.4,.4,d\n5,dog,.3,.6,.1,e\n6,cow,.1,.1,.8,f\n");
    assert_int_equal(run("roc p.csv --positive cat --system p_cat --format tsv"), 0);
    char *want = text_of("out");
    assert_int_equal(run("roc p.csv --positive cat --format tsv"), 0);
    char *got = text_of("out");
    assert_string_equal(got, want);
    free(want);
    free(got);
    says("err", "Columns used as scores: cat; excluded: 'p_dog', 'p_cow', 'text'.\n");
    assert_int_equal(run("roc p.csv --positive cat --system p_dog --format tsv"), 0);
    assert_near(number("p_dog\tAUC", 2), 0.375, 1e-12);
    assert_int_equal(run("roc p.csv --choose youden"), 2);
    says("err", "a threshold for youden needs two classes, and there are 3: name the positive one "
         "with --positive LABEL");
    assert_int_equal(run("roc p.csv --choose youden --positive cat"), 0);
    says("out", "The AUC of p_cat is 0.750 (95 %");
    says("out", "youden");
}

static void no_probability_of_a_comparison_is_certain(void **state)
{
    FILE *f = fopen("far.csv", "w");

    (void)state;
    assert_non_null(f);
    fputs("id,gold,A,B\n", f);
    for (int i = 0; i < 200; i++)
        fprintf(f, "%d,%d,%d,%d\n", i, i % 2, i % 2, i % 5 < 2 ? i % 2 : 1 - i % 2);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(run("prf --paired --labels far.csv"), 0);
    says("out", "A has a higher F1 than B with probability more than 0.999: difference 0.");
    says("out", "A  B  f1                      0.9999");
    says("out", "A  B  accuracy               >0.9999");
    assert_int_equal(run("prf --paired --labels far.csv --format tsv"), 0);
    assert_near(number("A\tB\tf1", 3), 0.9999, 1e-12);
}

static void of_classes_the_answer_is_about_the_macro_average(void **state)
{
    (void)state;
    write_file("k.csv", "id,gold,A,B\n1,x,x,x\n2,x,y,x\n3,y,y,z\n4,z,z,z\n5,z,x,x\n6,y,y,y\n");
    assert_int_equal(run("prf --labels k.csv"), 0); /* two systems are compared unasked */
    says("out", "No clear difference in macro F1: ");
    /* Without an error there are no limits, and three systems are two candidates. */
    write_file("k.csv", "gold,A,B,C\nx,x,x,x\ny,y,y,y\nz,z,z,z\nx,x,x,y\ny,y,y,y\n");
    assert_int_equal(run("prf --labels k.csv --gate --margin .1"), 4);
    says("out", "The difference (B minus A) is 0.000 (no limits, as its variance cannot");
    says("out", ", corrected for 2 candidates).");
    says("out", "Bonferroni's correction for 2 candidates");
    assert_int_equal(run("prf --labels k.csv --target f1[macro]=.8"), 0);
    says("out", "macro F1 of A is 1.000 (no limits, as its variance cannot be estimated); ");
    write_file("k.csv", "system,category,tp,fp,fn\nA,x,9,1,1\nA,y,8,1,2\nB,x,1,9,9\nB,y,1,8,8\n");
    assert_int_equal(run("prf k.csv --draws 5000"), 0);
    says("out", "Of 2 systems, A has the highest macro F1: 0.87");
    assert_int_equal(run("prf k.csv --compare --draws 5000"), 0);
    says("out", "A has a higher macro F1 than B with probability ");
}

static void classes_may_be_called_as_columns_are(void **state)
{
    (void)state;
    write_file("n.csv", "id,gold,A\n1,is,is\n2,is,system\n3,system,system\n4,z,z\n5,z,is\n");
    assert_int_equal(run("prf --labels n.csv --table confusion --format tsv"), 0);
    says("out", "system\tis\tis_\tsystem_\tz\nA\tis\t1\t1\t0\n");
}

static void charts_open_on_what_the_sentence_is_about(void **state)
{
    (void)state;
    write_file("two.csv", "id,gold,A,B\n1,x,x,x\n2,y,y,x\n3,z,z,y\n4,x,z,y\n5,y,y,y\n");
    assert_int_equal(run("prf --labels two.csv --draws 5000 --format vega"), 0);
    says("out", "\"name\": \"page_1\",\n      \"value\": \"f1[macro]\"");
    assert_int_equal(run("prf --labels two.csv --draws 5000 --format vega --metric recall"), 0);
    says("out", "\"value\": \"recall[macro]\"");
}

static void a_note_names_the_method(void **state)
{
    (void)state;
    assert_int_equal(run("prf --counts 10,10,5"), 0);
    says("out", "Method: Beta posteriors of precision, recall and F, prior Beta(1/2, 1/2) (Goutte & "
         "Gaussier 2005)\n");
    assert_int_equal(run("prf --compare --counts A=80,20,40 --counts B=75,10,45 --prior 2,1"), 0);
    says("out", "prior 2 for TP and TN, 1 for FP and FN");
}

/* A utility is linear in the cells: worth 1 for what is right makes it accuracy. */
static void a_utility_has_a_posterior(void **state)
{
    (void)state;
    assert_int_equal(run("prf --counts my=50,5,5,100 --utility 1,0,0,1 --draws 100000 "
                         "--format tsv"), 0);
    for (int column = 2; column <= 3; column++)
        assert_near(number("my\tutility", column), number("my\taccuracy", column), 0.001);
    assert_int_equal(run("prf --counts my=50,5,5,100 --utility 2,-1,0,0 --draws 100000 "
                         "--format tsv"), 0);
    assert_near(number("my\tutility", 2), 95.0 / 160.0, 1e-12);
    assert_near(number("my\tutility", 3), (2.0 * 50.5 - 5.5) / 162.0, 0.001);
    assert_int_equal(run("prf --counts 50,5,5 --utility 2,-1,0,0"), 2);
    says("err", "a utility needs TN");
}

/* P(pi_1 > pi_2) = I_1/2(N2 + a2, N1 + a1); by scipy.special.betainc. */
static void a_paired_prior_has_two_parameters(void **state)
{
    (void)state;
    assert_int_equal(run("prf --paired --counts a:b=8:3 --prior 2,1 --format tsv"), 0);
    assert_near(number("a\tb\t", 5), 0.953857421875, 1e-10);
    assert_int_equal(run("prf --paired --counts a:b=8:3 --prior 1.5 --format tsv"), 0);
    assert_near(number("a\tb\t", 5), 0.9184158128845197, 1e-10);
}

static void output_does_not_depend_on_threads(void **state)
{
    (void)state;
    write_file("l.tsv", labels);
    assert_int_equal(run("prf --labels l.tsv --paired --format json --draws 5000 --threads 1"),
                     0);
    char *one = text_of("out");
    assert_int_equal(run("prf --labels l.tsv --paired --format json --draws 5000 --threads 3"),
                     0);
    char *three = text_of("out");
    assert_string_equal(one, three);
    free(one);
    free(three);
}

static void refused(int status, const char *words, const char *why)
{
    assert_int_equal(run(words), status);
    char *out = text_of("out"), *err = text_of("err");
    assert_string_equal(out, "");
    if (strstr(err, why) == NULL)
        fail_msg("'%s' is not in: %s", why, err);
    assert_true(strchr(err, '\n') == err + strlen(err) - 1); /* one line */
    free(out);
    free(err);
}

static void bad_options_are_usage_errors(void **state)
{
    (void)state;
    write_file("l.tsv", labels);
    refused(2, "prf --counts=-1,2,3", "TP is '-1'");
    refused(2, "prf --counts 1.5,2,3", "TP is '1.5'");
    refused(2, "prf --counts 1,2,99999999999999999999", "FN is '99999999999999999999'");
    refused(2, "prf --counts 1,2", "TP,FP,FN");
    refused(2, "prf --counts A=1,2,3 --counts A=1,2,3", "twice");
    refused(2, "prf", "nothing to evaluate");
    refused(2, "prf --labels l.tsv --compare", "the same items");
    refused(2, "prf --paired --counts 1,2,3", "expected labels or [A:B=]N1:N2");
    refused(2, "prf --paired --counts A:A=8:3", "compares a system with itself");
    refused(2, "prf --counts 1,2,3 --prior 0", "--prior");
    refused(2, "prf --counts 1,2,3 --guarantee", "did you mean '--guaranteed'");
    refused(2, "prf --counts 1,2,3 --interval hdi", "intervals have equal tails");
}

static void bad_file(const char *name, const char *text, const char *words, const char *why)
{
    write_file(name, text);
    refused(1, words, why);
}

static void bad_files_are_named_with_their_line(void **state)
{
    (void)state;
    bad_file("x.csv", "system,tp,fp,fn\nA,1,2,3\nB,1,-2,3\n", "prf x.csv", "x.csv:3: fp is '-2'");
    bad_file("x.csv", "system,tp,fp,fn\nA,1,2,0.5\n", "prf x.csv", "x.csv:2: fn is '0.5'");
    bad_file("x.csv", "system,tp,fp,fn\nA,1,2,1e30\n", "prf x.csv", "x.csv:2: fn is '1e30'");
    bad_file("x.csv", "system,tp,fp,fn\nA,1,2\n", "prf x.csv", "x.csv:2: 3 cells");
    bad_file("x.csv", "system,tp,fp,fn\nA,1,2,3\n\nA,1,2,3\n", "prf x.csv", "x.csv:4: ");
    bad_file("x.csv", "system,tp,fp\nA,1,2\n", "prf x.csv", "x.csv:1: no column 'FN'");
    bad_file("l.csv", "id,gold,A\n1,1,1\n2,0,\n", "prf --labels l.csv", "l.csv:3: the label of 'A'");
    bad_file("l.csv", "id,gold,A\n1,1,1\n2,,1\n", "prf --labels l.csv", "l.csv:3: the gold label");
    bad_file("l.csv", "id,gold,A\n1,1,1\n2,0,2\n", "prf --labels l.csv",
             "l.csv:3: unknown label '2' of 'A'");
    bad_file("l.csv", "id,gold,A\n1,1,1\n2,0\n", "prf --labels l.csv", "l.csv:3: 2 cells");
    bad_file("l.csv", "id,gold,A\n7,1,1\n8,0,0\n7,0,0\n", "prf --labels l.csv",
             "l.csv:4: the id '7' occurs twice, first in line 2");
    bad_file("l.csv", "id,gold,A\n7,1,1\n8,0,0\n7,0,0\n", "roc l.csv",
             "l.csv:4: the id '7' occurs twice, first in line 2");
    refused(2, "prf --labels l.csv --predictions s.csv t.csv",
            "'t.csv' and --predictions both give predictions");
    bad_file("l.csv", "id,A,B\n7,1,1\n", "prf --labels l.csv", "l.csv:1: no column 'gold'");
    bad_file("l.csv", "id,gold,A\n1,x,x\n", "prf --labels l.csv", "l.csv:1: gold has one label");
    bad_file("l.csv", "id,gold,A\n1,x,x\n2,y,x\n", "prf --labels l.csv --positive q",
             "l.csv:1: no gold label is 'q'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_give_the_columns_of_the_contract),
        cmocka_unit_test(priors_are_as_given),
        cmocka_unit_test(a_posterior_says_how_seldom_it_may_hold),
        cmocka_unit_test(degenerate_counts_have_a_posterior_but_no_value),
        cmocka_unit_test(comparisons_have_one_row_a_pair_in_the_order_given),
        cmocka_unit_test(the_answer_has_the_direction_of_the_rows),
        cmocka_unit_test(files_hold_systems_or_categories),
        cmocka_unit_test(labels_are_paired),
        cmocka_unit_test(classes_are_each_and_averaged),
        cmocka_unit_test(counts_of_one_confusion_matrix_are_warned_of),
        cmocka_unit_test(many_classes_do_not_outweigh_their_items),
        cmocka_unit_test(classes_are_shown_as_people_read_them),
        cmocka_unit_test(labels_and_predictions_are_joined_by_id),
        cmocka_unit_test(predictions_of_several_files_are_systems),
        cmocka_unit_test(metrics_of_binary_labels_are_named_as_in_the_table),
        cmocka_unit_test(guaranteed_limits_of_one_matrix_are_not_too_narrow),
        cmocka_unit_test(an_average_of_1_has_no_interval_though_there_are_errors),
        cmocka_unit_test(probabilities_of_the_best_are_counts_of_draws),
        cmocka_unit_test(the_least_coverage_is_of_all_classes_whatever_their_names),
        cmocka_unit_test(two_columns_called_as_gold_are_refused_unless_one_is_named),
        cmocka_unit_test(gold_beside_predictions_is_no_system),
        cmocka_unit_test(of_a_positive_class_only_its_own_scores_are_taken),
        cmocka_unit_test(no_probability_of_a_comparison_is_certain),
        cmocka_unit_test(scores_become_labels_at_a_threshold),
        cmocka_unit_test(classes_may_be_called_as_columns_are),
        cmocka_unit_test(roc_warns_of_labels),
        cmocka_unit_test(items_of_one_file_need_no_ids),
        cmocka_unit_test(areas_of_classes_are_those_against_the_rest),
        cmocka_unit_test(systems_are_the_columns_that_are_named),
        cmocka_unit_test(of_classes_the_answer_is_about_the_macro_average),
        cmocka_unit_test(systems_that_say_the_same_are_equal),
        cmocka_unit_test(averages_without_errors_are_exactly_1),
        cmocka_unit_test(charts_open_on_what_the_sentence_is_about),
        cmocka_unit_test(a_note_names_the_method),
        cmocka_unit_test(a_utility_has_a_posterior),
        cmocka_unit_test(a_paired_prior_has_two_parameters),
        cmocka_unit_test(output_does_not_depend_on_threads),
        cmocka_unit_test(bad_options_are_usage_errors),
        cmocka_unit_test(bad_files_are_named_with_their_line),
    };

    return cmocka_run_group_tests_name("prf_command", tests, enter_home, leave_home);
}
