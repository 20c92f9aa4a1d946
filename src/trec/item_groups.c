/* SPDX-License-Identifier: Apache-2.0 */
/* Reads columns that put items into groups. */
#include "base/err.h"
#include "base/names.h"
#include "base/order.h"
#include "intervale/trec/runs.h"
#include "trec/column_roles.h"
#include "trec/csv.h"
#include "trec/item_groups.h"

#include <stdlib.h>
#include <string.h>

/* A page cannot show more, and each pair of them has a gap. */
enum { MOST_GROUPS = 1000 };

static int read_column(iv_item_groups *out, const iv_csv *t, size_t column, iv_arena *own,
                       iv_err *err)
{
    const size_t n = iv_csv_rows(t);
    iv_named *all = iv_take(own, n + 1, sizeof *all);
    uint32_t *of = iv_take(own, n + 1, sizeof *of);
    char quoted[IV_QUOTE_SIZE];
    size_t count = 0;

    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < n; i++)
        all[i] = (iv_named){ iv_csv_cell(t, i, column), i };
    qsort(all, n, sizeof *all, iv_by_name);
    for (size_t i = 0; i < n; i++)
        count += all[i].name.len > 0
            && (i == 0 || iv_str_cmp(all[i - 1].name, all[i].name) != 0);
    if (count < 2 || count > MOST_GROUPS)
        return iv_csv_refuse(t, IV_NONE, err, "column %s has %zu group%s, expected 2 to %d",
                             iv_quote(quoted, iv_csv_column(t, column)), count,
                             count == 1 ? "" : "s", MOST_GROUPS);
    const char **names = iv_take(own, count, sizeof *names);
    IV_TRY(iv_taken(own, err));
    count = 0;
    for (size_t i = 0; i < n; i++) {
        if (all[i].name.len > 0 && (i == 0 || iv_str_cmp(all[i - 1].name, all[i].name) != 0))
            names[count++] = iv_arena_copy(own, all[i].name);
        of[all[i].at] = all[i].name.len > 0 ? (uint32_t)(count - 1) : UINT32_MAX;
    }
    *out = (iv_item_groups){ iv_arena_copy(own, iv_csv_column(t, column)), count, names, of };
    return iv_taken(own, err);
}

/* The column of "group=NAME" at a place of a text; what is behind it, past a comma. */
static int find_column(size_t *out, const char **at, const iv_csv *t, iv_err *err)
{
    const char *is = strchr(*at, '=');
    const size_t len = is != NULL ? strcspn(is + 1, ",") : 0;

    if (len == 0 || iv_str_cmp((iv_str){ *at, (size_t)(is - *at) }, iv_str_of("group")) != 0)
        return iv_fail(err, IV_EARG, "the column '%.80s', expected group=NAME", *at);
    char *name = malloc(len + 1);
    if (name == NULL)
        return iv_no_memory(err);
    memcpy(name, is + 1, len);
    name[len] = '\0';
    *out = iv_csv_find(t, iv_str_of(name));
    const int rc = *out != IV_NONE ? IV_OK
        : iv_csv_lacks(t, &(iv_column_role){ .names = name }, "; expected a column of groups",
                       err);
    free(name);
    *at = is + 1 + len + (is[1 + len] == ',');
    return rc;
}

int iv_item_groups_read(iv_item_groups **out, size_t *count, const iv_csv *t,
                        const iv_texts *columns, iv_arena *own, iv_err *err)
{
    iv_item_groups *groups = iv_take(own, iv_csv_columns(t) + 1, sizeof *groups);
    char quoted[IV_QUOTE_SIZE];
    size_t found = 0;

    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < columns->count; i++)
        for (const char *at = columns->at[i]; *at != '\0' || at == columns->at[i];) {
            size_t column = IV_NONE;
            IV_TRY(find_column(&column, &at, t, err));
            for (size_t k = 0; k < found; k++)
                if (iv_csv_find(t, iv_str_of(groups[k].name)) == column)
                    return iv_fail(err, IV_EARG, "the column %s of groups is named twice",
                                   iv_quote(quoted, iv_str_of(groups[k].name)));
            IV_TRY(read_column(&groups[found++], t, column, own, err));
        }
    *out = groups;
    *count = found;
    return IV_OK;
}

void iv_drop_groups(size_t *columns, size_t *count, const iv_csv *t, const iv_item_groups *groups,
                    size_t groupings)
{
    size_t kept = 0;

    for (size_t k = 0; k < *count; k++) {
        bool grouping = false;
        for (size_t g = 0; g < groupings; g++)
            grouping = grouping || iv_csv_find(t, iv_str_of(groups[g].name)) == columns[k];
        if (!grouping)
            columns[kept++] = columns[k];
    }
    *count = kept;
}
