/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sample of every topic: what is fixed leaves the frame, the budget is
 * divided, each topic draws from its own stream.
 */
#include "base/arguments.h"
#include "base/err.h"
#include "base/ids.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/order.h"
#include "base/parallel.h"
#include "num/draw.h"
#include "sampling/sample_state.h"
#include "sampling/scheme.h"
#include "trec/judgments.h"
#include "trec/run.h"

#include <math.h>
#include <stdlib.h>

/*
 * The frame of each topic: what the runs return, and its weight.
 *
 * Weights are summed as whole multiples of 2^-46, so that the order of the
 * runs does not matter and equal weights are equal: they decide who shares a
 * bucket with whom.
 */

/* ------------------------------------------------------------- the frame -- */

static const double unit = 70368744177664.0; /* 2^46 */

void iv_frame_free(iv_frame *f)
{
    if (f == NULL)
        return;
    for (size_t t = 0; f->topics != NULL && t < f->topic_count; t++)
        free(f->topics[t].documents);
    free(f->topics);
    free(f);
}

static int by_id(const void *a, const void *b)
{
    return iv_str_cmp(((const iv_topic_frame *)a)->id, ((const iv_topic_frame *)b)->id);
}

static int by_weight(const void *va, const void *vb)
{
    const iv_frame_document *a = va, *b = vb;

    if (a->weight != b->weight)
        return a->weight > b->weight ? -1 : 1;
    return iv_str_cmp(a->docno, b->docno);
}

/* The topics of all runs, each once. */
static int gather_topics(iv_frame *f, const iv_run *const *runs, size_t count, iv_err *err)
{
    size_t all = 0;

    for (size_t r = 0; r < count; r++)
        all += iv_run_topics(runs[r]);
    f->topics = calloc(all + 1, sizeof *f->topics);
    if (f->topics == NULL)
        return iv_no_memory(err);
    for (size_t r = 0, k = 0; r < count; r++)
        for (size_t t = 0; t < iv_run_topics(runs[r]); t++)
            f->topics[k++].id = iv_run_topic(runs[r], t);
    qsort(f->topics, all, sizeof *f->topics, by_id);
    for (size_t i = 0; i < all; i++)
        if (i == 0 || iv_str_cmp(f->topics[i].id, f->topics[f->topic_count - 1].id) != 0)
            f->topics[f->topic_count++].id = f->topics[i].id;
    return IV_OK;
}

/* ------------------------------------------------------------ one topic -- */

typedef struct gathering {
    iv_ids ids;
    uint64_t *mass; /* in units */
    uint32_t *best, *runs;
    double *prior;
} gathering;

static bool gather_run(gathering *g, const iv_run *run, size_t topic, size_t depth)
{
    const size_t has = iv_run_depth(run, topic), z = has < depth ? has : depth;

    iv_ap_priors(g->prior, z);
    for (size_t r = 0; r < z; r++) {
        const uint32_t id = iv_ids_add(&g->ids, iv_run_docno(run, topic, r));
        if (id == IV_NO_ID)
            return false;
        g->runs[id]++;
        g->mass[id] += (uint64_t)(g->prior[r] * unit + 0.5);
        if (g->best[id] == 0 || r + 1 < g->best[id])
            g->best[id] = (uint32_t)r + 1;
    }
    return true;
}

static bool gather_topic(iv_topic_frame *t, const iv_run *const *runs, size_t count, size_t depth)
{
    gathering g = { 0 };
    iv_arena scratch = { 0 };
    size_t most = 0, deepest = 0;

    for (size_t r = 0; r < count; r++) {
        const size_t at = iv_run_find_topic(runs[r], t->id);
        const size_t has = at == IV_NONE ? 0 : iv_run_depth(runs[r], at);
        const size_t z = has < depth ? has : depth;
        most += z;
        deepest = z > deepest ? z : deepest;
    }
    g.mass = iv_take(&scratch, most + 1, sizeof *g.mass);
    g.best = iv_take(&scratch, most + 1, sizeof *g.best);
    g.runs = iv_take(&scratch, most + 1, sizeof *g.runs);
    g.prior = iv_take(&scratch, deepest + 1, sizeof *g.prior);
    bool good = !scratch.failed;
    for (size_t r = 0; r < count && good; r++) {
        const size_t at = iv_run_find_topic(runs[r], t->id);
        good = at == IV_NONE || gather_run(&g, runs[r], at, depth);
    }
    t->documents = malloc((g.ids.count + 1) * sizeof *t->documents);
    good = good && t->documents != NULL;
    t->count = good ? g.ids.count : 0;
    for (size_t i = 0; i < t->count; i++)
        t->documents[i] = (iv_frame_document){
            g.ids.names[i], (double)g.mass[i], g.best[i], g.runs[i] };
    iv_ids_free(&g.ids);
    iv_arena_free(&scratch);
    return good;
}

static void finish_topic(iv_topic_frame *t)
{
    double sum = 0.0;

    qsort(t->documents, t->count, sizeof *t->documents, by_weight);
    for (size_t i = t->count; i-- > 0;) /* the small ones first */
        sum += t->documents[i].weight;
    for (size_t i = 0; i < t->count; i++)
        t->documents[i].weight /= sum;
}

/* ----------------------------------------------------------- all topics -- */

static int gather_item(void *user, void *memory, size_t t, iv_err *err)
{
    const iv_frame *f = user;

    (void)memory;
    return gather_topic(&f->topics[t], f->runs, f->run_count, f->depth) ? IV_OK : iv_no_memory(err);
}

int iv_frame_new(iv_frame **out, const iv_run *const *runs, size_t count,
                 size_t depth, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_each(runs, count, "run", err));
    iv_frame *f = calloc(1, sizeof *f);
    size_t documents = 0;

    if (f == NULL)
        return iv_no_memory(err);
    f->depth = depth == 0 ? IV_FRAME_DEPTH : depth;
    f->runs = runs;
    f->run_count = count;
    int rc = f->depth < UINT32_MAX ? gather_topics(f, runs, count, err)
        : iv_fail(err, IV_EARG, "the depth of a frame is %zu, expected below 2^32", f->depth);
    if (rc == IV_OK)
        rc = iv_parallel(&(iv_loop){ f->topic_count, gather_item, f, NULL }, work, err);
    for (size_t t = 0; rc == IV_OK && t < f->topic_count; t++) {
        finish_topic(&f->topics[t]);
        documents += f->topics[t].count;
    }
    if (rc == IV_OK && documents == 0)
        rc = iv_fail(err, IV_ENODATA, "there is no document to sample: the runs are "
                     "empty");
    if (rc == IV_OK)
        *out = f;
    else
        iv_frame_free(f);
    return rc;
}

static int weigh_topic(iv_topic_frame *t, const iv_run *weights, const char *name, iv_err *err)
{
    const size_t topic = iv_run_find_topic(weights, t->id);
    const size_t depth = topic == IV_NONE ? 0 : iv_run_depth(weights, topic);
    char quoted[IV_QUOTE_SIZE], document[IV_QUOTE_SIZE];
    iv_ids ids = { 0 };
    int rc = IV_OK;

    for (size_t k = 0; k < depth && rc == IV_OK; k++)
        if (iv_ids_add(&ids, iv_run_docno(weights, topic, k)) == IV_NO_ID)
            rc = iv_no_memory(err);
    for (size_t d = 0; d < t->count && rc == IV_OK; d++) {
        const uint32_t id = iv_ids_find(&ids, t->documents[d].docno);
        const double weight = id == IV_NO_ID ? 0.0 : iv_run_score(weights, topic, id);
        if (weight > 0.0 && weight < (double)INFINITY)
            t->documents[d].weight = weight;
        else
            rc = iv_fail_at(err, IV_ENODATA, name, 0, "document %s of topic %s has no weight; "
                            "expected a number above 0 for each document of the frame",
                            iv_quote(document, t->documents[d].docno), iv_quote(quoted, t->id));
    }
    iv_ids_free(&ids);
    if (rc == IV_OK)
        finish_topic(t);
    return rc;
}

int iv_frame_weigh(iv_frame *f, const iv_run *weights, const char *name, iv_err *err)
{
    for (size_t t = 0; t < f->topic_count; t++)
        IV_TRY(weigh_topic(&f->topics[t], weights, name, err));
    return IV_OK;
}

size_t iv_frame_find_topic(const iv_frame *f, iv_str id)
{
    const iv_topic_frame wanted = { .id = id };
    const iv_topic_frame *found = bsearch(&wanted, f->topics, f->topic_count, sizeof wanted,
                                       by_id);

    return found == NULL ? IV_NONE : (size_t)(found - f->topics);
}

IV_NAMES(iv_design_names, "stevens", "uniform", "stratified", "pool")

IV_NAMES(iv_spread_rule_names, "even", "frame")

enum { USUAL_BUDGET = 100, STRATA_MAX = 64 };

void iv_sample_free(iv_sample *s)
{
    if (s == NULL)
        return;
    for (size_t t = 0; s->topics != NULL && t < s->topic_count; t++) {
        free(s->topics[t].documents);
        free(s->topics[t].open);
        free(s->topics[t].order);
        iv_scheme_free(s->topics[t].scheme);
    }
    free(s->topics);
    free(s);
}

/* FNV-1a: a topic's stream must not change with other topics or versions. */
uint64_t iv_topic_key(iv_str id)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < id.len; i++)
        h = (h ^ (unsigned char)id.ptr[i]) * UINT64_C(0x100000001b3);
    return h;
}

/* ------------------------------------------------ budgets in proportion -- */

/*
 * The factor that makes min(cap, 1 + factor x share) sum to the total: whoever
 * reaches the cap leaves, and the rest is divided among the others.
 */
static double common_factor(const double *share, const size_t *cap, size_t count,
                            double total)
{
    double factor = 0.0;

    for (size_t round = 0; round <= count; round++) {
        double left = total, open = 0.0;
        for (size_t i = 0; i < count; i++) {
            const double most = (double)cap[i];
            if (cap[i] == 0)
                continue;
            if (1.0 + factor * share[i] >= most)
                left -= most;
            else {
                left -= 1.0;
                open += share[i];
            }
        }
        const double next = open > 0.0 ? left / open : factor;
        if (!(next > factor))
            break;
        factor = next;
    }
    return factor;
}

/*
 * Divides `total` among `count` in proportion to share (>= 0, not all 0), each
 * at most its cap and at least 1 where the cap allows; what one cannot take
 * goes to the others.  More than all caps together: the caps.  IV_EARG when
 * there are more places with a cap than things to give.
 */
static int divide_budget(size_t *out, const double *share, const size_t *cap, size_t count,
                         size_t total)
{
    size_t places = 0, room = 0, given = 0;
    iv_placed *owed = malloc((count + 1) * sizeof *owed);

    if (owed == NULL)
        return IV_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        places += cap[i] > 0;
        room += cap[i];
    }
    if (total < places) {
        free(owed);
        return IV_EARG;
    }
    total = total < room ? total : room;
    const double factor = common_factor(share, cap, count, (double)total);
    for (size_t i = 0; i < count; i++) {
        const double due = fmin((double)cap[i], 1.0 + factor * share[i]);
        out[i] = cap[i] == 0 ? 0 : (size_t)due;
        out[i] = out[i] > cap[i] ? cap[i] : out[i];
        owed[i] = (iv_placed){ out[i] < cap[i] ? due - (double)out[i] : -1.0, i };
        given += out[i];
    }
    qsort(owed, count, sizeof *owed, iv_descending_placed); /* by what is owed beyond it */
    while (given < total) { /* one pass, but for rounding */
        const size_t before = given;
        for (size_t k = 0; k < count && given < total; k++)
            if (out[owed[k].at] < cap[owed[k].at]) {
                out[owed[k].at]++;
                given++;
            }
        if (given == before)
            break;
    }
    free(owed);
    return IV_OK;
}

/* --------------------------------------------------------------- strata -- */

typedef struct strata {
    size_t depth[STRATA_MAX + 4];
    size_t size[STRATA_MAX + 4], drawn[STRATA_MAX + 4];
    double weight[STRATA_MAX + 4];
    size_t count;
} strata;

static int by_best(const void *va, const void *vb)
{
    const iv_frame_document *a = va, *b = vb;

    if (a->best != b->best)
        return a->best < b->best ? -1 : 1;
    return iv_str_cmp(a->docno, b->docno);
}

/* The depths to use; the last stratum takes all that is deeper. */
static void set_depths(strata *s, const iv_sample_options *o)
{
    static const size_t usual[] = { 10, 30, 100 };

    s->count = o->strata.count > 0 ? o->strata.count : 3;
    for (size_t h = 0; h < s->count; h++)
        s->depth[h] = o->strata.count > 0 ? (size_t)o->strata.at[h] : usual[h];
    s->depth[s->count++] = SIZE_MAX;
}

/* Counts the documents (in order of best rank) and drops empty strata. */
static int fill_strata(strata *s, const iv_sample_topic *t, const iv_sample_options *o, iv_err *err)
{
    size_t kept = 0, at = 0;

    for (size_t h = 0; h < s->count; h++) {
        size_t size = 0;
        double weight = 0.0;
        for (; at < t->frame && t->open[at].best <= s->depth[h]; at++, size++)
            weight += t->open[at].weight;
        if (size == 0)
            continue;
        if (o->rates.count > 0 && h >= o->rates.count)
            return iv_fail(err, IV_EARG, "%zu rates, but the frame has documents in stratum "
                           "%zu, at best rank %u", o->rates.count, h + 1,
                           (unsigned)t->open[at - 1].best);
        if (o->rates.count > 0)
            s->drawn[kept] = (size_t)fmax(1.0, floor(o->rates.at[h] * (double)size + 0.5));
        s->size[kept] = size;
        s->weight[kept++] = weight;
    }
    s->count = kept;
    return IV_OK;
}

/* Orders t->open by stratum and makes the scheme; empty strata are left out. */
static int stratify(iv_sample_topic *t, const iv_sample_options *o, iv_err *err)
{
    strata s = { .count = 0 };

    set_depths(&s, o);
    qsort(t->open, t->frame, sizeof *t->open, by_best);
    int rc = fill_strata(&s, t, o, err);
    if (rc == IV_OK && o->rates.count == 0) {
        rc = divide_budget(s.drawn, s.weight, s.size, s.count, t->asked);
        if (rc != IV_OK)
            rc = iv_fail(err, rc, "%zu documents cannot be sampled from %zu strata: at least "
                         "one each", t->asked, s.count);
    }
    if (rc == IV_OK)
        rc = iv_scheme_strata(&t->scheme, s.size, s.drawn, s.count, err);
    return rc;
}

/* -------------------------------------------------------------- the order -- */

/*
 * The order in which a sample is to be judged.  Within a bucket it is random, and the first
 * of a bucket's documents are a random choice of those drawn from it; buckets take turns in
 * proportion, so each soon has a judged document.  What is certain comes first: a topic says
 * nothing before all of it is judged.
 */
typedef struct placed {
    size_t document;
    uint32_t bucket;
    double turn;   /* -1: certain */
    uint64_t tie;
} placed;

static int by_bucket(const void *va, const void *vb)
{
    const placed *a = va, *b = vb;

    if (a->bucket != b->bucket)
        return a->bucket < b->bucket ? -1 : 1;
    return a->tie < b->tie ? -1 : a->tie > b->tie;
}

static int by_turn(const void *va, const void *vb)
{
    const placed *a = va, *b = vb;

    if (a->turn != b->turn)
        return a->turn < b->turn ? -1 : 1;
    return a->tie < b->tie ? -1 : a->tie > b->tie;
}

static int put_order(iv_sample_topic *t, iv_stream *stream, iv_err *err)
{
    placed *all = malloc((t->count + 1) * sizeof *all);
    size_t n = 0;

    t->order = malloc((t->count + 1) * sizeof *t->order);
    if (all == NULL || t->order == NULL) {
        free(all);
        return iv_no_memory(err);
    }
    for (size_t i = 0; i < t->count; i++)
        if (t->documents[i].grade < 0)
            all[n++] = (placed){ i, (uint32_t)t->documents[i].stratum, -1.0, iv_draw_bits(stream) };
    qsort(all, n, sizeof *all, by_bucket);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first; end < n && all[end].bucket == all[first].bucket; end++)
            ;
        for (size_t i = first; i < end && all[first].bucket != IV_FIXED; i++)
            all[i].turn = (double)(i - first) / (double)(end - first);
    }
    for (size_t i = 0; i < n; i++)
        all[i].tie = iv_draw_bits(stream); /* the order within a bucket is settled */
    qsort(all, n, sizeof *all, by_turn);
    for (size_t i = 0; i < n; i++)
        t->order[i] = all[i].document;
    t->order_count = n;
    free(all);
    return IV_OK;
}

/* ------------------------------------------------------------ the parts -- */

/*
 * Divides a topic's documents: all[0 ... fixed) are certain, those of the
 * frame in `open`, in its order, may be drawn.
 */
static int part_topic(iv_sample_topic *t, const iv_frame *frame, size_t topic,
                      const iv_sample_options *o, iv_err *err)
{
    const iv_frame_document *docs = frame->topics[topic].documents;
    const iv_judgment *judged = NULL;
    const size_t count = frame->topics[topic].count;
    const size_t jt = o->judged == NULL ? IV_NONE
        : iv_judgments_find_topic(o->judged, frame->topics[topic].id);
    const size_t judged_count = jt == IV_NONE ? 0 : iv_judgments_of(&judged, o->judged, jt);

    t->documents = malloc((count + judged_count + 1) * sizeof *t->documents);
    t->open = malloc((count + 1) * sizeof *t->open);
    if (t->documents == NULL || t->open == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; i < judged_count; i++)
        if (judged[i].grade >= 0)
            t->documents[t->fixed++] = (iv_judgment){ judged[i].docno, 1.0, judged[i].grade, -1 };
    t->judged = t->fixed;
    for (size_t i = 0; i < count; i++) {
        const iv_judgment *j = jt == IV_NONE ? NULL
            : iv_judgments_find(o->judged, jt, docs[i].docno);
        t->pool += docs[i].best <= o->budget_depth;
        if (j != NULL && j->grade >= 0)
            continue;
        if (docs[i].best <= o->pool_depth)
            t->documents[t->fixed++] = (iv_judgment){ docs[i].docno, 1.0, -1, -1 };
        else
            t->open[t->frame++] = docs[i];
    }
    return IV_OK;
}

/* ----------------------------------------------------------- the budget -- */

static int divide_total(iv_sample *s, const iv_sample_options *o, iv_err *err)
{
    const size_t n = s->topic_count;
    iv_arena scratch = { 0 };
    double *share = iv_arena_alloc(&scratch, (n + 1) * sizeof *share);
    size_t *cap = iv_arena_alloc(&scratch, (n + 1) * sizeof *cap);
    size_t *got = iv_arena_alloc(&scratch, (n + 1) * sizeof *got);
    int rc = iv_taken(&scratch, err);

    for (size_t t = 0; t < n && rc == IV_OK; t++) {
        cap[t] = s->topics[t].frame;
        share[t] = o->spread == IV_SPREAD_FRAME ? (double)cap[t] : 1.0;
    }
    if (rc == IV_OK && (rc = divide_budget(got, share, cap, n, o->total)) != IV_OK)
        rc = iv_fail(err, rc, "a total of %zu documents is less than one for each of the "
                     "%zu topics", o->total, n);
    for (size_t t = 0; t < n && rc == IV_OK; t++)
        s->topics[t].asked = got[t];
    iv_arena_free(&scratch);
    return rc;
}

static int check_strata(const iv_sample_options *o, iv_err *err)
{
    if (o->strata.count > STRATA_MAX || o->rates.count > STRATA_MAX)
        return iv_fail(err, IV_EARG, "more than %d strata", STRATA_MAX);
    for (size_t i = 0; i < o->strata.count; i++)
        if (o->strata.at[i] < 1 || (i > 0 && o->strata.at[i] <= o->strata.at[i - 1]))
            return iv_fail(err, IV_EARG, "the strata's depths must rise from at least 1");
    for (size_t i = 0; i < o->rates.count; i++)
        if (!(o->rates.at[i] > 0.0 && o->rates.at[i] <= 1.0))
            return iv_fail(err, IV_EARG, "rate %g of stratum %zu, expected 0 < rate <= 1",
                           o->rates.at[i], i + 1);
    return IV_OK;
}

static int check_options(const iv_sample_options *o, iv_err *err)
{
    const int budgets = (o->budget > 0) + (o->total > 0) + (o->budget_depth > 0);
    const bool draws = o->design != IV_DESIGN_POOL;
    const bool rates = o->design == IV_DESIGN_STRATIFIED && o->rates.count > 0;

    if (draws && budgets + rates != 1)
        return iv_fail(err, IV_EARG, "a budget can be given in one way only: per topic, in "
                       "total, as a pool's depth, or by rates of strata");
    if (!draws && o->pool_depth == 0 && o->judged == NULL)
        return iv_fail(err, IV_EARG, "a pool needs its depth");
    if (o->judged != NULL && iv_judgments_format_of(o->judged) != IV_JUDGMENTS_QRELS
        && iv_judgments_format_of(o->judged) != IV_JUDGMENTS_BEIR)
        return iv_fail(err, IV_EARG, "the existing judgments are a sample, expected qrels");
    return check_strata(o, err);
}

/* Nothing says how many to draw: the usual number. */
static iv_sample_options completed(const iv_sample_options *given)
{
    iv_sample_options o = given == NULL ? (iv_sample_options){ 0 } : *given;

    if (o.design != IV_DESIGN_POOL && o.budget + o.total + o.budget_depth == 0
        && o.rates.count == 0)
        o.budget = USUAL_BUDGET;
    return o;
}

/* ---------------------------------------------------------- the drawing -- */

static int make_scheme(iv_sample_topic *t, const iv_sample_options *o, iv_err *err)
{
    if (o->design == IV_DESIGN_STRATIFIED)
        return stratify(t, o, err);
    const size_t n = t->asked < t->frame ? t->asked : t->frame;
    if (o->design == IV_DESIGN_UNIFORM)
        return iv_scheme_strata(&t->scheme, &t->frame, &n, 1, err);
    double *weights = malloc(t->frame * sizeof *weights);
    if (weights == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; i < t->frame; i++)
        weights[i] = t->open[i].weight;
    const int rc = iv_scheme_stevens_of(&t->scheme, weights, t->frame, n, err);
    free(weights);
    return rc;
}

static int by_docno(const void *a, const void *b)
{
    return iv_str_cmp(((const iv_judgment *)a)->docno, ((const iv_judgment *)b)->docno);
}

/* Marks the chosen of `open`, then moves all documents to t->documents. */
static int draw_documents(iv_sample_topic *t, iv_stream *stream, iv_err *err)
{
    const size_t buckets = t->scheme->buckets;
    iv_arena scratch = { 0 };
    size_t *taken = iv_arena_alloc(&scratch, (buckets + t->frame) * sizeof *taken);
    bool *chosen = iv_take(&scratch, t->frame, sizeof *chosen);
    size_t first = 0, rest = t->fixed;

    if (scratch.failed) {
        iv_arena_free(&scratch);
        return iv_no_memory(err);
    }
    iv_scheme_draw(taken, t->scheme, stream);
    for (size_t b = 0; b < buckets; b++) {
        const size_t size = t->scheme->bucket[b].size;
        size_t *which = taken + buckets;
        (void)iv_draw_subset(stream, which, taken[b], size);
        for (size_t k = 0; k < taken[b]; k++)
            chosen[first + which[k]] = true;
        t->drawn += taken[b];
        first += size;
    }
    rest += t->drawn;
    first = 0;
    for (size_t b = 0, at = t->fixed; b < buckets; b++) {
        const iv_bucket *bucket = &t->scheme->bucket[b];
        for (size_t i = first; i < first + bucket->size; i++)
            t->documents[chosen[i] ? at++ : rest++] = (iv_judgment){
                t->open[i].docno, chosen[i] ? bucket->pi : 0.0, -1, (int32_t)b };
        first += bucket->size;
    }
    iv_arena_free(&scratch);
    return IV_OK;
}

static int draw_topic(iv_sample_topic *t, const iv_sample_options *o, uint64_t seed, iv_err *err)
{
    iv_stream stream = iv_stream_start(seed, IV_FOR_SAMPLING, iv_topic_key(t->topic));
    int rc = IV_OK;

    if (o->design != IV_DESIGN_POOL && t->frame > 0 && t->asked > 0)
        rc = make_scheme(t, o, err);
    if (rc == IV_OK && t->scheme != NULL)
        rc = draw_documents(t, &stream, err);
    if (rc != IV_OK)
        return rc;
    t->count = t->fixed + t->drawn;
    t->rest = t->documents + t->count;
    t->rest_count = t->scheme != NULL ? t->frame - t->drawn : 0;
    qsort(t->documents, t->count, sizeof *t->documents, by_docno);
    qsort(t->rest, t->rest_count, sizeof *t->rest, by_docno);
    return put_order(t, &stream, err);
}

static int part_item(void *user, void *memory, size_t t, iv_err *err)
{
    const iv_sample *s = user;
    iv_sample_topic *topic = &s->topics[t];

    (void)memory;
    topic->topic = s->frame->topics[t].id;
    const int rc = part_topic(topic, s->frame, t, s->o, err);
    topic->asked = s->o->budget_depth > 0 ? topic->pool : s->o->budget;
    if (s->o->design == IV_DESIGN_STRATIFIED && s->o->rates.count > 0)
        topic->asked = topic->frame;
    return rc;
}

static int draw_item(void *user, void *memory, size_t t, iv_err *err)
{
    const iv_sample *s = user;

    (void)memory;
    return draw_topic(&s->topics[t], s->o, s->seed, err);
}

static int draw_all(iv_sample *s, const iv_work *work, iv_err *err)
{
    iv_stage part, draw;

    s->seed = iv_work_seed(work);
    IV_TRY(iv_parallel(&(iv_loop){ s->topic_count, part_item, s, NULL },
                       iv_work_part(&part, work, 0.0, 0.5), err));
    if (s->o->total > 0)
        IV_TRY(divide_total(s, s->o, err));
    return iv_parallel(&(iv_loop){ s->topic_count, draw_item, s, NULL },
                       iv_work_part(&draw, work, 0.5, 1.0), err);
}

int iv_sample_draw(iv_sample **out, const iv_frame *frame, const iv_sample_options *options,
                   const iv_work *work, iv_err *err)
{
    IV_TRY(IV_CHECK(options, err,
                    IV_CHOICE_OF(iv_sample_options, design, iv_design_names, "the design"),
                    IV_CHOICE_OF(iv_sample_options, spread, iv_spread_rule_names, "the division "
                                 "of the total"),
                    IV_PART_OF(iv_sample_options, strata, INTEGERS, "depth of a stratum"),
                    IV_PART_OF(iv_sample_options, rates, REALS, "a rate")));
    const iv_sample_options o = completed(options);
    int rc = check_options(&o, err);
    iv_sample *s = rc == IV_OK ? calloc(1, sizeof *s) : NULL;

    if (s == NULL)
        return rc == IV_OK ? iv_no_memory(err) : rc;
    s->design = o.design;
    s->o = &o;
    s->frame = frame;
    s->depth = frame->depth;
    s->topic_count = frame->topic_count;
    s->topics = calloc(s->topic_count + 1, sizeof *s->topics);
    rc = s->topics == NULL ? iv_no_memory(err) : draw_all(s, work, err);
    for (size_t t = 0; o.judged != NULL && t < iv_judgments_topics(o.judged); t++)
        s->foreign += iv_frame_find_topic(frame, iv_judgments_topic(o.judged, t)) == IV_NONE;
    if (rc == IV_OK)
        *out = s;
    else
        iv_sample_free(s);
    return rc;
}

size_t iv_sample_topics(const iv_sample *s) { return s->topic_count; }

iv_sample_topic iv_sample_topic_at(const iv_sample *s, size_t topic) { return s->topics[topic]; }
