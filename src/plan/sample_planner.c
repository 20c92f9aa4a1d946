/* SPDX-License-Identifier: Apache-2.0 */
/* What a plan knows: the frame, the pilot's judgments, what each run gains. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/budget_parts.h"

static int no_memory(iv_err *err)
{
    return iv_fail(err, IV_ENOMEM, "out of memory for a plan");
}

void iv_planner_free(iv_sample_planner *p)
{
    for (size_t t = 0; t < p->topics; t++) {
        if (p->u != NULL)
            free(p->u[t]);
        if (p->weight != NULL)
            free(p->weight[t]);
    }
    free(p->u);
    free(p->weight);
    free(p->ap);
    iv_known_frame_free(p->known);
    iv_frame_free(p->frame);
}

int iv_planner_scheme(iv_scheme **out, const iv_sample_planner *p, size_t topic,
                      size_t budget, iv_err *err)
{
    const iv_known_topic *t = &p->known->topics[topic];
    double *weights = malloc((t->count + 1) * sizeof *weights);

    if (weights == NULL)
        return no_memory(err);
    for (size_t d = 0; d < t->count; d++)
        weights[d] = t->documents[d].weight;
    const int rc = iv_scheme_stevens_of(out, weights, t->count,
                                        budget < t->count ? budget : t->count, err);
    free(weights);
    return rc;
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
    double *pi = malloc((n + 1) * sizeof *pi), *rank = malloc((n + 1) * sizeof *rank);
    int32_t *grade = malloc((n + 1) * sizeof *grade);
    uint32_t *bucket = malloc((n + 1) * sizeof *bucket);
    uint32_t *found = malloc((n + 1) * sizeof *found);
    uint32_t *place = malloc((t->count + 1) * sizeof *place);
    int rc = IV_OK;

    p->u[topic] = malloc((p->runs * n + 1) * sizeof(double));
    p->weight[topic] = malloc((n + 1) * sizeof(double));
    if (pi == NULL || rank == NULL || grade == NULL || bucket == NULL || found == NULL
        || place == NULL || p->u[topic] == NULL || p->weight[topic] == NULL) {
        rc = no_memory(err);
        goto done;
    }
    for (size_t k = 0; k < n; k++) {
        p->weight[topic][k] = t->weight[t->known[k]];
        pi[k] = 1.0 / p->weight[topic][k];
        grade[k] = 1;
        bucket[k] = IV_FIXED;
        place[t->known[k]] = (uint32_t)k;
        p->complete = p->complete && pi[k] == 1.0;
    }
    for (size_t r = 0; r < p->runs; r++) {
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
done:
    free(pi);
    free(rank);
    free(grade);
    free(bucket);
    free(found);
    free(place);
    return rc;
}

int iv_planner_new(iv_sample_planner *p, const iv_run *const *runs, size_t count,
                   const iv_sampling *judged, const iv_sample_plan_options *o,
                   const iv_work *work, iv_err *err)
{
    const iv_frame_options how = { .depth = o->depth };
    iv_scheme *independent = NULL;

    *p = (iv_sample_planner){ .options = *o, .work = work, .runs = count, .complete = true };
    int rc = iv_frame_new(&p->frame, runs, count, &how,
                          iv_work_part(&p->stage, work, 0.0, 0.1), err);
    if (rc == IV_OK)
        rc = iv_known_frame_new(&p->known, p->frame, judged, runs, count, true,
                                &(iv_work){ .threads = iv_work_threads(work) }, err);
    if (rc == IV_OK)
        rc = iv_scheme_independent(&independent, err);
    if (rc != IV_OK)
        return rc;
    p->topics = p->known->topic_count;
    p->u = calloc(p->topics + 1, sizeof(double *));
    p->weight = calloc(p->topics + 1, sizeof(double *));
    p->ap = calloc(p->runs * p->topics + 1, sizeof *p->ap);
    if (p->u == NULL || p->weight == NULL || p->ap == NULL)
        rc = no_memory(err);
    for (size_t t = 0; t < p->topics && rc == IV_OK; t++) {
        const size_t n = p->known->topics[t].count;
        p->largest = n > p->largest ? n : p->largest;
        rc = contribute(p, t, independent, err);
    }
    iv_scheme_free(independent);
    return rc;
}
