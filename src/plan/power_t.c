/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Power of the t test for normal differences, and the interval of an effect.
 *
 * With nu = n - 1 and W the estimated over the true standard deviation,
 * nu W^2 is chi-square, independent of the mean, so that
 *
 *     P(T > c) = int Phi(d sqrt(n) - c w) f_W(w) dw.
 */
#include <math.h>
#include <stdlib.h>

#include "base/checking.h"
#include "base/parallel.h"
#include "intervale/stat/sign_power.h"
#include "plan/power_parts.h"
#include "num/num_private.h"
#include "plan/topics_private.h"

typedef struct noncentral {
    double nu, shift, critical;
    bool two_sided;
} noncentral;

static double given_sd(double w, void *user)
{
    const noncentral *x = user;
    const double density = 2.0 * x->nu * w * exp(iv_chisq_log_pdf(x->nu * w * w, x->nu));
    const double above = iv_norm_cdf(x->shift - x->critical * w);

    if (w <= 0.0)
        return 0.0;
    return density * (above + (x->two_sided ? iv_norm_cdf(-x->shift - x->critical * w) : 0.0));
}

/*
 * The same sum by the trapezoidal rule, which is as good as exact for a density that
 * vanishes at both ends; what it is divided by makes a constant factor needless.
 */
static double summed_tail(const noncentral *x)
{
    enum { HALF = 17 };
    const double spread = 1.0 / sqrt(2.0 * x->nu);
    double sum = 0.0, mass = 0.0;

    for (int k = -HALF; k <= HALF; k++) {
        const double w = 1.0 + 0.5 * spread * k;
        if (w <= 0.0)
            continue;
        const double density = exp((x->nu - 1.0) * log(w) - 0.5 * x->nu * (w * w - 1.0));
        double p = iv_norm_cdf(x->shift - x->critical * w);
        if (x->two_sided && x->shift + x->critical * w < 9.0) /* else below 1e-18 */
            p += iv_norm_cdf(-x->shift - x->critical * w);
        mass += density;
        sum += density * p;
    }
    return sum / mass;
}

enum { SUMMED = 30 }; /* degrees of freedom and more */

static int noncentral_tail(double *out, noncentral *x, iv_err *err)
{
    if (x->nu >= SUMMED) {
        *out = fmin(summed_tail(x), 1.0);
        return IV_OK;
    }

    const double spread = 1.0 / sqrt(2.0 * x->nu);
    const double from = fmax(0.0, 1.0 - 12.0 * spread), to = 1.0 + 12.0 * spread;
    iv_integral sum;
    int rc = IV_OK;

    *out = 0.0;
    for (int k = 0; k < 2 && rc == IV_OK; k++) {
        const double a = k == 0 ? from : 1.0, b = k == 0 ? 1.0 : to;
        rc = iv_integrate(&sum, given_sd, x, a, b, 1e-11, err);
        if (rc == IV_OK)
            *out += sum.value;
    }
    *out = fmin(*out, 1.0);
    return rc;
}

int iv_t_power(iv_power *out, double topics, double effect, double alpha, bool two_sided,
               iv_err *err)
{
    const double nu = fmax(topics - 1.0, 0.5);
    noncentral x = { nu, effect * sqrt(topics),
                     iv_t_isf(two_sided ? 0.5 * alpha : alpha, nu), two_sided };
    double power;
    const int rc = noncentral_tail(&power, &x, err);

    if (rc == IV_OK)
        *out = (iv_power){ power, x.critical };
    return rc;
}

/* ------------------------------------------------------ intervals of effects -- */

typedef struct effect_tail {
    double n, t, want;
    iv_err *err;
} effect_tail;

/* P(T > t) at an effect d, less what is wanted. */
static double tail_at(double d, void *user)
{
    const effect_tail *e = user;
    noncentral x = { e->n - 1.0, d * sqrt(e->n), e->t, false };
    double p;

    return noncentral_tail(&p, &x, e->err) == IV_OK ? p - e->want : (double)NAN;
}

/* The effect at which P(T > t) is `want`. */
static int effect_of_tail(double *out, double n, double t, double want, iv_err *err)
{
    effect_tail e = { n, t, want, NULL };
    const double effect = t / sqrt(n), se = sqrt((1.0 + 0.5 * effect * effect) / n);

    if (!(want > 0.0 && want < 1.0))
        return iv_fail(err, IV_EARG, "the confidence is too near to 1 for an interval of the effect");
    const double near = effect + iv_norm_quantile(want) * se;
    double below = 0.3 * se, above = 0.3 * se;

    while (below < 1e3 && tail_at(near - below, &e) > 0.0)
        below *= 3.0;
    while (above < 1e3 && tail_at(near + above, &e) < 0.0)
        above *= 3.0;
    return iv_find_root(out, tail_at, &e, near - below, near + above, err);
}

static int standardised(iv_pilot_topics *out, const iv_differences *x, double confidence, iv_err *err)
{
    const double side = 0.5 * (1.0 - confidence), n = (double)x->n;

    if (!(x->sd > 0.0))
        return iv_fail(err, IV_ENODATA, "all differences of the pilot are the same");
    const double effect = fabs(x->mean / x->sd);
    iv_pilot_topics found = { .pilot = x->n, .ties = (double)x->ties / n,
                              .a_better = x->mean > 0.0, .effect = effect, .upper = effect };
    if (effect <= IV_MOST_EFFECT) {
        IV_TRY(effect_of_tail(&found.lower, n, effect * sqrt(n), side, err));
        IV_TRY(effect_of_tail(&found.upper, n, effect * sqrt(n), 1.0 - side, err));
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

int iv_topics_from_pilot(iv_pilot_topics *out, const iv_differences *x, double power,
                         double confidence, const iv_power_options *options, const iv_work *work,
                         iv_err *err)
{
    iv_power_options o = iv_power_known(options);
    iv_pilot_topics found;
    iv_stage stage;

    if (x->n < 2)
        return iv_fail(err, IV_ENODATA, "the pilot has %zu topic%s, expected at least two", x->n,
                       x->n == 1 ? "" : "s");
    if (!(confidence > 0.0 && confidence < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected between 0 and 1", confidence);
    IV_TRY(iv_planned_test_by_sign(o.test) ? by_wins(&found, x, confidence, err)
                                           : standardised(&found, x, confidence, err));
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
