/* SPDX-License-Identifier: Apache-2.0 */
/* One run against the judgments, topic by topic. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "estimate/ranges.h"
#include "estimate/scores.h"

enum { TOP = 10 };

static int no_memory(iv_err *err)
{
    return iv_fail(err, IV_ENOMEM, "out of memory for the scores of a run");
}

/* Was anything left to chance: a probability below 1, a stratum not all judged? */
static bool is_sample(const iv_judgments *j, iv_judgments_format format)
{
    if (format != IV_JUDGMENTS_PRELS && format != IV_JUDGMENTS_STRATIFIED)
        return false;
    for (size_t t = 0; t < iv_judgments_topics(j); t++) {
        const iv_judgment *of;
        const size_t count = iv_judgments_of(&of, j, t);
        for (size_t i = 0; i < count; i++)
            if (format == IV_JUDGMENTS_PRELS ? of[i].pi < 1.0 : of[i].grade < 0)
                return true;
    }
    return false;
}

int iv_scores_check(const iv_judgments *j, const iv_measures *m, iv_err *err)
{
    const iv_judgments_format format = iv_judgments_format_of(j);
    const bool sample = is_sample(j, format);
    iv_scorer *trial = NULL;

    if (sample && format == IV_JUDGMENTS_PRELS)
        return iv_fail(err, IV_EARG,
                       "the judgments are a sample with inclusion probabilities (prels); "
                       "what they lack was not judged, and scoring them as if it were not "
                       "relevant would be wrong");
    if (sample)
        return iv_fail(err, IV_EARG,
                       "the judgments are a stratified sample; what they lack was not "
                       "judged, and scoring them as if it were not relevant would be wrong");
    const int rc = iv_scorer_new(&trial, m, iv_largest_grade(j), err);
    iv_scorer_free(trial);
    return rc;
}

void iv_scores_free(iv_scores *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; s->texts != NULL && i < s->topics * s->text_count; i++)
        free(s->texts[i]);
    free(s->texts);
    free(s->text_of);
    free(s->tag);
    free(s->topic);
    free(s->missing);
    free(s->rows);
    free(s->bounds);
    free(s->ties);
    free(s);
}

/* ------------------------------------------------------------ the topics -- */

static int match_topics(iv_scores *s, const char *name, const iv_run *run, iv_err *err)
{
    const iv_judgments *j = s->judgments;
    const size_t judged = iv_judgments_topics(j);
    char ours[IV_QUOTE_SIZE], theirs[IV_QUOTE_SIZE];
    size_t shared = 0;

    s->topic = malloc((judged + 1) * sizeof *s->topic);
    s->missing = malloc((judged + 1) * sizeof *s->missing);
    if (s->topic == NULL || s->missing == NULL)
        return no_memory(err);
    for (size_t t = 0; t < judged; t++) {
        const size_t in_run = iv_run_find_topic(run, iv_judgments_topic(j, t));
        shared += in_run != IV_NONE;
        if (in_run == IV_NONE)
            s->missing[s->missing_count++] = t;
        if (in_run != IV_NONE || s->complete)
            s->topic[s->topics++] = (iv_scored_topic){ t, in_run };
    }
    if (judged == 0 || iv_run_topics(run) == 0)
        return iv_fail_at(err, IV_ENODATA, name, 0, "%s has no topics",
                          judged == 0 ? "the file of judgments" : "the run");
    if (shared == 0)
        return iv_fail_at(err, IV_ENODATA, name, 0, "the run shares no topic with the "
                          "judgments; it has %s, they have %s",
                          iv_quote(ours, iv_run_topic(run, 0)),
                          iv_quote(theirs, iv_judgments_topic(j, 0)));
    s->noted.not_judged = iv_run_topics(run) - shared;
    s->noted.odd = iv_run_odd(run);
    return IV_OK;
}

static bool place_texts(iv_scores *s, bool keep)
{
    s->text_of = malloc((s->width + 1) * sizeof *s->text_of);
    if (s->text_of == NULL)
        return false;
    for (size_t i = 0; i < s->width; i++) {
        const iv_measure_info *m = iv_measures_value(s->measures, i)->measure;
        const bool kept = keep && m->kind == IV_TEXT && m->per_topic;
        s->text_of[i] = kept ? s->text_count++ : IV_NONE;
    }
    if (s->text_count > 0)
        s->texts = calloc(s->topics * s->text_count, sizeof *s->texts);
    return s->text_count == 0 || s->texts != NULL;
}

static int make_room(iv_scores *s, const iv_scoring *o, iv_err *err)
{
    const size_t cells = s->topics * s->width;

    s->rows = malloc((cells + 1) * sizeof *s->rows);
    if (o->bounds)
        s->bounds = malloc((cells + 1) * sizeof *s->bounds);
    if (o->ties)
        s->ties = malloc((cells + 1) * sizeof *s->ties);
    if (s->rows == NULL || (o->bounds && s->bounds == NULL) || (o->ties && s->ties == NULL)
        || !place_texts(s, o->texts))
        return no_memory(err);
    return IV_OK;
}

/* ----------------------------------------------------------- one thread -- */

typedef struct worker {
    iv_scorer *scorer;
    iv_join *join;
    iv_ranges *ranges; /* NULL: neither bounds nor ties */
    iv_scores_notes noted;
} worker;

static int worker_start(worker *w, const iv_scores *s, int32_t largest, iv_err *err)
{
    int rc = iv_scorer_new(&w->scorer, s->measures, largest, err);

    if (rc == IV_OK)
        rc = iv_join_new(&w->join, err);
    if (rc == IV_OK && (s->bounds != NULL || s->ties != NULL))
        rc = iv_ranges_new(&w->ranges, s->measures, w->scorer, largest, err);
    return rc;
}

static void worker_end(worker *w)
{
    iv_scorer_free(w->scorer);
    iv_join_free(w->join);
    iv_ranges_free(w->ranges);
}

static void count_documents(iv_scores_notes *n, const iv_joined *topic)
{
    for (size_t i = 0; i < topic->hit_count; i++) {
        const iv_hit *h = &topic->hits[i];
        const bool unjudged = h->judgment == NULL || h->judgment->grade < 0;
        n->unjudged += unjudged;
        n->top_unjudged += unjudged && i < TOP;
        n->ties += (i > 0 && h->score == h[-1].score)
            || (i + 1 < topic->hit_count && h->score == h[1].score);
    }
    n->retrieved += topic->hit_count;
    n->top_retrieved += topic->hit_count < TOP ? topic->hit_count : TOP;
    n->float_ties += topic->float_ties;
}

static int keep_texts(iv_scores *s, size_t t, const iv_scorer *scorer, iv_err *err)
{
    for (size_t i = 0; i < s->width && s->text_count > 0; i++) {
        if (s->text_of[i] == IV_NONE)
            continue;
        const char *text = iv_scorer_text(scorer, i);
        char *copy = strdup(text != NULL ? text : "");
        if (copy == NULL)
            return no_memory(err);
        s->texts[t * s->text_count + s->text_of[i]] = copy;
    }
    return IV_OK;
}

static int score_missing(iv_scores *s, size_t t, worker *w, iv_err *err)
{
    const iv_judgment *judged;
    const size_t count = iv_judgments_of(&judged, s->judgments, s->topic[t].judged);
    double *row = s->rows + t * s->width;
    int rc = iv_scorer_missing(row, w->scorer, judged, count, err);

    if (rc == IV_OK)
        rc = keep_texts(s, t, w->scorer, err);
    /* Nothing is retrieved: there is nothing to turn out or to reorder. */
    for (size_t i = 0; i < s->width && w->ranges != NULL; i++)
        iv_ranges_fixed(s->bounds != NULL ? &s->bounds[t * s->width + i] : NULL,
                        s->ties != NULL ? &s->ties[t * s->width + i] : NULL, w->ranges, i,
                        row[i]);
    return rc;
}

static int score_topic(iv_scores *s, size_t t, worker *w, const iv_run *run,
                       iv_precision precision, iv_err *err)
{
    const iv_scored_topic at = s->topic[t];
    double *row = s->rows + t * s->width;
    iv_joined topic;

    if (at.in_run == IV_NONE)
        return score_missing(s, t, w, err);
    int rc = iv_join_topic(&topic, w->join, run, at.in_run, s->judgments, at.judged,
                           precision, err);
    if (rc == IV_OK)
        rc = iv_scorer_topic(row, w->scorer, &topic, err);
    if (rc == IV_OK)
        rc = keep_texts(s, t, w->scorer, err);
    if (rc != IV_OK)
        return rc;
    count_documents(&w->noted, &topic);
    if (s->bounds != NULL)
        rc = iv_ranges_bounds(s->bounds + t * s->width, w->ranges, &topic, row, err);
    if (s->ties != NULL && rc == IV_OK)
        rc = iv_ranges_ties(s->ties + t * s->width, w->ranges, &topic, row, err);
    return rc;
}

/* ------------------------------------------------------------ all topics -- */

static void add_notes(iv_scores_notes *sum, const iv_scores_notes *part)
{
    sum->float_ties += part->float_ties;
    sum->ties += part->ties;
    sum->top_retrieved += part->top_retrieved;
    sum->top_unjudged += part->top_unjudged;
    sum->retrieved += part->retrieved;
    sum->unjudged += part->unjudged;
}

static int score_topics(iv_scores *s, const iv_run *run, int32_t largest,
                        iv_precision precision, int threads, iv_err *err)
{
    int worst = IV_OK;

    #pragma omp parallel num_threads(threads) if (threads > 1)
    {
        iv_err own = { IV_OK, "" };
        worker w = { 0 };
        int rc = worker_start(&w, s, largest, &own);
        #pragma omp for schedule(dynamic, 4)
        for (size_t t = 0; t < s->topics; t++)
            if (rc == IV_OK)
                rc = score_topic(s, t, &w, run, precision, &own);
        #pragma omp critical(iv_score)
        {
            add_notes(&s->noted, &w.noted);
            if (rc != IV_OK && worst == IV_OK) {
                worst = rc;
                if (err != NULL)
                    *err = own;
            }
        }
        worker_end(&w);
    }
    return worst;
}

int iv_score_named(iv_scores **out, const char *name, const iv_run *run,
                   const iv_judgments *j, const iv_measures *m, int32_t largest,
                   const iv_scoring *o, int threads, iv_err *err)
{
    const iv_str tag = iv_run_tag(run);
    iv_scores *s = calloc(1, sizeof *s);

    if (s == NULL)
        return no_memory(err);
    s->judgments = j;
    s->measures = m;
    s->complete = o->complete;
    s->bytes = iv_run_bytes(run);
    s->width = iv_measures_count(m);
    s->tag = calloc(tag.len + 1, 1);
    if (s->tag != NULL && tag.len > 0)
        memcpy(s->tag, tag.ptr, tag.len);
    int rc = s->tag == NULL ? no_memory(err) : match_topics(s, name, run, err);
    if (rc == IV_OK)
        rc = make_room(s, o, err);
    if (rc == IV_OK)
        rc = score_topics(s, run, largest, o->precision, iv_threads_for(threads, s->bytes), err);
    if (rc != IV_OK) {
        iv_scores_free(s);
        return rc;
    }
    *out = s;
    return IV_OK;
}

int iv_score_run(iv_scores **out, const iv_run *run, const iv_judgments *judgments,
                 const iv_measures *measures, const iv_scoring *options, iv_err *err)
{
    const iv_str tag = iv_run_tag(run);
    char name[IV_QUOTE_SIZE];
    const int rc = iv_scores_check(judgments, measures, err);

    if (rc != IV_OK)
        return rc;
    return iv_score_named(out, iv_quote(name, tag), run, judgments, measures,
                          iv_largest_grade(judgments), options,
                          iv_threads(options->threads), err);
}
