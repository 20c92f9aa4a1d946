/* SPDX-License-Identifier: Apache-2.0 */
/* Means of scores of any kind, with their intervals. */
#include "answer/answer_private.h"

typedef struct scoring {
    const iv_eval_question *q;
    iv_scored card;
    double *x; /* room for one system's scores */
    bool unit, binary; /* scores of the measure at hand lie in [0, 1]; are 0 or 1 */
    iv_eval_line *lines;
    size_t count;
    bool lacking;
    iv_eval_doubts doubts;
} scoring;

static int add_mean(scoring *s, size_t m, size_t r, const iv_work *work, iv_err *err)
{
    const iv_score_table *v = s->card.v;
    const double *x = iv_scored_values(&s->card, m) + r * v->item_count;
    const iv_evaluating *how = &s->q->how;
    iv_interval_method method = how->interval;
    iv_mean_interval i;
    iv_structured is;
    size_t n = 0;

    for (size_t t = 0; t < v->item_count; t++)
        if (!isnan(x[t]))
            s->x[n++] = x[t];
    if (n == 0)
        return IV_OK; /* it has nothing of this measure */
    if (method == IV_INTERVAL_AUTO && !s->unit)
        method = s->card.structured ? IV_INTERVAL_T : IV_INTERVAL_BOOTSTRAP_T;
    if (how->guaranteed)
        method = s->binary ? IV_INTERVAL_EXACT : IV_INTERVAL_BOUNDED;
    if (s->card.structured) {
        IV_TRY(iv_structured_mean(&is, x, v->item_count, &s->card.structure[m], r, err));
        IV_TRY(iv_structured_interval(&i, &is, s->unit, method, how->resampling.confidence, err));
    } else {
        IV_TRY(iv_mean_intervals(&i, &(const double *){ s->x }, &method, 1, n, &how->resampling,
                                 work, err));
        iv_eval_doubt(&s->doubts, &i, iv_resampling_of(&how->resampling).resamples);
    }
    s->lines[s->count++] = (iv_eval_line){
        .run = v->systems[r], .measure = s->card.names[m],
        .method = iv_interval_names()[i.method], .topic = iv_str_of("all"), .topics = n,
        .missing = v->item_count - n, .value = i.mean, .se = i.se, .lower = i.lower,
        .upper = i.upper, .gap = i.gap, .by = i.method };
    s->lacking = s->lacking || n < v->item_count;
    return IV_OK;
}

/* Each item's score, before the means. */
static void add_items(scoring *s, size_t m, size_t r)
{
    const iv_score_table *v = s->card.v;
    const double *x = iv_scored_values(&s->card, m) + r * v->item_count;
    const double nan = (double)NAN;

    for (size_t t = 0; s->q->topics && t < v->item_count; t++)
        if (!isnan(x[t]))
            s->lines[s->count++] = (iv_eval_line){
                .run = v->systems[r], .measure = v->measures[s->card.measures[m]], .method = "",
                .topic = v->items[t], .topics = 1, .value = x[t], .se = nan, .lower = nan,
                .upper = nan, .gap = IV_GAP_NONE, .by = IV_INTERVAL_NONE };
}

static int higher(const void *a, const void *b)
{
    const iv_eval_line *x = a, *y = b;

    return x->value != y->value ? (x->value < y->value) - (x->value > y->value)
                                : (x > y) - (x < y);
}

static int add_all(scoring *s, const iv_work *work, iv_err *err)
{
    const iv_score_table *v = s->card.v;

    for (size_t m = 0; m < s->card.measure_count; m++) {
        for (size_t r = 0; r < v->system_count; r++)
            add_items(s, m, r);
        const size_t first = s->count;
        const double *all = iv_scored_values(&s->card, m);
        s->unit = iv_scores_unit(all, v->system_count * v->item_count);
        s->binary = iv_scores_binary(all, v->system_count * v->item_count);
        for (size_t r = 0; r < v->system_count && !s->q->no_summary; r++) {
            const double done = (double)(m * v->system_count + r);
            IV_TRY(iv_check_work(work, done / (double)(s->card.measure_count * v->system_count),
                                 err));
            IV_TRY(add_mean(s, m, r, work, err));
        }
        qsort(s->lines + first, s->count - first, sizeof *s->lines, higher);
    }
    return IV_OK;
}

static void tell_answer(const scoring *s, iv_result *out)
{
    const iv_score_table *v = s->card.v;
    const double confidence = iv_resampling_of(&s->q->how.resampling).confidence;
    const iv_eval_line *best = NULL;
    char span[IV_SPAN_SIZE], over[64], others[IV_EQUALS_SIZE];
    size_t equal = 0;

    for (size_t i = 0; i < s->count && best == NULL; i++)
        best = s->lines[i].topics > 1 || !s->q->topics ? &s->lines[i] : NULL;
    if (best == NULL)
        return;
    for (const iv_eval_line *x = best + 1; x < s->lines + s->count && x->measure == best->measure
         && x->value >= best->value - iv_slack_of(&best->value, 1); x++)
        equal++;
    const bool lacking = best->missing > 0;
    (void)iv_span(span, confidence, best->lower, best->upper);
    (void)snprintf(over, sizeof over, lacking ? "%zu of %zu items" : best->topics == 1 ? "%zu item"
                   : "%zu items", best->topics, best->topics + best->missing);
    if (v->system_count > 1)
        iv_result_answer(out, "Highest %s of %zu systems: %s%s with %.3f%s over %s.", best->measure,
                         v->system_count, best->run,
                         iv_say_equals(others, equal, best[equal > 0].run), best->value, span,
                         over);
    else
        iv_result_answer(out, "%s: %s %.3f%s over %s.", best->run, best->measure, best->value, span,
                         over);
}

/* The methods that made the numbers. */
static void name_methods(const scoring *s, iv_result *out)
{
    for (size_t m = 0; iv_interval_names()[m] != NULL; m++) {
        iv_wording only = { .len = 0 };
        size_t used = 0, with = 0;
        for (size_t i = 0; i < s->count; i++) {
            const iv_eval_line *x = &s->lines[i];
            if (isnan(x->lower))
                continue;
            with++;
            if (x->by != m)
                continue;
            used++;
            iv_say(&only, "%s%.60s%s%.60s", only.len > 0 ? " and " : "",
                   s->card.measure_count > 1 ? x->measure : "",
                   s->card.measure_count > 1 ? " of " : "", x->run);
        }
        if (used > 0)
            iv_eval_use_interval(out, (iv_interval_method)m, "items", used < with ? only.at : "");
    }
    iv_scored_used(&s->card, out);
}

/* Means without an interval, by reason; of clusters and sets others say it. */
static void say_gaps(const scoring *s, iv_result *out)
{
    for (iv_interval_gap gap = IV_GAP_ONE_VALUE; gap <= IV_GAP_RESAMPLES; gap++) {
        iv_listing where = { .most = 3 };
        for (size_t i = 0; i < s->count && (!s->card.structured || gap == IV_GAP_CONSTANT); i++)
            if (s->lines[i].gap == gap)
                iv_list(&where, "%.60s", s->lines[i].run);
        iv_eval_say_gap(out, gap, &where);
    }
}

int iv_eval_scores(iv_result *out, const iv_eval_question *q, const iv_work *whole, iv_err *err)
{
    const double confidence = iv_resampling_of(&q->how.resampling).confidence;
    scoring s = { .q = q };
    iv_stage reading, rest;
    const iv_work *work = iv_work_part(&rest, whole, 0.4, 1.0);

    IV_TRY(iv_scored_read(&s.card, &q->scores, &q->how.measures, true, q->how.complete, out,
                          iv_work_part(&reading, whole, 0.0, 0.4), err));
    const iv_score_table *v = s.card.v;
    const size_t each = v->system_count * (q->topics ? v->item_count + 1 : 1);
    s.lines = iv_take(s.card.own, s.card.measure_count * each + 1, sizeof *s.lines);
    s.x = iv_take(s.card.own, v->item_count + 1, sizeof *s.x);
    IV_TRY(iv_taken(s.card.own, err));
    IV_TRY(add_all(&s, work, err));
    tell_answer(&s, out);
    name_methods(&s, out);
    iv_table *t = IV_TABLE(out, "measures", iv_eval_measure_fields, s.lines, s.count,
             .with = IV_EVAL_SCORES | IV_EVAL_ERRORS
                 | (v->system_count > 1 ? IV_EVAL_MANY_RUNS : 0)
                 | (s.card.measure_count > 1 || v->system_count == 1 ? IV_EVAL_ONE_RUN : 0)
                 | (q->topics ? IV_EVAL_TOPICS : 0)
                 | (s.lacking ? IV_EVAL_LACKING | IV_EVAL_UNEVEN : 0)
                 | (q->how.interval != IV_INTERVAL_NONE ? IV_EVAL_INTERVALS : 0),
             .drawn = { "value", "lower", "upper" },
             .split = v->system_count > 1 && s.card.measure_count > 1 ? "measure" : NULL);
    iv_table_head(t, "run", "system");
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "measures", .title = "Means and their intervals",
        .caption = "A point is a system's mean. The line is its interval.", .label = "run",
        .page = s.card.measure_count > 1 ? "measure" : NULL, .value = "value",
        .lower = "lower", .upper = "upper" });
    iv_scored_tell(&s.card, false, out);
    say_gaps(&s, out);
    iv_eval_tell_doubts(out, &s.doubts, "items", IV_EVAL_INSTEAD);
    IV_TRY(iv_tell_errors(&s.card, out, work, err));
    IV_TRY(iv_tell_sets(&s.card, confidence, out, work, err));
    return iv_tell_variance(&s.card, confidence, out, work, err);
}
