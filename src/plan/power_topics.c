/* SPDX-License-Identifier: Apache-2.0 */
/* Power, and the topics or the effect that reach one. */
#include "plan/power_parts.h"

#include <math.h>

#include "base/parallel.h"
#include "intervale/num.h"
#include "intervale/stat/sign_power.h"

const char *const *iv_planned_test_names(void)
{
    static const char *const names[] = { "sign", "normal", "t", "wilcoxon", "randomisation",
                                         NULL };

    return names;
}

bool iv_planned_test_by_sign(iv_planned_test test)
{
    return test == IV_PLAN_SIGN || test == IV_PLAN_SIGN_NORMAL;
}

const char *const *iv_sides_names(void)
{
    static const char *const names[] = { "one", "two", NULL };

    return names;
}

iv_power_options iv_power_known(const iv_power_options *given)
{
    iv_power_options o = given == NULL ? (iv_power_options){ 0 } : *given;

    o.alpha = o.alpha == 0.0 ? 0.05 : o.alpha;
    o.certainty = o.certainty == 0.0 ? 1.0 : o.certainty;
    o.experiments = o.experiments == 0 ? 10000 : o.experiments;
    return o;
}

static bool is_simulated(const iv_power_options *o)
{
    return !iv_planned_test_by_sign(o->test)
        && !(o->test == IV_PLAN_T && o->certainty == 1.0);
}

static int check(double effect, const iv_power_options *o, iv_err *err)
{
    if (!(o->alpha > 0.0 && o->alpha < 1.0))
        return iv_fail(err, IV_EARG, "alpha %g, expected between 0 and 1", o->alpha);
    if (!(o->certainty > 0.5 && o->certainty <= 1.0))
        return iv_fail(err, IV_EARG, "certainty %g, expected above 0.5 and at most 1",
                       o->certainty);
    if (iv_planned_test_by_sign(o->test) && !(effect >= 0.0 && effect <= 1.0))
        return iv_fail(err, IV_EARG, "effect %g, expected from 0 to 1: the share of topics won "
                       "less the share lost", effect);
    if (!(effect >= 0.0 && effect <= 100.0))
        return iv_fail(err, IV_EARG, "effect %g, expected from 0 to 100 standard deviations",
                       effect);
    if (is_simulated(o) && o->experiments < 100)
        return iv_fail(err, IV_EARG, "%zu experiments, expected at least 100", o->experiments);
    return IV_OK;
}

static iv_power sign_power(size_t topics, double effect, const iv_power_options *o)
{
    const int64_t n = (int64_t)topics;
    const double h = iv_uncertain_effect(effect, o->certainty);
    const double tail = o->sides == IV_BOTH_SIDES ? 0.5 * o->alpha : o->alpha;
    iv_power out = { 0.0, 0.0, 0.0 };

    if (o->test == IV_PLAN_SIGN) {
        out.power = iv_sign_power(n, h, o->alpha, o->sides == IV_BOTH_SIDES ? IV_TWO_SIDED : IV_GREATER);
        out.critical = (double)iv_sign_critical(n, tail);
    } else {
        out.power = iv_sign_power_normal(n, h, tail)
            + (o->sides == IV_BOTH_SIDES ? iv_sign_power_normal(n, -h, tail) : 0.0);
        out.critical = 0.5 * (double)n + 0.5 * iv_norm_isf(tail) * sqrt((double)n);
    }
    return out;
}

static int power_at(iv_power *out, size_t topics, double effect, const iv_power_options *o,
                    const iv_work *work, iv_err *err)
{
    const size_t least = o->test == IV_PLAN_T ? 2 : 1;
    int rc = check(effect, o, err);

    if (rc == IV_OK)
        rc = iv_check_work(work, 0.0, err);
    if (rc != IV_OK)
        return rc;
    if (topics < least || topics > IV_PLAN_TOPICS_MAX)
        return iv_fail(err, IV_EARG, "%zu topics, expected %zu to %d", topics, least,
                       IV_PLAN_TOPICS_MAX);
    if (iv_planned_test_by_sign(o->test)) {
        *out = sign_power(topics, effect, o);
        return IV_OK;
    }
    return is_simulated(o) ? iv_simulated_power(out, topics, effect, o, work, err)
        : iv_t_power(out, topics, effect, o->alpha, o->sides == IV_BOTH_SIDES, err);
}

int iv_power_at(iv_power *out, size_t topics, double effect, const iv_power_options *options,
                const iv_work *work, iv_err *err)
{
    const iv_power_options o = iv_power_known(options);

    return power_at(out, topics, effect, &o, work, err);
}

/* Nobody knows how many powers a search looks at: half of what is left for each. */
typedef struct search {
    const iv_work *work;
    iv_stage stage;
    double done;
} search;

static const iv_work *next_part(search *s)
{
    const double from = s->done;

    s->done = 0.5 * (1.0 + from);
    return iv_work_part(&s->stage, s->work, from, s->done);
}

/* ------------------------------------------------- topics that reach a power -- */

static int no_topics(double power, double effect, size_t most, iv_err *err)
{
    return iv_fail(err, IV_ENODATA, "no number of topics up to %zu finds an effect of %g with "
                   "power %g", most, effect, power);
}

/* What the normal form of the sign test would take: where to begin. */
static double normal_topics(double power, double effect, const iv_power_options *o)
{
    const double tail = o->sides == IV_BOTH_SIDES ? 0.5 * o->alpha : o->alpha;
    const double h = effect * (2.0 * o->certainty - 1.0);
    const double z = iv_norm_quantile(power) + iv_norm_isf(tail);

    return z * z / (h * h);
}

/* Some n at which the power passes what is wanted, by halving. */
static size_t passing(double power, double effect, double guess, const iv_power_options *o)
{
    size_t low = 0, high = (size_t)(2.0 * guess) + 100;

    high = high < IV_PLAN_TOPICS_MAX ? high : IV_PLAN_TOPICS_MAX;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (sign_power(middle, effect, o).power >= power)
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
static int sign_topics(size_t *topics, size_t *steady, double power, double effect,
                       const iv_power_options *o, const iv_work *work, iv_err *err)
{
    const double guess = normal_topics(power, effect, o);
    const double reach = 30.0 + 8.0 / (effect * (2.0 * o->certainty - 1.0));
    size_t first = 0, last_below = 0;

    if (!(2.0 * guess + reach < (double)IV_PLAN_TOPICS_MAX))
        return no_topics(power, effect, IV_PLAN_TOPICS_MAX / 2, err);
    const size_t middle = passing(power, effect, guess, o), width = (size_t)reach;
    const size_t from = middle > width ? middle - width : 1;
    for (size_t n = from; n <= middle + width; n++) {
        const double done = (double)(n - from) / (double)(middle + width - from + 1);
        if (n % 256 == 0 && iv_check_work(work, done, err) != IV_OK)
            return IV_ECANCELLED;
        if (sign_power(n, effect, o).power >= power)
            first = first == 0 ? n : first;
        else
            last_below = n;
    }
    if (first == 0)
        return no_topics(power, effect, IV_PLAN_TOPICS_MAX / 2, err);
    *topics = first;
    if (steady != NULL)
        *steady = last_below + 1 > first ? last_below + 1 : first;
    return IV_OK;
}

/* Power that rises with the number of topics: doubling, then halving. */
static int rising_topics(size_t *topics, double power, double effect,
                         const iv_power_options *o, const iv_work *work, iv_err *err)
{
    search s = { .work = work };
    const size_t most = is_simulated(o) ? 10000 : IV_PLAN_TOPICS_MAX;
    size_t low = 1, high = 2; /* low is not enough */
    iv_power at = { 0.0, 0.0, 0.0 };
    int rc = IV_OK;

    while ((rc = power_at(&at, high, effect, o, next_part(&s), err)) == IV_OK
           && at.power < power) {
        if (high == most)
            return no_topics(power, effect, most, err);
        low = high;
        high = 2 * high < most ? 2 * high : most;
    }
    while (rc == IV_OK && high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        rc = power_at(&at, middle, effect, o, next_part(&s), err);
        if (at.power >= power)
            high = middle;
        else
            low = middle;
    }
    if (rc == IV_OK)
        *topics = high;
    return rc;
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
    const iv_power_options o = iv_power_known(options);
    int rc = check(effect, &o, err);

    if (rc == IV_OK)
        rc = check_power(power, &o, err);
    if (rc == IV_OK && !(effect > 0.0))
        rc = no_topics(power, effect, IV_PLAN_TOPICS_MAX / 2, err);
    if (rc != IV_OK)
        return rc;
    if (iv_planned_test_by_sign(o.test))
        return sign_topics(topics, steady, power, effect, &o, work, err);
    rc = rising_topics(topics, power, effect, &o, work, err);
    if (rc == IV_OK && steady != NULL)
        *steady = *topics;
    return rc;
}

/* ------------------------------------------------- the effect that reaches it -- */

typedef struct wanted {
    size_t topics;
    double power;
    const iv_power_options *o;
    search parts;
    int rc;      /* of the powers asked for so far */
    iv_err *err;
} wanted;

static double missing_power(double effect, void *user)
{
    wanted *w = user;
    iv_power at = { 0 };

    if (w->rc == IV_OK)
        w->rc = power_at(&at, w->topics, effect, w->o, next_part(&w->parts), w->err);
    return w->rc == IV_OK ? at.power - w->power : (double)NAN;
}

/* Simulated powers are steps in the effect: halving to a thousandth. */
static double halved_effect(wanted *w, double high)
{
    double low = 0.0;

    for (int k = 0; k < 40 && high - low > 5e-4 * high; k++) {
        const double middle = 0.5 * (low + high);
        if (missing_power(middle, w) >= 0.0)
            high = middle;
        else
            low = middle;
    }
    return high;
}

static int find_effect(double *effect, wanted *w, double high, iv_err *err)
{
    double found = 0.0;
    int rc = IV_OK;

    if (is_simulated(w->o))
        found = halved_effect(w, high);
    else
        rc = iv_find_root(&found, missing_power, w, 0.0, high, err);
    if (w->rc != IV_OK)
        return w->rc;
    if (rc == IV_OK)
        *effect = found;
    return rc;
}

int iv_power_effect(double *effect, double power, size_t topics,
                    const iv_power_options *options, const iv_work *work, iv_err *err)
{
    const iv_power_options o = iv_power_known(options);
    iv_err why = { .code = IV_OK };
    wanted w = { .topics = topics, .power = power, .o = &o, .parts = { .work = work },
                 .err = &why };
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
    if (w.rc == IV_OK)
        rc = find_effect(effect, &w, high, err);
    if (w.rc != IV_OK && err != NULL)
        *err = why;
    return w.rc != IV_OK ? w.rc : rc;
}
