/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/sample_design.h"

#include <stdlib.h>

typedef struct design_row {
    iv_str topic;
    size_t frame, drawn, certain, judged, to_judge;
} design_row;

static const iv_field design_fields[] = {
    { "topic", IV_AT(design_row, topic) },
    { "frame", IV_AT(design_row, frame), .about = "documents that could be drawn" },
    { "drawn", IV_AT(design_row, drawn), .about = "documents that were" },
    { "certain", IV_AT(design_row, certain), .about = "documents judged for certain" },
    { "judged", IV_AT(design_row, judged), .about = "documents judged already" },
    { "to_judge", IV_AT(design_row, to_judge), .about = "documents to judge" },
    { NULL } };

typedef struct bucket_row {
    iv_str topic;
    size_t documents, place;
    double probability;
} bucket_row;

static const iv_field bucket_fields[] = {
    { "topic", IV_AT(bucket_row, topic) },
    { "documents", IV_AT(bucket_row, documents), .about = "documents drawn alike" },
    { "place", IV_AT(bucket_row, place),
      .about = "place of the last of them in the frame, the heaviest first" },
    { "probability", IV_AT(bucket_row, probability), .digits = 4,
      .about = "with which each is judged" },
    { NULL } };

static size_t bucket_count(const iv_sample_topic *x)
{
    return x->scheme != NULL ? iv_scheme_buckets(x->scheme) : 0;
}

/*
 * With which probability documents are judged: a row a bucket of equal ones,
 * at the place of its last document; before it one for where the steps begin.
 */
static size_t fill_buckets(bucket_row *rows, const iv_sample_topic *x)
{
    size_t place = x->fixed, count = 0;

    if (x->fixed > 0)
        rows[count++] = (bucket_row){ x->topic, 0, 0, 1.0 };
    else if (bucket_count(x) > 0)
        rows[count++] = (bucket_row){ x->topic, 0, 0, iv_scheme_bucket(x->scheme, 0)->pi };
    if (x->fixed > 0)
        rows[count++] = (bucket_row){ x->topic, x->fixed, place, 1.0 };
    for (size_t b = 0; b < bucket_count(x); b++) {
        const iv_bucket *bucket = iv_scheme_bucket(x->scheme, b);
        place += bucket->size;
        rows[count++] = (bucket_row){ x->topic, bucket->size, place, bucket->pi };
    }
    return count;
}

static void draw(iv_result *out, double most)
{
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_POINTS, .table = "design", .title = "Documents to judge",
        .caption = "A point is a topic: how many of its documents are to be judged, over how "
                   "many there are to choose from.",
        .label = "topic", .x = "frame", .value = "to_judge",
        .x_axis = { .title = "documents in the frame" },
        .value_axis = { .title = "documents to judge", .from = 0.0, .to = 1.1 * most } });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "probabilities", .title = "Who is drawn",
        .caption = "The probability with which a document is judged, over its place in the "
                   "frame; a step is a bucket of documents that are alike. Where it is high, "
                   "judgments are spent; where it is low, each one stands for many.",
        .x = "place", .value = "probability", .page = "topic", .stepped = true,
        .x_axis = { .title = "place in the frame, the heaviest first" },
        .value_axis = { .title = "probability" } });
}

int iv_sample_design(iv_result *out, const iv_sample *sample, iv_err *err)
{
    const size_t topics = iv_sample_topics(sample);
    size_t room = 1, buckets = 0, all = 0, most = 0;

    for (size_t k = 0; k < topics; k++) {
        const iv_sample_topic x = iv_sample_topic_at(sample, k);
        room += bucket_count(&x) + 2;
    }
    design_row *rows = calloc(topics + 1, sizeof *rows);
    bucket_row *steps = calloc(room, sizeof *steps);
    const bool good = rows != NULL && steps != NULL;
    for (size_t k = 0; k < topics && good; k++) {
        const iv_sample_topic x = iv_sample_topic_at(sample, k);
        const size_t ahead = x.fixed + x.drawn - x.judged;
        rows[k] = (design_row){ x.topic, x.frame, x.drawn, x.fixed, x.judged, ahead };
        buckets += fill_buckets(steps + buckets, &x);
        all += ahead;
        most = ahead > most ? ahead : most;
    }
    if (good) {
        (void)iv_result_rows(out, &(iv_rows){ "design", design_fields, rows, topics,
                                              sizeof *rows });
        (void)iv_result_rows(out, &(iv_rows){ "probabilities", bucket_fields, steps, buckets,
                                              sizeof *steps, .showing = IV_FOLDED });
        draw(out, (double)most);
        iv_result_answer(out, "%zu documents to judge on %zu topics.", all, topics);
    }
    free(rows);
    free(steps);
    return good ? IV_OK : iv_fail(err, IV_ENOMEM, "out of memory");
}
