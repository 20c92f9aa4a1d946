/* SPDX-License-Identifier: Apache-2.0 */
/* Classes as people read them: a line each, averages below, and who was taken for whom. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "answer/answer_columns.h"
#include "answer/prf_parts.h"
#include "base/memory.h"
#include "base/result.h"

enum { COLUMNS = 3, CELL = 32 };

/* Text that people read; programs have the long table of metrics. */
typedef struct class_row {
    const char *system, *klass;
    char value[COLUMNS][CELL];
    int64_t support;
} class_row;

enum { MANY = 1 };

const iv_field iv_prf_class_fields[] = {
    { "system", IV_AT(class_row, system), .shown = MANY, .about = "a system" },
    { "class", IV_AT(class_row, klass), .about = "a class or category, or an average" },
    { "precision", IV_AT(class_row, value[0]), .about = "value and interval" },
    { "recall", IV_AT(class_row, value[1]), .about = "value and interval" },
    { "f1", IV_AT(class_row, value[2]), .about = "value and interval; of accuracy, itself" },
    { "support", IV_AT(class_row, support), .about = "items that are of the class" },
    { NULL } };

static void write_cell(char out[CELL], const iv_prf_estimate *x)
{
    if (x == NULL)
        out[0] = '\0';
    else if (isnan(x->value))
        (void)snprintf(out, CELL, "- [%.3f, %.3f]", x->lower, x->upper);
    else if (isnan(x->lower))
        (void)snprintf(out, CELL, "%.3f", x->value);
    else
        (void)snprintf(out, CELL, "%.3f [%.3f, %.3f]", x->value, x->lower, x->upper);
}

static class_row row_of(const iv_prf_evaluation *e, size_t system, const char *klass,
                        int64_t support)
{
    static const char *const metrics[COLUMNS] = { "precision", "recall", "f1" };
    class_row r = { .system = e->systems[system].name, .klass = klass, .support = support };
    char name[400];

    for (size_t m = 0; m < COLUMNS; m++) {
        (void)snprintf(name, sizeof name, "%s[%s]", metrics[m], klass);
        write_cell(r.value[m], iv_prf_find(e, system, name));
    }
    return r;
}

static size_t fill_system(class_row *rows, const iv_prf_evaluation *e, size_t system)
{
    const iv_prf_system *s = &e->systems[system];
    int64_t all = 0;
    size_t n = 0;

    for (size_t c = 0; c < s->count; c++) {
        const iv_prf_counts *k = &s->categories[c].counts;
        rows[n++] = row_of(e, system, s->categories[c].name, k->tp + k->fn);
        all += k->tp + k->fn;
    }
    rows[n++] = row_of(e, system, "macro", all);
    if (e->multiclass) {
        rows[n++] = row_of(e, system, "weighted", all);
        rows[n] = (class_row){ .system = s->name, .klass = "accuracy", .support = all };
        write_cell(rows[n++].value[2], iv_prf_find(e, system, "accuracy"));
    } else {
        rows[n++] = row_of(e, system, "micro", all);
    }
    return n;
}

const iv_field iv_prf_confusion_fields[] = {
    { "system", .about = "a system" },
    { "is", .about = "what gold says" },
    { "CLASS", .about = "items the system takes for this class" },
    { NULL } };

/* Gold's classes down, the system's across; one column a class, so it cannot be declared. */
static int add_confusion(iv_result *out, const iv_prf_evaluation *e, iv_arena *memory,
                         iv_err *err)
{
    const size_t k = e->systems[0].count, many = e->system_count > 1;
    iv_column *columns = iv_take(memory, k + 2, sizeof *columns);

    IV_TRY(iv_taken(memory, err));
    for (size_t c = 0; c < k + 2; c++) {
        const iv_field *f = &iv_prf_confusion_fields[c < 2 ? c : 2];
        columns[c] = (iv_column){ c < 2 ? f->name
                                        : iv_prf_column(out, iv_prf_confusion_fields,
                                                        e->systems[0].categories[c - 2].name),
                                  c < 2 ? IV_TEXT : IV_INTEGER, 0,
                                  c > 0 || many ? IV_FOR_ALL : IV_FOR_PROGRAMS, f->about };
    }
    iv_table *t = iv_result_table(out, "confusion", columns, k + 2);
    for (size_t i = 0; i < e->system_count * k; i++) {
        iv_put_text(t, iv_str_of(e->systems[i / k].name));
        iv_put_text(t, iv_str_of(e->systems[0].categories[i % k].name));
        for (size_t c = 0; c < k; c++)
            iv_put_int(t, e->confusion[i * k + c]);
    }
    if (iv_result_wants(out, "confusion", IV_SHOWN))
        iv_result_legend(out, "confusion: a row is what items are, a column what the system takes them for");
    return IV_OK;
}

int iv_prf_class_tables(iv_result *out, const iv_prf_evaluation *e, iv_err *err)
{
    iv_arena memory = { 0 };
    size_t most = 0, n = 0;

    for (size_t s = 0; s < e->system_count; s++)
        most += e->systems[s].count + 3;
    class_row *rows = iv_take(&memory, most, sizeof *rows);
    int rc = iv_taken(&memory, err);
    for (size_t s = 0; s < e->system_count && rc == IV_OK; s++)
        n += fill_system(rows + n, e, s);
    if (rc == IV_OK) {
        (void)iv_result_rows(out, &(iv_rows){ "classes", iv_prf_class_fields, rows, n, sizeof *rows,
                                              .with = e->system_count > 1 ? MANY : 0 });
        if (e->confusion != NULL)
            rc = add_confusion(out, e, &memory, err);
    }
    iv_arena_free(&memory);
    return rc;
}
