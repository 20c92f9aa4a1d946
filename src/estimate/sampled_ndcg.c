/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nDCG from probabilities of inclusion.  Both parts are estimated: the gain of
 * the ranking as a total over the sample, the ideal one from the estimated
 * number of documents of each gain, whole or not: discounts are interpolated.
 */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "estimate/evaluation_parts.h"

static bool iv_discounts_reach(iv_discounts *d, size_t ranks)
{
    if (d->count > ranks)
        return true;
    if (!IV_ROOM(d->sum, d->capacity, ranks + 1))
        return false;
    if (d->count == 0)
        d->sum[d->count++] = 0.0;
    for (; d->count <= ranks; d->count++)
        d->sum[d->count] = d->sum[d->count - 1] + 1.0 / log2((double)d->count + 1.0);
    return true;
}

/* The sum of discounts down to a rank that need not be whole; its slope there: the
 * discount of the next rank, 0 from the cut-off on. */
static double iv_discount_to(const iv_discounts *d, double x)
{
    const size_t whole = (size_t)x;

    return d->sum[whole] + (x - (double)whole) * (d->sum[whole + 1] - d->sum[whole]);
}

static double iv_discount_at(const iv_discounts *d, double x, double cutoff)
{
    const size_t whole = (size_t)x;

    return x < cutoff ? d->sum[whole + 1] - d->sum[whole] : 0.0;
}

/* Documents of the sample with a gain, best first: by insertion, few gains. */
static size_t sort_by_gain(uint32_t *order, const iv_sampled_view *v, const double *gain)
{
    size_t n = 0;

    for (size_t i = 0; i < v->count; i++) {
        if (!(v->pi[i] > 0.0 && gain[i] > 0.0))
            continue;
        size_t at = n++;
        for (; at > 0 && gain[order[at - 1]] < gain[i]; at--)
            order[at] = order[at - 1];
        order[at] = (uint32_t)i;
    }
    return n;
}

/*
 * The ideal gain; slope[k] becomes its change when there is one more document
 * with the gain of order[k].
 */
static double ideal_gain(double *slope, const uint32_t *order, size_t n,
                         const iv_sampled_view *v, const double *gain, double cutoff,
                         const iv_discounts *d)
{
    double ideal = 0.0, place = 0.0;

    for (size_t k = 0; k < n;) { /* one group of equal gains after the other */
        const double from = fmin(place, cutoff), g = gain[order[k]], begin = place;
        const size_t first = k;
        for (; k < n && gain[order[k]] == g; k++)
            place += 1.0 / v->pi[order[k]];
        ideal += g * (iv_discount_to(d, fmin(place, cutoff)) - iv_discount_to(d, from));
        /* The group's own end moves down, and so do all groups below. */
        for (size_t i = first; i < k; i++)
            slope[i] = g * iv_discount_at(d, place, cutoff);
        for (size_t i = 0; i < first; i++)
            slope[i] += g * (iv_discount_at(d, place, cutoff) - iv_discount_at(d, begin, cutoff));
    }
    return ideal;
}

bool iv_sampled_ndcg(double *value, double *u, const iv_sampled_view *v,
                     const double *gain, size_t cutoff, iv_discounts *d, uint32_t *order)
{
    const size_t n = sort_by_gain(order, v, gain);
    double places = 0.0, dcg = 0.0;
    double *slope = malloc((n + 1) * sizeof *slope);

    for (size_t k = 0; k < n; k++)
        places += 1.0 / v->pi[order[k]];
    const double limit = cutoff > 0 ? (double)cutoff : (double)INFINITY;
    const size_t deepest = (size_t)fmin(places, limit);
    const size_t last = v->found_count > 0 ? (size_t)v->rank[v->found_count - 1] : 0;
    if (slope == NULL || !iv_discounts_reach(d, (deepest > last ? deepest : last) + 2)) {
        free(slope);
        return false;
    }
    const double ideal = ideal_gain(slope, order, n, v, gain, limit, d);
    for (size_t i = 0; i < v->count; i++)
        u[i] = 0.0;
    for (size_t k = 0; k < v->found_count && v->rank[k] <= limit; k++) {
        const size_t i = v->found[k], r = (size_t)v->rank[k];
        if (!(gain[i] > 0.0))
            continue;
        u[i] = gain[i] * (d->sum[r] - d->sum[r - 1]);
        dcg += u[i] / v->pi[i];
    }
    *value = ideal > 0.0 ? dcg / ideal : 0.0;
    for (size_t k = 0; k < n; k++)
        u[order[k]] = (u[order[k]] - *value * slope[k]) / ideal;
    free(slope);
    return true;
}
