/* SPDX-License-Identifier: Apache-2.0 */
/* However a file is cut and by however many threads it is read, it is the same. */
#include "err_text.h"
#include "trec_fixture.h"
#include "trec/judgments_records.h"
#include "trec/problems.h"
#include "trec/run_records.h"
#include "base/bytes.h"

static const size_t cuts[] = { 1, 2, 7, 64, 1000 };
enum { CUTS = sizeof cuts / sizeof *cuts, MOST_THREADS = 4 };

/* A run read so, written out, with all its problems. */
static char *run_cut(const char *text, size_t len, bool collect, int threads, size_t cut)
{
    iv_run run = { .bytes = exact_bytes(text, len) };
    iv_problems problems = { .most = SIZE_MAX };
    char *out = NULL;

    const uint64_t repeats = iv_run_read(&run, IV_RUN_ANY, collect,
                                         &(iv_work){ .threads = threads }, cut, &problems);
    iv_problems_finish(&problems);
    char *told = problems_text(&problems);
    char *read = collect || problems.errors == 0 ? run_text(&run) : strdup("refused");
    const size_t size = strlen(told) + strlen(read) + 128;
    out = malloc(size);
    assert_non_null(out);
    /* Without `collect`, which error is met depends on the cut; that there is
     * one does not. */
    (void)snprintf(out, size, "%s\n%s\n%llu repeats, %llu lines, %llu empty", read,
                   collect ? told : "", (unsigned long long)(collect ? repeats : 0),
                   (unsigned long long)(collect ? run.grouped.lines : 0),
                   (unsigned long long)(collect ? run.grouped.empty_lines : 0));
    free(told);
    free(read);
    iv_problems_free(&problems);
    iv_run_forget(&run);
    iv_bytes_free(&run.bytes);
    return out;
}

static char *judgments_cut(const char *text, size_t len, bool collect, int threads, size_t cut)
{
    iv_judgments j = { .bytes = exact_bytes(text, len) };
    iv_problems problems = { .most = SIZE_MAX };

    (void)iv_judgments_read(&j, IV_JUDGMENTS_ANY, collect,
                            &(iv_work){ .threads = threads }, cut, &problems);
    iv_problems_finish(&problems);
    char *told = problems_text(&problems);
    char *read = collect || problems.errors == 0 ? judgments_text(&j) : strdup("refused");
    const size_t size = strlen(told) + strlen(read) + 128;
    char *out = malloc(size);
    assert_non_null(out);
    (void)snprintf(out, size, "%s\n%s\n%llu lines, %llu comments", read, collect ? told : "",
                   (unsigned long long)(collect ? j.grouped.lines : 0),
                   (unsigned long long)(collect ? j.grouped.comment_lines : 0));
    free(told);
    free(read);
    iv_problems_free(&problems);
    iv_judgments_forget(&j);
    iv_bytes_free(&j.bytes);
    return out;
}

typedef char *reader(const char *, size_t, bool, int, size_t);

static void same_however_cut(reader *read, const char *text, size_t len)
{
    for (int collect = 0; collect < 2; collect++) {
        char *whole = read(text, len, collect, 1, len + 1);
        for (size_t c = 0; c < CUTS; c++) {
            for (int threads = 1; threads <= MOST_THREADS; threads++) {
                char *got = read(text, len, collect, threads, cuts[c]);
                if (strcmp(got, whole) != 0)
                    fail_msg("cut at %zu by %d threads, collect %d: %s\ninstead of: %s",
                             cuts[c], threads, collect, got, whole);
                free(got);
            }
        }
        free(whole);
    }
}

/* A line of a run, now and then odd, rarely wrong. */
static size_t run_line(char *out, uint64_t *seed, bool sound, unsigned number)
{
    const unsigned kind = random_below(seed, 60);
    const unsigned topic = random_below(seed, 4), score = random_below(seed, 9);

    if (kind == 0)
        return (size_t)sprintf(out, "%s", "\n");
    if (kind == 1)
        return (size_t)sprintf(out, " \t\r\n");
    if (kind == 2)
        return (size_t)sprintf(out, "%u\tQ0\td%u\t1\t%u\tt\r\n", topic, number, score);
    if (!sound && kind == 3)
        return (size_t)sprintf(out, "%u Q0 d%u 1 t\n", topic, number);
    if (!sound && kind == 4)
        return (size_t)sprintf(out, "%u Q0 d%u 1 x%u t\n", topic, number, score);
    if (!sound && kind == 5)
        return (size_t)sprintf(out, "%u Q0 d%u 1 %u t\n", topic, number / 2, score);
    if (!sound && kind == 6) {
        const size_t len = (size_t)sprintf(out, "%u Q0 d%u 1 %u t\n", topic, number, score);
        out[len / 2] = '\0';
        return len;
    }
    return (size_t)sprintf(out, "%u Q0 d%u 1 %u t\n", topic, number, score);
}

static void random_runs_are_the_same_however_cut(void **state)
{
    (void)state;
    uint64_t seed = 3;

    for (int round = 0; round < 30; round++) {
        char text[60 * 40];
        size_t len = (size_t)sprintf(text, "0 Q0 first 1 5 tag\n");
        for (unsigned i = 0; i < 3 + random_below(&seed, 50); i++)
            len += run_line(text + len, &seed, round % 2 == 0, i);
        if (round % 3 == 0)
            len--; /* no final line end */
        same_however_cut(run_cut, text, len);
    }
}

static size_t judgment_line(char *out, uint64_t *seed, bool sound, unsigned number)
{
    const unsigned kind = random_below(seed, 40);
    const unsigned topic = random_below(seed, 4), grade = random_below(seed, 3);

    if (kind == 0)
        return (size_t)sprintf(out, "# %u\n", number);
    if (kind == 1)
        return (size_t)sprintf(out, "\r\n");
    if (!sound && kind == 2)
        return (size_t)sprintf(out, "%u 0 d%u\n", topic, number);
    if (!sound && kind == 3)
        return (size_t)sprintf(out, "%u 0 d%u 1.5\n", topic, number);
    if (!sound && kind == 4)
        return (size_t)sprintf(out, "%u 0 d%u %u\n", topic, number / 2, grade);
    if (!sound && kind == 5) {
        const size_t len = (size_t)sprintf(out, "%u 0 d%u %u\n", topic, number, grade);
        out[len - 2] = '\0';
        return len;
    }
    return (size_t)sprintf(out, "%u 0 d%u %u\n", topic, number, grade);
}

static void random_judgments_are_the_same_however_cut(void **state)
{
    (void)state;
    uint64_t seed = 4;

    for (int round = 0; round < 30; round++) {
        char text[60 * 40];
        size_t len = (size_t)sprintf(text, "0 0 first 1\n");
        for (unsigned i = 0; i < 3 + random_below(&seed, 50); i++)
            len += judgment_line(text + len, &seed, round % 2 == 0, i);
        if (round % 3 == 0)
            len--;
        same_however_cut(judgments_cut, text, len);
    }
}

static void odd_judgment_files_are_the_same_however_cut(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "query-id\tcorpus-id\tscore\nq2\tc1\t1\nq1\tc9\t2\n",
        "query-id\tcorpus-id\tscore\nq2\tc1\t1\nquery-id\tcorpus-id\tscore\n",
        "# c\nquery-id\tcorpus-id\tscore\nq2\tc1\t1\n",
        "\n\n\nquery-id\tcorpus-id\tscore\nq2\tc1\t1\n",
        "\n\n\n\n\n\n\n\n#\nquery-id\tcorpus-id\tscore\n",
        "query-id\tcorpus-id\tscore\n",
        "\xef\xbb\xbf#\n1 0 a 1\n1 0 b 2\n1 0 a 1\n",
        "1 a 0 1 0.5\n1 b 0 1 0.25\n2 c 0 1 2\n",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        same_however_cut(judgments_cut, texts[i], strlen(texts[i]));
}

/* Large enough that the public reader itself cuts it. */
static void a_large_file_gives_one_answer_and_one_error_for_any_threads(void **state)
{
    (void)state;
    enum { LINES = 40000, BAD = 33333 };
    char *text = malloc(LINES * 40);
    size_t len = 0, bad = 0;
    iv_run *run = NULL;

    assert_non_null(text);
    for (int i = 0; i < LINES; i++) {
        if (i == BAD)
            bad = len;
        len += (size_t)sprintf(text + len, "%d Q0 doc%d %d %d.5 tag\n", i % 7, i, i, i % 100);
    }
    char *one = NULL;
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
        assert_int_equal(iv_run_parse(&run, "r", text, len, IV_RUN_ANY,
                                      &(iv_work){ .threads = threads }, NULL), IV_OK);
        char *got = run_text(run);
        iv_run_free(run);
        if (one != NULL)
            assert_string_equal(got, one);
        free(one);
        one = got;
    }
    free(one);
    run = NULL;
    text[bad + 1] = 'x';                            /* another topic: sound */
    memcpy(text + bad + 2, " ", 1);                 /* one field less */
    memcpy(strstr(text + 20000, ".5 tag"), ",5 tag", 6); /* an earlier error */
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
        iv_err err = { IV_OK, "" };
        assert_int_equal(iv_run_parse(&run, "r", text, len, IV_RUN_ANY,
                                      &(iv_work){ .threads = threads }, &err),
                         IV_EPARSE);
        assert_non_null(strstr(err_text(&err), ",5', expected a finite number"));
        assert_null(run);
    }
    free(text);
}

int chunk_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_runs_are_the_same_however_cut),
        cmocka_unit_test(random_judgments_are_the_same_however_cut),
        cmocka_unit_test(odd_judgment_files_are_the_same_however_cut),
        cmocka_unit_test(a_large_file_gives_one_answer_and_one_error_for_any_threads),
    };
    return cmocka_run_group_tests_name("chunks", tests, NULL, NULL);
}
