/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Intervals on a mean that need no resamples.
 *
 * Refs: Student (1908), Biometrika 6, 1-25; Dean and Pagano (2015), Journal of Survey
 * Statistics and Methodology 3, 484-503 (logits); Wilson (1927), JASA 22, 209-212; Clopper and
 * Pearson (1934), Biometrika 26, 404-413; Hoeffding (1963), JASA 58, 13-30; Bentkus (2004),
 * Annals of Probability 32, 1650-1673.
 */
#include <math.h>

#include "stat/interval/bootstrap.h"
#include "num/num_private.h"

/* Half the width of Student's interval. */
static double half_width(const iv_mean_interval *x, const iv_limits_from *from)
{
    return iv_t_isf(0.5 * (1.0 - from->confidence), (double)(x->n - 1)) * x->se;
}

int iv_limits_t(iv_mean_interval *out, const iv_limits_from *from, iv_err *err)
{
    const double half = half_width(out, from);

    (void)err;
    out->lower = out->mean - half;
    out->upper = out->mean + half;
    return IV_OK;
}

/* The standard error of a logit is that of the value over value (1 - value). */
void iv_logit_wald(double *lower, double *upper, double value, double reach)
{
    const double at = log(value / (1.0 - value)), wide = reach / (value * (1.0 - value));

    *lower = 1.0 / (1.0 + exp(wide - at));
    *upper = 1.0 / (1.0 + exp(-wide - at));
}

int iv_limits_logit_t(iv_mean_interval *out, const iv_limits_from *from, iv_err *err)
{
    (void)err;
    iv_logit_wald(&out->lower, &out->upper, out->mean, half_width(out, from));
    return IV_OK;
}

void iv_wilson_limits(double *lower, double *upper, double p, double n, double z)
{
    const double zz = z * z / n, middle = p + 0.5 * zz;
    const double half = z * sqrt(fmax(0.0, p * (1.0 - p)) / n + 0.25 * zz / n);

    *lower = p <= 0.0 ? 0.0 : (middle - half) / (1.0 + zz);
    *upper = p >= 1.0 ? 1.0 : (middle + half) / (1.0 + zz);
}

int iv_limits_wilson(iv_mean_interval *out, const iv_limits_from *from, iv_err *err)
{
    (void)err;
    iv_wilson_limits(&out->lower, &out->upper, out->mean, (double)out->n,
              iv_norm_isf(0.5 * (1.0 - from->confidence)));
    return IV_OK;
}

/* ---------------------------------------------------------------- of a share -- */

/* The lower limit of a share: where P(S >= sum), or a bound of it, passes the tail. */
typedef struct share {
    bool bound; /* of values anywhere in [0, 1] */
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

    return (s->bound ? fmin(exp(1.0) * reached, exp(chernoff(s, p))) : reached) - s->tail;
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

static int share_limits(iv_mean_interval *out, double confidence, bool bound)
{
    const double n = (double)out->n, sum = out->mean * n;
    share from_below = { bound, bound ? sum : nearbyint(sum), n, 0.5 * (1.0 - confidence) };
    share from_above = from_below;

    from_above.sum = n - from_below.sum;
    out->lower = lower_share(&from_below);
    out->upper = 1.0 - lower_share(&from_above);
    return IV_OK;
}

int iv_limits_exact(iv_mean_interval *out, const iv_limits_from *from, iv_err *err)
{
    (void)err;
    return share_limits(out, from->confidence, false);
}

int iv_limits_bounded(iv_mean_interval *out, const iv_limits_from *from, iv_err *err)
{
    (void)err;
    return share_limits(out, from->confidence, true);
}
