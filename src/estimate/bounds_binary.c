/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bounds of AP, AP over subtopics, and R-precision over the unjudged retrieved documents.
 *
 * When j of them are relevant, the value is highest with the j top-ranked and
 * lowest with the j bottom-ranked ones: a relevant document that moves up
 * never lowers it.  j also raises R, so that neither "none" nor "all" need be
 * an extreme: every j is tried, each in constant time from the last.
 */
#include <math.h>

#include "base/ids.h"
#include "estimate/range_parts.h"

static bool is_relevant(const iv_range_value *v, int32_t grade)
{
    return grade >= 0 && grade >= v->level;
}

static void widen(iv_limits *b, double value)
{
    b->lower = fmin(b->lower, value);
    b->upper = fmax(b->upper, value);
}

/* above[r]: relevant before rank r; below[r]: sum of 1/rank from r on. */
static double count_relevant(double *above, double *below, const iv_range_value *v,
                             const iv_graded *g, size_t cut)
{
    double sum = 0.0;

    above[0] = 0.0;
    for (size_t r = 0; r < g->n; r++) {
        const bool relevant = is_relevant(v, g->grade[r]);
        above[r + 1] = above[r] + (relevant ? 1.0 : 0.0);
        if (relevant && r < cut)
            sum += above[r + 1] / (double)(r + 1);
    }
    below[g->n] = 0.0;
    for (size_t r = g->n; r-- > 0;)
        below[r] = below[r + 1]
            + (r < cut && is_relevant(v, g->grade[r]) ? 1.0 / (double)(r + 1) : 0.0);
    return sum;
}

static double ratio(double sum, double relevant)
{
    return relevant > 0.0 ? sum / relevant : 0.0;
}

iv_limits iv_bounds_ap(const iv_range_value *v, const iv_graded *g, size_t judged_relevant,
                       size_t least, size_t most, double *room)
{
    double *above = room, *below = room + g->n + 1;
    const size_t cut = v->cutoff < g->n ? v->cutoff : g->n;
    const double relevant = (double)judged_relevant;
    const double start = count_relevant(above, below, v, g, cut);
    iv_limits b = { INFINITY, -INFINITY };
    double sum = start, added = 0.0;

    if (least == 0)
        widen(&b, ratio(start, relevant));
    /* From the top: those added stand above, the judged ones above and below. */
    for (size_t r = 0, j = 0; r < g->n && j < most; r++) {
        if (g->grade[r] >= 0)
            continue;
        j++;
        if (r < cut)
            sum += (above[r] + (double)j) / (double)(r + 1) + below[r];
        if (j >= least)
            widen(&b, ratio(sum, relevant + (double)j));
    }
    /* From the bottom: those added stand below. */
    sum = start;
    for (size_t r = g->n, j = 0; r-- > 0 && j < most;) {
        if (g->grade[r] >= 0)
            continue;
        j++;
        if (r < cut) {
            sum += (above[r] + 1.0) / (double)(r + 1) + below[r] + added;
            added += 1.0 / (double)(r + 1);
        }
        if (j >= least)
            widen(&b, ratio(sum, relevant + (double)j));
    }
    return b;
}

/* What the group says of a document, from its first judgment: relevant, not, or -1: open. */
static int32_t group_finds(const iv_graded *g, const iv_judgment *first, int32_t group,
                        const iv_range_value *v)
{
    const iv_judgment *end = g->judged + g->judged_count;

    for (const iv_judgment *j = first; j < end && iv_str_eq(j->docno, first->docno); j++)
        if (j->stratum == group)
            return j->grade < 0 ? -1 : is_relevant(v, j->grade);
    return 0;
}

iv_limits iv_bounds_ap_ia(const iv_range_value *v, const iv_graded *g, const iv_hit *hits,
                          int32_t largest, int32_t *scratch, double *room)
{
    const iv_graded own = { .grade = scratch, .n = g->n };
    iv_range_value yes_or_no = *v;
    iv_limits sum = { 0.0, 0.0 };
    double counted = 0.0, highest = 0.0;
    int32_t last = -1;

    yes_or_no.level = 1; /* what a group did not judge is not relevant to it at any level */
    for (size_t i = 0; i < g->judged_count; i++)
        last = g->judged[i].stratum > last ? g->judged[i].stratum : last;
    for (int32_t group = 0; group <= last; group++) {
        size_t relevant = 0, unjudged = 0;
        for (size_t i = 0; i < g->judged_count; i++)
            relevant += g->judged[i].stratum == group && is_relevant(v, g->judged[i].grade);
        if (relevant == 0 && counted > 0.0)
            continue;
        for (size_t r = 0; r < g->n; r++) {
            scratch[r] = g->grade[r] < 0 ? -1 : group_finds(g, hits[r].judgment, group, v);
            unjudged += scratch[r] < 0;
        }
        const iv_limits b = iv_bounds_ap(&yes_or_no, &own, relevant, v->level <= 0 ? unjudged : 0,
                                         v->level <= largest ? unjudged : 0, room);
        highest = fmax(highest, b.upper);
        if (relevant == 0)
            continue;
        sum.lower += b.lower;
        sum.upper += b.upper;
        counted += 1.0;
    }
    /* Where none counts, those count that some document turns out to be relevant to. */
    return counted > 0.0 ? (iv_limits){ sum.lower / counted, sum.upper / counted }
                         : (iv_limits){ 0.0, highest };
}

iv_limits iv_bounds_rprec(const iv_range_value *v, const iv_graded *g, size_t least, size_t most)
{
    const size_t relevant = iv_graded_relevant(g, v->level);
    size_t unjudged = 0, rank = 0, found = 0, open_above = 0;
    iv_limits b = { INFINITY, -INFINITY };

    for (size_t r = 0; r < g->n; r++)
        unjudged += g->grade[r] < 0;
    for (size_t j = least; j <= most; j++) {
        const size_t all = relevant + j;
        for (; rank < all && rank < g->n; rank++) {
            found += is_relevant(v, g->grade[rank]);
            open_above += g->grade[rank] < 0;
        }
        const size_t open_below = unjudged - open_above;
        const size_t high = found + (j < open_above ? j : open_above);
        const size_t low = found + (j > open_below ? j - open_below : 0);
        widen(&b, ratio((double)high, (double)all));
        widen(&b, ratio((double)low, (double)all));
    }
    return b;
}
