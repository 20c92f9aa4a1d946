/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/label_measures.h"
#include "measure/measure_private.h"

#include <math.h>
#include <string.h>

static void fill(double *u, size_t count, double value)
{
    for (size_t d = 0; d < count; d++)
        u[d] = value;
}

static double sum_of(const double *x, size_t count)
{
    double sum = 0.0;

    for (size_t d = 0; d < count; d++)
        sum += x[d];
    return sum;
}

/* The ranking to a cut-off, 0: all of it. */
static size_t end_of(const iv_label_ranking *r, double cutoff)
{
    size_t end = 0;

    while (end < r->count && (cutoff == 0.0 || r->rank[end] <= cutoff))
        end++;
    return end;
}

/* ------------------------------------------------------------ one level -- */

static double average_precision(double *u, const double *x, size_t count,
                                const iv_label_ranking *r, size_t cutoff)
{
    const size_t end = end_of(r, (double)cutoff);
    const double total = sum_of(x, count);
    double above = 0.0, below = 0.0, sum = 0.0;

    fill(u, count, 0.0);
    if (!(total > 0.0))
        return 0.0;
    for (size_t k = 0; k < end; k++) {
        const double label = x[r->document[k]];
        sum += label * (1.0 + above) / r->rank[k];
        above += label;
    }
    const double ap = sum / total;
    fill(u, count, -ap / total);
    for (size_t k = end; k-- > 0;) {
        const uint32_t d = r->document[k];
        above -= x[d];
        u[d] += ((1.0 + above) / r->rank[k] + below) / total;
        below += x[d] / r->rank[k];
    }
    return ap;
}

static double found(double *u, const double *x, size_t count, const iv_label_ranking *r,
                    double cutoff, double over)
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

static double recall(double *u, const double *x, size_t count, const iv_label_ranking *r,
                     size_t cutoff)
{
    const double total = sum_of(x, count);

    if (!(total > 0.0)) {
        fill(u, count, 0.0);
        return 0.0;
    }
    const double value = found(u, x, count, r, (double)cutoff, total);
    for (size_t d = 0; d < count; d++)
        u[d] -= value / total;
    return value;
}

/*
 * Precision at the number of relevant documents, R, which need not be whole.  When R grows by 1 the
 * ranking is cut one rank later; the labels around rank R are those from R/2 to 3R/2.
 */
static double r_precision(double *u, const double *x, size_t count, const iv_label_ranking *r)
{
    const double total = sum_of(x, count);
    double around = 0.0;

    if (!(total > 0.0)) {
        fill(u, count, 0.0);
        return 0.0;
    }
    const double value = found(u, x, count, r, total + 1e-9, total);
    for (size_t k = 0; k < r->count; k++)
        if (r->rank[k] > 0.5 * total && r->rank[k] <= 1.5 * total)
            around += x[r->document[k]];
    for (size_t d = 0; d < count; d++)
        u[d] += (around / total - value) / total;
    return value;
}

/* -------------------------------------------------------- several levels -- */

double *iv_label_discounts(iv_arena *memory, size_t ranks)
{
    double *sums = iv_take(memory, ranks + 1, sizeof *sums);

    for (size_t i = 1; sums != NULL && i <= ranks; i++)
        sums[i] = sums[i - 1] + 1.0 / log2((double)i + 1.0);
    return sums;
}

/* The sum of discounts to a rank that need not be whole, and its slope there. */
static double discounts_to(const double *sums, double x, double *slope)
{
    const size_t whole = (size_t)x;

    *slope = sums[whole + 1] - sums[whole];
    return sums[whole] + (x - (double)whole) * *slope;
}

static double weight_at(const iv_label_measure *m, double rank, const double *sums)
{
    return m->kind == IV_LABEL_RBP ? (1.0 - m->persistence) * pow(m->persistence, rank - 1.0)
                                   : sums[(size_t)rank] - sums[(size_t)rank - 1];
}

/* A sum of gains, weighted by rank. */
static double weighted_gain(double *u, const iv_label_measure *m, const double *x, size_t count,
                            const iv_label_ranking *r, const double *sums)
{
    const size_t end = end_of(r, (double)m->cutoff);
    double sum = 0.0;

    fill(u, m->levels * count, 0.0);
    for (size_t k = 0; k < end; k++) {
        const double weight = weight_at(m, r->rank[k], sums);
        for (size_t h = 0; h < m->levels; h++) {
            u[h * count + r->document[k]] = m->gain[h] * weight;
            sum += m->gain[h] * weight * x[(m->level + h) * count + r->document[k]];
        }
    }
    return sum;
}

static double normalised_gain(double *u, const iv_label_measure *m, const double *x, size_t count,
                              const iv_label_ranking *r, const double *sums)
{
    const double dcg = weighted_gain(u, m, x, count, r, sums);
    double slope[IV_LABEL_LEVELS], ideal = 0.0;

    for (size_t h = 0; h < m->levels; h++) {
        const double total = fmax(0.0, sum_of(x + (m->level + h) * count, count));
        const bool cut = m->cutoff > 0 && total >= (double)m->cutoff;
        ideal += m->gain[h] * discounts_to(sums, cut ? (double)m->cutoff : total, &slope[h]);
        slope[h] = cut ? 0.0 : slope[h];
    }
    if (!(ideal > 0.0)) {
        fill(u, m->levels * count, 0.0);
        return 0.0;
    }
    const double value = dcg / ideal;
    for (size_t h = 0; h < m->levels; h++)
        for (size_t d = 0; d < count; d++)
            u[h * count + d] = (u[h * count + d] - value * m->gain[h] * slope[h]) / ideal;
    return value;
}

double iv_label_measure_value(double *u, const iv_label_measure *m, const double *x, size_t count,
                              const iv_label_ranking *r, const double *discounts)
{
    const double *one = x + m->level * count;

    switch (m->kind) {
    case IV_LABEL_P:
        return found(u, one, count, r, (double)m->cutoff, (double)m->cutoff);
    case IV_LABEL_AP:
        return average_precision(u, one, count, r, m->cutoff);
    case IV_LABEL_RECALL:
        return recall(u, one, count, r, m->cutoff);
    case IV_LABEL_RPREC:
        return r_precision(u, one, count, r);
    case IV_LABEL_NDCG:
        return normalised_gain(u, m, x, count, r, discounts);
    default:
        return weighted_gain(u, m, x, count, r, discounts);
    }
}

/* ----------------------------------------------------------- which is it -- */

/* By kind: trec_eval's name, or ir_measures', without _cut. */
static const char *const names[IV_LABEL_OTHER] = {
    [IV_LABEL_P] = "P", [IV_LABEL_RBP] = "RBP", [IV_LABEL_DCG] = "dcg", [IV_LABEL_AP] = "map",
    [IV_LABEL_RECALL] = "recall", [IV_LABEL_RPREC] = "Rprec", [IV_LABEL_NDCG] = "ndcg",
};

static iv_label_kind kind_of(const char *name)
{
    int kind = 0;

    for (; kind < IV_LABEL_OTHER; kind++) {
        const size_t n = strlen(names[kind]);
        if (strncmp(name, names[kind], n) == 0
            && (name[n] == '\0' || strcmp(name + n, "_cut") == 0))
            break;
    }
    return (iv_label_kind)kind;
}

/* What reaching a level adds: the gain of its grade less that of the level below. */
static double gain_of(const iv_measures *m, size_t i, iv_label_kind kind, const int32_t *grade,
                      size_t h, int32_t largest)
{
    const iv_value_info *v = iv_measures_value(m, i);
    const double below = h > 0 ? (double)grade[h - 1] : 0.0;
    const double top = v->max_grade > 0 ? (double)v->max_grade : fmax(1.0, (double)largest);

    if (kind == IV_LABEL_RBP)
        return (fmin((double)grade[h], top) - fmin(below, top)) / top;
    return iv_measures_gain(m, i, grade[h]) - (h > 0 ? iv_measures_gain(m, i, grade[h - 1]) : 0.0);
}

iv_label_measure iv_label_measure_of(const iv_measures *m, size_t i, const int32_t *grade,
                                     size_t levels, int32_t largest)
{
    const iv_value_info *v = iv_measures_value(m, i);
    iv_label_measure out = { .cutoff = v->cutoff, .levels = 1, .persistence = v->persistence,
                             .gain = { 1.0 } };

    out.kind = v->judged_only ? IV_LABEL_OTHER : kind_of(v->measure->name);
    if (out.kind == IV_LABEL_DCG || out.kind == IV_LABEL_NDCG
        || (out.kind == IV_LABEL_RBP && strstr(v->name, "rel=") == NULL)) {
        out.levels = levels;
        for (size_t h = 0; h < levels; h++)
            out.gain[h] = gain_of(m, i, out.kind, grade, h, largest);
        return out;
    }
    while (out.level < levels && grade[out.level] < v->level)
        out.level++;
    if (out.level == levels) /* nothing is relevant */
        out.levels = 0;
    return out;
}

bool iv_label_measure_linear(const iv_label_measure *m)
{
    return m->kind == IV_LABEL_P || m->kind == IV_LABEL_RBP || m->kind == IV_LABEL_DCG;
}
