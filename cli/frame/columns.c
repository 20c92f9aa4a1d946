/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a command, for help and manual: what each column holds. */
#include "frame/frame.h"

#include <string.h>

#include "intervale/answer/columns.h"
#include "study/study_columns.h"

static bool is_of(const iv_known_table *t, const char *command, const char *table)
{
    return strcmp(t->command, command) == 0 && (table == NULL || strcmp(t->table, table) == 0);
}

/* Was it said before, in this way of making the table or in one before it? */
static bool is_said(const iv_known_table *from, const iv_known_table *t, const iv_field *f)
{
    for (const iv_known_table *k = from; k <= t; k++) {
        if (!is_of(k, t->command, t->table))
            continue;
        for (const iv_field *g = k->fields; g->name != NULL && g != f; g++)
            if (strcmp(g->name, f->name) == 0 && strcmp(g->about, f->about) == 0)
                return true;
    }
    return false;
}

static void put_list(FILE *out, const iv_known_table *list, size_t count, const char *command,
                       const columns_style *style)
{
    for (size_t i = 0; i < count; i++) {
        if (!is_of(&list[i], command, NULL))
            continue;
        if (i == 0 || !is_of(&list[i - 1], command, list[i].table))
            style->table(out, list[i].table);
        for (const iv_field *f = list[i].fields; f->name != NULL; f++)
            if (!is_said(list, &list[i], f))
                style->column(out, f->name, f->about);
    }
}

void columns_put(FILE *out, const cmd *c, const columns_style *style)
{
    const iv_known_table *list;
    const size_t answers = iv_known_tables(&list);

    put_list(out, list, answers, c->name, style);
    const size_t studies = iv_study_tables(&list);
    put_list(out, list, studies, c->name, style);
}
