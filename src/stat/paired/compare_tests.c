/* SPDX-License-Identifier: Apache-2.0 */
/* The tests of every pair, and their p-values adjusted for being many. */
#include <math.h>
#include <stdlib.h>

#include "base/threads.h"
#include "stat/paired/compare_parts.h"

int iv_compare_test(iv_test *out, iv_pair_test kind, const double *d, size_t n,
                    const iv_compare_options *o, iv_err *err)
{
    switch (kind) {
    case IV_TEST_SIGN:
        *out = iv_sign_test(d, n, o->ties, o->alternative);
        return IV_OK;
    case IV_TEST_WILCOXON:
        return iv_wilcoxon_test(out, d, n, o->zeros, o->alternative, err);
    case IV_TEST_T:
        *out = iv_t_test(d, n, o->alternative);
        return IV_OK;
    case IV_TEST_RANDOMISATION:
        return iv_randomisation_test(out, d, n, o->permutations, o->seed, o->alternative,
                                     err);
    case IV_TEST_BOOTSTRAP:
        return iv_bootstrap_test(out, d, n, o->resamples, o->seed, o->alternative, err);
    case IV_PAIR_TESTS:
        break;
    }
    return iv_fail(err, IV_EARG, "there is no test number %d", (int)kind);
}

/* Pair after pair, but for those that are done. */
static int test_each(iv_comparison *c, size_t k, const bool *done, const iv_progress *progress,
                     iv_err *err)
{
    const iv_compare_options *o = &c->options;
    int worst = IV_OK;

    #pragma omp parallel num_threads(iv_threads(o->threads))
    {
        double *d = malloc((c->topics + 1) * sizeof *d);
        #pragma omp for schedule(dynamic, 1)
        for (size_t i = 0; i < c->pair_count; i++) {
            const iv_compared_pair *p = &c->pairs[i];
            int rc = IV_ENOMEM;
            if (done[i])
                continue;
            if (d != NULL) {
                const size_t n = iv_pair_differences(d, c->values + p->a * c->topics,
                                                     c->values + p->b * c->topics, c->topics);
                rc = iv_compare_test(&c->tests[i * o->test_count + k].test, o->tests[k], d, n,
                                     o, NULL);
            }
            if (rc < 0) {
                #pragma omp atomic write
                worst = rc;
            }
            if (progress->report != NULL && iv_thread() == 0)
                progress->report(progress->user, (double)(i + 1) / (double)c->pair_count);
        }
        free(d);
    }
    return worst == IV_OK ? IV_OK : iv_fail(err, worst, "out of memory");
}

/* Tukey's p of each pair in c->tukey, as of iv_tukey_pairs(). */
static int find_tukey(iv_comparison *c, const iv_progress *progress, iv_err *err)
{
    const iv_compare_options *o = &c->options;
    const iv_score_grid grid = { c->shared_values, c->systems, c->shared };

    if (c->shared < 2)
        return iv_fail(err, IV_ENODATA, "all systems together share %s: Tukey's correction "
                       "needs two", c->shared == 0 ? "no topic" : "only one topic");
    c->tukey = malloc((c->pair_count + 1) * sizeof *c->tukey);
    if (c->tukey == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    return iv_tukey_pairs(c->tukey, &grid, o->baseline, o->permutations, o->seed,
                          o->alternative, o->threads, progress, err);
}

static int adjust(iv_comparison *c, size_t k, iv_err *err)
{
    const iv_compare_options *o = &c->options;
    const size_t step = o->test_count;
    iv_correction correction = c->pair_count == 1 ? IV_CORRECT_NONE : o->correction;
    double *p = malloc(c->pair_count * sizeof *p);
    int rc = IV_OK;

    if (p == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    if (correction == IV_CORRECT_TUKEY && !iv_pair_test_of_mean(o->tests[k]))
        correction = IV_CORRECT_HOLM;
    for (size_t i = 0; i < c->pair_count; i++)
        p[i] = c->tests[i * step + k].test.p;
    if (correction != IV_CORRECT_TUKEY)
        rc = iv_adjust(p, p, c->pair_count, correction, err);
    for (size_t i = 0; rc == IV_OK && i < c->pair_count; i++) {
        iv_compared_test *t = &c->tests[i * step + k];
        /* With a baseline Tukey's p are by system. */
        if (correction == IV_CORRECT_TUKEY && !isnan(p[i]))
            p[i] = c->tukey[o->baseline == IV_NO_BASELINE ? i : c->pairs[i].a];
        t->kind = o->tests[k];
        t->p_adjusted = p[i];
        t->correction = correction;
    }
    free(p);
    return rc;
}

/* Test number k of every pair. */
static int test_all(iv_comparison *c, size_t k, const iv_progress *progress, iv_err *err)
{
    const iv_compare_options *o = &c->options;
    bool *done = calloc(c->pair_count, sizeof *done);
    int rc = done == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;

    if (rc == IV_OK && o->tests[k] == IV_TEST_RANDOMISATION && o->baseline == IV_NO_BASELINE)
        rc = iv_compare_flips(c, k, done, progress, err);
    if (rc == IV_OK)
        rc = test_each(c, k, done, progress, err);
    free(done);
    return rc;
}

int iv_compare_tests(iv_comparison *c, iv_err *err)
{
    const iv_compare_options *o = &c->options;
    bool of_mean = false;
    int rc = IV_OK;

    for (size_t k = 0; k < o->test_count && rc == IV_OK; k++) {
        const iv_progress p = iv_compare_step(c, 0.6 / (double)o->test_count);
        of_mean = of_mean || iv_pair_test_of_mean(o->tests[k]);
        rc = test_all(c, k, &p, err);
    }
    if (rc == IV_OK && o->correction == IV_CORRECT_TUKEY && of_mean && c->pair_count > 1) {
        const iv_progress p = iv_compare_step(c, 0.3);
        rc = find_tukey(c, &p, err);
    }
    for (size_t k = 0; k < o->test_count && rc == IV_OK; k++)
        rc = adjust(c, k, err);
    return rc;
}
