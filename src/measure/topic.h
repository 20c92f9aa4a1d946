/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One topic of a run as the measures read it: ranks, grades, gains.
 *
 * Most retrieved documents were never judged, so only the judged ones are kept with their ranks,
 * and from those the relevant ones at each requested level and the gains of each gain table.
 */
#ifndef IV_MEASURE_TOPIC_H
#define IV_MEASURE_TOPIC_H

#include <math.h>

#include "base/memory.h"
#include "intervale/measure.h"
#include "intervale/trec/relevance_judgments.h"
#include "intervale/trec/topic_join.h"

/* A retrieved document that the judgments list; grade < 0: not judged. */
typedef struct iv_listed_hit {
    uint32_t rank; /* from 1 */
    int32_t grade;
} iv_listed_hit;

/* The documents retrieved: all of them, or only the judged ones. */
typedef struct iv_ranking {
    size_t retrieved;
    iv_listed_hit *hits; /* by rank; one with rank 0 follows the last */
    size_t hit_count;
    size_t judged; /* of those, with a grade from 0 */
} iv_ranking;

/* How many documents were judged at each grade from 0, highest first; a list of them ends with 0
 * documents. */
typedef struct iv_level {
    int32_t grade;
    uint32_t count;
} iv_level;

/* A ranking as a binary measure sees it. */
typedef struct iv_view {
    int32_t level;
    bool judged_only;
    const iv_ranking *ranking;
    size_t relevant;  /* R: judged at the level or above, retrieved or not */
    size_t found;     /* of those, retrieved */
    uint32_t *rank;   /* their ranks, ascending */
    uint32_t *listed; /* documents above them that the judgments list */
    uint32_t *judged; /* documents above them that were judged */
    double *sum;      /* sum[k]: of the precisions at the first k of them */
} iv_view;

/* A grade and its gain. */
typedef struct iv_grade_gain {
    int32_t grade;
    double gain;
} iv_grade_gain;

/* A ranking as nDCG and its kin see it. */
typedef struct iv_gains {
    const iv_grade_gain *pair; /* gains that are not the grade's own */
    size_t pair_count;
    bool exponential, judged_only;
    const iv_ranking *ranking;
    size_t found;      /* retrieved with a gain other than 0 */
    uint32_t *rank;
    double *gain;
    double *dcg;       /* dcg[k]: over the first k of them */
    size_t ideal;      /* judged with a gain above 0 */
    double *ideal_gain; /* descending */
    double *ideal_dcg; /* ideal_dcg[k]: over the first k */
} iv_gains;

/* A topic of several groups; see judges.h. */
typedef struct iv_judges iv_judges;

/* What a measure reads. */
typedef struct iv_topic {
    const iv_measure_options *options;
    int32_t largest_grade; /* of all judgments */
    bool missing;          /* the run does not have the topic */
    const iv_level *levels;
    const iv_view *view;
    const iv_gains *gains;  /* NULL unless IV_READS_GAINS */
    const iv_judges *panel;  /* NULL unless IV_READS_GROUPS or IV_READS_PREFS */
    const double *powers;   /* powers[k] = p^k, if IV_READS_POWERS */
    const double *log2;     /* log2[k] = log2(k), 1 <= k < log2_count */
    size_t log2_count;
    char *text;             /* room for what a text measure writes */
} iv_topic;

/* The gain of a grade; a document that was not judged has none. */
double iv_gain_of(const iv_grade_gain *pair, size_t count, bool exponential,
                  int32_t grade);

/* The steps of preparing a topic. */

/* Lists the judged documents of a ranking; r->hits has room for the hits, and one more. */
void iv_list_hits(iv_ranking *r, const iv_joined *topic, size_t depth);

/* The ranking without its unjudged documents; r->hits: all->hit_count + 1. */
void iv_keep_judged_hits(iv_ranking *r, const iv_ranking *all);

/* l: the judgments, and one more. */
void iv_count_levels(iv_level *l, const iv_judgment *judged, size_t count);

/* Both take their arrays from the arena, which tells when memory is out: then nothing is filled.
 * log2_of[k] = log2(k) for ranks and judgments + 1. */
void iv_fill_view(iv_view *v, iv_arena *arena, const iv_ranking *r, const iv_level *l);
void iv_fill_gains(iv_gains *g, iv_arena *arena, const iv_ranking *r, const iv_level *l,
                   size_t judged, const double *log2_of);

#endif
