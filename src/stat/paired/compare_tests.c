/* SPDX-License-Identifier: Apache-2.0 */
/* The tests of every pair, and their p-values adjusted for being many. */
#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "stat/paired/compare_parts.h"

/* One test of one vector of differences, as the options want it. */
static int test_one(iv_test *out, iv_pair_test kind, const double *d, size_t n,
                    const iv_compare_options *o, const iv_work *work, iv_err *err)
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
        return iv_randomisation_test(out, d, n, o->permutations, o->alternative, work, err);
    case IV_TEST_BOOTSTRAP:
        return iv_bootstrap_test(out, d, n, o->resamples, o->alternative, work, err);
    case IV_PAIR_TESTS:
        break;
    }
    return iv_fail(err, IV_EARG, "there is no test number %d", (int)kind);
}

/* Test number k of every pair that is not done. */
typedef struct testing {
    iv_comparison *c;
    size_t k;
    bool *done;
    const iv_work *work; /* of a test that is long enough to have threads */
} testing;

static int test_pair(const testing *x, double *d, size_t i, iv_err *err)
{
    const iv_comparison *c = x->c;
    const iv_compared_pair *p = &c->pairs[i];
    const size_t n = iv_pair_differences(d, c->values + p->a * c->topics,
                                         c->values + p->b * c->topics, c->topics);

    return test_one(&c->tests[i * c->options.test_count + x->k].test, c->kinds[x->k], d, n,
                    &c->options, x->work, err);
}

/* Does the test draw so much that its own loop is shared out, not the pairs? */
static bool is_long(const testing *x, size_t i)
{
    const iv_pair_test kind = x->c->kinds[x->k];

    return kind == IV_TEST_BOOTSTRAP
        || (kind == IV_TEST_RANDOMISATION && x->c->pairs[i].found.n > IV_FLIPS_EXACT);
}

static int test_short(void *user, void *memory, size_t i, iv_err *err)
{
    const testing *x = user;

    if (x->done[i] || is_long(x, i))
        return IV_OK;
    x->done[i] = true;
    return test_pair(x, memory, i, err);
}

static void *differences_new(void *user)
{
    return malloc((((testing *)user)->c->topics + 1) * sizeof(double));
}

static int test_each(testing x, const iv_work *work, iv_err *err)
{
    const iv_loop loop = { x.c->pair_count, test_short, &x, differences_new, free };
    const double all = (double)x.c->pair_count;
    iv_stage stage;
    int rc = iv_parallel(&loop, iv_work_part(&stage, work, 0.0, 0.5), err);
    double *d = differences_new(&x);

    if (rc == IV_OK && d == NULL)
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; rc == IV_OK && i < x.c->pair_count; i++) {
        x.work = iv_work_part(&stage, work, 0.5 + 0.5 * (double)i / all,
                              0.5 + 0.5 * (double)(i + 1) / all);
        if (!x.done[i])
            rc = test_pair(&x, d, i, err);
    }
    free(d);
    return rc;
}

/* Tukey's p of each pair in c->tukey, as of iv_tukey_pairs(). */
static int find_tukey(iv_comparison *c, const iv_work *work, iv_err *err)
{
    const iv_compare_options *o = &c->options;
    const iv_score_grid grid = { c->shared_values, c->systems, c->shared };

    if (c->shared < 2)
        return iv_fail(err, IV_ENODATA, "all systems together share %s: Tukey's correction "
                       "needs two", c->shared == 0 ? "no topic" : "only one topic");
    c->tukey = malloc((c->pair_count + 1) * sizeof *c->tukey);
    if (c->tukey == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    return iv_tukey_pairs(c->tukey, &grid, o->baseline, o->permutations,
                          o->alternative, work, err);
}

static int adjust(iv_comparison *c, size_t k, iv_err *err)
{
    const iv_compare_options *o = &c->options;
    const size_t step = o->test_count;
    iv_correction correction = o->correction;
    double *p = malloc(c->pair_count * sizeof *p);
    int rc = IV_OK;

    if (p == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    if (correction == IV_CORRECT_TUKEY && !iv_pair_test_of_mean(c->kinds[k]))
        correction = IV_CORRECT_HOLM;
    for (size_t i = 0; i < c->pair_count; i++)
        p[i] = c->tests[i * step + k].test.p;
    if (correction != IV_CORRECT_TUKEY)
        rc = iv_adjust(p, p, c->pair_count, correction, err);
    for (size_t i = 0; rc == IV_OK && i < c->pair_count; i++) {
        iv_compared_test *t = &c->tests[i * step + k];
        /* With a baseline Tukey's p are by system. */
        if (correction == IV_CORRECT_TUKEY && !isnan(p[i]))
            p[i] = c->tukey[c->baseline == IV_NO_INDEX ? i : c->pairs[i].a];
        t->kind = c->kinds[k];
        t->p_adjusted = p[i];
        t->correction = correction;
    }
    free(p);
    return rc;
}

/* Test number k of every pair. */
static int test_all(iv_comparison *c, size_t k, const iv_work *work, iv_err *err)
{
    bool *done = calloc(c->pair_count, sizeof *done);
    int rc = done == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;
    iv_stage flips, each;

    if (rc == IV_OK && c->kinds[k] == IV_TEST_RANDOMISATION && c->baseline == IV_NO_INDEX)
        rc = iv_compare_flips(c, k, done, iv_work_part(&flips, work, 0.0, 0.9), err);
    if (rc == IV_OK)
        rc = test_each((testing){ c, k, done, NULL }, iv_work_part(&each, work, 0.9, 1.0), err);
    free(done);
    return rc;
}

int iv_compare_tests(iv_comparison *c, const iv_work *work, iv_err *err)
{
    const size_t count = c->options.test_count;
    bool of_mean = false;
    int rc = IV_OK;
    iv_stage stage;

    for (size_t k = 0; k < count && rc == IV_OK; k++) {
        of_mean = of_mean || iv_pair_test_of_mean(c->kinds[k]);
        rc = test_all(c, k, iv_work_part(&stage, work, 0.6 * (double)k / (double)count,
                                         0.6 * (double)(k + 1) / (double)count), err);
    }
    if (rc == IV_OK && c->options.correction == IV_CORRECT_TUKEY && of_mean)
        rc = find_tukey(c, iv_work_part(&stage, work, 0.6, 1.0), err);
    for (size_t k = 0; k < count && rc == IV_OK; k++)
        rc = adjust(c, k, err);
    return rc;
}
