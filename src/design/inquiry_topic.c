/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "design/inquiry_parts.h"
#include "design/run_model.h"
#include "stat/incomplete/incomplete_parts.h"

/* The best rank of a document of the pool in any of its runs. */
static uint32_t best_in_pool(const iv_pooled *p, size_t t, size_t document)
{
    uint32_t best = 0;

    for (size_t r = 0; r < iv_pooled_runs(p); r++) {
        const uint32_t rank = iv_pooled_ranks(p, t, r)[document];
        if (rank != 0 && (best == 0 || rank < best))
            best = rank;
    }
    return best;
}

int iv_prior_by_rank(iv_prior *out, const iv_pooled *p, iv_err *err)
{
    const size_t n = iv_pooled_facts_of(p).judged;
    iv_arena scratch = { 0 };
    double *rank = iv_arena_alloc(&scratch, (n + 1) * sizeof *rank);
    bool *relevant = iv_arena_alloc(&scratch, (n + 1) * sizeof *relevant);
    iv_prior prior = { .model = IV_MODEL_INDEPENDENT, .by_rank = true };
    size_t k = 0;
    int rc = iv_taken(&scratch, err);

    for (size_t t = 0; t < iv_pooled_topics(p) && rc == IV_OK; t++) {
        const signed char *judged = iv_pooled_judged(p, t);
        for (size_t i = 0; i < iv_pooled_documents(p, t); i++) {
            if (judged[i] < 0)
                continue;
            rank[k] = best_in_pool(p, t, i);
            relevant[k++] = judged[i] == 1;
        }
    }
    if (rc == IV_OK)
        rc = iv_rank_relevance_fit(&prior.curve, rank, relevant, n, err);
    if (rc == IV_OK)
        *out = prior;
    iv_arena_free(&scratch);
    return rc;
}

static bool returned(const iv_pooled *p, size_t t, const size_t *runs, size_t count,
                     size_t document)
{
    for (size_t r = 0; r < count; r++) {
        if (iv_pooled_ranks(p, t, runs[r])[document] != 0)
            return true;
    }
    return false;
}

/* How many documents the runs return, and how many others are relevant. */
static size_t count_documents(size_t *elsewhere, const iv_pooled *p, size_t t,
                              const size_t *runs, size_t count, const signed char *judged)
{
    size_t n = 0;

    *elsewhere = 0;
    for (size_t i = 0; i < iv_pooled_documents(p, t); i++) {
        if (returned(p, t, runs, count, i))
            n++;
        else
            *elsewhere += judged != NULL && judged[i] == 1;
    }
    return n;
}

static void fill_documents(iv_inquiry_topic *x, double *relevance, const iv_pooled *p,
                           size_t t, const size_t *runs, size_t count,
                           const iv_inquiry_options *o, const signed char *judged)
{
    const bool machine = o->machine != NULL;
    const double largest = machine ? iv_largest_label(o->machine, o->scored) : 0.0;
    const size_t topic = machine ? iv_judgments_find_topic(o->machine, iv_pooled_topic(p, t))
                                 : IV_NONE;
    size_t k = 0;

    for (size_t i = 0; i < iv_pooled_documents(p, t); i++) {
        if (!returned(p, t, runs, count, i))
            continue;
        if (machine) {
            const double share = iv_label_share(o->machine, largest, topic, iv_pooled_docno(p, t, i));
            x->hint[k] = log(share / (1.0 - share)); /* NaN: no label */
        }
        x->pooled[k] = (uint32_t)i;
        x->allowed[k] = true;
        for (size_t r = 0; r < count; r++)
            x->rank[r * x->all + k] = iv_pooled_ranks(p, t, runs[r])[i];
        x->known[k] = judged == NULL ? -1 : judged[i];
        if (x->known[k] >= 0)
            relevance[k] = judged[i];
        else
            relevance[k] = o->prior.by_rank
                ? iv_rank_relevance_at(&o->prior.curve, best_in_pool(p, t, i))
                : o->prior.relevance;
        k++;
    }
    for (; k < x->all; k++) {
        relevance[k] = 1.0;
        x->known[k] = 1;
        x->allowed[k] = false;
    }
}

int iv_inquiry_topic_fill(iv_inquiry_topic *out, const iv_pooled *p, size_t t,
                          const size_t *runs, size_t count,
                          const iv_inquiry_options *options, const signed char *judged,
                          iv_err *err)
{
    size_t elsewhere = 0;
    iv_arena scratch = { 0 };

    judged = judged != NULL || options->forget ? judged : iv_pooled_judged(p, t);
    out->documents = count_documents(&elsewhere, p, t, runs, count, judged);
    elsewhere += options->forget ? 0 : iv_pooled_outside(p, t);
    out->all = out->documents + (options->union_only ? 0 : elsewhere);
    out->pooled = iv_take(&out->memory, out->documents + 1, sizeof *out->pooled);
    out->rank = iv_take(&out->memory, count * out->all + 1, sizeof *out->rank);
    out->allowed = iv_take(&out->memory, out->all + 1, sizeof *out->allowed);
    out->known = iv_take(&out->memory, out->all + 1, sizeof *out->known);
    out->chosen = iv_take(&out->memory, out->all + 1, sizeof *out->chosen);
    out->trait = iv_take(&out->memory, 3 * out->documents + 1, sizeof *out->trait);
    if (options->machine != NULL)
        out->hint = iv_take(&out->memory, out->all + 1, sizeof *out->hint);
    double *relevance = iv_arena_alloc(&scratch, (out->all + 1) * sizeof *relevance);
    const uint32_t **ranks = iv_arena_alloc(&scratch, count * sizeof *ranks);
    int rc = scratch.failed ? iv_no_memory(err) : iv_taken(&out->memory, err);
    if (rc == IV_OK) {
        fill_documents(out, relevance, p, t, runs, count, options, judged);
        for (size_t r = 0; r < count; r++)
            ranks[r] = out->rank + r * out->all;
    }
    if (rc == IV_OK && options->prior.model == IV_MODEL_RUNS) {
        iv_run_traits(out->trait, out, count); /* its belief is the model's */
    } else if (rc == IV_OK) {
        rc = iv_ap_belief_make(&out->belief, ranks, count, relevance, out->all,
                               options->order_only, err);
        if (rc == IV_OK && count > 2) /* a pair is what it is without other runs */
            iv_ap_belief_restrict(out->belief, options->union_only);
    }
    iv_arena_free(&scratch);
    return rc;
}

int iv_inquiry_topic_believe(iv_inquiry_topic *x, const iv_run_model *m, bool union_only,
                             bool forget, bool means_only, iv_err *err)
{
    iv_arena scratch = { 0 };
    double *relevance = iv_take(&scratch, x->all + 1, sizeof *relevance);
    const uint32_t **ranks = iv_take(&scratch, m->runs, sizeof *ranks);
    double *room = iv_take(&scratch, 4 * m->width, sizeof *room);
    iv_ap_belief *belief = NULL;
    int rc = iv_taken(&scratch, err);

    if (rc == IV_OK) {
        iv_run_model_relevance(relevance, m, x, forget, room);
        for (size_t r = 0; r < m->runs; r++)
            ranks[r] = x->rank + r * x->all;
        rc = iv_ap_belief_make(&belief, ranks, m->runs, relevance, x->all, means_only, err);
    }
    if (rc == IV_OK) {
        if (m->runs > 2)
            iv_ap_belief_restrict(belief, union_only);
        iv_ap_belief_free(x->belief);
        x->belief = belief;
    }
    iv_arena_free(&scratch);
    return rc;
}

void iv_inquiry_topic_clear(iv_inquiry_topic *x)
{
    iv_arena_free(&x->memory);
    iv_ap_belief_free(x->belief);
    *x = (iv_inquiry_topic){ 0 };
}

uint32_t iv_inquiry_topic_best(const iv_inquiry_topic *x, size_t count, size_t document)
{
    uint32_t best = 0;

    for (size_t r = 0; r < count; r++) {
        const uint32_t rank = x->rank[r * x->all + document];
        if (rank != 0 && (best == 0 || rank < best))
            best = rank;
    }
    return best;
}
