/* SPDX-License-Identifier: Apache-2.0 */
/*
 * eval: the answer, its tables and charts.  One table of all columns for programs, which people
 * see as one a measure where there are several runs.
 */
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/ties.h"
#include "result/answering.h"
#include "result/claims.h"
#include "result/methods.h"
#include "result/wording.h"
#include "retrieval/eval.h"
#include "retrieval/eval_messages.h"
#include "retrieval/eval_state.h"
#include "retrieval/evaluation.h"
#include "retrieval/run_notes.h"
#include "retrieval/sampled_measures.h"
#include "stat/interval_methods.h"
#include "stat/pair_tests.h"

#include <math.h>

/* Highest first; by insertion, and stable: equal runs stay in the order given. */
static void order_runs(const iv_eval *e)
{
    const size_t by = e->v->run_count > 0 ? iv_eval_deciding(e, 0) : IV_NONE;

    for (size_t r = 0; r < e->v->run_count; r++) {
        size_t at = r;
        while (by != IV_NONE && at > 0 && iv_eval_mean(e, e->order[at - 1], by)->value
                                              < iv_eval_mean(e, r, by)->value) {
            e->order[at] = e->order[at - 1];
            at--;
        }
        e->order[at] = r;
    }
}

/* "(95 % interval 0.301 to 0.436)", or why there is none. */
static void say_span(char *out, size_t size, const iv_eval *e, size_t measure, const iv_mean *m)
{
    if (iv_none_relevant(e->v, measure))
        (void)snprintf(out, size, " (no judgment has grade %ld or more)",
                       (long)e->v->measures[measure].info->level);
    else
        (void)iv_span(out, e->v->resampling.confidence, m->lower, m->upper);
}

/* "50 topics", or "248 of 250 topics" where the mean is not over all of them. */
static void say_topics(char *out, size_t size, const iv_eval *e, size_t run, const iv_mean *m)
{
    const size_t missing = e->v->complete ? 0 : e->v->runs[run].missing_count;

    if (missing > 0)
        (void)snprintf(out, size, "%s of %s topics", IV_COUNT(m->topics),
                       IV_COUNT(m->topics + missing));
    else
        (void)snprintf(out, size, "%s topic%s", IV_COUNT(m->topics), iv_plural(m->topics));
}

/* Runs with the value of the best one, which follow it in the order. */
static const char *say_equals(char out[IV_EQUALS_SIZE], const iv_eval *e, size_t measure)
{
    const double best = iv_eval_mean(e, e->order[0], measure)->value;
    size_t equal = 0;

    while (equal + 1 < e->v->run_count && iv_eval_mean(e, e->order[equal + 1], measure)->value
                                              >= best - iv_slack_of(&best, 1))
        equal++;
    return iv_say_equals(out, equal, equal == 0 ? "" : e->v->runs[e->order[1]].name);
}

/* The best run by the first measure. */
static void say_answer(const iv_eval *e)
{
    const size_t best = e->order[0], runs = e->v->run_count;
    char span[160] = "", topics[64], others[IV_EQUALS_SIZE], first[320] = "";
    const size_t i = iv_eval_deciding(e, best);

    if (e->v->sampling != NULL) {
        iv_eval_sampled_sentence(e);
        return;
    }
    if (i == IV_NONE || !e->v->measures[i].overall)
        return;
    const iv_mean *m = iv_eval_mean(e, best, i);
    const char *name = e->v->runs[best].name, *measure = e->v->measures[i].name;
    const int digits = iv_eval_counts(e, i) ? 0 : 3;
    say_topics(topics, sizeof topics, e, best, m);
    say_span(span, sizeof span, e, i, m);
    const iv_evaluated_run *poor = &e->v->runs[iv_most_unjudged(e->v)];
    if (iv_top_unjudged(poor) > 0.5 && !e->asked->how.measure.judged_only)
        (void)snprintf(first, sizeof first, "Most of the top %zu documents of %.200s are "
                       "unjudged, so its scores are probably too low. ",
                       iv_top_depth(e->v->measures[0].info), poor->name);
    if (iv_eval_unmatched(e, best))
        iv_result_answer(e->out, "No score: none of the documents of %s is judged. Do the document "
                         "ids match those of the judgments?", name);
    else if (runs > 1)
        iv_result_answer(e->out, "%sHighest %s of %zu runs: %s%s with %.*f%s over %s.", first,
                         measure, runs,
                         name, say_equals(others, e, i), digits, m->value, span,
                         topics);
    else
        iv_result_answer(e->out, "%s%s: %s %.*f%s over %s.", first, name, measure, digits, m->value,
                         span,
                         topics);
}

/* ------------------------------------------------------------------ tables -- */

/* Values by topic that a page can carry beside its table. */
enum { MOST_VALUES = 60000 };

const iv_field iv_eval_topic_fields[] = {
    { "run", IV_AT(iv_eval_line, run), .about = "name of the run or system" },
    { "measure", IV_AT(iv_eval_line, measure), .about = "name of the measure" },
    { "topic", IV_AT(iv_eval_line, topic), .about = "name of the topic or item" },
    { "value", IV_AT(iv_eval_line, value), .digits = 4, .about = "value of the topic" },
    { "lower", IV_AT(iv_eval_line, lower), .digits = 4, .needs = IV_EVAL_SAMPLED,
      .about = "lower limit of the interval" },
    { "upper", IV_AT(iv_eval_line, upper), .digits = 4, .needs = IV_EVAL_SAMPLED,
      .about = "upper limit of the interval" },
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
    iv_rows rows = { .name = "topics", .fields = iv_eval_topic_fields, .size = sizeof(iv_eval_line),
                     .with = e->v->sampling != NULL ? IV_EVAL_SAMPLED : 0, .showing = IV_FOLDED };

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
                const iv_eval_line l = { .run = e->v->runs[r].name,
                                         .measure = e->v->measures[i].name,
                                         .topic = e->v->topics[topic], .value = x.value,
                                         .lower = x.lower, .upper = x.upper };
                if (isnan(x.value))
                    continue;
                rows.at = &l;
                rows.count = 1;
                iv_table_append(t, &rows);
                if (iv_eval_counts(e, i))
                    iv_table_counts(t, 1, "value");
            }
    }
    if (step > 1)
        iv_result_note(e->out, "Table 'topics' and its chart show one topic of every %zu.",
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
            "A point is a mean over topics, estimated from sampled judgments. The line is its "
            "interval. It allows for the documents not judged and, unless stated otherwise, for "
            "the choice of topics.");
    else
        (void)snprintf(caption, sizeof caption,
            "A point is a mean over topics. The line is its %.10g %% interval.%s",
            100.0 * e->v->resampling.confidence, one ? ""
            : " Two runs whose lines overlap may still differ significantly, since both were "
              "scored on the same topics; 'intervale compare' tests that.");
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
    const bool one = e->v->run_count == 1, sampled = e->v->sampling != NULL;
    const size_t main = iv_eval_deciding(e, e->order[0]);
    iv_chart chart = { .table = "topics", .title = "Topic by topic", .page = "measure",
                       .value = "value",
                       .opens = main == IV_NONE ? NULL : e->v->measures[main].name };

    if (!add_topics(e) || !iv_result_wants_charts(e->out))
        return;
    if (!one) {
        chart.kind = IV_CHART_MATRIX;
        chart.label = "run";
        chart.against = "topic";
        chart.caption = sampled
            ? "Each row is a run; each column is a topic. Light cells are high estimates. A "
              "dark column is a topic that is hard for all runs."
            : "Each row is a run, the best first; each column is a topic. Light cells are high "
              "values. A dark column is a topic that is hard for all runs. A dark cell in a "
              "light column is a topic on which this run fails.";
    } else {
        chart.kind = sampled ? IV_CHART_FOREST : IV_CHART_BARS;
        chart.label = "topic";
        chart.lower = sampled ? "lower" : NULL;
        chart.upper = sampled ? "upper" : NULL;
        chart.sorted = sampled;
        chart.caption = sampled
            ? "A point is the estimate of a topic. The line is its interval, which "
              "allows for the documents not judged."
            : "Each bar is a topic, the best first. A mean can hide that it comes from a few "
              "topics, or that many topics fail.";
    }
    iv_result_chart(e->out, &chart);
}

/* For pages. */
static void tell_method(const iv_eval *e)
{
    const bool intervals = e->asked->how.interval != IV_INTERVAL_NONE;

    iv_result_method(e->out, "Each measure is computed for each topic from the ranking and "
                     "the judgments, and averaged over topics with equal weight; documents "
                     "without a judgment %s.", e->asked->how.measure.judged_only
                     ? "are removed from the ranking first" : "count as not relevant");
    if (intervals)
        iv_result_assumption(e->out, "The topics are a random sample of those of interest. The "
                             "interval is for the mean over all such topics; it does not "
                             "account for differences between assessors or document collections.");
    iv_result_assumption(e->out, "The judgments are complete enough; --bounds shows how far "
                         "unjudged documents could change the values.");
}

static void make_charts(const iv_eval *e)
{
    if (!e->asked->no_summary && iv_result_wants_charts(e->out))
        draw_means(e);
    draw_topics(e);
    if (e->v->sampling == NULL)
        tell_method(e);
}

const iv_field iv_eval_measure_fields[] = {
    { "run", IV_AT(iv_eval_line, run), .shown = IV_EVAL_MANY_RUNS,
      .about = "name of the run or system" },
    { "measure", IV_AT(iv_eval_line, measure), .shown = IV_EVAL_ONE_RUN,
      .about = "name of the measure" },
    { "topic", IV_AT(iv_eval_line, topic), .shown = IV_EVAL_TOPICS,
      .about = "name of the topic or item, or all" },
    { "topics", IV_AT(iv_eval_line, topics), .shown = IV_EVAL_UNEVEN,
      .about = "number of topics or items" },
    { "value", IV_AT(iv_eval_line, value), .digits = 4,
      .about = "value of the topic or item, or mean over them" },
    { "se", IV_AT(iv_eval_line, se), .digits = 4, .shown = IV_EVAL_ERRORS,
      .audience = IV_IF_VERBOSE,
      .about = "standard error" },
    { "lower", IV_AT(iv_eval_line, lower), .digits = 4, .shown = IV_EVAL_INTERVALS,
      .about = "lower limit of the interval" },
    { "upper", IV_AT(iv_eval_line, upper), .digits = 4, .shown = IV_EVAL_INTERVALS,
      .about = "upper limit of the interval" },
    { "missing", IV_AT(iv_eval_line, missing), .shown = IV_EVAL_LACKING,
      .about = "judged topics for which the run returned nothing, or items without a score" },
    { "method", IV_AT(iv_eval_line, method), .audience = IV_FOR_PROGRAMS,
      .needs = IV_EVAL_SCORES, .about = "method of the interval" },
    { "bound_lower", IV_AT(iv_eval_line, bounds.lower), .digits = 4, .needs = IV_EVAL_BOUNDS,
      .about = "lowest value that unjudged documents allow" },
    { "bound_upper", IV_AT(iv_eval_line, bounds.upper), .digits = 4, .needs = IV_EVAL_BOUNDS,
      .about = "highest value that unjudged documents allow" },
    { "tie_lower", IV_AT(iv_eval_line, ties.lower), .digits = 4, .needs = IV_EVAL_TIES,
      .about = "lowest value over the orders of tied documents" },
    { "tie_expected", IV_AT(iv_eval_line, ties.value), .digits = 4, .needs = IV_EVAL_TIES,
      .about = "mean value over the orders of tied documents" },
    { "tie_upper", IV_AT(iv_eval_line, ties.upper), .digits = 4, .needs = IV_EVAL_TIES,
      .about = "highest value over the orders of tied documents" },
    { "se_judgments", IV_AT(iv_eval_line, se_judgments), .digits = 4, .needs = IV_EVAL_SAMPLED,
      .shown = IV_EVAL_TOPICS, .about = "part of se due to sampled judgments" },
    { "se_topics", IV_AT(iv_eval_line, se_topics), .digits = 4, .needs = IV_EVAL_SAMPLED,
      .shown = IV_EVAL_TOPICS,
      .about = "part of se due to the choice of topics" },
    { "outside", IV_AT(iv_eval_line, outside), .digits = 3, .needs = IV_EVAL_SAMPLED,
      .shown = IV_EVAL_OUTSIDE,
      .about = "proportion of the documents used by the measure that are outside the sampled "
               "frame" },
    { "relevant", IV_AT(iv_eval_line, relevant), .needs = IV_EVAL_SAMPLED, .shown = IV_EVAL_TOPICS,
      .about = "relevant documents in the sample" },
    { "reason", IV_AT(iv_eval_line, reason), .needs = IV_EVAL_SAMPLED, .shown = IV_EVAL_TOPICS,
      .about = "why there is no interval" },
    { "canonical", IV_AT(iv_eval_line, canonical), .audience = IV_FOR_PROGRAMS,
      .needs = IV_EVAL_JUDGED, .about = "name of the measure in ir_measures" },
    { NULL }
};

static const char *canonical(const iv_evaluated_measure *m)
{
    return m->info != NULL ? m->info->canonical : m->name;
}

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
    unsigned with = IV_EVAL_JUDGED | (many ? IV_EVAL_MANY_RUNS : IV_EVAL_ONE_RUN)
        | (e->asked->topics ? IV_EVAL_TOPICS : 0) | (uneven ? IV_EVAL_UNEVEN : 0)
        | (intervals ? IV_EVAL_INTERVALS : 0) | (lacking ? IV_EVAL_LACKING : 0)
        | (e->asked->how.bounds ? IV_EVAL_BOUNDS : 0) | (e->asked->how.ties ? IV_EVAL_TIES : 0);
    if (v->sampling != NULL)
        with |= IV_EVAL_SAMPLED | IV_EVAL_ERRORS | (outside ? IV_EVAL_OUTSIDE : 0);
    else if (summary && !intervals)
        with |= IV_EVAL_ERRORS;
    return with;
}

static void fill_topic(iv_eval_line *l, const iv_eval *e, size_t run, size_t i, size_t topic,
                       const iv_estimate *x)
{
    const bool sampled = e->v->sampling != NULL;
    const double nan = (double)NAN;
    /* No spread was seen, but there is one unless all is certain. */
    const double se = sampled && (x->variance > 0.0 || x->exact) ? sqrt(x->variance) : nan;

    *l = (iv_eval_line){ .run = e->v->runs[run].name, .measure = e->v->measures[i].name,
                 .canonical = canonical(&e->v->measures[i]),
                 .reason = iv_sampled_gap_text(x->gap), .topic = e->v->topics[topic],
                 .topics = 1, .missing = x->empty, .relevant = x->relevant,
                 .value = x->value, .se = se, .lower = sampled ? x->lower : nan,
                 .upper = sampled ? x->upper : nan, .se_judgments = se, .se_topics = nan,
                 .outside = x->looked > 0 ? (double)x->outside / x->looked : nan,
                 .bounds = iv_evaluation_bounds(e->evaluation, run, i, topic),
                 .ties = iv_evaluation_ties(e->evaluation, run, i, topic) };
}

static void fill_mean(iv_eval_line *l, const iv_eval *e, size_t run, size_t i, size_t relevant)
{
    const iv_mean *m = iv_eval_mean(e, run, i);

    const bool none = iv_eval_unmatched(e, run);

    *l = (iv_eval_line){ .run = e->v->runs[run].name, .measure = e->v->measures[i].name,
                 .canonical = canonical(&e->v->measures[i]),
                 .reason = m->gap == IV_GAP_NOT_ASKED ? "" : iv_interval_gap_text(m->gap),
                 .topic = iv_str_of("all"), .topics = m->topics,
                 .missing = e->v->runs[run].missing_count, .relevant = relevant,
                 .value = m->value, .se = m->se,
                 .lower = none ? (double)NAN : m->lower, .upper = none ? (double)NAN : m->upper,
                 .se_judgments = m->se_judgments, .se_topics = m->se_topics,
                 .outside = m->outside,
                 .bounds = m->bounds, .ties = m->ties };
}

/* The rows of a measure of a run; returns how many. */
static size_t fill(iv_eval_line *rows, const iv_eval *e, size_t run, size_t i)
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

static int make_tables(const iv_eval *e, iv_err *err)
{
    iv_eval_line *room = iv_take(iv_result_own(e->out), e->v->topic_count + 1, sizeof *room);
    iv_rows rows = { .name = "measures", .fields = iv_eval_measure_fields, .at = room,
                     .size = sizeof *room,
                     .with = flags_of(e), .drawn = { "value", "lower", "upper", 0.0, 0.0 },
                     .split = e->v->run_count > 1 ? "measure" : NULL };

    IV_TRY(iv_taken(iv_result_own(e->out), err));
    if (!e->asked->no_summary)
        say_answer(e);
    iv_table *t = iv_result_rows(e->out, &rows);
    for (size_t i = 0; i < e->v->measure_count; i++)
        for (size_t k = 0; k < e->v->run_count && !e->v->measures[i].text; k++) {
            rows.count = fill(room, e, e->order[k], i);
            iv_table_append(t, &rows);
            if (iv_eval_counts(e, i))
                iv_table_counts(t, rows.count, "value");
        }
    make_charts(e);
    return IV_OK;
}

/* ----------------------------------------------------------------- answers -- */

/* Scores of the first measure that has a number for each topic. */
static int write_matrix(const iv_eval *e, iv_err *err)
{
    size_t i = 0;

    while (i < e->v->measure_count && !iv_eval_by_topic(e, i))
        i++;
    if (i == e->v->measure_count)
        return iv_fail(err, IV_EARG, "a matrix needs a measure that has a number for each "
                       "topic");
    return iv_evaluation_write_matrix(e->asked->matrix, e->evaluation, i,
                                      e->asked->trec != NULL ? NULL : e->order, err);
}

/* The methods that made the numbers. */
static void name_methods(const iv_eval *e)
{
    if (e->v->sampling == NULL && e->asked->trec == NULL && !iv_eval_use_intervals(e))
        iv_result_used(e->out, "mean");
    if (e->asked->how.ties)
        iv_result_used(e->out, "ties");
    if (e->v->sampling != NULL)
        iv_eval_sampled_method(e);
}

/* The mean of a measure of a run, with the values of topics in the order of their ids. */
static int claimed_mean(iv_claimed_mean *m, const iv_eval *e, const uint32_t *order, size_t run,
                        size_t i, iv_err *err)
{
    const iv_mean *mean = iv_eval_mean(e, run, i);
    const iv_value_info *v = e->v->measures[i].info;
    const double nan = (double)NAN;
    double *x = iv_take(iv_result_own(e->out), e->v->topic_count + 1, sizeof *x);

    IV_TRY(iv_taken(iv_result_own(e->out), err));
    *m = (iv_claimed_mean){ .system = e->v->runs[run].name, .measure = e->v->measures[i].name,
                            .is = { mean->value, nan, (double)mean->topics, nan, nan },
                            .lower = mean->lower, .upper = mean->upper };
    if (e->v->sampling != NULL || v == NULL || v->measure->summary != IV_SUMMARY_MEAN
        || !e->v->measures[i].per_topic)
        return IV_OK;
    for (size_t t = 0; t < e->v->topic_count; t++) {
        const double value = iv_evaluation_value(e->evaluation, run, i, order[t]).value;
        if (!isnan(value))
            x[m->n++] = value;
    }
    const iv_differences d = iv_describe_differences(x, m->n);
    m->x = x;
    m->is = (iv_mean_summary){ d.mean, d.sd, (double)m->n, (double)m->n - 1.0, d.skewness };
    m->low = v->lowest;
    m->high = isfinite(v->highest) && !v->measure->above ? v->highest : v->lowest;
    return IV_OK;
}

static int claim(const iv_eval *e, iv_err *err)
{
    const iv_eval_question *q = e->asked;
    const size_t runs = e->v->run_count, M = e->v->measure_count;
    iv_claimed_mean *means = iv_take(iv_result_own(e->out), runs * M + 1, sizeof *means);
    const uint32_t *order;
    size_t count = 0;

    if (q->at_least.count + q->at_most.count == 0)
        return IV_OK;
    IV_TRY(iv_order_by_id(&order, e->v->topics, e->v->topic_count, iv_result_own(e->out), err));
    for (size_t i = 0; i < M; i++)
        for (size_t k = 0; k < runs && !e->v->measures[i].text; k++)
            if (e->v->measures[i].overall)
                IV_TRY(claimed_mean(&means[count++], e, order, e->order[k], i, err));
    return iv_claim_bounds(e->out, means, count, &q->at_least, &q->at_most,
                           iv_resampling_of(&q->how.resampling).confidence, q->how.guaranteed,
                           err);
}

int iv_eval_runs(iv_result *out, const iv_eval_question *q, const iv_work *work, iv_err *err)
{
    iv_evaluating how = q->how;
    iv_evaluation *evaluation = NULL;

    how.infer = q->machine.infer;
    if (q->at_least.count + q->at_most.count > 0 && how.interval == IV_INTERVAL_AUTO
        && !how.guaranteed)
        how.interval = IV_INTERVAL_LARGER_T; /* the one of the test that decides */
    if (q->trec != NULL) {
        how.measure.as_trec_eval = true;
        how.texts = q->topics;
        how.interval = IV_INTERVAL_NONE;
    }
    IV_TRY(iv_evaluate(&evaluation, &q->source, &how, work, err));
    IV_TRY(IV_KEEP(out, evaluation, evaluation, err));
    iv_eval e = { q, evaluation, iv_evaluation_view(evaluation), NULL, out };
    e.order = iv_take(iv_result_own(out), e.v->run_count + 1, sizeof *e.order);
    IV_TRY(iv_taken(iv_result_own(out), err));
    if (q->matrix != NULL && e.v->sampling != NULL)
        return iv_fail(err, IV_EARG, "a table of scores cannot hold the sampling errors of "
                                     "estimates; compare reads sampled judgments directly");
    order_runs(&e);
    name_methods(&e);
    iv_tell_inputs(e.out, &q->source, e.v);
    if (q->trec != NULL)
        IV_TRY(iv_evaluation_write_trec(q->trec, e.evaluation, q->topics, !q->no_summary, err));
    else
        IV_TRY(make_tables(&e, err));
    if (q->matrix != NULL)
        IV_TRY(write_matrix(&e, err));
    iv_eval_notes(&e);
    return claim(&e, err);
}
