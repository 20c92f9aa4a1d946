/* SPDX-License-Identifier: Apache-2.0 */
/* Differences of runs in any measure when judgments are missing, by simulated judgments. */
#include "active/incomplete.h"
#include "active/judging_topics.h"
#include "base/err.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "measure/measures.h"
#include "measure/scorer.h"
#include "num/draw.h"
#include "stat/pair_tests.h"
#include "trec/judgments.h"

#include <string.h>

enum { DRAWS = 500 };

/* The grades of judged documents: those that are relevant, and the others. */
typedef struct grade_list {
    int32_t *at;
    size_t count, capacity;
} grade_list;

typedef struct simulated {
    const iv_judging_state *q;
    const iv_pooled *p;
    const iv_judgments *judgments; /* NULL: nothing is judged */
    const iv_measures *measures;
    size_t cutoff;   /* documents below it in all runs do not count; 0: none is */
    int32_t largest, level;
    uint64_t seed;
    grade_list relevant, other;
    size_t pairs;
    iv_moments *moments; /* pairs a topic */
} simulated;

/* A thread's. */
typedef struct worker {
    iv_scorer *scorer;
    iv_arena own;
    double *values; /* runs a draw */
    size_t width;   /* values of the measure: the first is used */
    double *row;
} worker;

static void end_worker(void *memory)
{
    worker *w = memory;

    iv_scorer_free(w->scorer);
    iv_arena_free(&w->own);
}

static void *start_worker(iv_arena *own, void *user)
{
    const simulated *x = user;
    worker *w = iv_own(own, iv_take(own, 1, sizeof *w), end_worker);

    if (w == NULL || iv_scorer_new(&w->scorer, x->measures, x->largest, NULL) != IV_OK)
        return NULL;
    w->values = iv_take(own, DRAWS * x->p->runs, sizeof *w->values);
    w->row = iv_take(own, iv_measures_count(x->measures), sizeof *w->row);
    return own->failed ? NULL : w;
}

/* A topic's judgments, with room for the open documents behind them, and rankings. */
typedef struct pool_topic {
    iv_judgment *judged;
    size_t judged_count, open_count;
    double *chance; /* of the open ones to be relevant */
    iv_joined *run;
} pool_topic;

static int32_t any_grade(const grade_list *of, int32_t otherwise, iv_stream *s)
{
    return of->count == 0 ? otherwise : of->at[iv_draw_below(s, of->count)];
}

/* Which judgment each document has: one that was made, or one that is drawn. */
static const iv_judgment **place(pool_topic *k, iv_arena *own, const simulated *x, size_t t)
{
    const iv_pooled_topic *topic = &x->p->topic[t];
    const size_t at = x->judgments == NULL ? IV_NONE
        : iv_judgments_find_topic(x->judgments, topic->id);
    const iv_judgment *list = NULL;
    const size_t n = at == IV_NONE ? 0 : iv_judgments_of(&list, x->judgments, at);
    const iv_judgment **of = iv_take(own, topic->documents + 1, sizeof *of);

    k->judged = iv_take(own, n + topic->documents + 1, sizeof *k->judged);
    k->chance = iv_take(own, topic->documents + 1, sizeof *k->chance);
    if (own->failed)
        return NULL;
    if (n > 0)
        memcpy(k->judged, list, n * sizeof *list);
    k->judged_count = n;
    for (size_t i = 0; i < topic->documents; i++) {
        const bool judged = topic->judged[i] >= 0;
        const iv_judgment *j = judged ? iv_judgments_find(x->judgments, at, topic->docno[i])
                                      : NULL;
        if (judged) {
            of[i] = k->judged + (j - list);
        } else if (x->cutoff == 0 || iv_judging_best_rank(x->q, t, i) <= x->cutoff) {
            const size_t place = n + k->open_count;
            k->judged[place] = (iv_judgment){ topic->docno[i], 1.0, 0, -1 };
            k->chance[k->open_count++] = iv_judging_relevance(x->q, t, i);
            of[i] = &k->judged[place];
        }
    }
    return of;
}

static int lay_out(pool_topic *k, iv_arena *own, const simulated *x, size_t t, iv_err *err)
{
    const iv_pooled_topic *topic = &x->p->topic[t];
    const iv_judgment **of = place(k, own, x, t);

    k->run = iv_take(own, x->p->runs, sizeof *k->run);
    IV_TRY(iv_taken(own, err));
    for (size_t r = 0; r < x->p->runs; r++) {
        const uint32_t *rank = iv_pooled_ranks(x->p, t, r);
        iv_hit *hits = iv_take(own, topic->documents + 1, sizeof *hits);
        size_t depth = 0;
        IV_TRY(iv_taken(own, err));
        for (size_t i = 0; i < topic->documents; i++) {
            if (rank[i] == 0)
                continue;
            hits[rank[i] - 1] = (iv_hit){ topic->docno[i], -(double)rank[i], of[i] };
            depth = rank[i] > depth ? rank[i] : depth;
        }
        k->run[r] = (iv_joined){ .topic = topic->id, .hits = hits, .hit_count = depth,
                                 .judged = k->judged,
                                 .judged_count = k->judged_count + k->open_count };
    }
    return IV_OK;
}

/* Every pair's mean and variance over the draws. */
static void sum_draws(iv_moments *out, const worker *w, size_t runs, size_t draws)
{
    for (size_t a = 0; a < runs; a++)
        for (size_t b = a + 1; b < runs; b++) {
            double mean = 0.0, squares = 0.0;
            for (size_t s = 0; s < draws; s++)
                mean += w->values[s * runs + a] - w->values[s * runs + b];
            mean /= (double)draws;
            for (size_t s = 0; s < draws; s++) {
                const double d = w->values[s * runs + a] - w->values[s * runs + b] - mean;
                squares += d * d;
            }
            out[iv_pair_index(runs, a, b)] = (iv_moments){
                mean, draws > 1 ? squares / (double)(draws - 1) : 0.0 };
        }
}

static int one_topic(void *user, void *memory, size_t t, iv_err *err)
{
    const simulated *x = user;
    worker *w = memory;
    const size_t runs = x->p->runs;
    iv_stream stream = iv_stream_start(x->seed, IV_FOR_POSTERIOR, t);
    pool_topic k = { 0 };

    iv_arena_reuse(&w->own);
    IV_TRY(lay_out(&k, &w->own, x, t, err));
    const size_t draws = k.open_count > 0 ? DRAWS : 1;
    for (size_t s = 0; s < draws; s++) {
        for (size_t i = 0; i < k.open_count; i++) {
            const bool yes = iv_draw_uniform(&stream) < k.chance[i];
            k.judged[k.judged_count + i].grade = yes ? any_grade(&x->relevant, x->level, &stream)
                : any_grade(&x->other, 0, &stream);
        }
        for (size_t r = 0; r < runs; r++) {
            IV_TRY(iv_scorer_topic(w->row, w->scorer, &k.run[r], err));
            w->values[s * runs + r] = w->row[0];
        }
    }
    sum_draws(x->moments + t * x->pairs, w, runs, draws);
    return IV_OK;
}

static int list_grades(simulated *x, iv_arena *own, iv_err *err)
{
    const iv_judgment *list = NULL;
    size_t all = 0;

    for (size_t t = 0; x->judgments != NULL && t < iv_judgments_topics(x->judgments); t++)
        all += iv_judgments_of(&list, x->judgments, t);
    x->relevant.at = iv_take(own, all + 1, sizeof *x->relevant.at);
    x->other.at = iv_take(own, all + 1, sizeof *x->other.at);
    IV_TRY(iv_taken(own, err));
    for (size_t t = 0; x->judgments != NULL && t < iv_judgments_topics(x->judgments); t++) {
        const size_t n = iv_judgments_of(&list, x->judgments, t);
        for (size_t i = 0; i < n; i++) {
            grade_list *to = list[i].grade >= x->level ? &x->relevant : &x->other;
            if (list[i].grade >= 0)
                to->at[to->count++] = list[i].grade;
        }
    }
    return IV_OK;
}

IV_ENDS(measures)

int iv_incomplete_simulate(iv_moments **out, iv_arena *own, const iv_judging_state *q,
                           const iv_pooled *p, const iv_judgments *judgments, const char *measure,
                           const iv_work *work, iv_err *err)
{
    const iv_measure_options how = { .level = p->options.level == 0 ? IV_ZERO : p->options.level };
    iv_measures *measures = NULL;

    IV_TRY(iv_measures_parse(&measures, &measure, 1, &how, err));
    if (iv_own(own, measures, iv_end_measures) == NULL)
        return iv_no_memory(err);
    const iv_value_info *info = iv_measures_value(measures, 0);
    if (iv_measures_count(measures) != 1 || !info->measure->per_topic
        || info->measure->summary != IV_SUMMARY_MEAN)
        return iv_fail(err, IV_EARG, "measure '%.80s' has no mean over topics; expected one such "
                       "as nDCG@10, P@10 or RR", measure);
    IV_TRY(iv_measures_fit(measures, judgments == NULL ? IV_JUDGMENTS_QRELS
                           : iv_judgments_format_of(judgments), err));
    simulated x = { .q = q, .p = p, .judgments = judgments, .measures = measures,
                    .cutoff = info->cutoff, .level = info->level,
                    .largest = judgments == NULL ? 1 : iv_largest_grade(judgments),
                    .seed = iv_work_seed(work), .pairs = iv_pair_count(p->runs) };

    x.moments = iv_take(own, p->topics * x.pairs + 1, sizeof *x.moments);
    IV_TRY(list_grades(&x, own, err));
    IV_TRY(iv_parallel(&(iv_loop){ p->topics, one_topic, &x, start_worker }, work, err));
    *out = x.moments;
    return IV_OK;
}
