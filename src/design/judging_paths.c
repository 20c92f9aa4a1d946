/* SPDX-License-Identifier: Apache-2.0 */
#include "design/inquiry_parts.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/order.h"
#include "base/parallel.h"
#include "intervale/num.h"

/* Judgment k + 1 of a topic has weight[k]; moments[k] hold after k of them. */
typedef struct path {
    iv_inquiry_topic topic;
    size_t steps, weights_capacity, moments_capacity;
    double *weight;      /* the more the sooner: movement, or minus the depth */
    iv_moments *moments; /* steps + 1 of them */
    bool complete;       /* nothing more can be judged, or learnt */
    size_t place;        /* by pool: the next document to look at */
    uint32_t *order;     /* by pool: documents by best rank */
    double truth;
} path;

struct iv_paths {
    const iv_pooled *p;
    iv_inquiry_options options;
    const char *name;
    size_t runs[2];
    size_t topics;
    path *path;
};

static int remember(path *x, double weight, const iv_paths *all, iv_err *err)
{
    double *w = iv_grow(x->weight, &x->weights_capacity, x->steps + 1, sizeof *w);
    if (w == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    x->weight = w;
    iv_moments *m = iv_grow(x->moments, &x->moments_capacity, x->steps + 2, sizeof *m);
    if (m == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    x->moments = m;
    x->weight[x->steps++] = weight;
    x->moments[x->steps] = iv_ap_belief_moments(x->topic.belief, 0, all->options.form);
    return IV_OK;
}

/* What the oracle says of a document: 1, 0 or -1. */
static int oracle_says(const iv_paths *all, size_t t, size_t document)
{
    return all->p->topic[t].judged[all->path[t].topic.pooled[document]];
}

/* The document judged next, SIZE_MAX: none. */
static size_t choose(double *weight, iv_paths *all, size_t t)
{
    path *x = &all->path[t];

    if (all->options.order == IV_ORDER_NEXT)
        return iv_ap_belief_next(weight, x->topic.belief, NULL, x->topic.allowed);
    while (x->place < x->topic.documents && !x->topic.allowed[x->order[x->place]])
        x->place++;
    if (x->place == x->topic.documents)
        return SIZE_MAX;
    const size_t document = x->order[x->place++];
    *weight = -(double)iv_inquiry_topic_best(&x->topic, 2, document);
    return document;
}

/* Walks a path to at least `steps`, or to its end. */
static int walk(iv_paths *all, size_t t, size_t steps, iv_err *err)
{
    path *x = &all->path[t];

    while (x->steps < steps && !x->complete) {
        double weight = 0.0;
        const size_t document = choose(&weight, all, t);
        if (document == SIZE_MAX) {
            x->complete = true;
            break;
        }
        iv_ap_belief_judge(x->topic.belief, document, oracle_says(all, t, document) == 1);
        IV_TRY(remember(x, weight, all, err));
    }
    return IV_OK;
}

/* The difference in average precision with all that is known. */
static int find_truth(double *out, const iv_pooled *p, size_t t, const size_t *runs,
                      bool union_only, iv_err *err)
{
    const iv_inquiry_options known = { .prior = { .relevance = 0.5 }, .union_only = union_only };
    iv_inquiry_topic x = { 0 };
    int rc = iv_inquiry_topic_fill(&x, p, t, runs, 2, &known, err);

    if (rc == IV_OK)
        rc = iv_inquiry_topic_believe(&x, NULL, NULL, 2, &known, err);
    if (rc == IV_OK) {
        for (size_t i = 0; i < x.documents; i++) {
            const double r = iv_ap_belief_relevance(x.belief, i);
            if (r > 0.0 && r < 1.0)
                iv_ap_belief_judge(x.belief, i, false);
        }
        *out = iv_ap_belief_moments(x.belief, 0, IV_MOMENTS_PLAIN).mean;
        if (fabs(*out) < 1e-13)
            *out = 0.0; /* equal but for rounding */
    }
    iv_inquiry_topic_clear(&x);
    return rc;
}

static int order_by_rank(path *x, iv_err *err)
{
    const size_t n = x->topic.documents;
    uint64_t *list = malloc((n + 1) * sizeof *list); /* rank, then document */

    x->order = iv_take(&x->topic.memory, n + 1, sizeof *x->order);
    if (list == NULL || x->order == NULL) {
        free(list);
        return iv_no_memory(err);
    }
    for (size_t i = 0; i < n; i++)
        list[i] = (uint64_t)iv_inquiry_topic_best(&x->topic, 2, i) << 32 | i;
    qsort(list, n, sizeof *list, iv_rising_words);
    for (size_t i = 0; i < n; i++)
        x->order[i] = (uint32_t)list[i];
    free(list);
    return IV_OK;
}

static int start_path(iv_paths *all, size_t t, iv_err *err)
{
    const iv_inquiry_options o = { .prior = all->options.prior, .form = all->options.form,
                                   .forget = true, .union_only = true };
    path *x = &all->path[t];

    IV_TRY(iv_inquiry_topic_fill(&x->topic, all->p, t, all->runs, 2, &o, err));
    IV_TRY(iv_inquiry_topic_believe(&x->topic, NULL, NULL, 2, &o, err));
    for (size_t i = 0; i < x->topic.documents; i++) {
        char id[IV_QUOTE_SIZE], docno[IV_QUOTE_SIZE];
        if (oracle_says(all, t, i) >= 0)
            continue;
        if (all->options.no_answer == IV_NO_ANSWER_SKIP)
            x->topic.allowed[i] = false;
        if (all->options.no_answer == IV_NO_ANSWER_REFUSE)
            return iv_fail_at(err, IV_ENODATA, all->name, 0, "no judgment of document %s of "
                              "topic %s, ranked %u",
                              iv_quote(docno, all->p->topic[t].docno[x->topic.pooled[i]]),
                              iv_quote(id, all->p->topic[t].id),
                              iv_inquiry_topic_best(&x->topic, 2, i));
    }
    IV_TRY(find_truth(&x->truth, all->p, t, all->runs, all->options.union_only, err));
    if (all->options.order == IV_ORDER_POOL)
        IV_TRY(order_by_rank(x, err));
    x->moments = iv_grow(NULL, &x->moments_capacity, 16, sizeof *x->moments);
    if (x->moments == NULL)
        return iv_no_memory(err);
    x->moments[0] = iv_ap_belief_moments(x->topic.belief, 0, all->options.form);
    return IV_OK;
}

static int start_item(void *user, void *memory, size_t t, iv_err *err)
{
    (void)memory;
    return start_path(user, t, err);
}

int iv_paths_new(iv_paths **out, const iv_pooled *p, size_t a, size_t b,
                 const iv_inquiry_options *options, const char *name, const iv_work *work,
                 iv_err *err)
{
    iv_paths *x = calloc(1, sizeof *x);

    if (x == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    *x = (iv_paths){ p, *options, name, { a, b }, p->topics,
                     calloc(p->topics + 1, sizeof *x->path) };
    if (x->options.prior.relevance == 0.0)
        x->options.prior.relevance = 0.5;
    const int rc = x->path == NULL
        ? iv_fail(err, IV_ENOMEM, "out of memory")
        : iv_parallel(&(iv_loop){ x->topics, start_item, x, NULL }, work, err);
    if (rc == IV_OK)
        *out = x;
    else
        iv_paths_free(x);
    return rc;
}

void iv_paths_free(iv_paths *x)
{
    if (x == NULL)
        return;
    for (size_t t = 0; t < x->topics && x->path != NULL; t++) {
        iv_inquiry_topic_clear(&x->path[t].topic);
        free(x->path[t].weight);
        free(x->path[t].moments);
    }
    free(x->path);
    free(x);
}

double iv_paths_truth(const iv_paths *x, size_t topic)
{
    return x->path[topic].truth;
}

/* ------------------------------------------------------------- the merge -- */

/* A topic on its way; a heap of them has the one to judge next on top. */
typedef struct traveller {
    double weight;
    size_t topic, number, step;
} traveller;

static bool sooner(const traveller *a, const traveller *b)
{
    return a->weight != b->weight ? a->weight > b->weight : a->number < b->number;
}

static void sink(traveller *heap, size_t n, size_t i)
{
    for (;;) {
        size_t top = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < n; child++) {
            if (sooner(&heap[child], &heap[top]))
                top = child;
        }
        if (top == i)
            return;
        const traveller swap = heap[i];
        heap[i] = heap[top];
        heap[top] = swap;
        i = top;
    }
}

typedef struct merge {
    iv_paths *x;
    traveller *heap;
    size_t n, left; /* topics, and those not at their end, which come first */
    double mean, variance;
} merge;

/* Puts the weight of its next judgment on a traveller; false at the end. */
static int look_ahead(bool *more, merge *m, traveller *t, iv_err *err)
{
    const int rc = walk(m->x, t->topic, t->step + 1, err);

    *more = rc == IV_OK && t->step < m->x->path[t->topic].steps;
    if (*more)
        t->weight = m->x->path[t->topic].weight[t->step];
    return rc;
}

static int set_out(merge *m, const size_t *topics, size_t n, iv_err *err)
{
    m->n = n;
    for (size_t k = 0; k < n; k++) {
        traveller t = { 0.0, topics[k], k, 0 };
        bool more;
        IV_TRY(look_ahead(&more, m, &t, err));
        m->mean += m->x->path[t.topic].moments[0].mean;
        m->variance += m->x->path[t.topic].moments[0].variance;
        if (more)
            m->heap[m->left++] = t;
        else
            m->heap[n - 1 - (k - m->left)] = t;
    }
    for (size_t i = m->left / 2; i-- > 0;)
        sink(m->heap, m->left, i);
    return IV_OK;
}

/* One judgment in the topic on top. */
static int advance(merge *m, iv_err *err)
{
    traveller *top = &m->heap[0];
    const iv_moments *at = m->x->path[top->topic].moments + top->step;
    bool more;

    m->mean += at[1].mean - at[0].mean;
    m->variance += at[1].variance - at[0].variance;
    top->step++;
    const int rc = look_ahead(&more, m, top, err);
    if (rc == IV_OK && !more) {
        const traveller swap = *top;
        *top = m->heap[--m->left];
        m->heap[m->left] = swap;
    }
    sink(m->heap, m->left, 0);
    return rc;
}

/* One judgment, or a round of a pool. */
static int advance_round(merge *m, size_t *made, iv_err *err)
{
    const double round = m->heap[0].weight;
    int rc;

    do {
        rc = advance(m, err);
        ++*made;
    } while (rc == IV_OK && m->x->options.order == IV_ORDER_POOL && m->left > 0
             && m->heap[0].weight == round);
    return rc;
}

static void count_signs(const merge *m, size_t *wins, size_t *losses)
{
    *wins = *losses = 0;
    for (size_t k = 0; k < m->n; k++) {
        const double mean = m->x->path[m->heap[k].topic].moments[m->heap[k].step].mean;
        *wins += mean > 1e-13;
        *losses += mean < -1e-13;
    }
}

static void count_truths(size_t *right, size_t *wrong, const merge *m)
{
    *right = *wrong = 0;
    for (size_t k = 0; k < m->n; k++) {
        const path *p = &m->x->path[m->heap[k].topic];
        const double mean = p->moments[m->heap[k].step].mean;
        if (p->truth == 0.0)
            continue;
        ++*(mean * p->truth > 0.0 ? right : wrong);
    }
}

/* A sum that was updated many times may fall a little below 0. */
static double confidence_of(const merge *m)
{
    return iv_sign_confidence((iv_moments){ m->mean, fmax(m->variance, 0.0) });
}

/* A step takes microseconds: a look at the caller's wishes now and then. */
static int ask_sometimes(size_t *asked, size_t made, const iv_work *work, iv_err *err)
{
    if (made - *asked < 1024)
        return IV_OK;
    *asked = made;
    return iv_check_work(work, 0.0, err);
}

int iv_paths_judge(size_t *judgments, size_t *wins, size_t *losses, iv_paths *x,
                   const size_t *topics, size_t n, const double *confidence, size_t count,
                   const iv_work *work, iv_err *err)
{
    merge m = { .x = x, .heap = malloc((n + 1) * sizeof *m.heap) };
    size_t made = 0, reached = 0, asked = 0;

    if (m.heap == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    int rc = set_out(&m, topics, n, err);
    while (rc == IV_OK) {
        const double c = confidence_of(&m);
        while (reached < count && c >= fmin(confidence[reached], IV_CERTAIN))
            judgments[reached++] = made;
        if (reached == count || m.left == 0)
            break;
        rc = advance_round(&m, &made, err);
        if (rc == IV_OK)
            rc = ask_sometimes(&asked, made, work, err);
    }
    while (reached < count)
        judgments[reached++] = SIZE_MAX;
    if (rc == IV_OK && wins != NULL)
        count_signs(&m, wins, losses);
    free(m.heap);
    return rc;
}

int iv_paths_watch(iv_paths *x, const size_t *topics, size_t n, size_t every,
                   bool (*visit)(void *user, size_t judgments, iv_moments sum, size_t right,
                                 size_t wrong), void *user, const iv_work *work, iv_err *err)
{
    merge m = { .x = x, .heap = malloc((n + 1) * sizeof *m.heap) };
    size_t made = 0, next = 0, asked = 0;

    if (m.heap == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    int rc = set_out(&m, topics, n, err);
    while (rc == IV_OK) {
        if (made >= next || x->options.order == IV_ORDER_POOL) {
            size_t right, wrong;
            count_truths(&right, &wrong, &m);
            next = made + every;
            if (!visit(user, made, (iv_moments){ m.mean, fmax(m.variance, 0.0) }, right, wrong))
                break;
        }
        if (m.left == 0)
            break;
        rc = advance_round(&m, &made, err);
        if (rc == IV_OK)
            rc = ask_sometimes(&asked, made, work, err);
    }
    free(m.heap);
    return rc;
}
