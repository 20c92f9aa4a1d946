/* SPDX-License-Identifier: Apache-2.0 */
/* measures: which there are, and what each one is. */
#include "base/arguments.h"
#include "base/err.h"
#include "intervale/retrieval.h"
#include "measure/measures.h"
#include "result/answering.h"
#include "retrieval/measure_sets.h"

#include <math.h>
#include <string.h>

typedef struct row {
    const char *name, *ir_name, *family, *range, *over_topics, *usage, *brief, *text;
} row;

const iv_field iv_measures_fields[] = {
    { "measure", IV_AT(row, name), .about = "trec_eval's name" },
    { "ir_measures", IV_AT(row, ir_name), .about = "name in ir_measures" },
    { "family", IV_AT(row, family), .about = "family of similar measures" },
    { "range", IV_AT(row, range), .audience = IV_FOR_PROGRAMS,
      .about = "range of the value of a topic" },
    { "over_topics", IV_AT(row, over_topics), .audience = IV_FOR_PROGRAMS,
      .about = "how the values of topics are combined" },
    { "usage", IV_AT(row, usage), .audience = IV_FOR_PROGRAMS, .about = "names that -m accepts" },
    { "is", IV_AT(row, brief), .about = "short description" },
    { "text", IV_AT(row, text), .audience = IV_FOR_PROGRAMS,
      .about = "formula, parameters, unjudged documents" },
    { NULL }
};

static const char *summary_text(iv_summary s)
{
    static const char *const texts[] = {
        [IV_SUMMARY_NONE] = "none", [IV_SUMMARY_MEAN] = "mean",
        [IV_SUMMARY_GEOMETRIC] = "geometric mean", [IV_SUMMARY_SUM] = "sum" };

    return texts[s];
}

/* "0 to 1", "no limits", or "" for a text. */
enum { RANGE_SIZE = 96 };
static const char *range_text(char out[RANGE_SIZE], const iv_measure_info *m)
{
    char low[IV_REAL_SIZE], high[IV_REAL_SIZE];

    (void)iv_format_real(low, m->lowest);
    (void)iv_format_real(high, m->highest);
    if (m->kind == IV_TEXT)
        out[0] = '\0';
    else if (isinf(m->lowest) && isinf(m->highest))
        (void)snprintf(out, RANGE_SIZE, "no limits");
    else if (isinf(m->highest))
        (void)snprintf(out, RANGE_SIZE, "%s upwards", low);
    else if (isinf(m->lowest))
        (void)snprintf(out, RANGE_SIZE, "up to %s", high);
    else
        (void)snprintf(out, RANGE_SIZE, "%s to %s%s", low, high, m->above ? ", some above" : "");
    return out;
}

/* Adds a row to the table. */
static void add(iv_table *t, const iv_measure_info *m)
{
    char range[RANGE_SIZE];
    const row one = { m->name, m->ir_name != NULL ? m->ir_name : "", m->family,
                      range_text(range, m), summary_text(m->summary), m->usage, m->brief,
                      m->text };

    iv_table_append(t, &(iv_rows){ .fields = iv_measures_fields, .at = &one, .count = 1,
                                   .size = sizeof one });
}

static void explain(FILE *out, const iv_measure_info *m)
{
    char range[RANGE_SIZE];

    (void)fprintf(out, "%s", m->name);
    if (m->ir_name != NULL && strcmp(m->ir_name, m->name) != 0)
        (void)fprintf(out, " (%s)", m->ir_name);
    (void)fprintf(out, ": %s\n\nnames:       %s\n", m->brief, m->usage);
    if (m->kind != IV_TEXT)
        (void)fprintf(out, "range:       %s\n", range_text(range, m));
    (void)fprintf(out, "over topics: %s\n\n%s", summary_text(m->summary), m->text);
}

/* The names of a set's values, in lines. */
static void explain_set(FILE *out, const iv_measure_info *set, const iv_measures *m)
{
    int column = 0;

    (void)fprintf(out, "%s: %s\n\n", set->name, set->brief);
    for (size_t i = 0; i < iv_measures_count(m); i++) {
        const char *name = iv_measures_value(m, i)->name;
        if (column > 0 && column + 2 + (int)strlen(name) > 78) {
            (void)putc('\n', out);
            column = 0;
        }
        column += fprintf(out, "%s%s", column > 0 ? "  " : "", name);
    }
    (void)putc('\n', out);
}

const iv_measure_info *iv_measure_set(const char *name)
{
    const iv_measure_info *sets;
    const size_t count = iv_measure_sets(&sets);

    for (size_t i = 0; i < count; i++)
        if (strcmp(sets[i].name, name) == 0)
            return &sets[i];
    return NULL;
}

/* A name with or without parameters, or of a set: one measure, or each of them once. */
static int tell(iv_table *t, const char *name, FILE *prose, iv_err *err)
{
    const iv_measure_info *set = iv_measure_set(name);
    const iv_measure_info *bare = set == NULL ? iv_measure_find(name) : NULL, *last = NULL;
    iv_measures *m = NULL;
    int rc = bare != NULL ? IV_OK : iv_measures_parse(&m, &name, 1, NULL, err);
    const size_t count = m == NULL ? 1 : set == NULL ? 1 : iv_measures_count(m);

    if (rc == IV_OK && prose != NULL && set != NULL)
        explain_set(prose, set, m);
    for (size_t i = 0; rc == IV_OK && !(prose != NULL && set != NULL) && i < count; i++) {
        const iv_measure_info *info = m == NULL ? bare : iv_measures_value(m, i)->measure;
        if (prose != NULL)
            explain(prose, info);
        else if (info != last)
            add(t, info);
        last = info;
    }
    iv_measures_free(m);
    return rc;
}

static void tell_all(iv_table *t, iv_result *out)
{
    const iv_measure_info *info;
    const iv_measure_info *sets;
    const size_t set_count = iv_measure_sets(&sets);

    for (size_t i = 0; (info = iv_measure_at(i)) != NULL; i++)
        add(t, info);
    for (size_t i = 0; i < set_count; i++)
        iv_result_legend(out, "%s stands for many: %s", sets[i].name, sets[i].brief);
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_measures_question *question = asked;
    const iv_texts names = question->names;
    FILE *prose = names.count > 0 ? question->prose : NULL;
    iv_table *t = prose != NULL ? NULL
        : iv_result_rows(out, &(iv_rows){ .name = "measures", .fields = iv_measures_fields });

    (void)work; /* it is done at once */
    if (names.count == 0)
        tell_all(t, out);
    for (size_t i = 0; i < names.count; i++) {
        if (prose != NULL && i > 0)
            (void)fputs("\n\n", prose);
        IV_TRY(tell(t, names.at[i], prose, err));
    }
    return IV_OK;
}

int iv_answer_measures(iv_result *out, const iv_measures_question *question, const iv_work *work,
                       iv_err *err)
{
    static const iv_part parts[] = {
        IV_PART_OF(iv_measures_question, names, TEXTS, "measure"),
    };

    return iv_answer_with(out, question, IV_ANSWERING(parts, answer_asked), work, err);
}
