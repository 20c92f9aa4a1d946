/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims about the commands compare, run inside this program
 * in a directory of its own; the name of a test is the claim.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frame/frame.h"
#include "near.h"
#include "run_tool.h"
#include "scratch.h"
#include "test_compare.h"
#include "num/dist.h"
#include "num/draw.h"
#include "stat/paired/pair_p.h"

/* Fewer resamples than usual, for speed. */
#define QUICK "--resamples 500"

static scratch home;
static char old[SCRATCH_PATH];

static void write_text(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* systems x 24 topics; system s is better than s - 1 by about 0.06. */
static void write_matrix(const char *name, size_t systems)
{
    FILE *f = fopen(name, "w");

    assert_non_null(f);
    fputs("run", f);
    for (int t = 1; t <= 24; t++)
        fprintf(f, ",%d", 300 + t);
    for (size_t s = 0; s < systems; s++) {
        fprintf(f, "\nsystem%zu", s + 1);
        for (uint64_t t = 0; t < 24; t++) {
            iv_stream topic = iv_stream_start(3, IV_FOR_CALLER, t);
            iv_stream own = iv_stream_start(4, IV_FOR_CALLER, t * 100 + s);
            fprintf(f, ",%.3f", 0.5 * iv_draw_uniform(&topic) + 0.15 * iv_draw_uniform(&own)
                    + 0.06 * (double)s);
        }
    }
    fputs("\n", f);
    assert_int_equal(fclose(f), 0);
}

static void write_runs(void)
{
    write_text("qrels", "1 0 a 1\n1 0 b 0\n2 0 c 1\n2 0 d 1\n3 0 e 1\n4 0 f 1\n");
    write_text("first", "1 Q0 a 1 2 one\n1 Q0 b 2 1 one\n2 Q0 x 1 2 one\n2 Q0 c 2 1 one\n"
               "3 Q0 e 1 1 one\n4 Q0 f 1 1 one\n");
    write_text("second", "1 Q0 b 1 2 two\n1 Q0 a 2 1 two\n2 Q0 c 1 2 two\n2 Q0 d 2 1 two\n"
               "3 Q0 x 1 2 two\n3 Q0 e 2 1 two\n");
    write_text("apart", "4 Q0 f 1 1 three\n");
    write_text("unjudged", "9 Q0 f 1 1 four\n");
}

static int enter_home(void **state)
{
    (void)state;
    if (getcwd(old, sizeof old) == NULL || !scratch_make(&home) || chdir(home.path) != 0)
        return -1;
    write_matrix("two.csv", 2);
    write_matrix("five.csv", 5);
    write_runs();
    return 0;
}

static int leave_home(void **state)
{
    (void)state;
    scratch_remove(home.path);
    return chdir(old);
}

/* Runs "intervale WORDS"; output goes to files out and err. */
static int intervale(const char *words)
{
    static const cmd *const commands[] = { &cmd_compare, NULL };

    return run_tool(commands, words);
}

static void assert_holds(const char *file, const char *words)
{
    size_t len;
    char *text = scratch_bytes(&home, file, &len);

    if (strstr(text, words) == NULL)
        fail_msg("'%s' is not in:\n%s", words, text);
    free(text);
}

/* The command fails with that status, one line on stderr and no output. */
static void assert_refused(const char *line, int status, const char *words)
{
    size_t len;

    assert_int_equal(intervale(line), status);
    char *text = scratch_bytes(&home, "err", &len);
    assert_true(len > 0 && strchr(text, '\n') == text + len - 1);
    free(text);
    assert_holds("err", words);
    text = scratch_bytes(&home, "out", &len);
    assert_int_equal(len, 0);
    free(text);
}

/* ---------------------------------------------------------------- compare -- */

static void tables_have_the_columns_programs_rely_on(void **state)
{
    (void)state;
    static const char pairs[] = "a\tb\tmeasure\ttopics\tdifference\tlower\tupper\twins\tties\t"
                                "losses\ttest\tp\tp_adjusted\t";
    static const char runs[] = "run\tmeasure\tmean\tlower\tupper\trank\trank_lower\trank_upper\t"
                               "p_best\tgroup\t";
    size_t len;
    char *text;

    assert_int_equal(intervale("compare --matrix five.csv " QUICK " --format tsv"), 0);
    text = scratch_bytes(&home, "out", &len);
    assert_memory_equal(text, pairs, sizeof pairs - 1);
    free(text);
    assert_holds("out", "\nsystem4\tsystem5\tscore\t24\t-0.0");
    assert_int_equal(intervale("compare --matrix five.csv " QUICK " --format tsv --table runs"), 0);
    text = scratch_bytes(&home, "out", &len);
    assert_memory_equal(text, runs, sizeof runs - 1);
    free(text);
    assert_holds("out", "\nsystem5\tscore\t");
}

static void the_answer_comes_first_in_a_sentence(void **state)
{
    (void)state;
    size_t len;

    assert_int_equal(intervale("compare --matrix two.csv " QUICK), 0);
    char *text = scratch_bytes(&home, "out", &len);
    assert_memory_equal(text, "system2 beats system1 by 0.0", 28);
    free(text);
    assert_holds("out", " score (95 % interval 0.0");
    assert_holds("out", ") over 24 topics.\n");
    assert_int_equal(intervale("compare --matrix two.csv " QUICK " --alternative greater"), 0);
    assert_holds("out", "system1 is not significantly better than system2: system2 is ahead by 0.0");
    assert_int_equal(intervale("compare --matrix five.csv " QUICK ""), 0);
    assert_holds("out", "system5 scores highest (score 0.");
    assert_int_equal(intervale("compare --matrix five.csv " QUICK " --baseline system1"), 0);
    assert_holds("out", "4 of 4 runs differ significantly from system1 in score; better: system5, ");
}

/* Writes a matrix: two or three runs on n topics, a's scores 0.5. */
static void write_board(const char *path, int n, double (*of)(int run, int topic), int runs)
{
    static const char *const names[] = { "A", "B", "C" };
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs("run", f);
    for (int t = 0; t < n; t++)
        fprintf(f, ",t%d", t);
    for (int r = 0; r < runs; r++) {
        fprintf(f, "\n%s", names[r]);
        for (int t = 0; t < n; t++) {
            const double x = of(r, t);
            if (x >= 0.0)
                fprintf(f, ",%.4f", x);
            else
                fputs(",", f);
        }
    }
    fputs("\n", f);
    assert_int_equal(fclose(f), 0);
}

/* B wins 34 of 40 topics by little, A the others by much: A has the larger mean, and
 * both are far better than C. */
static double often_or_much(int run, int topic)
{
    return run == 2 ? 0.01 * (topic % 7) : run == 0 ? 0.5
        : topic < 34 ? 0.51 + 0.001 * topic : 0.2;
}

static double equal_but_missing(int run, int topic)
{
    return run == 1 && topic >= 150 ? -1.0 : 0.01 * (topic % 90);
}

static double constant(int run, int topic) { return 0.1 + 0.1 * run + 0.05 * (topic % 5); }

static void the_sentence_names_the_winner_of_the_test(void **state)
{
    (void)state;
    write_board("often.csv", 40, often_or_much, 2);
    assert_int_equal(intervale("compare --matrix often.csv --test wilcoxon"), 0);
    assert_holds("out", "The wilcoxon test finds B better, but A is ahead by 0.0");
    assert_holds("out", "1 interval disagrees with p about 0: intervals are of the mean difference");
    write_board("often.csv", 40, often_or_much, 3);
    assert_int_equal(intervale("compare --matrix often.csv --test wilcoxon"), 0);
    assert_holds("out", "A scores highest (score 0.5000 over 40 topics); the test finds better: B.");
    assert_int_equal(intervale("compare --matrix often.csv --test sign --baseline A"), 0);
    assert_holds("out", "2 of 2 runs differ significantly from A in score; better: B; worse: C.");
    assert_int_equal(intervale("compare --matrix often.csv --test sign --baseline A --baseline B"),
                     0);
    assert_holds("out", "2 of 2 runs differ significantly from B in score; worse: A and C.");
    assert_holds("out", "sign test (Conover 1999); Holm's correction for 3 pairs");
}

static void missing_topics_stand_in_the_sentence(void **state)
{
    (void)state;
    write_board("missing.csv", 200, equal_but_missing, 2);
    assert_int_equal(intervale("compare --matrix missing.csv --margin 0.01"), 0);
    /* .99^150: losses of 1 on one topic in a hundred may be on none of 150. */
    assert_holds("out", "The margin has no p-value, because all differences are equal.");
    assert_holds("out", "A and B have the same score on each topic compared: 150 of 200 topics.");
    assert_holds("out", "warning: B has no score for 50 of 200 topics. They are excluded for all runs.");
    write_board("missing.csv", 200, equal_but_missing, 3);
    assert_int_equal(intervale("compare --matrix missing.csv"), 0);
    assert_holds("out", " over 150 of 200 topics");
}

static void equal_differences_are_told(void **state)
{
    (void)state;
    write_board("few.csv", 20, constant, 2);
    assert_int_equal(intervale("compare --matrix few.csv"), 0);
    assert_holds("out", "1 pair has the same difference on all topics: it has no interval");
    write_text("right.csv", "system,1,2,3\na,1,1,0\nb,0,1,0.5\n");
    assert_int_equal(intervale("compare --matrix right.csv --binary"), 1);
    assert_holds("err", "'b' has the score 0.5 on item '3', expected 0 or 1");
}

/* Scores of 0 and 1 have the test and the interval of paired proportions, declared or not, and
 * whatever the measure is called: 9 wins and 2 losses of 24. */
static void answers_of_0_and_1_have_tangos_interval(void **state)
{
    double lower, upper;
    size_t len;
    FILE *f = fopen("right.csv", "w");

    (void)state;
    assert_non_null(f);
    fputs("run", f);
    for (int t = 0; t < 24; t++)
        fprintf(f, ",%d", t);
    for (int r = 0; r < 2; r++) {
        fprintf(f, "\n%c", 'a' + r);
        for (int t = 0; t < 24; t++)
            fprintf(f, ",%d", t < 9 ? r == 0 : t < 11 ? r == 1 : t % 2);
    }
    fputs("\n", f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(intervale("compare --matrix right.csv   --format tsv"), 0);
    iv_shares_limits(&lower, &upper, &(iv_share_counts){ 9.0, 2.0, 24.0, INFINITY }, 0.025);
    char want[120], *text = scratch_bytes(&home, "out", &len);
    const char *row = strstr(text, "\na\tb\tscore\t24\t");
    assert_non_null(row);
    double d, low, high;
    assert_int_equal(sscanf(row, "\na\tb\tscore\t24\t%lf\t%lf\t%lf", &d, &low, &high), 3);
    assert_true(fabs(low - lower) < 1e-9 && fabs(high - upper) < 1e-9);
    free(text);
    (void)snprintf(want, sizeof want, "\tmcnemar\t%.6f", 2.0 * iv_norm_sf(7.0 / sqrt(11.0)));
    assert_holds("out", want);

    /* A test that is asked for is made, and not McNemar's under its name. */
    double x[24];
    for (int t = 0; t < 24; t++)
        x[t] = t < 9 ? 1.0 : t < 11 ? -1.0 : 0.0;
    assert_int_equal(intervale("compare --matrix right.csv --test larger-p --format tsv"), 0);
    (void)snprintf(want, sizeof want, "\tlarger-p\t%.6f", iv_larger_p_test(x, 24, IV_TWO_SIDED).p);
    assert_holds("out", want);
}

/* Computed by scipy's t distribution from the formula of Hall (1992): p 0.008705551150230 and
 * limits 0.063488448545948 and 0.631249382097355; the larger p is that of the t test, 0.0380. */
static void halls_test_is_its_own_and_not_the_larger_p(void **state)
{
    (void)state;
    static const double d[] = { 0.9, 0.1, 0.2, -0.1, 0.05, 0.15, 0.3, 0.0, 0.12, 0.6 };
    FILE *f = fopen("halls.csv", "w");
    assert_non_null(f);
    fputs("item,A,B\n", f);
    for (int i = 0; i < 10; i++)
        fprintf(f, "%d,%.2f,1.0\n", i, 1.0 + d[i]);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(intervale("compare --scores halls.csv --test hall --format tsv"), 0);
    assert_holds("out", "\t0.0634884485459");
    assert_holds("out", "\t0.6312493820973");
    assert_holds("out", "\thall\t0.00870555115023");
    assert_int_equal(intervale("compare --scores halls.csv --test hall"), 0);
    assert_holds("out", "Method: Hall's t test (Hall 1992)");
}

/* A sweep of one parameter beside baselines: A beats B on all 50 topics, by little; four others
 * are as good and noisy.  Version 0.2 had p_adjusted 0.9. */
static void a_certain_difference_is_found_beside_noisy_runs(void **state)
{
    iv_stream s = iv_stream_start(3, IV_FOR_CALLER, 0);
    double base[50];
    size_t len;
    FILE *f = fopen("sweep.csv", "w");

    (void)state;
    assert_non_null(f);
    fputs("run", f);
    for (int t = 0; t < 50; t++) {
        base[t] = 0.2 + 0.6 * iv_draw_uniform(&s);
        fprintf(f, ",t%d", t);
    }
    for (int r = 0; r < 6; r++) {
        fprintf(f, "\nr%d", r);
        for (int t = 0; t < 50; t++)
            fprintf(f, ",%.6f", r == 0 ? base[t]
                    : r == 1 ? base[t] - 0.0007 - 0.017 * iv_draw_uniform(&s)
                             : base[t] + 0.2 * iv_draw_normal(&s));
    }
    fputs("\n", f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(intervale("compare --matrix sweep.csv --format tsv"), 0);
    char *text = scratch_bytes(&home, "out", &len);
    const char *at = strstr(text, "\nr0\tr1\t");
    assert_non_null(at);
    for (int column = 0; column < 12; column++)
        at = strchr(at + 1, '\t');
    assert_true(strtod(at, NULL) < 0.001);
    free(text);
}

/* 100 topics in ten groups without any difference but chance: what one group shows is corrected for
 * all ten, as p of a table is its own. */
static void p_of_groups_allows_for_all_groups(void **state)
{
    iv_stream s = iv_stream_start(11, IV_FOR_CALLER, 0);
    size_t starred = 0, len;

    (void)state;
    for (int trial = 0; trial < 40; trial++) {
        FILE *f = fopen("null.csv", "w"), *g = fopen("ten.csv", "w");
        assert_non_null(f);
        assert_non_null(g);
        fputs("topic,group\n", g);
        fputs("topic,a,b\n", f);
        for (int t = 0; t < 100; t++) {
            fprintf(f, "%d,%.4f,%.4f\n", t, iv_draw_uniform(&s), iv_draw_uniform(&s));
            fprintf(g, "%d,g%d\n", t, t % 10);
        }
        assert_int_equal(fclose(f) + fclose(g), 0);
        assert_int_equal(intervale("compare --matrix null.csv --by topics --resamples 10 --groups ten.csv "
                                   "--table groups --quiet"), 0);
        char *text = scratch_bytes(&home, "out", &len);
        starred += strchr(text, '*') != NULL;
        free(text);
    }
    assert_true(starred <= 8); /* of 40; without the correction 40 % and more */
}

/* Judgments of a lexical pool: of the neural run's first ten documents two are judged. */
static void write_pool(void)
{
    FILE *q = fopen("pool.qrels", "w"), *a = fopen("lexical", "w"), *b = fopen("neural", "w");

    assert_true(q != NULL && a != NULL && b != NULL);
    for (int t = 1; t <= 20; t++)
        for (int d = 0; d < 20; d++) {
            fprintf(q, "%d 0 l%d %d\n", t, d, (d + t) % 2);
            fprintf(a, "%d Q0 l%d %d %d lexical\n", t, d, d + 1, 100 - d);
            fprintf(b, "%d Q0 %s%d %d %d neural\n", t, d % 5 == 0 ? "l" : "n", d, d + 1, 100 - d);
        }
    assert_int_equal(fclose(q) + fclose(a) + fclose(b), 0);
}

static void unjudged_documents_that_could_reverse_it_come_first(void **state)
{
    (void)state;
    write_pool();
    assert_int_equal(intervale("compare -m P@10 pool.qrels lexical neural"), 0);
    assert_holds("out", "Cannot be decided: 80 % of the top 10 documents of neural are unjudged, and 0 % of those of "
                 "lexical. So far: lexical beats neural by ");
    assert_int_equal(intervale("compare -m P@10 -J pool.qrels lexical neural"), 0);
    assert_holds("out", " over 20 topics.");
    assert_int_equal(intervale("compare -m P@10 --margin 0.01 --baseline lexical --gate pool.qrels lexical "
                               "neural"), 4);
    assert_holds("out", "INCONCLUSIVE: ");
}

static double near_and_far(int run, int topic)
{
    return 0.5 + (double[]){ 0.0, 0.01, 0.3 }[run] * (topic % 3 - 1);
}

/* C: the normal quantiles of .975 and .8 times the deviation, .249, over the margin, squared. */
static void a_gate_names_the_run_that_needs_most_topics(void **state)
{
    (void)state;
    write_board("gate.csv", 30, near_and_far, 3);
    assert_int_equal(intervale("compare --matrix gate.csv --baseline A --margin 0.05 --gate"), 4);
    assert_holds("out", "INCONCLUSIVE: C may be");
    assert_holds("out", "If the difference of 'C' stays as it is, about 195 topics are needed");
}

static void runs_of_less_depth_are_named_first(void **state)
{
    (void)state;
    FILE *f = fopen("cut", "w");

    write_pool();
    assert_non_null(f);
    for (int t = 1; t <= 20; t++)
        for (int d = 0; d < 4; d++)
            fprintf(f, "%d Q0 l%d %d %d cut\n", t, d, d + 1, 100 - d);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(intervale("compare -m recall_20 pool.qrels lexical cut"), 0);
    assert_holds("out", "cut returns only 4 documents per topic, and recall_20 uses 20: compare at equal depth "
                 "with -M 4. lexical beats cut");
    assert_int_equal(intervale("compare -m recall_20 -M 4 pool.qrels lexical cut"), 0);
    assert_holds("out", "lexical and cut have the same recall_20 on each topic compared: 20 topics.");
}

static void papers_get_marks(void **state)
{
    (void)state;
    assert_int_equal(intervale("compare --matrix five.csv " QUICK " --baseline system1 --format markdown"),
                     0);
    assert_holds("out", "**paper**");
    assert_holds("out", "\\*\\*\\* |\n");
    assert_holds("out", "\\* p &lt; 0.05");
    assert_int_equal(intervale("compare --matrix five.csv " QUICK " --format latex --baseline system1"), 0);
    assert_holds("out", "*** \\\\\n");
    assert_holds("out", "% note: * p < 0.05");
}

static void several_tests_give_several_rows(void **state)
{
    (void)state;
    static const char *const tests[] = { "\tsign\t", "\twilcoxon\t", "\tt\t",
                                         "\trandomisation\t" };

    assert_int_equal(intervale("compare --matrix two.csv " QUICK " --format tsv --test sign --test wilcoxon "
                               "--test t --test randomization --margin 0.01"), 0);
    for (size_t i = 0; i < 4; i++)
        assert_holds("out", tests[i]);
    assert_holds("out", "\tp_above\tp_noninferior\tp_equivalent\tp_inferior\tcanonical\n");
}

static void runs_are_scored_and_missing_topics_named(void **state)
{
    (void)state;
    assert_int_equal(intervale("compare --format tsv qrels first second"), 0);
    /* 1 - .5, .25 - 1 and 1 - .5 over three topics. */
    assert_holds("out", "\none\ttwo\tAP\t3\t0.083333333333");
    assert_holds("err", "two has no score for 1 of 4 topics");
    assert_int_equal(intervale("compare -c --format tsv qrels first second"), 0);
    assert_holds("out", "\none\ttwo\tAP\t4\t0.3125\t");
    assert_int_equal(intervale("compare -m P_1 -m RR --format tsv qrels first second"), 0);
    assert_holds("out", "\none\ttwo\tP_1\t3\t");
    assert_holds("out", "\none\ttwo\tRR\t3\t");
    assert_int_equal(intervale("compare --baseline second --format tsv qrels second first"), 0);
    assert_holds("out", "\none\ttwo\tAP\t3\t0.083333333333");
}

static void groups_of_topics_are_compared(void **state)
{
    (void)state;
    FILE *f = fopen("groups.tsv", "w");

    assert_non_null(f);
    fputs("topic\tgroup\n", f);
    for (int t = 1; t <= 23; t++)
        fprintf(f, "%d\t%s\n", 300 + t, t % 2 == 0 ? "even" : "odd");
    fputs("999\todd\n", f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(intervale("compare --matrix two.csv " QUICK " --groups groups.tsv --format tsv "
                               "--table groups"), 0);
    assert_holds("out", "group\ta\tb\tmeasure\ttopics\tdifference\tlower\tupper\tp\t");
    assert_holds("out", "\nodd\tsystem1\tsystem2\tscore\t12\t");
    assert_holds("out", "\neven\tsystem1\tsystem2\tscore\t11\t");
    assert_holds("err", "1 of 24 topics are in no group");
    assert_holds("err", "1 lines of groups.tsv are of topics that no run has");
}

static void the_bytes_do_not_depend_on_threads(void **state)
{
    (void)state;
    assert_int_equal(intervale("compare --matrix five.csv " QUICK " --test t "
                               "--test randomisation --ci bca "
                               "--format json --threads 1 -o one.json"), 0);
    assert_int_equal(intervale("compare --matrix five.csv " QUICK " --test t "
                               "--test randomisation --ci bca "
                               "--format json --threads 2 -o two.json"), 0);
    scratch_assert_same(&home, "one.json", "two.json");
}

static void bad_input_gets_one_clear_line(void **state)
{
    (void)state;
    write_text("one.csv", "run,1,2,3\na,0.1,0.2,0.3\n");
    write_text("ragged.csv", "run,1,2,3\na,0.1,0.2,0.3\nb,0.1,0.2\n");
    write_text("topic.csv", "run,1\na,0.1\nb,0.2\n");
    write_text("sparse.csv", "run,1,2,3,4\na,0.1,0.2,,\nb,,,0.3,0.2\n");
    write_text("nogroup.csv", "topic,kind\n301,x\n");
    write_text("other.csv", "topic,group\n1,x\n");
    assert_refused("compare --matrix one.csv", 1, "one system only");
    assert_refused("compare --matrix ragged.csv", 1, "ragged.csv:3:");
    assert_refused("compare --matrix topic.csv", 1, "only one topic");
    assert_refused("compare --matrix sparse.csv", 1, "'a' and 'b' share no topic");
    assert_refused("compare --matrix five.csv --baseline sistem1", 2, "the runs are system1");
    assert_refused("compare --matrix five.csv --test wilcoxen", 2, "did you mean 'wilcoxon'");
    assert_refused("compare --matrix five.csv --correct tukey --alternative less", 2,
                   "two-sided");
    assert_refused("compare --matrix two.csv --groups nogroup.csv", 1, "nogroup.csv:1:");
    assert_refused("compare --matrix two.csv --groups other.csv", 1, "none of the topics");
    assert_refused("compare --matrix two.csv --margin -1", 2, "margin");
    assert_refused("compare qrels first", 2, "compare needs at least two runs");
    assert_refused("compare", 2, "judgments and runs are missing");
    assert_refused("compare qrels second apart", 1, "'two' and 'three' share no topic");
    assert_refused("compare qrels first apart", 1, "'one' and 'three' share only one topic");
    assert_refused("compare qrels first unjudged", 1, "unjudged");
    assert_refused("compare -m gm_map qrels first second", 2, "not a mean over topics");
    assert_refused("compare -m nonsense qrels first second", 2, "nonsense");
    write_text("clusters.csv", "system,item,score,cluster\na,1,.1,x\na,2,.3,x\na,3,.4,y\n"
               "b,1,.2,x\nb,2,.5,x\nb,3,.1,y\n");
    assert_refused("compare --scores clusters.csv --test hall --test t", 2,
                   "Hall's t test is for scores without clusters");
    assert_refused("compare --matrix five.csv --permutations 100", 2,
                   "--permutations cannot be used without --correct tukey");
    assert_refused("compare --matrix five.csv --test t --zeros rank", 2,
                   "--zeros cannot be used without --test wilcoxon");
}

int compare_command_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_have_the_columns_programs_rely_on),
        cmocka_unit_test(the_answer_comes_first_in_a_sentence),
        cmocka_unit_test(the_sentence_names_the_winner_of_the_test),
        cmocka_unit_test(missing_topics_stand_in_the_sentence),
        cmocka_unit_test(equal_differences_are_told),
        cmocka_unit_test(answers_of_0_and_1_have_tangos_interval),
        cmocka_unit_test(halls_test_is_its_own_and_not_the_larger_p),
        cmocka_unit_test(a_certain_difference_is_found_beside_noisy_runs),
        cmocka_unit_test(p_of_groups_allows_for_all_groups),
        cmocka_unit_test(unjudged_documents_that_could_reverse_it_come_first),
        cmocka_unit_test(a_gate_names_the_run_that_needs_most_topics),
        cmocka_unit_test(runs_of_less_depth_are_named_first),
        cmocka_unit_test(papers_get_marks),
        cmocka_unit_test(several_tests_give_several_rows),
        cmocka_unit_test(runs_are_scored_and_missing_topics_named),
        cmocka_unit_test(groups_of_topics_are_compared),
        cmocka_unit_test(the_bytes_do_not_depend_on_threads),
        cmocka_unit_test(bad_input_gets_one_clear_line),
    };
    return cmocka_run_group_tests_name("compare_command", tests, enter_home, leave_home);
}
