/* SPDX-License-Identifier: Apache-2.0 */
/* Probabilities of inclusion against references, enumeration and long runs. */
#include "num/draw.h"
#include "sampling/scheme.h"
#include "sample_tests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "near.h"

/* Stevens' scheme on the prior of one list of n documents. */
static iv_scheme *scheme_of_list(size_t n, size_t m)
{
    double w[64];
    iv_scheme *s = NULL;

    assert_true(n <= 64);
    iv_ap_priors(w, n);
    assert_int_equal(iv_scheme_stevens_of(&s, w, n, m, NULL), IV_OK);
    return s;
}

/* ------------------------------------------------------ reference values -- */

static double scheme_quantity(const char *quantity, size_t n, size_t m, size_t place)
{
    iv_scheme *s = scheme_of_list(n, m);
    const size_t last = s->buckets - 1;
    double got = (double)NAN;

    if (strcmp(quantity, "joint_same_last_bucket") == 0)
        got = iv_scheme_joint(s, last, last);
    else if (strcmp(quantity, "joint_first_last_bucket") == 0)
        got = iv_scheme_joint(s, 0, last);
    else if (strcmp(quantity, "joint_first_second_bucket") == 0)
        got = iv_scheme_joint(s, 0, 1);
    else if (strcmp(quantity, "joint_same_first_bucket") == 0)
        got = iv_scheme_joint(s, 0, 0);
    else if (strcmp(quantity, "bucket_probabilities") == 0)
        got = s->bucket[place].share;
    else if (strcmp(quantity, "inclusion_probabilities_per_bucket") == 0)
        got = s->bucket[place].pi;
    iv_scheme_free(s);
    return got;
}

/* The paper's examples: a share p of 1000 documents is relevant. */
static double uniform_halfwidth(double p, double m)
{
    double value[1000] = { 0 }, chance[1000];

    for (size_t i = 0; i < 1000; i++) {
        chance[i] = 1e-3;
        value[i] = (double)i < 1000.0 * p ? 1e-3 : 0.0;
    }
    return 1.965 * sqrt(iv_draw_variance(value, chance, 1000) / m);
}

static double stratified_variance(double p, double over)
{
    double value[1000] = { 0 }, chance[1000];

    for (size_t i = 0; i < 1000; i++) {
        chance[i] = (i < 500 ? over : 2.0 - over) * 1e-3;
        value[i] = (double)i < 1000.0 * p ? 1e-3 : 0.0;
    }
    return iv_draw_variance(value, chance, 1000);
}

static double prior_at(size_t z, size_t r)
{
    double w[1000];

    assert_true(r >= 1 && r <= z && z <= 1000);
    iv_ap_priors(w, z);
    return w[r - 1];
}

/* By its definition, the small terms first. */
static double ap_prior(size_t z, size_t r)
{
    double sum = 0.0;

    for (size_t k = z; k >= r; k--)
        sum += 1.0 / (double)k;
    return (1.0 + sum) / (2.0 * (double)z);
}

static double quantity_of(const char *quantity, double a, double b, size_t place)
{
    if (strcmp(quantity, "prior_W") == 0)
        return prior_at((size_t)a, (size_t)b);
    if (strcmp(quantity, "ci_halfwidth_uniform") == 0)
        return uniform_halfwidth(a, b);
    if (strcmp(quantity, "variance_stratified_example") == 0)
        return stratified_variance(a, b);
    if (strncmp(quantity, "joint_", 6) == 0 || strcmp(quantity, "bucket_probabilities") == 0
        || strncmp(quantity, "inclusion_", 10) == 0)
        return scheme_quantity(quantity, (size_t)a, (size_t)b, place);
    return (double)NAN;
}

static void reference_values_of_the_design_hold(void **state)
{
    (void)state;
    char line[256], id[32], quantity[64];
    double a, b, expected, tolerance;
    size_t place, held = 0;
    FILE *file = fopen(TESTS_DIR "/oracle/statap.tsv", "r");

    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%31s %63s %lf %lf %zu %lf %lf", id, quantity, &a, &b,
                                &place, &expected, &tolerance), 7);
        const double got = quantity_of(quantity, a, b, place);
        if (isnan(got)) /* test_sampled.c has it, or it is the form never to use */
            continue;
        if (fabs(got - expected) > tolerance)
            print_error("%s\n", id);
        assert_true(fabs(got - expected) <= tolerance);
        held++;
    }
    (void)fclose(file);
    assert_int_equal(held, 25);
}

static void the_prior_sums_to_one_and_its_approximation_to_a_half(void **state)
{
    (void)state;
    static const size_t lengths[] = { 1, 2, 10, 100, 1000 };
    double w[1000], approximate = 0.0;

    for (size_t k = 0; k < 5; k++) {
        double sum = 0.0;
        iv_ap_priors(w, lengths[k]);
        for (size_t r = 1; r <= lengths[k]; r++) {
            sum += w[r - 1];
            assert_near(w[r - 1], ap_prior(lengths[k], r), 1e-15);
        }
        assert_near(sum, 1.0, 1e-13);
    }
    for (size_t r = 1; r <= 1000; r++)
        approximate += log(1000.0 / (double)r) / 2000.0;
    assert_near(approximate, 0.49781355024698687, 1e-12);
}

/* ----------------------------------------------------------- enumeration -- */

static double choose(size_t n, size_t k)
{
    double c = 1.0;

    for (size_t i = 0; i < k; i++)
        c *= (double)(n - i) / (double)(i + 1);
    return c;
}

/*
 * All ways to draw, one after the other: sequences of buckets, and given how
 * many of each, the chance that a document or two are among those taken.
 */
static void assert_enumerated(const size_t *sizes, const double *weights, size_t buckets,
                              size_t draws)
{
    double pi[4] = { 0 }, joint[4][4] = { { 0 } }, total = 0.0;
    size_t sequence[8] = { 0 };
    iv_scheme *s = NULL;

    assert_int_equal(iv_scheme_stevens(&s, sizes, weights, buckets, draws, NULL), IV_OK);
    for (size_t i = 0; i < buckets; i++)
        total += weights[i];
    for (bool more = true; more;) {
        double p = 1.0;
        size_t count[4] = { 0 };
        for (size_t d = 0; d < draws; d++) {
            p *= weights[sequence[d]] / total;
            count[sequence[d]]++;
        }
        for (size_t a = 0; a < buckets; a++) {
            const size_t na = count[a] < sizes[a] ? count[a] : sizes[a];
            if (na > 0)
                pi[a] += p * choose(sizes[a] - 1, na - 1) / choose(sizes[a], na);
            if (na > 1)
                joint[a][a] += p * choose(sizes[a] - 2, na - 2) / choose(sizes[a], na);
            for (size_t b = 0; b < buckets; b++) {
                const size_t nb = count[b] < sizes[b] ? count[b] : sizes[b];
                if (a != b && na > 0 && nb > 0)
                    joint[a][b] += p * (double)na / (double)sizes[a] * (double)nb
                        / (double)sizes[b];
            }
        }
        size_t d = 0;
        while (d < draws && ++sequence[d] == buckets)
            sequence[d++] = 0;
        more = d < draws;
    }
    for (size_t a = 0; a < buckets; a++) {
        assert_near(s->bucket[a].pi, pi[a], 1e-13);
        for (size_t b = 0; b < buckets; b++)
            assert_near(iv_scheme_joint(s, a, b), joint[a][b], 1e-13);
    }
    iv_scheme_free(s);
}

static void probabilities_agree_with_enumeration_of_all_draws(void **state)
{
    (void)state;
    static const double weights[] = { 5.0, 2.5, 1.5, 1.0 };

    for (size_t draws = 1; draws <= 5; draws++)
        for (size_t last = 1; last <= draws; last++) {
            const size_t two[] = { draws, last }, three[] = { draws, draws, last };
            const size_t four[] = { draws, draws + 2, draws, last }; /* larger ones, too */
            assert_enumerated(two, weights, 2, draws);
            assert_enumerated(three, weights, 3, draws);
            assert_enumerated(four, weights, 4, draws);
            assert_enumerated(&last, weights, 1, draws);
        }
}

/* ------------------------------------------------------------ long runs -- */

/* How often documents and pairs turn up in many draws. */
static void assert_drawn(const iv_scheme *s, size_t buckets, size_t draws, uint64_t seed)
{
    size_t taken[8], which[64];
    double one[8] = { 0 }, pair[8][8] = { { 0 } };

    assert_true(buckets <= 8);
    for (size_t r = 0; r < draws; r++) {
        iv_stream stream = iv_stream_start(seed, IV_FOR_SAMPLING, r);
        bool first[8] = { false }, second[8] = { false };
        iv_scheme_draw(taken, s, &stream);
        for (size_t b = 0; b < buckets; b++) {
            assert_true(iv_draw_subset(&stream, which, taken[b], s->bucket[b].size));
            for (size_t k = 0; k < taken[b]; k++) {
                first[b] = first[b] || which[k] == 0;
                second[b] = second[b] || which[k] == 1;
            }
        }
        for (size_t a = 0; a < buckets; a++) {
            one[a] += first[a];
            for (size_t b = 0; b < buckets; b++)
                pair[a][b] += first[a] && (a == b ? second[b] : first[b]);
        }
    }
    for (size_t a = 0; a < buckets; a++)
        for (size_t b = 0; b < buckets; b++) {
            const double n = (double)draws, p = s->bucket[a].pi;
            const double q = iv_scheme_joint(s, a, b);
            /* 5 standard errors: 1 in 2 million, with a fixed seed */
            assert_true(fabs(one[a] / n - p) <= 5.0 * sqrt(p * (1.0 - p) / n));
            assert_true(fabs(pair[a][b] / n - q) <= 5.0 * sqrt(q * (1.0 - q) / n));
        }
}

static void probabilities_agree_with_200000_draws(void **state)
{
    (void)state;
    static const size_t sizes[] = { 12, 30, 20 }, drawn[] = { 12, 7, 2 };
    iv_scheme *s = scheme_of_list(47, 10);

    assert_near(s->bucket[4].pi, .11585360476, 1e-10);
    assert_drawn(s, 5, 200000, 1);
    iv_scheme_free(s);
    s = scheme_of_list(60, 20); /* no short bucket */
    assert_drawn(s, 3, 50000, 2);
    iv_scheme_free(s);
    assert_int_equal(iv_scheme_strata(&s, sizes, drawn, 3, NULL), IV_OK);
    assert_drawn(s, 3, 50000, 3);
    iv_scheme_free(s);
}

/* ------------------------------------------------------------- variance -- */

enum { DOCS = 23 };

/* Draws documents 0 ... DOCS - 1 in the order of the buckets. */
static size_t draw_documents(size_t *out, uint32_t *bucket, const iv_scheme *s,
                             iv_stream *stream)
{
    size_t taken[8], which[DOCS], count = 0, first = 0;

    iv_scheme_draw(taken, s, stream);
    for (size_t b = 0; b < s->buckets; b++) {
        assert_true(iv_draw_subset(stream, which, taken[b], s->bucket[b].size));
        for (size_t k = 0; k < taken[b]; k++) {
            bucket[count] = (uint32_t)b;
            out[count++] = first + which[k];
        }
        first += s->bucket[b].size;
    }
    return count;
}

/* True variance against draws, and the mean estimated variance against it. */
static void assert_variances(const iv_scheme *s)
{
    enum { DRAWS = 40000 };
    double u[DOCS], total = 0.0, sums[8], squares = 0.0, estimated = 0.0, spread = 0.0;
    uint32_t all[DOCS];
    size_t at = 0;

    for (size_t b = 0; b < s->buckets; b++)
        for (size_t k = 0; k < s->bucket[b].size; k++)
            all[at++] = (uint32_t)b;
    assert_int_equal(at, DOCS);
    for (size_t i = 0; i < DOCS; i++) {
        u[i] = sin(3.0 * (double)i) + (i % 5 == 0);
        total += u[i];
    }
    const double truth = iv_scheme_true_variance(s, u, NULL, all, DOCS, sums);
    for (size_t r = 0; r < DRAWS; r++) {
        iv_stream stream = iv_stream_start(9, IV_FOR_SAMPLING, r);
        size_t docs[DOCS];
        uint32_t bucket[DOCS];
        double pi[DOCS], value[DOCS], sum = 0.0;
        const size_t n = draw_documents(docs, bucket, s, &stream);
        for (size_t i = 0; i < n; i++) {
            pi[i] = s->bucket[bucket[i]].pi;
            value[i] = u[docs[i]];
            sum += value[i] / pi[i];
        }
        squares += (sum - total) * (sum - total);
        const double v = iv_scheme_variance(s, value, pi, bucket, n, sums);
        estimated += v;
        spread += v * v;
    }
    const double n = DRAWS, mean = estimated / n;
    const double sd = sqrt((spread / n - mean * mean) / n);
    assert_close(squares / n, truth, 0.04); /* 0.7 % standard error of a variance */
    assert_true(fabs(mean - truth) <= 5.0 * sd);
}

static void the_variance_of_a_total_is_unbiased_for_every_scheme(void **state)
{
    (void)state;
    static const size_t sizes[] = { 5, 10, 8 }, drawn[] = { 5, 4, 2 };
    static const size_t even[] = { 5, 5, 5, 5, 3 };
    static const double weights[] = { 0.4, 0.25, 0.2, 0.1, 0.05 };
    iv_scheme *s = NULL;

    assert_int_equal(iv_scheme_stevens(&s, even, weights, 5, 5, NULL), IV_OK);
    assert_variances(s);
    iv_scheme_free(s);
    assert_int_equal(iv_scheme_strata(&s, sizes, drawn, 3, NULL), IV_OK);
    assert_variances(s);
    iv_scheme_free(s);
}

static void documents_judged_for_certain_add_no_variance(void **state)
{
    (void)state;
    static const double pi[] = { 0.5, 1.0, 1.0 }, u[] = { 2.0, 100.0, 7.0 };
    static const uint32_t bucket[] = { 0, IV_FIXED, IV_FIXED };
    iv_scheme *s = NULL;

    assert_int_equal(iv_scheme_independent(&s, NULL), IV_OK);
    assert_near(iv_scheme_variance(s, u, pi, bucket, 3, NULL), 8.0, 1e-15);
    iv_scheme_free(s);
}

static void schemes_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const size_t sizes[] = { 3, 5 }, many[] = { 4, 5 };
    static const double weights[] = { 1.0, 1.0 }, none[] = { 1.0, 0.0 }, up[] = { 1.0, 2.0 };
    iv_scheme *s = NULL;
    iv_err err;

    assert_int_equal(iv_scheme_stevens(&s, sizes, weights, 2, 4, &err), IV_EARG);
    assert_int_equal(iv_scheme_stevens(&s, sizes, none, 2, 3, &err), IV_EARG);
    assert_non_null(strstr(err.msg, "bucket 2 has weight 0,"));
    assert_int_equal(iv_scheme_stevens(&s, sizes, weights, 0, 3, &err), IV_EARG);
    assert_int_equal(iv_scheme_stevens_of(&s, up, 2, 1, &err), IV_EARG);
    assert_int_equal(iv_scheme_stevens_of(&s, weights, 2, 0, &err), IV_EARG);
    assert_int_equal(iv_scheme_strata(&s, sizes, many, 2, &err), IV_EARG);
    assert_null(s);
}

int sample_scheme_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_values_of_the_design_hold),
        cmocka_unit_test(the_prior_sums_to_one_and_its_approximation_to_a_half),
        cmocka_unit_test(probabilities_agree_with_enumeration_of_all_draws),
        cmocka_unit_test(probabilities_agree_with_200000_draws),
        cmocka_unit_test(the_variance_of_a_total_is_unbiased_for_every_scheme),
        cmocka_unit_test(documents_judged_for_certain_add_no_variance),
        cmocka_unit_test(schemes_that_cannot_be_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
