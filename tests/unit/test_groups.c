/* SPDX-License-Identifier: Apache-2.0 */
/* Judgments of several groups: reading them, preferences, standard scores. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "err_text.h"
#include "intervale/estimate.h"
#include "near.h"
#include "scratch.h"

static const char run_text[] = "1 Q0 a 1 4 t\n1 Q0 b 2 3 t\n1 Q0 c 3 2 t\n1 Q0 x 4 1 t\n";

/* Evaluates the small run by one measure; the code, and the value or the message. */
static int evaluate(double *value, char text[IV_ERR_TEXT_SIZE], const char *judged,
                    iv_judgments_format format, const char *measure, const char *standards)
{
    const iv_evaluating how = { .measures = { &measure, 1 }, .standards = standards };
    iv_judgments *j = NULL;
    iv_run *run = NULL;
    iv_evaluation *e = NULL;
    iv_err err = { IV_OK, "" };
    int rc = iv_judgments_parse(&j, "f", judged, strlen(judged), format, NULL, &err);

    assert_int_equal(iv_run_parse(&run, "r", run_text, strlen(run_text), IV_RUN_ANY, NULL, NULL),
                     IV_OK);
    if (rc == IV_OK) {
        const iv_run *one = run;
        const iv_source source = { .judged = j, .ranked = &one, .ranked_count = 1 };
        rc = iv_evaluate(&e, &source, &how, NULL, &err);
    }
    if (rc == IV_OK)
        *value = iv_evaluation_value(e, 0, 0, 0).value;
    (void)iv_err_text(text, &err);
    iv_evaluation_free(e);
    iv_run_free(run);
    iv_judgments_free(j);
    return rc;
}

static double value_of(const char *judged, iv_judgments_format format, const char *measure)
{
    char text[IV_ERR_TEXT_SIZE];
    double value = -1.0;

    if (evaluate(&value, text, judged, format, measure, NULL) != IV_OK)
        fail_msg("%s", text);
    return value;
}

static void refused(const char *judged, iv_judgments_format format, const char *measure,
                    const char *message)
{
    char text[IV_ERR_TEXT_SIZE];
    double value;

    assert_true(evaluate(&value, text, judged, format, measure, NULL) != IV_OK);
    assert_string_equal(text, message);
}

static void groups_are_numbered_in_byte_order_and_records_sorted_by_document(void **state)
{
    (void)state;
    static const char text[] = "1 beta b 2\n2 x a 1\n1 alpha b 0\n1 alpha a -2\n";
    const iv_judgment *of;
    iv_judgments *j = NULL;

    assert_int_equal(iv_judgments_parse(&j, "f", text, strlen(text), IV_JUDGMENTS_QRELS_JG, NULL,
                                        NULL), IV_OK);
    assert_int_equal(iv_judgments_format_of(j), IV_JUDGMENTS_GROUPS);
    assert_int_equal(iv_judgments_of(&of, j, 0), 3);
    assert_memory_equal(of[0].docno.ptr, "a", 1);
    assert_int_equal(of[0].grade, -1);
    assert_true(of[0].pi == -2.0);
    assert_int_equal(of[1].stratum, 0);
    assert_int_equal(of[2].stratum, 1);
    assert_int_equal(of[2].grade, 2);
    assert_ptr_equal(iv_judgments_find(j, 0, iv_str_of("b")), &of[1]);
    iv_judgments_free(j);
}

static void a_document_stands_once_in_a_group(void **state)
{
    (void)state;
    refused("1 g a 1\n1 h a 1\n1 g a 2\n", IV_JUDGMENTS_GROUPS, "map_avgjg",
            "f:3: document 'a' again in group 'g' of topic '1', expected each once");
    refused("1 g s a 1\n1 g u a 1\n1 g s a 2\n", IV_JUDGMENTS_PREFS, "prefs_simp",
            "f:3: document 'a' again in group 's' of topic '1', expected each once");
    refused("1 g s a x\n", IV_JUDGMENTS_PREFS, "prefs_simp",
            "f:1: level 'x', expected a finite number");
}

static void the_mean_over_judges_is_that_of_each_alone(void **state)
{
    (void)state;
    static const char two[] = "1 g a 1\n1 g c 1\n1 h b 1\n1 h y 1\n1 h c 0\n";

    /* AP: (1 + 2/3) / 2 and (1/2) / 2 */
    assert_near(value_of(two, IV_JUDGMENTS_GROUPS, "map_avgjg"), (5.0 / 6.0 + 0.25) / 2.0, 1e-15);
    assert_near(value_of(two, IV_JUDGMENTS_GROUPS, "P_avgjg.2"), 0.5, 1e-15);
}

static void preferences_are_counted_by_hand(void **state)
{
    (void)state;
    /* g: a > b > c follows from two subgroups, so a > c; h: y > b, not retrieved y. */
    static const char text[] = "1 g s a 2\n1 g s b 1\n1 g u b 3.5\n1 g u c 1\n"
                               "1 h s y 1\n1 h s b 0\n";
    const iv_judgments_format prefs = IV_JUDGMENTS_PREFS;

    assert_near(value_of(text, prefs, "prefs_num_prefs_poss"), 4.0, 0.0);
    assert_near(value_of(text, prefs, "prefs_num_prefs_ful"), 3.0, 0.0);
    assert_near(value_of(text, prefs, "prefs_simp"), 0.75, 1e-15);
    assert_near(value_of(text, prefs, "prefs_simp_ret"), 1.0, 1e-15);
    assert_near(value_of(text, prefs, "prefs_avgjg"), 0.5, 1e-15);
    assert_near(value_of(text, prefs, "prefs_pair"), 0.75, 1e-15);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    refused("1 g s a 2\n1 g s b 1\n1 g u b 2\n1 g u a 1\n", IV_JUDGMENTS_PREFS, "prefs_simp",
            "topic '1': preferences of one group contradict each other");
    refused("1 g s a 2\n1 g s b 0\n1 g u b 1\n1 g u c 0.5\n", IV_JUDGMENTS_PREFS, "prefs_simp",
            "topic '1': level 0 and another of one document in one group");
    refused("1 0 a 1\n", IV_JUDGMENTS_GROUPS, "AP",
            "measure AP needs one judgment a document, and the judgments are by groups");
    refused("1 0 0 a 1\n", IV_JUDGMENTS_PREFS, "map_avgjg",
            "measure map_avgjg needs grades, and the judgments are preferences");
    refused("1 0 a 1\n", IV_JUDGMENTS_QRELS, "map_avgjg",
            "measure map_avgjg needs judgments by groups (subtopics, judges)");
}

static const char *file_of(const scratch *s, const char *text)
{
    static char path[SCRATCH_PATH];
    FILE *f = fopen(scratch_at(path, s, "standards"), "w");

    assert_non_null(f);
    (void)fputs(text, f);
    (void)fclose(f);
    return path;
}

static void standard_scores_are_distances_in_deviations(void **state)
{
    (void)state;
    static const char qrels[] = "1 0 a 1\n1 0 c 1\n";
    char text[IV_ERR_TEXT_SIZE];
    double z = 0.0;
    scratch s;

    assert_true(scratch_make(&s));
    const char *path = file_of(&s, "1 map 0.5 0.25\n1 P_5 0.4 0\n");
    assert_int_equal(evaluate(&z, text, qrels, IV_JUDGMENTS_ANY, "map", path), IV_OK);
    assert_near(z, (5.0 / 6.0 - 0.5) / 0.25, 1e-15);
    assert_int_equal(evaluate(&z, text, qrels, IV_JUDGMENTS_ANY, "P.5", path), IV_OK);
    assert_near(z, 0.0, 0.0); /* no spread, and met */
    assert_int_equal(evaluate(&z, text, qrels, IV_JUDGMENTS_ANY, "ndcg", path), IV_ENODATA);
    assert_string_equal(text, "the reference has no mean of ndcg on topic '1' with a deviation "
                              "above 0");
    path = file_of(&s, "1 map 0.5\n");
    assert_int_equal(evaluate(&z, text, qrels, IV_JUDGMENTS_ANY, "map", path), IV_EPARSE);
    assert_non_null(strstr(text, ":1: 3 fields, expected 4: topic measure mean deviation"));
    scratch_remove(s.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_numbered_in_byte_order_and_records_sorted_by_document),
        cmocka_unit_test(a_document_stands_once_in_a_group),
        cmocka_unit_test(the_mean_over_judges_is_that_of_each_alone),
        cmocka_unit_test(preferences_are_counted_by_hand),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(standard_scores_are_distances_in_deviations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
