/* SPDX-License-Identifier: Apache-2.0 */
/* Agreement of two assessors, with intervals from leaving out units. */
#include "intervale/stat/agreement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "intervale/num.h"
#include "stat/machine/agreement_parts.h"

const char *const *iv_kappa_weights_names(void)
{
    static const char *const names[] = { "plain", "linear", "quadratic", NULL };

    return names;
}

/* ------------------------------------------------------------ intervals -- */

/* By how much fewer independent items there seem to be, since few units tell the spread. */
static double penalty(double units, double tail)
{
    const double z = iv_norm_isf(tail), t = iv_t_isf(tail, units - 1.0);

    return z * z / (t * t);
}

static double squares_of(const double *x, size_t n)
{
    double mean = 0.0, sum = 0.0;

    for (size_t i = 0; i < n; i++)
        mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sum * ((double)n - 1.0) / (double)n;
}

/* Jeffreys' limits of a share s that varies as that of so many items; at the ends, where
 * it does not seem to vary, of `items`. */
static void jeffreys(double *lower, double *upper, double s, double variance, double items,
                     double units, double tail)
{
    double n = s * (1.0 - s) / variance;

    if (!(isfinite(n) && n > 0.0))
        n = items;
    n *= penalty(units, tail);
    const double a = s * n + 0.5, b = (1.0 - s) * n + 0.5;
    *lower = s <= 0.0 ? 0.0 : iv_beta_quantile(tail, a, b);
    *upper = s >= 1.0 ? 1.0 : iv_beta_isf(tail, a, b);
}

double iv_agreement_tail(double confidence)
{
    return 0.5 * (1.0 - (confidence == 0.0 ? 0.95 : confidence));
}

iv_over_units iv_beyond_chance(double ratio, double most, const double *left_out, size_t units,
                               double by_chance, double tail)
{
    const double nan = (double)NAN;
    const double variance = units > 1 ? squares_of(left_out, units) : nan;
    iv_over_units out = { 1.0 - ratio, nan, nan, nan };
    double lower, upper;

    /* Without one unit there may be one label only: then nothing is known of the spread. */
    if (!isfinite(ratio) || !isfinite(variance))
        return out;
    out.se = sqrt(variance);
    /* Among as many of a rare label one agreement takes two disagreements. */
    const double items = most * by_chance * (ratio < most ? 1.0 : 0.5);
    jeffreys(&lower, &upper, fmin(1.0, ratio / most), variance / (most * most), items,
             (double)units, tail);
    /* At the ends rounding must not push the value out. */
    out.lower = fmin(out.value, 1.0 - most * upper);
    out.upper = fmax(out.value, 1.0 - most * lower);
    return out;
}

iv_over_units iv_jackknifed(double value, const double *left_out, size_t units,
                            double confidence)
{
    const double nan = (double)NAN;
    iv_over_units out = { value, nan, nan, nan };

    if (units < 2)
        return out;
    out.se = sqrt(squares_of(left_out, units));
    const double reach = iv_t_isf(iv_agreement_tail(confidence), (double)units - 1.0) * out.se;
    out.lower = value - reach;
    out.upper = value + reach;
    return out;
}

iv_over_units iv_share_over_units(const double *hits, const double *all, size_t units,
                                  size_t items, double confidence)
{
    const double nan = (double)NAN;
    iv_over_units out = { nan, nan, nan, nan };
    double h = 0.0, a = 0.0, mean = 0.0, squares = 0.0, used = 0.0;

    for (size_t u = 0; u < units; u++) {
        h += hits[u];
        a += all[u];
        used += all[u] > 0.0;
    }
    if (!(a > 0.0))
        return out;
    out.value = h / a;
    if (used < 2.0)
        return out;
    /* Units that have nothing are as if they were not there. */
    for (size_t u = 0; u < units; u++)
        if (all[u] > 0.0)
            mean += (h - hits[u]) / (a - all[u]) / used;
    for (size_t u = 0; u < units; u++)
        if (all[u] > 0.0) {
            const double x = (h - hits[u]) / (a - all[u]) - mean;
            squares += x * x;
        }
    squares *= (used - 1.0) / used;
    out.se = sqrt(squares);
    jeffreys(&out.lower, &out.upper, out.value, squares, (double)items, used,
             iv_agreement_tail(confidence));
    return out;
}

/* ------------------------------------------------------------ the tables -- */

int iv_label_tables_new(iv_label_tables *t, const iv_label_pairs *pairs, double confidence,
                        iv_err *err)
{
    const size_t L = pairs->labels, items = pairs->units > 0 ? pairs->starts[pairs->units] : 0;

    *t = (iv_label_tables){ .labels = L, .items = items,
                            .units = pairs->units > 1 ? pairs->units : items };
    if (items == 0)
        return iv_fail(err, IV_ENODATA, "no item has two labels");
    if (L == 0 || L > 1000 || !(confidence >= 0.0 && confidence < 1.0))
        return iv_fail(err, IV_EARG, "%zu labels and confidence %g, expected 1 to 1,000 labels and "
                       "a confidence between 0 and 1", L, confidence);
    for (size_t i = 0; i < items; i++) {
        const iv_label_pair *p = &pairs->at[i];
        if (p->a >= L || p->b >= L || !(p->weight > 0.0) || !isfinite(p->weight))
            return iv_fail(err, IV_EARG, "item %zu has labels %u and %u and weight %g, expected "
                           "labels below %zu and a weight above 0", i, (unsigned)p->a,
                           (unsigned)p->b, p->weight, L);
    }
    t->all = calloc(2 * L * L, sizeof *t->all);
    if (t->all == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    t->less = t->all + L * L;
    for (size_t i = 0; i < items; i++)
        t->all[pairs->at[i].a * L + pairs->at[i].b] += pairs->at[i].weight;
    return IV_OK;
}

void iv_label_tables_free(iv_label_tables *t)
{
    free(t->all);
}

const double *iv_label_table_without(iv_label_tables *t, const iv_label_pairs *pairs, size_t unit)
{
    const size_t L = t->labels, one = pairs->units > 1 ? 0 : 1;
    const size_t from = one ? unit : pairs->starts[unit];
    const size_t to = one ? unit + 1 : pairs->starts[unit + 1];

    memcpy(t->less, t->all, L * L * sizeof *t->less);
    for (size_t i = from; i < to; i++)
        t->less[pairs->at[i].a * L + pairs->at[i].b] -= pairs->at[i].weight;
    return t->less;
}

/* ---------------------------------------------------------------- kappa -- */

static double cost_of(size_t a, size_t b, iv_kappa_weights weights)
{
    const double d = a > b ? (double)(a - b) : (double)(b - a);

    return weights == IV_KAPPA_PLAIN ? (a != b) : weights == IV_KAPPA_LINEAR ? d : d * d;
}

/* 1 - kappa is the ratio of the disagreement seen and that of chance; NaN without any. */
static double ratio_of(double *seen, double *chance, const double *table, size_t L,
                       iv_kappa_weights weights)
{
    double sum = 0.0;

    *seen = *chance = 0.0;
    for (size_t k = 0; k < L * L; k++)
        sum += table[k];
    for (size_t a = 0; a < L; a++) {
        double of_a = 0.0;
        for (size_t b = 0; b < L; b++)
            of_a += table[a * L + b];
        for (size_t b = 0; b < L; b++) {
            const double cost = cost_of(a, b, weights);
            double of_b = 0.0;
            for (size_t k = 0; k < L && cost > 0.0 && of_a > 0.0; k++)
                of_b += table[k * L + b];
            *seen += cost * table[a * L + b] / sum;
            *chance += cost * of_a * of_b / (sum * sum);
        }
    }
    return *seen / *chance;
}

/* The shares of a's labels, or of b's. */
static double share_of(const double *table, size_t L, size_t label, bool of_b)
{
    double here = 0.0, sum = 0.0;

    for (size_t k = 0; k < L * L; k++) {
        sum += table[k];
        here += (of_b ? k % L : k / L) == label ? table[k] : 0.0;
    }
    return here / sum;
}

/*
 * The most that 1 - kappa can be with these shares: when a's lowest labels meet b's highest
 * (unweighted: when labels meet their like as little as they can), over chance's.  Where
 * a label is rare it is not much above 1: kappa can hardly fall below 0.
 */
static double most_of(const double *table, size_t L, double chance, iv_kappa_weights weights)
{
    size_t a = 0, b = L - 1;
    double seen = weights == IV_KAPPA_PLAIN ? 1.0 : 0.0;
    double of_a = share_of(table, L, a, false), of_b = share_of(table, L, b, true);

    for (size_t l = 0; weights == IV_KAPPA_PLAIN && l < L; l++)
        seen -= fmax(0.0, share_of(table, L, l, false) + share_of(table, L, l, true) - 1.0);
    while (weights != IV_KAPPA_PLAIN) {
        const double both = fmin(of_a, of_b);
        seen += both * cost_of(a, b, weights);
        of_a -= both;
        of_b -= both;
        if (of_a <= of_b) {
            if (++a == L)
                break;
            of_a = share_of(table, L, a, false);
        } else {
            if (b-- == 0)
                break;
            of_b = share_of(table, L, b, true);
        }
    }
    return fmin(2.0, seen / chance);
}

static void count(iv_kappa *out, const iv_label_pairs *pairs, iv_kappa_weights weights)
{
    const size_t items = pairs->starts[pairs->units];
    size_t *of = calloc(pairs->labels, sizeof *of);

    out->items = out->rare = items;
    for (size_t i = 0; i < items; i++) {
        out->apart += pairs->at[i].a != pairs->at[i].b;
        if (of != NULL)
            of[pairs->at[i].a]++;
    }
    for (uint32_t l = 0; of != NULL && l < pairs->labels; l++)
        if (of[l] > 0 && of[l] < out->rare)
            out->rare = of[l];
    free(of);
    out->few = items < IV_KAPPA_ITEMS || out->rare < IV_KAPPA_RARE
        || out->apart < (weights == IV_KAPPA_QUADRATIC ? IV_KAPPA_APART_SQUARED : IV_KAPPA_APART);
}

static void fill(iv_kappa *out, double *left, iv_label_tables *t, const iv_label_pairs *pairs,
                 iv_kappa_weights weights, double tail)
{
    double seen, chance, u, v;
    const double q = ratio_of(&seen, &chance, t->all, t->labels, weights);

    for (size_t i = 0; i < t->units; i++)
        left[i] = 1.0 - ratio_of(&u, &v, iv_label_table_without(t, pairs, i), t->labels, weights);
    out->is = iv_beyond_chance(q, most_of(t->all, t->labels, chance, weights), left, t->units,
                               chance * (double)t->items, tail);
    (void)ratio_of(&seen, &chance, t->all, t->labels, IV_KAPPA_PLAIN);
    out->agreement = 1.0 - seen;
    out->expected = 1.0 - chance;
    count(out, pairs, weights);
}

int iv_kappa_of(iv_kappa *out, double *left_out, const iv_label_pairs *pairs,
                iv_kappa_weights weights, double confidence, iv_err *err)
{
    iv_label_tables t;
    int rc = iv_label_tables_new(&t, pairs, confidence, err);

    if (rc != IV_OK)
        return rc;
    double *left = left_out != NULL ? left_out : malloc(t.units * sizeof *left);
    if (left == NULL)
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    else {
        *out = (iv_kappa){ 0 };
        fill(out, left, &t, pairs, weights, iv_agreement_tail(confidence));
    }
    if (left_out == NULL)
        free(left);
    iv_label_tables_free(&t);
    return rc;
}
