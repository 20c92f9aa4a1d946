/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every allocation fails once, and then all from it on: what was asked fails
 * with IV_ENOMEM, leaks nothing (a sanitized build sees it) and leaves the out
 * parameter alone.  Or it gets by without that memory, and then it is right.
 */
#include "result/result_build.h"
#include "trec/inspection.h"
#include "trec/judgments.h"
#include "trec/run_records.h"
#include "trec/score_table.h"
#include "err_text.h"
#include "fault.h"

#include <fcntl.h>
#include <unistd.h>

#include <zlib.h>
#include <zstd.h>

#include "frame/frame.h"
#include "wrap.h"
#include "base/bytes.h"

/* Does the work and undoes it; IV_OK if all of it was as it should be. */
typedef int work(iv_err *err);

static int untouched_mark;

/* What an out parameter points to before; a failure must leave it so. */
#define UNTOUCHED ((void *)&untouched_mark)

static void fails_cleanly(work *todo, const char *name)
{
    for (int on = 0; on < 2; on++) {
        bool failed = true;
        for (long k = 1; failed; k++) {
            iv_err err = { IV_OK, "" };
            wrap_fail(k, on);
            const int rc = todo(&err);
            failed = wrap_stop();
            if (rc != IV_OK && !(failed && rc == IV_ENOMEM && err.code == IV_ENOMEM
                                 && strstr(err_text(&err), "out of memory") != NULL))
                fail_msg("%s, allocation %ld%s: %d %s", name, k, on ? " and on" : "", rc,
                         err_text(&err));
            assert_true(k < 100000);
        }
    }
}

/* --------------------------------------------------------------- readers -- */

static const char run_text[] = "2 Q0 a 1 3 t\n1 Q0 b 1 2 t\n2 Q0 c 2 2.99999999999 t\n"
                               "1 Q0 a 2 5 t\n\n3 Q0 z 1 1 u\n";
static const char qrels_text[] = "2 0 a 1\n1 0 b 0\n2 0 x 2\n1 0 a 1\n";

static int read_run(iv_err *err)
{
    iv_run *run = UNTOUCHED;
    const int rc = iv_run_parse(&run, "f", run_text, strlen(run_text), IV_RUN_ANY, NULL, err);

    if (rc < 0) {
        assert_ptr_equal(run, UNTOUCHED);
        return rc;
    }
    assert_int_equal(iv_run_topics(run), 3);
    assert_int_equal(iv_run_depth(run, 0), 2);
    iv_run_free(run);
    return IV_OK;
}

static int read_run_by_two(iv_err *err)
{
    iv_run *run = UNTOUCHED;
    const int rc = iv_run_parse(&run, "f", run_text, strlen(run_text), IV_RUN_ANY,
                                &(iv_work){ .threads = 2 }, err);

    if (rc < 0) {
        assert_ptr_equal(run, UNTOUCHED);
        return rc;
    }
    assert_int_equal(iv_run_topics(run), 3);
    iv_run_free(run);
    return IV_OK;
}

static int read_run_in_pieces(iv_err *err)
{
    iv_bytes bytes;
    iv_problems problems = { .most = 9 };
    int rc = iv_bytes_copy(&bytes, "f", run_text, strlen(run_text), NULL, err);

    if (rc < 0)
        return rc;
    iv_run run = { .bytes = bytes };
    (void)iv_run_read(&run, IV_RUN_ANY, false, &(iv_work){ .threads = 2 }, 10, &problems);
    iv_problems_finish(&problems);
    rc = iv_problems_verdict(&problems, "f", err);
    if (rc == IV_OK)
        assert_int_equal(iv_run_topics(&run), 3);
    iv_problems_free(&problems);
    iv_run_forget(&run);
    iv_bytes_free(&run.bytes);
    return rc;
}

/* A file that must be refused is refused for what is wrong with it, or memory. */
static int refuse_run(iv_err *err)
{
    static const char text[] = "1 Q0 a 1 3 t\n1 Q0 b 1 x t\n1 Q0 a 2 9 t\n1 Q0\n";
    iv_run *run = UNTOUCHED;
    const int rc = iv_run_parse(&run, "f", text, strlen(text), IV_RUN_ANY, NULL, err);

    assert_ptr_equal(run, UNTOUCHED);
    if (rc != IV_EPARSE)
        return rc;
    assert_string_equal(err_text(err), "f:2: score 'x', expected a finite number");
    return IV_OK;
}

static int refuse_repeats(iv_err *err)
{
    static const char text[] = "1 Q0 a 1 3 t\n1 Q0 b 1 2 t\n1 Q0 a 2 9 t\n1 Q0 b 2 8 t\n";
    iv_run *run = UNTOUCHED;
    const int rc = iv_run_parse(&run, "f", text, strlen(text), IV_RUN_ANY, NULL, err);

    assert_ptr_equal(run, UNTOUCHED);
    if (rc != IV_EPARSE)
        return rc;
    assert_memory_equal(err_text(err), "f:3: document 'a' of topic '1' is a duplicate of line 1;", 56);
    return IV_OK;
}

static int read_judgments(iv_err *err)
{
    iv_judgments *j = UNTOUCHED;
    const int rc = iv_judgments_parse(&j, "f", qrels_text, strlen(qrels_text),
                                      IV_JUDGMENTS_ANY, NULL, err);

    if (rc < 0) {
        assert_ptr_equal(j, UNTOUCHED);
        return rc;
    }
    assert_int_equal(iv_judgments_find(j, 1, iv_str_of("x"))->grade, 2);
    iv_judgments_free(j);
    return IV_OK;
}

static int refuse_judgments(iv_err *err)
{
    static const char text[] = "1 a 1 1 0.5\n1 b 1 1 0\n1 a 1 1 1\n";
    iv_judgments *j = UNTOUCHED;
    const int rc = iv_judgments_parse(&j, "f", text, strlen(text), IV_JUDGMENTS_PRELS,
                                      &(iv_work){ .threads = 2 }, err);

    assert_ptr_equal(j, UNTOUCHED);
    if (rc != IV_EPARSE)
        return rc;
    assert_string_equal(err_text(err), "f:2: inclusion probability '0', expected 0 < pi <= 1");
    return IV_OK;
}

static int join(iv_err *err)
{
    iv_run *run = NULL;
    iv_judgments *j = NULL;
    iv_join *w = NULL;
    iv_joined topic = { .hit_count = 99 };
    int rc = iv_run_parse(&run, "f", run_text, strlen(run_text), IV_RUN_ANY, NULL, err);

    if (rc == IV_OK)
        rc = iv_judgments_parse(&j, "f", qrels_text, strlen(qrels_text), IV_JUDGMENTS_ANY, NULL,
                                err);
    if (rc == IV_OK)
        rc = iv_join_new(&w, err);
    if (rc == IV_OK) {
        rc = iv_join_topic(&topic, w, run, 1, j, 1, IV_SCORES_FLOAT, err);
        if (rc == IV_OK)
            assert_int_equal(topic.float_ties, 1);
        else
            assert_int_equal(topic.hit_count, 99);
    }
    iv_join_free(w);
    iv_judgments_free(j);
    iv_run_free(run);
    return rc;
}

static int read_table(iv_err *err)
{
    static const char text[] = "a,b\n\"1\"\"2\",\"x\ny\"\n3,4\n5,6\n7,8\n";
    iv_csv *t = UNTOUCHED;
    const int rc = iv_csv_parse(&t, "f", text, strlen(text), err);

    if (rc < 0) {
        assert_ptr_equal(t, UNTOUCHED);
        return rc;
    }
    assert_int_equal(iv_csv_rows(t), 4);
    iv_csv_free(t);
    return IV_OK;
}

static int read_matrices(iv_err *err)
{
    static const char *const texts[] = { "run,1,2\nA,1,2\nB,,4\n", "A,B\n0.5,1\n0.25,1\n" };
    int rc = IV_OK;

    for (size_t i = 0; i < 2 && rc == IV_OK; i++) {
        iv_score_table *m = UNTOUCHED;
        rc = iv_score_table_parse(&m, "f", texts[i], strlen(texts[i]), NULL, IV_ROWS_TOPICS, err);
        if (rc < 0) {
            assert_ptr_equal(m, UNTOUCHED);
        } else {
            assert_int_equal(m->system_count, 2);
            iv_score_table_free(m);
        }
    }
    return rc;
}

/* ------------------------------------------------------------ inspection -- */

static int inspect_texts(const char *const *texts, iv_err *err)
{
    int rc = IV_OK;

    for (; *texts != NULL && rc == IV_OK; texts++) {
        iv_inspector *i = UNTOUCHED;
        iv_bytes bytes;
        rc = iv_bytes_copy(&bytes, "f", *texts, strlen(*texts), NULL, err);
        if (rc == IV_OK)
            rc = iv_inspect_bytes(&i, &bytes, IV_JUDGMENTS_ANY, 5, NULL, "f", err);
        if (rc < 0) {
            assert_ptr_equal(i, UNTOUCHED);
        } else {
            const iv_inspector *v = i;
            assert_true(v->kind != IV_FILE_UNKNOWN);
            assert_int_equal(v->kind == IV_FILE_RUN, v->tag != NULL);
            assert_true(v->problems.count > 0);
            iv_inspector_free(i);
        }
    }
    return rc;
}

static int inspect_runs(iv_err *err)
{
    return inspect_texts((const char *const[]){
        run_text, "1 Q0 a 1 x t\r\n1 Q0 b 1 1 t\n1 Q0 b 1 2 t\n", NULL }, err);
}

static int inspect_judgments(iv_err *err)
{
    return inspect_texts((const char *const[]){
        "1 0 a 0\n", "1 0 a 1\n1 0 a 1\n2 0\n", "1 1 1 1 1\n", NULL }, err);
}

static int inspect_tables(iv_err *err)
{
    return inspect_texts((const char *const[]){
        "run,1\nA,1\nA,2\n", "A,B\n0.5,1\n", "a,a\n\"1\",2,3\n", NULL }, err);
}

/* ----------------------------------------------------------- whole files -- */

static int load_packed(const char *name, iv_err *err)
{
    iv_run *run = UNTOUCHED;
    const int rc = iv_run_load(&run, fault_path(name), IV_RUN_ANY, NULL, err);

    if (rc < 0) {
        assert_ptr_equal(run, UNTOUCHED);
        return rc;
    }
    assert_int_equal(iv_run_topics(run), 3);
    iv_run_free(run);
    return IV_OK;
}

static int load_plain(iv_err *err) { return load_packed("plain", err); }
static int load_gzip(iv_err *err) { return load_packed("gzip", err); }
static int load_zstd(iv_err *err) { return load_packed("zstd", err); }

static int inspect_file(iv_err *err)
{
    iv_inspector *i = UNTOUCHED;
    const int rc = iv_inspect(&i, fault_path("cut"), IV_JUDGMENTS_ANY, 5, NULL, err);

    if (rc < 0) {
        assert_ptr_equal(i, UNTOUCHED);
        return rc;
    }
    assert_int_equal(i->problems.count, 1);
    iv_inspector_free(i);
    return IV_OK;
}

static void make_files(void)
{
    char packed[1000];
    gzFile gz;

    (void)fault_file("plain", run_text, strlen(run_text));
    gz = gzopen(fault_path("gzip"), "wb");
    assert_int_equal(gzwrite(gz, run_text, (unsigned)strlen(run_text)), strlen(run_text));
    assert_int_equal(gzclose(gz), Z_OK);
    const size_t len = ZSTD_compress(packed, sizeof packed, run_text, strlen(run_text), 3);
    assert_false(ZSTD_isError(len));
    (void)fault_file("zstd", packed, len);
    (void)fault_file("cut", packed, len - 2);
}

/* --------------------------------------------------- results, the command -- */

static int fill_and_write(iv_err *err)
{
    static const iv_column columns[] = { { "name", IV_TEXT, 0 }, { "n", IV_INTEGER, 0 },
        { "value", IV_REAL, 3 }, { "low", IV_REAL, 3 }, { "high", IV_REAL, 3 } };
    iv_result *r = UNTOUCHED;
    int rc = iv_result_new(&r, "test", err);

    if (rc < 0) {
        assert_ptr_equal(r, UNTOUCHED);
        return rc;
    }
    iv_result_argument(r, "word");
    iv_result_seed(r, 7);
    iv_result_input(r, "file", 12);
    iv_result_note(r, "a note of %d words", 5);
    iv_result_answer(r, "%s", "The answer.");
    for (int t = 0; t < 9; t++) {
        iv_table *table = iv_result_table(r, "table", columns, 5);
        iv_table_draw(table, (iv_drawn){ "value", "low", "high", 0.0, 1.0 });
        for (int i = 0; i < 9; i++) {
            iv_put_text(table, iv_str_of("some, \"text\"\twith | everything & more"));
            iv_put_int(table, i);
            iv_put_real(table, 0.5);
            iv_put_real(table, 0.25);
            iv_put_missing(table);
        }
    }
    for (int f = IV_FORMAT_TEXT; f <= IV_FORMAT_LATEX && rc == IV_OK; f++) {
        const iv_report_options options = { .format = (iv_format)f, .width = 100 };
        FILE *out = fopen("/dev/null", "w");
        assert_non_null(out);
        rc = iv_report_write(out, r, &options, err);
        (void)fclose(out);
    }
    iv_err later = { IV_OK, "" };
    assert_int_equal(iv_result_status(r, &later) == IV_OK || rc == IV_ENOMEM, true);
    iv_result_free(r);
    return rc;
}

static int write_file(iv_err *err)
{
    iv_outfile *f = UNTOUCHED;
    const size_t before = fault_files();
    int rc = iv_outfile_open(&f, fault_path("plain"), err);

    if (rc < 0) {
        assert_ptr_equal(f, UNTOUCHED);
        assert_int_equal(fault_files(), before); /* no temporary one either */
        return rc;
    }
    (void)fputs(run_text, iv_outfile_stream(f));
    rc = iv_outfile_commit(f, err);
    assert_int_equal(fault_files(), before);
    return rc;
}

typedef struct args {
    bool flag;
    iv_texts names;
} args;

static int parse_options(iv_err *err)
{
    static const opt opts[] = { OPT_FLAG(args, 'f', "flag", flag, "a flag"),
                                OPT_LIST(args, 'n', "name", "NAME", names, "names"), OPT_END };
    char *argv[] = { (char[]){ "-fn" }, (char[]){ "x" }, (char[]){ "--name=y" },
                     (char[]){ "operand" }, NULL };
    args a = { .flag = false };
    const opt_set set = { opts, &a };
    options_words words = { 0 };
    const int rc = options_parse(&words, &set, 1, 4, argv, err);

    if (rc == IV_OK)
        assert_int_equal(a.names.count, 2);
    options_free(&words);
    return rc;
}

#define FAILS_CLEANLY(todo)                                     \
    static void todo##_survives_any_failed_allocation(void **state) \
    {                                                           \
        (void)state;                                            \
        fails_cleanly(todo, #todo);                             \
    }
FAILS_CLEANLY(read_run)
FAILS_CLEANLY(read_run_by_two)
FAILS_CLEANLY(read_run_in_pieces)
FAILS_CLEANLY(refuse_run)
FAILS_CLEANLY(refuse_repeats)
FAILS_CLEANLY(read_judgments)
FAILS_CLEANLY(refuse_judgments)
FAILS_CLEANLY(join)
FAILS_CLEANLY(read_table)
FAILS_CLEANLY(read_matrices)
FAILS_CLEANLY(inspect_runs)
FAILS_CLEANLY(inspect_judgments)
FAILS_CLEANLY(inspect_tables)
FAILS_CLEANLY(load_plain)
FAILS_CLEANLY(load_gzip)
FAILS_CLEANLY(load_zstd)
FAILS_CLEANLY(inspect_file)
FAILS_CLEANLY(fill_and_write)
FAILS_CLEANLY(write_file)
FAILS_CLEANLY(parse_options)

static int remove_files(void **state)
{
    static const char *const names[] = { "plain", "gzip", "zstd", "cut" };

    (void)state;
    for (size_t i = 0; i < 4; i++)
        (void)unlink(fault_path(names[i]));
    return 0;
}

static int prepare_files(void **state)
{
    (void)state;
    make_files();
    return 0;
}

#define CLAIM(todo) cmocka_unit_test(todo##_survives_any_failed_allocation)

int memory_tests(void)
{
    const struct CMUnitTest tests[] = {
        CLAIM(read_run), CLAIM(read_run_by_two), CLAIM(read_run_in_pieces), CLAIM(refuse_run),
        CLAIM(refuse_repeats), CLAIM(read_judgments), CLAIM(refuse_judgments), CLAIM(join),
        CLAIM(read_table), CLAIM(read_matrices), CLAIM(inspect_runs), CLAIM(inspect_judgments),
        CLAIM(inspect_tables), CLAIM(load_plain), CLAIM(load_gzip), CLAIM(load_zstd),
        CLAIM(inspect_file), CLAIM(fill_and_write), CLAIM(write_file), CLAIM(parse_options),
    };
    return cmocka_run_group_tests_name("memory", tests, prepare_files, remove_files);
}
