/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One-sided evidence on the difference of two classifiers on the same items.
 *
 * Recall, specificity and accuracy are paired proportions: exact (Hsueh, Liu and Chen 2001).
 * Precision and F1 have no exact test: MOVER (Zou and Donner 2008) from exact limits of both, with
 * the correlation by the delta method.  p is no less than the chance that enough losses for the
 * bound are on none of the items (Hanley and Lippman-Hand 1983): alike predictions on few items
 * prove little.
 */
#include "intervale/stat/prf_metrics.h"
#include "stat/evidence.h"
#include "stat/paired/pair_p.h"

#include <math.h>

typedef struct counted {
    iv_prf_counts of[2]; /* of a and of b */
    double n;            /* items */
} counted;

static counted count_both(const iv_paired_labels *j)
{
    counted c = { .n = 0.0 };

    for (int gold = 0; gold < 2; gold++)
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++)
                for (int s = 0; s < 2; s++) {
                    iv_prf_counts *k = &c.of[s];
                    const int said = s == 0 ? a : b;
                    *(gold ? said ? &k->tp : &k->fn : said ? &k->fp : &k->tn)
                        += j->items[gold][a][b];
                    c.n += s == 0 ? (double)j->items[gold][a][b] : 0.0;
                }
    return c;
}

static double value_of(const iv_prf_counts *k, iv_paired_metric metric)
{
    const double tp = (double)k->tp, fp = (double)k->fp, fn = (double)k->fn;

    return metric == IV_PAIRED_PRECISION ? tp / (tp + fp) : 2.0 * tp / (2.0 * tp + fp + fn);
}

/* What an item moves the metric by, up to a factor: numerator less value times denominator. */
static double move(int gold, int said, double value, iv_paired_metric metric)
{
    const double tp = gold && said ? 1.0 : 0.0;
    const double below = metric == IV_PAIRED_PRECISION ? (double)said : (double)(gold + said);

    return (metric == IV_PAIRED_PRECISION ? tp : 2.0 * tp) - value * below;
}

static double correlation_of(const iv_paired_labels *j, const counted *c, iv_paired_metric metric)
{
    const double x = value_of(&c->of[0], metric), y = value_of(&c->of[1], metric);
    double xx = 0.0, yy = 0.0, xy = 0.0;

    for (int gold = 0; gold < 2; gold++)
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++) {
                const double n = (double)j->items[gold][a][b];
                const double u = move(gold, a, x, metric), v = move(gold, b, y, metric);
                xx += n * u * u;
                yy += n * v * v;
                xy += n * u * v;
            }
    return xx > 0.0 && yy > 0.0 ? fmax(-1.0, fmin(1.0, xy / sqrt(xx * yy))) : 0.0;
}

static iv_interval exact_of(const iv_prf_counts *k, iv_paired_metric metric, double level)
{
    const iv_evidence e = metric == IV_PAIRED_PRECISION
        ? iv_proportion_evidence(k->tp, k->tp + k->fp, 0.5, level)
        : iv_f1_evidence(k->tp, k->fp, k->fn, 0.5, level);

    return (iv_interval){ e.estimate, NAN, e.lower, e.upper };
}

static void mover_at(double *lower, double *upper, const counted *c, iv_paired_metric metric,
                     double r, double level)
{
    const iv_interval a = exact_of(&c->of[0], metric, level);
    const iv_interval b = exact_of(&c->of[1], metric, level);

    iv_mover_limits(lower, upper, &a, &b, r);
}

/* The level at which the lower (upper) limit is `from`. */
static double mover_p(const counted *c, iv_paired_metric metric, double r, double from, bool above)
{
    double low = 1e-12, high = 0.5;

    for (int i = 0; i < 50; i++) {
        const double level = sqrt(low * high);
        double lower, upper;
        mover_at(&lower, &upper, c, metric, r, level);
        *((above ? lower > from : upper < from) ? &high : &low) = level;
    }
    return high;
}

/* The chance that no item shows a loss of `loss` more, by items that turn from right to wrong. */
static double unseen(const counted *c, const iv_prf_counts *k, iv_paired_metric metric, double loss)
{
    const double value = value_of(k, metric), tp = (double)k->tp, fp = (double)k->fp;
    const double fn = (double)k->fn, left = value - loss;
    const double items = metric == IV_PAIRED_PRECISION ? (tp + fp) * loss / left
                                                       : (2.0 * tp + fp + fn) * loss
                                                             / (2.0 - left);

    if (!(loss > 0.0))
        return 1.0;
    return !(left > 0.0) || items >= c->n ? 0.0 : exp(c->n * log1p(-items / c->n));
}

static iv_evidence by_mover(const iv_paired_labels *j, iv_paired_metric metric, double from,
                            double level)
{
    const counted c = count_both(j);
    const double d = value_of(&c.of[0], metric) - value_of(&c.of[1], metric);
    iv_evidence e = { d, NAN, NAN, NAN, NAN };

    if (isnan(d))
        return e;
    const double r = correlation_of(j, &c, metric);
    e.p_above = fmax(d > from ? mover_p(&c, metric, r, from, true) : 1.0,
                     unseen(&c, &c.of[0], metric, d - from));
    e.p_below = fmax(d < from ? mover_p(&c, metric, r, from, false) : 1.0,
                     unseen(&c, &c.of[1], metric, from - d));
    mover_at(&e.lower, &e.upper, &c, metric, r, level);
    /* Where what is unseen decides, the limit is no farther than it allows. */
    for (int side = 0; side < 2; side++) {
        double in = 0.0, out = 1.0;
        for (int i = 0; i < 50; i++) {
            const double loss = 0.5 * (in + out);
            *(unseen(&c, &c.of[side], metric, loss) < level ? &out : &in) = loss;
        }
        if (side == 0)
            e.lower = fmin(e.lower, d - out);
        else
            e.upper = fmax(e.upper, d + out);
    }
    return e;
}

iv_evidence iv_prf_pair_evidence(const iv_paired_labels *j, iv_paired_metric metric, double from,
                                 double level)
{
    iv_compared_pair p = { .range = 1.0, .shares = { .df = INFINITY, .unit = 1.0 },
                           .margin_lower = NAN, .margin_upper = NAN };
    iv_evidence e = { NAN, NAN, NAN, NAN, NAN };

    if (metric == IV_PAIRED_PRECISION || metric == IV_PAIRED_F1)
        return by_mover(j, metric, from, level);
    for (int gold = 0; gold < 2; gold++) {
        if (metric == (gold ? IV_PAIRED_SPECIFICITY : IV_PAIRED_RECALL))
            continue;
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++) {
                p.shares.items += (double)j->items[gold][a][b];
                p.shares.wins += a == gold && b != gold ? (double)j->items[gold][a][b] : 0.0;
                p.shares.losses += a != gold && b == gold ? (double)j->items[gold][a][b] : 0.0;
            }
    }
    if (!(p.shares.items > 0.0))
        return e;
    p.found.mean = (p.shares.wins - p.shares.losses) / p.shares.items;
    e.estimate = p.found.mean;
    e.p_above = iv_shares_beyond(&p.shares, from, IV_GREATER);
    e.p_below = iv_shares_beyond(&p.shares, from, IV_LESS);
    iv_pair_limits(&e.lower, &e.upper, &p, -from, level, level);
    return e;
}
