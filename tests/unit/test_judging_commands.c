/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about next, plan and incomplete. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "active/cost_model.h"
#include "num/dist.h"
#include "frame/frame.h"
#include "near.h"
#include "run_tool.h"
#include "scratch.h"
#include "test_judging.h"

static scratch home;
static char old[SCRATCH_PATH];

/* Runs "intervale WORDS"; output goes to files out and err. */
static int tool(const char *words)
{
    static const cmd *const commands[] = { &cmd_compare, &cmd_sample, &cmd_eval,
                                           &cmd_incomplete, &cmd_next, &cmd_plan_power,
                                           &cmd_plan_topics, &cmd_plan_cost, &cmd_plan_pilot,
                                           &cmd_simulate, NULL };

    return run_tool(commands, words);
}

static int enter_home(void **state)
{
    FILE *f;

    (void)state;
    if (getcwd(old, sizeof old) == NULL || !scratch_make(&home) || chdir(home.path) != 0)
        return -1;
    f = fopen("none", "w"); /* nothing is judged */
    if (f == NULL || fclose(f) != 0)
        return -1;
    f = fopen("one.qrels", "w");
    if (f == NULL || fputs("301 0 x 1\n301 0 y 0\n", f) < 0 || fclose(f) != 0)
        return -1;
    f = fopen("other.run", "w");
    if (f == NULL || fputs("999 Q0 x 1 1.0 other\n", f) < 0 || fclose(f) != 0)
        return -1;
    return tool("simulate --topics 12 --documents 60 --runs 3 --prevalence 0.2 -o c");
}

static int leave_home(void **state)
{
    (void)state;
    scratch_remove(home.path);
    return chdir(old);
}

/* A file begins with these words. */
static void begins(const char *name, const char *words)
{
    size_t len;
    char *text = scratch_bytes(&home, name, &len);

    if (strncmp(text, words, strlen(words)) != 0)
        fail_msg("%s begins '%.80s', expected '%s'", name, text, words);
    free(text);
}

static void holds(const char *name, const char *words, bool expected)
{
    size_t len;
    char *text = scratch_bytes(&home, name, &len);

    if ((strstr(text, words) != NULL) != expected)
        fail_msg("'%s' %s in '%s'", words, expected ? "is not" : "is", text);
    free(text);
}

/* One line on standard error, with these words; nothing on standard output. */
static void refused(int status, int expected, const char *words)
{
    size_t len;
    char *text = scratch_bytes(&home, "err", &len);
    char *line = strchr(text, '\n');

    assert_int_equal(status, expected);
    if (strstr(text, words) == NULL || line == NULL || line[1] != '\0')
        fail_msg("'%s' is not one line with '%s'", text, words);
    free(text);
    text = scratch_bytes(&home, "out", &len);
    assert_int_equal(len, 0);
    free(text);
}

#define RUNS "c/runs/sim01 c/runs/sim02 "

static void columns_are_those_agreed(void **state)
{
    (void)state;
    assert_int_equal(tool("incomplete --quiet none " RUNS "c/runs/sim03"), 0);
    holds("out", "For 0 of 3 pairs the better run is known with probability 0.95 or more", true);
    /* With nothing judged no run is ahead, and every topic that both have counts. */
    assert_int_equal(tool("incomplete --quiet none " RUNS), 0);
    holds("out", "The judgments do not say which of sim01 and sim02 has the higher mean AP", true);
    assert_int_equal(tool("next --quiet none " RUNS), 0);
    holds("out", "neither of sim01 and sim02 is ahead", true);
    refused(tool("next --write same -o same c/qrels " RUNS), 2, "would both write same");
    assert_int_equal(tool("compare --incomplete --format tsv --quiet c/qrels " RUNS), 0);
    begins("out", "a\tb\ttopics\texpected\tsd\tlower\tupper\tp_less\teffect_adjusted\t"
           "topics_adjusted\nsim01\tsim02\t12\t");
    assert_int_equal(tool("plan power --test sign --sides one --topics 50 --effect 0.35 --format "
                          "tsv --quiet"), 0);
    begins("out", "test\ttopics\teffect\talpha\tcertainty\tcritical\tpower\n"
           "sign\t50\t0.35\t0.05\t1\t32\t0.75440136065");
    /* Ties are those of sign tests; and a power is no more than 1. */
    assert_int_equal(tool("plan power --test sign --test t --effect 0.8 --topics 200 --alpha 0.01 --ties 0.3 "
                          "--format tsv --quiet"), 0);
    holds("out", "\nsign\t200\t0.8\t0.01\t1\t0.3\t\t1\nt\t200\t0.8\t0.01\t1\t\t", true);
    /* Ten runs: alpha is .05 / 45, and the effect a difference. */
    assert_int_equal(tool("plan power --topics 50 --sd 0.2 --power 0.8 --runs 10 --quiet"), 0);
    holds("out", "50 topics find a difference of 0.1227 with power 0.8 (two-sided t test).", true);
    assert_int_equal(tool("plan topics -m AP --quiet c/qrels " RUNS), 0);
    holds("out", " are needed to find a difference of 0.0641, as between sim01", true);
    assert_int_equal(tool("plan topics -m P@10 c/qrels " RUNS "c/runs/sim03"), 0);
    holds("out", " are enough for half of the 3 pairs (power 0.8)", true);
    assert_int_equal(tool("next --format tsv --quiet none " RUNS), 0);
    begins("out", "order\ttopic\tdocno\texpected_change\trank_a\trank_b\n1\t");
    assert_int_equal(tool("next --until 0.8 --oracle c/qrels --format tsv --quiet none " RUNS),
                     0);
    begins("out", "method\tjudgments\trelevant\tdepth\tconfidence\treached\nnext\t");
    assert_int_equal(tool("plan cost --coefficients 4.79,5.43,0.71 --format tsv --quiet"), 0);
    begins("out", "plan\tcertainty\ttopics\tjudgments\tlower\tupper\tcost\tsaving\n"
           "cheapest\t0.67705735660847");
}

static void nothing_depends_on_threads(void **state)
{
    (void)state;
    assert_int_equal(tool("compare --incomplete --threads 1 --format json c/qrels " RUNS
                          "c/runs/sim03"), 0);
    assert_int_equal(rename("out", "one"), 0);
    assert_int_equal(tool("compare --incomplete --threads 3 --format json c/qrels " RUNS
                          "c/runs/sim03"), 0);
    scratch_assert_same(&home, "one", "out");
}

/* Sixty documents, a fifth relevant, in two orders; one more is relevant. */
static void runs_that_are_alike_do_not_differ(void **state)
{
    FILE *run = fopen("alike.run", "w"), *back = fopen("back.run", "w");
    FILE *all = fopen("all.qrels", "w"), *but_one = fopen("but-one.qrels", "w");

    (void)state;
    assert_true(run != NULL && back != NULL && all != NULL && but_one != NULL);
    for (int d = 0; d < 60; d++) {
        (void)fprintf(run, "1 Q0 d%d 1 %d alike\n", d, 60 - d);
        (void)fprintf(back, "1 Q0 d%d 1 %d back\n", d, d + 1);
        (void)fprintf(all, "1 0 d%d %d\n", d, d % 5 == 0);
        if (d > 0)
            (void)fprintf(but_one, "1 0 d%d %d\n", d, d % 5 == 0);
    }
    (void)fputs("1 0 elsewhere 1\n", all);
    assert_int_equal(fclose(run) + fclose(back) + fclose(all) + fclose(but_one), 0);
    assert_int_equal(tool("compare --incomplete all.qrels alike.run alike.run"), 0);
    holds("out", " do not differ in mean AP", true);
    holds("out", "has a higher mean AP", false);
    holds("out", "may be far off", false); /* nothing is left to assume */
    assert_int_equal(tool("compare --incomplete --relevance 0.5 all.qrels alike.run back.run"), 0);
    holds("out", "has a higher mean AP", true);
    holds("out", "may be far off", false);
    assert_int_equal(tool("compare --incomplete --relevance 0.5 but-one.qrels alike.run back.run"), 0);
    holds("out", "may be far off", true);
}

/* The three pairs of a tsv table: expected, sd and p_less of each, as the form has them. */
static void read_pairs(double out[3][3], const char *form)
{
    size_t len;
    char *text = scratch_bytes(&home, "out", &len), *row = strchr(text, '\n');

    for (size_t k = 0; k < 3; k++, row = strchr(row + 1, '\n')) {
        assert_non_null(row);
        assert_int_equal(sscanf(row, form, &out[k][0], &out[k][1], &out[k][2]), 3);
    }
    free(text);
}

/* Some of the judgments of c/qrels. */
static void judge_a_third(void)
{
    size_t len, n = 0;
    char *text = scratch_bytes(&home, "c/qrels", &len), *rest = text;
    FILE *f = fopen("third.qrels", "w");

    assert_non_null(f);
    for (char *at; (at = strtok_r(rest, "\n", &rest)) != NULL; n++)
        if (n % 3 == 0)
            (void)fprintf(f, "%s\n", at);
    assert_int_equal(fclose(f), 0);
    free(text);
}

static void a_pair_is_the_same_whatever_other_runs_there_are(void **state)
{
    static const char *const ways[] = { "--relevance 0.3", "--paper", "--depth 7 --relevance 0.3",
                                        "--depth 7 --paper", "--paper --relevance 0.3" };
    const size_t count = sizeof ways / sizeof *ways;

    (void)state;
    judge_a_third();
    for (size_t i = 0; i < count; i++) {
        double compared[3][3], asked[3][3];
        char line[256];
        (void)snprintf(line, sizeof line, "compare --incomplete %s --format tsv "
                       "--quiet --table pairs third.qrels " RUNS "c/runs/sim03", ways[i]);
        assert_int_equal(tool(line), 0);
        read_pairs(compared, "\n%*s %*s %*d %lf %lf %*f %*f %lf");
        (void)snprintf(line, sizeof line, "next %s --format tsv --quiet --table pairs "
                       "third.qrels " RUNS "c/runs/sim03", ways[i]);
        assert_int_equal(tool(line), 0);
        read_pairs(asked, "\n%*s %*s %*d %lf %lf %lf");
        for (size_t k = 0; k < 9; k++)
            assert_near(asked[k / 3][k % 3], compared[k / 3][k % 3], 1e-12);
    }
}

/* The training rows of a pilot, written out, are a pilot for plan cost. */
static void the_rows_of_plan_pilot_are_read_by_plan_cost(void **state)
{
    (void)state;
    assert_int_equal(tool("plan pilot --forecasts 20 --samples 4 --format tsv --table training "
                          "-o rows.tsv --quiet c/qrels " RUNS), 0);
    assert_int_equal(tool("plan pilot --forecasts 20 --samples 4 --format tsv --table model "
                          "--quiet c/qrels " RUNS), 0);
    assert_int_equal(rename("out", "model"), 0);
    assert_int_equal(tool("plan cost --format tsv --table model --quiet rows.tsv"), 0);
    scratch_assert_same(&home, "model", "out");
}

static void an_effect_of_plan_pilot_is_that_of_the_one_sided_sign_test(void **state)
{
    (void)state;
    assert_int_equal(tool("plan pilot --forecasts 20 --samples 4 --effect 0.5 --alpha 0.01 c/qrels "
                          RUNS), 0);
    /* The first number of topics of which 0.01 of fair coins, and 0.8 of those of 3/4, reach
     * some number of wins: 40, by scipy.stats.binom. */
    holds("out", "Judging 40 topics until the better run is certain takes about ", true);
}

/* Errors that cost: the plan is the least of all, by a walk over topics, levels and certainties. */
static void costs_of_errors_choose_the_topics(void **state)
{
    const iv_cost_model m = { .g = { 4.79, 5.43, 0.71 } };
    const double lost = 3000.0, missed = 1500.0, effect = 0.35;
    iv_error_plan x;

    (void)state;
    assert_int_equal(iv_cost_with_errors(&x, &m, lost, missed, effect, NULL, NULL), IV_OK);
    double least = INFINITY;
    for (double n = 2.0; n < 400.0; n *= 1.02)
        for (double alpha = 0.0005; alpha < 0.5; alpha *= 1.05)
            for (double l = 0.52; l <= 1.0; l += 0.01) {
                const double beta = iv_norm_sf(iv_norm_quantile(alpha) + effect * sqrt(n));
                least = fmin(least, iv_cost_at(&m, n, l, NULL).cost + lost * alpha
                             + missed * beta);
            }
    assert_true(x.cost <= least && x.cost > 0.99 * least);
    assert_int_equal(iv_cost_with_errors(&x, &m, 0.0, 1.0, 0.3, NULL, NULL), IV_EARG);
    assert_int_equal(tool("plan cost --coefficients 4.79,5.43,0.71 --error-costs 3000,1500 --effect 0.35"), 0);
    holds("out", "Errors that cost 3000 and 1500 call for alpha ", true);
    refused(tool("plan cost --coefficients 4.79,5.43,0.71 --error-costs 3000,1500 --effect 0.35 --topics 9"), 2,
            "in place of a number of topics");
}

/* The plan is the forecast: nothing else is recommended beside it. */
static void a_pilot_recommends_what_its_forecast_says(void **state)
{
    static const char *const ways[] = { "", "--judge pool " };
    char line[256];

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        double said = 0.0, n = 0.0, in_table = 0.0;
        (void)snprintf(line, sizeof line, "plan pilot --forecasts 50 --samples 4 %sc/qrels " RUNS, ways[k]);
        assert_int_equal(tool(line), 0);
        FILE *f = fopen("out", "r");
        assert_non_null(f);
        assert_int_equal(fscanf(f, "Judging %lf topics until the better run is certain takes about %lf", &n,
                                &said), 2);
        (void)fclose(f);
        (void)snprintf(line, sizeof line, "plan pilot --forecasts 50 --samples 4 --format tsv --table plan "
                       "--quiet %sc/qrels " RUNS, ways[k]);
        assert_int_equal(tool(line), 0);
        f = fopen("out", "r");
        assert_non_null(f);
        assert_int_equal(fscanf(f, "%*[^\n]\ncertain\t25\t1\t%lf", &in_table), 1);
        (void)fclose(f);
        assert_near(said, in_table, 0.51);
    }
    assert_int_equal(tool("plan pilot --forecasts 20 --samples 4 --topics 200 c/qrels " RUNS), 0);
    holds("out", "far more than the pilot's 12: no interval is given", true);
}

/* What next writes is read back by next and eval: qrels, or a sample that goes on. */
static void a_list_is_a_file_to_fill_in(void **state)
{
    (void)state;
    assert_int_equal(tool("next --quiet --count 3 --write asked none " RUNS), 0);
    holds("asked", " -1\n", true);
    assert_int_equal(tool("next --count 2 --write more asked " RUNS), 0);
    holds("out", "from 0 judged documents of ", true); /* -1 is no judgment */
    holds("out", "more: the judgments were written, followed by 2 documents to judge", true);
    assert_int_equal(tool("sample --budget 3 --quiet -o drawn " RUNS), 0);
    assert_int_equal(tool("next --quiet --count 1 --write further drawn " RUNS), 0);
    holds("further", "#: intervale-sample 2 stevens", true);
    holds("further", " -1 0 1.0\n", true);
    holds("further", "\n#: chosen ", true);
    refused(tool("eval --quiet further " RUNS), 1, "is not judged, expected a grade of 0 or more");
    assert_int_equal(tool("eval --quiet --unjudged nonrelevant further " RUNS), 0);
    /* What next chose is no part of the sample: the value is that of what was drawn. */
    assert_int_equal(system("sed 's/ -1 / 1 /' drawn > full; sed 's/ -1 / 1 /' further > longer"), 0);
    assert_int_equal(tool("eval -m AP --format tsv full " RUNS), 0);
    assert_int_equal(system("cp out before"), 0);
    assert_int_equal(tool("eval -m AP --format tsv longer " RUNS), 0);
    assert_int_equal(system("cmp -s out before"), 0);
    holds("err", "1 judgment was chosen by 'next', not sampled", true);
    /* Of a sample it is told that comparing answers another question. */
    assert_int_equal(tool("next full " RUNS), 0);
    holds("out", "ignores the inclusion probabilities", true);
    assert_int_equal(tool("next c/qrels " RUNS), 0);
    holds("out", "ignores the inclusion probabilities", false);
}

/* The judgments of table documents, as qrels. */
static void keep_judgments(const char *table, const char *qrels)
{
    FILE *from = fopen(table, "r"), *to = fopen(qrels, "w");
    char line[400], topic[32], docno[64], relevant[8];

    assert_true(from != NULL && to != NULL);
    assert_non_null(fgets(line, sizeof line, from));
    assert_ptr_equal(strstr(line, "order\ttopic\tdocno\texpected_change\trelevant\t"), line);
    while (fgets(line, sizeof line, from) != NULL) {
        assert_int_equal(sscanf(line, "%*s %31s %63s %*s %7s", topic, docno, relevant), 3);
        assert_true(fprintf(to, "%s 0 %s %d\n", topic, docno, strcmp(relevant, "1") == 0) > 0);
    }
    assert_int_equal(fclose(from) | fclose(to), 0);
}

/* What is stated at the end is what these judgments say. */
static void judging_stops_by_what_all_judgments_say(void **state)
{
    static const char *const untils[] = { "0.7", "0.99" };
    char words[256];

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        (void)snprintf(words, sizeof words, "next --until %s --oracle c/qrels --format tsv --quiet --table "
                       "documents none " RUNS "c/runs/sim03", untils[k]);
        assert_int_equal(tool(words), 0);
        keep_judgments("out", "made.qrels");
        (void)snprintf(words, sizeof words, "next --until %s --oracle c/qrels --format tsv --quiet --table "
                       "pairs none " RUNS "c/runs/sim03", untils[k]);
        assert_int_equal(tool(words), 0);
        assert_int_equal(rename("out", "stated"), 0);
        assert_int_equal(tool("next --format tsv --quiet --table pairs made.qrels " RUNS
                              "c/runs/sim03"), 0);
        scratch_assert_same(&home, "stated", "out");
    }
}

/* Judgments of one run's first documents say little of the others, and `next` says so of each pair. */
static void pairs_judged_on_one_side_are_not_to_be_trusted(void **state)
{
    static char truth[1 << 21];
    FILE *qrels, *from, *to;
    char line[200], topic[32], docno[64], found[128];
    int rank;

    (void)state;
    assert_int_equal(tool("simulate --topics 50 --documents 800 --runs 3 --depth 100 --quality 1.7,1.5,1.5 "
                          "--prevalence 0.004 --seed 3 -o l"), 0);
    qrels = fopen("l/qrels", "r");
    from = fopen("l/runs/sim01", "r");
    to = fopen("first.qrels", "w");
    assert_true(qrels != NULL && from != NULL && to != NULL);
    const size_t length = fread(truth, 1, sizeof truth - 1, qrels);
    assert_true(length > 0 && length < sizeof truth - 1);
    while (fgets(line, sizeof line, from) != NULL) {
        assert_int_equal(sscanf(line, "%31s %*s %63s %d", topic, docno, &rank), 3);
        (void)snprintf(found, sizeof found, "%s 0 %s 1", topic, docno);
        if (rank <= 10)
            assert_true(fprintf(to, "%s 0 %s %d\n", topic, docno, strstr(truth, found) != NULL) > 0);
    }
    assert_int_equal(fclose(qrels) | fclose(from) | fclose(to), 0);
    assert_int_equal(tool("next --table pairs first.qrels l/runs/sim01 l/runs/sim02 l/runs/sim03"), 0);
    holds("out", "Of the first 10 documents 100 % are judged for sim01", true);
    assert_int_equal(tool("next --table pairs l/qrels l/runs/sim01 l/runs/sim02 l/runs/sim03"), 0);
    holds("out", "Of the first 10 documents", false);
}

/* A confidence is a model's: beside a high one stands how often such a one was right. */
static void a_high_confidence_says_how_often_it_was_right(void **state)
{
    (void)state;
    assert_int_equal(tool("next none " RUNS), 0);
    holds("out", "in trials", false);
    assert_int_equal(tool("next --oracle c/qrels --until 0.9 none " RUNS), 0);
    holds("out", "85 to 98 % of cases", true);
    /* Only the first run's documents are judged: that says little of the other. */
    assert_int_equal(tool("simulate --topics 30 --documents 400 --runs 2 --depth 50 --quality 1.2,2 "
                          "--prevalence 0.02 --seed 3 -o sided"), 0);
    assert_int_equal(system("awk 'NR == FNR {if ($4 <= 10) k[$1, $3] = 1; next} ($1, $3) in k' "
                            "sided/runs/sim01 sided/qrels > top"), 0);
    assert_int_equal(tool("incomplete top sided/runs/sim01 sided/runs/sim02"), 0);
    holds("out", "Of the first 10 documents 100 % are judged for sim01", true);
    assert_int_equal(tool("incomplete sided/qrels sided/runs/sim01 sided/runs/sim02"), 0);
    holds("out", "Of the first 10 documents", false);
}

static void bad_input_gets_one_clear_line(void **state)
{
    (void)state;
    refused(tool("compare --incomplete --relevance 1 c/qrels " RUNS), 2,
            "'1', expected a probability between 0 and 1");
    refused(tool("next --relevance nought c/qrels " RUNS), 2, "expected a probability");
    refused(tool("compare --incomplete c/qrels c/runs/sim01"), 2, "expected at least two");
    refused(tool("next c/qrels c/runs/sim01"), 2, "1 run given, expected at least two");
    refused(tool("compare --incomplete --quiet c/qrels c/runs/sim01 other.run"), 1,
            "the runs share no topic");
    refused(tool("next --quiet --until 0.9 --oracle one.qrels none " RUNS), 1,
            "one.qrels: no judgment of document ");
    refused(tool("plan pilot --quiet one.qrels " RUNS), 1, "the pilot has one topic");
    refused(tool("next --until 0.9 none " RUNS), 2, "--until cannot be used without --oracle");
    refused(tool("incomplete -m P_0 c/qrels " RUNS), 2, "P_0");
    refused(tool("compare --incomplete --test t c/qrels " RUNS), 2, "unknown option");
    refused(tool("plan power --topics 50"), 2, "give two of");
    refused(tool("plan power --test sign --topics 50 --effect 1.5"), 2, "expected from 0 to 1");
    refused(tool("plan power --topics 50 --difference 0.1"), 2, "--difference needs --sd");
    refused(tool("plan topics c/qrels c/runs/sim01"), 2, "at least two runs");
    refused(tool("plan power --test signs --topics 5 --effect 0.5"), 2, "sign");
    refused(tool("plan cost"), 2, "a PILOT or --coefficients");
    refused(tool("plan cost c/truth.tsv"), 1, "c/truth.tsv:1: no column 'certainty', nor confidence, lambda; the columns are ");
}

int test_judging_commands(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_those_agreed),
        cmocka_unit_test(nothing_depends_on_threads),
        cmocka_unit_test(runs_that_are_alike_do_not_differ),
        cmocka_unit_test(a_pair_is_the_same_whatever_other_runs_there_are),
        cmocka_unit_test(the_rows_of_plan_pilot_are_read_by_plan_cost),
        cmocka_unit_test(an_effect_of_plan_pilot_is_that_of_the_one_sided_sign_test),
        cmocka_unit_test(costs_of_errors_choose_the_topics),
        cmocka_unit_test(a_pilot_recommends_what_its_forecast_says),
        cmocka_unit_test(a_list_is_a_file_to_fill_in),
        cmocka_unit_test(judging_stops_by_what_all_judgments_say),
        cmocka_unit_test(pairs_judged_on_one_side_are_not_to_be_trusted),
        cmocka_unit_test(a_high_confidence_says_how_often_it_was_right),
        cmocka_unit_test(bad_input_gets_one_clear_line),
    };

    return cmocka_run_group_tests_name("judging commands", tests, enter_home, leave_home);
}
