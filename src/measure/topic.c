/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at a topic once, for all measures. */
#include "measure/measure_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two passes, the longer one without a branch: whether a document was judged
 * cannot be predicted. */
void iv_see(iv_ranking *r, const iv_joined *topic, size_t depth)
{
    const size_t n = topic->hit_count < depth ? topic->hit_count : depth;
    size_t seen = 0, judged = 0;

    for (size_t i = 0; i < n; i++) {
        r->seen[seen].rank = (uint32_t)(i + 1);
        seen += topic->hits[i].judgment != NULL;
    }
    for (size_t k = 0; k < seen; k++) {
        r->seen[k].grade = topic->hits[r->seen[k].rank - 1].judgment->grade;
        judged += r->seen[k].grade >= 0;
    }
    r->seen[seen] = (iv_seen){ 0, -1 };
    r->retrieved = n;
    r->seen_count = seen;
    r->judged = judged;
}

void iv_see_judged(iv_ranking *r, const iv_ranking *all)
{
    uint32_t seen = 0;

    for (size_t i = 0; i < all->seen_count; i++) {
        const int32_t grade = all->seen[i].grade;
        r->seen[seen] = (iv_seen){ seen + 1, grade };
        seen += grade >= 0;
    }
    r->seen[seen] = (iv_seen){ 0, -1 };
    r->retrieved = seen;
    r->seen_count = seen;
    r->judged = seen;
}

static int descending(const void *a, const void *b)
{
    const int32_t x = ((const iv_level *)a)->grade;
    const int32_t y = ((const iv_level *)b)->grade;

    return (x < y) - (x > y);
}

void iv_count_levels(iv_level *l, const iv_judgment *judged, size_t count)
{
    enum { SMALL = 64 }; /* nearly every grade there is */
    uint32_t small[SMALL] = { 0 };
    size_t n = 0, levels = 0;

    for (size_t i = 0; i < count; i++) {
        const int32_t grade = judged[i].grade;
        if (grade >= 0 && grade < SMALL)
            small[grade]++;
        else if (grade >= SMALL)
            l[n++] = (iv_level){ grade, 1 };
    }
    qsort(l, n, sizeof *l, descending);
    for (size_t i = 0; i < n; i++) {
        if (levels > 0 && l[levels - 1].grade == l[i].grade)
            l[levels - 1].count++;
        else
            l[levels++] = l[i];
    }
    for (int32_t grade = SMALL - 1; grade >= 0; grade--)
        if (small[grade] > 0)
            l[levels++] = (iv_level){ grade, small[grade] };
    l[levels] = (iv_level){ 0, 0 };
}

void iv_fill_view(iv_view *v, const iv_ranking *r, const iv_level *l)
{
    size_t found = 0;
    uint32_t judged = 0;
    double sum = 0.0;

    v->ranking = r;
    v->relevant = 0;
    for (; l->count > 0 && l->grade >= v->level; l++)
        v->relevant += l->count;
    for (size_t i = 0; i < r->seen_count; i++) {
        v->rank[found] = r->seen[i].rank;
        v->listed[found] = (uint32_t)i;
        v->judged[found] = judged;
        found += r->seen[i].grade >= v->level;
        judged += r->seen[i].grade >= 0;
    }
    v->found = found;
    v->sum[0] = 0.0;
    for (size_t k = 0; k < found; k++) {
        sum += (double)(k + 1) / (double)v->rank[k];
        v->sum[k + 1] = sum;
    }
}

double iv_gain_of(const iv_pair *pair, size_t count, bool exponential,
                  int32_t grade)
{
    if (grade < 0)
        return 0.0;
    for (size_t i = 0; i < count; i++)
        if (pair[i].grade == grade)
            return pair[i].gain;
    /* A grade beyond 1000 would overflow; where one grade is that large no
     * other counts beside it. */
    return exponential ? exp2(fmin((double)grade, 1000.0)) - 1.0 : (double)grade;
}

static double gain(const iv_gains *g, int32_t grade)
{
    return iv_gain_of(g->pair, g->pair_count, g->exponential, grade);
}

/* The gains above 0 of all judged documents, highest first. */
static void fill_ideal(iv_gains *g, const iv_level *l, const double *log2_of)
{
    double sum = 0.0;
    size_t n = 0;

    for (; l->count > 0; l++) {
        const double one = gain(g, l->grade);
        size_t at = n;
        if (!(one > 0.0))
            continue;
        /* Only gains set by the user can be out of the grades' order. */
        while (at > 0 && g->ideal_gain[at - 1] < one)
            at--;
        memmove(g->ideal_gain + at + l->count, g->ideal_gain + at,
                (n - at) * sizeof *g->ideal_gain);
        for (size_t k = 0; k < l->count; k++)
            g->ideal_gain[at + k] = one;
        n += l->count;
    }
    g->ideal = n;
    g->ideal_dcg[0] = 0.0;
    for (size_t i = 0; i < n; i++) {
        sum += g->ideal_gain[i] / log2_of[i + 2];
        g->ideal_dcg[i + 1] = sum;
    }
}

/* The retrieved documents with a gain; grades are mostly their own. */
static size_t collect_gains(iv_gains *g, const iv_ranking *r)
{
    const bool plain = g->pair_count == 0 && !g->exponential;
    size_t found = 0;

    for (size_t i = 0; i < r->seen_count; i++) {
        const int32_t grade = r->seen[i].grade;
        const double one = plain ? (double)(grade > 0 ? grade : 0)
                                 : gain(g, grade);
        g->rank[found] = r->seen[i].rank;
        g->gain[found] = one;
        found += one != 0.0;
    }
    return found;
}

void iv_fill_gains(iv_gains *g, const iv_ranking *r, const iv_level *l,
                   const double *log2_of)
{
    double sum = 0.0;

    g->ranking = r;
    g->found = collect_gains(g, r);
    g->dcg[0] = 0.0;
    for (size_t k = 0; k < g->found; k++) {
        sum += g->gain[k] / log2_of[g->rank[k] + 1];
        g->dcg[k + 1] = sum;
    }
    fill_ideal(g, l, log2_of);
}
