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

double iv_rectified_ap(double *u, const double *x, size_t count, double total, double share,
                       const iv_labelled_ranking *r, size_t cutoff)
{
    const size_t end = end_of(r, (double)cutoff);
    double above = 0.0, below = 0.0, sum = 0.0;

    for (size_t k = 0; k < end; k++) {
        sum += x[r->document[k]] * (1.0 + above) / r->rank[k];
        above += x[r->document[k]];
    }
    const double ap = sum / total;
    fill(u, count, -ap * share / total);
    for (size_t k = end; k-- > 0;) {
        const uint32_t d = r->document[k];
        above -= x[d];
        u[d] += ((1.0 + above) / r->rank[k] + below) / total;
        below += x[d] / r->rank[k];
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

double iv_rectified_recall(double *u, const double *x, const double *p, size_t count, double total,
                           double share, const iv_labelled_ranking *r, size_t cutoff)
{
    const double found = iv_rectified_found(u, x, count, 1.0, r, (double)cutoff);
    double here = 0.0, all = 0.0, sum = 0.0;

    for (size_t d = 0; d < count; d++) {
        here += u[d] * p[d];
        all += p[d];
        sum += x[d];
    }
    /* Of a topic where less than one is expected there is most likely none, and nothing found. */
    const bool missed = all >= 1.0 && here > 0.5 * all;
    const double part = missed ? sum - found : found, sign = missed ? -1.0 : 1.0;
    for (size_t d = 0; d < count; d++)
        u[d] = sign * ((missed ? 1.0 - u[d] : u[d]) - part * share / total) / total;
    return missed ? 1.0 - part / total : part / total;
}

/* As iv_sampled_rprec() has it: the cut-off moves with the total. */
double iv_rectified_rprec(double *u, const double *x, size_t count, double total, double share,
                          const iv_labelled_ranking *r)
{
    const double value = iv_rectified_found(u, x, count, total, r, total + 1e-9);
    double around = 0.0;

    for (size_t k = 0; k < r->count; k++)
        if (r->rank[k] > 0.5 * total && r->rank[k] <= 1.5 * total)
            around += x[r->document[k]];
    for (size_t d = 0; d < count; d++)
        u[d] += share * (around / total - value) / total;
    return value;
}

bool iv_rectified_ndcg(double *value, double *u, const double *x, size_t count, size_t levels,
                       const double *gain, const double *total, const double *share,
                       const iv_labelled_ranking *r, size_t cutoff, iv_discounts *d)
{
    const double limit = cutoff > 0 ? (double)cutoff : (double)INFINITY;
    const size_t end = end_of(r, (double)cutoff);
    double ideal = 0.0, dcg = 0.0, most = end > 0 ? r->rank[end - 1] : 0.0;

    for (size_t h = 0; h < levels; h++)
        most = fmax(most, fmin(total[h], limit));
    if (!iv_discounts_reach(d, (size_t)most + 2))
        return false;
    for (size_t h = 0; h < levels; h++) {
        ideal += gain[h] * iv_discount_to(d, fmin(total[h], limit));
        for (size_t k = 0; k < end; k++) {
            const size_t rank = (size_t)r->rank[k];
            dcg += gain[h] * x[h * count + r->document[k]] * (d->sum[rank] - d->sum[rank - 1]);
        }
    }
    *value = ideal > 0.0 ? dcg / ideal : 0.0;
    for (size_t h = 0; h < levels; h++) {
        double *v = u + h * count;
        const double slope = share[h] * gain[h] * iv_discount_at(d, total[h], limit);
        fill(v, count, ideal > 0.0 ? -*value * slope / ideal : 0.0);
        for (size_t k = 0; k < end && ideal > 0.0; k++) {
            const size_t rank = (size_t)r->rank[k];
            v[r->document[k]] += gain[h] * (d->sum[rank] - d->sum[rank - 1]) / ideal;
        }
    }
    return true;
}
