/* SPDX-License-Identifier: Apache-2.0 */
#include "trec/gold.h"

#include <stdlib.h>

size_t iv_gold_column(const iv_csv *t, const char *name)
{
    static const char *const usual[] = { "gold", "label", "truth", "y_true", "target" };
    size_t found = name != NULL ? iv_csv_find(t, iv_str_of(name)) : IV_NONE;

    for (size_t i = 0; name == NULL && found == IV_NONE && i < sizeof usual / sizeof *usual; i++)
        found = iv_csv_find(t, iv_str_of(usual[i]));
    return found;
}

static int by_id(const void *a, const void *b)
{
    const iv_id_line *x = a, *y = b;
    const int order = iv_str_cmp(x->id, y->id);

    return order != 0 ? order : (x->row > y->row) - (x->row < y->row);
}

int iv_ids_once(iv_id_line **out, const iv_csv *t, size_t column, const char *path, iv_err *err)
{
    const size_t n = iv_csv_rows(t);
    iv_id_line *all = calloc(n + 1, sizeof *all);
    char quoted[IV_QUOTE_SIZE];
    size_t worst = n, first = 0;

    if (all == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < n; i++)
        all[i] = (iv_id_line){ iv_csv_cell(t, i, column), i };
    qsort(all, n, sizeof *all, by_id);
    for (size_t i = 1; i < n; i++) {
        if (iv_str_cmp(all[i - 1].id, all[i].id) == 0 && all[i].row < worst) {
            worst = all[i].row;
            first = all[i - 1].row;
        }
    }
    if (out != NULL && worst == n)
        *out = all;
    else
        free(all);
    return worst == n ? IV_OK
        : iv_fail_at(err, IV_EPARSE, path, iv_csv_line(t, worst), "the id %s is there twice, first "
                     "in line %llu", iv_quote(quoted, iv_csv_cell(t, worst, column)),
                     (unsigned long long)iv_csv_line(t, first));
}
