/* SPDX-License-Identifier: Apache-2.0 */
/* Prepares a topic once for all measures: ranks, grades and gains of judged documents. */
#include "base/err.h"
#include "base/hash.h"
#include "base/memory.h"
#include "measure/judges.h"
#include "measure/requested.h"
#include "measure/topic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two passes, the longer one without a branch: whether a document was judged
 * cannot be predicted. */
void iv_list_hits(iv_ranking *r, const iv_joined *topic, size_t depth)
{
    const size_t n = topic->hit_count < depth ? topic->hit_count : depth;
    size_t listed = 0, judged = 0;

    for (size_t i = 0; i < n; i++) {
        r->hits[listed].rank = (uint32_t)(i + 1);
        listed += topic->hits[i].judgment != NULL;
    }
    for (size_t k = 0; k < listed; k++) {
        r->hits[k].grade = topic->hits[r->hits[k].rank - 1].judgment->grade;
        judged += r->hits[k].grade >= 0;
    }
    r->hits[listed] = (iv_listed_hit){ 0, -1 };
    r->retrieved = n;
    r->hit_count = listed;
    r->judged = judged;
}

void iv_keep_judged_hits(iv_ranking *r, const iv_ranking *all)
{
    uint32_t listed = 0;

    for (size_t i = 0; i < all->hit_count; i++) {
        const int32_t grade = all->hits[i].grade;
        r->hits[listed] = (iv_listed_hit){ listed + 1, grade };
        listed += grade >= 0;
    }
    r->hits[listed] = (iv_listed_hit){ 0, -1 };
    r->retrieved = listed;
    r->hit_count = listed;
    r->judged = listed;
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

void iv_fill_view(iv_view *v, iv_arena *arena, const iv_ranking *r, const iv_level *l)
{
    const size_t n = r->hit_count + 1;
    size_t found = 0;
    uint32_t judged = 0;
    double sum = 0.0;

    v->rank = iv_arena_alloc(arena, n * sizeof *v->rank);
    v->listed = iv_arena_alloc(arena, n * sizeof *v->listed);
    v->judged = iv_arena_alloc(arena, n * sizeof *v->judged);
    v->sum = iv_arena_alloc(arena, n * sizeof *v->sum);
    if (arena->failed)
        return;
    v->ranking = r;
    v->relevant = 0;
    for (; l->count > 0 && l->grade >= v->level; l++)
        v->relevant += l->count;
    for (size_t i = 0; i < r->hit_count; i++) {
        v->rank[found] = r->hits[i].rank;
        v->listed[found] = (uint32_t)i;
        v->judged[found] = judged;
        found += r->hits[i].grade >= v->level;
        judged += r->hits[i].grade >= 0;
    }
    v->found = found;
    v->sum[0] = 0.0;
    for (size_t k = 0; k < found; k++) {
        sum += (double)(k + 1) / (double)v->rank[k];
        v->sum[k + 1] = sum;
    }
}

double iv_gain_of(const iv_grade_gain *pair, size_t count, bool exponential,
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

    for (size_t i = 0; i < r->hit_count; i++) {
        const int32_t grade = r->hits[i].grade;
        const double one = plain ? (double)(grade > 0 ? grade : 0)
                                 : gain(g, grade);
        g->rank[found] = r->hits[i].rank;
        g->gain[found] = one;
        found += one != 0.0;
    }
    return found;
}

void iv_fill_gains(iv_gains *g, iv_arena *arena, const iv_ranking *r, const iv_level *l,
                   size_t judged, const double *log2_of)
{
    const size_t n = r->hit_count + 1;
    double sum = 0.0;

    g->rank = iv_arena_alloc(arena, n * sizeof *g->rank);
    g->gain = iv_arena_alloc(arena, n * sizeof *g->gain);
    g->dcg = iv_arena_alloc(arena, n * sizeof *g->dcg);
    g->ideal_gain = iv_arena_alloc(arena, (judged + 1) * sizeof *g->ideal_gain);
    g->ideal_dcg = iv_arena_alloc(arena, (judged + 1) * sizeof *g->ideal_dcg);
    if (arena->failed)
        return;
    g->ranking = r;
    g->found = collect_gains(g, r);
    g->dcg[0] = 0.0;
    for (size_t k = 0; k < g->found; k++) {
        sum += g->gain[k] / log2_of[g->rank[k] + 1];
        g->dcg[k + 1] = sum;
    }
    fill_ideal(g, l, log2_of);
}

/* Looks at a topic of several groups once, for all measures. */

#define NOBODY ((size_t)UINT32_MAX)

static int no_memory(iv_err *err)
{
    return iv_fail(err, IV_ENOMEM, "out of memory for a topic's groups");
}

/* Does the record begin another document than the one before it? */
static bool begins(const iv_joined *t, size_t i)
{
    return i == 0 || !iv_str_eq(t->judged[i].docno, t->judged[i - 1].docno);
}

/* Where the hit's judgment stands among the topic's; NOBODY for one made up. */
static size_t place_of(const iv_joined *t, const iv_judgment *j)
{
    return j >= t->judged && j < t->judged + t->judged_count ? (size_t)(j - t->judged)
                                                            : NOBODY;
}

/* Hits by rank; ascending: a run of equal scores is turned round. */
static void rank_hits(const iv_hit **order, const iv_joined *t, bool ascending)
{
    for (size_t from = 0, to; from < t->hit_count; from = to) {
        for (to = from + 1; ascending && to < t->hit_count
                            && t->hits[to].score == t->hits[from].score;)
            to++;
        for (size_t i = from; i < to; i++)
            order[i] = &t->hits[from + to - 1 - i];
    }
}

static void add_opinions(iv_judges *p, const iv_joined *t, const iv_judgment *first)
{
    const size_t at = place_of(t, first);
    const uint32_t doc = (uint32_t)p->docs++;

    p->docno[doc] = first->docno;
    for (size_t g = 0; at == NOBODY && g < p->groups; g++)
        p->judgment[p->judgments++] = (iv_group_judgment){ doc, (uint32_t)g, -1, first->grade,
                                                  (double)first->grade };
    for (size_t i = at; at != NOBODY && i < t->judged_count && (i == at || !begins(t, i)); i++) {
        const iv_judgment *j = &t->judged[i];
        const bool made_up = isnan(j->pi);
        p->judgment[p->judgments++] = (iv_group_judgment){
            doc, (uint32_t)j->stratum, made_up ? -1 : j->grade < 0 ? -1 - j->grade : 0,
            j->grade, made_up ? (double)j->grade : j->pi };
    }
}

/* How many judgments there will be, and of how many groups. */
static int count_opinions(iv_judges *p, const iv_joined *t, iv_err *err)
{
    size_t made_up = 0;

    for (size_t i = 0; i < t->judged_count; i++) {
        const int32_t group = t->judged[i].stratum;
        if (group < 0)
            return iv_fail(err, IV_EARG, "the judgments have no groups (subtopics, judges), "
                           "and a measure asks for them");
        p->groups = (size_t)group + 1 > p->groups ? (size_t)group + 1 : p->groups;
    }
    for (size_t i = 0; i < t->hit_count; i++)
        made_up += t->hits[i].judgment != NULL && place_of(t, t->hits[i].judgment) == NOBODY;
    p->judgments = t->judged_count + made_up * p->groups;
    return IV_OK;
}

static int make_room(iv_judges *p, iv_arena *arena, const iv_joined *t, bool **had,
                     const iv_hit ***order, iv_err *err)
{
    const size_t n = t->hit_count + 1, docs = n + t->judged_count;

    IV_TRY(count_opinions(p, t, err));
    p->rank = iv_arena_alloc(arena, n * sizeof *p->rank);
    p->docno = iv_arena_alloc(arena, docs * sizeof *p->docno);
    p->judgment = iv_arena_alloc(arena, (p->judgments + 1) * sizeof *p->judgment);
    p->by_group = iv_arena_alloc(arena, (p->judgments + 1) * sizeof *p->by_group);
    p->first = iv_take(arena, p->groups + 2, sizeof *p->first);
    *had = iv_take(arena, t->judged_count + 1, sizeof **had);
    *order = iv_arena_alloc(arena, n * sizeof **order);
    if (arena->failed || p->judgments > UINT32_MAX)
        return no_memory(err);
    p->judgments = 0;
    return IV_OK;
}

/* Counts, then deals: first[g + 1] moves from the beginning of group g to its end. */
static void sort_by_group(iv_judges *p)
{
    for (size_t i = 0; i < p->judgments; i++)
        p->first[p->judgment[i].group + 2]++;
    for (size_t g = 0; g < p->groups; g++)
        p->first[g + 2] += p->first[g + 1];
    for (size_t i = 0; i < p->judgments; i++)
        p->by_group[p->first[p->judgment[i].group + 1]++] = (uint32_t)i;
}

int iv_judges_fill(iv_judges *p, iv_arena *arena, const iv_joined *t, size_t depth,
                  bool ascending, iv_err *err)
{
    const iv_hit **order = NULL;
    bool *had = NULL;

    *p = (iv_judges){ .retrieved = t->hit_count < depth ? t->hit_count : depth };
    IV_TRY(make_room(p, arena, t, &had, &order, err));
    rank_hits(order, t, ascending);
    for (size_t i = 0; i < p->retrieved; i++) {
        const iv_judgment *j = order[i]->judgment;
        if (j == NULL)
            continue;
        p->rank[p->found++] = (uint32_t)(i + 1);
        if (place_of(t, j) != NOBODY)
            had[place_of(t, j)] = true;
        add_opinions(p, t, j);
    }
    for (size_t i = 0; i < t->judged_count; i++)
        if (begins(t, i) && !had[i])
            add_opinions(p, t, &t->judged[i]);
    p->judgment[p->judgments] = (iv_group_judgment){ .doc = UINT32_MAX };
    sort_by_group(p);
    return IV_OK;
}

/* One group's ranking and levels, from its judgments. */
static bool look(iv_ranking r[2], iv_level **l, iv_arena *arena, const iv_judges *p, size_t group)
{
    const size_t from = p->first[group], to = p->first[group + 1], n = to - from + 1;
    iv_judgment *judged = iv_arena_alloc(arena, n * sizeof *judged);
    size_t count = 0;

    r[0] = (iv_ranking){ .retrieved = p->retrieved };
    r[0].hits = iv_arena_alloc(arena, n * sizeof *r[0].hits);
    r[1].hits = iv_arena_alloc(arena, n * sizeof *r[1].hits);
    *l = iv_arena_alloc(arena, n * sizeof **l);
    if (arena->failed)
        return false;
    for (size_t i = from; i < to; i++) {
        const iv_group_judgment *o = &p->judgment[p->by_group[i]];
        if (o->subgroup >= 0) /* as elsewhere, what is made up is not judged */
            judged[count++].grade = o->grade;
        if (o->doc >= p->found)
            continue;
        r[0].hits[r[0].hit_count++] = (iv_listed_hit){ p->rank[o->doc], o->grade };
        r[0].judged += o->grade >= 0;
    }
    r[0].hits[r[0].hit_count] = (iv_listed_hit){ 0, -1 };
    iv_keep_judged_hits(&r[1], &r[0]);
    iv_count_levels(*l, judged, count);
    return true;
}

int iv_judges_views(iv_judges *p, iv_arena *arena, const iv_measures *m, iv_err *err)
{
    const size_t groups = p->groups;

    p->view = iv_arena_alloc(arena, (m->view_count + 1) * sizeof *p->view);
    p->gain = iv_arena_alloc(arena, (groups + 1) * sizeof *p->gain);
    p->candidate = iv_arena_alloc(arena, (p->docs + 1) * sizeof *p->candidate);
    p->heap = iv_arena_alloc(arena, (p->docs + 1) * sizeof *p->heap);
    for (size_t k = 0; k < m->view_count && !arena->failed; k++)
        p->view[k] = iv_arena_alloc(arena, (groups + 1) * sizeof **p->view);
    if (arena->failed)
        return no_memory(err);
    for (size_t g = 0; g < groups; g++) {
        iv_ranking *r = iv_arena_alloc(arena, 2 * sizeof *r);
        iv_level *l = NULL;
        if (r == NULL || !look(r, &l, arena, p, g))
            return no_memory(err);
        for (size_t k = 0; k < m->view_count; k++) {
            p->view[k][g] = m->view[k];
            iv_fill_view(&p->view[k][g], arena, &r[m->view[k].judged_only], l);
        }
    }
    return arena->failed ? no_memory(err) : IV_OK;
}
