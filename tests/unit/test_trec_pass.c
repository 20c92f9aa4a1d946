/* SPDX-License-Identifier: Apache-2.0 */
/* A run read from a file, in pieces that are not kept, is that of its text in memory. */
#include "trec_fixture.h"
#include "trec/judgments.h"
#include "trec/run.h"

#include <unistd.h>

/* A run of `lines` lines, 100 a topic, in the order of its scores, longer than two pieces. */
static char *long_run(size_t lines, const char *end)
{
    char *text = malloc(lines * 64 + 1), *at = text;

    assert_non_null(text);
    for (size_t i = 0; i < lines; i++)
        at += sprintf(at, "t%zu Q0 doc-%05zu %zu %.3f tag%s", i / 100, i * 7919 % 100000, i % 100,
                      (double)(1000 - i % 100) / 8.0, end);
    return text;
}

/* What somebody who asks gets: the run and its oddities, or the error. */
static char *outcome(int rc, iv_run *run, const iv_err *err)
{
    char *read = rc == IV_OK ? run_text(run) : strdup(err->msg);
    const size_t size = strlen(read) + 128;
    char *out = malloc(size);
    const iv_run_oddities odd = rc == IV_OK ? iv_run_odd(run) : (iv_run_oddities){ 0 };

    assert_non_null(out);
    (void)snprintf(out, size, "%d:%llu, %d tags, misranked %llu: %s", rc,
                   (unsigned long long)(rc == IV_OK ? 0 : err->line), odd.many_tags,
                   (unsigned long long)odd.misranked_line, read);
    free(read);
    iv_run_free(run);
    return out;
}

static char *from_memory(const char *text, size_t len)
{
    iv_run *run = NULL;
    iv_err err = { IV_OK, "" };
    const int rc = iv_run_parse(&run, "f", text, len, IV_RUN_ANY, NULL, &err);

    return outcome(rc, run, &err);
}

static char *from_file(const char *path, int threads)
{
    iv_run *run = NULL;
    iv_err err = { IV_OK, "" };
    const int rc = iv_run_load(&run, path, IV_RUN_ANY, &(iv_work){ .threads = threads }, &err);

    return outcome(rc, run, &err);
}

/* The text as a file, plain and packed, read by 3 threads, or by 1 and 3. */
static void same_from_files(const char *what, const char *text, int least_threads)
{
    char *(*const packers[])(const char *, size_t *) = { NULL, gzipped, zstandard };
    char *expected = from_memory(text, strlen(text));

    for (int p = 0; p < 3; p++) {
        size_t len = strlen(text);
        char *packed = packers[p] != NULL ? packers[p](text, &len) : NULL;
        char path[300];
        (void)snprintf(path, sizeof path, "%s",
                       temporary("pass", packed != NULL ? packed : text, len));
        for (int threads = least_threads; threads <= 3; threads += 2) {
            char *got = from_file(path, threads);
            if (strcmp(got, expected) != 0)
                fail_msg("%s, packing %d, %d threads: %.200s\ninstead of: %.200s", what, p,
                         threads, got, expected);
            free(got);
        }
        free(packed);
    }
    free(expected);
}

static void a_run_is_the_same_from_a_file_and_from_memory(void **state)
{
    (void)state;
    enum { LINES = 28000 };
    static const char *const ends[] = { "\n", "\r\n", "\n# a comment\n\n" };

    for (size_t e = 0; e < 3; e++) {
        char *text = long_run(LINES, ends[e]);
        same_from_files("lines", text, 1);
        if (e == 0) {
            text[strlen(text) - 1] = '\0';
            same_from_files("no line end at the end", text, 1);
        }
        free(text);
    }
    char *text = long_run(100, "\n"), marked[8000] = "\xef\xbb\xbf";
    same_from_files("a mark", strcat(marked, text), 1);
    free(text);
    same_from_files("three fields", "1 a 1\n1 b 2\n", 1);
    same_from_files("comments alone", "# nothing\n", 1);
    same_from_files("one line", "1 Q0 a 1 2.5 x", 1);
}

/* Replaces as many bytes from the line that holds the byte at `at`. */
static void overwrite(char *text, size_t at, const char *line)
{
    while (text[at - 1] != '\n')
        at--;
    memcpy(text + at, line, strlen(line));
}

static void what_is_odd_or_wrong_is_told_as_in_memory(void **state)
{
    (void)state;
    enum { LINES = 28000, PLACES = 3 };
    static const char *const wrong[] = {
        "t0 Q0 doc-00000 0 1.0 tag\n", "t279 Q0 x 1 2 tag\n", "t9 Q0 x 1 z t\n", "one two\n",
        "t9 Q0 doc-00001 1 999999 tag\n", "t0 Q0 other 1 99999.5 tagg\n",
    };

    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        for (size_t k = 1; k <= PLACES; k++) {
            char *text = long_run(LINES, "\n");
            overwrite(text, strlen(text) * k / (PLACES + 1), wrong[w]);
            same_from_files(wrong[w], text, 3);
            if (k == 2) { /* and something before it */
                overwrite(text, strlen(text) / 3, wrong[0]);
                same_from_files("two", text, 3);
            }
            free(text);
        }
    }
}

static void a_line_longer_than_a_piece_is_read_from_a_plain_file(void **state)
{
    (void)state;
    enum { LONG = 1 << 20 };
    char *text = malloc(LONG + 100);

    assert_non_null(text);
    memset(text, 'a', LONG);
    memcpy(text, "1 Q0 b 1 3 t\n1 Q0 ", 18);
    (void)strcpy(text + LONG, " 2 1 t\n1 Q0 c 3 0 t\n");
    same_from_files("a long docno", text, 1);
    free(text);
}

/* Packed, what no reader accepts is megabytes; the limit would be met before its end. */
static void unpacking_stops_at_the_first_error(void **state)
{
    (void)state;
    enum { SIZE = 48 << 20 };
    char *(*const packers[])(const char *, size_t *) = { gzipped, zstandard };
    static const struct { const char *line, *told; } bad[] = {
        { "bad\n", "1 field, expected a run: 6" },
        { "a", "" }, /* one line, without an end */
    };
    const iv_work work = { .most_bytes = 40 << 20 };
    char *text = malloc(SIZE + 1);

    assert_non_null(text);
    for (size_t b = 0; b < 2; b++) {
        for (size_t i = 0; i < SIZE; i += strlen(bad[b].line))
            memcpy(text + i, bad[b].line, strlen(bad[b].line));
        text[SIZE] = '\0';
        for (int p = 0; p < 2; p++) {
            size_t len = SIZE;
            char *packed = packers[p](text, &len);
            iv_run *run;
            iv_judgments *j;
            iv_err err = { IV_OK, "" };
            const char *path = temporary("bomb", packed, len);
            assert_int_equal(iv_run_load(&run, path, IV_RUN_ANY, &work, &err), IV_EPARSE);
            assert_int_equal(err.line, 1);
            assert_non_null(strstr(err.msg, bad[b].told));
            const int rc = iv_judgments_load(&j, path, IV_JUDGMENTS_ANY, &work, &err);
            assert_int_equal(rc, IV_EPARSE);
            assert_int_equal(err.line, 1);
            if (b == 1)
                assert_string_equal(err.msg, "a line of more than 16777216 bytes, expected "
                                             "lines of text");
            free(packed);
        }
    }
    free(text);
}

static int cut_file(void *user, double done)
{
    (void)done;
    return truncate(user, 100000);
}

static void a_run_that_shrinks_while_it_is_read_is_an_error(void **state)
{
    (void)state;
    char path[300], *text = long_run(80000, "\n");
    iv_run *run;
    iv_err err = { IV_OK, "" };

    (void)snprintf(path, sizeof path, "%s", temporary("shrinking", text, strlen(text)));
    const iv_work work = { .threads = 1, .progress = { cut_file, path } };
    assert_int_equal(iv_run_load(&run, path, IV_RUN_ANY, &work, &err), IV_EIO);
    assert_non_null(strstr(err.msg, "became shorter"));
    free(text);
}

int pass_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_the_same_from_a_file_and_from_memory),
        cmocka_unit_test(what_is_odd_or_wrong_is_told_as_in_memory),
        cmocka_unit_test(a_line_longer_than_a_piece_is_read_from_a_plain_file),
        cmocka_unit_test(unpacking_stops_at_the_first_error),
        cmocka_unit_test(a_run_that_shrinks_while_it_is_read_is_an_error),
    };
    return cmocka_run_group_tests_name("passes over files", tests, NULL, NULL);
}
