/* SPDX-License-Identifier: Apache-2.0 */
/* A table of items, assessors and labels. */

#include "base/bytes.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/packing.h"
#include "base/reader.h"
#include "intervale/trec/runs.h"
#include "trec/assessments.h"
#include "trec/column_roles.h"
#include "trec/csv.h"
#include "trec/text.h"
#include "trec/trec_ends.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum role { ITEM, ASSESSOR, LABEL, TOPIC, STRATUM, RETRIEVED, ROLES };
static const char *const role_names[ROLES] = { "item", "assessor", "label", "topic", "stratum",
                                               "retrieved" };

static const iv_column_role assessor_role = {
    "assessor,annotator,judge,rater,coder,reviewer,labeler,labeller,annotator_id,assessor_id,"
    "rater_id,worker,worker_id,user" };
/* Names of labels; others may be of something beside them. */
#define JUDGMENTS "label,grade,rating,relevance,judgment,judgement,relevant,rel,annotation"
static const iv_column_role label_role = { JUDGMENTS ",category,value,score" };
static const iv_column_role stratum_role = { "stratum,strata" },
    retrieved_role = { "retrieved,segment" };
static const iv_column_role *const roles[ROLES] = { &iv_item_role, &assessor_role, &label_role,
                                                    &iv_topic_role,
                                             &stratum_role, &retrieved_role };

typedef struct record {
    uint32_t item, assessor, label;
    size_t row;
} record;

static iv_str cell(const iv_assessments *a, size_t row, enum role role)
{
    return a->column[role] == IV_NONE ? (iv_str){ "", 0 }
                                      : iv_csv_cell(a->csv, row, a->column[role]);
}

/* --------------------------------------------------------------- columns -- */

bool iv_csv_is_assessments(const iv_csv *t)
{
    return iv_role_column(t, roles[ASSESSOR]) != IV_NONE
        && (iv_role_column(t, roles[LABEL]) != IV_NONE
            || iv_role_column(t, roles[ITEM]) != IV_NONE);
}

/* The column of items in a table with a column for each assessor; IV_NONE: it is no such table. */
static size_t wide_item(const iv_csv *t)
{
    const size_t item = iv_role_column(t, roles[ITEM]) != IV_NONE ? iv_role_column(t, roles[ITEM])
        : iv_id_column(t);
    size_t others = iv_csv_columns(t) - 1;

    for (int k = TOPIC; k < ROLES; k++)
        others -= iv_role_column(t, roles[k]) != IV_NONE;
    return others >= 2 && iv_role_column(t, roles[ASSESSOR]) == IV_NONE
        && iv_role_column(t, roles[LABEL]) == IV_NONE
        ? item : IV_NONE;
}

static bool says_nothing(iv_str s)
{
    return s.len == 0 || iv_is_named(s, "?,na,n/a,nan,null");
}

/* Leaves out columns whose cells are in no other column, such as a batch: assessors use the same
 * labels.  Two columns stay as they are. */
static int drop_unlike(iv_assessments *a, iv_err *err)
{
    const size_t count = a->judge_count, cells = count > 2 ? iv_csv_rows(a->csv) * count : 0;
    iv_ids values = { 0 };
    size_t *column = NULL, room = 0, kept = 0; /* of each value, the first that has it */
    bool *like = iv_take(a->own, count, sizeof *like);
    iv_listing left = { .most = 8 };
    int rc = iv_taken(a->own, err);

    for (size_t i = 0; i < cells && rc == IV_OK && kept < count; i++) {
        const iv_str s = iv_csv_cell(a->csv, i / count, a->judges[i % count]);
        const size_t before = values.count;
        const uint32_t id = iv_ids_add(&values, s);
        if (id == IV_NO_ID || !IV_ROOM(column, room, values.count)) {
            rc = iv_no_memory(err);
        } else if (values.count > before) {
            column[id] = says_nothing(s) ? IV_NONE : i % count;
        } else if (column[id] != i % count && column[id] != IV_NONE) {
            kept += (size_t)!like[i % count] + (size_t)!like[column[id]];
            like[i % count] = like[column[id]] = true;
        }
    }
    iv_ids_free(&values);
    free(column);
    if (rc != IV_OK || kept < 2 || kept == count)
        return rc;
    a->judge_count = 0;
    for (size_t k = 0; k < count; k++) {
        if (like[k])
            a->judges[a->judge_count++] = a->judges[k];
        else
            iv_list_quoted(&left, iv_csv_column(a->csv, a->judges[k]));
    }
    a->excluded = iv_arena_copy(a->own, iv_str_of(iv_listed(&left)));
    return iv_taken(a->own, err);
}

/* All columns but an index and those known by their names are assessors'. */
static int find_judges(iv_assessments *a, iv_err *err)
{
    const size_t columns = iv_csv_columns(a->csv);

    a->column[ITEM] = wide_item(a->csv);
    a->judges = iv_take(a->own, columns, sizeof *a->judges);
    IV_TRY(iv_taken(a->own, err));
    for (size_t c = 0; c < columns; c++) {
        bool taken = c == iv_id_column(a->csv) || (c == 0 && iv_csv_column(a->csv, c).len == 0);
        for (int k = 0; k < ROLES; k++)
            taken = taken || a->column[k] == c;
        if (!taken && iv_csv_column(a->csv, c).len == 0)
            return iv_csv_refuse(a->csv, IV_NONE, err, "column %zu has no name", c + 1);
        if (!taken)
            a->judges[a->judge_count++] = c;
    }
    a->wide = true;
    return drop_unlike(a, err);
}

static int find_columns(iv_assessments *a, iv_err *err)
{
    iv_listing may = { .most = 5 };

    for (int k = 0; k < ROLES; k++)
        a->column[k] = iv_role_column(a->csv, roles[k]);
    if (wide_item(a->csv) != IV_NONE)
        return find_judges(a, err);
    for (int k = 0; k <= LABEL; k++)
        if (a->column[k] == IV_NONE)
            return iv_csv_lacks(a->csv, roles[k], "", err);
    for (size_t c = 0; c < iv_csv_columns(a->csv); c++)
        if (iv_is_named(iv_csv_column(a->csv, c), JUDGMENTS))
            iv_list_quoted(&may, iv_csv_column(a->csv, c));
    return may.count < 2 ? IV_OK
        : iv_csv_refuse(a->csv, IV_NONE, err, "%s could each be the column of labels, expected "
                        "one", iv_listed(&may));
}

/* --------------------------------------------------------------- records -- */

/* A name of its own for an item of a topic. */
static iv_str key_of(iv_assessments *a, iv_str topic, iv_str item)
{
    char *text = iv_take(a->own, topic.len + item.len + 1, 1);

    if (text == NULL)
        return (iv_str){ NULL, 0 };
    memcpy(text, topic.ptr, topic.len);
    memcpy(text + topic.len + 1, item.ptr, item.len);
    return (iv_str){ text, topic.len + 1 + item.len };
}

/* The item of a row, which is often that of the row before. */
static int read_item(uint32_t *out, iv_assessments *a, size_t row, iv_err *err)
{
    const iv_str topic = cell(a, row, TOPIC), item = cell(a, row, ITEM);
    const record *last = a->count > 0 ? &a->records[a->count - 1] : NULL;

    if (last != NULL && iv_str_eq(cell(a, last->row, ITEM), item)
        && iv_str_eq(cell(a, last->row, TOPIC), topic)) {
        *out = last->item;
        return IV_OK;
    }
    const size_t before = a->item_ids.count;
    const iv_str key = a->column[TOPIC] == IV_NONE ? item : key_of(a, topic, item);
    IV_TRY(iv_taken(a->own, err));
    const uint32_t of = iv_ids_add(&a->topic_ids, topic);
    *out = iv_ids_add(&a->item_ids, key);
    if (of == IV_NO_ID || *out == IV_NO_ID)
        return iv_no_memory(err);
    if (a->item_ids.count > before) {
        a->topic_of[*out] = of;
        a->first[*out] = row;
    }
    return IV_OK;
}

/* The labels of a row: of one assessor, or of every assessor's column. */
static int read_labels(iv_assessments *a, size_t row, iv_err *err)
{
    static const enum role needed[] = { ITEM, ASSESSOR, TOPIC };
    const bool wide = a->judge_count > 0;
    record x = { .row = row };

    for (size_t k = 0; k < 3; k++)
        if (a->column[needed[k]] != IV_NONE && cell(a, row, needed[k]).len == 0)
            return iv_csv_refuse(a->csv, row, err, "the %s is missing", role_names[needed[k]]);
    IV_TRY(read_item(&x.item, a, row, err));
    for (size_t k = 0; k < (wide ? a->judge_count : 1); k++) {
        const iv_str label = wide ? iv_csv_cell(a->csv, row, a->judges[k]) : cell(a, row, LABEL);
        x.assessor = iv_ids_add(&a->assessor_ids, wide ? iv_csv_column(a->csv, a->judges[k])
                                                       : cell(a, row, ASSESSOR));
        x.label = iv_ids_add(&a->texts, label);
        if (x.assessor == IV_NO_ID || x.label == IV_NO_ID)
            return iv_no_memory(err);
        a->records[a->count++] = x;
    }
    return IV_OK;
}

/* ---------------------------------------------------------------- labels -- */

#define NOTHING (IV_NO_ID - 1) /* of a text that is no label */

typedef struct named {
    iv_str text;
    double value;
    uint32_t old;
} named;

/* Words are the same but for case. */
static int compare_words(iv_str a, iv_str b)
{
    const size_t len = a.len < b.len ? a.len : b.len;
    const int order = strncasecmp(a.ptr, b.ptr, len);

    return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

static int by_value(const void *va, const void *vb)
{
    const named *a = va, *b = vb;
    const int words = compare_words(a->text, b->text);

    return a->value != b->value ? (a->value < b->value ? -1 : 1)
           : words != 0         ? words : iv_str_cmp(a->text, b->text);
}

/* Numbers by value, of which 1 and 1.0 are the same, else words; in records new numbers
 * take the place of old ones.  -1 among grades means that nobody could judge. */
static int number_labels(iv_assessments *a, iv_err *err)
{
    uint32_t n = 0;
    named *all = iv_take(a->own, a->texts.count, sizeof *all);
    uint32_t *fresh = iv_take(a->own, a->texts.count, sizeof *fresh), count = 0;
    const char **names = iv_take(a->own, a->texts.count, sizeof *names);
    double *values = iv_take(a->own, a->texts.count, sizeof *values);
    bool numbers = true, whole = true, cannot = false, below = false;

    IV_TRY(iv_taken(a->own, err));
    for (uint32_t i = 0; i < a->texts.count; i++) {
        fresh[i] = NOTHING;
        if (says_nothing(a->texts.names[i]))
            continue;
        all[n] = (named){ a->texts.names[i], 0.0, i };
        numbers = numbers && iv_scan_real(&all[n].value, all[n].text) && isfinite(all[n].value);
        n++;
    }
    for (uint32_t i = 0; i < n; i++) {
        all[i].value = numbers ? all[i].value : 0.0;
        whole = whole && floor(all[i].value) == all[i].value;
        cannot = cannot || all[i].value == -1.0;
        below = below || (all[i].value < 0.0 && all[i].value != -1.0);
    }
    cannot = cannot && whole && !below;
    qsort(all, n, sizeof *all, by_value);
    for (size_t i = 0; i < n; i++) {
        fresh[all[i].old] = IV_NO_ID;
        if (cannot && all[i].value < 0.0)
            continue;
        if (count == 0 || (numbers ? all[i].value != values[count - 1]
                                   : compare_words(all[i].text, all[i - 1].text) != 0)) {
            values[count] = all[i].value;
            names[count++] = iv_arena_copy(a->own, all[i].text);
        } else {
            a->folded += !numbers;
        }
        fresh[all[i].old] = count - 1;
    }
    for (size_t i = 0; i < a->count; i++) {
        record *x = &a->records[i];
        const bool said = fresh[x->label] != NOTHING;
        x->label = said ? fresh[x->label] : IV_NO_ID;
        a->missing += x->label == IV_NO_ID;
        a->cannot += said && x->label == IV_NO_ID;
    }
    a->label_count = count;
    a->labels = names;
    a->values = numbers ? values : NULL;
    a->whole = numbers && whole;
    if (count == 0)
        return iv_fail_at(err, IV_ENODATA, a->csv->path, 0, "no label in %zu lines", a->count);
    return iv_taken(a->own, err);
}

/* ----------------------------------------------------------------- items -- */

/* Items topic by topic. */
static int place_items(iv_assessments *a, iv_err *err)
{
    const size_t n = a->item_ids.count, topics = a->topic_ids.count;
    size_t *starts = iv_take(a->own, topics + 2, sizeof *starts);
    iv_str *names = iv_take(a->own, n, sizeof *names);
    iv_str *topic_names = iv_take(a->own, topics, sizeof *topic_names);
    uint32_t *topic = iv_take(a->own, n, sizeof *topic);

    a->place = iv_take(a->own, n, sizeof *a->place);
    IV_TRY(iv_taken(a->own, err));
    for (size_t i = 0; i < n; i++)
        starts[a->topic_of[i] + 2]++;
    for (size_t t = 2; t < topics + 2; t++)
        starts[t] += starts[t - 1];
    for (size_t i = 0; i < n; i++) {
        const size_t at = starts[a->topic_of[i] + 1]++;
        a->place[i] = (uint32_t)at;
        names[at] = cell(a, a->first[i], ITEM);
        topic[at] = a->topic_of[i];
    }
    a->items = names;
    a->item_count = n;
    a->topic = topic;
    a->topic_starts = starts;
    memcpy(topic_names, a->topic_ids.names, topics * sizeof *topic_names);
    a->topics = topic_names;
    a->topic_count = topics;
    a->has_topics = a->column[TOPIC] != IV_NONE;
    return IV_OK;
}

static int by_item(const void *va, const void *vb)
{
    const record *a = va, *b = vb;

    return a->item != b->item           ? (a->item < b->item ? -1 : 1)
           : a->assessor != b->assessor ? (a->assessor < b->assessor ? -1 : 1)
                                        : (a->row > b->row) - (a->row < b->row);
}

static int refuse_twice(const iv_assessments *a, const record *x, iv_err *err)
{
    char quoted[2][IV_QUOTE_SIZE];

    return iv_csv_refuse(a->csv, x[1].row, err, "a second label of %s by %s, the first is in line "
                         "%llu",
                  iv_quote(quoted[0], cell(a, x->row, ITEM)),
                  iv_quote(quoted[1], a->assessor_ids.names[x->assessor]),
                  (unsigned long long)iv_csv_line(a->csv, x->row));
}

static int put_labels(iv_assessments *a, iv_err *err)
{
    size_t *starts = iv_take(a->own, a->item_ids.count + 1, sizeof *starts), used = 0, next = 0;
    uint32_t *assessor = iv_take(a->own, a->count, sizeof *assessor);
    uint32_t *label = iv_take(a->own, a->count, sizeof *label);

    IV_TRY(iv_taken(a->own, err));
    bool sorted = true;
    for (size_t i = 0; i < a->count; i++) {
        a->records[i].item = a->place[a->records[i].item];
        sorted = sorted && (i == 0 || by_item(&a->records[i - 1], &a->records[i]) < 0);
    }
    if (!sorted)
        qsort(a->records, a->count, sizeof *a->records, by_item);
    for (size_t i = 0; i < a->count; i++) {
        const record *x = &a->records[i];
        if (i + 1 < a->count && x->item == x[1].item && x->assessor == x[1].assessor)
            return refuse_twice(a, x, err);
        while (next <= x->item)
            starts[next++] = used;
        if (x->label == IV_NO_ID)
            continue;
        assessor[used] = x->assessor;
        label[used++] = x->label;
    }
    starts[next] = used;
    a->assessor = assessor;
    a->label = label;
    a->starts = starts;
    return IV_OK;
}

/* ----------------------------------------------------------------- whole -- */

static int read_all(iv_assessments *a, iv_err *err)
{
    const size_t rows = iv_csv_rows(a->csv);

    IV_TRY(find_columns(a, err));
    const size_t wide = a->judge_count > 0 ? a->judge_count : 1;
    a->records = iv_take(a->own, rows * wide, sizeof *a->records);
    a->topic_of = iv_take(a->own, rows, sizeof *a->topic_of);
    a->first = iv_take(a->own, rows, sizeof *a->first);
    IV_TRY(iv_taken(a->own, err));
    for (size_t i = 0; i < rows; i++)
        IV_TRY(read_labels(a, i, err));
    IV_TRY(number_labels(a, err));
    IV_TRY(place_items(a, err));
    IV_TRY(put_labels(a, err));
    const char **names = iv_take(a->own, a->assessor_ids.count, sizeof *names);
    IV_TRY(iv_taken(a->own, err));
    for (size_t i = 0; i < a->assessor_ids.count; i++)
        names[i] = iv_arena_copy(a->own, a->assessor_ids.names[i]);
    a->assessors = names;
    a->assessor_count = a->assessor_ids.count;
    a->bytes = iv_csv_bytes(a->csv);
    return iv_taken(a->own, err);
}


int iv_assessments_of(const iv_assessments **out, iv_arena *own, iv_csv *table, iv_err *err)
{
    iv_assessments *a = iv_take(own, 1, sizeof *a);

    IV_TRY(iv_keep(own, table, iv_end_csv, err));
    IV_TRY(iv_taken(own, err));
    a->own = own;
    a->csv = table;
    const int rc = read_all(a, err);
    iv_ids_free(&a->topic_ids);
    iv_ids_free(&a->item_ids);
    iv_ids_free(&a->assessor_ids);
    iv_ids_free(&a->texts);
    if (rc == IV_OK)
        *out = a;
    return rc;
}

int iv_file_is_assessments(bool *out, const char *path, const iv_work *work, iv_err *err)
{
    enum { HEADER = 1 << 16 };
    iv_reader in = { 0 };
    iv_csv *t = NULL;
    iv_err ignored;
    int rc = iv_reader_open(&in, path, -1, 0, work, err);

    while (rc == IV_OK && !in.ended && in.end < HEADER)
        rc = iv_reader_some(&in, HEADER, err);
    /* The header, behind empty lines and sep=, and a row to make it a table. */
    const iv_str text = iv_text_of(&(iv_bytes){ in.buffer, rc == IV_OK ? in.end : 0, 0, IV_PLAIN });
    const char *from = text.ptr, *end = text.ptr + text.len, *eol;
    while ((eol = from < end ? memchr(from, '\n', (size_t)(end - from)) : NULL) != NULL
           && (eol - from < 2 || (eol - from >= 4 && memcmp(from, "sep=", 4) == 0)))
        from = eol + 1;
    char *copy = eol != NULL ? calloc(2, (size_t)(eol - text.ptr) + 1) : NULL;
    *out = false;
    if (copy != NULL) {
        const size_t len = (size_t)(eol - text.ptr) + 1, row = (size_t)(eol - from) + 1;
        memcpy(copy, text.ptr, len);
        memcpy(copy + len, from, row);
        if (iv_csv_parse(&t, path, copy, len + row, &ignored) == IV_OK)
            *out = iv_csv_is_assessments(t) || wide_item(t) != IV_NONE;
        iv_csv_free(t);
    }
    free(copy);
    iv_reader_close(&in);
    return rc;
}
