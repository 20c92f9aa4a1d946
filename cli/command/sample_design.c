/* SPDX-License-Identifier: Apache-2.0 */
#include "command/sample_design.h"

static void put_bucket(iv_table *t, iv_str topic, size_t size, size_t place, double pi)
{
    iv_put_text(t, topic);
    iv_put_int(t, (int64_t)size);
    iv_put_int(t, (int64_t)place);
    iv_put_real(t, pi);
}

/*
 * With which probability documents are judged: a row a bucket of equal ones,
 * at the place of its last document; before it one for where the steps begin.
 */
static void put_buckets(iv_table *t, const iv_sample_topic *x)
{
    size_t place = x->fixed;

    if (x->fixed > 0)
        put_bucket(t, x->topic, 0, 0, 1.0);
    else if (x->scheme != NULL && iv_scheme_buckets(x->scheme) > 0)
        put_bucket(t, x->topic, 0, 0, iv_scheme_bucket(x->scheme, 0)->pi);
    if (x->fixed > 0)
        put_bucket(t, x->topic, x->fixed, place, 1.0);
    for (size_t b = 0; x->scheme != NULL && b < iv_scheme_buckets(x->scheme); b++) {
        const iv_bucket *bucket = iv_scheme_bucket(x->scheme, b);
        place += bucket->size;
        put_bucket(t, x->topic, bucket->size, place, bucket->pi);
    }
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

void sample_design(cmd_context *c, const iv_sample *sample)
{
    static const iv_column columns[] = {
        { "topic", IV_TEXT, 0 },      { "frame", IV_INTEGER, 0 },  { "drawn", IV_INTEGER, 0 },
        { "certain", IV_INTEGER, 0 }, { "judged", IV_INTEGER, 0 },
        { "to_judge", IV_INTEGER, 0 } };
    static const iv_column buckets[] = {
        { "topic", IV_TEXT, 0 }, { "documents", IV_INTEGER, 0 }, { "place", IV_INTEGER, 0 },
        { "probability", IV_REAL, 4 } };
    iv_table *t = iv_result_table(c->result, "design", columns, 6);
    iv_table *p = iv_result_table(c->result, "probabilities", buckets, 4);
    size_t all = 0, most = 0;

    iv_table_show(p, IV_FOLDED);
    for (size_t k = 0; k < iv_sample_topics(sample); k++) {
        const iv_sample_topic x = iv_sample_topic_at(sample, k);
        const size_t ahead = x.fixed + x.drawn - x.judged;
        iv_put_text(t, x.topic);
        iv_put_int(t, (int64_t)x.frame);
        iv_put_int(t, (int64_t)x.drawn);
        iv_put_int(t, (int64_t)x.fixed);
        iv_put_int(t, (int64_t)x.judged);
        iv_put_int(t, (int64_t)ahead);
        put_buckets(p, &x);
        all += ahead;
        most = ahead > most ? ahead : most;
    }
    draw(c->result, (double)most);
    iv_result_answer(c->result, "%zu documents to judge on %zu topics.", all,
                     iv_sample_topics(sample));
    iv_result_note(c->result, "this is the design; without --format the file to fill in is "
                   "written");
}
