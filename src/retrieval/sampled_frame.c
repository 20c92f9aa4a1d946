/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates from a sample when all documents of its frame are known. */
#include "base/ids.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "retrieval/known_frame.h"
#include "retrieval/sampled_worker.h"
#include "sampling/sample_state.h"
#include "trec/judgments.h"
#include "trec/run.h"

#include <math.h>
#include <stdlib.h>

void iv_known_frame_free(iv_known_frame *f)
{
    if (f == NULL)
        return;
    for (size_t t = 0; f->topics != NULL && t < f->topic_count; t++)
        iv_arena_free(&f->topics[t].memory);
    free(f->topics);
    free(f->rankings);
    free(f);
}

/* Fills a topic from its judgments; false when memory is out. */
static bool fill_topic(iv_known_topic *t, const iv_sampling_topic *s,
                       const iv_judgments *j, size_t judged_topic)
{
    size_t inside = 0, all = 0;

    t->relevant = iv_take(&t->memory, t->count + 1, sizeof *t->relevant);
    t->weight = iv_take(&t->memory, t->count + 1, sizeof *t->weight);
    t->known = iv_take(&t->memory, t->count + 1, sizeof *t->known);
    if (t->memory.failed)
        return false;
    for (size_t i = 0; i < s->count; i++)
        all += s->pi[i] > 0.0 && s->grade[i] > 0;
    for (size_t d = 0; d < t->count; d++) {
        const iv_judgment *found = iv_judgments_find(j, judged_topic, t->documents[d].docno);
        const size_t i = found == NULL ? 0 : (size_t)(found - s->judgments);
        if (found == NULL || !(s->pi[i] > 0.0))
            continue;
        t->weight[d] = 1.0 / s->pi[i];
        t->relevant[d] = s->grade[i] > 0;
        if (!t->relevant[d])
            continue;
        t->known[t->known_count++] = (uint32_t)d;
        t->total += t->weight[d];
        inside++;
    }
    t->outside = all - inside;
    return true;
}

static int fill_topics(iv_known_frame *f, const iv_frame *frame, const iv_sampling *judged,
                       bool without_too, iv_err *err)
{
    const iv_judgments *j = judged->judgments;

    f->topics = calloc(frame->topic_count + 1, sizeof *f->topics);
    if (f->topics == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for a frame");
    for (size_t t = 0; t < frame->topic_count; t++) {
        iv_known_topic *x = &f->topics[f->topic_count];
        const size_t at = iv_judgments_find_topic(j, frame->topics[t].id);
        *x = (iv_known_topic){ .id = frame->topics[t].id };
        x->documents = frame->topics[t].documents;
        x->count = frame->topics[t].count;
        f->unjudged += at == IV_NONE;
        if (at == IV_NONE)
            continue;
        const iv_sampling_topic s = iv_sampling_topic_at(judged, at);
        f->topic_count++; /* before it can fail: it is freed then */
        if (!fill_topic(x, &s, j, at))
            return iv_fail(err, IV_ENOMEM, "out of memory for a frame");
        f->inside += x->known_count;
        f->outside += x->outside;
        f->without += x->known_count == 0;
        if (x->known_count > 0 || without_too)
            continue;
        f->topic_count--;
        iv_arena_free(&x->memory);
        *x = (iv_known_topic){ .count = 0 };
    }
    return f->inside > 0 ? IV_OK
        : iv_fail(err, IV_ENODATA, "no topic of the runs has a relevant document in the frame");
}

/* One run on one topic; where: the frame's documents by name. */
static bool rank_topic(iv_label_ranking *r, iv_known_topic *t, const iv_ids *where,
                       const iv_run *run, size_t topic, bool relevant_only)
{
    const size_t depth = iv_run_depth(run, topic);
    size_t count = 0;

    r->document = iv_arena_alloc(&t->memory, (depth + 1) * sizeof *r->document);
    r->rank = iv_arena_alloc(&t->memory, (depth + 1) * sizeof *r->rank);
    r->relevant = iv_arena_alloc(&t->memory, (depth + 1) * sizeof *r->relevant);
    if (t->memory.failed)
        return false;
    for (size_t k = 0; k < depth; k++) {
        const uint32_t d = iv_ids_find(where, iv_run_docno(run, topic, k));
        if (d == IV_NO_ID || (relevant_only && !t->relevant[d]))
            continue;
        if (t->relevant[d])
            r->relevant[r->relevant_count++] = (uint32_t)count;
        r->document[count] = d;
        r->rank[count++] = (double)k + 1.0;
    }
    r->count = count;
    return true;
}

static bool rank_all(iv_known_frame *f, size_t topic)
{
    iv_known_topic *t = &f->topics[topic];
    iv_ids where = { 0 };
    bool good = true;

    for (size_t d = 0; d < t->count && good; d++)
        good = iv_ids_add(&where, t->documents[d].docno) != IV_NO_ID;
    for (size_t r = 0; r < f->runs && good; r++) {
        const size_t at = iv_run_find_topic(f->ranked[r], t->id);
        if (at != IV_NONE)
            good = rank_topic(&f->rankings[r * f->topic_count + topic], t, &where,
                              f->ranked[r], at, f->relevant_only);
    }
    iv_ids_free(&where);
    return good;
}

static int rank_item(void *user, void *memory, size_t topic, iv_err *err)
{
    iv_known_frame *f = user;

    (void)memory;
    if (rank_all(f, topic))
        return IV_OK;
    return iv_fail(err, IV_ENOMEM, "out of memory for the rankings of %zu runs", f->runs);
}

int iv_known_frame_new(iv_known_frame **out, const iv_frame *frame,
                       const iv_sampling *judged, const iv_run *const *runs, size_t count,
                       bool without_too, bool relevant_only, const iv_work *work, iv_err *err)
{
    iv_known_frame *f = calloc(1, sizeof *f);

    if (f == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for a frame");
    f->ranked = runs;
    f->relevant_only = relevant_only;
    int rc = fill_topics(f, frame, judged, without_too, err);
    if (rc == IV_OK) {
        f->rankings = calloc(count * f->topic_count + 1, sizeof *f->rankings);
        f->runs = f->rankings != NULL ? count : 0;
        rc = f->rankings != NULL
            ? iv_parallel(&(iv_loop){ .count = f->topic_count, .item = rank_item, .user = f },
                          work, err)
            : iv_fail(err, IV_ENOMEM, "out of memory for the rankings of %zu runs", count);
    }
    if (rc == IV_OK)
        *out = f;
    else
        iv_known_frame_free(f);
    return rc;
}

double iv_known_ap(const iv_known_topic *t, const iv_label_ranking *r)
{
    double sum = 0.0;

    for (size_t k = 0; k < r->relevant_count; k++)
        sum += ((double)k + 1.0) / r->rank[r->relevant[k]];
    return t->known_count > 0 ? sum / (double)t->known_count : 0.0;
}

/*
 * infAP, infNDCG, inferred precision and counts, as TREC's sample_eval has
 * them: the documents of a stratum that the ranking shows are taken to be
 * relevant as often as the judged ones among them.
 *
 * Ref: Yilmaz, Kanoulas and Aslam (2008), A simple and efficient sampling
 * method for estimating AP and NDCG, SIGIR; for one uniform sample Yilmaz and
 * Aslam (2006), Estimating average precision with incomplete and imperfect
 * judgments, CIKM.
 */

enum { DEEPEST = 1000 }; /* documents of a ranking that sample_eval looks at */

static const double epsilon = 1e-5; /* smooths 0/0 */

static void forget(const iv_sampled_worker *w)
{
    for (size_t s = 0; s < w->stratum_count; s++)
        w->strata[s].pooled = w->strata[s].judged = w->strata[s].relevant
            = w->strata[s].gain = 0.0;
}

static void see(const iv_sampled_worker *w, const iv_inferred_hit *h)
{
    iv_inferred_stratum *s = &w->strata[h->stratum];

    s->pooled += 1.0;
    if (h->grade < 0)
        return;
    s->judged += 1.0;
    s->relevant += h->grade >= w->view.level;
    if (h->grade > 0)
        s->gain += (double)h->grade / log2((double)h->rank + 1.0);
}

/* Relevant documents among those seen. */
static double expected_relevant(const iv_sampled_worker *w)
{
    double sum = 0.0;

    for (size_t i = 0; i < w->stratum_count; i++) {
        const iv_inferred_stratum *s = &w->strata[i];
        sum += s->pooled * ((s->relevant + epsilon) / (s->judged + 3.0 * epsilon));
    }
    return sum;
}

/* The same with one stratum, smoothed as trec_eval does. */
static double expected_uniform(const iv_sampled_worker *w)
{
    const iv_inferred_stratum *s = &w->strata[0];

    return s->pooled * ((s->relevant + epsilon) / (s->judged + 2.0 * epsilon));
}

static double average_precision(const iv_sampled_worker *w, bool uniform)
{
    double sum = 0.0;

    forget(w);
    for (size_t k = 0; k < w->hit_count; k++) {
        const iv_inferred_hit *h = &w->hits[k];
        if (h->rank > DEEPEST && !uniform)
            break;
        if (h->grade >= w->view.level) {
            const iv_inferred_stratum *s = &w->strata[h->stratum];
            const double above = h->rank == 1 ? 0.0
                : uniform ? expected_uniform(w) : expected_relevant(w);
            sum += (1.0 + above) / (double)h->rank * (s->size / s->sampled);
        }
        see(w, h);
    }
    return w->relevant > 0.0 ? sum / w->relevant : 0.0;
}

/* Looks at the ranking down to a rank. */
static void look(const iv_sampled_worker *w, size_t cutoff)
{
    const size_t end = cutoff < DEEPEST ? cutoff : DEEPEST;

    forget(w);
    for (size_t k = 0; k < w->hit_count && w->hits[k].rank <= end; k++)
        see(w, &w->hits[k]);
}

static double ndcg(const iv_sampled_worker *w)
{
    double gain = 0.0, ideal = 0.0;
    size_t place = 0;

    look(w, DEEPEST);
    for (size_t i = 0; i < w->stratum_count; i++)
        if (w->strata[i].judged > 0.0)
            gain += w->strata[i].pooled * w->strata[i].gain / w->strata[i].judged;
    for (size_t g = w->grades; g > 0; g--) {
        const double whole = floor(w->grade_count[g - 1] + 0.5);
        for (double k = 0.0; k < whole && place < DEEPEST; k += 1.0)
            ideal += (double)g / log2((double)++place + 1.0);
    }
    return ideal > 0.0 ? gain / ideal : 0.0;
}

double iv_inferred(const iv_sampled_worker *w, iv_sampled_kind kind, size_t cutoff)
{
    switch (kind) {
    case IV_SAMPLED_INFAP:
        return average_precision(w, w->stratum_count == 1);
    case IV_SAMPLED_XINFAP:
        return average_precision(w, false);
    case IV_SAMPLED_INFNDCG:
        return ndcg(w);
    case IV_SAMPLED_IP:
        look(w, cutoff);
        return expected_relevant(w) / (double)cutoff;
    case IV_SAMPLED_INUM_REL_RET:
        look(w, DEEPEST);
        return expected_relevant(w);
    default:
        return w->relevant;
    }
}
