/* SPDX-License-Identifier: Apache-2.0 */
/* The pool of documents of several runs, with their ranks. */
#include "active/pooled.h"
#include "base/err.h"
#include "base/ids.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "trec/judgments.h"
#include "trec/run.h"

#include <stdlib.h>

typedef struct ordered {
    iv_str docno;
    uint32_t best, id;
} ordered;

static int by_best_rank(const void *x, const void *y)
{
    const ordered *a = x, *b = y;

    if (a->best != b->best)
        return a->best < b->best ? -1 : 1;
    return iv_str_cmp(a->docno, b->docno);
}

static size_t depth_of(const iv_run *run, size_t at, size_t most)
{
    const size_t depth = iv_run_depth(run, at);

    return most > 0 && most < depth ? most : depth;
}

/* All documents of the topic, ordered; *id_of maps numbers in ids to places. */
static int collect(iv_pooled_topic *t, iv_ids *ids, uint32_t **place, const iv_run *const *runs,
                   size_t count, const iv_pooled_options *o, iv_err *err)
{
    ordered *list = NULL;
    size_t capacity = 0;
    int rc = IV_OK;

    for (size_t r = 0; r < count && rc == IV_OK; r++) {
        const size_t at = iv_run_find_topic(runs[r], t->id);
        const size_t depth = depth_of(runs[r], at, o->depth);
        for (size_t k = 0; k < depth && rc == IV_OK; k++) {
            const iv_str docno = iv_run_docno(runs[r], at, k);
            const size_t known = ids->count;
            const uint32_t id = iv_ids_add(ids, docno);
            if (id == IV_NO_ID || !IV_ROOM(list, capacity, known + 1))
                rc = iv_no_memory(err);
            else if (id == known)
                list[id] = (ordered){ docno, (uint32_t)k + 1, id };
            else if (k + 1 < list[id].best)
                list[id].best = (uint32_t)k + 1;
        }
    }
    const size_t m = ids->count;
    t->docno = iv_arena_alloc(&t->memory, (m + 1) * sizeof *t->docno);
    *place = iv_arena_alloc(&t->memory, (m + 1) * sizeof **place);
    if (rc == IV_OK)
        rc = iv_taken(&t->memory, err);
    if (rc == IV_OK && m > 0)
        qsort(list, m, sizeof *list, by_best_rank);
    for (size_t i = 0; i < m && rc == IV_OK; i++) {
        t->docno[i] = list[i].docno;
        (*place)[list[i].id] = (uint32_t)i;
    }
    t->documents = m;
    free(list);
    return rc;
}

static void fill_ranks(iv_pooled_topic *t, const iv_ids *ids, const uint32_t *place,
                       const iv_run *const *runs, size_t count, size_t most)
{
    for (size_t r = 0; r < count; r++) {
        uint32_t *rank = t->rank + r * t->documents;
        const size_t at = iv_run_find_topic(runs[r], t->id);
        const size_t depth = depth_of(runs[r], at, most);
        for (size_t k = 0; k < depth; k++)
            rank[place[iv_ids_find(ids, iv_run_docno(runs[r], at, k))]] = (uint32_t)k + 1;
    }
}

static void fill_judged(iv_pooled_topic *t, const iv_ids *ids, const uint32_t *place,
                        const iv_judgments *judgments, int32_t level)
{
    const iv_judgment *list = NULL;
    const size_t at = judgments == NULL ? IV_NONE
                                        : iv_judgments_find_topic(judgments, t->id);
    const size_t n = at == IV_NONE ? 0 : iv_judgments_of(&list, judgments, at);

    for (size_t i = 0; i < t->documents; i++)
        t->judged[i] = -1;
    for (size_t k = 0; k < n; k++) {
        const uint32_t id = iv_ids_find(ids, list[k].docno);
        if (list[k].grade < 0)
            continue; /* not judged */
        if (id != IV_NO_ID)
            t->judged[place[id]] = list[k].grade >= level;
        else
            t->outside += list[k].grade >= level;
    }
}

static int pool_item(void *user, void *memory, size_t topic, iv_err *err)
{
    const iv_pooled *p = user;
    iv_pooled_topic *t = &p->topic[topic];
    iv_ids ids = { 0 };
    uint32_t *place = NULL;
    int rc = collect(t, &ids, &place, p->run, p->runs, &p->options, err);

    (void)memory;
    if (rc == IV_OK) {
        t->rank = iv_take(&t->memory, p->runs * t->documents + 1, sizeof *t->rank);
        t->judged = iv_arena_alloc(&t->memory, t->documents + 1);
        rc = iv_taken(&t->memory, err);
    }
    if (rc == IV_OK) {
        fill_ranks(t, &ids, place, p->run, p->runs, p->options.depth);
        fill_judged(t, &ids, place, p->judgments, p->options.level);
    }
    iv_ids_free(&ids);
    return rc;
}

/* In how many of the runs is a topic? */
static size_t runs_with(const iv_run *const *runs, size_t count, iv_str id)
{
    size_t with = 0;

    for (size_t r = 0; r < count; r++)
        with += iv_run_find_topic(runs[r], id) != IV_NONE;
    return with;
}

/* The first run that has a topic tells of it, so that each is seen once. */
static bool seen_before(const iv_run *const *runs, size_t r, iv_str id)
{
    for (size_t k = 0; k < r; k++)
        if (iv_run_find_topic(runs[k], id) != IV_NONE)
            return true;
    return false;
}

static int choose_topics(iv_pooled *p, const iv_run *const *runs, size_t count,
                         const iv_judgments *judgments, bool judged_topics, iv_err *err)
{
    for (size_t r = 0; r < count; r++) {
        for (size_t t = 0; t < iv_run_topics(runs[r]); t++) {
            const iv_str id = iv_run_topic(runs[r], t);
            if (seen_before(runs, r, id))
                continue;
            if (runs_with(runs, count, id) < count) {
                p->not_shared++;
                p->not_shared_first = id;
                continue;
            }
            /* With nothing judged yet every topic is as good as another. */
            if (judged_topics && judgments != NULL
                && iv_judgments_find_topic(judgments, id) == IV_NONE) {
                p->not_judged++;
                p->not_judged_first = id;
                continue;
            }
            if (!IV_ROOM(p->topic, p->capacity, p->topics + 1))
                return iv_no_memory(err);
            p->topic[p->topics++] = (iv_pooled_topic){ .id = id };
        }
    }
    if (p->topics == 0 && p->not_judged > 0)
        return iv_fail(err, IV_ENODATA, "the runs share no topic with the judgments");
    if (p->topics == 0)
        return iv_fail(err, IV_ENODATA, "the runs share no topic");
    return IV_OK;
}

static void count_facts(iv_pooled *p)
{
    for (size_t t = 0; t < p->topics; t++) {
        p->documents += p->topic[t].documents;
        p->outside += p->topic[t].outside;
        for (size_t i = 0; i < p->topic[t].documents; i++) {
            p->judged += p->topic[t].judged[i] >= 0;
            p->relevant += p->topic[t].judged[i] == 1;
        }
    }
}

int iv_pooled_new(iv_pooled **out, const iv_run *const *runs, size_t count,
                  const iv_judgments *judgments, const iv_pooled_options *options,
                  const iv_work *work, iv_err *err)
{
    iv_pooled_options o = options == NULL ? (iv_pooled_options){ 0 } : *options;

    /* What a sample left out is not judged yet; as the truth of topics it will not do. */
    if (judgments != NULL && o.judged_topics
        && (iv_judgments_format_of(judgments) == IV_JUDGMENTS_PRELS
            || iv_judgments_format_of(judgments) == IV_JUDGMENTS_STRATIFIED))
        return iv_fail(err, IV_EARG, "the judgments are a sample; expected ordinary judgments "
                       "(qrels)"
                       IV_HINT("; for a sample, use 'intervale eval' or 'compare'"));
    iv_pooled *p = calloc(1, sizeof *p);
    if (p == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    o.level = o.level == 0 ? 1 : o.level == IV_ZERO ? 0 : o.level;
    p->runs = count;
    p->run = runs;
    p->judgments = judgments;
    p->options = o;
    int rc = choose_topics(p, runs, count, judgments, o.judged_topics, err);
    if (rc == IV_OK)
        rc = iv_parallel(&(iv_loop){ p->topics, pool_item, p, NULL }, work, err);
    if (rc != IV_OK) {
        iv_pooled_free(p);
        return rc;
    }
    count_facts(p);
    *out = p;
    return IV_OK;
}

void iv_pooled_free(iv_pooled *p)
{
    if (p == NULL)
        return;
    for (size_t t = 0; t < p->topics; t++)
        iv_arena_free(&p->topic[t].memory);
    free(p->topic);
    free(p);
}

const uint32_t *iv_pooled_ranks(const iv_pooled *p, size_t t, size_t run)
{
    return p->topic[t].rank + run * p->topic[t].documents;
}

