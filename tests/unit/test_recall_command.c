/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about recall and plan recall as commands. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli_tests.h"
#include "near.h"
#include "run_tool.h"
#include "scratch.h"

static const cmd *const commands[] = { &cmd_recall, &cmd_plan_recall, &cmd_plan_elusion,
                                       &cmd_plan_looks, NULL };

static const char by_segment[] = "r,segment,n,extra,N,stratum\n"
                                 "40,retrieved,50,x,500,a\n20,Retrieved,80,y,1500,b\n"
                                 "10,unretrieved,100,,3000,c\n2,unretrieved,150,z,20000,d\n"
                                 "0,unretrieved,200,q,76000,e\n";
static const char by_run[] = "stratum,N,n,r,A,B,topic\n"
                             "RR,500,50,40,1,R,7\nRN,1500,80,20,1,N,7\nNR,3000,100,10,0,R,7\n"
                             "NN,96000,350,2,0,N,7\nempty,40,0,0,0,N,7\n";

typedef struct place {
    scratch dir;
    int status;
    char *out, *err; /* what the last command wrote */
} place;

static void put_file(const place *p, const char *name, const char *text)
{
    char path[SCRATCH_PATH];
    FILE *f = fopen(scratch_at(path, &p->dir, name), "wb");

    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* A run of 40 documents d00 to d39, and labels: every third of them relevant. */
static void put_ranking(const place *p)
{
    char run[4096], qrels[4096], sample[4096];
    size_t r = 0, q = 0, s = 0;

    for (int i = 0; i < 40; i++) {
        r += (size_t)snprintf(run + r, sizeof run - r, "t Q0 d%02d %d %d tag\n", i, i + 1, 99 - i);
        q += (size_t)snprintf(qrels + q, sizeof qrels - q, "t 0 d%02d %d\n", i, i % 3 == 0);
        if (i % 2 == 0)
            s += (size_t)snprintf(sample + s, sizeof sample - s, "t 0 d%02d %d\n", i, i % 3 == 0);
    }
    (void)snprintf(sample + s, sizeof sample - s, "t 0 other 1\n");
    put_file(p, "run", run);
    put_file(p, "labels", qrels);
    put_file(p, "sample", sample);
}

static int begin(void **state)
{
    place *p = calloc(1, sizeof *p);

    assert_non_null(p);
    assert_true(scratch_make(&p->dir));
    put_file(p, "segments.csv", by_segment);
    put_file(p, "runs.csv", by_run);
    put_ranking(p);
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

/* Runs a line in which @ stands for the directory; what it writes is kept. */
static void command(place *p, const char *line)
{
    size_t len;

    p->status = run_tool_in(commands, p->dir.path, strchr(line, ' '));
    free(p->out);
    free(p->err);
    p->out = scratch_bytes(&p->dir, "out", &len);
    p->err = scratch_bytes(&p->dir, "err", &len);
}

/* The value in a named column of a tsv row (0: the first below the names). */
static double cell(const place *p, size_t row, const char *column)
{
    const char *names = p->out, *line = p->out;
    size_t at = 0;

    while (strncmp(names, column, strlen(column)) != 0
           || strchr("\t\n", names[strlen(column)]) == NULL) {
        names += strcspn(names, "\t\n");
        if (*names != '\t')
            fail_msg("no column %s in: %s", column, p->out);
        names++;
        at++;
    }
    for (size_t i = 0; i <= row; i++) {
        line = strchr(line, '\n');
        assert_non_null(line);
        line++;
    }
    for (; at > 0; at--)
        line = strchr(line, '\t') + 1;
    return *line == '\t' || *line == '\n' ? NAN : strtod(line, NULL);
}

static void assert_refused(place *p, const char *line, int status, const char *says)
{
    command(p, line);
    if (p->status != status || strstr(p->err, says) == NULL)
        fail_msg("%s\nstatus %d, says: %s", line, p->status, p->err);
    assert_int_equal(strlen(p->out), 0);
    /* One line, but for the pointer to the help of a usage error. */
    if (status == 1)
        assert_true(strchr(p->err, '\n') == p->err + strlen(p->err) - 1);
}

static void two_segments_give_the_reference_interval(void **state)
{
    place *p = *state;

    command(p, "intervale recall --retrieved 2000,100,50 --unretrieved 100000,100,3 --format tsv");
    assert_int_equal(p->status, 0);
    assert_true(strncmp(p->out, "run\tmethod\tconfidence\trecall\tlower\tupper\t", 41) == 0);
    assert_near(cell(p, 0, "recall"), 0.25, 1e-15);
    assert_near(cell(p, 0, "lower"), 0.1111111111111111, 1e-12);
    assert_near(cell(p, 0, "upper"), 0.541622760800843, 1e-12);
    command(p, "intervale recall --retrieved 2000,100,50 --unretrieved 100000,100,3 --format tsv "
               "--prior 1,1");
    assert_near(cell(p, 0, "upper"), 0.48068669527896996, 1e-12);
    assert_non_null(strstr(p->out, "betabin-prior"));
}

static void a_target_has_a_verdict_that_a_gate_tells(void **state)
{
    place *p = *state;
    static const struct {
        const char *target;
        int status;
        const char *says;
    } cases[] = {
        { "5%", 0, "PASS: Yes, certified: " },
        { "60%", 0, "PASS: Yes, certified: recall is at least 60 % (95 % confidence, "
          "one-sided lower limit 64 %, rounded outwards). " },
        { "75", 4, "INCONCLUSIVE. " },
        { "0.97", 3, "FAIL: No: recall is below 97 % (95 % confidence, one-sided upper limit 9" },
    };

    /* A gate has the guaranteed limits, whether they are asked for or not. */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int exact = 0; exact < 2; exact++) {
            const char *says = cases[i].says;
            char line[300];
            (void)snprintf(line, sizeof line, "intervale recall --retrieved 10,000,500,350 "
                           "--unretrieved 990,000,2,000,3 --target %s --gate%s", cases[i].target,
                           exact ? " --guaranteed" : "");
            command(p, line);
            assert_int_equal(p->status, cases[i].status);
            if (strncmp(p->out, says, strlen(says)) != 0)
                fail_msg("%s says %s%s", line, p->out, p->err);
        }
    }
    command(p, "intervale recall --retrieved 10000,500,350 --unretrieved 990000,2000,3 --gate");
    assert_int_equal(p->status, 2);
    assert_non_null(strstr(p->err, "--gate needs a claim to test"));
    /* All that was tried at the rates seen decides it at last: everything judged. */
    command(p, "intervale recall --retrieved 20,10,5 --unretrieved 20,10,5 --target 0.4 --gate");
    assert_int_equal(p->status, 4);
    assert_non_null(strstr(p->out, "more "));
}

/* 0.2.0 certified this one, whose interval begins below the target. */
static void only_a_guaranteed_method_certifies(void **state)
{
    place *p = *state;
    static const char counts[] = "intervale recall --retrieved 18,000,172,70 --unretrieved "
                                 "232,000,2,228,14 --target 75% ";
    char line[300];

    (void)snprintf(line, sizeof line, "%s", counts);
    command(p, line);
    assert_null(strstr(p->out, "certified"));
    assert_null(strstr(p->out, "Yes"));
    (void)snprintf(line, sizeof line, "%s--format tsv", counts);
    command(p, line);
    assert_non_null(strstr(p->out, "inconclusive") != NULL ? p->out : strstr(p->out, "probably"));
    assert_true(cell(p, 0, "verdict_limit") > 0.0); /* also where it is inconclusive */
    (void)snprintf(line, sizeof line, "%s--guaranteed --format tsv", counts);
    command(p, line);
    assert_non_null(strstr(p->out, "\tinconclusive\t"));
    assert_true(cell(p, 0, "verdict_limit") > 0.0);
}

/* Limits of 0.7514, 0.7386 and 0.8906: rounded to the nearest, two of them would say too much. */
static void a_guaranteed_limit_is_never_rounded_into_the_interval(void **state)
{
    place *p = *state;

    command(p, "intervale recall --retrieved 18000,172,112 --unretrieved 232000,2228,24 --target "
               "75% --guaranteed --format tsv --table recall");
    const double limit = cell(p, 0, "verdict_limit"), lower = cell(p, 0, "lower"),
                 upper = cell(p, 0, "upper");
    command(p, "intervale recall --retrieved 18000,172,112 --unretrieved 232000,2228,24 --target "
               "75% --guaranteed");
    double said[3] = { 0.0 };
    const char *one = strstr(p->out, "lower limit ");
    assert_non_null(one);
    assert_int_equal(sscanf(one, "lower limit %lf", &said[0]), 1);
    assert_true(said[0] <= 100.0 * limit && said[0] >= 75.0);
    assert_non_null(strstr(p->out, "rests on the one-sided limit")); /* 75 % is in the interval */
    command(p, "intervale recall --retrieved 18000,172,112 --unretrieved 232000,2228,24 "
               "--guaranteed");
    const char *two = strstr(p->out, "guaranteed interval ");
    assert_non_null(two);
    assert_int_equal(sscanf(two, "guaranteed interval %lf %% to %lf", &said[1], &said[2]), 2);
    assert_true(said[1] <= 100.0 * lower && said[2] >= 100.0 * upper);
}

static void a_target_is_told_as_it_was_given(void **state)
{
    static const char *const cases[][2] = {
        { "intervale recall --control 14,14 --target 80.7%", "recall is at least 80.7 % (95" },
        { "intervale recall --retrieved 100,100,60 --unretrieved 1000,1000,1 --target 98.4%",
          "recall is below 98.4 % (95 % confidence, one-sided upper limit 98.37 %," },
        { "intervale recall --unretrieved 858000,1500,9 --max-elusion 1.045%",
          "elusion is below 1.045 % (95 % confidence, one-sided upper limit 1.0442 %," },
        { "intervale recall --retrieved 1000,1000,600 --unretrieved 20000,900,3 --target 79.5%",
          "Probably yes (95 %): recall is at least 79.5 %." },
        { "intervale recall --unretrieved 37,36,0 --max-elusion 3%", "upper limit 0 %," },
        { "intervale recall --retrieved 20,20,0 --unretrieved 2,2,1 --target .48",
          "upper limit 0 %," },
        { "intervale recall --retrieved 100,100,60 --unretrieved 1000,1000,1 --target 98.3606557%",
          "recall is at least 98.3606557 % (95 % confidence, one-sided lower limit 98.36065573 %" },
        { "intervale plan elusion --population 9000 --below 1.045%", "elusion is below 1.045 % (" },
        { "intervale plan looks --looks 3 --confidence .9", "they are at most 0.1." } };
    place *p = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        command(p, cases[i][0]);
        if (strstr(p->out, cases[i][1]) == NULL && strstr(p->err, cases[i][1]) == NULL)
            fail_msg("%s\nsays: %s%s", cases[i][0], p->out, p->err);
    }
}

static void of_runs_with_the_same_recall_none_is_the_highest(void **state)
{
    place *p = *state;

    put_file(p, "ties.csv", "stratum,N,n,r,a,b,c\nx,100,50,5,1,0,1\ny,100,50,5,0,1,0\n"
                            "z,100,50,9,0,1,0\n");
    command(p, "intervale recall --strata @/ties.csv");
    assert_non_null(strstr(p->out, "Of 3 runs, b has the highest recall, estimated at 74 % (95"));
    put_file(p, "ties.csv", "stratum,N,n,r,a,b,c\nx,100,50,5,1,0,1\ny,100,50,2,0,1,0\n");
    command(p, "intervale recall --strata @/ties.csv");
    assert_non_null(strstr(p->out, "Of 3 runs, a and 1 other have the highest recall, estimated at 71 %."));
}

/* Four that look right, and are not: the order of a log decided, 0.2.0 certified or refuted. */
static void data_that_break_an_assumption_are_refused(void **state)
{
    place *p = *state;
    char sorted[6000] = "stratum,relevant\n", random[6000] = "stratum,relevant\n", line[64];
    uint32_t seed = 7;

    for (int i = 0; i < 200; i++) { /* 60 of 200 unretrieved ones relevant, and all retrieved */
        seed = seed * 1664525u + 1013904223u;
        for (int k = 0; k < 2; k++) {
            const bool hit = k == 0 ? i < 60 : (seed >> 16) % 10 < 3;
            (void)snprintf(line, sizeof line, "unretrieved,%d\nretrieved,%d\n", hit, i % 2);
            (void)strcat(k == 0 ? sorted : random, line);
        }
    }
    put_file(p, "sorted.csv", sorted);
    put_file(p, "random.csv", random);
    command(p, "intervale recall --retrieved 400 --unretrieved 5000 --log @/random.csv --anytime --format html");
    assert_int_equal(p->status, 0);
    assert_non_null(strstr(p->out, "The judgments are correct"));
    assert_null(strstr(p->out, "before judging began")); /* no size was */
    assert_refused(p, "intervale recall --retrieved 400 --unretrieved 5000 --log @/sorted.csv "
                      "--anytime", 1, "not in random order");
    command(p, "intervale recall --retrieved 400 --unretrieved 5000 --log @/sorted.csv");
    assert_int_equal(p->status, 0); /* counts do not depend on the order */
    put_file(p, "hits", "t 0 d00 1\nt 0 d12 1\nt 0 other 1\n");
    assert_refused(p, "intervale recall --run @/run --sample @/hits --collection 100", 1,
                   "every document of the sample is relevant");
    char calls[2000] = "", checked[2000] = ""; /* only what the model calls relevant was judged */
    for (int i = 0; i < 40; i++) {
        (void)snprintf(line, sizeof line, "t 0 d%02d %d\n", i, i % 2);
        (void)strcat(calls, line);
        (void)snprintf(line, sizeof line, "t 0 d%02d %d\n", i, i % 3 == 0);
        if (i % 2 == 1)
            (void)strcat(checked, line);
    }
    put_file(p, "calls", calls);
    put_file(p, "checked", checked);
    assert_refused(p, "intervale recall --run @/run --sample @/checked --collection run --at 20 "
                      "--machine @/calls", 1, "only documents with one automatic label");
    put_file(p, "total.csv", "stratum,N,n,r,segment\na,500,50,40,retrieved\nb,900,90,9,unretrieved\n"
                             "c,600,60,1,unretrieved\nTotal,1500,150,10,unretrieved\n");
    assert_refused(p, "intervale recall --strata @/total.csv", 1, ".csv:5: stratum 'Total' is the sum");
    put_file(p, "empty.csv", "stratum,N,n,r,segment\na,500,50,40,retrieved\nb,900,90,9,unretrieved\n"
                             "c,15000,0,0,unretrieved\n");
    assert_refused(p, "intervale recall --strata @/empty.csv --unsampled skip --guaranteed", 2,
                   "no --unsampled skip");
    command(p, "intervale recall --strata @/empty.csv --unsampled skip");
    assert_non_null(strstr(p->out, " 15,000 documents of strata without a sample are excluded."));
}

/* The first relevant documents by rank as control: 0.2.0 said that the review may stop. */
static void a_control_sample_must_be_random(void **state)
{
    place *p = *state;
    char run[20000] = "", control[4000] = "", found[8000] = "", fair[4000] = "", line[64];

    for (int i = 0; i < 400; i++) { /* every other one of the first 200 is relevant */
        (void)snprintf(line, sizeof line, "t Q0 d%03d %d %d x\n", i, i + 1, 999 - i);
        (void)strcat(run, line);
        (void)snprintf(line, sizeof line, "t 0 d%03d %d\n", i, i % 2);
        if (i < 200)
            (void)strcat(found, line);
        if (i < 40 && i % 2 == 1)
            (void)strcat(control, line);
        if (i < 200 && i % 10 == 1)
            (void)strcat(fair, line);
    }
    put_file(p, "long", run);
    put_file(p, "found", found);
    put_file(p, "first", control);
    put_file(p, "fair", fair);
    assert_refused(p, "intervale recall --stop qbcb --target 0.8 --run @/long --sample @/first "
                      "--found @/found", 1, "the control documents are not a random sample");
    command(p, "intervale recall --stop qbcb --target 0.8 --run @/long --sample @/fair --found "
               "@/found");
    assert_int_equal(p->status, 0);
    assert_non_null(strstr(p->out, "You may stop at rank"));
    command(p, "intervale recall --control 16,16 --target 80%");
    assert_true(strncmp(p->out, "All 16 relevant control documents were found: recall is at least "
                        "80 % (95 % confidence). You may stop.", 101) == 0);
    command(p, "intervale recall --control 15,16 --format tsv");
    assert_near(cell(p, 0, "lower"), 0.736043, 1e-6); /* integrated in Python */
}

/* By the formulas, and by integrating beta densities, in Python. */
static void one_proportion_has_the_intervals_of_the_books(void **state)
{
    static const double lower[] = { 0.0735106, 0.0977019, 0.0954243, 0.0929761, 0.0857621 };
    static const double upper[] = { 0.2864894, 0.3079605, 0.3102381, 0.3028048, 0.3143694 };
    place *p = *state;

    command(p, "intervale recall --proportion 9,50 --format tsv");
    for (size_t i = 0; i < 5; i++) {
        assert_near(cell(p, i, "lower"), lower[i], 1e-6);
        assert_near(cell(p, i, "upper"), upper[i], 1e-6);
    }
}

/* Samples of one kind alone once had an F1 outside its interval, and .999 was shown as 1.00. */
static void numbers_fit_each_other(void **state)
{
    place *p = *state;

    command(p, "intervale recall --retrieved 10000,20,20 --unretrieved 10000,20,0 --quiet --table "
            "measures");
    assert_non_null(strstr(p->out, "f1         100 %   91 %   100 %"));
    command(p, "intervale recall --retrieved 10000,20,20 --unretrieved 10000,20,0 --quiet --table "
            "yield");
    assert_non_null(strstr(p->out, "all             10000    8991  11009"));
    /* Counts that are whole are written so; 6598.000000000001 was. */
    command(p, "intervale recall --retrieved 23093,49,14 --unretrieved 100000,1000,7 --quiet "
            "--table yield --format tsv");
    assert_non_null(strstr(p->out, "\tretrieved\t6598\t"));
    assert_non_null(strstr(p->out, "\t4024\t9736\n"));
    command(p, "intervale recall --retrieved 1000,100,50 --unretrieved 100000,1000,20 --confidence "
               "0.999");
    assert_non_null(strstr(p->out, "(99.9 % interval"));
}

/* What the guarantee rests on is in the report, and only that. */
static void a_report_says_when_the_size_of_the_sample_was_fixed(void **state)
{
    place *p = *state;
    static const char fixed[] = " fixed before judging began.</li>";

    command(p, "intervale recall --retrieved 5000,500,260 --unretrieved 95000,1084,4 --guaranteed --format html");
    assert_non_null(strstr(p->out, fixed));
    assert_non_null(strstr(p->out, "<dt>rounded outwards</dt><dd>a lower limit is rounded down and "));
    assert_non_null(strstr(p->out, "a range that contains the true value with the stated confidence"));
    command(p, "intervale recall --unretrieved 95000,1084,4 --max-elusion 1% --format html");
    assert_non_null(strstr(p->out, fixed));
    command(p, "intervale recall --retrieved 5000,500,260 --unretrieved 95000,1084,4 --looks 5 --look 2 "
               "--target 0.75 --format html");
    assert_null(strstr(p->out, fixed));
    assert_non_null(strstr(p->out, "The interim analyses were planned before judging began.</li>"));
}

static void text_says_what_an_auditor_must_know(void **state)
{
    place *p = *state;

    command(p, "intervale recall --retrieved 2000,100,50 --unretrieved 100000,100,3");
    assert_non_null(strstr(p->out, "Recall is estimated at 25 % (95 % interval 11 % to 54 %).\n"));
    assert_non_null(strstr(p->out, "prior Beta(1/2, 1/2) (Webber 2013)"));
    assert_non_null(strstr(p->out, "tends to be too high, by about 6.4 percentage points"));
    assert_non_null(strstr(p->out, "on average over possible values of true recall, lower for some. Use --guaranteed"));
    assert_non_null(strstr(p->out, "11 % of the expected number of relevant documents comes from it"));
    assert_non_null(strstr(p->out, "\nrelevant   4,000  "));
    command(p, "intervale recall --retrieved 2000,100,50 --unretrieved 100000,100,3 --format tsv "
               "--table measures");
    assert_true(strncmp(p->out, "run\tmethod\tquantity\testimate\t", 29) == 0);
    command(p, "intervale recall --retrieved 2000,100,50 --unretrieved 100000,100,3 --method "
               "betabin-mcp");
    assert_non_null(strstr(p->out, "alpha 0.")); /* the prior that it chose */
    /* Several strata: what went in is in the report, by name; the prior is called ours. */
    command(p, "intervale recall --strata @/segments.csv --format tsv --table data");
    assert_non_null(strstr(p->out, "\tunretrieved\td\t20000\t150\t2\n"));
    command(p, "intervale recall --retrieved 200,50,40 --unretrieved 900,90,5 --guaranteed --cite");
    assert_non_null(strstr(p->out, "Buehler's bound"));
    assert_non_null(strstr(p->out, "@article{buehler1957product,"));
    command(p, "intervale recall --strata @/segments.csv");
    assert_non_null(strstr(p->out, "w proportional to the sampling weight of the stratum "
                           "(Webber 2013; intervale's method: doc/methods/recall-prior.md)"));
    /* One with few, one with none. */
    put_file(p, "two.csv", "stratum,N,n,r,A,B\na,500,50,40,1,1\nb,500,50,0,1,0\nc,500,50,3,0,1\n"
                           "d,9000,90,0,0,0\n");
    command(p, "intervale recall --strata @/two.csv");
    assert_non_null(strstr(p->out, "2 of 2 estimates tend to be too high"));
    /* All that is judged is counted, and what is not used is told. */
    command(p, "intervale recall --retrieved 500,500,240 --unretrieved 5000,900,4 --anytime "
               "--format tsv --table anytime");
    assert_near(cell(p, 0, "documents"), 1400.0, 0.0);
    char log[4096] = "stratum,relevant\n";
    for (size_t i = 0; i < 60; i++)
        strcat(log, i % 3 == 1 ? "retrieved,1\nunretrieved,0\n" : "retrieved,0\nunretrieved,0\n");
    strcat(log, "retrieved,1\n");
    put_file(p, "log.csv", log);
    command(p, "intervale recall --retrieved 500 --unretrieved 5000 --log @/log.csv --anytime");
    assert_non_null(strstr(p->out, "1 of 121 judgments do"));
    /* Limits that no recall can have were printed as computed. */
    command(p, "intervale recall --retrieved 100,20,18 --unretrieved 1000,50,1 --method normal "
               "--format tsv");
    assert_true(cell(p, 0, "upper") <= 1.0 && cell(p, 0, "lower") >= 0.0);
}

static void what_is_wholly_judged_is_not_warned_of(void **state)
{
    place *p = *state;

    command(p, "intervale recall --retrieved 20,10,5 --unretrieved 30,30,0");
    assert_non_null(strstr(p->out, "(95 % interval 100 % to 100 %)"));
    assert_null(strstr(p->out, "so the estimate is 100 %"));
    command(p, "intervale recall --retrieved 20,10,5 --unretrieved 30,29,0");
    assert_non_null(strstr(p->out, "so the estimate is 100 %"));
    command(p, "intervale recall --retrieved 2,2,0 --unretrieved 3,3,0");
    assert_non_null(strstr(p->out, "there is no recall"));
    command(p, "intervale recall --retrieved 2,2,0 --unretrieved 3,2,0");
    assert_non_null(strstr(p->out, "recall is 0 % unless nothing is relevant at all"));
}

static void strata_by_segment_and_by_run_agree_with_the_library(void **state)
{
    place *p = *state;
    const iv_stratum r[] = { { 500, 50, 40 }, { 1500, 80, 20 } };
    const iv_stratum u[] = { { 3000, 100, 10 }, { 20000, 150, 2 }, { 76000, 200, 0 } };
    const iv_segments s = { r, u, 2, 3 };
    const iv_recall_options o = { .method = IV_RECALL_AUTO, .confidence = 0.95 };
    iv_recall_posterior *w = NULL;
    iv_limits i;

    assert_int_equal(iv_recall_posterior_new(&w, NULL), IV_OK);
    assert_int_equal(iv_recall_interval_of(&i, &s, &o, w, NULL), IV_OK);
    iv_recall_posterior_free(w);
    command(p, "intervale recall --strata @/segments.csv --format tsv");
    assert_int_equal(p->status, 0);
    assert_near(cell(p, 0, "lower"), i.lower, 1e-14);
    assert_near(cell(p, 0, "upper"), i.upper, 1e-14);
    assert_non_null(strstr(p->err, "'extra'"));
    command(p, "intervale recall --strata @/runs.csv --unsampled skip --method normal "
               "--format tsv");
    assert_int_equal(p->status, 0);
    assert_true(strncmp(strchr(p->out, '\n') + 1, "A\t", 2) == 0);
    assert_near(cell(p, 0, "recall"), 775.0 / (775.0 + 300.0 + 96000.0 * 2 / 350), 1e-14);
    assert_near(cell(p, 1, "recall"), 700.0 / (700.0 + 375.0 + 96000.0 * 2 / 350), 1e-14);
}

static void unsampled_strata_are_refused_left_out_or_left_to_the_prior(void **state)
{
    place *p = *state;

    assert_refused(p, "intervale recall --strata @/runs.csv", 1,
                   ": stratum 'empty' has n = 0");
    assert_int_equal(p->err[0], '/'); /* FILE:LINE: comes first */
    command(p, "intervale recall --strata @/runs.csv --unsampled prior --format tsv");
    assert_int_equal(p->status, 0);
    assert_non_null(strstr(p->err, "with the prior alone"));
    assert_refused(p, "intervale recall --retrieved 10,0,0 --unretrieved 50,5,1", 1,
                   "no document of the retrieved segment is judged (n = 0)");
    command(p, "intervale recall --retrieved 10,0,0 --unretrieved 50,5,1 --unsampled prior "
               "--format tsv");
    assert_int_equal(p->status, 0);
    assert_non_null(strstr(p->out, "\t0.95\t\t0\t0.818"));  /* it once was 0 */
    command(p, "intervale recall --retrieved 10,5,2 --unretrieved 50,0,0 --unsampled prior");
    assert_non_null(strstr(p->out, "Nothing of one segment was sampled: recall has no estimate."));
    assert_non_null(strstr(p->out, "\nrelevant   unknown  "));
}

static void a_ranking_is_post_stratified_at_every_cut_off(void **state)
{
    place *p = *state;

    command(p, "intervale recall --run @/run --sample @/sample --collection 100 --at 10,30 "
               "--format tsv");
    assert_int_equal(p->status, 0);
    /* Sampled: even documents; relevant: 0 6 12 18 24 30 36, and one unranked. */
    assert_near(cell(p, 0, "cutoff"), 10.0, 0.0);
    assert_near(cell(p, 0, "recall"), (10.0 * 2 / 5) / (10.0 * 2 / 5 + 90.0 * 6 / 16), 1e-14);
    assert_near(cell(p, 1, "recall"), (30.0 * 5 / 15) / (30.0 * 5 / 15 + 70.0 * 3 / 6), 1e-14);
    /* Drawn apart from the first 20: three strata at 10. */
    command(p, "intervale recall --run @/run --sample @/sample --collection 100 --at 10 "
               "--sampled-at 20 --method normal --format tsv");
    assert_near(cell(p, 0, "recall"),
                4.0 / (4.0 + 10.0 * 2 / 5 + 80.0 * 4 / 11), 1e-14);
    assert_refused(p, "intervale recall --run @/run --sample @/sample --collection 30 --at 10", 1,
                   "more than the 30");
    /* Unequal probabilities: 1/0.5 + 1/0.25 above rank 10, 1/0.2 below; se by hand. */
    put_file(p, "unequal", "t d02 1 1 0.5\nt d04 0 1 0.5\nt d06 1 1 0.25\nt d20 1 1 0.2\n"
                           "t d30 0 1 0.2\n");
    command(p, "intervale recall --run @/run --sample @/unequal --collection run --at 10 --format tsv");
    assert_int_equal(p->status, 0);
    assert_near(cell(p, 0, "recall"), 6.0 / 11.0, 1e-14);
    const double se = sqrt(0.5 * pow(5.0 / 121.0 / 0.5, 2) + 0.75 * pow(5.0 / 121.0 / 0.25, 2)
                           + 0.8 * pow(6.0 / 121.0 / 0.2, 2));
    const double half = 1.959963984540054 * se / (6.0 / 11.0 * 5.0 / 11.0);
    assert_near(cell(p, 0, "lower"), 1.0 / (1.0 + exp(half - log(6.0 / 5.0))), 1e-12);
    assert_near(cell(p, 0, "upper"), 1.0 / (1.0 + exp(-half - log(6.0 / 5.0))), 1e-12);
    assert_refused(p, "intervale recall --run @/run --sample @/unequal --collection run --at 10 "
                      "--guaranteed", 1, "only the default method applies");
    put_file(p, "few", "t 0 d20 1\nt 0 d30 0\n");
    assert_refused(p, "intervale recall --run @/run --sample @/few --collection 100 --at 10", 1,
                   "ranks 1 to 10");
    put_file(p, "unjudged", "t 0 d01 1\nt 0 d30 -1\nt 0 d31 0\n");
    assert_refused(p, "intervale recall --run @/run --sample @/unjudged --collection 100 --at 10",
                   1, "'d30' is in the sample but not judged");
}

static void a_sample_drawn_apart_is_noticed(void **state)
{
    place *p = *state;
    char text[4096];
    size_t used = 0;

    /* 25 of the first 30 documents, and of 970 others none but the 10 ranked next. */
    for (int i = 0; i < 40; i++) {
        if (i < 25 || i >= 30)
            used += (size_t)snprintf(text + used, sizeof text - used, "t 0 d%02d %d\n", i,
                                     i % 3 == 0);
    }
    put_file(p, "apart", text);
    assert_refused(p, "intervale recall --run @/run --sample @/apart --collection 1000 --at 30", 1,
                   "not a simple random sample of the collection");
    command(p, "intervale recall --run @/run --sample @/apart --collection 1000 --at 30 "
               "--drawn-at 30");
    assert_int_equal(p->status, 0);
    command(p, "intervale recall --run @/run --sample @/sample --collection 100 --at 10,30");
    assert_int_equal(p->status, 0);
}

static void bad_input_gets_one_line(void **state)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        { "stratum,N,n,r,segment\na,10,5,6,retrieved\nb,9,3,1,unretrieved\n", ".csv:2: r = 6" },
        { "stratum,N,n,r,segment\na,10,5,2,retrieved\nb,9,30,1,unretrieved\n", ".csv:3: the sample size n = 30" },
        { "stratum,N,n,r,segment\na,10,5,2,retrieved\nb,9,-3,1,unretrieved\n", ".csv:3: n is '-3'" },
        { "stratum,N,n,r,segment\na,10,5,two,retrieved\nb,9,3,1,unretrieved\n", "r is 'two'" },
        { "stratum,N,n,r,segment\na,10,5,2,retrieved\na,9,3,1,unretrieved\n", "in the other segment" },
        { "stratum,N,n,r,segment\na,10,5,2,retrieved\na,10,5,2,retrieved\nb,9,3,1,unretrieved\n",
          ".csv:3: stratum 'a' is on line 2 already" },
        { "stratum,N,n,r,segment\na,10,5,2,retrieved\nb,9,3,1,left\n", "segment is 'left'" },
        { "stratum,N,n,r,segment\na,10,5,2,retrieved\nb,9,3,1,retrieved\n",
          ".csv:1: the unretrieved segment of the review is empty" },
        { "stratum,N,n,segment\na,10,5,retrieved\n", ":1: no column 'r'; the columns are " },
        { "stratum,N,n,r,other\na,10,5,2,x\n", "no column says which strata were retrieved" },
        { "stratum,N,n,r,A\na,10,5,2,1\nb,9,3,1,1\n", "unretrieved segment of 'A' is empty" },
    };
    place *p = *state;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put_file(p, "bad.csv", bad[i].text);
        assert_refused(p, "intervale recall --strata @/bad.csv", 1, bad[i].says);
    }
    assert_refused(p, "intervale recall --retrieved 10,5,6 --unretrieved 9,3,1", 1, "r = 6");
    assert_refused(p, "intervale recall --retrieved 10,50,6 --unretrieved 9,3,1", 1, "n = 50");
    assert_refused(p, "intervale recall --retrieved 10,5,2 --unretrieved 0,0,0", 1, "is empty");
    assert_refused(p, "intervale recall --retrieved 10,5,x --unretrieved 9,3,1", 2, "'x'");
    assert_refused(p, "intervale recall --retrieved 10,5.5,2 --unretrieved 9,3,1", 2, "5.5");
    assert_refused(p, "intervale recall --retrieved 10,5,-2 --unretrieved 9,3,1", 2, "-2");
    assert_refused(p, "intervale recall --retrieved 10,5 --unretrieved 9,3,1", 2, "--retrieved");
    assert_refused(p, "intervale recall --retrieved 10,5,2", 2, "needs --unretrieved");
    assert_refused(p, "intervale recall --method betabin-haf --retrieved 1,1,1", 2,
                   "betabin-half");
    assert_refused(p, "intervale recall --strata @/segments.csv --method koopman", 1,
                   "no stratified form");
    assert_refused(p, "intervale recall --strata @/absent.csv", 1, "absent.csv");
}

static void a_plan_has_a_row_for_each_number_of_documents(void **state)
{
    place *p = *state;

    command(p, "intervale plan recall --population 2000 --retrieved 200 --recall 0.7 "
               "--precision 0.5 --total 300,600 --format tsv");
    assert_int_equal(p->status, 0);
    assert_near(cell(p, 0, "documents"), 300.0, 0.0);
    assert_near(cell(p, 1, "documents"), 600.0, 0.0);
    assert_true(cell(p, 1, "width") < cell(p, 0, "width"));
}

static void a_plan_gives_what_it_promises(void **state)
{
    place *p = *state;

    command(p, "intervale plan recall --population 2000 --retrieved 200 --recall 0.7 "
               "--precision 0.5 --width 0.2 --format tsv");
    assert_int_equal(p->status, 0);
    assert_true(cell(p, 0, "width") <= 0.2);
    assert_near(cell(p, 0, "documents"), cell(p, 0, "retrieved") + cell(p, 0, "unretrieved"), 0.0);
    const double n = cell(p, 0, "documents");
    char line[256];
    (void)snprintf(line, sizeof line, "intervale plan recall --population 2000 --retrieved 200 "
                   "--recall 0.7 --precision 0.5 --total %.0f --format tsv", 0.9 * n);
    command(p, line);
    assert_true(cell(p, 0, "width") > 0.2);
    assert_refused(p, "intervale plan recall --population 100 --retrieved 50 --recall 0.1 "
                      "--precision 0.9 --total 10", 1, "would need");
    assert_refused(p, "intervale plan recall --population 100 --retrieved 50", 2, "are needed");
    /* An interval of width 0 from an empty cell is not narrow: 0.2.0 planned 14 documents. */
    command(p, "intervale plan recall --population 100,000 --retrieved 5,000 --recall 0.8 --precision "
               "0.5 --width 0.2 --method normal --format tsv --table plan");
    assert_true(cell(p, 0, "documents") > 1000.0);
    /* The search did not end; a limit that is expected says how likely it is. */
    assert_refused(p, "intervale plan recall --population 100000 --retrieved 5000 --recall 0.8 "
                      "--precision 0.5 --lower 0.85", 1, "a higher assumed recall");
    command(p, "intervale plan recall --population 100000 --retrieved 5000 --recall 0.8 --precision 0.5 "
               "--lower 0.7 --table plan");
    assert_non_null(strstr(p->out, "reached with a chance of 49 %."));
    command(p, "intervale plan recall --population 100000 --retrieved 5000 --recall 0.8 --precision 0.5 "
               "--target 70 --format tsv --table plan");
    assert_true(cell(p, 0, "p_lower") >= 0.8);
}

/* p and the number are scipy's hypergeom.cdf(2, 8000, 48, n). */
static void the_hypergeometric_rule_is_called_approximate(void **state)
{
    place *p = *state;

    command(p, "intervale recall --retrieved 2000,2000,180 --unretrieved 8000,600,2 --target 0.8 "
               "--stop hypergeometric --format tsv");
    assert_int_equal(p->status, 0);
    assert_non_null(strstr(p->out, "\n180\t8000\t600\t2\t0.8\t0.290889576165"));
    assert_non_null(strstr(p->out, "\t402\n"));
    command(p, "intervale recall --retrieved 2000,2000,180 --unretrieved 8000,1002,2 --target 0.8 "
               "--stop hypergeometric");
    assert_non_null(strstr(p->out, "You may stop: "));
    assert_non_null(strstr(p->out, "approximate if repeated after every document"));
    command(p, "intervale recall --retrieved 2000,2000,180 --unretrieved 8000,1002,2 --target 0.8 "
               "--stop hypergeometric --gate --format json");
    assert_int_equal(p->status, 0);
    assert_non_null(strstr(p->out, "\"method\": \"hypergeometric-rule\""));
    command(p, "intervale recall --retrieved 2000,2000,180 --unretrieved 8000,600,2 --target 0.8 "
               "--stop hypergeometric --gate");
    assert_int_equal(p->status, 4);
    assert_refused(p, "intervale recall --retrieved 9,9,1 --unretrieved 8,2,2 --target 0.8 --guaranteed "
                      "--stop hypergeometric", 2, "--guaranteed cannot be used with");
    assert_refused(p, "intervale recall --retrieved 9,8,1 --unretrieved 8,2,2 --target 0.8 --stop "
                      "hypergeometric", 1, "8 of 9 retrieved documents are judged");
    assert_refused(p, "intervale recall --retrieved 9,9,1 --unretrieved 8,2,3 --target 0.8 --stop "
                      "hypergeometric", 1, "expected each at most the next");
    assert_refused(p, "intervale recall --retrieved 9,9,10 --unretrieved 8,2,2 --target 0.8 --stop "
                      "hypergeometric", 1, "r = 10 relevant of n = 9 judged, expected r at most n");
}

static void without_a_relevant_document_no_recall_is_shown(void **state)
{
    place *p = *state;

    command(p, "intervale recall --retrieved 20,20,0 --unretrieved 80,80,0 --target 0.8 "
               "--stop hypergeometric --gate");
    assert_int_equal(p->status, 4);
    assert_non_null(strstr(p->out, "None of the 100 documents read is relevant"));
    command(p, "intervale recall --retrieved 20,20,0 --unretrieved 80,79,0 --target 0.8 "
               "--stop hypergeometric --gate");
    assert_int_equal(p->status, 4);
    assert_non_null(strstr(p->out, "None of the 99 documents read is relevant"));
}

static void a_side_judged_in_full_names_its_curve_and_xz_is_refused(void **state)
{
    place *p = *state;

    command(p, "intervale recall --retrieved 100,100,40 --unretrieved 900,100,5 --format vega");
    assert_non_null(strstr(p->out, " from the same posterior; the dark part"));
    assert_non_null(strstr(p->out, "one segment was judged in full, have no curve."));
    command(p, "intervale recall --retrieved 1000,100,40 --unretrieved 900,100,5 --format vega");
    assert_non_null(strstr(p->out, "Precision and F from the same posterior"));
    assert_null(strstr(p->out, "judged in full"));
    put_file(p, "strata.xz", "\xfd" "7zXZ");
    FILE *f = fopen(scratch_at((char[SCRATCH_PATH]){ 0 }, &p->dir, "strata.xz"), "ab");
    assert_non_null(f);
    assert_true(fwrite("\0\0\4\0", 1, 4, f) == 4 && fclose(f) == 0);
    assert_refused(p, "intervale recall --strata @/strata.xz", 1,
                   "is compressed with xz, which is not read; expected plain text, gzip or zstd");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_side_judged_in_full_names_its_curve_and_xz_is_refused),
        cmocka_unit_test(two_segments_give_the_reference_interval),
        cmocka_unit_test(what_is_wholly_judged_is_not_warned_of),
        cmocka_unit_test(numbers_fit_each_other),
        cmocka_unit_test(text_says_what_an_auditor_must_know),
        cmocka_unit_test(a_report_says_when_the_size_of_the_sample_was_fixed),
        cmocka_unit_test(a_target_has_a_verdict_that_a_gate_tells),
        cmocka_unit_test(strata_by_segment_and_by_run_agree_with_the_library),
        cmocka_unit_test(unsampled_strata_are_refused_left_out_or_left_to_the_prior),
        cmocka_unit_test(a_ranking_is_post_stratified_at_every_cut_off),
        cmocka_unit_test(a_sample_drawn_apart_is_noticed),
        cmocka_unit_test(bad_input_gets_one_line),
        cmocka_unit_test(only_a_guaranteed_method_certifies),
        cmocka_unit_test(a_guaranteed_limit_is_never_rounded_into_the_interval),
        cmocka_unit_test(a_target_is_told_as_it_was_given),
        cmocka_unit_test(of_runs_with_the_same_recall_none_is_the_highest),
        cmocka_unit_test(data_that_break_an_assumption_are_refused),
        cmocka_unit_test(a_control_sample_must_be_random),
        cmocka_unit_test(one_proportion_has_the_intervals_of_the_books),
        cmocka_unit_test(a_plan_has_a_row_for_each_number_of_documents),
        cmocka_unit_test(a_plan_gives_what_it_promises),
        cmocka_unit_test(the_hypergeometric_rule_is_called_approximate),
        cmocka_unit_test(without_a_relevant_document_no_recall_is_shown),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
