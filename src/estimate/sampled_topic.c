/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Precision, recall and average precision from probabilities of inclusion.
 *
 * Corrected against Aslam and Pavlu (2008): in the precision at a sampled
 * relevant document, its own term counts 1 and not 1/pi, since the document is
 * in the sample; and u follows the estimated precisions, too.
 */
#include "estimate/evaluation_parts.h"

#include <math.h>
#include <string.h>

double iv_sampled_total(double *u, const iv_sampled_view *v)
{
    double total = 0.0;

    for (size_t i = 0; i < v->count; i++) {
        const bool relevant = iv_sampled_relevant(v, i);
        if (relevant)
            total += 1.0 / v->pi[i];
        if (u != NULL)
            u[i] = relevant;
    }
    return total;
}

size_t iv_sampled_drawn(const iv_sampled_view *v)
{
    size_t count = 0;

    for (size_t i = 0; i < v->count; i++)
        count += iv_sampled_relevant(v, i) && v->pi[i] < 1.0;
    return count;
}

double iv_sampled_effective(const double *u, const iv_sampled_view *v)
{
    double sum = 0.0, squares = 0.0;

    for (size_t i = 0; i < v->count; i++) {
        if (u[i] == 0.0)
            continue;
        const double z = u[i] / v->pi[i], a = (1.0 - v->pi[i]) * z * z;
        sum += a;
        squares += a * a;
    }
    return squares > 0.0 ? sum * sum / squares : 0.0;
}

/* ------------------------------------------------------ average precision -- */

double iv_sampled_ap(double *u, const iv_sampled_view *v, double total, size_t cutoff,
                     iv_estimator estimator)
{
    size_t end = 0;
    double above = 0.0, below = 0.0, sum = 0.0;

    while (end < v->found_count && (cutoff == 0 || v->rank[end] <= (double)cutoff))
        end++;
    memset(u, 0, v->count * sizeof *u);
    for (size_t k = 0; k < end; k++) {
        const size_t d = v->found[k];
        if (!iv_sampled_relevant(v, d))
            continue;
        const double weight = 1.0 / v->pi[d];
        const double own = estimator == IV_ESTIMATOR_PUBLISHED ? weight : 1.0;
        u[d] = (own + above) / v->rank[k];
        sum += u[d] * weight;
        above += weight;
    }
    const double ap = sum / total;
    for (size_t k = end; k-- > 0 && estimator != IV_ESTIMATOR_PUBLISHED;) {
        const size_t d = v->found[k];
        if (!iv_sampled_relevant(v, d))
            continue;
        u[d] += below;
        below += 1.0 / (v->pi[d] * v->rank[k]);
    }
    for (size_t i = 0; i < v->count; i++)
        u[i] = iv_sampled_relevant(v, i) ? (u[i] - ap) / total : 0.0;
    return ap;
}

double iv_sampled_printed_variance(const double *u, const iv_sampled_view *v, size_t absent)
{
    double own = 0.0, sum = 0.0, squares = 0.0;
    size_t sampled = absent;

    for (size_t i = 0; i < v->count; i++) {
        if (!(v->pi[i] > 0.0))
            continue;
        const double z = u[i] / v->pi[i];
        own += (1.0 - v->pi[i]) * z * z;
        sum += z;
        squares += z * z;
        sampled++;
    }
    return sampled > 1 ? own - (sum * sum - squares) / ((double)sampled - 1.0) : own;
}

/* --------------------------------------------------- down to some rank -- */

double iv_sampled_found(double *u, const iv_sampled_view *v, double cutoff, double over)
{
    double sum = 0.0;

    memset(u, 0, v->count * sizeof *u);
    for (size_t k = 0; k < v->found_count && (cutoff == 0.0 || v->rank[k] <= cutoff); k++) {
        const size_t d = v->found[k];
        if (!iv_sampled_relevant(v, d))
            continue;
        sum += 1.0 / v->pi[d];
        u[d] = 1.0 / over;
    }
    return sum / over;
}

double iv_sampled_recall(double *u, const iv_sampled_view *v, double total, size_t cutoff)
{
    double recall = iv_sampled_found(u, v, (double)cutoff, total);
    bool all = true;

    for (size_t i = 0; i < v->count && all; i++)
        all = !iv_sampled_relevant(v, i) || u[i] != 0.0;
    if (all) /* it is 1, in whichever order the weights were added up */
        recall = 1.0;
    for (size_t i = 0; i < v->count; i++)
        if (iv_sampled_relevant(v, i))
            u[i] -= recall / total;
    return recall;
}

/*
 * Precision at the estimated number of relevant documents, R.  When R grows by
 * 1, the ranking is cut one rank later and the precision changes by (density -
 * precision) / R, with the density of relevant documents around rank R taken
 * from ranks R/2 to 3R/2.
 */
double iv_sampled_rprec(double *u, const iv_sampled_view *v, double total)
{
    const double cut = total + 1e-9; /* R itself may be a rank */
    double around = 0.0;
    const double value = iv_sampled_found(u, v, cut, total);

    for (size_t k = 0; k < v->found_count; k++)
        if (iv_sampled_relevant(v, v->found[k]) && v->rank[k] > 0.5 * total
            && v->rank[k] <= 1.5 * total)
            around += 1.0 / v->pi[v->found[k]];
    const double change = (around / total - value) / total;
    for (size_t i = 0; i < v->count; i++)
        if (iv_sampled_relevant(v, i))
            u[i] += change;
    return value;
}
