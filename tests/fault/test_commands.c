/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole command lines without memory: an allocation fails, and then all from it on.  The
 * command ends with status 1, no output and one line about memory, leaks nothing (a sanitized
 * build sees it), and leaves no file.  Or it gets by.
 *
 * The same lines when the system fails: reads that are interrupted or short change nothing;
 * a read, a write, an fsync or a rename that fails is one line and status 1.
 */
#include "fault.h"

#include <dirent.h>
#include <unistd.h>

#include "drawn.h"
#include "run_tool.h"
#include "wrap.h"

/* The files that the lines below read. */
static const struct {
    const char *name, *text;
} files[] = {
    { "qrels", "1 0 a 1\n1 0 b 0\n2 0 c 0\n2 0 d 2\n3 0 e 1\n3 0 f 0\n" },
    { "prels", "1 a 1 0 0.5\n1 b 0 0 1\n2 c 0 0 0.5\n2 d 2 0 0.25\n3 e 1 0 1\n" },
    { "one", "1 Q0 a 1 3 one\n1 Q0 b 2 3 one\n2 Q0 c 1 2 one\n2 Q0 d 2 1 one\n3 Q0 e 1 1 one\n" },
    { "two", "1 Q0 b 1 3 two\n1 Q0 a 2 2 two\n2 Q0 d 1 2 two\n3 Q0 f 1 2 two\n3 Q0 e 2 1 two\n" },
    { "llm", "1 0 a 1\n1 0 b 1\n2 0 c 0\n2 0 d 1\n3 0 e 1\n3 0 f 0\n4 0 g 1\n4 0 h 0\n5 0 i 0\n5 0 j 1\n" },
    { "four", "1 0 a 1\n1 0 b 0\n2 0 c 0\n2 0 d 1\n3 0 e 1\n3 0 f 0\n4 0 g 0\n4 0 h 1\n" },
    { "deep", "1 Q0 a 1 3 deep\n1 Q0 b 2 2 deep\n2 Q0 c 1 3 deep\n2 Q0 d 2 2 deep\n3 Q0 e 1 3 deep\n"
              "4 Q0 g 1 3 deep\n4 Q0 h 2 2 deep\n5 Q0 j 1 3 deep\n5 Q0 i 2 2 deep\n" },
    { "checked", "id,gold,llm,x\n1,1,1,1\n2,0,1,1\n3,,1,0\n4,0,0,0\n5,1,0,1\n6,,0,0\n" },
    { "labels", "id,gold,x,y\n1,1,1,0\n2,0,1,0\n3,1,1,1\n4,0,0,0\n5,1,0,1\n" },
    { "even", "1 a 1 0 0.5\n1 b 0 0 0.5\n2 c 0 0 0.5\n2 d 2 0 0.5\n3 e 1 0 0.5\n" },
    { "matrix", "run,1,2,3,4\nx,.1,.2,.3,.4\ny,.9,.1,.2,.1\n" },
    { "strata", "stratum,N,n,r,segment\na,100,10,6,retrieved\nb,900,40,2,unretrieved\n" },
    { "classes", "gold,x,A_a,A_b,A_c,B_a,B_b,B_c,B_d\na,t,.6,.3,.1,.2,.2,.2,.4\nb,u,.2,.5,.3,.1,.7,.1,.1\n"
                 "c,v,.1,.1,.8,.3,.3,.2,.2\n" },
    { "votes", "a,b,winner,item,judge\nx,y,a,1,h\nx,y,b,1,l\ny,x,tie,2,h\ny,x,a,2,l\n" },
    { "scored", "gold,x,y\n1,0.9,0.4\n0,0.2,0.5\n1,0.7,0.8\n0,0.4,0.1\n" },
    { "refs.csv", "id,title\na,The first of two titles\nb,The second of two titles\n" },
    { "list", "b\na\n" },
    { "answers", "system,item,score\nx,1,1\ny,1,0\nx,2,0.5\ny,2,0\n" },
};

#define QUEUE "--queue @/one --missing-documents show-id"

/* One line a command (rules/tested: all that compute); @ is the folder of the files. */
static const struct {
    const cmd *command;
    const char *line;
} lines[] = {
    { &cmd_check, "check @/qrels @/one @/strata" },
    { &cmd_measures, "measures --format json official ndcg_cut_10" },
    { &cmd_simulate, "simulate --topics 1 --documents 40 --runs 2 --threads 1 "
                     "-o @/made" },
    { &cmd_eval, "eval --threads 1 --resamples 20 --bounds --ties -q @/qrels @/one @/two" },
    { &cmd_eval, "eval --threads 1 --resamples 20 @/prels @/one" },
    { &cmd_compare, "compare --threads 1 --resamples 20 @/qrels @/one @/two" },
    { &cmd_compare, "compare --threads 1 --resamples 20 @/prels @/one @/two" },
    { &cmd_eval, "eval --threads 1 -m AP --machine @/llm @/four @/deep" },
    { &cmd_compare, "compare --threads 1 --machine @/llm @/four @/deep @/one" },
    { &cmd_agree, "agree --threads 1 @/four @/llm @/deep @/one" },
    { &cmd_prf, "prf --threads 1 --labels @/checked --machine-column llm" },
    { &cmd_sample, "sample --threads 1 --budget 2 --human-design random --machine @/llm" },
    { &cmd_recall, "recall --threads 1 --run @/one --sample @/even --collection 100 --machine @/llm "
                   "--unsampled prior" },
    { &cmd_incomplete, "incomplete --threads 1 @/qrels @/one @/two" },
    { &cmd_incomplete, "incomplete -m P_1 --threads 1 @/qrels @/one @/two" },
    { &cmd_pool, "pool --threads 1 @/qrels @/one @/two" },
    { &cmd_prf, "prf --threads 1 --draws 1000 --labels @/labels" },
    { &cmd_recall, "recall --threads 1 --strata @/strata" },
    { &cmd_recall, "recall --threads 1 --run @/one --sample @/even --collection 100 "
                   "--unsampled prior" },
    { &cmd_sample, "sample --threads 1 --design uniform --budget 4 @/one @/two" },
    { &cmd_next, "next --threads 1 @/qrels @/one @/two" },
    { &cmd_plan_recall, "plan recall --threads 1 --population 1000 --retrieved 100 "
                        "--recall 0.7 --precision 0.5 --total 40" },
    { &cmd_plan_power, "plan power --topics 10 --effect 0.5" },
    { &cmd_plan_topics, "plan topics @/matrix" },
    { &cmd_plan_gate, "plan gate --margin 0.1 @/matrix" },
    { &cmd_plan_looks, "plan looks --at 0.3,1" },
    { &cmd_plan_cost, "plan cost --coefficients 4.79,5.43,0.71 --topics 25" },
    { &cmd_plan_machine, "plan machine --threads 1 --width 0.1 --pilot @/four --machine @/llm @/deep" },
    { &cmd_plan_pilot, "plan pilot --threads 1 --samples 1 --forecasts 10 --unjudged nonrelevant "
                       "@/qrels @/one @/two" },
    { &cmd_plan_sample, "plan sample --threads 1 --se 0.1 --check 2 --pilot @/qrels @/one @/two" },
    { &cmd_plan_sample, "plan sample --threads 1 --halfwidth 0.3 --check 2 --pilot @/qrels "
                        "@/one @/two" },
    { &cmd_study_stopping, "study stopping --threads 1 --setting ranked-30 --replicates 2" },
    { &cmd_study_machine, "study machine --threads 1 --n 4 --replicates 2 --machine @/llm --qrels "
                          "@/four @/deep" },
    { &cmd_study_plans, "study plans --threads 1 --setting elusion --replicates 2" },
    { &cmd_study_map, "study map --threads 1 --n 2 --replicates 2 --matrix @/matrix" },
    { &cmd_study_power, "study power --threads 1 --replicates 1 --n 3 --matrix @/matrix" },
    { &cmd_study_recall, "study recall --threads 1 --setting small --replicates 2" },
    { &cmd_study_prf, "study prf --threads 1 --n 3 --replicates 2" },
    { &cmd_study_sampling, "study sampling --threads 1 --replicates 1 --n 2 --qrels @/qrels @/one "
                           "@/two" },
    { &cmd_papers, "papers goutte --threads 1" },
    { &cmd_study_coverage, "study coverage --threads 1 --only prf --replicates 2" },
    { &cmd_study_judging, "study judging --threads 1 --replicates 1 --qrels @/qrels @/one @/two" },
    { &cmd_prefer, "prefer --threads 1 @/votes" },
    { &cmd_roc, "roc --threads 1 @/scored" },
    { &cmd_roc, "roc --threads 1 @/classes" },
    { &cmd_overlap, "overlap --threads 1 @/one @/two" },
    { &cmd_sort, "sort @/one" },
    { &cmd_plan_elusion, "plan elusion --population 1000 --below 0.02 --accept 0,1" },
    { &cmd_compare, "compare --threads 1 --scores @/answers" },
#if INTERVALE_JUDGE
    { &cmd_judge_new, "judge new @/made " QUEUE },
    { &cmd_judge_status, "judge status --threads 1 @/session" },
    { &cmd_judge_check, "judge check @/session" },
    { &cmd_judge_assessor, "judge assessor @/session" },
    { &cmd_judge_export, "judge export --partial @/session" },
    { &cmd_judge_backup, "judge backup @/session @/made" },
    { &cmd_judge_restore, "judge restore @/session @/made" },
    { &cmd_judge_duplicates, "judge duplicates @/session" },
    { &cmd_judge_import, "judge import --threads 1 @/session @/four" },
    { &cmd_judge_rank, "judge rank --threads 1 @/ranked @/list" },
#endif
};

/* So many allocations fail one by one, those after them at growing distances: the last
 * of thousands are made in loops that the first have been through. */
static long one_by_one;
static long nearer; /* the distance is this part of the number */

/* What a command said: the beginning of the file err. */
static const char *said(void)
{
    static char bytes[4096];
    FILE *f = fopen(fault_path("err"), "rb");

    assert_non_null(f);
    bytes[fread(bytes, 1, sizeof bytes - 1, f)] = '\0';
    (void)fclose(f);
    return bytes;
}

/* A folder that a line makes. */
static void remove_made(void)
{
    char command[300];

    (void)snprintf(command, sizeof command, "rm -rf '%s'", fault_path("made"));
    assert_int_equal(system(command), 0);
}

/* What a command wrote: the file out. */
static size_t written(char *bytes, size_t most)
{
    FILE *f = fopen(fault_path("out"), "rb");

    assert_non_null(f);
    const size_t len = fread(bytes, 1, most, f);
    (void)fclose(f);
    return len;
}

/* Runs the line with the k-th allocation failing; false when none did, or at a fault. */
static bool fails_cleanly(size_t *faults, size_t i, long k, bool on)
{
    const cmd *const commands[] = { lines[i].command, NULL };

    const size_t before = fault_files();
    wrap_fail(k, on);
    const int status = run_tool_in(commands, fault_folder, lines[i].line);
    const bool failed = wrap_stop();
    char out[1];
    const bool streams = lines[i].command == &cmd_sort; /* its lines, as they come */
    const bool told = status == 0 || (failed && status == 1 && (streams || written(out, 1) == 0)
                                      && strstr(said(), " memory") != NULL);
    if (strstr(lines[i].line, "/made") != NULL)
        remove_made(); /* it may be complete, and the report of it have failed */
    if (told && fault_files() == before)
        return failed;
    print_error("%s, allocation %ld%s: status %d%s: %s\n", lines[i].line, k, on ? " and on" : "",
                status, told ? ", and a file is left" : "", said());
    ++*faults;
    return false;
}

static int write_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        (void)fault_file(files[i].name, files[i].text, strlen(files[i].text));
    (void)fault_file("out", "", 0);
    (void)fault_file("err", "", 0);
#if INTERVALE_JUDGE
    static const cmd *const judge[] = { &cmd_judge_new, &cmd_judge_import, NULL };
    return run_tool_in(judge, fault_folder, "judge new @/session " QUEUE)
           + run_tool_in(judge, fault_folder, "judge new @/ranked --queue @/refs.csv")
           + run_tool_in(judge, fault_folder, "judge import @/session @/four");
#else
    return 0;
#endif
}

static int remove_files(void **state)
{
    (void)state;
    (void)unlink(fault_path("out"));
    (void)unlink(fault_path("err"));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        (void)unlink(fault_path(files[i].name));
    (void)unlink(fault_path("ranked"));
    (void)unlink(fault_path("session"));
    (void)unlink(fault_path("session-lock"));
    return 0;
}

static void a_command_without_memory_says_so_and_leaves_nothing(void **state)
{
    (void)state;
    size_t faults = 0;

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_false(fails_cleanly(&faults, i, 0, false)); /* it works at all */
        for (int on = 0; on < 2; on++)
            for (long k = 1; fails_cleanly(&faults, i, k, on); k += k < one_by_one ? 1 : 1 + k / nearer)
                continue;
    }
    assert_int_equal(faults, 0);
}

/* ----------------------------------------------------------- the system -- */

/* Runs a line with more words behind it while the system does that. */
static int run_line(bool *hit, size_t i, const char *more, wrap_fault fault)
{
    const cmd *const commands[] = { lines[i].command, NULL };
    char words[600];

    (void)snprintf(words, sizeof words, "%s%s", lines[i].line, more);
    wrap_system(fault);
    const int status = run_tool_in(commands, fault_folder, words);
    *hit = wrap_stop();
    return status;
}

static void reads_that_are_interrupted_or_short_change_nothing(void **state)
{
    (void)state;
    static char plain[1 << 18], after[1 << 18];
    size_t reading = 0;
    bool hit;

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_int_equal(run_line(&hit, i, "", WRAP_ALL_WELL), 0);
        const size_t len = written(plain, sizeof plain);
        remove_made();
        const int status = run_line(&hit, i, "", WRAP_SHORT_READS);
        remove_made();
        reading += hit;
        if (status != 0 || written(after, sizeof after) != len || memcmp(plain, after, len) != 0)
            fail_msg("%s, short reads: status %d: %s", lines[i].line, status, said());
    }
    assert_true(reading > sizeof lines / sizeof *lines / 2);
}

/* Every line that meets the fault, perhaps given more words, says why, with
 * status 1, and leaves nothing. */
static void fails_in_one_line(const char *more, wrap_fault fault, const char *why)
{
    size_t met = 0;

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const bool made = strstr(lines[i].line, "@/made") != NULL;
        const size_t before = fault_files();
        bool hit;

        if (made && fault == WRAP_ALL_WELL)
            continue;
        const int status = run_line(&hit, i, made ? "" : more, fault);
        met += hit || fault == WRAP_ALL_WELL;
        const char *end = strchr(said(), '\n');
        const bool told = end != NULL && end[1] == '\0' && strstr(said(), why) != NULL;
        if ((hit || fault == WRAP_ALL_WELL) ? status != 1 || !told : status != 0)
            fail_msg("%s%s: status %d: %s", lines[i].line, more, status, said());
        if (!hit && fault != WRAP_ALL_WELL)
            remove_made();
        if (fault_files() != before)
            fail_msg("%s%s: a file is left", lines[i].line, more);
    }
    assert_true(met > sizeof lines / sizeof *lines / 2);
}

static void reads_that_fail_are_told(void **state)
{
    (void)state;
    fails_in_one_line("", WRAP_FAILED_READS, "Input/output error");
}

static void a_full_disk_is_told(void **state)
{
    (void)state;
    fails_in_one_line(" -o /dev/full", WRAP_ALL_WELL, "No space left on device");
}

static void bytes_that_do_not_reach_the_disk_are_told(void **state)
{
    (void)state;
    fails_in_one_line(" -o @/made", WRAP_FAILED_SYNCS, "Input/output error");
}

static void a_file_that_does_not_get_its_name_is_told(void **state)
{
    (void)state;
    fails_in_one_line(" -o @/made", WRAP_FAILED_NAMES, "Input/output error");
}

int system_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_that_are_interrupted_or_short_change_nothing),
        cmocka_unit_test(reads_that_fail_are_told),
        cmocka_unit_test(a_full_disk_is_told),
        cmocka_unit_test(bytes_that_do_not_reach_the_disk_are_told),
        cmocka_unit_test(a_file_that_does_not_get_its_name_is_told),
    };
    return cmocka_run_group_tests_name("system", tests, write_files, remove_files);
}

int command_tests(bool all)
{
    one_by_one = all ? 400 : 1;
#ifdef DRAWN_SANITIZED
    nearer = all ? 8 : 2; /* three times as slow */
#else
    nearer = all ? 8 : 4;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_without_memory_says_so_and_leaves_nothing),
    };
    return cmocka_run_group_tests_name("commands", tests, write_files, remove_files);
}
