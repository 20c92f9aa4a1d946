/* SPDX-License-Identifier: Apache-2.0 */
#include "sample_design.h"

/* With which probability documents are judged: a row a bucket of equal ones. */
static void put_buckets(iv_table *t, const iv_sample_topic *x)
{
    size_t place = x->fixed;

    if (x->fixed > 0) {
        iv_put_text(t, x->topic);
        iv_put_int(t, (int64_t)x->fixed);
        iv_put_int(t, (int64_t)place);
        iv_put_real(t, 1.0);
    }
    for (size_t b = 0; x->scheme != NULL && b < iv_scheme_buckets(x->scheme); b++) {
        const iv_bucket *bucket = iv_scheme_bucket(x->scheme, b);
        place += bucket->size;
        iv_put_text(t, x->topic);
        iv_put_int(t, (int64_t)bucket->size);
        iv_put_int(t, (int64_t)place);
        iv_put_real(t, bucket->pi);
    }
}

static void draw(iv_result *out)
{
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_BARS, .table = "design", .title = "Documents to judge",
        .caption = "A bar is a topic: how many of its documents are to be judged.",
        .label = "topic", .value = "to_judge" });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "probabilities", .title = "Who is drawn",
        .caption = "The probability with which a document is judged, over its place in the "
                   "frame, a point a bucket of documents that are alike. Where it is high, "
                   "judgments are spent; where it is low, each one stands for many.",
        .x = "place", .value = "probability", .page = "topic",
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
    size_t all = 0;

    iv_table_fold(p);
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
    }
    draw(c->result);
    iv_result_answer(c->result, "%zu documents to judge on %zu topics.", all,
                     iv_sample_topics(sample));
    iv_result_note(c->result, "this is the design; without --format the file to fill in is "
                   "written");
}
