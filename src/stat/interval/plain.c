/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intervals on a mean that need no resamples: Student's t on three scales, and the
 * limits of a share.
 *
 * Refs: Clopper and Pearson (1934), Biometrika 26, 404-413; Lancaster (1961),
 * Significance tests in discrete distributions, JASA 56 (mid-P); Hoeffding (1963),
 * JASA 58, 13-30; Bentkus (2004), On Hoeffding's inequalities, Annals of Probability
 * 32, 1650-1673.
 */
#include <math.h>

#include "stat/interval/bootstrap.h"

/* ------------------------------------------------------ Student's t, scaled -- */

static void t_limits(iv_mean_interval *out, double tail)
{
    const double reach = iv_t_isf(tail, (double)(out->n - 1)) * out->se;

    out->lower = out->mean - reach;
    out->upper = out->mean + reach;
    if (out->constant) /* without rounding's dust */
        out->lower = out->upper = out->mean;
}

/*
 * Values without an upper bound are skewed, and their variance is as uncertain as that of
 * fewer normal ones: half the degrees of freedom bring coverage to its level at n = 10.
 * Below three there is no end to t, and nothing more is learnt.
 */
static double degrees(const iv_mean_interval *x)
{
    const double all = (double)(x->n - 1);

    return x->method == IV_INTERVAL_LOGIT_T ? all : fmax(0.5 * all, fmin(all, 3.0));
}

/* On the scale of logits or logarithms, by the slope of the scale at the mean. */
static void scaled_limits(iv_mean_interval *out, double tail)
{
    const bool logit = out->method == IV_INTERVAL_LOGIT_T;
    const double m = out->mean, t = iv_t_isf(tail, degrees(out));
    const double reach = t * out->se / (logit ? m * (1.0 - m) : m);

    if (logit) {
        const double at = log(m / (1.0 - m));
        out->lower = 1.0 / (1.0 + exp(reach - at));
        out->upper = 1.0 / (1.0 + exp(-reach - at));
    } else {
        out->lower = m * exp(-reach);
        out->upper = m * exp(reach);
    }
}

/*
 * All n values are c, in [0, 1].  If a share p of all topics has that value, n of n have
 * it with probability p^n, so that p is at least (2 tail)^(1/n) by mid-P; the others lie
 * anywhere between 0 and 1.
 */
static void constant_limits(iv_mean_interval *out, double tail)
{
    const double p = pow(2.0 * tail, 1.0 / (double)out->n), c = out->mean;

    out->lower = c * p;
    out->upper = c * p + (1.0 - p);
}

/* ---------------------------------------------------------------- of a share -- */

/* The lower limit of a share: where a bound of P(S >= sum) passes the tail. */
typedef struct share {
    iv_interval_method method;
    double sum, n, tail;
} share;

/* log of Chernoff's bound of P(S >= sum), S of n values in [0, 1] with mean p. */
static double chernoff(const share *s, double p)
{
    const double a = s->sum / s->n, b = 1.0 - a;

    return -s->n * (a * log(a / p) + (b > 0.0 ? b * log(b / (1.0 - p)) : 0.0));
}

static double above_tail(double p, void *user)
{
    const share *s = user;
    const int64_t k = (int64_t)floor(s->sum + 1e-9), n = (int64_t)s->n;
    const double reached = iv_binom_sf(k - 1, n, p);

    if (s->method == IV_INTERVAL_BINOMIAL)
        return 0.5 * (reached + iv_binom_sf(k, n, p)) - s->tail;
    if (s->method == IV_INTERVAL_EXACT)
        return reached - s->tail;
    return fmin(exp(1.0) * reached, exp(chernoff(s, p))) - s->tail;
}

/* 0 where the sum is; the bounds rise with p up to the mean, which is the limit where they do
 * not pass the tail: of a confidence next to nothing. */
static double lower_share(share *s)
{
    const double mean = s->sum / s->n;
    double limit;

    if (!(s->sum > 0.0))
        return 0.0;
    return iv_find_root(&limit, above_tail, s, 0.0, mean, NULL) == IV_OK ? limit : mean;
}

static void share_limits(iv_mean_interval *out, double tail)
{
    const double n = (double)out->n, sum = out->mean * n;
    const bool counts = out->method != IV_INTERVAL_BOUNDED;
    share from_below = { out->method, counts ? nearbyint(sum) : sum, n, tail };
    share from_above = from_below;

    from_above.sum = n - from_below.sum;
    out->lower = lower_share(&from_below);
    out->upper = 1.0 - lower_share(&from_above);
}

void iv_plain_limits(iv_mean_interval *out, double confidence)
{
    const double tail = 0.5 * (1.0 - confidence);

    if (out->method == IV_INTERVAL_T)
        t_limits(out, tail);
    else if (out->method == IV_INTERVAL_LOGIT_T && out->constant)
        constant_limits(out, tail);
    else if (out->method == IV_INTERVAL_LOGIT_T || out->method == IV_INTERVAL_LOG_T)
        scaled_limits(out, tail);
    else
        share_limits(out, tail);
}
