/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about a machine's labels in lists, reviews, designs and plans. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli_tests.h"
#include "classify/checked.h"
#include "labels/plan_machine.h"
#include "num/dist.h"
#include "trec/judgments.h"
#include "near.h"
#include "run_tool.h"
#include "scratch.h"

static const cmd *const commands[] = { &cmd_prf, &cmd_recall, &cmd_sample, &cmd_plan_machine,
                                       &cmd_simulate, NULL };

typedef struct place {
    scratch dir;
    int status;
    char *out, *err; /* what the last command wrote */
} place;

static int begin(void **state)
{
    place *p = calloc(1, sizeof *p);

    assert_non_null(p);
    assert_true(scratch_make(&p->dir));
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

static void refuses(place *p, const char *line, int status, const char *words)
{
    command(p, line);
    assert_int_equal(p->status, status);
    contains(p->err, words);
    assert_ptr_equal(strchr(p->err, '\n'), p->err + strlen(p->err) - 1);
}

static FILE *open_file(const place *p, const char *name)
{
    char path[SCRATCH_PATH];
    FILE *f = fopen(scratch_at(path, &p->dir, name), "wb");

    assert_non_null(f);
    return f;
}

/* A cell of the row that begins with these texts. */
static double cell(const char *tsv, const char *row, size_t column)
{
    const char *p = strncmp(tsv, row, strlen(row)) == 0 ? tsv : NULL;

    for (const char *at = tsv; p == NULL && (at = strchr(at, '\n')) != NULL;) {
        at++;
        p = strncmp(at, row, strlen(row)) == 0 ? at : NULL;
    }
    if (p == NULL)
        fail_msg("no row '%s' in:\n%s", row, tsv);
    for (; column > 0; p++)
        column -= *p == '\t';
    return strtod(p, NULL);
}

/* ------------------------------------------------------------------ lists -- */

/* N items of a stratum, of which n and found r; a system says `said`. */
static void put_items(FILE *f, int *id, int N, int n, int r, int machine, int said, const char *pi)
{
    for (int i = 0; i < N; i++)
        (void)fprintf(f, "%d,%s,%d,%d%s%s\n", (*id)++, i >= n ? "" : i < r ? "1" : "0", machine,
                      said, pi != NULL ? "," : "", pi != NULL ? pi : "");
}

static void a_list_has_each_item_once_and_a_column_for_each_thing(void **state)
{
    place *p = *state;
    FILE *f = open_file(p, "twice.csv");

    assert_true(fputs("id,gold,llm\n1,1,1\n2,0,0\n1,,1\n", f) >= 0 && fclose(f) == 0);
    refuses(p, "intervale prf --labels @/twice.csv --machine-column llm", 1,
            "twice.csv:4: the id '1' occurs twice, first in line 2");
    refuses(p, "intervale prf --labels @/twice.csv --machine-column gold", 1,
            "twice.csv:1: the automatic labels are in column 'gold', which is that of gold");
}

static void labels_other_than_0_and_1_need_the_name_of_the_positive_one(void **state)
{
    place *p = *state;
    FILE *f = open_file(p, "words.csv");

    assert_true(fputs("id,gold,A,llm\n1,,no,yes\n2,yes,yes,yes\n3,no,no,no\n4,no,no,yes\n", f) >= 0
                && fclose(f) == 0);
    refuses(p, "intervale prf --labels @/words.csv --machine-column llm", 1,
            "words.csv:3: label 'yes', expected 0 or 1, or the name of the positive label");
    command(p, "intervale prf --labels @/words.csv --machine-column llm --positive yes");
    assert_int_equal(p->status, 0);
}

static void a_list_is_strata_by_the_machines_label(void **state)
{
    place *p = *state;
    FILE *f = open_file(p, "labels.csv");
    int id = 0;

    /* ppi-020, ppi-022: the machine is the system. */
    (void)fprintf(f, "id,gold,llm,again\n");
    put_items(f, &id, 900, 60, 30, 1, 1, NULL);
    put_items(f, &id, 4100, 140, 2, 0, 0, NULL);
    assert_int_equal(fclose(f), 0);
    command(p, "intervale prf --labels @/labels.csv --machine-column llm --format tsv");
    assert_int_equal(p->status, 0);
    assert_near(cell(p->out, "\tprevalence", 2), 0.10171428571428572, 1e-12);
    assert_near(cell(p->out, "again\trecall", 3), 0.7035775127768313, 1e-9);
    assert_near(cell(p->out, "again\trecall", 4), 0.9726277372262774, 1e-9);
    assert_near(cell(p->out, "again\tprecision", 3), 0.38, 1e-9);
    assert_near(cell(p->out, "again\tprecision", 4), 0.62, 1e-9);
    assert_near(cell(p->out, "again\tf1", 3), 0.5151057401812689, 1e-9);
    assert_near(cell(p->out, "again\tf1", 4), 0.7367697594501719, 1e-9);
    command(p, "intervale recall --retrieved 900,60,30 --unretrieved 4100,140,2 --format tsv");
    assert_near(cell(p->out, "review", 4), 0.7035775127768313, 1e-12);
}

static void a_machine_narrows_what_people_alone_say(void **state)
{
    place *p = *state;
    FILE *f = open_file(p, "labels.csv");
    int id = 0;

    (void)fprintf(f, "id,gold,llm,system\n");
    put_items(f, &id, 300, 30, 27, 1, 1, NULL);
    put_items(f, &id, 300, 30, 3, 0, 1, NULL);
    put_items(f, &id, 200, 20, 15, 1, 0, NULL);
    put_items(f, &id, 1200, 120, 2, 0, 0, NULL);
    assert_int_equal(fclose(f), 0);
    command(p, "intervale prf --labels @/labels.csv --machine-column llm --format tsv");
    assert_int_equal(p->status, 0);
    /* Equal shares were drawn everywhere: the estimates are people's. */
    assert_near(cell(p->out, "system\trecall", 2), 300.0 / 470.0, 1e-12);
    assert_near(cell(p->out, "system\trecall", 5), 300.0 / 470.0, 1e-12);
    assert_near(cell(p->out, "system\trecall", 8), 300.0 / 500.0, 1e-12); /* the machine alone */
    assert_true(cell(p->out, "system\trecall", 9) > 0.02);
    assert_true(cell(p->out, "\tprevalence", 9) > 0.1);
    /* People alone: 47 of 200 and a beta-binomial of the other 1,800, whatever the systems say. */
    assert_near(cell(p->out, "\tprevalence", 5), 0.235, 1e-12);
    assert_near(cell(p->out, "\tprevalence", 6), 0.183, 1e-12);
    assert_near(cell(p->out, "\tprevalence", 7), 0.294, 1e-12);
    command(p, "intervale prf --labels @/labels.csv --machine-column llm");
    refuses(p, "intervale prf --labels @/labels.csv --machine-column gpt", 1, "no column 'gpt'");
    refuses(p, "intervale prf --counts 1,2,3 --machine-column gpt", 2, "--machine-column cannot be used without --labels");
    refuses(p, "intervale prf --labels @/labels.csv --machine-column llm --paired", 2,
            "--paired cannot be used with --machine-column");
}

/* Unequal probabilities: the difference estimator, by hand. */
static void probabilities_may_differ(void **state)
{
    place *p = *state;
    FILE *f = open_file(p, "labels.csv");
    int id = 0;

    (void)fprintf(f, "id,gold,llm,system,pi\n");
    put_items(f, &id, 60, 30, 18, 1, 1, "0.5");
    put_items(f, &id, 40, 10, 6, 1, 1, "0.25");
    put_items(f, &id, 400, 80, 8, 0, 0, "0.2");
    assert_int_equal(fclose(f), 0);
    command(p, "intervale prf --labels @/labels.csv --machine-column llm --format tsv");
    assert_int_equal(p->status, 0);
    assert_near(cell(p->out, "\tprevalence", 2), (60.0 + 40.0) / 500.0, 1e-12);
    assert_near(cell(p->out, "system\trecall", 2), 0.6, 1e-12);
    assert_near(cell(p->out, "system\tprecision", 2), 0.6, 1e-12);
    contains(p->err, "warning: Items with the same automatic label were chosen with different");
    /* sum (1 - pi) ((y - p) / pi)^2 / N^2, on the logit scale with t(118) */
    const double v = (0.5 * (18 * 0.16 + 12 * 0.36) / 0.25 + 0.75 * (6 * 0.16 + 4 * 0.36) / 0.0625
                      + 0.8 * (8 * 0.81 + 72 * 0.01) / 0.04) / 250000.0;
    const double reach = iv_t_isf(0.025, 118.0) * sqrt(v) / 0.16;
    assert_near(cell(p->out, "\tprevalence", 3), 1.0 / (1.0 + exp(reach + log(4.0))), 1e-10);
    iv_checked *c = NULL;
    char path[SCRATCH_PATH];
    assert_int_equal(iv_checked_load(&c, scratch_at(path, &p->dir, "labels.csv"),
                                     "llm", NULL, &(iv_labels_options){ 0 }, 0.0, NULL,
                                     NULL), IV_OK);
    assert_true(c->weighted && c->items == 500 && c->judged == 120 && c->positive == 32);
    iv_checked_free(c);
    f = open_file(p, "bad.csv");
    (void)fprintf(f, "id,gold,llm,pi\n1,1,1,0.5\n2,0,0,1.5\n3,1,0,0.5\n");
    assert_int_equal(fclose(f), 0);
    refuses(p, "intervale prf --labels @/bad.csv --machine-column llm", 1,
            "bad.csv:3: probability '1.5'");
    f = open_file(p, "none.csv");
    (void)fprintf(f, "id,gold,llm\n1,,1\n2,0,0\n");
    assert_int_equal(fclose(f), 0);
    refuses(p, "intervale prf --labels @/none.csv --machine-column llm", 1,
            "1 item, expected two or more");
}

/* The sample is one of strata, which have the exact posterior. */
static void probabilities_that_are_equal_within_each_label_are_those_of_strata(void **state)
{
    place *p = *state;
    FILE *f = open_file(p, "labels.csv");
    int id = 0;

    (void)fprintf(f, "id,gold,llm,system,pi\n");
    put_items(f, &id, 282, 141, 89, 1, 1, "0.5");
    put_items(f, &id, 718, 36, 0, 0, 0, "0.05");
    assert_int_equal(fclose(f), 0);
    command(p, "intervale prf --labels @/labels.csv --machine-column llm --format tsv");
    const double lower = cell(p->out, "system\trecall", 3);
    assert_near(cell(p->out, "\tprevalence", 5), 178.0 / 1002.0, 1e-12); /* by 1 / pi */
    command(p, "intervale recall --retrieved 282,141,89 --unretrieved 718,36,0 --format tsv");
    assert_near(cell(p->out, "review", 4), lower, 1e-12);
}

/* ----------------------------------------------------------------- reviews -- */

static void a_review_is_parted_by_the_machine(void **state)
{
    place *p = *state;
    FILE *run = open_file(p, "run"), *sample = open_file(p, "sample"), *llm = open_file(p, "llm"),
         *strata = open_file(p, "strata.csv");
    int N[4] = { 0 }, n[4] = { 0 }, r[4] = { 0 };

    /* 400 documents ranked, 200 more not; every third was drawn. */
    for (int d = 0; d < 600; d++) {
        const bool relevant = d < 150 ? d % 3 != 1 : d % 20 == 0, called = d % 7 == 0
            ? !relevant : relevant;
        const int side = d < 150 ? 0 : 2, at = side + !called;
        if (d < 400)
            (void)fprintf(run, "1 Q0 d%03d %d %d run\n", d, d + 1, 1000 - d);
        (void)fprintf(llm, "1 0 d%03d %d\n", d, called);
        N[at]++;
        if ((d * 7) % 5 < 2) {
            (void)fprintf(sample, "1 0 d%03d %d\n", d, relevant);
            n[at]++;
            r[at] += relevant;
        }
    }
    (void)fprintf(strata, "stratum,N,n,r,segment\n");
    for (int i = 0; i < 4; i++)
        (void)fprintf(strata, "s%d,%d,%d,%d,%s\n", i, N[i], n[i], r[i],
                      i < 2 ? "retrieved" : "unretrieved");
    assert_true(fclose(run) == 0 && fclose(sample) == 0 && fclose(llm) == 0 && fclose(strata) == 0);
    command(p, "intervale recall --strata @/strata.csv --format tsv");
    assert_int_equal(p->status, 0);
    const double lower = cell(p->out, "review", 4), upper = cell(p->out, "review", 5);
    command(p, "intervale recall --run @/run --sample @/sample --collection 600 --at 150 --machine "
               "@/llm --format tsv");
    assert_int_equal(p->status, 0);
    assert_near(cell(p->out, "run\tbetabin", 4), lower, 1e-12);
    command(p, "intervale recall --run @/run --sample @/sample --collection 600 --at 150 "
               "--format tsv");
    assert_int_equal(p->status, 0);
    assert_true(upper > lower);
    refuses(p, "intervale recall --strata @/strata.csv --machine @/llm", 2,
            "--machine cannot be used without --run");
}

/* ----------------------------------------------------------------- designs -- */

/* Simple random samples of labelled documents, which eval takes as they are. */
static void documents_are_sampled_from_labels(void **state)
{
    place *p = *state;
    size_t len, lines = 0;

    command(p, "intervale simulate --topics 10 --documents 200 --runs 3 --prevalence 0.1 "
               "--judge kappa=0.6 -o @/made");
    assert_int_equal(p->status, 0);
    command(p, "intervale sample --machine @/made/machine.qrels --human-design by-topic --budget 7 -o "
               "@/drawn");
    assert_int_equal(p->status, 0);
    char *drawn = scratch_bytes(&p->dir, "drawn", &len);
    iv_judgments *j = NULL;
    const iv_judgment *of;
    char path[SCRATCH_PATH];
    assert_int_equal(iv_judgments_load(&j, scratch_at(path, &p->dir, "drawn"), IV_JUDGMENTS_ANY, NULL,
                                       NULL), IV_OK);
    assert_int_equal(iv_judgments_topics(j), 10);
    for (size_t t = 0; t < 10; t++)
        assert_int_equal(iv_judgments_of(&of, j, t), 7);
    iv_judgments_free(j);
    free(drawn);
    command(p, "intervale sample --machine @/made/machine.qrels --human-design random --total 90 "
               "--force -o @/drawn");
    drawn = scratch_bytes(&p->dir, "drawn", &len);
    for (const char *at = drawn; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    assert_int_equal(lines, 90);
    free(drawn);
    command(p, "intervale sample --machine @/made/machine.qrels --human-design topics --budget 4 "
               "--force -o @/drawn");
    assert_int_equal(iv_judgments_load(&j, scratch_at(path, &p->dir, "drawn"), IV_JUDGMENTS_ANY, NULL,
                                       NULL), IV_OK);
    assert_int_equal(iv_judgments_topics(j), 4);
    iv_judgments_free(j);
    refuses(p, "intervale sample --machine @/made/machine.qrels -o @/no", 2, "need --human-design random");
    refuses(p, "intervale sample --budget 3 -o @/no", 2, "too few operands");
}

/* Items that were looked at only where the machine says yes tell nothing of the others. */
static void labels_only_where_the_machine_says_yes_are_refused(void **state)
{
    place *p = *state;
    char path[SCRATCH_PATH];
    FILE *f = fopen(scratch_at(path, &p->dir, "yes.csv"), "wb");

    assert_non_null(f);
    (void)fprintf(f, "id,gold,machine,sys\n");
    for (int i = 0; i < 400; i++)
        (void)fprintf(f, "%d,%s,%d,%d\n", i, i % 4 != 0 ? "" : i % 12 == 0 ? "0" : "1", i % 4 == 0,
                      i % 3 == 0);
    assert_int_equal(fclose(f), 0);
    refuses(p, "intervale prf --labels @/yes.csv --machine-column machine", 1,
            "none of 300 items with one of the automatic labels has a human label");
}

/* ------------------------------------------------------------------- plans -- */

static void plans_have_the_reference_values(void **state)
{
    iv_machine_topics t;
    iv_err err;

    (void)state;
    /* ppi-031; the reference's t is good to 3e-9 */
    assert_int_equal(iv_plan_machine_topics(&t, 0.22, 0.7, 500, 0.1, 0.95, &err), IV_OK);
    assert_near(t.by_t, 43.6056325509614, 1e-7);
    assert_near(t.least_width, 2.0 * iv_t_isf(0.025, 499.0) * 0.22 / sqrt(500.0), 1e-12);
    /* A machine that labels fewer topics than people alone need saves none, whatever it knows. */
    for (double rho = -1.0; rho <= 1.0; rho += 0.125) {
        assert_int_equal(iv_plan_machine_topics(&t, 0.22, rho, 60, 0.1, 0.95, &err), IV_OK);
        assert_true(t.by_t == t.alone_t && t.alone_t > 60.0);
        assert_true(t.least_width > 0.1);
    }
    /* At as many topics as people alone need the width is theirs. */
    assert_int_equal(iv_plan_machine_topics(&t, 0.22, 0.9, t.alone_t, 0.1, 0.95, &err), IV_OK);
    assert_near(t.least_width, 0.1, 1e-9);
    /* Few topics, where steps from one number to the next swing: 4.46 = .5 t(3.46)^2. */
    assert_int_equal(iv_plan_machine_topics(&t, 1.0, 0.0, 20, 2.0 * sqrt(2.0), 0.95, &err), IV_OK);
    const double q = iv_t_isf(0.025, t.alone_t - 1.0);
    assert_near(t.alone_t, 0.5 * q * q, 1e-9);
    /* A machine that is always right leaves the fewest topics that tell so. */
    assert_int_equal(iv_plan_machine_topics(&t, 0.22, 1.0, 500, 0.1, 0.95, &err), IV_OK);
    assert_near(t.by_t, 4.0, 1e-12);
    assert_int_equal(iv_plan_machine_topics(&t, 0.0, 0.9, 20, 0.05, 0.95, &err), IV_EARG);
}

static void a_pilot_plans_topics_and_documents(void **state)
{
    place *p = *state;

    command(p, "intervale simulate --topics 40 --documents 200 --runs 3 --prevalence 0.1 "
               "--judge kappa=0.6,drift=0.3 -o @/made");
    command(p, "intervale plan machine --pilot @/made/qrels --machine @/made/machine.qrels --width 0.1 "
               "@/made/runs/sim01 @/made/runs/sim02");
    assert_int_equal(p->status, 0);
    contains(p->out, "whole topics for an interval 0.1 wide (without automatic labels:");
    /* A random pilot: more labels for a narrower interval, and fewer than without the labels. */
    command(p, "intervale sample --machine @/made/qrels --human-design random --total 800 -o @/drawn");
    char path[2][SCRATCH_PATH];
    iv_judgments *truth = NULL, *drawn = NULL;
    const iv_judgment *j;
    assert_int_equal(iv_judgments_load(&truth, scratch_at(path[0], &p->dir, "made/qrels"),
                                       IV_JUDGMENTS_ANY, NULL, NULL), IV_OK);
    assert_int_equal(iv_judgments_load(&drawn, scratch_at(path[1], &p->dir, "drawn"),
                                       IV_JUDGMENTS_ANY, NULL, NULL), IV_OK);
    FILE *f = fopen(scratch_at(path[0], &p->dir, "pilot"), "wb");
    assert_non_null(f);
    for (size_t t = 0; t < iv_judgments_topics(drawn); t++) {
        const iv_str id = iv_judgments_topic(drawn, t);
        const size_t n = iv_judgments_of(&j, drawn, t), at = iv_judgments_find_topic(truth, id);
        for (size_t i = 0; i < n; i++)
            (void)fprintf(f, "%.*s 0 %.*s %d\n", (int)id.len, id.ptr, (int)j[i].docno.len, j[i].docno.ptr,
                          (int)iv_judgments_find(truth, at, j[i].docno)->grade);
    }
    assert_int_equal(fclose(f), 0);
    iv_judgments_free(truth);
    iv_judgments_free(drawn);
    command(p, "intervale plan machine --pilot @/pilot --machine @/made/machine.qrels --human-design "
               "random -m P_10 --width 0.2 @/made/runs/sim01 @/made/runs/sim02");
    assert_int_equal(p->status, 0);
    contains(p->out, " random documents, or ");
    contains(p->out, " (without automatic labels: ");
    command(p, "intervale plan machine --pilot @/pilot --machine @/made/machine.qrels --human-design "
               "random -m P_10 --width 0.001 @/made/runs/sim01 @/made/runs/sim02");
    contains(p->out, "40 topics are too few for an interval");
    refuses(p, "intervale plan machine --width 0.1 @/made/runs/sim01", 2, "are needed");
    iv_result *r = NULL;
    iv_err err;
    assert_int_equal(iv_result_new(&r, "plan machine", &err), IV_OK);
    assert_int_equal(iv_answer_plan_machine(r, &(iv_plan_machine_question){ .width = 0.0 }, NULL, &err),
                     IV_EARG);
    contains(err.msg, "no width to plan for");
    iv_result_free(r);
}

#define WITH_FOLDER(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(a_list_is_strata_by_the_machines_label),
        WITH_FOLDER(a_machine_narrows_what_people_alone_say),
        WITH_FOLDER(probabilities_may_differ),
        WITH_FOLDER(probabilities_that_are_equal_within_each_label_are_those_of_strata),
        WITH_FOLDER(a_review_is_parted_by_the_machine),
        WITH_FOLDER(documents_are_sampled_from_labels),
        WITH_FOLDER(labels_only_where_the_machine_says_yes_are_refused),
        WITH_FOLDER(a_list_has_each_item_once_and_a_column_for_each_thing),
        WITH_FOLDER(labels_other_than_0_and_1_need_the_name_of_the_positive_one),
        cmocka_unit_test(plans_have_the_reference_values),
        WITH_FOLDER(a_pilot_plans_topics_and_documents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
