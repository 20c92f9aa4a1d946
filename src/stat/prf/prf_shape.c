/* SPDX-License-Identifier: Apache-2.0 */
/* What a posterior says of x: tails, density, quantiles, mode, intervals. */
#include <math.h>

#include "base/checking.h"
#include "base/memory.h"
#include "base/names.h"
#include "stat/prf/prf_state.h"

/* B with odds 1/k of those of x, and back. */
static double base_of(double x, double k)
{
    return x / (x + k * (1.0 - x));
}

static double scaled(double b, double k)
{
    return k * b / ((1.0 - b) + k * b);
}

double iv_posterior_cdf(const iv_posterior *p, double x)
{
    if (isnan(x))
        return NAN;
    if (x <= 0.0 || x >= 1.0)
        return x <= 0.0 ? 0.0 : 1.0;
    if (p->odds > 0.0)
        return iv_beta_cdf(base_of(x, p->odds), p->beta.a, p->beta.b);
    return iv_panels_below(&p->panels, log(x) - log1p(-x) - p->centre);
}

/* The logarithm of the density of X where its logit is centre + offset. */
static double log_density_at(const iv_posterior *p, double offset)
{
    const double t = p->centre + offset;
    const double g = p->odds > 0.0 ? log(p->beta.peak) + iv_logit_beta_fall(&p->beta, offset)
                                   : log(iv_panels_density(&p->panels, offset));

    /* dx/dt = x (1-x) = 1 / ((1 + e^t)(1 + e^-t)) */
    return g + log1p(exp(-fabs(t))) * 2.0 + fabs(t);
}

/* The same at an end of (0, 1), where the density goes like a power. */
static double log_density_end(const iv_posterior *p, bool upper)
{
    const double power = upper ? p->high : p->low;

    if (power != 1.0)
        return power < 1.0 ? INFINITY : -INFINITY;
    /* The limit is reached well inside the panels. */
    const iv_panels *t = &p->panels;
    return log_density_at(p, upper ? fmin(t->edge[t->count], 34.0 - p->centre)
                                   : fmax(t->edge[0], -34.0 - p->centre));
}

double iv_posterior_log_density(const iv_posterior *p, double x)
{
    if (isnan(x))
        return NAN;
    if (x < 0.0 || x > 1.0)
        return -INFINITY;
    if (x == 0.0 || x == 1.0)
        return log_density_end(p, x == 1.0);
    return log_density_at(p, log(x) - log1p(-x) - p->centre);
}

double iv_posterior_quantile(const iv_posterior *p, double q)
{
    if (!(q >= 0.0 && q <= 1.0))
        return NAN;
    if (q == 0.0 || q == 1.0)
        return q;
    if (p->odds > 0.0) {
        const double b = q <= 0.5 ? iv_beta_quantile(q, p->beta.a, p->beta.b)
                                  : iv_beta_isf(1.0 - q, p->beta.a, p->beta.b);
        return scaled(b, p->odds);
    }
    return iv_logistic(p->centre + iv_panels_quantile(&p->panels, q));
}

/* Where a mode is looked for: from `from` on, so that no root is at 0. */
typedef struct mode_search {
    const iv_posterior *p;
    double from;
} mode_search;

/* The derivative of the log density of X by its logit. */
static double slope(double step, void *user)
{
    const mode_search *s = user;
    const iv_posterior *p = s->p;
    const double offset = s->from + step, t = p->centre + offset;

    return iv_posterior_logit_slope(p, offset) - iv_logistic(-t) + iv_logistic(t);
}

/* The places where the density is looked at for its shape. */
enum { LOOKS = 2000 };

static double look(const iv_posterior *p, double mass, size_t i)
{
    const double q = mass + (1.0 - 2.0 * mass) * (double)i / (LOOKS - 1);

    return iv_panels_quantile(&p->panels, q);
}

double iv_posterior_mode(const iv_posterior *p)
{
    const int unbounded = (p->low < 1.0) + (p->high < 1.0) + p->unbounded_at_half;
    double best = fmax(log_density_end(p, false), log_density_end(p, true)), root = 0.0;
    const bool at_end = best > -INFINITY;
    size_t place = LOOKS;

    if (unbounded > 1 || (p->odds == 1.0 && p->low == 1.0 && p->high == 1.0))
        return NAN;
    if (unbounded == 1)
        return p->low < 1.0 ? 0.0 : p->high < 1.0 ? 1.0 : 0.5;
    if (p->odds == 1.0 && p->low > 1.0 && p->high > 1.0)
        return (p->low - 1.0) / (p->low + p->high - 2.0);
    for (size_t i = 1; i + 1 < LOOKS; i++) {
        const double here = log_density_at(p, look(p, 1e-6, i));
        if (here > best + 1e-12) {
            best = here;
            place = i;
        }
    }
    if (place == LOOKS && at_end)
        return log_density_end(p, false) > log_density_end(p, true) ? 0.0 : 1.0;
    mode_search s = { p, look(p, 1e-6, place - 1) };
    const double reach = look(p, 1e-6, place + 1) - s.from;
    if (!(slope(0.0, &s) > 0.0 && slope(reach, &s) < 0.0)
        || iv_find_root(&root, slope, &s, 0.0, reach, NULL) < 0)
        return iv_logistic(p->centre + look(p, 1e-6, place));
    return iv_logistic(p->centre + s.from + root);
}

/* Highest density regions are one interval if the density rises, then falls. */
static bool one_hump(const iv_posterior *p)
{
    bool falling = p->low < 1.0;

    if (p->low < 1.0 && p->high < 1.0)
        return false;
    /* Where the slope is 0 the odds solve a quadratic; bounded at both ends,
     * it has one positive root. */
    if (p->odds > 0.0 && p->low >= 1.0 && p->high >= 1.0)
        return true;
    for (size_t i = 1; i + 1 < LOOKS; i++) {
        const double rise = log_density_at(p, look(p, 1e-5, i + 1))
                            - log_density_at(p, look(p, 1e-5, i));
        if (falling && rise > 1e-9)
            return false;
        falling = falling || rise < -1e-9;
    }
    return !(falling && p->high < 1.0);
}

typedef struct hdi_search {
    const iv_posterior *p;
    double confidence;
} hdi_search;

/* Denser at the lower end or at the upper, if `left` lies below? */
static double imbalance(double left, void *user)
{
    const hdi_search *s = user;
    const double low = iv_panels_quantile(&s->p->panels, left);
    const double high = iv_panels_quantile(&s->p->panels, left + s->confidence);

    return log_density_at(s->p, low) - log_density_at(s->p, high);
}

static double place(const iv_posterior *p, double mass)
{
    return iv_logistic(p->centre + iv_panels_quantile(&p->panels, mass));
}

static int densest(iv_credible *out, const iv_posterior *p, double confidence, iv_err *err)
{
    const double top = iv_panels_quantile(&p->panels, confidence);
    const double bottom = iv_panels_quantile(&p->panels, 1.0 - confidence);
    const bool from_0 = log_density_end(p, false) >= log_density_at(p, top);
    const bool to_1 = log_density_end(p, true) >= log_density_at(p, bottom);
    hdi_search s = { p, confidence };
    double left = 0.0;

    *out = (iv_credible){ 0.0, 1.0, IV_INTERVAL_HDI, from_0 != to_1 };
    if (from_0 && !to_1) {
        out->upper = iv_posterior_quantile(p, confidence);
    } else if (to_1 && !from_0) {
        out->lower = iv_posterior_quantile(p, 1.0 - confidence);
    } else {
        const double most = 1.0 - confidence;
        IV_TRY(iv_find_root(&left, imbalance, &s, most * 1e-12, most * (1.0 - 1e-12),
                            err));
        out->lower = place(p, left);
        out->upper = place(p, left + confidence);
    }
    return IV_OK;
}

IV_NAMES(iv_interval_kind_names, "equal", "hdi")

int iv_posterior_interval(iv_credible *out, const iv_posterior *p, double confidence,
                          iv_interval_kind kind, iv_err *err)
{
    IV_TRY(iv_check_given(p, "a posterior", err));
    IV_TRY(iv_check_choice(kind, iv_interval_kind_names(), "the interval", err));
    IV_TRY(iv_prf_check_confidence(&confidence, err));
    if (kind == IV_INTERVAL_HDI && one_hump(p)) {
        const double flat = log_density_end(p, false) - log_density_end(p, true);
        if (!(fabs(flat) < 1e-9)) /* both bounded and equal: flat */
            return densest(out, p, confidence, err);
    }
    const double tail = 0.5 * (1.0 - confidence);
    if (p->odds > 0.0)
        *out = (iv_credible){ .lower = scaled(iv_beta_quantile(tail, p->beta.a, p->beta.b),
                                              p->odds),
                              .upper = scaled(iv_beta_isf(tail, p->beta.a, p->beta.b),
                                              p->odds) };
    else
        *out = (iv_credible){ .lower = iv_posterior_quantile(p, tail),
                              .upper = iv_posterior_quantile(p, 1.0 - tail) };
    return IV_OK;
}
