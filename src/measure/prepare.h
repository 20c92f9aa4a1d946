/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps of preparing a topic.  None allocates: the arrays they fill must
 * have room, for as many as named here.
 */
#ifndef IV_MEASURE_PREPARE_H
#define IV_MEASURE_PREPARE_H

#include "measure/topic.h"

/* r->seen: the hits, and one more. */
void iv_see(iv_ranking *r, const iv_joined *topic, size_t depth);

/* The ranking without its unjudged documents; r->seen: all->seen_count + 1. */
void iv_see_judged(iv_ranking *r, const iv_ranking *all);

/* l->level: the judgments. */
void iv_count_levels(iv_levels *l, const iv_judgment *judged, size_t count);

/* v->rank, v->listed, v->judged, v->sum: r->seen_count + 1. */
void iv_fill_view(iv_view *v, const iv_ranking *r, const iv_levels *l);

/*
 * g->rank, g->gain, g->dcg: r->seen_count + 1; g->ideal_*: the judgments + 1;
 * log2_of[k] = log2(k) for ranks and judgments + 1.
 */
void iv_fill_gains(iv_gains *g, const iv_ranking *r, const iv_levels *l,
                   const double *log2_of);

#endif /* IV_MEASURE_PREPARE_H */
