/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bounds of nDCG over the unjudged retrieved documents, every grade allowed.
 *
 * Gains come in layers: with v[0] < v[1] < ... the different gains, a document
 * of gain v[i] stands in layers 1 to i, each worth v[i] - v[i-1].  If m[i]
 * unjudged documents reach layer i, and N[i] judged ones do,
 *
 *     DCG   = DCG of the judged + sum over i of (v[i] - v[i-1]) T(m[i])
 *     ideal = sum over i of (v[i] - v[i-1]) D(N[i] + m[i])
 *
 * T(m): the discounts of the m top-ranked unjudged documents (bottom-ranked
 * for the lower bound), D(c): of the first c ranks.  Both are sums over layers
 * tied together only by m[1] >= m[2] >= ..., so that for a given t the best of
 * DCG - t ideal is found layer by layer with running extremes, and the best
 * ratio by Dinkelbach's iteration, which ends at the exact optimum after a few
 * rounds.
 *
 * Ref: Dinkelbach (1967), On nonlinear fractional programming, Management
 * Science 13, 492-498.
 */
#include <math.h>
#include <string.h>

#include "estimate/range_parts.h"
#include "measure/measure_private.h"

/* A topic in layers. */
typedef struct layers {
    double step[IV_RANGE_GRADES];    /* v[i] - v[i-1]; step[0] = v[0] */
    size_t judged[IV_RANGE_GRADES];  /* N[i] */
    size_t count, open;              /* layers; unjudged documents */
    double dcg;                      /* without what is open */
    const double *ideal;             /* D(c), c = 0 ... judged + open */
    double *taken;                   /* T(m), m = 0 ... open */
    /* The best of the layers from i on, given at most m documents reach them: dcg - t ideal. */
    double *best, *best_dcg, *best_ideal;
} layers;

size_t iv_bounds_ndcg_room(size_t n, size_t judged)
{
    return (judged + n + 1) + 4 * (n + 1);
}

static void find_layers(layers *l, const iv_range_value *v, const iv_graded *g,
                        const int32_t *grades, size_t grade_count)
{
    double last = 0.0;

    for (size_t k = 0; k < grade_count; k++) {
        const double gain = iv_measures_gain(v->measures, v->index, grades[k]);
        if (k > 0 && !(gain > last))
            continue; /* no layer of its own */
        l->step[l->count] = gain - last;
        l->judged[l->count++] = iv_graded_relevant(g, grades[k]);
        last = gain;
    }
}

static double fixed_dcg(const iv_range_value *v, const iv_graded *g, size_t cut)
{
    double sum = 0.0;

    for (size_t r = 0; r < cut; r++)
        if (g->grade[r] > 0 || (g->grade[r] == 0 && iv_measures_gain(v->measures, v->index, 0)
                                > 0.0))
            sum += iv_measures_gain(v->measures, v->index, g->grade[r]) * iv_discount(r + 1);
    return sum;
}

/* T from the top or from the bottom. */
static void fill_taken(layers *l, const iv_graded *g, size_t cut, bool from_top)
{
    size_t m = 0;

    l->taken[0] = 0.0;
    for (size_t k = 0; k < g->n; k++) {
        const size_t r = from_top ? k : g->n - 1 - k;
        if (g->grade[r] >= 0)
            continue;
        l->taken[m + 1] = l->taken[m] + (r < cut ? iv_discount(r + 1) : 0.0);
        m++;
    }
}

/*
 * One round: the extreme of dcg - t ideal (highest for sign 1, lowest for -1),
 * and the ratio where it is reached.
 */
static double best_ratio(const layers *l, double t, double sign)
{
    for (size_t m = 0; m <= l->open; m++)
        l->best[m] = l->best_dcg[m] = l->best_ideal[m] = 0.0;
    for (size_t i = l->count; i-- > 1;) {
        size_t at = 0;
        for (size_t m = 0; m <= l->open; m++) {
            const double dcg = l->best_dcg[m] + l->step[i] * l->taken[m];
            const double ideal = l->best_ideal[m] + l->step[i] * l->ideal[l->judged[i] + m];
            const double excess = sign * (dcg - t * ideal);
            l->best_dcg[m] = dcg;
            l->best_ideal[m] = ideal;
            l->best[m] = excess;
            /* Running extreme: fewer than m documents are allowed, too. */
            if (excess > l->best[at] || m == 0)
                at = m;
            l->best[m] = l->best[at];
            l->best_dcg[m] = l->best_dcg[at];
            l->best_ideal[m] = l->best_ideal[at];
        }
    }
    const double dcg = l->dcg + l->step[0] * l->taken[l->open] + l->best_dcg[l->open];
    const double ideal = l->step[0] * l->ideal[l->judged[0] + l->open] + l->best_ideal[l->open];
    return ideal > 0.0 ? dcg / ideal : 0.0;
}

/* The ratio when every unjudged document has the lowest or the highest grade. */
static double end_ratio(const layers *l, size_t m)
{
    double dcg = l->dcg + l->step[0] * l->taken[l->open];
    double ideal = l->step[0] * l->ideal[l->judged[0] + l->open];

    for (size_t i = 1; i < l->count; i++) {
        dcg += l->step[i] * l->taken[m];
        ideal += l->step[i] * l->ideal[l->judged[i] + m];
    }
    return ideal > 0.0 ? dcg / ideal : 0.0;
}

static double extreme(const layers *l, double sign)
{
    const double none = end_ratio(l, 0), all = end_ratio(l, l->open);
    double t = sign > 0.0 ? fmax(none, all) : fmin(none, all);

    for (int round = 0; round < 100; round++) {
        const double next = best_ratio(l, t, sign);
        if (!(sign * (next - t) > 0.0))
            break;
        t = next;
    }
    return t;
}

iv_limits iv_bounds_ndcg(const iv_range_value *v, const iv_graded *g,
                         const int32_t *grades, size_t grade_count, double *room)
{
    const size_t cut = v->cutoff < g->n ? v->cutoff : g->n;
    double *ideal = room;
    double *taken = room + g->judged_count + g->n + 1;
    layers l = { .ideal = ideal, .taken = taken, .best = taken + (g->n + 1),
                 .best_dcg = taken + 2 * (g->n + 1), .best_ideal = taken + 3 * (g->n + 1) };
    iv_limits b;

    for (size_t r = 0; r < g->n; r++)
        l.open += g->grade[r] < 0;
    ideal[0] = 0.0;
    for (size_t c = 0; c < g->judged_count + l.open; c++)
        ideal[c + 1] = ideal[c] + (c < v->cutoff ? iv_discount(c + 1) : 0.0);
    find_layers(&l, v, g, grades, grade_count);
    l.dcg = fixed_dcg(v, g, cut);
    fill_taken(&l, g, cut, true);
    b.upper = extreme(&l, 1.0);
    fill_taken(&l, g, cut, false);
    b.lower = extreme(&l, -1.0);
    return b;
}
