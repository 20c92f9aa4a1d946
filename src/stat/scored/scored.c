/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scores of classifiers: areas under ROC curves, average precision, losses, calibration error,
 * thresholds and curves.
 *
 * The placement of a positive item is the proportion of negatives below it, that of a negative
 * one the proportion of positives above it, ties half.  Both have the area as their mean; their
 * variances over the class sizes add up to DeLong's variance (DeLong, DeLong and Clarke-Pearson
 * 1988).  Limits are on the logit scale (Pepe 2003).  Where that variance is 0 or cannot be
 * estimated, as at areas of 0 and 1, one area has the limits of Newcombe's (2006) method 5.
 */
#include "base/arguments.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/order.h"
#include "base/parallel.h"
#include "intervale/num.h"
#include "num/dist.h"
#include "num/draw.h"
#include "stat/evidence.h"
#include "stat/interval_methods.h"
#include "stat/scored/scored.h"

#include <math.h>
#include <stdlib.h>

/* So many are usual for percentile limits (Efron and Tibshirani 1993, section 13.3). */
enum { RESAMPLES = 2000, CHOOSING = 0x74687265, DRAWING = 0x63757276 };

/* A variance of placements that are the same but for rounding. */
static const double EQUAL_PLACES = 1e-24;

static double tail_of(double confidence)
{
    return 0.5 * (1.0 - (confidence == 0.0 ? 0.95 : confidence));
}

/* ------------------------------------------------------------------- order -- */

/* Items from the highest score down; those of one score are a group. */
typedef struct score_order {
    size_t count, positives, negatives;
    size_t *item;
    size_t groups;
    size_t *end; /* of each group, in `item`, excluded */
    double area, variance; /* of placements: DeLong's; NaN: a class has one item */
    double misranked;      /* as iv_auc_misranked() */
    double *at;            /* the placements, by item */
} score_order;

static int order_items(score_order *out, iv_arena *memory, const iv_scored_items *items,
                       double confidence, iv_err *err)
{
    const size_t n = items->count;
    iv_placed *all = iv_take(memory, n, sizeof *all);

    *out = (score_order){ .count = n, .item = iv_take(memory, n, sizeof(size_t)),
                          .end = iv_take(memory, n, sizeof(size_t)) };
    IV_TRY(iv_taken(memory, err));
    IV_TRY(iv_check_list(items->scores, items->count, "score", err));
    IV_TRY(iv_check_list(items->positive, items->count, "item", err));
    if (!(confidence >= 0.0 && confidence < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected between 0 and 1", confidence);
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(items->scores[i]))
            return iv_fail(err, IV_EARG, "the score of item %zu is not finite", i + 1);
        all[i] = (iv_placed){ items->scores[i], i };
        out->positives += items->positive[i];
    }
    out->negatives = n - out->positives;
    if (out->positives == 0 || out->negatives == 0)
        return iv_fail(err, IV_ENODATA, "%zu positive and %zu negative items, expected some of "
                       "both", out->positives, out->negatives);
    qsort(all, n, sizeof *all, iv_descending_placed);
    for (size_t i = 0; i < n; i++) {
        out->item[i] = all[i].at;
        if (i + 1 == n || all[i + 1].value != all[i].value)
            out->end[out->groups++] = i + 1;
    }
    return IV_OK;
}

static int check_classes(const iv_class_items *items, iv_err *err)
{
    IV_TRY(iv_check_each(items->scores, items->classes, "class", err));
    IV_TRY(iv_check_list(items->is, items->count, "item", err));
    for (size_t i = 0; i < items->count; i++)
        if (items->is[i] >= items->classes)
            return iv_fail(err, IV_EARG, "item %zu is of class %zu of %zu", i + 1,
                           items->is[i] + 1, items->classes);
    return IV_OK;
}

/* -------------------------------------------------------------------- area -- */

/* Kish's effective number of the items of the class with the larger part of the variance, each
 * with the proportion of wrongly ordered pairs that it is in as its weight. */
static double misranked(const score_order *o, const bool *positive)
{
    const double size[2] = { (double)o->negatives, (double)o->positives };
    double sum[2] = { 0.0, 0.0 }, squares[2] = { 0.0, 0.0 }, part[2];

    for (size_t i = 0; i < o->count; i++) {
        const double wrong = o->area < 0.5 ? o->at[i] : 1.0 - o->at[i];
        sum[positive[i]] += wrong;
        squares[positive[i]] += wrong * wrong;
    }
    for (size_t k = 0; k < 2; k++) /* variances of means */
        part[k] = (squares[k] - sum[k] * sum[k] / size[k]) / (size[k] * fmax(size[k] - 1.0, 1.0));
    const size_t at = part[1] >= part[0];
    return squares[at] > 0.0 ? sum[at] * sum[at] / squares[at] : 0.0;
}

/* Orders the items and places them. */
static int place(score_order *o, iv_arena *memory, const iv_scored_items *items, double confidence,
                 iv_err *err)
{
    const bool *positive = items->positive;

    IV_TRY(order_items(o, memory, items, confidence, err));
    const double m = (double)o->positives, n = (double)o->negatives;
    double above[2] = { 0.0, 0.0 }, squares[2] = { 0.0, 0.0 }, sum = 0.0;
    o->at = iv_take(memory, o->count, sizeof(double));
    IV_TRY(iv_taken(memory, err));
    for (size_t g = 0, from = 0; g < o->groups; from = o->end[g++]) {
        double here[2] = { 0.0, 0.0 };
        for (size_t i = from; i < o->end[g]; i++)
            here[positive[o->item[i]]] += 1.0;
        for (size_t i = from; i < o->end[g]; i++) {
            const size_t k = o->item[i];
            o->at[k] = positive[k] ? 1.0 - (above[0] + 0.5 * here[0]) / n
                                     : (above[1] + 0.5 * here[1]) / m;
        }
        sum += here[1] * (n - above[0] - 0.5 * here[0]);
        above[0] += here[0];
        above[1] += here[1];
    }
    o->area = sum / (m * n);
    for (size_t i = 0; i < o->count; i++)
        squares[positive[i]] += (o->at[i] - o->area) * (o->at[i] - o->area);
    o->variance = m > 1.0 && n > 1.0
                        ? squares[1] / ((m - 1.0) * m) + squares[0] / ((n - 1.0) * n) : (double)NAN;
    o->misranked = misranked(o, positive);
    return IV_OK;
}

/* Newcombe's method 5: the theta for which |theta - area| is z standard errors, by Hanley and
 * McNeil's variance with the mean of both class sizes, m and n, in its bracket. */
static double find_end(double area, double z, double m, double n, double end)
{
    const double even = 0.5 * (m + n) - 1.0;
    double in = area + (end - area) * 1e-9, out = end;

    if (area == end)
        return end;
    for (int k = 0; k < 100; k++) {
        const double t = 0.5 * (in + out);
        const double v = t * (1.0 - t) * (1.0 + even * ((1.0 - t) / (2.0 - t) + t / (1.0 + t)))
            / (m * n);
        *((t - area) * (t - area) - z * z * v < 0.0 ? &in : &out) = t;
    }
    return 0.5 * (in + out);
}

static iv_interval area_interval(const score_order *o, double confidence)
{
    const double z = iv_norm_isf(tail_of(confidence));
    const double m = (double)o->positives, n = (double)o->negatives;

    if (o->variance > EQUAL_PLACES)
        return iv_logit_interval(o->area, sqrt(o->variance), INFINITY, z);
    return (iv_interval){ o->area, isnan(o->variance) ? (double)NAN : 0.0,
                          find_end(o->area, z, m, n, 0.0), find_end(o->area, z, m, n, 1.0),
                          INFINITY };
}

int iv_auc(iv_interval *out, const iv_scored_items *items, double confidence, iv_err *err)
{
    iv_arena memory = { 0 };
    score_order o;
    const int rc = place(&o, &memory, items, confidence, err);

    if (rc == IV_OK)
        *out = area_interval(&o, confidence);
    iv_arena_free(&memory);
    return rc;
}

int iv_auc_misranked(double *out, const iv_scored_items *items, iv_err *err)
{
    iv_arena memory = { 0 };
    score_order o;
    const int rc = place(&o, &memory, items, 0.0, err);

    if (rc == IV_OK)
        *out = o.misranked;
    iv_arena_free(&memory);
    return rc;
}

/* A difference of two estimates by the normal distribution; none where it has no variance. */
static iv_interval difference_of(double value, double variance, double confidence)
{
    const double nan = (double)NAN, se = sqrt(fmax(variance, 0.0));
    const double h = iv_norm_isf(tail_of(confidence)) * se;

    if (isnan(variance))
        return (iv_interval){ value, nan, nan, nan, INFINITY };
    if (!(variance > EQUAL_PLACES))
        return (iv_interval){ value, 0.0, nan, nan, INFINITY };
    return (iv_interval){ value, se, fmax(-1.0, value - h), fmin(1.0, value + h), INFINITY };
}

double iv_scored_p(const iv_interval *x)
{
    if (!(x->se > 0.0))
        return x->se == 0.0 && x->value == 0.0 ? 1.0 : (double)NAN;
    const double t = fabs(x->value) / x->se;
    return 2.0 * (isinf(x->df) ? iv_norm_sf(t) : iv_t_sf(t, x->df));
}

static int compare_areas(iv_interval *out, iv_arena *memory, const double *a,
                         const double *b, const bool *positive, size_t count, double confidence,
                         iv_err *err)
{
    const iv_scored_items x = { a, positive, count }, y = { b, positive, count };
    double squares[2] = { 0.0, 0.0 };
    score_order ox, oy;

    IV_TRY(place(&ox, memory, &x, confidence, err));
    IV_TRY(place(&oy, memory, &y, confidence, err));
    const double m = (double)ox.positives, n = (double)ox.negatives, d = ox.area - oy.area;
    for (size_t i = 0; i < count; i++) {
        const double off = ox.at[i] - oy.at[i] - d;
        squares[positive[i]] += off * off;
    }
    *out = difference_of(d, m > 1.0 && n > 1.0
                                ? squares[1] / ((m - 1.0) * m) + squares[0] / ((n - 1.0) * n)
                                : (double)NAN, confidence);
    return IV_OK;
}

int iv_auc_compare(iv_interval *out, const double *a, const double *b,
                   const bool *positive, size_t count, double confidence, iv_err *err)
{
    IV_TRY(iv_check_list(a, count, "score", err));
    IV_TRY(iv_check_list(b, count, "score", err));
    IV_TRY(iv_check_list(positive, count, "item", err));
    iv_arena memory = { 0 };
    const int rc = compare_areas(out, &memory, a, b, positive, count, confidence, err);

    iv_arena_free(&memory);
    return rc;
}

/* An area with the wider one of two intervals at a level for each side: DeLong's variance on the
 * logit scale, and Newcombe's, which has limits where all are ranked right. */
static iv_interval wide_area(const score_order *o, double level)
{
    const double z = iv_norm_isf(level), m = (double)o->positives, n = (double)o->negatives;
    iv_interval x = { o->area, sqrt(o->variance), find_end(o->area, z, m, n, 0.0),
                      find_end(o->area, z, m, n, 1.0) };
    const iv_interval by_logit = iv_logit_interval(o->area, x.se, INFINITY, z);

    if (!isnan(by_logit.lower)) {
        x.lower = fmin(x.lower, by_logit.lower);
        x.upper = fmax(x.upper, by_logit.upper);
    }
    return x;
}

/* Of a group: for claims the wider interval. */
static iv_limits group_limits(const iv_group_value *g, double level)
{
    const score_order o = { .area = g->value, .variance = g->sd * g->sd,
                            .positives = (size_t)g->a, .negatives = (size_t)g->b };
    const iv_interval x = g->careful ? wide_area(&o, level)
                                     : area_interval(&o, 1.0 - 2.0 * level);

    return (iv_limits){ x.lower, x.upper };
}

int iv_auc_of_group(iv_group_value *out, const iv_scored_items *items, iv_err *err)
{
    iv_arena memory = { 0 };
    score_order o;
    size_t positives = 0;

    for (size_t i = 0; i < items->count; i++)
        positives += items->positive[i];
    *out = (iv_group_value){ .value = (double)NAN };
    if (positives == 0 || positives == items->count)
        return IV_OK;
    const int rc = place(&o, &memory, items, 0.0, err);
    if (rc == IV_OK)
        *out = (iv_group_value){ .value = o.area, .items = items->count, .limits = group_limits,
                                 .fewest = (size_t)fmin((double)o.positives, (double)o.negatives),
                                 .a = (double)o.positives, .b = (double)o.negatives,
                                 .sd = sqrt(o.variance) };
    iv_arena_free(&memory);
    return rc;
}

/* The level at which the lower (upper) limit of the difference is `from`: p. */
static double mover_p(const score_order *a, const score_order *b, double r, double from, bool above)
{
    double low = 1e-12, high = 0.5;

    for (int i = 0; i < 60; i++) {
        const double level = sqrt(low * high);
        const iv_interval x = wide_area(a, level), y = wide_area(b, level);
        double lower, upper;
        iv_mover_limits(&lower, &upper, &x, &y, r);
        *((above ? lower > from : upper < from) ? &high : &low) = level;
    }
    return (above ? a->area - b->area > from : a->area - b->area < from) ? high : 1.0;
}

static int find_evidence(iv_evidence *out, iv_arena *memory, const double *a, const double *b,
                         const bool *positive, size_t count, double from, double level,
                         iv_err *err)
{
    const iv_scored_items x = { a, positive, count }, y = { b, positive, count };
    double products[2] = { 0.0, 0.0 };
    score_order ox, oy;

    IV_TRY(place(&ox, memory, &x, 0.95, err));
    IV_TRY(place(&oy, memory, &y, 0.95, err));
    const double m = (double)ox.positives, n = (double)ox.negatives;
    for (size_t i = 0; i < count; i++)
        products[positive[i]] += (ox.at[i] - ox.area) * (oy.at[i] - oy.area);
    const double covariance = products[1] / ((m - 1.0) * m) + products[0] / ((n - 1.0) * n);
    const double both = sqrt(ox.variance * oy.variance);
    const double r = both > 0.0 ? fmax(-1.0, fmin(1.0, covariance / both)) : 0.0;
    const iv_interval at = wide_area(&ox, level), bt = wide_area(&oy, level);
    *out = (iv_evidence){ ox.area - oy.area, mover_p(&ox, &oy, r, from, true),
                          mover_p(&ox, &oy, r, from, false), 0.0, 0.0 };
    iv_mover_limits(&out->lower, &out->upper, &at, &bt, r);
    return IV_OK;
}

int iv_auc_evidence(iv_evidence *out, const double *a, const double *b, const bool *positive,
                    size_t count, double from, double level, iv_err *err)
{
    IV_TRY(iv_check_list(a, count, "score", err));
    IV_TRY(iv_check_list(b, count, "score", err));
    IV_TRY(iv_check_list(positive, count, "item", err));
    iv_arena memory = { 0 };
    const int rc = find_evidence(out, &memory, a, b, positive, count, from, level, err);

    iv_arena_free(&memory);
    return rc;
}

/* ------------------------------------------------------------ several classes -- */

/* The mean of the areas of all classes against the rest, plain (0) and weighted by size (1), and
 * what each item moves them by: as a positive item of its class, as a negative one of the
 * others. */
typedef struct class_areas {
    const iv_class_items *items;
    size_t *sizes;
    size_t count; /* classes that have items */
    double area[2], *moves[2];
} class_areas;

static int add_class(iv_interval *out, class_areas *c, size_t k, double confidence,
                     iv_arena *memory, iv_err *err)
{
    const size_t n = c->items->count;
    bool *positive = iv_take(memory, n, sizeof *positive);
    const iv_scored_items items = { c->items->scores[k], positive, n };
    score_order o;

    IV_TRY(iv_taken(memory, err));
    for (size_t i = 0; i < n; i++)
        positive[i] = c->items->is[i] == k;
    IV_TRY(place(&o, memory, &items, confidence, err));
    const double size[2] = { (double)o.negatives, (double)o.positives };
    *out = area_interval(&o, confidence);
    for (size_t w = 0; w < 2; w++) {
        const double weight = w == 0 ? 1.0 / (double)c->count : size[1] / (double)n;
        c->area[w] += weight * o.area;
        for (size_t i = 0; i < n; i++)
            c->moves[w][i] += weight / size[positive[i]] * (o.at[i] - o.area);
    }
    return IV_OK;
}

/* The variance of a sum of moves: classes are strata. */
static double moves_variance(const class_areas *c, const double *a, const double *b)
{
    double sum = 0.0;

    for (size_t i = 0; i < c->items->count; i++) {
        const double m = (double)c->sizes[c->items->is[i]], x = a[i] - (b != NULL ? b[i] : 0.0);
        sum += x * x * (m > 1.0 ? m / (m - 1.0) : (double)NAN);
    }
    return sum;
}

static int find_areas(class_areas *c, iv_interval *each, const iv_class_items *items,
                      double confidence, iv_arena *memory, iv_err *err)
{
    *c = (class_areas){ .items = items };
    IV_TRY(check_classes(items, err));
    c->sizes = iv_take(memory, items->classes, sizeof *c->sizes);
    for (size_t w = 0; w < 2; w++)
        c->moves[w] = iv_take(memory, items->count, sizeof *c->moves[w]);
    IV_TRY(iv_taken(memory, err));
    for (size_t i = 0; i < items->count; i++)
        c->count += c->sizes[items->is[i]]++ == 0;
    if (c->count < 2)
        return iv_fail(err, IV_ENODATA, "items of %zu class%s, expected two or more", c->count,
                       c->count == 1 ? "" : "es");
    for (size_t k = 0; k < items->classes; k++) {
        iv_arena own = { 0 };
        int rc = IV_OK;
        each[k] = (iv_interval){ NAN, NAN, NAN, NAN };
        if (c->sizes[k] > 0)
            rc = add_class(&each[k], c, k, confidence, &own, err);
        iv_arena_free(&own);
        IV_TRY(rc);
    }
    for (size_t i = 0; i < items->count; i++) /* class sizes vary, too */
        c->moves[1][i] += (each[items->is[i]].value - c->area[1]) / (double)items->count;
    for (size_t w = 0; w < 2; w++)
        c->area[w] = fmin(c->area[w], 1.0); /* but for rounding */
    return IV_OK;
}

int iv_auc_classes(iv_interval *each, iv_interval *macro, iv_interval *weighted,
                   const iv_class_items *items, double confidence, iv_err *err)
{
    const double z = iv_norm_isf(tail_of(confidence));
    iv_interval *averages[2] = { macro, weighted };
    iv_arena memory = { 0 };
    class_areas c;
    iv_interval *found = iv_take(&memory, items->classes, sizeof *found);
    int rc = iv_taken(&memory, err);

    if (rc == IV_OK)
        rc = find_areas(&c, found, items, confidence, &memory, err);
    for (size_t k = 0; k < items->classes && rc == IV_OK; k++)
        each[k] = found[k];
    for (size_t w = 0; w < 2 && rc == IV_OK; w++)
        *averages[w] = iv_logit_interval(c.area[w], sqrt(moves_variance(&c, c.moves[w], NULL)),
                                         INFINITY, z);
    iv_arena_free(&memory);
    return rc;
}

int iv_auc_classes_compare(iv_interval *out, const iv_class_items *a,
                           const double *const *scores, double confidence, iv_err *err)
{
    const iv_class_items b = { scores, a->is, a->classes, a->count };
    iv_arena memory = { 0 };
    class_areas x, y;
    iv_interval *each = iv_take(&memory, a->classes, sizeof *each);
    int rc = iv_taken(&memory, err);

    if (rc == IV_OK)
        rc = find_areas(&x, each, a, confidence, &memory, err);
    if (rc == IV_OK)
        rc = find_areas(&y, each, &b, confidence, &memory, err);
    if (rc == IV_OK)
        *out = difference_of(x.area[0] - y.area[0], moves_variance(&x, x.moves[0], y.moves[0]),
                             confidence);
    iv_arena_free(&memory);
    return rc;
}

/* ------------------------------------------------------------ average precision -- */

/* Boyd, Eng and Page (2013): the logit of the value, with the variance of a proportion of as many
 * items as are positive. */
int iv_scored_ap(iv_interval *out, const iv_scored_items *items, double confidence,
                 iv_err *err)
{
    iv_arena memory = { 0 };
    score_order o;
    double found = 0.0, ap = 0.0;
    const int rc = order_items(&o, &memory, items, confidence, err);

    for (size_t g = 0, from = 0; rc == IV_OK && g < o.groups; from = o.end[g++]) {
        double hits = 0.0;
        for (size_t i = from; i < o.end[g]; i++)
            hits += items->positive[o.item[i]];
        found += hits;
        ap += hits * found / (double)o.end[g] / (double)o.positives;
    }
    if (rc == IV_OK) {
        ap = fmin(ap, 1.0); /* but for rounding */
        *out = iv_logit_interval(ap, sqrt(ap * (1.0 - ap) / (double)o.positives), INFINITY,
                                 iv_norm_isf(tail_of(confidence)));
    }
    iv_arena_free(&memory);
    return rc;
}

/* ---------------------------------------------------------------- calibration -- */

/* The mean of n values with Student's t; no limits where they do not vary. */
static iv_interval mean_of(const double *x, size_t n, double confidence)
{
    const double nan = (double)NAN, N = (double)n;
    double mean = 0.0, squares = 0.0;

    for (size_t i = 0; i < n; i++)
        mean += x[i] / N;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    if (n < 2 || squares <= 1e-24 * N * mean * mean)
        return (iv_interval){ mean, n < 2 ? nan : 0.0, nan, nan, N - 1.0 };
    const double se = sqrt(squares / (N - 1.0) / N),
        h = iv_t_isf(tail_of(confidence), N - 1.0) * se;
    return (iv_interval){ mean, se, mean - h, mean + h, N - 1.0 };
}

static iv_interval loss_mean(const double *x, size_t n, double most, double confidence)
{
    iv_interval v = mean_of(x, n, confidence);

    v.lower = v.lower < 0.0 ? 0.0 : v.lower;
    v.upper = v.upper > most ? most : v.upper;
    return v;
}

/* Losses of each item.  Classes: brier is the sum over classes. */
static int losses_of(double *brier, double *loss, size_t *clipped, const iv_class_items *items,
                     iv_err *err)
{
    for (size_t i = 0; i < items->count; i++) {
        brier[i] = 0.0;
        for (size_t k = 0; k < items->classes; k++) {
            const double p = items->scores[k][i], off = p - (items->is[i] == k ? 1.0 : 0.0);
            if (!(p >= 0.0 && p <= 1.0))
                return iv_fail(err, IV_EARG, "the score %g of item %zu is no probability", p,
                               i + 1);
            brier[i] += off * off;
        }
        const double p = items->scores[items->is[i]][i];
        *clipped += p < 1e-15;
        loss[i] = -log(fmax(p, 1e-15));
    }
    return IV_OK;
}

int iv_class_calibrate(iv_calibration *out, const iv_class_items *items, double confidence,
                       iv_err *err)
{
    const size_t n = items->count;
    iv_arena memory = { 0 };
    double *brier = iv_take(&memory, n, sizeof *brier), *loss = iv_take(&memory, n, sizeof *loss);
    size_t clipped = 0;
    int rc = iv_taken(&memory, err);

    if (rc == IV_OK)
        rc = check_classes(items, err);
    if (rc == IV_OK)
        rc = losses_of(brier, loss, &clipped, items, err);
    if (rc == IV_OK)
        *out = (iv_calibration){ .brier = loss_mean(brier, n, 2.0, confidence),
                                 .log_loss = loss_mean(loss, n, INFINITY, confidence),
                                 .clipped = clipped };
    iv_arena_free(&memory);
    return rc;
}

static int two_losses(double *brier, double *loss, size_t *clipped, const iv_scored_items *items,
                      iv_err *err)
{
    for (size_t i = 0; i < items->count; i++) {
        const double p = items->positive[i] ? items->scores[i] : 1.0 - items->scores[i];
        if (!(items->scores[i] >= 0.0 && items->scores[i] <= 1.0))
            return iv_fail(err, IV_EARG, "the score %g of item %zu is no probability",
                           items->scores[i], i + 1);
        *clipped += p < 1e-15;
        brier[i] = (1.0 - p) * (1.0 - p);
        loss[i] = -log(fmax(p, 1e-15));
    }
    return IV_OK;
}

/* Equal-width bins, closed on the right; weighted mean of |proportion - mean probability|. */
static double expected_error(const iv_scored_items *items, size_t bins, double *off)
{
    double sum = 0.0;

    for (size_t b = 0; b < bins; b++)
        off[b] = 0.0;
    for (size_t i = 0; i < items->count; i++) {
        const double at = ceil(items->scores[i] * (double)bins) - 1.0;
        off[at > 0.0 ? (size_t)at : 0] += (items->positive[i] ? 1.0 : 0.0) - items->scores[i];
    }
    for (size_t b = 0; b < bins; b++)
        sum += fabs(off[b]) / (double)items->count;
    return sum;
}

int iv_calibrate(iv_calibration *out, const iv_scored_items *items, size_t bins,
                 double confidence, iv_err *err)
{
    const size_t n = items->count, asked = bins == 0 ? 10 : bins;
    iv_arena memory = { 0 };
    double *brier = iv_take(&memory, n, sizeof *brier), *loss = iv_take(&memory, n, sizeof *loss);
    double *off = iv_take(&memory, asked, sizeof *off);
    iv_calibration found = { .bins = asked };
    score_order o;
    int rc = iv_taken(&memory, err);

    if (rc == IV_OK)
        rc = order_items(&o, &memory, items, confidence, err); /* checks */
    if (rc == IV_OK)
        rc = two_losses(brier, loss, &found.clipped, items, err);
    if (rc == IV_OK) {
        found.brier = loss_mean(brier, n, 1.0, confidence);
        found.log_loss = loss_mean(loss, n, INFINITY, confidence);
        found.ece = expected_error(items, asked, off);
        *out = found;
    }
    iv_arena_free(&memory);
    return rc;
}

int iv_losses_compare(iv_interval out[2], const double *a, const double *b,
                      const bool *positive, size_t count, double confidence, iv_err *err)
{
    const iv_scored_items x = { a, positive, count }, y = { b, positive, count };
    iv_arena memory = { 0 };
    double *of[4];
    size_t clipped = 0;

    for (int k = 0; k < 4; k++)
        of[k] = iv_take(&memory, count, sizeof(double));
    int rc = iv_taken(&memory, err);
    if (rc == IV_OK)
        rc = two_losses(of[0], of[1], &clipped, &x, err);
    if (rc == IV_OK)
        rc = two_losses(of[2], of[3], &clipped, &y, err);
    for (int k = 0; k < 2 && rc == IV_OK; k++) {
        for (size_t i = 0; i < count; i++)
            of[k][i] -= of[k + 2][i];
        out[k] = mean_of(of[k], count, confidence);
    }
    iv_arena_free(&memory);
    return rc;
}

/* ------------------------------------------------------------------ thresholds -- */

IV_NAMES(iv_threshold_goal_names, "none", "f1", "accuracy", "youden")

/* Positives and negatives in each group, of a resample or of the items themselves. */
typedef struct weights {
    double *hits, *misses;
    uint32_t *counts;
} weights;

typedef struct scored_job {
    const iv_scored_items *items;
    score_order o;
    iv_threshold_rule rule;
    uint64_t seed;
    weights all;
    double *apparent, *optimism; /* by resample */
    double *roc, *precision;     /* IV_CURVE_POINTS a resample */
    size_t resamples;
} scored_job;

static void take_weights(weights *w, iv_arena *own, const score_order *o)
{
    w->hits = iv_take(own, o->groups, sizeof(double));
    w->misses = iv_take(own, o->groups, sizeof(double));
    w->counts = iv_take(own, o->count, sizeof(uint32_t));
}

static void *weights_new(iv_arena *own, void *user)
{
    const scored_job *j = user;
    weights *w = iv_take(own, 1, sizeof *w);

    if (w != NULL)
        take_weights(w, own, &j->o);
    return own->failed ? NULL : w;
}

/* counts NULL: each item once. */
static void weigh(weights *w, const scored_job *j, const uint32_t *counts)
{
    for (size_t g = 0, from = 0; g < j->o.groups; from = j->o.end[g++]) {
        w->hits[g] = w->misses[g] = 0.0;
        for (size_t i = from; i < j->o.end[g]; i++) {
            const size_t k = j->o.item[i];
            *(j->items->positive[k] ? &w->hits[g] : &w->misses[g]) += counts == NULL ? 1.0
                                                                          : (double)counts[k];
        }
    }
}

static double goal_of(iv_threshold_goal goal, double tp, double fp, double P, double N)
{
    if (goal == IV_BEST_F1)
        return tp > 0.0 ? 2.0 * tp / (P + tp + fp) : 0.0;
    if (goal == IV_BEST_ACCURACY)
        return (tp + N - fp) / (P + N);
    return (P > 0.0 ? tp / P : 0.0) - (N > 0.0 ? fp / N : 0.0);
}

/* What is reported of a threshold: higher is better. */
static double value_of(const iv_threshold_rule *r, double tp, double fp, double P, double N)
{
    switch (r->kind) {
    case IV_RULE_COST:
        return -(r->fp * fp + r->fn * (P - tp)) / (P + N);
    case IV_RULE_RECALL:
        return P > 0.0 ? tp / P : 0.0;
    case IV_RULE_PRECISION:
    case IV_RULE_CAPACITY:
        return tp + fp > 0.0 ? tp / (tp + fp) : 0.0;
    default:
        return goal_of(r->goal, tp, fp, P, N);
    }
}

/* What is maximised: below 0 where a rule is not kept. */
static double merit_of(const iv_threshold_rule *r, double tp, double fp, double P, double N,
                       size_t items)
{
    const double x = value_of(r, tp, fp, P, N), part = (tp + fp) / (P + N);

    switch (r->kind) {
    case IV_RULE_RECALL:
        return x >= r->least ? 2.0 - part : x - 1.0;
    case IV_RULE_PRECISION:
        return x >= r->least ? 1.0 + tp : tp + fp > 0.0 ? x - 2.0 : 0.0;
    case IV_RULE_CAPACITY:
        return part * (double)items <= (double)r->capacity ? part : -1.0;
    default:
        return x;
    }
}

/* The value with the first *at groups called positive; *at SIZE_MAX: with the best, which it
 * becomes, none if that is better than any. */
static double goal_at(const scored_job *j, const weights *w, size_t *at)
{
    double P = 0.0, N = 0.0, tp = 0.0, fp = 0.0, value;
    size_t best = 0;

    for (size_t g = 0; g < j->o.groups; g++) {
        P += w->hits[g];
        N += w->misses[g];
    }
    double most = merit_of(&j->rule, 0.0, 0.0, P, N, j->o.count);
    value = value_of(&j->rule, 0.0, 0.0, P, N);
    for (size_t g = 0; g < j->o.groups && *at != 0; g++) {
        tp += w->hits[g];
        fp += w->misses[g];
        const double x = value_of(&j->rule, tp, fp, P, N);
        if (g + 1 == *at)
            return x;
        const double merit = merit_of(&j->rule, tp, fp, P, N, j->o.count);
        if (merit > most || (merit == most && best == 0)) {
            most = merit;
            value = x;
            best = g + 1;
        }
    }
    *at = *at == 0 ? 0 : best;
    return value;
}

static int choose_once(void *user, void *memory, size_t k, iv_err *err)
{
    scored_job *j = user;
    weights *w = memory;
    iv_stream s = iv_stream_start(j->seed, CHOOSING, k);
    size_t best = SIZE_MAX;

    (void)err;
    iv_draw_resample(&s, w->counts, j->o.count);
    weigh(w, j, w->counts);
    j->apparent[k] = goal_at(j, w, &best);
    j->optimism[k] = j->apparent[k] - goal_at(j, &j->all, &best);
    return IV_OK;
}

/* Optimism by Harrell, Lee and Mark (1996); limits are percentiles of the apparent goal over
 * resamples, shifted by the optimism (Noma et al. 2021). */
static int choose(iv_threshold *out, scored_job *j, iv_arena *memory, double confidence,
                  const iv_work *work, iv_err *err)
{
    const bool cost = j->rule.kind == IV_RULE_COST;
    const double least = cost ? -fmax(j->rule.fp, j->rule.fn)
        : j->rule.kind == IV_RULE_GOAL && j->rule.goal == IV_BEST_YOUDEN ? -1.0 : 0.0;
    const double highest = cost ? 0.0 : 1.0;
    size_t best = SIZE_MAX;

    take_weights(&j->all, memory, &j->o);
    j->apparent = iv_take(memory, j->resamples, sizeof(double));
    j->optimism = iv_take(memory, j->resamples, sizeof(double));
    IV_TRY(iv_taken(memory, err));
    weigh(&j->all, j, NULL);
    out->apparent = goal_at(j, &j->all, &best);
    IV_TRY(iv_parallel(&(iv_loop){ j->resamples, choose_once, j, weights_new }, work, err));
    out->at = best == 0 ? (double)NAN : j->items->scores[j->o.item[j->o.end[best - 1] - 1]];
    out->optimism = 0.0;
    for (size_t k = 0; k < j->resamples; k++)
        out->optimism += j->optimism[k] / (double)j->resamples;
    out->value = fmin(highest, fmax(least, out->apparent - out->optimism));
    out->lower = fmax(least, iv_quantile(j->apparent, j->resamples, tail_of(confidence))
                                 - out->optimism);
    out->upper = fmin(highest, iv_quantile(j->apparent, j->resamples, 1.0 - tail_of(confidence))
                               - out->optimism);
    if (!(out->upper - out->lower > 1e-12))
        out->lower = out->upper = (double)NAN; /* the same in all resamples */
    if (cost) { /* low is good */
        const double lower = out->lower;
        out->apparent = 0.0 - out->apparent;
        out->value = 0.0 - out->value;
        out->lower = 0.0 - out->upper;
        out->upper = 0.0 - lower;
    }
    return IV_OK;
}

/* A threshold that lets k of P positive items pass is the k-th highest of their scores, so its
 * recall on new items is Beta(k, P + 1 - k), whatever the scores (Wilks 1941). */
static void set_tolerance(iv_threshold *out, const score_order *o, double confidence)
{
    const double P = (double)o->positives, k = out->apparent * P, b = P + 1.0 - k;

    out->value = k / (P + 1.0);
    out->optimism = out->apparent - out->value;
    out->lower = iv_beta_quantile(tail_of(confidence), k, b);
    out->upper = iv_beta_isf(tail_of(confidence), k, b);
}

int iv_threshold_by_rule(iv_threshold *out, const iv_scored_items *items,
                         const iv_threshold_rule *rule, double confidence, size_t resamples,
                         const iv_work *work, iv_err *err)
{
    scored_job j = { .items = items, .rule = *rule, .seed = iv_work_seed(work),
                     .resamples = resamples == 0 ? RESAMPLES : resamples };
    iv_arena memory = { 0 };
    int rc = order_items(&j.o, &memory, items, confidence, err);

    if (rc == IV_OK)
        rc = choose(out, &j, &memory, confidence, work, err);
    if (rc == IV_OK && rule->kind == IV_RULE_RECALL)
        set_tolerance(out, &j.o, confidence);
    if (rule->kind == IV_RULE_PRECISION)
        out->lower = out->upper = (double)NAN; /* precision in resamples is that asked for */
    iv_arena_free(&memory);
    return rc;
}

/* -------------------------------------------------------------------- curves -- */

/* Both curves at the points x = 0, .01, ..., 1: between thresholds the ROC curve is
 * straight; the precision is that of the first threshold whose recall is x or more. */
static void curves_of(double *roc, double *precision, const scored_job *j, const weights *w)
{
    const double P = (double)j->o.positives, N = (double)j->o.negatives;
    double tp = 0.0, fp = 0.0;
    size_t x = 0, r = 0;

    for (size_t g = 0; g < j->o.groups; g++) {
        const double tp0 = tp, fp0 = fp;
        tp += w->hits[g];
        fp += w->misses[g];
        for (; x < IV_CURVE_POINTS && (fp / N > 0.01 * (double)x || g + 1 == j->o.groups); x++) {
            const double part = fp > fp0 ? (0.01 * (double)x * N - fp0) / (fp - fp0) : 1.0;
            roc[x] = (tp0 + fmin(fmax(part, 0.0), 1.0) * (tp - tp0)) / P;
        }
        for (; r < IV_CURVE_POINTS && tp > 0.0 && tp / P >= 0.01 * (double)r - 1e-12; r++)
            precision[r] = tp / (tp + fp);
    }
    roc[IV_CURVE_POINTS - 1] = 1.0;
}

/* Each class is resampled apart: both are there each time. */
static int draw_once(void *user, void *memory, size_t k, iv_err *err)
{
    scored_job *j = user;
    weights *w = memory;
    iv_stream s = iv_stream_start(j->seed, DRAWING, k);
    size_t at[2] = { 0, j->o.positives };

    (void)err;
    iv_draw_resample(&s, w->counts, j->o.positives);
    iv_draw_resample(&s, w->counts + j->o.positives, j->o.negatives);
    for (size_t g = 0, from = 0; g < j->o.groups; from = j->o.end[g++]) {
        w->hits[g] = w->misses[g] = 0.0;
        for (size_t i = from; i < j->o.end[g]; i++) {
            if (j->items->positive[j->o.item[i]])
                w->hits[g] += w->counts[at[0]++];
            else
                w->misses[g] += w->counts[at[1]++];
        }
    }
    curves_of(j->roc + k * IV_CURVE_POINTS, j->precision + k * IV_CURVE_POINTS, j, w);
    return IV_OK;
}

static int draw(iv_interval *roc, iv_interval *precision, scored_job *j, iv_arena *memory,
                double confidence, const iv_work *work, iv_err *err)
{
    const size_t B = j->resamples, each = IV_CURVE_POINTS;
    double seen[2][IV_CURVE_POINTS] = { { 0.0 } };
    double *column = iv_take(memory, B, sizeof *column);

    take_weights(&j->all, memory, &j->o);
    j->roc = iv_take(memory, B * each, sizeof(double));
    j->precision = iv_take(memory, B * each, sizeof(double));
    IV_TRY(iv_taken(memory, err));
    weigh(&j->all, j, NULL);
    curves_of(seen[0], seen[1], j, &j->all);
    IV_TRY(iv_parallel(&(iv_loop){ B, draw_once, j, weights_new }, work, err));
    for (int curve = 0; curve < 2; curve++) {
        const double *from = curve == 0 ? j->roc : j->precision;
        for (size_t x = 0; x < each; x++) {
            for (size_t k = 0; k < B; k++)
                column[k] = from[k * each + x];
            (curve == 0 ? roc : precision)[x] = (iv_interval){
                .value = seen[curve][x], .lower = iv_quantile(column, B, 0.5 * (1.0 - confidence)),
                .upper = iv_quantile(column, B, 0.5 * (1.0 + confidence)) };
        }
    }
    return IV_OK;
}

int iv_scored_curves(iv_interval *roc, iv_interval *precision,
                     const iv_scored_items *items, double confidence, size_t resamples,
                     const iv_work *work, iv_err *err)
{
    scored_job j = { .items = items, .seed = iv_work_seed(work),
                     .resamples = resamples == 0 ? RESAMPLES : resamples };
    iv_arena memory = { 0 };
    int rc = order_items(&j.o, &memory, items, confidence, err);

    if (rc == IV_OK)
        rc = draw(roc, precision, &j, &memory, confidence == 0.0 ? 0.95 : confidence, work, err);
    iv_arena_free(&memory);
    return rc;
}
