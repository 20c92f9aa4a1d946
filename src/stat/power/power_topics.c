/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Power of the sign test, with topics that tie.
 *
 * Ties are discarded by the test, and nobody knows beforehand how many there will be: of
 * n topics a number M decide, M binomial, and the power is the mean of that of M topics.
 */

#include "base/arguments.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/parallel.h"
#include "num/dist.h"
#include "num/solve.h"
#include "stat/power/power.h"
#include "stat/sign_power.h"

#include <math.h>

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
    return fmin(sum, 1.0); /* but for rounding */
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

/* The exact sign test, or its normal form; ties as in the options. */
static int sign_test_power(iv_power *out, size_t topics, double effect,
                           const iv_power_options *o,
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

/* What the normal form of a test takes, effects in standard deviations: where to begin. */
static double normal_topics(double power, double effect, const iv_power_options *o)
{
    const double tail = o->sides == IV_BOTH_SIDES ? 0.5 * o->alpha : o->alpha;
    const double h = effect * (2.0 * o->certainty - 1.0);
    const double z = iv_norm_quantile(power) + iv_norm_isf(tail);

    return z * z / (h * h);
}

static int no_topics(double power, double effect, size_t most, iv_err *err)
{
    return iv_fail(err, IV_ENODATA, "no number of topics up to %zu finds an effect of %g with "
                   "power %g", most, effect, power);
}

static int sign_test_topics(size_t *topics, size_t *steady, double power, double effect,
                            const iv_power_options *o, const iv_work *work, iv_err *err)
{
    const double rate = 1.0 - o->ties, guess = normal_topics(power, effect, o) / rate;
    const double reach = (30.0 + 8.0 / (effect * (2.0 * o->certainty - 1.0))) / rate;
    iv_arena own = { 0 };
    decided d;

    if (!(2.0 * guess + 2.0 * reach + 100.0 / rate < (double)IV_PLAN_TOPICS_MAX))
        return no_topics(power, effect, IV_PLAN_TOPICS_MAX / 2, err);
    const size_t high = (size_t)(2.0 * guess + 100.0 / rate), width = (size_t)reach;
    int rc = decided_new(&d, &own, o, effect, 1, high + width, err);
    if (rc == IV_OK)
        rc = look_around(topics, steady, power, passing(power, high, &d), width, &d, work, err);
    if (rc == IV_OK && *topics == 0)
        rc = no_topics(power, effect, IV_PLAN_TOPICS_MAX / 2, err);
    iv_arena_free(&own);
    return rc;
}

/* --------------------------------------------------------------- power t -- */

/*
 * Power of the t test for normal differences, and the interval of an effect.
 *
 * With nu = n - 1 and W the estimated over the true standard deviation,
 * nu W^2 is chi-square, independent of the mean, so that
 *
 *     P(T > c) = int Phi(d sqrt(n) - c w) f(y) dy,  w = exp(y),  f ~ exp(nu (y - w^2 / 2)).
 */

typedef struct noncentral {
    double nu, shift, critical;
    bool two_sided;
    double want; /* of the tail, where its shift is looked for */
} noncentral;

/* By the trapezoidal rule, which is as good as exact for a smooth density that vanishes at both
 * ends; what it is divided by makes a constant factor needless. */
static double noncentral_tail(const noncentral *x)
{
    const double step = fmin(0.12, 0.5 / sqrt(2.0 * x->nu));
    double sum = 0.0, mass = 0.0;

    for (int side = -1; side <= 1; side += 2)
        for (int k = side < 0 ? 1 : 0;; k++) {
            const double y = side * k * step, w = exp(y);
            const double density = exp(x->nu * (y - 0.5 * (w * w - 1.0)));
            double p = iv_norm_cdf(x->shift - x->critical * w);
            if (density < 1e-18)
                break;
            if (x->two_sided)
                p += iv_norm_cdf(-x->shift - x->critical * w);
            mass += density;
            sum += density * p;
        }
    return fmin(sum / mass, 1.0);
}

/* The t test, from the distribution of its standard deviation. */
static iv_power t_power(double topics, double effect, double alpha, bool two_sided)
{
    const double nu = fmax(topics - 1.0, 0.5);
    const noncentral x = { nu, effect * sqrt(topics),
                           iv_t_isf(two_sided ? 0.5 * alpha : alpha, nu), two_sided };

    return (iv_power){ noncentral_tail(&x), x.critical };
}

/* ------------------------------------------------------ intervals of effects -- */

/* P(T > t) at a shift, less what is wanted. */
static double tail_at(double shift, void *user)
{
    noncentral x = *(const noncentral *)user;

    x.shift = shift;
    return noncentral_tail(&x) - x.want;
}

/* The shift at which P(T > t) is `want`. */
static int shift_of_tail(double *out, double df, double t, double want, iv_err *err)
{
    noncentral e = { df, 0.0, t, false, want };
    const double se = sqrt(1.0 + 0.5 * t * t / (df + 1.0));

    if (!(want > 0.0 && want < 1.0))
        return iv_fail(err, IV_EARG, "the confidence is too near to 1 for an interval of the "
                       "effect");
    const double near = t + iv_norm_quantile(want) * se;
    double below = 0.3 * se, above = 0.3 * se;

    while (below < 1e3 && tail_at(near - below, &e) > 0.0)
        below *= 3.0;
    while (above < 1e3 && tail_at(near + above, &e) < 0.0)
        above *= 3.0;
    return iv_find_root(out, tail_at, &e, near - below, near + above, err);
}

static int standardised(iv_pilot_topics *out, const iv_differences *x, double shared, double df,
                        double confidence, iv_err *err)
{
    const double side = 0.5 * (1.0 - confidence), n = (double)x->n;
    const double se = sqrt(x->sd * x->sd / n + shared); /* of the mean */

    if (!(x->sd > 0.0))
        return iv_fail(err, IV_ENODATA, "all differences of the pilot are the same");
    const double effect = fabs(x->mean / x->sd);
    iv_pilot_topics found = { .pilot = x->n, .ties = (double)x->ties / n,
                              .a_better = x->mean > 0.0, .effect = effect, .upper = effect };
    if (effect <= IV_MOST_EFFECT) {
        IV_TRY(shift_of_tail(&found.lower, df, fabs(x->mean) / se, side, err));
        IV_TRY(shift_of_tail(&found.upper, df, fabs(x->mean) / se, 1.0 - side, err));
        found.lower *= se / x->sd;
        found.upper *= se / x->sd;
    }
    if (!(found.upper <= IV_MOST_EFFECT)) /* such as those that differ by rounding */
        return iv_fail(err, IV_ENODATA, "all differences of the pilot are nearly the same");
    *out = found;
    return IV_OK;
}

static int by_wins(iv_pilot_topics *out, const iv_differences *x, double confidence, iv_err *err)
{
    const size_t most = x->wins > x->losses ? x->wins : x->losses;
    const size_t used = x->wins + x->losses;
    const double side = 0.5 * (1.0 - confidence);
    const double a = (double)most + 0.5, b = (double)(used - most) + 0.5;

    if (used == 0)
        return iv_fail(err, IV_ENODATA, "the two do not differ on any topic of the pilot");
    *out = (iv_pilot_topics){
        .pilot = x->n, .ties = (double)x->ties / (double)x->n, .a_better = x->wins >= x->losses,
        .effect = 2.0 * (double)most / (double)used - 1.0,
        .lower = 2.0 * iv_beta_quantile(side, a, b) - 1.0,
        .upper = most == used ? 1.0 : 2.0 * iv_beta_isf(side, a, b) - 1.0 };
    return IV_OK;
}

/* SIZE_MAX where no number of topics is enough. */
static int topics_or_none(size_t *out, double power, double effect,
                          const iv_power_options *o, const iv_work *work, iv_err *err)
{
    int rc = IV_ENODATA;

    *out = SIZE_MAX;
    if (effect > 0.0)
        rc = iv_power_topics(out, NULL, power, effect, o, work, err);
    return rc == IV_ENODATA ? IV_OK : rc;
}

/* The options with numbers in place of defaults; given may be NULL. */
static iv_power_options power_known(const iv_power_options *given)
{
    iv_power_options o = given == NULL ? (iv_power_options){ 0 } : *given;

    o.alpha = o.alpha == 0.0 ? 0.05 : o.alpha;
    o.certainty = o.certainty == 0.0 ? 1.0 : o.certainty;
    return o;
}

int iv_topics_from_pilot(iv_pilot_topics *out, const iv_differences *x, double shared, double df,
                         double power, double confidence, const iv_power_options *options,
                         const iv_work *work, iv_err *err)
{
    iv_power_options o = power_known(options);
    iv_pilot_topics found = { 0 };
    iv_stage stage;

    if (x->n < 2)
        return iv_fail(err, IV_ENODATA, "the pilot has %zu topic%s, expected at least two", x->n,
                       x->n == 1 ? "" : "s");
    if (!(confidence > 0.0 && confidence < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected between 0 and 1", confidence);
    IV_TRY(iv_planned_test_by_sign(o.test) ? by_wins(&found, x, confidence, err)
                                           : standardised(&found, x, shared, df, confidence, err));
    if (iv_planned_test_by_sign(o.test))
        o.ties = found.ties;
    IV_TRY(topics_or_none(&found.topics, power, found.effect, &o,
                          iv_work_part(&stage, work, 0.0, 0.3), err));
    IV_TRY(topics_or_none(&found.fewest, power, found.upper, &o,
                          iv_work_part(&stage, work, 0.3, 0.6), err));
    IV_TRY(topics_or_none(&found.most, power, found.lower, &o,
                          iv_work_part(&stage, work, 0.6, 1.0), err));
    *out = found;
    return IV_OK;
}

/* ---------------------------------------------------------- power topics -- */

/* Power, and the topics or the effect that reach one. */

IV_NAMES(iv_planned_test_names, "t", "wilcoxon", "sign", "normal")

bool iv_planned_test_by_sign(iv_planned_test test)
{
    return test == IV_PLAN_SIGN || test == IV_PLAN_SIGN_NORMAL;
}

IV_NAMES(iv_sides_names, "two", "one")

static int check(double effect, const iv_power_options *o, iv_err *err)
{
    IV_TRY(iv_check_choice(o->test, iv_planned_test_names(), "the test", err));
    IV_TRY(iv_check_choice(o->sides, iv_sides_names(), "sides", err));
    if (!(o->alpha > 0.0 && o->alpha < 1.0))
        return iv_fail(err, IV_EARG, "alpha %g, expected between 0 and 1", o->alpha);
    if (!(o->ties >= 0.0 && o->ties < 1.0))
        return iv_fail(err, IV_EARG, "%g of the topics tie, expected from 0 to less than 1",
                       o->ties);
    if (!(o->certainty > 0.5 && o->certainty <= 1.0))
        return iv_fail(err, IV_EARG, "certainty %g, expected above 0.5 and at most 1",
                       o->certainty);
    if (iv_planned_test_by_sign(o->test) && !(effect >= 0.0 && effect <= 1.0))
        return iv_fail(err, IV_EARG, "effect %g, expected from 0 to 1: the proportion of topics "
                       "won less the proportion lost", effect);
    if (!(effect >= 0.0 && effect <= IV_MOST_EFFECT))
        return iv_fail(err, IV_EARG, "effect %g, expected from 0 to %d standard deviations",
                       effect, (int)IV_MOST_EFFECT);
    return IV_OK;
}

/* With a certainty below 1 differences change their sign by chance: their mean is smaller, and
 * their standard deviation larger. */
static double uncertain(double effect, double certainty)
{
    const double left = effect * (2.0 * certainty - 1.0);

    return left / sqrt(1.0 + effect * effect - left * left);
}

static int power_at(iv_power *out, size_t topics, double effect, const iv_power_options *o,
                    const iv_work *work, iv_err *err)
{
    const size_t least = iv_planned_test_by_sign(o->test) ? 1 : 2;
    /* Wilcoxon's test is as good as the t test with 3 / pi of the topics (Hodges and Lehmann
     * 1956). */
    const double share = o->test == IV_PLAN_WILCOXON ? 3.0 / acos(-1.0) : 1.0;

    IV_TRY(check(effect, o, err));
    IV_TRY(iv_check_work(work, 0.0, err));
    if (topics < least || topics > IV_PLAN_TOPICS_MAX)
        return iv_fail(err, IV_EARG, "%zu topics, expected %zu to %d", topics, least,
                       IV_PLAN_TOPICS_MAX);
    if (iv_planned_test_by_sign(o->test))
        return sign_test_power(out, topics, effect, o, err);
    *out = t_power(share * (double)topics, uncertain(effect, o->certainty), o->alpha,
                   o->sides == IV_BOTH_SIDES);
    if (o->test == IV_PLAN_WILCOXON)
        out->critical = (double)NAN;
    return IV_OK;
}

int iv_power_at(iv_power *out, size_t topics, double effect, const iv_power_options *options,
                const iv_work *work, iv_err *err)
{
    const iv_power_options o = power_known(options);

    return power_at(out, topics, effect, &o, work, err);
}

/* ------------------------------------------------- topics that reach a power -- */

/* Power that rises with the number of topics; of one topic there is no t. */
static int rising_topics(size_t *topics, double power, double effect,
                         const iv_power_options *o, const iv_work *work, iv_err *err)
{
    size_t low = 1, high = IV_PLAN_TOPICS_MAX + (size_t)1;
    iv_power at = { 0 };

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        IV_TRY(power_at(&at, middle, effect, o, work, err));
        *(at.power >= power ? &high : &low) = middle;
    }
    if (high > IV_PLAN_TOPICS_MAX)
        return no_topics(power, effect, IV_PLAN_TOPICS_MAX, err);
    *topics = high;
    return IV_OK;
}

static int check_power(double power, const iv_power_options *o, iv_err *err)
{
    if (!(power > o->alpha && power < 1.0))
        return iv_fail(err, IV_EARG, "power %g, expected between alpha (%g) and 1", power,
                       o->alpha);
    return IV_OK;
}

int iv_power_topics(size_t *topics, size_t *steady, double power, double effect,
                    const iv_power_options *options, const iv_work *work, iv_err *err)
{
    const iv_power_options o = power_known(options);

    IV_TRY(check(effect, &o, err));
    IV_TRY(check_power(power, &o, err));
    if (!(effect > 0.0))
        return no_topics(power, effect, IV_PLAN_TOPICS_MAX / 2, err);
    if (iv_planned_test_by_sign(o.test))
        return sign_test_topics(topics, steady, power, effect, &o, work, err);
    IV_TRY(rising_topics(topics, power, effect, &o, work, err));
    if (steady != NULL)
        *steady = *topics;
    return IV_OK;
}

/* ------------------------------------------------- the effect that reaches it -- */

typedef struct wanted {
    size_t topics;
    double power;
    const iv_power_options *o;
    const iv_work *work;
    int rc;      /* of the powers asked for so far */
    iv_err *err;
} wanted;

static double missing_power(double effect, void *user)
{
    wanted *w = user;
    iv_power at = { 0 };

    if (w->rc == IV_OK)
        w->rc = power_at(&at, w->topics, effect, w->o, w->work, w->err);
    return w->rc == IV_OK ? at.power - w->power : (double)NAN;
}

int iv_power_effect(double *effect, double power, size_t topics,
                    const iv_power_options *options, const iv_work *work, iv_err *err)
{
    const iv_power_options o = power_known(options);
    iv_err why = { .code = IV_OK };
    wanted w = { .topics = topics, .power = power, .o = &o, .work = work, .err = &why };
    double high = iv_planned_test_by_sign(o.test) ? 1.0 : 0.125;
    int rc = check_power(power, &o, err);

    if (rc != IV_OK)
        return rc;
    double missing = missing_power(high, &w); /* tells of bad arguments */
    while (!iv_planned_test_by_sign(o.test) && high < 64.0 && missing < 0.0)
        missing = missing_power(high *= 2.0, &w);
    if (w.rc == IV_OK && missing < 0.0)
        return iv_fail(err, IV_ENODATA, "no effect is found by %zu topic%s with power %g at "
                       "alpha %g", topics, topics == 1 ? "" : "s", power, o.alpha);
    double found = 0.0;
    if (w.rc == IV_OK)
        rc = iv_find_root(&found, missing_power, &w, 0.0, high, err);
    if (w.rc != IV_OK)
        return iv_fail_as(err, &why);
    if (rc == IV_OK)
        *effect = found;
    return rc;
}
