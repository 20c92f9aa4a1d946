/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frame of each topic: what the runs return, and its weight.
 *
 * Weights are summed as whole multiples of 2^-46, so that the order of the
 * runs does not matter and equal weights are equal: they decide who shares a
 * bucket with whom.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checking.h"
#include "base/ids.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "design/inquiry_parts.h"
#include "design/sampling_state.h"
#include "intervale/design.h"
#include "intervale/trec.h"
#include "trec/roles.h"
#include "trec/trec_private.h"

/* ------------------------------------------------------------- many runs -- */

typedef struct load_loop {
    iv_run **runs;
    const char *const *paths;
    size_t count;
    iv_run_format format;
    const iv_work *work;
    bool many; /* files, which are read side by side, one thread a file */
} load_loop;

static int load_item(void *user, void *memory, size_t i, iv_err *err)
{
    const load_loop *l = user;
    const double n = (double)l->count;
    iv_stage stage = { .work = iv_work_quiet(l->work) };

    (void)memory;
    if (l->many)
        stage.work.threads = 1;
    else
        (void)iv_work_part(&stage, l->work, (double)i / n, (double)(i + 1) / n);
    return iv_run_load(&l->runs[i], l->paths[i], l->format, &stage.work, err);
}

int iv_runs_load(iv_run **out, const char *const *paths, size_t count,
                 iv_run_format format, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_each(paths, count, "run", err));
    IV_TRY(iv_check_choice(format, iv_run_format_names(), "the format of the runs", err));
    const iv_work all = work == NULL ? (iv_work){ 0 } : *work;
    const bool many = count >= 2 * (size_t)iv_work_threads(work);
    load_loop l = { calloc(count + 1, sizeof(iv_run *)), paths, count, format, &all,
                    many };
    iv_work files = all;

    if (l.runs == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for %zu runs", count);
    if (!many) /* few files: one after the other, each by all threads */
        files.threads = 1;
    const int rc = iv_parallel(&(iv_loop){ count, load_item, &l, NULL }, &files, err);
    if (rc == IV_OK)
        memcpy(out, l.runs, count * sizeof(iv_run *));
    for (size_t i = 0; i < count && rc != IV_OK; i++)
        iv_run_free(l.runs[i]);
    free(l.runs);
    return rc;
}

/* ----------------------------------------------------- what a label says -- */

double iv_largest_label(const iv_judgments *machine, bool scored)
{
    return scored ? IV_SCORE_PARTS - 1.0 : fmax(1.0, iv_largest_grade(machine));
}

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

size_t iv_frame_find_topic(const iv_frame *f, iv_str id)
{
    const iv_topic_frame wanted = { .id = id };
    const iv_topic_frame *found = bsearch(&wanted, f->topics, f->topic_count, sizeof wanted,
                                       by_id);

    return found == NULL ? IV_NONE : (size_t)(found - f->topics);
}

size_t iv_frame_documents(const iv_frame_document **out, const iv_frame *f, size_t topic)
{
    *out = f->topics[topic].documents;
    return f->topics[topic].count;
}

