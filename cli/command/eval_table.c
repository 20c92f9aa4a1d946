/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of eval.  One table of all columns for programs; for people one a
 * measure where there are several runs, without the columns that say nothing,
 * so that the interval can be drawn beside them.
 */
#include <math.h>
#include <string.h>

#include "command/eval.h"

typedef enum column {
    RUN, MEASURE, TOPIC, TOPICS, VALUE, SE, LOWER, UPPER, MISSING,
    BOUND_LOWER, BOUND_UPPER, TIE_LOWER, TIE_EXPECTED, TIE_UPPER, COLUMNS
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
    [BOUND_LOWER] = { "bound_lower", IV_REAL, 4 },
    [BOUND_UPPER] = { "bound_upper", IV_REAL, 4 },
    [TIE_LOWER] = { "tie_lower", IV_REAL, 4 },
    [TIE_EXPECTED] = { "tie_expected", IV_REAL, 4 },
    [TIE_UPPER] = { "tie_upper", IV_REAL, 4 },
};

/* A table with some of the columns. */
typedef struct sheet {
    iv_table *table;
    bool has[COLUMNS];
} sheet;

/* One row's content. */
typedef struct line {
    const char *run, *measure;
    iv_str topic;
    size_t topics, missing;
    double value, se, lower, upper;
    iv_bounds bounds;
    iv_ties ties;
} line;

static void open_sheet(sheet *s, const eval *e, const char *name)
{
    iv_column columns[COLUMNS];
    size_t count = 0;

    for (column k = RUN; k < COLUMNS; k++)
        if (s->has[k])
            columns[count++] = all_columns[k];
    s->table = iv_result_table(e->result, name, columns, count);
    if (s->has[LOWER])
        iv_table_draw(s->table, (iv_drawn){ "value", "lower", "upper", 0.0, 0.0 });
}

static void put(const sheet *s, const line *l)
{
    const double reals[COLUMNS] = {
        [VALUE] = l->value, [SE] = l->se, [LOWER] = l->lower, [UPPER] = l->upper,
        [BOUND_LOWER] = l->bounds.lower, [BOUND_UPPER] = l->bounds.upper,
        [TIE_LOWER] = l->ties.lower, [TIE_EXPECTED] = l->ties.expected,
        [TIE_UPPER] = l->ties.upper };

    for (column k = RUN; k < COLUMNS; k++) {
        if (!s->has[k])
            continue;
        if (k == RUN)
            iv_put_text(s->table, iv_str_of(l->run));
        else if (k == MEASURE)
            iv_put_text(s->table, iv_str_of(l->measure));
        else if (k == TOPIC)
            iv_put_text(s->table, l->topic);
        else if (k == TOPICS || k == MISSING)
            iv_put_int(s->table, (int64_t)(k == TOPICS ? l->topics : l->missing));
        else
            iv_put_real(s->table, reals[k]);
    }
}

static void put_value(const sheet *s, const eval *e, size_t run, size_t i)
{
    const double nan = (double)NAN;
    const iv_scores *x = e->runs[run];
    const iv_value_info *v = iv_measures_value(e->measures, i);
    const iv_mean *m = &e->means[run * e->width + i];
    line l = { .run = e->names[run], .measure = v->name };

    for (size_t t = 0; t < iv_scores_topics(x) && e->args->topics && v->measure->per_topic;
         t++) {
        l.topic = iv_scores_topic(x, t);
        l.topics = 1;
        l.missing = iv_scores_was_missing(x, t);
        l.value = iv_scores_row(x, t)[i];
        l.se = l.lower = l.upper = nan;
        l.bounds = iv_scores_bounds(x, t, i);
        l.ties = iv_scores_ties(x, t, i);
        put(s, &l);
    }
    if (e->args->no_summary || !v->measure->overall || !isfinite(m->value))
        return;
    l.topic = iv_str_of("all");
    l.topics = m->topics;
    l.missing = iv_scores_missing(x);
    l.value = m->value;
    l.se = m->se;
    l.lower = m->lower;
    l.upper = m->upper;
    l.bounds = m->bounds;
    l.ties = m->ties;
    put(s, &l);
}

/* The columns that --bounds and --ties ask for. */
static void add_asked(sheet *s, const eval *e)
{
    s->has[BOUND_LOWER] = s->has[BOUND_UPPER] = e->args->bounds;
    s->has[TIE_LOWER] = s->has[TIE_EXPECTED] = s->has[TIE_UPPER] = e->args->ties;
}

static void full_table(const eval *e)
{
    sheet s = { NULL, { false } };

    for (column k = RUN; k <= MISSING; k++)
        s.has[k] = true;
    add_asked(&s, e);
    open_sheet(&s, e, "measures");
    for (size_t i = 0; i < e->width; i++)
        for (size_t k = 0; k < e->count && eval_shows(e, i); k++)
            put_value(&s, e, e->order[k], i);
}

/* Do the runs differ in how many topics they have, or miss? */
static bool topics_differ(const eval *e)
{
    for (size_t r = 1; r < e->count; r++)
        if (iv_scores_topics(e->runs[r]) != iv_scores_topics(e->runs[0]))
            return true;
    return false;
}

static bool any_missing(const eval *e)
{
    for (size_t r = 0; r < e->count; r++)
        if (iv_scores_missing(e->runs[r]) > 0)
            return true;
    return false;
}

static bool any_interval(const eval *e)
{
    for (size_t k = 0; k < e->count * e->width; k++)
        if (isfinite(e->means[k].lower))
            return !e->args->no_summary;
    return false;
}

static void readable_tables(const eval *e)
{
    const bool many = e->count > 1, intervals = any_interval(e);
    sheet s = { NULL, { false } };

    s.has[RUN] = many;
    s.has[MEASURE] = !many;
    s.has[TOPIC] = e->args->topics;
    s.has[TOPICS] = topics_differ(e);
    s.has[VALUE] = true;
    /* Beside a drawn interval of many runs the standard error only takes room. */
    s.has[SE] = !e->args->no_summary && (!many || !intervals);
    s.has[LOWER] = s.has[UPPER] = intervals;
    s.has[MISSING] = any_missing(e);
    add_asked(&s, e);
    if (!many)
        open_sheet(&s, e, "measures");
    for (size_t i = 0; i < e->width; i++) {
        if (!eval_shows(e, i))
            continue;
        if (many)
            open_sheet(&s, e, iv_measures_value(e->measures, i)->name);
        for (size_t k = 0; k < e->count; k++)
            put_value(&s, e, e->order[k], i);
    }
}

const char *eval_method_text(iv_interval_method m)
{
    static const char *const texts[] = {
        [IV_INTERVAL_NONE] = "",
        [IV_INTERVAL_LOGIT] = "Studentised logit bootstrap",
        [IV_INTERVAL_PERCENTILE] = "percentile bootstrap",
        [IV_INTERVAL_BCA] = "BCa bootstrap",
        [IV_INTERVAL_T] = "Student's t",
    };

    return texts[m];
}

/* The best run by the first measure, in a sentence. */
static void answer(const eval *e)
{
    const size_t best = e->order[0];
    char span[96] = "", topics[64];

    for (size_t i = 0; i < e->width; i++) {
        const iv_mean *m = &e->means[best * e->width + i];
        const iv_value_info *v = iv_measures_value(e->measures, i);
        if (!eval_shows(e, i) || !v->measure->overall || !isfinite(m->value))
            continue;
        if (isfinite(m->lower))
            (void)snprintf(span, sizeof span, ", %g %% interval %.4f to %.4f (%s)",
                           100.0 * e->shared->confidence, m->lower, m->upper,
                           eval_method_text(m->method));
        (void)snprintf(topics, sizeof topics, "%zu topic%s", m->topics,
                       m->topics == 1 ? "" : "s");
        if (e->count == 1)
            iv_result_answer(e->result, "%s over %s: %s %.4f%s.", e->names[best], topics,
                             v->name, m->value, span);
        else
            iv_result_answer(e->result, "%zu runs; highest %s: %s with %.4f over %s%s.",
                             e->count, v->name, e->names[best], m->value, topics, span);
        return;
    }
}

void eval_tables(eval *e)
{
    if (!e->args->no_summary)
        answer(e);
    if (strcmp(e->shared->format, "text") == 0)
        readable_tables(e);
    else
        full_table(e);
    if (session_draws(e->shared))
        eval_charts(e);
}
