/* SPDX-License-Identifier: Apache-2.0 */
/* What a pilot's own estimates say of their noise: the formula is made to agree at its size. */
#include <math.h>

#include "design/sampling_state.h"
#include "plan/budget_parts.h"

static bool is_planned(const iv_sample_planner *p, iv_str topic)
{
    for (size_t t = 0; t < p->topics; t++)
        if (iv_str_eq(p->known->topics[t].id, topic))
            return true;
    return false;
}

/* A topic's standard error, typical over runs and topics; one whose noise is not known adds
 * nothing. */
static double error_seen(const iv_sample_planner *p, const iv_evaluation *e)
{
    const iv_evaluated *v = iv_evaluation_view(e);
    double sum = 0.0;

    for (size_t t = 0; t < v->topic_count; t++)
        for (size_t r = 0; r < p->runs && is_planned(p, v->topics[t]); r++) {
            const double variance = iv_evaluation_value(e, r, 0, t).variance;
            sum += isfinite(variance) ? variance : 0.0;
        }
    return sqrt(sum / (double)(p->runs * p->topics));
}

/* Judged documents of a topic, on average. */
static size_t size_of_pilot(const iv_sample_planner *p)
{
    size_t judged = 0;

    for (size_t t = 0; t < p->topics; t++)
        for (size_t d = 0; d < p->known->topics[t].count; d++)
            judged += p->known->topics[t].weight[d] > 0.0;
    return (size_t)fmax(1.0, round((double)judged / (double)p->topics));
}

int iv_planner_anchor(iv_sample_planner *p, const iv_run *const *runs, const iv_sampling *judged,
                      iv_err *err)
{
    static const char *const measures[] = { "AP" };
    const iv_evaluating how = {
        .measures = { measures, 1 }, .unjudged = judged->unjudged, .complete = true,
        .interval = IV_INTERVAL_NONE };
    const iv_source from = { .judged = iv_sampling_judgments(judged), .ranked = runs,
                             .ranked_count = p->runs };
    iv_evaluation *e = NULL;
    iv_spread formula;
    double unused;

    IV_TRY(iv_planner_predict(&formula, &unused, p, IV_GOAL_TOPIC, false, IV_NONE, size_of_pilot(p),
                              err));
    IV_TRY(iv_evaluate(&e, &from, &how, &p->stage.work, err));
    const double seen = error_seen(p, e);
    if (formula.typical > 0.0 && seen > 0.0)
        p->anchor = seen / formula.typical;
    iv_evaluation_free(e);
    return IV_OK;
}
