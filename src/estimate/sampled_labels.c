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

/* What one value is made of. */
typedef struct asked_value {
    const iv_topic_at_work *t;
    iv_sampled_worker *w;
    const iv_sampled_value *v;
    iv_labelled_ranking ranking;
    size_t level, levels;
    double gain[IV_LEVELS_MAX]; /* of nDCG */
} asked_value;

/* The value with these totals, of the levels from a->level on. */
static bool value_with(double *value, const asked_value *a, const double *total)
{
    iv_sampled_worker *w = a->w;
    const iv_rectified_topic *l = &w->task->rectified->topics[a->t->topic];
    const iv_even_labels x = iv_even_labels_of(l, a->level, total);

    switch (a->v->kind) {
    case IV_SAMPLED_AP:
        *value = iv_rectified_ap(w->change, &x, &a->ranking, a->v->cutoff);
        return true;
    case IV_SAMPLED_P:
        *value = iv_rectified_found(w->change, x.x, l->count, (double)a->v->cutoff, &a->ranking,
                                    (double)a->v->cutoff);
        return true;
    case IV_SAMPLED_RECALL:
        *value = iv_rectified_recall(w->change, &x, &a->ranking, a->v->cutoff);
        return true;
    case IV_SAMPLED_RPREC:
        *value = iv_rectified_rprec(w->change, &x, &a->ranking);
        return true;
    case IV_SAMPLED_NDCG:
        return iv_rectified_ndcg(value, w->change, &x, a->levels, a->gain, &a->ranking,
                                 a->v->cutoff, &w->discounts);
    case IV_SAMPLED_NUM_REL:
        *value = fmax(l->sum[a->level], l->found[a->level]);
        for (size_t d = 0; d < l->count; d++)
            w->change[d] = 1.0;
        return true;
    default:
        *value = iv_rectified_found(w->change, x.x, l->count, 1.0, &a->ranking, 0.0);
        return true;
    }
}

bool iv_rectified_value(iv_estimate *e, size_t *levels, const iv_topic_at_work *t,
                        iv_sampled_worker *w, const iv_sampled_value *v, size_t level)
{
    const iv_rectified *all = w->task->rectified;
    const iv_rectified_topic *l = &all->topics[t->topic];
    asked_value a = { t, w, v, labelled(t, w), level, 1, { 0 } };
    double total[IV_LEVELS_MAX], high = 0.0, low = 0.0;

    if (v->kind == IV_SAMPLED_NDCG) {
        a.levels = all->levels;
        for (size_t h = 0; h < all->levels; h++)
            a.gain[h] = iv_measures_gain(w->task->measures, v->asked, all->grade[h])
                - (h > 0 ? iv_measures_gain(w->task->measures, v->asked, all->grade[h - 1]) : 0.0);
    }
    *levels = a.levels;
    for (size_t h = 0; h < a.levels; h++)
        total[h] = iv_rectified_least(l, level + h, v->kind == IV_SAMPLED_NDCG);
    bool good = value_with(&high, &a, total);
    for (size_t h = 0; h < a.levels; h++)
        total[h] = iv_rectified_most(l, level + h, v->kind == IV_SAMPLED_NDCG);
    good = good && value_with(&low, &a, total);
    good = good && value_with(&e->value, &a, l->total + level);
    e->too_low = fmax(0.0, fmax(high, low) - e->value);
    e->too_high = fmax(0.0, e->value - fmin(high, low));
    return good;
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
