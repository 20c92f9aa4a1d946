/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds and ties: which values have them, and those of a topic. */
#ifndef IV_RETRIEVAL_RANGES_H
#define IV_RETRIEVAL_RANGES_H

#include "base/memory.h"
#include "measure/definition.h"

/* Adds a grade to a list without repeats, rising, unless it has `most` of them; how many it has. */
size_t iv_note_grade(int32_t *list, size_t count, size_t most, int32_t grade);

/* What bounds and ties need to know of a measure and of a topic. */
enum { IV_RANGE_GRADES = 256 }; /* so many different grades are tried */

/* One value with its parameters. */
typedef struct iv_range_value {
    const iv_measures *measures;
    size_t index;
    iv_range_kind kind;
    size_t cutoff;      /* SIZE_MAX: none */
    size_t depth;       /* documents looked at; SIZE_MAX: all */
    int32_t level;
    bool binary;        /* RBP with rel= */
    bool judged_only;
    double persistence;
    int32_t max_grade;  /* of RBP and ERR */
} iv_range_value;

/*
 * Describes the i-th value; kind IV_RANGE_NONE where there are no bounds (or
 * no ties) for it.
 */
iv_range_value iv_range_value_of(const iv_measures *m, size_t i, int32_t largest,
                                 bool ties);

/* Are there bounds, or values over ties, for the i-th value? */
bool iv_has_bounds(const iv_measures *m, size_t i, int32_t largest);
bool iv_has_ties(const iv_measures *m, size_t i, int32_t largest);

/* Why there are no bounds, as the end of a sentence; NULL: there are, or it is not known. */
const char *iv_why_no_bounds(const iv_measures *m, size_t i, int32_t largest);

/* A topic's ranking: the grade at each rank from 0; -1: not judged. */
typedef struct iv_graded {
    const int32_t *grade;
    size_t n;
    const iv_judgment *judged; /* all of the topic */
    size_t judged_count;
    const size_t *end; /* of ties: group k, of equal score, ends before rank end[k], from 0 */
    size_t groups;
} iv_graded;

/* How many judged documents are relevant at a level, retrieved or not. */
size_t iv_graded_relevant(const iv_graded *g, int32_t level);

/*
 * AP, with so many judged documents relevant in all, and R-precision; least and most: how many of
 * the unjudged can be relevant.  room: 2 (n + 1) doubles.  doc/methods/bounds-and-ties.md has the
 * reasons.
 */
iv_limits iv_bounds_ap(const iv_range_value *v, const iv_graded *g, size_t judged_relevant,
                       size_t least, size_t most, double *room);

/*
 * AP_IA.  An unjudged document may be relevant to each subtopic or not, whatever it is to
 * the others, so that the bounds are the means of those of the subtopics' AP; so may a
 * judged one with a grade below 0 for a subtopic, to that alone.  judged: of the whole
 * topic, by document; scratch: n grades.
 */
iv_limits iv_bounds_ap_ia(const iv_range_value *v, const iv_graded *g, const iv_hit *hits,
                          int32_t largest, int32_t *scratch, double *room);
iv_limits iv_bounds_rprec(const iv_range_value *v, const iv_graded *g, size_t least, size_t most);

/*
 * nDCG over the grades given, ascending.  room: iv_bounds_ndcg_room() doubles.
 */
size_t iv_bounds_ndcg_room(size_t n, size_t judged);
iv_limits iv_bounds_ndcg(const iv_range_value *v, const iv_graded *g,
                         const int32_t *grades, size_t grade_count, double *room);

/*
 * The expected value over the orders within groups.  g has each group in the
 * order that gives the highest value, which is `highest`.  room: n + 1 doubles.
 */
double iv_expected(const iv_range_value *v, const iv_graded *g, double highest, double *room);

/*
 * How far a topic's values could be: over what its unjudged documents might
 * turn out to be (bounds), and over the orders of tied documents (ties).
 */

/* The memory that this reuses; one a thread. */
typedef struct iv_ranges iv_ranges;

/* The arena's; NULL when memory is out.  The measures and the scorer must outlive it; the scorer is
 * used. */
iv_ranges *iv_ranges_new(iv_arena *own, const iv_measures *m, iv_scorer *scorer, int32_t largest);

/* Fill one entry a value; row holds the topic's values as scored. */
int iv_ranges_bounds(iv_limits *out, iv_ranges *r, const iv_joined *topic,
                     const double *row, iv_err *err);
int iv_ranges_ties(iv_interval *out, iv_ranges *r, const iv_joined *topic,
                   const double *row, iv_err *err);

/* Where nothing can change: the value itself, or NaN for other measures. */
void iv_ranges_fixed(iv_limits *bounds, iv_interval *ties, const iv_ranges *r, size_t i,
                     double value);

#endif
