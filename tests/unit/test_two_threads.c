/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two threads of a program use the library at once, each for itself, and both get
 * what one alone gets.  `make threads` runs this under the ThreadSanitizer.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "intervale.h"

enum { THREADS = 2, ROUNDS = 5, TOPICS = 8, DOCUMENTS = 30 };

/* Everything that a thread was told, one answer behind the other. */
typedef struct said {
    char *text;
    size_t size;
    int failures;
} said;

static void put(FILE *out, said *s, const char *name, iv_result *r, int rc)
{
    if (rc != IV_OK
        || iv_report_write(out, r, &(iv_report_options){ .format = IV_FORMAT_JSON }, NULL) != IV_OK)
        s->failures++;
    (void)fprintf(out, "-- %s\n", name);
    iv_result_free(r);
}

static iv_result *new_result(const char *name)
{
    iv_result *r = NULL;

    return iv_result_new(&r, name, NULL) == IV_OK ? r : NULL;
}

static size_t run_text(char *out, size_t size, int which)
{
    size_t used = 0;

    for (int t = 0; t < TOPICS; t++)
        for (int d = 0; d < DOCUMENTS; d++)
            used += (size_t)snprintf(out + used, size - used, "%d Q0 d%d %d %d run%d\n", t,
                                     (d * (3 + 4 * which) + t) % DOCUMENTS, d + 1, 100 - d, which);
    return used;
}

static size_t judgments_text(char *out, size_t size)
{
    size_t used = 0;

    for (int t = 0; t < TOPICS; t++)
        for (int d = 0; d < DOCUMENTS; d++)
            used += (size_t)snprintf(out + used, size - used, "%d 0 d%d %d\n", t, d,
                                     (d * d + t) % 5 == 0);
    return used;
}

static void from_files(FILE *out, said *s, const iv_work *work)
{
    char text[3][16384];
    size_t len[3] = { run_text(text[0], sizeof text[0], 1), run_text(text[1], sizeof text[1], 2),
                      judgments_text(text[2], sizeof text[2]) };
    iv_run *runs[2] = { NULL, NULL };
    iv_judgments *j = NULL;

    for (int i = 0; i < 2; i++)
        s->failures += iv_run_parse(&runs[i], "run", text[i], len[i], IV_RUN_ANY, work, NULL) != IV_OK;
    s->failures += iv_judgments_parse(&j, "qrels", text[2], len[2], IV_JUDGMENTS_ANY, work, NULL) != IV_OK;
    if (s->failures > 0)
        return;
    const iv_source source = { .judged = j, .ranked = (const iv_run *const *)runs, .ranked_count = 2 };
    iv_result *r = new_result("eval");
    put(out, s, "eval", r, iv_answer_eval(r, &(iv_eval_question){ .source = source }, work, NULL));
    r = new_result("compare");
    put(out, s, "compare", r,
        iv_answer_compare(r, &(iv_compare_question){ .source = source }, work, NULL));
    iv_run_free(runs[0]);
    iv_run_free(runs[1]);
    iv_judgments_free(j);
}

static void *ask(void *user)
{
    static const int64_t in[] = { 1000, 100, 70 }, rest[] = { 9000, 200, 3 };
    static const char *const counts[] = { "A=80,20,40", "B=75,10,45" };
    const iv_work work = { .threads = 1 };
    said *s = user;
    FILE *out = open_memstream(&s->text, &s->size);

    for (int i = 0; i < ROUNDS && out != NULL; i++) {
        from_files(out, s, &work);
        iv_result *r = new_result("recall");
        put(out, s, "recall", r, iv_answer_recall(r, &(iv_recall_question){
            .retrieved = { in, 3 }, .unretrieved = { rest, 3 } }, &work, NULL));
        r = new_result("prf");
        put(out, s, "prf", r, iv_answer_prf(r, &(iv_prf_question){
            .from.counts = { counts, 2 }, .how.compare = true }, &work, NULL));
    }
    if (out == NULL || fclose(out) != 0)
        s->failures++;
    return NULL;
}

static void two_threads_at_once_get_what_one_gets(void **state)
{
    (void)state;
    said alone = { 0 }, both[THREADS] = { 0 };
    pthread_t threads[THREADS];

    (void)ask(&alone);
    assert_int_equal(alone.failures, 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask, &both[i]), 0);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(both[i].failures, 0);
        assert_int_equal(both[i].size, alone.size);
        assert_memory_equal(both[i].text, alone.text, alone.size);
        free(both[i].text);
    }
    free(alone.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_threads_at_once_get_what_one_gets),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
