/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A logistic curve of relevance in the logarithm of the rank, by Newton's
 * method on a strictly concave objective: the log likelihood, half a document
 * of either kind at the mean log rank, and a normal prior on the slope.
 */
#include <math.h>
#include <stdlib.h>

#include "base/checking.h"
#include "intervale/stat/incomplete.h"

static const double slope_sd = 2.0;

typedef struct curve {
    const double *rank;
    const bool *relevant;
    size_t n;
    double centre; /* mean log rank */
} curve;

static double log1p_exp(double x)
{
    return x > 0.0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

/* Objective at (a, b), with b the slope in the centred log rank. */
static double objective(const curve *c, double a, double b)
{
    double sum = 0.5 * a - log1p_exp(a) - 0.5 * b * b / (slope_sd * slope_sd);

    for (size_t i = 0; i < c->n; i++) {
        const double eta = a + b * (log(c->rank[i]) - c->centre);
        sum += (c->relevant[i] ? eta : 0.0) - log1p_exp(eta);
    }
    return sum;
}

/* Newton's step from (a, b). */
static void newton_step(double step[2], const curve *c, double a, double b)
{
    const double p0 = 1.0 / (1.0 + exp(-a));
    double ga = 0.5 - p0, gb = -b / (slope_sd * slope_sd);
    double haa = p0 * (1.0 - p0), hab = 0.0, hbb = 1.0 / (slope_sd * slope_sd);

    for (size_t i = 0; i < c->n; i++) {
        const double x = log(c->rank[i]) - c->centre, p = 1.0 / (1.0 + exp(-a - b * x));
        const double residual = (c->relevant[i] ? 1.0 : 0.0) - p, w = p * (1.0 - p);
        ga += residual;
        gb += residual * x;
        haa += w;
        hab += w * x;
        hbb += w * x * x;
    }
    const double determinant = haa * hbb - hab * hab;
    step[0] = (hbb * ga - hab * gb) / determinant;
    step[1] = (haa * gb - hab * ga) / determinant;
}

int iv_rank_relevance_fit(iv_rank_relevance *out, const double *rank, const bool *relevant,
                          size_t n, iv_err *err)
{
    IV_TRY(iv_check_list(rank, n, "rank", err));
    IV_TRY(iv_check_list(relevant, n, "judgment", err));
    curve c = { rank, relevant, n, 0.0 };
    double a = 0.0, b = 0.0;
    size_t found = 0;

    if (n == 0)
        return iv_fail(err, IV_ENODATA, "no judged document to estimate relevance from");
    for (size_t i = 0; i < n; i++) {
        if (!(rank[i] >= 1.0 && isfinite(rank[i])))
            return iv_fail(err, IV_EARG, "rank %g, expected at least 1", rank[i]);
        c.centre += log(rank[i]) / (double)n;
        found += relevant[i];
    }
    double now = objective(&c, a, b);
    for (int round = 0; round < 100; round++) {
        double step[2], next = 0.0, share = 1.0;
        newton_step(step, &c, a, b);
        for (int k = 0; k < 40; k++, share *= 0.5) { /* never downhill */
            next = objective(&c, a + share * step[0], b + share * step[1]);
            if (next >= now)
                break;
        }
        if (next < now)
            break; /* as good as rounding allows */
        a += share * step[0];
        b += share * step[1];
        now = next;
        if (fabs(step[0]) + fabs(step[1]) < 1e-12)
            break;
    }
    *out = (iv_rank_relevance){ a - b * c.centre, b, n, found };
    return IV_OK;
}

double iv_rank_relevance_at(const iv_rank_relevance *f, double rank)
{
    const double p = 1.0 / (1.0 + exp(-f->intercept - f->slope * log(rank)));

    return fmin(fmax(p, 1e-12), 1.0 - 1e-12);
}
