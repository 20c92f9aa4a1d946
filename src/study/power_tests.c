/* SPDX-License-Identifier: Apache-2.0 */
/* Error of every test on pairs that are alike, and power on pairs that differ. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "intervale/stat/sign_power.h"
#include "stat/paired/significant.h"
#include "study/power_study_parts.h"

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
static void test_set(found *f, const iv_run_sets *s, const iv_power_study_options *o, size_t trial,
                     double *d)
{
    for (size_t i = 0; i < o->topic_count; i++) {
        for (size_t r = 0; r < o->runs; r += 2)
            test_pair(&f[i], s->values + r * s->topics, s->values + (r + 1) * s->topics,
                      o->topics[i], o, iv_power_seed(o, trial * o->runs + r), d);
    }
}

static void sum_up(iv_error_row *out, const found *all, const iv_power_study_options *o,
                   iv_null source)
{
    for (size_t i = 0; i < o->topic_count; i++) {
        iv_error_row *rows = out + (i * IV_NULLS + source) * IV_PAIR_TESTS;
        const size_t tests = o->trials * o->runs / 2;
        double level = 0.0;
        for (size_t t = 0; t < o->trials; t++)
            level += all[t * o->topic_count + i].level;
        for (size_t k = 0; k < IV_PAIR_TESTS; k++) {
            uint64_t rejected = 0;
            for (size_t t = 0; t < o->trials; t++)
                rejected += all[t * o->topic_count + i].rejected[k];
            const double error = (double)rejected / (double)tests;
            rows[k] = (iv_error_row){ (iv_pair_test)k, o->topics[i], source, tests,
                                      k == IV_TEST_SIGN ? level / (double)tests : o->alpha,
                                      error, iv_share_se(error, tests) };
        }
    }
}

static int run_source(found *all, const iv_score_grid *population,
                      const iv_simulation *simulation, const iv_power_study_options *o,
                      iv_null source, iv_err *err)
{
    bool ok = true;

    #pragma omp parallel num_threads(iv_threads(o->threads)) reduction(&& : ok)
    {
        iv_run_sets s;
        double *d = malloc(iv_power_most_topics(o) * sizeof *d);
        ok = iv_run_sets_new(&s, population, simulation, o, NULL) == IV_OK && d != NULL;
        #pragma omp for schedule(dynamic, 1)
        for (size_t t = 0; t < o->trials; t++) {
            if (!ok)
                continue;
            if (source == IV_NULL_SIMULATION)
                iv_run_sets_simulate(&s, t);
            else
                iv_run_sets_draw(&s, IV_PAIRS_SWAPPED, IV_PART_SWAPPED, t);
            test_set(all + t * o->topic_count, &s, o, t, d);
            if (o->progress.report != NULL && iv_thread() == 0)
                o->progress.report(o->progress.user,
                                   ((double)source + (double)(t + 1) / (double)o->trials)
                                   / (double)IV_NULLS);
        }
        iv_run_sets_free(&s);
        free(d);
    }
    return ok ? IV_OK : iv_fail(err, IV_ENOMEM, "out of memory");
}

int iv_study_test_error(iv_error_row *out, const iv_score_grid *population,
                        const iv_power_study_options *o, iv_err *err)
{
    iv_simulation *simulation = NULL;
    int rc = iv_power_check(population, o, err);

    if (rc == IV_OK && o->runs > population->systems)
        rc = iv_fail(err, IV_ENODATA, "sets of %zu runs from %zu systems", o->runs,
                     population->systems);
    if (rc == IV_OK)
        rc = iv_power_simulation(&simulation, o, err);
    for (int source = 0; source < IV_NULLS && rc == IV_OK; source++) {
        found *all = calloc(o->trials * o->topic_count, sizeof *all);
        rc = all == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
            : run_source(all, population, source == IV_NULL_SIMULATION ? simulation : NULL, o,
                         (iv_null)source, err);
        if (rc == IV_OK)
            sum_up(out, all, o, (iv_null)source);
        free(all);
    }
    iv_simulation_free(simulation);
    return rc;
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

static void test_drawn_pair(found *f, const iv_score_grid *x, const size_t *pairs,
                            size_t count, const iv_power_study_options *o, size_t effect,
                            size_t trial, double *room)
{
    const size_t most = iv_power_most_topics(o);
    iv_stream s = iv_power_stream(o, IV_PART_POWER, trial | effect << 32);
    const size_t pair = pairs[iv_draw_below(&s, count)];
    const double *a = x->values + pair / x->systems * x->topics;
    const double *b = x->values + pair % x->systems * x->topics;
    double *sampled_a = room, *sampled_b = room + most;

    for (size_t t = 0; t < most; t++) {
        const size_t row = (size_t)iv_draw_below(&s, x->topics);
        sampled_a[t] = a[row];
        sampled_b[t] = b[row];
    }
    for (size_t i = 0; i < o->topic_count; i++)
        test_pair(&f[i], sampled_a, sampled_b, o->topics[i], o, iv_power_seed(o, trial),
                  room + 2 * most);
}

static int run_effect(iv_test_power_row *out, const iv_score_grid *x, const size_t *pairs,
                      size_t count, const iv_power_study_options *o, size_t effect, iv_err *err)
{
    found *all = calloc(o->trials * o->topic_count, sizeof *all);
    bool ok = all != NULL;

    #pragma omp parallel num_threads(iv_threads(o->threads)) reduction(&& : ok)
    {
        double *room = malloc(3 * iv_power_most_topics(o) * sizeof *room);
        ok = ok && room != NULL;
        #pragma omp for schedule(dynamic, 4)
        for (size_t t = 0; t < o->trials; t++) {
            if (ok && count > 0)
                test_drawn_pair(all + t * o->topic_count, x, pairs, count, o, effect, t, room);
        }
        free(room);
    }
    for (size_t i = 0; ok && i < o->topic_count; i++) {
        for (size_t k = 0; k < IV_PAIR_TESTS; k++) {
            uint64_t rejected = 0;
            for (size_t t = 0; t < o->trials; t++)
                rejected += all[t * o->topic_count + i].rejected[k];
            const double power = count > 0 ? (double)rejected / (double)o->trials : (double)NAN;
            out[(i * o->effect_count + effect) * IV_PAIR_TESTS + k] = (iv_test_power_row){
                (iv_pair_test)k, o->topics[i], o->effects[effect], count, power,
                iv_share_se(power, o->trials) };
        }
    }
    free(all);
    return ok ? IV_OK : iv_fail(err, IV_ENOMEM, "out of memory");
}

int iv_study_test_power(iv_test_power_row *out, const iv_score_grid *population,
                        const iv_power_study_options *o, iv_err *err)
{
    size_t *pairs = malloc((iv_pair_count(population->systems) + 1) * sizeof *pairs);
    double *d = malloc((population->topics + 1) * sizeof *d);
    int rc = pairs == NULL || d == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
        : iv_power_check(population, o, err);

    for (size_t e = 0; e < o->effect_count && rc == IV_OK; e++) {
        const size_t count = find_near(pairs, population, o->effects[e], o, d);
        rc = run_effect(out, population, pairs, count, o, e, err);
        if (o->progress.report != NULL)
            o->progress.report(o->progress.user, (double)(e + 1) / (double)o->effect_count);
    }
    free(pairs);
    free(d);
    return rc;
}
