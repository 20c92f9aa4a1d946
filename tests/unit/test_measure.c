/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about measures' values; the name of a test is the claim. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "measure_case.h"
#include "measure_tests.h"
#include "near.h"
#include "measure/measures.h"
#include "measure/scorer.h"

/*
 * Ten documents; relevant at ranks 1, 4, 7 and one not retrieved (R = 4),
 * judged and not relevant at 2 and 9 and one more (N = 3), listed but not
 * judged at 5, not listed at 3, 6, 8, 10.
 */
static const char ranking[] = "20-1.-1-0-";
static const char rest[] = "10";

/* A measure and its value there, worked out by hand. */
typedef struct worked {
    const char *name;
    double value;
} worked;

static const double l3 = 1.5849625007211562; /* log2 of 3, 5, 6 */
static const double l5 = 2.321928094887362;
static const double l6 = 2.584962500721156;

static void check(const measure_case *c, const worked *list, size_t count,
                  const iv_measure_options *o)
{
    for (size_t i = 0; i < count; i++) {
        const double got = case_score(c, list[i].name, o);
        if (fabs(got - list[i].value) > 1e-12)
            fail_msg("%s is %.15g, expected %.15g", list[i].name, got,
                     list[i].value);
    }
}

#define CHECK(c, list, o) check(c, list, sizeof(list) / sizeof((list)[0]), o)

static void ranked_measures_agree_with_hand_computation(void **state)
{
    (void)state;
    measure_case c;
    const double ap = (1.0 + 2.0 / 4.0 + 3.0 / 7.0) / 4.0;
    const double e = 0.00001;
    const worked list[] = {
        { "map", ap },
        { "gm_map", ap },
        { "AP", ap },
        { "map_cut.5", 1.5 / 4.0 },
        { "AP@5", 1.5 / 4.0 },
        { "AP(rel=2)", 1.0 },
        { "yaap", log((1.0 + 4.0 * ap) / (5.0 - 4.0 * ap)) },
        { "P_5", 0.4 },
        { "P@20", 3.0 / 20.0 },
        { "relative_P.2", 0.5 },
        { "relative_P.10", 0.75 },
        { "Rprec", 0.5 },
        { "Rprec_mult.0.5", 0.5 }, /* trunc(2.9) = 2 */
        { "Rprec_mult.2", 3.0 / 8.0 },
        { "recall_7", 0.75 },
        { "R@3", 0.25 },
        { "success_1", 1.0 },
        { "Success(rel=3)@10", 0.0 },
        { "recip_rank", 1.0 },
        { "RR(rel=1)@1", 1.0 },
        { "iprec_at_recall.0", 1.0 },
        { "IPrec@0.5", 0.5 },
        { "IPrec@0.75", 3.0 / 7.0 },
        { "IPrec@1", 0.0 },
        { "11pt_avg.0.25,0.5,0.75,1", (1.0 + 0.5 + 3.0 / 7.0) / 4.0 },
        /* one judged and not relevant above the second and the third */
        { "bpref", (1.0 + 2.0 / 3.0 + 2.0 / 3.0) / 4.0 },
        { "gm_bpref", (1.0 + 2.0 / 3.0 + 2.0 / 3.0) / 4.0 },
        { "infAP",
          (1.0 + (0.25 + 0.75 * (2.0 / 3.0) * (1.0 + e) / (2.0 + 2.0 * e))
           + (1.0 / 7.0
              + 6.0 / 7.0 * (4.0 / 6.0) * (2.0 + e) / (3.0 + 2.0 * e)))
              / 4.0 },
        { "binG", (1.0 + 1.0 / 2.0 + 1.0 / l6) / 4.0 }, /* 0, 2, 4 in vain */
    };

    case_set(&c, ranking, rest);
    CHECK(&c, list, NULL);
}

static void counts_and_sets_agree_with_hand_computation(void **state)
{
    (void)state;
    measure_case c;
    const worked list[] = {
        { "num_ret", 10 },
        { "num_rel", 4 },
        { "num_rel_ret", 3 },
        { "num_nonrel_judged_ret", 2 },
        { "num_q", 1 },
        { "set_P", 0.3 },
        { "SetRelP", 0.75 },
        { "SetP(relative=True)", 0.75 },
        { "set_recall", 0.75 },
        { "set_map", 9.0 / 40.0 },
        { "set_F", 2.0 * 0.3 * 0.75 / 1.05 },
        { "SetF(beta=4)", 5.0 * 0.3 * 0.75 / (0.75 + 4.0 * 0.3) },
        { "utility", 3.0 - 7.0 },
        { "utility.2,-0.5,-1,0", 6.0 - 3.5 - 1.0 },
        { "unj_5", 2.0 / 5.0 },
        { "unj_20", 5.0 / 20.0 },
        { "Judged@4", 3.0 / 4.0 },
        { "Judged@20", 5.0 / 10.0 },
        { "NumRet(rel=2)", 1.0 },
        { "NumRel(rel=0)", 7.0 },
    };

    case_set(&c, ranking, rest);
    CHECK(&c, list, NULL);
}

static void graded_measures_agree_with_hand_computation(void **state)
{
    (void)state;
    measure_case c;
    const double dcg = 2.0 + 1.0 / l5 + 1.0 / 3.0;
    const double ideal = 2.0 + 1.0 / l3 + 1.0 / 2.0 + 1.0 / l5;
    const double n4 = (2.0 + 1.0 / l5) / ideal, n7 = dcg / ideal;
    const worked list[] = {
        { "dcg", dcg },
        { "ideal_dcg", ideal },
        { "ndcg", dcg / ideal },
        { "nDCG", dcg / ideal },
        { "ndcg_cut.4", n4 },
        { "nDCG@1", 1.0 },
        { "nDCG@2", 2.0 / (2.0 + 1.0 / l3) },
        { "nDCG(dcg='exp-log2')@4",
          (3.0 + 1.0 / l5) / (3.0 + 1.0 / l3 + 0.5 + 1.0 / l5) },
        { "ndcg.1=4", (2.0 + 4.0 / l5 + 4.0 / 3.0)
              / (4.0 + 4.0 / l3 + 4.0 / 2.0 + 2.0 / l5) },
        { "nDCG(gains={1: 4})", (2.0 + 4.0 / l5 + 4.0 / 3.0)
              / (4.0 + 4.0 / l3 + 4.0 / 2.0 + 2.0 / l5) },
        /* at ranks 1, 4 and 7; the fourth relevant was not retrieved */
        { "ndcg_rel", (1.0 + n4 + n7 + n7) / 4.0 },
        /* after one grade 2, after all four, and at the end */
        { "Rndcg", (1.0 + n4 + n7) / 3.0 },
        /* cost 2, 5, 8; got 2, 3, 4 */
        { "G", (2.0 / 1.0 + 1.0 / 2.0 + 1.0 / l6) / 5.0 },
        { "ERR(max=2)@1", 0.75 },
        { "ERR", 0.75 + 0.25 * 0.25 / 4.0 + 0.25 * 0.75 * 0.25 / 7.0 },
        { "ERR(max=1)@1", 0.5 },
        { "RBP(p=0.5)", 0.5 * (1.0 + 0.5 * 0.125 + 0.5 * 0.015625) },
        { "RBP(p=0.5,rel=1)", 0.5 * (1.0 + 0.125 + 0.015625) },
        { "RBP(p=0.5,rel=1)@4", 0.5 * (1.0 + 0.125) },
        { "rbp.p=0.5", 0.5 * (1.0 + 0.5 * 0.125 + 0.5 * 0.015625) },
        { "rbp.p=0.5,1=1,2=1", 0.5 * (1.0 + 0.125 + 0.015625) },
        /* from -1..2 into 0..1: grade 0 gains a third */
        { "rbp.p=0.5,0=0,1=-1", 0.5 * (1.0 + 0.5 / 3.0 + 0.00390625 / 3.0) },
        { "rbp_resid.p=0.5",
          0.0009765625
              + 0.5 * (0.25 + 0.0625 + 0.03125 + 0.0078125 + 0.001953125) },
    };

    case_set(&c, ranking, rest);
    CHECK(&c, list, NULL);
}

static void judged_only_closes_the_gaps(void **state)
{
    (void)state;
    measure_case c;
    iv_measure_options o = { 0 };
    /* 2 0 1 1 0 remain */
    const double ap = (1.0 + 2.0 / 3.0 + 3.0 / 4.0) / 4.0;
    const worked list[] = {
        { "num_ret", 5 },   { "map", ap },        { "P_5", 0.6 },
        { "set_P", 0.6 },   { "unj_5", 0.0 },     { "rbp_resid", 0.0 },
        { "AP(judged_only=False)", (1.0 + 2.0 / 4.0 + 3.0 / 7.0) / 4.0 },
    };
    const worked by_keyword[] = {
        { "AP(judged_only=True)", ap },
        { "nDCG(judged_only=True)@3", (2.0 + 0.5) / (2.0 + 1.0 / l3 + 0.5) },
    };

    case_set(&c, ranking, rest);
    CHECK(&c, by_keyword, &o);
    o.judged_only = true;
    CHECK(&c, list, &o);
}

static void depth_and_level_limit_what_counts(void **state)
{
    (void)state;
    measure_case c;
    iv_measure_options o = { 0 };
    const worked shallow[] = { { "num_ret", 4 },
                               { "map", 1.5 / 4.0 },
                               { "P_10", 0.2 },
                               { "ndcg", (2.0 + 1.0 / l5)
                                     / (2.0 + 1.0 / l3 + 0.5 + 1.0 / l5) } };
    const worked strict[] = { { "num_rel", 1 },
                              { "map", 1.0 },
                              { "AP(rel=1)", (1.5 + 3.0 / 7.0) / 4.0 },
                              { "num_nonrel_judged_ret", 4 } };
    const worked all[] = { { "num_rel", 7 }, { "num_rel_ret", 5 } };

    case_set(&c, ranking, rest);
    o.depth = 4;
    CHECK(&c, shallow, &o);
    o = (iv_measure_options){ 0 };
    o.level = 2;
    CHECK(&c, strict, &o);
    o.level = IV_ZERO;
    CHECK(&c, all, &o);
}

static void utility_counts_the_rest_of_the_collection(void **state)
{
    (void)state;
    measure_case c;
    iv_measure_options o = { 0 };

    case_set(&c, ranking, rest);
    o.collection = 1000;
    assert_near(case_score(&c, "utility.0,0,0,1", &o), 1000.0 - 11.0, 0.0);
}

static void the_dialects_round_recall_points_differently(void **state)
{
    (void)state;
    measure_case c;
    iv_measure_options o = { 0 };

    /* R = 4: a recall of .35 is 2 relevant for version 9, 1 for version 10. */
    case_set(&c, ranking, rest);
    assert_near(case_score(&c, "IPrec@0.35", &o), 0.5, 0.0);
    o.dialect = IV_TREC_EVAL_10;
    assert_near(case_score(&c, "IPrec@0.35", &o), 1.0, 0.0);
}

static void check_all_finite(const char *hits, const char *unretrieved,
                             double every)
{
    measure_case c;
    iv_measure_options o = { 0 };
    static const char *const names[] = {
        "all_trec", "dcg", "ideal_dcg", "yaap", "ERR(max=3)", "RBP(max=3)",
        "Judged", "nDCG(dcg='exp-log2')", "SetAP(rel=2)", "AP(judged_only=True)"
    };
    iv_measures *m = NULL;
    iv_scorer *s = NULL;
    double values[200];

    o.dialect = IV_TREC_EVAL_10;
    case_set(&c, hits, unretrieved);
    assert_int_equal(iv_measures_parse(&m, names, 10, &o, NULL), IV_OK);
    assert_int_equal(iv_scorer_new(&s, m, 0, NULL), IV_OK);
    assert_int_equal(iv_scorer_topic(values, s, &c.topic, NULL), IV_OK);
    for (size_t i = 0; i < iv_measures_count(m); i++) {
        const iv_value_info *v = iv_measures_value(m, i);
        if (!isfinite(values[i]) || values[i] < v->measure->lowest
            || values[i] > v->measure->highest)
            fail_msg("%s of '%s' + '%s' is %g", v->name, hits, unretrieved,
                     values[i]);
        if (!isnan(every) && v->measure->kind == IV_REAL
            && v->measure->highest == 1.0 && v->measure->lowest == 0.0
            && strncmp(v->name, "unj", 3) != 0
            && strcmp(v->name, "rbp_resid") != 0
            && strcmp(v->name, "Judged") != 0)
            assert_near(values[i], every, 0.0);
    }
    iv_scorer_free(s);
    iv_measures_free(m);
}

static void nothing_divides_by_nothing(void **state)
{
    (void)state;
    check_all_finite("", "", 0.0);
    check_all_finite("", "1203", 0.0);
    check_all_finite("---", "", 0.0);
    check_all_finite("---", "12", 0.0);
    check_all_finite("...", "", 0.0);
    check_all_finite("000", "0", 0.0);
    check_all_finite("-.0", "", 0.0);
    check_all_finite("1", "", NAN);
    check_all_finite("3", "321", NAN);
    check_all_finite(".1.2-0", "..", NAN);
}

static void a_missing_topic_scores_nothing(void **state)
{
    (void)state;
    measure_case c;
    static const char *const names[] = { "num_rel", "num_ret", "map", "gm_map",
                                         "utility.1,-1,-5,0", "relstring",
                                         "rbp_resid", "unj_5" };
    iv_measures *m = NULL;
    iv_scorer *s = NULL;
    double v[8];

    case_set(&c, "", "1102.");
    assert_int_equal(iv_measures_parse(&m, names, 8, NULL, NULL), IV_OK);
    assert_int_equal(iv_scorer_new(&s, m, 0, NULL), IV_OK);
    assert_int_equal(iv_scorer_missing(v, s, c.judged, 5, NULL), IV_OK);
    assert_near(v[0], 3.0, 0.0);
    assert_near(v[1], 0.0, 0.0);
    assert_near(v[2], 0.0, 0.0);
    assert_near(v[3], 0.00001, 0.0);
    assert_near(v[4], 0.0, 0.0);
    assert_string_equal(iv_scorer_text(s, 5), "");
    assert_near(v[6], 0.0, 0.0);
    assert_near(v[7], 0.0, 0.0);
    iv_scorer_free(s);
    iv_measures_free(m);
}

static void grades_show_as_letters(void **state)
{
    (void)state;
    measure_case c;
    static const char *const names[] = { "relstring", "relstring.3", "map" };
    iv_measures *m = NULL;
    iv_scorer *s = NULL;
    double v[3];

    case_set(&c, "90-.112----0", "");
    c.judged[0].grade = 12;
    assert_int_equal(iv_measures_parse(&m, names, 3, NULL, NULL), IV_OK);
    assert_int_equal(iv_scorer_new(&s, m, 12, NULL), IV_OK);
    assert_int_equal(iv_scorer_topic(v, s, &c.topic, NULL), IV_OK);
    assert_string_equal(iv_scorer_text(s, 0), ">0-.112---");
    assert_string_equal(iv_scorer_text(s, 1), ">0-");
    assert_null(iv_scorer_text(s, 2));
    iv_scorer_free(s);
    iv_measures_free(m);
}

static void large_grades_keep_their_order(void **state)
{
    (void)state;
    measure_case c;

    case_set(&c, "123", "45");
    for (int i = 0; i < 5; i++)
        c.judged[i].grade = (int32_t[]){ 70, 1000000, 3, 70, 500 }[i];
    const double dcg = 70.0 + 1000000.0 / l3 + 3.0 / 2.0;
    const double ideal = 1000000.0 + 500.0 / l3 + 70.0 / 2.0 + 70.0 / l5 + 3.0 / l6;
    assert_near(case_score(&c, "ndcg", NULL), dcg / ideal, 1e-14);
    assert_true(isfinite(case_score(&c, "nDCG(dcg='exp-log2')", NULL)));
    assert_true(case_score(&c, "ERR", NULL) > 0.49);
    assert_near(case_score(&c, "num_rel", NULL), 5.0, 0.0);
}

static void a_scorer_forgets_the_topic_before(void **state)
{
    (void)state;
    static const char *const all = "all_trec";
    static const char *const rankings[] = { "2-10", "0102-1.0120-1011---210",
                                            "", "1", "-----", "20-1.-1-0-" };
    iv_measure_options o = { 0 };
    iv_measures *m = NULL;
    iv_scorer *used = NULL;
    double a[120], b[120];

    o.dialect = IV_TREC_EVAL_10;
    assert_int_equal(iv_measures_parse(&m, &all, 1, &o, NULL), IV_OK);
    assert_int_equal(iv_scorer_new(&used, m, 2, NULL), IV_OK);
    for (size_t i = 0; i < 6; i++) {
        measure_case c;
        iv_scorer *fresh = NULL;
        case_set(&c, rankings[i], "12");
        assert_int_equal(iv_scorer_new(&fresh, m, 2, NULL), IV_OK);
        assert_int_equal(iv_scorer_topic(a, used, &c.topic, NULL), IV_OK);
        assert_int_equal(iv_scorer_topic(b, fresh, &c.topic, NULL), IV_OK);
        assert_memory_equal(a, b, iv_measures_count(m) * sizeof *a);
        iv_scorer_free(fresh);
    }
    iv_scorer_free(used);
    iv_measures_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranked_measures_agree_with_hand_computation),
        cmocka_unit_test(counts_and_sets_agree_with_hand_computation),
        cmocka_unit_test(graded_measures_agree_with_hand_computation),
        cmocka_unit_test(judged_only_closes_the_gaps),
        cmocka_unit_test(depth_and_level_limit_what_counts),
        cmocka_unit_test(utility_counts_the_rest_of_the_collection),
        cmocka_unit_test(the_dialects_round_recall_points_differently),
        cmocka_unit_test(nothing_divides_by_nothing),
        cmocka_unit_test(a_missing_topic_scores_nothing),
        cmocka_unit_test(grades_show_as_letters),
        cmocka_unit_test(large_grades_keep_their_order),
        cmocka_unit_test(a_scorer_forgets_the_topic_before),
    };
    return cmocka_run_group_tests_name("values", tests, NULL, NULL)
        + measure_definition_tests() + measure_name_tests() + measure_doc_tests();
}
