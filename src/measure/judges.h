/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A topic whose judgments are in groups: judges, subtopics or preferences.  A measure reads each
 * group as if it were a topic of its own.
 */
#ifndef IV_MEASURE_JUDGES_H
#define IV_MEASURE_JUDGES_H

#include "base/memory.h"
#include "intervale/trec/topic_join.h"
#include "measure/topic.h"

/* A judgment of a document by a group. */
typedef struct iv_group_judgment {
    uint32_t doc, group;
    int32_t subgroup; /* over all groups; in qrels 0; -1: it is made up */
    int32_t grade;    /* below 0: not judged, or a preference */
    double level;
} iv_group_judgment;

/* A document while an ideal order is found. */
typedef struct iv_gain_candidate {
    double gain;          /* what it adds, or more: see subtopics.c */
    const iv_group_judgment *at; /* its first judgment */
    iv_str docno;
    int32_t level;        /* the lowest grade that adds */
} iv_gain_candidate;

struct iv_judges {
    size_t groups, docs, found;
    /* Documents that some group judged: the retrieved ones by rank, then the others
     * by docno. */
    uint32_t *rank;   /* of the found, from 1 */
    iv_str *docno;    /* of all */
    iv_group_judgment *judgment; /* by document, then group and subgroup; the last: no document */
    size_t judgments;
    uint32_t *by_group;  /* judgments by group, then as above: those of group g stand from ... */
    size_t *first;       /* ... first[g] to before first[g + 1] */
    size_t retrieved;
    iv_view **view;   /* view[k][g]: group g as the k-th view of the measures sees it */
    double *gain;     /* scratch: of groups, ... */
    iv_gain_candidate *candidate; /* ... and of documents, ... */
    iv_gain_candidate **heap;  /* ... also as a heap */
    double *prefs;    /* what preferences give, if some measure reads them */
};

/*
 * Fills p from memory of the arena.  ascending: documents of equal score are ranked by
 * docno, first first, as trec_eval ranks them for preferences and nothing else.
 * A hit whose judgment is none of the topic's counts as judged so by every group, and a
 * judgment whose level is not a number as made up for its own.
 * IV_EARG when the judgments are not by groups.
 */
IV_MUST_CHECK int iv_judges_fill(iv_judges *p, iv_arena *arena, const iv_joined *topic,
                                size_t depth, bool ascending, iv_err *err);

/* The views of the measures, of every group. */
IV_MUST_CHECK int iv_judges_views(iv_judges *p, iv_arena *arena, const iv_measures *m,
                                 iv_err *err);

/* Counts preferences.  IV_EPARSE where those of one group contradict each other.  Where there are
 * several groups, quadratic in their documents: asks work. */
IV_MUST_CHECK int iv_judges_prefs(iv_judges *p, iv_arena *arena, iv_str topic,
                                  const iv_work *work, iv_err *err);

#endif
