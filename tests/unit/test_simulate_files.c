/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims about simulated collections as files; the name of a test is the
 * claim.  Everything happens in a directory of its own, which is removed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "err_text.h"
#include "scratch.h"
#include "test_simulate.h"
#include "simulate/simulation.h"
#include "trec/judgments.h"
#include "trec/run.h"
#include "base/memory.h"

enum { RUNS = 3, TOPICS = 7 };

static scratch home;

static int make_home(void **state)
{
    (void)state;
    return !scratch_make(&home);
}

static int clear_home(void **state)
{
    (void)state;
    scratch_remove(home.path);
    return 0;
}

static iv_simulation *small(void)
{
    iv_simulation_options o = { 0 };
    iv_simulation *s = NULL;

    o.documents = 300;
    o.runs = RUNS;
    o.depth = 100;
    o.grades = 3;
    o.prevalence = 0.1;
    assert_int_equal(iv_simulation_new(&s, &o, NULL), IV_OK);
    return s;
}

static iv_simulation_files files(void)
{
    iv_simulation_files f = { 0 };

    f.topics = TOPICS;
    f.first_topic = 98; /* from two digits to three */
    return f;
}

/* Writes a collection and removes nothing. */
static int make(const char *name, const iv_simulation_files *f, double *truth,
                const iv_work *work, iv_err *err)
{
    char path[SCRATCH_PATH];
    iv_simulation_summary sum;
    iv_simulation *s = small();
    const int rc = iv_simulation_write(truth, &sum, s, scratch_at(path, &home, name), f, work,
                                       err);

    iv_simulation_free(s);
    return rc;
}

static iv_judgments *judgments(const char *name)
{
    char path[SCRATCH_PATH];
    iv_judgments *j = NULL;

    assert_int_equal(iv_judgments_load(&j, scratch_at(path, &home, name), IV_JUDGMENTS_QRELS, NULL, NULL),
                     IV_OK);
    return j;
}

static iv_run *load_run(const char *name)
{
    char path[SCRATCH_PATH];
    iv_run *r = NULL;

    assert_int_equal(iv_run_load(&r, scratch_at(path, &home, name), IV_RUN_TREC, NULL, NULL), IV_OK);
    return r;
}

/* One topic of the files against the same topic in memory. */
static void compare_topic(const iv_run *r, const iv_judgments *j, iv_simulated_topic *t,
                          uint32_t run, uint32_t number)
{
    char id[16], name[IV_SIMULATED_NAME_SIZE];
    const iv_judgment *judged;

    (void)snprintf(id, sizeof id, "%u", 98 + number);
    const size_t in_run = iv_run_find_topic(r, iv_str_of(id));
    const size_t in_judgments = iv_judgments_find_topic(j, iv_str_of(id));
    assert_true(in_run != IV_NONE && in_judgments != IV_NONE);
    iv_simulated_topic_draw(t, number);
    iv_simulated_rank(t, run);
    assert_int_equal(iv_run_depth(r, in_run), t->simulation->options.depth);
    for (uint32_t i = 0; i < t->simulation->options.depth; i++) {
        const iv_str docno = iv_run_docno(r, in_run, i);
        (void)iv_simulated_docno(name, t, t->documents[i]);
        assert_int_equal(iv_str_cmp(docno, iv_str_of(name)), 0);
        assert_true(iv_run_score(r, in_run, i) == score_of(t, i));
    }
    assert_int_equal(iv_judgments_of(&judged, j, in_judgments), 300);
    for (uint32_t d = 0; d < 300; d++) {
        (void)iv_simulated_docno(name, t, d);
        assert_int_equal(iv_str_cmp(judged[d].docno, iv_str_of(name)), 0);
        assert_int_equal(judged[d].grade, t->grades[d]);
    }
}

static void the_readers_find_in_the_files_what_is_in_memory(void **state)
{
    (void)state;
    const iv_simulation_files f = files();
    double truth[RUNS];
    iv_simulated_topic *t = NULL;
    iv_simulation *s = small();
    iv_arena own = { 0 };
    double sum = 0.0;

    assert_int_equal(make("read", &f, truth, NULL, NULL), IV_OK);
    t = iv_simulated_topic_take(&own, s);
    assert_int_equal(iv_taken(&own, NULL), IV_OK);
    iv_judgments *j = judgments("read/qrels");
    iv_run *r = load_run("read/runs/sim02");
    assert_int_equal(iv_str_cmp(iv_run_tag(r), iv_str_of("sim02")), 0);
    assert_int_equal(iv_run_topics(r), TOPICS);
    assert_int_equal(iv_judgments_topics(j), TOPICS);
    for (uint32_t k = 0; k < TOPICS; k++) {
        compare_topic(r, j, t, 1, k);
        sum += iv_simulated_ap(t, 1);
    }
    assert_true(fabs(truth[1] - sum / TOPICS) < 1e-14);
    iv_run_free(r);
    iv_judgments_free(j);
    iv_arena_free(&own);
    iv_simulation_free(s);
}

static void the_bytes_do_not_depend_on_threads(void **state)
{
    (void)state;
    static const char *const all[] = { "qrels", "README", "truth.tsv", "runs/sim01",
                                       "runs/sim02", "runs/sim03" };
    iv_simulation_files f = files();
    double truth[RUNS];

    f.judged = 40;
    assert_int_equal(make("one", &f, truth, &(iv_work){ .threads = 1 }, NULL), IV_OK);
    assert_int_equal(make("five", &f, truth, &(iv_work){ .threads = 5 }, NULL), IV_OK);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char a[SCRATCH_PATH], b[SCRATCH_PATH];
        (void)snprintf(a, sizeof a, "one/%s", all[i]);
        (void)snprintf(b, sizeof b, "five/%s", all[i]);
        scratch_assert_same(&home, a, b);
    }
}

/* The best rank of a document over the runs, from 1; 0 when none has it. */
static uint32_t best_rank(iv_run *const *runs, iv_str topic, iv_str docno)
{
    uint32_t best = 0;

    for (size_t r = 0; r < RUNS; r++) {
        const size_t t = iv_run_find_topic(runs[r], topic);
        for (uint32_t i = 0; i < iv_run_depth(runs[r], t); i++) {
            const bool here = iv_str_cmp(iv_run_docno(runs[r], t, i), docno) == 0;
            if (here && (best == 0 || i + 1 < best))
                best = i + 1;
        }
    }
    return best;
}

static void a_pool_holds_what_some_run_ranks_highest(void **state)
{
    (void)state;
    iv_simulation_files f = files();
    double truth[RUNS];
    iv_run *runs[RUNS];
    const iv_judgment *judged, *all;

    assert_int_equal(make("whole", &f, truth, NULL, NULL), IV_OK);
    f.judged = 40;
    assert_int_equal(make("pool", &f, truth, NULL, NULL), IV_OK);
    iv_judgments *pool = judgments("pool/qrels"), *whole = judgments("whole/qrels");
    for (size_t r = 0; r < RUNS; r++) {
        char name[SCRATCH_PATH];
        (void)snprintf(name, sizeof name, "pool/runs/sim%02zu", r + 1);
        runs[r] = load_run(name);
    }
    for (size_t t = 0; t < TOPICS; t++) {
        const iv_str topic = iv_judgments_topic(pool, t);
        uint32_t deepest = 0;
        assert_int_equal(iv_judgments_of(&judged, pool, t), 40);
        for (size_t i = 0; i < 40; i++) {
            const uint32_t rank = best_rank(runs, topic, judged[i].docno);
            assert_true(rank > 0);
            deepest = rank > deepest ? rank : deepest;
        }
        const size_t n = iv_judgments_of(&all, whole, t);
        for (size_t i = 0; i < n; i++) {
            const uint32_t rank = best_rank(runs, topic, all[i].docno);
            const iv_judgment *has = iv_judgments_find(pool, t, all[i].docno);
            assert_true(has != NULL ? has->grade == all[i].grade
                                    : rank == 0 || rank >= deepest);
        }
    }
    for (size_t r = 0; r < RUNS; r++)
        iv_run_free(runs[r]);
    iv_judgments_free(pool);
    iv_judgments_free(whole);
}

static void a_pool_ends_where_the_runs_do_and_a_lot_does_not(void **state)
{
    (void)state;
    iv_simulation_files f = files();
    double truth[RUNS];
    const iv_judgment *judged;

    f.judged = 299;
    assert_int_equal(make("deep", &f, truth, NULL, NULL), IV_OK);
    f.judging = IV_JUDGE_UNIFORM;
    assert_int_equal(make("lot", &f, truth, NULL, NULL), IV_OK);
    iv_judgments *deep = judgments("deep/qrels"), *lot = judgments("lot/qrels");
    for (size_t t = 0; t < TOPICS; t++) {
        const size_t n = iv_judgments_of(&judged, deep, t);
        assert_true(n >= 100 && n < 299);
        assert_int_equal(iv_judgments_of(&judged, lot, t), 299);
    }
    iv_judgments_free(deep);
    iv_judgments_free(lot);
}

/* ------------------------------------------------------------- refusal -- */

static void refused(const char *name, const iv_simulation_files *f, int code,
                    const char *says)
{
    double truth[RUNS] = { 77.0 };
    iv_err err = { IV_OK, "" };
    const int before = scratch_names(&home);

    assert_int_equal(make(name, f, truth, &(iv_work){ .threads = 2 }, &err), code);
    if (strstr(err_text(&err), says) == NULL)
        print_error("\"%s\" does not say \"%s\"\n", err_text(&err), says);
    assert_non_null(strstr(err_text(&err), says));
    assert_true(truth[0] == 77.0);
    assert_int_equal(scratch_names(&home), before);
}

static void what_no_file_could_hold_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = { "", "a/b", "a b", ".a", "-a", "1a", "\xc3\xa4",
                                       "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddd" };
    iv_simulation_files f = files();

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        f.prefix = bad[i];
        refused("bad", &f, IV_EARG, "the prefix of the runs' names is '");
    }
    f = files();
    f.topics = UINT32_MAX;
    refused("bad", &f, IV_EARG, "the number of topics is 4294967295");
    f = files();
    f.first_topic = -2;
    refused("bad", &f, IV_EARG, "7 topics from number -2");
    f = files();
    f.first_topic = UINT32_MAX - 3;
    refused("bad", &f, IV_EARG, "7 topics from number 4294967292");
    f = files();
    f.judged = 301;
    refused("bad", &f, IV_EARG, "301 judged documents, but a topic has 300");
}

static void what_is_there_already_stays_as_it_is(void **state)
{
    (void)state;
    const iv_simulation_files f = files();
    double truth[RUNS];
    char path[SCRATCH_PATH], old[SCRATCH_PATH + 16];
    size_t len;

    assert_int_equal(mkdir(scratch_at(path, &home, "there"), 0777), 0);
    assert_int_equal(make("there/", &f, truth, NULL, NULL), IV_OK); /* it was empty */
    char *first = scratch_bytes(&home, "there/qrels", &len);
    assert_true(len > 0);
    free(first);
    refused("there", &f, IV_EIO, "there: exists and is not empty");
    refused("there/qrels", &f, IV_EIO, "there/qrels: exists and is not a directory");
    refused("none/such", &f, IV_EIO, "none/such: cannot make the directory");
    assert_non_null(getcwd(old, sizeof old));
    assert_int_equal(mkdir(scratch_at(path, &home, "here"), 0777), 0);
    assert_int_equal(chdir(path), 0);
    refused("here", &f, IV_EIO, "here: is the current directory");
    assert_int_equal(chdir(old), 0);
}

static void a_full_disk_leaves_nothing_behind(void **state)
{
    (void)state;
    iv_simulation_files f = files();
    struct rlimit old, tight;

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    tight = old;
    tight.rlim_cur = 20000; /* less than a file needs */
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    refused("full", &f, IV_EIO, "full: cannot write: File too large");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
}

static int stop(void *user, double fraction)
{
    (void)fraction;
    return ++*(int *)user > 2;
}

static void work_that_is_stopped_leaves_nothing_behind(void **state)
{
    (void)state;
    iv_simulation_files f = files();
    double truth[RUNS];
    iv_err err = { 0 };
    int asked = 0;

    f.topics = 2000;
    assert_int_equal(make("stopped", &f, truth, &(iv_work){ 2, 0, { stop, &asked } }, &err),
                     IV_ECANCELLED);
    assert_int_equal(asked, 3);
    assert_int_equal(access("stopped", F_OK), -1);
}

int simulate_files_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_readers_find_in_the_files_what_is_in_memory),
        cmocka_unit_test(the_bytes_do_not_depend_on_threads),
        cmocka_unit_test(work_that_is_stopped_leaves_nothing_behind),
        cmocka_unit_test(a_pool_holds_what_some_run_ranks_highest),
        cmocka_unit_test(a_pool_ends_where_the_runs_do_and_a_lot_does_not),
        cmocka_unit_test(what_no_file_could_hold_is_refused),
        cmocka_unit_test(what_is_there_already_stays_as_it_is),
        cmocka_unit_test(a_full_disk_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, make_home, clear_home);
}
