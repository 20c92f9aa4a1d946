/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long does it take until work that is told to stop hears of it?  The longest time
 * between two calls of the progress function, over the questions that take long, on a
 * made-up collection.  In processor time of one thread, so that other programs do not
 * count.
 *
 * usage: bench_asking [FOLDER]   FOLDER is made, or used if it is there
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "intervale.h"

enum { RUNS = 12, SYSTEMS = 120, TOPICS = 100, ITEMS = 200000, STRATA = 64 };

typedef struct listener {
    double last, longest, from, to;
    double fraction;
    size_t calls;
} listener;

static double seconds(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int hear(void *user, double fraction)
{
    listener *l = user;
    const double now = seconds();

    if (now - l->last > l->longest) {
        l->longest = now - l->last;
        l->from = l->fraction;
        l->to = fraction;
    }
    l->last = now;
    l->fraction = fraction;
    l->calls++;
    return 0;
}

typedef int asking(iv_result *out, const void *question, const iv_work *work, iv_err *err);

static void listen(const char *name, asking *ask, const void *question)
{
    listener l = { .last = seconds() };
    const double begin = l.last;
    const iv_work work = { .threads = 1, .progress = { hear, &l } };
    iv_result *r = NULL;
    iv_err err = { 0 };
    char text[IV_ERR_TEXT_SIZE];

    int rc = iv_result_new(&r, name, &err);
    if (rc == IV_OK)
        rc = ask(r, question, &work, &err);
    (void)hear(&l, 1.0);
    printf("%-28s %9.1f %8zu %9.1f   %.3f to %.3f%s%s\n", name, 1e3 * (l.last - begin), l.calls,
           1e3 * l.longest, l.from, l.to, rc == IV_OK ? "" : "  ",
           rc == IV_OK ? "" : iv_err_text(text, &err));
    (void)fflush(stdout);
    iv_result_free(r);
}

#define ASKING(command, T)                                                                  \
    static int ask_##command(iv_result *out, const void *q, const iv_work *work, iv_err *err) \
    {                                                                                       \
        return iv_answer_##command(out, (const T *)q, work, err);                           \
    }
ASKING(simulate, iv_simulate_question)
ASKING(eval, iv_eval_question)
ASKING(compare, iv_compare_question)
ASKING(overlap, iv_overlap_question)
ASKING(agree, iv_agree_question)
ASKING(roc, iv_roc_question)
ASKING(prf, iv_prf_question)
ASKING(recall, iv_recall_question)
ASKING(sample, iv_sample_question)
ASKING(next, iv_next_question)
ASKING(incomplete, iv_incomplete_question)
ASKING(plan_recall, iv_plan_recall_question)
ASKING(plan_power, iv_plan_power_question)
ASKING(plan_topics, iv_plan_topics_question)
ASKING(plan_sample, iv_plan_sample_question)
ASKING(plan_pilot, iv_plan_pilot_question)
ASKING(check, iv_check_question)

static char qrels[400], paths[RUNS][400], packed[400];
static const char *runs[RUNS];

static void prepare(const char *folder)
{
    struct stat s;
    const iv_simulate_question q = { .directory = folder,
        .collection = { .documents = 2000, .runs = RUNS, .depth = 1000 },
        .files = { .topics = TOPICS } };
    char command[1400];

    if (stat(folder, &s) != 0)
        listen("simulate", ask_simulate, &q);
    (void)snprintf(qrels, sizeof qrels, "%s/qrels", folder);
    for (int i = 0; i < RUNS; i++) {
        (void)snprintf(paths[i], sizeof paths[i], "%s/runs/sim%02d", folder, i + 1);
        runs[i] = paths[i];
    }
    (void)snprintf(packed, sizeof packed, "%s/packed.gz", folder);
    (void)snprintf(command, sizeof command, "test -e '%s' || for i in 1 2 3 4 5 6 7 8 9; do sed "
                   "\"s/^/$i/\" '%s'; done | gzip -1 > '%s'", packed, qrels, packed);
    if (system(command) != 0)
        exit(1);
}

static void ask_about_files(void)
{
    static const char *const many[] = { "all_trec", "RBP", "ERR@20" };
    const char *const one[] = { packed };
    const iv_source from = { .judgments = qrels, .runs = { runs, RUNS } };
    const iv_source two = { .judgments = qrels, .runs = { runs, 2 } };

    listen("check, packed", ask_check, &(iv_check_question){ .files = { one, 1 } });
    listen("check", ask_check, &(iv_check_question){ .files = { runs, RUNS } });
    listen("eval", ask_eval, &(iv_eval_question){ .source = from });
    listen("eval, many measures", ask_eval, &(iv_eval_question){ .source = from,
           .how = { .measures = { many, 3 }, .bounds = true, .ties = true } });
    listen("compare", ask_compare, &(iv_compare_question){ .source = from });
    listen("overlap", ask_overlap, &(iv_overlap_question){ .from = two });
    listen("agree", ask_agree, &(iv_agree_question){ .source = from, .other = qrels });
    listen("incomplete", ask_incomplete, &(iv_incomplete_question){ .from = from });
    listen("next", ask_next, &(iv_next_question){ .from = two });
    listen("next, judging", ask_next, &(iv_next_question){ .from.runs = { runs, 2 },
           .oracle = qrels, .no_answer = IV_NO_ANSWER_NONRELEVANT });
    listen("sample", ask_sample, &(iv_sample_question){ .from.runs = { runs, RUNS },
           .depth = 1000 });
    listen("plan sample", ask_plan_sample, &(iv_plan_sample_question){ .from = from,
           .how = { .se = 0.02 } });
    listen("plan pilot", ask_plan_pilot, &(iv_plan_pilot_question){ .from = two,
           .how = { .no_answer = IV_NO_ANSWER_NONRELEVANT, .forecasts = 20, .replicates = 2 },
           .depth = 100 });
    listen("plan topics", ask_plan_topics, &(iv_plan_topics_question){ .from = two,
           .certainty = 0.9 });
}

static void ask_about_scores(void)
{
    static double values[SYSTEMS * TOPICS], scores[2][ITEMS];
    static bool positive[ITEMS];
    static char names[SYSTEMS + TOPICS][8];
    static const char *systems[SYSTEMS], *topics[TOPICS];
    const iv_scored_system classifiers[] = { { "a", scores[0] }, { "b", scores[1] } };
    static const char *const all[] = { "sign", "wilcoxon", "t", "randomisation", "bootstrap" };
    uint32_t x = 1;

    for (size_t i = 0; i < SYSTEMS + TOPICS; i++) {
        (void)snprintf(names[i], sizeof names[i], "n%zu", i);
        *(i < SYSTEMS ? &systems[i] : &topics[i - SYSTEMS]) = names[i];
    }
    for (size_t i = 0; i < SYSTEMS * TOPICS; i++)
        values[i] = (double)((x = x * 1664525u + 1013904223u) >> 8) / 16777216.0
                    * (0.6 + 0.4 * (double)(i / TOPICS) / SYSTEMS);
    for (size_t i = 0; i < ITEMS; i++) {
        positive[i] = (x = x * 1664525u + 1013904223u) >> 30 == 0;
        for (int s = 0; s < 2; s++)
            scores[s][i] = 0.7 * (double)((x = x * 1664525u + 1013904223u) >> 8) / 16777216.0
                           + 0.3 * positive[i];
    }
    listen("compare, many systems", ask_compare, &(iv_compare_question){ .values = values,
           .systems = { systems, SYSTEMS }, .topics = { topics, TOPICS } });
    listen("compare, all tests", ask_compare, &(iv_compare_question){ .values = values,
           .systems = { systems, 20 }, .topics = { topics, TOPICS }, .tests = { all, 5 },
           .how.correction = IV_CORRECT_TUKEY });
    listen("roc", ask_roc, &(iv_roc_question){ .systems = classifiers, .system_count = 2,
           .is_positive = positive, .items = ITEMS });
}

static void ask_about_counts(void)
{
    static const char *const counts[] = { "a=80,20,40,900", "b=75,10,45,910", "c=7500,1000,4500,91000" };
    static const char *const tests[] = { "randomisation", "wilcoxon", "sign" };
    static iv_strata_row rows[STRATA];
    static bool marks[STRATA];
    const iv_str run = { "run", 3 };
    const iv_strata_table table = { rows, &run, marks, STRATA, 1, NULL, 0, NULL };

    for (size_t i = 0; i < STRATA; i++) {
        rows[i] = (iv_strata_row){ { "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-"
                                     + i, 1 }, 100000 + 1000 * (int64_t)i, 400 + (int64_t)i,
                                   3 * (int64_t)(i % 20), 0 };
        marks[i] = i < STRATA / 2;
    }
    listen("recall", ask_recall, &(iv_recall_question){ .retrieved = { (int64_t[]){ 10000, 500,
           350 }, 3 }, .unretrieved = { (int64_t[]){ 990000, 2000, 3 }, 3 } });
    listen("recall, 64 strata", ask_recall, &(iv_recall_question){ .table = &table });
    listen("recall, all methods", ask_recall, &(iv_recall_question){ .table = &table,
           .method = IV_RECALL_ALL });
    listen("recall, guaranteed", ask_recall, &(iv_recall_question){ .guaranteed = true,
           .retrieved = { (int64_t[]){ 10000, 500, 350 }, 3 },
           .unretrieved = { (int64_t[]){ 990000, 2000, 3 }, 3 } });
    listen("prf", ask_prf, &(iv_prf_question){ .from.counts = { counts, 3 },
           .how.compare = true });
    listen("prf, guaranteed", ask_prf, &(iv_prf_question){ .from.counts = { counts, 3 },
           .how.guaranteed = true });
    listen("plan recall", ask_plan_recall, &(iv_plan_recall_question){ .population = 100000,
           .retrieved = 5000, .recall = { (double[]){ 0.8, 0.6 }, 2 },
           .precision = { (double[]){ 0.5 }, 1 }, .width = 0.1 });
    listen("plan power", ask_plan_power, &(iv_plan_power_question){ .tests = { tests, 3 },
           .effect = { (double[]){ 0.2, 0.4 }, 2 }, .power = { (double[]){ 0.8 }, 1 },
           .certainty = { (double[]){ 0.9 }, 1 } });
}

int main(int argc, char **argv)
{
    printf("question                      time (ms)    asked  longest   where\n");
    prepare(argc > 1 ? argv[1] : "bench_asking.made");
    ask_about_files();
    ask_about_scores();
    ask_about_counts();
    return 0;
}
