/* SPDX-License-Identifier: Apache-2.0 */
/* Many runs: familywise error of corrections, coverage of rank intervals. */
#include <math.h>
#include <stdlib.h>

#include "stat/paired/significant.h"
#include "study/power_study.h"

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
static int find_p(double *p, const iv_score_grid *x, iv_pair_test kind, double *d,
                  const iv_work *work, iv_err *err)
{
    const size_t n = x->topics;

    for (size_t a = 0, i = 0; a < x->systems; a++) {
        IV_TRY(iv_check_work(work, 0.0, err));
        for (size_t b = a + 1; b < x->systems; b++, i++) {
            iv_test t = { 0 };
            (void)iv_pair_differences(d, x->values + a * n, x->values + b * n, n);
            if (kind == IV_TEST_SIGN)
                t = iv_sign_test(d, n, IV_TIES_DISCARD, IV_TWO_SIDED);
            else if (kind == IV_TEST_T)
                t = iv_t_test(d, n, IV_TWO_SIDED);
            else if (kind == IV_TEST_WILCOXON)
                IV_TRY(iv_wilcoxon_test(&t, d, n, IV_ZEROS_DROP, IV_TWO_SIDED, err));
            else
                IV_TRY(iv_randomisation_test(&t, d, n, IV_TWO_SIDED, err));
            p[i] = t.p;
        }
    }
    return IV_OK;
}

/* Which families reject a pair of the set? */
static int test_families(bool *rejects, const iv_score_grid *x, const iv_power_study_options *o,
                         const iv_work *work, double *room, iv_err *err)
{
    const size_t pairs = iv_pair_count(x->systems);
    double *p = room, *adjusted = room + pairs, *d = room + 2 * pairs;
    int have = -1;

    for (size_t f = 0; f < FAMILIES; f++) {
        const iv_family k = families[f];
        if (k.correction == IV_CORRECT_TUKEY) {
            IV_TRY(iv_tukey_pairs(adjusted, x, IV_NO_BASELINE, o->permutations, IV_TWO_SIDED,
                                  work, err));
        } else {
            if (have != (int)k.test)
                IV_TRY(find_p(p, x, k.test, d, work, err));
            have = (int)k.test;
            IV_TRY(iv_adjust(adjusted, p, pairs, k.correction, err));
        }
        for (size_t i = 0; i < pairs; i++)
            rejects[f] = rejects[f] || iv_significant(adjusted[i], o->alpha);
    }
    return IV_OK;
}

static int try_family_set(void *job, void *memory, size_t trial, iv_err *err)
{
    const iv_power_job *j = job;
    const iv_power_study_options *o = j->options;
    iv_run_sets *sets = memory;
    bool *rejects = (bool *)j->found + trial * o->topics.count * FAMILIES;
    iv_work work = j->asking.inner;

    work.seed = iv_power_seed(j->seed, trial);
    iv_run_sets_null(sets, IV_PERMUTED, IV_PART_PERMUTED, trial);
    for (size_t i = 0; i < o->topics.count; i++) {
        const iv_score_grid x = iv_run_sets_take(sets, (size_t)o->topics.at[i]);
        IV_TRY(test_families(rejects + i * FAMILIES, &x, o, &work, sets->room, err));
    }
    return IV_OK;
}

static void sum_families(void *out, const iv_power_job *j)
{
    const iv_power_study_options *o = j->options;
    const size_t wide = o->topics.count * FAMILIES;

    for (size_t i = 0; i < wide; i++) {
        size_t wrong = 0;
        for (size_t t = 0; t < o->trials; t++)
            wrong += ((const bool *)j->found)[t * wide + i];
        const double error = (double)wrong / (double)o->trials;
        ((iv_family_row *)out)[(i / FAMILIES * IV_NULLS + j->k) * FAMILIES + i % FAMILIES] =
            (iv_family_row){ families[i % FAMILIES], (size_t)o->topics.at[i / FAMILIES],
                             (iv_null)j->k, o->trials, error, iv_share_se(error, o->trials),
                             o->runs };
    }
}

int iv_study_family_error(iv_family_row *out, const iv_score_grid *population,
                          const iv_power_study_options *o, const iv_work *work, iv_err *err)
{
    iv_power_job j = { .population = population, .options = o, .series = IV_NULLS,
                       .each = o->topics.count * FAMILIES * sizeof(bool),
                       .trial = try_family_set, .sum_up = sum_families, .simulates = true };

    IV_TRY(iv_power_check_runs(population, o, err));
    return iv_power_run(out, &j, work, err);
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
    const iv_score_grid *x = s->job->population;
    const size_t runs = s->job->options->runs;

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

static int try_rank_set(void *job, void *memory, size_t trial, iv_err *err)
{
    const iv_power_job *j = job;
    const iv_power_study_options *o = j->options;
    const bool alike = j->k == 1;
    const size_t runs = o->runs;
    iv_run_sets *sets = memory;
    const size_t *truth = sets->ranks;
    const iv_compare_options c = { .confidence = 1.0 - o->alpha, .resamples = o->permutations };
    iv_work work = j->asking.inner;
    iv_comparison *found = NULL;
    const iv_compared_run *r;

    work.seed = iv_power_seed(j->seed, trial);
    iv_run_sets_draw(sets, alike ? IV_PERMUTED : IV_AS_THEY_ARE, IV_PART_RANKS, trial);
    true_ranks(sets->ranks, sets->ranks + runs, sets, alike);
    for (size_t i = 0; i < o->topics.count; i++) {
        const size_t n = (size_t)o->topics.at[i];
        const iv_score_grid x = iv_run_sets_take(sets, n);
        covered *out = (covered *)j->found + trial * o->topics.count + i;
        IV_TRY(iv_compare(&found, x.values, runs, n, &c, &work, err));
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
        found = NULL;
    }
    return IV_OK;
}

static void sum_ranks(void *out, const iv_power_job *j)
{
    const iv_power_study_options *o = j->options;
    const double runs = (double)o->runs, trials = (double)o->trials, count = runs * trials;

    for (size_t size = 0; size < o->topics.count; size++) {
        uint64_t each = 0, squares = 0, boot = 0, width = 0, sets = 0;
        for (size_t t = 0; t < o->trials; t++) {
            const covered *c = (const covered *)j->found + t * o->topics.count + size;
            each += c->each;
            squares += (uint64_t)c->each * c->each;
            boot += c->boot;
            width += c->width;
            sets += c->all;
        }
        /* Runs of a set go together: the error is that of a mean over sets. */
        const double spread = (double)(squares * o->trials - each * each) / trials / trials;
        const double share = (double)sets / trials;
        ((iv_rank_row *)out)[size * 2 + j->k] = (iv_rank_row){
            (size_t)o->topics.at[size], j->k == 1, o->trials, (double)each / count,
            sqrt(spread / trials) / runs, share, iv_share_se(share, o->trials),
            (double)boot / count, (double)width / count };
    }
}

int iv_study_rank_intervals(iv_rank_row *out, const iv_score_grid *population,
                            const iv_power_study_options *o, const iv_work *work, iv_err *err)
{
    iv_power_job j = { .population = population, .options = o, .series = 2,
                       .each = o->topics.count * sizeof(covered), .trial = try_rank_set,
                       .sum_up = sum_ranks };

    IV_TRY(iv_power_check_runs(population, o, err));
    return iv_power_run(out, &j, work, err);
}
