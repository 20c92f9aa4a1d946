/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/known_labels.h"

static void put_traits(iv_known_labels *l)
{
    size_t at = 0;

    for (size_t t = 0; t < l->frame->topic_count; t++) {
        const iv_known_topic *x = &l->frame->topics[t];
        l->first[t] = at;
        for (size_t d = 0; d < x->count; d++, at++)
            iv_rank_traits(l->all_traits + at * IV_RANK_TRAITS, x->documents[d].best,
                           x->documents[d].runs);
    }
}

bool iv_known_labels_take(iv_known_labels *l, iv_arena *own, const iv_known_frame *f)
{
    const size_t topics = f->topic_count;
    size_t most = 0, all = 0;

    *l = (iv_known_labels){ .frame = f, .sample = iv_known_sample_take(own, f) };
    for (size_t t = 0; t < topics; t++) {
        most = f->topics[t].count > most ? f->topics[t].count : most;
        all += f->topics[t].count;
    }
    l->labels.levels = 1;
    l->labels.grade[0] = 1;
    l->labels.topic_count = topics;
    l->labels.topics = iv_take(own, topics, sizeof *l->labels.topics);
    l->which = iv_take(own, topics, sizeof *l->which);
    l->traits = iv_take(own, topics, sizeof *l->traits);
    l->grade = iv_take(own, topics, sizeof *l->grade);
    l->first = iv_take(own, topics, sizeof *l->first);
    l->all_traits = iv_take(own, all * IV_RANK_TRAITS, sizeof *l->all_traits);
    l->change = iv_take(own, most + 1, sizeof *l->change);
    for (size_t t = 0; t < topics && !own->failed; t++) {
        l->grade[t] = iv_take(own, most, sizeof **l->grade);
        if (iv_rectified_room(&l->labels.topics[t], own, most, 0, 1, NULL) != IV_OK)
            break;
    }
    if (own->failed)
        return false;
    put_traits(l);
    return true;
}

void iv_known_labels_draw(iv_known_labels *l, size_t place, size_t topic, const iv_scheme *scheme,
                          iv_stream *stream)
{
    const iv_known_topic *t = &l->frame->topics[topic];
    iv_rectified_topic *x = &l->labels.topics[place];
    size_t d = 0;

    iv_known_sample_draw(&l->sample, t, scheme, false, stream);
    l->which[place] = topic;
    l->traits[place] = l->all_traits + l->first[topic] * IV_RANK_TRAITS;
    x->count = x->framed = t->count;
    for (size_t k = 0; k < iv_scheme_buckets(scheme); k++)
        for (size_t i = 0; i < iv_scheme_bucket(scheme, k)->size; i++, d++) {
            x->pi[d] = iv_scheme_bucket(scheme, k)->pi;
            x->judgment[d] = (uint32_t)k;
            l->grade[place][d] = l->sample.place[d] == IV_NO_PLACE ? -1 : t->relevant[d];
        }
}

int iv_known_labels_make(iv_known_labels *l, iv_err *err)
{
    return iv_rectified_make(&l->labels, &(iv_rectified_known){
        IV_RANK_TRAITS, l->traits, (const int32_t *const *)l->grade }, err);
}
