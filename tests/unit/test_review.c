/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about reviews and answers on recall, from memory as from files. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "intervale.h"
#include "num/dist.h"
#include "review/recall_plan.h"
#include "review/review_cases.h"
#include "stat/recall/recall_limits.h"
#include "trec/strata.h"
#include "near.h"
#include "base/memory.h"

static const iv_stratum in = { 2000, 100, 50 }, out = { 100000, 100, 3 };

static iv_review *simple_review(void)
{
    iv_review *r = NULL;

    assert_int_equal(iv_review_counts(&r, in, out, IV_UNSAMPLED_REFUSE, NULL), IV_OK);
    return r;
}

static void a_case_finds_what_the_method_finds(void **state)
{
    const iv_segments s = { &in, &out, 1, 1 };
    const iv_review_options o = { .how = { .confidence = 0.9 }, .target = 0.2, .beta = 2.0,
                                  .curves = 1 };
    iv_review *r = simple_review();
    iv_review_findings *f = NULL;
    iv_recall_posterior *p = NULL;
    iv_limits wanted;

    (void)state;
    assert_int_equal(iv_recall_posterior_new(&p, NULL), IV_OK);
    assert_int_equal(iv_recall_interval_of(&wanted, &s, &o.how, p, NULL), IV_OK);
    assert_int_equal(iv_review_find(&f, r, &o, NULL, NULL), IV_OK);
    assert_int_equal(f->interval_count, 1);
    assert_string_equal(f->intervals[0].run, "review");
    assert_string_equal(f->intervals[0].method, "betabin-half");
    assert_true(f->intervals[0].lower == wanted.lower && f->intervals[0].upper == wanted.upper);
    assert_near(f->intervals[0].p_target,
                iv_recall_at_least(p, IV_RECALL_RECALL, 0.0, 0.2), 1e-15);
    assert_int_equal(f->measure_count, 5);
    assert_string_equal(f->measures[3].name, "f2");
    assert_near(f->measures[3].lower, iv_recall_quantile(p, IV_RECALL_F, 2.0, 0.05), 1e-15);
    assert_int_equal(f->yield_count, 3);
    assert_true(f->point_count > 100);
    iv_review_findings_free(f);
    iv_recall_posterior_free(p);
    iv_review_free(r);
}

/* The part of a curve that is drawn dark begins and ends at the limits themselves. */
static void a_curve_has_points_at_its_limits(void **state)
{
    const iv_review_options o = { .how = { .confidence = 0.9 }, .curves = 1 };
    iv_review *r = simple_review();
    iv_review_findings *f = NULL;
    size_t lower = 0, upper = 0;

    (void)state;
    assert_int_equal(iv_review_find(&f, r, &o, NULL, NULL), IV_OK);
    for (size_t i = 0; i < f->point_count; i++) {
        const iv_review_point *x = &f->points[i];
        const bool same = i > 0 && strcmp(x->quantity, x[-1].quantity) == 0;
        assert_true(!same || x[-1].x < x->x);
        lower += x->x == x->lower;
        upper += x->x == x->upper;
    }
    assert_true(lower == 3 && upper == 3); /* of three curves */
    iv_review_findings_free(f);
    iv_review_free(r);
}

/* A sample without a find estimates recall 1 and a yield of the finds alone, where a posterior
 * has its limits inside; one of finds alone estimates less than its lower limit. */
static void an_interval_holds_its_estimate(void **state)
{
    static const iv_stratum cases[][2] = { { { 1000, 1000, 500 }, { 1000000, 2000, 0 } },
                                           { { 5, 2, 1 }, { 40000, 53, 0 } },
                                           { { 5000, 1, 1 }, { 50, 15, 14 } },
                                           { { 1, 1, 1 }, { 40000, 8, 8 } } };

    (void)state;
    for (size_t k = 0; k < 8; k++) {
        const iv_review_options o = { .how = { .one_sided = k < 4 } };
        iv_review *r = NULL;
        iv_review_findings *f = NULL;
        assert_int_equal(iv_review_counts(&r, cases[k % 4][0], cases[k % 4][1],
                                          IV_UNSAMPLED_REFUSE, NULL), IV_OK);
        assert_int_equal(iv_review_find(&f, r, &o, NULL, NULL), IV_OK);
        assert_true(f->intervals[0].lower <= f->intervals[0].estimate &&
                    f->intervals[0].estimate <= f->intervals[0].upper);
        for (size_t i = 0; i < f->measure_count; i++)
            assert_true(f->measures[i].lower <= f->measures[i].estimate &&
                        f->measures[i].estimate <= f->measures[i].upper);
        for (size_t i = 0; i < f->yield_count; i++) {
            const iv_review_quantity *x = &f->yields[i]; /* limits of a count are whole */
            assert_true(x->lower <= x->estimate && x->estimate <= x->upper &&
                        x->lower == rint(x->lower) && x->upper == rint(x->upper));
        }
        if (k == 0)
            assert_near(f->measures[0].lower, 0.3427, 1e-4);
        iv_review_findings_free(f);
        iv_review_free(r);
    }
}

static void all_methods_answer_or_say_why_not(void **state)
{
    const iv_strata_row rows[] = { { iv_str_of("a"), 500, 50, 40, 0 },
                                   { iv_str_of("b"), 1500, 80, 20, 0 },
                                   { iv_str_of("c"), 90000, 400, 2, 0 },
                                   { iv_str_of("d"), 10, 0, 0, 0 } };
    const iv_str runs[] = { iv_str_of("A"), iv_str_of("B") };
    const bool retrieved[] = { true, true, false, false, true, false, false, false };
    const iv_strata_table t = { rows, runs, retrieved, 4, 2, NULL, 0, NULL };
    const iv_review_options o = { .how = { .method = IV_RECALL_ALL, .a = 1.0, .b = 2.0 } };
    iv_review *r = NULL;
    iv_review_findings *f = NULL;
    iv_err err = { 0 };

    (void)state;
    assert_int_equal(iv_review_strata(&r, &t, IV_UNSAMPLED_REFUSE, &err), IV_ENODATA);
    assert_non_null(strstr(err.msg, "'d'"));
    assert_int_equal(iv_review_strata(&r, &t, IV_UNSAMPLED_SKIP, NULL), IV_OK);
    const iv_review_case *cases = r->cases;
    assert_int_equal(r->notes.count, 0);
    assert_int_equal(r->count, 2);
    assert_int_equal(cases[0].excluded, 10);
    assert_string_equal(cases[0].strata[2], "c");
    assert_string_equal(cases[1].run, "B");
    assert_int_equal(cases[1].segments.unretrieved_count, 2);
    assert_int_equal(iv_review_find(&f, r, &o, NULL, NULL), IV_OK);
    /* Koopman has no strata; the caller's prior is one more row. */
    assert_int_equal(f->interval_count, 2 * 12);
    assert_int_equal(f->refused_count, 1);
    assert_non_null(strstr(f->refused[0], "koopman: "));
    assert_string_equal(f->intervals[11].method, "betabin-prior");
    iv_review_findings_free(f);
    iv_review_free(r);
    assert_string_equal(iv_unsampled_names()[IV_UNSAMPLED_PRIOR], "prior");
    assert_null(iv_unsampled_names()[3]);
}

static void a_table_of_strata_is_read(void **state)
{
    const iv_strata_table *t = NULL;
    iv_arena own = { 0 };
    iv_err err = { 0 };

    (void)state;
    assert_int_equal(iv_strata_load(&t, &own, TESTS_DIR "/cli/examples/strata.csv", NULL, NULL, NULL), IV_OK);
    assert_int_equal(t->row_count, 5);
    assert_true(t->run_count >= 1);
    assert_true(t->bytes > 0);
    assert_true(t->rows[0].size >= t->rows[0].sampled);
    assert_int_equal(iv_strata_load(&t, &own, TESTS_DIR "/cli/examples/strata.csv", "nobody", NULL, &err), IV_EPARSE);
    assert_non_null(strstr(err.msg, "'nobody'"));
    static const char text[] = "stratum,N,n,r,segment\na,9,2,1,retrieved\nb,5,3,0,unretrieved\n";
    assert_int_equal(iv_strata_parse(&t, &own, "t", (iv_str){ text, sizeof text - 1 }, &err), IV_OK);
    assert_int_equal(t->rows[1].size, 5);
    assert_false(t->retrieved[1]);
    assert_int_equal(iv_strata_parse(&t, &own, "t", (iv_str){ text, sizeof text - 9 }, &err), IV_EPARSE);
    assert_int_equal(err.line, 3);
    iv_arena_free(&own);
}

static const char ranking[] = "1 Q0 a 1 9 x\n1 Q0 b 2 8 x\n1 Q0 c 3 7 x\n1 Q0 d 4 6 x\n";
static const char sample[] = "1 0 a 1\n1 0 d 1\n1 0 z 0\n";

static void a_ranking_in_memory_is_a_ranking(void **state)
{
    const int64_t at[] = { 2 };
    iv_run *run = NULL;
    iv_judgments *judged = NULL;
    iv_review *r = NULL;

    (void)state;
    assert_int_equal(iv_run_parse(&run, "run", ranking, strlen(ranking), IV_RUN_ANY, NULL, NULL),
                     IV_OK);
    assert_int_equal(iv_judgments_parse(&judged, "sample", sample, strlen(sample),
                                        IV_JUDGMENTS_ANY, NULL, NULL), IV_OK);
    const iv_review_sample in_memory = { .run = run, .judgments = judged, .collection = 10,
                                         .at = { at, 1 } };
    assert_int_equal(iv_review_ranking(&r, &in_memory, NULL), IV_OK);
    const iv_review_case *cases = r->cases;
    assert_int_equal(r->count, 1);
    assert_int_equal(cases[0].segments.retrieved[0].size, 2);
    assert_int_equal(cases[0].segments.retrieved[0].relevant, 1);
    assert_int_equal(cases[0].segments.unretrieved[0].size, 8);
    assert_int_equal(cases[0].segments.unretrieved[0].sampled, 2);
    iv_review_free(r);

    iv_result *result = NULL;
    const iv_recall_question q = { .ranked = { .ranking = run, .judged = judged, .collection = "10",
                                               .at = { at, 1 } } };
    assert_int_equal(iv_result_new(&result, "recall", NULL), IV_OK);
    assert_int_equal(iv_answer_recall(result, &q, NULL, NULL), IV_OK);
    assert_non_null(strstr(iv_result_answer_text(result), "Recall is estimated at"));
    iv_result_free(result);
    iv_judgments_free(judged);
    iv_run_free(run);
}

/* What a C program prints is what the tool prints. */
static void an_answer_has_a_sentence_and_tables(void **state)
{
    static const int64_t n1[] = { 2000, 100, 50 }, n0[] = { 100000, 100, 3 };
    const iv_recall_question q = { .retrieved = { n1, 3 }, .unretrieved = { n0, 3 } };
    const iv_recall_question both = { .retrieved = { n1, 3 }, .unretrieved = { n0, 3 },
                                      .strata = "x" };
    iv_result *result = NULL;
    iv_err err = { 0 };

    (void)state;
    assert_int_equal(iv_result_new(&result, "recall", NULL), IV_OK);
    assert_int_equal(iv_answer_recall(result, &both, NULL, &err), IV_EARG);
    assert_null(strstr(err.msg, "--"));
    assert_int_equal(iv_answer_recall(result, &q, NULL, NULL), IV_OK);
    assert_string_equal(iv_result_answer_text(result),
                        "Recall is estimated at 25 % (95 % interval 11 % to 54 %).");
    assert_string_equal(iv_table_name(iv_result_table_at(result, 0)), "recall");
    iv_result_free(result);
}

static int stop_at(void *user, double fraction)
{
    double *last = user;

    assert_true(fraction >= *last);
    *last = fraction;
    return fraction > 0.1;
}

/* 5000 read, 2500 relevant; 441 of the other 95000 make recall .85. */
static void a_plan_of_the_others_alone_expects_what_enumeration_does(void **state)
{
    static const double recall[] = { 0.85 };
    static const int64_t total[] = { 1000 };
    iv_plan_recall_question q = { .population = 100000, .retrieved = 5000,
                                  .recall = { recall, 1 }, .total = { total, 1 },
                                  .retrieved_judged = 2500 };
    const iv_recall_guess guess = { 0.85, 0.5 };
    const iv_recall_plan plan = { 100000, 5000, { 0 }, &guess, 1, 0.0, true };
    iv_recall_posterior *w = NULL;
    iv_recall_design d;
    iv_result *result = NULL;
    double width = 0.0;

    (void)state;
    assert_int_equal(iv_recall_posterior_new(&w, NULL), IV_OK);
    for (int64_t r = 0; r <= 30; r++) {
        const iv_stratum one = { 5000, 5000, 2500 }, zero = { 95000, 1000, r };
        iv_limits i;
        assert_int_equal(iv_recall_interval_of(&i, &(iv_segments){ &one, &zero, 1, 1 }, NULL, w,
                                               NULL), IV_OK);
        width += exp(iv_hyper_log_pmf(r, 95000, 441, 1000)) * (i.upper - i.lower);
    }
    iv_recall_posterior_free(w);
    assert_int_equal(iv_recall_best_split(&d, &plan, 6000, IV_GOAL_WIDTH, NULL, NULL), IV_OK);
    assert_int_equal(d.n1, 5000);
    assert_near(d.value, width, 0.002);
    assert_int_equal(iv_recall_best_split(&d, &plan, 5000, IV_GOAL_WIDTH, NULL, NULL), IV_EARG);
    assert_int_equal(iv_result_new(&result, "plan recall", NULL), IV_OK);
    assert_int_equal(iv_answer_plan_recall(result, &q, NULL, NULL), IV_OK);
    assert_string_equal(iv_result_answer_text(result), "With all 5,000 retrieved documents read, "
                        "judge 1,000 unretrieved ones: the expected width of the interval is 0.212.");
    q.retrieved_judged = 5001;
    assert_int_equal(iv_answer_plan_recall(result, &q, NULL, NULL), IV_EARG);
    iv_result_free(result);
}

static void a_plan_is_answered_and_can_be_stopped(void **state)
{
    static const double recall[] = { 0.7 }, precision[] = { 0.5 };
    static const int64_t total[] = { 40 };
    const iv_plan_recall_question q = { .population = 400, .retrieved = 80, .recall = { recall, 1 },
                                        .precision = { precision, 1 }, .total = { total, 1 } };
    iv_result *result = NULL;
    double last = 0.0;
    const iv_work stopped = { .progress = { stop_at, &last } };

    (void)state;
    assert_int_equal(iv_result_new(&result, "plan recall", NULL), IV_OK);
    assert_int_equal(iv_answer_plan_recall(result, &q, NULL, NULL), IV_OK);
    assert_string_equal(iv_result_answer_text(result), "Judge 12 retrieved and 28 unretrieved documents "
                        "(40 in all): the expected width of the interval is 0.519.");
    iv_result_free(result);
    assert_int_equal(iv_result_new(&result, "plan recall", NULL), IV_OK);
    assert_int_equal(iv_answer_plan_recall(result, &q, &stopped, NULL), IV_ECANCELLED);
    assert_true(last > 0.1 && last < 0.5);
    iv_result_free(result);
}

static void a_plan_of_totals_or_wishes_that_are_none_is_refused_in_one_line(void **state)
{
    static const double half[] = { 0.5 };
    static const int64_t negative[] = { -5 };
    const double nan = (double)NAN;
    const struct { iv_plan_recall_question q; const char *says; } cases[] = {
        { { .total = { negative, 1 } }, "-5 documents to judge of 400, expected at least 2 and no "
                                        "more than there are" },
        { { .width = nan }, "nan is wanted, expected above 0 and below 1" },
        { { .lower = nan }, "nan is wanted, expected above 0 and below 1" },
        { { .lower = 0.5, .assurance = nan }, "nan is wanted, expected above 0 and below 1" },
        { { .width = -0.1 }, "-0.1 is wanted, expected above 0 and below 1" } };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        iv_plan_recall_question q = cases[i].q;
        iv_result *result = NULL;
        iv_err err = { .code = IV_OK };
        q.population = 400;
        q.retrieved = 80;
        q.recall = q.precision = (iv_reals){ half, 1 };
        assert_int_equal(iv_result_new(&result, "plan recall", NULL), IV_OK);
        assert_int_equal(iv_answer_plan_recall(result, &q, NULL, &err), IV_EARG);
        assert_string_equal(err.msg, cases[i].says);
        iv_result_free(result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_of_totals_or_wishes_that_are_none_is_refused_in_one_line),
        cmocka_unit_test(a_case_finds_what_the_method_finds),
        cmocka_unit_test(a_curve_has_points_at_its_limits),
        cmocka_unit_test(an_interval_holds_its_estimate),
        cmocka_unit_test(all_methods_answer_or_say_why_not),
        cmocka_unit_test(a_table_of_strata_is_read),
        cmocka_unit_test(a_ranking_in_memory_is_a_ranking),
        cmocka_unit_test(an_answer_has_a_sentence_and_tables),
        cmocka_unit_test(a_plan_of_the_others_alone_expects_what_enumeration_does),
        cmocka_unit_test(a_plan_is_answered_and_can_be_stopped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
