/* SPDX-License-Identifier: Apache-2.0 */
/* Power, and the topics or the effect that reach one. */
#include "plan/power_parts.h"

#include <math.h>

#include "base/checking.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "intervale/num.h"
#include "intervale/stat/sign_power.h"

const char *const *iv_planned_test_names(void)
{
    static const char *const names[] = { "randomisation", "t", "wilcoxon", "sign", "normal",
                                         NULL };

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
        return iv_fail(err, IV_EARG, "effect %g, expected from 0 to 1: the share of topics won "
                       "less the share lost", effect);
    if (!(effect >= 0.0 && effect <= 100.0))
        return iv_fail(err, IV_EARG, "effect %g, expected from 0 to 100 standard deviations",
                       effect);
    if (is_simulated(o) && o->experiments < 100)
        return iv_fail(err, IV_EARG, "%zu experiments, expected at least 100", o->experiments);
    return IV_OK;
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
    if (iv_planned_test_by_sign(o->test))
        return iv_sign_test_power(out, topics, effect, o, err);
    const bool two = o->sides == IV_BOTH_SIDES, certain = o->certainty == 1.0;
    const size_t few = o->test == IV_PLAN_T ? 0 : o->test == IV_PLAN_WILCOXON ? IV_WILCOXON_FEW
        : iv_randomisation_few(o->alpha);
    if (!certain || topics <= few)
        return iv_simulated_power(out, topics, effect, o, work, err);
    if (o->test == IV_PLAN_WILCOXON)
        return iv_wilcoxon_power(out, topics, effect, o->alpha, two, err);
    IV_TRY(iv_t_power(out, topics, effect, o->alpha, two, err));
    if (o->test == IV_PLAN_RANDOMISATION)
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

/* Whether n topics are enough, for a search of which nobody knows how long it is. */
typedef struct asking {
    double power, effect;
    const iv_power_options *o;
    search parts;
} asking;

static int is_enough(bool *out, asking *a, size_t n, iv_err *err)
{
    iv_power at = { 0 };
    const int rc = power_at(&at, n, a->effect, a->o, next_part(&a->parts), err);

    *out = at.power >= a->power;
    return rc;
}

/* Power that rises with the number of topics: from a guess in growing steps, then
 * halving. */
static int rising_topics(size_t *topics, double power, double effect,
                         const iv_power_options *o, const iv_work *work, iv_err *err)
{
    asking a = { power, effect, o, { .work = work } };
    const size_t most = o->certainty == 1.0 ? IV_PLAN_TOPICS_MAX : 10000;
    const double guess = fmin(2.0 + iv_normal_topics(power, effect, o), (double)most);
    size_t low = 1, high = most, step = 1 + (size_t)guess / 32;
    bool enough = false;

    IV_TRY(is_enough(&enough, &a, (size_t)guess, err));
    for (size_t n = (size_t)guess; high - low > 1; step *= 2) {
        if (enough) {
            high = n;
            n = n > low + step ? n - step : low + 1;
        } else {
            low = n;
            n = n + step < high ? n + step : high;
        }
        const bool before = enough;
        if (n == low || (n == high && enough))
            break;
        IV_TRY(is_enough(&enough, &a, n, err));
        if (enough != before || n == most || n == 2) {
            *(enough ? &high : &low) = n;
            break;
        }
    }
    if (low == most)
        return iv_no_topics(power, effect, most, err);
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        IV_TRY(is_enough(&enough, &a, middle, err));
        *(enough ? &high : &low) = middle;
    }
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
