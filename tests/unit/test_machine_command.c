/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about machines' labels in eval, compare and agree, as commands and as a library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli_tests.h"
#include "intervale/answer.h"
#include "intervale/num.h"
#include "near.h"
#include "run_tool.h"
#include "scratch.h"

static const cmd *const commands[] = { &cmd_eval, &cmd_compare, &cmd_agree, &cmd_simulate,
                                       &cmd_sample, &cmd_overlap, NULL };

enum { TOPICS = 30, DOCUMENTS = 20, JUDGED = 16 };

typedef struct place {
    scratch dir;
    int status;
    char *out, *err; /* what the last command wrote */
} place;

static void command(place *p, const char *line)
{
    size_t len;

    p->status = run_tool_in(commands, p->dir.path, strchr(line, ' '));
    free(p->out);
    free(p->err);
    p->out = scratch_bytes(&p->dir, "out", &len);
    p->err = scratch_bytes(&p->dir, "err", &len);
}

static void contains(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("'%s' is not in:\n%s", part, text);
}

static void lacks(const char *text, const char *part)
{
    if (strstr(text, part) != NULL)
        fail_msg("'%s' is in:\n%s", part, text);
}

/* A refusal is one line, with these words, and nothing is written. */
static void refuses(place *p, const char *line, int status, const char *words)
{
    command(p, line);
    assert_int_equal(p->status, status);
    contains(p->err, words);
    assert_ptr_equal(strchr(p->err, '\n'), p->err + strlen(p->err) - 1);
    assert_string_equal(p->out, "");
}

static FILE *open_file(const place *p, const char *name)
{
    char path[SCRATCH_PATH];
    FILE *f = fopen(scratch_at(path, &p->dir, name), "wb");

    assert_non_null(f);
    return f;
}

static int human_of(int t, int d)
{
    iv_stream s = iv_stream_start(7, 1, (uint64_t)(t * DOCUMENTS + d));
    const double u = iv_draw_uniform(&s);
    const double rich = 0.2 + 0.5 * (double)((t * 7) % TOPICS) / TOPICS;

    return u < rich * 0.4 ? 2 : u < rich ? 1 : 0;
}

/* A machine that is right in four of five, else one off. */
static int machine_of(int t, int d, uint32_t which)
{
    iv_stream s = iv_stream_start(7, 2 + which, (uint64_t)(t * DOCUMENTS + d));
    const int y = human_of(t, d);
    const double u = iv_draw_uniform(&s);

    return u < 0.8 ? y : y == 2 || (y == 1 && u < 0.9) ? y - 1 : y + 1;
}

/* Labels of topics from to below end, from `of`: 0 people, 1 and 2 machines, 3 always 1,
 * 4 noise, 5 a machine's score, 6 grades 0 and 1, 7 other documents. */
static void write_labels(const place *p, const char *name, int from, int end, int of)
{
    FILE *f = open_file(p, name);

    for (int t = from; t < end; t++)
        for (int d = 0; d < DOCUMENTS; d++) {
            iv_stream s = iv_stream_start(9, (uint32_t)of, (uint64_t)(t * DOCUMENTS + d));
            const double u = iv_draw_uniform(&s);
            const int y = of == 0 ? human_of(t, d) : of == 3 ? 1 : of == 4 ? (int)(3.0 * u)
                : of == 6 ? machine_of(t, d, 1) > 0 : machine_of(t, d, of == 2 ? 2 : 1);
            if (of == 5)
                (void)fprintf(f, "%d d%02d %.6f\n", 100 + t, d, y + 0.5 * u);
            else
                (void)fprintf(f, "%d 0 %s%02d %d\n", 100 + t, of == 7 ? "x" : "d", d, y);
        }
    assert_int_equal(fclose(f), 0);
}

static void write_run(const place *p, const char *name, double skill)
{
    FILE *f = open_file(p, name);

    for (int t = 0; t < TOPICS; t++)
        for (int d = 0; d < DOCUMENTS; d++) {
            iv_stream s = iv_stream_start(11, (uint32_t)(100.0 * skill),
                                          (uint64_t)(t * DOCUMENTS + d));
            const double score = skill * human_of(t, d) + iv_draw_uniform(&s) * 2.0;
            (void)fprintf(f, "%d Q0 d%02d %d %.6f %s\n", 100 + t, d, d + 1, score, name);
        }
    assert_int_equal(fclose(f), 0);
}

static int begin(void **state)
{
    place *p = calloc(1, sizeof *p);

    assert_non_null(p);
    assert_true(scratch_make(&p->dir));
    write_labels(p, "human", 0, JUDGED, 0);
    write_labels(p, "few", 0, 3, 0);
    write_labels(p, "eight", 0, 8, 0);
    write_labels(p, "all", 0, TOPICS, 0);
    write_labels(p, "llm", 0, TOPICS, 1);
    write_labels(p, "llm2", 0, TOPICS, 2);
    write_labels(p, "flat", 0, TOPICS, 3);
    write_labels(p, "noise", 0, TOPICS, 4);
    write_labels(p, "score", 0, TOPICS, 5);
    write_labels(p, "yesno", 0, TOPICS, 6);
    write_labels(p, "strange", 0, TOPICS, 7);
    write_labels(p, "elsewhere", TOPICS, TOPICS + 9, 1);
    write_run(p, "good", 0.8);
    write_run(p, "poor", 0.2);
    *state = p;
    return 0;
}

static int end(void **state)
{
    place *p = *state;

    scratch_remove(p->dir.path);
    free(p->out);
    free(p->err);
    free(p);
    return 0;
}

/* The value of a column in the first row of a table as tsv. */
static double cell(const char *tsv, const char *column)
{
    const char *p = tsv, *row = strchr(tsv, '\n');
    size_t at = 0;

    assert_non_null(row);
    for (;; p++) {
        const size_t len = strcspn(p, "\t\n");
        if (len == strlen(column) && strncmp(p, column, len) == 0)
            break;
        p += len;
        if (*p == '\n')
            fail_msg("no column %s in:\n%s", column, tsv);
        at++;
    }
    for (p = row + 1; at > 0; p++)
        at -= *p == '\t';
    return *p == '\t' || *p == '\n' ? (double)NAN : strtod(p, NULL);
}

static const iv_evaluation *grid_of(double *out, const place *p, const char *judgments,
                                    const char *run)
{
    static const char *const names[] = { "AP" };
    char path[2][SCRATCH_PATH];
    const char *const runs[] = { scratch_at(path[1], &p->dir, run) };
    const iv_source from = { .judgments = scratch_at(path[0], &p->dir, judgments),
                             .runs = { runs, 1 } };
    iv_evaluation *e = NULL;
    iv_err err;

    assert_int_equal(iv_evaluate(&e, &from, &(iv_evaluating){ .measures = { names, 1 } }, NULL,
                                 &err), IV_OK);
    iv_evaluation_grid(out, e, 0);
    return e;
}

static iv_two_phase by_hand(const place *p, const char *run, const char *less, bool bounded)
{
    double x[TOPICS], z[TOPICS], y[TOPICS];
    const double *const machine[] = { z };
    iv_two_phase out;

    iv_evaluation_free((iv_evaluation *)(uintptr_t)grid_of(x, p, "human", run));
    iv_evaluation_free((iv_evaluation *)(uintptr_t)grid_of(z, p, "llm", run));
    if (less != NULL) {
        iv_evaluation_free((iv_evaluation *)(uintptr_t)grid_of(y, p, "human", less));
        for (size_t t = 0; t < JUDGED; t++)
            x[t] -= y[t];
        iv_evaluation_free((iv_evaluation *)(uintptr_t)grid_of(y, p, "llm", less));
        for (size_t t = 0; t < TOPICS; t++)
            z[t] -= y[t];
    }
    assert_int_equal(iv_two_phase_mean(&out, NULL,
                                       &(iv_two_phase_data){ x, JUDGED, machine, 1, TOPICS },
                                       &(iv_two_phase_options){ .bounded = bounded }, NULL), IV_OK);
    return out;
}

static void eval_and_compare_are_the_regression_over_topics(void **state)
{
    place *p = *state;
    iv_two_phase x = by_hand(p, "good", NULL, true);

    command(p, "intervale eval -m AP --format tsv --machine @/llm @/human @/good");
    assert_int_equal(p->status, 0);
    assert_near(cell(p->out, "value"), x.value, 1e-14);
    assert_near(cell(p->out, "lower"), x.lower, 1e-14);
    assert_near(cell(p->out, "upper"), x.upper, 1e-14);
    assert_near(cell(p->out, "effective"), x.effective, 1e-12);
    assert_near(cell(p->out, "rho"), x.rho, 1e-14);
    assert_int_equal((int)cell(p->out, "judged"), JUDGED);
    assert_int_equal((int)cell(p->out, "topics"), TOPICS);
    const double human = cell(p->out, "human"), lower = cell(p->out, "human_lower");
    x = by_hand(p, "good", "poor", false);
    command(p, "intervale compare --format tsv --machine @/llm @/human @/good @/poor");
    assert_int_equal(p->status, 0);
    assert_near(cell(p->out, "difference"), x.value, 1e-14);
    assert_near(cell(p->out, "lower"), x.lower, 1e-14);
    assert_near(cell(p->out, "p"), x.p, 1e-14);
    /* People alone are what eval says without a machine. */
    command(p, "intervale eval -m AP --format tsv @/human @/good");
    assert_true(cell(p->out, "value") == human && cell(p->out, "lower") == lower);
}

static void with_all_judged_or_a_constant_machine_it_is_people_alone(void **state)
{
    static const char *const lines[] = {
        "intervale eval -m AP --format tsv --machine @/llm @/all @/good",
        "intervale eval -m AP --format tsv --machine @/flat @/human @/good" };
    place *p = *state;

    for (size_t i = 0; i < 2; i++) {
        command(p, i == 0 ? "intervale eval -m AP --format tsv @/all @/good"
                          : "intervale eval -m AP --format tsv @/human @/good");
        const double want[] = { cell(p->out, "value"), cell(p->out, "se"), cell(p->out, "lower"),
                                cell(p->out, "upper") };
        command(p, lines[i]);
        assert_int_equal(p->status, 0);
        if (i == 0) {
            assert_true(cell(p->out, "value") == want[0] && cell(p->out, "se") == want[1]
                        && cell(p->out, "lower") == want[2] && cell(p->out, "upper") == want[3]);
            continue;
        }
        /* Rank decides the scores of a machine that calls all relevant: they do vary unless
         * every document has a label and the ranking is complete, as here. */
        assert_true(cell(p->out, "value") == want[0] && cell(p->out, "lower") == want[2]);
        assert_true(cell(p->out, "upper") == want[3] && cell(p->out, "gain") == 0.0);
    }
    command(p, "intervale eval -m AP --machine @/flat @/human @/good");
    contains(p->out, "one label for all documents, which tells nothing: 'flat'");
    command(p, "intervale eval -m AP --machine @/llm @/all @/good");
    contains(p->out, "people judged every topic that the machine labelled");
}

static void what_must_be_known_is_noted(void **state)
{
    place *p = *state;

    command(p, "intervale eval -m AP --machine @/llm @/human @/good");
    contains(p->out, "taken for a random sample of all");
    contains(p->out, "more judged topic");
    lacks(p->out, "fewer than 15");
    command(p, "intervale eval -m AP --machine @/noise @/eight @/good");
    contains(p->out, "8 judged topics: fewer than 15 tell little");
    contains(p->out, "taken for a random sample of all");
    command(p, "intervale eval -l 2 -m P_5 --machine @/yesno @/human @/good");
    contains(p->out, "yesno has other grades than people: relevant is its label 1 and more, "
                     "theirs 2 and more");
    command(p, "intervale eval -m P_5 --infer these --machine @/llm @/human @/good");
    contains(p->out, "intervals are of these 30 topics");
    command(p, "intervale eval -m AP --machine @/llm --machine @/llm2 @/human @/good");
    contains(p->out, "2 machines together");
    command(p, "intervale eval -m AP --machine @/llm --machine @/llm2 @/eight @/good");
    contains(p->out, "of 2 machines the first 1 count: 8 judged topics allow no more");
    /* Scores are cut as grades, and then the machine is as good. */
    command(p, "intervale eval -m AP --machine @/score @/human @/good");
    assert_int_equal(p->status, 0);
    contains(p->out, "scores, cut so that each grade is as frequent as the reference's: 'score'");
}

/* Judged topics of which the machine's scores are all high, a machine that drifts, and one that
 * does not follow people: each is told. */
static void doubts_are_told(void **state)
{
    place *p = *state;
    FILE *people = open_file(p, "chosen"), *machine = open_file(p, "drifting"),
         *run = open_file(p, "run");

    for (int t = 0; t < 40; t++)
        for (int d = 0; d < 10; d++) {
            const bool y = t < 20 ? d < 5 : d == 9, z = t < 20 ? d < 3 + t % 5 : d > 7;
            if (t < 20)
                (void)fprintf(people, "%d 0 d%d %d\n", 100 + t, d, t % 2 ? y : d == 1);
            (void)fprintf(machine, "%d 0 d%d %d\n", 100 + t, d, z);
            (void)fprintf(run, "%d Q0 d%d %d %d run\n", 100 + t, d, d + 1, 10 - d);
        }
    assert_true(fclose(people) == 0 && fclose(machine) == 0 && fclose(run) == 0);
    command(p, "intervale eval -m P_5 --machine @/drifting @/chosen @/run");
    assert_int_equal(p->status, 0);
    contains(p->out, "the judged topics are not like the others");
    contains(p->out, "calibration differs between topics");
    contains(p->out, "the machine adds nothing to all 1 of 1 estimates");
}

/* Four topics judged, five labelled: 4.78 topics' worth, and an interval a tenth wider. */
static void a_machine_that_narrows_nothing_is_worth_no_topics(void **state)
{
    static const char human[] = "01000" "00010" "11100" "01111";
    static const char labels[] = "01000" "00011" "11101" "01111" "00011";
    place *p = *state;
    FILE *people = open_file(p, "four"), *machine = open_file(p, "five"), *run = open_file(p, "five_run");

    for (int k = 0; k < 25; k++) {
        if (k < 20)
            (void)fprintf(people, "%d 0 d%d %c\n", 1 + k / 5, k % 5, human[k]);
        (void)fprintf(machine, "%d 0 d%d %c\n", 1 + k / 5, k % 5, labels[k]);
        (void)fprintf(run, "%d Q0 d%d %d %d run\n", 1 + k / 5, k % 5, k % 5 + 1, 5 - k % 5);
    }
    assert_true(fclose(people) == 0 && fclose(machine) == 0 && fclose(run) == 0);
    command(p, "intervale eval -m AP --format tsv --machine @/five @/four @/five_run");
    assert_true(cell(p->out, "effective") > 4.5 && cell(p->out, "gain") < -0.05);
    command(p, "intervale eval -m AP --machine @/five @/four @/five_run");
    contains(p->out, "The machine adds nothing here.");
}

static void bad_input_is_refused_in_one_line(void **state)
{
    place *p = *state;

    refuses(p, "intervale eval --machine @/llm @/few @/good", 1,
            "3 topics with people's judgments and the machine's labels, expected 4 or more");
    refuses(p, "intervale eval --machine @/elsewhere @/human @/good", 1, "share no topic");
    refuses(p, "intervale eval --machine @/strange @/human @/good", 1,
            "has no label for any document that");
    refuses(p, "intervale eval --machine @/llm --bounds @/human @/good", 2,
            "--machine does not go with --bounds");
    refuses(p, "intervale eval --machine @/llm --ties @/human @/good", 2,
            "--machine does not go with --ties");
    refuses(p, "intervale eval --machine @/llm --format trec @/human @/good", 2,
            "--machine does not go with --format trec");
    refuses(p, "intervale eval --machine @/nowhere @/human @/good", 1, "nowhere");
    refuses(p, "intervale eval -q -n --machine @/llm @/human @/good", 2, "always means over topics");
    refuses(p, "intervale compare --machine @/llm --test wilcoxon @/human @/good @/poor", 2,
            "tested by Student's t, two-sided");
    refuses(p, "intervale compare --machine @/llm --matrix @/human", 2, "not --matrix");
    FILE *f = open_file(p, "broken");
    assert_true(fputs("100 d01 0.5\n100 d02 high\n", f) >= 0 && fclose(f) == 0);
    refuses(p, "intervale eval --machine @/broken @/human @/good", 1,
            "broken:2: score 'high', expected a number");
    f = open_file(p, "first"); /* no header by accident */
    assert_true(fputs("100 d01 0.5x\n100 d02 1\n", f) >= 0 && fclose(f) == 0);
    refuses(p, "intervale eval --machine @/first @/human @/good", 1,
            "first:1: score '0.5x', expected a number");
    /* Part of the documents: counted, not refused. */
    f = open_file(p, "part");
    for (int t = 0; t < TOPICS; t++)
        for (int d = 0; d < DOCUMENTS - 3; d++)
            (void)fprintf(f, "%d 0 d%02d %d\n", 100 + t, d, machine_of(t, d, 1));
    assert_int_equal(fclose(f), 0);
    command(p, "intervale eval -m AP --machine @/part @/human @/good");
    assert_int_equal(p->status, 0);
    contains(p->out, "part: 48 judged documents without its label are left out");
    contains(p->out, "among the first 10 of all topics and runs have no label of the machine, and count "
                     "as not relevant");
}

static void many_pairs_are_corrected(void **state)
{
    place *p = *state;

    write_run(p, "third", 0.6);
    command(p, "intervale compare --machine @/llm @/human @/good @/poor @/third --format tsv");
    assert_int_equal(p->status, 0);
    assert_true(cell(p->out, "p_adjusted") >= cell(p->out, "p"));
    assert_true(cell(p->out, "lower_adjusted") < cell(p->out, "lower"));
    command(p, "intervale compare --machine @/llm @/human @/good @/poor @/third --baseline poor");
    assert_int_equal(p->status, 0);
    contains(p->out, "of 2 pairs");
    refuses(p, "intervale compare --machine @/llm @/human @/good @/poor --baseline none", 2,
            "the baseline 'none' is not among the runs");
}

/* Holm's method finds more than Bonferroni's limits show: the limit is 0 then. */
static void limits_of_many_pairs_say_what_the_test_says(void **state)
{
    place *p = *state;

    command(p, "intervale simulate --topics 30 --documents 100 --runs 5 --prevalence 0.2 "
               "--judge kappa=0.6,drift=0.3 --seed 1 -o @/five");
    command(p, "intervale compare --machine @/five/machine.qrels @/five/qrels @/five/runs/sim01 "
               "@/five/runs/sim02 @/five/runs/sim03 @/five/runs/sim04 @/five/runs/sim05 --format tsv");
    assert_int_equal(p->status, 0);
    const char *row = strstr(p->out, "AP\tsim02\tsim03\t");
    assert_non_null(row);
    for (int column = 0; column < 9; column++)
        row = strchr(row, '\t') + 1;
    assert_true(strtod(row, NULL) == 0.0); /* lower_adjusted; p_adjusted is .042 */
    command(p, "intervale compare --machine @/five/machine.qrels @/five/qrels @/five/runs/sim01 "
               "@/five/runs/sim02 @/five/runs/sim03 @/five/runs/sim04 @/five/runs/sim05");
    contains(p->out, "1 adjusted interval held 0 where the test finds a difference");
    contains(p->out, "p_adjusted: Holm's method on the largest of three p, over 10 pairs");
    contains(p->out, "lower and upper are of each pair by itself");
    command(p, "intervale compare --machine @/five/machine.qrels @/five/qrels @/five/runs/sim01 "
               "@/five/runs/sim02 @/five/runs/sim03 --correct none --format tsv");
    assert_near(cell(p->out, "lower_adjusted"), cell(p->out, "lower"), 1e-12);
}

/* Kappa, sensitivity and the rest of a judge, counted anew. */
static void agree_counts_what_it_says(void **state)
{
    place *p = *state;
    double both = 0, a = 0, b = 0, same = 0, n = 0, kept = 0, not = 0;

    for (int t = 0; t < JUDGED; t++)
        for (int d = 0; d < DOCUMENTS; d++) {
            const int y = human_of(t, d) > 0, z = machine_of(t, d, 1) > 0;
            n++;
            a += y;
            b += z;
            both += y && z;
            same += y == z;
            kept += !y && !z;
            not += !y;
        }
    const double chance = (a * b + (n - a) * (n - b)) / (n * n);
    command(p, "intervale agree @/human @/llm --format tsv");
    assert_int_equal(p->status, 0);
    assert_near(cell(p->out, "kappa"), (same / n - chance) / (1 - chance), 1e-12);
    assert_near(cell(p->out, "agreement"), same / n, 1e-12);
    assert_near(cell(p->out, "sensitivity"), both / a, 1e-12);
    assert_near(cell(p->out, "specificity"), kept / not, 1e-12);
    assert_near(cell(p->out, "bias"), (b - a) / n, 1e-12);
    assert_int_equal((int)cell(p->out, "pairs"), (int)n);
    assert_true(cell(p->out, "kappa_lower") < cell(p->out, "kappa"));
    command(p, "intervale agree @/human @/llm --format tsv --table calibration");
    assert_int_equal((int)cell(p->out, "label"), 0);
    assert_int_equal((int)cell(p->out, "judged"), (int)(n - b));
    assert_near(cell(p->out, "relevant"), (a - both) / (n - b), 1e-12);
    command(p, "intervale agree @/human @/llm --format tsv --table confusion");
    assert_int_equal((int)cell(p->out, "reference"), 0);
    command(p, "intervale agree @/human @/llm --format tsv --table drift");
    assert_int_equal((int)cell(p->out, "pairs"), DOCUMENTS);
}

static void agree_says_which_judge_tells_most(void **state)
{
    place *p = *state;

    command(p, "intervale agree @/all @/noise @/llm @/flat @/score @/good @/poor");
    assert_int_equal(p->status, 0);
    contains(p->out, "Of 4 judges ");
    lacks(p->out, "Of 4 judges noise");
    contains(p->out, "was found on these labels");
    contains(p->out, "one label for all documents, which tells nothing: 'flat'");
    contains(p->out, "tau"); /* runs are told by their six fields */
    command(p, "intervale agree @/all @/all --format tsv");
    assert_near(cell(p->out, "kappa"), 1.0, 1e-15);
    assert_true(cell(p->out, "kappa_lower") > 0.95 && cell(p->out, "kappa_upper") == 1.0);
    command(p, "intervale agree @/all @/flat --format tsv");
    assert_true(cell(p->out, "kappa_lower") <= cell(p->out, "kappa"));
    assert_near(cell(p->out, "kappa"), 0.0, 1e-15);
    command(p, "intervale overlap @/good @/good");
    lacks(p->out, "interval 1.0000 to 1.0000");
    /* The mechanism of eval: topics that are all alike leave room for others. */
    contains(p->out, "many values are 0 or 1, near them, or all the same");
    /* Judges with the same labels cannot be told apart, and keep their names. */
    static const char *const twins[] = { "llm3.1.qrels", "llm3.2.qrels" };
    for (size_t i = 0; i < 2; i++) {
        FILE *f = open_file(p, twins[i]);
        for (int t = 0; t < TOPICS; t++)
            for (int d = 0; d < DOCUMENTS; d++)
                (void)fprintf(f, "%d 0 d%02d %d\n", 100 + t, d, machine_of(t, d, 1));
        assert_int_equal(fclose(f), 0);
    }
    command(p, "intervale agree @/all @/llm3.1.qrels @/llm3.2.qrels");
    contains(p->out, "Of 2 judges llm3.1 tells most (1 cannot be told from it)");
    contains(p->out, "1.0000\n"); /* p_best of the other */
    refuses(p, "intervale agree @/all @/good", 2, "no labels of a judge");
    refuses(p, "intervale agree @/all", 2, "nothing beside");
    refuses(p, "intervale agree @/human @/elsewhere", 1, "share no topic");
}

/* A sample weighs 1 / pi: the same as so many copies. */
static void agree_weighs_a_sample(void **state)
{
    place *p = *state;
    FILE *f = open_file(p, "prels");

    for (int t = 0; t < JUDGED; t++)
        for (int d = 0; d < DOCUMENTS; d++)
            if (d % 2 == 0 || d < 8)
                (void)fprintf(f, "%d d%02d %d 1 %s\n", 100 + t, d, human_of(t, d),
                              d < 8 ? "1.0" : "0.5");
    assert_int_equal(fclose(f), 0);
    double a = 0, n = 0;
    for (int t = 0; t < JUDGED; t++)
        for (int d = 0; d < DOCUMENTS; d++)
            if (d % 2 == 0 || d < 8) {
                const double w = d < 8 ? 1.0 : 2.0;
                n += w;
                a += w * (human_of(t, d) > 0) - w * (machine_of(t, d, 1) > 0);
            }
    command(p, "intervale agree @/prels @/llm --format tsv");
    assert_int_equal(p->status, 0);
    assert_near(cell(p->out, "bias"), -a / n, 1e-12);
}

static void the_library_tells_what_the_commands_do(void **state)
{
    place *p = *state;
    char path[5][SCRATCH_PATH];
    const char *const llm[] = { scratch_at(path[0], &p->dir, "llm") };
    const char *const runs[] = { scratch_at(path[1], &p->dir, "good"),
                                 scratch_at(path[2], &p->dir, "poor") };
    static const char *const names[] = { "AP" };
    const iv_source from = { .judgments = scratch_at(path[3], &p->dir, "human"),
                             .runs = { runs, 2 } };
    iv_assisted *a = NULL;
    iv_err err;

    assert_int_equal(iv_assisted_new(&a, &from, &(iv_machines){ .files = { llm, 1 } },
                                     &(iv_evaluating){ .measures = { names, 1 } }, NULL, &err),
                     IV_OK);
    const iv_assisted_view *v = iv_assisted_viewed(a);
    assert_int_equal(v->judged, JUDGED);
    assert_int_equal(v->units, TOPICS);
    assert_true(v->unlike > 0.0 && v->unlike <= 1.0 && !v->complete);
    const iv_two_phase x = by_hand(p, "good", NULL, true);
    iv_assisted_mean m, d;
    assert_int_equal(iv_assisted_mean_of(&m, a, 0, 0, NULL), IV_OK);
    assert_int_equal(iv_assisted_difference(&d, a, 0, 0, 1, NULL), IV_OK);
    assert_near(m.value, x.value, 1e-14);
    assert_near(d.value, by_hand(p, "good", "poor", false).value, 1e-14);
    assert_string_equal(m.reason, "");
    assert_true(iv_judge_view(v->judges[0])->pairs == JUDGED * DOCUMENTS);
    iv_assisted_free(a);
    assert_int_equal(iv_assisted_new(&a, &from, &(iv_machines){ { NULL, 0 } }, NULL, NULL, &err),
                     IV_EARG);
    assert_string_equal(iv_infer_names()[1], "these");
}

static void labels_are_grades_or_ranked_scores(void **state)
{
    place *p = *state;
    char path[4][SCRATCH_PATH];
    iv_judgments *human = NULL, *grades = NULL, *scores = NULL, *cut = NULL;
    iv_judge *judge = NULL, *other = NULL;
    const int32_t cuts[] = { 500, 900 }, falling[] = { 9, 5 };
    bool scored, run;
    iv_err err;

    assert_int_equal(iv_machine_labels_load(&grades, &scored, scratch_at(path[0], &p->dir, "llm"),
                                            0, NULL, &err), IV_OK);
    assert_false(scored);
    assert_int_equal(iv_machine_labels_load(&scores, &scored, scratch_at(path[1], &p->dir, "score"),
                                            0, NULL, &err), IV_OK);
    assert_true(scored);
    assert_int_equal(iv_machine_labels_cut(&cut, scores, cuts, 2, &err), IV_OK);
    assert_int_equal(iv_machine_labels_cut(&cut, scores, falling, 2, &err), IV_EARG);
    size_t count[3] = { 0 };
    for (size_t t = 0; t < iv_judgments_topics(cut); t++) {
        const iv_judgment *j;
        const size_t n = iv_judgments_of(&j, cut, t);
        for (size_t i = 0; i < n; i++)
            count[j[i].grade]++;
    }
    assert_int_equal(count[0], TOPICS * DOCUMENTS / 2);
    assert_int_equal(count[2], TOPICS * DOCUMENTS / 10);
    assert_int_equal(iv_judgments_load(&human, scratch_at(path[2], &p->dir, "human"),
                                       IV_JUDGMENTS_ANY, NULL, &err), IV_OK);
    assert_int_equal(iv_judge_new(&judge, human, "people", scores, true, "scores", NULL, &err),
                     IV_OK);
    assert_int_equal(iv_judge_new(&other, human, "people", grades, false, "grades", NULL, &err),
                     IV_OK);
    /* Cut as often as people's, a label is relevant as often. */
    assert_true(fabs(iv_judge_view(judge)->bias.value) < 0.01);
    assert_ptr_equal(iv_judge_labels(other), grades);
    assert_ptr_not_equal(iv_judge_labels(judge), scores);
    assert_true(iv_judge_worse(other, judge) > 0.0);
    assert_true(iv_judge_worse(other, other) == 1.0);
    assert_int_equal(iv_file_is_run(&run, scratch_at(path[3], &p->dir, "good"), NULL, &err), IV_OK);
    assert_true(run);
    assert_int_equal(iv_file_is_run(&run, path[2], NULL, &err), IV_OK);
    assert_false(run);
    iv_judge_free(judge);
    iv_judge_free(other);
    iv_judgments_free(human);
    iv_judgments_free(grades);
    iv_judgments_free(scores);
    iv_judgments_free(cut);
}

static void a_simulated_machine_has_the_kappa_it_is_asked_for(void **state)
{
    place *p = *state;

    command(p, "intervale simulate --topics 80 --documents 400 --runs 2 --prevalence 0.1 "
               "--prevalence-spread 0.3 --judge kappa=0.4,drift=0.2 -o @/made");
    assert_int_equal(p->status, 0);
    command(p, "intervale agree @/made/qrels @/made/machine.qrels --format tsv");
    assert_true(fabs(cell(p->out, "kappa") - 0.4) < 0.03);
    const double little = cell(p->out, "drift");
    command(p, "intervale simulate --topics 80 --documents 400 --runs 2 --prevalence 0.1 "
               "--prevalence-spread 0.3 --judge kappa=0.4,drift=0.8 -o @/more");
    command(p, "intervale agree @/more/qrels @/more/machine.qrels --format tsv");
    assert_true(cell(p->out, "drift") > little);
    assert_true(cell(p->out, "drift_p") < 0.001);
    refuses(p, "intervale simulate --judge kappa=2 -o @/never", 2, "expected kappa=K,drift=D");
    refuses(p, "intervale simulate --judge skill=1 -o @/never", 2, "expected kappa=K,drift=D");
}

/* People judge what was drawn: the file `drawn` becomes `filled`. */
static void judge_drawn(place *p, const char *filled)
{
    char path[SCRATCH_PATH];
    iv_judgments *truth = NULL;
    size_t len;
    char *drawn = scratch_bytes(&p->dir, "drawn", &len);

    assert_int_equal(iv_judgments_load(&truth, scratch_at(path, &p->dir, "made/qrels"),
                                       IV_JUDGMENTS_ANY, NULL, NULL), IV_OK);
    FILE *f = open_file(p, filled);
    for (char *at = drawn, *stop; *at != '\0'; at = stop + 1) {
        char topic[32], docno[32], rest[128];
        stop = strchr(at, '\n');
        assert_non_null(stop);
        *stop = '\0';
        if (*at == '#' || sscanf(at, "%31s %31s %*s %127[^\n]", topic, docno, rest) != 3) {
            (void)fprintf(f, "%s\n", at);
            continue;
        }
        const size_t t = iv_judgments_find_topic(truth, iv_str_of(topic));
        (void)fprintf(f, "%s %s %d %s\n", topic, docno,
                      (int)iv_judgments_find(truth, t, iv_str_of(docno))->grade, rest);
    }
    assert_int_equal(fclose(f), 0);
    iv_judgments_free(truth);
    free(drawn);
}

/* A sample of documents: labels say what is likely, the sample puts it right. */
static void a_sample_of_documents_is_rectified_by_labels(void **state)
{
    place *p = *state;
    char line[256];

    command(p, "intervale simulate --topics 40 --documents 300 --runs 3 --prevalence 0.1 "
               "--judge kappa=0.5 -o @/made");
    command(p, "intervale sample --budget 20 -o @/drawn @/made/runs/sim01 @/made/runs/sim02 "
               "@/made/runs/sim03");
    assert_int_equal(p->status, 0);
    judge_drawn(p, "filled");
    command(p, "intervale eval -m P_10 --format tsv @/filled @/made/runs/sim01");
    assert_int_equal(p->status, 0);
    const double people = cell(p->out, "value"), lower = cell(p->out, "lower");
    (void)snprintf(line, sizeof line, "intervale eval -m P_10 --format tsv --machine "
                   "@/made/machine.qrels @/filled @/made/runs/sim01");
    command(p, line);
    assert_int_equal(p->status, 0);
    assert_true(cell(p->out, "human") == people && cell(p->out, "human_lower") == lower);
    assert_true(cell(p->out, "value") != people && cell(p->out, "gain") > 0.0);
    assert_true(cell(p->out, "effective") > 800.0); /* documents: 20 of 40 topics */
    command(p, "intervale eval -m P_10 --machine @/made/machine.qrels @/filled @/made/runs/sim01");
    contains(p->out, "put right by the sample");
    contains(p->out, "more judged documents");
    contains(p->out, "the judged documents are taken for a random sample");
    lacks(p->out, "at its floor");
    command(p, "intervale sample --budget 2 --force -o @/drawn @/made/runs/sim01 @/made/runs/sim02 "
               "@/made/runs/sim03");
    assert_int_equal(p->status, 0);
    judge_drawn(p, "little");
    command(p, "intervale eval -m P_10 --infer these --machine @/made/machine.qrels @/little "
               "@/made/runs/sim01");
    contains(p->out, "relevant documents is at its floor");
    contains(p->out, "intervals are of these 40 topics");
    /* Two documents a topic find too few relevant ones for any interval; with ten sums have
     * one, and what divides has none. */
    command(p, "intervale eval -m P_10 --format tsv --machine @/made/machine.qrels @/little "
               "@/made/runs/sim01");
    assert_true(isnan(cell(p->out, "lower")));
    command(p, "intervale sample --budget 10 --force -o @/drawn @/made/runs/sim01 @/made/runs/sim02 "
               "@/made/runs/sim03");
    judge_drawn(p, "ten");
    command(p, "intervale eval -m P_10 --format tsv --machine @/made/machine.qrels @/ten "
               "@/made/runs/sim01");
    assert_true(isfinite(cell(p->out, "lower")));
    command(p, "intervale eval -m map --machine @/made/machine.qrels @/ten @/made/runs/sim01");
    contains(p->out, "No interval: fewer than 15 judged documents a topic");
    command(p, "intervale compare -m map --machine @/made/machine.qrels @/ten @/made/runs/sim01 "
               "@/made/runs/sim02");
    contains(p->out, "No interval: fewer than 15 judged documents a topic");
    lacks(p->out, "interval nan");
    command(p, "intervale eval -m map --machine @/made/machine.qrels @/filled @/made/runs/sim01");
    contains(p->out, "20 judged documents a topic: with fewer than 100");
    contains(p->out, "room for a bias: 20 judged documents a topic do not tell how many are relevant");
    command(p, "intervale compare -m P_10 --format tsv --machine @/made/machine.qrels @/filled "
               "@/made/runs/sim01 @/made/runs/sim03");
    assert_int_equal(p->status, 0);
    assert_true(isfinite(cell(p->out, "human_lower")) && cell(p->out, "p") <= 1.0);
}

/* Of these topics the sampling alone leaves something open: as without a machine, and with it. */
static void these_topics_of_a_sample_have_intervals(void **state)
{
    place *p = *state;

    command(p, "intervale simulate --topics 20 --documents 200 --runs 2 --prevalence 0.1 "
               "--judge kappa=0.6 -o @/made");
    command(p, "intervale sample --budget 40 -o @/drawn @/made/runs/sim01 @/made/runs/sim02");
    judge_drawn(p, "filled");
    command(p, "intervale eval -m P_10 --infer these --format tsv @/filled @/made/runs/sim01");
    assert_int_equal(p->status, 0);
    const double lower = cell(p->out, "lower"), upper = cell(p->out, "upper");
    command(p, "intervale eval -m P_10 --format tsv --machine @/made/machine.qrels @/filled "
               "@/made/runs/sim01");
    const double wide = cell(p->out, "upper") - cell(p->out, "lower");
    command(p, "intervale eval -m P_10 --infer these --format tsv --machine @/made/machine.qrels "
               "@/filled @/made/runs/sim01");
    assert_int_equal(p->status, 0);
    assert_true(cell(p->out, "human_lower") == lower && cell(p->out, "human_upper") == upper);
    const double narrow = cell(p->out, "upper") - cell(p->out, "lower");
    assert_true(narrow > 0.0 && narrow < wide);
    /* What divides by the number of relevant documents has room for a bias, people's and both: */
    command(p, "intervale eval -m map --infer these --format tsv @/filled @/made/runs/sim01");
    const double low = cell(p->out, "lower"), high = cell(p->out, "upper");
    command(p, "intervale eval -m map --infer these --format tsv --machine @/made/machine.qrels "
               "@/filled @/made/runs/sim01");
    assert_true(cell(p->out, "human_lower") == low && cell(p->out, "human_upper") == high);
    assert_true(cell(p->out, "upper") - cell(p->out, "value") > 2.1 * cell(p->out, "se"));
    /* ... and so has a difference, on the far side of 0 more, and it keeps its side. */
    command(p, "intervale compare -m map --infer these --format tsv --machine @/made/machine.qrels "
               "@/filled @/made/runs/sim01 @/made/runs/sim02");
    const double to = cell(p->out, "upper"), from = cell(p->out, "lower");
    const double middle = cell(p->out, "difference"), noise = cell(p->out, "se");
    assert_true(from < to && to - from > 2.0 * 2.1 * noise);
    assert_true((middle > 0.0) == (to - middle > middle - from));
    command(p, "intervale compare -m P_10 --infer these --format tsv --machine @/made/machine.qrels "
               "@/filled @/made/runs/sim01 @/made/runs/sim02");
    assert_int_equal(p->status, 0);
    assert_true(cell(p->out, "lower") < cell(p->out, "difference")
                && cell(p->out, "human_lower") < cell(p->out, "human"));
    /* Topic by topic: of a sample with limits. */
    command(p, "intervale eval -q -m P_10 --table topics --format tsv --machine @/made/machine.qrels "
               "@/filled @/made/runs/sim01");
    assert_int_equal(p->status, 0);
    size_t lines = 0;
    for (const char *at = p->out; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    assert_int_equal(lines, 21);
    assert_true(cell(p->out, "lower") <= cell(p->out, "value")
                && cell(p->out, "value") <= cell(p->out, "upper"));
}

/* BEIR's table of labels is the same file. */
static void labels_may_be_beirs(void **state)
{
    place *p = *state;
    FILE *f = open_file(p, "llm.tsv");

    (void)fputs("query-id\tcorpus-id\tscore\n", f);
    for (int t = 0; t < TOPICS; t++)
        for (int d = 0; d < DOCUMENTS; d++)
            (void)fprintf(f, "%d\td%02d\t%d\n", 100 + t, d, machine_of(t, d, 1));
    assert_int_equal(fclose(f), 0);
    command(p, "intervale eval -m AP --format tsv --machine @/llm @/human @/good");
    const double value = cell(p->out, "value"), lower = cell(p->out, "lower");
    command(p, "intervale eval -m AP --format tsv --machine @/llm.tsv @/human @/good");
    assert_int_equal(p->status, 0);
    assert_true(cell(p->out, "value") == value && cell(p->out, "lower") == lower);
}

/* Judged topics have people's value, the others the machine's alone. */
static void topics_stand_side_by_side(void **state)
{
    place *p = *state;
    size_t len, rows = 0, judged = 0;

    command(p, "intervale eval -q -m AP --table topics --format tsv -o @/sheet --machine @/llm @/human "
               "@/good");
    assert_int_equal(p->status, 0);
    char *sheet = scratch_bytes(&p->dir, "sheet", &len);
    for (const char *at = strchr(sheet, '\n') + 1; *at != '\0'; at = strchr(at, '\n') + 1, rows++) {
        char topic[32];
        int end = 0;
        assert_int_equal(sscanf(at, "good\tAP\t%31[^\t]%n", topic, &end), 1);
        const bool has = at[end + 1] != '\t';
        assert_int_equal(has, atoi(topic) < 100 + JUDGED);
        judged += has;
    }
    assert_int_equal(rows, TOPICS);
    assert_int_equal(judged, JUDGED);
    free(sheet);
}

#define WITH_FILES(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FILES(eval_and_compare_are_the_regression_over_topics),
        WITH_FILES(a_machine_that_narrows_nothing_is_worth_no_topics),
        WITH_FILES(with_all_judged_or_a_constant_machine_it_is_people_alone),
        WITH_FILES(what_must_be_known_is_noted),
        WITH_FILES(doubts_are_told),
        WITH_FILES(bad_input_is_refused_in_one_line),
        WITH_FILES(many_pairs_are_corrected),
        WITH_FILES(limits_of_many_pairs_say_what_the_test_says),
        WITH_FILES(agree_counts_what_it_says),
        WITH_FILES(agree_says_which_judge_tells_most),
        WITH_FILES(agree_weighs_a_sample),
        WITH_FILES(the_library_tells_what_the_commands_do),
        WITH_FILES(labels_are_grades_or_ranked_scores),
        WITH_FILES(a_simulated_machine_has_the_kappa_it_is_asked_for),
        WITH_FILES(a_sample_of_documents_is_rectified_by_labels),
        WITH_FILES(these_topics_of_a_sample_have_intervals),
        WITH_FILES(labels_may_be_beirs),
        WITH_FILES(topics_stand_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
