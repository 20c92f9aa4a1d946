/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about limits that hold whatever the truth; the name of a test is the claim. */
#include "test_recall.h"
#include "drawn.h"
#include "num/dist.h"
#include "stat/recall/recall_limits.h"


static iv_recall_quantity quantity_of(const char *name)
{
    static const char letters[] = "rpfye";

    return (iv_recall_quantity)(strchr(letters, name[0]) - letters);
}

static iv_limits limits_of(const iv_segments *s, iv_recall_quantity q,
                           double confidence, bool one_sided)
{
    iv_limits i = { NAN, NAN };

    assert_int_equal(iv_recall_guaranteed(&i, s, q, 1.0, confidence, one_sided, NULL), IV_OK);
    return i;
}

/* The search stops when it is within 2e-5, on the safe side. */
static void limits_equal_those_by_brute_force_in_rational_arithmetic(void **state)
{
    (void)state;
    FILE *f = fopen(TESTS_DIR "/oracle/recall_guaranteed.tsv", "r");
    char line[512], what[16], one[128], zero[128];
    size_t rows = 0, bad = 0;

    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        iv_stratum s1[RECALL_MOST_STRATA], s0[RECALL_MOST_STRATA];
        double confidence, lower, upper;
        int one_sided;
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%15s %lf %d %127s %127s %lf %lf", what, &confidence,
                                &one_sided, one, zero, &lower, &upper), 7);
        const iv_segments s = { s1, s0, recall_read_strata(s1, one), recall_read_strata(s0, zero) };
        const iv_limits i = limits_of(&s, quantity_of(what), confidence, one_sided);
        const double room = what[0] == 'y' ? 2e-5 * (1.0 + upper) : 2e-5;
        rows++;
        if (!(i.lower <= lower + 1e-12 && i.lower >= lower - room && i.upper >= upper - 1e-12
              && i.upper <= upper + room)) {
            print_error("%s%.17g %.17g\n", line, i.lower, i.upper);
            bad++;
        }
    }
    (void)fclose(f);
    assert_int_equal(rows, 155);
    assert_int_equal(bad, 0);
}

/* ------------------------------------------------------ least coverage -- */

/* A design: what of each stratum is drawn; those before `retrieved` are. */
typedef struct design {
    size_t count, retrieved;
    int64_t N[RECALL_MOST_STRATA], n[RECALL_MOST_STRATA];
} design;

/* Counts through all numbers up to the given ones; false: at the end. */
static bool next(int64_t *at, const int64_t *most, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (at[i]++ < most[i])
            return true;
        at[i] = 0;
    }
    return false;
}

static double true_value(const design *d, const int64_t *K, iv_recall_quantity q)
{
    double R[2] = { 0.0, 0.0 }, N[2] = { 0.0, 0.0 };

    for (size_t i = 0; i < d->count; i++) {
        R[i < d->retrieved] += (double)K[i];
        N[i < d->retrieved] += (double)d->N[i];
    }
    switch (q) {
    case IV_RECALL_RECALL: return R[0] + R[1] > 0.0 ? R[1] / (R[0] + R[1]) : NAN;
    case IV_RECALL_PRECISION: return R[1] / N[1];
    case IV_RECALL_F: return 2.0 * R[1] / (R[1] + R[0] + N[1]);
    case IV_RECALL_YIELD: return R[1] + R[0];
    case IV_RECALL_ELUSION: break;
    }
    return R[0] / N[0];
}

static double chance(const design *d, const int64_t *K, const int64_t *x)
{
    double p = 1.0;

    for (size_t i = 0; i < d->count; i++)
        p *= exp(iv_hyper_log_pmf(x[i], d->N[i], K[i], d->n[i]));
    return p;
}

/* How often lower, upper, and both hold, at the truth where that is least. */
static void least_coverage(double least[3], const design *d, iv_recall_quantity q,
                           double confidence, bool one_sided)
{
    iv_limits limits[600];
    int64_t K[RECALL_MOST_STRATA] = { 0 };

    least[0] = least[1] = least[2] = 1.0;
    for (bool first = true, more = true; more; first = false, more = next(K, d->N, d->count)) {
        const double truth = true_value(d, K, q);
        double held[3] = { 0.0, 0.0, 0.0 };
        int64_t x[RECALL_MOST_STRATA] = { 0 };
        size_t at = 0;
        do {
            if (first) {
                iv_stratum s[RECALL_MOST_STRATA];
                for (size_t i = 0; i < d->count; i++)
                    s[i] = (iv_stratum){ d->N[i], d->n[i], x[i] };
                const iv_segments both = { s, s + d->retrieved, d->retrieved,
                                           d->count - d->retrieved };
                assert_true(at < 600);
                limits[at] = limits_of(&both, q, confidence, one_sided);
            }
            const bool lower = limits[at].lower <= truth * (1.0 + 1e-12);
            const bool upper = limits[at].upper >= truth * (1.0 - 1e-12);
            const double p = chance(d, K, x);
            held[0] += lower ? p : 0.0;
            held[1] += upper ? p : 0.0;
            held[2] += lower && upper ? p : 0.0;
            at++;
        } while (next(x, d->n, d->count));
        for (int i = 0; i < 3 && !isnan(truth); i++)
            least[i] = fmin(least[i], held[i]);
    }
}

static void the_least_coverage_over_all_truths_is_the_confidence_or_more(void **state)
{
    (void)state;
    static const design designs[] = {
        { 2, 1, { 8, 10 }, { 4, 5 } }, { 2, 1, { 6, 15 }, { 6, 5 } },
        { 2, 1, { 5, 12 }, { 2, 3 } }, { 3, 2, { 9, 4, 5 }, { 3, 2, 5 } },
        { 3, 1, { 5, 5, 4 }, { 2, 3, 1 } }, { 3, 2, { 5, 4, 6 }, { 0, 2, 3 } },
        { 4, 2, { 4, 3, 5, 4 }, { 2, 1, 3, 2 } }, { 4, 1, { 4, 4, 3, 3 }, { 2, 1, 2, 1 } },
    };

    for (size_t i = 0; i < sizeof designs / sizeof *designs; i++) {
        for (int q = 0; q < IV_RECALL_QUANTITIES; q++) {
            for (int k = 0; k < 2; k++) {
                const double confidence = k == 0 ? 0.95 : 0.8;
                double one[3], two[3];
                least_coverage(one, &designs[i], (iv_recall_quantity)q, confidence, true);
                least_coverage(two, &designs[i], (iv_recall_quantity)q, confidence, false);
                if (!(fmin(one[0], one[1]) >= confidence && two[2] >= confidence))
                    fail_msg("design %zu, quantity %d, %g: %.4f %.4f %.4f", i, q, confidence,
                             one[0], one[1], two[2]);
            }
        }
    }
}

/* ------------------------------------------------------------- figures -- */

/* 500 / (500 + U), U the hypergeometric limit of 0 of 2,000 in 1,000,000 (scipy: 1495). */
static void one_unknown_side_has_hypergeometric_limits(void **state)
{
    (void)state;
    const iv_stratum one = { 1000, 1000, 500 }, zero = { 1000000, 2000, 0 };
    const iv_segments s = two_segments(&one, &zero);

    assert_true(limits_of(&s, IV_RECALL_RECALL, 0.95, true).lower == 500.0 / 1995.0);
    assert_true(limits_of(&s, IV_RECALL_YIELD, 0.95, true).upper == 1995.0);
    assert_true(limits_of(&s, IV_RECALL_PRECISION, 0.95, true).upper == 0.5);
}

/* Of 20 in 1,000 none: 166 may be; the heavily sampled stratum adds nothing to that. */
static void a_stratum_sampled_thinly_tells_little(void **state)
{
    (void)state;
    const iv_stratum ret = { 1000, 1000, 400 };
    const iv_stratum un[] = { { 99000, 20000, 0 }, { 1000, 20, 0 } };
    const iv_segments s = { &ret, un, 1, 2 };
    const iv_limits i = limits_of(&s, IV_RECALL_RECALL, 0.95, false);

    assert_near(i.lower, 400.0 / 566.0, 2e-5);
    assert_true(i.upper == 1.0);
}

static int64_t split_limit(const iv_stratum *s, double alpha, bool upper)
{
    int64_t K = upper ? s->size - s->sampled + s->relevant : s->relevant;

    while (upper ? iv_hyper_cdf(s->relevant, s->size, K, s->sampled) <= alpha
                 : iv_hyper_sf(s->relevant - 1, s->size, K, s->sampled) <= alpha)
        K += upper ? -1 : 1;
    return K;
}

static void two_unknown_sides_are_never_wider_than_splitting_the_error(void **state)
{
    (void)state;
    const double alpha = 1.0 - sqrt(0.95);

    for (int64_t r1 = 0; r1 <= 30; r1 += 3) {
        for (int64_t r0 = 0; r0 <= 40; r0 += r0 < 5 ? 1 : 7) {
            const iv_stratum one = { 300, 30, r1 }, zero = { 4000, 40, r0 };
            const iv_segments s = two_segments(&one, &zero);
            if (r1 + r0 == 0)
                continue;
            const double a = (double)split_limit(&one, alpha, false);
            const double b = (double)split_limit(&zero, alpha, true);
            const double lower = limits_of(&s, IV_RECALL_RECALL, 0.95, true).lower;
            assert_true(lower >= a / (a + b));
            if (r1 > 3 && r1 < 30 && r0 > 1 && r0 < 40)
                assert_true(lower > a / (a + b) + 1e-4); /* and mostly narrower */
        }
    }
    /* Large samples split the error at once: a search would take minutes (scipy: 496124, 12144). */
    const iv_stratum one = { 1000000, 60000, 30000 }, zero = { 10000000, 100000, 100 };
    const iv_segments large = two_segments(&one, &zero);
    assert_true(limits_of(&large, IV_RECALL_RECALL, 0.95, true).lower == 496124.0 / (496124.0 + 12144.0));
}

static void more_confidence_is_a_wider_interval_whatever_the_number_of_strata(void **state)
{
    (void)state;
    iv_stratum un[64];
    const iv_stratum ret = { 2560, 400, 200 };

    for (size_t count = 1; count <= 64; count *= 4) {
        for (size_t i = 0; i < count; i++)
            un[i] = (iv_stratum){ 320000 / (int64_t)count, 3200 / (int64_t)count, i < 6 };
        const iv_segments s = { &ret, un, 1, count };
        for (int q = 0; q < IV_RECALL_QUANTITIES; q++) {
            const double plain = iv_recall_plain(&s, (iv_recall_quantity)q, 1.0);
            iv_limits last = { plain, plain };
            for (int k = 0; k < 3; k++) {
                const double confidence = k == 0 ? 0.5 : k == 1 ? 0.8 : 0.99;
                const iv_limits i = limits_of(&s, (iv_recall_quantity)q, confidence,
                                              false);
                assert_true(i.lower <= last.lower && i.upper >= last.upper);
                last = i;
            }
        }
    }
}

/* Without a hit Chernoff's inequality is exact but for draws with replacement. */
static void strata_without_a_hit_cost_nothing(void **state)
{
    (void)state;
    iv_stratum un[32];
    const iv_stratum ret = { 1000, 1000, 500 };

    for (size_t i = 0; i < 32; i++)
        un[i] = (iv_stratum){ 31250, 62, 0 };
    const iv_segments many = { &ret, un, 1, 32 };
    const iv_stratum all = { 1000000, 32 * 62, 0 };
    const iv_segments one = two_segments(&ret, &all);
    const double a = limits_of(&many, IV_RECALL_ELUSION, 0.95, true).upper;
    const double b = limits_of(&one, IV_RECALL_ELUSION, 0.95, true).upper;

    assert_true(a >= b * 0.99 && a <= b * 1.02);
}

/* Near the limit and far from it; of large samples, too, whose search ends early. */
static void whether_a_recall_is_reached_is_told_as_by_the_limit(void **state)
{
    (void)state;
    static const iv_stratum ones[] = { { 40, 12, 9 }, { 18000, 172, 70 }, { 18000, 1737, 700 },
                                       { 9, 9, 4 }, { 60000, 52000, 30000 }, { 50, 10, 0 } };
    static const iv_stratum zeros[] = { { 70, 20, 1 }, { 232000, 2228, 14 }, { 232000, 9000, 0 },
                                        { 30, 10, 0 } };
    static const double off[] = { -0.2, -1e-3, -1e-9, 0.0, 1e-9, 1e-3, 0.2 };

    for (size_t k = 0; k < sizeof ones / sizeof *ones * (sizeof zeros / sizeof *zeros); k++) {
        const iv_segments s = two_segments(&ones[k / 4], &zeros[k % 4]);
        const double lower = limits_of(&s, IV_RECALL_RECALL, 0.95, true).lower;
        for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
            bool reached = false;
            assert_int_equal(iv_recall_guarantees(&reached, &s, lower + off[i], 0.95, true, NULL),
                             IV_OK);
            assert_int_equal(reached, off[i] <= 0.0);
        }
    }
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    const iv_stratum one = { 10, 5, 2 }, zero = { 20, 30, 0 };
    const iv_segments s = two_segments(&one, &zero), good = two_segments(&one, &one);
    iv_limits i = { 7.0, 7.0 };

    assert_int_equal(iv_recall_guaranteed(&i, &s, IV_RECALL_RECALL, 1.0, 0.95, false, NULL),
                     IV_EARG);
    assert_int_equal(iv_recall_guaranteed(&i, &good, IV_RECALL_RECALL, 1.0, 1.0, false, NULL),
                     IV_EARG);
    assert_true(i.lower == 7.0);
    assert_true(iv_recall_has_prior(IV_RECALL_BETABIN_WEIGHTED));
    assert_false(iv_recall_has_prior(IV_RECALL_EXACT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_equal_those_by_brute_force_in_rational_arithmetic),
        drawn_unit_test(the_least_coverage_over_all_truths_is_the_confidence_or_more),
        cmocka_unit_test(one_unknown_side_has_hypergeometric_limits),
        cmocka_unit_test(a_stratum_sampled_thinly_tells_little),
        cmocka_unit_test(two_unknown_sides_are_never_wider_than_splitting_the_error),
        cmocka_unit_test(more_confidence_is_a_wider_interval_whatever_the_number_of_strata),
        cmocka_unit_test(strata_without_a_hit_cost_nothing),
        cmocka_unit_test(whether_a_recall_is_reached_is_told_as_by_the_limit),
        cmocka_unit_test(what_is_wrong_is_refused),
    };

    return cmocka_run_group_tests_name("recall guaranteed", tests, NULL, NULL);
}
