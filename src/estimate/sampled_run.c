/* SPDX-License-Identifier: Apache-2.0 */
/* Runs against sampled judgments, topic by topic. */
#include "estimate/sampled_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/ids.h"
#include "base/threads.h"

static int no_memory(iv_err *err)
{
    return iv_fail(err, IV_ENOMEM, "out of memory for the estimates of a run");
}

void iv_sampled_free(iv_sampled *s)
{
    if (s == NULL)
        return;
    for (size_t t = 0; s->place != NULL && t < s->topics; t++)
        free(s->place[t].u);
    free(s->place);
    free(s->missing);
    free(s->estimates);
    free(s->tag);
    free(s);
}

int iv_sampled_check(const iv_sampling *s, const iv_sampled_measures *m, iv_err *err)
{
    const iv_judgments *j = iv_sampling_judgments(s);

    for (size_t i = 0; i < m->count; i++) {
        if (!m->values[i].inferred)
            continue;
        for (size_t t = 0; t < iv_judgments_topics(j); t++) {
            const iv_sampling_topic topic = iv_sampling_topic_at(s, t);
            if (!topic.frame_known && !topic.certain)
                return iv_fail(err, IV_EARG, "%s needs a uniform or stratified sample with "
                               "the documents that were not drawn, and these judgments "
                               "have none; AP can be estimated", m->values[i].name);
        }
    }
    return IV_OK;
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

/* The run's topic; of strata also 001 for 1, as TREC's sample_eval reads it. */
static size_t find_in_run(const iv_sampled *s, const iv_run *run, iv_str id)
{
    const size_t at = iv_run_find_topic(run, id);

    if (at != IV_NONE || iv_sampling_source_of(s->sampling) != IV_SAMPLING_STRATA)
        return at;
    for (size_t t = 0; t < iv_run_topics(run); t++)
        if (iv_run_topic(run, t).len > id.len
            && iv_str_eq(without_zeros(iv_run_topic(run, t)), id))
            return t;
    return IV_NONE;
}

static int match_topics(iv_sampled *s, const char *name, const iv_run *run, bool complete,
                        iv_err *err)
{
    const iv_judgments *j = iv_sampling_judgments(s->sampling);
    const size_t judged = iv_judgments_topics(j);
    char ours[IV_QUOTE_SIZE], theirs[IV_QUOTE_SIZE];
    size_t shared = 0;

    s->place = calloc(judged + 1, sizeof *s->place);
    s->missing = malloc((judged + 1) * sizeof *s->missing);
    if (s->place == NULL || s->missing == NULL)
        return no_memory(err);
    for (size_t t = 0; t < judged; t++) {
        const size_t in_run = find_in_run(s, run, iv_judgments_topic(j, t));
        shared += in_run != IV_NONE;
        if (in_run == IV_NONE)
            s->missing[s->missing_count++] = t;
        if (in_run != IV_NONE || complete)
            s->place[s->topics++] = (iv_sampled_place){ t, in_run, NULL };
    }
    if (shared == 0)
        return iv_fail_at(err, IV_ENODATA, name, 0, "the run shares no topic with the "
                          "judgments; it has %s, they have %s",
                          iv_run_topics(run) > 0 ? iv_quote(ours, iv_run_topic(run, 0)) : "none",
                          judged > 0 ? iv_quote(theirs, iv_judgments_topic(j, 0)) : "none");
    s->not_judged = iv_run_topics(run) - shared;
    return IV_OK;
}

/* ------------------------------------------------------------ all topics -- */

static int estimate_topic(iv_sampled *s, size_t t, iv_sampled_worker *w, const iv_run *run,
                          iv_err *err)
{
    iv_sampled_place *p = &s->place[t];
    const size_t documents = iv_sampling_topic_at(s->sampling, p->judged).count;

    if (w->options->keep) {
        p->u = calloc(s->width * documents + 1, sizeof *p->u);
        if (p->u == NULL)
            return no_memory(err);
    }
    return iv_sampled_estimate(s->estimates + t * s->width, p->u, w, run, p->in_run,
                               p->judged, err);
}

static int estimate_topics(iv_sampled *s, const iv_run *run, const iv_sampled_options *o,
                           int threads, iv_err *err)
{
    int worst = IV_OK;

    #pragma omp parallel num_threads(threads) if (threads > 1)
    {
        iv_err own = { IV_OK, "" };
        iv_sampled_worker w;
        int rc = iv_sampled_worker_start(&w, s->sampling, s->measures, o, &own);
        #pragma omp for schedule(dynamic, 4)
        for (size_t t = 0; t < s->topics; t++)
            if (rc == IV_OK)
                rc = estimate_topic(s, t, &w, run, &own);
        if (rc != IV_OK) {
            #pragma omp critical(iv_sampled)
            if (worst == IV_OK) {
                worst = rc;
                if (err != NULL)
                    *err = own;
            }
        }
        iv_sampled_worker_end(&w);
    }
    return worst;
}

int iv_sampled_named(iv_sampled **out, const char *name, const iv_run *run,
                     const iv_sampling *sampling, const iv_sampled_measures *measures,
                     const iv_sampled_options *o, int threads, iv_err *err)
{
    const iv_str tag = iv_run_tag(run);
    iv_sampled *s = calloc(1, sizeof *s);

    if (s == NULL)
        return no_memory(err);
    s->sampling = sampling;
    s->measures = measures;
    s->bytes = iv_run_bytes(run);
    s->width = measures->count;
    s->odd = iv_run_odd(run);
    s->tag = calloc(tag.len + 1, 1);
    if (s->tag != NULL && tag.len > 0)
        memcpy(s->tag, tag.ptr, tag.len);
    int rc = s->tag == NULL ? no_memory(err)
                            : match_topics(s, name, run, o->complete, err);
    if (rc == IV_OK) {
        s->estimates = calloc(s->topics * s->width + 1, sizeof *s->estimates);
        rc = s->estimates == NULL ? no_memory(err)
                                  : estimate_topics(s, run, o, threads, err);
    }
    if (rc == IV_OK)
        *out = s;
    else
        iv_sampled_free(s);
    return rc;
}

int iv_sampled_run(iv_sampled **out, const iv_run *run, const iv_sampling *sampling,
                   const iv_sampled_measures *measures, const iv_sampled_options *o,
                   iv_err *err)
{
    char name[IV_QUOTE_SIZE];
    const int rc = iv_sampled_check(sampling, measures, err);

    return rc != IV_OK ? rc
        : iv_sampled_named(out, iv_quote(name, iv_run_tag(run)), run, sampling, measures, o,
                           iv_threads(o->threads), err);
}

/* -------------------------------------------------------------- many runs -- */

typedef struct batch {
    iv_sampled **out;
    const char *const *paths;
    size_t count;
    iv_run_format format;
    const iv_sampling *sampling;
    const iv_sampled_measures *measures;
    const iv_sampled_options *options;
    size_t done, failed; /* the first in the order of the files; count: none */
    int rc;
    iv_err err;
} batch;

static void estimate_file(batch *b, size_t i, int threads)
{
    iv_err err = { IV_OK, "" };
    iv_run *run = NULL;
    iv_sampled *s = NULL;
    size_t failed;

    #pragma omp atomic read
    failed = b->failed;
    if (failed < i)
        return;
    int rc = iv_run_load(&run, b->paths[i], b->format, threads, &err);
    if (rc == IV_OK)
        rc = iv_sampled_named(&s, b->paths[i], run, b->sampling, b->measures, b->options,
                              threads, &err);
    iv_run_free(run);
    #pragma omp critical(iv_sampled_files)
    {
        b->out[i] = s;
        if (rc != IV_OK && i < b->failed) {
            #pragma omp atomic write
            b->failed = i;
            b->rc = rc;
            b->err = err;
        }
        b->done++;
        if (b->options->progress.report != NULL)
            b->options->progress.report(b->options->progress.user,
                                        (double)b->done / (double)b->count);
    }
}

int iv_sampled_files(iv_sampled **out, const char *const *paths, size_t count,
                     iv_run_format format, const iv_sampling *sampling,
                     const iv_sampled_measures *measures, const iv_sampled_options *o,
                     iv_err *err)
{
    const int threads = iv_threads(o->threads);
    const int rc = iv_sampled_check(sampling, measures, err);

    if (rc != IV_OK)
        return rc;
    batch b = { .out = calloc(count + 1, sizeof *b.out), .paths = paths, .count = count,
                .format = format, .sampling = sampling, .measures = measures, .options = o,
                .failed = count };
    if (b.out == NULL)
        return no_memory(err);
    if (count >= 2 * (size_t)threads) {
        #pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
        for (size_t i = 0; i < count; i++)
            estimate_file(&b, i, 1);
    } else {
        for (size_t i = 0; i < count; i++)
            estimate_file(&b, i, threads);
    }
    if (b.failed < count) {
        for (size_t i = 0; i < count; i++)
            iv_sampled_free(b.out[i]);
        if (err != NULL)
            *err = b.err;
    } else {
        memcpy(out, b.out, count * sizeof *out);
    }
    free(b.out);
    return b.rc;
}

/* --------------------------------------------------------------- asking -- */

iv_str iv_sampled_tag(const iv_sampled *s) { return iv_str_of(s->tag); }

iv_run_oddities iv_sampled_odd(const iv_sampled *s) { return s->odd; }

uint64_t iv_sampled_bytes(const iv_sampled *s) { return s->bytes; }

size_t iv_sampled_topics(const iv_sampled *s) { return s->topics; }

iv_str iv_sampled_topic(const iv_sampled *s, size_t topic)
{
    return iv_judgments_topic(iv_sampling_judgments(s->sampling), s->place[topic].judged);
}

const iv_estimate *iv_sampled_row(const iv_sampled *s, size_t topic)
{
    return s->estimates + topic * s->width;
}

bool iv_sampled_was_missing(const iv_sampled *s, size_t topic)
{
    return s->place[topic].in_run == IV_NONE;
}

size_t iv_sampled_missing(const iv_sampled *s) { return s->missing_count; }

iv_str iv_sampled_missing_topic(const iv_sampled *s, size_t i)
{
    return iv_judgments_topic(iv_sampling_judgments(s->sampling), s->missing[i]);
}

size_t iv_sampled_not_judged(const iv_sampled *s) { return s->not_judged; }
