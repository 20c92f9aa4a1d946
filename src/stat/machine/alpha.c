/* SPDX-License-Identifier: Apache-2.0 */
/* Krippendorff's alpha, with its interval from leaving out items or topics. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "stat/machine/agreement_parts.h"

enum { ORDERED_MOST = 100 };

const char *const *iv_label_scale_names(void)
{
    static const char *const names[] = { "auto", "nominal", "ordinal", "interval", NULL };

    return names;
}

/*
 * What alpha is made of.  An item of m labels is m (m - 1) ordered pairs of weight
 * 1 / (m - 1).  Distances are of values, so that sums are enough; an order's values are the
 * middle ranks, which change with every item left out: there all pairs are counted.
 */
typedef struct sums {
    double n;            /* labels */
    double apart;        /* weight of pairs that differ */
    double same;         /* of labels drawn without regard to items: sum of counts squared */
    double first, second, within; /* of values: sum, squares, weighted squared differences */
    double *count;       /* of each label */
    double *pairs;       /* [a * labels + b], by weight; NULL unless ordinal */
} sums;

typedef struct rated {
    const iv_ratings *r;
    iv_label_scale scale;
    const double *value; /* less their mean */
    sums all, less;
    double *rank;        /* of each label, ordinal */
    iv_arena memory;
} rated;

/* Adds an item's labels, or takes them out again. */
static void count_item(const rated *x, sums *s, size_t item, double sign)
{
    const iv_ratings *r = x->r;
    const uint32_t *label = r->label + r->starts[item];
    const size_t m = r->starts[item + 1] - r->starts[item];
    const double weight = m > 1 ? sign / ((double)m - 1.0) : 0.0;
    double first = 0.0, second = 0.0;

    if (m < 2)
        return;
    for (size_t i = 0; i < m; i++) {
        s->n += sign;
        s->same += 2.0 * sign * s->count[label[i]] + 1.0;
        s->count[label[i]] += sign;
        for (size_t k = 0; k < m; k++)
            s->apart += label[i] != label[k] ? weight : 0.0;
        for (size_t k = 0; s->pairs != NULL && k < m; k++)
            s->pairs[label[i] * (size_t)r->labels + label[k]] += k != i ? weight : 0.0;
        if (x->value != NULL) {
            first += x->value[label[i]];
            second += x->value[label[i]] * x->value[label[i]];
        }
    }
    s->first += sign * first;
    s->second += sign * second;
    s->within += 2.0 * weight * ((double)m * second - first * first);
}

/* Distances of middle ranks. */
static void by_order(double *seen, double *chance, const rated *x, const sums *s)
{
    const size_t L = x->r->labels;
    double below = 0.0, first = 0.0, second = 0.0;

    for (size_t a = 0; a < L; a++) {
        x->rank[a] = below + 0.5 * (s->count[a] - s->n);
        below += s->count[a];
        first += s->count[a] * x->rank[a];
        second += s->count[a] * x->rank[a] * x->rank[a];
    }
    *seen = 0.0;
    for (size_t a = 0; a < L; a++)
        for (size_t b = 0; b < L; b++) {
            const double d = x->rank[a] - x->rank[b];
            *seen += s->pairs[a * L + b] * d * d;
        }
    *chance = 2.0 * (s->n * second - first * first);
}

/* 1 - alpha. */
static double ratio_of(const rated *x, const sums *s)
{
    double seen = s->apart, chance = s->n * s->n - s->same;

    if (x->scale == IV_SCALE_ORDINAL) {
        by_order(&seen, &chance, x, s);
    } else if (x->scale == IV_SCALE_INTERVAL) {
        seen = s->within;
        chance = 2.0 * (s->n * s->second - s->first * s->first);
    }
    /* What is left when equal numbers were taken from each other is no chance. */
    if (!(s->n * s->n - s->same > 0.5))
        return (double)NAN;
    return fmax(0.0, seen) * (s->n - 1.0) / chance;
}

/*
 * The most that 1 - alpha can be with these counts: the disagreement when the lowest label
 * meets the highest, and so on inwards (of words, when the commonest meets all others), over
 * that of chance.  It is 2 when labels lie alike on both sides, and near 1 when one label is
 * rare, where alpha can hardly fall below 0.
 */
static double most_of(const rated *x, const sums *s)
{
    const double *v = x->scale == IV_SCALE_ORDINAL ? x->rank : x->value;
    size_t low = 0, high = x->r->labels - 1;
    double seen = 0.0, chance = 0.0, most = 0.0, under = s->count[low], over = s->count[high];

    for (size_t l = 0; l < x->r->labels; l++)
        most = fmax(most, s->count[l]);
    if (x->scale == IV_SCALE_NOMINAL)
        return fmin(s->n, 2.0 * (s->n - most)) * (s->n - 1.0) / (s->n * s->n - s->same);
    if (x->scale == IV_SCALE_ORDINAL)
        by_order(&seen, &chance, x, s);
    else
        chance = 2.0 * (s->n * s->second - s->first * s->first);
    for (seen = 0.0; low < high;) {
        const double both = fmin(under, over);
        seen += 2.0 * both * (v[high] - v[low]) * (v[high] - v[low]);
        under -= both;
        over -= both;
        if (under <= 0.0)
            under = s->count[++low];
        if (over <= 0.0)
            over = s->count[--high];
    }
    return fmin(2.0, seen * (s->n - 1.0) / chance);
}

/* ---------------------------------------------------------------- checks -- */

static int choose_scale(rated *x, iv_label_scale scale, iv_err *err)
{
    const iv_ratings *r = x->r;
    bool whole = r->labels <= IV_GRADES_MOST;

    for (uint32_t l = 0; r->value != NULL && l < r->labels; l++) {
        whole = whole && floor(r->value[l]) == r->value[l];
        if (!isfinite(r->value[l]) || (l > 0 && !(r->value[l] > r->value[l - 1])))
            return iv_fail(err, IV_EARG, "value %g of label %u, expected values that rise",
                           r->value[l], (unsigned)l);
    }
    x->scale = scale != IV_SCALE_BY_LABELS ? scale : r->value == NULL ? IV_SCALE_NOMINAL
             : whole ? IV_SCALE_ORDINAL : IV_SCALE_INTERVAL;
    if (r->value == NULL && x->scale != IV_SCALE_NOMINAL)
        return iv_fail(err, IV_EARG, "labels are words, which have no %s, expected numbers for the "
                       "scale %s", x->scale == IV_SCALE_ORDINAL ? "order" : "distances",
                       iv_label_scale_names()[x->scale]);
    if (x->scale == IV_SCALE_ORDINAL && r->labels > ORDERED_MOST)
        return iv_fail(err, IV_EARG, "%u labels in an order, expected at most %d; the scale "
                       "interval takes any number", (unsigned)r->labels, ORDERED_MOST);
    return IV_OK;
}

static int check(const iv_ratings *r, double confidence, iv_err *err)
{
    bool any = false;

    if (r->labels == 0 || !(confidence >= 0.0 && confidence < 1.0))
        return iv_fail(err, IV_EARG, "%u labels and confidence %g, expected some and a confidence "
                       "between 0 and 1", (unsigned)r->labels, confidence);
    for (size_t i = 0; i < r->items; i++) {
        any = any || r->starts[i + 1] - r->starts[i] > 1;
        for (size_t k = r->starts[i]; k < r->starts[i + 1]; k++)
            if (r->label[k] >= r->labels)
                return iv_fail(err, IV_EARG, "item %zu has label %u, expected one below %u", i,
                               (unsigned)r->label[k], (unsigned)r->labels);
    }
    return any ? IV_OK : iv_fail(err, IV_ENODATA, "no item has two labels");
}

static int make_room(rated *x, iv_err *err)
{
    const iv_ratings *r = x->r;
    const size_t L = r->labels;
    double *value = r->value != NULL ? iv_take(&x->memory, L, sizeof *value) : NULL, mean = 0.0;
    sums *both[] = { &x->all, &x->less };

    for (size_t k = 0; k < 2; k++) {
        both[k]->count = iv_take(&x->memory, L, sizeof(double));
        if (x->scale == IV_SCALE_ORDINAL)
            both[k]->pairs = iv_take(&x->memory, L * L, sizeof(double));
    }
    x->rank = iv_take(&x->memory, L, sizeof *x->rank);
    IV_TRY(iv_taken(&x->memory, err));
    for (size_t l = 0; value != NULL && l < L; l++)
        mean += r->value[l] / (double)L;
    for (size_t l = 0; value != NULL && l < L; l++)
        value[l] = r->value[l] - mean;
    x->value = value;
    return IV_OK;
}

/* ---------------------------------------------------------------- leaving out -- */

/* 1 - alpha without the items from `from` to `to`; less.count is as all.count before and
 * after. */
static double without(rated *x, size_t from, size_t to)
{
    const size_t L = x->r->labels;
    const double *counts = x->all.count;
    double *count = x->less.count;
    sums s = x->all;

    s.count = count;
    s.pairs = x->less.pairs;
    if (s.pairs != NULL)
        memcpy(s.pairs, x->all.pairs, L * L * sizeof *s.pairs);
    for (size_t i = from; i < to; i++)
        count_item(x, &s, i, -1.0);
    const double q = ratio_of(x, &s);
    for (size_t i = from; i < to; i++)
        for (size_t k = x->r->starts[i]; k < x->r->starts[i + 1]; k++)
            count[x->r->label[k]] = counts[x->r->label[k]];
    return q;
}

static bool counts_in(const iv_ratings *r, size_t item)
{
    return r->starts[item + 1] - r->starts[item] > 1;
}

static size_t leave_out(double *left, rated *x, bool by_unit)
{
    const iv_ratings *r = x->r;
    size_t units = 0;

    memcpy(x->less.count, x->all.count, r->labels * sizeof *x->less.count);
    for (size_t u = 0; u < (by_unit ? r->units : r->items); u++) {
        const size_t from = by_unit ? r->unit_starts[u] : u;
        const size_t to = by_unit ? r->unit_starts[u + 1] : u + 1;
        bool any = false;
        for (size_t i = from; i < to; i++)
            any = any || counts_in(r, i);
        if (any)
            left[units++] = 1.0 - without(x, from, to);
    }
    return units;
}

static void describe(iv_alpha *out, const rated *x)
{
    const iv_ratings *r = x->r;
    const sums *s = &x->all;
    double most = 0.0;

    for (size_t i = 0; i < r->items; i++) {
        bool apart = false;
        for (size_t k = r->starts[i] + 1; k < r->starts[i + 1]; k++)
            apart = apart || r->label[k] != r->label[k - 1];
        out->items += counts_in(r, i);
        out->apart += apart;
    }
    for (uint32_t l = 0; l < r->labels; l++)
        most = fmax(most, s->count[l]);
    out->scale = x->scale;
    out->labels = (size_t)s->n;
    out->rare = (size_t)(((double)out->items) * (s->n - most) / s->n + 1e-9);
    out->few = out->items < IV_KAPPA_ITEMS || out->rare < IV_KAPPA_RARE;
    out->agreement = 1.0 - s->apart / s->n;
    out->expected = 1.0 - (s->n * s->n - s->same) / (s->n * (s->n - 1.0));
}

static int compute(iv_alpha *out, rated *x, iv_label_scale scale, double confidence, iv_err *err)
{
    const iv_ratings *r = x->r;
    size_t topics = 0;

    IV_TRY(check(r, confidence, err));
    IV_TRY(choose_scale(x, scale, err));
    IV_TRY(make_room(x, err));
    double *left = iv_take(&x->memory, r->items, sizeof *left);
    IV_TRY(iv_taken(&x->memory, err));
    for (size_t i = 0; i < r->items; i++)
        count_item(x, &x->all, i, 1.0);
    for (size_t u = 0; r->unit_starts != NULL && u < r->units; u++) {
        bool any = false;
        for (size_t i = r->unit_starts[u]; i < r->unit_starts[u + 1]; i++)
            any = any || counts_in(r, i);
        topics += any;
    }
    *out = (iv_alpha){ 0 };
    describe(out, x);
    out->units = leave_out(left, x, topics >= IV_ALPHA_UNITS);
    out->is = iv_beyond_chance(ratio_of(x, &x->all), most_of(x, &x->all), left, out->units,
                               (1.0 - out->expected) * (double)out->items,
                               iv_agreement_tail(confidence));
    return IV_OK;
}

int iv_alpha_of(iv_alpha *out, const iv_ratings *r, iv_label_scale scale, double confidence,
                iv_err *err)
{
    rated x = { .r = r };
    const int rc = compute(out, &x, scale, confidence, err);

    iv_arena_free(&x.memory);
    return rc;
}
