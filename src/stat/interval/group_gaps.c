/* SPDX-License-Identifier: Apache-2.0 */
/* Gaps between groups of items: limits of one, p, and the largest of all. */
#include "base/err.h"
#include "intervale/num.h"
#include "num/dist.h"
#include "stat/evidence.h"
#include "stat/group_gaps.h"
#include "stat/interval_methods.h"
#include "stat/pair_tests.h"

#include <math.h>
#include <stdlib.h>

static const iv_limits none = { NAN, NAN };

/* ------------------------------------------------------------------ values -- */

static iv_limits proportion_limits(const iv_group_value *g, double level)
{
    const double half = g->careful ? 0.0 : 0.5, one = g->careful ? 1.0 : 0.5;

    return (iv_limits){ g->a > 0.0 ? iv_beta_quantile(level, g->a + half, g->b + one) : 0.0,
                        g->b > 0.0 ? iv_beta_isf(level, g->a + one, g->b + half) : 1.0 };
}

static double f1_of(double share)
{
    return 2.0 * share / (1.0 + share);
}

static iv_limits f1_limits(const iv_group_value *g, double level)
{
    const iv_limits l = proportion_limits(g, level);

    return (iv_limits){ f1_of(l.lower), f1_of(l.upper) };
}

static iv_limits mean_limits(const iv_group_value *g, double level)
{
    const iv_mean_summary m = { g->value, g->sd, (double)g->items, g->df, g->skewness };
    const iv_evidence e = iv_mean_evidence(&m, 0.0, level);

    return (iv_limits){ e.lower, e.upper };
}

static iv_limits logit_limits(const iv_group_value *g, double level)
{
    const iv_interval x = iv_logit_interval(g->value, g->sd, g->df, iv_t_isf(level, g->df));

    return (iv_limits){ x.lower, x.upper };
}

iv_group_value iv_group_proportion(int64_t k, int64_t n)
{
    return n < 1 ? (iv_group_value){ .value = (double)NAN }
        : (iv_group_value){ .value = (double)k / (double)n, .items = (size_t)n,
                            .fewest = (size_t)n, .limits = proportion_limits, .a = (double)k,
                            .b = (double)(n - k) };
}

iv_group_value iv_group_f1(int64_t tp, int64_t fp, int64_t fn)
{
    iv_group_value g = iv_group_proportion(tp, tp + fp + fn);

    g.value = f1_of(g.value);
    g.limits = g.limits != NULL ? f1_limits : NULL;
    return g;
}

bool iv_group_is_proportion(const iv_group_value *g)
{
    return g->limits == proportion_limits || g->limits == f1_limits;
}

iv_group_value iv_group_mean(const double *x, size_t n)
{
    size_t ones = 0, zeros = 0;

    if (n == 0)
        return (iv_group_value){ .value = (double)NAN };
    for (size_t i = 0; i < n; i++) {
        ones += x[i] == 1.0;
        zeros += x[i] == 0.0;
    }
    if (ones + zeros == n)
        return iv_group_proportion((int64_t)ones, (int64_t)n);
    const iv_differences d = iv_describe_differences(x, n);
    return (iv_group_value){ .value = d.mean, .items = n, .fewest = n, .sd = d.sd,
                             .df = (double)n - 1.0, .skewness = d.skewness,
                             .limits = d.sd > 0.0 ? mean_limits : NULL };
}

iv_group_value iv_group_logit(const iv_interval *x, size_t items)
{
    return (iv_group_value){ .value = x->value, .items = items, .fewest = items, .sd = x->se,
                             .df = x->df, .limits = isnan(x->lower) ? NULL : logit_limits };
}

/* -------------------------------------------------------------------- gaps -- */

static iv_interval at_level(const iv_group_value *g, double level)
{
    const iv_limits l = g->limits != NULL ? g->limits(g, level) : none;

    return (iv_interval){ g->value, NAN, l.lower, l.upper, NAN };
}

static iv_interval gap_of(const iv_interval *a, const iv_interval *b)
{
    iv_interval out = { a->value - b->value, NAN, NAN, NAN, NAN };

    if (!isnan(a->lower) && !isnan(b->lower))
        iv_mover_limits(&out.lower, &out.upper, a, b, 0.0);
    return out;
}

iv_interval iv_group_gap(const iv_group_value *a, const iv_group_value *b, double level)
{
    const iv_interval x = at_level(a, level), y = at_level(b, level);

    return gap_of(&x, &y);
}

double iv_group_gap_p(const iv_group_value *a, const iv_group_value *b)
{
    double low = 1e-16, high = 0.5;
    const iv_interval whole = iv_group_gap(a, b, 0.025);

    if (isnan(whole.lower))
        return (double)NAN;
    if (whole.value == 0.0)
        return 1.0;
    for (int i = 0; i < 45; i++) { /* the level at which a limit is 0 */
        const double level = sqrt(low * high);
        const iv_interval x = iv_group_gap(a, b, level);
        *((whole.value > 0.0 ? x.lower > 0.0 : x.upper < 0.0) ? &high : &low) = level;
    }
    return fmin(1.0, 2.0 * high);
}

/*
 * Of all pairs, by the limits of each group at three levels: shared by all pairs, of two sides, and
 * of one.  The pair that truly lies farthest apart is one pair, so the largest of all upper limits
 * holds for it without a correction (Berger 1982); which lower limit is the largest is chosen.
 */
static void find_largest(iv_largest_gap *out, const iv_interval *shared, const iv_interval *two,
                         const iv_interval *one, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++) {
            const iv_interval x = gap_of(&shared[i], &shared[j]);
            const iv_interval y = gap_of(&two[i], &two[j]), z = gap_of(&one[i], &one[j]);
            if (isnan(x.lower))
                continue;
            if (!(fabs(x.value) <= out->value)) {
                out->value = fabs(x.value);
                out->high = x.value < 0.0 ? j : i;
                out->low = x.value < 0.0 ? i : j;
            }
            out->lower = fmax(out->lower, fmax(0.0, fmax(x.lower, -x.upper)));
            out->upper = fmax(out->upper, fmax(y.upper, -y.lower));
            out->at_most = fmax(out->at_most, fmax(z.upper, -z.lower));
        }
}

int iv_group_largest(iv_largest_gap *out, const iv_group_value *g, size_t count,
                     double confidence, size_t families, iv_err *err)
{
    iv_interval *limits = calloc(3 * count + 1, sizeof *limits);
    size_t with = 0;

    if (limits == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        limits[count + i] = at_level(&g[i], 0.5 * (1.0 - confidence));
        limits[2 * count + i] = at_level(&g[i], 1.0 - confidence);
        with += isnan(limits[count + i].lower) ? 0 : 1;
    }
    *out = (iv_largest_gap){ SIZE_MAX, SIZE_MAX, NAN, NAN, NAN, NAN, 0, count - with };
    out->pairs = with > 0 ? with * (with - 1) / 2 : 0;
    const double share = (double)families * fmax(1.0, (double)out->pairs);
    for (size_t i = 0; i < count; i++)
        limits[i] = at_level(&g[i], 0.5 * (1.0 - confidence) / share);
    find_largest(out, limits, limits + count, limits + 2 * count, count);
    free(limits);
    return IV_OK;
}
