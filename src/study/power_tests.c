/* SPDX-License-Identifier: Apache-2.0 */
/* Error of every test on pairs that are alike, and power on pairs that differ. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "intervale/stat/sign_power.h"
#include "stat/paired/paired_parts.h"
#include "stat/paired/significant.h"
#include "study/power_study.h"

/* One test as compare makes it. */
static double p_of(iv_pair_test kind, const double *d, size_t n, const iv_power_study_options *o,
                   uint64_t seed, size_t *used)
{
    const iv_work work = { .threads = 1, .seed = seed };
    iv_test t = { .p = (double)NAN };
    int rc = IV_OK;

    switch (kind) {
    case IV_TEST_SIGN:
        t = iv_sign_test(d, n, IV_TIES_DISCARD, IV_TWO_SIDED);
        *used = t.used;
        break;
    case IV_TEST_WILCOXON:
        rc = iv_wilcoxon_test(&t, d, n, IV_ZEROS_DROP, IV_TWO_SIDED, NULL);
        break;
    case IV_TEST_T:
        t = iv_t_test(d, n, IV_TWO_SIDED);
        break;
    case IV_TEST_RANDOMISATION:
        rc = iv_randomisation_test(&t, d, n, IV_TWO_SIDED, NULL);
        break;
    case IV_TEST_BOOTSTRAP:
        rc = iv_bootstrap_test(&t, d, n, o->permutations, IV_TWO_SIDED, &work, NULL);
        break;
    case IV_TEST_HALL:
        t = iv_hall_test(d, n, IV_TWO_SIDED);
        break;
    case IV_TEST_MCNEMAR: /* not of these scores */
    case IV_PAIR_TESTS:
        break;
    }
    return rc == IV_OK && !isnan(t.p) ? t.p : 1.0; /* no p: nothing is rejected */
}

/* The level that a two-sided sign test of n topics really has. */
static double sign_level(size_t n, double alpha)
{
    if (n == 0)
        return 0.0;
    return 2.0 * iv_binom_sf(iv_sign_critical((int64_t)n, 0.5 * alpha) - 1, (int64_t)n, 0.5);
}

/* What a trial found: rejections by test, and the sign test's levels. */
typedef struct found {
    uint32_t rejected[IV_PAIR_TESTS];
    double level;
} found;

static void test_pair(found *f, const double *a, const double *b, size_t n,
                      const iv_power_study_options *o, uint64_t seed, double *d)
{
    size_t used = 0;

    (void)iv_pair_differences(d, a, b, n);
    for (int k = 0; k < IV_PAIR_TESTS; k++)
        f->rejected[k] += iv_significant(p_of((iv_pair_test)k, d, n, o, seed, &used), o->alpha);
    f->level += sign_level(used, o->alpha);
}

/* ---------------------------------------------------------------- error -- */

/* All disjoint pairs of a set, on each size of sample. */
static int test_set(void *job, void *memory, size_t trial, iv_err *err)
{
    const iv_power_job *j = job;
    const iv_power_study_options *o = j->options;
    iv_run_sets *s = memory;
    found *f = (found *)j->found + trial * o->topics.count;

    iv_run_sets_null(s, IV_PAIRS_SWAPPED, IV_PART_SWAPPED, trial);
    for (size_t i = 0; i < o->topics.count; i++) {
        for (size_t r = 0; r < o->runs; r += 2) {
            test_pair(&f[i], s->values + r * s->topics, s->values + (r + 1) * s->topics,
                      (size_t)o->topics.at[i], o, iv_power_seed(j->seed, trial * o->runs + r),
                      s->room);
            IV_TRY(iv_check_work(&j->asking.inner, 0.0, err));
        }
    }
    return IV_OK;
}

/* Rejections by test number k at size i, of all trials. */
static double count_rejected(const iv_power_job *j, size_t i, size_t k)
{
    const found *all = j->found;
    uint64_t rejected = 0;

    for (size_t t = 0; t < j->options->trials; t++)
        rejected += all[t * j->options->topics.count + i].rejected[k];
    return (double)rejected;
}

static void sum_errors(void *out, const iv_power_job *j)
{
    const iv_power_study_options *o = j->options;
    const size_t tests = o->trials * o->runs / 2;

    for (size_t i = 0; i < o->topics.count; i++) {
        iv_error_row *rows = (iv_error_row *)out + (i * IV_NULLS + j->k) * IV_PAIR_TESTS;
        double level = 0.0;
        for (size_t t = 0; t < o->trials; t++)
            level += ((const found *)j->found)[t * o->topics.count + i].level;
        for (size_t k = 0; k < IV_PAIR_TESTS; k++) {
            const double error = count_rejected(j, i, k) / (double)tests;
            rows[k] = (iv_error_row){ (iv_pair_test)k, (size_t)o->topics.at[i], (iv_null)j->k,
                                      tests, k == IV_TEST_SIGN ? level / (double)tests : o->alpha,
                                      error, iv_share_se(error, tests), o->alpha };
        }
    }
}

int iv_study_test_error(iv_error_row *out, const iv_score_grid *population,
                        const iv_power_study_options *o, const iv_work *work, iv_err *err)
{
    iv_power_job j = { .population = population, .options = o, .series = IV_NULLS,
                       .each = o->topics.count * sizeof(found), .trial = test_set,
                       .sum_up = sum_errors, .simulates = true };

    IV_TRY(iv_power_check_runs(population, o, err));
    return iv_power_run(out, &j, work, err);
}

/* ---------------------------------------------------------------- power -- */

/* The pairs whose effect is near; returns how many. */
static size_t find_near(size_t *pairs, const iv_score_grid *x, double effect,
                        const iv_power_study_options *o, double *d)
{
    size_t count = 0;

    for (size_t a = 0; a < x->systems; a++) {
        for (size_t b = a + 1; b < x->systems; b++) {
            const size_t n = iv_pair_differences(d, x->values + a * x->topics,
                                                 x->values + b * x->topics, x->topics);
            const iv_differences k = iv_describe_differences(d, n);
            if (iv_effect_near(fabs(k.effect), effect, o))
                pairs[count++] = a * x->systems + b;
        }
    }
    return count;
}

/* Pairs of one effect. */
typedef struct near_pairs {
    size_t *at, count;
} near_pairs;

static int test_drawn_pair(void *job, void *memory, size_t trial, iv_err *err)
{
    const iv_power_job *j = job;
    const iv_power_study_options *o = j->options;
    const iv_score_grid *x = j->population;
    const near_pairs *pairs = (const near_pairs *)j->about + j->k;
    const iv_run_sets *sets = memory;
    found *f = (found *)j->found + trial * o->topics.count;
    (void)err;
    iv_stream s = iv_power_stream(j->seed, IV_PART_POWER, trial | (uint64_t)j->k << 32);
    if (pairs->count == 0)
        return IV_OK;
    const size_t pair = pairs->at[iv_draw_below(&s, pairs->count)];
    const double *a = x->values + pair / x->systems * x->topics;
    const double *b = x->values + pair % x->systems * x->topics;
    double *sampled_a = sets->room, *sampled_b = sampled_a + sets->topics;

    for (size_t t = 0; t < sets->topics; t++) {
        const size_t row = (size_t)iv_draw_below(&s, x->topics);
        sampled_a[t] = a[row];
        sampled_b[t] = b[row];
    }
    for (size_t i = 0; i < o->topics.count; i++)
        test_pair(&f[i], sampled_a, sampled_b, (size_t)o->topics.at[i], o,
                  iv_power_seed(j->seed, trial), sampled_b + sets->topics);
    return IV_OK;
}

static void sum_powers(void *out, const iv_power_job *j)
{
    const iv_power_study_options *o = j->options;
    const size_t pairs = ((const near_pairs *)j->about)[j->k].count;

    for (size_t i = 0; i < o->topics.count * IV_PAIR_TESTS; i++) {
        const size_t size = i / IV_PAIR_TESTS, test = i % IV_PAIR_TESTS;
        const double power = pairs > 0 ? count_rejected(j, size, test) / (double)o->trials
                                       : (double)NAN;
        ((iv_test_power_row *)out)[(size * o->effects.count + j->k) * IV_PAIR_TESTS + test] =
            (iv_test_power_row){ (iv_pair_test)test, (size_t)o->topics.at[size],
                                 o->effects.at[j->k], pairs, power,
                                 iv_share_se(power, o->trials) };
    }
}

static int find_powers(iv_test_power_row *out, iv_power_job *j, iv_arena *own,
                       const iv_work *work, iv_err *err)
{
    const iv_score_grid *x = j->population;
    near_pairs *pairs = iv_take(own, j->series, sizeof *pairs);
    double *d = iv_take(own, x->topics, sizeof *d);

    IV_TRY(iv_taken(own, err));
    for (size_t e = 0; e < j->series; e++) {
        pairs[e].at = iv_take(own, iv_pair_count(x->systems), sizeof *pairs[e].at);
        IV_TRY(iv_taken(own, err));
        pairs[e].count = find_near(pairs[e].at, x, j->options->effects.at[e], j->options, d);
    }
    j->about = pairs;
    return iv_power_run(out, j, work, err);
}

int iv_study_test_power(iv_test_power_row *out, const iv_score_grid *population,
                        const iv_power_study_options *o, const iv_work *work, iv_err *err)
{
    iv_power_job j = { .population = population, .options = o, .series = o->effects.count,
                       .each = o->topics.count * sizeof(found), .trial = test_drawn_pair,
                       .sum_up = sum_powers };
    iv_arena own = { 0 };

    IV_TRY(iv_power_check(population, o, err));
    const int rc = find_powers(out, &j, &own, work, err);
    iv_arena_free(&own);
    return rc;
}
