/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Averages of precision, recall or F over classes and categories, with jackknifed errors.
 *
 * Of a class there are tp right items, gold of gold's and said of the system's.  A class that
 * neither side has does not count; one that only one side has counts 0, as in scikit-learn.
 * Limits are Student's t on the logit scale (Miller 1974), differences plain.
 */
#include <math.h>
#include <stdlib.h>

#include "base/checking.h"
#include "stat/prf/prf_state.h"
#include "num/num_private.h"

#define NO_SYSTEM SIZE_MAX

/* Counts of a system by class. */
typedef struct margins {
    double *tp, *gold, *said;
    size_t classes;
    double total;
} margins;

/* Sums over classes, from which averages follow when one class changes. */
typedef struct sums {
    double plain, weighted, classes;
} sums;

static void add_class(sums *s, iv_prf_metric m, double tp, double gold, double said, double sign)
{
    if (!(gold + said > 0.0))
        return;
    const double known = iv_prf_of_cells(m, tp, said - tp, gold - tp, 0.0);
    const double v = isnan(known) ? 0.0 : known; /* one side lacks the class */
    s->plain += sign * v;
    s->weighted += sign * gold * v;
    s->classes += sign;
}

static double average_of(const sums *s, iv_prf_average average, double total)
{
    return average == IV_PRF_WEIGHTED ? s->weighted / total : s->plain / s->classes;
}

static sums sums_of(iv_prf_metric m, const margins *c)
{
    sums s = { 0.0, 0.0, 0.0 };

    for (size_t k = 0; k < c->classes; k++)
        add_class(&s, m, c->tp[k], c->gold[k], c->said[k], 1.0);
    return s;
}

/* The average without an item of class i that the system calls j. */
static double without(iv_prf_metric m, iv_prf_average average, const margins *c, sums s, size_t i,
                      size_t j)
{
    const double right = i == j ? 1.0 : 0.0;

    add_class(&s, m, c->tp[i], c->gold[i], c->said[i], -1.0);
    add_class(&s, m, c->tp[i] - right, c->gold[i] - 1.0, c->said[i] - right, 1.0);
    if (i != j) {
        add_class(&s, m, c->tp[j], c->gold[j], c->said[j], -1.0);
        add_class(&s, m, c->tp[j], c->gold[j], c->said[j] - 1.0, 1.0);
    }
    return average_of(&s, average, c->total - 1.0);
}

static const int32_t *labels_of(const iv_prf_items *items, size_t i)
{
    return items->labels + i * (items->systems + 1);
}

static int count_margins(margins *c, const iv_prf_items *items, size_t system, iv_err *err)
{
    const size_t K = (size_t)items->classes;

    *c = (margins){ .tp = calloc(3 * K, sizeof(double)), .classes = K,
                    .total = (double)items->items };
    if (c->tp == NULL)
        return iv_no_memory(err);
    c->gold = c->tp + K;
    c->said = c->gold + K;
    for (size_t i = 0; i < items->items; i++) {
        const int32_t gold = labels_of(items, i)[0], said = labels_of(items, i)[1 + system];
        c->gold[gold] += 1.0;
        c->said[said] += 1.0;
        c->tp[gold] += gold == said ? 1.0 : 0.0;
    }
    return IV_OK;
}

/* Limits by Student's t on the logit scale; of a difference on its own, within -1 and 1. */
static iv_interval iv_prf_logit_limits(double value, double se, double df, double confidence)
{
    iv_interval out = { value, se, (double)NAN, (double)NAN, df };

    if (se > 0.0 && value > 0.0 && value < 1.0 && df >= 1.0)
        iv_logit_wald(&out.lower, &out.upper, value, iv_t_isf(0.5 * (1.0 - confidence), df) * se);
    return out;
}

/* The jackknife's standard error of values left out one after another. */
static double error_of(double sum, double squares, double n)
{
    const double variance = (squares - sum * sum / n) * (n - 1.0) / n;

    return variance > 1e-24 ? sqrt(variance) : 0.0;
}

/* The average of a system's labels, less that of b's if there is a b, with its standard error. */
static int jackknife(double *value, double *se, const iv_prf_items *items, size_t a, size_t b,
                     iv_prf_average average, iv_prf_metric m, iv_err *err)
{
    const double n = (double)items->items;
    double sum = 0.0, squares = 0.0, vb = 0.0;
    margins x, y = { 0 };
    sums sy = { 0 };
    int rc = count_margins(&x, items, a, err);

    if (rc == IV_OK && b != NO_SYSTEM) {
        rc = count_margins(&y, items, b, err);
        sy = rc == IV_OK ? sums_of(m, &y) : sy;
        vb = average_of(&sy, average, n);
    }
    if (rc == IV_OK) {
        const sums sx = sums_of(m, &x);
        const double va = average_of(&sx, average, n);
        for (size_t i = 0; i < items->items; i++) {
            const int32_t *l = labels_of(items, i);
            const size_t gold = (size_t)l[0];
            double d = without(m, average, &x, sx, gold, (size_t)l[1 + a]) - va;
            if (b != NO_SYSTEM)
                d -= without(m, average, &y, sy, gold, (size_t)l[1 + b]) - vb;
            sum += d;
            squares += d * d;
        }
        *value = va - vb;
        *se = error_of(sum, squares, n);
    }
    free(x.tp);
    free(y.tp);
    return rc;
}

int iv_prf_average_labels(iv_interval *out, const iv_prf_items *items, size_t system,
                          iv_prf_average average, iv_prf_metric metric, double confidence,
                          iv_err *err)
{
    double value, se;

    IV_TRY(jackknife(&value, &se, items, system, NO_SYSTEM, average, metric, err));
    *out = iv_prf_logit_limits(value, se, (double)items->items - 1.0, confidence);
    return IV_OK;
}

int iv_prf_average_gap(iv_interval *out, const iv_prf_items *items, size_t a, size_t b,
                       iv_prf_average average, iv_prf_metric metric, double confidence,
                       iv_err *err)
{
    double value, se;

    IV_TRY(jackknife(&value, &se, items, a, b, average, metric, err));
    *out = iv_prf_gap_limits(value, se, (double)items->items - 1.0, confidence);
    return IV_OK;
}

iv_interval iv_prf_gap_limits(double value, double se, double df, double confidence)
{
    const double half = se > 0.0 && df >= 1.0 ? iv_t_isf(0.5 * (1.0 - confidence), df) * se
                                              : (double)NAN;

    return (iv_interval){ value, se, value - half < -1.0 ? -1.0 : value - half,
                              value + half > 1.0 ? 1.0 : value + half, df };
}

/* Categories are strata with items of their own, which are their TP, FP and FN. */
iv_interval iv_prf_average_categories(const iv_prf_counts *const *categories, size_t count,
                                      iv_prf_metric metric, double confidence)
{
    double variance = 0.0, items = 0.0;
    sums all = { 0.0, 0.0, 0.0 };

    for (size_t c = 0; c < count; c++) {
        const iv_prf_counts *n = categories[c];
        add_class(&all, metric, (double)n->tp, (double)(n->tp + n->fn), (double)(n->tp + n->fp),
                  1.0);
    }
    const double value = average_of(&all, IV_PRF_MACRO, 1.0);
    for (size_t c = 0; c < count; c++) {
        const iv_prf_counts *n = categories[c];
        const double cell[3] = { (double)n->tp, (double)n->fp, (double)n->fn };
        const double size = cell[0] + cell[1] + cell[2];
        double sum = 0.0, squares = 0.0;
        for (int k = 0; k < 3 && size > 1.0; k++) {
            const double tp = cell[0] - (k == 0), fp = cell[1] - (k == 1), fn = cell[2] - (k == 2);
            sums s = all;
            add_class(&s, metric, cell[0], cell[0] + cell[2], cell[0] + cell[1], -1.0);
            if (cell[k] > 0.0)
                add_class(&s, metric, tp, tp + fn, tp + fp, 1.0);
            const double d = cell[k] > 0.0 ? average_of(&s, IV_PRF_MACRO, 1.0) - value : 0.0;
            sum += cell[k] * d;
            squares += cell[k] * d * d;
        }
        if (size > 1.0)
            variance += (squares - sum * sum / size) * (size - 1.0) / size;
        items += size;
    }
    return iv_prf_logit_limits(value, variance > 1e-24 ? sqrt(variance) : 0.0,
                               items - (double)count, confidence);
}
