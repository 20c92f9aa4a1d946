/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about runs and judgments from memory; the name of a test is the claim. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "err_text.h"
#include "trec_fixture.h"
#include "trec/judgments.h"
#include "trec/run.h"
#include "trec/run_records.h"

static const char *const topics[] = { "2", "1", "2", "1", "2" };
static const char *const docnos[] = { "a", "b", "c", "d", "b" };
static const double scores[] = { 1.0, 0.5, 1.0, 0.75, 2.0 };
static const int32_t grades[] = { 0, 1, 2, -1, 1 };

static void assert_str(iv_str s, const char *want)
{
    assert_int_equal(s.len, strlen(want));
    assert_memory_equal(s.ptr, want, s.len);
}

/* The run of the arrays above, however it was made. */
static void assert_usual(iv_run *run, const char *tag)
{
    assert_int_equal(iv_run_topics(run), 2);
    assert_str(iv_run_topic(run, 0), "1");
    assert_int_equal(iv_run_depth(run, 1), 3);
    assert_str(iv_run_docno(run, 0, 0), "d");
    assert_str(iv_run_docno(run, 1, 0), "b");
    assert_str(iv_run_docno(run, 1, 1), "c"); /* a tie: the last docno first */
    assert_str(iv_run_docno(run, 1, 2), "a");
    assert_true(iv_run_score(run, 1, 2) == 1.0);
    assert_str(iv_run_tag(run), tag);
    assert_int_equal(run->format, IV_RUN_TREC);
    assert_false(iv_run_odd(run).many_tags);
    assert_int_equal(iv_run_odd(run).misranked_line, 0);
    iv_run_free(run);
}

static void texts_come_in_three_forms_and_are_copied(void **state)
{
    (void)state;
    static const int64_t ends[] = { 0, 1, 2, 3, 4, 5 };
    char joined[] = "21212";
    iv_str strs[5];
    iv_run *run = NULL;

    for (size_t i = 0; i < 5; i++)
        strs[i] = iv_str_of(docnos[i]);
    assert_int_equal(iv_run_build(&run, "r", &(iv_run_columns){
        5, { .texts = topics }, { .texts = docnos }, scores, "mine" }, NULL, NULL), IV_OK);
    assert_usual(run, "mine");
    assert_int_equal(iv_run_build(&run, "r", &(iv_run_columns){
        5, { .joined = joined, .offsets = ends }, { .strs = strs }, scores, NULL },
        &(iv_work){ .threads = 8 }, NULL), IV_OK);
    memset(joined, 'x', 5);
    assert_usual(run, "r"); /* its name */
}

static void texts_are_lines_and_one_serves_many_rows(void **state)
{
    (void)state;
    static const double own[] = { 1.0, 2.0, 3.0 };
    static const int64_t two[] = { 2, 1 }, none[] = { 3, 0 }, few[] = { 1, 1 };
    const iv_text_column names = { .joined = "a\nb\na", .bytes = 5 };
    iv_text_column topic = { .joined = "9\n10", .bytes = 4, .repeats = two, .distinct = 2 };
    iv_run *run = NULL;
    iv_err err;

    assert_int_equal(iv_run_build(&run, "r", &(iv_run_columns){ 3, topic, names, own, NULL },
                                  NULL, NULL), IV_OK);
    assert_int_equal(iv_run_topics(run), 2);
    assert_str(iv_run_topic(run, 0), "10");
    assert_str(iv_run_docno(run, 1, 0), "b");
    assert_int_equal(iv_run_depth(run, 0), 1);
    iv_run_free(run);
    /* A topic without rows, rows without a topic, a line too few, an empty one. */
    for (size_t i = 0; i < 4; i++) {
        const iv_text_column docno = i == 2 ? (iv_text_column){ .joined = "a\nb", .bytes = 3 }
                                     : i == 3 ? (iv_text_column){ .joined = "a\n\nb", .bytes = 4 }
                                     : names;
        topic.repeats = i == 0 ? none : i == 1 ? few : two;
        assert_int_equal(iv_run_build(&run, "r", &(iv_run_columns){ 3, topic, docno, own, NULL },
                                      NULL, &err), IV_EARG);
        assert_non_null(strstr(err.msg, i < 2 ? "rows than there are" : "one name a line"));
    }
}

static void rows_without_scores_are_in_the_order_of_ranks(void **state)
{
    (void)state;
    iv_run *run = NULL;

    assert_int_equal(iv_run_build(&run, "r", &(iv_run_columns){
        5, { .texts = topics }, { .texts = docnos }, NULL, NULL }, NULL, NULL), IV_OK);
    assert_str(iv_run_docno(run, 1, 0), "a");
    assert_str(iv_run_docno(run, 1, 2), "b");
    iv_run_free(run);
}

/* A score of one of several kinds; whole numbers and zeros of both signs make ties. */
static double some_score(uint32_t *state, size_t kind)
{
    *state = *state * 1664525u + 1013904223u;
    const double u = (double)(*state >> 8) / (1 << 24) - 0.5;
    const double all[] = { u, floor(20.0 * u), u * 1e300, u * 1e-310, u > 0.0 ? 0.0 : -0.0,
                           (double)(float)u, 3.0 };

    return all[kind];
}

static void long_lists_are_ranked_whatever_their_scores(void **state)
{
    (void)state;
    enum { N = 2000, KINDS = 7 };
    static iv_str names[N], one[N];
    static char room[N][8];
    static double given[N];
    uint32_t random = 1;

    for (size_t i = 0; i < N; i++) {
        names[i] = (iv_str){ room[i], (size_t)snprintf(room[i], sizeof room[i], "d%zu", i) };
        one[i] = iv_str_of("1");
    }
    for (size_t kind = 0; kind <= KINDS; kind++) {
        iv_run *run = NULL;
        bool seen[N] = { false };
        for (size_t i = 0; i < N; i++) /* the last of all kinds */
            given[i] = some_score(&random, kind < KINDS ? kind : i % KINDS);
        assert_int_equal(iv_run_build(&run, "r", &(iv_run_columns){
            N, { .strs = one }, { .strs = names }, given, NULL }, NULL, NULL), IV_OK);
        for (size_t r = 0; r < N; r++) {
            const iv_str name = iv_run_docno(run, 0, r);
            const size_t d = (size_t)atoi(name.ptr + 1);
            assert_true(!seen[d] && iv_run_score(run, 0, r) == given[d]);
            seen[d] = true;
            if (r == 0)
                continue;
            const double before = iv_run_score(run, 0, r - 1);
            assert_true(before > given[d]
                        || (before == given[d]
                            && iv_str_cmp(iv_run_docno(run, 0, r - 1), name) > 0));
        }
        iv_run_free(run);
    }
}

static void a_built_run_is_the_run_of_its_file(void **state)
{
    (void)state;
    enum { N = 20000 };
    char *text = malloc(N * 64), *names = malloc(N * 16);
    const char **topic = malloc(N * sizeof *topic), **docno = malloc(N * sizeof *docno);
    double *score = malloc(N * sizeof *score);
    size_t used = 0;
    iv_run *file = NULL, *built = NULL;

    for (size_t i = 0; i < N; i++) {
        char *name = names + 16 * i;
        (void)snprintf(name, 16, "%zu", i % 37);
        (void)snprintf(name + 4, 12, "d%zu", (i * 7919) % N);
        topic[i] = name;
        docno[i] = name + 4;
        score[i] = (double)((i * 31) % 997) / 8.0;
        used += (size_t)snprintf(text + used, 64, "%s Q0 %s 1 %.17g t\n", topic[i], docno[i],
                                 score[i]);
    }
    assert_int_equal(iv_run_parse(&file, "f", text, used, IV_RUN_ANY, NULL, NULL), IV_OK);
    assert_int_equal(iv_run_build(&built, "b", &(iv_run_columns){
        N, { .texts = topic }, { .texts = docno }, score, "t" }, NULL, NULL), IV_OK);
    assert_int_equal(iv_run_topics(built), iv_run_topics(file));
    for (size_t t = 0; t < iv_run_topics(file); t++) {
        assert_int_equal(iv_str_cmp(iv_run_topic(file, t), iv_run_topic(built, t)), 0);
        assert_int_equal(iv_run_depth(built, t), iv_run_depth(file, t));
        for (size_t r = 0; r < iv_run_depth(file, t); r++) {
            assert_int_equal(iv_str_cmp(iv_run_docno(file, t, r), iv_run_docno(built, t, r)), 0);
            assert_true(iv_run_score(file, t, r) == iv_run_score(built, t, r));
        }
    }
    iv_run_free(file);
    iv_run_free(built);
    free(text);
    free(names);
    free(topic);
    free(docno);
    free(score);
}

static void refuses_run(iv_run_columns columns, const char *says)
{
    iv_err err = { 0 };
    iv_run *run = NULL;

    assert_int_equal(iv_run_build(&run, "r", &columns, NULL, &err), IV_EARG);
    assert_int_equal(err.code, IV_EARG);
    assert_string_equal(err_text(&err), says);
    assert_null(run);
}

static void a_bad_row_of_a_run_is_named(void **state)
{
    (void)state;
    static const double bad[] = { 1.0, 0.5, NAN, 0.75, INFINITY };
    static const char *const again[] = { "a", "b", "b", "d", "b" };
    static const char *const empty[] = { "a", "b", "c", "", "b" };
    static const char *const cut[] = { "a", "b\nc", "c", "d", NULL };

    refuses_run((iv_run_columns){ 5, { .texts = topics }, { .texts = docnos }, bad, NULL },
                "r:3: score nan, expected a finite number");
    refuses_run((iv_run_columns){ 5, { .texts = topics }, { .texts = again }, scores, NULL },
                "r:5: document 'b' of topic '2' is a duplicate of line 3; expected one line per document");
    refuses_run((iv_run_columns){ 5, { .texts = topics }, { .texts = again },
                                  (const double[]){ 1, 1, 1, 1, NAN }, NULL },
                "r:5: score nan, expected a finite number");
    refuses_run((iv_run_columns){ 5, { .texts = topics }, { .texts = empty }, scores, NULL },
                "r:4: document '', expected a name on one line");
    refuses_run((iv_run_columns){ 5, { .texts = cut }, { .texts = docnos }, scores, NULL },
                "r:2: topic 'b\\x0ac', expected a name on one line");
    refuses_run((iv_run_columns){ 0, { .texts = topics }, { .texts = docnos }, scores, NULL },
                "r: no rows, expected at least one");
    refuses_run((iv_run_columns){ 5, { .texts = topics }, { NULL }, scores, NULL },
                "r: no column of documents");
}

static void judgments_have_the_format_of_their_columns(void **state)
{
    (void)state;
    static const double pi[] = { 1.0, 0.5, 0.25, 1.0, 0.125 };
    static const int32_t strata[] = { 0, 1, 2, 3, 4 };
    const iv_judgment *of;
    iv_judgments *j = NULL;
    iv_comment c = { 0 };

    iv_judgment_columns columns = { 5, { .texts = topics }, { .texts = docnos }, grades,
                                    .comments = "# one\n# two\n" };
    assert_int_equal(iv_judgments_build(&j, "q", &columns, NULL, NULL), IV_OK);
    assert_int_equal(iv_judgments_format_of(j), IV_JUDGMENTS_QRELS);
    assert_int_equal(iv_judgments_topics(j), 2);
    assert_int_equal(iv_judgments_of(&of, j, 1), 3);
    assert_str(of[1].docno, "c");
    assert_int_equal(of[1].grade, 2);
    assert_true(of[1].pi == 1.0);
    assert_int_equal(of[1].stratum, -1);
    assert_int_equal(iv_judgments_line(j, &of[1]), 3);
    assert_ptr_equal(iv_judgments_find(j, 1, iv_str_of("b")), &of[2]);
    assert_true(iv_judgments_next_comment(&c, j));
    assert_str(c.text, "# one");
    assert_true(iv_judgments_next_comment(&c, j));
    assert_false(iv_judgments_next_comment(&c, j));
    iv_judgments_free(j);
    columns.pi = pi;
    assert_int_equal(iv_judgments_build(&j, "q", &columns, NULL, NULL), IV_OK);
    assert_int_equal(iv_judgments_format_of(j), IV_JUDGMENTS_PRELS);
    (void)iv_judgments_of(&of, j, 0);
    assert_true(of[0].pi == 0.5);
    iv_judgments_free(j);
    columns.pi = NULL;
    columns.stratum = strata;
    assert_int_equal(iv_judgments_build(&j, "q", &columns, NULL, NULL), IV_OK);
    assert_int_equal(iv_judgments_format_of(j), IV_JUDGMENTS_STRATIFIED);
    (void)iv_judgments_of(&of, j, 0);
    assert_int_equal(of[1].stratum, 3);
    iv_judgments_free(j);
}

static void judgments_by_groups_are_those_of_a_file(void **state)
{
    (void)state;
    static const char *const topic[] = { "1", "1", "1", "2" }, *const docno[] = { "a", "a", "b", "a" };
    static const char *const group[] = { "x", "y", "x", "x" };
    static const int32_t grade[] = { 1, 0, 2, -1 };
    static const char text[] = "1 x a 1\n1 y a 0\n1 x b 2\n2 x a -1\n";
    iv_judgments *built = NULL, *read = NULL;
    iv_judgment_columns c = { 4, { .texts = topic }, { .texts = docno }, .grade = grade,
                              .group = { .texts = group } };
    iv_err err = { 0 };

    assert_int_equal(iv_judgments_build(&built, "j", &c, NULL, NULL), IV_OK);
    assert_int_equal(iv_judgments_parse(&read, "j", text, strlen(text), IV_JUDGMENTS_GROUPS, NULL,
                                        NULL), IV_OK);
    assert_int_equal(iv_judgments_format_of(built), IV_JUDGMENTS_GROUPS);
    assert_int_equal(iv_judgments_topics(built), 2);
    for (size_t t = 0; t < 2; t++) {
        const iv_judgment *a, *b;
        const size_t n = iv_judgments_of(&a, built, t);
        assert_int_equal(iv_judgments_of(&b, read, t), n);
        for (size_t i = 0; i < n; i++)
            assert_true(a[i].grade == b[i].grade && a[i].stratum == b[i].stratum
                        && a[i].pi == b[i].pi && iv_str_cmp(a[i].docno, b[i].docno) == 0);
    }
    iv_judgments_free(built);
    iv_judgments_free(read);
    c.group.texts = (const char *const[]){ "x", "x", "x", "x" };
    assert_int_equal(iv_judgments_build(&built, "j", &c, NULL, &err), IV_EARG); /* a twice */
    c.group.texts = (const char *const[]){ "x", "of two words", "x", "x" };
    assert_int_equal(iv_judgments_build(&built, "j", &c, NULL, &err), IV_EARG);
    assert_int_equal(err.line, 2);
}

static void refuses_judgments(iv_judgment_columns columns, const char *says)
{
    iv_err err = { 0 };
    iv_judgments *j = NULL;

    assert_int_equal(iv_judgments_build(&j, "q", &columns, NULL, &err), IV_EARG);
    assert_string_equal(err_text(&err), says);
    assert_null(j);
}

static void a_bad_row_of_judgments_is_named(void **state)
{
    (void)state;
    static const int32_t bad[] = { 0, 1, 2000000, 0, 0 };
    static const double pi[] = { 1.0, 0.5, 0.25, 0.0, 0.125 };
    static const char *const same[] = { "a", "b", "c", "b", "a" };

    refuses_judgments((iv_judgment_columns){ 5, { .texts = topics }, { .texts = docnos }, bad },
                      "q:3: grade 2000000, pi 1, stratum -1, expected a grade between -1000000 "
                      "and 1000000");
    refuses_judgments((iv_judgment_columns){ 5, { .texts = topics }, { .texts = docnos }, grades,
                                             pi },
                      "q:4: grade -1, pi 0, stratum -1, expected an inclusion probability "
                      "0 < pi <= 1");
    refuses_judgments((iv_judgment_columns){ 5, { .texts = topics }, { .texts = same }, grades },
                      "q:4: document 'b' of topic '1' is a duplicate of line 2; expected one line per document");
    refuses_judgments((iv_judgment_columns){ 5, { .texts = topics }, { .texts = docnos }, NULL },
                      "q: no column of grades");
    refuses_judgments((iv_judgment_columns){ 5, { .texts = topics }, { .texts = docnos }, grades,
                                             pi, bad },
                      "q: probabilities and strata, expected one of them");
}

static int stop(void *user, double fraction)
{
    (void)user, (void)fraction;
    return 1;
}

static void reading_can_be_stopped(void **state)
{
    (void)state;
    iv_err err = { 0 };
    iv_run *run = NULL;
    const iv_work work = { .progress = { stop, NULL } };

    assert_int_equal(iv_run_parse(&run, "r", "1 Q0 a 1 2 t\n", 13, IV_RUN_ANY, &work, &err),
                     IV_ECANCELLED);
    assert_string_equal(err_text(&err), "r: reading was stopped");
    assert_null(run);
}

static int lose_patience(void *user, double fraction)
{
    int *left = user;

    (void)fraction;
    return --*left < 0;
}

/* Among so many names two have one hash, so that a third loop looks for repetitions. */
static void reading_can_be_stopped_at_every_report(void **state)
{
    (void)state;
    enum { N = 200000, WIDTH = 14 };
    char *text = malloc((size_t)N * WIDTH);
    const char **one = malloc(N * sizeof *one), **names = malloc(N * sizeof *names);
    int rc = IV_ECANCELLED, asks = 0;

    assert_true(text != NULL && one != NULL && names != NULL);
    for (size_t i = 0; i < N; i++) {
        one[i] = "1";
        names[i] = text + i * WIDTH;
        (void)snprintf(text + i * WIDTH, WIDTH, "d%zu", i);
    }
    for (; rc != IV_OK; asks++) {
        int left = asks;
        const iv_work work = { .threads = 2, .progress = { lose_patience, &left } };
        iv_err err = { 0 };
        iv_run *run = NULL;
        rc = iv_run_build(&run, "r", &(iv_run_columns){ N, { .texts = one }, { .texts = names } },
                          &work, &err);
        if (rc != IV_OK) {
            assert_int_equal(rc, IV_ECANCELLED);
            assert_string_equal(err_text(&err), "r: reading was stopped");
        }
        iv_run_free(run);
    }
    assert_true(asks > 3); /* parsed, ranked, looked for repetitions */
    free(text);
    free(one);
    free(names);
}

int build_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_come_in_three_forms_and_are_copied),
        cmocka_unit_test(texts_are_lines_and_one_serves_many_rows),
        cmocka_unit_test(rows_without_scores_are_in_the_order_of_ranks),
        cmocka_unit_test(long_lists_are_ranked_whatever_their_scores),
        cmocka_unit_test(a_built_run_is_the_run_of_its_file),
        cmocka_unit_test(a_bad_row_of_a_run_is_named),
        cmocka_unit_test(judgments_have_the_format_of_their_columns),
        cmocka_unit_test(judgments_by_groups_are_those_of_a_file),
        cmocka_unit_test(a_bad_row_of_judgments_is_named),
        cmocka_unit_test(reading_can_be_stopped),
        cmocka_unit_test(reading_can_be_stopped_at_every_report),
    };
    return cmocka_run_group_tests_name("built", tests, NULL, NULL);
}
