/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "design/inquiry_parts.h"
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
    iv_prior prior = { .by_rank = true };
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

/* The depth that all of the runs have on a topic. */
static uint32_t common_depth(const iv_inquiry_topic *x, size_t count)
{
    uint32_t least = UINT32_MAX;

    for (size_t r = 0; r < count; r++) {
        uint32_t deepest = 0;
        for (size_t i = 0; i < x->documents; i++)
            deepest = x->rank[r * x->all + i] > deepest ? x->rank[r * x->all + i] : deepest;
        least = deepest < least ? deepest : least;
    }
    return least;
}

static void fill_documents(iv_inquiry_topic *x, const iv_pooled *p, size_t t, const size_t *runs,
                           size_t count, const iv_inquiry_options *o, const signed char *judged)
{
    const size_t topic = o->machine != NULL
        ? iv_judgments_find_topic(o->machine, iv_pooled_topic(p, t)) : IV_NONE;
    size_t k = 0;

    for (size_t i = 0; i < iv_pooled_documents(p, t); i++) {
        if (!returned(p, t, runs, count, i))
            continue;
        if (o->machine != NULL) {
            const iv_judgment *j = topic == IV_NONE ? NULL
                : iv_judgments_find(o->machine, topic, iv_pooled_docno(p, t, i));
            x->label[k] = j == NULL ? UINT32_MAX : j->grade < 0 ? 0 : (uint32_t)j->grade;
        }
        x->pooled[k] = (uint32_t)i;
        x->allowed[k] = true;
        for (size_t r = 0; r < count; r++)
            x->rank[r * x->all + k] = iv_pooled_ranks(p, t, runs[r])[i];
        x->known[k] = judged == NULL ? -1 : judged[i];
        k++;
    }
    for (; k < x->all; k++) {
        x->known[k] = 1;
        x->allowed[k] = false;
    }
    x->depth = o->union_only ? UINT32_MAX : common_depth(x, count);
}

/* The relevance of a document that nobody judged. */
static double relevance_of(const iv_inquiry_topic *x, size_t runs, size_t d, const iv_learnt *l,
                           const iv_prior *prior)
{
    const uint32_t best = iv_inquiry_topic_best(x, runs, d);

    if (best > x->depth)
        return 0.0;
    if (l->label != NULL && x->label[d] != UINT32_MAX)
        return l->label[x->label[d]];
    if (prior->by_rank)
        return iv_rank_relevance_at(&prior->curve, best);
    return prior->relevance > 0.0 ? prior->relevance
        : l->curve.judged > 0 ? iv_rank_relevance_at(&l->curve, best) : 0.5;
}

int iv_inquiry_topic_believe(iv_inquiry_topic *x, const iv_learnt *l, size_t runs,
                             const iv_inquiry_options *o, iv_err *err)
{
    iv_arena scratch = { 0 };
    double *relevance = iv_take(&scratch, x->all + 1, sizeof *relevance);
    const uint32_t **ranks = iv_take(&scratch, runs, sizeof *ranks);
    iv_ap_belief *belief = NULL;
    int rc = iv_taken(&scratch, err);

    for (size_t d = 0; d < x->all && rc == IV_OK; d++)
        relevance[d] = x->known[d] >= 0 ? x->known[d] : relevance_of(x, runs, d, l, &o->prior);
    for (size_t r = 0; r < runs && rc == IV_OK; r++) {
        for (size_t d = 0; d < x->all; d++) {
            const uint32_t rank = x->rank[r * x->all + d];
            x->counted[r * x->all + d] = x->known[d] >= 0 || rank <= x->depth ? rank : 0;
        }
        ranks[r] = x->counted + r * x->all;
    }
    if (rc == IV_OK)
        rc = iv_ap_belief_make(&belief, ranks, runs, relevance, x->all, o->order_only, err);
    if (rc == IV_OK) {
        if (runs > 2) /* a pair is what it is without other runs */
            iv_ap_belief_restrict(belief, o->union_only);
        iv_ap_belief_free(x->belief);
        x->belief = belief;
    }
    iv_arena_free(&scratch);
    return rc;
}

int iv_inquiry_topic_fill(iv_inquiry_topic *out, const iv_pooled *p, size_t t,
                          const size_t *runs, size_t count, const iv_inquiry_options *options,
                          iv_err *err)
{
    const signed char *judged = options->forget ? NULL : iv_pooled_judged(p, t);
    size_t elsewhere = 0;

    out->documents = count_documents(&elsewhere, p, t, runs, count, judged);
    elsewhere += options->forget ? 0 : iv_pooled_outside(p, t);
    out->all = out->documents + (options->union_only ? 0 : elsewhere);
    out->pooled = iv_take(&out->memory, out->documents + 1, sizeof *out->pooled);
    out->rank = iv_take(&out->memory, count * out->all + 1, sizeof *out->rank);
    out->allowed = iv_take(&out->memory, out->all + 1, sizeof *out->allowed);
    out->known = iv_take(&out->memory, out->all + 1, sizeof *out->known);
    out->counted = iv_take(&out->memory, count * out->all + 1, sizeof *out->counted);
    if (options->machine != NULL)
        out->label = iv_take(&out->memory, out->documents + 1, sizeof *out->label);
    IV_TRY(iv_taken(&out->memory, err));
    fill_documents(out, p, t, runs, count, options, judged);
    return IV_OK;
}

void iv_inquiry_topic_clear(iv_inquiry_topic *x)
{
    iv_arena_free(&x->memory);
    iv_ap_belief_free(x->belief);
    *x = (iv_inquiry_topic){ 0 };
}

bool iv_inquiry_topic_deeper(const iv_inquiry_topic *x, size_t runs, size_t document)
{
    for (size_t r = 0; r < runs; r++)
        if (x->rank[r * x->all + document] > x->depth)
            return true;
    return false;
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
