/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The macro average over categories whose counts are independent.
 *
 * A prior on the cells of every category moves them, and their mean, the same way.  So the mean
 * is taken for one share, as averages over classes are: Beta(size * estimate + prior, size * (1 -
 * estimate) + prior), with half an item of prior a category in the estimate and one in its
 * variance, which are what all categories' items are together.  The size is what the linearised
 * variance says, and no more than if all categories had the same rates: few errors say little of
 * where errors are; and beside few errors no more than if all were in the smallest category that
 * shows none.  Of n items n / (n + 2) of it are left, since the variance is an estimate.
 *
 * With c = x + y every metric is c tp / (c tp + x fn + y fp).
 */
#include <math.h>

#include "stat/prf/prf_state.h"

typedef struct form {
    double c, x, y;
} form;

static double height(const form *m, const double cell[3])
{
    return m->c * cell[0] + m->y * cell[1] + m->x * cell[2];
}

static double value(const form *m, const double cell[3])
{
    return m->c * cell[0] / height(m, cell);
}

/* The variance of the value, by its slopes; cells are TP, FP, FN. */
static double variance(const form *m, const double cell[3])
{
    const double square = height(m, cell) * height(m, cell);
    const double right = m->c * (m->y * cell[1] + m->x * cell[2]) / square;
    const double wrong = m->c * cell[0] / square;

    return cell[0] * right * right
           + wrong * wrong * (cell[1] * m->y * m->y + cell[2] * m->x * m->x);
}

static form form_of(iv_prf_metric metric)
{
    const double square = metric.beta * metric.beta;

    return metric.kind == IV_PRF_PRECISION ? (form){ 1.0, 0.0, 1.0 }
           : metric.kind == IV_PRF_RECALL  ? (form){ 1.0, 1.0, 0.0 }
                                           : (form){ 1.0 + square, square, 1.0 };
}

/* Counts of a category with so many of all categories' items; all of them alone if it is NULL. */
static void with_prior(double out[3], const iv_prf_counts *n, double items, const double all[3])
{
    const double total = all[0] + all[1] + all[2];

    for (int i = 0; i < 3; i++)
        out[i] = items * all[i] / total
                 + (n == NULL ? 0.0 : (double)(i == 0 ? n->tp : i == 1 ? n->fp : n->fn));
}

/* How far errors, as many as were seen, leave it open that others are in a category without
 * any: 1 up to five of them, 0 from ten on. */
static double lone_errors(double errors)
{
    return fmin(1.0, fmax(0.0, 2.0 - errors / 5.0));
}

iv_prf_cells iv_prf_with_unseen(iv_prf_cells seen, double weight)
{
    if (!(weight > 0.0))
        return seen;
    const double all = seen.tp + seen.fp, share = seen.tp / all, left = 1.0 - weight;
    const double mean = left * share + 0.5 * weight;
    const double variance = left * left * share * (1.0 - share) / (all + 1.0)
                            + weight * weight / 4.0;
    const double size = mean * (1.0 - mean) / variance - 1.0;

    seen.tp = size * mean;
    seen.fp = size * (1.0 - mean);
    return seen;
}

iv_prf_cells iv_prf_macro_cells(const iv_prf_counts *const *categories, size_t count,
                                iv_prf_metric metric, iv_prf_prior prior)
{
    const form m = form_of(metric);
    const double mass = prior.right + prior.wrong, K = (double)count;
    double all[3] = { prior.right, prior.wrong, prior.wrong }, one[3], cell[3];
    double estimate = 0.0, whole = 0.0, seen = 0.0, even = 0.0, n = 0.0, unseen = 0.0;
    double lone = 0.0, wrong = 0.0;

    for (size_t c = 0; c < count; c++) {
        all[0] += (double)categories[c]->tp;
        all[1] += (double)categories[c]->fp;
        all[2] += (double)categories[c]->fn;
        n += (double)(categories[c]->tp + categories[c]->fp + categories[c]->fn);
        wrong += (double)(categories[c]->fp + categories[c]->fn);
    }
    with_prior(one, NULL, 1.0, all);
    const double rate = value(&m, one), alike = variance(&m, one) * height(&m, one);
    for (size_t c = 0; c < count; c++) {
        with_prior(cell, categories[c], 0.0, all);
        unseen += height(&m, cell) > 0.0 ? 0.0 : 1.0 / K;
        if (cell[0] > 0.0 && m.y * cell[1] + m.x * cell[2] == 0.0)
            lone = fmax(lone, alike / height(&m, cell) / K);
        with_prior(cell, categories[c], 0.5 * mass, all);
        estimate += value(&m, cell) / K;
        with_prior(cell, categories[c], mass, all);
        whole += value(&m, cell) / K;
        seen += variance(&m, cell) / (K * K);
        even += alike / height(&m, cell) / (K * K);
    }
    even = fmax(even, lone_errors(wrong) * lone);
    const double size = n / (n + 2.0)
                        / fmax(seen / (whole * (1.0 - whole)), even / (rate * (1.0 - rate)));
    const iv_prf_cells known = { .tp = size * estimate + prior.right,
                                 .fp = size * (1.0 - estimate) + prior.wrong,
                                 .fn = 1.0, .tn = 1.0 };
    return iv_prf_with_unseen(known, unseen);
}
