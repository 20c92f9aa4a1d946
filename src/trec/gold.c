/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the columns of a table of items: ids, true classes, and systems. */
#include "base/err.h"
#include "base/listing.h"
#include "base/names.h"
#include "base/order.h"
#include "intervale/trec/runs.h"
#include "trec/column_roles.h"
#include "trec/csv.h"
#include "trec/gold.h"

#include <stdlib.h>
#include <string.h>

static const iv_column_role gold_role = { "gold,label,truth,y_true,target" };

bool iv_is_gold_name(iv_str column) { return iv_is_named(column, gold_role.names); }

static bool is_named(const iv_csv *t, size_t column, const iv_texts *names)
{
    bool found = false;

    for (size_t i = 0; i < names->count; i++)
        found = found || iv_csv_find(t, iv_str_of(names->at[i])) == column;
    return found;
}

int iv_gold_column(size_t *out, const iv_csv *t, const char *name, const iv_texts *others,
                   iv_err *err)
{
    iv_listing may = { .most = 5 };
    size_t other = IV_NONE;

    *out = name != NULL ? iv_csv_find(t, iv_str_of(name)) : IV_NONE;
    for (size_t c = 0; name == NULL && c < iv_csv_columns(t); c++) {
        const iv_str column = iv_csv_column(t, c);
        if (!iv_is_gold_name(column))
            continue;
        if (is_named(t, c, others)) {
            other = c;
            continue;
        }
        iv_list_quoted(&may, column);
        *out = c;
    }
    *out = *out != IV_NONE ? *out : other; /* who named it is told that it is gold */
    if (may.count > 1)
        return iv_csv_refuse(t, IV_NONE, err, "%s could each be the column of gold: say which"
                          IV_HINT(" with --gold NAME"),
                          iv_listed(&may));
    if (*out != IV_NONE)
        return IV_OK;
    return name != NULL ? iv_csv_lacks(t, &(iv_column_role){ name }, "", err)
                        : iv_csv_lacks(t, &gold_role, IV_HINT("; --gold NAME names it"), err);
}

const char *iv_gold_note(char out[IV_GOLD_NOTE], iv_str column, const char *given)
{
    char quoted[IV_QUOTE_SIZE];

    *out = '\0';
    if (given == NULL && !iv_same_name(column, iv_str_of("gold")))
        (void)snprintf(out, IV_GOLD_NOTE, "Column %s was taken as the gold labels because of its "
                                          "name (--gold).",
                       iv_quote(quoted, column));
    return out;
}

const char *iv_left_note(char out[IV_GOLD_NOTE], iv_listing *left, const char *path)
{
    *out = '\0';
    if (left->count > 0)
        (void)snprintf(out, IV_GOLD_NOTE, "Columns of %.300s named like gold or ids are excluded: "
                       "%s. Use --system NAME to read one as a system.", path,
                       iv_listed(left));
    return out;
}

/* Is the first column the names of rows, as data frames write and read their index? */
static bool has_index(const iv_csv *t)
{
    const iv_str first = iv_csv_column(t, 0);

    return first.len == 0 || iv_str_cmp(first, iv_str_of("Unnamed: 0")) == 0
        || iv_str_cmp(first, iv_str_of("index")) == 0;
}

size_t iv_id_column(const iv_csv *t)
{
    const size_t id = iv_csv_find(t, iv_str_of("id"));

    if (id != IV_NONE || has_index(t))
        return id != IV_NONE ? id : 0;
    const size_t item = iv_role_column(t, &iv_item_role);
    const size_t topic = item != IV_NONE ? IV_NONE : iv_role_column(t, &iv_topic_role);
    return topic != IV_NONE && iv_csv_all_differ(t, topic) ? topic : item;
}

int iv_no_ids(const iv_csv *t, iv_err *err)
{
    return iv_csv_lacks(t, &(iv_column_role){ "id" },
                        "; expected the ids, which say what items are the same "
                        "in two files", err);
}

iv_str iv_bit_of(iv_str label)
{
    static const char *const same[2][4] = { { "0.0", "False", "false", "FALSE" },
                                            { "1.0", "True", "true", "TRUE" } };

    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < 4; i++)
            if (iv_str_cmp(label, iv_str_of(same[k][i])) == 0)
                return iv_str_of(k == 0 ? "0" : "1");
    return label;
}

static bool is_among(size_t column, const size_t *all, size_t count)
{
    bool found = false;

    for (size_t i = 0; i < count; i++)
        found = found || all[i] == column;
    return found;
}

int iv_system_columns(size_t *out, size_t *count, const iv_csv *t, const iv_texts *named,
                      const size_t *taken, size_t taken_count, iv_err *err)
{
    char quoted[IV_QUOTE_SIZE];

    *count = 0;
    for (size_t i = 0; i < named->count; i++) {
        const size_t c = iv_csv_find(t, iv_str_of(named->at[i]));
        if (c == IV_NONE)
            return iv_csv_lacks(t, &(iv_column_role){ named->at[i] },
                                "; expected a column of a system", err);
        if (is_among(c, taken, taken_count) || is_among(c, out, *count))
            return iv_csv_refuse(t, IV_NONE, err, "column %s shall be a system's, and is %s",
                              iv_quote(quoted, iv_str_of(named->at[i])),
                              is_among(c, out, *count) ? "named twice"
                              : "taken for something else");
        out[(*count)++] = c;
    }
    for (size_t c = 0; named->count == 0 && c < iv_csv_columns(t); c++) {
        if (is_among(c, taken, taken_count) || (c == 0 && has_index(t)))
            continue;
        if (iv_csv_column(t, c).len == 0)
            return iv_csv_refuse(t, IV_NONE, err, "column %zu has no name", c + 1);
        out[(*count)++] = c;
    }
    return IV_OK;
}

int iv_drop_gold_names(iv_listing *left, size_t *columns, size_t *count, const iv_csv *t,
                       iv_str gold, iv_err *err)
{
    size_t kept = 0;

    if (*count < 2)
        return IV_OK;
    for (size_t k = 0; k < *count; k++) {
        const iv_str name = iv_csv_column(t, columns[k]);
        if (iv_is_gold_name(name) || iv_same_name(name, gold)
            || iv_is_named(name, iv_item_role.names) || iv_is_named(name, iv_topic_role.names))
            iv_list_quoted(left, name);
        else
            columns[kept++] = columns[k];
    }
    *count = kept;
    return kept > 0 ? IV_OK
        : iv_csv_refuse(t, IV_NONE, err, "%s have names of gold or ids, expected columns of "
                     "systems, unless these are named" IV_HINT(" (--system NAME)"),
                     iv_listed(left));
}

static bool same_rows(const iv_csv *t, size_t a, size_t b)
{
    for (size_t c = 0; c < iv_csv_columns(t); c++)
        if (iv_str_cmp(iv_csv_cell(t, a, c), iv_csv_cell(t, b, c)) != 0)
            return false;
    return true;
}

/*
 * Is every row there twice: the file behind itself (step 1), or each row behind itself (step 2)?
 * Where neighbours differ 20 times, equal halves have a chance of about e^-20.
 */
static bool are_doubled(const iv_csv *t, size_t step)
{
    const size_t n = iv_csv_rows(t), half = n / 2, far = step == 1 ? half : 1;
    size_t changes = 0;

    for (size_t i = 0; i < half; i++) {
        if (n % 2 != 0 || !same_rows(t, step * i, step * i + far))
            return false;
        changes += i > 0 && !same_rows(t, step * (i - 1), step * i);
    }
    return changes >= 20;
}

int iv_ids_once(iv_named **out, const iv_csv *t, size_t column, iv_err *err)
{
    if (column == IV_NONE && (are_doubled(t, 1) || are_doubled(t, 2)))
        return iv_csv_refuse(t, IV_NONE, err, "every row occurs twice, expected each item once, "
                             "or a column 'id' that distinguishes items");
    const size_t n = column == IV_NONE ? 0 : iv_csv_rows(t);
    iv_named *all = calloc(n + 1, sizeof *all);
    char quoted[IV_QUOTE_SIZE];
    size_t worst = n, first = 0;

    if (all == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < n; i++)
        all[i] = (iv_named){ iv_csv_cell(t, i, column), i };
    qsort(all, n, sizeof *all, iv_by_name);
    for (size_t i = 1; i < n; i++) {
        if (iv_str_cmp(all[i - 1].name, all[i].name) == 0 && all[i].at < worst) {
            worst = all[i].at;
            first = all[i - 1].at;
        }
    }
    if (out != NULL && worst == n)
        *out = all;
    else
        free(all);
    return worst == n ? IV_OK
        : iv_csv_refuse(t, worst, err, "the id %s occurs twice, first "
                     "in line %llu", iv_quote(quoted, iv_csv_cell(t, worst, column)),
                     (unsigned long long)iv_csv_line(t, first));
}

static bool are_text_ids(const iv_csv *t, size_t column)
{
    const size_t n = iv_csv_rows(t);

    for (size_t i = 0; i < n; i++) {
        const iv_str cell = iv_csv_cell(t, i, column);
        if (iv_csv_is_missing(cell) || strchr("0123456789+-.,", cell.ptr[0]) != NULL)
            return false; /* it may be a number, perhaps with another point */
    }
    return n > 1 && iv_ids_once(NULL, t, column, NULL) == IV_OK;
}

iv_str iv_drop_text_ids(size_t *columns, size_t *count, const iv_csv *t)
{
    for (size_t k = 0; k < *count; k++) {
        if (!are_text_ids(t, columns[k]))
            continue;
        const iv_str name = iv_csv_column(t, columns[k]);
        memmove(&columns[k], &columns[k + 1], (--*count - k) * sizeof *columns);
        return name;
    }
    return (iv_str){ "", 0 };
}

int iv_join_ids(size_t **out, const iv_csv *t, const iv_csv *predictions, iv_err *err)
{
    const size_t items = iv_csv_rows(t), n = iv_csv_rows(predictions), id = iv_id_column(t);
    iv_named *all = NULL;
    char quoted[IV_QUOTE_SIZE];

    IV_TRY(iv_ids_once(&all, predictions, iv_id_column(predictions), err));
    size_t *row = calloc(items + 1, sizeof *row);
    int rc = row == NULL ? iv_fail(err, IV_ENOMEM, "out of memory") : IV_OK;
    for (size_t i = 0; i < items && rc == IV_OK; i++) {
        const iv_str own = iv_csv_cell(t, i, id);
        const iv_named *found = bsearch(&own, all, n, sizeof *all, iv_ascending_texts);
        if (found == NULL)
            rc = iv_csv_refuse(t, i, err, "no prediction of %s has the "
                            "id %s", predictions->path, iv_quote(quoted, own));
        else
            row[i] = found->at;
    }
    if (rc == IV_OK && n != items)
        rc = iv_fail_at(err, IV_EPARSE, predictions->path, 0,
                        "%zu predictions, and gold has %zu items", n, items);
    free(all);
    if (rc != IV_OK)
        free(row);
    else
        *out = row;
    return rc;
}
