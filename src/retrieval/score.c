/* SPDX-License-Identifier: Apache-2.0 */
/* One run against judgments of either kind, topic by topic. */
#include "base/err.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "measure/measures.h"
#include "measure/scorer.h"
#include "retrieval/evaluation.h"
#include "retrieval/ranges.h"
#include "retrieval/sampled_worker.h"
#include "trec/judgments.h"
#include "trec/run.h"

#include <stdlib.h>
#include <string.h>

size_t iv_top_depth(const iv_value_info *first)
{
    return first != NULL && first->cutoff > 10 && first->cutoff <= 100 ? first->cutoff : 10;
}

void iv_run_scores_free(iv_run_scores *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; s->texts != NULL && i < s->topics * s->text_count; i++)
        free(s->texts[i]);
    for (size_t t = 0; s->u != NULL && t < s->topics; t++)
        free(s->u[t]);
    iv_arena_free(&s->memory);
    free(s);
}

/* ------------------------------------------------------------ the topics -- */

static iv_str without_zeros(iv_str s)
{
    while (s.len > 1 && *s.ptr == '0') {
        s.ptr++;
        s.len--;
    }
    return s;
}

/* The run's topic; of strata also 001 for 1, as TREC's sample_eval reads it.  Both files'
 * topics are in byte order: *from is where the one before this was looked for. */
static size_t find_in_run(const iv_scoring *task, const iv_run *run, iv_str id, size_t *from)
{
    int above = 1;

    while (*from < iv_run_topics(run) && (above = iv_str_cmp(id, iv_run_topic(run, *from))) > 0)
        ++*from;
    const size_t at = above == 0 ? *from : IV_NONE;
    if (at != IV_NONE || task->sampling == NULL
        || task->sampling->source != IV_SAMPLING_STRATA)
        return at;
    for (size_t t = 0; t < iv_run_topics(run); t++)
        if (iv_run_topic(run, t).len > id.len
            && iv_str_eq(without_zeros(iv_run_topic(run, t)), id))
            return t;
    return IV_NONE;
}

static int match_topics(iv_run_scores *s, const char *name, const iv_run *run,
                        const iv_scoring *task, iv_err *err)
{
    const iv_judgments *j = task->judgments;
    const size_t judged = iv_judgments_topics(j);
    char ours[IV_QUOTE_SIZE], theirs[IV_QUOTE_SIZE];
    size_t shared = 0, from = 0;

    s->topic = iv_take(&s->memory, judged + 1, sizeof *s->topic);
    s->missing = iv_take(&s->memory, judged + 1, sizeof *s->missing);
    IV_TRY(iv_taken(&s->memory, err));
    for (size_t t = 0; t < judged; t++) {
        const size_t in_run = find_in_run(task, run, iv_judgments_topic(j, t), &from);
        shared += in_run != IV_NONE;
        if (in_run == IV_NONE)
            s->missing[s->missing_count++] = t;
        if (in_run != IV_NONE || task->how.complete)
            s->topic[s->topics++] = (iv_scored_topic){ (uint32_t)t, in_run == IV_NONE ? IV_ABSENT
                                                                    : (uint32_t)in_run };
    }
    s->noted.not_judged = iv_run_topics(run) - shared;
    if (task->window)
        return IV_OK;
    s->noted.odd = iv_run_odd(run);
    if (task->counts) /* a part: what these topics lack others may have */
        return IV_OK;
    if (judged == 0 || iv_run_topics(run) == 0)
        return iv_fail_at(err, IV_ENODATA, name, 0, "%s has no topics",
                          judged == 0 ? "the file of judgments" : "the run");
    if (shared == 0)
        return iv_fail_at(err, IV_ENODATA, name, 0, "the run shares no topic with the "
                          "judgments; it has %s, they have %s",
                          iv_quote(ours, iv_run_topic(run, 0)),
                          iv_quote(theirs, iv_judgments_topic(j, 0)));
    return IV_OK;
}

static void place_texts(iv_run_scores *s, const iv_scoring *task)
{
    s->text_of = iv_take(&s->memory, task->width + 1, sizeof *s->text_of);
    for (size_t i = 0; i < task->width && s->text_of != NULL; i++) {
        const iv_measure_info *m = iv_measures_value(task->measures, i)->measure;
        s->text_of[i] = m->kind == IV_TEXT && m->per_topic ? s->text_count++ : IV_NONE;
    }
    if (s->text_count > 0)
        s->texts = iv_take(&s->memory, s->topics * s->text_count, sizeof *s->texts);
}

static int make_room(iv_run_scores *s, const iv_scoring *task, iv_err *err)
{
    const size_t cells = s->topics * task->width;
    const bool sampled = task->sampling != NULL;

    if (sampled)
        s->estimates = iv_take(&s->memory, cells + 1, sizeof *s->estimates);
    else
        s->rows = iv_take(&s->memory, cells + 1, sizeof *s->rows);
    if (task->counts)
        s->retrieved = iv_take(&s->memory, s->topics + 1, sizeof *s->retrieved);
    if (sampled && task->how.differences)
        s->u = iv_take(&s->memory, s->topics + 1, sizeof *s->u);
    if (task->how.bounds)
        s->bounds = iv_take(&s->memory, cells + 1, sizeof *s->bounds);
    if (task->how.ties)
        s->ties = iv_take(&s->memory, cells + 1, sizeof *s->ties);
    if (task->how.texts && !sampled)
        place_texts(s, task);
    return iv_taken(&s->memory, err);
}

/* ----------------------------------------------------------- one thread -- */

/* What the threads share. */
typedef struct scoring {
    iv_run_scores *s;
    const iv_run *run;
    const iv_scoring *task;
    iv_nested_work nested; /* topics take long where they are large */
} scoring;

typedef struct worker {
    iv_scorer *scorer;
    iv_join *join;
    iv_ranges *ranges; /* NULL: neither bounds nor ties */
    iv_sampled_worker *sampled; /* NULL: complete judgments */
    iv_run_notes noted; /* of its topics ... */
    iv_run_notes *sum;  /* ... which are added here at its end: counts, in whatever order */
} worker;

void iv_notes_add(iv_run_notes *sum, const iv_run_notes *part)
{
    sum->float_ties += part->float_ties;
    sum->ties += part->ties;
    sum->top_retrieved += part->top_retrieved;
    sum->top_unjudged += part->top_unjudged;
    sum->retrieved += part->retrieved;
    sum->unjudged += part->unjudged;
    sum->not_judged += part->not_judged;
    sum->odd.many_tags = sum->odd.many_tags || part->odd.many_tags;
    sum->odd.reversed = sum->odd.reversed || part->odd.reversed;
    if (sum->odd.misranked_line == 0)
        sum->odd.misranked_line = part->odd.misranked_line;
}

static void worker_end(void *memory)
{
    worker *w = memory;

    iv_lock();
    iv_notes_add(w->sum, &w->noted);
    iv_unlock();
    iv_scorer_free(w->scorer);
    iv_join_free(w->join);
}

/* Fails for want of memory only: what measures need was looked at before. */
static void *worker_start(iv_arena *own, void *user)
{
    const scoring *x = user;
    const iv_scoring *task = x->task;
    worker *w = iv_take(own, 1, sizeof *w);

    if (w != NULL)
        w->sum = &x->s->noted;
    if (iv_own(own, w, worker_end) == NULL || iv_join_new(&w->join, NULL) != IV_OK)
        return NULL;
    if (task->measures != NULL) {
        if (iv_scorer_new(&w->scorer, task->measures, task->largest, NULL) != IV_OK)
            return NULL;
        iv_scorer_asks(w->scorer, &x->nested.inner);
    }
    if (task->sampling != NULL)
        w->sampled = iv_sampled_worker_new(own, task, w->scorer, w->join);
    else if (task->how.bounds || task->how.ties)
        w->ranges = iv_ranges_new(own, task->measures, w->scorer, task->largest);
    return own->failed ? NULL : w;
}

static void count_documents(iv_run_notes *n, const iv_joined *topic, int32_t lowest, size_t top)
{
    for (size_t i = 0; i < topic->hit_count; i++) {
        const iv_hit *h = &topic->hits[i];
        const bool unjudged = h->judgment == NULL || h->judgment->grade < lowest;
        n->unjudged += unjudged;
        n->top_unjudged += unjudged && i < top;
        n->ties += (i > 0 && h->score == h[-1].score)
            || (i + 1 < topic->hit_count && h->score == h[1].score);
    }
    n->retrieved += topic->hit_count;
    n->top_retrieved += topic->hit_count < top ? topic->hit_count : top;
    n->float_ties += topic->float_ties;
}

static int keep_texts(iv_run_scores *s, size_t width, size_t t, const iv_scorer *scorer,
                      iv_err *err)
{
    for (size_t i = 0; i < width && s->text_count > 0; i++) {
        if (s->text_of[i] == IV_NONE)
            continue;
        const char *text = iv_scorer_text(scorer, i);
        char *copy = strdup(text != NULL ? text : "");
        if (copy == NULL)
            return iv_no_memory(err);
        s->texts[t * s->text_count + s->text_of[i]] = copy;
    }
    return IV_OK;
}

static int score_missing(const scoring *x, worker *w, size_t t, double *row, iv_err *err)
{
    const size_t width = x->task->width;
    iv_run_scores *s = x->s;
    const iv_judgment *judged;
    const size_t count = iv_judgments_of(&judged, x->task->judgments, s->topic[t].judged);

    IV_TRY(iv_scorer_missing(row, w->scorer, judged, count, err));
    /* Nothing is retrieved: there is nothing to turn out or to reorder. */
    for (size_t i = 0; i < width && w->ranges != NULL; i++)
        iv_ranges_fixed(s->bounds != NULL ? &s->bounds[t * width + i] : NULL,
                        s->ties != NULL ? &s->ties[t * width + i] : NULL, w->ranges, i,
                        row[i]);
    return keep_texts(s, width, t, w->scorer, err);
}

static int score_topic(const scoring *x, worker *w, size_t t, iv_err *err)
{
    iv_run_scores *s = x->s;
    const iv_scoring *task = x->task;
    const iv_scored_topic at = s->topic[t];
    double *row = s->rows + t * task->width;
    iv_joined topic;

    if (at.in_run == IV_ABSENT)
        return score_missing(x, w, t, row, err);
    IV_TRY(iv_join_topic(&topic, w->join, x->run, at.in_run, task->judgments, at.judged,
                         task->precision, err));
    IV_TRY(iv_scorer_topic(row, w->scorer, &topic, err));
    IV_TRY(keep_texts(s, task->width, t, w->scorer, err));
    if (s->retrieved != NULL)
        s->retrieved[t] = (uint32_t)topic.hit_count;
    count_documents(&w->noted, &topic,
                    iv_judgments_format_of(task->judgments) == IV_JUDGMENTS_PREFS ? INT32_MIN : 0,
                    iv_top_depth(iv_measures_value(task->measures, 0)));
    if (s->bounds != NULL)
        IV_TRY(iv_ranges_bounds(s->bounds + t * task->width, w->ranges, &topic, row, err));
    return s->ties == NULL ? IV_OK
        : iv_ranges_ties(s->ties + t * task->width, w->ranges, &topic, row, err);
}

static int estimate_topic(const scoring *x, worker *w, size_t t, iv_err *err)
{
    iv_run_scores *s = x->s;
    const iv_scored_topic at = s->topic[t];
    const size_t documents = iv_sampling_topic_at(x->task->sampling, at.judged).count;

    if (s->u != NULL) {
        s->u[t] = calloc(x->task->width * documents + 1, sizeof **s->u);
        if (s->u[t] == NULL)
            return iv_no_memory(err);
    }
    return iv_sampled_estimate(s->estimates + t * x->task->width,
                               s->u != NULL ? s->u[t] : NULL, w->sampled, x->run,
                               at.in_run == IV_ABSENT ? IV_NONE : at.in_run,
                               at.judged, err);
}

/* ------------------------------------------------------------ all topics -- */

static int do_topic(void *user, void *memory, size_t t, iv_err *err)
{
    const scoring *x = user;

    const iv_scoring *task = x->task;

    if (task->sampling != NULL)
        return estimate_topic(x, memory, t, err);
    const int rc = score_topic(x, memory, t, err);
    if (rc != IV_OK || task->standards == NULL)
        return rc;
    return iv_standardize(x->s->rows + t * task->width, task->standards, task->measures,
                          iv_judgments_topic(task->judgments, x->s->topic[t].judged),
                          task->how.measure.as_trec_eval, err);
}

static int score_topics(iv_run_scores *s, const char *name, const iv_run *run,
                        const iv_scoring *task, const iv_work *work, iv_err *err)
{
    scoring x = { .s = s, .run = run, .task = task };
    iv_work how;

    s->bytes = iv_run_bytes(run);
    s->tag = iv_arena_copy(&s->memory, iv_run_tag(run));
    IV_TRY(match_topics(s, name, run, task, err));
    IV_TRY(make_room(s, task, err));
    iv_nested_work_start(&x.nested, iv_work_for(&how, work, (size_t)s->bytes));
    return iv_parallel(&(iv_loop){ s->topics, do_topic, &x, worker_start }, &x.nested.outer,
                       err);
}

int iv_score_run(iv_run_scores **out, const char *name, const iv_run *run, const iv_scoring *task,
                 const iv_work *work, iv_err *err)
{
    iv_run_scores *s = calloc(1, sizeof *s);
    const int rc = s == NULL ? iv_no_memory(err) : score_topics(s, name, run, task, work, err);

    if (rc == IV_OK)
        *out = s;
    else
        iv_run_scores_free(s);
    return rc;
}
