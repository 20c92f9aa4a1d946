/* SPDX-License-Identifier: Apache-2.0 */
/* The study of sampling: its collection, and samples of it. */
#include "study/sampling_study_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const *iv_sampling_method_names(void)
{
    static const char *const names[] = { "stevens", "pool", "infAP", "bpref", NULL };

    return names;
}

iv_sampling_study_options iv_sampling_study_defaults(void)
{
    return (iv_sampling_study_options){
        .depth = 100, .deepest = 10, .replicates = 100, .judgments = { 60, 100 },
        .judgments_count = 2, .resamples = 1000, .confidence = 0.95, .seed = 1 };
}

static int no_memory(iv_err *err)
{
    return iv_fail(err, IV_ENOMEM, "out of memory for a study");
}

/* ------------------------------------------------------------ one sample -- */

int iv_study_sample_new(iv_study_sample *s, const iv_known_frame *f, iv_err *err)
{
    size_t most = 0;

    for (size_t t = 0; t < f->topic_count; t++)
        most = f->topics[t].count > most ? f->topics[t].count : most;
    s->place = malloc((most + 1) * sizeof *s->place);
    s->document = malloc((most + 1) * sizeof *s->document);
    s->pi = malloc((most + 1) * sizeof *s->pi);
    s->grade = malloc((most + 1) * sizeof *s->grade);
    s->bucket = malloc((most + 1) * sizeof *s->bucket);
    s->found = malloc((most + 1) * sizeof *s->found);
    s->rank = malloc((most + 1) * sizeof *s->rank);
    s->u = malloc((most + 1) * sizeof *s->u);
    s->sums = malloc((most + 1) * sizeof *s->sums);
    s->taken = malloc((2 * most + 2) * sizeof *s->taken);
    if (s->place != NULL && s->document != NULL && s->pi != NULL && s->grade != NULL
        && s->bucket != NULL && s->found != NULL && s->rank != NULL && s->u != NULL
        && s->sums != NULL && s->taken != NULL)
        return IV_OK;
    return no_memory(err);
}

void iv_study_sample_free(iv_study_sample *s)
{
    free(s->place);
    free(s->document);
    free(s->pi);
    free(s->grade);
    free(s->bucket);
    free(s->found);
    free(s->rank);
    free(s->u);
    free(s->sums);
    free(s->taken);
}

void iv_study_sample_draw(iv_study_sample *s, const iv_known_topic *t,
                          const iv_scheme *scheme, iv_stream *stream)
{
    const size_t buckets = iv_scheme_buckets(scheme);
    size_t first = 0;

    for (size_t d = 0; d < t->count; d++)
        s->place[d] = IV_NO_PLACE;
    s->count = 0;
    iv_scheme_draw(s->taken, scheme, stream);
    for (size_t b = 0; b < buckets; b++) {
        const iv_bucket *x = iv_scheme_bucket(scheme, b);
        size_t *which = s->taken + buckets;
        (void)iv_draw_subset(stream, which, s->taken[b], x->size);
        for (size_t k = 0; k < s->taken[b]; k++) {
            const size_t d = first + which[k];
            s->place[d] = (uint32_t)s->count;
            s->document[s->count] = (uint32_t)d;
            s->pi[s->count] = x->pi;
            s->grade[s->count] = t->relevant[d];
            s->bucket[s->count++] = (uint32_t)b;
        }
        first += x->size;
    }
}

iv_sampled_view iv_study_view(const iv_study_sample *s, const iv_frame_ranking *r,
                              const iv_scheme *scheme)
{
    size_t found = 0;

    for (size_t k = 0; k < r->relevant_count; k++) {
        const uint32_t at = s->place[r->document[r->relevant[k]]];
        if (at == IV_NO_PLACE)
            continue;
        s->found[found] = at;
        s->rank[found++] = r->rank[r->relevant[k]];
    }
    return (iv_sampled_view){ s->pi, s->grade, s->bucket, s->count, scheme, s->found, s->rank,
                              found, 1 };
}

int iv_study_scheme(iv_scheme **out, const iv_known_topic *t, size_t draws, iv_err *err)
{
    double *weights = malloc((t->count + 1) * sizeof *weights);

    if (weights == NULL)
        return no_memory(err);
    for (size_t d = 0; d < t->count; d++)
        weights[d] = t->documents[d].weight;
    const int rc = iv_scheme_stevens_of(out, weights, t->count,
                                        draws < t->count ? draws : t->count, err);
    free(weights);
    return rc;
}

/* -------------------------------------------------------- the collection -- */

void iv_sampling_study_free(iv_sampling_study *s)
{
    if (s == NULL)
        return;
    iv_known_frame_free(s->known);
    iv_frame_free(s->frame);
    free(s->excluded);
    free(s->truth);
    free(s->mean);
    free(s->errors);
    free(s->covers);
    free(s->agreements);
    free(s);
}

static int check_options(const iv_sampling_study_options *o, iv_err *err)
{
    if (o->replicates == 0 || o->depth == 0 || o->judgments_count > IV_SAMPLING_BUDGETS
        || !(o->confidence > 0.0 && o->confidence < 1.0))
        return iv_fail(err, IV_EARG, "a study needs a depth, replicates and a confidence");
    for (size_t i = 0; i < o->judgments_count; i++)
        if (o->judgments[i] < 2)
            return iv_fail(err, IV_EARG, "%zu judgments a topic, expected at least 2",
                           o->judgments[i]);
    return IV_OK;
}

static void describe(iv_sampling_study *s)
{
    iv_sampling_collection *c = &s->collection;

    c->topics = s->topics;
    c->without = s->known->without;
    for (size_t t = 0; t < s->topics; t++) {
        c->documents += s->known->topics[t].count;
        c->relevant += s->known->topics[t].known_count;
        c->outside += s->known->topics[t].outside;
    }
    for (size_t r = 0; r < s->runs; r++) {
        c->contributors += !s->excluded[r];
        for (size_t t = 0; t < s->topics; t++) {
            const double ap = iv_known_ap(&s->known->topics[t],
                                          iv_known_ranking(s->known, r, t));
            s->truth[r * s->topics + t] = ap;
            s->mean[r] += ap / (double)s->topics;
        }
    }
}

/* The frame of the runs that contribute, and where all runs rank it. */
static int make_collection(iv_sampling_study *s, const iv_run *const *runs,
                           const iv_sampling *judged, iv_err *err)
{
    const iv_sampling_study_options *o = &s->options;
    const iv_frame_options how = { .depth = o->depth };
    const iv_work work = { .threads = o->threads };
    const iv_run **used = malloc((s->runs + 1) * sizeof(const iv_run *));
    size_t count = 0;

    s->excluded = calloc(s->runs + 1, sizeof *s->excluded);
    if (used == NULL || s->excluded == NULL) {
        free(used);
        return no_memory(err);
    }
    for (size_t r = 0; r < s->runs; r++) {
        s->excluded[r] = o->excluded != NULL && o->excluded[r];
        if (!s->excluded[r])
            used[count++] = runs[r];
    }
    s->options.excluded = NULL; /* the caller's */
    int rc = iv_frame_new(&s->frame, used, count, &how, &work, err);
    free(used);
    if (rc == IV_OK)
        rc = iv_known_frame_new(&s->known, s->frame, judged, runs, s->runs, false,
                                o->threads, err);
    if (rc != IV_OK)
        return rc;
    s->topics = s->known->topic_count;
    s->truth = calloc(s->runs * s->topics + 1, sizeof *s->truth);
    s->mean = calloc(s->runs + 1, sizeof *s->mean);
    if (s->truth == NULL || s->mean == NULL)
        return no_memory(err);
    describe(s);
    return IV_OK;
}

int iv_sampling_study_run(iv_sampling_study **out, const iv_run *const *runs, size_t count,
                          const iv_sampling *judged, const iv_sampling_study_options *o,
                          iv_err *err)
{
    int rc = check_options(o, err);

    if (rc != IV_OK)
        return rc;
    iv_sampling_study *s = calloc(1, sizeof *s);
    if (s == NULL)
        return no_memory(err);
    s->options = *o;
    s->runs = count;
    rc = make_collection(s, runs, judged, err);
    if (rc == IV_OK && o->deepest > 0)
        rc = iv_study_errors(s, err);
    if (rc == IV_OK && o->judgments_count > 0)
        rc = iv_study_covers(s, err);
    if (rc == IV_OK)
        *out = s;
    else
        iv_sampling_study_free(s);
    return rc;
}

/* --------------------------------------------------------------- asking -- */

size_t iv_sampling_errors(const iv_sampling_error **out, const iv_sampling_study *s)
{
    *out = s->errors;
    return s->error_count;
}

size_t iv_sampling_covers(const iv_sampling_cover **out, const iv_sampling_study *s)
{
    *out = s->covers;
    return s->cover_count;
}

size_t iv_sampling_agreements(const iv_sampling_agreement **out, const iv_sampling_study *s)
{
    *out = s->agreements;
    return s->agreement_count;
}

iv_sampling_collection iv_sampling_collection_of(const iv_sampling_study *s)
{
    return s->collection;
}
