/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about intervals on a mean; the name of a test is the claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"
#include "num/draw.h"
#include "stat/interval/limits.h"
#include "stat/interval_methods.h"
#include "base/bytes.h"

enum { LONGEST = 6 };

/* Means of all n^n ordered resamples: the ideal bootstrap, no random numbers. */
static double *enumerate(size_t *count, const double *x, size_t n)
{
    size_t total = 1;

    for (size_t i = 0; i < n; i++)
        total *= n;
    double *means = malloc(total * sizeof *means);
    assert_non_null(means);
    for (size_t k = 0; k < total; k++) {
        double times[LONGEST] = { 0 }, sum = 0.0;
        for (size_t i = 0, rest = k; i < n; i++, rest /= n)
            times[rest % n] += 1.0;
        for (size_t i = 0; i < n; i++)
            sum += times[i] * x[i];
        means[k] = sum / (double)n;
    }
    *count = total;
    return means;
}

/* One line of the reference file. */
typedef struct reference {
    char quantity[24], sample[80];
    double x[LONGEST];
    size_t n, expected_count;
    double confidence, expected[2], tolerance;
} reference;

static bool next_reference(reference *r, const char **at)
{
    char expected[80];
    int used = 0;

    while (**at == '#')
        *at = strchr(*at, '\n') + 1;
    if (sscanf(*at, "%23s %79s %lf %79[^\t] %lf%n", r->quantity, r->sample,
               &r->confidence, expected, &r->tolerance, &used) != 5)
        return false;
    *at = strchr(*at + used, '\n') + 1;
    r->n = 0;
    for (const char *s = r->sample; s != NULL; s = strchr(s, ',')) {
        s += *s == ',';
        assert_true(r->n < LONGEST);
        r->x[r->n++] = strtod(s, NULL);
    }
    r->expected_count = (size_t)sscanf(expected, "%lf %lf", &r->expected[0],
                                       &r->expected[1]);
    return true;
}

static iv_interval_method method_of(const char *quantity)
{
    if (strncmp(quantity, "logit", 5) == 0)
        return IV_INTERVAL_LOGIT;
    if (strcmp(quantity, "percentile") == 0)
        return IV_INTERVAL_PERCENTILE;
    return strcmp(quantity, "t") == 0 ? IV_INTERVAL_T : IV_INTERVAL_BCA;
}

static void pick(double got[2], const char *quantity, const iv_mean_interval *i)
{
    got[0] = i->lower;
    got[1] = i->upper;
    if (strcmp(quantity, "acceleration") == 0)
        got[0] = i->acceleration;
    if (strcmp(quantity, "bias") == 0)
        got[0] = i->bias;
    if (strcmp(quantity, "bca_levels") == 0) {
        got[0] = i->lower_level;
        got[1] = i->upper_level;
    }
    if (strcmp(quantity, "logit_moments") == 0) {
        got[0] = i->logit_mean;
        got[1] = i->logit_sd;
    }
}

static void load_references(iv_bytes *file)
{
    iv_err err = { IV_OK, "" };

    if (iv_bytes_load(file, TESTS_DIR "/oracle/mean_interval.tsv", NULL, &err) != IV_OK)
        fail_msg("%s", err.msg);
}

static void all_resamples_give_the_ideal_bootstrap(void **state)
{
    iv_bytes file;
    reference r;
    size_t seen = 0;

    (void)state;
    load_references(&file);
    for (const char *at = file.ptr; at < file.ptr + file.len && next_reference(&r, &at);) {
        size_t count;
        double *means = enumerate(&count, r.x, r.n), got[2];
        iv_mean_interval i;
        assert_int_equal(iv_interval_from_means(&i, method_of(r.quantity), means, count,
                                                r.x, r.n, r.confidence, NULL),
                         IV_OK);
        assert_int_equal(i.gap, IV_GAP_NONE);
        pick(got, r.quantity, &i);
        for (size_t k = 0; k < r.expected_count; k++)
            assert_near(got[k], r.expected[k], r.tolerance);
        free(means);
        seen++;
    }
    assert_int_equal(seen, 48);
    iv_bytes_free(&file);
}

/*
 * 30,000 resamples: the bias has a standard error of .008, a level of at most
 * .003, so that a quantile may miss by an atom or two (.05 covers them); the
 * tolerances are five standard errors.
 */
static void random_resamples_approach_the_ideal_bootstrap(void **state)
{
    iv_bytes file;
    reference r;

    (void)state;
    load_references(&file);
    for (const char *at = file.ptr; at < file.ptr + file.len && next_reference(&r, &at);) {
        const iv_interval_method method = method_of(r.quantity);
        const double *sample = r.x;
        double got[2];
        if (method == IV_INTERVAL_T)
            continue;
        iv_mean_interval i;
        iv_resampling o = { 0 };
        o.resamples = 30000;
        o.confidence = r.confidence;
        assert_int_equal(iv_mean_intervals(&i, &sample, &method, 1, r.n, &o, NULL, NULL), IV_OK);
        pick(got, r.quantity, &i);
        const bool quantiles = strcmp(r.quantity, "percentile") == 0
            || strcmp(r.quantity, "bca") == 0;
        for (size_t k = 0; k < r.expected_count; k++)
            assert_near(got[k], r.expected[k], quantiles ? 0.05 : 0.04);
    }
    iv_bytes_free(&file);
}

/* R 4.2: t.test(x, conf.level = .9), quantile(x, p, type = 7). */
static void t_and_quantiles_are_those_of_r(void **state)
{
    double x[] = { .05, .12, .2, .33, .61, .02, .9 };
    const double *sample = x;
    const iv_interval_method method = IV_INTERVAL_T;
    iv_resampling o = { 0 };
    iv_mean_interval i;

    (void)state;
    o.confidence = 0.9;
    assert_int_equal(iv_mean_intervals(&i, &sample, &method, 1, 7, &o, NULL, NULL), IV_OK);
    assert_near(i.lower, 0.07909659097531074, 1e-14);
    assert_near(i.upper, 0.55804626616754627, 1e-14);
    assert_near(iv_quantile(x, 7, .1), 0.038, 1e-14);
    assert_near(iv_quantile(x, 7, .37), 0.1376, 1e-14);
    assert_near(iv_quantile(x, 7, .95), 0.813, 1e-14);
    assert_near(iv_quantile(x, 7, 0.0), 0.02, 0.0);
    assert_near(iv_quantile(x, 7, 1.0), 0.9, 0.0);
    assert_true(isnan(iv_quantile(x, 0, 0.5)));
    assert_true(isnan(iv_quantile(x, 7, 1.5)));
}

static int compare_reals(const void *va, const void *vb)
{
    const double a = *(const double *)va, b = *(const double *)vb;

    return (a > b) - (a < b);
}

static double of_sorted(const double *x, size_t n, double p)
{
    const double at = (double)(n - 1) * p, weight = at - floor(at);
    const size_t k = (size_t)at;

    return weight > 0.0 ? x[k] + weight * (x[k + 1] - x[k]) : x[k];
}

static void selection_finds_what_sorting_finds(void **state)
{
    double values[97], sorted[97];
    iv_stream s = iv_stream_start(5, IV_FOR_CALLER, 0);

    (void)state;
    for (size_t round = 0; round < 400; round++) {
        const size_t n = 1 + (size_t)iv_draw_below(&s, 97);
        const uint64_t distinct = 1 + iv_draw_below(&s, round % 2 == 0 ? 4 : 1000);
        for (size_t i = 0; i < n; i++)
            sorted[i] = values[i] = (double)iv_draw_below(&s, distinct);
        qsort(sorted, n, sizeof *sorted, compare_reals);
        const double p = iv_draw_uniform(&s);
        assert_true(iv_quantile(values, n, p) == of_sorted(sorted, n, p));
        qsort(values, n, sizeof *values, compare_reals);
        assert_memory_equal(values, sorted, n * sizeof *values);
    }
}

/* Three samples of 37 values with different shapes. */
static void fill(double x[3][37])
{
    iv_stream s = iv_stream_start(11, IV_FOR_CALLER, 0);

    for (size_t i = 0; i < 37; i++) {
        x[0][i] = iv_draw_uniform(&s);
        x[1][i] = iv_draw_beta(&s, 0.3, 2.0);
        x[2][i] = i % 5 == 0 ? 1.0 : 0.0;
    }
}

static void an_interval_depends_neither_on_threads_nor_on_company(void **state)
{
    static const iv_interval_method methods[] = {
        IV_INTERVAL_LOGIT, IV_INTERVAL_BCA, IV_INTERVAL_PERCENTILE };
    double x[3][37];
    iv_mean_interval together[3], alone;
    iv_resampling o = { 0 };

    (void)state;
    fill(x);
    const double *samples[] = { x[0], x[1], x[2] };
    o.resamples = 1003; /* no multiple of what goes together */
    assert_int_equal(iv_mean_intervals(together, samples, methods, 3, 37, &o,
                                       NULL, NULL), IV_OK);
    for (size_t s = 0; s < 3; s++) {
        assert_int_equal(iv_mean_intervals(&alone, &samples[s], &methods[s], 1, 37, &o,
                                           &(iv_work){ .threads = 3 }, NULL), IV_OK);
        assert_true(alone.lower == together[s].lower);
        assert_true(alone.upper == together[s].upper);
        assert_true(alone.lower < alone.mean && alone.mean < alone.upper);
    }
    assert_int_equal(iv_mean_intervals(&alone, samples, methods, 1, 37, &o,
                                       &(iv_work){ .seed = 2 }, NULL), IV_OK);
    assert_true(alone.lower != together[0].lower);
}

/* Many long means do not fit one group: the groups must not differ. */
static void groups_share_their_draws(void **state)
{
    enum { SAMPLES = 5 };
    double x[3][37];
    const double *samples[SAMPLES];
    iv_interval_method methods[SAMPLES];
    iv_mean_interval out[SAMPLES];
    iv_resampling o = { 0 };

    (void)state;
    fill(x);
    for (size_t s = 0; s < SAMPLES; s++) {
        samples[s] = x[0];
        methods[s] = IV_INTERVAL_PERCENTILE;
    }
    o.resamples = 1 << 20; /* four to a group */
    assert_int_equal(iv_mean_intervals(out, samples, methods, SAMPLES, 4, &o, NULL, NULL), IV_OK);
    for (size_t s = 1; s < SAMPLES; s++) {
        assert_true(out[s].lower == out[0].lower);
        assert_true(out[s].upper == out[0].upper);
    }
}

static void resampled_means_have_the_mean_and_spread_they_must(void **state)
{
    enum { RESAMPLES = 40000 };
    double x[3][37];
    double *means = malloc(RESAMPLES * sizeof *means);
    iv_mean_interval about;
    double sum = 0.0, squares = 0.0;

    (void)state;
    assert_non_null(means);
    fill(x);
    const double *sample = x[1];
    assert_int_equal(iv_resample_means(means, &sample, 1, 37, RESAMPLES, NULL, NULL), IV_OK);
    iv_interval_begin(&about, IV_INTERVAL_NONE, sample, 37);
    for (size_t b = 0; b < RESAMPLES; b++)
        sum += means[b];
    for (size_t b = 0; b < RESAMPLES; b++)
        squares += (means[b] - about.mean) * (means[b] - about.mean);
    const double sd = about.se * sqrt(36.0 / 37.0); /* the plug-in one */
    assert_near(sum / RESAMPLES, about.mean, 5.0 * sd / sqrt((double)RESAMPLES));
    assert_near(sqrt(squares / RESAMPLES) / sd, 1.0, 5.0 / sqrt(2.0 * RESAMPLES));
    free(means);
}

static iv_mean_interval interval_of(const double *x, size_t n, iv_interval_method method,
                                    size_t resamples)
{
    iv_resampling o = { 0 };
    iv_mean_interval i;

    o.resamples = resamples;
    assert_int_equal(iv_mean_intervals(&i, &x, &method, 1, n, &o, NULL, NULL), IV_OK);
    return i;
}

static void zero_is_the_default_and_auto_looks_at_the_values(void **state)
{
    const double inside[] = { 0.1, 0.9, 0.4, 0.2 }, wide[] = { 0.1, 1.5, 0.2, 0.3 };
    const double *samples[] = { inside, wide, inside, wide };
    const iv_interval_method methods[] = { IV_INTERVAL_AUTO, IV_INTERVAL_AUTO,
                                           IV_INTERVAL_LOGIT, IV_INTERVAL_BOOTSTRAP_T };
    const iv_resampling said = { 0.95, 10000 };
    iv_mean_interval x[2], y[2];

    (void)state;
    assert_int_equal(iv_mean_intervals(x, samples, methods, 2, 4, NULL, NULL, NULL), IV_OK);
    assert_int_equal(iv_mean_intervals(y, samples + 2, methods + 2, 2, 4, &said,
                                       &(iv_work){ .seed = 1 }, NULL), IV_OK);
    for (size_t i = 0; i < 2; i++) {
        /* Of four values too many resamples are of one: the limits are Student's. */
        assert_int_equal(x[i].method, i == 0 ? IV_INTERVAL_LOGIT : IV_INTERVAL_T);
        assert_true(x[i].lower == y[i].lower && x[i].upper == y[i].upper);
    }
    assert_int_equal(iv_resampling_of(NULL).resamples, 10000);
}

static void where_there_is_no_interval_the_reason_is_given(void **state)
{
    const double ones[] = { 1, 1, 1 }, zeros[] = { 0, 0, 0 }, wide[] = { 0.1, 1.5, 0.2 };

    (void)state;
    for (iv_interval_method m = IV_INTERVAL_LOGIT; m <= IV_INTERVAL_T; m++) {
        assert_int_equal(interval_of(ones, 3, m, 50).gap, IV_GAP_CONSTANT);
        assert_int_equal(interval_of(zeros, 3, m, 50).gap, IV_GAP_CONSTANT);
        assert_int_equal(interval_of(wide, 1, m, 50).gap, IV_GAP_ONE_VALUE);
        assert_true(isnan(interval_of(ones, 3, m, 50).lower));
        assert_true(isnan(interval_of(wide, 1, m, 50).se));
    }
    assert_int_equal(interval_of(wide, 3, IV_INTERVAL_LOGIT, 50).gap, IV_GAP_RANGE);
    assert_int_equal(interval_of(wide, 3, IV_INTERVAL_BCA, 50).gap, IV_GAP_NONE);
    assert_int_equal(interval_of(wide, 3, IV_INTERVAL_NONE, 0).gap, IV_GAP_NOT_ASKED);
    assert_int_equal(interval_of(wide, 3, IV_INTERVAL_NONE, 0).n, 3);
    for (iv_interval_gap g = IV_GAP_NOT_ASKED; g <= IV_GAP_RESAMPLES; g++)
        assert_true(strlen(iv_interval_gap_text(g)) > 0);
}

static void equal_values_have_no_interval_that_needs_their_variance(void **state)
{
    const double x[] = { 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 };

    (void)state;
    for (iv_interval_method m = IV_INTERVAL_LOGIT; m <= IV_INTERVAL_T; m++) {
        const iv_mean_interval i = interval_of(x, 7, m, 200);
        assert_true(i.constant && i.se == 0.0 && isnan(i.lower));
        assert_int_equal(i.gap, IV_GAP_CONSTANT);
    }
}

static void dropped_resamples_are_counted(void **state)
{
    const double x[] = { 0, 0, 0, 0.5 };
    const iv_mean_interval i = interval_of(x, 4, IV_INTERVAL_LOGIT, 10000);

    (void)state;
    /* (3/4)^4 of them; five standard errors */
    assert_near((double)i.dropped / 1e4, 0.31640625, 5.0 * sqrt(0.3164 * 0.6836 / 1e4));
    assert_true(i.lower > 0.0 && i.upper < 1.0);
    const double rare[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 };
    assert_int_equal(interval_of(rare, 20, IV_INTERVAL_LOGIT, 1).gap, IV_GAP_RESAMPLES);
}

/* The pole of the correction and an infinite z0 end in levels inside [0, 1]. */
static void extreme_skewness_stays_finite(void **state)
{
    double x[400] = { 0 };

    (void)state;
    x[7] = 1.0;
    for (size_t n = 2; n <= 400; n += 199) {
        const iv_mean_interval i = interval_of(x + 6, n > 394 ? 394 : n, IV_INTERVAL_BCA, 99);
        assert_true(i.lower_level >= 0.0 && i.lower_level <= i.upper_level);
        assert_true(i.upper_level <= 1.0);
        assert_true(isfinite(i.lower) && i.lower <= i.upper);
    }
}

static void bad_arguments_are_refused_and_nothing_is_written(void **state)
{
    const double good[] = { 0.1, 0.2 }, bad[] = { 0.1, (double)NAN };
    const double *samples[] = { good, bad };
    const iv_interval_method methods[] = { IV_INTERVAL_LOGIT, IV_INTERVAL_T };
    iv_mean_interval out[2] = { { .n = 77 }, { .n = 77 } };
    iv_resampling o = { 0 };

    (void)state;
    assert_int_equal(iv_mean_intervals(out, samples, methods, 2, 2, NULL, NULL, NULL), IV_EARG);
    assert_int_equal(iv_mean_intervals(out, samples, methods, 1, 0, NULL, NULL, NULL),
                     IV_ENODATA);
    o.confidence = 1.0;
    assert_int_equal(iv_mean_intervals(out, samples, methods, 1, 2, &o, NULL, NULL), IV_EARG);
    assert_int_equal(out[0].n, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_resamples_give_the_ideal_bootstrap),
        cmocka_unit_test(random_resamples_approach_the_ideal_bootstrap),
        cmocka_unit_test(t_and_quantiles_are_those_of_r),
        cmocka_unit_test(selection_finds_what_sorting_finds),
        cmocka_unit_test(an_interval_depends_neither_on_threads_nor_on_company),
        cmocka_unit_test(groups_share_their_draws),
        cmocka_unit_test(resampled_means_have_the_mean_and_spread_they_must),
        cmocka_unit_test(zero_is_the_default_and_auto_looks_at_the_values),
        cmocka_unit_test(where_there_is_no_interval_the_reason_is_given),
        cmocka_unit_test(equal_values_have_no_interval_that_needs_their_variance),
        cmocka_unit_test(dropped_resamples_are_counted),
        cmocka_unit_test(extreme_skewness_stays_finite),
        cmocka_unit_test(bad_arguments_are_refused_and_nothing_is_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
