/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at a topic of several groups once, for all measures. */
#include "measure/judges.h"

#include <math.h>
#include <string.h>

#include "base/ids.h"
#include "measure/measure_parts.h"

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

/* The rank of the i-th hit, from 0; a run of equal scores is turned round. */
static size_t rank_of(const iv_joined *t, size_t i, bool ascending)
{
    size_t from = i, to = i + 1;

    if (!ascending)
        return i;
    while (from > 0 && t->hits[from - 1].score == t->hits[i].score)
        from--;
    while (to < t->hit_count && t->hits[to].score == t->hits[i].score)
        to++;
    return from + to - 1 - i;
}

static void add_opinions(iv_judges *p, const iv_joined *t, const iv_judgment *first)
{
    const size_t at = place_of(t, first);
    const uint32_t doc = (uint32_t)p->docs++;

    p->docno[doc] = first->docno;
    for (size_t g = 0; at == NOBODY && g < p->groups; g++)
        p->opinion[p->opinions++] = (iv_opinion){ doc, (uint32_t)g, -1, first->grade,
                                                  (double)first->grade };
    for (size_t i = at; at != NOBODY && i < t->judged_count && (i == at || !begins(t, i)); i++) {
        const iv_judgment *j = &t->judged[i];
        const bool made_up = isnan(j->pi);
        p->opinion[p->opinions++] = (iv_opinion){
            doc, (uint32_t)j->stratum, made_up ? -1 : j->grade < 0 ? -1 - j->grade : 0,
            j->grade, made_up ? (double)j->grade : j->pi };
    }
}

static int make_room(iv_judges *p, iv_arena *arena, const iv_joined *t, bool **had,
                     const iv_hit ***order, iv_err *err)
{
    const size_t n = t->hit_count + 1, docs = n + t->judged_count;

    for (size_t i = 0; i < t->judged_count; i++) {
        const int32_t group = t->judged[i].stratum;
        if (group < 0)
            return iv_fail(err, IV_EARG, "the judgments have no groups (subtopics, judges), "
                           "and a measure asks for them");
        p->groups = (size_t)group + 1 > p->groups ? (size_t)group + 1 : p->groups;
    }
    p->rank = iv_arena_alloc(arena, n * sizeof *p->rank);
    p->docno = iv_arena_alloc(arena, docs * sizeof *p->docno);
    p->opinion = iv_arena_alloc(arena, (t->judged_count + n * (p->groups + 1))
                                * sizeof *p->opinion);
    *had = iv_arena_alloc(arena, (t->judged_count + 1) * sizeof **had);
    *order = iv_arena_alloc(arena, n * sizeof **order);
    if (p->rank == NULL || p->docno == NULL || p->opinion == NULL || *had == NULL
        || *order == NULL)
        return no_memory(err);
    memset(*had, 0, (t->judged_count + 1) * sizeof **had);
    return IV_OK;
}

int iv_judges_fill(iv_judges *p, iv_arena *arena, const iv_joined *t, size_t depth,
                  bool ascending, iv_err *err)
{
    const iv_hit **order = NULL;
    bool *had = NULL;

    *p = (iv_judges){ .retrieved = t->hit_count < depth ? t->hit_count : depth };
    const int rc = make_room(p, arena, t, &had, &order, err);
    if (rc != IV_OK)
        return rc;
    for (size_t i = 0; i < t->hit_count; i++)
        order[rank_of(t, i, ascending)] = &t->hits[i];
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
    return IV_OK;
}

/* One group's ranking and levels, from its opinions. */
static bool look(iv_ranking r[2], iv_levels *l, iv_arena *arena, const iv_judges *p, size_t group)
{
    iv_judgment *judged = iv_arena_alloc(arena, (p->docs + 1) * sizeof *judged);
    size_t count = 0;

    r[0] = (iv_ranking){ .retrieved = p->retrieved };
    r[0].seen = iv_arena_alloc(arena, (p->found + 1) * sizeof *r[0].seen);
    r[1].seen = iv_arena_alloc(arena, (p->found + 1) * sizeof *r[1].seen);
    l->level = iv_arena_alloc(arena, (p->docs + 1) * sizeof *l->level);
    if (judged == NULL || r[0].seen == NULL || r[1].seen == NULL || l->level == NULL)
        return false;
    for (size_t i = 0; i < p->opinions; i++) {
        const iv_opinion *o = &p->opinion[i];
        if (o->group != group)
            continue;
        if (o->subgroup >= 0) /* as elsewhere, what is made up is not judged */
            judged[count++].grade = o->grade;
        if (o->doc >= p->found)
            continue;
        r[0].seen[r[0].seen_count++] = (iv_seen){ p->rank[o->doc], o->grade };
        r[0].judged += o->grade >= 0;
    }
    r[0].seen[r[0].seen_count] = (iv_seen){ 0, -1 };
    iv_see_judged(&r[1], &r[0]);
    iv_count_levels(l, judged, count);
    return true;
}

static bool view_group(iv_view *v, iv_arena *arena, const iv_ranking *r, const iv_levels *l)
{
    const size_t n = r->seen_count + 1;

    v->rank = iv_arena_alloc(arena, n * sizeof *v->rank);
    v->listed = iv_arena_alloc(arena, n * sizeof *v->listed);
    v->judged = iv_arena_alloc(arena, n * sizeof *v->judged);
    v->sum = iv_arena_alloc(arena, n * sizeof *v->sum);
    if (v->rank == NULL || v->listed == NULL || v->judged == NULL || v->sum == NULL)
        return false;
    iv_fill_view(v, r, l);
    return true;
}

int iv_judges_views(iv_judges *p, iv_arena *arena, const iv_measures *m, iv_err *err)
{
    const size_t groups = p->groups;

    p->view = iv_arena_alloc(arena, (m->view_count + 1) * sizeof *p->view);
    p->gain = iv_arena_alloc(arena, (groups + 1) * sizeof *p->gain);
    p->used = iv_arena_alloc(arena, (p->docs + 1) * sizeof *p->used);
    if (p->view == NULL || p->gain == NULL || p->used == NULL)
        return no_memory(err);
    for (size_t k = 0; k < m->view_count; k++) {
        p->view[k] = iv_arena_alloc(arena, (groups + 1) * sizeof **p->view);
        if (p->view[k] == NULL)
            return no_memory(err);
    }
    for (size_t g = 0; g < groups; g++) {
        iv_ranking *r = iv_arena_alloc(arena, 2 * sizeof *r);
        iv_levels l = { NULL, 0 };
        if (r == NULL || !look(r, &l, arena, p, g))
            return no_memory(err);
        for (size_t k = 0; k < m->view_count; k++) {
            p->view[k][g] = m->view[k];
            if (!view_group(&p->view[k][g], arena, &r[m->view[k].judged_only], &l))
                return no_memory(err);
        }
    }
    return IV_OK;
}
