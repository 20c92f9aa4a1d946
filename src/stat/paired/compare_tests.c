/* SPDX-License-Identifier: Apache-2.0 */
/* The tests of every pair, and their p-values adjusted for being many. */
#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "stat/paired/compare_parts.h"
#include "stat/paired/flips.h"
#include "stat/paired/paired_parts.h"
#include "num/num_private.h"
#include "stat/stat_private.h"

static void *room_new(iv_arena *own, void *user)
{
    const iv_comparison *c = user;
    iv_pair_room *r = iv_pair_room_new(own, c);

    if (r != NULL)
        r->flips = iv_flips_new(own, c->topics);
    return own->failed ? NULL : r;
}

/* What the test looks at, and which of the two has more of it. */
static int direction(iv_pair_test kind, const iv_differences *found, const iv_test *t,
                     iv_zeros zeros)
{
    const double n = (double)found->n, z = (double)found->ties, k = n - z;
    double more = found->mean;

    if (kind == IV_TEST_SIGN)
        more = (double)found->wins - (double)found->losses;
    else if (kind == IV_TEST_WILCOXON) /* the wins' ranks and those of the losses */
        more = 2.0 * t->statistic
            - (zeros == IV_ZEROS_RANK ? 0.5 * (n * (n + 1.0) - z * (z + 1.0))
                                      : 0.5 * k * (k + 1.0));
    return (more > 0.0) - (more < 0.0);
}

/* The t test of a mean whose error and degrees of freedom are known. */
static iv_test t_test_of(const iv_compared_pair *p, iv_alternative alternative)
{
    const double se = p->found.sd / sqrt((double)p->found.n), t = p->found.mean / se;

    if (!(se > 0.0))
        return p->found.mean == 0.0 ? (iv_test){ 1.0, (double)NAN, p->found.n, false, NULL }
            : iv_no_test(p->found.n, "all differences are equal");
    return (iv_test){ iv_t_p(t, p->df, alternative), t, p->found.n, false, NULL };
}

/* The default: see compare_pairs.c. */
static iv_test default_test(const iv_compared_pair *p, iv_alternative side)
{
    /* Two-sided, the tail on the side of the mean: skewness must not turn the finding. */
    const iv_alternative way = side != IV_TWO_SIDED ? side
        : p->found.mean > 0.0 ? IV_GREATER : IV_LESS;
    const double tail = iv_pair_beyond(p, 0.0, way);
    const double t = p->found.mean / (p->found.sd / sqrt((double)p->found.n));

    return (iv_test){ side != IV_TWO_SIDED ? tail : fmin(1.0, 2.0 * tail),
                      p->found.sd > 0.0 ? t : (double)NAN, p->found.n, false, NULL };
}

iv_test iv_hall_test(const double *d, size_t n, iv_alternative alternative)
{
    const iv_compared_pair p = { .found = iv_describe_differences(d, n), .df = (double)n - 1.0 };

    return n < 2 ? iv_no_test(n, "fewer than two topics") : default_test(&p, alternative);
}

/* Sign flips, ranks and resamples know of what varies from unit to unit, not of repeats that all
 * units share. */
static int check_repeats(const iv_comparison *c, const iv_compared_pair *p, iv_pair_test kind,
                         iv_err *err)
{
    const iv_structure *s = c->options.structure;

    if (s == NULL || s->repeat_variance == NULL || kind == IV_TEST_HALL || kind == IV_TEST_T
        || !(s->repeat_variance[p->a] + s->repeat_variance[p->b] > 0.0))
        return IV_OK;
    return iv_fail(err, IV_EARG, "the test '%s' does not include the variance between repeats: "
                   "expected t, or the default", iv_pair_test_names()[kind]);
}

/* Test number c->test of a pair. */
static int run_test(const iv_comparison *c, iv_pair_room *r, size_t i, iv_err *err)
{
    const iv_compare_options *o = &c->options;
    const iv_compared_pair *p = &c->pairs[i];
    const iv_pair_test kind = c->kinds[c->test];
    iv_test *out = &c->tests[i * o->test_count + c->test].test;
    iv_structured m;
    const double *d = r->d;

    IV_TRY(check_repeats(c, p, kind, err));
    const bool described = kind == IV_TEST_T || kind == IV_TEST_HALL || kind == IV_TEST_MCNEMAR;
    const size_t n = described ? 0 : iv_pair_take(&m, c, p, r);
    switch (kind) {
    case IV_TEST_SIGN:
        *out = iv_sign_test(d, n, o->ties, o->alternative);
        return IV_OK;
    case IV_TEST_WILCOXON:
        return iv_wilcoxon_test(out, d, n, o->zeros, o->alternative, err);
    case IV_TEST_T:
        *out = o->structure != NULL ? t_test_of(p, o->alternative)
                                    : iv_t_test(p->found, o->alternative);
        return IV_OK;
    case IV_TEST_RANDOMISATION:
        return iv_randomise(out, d, n, o->alternative, r->flips, err);
    case IV_TEST_HALL:
    case IV_TEST_MCNEMAR:
        *out = default_test(p, o->alternative);
        return IV_OK;
    case IV_PAIR_TESTS:
        break;
    }
    return iv_fail(err, IV_EARG, "there is no test number %d", (int)kind);
}

static int test_pair(void *user, void *memory, size_t i, iv_err *err)
{
    const iv_comparison *c = user;
    iv_compared_test *t = &c->tests[i * c->options.test_count + c->test];
    const int rc = run_test(c, memory, i, err);

    t->kind = c->kinds[c->test];
    if (rc == IV_OK)
        t->direction = direction(t->kind, &c->pairs[i].found, &t->test, c->options.zeros);
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
    c->tukey = iv_take(&c->own, c->pair_count + 1, sizeof *c->tukey);
    IV_TRY(iv_taken(&c->own, err));
    return iv_tukey_pairs(c->tukey, &grid,
                          o->baseline_count > 0 ? o->baselines[0] + 1 : IV_NO_BASELINE,
                          o->permutations, o->alternative, work, err);
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
        /* With a baseline Tukey's p are by system; and where runs are not alike, the p of
         * one pair may be larger than that of all. */
        if (correction == IV_CORRECT_TUKEY && !isnan(p[i]))
            p[i] = fmax(p[i], c->tukey[o->baseline_count == 0 ? i : c->pairs[i].a]);
        t->p_adjusted = p[i];
        t->correction = correction;
    }
    free(p);
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
        c->test = k;
        rc = iv_parallel(&(iv_loop){ c->pair_count, test_pair, c, room_new },
                         iv_work_part(&stage, work, 0.6 * (double)k / (double)count,
                                      0.6 * (double)(k + 1) / (double)count), err);
    }
    if (rc == IV_OK && c->options.correction == IV_CORRECT_TUKEY && of_mean)
        rc = find_tukey(c, iv_work_part(&stage, work, 0.6, 1.0), err);
    for (size_t k = 0; k < count && rc == IV_OK; k++)
        rc = adjust(c, k, err);
    return rc;
}
