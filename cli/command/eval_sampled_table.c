/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of eval on sampled judgments: one of all columns for programs;
 * for people one a measure where there are several runs.
 */
#include <math.h>
#include <string.h>

#include "command/eval_sampled.h"

typedef enum column {
    RUN, MEASURE, TOPIC, TOPICS, VALUE, SE, LOWER, UPPER, MISSING, SE_JUDGMENTS, SE_TOPICS,
    RELEVANT, REASON, COLUMNS
} column;

static const iv_column all_columns[COLUMNS] = {
    [RUN] = { "run", IV_TEXT, 0 },
    [MEASURE] = { "measure", IV_TEXT, 0 },
    [TOPIC] = { "topic", IV_TEXT, 0 },
    [TOPICS] = { "topics", IV_INTEGER, 0 },
    [VALUE] = { "value", IV_REAL, 4 },
    [SE] = { "se", IV_REAL, 4 },
    [LOWER] = { "lower", IV_REAL, 4 },
    [UPPER] = { "upper", IV_REAL, 4 },
    [MISSING] = { "missing", IV_INTEGER, 0 },
    [SE_JUDGMENTS] = { "se_judgments", IV_REAL, 4 },
    [SE_TOPICS] = { "se_topics", IV_REAL, 4 },
    [RELEVANT] = { "relevant", IV_INTEGER, 0 },
    [REASON] = { "reason", IV_TEXT, 0 },
};

typedef struct sheet {
    iv_table *table;
    bool has[COLUMNS];
} sheet;

typedef struct line {
    const char *run, *measure, *reason;
    iv_str topic;
    size_t topics, missing, relevant;
    double real[COLUMNS];
} line;

static void open_sheet(sheet *t, const sampled *s, const char *name)
{
    iv_column columns[COLUMNS];
    size_t count = 0;

    for (column k = RUN; k < COLUMNS; k++)
        if (t->has[k])
            columns[count++] = all_columns[k];
    t->table = iv_result_table(s->e->result, name, columns, count);
    iv_table_draw(t->table, (iv_drawn){ "value", "lower", "upper", 0.0, 0.0 });
}

static void put(const sheet *t, const line *l)
{
    for (column k = RUN; k < COLUMNS; k++) {
        if (!t->has[k])
            continue;
        if (k == RUN || k == MEASURE || k == REASON)
            iv_put_text(t->table, iv_str_of(k == RUN ? l->run : k == MEASURE ? l->measure
                                                                             : l->reason));
        else if (k == TOPIC)
            iv_put_text(t->table, l->topic);
        else if (k == TOPICS || k == MISSING || k == RELEVANT)
            iv_put_int(t->table, (int64_t)(k == TOPICS ? l->topics : k == MISSING
                                           ? l->missing : l->relevant));
        else
            iv_put_real(t->table, l->real[k]);
    }
}

static void put_topic(const sheet *t, line *l, const iv_estimate *e)
{
    /* No spread was seen, but there is one unless all is certain. */
    const double se = e->variance > 0.0 || e->exact ? sqrt(e->variance) : (double)NAN;

    l->topics = 1;
    l->relevant = e->relevant;
    l->reason = iv_sampled_gap_text(e->gap);
    l->real[VALUE] = e->value;
    l->real[SE] = l->real[SE_JUDGMENTS] = se;
    l->real[SE_TOPICS] = (double)NAN;
    l->real[LOWER] = e->lower;
    l->real[UPPER] = e->upper;
    put(t, l);
}

static void put_value(const sheet *t, const sampled *s, size_t run, size_t i)
{
    const iv_sampled *x = s->runs[run];
    const iv_sampled_mean *m = &s->means[run * s->width + i];
    line l = { .run = s->e->names[run],
               .measure = iv_sampled_measures_value(s->measures, i)->name };
    size_t relevant = 0;

    for (size_t k = 0; k < iv_sampled_topics(x); k++) {
        relevant += iv_sampled_row(x, k)[i].relevant;
        if (!s->e->args->topics)
            continue;
        l.topic = iv_sampled_topic(x, k);
        l.missing = iv_sampled_was_missing(x, k);
        put_topic(t, &l, &iv_sampled_row(x, k)[i]);
    }
    if (s->e->args->no_summary)
        return;
    l.topic = iv_str_of("all");
    l.topics = m->topics;
    l.missing = iv_sampled_missing(x);
    l.relevant = relevant;
    l.reason = m->gap == IV_GAP_NONE || m->gap == IV_GAP_NOT_ASKED
        ? "" : iv_interval_gap_text(m->gap);
    l.real[VALUE] = m->value;
    l.real[SE] = m->se;
    l.real[SE_JUDGMENTS] = m->se_judgments;
    l.real[SE_TOPICS] = m->se_topics;
    l.real[LOWER] = m->lower;
    l.real[UPPER] = m->upper;
    put(t, &l);
}

static void full_table(const sampled *s)
{
    sheet t = { NULL, { false } };

    for (column k = RUN; k < COLUMNS; k++)
        t.has[k] = true;
    open_sheet(&t, s, "measures");
    for (size_t i = 0; i < s->width; i++)
        for (size_t k = 0; k < s->e->count; k++)
            put_value(&t, s, s->order[k], i);
}

static void readable_tables(const sampled *s)
{
    const bool many = s->e->count > 1;
    sheet t = { NULL, { false } };
    bool differ = false, missing = false;

    for (size_t r = 0; r < s->e->count; r++) {
        differ = differ || iv_sampled_topics(s->runs[r]) != iv_sampled_topics(s->runs[0]);
        missing = missing || iv_sampled_missing(s->runs[r]) > 0;
    }
    t.has[RUN] = many;
    t.has[MEASURE] = !many;
    t.has[TOPIC] = t.has[RELEVANT] = t.has[REASON] = s->e->args->topics;
    t.has[TOPICS] = differ;
    t.has[MISSING] = missing;
    t.has[VALUE] = t.has[SE] = t.has[LOWER] = t.has[UPPER] = true;
    t.has[SE_JUDGMENTS] = t.has[SE_TOPICS] = !s->e->args->topics;
    if (!many)
        open_sheet(&t, s, "measures");
    for (size_t i = 0; i < s->width; i++) {
        if (many)
            open_sheet(&t, s, iv_sampled_measures_value(s->measures, i)->name);
        for (size_t k = 0; k < s->e->count; k++)
            put_value(&t, s, s->order[k], i);
    }
}

static void answer(const sampled *s)
{
    const size_t best = s->order[0];
    const iv_sampled_mean *m = &s->means[best * s->width];
    const char *name = iv_sampled_measures_value(s->measures, 0)->name;
    char span[128] = "", parts[96] = "";

    if (isfinite(m->lower))
        (void)snprintf(span, sizeof span, ", %g %% interval %.4f to %.4f (%s)",
                       100.0 * s->e->shared->confidence, m->lower, m->upper,
                       eval_method_text(m->method));
    if (isfinite(m->se_topics))
        (void)snprintf(parts, sizeof parts, " (se %.4f: judgments %.4f, topics %.4f)", m->se,
                       m->se_judgments, m->se_topics);
    if (s->e->count > 1)
        iv_result_answer(s->e->result, "Estimated from sampled judgments: %zu runs; highest %s: "
                         "%s with %.4f over %zu topic%s%s%s.", s->e->count, name,
                         s->e->names[best], m->value, m->topics, m->topics == 1 ? "" : "s",
                         parts, span);
    else
        iv_result_answer(s->e->result, "Estimated from sampled judgments: %s %.4f over %zu "
                         "topic%s for %s%s%s.", name, m->value, m->topics,
                         m->topics == 1 ? "" : "s", s->e->names[best], parts, span);
}

/* Each topic with its interval, a page a measure and, if many, a panel a run. */
static void draw_topics(const sampled *s)
{
    iv_result_chart(s->e->result, &(iv_chart){
        .kind = s->e->count > 1 ? IV_CHART_MATRIX : IV_CHART_FOREST, .table = "measures",
        .title = "Topic by topic",
        .caption = s->e->count > 1
            ? "A row is a run, a column a topic; light is a high estimate. A dark column is a "
              "topic that all runs find hard."
            : "A point is the estimate of a topic, the line its interval: how far the documents "
              "not judged could move it.",
        .label = s->e->count > 1 ? "run" : "topic",
        .against = s->e->count > 1 ? "topic" : NULL, .page = "measure", .value = "value",
        .lower = s->e->count > 1 ? NULL : "lower", .upper = s->e->count > 1 ? NULL : "upper",
        .where = "topic", .is_not = "all", .sorted = s->e->count == 1 });
}

void sampled_tables(const sampled *s)
{
    if (!s->e->args->no_summary)
        answer(s);
    if (strcmp(s->e->shared->format, "text") == 0)
        readable_tables(s);
    else
        full_table(s);
    if (session_draws(s->e->shared) && !s->e->args->no_summary)
        iv_result_chart(s->e->result, &(iv_chart){
            .kind = IV_CHART_FOREST, .table = "measures",
            .title = s->e->count > 1 ? "The runs" : "The measures",
            .caption = "A point is a mean over topics, estimated from sampled judgments; the "
                       "line is its interval, which allows for the documents not judged and, "
                       "unless said otherwise, for the choice of topics.",
            .label = s->e->count > 1 ? "run" : "measure",
            .page = s->e->count > 1 ? "measure" : NULL, .where = "topic", .is = "all",
            .value = "value", .lower = "lower", .upper = "upper" });
    if (session_draws(s->e->shared) && s->e->args->topics)
        draw_topics(s);
}

/* ----------------------------------------------------- trec_eval's lines -- */

/* A count that is known is whole, and printed so. */
static void put_line(FILE *out, const iv_sampled_value *v, iv_str topic, double value,
                     bool exact)
{
    if (v->count && exact)
        (void)fprintf(out, "%-22s\t%.*s\t%.0f\n", v->name, (int)topic.len, topic.ptr, value);
    else
        (void)fprintf(out, "%-22s\t%.*s\t%6.4f\n", v->name, (int)topic.len, topic.ptr, value);
}

void sampled_print_trec(const sampled *s, FILE *out)
{
    for (size_t r = 0; r < s->e->count; r++) {
        const iv_sampled *x = s->runs[r];
        for (size_t t = 0; t < iv_sampled_topics(x) && s->e->args->topics; t++)
            for (size_t i = 0; i < s->width; i++) {
                const iv_estimate *e = &iv_sampled_row(x, t)[i];
                put_line(out, iv_sampled_measures_value(s->measures, i),
                         iv_sampled_topic(x, t), e->value, e->exact);
            }
        for (size_t i = 0; i < s->width && !s->e->args->no_summary; i++) {
            const iv_sampled_mean *m = &s->means[r * s->width + i];
            put_line(out, iv_sampled_measures_value(s->measures, i), iv_str_of("all"),
                     m->value, m->se == 0.0);
        }
    }
}
