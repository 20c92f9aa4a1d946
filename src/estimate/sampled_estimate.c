/* SPDX-License-Identifier: Apache-2.0 */
/* Every measure of one topic of one run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "design/sampling_state.h"
#include "estimate/evaluation_parts.h"
#include "measure/measure_private.h"
#include "trec/trec_private.h"

/* ------------------------------------------------------------- workspace -- */

static void largest_sizes(iv_sampled_worker *w, size_t *buckets, int32_t *grade)
{
    const iv_judgments *j = w->task->judgments;

    *buckets = 0;
    *grade = 0;
    for (size_t t = 0; t < iv_judgments_topics(j); t++) {
        const iv_sampling_topic s = iv_sampling_topic_at(w->task->sampling, t);
        const size_t n = s.scheme->buckets;
        w->capacity = s.count > w->capacity ? s.count : w->capacity;
        *buckets = n > *buckets ? n : *buckets;
        for (size_t i = 0; i < s.count; i++)
            *grade = s.grade[i] > *grade ? s.grade[i] : *grade;
    }
}

int iv_sampled_worker_start(iv_sampled_worker *w, const iv_task *task, iv_err *err)
{
    const size_t complete = task->measures == NULL ? 0 : iv_measures_count(task->measures);
    size_t buckets;
    int32_t grade;

    *w = (iv_sampled_worker){ .task = task };
    int rc = iv_join_new(&w->join, err);
    if (rc == IV_OK && complete > 0)
        rc = iv_scorer_new(&w->scorer, task->measures, task->largest, err);
    if (rc != IV_OK)
        return rc;
    largest_sizes(w, &buckets, &grade);
    w->grades = (size_t)grade;
    const size_t n = w->capacity + 1;
    w->u = iv_take(&w->memory, n, sizeof *w->u);
    w->gain = iv_take(&w->memory, n, sizeof *w->gain);
    w->rank = iv_take(&w->memory, n, sizeof *w->rank);
    w->found = iv_take(&w->memory, n, sizeof *w->found);
    w->order = iv_take(&w->memory, n, sizeof *w->order);
    w->sums = iv_take(&w->memory, buckets + 1, sizeof *w->sums);
    w->strata = iv_take(&w->memory, buckets + 1, sizeof *w->strata);
    w->grade_count = iv_take(&w->memory, w->grades + 1, sizeof *w->grade_count);
    w->complete = iv_take(&w->memory, complete + 1, sizeof *w->complete);
    return iv_taken(&w->memory, err);
}

void iv_sampled_worker_end(iv_sampled_worker *w)
{
    iv_scorer_free(w->scorer);
    iv_join_free(w->join);
    iv_arena_free(&w->memory);
    free(w->hits);
    free(w->beyond);
    free(w->discounts.sum);
}

/* ------------------------------------------------------- the ranking seen -- */

static void look_at_ranking(iv_sampled_worker *w)
{
    size_t found = 0;
    const size_t depth = w->task->estimated->depth;

    w->retrieved = w->joined.hit_count < depth ? w->joined.hit_count : depth;
    for (size_t r = 0; r < w->retrieved; r++) {
        const iv_judgment *j = w->joined.hits[r].judgment;
        if (j == NULL || !(w->sample.pi[j - w->sample.judgments] > 0.0))
            continue;
        w->found[found] = (uint32_t)(j - w->sample.judgments);
        w->rank[found++] = (double)r + 1.0;
    }
    w->view = (iv_sampled_view){ w->sample.pi, w->sample.grade, w->sample.bucket,
                                 w->sample.count, w->sample.scheme, w->found, w->rank, found,
                                 1 };
}

/* Were all documents of a bucket to be judged? */
static bool is_certain(const iv_sampled_worker *w, uint32_t bucket)
{
    return bucket == IV_FIXED || w->sample.scheme->bucket[bucket].pi == 1.0;
}

/* Were all of the first k documents judged for certain? */
static bool top_is_certain(const iv_sampled_worker *w, size_t k)
{
    const size_t end = w->retrieved < k ? w->retrieved : k;
    size_t certain = 0;

    for (size_t i = 0; i < w->view.found_count && w->rank[i] <= (double)k; i++)
        certain += w->sample.pi[w->found[i]] == 1.0;
    for (size_t r = 0; r < end && w->sample.absent_count > 0; r++) {
        const size_t at = iv_sampling_absent(w->task->sampling, w->topic, w->joined.hits[r].docno);
        certain += at != SIZE_MAX && is_certain(w, w->sample.absent[at].bucket);
    }
    return certain == end;
}

/* ------------------------------------------------- outside of the frame -- */

/* w->beyond[k]: of the first k documents, those that could not be drawn; to the frame's depth or
 * the deepest cut-off. */
static int count_beyond(iv_sampled_worker *w, iv_err *err)
{
    const iv_sampling *s = w->task->sampling;
    const iv_framed_document *unused;
    size_t end = s->noted.depth;

    w->frame_known = iv_sampling_frame(&unused, s, w->topic) > 0;
    for (size_t i = 0; i < w->task->estimated->count; i++)
        end = w->task->estimated->values[i].cutoff > end ? w->task->estimated->values[i].cutoff
        : end;
    end = w->retrieved < end ? w->retrieved : end;
    if (!IV_ROOM(w->beyond, w->beyond_capacity, end + 1))
        return iv_no_memory(err);
    w->beyond[0] = 0;
    for (size_t k = 0; k < end && w->frame_known; k++)
        w->beyond[k + 1] = w->beyond[k]
            + !iv_sampling_covers(s, w->topic, &w->joined.hits[k]);
    return IV_OK;
}

static void put_outside(iv_estimate *e, const iv_sampled_worker *w, const iv_sampled_value *v)
{
    const size_t to = v->cutoff > 0 ? v->cutoff : w->task->sampling->noted.depth;

    if (!w->frame_known || v->kind == IV_SAMPLED_NUM_REL || v->kind == IV_SAMPLED_NUM_RET
        || v->kind == IV_SAMPLED_INUM_REL)
        return;
    e->looked = (uint32_t)(to < w->retrieved ? to : w->retrieved);
    e->outside = w->beyond[e->looked];
}

/* --------------------------------------------------- TREC's own estimates -- */

static iv_inferred_stratum *stratum_of(iv_sampled_worker *w, uint32_t b)
{
    return &w->strata[b == IV_FIXED ? w->sample.scheme->buckets : b];
}

/*
 * Documents of each grade, as many as are estimated.  infNDCG rounds them, so
 * that a half must be one: counted by stratum, not added up from 1/pi.
 */
static void count_grades(iv_sampled_worker *w)
{
    const size_t strata = w->sample.scheme->buckets + 1;

    memset(w->grade_count, 0, (w->grades + 1) * sizeof *w->grade_count);
    for (size_t i = 0; i < w->sample.count; i++) {
        const int32_t g = w->sample.grade[i];
        if (!(w->sample.pi[i] > 0.0) || g <= 0 || w->grade_count[g - 1] > 0.0)
            continue;
        for (size_t b = 0; b < strata; b++)
            w->strata[b].relevant = 0.0;
        for (size_t k = i; k < w->sample.count; k++)
            if (w->sample.pi[k] > 0.0 && w->sample.grade[k] == g)
                stratum_of(w, w->sample.bucket[k])->relevant += 1.0;
        for (size_t b = 0; b < strata; b++)
            if (w->strata[b].relevant > 0.0)
                w->grade_count[g - 1] += w->strata[b].relevant * w->strata[b].size
                    / w->strata[b].sampled;
    }
}

/* Strata of the scheme, and one more for what is judged for certain. */
static void prepare_strata(iv_sampled_worker *w)
{
    const size_t buckets = w->sample.scheme->buckets;

    for (size_t b = 0; b < buckets; b++) {
        const iv_bucket *x = &w->sample.scheme->bucket[b];
        const size_t moved = w->sample.moved != NULL ? w->sample.moved[b] : 0;
        w->strata[b] = (iv_inferred_stratum){ .size = (double)(x->size - moved) };
    }
    w->strata[buckets] = (iv_inferred_stratum){ .size = 0.0 };
    for (size_t i = 0; i < w->sample.count; i++) {
        if (!(w->sample.pi[i] > 0.0))
            continue;
        stratum_of(w, w->sample.bucket[i])->sampled += 1.0;
        w->strata[buckets].size += w->sample.bucket[i] == IV_FIXED;
    }
    for (size_t i = 0; i < w->sample.absent_count; i++) {
        stratum_of(w, w->sample.absent[i].bucket)->sampled += 1.0;
        w->strata[buckets].size += w->sample.absent[i].bucket == IV_FIXED;
    }
    count_grades(w);
    w->stratum_count = buckets + (w->strata[buckets].size > 0.0);
}

/* A document of the ranking as the strata see it; false: it is in none. */
static bool see_hit(iv_inferred_hit *out, const iv_sampled_worker *w, size_t r)
{
    const iv_hit *h = &w->joined.hits[r];
    const uint32_t fixed = (uint32_t)w->sample.scheme->buckets;
    uint32_t stratum = IV_FIXED;
    int32_t grade = -1;

    if (h->judgment != NULL) {
        const size_t i = (size_t)(h->judgment - w->sample.judgments);
        stratum = w->sample.bucket[i];
        if (w->sample.pi[i] > 0.0)
            grade = w->sample.grade[i];
    } else {
        const size_t at = iv_sampling_absent(w->task->sampling, w->topic, h->docno);
        grade = at != SIZE_MAX ? 0 : -1;
        stratum = at != SIZE_MAX ? w->sample.absent[at].bucket
                                 : iv_sampling_rest(w->task->sampling, w->topic, h->docno);
    }
    if (stratum == IV_FIXED && grade < 0)
        return false;
    *out = (iv_inferred_hit){ r + 1, stratum == IV_FIXED ? fixed : stratum, grade };
    return true;
}

static int prepare_inferred(iv_sampled_worker *w, iv_err *err)
{
    size_t count = 0;

    prepare_strata(w);
    if (!IV_ROOM(w->hits, w->hit_capacity, w->retrieved + 1))
        return iv_no_memory(err);
    for (size_t r = 0; r < w->retrieved; r++)
        count += see_hit(&w->hits[count], w, r);
    w->hit_count = count;
    w->inferred_ready = true;
    return IV_OK;
}

static int infer(iv_estimate *e, iv_sampled_worker *w, const iv_sampled_value *v, iv_err *err)
{
    IV_TRY(w->inferred_ready ? IV_OK : prepare_inferred(w, err));
    w->view.level = v->level;
    w->relevant = iv_sampled_total(NULL, &w->view);
    e->value = iv_inferred(w, v->kind, v->cutoff);
    e->variance = (double)NAN;
    return IV_OK;
}

/* --------------------------------------------------- from probabilities -- */

static bool ndcg(double *value, iv_sampled_worker *w, const iv_sampled_value *v)
{
    for (size_t i = 0; i < w->sample.count; i++)
        w->gain[i] = iv_measures_gain(w->task->measures, v->asked, w->sample.grade[i]);
    return iv_sampled_ndcg(value, w->u, &w->view, w->gain, v->cutoff, &w->discounts,
                           w->order);
}

/* Value and u of a measure with relevant documents in the sample. */
static bool value_of(double *value, iv_sampled_worker *w,
                     const iv_sampled_value *v, double total)
{
    const double cutoff = (double)v->cutoff;

    switch (v->kind) {
    case IV_SAMPLED_AP:
        *value = iv_sampled_ap(w->u, &w->view, total, v->cutoff, w->task->how.estimator);
        return true;
    case IV_SAMPLED_P:
        *value = iv_sampled_found(w->u, &w->view, cutoff, cutoff);
        return true;
    case IV_SAMPLED_RECALL:
        *value = iv_sampled_recall(w->u, &w->view, total, v->cutoff);
        return true;
    case IV_SAMPLED_RPREC:
        *value = iv_sampled_rprec(w->u, &w->view, total);
        return true;
    case IV_SAMPLED_NDCG:
        return ndcg(value, w, v);
    case IV_SAMPLED_NUM_REL:
        *value = iv_sampled_total(w->u, &w->view);
        return true;
    default:
        *value = iv_sampled_found(w->u, &w->view, 0.0, 1.0);
        return true;
    }
}

/* Relevant documents drawn that the estimate varies with. */
static size_t drawn_relevant(const iv_sampled_worker *w, const iv_sampled_value *v)
{
    size_t count = 0;

    if (v->kind != IV_SAMPLED_P && v->kind != IV_SAMPLED_NUM_REL_RET)
        return iv_sampled_drawn(&w->view);
    for (size_t i = 0; i < w->sample.count; i++)
        count += w->u[i] != 0.0 && w->sample.pi[i] < 1.0;
    return count;
}

static double least_count(const iv_sampled_worker *w)
{
    double least = 0.0;

    for (size_t i = 0; i < w->sample.count; i++)
        least += w->u[i] != 0.0;
    return least;
}

static int estimate(iv_estimate *e, iv_sampled_worker *w, const iv_sampled_value *v, iv_err *err)
{
    memset(w->u, 0, w->sample.count * sizeof *w->u);
    w->view.level = v->level;
    if (v->kind == IV_SAMPLED_NUM_RET) {
        e->value = (double)w->retrieved;
        e->exact = true;
        return IV_OK;
    }
    const double total = iv_sampled_total(w->u, &w->view);
    if (!(total > 0.0)) {
        e->gap = IV_SAMPLED_NO_RELEVANT;
        return IV_OK;
    }
    if (!value_of(&e->value, w, v, total))
        return iv_no_memory(err);
    const double variance = v->kind == IV_SAMPLED_AP
            && w->task->how.estimator == IV_ESTIMATOR_PUBLISHED
        ? iv_sampled_printed_variance(w->u, &w->view, w->sample.absent_count)
        : iv_scheme_variance(w->sample.scheme, w->u, w->sample.pi, w->sample.bucket,
                             w->sample.count, w->sums);
    /* Less than rounding leaves, as when recall is 1 whatever is drawn, is 0. */
    const double dust = 1e-14 * fmax(1.0, fabs(e->value));
    e->variance = variance > dust * dust ? variance : 0.0;
    e->relevant = drawn_relevant(w, v);
    e->effective = iv_sampled_effective(w->u, &w->view);
    e->exact = v->kind == IV_SAMPLED_P && top_is_certain(w, v->cutoff);
    return IV_OK;
}

/* The interval of a topic; of the published estimate that of its paper, four standard errors. */
static void find_interval(iv_estimate *e, const iv_sampled_value *v, double least,
                          const iv_task *task)
{
    const bool published = task->how.estimator == IV_ESTIMATOR_PUBLISHED
        && v->kind == IV_SAMPLED_AP && !e->exact;

    iv_estimate_interval(e, v->count, least, task->how.resampling.confidence);
    if (!published || e->gap == IV_SAMPLED_NO_RELEVANT)
        return;
    e->gap = e->variance > 0.0 ? IV_SAMPLED_INTERVAL : IV_SAMPLED_NO_SPREAD;
    e->lower = e->variance > 0.0 ? e->value - 2.0 * sqrt(e->variance) : (double)NAN;
    e->upper = e->variance > 0.0 ? e->value + 2.0 * sqrt(e->variance) : (double)NAN;
}

/* ---------------------------------------------------------- the whole row -- */

static int score_certain(iv_sampled_worker *w, bool missing, iv_err *err)
{
    return missing ? iv_scorer_missing(w->complete, w->scorer, w->sample.judgments,
                                       w->sample.count, err)
                   : iv_scorer_topic(w->complete, w->scorer, &w->joined, err);
}

int iv_sampled_estimate(iv_estimate *row, double *u, iv_sampled_worker *w,
                        const iv_run *run, size_t run_topic, size_t topic, iv_err *err)
{
    const iv_sampled_measures *m = w->task->estimated;
    int rc = IV_OK;

    w->topic = topic;
    w->sample = iv_sampling_topic_at(w->task->sampling, topic);
    w->joined = (iv_joined){ 0 };
    w->inferred_ready = false;
    if (run_topic != IV_NONE)
        rc = iv_join_topic(&w->joined, w->join, run, run_topic, w->task->judgments, topic,
                           w->task->precision, err);
    if (rc == IV_OK) {
        look_at_ranking(w);
        rc = count_beyond(w, err);
    }
    if (rc == IV_OK && w->sample.certain && w->scorer != NULL)
        rc = score_certain(w, run_topic == IV_NONE, err);
    for (size_t i = 0; rc == IV_OK && i < m->count; i++) {
        const iv_sampled_value *v = &m->values[i];
        iv_estimate *e = &row[i];
        *e = (iv_estimate){ .value = 0.0 };
        rc = v->inferred ? infer(e, w, v, err) : estimate(e, w, v, err);
        if (!v->inferred && w->sample.certain) {
            e->value = w->complete[v->asked];
            e->variance = 0.0;
            e->exact = true;
        }
        if (run_topic == IV_NONE && !v->count && !v->inferred)
            e->exact = true; /* nothing retrieved is worth 0, whatever is judged */
        if (rc == IV_OK)
            find_interval(e, v, v->count ? least_count(w) : 0.0, w->task);
        put_outside(e, w, v);
        if (u != NULL && !v->inferred)
            memcpy(u + i * w->sample.count, w->u, w->sample.count * sizeof *u);
    }
    return rc;
}
