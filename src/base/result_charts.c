/* SPDX-License-Identifier: Apache-2.0 */
/* What a result says beside its tables: charts, and how it was made. */
#include <string.h>

#include "base/result.h"

static void refuse(iv_result *r, const iv_chart *chart, const char *what, const char *name)
{
    if (r->failure.code == IV_OK)
        (void)iv_fail(&r->failure, IV_EARG, "chart '%s': table '%s' has no %s '%s'",
                      chart->title, chart->table, what, name);
}

static const iv_table *find_table(const iv_result *r, const char *name)
{
    for (size_t i = 0; i < r->table_count; i++)
        if (strcmp(r->tables[i]->name, name) == 0)
            return r->tables[i];
    return NULL;
}

/* What a column must hold: kinds, as bits. */
enum { WORDS = 1 << IV_TEXT, NUMBERS = 1 << IV_REAL | 1 << IV_INTEGER };

/* The table's own copy of a column's name; NULL: none was named, or it is of no use. */
static const char *column_of(iv_result *r, const iv_chart *chart, const iv_table *t,
                             const char *name, unsigned kinds)
{
    const size_t at = iv_table_find(t, name);

    if (at != SIZE_MAX && (1u << t->columns[at].kind & kinds))
        return t->columns[at].name;
    if (name != NULL)
        refuse(r, chart, kinds == NUMBERS ? "column of numbers" : kinds == WORDS
               ? "column of text" : "column", name);
    return NULL;
}

/* Are the columns named without which the kind draws nothing? */
static bool has_columns(iv_result *r, const iv_chart *c)
{
    const bool labels = c->kind == IV_CHART_FOREST || c->kind == IV_CHART_BARS
        || c->kind == IV_CHART_MATRIX;
    const bool enough = (c->value != NULL || (c->kind == IV_CHART_FOREST && c->lower != NULL))
        && (labels ? c->label : c->x) != NULL
        && (c->kind != IV_CHART_MATRIX || c->against != NULL)
        && (c->lower == NULL) == (c->upper == NULL);

    if (!enough && r->failure.code == IV_OK)
        (void)iv_fail(&r->failure, IV_EARG, "chart '%s' lacks a column that its kind needs",
                      c->title);
    return enough;
}

void iv_result_chart(iv_result *r, const iv_chart *chart)
{
    const iv_table *t = find_table(r, chart->table);
    iv_chart c = *chart;

    if (t == NULL) {
        /* After an allocation failure the table is nowhere, and that is told. */
        if (r->failure.code == IV_OK)
            (void)iv_fail(&r->failure, IV_EARG, "chart '%s': there is no table '%s'",
                          chart->title, chart->table);
        return;
    }
    c.table = t->name;
    const char **names[] = { &c.label, &c.against, &c.group, &c.panel, &c.page };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        *names[i] = column_of(r, chart, t, *names[i], WORDS | NUMBERS);
    c.where = column_of(r, chart, t, c.where, WORDS);
    const char **numbers[] = { &c.x, &c.value, &c.lower, &c.upper };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = column_of(r, chart, t, *numbers[i], NUMBERS);
    const char **kept[] = { &c.title, &c.caption, &c.is, &c.is_not, &c.opens, &c.x_axis.title,
                            &c.value_axis.title };
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        *kept[i] = iv_result_keep_any(r, *kept[i]);
    for (size_t i = 0; i < IV_CHART_LINES; i++)
        c.lines[i].text = iv_result_keep_any(r, c.lines[i].text);
    if (!has_columns(r, &c))
        return;
    iv_chart *at = iv_arena_grow(&r->arena, r->charts, &r->chart_capacity, r->chart_count,
                                 sizeof *at);
    if (at == NULL)
        return;
    r->charts = at;
    r->charts[r->chart_count++] = c;
}

void iv_result_method(iv_result *r, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    iv_words_format(r, &r->methods, fmt, ap);
    va_end(ap);
}

void iv_result_assumption(iv_result *r, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    iv_words_format(r, &r->assumptions, fmt, ap);
    va_end(ap);
}

size_t iv_result_charts(const iv_chart **out, const iv_result *r)
{
    *out = r->charts;
    return r->chart_count;
}

size_t iv_result_methods(const char *const **out, const iv_result *r)
{
    *out = r->methods.at;
    return r->methods.count;
}

size_t iv_result_assumptions(const char *const **out, const iv_result *r)
{
    *out = r->assumptions.at;
    return r->assumptions.count;
}

void iv_result_detail(iv_result *r, const char *name, const char *text)
{
    iv_words_add(r, &r->detail_names, iv_result_keep(r, iv_str_of(name)));
    iv_words_add(r, &r->details, iv_result_keep(r, iv_str_of(text)));
}

/* ------------------------------------------------------------ verdicts -- */

const char *iv_verdict_name(iv_verdict verdict)
{
    static const char *const names[] = { NULL, "PASS", "FAIL", "INCONCLUSIVE", "ERROR" };

    return names[verdict];
}

void iv_result_verdict(iv_result *r, iv_verdict verdict, const char *fmt, ...)
{
    va_list ap;

    if (verdict == IV_VERDICT_OTHERWISE || verdict == IV_VERDICT_ERROR
        || r->verdict == IV_VERDICT_NONE || r->verdict == IV_VERDICT_SHOWN)
        r->verdict = verdict;
    va_start(ap, fmt);
    iv_words_format(r, &r->claims, fmt, ap);
    va_end(ap);
}

void iv_result_open_passes(iv_result *r)
{
    if (r->verdict == IV_VERDICT_OPEN)
        r->verdict = IV_VERDICT_SHOWN;
}

iv_verdict iv_result_has_verdict(const char *const **claims, size_t *count, const iv_result *r)
{
    if (claims != NULL)
        *claims = r->claims.at;
    if (count != NULL)
        *count = r->claims.count;
    return r->verdict;
}
