/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about frames, samples, active judging and estimates from them. */
#include "active/judging_topics.h"
#include "retrieval/evaluation.h"
#include "retrieval/sampled_measures.h"
#include "sampling/sample_state.h"
#include "sampling/sampled_judgments.h"
#include "sampling/scheme.h"
#include "stat/incomplete/ap_moments.h"
#include "stat/pair_tests.h"
#include "trec/judgments.h"
#include "trec/run.h"
#include "test_library.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "near.h"
#include "base/ids.h"

enum { RUNS = LIBRARY_RUNS, TOPICS = LIBRARY_TOPICS, DOCUMENTS = LIBRARY_DOCUMENTS };

static const iv_run *const *runs_of(const library *l)
{
    return (const iv_run *const *)l->run;
}

/* ------------------------------------------------------------ active judging -- */

static void active_judging_has_the_ranks_of_its_runs(void **state)
{
    const library *l = *state;
    const iv_pooled_options pool = { .level = 1, .judged_topics = true };
    const iv_judging_options o = { .prior = { .relevance = 0.5 }, .form = IV_MOMENTS_DELTA,
                                   .forget = true };
    const size_t which[] = { 2, 0 };
    iv_pooled *p = NULL;
    iv_judging_state *q = NULL;

    assert_int_equal(iv_pooled_new(&p, runs_of(l), RUNS, l->qrels, &pool, NULL, NULL), IV_OK);
    assert_int_equal(p->runs, RUNS);
    assert_int_equal(iv_judging_new(&q, p, which, 2, &o, NULL, NULL), IV_OK);
    assert_int_equal(q->runs, 2);
    assert_int_equal(q->topics, TOPICS);
    for (size_t t = 0; t < TOPICS; t++) {
        assert_int_equal(iv_str_cmp(iv_judging_topic_id(q, t), p->topic[t].id), 0);
        assert_int_equal(q->topic[t].documents, DOCUMENTS);
        for (size_t d = 0; d < DOCUMENTS; d++) {
            const iv_str name = iv_judging_docno(q, t, d);
            uint32_t best = UINT32_MAX;
            for (size_t i = 0; i < 2; i++) {
                const uint32_t rank = iv_judging_rank(q, t, i, d);
                assert_int_equal(iv_str_cmp(iv_run_docno(l->run[which[i]], t, rank - 1), name),
                                 0);
                best = rank < best ? rank : best;
            }
            assert_int_equal(iv_judging_best_rank(q, t, d), best);
        }
    }
    iv_judging_free(q);
    iv_pooled_free(p);
}

static void only_what_is_allowed_and_wanted_is_chosen(void **state)
{
    const library *l = *state;
    const iv_pooled_options pool = { .level = 1, .judged_topics = true };
    const iv_judging_options o = { .prior = { .relevance = 0.5 }, .form = IV_MOMENTS_DELTA,
                                   .forget = true };
    const size_t which[] = { 0, 1, 2 };
    iv_candidate first, second;
    iv_pooled *p = NULL;
    iv_judging_state *q = NULL;

    assert_int_equal(iv_pooled_new(&p, runs_of(l), RUNS, NULL,
                                   &(iv_pooled_options){ .level = pool.level }, NULL, NULL), IV_OK);
    assert_int_equal(iv_judging_new(&q, p, which, 3, &o, NULL, NULL), IV_OK);
    assert_true(iv_judging_next(&first, q));
    iv_judging_allow(q, first.topic, first.document, false);
    assert_true(iv_judging_next(&second, q));
    assert_true(second.topic != first.topic || second.document != first.document);
    assert_true(second.movement <= first.movement);
    iv_judging_allow(q, first.topic, first.document, true);
    assert_true(iv_judging_next(&second, q));
    assert_true(second.topic == first.topic && second.document == first.document);
    /* Two of three pairs out of sight: less can move. */
    iv_judging_want(q, iv_pair_index(3, 0, 1), false);
    iv_judging_want(q, iv_pair_index(3, 0, 2), false);
    assert_true(iv_judging_next(&second, q));
    assert_true(second.movement < first.movement);
    iv_judging_want(q, iv_pair_index(3, 1, 2), false);
    assert_false(iv_judging_next(&second, q));
    iv_judging_free(q);
    iv_pooled_free(p);
}

/* ----------------------------------------------------- frames and samples -- */

static void a_frame_is_the_union_of_the_runs_tops(void **state)
{
    const library *l = *state;
    iv_frame *f = NULL;

    assert_int_equal(iv_frame_new(&f, runs_of(l), RUNS, 10, NULL, NULL), IV_OK);
    assert_int_equal(f->topic_count, TOPICS);
    for (size_t t = 0; t < TOPICS; t++) {
        const iv_frame_document *d = f->topics[t].documents;
        const size_t n = f->topics[t].count;
        double sum = 0.0;
        assert_int_equal(iv_frame_find_topic(f, f->topics[t].id), t);
        assert_in_range(n, 10, 30);
        for (size_t i = 0; i < n; i++) {
            assert_in_range(d[i].best, 1, 10);
            assert_true(i == 0 || d[i].weight <= d[i - 1].weight);
            sum += d[i].weight;
        }
        assert_near(sum, 1.0, 1e-12);
    }
    assert_int_equal(iv_frame_find_topic(f, iv_str_of("9")), IV_NONE);
    iv_frame_free(f);
}

/* Fills in what the qrels say; the text of a completed sample. */
static iv_judgments *judged_sample(const library *l, const iv_sample *s, const char *mode)
{
    char *text = NULL;
    size_t size = 0;
    const char *const words[] = { "intervale test" };
    FILE *out = open_memstream(&text, &size);
    iv_judgments *j = NULL, *blank = NULL;

    assert_int_equal(iv_sample_write(out, s, words, 1, NULL), IV_OK);
    assert_int_equal(fclose(out), 0);
    assert_true(strstr(text, mode) != NULL && strstr(text, "# intervale test") != NULL);
    assert_int_equal(iv_judgments_parse(&blank, "blank", text, size, IV_JUDGMENTS_ANY, NULL, NULL),
                     IV_OK);
    /* A line ends with "-1 method pi"; the grade takes the place of -1. */
    for (size_t t = 0; t < iv_judgments_topics(blank); t++) {
        const iv_judgment *list;
        const size_t n = iv_judgments_of(&list, blank, t);
        for (size_t i = 0; i < n; i++) {
            char line[64];
            const iv_str topic = iv_judgments_topic(blank, t), doc = list[i].docno;
            (void)snprintf(line, sizeof line, "\n%.*s %.*s -1 ", (int)topic.len, topic.ptr,
                           (int)doc.len, doc.ptr);
            char *at = strstr(text, line);
            assert_non_null(at);
            at += strlen(line) - 3;
            at[0] = ' ';
            at[1] = (char)('0' + iv_judgments_find(l->qrels,
                                                   iv_judgments_find_topic(l->qrels, topic),
                                                   doc)->grade);
        }
    }
    assert_int_equal(iv_judgments_parse(&j, "judged", text, size, IV_JUDGMENTS_ANY, NULL, NULL),
                     IV_OK);
    iv_judgments_free(blank);
    free(text);
    return j;
}

static void a_document_without_its_line_stays_in_the_sample_or_leaves_it(void **state)
{
    static const char text[] = "#: intervale-sample 1 uniform\n#: topic 1 6 3\n"
        "#: stratum 1 1 6 3 d1 d4 d6\n#: rest 1 1 d2 d3 d5\n1 d1 1 1 0.5\n1 d6 0 1 0.5\n";
    iv_judgments *j = NULL;
    iv_sampling *s = NULL;
    (void)state;

    assert_int_equal(iv_judgments_parse(&j, "judged", text, sizeof text - 1, IV_JUDGMENTS_ANY, NULL,
                                        NULL), IV_OK);
    assert_int_equal(iv_sampling_new(&s, j, "judged", IV_UNJUDGED_REFUSE, NULL), IV_EPARSE);
    assert_int_equal(iv_sampling_new(&s, j, "judged", IV_UNJUDGED_NONRELEVANT, NULL), IV_OK);
    iv_sampling_topic t = iv_sampling_topic_at(s, 0);
    assert_int_equal(t.absent.ids.count, 1);
    assert_int_equal(t.drawn, 3);
    assert_int_equal(t.absent.at[iv_ids_find(&t.absent.ids, iv_str_of("d4"))].bucket, 0);
    assert_int_equal(iv_ids_find(&t.absent.ids, iv_str_of("d1")), IV_NO_ID);
    assert_int_equal(iv_sampling_rest(&t, iv_str_of("d4")), IV_FIXED);
    iv_sampling_free(s);
    assert_int_equal(iv_sampling_new(&s, j, "judged", IV_UNJUDGED_DROP, NULL), IV_OK);
    t = iv_sampling_topic_at(s, 0);
    assert_int_equal(t.absent.ids.count, 0);
    assert_int_equal(t.drawn, 2);
    assert_int_equal(iv_sampling_rest(&t, iv_str_of("d4")), 0);
    assert_near(t.pi[0], 2.0 / 6.0, 1e-15);
    iv_sampling_free(s);
    iv_judgments_free(j);
}

static void a_sample_comes_back_as_it_was_drawn(void **state)
{
    static const char *const designs[] = { "stevens", "uniform", "stratified", "pool", NULL };
    static const char *const unjudged[] = { "refuse", "nonrelevant", "drop", NULL };
    const library *l = *state;
    iv_sample_options o = { 0 };
    iv_frame *f = NULL;

    assert_names(iv_design_names(), designs);
    assert_names(iv_unjudged_names(), unjudged);
    assert_string_equal(iv_spread_rule_names()[IV_SPREAD_FRAME], "frame");
    assert_string_equal(iv_moments_form_names()[IV_MOMENTS_PLAIN], "plain");
    assert_string_equal(iv_no_answer_names()[IV_NO_ANSWER_SKIP], "skip");
    assert_string_equal(iv_alternative_names()[IV_LESS], "less");
    assert_string_equal(iv_judging_order_names()[IV_ORDER_POOL], "pool");
    assert_int_equal(iv_frame_new(&f, runs_of(l), RUNS, DOCUMENTS, NULL, NULL), IV_OK);
    for (int k = 0; k < 3; k++) {
        iv_sample *s = NULL;
        iv_sampling *back = NULL;
        o.design = (iv_design)k;
        o.budget = 12;
        assert_int_equal(iv_sample_draw(&s, f, &o, NULL, NULL), IV_OK);
        assert_int_equal(iv_sample_topics(s), TOPICS);
        assert_int_equal(s->foreign, 0);
        iv_judgments *j = judged_sample(l, s, designs[k]);
        assert_int_equal(iv_sampling_new(&back, j, "judged", IV_UNJUDGED_REFUSE, NULL), IV_OK);
        assert_int_equal(back->source, IV_SAMPLING_WRITTEN);
        assert_ptr_equal(back->judgments, j);
        assert_string_equal(back->noted.design, designs[k]);
        assert_int_equal(back->noted.unjudged, 0);
        for (size_t t = 0; t < TOPICS; t++) {
            const iv_sample_topic drawn = iv_sample_topic_at(s, t);
            const iv_judgment *rest = drawn.rest;
            const iv_sampling_topic read = iv_sampling_topic_at(back, t);
            assert_int_equal(read.count, drawn.count);
            assert_int_equal(drawn.frame, DOCUMENTS);
            assert_false(read.scheme->kind == IV_SCHEME_INDEPENDENT);
            assert_int_equal(read.scheme->draws, drawn.scheme->draws);
            assert_int_equal(read.scheme->draws, 12);
            for (size_t i = 0; i < read.count; i++)
                assert_near(read.pi[i], drawn.documents[i].pi, 1e-12);
            assert_true(read.frame_known == (o.design != IV_DESIGN_STEVENS));
            for (size_t i = 0; i < drawn.rest_count; i++)
                assert_int_equal(iv_sampling_rest(&read, rest[i].docno), rest[i].stratum);
            assert_int_equal(iv_sampling_rest(&read, iv_str_of("nowhere")), IV_FIXED);
            assert_int_equal(read.frame.ids.count, DOCUMENTS);
            assert_int_equal(iv_ids_find(&read.frame.ids, iv_str_of("nowhere")), IV_NO_ID);
            for (size_t i = 0; i < drawn.rest_count; i++) {
                const uint32_t at = iv_ids_find(&read.frame.ids, rest[i].docno);
                assert_int_equal(read.frame.ids.names[at].len, rest[i].docno.len);
                assert_int_equal(read.frame.at[at].bucket, rest[i].stratum);
                assert_true(read.frame.at[at].grade < 0);
            }
        }
        iv_sampling_free(back);
        iv_judgments_free(j);
        iv_sample_free(s);
    }
    iv_frame_free(f);
}

/* --------------------------------------------------- estimates from samples -- */

static void estimates_know_their_run_and_its_gaps(void **state)
{
    static const char *const estimators[] = { "auto", "corrected", "published", NULL };
    static const char *const names[] = { "AP" };
    static const char short_text[] = "1 Q0 D00 1 2.5 brief\n1 Q0 D01 2 1.5 brief\n"
                                     "77 Q0 D01 1 1.5 other\n";
    const library *l = *state;
    const iv_evaluating how = { .measures = { names, 1 }, .complete = true,
                                .differences = true };
    char path[SCRATCH_PATH];
    const char *paths[] = { l->path[0], scratch_at(path, &l->dir, "brief") };
    const iv_source source = { .judged = l->sampling->judgments,
                               .runs = { paths, 2 } };
    double difference[TOPICS], variance[TOPICS];
    iv_mean all;
    iv_evaluation *e = NULL;
    FILE *f = fopen(path, "wb");

    assert_names(iv_estimator_names(), estimators);
    assert_string_equal(iv_sampled_gap_text(IV_SAMPLED_INTERVAL), "");
    assert_true(f != NULL && fputs(short_text, f) >= 0 && fclose(f) == 0);
    assert_int_equal(iv_evaluate(&e, &source, &how, NULL, NULL), IV_OK);
    const iv_evaluated_run *r = iv_evaluation_view(e)->runs;
    assert_string_equal(r[1].tag, "brief");
    assert_true(r[1].noted.odd.many_tags && r[1].noted.odd.misranked_line == 0);
    assert_false(r[0].noted.odd.many_tags);
    assert_int_equal(r[1].bytes, sizeof short_text - 1);
    assert_int_equal(r[1].topics, TOPICS);
    assert_false(iv_evaluation_value(e, 1, 0, 0).empty);
    assert_true(iv_evaluation_value(e, 1, 0, 1).empty);
    assert_int_equal(r[1].missing_count, TOPICS - 1);
    assert_int_equal(iv_str_cmp(r[1].missing[0], iv_str_of("2")), 0);
    assert_int_equal(r[1].noted.not_judged, 1);
    assert_int_equal(r[0].missing_count + r[0].noted.not_judged, 0);
    /* Everything is judged: a difference is that of the values, for certain. */
    assert_int_equal(iv_evaluation_difference(&all, difference, variance, e, 0, 0, 1, NULL),
                     IV_OK);
    assert_int_equal(all.topics, TOPICS);
    for (size_t t = 0; t < TOPICS; t++) {
        assert_near(difference[t], iv_evaluation_value(e, 0, 0, t).value
                    - iv_evaluation_value(e, 1, 0, t).value, 1e-15);
        assert_near(variance[t], 0.0, 1e-15);
    }
    iv_evaluation_free(e);
    (void)remove(path);
}

static void independent_draws_have_no_buckets(void **state)
{
    iv_scheme *s = NULL;

    (void)state;
    assert_int_equal(iv_scheme_independent(&s, NULL), IV_OK);
    assert_true(s->kind == IV_SCHEME_INDEPENDENT);
    assert_int_equal(s->buckets, 0);
    iv_scheme_free(s);
}

int test_library_design(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(active_judging_has_the_ranks_of_its_runs),
        cmocka_unit_test(only_what_is_allowed_and_wanted_is_chosen),
        cmocka_unit_test(a_frame_is_the_union_of_the_runs_tops),
        cmocka_unit_test(a_sample_comes_back_as_it_was_drawn),
        cmocka_unit_test(a_document_without_its_line_stays_in_the_sample_or_leaves_it),
        cmocka_unit_test(estimates_know_their_run_and_its_gaps),
        cmocka_unit_test(independent_draws_have_no_buckets),
    };

    return cmocka_run_group_tests_name("library: design", tests, library_make, library_end);
}
