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
#include "num/draw.h"
#include "retrieval/evaluation.h"
#include "trec/judgments.h"
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
            "f:3: document 'a' is repeated in group 'g' of topic '1'; expected one line per document");
    refused("1 g s a 1\n1 g u a 1\n1 g s a 2\n", IV_JUDGMENTS_PREFS, "prefs_simp",
            "f:3: document 'a' is repeated in group 's' of topic '1'; expected one line per document");
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
            "topic '1': preferences of one group contradict each other: following what 'a' is "
            "preferred to goes in a circle");
    refused("1 g s a 2\n1 g s b 0\n1 g u b 1\n1 g u c 0.5\n", IV_JUDGMENTS_PREFS, "prefs_simp",
            "topic '1': one group has level 0 and another for 'b'");
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

/* ------------------------------------------------------------- subtopics -- */

enum { DOCS = 5, GROUPS = 3, MEASURES = 9 };

static const char *const diverse[MEASURES] = {
    "alpha_DCG@3", "alpha_DCG(alpha=0.8)", "ERR_IA@4", "NRBP", "NRBP(alpha=0.2,beta=0.9)",
    "P_IA@3", "StRecall@2", "AP_IA", "alpha_nDCG@3" };

/* Grades by document and subtopic, -1: not judged by any or open; every document is retrieved. */
typedef struct judged_topic {
    int grade[DOCS][GROUPS];
    bool graded[DOCS]; /* the open ones stand as -1 in the file */
    bool none;         /* nothing is relevant: subtopics count where something turns out so */
} judged_topic;

/* All measures of the topic; bounds too, if asked for. */
static void score_diverse(double value[MEASURES], iv_limits *bounds, const judged_topic *t)
{
    const iv_evaluating how = { .measures = { diverse, MEASURES }, .bounds = bounds != NULL };
    char qrels[1000] = "", list[400] = "";
    size_t q = 0, r = 0;

    for (int d = 0; d < DOCS; d++) {
        r += (size_t)snprintf(list + r, sizeof list - r, "1 Q0 d%d 0 %d t\n", d, 9 - d);
        for (int g = 0; g < GROUPS; g++)
            if (t->grade[d][g] >= 0 || t->graded[d])
                q += (size_t)snprintf(qrels + q, sizeof qrels - q, "1 %d d%d %d\n", g, d,
                                      t->grade[d][g]);
    }
    for (int g = 0; g < GROUPS; g++) /* each has a document that is not retrieved */
        q += (size_t)snprintf(qrels + q, sizeof qrels - q, "1 %d x %d\n", g, g != 1 && !t->none);
    iv_judgments *j = NULL;
    iv_run *run = NULL;
    iv_evaluation *e = NULL;
    assert_int_equal(iv_judgments_parse(&j, "q", qrels, q, IV_JUDGMENTS_GROUPS, NULL, NULL), IV_OK);
    assert_int_equal(iv_run_parse(&run, "r", list, r, IV_RUN_ANY, NULL, NULL), IV_OK);
    const iv_run *one = run;
    assert_int_equal(iv_evaluate(&e, &(iv_source){ .judged = j, .ranked = &one,
                                                   .ranked_count = 1 }, &how, NULL, NULL), IV_OK);
    for (size_t i = 0; i < MEASURES; i++) {
        value[i] = iv_evaluation_value(e, 0, i, 0).value;
        if (bounds != NULL)
            bounds[i] = iv_evaluation_bounds(e, 0, i, 0);
    }
    iv_evaluation_free(e);
    iv_run_free(run);
    iv_judgments_free(j);
}

/* Widens low and high by every way in which unjudged documents can turn out. */
static void complete(double *low, double *high, judged_topic *t, const bool *open, int cell)
{
    double value[MEASURES];

    while (cell < DOCS * GROUPS && !open[cell])
        cell++;
    if (cell == DOCS * GROUPS) {
        score_diverse(value, NULL, t);
        for (size_t i = 0; i < MEASURES; i++) {
            low[i] = fmin(low[i], value[i]);
            high[i] = fmax(high[i], value[i]);
        }
        return;
    }
    for (int grade = 0; grade <= 1; grade++) {
        t->grade[cell / GROUPS][cell % GROUPS] = grade;
        complete(low, high, t, open, cell + 1);
    }
    t->grade[cell / GROUPS][cell % GROUPS] = -1;
}

static void check_bounds(bool nothing)
{
    iv_stream draw = iv_stream_start(11, 22, 33);

    for (int trial = 0; trial < 25; trial++) {
        judged_topic t = { .none = nothing };
        bool open[DOCS * GROUPS] = { false };
        double value[MEASURES], low[MEASURES], high[MEASURES];
        iv_limits bounds[MEASURES];
        int unjudged = 0;
        for (int d = 0; d < DOCS; d++) {
            const bool skip = unjudged < 3 && iv_draw_below(&draw, 2) == 0;
            const int left = trial % 2 == 1 && !skip ? (int)iv_draw_below(&draw, 4) : 3;
            unjudged += skip;
            t.graded[d] = !skip || trial % 3 == 0;
            for (int g = 0; g < GROUPS; g++) {
                const bool none = skip || (left == g && unjudged < 3);
                t.grade[d][g] = none ? -1 : g == 1 || nothing ? 0 : (int)iv_draw_below(&draw, 2);
                open[d * GROUPS + g] = none && (g != 1 || nothing); /* 1 has no relevant document */
            }
        }
        score_diverse(value, bounds, &t);
        for (size_t i = 0; i < MEASURES; i++)
            low[i] = high[i] = value[i];
        complete(low, high, &t, open, 0);
        for (size_t i = 0; i + 1 < MEASURES; i++) {
            assert_near(bounds[i].lower, low[i], 1e-12);
            assert_near(bounds[i].upper, high[i], 1e-12);
        }
        assert_true(isnan(bounds[MEASURES - 1].lower)); /* the ideal moves, too */
    }
}

static void bounds_of_subtopics_are_those_of_every_completion(void **state)
{
    (void)state;
    check_bounds(false);
}

static void bounds_where_no_subtopic_counts_are_those_of_every_completion(void **state)
{
    (void)state;
    check_bounds(true);
}

static void nuggets_are_scored_by_hand(void **state)
{
    (void)state;
    /* Answers a, b: n1 vital in full by b, n2 okay in part by a, n3 vital by none. */
    static const char text[] = "1 n1 vital a none\n1 n1 vital b support\n1 n2 okay a partial\n"
                               "1 n2 okay b not_support\n1 n3 vital a not_support\n";
    const iv_judgments_format by = IV_JUDGMENTS_NUGGETS;

    assert_near(value_of(text, by, "NuggetAll"), 0.5, 1e-15);
    assert_near(value_of(text, by, "NuggetAll(strict=True)"), 1.0 / 3.0, 1e-15);
    assert_near(value_of(text, by, "NuggetVital"), 0.5, 1e-15);
    assert_near(value_of(text, by, "NuggetVital@1"), 0.0, 0.0);
    assert_near(value_of(text, by, "NuggetWeighted"), 1.25 / 2.5, 1e-15);
    refused("1 n v a full\n", by, "NuggetAll", "f:1: importance 'v', expected vital or okay");
    refused("1 n vital a full\n1 n okay b full\n", by, "NuggetAll",
            "f:2: nugget 'n' is both vital and okay, expected one");
    refused("1 n vital a full\n", by, "map_avgjg",
            "measure map_avgjg needs grades, and the judgments are nuggets");
    refused("1 0 a 1\n", IV_JUDGMENTS_QRELS, "NuggetAll",
            "measure NuggetAll needs judgments of nuggets");
}

static void subtopic_values_are_those_by_hand(void **state)
{
    (void)state;
    /* Run a b c x: subtopic 1 has a and c, 2 has c and y (not retrieved), 3 nothing. */
    static const char text[] = "1 1 a 1\n1 1 c 2\n1 2 c 1\n1 2 y 1\n1 3 b 0\n";
    const iv_judgments_format by = IV_JUDGMENTS_GROUPS;

    assert_near(value_of(text, by, "StRecall@2"), 0.5, 1e-15);
    assert_near(value_of(text, by, "P_IA@3"), 3.0 / 6.0, 1e-15);
    assert_near(value_of(text, by, "AP_IA"), ((1.0 + 2.0 / 3.0) / 2.0 + (1.0 / 3.0) / 2.0) / 2.0,
                1e-15);
    /* 1 + 1/2 / 3 + 1/3 = 3/2, of 2 (1 + 1/4 + 1/12) */
    assert_near(value_of(text, by, "ERR_IA@3"), 1.5 / (8.0 / 3.0), 1e-15);
    /* the ideal: c (2 subtopics), then y or a: 2 + 1/4 */
    assert_near(value_of(text, by, "nERR_IA@2"), 1.0 / 2.25, 1e-15);
    assert_near(value_of(text, by, "NRBP"), 0.75 / 2.0 * (1.0 + 0.5 * 0.25 + 0.25), 1e-15);
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
        cmocka_unit_test(subtopic_values_are_those_by_hand),
        cmocka_unit_test(nuggets_are_scored_by_hand),
        cmocka_unit_test(bounds_of_subtopics_are_those_of_every_completion),
        cmocka_unit_test(bounds_where_no_subtopic_counts_are_those_of_every_completion),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
