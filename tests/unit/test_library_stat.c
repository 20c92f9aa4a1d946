/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about comparisons, posteriors and recall that others do not make. */
#include "test_library.h"
#include "num/draw.h"
#include "stat/incomplete/ap_belief.h"
#include "stat/incomplete/ap_moments.h"
#include "stat/pair_tests.h"
#include "stat/paired/comparison.h"
#include "stat/prf/prf_counts.h"
#include "stat/recall/recall_limits.h"

#include <math.h>
#include <string.h>

#include "near.h"

/* -------------------------------------------------------------- comparing -- */

static void names_are_in_the_order_of_their_numbers(void **state)
{
    static const char *const intervals[] = { "auto", "none", "logit", "percentile", "bca", "t",
                                             "logit-t", "bootstrap-t", "wilson", "exact" };
    static const char *const corrections[] = { "auto", "none", "bonferroni", "holm", "bh",
                                               "tukey", NULL };
    static const char *const dialects[] = { "9", "10", NULL };
    static const char *const sides[] = { "two-sided", "greater", "less", NULL };
    static const char *const ties[] = { "discard", "split", NULL };
    static const char *const zeros[] = { "drop", "rank", NULL };

    (void)state;
    for (size_t i = 0; i < sizeof intervals / sizeof *intervals; i++)
        assert_string_equal(iv_interval_names()[i], intervals[i]);
    assert_names(iv_correction_names(), corrections);
    assert_names(iv_dialect_names(), dialects);
    assert_names(iv_alternative_names(), sides);
    assert_names(iv_sign_ties_names(), ties);
    assert_names(iv_zeros_names(), zeros);
    assert_string_equal(iv_interval_names()[IV_INTERVAL_BOUNDED], "bounded");
    assert_string_equal(iv_correction_names()[IV_CORRECT_HOLM], "holm");
    assert_true(iv_pair_test_of_mean(IV_TEST_T) && iv_pair_test_of_mean(IV_TEST_RANDOMISATION));
    assert_false(iv_pair_test_of_mean(IV_TEST_SIGN) || iv_pair_test_of_mean(IV_TEST_WILCOXON));
}

enum { SYSTEMS = 4, TOPICS = 12 };

/* Systems 0 and 1 alike, 2 and 3 alike and much better. */
static void fill_scores(double values[SYSTEMS * TOPICS], double scale)
{
    iv_stream s = iv_stream_start(3, IV_FOR_CALLER, 0);

    for (int i = 0; i < SYSTEMS * TOPICS; i++)
        values[i] = scale * ((i / TOPICS >= 2 ? 0.7 : 0.2) + 0.1 * iv_draw_uniform(&s));
}

static void a_comparison_says_how_it_was_made(void **state)
{
    iv_compare_options o = { .permutations = 2000, .resamples = 200,
                             .correction = IV_CORRECT_HOLM };
    double values[SYSTEMS * TOPICS];
    const iv_compared_run *runs;
    iv_comparison *c = NULL;

    (void)state;
    fill_scores(values, 1.0);
    assert_int_equal(iv_compare(&c, values, SYSTEMS, TOPICS, &o, NULL, NULL), IV_OK);
    assert_int_equal(c->groups, 2);
    runs = c->runs;
    assert_int_equal(c->systems, SYSTEMS);
    assert_string_equal(runs[0].letters, runs[1].letters);
    assert_string_equal(runs[2].letters, "a");
    assert_string_equal(runs[0].letters, "b");
    assert_int_equal(runs[1].method, IV_INTERVAL_LOGIT);
    iv_comparison_free(c);

    /* A score beyond [0, 1] says that the others' scale goes further, too. */
    values[2 * TOPICS] = 1.2;
    assert_int_equal(iv_compare(&c, values, SYSTEMS, TOPICS, &o, NULL, NULL), IV_OK);
    runs = c->runs;
    assert_int_equal(c->systems, SYSTEMS);
    assert_int_equal(runs[2].method, IV_INTERVAL_BOOTSTRAP_T);
    assert_int_equal(runs[1].method, IV_INTERVAL_BOOTSTRAP_T);
    iv_comparison_free(c);

    /* Beyond [0, 1], means have the Studentised bootstrap; with a baseline there
     * are no letters, for not all pairs were compared. */
    fill_scores(values, 10.0);
    o.baselines = (const size_t[]){ 1 };
    o.baseline_count = 1;
    assert_int_equal(iv_compare(&c, values, SYSTEMS, TOPICS, &o, NULL, NULL), IV_OK);
    runs = c->runs;
    assert_int_equal(c->systems, SYSTEMS);
    assert_int_equal(runs[0].method, IV_INTERVAL_BOOTSTRAP_T);
    assert_int_equal(c->groups, 0);
    assert_null(runs[0].letters);
    iv_comparison_free(c);
}

static void a_belief_has_the_limits_of_its_documents(void **state)
{
    static const uint32_t a[] = { 1, 2, 3, 0 }, b[] = { 3, 0, 1, 2 };
    static const uint32_t *const ranks[] = { a, b };
    static const double relevance[] = { 0.5, 1.0, 0.25, 0.0 };
    double lower, upper, low, up;
    iv_ap_belief *belief = NULL;

    (void)state;
    assert_int_equal(iv_ap_belief_new(&belief, ranks, 2, relevance, 4, false, NULL), IV_OK);
    assert_int_equal(iv_ap_belief_limits(&lower, &upper, belief, 0, 1, NULL), IV_OK);
    assert_int_equal(iv_ap_difference_limits(&low, &up, a, b, relevance, 4, NULL), IV_OK);
    assert_near(lower, low, 1e-15);
    assert_near(upper, up, 1e-15);
    assert_true(lower < upper);
    iv_ap_belief_judge(belief, 0, true);
    iv_ap_belief_judge(belief, 2, false);
    assert_int_equal(iv_ap_belief_limits(&lower, &upper, belief, 0, 1, NULL), IV_OK);
    /* All is judged: a finds both at ranks 1 and 2, b one of them at rank 3. */
    assert_near(lower, 1.0 - 1.0 / 6.0, 1e-12);
    assert_near(upper, 1.0 - 1.0 / 6.0, 1e-12);
    iv_ap_belief_free(belief);
}

/* -------------------------------------------------------- precision, F, ... -- */

static const iv_prf_metric every_metric[] = {
    { IV_PRF_PRECISION, 0.0 }, { IV_PRF_RECALL, 0.0 },   { IV_PRF_F, 1.0 },
    { IV_PRF_F, 0.5 },         { IV_PRF_SPECIFICITY, 0.0 }, { IV_PRF_ACCURACY, 0.0 },
    { IV_PRF_BALANCED_ACCURACY, 0.0 }, { IV_PRF_MCC, 0.0 } };
enum { METRICS = sizeof every_metric / sizeof *every_metric };

static void metrics_of_cells_are_those_of_their_counts(void **state)
{
    static const char *const names[METRICS] = { "precision", "recall", "f1", "f0.5",
                                                "specificity", "accuracy",
                                                "balanced_accuracy", "mcc" };
    const iv_prf_counts n = { 30, 10, 20, 40 };
    char name[IV_PRF_NAME_SIZE];

    (void)state;
    for (size_t m = 0; m < METRICS; m++) {
        assert_string_equal(iv_prf_name(name, every_metric[m]), names[m]);
        assert_near(iv_prf_of_cells(every_metric[m], 0.3, 0.1, 0.2, 0.4),
                    iv_prf_value(every_metric[m], &n), 1e-14);
    }
    assert_near(iv_prf_of_cells(every_metric[2], 0.3, 0.1, 0.2, 0.4), 0.6 / 0.9, 1e-14);
    assert_true(isnan(iv_prf_of_cells(every_metric[0], 0.0, 0.0, 0.5, 0.5)));
}

/* ------------------------------------------------------------------ recall -- */

static const iv_stratum retrieved = { 2000, 100, 50 }, others = { 100000, 400, 3 };
static const iv_segments review = { &retrieved, &others, 1, 1 };

static void plain_estimates_are_worked_by_hand(void **state)
{
    const double R1 = 1000.0, R0 = 750.0;

    (void)state;
    assert_near(iv_recall_plain(&review, IV_RECALL_RECALL, 1.0), R1 / (R1 + R0), 1e-14);
    assert_near(iv_recall_plain(&review, IV_RECALL_PRECISION, 1.0), 0.5, 1e-14);
    assert_near(iv_recall_plain(&review, IV_RECALL_F, 0.0), 2.0 * R1 / (R1 + R0 + 2000.0), 1e-14);
    assert_near(iv_recall_plain(&review, IV_RECALL_F, 2.0),
                5.0 * R1 / (4.0 * (R1 + R0) + 2000.0), 1e-14);
    assert_near(iv_recall_plain(&review, IV_RECALL_YIELD, 1.0), R1 + R0, 1e-14);
    assert_near(iv_recall_plain(&review, IV_RECALL_ELUSION, 1.0), 0.0075, 1e-14);
}

static void segments_are_checked_with_a_reason(void **state)
{
    const iv_stratum too_many = { 10, 20, 5 }, more_relevant = { 10, 5, 6 }, empty = { 0, 0, 0 };
    const iv_stratum unsampled = { 10, 0, 0 };
    const iv_segments bad[] = { { &too_many, &others, 1, 1 }, { &more_relevant, &others, 1, 1 },
                                { &retrieved, &empty, 1, 1 }, { &retrieved, &others, 1, 0 } };
    const iv_segments allowed = { &unsampled, &others, 1, 1 };

    (void)state;
    assert_int_equal(iv_segments_check(&review, NULL), IV_OK);
    assert_int_equal(iv_segments_check(&allowed, NULL), IV_OK);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        iv_err err = { IV_OK, "" };
        assert_int_equal(iv_segments_check(&bad[i], &err), IV_EARG);
        assert_true(err.code == IV_EARG && strlen(err.msg) > 10);
    }
}

static void a_recall_posterior_is_one_distribution(void **state)
{
    const iv_recall_options o = { .method = IV_RECALL_BETABIN_HALF, .confidence = 0.9 };
    const iv_stratum none = { 2000, 100, 0 };
    const iv_segments nothing = { &none, &others, 1, 1 };
    iv_recall_posterior *p = NULL;
    iv_limits i;

    (void)state;
    assert_int_equal(iv_recall_posterior_new(&p, NULL), IV_OK);
    assert_int_equal(iv_recall_posterior_set(p, &review, &o, NULL), IV_OK);
    for (double x = 0.1; x < 1.0; x += 0.2) {
        assert_near(iv_recall_at_least(p, IV_RECALL_RECALL, 1.0, x)
                    + iv_recall_below(p, IV_RECALL_RECALL, 1.0, x), 1.0, 1e-12);
        assert_near(iv_recall_at_least(p, IV_RECALL_F, 0.0, x)
                    + iv_recall_below(p, IV_RECALL_F, 1.0, x), 1.0, 1e-12);
    }
    i = iv_recall_limits(p, IV_RECALL_RECALL, 1.0, 0.9, false);
    assert_true(i.lower == iv_recall_quantile(p, IV_RECALL_RECALL, 1.0, 0.05));
    assert_true(i.upper == iv_recall_quantile(p, IV_RECALL_RECALL, 1.0, 0.95));
    i = iv_recall_limits(p, IV_RECALL_RECALL, 1.0, 0.95, true);
    assert_true(i.lower == iv_recall_quantile(p, IV_RECALL_RECALL, 1.0, 0.05));
    /* F is precision when beta is next to nothing, recall when it is huge. */
    assert_near(iv_recall_quantile(p, IV_RECALL_F, 1000.0, 0.3),
                iv_recall_quantile(p, IV_RECALL_RECALL, 1.0, 0.3), 1e-4);
    assert_near(iv_recall_quantile(p, IV_RECALL_F, 0.001, 0.3),
                iv_recall_quantile(p, IV_RECALL_PRECISION, 1.0, 0.3), 1e-3);
    /* Nothing relevant among the retrieved: no lower limit can be excluded. */
    assert_int_equal(iv_recall_posterior_set(p, &nothing, &o, NULL), IV_OK);
    i = iv_recall_limits(p, IV_RECALL_RECALL, 1.0, 0.9, false);
    assert_true(i.lower == 0.0 && i.upper < 1.0);
    i = iv_recall_limits(p, IV_RECALL_PRECISION, 1.0, 0.9, false);
    assert_true(i.lower == 0.0 && i.upper > 0.0);
    iv_recall_posterior_free(p);
}

int test_library_stat(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_in_the_order_of_their_numbers),
        cmocka_unit_test(a_comparison_says_how_it_was_made),
        cmocka_unit_test(a_belief_has_the_limits_of_its_documents),
        cmocka_unit_test(metrics_of_cells_are_those_of_their_counts),
        cmocka_unit_test(plain_estimates_are_worked_by_hand),
        cmocka_unit_test(segments_are_checked_with_a_reason),
        cmocka_unit_test(a_recall_posterior_is_one_distribution),
    };

    return cmocka_run_group_tests_name("library: stat", tests, NULL, NULL);
}
