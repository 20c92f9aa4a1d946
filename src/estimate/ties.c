/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expected values over the orders of documents of equal score, every order
 * within a group equally likely.
 *
 * A group of n documents, r of them relevant, on ranks s + 1 to s + n: each of
 * its ranks holds a relevant document with probability r/n, and given one
 * there, each other rank of the group does with probability (r-1)/(n-1).
 *
 * Ref: McSherry and Najork (2008), Computing information retrieval performance
 * measures efficiently in the presence of tied scores, ECIR, 414-421.
 */
#include <math.h>

#include "estimate/range_parts.h"
#include "measure/measure_parts.h"
#include "measure/measure_private.h"

/* One group as a binary measure sees it. */
typedef struct group {
    size_t start, n; /* ranks start + 1 ... start + n */
    size_t inside;   /* of these, at or above the cut-off */
    double relevant;
} group;

static size_t cut_of(const iv_range_value *v)
{
    return v->cutoff < v->depth ? v->cutoff : v->depth;
}

static bool is_relevant(const iv_range_value *v, int32_t grade)
{
    return grade >= 0 && grade >= v->level;
}

static group group_at(const iv_range_value *v, const iv_graded *g, size_t k, size_t cut)
{
    group x = { .start = k > 0 ? g->end[k - 1] : 0 };

    x.n = g->end[k] - x.start;
    if (cut > x.start)
        x.inside = cut - x.start < x.n ? cut - x.start : x.n;
    for (size_t i = 0; i < x.n; i++)
        x.relevant += is_relevant(v, g->grade[x.start + i]);
    return x;
}

/* Relevant documents at or above a cut-off. */
static double expected_found(const iv_range_value *v, const iv_graded *g, size_t cut)
{
    double sum = 0.0;

    for (size_t k = 0; k < g->groups; k++) {
        const group x = group_at(v, g, k, cut);
        sum += x.relevant * (double)x.inside / (double)x.n;
    }
    return sum;
}

static double expected_ap(const iv_range_value *v, const iv_graded *g)
{
    const double all = (double)iv_graded_relevant(g, v->level);
    double sum = 0.0, above = 0.0;

    for (size_t k = 0; k < g->groups; k++) {
        const group x = group_at(v, g, k, cut_of(v));
        const double others = x.n > 1 ? (x.relevant - 1.0) / (double)(x.n - 1) : 0.0;
        for (size_t i = 0; i < x.inside && x.relevant > 0.0; i++)
            sum += x.relevant / (double)x.n * (1.0 + above + (double)i * others)
                / (double)(x.start + i + 1);
        above += x.relevant;
    }
    return all > 0.0 ? sum / all : 0.0;
}

/* Only the first group with a relevant document matters. */
static double expected_rr(const iv_range_value *v, const iv_graded *g)
{
    for (size_t k = 0; k < g->groups; k++) {
        const group x = group_at(v, g, k, cut_of(v));
        double first = x.relevant / (double)x.n, sum = 0.0;
        if (!(x.relevant > 0.0))
            continue;
        for (size_t i = 0; i < x.inside && first > 0.0; i++) {
            sum += first / (double)(x.start + i + 1);
            /* The next rank is first if this one was not. */
            const double left = (double)(x.n - i - 1);
            first = left > 0.0 ? first * (left - x.relevant + 1.0) / left : 0.0;
        }
        return sum;
    }
    return 0.0;
}

static double expected_success(const iv_range_value *v, const iv_graded *g)
{
    for (size_t k = 0; k < g->groups; k++) {
        const group x = group_at(v, g, k, cut_of(v));
        double none = 1.0;
        if (!(x.relevant > 0.0))
            continue;
        for (double i = 0.0; i < x.relevant; i += 1.0)
            none *= fmax(0.0, (double)(x.n - x.inside) - i) / ((double)x.n - i);
        return 1.0 - none;
    }
    return 0.0;
}

/* (2^grade - 1) / 2^max, as the measure has it. */
static double stop_at(const iv_range_value *v, int32_t grade)
{
    const double max = (double)v->max_grade;

    return grade > 0 ? exp2(fmin((double)grade, max) - max) - exp2(-max) : 0.0;
}

/*
 * through[p]: the expected product of (1 - s) over p documents of a group
 * taken at random; adding document m to the group,
 * through[p] = ((m - p) through[p] + p (1 - s) through[p - 1]) / m.
 */
static double expected_err(const iv_range_value *v, const iv_graded *g, double *through)
{
    double sum = 0.0, arrives = 1.0;

    for (size_t k = 0; k < g->groups; k++) {
        const group x = group_at(v, g, k, cut_of(v));
        through[0] = 1.0;
        for (size_t m = 1; m <= x.n; m++) {
            const double pass = 1.0 - stop_at(v, g->grade[x.start + m - 1]);
            size_t p = m < x.inside ? m : x.inside;
            if (p == m && p > 0) {
                through[p] = pass * through[p - 1];
                p--;
            }
            for (; p > 0; p--)
                through[p] = ((double)(m - p) * through[p]
                              + (double)p * pass * through[p - 1]) / (double)m;
        }
        for (size_t i = 0; i < x.inside; i++)
            sum += arrives * (through[i] - through[i + 1]) / (double)(x.start + i + 1);
        if (x.inside < x.n)
            break; /* the cut-off lies in this group */
        arrives *= through[x.n];
    }
    return sum;
}

static double gain_of(const iv_range_value *v, int32_t grade)
{
    if (v->kind == IV_RANGE_NDCG)
        return iv_measures_gain(v->measures, v->index, grade);
    if (v->kind == IV_RANGE_WEIGHTS)
        return iv_model_gain(iv_asked_of(v->measures, v->index), v->max_grade, grade);
    if (v->binary)
        return is_relevant(v, grade) ? 1.0 : 0.0;
    return grade > 0 ? fmin((double)grade, (double)v->max_grade) / (double)v->max_grade : 0.0;
}

/* What a rank weighs. */
static double weight_of(const iv_range_value *v, size_t rank)
{
    if (v->kind == IV_RANGE_WEIGHTS)
        return iv_model_weight(iv_asked_of(v->measures, v->index), rank);
    return v->kind == IV_RANGE_NDCG ? iv_discount(rank)
                                    : pow(v->persistence, (double)(rank - 1));
}

/*
 * Sums that are linear in the gains: each rank expects its group's mean gain.
 * The two sums differ by the order only, so that their ratio scales the
 * highest value to the expected one, whatever it is divided by.
 */
static double expected_linear(const iv_range_value *v, const iv_graded *g, double highest)
{
    double best = 0.0, expected = 0.0;

    for (size_t k = 0; k < g->groups; k++) {
        const group x = group_at(v, g, k, cut_of(v));
        double gains = 0.0, weights = 0.0;
        for (size_t i = 0; i < x.n; i++) {
            const double gain = gain_of(v, g->grade[x.start + i]);
            gains += gain;
            if (i < x.inside) {
                const double weight = weight_of(v, x.start + i + 1);
                best += gain * weight;
                weights += weight;
            }
        }
        expected += gains / (double)x.n * weights;
    }
    return best > 0.0 ? highest * (expected / best) : 0.0;
}

double iv_expected(const iv_range_value *v, const iv_graded *g,
                   double highest, double *room)
{
    const size_t relevant = iv_graded_relevant(g, v->level);

    switch (v->kind) {
    case IV_RANGE_AP:
        return expected_ap(v, g);
    case IV_RANGE_P:
        return expected_found(v, g, cut_of(v)) / (double)v->cutoff;
    case IV_RANGE_RECALL:
        return relevant > 0
            ? expected_found(v, g, cut_of(v)) / (double)relevant : 0.0;
    case IV_RANGE_RPREC:
        return relevant > 0
            ? expected_found(v, g, relevant < v->depth ? relevant : v->depth)
                / (double)relevant : 0.0;
    case IV_RANGE_RR:
        return expected_rr(v, g);
    case IV_RANGE_SUCCESS:
        return expected_success(v, g);
    case IV_RANGE_ERR:
        return expected_err(v, g, room);
    case IV_RANGE_NDCG:
    case IV_RANGE_RBP:
    case IV_RANGE_WEIGHTS:
        return expected_linear(v, g, highest);
    case IV_RANGE_NONE:
    case IV_RANGE_AP_IA:
    case IV_RANGE_RISES:
        break;
    }
    return (double)NAN;
}
