/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about what all questions have in common; the name of a test is the claim. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "intervale/answer.h"
#include "result/result_build.h"

static const char *const run[] = { TESTS_DIR "/data/run" };
static const char *const two_runs[] = { TESTS_DIR "/data/run", NULL };
static const char *const systems[] = { "a", "b", "c" };
static const char *const topics[] = { "1", "2", "3", "4" };
static const double values[] = { 0.1, 0.2, 0.3, 0.4, 0.2, 0.1, 0.5, 0.7, 0.3, 0.3, 0.1, 0.9 };

/* The result of every test, new in each of them. */
static iv_result *r;

static int start(void **state)
{
    (void)state;
    return iv_result_new(&r, "test", NULL);
}

static int end(void **state)
{
    (void)state;
    iv_result_free(r);
    return 0;
}

/* Nothing is in the result, and it can still be filled. */
static void assert_untouched(void)
{
    const char *const *texts;
    const iv_note *notes;
    const iv_citation *cited;
    const iv_chart *charts;
    const iv_input *inputs;

    assert_int_equal(iv_result_tables(r), 0);
    assert_int_equal(iv_result_charts(&charts, r), 0);
    assert_int_equal(iv_result_inputs(&inputs, r), 0);
    assert_int_equal(iv_result_notes(&notes, r), 0);
    assert_int_equal(iv_result_methods(&texts, r), 0);
    assert_int_equal(iv_result_citations(&cited, r), 0);
    assert_null(iv_result_answer_text(r));
    assert_int_equal(iv_result_status(r, NULL), IV_OK);
}

/* The call is refused, the message has these words, the result is empty. */
#define REFUSED(call, words)                     \
    do {                                         \
        iv_err err = { 0 };                      \
        assert_int_equal(call, IV_EARG);         \
        assert_int_equal(err.code, IV_EARG);     \
        if (strstr(err.msg, words) == NULL)      \
            fail_msg("%s", err.msg);             \
        assert_untouched();                      \
    } while (0)

static iv_eval_question eval_of(iv_source source)
{
    source.judgments = source.judgments != NULL ? source.judgments : TESTS_DIR "/data/qrels";
    return (iv_eval_question){ .source = source };
}

#define EVAL(...) iv_answer_eval(r, &(iv_eval_question[]){ eval_of((iv_source){ __VA_ARGS__ }) }[0], NULL, &err)
#define COMPARE(...) iv_answer_compare(r, &(iv_compare_question){ __VA_ARGS__ }, NULL, &err)
#define RECALL(...) iv_answer_recall(r, &(iv_recall_question){ __VA_ARGS__ }, NULL, &err)
#define PRF(...) iv_answer_prf(r, &(iv_prf_question){ __VA_ARGS__ }, NULL, &err)
#define POWER(...) iv_answer_plan_power(r, &(iv_plan_power_question){ __VA_ARGS__ }, NULL, &err)
#define ROC(...) iv_answer_roc(r, &(iv_roc_question){ __VA_ARGS__ }, NULL, &err)
#define AGREE(...) iv_answer_agree(r, &(iv_agree_question){ __VA_ARGS__ }, NULL, &err)
#define CHECK(...) iv_answer_check(r, &(iv_check_question){ __VA_ARGS__ }, NULL, &err)

static void lists_that_are_null_or_hold_null_are_refused(void **state)
{
    (void)state;
    const iv_run *const none[] = { NULL };

    REFUSED(EVAL(.runs = { NULL, 2 }), "a list of 2 is NULL");
    REFUSED(EVAL(.runs = { two_runs, 2 }), "run 2 of 2 is NULL");
    REFUSED(EVAL(.ranked = none, .ranked_count = 1), "run 1 of 1 is NULL");
    REFUSED(CHECK(.files = { two_runs, 2 }), "file 2 of 2 is NULL");
    REFUSED(COMPARE(.values = values, .systems = { NULL, 3 }, .topics = { topics, 4 }), "system");
    REFUSED(COMPARE(.values = values, .systems = { systems, 3 }, .topics = { topics, 4 },
                    .tests = { two_runs + 1, 1 }), "test 1 of 1 is NULL");
    REFUSED(PRF(.from.counts = { two_runs + 1, 1 }), "text of counts 1 of 1 is NULL");
    REFUSED(PRF(.how.beta = { NULL, 1 }), "beta");
    REFUSED(RECALL(.retrieved = { NULL, 3 }), "count");
    REFUSED(RECALL(.ranked.at = { NULL, 1 }), "cut-off");
    REFUSED(POWER(.topics = { NULL, 1 }), "number of topics");
    REFUSED(ROC(.system_count = 1, .items = 4), "a list of the systems is NULL");
    REFUSED(AGREE(.again = { two_runs, 2 }), "reproduced run 2 of 2 is NULL");
    iv_err err = { 0 };
    assert_int_equal(iv_answer_eval(r, NULL, NULL, &err), IV_EARG);
    assert_int_equal(iv_answer_next(r, &(iv_next_question){ .from.runs = { NULL, 1 } }, NULL,
                                    &err), IV_EARG);
    assert_int_equal(iv_answer_incomplete(r, &(iv_incomplete_question){ .from.runs = { NULL, 1 } },
                                          NULL, &err), IV_EARG);
    assert_int_equal(iv_answer_incomplete(r, &(iv_incomplete_question){
                                          .alternative = (iv_alternative)5 }, NULL, &err), IV_EARG);
    assert_int_equal(iv_answer_sample(r, &(iv_sample_question){ .from.runs = { NULL, 1 } }, NULL,
                                      &err), IV_EARG);
    assert_int_equal(iv_answer_measures(r, &(iv_measures_question){ .names = { NULL, 1 } }, NULL,
                                        &err), IV_EARG);
    assert_int_equal(iv_answer_plan_recall(r, &(iv_plan_recall_question){ .total = { NULL, 1 } },
                                           NULL, &err), IV_EARG);
    assert_int_equal(iv_answer_plan_cost(r, &(iv_plan_cost_question){
                                         .coefficients = { NULL, 3 } }, NULL, &err), IV_EARG);
    assert_int_equal(iv_answer_plan_topics(r, &(iv_plan_topics_question){ .tests = { NULL, 1 } },
                                           NULL, &err), IV_EARG);
    assert_untouched();
}

static void a_number_that_no_enum_has_is_refused(void **state)
{
    (void)state;
    REFUSED(EVAL(.runs = { run, 1 }, .judgments_format = (iv_judgments_format)99),
            "the format of the judgments is number 99, expected 0 to");
    REFUSED(EVAL(.runs = { run, 1 }, .run_format = (iv_run_format)-1), "is number -1, expected");
    REFUSED(CHECK(.files = { run, 1 }, .format = (iv_judgments_format)-1), "the format");
    REFUSED(RECALL(.method = (iv_recall_method)-1), "the method");
    REFUSED(RECALL(.unsampled = (iv_unsampled)3), "unsampled");
    REFUSED(RECALL(.ranked.unjudged = (iv_unjudged)9), "unjudged");
    REFUSED(COMPARE(.how.correction = (iv_correction)50), "the correction");
    REFUSED(COMPARE(.scores = { .given = true, .from.rows = (iv_score_rows)3 }), "what rows are");
    REFUSED(POWER(.sides = (iv_sides)2), "sides");
    REFUSED(ROC(.goal = (iv_threshold_goal)-1), "what a threshold is for is number -1");
    REFUSED(AGREE(.by = (iv_score_rows)3), "what rows are");
}

static void nan_and_empty_paths_are_refused_by_name(void **state)
{
    (void)state;
    static const char *const empty[] = { TESTS_DIR "/data/run", "" };
    static const double nan[] = { 0.5, NAN };

    REFUSED(RECALL(.target = NAN), "the target is NaN");
    REFUSED(PRF(.how.beta = { nan, 2 }), "beta is NaN");
    REFUSED(POWER(.effect = { nan, 2 }), "effect is NaN");
    REFUSED(EVAL(.runs = { empty, 2 }), "run 2 of 2 is ''");
    REFUSED(EVAL(.runs = { run, 1 }, .judgments = ""), "the path of the judgments is ''");
    REFUSED(COMPARE(.scores = { .given = true, .from.files = { empty, 2 } }),
            "file of scores 2 of 2 is ''");
    REFUSED(ROC(.file = ""), "the path of the scores is ''");
    REFUSED(ROC(.confidence = NAN), "the confidence is NaN");
    REFUSED(AGREE(.a_matrix = "", .b_matrix = ""), "the path of the first matrix is ''");
    REFUSED(AGREE(.persistence = NAN), "the persistence is NaN");
}

static void names_of_scores_in_memory_are_given_and_different(void **state)
{
    (void)state;
    static const char *const twice[] = { "a", "b", "a" }, *const hole[] = { "1", "", "3", "4" };

    REFUSED(COMPARE(.values = values, .systems = { twice, 3 }, .topics = { topics, 4 }),
            "system 3 of 3 has the name of system 1, 'a'");
    REFUSED(COMPARE(.values = values, .systems = { systems, 3 }, .topics = { hole, 4 }),
            "topic 2 of 4 is ''");
}

static void an_answer_that_fails_leaves_the_result_as_it_was(void **state)
{
    (void)state;
    const iv_compare_question groups = { .values = values, .systems = { systems, 3 },
                                         .topics = { topics, 4 }, .groups = "/no/such/file" };
    iv_eval_question q = eval_of((iv_source){ .runs = { run, 1 } });
    iv_err err = { 0 };

    assert_int_equal(iv_answer_compare(r, &groups, NULL, &err), IV_EIO);
    assert_untouched();
    q.matrix = "/no/such/folder/matrix";
    assert_int_equal(iv_answer_eval(r, &q, NULL, &err), IV_EIO);
    assert_untouched();
    q.matrix = NULL;
    iv_result_note(r, "before");
    assert_int_equal(iv_answer_compare(r, &groups, NULL, &err), IV_EIO);
    assert_int_equal(iv_answer_eval(r, &q, NULL, &err), IV_OK);
    assert_string_equal(iv_table_name(iv_result_table_at(r, 0)), "measures");
}

/* Says stop at a call, and counts. */
typedef struct stopper {
    int calls, stop_at;
} stopper;

static int report(void *user, double fraction)
{
    stopper *s = user;

    assert_true(fraction >= 0.0 && fraction <= 1.0);
    return ++s->calls >= s->stop_at;
}

static void who_says_stop_is_not_asked_again(void **state)
{
    (void)state;
    const iv_compare_question q = { .values = values, .systems = { systems, 3 },
                                    .topics = { topics, 4 } };

    for (int at = 1; at < 1 << 20; at += at < 20 ? 1 : at) {
        stopper s = { 0, at };
        const iv_work work = { .threads = 2, .progress = { report, &s } };
        iv_err err = { 0 };
        const int rc = iv_answer_compare(r, &q, &work, &err);
        assert_int_equal(s.calls <= at, true);
        if (rc == IV_OK) { /* as if nobody had said stop before */
            iv_result *new = NULL;
            assert_int_equal(iv_result_new(&new, "test", &err), IV_OK);
            assert_int_equal(iv_answer_compare(new, &q, NULL, &err), IV_OK);
            assert_int_equal(iv_result_tables(new), iv_result_tables(r));
            assert_string_equal(iv_result_answer_text(new), iv_result_answer_text(r));
            iv_result_free(new);
            return;
        }
        assert_int_equal(rc, IV_ECANCELLED);
        assert_untouched();
    }
    fail_msg("a million calls are not enough");
}

static void strengths_of_two_systems_are_the_logarithm_of_their_odds(void **state)
{
    static const char text[] = "a,b,winner\nx,y,a\nx,y,a\ny,x,b\nx,y,b\n"; /* 3 : 1 */
    iv_csv *t = NULL;
    iv_cell cell;

    (void)state;
    assert_int_equal(iv_csv_parse(&t, "votes", text, sizeof text - 1, NULL), IV_OK);
    assert_int_equal(iv_answer_prefer(r, &(iv_prefer_question){ .table = t }, NULL, NULL), IV_OK);
    const iv_table *systems_of = iv_result_table_at(r, 0);
    cell = iv_table_cell(systems_of, 0, iv_table_find(systems_of, "strength"));
    assert_true(fabs(cell.real - log(3.0) / 2.0) < 1e-9);
    iv_csv_free(t);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
    const struct CMUnitTest tests[] = {
        TEST(lists_that_are_null_or_hold_null_are_refused),
        TEST(a_number_that_no_enum_has_is_refused),
        TEST(nan_and_empty_paths_are_refused_by_name),
        TEST(names_of_scores_in_memory_are_given_and_different),
        TEST(an_answer_that_fails_leaves_the_result_as_it_was),
        TEST(who_says_stop_is_not_asked_again),
        TEST(strengths_of_two_systems_are_the_logarithm_of_their_odds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
