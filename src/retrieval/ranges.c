/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bounds and ties of a topic.  Where the extreme ranking or completion is
 * plain, it is built and scored by the measure itself.
 */
#include "base/err.h"
#include "base/hash.h"
#include "base/memory.h"
#include "measure/measures.h"
#include "measure/requested.h"
#include "measure/scorer.h"
#include "retrieval/ranges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct iv_ranges {
    iv_scorer *scorer;
    iv_range_value *bounded, *tied; /* one a value */
    size_t width;
    int32_t largest;
    double *low, *high, *alone;     /* rows of values */
    iv_judgment fake;               /* of unjudged documents */
    iv_arena topic;                 /* of what follows */
    iv_hit *hits;
    iv_judgment *judged;
    int32_t *grade, *condensed;
    size_t *end, *condensed_end;
    double *room;
};

static void end_topic(void *ranges) { iv_arena_free(&((iv_ranges *)ranges)->topic); }

iv_ranges *iv_ranges_new(iv_arena *own, const iv_measures *m, iv_scorer *scorer, int32_t largest)
{
    iv_ranges *r = iv_own(own, iv_take(own, 1, sizeof *r), end_topic);

    if (r == NULL)
        return NULL;
    r->scorer = scorer;
    r->largest = largest > 1 ? largest : 1;
    r->width = iv_measures_count(m);
    r->bounded = iv_take(own, r->width + 1, sizeof *r->bounded);
    r->tied = iv_take(own, r->width + 1, sizeof *r->tied);
    r->low = iv_take(own, r->width + 1, sizeof *r->low);
    r->high = iv_take(own, r->width + 1, sizeof *r->high);
    r->alone = iv_take(own, r->width + 1, sizeof *r->alone);
    for (size_t i = 0; i < r->width && !own->failed; i++) {
        r->bounded[i] = iv_range_value_of(m, i, largest, false);
        r->tied[i] = iv_range_value_of(m, i, largest, true);
    }
    return own->failed ? NULL : r;
}

void iv_ranges_fixed(iv_limits *bounds, iv_interval *ties, const iv_ranges *r, size_t i,
                     double value)
{
    const double bound = r->bounded[i].kind != IV_RANGE_NONE ? value : (double)NAN;
    const double tie = r->tied[i].kind != IV_RANGE_NONE ? value : (double)NAN;

    if (bounds != NULL)
        *bounds = (iv_limits){ bound, bound };
    if (ties != NULL)
        *ties = (iv_interval){ .value = tie, .lower = tie, .upper = tie };
}

static int make_room(iv_ranges *r, const iv_joined *topic, iv_err *err)
{
    const size_t n = topic->hit_count + 1, judged = topic->judged_count;

    iv_arena_free(&r->topic);
    r->hits = iv_take(&r->topic, n, sizeof *r->hits);
    r->judged = iv_take(&r->topic, (judged > n ? judged : n) + 1, sizeof *r->judged);
    r->grade = iv_take(&r->topic, n, sizeof *r->grade);
    r->condensed = iv_take(&r->topic, n, sizeof *r->condensed);
    r->end = iv_take(&r->topic, n, sizeof *r->end);
    r->condensed_end = iv_take(&r->topic, n, sizeof *r->condensed_end);
    r->room = iv_take(&r->topic, iv_bounds_ndcg_room(n, judged), sizeof *r->room);
    return iv_taken(&r->topic, err);
}

static int32_t grade_of(const iv_hit *h)
{
    return h->judgment == NULL || h->judgment->grade < 0 ? -1 : h->judgment->grade;
}

/* ----------------------------------------------------------------- bounds -- */

/*
 * The highest grade that a group gave a document; -1: none gave one.  *open counts the
 * groups that left theirs open (a grade below 0) where another gave one.
 */
static int32_t grade_of_groups(size_t *open, const iv_joined *topic, const iv_hit *h)
{
    const iv_judgment *end = topic->judged + topic->judged_count, *j = h->judgment;
    int32_t grade = grade_of(h);
    size_t none = 0;

    for (; j != NULL && j < end && iv_str_eq(j->docno, h->judgment->docno); j++) {
        grade = j->grade > grade ? j->grade : grade;
        none += j->grade < 0;
    }
    *open += grade >= 0 ? none : 0;
    return grade;
}

/* Fills what groups left open of judged documents, in a copy of the judgments. */
static void fill_groups(iv_joined *filled, iv_ranges *r, const iv_joined *topic, int32_t grade)
{
    memcpy(r->judged, topic->judged, topic->judged_count * sizeof *r->judged);
    filled->judged = r->judged;
    for (size_t i = 0; i < topic->hit_count; i++) {
        if (r->grade[i] < 0)
            continue;
        size_t at = (size_t)(topic->hits[i].judgment - topic->judged);
        r->hits[i].judgment = &r->judged[at];
        for (; at < topic->judged_count
               && iv_str_eq(r->judged[at].docno, topic->hits[i].judgment->docno); at++)
            if (r->judged[at].grade < 0) {
                r->judged[at].grade = grade;
                r->judged[at].pi = NAN; /* it is made up, see iv_judges_fill() */
            }
    }
}

/* Scores the topic with every unjudged document at one grade, and what groups left open. */
static int score_filled(double *values, iv_ranges *r, const iv_joined *topic,
                        int32_t grade, bool groups, iv_err *err)
{
    iv_joined filled = *topic;

    r->fake = (iv_judgment){ .docno = { "", 0 }, .pi = 1.0, .grade = grade, .stratum = -1 };
    for (size_t i = 0; i < topic->hit_count; i++) {
        r->hits[i] = topic->hits[i];
        if (r->grade[i] < 0)
            r->hits[i].judgment = &r->fake;
    }
    filled.hits = r->hits;
    if (groups)
        fill_groups(&filled, r, topic, grade);
    return iv_scorer_topic(values, r->scorer, &filled, err);
}

/* Did the group leave the document open, which another judged? */
static bool is_open(const iv_joined *topic, const iv_judgment *j, int32_t group)
{
    const iv_judgment *end = topic->judged + topic->judged_count, *first = j;

    for (; j != NULL && j < end && iv_str_eq(j->docno, first->docno); j++)
        if (j->stratum == group && j->grade < 0)
            return true;
    return false;
}

/*
 * Where no subtopic counts, those count that some document turns out to be relevant to.  The
 * highest value is that of a subtopic alone, to which all is relevant that it left open.
 */
static int score_alone(iv_ranges *r, const iv_joined *topic, bool groups, iv_err *err)
{
    iv_joined alone = { .topic = topic->topic, .hits = r->hits, .hit_count = topic->hit_count,
                        .judged = r->judged, .judged_count = topic->hit_count };
    int32_t last = 0;

    for (size_t i = 0; i < topic->judged_count && groups; i++)
        last = topic->judged[i].stratum > last ? topic->judged[i].stratum : last;
    for (size_t i = 0; i < r->width; i++)
        r->alone[i] = 0.0;
    for (int32_t group = 0; group <= last; group++) {
        for (size_t i = 0; i < topic->hit_count; i++) {
            const bool open = r->grade[i] < 0 || is_open(topic, topic->hits[i].judgment, group);
            const int32_t grade = open ? r->largest : 0;
            r->judged[i] = (iv_judgment){ .docno = topic->hits[i].docno, .pi = (double)grade,
                                          .grade = grade, .stratum = 0 };
            r->hits[i] = topic->hits[i];
            r->hits[i].judgment = &r->judged[i];
        }
        IV_TRY(iv_scorer_topic(r->low, r->scorer, &alone, err));
        for (size_t i = 0; i < r->width; i++)
            r->alone[i] = fmax(r->alone[i], r->low[i]);
    }
    return IV_OK;
}

size_t iv_note_grade(int32_t *list, size_t count, size_t most, int32_t grade)
{
    size_t at = 0;

    while (at < count && list[at] < grade)
        at++;
    if ((at < count && list[at] == grade) || count == most)
        return count;
    memmove(list + at + 1, list + at, (count - at) * sizeof *list);
    list[at] = grade;
    return count + 1;
}

/* Every grade, or where there are too many those of the topic. */
static size_t grades_to_try(int32_t out[IV_RANGE_GRADES], const iv_ranges *r,
                            const iv_joined *topic)
{
    const bool every = r->largest < IV_RANGE_GRADES;
    size_t count = 0;

    for (int32_t g = 0; every && g <= r->largest; g++)
        out[count++] = g;
    if (every)
        return count;
    out[count++] = 0;
    out[count++] = r->largest;
    for (size_t i = 0; i < topic->judged_count; i++)
        if (topic->judged[i].grade >= 0)
            count = iv_note_grade(out, count, IV_RANGE_GRADES, topic->judged[i].grade);
    return count;
}

/* Is it a measure of subtopics of which none has a relevant document? */
static bool none_counts(const iv_range_value *v, const iv_graded *g)
{
    return v->kind == IV_RANGE_RISES
        && iv_requested_of(v->measures, v->index)->definition->reads & IV_READS_GROUPS
        && iv_graded_relevant(g, v->level) == 0;
}

static iv_limits bounds_of(const iv_ranges *r, const iv_range_value *v, const iv_graded *g,
                           const iv_hit *hits, size_t unjudged, const int32_t *grades,
                           size_t grade_count)
{
    const size_t least = v->level <= 0 ? unjudged : 0, most = v->level <= r->largest ? unjudged : 0;

    if (v->kind == IV_RANGE_AP)
        return iv_bounds_ap(v, g, iv_graded_relevant(g, v->level), least, most, r->room);
    if (v->kind == IV_RANGE_AP_IA)
        return iv_bounds_ap_ia(v, g, hits, r->largest, r->condensed, r->room);
    if (v->kind == IV_RANGE_RPREC)
        return iv_bounds_rprec(v, g, least, most);
    if (v->kind == IV_RANGE_NDCG)
        return iv_bounds_ndcg(v, g, grades, grade_count, r->room);
    if (none_counts(v, g))
        return (iv_limits){ 0.0, r->alone[v->index] };
    /* The others rise with every grade and do not look at R. */
    return (iv_limits){ r->low[v->index], r->high[v->index] };
}

/*
 * Is the value as scored that of all unjudged documents at grade 0?  Not where
 * -J took them out, level 0 calls them relevant or grade 0 gains something.
 */
static bool value_is_a_completion(const iv_range_value *v)
{
    return !v->judged_only && v->level > 0
        && (v->kind != IV_RANGE_NDCG || iv_measures_gain(v->measures, v->index, 0) == 0.0);
}

int iv_ranges_bounds(iv_limits *out, iv_ranges *r, const iv_joined *topic,
                     const double *row, iv_err *err)
{
    int32_t grades[IV_RANGE_GRADES];
    size_t unjudged = 0, open = 0;

    IV_TRY(make_room(r, topic, err));
    const size_t depth = r->width > 0 ? r->bounded[0].depth : 0;
    const iv_graded g = { r->grade, topic->hit_count < depth ? topic->hit_count : depth,
                          topic->judged, topic->judged_count };
    for (size_t i = 0; i < topic->hit_count; i++)
        r->grade[i] = grade_of_groups(&open, topic, &topic->hits[i]);
    for (size_t i = 0; i < g.n; i++)
        unjudged += r->grade[i] < 0;
    bool none = false;
    for (size_t i = 0; i < r->width && unjudged + open > 0; i++)
        none = none || none_counts(&r->bounded[i], &g);
    if (none)
        IV_TRY(score_alone(r, topic, open > 0, err));
    IV_TRY(score_filled(r->low, r, topic, 0, open > 0, err));
    IV_TRY(score_filled(r->high, r, topic, r->largest, open > 0, err));
    const size_t tried = grades_to_try(grades, r, topic);
    for (size_t i = 0; i < r->width; i++) {
        const iv_range_value *v = &r->bounded[i];
        iv_ranges_fixed(&out[i], NULL, r, i, row[i]);
        if (v->kind == IV_RANGE_NONE || unjudged + open == 0)
            continue;
        out[i] = bounds_of(r, v, &g, topic->hits, unjudged, grades, tried);
        if (value_is_a_completion(v)) { /* but for rounding */
            out[i].lower = fmin(out[i].lower, row[i]);
            out[i].upper = fmax(out[i].upper, row[i]);
        }
    }
    return IV_OK;
}

/* ------------------------------------------------------------------- ties -- */

static size_t find_groups(size_t *end, const iv_joined *topic)
{
    size_t count = 0;

    for (size_t i = 0; i < topic->hit_count; i++)
        if (i + 1 == topic->hit_count || topic->hits[i].score != topic->hits[i + 1].score)
            end[count++] = i + 1;
    return count;
}

static int better_first(const void *a, const void *b)
{
    const int32_t x = grade_of(a), y = grade_of(b);

    return (x < y) - (x > y);
}

static int worse_first(const void *a, const void *b)
{
    return better_first(b, a);
}

/* Scores the topic with every group in the best or the worst order. */
static int score_ordered(double *values, iv_ranges *r, const iv_joined *topic,
                         size_t groups, bool best, iv_err *err)
{
    iv_joined ordered = *topic;

    memcpy(r->hits, topic->hits, topic->hit_count * sizeof *r->hits);
    for (size_t k = 0; k < groups; k++) {
        const size_t start = k > 0 ? r->end[k - 1] : 0;
        qsort(r->hits + start, r->end[k] - start, sizeof *r->hits,
              best ? better_first : worse_first);
    }
    ordered.hits = r->hits;
    return iv_scorer_topic(values, r->scorer, &ordered, err);
}

/* The ranking and its groups without the unjudged documents. */
static size_t condense(iv_ranges *r, size_t groups, size_t *count)
{
    size_t n = 0, kept = 0, at = 0;

    for (size_t k = 0; k < groups; k++) {
        const size_t before = n;
        for (; at < r->end[k]; at++)
            if (r->grade[at] >= 0)
                r->condensed[n++] = r->grade[at];
        if (n > before)
            r->condensed_end[kept++] = n;
    }
    *count = kept;
    return n;
}

int iv_ranges_ties(iv_interval *out, iv_ranges *r, const iv_joined *topic, const double *row,
                   iv_err *err)
{
    IV_TRY(make_room(r, topic, err));
    for (size_t i = 0; i < r->width; i++)
        iv_ranges_fixed(NULL, &out[i], r, i, row[i]);
    const size_t n = topic->hit_count, groups = find_groups(r->end, topic);
    if (groups == n)
        return IV_OK;
    IV_TRY(score_ordered(r->low, r, topic, groups, false, err));
    /* Second: the grades below are in this order. */
    IV_TRY(score_ordered(r->high, r, topic, groups, true, err));
    for (size_t i = 0; i < n; i++)
        r->grade[i] = grade_of(&r->hits[i]);
    size_t judged_groups = 0;
    const size_t judged = condense(r, groups, &judged_groups);
    for (size_t i = 0; i < r->width; i++) {
        const iv_range_value *v = &r->tied[i];
        const bool only = v->judged_only;
        const iv_graded g = { only ? r->condensed : r->grade, only ? judged : n, topic->judged,
                              topic->judged_count, only ? r->condensed_end : r->end,
                              only ? judged_groups : groups };
        if (v->kind == IV_RANGE_NONE)
            continue;
        const double expected = iv_expected(v, &g, r->high[i], r->room);
        out[i] = (iv_interval){ .value = fmin(fmax(expected, r->low[i]), r->high[i]),
                                .lower = r->low[i], .upper = r->high[i] };
    }
    return IV_OK;
}
