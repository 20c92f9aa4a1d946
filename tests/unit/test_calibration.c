/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about calibration and thresholds by rules; the name of a test is the claim. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "near.h"
#include "num/draw.h"
#include "stat/scored/calibration.h"

enum { MOST = 2000 };

static void numbers_equal_statsmodels_and_the_definitions(void **state)
{
    char labels[200], list[600];
    double p[200], w[9];
    bool y[200];
    iv_bytes file;
    size_t seen = 0;

    (void)state;
    assert_int_equal(iv_bytes_load(&file, TESTS_DIR "/oracle/calibration.tsv", NULL, NULL), IV_OK);
    for (const char *at = file.ptr; at < file.ptr + file.len; at = strchr(at, '\n') + 1, seen++) {
        iv_arena own = { 0 };
        iv_reliability r;
        size_t n = 0;
        assert_int_equal(sscanf(at, "%199s %599s %lf %lf %lf %lf %lf %lf %lf %lf %lf", labels, list,
                                w, w + 1, w + 2, w + 3, w + 4, w + 5, w + 6, w + 7, w + 8), 11);
        for (char *s = strtok(list, ","); s != NULL; s = strtok(NULL, ","), n++) {
            p[n] = strtod(s, NULL) / 100.0;
            y[n] = labels[n] == '1';
        }
        assert_int_equal(iv_reliability_of(&r, &(iv_scored_items){ p, y, n }, 0, 0.0, &own, NULL),
                         IV_OK);
        assert_near(r.ece.value, w[0], 1e-10);
        assert_near(r.slope.value, w[1], 1e-8);
        assert_near(r.slope.se, w[2], 1e-6);
        assert_near(r.intercept.value, w[3], 1e-8);
        assert_near(r.intercept.se, w[4], 1e-6);
        assert_near(r.reliability, w[5], 1e-10);
        assert_near(r.resolution, w[6], 1e-10);
        assert_near(r.uncertainty, w[7], 1e-10);
        assert_near(r.within, w[8], 1e-10);
        iv_arena_free(&own);
    }
    assert_int_equal(seen, 4);
    iv_bytes_free(&file);
}

/* Probabilities, and labels that are positive with these, or with their squares. */
static void draw_items(double *p, bool *y, size_t n, bool squared, iv_stream *s)
{
    for (size_t i = 0; i < n; i++) {
        p[i] = iv_draw_uniform(s);
        y[i] = iv_draw_uniform(s) < (squared ? p[i] * p[i] : p[i]);
    }
}

static void the_interval_of_ECE_has_its_coverage(void **state)
{
    enum { REPLICATES = 1000 };
    double p[MOST], truth = 0.0;
    bool y[MOST];

    (void)state;
    for (int k = 0; k < 10; k++) /* of squares: the mean of p - p^2 in each bin */
        truth += (k + 0.5) / 100.0 - (3.0 * k * k + 3.0 * k + 1.0) / 3000.0;
    for (int squared = 0; squared < 2; squared++)
        for (size_t n = 100; n <= 1000; n *= 10) {
            iv_stream s = iv_stream_start(5, 1, n);
            size_t held = 0;
            for (size_t i = 0; i < REPLICATES; i++) {
                iv_arena own = { 0 };
                iv_reliability r;
                draw_items(p, y, n, squared != 0, &s);
                assert_int_equal(iv_reliability_of(&r, &(iv_scored_items){ p, y, n }, 0, 0.0, &own,
                                                   NULL), IV_OK);
                held += r.ece.lower <= squared * truth && squared * truth <= r.ece.upper;
                iv_arena_free(&own);
            }
            assert_true((double)held >= 0.94 * REPLICATES);
        }
}

static void ECE_of_a_calibrated_system_is_what_is_stated(void **state)
{
    double p[MOST], sum = 0.0, stated = 0.0;
    bool y[MOST];
    iv_stream s = iv_stream_start(6, 1, 0);

    (void)state;
    for (int i = 0; i < 200; i++) {
        iv_arena own = { 0 };
        iv_reliability r;
        draw_items(p, y, 500, false, &s);
        assert_int_equal(iv_reliability_of(&r, &(iv_scored_items){ p, y, 500 }, 0, 0.0, &own,
                                           NULL), IV_OK);
        sum += r.ece.value;
        stated += r.calibrated;
        iv_arena_free(&own);
    }
    assert_near(sum / stated, 1.0, 0.05);
}

static void probabilities_far_apart_that_say_nothing_have_slope_0(void **state)
{
    iv_arena own = { 0 };
    iv_reliability r;
    double p[200];
    bool y[200];

    (void)state;
    for (size_t i = 0; i < 200; i++) {
        p[i] = i % 2 == 0 ? 0.001 : 0.999;
        y[i] = i / 2 % 10 < 3;
    }
    assert_int_equal(iv_reliability_of(&r, &(iv_scored_items){ p, y, 200 }, 0, 0.0, &own, NULL),
                     IV_OK);
    assert_near(r.slope.value, 0.0, 1e-9);
    assert_near(r.intercept.value, log(3.0 / 7.0), 1e-9);
    iv_arena_free(&own);
}

static void certain_or_separated_labels_have_no_slope(void **state)
{
    const double p[] = { 0.1, 0.2, 0.8, 0.9, 0.0, 1.0 };
    const bool y[] = { false, false, true, true, false, true };
    iv_arena own = { 0 };
    iv_reliability r;

    (void)state;
    assert_int_equal(iv_reliability_of(&r, &(iv_scored_items){ p, y, 6 }, 0, 0.0, &own, NULL),
                     IV_OK);
    assert_true(isnan(r.slope.value));
    assert_int_equal(r.certain, 2);
    iv_arena_free(&own);
}

/* ------------------------------------------------------------- thresholds -- */

static const double scores[] = { 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2 };
static const bool labels[] = { true, true, false, true, false, false, true, false };

static iv_threshold by(iv_threshold_rule rule)
{
    iv_threshold t;

    assert_int_equal(iv_threshold_by_rule(&t, &(iv_scored_items){ scores, labels, 8 }, &rule, 0.0,
                                          200, NULL, NULL), IV_OK);
    return t;
}

static void rules_choose_what_they_say(void **state)
{
    (void)state;
    /* Errors cost alike: two are wrong at 0.8 (FN 2) and at 0.6 (FP 1, FN 1); the highest. */
    assert_near(by((iv_threshold_rule){ .kind = IV_RULE_COST, .fp = 1, .fn = 1 }).at, 0.8, 0.0);
    const iv_threshold dear = by((iv_threshold_rule){ .kind = IV_RULE_COST, .fp = 1, .fn = 5 });
    assert_near(dear.at, 0.3, 0.0); /* 3 false positives */
    assert_near(dear.apparent, 3.0 / 8.0, 1e-15);
    assert_true(dear.value >= dear.apparent); /* on new items it costs more */
    assert_near(by((iv_threshold_rule){ .kind = IV_RULE_RECALL, .least = 0.75 }).at, 0.6, 0.0);
    assert_near(by((iv_threshold_rule){ .kind = IV_RULE_RECALL, .least = 0.76 }).at, 0.3, 0.0);
    assert_near(by((iv_threshold_rule){ .kind = IV_RULE_PRECISION, .least = 0.7 }).at, 0.6, 0.0);
    assert_near(by((iv_threshold_rule){ .kind = IV_RULE_CAPACITY, .capacity = 3 }).at, 0.7, 0.0);
    assert_near(by((iv_threshold_rule){ .kind = IV_RULE_CAPACITY, .capacity = 3 }).apparent,
                2.0 / 3.0, 1e-15);
}

/* The true recall of such thresholds is known: positive scores are uniform. */
static void limits_of_recall_hold_for_the_threshold_chosen_here(void **state)
{
    enum { REPLICATES = 1000, N = 80 };
    iv_stream s = iv_stream_start(9, 1, 0);
    double x[N], mean = 0.0, stated = 0.0;
    bool y[N];
    size_t held = 0;

    (void)state;
    for (int r = 0; r < REPLICATES; r++) {
        iv_threshold t;
        for (size_t i = 0; i < N; i++) {
            y[i] = i % 2 == 0;
            x[i] = y[i] ? iv_draw_uniform(&s) : 0.7 * iv_draw_uniform(&s);
        }
        assert_int_equal(iv_threshold_by_rule(&t, &(iv_scored_items){ x, y, N },
                                              &(iv_threshold_rule){ .kind = IV_RULE_RECALL,
                                                                    .least = 0.9 },
                                              0.0, 100, &(iv_work){ .threads = 1 }, NULL), IV_OK);
        const double recall = 1.0 - t.at;
        held += t.lower <= recall && recall <= t.upper;
        mean += recall / REPLICATES;
        stated += t.value / REPLICATES;
    }
    assert_true((double)held >= 0.93 * REPLICATES && (double)held <= 0.97 * REPLICATES);
    assert_near(mean, stated, 0.005);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_equal_statsmodels_and_the_definitions),
        cmocka_unit_test(the_interval_of_ECE_has_its_coverage),
        cmocka_unit_test(ECE_of_a_calibrated_system_is_what_is_stated),
        cmocka_unit_test(probabilities_far_apart_that_say_nothing_have_slope_0),
        cmocka_unit_test(certain_or_separated_labels_have_no_slope),
        cmocka_unit_test(rules_choose_what_they_say),
        cmocka_unit_test(limits_of_recall_hold_for_the_threshold_chosen_here),
    };

    return cmocka_run_group_tests_name("calibration", tests, NULL, NULL);
}
