/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of eval.  One of all columns for programs, which people see as one a
 * measure where there are several runs, without the columns that say nothing, so
 * that the interval can be drawn beside them.
 */
#include <math.h>
#include <stdlib.h>

#include "answer/answer_columns.h"
#include "answer/eval_parts.h"
#include "base/result.h"

/* When a column is there, or shown to people. */
enum {
    ONE_RUN = 1 << 0,
    MANY_RUNS = 1 << 1,
    TOPICS = 1 << 2,    /* each topic has a row */
    UNEVEN = 1 << 3,    /* runs differ in their number of topics */
    ERRORS = 1 << 4,    /* the standard error is worth its room */
    INTERVALS = 1 << 5,
    LACKING = 1 << 6,   /* some run misses a topic */
    BOUNDS = 1 << 7,
    TIES = 1 << 8,
    SAMPLED = 1 << 9,
    OUTSIDE = 1 << 10   /* some of a run is outside of the sampled frame */
};

typedef struct line {
    const char *run, *measure, *reason;
    iv_str topic;
    size_t topics, missing, relevant;
    double value, se, lower, upper, se_judgments, se_topics, outside;
    iv_bounds bounds;
    iv_ties ties;
} line;

const iv_field iv_eval_measure_fields[] = {
    { "run", IV_AT(line, run), .shown = MANY_RUNS, .about = "its tag, or its file" },
    { "measure", IV_AT(line, measure), .shown = ONE_RUN, .about = "as it was asked for" },
    { "topic", IV_AT(line, topic), .shown = TOPICS, .about = "its id, or all of them" },
    { "topics", IV_AT(line, topics), .shown = UNEVEN, .about = "how many count" },
    { "value", IV_AT(line, value), .digits = 4, .about = "of the topic, or over topics" },
    { "se", IV_AT(line, se), .digits = 4, .shown = ERRORS, .about = "standard error" },
    { "lower", IV_AT(line, lower), .digits = 4, .shown = INTERVALS,
      .about = "end of the interval" },
    { "upper", IV_AT(line, upper), .digits = 4, .shown = INTERVALS,
      .about = "end of the interval" },
    { "missing", IV_AT(line, missing), .shown = LACKING,
      .about = "judged topics that the run misses" },
    { "bound_lower", IV_AT(line, bounds.lower), .digits = 4, .needs = BOUNDS,
      .about = "lowest value that unjudged documents allow" },
    { "bound_upper", IV_AT(line, bounds.upper), .digits = 4, .needs = BOUNDS,
      .about = "highest value that unjudged documents allow" },
    { "tie_lower", IV_AT(line, ties.lower), .digits = 4, .needs = TIES,
      .about = "lowest value over the orders of tied documents" },
    { "tie_expected", IV_AT(line, ties.expected), .digits = 4, .needs = TIES,
      .about = "mean value over the orders of tied documents" },
    { "tie_upper", IV_AT(line, ties.upper), .digits = 4, .needs = TIES,
      .about = "highest value over the orders of tied documents" },
    { "se_judgments", IV_AT(line, se_judgments), .digits = 4, .needs = SAMPLED,
      .shown = TOPICS, .about = "what judging everything would remove of se" },
    { "se_topics", IV_AT(line, se_topics), .digits = 4, .needs = SAMPLED, .shown = TOPICS,
      .about = "what it would leave" },
    { "outside", IV_AT(line, outside), .digits = 3, .needs = SAMPLED, .shown = OUTSIDE,
      .about = "of what the measure looks at, the proportion outside of the sampled frame" },
    { "relevant", IV_AT(line, relevant), .needs = SAMPLED, .shown = TOPICS,
      .about = "relevant documents drawn that it rests on" },
    { "reason", IV_AT(line, reason), .needs = SAMPLED, .shown = TOPICS,
      .about = "why there is no interval" },
    { NULL }
};

/* Which of the columns are there, and worth their room. */
static unsigned flags_of(const iv_eval *e)
{
    const iv_evaluated *v = e->v;
    const bool many = v->run_count > 1, summary = !e->asked->no_summary;
    bool uneven = false, lacking = false, intervals = v->sampling != NULL, outside = false;

    for (size_t r = 0; r < v->run_count; r++) {
        uneven = uneven || v->runs[r].topics != v->runs[0].topics;
        lacking = lacking || v->runs[r].missing_count > 0;
    }
    for (size_t k = 0; k < v->run_count * v->measure_count && summary; k++) {
        intervals = intervals || isfinite(v->means[k].lower);
        outside = outside || v->means[k].outside > 0.0;
    }
    unsigned with = (many ? MANY_RUNS : ONE_RUN) | (e->asked->topics ? TOPICS : 0)
        | (uneven ? UNEVEN : 0) | (intervals ? INTERVALS : 0) | (lacking ? LACKING : 0)
        | (e->asked->how.bounds ? BOUNDS : 0) | (e->asked->how.ties ? TIES : 0);
    /* Beside a drawn interval of many runs the standard error only takes room. */
    if (v->sampling != NULL)
        with |= SAMPLED | ERRORS | (outside ? OUTSIDE : 0);
    else if (summary && (!many || !intervals))
        with |= ERRORS;
    return with;
}

static void fill_topic(line *l, const iv_eval *e, size_t run, size_t i, size_t topic,
                       const iv_estimate *x)
{
    const bool sampled = e->v->sampling != NULL;
    const double nan = (double)NAN;
    /* No spread was seen, but there is one unless all is certain. */
    const double se = sampled && (x->variance > 0.0 || x->exact) ? sqrt(x->variance) : nan;

    *l = (line){ .run = e->v->runs[run].name, .measure = e->v->measures[i].name,
                 .reason = iv_sampled_gap_text(x->gap), .topic = e->v->topics[topic],
                 .topics = 1, .missing = x->empty, .relevant = x->relevant,
                 .value = x->value, .se = se, .lower = sampled ? x->lower : nan,
                 .upper = sampled ? x->upper : nan, .se_judgments = se, .se_topics = nan,
                 .outside = x->looked > 0 ? (double)x->outside / x->looked : nan,
                 .bounds = iv_evaluation_bounds(e->evaluation, run, i, topic),
                 .ties = iv_evaluation_ties(e->evaluation, run, i, topic) };
}

static void fill_mean(line *l, const iv_eval *e, size_t run, size_t i, size_t relevant)
{
    const iv_mean *m = iv_eval_mean(e, run, i);

    *l = (line){ .run = e->v->runs[run].name, .measure = e->v->measures[i].name,
                 .reason = m->gap == IV_GAP_NOT_ASKED ? "" : iv_interval_gap_text(m->gap),
                 .topic = iv_str_of("all"), .topics = m->topics,
                 .missing = e->v->runs[run].missing_count, .relevant = relevant,
                 .value = m->value, .se = m->se, .lower = m->lower, .upper = m->upper,
                 .se_judgments = m->se_judgments, .se_topics = m->se_topics,
                 .outside = m->outside,
                 .bounds = m->bounds, .ties = m->ties };
}

/* The rows of a measure of a run; returns how many. */
static size_t fill(line *rows, const iv_eval *e, size_t run, size_t i)
{
    size_t count = 0, relevant = 0;

    for (size_t t = 0; t < e->v->topic_count && (e->asked->topics || e->v->sampling != NULL);
         t++) {
        const iv_estimate x = iv_evaluation_value(e->evaluation, run, i, t);
        if (isnan(x.value))
            continue;
        relevant += x.relevant;
        if (e->asked->topics && e->v->measures[i].per_topic)
            fill_topic(&rows[count++], e, run, i, t, &x);
    }
    if (!e->asked->no_summary && e->v->measures[i].overall
        && isfinite(iv_eval_mean(e, run, i)->value))
        fill_mean(&rows[count++], e, run, i, relevant);
    return count;
}

int iv_eval_tables(const iv_eval *e, iv_err *err)
{
    line *room = malloc((e->v->topic_count + 1) * sizeof *room);
    iv_rows rows = { .name = "measures", .fields = iv_eval_measure_fields, .at = room, .size = sizeof *room,
                     .with = flags_of(e), .drawn = { "value", "lower", "upper", 0.0, 0.0 },
                     .split = e->v->run_count > 1 ? "measure" : NULL };

    if (room == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    if (!e->asked->no_summary)
        iv_eval_sentence(e);
    iv_table *t = iv_result_rows(e->out, &rows);
    for (size_t i = 0; i < e->v->measure_count; i++)
        for (size_t k = 0; k < e->v->run_count && !e->v->measures[i].text; k++) {
            rows.count = fill(room, e, e->order[k], i);
            iv_table_append(t, &rows);
            if (iv_eval_counts(e, i))
                iv_table_counts(t, rows.count, "value");
        }
    free(room);
    iv_eval_charts(e);
    return IV_OK;
}
