/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Active judging keeps the best candidate of each topic: a judgment makes only its
 * own topic's stale, so the next document costs one pass over one topic
 * and one look at the others.
 */
#include "active/judging_topics.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "intervale/trec/score_sources.h"
#include "stat/incomplete/rank_relevance.h"
#include "stat/pair_tests.h"
#include "trec/judgments.h"

#include <math.h>
#include <stdlib.h>

/* ------------------------------------------------------------- one topic -- */

/* The best rank of a document of the pool in any of its runs. */
static uint32_t best_in_pool(const iv_pooled *p, size_t t, size_t document)
{
    uint32_t best = 0;

    for (size_t r = 0; r < p->runs; r++) {
        const uint32_t rank = iv_pooled_ranks(p, t, r)[document];
        if (rank != 0 && (best == 0 || rank < best))
            best = rank;
    }
    return best;
}

int iv_prior_by_rank(iv_prior *out, const iv_pooled *p, iv_err *err)
{
    const size_t n = p->judged;
    iv_arena scratch = { 0 };
    double *rank = iv_arena_alloc(&scratch, (n + 1) * sizeof *rank);
    bool *relevant = iv_arena_alloc(&scratch, (n + 1) * sizeof *relevant);
    iv_prior prior = { .by_rank = true };
    size_t k = 0;
    int rc = iv_taken(&scratch, err);

    for (size_t t = 0; t < p->topics && rc == IV_OK; t++) {
        const signed char *judged = p->topic[t].judged;
        for (size_t i = 0; i < p->topic[t].documents; i++) {
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
    for (size_t i = 0; i < p->topic[t].documents; i++) {
        if (returned(p, t, runs, count, i))
            n++;
        else
            *elsewhere += judged != NULL && judged[i] == 1;
    }
    return n;
}

/* The depth that all of the runs have on a topic. */
static uint32_t common_depth(const iv_judging_topic *x, size_t count)
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

static void fill_documents(iv_judging_topic *x, const iv_pooled *p, size_t t, const size_t *runs,
                           size_t count, const iv_judging_options *o, const signed char *judged)
{
    const size_t topic = o->machine != NULL
        ? iv_judgments_find_topic(o->machine, p->topic[t].id) : IV_NONE;
    size_t k = 0;

    for (size_t i = 0; i < p->topic[t].documents; i++) {
        if (!returned(p, t, runs, count, i))
            continue;
        if (o->machine != NULL) {
            const iv_judgment *j = topic == IV_NONE ? NULL
                : iv_judgments_find(o->machine, topic, p->topic[t].docno[i]);
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
static double relevance_of(const iv_judging_topic *x, size_t runs, size_t d,
                           const iv_rank_relevance *curve, const double *label,
                           const iv_prior *prior)
{
    const uint32_t best = iv_judging_topic_best(x, runs, d);

    if (best > x->depth)
        return 0.0;
    if (label != NULL && x->label[d] != UINT32_MAX)
        return label[x->label[d]];
    if (prior->by_rank)
        return iv_rank_relevance_at(&prior->curve, best);
    return prior->relevance > 0.0 ? prior->relevance
        : curve != NULL && curve->judged > 0 ? iv_rank_relevance_at(curve, best) : 0.5;
}

int iv_judging_topic_believe(iv_judging_topic *x, const iv_rank_relevance *curve,
                             const double *label, size_t runs, const iv_judging_options *o,
                             iv_err *err)
{
    iv_arena scratch = { 0 };
    double *relevance = iv_take(&scratch, x->all + 1, sizeof *relevance);
    const uint32_t **ranks = iv_take(&scratch, runs, sizeof *ranks);
    iv_ap_belief *belief = NULL;
    int rc = iv_taken(&scratch, err);

    for (size_t d = 0; d < x->all && rc == IV_OK; d++)
        relevance[d] = x->known[d] >= 0 ? x->known[d]
            : relevance_of(x, runs, d, curve, label, &o->prior);
    for (size_t r = 0; r < runs && rc == IV_OK; r++) {
        for (size_t d = 0; d < x->all; d++) {
            const uint32_t rank = x->rank[r * x->all + d];
            x->counted[r * x->all + d] = x->known[d] >= 0 || rank <= x->depth ? rank : 0;
        }
        ranks[r] = x->counted + r * x->all;
    }
    if (rc == IV_OK)
        rc = iv_ap_belief_new(&belief, ranks, runs, relevance, x->all, o->order_only, err);
    if (rc == IV_OK) {
        if (runs > 2) /* a pair is about its own documents */
            iv_ap_belief_restrict(belief, o->union_only);
        iv_ap_belief_free(x->belief);
        x->belief = belief;
    }
    iv_arena_free(&scratch);
    return rc;
}

int iv_judging_topic_fill(iv_judging_topic *out, const iv_pooled *p, size_t t,
                          const size_t *runs, size_t count, const iv_judging_options *options,
                          iv_err *err)
{
    const signed char *judged = options->forget ? NULL : p->topic[t].judged;
    size_t elsewhere = 0;

    out->documents = count_documents(&elsewhere, p, t, runs, count, judged);
    elsewhere += options->forget ? 0 : p->topic[t].outside;
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

void iv_judging_topic_clear(iv_judging_topic *x)
{
    iv_arena_free(&x->memory);
    iv_ap_belief_free(x->belief);
    *x = (iv_judging_topic){ 0 };
}

/* Does its judgment make a rank below the depth count?  Then the belief must be made anew. */
static bool active_topic_deeper(const iv_judging_topic *x, size_t runs, size_t document)
{
    for (size_t r = 0; r < runs; r++)
        if (x->rank[r * x->all + document] > x->depth)
            return true;
    return false;
}

uint32_t iv_judging_topic_best(const iv_judging_topic *x, size_t count, size_t document)
{
    uint32_t best = 0;

    for (size_t r = 0; r < count; r++) {
        const uint32_t rank = x->rank[r * x->all + document];
        if (rank != 0 && (best == 0 || rank < best))
            best = rank;
    }
    return best;
}

/* ----------------------------------------------------------- active judging -- */

static int fill_item(void *user, void *memory, size_t t, iv_err *err)
{
    iv_judging_state *q = user;

    (void)memory;
    return iv_judging_topic_fill(&q->topic[t], q->p, t, q->run, q->runs, &q->options, err);
}

/* Is relevance learnt from what is judged? */
static bool learns(const iv_judging_state *q)
{
    return q->label != NULL || (!q->options.prior.by_rank && q->options.prior.relevance == 0.0);
}

/* Fits relevance to the judged documents. */
static int learn(iv_judging_state *q, iv_err *err)
{
    iv_arena scratch = { 0 };
    double *rank = iv_take(&scratch, q->judged + 1, sizeof *rank);
    bool *relevant = iv_take(&scratch, q->judged + 1, sizeof *relevant);
    double *of_label = iv_take(&scratch, 2 * q->labels + 1, sizeof *of_label);
    size_t n = 0;
    int rc = iv_taken(&scratch, err);

    for (size_t t = 0; t < q->topics && rc == IV_OK; t++) {
        const iv_judging_topic *x = &q->topic[t];
        for (size_t d = 0; d < x->documents; d++) {
            if (x->known[d] < 0)
                continue;
            rank[n] = iv_judging_topic_best(x, q->runs, d);
            relevant[n++] = x->known[d] == 1;
            if (x->label != NULL && x->label[d] != UINT32_MAX) {
                of_label[x->label[d]] += x->known[d];
                of_label[q->labels + x->label[d]] += 1.0;
            }
        }
    }
    /* The share of relevant documents of each label, beside one document of what it says itself. */
    for (size_t l = 0; rc == IV_OK && q->label != NULL && l < q->labels; l++)
        q->label[l] = (of_label[l] + ((double)l + 0.5) / (double)q->labels)
            / (of_label[q->labels + l] + 1.0);
    if (rc == IV_OK && n > 0)
        rc = iv_rank_relevance_fit(&q->curve, rank, relevant, n, err);
    q->fitted = q->judged;
    iv_arena_free(&scratch);
    return rc;
}

static int belief_item(void *user, void *memory, size_t t, iv_err *err)
{
    iv_judging_state *q = user;

    (void)memory;
    q->stale[t] = true;
    return iv_judging_topic_believe(&q->topic[t], &q->curve, q->label, q->runs, &q->options, err);
}

/* The belief of all topics, by what is learnt now. */
static int believe(iv_judging_state *q, const iv_work *work, iv_err *err)
{
    if (learns(q))
        IV_TRY(learn(q, err));
    return iv_parallel(&(iv_loop){ q->topics, belief_item, q, NULL }, work, err);
}

/* The largest label, or part of scores. */
static double largest_label(const iv_judgments *machine, bool scored)
{
    return scored ? IV_SCORE_PARTS - 1.0 : fmax(1.0, iv_largest_grade(machine));
}

static int start(iv_judging_state *q, const size_t *runs, const iv_work *work, iv_err *err)
{
    const iv_judging_options *o = &q->options;
    iv_stage stage;

    q->labels = o->machine == NULL ? 0 : (size_t)largest_label(o->machine, o->scored) + 1;
    q->topic = iv_take(&q->memory, q->topics + 1, sizeof *q->topic);
    q->best = iv_take(&q->memory, q->topics + 1, sizeof *q->best);
    q->stale = iv_take(&q->memory, q->topics + 1, sizeof *q->stale);
    q->wanted = iv_take(&q->memory, q->pairs, sizeof *q->wanted);
    q->run = iv_take(&q->memory, q->runs, sizeof *q->run);
    q->label = q->labels == 0 ? NULL : iv_take(&q->memory, q->labels, sizeof *q->label);
    IV_TRY(iv_taken(&q->memory, err));
    for (size_t r = 0; r < q->runs; r++)
        q->run[r] = runs == NULL ? r : runs[r];
    for (size_t x = 0; x < q->pairs; x++)
        q->wanted[x] = true;
    IV_TRY(iv_parallel(&(iv_loop){ q->topics, fill_item, q, NULL },
                       iv_work_part(&stage, work, 0.0, 0.3), err));
    for (size_t t = 0; t < q->topics; t++)
        for (size_t i = 0; i < q->topic[t].documents; i++, q->all++)
            q->judged += q->topic[t].known[i] >= 0;
    return believe(q, iv_work_part(&stage, work, 0.3, 1.0), err);
}

int iv_judging_new(iv_judging_state **out, const iv_pooled *p, const size_t *runs, size_t count,
                   const iv_judging_options *options, const iv_work *work, iv_err *err)
{
    const iv_judging_options o = options == NULL ? (iv_judging_options){ 0 } : *options;

    if (count < 2)
        return iv_fail(err, IV_EARG, "%zu run, expected at least two", count);
    iv_judging_state *q = calloc(1, sizeof *q);
    if (q == NULL)
        return iv_no_memory(err);
    *q = (iv_judging_state){ .p = p, .runs = count, .pairs = iv_pair_count(count),
                       .topics = p->topics, .options = o };
    const int rc = start(q, runs, work, err);
    if (rc == IV_OK)
        *out = q;
    else
        iv_judging_free(q);
    return rc;
}

void iv_judging_free(iv_judging_state *q)
{
    if (q == NULL)
        return;
    for (size_t t = 0; t < q->topics && q->topic != NULL; t++)
        iv_judging_topic_clear(&q->topic[t]);
    iv_arena_free(&q->memory);
    free(q);
}

iv_str iv_judging_topic_id(const iv_judging_state *q, size_t topic)
{
    return q->p->topic[topic].id;
}

iv_str iv_judging_docno(const iv_judging_state *q, size_t topic, size_t document)
{
    return q->p->topic[topic].docno[q->topic[topic].pooled[document]];
}

uint32_t iv_judging_rank(const iv_judging_state *q, size_t topic, size_t i, size_t document)
{
    return q->topic[topic].rank[i * q->topic[topic].all + document];
}

uint32_t iv_judging_best_rank(const iv_judging_state *q, size_t topic, size_t document)
{
    return iv_judging_topic_best(&q->topic[topic], q->runs, document);
}

double iv_judging_relevance(const iv_judging_state *q, size_t topic, size_t document)
{
    return iv_ap_belief_relevance(q->topic[topic].belief, document);
}

iv_moments iv_judging_topic_moments(const iv_judging_state *q, size_t topic, size_t pair)
{
    return iv_ap_belief_moments(q->topic[topic].belief, pair, q->options.form);
}

iv_moments iv_judging_moments(const iv_judging_state *q, size_t pair)
{
    const double n = (double)q->topics;
    iv_moments sum = { 0.0, 0.0 };

    for (size_t t = 0; t < q->topics; t++) {
        const iv_moments d = iv_judging_topic_moments(q, t, pair);
        sum.mean += d.mean;
        sum.variance += d.variance;
    }
    return (iv_moments){ sum.mean / n, sum.variance / (n * n) };
}

int iv_judging_limits_at(double *lower, double *upper, const iv_judging_state *q, size_t a,
                         size_t b, const iv_work *work, double done, iv_err *err)
{
    double low = 0.0, high = 0.0;

    for (size_t t = 0; t < q->topics; t++) {
        double l, h;
        IV_TRY(iv_check_work(work, done, err));
        IV_TRY(iv_ap_belief_limits(&l, &h, q->topic[t].belief, a, b, err));
        low += l;
        high += h;
    }
    *lower = low / (double)q->topics;
    *upper = high / (double)q->topics;
    return IV_OK;
}

void iv_judging_want(iv_judging_state *q, size_t pair, bool wanted)
{
    if (q->wanted[pair] == wanted)
        return;
    q->wanted[pair] = wanted;
    for (size_t t = 0; t < q->topics; t++)
        q->stale[t] = true;
}

void iv_judging_allow(iv_judging_state *q, size_t topic, size_t document, bool allowed)
{
    q->topic[topic].allowed[document] = allowed;
    q->stale[topic] = true;
}

/* Is the first candidate to be preferred?  Equal ones go by rank. */
static bool precedes(double movement, uint32_t rank, double other, uint32_t other_rank)
{
    const double slack = 1e-12;

    if (movement > other * (1.0 + slack))
        return true;
    return movement >= other * (1.0 - slack) && rank < other_rank;
}

bool iv_judging_next(iv_candidate *out, iv_judging_state *q)
{
    size_t first = SIZE_MAX;

    for (size_t t = 0; t < q->topics; t++) {
        iv_candidate *b = &q->best[t];
        if (q->stale[t]) {
            b->document = iv_ap_belief_next(&b->movement, q->topic[t].belief, q->wanted,
                                            q->topic[t].allowed);
            b->rank = b->document == SIZE_MAX ? 0 : iv_judging_best_rank(q, t, b->document);
            q->stale[t] = false;
        }
        if (b->document != SIZE_MAX
            && (first == SIZE_MAX || precedes(b->movement, b->rank, q->best[first].movement,
                                              q->best[first].rank)))
            first = t;
    }
    if (first == SIZE_MAX)
        return false;
    *out = q->best[first];
    out->topic = first;
    out->movement /= (double)q->topics;
    return true;
}

void iv_judging_judge(iv_judging_state *q, size_t topic, size_t document, bool relevant)
{
    iv_judging_topic *x = &q->topic[topic];

    q->judged += x->known[document] < 0;
    x->known[document] = relevant;
    iv_ap_belief_judge(x->belief, document, relevant);
    q->stale[topic] = true;
    /* Without memory a belief stays as it was. */
    int rc = relevant && active_topic_deeper(x, q->runs, document)
        ? iv_judging_topic_believe(x, &q->curve, q->label, q->runs, &q->options, NULL) : IV_OK;
    /* Relevance is learnt again when a twelfth more is judged: one judgment costs little then. */
    if (learns(q) && q->judged >= q->fitted + q->fitted / 12 + 4)
        rc = believe(q, NULL, NULL);
    (void)rc;
}

int iv_judging_settle(iv_judging_state *q, const iv_work *work, iv_err *err)
{
    return learns(q) && q->judged != q->fitted ? believe(q, work, err) : IV_OK;
}

/* Exact comparison keeps the order total; movements are rounded before. */
static int by_movement(const void *x, const void *y)
{
    const iv_candidate *a = x, *b = y;

    if (a->movement != b->movement)
        return a->movement > b->movement ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->topic != b->topic)
        return a->topic < b->topic ? -1 : 1;
    return a->document < b->document ? -1 : a->document > b->document;
}

/* To 40 bits, so that equal movements are equal in spite of rounding. */
static double rounded(double x)
{
    int exponent;
    const double fraction = frexp(x, &exponent);

    return ldexp(round(ldexp(fraction, 40)), exponent - 40);
}

typedef struct list_loop {
    const iv_judging_state *q;
    size_t most;   /* of a topic, too */
    size_t *from;  /* where a topic's documents stand; topics + 1 */
    size_t *found; /* how many of them are listed */
    iv_candidate *list;
} list_loop;

static int list_topic(void *user, void *memory, size_t t, iv_err *err)
{
    const list_loop *l = user;
    const iv_judging_topic *x = &l->q->topic[t];
    iv_candidate *list = l->list + l->from[t];
    size_t n = 0;

    (void)memory, (void)err;
    for (size_t i = 0; i < x->documents; i++) {
        const double moves = iv_ap_belief_movement(x->belief, l->q->wanted, i);
        if (moves > 1e-15 && x->allowed[i])
            list[n++] = (iv_candidate){ t, i, rounded(moves / (double)l->q->topics),
                                        iv_judging_best_rank(l->q, t, i) };
    }
    qsort(list, n, sizeof *list, by_movement);
    l->found[t] = n < l->most ? n : l->most;
    return IV_OK;
}

int iv_judging_list(iv_candidate *out, size_t *count, const iv_judging_state *q,
                    const iv_work *work, iv_err *err)
{
    iv_arena scratch = { 0 };
    list_loop l = { .q = q, .most = *count };
    size_t n = 0;

    l.from = iv_take(&scratch, 2 * q->topics + 1, sizeof *l.from);
    l.found = l.from == NULL ? NULL : l.from + q->topics;
    for (size_t t = 0; t < q->topics && l.from != NULL; t++, n += q->topic[t - 1].documents)
        l.from[t] = n;
    l.list = iv_take(&scratch, n + 1, sizeof *l.list);
    int rc = iv_taken(&scratch, err);
    if (rc == IV_OK)
        rc = iv_parallel(&(iv_loop){ q->topics, list_topic, &l, NULL }, work, err);
    n = 0;
    for (size_t t = 0; t < q->topics && rc == IV_OK; t++)
        for (size_t k = 0; k < l.found[t]; k++)
            l.list[n++] = l.list[l.from[t] + k];
    if (rc == IV_OK) {
        qsort(l.list, n, sizeof *l.list, by_movement);
        *count = n < *count ? n : *count;
        for (size_t k = 0; k < *count; k++)
            out[k] = l.list[k];
    }
    iv_arena_free(&scratch);
    return rc;
}
