/* SPDX-License-Identifier: Apache-2.0 */
/* Many runs: familywise error of corrections, coverage of rank intervals. */
#include <math.h>
#include <stdlib.h>

#include "base/threads.h"
#include "stat/paired/significant.h"
#include "study/power_study_parts.h"

static const iv_family families[] = {
    { IV_CORRECT_NONE, IV_TEST_RANDOMISATION },  { IV_CORRECT_BH, IV_TEST_RANDOMISATION },
    { IV_CORRECT_BONFERRONI, IV_TEST_RANDOMISATION },
    { IV_CORRECT_HOLM, IV_TEST_RANDOMISATION },  { IV_CORRECT_HOLM, IV_TEST_SIGN },
    { IV_CORRECT_HOLM, IV_TEST_WILCOXON },       { IV_CORRECT_HOLM, IV_TEST_T },
    { IV_CORRECT_TUKEY, IV_TEST_RANDOMISATION },
};
enum { FAMILIES = sizeof families / sizeof *families };

size_t iv_study_families(const iv_family **out)
{
    *out = families;
    return FAMILIES;
}

/* -------------------------------------------------------- familywise error -- */

/* The p of all pairs by one test. */
static bool find_p(double *p, const iv_score_grid *x, iv_pair_test kind, double *d)
{
    const size_t n = x->topics;

    for (size_t a = 0, i = 0; a < x->systems; a++) {
        for (size_t b = a + 1; b < x->systems; b++, i++) {
            iv_test t = { 0 };
            int rc = IV_OK;
            (void)iv_pair_differences(d, x->values + a * n, x->values + b * n, n);
            if (kind == IV_TEST_SIGN)
                t = iv_sign_test(d, n, IV_TIES_DISCARD, IV_TWO_SIDED);
            else if (kind == IV_TEST_T)
                t = iv_t_test(d, n, IV_TWO_SIDED);
            else if (kind == IV_TEST_WILCOXON)
                rc = iv_wilcoxon_test(&t, d, n, IV_ZEROS_DROP, IV_TWO_SIDED, NULL);
            else
                rc = iv_randomisation_test(&t, d, n, IV_TWO_SIDED, NULL);
            if (rc < 0)
                return false;
            p[i] = t.p;
        }
    }
    return true;
}

/* Which families reject a pair of the set? */
static bool test_families(bool *rejects, const iv_score_grid *x, const iv_power_study_options *o,
                          uint64_t seed, double *room)
{
    const size_t pairs = iv_pair_count(x->systems);
    double *p = room, *adjusted = room + pairs, *d = room + 2 * pairs;
    const iv_work work = { .threads = 1, .seed = seed };
    int have = -1;

    for (size_t f = 0; f < FAMILIES; f++) {
        const iv_family k = families[f];
        bool ok = true;
        if (k.correction == IV_CORRECT_TUKEY) {
            ok = iv_tukey_pairs(adjusted, x, IV_NO_BASELINE, o->permutations, IV_TWO_SIDED,
                                &work, NULL) == IV_OK;
        } else {
            ok = have == (int)k.test || find_p(p, x, k.test, d);
            have = (int)k.test;
            ok = ok && iv_adjust(adjusted, p, pairs, k.correction, NULL) == IV_OK;
        }
        if (!ok)
            return false;
        rejects[f] = false;
        for (size_t i = 0; i < pairs; i++)
            rejects[f] = rejects[f] || iv_significant(adjusted[i], o->alpha);
    }
    return true;
}

/* What one thread works with. */
typedef struct bench {
    iv_run_sets sets;
    double *values; /* of a set, cut to a size */
    double *room;
} bench;

static bool bench_new(bench *b, const iv_score_grid *population,
                      const iv_simulation *simulation, const iv_power_study_options *o)
{
    const size_t most = iv_power_most_topics(o), pairs = iv_pair_count(o->runs);

    b->values = malloc(o->runs * most * sizeof *b->values);
    b->room = malloc((2 * pairs + most) * sizeof *b->room);
    return iv_run_sets_new(&b->sets, population, simulation, o, NULL) == IV_OK
        && b->values != NULL && b->room != NULL;
}

static void bench_free(bench *b)
{
    iv_run_sets_free(&b->sets);
    free(b->values);
    free(b->room);
}

static bool try_family_set(bool *rejects, bench *b, const iv_power_study_options *o, iv_null source,
                           size_t trial)
{
    bool ok = true;

    if (source == IV_NULL_SIMULATION)
        iv_run_sets_simulate(&b->sets, trial);
    else
        iv_run_sets_draw(&b->sets, IV_PERMUTED, IV_PART_PERMUTED, trial);
    for (size_t i = 0; i < o->topic_count && ok; i++) {
        const iv_score_grid x = { b->values, o->runs, o->topics[i] };
        iv_run_sets_take(b->values, &b->sets, o->topics[i]);
        ok = test_families(rejects + i * FAMILIES, &x, o, iv_power_seed(o, trial), b->room);
    }
    return ok;
}

static bool run_families(bool *rejects, const iv_score_grid *population,
                         const iv_simulation *simulation, const iv_power_study_options *o,
                         iv_null source)
{
    bool ok = true;

    #pragma omp parallel num_threads(iv_threads(o->threads)) reduction(&& : ok)
    {
        bench b;
        ok = bench_new(&b, population, simulation, o);
        #pragma omp for schedule(dynamic, 1)
        for (size_t t = 0; t < o->trials; t++) {
            ok = ok && try_family_set(rejects + t * o->topic_count * FAMILIES, &b, o, source, t);
            if (o->progress.report != NULL && iv_thread() == 0)
                o->progress.report(o->progress.user,
                                   ((double)source + (double)(t + 1) / (double)o->trials)
                                   / (double)IV_NULLS);
        }
        bench_free(&b);
    }
    return ok;
}

static int check_runs(const iv_score_grid *population, const iv_power_study_options *o, iv_err *err)
{
    const int rc = iv_power_check(population, o, err);

    if (rc == IV_OK && o->runs > population->systems)
        return iv_fail(err, IV_ENODATA, "sets of %zu runs from %zu systems", o->runs,
                       population->systems);
    return rc;
}

int iv_study_family_error(iv_family_row *out, const iv_score_grid *population,
                          const iv_power_study_options *o, iv_err *err)
{
    const size_t wide = o->topic_count * FAMILIES;
    bool *rejects = calloc(o->trials * wide + 1, sizeof *rejects);
    iv_simulation *simulation = NULL;
    int rc = rejects == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
        : check_runs(population, o, err);

    if (rc == IV_OK)
        rc = iv_power_simulation(&simulation, o, err);
    for (int source = 0; source < IV_NULLS && rc == IV_OK; source++) {
        if (!run_families(rejects, population,
                          source == IV_NULL_SIMULATION ? simulation : NULL, o, (iv_null)source))
            rc = iv_fail(err, IV_ENOMEM, "out of memory");
        for (size_t i = 0; rc == IV_OK && i < wide; i++) {
            size_t wrong = 0;
            for (size_t t = 0; t < o->trials; t++)
                wrong += rejects[t * wide + i];
            const double error = (double)wrong / (double)o->trials;
            out[(i / FAMILIES * IV_NULLS + (size_t)source) * FAMILIES + i % FAMILIES] =
                (iv_family_row){ families[i % FAMILIES], o->topics[i / FAMILIES],
                                 (iv_null)source, o->trials, error,
                                 iv_share_se(error, o->trials) };
        }
    }
    iv_simulation_free(simulation);
    free(rejects);
    return rc;
}

/* --------------------------------------------------------- rank intervals -- */

/* What one set of runs gave. */
typedef struct covered {
    uint32_t each, boot, width;
    bool all;
} covered;

/* The ranks that each run of the set has in truth: from low to high. */
static void true_ranks(size_t *low, size_t *high, const iv_run_sets *s, bool alike)
{
    const iv_score_grid *x = s->population;
    const size_t runs = s->options->runs;

    for (size_t r = 0; r < runs; r++) {
        s->scores[r] = 0.0;
        for (size_t t = 0; t < x->topics; t++)
            s->scores[r] += x->values[s->systems[r] * x->topics + t];
    }
    for (size_t r = 0; r < runs; r++) {
        low[r] = 1;
        high[r] = runs;
        for (size_t k = 0; k < runs && !alike; k++) {
            low[r] += s->scores[k] > s->scores[r] + 1e-9;
            high[r] -= s->scores[k] < s->scores[r] - 1e-9;
        }
    }
}

static bool try_rank_set(covered *out, bench *b, const iv_power_study_options *o, bool alike,
                         size_t n, size_t trial, size_t *truth)
{
    const size_t runs = o->runs;
    static const iv_pair_test quick[] = { IV_TEST_T }; /* ranks come from Tukey's p */
    const iv_compare_options c = { .tests = quick, .test_count = 1,
                                   .correction = IV_CORRECT_TUKEY, .confidence = 1.0 - o->alpha,
                                   .permutations = o->permutations,
                                   .resamples = o->permutations };
    const iv_work work = { .threads = 1, .seed = iv_power_seed(o, trial) };
    iv_comparison *found = NULL;
    const iv_compared_run *r;

    iv_run_sets_take(b->values, &b->sets, n);
    if (iv_compare(&found, b->values, runs, n, &c, &work, NULL) < 0)
        return false;
    true_ranks(truth, truth + runs, &b->sets, alike);
    (void)iv_comparison_runs(&r, found);
    *out = (covered){ .all = true };
    for (size_t k = 0; k < runs; k++) {
        const size_t low = truth[k], high = truth[runs + k];
        const bool holds = r[k].rank_lower <= low && high <= r[k].rank_upper;
        out->each += holds;
        out->all = out->all && holds;
        out->boot += r[k].boot_lower <= low && high <= r[k].boot_upper;
        out->width += (uint32_t)(r[k].rank_upper - r[k].rank_lower + 1);
    }
    iv_comparison_free(found);
    return true;
}

static void sum_ranks(iv_rank_row *out, const covered *all, const iv_power_study_options *o,
                      size_t size, bool alike)
{
    const double runs = (double)o->runs, trials = (double)o->trials;
    uint64_t each = 0, squares = 0, boot = 0, width = 0, sets = 0;

    for (size_t t = 0; t < o->trials; t++) {
        const covered *c = &all[t * o->topic_count + size];
        each += c->each;
        squares += (uint64_t)c->each * c->each;
        boot += c->boot;
        width += c->width;
        sets += c->all;
    }
    /* Runs of a set go together: the error is that of a mean over sets. */
    const double spread = (double)(squares * o->trials - each * each) / trials / trials;
    const double share = (double)sets / trials, count = runs * trials;
    *out = (iv_rank_row){ o->topics[size], alike, o->trials, (double)each / count,
                          sqrt(spread / trials) / runs, share,
                          iv_share_se(share, o->trials), (double)boot / count,
                          (double)width / count };
}

static bool run_ranks(covered *all, const iv_score_grid *population, const iv_power_study_options *o,
                      bool alike)
{
    bool ok = true;

    #pragma omp parallel num_threads(iv_threads(o->threads)) reduction(&& : ok)
    {
        bench b;
        size_t *truth = malloc(2 * o->runs * sizeof *truth);
        ok = bench_new(&b, population, NULL, o) && truth != NULL;
        #pragma omp for schedule(dynamic, 1)
        for (size_t t = 0; t < o->trials; t++) {
            if (ok)
                iv_run_sets_draw(&b.sets, alike ? IV_PERMUTED : IV_AS_THEY_ARE, IV_PART_RANKS, t);
            for (size_t i = 0; i < o->topic_count && ok; i++)
                ok = try_rank_set(&all[t * o->topic_count + i], &b, o, alike, o->topics[i], t,
                                  truth);
            if (o->progress.report != NULL && iv_thread() == 0)
                o->progress.report(o->progress.user,
                                   0.5 * (alike + (double)(t + 1) / (double)o->trials));
        }
        bench_free(&b);
        free(truth);
    }
    return ok;
}

int iv_study_rank_intervals(iv_rank_row *out, const iv_score_grid *population,
                            const iv_power_study_options *o, iv_err *err)
{
    covered *all = calloc(o->trials * o->topic_count + 1, sizeof *all);
    int rc = all == NULL ? iv_fail(err, IV_ENOMEM, "out of memory")
        : check_runs(population, o, err);

    for (int alike = 0; alike < 2 && rc == IV_OK; alike++) {
        if (!run_ranks(all, population, o, alike))
            rc = iv_fail(err, IV_ENOMEM, "out of memory");
        for (size_t i = 0; i < o->topic_count && rc == IV_OK; i++)
            sum_ranks(&out[i * 2 + (size_t)alike], all, o, i, alike);
    }
    free(all);
    return rc;
}
