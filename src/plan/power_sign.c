/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Power of the sign test, with topics that tie.
 *
 * Ties are discarded by the test, and nobody knows beforehand how many there will be: of
 * n topics a number M decide, M binomial, and the power is the mean of that of M topics.
 */
#include <math.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "plan/power_parts.h"
#include "num/num_private.h"
#include "stat/sign_power_private.h"

/* Powers of topics that decide, computed when they are first asked for. */
typedef struct decided {
    const iv_power_options *o;
    double h;
    double *power; /* of from, from + 1, ...; 0: not computed */
    size_t from;
} decided;

static double tail_of(const iv_power_options *o)
{
    return o->sides == IV_BOTH_SIDES ? 0.5 * o->alpha : o->alpha;
}

static double exact_power(const decided *d, size_t n)
{
    return n == 0 ? 0.0 : iv_sign_power((int64_t)n, d->h, d->o->alpha,
                                        d->o->sides == IV_BOTH_SIDES ? IV_TWO_SIDED : IV_GREATER);
}

/* Phi(h sqrt(m) - z), m the topics that decide on average. */
static double normal_power(const decided *d, size_t n)
{
    const double z = iv_norm_isf(tail_of(d->o));
    const double shift = d->h * sqrt((double)n * (1.0 - d->o->ties));

    return iv_norm_cdf(shift - z)
        + (d->o->sides == IV_BOTH_SIDES ? iv_norm_cdf(-shift - z) : 0.0);
}

/* How many of n topics may decide: all but 1e-14 of the chances. */
static void span(size_t *low, size_t *high, size_t n, double ties)
{
    const double mean = (double)n * (1.0 - ties), reach = 8.0 * sqrt(mean * ties) + 8.0;

    *low = mean > reach ? (size_t)(mean - reach) : 0;
    *high = mean + reach < (double)n ? (size_t)(mean + reach) : n;
}

static double power_of(decided *d, size_t n)
{
    size_t low, high;
    double sum = 0.0;

    if (d->o->test == IV_PLAN_SIGN_NORMAL)
        return normal_power(d, n);
    if (d->o->ties == 0.0)
        return exact_power(d, n);
    span(&low, &high, n, d->o->ties);
    for (size_t m = low; m <= high; m++) {
        double *p = &d->power[m - d->from];
        if (*p == 0.0)
            *p = exact_power(d, m);
        sum += exp(iv_binom_log_pmf((int64_t)m, (int64_t)n, 1.0 - d->o->ties)) * *p;
    }
    return sum;
}

/* For numbers of topics from first to last. */
static int decided_new(decided *d, iv_arena *own, const iv_power_options *o, double effect,
                       size_t first, size_t last, iv_err *err)
{
    size_t high, none;

    *d = (decided){ .o = o, .h = iv_uncertain_effect(effect, o->certainty) };
    if (o->ties == 0.0 || o->test == IV_PLAN_SIGN_NORMAL)
        return IV_OK;
    span(&d->from, &none, first, o->ties);
    span(&none, &high, last, o->ties);
    d->power = iv_take(own, high - d->from + 1, sizeof *d->power);
    return iv_taken(own, err);
}

int iv_sign_test_power(iv_power *out, size_t topics, double effect, const iv_power_options *o,
                       iv_err *err)
{
    const double n = (double)topics, tail = tail_of(o);
    iv_arena own = { 0 };
    decided d;
    const int rc = decided_new(&d, &own, o, effect, topics, topics, err);

    if (rc == IV_OK)
        *out = (iv_power){ power_of(&d, topics), o->ties > 0.0 ? (double)NAN
            : o->test == IV_PLAN_SIGN ? (double)iv_sign_critical((int64_t)topics, tail)
            : 0.5 * n + 0.5 * iv_norm_isf(tail) * sqrt(n) };
    iv_arena_free(&own);
    return rc;
}

/* Some n at which the power passes what is wanted, by halving. */
static size_t passing(double power, size_t high, decided *d)
{
    size_t low = 0;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (power_of(d, middle) >= power)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/*
 * The critical value of the exact test is a whole number of wins, so that its
 * power goes up and down around a rising curve.  One win more or less is worth
 * some 4 / h topics: within a little more than that all are looked at.
 */
static int look_around(size_t *topics, size_t *steady, double power, size_t middle, size_t width,
                       decided *d, const iv_work *work, iv_err *err)
{
    const size_t from = middle > width ? middle - width : 1;
    size_t first = 0, last_below = 0;

    for (size_t n = from; n <= middle + width; n++) {
        const double done = (double)(n - from) / (double)(middle + width - from + 1);
        if (n % 256 == 0)
            IV_TRY(iv_check_work(work, done, err));
        if (power_of(d, n) >= power)
            first = first == 0 ? n : first;
        else
            last_below = n;
    }
    *topics = first;
    if (steady != NULL)
        *steady = last_below + 1 > first ? last_below + 1 : first;
    return IV_OK;
}

int iv_sign_test_topics(size_t *topics, size_t *steady, double power, double effect,
                        const iv_power_options *o, const iv_work *work, iv_err *err)
{
    const double rate = 1.0 - o->ties, guess = iv_normal_topics(power, effect, o) / rate;
    const double reach = (30.0 + 8.0 / (effect * (2.0 * o->certainty - 1.0))) / rate;
    iv_arena own = { 0 };
    decided d;

    if (!(2.0 * guess + 2.0 * reach + 100.0 / rate < (double)IV_PLAN_TOPICS_MAX))
        return iv_no_topics(power, effect, IV_PLAN_TOPICS_MAX / 2, err);
    const size_t high = (size_t)(2.0 * guess + 100.0 / rate), width = (size_t)reach;
    int rc = decided_new(&d, &own, o, effect, 1, high + width, err);
    if (rc == IV_OK)
        rc = look_around(topics, steady, power, passing(power, high, &d), width, &d, work, err);
    if (rc == IV_OK && *topics == 0)
        rc = iv_no_topics(power, effect, IV_PLAN_TOPICS_MAX / 2, err);
    iv_arena_free(&own);
    return rc;
}
