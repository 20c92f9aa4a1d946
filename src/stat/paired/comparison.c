/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison of many systems: its options, its steps in order, and what it found. */
#include "base/arguments.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/parallel.h"
#include "base/ties.h"
#include "num/draw.h"
#include "stat/interval/limits.h"
#include "stat/interval/units.h"
#include "stat/interval_methods.h"
#include "stat/pair_tests.h"
#include "stat/paired/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Each system among the others, on the topics that all of them have: mean,
 * rank and how sure that is.
 *
 * A rank interval counts the systems that differ significantly, and those that must then be
 * above or below, too.  If no pair
 * is wrongly told apart, which holds with the confidence asked for, it holds
 * for all systems at once; the range of ranks in resamples does not hold when
 * systems are alike (doc/methods/comparing.md).
 */

/* Short steps ask whether to go on after so many of them. */
enum { ASK = 64 };

/* ------------------------------------------------------- shared topics -- */

/* Copies of the scores: with NaN for topics that a system lacks, and without these topics. */
static int copy_shared(iv_comparison *c, const bool *has_all, iv_err *err)
{
    const size_t S = c->systems, T = c->topics;
    double *values = iv_take(&c->own, S * T, sizeof *values);
    double *shared = iv_take(&c->own, S * c->shared, sizeof *shared), *next = shared;

    IV_TRY(iv_taken(&c->own, err));
    for (size_t i = 0; i < S * T; i++) {
        values[i] = has_all[i % T] ? c->given[i] : (double)NAN;
        if (has_all[i % T])
            *next++ = c->given[i];
    }
    c->values = values;
    c->shared_values = shared;
    return IV_OK;
}

/* Means, tests and ranks are all of the topics that every system has.  Where these are all topics,
 * the caller's scores serve, without a copy. */
static int compare_common(iv_comparison *c, iv_err *err)
{
    bool *has_all = iv_take(&c->own, c->topics + 1, sizeof *has_all);

    IV_TRY(iv_taken(&c->own, err));
    for (size_t t = 0; t < c->topics; t++) {
        has_all[t] = true;
        for (size_t s = 0; s < c->systems; s++)
            has_all[t] = has_all[t] && !isnan(c->given[s * c->topics + t]);
        c->shared += has_all[t];
    }
    c->shared_items = c->shared;
    if (c->shared < 2)
        return iv_fail(err, IV_ENODATA, "the systems share %s",
                       c->shared == 0 ? "no topic" : "only one topic");
    c->values = c->shared_values = c->given;
    return c->shared < c->topics ? copy_shared(c, has_all, err) : IV_OK;
}

/* Units instead of topics: what resamples are made of, distances from the mean on it. */
static int share_units(iv_comparison *c, iv_err *err)
{
    const iv_structure *s = c->options.structure;
    iv_arena own = { 0 };
    iv_units *u = iv_units_new(&own, c->topics, s);
    double *around = iv_take(&own, c->topics + s->suites + 1, sizeof *around);
    double *values = iv_take(&c->own, c->systems * c->topics, sizeof *values);
    int rc = iv_taken(&own, err);

    if (rc == IV_OK)
        rc = iv_taken(&c->own, err);

    for (size_t i = 0; rc == IV_OK && i < c->systems; i++) {
        iv_structured m;
        iv_units_mean(&m, NULL, around, c->values + i * c->topics, c->topics, s, u);
        c->shared = m.units; /* of every system */
        for (size_t k = 0; k < m.units; k++)
            values[i * m.units + k] = m.mean + around[k];
    }
    if (rc == IV_OK)
        c->shared_values = values;
    iv_arena_free(&own);
    return rc;
}

/* Other repeats would move all resamples of a system together. */
static void add_repeats(iv_comparison *c, uint64_t seed)
{
    const iv_structure *s = c->options.structure;
    const size_t B = c->options.resamples;

    for (size_t i = 0; s != NULL && s->repeat_variance != NULL && i < c->systems; i++) {
        iv_stream stream = iv_stream_start(seed, IV_FOR_BOOTSTRAP, B + i);
        for (size_t b = 0; b < B && s->repeat_variance[i] > 0.0; b++)
            c->boot_means[i * B + b] += sqrt(s->repeat_variance[i]) * iv_draw_normal(&stream);
    }
}

static int compare_shared(iv_comparison *c, const iv_work *work, iv_err *err)
{
    const iv_compare_options *o = &c->options;
    const double **samples = iv_take(&c->own, c->systems, sizeof *samples);

    IV_TRY(iv_taken(&c->own, err));
    if (o->structure != NULL)
        IV_TRY(share_units(c, err));
    if (o->resamples <= SIZE_MAX / sizeof(double) / c->systems)
        c->boot_means = iv_arena_alloc(&c->own, c->systems * o->resamples * sizeof(double));
    if (c->boot_means == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for %zu resamples", o->resamples);
    for (size_t s = 0; s < c->systems; s++)
        samples[s] = c->shared_values + s * c->shared;
    IV_TRY(iv_resample_means(c->boot_means, samples, c->systems, c->shared, o->resamples, work,
                             err));
    add_repeats(c, iv_work_seed(work));
    return IV_OK;
}

/* --------------------------------------------------------- means, ranks -- */

/* A thread's memory: the means of one system's resamples. */
static void *room_new(iv_arena *own, void *user)
{
    const iv_comparison *c = user;

    return iv_take(own, c->options.resamples, sizeof(double));
}

/* The same where topics hang together. */
static int find_structured(iv_mean_interval *i, size_t *topics, const iv_comparison *c, size_t s,
                           iv_err *err)
{
    const iv_compare_options *o = &c->options;
    const double *x = c->values + s * c->topics;
    iv_structured m;

    IV_TRY(iv_structured_mean(&m, x, c->topics, o->structure, s, err));
    *topics = m.items;
    return iv_structured_interval(i, &m, c->unit_scores, o->means, o->confidence, err);
}

/* By the scores of all systems where nothing else is asked for; estimates may leave [0, 1]. */
static iv_interval_method method_of_mean(const iv_comparison *c)
{
    const iv_interval_method asked = c->options.means;

    if (asked != IV_INTERVAL_AUTO || c->options.bounded)
        return asked;
    return c->options.binary && c->unit_scores && c->options.unit == 1.0 ? IV_INTERVAL_WILSON
        : c->unit_scores ? IV_INTERVAL_AUTO : IV_INTERVAL_BOOTSTRAP_T;
}

/* The mean of a system with its interval. */
static int find_mean(void *user, void *memory, size_t s, iv_err *err)
{
    iv_comparison *c = user;
    const iv_compare_options *o = &c->options;
    double *means = memory;
    const double *x = c->shared_values + s * c->shared;
    iv_compared_run *run = &c->runs[s];
    iv_mean_interval i;
    size_t n = c->shared;

    memcpy(means, c->boot_means + s * o->resamples, o->resamples * sizeof *means);
    if (o->structure != NULL)
        IV_TRY(find_structured(&i, &n, c, s, err));
    else
        IV_TRY(iv_interval_from_means(&i, method_of_mean(c), means, o->resamples, x, n,
                                      o->confidence, err));
    run->method = i.method;
    run->topics = n;
    run->mean = i.mean;
    run->lower = i.lower;
    run->upper = i.upper;
    if (o->bounded)
        (void)iv_possible_limits(&run->lower, &run->upper, i.mean, 0.0);
    run->rank = 1;
    run->p_best = (double)NAN;
    return IV_OK;
}

static int find_means(iv_comparison *c, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_parallel(&(iv_loop){ c->systems, find_mean, c, room_new }, work, err));
    for (size_t s = 0; s < c->systems; s++) {
        for (size_t o = 0; o < c->systems; o++)
            c->runs[s].rank += c->runs[o].mean > c->runs[s].mean + c->slack;
    }
    return IV_OK;
}

/* ------------------------------------------------------------ resamples -- */

/* Sorts what was sorted by a resample before: most stay where they are.  Of many systems
 * too many would move. */
static void sort_again(iv_placed *order, size_t systems)
{
    enum { FEW = 256 };

    if (systems > FEW) {
        qsort(order, systems, sizeof *order, iv_descending_placed);
        return;
    }
    for (size_t i = 1; i < systems; i++) {
        const iv_placed moved = order[i];
        size_t to = i;
        for (; to > 0 && iv_descending_placed(&order[to - 1], &moved) > 0; to--)
            order[to] = order[to - 1];
        order[to] = moved;
    }
}

/*
 * Ranks in one resample: systems that tie share the ranks, and the first place
 * if it is theirs.  low[s * systems + r]: how often system s had r above it.
 */
static void rank_resample(iv_comparison *c, iv_placed *order, uint32_t *low, uint32_t *high)
{
    for (size_t first = 0; first < c->systems;) {
        size_t last = first;
        while (last + 1 < c->systems && order[last + 1].value >= order[first].value - c->slack)
            last++;
        for (size_t i = first; i <= last; i++) {
            const size_t s = order[i].at;
            low[s * c->systems + first]++;
            high[s * c->systems + last]++;
            if (first == 0)
                c->runs[s].p_best += 1.0 / (double)(last + 1);
        }
        first = last + 1;
    }
}

/* The rank, from 0, that a share of the resamples does not exceed. */
static size_t rank_quantile(const uint32_t *counts, size_t systems, double share,
                            size_t resamples)
{
    double seen = 0.0;

    for (size_t r = 0; r < systems; r++) {
        seen += counts[r];
        if (seen >= share * (double)resamples - 1e-9)
            return r;
    }
    return systems - 1;
}

static int resample_ranks(iv_comparison *c, const iv_work *work, iv_err *err)
{
    const size_t S = c->systems, B = c->options.resamples;
    const double tail = 0.5 * (1.0 - c->options.confidence);
    iv_arena own = { 0 };
    iv_placed *order = iv_take(&own, S, sizeof *order);
    uint32_t *low = iv_take(&own, S, S * sizeof *low), *high = iv_take(&own, S, S * sizeof *high);
    int rc = iv_taken(&own, err);

    for (size_t s = 0; s < S && rc == IV_OK; s++) {
        c->runs[s].p_best = 0.0;
        order[s].at = s;
    }
    /* In the order of the resamples, by one thread: p_best is a sum of fractions. */
    for (size_t r = 0; r < B && rc == IV_OK; r++) {
        for (size_t s = 0; s < S; s++)
            order[s].value = c->boot_means[order[s].at * B + r];
        sort_again(order, S);
        rank_resample(c, order, low, high);
        if (r % ASK == 0)
            rc = iv_check_work(work, (double)r / (double)B, err);
    }
    for (size_t s = 0; s < S && rc == IV_OK; s++) {
        c->runs[s].p_best /= (double)B;
        c->runs[s].boot_lower = 1 + rank_quantile(low + s * S, S, tail, B);
        c->runs[s].boot_upper = 1 + rank_quantile(high + s * S, S, 1.0 - tail, B);
    }
    iv_arena_free(&own);
    return rc;
}

/* ----------------------------------------------- who differs from whom -- */

/* Who is below whom: a row of bits each. */
static bool is_below(const uint64_t *below, size_t words, size_t better, size_t worse)
{
    return below[better * words + worse / 64] >> worse % 64 & 1;
}

/* Who is above somebody is above those below him.  True unless somebody is above himself, which
 * pairs with topics of their own may say. */
static bool close_order(uint64_t *below, size_t systems, size_t words)
{
    bool sound = true;

    for (size_t k = 0; k < systems; k++)
        for (size_t s = 0; s < systems; s++)
            for (size_t w = 0; w < words && is_below(below, words, s, k); w++)
                below[s * words + w] |= below[k * words + w];
    for (size_t s = 0; s < systems; s++)
        sound = sound && !is_below(below, words, s, s);
    return sound;
}

/* From the pairs as they were tested, without those set aside. */
static int find_different(bool *differ, iv_comparison *c, const bool *aside, iv_err *err)
{
    const size_t S = c->systems, words = (S + 63) / 64;
    uint64_t *below = iv_take(&c->own, 2 * S * words, sizeof *below);

    IV_TRY(iv_taken(&c->own, err));
    for (size_t i = 0; i < c->pair_count; i++) {
        const iv_compared_pair *p = &c->pairs[i];
        const iv_compared_test *t = &c->tests[i * c->options.test_count];
        if (!iv_compare_significant(c, t->p_adjusted) || (aside != NULL && aside[i]))
            continue;
        differ[i] = true;
        const size_t better = t->direction > 0 ? p->a : p->b,
            worse = t->direction > 0 ? p->b : p->a;
        below[better * words + worse / 64] |= UINT64_C(1) << worse % 64;
    }
    memcpy(below + S * words, below, S * words * sizeof(uint64_t));
    if (!close_order(below, S, words)) /* then the pairs themselves are all there is */
        memcpy(below, below + S * words, S * words * sizeof(uint64_t));
    for (size_t s = 0; s < S; s++) {
        c->runs[s].rank_lower = 1;
        c->runs[s].rank_upper = S;
        for (size_t other = 0; other < S; other++) {
            c->runs[s].rank_upper -= is_below(below, words, s, other);
            c->runs[s].rank_lower += is_below(below, words, other, s);
        }
    }
    return IV_OK;
}

static int find_letters(iv_comparison *c, const bool *differ, iv_err *err)
{
    iv_placed *order = iv_take(&c->own, c->systems, sizeof *order);
    size_t *systems = iv_take(&c->own, c->systems, sizeof *systems);
    const char **text = iv_take(&c->own, c->systems, sizeof *text);

    IV_TRY(iv_taken(&c->own, err));
    for (size_t s = 0; s < c->systems; s++)
        order[s] = (iv_placed){ -(double)c->runs[s].rank, s };
    qsort(order, c->systems, sizeof *order, iv_descending_placed);
    for (size_t i = 0; i < c->systems; i++)
        systems[i] = order[i].at;
    IV_TRY(iv_letters_of(text, &c->groups, differ, systems, c->systems, &c->own, err));
    for (size_t s = 0; s < c->systems; s++)
        c->runs[s].letters = text[s];
    return IV_OK;
}

int iv_compare_separate(iv_comparison *c, const bool *aside, iv_err *err)
{
    bool *differ = iv_take(&c->own, c->pair_count, sizeof *differ);

    IV_TRY(iv_taken(&c->own, err));
    IV_TRY(find_different(differ, c, aside, err));
    /* Letters tell of every pair whether it differs, either way. */
    if (c->options.baseline_count == 0 && c->options.alternative == IV_TWO_SIDED)
        return find_letters(c, differ, err);
    return IV_OK;
}

static int compare_runs(iv_comparison *c, const iv_work *work, iv_err *err)
{
    iv_stage part[2];

    IV_TRY(find_means(c, iv_work_part(&part[0], work, 0.0, 0.5), err));
    IV_TRY(resample_ranks(c, iv_work_part(&part[1], work, 0.5, 1.0), err));
    return iv_compare_separate(c, NULL, err);
}

/* The pairs to compare, as iv_comparison_pairs() has them: nothing but their systems. */
static void couple(iv_compared_pair *out, size_t systems, const size_t *baselines, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        for (size_t a = 0; a < systems; a++) {
            bool done = a == baselines[k];
            for (size_t i = 0; i < k; i++)
                done = done || a == baselines[i];
            if (!done)
                *out++ = (iv_compared_pair){ .a = a, .b = baselines[k] };
        }
    }
    for (size_t a = 0; count == 0 && a < systems; a++)
        for (size_t b = a + 1; b < systems; b++)
            *out++ = (iv_compared_pair){ .a = a, .b = b };
}

static int check_baselines(const iv_compare_options *o, size_t systems, iv_err *err)
{
    for (size_t k = 0; k < o->baseline_count; k++) {
        if (o->baselines[k] >= systems)
            return iv_fail(err, IV_EARG, "the baseline is none of the systems");
        for (size_t i = 0; i < k; i++)
            if (o->baselines[i] == o->baselines[k])
                return iv_fail(err, IV_EARG, "system %zu is a baseline twice",
                               o->baselines[k] + 1);
    }
    if (o->correction == IV_CORRECT_TUKEY && o->baseline_count > 1 && systems > 2)
        return iv_fail(err, IV_EARG, "Tukey's test is of all pairs or against one baseline, and "
                       "there are %zu", o->baseline_count);
    return IV_OK;
}

/* What no option can be, whatever it is compared with. */
static int check_parts(const iv_compare_options *o, iv_err *err)
{
    return IV_CHECK(o, err,
        IV_LIST_OF(iv_compare_options, tests, test_count, LIST, "test"),
        IV_LIST_OF(iv_compare_options, baselines, baseline_count, LIST, "baseline"),
        IV_CHOICE_OF(iv_compare_options, ties, iv_sign_ties_names, "what to do with ties"),
        IV_CHOICE_OF(iv_compare_options, zeros, iv_zeros_names, "what to do with zeros"),
        IV_CHOICE_OF(iv_compare_options, alternative, iv_alternative_names, "the alternative"),
        IV_CHOICE_OF(iv_compare_options, correction, iv_correction_names, "the correction"),
        IV_CHOICE_OF(iv_compare_options, interval, iv_interval_names, "the interval"),
        IV_CHOICE_OF(iv_compare_options, means, iv_interval_names, "the interval of means"));
}

/* The first `asked` tests; those by default are right. */
static int check_tests(const iv_compare_options *o, size_t asked, iv_err *err)
{
    for (size_t k = 0; k < asked; k++)
        if ((int)o->tests[k] < 0 || o->tests[k] >= IV_PAIR_TESTS)
            return iv_fail(err, IV_EARG, "there is no test number %d", (int)o->tests[k]);
        else if (o->tests[k] == IV_TEST_MCNEMAR && !o->binary)
            return iv_fail(err, IV_EARG, "McNemar's test is for scores of 0 and 1, and there are "
                           "others");
        else if (o->tests[k] == IV_TEST_BETTING && !o->guaranteed)
            return iv_fail(err, IV_EARG, "the test 'betting' is that of a guarantee");
        else if ((o->tests[k] == IV_TEST_LARGER_P || o->tests[k] == IV_TEST_HALL)
                 && o->structure != NULL)
            return iv_fail(err, IV_EARG, "Hall's t test is for scores without clusters, sets, "
                           "weights and repeats: expected t, or the default");
    return IV_OK;
}

static int check_options(const iv_compare_options *o, size_t systems, iv_err *err)
{
    if (systems < 2)
        return iv_fail(err, IV_EARG, "fewer than two systems to compare");
    double confidence = o->confidence;
    IV_TRY(iv_check_confidence(&confidence, err));
    if (o->alternative != IV_TWO_SIDED && !(o->confidence > 0.5))
        return iv_fail(err, IV_EARG, "confidence %g, expected above 0.5 for a one-sided "
                       "comparison", o->confidence);
    if (!(o->margin >= 0.0 || o->margin == IV_ZERO) || isinf(o->margin))
        return iv_fail(err, IV_EARG, "a margin of %g, expected 0 or more", o->margin);
    if (o->guaranteed && !o->binary && !(o->high > o->low))
        return iv_fail(err, IV_EARG, "a guarantee needs the range of the scores"
                       IV_HINT("; --range LOW,HIGH"));
    if (o->guaranteed && o->structure != NULL)
        return iv_fail(err, IV_EARG, "no guarantee is published for scores with clusters, sets, "
                       "weights or repeats");
    if (!iv_interval_about(o->interval)->differences)
        return iv_fail(err, IV_EARG, "a difference has no %s interval",
                       iv_interval_names()[o->interval]);
    if (o->correction == IV_CORRECT_TUKEY && o->alternative != IV_TWO_SIDED
        && o->baseline_count == 0 && systems > 2)
        return iv_fail(err, IV_EARG, "Tukey's test of all pairs is two-sided: the largest "
                       "difference has no sign" IV_HINT("; use --correct holm, or a --baseline"));
    if (o->correction == IV_CORRECT_TUKEY && o->structure != NULL)
        return iv_fail(err, IV_EARG, "Tukey's test permutes topics one by one, but these are "
                       "clustered");
    return check_baselines(o, systems, err);
}

static int check_values(const double *values, size_t systems, size_t topics,
                        const iv_compare_options *o, iv_err *err)
{
    const double slack = 1e-9 * (o->high - o->low);

    for (size_t i = 0; i < systems * topics && o->high > o->low; i++)
        if (values[i] < o->low - slack || values[i] > o->high + slack)
            return iv_fail(err, IV_EARG, "system %zu has the score %g on topic %zu, expected %g to "
                           "%g", i / topics + 1, values[i], i % topics + 1, o->low, o->high);
    for (size_t i = 0; i < systems * topics; i++)
        if (isinf(values[i]))
            return iv_fail(err, IV_EARG, "system %zu has an infinite score on topic %zu",
                           i / topics + 1, i % topics + 1);
    return IV_OK;
}

/* What the only two values differ by; 0: there are others, or one alone. */
static double two_values(const double *values, size_t count, const iv_compare_options *o)
{
    double low = INFINITY, high = -INFINITY;

    for (size_t i = 0; i < count; i++) {
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
    }
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i]) && values[i] != low && values[i] != high)
            return 0.0;
    return o->bounded || (o->high > o->low && (low != o->low || high != o->high)) || !(high > low)
        ? 0.0 : high - low;
}

/* The options with their defaults, but for the correction. */
static iv_compare_options fill_in(const iv_compare_options *options, const double *values,
                                  size_t count)
{
    static const iv_pair_test usual[] = { IV_TEST_LARGER_P, IV_TEST_MCNEMAR, IV_TEST_BETTING };
    iv_compare_options o = options != NULL ? *options : (iv_compare_options){ 0 };

    o.unit = iv_scores_binary(values, count) ? 1.0 : two_values(values, count, &o);
    o.binary = o.unit > 0.0;
    if (o.test_count == 0) {
        o.tests = &usual[o.binary ? 1 : o.guaranteed ? 2 : 0];
        o.test_count = 1;
    }
    o.confidence = o.confidence == 0.0 ? 0.95 : o.confidence;
    o.resamples = o.resamples > 0 ? o.resamples : IV_RESAMPLES;
    o.permutations = o.permutations > 0 ? o.permutations : IV_PERMUTATIONS;
    return o;
}

static int allocate(iv_comparison *c, iv_err *err)
{
    const size_t tests = c->options.test_count, bases = c->options.baseline_count;

    /* With a baseline all others but for baselines before it. */
    c->pair_count = bases == 0 ? iv_pair_count(c->systems)
        : bases * (c->systems - 1) - iv_pair_count(bases);
    c->kinds = iv_take(&c->own, tests, sizeof *c->kinds);
    c->baselines = iv_take(&c->own, bases, sizeof *c->baselines);
    c->pairs = iv_take(&c->own, c->pair_count * tests, sizeof *c->pairs);
    c->tests = iv_take(&c->own, c->pair_count * tests, sizeof *c->tests);
    c->runs = iv_take(&c->own, c->systems, sizeof *c->runs);
    IV_TRY(iv_taken(&c->own, err));
    memcpy(c->kinds, c->options.tests, tests * sizeof *c->kinds);
    for (size_t k = 0; k < bases; k++)
        c->baselines[k] = c->options.baselines[k];
    c->options.tests = c->kinds;
    c->options.baselines = c->baselines;
    couple(c->pairs, c->systems, c->baselines, bases);
    return IV_OK;
}

/* The steps in their order, each with its share of the progress. */
static int compare_all(iv_comparison *c, const iv_work *work, iv_err *err)
{
    iv_stage stage[4];

    IV_TRY(allocate(c, err));
    if (c->pair_count == 1)
        c->options.correction = IV_CORRECT_NONE;
    else if (c->options.correction == IV_CORRECT_AUTO)
        c->options.correction = IV_CORRECT_HOLM;
    IV_TRY(compare_common(c, err));
    IV_TRY(compare_shared(c, iv_work_part(&stage[0], work, 0.0, 0.1), err));
    IV_TRY(iv_compare_pairs(c, iv_work_part(&stage[1], work, 0.1, 0.2), err));
    IV_TRY(iv_compare_tests(c, iv_work_part(&stage[2], work, 0.2, 0.9), err));
    IV_TRY(iv_compare_limits(c, err));
    IV_TRY(iv_check_work(work, 0.9, err));
    return compare_runs(c, iv_work_part(&stage[3], work, 0.9, 1.0), err);
}

int iv_compare(iv_comparison **out, const double *values, size_t systems, size_t topics,
               const iv_compare_options *options, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_list(values, systems * topics, "value", err));
    IV_TRY(check_parts(options, err));
    const iv_compare_options o = fill_in(options, values, systems * topics);

    IV_TRY(check_options(&o, systems, err));
    IV_TRY(check_tests(&o, options != NULL ? options->test_count : 0, err));
    IV_TRY(check_values(values, systems, topics, &o, err));
    if (o.structure != NULL)
        IV_TRY(iv_structure_check(o.structure, topics, err));
    iv_comparison *c = calloc(1, sizeof *c);
    if (c == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    const bool unit = iv_scores_unit(values, systems * topics);
    *c = (iv_comparison){ .options = o, .systems = systems, .topics = topics, .given = values,
                          .unit_scores = unit,
                          .slack = iv_slack_of(values, systems * topics),
                          .margin = o.margin == 0.0 ? (double)NAN : fmax(0.0, o.margin),
                          .unit = o.bounded || (unit && o.means != IV_INTERVAL_T) };
    const int rc = compare_all(c, work, err);
    c->given = c->shared_values = NULL;
    c->options.structure = NULL; /* the caller's */
    if (rc < 0) {
        iv_comparison_free(c);
        return rc;
    }
    *out = c;
    return IV_OK;
}

IV_FREES(comparison, own)

size_t iv_comparison_pairs(const iv_compared_pair **out, const iv_comparison *c)
{
    *out = c->pairs;
    return c->pair_count;
}

size_t iv_comparison_tests(const iv_compared_test **out, const iv_comparison *c, size_t pair)
{
    *out = c->tests + pair * c->options.test_count;
    return c->options.test_count;
}
