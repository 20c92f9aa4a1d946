/* SPDX-License-Identifier: Apache-2.0 */
/* study machine, documents sampled: the collection whose judgments are all known. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ids.h"
#include "design/inquiry_parts.h"
#include "estimate/machine_source.h"
#include "study/machine_documents.h"

const char *const iv_document_measures[IV_DOCUMENT_MEASURES] = { "P@10", "nDCG@10", "AP", "R@100" };

void iv_framed_collection_free(iv_framed_collection *c)
{
    iv_run_input_free(&c->in);
    iv_frame_free(c->frame);
}

/* ------------------------------------------------------------- one topic -- */

static bool note_grade(iv_framed_collection *c, int32_t grade)
{
    size_t at = 0;

    while (at < c->grades && c->grade[at] < grade)
        at++;
    if (grade <= 0 || (at < c->grades && c->grade[at] == grade))
        return true;
    if (c->grades == IV_LEVELS_MAX)
        return false;
    memmove(c->grade + at + 1, c->grade + at, (c->grades - at) * sizeof *c->grade);
    c->grade[at] = grade;
    c->grades++;
    return true;
}

/* What a judge says of a document, as traits and as a weight. */
static void take_label(iv_framed_topic *t, const iv_framed_collection *c, size_t judge,
                       const iv_label_source *source, size_t topic, iv_str docno, size_t d)
{
    const iv_judgments *labels = c->by.labels[judge];
    const double top = c->top[judge];
    const size_t at = iv_judgments_find_topic(labels, iv_judgments_topic(c->by.human, topic));
    const uint32_t group = source->group(source->user, topic, docno);
    double *to = t->machine[judge] + d * c->width[judge];

    memcpy(to, t->traits + d * IV_RANK_TRAITS, IV_RANK_TRAITS * sizeof *to);
    if (group > 0)
        to[group + IV_RANK_TRAITS - 1] = 1.0;
    t->share[judge][d] = iv_machine_weight(t->weight[d], iv_label_share(labels, top, at, docno),
                                           top);
}

static void lift_weights(double *weight, size_t n)
{
    double sum = 0.0;

    for (size_t d = 0; d < n; d++)
        sum += weight[d];
    for (size_t d = 0; d < n; d++)
        weight[d] = fmax(weight[d], iv_least_weight * sum / (double)n);
}

static int take_documents(iv_framed_collection *c, iv_framed_topic *t, iv_ids *where, iv_arena *own,
                          const iv_label_source *sources, size_t topic, size_t framed, iv_err *err)
{
    const iv_frame_document *documents;
    const size_t n = iv_frame_documents(&documents, c->frame, framed);

    t->weight = iv_take(own, n, sizeof *t->weight);
    t->grade = iv_take(own, n, sizeof *t->grade);
    t->traits = iv_take(own, n * IV_RANK_TRAITS, sizeof *t->traits);
    t->machine = iv_take(own, c->by.count, sizeof *t->machine);
    t->share = iv_take(own, c->by.count, sizeof *t->share);
    IV_TRY(iv_taken(own, err));
    for (size_t j = 0; j < c->by.count; j++) {
        t->machine[j] = iv_take(own, n * c->width[j], sizeof **t->machine);
        t->share[j] = iv_take(own, n, sizeof **t->share);
    }
    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < n; i++) {
        const iv_judgment *y = iv_judgments_find(c->by.human, topic, documents[i].docno);
        const size_t d = t->count;
        if (y == NULL || y->grade < 0)
            continue;
        if (!note_grade(c, y->grade))
            return iv_fail(err, IV_EARG, "more than %d grades", IV_LEVELS_MAX);
        if (iv_ids_add(where, documents[i].docno) == IV_NO_ID)
            return iv_no_memory(err);
        t->weight[d] = documents[i].weight;
        t->grade[d] = y->grade;
        iv_rank_traits(t->traits + d * IV_RANK_TRAITS, documents[i].best, documents[i].runs);
        for (size_t j = 0; j < c->by.count; j++)
            take_label(t, c, j, &sources[j], topic, documents[i].docno, d);
        t->count++;
    }
    for (size_t j = 0; j < c->by.count; j++)
        lift_weights(t->share[j], t->count);
    return IV_OK;
}

static int rank_documents(iv_labelled_ranking *out, const iv_ids *where, const iv_run *run,
                          iv_str topic, iv_arena *own, iv_err *err)
{
    const size_t at = iv_run_find_topic(run, topic);
    const size_t depth = at == IV_NONE ? 0 : iv_run_depth(run, at);
    uint32_t *document = iv_take(own, depth, sizeof *document);
    double *rank = iv_take(own, depth, sizeof *rank);
    size_t n = 0;

    IV_TRY(iv_taken(own, err));
    for (size_t k = 0; k < depth; k++) {
        const uint32_t d = iv_ids_find(where, iv_run_docno(run, at, k));
        if (d == IV_NO_ID)
            continue;
        document[n] = d;
        rank[n++] = (double)k + 1.0;
    }
    *out = (iv_labelled_ranking){ document, rank, n };
    return IV_OK;
}

/* ------------------------------------------------------------- the truth -- */

/* total: what divides, of each level. */
static bool value_with(iv_document_value *out, double *change, size_t measure,
                       const iv_rectified *l, size_t place, const double *total, int32_t level,
                       const iv_labelled_ranking *r, iv_discounts *d)
{
    const iv_rectified_topic *t = &l->topics[place];
    const size_t h = iv_rectified_level(l, level);
    double gain[IV_LEVELS_MAX];

    *out = (iv_document_value){ .first = h, .levels = 1 };
    if (measure == 1) {
        for (size_t k = 0; k < l->levels; k++)
            gain[k] = (double)(l->grade[k] - (k > 0 ? l->grade[k - 1] : 0));
        *out = (iv_document_value){ .levels = l->levels };
        const iv_even_labels all = iv_even_labels_of(t, 0, total);
        return iv_rectified_ndcg(&out->value, change, &all, l->levels, gain, r, 10, d);
    }
    if (h == l->levels) { /* nothing relevant was seen anywhere */
        out->levels = 0;
        return true;
    }
    const iv_even_labels one = iv_even_labels_of(t, h, total + h);
    out->value = measure == 0 ? iv_rectified_found(change, one.x, t->count, 10.0, r, 10.0)
        : measure == 2 ? iv_rectified_ap(change, &one, r, 0)
        : iv_rectified_recall(change, &one, r, 100);
    return true;
}

bool iv_document_value_of(iv_document_value *out, double *change, size_t measure,
                          const iv_rectified *l, size_t place, int32_t level,
                          const iv_labelled_ranking *r, iv_discounts *d)
{
    const iv_rectified_topic *t = &l->topics[place];
    double total[IV_LEVELS_MAX];
    iv_document_value few, many;

    for (size_t h = 0; h < l->levels; h++)
        total[h] = iv_rectified_least(t, h, measure == 1);
    bool good = value_with(&few, change, measure, l, place, total, level, r, d);
    for (size_t h = 0; h < l->levels; h++)
        total[h] = iv_rectified_most(t, h, measure == 1);
    good = good && value_with(&many, change, measure, l, place, total, level, r, d)
        && value_with(out, change, measure, l, place, t->total, level, r, d);
    if (good) {
        out->too_low = fmax(0.0, fmax(few.value, many.value) - out->value);
        out->too_high = fmax(0.0, out->value - fmin(few.value, many.value));
    }
    return good;
}

/* What the labels give when all is known. */
static int know(iv_framed_collection *c, iv_arena *own, iv_err *err)
{
    const size_t runs = c->in.count;
    iv_rectified all = { .levels = c->grades, .topic_count = 1 };
    iv_rectified_topic *l = all.topics = iv_take(own, 1, sizeof *all.topics);
    double *change = iv_take(own, c->most * (c->grades + 1), sizeof *change);
    iv_discounts discounts = { 0 };
    bool good = true;

    c->truth = iv_take(own, IV_DOCUMENT_MEASURES * runs * c->topic_count, sizeof *c->truth);
    IV_TRY(iv_taken(own, err));
    IV_TRY(iv_rectified_room(l, own, c->most, 0, c->grades, err));
    memcpy(all.grade, c->grade, sizeof all.grade);
    for (size_t t = 0; t < c->topic_count; t++) {
        const iv_framed_topic *from = &c->topics[t];
        l->count = l->framed = from->count;
        for (size_t h = 0; h < c->grades; h++) {
            l->total[h] = l->share[h] = l->doubt[h] = 0.0;
            for (size_t d = 0; d < from->count; d++) {
                const double y = from->grade[d] >= c->grade[h] ? 1.0 : 0.0;
                l->x[h * from->count + d] = l->p[h * from->count + d] = y;
                l->apart[h * from->count + d] = 1.0;
                l->total[h] += y;
            }
        }
        for (size_t m = 0; m < IV_DOCUMENT_MEASURES; m++)
            for (size_t r = 0; r < runs && good; r++) {
                iv_document_value v;
                good = iv_document_value_of(&v, change, m, &all, 0, c->level,
                                            &c->rankings[r * c->topic_count + t], &discounts);
                c->truth[(m * runs + r) * c->topic_count + t] = isfinite(v.value) ? v.value : 0.0;
            }
    }
    free(discounts.sum);
    return good ? IV_OK : iv_no_memory(err);
}

/* ---------------------------------------------------------------- reading -- */

static int take_topic(iv_framed_collection *c, iv_arena *own, const iv_label_source *sources,
                      size_t framed, iv_err *err)
{
    const iv_str id = iv_frame_topic(c->frame, framed);
    const size_t topic = iv_judgments_find_topic(c->by.human, id);
    const size_t all = iv_frame_topics(c->frame);
    iv_framed_topic *t = &c->topics[c->topic_count];
    iv_ids where = { 0 };

    if (topic == IV_NONE)
        return IV_OK;
    int rc = take_documents(c, t, &where, own, sources, topic, framed, err);
    for (size_t r = 0; r < c->in.count && rc == IV_OK; r++)
        rc = rank_documents(&c->rankings[r * all + c->topic_count], &where, c->in.runs[r], id, own,
                            err);
    iv_ids_free(&where);
    c->most = t->count > c->most ? t->count : c->most;
    c->topic_count += t->count > 0;
    return rc;
}

int iv_framed_collection_read(iv_framed_collection *c, iv_arena *own, iv_result *result,
                              const iv_study_machine_question *q, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_study_judges_load(&c->by, own, q, work, err));
    IV_TRY(iv_run_input_read(&c->in, result, &q->source, work, err));
    IV_TRY(iv_frame_new(&c->frame, c->in.runs, c->in.count, NULL, work, err));
    const size_t all = iv_frame_topics(c->frame);
    iv_label_source *sources = iv_take(own, c->by.count, sizeof *sources);
    c->level = iv_judge_view(c->by.judge[0])->level;
    c->width = iv_take(own, c->by.count, sizeof *c->width);
    c->top = iv_take(own, c->by.count, sizeof *c->top);
    c->topics = iv_take(own, all, sizeof *c->topics);
    c->rankings = iv_take(own, c->in.count * all, sizeof *c->rankings);
    IV_TRY(iv_taken(own, err));
    for (size_t j = 0; j < c->by.count; j++) {
        IV_TRY(iv_machine_source(&sources[j], own, c->by.human, c->by.labels[j], c->by.scored[j],
                                 err));
        c->width[j] = IV_RANK_TRAITS + sources[j].groups - 1;
        c->top[j] = iv_largest_label(c->by.labels[j], c->by.scored[j]);
    }
    for (size_t t = 0; t < all; t++)
        IV_TRY(take_topic(c, own, sources, t, err));
    if (c->topic_count < IV_TWO_PHASE_LEAST)
        return iv_fail(err, IV_ENODATA, "%zu topics with judged documents that runs return, "
                       "expected %d or more", c->topic_count, IV_TWO_PHASE_LEAST);
    /* Topics without any were left out. */
    for (size_t r = 1; r < c->in.count; r++)
        memmove(c->rankings + r * c->topic_count, c->rankings + r * all,
                c->topic_count * sizeof *c->rankings);
    return know(c, own, err);
}
