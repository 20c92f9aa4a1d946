/* SPDX-License-Identifier: Apache-2.0 */
/* Reads tables with a column of scores for each class. */
#include "base/err.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/listing.h"
#include "base/memory.h"
#include "intervale/trec/runs.h"
#include "trec/class_columns.h"
#include "trec/column_roles.h"
#include "trec/csv.h"
#include "trec/gold.h"

#include <ctype.h>
#include <string.h>

int iv_gold_multiclass(bool *out, const iv_csv *t, const char *gold, const iv_texts *named,
                  iv_err *err)
{
    iv_str seen[2];
    size_t column, count = 0;

    IV_TRY(iv_gold_column(&column, t, gold, named, err));
    for (size_t i = 0; i < iv_csv_rows(t) && count < 3; i++) {
        const iv_str label = iv_bit_of(iv_csv_cell(t, i, column));
        bool known = iv_csv_is_missing(label);
        for (size_t k = 0; k < count; k++)
            known = known || iv_str_eq(seen[k], label);
        if (!known && count < 2)
            seen[count] = label;
        count += !known;
    }
    *out = count > 2;
    return IV_OK;
}

/* Is the class a word or a number of its own, beside what ends or begins with this? */
static bool is_apart(char beside, char of_class)
{
    const unsigned char a = (unsigned char)beside, b = (unsigned char)of_class;

    return !((isdigit(a) && isdigit(b)) || ((isalpha(a) || a > 127) && (isalpha(b) || b > 127)));
}

/* What is beside the class in the name of a column; false: it is not one of the class. */
static bool split(iv_class_system *out, iv_str column, iv_str klass)
{
    const size_t rest = column.len - klass.len;

    if (klass.len == 0 || column.len < klass.len)
        return false;
    *out = (iv_class_system){ .before = { column.ptr, rest }, .behind = { column.ptr, 0 } };
    if (memcmp(column.ptr + rest, klass.ptr, klass.len) == 0
        && (rest == 0 || is_apart(column.ptr[rest - 1], klass.ptr[0])))
        return true;
    *out = (iv_class_system){ .before = { column.ptr, 0 },
                              .behind = { column.ptr + klass.len, rest } };
    return memcmp(column.ptr, klass.ptr, klass.len) == 0
        && is_apart(column.ptr[klass.len], klass.ptr[klass.len - 1]);
}

static size_t find_column(const iv_csv *t, const iv_class_system *s, iv_str klass,
                          const size_t *columns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const iv_str c = iv_csv_column(t, columns[i]);
        if (c.len == s->before.len + klass.len + s->behind.len
            && memcmp(c.ptr, s->before.ptr, s->before.len) == 0
            && memcmp(c.ptr + s->before.len, klass.ptr, klass.len) == 0
            && memcmp(c.ptr + s->before.len + klass.len, s->behind.ptr, s->behind.len) == 0)
            return columns[i];
    }
    return IV_NONE;
}

static const char *name_of(const iv_class_system *s, iv_arena *memory)
{
    iv_str name = s->before.len > 0 ? s->before : s->behind;

    while (s->before.len > 0 && name.len > 1 && !isalnum((unsigned char)name.ptr[name.len - 1])
           && (unsigned char)name.ptr[name.len - 1] < 128)
        name.len--;
    while (s->before.len == 0 && name.len > 1 && !isalnum((unsigned char)name.ptr[0])
           && (unsigned char)name.ptr[0] < 128) {
        name.ptr++;
        name.len--;
    }
    return name.len > 0 ? iv_arena_copy(memory, name) : "scores";
}

/* The systems that have a column for every class; `best` is the one that lacks the fewest. */
static int find_systems(iv_class_table *out, iv_class_system *best, const iv_csv *t,
                        const iv_ids *classes, iv_arena *memory, iv_err *err)
{
    const size_t n = out->other_count, K = classes->count;
    size_t least = K + 1;

    out->systems = iv_take(memory, n, sizeof *out->systems);
    IV_TRY(iv_taken(memory, err));
    /* All systems have a column of the first class; others tell who lacks it. */
    for (size_t k = 0; k < K && (k == 0 || least > K); k++)
        for (size_t i = 0; i < n; i++) {
            iv_class_system s;
            size_t lacks = 0;
            if (!split(&s, iv_csv_column(t, out->others[i]), classes->names[k]))
                continue;
            s.columns = iv_take(memory, K, sizeof *s.columns);
            s.name = name_of(&s, memory);
            IV_TRY(iv_taken(memory, err));
            for (size_t c = 0; c < K; c++) {
                s.columns[c] = find_column(t, &s, classes->names[c], out->others, n);
                lacks += s.columns[c] == IV_NONE;
            }
            if (lacks < least)
                *best = s;
            least = lacks < least ? lacks : least;
            if (lacks == 0)
                out->systems[out->system_count++] = s;
        }
    return IV_OK;
}

static int no_system(const iv_csv *t, const iv_class_system *best, const iv_ids *classes,
                     iv_err *err)
{
    const iv_str first = classes->names[0];
    iv_listing lacking = { .most = 5 };

    for (size_t c = 0; c < classes->count; c++)
        if (best->columns == NULL || best->columns[c] == IV_NONE)
            iv_list(&lacking, "'%.*s%.*s%.*s'", (int)best->before.len, best->before.ptr,
                    (int)classes->names[c].len, classes->names[c].ptr, (int)best->behind.len,
                    best->behind.ptr);
    return iv_csv_refuse(t, IV_NONE, err, "%zu classes, expected a column of scores for each, "
                      "such as '%.*s' or 'p_%.*s'; there is no %s" IV_HINT("; --positive LABEL "
                      "takes one class against the rest, and --system NAME its column"),
                      (size_t)classes->count, (int)first.len,
                      first.ptr, (int)first.len, first.ptr, iv_listed(&lacking));
}

/* The others lose the columns of systems. */
static void drop_used(iv_class_table *out, size_t classes)
{
    size_t kept = 0;

    for (size_t i = 0; i < out->other_count; i++) {
        bool used = false;
        for (size_t k = 0; k < out->system_count * classes && !used; k++)
            used = out->systems[k / classes].columns[k % classes] == out->others[i];
        if (!used)
            out->others[kept++] = out->others[i];
    }
    out->other_count = kept;
}

/* Keeps the systems that are named, in that order. */
static int choose(iv_class_table *out, const iv_csv *t, const iv_texts *named, iv_arena *memory,
                  iv_err *err)
{
    iv_class_system *all = out->systems;
    char quoted[IV_QUOTE_SIZE];

    if (named->count == 0)
        return IV_OK;
    out->systems = iv_take(memory, named->count, sizeof *out->systems);
    IV_TRY(iv_taken(memory, err));
    for (size_t i = 0; i < named->count; i++) {
        iv_listing there = { .most = 8 };
        size_t at = 0;
        while (at < out->system_count && strcmp(all[at].name, named->at[i]) != 0)
            at++;
        for (size_t s = 0; s < out->system_count; s++)
            iv_list_quoted(&there, iv_str_of(all[s].name));
        if (at == out->system_count)
            return iv_csv_refuse(t, IV_NONE, err, "no system %s with a column of scores for "
                              "each "
                              "class; there is %s" IV_HINT("; --positive LABEL takes one class "
                                                           "against the "
                              "rest, and --system NAME its column"),
                              iv_quote(quoted, iv_str_of(named->at[i])),
                              iv_listed(&there));
        for (size_t s = 0; s < i; s++)
            if (strcmp(named->at[s], named->at[i]) == 0)
                return iv_csv_refuse(t, IV_NONE, err, "system %s is named twice",
                                  iv_quote(quoted, iv_str_of(named->at[i])));
        out->systems[i] = all[at];
    }
    out->system_count = named->count;
    return IV_OK;
}

/* Classes in the order of the first system's columns. */
static int put_in_order(iv_class_table *out, const iv_ids *classes, iv_arena *memory, iv_err *err)
{
    const size_t K = classes->count;
    size_t *place = iv_take(memory, K, sizeof *place),
        *columns = iv_take(memory, K, sizeof *columns);

    out->names = iv_take(memory, K, sizeof *out->names);
    out->classes = K;
    IV_TRY(iv_taken(memory, err));
    for (size_t c = 0; c < K; c++) {
        for (size_t k = 0; k < K; k++)
            place[c] += out->systems[0].columns[k] < out->systems[0].columns[c];
        out->names[place[c]] = iv_arena_copy(memory, classes->names[c]);
    }
    for (size_t i = 0; i < out->items; i++)
        out->is[i] = place[out->is[i]];
    for (size_t s = 0; s < out->system_count; s++) {
        memcpy(columns, out->systems[s].columns, K * sizeof *columns);
        for (size_t c = 0; c < K; c++)
            out->systems[s].columns[place[c]] = columns[c];
    }
    return iv_taken(memory, err);
}

static int read_classes(iv_class_table *out, iv_ids *classes, const iv_csv *t, size_t gold,
                        iv_err *err)
{
    for (size_t i = 0; i < out->items; i++) {
        const iv_str label = iv_csv_cell(t, i, gold);
        if (iv_csv_is_missing(label))
            return iv_csv_refuse(t, i, err, "the gold label is "
                              "missing%s%.*s", label.len > 0 ? ": " : "", (int)label.len,
                              label.ptr);
        const uint32_t id = iv_ids_add(classes, label);
        if (id == IV_NO_ID)
            return iv_fail(err, IV_ENOMEM, "out of memory");
        if (classes->count > IV_CLASS_MOST)
            return iv_csv_refuse(t, i, err, "more than %d classes, "
                              "expected as many at most", IV_CLASS_MOST);
        out->is[i] = id;
    }
    return IV_OK;
}

static int find_all(iv_class_table *out, iv_ids *classes, const iv_csv *t, const char *gold,
                    const iv_texts *named, iv_arena *memory, iv_err *err)
{
    size_t taken[2] = { IV_NONE, iv_id_column(t) };
    iv_class_system best = { 0 };

    IV_TRY(iv_gold_column(&taken[0], t, gold, named, err));
    IV_TRY(iv_ids_once(NULL, t, taken[1], err));
    *out = (iv_class_table){ .items = iv_csv_rows(t), .gold = taken[0] };
    out->is = iv_take(memory, out->items, sizeof *out->is);
    out->others = iv_take(memory, iv_csv_columns(t), sizeof *out->others);
    IV_TRY(iv_taken(memory, err));
    IV_TRY(read_classes(out, classes, t, taken[0], err));
    IV_TRY(iv_system_columns(out->others, &out->other_count, t, &(iv_texts){ 0 }, taken, 2, err));
    IV_TRY(find_systems(out, &best, t, classes, memory, err));
    if (out->system_count == 0)
        return no_system(t, &best, classes, err);
    drop_used(out, classes->count);
    IV_TRY(choose(out, t, named, memory, err));
    return put_in_order(out, classes, memory, err);
}

int iv_class_columns(iv_class_table *out, const iv_csv *t, const char *gold, const iv_texts *named,
                     iv_arena *memory, iv_err *err)
{
    iv_ids classes = { 0 };
    const int rc = find_all(out, &classes, t, gold, named, memory, err);

    iv_ids_free(&classes);
    return rc;
}

iv_str iv_class_of_column(iv_str column, const iv_class_system *s)
{
    const size_t beside = s->before.len + s->behind.len;

    if (column.len <= beside || memcmp(column.ptr, s->before.ptr, s->before.len) != 0
        || memcmp(column.ptr + column.len - s->behind.len, s->behind.ptr, s->behind.len) != 0)
        return (iv_str){ column.ptr, 0 };
    return (iv_str){ column.ptr + s->before.len, column.len - beside };
}
