/* SPDX-License-Identifier: Apache-2.0 */
#include "design/sampling_state.h"
#include "plan/known_sample.h"
#include "num/num_private.h"

iv_known_sample iv_known_sample_take(iv_arena *own, const iv_known_frame *f)
{
    iv_known_sample s = { 0 };
    size_t most = 1;

    for (size_t t = 0; t < f->topic_count; t++)
        most = f->topics[t].count > most ? f->topics[t].count : most;
    s.place = iv_take(own, most, sizeof *s.place);
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

void iv_known_sample_draw(iv_known_sample *s, const iv_known_topic *t, const iv_scheme *scheme,
                          bool relevant_only, iv_stream *stream)
{
    const size_t buckets = scheme->buckets;
    size_t first = 0;

    for (size_t d = 0; d < t->count; d++)
        s->place[d] = IV_NO_PLACE;
    s->count = 0;
    iv_scheme_draw(s->taken, scheme, stream);
    for (size_t b = 0; b < buckets; b++) {
        const iv_bucket *x = &scheme->bucket[b];
        size_t *which = s->taken + buckets;
        (void)iv_draw_subset(stream, which, s->taken[b], x->size);
        for (size_t k = 0; k < s->taken[b]; k++) {
            const size_t d = first + which[k];
            if (relevant_only && !t->relevant[d])
                continue;
            s->place[d] = (uint32_t)s->count;
            s->pi[s->count] = x->pi;
            s->grade[s->count] = t->relevant[d];
            s->bucket[s->count++] = (uint32_t)b;
        }
        first += x->size;
    }
}

iv_sampled_view iv_known_sample_view(const iv_known_sample *s, const iv_label_ranking *r,
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

static void scheme_end(void *scheme) { iv_scheme_free(scheme); }

iv_scheme *iv_own_scheme(iv_arena *own, iv_scheme *scheme)
{
    return iv_own(own, scheme, scheme_end);
}

int iv_known_scheme(iv_scheme **out, iv_arena *own, const iv_known_topic *t, size_t draws,
                    iv_err *err)
{
    double *weights = iv_take(own, t->count, sizeof *weights);

    IV_TRY(iv_taken(own, err));
    for (size_t d = 0; d < t->count; d++)
        weights[d] = t->documents[d].weight;
    IV_TRY(iv_scheme_stevens_of(out, weights, t->count, draws < t->count ? draws : t->count, err));
    (void)iv_own_scheme(own, *out);
    return iv_taken(own, err);
}
