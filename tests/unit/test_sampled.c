/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates from samples: references, exact expectations, derivatives. */
#include "num/dist.h"
#include "num/draw.h"
#include "retrieval/sampled_measures.h"
#include "retrieval/sampled_topic.h"
#include "sampling/scheme.h"
#include "sample_tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "near.h"

enum { DOCS = 10 };

/* The documents of the reference values; rank 0: not retrieved. */
static const double reference_rank[DOCS] = { 1, 2, 3, 5, 8, 13, 21, 34, 0, 0 };
static const int32_t reference_grade[DOCS] = { 1, 0, 1, 1, 0, 1, 0, 1, 1, 0 };
static const double reference_pi[DOCS] = { .9, .8, .7, .5, .4, .3, .25, .2, .15, .1 };
static const uint32_t reference_bucket[DOCS] = { 0, 0, 0, 1, 1, 1, 2, 2, 2, 3 };

/* A view of documents in the order of their ranks, the unretrieved last. */
static iv_sampled_view view_of(const double *rank, const int32_t *grade, const double *pi,
                               uint32_t found[DOCS], double ranks[DOCS])
{
    iv_sampled_view v = { pi, grade, DOCS, found, ranks, 0, 1 };

    for (double r = 1.0; r < 100.0; r += 1.0)
        for (uint32_t i = 0; i < DOCS; i++)
            if (rank[i] == r) {
                found[v.found_count] = i;
                ranks[v.found_count++] = r;
            }
    return v;
}

static double reference_quantity(const char *quantity, double a, const iv_sampled_view *v,
                                 const iv_scheme *ten)
{
    double u[DOCS], sums[DOCS];
    const double total = iv_sampled_total(NULL, v);

    if (strcmp(quantity, "AP_eq1_eq2_literal") == 0)
        return iv_sampled_ap(u, v, total, 0, IV_ESTIMATOR_PUBLISHED);
    if (strcmp(quantity, "AP_self_term_one") == 0)
        return iv_sampled_ap(u, v, total, 0, IV_ESTIMATOR_CORRECTED);
    if (strcmp(quantity, "R_hat") == 0)
        return total;
    if (strcmp(quantity, "PC_hat") == 0)
        return iv_sampled_found(u, v, a, a);
    if (strcmp(quantity, "var_AP_printed_dneqf") == 0) {
        (void)iv_sampled_ap(u, v, total, 0, IV_ESTIMATOR_PUBLISHED);
        return iv_sampled_printed_variance(u, v, 0);
    }
    if (strcmp(quantity, "var_AP_diff_bucket") == 0) {
        (void)iv_sampled_ap(u, v, total, 0, IV_ESTIMATOR_PUBLISHED);
        return iv_scheme_variance(ten, u, v->pi, reference_bucket, DOCS, sums);
    }
    if (strcmp(quantity, "var_AP_linearised") == 0) {
        (void)iv_sampled_ap(u, v, total, 0, IV_ESTIMATOR_CORRECTED);
        return iv_scheme_variance(ten, u, v->pi, reference_bucket, DOCS, sums);
    }
    return (double)NAN;
}

static double all_judged(void)
{
    static const double rank[DOCS] = { 1, 3, 4, 7, 9, 0, 2, 5, 6, 8 };
    static const int32_t grade[DOCS] = { 1, 1, 0, 1, 1, 1, 0, 0, 0, 0 };
    static const double pi[DOCS] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    uint32_t found[DOCS];
    double ranks[DOCS], u[DOCS];
    const iv_sampled_view v = view_of(rank, grade, pi, found, ranks);

    return iv_sampled_ap(u, &v, iv_sampled_total(NULL, &v), 0, IV_ESTIMATOR_CORRECTED);
}

static void reference_values_of_the_estimators_hold(void **state)
{
    (void)state;
    static const size_t sizes[] = { 10, 10, 10, 10 };
    static const double weights[] = { 4, 3, 2, 1 };
    char line[256], id[32], quantity[64];
    double a, b, expected, tolerance, ranks[DOCS];
    uint32_t found[DOCS];
    size_t place, held = 0;
    iv_scheme *ten = NULL;
    FILE *file = fopen(TESTS_DIR "/oracle/statap.tsv", "r");

    assert_non_null(file);
    assert_int_equal(iv_scheme_stevens(&ten, sizes, weights, 4, 10, NULL), IV_OK);
    const iv_sampled_view v = view_of(reference_rank, reference_grade, reference_pi, found,
                                      ranks);
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "%31s %63s %lf %lf %zu %lf %lf", id, quantity, &a, &b, &place,
                   &expected, &tolerance) != 7)
            continue;
        const double got = strcmp(quantity, "AP_all_judged") == 0
            ? all_judged() : reference_quantity(quantity, a, &v, ten);
        if (isnan(got))
            continue;
        if (fabs(got - expected) > tolerance)
            print_error("%s: %.17g\n", id, got);
        assert_true(fabs(got - expected) <= tolerance);
        held++;
    }
    (void)fclose(file);
    iv_scheme_free(ten);
    assert_int_equal(held, 8);
}

/* ----------------------------------------------------------- derivatives -- */

typedef double (*estimate)(double *u, const iv_sampled_view *v);

static double ap_of(double *u, const iv_sampled_view *v)
{
    return iv_sampled_ap(u, v, iv_sampled_total(NULL, v), 0, IV_ESTIMATOR_CORRECTED);
}

static double ap_cut_of(double *u, const iv_sampled_view *v)
{
    return iv_sampled_ap(u, v, iv_sampled_total(NULL, v), 6, IV_ESTIMATOR_CORRECTED);
}

static double recall_of(double *u, const iv_sampled_view *v)
{
    return iv_sampled_recall(u, v, iv_sampled_total(NULL, v), 6);
}

static double precision_of(double *u, const iv_sampled_view *v)
{
    return iv_sampled_found(u, v, 5.0, 5.0);
}

static double ndcg_at(double *u, const iv_sampled_view *v, size_t cutoff)
{
    double gain[DOCS], value = 0.0;
    uint32_t order[DOCS];
    iv_discounts d = { 0 };

    for (size_t i = 0; i < DOCS; i++)
        gain[i] = (double)v->grade[i] * (i % 2 == 0 ? 2.0 : 1.0);
    assert_true(iv_sampled_ndcg(&value, u, v, gain, cutoff, &d, order));
    free(d.sum);
    return value;
}

static double ndcg_of(double *u, const iv_sampled_view *v)
{
    return ndcg_at(u, v, 0);
}

static double ndcg_cut_of(double *u, const iv_sampled_view *v)
{
    return ndcg_at(u, v, 8);
}

/* u is the change of the estimate with a document's weight 1/pi. */
static void contributions_are_derivatives(void **state)
{
    (void)state;
    static const estimate estimates[] = { ap_of, ap_cut_of, recall_of, precision_of, ndcg_of,
                                          ndcg_cut_of };
    const double step = 1e-5;
    double ranks[DOCS];
    uint32_t found[DOCS];

    for (size_t k = 0; k < sizeof estimates / sizeof *estimates; k++)
        for (size_t i = 0; i < DOCS; i++) {
            double pi[DOCS], u[DOCS], unused[DOCS];
            const iv_sampled_view v = view_of(reference_rank, reference_grade, pi, found,
                                              ranks);
            memcpy(pi, reference_pi, sizeof pi);
            (void)estimates[k](u, &v);
            if (reference_grade[i] == 0) {
                assert_true(u[i] == 0.0);
                continue;
            }
            pi[i] = 1.0 / (1.0 / reference_pi[i] + step);
            const double up = estimates[k](unused, &v);
            pi[i] = 1.0 / (1.0 / reference_pi[i] - step);
            const double down = estimates[k](unused, &v);
            assert_near((up - down) / (2.0 * step), u[i], 1e-8);
        }
}

/* ------------------------------------------------- exact expectations -- */

enum { SMALL = 7, DRAWS = 3 };

/* Sums of estimates over all samples, weighted by their probability. */
typedef struct expectation {
    double probability, total, corrected, precision;
} expectation;

/* Every subset of the right size of each bucket, recursively. */
static void subsets(expectation *e, const iv_scheme *s, const size_t *taken, double p,
                    unsigned chosen, size_t document, size_t left_in_bucket, size_t bucket,
                    size_t still)
{
    static const double rank[SMALL] = { 2, 5, 1, 0, 4, 7, 3 };
    static const int32_t relevant[SMALL] = { 1, 1, 0, 1, 1, 0, 1 };

    if (left_in_bucket == 0 && bucket + 1 < s->buckets) {
        assert_int_equal(still, 0);
        bucket++;
        left_in_bucket = s->bucket[bucket].size;
        still = taken[bucket];
    }
    if (document < SMALL) {
        const double n = (double)left_in_bucket, k = (double)still;
        if (still > 0)
            subsets(e, s, taken, p * k / n, chosen | 1u << document, document + 1,
                    left_in_bucket - 1, bucket, still - 1);
        if (still < left_in_bucket)
            subsets(e, s, taken, p * (n - k) / n, chosen, document + 1, left_in_bucket - 1,
                    bucket, still);
        return;
    }
    double pi[SMALL], ranks[SMALL], u[SMALL];
    int32_t grade[SMALL];
    uint32_t found[SMALL];
    iv_sampled_view v = { pi, grade, 0, found, ranks, 0, 1 };
    size_t place[SMALL] = { 0 }, first = 0;
    for (size_t b = 0; b < s->buckets; first += s->bucket[b].size, b++)
        for (size_t d = first; d < first + s->bucket[b].size; d++)
            if (chosen & 1u << d) {
                pi[v.count] = s->bucket[b].pi;
                grade[v.count] = relevant[d];
                place[v.count++] = d;
            }
    for (double r = 1.0; r <= 7.0; r += 1.0)
        for (uint32_t i = 0; i < v.count; i++)
            if (rank[place[i]] == r) {
                found[v.found_count] = i;
                ranks[v.found_count++] = r;
            }
    const double total = iv_sampled_total(NULL, &v);
    e->probability += p;
    e->total += p * total;
    e->precision += p * iv_sampled_found(u, &v, 4.0, 4.0);
    if (total > 0.0) { /* the numerators of average precision */
        e->corrected += p * total * iv_sampled_ap(u, &v, total, 0, IV_ESTIMATOR_CORRECTED);
    }
}

static void totals_and_precision_are_unbiased_over_all_samples(void **state)
{
    (void)state;
    static const size_t sizes[] = { 3, 3, 1 };
    static const double weights[] = { 5, 3, 2 };
    /* R = 5; ranks of the relevant: 2 3 4 5, and one not retrieved. */
    const double numerator = 1.0 / 2 + 2.0 / 3 + 3.0 / 4 + 4.0 / 5;
    expectation e = { 0 };
    iv_scheme *s = NULL;

    assert_int_equal(iv_scheme_stevens(&s, sizes, weights, 3, DRAWS, NULL), IV_OK);
    for (int code = 0; code < 27; code++) { /* which bucket each draw picks */
        size_t count[3] = { 0 }, taken[3];
        double p = 1.0;
        for (int d = 0, c = code; d < DRAWS; d++, c /= 3) {
            count[c % 3]++;
            p *= weights[c % 3] / 10.0;
        }
        for (size_t b = 0; b < 3; b++)
            taken[b] = count[b] < sizes[b] ? count[b] : sizes[b];
        subsets(&e, s, taken, p, 0, 0, sizes[0], 0, taken[0]);
    }
    assert_near(e.probability, 1.0, 1e-13);
    assert_near(e.total, 5.0, 1e-12);
    assert_near(e.precision, 3.0 / 4.0, 1e-13);
    /* The corrected form's pairs are drawn (m - 1)/m times as often: below. */
    assert_true(e.corrected < numerator && e.corrected > 0.8 * numerator);
    iv_scheme_free(s);
}

/* ------------------------------------------------------------- differences -- */

enum { FRAME = 200, BUDGET = 60, SAMPLES = 3000 };

/* Relevant documents among the first of the frame, and two runs on them. */
static bool frame_relevant(size_t d)
{
    return (d * 7919u + 3u) % 1000u < 600u - 2u * d;
}

static double frame_rank(size_t run, size_t d)
{
    return 1.0 + (double)((d + (run == 0 ? 0 : (d * 37u) % 25u)) % FRAME);
}

/* A run's average precision from a sample, by insertion into rank order. */
static double run_on_sample(double *u, const double *pi, const size_t *docs, size_t n, size_t run)
{
    static double ranks[FRAME];
    static uint32_t found[FRAME];
    static int32_t grade[FRAME];
    iv_sampled_view v = { pi, grade, n, found, ranks, 0, 1 };

    for (size_t i = 0; i < n; i++) {
        const double rank = frame_rank(run, docs[i]);
        size_t at = v.found_count++;
        grade[i] = frame_relevant(docs[i]);
        for (; at > 0 && ranks[at - 1] > rank; at--) {
            ranks[at] = ranks[at - 1];
            found[at] = found[at - 1];
        }
        ranks[at] = rank;
        found[at] = (uint32_t)i;
    }
    const double total = iv_sampled_total(NULL, &v);
    return total > 0.0 ? iv_sampled_ap(u, &v, total, 0, IV_ESTIMATOR_CORRECTED) : 0.0;
}

/*
 * Over many samples, the mean estimated variance of a difference beside its
 * real one; the variances of the two runs added up would be too large.
 */
static void the_joint_variance_of_a_difference_is_near_the_real_one(void **state)
{
    (void)state;
    double w[FRAME], sums[8], d1 = 0.0, d2 = 0.0, joint = 0.0, apart = 0.0;
    size_t taken[8], which[FRAME];
    iv_scheme *s = NULL;

    iv_ap_priors(w, FRAME);
    assert_int_equal(iv_scheme_stevens_of(&s, w, FRAME, BUDGET, NULL), IV_OK);
    for (size_t r = 0; r < SAMPLES; r++) {
        iv_stream stream = iv_stream_start(3, IV_FOR_SAMPLING, r);
        double pi[FRAME], u[2][FRAME] = { { 0 } }, u_difference[FRAME];
        uint32_t bucket[FRAME];
        size_t docs[FRAME], n = 0, first = 0;
        iv_scheme_draw(taken, s, &stream);
        for (size_t b = 0; b < s->buckets; b++) {
            const iv_bucket *x = &s->bucket[b];
            assert_true(iv_draw_subset(&stream, which, taken[b], x->size));
            for (size_t k = 0; k < taken[b]; k++) {
                pi[n] = x->pi;
                bucket[n] = (uint32_t)b;
                docs[n++] = first + which[k];
            }
            first += x->size;
        }
        const double d = run_on_sample(u[0], pi, docs, n, 0)
            - run_on_sample(u[1], pi, docs, n, 1);
        for (size_t i = 0; i < n; i++)
            u_difference[i] = u[0][i] - u[1][i];
        joint += iv_scheme_variance(s, u_difference, pi, bucket, n, sums) / SAMPLES;
        apart += (iv_scheme_variance(s, u[0], pi, bucket, n, sums)
                  + iv_scheme_variance(s, u[1], pi, bucket, n, sums)) / SAMPLES;
        d1 += d / SAMPLES;
        d2 += d * d / SAMPLES;
    }
    const double real = d2 - d1 * d1;
    assert_true(joint > 0.7 * real && joint < 1.3 * real);
    assert_true(apart > 1.5 * joint);
    iv_scheme_free(s);
}

/* -------------------------------------------------------------- intervals -- */

static void an_interval_is_students_t_on_the_logit_scale(void **state)
{
    (void)state;
    iv_estimate e = { .value = 0.3, .variance = 0.0025, .relevant = 12, .effective = 8.0 };
    const double t = iv_t_isf(0.025, 9.0), half = t * 0.05 / 0.21, logit = log(0.3 / 0.7);

    iv_estimate_interval(&e, false, 0.0, 0.95);
    assert_int_equal(e.gap, IV_SAMPLED_INTERVAL);
    assert_near(e.lower, 1.0 / (1.0 + exp(-(logit - half))), 1e-14);
    assert_near(e.upper, 1.0 / (1.0 + exp(-(logit + half))), 1e-14);
    e.value = 40.0;
    e.variance = 16.0;
    iv_estimate_interval(&e, true, 35.0, 0.95);
    assert_near(e.upper, 40.0 * exp(t * 0.1), 1e-13);
    assert_near(e.lower, 35.0, 0.0); /* so many were seen */
}

static void without_an_interval_there_is_a_reason(void **state)
{
    (void)state;
    static const struct {
        iv_estimate e;
        iv_sampled_gap gap;
    } cases[] = {
        { { .value = 0.3, .variance = 0.01, .relevant = 1 }, IV_SAMPLED_FEW },
        { { .value = 1.2, .variance = 0.01, .relevant = 9 }, IV_SAMPLED_RANGE },
        { { .value = 0.0, .variance = 0.01, .relevant = 9 }, IV_SAMPLED_ZERO },
        { { .value = 0.3, .variance = 0.0, .relevant = 9 }, IV_SAMPLED_NO_SPREAD },
        { { .value = 0.0, .gap = IV_SAMPLED_NO_RELEVANT }, IV_SAMPLED_NO_RELEVANT },
        { { .value = 0.3, .variance = NAN, .relevant = 9 }, IV_SAMPLED_INFERRED },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        iv_estimate e = cases[i].e;
        iv_estimate_interval(&e, false, 0.0, 0.95);
        assert_int_equal(e.gap, cases[i].gap);
        assert_true(isnan(e.lower) && isnan(e.upper));
        assert_true(strlen(iv_sampled_gap_text(e.gap)) > 0);
    }
    iv_estimate exact = { .value = 0.4, .exact = true };
    iv_estimate_interval(&exact, false, 0.0, 0.95);
    assert_true(exact.lower == 0.4 && exact.upper == 0.4);
}

int sampled_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_values_of_the_estimators_hold),
        cmocka_unit_test(contributions_are_derivatives),
        cmocka_unit_test(totals_and_precision_are_unbiased_over_all_samples),
        cmocka_unit_test(the_joint_variance_of_a_difference_is_near_the_real_one),
        cmocka_unit_test(an_interval_is_students_t_on_the_logit_scale),
        cmocka_unit_test(without_an_interval_there_is_a_reason),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
