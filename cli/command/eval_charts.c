/* SPDX-License-Identifier: Apache-2.0 */
/* What a page of eval shows beside its table, and how it came about. */
#include <math.h>

#include "command/eval.h"

/* Values by topic that a page can carry beside its table. */
enum { MOST_VALUES = 60000 };

/* Values that have a number for each topic. */
static size_t topic_values(const eval *e)
{
    size_t count = 0;

    for (size_t i = 0; i < e->width; i++)
        count += eval_shows(e, i) && iv_measures_value(e->measures, i)->measure->per_topic;
    return count;
}

static size_t topics_of_all(const eval *e)
{
    size_t count = 0;

    for (size_t r = 0; r < e->count; r++)
        count += iv_scores_topics(e->runs[r]);
    return count;
}

/* Are all means between 0 and 1, so that they fit one axis? */
static bool on_one_axis(const eval *e)
{
    for (size_t k = 0; k < e->count * e->width; k++)
        if (eval_shows(e, k % e->width)
            && (e->means[k].value < 0.0 || e->means[k].value > 1.0))
            return false;
    return true;
}

/* The values of each topic, for as many measures as a page can carry. */
static bool add_topics(const eval *e)
{
    static const iv_column columns[] = { { "run", IV_TEXT, 0 }, { "measure", IV_TEXT, 0 },
                                         { "topic", IV_TEXT, 0 }, { "value", IV_REAL, 4 } };
    const size_t each = topics_of_all(e);
    size_t room = each == 0 ? 0 : MOST_VALUES / each;

    if (room == 0 || topic_values(e) == 0)
        return false;
    iv_table *t = iv_result_table(e->result, "topics", columns, 4);
    iv_table_show(t, IV_FOLDED);
    for (size_t i = 0; i < e->width && room > 0; i++) {
        const iv_value_info *v = iv_measures_value(e->measures, i);
        if (!eval_shows(e, i) || !v->measure->per_topic)
            continue;
        room--;
        for (size_t k = 0; k < e->count; k++) {
            const iv_scores *x = e->runs[e->order[k]];
            for (size_t topic = 0; topic < iv_scores_topics(x); topic++) {
                iv_put_text(t, iv_str_of(e->names[e->order[k]]));
                iv_put_text(t, iv_str_of(v->name));
                iv_put_text(t, iv_scores_topic(x, topic));
                iv_put_real(t, iv_scores_row(x, topic)[i]);
            }
        }
    }
    return true;
}

static void draw_means(const eval *e)
{
    const bool measures = e->count == 1 && on_one_axis(e);
    char caption[512];

    (void)snprintf(caption, sizeof caption,
        "A point is a mean over topics, the line through it its %g %% interval: how far the "
        "mean over other topics of the same kind may be from the one seen.%s",
        100.0 * e->shared->confidence, e->count == 1 ? "" : " Two runs whose lines overlap may "
        "still differ, since both were scored on the same topics: compare tells.");
    iv_result_chart(e->result, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "measures",
        .title = e->count == 1 ? "The measures" : "The runs",
        .caption = caption, .label = measures ? "measure" : "run",
        .page = measures ? NULL : "measure", .where = "topic", .is = "all",
        .value = "value", .lower = "lower", .upper = "upper",
        .value_axis = { .title = measures ? "value" : "mean over topics" } });
}

static void draw_topics(const eval *e)
{
    const bool listed = e->args->topics; /* the main table has them */

    if (topic_values(e) == 0 || (!listed && !add_topics(e)))
        return;
    if (e->count == 1)
        iv_result_chart(e->result, &(iv_chart){
            .kind = IV_CHART_BARS, .table = listed ? "measures" : "topics",
            .title = "Topic by topic",
            .caption = "A bar is a topic, the best first: a mean can hide that a few topics "
                       "carry it, or that many fail.",
            .label = "topic", .page = "measure", .value = "value", .where = "topic",
            .is_not = "all" });
    else
        iv_result_chart(e->result, &(iv_chart){
            .kind = IV_CHART_MATRIX, .table = listed ? "measures" : "topics",
            .title = "Topic by topic",
            .caption = "A row is a run, the best first, a column a topic; light is a high "
                       "value. A dark column is a topic that all runs find hard, a dark field "
                       "in a light column one that a run lost.",
            .label = "run", .against = "topic", .page = "measure", .value = "value",
            .where = "topic", .is_not = "all" });
}

static void tell_method(const eval *e)
{
    const bool intervals = e->args->ci != IV_INTERVAL_NONE;

    iv_result_method(e->result, "Each measure is computed for each topic from the ranking and "
                     "the judgments, and averaged over topics with equal weight; documents "
                     "without a judgment count as not relevant.");
    if (intervals)
        iv_result_method(e->result, "Intervals are computed from the spread of the values over "
                         "topics: %s. Resamples: %lld.", e->args->ci < 0
                         ? "by the Studentised bootstrap on the logit scale for measures "
                           "between 0 and 1, and by Student's t for others"
                         : e->args->ci == IV_INTERVAL_T ? "by Student's t"
                         : e->args->ci == IV_INTERVAL_BCA ? "by the BCa bootstrap"
                         : e->args->ci == IV_INTERVAL_LOGIT
                         ? "by the Studentised bootstrap on the logit scale"
                         : "by the percentile bootstrap",
                         (long long)e->args->resamples);
    if (intervals)
        iv_result_assumption(e->result, "The topics are a random sample of those one wants to "
                             "know about: the interval speaks of other topics of that kind, "
                             "not of other judges or documents.");
    iv_result_assumption(e->result, "The judgments are complete enough: what unjudged documents "
                         "could change is shown by --bounds.");
}

void eval_charts(const eval *e)
{
    if (!e->args->no_summary)
        draw_means(e);
    draw_topics(e);
    tell_method(e);
}
