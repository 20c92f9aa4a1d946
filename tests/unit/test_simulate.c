/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims about simulated topics and runs; the name of a test is the claim.
 * Seeds are fixed: a claim about chance was checked to hold for them, with
 * room of at least four standard errors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "err_text.h"
#include "near.h"
#include "test_simulate.h"
#include "simulate/simulation.h"
#include "base/memory.h"

/* A small simulation: the defaults, with what the caller changes in them. */
static iv_simulation_options small(void)
{
    iv_simulation_options o = { 0 };

    o.documents = 400;
    o.depth = 400;
    o.runs = 3;
    o.prevalence = 0.1;
    return o;
}

static iv_arena own; /* of topics */

static iv_simulation *start(const iv_simulation_options *o, iv_simulated_topic **t)
{
    iv_simulation *s = NULL;

    assert_int_equal(iv_simulation_new(&s, o, NULL), IV_OK);
    *t = iv_simulated_topic_take(&own, s);
    assert_int_equal(iv_taken(&own, NULL), IV_OK);
    return s;
}

static void end(iv_simulation *s, iv_simulated_topic *t)
{
    (void)t;
    iv_arena_free(&own);
    iv_simulation_free(s);
}

/* ----------------------------------------------------------- documents -- */

static void prevalence_has_the_asked_mean_and_spread(void **state)
{
    (void)state;
    enum { TOPICS = 2000 };
    iv_simulation_options o = small();
    iv_simulated_topic *t = NULL;
    double sum = 0.0, logits = 0.0, squares = 0.0;

    o.documents = 1000;
    iv_simulation *s = start(&o, &t);
    for (uint32_t k = 0; k < TOPICS; k++) {
        iv_simulated_topic_draw(t, k);
        const double share = t->relevant / 1000.0;
        const double logit = log(share / (1.0 - share));
        sum += share;
        logits += logit;
        squares += logit * logit;
    }
    const double mean = logits / TOPICS;
    assert_near(sum / TOPICS, 0.1, 0.007);
    assert_near(sqrt(squares / TOPICS - mean * mean),
                s->options.prevalence_spread, 0.06);
    end(s, t);
}

static void a_topic_has_the_least_relevant_documents_asked_for(void **state)
{
    (void)state;
    iv_simulation_options o = small();
    iv_simulated_topic *t = NULL;
    uint32_t least = UINT32_MAX;

    o.least_relevant = 50;
    iv_simulation *s = start(&o, &t);
    for (uint32_t k = 0; k < 300; k++) {
        iv_simulated_topic_draw(t, k);
        uint32_t relevant = 0;
        for (uint32_t d = 0; d < o.documents; d++)
            relevant += t->grades[d] > 0;
        assert_int_equal(relevant, t->relevant);
        least = relevant < least ? relevant : least;
    }
    assert_int_equal(least, 50);
    end(s, t);
}

static void each_grade_is_half_as_common_as_the_one_below(void **state)
{
    (void)state;
    iv_simulation_options o = small();
    iv_simulated_topic *t = NULL;
    double count[4] = { 0.0, 0.0, 0.0, 0.0 };

    o.grades = 4;
    iv_simulation *s = start(&o, &t);
    for (uint32_t k = 0; k < 500; k++) {
        iv_simulated_topic_draw(t, k);
        for (uint32_t d = 0; d < o.documents; d++)
            count[t->grades[d]] += 1.0;
    }
    const double relevant = count[1] + count[2] + count[3];
    assert_near(count[1] / relevant, 4.0 / 7.0, 0.014);
    assert_near(count[2] / relevant, 2.0 / 7.0, 0.014);
    assert_near(count[3] / relevant, 1.0 / 7.0, 0.014);
    end(s, t);
}

static void docnos_are_distinct_and_sort_as_documents_do(void **state)
{
    (void)state;
    iv_simulation_options o = small();
    iv_simulated_topic *t = NULL;
    char before[IV_SIMULATED_NAME_SIZE] = "", name[IV_SIMULATED_NAME_SIZE];

    o.documents = 200000; /* more digits than usual */
    iv_simulation *s = start(&o, &t);
    iv_simulated_topic_draw(t, 3);
    for (uint32_t d = 0; d < o.documents; d++) {
        assert_true(strcmp(before, iv_simulated_docno(name, t, d)) < 0);
        memcpy(before, name, sizeof before);
    }
    assert_int_equal(strlen(name), 12);
    end(s, t);
}

/* ------------------------------------------------------------- ranking -- */

static void a_topic_does_not_depend_on_what_was_drawn_before(void **state)
{
    (void)state;
    const iv_simulation_options o = small();
    iv_simulated_topic *a = NULL, *b = NULL;
    iv_simulation *s = start(&o, &a);

    b = iv_simulated_topic_take(&own, s);
    for (uint32_t k = 0; k < 5; k++) {
        iv_simulated_topic_draw(a, k);
        iv_simulated_rank(a, k % 3);
    }
    iv_simulated_topic_draw(b, 4);
    iv_simulated_rank(a, 2);
    iv_simulated_rank(b, 2);
    assert_memory_equal(a->grades, b->grades,
                        o.documents * sizeof(int32_t));
    assert_memory_equal(a->documents, b->documents, o.depth * sizeof *a->documents);
    assert_memory_equal(a->units, b->units, o.depth * sizeof *a->units);
    end(s, a);
}

/* Printed by this library; collections of others depend on them. */
static void the_first_ranking_is_pinned(void **state)
{
    (void)state;
    static const uint32_t documents[] = { 3416, 368, 1349, 3491 };
    static const double scores[] = { 3.367928, 3.342222, 3.263669, 2.981453 };
    const iv_simulation_options o = { 0 };
    char name[IV_SIMULATED_NAME_SIZE];
    iv_simulated_topic *t = NULL;
    iv_simulation *s = start(&o, &t);

    iv_simulated_topic_draw(t, 0);
    assert_int_equal(t->relevant, 19);
    iv_simulated_rank(t, 9);
    assert_int_equal(t->simulation->options.depth, 1000);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(t->documents[i], documents[i]);
        assert_true(score_of(t, i) == scores[i]);
    }
    assert_string_equal(iv_simulated_docno(name, t, documents[0]), "DOC-0854199");
    end(s, t);
}

static void another_seed_gives_another_collection(void **state)
{
    (void)state;
    iv_simulation_options o = small();
    iv_simulated_topic *a = NULL, *b = NULL;
    iv_simulation *first = start(&o, &a);

    o.seed = 2;
    iv_simulation *second = start(&o, &b);
    iv_simulated_topic_draw(a, 0);
    iv_simulated_topic_draw(b, 0);
    assert_memory_not_equal(a->grades, b->grades,
                            o.documents * sizeof(int32_t));
    iv_simulated_rank(a, 0);
    iv_simulated_rank(b, 0);
    assert_memory_not_equal(a->documents, b->documents, 400 * sizeof(uint32_t));
    end(first, a);
    end(second, b);
}

static void scores_fall_strictly_even_as_floats(void **state)
{
    (void)state;
    iv_simulation_options o = small();
    iv_simulated_topic *t = NULL;

    o.documents = o.depth = 20000; /* so many that some scores meet */
    iv_simulation *s = start(&o, &t);
    iv_simulated_topic_draw(t, 7);
    iv_simulated_rank(t, 1);
    for (uint32_t i = 1; i < t->simulation->options.depth; i++)
        assert_true((float)score_of(t, i) < (float)score_of(t, i - 1));
    end(s, t);
}

static void tied_scores_have_the_later_docno_first(void **state)
{
    (void)state;
    iv_simulation_options o = small();
    iv_simulated_topic *t = NULL;
    uint32_t ties = 0;

    o.ties = 0.05;
    iv_simulation *s = start(&o, &t);
    iv_simulated_topic_draw(t, 7);
    iv_simulated_rank(t, 1);
    for (uint32_t i = 0; i < t->simulation->options.depth; i++) {
        assert_near(score_of(t, i) * 20.0, round(score_of(t, i) * 20.0), 1e-12);
        if (i == 0 || score_of(t, i) < score_of(t, i - 1))
            continue;
        assert_true(score_of(t, i) == score_of(t, i - 1));
        assert_true(t->documents[i] < t->documents[i - 1]);
        ties++;
    }
    assert_true(ties > 200);
    end(s, t);
}

static void average_precision_is_that_of_the_ranking(void **state)
{
    (void)state;
    iv_simulation_options o = small();
    iv_simulated_topic *t = NULL;

    o.depth = 100;
    iv_simulation *s = start(&o, &t);
    for (uint32_t k = 0; k < 50; k++) {
        iv_simulated_topic_draw(t, k);
        iv_simulated_rank(t, 0);
        double sum = 0.0, found = 0.0;
        for (uint32_t i = 0; i < 100; i++) {
            if (t->grades[t->documents[i]] > 0)
                sum += ++found / (i + 1.0);
        }
        assert_near(iv_simulated_ap(t, 0), sum / t->relevant, 1e-14);
    }
    end(s, t);
}

/* ----------------------------------------------------------- the model -- */

/* Score of each document in a ranking that has them all. */
static void by_document(double *out, iv_simulated_topic *t, uint32_t run)
{
    iv_simulated_rank(t, run);

    for (uint32_t i = 0; i < t->simulation->options.depth; i++)
        out[t->documents[i]] = score_of(t, i);
}

static void errors_of_two_runs_correlate_as_asked(void **state)
{
    (void)state;
    iv_simulation_options o = small();
    iv_simulated_topic *t = NULL;
    double x[400], y[400], n = 0.0, sxy = 0.0, sxx = 0.0, above = 0.0, relevant = 0.0;

    o.similarity = 0.3;
    iv_simulation *s = start(&o, &t);
    for (uint32_t k = 0; k < 200; k++) {
        iv_simulated_topic_draw(t, k);
        by_document(x, t, 0);
        by_document(y, t, 1);
        for (uint32_t d = 0; d < 400; d++) {
            if (t->grades[d] > 0) {
                above += x[d] - iv_simulated_signal(t, 0);
                relevant += 1.0;
                continue;
            }
            sxy += x[d] * y[d];
            sxx += x[d] * x[d];
            n += 1.0;
        }
    }
    assert_near(sxx / n, 1.0, 0.025);
    assert_near(sxy / n, 0.3, 0.02);
    assert_near(above / relevant, 0.0, 0.05);
    end(s, t);
}

static void runs_are_the_same_when_nothing_tells_them_apart(void **state)
{
    (void)state;
    static const double quality = 1.5;
    iv_simulation_options o = small();
    iv_simulated_topic *t = NULL;
    double x[400], y[400];

    o.quality = (iv_reals){ &quality, 1 };
    o.similarity = 1.0;
    o.interaction = IV_ZERO;
    iv_simulation *s = start(&o, &t);
    iv_simulated_topic_draw(t, 11);
    by_document(x, t, 0);
    by_document(y, t, 2);
    assert_memory_equal(x, y, sizeof x);
    end(s, t);
}

static void qualities_are_one_for_all_even_steps_or_one_a_run(void **state)
{
    (void)state;
    static const double given[] = { 1.0, 2.0, 0.5, 4.0 };
    static const double want[3][4] = { { 1.0, 1.0, 1.0, 1.0 },
                                       { 1.0, 4.0 / 3.0, 5.0 / 3.0, 2.0 },
                                       { 1.0, 2.0, 0.5, 4.0 } };
    static const size_t counts[] = { 1, 2, 4 };

    for (size_t i = 0; i < 3; i++) {
        iv_simulation_options o = small();
        iv_simulation *s = NULL;
        o.runs = 4;
        o.quality = (iv_reals){ given, counts[i] };
        assert_int_equal(iv_simulation_new(&s, &o, NULL), IV_OK);
        for (size_t r = 0; r < 4; r++)
            assert_near(s->options.quality.at[r], want[i][r], 1e-15);
        iv_simulation_free(s);
    }
}

static void equal_quality_is_a_null_and_better_is_better(void **state)
{
    (void)state;
    enum { TOPICS = 1500 };
    static const double quality[] = { 1.6, 1.6, 1.8 };
    iv_simulation_options o = small();
    iv_simulated_topic *t = NULL;
    double sum = 0.0, squares = 0.0, better = 0.0;

    o.quality = (iv_reals){ quality, 3 };
    iv_simulation *s = start(&o, &t);
    for (uint32_t k = 0; k < TOPICS; k++) {
        iv_simulated_topic_draw(t, k);
        const double a = iv_simulated_ap(t, 0), difference = a - iv_simulated_ap(t, 1);
        sum += difference;
        squares += difference * difference;
        better += iv_simulated_ap(t, 2) - a;
    }
    const double se = sqrt(squares) / TOPICS;
    assert_true(fabs(sum / TOPICS) < 2.5 * se);
    assert_true(better / TOPICS > 10.0 * se);
    end(s, t);
}

/* The bounds hold 110 systems x 249 topics of TREC 2004 Robust, whose figures
 * are in doc/methods/simulation.md. */
static void average_precision_is_skewed_over_topics_as_in_trec(void **state)
{
    (void)state;
    enum { TOPICS = 300 };
    static double ap[2][TOPICS];
    const iv_simulation_options o = { 0 };
    iv_simulated_topic *t = NULL;
    iv_simulation *s = start(&o, &t);
    double mean[2] = { 0.0, 0.0 }, m2[2] = { 0.0, 0.0 }, m3 = 0.0, cross = 0.0;
    double low = 0.0, high = 0.0;

    for (uint32_t k = 0; k < TOPICS; k++) {
        iv_simulated_topic_draw(t, k);
        for (uint32_t r = 0; r < 2; r++)
            mean[r] += (ap[r][k] = iv_simulated_ap(t, 2 + r)) / TOPICS;
    }
    for (uint32_t k = 0; k < TOPICS; k++) {
        const double x = ap[0][k] - mean[0], y = ap[1][k] - mean[1];
        m2[0] += x * x / TOPICS;
        m2[1] += y * y / TOPICS;
        m3 += x * x * x / TOPICS;
        cross += x * y / TOPICS;
        low += (ap[0][k] < 0.05) / (double)TOPICS;
        high += (ap[0][k] > 0.6) / (double)TOPICS;
    }
    assert_true(mean[0] > 0.25 && mean[0] < 0.37);
    assert_true(sqrt(m2[0]) > 0.20 && sqrt(m2[0]) < 0.27);
    assert_true(m3 / pow(m2[0], 1.5) > 0.4 && m3 / pow(m2[0], 1.5) < 1.1);
    assert_true(low > 0.08 && low < 0.22);
    assert_true(high > 0.08 && high < 0.20);
    assert_true(cross / sqrt(m2[0] * m2[1]) > 0.68 && cross / sqrt(m2[0] * m2[1]) < 0.84);
    end(s, t);
}

/* ------------------------------------------------------------- refusal -- */

static void refused(const iv_simulation_options *o, const char *says)
{
    iv_simulation *s = NULL;
    iv_err err = { IV_OK, "" };

    assert_int_equal(iv_simulation_new(&s, o, &err), IV_EARG);
    assert_null(s);
    if (strstr(err_text(&err), says) == NULL)
        print_error("\"%s\" does not say \"%s\"\n", err_text(&err), says);
    assert_non_null(strstr(err_text(&err), says));
}

#define REFUSED(field, value, says)                                            \
    do {                                                                       \
        iv_simulation_options o_ = small();                                    \
        o_.field = (value);                                                    \
        refused(&o_, (says));                                                  \
    } while (0)

static void options_that_contradict_are_refused_by_name(void **state)
{
    (void)state;
    REFUSED(documents, 20000000, "number of documents is 20000000");
    REFUSED(documents, 399, "a depth of 400, but a topic has 399");
    REFUSED(grades, 1, "number of grades is 1, expected 2");
    REFUSED(least_relevant, 401, "at least 401 relevant");
    REFUSED(prevalence, IV_ZERO, "prevalence is 0");
    REFUSED(prevalence, 1.0, "prevalence is 1");
    REFUSED(prevalence, NAN, "prevalence is ");
    REFUSED(prevalence_spread, -0.5, "standard deviation of the prevalence");
    REFUSED(similarity, 1.5, "similarity of runs is 1.5, expected 0 to 1");
    REFUSED(difficulty, NAN, "standard deviation of the difficulty");
    REFUSED(breadth, -2.0, "breadth is -2");
    REFUSED(interaction, 6.0, "standard deviation of the interaction");
    REFUSED(ties, 1e-7, "step of tied scores");
    REFUSED(quality, ((iv_reals){ (const double[4]){ 0.0 }, 4 }), "4 qualities for 3 runs");
    REFUSED(quality, ((iv_reals){ (const double[]){ 99.0 }, 1 }), "a run's quality is 99");
}

static void the_smallest_and_oddest_collections_work(void **state)
{
    (void)state;
    static const double quality = -10.0;
    iv_simulation_options o = small();
    iv_simulated_topic *t = NULL;

    o.documents = o.depth = 1;
    iv_simulation *s = start(&o, &t);
    iv_simulated_topic_draw(t, UINT32_MAX);
    assert_int_equal(t->relevant, 1);
    assert_near(iv_simulated_ap(t, 0), 1.0, 0.0);
    end(s, t);

    o = small();
    o.grades = 10;
    o.prevalence = 0.999;
    o.difficulty = o.interaction = 5.0;
    o.quality = (iv_reals){ &quality, 1 };
    o.ties = 100.0;
    s = start(&o, &t);
    for (uint32_t k = 0; k < 100; k++) {
        iv_simulated_topic_draw(t, k);
        const double ap = iv_simulated_ap(t, 0);
        assert_true(ap > 0.0 && ap <= 1.0);
    }
    end(s, t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prevalence_has_the_asked_mean_and_spread),
        cmocka_unit_test(a_topic_has_the_least_relevant_documents_asked_for),
        cmocka_unit_test(each_grade_is_half_as_common_as_the_one_below),
        cmocka_unit_test(docnos_are_distinct_and_sort_as_documents_do),
        cmocka_unit_test(a_topic_does_not_depend_on_what_was_drawn_before),
        cmocka_unit_test(the_first_ranking_is_pinned),
        cmocka_unit_test(another_seed_gives_another_collection),
        cmocka_unit_test(scores_fall_strictly_even_as_floats),
        cmocka_unit_test(tied_scores_have_the_later_docno_first),
        cmocka_unit_test(average_precision_is_that_of_the_ranking),
        cmocka_unit_test(errors_of_two_runs_correlate_as_asked),
        cmocka_unit_test(runs_are_the_same_when_nothing_tells_them_apart),
        cmocka_unit_test(qualities_are_one_for_all_even_steps_or_one_a_run),
        cmocka_unit_test(equal_quality_is_a_null_and_better_is_better),
        cmocka_unit_test(average_precision_is_skewed_over_topics_as_in_trec),
        cmocka_unit_test(options_that_contradict_are_refused_by_name),
        cmocka_unit_test(the_smallest_and_oddest_collections_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL) + simulate_files_tests()
        + simulate_command_tests();
}
