/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An inquiry keeps the best candidate of each topic: a judgment makes only its
 * own topic's stale, so that the next document costs one pass over one topic
 * and one look at the others.
 */
#include "intervale/design/inquiry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checking.h"
#include "base/parallel.h"
#include "base/names.h"
#include "design/inquiry_parts.h"
#include "design/run_model.h"
#include "intervale/stat/paired.h"

IV_NAMES(iv_belief_model_names, "runs", "independent")

typedef struct best_of {
    size_t document; /* SIZE_MAX: none moves anything */
    double movement;
    uint32_t rank;
    bool stale;
} best_of;

struct iv_inquiry {
    iv_arena memory;
    const iv_pooled *p;
    size_t runs, pairs, topics;
    size_t *run; /* their numbers in p */
    iv_inquiry_options options;
    iv_inquiry_topic *topic;
    best_of *best;
    bool *wanted;
    iv_run_model *model; /* NULL: documents are independent */
    size_t judged, all;  /* documents: judged, and in all */
};

static int check_prior(const iv_prior *prior, iv_err *err)
{
    if (!prior->by_rank && !(prior->relevance > 0.0 && prior->relevance < 1.0))
        return iv_fail(err, IV_EARG, "relevance %g, expected a probability between 0 and 1",
                       prior->relevance);
    return prior->by_rank ? iv_check_reals((const double[]){ prior->curve.intercept,
                                                             prior->curve.slope }, 2,
                                           "a coefficient of relevance by rank", err) : IV_OK;
}

typedef struct fill_loop {
    iv_inquiry *q;
    const iv_inquiry *known; /* what is judged there counts too; may be NULL */
    size_t most;             /* documents of a topic */
} fill_loop;

static void *fill_memory(iv_arena *own, void *user)
{
    return iv_take(own, ((const fill_loop *)user)->most + 1, 1);
}

static int fill_item(void *user, void *memory, size_t t, iv_err *err)
{
    const fill_loop *l = user;
    iv_inquiry *q = l->q;
    const iv_inquiry_topic *known = l->known == NULL ? NULL : &l->known->topic[t];
    signed char *judged = memory;

    q->best[t].stale = true;
    for (size_t i = 0; known != NULL && i < iv_pooled_documents(q->p, t); i++)
        judged[i] = q->options.forget ? -1 : iv_pooled_judged(q->p, t)[i];
    for (size_t k = 0; known != NULL && k < known->documents; k++)
        judged[known->pooled[k]] = known->known[k];
    return iv_inquiry_topic_fill(&q->topic[t], q->p, t, q->run, q->runs, &q->options,
                                 known == NULL ? NULL : judged, err);
}

/* The topics, and what was judged before or in `known`. */
static int fill_topics(iv_inquiry *q, const iv_inquiry *known, const iv_work *work, iv_err *err)
{
    fill_loop l = { q, known, 0 };

    for (size_t t = 0; t < q->topics && known != NULL; t++)
        l.most = iv_pooled_documents(q->p, t) > l.most ? iv_pooled_documents(q->p, t) : l.most;
    return iv_parallel(&(iv_loop){ q->topics, fill_item, &l, fill_memory }, work, err);
}

typedef struct belief_loop {
    iv_inquiry *q;
    bool forget;
} belief_loop;

static int belief_item(void *user, void *memory, size_t t, iv_err *err)
{
    const belief_loop *l = user;

    (void)memory;
    l->q->best[t].stale = true;
    return iv_inquiry_topic_believe(&l->q->topic[t], l->q->model, l->q->options.union_only, l->forget,
                                    l->q->options.order_only, err);
}

/* The belief of all topics, as the model has it now. */
static int believe(iv_inquiry *q, bool forget, const iv_work *work, iv_err *err)
{
    iv_stage stage;

    iv_run_model_fit(q->model, q->topic, forget);
    IV_TRY(iv_parallel(&(iv_loop){ q->topics, belief_item, &(belief_loop){ q, forget }, NULL },
                       iv_work_part(&stage, work, 0.0, 0.7), err));
    if (!q->options.order_only)
        IV_TRY(iv_run_model_doubt(q->model, q->topic, forget,
                                  iv_work_part(&stage, work, 0.7, 1.0), err));
    q->model->judged = q->judged;
    return IV_OK;
}

/* What a machine says, less its mean: of a document without a label it says nothing. */
static void centre_hints(iv_inquiry *q)
{
    double sum = 0.0, count = 0.0;

    for (size_t t = 0; t < q->topics; t++)
        for (size_t i = 0; i < q->topic[t].documents; i++)
            if (isfinite(q->topic[t].hint[i])) {
                sum += q->topic[t].hint[i];
                count += 1.0;
            }
    for (size_t t = 0; t < q->topics; t++)
        for (size_t i = 0; i < q->topic[t].documents; i++) {
            double *hint = &q->topic[t].hint[i];
            *hint = isfinite(*hint) ? *hint - sum / count : 0.0;
        }
}

/* First what is believed before anything is judged: neither run is better then. */
static int start_model(iv_inquiry *q, const iv_work *work, iv_err *err)
{
    iv_stage stage;

    IV_TRY(iv_run_model_new(&q->model, q->runs, q->topics, err));
    for (size_t t = 0; t < q->topics; t++)
        for (size_t i = 0; i < q->topic[t].documents; i++, q->all++)
            q->judged += q->topic[t].known[i] >= 0;
    if (!q->options.order_only || q->judged == 0)
        IV_TRY(believe(q, true, iv_work_part(&stage, work, 0.0, q->judged > 0 ? 0.5 : 1.0), err));
    return q->judged > 0 ? believe(q, false, iv_work_part(&stage, work, 0.5, 1.0), err) : IV_OK;
}

/* An inquiry of options that were looked at; known: another, whose judgments count too. */
static int make(iv_inquiry **out, const iv_pooled *p, const size_t *runs, size_t count,
                const iv_inquiry_options *o, const iv_inquiry *known, const iv_work *work, iv_err *err)
{
    iv_inquiry *q = calloc(1, sizeof *q);
    iv_stage stage;

    if (q == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    *q = (iv_inquiry){ .p = p, .runs = count, .pairs = iv_pair_count(count),
                       .topics = iv_pooled_topics(p), .options = *o };
    q->topic = iv_take(&q->memory, q->topics + 1, sizeof *q->topic);
    q->best = iv_take(&q->memory, q->topics + 1, sizeof *q->best);
    q->wanted = iv_take(&q->memory, q->pairs, sizeof *q->wanted);
    q->run = iv_take(&q->memory, count, sizeof *q->run);
    int rc = iv_taken(&q->memory, err);
    if (rc == IV_OK) {
        memcpy(q->run, runs, count * sizeof *runs);
        for (size_t x = 0; x < q->pairs; x++)
            q->wanted[x] = true;
        rc = fill_topics(q, known, iv_work_part(&stage, work, 0.0, 0.1), err);
    }
    if (rc == IV_OK && o->machine != NULL)
        centre_hints(q);
    if (rc == IV_OK && o->prior.model == IV_MODEL_RUNS)
        rc = start_model(q, iv_work_part(&stage, work, 0.1, 1.0), err);
    if (rc == IV_OK)
        *out = q;
    else
        iv_inquiry_free(q);
    return rc;
}

int iv_inquiry_new(iv_inquiry **out, const iv_pooled *p, const size_t *runs, size_t count,
                   const iv_inquiry_options *options, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_list(runs, count, "run", err));
    for (size_t i = 0; i < count; i++)
        if (runs[i] >= iv_pooled_runs(p))
            return iv_fail(err, IV_EARG, "run %zu of %zu", runs[i], iv_pooled_runs(p));
    IV_TRY(IV_CHECK(options, err, IV_CHOICE_OF(iv_inquiry_options, form, iv_moments_form_names,
                                               "the form of moments")));
    iv_inquiry_options o = options == NULL ? (iv_inquiry_options){ 0 } : *options;

    o.prior.relevance = o.prior.relevance == 0.0 ? 0.5 : o.prior.relevance;
    IV_TRY(check_prior(&o.prior, err));
    if (o.machine != NULL && o.prior.model != IV_MODEL_RUNS)
        return iv_fail(err, IV_EARG, "a machine's labels say nothing of independent documents, "
                       "expected the model of runs");
    if (count < 2)
        return iv_fail(err, IV_EARG, "%zu run, expected at least two", count);
    return make(out, p, runs, count, &o, NULL, work, err);
}

bool iv_inquiry_apart(const iv_inquiry *q)
{
    return q->runs > 2 && q->model != NULL;
}

int iv_inquiry_pair(iv_inquiry **out, const iv_inquiry *q, size_t a, size_t b, const iv_work *work,
                    iv_err *err)
{
    const size_t runs[] = { q->run[a], q->run[b] };
    iv_inquiry_options o = q->options;

    o.order_only = false;
    return make(out, q->p, runs, 2, &o, q, work, err);
}

void iv_inquiry_free(iv_inquiry *q)
{
    if (q == NULL)
        return;
    for (size_t t = 0; t < q->topics && q->topic != NULL; t++)
        iv_inquiry_topic_clear(&q->topic[t]);
    iv_run_model_free(q->model);
    iv_arena_free(&q->memory);
    free(q);
}

size_t iv_inquiry_topics(const iv_inquiry *q)
{
    return q->topics;
}

size_t iv_inquiry_runs(const iv_inquiry *q)
{
    return q->runs;
}

iv_str iv_inquiry_topic_id(const iv_inquiry *q, size_t topic)
{
    return iv_pooled_topic(q->p, topic);
}

size_t iv_inquiry_documents(const iv_inquiry *q, size_t topic)
{
    return q->topic[topic].documents;
}

iv_str iv_inquiry_docno(const iv_inquiry *q, size_t topic, size_t document)
{
    return iv_pooled_docno(q->p, topic, q->topic[topic].pooled[document]);
}

size_t iv_inquiry_pooled(const iv_inquiry *q, size_t topic, size_t document)
{
    return q->topic[topic].pooled[document];
}

uint32_t iv_inquiry_rank(const iv_inquiry *q, size_t topic, size_t i, size_t document)
{
    return q->topic[topic].rank[i * q->topic[topic].all + document];
}

uint32_t iv_inquiry_best_rank(const iv_inquiry *q, size_t topic, size_t document)
{
    return iv_inquiry_topic_best(&q->topic[topic], q->runs, document);
}

double iv_inquiry_relevance(const iv_inquiry *q, size_t topic, size_t document)
{
    return iv_ap_belief_relevance(q->topic[topic].belief, document);
}

iv_moments iv_inquiry_topic_moments(const iv_inquiry *q, size_t topic, size_t pair)
{
    iv_moments d = iv_ap_belief_moments(q->topic[topic].belief, pair, q->options.form);

    if (q->model != NULL)
        d.variance += q->model->topic[topic * q->pairs + pair];
    return d;
}

double iv_inquiry_beyond(const iv_inquiry *q, size_t pair)
{
    return q->model == NULL || q->options.union_only ? 0.0 : q->model->beyond[pair];
}

iv_moments iv_inquiry_moments(const iv_inquiry *q, size_t pair)
{
    const double n = (double)q->topics;
    iv_moments sum = { 0.0, 0.0 };

    for (size_t t = 0; t < q->topics; t++) {
        const iv_moments d = iv_inquiry_topic_moments(q, t, pair);
        sum.mean += d.mean;
        sum.variance += d.variance;
    }
    if (q->model != NULL) {
        sum.mean -= q->model->shift[pair];
        sum.variance += q->model->common[pair] + iv_inquiry_beyond(q, pair);
    }
    return (iv_moments){ sum.mean / n, sum.variance / (n * n) };
}

int iv_inquiry_topic_exact(iv_moments *out, const iv_inquiry *q, size_t topic, size_t a,
                           size_t b, iv_err *err)
{
    const iv_inquiry_topic *x = &q->topic[topic];
    iv_arena scratch = { 0 };
    double *relevance = iv_arena_alloc(&scratch, (x->all + 1) * sizeof *relevance);
    uint32_t *ranks = iv_arena_alloc(&scratch, (2 * x->all + 1) * sizeof *ranks);
    size_t n = 0;
    int rc = iv_taken(&scratch, err);

    for (size_t i = 0; i < x->all && rc == IV_OK; i++) {
        const double r = iv_ap_belief_relevance(x->belief, i);
        ranks[n] = x->rank[a * x->all + i];
        ranks[x->all + n] = x->rank[b * x->all + i];
        relevance[n] = r;
        /* The pair's documents, and what is known to be relevant elsewhere. */
        n += ranks[n] != 0 || ranks[x->all + n] != 0 || (r == 1.0 && !q->options.union_only);
    }
    if (rc == IV_OK)
        rc = iv_ap_difference(out, ranks, ranks + x->all, relevance, n, IV_MOMENTS_EXACT, err);
    iv_arena_free(&scratch);
    return rc;
}

int iv_inquiry_limits(double *lower, double *upper, const iv_inquiry *q, size_t a, size_t b,
                      iv_err *err)
{
    return iv_inquiry_limits_at(lower, upper, q, a, b, NULL, 0.0, err);
}

int iv_inquiry_limits_at(double *lower, double *upper, const iv_inquiry *q, size_t a, size_t b,
                         const iv_work *work, double done, iv_err *err)
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

void iv_inquiry_want(iv_inquiry *q, size_t pair, bool wanted)
{
    if (q->wanted[pair] == wanted)
        return;
    q->wanted[pair] = wanted;
    for (size_t t = 0; t < q->topics; t++)
        q->best[t].stale = true;
}

void iv_inquiry_allow(iv_inquiry *q, size_t topic, size_t document, bool allowed)
{
    q->topic[topic].allowed[document] = allowed;
    q->best[topic].stale = true;
}

/* Is the first candidate to be preferred?  Equal ones go by rank. */
static bool precedes(double movement, uint32_t rank, double other, uint32_t other_rank)
{
    const double slack = 1e-12;

    if (movement > other * (1.0 + slack))
        return true;
    return movement >= other * (1.0 - slack) && rank < other_rank;
}

bool iv_inquiry_next(iv_candidate *out, iv_inquiry *q)
{
    size_t first = SIZE_MAX;

    for (size_t t = 0; t < q->topics; t++) {
        best_of *b = &q->best[t];
        if (b->stale) {
            b->document = iv_ap_belief_next(&b->movement, q->topic[t].belief, q->wanted,
                                            q->topic[t].allowed);
            b->rank = b->document == SIZE_MAX ? 0 : iv_inquiry_best_rank(q, t, b->document);
            b->stale = false;
        }
        if (b->document != SIZE_MAX
            && (first == SIZE_MAX || precedes(b->movement, b->rank, q->best[first].movement,
                                              q->best[first].rank)))
            first = t;
    }
    if (first == SIZE_MAX)
        return false;
    *out = (iv_candidate){ first, q->best[first].document,
                           q->best[first].movement / (double)q->topics };
    return true;
}

void iv_inquiry_judge(iv_inquiry *q, size_t topic, size_t document, bool relevant)
{
    iv_inquiry_topic *x = &q->topic[topic];

    q->judged += x->known[document] < 0;
    x->known[document] = relevant;
    iv_ap_belief_judge(x->belief, document, relevant);
    q->best[topic].stale = true;
    /* The model follows when a twelfth more is judged: then one judgment has cost little; and
     * with all of it, when nothing is left open.  Without memory it stays as it was. */
    if (q->model != NULL && (q->judged >= q->model->judged + q->model->judged / 12 + 4
                             || q->judged == q->all))
        (void)believe(q, false, NULL, NULL);
}

typedef struct listed {
    iv_candidate c;
    uint32_t rank;
} listed;

/* Exact comparison keeps the order total; movements are rounded before. */
static int by_movement(const void *x, const void *y)
{
    const listed *a = x, *b = y;

    if (a->c.movement != b->c.movement)
        return a->c.movement > b->c.movement ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->c.topic != b->c.topic)
        return a->c.topic < b->c.topic ? -1 : 1;
    return a->c.document < b->c.document ? -1 : a->c.document > b->c.document;
}

/* To 40 bits, so that equal movements are equal in spite of rounding. */
static double rounded(double x)
{
    int exponent;
    const double fraction = frexp(x, &exponent);

    return ldexp(round(ldexp(fraction, 40)), exponent - 40);
}

typedef struct list_loop {
    const iv_inquiry *q;
    size_t most;   /* of a topic, too */
    size_t *from;  /* where a topic's documents stand; topics + 1 */
    size_t *found; /* how many of them are listed */
    listed *list;
} list_loop;

static int list_topic(void *user, void *memory, size_t t, iv_err *err)
{
    const list_loop *l = user;
    const iv_inquiry_topic *x = &l->q->topic[t];
    listed *list = l->list + l->from[t];
    size_t n = 0;

    (void)memory, (void)err;
    for (size_t i = 0; i < x->documents; i++) {
        const double moves = iv_ap_belief_movement(x->belief, i, l->q->wanted);
        if (moves > 1e-15 && x->allowed[i])
            list[n++] = (listed){ { t, i, rounded(moves / (double)l->q->topics) },
                                  iv_inquiry_best_rank(l->q, t, i) };
    }
    qsort(list, n, sizeof *list, by_movement);
    l->found[t] = n < l->most ? n : l->most;
    return IV_OK;
}

int iv_inquiry_list(iv_candidate *out, size_t *count, const iv_inquiry *q, const iv_work *work,
                    iv_err *err)
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
            out[k] = l.list[k].c;
    }
    iv_arena_free(&scratch);
    return rc;
}
