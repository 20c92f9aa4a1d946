/* SPDX-License-Identifier: Apache-2.0 */
/* Power, and the topics or the effect that reach one. */
#include "plan/power_parts.h"

#include <math.h>

#include "base/checking.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "intervale/stat/sign_power.h"
#include "base/base_private.h"
#include "num/num_private.h"
#include "plan/topics_private.h"

const char *const *iv_planned_test_names(void)
{
    static const char *const names[] = { "t", "wilcoxon", "sign", "normal", NULL };

    return names;
}

bool iv_planned_test_by_sign(iv_planned_test test)
{
    return test == IV_PLAN_SIGN || test == IV_PLAN_SIGN_NORMAL;
}

const char *const *iv_sides_names(void)
{
    static const char *const names[] = { "two", "one", NULL };

    return names;
}

iv_power_options iv_power_known(const iv_power_options *given)
{
    iv_power_options o = given == NULL ? (iv_power_options){ 0 } : *given;

    o.alpha = o.alpha == 0.0 ? 0.05 : o.alpha;
    o.certainty = o.certainty == 0.0 ? 1.0 : o.certainty;
    return o;
}

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

/* With a certainty below 1 differences change their sign by chance: their mean is smaller, and their
 * standard deviation larger. */
static double uncertain(double effect, double certainty)
{
    const double left = effect * (2.0 * certainty - 1.0);

    return left / sqrt(1.0 + effect * effect - left * left);
}

static int power_at(iv_power *out, size_t topics, double effect, const iv_power_options *o,
                    const iv_work *work, iv_err *err)
{
    const size_t least = iv_planned_test_by_sign(o->test) ? 1 : 2;
    /* Wilcoxon's test is as good as the t test with 3 / pi of the topics (Hodges and Lehmann 1956). */
    const double share = o->test == IV_PLAN_WILCOXON ? 3.0 / acos(-1.0) : 1.0;
    int rc = check(effect, o, err);

    if (rc == IV_OK)
        rc = iv_check_work(work, 0.0, err);
    if (rc != IV_OK)
        return rc;
    if (topics < least || topics > IV_PLAN_TOPICS_MAX)
        return iv_fail(err, IV_EARG, "%zu topics, expected %zu to %d", topics, least,
                       IV_PLAN_TOPICS_MAX);
    if (iv_planned_test_by_sign(o->test))
        return iv_sign_test_power(out, topics, effect, o, err);
    IV_TRY(iv_t_power(out, share * (double)topics, uncertain(effect, o->certainty), o->alpha,
                      o->sides == IV_BOTH_SIDES, err));
    if (o->test == IV_PLAN_WILCOXON)
        out->critical = (double)NAN;
    return IV_OK;
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

int iv_no_topics(double power, double effect, size_t most, iv_err *err)
{
    return iv_fail(err, IV_ENODATA, "no number of topics up to %zu finds an effect of %g with "
                   "power %g", most, effect, power);
}

double iv_normal_topics(double power, double effect, const iv_power_options *o)
{
    const double tail = o->sides == IV_BOTH_SIDES ? 0.5 * o->alpha : o->alpha;
    const double h = effect * (2.0 * o->certainty - 1.0);
    const double z = iv_norm_quantile(power) + iv_norm_isf(tail);

    return z * z / (h * h);
}

/* A search for topics that reach a power, of which nobody knows how long it is. */
typedef struct asking {
    double power, effect;
    const iv_power_options *o;
    search parts;
    size_t low, high; /* low do not reach it, high do */
} asking;

static int ask(iv_power *at, asking *a, size_t n, iv_err *err)
{
    IV_TRY(power_at(at, n, a->effect, a->o, next_part(&a->parts), err));
    *(at->power >= a->power ? &a->high : &a->low) = n;
    return IV_OK;
}

/*
 * Phi^-1(power) and the critical value's rise about with the root of the number of
 * topics: where n topics that have power p say that the power asked for is.
 */
static size_t next_topics(const asking *a, size_t n, double p)
{
    const double tail = a->o->sides == IV_BOTH_SIDES ? 0.5 * a->o->alpha : a->o->alpha;
    const double critical = iv_norm_isf(tail);
    const double have = iv_norm_quantile(p) + critical;
    const double want = iv_norm_quantile(a->power) + critical;
    double next = (double)n * want * want / (have * have);

    if (!(p > 0.0 && p < 1.0) || !(have > 0.0))
        next = p >= a->power ? 0.5 * (double)n : 2.0 * (double)n;
    next = fmin(fmax(ceil(next), 0.1 * (double)n), 10.0 * (double)n);
    return (size_t)fmin(fmax(next, (double)a->low + 1.0), (double)a->high - 1.0);
}

/* Power that rises with the number of topics. */
static int rising_topics(size_t *topics, double power, double effect,
                         const iv_power_options *o, const iv_work *work, iv_err *err)
{
    const size_t most = IV_PLAN_TOPICS_MAX;
    const double guess = fmin(2.0 + iv_normal_topics(power, effect, o), (double)most);
    asking a = { power, effect, o, { .work = work }, 1, most + 1 }; /* of one topic there is no t */
    size_t n = (size_t)guess;
    iv_power at = { 0 };

    IV_TRY(ask(&at, &a, n, err));
    for (int tries = 0; a.high - a.low > 1; tries++) {
        const bool enclosed = a.high <= most;
        if (!enclosed && a.low == most)
            return iv_no_topics(power, effect, most, err);
        n = next_topics(&a, n, at.power);
        if (tries > 6 && enclosed)
            n = a.low + (a.high - a.low) / 2;
        IV_TRY(ask(&at, &a, n, err));
    }
    if (a.high > most)
        return iv_no_topics(power, effect, most, err);
    *topics = a.high;
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
    const iv_power_options o = iv_power_known(options);
    int rc = check(effect, &o, err);

    if (rc == IV_OK)
        rc = check_power(power, &o, err);
    if (rc == IV_OK && !(effect > 0.0))
        rc = iv_no_topics(power, effect, IV_PLAN_TOPICS_MAX / 2, err);
    if (rc != IV_OK)
        return rc;
    if (iv_planned_test_by_sign(o.test))
        return iv_sign_test_topics(topics, steady, power, effect, &o, work, err);
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
    double found = 0.0;
    if (w.rc == IV_OK)
        rc = iv_find_root(&found, missing_power, &w, 0.0, high, err);
    if (w.rc != IV_OK)
        return iv_fail_as(err, &why);
    if (rc == IV_OK)
        *effect = found;
    return rc;
}
