/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sign test on samples of topics, for all pairs of a population.
 *
 * Ref: Carterette and Smucker (2007), section 3.2.1 and table 2.  They draw
 * n of 249 topics without replacement; wins are then hypergeometric and spread
 * less than the binomial power supposes, which is why they observe more power
 * than predicted.  `expected` is that power, exactly.
 */
#include <math.h>
#include <stdlib.h>

#include "intervale/stat/sign_power.h"
#include "study/power_study.h"

/* A pair that belongs to an effect: who wins, topic by topic. */
typedef struct pair {
    size_t effect;
    int8_t *sign; /* +1: the better system wins */
    int64_t wins, ties, losses;
} pair;

typedef struct study {
    const iv_score_grid *x;
    const iv_power_study_options *o;
    pair *pairs;
    size_t count;
    int8_t *signs;
    int64_t *critical; /* by topics that are no ties */
} study;

/* Keeps the pair if its effect is near one of those asked for. */
static void add_pair(study *s, const double *a, const double *b, double *d)
{
    const size_t T = s->x->topics;
    const iv_differences k = iv_describe_differences(d, iv_pair_differences(d, a, b, T));
    const bool turned = k.losses > k.wins;
    const double h = (double)(turned ? k.losses - k.wins : k.wins - k.losses)
        / (double)(k.wins + k.losses);

    for (size_t e = 0; e < s->o->effects.count && k.wins + k.losses > 0; e++) {
        if (!iv_effect_near(h, s->o->effects.at[e], s->o))
            continue;
        pair *p = &s->pairs[s->count];
        *p = (pair){ .effect = e, .sign = s->signs + s->count * T,
                     .wins = (int64_t)(turned ? k.losses : k.wins), .ties = (int64_t)k.ties,
                     .losses = (int64_t)(turned ? k.wins : k.losses) };
        for (size_t t = 0; t < T; t++)
            p->sign[t] = (int8_t)(((d[t] > 0.0) - (d[t] < 0.0)) * (turned ? -1 : 1));
        s->count++;
        return;
    }
}

static int find_pairs(study *s, iv_arena *own, iv_err *err)
{
    const size_t S = s->x->systems, T = s->x->topics, most = iv_power_most_topics(s->o);
    double *d = iv_take(own, T, sizeof *d);

    s->pairs = iv_take(own, iv_pair_count(S), sizeof *s->pairs);
    s->signs = iv_take(own, iv_pair_count(S) * T, sizeof *s->signs);
    s->critical = iv_take(own, most + 1, sizeof *s->critical);
    IV_TRY(iv_taken(own, err));
    for (size_t n = 0; n <= most; n++)
        s->critical[n] = n == 0 ? 1 : iv_sign_critical((int64_t)n, s->o->alpha);
    for (size_t a = 0; a < S; a++)
        for (size_t b = a + 1; b < S; b++)
            add_pair(s, s->x->values + a * T, s->x->values + b * T, d);
    return IV_OK;
}

/* Tests all pairs on one sample: rejected[e] of each effect. */
static int test_sample(void *job, void *memory, size_t trial, iv_err *err)
{
    const iv_power_job *j = job;
    const study *s = j->about;
    const size_t n = (size_t)s->o->topics.at[j->k];
    size_t *rows = ((iv_run_sets *)memory)->rows;
    uint32_t *rejected = (uint32_t *)j->found + trial * s->o->effects.count;
    /* Each size has samples of its own. */
    iv_stream stream = iv_power_stream(j->seed, IV_PART_SIGN, trial | (uint64_t)n << 28);

    (void)err;
    if (s->o->replace) {
        for (size_t i = 0; i < n; i++)
            rows[i] = (size_t)iv_draw_below(&stream, s->x->topics);
    } else {
        (void)iv_draw_subset(&stream, rows, n, s->x->topics);
    }
    for (size_t p = 0; p < s->count; p++) {
        int64_t wins = 0, used = 0;
        for (size_t i = 0; i < n; i++) {
            const int8_t sign = s->pairs[p].sign[rows[i]];
            wins += sign > 0;
            used += sign != 0;
        }
        rejected[s->pairs[p].effect] += wins >= s->critical[used];
    }
    return IV_OK;
}

/* Exact power of a pair on samples with replacement: ties are binomial. */
static double power_replaced(const pair *p, size_t n, double alpha)
{
    const double all = (double)(p->wins + p->ties + p->losses);
    const double h = (double)(p->wins - p->losses) / (double)(p->wins + p->losses);
    double power = 0.0;

    for (int64_t k = 0; k < (int64_t)n; k++) {
        const double chance = exp(iv_binom_log_pmf(k, (int64_t)n, (double)p->ties / all));
        if (chance > 0.0)
            power += chance * iv_sign_power((int64_t)n - k, h, alpha, IV_GREATER);
    }
    return power;
}

static void summarise(iv_sign_power_row *row, const study *s, size_t n, size_t e,
                      const uint32_t *rejected)
{
    const iv_power_study_options *o = s->o;
    double sum = 0.0, squares = 0.0, expected = 0.0;

    *row = (iv_sign_power_row){ .topics = n, .samples = o->trials, .effect = o->effects.at[e],
        .predicted = iv_sign_power((int64_t)n, o->effects.at[e], o->alpha, IV_GREATER) };
    for (size_t p = 0; p < s->count; p++) {
        const pair *k = &s->pairs[p];
        if (k->effect != e)
            continue;
        row->pairs++;
        expected += o->replace ? power_replaced(k, n, o->alpha)
            : iv_sign_power_finite((int64_t)n, k->wins, k->ties, k->losses, o->alpha);
    }
    const double pairs = (double)row->pairs, trials = (double)o->trials;
    for (size_t i = 0; i < o->trials; i++)
        sum += rejected[i * o->effects.count + e] / pairs;
    row->observed = sum / trials;
    for (size_t i = 0; i < o->trials; i++) {
        const double d = rejected[i * o->effects.count + e] / pairs - row->observed;
        squares += d * d;
    }
    row->sd = o->trials > 1 ? sqrt(squares / (trials - 1.0)) : (double)NAN;
    row->se = row->sd / sqrt(trials);
    row->expected = expected / pairs;
}

static void sum_size(void *out, const iv_power_job *j)
{
    const iv_power_study_options *o = j->options;

    for (size_t e = 0; e < o->effects.count; e++)
        summarise((iv_sign_power_row *)out + j->k * o->effects.count + e, j->about,
                  (size_t)o->topics.at[j->k], e, j->found);
}

int iv_study_sign_power(iv_sign_power_row *out, const iv_score_grid *population,
                        const iv_power_study_options *o, const iv_work *work, iv_err *err)
{
    study s = { .x = population, .o = o };
    iv_power_job j = { .population = population, .options = o, .about = &s,
                       .series = o->topics.count, .each = o->effects.count * sizeof(uint32_t),
                       .trial = test_sample, .sum_up = sum_size };
    iv_arena own = { 0 };

    IV_TRY(iv_power_check(population, o, err));
    if (o->trials >= (size_t)1 << 28)
        return iv_fail(err, IV_EARG, "%zu samples are too many", o->trials);
    for (size_t i = 0; !o->replace && i < o->topics.count; i++)
        if ((size_t)o->topics.at[i] > population->topics)
            return iv_fail(err, IV_ENODATA, "samples of %lld topics from %zu",
                           (long long)o->topics.at[i], population->topics);
    int rc = find_pairs(&s, &own, err);
    if (rc == IV_OK)
        rc = iv_power_run(out, &j, work, err);
    iv_arena_free(&own);
    return rc;
}
