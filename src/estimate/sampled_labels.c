/* SPDX-License-Identifier: Apache-2.0 */
/* Measures of a topic of a run from rectified labels. */
#include <math.h>

#include "estimate/rectified.h"

/* The documents of the ranking that have labels. */
static iv_labelled_ranking labelled(const iv_topic_at_work *t, iv_sampled_worker *w)
{
    const iv_rectified_topic *l = &w->task->rectified->topics[t->topic];
    size_t n = 0;

    for (size_t r = 0; r < t->retrieved; r++) {
        const iv_hit *h = &t->joined.hits[r];
        size_t d = IV_NONE;
        if (h->judgment != NULL)
            d = l->document[h->judgment - t->sample.judgments];
        if (d == IV_NONE || d == UINT32_MAX)
            d = iv_sampling_frame_find(w->task->sampling, t->topic, h->docno);
        if (d == IV_NONE)
            continue;
        w->labelled[n] = (uint32_t)d;
        w->at[n++] = (double)r + 1.0;
    }
    return (iv_labelled_ranking){ w->labelled, w->at, n };
}

bool iv_rectified_value(double *value, size_t *levels, const iv_topic_at_work *t,
                            iv_sampled_worker *w, const iv_sampled_value *v, size_t level)
{
    const iv_rectified *all = w->task->rectified;
    const iv_rectified_topic *l = &all->topics[t->topic];
    const iv_labelled_ranking ranking = labelled(t, w);
    const double *x = l->x + level * l->count, total = l->total[level];
    const double share = l->share[level];
    double gain[IV_LEVELS_MAX];

    *levels = 1;
    switch (v->kind) {
    case IV_SAMPLED_AP:
        *value = iv_rectified_ap(w->change, x, l->count, total, share, &ranking, v->cutoff);
        return true;
    case IV_SAMPLED_P:
        *value = iv_rectified_found(w->change, x, l->count, (double)v->cutoff, &ranking,
                                    (double)v->cutoff);
        return true;
    case IV_SAMPLED_RECALL:
        *value = iv_rectified_recall(w->change, x, l->p + level * l->count, l->count, total,
                                     share, &ranking, v->cutoff);
        return true;
    case IV_SAMPLED_RPREC:
        *value = iv_rectified_rprec(w->change, x, l->count, total, share, &ranking);
        return true;
    case IV_SAMPLED_NDCG:
        for (size_t h = 0; h < all->levels; h++)
            gain[h] = iv_measures_gain(w->task->measures, v->asked, all->grade[h])
                - (h > 0 ? iv_measures_gain(w->task->measures, v->asked, all->grade[h - 1]) : 0.0);
        *levels = all->levels;
        return iv_rectified_ndcg(value, w->change, l->x, l->count, all->levels, gain, l->total,
                                 l->share, &ranking, v->cutoff, &w->discounts);
    case IV_SAMPLED_NUM_REL:
        *value = fmax(l->sum[level], l->found[level]);
        for (size_t d = 0; d < l->count; d++)
            w->change[d] = 1.0;
        return true;
    default:
        *value = iv_rectified_found(w->change, x, l->count, 1.0, &ranking, 0.0);
        return true;
    }
}

void iv_rectified_surprise(iv_sampled_worker *w, const iv_topic_at_work *t, size_t level, size_t levels)
{
    const iv_rectified *all = w->task->rectified;
    const iv_rectified_topic *l = &all->topics[t->topic];
    const size_t first = levels > 1 ? 0 : level;

    for (size_t i = 0; i < t->sample.count; i++) {
        const uint32_t d = l->document[i];
        w->u[i] = 0.0;
        for (size_t h = 0; h < levels && d != UINT32_MAX; h++)
            w->u[i] += w->change[h * l->count + d]
                * ((t->sample.grade[i] >= all->grade[first + h] ? 1.0 : 0.0)
                   - l->p[(first + h) * l->count + d]);
    }
}
