/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often tests reject: pairs that are equal (error), pairs that differ (power), sets of
 * equal runs (familywise error), and whether rank intervals contain the true rank.  Scores of
 * many systems on many topics are the population; topics are drawn from it.
 */
#include "base/err.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "stat/paired/comparison.h"
#include "study/study.h"

#include <math.h>

/* ----------------------------------------------- power of the sign test, exact -- */

int iv_study_sign_power(size_t *pairs, double *expected, const iv_score_grid *x, size_t topics,
                        double effect, double low, double high, double alpha,
                        const iv_work *work, iv_err *err)
{
    iv_arena own = { 0 };
    double *d = iv_take(&own, x->topics, sizeof *d);
    int rc = topics <= x->topics ? iv_taken(&own, err)
        : iv_fail(err, IV_ENODATA, "samples of %zu topics from %zu", topics, x->topics);

    *pairs = 0;
    *expected = 0.0;
    for (size_t i = 0; i < x->systems * x->systems && rc == IV_OK; i++) {
        const size_t a = i / x->systems, b = i % x->systems;
        const size_t n = iv_pair_differences(d, x->values + a * x->topics,
                                             x->values + b * x->topics, x->topics);
        const iv_differences k = iv_describe_differences(d, n);
        const double h = k.wins + k.losses == 0 ? 0.0
            : ((double)k.wins - (double)k.losses) / (double)(k.wins + k.losses);
        /* The better system comes first. */
        if (a == b || h <= 0.0 || h < effect - low - 1e-12 || h > effect + high + 1e-12)
            continue;
        *expected += iv_sign_power_finite((int64_t)topics, (int64_t)k.wins, (int64_t)k.ties,
                                          (int64_t)k.losses, alpha);
        ++*pairs;
        rc = iv_check_work(work, 0.0, err);
    }
    *expected /= *pairs > 0 ? (double)*pairs : NAN;
    iv_arena_free(&own);
    return rc;
}

/* -------------------------------------------------------------- experiments -- */

enum { MOST_RUNS = 10 };

/* How scores of a set of runs are made from the population. */
typedef enum made_of {
    AS_THEY_ARE,
    EXCHANGED, /* a pair, its two scores exchanged at random on each topic */
    CENTRED,   /* less each run's mean over the population */
    COPIES     /* one run, each with a fifth of another one, centred */
} made_of;

typedef struct design {
    const iv_score_grid *x;
    made_of kind;
    size_t runs, n;
    double alpha, effect; /* effect > 0: a pair whose mean difference over sd is near it */
    const double *mean;   /* of each system over the population */
} design;

/* Draws systems and topics, and makes the scores of the set; the systems are in `chosen`. */
static void draw_set(iv_study_room *w, const design *d, size_t chosen[MOST_RUNS], iv_stream *s)
{
    const size_t T = d->x->topics;

    for (int tries = 0; tries < 200; tries++) {
        (void)iv_draw_sequence(s, chosen, d->runs, d->x->systems);
        if (d->effect == 0.0 || fabs(fabs(iv_study_effect(d->x, chosen[0], chosen[1])) - d->effect)
                < 0.05)
            break;
    }
    for (size_t i = 0; i < d->n; i++)
        w->index[i] = (size_t)iv_draw_below(s, T);
    for (size_t r = 0; r < d->runs; r++) {
        const size_t from = d->kind == COPIES ? chosen[0] : chosen[r];
        const double *x = d->x->values + from * T, *other = d->x->values + chosen[r] * T;
        for (size_t i = 0; i < d->n; i++) {
            const size_t t = w->index[i];
            double y = x[t] - (d->kind >= CENTRED ? d->mean[from] : 0.0);
            if (d->kind == COPIES)
                y += 0.2 * (other[t] - d->mean[chosen[r]] - y);
            w->x[r * d->n + i] = y;
        }
    }
    for (size_t i = 0; i < d->n && d->kind == EXCHANGED; i++)
        if (iv_draw_uniform(s) < 0.5) {
            const double y = w->x[i];
            w->x[i] = w->x[d->n + i];
            w->x[d->n + i] = y;
        }
}

/* The tests of real scores: all but McNemar's, the last. */
enum { REAL_TESTS = IV_TEST_MCNEMAR };

/* These tests of one pair; the first, compare's default, has the interval. */
static int test_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    static const iv_pair_test tests[REAL_TESTS] = {
        IV_TEST_LARGER_P, IV_TEST_T, IV_TEST_SIGN, IV_TEST_WILCOXON, IV_TEST_RANDOMISATION,
        IV_TEST_HALL };
    const design *d = user;
    iv_study_room *w = memory;
    size_t chosen[MOST_RUNS];
    const iv_compared_test *found;
    const iv_compared_pair *pair;
    iv_comparison *c = NULL;

    draw_set(w, d, chosen, stream);
    const iv_compare_options o = { .tests = tests, .test_count = REAL_TESTS, .resamples = 999,
                                   .confidence = 1.0 - d->alpha, .permutations = 999 };
    const iv_work alone = { .threads = 1, .seed = iv_draw_bits(stream) };
    IV_TRY(iv_compare(&c, w->x, 2, d->n, &o, &alone, err));
    const size_t count = iv_comparison_tests(&found, c, 0);
    (void)iv_comparison_pairs(&pair, c);
    for (size_t k = 0; k < count && k < REAL_TESTS; k++)
        iv_tally_decision(&t[found[k].kind], found[k].test.p < d->alpha, 0.0);
    if (d->kind == AS_THEY_ARE) { /* the interval of the difference */
        double truth = d->mean[chosen[0]] - d->mean[chosen[1]];
        iv_tally_interval(&t[REAL_TESTS], pair->found.mean, pair->lower, pair->upper, truth);
    }
    iv_comparison_free(c);
    return IV_OK;
}

/* A set of runs by the default of compare, and by Holm's t tests: is a pair called different;
 * of runs as they are: does the rank interval contain the rank? */
static int family_replicate(iv_tally *t, void *user, void *memory, iv_stream *stream, iv_err *err)
{
    static const iv_pair_test t_test = IV_TEST_T;
    const design *d = user;
    iv_study_room *w = memory;
    size_t chosen[MOST_RUNS];

    draw_set(w, d, chosen, stream);
    const iv_work alone = { .threads = 1, .seed = iv_draw_bits(stream) };
    for (int m = 0; m < 2; m++) {
        const iv_compare_options o = { .tests = m == 0 ? NULL : &t_test, .test_count = (size_t)m,
                                       .correction = m == 0 ? IV_CORRECT_AUTO : IV_CORRECT_HOLM,
                                       .confidence = 1.0 - d->alpha, .resamples = 1,
                                       .permutations = 999 };
        const iv_compared_test *found;
        iv_comparison *c = NULL;
        bool any = false;
        IV_TRY(iv_compare(&c, w->x, d->runs, d->n, &o, &alone, err));
        for (size_t p = 0; p < iv_pair_count(d->runs); p++) {
            (void)iv_comparison_tests(&found, c, p);
            any = any || found->p_adjusted < d->alpha;
        }
        if (d->kind != AS_THEY_ARE)
            iv_tally_decision(&t[m], any, 0.0);
        for (size_t r = 0; r < d->runs && d->kind == AS_THEY_ARE; r++) {
            double rank = 1.0;
            for (size_t k = 0; k < d->runs; k++)
                rank += d->mean[chosen[k]] > d->mean[chosen[r]];
            iv_tally_interval(&t[2 + m], (double)c->runs[r].rank, (double)c->runs[r].rank_lower,
                              (double)c->runs[r].rank_upper, rank);
        }
        iv_comparison_free(c);
    }
    return IV_OK;
}

/* --------------------------------------------------------------------- rows -- */

static int study_pairs(iv_study *s, design d, const char *data, iv_err *err)
{
    static const double effects[] = { 0.0, 0.2, 0.5 };
    iv_studied methods[REAL_TESTS + 1];
    char quantity[IV_STUDY_TEXT];

    for (size_t k = 0; k < 3; k++) {
        d.kind = k == 0 ? EXCHANGED : AS_THEY_ARE;
        d.runs = 2;
        d.effect = effects[k];
        if (k == 0)
            (void)snprintf(quantity, sizeof quantity, "equal pair rejected");
        else
            (void)snprintf(quantity, sizeof quantity, "pair with effect %g rejected", effects[k]);
        for (size_t m = 0; m < REAL_TESTS; m++)
            methods[m] = (iv_studied){ quantity, iv_pair_test_names()[m], true,
                                       k == 0 ? d.alpha : NAN };
        methods[REAL_TESTS] = (iv_studied){ .quantity = "difference of means",
                                               .method = "default of compare" };
        const iv_experiment e = { data, methods, REAL_TESTS + 1, 2000, test_replicate, &d,
                                  .room = { 2 * d.n, 0, d.n } };
        IV_TRY(iv_experiment_run(s, &e, err, k == 0 ? "%zu topics" : "%zu topics, effect %g", d.n,
                                 effects[k]));
    }
    return IV_OK;
}

static int study_sets(iv_study *s, design d, const char *data, iv_err *err)
{
    static const char *const kinds[] = { "runs", "", "runs of equal mean", "near-identical runs" };
    const iv_studied methods[] = { { "familywise error", "default of compare", true, d.alpha },
                                   { "familywise error", "t, Holm", true, d.alpha },
                                   { .quantity = "rank", .method = "default of compare" },
                                   { .quantity = "rank", .method = "t, Holm" } };

    for (int kind = AS_THEY_ARE; kind <= COPIES; kind++) {
        const iv_experiment e = { data, methods, 4, 400, family_replicate, &d,
                                  .room = { MOST_RUNS * d.n, 0, d.n } };
        d.kind = (made_of)kind;
        d.runs = MOST_RUNS;
        if (kind != EXCHANGED)
            IV_TRY(iv_experiment_run(s, &e, err, "%zu topics, %d %s", d.n, MOST_RUNS, kinds[kind]));
    }
    return IV_OK;
}

static int study_sign(iv_study *s, const iv_score_grid *x, const char *data, size_t n, iv_err *err)
{
    static const double effects[] = { 0.25, 0.35, 0.5 };

    for (size_t k = 0; k < 3; k++) {
        const double alpha = iv_study_alpha(s);
        size_t pairs;
        double expected;
        IV_TRY(iv_study_sign_power(&pairs, &expected, x, n, effects[k], 0.025, 0.025, alpha,
                                   &s->stage.work, err));
        if (pairs == 0 || !iv_study_wants_method(s, "sign, one-sided"))
            continue;
        iv_rate *r = iv_study_row(s, "power of the sign test", "sign, one-sided", data,
                                  "%zu topics, effect %g, %zu pairs", n, effects[k], pairs);
        r->nominal = iv_sign_power((int64_t)n, effects[k], alpha, IV_GREATER);
        r->rate = expected;
        r->se = 0.0;
    }
    iv_study_step_done(s);
    return IV_OK;
}

int iv_study_power(iv_study *s, iv_err *err)
{
    static const int64_t usual[] = { 10, 25, 50 };
    const iv_integers n = s->q->n.count > 0 ? s->q->n : (iv_integers){ usual, 3 };
    design d = { .alpha = iv_study_alpha(s) };
    const char *data;

    iv_study_steps(s, n.count * 7);
    IV_TRY(iv_study_population(&d.x, &data, s, err));
    const iv_score_grid *x = d.x;
    double *mean = iv_take(&s->own, x->systems, sizeof *mean);
    IV_TRY(iv_taken(&s->own, err));
    for (size_t k = 0; k < x->systems * x->topics; k++)
        mean[k / x->topics] += x->values[k] / (double)x->topics;
    d.mean = mean;
    for (size_t i = 0; i < n.count; i++) {
        const size_t topics = d.n = (size_t)n.at[i];
        if (topics > x->topics)
            return iv_fail(err, IV_ENODATA, "samples of %zu topics from %zu", topics, x->topics);
        IV_TRY(study_sign(s, x, data, topics, err));
        IV_TRY(study_pairs(s, d, data, err));
        if (x->systems >= MOST_RUNS)
            IV_TRY(study_sets(s, d, data, err));
    }
    return IV_OK;
}
