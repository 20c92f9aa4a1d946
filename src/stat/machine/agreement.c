/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Agreement of assessors: Cohen's kappa of two, Krippendorff's alpha of several, proportions.
 * Kappa and alpha have the jackknife over units with Student's t (Fleiss and Davies 1982).
 */

#include "base/err.h"
#include "base/memory.h"
#include "base/names.h"
#include "intervale/num.h"
#include "num/dist.h"
#include "num/linear.h"
#include "stat/agreement.h"

#include <math.h>
#include <string.h>

IV_NAMES(iv_kappa_weights_names, "plain", "linear", "quadratic")

/* ------------------------------------------------------------ intervals -- */

static double squares_of(const double *x, size_t n)
{
    double mean = 0.0, sum = 0.0;

    for (size_t i = 0; i < n; i++)
        mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sum * ((double)n - 1.0) / (double)n;
}

size_t iv_agreement_units(size_t *starts, size_t units)
{
    if (units >= IV_ALPHA_UNITS || units == 0)
        return units;
    starts[1] = starts[units];
    return 1;
}

/* What is left at each end; confidence 0 is .95. */
static double agreement_tail(double confidence)
{
    return 0.5 * (1.0 - (confidence == 0.0 ? 0.95 : confidence));
}

iv_interval iv_jackknifed(double value, const double *left_out, size_t units,
                          double confidence)
{
    const double nan = (double)NAN, variance = units > 1 ? squares_of(left_out, units) : nan;
    iv_interval out = { value, nan, nan, nan };

    if (!isfinite(variance)) /* without one unit there may be no value */
        return out;
    out.se = variance > 1e-24 ? sqrt(variance) : 0.0;
    if (out.se == 0.0) /* no unit differs from the others: nothing is known of the variance */
        return out;
    const double half = iv_t_isf(agreement_tail(confidence), (double)units - 1.0) * out.se;
    out.lower = value - half;
    out.upper = value + half;
    return out;
}

/* The limits of a coefficient cut at -1 and 1. */
static iv_interval within_one(iv_interval x)
{
    x.lower = x.lower < -1.0 ? -1.0 : x.lower;
    x.upper = x.upper > 1.0 ? 1.0 : x.upper;
    return x;
}

/* Clopper and Pearson's limits for the effective number of items, less for few units: Korn and
 * Graubard (1998).  At 0 and 1, where there is no variance, there are as many as items. */
static void korn_graubard(iv_interval *x, double items, double df, double tail)
{
    const double p = x->value, variance = x->se * x->se;
    const double effective = variance > 0.0 ? p * (1.0 - p) / variance
        : p > 0.0 && p < 1.0 ? INFINITY : items;
    const double fewer = iv_t_isf(tail, fmax(items - 1.0, 1.0)) / iv_t_isf(tail, df);
    const double n = fmin(effective * fewer * fewer, items), k = p * n;

    x->lower = k > 0.0 ? iv_beta_quantile(tail, k, n - k + 1.0) : 0.0;
    x->upper = k < n ? iv_beta_isf(tail, k + 1.0, n - k) : 1.0;
}

iv_interval iv_share_over_units(const double *hits, const double *all, size_t units,
                                size_t items, double confidence)
{
    const double nan = (double)NAN;
    iv_interval out = { nan, nan, nan, nan };
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
    out.se = squares > 1e-24 ? sqrt(squares) : 0.0; /* less is rounding */
    korn_graubard(&out, (double)items, used - 1.0, agreement_tail(confidence));
    return out;
}

/* ------------------------------------------------------------ the tables -- */

/* Tables of two assessors' labels, of all units and without one. */
typedef struct label_tables {
    size_t labels, items, units; /* units: what is left out in turn */
    double *all, *less;          /* [a * labels + b], by weight */
} label_tables;

static int make_tables(label_tables *t, iv_arena *own, const iv_label_pairs *pairs,
                       double confidence, iv_err *err)
{
    const size_t L = pairs->labels, items = pairs->units > 0 ? pairs->starts[pairs->units] : 0;

    *t = (label_tables){ .labels = L, .items = items,
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
    t->all = iv_take(own, L * L, sizeof *t->all);
    t->less = iv_take(own, L * L, sizeof *t->less);
    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < items; i++)
        t->all[pairs->at[i].a * L + pairs->at[i].b] += pairs->at[i].weight;
    return IV_OK;
}

/* The table without a unit; valid until the next. */
static const double *table_without(label_tables *t, const iv_label_pairs *pairs, size_t unit)
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

/* 1 - kappa is the ratio of the disagreement seen and that of chance; NaN without any. */
static double ratio_of(double *seen, double *chance, const double *table, size_t L,
                       iv_kappa_weights weights)
{
    const double sum = iv_sum(table, L * L);

    *seen = *chance = 0.0;
    for (size_t a = 0; a < L; a++) {
        const double of_a = iv_sum(table + a * L, L);
        for (size_t b = 0; b < L; b++) {
            const double d = a > b ? (double)(a - b) : (double)(b - a);
            const double cost = weights == IV_KAPPA_PLAIN ? (a != b)
                : weights == IV_KAPPA_LINEAR ? d : d * d;
            double of_b = 0.0;
            for (size_t k = 0; k < L && cost > 0.0 && of_a > 0.0; k++)
                of_b += table[k * L + b];
            *seen += cost * table[a * L + b];
            *chance += cost * of_a * of_b;
        }
    }
    *seen /= sum; /* at the end: counts are exact until then */
    *chance /= sum * sum;
    return *seen / *chance;
}

/* Does a side use one label only?  Then kappa is 0 whatever the other does, and says nothing. */
static bool is_constant(const double *table, size_t L)
{
    size_t rows = 0, columns = 0;

    for (size_t a = 0; a < L; a++) {
        double row = 0.0, column = 0.0;
        for (size_t b = 0; b < L; b++) {
            row += table[a * L + b];
            column += table[b * L + a];
        }
        rows += row > 0.0;
        columns += column > 0.0;
    }
    return rows < 2 || columns < 2;
}

static void count(iv_agreement *out, size_t *label_counts, const iv_label_pairs *pairs)
{
    const size_t items = pairs->starts[pairs->units];

    out->items = out->rare = items;
    for (size_t i = 0; i < items; i++) {
        out->apart += pairs->at[i].a != pairs->at[i].b;
        label_counts[pairs->at[i].a]++;
    }
    for (uint32_t l = 0; l < pairs->labels; l++)
        if (label_counts[l] > 0 && label_counts[l] < out->rare)
            out->rare = label_counts[l];
    out->few = out->rare < IV_KAPPA_RARE || out->apart < IV_KAPPA_APART;
}

static int find_kappa(iv_agreement *out, double *left, iv_arena *own, const iv_label_pairs *pairs,
                      iv_kappa_weights weights, double confidence, iv_err *err)
{
    label_tables t;
    double seen, chance, u, v;

    IV_TRY(make_tables(&t, own, pairs, confidence, err));
    double *known = iv_take(own, t.labels * t.labels, sizeof *known);
    size_t *label_counts = iv_take(own, pairs->labels, sizeof *label_counts);
    left = left != NULL ? left : iv_take(own, t.units, sizeof *left);
    IV_TRY(iv_taken(own, err));
    const bool constant = is_constant(t.all, t.labels);
    const double q = ratio_of(&seen, &chance, t.all, t.labels, weights);

    for (size_t i = 0; i < t.units; i++) {
        const iv_label_pair *p = &pairs->at[i];
        /* Items with the same labels leave the same behind. */
        double *same = pairs->units <= 1 && p->weight == 1.0 ? &known[p->a * t.labels + p->b]
                                                              : &left[i];
        if (same == &left[i] || *same == 0.0)
            *same = 1.0 - ratio_of(&u, &v, table_without(&t, pairs, i), t.labels, weights);
        left[i] = *same;
    }
    *out = (iv_agreement){ .is = within_one(iv_jackknifed(1.0 - q, left, t.units, confidence)),
                       .constant = constant };
    if (constant)
        out->is = (iv_interval){ NAN, NAN, NAN, NAN };
    (void)ratio_of(&seen, &chance, t.all, t.labels, IV_KAPPA_PLAIN);
    count(out, label_counts, pairs);
    out->agreement = 1.0 - seen;
    out->expected = 1.0 - chance;
    return IV_OK;
}

int iv_kappa_of(iv_agreement *out, double *left_out, const iv_label_pairs *pairs,
                iv_kappa_weights weights, double confidence, iv_err *err)
{
    iv_arena own = { 0 };
    const int rc = find_kappa(out, left_out, &own, pairs, weights, confidence, err);

    iv_arena_free(&own);
    return rc;
}

/* ---------------------------------------------------------------- alpha -- */

enum { ORDERED_MOST = 100 }; /* labels of an ordinal scale: more are refused, not approximated */

IV_NAMES(iv_label_scale_names, "auto", "nominal", "ordinal", "interval")

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
static double alpha_ratio(const rated *x, const sums *s)
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

    if (r->labels == 0 || confidence < 0.0 || confidence >= 1.0)
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
    const double q = alpha_ratio(x, &s);
    for (size_t i = from; i < to; i++)
        for (size_t k = x->r->starts[i]; k < x->r->starts[i + 1]; k++)
            count[x->r->label[k]] = counts[x->r->label[k]];
    return q;
}

/* Has one of these items two labels? */
static bool any_counts(const iv_ratings *r, size_t from, size_t to)
{
    bool any = false;

    for (size_t i = from; i < to; i++)
        any = any || r->starts[i + 1] - r->starts[i] > 1;
    return any;
}

static size_t leave_out(double *left, rated *x, bool by_unit)
{
    const iv_ratings *r = x->r;
    size_t units = 0;

    memcpy(x->less.count, x->all.count, r->labels * sizeof *x->less.count);
    for (size_t u = 0; u < (by_unit ? r->units : r->items); u++) {
        const size_t from = by_unit ? r->unit_starts[u] : u;
        const size_t to = by_unit ? r->unit_starts[u + 1] : u + 1;
        if (any_counts(r, from, to))
            left[units++] = 1.0 - without(x, from, to);
    }
    return units;
}

static void describe(iv_agreement *out, const rated *x)
{
    const iv_ratings *r = x->r;
    const sums *s = &x->all;
    double most = 0.0;

    for (size_t i = 0; i < r->items; i++) {
        bool apart = false;
        for (size_t k = r->starts[i] + 1; k < r->starts[i + 1]; k++)
            apart = apart || r->label[k] != r->label[k - 1];
        out->items += any_counts(r, i, i + 1);
        out->apart += apart;
    }
    for (uint32_t l = 0; l < r->labels; l++)
        most = fmax(most, s->count[l]);
    out->scale = x->scale;
    out->labels = (size_t)s->n;
    out->rare = (size_t)(((double)out->items) * (s->n - most) / s->n + 1e-9);
    out->few = out->rare < IV_KAPPA_RARE || out->apart < IV_KAPPA_APART;
    out->agreement = 1.0 - s->apart / s->n;
    out->expected = 1.0 - (s->n * s->n - s->same) / (s->n * (s->n - 1.0));
}

static int compute(iv_agreement *out, rated *x, iv_label_scale scale, double confidence,
                   iv_err *err)
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
    for (size_t u = 0; r->unit_starts != NULL && u < r->units; u++)
        topics += any_counts(r, r->unit_starts[u], r->unit_starts[u + 1]);
    *out = (iv_agreement){ 0 };
    describe(out, x);
    out->units = isnan(confidence) ? 0 : leave_out(left, x, topics >= IV_ALPHA_UNITS);
    out->is = within_one(iv_jackknifed(1.0 - alpha_ratio(x, &x->all), left, out->units,
                                          confidence));
    return IV_OK;
}

int iv_alpha_of(iv_agreement *out, const iv_ratings *r, iv_label_scale scale, double confidence,
                iv_err *err)
{
    rated x = { .r = r };
    const int rc = compute(out, &x, scale, confidence, err);

    iv_arena_free(&x.memory);
    return rc;
}

/* ---------------------------------------------------------------- worth -- */

/* The share of the variance of the reference within the other's labels. */
static double unexplained(const double *table, size_t L, const double *value)
{
    double all = 0.0, sum = 0.0, squares = 0.0, within = 0.0;

    for (size_t b = 0; b < L; b++) {
        double w = 0.0, s = 0.0, q = 0.0;
        for (size_t a = 0; a < L; a++) {
            const double n = table[a * L + b], y = value != NULL ? value[a] : (double)a;
            w += n;
            s += n * y;
            q += n * y * y;
        }
        if (w > 0.0)
            within += q - s * s / w;
        all += w;
        sum += s;
        squares += q;
    }
    const double total = squares - sum * sum / all;
    return total > 1e-12 * squares ? fmin(1.0, fmax(0.0, within / total)) : 1.0;
}

static int find_worth(iv_interval *out, double *left, iv_arena *own, const iv_label_pairs *pairs,
                      const double *value, double confidence, iv_err *err)
{
    label_tables t;

    IV_TRY(make_tables(&t, own, pairs, confidence, err));
    left = left != NULL ? left : iv_take(own, t.units, sizeof *left);
    IV_TRY(iv_taken(own, err));
    const double open = unexplained(t.all, t.labels, value), nan = (double)NAN;
    bool finite = open > 0.0;
    for (size_t u = 0; u < t.units; u++) {
        left[u] = -log(unexplained(table_without(&t, pairs, u), t.labels, value));
        finite = finite && isfinite(left[u]);
    }
    const iv_interval x = iv_jackknifed(-log(open), left, t.units, confidence);
    *out = (iv_interval){ 1.0 / open, nan, nan, nan };
    if (finite)
        *out = (iv_interval){ 1.0 / open, x.se / open, fmax(1.0, exp(x.lower)), exp(x.upper) };
    return IV_OK;
}

int iv_worth_of(iv_interval *out, double *left_out, const iv_label_pairs *pairs,
                const double *value, double confidence, iv_err *err)
{
    iv_arena own = { 0 };
    const int rc = find_worth(out, left_out, &own, pairs, value, confidence, err);

    iv_arena_free(&own);
    return rc;
}

/* ---------------------------------------------------------------- drift -- */

/* Positives and all, by weight, of each of the other's labels, then of all. */
static void count_unit(double *positive, double *all, const iv_label_pairs *pairs, size_t u,
                       uint32_t level, double sign)
{
    const size_t L = pairs->labels;

    for (size_t i = pairs->starts[u]; i < pairs->starts[u + 1]; i++) {
        const iv_label_pair *p = &pairs->at[i];
        const double y = p->a >= level ? sign * p->weight : 0.0;
        positive[p->b] += y;
        all[p->b] += sign * p->weight;
        positive[L] += y;
        all[L] += sign * p->weight;
    }
}

/* Positives of a unit that the others' calibration expects, and its chance variance. */
static double expect(double *variance, const double *positive, const double *all,
                     const iv_label_pairs *pairs, size_t u)
{
    const size_t L = pairs->labels;
    double sum = 0.0;

    *variance = 0.0;
    for (size_t i = pairs->starts[u]; i < pairs->starts[u + 1]; i++) {
        /* What is left of weights that cancel is dust. */
        const size_t b = pairs->at[i].b, at = all[b] > 1e-9 * all[L] ? b : L;
        const double p = all[at] > 0.0 ? fmin(1.0, fmax(0.0, positive[at] / all[at])) : 0.0;
        sum += p;
        *variance += p * (1.0 - p);
    }
    return sum;
}

int iv_drift_of(double *sd, iv_test *out, const iv_label_pairs *pairs, uint32_t level, iv_err *err)
{
    const size_t L = pairs->labels, units = pairs->units;
    double squares = 0.0, beyond = 0.0;
    iv_arena own = { 0 };
    label_tables t;
    int rc = make_tables(&t, &own, pairs, 0.0, err); /* for its checks */
    double *positive = iv_take(&own, L + 1, sizeof *positive);
    double *all = iv_take(&own, L + 1, sizeof *all);

    if (rc == IV_OK)
        rc = iv_taken(&own, err);
    *out = (iv_test){ .p = (double)NAN };
    for (size_t u = 0; u < units && rc == IV_OK; u++)
        count_unit(positive, all, pairs, u, level, 1.0);
    for (size_t u = 0; u < units && rc == IV_OK; u++) {
        double variance, found = 0.0;
        count_unit(positive, all, pairs, u, level, -1.0);
        const double expected = expect(&variance, positive, all, pairs, u);
        count_unit(positive, all, pairs, u, level, 1.0);
        for (size_t i = pairs->starts[u]; i < pairs->starts[u + 1]; i++)
            found += pairs->at[i].a >= level;
        const double d = found - expected;
        squares += expected * expected;
        beyond += d * d - variance;
        out->statistic += variance > 0.0 ? d * d / variance : 0.0;
        out->used += variance > 0.0;
    }
    *sd = beyond > 0.0 && squares > 0.0 ? sqrt(1.0 / (squares / beyond)) : 0.0;
    if (out->used > 2)
        out->p = 1.0 - iv_gamma_cdf(0.5 * out->statistic, 0.5 * ((double)out->used - 1.0));
    iv_arena_free(&own);
    return rc;
}
