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

static int no_memory(iv_err *err)
{
    return iv_fail(err, IV_ENOMEM, "out of memory for a study");
}

/* ------------------------------------------------------------ one sample -- */

iv_study_sample iv_study_sample_new(iv_arena *own, const iv_known_frame *f)
{
    iv_study_sample s = { 0 };
    size_t most = 1;

    for (size_t t = 0; t < f->topic_count; t++)
        most = f->topics[t].count > most ? f->topics[t].count : most;
    s.place = iv_take(own, most, sizeof *s.place);
    s.document = iv_take(own, most, sizeof *s.document);
    s.pi = iv_take(own, most, sizeof *s.pi);
    s.grade = iv_take(own, most, sizeof *s.grade);
    s.bucket = iv_take(own, most, sizeof *s.bucket);
    s.found = iv_take(own, most, sizeof *s.found);
    s.rank = iv_take(own, most, sizeof *s.rank);
    s.u = iv_take(own, most, sizeof *s.u);
    s.sums = iv_take(own, most + 1, sizeof *s.sums);
    s.taken = iv_take(own, 2 * most + 2, sizeof *s.taken);
    return s;
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

void iv_sampling_found_free(iv_sampling_found *f)
{
    free(f->errors);
    free(f->covers);
    free(f->agreements);
}

static int set_options(iv_sampling_study *s, const iv_sampling_study_options *o, iv_err *err)
{
    static const int64_t usual[] = { 60, 100 };
    iv_sampling_study_options *x = &s->options;

    *x = *o;
    x->depth = o->depth == 0 ? 100 : o->depth;
    x->replicates = o->replicates == 0 ? 100 : o->replicates;
    x->resamples = o->resamples == 0 ? 1000 : o->resamples;
    x->confidence = o->confidence == 0.0 ? 0.95 : o->confidence;
    s->deepest = o->deepest == 0 ? 10 : o->deepest < 0 ? 0 : (size_t)o->deepest;
    if (o->judgments.count == 0)
        x->judgments = (iv_integers){ usual, 2 };
    if (o->no_coverage)
        x->judgments.count = 0;
    if (!(x->confidence > 0.0 && x->confidence < 1.0))
        return iv_fail(err, IV_EARG, "confidence %g, expected between 0 and 1", x->confidence);
    for (size_t i = 0; i < x->judgments.count; i++)
        if (x->judgments.at[i] < 2)
            return iv_fail(err, IV_EARG, "%lld judgments a topic, expected at least 2",
                           (long long)x->judgments.at[i]);
    return IV_OK;
}

static void describe(iv_sampling_study *s)
{
    iv_sampling_collection *c = &s->found.collection;

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
                           const iv_sampling *judged, const iv_work *work, iv_err *err)
{
    const iv_sampling_study_options *o = &s->options;
    const int threads = iv_work_threads(work);
    const iv_frame_options how = { .depth = o->depth };
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
    int rc = iv_frame_new(&s->frame, used, count, &how, &(iv_work){ .threads = threads }, err);
    free(used);
    if (rc == IV_OK)
        rc = iv_known_frame_new(&s->known, s->frame, judged, runs, s->runs, false,
                                &(iv_work){ .threads = threads }, err);
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

int iv_sampling_study_run(iv_sampling_found *out, const iv_run *const *runs, size_t count,
                          const iv_sampling *judged, const iv_sampling_study_options *o,
                          const iv_work *work, iv_err *err)
{
    iv_sampling_study s = { .seed = iv_work_seed(work), .runs = count };
    iv_stage stage;
    int rc = set_options(&s, o, err);

    if (rc == IV_OK)
        rc = make_collection(&s, runs, judged, work, err);
    if (rc == IV_OK && s.deepest > 0)
        rc = iv_study_errors(&s, iv_work_part(&stage, work, 0.0, 0.5), err);
    if (rc == IV_OK && s.options.judgments.count > 0)
        rc = iv_study_covers(&s, iv_work_part(&stage, work, 0.5, 1.0), err);
    if (rc == IV_OK)
        *out = s.found;
    else
        iv_sampling_found_free(&s.found);
    iv_known_frame_free(s.known);
    iv_frame_free(s.frame);
    free(s.excluded);
    free(s.truth);
    free(s.mean);
    return rc;
}
