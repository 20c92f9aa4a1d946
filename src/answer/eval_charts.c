/* SPDX-License-Identifier: Apache-2.0 */
/* What a page of eval shows beside its table, and how it came about. */
#include <math.h>
#include <stdlib.h>

#include "answer/answer_columns.h"
#include "answer/eval_parts.h"
#include "base/result.h"

/* Values by topic that a page can carry beside its table. */
enum { MOST_VALUES = 60000 };

enum { SAMPLED = 1 };

typedef struct point {
    const char *run, *measure;
    iv_str topic;
    double value, lower, upper;
} point;

const iv_field iv_eval_topic_fields[] = {
    { "run", IV_AT(point, run), .about = "its tag, or its file" },
    { "measure", IV_AT(point, measure), .about = "as it was asked for" },
    { "topic", IV_AT(point, topic), .about = "its id" },
    { "value", IV_AT(point, value), .digits = 4, .about = "of the topic" },
    { "lower", IV_AT(point, lower), .digits = 4, .needs = SAMPLED,
      .about = "end of the interval" },
    { "upper", IV_AT(point, upper), .digits = 4, .needs = SAMPLED,
      .about = "end of the interval" },
    { NULL }
};

/* Measures that have a number for each topic. */
static size_t by_topic(const iv_eval *e)
{
    size_t count = 0;

    for (size_t i = 0; i < e->v->measure_count; i++)
        count += iv_eval_by_topic(e, i);
    return count;
}

/* Are all means between 0 and 1, so that they fit one axis?  Counts are not drawn. */
static bool on_one_axis(const iv_eval *e)
{
    for (size_t i = 0; i < e->v->measure_count; i++)
        for (size_t r = 0; r < e->v->run_count && !e->v->measures[i].text && !iv_eval_counts(e, i);
             r++)
            if (iv_eval_mean(e, r, i)->value < 0.0 || iv_eval_mean(e, r, i)->value > 1.0)
                return false;
    return true;
}

/* The values of each topic, for as many measures as a page can carry. */
static bool add_topics(const iv_eval *e)
{
    size_t each = 0;
    iv_rows rows = { .name = "topics", .fields = iv_eval_topic_fields, .size = sizeof(point),
                     .with = e->v->sampling != NULL ? SAMPLED : 0, .showing = IV_FOLDED };

    for (size_t r = 0; r < e->v->run_count; r++)
        each += e->v->runs[r].topics;
    /* Of very many topics a sample, evenly. */
    const size_t step = each > MOST_VALUES ? (each + MOST_VALUES - 1) / MOST_VALUES : 1;
    size_t room = each == 0 ? 0 : MOST_VALUES * step / each;
    if (room == 0 || by_topic(e) == 0 || !iv_result_wants(e->out, "topics", IV_FOLDED))
        return false;
    iv_table *t = iv_result_rows(e->out, &rows);
    for (size_t i = 0; i < e->v->measure_count && room > 0; i++) {
        room -= iv_eval_by_topic(e, i);
        for (size_t k = 0; k < e->v->run_count && iv_eval_by_topic(e, i); k++)
            for (size_t topic = 0; topic < e->v->topic_count; topic += step) {
                const size_t r = e->order[k];
                const iv_estimate x = iv_evaluation_value(e->evaluation, r, i, topic);
                const point p = { e->v->runs[r].name, e->v->measures[i].name,
                                  e->v->topics[topic], x.value, x.lower, x.upper };
                if (isnan(x.value))
                    continue;
                rows.at = &p;
                rows.count = 1;
                iv_table_append(t, &rows);
                if (iv_eval_counts(e, i))
                    iv_table_counts(t, 1, "value");
            }
    }
    if (step > 1)
        iv_result_note(e->out, "table topics and its chart show a sample, one topic of every %zu",
                       step);
    return true;
}

static void draw_means(const iv_eval *e)
{
    const bool one = e->v->run_count == 1;
    const bool measures = one && on_one_axis(e);
    char caption[512];

    if (e->v->sampling != NULL)
        (void)snprintf(caption, sizeof caption,
            "A point is a mean over topics, estimated from sampled judgments; the line is its "
            "interval, which allows for the documents not judged and, unless said otherwise, "
            "for the choice of topics.");
    else
        (void)snprintf(caption, sizeof caption,
            "A point is a mean over topics, the line through it its %.10g %% interval: how far the "
            "mean over other topics of the same kind may be from the one seen.%s",
            100.0 * e->v->resampling.confidence, one ? "" : " Two runs whose lines overlap may "
            "still differ, since both were scored on the same topics: compare tells.");
    iv_result_chart(e->out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "measures",
        .title = one ? "The measures" : "The runs",
        .caption = caption, .label = measures ? "measure" : "run",
        .page = measures ? NULL : "measure", .where = "topic", .is = "all",
        .value = "value", .lower = "lower", .upper = "upper",
        .value_axis = { .title = measures ? "value" : "mean over topics" } });
}

static void draw_topics(const iv_eval *e)
{
    const bool listed = e->asked->topics; /* the main table has them */
    const bool one = e->v->run_count == 1, sampled = e->v->sampling != NULL;
    const size_t main = iv_eval_deciding(e, e->order[0]);
    iv_chart chart = { .table = listed ? "measures" : "topics", .title = "Topic by topic",
                       .page = "measure", .value = "value", .where = "topic", .is_not = "all",
                       .opens = main == IV_NONE ? NULL : e->v->measures[main].name };

    if (by_topic(e) == 0 || (!listed && !add_topics(e)) || !iv_result_wants_charts(e->out))
        return;
    if (!one) {
        chart.kind = IV_CHART_MATRIX;
        chart.label = "run";
        chart.against = "topic";
        chart.caption = sampled
            ? "A row is a run, a column a topic; light is a high estimate. A dark column is a "
              "topic that all runs find hard."
            : "A row is a run, the best first, a column a topic; light is a high value. A dark "
              "column is a topic that all runs find hard, a dark field in a light column one "
              "that a run lost.";
    } else {
        chart.kind = sampled ? IV_CHART_FOREST : IV_CHART_BARS;
        chart.label = "topic";
        chart.lower = sampled ? "lower" : NULL;
        chart.upper = sampled ? "upper" : NULL;
        chart.sorted = sampled;
        chart.caption = sampled
            ? "A point is the estimate of a topic, the line its interval: how far the "
              "documents not judged could move it."
            : "A bar is a topic, the best first: a mean can hide that a few topics carry it, or "
              "that many fail.";
    }
    iv_result_chart(e->out, &chart);
}

static void tell_method(const iv_eval *e)
{
    const iv_interval_method asked = e->asked->how.interval;
    const bool intervals = asked != IV_INTERVAL_NONE;
    const char *usual = e->asked->how.guaranteed
        ? "guaranteed limits: Clopper and Pearson's for measures that are 0 or 1, Hoeffding's "
          "and Bentkus' for others between 0 and 1"
        : "the Studentised bootstrap on the logit scale for measures between 0 and 1, Wilson's "
          "score interval for values that are 0 or 1, Student's t for other measures";

    iv_result_method(e->out, "Each measure is computed for each topic from the ranking and "
                     "the judgments, and averaged over topics with equal weight; documents "
                     "without a judgment count as not relevant.");
    if (intervals)
        iv_result_method(e->out, "Intervals are computed from the spread of the values over "
                         "topics: %s. Resamples: %zu.", asked == IV_INTERVAL_AUTO
                         ? usual : iv_eval_method_text(asked), e->v->resampling.resamples);
    if (intervals)
        iv_result_assumption(e->out, "The topics are a random sample of those one wants to "
                             "know about: the interval speaks of other topics of that kind, "
                             "not of other judges or documents.");
    iv_result_assumption(e->out, "The judgments are complete enough: what unjudged documents "
                         "could change is shown by bounds.");
}

void iv_eval_charts(const iv_eval *e)
{
    if (!e->asked->no_summary && iv_result_wants_charts(e->out))
        draw_means(e);
    draw_topics(e);
    if (e->v->sampling == NULL)
        tell_method(e);
}
