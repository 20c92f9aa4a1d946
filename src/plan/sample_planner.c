/* SPDX-License-Identifier: Apache-2.0 */
/* What a plan knows: the frame, the pilot's judgments, what each run gains. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/budget_parts.h"

void iv_planner_free(iv_sample_planner *p)
{
    iv_arena_free(&p->own);
    iv_known_frame_free(p->known);
    iv_frame_free(p->frame);
}

/*
 * What each known relevant document contributes to each run's average
 * precision on a topic: u, from the pilot's weights.
 */
static int contribute(iv_sample_planner *p, size_t topic, const iv_scheme *independent,
                      iv_err *err)
{
    const iv_known_topic *t = &p->known->topics[topic];
    const size_t n = t->known_count;
    double *pi = iv_take(&p->own, n, sizeof *pi), *rank = iv_take(&p->own, n, sizeof *rank);
    int32_t *grade = iv_take(&p->own, n, sizeof *grade);
    uint32_t *bucket = iv_take(&p->own, n, sizeof *bucket);
    uint32_t *found = iv_take(&p->own, n, sizeof *found);
    uint32_t *place = iv_take(&p->own, t->count, sizeof *place);

    p->u[topic] = iv_take(&p->own, p->runs * n, sizeof(double));
    p->weight[topic] = iv_take(&p->own, n, sizeof(double));
    IV_TRY(iv_taken(&p->own, err));
    for (size_t k = 0; k < n; k++) {
        p->weight[topic][k] = t->weight[t->known[k]];
        pi[k] = 1.0 / p->weight[topic][k];
        grade[k] = 1;
        bucket[k] = IV_FIXED;
        place[t->known[k]] = (uint32_t)k;
        p->complete = p->complete && pi[k] == 1.0;
    }
    for (size_t r = 0; r < p->runs && n > 0; r++) { /* of nothing relevant AP is 0 */
        const iv_frame_ranking *ranking = iv_known_ranking(p->known, r, topic);
        for (size_t k = 0; k < ranking->relevant_count; k++) {
            found[k] = place[ranking->document[ranking->relevant[k]]];
            rank[k] = ranking->rank[ranking->relevant[k]];
        }
        const iv_sampled_view v = { pi, grade, bucket, n, independent, found, rank,
                                    ranking->relevant_count, 1 };
        p->ap[r * p->topics + topic] = iv_sampled_ap(p->u[topic] + r * n, &v, t->total, 0,
                                                     IV_ESTIMATOR_CORRECTED);
    }
    return IV_OK;
}

int iv_planner_new(iv_sample_planner *p, const iv_run *const *runs, size_t count,
                   const iv_sampling *judged, const iv_sample_plan_options *o,
                   const iv_work *work, iv_err *err)
{
    const iv_frame_options how = { .depth = o->depth };
    iv_scheme *independent = NULL;

    *p = (iv_sample_planner){ .options = *o, .work = work, .runs = count, .complete = true,
                               .anchor = 1.0 };
    IV_TRY(iv_frame_new(&p->frame, runs, count, &how, iv_work_part(&p->stage, work, 0.0, 0.1),
                        err));
    IV_TRY(iv_known_frame_new(&p->known, p->frame, judged, runs, count,
                              o->goal != IV_GOAL_TOPIC, true,
                              iv_work_part(&p->stage, work, 0.1, 0.1), err));
    IV_TRY(iv_scheme_independent(&independent, err));
    (void)iv_own_scheme(&p->own, independent);
    p->topics = p->known->topic_count;
    p->planned = o->topics > 0 ? o->topics : p->topics;
    p->u = iv_take(&p->own, p->topics, sizeof(double *));
    p->weight = iv_take(&p->own, p->topics, sizeof(double *));
    p->ap = iv_take(&p->own, p->runs * p->topics, sizeof *p->ap);
    IV_TRY(iv_taken(&p->own, err));
    for (size_t t = 0; t < p->topics; t++) {
        const size_t n = p->known->topics[t].count;
        p->largest = n > p->largest ? n : p->largest;
        IV_TRY(contribute(p, t, independent, err));
    }
    return p->complete ? IV_OK : iv_planner_anchor(p, runs, judged, err);
}
