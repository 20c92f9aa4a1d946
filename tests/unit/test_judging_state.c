/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about choosing what to judge and about simulated judging. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "intervale/retrieval.h"
#include "active/incomplete.h"
#include "active/judging_topics.h"
#include "active/judging.h"
#include "active/pilot.h"
#include "num/dist.h"
#include "num/draw.h"
#include "stat/incomplete/ap_moments.h"
#include "stat/pair_tests.h"
#include "trec/judgments.h"
#include "err_text.h"
#include "near.h"
#include "test_judging.h"

enum { RUNS = 3, TOPICS = 8, DEPTH = 40, TEXT = 1 << 16 };

/* Three made runs over eight topics, all documents judged. */
typedef struct collection {
    iv_run *run[RUNS];
    iv_judgments *judgments;
} collection;

static collection made;

/* Runs rank fifty documents by relevance and noise; run 0 is the best. */
static int make_collection(void **state)
{
    static char text[RUNS][TEXT], qrels[TEXT];
    size_t used[RUNS] = { 0 }, judged = 0;

    (void)state;
    for (int t = 0; t < TOPICS; t++) {
        iv_stream s = iv_stream_start(21, IV_FOR_CALLER, (uint64_t)t);
        for (int d = 0; d < 50; d++) {
            const bool relevant = iv_draw_uniform(&s) < 0.25;
            judged += (size_t)snprintf(qrels + judged, TEXT - judged, "%d 0 D%02d %d\n",
                                       301 + t, d, relevant);
            for (int r = 0; r < RUNS; r++) {
                const double score = (relevant ? 1.5 - 0.5 * r : 0.0) + iv_draw_normal(&s);
                if (score > -1.0)
                    used[r] += (size_t)snprintf(text[r] + used[r], TEXT - used[r],
                                                "%d Q0 D%02d 1 %.6f run%d\n", 301 + t, d,
                                                score, r);
            }
        }
    }
    for (int r = 0; r < RUNS; r++) {
        if (iv_run_parse(&made.run[r], "run", text[r], used[r], IV_RUN_TREC, NULL, NULL) != IV_OK)
            return -1;
    }
    return iv_judgments_parse(&made.judgments, "qrels", qrels, judged, IV_JUDGMENTS_QRELS, NULL,
                              NULL);
}

static int free_collection(void **state)
{
    (void)state;
    for (int r = 0; r < RUNS; r++)
        iv_run_free(made.run[r]);
    iv_judgments_free(made.judgments);
    return 0;
}

static iv_pooled *pool(const iv_judgments *judgments, size_t depth)
{
    const iv_pooled_options o = { .depth = depth, .level = 1 };
    iv_pooled *p = NULL;

    assert_int_equal(iv_pooled_new(&p, (const iv_run *const *)made.run, RUNS, judgments, &o,
                                   NULL, NULL), IV_OK);
    return p;
}

static const iv_judging_options half = { .prior = { .relevance = 0.5 }, .form = IV_MOMENTS_DELTA };

static iv_judging_state *judging_of(const iv_pooled *p, size_t count, const iv_judging_options *o)
{
    const size_t runs[] = { 0, 1, 2 };
    iv_judging_state *q = NULL;

    assert_int_equal(iv_judging_new(&q, p, runs, count, o, NULL, NULL), IV_OK);
    return q;
}

static iv_run *run_of(const char *text)
{
    iv_run *r = NULL;

    assert_int_equal(iv_run_parse(&r, "r", text, strlen(text), IV_RUN_TREC, NULL, NULL), IV_OK);
    return r;
}

static iv_judgments *judgments_of(const char *text)
{
    iv_judgments *j = NULL;

    assert_int_equal(iv_judgments_parse(&j, "q", text, strlen(text), IV_JUDGMENTS_ANY, NULL, NULL),
                     IV_OK);
    return j;
}

static void a_pool_has_documents_by_best_rank(void **state)
{
    iv_run *a = run_of("1 Q0 x 1 9 a\n1 Q0 y 2 8 a\n1 Q0 z 3 7 a\n2 Q0 x 1 1 a\n3 Q0 x 1 1 a\n");
    iv_run *b = run_of("1 Q0 w 1 9 b\n1 Q0 z 2 8 b\n2 Q0 x 1 1 b\n4 Q0 x 1 1 b\n");
    iv_judgments *j = judgments_of("1 0 z 1\n1 0 x 0\n1 0 y -1\n1 0 v 1\n1 0 u 0\n");
    const iv_run *runs[] = { a, b };
    const iv_pooled_options o = { .level = 1, .judged_topics = true };
    static const char *const order[] = { "w", "x", "y", "z" };
    static const uint32_t ranks[2][4] = { { 0, 1, 2, 3 }, { 1, 0, 0, 2 } };
    static const signed char judged[] = { -1, 0, -1, 1 };
    iv_pooled *p = NULL;

    (void)state;
    assert_int_equal(iv_pooled_new(&p, runs, 2, j, &o, NULL, NULL), IV_OK);
    assert_int_equal(p->topics, 1);
    assert_int_equal(p->topic[0].documents, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_memory_equal(p->topic[0].docno[i].ptr, order[i], 1);
        assert_int_equal(iv_pooled_ranks(p, 0, 0)[i], ranks[0][i]);
        assert_int_equal(iv_pooled_ranks(p, 0, 1)[i], ranks[1][i]);
        assert_int_equal(p->topic[0].judged[i], judged[i]);
    }
    assert_int_equal(p->topic[0].outside, 1);
    const iv_pooled *f = p;
    assert_int_equal(f->not_shared, 2);
    assert_int_equal(f->not_judged, 1);
    assert_int_equal(f->judged, 2);
    iv_pooled_free(p);
    iv_run_free(a);
    iv_run_free(b);
    iv_judgments_free(j);
}

static void pools_that_share_nothing_are_refused(void **state)
{
    iv_run *a = run_of("1 Q0 x 1 9 a\n"), *b = run_of("2 Q0 x 1 9 b\n");
    iv_judgments *j = judgments_of("3 0 z 1\n"), *sample = judgments_of("1 x 1 1 0.5\n");
    const iv_run *two[] = { a, b }, *same[] = { a, a };
    const iv_pooled_options all = { .level = 1 }, judged = { .level = 1, .judged_topics = true };
    iv_pooled *p = NULL;
    iv_err err = { 0 };

    (void)state;
    assert_int_equal(iv_pooled_new(&p, two, 2, j, &all, NULL, &err), IV_ENODATA);
    assert_string_equal(err_text(&err), "the runs share no topic");
    assert_int_equal(iv_pooled_new(&p, same, 2, j, &judged, NULL, &err), IV_ENODATA);
    assert_string_equal(err_text(&err), "the runs share no topic with the judgments");
    assert_int_equal(iv_pooled_new(&p, same, 2, sample, &judged, NULL, &err), IV_EARG);
    assert_null(p);
    iv_run_free(a);
    iv_run_free(b);
    iv_judgments_free(j);
    iv_judgments_free(sample);
}

/* With everything judged the difference is that of trec_eval's map, and independent documents
 * leave no doubt. */
static void complete_judgments_give_the_difference_of_map(void **state)
{
    static const char *const names[] = { "map" };
    iv_pooled *p = pool(made.judgments, 20);
    iv_measure_options o = { 0 };
    iv_incomplete x = { .a = 0, .b = 2 };
    double map[2];

    (void)state;
    o.depth = 20;
    o.dialect = IV_TREC_EVAL_10; /* scores as double */
    for (int r = 0; r < 2; r++) {
        const iv_evaluating how = { .measures = { names, 1 }, .measure = o };
        const iv_run *const run = made.run[2 * r];
        const iv_source source = { .judged = made.judgments, .ranked = &run,
                                   .ranked_count = 1 };
        iv_evaluation *e = NULL;
        assert_int_equal(iv_evaluate(&e, &source, &how, NULL, NULL), IV_OK);
        map[r] = iv_evaluation_view(e)->means[0].value;
        iv_evaluation_free(e);
    }
    for (int form = IV_MOMENTS_DELTA; form <= IV_MOMENTS_PLAIN; form++) {
        iv_judging_options how = { .form = (iv_moments_form)form };
        assert_int_equal(iv_incomplete_pairs(&x, 1, p, &how, &(iv_incomplete_how){ 0 }, NULL, NULL),
                         IV_OK);
        assert_near(x.difference.mean, map[0] - map[1], 1e-14);
        how.prior = (iv_prior){ .relevance = 0.3 };
        assert_int_equal(iv_incomplete_pairs(&x, 1, p, &how, &(iv_incomplete_how){ 0 }, NULL, NULL),
                         IV_OK);
        assert_near(x.difference.mean, map[0] - map[1], 1e-14);
        assert_near(x.difference.variance, 0.0, 0.0);
        assert_true(x.p_less == 0.0 && x.certainty == 1.0 && x.topics_adjusted == TOPICS);
        assert_near(x.effect_adjusted, x.effect, 0.0);
    }
    iv_pooled_free(p);
}

/* Before anything is judged neither run is better; with all judged nothing is left open. */
static void runs_are_equal_until_judgments_tell(void **state)
{
    iv_pooled *p = pool(made.judgments, 0);
    const iv_judging_options start = { .forget = true };
    const iv_judging_options theirs = { .prior = half.prior, .union_only = true };
    iv_judging_state *q = judging_of(p, 3, &start), *known = judging_of(p, 3, &theirs);

    (void)state;
    for (size_t x = 0; x < 3; x++)
        assert_near(iv_sign_confidence(iv_judging_moments(q, x)), 0.5, 1e-9);
    for (size_t t = 0; t < q->topics; t++)
        for (size_t d = 0; d < q->topic[t].documents; d++)
            iv_judging_judge(q, t, d, iv_judging_relevance(known, t, d) == 1.0);
    for (size_t x = 0; x < 3; x++) {
        assert_near(iv_judging_moments(q, x).mean, iv_judging_moments(known, x).mean, 1e-12);
        assert_near(iv_judging_moments(q, x).variance, 0.0, 0.0);
    }
    iv_judging_free(q);
    iv_judging_free(known);
    iv_pooled_free(p);
}

/* ... of active judging of all runs, whichever pairs are asked for: next says the same. */
static void pairs_are_sums_of_their_topics(void **state)
{
    iv_pooled *p = pool(NULL, 0);
    iv_judging_state *q = judging_of(p, 3, &half);
    const iv_judging_options how = { .prior = half.prior, .form = half.form };
    iv_incomplete x = { .a = 0, .b = 1 };
    double mean = 0.0, variance = 0.0;

    (void)state;
    assert_int_equal(iv_incomplete_pairs(&x, 1, p, &how, &(iv_incomplete_how){ IV_GREATER }, NULL, NULL), IV_OK);
    for (size_t t = 0; t < TOPICS; t++) {
        const iv_moments d = iv_judging_topic_moments(q, t, 0);
        mean += d.mean / TOPICS;
        variance += d.variance / (TOPICS * TOPICS);
    }
    assert_near(x.difference.mean, mean, 1e-15);
    assert_near(x.difference.variance, variance, 1e-15);
    assert_near(x.p_less, iv_norm_cdf(-mean / sqrt(variance)), 1e-12);
    assert_near(x.topics_adjusted, TOPICS / pow(2.0 * x.certainty - 1.0, 2.0), 1e-9);
    iv_incomplete turned = { .a = 1, .b = 0 };
    assert_int_equal(iv_incomplete_pairs(&turned, 1, p, &how, &(iv_incomplete_how){ IV_GREATER }, NULL, NULL), IV_OK);
    assert_true(turned.difference.mean == -x.difference.mean && turned.wins == x.losses);
    iv_judging_free(q);
    iv_pooled_free(p);
}

/* Without variances the list is the same, to the last digit: with and without learning. */
static void a_list_needs_no_variances(void **state)
{
    (void)state;
    for (int way = 0; way < 4; way++) {
        iv_pooled *p = pool(NULL, 0);
        iv_judging_options how = { .prior = { .relevance = way % 2 == 0 ? 0.0 : 0.5 } };
        iv_judging_state *whole = judging_of(p, 3, &how);
        how.order_only = true;
        iv_judging_state *quick = judging_of(p, 3, &how);
        iv_candidate a[9], b[9], next;
        size_t n = 9, m = 9;
        for (int step = 0; step < 25 && way >= 2; step++) { /* the model learns */
            assert_true(iv_judging_next(&next, whole));
            iv_judging_judge(whole, next.topic, next.document, step % 3 == 0);
            iv_judging_judge(quick, next.topic, next.document, step % 3 == 0);
        }
        assert_int_equal(iv_judging_list(a, &n, whole, NULL, NULL), IV_OK);
        assert_int_equal(iv_judging_list(b, &m, quick, NULL, NULL), IV_OK);
        assert_true(n == m && n > 0);
        for (size_t k = 0; k < n; k++)
            assert_true(a[k].topic == b[k].topic && a[k].document == b[k].document
                        && a[k].movement == b[k].movement);
        iv_judging_free(whole);
        iv_judging_free(quick);
        iv_pooled_free(p);
    }
}

static void the_next_document_is_the_best_of_all_topics(void **state)
{
    iv_pooled *p = pool(NULL, 0);
    iv_judging_state *q = judging_of(p, 3, &half);
    iv_candidate next, list[5];

    (void)state;
    for (int step = 0; step < 30; step++) {
        assert_true(iv_judging_next(&next, q));
        size_t count = 5;
        assert_int_equal(iv_judging_list(list, &count, q, NULL, NULL), IV_OK);
        assert_int_equal(count, 5);
        assert_near(next.movement, list[0].movement, 1e-11);
        assert_true(list[0].movement >= list[1].movement);
        const uint32_t rank = iv_judging_best_rank(q, next.topic, next.document);
        assert_int_equal(rank, iv_judging_best_rank(q, list[0].topic, list[0].document));
        iv_judging_judge(q, next.topic, next.document, step % 3 == 0);
        const double p_now = iv_judging_relevance(q, next.topic, next.document);
        assert_true(p_now == (step % 3 == 0 ? 1.0 : 0.0));
    }
    iv_judging_free(q);
    iv_pooled_free(p);
}

/* Runs of different length differ in nothing that is known before anything is judged. */
static void a_longer_run_is_not_better_for_it(void **state)
{
    iv_run *a = run_of("1 Q0 x 1 9 a\n1 Q0 y 2 8 a\n1 Q0 z 3 7 a\n1 Q0 w 4 6 a\n2 Q0 x 1 9 a\n");
    iv_run *b = run_of("1 Q0 y 1 9 b\n1 Q0 v 2 8 b\n2 Q0 u 1 9 b\n2 Q0 x 2 8 b\n2 Q0 t 3 7 b\n");
    const iv_run *runs[] = { a, b };
    const size_t both[] = { 0, 1 };
    iv_pooled *p = NULL;
    iv_judging_state *q = NULL;

    (void)state;
    assert_int_equal(iv_pooled_new(&p, runs, 2, NULL, NULL, NULL, NULL), IV_OK);
    assert_int_equal(iv_judging_new(&q, p, both, 2, NULL, NULL, NULL), IV_OK);
    assert_near(iv_sign_confidence(iv_judging_moments(q, 0)), 0.5, 1e-12);
    iv_judging_free(q);
    iv_pooled_free(p);
    iv_run_free(a);
    iv_run_free(b);
}

static iv_judging_record judge(iv_judging_state *q, const iv_judgments *oracle,
                               const iv_judging_plan *plan)
{
    iv_judging_record r;
    iv_err err = { 0 };

    if (iv_judge_until(&r, q, oracle, "oracle", plan, NULL, &err) != IV_OK)
        fail_msg("%s", err_text(&err));
    return r;
}

static void judging_ends_when_it_is_sure_enough(void **state)
{
    iv_pooled *p = pool(NULL, 0);

    (void)state;
    for (int by_pool = 0; by_pool < 2; by_pool++) {
        for (size_t runs = 2; runs <= 3; runs++) {
            const iv_judging_plan plan = { .until = 0.9, .order = (iv_judging_order)by_pool };
            iv_judging_state *q = judging_of(p, runs, &half);
            iv_judging_record r = judge(q, made.judgments, &plan);
            assert_true(r.reached && r.confidence >= 0.9 && r.start < 0.9);
            for (size_t k = 0; k + 1 < r.steps; k++)
                assert_true(isnan(r.step[k].confidence) || r.step[k].confidence < 0.9);
            for (size_t x = 0; x < iv_pair_count(runs); x++)
                assert_true(iv_sign_confidence(iv_judging_moments(q, x)) >= 0.9 || r.fixed);
            assert_true((r.depth > 0) == (by_pool == 1));
            iv_judging_record_free(&r);
            iv_judging_free(q);
        }
    }
    iv_pooled_free(p);
}

static void certainty_is_reached_and_right(void **state)
{
    iv_pooled *p = pool(NULL, 0), *known = pool(made.judgments, 0);
    const iv_judging_plan plan = { .until = 1.0 };
    iv_judging_state *q = judging_of(p, 2, &half), *truth = judging_of(known, 2, &half);
    iv_judging_record r = judge(q, made.judgments, &plan);

    (void)state;
    assert_true(r.reached);
    assert_true(r.fixed || r.confidence >= IV_CERTAIN);
    assert_true(iv_judging_moments(q, 0).mean * iv_judging_moments(truth, 0).mean > 0.0);
    double lower, upper;
    assert_int_equal(iv_judging_limits_at(&lower, &upper, q, 0, 1, NULL, 0.0, NULL), IV_OK);
    assert_true(lower <= iv_judging_moments(truth, 0).mean);
    assert_true(upper >= iv_judging_moments(truth, 0).mean);
    iv_judging_record_free(&r);
    iv_judging_free(q);
    iv_judging_free(truth);
    iv_pooled_free(p);
    iv_pooled_free(known);
}

static void an_oracle_that_lacks_a_document_is_told_of(void **state)
{
    iv_pooled *p = pool(NULL, 0);
    iv_judgments *little = judgments_of("301 0 D00 1\n301 0 D01 0\n302 0 D03 1\n");
    iv_judging_plan plan = { .until = 0.99 };
    iv_judging_state *q = judging_of(p, 2, &half);
    iv_judging_record r;
    iv_err err = { 0 };

    (void)state;
    assert_int_equal(iv_judge_until(&r, q, little, "little.qrels", &plan, NULL,
                                    &err), IV_ENODATA);
    assert_non_null(strstr(err_text(&err), "little.qrels: no judgment of document 'D"));
    iv_judging_free(q);
    plan.no_answer = IV_NO_ANSWER_SKIP;
    q = judging_of(p, 2, &half);
    r = judge(q, little, &plan);
    assert_true(!r.reached && r.steps <= 3 && r.unanswered == 0);
    iv_judging_record_free(&r);
    iv_judging_free(q);
    plan.no_answer = IV_NO_ANSWER_NONRELEVANT;
    plan.most = 40;
    q = judging_of(p, 2, &half);
    r = judge(q, little, &plan);
    assert_true(r.unanswered > 0 && r.steps <= 40);
    iv_judging_record_free(&r);
    iv_judging_free(q);
    iv_pooled_free(p);
    iv_judgments_free(little);
}

/* A merge of paths is the simulation that looks at all topics each time. */
static void merged_paths_are_judging_itself(void **state)
{
    static const double levels[] = { 0.6, 0.7, 0.8, 0.89 };
    iv_pooled *p = pool(made.judgments, 0), *nothing = pool(NULL, 0);
    size_t all[TOPICS];

    (void)state;
    for (size_t t = 0; t < TOPICS; t++)
        all[t] = t;
    for (int by_pool = 0; by_pool < 2; by_pool++) {
        const iv_judging_options how = { .prior = half.prior, .form = half.form,
                                         .order = (iv_judging_order)by_pool };
        iv_paths *paths = NULL;
        size_t made_of[4], wins, losses;
        assert_int_equal(iv_paths_new(&paths, p, 0, 1, &how, "", NULL, NULL), IV_OK);
        assert_int_equal(iv_paths_judge(made_of, &wins, &losses, paths, all, TOPICS, levels, 4,
                                        NULL, NULL), IV_OK);
        assert_true(wins + losses <= TOPICS);
        for (size_t k = 0; k < 4; k++) {
            const iv_judging_plan plan = { .until = levels[k], .order = (iv_judging_order)by_pool };
            const iv_judging_options paper = { .prior = half.prior, .form = half.form,
                                               .union_only = true };
            iv_judging_state *q = judging_of(nothing, 2, &paper);
            iv_judging_record r = judge(q, made.judgments, &plan);
            assert_int_equal(r.steps, made_of[k]);
            iv_judging_record_free(&r);
            iv_judging_free(q);
        }
        iv_paths_free(paths);
    }
    iv_pooled_free(p);
    iv_pooled_free(nothing);
}

static void relevance_by_rank_comes_from_judged_documents(void **state)
{
    iv_pooled *p = pool(made.judgments, 0), *nothing = pool(NULL, 0);
    iv_prior prior = { 0 };

    (void)state;
    assert_int_equal(iv_prior_by_rank(&prior, p, NULL), IV_OK);
    assert_true(prior.by_rank && prior.curve.slope < 0.0);
    assert_int_equal(prior.curve.judged, p->judged);
    assert_int_equal(iv_prior_by_rank(&prior, nothing, NULL), IV_ENODATA);
    const size_t runs[] = { 0, 1 };
    iv_judging_state *q = NULL;
    assert_int_equal(iv_judging_new(&q, p, runs, 1, &half, NULL, NULL), IV_EARG);
    iv_pooled_free(p);
    iv_pooled_free(nothing);
}

static void a_pilot_plans_and_forecasts(void **state)
{
    iv_pooled *p = pool(made.judgments, 0);
    const iv_pilot_options o = { .forecasts = 50, .replicates = 5 };
    iv_pilot x, again;

    (void)state;
    assert_int_equal(iv_pilot_study(&x, p, 0, 1, &o, "pilot", NULL, NULL), IV_OK);
    assert_int_equal(x.topics, TOPICS);
    assert_true(x.certain.topics == 25);
    assert_true(x.certain.lower <= x.certain.mean && x.certain.mean <= x.certain.upper);
    assert_true(x.start_up != SIZE_MAX && x.pool_judgments > 0.0);
    assert_near(x.model.r2, 1.0 - x.model.deviance / x.model.null_deviance, 1e-14);
    assert_int_equal(iv_pilot_study(&again, p, 0, 1, &o, "pilot", NULL, NULL), IV_OK);
    assert_true(again.certain.mean == x.certain.mean);
    iv_pilot_clear(&x);
    iv_pilot_clear(&again);
    iv_pooled_free(p);
}

static void a_pilot_of_one_topic_is_refused(void **state)
{
    iv_run *a = run_of("1 Q0 x 1 9 a\n1 Q0 y 2 8 a\n"), *b = run_of("1 Q0 y 1 9 b\n");
    iv_judgments *j = judgments_of("1 0 x 1\n1 0 y 0\n");
    const iv_run *runs[] = { a, b };
    const iv_pooled_options o = { .level = 1 };
    iv_pooled *p = NULL;
    iv_pilot x;
    iv_err err = { 0 };

    (void)state;
    assert_int_equal(iv_pooled_new(&p, runs, 2, j, &o, NULL, NULL), IV_OK);
    assert_int_equal(iv_pilot_study(&x, p, 0, 1, NULL, "p.qrels", NULL, &err), IV_ENODATA);
    assert_non_null(strstr(err_text(&err), "p.qrels: the pilot has one topic"));
    iv_pooled_free(p);
    iv_run_free(a);
    iv_run_free(b);
    iv_judgments_free(j);
}

/* Labels of the made documents: the judgments themselves, or their opposite. */
static iv_judgments *labels_of(bool turned)
{
    static char text[TEXT];
    size_t used = 0;

    for (size_t t = 0; t < iv_judgments_topics(made.judgments); t++) {
        const iv_judgment *j;
        const iv_str id = iv_judgments_topic(made.judgments, t);
        const size_t n = iv_judgments_of(&j, made.judgments, t);
        for (size_t i = 0; i < n; i++)
            used += (size_t)snprintf(text + used, TEXT - used, "%.*s 0 %.*s %d\n", (int)id.len,
                                     id.ptr, (int)j[i].docno.len, j[i].docno.ptr,
                                     (j[i].grade > 0) != turned);
    }
    return judgments_of(text);
}

/* Mean belief in relevant documents less that in others, after some were judged. */
static double told_apart(const iv_judgments *machine, const iv_judgments *judged, size_t topic)
{
    const iv_judging_options o = { .machine = machine };
    iv_pooled *p = pool(judged, 0);
    iv_judging_state *q = judging_of(p, RUNS, &o);
    double sum[2] = { 0.0, 0.0 }, count[2] = { 0.0, 0.0 };
    const size_t at = iv_judgments_find_topic(made.judgments, iv_judging_topic_id(q, topic));

    for (size_t d = 0; d < q->topic[topic].documents; d++) {
        const int relevant = iv_judgments_find(made.judgments, at,
                                                    iv_judging_docno(q, topic, d))->grade;
        sum[relevant] += iv_judging_relevance(q, topic, d);
        count[relevant] += 1.0;
    }
    iv_judging_free(q);
    iv_pooled_free(p);
    return sum[1] / count[1] - sum[0] / count[0];
}

/* Its labels count at once, more when judgments confirm them, and are turned round by
 * judgments that contradict them. */
static void a_machine_is_believed_as_judgments_show_it(void **state)
{
    iv_judgments *right = labels_of(false), *wrong = labels_of(true);
    static char text[TEXT];
    size_t used = 0;

    (void)state;
    for (size_t t = 0; t + 1 < iv_judgments_topics(made.judgments); t++) { /* all topics but one */
        const iv_judgment *j;
        const iv_str id = iv_judgments_topic(made.judgments, t);
        const size_t n = iv_judgments_of(&j, made.judgments, t);
        for (size_t i = 0; i < n; i++)
            used += (size_t)snprintf(text + used, TEXT - used, "%.*s 0 %.*s %d\n", (int)id.len,
                                     id.ptr, (int)j[i].docno.len, j[i].docno.ptr, (int)j[i].grade);
    }
    iv_judgments *others = judgments_of(text);
    const double before = told_apart(right, NULL, TOPICS - 1);
    const double after = told_apart(right, others, TOPICS - 1);
    const double turned = told_apart(wrong, others, TOPICS - 1);
    const double without = told_apart(NULL, others, TOPICS - 1);
    assert_true(before > told_apart(NULL, NULL, TOPICS - 1) + 0.1);
    assert_true(after > before + 0.1 && after > without + 0.1);
    assert_true(turned > without + 0.1);
    iv_judgments_free(others);
    iv_judgments_free(right);
    iv_judgments_free(wrong);
}

int test_active_judging(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pool_has_documents_by_best_rank),
        cmocka_unit_test(pools_that_share_nothing_are_refused),
        cmocka_unit_test(complete_judgments_give_the_difference_of_map),
        cmocka_unit_test(pairs_are_sums_of_their_topics),
        cmocka_unit_test(runs_are_equal_until_judgments_tell),
        cmocka_unit_test(a_list_needs_no_variances),
        cmocka_unit_test(the_next_document_is_the_best_of_all_topics),
        cmocka_unit_test(a_longer_run_is_not_better_for_it),
        cmocka_unit_test(judging_ends_when_it_is_sure_enough),
        cmocka_unit_test(certainty_is_reached_and_right),
        cmocka_unit_test(an_oracle_that_lacks_a_document_is_told_of),
        cmocka_unit_test(merged_paths_are_judging_itself),
        cmocka_unit_test(relevance_by_rank_comes_from_judged_documents),
        cmocka_unit_test(a_pilot_plans_and_forecasts),
        cmocka_unit_test(a_pilot_of_one_topic_is_refused),
        cmocka_unit_test(a_machine_is_believed_as_judgments_show_it),
    };

    return cmocka_run_group_tests_name("active_judging", tests, make_collection, free_collection);
}
