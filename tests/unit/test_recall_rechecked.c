/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about recall with assessor error; the name of a test is the claim. */
#include "test_recall.h"
#include "num/dist.h"
#include "num/draw.h"
#include "stat/interval_methods.h"
#include "stat/recall/recall_rechecked.h"


static iv_rechecked segment(const int64_t given[7])
{
    iv_rechecked out;
    iv_err err = { IV_OK, "" };

    if (iv_rechecked_of(&out, given, given + 3, "retrieved", &err) != IV_OK)
        fail_msg("%s", err.msg);
    return out;
}

static void draws_have_the_distribution_that_enumeration_in_rational_arithmetic_gives(void **state)
{
    (void)state;
    enum { DRAWS = 40000 };
    FILE *f = fopen(TESTS_DIR "/oracle/recall_rechecked.tsv", "r");
    double *draws = malloc(DRAWS * sizeof *draws);
    char line[256];
    size_t rows = 0;

    assert_non_null(f);
    assert_non_null(draws);
    while (fgets(line, sizeof line, f) != NULL) {
        long long g[7], x;
        double p, below = 0.0;
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%lld %lld %lld %lld %lld %lld %lld %lld %lf", &g[0], &g[1],
                                &g[2], &g[3], &g[4], &g[5], &g[6], &x, &p), 9);
        const int64_t given[7] = { g[0], g[1], g[2], g[3], g[4], g[5], g[6] };
        const iv_rechecked s = segment(given);
        iv_rechecked_draw(draws, DRAWS, &s, 5, 1);
        for (size_t i = 0; i < DRAWS; i++)
            below += draws[i] <= (double)x ? 1.0 / DRAWS : 0.0;
        assert_near(below, p, 4.5 * sqrt(p * (1.0 - p) / DRAWS));
        rows++;
    }
    (void)fclose(f);
    free(draws);
    assert_true(rows > 50);
}

/* Cochran (1977), section 12.2: variance within labels by the recheck, between them by the
 * sample. */
static void with_many_documents_mean_and_variance_are_those_of_double_sampling(void **state)
{
    (void)state;
    enum { DRAWS = 100000 };
    const int64_t given[7] = { 1000000000, 40000, 16000, 4000, 3000, 6000, 600 };
    const iv_rechecked s = segment(given);
    const double w = 0.4, a = 0.75, b = 0.1, p = w * a + (1.0 - w) * b, N = 1e9;
    const double variance = w * w * a * (1.0 - a) / 4000.0
                            + (1.0 - w) * (1.0 - w) * b * (1.0 - b) / 6000.0
                            + (w * (a - p) * (a - p) + (1.0 - w) * (b - p) * (b - p)) / 40000.0;
    double *draws = malloc(DRAWS * sizeof *draws), sum = 0.0, squares = 0.0;

    assert_non_null(draws);
    iv_rechecked_draw(draws, DRAWS, &s, 1, 0);
    for (size_t i = 0; i < DRAWS; i++)
        sum += draws[i] / N / DRAWS;
    for (size_t i = 0; i < DRAWS; i++)
        squares += (draws[i] / N - sum) * (draws[i] / N - sum) / DRAWS;
    free(draws);
    assert_near(iv_rechecked_estimate(&s), N * p, 1e-3);
    assert_near(sum, p, 2e-4);
    assert_near(squares / variance, 1.0, 0.02);
}

/* A design: documents, sampled and proportion relevant of both sides, sensitivity and specificity
 * of the first assessor, most that are rechecked of either label. */
typedef struct design {
    int64_t N[2], n[2];
    double least[2], most[2], sensitivity, specificity;
    int64_t yes, no;
} design;

static int64_t at_most(int64_t x, int64_t most)
{
    return x < most ? x : most;
}

/* A segment and its sample; returns its relevant documents. */
static int64_t simulate(int64_t given[7], iv_stream *s, const design *d, int side)
{
    const int64_t N = d->N[side], n = d->n[side];
    const double p = d->least[side] + (d->most[side] - d->least[side]) * iv_draw_uniform(s);
    const int64_t R = iv_draw_binom(s, N, p), right = iv_draw_binom(s, R, d->sensitivity);
    const int64_t called = right + iv_draw_binom(s, N - R, 1.0 - d->specificity);
    const int64_t r = iv_draw_hyper(s, N, called, n);
    const int64_t yes = iv_draw_hyper(s, called, right, r);
    const int64_t no = iv_draw_hyper(s, N - called, R - right, n - r);

    given[0] = N;
    given[1] = n;
    given[2] = r;
    given[3] = at_most(d->yes, r);
    given[4] = iv_draw_hyper(s, r, yes, given[3]);
    given[5] = at_most(d->no, n - r);
    given[6] = iv_draw_hyper(s, n - r, no, given[5]);
    return R;
}

/* The share of 95 % intervals of recall that hold the truth. */
static double coverage(const design *d, size_t replicates)
{
    enum { DRAWS = 1000 };
    double held = 0.0, x[2][DRAWS], recall[DRAWS];

    for (size_t i = 0; i < replicates; i++) {
        iv_stream s = iv_stream_start(7, IV_FOR_STUDY, i);
        iv_rechecked of[2];
        double R[2];
        for (int side = 0; side < 2; side++) {
            int64_t given[7];
            R[side] = (double)simulate(given, &s, d, side);
            of[side] = segment(given);
            iv_rechecked_draw(x[side], DRAWS, &of[side], i, side);
        }
        for (size_t k = 0; k < DRAWS; k++)
            recall[k] = x[1][k] > 0.0 ? x[1][k] / (x[1][k] + x[0][k]) : 0.0;
        const double truth = R[1] / (R[1] + R[0]);
        const double lower = iv_rechecked_found(&of[1]) == 0 ? 0.0
            : iv_quantile(recall, DRAWS, 0.025);
        const double upper = iv_rechecked_found(&of[0]) == 0 ? 1.0
            : iv_quantile(recall, DRAWS, 0.975);
        held += lower <= truth && truth <= upper ? 1.0 : 0.0;
    }
    return held / (double)replicates;
}

/* Index 0 is the unretrieved side.  2,000 replicates (REPLICATES) give 0.96 to 0.97. */
static void intervals_of_95_percent_cover_about_as_much_in_five_designs(void **state)
{
    (void)state;
    static const design designs[] = {
        { { 50000, 5000 }, { 600, 300 }, { 0.005, 0.3 }, { 0.1, 0.8 }, 0.85, 0.97, 50, 100 },
        { { 50000, 5000 }, { 600, 300 }, { 0.005, 0.3 }, { 0.1, 0.8 }, 0.85, 0.97, 1000, 200 },
        { { 50000, 5000 }, { 600, 300 }, { 0.005, 0.3 }, { 0.1, 0.8 }, 1.0, 1.0, 50, 100 },
        { { 500000, 20000 }, { 2000, 500 }, { 0.0005, 0.2 }, { 0.01, 0.6 }, 0.7, 0.98, 100, 1000 },
        { { 1000, 200 }, { 100, 60 }, { 0.02, 0.3 }, { 0.2, 0.8 }, 0.85, 0.95, 20, 40 },
    };
    const char *asked = getenv("REPLICATES");
    const size_t replicates = asked != NULL ? (size_t)atol(asked) : 200;

    for (size_t i = 0; i < sizeof designs / sizeof *designs; i++) {
        const double held = coverage(&designs[i], replicates);
        if (asked != NULL)
            print_message("design %zu: %.3f\n", i + 1, held);
        assert_true(held > 0.915 && held < 0.99);
    }
}

/* Every sample and recheck of a small segment, with its probability: N documents, `called` of
 * them labelled relevant, of which `right` are, and `missed` of the others. */
static double wrong_limits(const int64_t truth[4], int64_t n, int64_t k, int64_t m, bool upper)
{
    const int64_t N = truth[0], called = truth[1], right = truth[2], missed = truth[3];
    double wrong = 0.0;

    for (int64_t r = 0; r <= n; r++) {
        const double p = iv_hyper_cdf(r, N, called, n) - iv_hyper_cdf(r - 1, N, called, n);
        const int64_t yes = r < k ? r : k, no = n - r < m ? n - r : m;
        for (int64_t c = 0; c <= yes && p > 0.0; c++)
            for (int64_t d = 0; d <= no; d++) {
                const double pc = iv_hyper_cdf(c, called, right, yes)
                                  - iv_hyper_cdf(c - 1, called, right, yes);
                const double pd = iv_hyper_cdf(d, N - called, missed, no)
                                  - iv_hyper_cdf(d - 1, N - called, missed, no);
                const int64_t given[7] = { N, n, r, yes, c, no, d };
                int64_t least, most;
                iv_err err;
                if (!(pc > 0.0 && pd > 0.0))
                    continue;
                const iv_rechecked x = segment(given);
                assert_int_equal(iv_rechecked_limits(&least, &most, &x, 0.1, &err), IV_OK);
                assert_true(least <= most && least >= c + d && most <= N);
                wrong += upper ? (most < right + missed) * p * pc * pd
                               : (least > right + missed) * p * pc * pd;
            }
    }
    return wrong;
}

static void guaranteed_limits_are_wrong_at_most_as_often_as_they_say_for_every_truth(void **state)
{
    (void)state;
    double most = 0.0;

    for (int64_t called = 0; called <= 12; called += 3)
        for (int64_t right = 0; right <= called; right++)
            for (int64_t missed = 0; missed <= 12 - called; missed += 2)
                for (int upper = 0; upper < 2; upper++) {
                    const int64_t truth[4] = { 12, called, right, missed };
                    const double wrong = wrong_limits(truth, 7, 3, 3, upper == 1);
                    assert_true(wrong <= 0.1 + 1e-12);
                    most = fmax(most, wrong);
                }
    assert_true(most > 0.0); /* they exclude something */
}

static void rechecking_everything_in_a_census_leaves_no_doubt(void **state)
{
    (void)state;
    const int64_t given[7] = { 200, 200, 80, 80, 70, 120, 5 };
    const iv_rechecked x = segment(given);
    int64_t least, most;
    iv_err err;

    assert_int_equal(iv_rechecked_limits(&least, &most, &x, 0.05, &err), IV_OK);
    assert_int_equal(least, 75);
    assert_int_equal(most, 75);
}

static void strata_of_a_segment_give_what_the_segment_gives_if_they_are_parts_of_it(void **state)
{
    (void)state;
    enum { DRAWS = 40000 };
    const int64_t given[7] = { 3000, 600, 90, 30, 24, 100, 4 };
    const iv_stratum parts[] = { { 1000, 100, 30 }, { 2000, 500, 60 } };
    iv_rechecked x = segment(given);
    double *draws = malloc(DRAWS * sizeof *draws), mean = 0.0;
    int64_t least[2], most[2];
    iv_err err;

    assert_non_null(draws);
    assert_near(iv_rechecked_estimate(&x), 450.0 * 0.8 + 2550.0 * 0.04, 1e-9);
    assert_int_equal(iv_rechecked_limits(&least[0], &most[0], &x, 0.05, &err), IV_OK);
    x.strata = parts;
    x.count = 2;
    /* 1000 * 0.3 + 2000 * 0.12 are labelled relevant. */
    assert_near(iv_rechecked_estimate(&x), 540.0 * 0.8 + 2460.0 * 0.04, 1e-9);
    iv_rechecked_draw(draws, DRAWS, &x, 1, 0);
    for (size_t i = 0; i < DRAWS; i++)
        mean += draws[i] / DRAWS;
    assert_near(mean, iv_rechecked_estimate(&x), 12.0);
    free(draws);
    assert_int_equal(iv_rechecked_limits(&least[1], &most[1], &x, 0.05, &err), IV_OK);
    assert_true(least[1] < 530 && most[1] > 530 && most[1] - least[1] > most[0] - least[0]);
}

static void numbers_that_contradict_one_another_are_refused(void **state)
{
    (void)state;
    static const int64_t bad[][7] = {
        { 100, 0, 0, 0, 0, 0, 0 },      { 100, 101, 5, 5, 5, 5, 0 }, { 100, 50, 51, 5, 5, 0, 0 },
        { 100, 50, 20, 21, 5, 10, 0 },  { 100, 50, 20, 10, 11, 10, 0 },
        { 100, 50, 20, 10, 5, 31, 0 },  { 100, 50, 20, 10, 5, 10, 11 },
        { 100, 50, 20, 0, 0, 10, 0 },   { 100, 50, 20, 10, 5, 0, 0 } };
    iv_rechecked out;
    iv_err err;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        err = (iv_err){ IV_OK, "" };
        const int rc = iv_rechecked_of(&out, bad[i], bad[i] + 3, "retrieved", &err);
        assert_true(rc == IV_EARG || rc == IV_ENODATA);
        assert_non_null(strstr(err.msg, "retrieved segment"));
    }
}

int test_recall_rechecked(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_have_the_distribution_that_enumeration_in_rational_arithmetic_gives),
        cmocka_unit_test(with_many_documents_mean_and_variance_are_those_of_double_sampling),
        cmocka_unit_test(intervals_of_95_percent_cover_about_as_much_in_five_designs),
        cmocka_unit_test(guaranteed_limits_are_wrong_at_most_as_often_as_they_say_for_every_truth),
        cmocka_unit_test(rechecking_everything_in_a_census_leaves_no_doubt),
        cmocka_unit_test(strata_of_a_segment_give_what_the_segment_gives_if_they_are_parts_of_it),
        cmocka_unit_test(numbers_that_contradict_one_another_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
