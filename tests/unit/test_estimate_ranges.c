/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bounds and ties against brute force: every grade of every unjudged document,
 * every order of every tied group, scored by the measures themselves.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "measure/measures.h"
#include "measure/scorer.h"
#include "num/draw.h"
#include "retrieval/evaluation.h"
#include "retrieval/ranges.h"
#include "estimate_tests.h"
#include "near.h"

enum { HITS = 6, OTHERS = 4, VALUES = 64 };

/* A small topic, made at random. */
typedef struct small {
    size_t hits, others;
    double score[HITS];
    int32_t grade[HITS];   /* -1: not judged, -2: listed as not judged */
    int32_t other[OTHERS]; /* judged and not retrieved */
    int32_t largest;       /* of the judgments */
    char docno[HITS][24];
    char run[400], qrels[400];
} small;

static const char *const names[] = {
    "map", "map_cut.2,4", "P.1,3,5", "P.10", "Rprec", "ndcg", "ndcg_cut.2,3", "recip_rank",
    "AP(rel=2)", "AP(rel=2)@3", "P(rel=2)@3", "Rprec(rel=2)", "RR@2", "RR(rel=2)@4",
    "nDCG(dcg='exp-log2')@3", "nDCG(dcg='exp-log2')", "nDCG(gains={1:3,2:3.5,3:9})@4",
    "nDCG(gains={0:0.5,1:2})", "RBP(p=0.8)", "RBP(p=0.5,rel=2)@3", "RBP(max=2)", "ERR",
    "ERR@2", "ERR(max=4)@4", "recall.1,3", "R(rel=2)@4", "success.1,2,4", "AP(rel=0)",
    "AP(judged_only=True)", "P(judged_only=True)@3", "nDCG(judged_only=True)@3", "bpref",
    "INSQ", "INSQ(T=3,max_rel=2)", "SDCG@3", "SDCG(min_rel=1,max_rel=3)@5", "NERR8@4",
    "NERR9(max_rel=4)@4", "NERR10(p=0.7)", "NERR11(T=2)", "INST", "BPM(T=2)@4", "Compat",
    "Accuracy",
};

enum { NAMES = sizeof names / sizeof names[0] };

static void write_texts(small *s)
{
    size_t run = 0, qrels = 0;

    for (size_t i = 0; i < s->hits; i++) {
        (void)snprintf(s->docno[i], sizeof s->docno[i], "d%zu", i);
        run += (size_t)snprintf(s->run + run, sizeof s->run - run, "1 Q0 %s 0 %g t\n",
                                s->docno[i], s->score[i]);
        if (s->grade[i] != -1)
            qrels += (size_t)snprintf(s->qrels + qrels, sizeof s->qrels - qrels,
                                      "1 0 %s %d\n", s->docno[i],
                                      s->grade[i] == -2 ? -1 : (int)s->grade[i]);
    }
    for (size_t i = 0; i < s->others; i++)
        qrels += (size_t)snprintf(s->qrels + qrels, sizeof s->qrels - qrels, "1 0 o%zu %d\n",
                                  i, (int)s->other[i]);
    /* A second topic fixes the largest grade of the collection. */
    (void)snprintf(s->qrels + qrels, sizeof s->qrels - qrels, "2 0 x %d\n", (int)s->largest);
}

static small make(iv_stream *draw, int32_t largest, size_t scores)
{
    small s = { .largest = largest };

    s.hits = 1 + (size_t)iv_draw_below(draw, HITS);
    s.others = (size_t)iv_draw_below(draw, OTHERS + 1);
    for (size_t i = 0; i < s.hits; i++) {
        /* Ranks follow the index where scores differ. */
        s.score[i] = scores == 0 ? (double)(HITS - i)
                                 : (double)iv_draw_below(draw, scores);
        s.grade[i] = (int32_t)iv_draw_below(draw, (uint64_t)largest + 3) - 2;
    }
    for (size_t i = 0; i < s.others; i++)
        s.other[i] = (int32_t)iv_draw_below(draw, (uint64_t)largest + 1);
    write_texts(&s);
    return s;
}

/* The lowest, highest and mean value of each measure. */
typedef struct extremes {
    double low[VALUES], high[VALUES], sum[VALUES];
    size_t count;
} extremes;

static void note(extremes *e, const double *row, size_t width)
{
    for (size_t i = 0; i < width; i++) {
        e->low[i] = e->count == 0 ? row[i] : fmin(e->low[i], row[i]);
        e->high[i] = e->count == 0 ? row[i] : fmax(e->high[i], row[i]);
        e->sum[i] += row[i];
    }
    e->count++;
}

/* One concrete ranking and its judgments. */
typedef struct concrete {
    iv_hit hits[HITS];
    iv_judgment judged[HITS + OTHERS];
    iv_joined topic;
} concrete;

static void build(concrete *c, const small *s, const size_t *order, const int32_t *grade)
{
    size_t judged = 0;

    for (size_t i = 0; i < s->hits; i++) {
        const size_t d = order[i];
        c->hits[i] = (iv_hit){ iv_str_of(s->docno[d]), s->score[d], NULL };
        if (grade[d] < 0)
            continue;
        c->judged[judged] = (iv_judgment){ iv_str_of(s->docno[d]), 1.0, grade[d], -1 };
        c->hits[i].judgment = &c->judged[judged++];
    }
    for (size_t i = 0; i < s->others; i++)
        c->judged[judged++] = (iv_judgment){ iv_str_of("o"), 1.0, s->other[i], -1 };
    c->topic = (iv_joined){ .topic = iv_str_of("1"), .hits = c->hits, .hit_count = s->hits,
                            .judged = c->judged, .judged_count = judged };
}

static void try_one(extremes *e, iv_scorer *scorer, const iv_measures *m, const small *s,
                    const size_t *order, const int32_t *grade)
{
    double row[VALUES];
    concrete c;

    build(&c, s, order, grade);
    assert_int_equal(iv_scorer_topic(row, scorer, &c.topic, NULL), IV_OK);
    note(e, row, iv_measures_count(m));
}

/* Sets the grades of documents from `at` on in every way. */
static void all_completions(extremes *e, iv_scorer *scorer, const iv_measures *m,
                            const small *s, const size_t *order, size_t depth,
                            int32_t *grade, size_t at)
{
    if (at == s->hits) {
        try_one(e, scorer, m, s, order, grade);
        return;
    }
    const int32_t had = grade[at];
    if (had >= 0 || at >= depth) {
        all_completions(e, scorer, m, s, order, depth, grade, at + 1);
        return;
    }
    for (int32_t g = 0; g <= s->largest; g++) {
        grade[at] = g;
        all_completions(e, scorer, m, s, order, depth, grade, at + 1);
    }
    grade[at] = had;
}

/* Fills order from `at` on with every order that the scores allow. */
static void all_orders(extremes *e, iv_scorer *scorer, const iv_measures *m, const small *s,
                       size_t *order, size_t at)
{
    double top = -INFINITY;

    if (at == s->hits) {
        try_one(e, scorer, m, s, order, s->grade);
        return;
    }
    for (size_t i = 0; i < s->hits; i++) {
        bool used = false;
        for (size_t k = 0; k < at; k++)
            used = used || order[k] == i;
        top = used ? top : fmax(top, s->score[i]);
    }
    for (size_t i = 0; i < s->hits; i++) {
        bool used = false;
        for (size_t k = 0; k < at; k++)
            used = used || order[k] == i;
        if (used || s->score[i] < top)
            continue;
        order[at] = i;
        all_orders(e, scorer, m, s, order, at + 1);
    }
}

typedef struct trial {
    iv_measures *measures;
    iv_scorer *scorer;
    iv_judgments *judgments;
    iv_run *run;
    iv_evaluation *scores;
} trial;

static void start(trial *t, const small *s, size_t depth, bool bounds, bool ties)
{
    iv_measure_options o = { 0 };
    iv_err err = { IV_OK, "" };

    o.depth = depth;
    if (iv_measures_parse(&t->measures, names, NAMES, &o, &err) != IV_OK
        || iv_judgments_parse(&t->judgments, "q", s->qrels, strlen(s->qrels),
                              IV_JUDGMENTS_QRELS, NULL, &err) != IV_OK
        || iv_run_parse(&t->run, "r", s->run, strlen(s->run), IV_RUN_TREC, NULL, &err) != IV_OK
        || iv_scorer_new(&t->scorer, t->measures, s->largest, &err) != IV_OK)
        fail_msg("%s", err.msg);
    /* A topic without judgments would not be scored. */
    if (iv_judgments_find_topic(t->judgments, iv_str_of("1")) == IV_NONE)
        return;
    o.dialect = IV_TREC_EVAL_10; /* scores as double */
    const iv_evaluating how = { .measures = { names, NAMES }, .measure = o, .bounds = bounds,
                                .ties = ties, .interval = IV_INTERVAL_NONE };
    const iv_source source = { .judged = t->judgments,
                               .ranked = (const iv_run *const *)&t->run, .ranked_count = 1 };
    if (iv_evaluate(&t->scores, &source, &how, NULL, &err) != IV_OK)
        fail_msg("%s", err.msg);
    assert_true(iv_measures_count(t->measures) <= VALUES);
}

static void finish(trial *t)
{
    iv_evaluation_free(t->scores);
    iv_scorer_free(t->scorer);
    iv_run_free(t->run);
    iv_judgments_free(t->judgments);
    iv_measures_free(t->measures);
    *t = (trial){ 0 };
}

static void tell(const small *s, const char *what, const iv_measures *m, size_t i,
                 double got, double want)
{
    if (fabs(got - want) <= 1e-12)
        return;
    fail_msg("%s of %s: got %.15g, expected %.15g for\n%s%s", what,
             iv_measures_value(m, i)->name, got, want, s->run, s->qrels);
}

static size_t check_bounds(const small *s, size_t depth)
{
    static const size_t in_order[HITS] = { 0, 1, 2, 3, 4, 5 };
    int32_t grade[HITS];
    extremes e = { .count = 0 };
    trial t = { 0 };
    size_t checked = 0;

    start(&t, s, depth, true, false);
    for (size_t i = 0; i < s->hits; i++)
        grade[i] = s->grade[i] < 0 ? -1 : s->grade[i];
    if (t.scores != NULL)
        all_completions(&e, t.scorer, t.measures, s, in_order, depth, grade, 0);
    for (size_t i = 0; i < iv_measures_count(t.measures) && t.scores != NULL; i++) {
        const iv_limits b = iv_evaluation_bounds(t.scores, 0, i, 0);
        if (!iv_has_bounds(t.measures, i, s->largest)) {
            assert_true(isnan(b.lower) && isnan(b.upper));
            continue;
        }
        /* Documents beyond the depth stay unjudged, and judged_only drops them;
         * brute force has all the others judged, so nothing is dropped. */
        tell(s, "lower bound", t.measures, i, b.lower, e.low[i]);
        tell(s, "upper bound", t.measures, i, b.upper, e.high[i]);
        checked++;
    }
    finish(&t);
    return checked;
}

static void bounds_are_those_of_all_completions(void **state)
{
    iv_stream draw = iv_stream_start(21, IV_FOR_CALLER, 0);
    size_t checked = 0;

    (void)state;
    for (size_t k = 0; k < 400; k++) {
        const small s = make(&draw, 1 + (int32_t)(k % 3), 0);
        checked += check_bounds(&s, SIZE_MAX);
    }
    for (size_t k = 0; k < 60; k++) {
        const small s = make(&draw, 2, 0);
        checked += check_bounds(&s, 3);
    }
    assert_true(checked > 10000);
}

static void an_upper_bound_may_need_a_grade_in_between(void **state)
{
    small s = { .hits = 2, .others = 1, .score = { 2, 1 }, .grade = { 1, -1 },
                .other = { 1 }, .largest = 3 };
    trial t = { 0 };

    (void)state;
    write_texts(&s);
    start(&t, &s, SIZE_MAX, true, false);
    for (size_t i = 0; i < iv_measures_count(t.measures); i++)
        if (strcmp(iv_measures_value(t.measures, i)->name, "ndcg") == 0)
            assert_near(iv_evaluation_bounds(t.scores, 0, i, 0).upper, 0.7654, 1e-4);
    finish(&t);
}

static size_t check_ties(const small *s, size_t depth)
{
    size_t order[HITS], checked = 0;
    extremes e = { .count = 0 };
    trial t = { 0 };

    start(&t, s, depth, false, true);
    if (t.scores != NULL)
        all_orders(&e, t.scorer, t.measures, s, order, 0);
    for (size_t i = 0; i < iv_measures_count(t.measures) && t.scores != NULL; i++) {
        const iv_interval x = iv_evaluation_ties(t.scores, 0, i, 0);
        if (!iv_has_ties(t.measures, i, s->largest)) {
            assert_true(isnan(x.lower) && isnan(x.value) && isnan(x.upper));
            continue;
        }
        tell(s, "lowest over ties", t.measures, i, x.lower, e.low[i]);
        tell(s, "expected over ties", t.measures, i, x.value,
             e.sum[i] / (double)e.count);
        tell(s, "highest over ties", t.measures, i, x.upper, e.high[i]);
        checked++;
    }
    finish(&t);
    return checked;
}

static void ties_are_those_of_all_orders(void **state)
{
    iv_stream draw = iv_stream_start(22, IV_FOR_CALLER, 0);
    size_t checked = 0;

    (void)state;
    for (size_t k = 0; k < 300; k++) {
        const small s = make(&draw, 1 + (int32_t)(k % 3), 1 + k % 4);
        checked += check_ties(&s, SIZE_MAX);
    }
    for (size_t k = 0; k < 60; k++) {
        const small s = make(&draw, 2, 2);
        checked += check_ties(&s, 3);
    }
    assert_true(checked > 8000);
}

static void gains_that_fall_with_the_grade_have_neither(void **state)
{
    static const char *const odd[] = { "nDCG(gains={1:3,2:1})", "nDCG(gains={1:-1})",
                                       "rbp", "bpref", "recall.5" };
    iv_measures *m = NULL;

    (void)state;
    assert_int_equal(iv_measures_parse(&m, odd, 5, NULL, NULL), IV_OK);
    for (size_t i = 0; i < 4; i++) {
        assert_false(iv_has_bounds(m, i, 2));
        assert_false(iv_has_ties(m, i, 2));
    }
    assert_true(iv_has_bounds(m, 2, 1));
    assert_false(iv_has_bounds(m, 4, 2));
    assert_true(iv_has_ties(m, 4, 2));
    iv_measures_free(m);
}

int ranges_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_are_those_of_all_completions),
        cmocka_unit_test(an_upper_bound_may_need_a_grade_in_between),
        cmocka_unit_test(ties_are_those_of_all_orders),
        cmocka_unit_test(gains_that_fall_with_the_grade_have_neither),
    };
    return cmocka_run_group_tests_name("ranges", tests, NULL, NULL);
}
