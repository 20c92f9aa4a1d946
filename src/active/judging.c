/* SPDX-License-Identifier: Apache-2.0 */
/* Judging simulated: an oracle answers until every sign is sure enough. */
#include "active/judging_topics.h"
#include "active/judging.h"
#include "active/paths.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/order.h"
#include "base/parallel.h"
#include "stat/incomplete/ap_moments.h"
#include "stat/pair_tests.h"
#include "trec/judgments.h"

#include <math.h>
#include <stdlib.h>

typedef struct judging {
    iv_judging_state *q;
    const iv_judgments *oracle;
    const char *name;
    const iv_judging_plan *plan;
    const iv_work *work;
    iv_judging_record record;
    size_t capacity, pairs, documents;
    size_t *oracle_topic; /* IV_NONE: it has none */
    bool *fixed;          /* by limits, of each pair */
    double target;        /* confidence to reach */
    size_t next_limits;   /* judgments after which limits are looked at again */
    double done;          /* proportion of the work that was reported */
} judging;

/* The oracle's answer: 1, 0, or -1 if it has none. */
static int answer_of(const judging *j, size_t topic, size_t document)
{
    const iv_judgment *found = j->oracle_topic[topic] == IV_NONE
        ? NULL
        : iv_judgments_find(j->oracle, j->oracle_topic[topic],
                            iv_judging_docno(j->q, topic, document));

    return found == NULL || found->grade < 0 ? -1 : found->grade >= j->plan->level;
}

/* The oracle of that name lacks a document of the pool. */
static int refuse(const char *name, const iv_pooled_topic *t, uint32_t document, uint32_t rank,
                  iv_err *err)
{
    char id[IV_QUOTE_SIZE], docno[IV_QUOTE_SIZE];

    return iv_fail_at(err, IV_ENODATA, name, 0, "no judgment of document %s of topic "
                      "%s, ranked %u" IV_HINT("; use --unjudged nonrelevant or --unjudged "
                                              "skip"), iv_quote(docno, t->docno[document]),
                      iv_quote(id, t->id), rank);
}

/* Judges one document and records it; confidence comes later. */
static int judge(judging *j, size_t topic, size_t document, double movement, iv_err *err)
{
    iv_judging_record *r = &j->record;
    const int answer = answer_of(j, topic, document);

    if (answer < 0 && j->plan->no_answer == IV_NO_ANSWER_REFUSE)
        return refuse(j->name, &j->q->p->topic[topic], j->q->topic[topic].pooled[document],
                      iv_judging_best_rank(j->q, topic, document), err);
    if (!IV_ROOM(r->step, j->capacity, r->steps + 1))
        return iv_no_memory(err);
    r->step[r->steps++] = (iv_judging_step){ topic, document, answer == 1, movement,
                                             (double)NAN };
    r->relevant += answer == 1;
    r->unanswered += answer < 0;
    iv_judging_judge(j->q, topic, document, answer == 1);
    return IV_OK;
}

/*
 * Limits cost more than a judgment: they are looked at now and then, always
 * where there are few documents.
 */
static int look_at_limits(judging *j, double confidence, bool now, iv_err *err)
{
    const size_t runs = j->q->runs;

    if (!now && (confidence < 0.9 || j->record.steps < j->next_limits))
        return IV_OK;
    j->next_limits = j->record.steps + (j->documents <= 500 ? 1 : 16 + j->record.steps / 4);
    for (size_t a = 0; a < runs; a++) {
        for (size_t b = a + 1; b < runs; b++) {
            const size_t pair = iv_pair_index(runs, a, b);
            double lower = 0.0, upper = 0.0;
            if (!j->fixed[pair])
                IV_TRY(iv_judging_limits_at(&lower, &upper, j->q, a, b, j->work, j->done, err));
            j->fixed[pair] = j->fixed[pair] || lower > 1e-12 || upper < -1e-12;
        }
    }
    return IV_OK;
}

/* The least confidence over the pairs; pairs that are sure are not asked for. */
static double weigh(judging *j)
{
    double least = 1.0;
    bool reached = true;

    j->record.sure = 0;
    for (size_t x = 0; x < j->pairs; x++) {
        const double c = j->fixed[x] ? 1.0 : iv_sign_confidence(iv_judging_moments(j->q, x));
        least = fmin(least, c);
        reached = reached && c >= j->target;
        j->record.sure += c >= j->target;
        if (j->pairs > 1)
            iv_judging_want(j->q, x, c < j->target);
    }
    j->record.confidence = least;
    j->record.reached = reached;
    return least;
}

/* Weighs up after judgments; also by limits. */
static int settle(judging *j, bool now, iv_err *err)
{
    double c = weigh(j);

    if (j->record.reached || now) { /* it must hold with all that is judged */
        iv_stage stage;
        IV_TRY(iv_judging_settle(j->q, iv_work_part(&stage, j->work, j->done, j->done), err));
        c = weigh(j);
    }
    if (!j->record.reached || now) {
        IV_TRY(look_at_limits(j, c, now, err));
        (void)weigh(j);
    }
    if (j->record.steps > 0)
        j->record.step[j->record.steps - 1].confidence = j->record.confidence;
    return IV_OK;
}

static bool enough(const judging *j)
{
    return j->record.reached || (j->plan->most > 0 && j->record.steps >= j->plan->most);
}

/* Confidence says how far it is: crude, but it rises. */
static int tell(judging *j, iv_err *err)
{
    const double from = j->record.start, to = j->target;
    const double share = to > from ? (j->record.confidence - from) / (to - from) : 1.0;

    j->done = fmax(j->done, fmin(share, 1.0));
    return iv_check_work(j->work, j->done, err);
}

static int judge_by_movement(judging *j, iv_err *err)
{
    iv_candidate c;

    while (!enough(j)) {
        if (!iv_judging_next(&c, j->q)) {
            /* Pairs that were sure may not be so any more. */
            IV_TRY(settle(j, true, err));
            if (enough(j) || !iv_judging_next(&c, j->q))
                break;
        }
        IV_TRY(judge(j, c.topic, c.document, c.movement, err));
        IV_TRY(settle(j, false, err));
        IV_TRY(tell(j, err));
    }
    return IV_OK;
}

/* One more rank of every run; false when there is none. */
static int judge_round(bool *more, judging *j, size_t depth, iv_err *err)
{
    *more = false;
    for (size_t t = 0; t < j->q->topics; t++) {
        for (size_t i = 0; i < j->q->topic[t].documents; i++) {
            const uint32_t best = iv_judging_best_rank(j->q, t, i);
            const double p = iv_judging_relevance(j->q, t, i);
            *more = *more || best > depth;
            if (best != depth || p == 0.0 || p == 1.0
                || (j->plan->no_answer == IV_NO_ANSWER_SKIP && answer_of(j, t, i) < 0))
                continue;
            IV_TRY(judge(j, t, i, 0.0, err));
        }
    }
    return IV_OK;
}

static int judge_by_pool(judging *j, iv_err *err)
{
    bool more = true;

    while (more && !enough(j)) {
        IV_TRY(judge_round(&more, j, ++j->record.depth, err));
        IV_TRY(settle(j, false, err));
        IV_TRY(tell(j, err));
    }
    return IV_OK;
}

static int prepare(judging *j, iv_err *err)
{
    const size_t topics = j->q->topics;

    j->oracle_topic = malloc((topics + 1) * sizeof *j->oracle_topic);
    j->fixed = calloc(j->pairs, sizeof *j->fixed);
    if (j->oracle_topic == NULL || j->fixed == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t t = 0; t < topics; t++) {
        j->oracle_topic[t] = iv_judgments_find_topic(j->oracle,
                                                     iv_judging_topic_id(j->q, t));
        j->documents += j->q->topic[t].documents;
        for (size_t i = 0; i < j->q->topic[t].documents; i++) {
            if (j->plan->no_answer == IV_NO_ANSWER_SKIP && answer_of(j, t, i) < 0)
                iv_judging_allow(j->q, t, i, false);
        }
    }
    j->record.start = weigh(j);
    return IV_OK;
}

int iv_judge_until(iv_judging_record *out, iv_judging_state *q, const iv_judgments *oracle,
                   const char *name, const iv_judging_plan *plan, const iv_work *work,
                   iv_err *err)
{
    iv_judging_plan p = plan == NULL ? (iv_judging_plan){ 0 } : *plan;

    p.until = p.until == 0.0 ? 0.95 : p.until;
    p.level = p.level == 0 ? 1 : p.level == IV_ZERO ? 0 : p.level;
    if (!(p.until > 0.5 && p.until <= 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected above 0.5 and at most 1",
                       p.until);
    judging j = { .q = q, .oracle = oracle, .name = name, .plan = &p, .work = work,
                  .pairs = iv_pair_count(q->runs),
                  .target = fmin(p.until, IV_CERTAIN) };
    int rc = prepare(&j, err);
    if (rc == IV_OK)
        rc = p.order == IV_ORDER_POOL ? judge_by_pool(&j, err) : judge_by_movement(&j, err);
    if (rc == IV_OK)
        rc = settle(&j, true, err);
    j.record.fixed = rc == IV_OK;
    for (size_t x = 0; x < j.pairs && j.fixed != NULL; x++)
        j.record.fixed = j.record.fixed && j.fixed[x];
    free(j.oracle_topic);
    free(j.fixed);
    if (rc == IV_OK)
        *out = j.record;
    else
        iv_judging_record_free(&j.record);
    return rc;
}

IV_NAMES(iv_no_answer_names, "refuse", "nonrelevant", "skip")

IV_NAMES(iv_judging_order_names, "next", "pool")

void iv_judging_record_free(iv_judging_record *r)
{
    free(r->step);
    r->step = NULL;
    r->steps = 0;
}

/* Judgment k + 1 of a topic has weight[k]; moments[k] hold after k of them. */
typedef struct path {
    iv_judging_topic topic;
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
    iv_judging_options options;
    const char *name;
    size_t runs[2];
    size_t topics;
    path *path;
};

static int remember(path *x, double weight, const iv_paths *all, iv_err *err)
{
    if (!IV_ROOM(x->weight, x->weights_capacity, x->steps + 1)
        || !IV_ROOM(x->moments, x->moments_capacity, x->steps + 2))
        return iv_no_memory(err);
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
    *weight = -(double)iv_judging_topic_best(&x->topic, 2, document);
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
    const iv_judging_options known = { .prior = { .relevance = 0.5 }, .union_only = union_only };
    iv_judging_topic x = { 0 };
    int rc = iv_judging_topic_fill(&x, p, t, runs, 2, &known, err);

    if (rc == IV_OK)
        rc = iv_judging_topic_believe(&x, NULL, NULL, 2, &known, err);
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
    iv_judging_topic_clear(&x);
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
        list[i] = (uint64_t)iv_judging_topic_best(&x->topic, 2, i) << 32 | i;
    qsort(list, n, sizeof *list, iv_ascending_words);
    for (size_t i = 0; i < n; i++)
        x->order[i] = (uint32_t)list[i];
    free(list);
    return IV_OK;
}

static int start_path(iv_paths *all, size_t t, iv_err *err)
{
    const iv_judging_options o = { .prior = all->options.prior, .form = all->options.form,
                                   .forget = true, .union_only = true };
    path *x = &all->path[t];

    IV_TRY(iv_judging_topic_fill(&x->topic, all->p, t, all->runs, 2, &o, err));
    IV_TRY(iv_judging_topic_believe(&x->topic, NULL, NULL, 2, &o, err));
    for (size_t i = 0; i < x->topic.documents; i++) {
        if (oracle_says(all, t, i) >= 0)
            continue;
        if (all->options.no_answer == IV_NO_ANSWER_SKIP)
            x->topic.allowed[i] = false;
        if (all->options.no_answer == IV_NO_ANSWER_REFUSE)
            return refuse(all->name, &all->p->topic[t], x->topic.pooled[i],
                          iv_judging_topic_best(&x->topic, 2, i), err);
    }
    IV_TRY(find_truth(&x->truth, all->p, t, all->runs, all->options.union_only, err));
    if (all->options.order == IV_ORDER_POOL)
        IV_TRY(order_by_rank(x, err));
    if (!IV_ROOM(x->moments, x->moments_capacity, 16))
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
                 const iv_judging_options *options, const char *name, const iv_work *work,
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
        iv_judging_topic_clear(&x->path[t].topic);
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
        /* A sum that was updated many times may fall a little below 0. */
        const double c = iv_sign_confidence((iv_moments){ m.mean, fmax(m.variance, 0.0) });
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
