/* SPDX-License-Identifier: Apache-2.0 */
/* Measures from rectified labels, and their change with each label. */
#include <math.h>
#include <string.h>

#include "estimate/rectified.h"

static void fill(double *u, size_t count, double value)
{
    for (size_t d = 0; d < count; d++)
        u[d] = value;
}

static size_t end_of(const iv_labelled_ranking *r, double cutoff)
{
    size_t end = 0;

    while (end < r->count && (cutoff == 0.0 || r->rank[end] <= cutoff))
        end++;
    return end;
}

iv_even_labels iv_even_labels_of(const iv_rectified_topic *t, size_t level, const double *total)
{
    const size_t from = level * t->count;

    return (iv_even_labels){ t->x + from, t->p + from, t->apart + from, t->count, total,
                             t->share + level };
}

static double apart_of(const iv_even_labels *l, size_t d)
{
    return l->apart != NULL ? l->apart[d] : 1.0;
}

double iv_rectified_ap(double *u, const iv_even_labels *l, const iv_labelled_ranking *r,
                       size_t cutoff)
{
    const size_t end = end_of(r, (double)cutoff);
    double above = 0.0, below = 0.0, sum = 0.0;

    for (size_t k = 0; k < end; k++) {
        const double x = l->x[r->document[k]] * apart_of(l, r->document[k]);
        sum += x * (1.0 + above) / r->rank[k];
        above += x;
    }
    const double ap = sum / *l->total;
    fill(u, l->count, -ap * *l->share / *l->total);
    for (size_t k = end; k-- > 0;) {
        const uint32_t d = r->document[k];
        const double apart = apart_of(l, d), x = l->x[d] * apart;
        above -= x;
        u[d] += apart * ((1.0 + above) / r->rank[k] + below) / *l->total;
        below += x / r->rank[k];
    }
    return ap;
}

double iv_rectified_found(double *u, const double *x, size_t count, double over,
                          const iv_labelled_ranking *r, double cutoff)
{
    const size_t end = end_of(r, cutoff);
    double sum = 0.0;

    fill(u, count, 0.0);
    for (size_t k = 0; k < end; k++) {
        sum += x[r->document[k]];
        u[r->document[k]] = 1.0 / over;
    }
    return sum / over;
}

double iv_rectified_recall(double *u, const iv_even_labels *l, const iv_labelled_ranking *r,
                           size_t cutoff)
{
    const double found = iv_rectified_found(u, l->x, l->count, 1.0, r, (double)cutoff);
    const double total = *l->total, share = *l->share;
    double here = 0.0, all = 0.0, elsewhere = 0.0; /* where nothing is missed no rounding is left */

    for (size_t d = 0; d < l->count; d++) {
        here += u[d] * l->p[d];
        all += l->p[d];
        elsewhere += (1.0 - u[d]) * l->x[d];
    }
    /* Of a topic where less than one is expected there is most likely none, and nothing found. */
    const bool missed = all >= 1.0 && here > 0.5 * all;
    const double part = missed ? elsewhere : found, sign = missed ? -1.0 : 1.0;
    for (size_t d = 0; d < l->count; d++)
        u[d] = sign * ((missed ? 1.0 - u[d] : u[d]) - part * share / total) / total;
    return missed ? 1.0 - part / total : part / total;
}

/* As iv_sampled_rprec() has it: the cut-off moves with the total. */
double iv_rectified_rprec(double *u, const iv_even_labels *l, const iv_labelled_ranking *r)
{
    const double total = *l->total;
    const double value = iv_rectified_found(u, l->x, l->count, total, r, total + 1e-9);
    double around = 0.0;

    for (size_t k = 0; k < r->count; k++)
        if (r->rank[k] > 0.5 * total && r->rank[k] <= 1.5 * total)
            around += l->x[r->document[k]];
    for (size_t d = 0; d < l->count; d++)
        u[d] += *l->share * (around / total - value) / total;
    return value;
}

/* The ideal gain; apart: of the totals, 1 of several levels. */
static double ideal_gain(const iv_even_labels *l, size_t levels, const double *gain, double apart,
                         double limit, const iv_discounts *d)
{
    double ideal = 0.0;

    for (size_t h = 0; h < levels; h++)
        ideal += gain[h] * iv_discount_to(d, fmin(l->total[h] / apart, limit));
    return ideal;
}

bool iv_rectified_ndcg(double *value, double *u, const iv_even_labels *l, size_t levels,
                       const double *gain, const iv_labelled_ranking *r, size_t cutoff,
                       iv_discounts *d)
{
    const double limit = cutoff > 0 ? (double)cutoff : (double)INFINITY;
    const size_t end = end_of(r, (double)cutoff);
    double dcg = 0.0, least = 1.0, most = end > 0 ? r->rank[end - 1] : 0.0;

    for (size_t k = 0; k < end && levels == 1; k++)
        least = fmin(least, apart_of(l, r->document[k]));
    for (size_t h = 0; h < levels; h++)
        most = fmax(most, fmin(l->total[h] / least, limit));
    if (!iv_discounts_reach(d, (size_t)most + 2))
        return false;
    const double ideal = ideal_gain(l, levels, gain, 1.0, limit, d);
    for (size_t h = 0; h < levels; h++) {
        double *v = u + h * l->count;
        fill(v, l->count, 0.0);
        for (size_t k = 0; k < end && ideal > 0.0; k++) {
            const size_t rank = (size_t)r->rank[k];
            const uint32_t i = r->document[k];
            const double own = levels == 1 ? ideal_gain(l, 1, gain, apart_of(l, i), limit, d) : ideal;
            v[i] = gain[h] * (d->sum[rank] - d->sum[rank - 1]) / own;
            dcg += gain[h] * l->x[h * l->count + i] * (d->sum[rank] - d->sum[rank - 1])
                * (ideal / own);
        }
    }
    *value = ideal > 0.0 ? dcg / ideal : 0.0;
    for (size_t h = 0; h < levels && ideal > 0.0; h++) {
        const double slope = l->share[h] * gain[h] * iv_discount_at(d, l->total[h], limit);
        for (size_t i = 0; i < l->count; i++)
            u[h * l->count + i] -= *value * slope / ideal;
    }
    return true;
}
