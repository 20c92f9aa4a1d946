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
#include "labels/judge.h"
#include "num/dist.h"
#include "num/draw.h"
#include "stat/machine/regression_mean.h"
#include "trec/inspection.h"
#include "trec/judgments.h"
#include "trec/machine_labels.h"
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

static void judge_drawn(place *p, const char *filled);

static iv_regression_mean by_hand(const place *p, const char *run, const char *less)
{
    double x[TOPICS], z[TOPICS], y[TOPICS];
    iv_regression_mean out;

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
    assert_int_equal(iv_regression_mean_of(&out, x, JUDGED, z, TOPICS, false, NULL), IV_OK);
    return out;
}

static void whole_topics_are_the_regression_estimator(void **state)
{
    place *p = *state;
    const iv_regression_mean x = by_hand(p, "good", NULL), d = by_hand(p, "good", "poor");
    double lower, upper;

    command(p, "intervale eval -m AP --format tsv --machine @/llm @/human @/good");
    assert_int_equal(p->status, 0);
    iv_student_limits(&lower, &upper, x.value, x.se, x.df, true, 0.95);
    assert_near(cell(p->out, "value"), x.value, 1e-14);
    assert_near(cell(p->out, "lower"), lower, 1e-14);
    assert_near(cell(p->out, "upper"), upper, 1e-14);
    assert_near(cell(p->out, "human"), x.human, 1e-14);
    assert_near(cell(p->out, "bias"), cell(p->out, "automatic") - x.value, 1e-14);
    command(p, "intervale compare --format tsv --machine @/llm @/human @/good @/poor");
    assert_int_equal(p->status, 0);
    assert_near(cell(p->out, "difference"), d.value, 1e-14);
    assert_near(cell(p->out, "p"), 2.0 * iv_t_sf(fabs(d.value) / d.se, d.df), 1e-14);
    assert_string_equal(iv_infer_names()[1], "these");
    assert_string_equal(iv_human_design_names()[IV_HUMAN_BY_TOPIC], "by-topic");
    /* Everything judged: human labels alone, by Student's t. */
    command(p, "intervale eval -m AP --format tsv --machine @/llm @/all @/good");
    assert_true(cell(p->out, "value") == cell(p->out, "human")
                && cell(p->out, "width") == 1.0);
}

/* Human labels of one document of `part`, chosen at random: of all, or the same number of each topic. */
static void write_part(const place *p, const char *name, bool by_topic, uint64_t draw, int part)
{
    FILE *f = open_file(p, name);
    iv_stream s = iv_stream_start(21, by_topic, draw);
    int left = TOPICS * DOCUMENTS, need = TOPICS * DOCUMENTS / part;

    for (int t = 0; t < TOPICS; t++) {
        if (by_topic) {
            left = DOCUMENTS;
            need = DOCUMENTS / part;
        }
        for (int d = 0; d < DOCUMENTS; d++, left--)
            if (iv_draw_uniform(&s) * left < need) {
                (void)fprintf(f, "%d 0 d%02d %d\n", 100 + t, d, human_of(t, d));
                need--;
            }
    }
    assert_int_equal(fclose(f), 0);
}

static void write_sample(const place *p, const char *name, bool by_topic, uint64_t draw)
{
    write_part(p, name, by_topic, draw, 4);
}

/* What 0.2 counted as complete judgments: a part of the documents of every topic. */
static void a_part_of_the_documents_needs_a_design(void **state)
{
    place *p = *state;

    write_sample(p, "some", false, 1);
    command(p, "intervale eval -m P_5 --machine @/llm @/some @/good");
    assert_int_equal(p->status, 2);
    assert_string_equal(p->out, "");
    contains(p->err, "people labelled 150 of the 600 documents with automatic labels");
    contains(p->err, "expected --human-design random (a sample of these documents), by-topic ");
    assert_null(strchr(strchr(p->err, '\n') + 1, '\n'));
    command(p, "intervale compare -m P_5 --machine @/llm @/some @/good @/poor");
    contains(p->err, "--human-design");
    command(p, "intervale eval -m P_5 --machine @/llm --human-design topics @/some @/good");
    assert_int_equal(p->status, 1);
    contains(p->err, "cover less than half of the labelled documents");
    command(p, "intervale eval -m P_5 --machine @/llm --human-design random @/some @/good");
    assert_int_equal(p->status, 0);
    contains(p->out, "from 150 human and 600 automatic labels. Automatic labels alone: ");
    FILE *f = open_file(p, "empty");
    (void)fprintf(f, "100 0 d00 -1\n100 0 d01 -1\n");
    assert_int_equal(fclose(f), 0);
    command(p, "intervale eval -m P_5 --machine @/llm --human-design random @/empty @/good");
    assert_int_equal(p->status, 1);
    contains(p->err, "/empty: no grade is filled in");
}

/* Of 60 samples the intervals of the means over new topics hold that of these topics, and standard
 * errors are as large as the errors are. */
static void samples_of_documents_cover_the_truth(void **state)
{
    static const char *const designs[] = { "random", "by-topic" };
    place *p = *state;

    command(p, "intervale eval -m P_5 --format tsv @/all @/good");
    const double truth = cell(p->out, "value");
    for (int k = 0; k < 2; k++) {
        double held = 0.0, bias = 0.0, these = 0.0, squares = 0.0, variance = 0.0;
        for (uint64_t draw = 0; draw < 60; draw++) {
            char line[200];
            write_sample(p, "some", k == 1, draw);
            (void)snprintf(line, sizeof line, "intervale eval -m P_5 --format tsv --machine @/llm "
                           "--human-design %s @/some @/good", designs[k]);
            command(p, line);
            if (strstr(p->err, "than a random sample") != NULL || p->status != 0)
                fail_msg("%s", p->err);
            held += cell(p->out, "lower") <= truth && truth <= cell(p->out, "upper");
            bias += (cell(p->out, "value") - truth) / 60.0;
            const double se = cell(p->out, "se");
            (void)snprintf(line, sizeof line, "intervale eval -m P_5 --format tsv --machine @/llm "
                           "--infer these --human-design %s @/some @/good", designs[k]);
            command(p, line);
            these += cell(p->out, "lower") <= truth && truth <= cell(p->out, "upper");
            assert_true(cell(p->out, "se") <= se * (1.0 + 1e-6)); /* new topics vary as well */
            squares += pow(cell(p->out, "value") - truth, 2.0) / 60.0;
            variance += pow(cell(p->out, "se"), 2.0) / 60.0;
        }
        if (!(squares > 0.6 * variance && squares < 1.6 * variance))
            print_error("%s: variance %g, expected %g\n", designs[k], variance, squares);
        assert_true(squares > 0.6 * variance && squares < 1.6 * variance);
        if (held < 55 || these < 52 || fabs(bias) > 0.015)
            print_error("%s: %g and %g of 60 hold, bias %g\n", designs[k], held, these, bias);
        assert_true(held >= 55.0 && these >= 52.0 && fabs(bias) <= 0.015);
    }
}

static void measures_that_are_not_linear_need_more_labels(void **state)
{
    place *p = *state;

    write_sample(p, "some", false, 1);
    command(p, "intervale eval -m AP --machine @/llm --human-design random @/some @/good");
    contains(p->out, "About 600 human labels are needed; 150 were given");
    command(p, "intervale eval -m AP -m RR --format tsv --machine @/llm --human-design random @/some "
               "@/good");
    assert_true(isfinite(cell(p->out, "value")) && isnan(cell(p->out, "lower"))
                && cell(p->out, "needed") == 600.0);
    contains(p->out, "known for P, AP, recall, Rprec, nDCG, DCG and RBP only");
    /* Ten relevant documents a variable of the model: rank, not retrieved, two labels of three. */
    write_part(p, "few_labels", false, 1, 15);
    command(p, "intervale eval -m P_5 --format tsv --machine @/llm --human-design random @/few_labels "
               "@/good");
    assert_true(isfinite(cell(p->out, "value")) && isnan(cell(p->out, "lower"))
                && cell(p->out, "needed") > 40.0);
    contains(p->out, "too few relevant documents among the human labels");
    /* Few documents are relevant: more labels of single documents would not give AP an interval. */
    FILE *f = open_file(p, "rare");
    iv_stream s = iv_stream_start(22, 1, 1);
    for (int t = 0; t < TOPICS; t++)
        for (int d = 0; d < DOCUMENTS; d++)
            if (iv_draw_uniform(&s) < 0.25)
                (void)fprintf(f, "%d 0 d%02d %d\n", 100 + t, d, d == 0);
    assert_int_equal(fclose(f), 0);
    command(p, "intervale eval -m AP --machine @/llm --human-design random @/rare @/good");
    contains(p->out, "less than a tenth of the human labels are relevant");
    lacks(p->out, "human labels are needed");
    /* Labels at random: a mean of labels has an interval, no wider than that of human ones. */
    write_sample(p, "some", true, 1);
    command(p, "intervale eval -m P_5 --format tsv --machine @/noise --human-design by-topic @/some "
               "@/good");
    assert_true(cell(p->out, "width") < 1.1);
}

/* Human labels where the automatic one says yes: nothing can be said, and nothing is. */
static void a_sample_that_follows_the_labels_is_refused(void **state)
{
    place *p = *state;
    FILE *f = open_file(p, "yes");

    for (int t = 0; t < TOPICS; t++)
        for (int d = 0; d < DOCUMENTS; d++)
            if (machine_of(t, d, 1) > 0)
                (void)fprintf(f, "%d 0 d%02d %d\n", 100 + t, d, human_of(t, d));
    assert_int_equal(fclose(f), 0);
    refuses(p, "intervale eval -m P_5 --machine @/llm --human-design random @/yes @/good", 1,
            "human labels cover 0 % of the documents with automatic label 0 and 100 % of those with");
    refuses(p, "intervale eval -m P_5 --machine @/llm --human-design by-topic @/yes @/good", 1,
            "they are not a random sample of each topic's documents");
    write_sample(p, "some", true, 1);
    refuses(p, "intervale eval -m P_5 --machine @/llm --human-design random @/some @/good", 1,
            "distributed over topics more evenly than a random sample");
}

static void what_changes_the_answer_is_noted(void **state)
{
    place *p = *state;
    FILE *f = open_file(p, "part");

    for (int t = 0; t < TOPICS; t++)
        for (int d = 0; d < DOCUMENTS - 3; d++)
            (void)fprintf(f, "%d 0 d%02d %d\n", 100 + t, d, machine_of(t, d, 1));
    assert_int_equal(fclose(f), 0);
    command(p, "intervale eval -m AP --machine @/part @/human @/good");
    assert_int_equal(p->status, 0);
    contains(p->out, "in the top 10 of the runs have no automatic label and count as not relevant");
    contains(p->out, "48 human labels are of documents without an automatic label");
    command(p, "intervale eval -m AP --machine @/llm --machine @/llm2 @/human @/good");
    contains(p->out, "The automatic labels are those of llm, given first");
    contains(p->out, "kappa 0.");
    command(p, "intervale eval -m AP --machine @/flat @/human @/good");
    contains(p->out, "flat gives all documents the same label");
}

static void bad_input_is_refused_in_one_line(void **state)
{
    place *p = *state;

    refuses(p, "intervale eval --machine @/llm @/few @/good", 1,
            "3 topics with human and automatic labels, expected 4 or more");
    refuses(p, "intervale eval --machine @/elsewhere @/human @/good", 1, "share no topic");
    refuses(p, "intervale eval --machine @/llm --bounds @/human @/good", 2,
            "--bounds cannot be used with --machine");
    refuses(p, "intervale eval --machine @/llm --guaranteed @/human @/good", 2,
            "--guaranteed cannot be used with --machine");
    refuses(p, "intervale eval --machine @/llm --ci bca @/human @/good", 2,
            "--ci cannot be used with --machine");
    refuses(p, "intervale eval --machine @/llm --human-design random --unjudged drop @/human @/good",
            2, "--unjudged is for human labels in a file of 'intervale sample'");
    refuses(p, "intervale eval --human-design random @/human @/good", 2,
            "--human-design cannot be used without --machine");
    refuses(p, "intervale eval --machine @/nowhere @/human @/good", 1, "nowhere");
    refuses(p, "intervale eval -q --machine @/llm @/human @/good", 2, "--per-topic cannot be used");
    refuses(p, "intervale compare --machine @/llm --test wilcoxon @/human @/good @/poor", 2,
            "--test cannot be used with --machine");
    refuses(p, "intervale compare --machine @/llm @/human @/good @/poor --baseline none", 2,
            "the baseline 'none' is not among the runs");
    FILE *f = open_file(p, "broken");
    assert_true(fputs("100 d01 0.5\n100 d02 high\n", f) >= 0 && fclose(f) == 0);
    refuses(p, "intervale eval --machine @/broken @/human @/good", 1,
            "broken:2: score 'high', expected a number");
}

static void many_pairs_are_corrected(void **state)
{
    place *p = *state;

    const iv_regression_mean d = by_hand(p, "good", "poor");
    const double half = iv_t_isf(0.025 / 3.0, d.df) * d.se;

    write_run(p, "third", 0.6);
    command(p, "intervale compare --machine @/llm @/human @/good @/poor @/third --format tsv");
    assert_int_equal(p->status, 0);
    assert_true(cell(p->out, "p_adjusted") >= cell(p->out, "p"));
    assert_near(cell(p->out, "lower_adjusted"), d.value - half, 1e-12); /* of three pairs */
    assert_near(cell(p->out, "upper_adjusted"), d.value + half, 1e-12);
    command(p, "intervale compare --machine @/llm @/human @/good @/poor --format tsv");
    assert_near(cell(p->out, "lower_adjusted"), cell(p->out, "lower"), 0.0);
    command(p, "intervale compare --machine @/llm @/human @/good @/poor @/third --baseline poor");
    contains(p->out, "2 of 2 pairs differ significantly in AP"); /* p is 0.0001 and 0.0003 */
    write_sample(p, "some", true, 1);
    command(p, "intervale compare -m P_5 --machine @/llm --human-design by-topic @/some @/good @/poor");
    assert_int_equal(p->status, 0);
    contains(p->out, "from 150 human and 600 automatic labels");
}

/* A completed sample says itself how it was drawn. */
static void a_completed_sample_needs_no_design(void **state)
{
    place *p = *state;

    command(p, "intervale simulate --topics 40 --documents 300 --runs 3 --prevalence 0.1 "
               "--judge kappa=0.5 -o @/made");
    command(p, "intervale sample --budget 20 -o @/drawn @/made/runs/sim01 @/made/runs/sim02 "
               "@/made/runs/sim03");
    assert_int_equal(p->status, 0);
    judge_drawn(p, "filled");
    command(p, "intervale eval -m P_10 --format tsv --machine @/made/machine.qrels @/filled "
               "@/made/runs/sim01");
    assert_int_equal(p->status, 0);
    assert_true(cell(p->out, "lower") < cell(p->out, "value")
                && cell(p->out, "value") < cell(p->out, "upper"));
    refuses(p, "intervale eval -m P_10 --human-design random --machine @/made/machine.qrels @/filled "
               "@/made/runs/sim01", 2, "says how they were sampled");
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
}

static void agree_says_which_judge_tells_most(void **state)
{
    place *p = *state;

    command(p, "intervale agree @/all @/noise @/llm @/flat @/score @/good @/poor");
    assert_int_equal(p->status, 0);
    contains(p->out, "Of 4 judges, ");
    lacks(p->out, "Of 4 judges, noise");
    contains(p->out, "was chosen on these labels");
    contains(p->out, "These judges gave all documents the same label: 'flat'");
    contains(p->out, "tau"); /* runs are told by their six fields */
    command(p, "intervale agree @/all @/all --format tsv");
    assert_near(cell(p->out, "kappa"), 1.0, 1e-15);
    assert_true(isnan(cell(p->out, "kappa_lower")) && isnan(cell(p->out, "kappa_upper")));
    command(p, "intervale agree @/all @/flat --format tsv");
    assert_true(isnan(cell(p->out, "kappa"))); /* one label only */
    command(p, "intervale overlap @/good @/good");
    lacks(p->out, "interval 1.0000 to 1.0000");
    /* The mechanism of eval: topics that are all alike leave room for others. */
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
    contains(p->out, "Of 2 judges, llm3.1 is the most informative, but not significantly more than 1 other. ");
    contains(p->out, "1.0000\n"); /* p_best of the other */
    refuses(p, "intervale agree @/all @/good", 2, "no labels of a judge");
    refuses(p, "intervale agree @/all", 2, "alone cannot be compared");
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
    assert_true(fabs(judge->bias.value) < 0.01);
    assert_ptr_equal(other->grades, grades);
    assert_ptr_not_equal(judge->grades, scores);
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

#define WITH_FILES(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FILES(whole_topics_are_the_regression_estimator),
        WITH_FILES(a_part_of_the_documents_needs_a_design),
        WITH_FILES(samples_of_documents_cover_the_truth),
        WITH_FILES(measures_that_are_not_linear_need_more_labels),
        WITH_FILES(a_sample_that_follows_the_labels_is_refused),
        WITH_FILES(what_changes_the_answer_is_noted),
        WITH_FILES(bad_input_is_refused_in_one_line),
        WITH_FILES(many_pairs_are_corrected),
        WITH_FILES(a_completed_sample_needs_no_design),
        WITH_FILES(agree_counts_what_it_says),
        WITH_FILES(agree_says_which_judge_tells_most),
        WITH_FILES(agree_weighs_a_sample),
        WITH_FILES(labels_are_grades_or_ranked_scores),
        WITH_FILES(a_simulated_machine_has_the_kappa_it_is_asked_for),
        WITH_FILES(labels_may_be_beirs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
