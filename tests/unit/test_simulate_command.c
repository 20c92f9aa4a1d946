/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims about the command simulate, run inside this program in a directory of
 * its own; the name of a test is the claim.
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
#include "run_tool.h"
#include "scratch.h"
#include "test_simulate.h"
#include "simulate/simulation.h"

#define SMALL "--topics 4 --documents 60 --runs 3 --prevalence 0.2 "

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

/* Runs "intervale simulate WORDS"; output goes to files out and err. */
static int simulate(const char *words)
{
    static const cmd *const commands[] = { &cmd_simulate, NULL };
    char line[2048];

    (void)snprintf(line, sizeof line, "simulate %s", words);
    return run_tool(commands, line);
}

/* Keeps the output of the last command under another name. */
static void keep(const char *name)
{
    assert_int_equal(rename("out", name), 0);
}

static void same_collections(const char *a, const char *b)
{
    static const char *const all[] = { "qrels", "README", "truth.tsv", "runs/sim01",
                                       "runs/sim02", "runs/sim03" };
    char x[SCRATCH_PATH], y[SCRATCH_PATH];

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        (void)snprintf(x, sizeof x, "%s/%s", a, all[i]);
        (void)snprintf(y, sizeof y, "%s/%s", b, all[i]);
        scratch_assert_same(&home, x, y);
    }
}

static void nothing_depends_on_threads_or_on_the_directory(void **state)
{
    (void)state;
    assert_int_equal(simulate(SMALL "--threads 1 --format json -o one"), FRAME_OK);
    keep("one.json");
    assert_int_equal(simulate(SMALL "--threads 3 --format json --output=two"), FRAME_OK);
    keep("two.json");
    scratch_assert_same(&home, "one.json", "two.json");
    same_collections("one", "two");
}

static void the_command_in_readme_makes_the_same_files(void **state)
{
    (void)state;
    char words[2048];
    size_t len;

    assert_int_equal(simulate(SMALL "--quality 2,1 --seed 9 --judged 20 --judging uniform "
                              "--ties 0.25 -o first"), FRAME_OK);
    char *text = scratch_bytes(&home, "first/README", &len);
    char *begin = strstr(text, "intervale simulate "), *end = strstr(text, "-o DIR");
    assert_true(begin != NULL && end != NULL && end > begin);
    for (char *c = begin; c < end; c++) {
        if (*c == '\\' || *c == '\n')
            *c = ' ';
    }
    *end = '\0';
    (void)snprintf(words, sizeof words, "%s -o again", begin + strlen("intervale simulate "));
    free(text);
    assert_int_equal(simulate(words), FRAME_OK);
    same_collections("first", "again");
}

static void the_tsv_result_is_the_truth_file(void **state)
{
    (void)state;
    assert_int_equal(simulate(SMALL "--format tsv -o three"), FRAME_OK);
    scratch_assert_same(&home, "out", "three/truth.tsv");
}

/* The same bytes as with the library's own defaults. */
static void the_defaults_are_the_librarys(void **state)
{
    (void)state;
    const iv_simulation_options o = { 0 };
    iv_simulation_files f = { 0 };
    double truth[10];
    iv_simulation_summary sum;
    iv_simulation *s = NULL;

    assert_int_equal(simulate("--topics 2 -o command"), FRAME_OK);
    f.topics = 2;
    assert_int_equal(iv_simulation_new(&s, &o, NULL), IV_OK);
    assert_int_equal(iv_simulation_write(truth, &sum, s, "library", &f, NULL, NULL), IV_OK);
    iv_simulation_free(s);
    same_collections("command", "library");
    assert_int_equal(sum.judgments, 8000);
    assert_int_equal(sum.run_lines, 20000);
}

/* Every line of a run: topic, document, rank, score, tag, in rank order. */
static void a_run_has_six_columns_in_rank_order(void **state)
{
    (void)state;
    char tag[16], topic[16], before[16] = "";
    long rank, last_rank = 0, lines = 0;
    double score, last = 0.0;

    assert_int_equal(simulate(SMALL "--prefix bm25- --depth 5 --first-topic 8 -o order"),
                     FRAME_OK);
    FILE *file = fopen("order/runs/bm25-02", "r");
    assert_non_null(file);
    while (fscanf(file, "%15s Q0 DOC-%*7d %ld %lf %15s\n", topic, &rank, &score, tag) == 4) {
        const bool next = strcmp(topic, before) != 0;
        assert_int_equal(rank, next ? 1 : last_rank + 1);
        assert_true(next || score < last);
        assert_string_equal(tag, "bm25-02");
        memcpy(before, topic, sizeof before);
        last_rank = rank;
        last = score;
        lines++;
    }
    assert_int_equal(getc(file), EOF);
    (void)fclose(file);
    assert_int_equal(lines, 20);
    assert_string_equal(topic, "11");
}

/* ------------------------------------------------------------- refusal -- */

static void refused(int status, const char *says, const char *words)
{
    size_t len;

    assert_int_equal(simulate(words), status);
    char *text = scratch_bytes(&home, "err", &len);
    if (strstr(text, says) == NULL)
        print_error("simulate %s: \"%s\" does not say \"%s\"\n", words, text, says);
    assert_non_null(strstr(text, says));
    assert_true(strchr(text, '\n') == text + len - 1); /* one line */
    free(text);
    text = scratch_bytes(&home, "out", &len);
    assert_int_equal(len, 0);
    free(text);
    assert_int_not_equal(access("bad", F_OK), 0);
}

static void what_cannot_be_made_gets_one_line(void **state)
{
    (void)state;
    assert_int_equal(simulate(SMALL "-o there"), FRAME_OK);
    const int before = scratch_names(&home);
    refused(FRAME_USAGE, "-o DIR is missing", "--topics 3");
    refused(FRAME_USAGE, "-o DIR is missing", "--topics 3 -o -");
    refused(FRAME_USAGE, "'1' is not an integer from 2 to 10", "--grades 1 -o bad");
    refused(FRAME_USAGE, "not a number above 0 and below 1", "--prevalence 1 -o bad");
    refused(FRAME_USAGE, "a depth of 70, but a topic has 60", SMALL "--depth 70 -o bad");
    refused(FRAME_USAGE, "4 qualities for 3 runs", SMALL "--quality 1,2,3,4 -o bad");
    refused(FRAME_USAGE, "61 judged documents", SMALL "--judged 61 -o bad");
    refused(FRAME_USAGE, "the prefix of the runs' names is 'a/b'", "--prefix a/b -o bad");
    refused(FRAME_USAGE, "unexpected operand 'x'", SMALL "-o bad x");
    refused(FRAME_USAGE, "did you mean '--quality'?", "--qualty 1 -o bad");
    refused(FRAME_FAILED, "there: exists and is not empty", SMALL "-o there");
    refused(FRAME_FAILED, "none/such: cannot make the directory", SMALL "-o none/such");
    assert_int_equal(scratch_names(&home), before);
}

int simulate_command_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_depends_on_threads_or_on_the_directory),
        cmocka_unit_test(the_command_in_readme_makes_the_same_files),
        cmocka_unit_test(the_tsv_result_is_the_truth_file),
        cmocka_unit_test(the_defaults_are_the_librarys),
        cmocka_unit_test(a_run_has_six_columns_in_rank_order),
        cmocka_unit_test(what_cannot_be_made_gets_one_line),
    };
    return cmocka_run_group_tests(tests, enter_home, leave_home);
}
